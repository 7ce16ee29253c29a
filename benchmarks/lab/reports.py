"""Summaries of an experiment's seeds: estimates, a table, a plot and targets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import torch

from benchmarks.lab import (
    best_of_n,
    figures,
    human_labels,
    human_replay,
    label_efficiency,
    large_prm,
    own_samples,
)
from benchmarks.lab.best_of_n import PRM, SEEDS
from benchmarks.lab.figures import Estimate
from benchmarks.lab.frozen import reports as frozen_reports
from benchmarks.lab.frozen import selector as frozen_selector
from benchmarks.lab.human_replay import F1, MEASURES
from benchmarks.lab.measured import Found, Work
from benchmarks.lab.tables import cell, markdown
from benchmarks.lab.world.sampling import CAREFUL, STRONG
from benchmarks.targets import Target

PRODUCT, MAJORITY = f"{PRM}, {best_of_n.PRODUCT}", "majority vote"
ORMS = ("ORM by final answer", "ORM by judge")
DRAWN = {PRODUCT: "PRM", **{orm: orm for orm in ORMS}, MAJORITY: "majority vote", "oracle": "oracle"}
SHOWN = (1, 4, 16, 64, 128)
UNIFORM, CONVINCING = "uniform", "convincing, per problem"
RIGHTLY = "share of problems answered rightly"


@dataclass(frozen=True)
class Experiment:
    """An experiment: `measure` returns one seed's figures, `summary` combines the `seeds`, the others read its result.
    `missing` returns why it can't run, or an empty text.
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
    make_base: Callable[[Any, Work], Path] = best_of_n.make_base
    seeds: int = 1


def of_choices(measured: Sequence[Found], settings: best_of_n.Settings) -> Found:
    """Returns each method's best-of-N, the PRM's lead, and means of the figures that explain them."""
    curves = {name: np.array([each["curves"][name] for each in measured]) for name in measured[0]["curves"]}
    return {
        "seconds": sum(each["seconds"] for each in measured),
        "numbers": settings.numbers,
        "world": averaged([each["world"] for each in measured]),
        "models": {name: averaged([each["models"][name] for each in measured]) for name in measured[0]["models"]},
        "best of N": {name: rounded(figures.estimate(rows)) for name, rows in curves.items()},
        "PRM's lead": {name: rounded(figures.estimate(curves[PRODUCT] - curves[name])) for name in (*ORMS, MAJORITY)},
    }


def averaged(rows: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Averages each figure over the seeds that have it: one in which no sample is right has none."""
    found = {}
    for name in rows[0]:
        of_seeds = [figure for row in rows if (figure := row[name]) is not None]
        found[name] = round(fmean(of_seeds), 4) if of_seeds else None
    return found


def rounded(each: Estimate) -> dict[str, list[float]]:
    return {name: [round(figure, 4) for figure in each[name]] for name in ("mean", "low", "high")}


def choice_targets(found: Found) -> list[Target]:
    """Returns the targets: at the largest N, separate intervals and a grown lead over the vote."""
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
    """Returns a table with a row for each method, sorted by the result at the largest N."""
    numbers = [n for n in SHOWN if n in found["numbers"]]
    places = [found["numbers"].index(n) for n in numbers]
    rows = sorted(found["best of N"].items(), key=lambda row: -row[1]["mean"][-1])
    cells = [[name, *(cell(each, at, seeds=found["seeds"]) for at in places)] for name, each in rows]
    return markdown(["chosen by", *(f"N = {n}" for n in numbers)], cells)


def plot_choices(path: Path, found: Found) -> None:
    numbers = found["numbers"]
    drawn = {title: (numbers, found["best of N"][name]) for name, title in DRAWN.items()}
    figures.plot(path, {RIGHTLY: drawn}, "N: solutions sampled for each problem", numbers, has_bands=found["seeds"] > 1)


def of_policies(measured: Sequence[Found], settings: label_efficiency.Settings) -> Found:
    """Returns each policy's best-of-N by labels spent, and its labels' worth in uniformly chosen ones."""
    names = list(measured[0])

    def at_each(name: str, of: Callable[[Found], Any]) -> Any:
        return np.array([[of(budget) for budget in each[name]["budgets"]] for each in measured])

    best = {name: at_each(name, lambda row: row["best of N"]).transpose(0, 2, 1) for name in names}
    # An F1 has no share for each problem, so its intervals are by seeds alone: too narrow where there are few.
    f1 = {name: at_each(name, lambda row: row["f1"])[:, None] for name in names}
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
        F1: {name: rounded(figures.estimate(rows)) for name, rows in f1.items()},
        "labels of a uniform choice for one": {
            name: {
                how: rounded(figures.efficiency(best[name], best[uniform], labels[name], labels[uniform], how))
                for how in figures.EFFICIENCIES
            }
            for name, uniform in uniform_of(names).items()
            if name != uniform
        },
        "the same by first-error F1": {
            name: rounded(
                figures.efficiency(f1[name], f1[uniform], labels[name], labels[uniform], figures.EQUAL_QUALITY)
            )
            for name, uniform in uniform_of(names).items()
            if name != uniform
        },
    }


def uniform_of(names: Sequence[str]) -> dict[str, str]:
    """Maps each policy to the uniform one with the same noise and judge."""
    same = {name: f"{UNIFORM}, {name.split(', ')[-1]}" for name in names}
    return {name: uniform if uniform in names else UNIFORM for name, uniform in same.items()}


def policy_table(found: Found) -> str:
    ratios, seeds = found["labels of a uniform choice for one"], found["seeds"]
    head = ["policy", *(f"{round(labels):,} labels" for labels in found["labels"][UNIFORM]), *figures.EFFICIENCIES]
    rows = [
        [
            name,
            *(cell(each, at, seeds=found["seeds"]) for at in range(len(each["mean"]))),
            *(cell(ratios[name][how], 0, 2, seeds=seeds) if name in ratios else "1" for how in figures.EFFICIENCIES),
        ]
        for name, each in found["best of N"].items()
    ]
    by_f1 = found["the same by first-error F1"]
    first_errors = [
        [
            name,
            *(f"{mean:.3f}" for mean in each["mean"]),
            cell(by_f1[name], 0, 2, seeds=seeds) if name in by_f1 else "1",
        ]
        for name, each in found[F1].items()
    ]
    f1_head = [F1, *head[1 : -len(figures.EFFICIENCIES)], figures.EQUAL_QUALITY]
    return markdown(head, rows) + "\n\n" + markdown(f1_head, first_errors)


def plot_policies(path: Path, found: Found) -> None:
    plot_by_labels(path, found, {"best of N": f"{RIGHTLY}, best of {found['N']}", F1: F1})


def plot_by_labels(path: Path, found: Found, measures: Mapping[str, str]) -> None:
    """Plots each measure in a panel under its title."""
    panels = {
        title: {name: (found["labels"][name], each) for name, each in found[measure].items()}
        for measure, title in measures.items()
    }
    ticks = [round(labels) for labels in found["labels"][UNIFORM]]
    figures.plot(path, panels, "step labels", ticks, has_bands=found["seeds"] > 1)


def policy_targets(found: Found) -> list[Target]:
    ratio = found["labels of a uniform choice for one"][CONVINCING][figures.EQUAL_QUALITY]
    return [
        Target("labels of a uniform choice for one of a convincing one", ratio["mean"][0], least=2.0),
        Target("lower end of that", ratio["low"][0], least=1.3),
    ]


def of_replays(measured: Sequence[Found], settings: human_replay.Settings) -> Found:
    """Returns each policy's measures by labels spent, and its lead over the uniform choice."""
    names = list(measured[0])

    def at_each(name: str, what: str) -> Any:
        """Returns (seeds, 1 + resamples, budgets), or (seeds, budgets) without resamples."""
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
    """Returns a table by measure and policy; the last column is paired, at the largest budget."""
    head = ["measure", "policy", *(f"{round(labels):,} labels" for labels in found["labels"][UNIFORM]), "above uniform"]
    rows = [
        [
            what,
            name,
            *(cell(each, at, seeds=found["seeds"]) for at in range(len(each["mean"]))),
            cell(found["above uniform"][what][name], -1, seeds=found["seeds"]) if name != UNIFORM else "",
        ]
        for what in MEASURES
        for name, each in found[what].items()
    ]
    return markdown(head, rows)


def plot_replays(path: Path, found: Found) -> None:
    plot_by_labels(path, found, {what: what for what in MEASURES})


BEST_OF_N = Experiment(
    "best-of-n",
    best_of_n.Settings(),
    best_of_n.QUICK,
    best_of_n.measure,
    of_choices,
    choice_table,
    plot_choices,
    choice_targets,
    seeds=SEEDS,
)
FEW_SOLUTIONS = replace(BEST_OF_N, name="best-of-n-few", full=replace(best_of_n.Settings(), labelled=300))
OWN_SAMPLES = replace(
    BEST_OF_N,
    name="own-samples",
    full=replace(best_of_n.Settings(), samples=64, labelled=1000),
    measure=own_samples.measure,
    targets=lambda found: [],
    seeds=2,
)
LABEL_EFFICIENCY = Experiment(
    "label-efficiency",
    label_efficiency.Settings(),
    label_efficiency.QUICK,
    partial(label_efficiency.measure, label_efficiency.TWO),
    of_policies,
    policy_table,
    plot_policies,
    policy_targets,
    seeds=SEEDS,
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
    seeds=3,
)
FROZEN_SELECTOR = Experiment(
    "frozen-selector",
    frozen_selector.Settings(),
    frozen_selector.QUICK,
    frozen_selector.measure,
    frozen_selector.summary,
    frozen_reports.table,
    frozen_reports.plot,
    lambda found: [],
    seeds=SEEDS,
)
FEWER_MISTAKES, FEWEST_MISTAKES = (
    replace(
        NOISY_LABELS,
        name=f"label-efficiency-{generator.name}",
        full=replace(label_efficiency.Settings(), generator=generator),
        measure=partial(label_efficiency.measure, label_efficiency.TWO),
        seeds=seeds,
    )
    for generator, seeds in ((STRONG, 2), (CAREFUL, SEEDS))
)
BEST_OF_N_BY_PRM = replace(
    BEST_OF_N, name="rated-by-a-prm-best-of-n", measure=large_prm.measure, targets=lambda found: [], seeds=1
)
POLICIES_BY_PRM = replace(
    NOISY_LABELS,
    name="rated-by-a-prm-policies",
    measure=partial(label_efficiency.measure, label_efficiency.RATED_BY_PRM),
    seeds=1,
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
    human_replay.make_base,
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
SIMULATED = (
    BEST_OF_N,
    FEW_SOLUTIONS,
    OWN_SAMPLES,
    LABEL_EFFICIENCY,
    FROZEN_SELECTOR,
    FEWER_MISTAKES,
    FEWEST_MISTAKES,
    BEST_OF_N_BY_PRM,
    NOISY_LABELS,
    POLICIES_BY_PRM,  # it shares BEST_OF_N_BY_PRM's large PRM, so it is not measured beside it
)
REPLAYED = (HUMAN_REPLAY, HUMAN_REPLAY_PROCESSBENCH, HUMAN_REPLAY_SMOLLM2)
EXPERIMENTS = {each.name: each for each in (*SIMULATED, *REPLAYED)}


def measured(name: str, settings: Any, work: Work, seed: int) -> Found:
    """Measures one seed in a process of its own, on one thread, for reproducible figures."""
    torch.set_num_threads(1)
    return EXPERIMENTS[name].measure(seed, settings, work)
