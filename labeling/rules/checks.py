"""Soft checks of a labelling at submission (pure): worth a second look, never a refusal.

They depend only on what the annotator saw and submitted. A submission may be revised, so none may depend on the
verdict, on gold, or on other people's labels.
"""

from labeling.rules.ratings import Judgement
from labeling.rules.words import COMPLETE, Check, FinishReason

FASTEST_MS_PER_WORD = 40  # 1,500 words a minute: nobody reads that fast
LOOK_AGAIN_SHARE = 0.2  # of the submissions without an error


def soft_checks(*, judgement: Judgement, answer: str | None, words: int, active_ms: int, throw: float) -> list[Check]:
    """Returns the oddities that deserve a second look, in the order of Check.

    `answer`: the final answer that the solution states; None where solutions needn't state one. `words`: how many
    words there were to read. `active_ms`: milliseconds of work. `throw`: random, in [0, 1); a low one asks to look
    again where no error was found, whether the solution is right or wrong.
    """
    found, finish_reason, ratings = list[Check](), judgement.finish_reason, judgement.ratings
    if finish_reason == FinishReason.SOLUTION and throw < LOOK_AGAIN_SHARE:
        found.append(Check.NO_ERROR)
    is_incomplete = answer is not None and not answer.strip()
    if finish_reason == FinishReason.SOLUTION and is_incomplete and ratings and ratings[-1].rating == 1:
        found.append(Check.FINE_BUT_INCOMPLETE)
    if finish_reason in COMPLETE and active_ms < words * FASTEST_MS_PER_WORD:
        found.append(Check.TOO_FAST)
    return found
