"""What the options that several commands share take, and what is said of other values."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fixtures.waiting import pass_time
from minebot.capture import Pixel, Window
from minebot.cli import options
from minebot.cli.options import Stoppable, within
from minebot.desktop.ports import WindowSession
from minebot.errors import UsageError
from minebot.stop import Stop
from tests.support.fake_desktop import FakeDesk


def _parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(exit_on_error=False)


def _refusal(kind: Callable[[str], object], text: str) -> str:
    """What argparse says of a value of that kind."""
    parser = _parser()
    parser.add_argument("--value", type=kind)
    with pytest.raises(argparse.ArgumentError) as caught:
        parser.parse_args([f"--value={text}"])
    assert "\n" not in str(caught.value)
    return caught.value.message


def test_a_size_is_columns_by_rows() -> None:
    assert options.size("30x16") == (30, 16)
    assert options.size("9999x1") == (9999, 1)


@pytest.mark.parametrize(
    "text", ["", "30", "30x", "0x5", "5x0", "30X16", "-3x4", "10000x4", "4x4x4"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    assert _refusal(options.size, text) == f"{text!r} is not columns x rows, as 30x16"


def test_a_pixel_is_a_column_and_a_row() -> None:
    assert options.pixel("120,34") == Pixel(120, 34)
    assert options.pixel("0,0") == Pixel(0, 0)


@pytest.mark.parametrize("text", ["", "120", "120,", "-1,3", "1.5,3", "120, 34", "100000,1"])
def test_what_is_no_pixel_is_refused(text: str) -> None:
    said = f"{text!r} is not a column and a row of pixels, as 120,34"
    assert _refusal(options.pixel, text) == said


def test_seconds_may_have_a_fraction() -> None:
    assert options.seconds("0.5") == 0.5


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e6"])
def test_seconds_are_positive_and_finite(text: str) -> None:
    assert _refusal(options.seconds, text) == f"{text} is not a positive number of seconds"


def test_a_count_is_a_whole_number_from_the_least_on() -> None:
    count = options.at_least(3)
    assert count("3") == 3
    assert _refusal(count, "2") == "2 is less than 3"
    for text in ("", "x", "3.5", "1e3"):
        assert _refusal(count, text) == f"invalid whole number value: {text!r}"


def test_a_count_has_a_default_of_its_own() -> None:
    parser = _parser()
    options.add(parser, [options.count("--mines", "the total", least=0, default=7)])
    assert parser.parse_args([]).mines == 7
    assert parser.parse_args(["--mines", "0"]).mines == 0


def test_a_parser_takes_the_options_of_its_table() -> None:
    parser = _parser()
    loud, out = options.switch("--loud", "say more"), options.path("--out", "where to")
    options.add(parser, (options.JSON, options.DISPLAY, loud, out))
    given = parser.parse_args(["--json", "--display", ":7", "--loud", "--out", "there"])
    assert (given.json, given.display, given.loud, given.out) == (True, ":7", True, Path("there"))
    nothing = parser.parse_args([])
    assert (nothing.json, nothing.display, nothing.loud, nothing.out) == (False, None, False, None)
    assert parser.parse_known_args(["--drill"])[1] == ["--drill"]


def test_only_commands_that_click_are_told_how() -> None:
    looking, clicking = _parser(), _parser()
    options.add(looking, [options.DESKTOP])
    options.add(clicking, [options.CLICKED_DESKTOP])
    assert clicking.parse_args(["--mouse", "pyautogui", "--no-stop-key"]).no_stop_key
    assert looking.parse_known_args(["--no-stop-key"])[1] == ["--no-stop-key"]
    for parser in (looking, clicking):
        assert parser.parse_args([]).desktop == "auto"
        with pytest.raises(argparse.ArgumentError, match="invalid choice: 'amiga'"):
            parser.parse_args(["--desktop", "amiga"])


FILE = Path("noise.png")


def _work() -> None:
    while True:
        pass


def _left() -> tuple[object, tuple[float, float]]:
    """Who hears the end of the time, and how much of it is left."""
    return signal.getsignal(signal.SIGPROF), signal.getitimer(signal.ITIMER_PROF)


def test_what_takes_too_long_is_given_up_and_named() -> None:
    with pytest.raises(UsageError) as caught, within(FILE, 0.05):
        _work()
    assert str(caught.value) == "noise.png: takes more than 0.05 seconds: given up"


def test_without_a_limit_the_usual_one_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "SECONDS", 0.04)
    with pytest.raises(UsageError, match=r"more than 0\.04 seconds"), within(FILE):
        _work()


def test_to_wait_takes_no_time() -> None:
    with within(FILE, 0.1):
        pass_time(0.3)


def test_nothing_is_left_of_the_limit() -> None:
    before = _left()
    with within(FILE, 60):
        assert _left() != before
    assert _left() == before
    with pytest.raises(ZeroDivisionError), within(FILE, 60):
        raise ZeroDivisionError
    assert _left() == before


def test_work_that_takes_the_end_for_another_error_is_ended_all_the_same() -> None:
    heard: list[UsageError] = []

    def work_on() -> None:
        try:
            _work()
        except UsageError as error:
            heard.append(error)
        _work()

    with pytest.raises(UsageError), within(FILE, 0.05):
        work_on()
    assert len(heard) == 1


PIXELS = np.zeros((60, 80, 4), np.uint8)


class Unheard(FakeDesk):
    """Where nothing but Ctrl-C is heard."""

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """See `FakeDesk`."""
        with super().open(window, stop) as window_session:
            yield replace(window_session, stops=frozenset())


def test_a_desktop_that_hears_the_user_is_played_on() -> None:
    desk = FakeDesk(PIXELS)
    stoppable = Stoppable([desk])
    assert list(stoppable.windows()) == [desk.window]
    window = stoppable.pick(None, lambda _: True)
    with stoppable.open(window, Stop()) as window_session:
        assert window_session.screen.grab().width == 80


def test_one_that_does_not_hear_them_is_refused_with_the_option_that_plays_all_the_same() -> None:
    desk = Unheard(PIXELS)
    with (
        pytest.raises(UsageError, match="--no-stop-key plays all the same"),
        Stoppable([desk]).open(desk.window, Stop()),
    ):
        pass
