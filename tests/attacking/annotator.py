"""An attacking annotator: labels whole rounds through the page's own API and notes everything visible."""

from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from tests.attacking.noting import Notes, moved, noted, texts

ABOUT_OTHERS = {"next", "ahead"}  # fields of a submission's response about other tasks
Clock = Callable[[], datetime]


@contextmanager
def counted(work: Notes) -> Any:
    """Counts the SQL statements of the block, a repeatable stand-in for a response's duration."""

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        work["statements"] = work.get("statements", 0) + 1
        work["length of statements"] = work.get("length of statements", 0) + len(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield


@dataclass
class Seen:
    """One task as the annotator saw it: round, place in the order, content, and notes."""

    assignment: str
    round: int
    place: int
    body: Any
    notes: Notes
    labelling: str = ""


@dataclass
class Annotator:
    """An annotator. `generator`: the list of its calls, on which a response's time depends."""

    client: Any
    phase: Any
    now: Clock
    generator: list[Any]
    seen: list[Seen] = field(default_factory=list)
    hand: Any = None
    figures: Notes = field(default_factory=dict)

    def ask(self, into: Notes, word: str, method: str, path: str, body: Any = None) -> Any:
        """Sends a request, and notes everything about the response under `word`. Returns its body."""
        work: Notes = {"generator asked": -len(self.generator)}
        with counted(work):
            answer = getattr(self.client, method)(f"/api/{path}", body)
        work |= {"generator asked": work["generator asked"] + len(self.generator), "status": answer.status_code}
        work |= {"size": len(answer.content), "headers": len(answer.headers)}
        found = answer.json() if answer.content else None
        kept = {k: v for k, v in found.items() if k not in ABOUT_OTHERS} if isinstance(found, dict) else found
        for name, number in (work | noted(kept, self.now())).items():
            into[f"{word} {name}"] = number
        return found

    def claim(self, round_: int) -> bool:
        """Claims a task and the two after it, as the page does. Returns False if there is none."""
        notes: Notes = {}
        body = self.ask(notes, "claim", "post", f"phases/{self.phase.pk}/claim/")["assignment"]
        for ahead in (1, 2):
            self.ask(notes, f"claim {ahead}", "post", f"phases/{self.phase.pk}/claim/", {"ahead": ahead})
        self._take(body, round_)
        return self.hand is not None

    def _take(self, body: Any, round_: int) -> None:
        self.hand = None
        if body is not None:
            notes = {f"task {name}": number for name, number in noted(body, self.now()).items()}
            notes["answer is the reference"] = float(
                body["problem"]["reference_answer"] in body["solution"]["steps"][-1]
            )
            self.hand = Seen(body["id"], round_, len(self.seen), body, notes)
            self.seen.append(self.hand)

    def label(self, peers: list["Annotator"]) -> bool:
        """Works on the task in hand and submits it. Returns False if it was the last.

        To save time, some requests are sent for every second or third task only.
        """
        task, here = self.hand, f"assignments/{self.hand.assignment}/"
        steps = task.body["solution"]["steps"]
        ratings = [{"step": step, "rating": 1} for step in range(len(steps))]
        peers = peers if task.place % 2 else []
        before = [peer.look() for peer in peers]
        if task.place % 2 == 0:
            self.ask(task.notes, "offer", "post", f"{here}completions/", {"path": steps[:1]})
        sent = {"ratings": ratings, "finish_reason": "solution", "ahead": True}
        answer = self.ask(task.notes, "submission", "post", f"{here}submit/", sent)
        task.labelling = answer["labelling_id"]
        figures = noted(answer["progress"], self.now())
        task.notes |= {f"own {name}": number for name, number in moved(self.figures, figures).items()}
        self.figures = figures
        for earlier, peer in zip(before, peers, strict=True):
            task.notes |= {f"colleague's {name}": number for name, number in moved(earlier, peer.look()).items()}
        if task.place % 3 == 0:
            self.ask(task.notes, "looked back", "get", here)
        self._take(answer["next"]["assignment"], task.round)
        return self.hand is not None

    def look(self) -> Notes:
        """Returns notes on the annotator's own progress."""
        notes: Notes = {}
        self.ask(notes, "progress", "get", f"phases/{self.phase.pk}/progress/")
        return {name: number for name, number in notes.items() if "statements" not in name}

    def revise(self, task: Seen, wait: Callable[[], None]) -> None:
        """Revises the task, and notes how the own progress changed at once and the next day."""
        before = self.look()
        revised = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error", "revises": task.labelling}
        here = f"assignments/{task.assignment}/submit/"
        task.labelling = self.ask(task.notes, "revision", "post", here, revised).get("labelling_id", "")
        at_once = self.look()
        wait()
        for word, later in (("at once", at_once), ("a day later", self.look())):
            task.notes |= {f"revised, {word}: {name}": number for name, number in moved(before, later).items()}


def compared(one: Annotator, *others: Annotator) -> None:
    """Notes how often each text of a task appeared: in all, before, in other rounds, and to others."""
    own = Counter(text for task in one.seen for text in texts(task.body))
    theirs = Counter(text for other in others for task in other.seen for text in texts(task.body))
    before: Counter[tuple[str, str]] = Counter()
    last = max((task.place for task in one.seen), default=0)
    for task in one.seen:
        here = texts(task.body)
        earlier = Counter(text for other in one.seen if other.round != task.round for text in texts(other.body))
        for path in {path for path, _ in here}:
            mine = [text for text in here if text[0] == path]
            for word, times in {"all": own, "before": before, "elsewhere": earlier, "others": theirs}.items():
                task.notes[f"times {path} {word}"] = sum(times[text] for text in mine) / len(mine)
        before.update(here)
        task.notes |= {"place": task.place, "place from the end": last - task.place}
