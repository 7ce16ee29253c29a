"""Completions from an OpenAI-compatible HTTP endpoint: vLLM, llama.cpp, TGI and others.

The prompt is the problem and the steps so far, for the endpoint's `/completions` to continue; a chat endpoint could not
continue a text that has begun.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from time import monotonic
from typing import Any

import httpx
from django.conf import settings

from labeling.completions import outgoing
from labeling.errors import DomainError
from labeling.rules.texts.splitting import split_steps

ASK_AT_MOST = 3
TEMPERATURE = 0.8
MAX_TOKENS = {"step": 256, "critique": 160}
LONGEST_TEXT = 10_000
LARGEST_REPLY = 2**23
SOLVE = "Solve the problem step by step, one step a paragraph. State the result after “# Answer”.\n\n"
CRITICISE = "The last step of this solution contains a mistake. The mistake, in one or two sentences:"


LONGEST_WORDS = 500  # characters kept of the endpoint's reason
REFUSING = (400, 413, 422)  # statuses that reject the question, such as one that is too long


class GeneratorFailed(DomainError, code="generator_failed", status=502):
    """The endpoint could not be reached, or wrote nothing usable."""


class QuestionRefused(GeneratorFailed):
    """The endpoint refused this question. `words`: the beginning of its reply, for staff."""

    words = ""


def prompt_for(*, problem: str, path: Sequence[str], purpose: str) -> str:
    steps = "".join(f"{step}\n\n" for step in path)
    ending = CRITICISE if purpose == "critique" else ""
    return f"{SOLVE}Problem:\n{problem}\n\nSolution:\n\n{steps}{ending}"


def first_step(text: str) -> str:
    """The first step of a generated text, by the rule that splits every solution; empty if there is none."""
    steps = split_steps(storable(text))
    return steps[0] if steps and len(steps[0]) <= LONGEST_TEXT else ""


def storable(text: str) -> str:
    """Returns the text with U+FFFD in place of NUL and lone surrogates, which no row can hold."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def distinct(texts: Sequence[str]) -> list[str]:
    """The first step of each text, without duplicates or empty ones."""
    return [step for step in dict.fromkeys(map(first_step, texts)) if step]


def request_texts(*, url: str, model: str, prompt: str, purpose: str, wanted: int) -> list[str]:
    """Returns up to `wanted` different texts, within GENERATOR_TIMEOUT_SECONDS. A server that ignores `n` is called
    again. Raises GeneratorFailed.
    """
    until = monotonic() + settings.GENERATOR_TIMEOUT_SECONDS
    found = list[str]()
    body = {"model": model, "prompt": prompt, "max_tokens": MAX_TOKENS[purpose], "temperature": TEMPERATURE}
    with _client(url) as http:
        for _ in range(ASK_AT_MOST):
            try:
                more = _post(http, f"{url.rstrip('/')}/completions", body | {"n": wanted - len(found)}, until)
            except GeneratorFailed:
                # What came so far can be offered: only no text at all is a failure.
                if found:
                    break
                raise
            found = list(dict.fromkeys([*found, *distinct(more)]))
            if len(found) >= wanted:
                break
    if not found:
        raise GeneratorFailed(f"The generator “{model}” wrote nothing that can be used.")
    return found[:wanted]


def ask_whole(*, url: str, model: str, prompt: str, wanted: int, sampling: dict[str, Any]) -> list[str]:
    """Returns `wanted` whole texts, duplicates included, or fewer if the server gives no more; within
    GENERATION_TIMEOUT_SECONDS.

    `sampling`: temperature, max_tokens, stop. Raises GeneratorFailed.
    """
    until = monotonic() + settings.GENERATION_TIMEOUT_SECONDS
    found = list[str]()
    body = {"model": model, "prompt": prompt} | sampling
    with _client(url) as http:
        while len(found) < wanted:  # servers that ignore `n` are asked again
            more = _post(http, f"{url.rstrip('/')}/completions", body | {"n": wanted - len(found)}, until)
            if not more:
                break
            found += more
    return found[:wanted]


def ask_chat(*, url: str, model: str, messages: Sequence[Mapping[str, str]], max_tokens: int) -> str:
    """Returns the likeliest answer of an address that the environment names, which may be private; empty if it has no
    text. Waits for GENERATION_TIMEOUT_SECONDS at most.

    Raises GeneratorFailed, or its subclass QuestionRefused.
    """
    until = monotonic() + settings.GENERATION_TIMEOUT_SECONDS
    body = {"model": model, "messages": messages, "max_tokens": max_tokens, "temperature": 0}
    with _client(url, unless=lambda _: "") as http:
        found = _post(http, f"{url.rstrip('/')}/chat/completions", body, until, text_of=_content_of)
    return found[0] if found else ""


def _content_of(choice: Mapping[str, Any]) -> Any:
    return choice["message"]["content"]


def unless_private(url: httpx.URL) -> str:
    """Returns the setting that would allow the URL if private; empty if the environment names it, or allows all."""
    is_named = outgoing.origin(url) in keys()
    return "" if is_named or settings.GENERATOR_MAY_BE_PRIVATE else "GENERATOR_MAY_BE_PRIVATE"


def check_address(url: str) -> None:
    """Raises PrivateAddress for an address that would not be called. A host that can't be found may exist later."""
    try:
        outgoing.resolved(url, unless=unless_private(httpx.URL(url)))
    except outgoing.PrivateAddress:
        raise
    except (httpx.InvalidURL, outgoing.Unreachable):
        return


def keys() -> dict[str, str]:
    """Returns each origin's key, which no other address ever gets."""
    return {outgoing.origin(address): key for address, key in settings.GENERATOR_API_KEYS.items()}


def _client(url: str, unless: Callable[[httpx.URL], str] = unless_private) -> httpx.Client:
    try:
        key = keys().get(outgoing.origin(url))
    except httpx.InvalidURL:
        raise GeneratorFailed("The generator has no usable address.") from None
    return outgoing.client(unless=unless, headers={"Authorization": f"Bearer {key}"} if key else {})


def _post(
    http: httpx.Client,
    url: str,
    body: dict[str, Any],
    until: float,
    text_of: Callable[[Mapping[str, Any]], Any] = itemgetter("text"),
) -> list[str]:
    try:
        choices: list[dict[str, Any]] = json.loads(_reply(http, url, body, until))["choices"]
        return [text for text in map(text_of, choices) if isinstance(text, str)]
    except outgoing.PrivateAddress as error:
        raise GeneratorFailed(f"The generator was not called: {error}") from None
    except httpx.TimeoutException:
        raise GeneratorFailed("The generator did not answer within its time limit.") from None
    except httpx.HTTPStatusError as error:
        raise GeneratorFailed(_answered(error.response)) from None
    except (httpx.HTTPError, httpx.InvalidURL, outgoing.Unreachable):
        raise GeneratorFailed("The generator can't be reached.") from None
    except (ValueError, LookupError, TypeError, RecursionError):
        raise GeneratorFailed("The generator's answer is not what an OpenAI-compatible endpoint sends.") from None


def _answered(reply: httpx.Response) -> str:
    return f"The generator answered with an error ({reply.status_code})."


def _reply(http: httpx.Client, url: str, body: dict[str, Any], until: float) -> bytes:
    """Reads the reply piece by piece: httpx limits the wait for each piece, but neither total time nor size."""
    whole = bytearray()
    with http.stream("POST", url, json=body, timeout=max(0.01, until - monotonic())) as reply:
        if reply.status_code in REFUSING:
            refused = QuestionRefused(_answered(reply))
            refused.words = storable(next(reply.iter_text(LONGEST_WORDS), ""))
            raise refused
        reply.raise_for_status()
        for piece in reply.iter_bytes():
            whole += piece
            if monotonic() > until:
                raise httpx.ReadTimeout("the whole answer took too long")
            if len(whole) > LARGEST_REPLY:
                raise ValueError("the answer is too large")
    return bytes(whole)
