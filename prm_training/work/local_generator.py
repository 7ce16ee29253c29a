"""A local causal language model as a generator: continuations of a prompt, sampled all at once."""

import re
from functools import lru_cache
from typing import Any

import torch
from transformers import StoppingCriteria, StoppingCriteriaList

from prm_training.prm.loading import load_generator

PARAGRAPH = re.compile(r"^(?!#{1,6} )[^\S\n]*\S[^\n]*\n[ \t]*\n", re.MULTILINE)  # a heading continues in the next


_loaded = lru_cache(maxsize=1)(load_generator)


class _ParagraphIsOver(StoppingCriteria):
    """Stops a row once it has a whole paragraph beyond the prompt."""

    def __init__(self, tokenizer: Any, prompt_tokens: int) -> None:
        self.tokenizer, self.prompt_tokens = tokenizer, prompt_tokens

    def __call__(self, ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        written = self.tokenizer.batch_decode(ids[:, self.prompt_tokens :], skip_special_tokens=True)
        return torch.tensor([bool(PARAGRAPH.search(text)) for text in written], device=ids.device)


@torch.inference_mode()
def sample(  # noqa: PLR0913  how to sample, in the words of transformers
    path: str, prompt: str, *, n: int, max_new_tokens: int, temperature: float = 0.8, whole: bool = False
) -> list[str]:
    """`n` continuations, decoded, without the prompt. `path`: a directory, a hub name, or a GGUF file.

    Each ends after its first paragraph (unless `whole`), after `max_new_tokens`, or after half of the model's context.
    A prompt too long for the other half loses its beginning. At temperature 0 all are the same. Raises PrmError
    if there is no such model.
    """
    model, tokenizer = _loaded(path)
    ids = tokenizer(prompt, return_tensors="pt")["input_ids"].to(model.device)  # (1, tokens)
    longest = getattr(model.config, "max_position_embeddings", None)
    if longest is not None:
        max_new_tokens = min(max_new_tokens, longest // 2)
        ids = ids[:, max_new_tokens - longest :]
    criteria = StoppingCriteriaList([_ParagraphIsOver(tokenizer, ids.shape[1])])
    until = {} if whole else {"stopping_criteria": criteria}
    chance = {"temperature": temperature, "top_p": 0.95} if temperature else {"top_k": 1}
    written = model.generate(
        ids,
        **until,
        **chance,
        attention_mask=torch.ones_like(ids),
        do_sample=True,
        num_return_sequences=n,
        max_new_tokens=max_new_tokens,
        pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
    )  # (n, tokens + new tokens)
    plain = {"skip_special_tokens": True, "clean_up_tokenization_spaces": False}  # " ." stays " ."
    return [str(tokenizer.decode(row, **plain)) for row in written[:, ids.shape[1] :]]
