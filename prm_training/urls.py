from django.urls import path
from rest_framework.routers import SimpleRouter

from prm_training.api import all_runs, arms, imports, pool, reward_models, runs, second_looks, verifier
from prm_training.loop.api import autopilots, loop

router = SimpleRouter(use_regex_path=False)
router.register("runs", all_runs.Runs, "runs")
router.register("training-runs", runs.TrainingRuns, "training-runs")
router.register("evaluation-runs", runs.EvaluationRuns, "evaluation-runs")
router.register("policy-replays", runs.PolicyReplays, "policy-replays")
router.register("scoring-runs", runs.ScoringRuns, "scoring-runs")
router.register("selections", runs.Selections, "selections")
router.register("selections/<uuid:selection_id>/items", runs.SelectionItems, "selection-items")
router.register("publications", runs.Publications, "publications")
router.register("generations", runs.Generations, "generations")
router.register("imports", imports.Imports, "imports")
router.register("reward-models", reward_models.RewardModels, "reward-models")
router.register("promotions", reward_models.Promotions, "promotions")
router.register("autopilots", autopilots.Autopilots, "autopilots")
router.register("verifier", verifier.Verifications, "verifier")

urlpatterns = [
    *router.urls,
    path("phases/<uuid:phase_id>/arms/", arms.ArmsView.as_view()),
    path("phases/<uuid:phase_id>/loop/", loop.LoopView.as_view()),
    path("workers/", reward_models.WorkersView.as_view()),
    path("second-looks/", second_looks.SecondLooksView.as_view()),
    path("label-noise/", second_looks.LabelNoiseView.as_view()),
    path("solutions/<uuid:pk>/scores/", reward_models.SolutionScoresView.as_view()),
    path("pool/solutions/", pool.PoolSolutionsView.as_view()),
    path("pool/solutions/<uuid:pk>/", pool.PoolSolutionView.as_view()),
]
