from django.urls import path

from labeling.api import labellings, people, phases, pool, reports, rounds, session

urlpatterns = [
    path("session/", session.SessionView.as_view()),
    path("preferences/", session.PreferencesView.as_view()),
    path("people/", people.PeopleView.as_view()),
    path("phases/", phases.PhasesView.as_view()),
    path("phases/<uuid:pk>/", phases.PhaseView.as_view()),
    path("phases/<uuid:phase_id>/members/", phases.MembersView.as_view()),
    path("rounds/", rounds.RoundsView.as_view()),
    path("rounds/<uuid:round_id>/close/", rounds.CloseRoundView.as_view()),
    path("labellings/", labellings.LabellingsView.as_view()),
    path("labellings/<uuid:pk>/", labellings.LabellingView.as_view()),
    path("reports/", reports.ReportsView.as_view()),
    path("reports/<uuid:pk>/resolve/", reports.ResolveView.as_view()),
    path("pool/", pool.PoolView.as_view()),
]
