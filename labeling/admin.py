"""Django's admin site, for what has no page of its own yet."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from labeling import models


@admin.register(models.User)
class PersonAdmin(UserAdmin[models.User]):
    list_display = ("username", "role", "is_active", "is_superuser")
    list_filter = ("role", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Stepmark", {"fields": ("role",)}))


@admin.register(models.Phase)
class PhaseAdmin(admin.ModelAdmin[models.Phase]):
    list_display = ("name", "kind", "status")


@admin.register(models.Membership)
class MembershipAdmin(admin.ModelAdmin[models.Membership]):
    list_display = ("phase", "user")
    autocomplete_fields = ("user",)
