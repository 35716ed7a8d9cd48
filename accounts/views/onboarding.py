"""The first questions to a new reader, a page each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.forms import FieldsForm, PeopleForm, WhenForm
from accounts.models import Follow, User
from accounts.services.errors import AccountError
from accounts.services.onboarding import STEPS, choose_fields, choose_people, next_step, reach_step
from accounts.suggestions import suggest_institutions, suggest_researchers
from accounts.views.reader import reader_of
from papers.category_groups import group_categories
from papers.models import Category
from wovepaper.lib.countries import country_name

Step = User.Onboarding


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def onboarding(request: HttpRequest) -> HttpResponse:
    """``/accounts/welcome/``: the question at which the reader is, or that of ``?step=``.

    Every question can be skipped, and so can all of them; whoever comes back goes on where they were.
    """
    user = reader_of(request)
    step = _step(request, user)
    if request.method != "POST":
        return _PAGES[step](request, user)
    said = request.POST.get("action", "")
    if said == "stop":
        reach_step(user=user, step=Step.DONE)
        return HttpResponseRedirect("/")
    if said != "skip":
        page = _PAGES[step](request, user)
        if page.status_code != 302:
            return page
    following = next_step(step)
    reach_step(user=user, step=following)
    if following is Step.DONE:
        messages.success(request, "That is all. You can change everything in your settings.")
        return HttpResponseRedirect("/")
    return HttpResponseRedirect(f"{reverse('onboarding')}?step={following.value}")


def _step(request: HttpRequest, user: User) -> Step:
    asked = request.POST.get("step") or request.GET.get("step") or user.onboarding
    return Step(asked) if asked in STEPS else STEPS[0]


def _fields(request: HttpRequest, user: User) -> HttpResponse:
    groups = group_categories(Category.objects.filter(is_active=True, canonical=None))
    codes = [one.code for group in groups for one in group.categories]
    followed = list(Follow.objects.of(user.pk).exclude(category=None).values_list("category", flat=True))
    form = FieldsForm(request.POST if request.method == "POST" else None, codes=codes)
    if form.is_bound and form.is_valid():
        # What is followed and not among the choices, such as a closed category, is left alone.
        kept = set(followed) - set(codes)
        if _done(form, lambda: choose_fields(user=user, codes={*form.cleaned_data["categories"], *kept})):
            return HttpResponseRedirect(request.path)
    chosen = set(form.data.getlist("categories") if form.is_bound else followed)  # type: ignore[attr-defined]
    context = {
        "groups": [(group, any(one.code in chosen for one in group.categories)) for group in groups],
        "chosen": chosen,
    }
    return _page(request, Step.FIELDS, form, context)


def _people(request: HttpRequest, user: User) -> HttpResponse:
    codes = list(Follow.objects.of(user.pk).exclude(category=None).order_by("pk").values_list("category", flat=True))
    researchers = suggest_researchers(user_id=user.pk, codes=codes)
    institutions = suggest_institutions(user_id=user.pk, codes=codes)
    form = PeopleForm(
        request.POST if request.method == "POST" else None,
        # What was suggested a moment ago may be followed or overtaken by now; following checks what it is given.
        researchers=_numbers(request, "researchers"),
        institutions=_numbers(request, "institutions"),
    )
    if form.is_bound and form.is_valid():
        chosen = form.cleaned_data
        if _done(
            form,
            lambda: choose_people(user=user, researchers=chosen["researchers"], institutions=chosen["institutions"]),
        ):
            return HttpResponseRedirect(request.path)
    places = [(one, country_name(one.where) if one.where else "") for one in institutions]
    return _page(
        request, Step.PEOPLE, form, {"researchers": researchers, "institutions": places, "has_fields": bool(codes)}
    )


def _when(request: HttpRequest, user: User) -> HttpResponse:
    form = WhenForm(request.POST if request.method == "POST" else None, instance=User.objects.get(pk=user.pk))
    if form.is_bound and form.is_valid():
        form.save()
        return HttpResponseRedirect(request.path)
    return _page(request, Step.CADENCE, form, {})


def _done(form: forms.BaseForm, act: Callable[[], None]) -> bool:
    """Whether it was; otherwise the form says why not."""
    try:
        act()
    except AccountError as error:
        form.add_error(None, str(error))
        return False
    return True


def _page(request: HttpRequest, step: Step, form: forms.BaseForm, context: Mapping[str, object]) -> HttpResponse:
    number = STEPS.index(step)
    everything = {
        **context,
        "form": form,
        "step": step.value,
        "number": number + 1,
        "of": len(STEPS),
        "before": STEPS[number - 1].value if number else "",
    }
    template = f"account/onboarding/{step.value}.html"
    return render(request, template, everything, status=400 if form.is_bound and form.errors else 200)


_PAGES = {Step.FIELDS: _fields, Step.PEOPLE: _people, Step.CADENCE: _when}
_MOST_TICKED = 40


def _numbers(request: HttpRequest, name: str) -> list[int]:
    ticked = request.POST.getlist(name)[:_MOST_TICKED] if request.method == "POST" else []
    return [int(one) for one in ticked if one.isascii() and one.isdecimal() and len(one) <= 18]
