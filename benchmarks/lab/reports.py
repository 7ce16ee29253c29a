"""What the seeds of an experiment say together: estimates, a table, a plot and targets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.lab import best_of_n, figures, human_labels, human_replay, label_efficiency, large_prm, own_samples
from benchmarks.lab.best_of_n import PRM
from benchmarks.lab.figures import Estimate
from benchmarks.lab.human_replay import MEASURES, STEP_AUC
from benchmarks.lab.measured import Found, Work
from benchmarks.lab.world.sampling import CAREFUL, STRONG
from benchmarks.targets import Target

PRODUCT, MAJORITY = f"{PRM}, {best_of_n.PRODUCT}", "majority vote"
ORMS = ("ORM by final answer", "ORM by judge")
DRAWN = {PRODUCT: "PRM", **{orm: orm for orm in ORMS}, MAJORITY: "majority vote", "oracle": "oracle"}
SHOWN = (1, 4, 16, 64, 128)
UNIFORM, CONVINCING = "uniform", "convincing, per problem"


@dataclass(frozen=True)
class Experiment:
    """`measure` gives a seed's figures; the others read what `summary` made of them. `missing` says what it needs and
    doesn't find.
    """

    name: str
    full: Any
    quick: Any
    measure: Callable[[int, Any, Work], Found]
    summary: Callable[[Sequence[Found], Any], Found]
    table: Callable[[Found], str]
    plot: Callable[[Path, Found], None]
    targets: Callable[[Found], list[Target]]
    missing: Callable[[Path, Any], str] = lambda data, settings: ""


def of_choices(measured: Sequence[Found], settings: best_of_n.Settings) -> Found:
    """Each method's best-of-N, the lead that the PRM has, and means of what explains them."""
    curves = {name: np.array([each["curves"][name] for each in measured]) for name in measured[0]["curves"]}
    return {
        "seconds": sum(each["seconds"] for each in measured),
        "numbers": settings.numbers,
        "world": averaged([each["world"] for each in measured]),
        "models": {name: averaged([each["models"][name] for each in measured]) for name in measured[0]["models"]},
        "best of N": {name: rounded(figures.estimate(rows)) for name, rows in curves.items()},
        "PRM's lead": {name: rounded(figures.estimate(curves[PRODUCT] - curves[name])) for name in (*ORMS, MAJORITY)},
    }


def averaged(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}


def rounded(each: Estimate) -> dict[str, list[float]]:
    return {name: [round(figure, 4) for figure in each[name]] for name in ("mean", "low", "high")}


def choice_targets(found: Found) -> list[Target]:
    """At the largest N the intervals must not overlap, and the lead over the vote must have grown."""
    best, lead = found["best of N"], found["PRM's lead"][MAJORITY]
    largest = found["numbers"][-1]
    above = [
        Target(
            f"N = {largest}: PRM's lower end less the upper end of {name}",
            best[PRODUCT]["low"][-1] - best[name]["high"][-1],
            least=0,
        )
        for name in (*ORMS, MAJORITY)
    ]
    growth = lead["mean"][-1] - lead["mean"][2]
    return [*above, Target(f"growth of the lead over majority vote from N = 4 to {largest}", growth, least=0)]


def choice_table(found: Found) -> str:
    """A row for each method, best first at the largest N."""
    numbers = [n for n in SHOWN if n in found["numbers"]]
    places = [found["numbers"].index(n) for n in numbers]
    rows = sorted(found["best of N"].items(), key=lambda row: -row[1]["mean"][-1])
    cells = [[name, *(cell(each, at) for at in places)] for name, each in rows]
    return markdown(["chosen by", *(f"N = {n}" for n in numbers)], cells)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(each: Mapping[str, Sequence[float]], at: int, digits: int = 3) -> str:
    mean, low, high = (each[name][at] for name in ("mean", "low", "high"))
    return f"{mean:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def plot_choices(path: Path, found: Found) -> None:
    numbers = found["numbers"]
    drawn = {title: (numbers, found["best of N"][name]) for name, title in DRAWN.items()}
    figures.plot(path, drawn, "N: solutions sampled for each problem", "share of problems answered rightly", numbers)


def of_policies(measured: Sequence[Found], settings: label_efficiency.Settings) -> Found:
    """Each policy's best of all samples by labels spent, and what one is worth in a uniform choice's."""
    names = list(measured[0])

    def at_each(name: str, of: Callable[[Found], Any]) -> Any:
        return np.array([[of(budget) for budget in each[name]["budgets"]] for each in measured])

    best = {name: at_each(name, lambda row: row["best of N"]).transpose(0, 2, 1) for name in names}
    labels = {name: at_each(name, lambda row: row["labels"]).mean(axis=0).tolist() for name in names}
    return {
        "seconds": sum(each[name]["seconds"] for each in measured for name in names),
        "N": settings.samples,
        "agreement with the judge": {
            name: averaged([each[name]["agreement"] for each in measured])
            for name in names
            if "agreement" in measured[0][name]
        },
        "labels": labels,
        "best of N": {name: rounded(figures.estimate(rows)) for name, rows in best.items()},
        "first-error F1": {name: at_each(name, lambda row: row["f1"]).mean(axis=0).round(4).tolist() for name in names},
        "labels of a uniform choice for one": {
            name: {
                how: rounded(figures.efficiency(best[name], best[uniform], labels[name], labels[uniform], how))
                for how in figures.EFFICIENCIES
            }
            for name, uniform in uniform_of(names).items()
            if name != uniform
        },
    }


def uniform_of(names: Sequence[str]) -> dict[str, str]:
    """Of each policy, the uniform one with the same noise and judge."""
    same = {name: f"{UNIFORM}, {name.split(', ')[-1]}" for name in names}
    return {name: uniform if uniform in names else UNIFORM for name, uniform in same.items()}


def policy_table(found: Found) -> str:
    ratios = found["labels of a uniform choice for one"]
    head = ["policy", *(f"{round(labels):,} labels" for labels in found["labels"][UNIFORM]), *figures.EFFICIENCIES]
    rows = [
        [
            name,
            *(cell(each, at) for at in range(len(each["mean"]))),
            *(cell(ratios[name][how], 0, 2) if name in ratios else "1" for how in figures.EFFICIENCIES),
        ]
        for name, each in found["best of N"].items()
    ]
    first_errors = [[name, *(f"{each:.3f}" for each in row)] for name, row in found["first-error F1"].items()]
    f1_head = ["first-error F1", *head[1 : -len(figures.EFFICIENCIES)]]
    return markdown(head, rows) + "\n\n" + markdown(f1_head, first_errors)


def plot_policies(path: Path, found: Found) -> None:
    drawn = {name: (found["labels"][name], each) for name, each in found["best of N"].items()}
    ticks = [round(labels) for labels in found["labels"][UNIFORM]]
    figures.plot(path, drawn, "step labels", f"share of problems answered rightly, best of {found['N']}", ticks)


def policy_targets(found: Found) -> list[Target]:
    ratio = found["labels of a uniform choice for one"][CONVINCING][figures.EQUAL_QUALITY]
    return [
        Target("labels of a uniform choice for one of a convincing one", ratio["mean"][0], least=2.0),
        Target("lower end of that", ratio["low"][0], least=1.3),
    ]


def of_replays(measured: Sequence[Found], settings: human_replay.Settings) -> Found:
    """Each policy's measures by labels spent, and how far it is above the uniform choice."""
    names = list(measured[0])

    def at_each(name: str, what: str) -> Any:
        """(seeds, 1 + resamples, budgets), or (seeds, budgets) where there are no resamples."""
        return np.array([[budget[what] for budget in each[name]["budgets"]] for each in measured]).swapaxes(1, -1)

    def estimated(what: str, baseline: str = "") -> Found:
        drawn = {name: at_each(name, what) - (at_each(baseline, what) if baseline else 0) for name in names}
        return {name: rounded(figures.of_resamples(each)) for name, each in drawn.items() if name != baseline}

    return {
        "seconds": sum(each[name]["seconds"] for each in measured for name in names),
        **{
            what: {name: at_each(name, what).mean(axis=0).tolist() for name in names} for what in ("labels", "negative")
        },
        **{what: estimated(what) for what in MEASURES},
        "above uniform": {what: estimated(what, UNIFORM) for what in MEASURES},
    }


def replay_table(found: Found) -> str:
    """A row for each measure and policy; the last column is paired, at the largest budget."""
    head = ["measure", "policy", *(f"{round(labels):,} labels" for labels in found["labels"][UNIFORM]), "above uniform"]
    rows = [
        [
            what,
            name,
            *(cell(each, at) for at in range(len(each["mean"]))),
            cell(found["above uniform"][what][name], -1) if name != UNIFORM else "",
        ]
        for what in MEASURES
        for name, each in found[what].items()
    ]
    return markdown(head, rows)


def plot_replays(path: Path, found: Found) -> None:
    drawn = {name: (found["labels"][name], each) for name, each in found[STEP_AUC].items()}
    ticks = [round(labels) for labels in found["labels"][UNIFORM]]
    figures.plot(path, drawn, "step labels", "held-out step AUC", ticks)


BEST_OF_N = Experiment(
    "best-of-n",
    best_of_n.Settings(),
    best_of_n.QUICK,
    best_of_n.measure,
    of_choices,
    choice_table,
    plot_choices,
    choice_targets,
)
FEW_SOLUTIONS = replace(BEST_OF_N, name="best-of-n-few", full=replace(best_of_n.Settings(), labelled=300))
OWN_SAMPLES = replace(
    BEST_OF_N,
    name="own-samples",
    full=replace(best_of_n.Settings(), samples=64, labelled=1000),
    measure=own_samples.measure,
    targets=lambda found: [],
)
LABEL_EFFICIENCY = Experiment(
    "label-efficiency",
    label_efficiency.Settings(),
    label_efficiency.QUICK,
    partial(label_efficiency.measure, label_efficiency.POLICIES),
    of_policies,
    policy_table,
    plot_policies,
    policy_targets,
)
NOISY_LABELS = Experiment(
    "noisy-labels",
    label_efficiency.Settings(),
    label_efficiency.QUICK,
    partial(label_efficiency.measure, label_efficiency.NOISY),
    of_policies,
    policy_table,
    plot_policies,
    lambda found: [],
)
FEWER_MISTAKES, FEWEST_MISTAKES = (
    replace(
        NOISY_LABELS,
        name=f"label-efficiency-{generator.name}",
        full=replace(label_efficiency.Settings(), generator=generator),
        measure=partial(label_efficiency.measure, label_efficiency.TWO),
    )
    for generator in (STRONG, CAREFUL)
)
ABLATION = replace(NOISY_LABELS, name="ablation", measure=partial(label_efficiency.measure, label_efficiency.ABLATION))
BEST_OF_N_BY_PRM = replace(
    BEST_OF_N, name="rated-by-a-prm-best-of-n", measure=large_prm.measure, targets=lambda found: []
)
POLICIES_BY_PRM = replace(
    NOISY_LABELS,
    name="rated-by-a-prm-policies",
    measure=partial(label_efficiency.measure, label_efficiency.RATED_BY_PRM),
)
HUMAN_REPLAY = Experiment(
    "human-replay",
    human_replay.Settings(),
    human_replay.QUICK,
    partial(human_replay.measure, "human-replay", human_labels.ALTERNATIVES),
    of_replays,
    replay_table,
    plot_replays,
    lambda found: [],
    human_replay.missing,
)
HUMAN_REPLAY_PROCESSBENCH = replace(
    HUMAN_REPLAY,
    name="human-replay-processbench",
    measure=partial(human_replay.measure, "human-replay-processbench", human_labels.SOLUTIONS),
)
HUMAN_REPLAY_SMOLLM2 = replace(
    HUMAN_REPLAY_PROCESSBENCH,
    name="human-replay-smollm2",
    full=human_replay.SMOLLM2,
    quick=human_replay.QUICK_SMOLLM2,
    measure=partial(human_replay.measure, "human-replay-smollm2", human_labels.SOLUTIONS),
)
