#!/usr/bin/env python
"""Run a wovepaper command: ``uv run manage.py up`` starts the whole portal on this machine."""

import os
import sys


def main() -> None:
    """Start the embedded database if this command needs it, then hand over to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wovepaper.settings")
    from wovepaper.embedded.bootstrap import prepare_environment

    embedded = prepare_environment(sys.argv)
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from wovepaper.embedded.errors import describe_full_disk, tells_of_full_disk

    try:
        from wovepaper.portal.tables import prepare_tables

        prepare_tables(sys.argv, embedded=embedded)
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except Exception as error:
        if tells_of_full_disk(error):
            from django.conf import settings

            sys.exit(describe_full_disk(settings.VAR_DIR))
        raise


if __name__ == "__main__":
    main()
