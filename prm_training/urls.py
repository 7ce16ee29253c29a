from django.urls import path

from prm_training.api import all_runs, imports, lineage, pool, reward_models, runs, scores, second_looks, verifier
from prm_training.loop.api import autopilots, loop

KINDS: dict[str, type[runs.RunsView]] = {
    "training-runs": runs.TrainingRunsView,
    "evaluation-runs": runs.EvaluationRunsView,
    "scoring-runs": runs.ScoringRunsView,
    "selections": runs.SelectionsView,
    "publications": runs.PublicationsView,
    "generations": runs.GenerationsView,
    "imports": imports.ImportsView,
}

urlpatterns = [
    path("phases/<uuid:phase_id>/loop/", loop.LoopView.as_view()),
    path("autopilots/<uuid:pk>/", autopilots.AutopilotView.as_view()),
    path("autopilots/<uuid:pk>/on/", autopilots.SwitchOnView.as_view()),
    path("autopilots/<uuid:pk>/off/", autopilots.SwitchOffView.as_view()),
    path("reward-models/", reward_models.RewardModelsView.as_view()),
    path("reward-models/<uuid:pk>/", lineage.RewardModelView.as_view()),
    path("reward-models/<uuid:pk>/download/", lineage.DownloadView.as_view()),
    path("runs/", all_runs.AllRunsView.as_view()),
    path("runs/<uuid:pk>/", all_runs.AnyRunView.as_view()),
    path("runs/<uuid:pk>/cancel/", all_runs.CancelRunView.as_view()),
    path("runs/<uuid:pk>/retry/", all_runs.RetryRunView.as_view()),
    path("reward-models/<uuid:pk>/promote/", reward_models.PromoteView.as_view()),
    path("promotions/", reward_models.PromotionsView.as_view()),
    path("promotions/roll-back/", reward_models.RollBackView.as_view()),
    path("verifier/", verifier.VerifierView.as_view()),
    path("verifier/<uuid:pk>/", verifier.VerificationView.as_view()),
    path("second-looks/", second_looks.SecondLooksView.as_view()),
    path("label-noise/", second_looks.LabelNoiseView.as_view()),
    path("solutions/<uuid:pk>/scores/", scores.SolutionScoresView.as_view()),
    path("pool/solutions/", pool.PoolSolutionsView.as_view()),
    path("pool/solutions/<uuid:pk>/", pool.PoolSolutionView.as_view()),
    path("workers/", reward_models.WorkersView.as_view()),
    path("imports/<uuid:pk>/errors/", imports.ImportErrorsView.as_view()),
    path("imports/limit/", imports.LimitView.as_view()),
    path("imports/<uuid:pk>/bad-lines/", imports.BadLinesView.as_view()),
    path("imports/<uuid:pk>/undo/", imports.UndoView.as_view()),
    path("selections/<uuid:pk>/items/", runs.SelectionItemsView.as_view()),
    path("selections/<uuid:pk>/discard/", runs.DiscardView.as_view()),
]
for kind, view in KINDS.items():
    urlpatterns += [path(f"{kind}/", view.as_view()), path(f"{kind}/<uuid:pk>/", runs.RunView.as_view(runs=view))]
