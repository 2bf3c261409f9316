"""Plays games nobody trained on and pictures them with what they show.

python capture.py NAME ...   captures those (all without a name)
python capture.py --sheet NAME ...   only draws the pictures with their truth, for looking at
"""

from __future__ import annotations

import json
import random
import sys
import time
import traceback
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from boards import Board, Square, certain
from recipes import GAMES
from sessions import DesktopGame, PageGame, session

PICTURES = Path("/work/unseen/pictures")
SHEETS = Path("/work/unseen/sheets")
ATTEMPTS = 12


class Retry(Exception):
    """The game took another course than wanted."""


def _save(folder: Path, moment: str, picture: Image.Image, board: Board) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture.save(folder / f"{moment}.png")
    (folder / f"{moment}.txt").write_text("\n".join(board.rows) + "\n")
    place = {
        "x": round(board.x, 3),
        "y": round(board.y, 3),
        "step_x": round(board.step_x, 4),
        "step_y": round(board.step_y, 4),
        "columns": len(board.rows[0]),
        "rows": len(board.rows),
    }
    (folder / f"{moment}.json").write_text(json.dumps(place) + "\n")


def _lost(board: Board) -> bool:
    return bool(board.squares("*!"))


def play(game: PageGame | DesktopGame, seed: int) -> None:
    """Captures one game's pictures."""
    chance = random.Random(seed)
    folder = PICTURES / game.split / game.name
    shown = session(game)
    taken: dict[str, tuple[Image.Image, Board]] = {}

    def shoot(moment: str, wrong: int = 0) -> Board:
        board = shown.board()
        if moment not in game.moments:
            return board
        if moment != "lost":
            shown.rest()
        board = shown.board()
        faults = board.faults(wrong_flags=wrong, spills=game.spills)
        if faults and faults[0].startswith("uneven"):
            raise Retry(f"{moment}: {faults[0]}")
        if faults:
            raise ValueError(f"{moment}: {faults[:4]}\n" + "\n".join(board.rows))
        picture = shown.picture()
        if shown.board() == board:
            taken[moment] = (picture, board)
        else:
            raise Retry(f"{moment}: it changed meanwhile")
        return board

    def attempt() -> None:
        shown.start()
        board = shown.board()
        if set("".join(board.rows)) != {"?"} and not game.begun:
            raise Retry("not fresh")
        shoot("fresh")
        rows, columns = len(board.rows), len(board.rows[0])
        covered = len(board.squares("?"))
        if not game.begun:
            place = rows // 2 + chance.randint(-1, 1), columns // 2 + chance.randint(-1, 1)
            for _ in range(3):
                shown.click(place)
                board = shown.board()
                if _lost(board):
                    raise Retry("lost at the first click")
                if len(board.squares("012345678")) > 4:
                    break
                place = chance.choice(board.squares("?"))
            if len(board.squares("012345678")) < 3:
                raise Retry("no opening")
        early = shoot("early")
        flags: set[Square] = set()
        late: tuple[str, ...] | None = None
        for _ in range(400):
            board = shown.board()
            if _lost(board):
                break
            is_open = 1 - len(board.squares("?F")) / covered
            safe, mines = certain(board)
            safe = {square for square in safe if board.at(square) == "?"}
            if game.flag != "none":
                for square in sorted(mines - flags):
                    if len(flags) < 3 or chance.random() < 0.6:
                        shown.click(square, flag=True)
                        for _ in range(8):
                            if shown.board().at(square) != "?":
                                break
                            time.sleep(0.2)
                        if shown.board().at(square) != "F":
                            raise ValueError(f"no flag at {square}: {shown.board().at(square)}")
                    flags.add(square)
            if is_open > game.cover and "middle" not in taken and board.rows != early.rows:
                shoot("middle")
            if is_open > 0.7 and "middle" in taken and late != board.rows:
                late = board.rows
                if len(safe) > 1 or not safe:
                    shoot("late")
            if not safe:
                unsure = [s for s in board.squares("?") if s not in mines]
                if not unsure or ("late" in taken and "middle" in taken):
                    break
                choice = min(unsure, key=lambda s: (_risk(board, mines, s), chance.random()))
            else:
                choice = chance.choice(sorted(safe))
            if "late" in taken and len(safe) <= 1:
                break
            shown.click(choice)
        if "middle" not in taken and "middle" in game.moments:
            raise Retry("lost too early")
        board = shown.board()
        if "lost" in game.moments and not _lost(board):
            safe, mines = certain(board)
            wrong = 0
            good = [s for s in sorted(safe) if board.at(s) == "?"]
            if game.wrong_flag and game.flag != "none" and good:
                shown.click(good[0], flag=True)
                wrong = 1
            hidden = [s for s in sorted(mines) if shown.board().at(s) == "?"]
            rest = [s for s in shown.board().squares("?") if s not in safe and s not in hidden]
            for square in hidden[:1] + rest:
                shown.click(square)
                if _lost(shown.board()):
                    break
            else:
                raise Retry("did not lose")
        else:
            wrong = 0
        if "lost" in game.moments:
            shown.end()
            shoot("lost", wrong)

    try:
        best: dict[str, tuple[Image.Image, Board]] = {}
        for _ in range(ATTEMPTS):
            taken.clear()
            try:
                attempt()
            except Retry as reason:
                print(f"  {game.name}: again: {reason}; has {sorted(taken)}")
            if len(taken) > len(best):
                best = dict(taken)
            if len(best) >= len(game.moments):
                break
    finally:
        print(f"  {game.name}: messages {shown.messages[:3]}")
        shown.close()
    for old in folder.glob("*"):
        old.unlink()
    for moment, (picture, board) in best.items():
        _save(folder, moment, picture, board)
    print(f"{game.name}: {sorted(best)}")


def _risk(board: Board, mines: set[Square], square: Square) -> float:
    near = [other for other in board.around(square) if board.at(other) in "12345678"]
    risks = []
    for other in near:
        closed = [s for s in board.around(other) if board.at(s) in "?F"]
        left = int(board.at(other)) - sum(s in mines for s in closed)
        risks.append(left / max(1, sum(s not in mines for s in closed)))
    return max(risks, default=0.22)


def sheet(game: PageGame | DesktopGame) -> None:
    """Draws a game's pictures with their truth and grid over them."""
    folder = PICTURES / game.split / game.name
    shots = []
    for moment in ("fresh", "early", "middle", "late", "lost"):
        path = folder / f"{moment}.png"
        if not path.exists():
            continue
        place = json.loads((folder / f"{moment}.json").read_text())
        rows = (folder / f"{moment}.txt").read_text().split()
        x, y, dx, dy = (place[key] for key in ("x", "y", "step_x", "step_y"))
        image = Image.open(path).convert("RGB")
        box = (x - dx, y - dy, x + dx * (place["columns"] + 1), y + dy * (place["rows"] + 1))
        zoom = min(760 / (box[2] - box[0]), 620 / (box[3] - box[1]))
        size = round((box[2] - box[0]) * zoom), round((box[3] - box[1]) * zoom)
        part = image.transform(size, Image.Transform.EXTENT, box, Image.Resampling.BILINEAR)
        draw = ImageDraw.Draw(part)
        font = ImageFont.load_default(max(9, round(dy * zoom * 0.36)))
        for r, row in enumerate(rows):
            for c, shown in enumerate(row):
                left, top = (dx * (c + 1)) * zoom, (dy * (r + 1)) * zoom
                right, bottom = left + dx * zoom, top + dy * zoom
                draw.rectangle((left, top, right, bottom), outline=(255, 0, 255))
                if shown != "?":
                    draw.text((left + 2, top), shown, fill=(255, 0, 255), font=font)
        draw.text((2, 2), f"{game.name} {moment} {image.size}", fill=(255, 0, 0))
        shots.append(part)
    if not shots:
        return
    width = max(shot.width for shot in shots)
    height = max(shot.height for shot in shots)
    page = Image.new("RGB", (width * 3, height * ((len(shots) + 2) // 3)))
    for k, shot in enumerate(shots):
        page.paste(shot, (k % 3 * width, k // 3 * height))
    SHEETS.mkdir(exist_ok=True)
    page.save(SHEETS / f"{game.name}.png")


def main() -> None:
    """Captures what the arguments name."""
    names = [name for name in sys.argv[1:] if not name.startswith("--")]
    for game in GAMES:
        if names and game.name not in names:
            continue
        try:
            if "--sheet" not in sys.argv:
                play(game, seed=sum(map(ord, game.name)))
            sheet(game)
        except Exception:
            print(f"{game.name} FAILED")
            traceback.print_exc(limit=3)


if __name__ == "__main__":
    main()
