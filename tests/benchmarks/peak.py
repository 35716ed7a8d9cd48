"""Run in a process of its own: do something big, print the peak of memory as JSON.

``python -m tests.benchmarks.peak harvest FILE…`` or ``… reindex``. The settings come from the environment.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wovepaper.settings")


def peak_megabytes() -> float:
    """The largest resident set so far, of this process alone. 1 MB is 1,000,000 bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1_024 / 1e6
    raise RuntimeError("The kernel does not tell the peak of memory.")


def main(what: str, *arguments: str) -> None:
    """Do it and tell."""
    import django

    django.setup()
    from wovepaper.harvest import registry
    from wovepaper.harvest.counts import Counts
    from wovepaper.harvest.options import HarvestOptions
    from wovepaper.harvest.reporter import SilentReporter
    from wovepaper.harvest.services import harvest_files

    peaks = [peak_megabytes()]

    class Reporter(SilentReporter):
        def page(self, counts: Counts) -> None:
            peaks.append(peak_megabytes())

    if what == "harvest":
        # Each file as one answer and one transaction, as from the network; from a file it would be cut up.
        options = HarvestOptions(file_page_records=3_500)
        source = registry.get("demo").source
        source.read_file = lambda path: [source.read_page(path.read_bytes(), stream="")]  # type: ignore[method-assign]
        summary = harvest_files(name="demo", paths=[Path(a) for a in arguments], options=options, reporter=Reporter())
        assert summary.ok, summary.problems
        said = {"peaks": peaks, "seen": summary.counts.seen, "new": summary.counts.new}
    else:
        from django.core.management import call_command

        call_command("reindex", verbosity=0)
        said = {"peaks": [*peaks, peak_megabytes()]}
    sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
