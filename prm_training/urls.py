from django.urls import path
from rest_framework.routers import SimpleRouter

from labeling.rules.words import RunKind
from prm_training.api import all_runs, arms, pool, reward_models, runs, second_looks, verifier
from prm_training.loop.api import autopilots, loop

router = SimpleRouter(use_regex_path=False)
router.register("runs", all_runs.Runs, "runs")
for view in all_runs.LISTED:
    address = RunKind(view.serializer_class.Meta.model.KIND).traits.path
    router.register(address, view, address)
router.register("selections/<uuid:selection_id>/items", runs.SelectionItems, "selection-items")
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
