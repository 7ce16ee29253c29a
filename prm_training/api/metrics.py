"""Metrics of training and evaluation, as the staff's pages show them."""

from typing import Any

from rest_framework import serializers

from labeling.api.fields import interval_field
from prm_training.models import Policy


class TrainingMetricsSerializer(serializers.Serializer[Any]):
    """`epochs` exist while it trains: held-out metrics, and the optimiser `step` at which each epoch ended."""

    train_loss = serializers.FloatField(required=False)
    held_out = serializers.DictField(child=serializers.FloatField(), required=False)
    epochs = serializers.ListField(child=serializers.DictField(child=serializers.FloatField()), required=False)
    train_counts = serializers.DictField(child=serializers.IntegerField(), required=False)
    held_out_counts = serializers.DictField(child=serializers.IntegerField(), required=False)


class CalibrationBinSerializer(serializers.Serializer[Any]):
    low = serializers.FloatField()
    high = serializers.FloatField()
    count = serializers.IntegerField()
    mean_probability = serializers.FloatField()
    frequency = serializers.FloatField()
    interval = interval_field(required=False)


class FirstErrorSerializer(serializers.Serializer[Any]):
    """First-error metrics as in ProcessBench; each half's threshold was chosen on the other half."""

    f1 = serializers.FloatField(required=False)
    erroneous = serializers.FloatField(required=False)
    correct = serializers.FloatField(required=False)
    f1_at_half = serializers.FloatField(required=False, help_text="At a threshold of one half, as in ProcessBench.")
    thresholds = serializers.ListField(child=serializers.FloatField(), required=False)
    solutions_erroneous = serializers.IntegerField(required=False)
    solutions_correct = serializers.IntegerField(required=False)
    decided_at_the_end = serializers.FloatField(required=False)


class CurveSerializer(serializers.Serializer[Any]):
    """One value for each of `sizes`."""

    values = serializers.ListField(child=serializers.FloatField())
    intervals = serializers.ListField(child=interval_field())


class BestOfNSerializer(serializers.Serializer[Any]):
    """`curves` for each way of choosing, with 95 % intervals over problems, and for the `proxy`: the best score that
    the model expects.

    `quintiles` go from the easiest problems to the hardest.
    """

    problems = serializers.IntegerField(required=False)
    sizes = serializers.ListField(child=serializers.IntegerField(), required=False)
    curves = serializers.DictField(child=CurveSerializer(), required=False)
    falls_at = serializers.IntegerField(
        required=False, allow_null=True, help_text="The first N at which the proxy rose but accuracy fell."
    )
    quintiles = serializers.ListField(child=serializers.DictField(child=serializers.FloatField()), required=False)


class DifferenceSerializer(serializers.Serializer[Any]):
    """New minus old, paired by problem; no interval if the two give the same for every problem."""

    value = serializers.FloatField()
    low = serializers.FloatField(required=False)
    high = serializers.FloatField(required=False)


class EvaluationMetricsSerializer(serializers.Serializer[Any]):
    """`intervals` are 95 % intervals of `held_out`'s and `first_error`'s metrics, by name, resampled by problem.

    `differences` are from the baseline, for the same metrics.
    """

    held_out = serializers.DictField(child=serializers.FloatField(), required=False)
    intervals = serializers.DictField(child=interval_field(), required=False)
    differences = serializers.DictField(child=DifferenceSerializer(), required=False)
    problems = serializers.IntegerField(required=False, help_text="How many problems have held-out labels.")
    labels_left_out = serializers.IntegerField(
        required=False, help_text="Labels that one of the two models can't read to the end: too long."
    )
    calibration = CalibrationBinSerializer(many=True, required=False)
    first_error = FirstErrorSerializer(required=False)
    best_of_n = BestOfNSerializer(required=False)


class EvaluatedSerializer(serializers.Serializer[Any]):
    """Metrics of the newest evaluation; see EvaluationMetrics."""

    held_out = serializers.DictField(child=serializers.FloatField(), default=dict)
    intervals = serializers.DictField(child=interval_field(), default=dict)
    problems = serializers.IntegerField(allow_null=True, default=None)


class ReplayPointSerializer(serializers.Serializer[Any]):
    """Held-out step AUC after a policy's picks had so many step labels, in so many labellings."""

    policy = serializers.ChoiceField(choices=Policy.choices)
    seed = serializers.IntegerField()
    labels = serializers.IntegerField()
    labellings = serializers.IntegerField()
    step_auc = serializers.FloatField()


class ReplayMetricsSerializer(serializers.Serializer[Any]):
    points = ReplayPointSerializer(many=True, required=False)
