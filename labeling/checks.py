"""Soft checks on a labelling as it is submitted, pure: worth a second look, never a refusal."""

from labeling.ratings import Judgement

FASTEST_MS_PER_WORD = 40  # 1,500 words a minute: nobody reads that fast


def soft_checks(*, judgement: Judgement, verdict: str, answer: str, words: int, active_ms: int) -> list[str]:
    """Codes of what looks odd, in this order: all_fine_but_wrong, fine_but_incomplete, too_fast.

    A negative step in a solution whose answer is right is fine, and says nothing. `words`: how many had to be read.
    """
    found, finish_reason, ratings = list[str](), judgement.finish_reason, judgement.ratings
    if finish_reason == "solution" and verdict == "wrong":
        found.append("all_fine_but_wrong")
    if finish_reason == "solution" and not answer.strip() and ratings and ratings[-1].rating == 1:
        found.append("fine_but_incomplete")
    if finish_reason in {"solution", "found_error"} and active_ms < words * FASTEST_MS_PER_WORD:
        found.append("too_fast")
    return found
