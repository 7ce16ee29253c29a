"""People, for admins."""

from typing import Any

from django.contrib.auth.password_validation import validate_password
from rest_framework import generics, serializers

from labeling import people
from labeling.api.permissions import IsAdmin
from labeling.models import Role, User


class NewPersonSerializer(serializers.ModelSerializer[User]):
    password = serializers.CharField(write_only=True, validators=[validate_password])
    role = serializers.ChoiceField(choices=Role.choices, default=Role.ANNOTATOR)

    class Meta:
        model = User
        fields = ["id", "username", "password", "role", "is_active"]
        read_only_fields = ["is_active"]

    def create(self, validated_data: dict[str, Any]) -> User:
        return people.add_person(**validated_data)


class PeopleView(generics.ListCreateAPIView[User]):
    permission_classes = [IsAdmin]
    serializer_class = NewPersonSerializer
    queryset = User.objects.order_by("username")
