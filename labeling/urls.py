from django.urls import path
from rest_framework.routers import SimpleRouter

from labeling.api import audit
from labeling.campaign.api import agreement, dashboard, gold, phases, rounds, settings
from labeling.data.api import exports, pool
from labeling.people.api import invitations, members, people, rosters, session, tokens
from labeling.review.api import adjudication, labellings

router = SimpleRouter(use_regex_path=False)
router.register("tokens", tokens.OwnTokens, "own-tokens")
router.register("people", people.People, "people")
router.register("people", rosters.Rosters, "rosters")
router.register("people/<uuid:person_id>/tokens", tokens.TheirTokens, "their-tokens")
router.register("invitations", invitations.Invitations, "invitations")
router.register("phases/<uuid:phase_id>/members", members.Members, "members")

urlpatterns = [
    *router.urls,
    path("session/", session.SessionView.as_view()),
    path("session/password/", session.PasswordView.as_view()),
    path("preferences/", session.PreferencesView.as_view()),
    path("invite/<str:secret>/", invitations.AcceptView.as_view()),
    path("phases/", phases.PhasesView.as_view()),
    path("phases/<uuid:phase_id>/settings/", settings.SettingsView.as_view()),
    path("phases/<uuid:phase_id>/guidelines/", settings.GuidelinesView.as_view()),
    path("phases/<uuid:phase_id>/guidelines/<str:version>/", settings.GuidelinesVersionView.as_view()),
    path("phases/<uuid:phase_id>/dashboard/", dashboard.DashboardView.as_view()),
    path("phases/<uuid:phase_id>/clone/", settings.CloneView.as_view()),
    path("phases/<uuid:phase_id>/screening/", gold.ScreeningView.as_view()),
    path("phases/<uuid:phase_id>/gold/", gold.ReachesView.as_view()),
    path("gold/", gold.GoldsView.as_view()),
    path("gold/import/", gold.ImportView.as_view()),
    path("gold/sets/", gold.SetsView.as_view()),
    path("solutions/", pool.SolutionsView.as_view()),
    path("rounds/", rounds.RoundsView.as_view()),
    path("rounds/<uuid:round_id>/", rounds.RoundView.as_view({"get": "retrieve"})),
    *(
        path(f"rounds/<uuid:round_id>/{act}/", rounds.RoundView.as_view({"post": act}))
        for act in ("close", "reopen", "withdraw", "prioritise")
    ),
    path("rounds/<uuid:round_id>/tasks/", rounds.TasksView.as_view()),
    path("rounds/<uuid:round_id>/agreement/", agreement.AgreementView.as_view()),
    path("rounds/<uuid:round_id>/consensus/", agreement.ConsensusView.as_view()),
    path("changes/", audit.ChangesView.as_view()),
    path("exports/", exports.ExportView.as_view()),
    path("label-preview/", exports.LabelPreviewView.as_view()),
    path("labellings/", labellings.LabellingsView.as_view()),
    path("labellings/<uuid:pk>/", labellings.LabellingView.as_view()),
    path("adjudication/", adjudication.QueuesView.as_view()),
    path("adjudication/<str:queue>/", adjudication.WaitingView.as_view()),
    path("adjudication/<str:queue>/<uuid:pk>/", adjudication.CaseView.as_view()),
    path("pool/", pool.PoolView.as_view()),
]
