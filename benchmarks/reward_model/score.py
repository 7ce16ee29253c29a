"""`make bench-score`: scoring through `score_solutions` against the two usual ways, on the same model and solutions.

"Prefixes" makes one forward pass per step, over all the text so far, which it encodes anew, as the published evaluation
scripts do (RLHFlow's, say: a growing conversation, one call a step, nothing kept); "rows" one pass per solution, in
padded batches of random members. Pools: ProcessBench's solutions; 64 samples a problem, each of which takes one of
PRM800K's real completions at every step, at random; and 64 rollouts a problem, which follow a real trajectory to a
random step and are such samples from there. All times include encoding. Differences are between probabilities that a
step is right, in fp32 against the prefixes' and in bf16 against the same. Tokens are counted as they enter the model.
Utilisation is the operations a second of bf16 scoring (2 a weight and token; attention, which comes on top, is not
counted), as a share of the GPU's peak; a CPU has none.
A last line streams tiny solutions, all different, and watches memory.
"""

import argparse
import json
import math
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import psutil
import torch
from rich.console import Console
from rich.table import Table

from benchmarks.targets import Target, tell
from prm_training.prm import loading
from prm_training.prm import train as training
from prm_training.prm.model import StepClassifier
from prm_training.prm.pretrain import PretrainConfig
from prm_training.prm.score import ScoreConfig, log_right, score_solutions
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import LabelledTree, Solution, Split
from prm_training.prm.trees.encoding import Encoder
from prm_training.prm.trees.readers import read_first_errors, read_labels

RESULT = Path(__file__).parents[1] / "results" / "score.json"
ROWS_A_BATCH = 16
SAMPLES = 64
PEAK_TFLOPS = {"A100": 312, "H100": 989, "H200": 989, "B200": 2250}  # dense bf16, from NVIDIA's data sheets
Scores = list[list[float]]  # P(right) of each step


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory(prefix="stepmark-bench-") as folder:
        model = loading.load_base(options.model or made(options, Path(folder)))
    what = {"model": options.model or "small", "threads": options.threads, "cores": os.cpu_count(), "device": device()}
    slices = {"solutions": options.solutions, "problems": options.problems, "torch": torch.__version__}
    result: dict[str, Any] = {"what": what | slices, "pools": {}}
    if options.stream_only:
        result = json.loads(RESULT.read_text())
    else:
        for name, pool in pools(options).items():
            result["pools"][name] = compare(model, pool)
            write(result)
        show(result["pools"])
    result["stream"] = stream(model, options.stream)
    write(result)
    Console().print(result["stream"])
    sys.exit(tell(targets(result["pools"])))


def write(result: dict[str, Any]) -> None:
    """Writes the results so far; called after every part, in case the run is cut short."""
    RESULT.write_text(json.dumps(result, indent=2) + "\n")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-score", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with prm800k/ and processbench/")
    parser.add_argument("--model", help="a reward model's directory; default: a small one, trained here")
    parser.add_argument("--solutions", type=int, default=100, help="of each ProcessBench subset (default %(default)s)")
    parser.add_argument("--problems", type=int, default=4, help="with 64 solutions each (default %(default)s)")
    parser.add_argument("--stream", type=int, default=50_000, help="tiny solutions, streamed (default %(default)s)")
    parser.add_argument("--stream-only", action="store_true", help="leave the rest of the last result as it is")
    parser.add_argument("--threads", type=int, default=1, help="one is disturbed least by what else runs")
    return parser.parse_args()


def labelled(options: argparse.Namespace, split: Split) -> list[LabelledTree]:
    return list(read_labels(options.data / "prm800k" / f"phase1_{split}.jsonl.gz", split=split))


def made(options: argparse.Namespace, folder: Path) -> Path:
    trees = random.Random(0).sample(labelled(options, "train"), 40)
    texts = [(tree.problem, [step.completions[0].text for step in tree.steps]) for tree in trees]
    config = training.TrainConfig(epochs=1, pretraining=PretrainConfig(steps=200))
    return training.train(trees, None, folder, config, base_texts=texts).model_dir


def pools(options: argparse.Namespace) -> dict[str, list[Solution]]:
    rng = random.Random(0)
    bench = [
        solution
        for name in ("gsm8k", "math")
        for solution, _ in rng.sample(
            list(read_first_errors(options.data / "processbench" / f"{name}.json.gz")), options.solutions
        )
    ]
    trees = rng.sample([tree for tree in labelled(options, "test") if ways(tree) >= SAMPLES], options.problems)
    return {
        "ProcessBench": bench,
        "64 samples": [sample(tree, 0, rng) for tree in trees for _ in range(SAMPLES)],
        "64 rollouts": [sample(tree, rng.randrange(len(tree.steps)), rng) for tree in trees for _ in range(SAMPLES)],
    }


def ways(tree: LabelledTree) -> int:
    """Returns how many different solutions the tree's completions make."""
    return math.prod(len({completion.text for completion in step.completions}) for step in tree.steps)


def sample(tree: LabelledTree, start: int, rng: random.Random) -> Solution:
    followed = [step.completions[step.chosen or 0].text for step in tree.steps[:start]]
    drawn = [rng.choice(step.completions).text for step in tree.steps[start:]]
    return Solution(f"{tree.id}-{rng.random()}", tree.problem, (*followed, *drawn))


def compare(model: StepClassifier, pool: list[Solution]) -> dict[str, Any]:
    expected, prefixes = timed(model, lambda new: by_prefix(new, pool), is_packed=False)
    by_rows, rows = timed(model, lambda new: by_row(new, pool), is_packed=False)
    found, tries = timed(model, lambda new: packed(new, pool, ScoreConfig()))
    bf16, fast = timed(replace(model, precision="bf16"), lambda new: packed(new, pool, ScoreConfig()))
    ratios = {
        f"times_{name}": {each: round(side[each] / tries[each], 2) for each in ("cpu_seconds", "tokens")}
        for name, side in (("prefixes", prefixes), ("rows", rows))
    }
    return ratios | {
        "solutions": len(pool),
        "different": len({(each.problem, each.steps) for each in pool}),
        "steps": sum(map(len, expected)),
        "prefixes": prefixes,
        "rows": rows,
        "tries": tries,
        "difference_rows": difference(by_rows, expected),
        "difference_fp32": difference(found, expected),
        "difference_bf16": difference(bf16, expected),
        "bf16": fast | throughput(model, fast),
    }


def device() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"


def throughput(model: StepClassifier, side: dict[str, float]) -> dict[str, float]:
    """Returns `tflops` a second in the body's layers and, on a GPU of known peak, their `utilisation`."""
    weights = sum(weight.numel() for weight in model.network.base_model.layers.parameters())
    tflops = 2 * weights * side["tokens"] / side["seconds"] / 1e12
    peak = next((peak for name, peak in PEAK_TFLOPS.items() if name in device()), None)
    return {"tflops": round(tflops, 4)} | ({"utilisation": round(tflops / peak, 4)} if peak else {})


def cold(model: StepClassifier) -> StepClassifier:
    """Returns the model with an empty encoder cache."""
    return replace(model, encoder=Encoder(model.tokenizer, model.encoder.max_length, model.encoder.boundary))


def timed(
    model: StepClassifier, act: Callable[[StepClassifier], Scores], *, is_packed: bool = True
) -> tuple[Scores, dict[str, float]]:
    """Times the act; unless packed, the model has ordinary causal attention meanwhile."""
    tokens = 0

    def count(_module: Any, _given: Any, named: dict[str, Any]) -> None:
        nonlocal tokens
        tokens += named["input_ids"].numel()

    hook = model.network.base_model.register_forward_pre_hook(count, with_kwargs=True)
    with torch.inference_mode(), nullcontext() if is_packed else attention.plain(model.network):
        started_at, cpu_at = monotonic(), process_time()
        found = act(cold(model))
        seconds, cpu_seconds = monotonic() - started_at, process_time() - cpu_at
    hook.remove()
    return found, {"seconds": round(seconds, 2), "cpu_seconds": round(cpu_seconds, 2), "tokens": tokens}


def packed(model: StepClassifier, pool: Iterable[Solution], config: ScoreConfig) -> Scores:
    return [each.probabilities for each in score_solutions(model, pool, config)]


def by_prefix(model: StepClassifier, pool: list[Solution]) -> Scores:
    return [list(one_by_one(model, solution)) for solution in pool]


def one_by_one(model: StepClassifier, solution: Solution) -> Iterator[float]:
    for steps in range(1, len(solution.steps) + 1):
        path = cold(model).encoder.encode(solution.problem, solution.steps[:steps])
        if path.steps_left_out:
            return
        yield read_rows(model, [path.ids], [path.step_ends[-1:]])[0][0]


def by_row(model: StepClassifier, pool: list[Solution]) -> Scores:
    found: dict[int, list[float]] = {}
    order = random.Random(1).sample(range(len(pool)), len(pool))
    for start in range(0, len(order), ROWS_A_BATCH):
        chosen = order[start : start + ROWS_A_BATCH]
        paths = [model.encoder.encode(pool[place].problem, pool[place].steps) for place in chosen]
        scores = read_rows(model, [path.ids for path in paths], [path.step_ends for path in paths])
        found.update(zip(chosen, scores, strict=True))
    return [found[place] for place in range(len(pool))]


def stream(model: StepClassifier, solutions: int) -> dict[str, float]:
    """Streams tiny solutions. Returns the memory at the end and the peak of the first tenth."""
    process, started_at, peaks = psutil.Process(), monotonic(), [0.0, 0.0]
    for number, _ in enumerate(score_solutions(model, map(tiny, range(solutions)))):
        if number % 1000 == 0:
            part = number * 10 >= solutions
            peaks[part] = max(peaks[part], process.memory_info().rss / 1e6)
    seconds = monotonic() - started_at
    return {
        "solutions": solutions,
        "a_second": round(solutions / seconds),
        "peak_mb_first_tenth": round(peaks[0]),
        "peak_mb_after": round(peaks[1]),
    }


def tiny(number: int) -> Solution:
    """Returns a tiny solution; 64 share a problem."""
    return Solution(str(number), f"{number // 64} + 1?", (f"{number}.", f"So {number}."))


def read_rows(model: StepClassifier, rows: list[list[int]], ends: list[list[int]]) -> Scores:
    """Scores rows in one pass, padded on the right."""
    width, device = max(map(len, rows)), model.network.device
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows], device=device)
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=device)
    given = {"attention_mask": mask} if len(rows) > 1 else {}
    with model.autocast():
        hidden = model.network.base_model(input_ids=ids, use_cache=False, **given).last_hidden_state.float()
    return [log_right(model.head(hidden[row, places])).exp().tolist() for row, places in enumerate(ends)]


def difference(found: Scores, expected: Scores) -> float:
    return max(abs(left - right) for left, right in zip(flat(found), flat(expected), strict=True))


def flat(scores: Scores) -> Iterator[float]:
    return (value for row in scores for value in row)


def targets(found: dict[str, Any]) -> Iterator[Target]:
    for name, pool in found.items():
        yield Target(f"{name}: times faster than a pass per prefix", pool["times_prefixes"]["cpu_seconds"], least=20)
        yield Target(f"{name}: times faster than padded rows", pool["times_rows"]["cpu_seconds"], least=4)
        yield Target(f"{name}: largest difference, fp32", pool["difference_fp32"], most=1e-5)
        yield Target(f"{name}: largest difference, bfloat16", pool["difference_bf16"], most=0.02)


def show(found: dict[str, Any]) -> None:
    table = Table("", *found, title="Scoring")
    for side in ("prefixes", "rows", "tries"):
        for what in ("cpu_seconds", "tokens"):
            table.add_row(f"{side}: {what}", *(f"{pool[side][what]:,}" for pool in found.values()))
    for name in ("times_prefixes", "times_rows"):
        for what in ("cpu_seconds", "tokens"):
            table.add_row(f"{name}: {what}".replace("_", " "), *(f"{pool[name][what]}x" for pool in found.values()))
    for name in ("difference_rows", "difference_fp32", "difference_bf16"):
        table.add_row(name.replace("_", " "), *(f"{pool[name]:.1e}" for pool in found.values()))
    for what in found[min(found)]["bf16"].keys() - {"cpu_seconds"}:
        table.add_row(f"bf16: {what}", *(f"{pool['bf16'][what]:,}" for pool in found.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
