"""Sample continuations of a prompt from a causal language model, all at once."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

KEEP_LOADED = 1


@lru_cache(maxsize=KEEP_LOADED)
def _load(path: str) -> tuple[Any, Any]:
    gguf = {"gguf_file": Path(path).name} if path.endswith(".gguf") else {}
    place = str(Path(path).parent) if gguf else path
    tokenizer = AutoTokenizer.from_pretrained(place, **gguf)
    model: Any = AutoModelForCausalLM.from_pretrained(place, **gguf)
    return model.eval(), tokenizer


@torch.inference_mode()
def sample(path: str, prompt: str, *, n: int, max_new_tokens: int, temperature: float = 0.8) -> list[str]:
    """`n` continuations, decoded, without the prompt. `path`: a directory, a hub name, or a GGUF file.

    Raises OSError or ValueError where there is no such model.
    """
    model, tokenizer = _load(path)
    ids = tokenizer(prompt, return_tensors="pt")["input_ids"]  # (1, tokens)
    written = model.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        do_sample=True,
        temperature=temperature,
        top_p=0.95,
        num_return_sequences=n,
        max_new_tokens=max_new_tokens,
        stop_strings=["\n\n"],
        tokenizer=tokenizer,
        pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
    )  # (n, tokens + new tokens)
    return [tokenizer.decode(row, skip_special_tokens=True) for row in written[:, ids.shape[1] :]]
