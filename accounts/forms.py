"""What readers say about themselves and what they want."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django import forms

from accounts.models import Cadence, User
from accounts.suggestions import MOST_FIELDS
from accounts.time_zones import all_time_zones, offered_time_zones

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


def _place(zone: str) -> str:
    """``Argentina, Ushuaia`` for ``America/Argentina/Ushuaia``."""
    return ", ".join(zone.split("/")[1:]).replace("_", " ")


class TimeZoneField(forms.ChoiceField):
    """A choice of all time zones, under their continents. Known names that are not offered are taken too."""

    def __init__(self, **options: Any) -> None:
        places = groupby(offered_time_zones()[1:], key=lambda zone: zone.partition("/")[0])
        choices = [("UTC", "UTC"), *((area, [(zone, _place(zone)) for zone in zones]) for area, zones in places)]
        super().__init__(choices=choices, **options)

    def valid_value(self, value: Any) -> bool:
        """Any zone there is."""
        return str(value) in all_time_zones()

    def offer(self, zone: str) -> None:
        """Have the reader's own among the choices, whatever it is called."""
        if zone not in offered_time_zones():
            self.choices = [(zone, zone), *self.choices]  # type: ignore[misc, has-type]


class _WhenForm(forms.ModelForm):  # type: ignore[type-arg]
    """When and how often to be told."""

    time_zone = TimeZoneField(label="Time zone", widget=forms.Select(attrs={"data-guess-time-zone": ""}))
    cadence = forms.ChoiceField(label="How often", choices=Cadence.choices, widget=forms.RadioSelect)
    delivery_hour = forms.TypedChoiceField(
        label="At what hour",
        choices=HOURS,
        coerce=int,
        help_text="Of daily mail, and of weekly mail, which comes on Mondays.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        zone = self.fields["time_zone"]
        assert isinstance(zone, TimeZoneField)
        zone.offer(self.instance.time_zone)


class WhenForm(_WhenForm):
    """The last of the first questions."""

    class Meta:
        model = User
        fields = ("cadence", "delivery_hour", "time_zone")


class SettingsForm(_WhenForm):
    """What a reader can change at any time."""

    display_name = forms.CharField(
        label="Name",
        required=False,
        max_length=150,
        help_text="Shown to you, and with what you make public. Without one you are called by your e-mail address.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    class Meta:
        model = User
        fields = ("display_name", "time_zone", "cadence", "delivery_hour")

    def clean_display_name(self) -> str:
        """On one line."""
        return " ".join(self.cleaned_data["display_name"].split())


class FieldsForm(forms.Form):
    """Which categories a new reader wants to follow."""

    categories = forms.MultipleChoiceField(required=False)

    def __init__(self, *args: Any, codes: Iterable[str], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["categories"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(code, code) for code in codes]

    def clean_categories(self) -> list[str]:
        """At most ``MOST_FIELDS``."""
        chosen: list[str] = self.cleaned_data["categories"]
        if len(chosen) > MOST_FIELDS:
            raise forms.ValidationError(f"Choose at most {MOST_FIELDS} fields; you can follow more later.")
        return chosen


class PeopleForm(forms.Form):
    """Which of those suggested a new reader wants to follow."""

    researchers = forms.MultipleChoiceField(required=False)
    institutions = forms.MultipleChoiceField(required=False)

    def __init__(self, *args: Any, researchers: Iterable[int], institutions: Iterable[int], **options: Any) -> None:
        super().__init__(*args, **options)
        for name, keys in (("researchers", researchers), ("institutions", institutions)):
            field = self.fields[name]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(key, key) for key in keys]
