"""Example bodies for every operation of the API that takes one and has no example of its own: a hook of
drf-spectacular.
"""

from typing import Any

PHASE = "5f0c7c52-5c6f-4b0e-9d53-8f2d4f0b7a10"
SOLUTION = "0b6e9d5e-6f0a-4c0e-8f57-1f7a5c1f3a11"
TASK = "7d1f0f7e-93a4-4c39-8f55-2f5c0f8c6b12"
MODEL = "c3a9b6de-51a2-4a7e-8a19-6d9b3e1f4c13"
RATINGS = [
    {"step": 0, "completion": 0, "text": "", "rating": 1, "is_flagged": False, "is_chosen": True, "active_ms": 4200},
    {"step": 1, "completion": 0, "text": "", "rating": -1, "is_flagged": False, "is_chosen": True, "active_ms": 9100},
]
PERSON = {"username": "ada", "password": "a long password"}
EXAMPLES: dict[str, Any] = {
    "assignments_completions_create": {"path": ["2 + 3 is 5."], "purpose": "step"},
    "assignments_draft_update": {"version": 3, "ratings": RATINGS, "active_ms": 13300},
    "assignments_report_create": {"kind": "reference_answer", "note": "The reference forgets the second root."},
    "assignments_submit_create": {"ratings": RATINGS, "finish_reason": "found_error", "active_ms": 13300},
    "autopilots_on_create": {"skip": False},
    "crashes_create": {
        "message": "Cannot read properties of undefined (reading 'steps')",
        "stack": "TypeError: Cannot read properties of undefined\n    at StepCard",
        "path": "/label",
        "version": "1.4.0",
    },
    "evaluation_runs_create": {"reward_model": MODEL},
    "policy_replays_create": {"reward_model": MODEL, "seeds": 2},
    "generations_create": {
        "name": "qwen, 64 samples",
        "generator_url": "http://127.0.0.1:8001/v1",
        "generator_model": "Qwen/Qwen2.5-Math-1.5B",
        "problem_source": "gsm8k",
        "samples": 64,
        "temperature": 0.8,
        "stop": ["Problem:"],
    },
    "gold_import_create": {
        "gold_set": "experts, June",
        "golds": [{"solution": SOLUTION, "ratings": [1, 0, -1], "rationale": "3 · 4 is 12."}],
    },
    "imports_create": {"file": "solutions.jsonl.gz", "file_format": "solutions", "target": "gsm8k", "split": "train"},
    "invite_create": PERSON,
    "people_create": PERSON | {"role": "annotator"},
    "phases_create": {
        "name": "Algebra",
        "kind": "solutions",
        "overlap": 2,
        "gold_set": "experts, June",
        "gold_rate": 0.1,
    },
    "phases_claim_create": {"ahead": 1},
    "phases_clone_create": {"name": "Algebra, again", "with_members": True},
    "phases_members_create": {"usernames": ["ada", "grace"]},
    "phases_screening_create": {"gold_set": "experts, June", "size": 10},
    "phases_questions_read_create": {"questions": [TASK]},
    "preferences_update": {"preferences": {"keys": {"great": ["g"]}}},
    "promotions_roll_back_create": {"reason": "The new one likes long solutions."},
    "publications_create": {"selection": TASK, "overlap": 2},
    "questions_answer_create": {"text": "Rate the step as if the sign were right: the slip is in the step before."},
    "rounds_prioritise_create": {"tasks": [TASK], "first": True},
    "rounds_tasks_create": {"solutions": [SOLUTION], "overlap": 2, "first": False},
    "rounds_withdraw_create": {"tasks": [TASK]},
    "scoring_runs_create": {"reward_model": MODEL},
    "second_looks_create": {"labelling": TASK, "step": 2, "rating": -1},
    "selections_create": {"phase": PHASE, "reward_model": MODEL, "policy": "convincing", "size": 200, "per_problem": 1},
    "session_create": PERSON,
    "session_password_create": {"password": "a long password", "new_password": "a longer password"},
    "training_runs_create": {"name": "spring", "phases": [PHASE], "settings": {"epochs": 2, "seed": 1}},
}


def add(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A post-processing hook."""
    for acts in result["paths"].values():
        for act in acts.values():
            for content in act.get("requestBody", {}).get("content", {}).values():
                if act["operationId"] in EXAMPLES:
                    content["examples"] = {"Example": {"value": EXAMPLES[act["operationId"]]}}
    return result
