"""The project as a whole: its pins, its layout, its promises about imports and variables."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = [Requirement(pin) for pin in PROJECT["tool"]["uv"]["constraint-dependencies"]]
HERE = {canonicalize_name(pin.name): str(pin.specifier) for pin in PINS if not pin.marker or pin.marker.evaluate()}
APPS = ("accounts", "researchers", "papers", "institutions")
ENGINES = ("harvest", "pipeline", "search", "curation", "lib")
TOP_LEVEL = {
    *("manage.py", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"),
    *("wovepaper", *APPS, "templates", "tests", ".ci", ".gitignore", ".gitattributes", ".editorconfig"),
}


def tracked() -> list[Path]:
    """Every file git knows or would take, as a path below the checkout."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in output.splitlines() if (CHECKOUT / line).exists()]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse((CHECKOUT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# --- versions ------------------------------------------------------------------------------------------------


def test_installed_versions_are_the_pinned_ones() -> None:
    installed = {canonicalize_name(one.metadata["Name"]): one.version for one in distributions()}
    for name in ("pip", "setuptools", "wheel"):  # the environment's own
        installed.pop(name, None)
    assert len(installed) > 100
    wrong = {name: version for name, version in installed.items() if HERE.get(name) != f"=={version}"}
    assert wrong == {}, "run `python .ci/pin`, then `uv sync`"


def test_every_dependency_named_is_pinned_exactly() -> None:
    groups = [PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"].values()]
    named = {canonicalize_name(Requirement(line).name) for group in groups for line in group}
    assert named - HERE.keys() == set()
    assert all(re.fullmatch(r"==[^*,]+", str(pin.specifier)) for pin in PINS)


def test_two_pins_of_one_package_never_hold_at_once() -> None:
    names = [canonicalize_name(pin.name) for pin in PINS if not pin.marker]
    assert len(names) == len(set(names))
    assert {canonicalize_name(pin.name) for pin in PINS if pin.marker}.isdisjoint(names)


def test_no_file_says_where_packages_come_from() -> None:
    assert "index" not in PROJECT["tool"]["uv"]
    assert "sources" not in PROJECT["tool"]["uv"]
    assert Path("uv.lock") not in tracked()


# --- layout --------------------------------------------------------------------------------------------------


def test_nothing_else_lies_at_the_top() -> None:
    found = {path.parts[0] for path in tracked()}
    assert found - TOP_LEVEL == set()
    assert TOP_LEVEL - {".gitattributes", ".editorconfig"} - found == set()


def test_apps_and_engines_are_where_they_belong() -> None:
    files = set(tracked())
    for app in APPS:
        assert Path(app, "apps.py") in files
    for engine in ENGINES:
        assert Path("wovepaper", engine, "__init__.py") in files


def test_decisions_are_numbered_without_a_gap() -> None:
    titles = {
        path.name: (CHECKOUT / path).read_text(encoding="utf-8").partition("\n")[0]
        for path in sorted(tracked())
        if path.match("wovepaper/docs/decisions/*")
    }
    assert "0001-layers-that-import-one-way.md" in titles
    for number, (name, title) in enumerate(titles.items(), start=1):
        assert re.fullmatch(rf"{number:04}-[a-z0-9-]+\.md", name), name
        assert title.startswith(f"# {number}. "), name


def test_no_module_is_a_junk_drawer() -> None:
    names = {"utils", "util", "helpers", "helper", "common", "misc", "shared", "tools"}
    assert [str(path) for path in tracked() if {path.stem, *path.parent.parts} & names] == []


def test_tests_mirror_the_packages() -> None:
    of_their_own = {"flows", "browser", "benchmarks", "upstreams"}
    files = tracked()
    packages = {path.parent for path in files if path.suffix == ".py" and path.parts[0] != "tests"}
    packages |= {parent for package in packages for parent in package.parents}
    homes = {path.parent.relative_to("tests") for path in files if path.suffix == ".py" and path.parts[0] == "tests"}
    lost = [str(home) for home in homes if home not in packages and not of_their_own & set(home.parts[:1])]
    assert lost == [], "tests of a package lie in tests/<path of the package>"


def test_every_module_has_a_size_one_can_read() -> None:
    """Past about 400 lines a module is split by noun; tests may be longer, since each stands for itself."""
    long = {}
    for path in tracked():
        size = len((CHECKOUT / path).read_text(encoding="utf-8").splitlines()) if path.suffix == ".py" else 0
        if size > (600 if path.parts[0] == "tests" else 450):
            long[str(path)] = size
    assert long == {}


# --- imports and variables -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        (
            "wovepaper/lib",
            (
                "django.utils",
                "django.conf",
                "django.contrib.admin",
                "django.core.exceptions",
                "django.core.paginator",
                "django.http",
                "django.template",
            ),
        ),
        ("papers/sources", ("django.utils", "django.conf")),
    ],
)
def test_library_and_sources_know_no_database(package: str, allowed: tuple[str, ...]) -> None:
    """Sources fetch and parse; library modules are nouns without models. Both leave saving to others."""
    for path in tracked():
        if path.suffix == ".py" and path.is_relative_to(package):
            wrong = [name for name in imports(path) if name.split(".")[0] in {"django", "psycopg"}]
            assert [f"{path}: {name}" for name in wrong if not name.startswith(allowed)] == []


def test_every_variable_is_in_the_readme() -> None:
    files = ("wovepaper/settings.py", "wovepaper/embedded/bootstrap.py")
    source = "".join((CHECKOUT / name).read_text(encoding="utf-8") for name in files)
    names = set(re.findall(r'(?:env\.\w+|environ\.get|_text|_integer|_base_url)\(\s*"([A-Z0-9_]+)"', source))
    assert {"SECRET_KEY", "ARXIV_OAI_URL", "TRUSTED_PROXY_COUNT", "LOG_LEVEL", "VAR_DIR"} <= names
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert [name for name in sorted(names) if f"`{name}`" not in readme] == []


def test_every_command_is_in_the_readme() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    commands = [path.stem for path in tracked() if path.match("*/management/commands/[a-z]*.py")]
    assert "up" in commands
    assert [name for name in commands if not re.search(rf"`manage\.py {name}\b", readme)] == []
