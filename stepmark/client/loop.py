"""Carries a phase once round its loop: asks the server what is due, and does it, until the next round is open."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stepmark.client.calls import Pause, Steps
from stepmark.client.errors import StepmarkError
from stepmark.client.runs import AnyRun, Row, bar, waited

logger = logging.getLogger("stepmark.client")
RUNS = {
    "train": "training-runs",
    "evaluate": "evaluation-runs",
    "score": "scoring-runs",
    "select": "selections",
    "publish": "publications",
}
WITHOUT_PEOPLE = {"label": "close", "rule": "train"}


@dataclass(frozen=True)
class NextRound:
    """`settings`: those of runs, by act. `waits`: waits until people have labelled the round, and ruled."""

    ask: Callable[..., Steps[Any]]
    make_run: Callable[[Row], AnyRun[Any]]
    phase: str
    settings: Mapping[str, Mapping[str, Any]]
    waits: bool
    progress: bool
    every: float

    def opened(self) -> Steps[Row]:
        """Returns the round once it is open. Raises StepmarkError if the phase can't go on."""
        run, before = None, ""
        while run is None or run.kind != "publish":
            loop = yield from self._look()
            act = loop["due"]["act"] or ""
            if self.waits and act in WITHOUT_PEOPLE:
                yield from self._people(act, loop)
                continue
            act = WITHOUT_PEOPLE.get(act, act)
            _check(loop, act, before)
            run = (yield from self._do(act, loop)) if act else (yield from self._waited(_under_way(loop)))
            before = act
        return dict(run["round"])

    def _look(self) -> Steps[Row]:
        found: Row = yield from self.ask("GET", f"phases/{self.phase}/loop/")
        return found

    def _people(self, act: str, loop: Row) -> Steps[None]:
        """Waits until people have done their part."""
        logger.info("Waiting for people to %s.", act)
        with bar(is_shown=self.progress, interrupted="Nothing was stopped.") as show:
            while loop["due"]["act"] == act:
                round_ = loop["round"]
                counts = (round_["labellings_done"], round_["labellings_wanted"]) if act == "label" else (0, 0)
                show(f"people {act}", *counts)
                yield Pause(self.every)
                loop = yield from self._look()

    def _do(self, act: str, loop: Row) -> Steps[AnyRun[Any] | None]:
        """Returns the run that did the act, at its end; None if it took none."""
        logger.info("%s.", act.capitalize())
        match act:
            case "close":
                yield from self.ask("POST", f"rounds/{loop['round']['id']}/close/", is_repeatable=True)
                return None
            case "promote":
                where = {"phase": self.phase, "reason": "Better on held-out labels."}
                yield from self.ask("POST", f"reward-models/{loop['candidate']['id']}/promote/", json=where)
                return None
        body = dict(self.settings.get(act, {})) | _body(act, loop, self.phase)
        run = yield from self._waited((yield from self.ask("POST", f"{RUNS[act]}/", json=body)))
        if act == "select" and not run["summary"]["picked"]:
            raise StepmarkError("Nothing could be selected by these settings: the selection's page says why.")
        return run

    def _waited(self, row: Row) -> Steps[AnyRun[Any]]:
        return (yield from waited(self.make_run(row), progress=self.progress, every=self.every))


def _check(loop: Row, act: str, before: str) -> None:
    """Raises StepmarkError if the act is not for a script, or was just done in vain; or if nothing can be done."""
    if not act and not _under_way(loop):
        raise StepmarkError(loop["due"]["reason"])
    if act and loop["due"]["who"] == "autopilot":
        raise StepmarkError("The phase's autopilot is on and does all of this: switch it off first, or leave it to it.")
    if act and act == before:
        raise StepmarkError(f"“{act}” was done, and is due again: the phase's page says more.")
    if act == "select" and loop["obstacle"]:
        logger.warning("“%s” was not promoted. %s", loop["candidate"]["name"], loop["obstacle"])


def _under_way(loop: Row) -> Row:
    """Returns the run that is under way, the furthest along the loop; empty if there is none."""
    runs = (part["run"] for part in reversed(loop["parts"]) if part["state"] == "running")
    return next(filter(None, runs), {})


def _body(act: str, loop: Row, phase: str) -> Row:
    """Returns the body that starts the act's run, without its settings."""
    number = loop["round"]["number"] if loop["round"] else -1
    match act:
        case "train":
            labels = {"consensus": loop["consensus"]} if loop["consensus"] else {}
            return {"phase": phase, "name": f"{loop['round']['phase_name'][:80]}, round {number}", "labels": labels}
        case "publish":
            return {"selection": loop["selection"]}
        case "select":
            return {"phase": phase, "seed": number + 1} | ({} if loop["selector"] else {"policy": "uniform"})
    return {"phase": phase, "reward_model": loop["candidate" if act == "evaluate" else "selector"]["id"]}
