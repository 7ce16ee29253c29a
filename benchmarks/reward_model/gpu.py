"""`make bench-gpu`: training and scoring on a GPU, packed and in rows, without network or data.

Three shapes with random weights (SmolLM2-135M's, Qwen2.5-1.5B's and 7B's), bfloat16, each in a process of its own; 7B
trains by LoRA. Scoring reads 64 rollouts a problem that follow a trajectory to a random step, training trees of four
alternatives a step, both of random words and about as long as PRM800K's. "Rows" are padded batches of random solutions
and a row for each rated completion, with ordinary attention (see `score.py` and `train.py` beside this). Every
side runs for some seconds after a first run that compiles. Utilisation counts 2 operations (6 in training, 4 by LoRA)
a weight of the layers and token that enters the model, as a share of the GPU's peak; attention is not counted.

`--small` does the same on any machine, with tiny shapes, in fp32 and bfloat16, without targets.
"""

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from time import monotonic
from typing import Any, get_args

import torch
from rich.console import Console
from rich.table import Table
from transformers import AutoModelForTokenClassification, LlamaConfig, Qwen2Config

from benchmarks.reward_model import score
from benchmarks.reward_model import train as training
from benchmarks.targets import Target, tell
from prm_training.prm import model as models
from prm_training.prm import parallel, pretrain
from prm_training.prm.model import StepClassifier
from prm_training.prm.progress import Precision
from prm_training.prm.score import ScoreConfig
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import Completion, LabelledTree, Solution, Step
from prm_training.prm.trees.encoding import Encoder

RESULTS = Path(__file__).parents[1] / "results"
UTILISATION, MINUTES = 0.4, 9.0
STEPS, ALTERNATIVES, WORDS = 12, 4, 25
LORA_RANK = 16


@dataclass(frozen=True)
class Shape:
    config: Any
    seconds: float  # of each side
    words: int = 2000
    is_lora: bool = False


SHARED: dict[str, Any] = {
    "max_position_embeddings": 2048,
    "num_labels": 3,
    "pad_token_id": None,
    "bos_token_id": None,
    "eos_token_id": None,
}
SMOLLM2_135M = LlamaConfig(
    hidden_size=576,
    num_hidden_layers=30,
    num_attention_heads=9,
    num_key_value_heads=3,
    intermediate_size=1536,
    vocab_size=49_152,
    **SHARED,
)
QWEN25_1_5B = Qwen2Config(
    hidden_size=1536,
    num_hidden_layers=28,
    num_attention_heads=12,
    num_key_value_heads=2,
    intermediate_size=8960,
    vocab_size=151_936,
    **SHARED,
)
QWEN25_7B = Qwen2Config(
    hidden_size=3584,
    num_hidden_layers=28,
    num_attention_heads=28,
    num_key_value_heads=4,
    intermediate_size=18_944,
    vocab_size=152_064,
    **SHARED,
)
TINY = LlamaConfig(
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    num_key_value_heads=1,
    intermediate_size=64,
    vocab_size=2048,
    **SHARED,
)
SHAPES = {
    "135M": Shape(SMOLLM2_135M, seconds=12),
    "1.5B": Shape(QWEN25_1_5B, seconds=15),
    "7B": Shape(QWEN25_7B, seconds=15, is_lora=True),
}
SMALL = {
    "tiny": Shape(TINY, seconds=0.5, words=100),
    "tiny, LoRA": Shape(TINY, seconds=0.5, words=100, is_lora=True),
}


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    if not options.small and not torch.cuda.is_available():
        sys.exit("There is no CUDA device here; ARGS=--small measures tiny shapes on the CPU.")
    if options.only:
        print(json.dumps(measured(SHAPES[options.only], "bf16")))  # the parent reads it
        return
    started_at = monotonic()
    result: dict[str, Any] = {"device": training.device_name(), "torch": torch.__version__, "shapes": {}}
    for name, measure in (small() if options.small else big()).items():
        Console().print(f"[dim]{name} …[/dim]")
        result["shapes"][name] = measure()
        result["minutes"] = round((monotonic() - started_at) / 60, 1)
        options.result.write_text(json.dumps(result, indent=2) + "\n")
    show(result)
    if not options.small:
        sys.exit(tell(targets(result)))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-gpu", description=__doc__)
    parser.add_argument("--small", action="store_true", help="tiny shapes, on any machine, without targets")
    parser.add_argument("--result", type=Path, help="file to write (results/gpu.json, or gpu_small.json)")
    parser.add_argument("--only", choices=SHAPES, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.result = options.result or RESULTS / ("gpu_small.json" if options.small else "gpu.json")
    return options


def big() -> dict[str, Callable[[], dict[str, Any]]]:
    return {name: partial(in_a_process, name) for name in SHAPES}


def small() -> dict[str, Callable[[], dict[str, Any]]]:
    return {
        f"{name}, {precision}": partial(measured, shape, precision)
        for name, shape in SMALL.items()
        for precision in get_args(Precision)
    }


def in_a_process(name: str) -> dict[str, Any]:
    """Measures a shape in its own process, so that memory peaks don't mix and one that does not fit harms no other."""
    command = [sys.executable, "-m", "benchmarks.reward_model.gpu", "--only", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return {"failed": f"exit status {done.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(shape: Shape, precision: Precision) -> dict[str, Any]:
    model = made(shape, precision)
    found: dict[str, Any] = {"parameters": model.network.num_parameters(), "precision": precision}
    models.prepare_to_read(model)  # as when it is loaded to score
    found["scoring"] = scoring(model, shape)
    del model
    model = made(shape, precision)
    if shape.is_lora:
        models.add_lora(model, LORA_RANK)
        models.checkpoint_gradients(model)
    return found | {"training": learning(model, shape)}


def made(shape: Shape, precision: Precision) -> StepClassifier:
    texts = [(tree.problem, [step.completions[0].text for step in tree.steps]) for tree in islice(trees(shape), 50)]
    tokenizer = pretrain.train_tokenizer(texts, 2048)
    torch.manual_seed(0)
    with torch.device(parallel.state().device):
        network = AutoModelForTokenClassification.from_config(shape.config).eval()
    network.set_attn_implementation(attention.NAME)
    return StepClassifier(network, tokenizer, Encoder(tokenizer, 2048), precision)


def trees(shape: Shape) -> Iterator[LabelledTree]:
    """Yields random trees without end, of three-letter words."""
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=3)) for _ in range(shape.words)]

    def text(length: int) -> str:
        return " ".join(rng.choices(words, k=length))

    for number in count():
        steps = [
            Step(tuple(Completion(text(WORDS), rng.choice((-1, 0, 1))) for _ in range(ALTERNATIVES)), 0)
            for _ in range(STEPS)
        ]
        yield LabelledTree(str(number), str(number), "train", text(2 * WORDS), tuple(steps))


def pool(shape: Shape) -> Iterator[Solution]:
    rng = random.Random(1)
    for tree in trees(shape):
        for _ in range(score.SAMPLES):
            yield score.sample(tree, rng.randrange(len(tree.steps)), rng)


def scoring(model: StepClassifier, shape: Shape) -> dict[str, Any]:
    """Measures scoring by trees, and by rows on the first of the same solutions."""
    config = ScoreConfig(window=1024)
    score.packed(model, islice(pool(shape), score.SAMPLES), config)
    forget_peak()
    scores, trie = score.timed(model, lambda new: score.packed(new, until(shape.seconds, pool(shape)), config))
    peak = training.peak_memory_mb()
    given = list(islice(pool(shape), max(score.ROWS_A_BATCH, len(scores) // 16)))
    score.timed(model, lambda new: score.by_row(new, given[: score.ROWS_A_BATCH]), is_packed=False)
    expected, rows = score.timed(model, lambda new: score.by_row(new, given), is_packed=False)
    return {
        "solutions_a_second": round(len(scores) / trie["seconds"], 1),
        "times_rows": round(rows["seconds"] / len(given) * len(scores) / trie["seconds"], 2),
        "difference_rows": float(f"{score.difference(scores[: len(given)], expected):.1e}"),
        "peak_memory_mb": peak,
    } | speed(model, trie["tokens"], trie["seconds"], 2)


def until(seconds: float, solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Yields whole problems for so many seconds."""
    ends_at = monotonic() + seconds
    while monotonic() < ends_at:
        yield from islice(solutions, score.SAMPLES)


def learning(model: StepClassifier, shape: Shape) -> dict[str, Any]:
    """Measures the cost of training on a tree, packed and in rows; both take optimiser steps of whole trees."""
    sides: dict[str, Any] = {}
    for name in ("rows", "trees"):
        forget_peak()
        with attention.plain(model.network) if name == "rows" else nullcontext():
            learn(model, shape, name, 2)  # compiles
            started_at = monotonic()
            learn(model, shape, name, 2)
            number = 2 * max(1, round(shape.seconds / (monotonic() - started_at)))
            started_at = monotonic()
            tokens = learn(model, shape, name, number)["tokens"]
            seconds = monotonic() - started_at
        sides[name] = {
            "number": number,
            "tokens": tokens,
            "seconds": seconds,
            "peak_memory_mb": training.peak_memory_mb(),
        }
    found, rows = sides["trees"], sides["rows"]
    ratio = (rows["seconds"] / rows["number"]) / (found["seconds"] / found["number"])
    return {
        "trees_a_second": round(found["number"] / found["seconds"], 2),
        "times_rows": round(ratio, 2),
        "peak_memory_mb": found["peak_memory_mb"],
        "peak_memory_mb_rows": rows["peak_memory_mb"],
    } | speed(model, found["tokens"], found["seconds"], 4 if shape.is_lora else 6)


def learn(model: StepClassifier, shape: Shape, name: str, number: int) -> dict[str, Any]:
    options = argparse.Namespace(only=name, epochs=1, seed=0)
    return training.train(model, list(islice(trees(shape), number)), options)


def speed(model: StepClassifier, tokens: float, seconds: float, operations: int) -> dict[str, float]:
    found = score.throughput(model, {"tokens": tokens * operations / 2, "seconds": seconds})
    return {"tokens_a_second": round(tokens / seconds)} | found


def forget_peak() -> None:
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()


def targets(result: dict[str, Any]) -> Iterator[Target]:
    for name, shape in result["shapes"].items():
        found = shape.get("scoring", {}).get("utilisation")  # none where the shape or the GPU's peak is missing
        yield Target(f"{name}: utilisation in scoring", found, least=UTILISATION)
    yield Target("minutes", result["minutes"], most=MINUTES)


def show(result: dict[str, Any]) -> None:
    table = Table("", *result["shapes"], title=f"{result['device']}, torch {result['torch']}")
    for part in ("scoring", "training"):
        names = dict.fromkeys(chain.from_iterable(shape.get(part, {}) for shape in result["shapes"].values()))
        for name in names:
            cells = (shape.get(part, {}).get(name, "") for shape in result["shapes"].values())
            table.add_row(f"{part}: {name}".replace("_", " "), *map(str, cells))
    Console().print(table)


if __name__ == "__main__":
    main()
