from django.urls import path

from labeling.api import audit, crashes
from labeling.api.requests import Router
from labeling.campaign.api import agreement, dashboard, gold, phases, profiles, rounds, settings
from labeling.data.api import exports, images, markups, pool, problems, withdrawals
from labeling.people.api import (
    invitations,
    members,
    people,
    personal_data,
    rosters,
    second_factor,
    session,
    sessions,
    tokens,
)
from labeling.review.api import adjudication, labellings, questions

router = Router()
router.register("tokens", tokens.OwnTokens, "own-tokens")
router.register("people", people.People, "people")
router.register("people", personal_data.PersonalData, "personal-data")
router.register("people", rosters.Rosters, "rosters")
router.register("people/<uuid:person_id>/tokens", tokens.TheirTokens, "their-tokens")
router.register("sessions", sessions.OwnSessions, "own-sessions")
router.register("people/<uuid:person_id>/sessions", sessions.TheirSessions, "their-sessions")
router.register("invitations", invitations.Invitations, "invitations")
router.register("phases", phases.Phases, "phases")
router.register("phases", settings.PhaseSettings, "settings")
router.register("phases", gold.PhaseGold, "phase-gold")
router.register("phases/<uuid:phase_id>/guidelines", settings.GuidelinesVersions, "guidelines")
router.register("phases/<uuid:phase_id>/members", members.Members, "members")
router.register("gold", gold.Golds, "gold")
router.register("rounds", rounds.Rounds, "rounds")
router.register("rounds/<uuid:round_id>/tasks", rounds.Tasks, "tasks")
router.register("rounds/<uuid:round_id>/consensus", agreement.Consensuses, "consensus")
router.register("labellings", labellings.Labellings, "labellings")

urlpatterns = [
    *router.urls,
    path("session/", session.SessionView.as_view()),
    path("session/password/", session.PasswordView.as_view()),
    path("session/confirm/", session.ConfirmView.as_view()),
    path("session/ways/", session.WaysView.as_view()),
    path("session/second-factor/", second_factor.SecondFactorView.as_view()),
    path("people/<uuid:person_id>/second-factor/", second_factor.TheirSecondFactorView.as_view()),
    path("session/data/", personal_data.OwnDataView.as_view()),
    path("preferences/", session.PreferencesView.as_view()),
    path("invite/<str:secret>/", invitations.AcceptView.as_view()),
    path("phases/<uuid:phase_id>/dashboard/", dashboard.DashboardView.as_view()),
    path("rounds/<uuid:round_id>/agreement/", agreement.AgreementView.as_view()),
    path("profiles/", profiles.ProfilesView.as_view()),
    path("adjudication/", adjudication.QueuesView.as_view()),
    path("adjudication/<str:queue>/", adjudication.Cases.as_view({"get": "list"})),
    path("adjudication/<str:queue>/<uuid:pk>/", adjudication.Cases.as_view({"get": "retrieve", "post": "rule"})),
    path("adjudication/<str:queue>/<uuid:pk>/reopen/", adjudication.Cases.as_view({"post": "reopen"})),
    path("questions/<uuid:pk>/answer/", questions.AnswerView.as_view()),
    path("images/<str:ticket>/", images.ImageView.as_view()),
    path("pool/", pool.PoolView.as_view()),
    path("pool/markup/", markups.MarkupView.as_view()),
    path("solutions/", pool.SolutionsView.as_view()),
    path("solutions/<uuid:pk>/part/", pool.PartView.as_view()),
    path("solutions/without-gold/", pool.GoldCandidatesView.as_view()),
    *(path(f"{of}s/<uuid:pk>/withdrawal/", withdrawals.WithdrawalView.as_view(of=of)) for of in withdrawals.ROWS),
    path("splits/preview/", problems.SplitPreviewView.as_view()),
    path("splits/", problems.SplitsView.as_view()),
    path("benchmarks/", problems.BenchmarksView.as_view()),
    path("benchmarks/<uuid:pk>/", problems.BenchmarkView.as_view()),
    path("label-preview/", exports.LabelPreviewView.as_view()),
    path("exports/", exports.ExportView.as_view()),
    path("exports/beside/", exports.BesideView.as_view()),
    path("exports/preview/", exports.ExportPreviewView.as_view()),
    path("changes/", audit.ChangesView.as_view()),
    path("crashes/", crashes.CrashesView.as_view()),
]
