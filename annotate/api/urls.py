from django.urls import path

from annotate.api import assignments, differences, questions
from labeling.api.requests import Router

router = Router()
router.register("assignments", assignments.Assignments, "assignments")
router.register("phases", assignments.OwnWork, "own-work")
router.register("phases", questions.OwnQuestions, "own-questions")

urlpatterns = [
    path("assignments/<uuid:pk>/submit/", assignments.SubmitView.as_view()),
    path("assignments/<uuid:pk>/draft/", assignments.DraftView.as_view()),
    path("assignments/<uuid:pk>/renew/", assignments.RenewView.as_view()),
    path("assignments/<uuid:pk>/questions/", questions.QuestionsView.as_view()),
    path("phases/<uuid:phase_id>/differences/", differences.DifferencesView.as_view()),
    path("phases/<uuid:phase_id>/claim/", assignments.ClaimView.as_view()),
    *router.urls,
]
