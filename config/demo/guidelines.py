"""The demo's guidelines: the paper's definitions of the three ratings, for both kinds of phases."""

RATINGS = r"""
## The three ratings

- **Great**: correct, fits what came before, and moves the solution on. You could check it within **30 seconds**.
- **Okay**: reasonable and correct, but it adds nothing: it repeats, comments, or is a detour.
- **Bad**: anything else. It is wrong, makes no sense, cannot be checked, or leads nowhere.

When you can't tell, flag the step as **unsure** and say why; no rating is better than a guess.

| step | rating | why |
|---|---|---|
| $3 \cdot (2 + 5) = 3 \cdot 7 = 21$ | Great | right, and easy to check |
| Let's check this before going on. | Okay | nothing wrong, nothing new |
| $\sqrt{a^2 + b^2} = a + b$ | Bad | not so: with $a = 3$ and $b = 4$ it is $5$, not $7$ |
| A computer search shows that $x = 17$. | Bad | cannot be checked here |

Judge the step, not its style: a clumsy step that is right is right.
"""

SOLUTIONS = f"""# Rate each step

You see a problem and one whole solution. Rate its steps **in order**. The first Bad step ends the task: what follows
from a mistake is not judged.
{RATINGS}
## The end

- A solution that stops before the answer has a Bad last step, even if the number is right.
- The *current guess* beside the problem is mostly right, not always. Where you think that it is wrong, report it.
- A problem that makes no sense is a **bad problem**; say what is missing. Give up when it takes you too long.
"""

ALTERNATIVES = f"""# Build a solution step by step

You see a problem and several ways to take the next step. Rate **every one** of them, then choose a Great one to go on
with. The next alternatives follow from your choice.
{RATINGS}
## Going on

- Two alternatives may both be Great: choose the one that gets further.
- Where none is Great, write the step yourself, short and with its formula: `$50 - 20 = 30$`.
- You are done when the chosen step states the final answer, such as $\\boxed{{30}}$ or “# Answer”.
- Give up when you see no way on, and say where you stand.
"""
