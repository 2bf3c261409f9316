"""A profile as text."""

from __future__ import annotations

import json

from bot.calibrate.samples import to_toml
from bot.profile.behaviour import Conduct, Dialog
from bot.profile.values import ApartLook, FramedLook, GridLook, Profile, SampleLook, StatusLook

__all__ = ["profile_text"]


def profile_text(profile: Profile) -> str:
    """The file of a profile whose cells are told by samples."""
    assert isinstance(profile.cells, SampleLook)
    parts = [
        f"name = {_text(profile.name)}",
        f"title = {_text(profile.title)}",
        f"looks = {_text(profile.looks)}",
        f"wm_class = [{', '.join(map(_text, profile.wm_class))}]",
        "",
        *_grid(profile.grid),
        "",
        *([*_status(profile.status), ""] if profile.status else []),
        *_conduct(profile.conduct),
    ]
    return "\n".join(parts) + "\n" + to_toml(profile.cells.samples)


def _grid(look: GridLook) -> list[str]:
    if isinstance(look, ApartLook):
        return [
            "[grid]",
            'kind = "apart"',
            f"ground_rgbs = {[list(ground) for ground in look.grounds]}",
            f"tolerance_levels = {look.tolerance}",
            f"smallest_tile_pixels = {look.smallest_tile}",
            *([f"least_step_pixels = {look.least_step}"] if look.least_step else []),
        ]
    if isinstance(look, FramedLook):
        return [
            "[grid]",
            'kind = "framed"',
            f"dark_rgb = {list(look.dark)}",
            f"light_rgb = {list(look.light)}",
            f"tolerance_levels = {look.tolerance}",
            f"bevel_tiles = {look.bevel}",
            f"smallest_tile_pixels = {look.smallest_tile}",
        ]
    return [
        "[grid]",
        'kind = "touching"',
        f"gap_pixels = {look.gap}",
        f"smallest_tile_pixels = {look.smallest_tile}",
    ]


def _status(look: StatusLook) -> list[str]:
    return [
        "[status]",
        f"side = {_text(look.side)}",
        *(
            f"{key} = {_text(getattr(look, key).pattern)}"
            for key in ("total", "won", "lost", "solved")
        ),
    ]


def _conduct(conduct: Conduct) -> list[str]:
    lines = []
    if conduct.new_game_key is not None:
        lines += ["[keys]", f"new_game = {_text(conduct.new_game_key)}", ""]
    lines += ["[timing]", f"answer_milliseconds = {round(1000 * conduct.answer)}"]
    if conduct.message:
        lines.append(f"end_message_milliseconds = {round(1000 * conduct.message)}")
    lines.append("")
    for dialog in conduct.dialogs:
        lines += [*_dialog(dialog), ""]
    return lines


def _dialog(dialog: Dialog) -> list[str]:
    return [
        "[[dialogs]]",
        f"title = {_text(dialog.title.pattern)}",
        f"when = {_text(dialog.when)}",
        f"keys = [{', '.join(map(_text, dialog.keys))}]",
    ]


def _text(value: str) -> str:
    """A basic string of TOML, which escapes as JSON does."""
    return json.dumps(value, ensure_ascii=False)
