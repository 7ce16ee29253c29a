"""`make bench-train`: trie packing against one row per rated completion, as the open PRM trainers do it.

Same trajectories, base, optimiser and epochs, and the same labels in every optimiser step, so that both sides learn
the same. The baseline is the usual trainer done well: a row for each rated completion, batches sorted by length
against padding, ordinary causal attention. Times include encoding. Tokens include padding.
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
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch.nn.functional import cross_entropy

from benchmarks.targets import Target, tell
from prm_training.prm import loading, pretrain
from prm_training.prm.model import StepClassifier
from prm_training.prm.optimising import Optimising
from prm_training.prm.train import TrainConfig, is_small, measure
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import LabelledTree, Split, counted_labels
from prm_training.prm.trees.encoding import Encoder
from prm_training.prm.trees.packing import batches, build_examples
from prm_training.prm.trees.readers import read_labels

RESULT = Path(__file__).parents[1] / "results" / "train.json"
TOKENS_PER_PASS = 8192
TREES_A_STEP = 2
LEARNING_RATE = 1e-3  # what `TrainConfig` gives a small model; below, what it gives any other
LEARNING_RATE_PRETRAINED = 2e-5
COMPARED = ("tokens", "seconds", "cpu_seconds", "peak_memory_mb")
Row = tuple[list[int], int]  # ids, class
Pass = tuple[torch.Tensor, int, int]  # summed cross-entropy, labels, tokens computed


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads)
    if options.only:
        print(json.dumps(run(options)))  # the parent reads it
        return
    with tempfile.TemporaryDirectory(prefix="stepmark-bench-") as folder:
        base = options.base or make_base(options, Path(folder) / "base")
        found = {name: in_a_process(name, base) for name in ("trees", "rows")}
    found["ratios"] = {name: round(found["rows"][name] / found["trees"][name], 2) for name in COMPARED}
    found["what"] = {
        "trajectories": options.trajectories,
        "epochs": options.epochs,
        "base": options.base or "made on the spot",
        "device": device_name(),
        "threads": options.threads,
        "torch": torch.__version__,
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n")
    show(found)
    sys.exit(tell(targets(found)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-train", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with prm800k/")
    parser.add_argument("--trajectories", type=int, default=100, help="whole ones, at random (default %(default)s)")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--base", help="a model directory, hub name or GGUF file; default: a small one, made here")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="one is disturbed least by what else runs")
    parser.add_argument("--only", choices=("rows", "trees"), help=argparse.SUPPRESS)
    return parser.parse_args()


def labelled(options: argparse.Namespace, split: Split) -> list[LabelledTree]:
    return list(read_labels(options.data / "prm800k" / f"phase1_{split}.jsonl.gz", split=split))


def make_base(options: argparse.Namespace, directory: Path) -> str:
    texts = [
        (tree.problem, [step.completions[step.chosen or 0].text for step in tree.steps if step.completions])
        for tree in labelled(options, "train")
    ]
    pretrain.make_base(texts, directory, pretrain.PretrainConfig(steps=300))
    return str(directory)


def in_a_process(name: str, base: str) -> dict[str, Any]:
    """Measures one side in its own process, so that peaks of memory don't mix."""
    Console().print(f"[dim]training on {name} …[/dim]")
    command = [sys.executable, "-m", "benchmarks.reward_model.train", *sys.argv[1:], "--base", base, "--only", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(options: argparse.Namespace) -> dict[str, Any]:
    model = loading.load_base(options.base, seed=options.seed)
    chosen = random.Random(options.seed).sample(labelled(options, "train"), options.trajectories)
    started_at, cpu_at = monotonic(), process_time()
    with attention.plain(model.network) if options.only == "rows" else nullcontext():
        figures = train(model, chosen, options)
    seconds, cpu_seconds = monotonic() - started_at, process_time() - cpu_at
    peak = peak_memory_mb()
    held_out, _ = build_examples(labelled(options, "test"), model.encoder, TOKENS_PER_PASS)
    return figures | {
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu_seconds, 2),
        "peak_memory_mb": peak,
        "held_out": measure(model, held_out, TOKENS_PER_PASS),
    }


def train(model: StepClassifier, trees: list[LabelledTree], options: argparse.Namespace) -> dict[str, Any]:
    """Trains with TREES_A_STEP trees an optimiser step, shuffled each epoch; the loss is the mean over labels."""
    passes = row_passes if options.only == "rows" else tree_passes
    steps = [part for epoch in range(options.epochs) for part in parts(trees, random.Random(f"{options.seed}:{epoch}"))]
    rate = LEARNING_RATE if is_small(model) else LEARNING_RATE_PRETRAINED
    parameters = model.network.parameters()
    optimising = Optimising(parameters, peak=rate, total=len(steps), weight_decay=TrainConfig.weight_decay)
    labels = tokens = 0
    for part in steps:
        rated = 0
        for loss, marks, seen in passes(model, part):
            loss.backward()
            rated, tokens = rated + marks, tokens + seen
        for parameter in model.network.parameters():
            if parameter.grad is not None:
                parameter.grad /= rated
        optimising.step()
        labels += rated
    return {"labels": labels, "optimiser_steps": len(steps), "tokens": tokens}


def parts(trees: list[LabelledTree], order: random.Random) -> Iterator[list[LabelledTree]]:
    shuffled = order.sample(trees, len(trees))
    for start in range(0, len(shuffled), TREES_A_STEP):
        yield shuffled[start : start + TREES_A_STEP]


def tree_passes(model: StepClassifier, trees: list[LabelledTree]) -> Iterator[Pass]:
    pieces, _ = build_examples(trees, model.encoder, TOKENS_PER_PASS)
    for batch in batches(pieces, TOKENS_PER_PASS):
        yield summed(model.logits(batch), batch.marks), len(batch.marks), batch.ids.numel()


def row_passes(model: StepClassifier, trees: list[LabelledTree]) -> Iterator[Pass]:
    for rows in sorted_batches([row for tree in trees for row in rows_of(tree, model.encoder)]):
        loss = summed(row_logits(model, rows), [actual for _, actual in rows])
        yield loss, len(rows), len(rows) * len(rows[-1][0])


def summed(logits: torch.Tensor, classes: list[int]) -> torch.Tensor:
    return cross_entropy(logits, torch.tensor(classes, device=logits.device), reduction="sum")


def rows_of(tree: LabelledTree, encoder: Encoder) -> list[Row]:
    paths = [(encoder.encode(tree.problem, label.steps), label.rating + 1) for label in counted_labels(tree)]
    return [(path.ids, actual) for path, actual in paths if not path.steps_left_out]


def sorted_batches(rows: list[Row]) -> Iterator[list[Row]]:
    """Yields batches of at most TOKENS_PER_PASS tokens, sorted by length to keep padding small."""
    waiting: list[Row] = []
    for row in sorted(rows, key=lambda row: len(row[0])):
        if waiting and len(row[0]) * (len(waiting) + 1) > TOKENS_PER_PASS:
            yield waiting
            waiting = []
        waiting.append(row)
    if waiting:
        yield waiting


def row_logits(model: StepClassifier, rows: list[Row]) -> torch.Tensor:
    """Returns (rows, 3) logits at each row's last token; rows come sorted by length, and are padded on the right."""
    width, device = len(rows[-1][0]), model.network.device
    ids = torch.tensor([ids + [0] * (width - len(ids)) for ids, _ in rows], device=device)
    mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in rows], device=device)
    with model.autocast():
        hidden = model.network.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
    found: torch.Tensor = model.head(hidden[torch.arange(len(rows), device=device), mask.sum(1) - 1].float())
    return found


def peak_memory_mb() -> int:
    if torch.cuda.is_available():
        return round(torch.cuda.max_memory_allocated() / 1e6)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


def device_name() -> str:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def targets(found: dict[str, Any]) -> Iterator[Target]:
    rows, trees = (found[side]["held_out"] for side in ("rows", "trees"))
    yield Target("tokens in rows / packed", found["ratios"]["tokens"], least=15)
    yield Target("seconds in rows / packed", found["ratios"]["seconds"], least=12)
    yield Target("difference in held-out loss", abs(rows["loss"] - trees["loss"]), most=1e-5)


def show(found: dict[str, Any]) -> None:
    rows, trees, what = found["rows"], found["trees"], found["what"]
    title = f"{what['trajectories']} PRM800K trajectories, {rows['labels']:,} labels, {what['device']}"
    table = Table("", "a row a completion", "trees", "ratio", title=title)
    for name, ratio in found["ratios"].items():
        table.add_row(name, f"{rows[name]:,}", f"{trees[name]:,}", f"{ratio}x")
    for name in ("step_auc", "loss"):
        table.add_row(f"held-out {name}", f"{rows['held_out'][name]:.4f}", f"{trees['held_out'][name]:.4f}", "")
    Console().print(table)


if __name__ == "__main__":
    main()
