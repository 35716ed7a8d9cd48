from __future__ import annotations

import pytest

from tests.wovepaper.pipeline.conftest import KIND, Line
from wovepaper.pipeline import registry
from wovepaper.pipeline.registry import Stage


def test_stages_stand_in_the_order_of_the_line_whatever_the_order_of_registration(line: Line) -> None:
    for name in ("notify", "affiliate", "index"):
        line.add(name)
    assert [stage.name for stage in registry.stages_for(KIND)] == ["affiliate", "index", "notify"]
    after = registry.stage_after(KIND, "affiliate")
    assert after is not None
    assert after.name == "index"
    assert registry.stage_after(KIND, "notify") is None
    names = [stage.name for stage in registry.all_stages()]
    assert names == sorted(names, key=registry.ORDER.index)


def test_an_unknown_stage_and_a_second_handler(line: Line) -> None:
    with pytest.raises(ValueError, match="Unknown stage 'polish'; stages are affiliate, attribute"):
        line.add("polish")
    line.add("index")
    with pytest.raises(ValueError, match="Two handlers want the stage 'index' of 'thing'"):
        line.add("index")
    stage = registry.stages_for(KIND)[0]
    registry.register(Stage(stage.name, stage.kind, stage.handle, batch_size=7))
    assert registry.stages_for(KIND)[0].batch_size == 7
