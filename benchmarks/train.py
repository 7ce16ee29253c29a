"""`make bench-train`: trie packing against one row per rated completion, as the open PRM trainers do it.

Same trajectories, same base, same optimiser, same optimiser steps and epochs, in one run. The baseline is the usual
trainer done well: a row for each rated completion, batches sorted by length against padding, ordinary causal
attention. Prints tokens, seconds, peak memory, and what both learned on PRM800K's `phase1_test`; ratios last.
"""

import argparse
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch.nn.functional import cross_entropy
from transformers.utils import logging

from prm_training.prm import attention, pretrain
from prm_training.prm import model as models
from prm_training.prm.batching import batches
from prm_training.prm.data import LabelledTree, counted_labels
from prm_training.prm.encoding import Encoder
from prm_training.prm.examples import build_examples
from prm_training.prm.formats import read_prm800k
from prm_training.prm.model import RewardModel
from prm_training.prm.optimising import Optimising, Schedule
from prm_training.prm.train import TrainConfig, measure

RESULT = Path(__file__).parent / "results" / "train.json"
TOKENS_PER_PASS = 8192
STEPS_AN_EPOCH = 40
Row = tuple[list[int], int]  # ids, class


def main() -> None:
    options = parse()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if options.only:
        print(json.dumps(run(options)))  # the parent reads it
        return
    with tempfile.TemporaryDirectory(prefix="stepmark-bench-") as folder:
        base = options.base or make_base(options, Path(folder) / "base")
        found = {name: in_a_process(name, base) for name in ("rows", "trees")}
    found["ratios"] = ratios(found["rows"], found["trees"])
    found["what"] = {
        "trajectories": options.trajectories, "epochs": options.epochs, "base": options.base or "made on the spot",
        "device": device_name(), "torch": torch.__version__,
    }  # fmt: skip
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n")
    show(found)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-train", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with prm800k/")
    parser.add_argument("--trajectories", type=int, default=40, help="whole ones, at random (default %(default)s)")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--base", help="a model directory, hub name or GGUF file; default: a small one, made here")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("rows", "trees"), help=argparse.SUPPRESS)
    return parser.parse_args()


def trajectories(options: argparse.Namespace, split: str) -> list[LabelledTree]:
    found = list(read_prm800k(options.data / "prm800k" / f"phase1_{split}.jsonl.gz", split=split))
    share = options.trajectories if split == "train" else max(1, options.trajectories // 4)
    return random.Random(options.seed).sample(found, min(share, len(found)))


def make_base(options: argparse.Namespace, directory: Path) -> str:
    texts = [
        (tree.problem, [step.completions[step.chosen or 0].text for step in tree.steps if step.completions])
        for tree in read_prm800k(options.data / "prm800k" / "phase1_train.jsonl.gz")
    ]
    pretrain.make_base(texts, directory, pretrain.PretrainConfig(steps=200))
    return str(directory)


def in_a_process(name: str, base: str) -> dict[str, Any]:
    """Each side in a process of its own, so that the peaks of memory don't mix."""
    Console().print(f"[dim]training on {name} …[/dim]")
    command = [sys.executable, "-m", "benchmarks.train", *sys.argv[1:], "--base", base, "--only", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(options: argparse.Namespace) -> dict[str, Any]:
    model = models.load(options.base, seed=options.seed)
    trees, held_out = trajectories(options, "train"), trajectories(options, "test")
    tokens, counts = 0, build_examples(trees, model.encoder)[1]
    plan = list(on_rows(model, trees, options) if options.only == "rows" else on_trees(model, trees, options))
    total = len(plan)
    optimising = Optimising(
        model.network.parameters(), Schedule(1e-3 if total else 0.0, total, TrainConfig.weight_decay)
    )
    started_at = monotonic()
    for step in plan:
        tokens += step()
        optimising.step()
    seconds = monotonic() - started_at
    pieces, _ = build_examples(held_out, model.encoder)
    return {
        "labels": counts.labels * options.epochs, "optimiser_steps": total, "tokens": tokens,
        "seconds": round(seconds, 2), "peak_memory_mb": peak_memory_mb(),
        "held_out": measure(model, pieces, TOKENS_PER_PASS), "counts": asdict(counts),
    }  # fmt: skip


def on_trees(model: RewardModel, trees: list[LabelledTree], options: argparse.Namespace) -> Iterator[Any]:
    """An epoch in STEPS_AN_EPOCH optimiser steps, each over a random part of the trees."""
    pieces, _ = build_examples(trees, model.encoder)
    for epoch in range(options.epochs):
        for chosen in parts(pieces, random.Random(f"{options.seed}:{epoch}")):
            labels = sum(len(piece.marks) for piece in chosen)

            def step(chosen: Sequence[Any] = chosen, labels: int = labels) -> int:
                seen = 0
                for batch in batches(chosen, TOKENS_PER_PASS):
                    loss = cross_entropy(
                        model.logits(batch), torch.tensor(batch.marks, device=model.network.device), reduction="sum"
                    )
                    (loss / labels).backward()  # type: ignore[no-untyped-call]
                    seen += batch.ids.numel()
                return seen

            yield step


def on_rows(model: RewardModel, trees: list[LabelledTree], options: argparse.Namespace) -> Iterator[Any]:
    """The baseline: the same labels in as many optimiser steps, a row for each."""
    rows = [row for tree in trees for row in rows_of(tree, model.encoder)]
    for epoch in range(options.epochs):
        for chosen in parts(rows, random.Random(f"{options.seed}:{epoch}")):

            def step(chosen: Sequence[Row] = chosen) -> int:
                seen = 0
                for batch in sorted_batches(chosen):
                    logits = row_logits(model, batch)
                    classes = torch.tensor([actual for _, actual in batch], device=logits.device)
                    (cross_entropy(logits, classes, reduction="sum") / len(chosen)).backward()  # type: ignore[no-untyped-call]
                    seen += len(batch) * max(len(ids) for ids, _ in batch)
                return seen

            yield step


def rows_of(tree: LabelledTree, encoder: Encoder) -> Iterator[Row]:
    for label in counted_labels(tree):
        path = encoder.encode(tree.problem, label.steps)
        if not path.steps_left_out:
            yield path.ids, label.rating + 1


def sorted_batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Neighbours in length share a batch of at most TOKENS_PER_PASS tokens, so that padding is small."""
    waiting: list[Row] = []
    for row in sorted(rows, key=lambda row: len(row[0])):
        if waiting and len(row[0]) * (len(waiting) + 1) > TOKENS_PER_PASS:
            yield waiting
            waiting = []
        waiting.append(row)
    if waiting:
        yield waiting


def row_logits(model: RewardModel, rows: Sequence[Row]) -> torch.Tensor:
    """(rows, 3): padded on the right, read at each row's last token."""
    width, device = max(len(ids) for ids, _ in rows), model.network.device
    ids = torch.tensor([ids + [0] * (width - len(ids)) for ids, _ in rows], device=device)
    mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in rows], device=device)
    with attention.plain(model.network) as network:
        hidden = network.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
    last = mask.sum(1) - 1  # (rows,)
    found: torch.Tensor = model.head(hidden[torch.arange(len(rows), device=device), last].float())
    return found


def parts(items: Sequence[Any], order: random.Random) -> Iterator[list[Any]]:
    shuffled = order.sample(items, len(items))
    size = max(1, -(-len(shuffled) // STEPS_AN_EPOCH))
    for start in range(0, len(shuffled), size):
        yield shuffled[start : start + size]


def peak_memory_mb() -> int:
    if torch.cuda.is_available():
        return round(torch.cuda.max_memory_allocated() / 1e6)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


def device_name() -> str:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def ratios(rows: dict[str, Any], trees: dict[str, Any]) -> dict[str, float]:
    return {name: round(rows[name] / trees[name], 2) for name in ("tokens", "seconds", "peak_memory_mb")}


def show(found: dict[str, Any]) -> None:
    rows, trees, what = found["rows"], found["trees"], found["what"]
    title = f"{what['trajectories']} PRM800K trajectories, {rows['labels']:,} labels, {what['device']}"
    table = Table("", "a row a completion", "trees", "ratio", title=title)
    for name in ("tokens", "seconds", "peak_memory_mb"):
        table.add_row(name, f"{rows[name]:,}", f"{trees[name]:,}", f"{found['ratios'][name]}x")
    for name in ("step_auc", "loss"):
        left, right = rows["held_out"].get(name), trees["held_out"].get(name)
        table.add_row(f"held-out {name}", f"{left:.3f}", f"{right:.3f}", "")
    Console().print(table)


if __name__ == "__main__":
    main()
