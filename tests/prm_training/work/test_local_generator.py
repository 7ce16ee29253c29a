"""prm_training.work.local_generator: continuations of a prompt from a causal language model."""

import pytest
import torch

from prm_training.prm.model import UnusableBackbone
from prm_training.work import local_generator
from prm_training.work.local_generator import PARAGRAPH, sample


@pytest.fixture(scope="module")
def base(tiny_base):
    return tiny_base


@pytest.fixture(autouse=True)
def _forget_models():
    yield
    local_generator._loaded.cache_clear()


def test_it_works(base):
    torch.manual_seed(1)
    written = sample(str(base), "What is 2 + 3?\n\n", n=4, max_new_tokens=12)
    assert len(written) == 4
    assert len(set(written)) > 1, "sampled, not the likeliest again and again"
    assert not any(text.startswith("What is") for text in written)


def test_the_same_seed_writes_the_same(base):
    runs = []
    for _ in range(2):
        torch.manual_seed(7)
        runs.append(sample(str(base), "2 + 3", n=2, max_new_tokens=8))
    assert runs[0] == runs[1]


def test_a_prompt_too_long_for_the_model_loses_its_beginning(base):
    assert len(sample(str(base), "2 + 3 = 5. " * 400, n=1, max_new_tokens=4)) == 1


def test_half_of_what_the_model_can_hold_is_the_prompts(base, monkeypatch):
    model, _ = local_generator._loaded(str(base))
    monkeypatch.setattr(model.config, "max_position_embeddings", 24)
    asked = []
    monkeypatch.setattr(model, "generate", lambda ids, **options: asked.append((ids.shape[1], options)) or ids)
    sample(str(base), "2 + 3 = 5. " * 20, n=1, max_new_tokens=1000)
    assert (asked[0][0], asked[0][1]["max_new_tokens"]) == (12, 12)


def test_without_temperature_it_writes_the_likeliest(base):
    assert len(set(sample(str(base), "2 + 3", n=3, max_new_tokens=8, temperature=0))) == 1


def test_a_row_stops_after_its_first_paragraph(base):
    _, tokenizer = local_generator._loaded(str(base))
    prompt = tokenizer("x")["input_ids"]
    rows = [tokenizer(text)["input_ids"] for text in ("x2 + 3 = 5.\n\n", "x2 + 3 = 5. So on")]
    longest = max(map(len, rows))
    ids = torch.tensor([row + [tokenizer.pad_token_id] * (longest - len(row)) for row in rows])
    stops = local_generator._ParagraphIsOver(tokenizer, len(prompt))
    assert stops(ids, None).tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "is_over"),
    [
        ("One.\n\n", True),
        ("\n\nOne.\n\n", True),
        ("One.\n \nTwo", True),
        ("One.\nTwo.\n\n", True),
        ("# Answer\n\n5\n\n", True),
        ("# Answer\n\n5", False),
        ("# Answer\n\n", False),
        ("One.\nTwo.", False),
        ("\n\n", False),
    ],
)
def test_a_heading_goes_on_with_what_follows(text, is_over):
    assert bool(PARAGRAPH.search(text)) == is_over


def test_no_such_model(tmp_path):
    with pytest.raises(UnusableBackbone, match="nothing is not a model that transformers can load"):
        sample(str(tmp_path / "nothing"), "x", n=1, max_new_tokens=1)
