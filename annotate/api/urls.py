from django.urls import path

from annotate.api import assignments

urlpatterns = [
    path("phases/<uuid:phase_id>/claim/", assignments.ClaimView.as_view()),
    path("phases/<uuid:phase_id>/recent/", assignments.RecentView.as_view()),
    path("phases/<uuid:phase_id>/progress/", assignments.OwnProgressView.as_view()),
    path("assignments/<uuid:pk>/", assignments.AssignmentView.as_view()),
    path("assignments/<uuid:pk>/draft/", assignments.DraftView.as_view()),
    path("assignments/<uuid:pk>/renew/", assignments.RenewView.as_view()),
    path("assignments/<uuid:pk>/release/", assignments.ReleaseView.as_view()),
    path("assignments/<uuid:pk>/submit/", assignments.SubmitView.as_view()),
    path("assignments/<uuid:pk>/completions/", assignments.OfferView.as_view()),
    path("assignments/<uuid:pk>/report/", assignments.ReportView.as_view()),
]
