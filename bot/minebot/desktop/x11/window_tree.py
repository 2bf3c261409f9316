"""The windows of an X display: which there are, whose frames they are in, what covers what."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import xcffib
from xcffib import xproto

from minebot.capture import Rect, State, Window
from minebot.desktop.x11.display import GONE, Display, errors_mapped
from minebot.errors import WindowGone

_ICONIC = 3
"""WM_STATE of a minimised window. Specified by ICCCM 4.1.3.1."""
_BRIEF = (
    *("MENU", "DROPDOWN_MENU", "POPUP_MENU", "COMBO"),
    *("TOOLTIP", "NOTIFICATION", "SPLASH", "DND"),
)
"""The types of windows that go by themselves, or ask for nothing; EWMH 1.5."""
_ALL_DESKTOPS = 0xFFFFFFFF
"""_NET_WM_DESKTOP of a window that is on every desktop. Specified by EWMH."""


@errors_mapped()
def list_windows(display: Display) -> list[Window]:
    """The programs' windows, those of every desktop and the minimised ones too."""
    windows = []
    for client in _clients(display):
        with suppress(*GONE):  # closed since the list was made
            windows.append(_window(display, client))
    return windows


def dialogs_of(display: Display, window: int, older: Collection[str] | None = None) -> list[Window]:
    """What the window's program has put in front of it and shows, latest last.

    Not all programs say which window theirs belong to: with the ids of the `older` ones, each newer
    window of that program over this one counts, without a frame too, but for menus and tooltips.
    """
    windows = {each.id: each for each in list_windows(display)}
    if older is not None:
        for each in _frameless(display, window):
            windows.setdefault(each.id, each)
    game = windows.pop(_id(window), None)

    def is_dialog(other: Window) -> bool:
        if other.parent == _id(window):
            return True
        if older is None or other.id in older or other.rect is None:
            return False
        is_over = game is not None and game.rect is not None and game.rect.meets(other.rect)
        return is_over and is_same_program(display, number(other), window)

    return [one for one in windows.values() if one.state is State.SHOWN and is_dialog(one)]


def _frameless(display: Display, window: int) -> list[Window]:
    """What the window's program shows past the window manager, but for menus and the like."""
    found = []
    brief = {display.atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in _BRIEF}
    for top in display.core.QueryTree(display.root).reply().children:
        if not is_same_program(display, top, window):
            continue
        with suppress(*GONE):  # closed meanwhile
            attributes = display.core.GetWindowAttributes(top).reply()
            if (
                attributes.override_redirect
                and attributes.map_state == xproto.MapState.Viewable
                and display.ask(top, "WM_CLASS").reply().type
                and brief.isdisjoint(display.numbers(display.ask(top, "_NET_WM_WINDOW_TYPE")))
            ):
                found.append(_window(display, top))
    return found


def is_same_program(display: Display, one: int, other: int) -> bool:
    """Whether one connection has made both: the server gives each a range of numbers."""
    ranges = ~int(display.setup.resource_id_mask)
    return one & ranges == other & ranges


def number(window: Window) -> int:
    """What the X server calls the window."""
    return int(window.id, 16)


def _id(window: int) -> str:
    return f"{window:#x}"


def managed(display: Display) -> bool:
    """Whether a window manager runs that follows the EWMH."""
    name = "_NET_SUPPORTING_WM_CHECK"
    check = display.numbers(display.ask(display.root, name))
    # A manager that crashed leaves its property behind, but not the window it names.
    with suppress(xproto.WindowError):
        return bool(check) and display.numbers(display.ask(check[0], name)) == check
    return False


def root_rect(display: Display) -> Rect:
    """The whole screen, in points."""
    size = display.core.GetGeometry(display.root).reply()
    return Rect(0, 0, size.width, size.height)


def place(display: Display, window: int) -> Rect:
    """Where the window's inside is on the screen, border and frame left out."""
    asked = display.core.TranslateCoordinates(window, display.root, 0, 0)
    size, corner = display.core.GetGeometry(window).reply(), asked.reply()
    return Rect(corner.dst_x, corner.dst_y, size.width, size.height)


def state(display: Display, window: int) -> State:
    """Whether the window can be seen, leaving aside what covers it."""
    attributes = display.core.GetWindowAttributes(window)
    wm_state = display.ask(window, "WM_STATE")
    net_state = display.ask(window, "_NET_WM_STATE")
    on_desktop = display.ask(window, "_NET_WM_DESKTOP")
    current = display.ask(display.root, "_NET_CURRENT_DESKTOP")
    viewable = attributes.reply().map_state == xproto.MapState.Viewable
    iconic = display.numbers(wm_state)[:1] == (_ICONIC,)
    hidden = display.atom("_NET_WM_STATE_HIDDEN") in display.numbers(net_state)
    desktop, here = display.numbers(on_desktop), display.numbers(current)
    if desktop and here and desktop[0] not in (here[0], _ALL_DESKTOPS):
        return State.ELSEWHERE
    return State.MINIMISED if hidden or iconic or not viewable else State.SHOWN


def top_level(display: Display, window: int) -> int:
    """The ancestor of `window`, or itself, that lies directly in the root: its frame."""
    above = window
    while True:
        try:
            tree = display.core.QueryTree(above).reply()
        except xproto.WindowError:
            if above == window:
                raise
            above = window  # a window manager took the frame away meanwhile: there is another
            continue
        if tree.parent in (display.root, xcffib.XCB_NONE):
            return above
        above = tree.parent


def covering(display: Display, frame: int, rect: Rect) -> list[str]:
    """What lies above the top-level window `frame` on some pixel of `rect`, nearest first.

    Windows that only listen, and those that let clicks through everywhere as a compositor's overlay
    does, do not cover. Raises WindowGone when there is no such top-level window.
    """
    stack = list(display.core.QueryTree(display.root).reply().children)
    if frame not in stack:
        raise WindowGone("the window has been closed")
    asked = [
        (
            other,
            display.core.GetWindowAttributes(other),
            display.core.GetGeometry(other),
            display.shape.GetRectangles(other, xcffib.shape.SK.Bounding),
            display.shape.GetRectangles(other, xcffib.shape.SK.Input),
        )
        for other in stack[stack.index(frame) + 1 :]
    ]
    found = []
    for other, *cookies in asked:
        with suppress(*GONE):  # closed meanwhile
            attributes, inside, outline, taken = (cookie.reply() for cookie in cookies)
            # An outline's corner is the inside's corner; an unshaped window's starts at the border.
            left, top = inside.x + inside.border_width, inside.y + inside.border_width
            parts = [Rect(left + p.x, top + p.y, p.width, p.height) for p in outline.rectangles]
            if (
                attributes.map_state == xproto.MapState.Viewable
                and attributes._class == xproto.WindowClass.InputOutput
                and len(taken.rectangles)
                and any(part.meets(rect) for part in parts)
            ):
                found.append(describe(display, other))
    return found


def describe(display: Display, top: int) -> str:
    """What the user would call the top-level window: its program and title."""
    client = _client_in(display, top) or top
    try:
        return str(_window(display, client))
    except GONE:
        return f"a window ({_id(top)}) that has just been closed"


def _clients(display: Display) -> list[int]:
    if managed(display) and display.ask(display.root, "_NET_CLIENT_LIST").reply().type:
        return list(display.numbers(display.ask(display.root, "_NET_CLIENT_LIST")))
    tops = display.core.QueryTree(display.root).reply().children
    clients = (_client_in(display, top) for top in tops)
    return [client for client in clients if client is not None]


def _client_in(display: Display, top: int) -> int | None:
    """The program's own window in (or as) a top-level window, if it is a program's."""
    level = [top]
    while level:
        asked = [(w, display.ask(w, "WM_STATE"), display.core.QueryTree(w)) for w in level]
        level = []
        for window, wm_state, tree in asked:
            with suppress(*GONE):
                if wm_state.reply().type:
                    return window
                level.extend(tree.reply().children)
    try:
        # Without a window manager nobody sets WM_STATE.
        attributes = display.core.GetWindowAttributes(top).reply()
        named = display.ask(top, "WM_CLASS").reply().type
    except xproto.WindowError:
        return None
    shown = attributes.map_state == xproto.MapState.Viewable
    return top if shown and named and not attributes.override_redirect else None


def _window(display: Display, client: int) -> Window:
    net_name = display.ask(client, "_NET_WM_NAME")
    wm_name = display.ask(client, "WM_NAME")
    wm_class = display.ask(client, "WM_CLASS")
    parent = display.ask(client, "WM_TRANSIENT_FOR")
    title = display.text(net_name) or display.text(wm_name, "latin-1")
    instance, _, class_ = display.text(wm_class, "latin-1").rstrip("\0").partition("\0")
    return Window(
        id=_id(client),
        title=title,
        app_ids=tuple(filter(None, (instance, class_))),
        state=state(display, client),
        rect=place(display, client),
        parent="".join(_id(each) for each in display.numbers(parent)[:1]),
    )
