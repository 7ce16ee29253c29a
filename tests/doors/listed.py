"""Every address and method of the API, with the roles that may call it."""

from typing import Any

from labeling.rules.words import RunKind

EVERYONE = {"nobody", "holder", "member", "outsider", "expert", "admin", "ml_staff", "superuser"}
SIGNED_IN = EVERYONE - {"nobody"}
ADMINS = {"admin", "superuser"}
ML_STAFF = {"ml_staff", "superuser"}
STAFF = ADMINS | ML_STAFF
EXPERTS = ADMINS | {"expert"}
HOLDER = {"holder"}
MEMBERS = SIGNED_IN - {"outsider", "expert"}  # the expert is one of another phase
FOR_ML_STAFF = [kind.traits.path for kind in RunKind if kind.traits.is_for_ml_staff]

DOORS: dict[str, dict[str, set[str]]] = {
    "preferences/": {"PUT": SIGNED_IN},
    "session/": {"GET": EVERYONE, "POST": EVERYONE, "DELETE": EVERYONE},
    "session/confirm/": {"POST": SIGNED_IN},
    "session/second-factor/": {"GET": SIGNED_IN, "POST": SIGNED_IN, "PUT": SIGNED_IN, "DELETE": SIGNED_IN},
    "people/{annotator}/second-factor/": {"DELETE": ADMINS},
    "session/ways/": {"GET": EVERYONE},
    "session/data/": {"GET": SIGNED_IN},
    "session/password/": {"POST": SIGNED_IN},
    "tokens/": {"GET": SIGNED_IN, "POST": SIGNED_IN},
    "tokens/{token}/": {"DELETE": HOLDER},
    "sessions/": {"GET": SIGNED_IN},
    "sessions/{session}/": {"DELETE": HOLDER},
    "sessions/end-others/": {"POST": SIGNED_IN},
    "people/{annotator}/sessions/": {"GET": ADMINS},
    "people/{annotator}/sessions/{session}/": {"DELETE": ADMINS},
    "people/": {"GET": ADMINS, "POST": ADMINS},
    "people/hours/": {"GET": ADMINS},
    "people/import/": {"POST": ADMINS},
    "people/import/preview/": {"POST": ADMINS},
    "people/{annotator}/tokens/": {"GET": ADMINS},
    "people/{annotator}/tokens/{token}/": {"DELETE": ADMINS},
    "people/{annotator}/": {"GET": ADMINS, "PATCH": ADMINS},
    "people/{annotator}/password/": {"POST": ADMINS},
    "people/{annotator}/data/": {"GET": ADMINS},
    "people/{annotator}/pseudonymise/": {"POST": ADMINS},
    "people/{annotator}/erase/": {"POST": ADMINS},
    "invitations/": {"GET": ADMINS, "POST": ADMINS},
    "invitations/{invitation}/": {"DELETE": ADMINS},
    "invite/{secret}/": {"GET": EVERYONE, "POST": EVERYONE},
    "phases/": {"GET": SIGNED_IN, "POST": ADMINS},
    "profiles/": {"GET": STAFF},
    "phases/{phase}/recent/": {"GET": MEMBERS},
    "phases/{phase}/progress/": {"GET": MEMBERS},
    "phases/{phase}/differences/": {"GET": MEMBERS},
    "phases/{phase}/questions/": {"GET": MEMBERS},
    "phases/{phase}/questions/read/": {"POST": MEMBERS},
    "phases/{phase}/settings/": {"GET": STAFF, "PATCH": ADMINS},
    "phases/{phase}/guidelines/": {"GET": STAFF},
    "phases/{phase}/guidelines/{version}/": {"GET": MEMBERS},
    "phases/{phase}/dashboard/": {"GET": STAFF},
    "phases/{phase}/loop/": {"GET": STAFF},
    "phases/{phase}/clone/": {"POST": ADMINS},
    "phases/{phase}/members/": {"GET": STAFF, "POST": ADMINS},
    "phases/{phase}/members/{annotator}/": {"PATCH": ADMINS, "DELETE": ADMINS},
    "phases/{phase}/screening/": {"POST": ADMINS},
    "phases/{phase}/gold/": {"GET": STAFF},
    "gold/": {"GET": EXPERTS, "POST": EXPERTS},
    "gold/import/": {"POST": ADMINS},
    "gold/sets/": {"GET": EXPERTS},
    "solutions/": {"GET": STAFF | EXPERTS},
    "solutions/without-gold/": {"GET": EXPERTS},
    "solutions/{solution}/part/": {"GET": STAFF | EXPERTS},
    "phases/{phase}/claim/": {"POST": MEMBERS},
    "rounds/": {"GET": STAFF},
    "rounds/{round}/": {"GET": STAFF},
    "rounds/{round}/tasks/": {"GET": STAFF, "POST": ADMINS},
    "rounds/{round}/close/": {"POST": STAFF},
    **{f"rounds/{{round}}/{act}/": {"POST": ADMINS} for act in ("reopen", "withdraw", "prioritise")},
    "rounds/{round}/agreement/": {"GET": STAFF},
    "rounds/{round}/consensus/": {"GET": STAFF, "POST": ADMINS},
    "changes/": {"GET": ADMINS},
    "crashes/": {"POST": EVERYONE},
    "exports/": {"GET": STAFF},
    "exports/beside/": {"POST": STAFF},
    "exports/preview/": {"GET": STAFF},
    "imports/": {"GET": STAFF, "POST": STAFF},
    "imports/{import}/": {"GET": STAFF, "PATCH": STAFF},
    "imports/{import}/confirm/": {"POST": STAFF},
    "imports/{import}/steps/": {"POST": STAFF},
    "imports/limit/": {"GET": STAFF},
    "imports/{import}/errors/": {"GET": STAFF},
    "imports/{import}/bad-lines/": {"GET": STAFF},
    "imports/{import}/undo/": {"GET": STAFF, "POST": STAFF},
    "labellings/": {"GET": STAFF},
    "labellings/{labelling}/": {"GET": STAFF},
    "labellings/table/": {"GET": STAFF},
    "labellings/relabel/": {"POST": ADMINS},
    "labellings/withdraw/": {"POST": ADMINS},
    "adjudication/": {"GET": EXPERTS},
    "adjudication/{queue}/": {"GET": EXPERTS},
    "adjudication/{queue}/{task}/": {"GET": ADMINS, "POST": ADMINS},
    "adjudication/{queue}/{task}/reopen/": {"POST": ADMINS},
    "questions/{question}/answer/": {"POST": ADMINS},
    "pool/": {"GET": STAFF},
    **{
        f"{of}s/{{{of}}}/withdrawal/": {"GET": STAFF, "POST": ADMINS, "DELETE": ADMINS}
        for of in ("problem", "solution", "task")
    },
    "splits/": {"POST": STAFF},
    "splits/preview/": {"POST": STAFF},
    "benchmarks/": {"GET": STAFF},
    "benchmarks/{benchmark}/": {"GET": STAFF, "DELETE": STAFF},
    "pool/markup/": {"POST": STAFF},
    "pool/solutions/": {"GET": STAFF},
    "images/{image}/": {"GET": SIGNED_IN},
    "pool/solutions/{solution}/": {"GET": STAFF},
    "assignments/{assignment}/": {"GET": HOLDER},
    "assignments/{assignment}/draft/": {"PUT": HOLDER},
    "assignments/{assignment}/renew/": {"POST": HOLDER},
    "assignments/{assignment}/release/": {"POST": HOLDER},
    "assignments/{assignment}/submit/": {"POST": HOLDER},
    "assignments/{assignment}/completions/": {"POST": HOLDER},
    "assignments/{assignment}/part/": {"GET": HOLDER},
    "assignments/{assignment}/report/": {"POST": HOLDER},
    "assignments/{assignment}/questions/": {"GET": HOLDER},
    "reward-models/": {"GET": STAFF},
    "reward-models/{reward-models}/promote/": {"POST": ML_STAFF},
    "reward-models/{reward-models}/": {"GET": STAFF},
    "reward-models/{reward-models}/download/": {"GET": STAFF},
    "runs/": {"GET": STAFF},
    "runs/{training-runs}/": {"GET": STAFF},
    **{f"runs/{{training-runs}}/{act}/": {"POST": ML_STAFF} for act in ("cancel", "retry")},
    "label-preview/": {"GET": STAFF},
    "promotions/": {"GET": STAFF},
    "promotions/roll-back/": {"POST": ML_STAFF},
    "second-looks/": {"GET": EXPERTS, "POST": EXPERTS},
    "label-noise/": {"GET": STAFF | EXPERTS},
    "solutions/{solution}/scores/": {"GET": STAFF},
    "verifier/": {"POST": STAFF},
    "verifier/{verification}/": {"GET": STAFF},
    "workers/": {"GET": STAFF},
    "health/": {"GET": STAFF},
    "phases/{phase}/arms/": {"GET": STAFF},
    "autopilots/{phase}/": {"GET": STAFF, "PATCH": ML_STAFF},
    **{f"autopilots/{{phase}}/{act}/": {"POST": ML_STAFF} for act in ("on", "off")},
    "data-releases/": {"GET": STAFF, "POST": STAFF},
    **{f"data-releases/{{data-releases}}/{name}": {"GET": STAFF} for name in ("", "card/", "download/")},
    "data-releases/{data-releases}/withdraw/": {"POST": ADMINS},
    "selections/{selections}/items/": {"GET": STAFF},
    "selections/{selections}/discard/": {"POST": STAFF},
    **{f"{kind}/": {"GET": STAFF, "POST": ML_STAFF} for kind in FOR_ML_STAFF},
    **{f"{kind}/": {"GET": STAFF, "POST": STAFF} for kind in ("selections", "publications")},  # admins open rounds, too
}
# Addresses whose rows are secret: others get a 404.
HIDDEN = (
    "assignments/",
    "tokens/{token}/",
    "sessions/{session}/",
    "phases/{phase}/claim/",
    "phases/{phase}/recent/",
    "phases/{phase}/progress/",
    "phases/{phase}/questions/",
    "phases/{phase}/differences/",
    "phases/{phase}/guidelines/{version}/",
)
RATINGS = [{"step": step, "rating": 1} for step in range(3)]
BODIES: dict[str, dict[str, Any]] = {
    "assignments/{assignment}/draft/": {"version": 1, "ratings": RATINGS},
    "assignments/{assignment}/submit/": {"ratings": RATINGS, "finish_reason": "solution"},
    "assignments/{assignment}/completions/": {"path": []},
}
EVERY_DOOR = [(path, method) for path, methods in DOORS.items() for method in methods]


def is_ml_staffs(path: str, method: str) -> bool:
    """Returns whether ML staff are allowed because of their role."""
    return "ml_staff" in DOORS[path][method] and "holder" not in DOORS[path][method]


# Addresses at which ML staff act on rows of no phase.
OF_NO_PHASE = {
    *(path for path in DOORS if path.startswith(("imports/", "splits/", "benchmarks/", "pool/"))),
    "generations/",
    "data-releases/",
    "exports/beside/",
}
# Bodies that name a phase, or a row of one.
OF_A_PHASE: dict[str, dict[str, Any]] = {
    "training-runs/": {"phase": "{phase}", "name": "x"},
    "evaluation-runs/": {"reward_model": "{reward-models}"},
    "policy-replays/": {"reward_model": "{reward-models}"},
    "scoring-runs/": {"reward_model": "{reward-models}", "phase": "{phase}"},
    "selections/": {"phase": "{phase}", "size": 3},
    "publications/": {"selection": "{selections}"},
    "promotions/roll-back/": {"phase": "{phase}"},
    "verifier/": {"phase": "{phase}", "problem": "2 + 3?", "solutions": [{"steps": ["5"]}]},
}
