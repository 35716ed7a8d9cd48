"""Run the tests named on the command line: ``python -m adapter test_haystack.test_query``."""

from __future__ import annotations

import os
import sys

import django

if os.environ.get("HAYSTACK_TEST_STAND_INS"):
    from adapter import stand_ins

    stand_ins.install()
django.setup()

from django.core.management import call_command  # noqa: E402 - Django must be set up first

call_command("test", *sys.argv[1:], verbosity=1)
