"""Solves a board typed as text, in one of two forms:

  a board          ? hidden, 0-8 opened, F flag, * mine: names the cells that are
                   certainly safe and certainly mines, and advises a move
  a paper puzzle   . unknown, 0-8 clues, no mine under a clue; the first line may be
                   #iMine NAME: prints the answer, whether it is the only one, the
                   cells that differ where it is not, and a check of every clue

Lines that begin with # are comments. Which form it saw goes to standard error.
In text, rows and columns count from 1; in JSON, [x, y] count from 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile
from pathlib import Path

from minebot.analysis.explanation import Why
from minebot.analysis.recommendation import Recommendation, explain, recommend
from minebot.analysis.serialize import option_facts, reason_facts
from minebot.board import Board, Cell
from minebot.cli import options
from minebot.cli.console import ask, save, say, write_json
from minebot.errors import Contradiction, Stopped, UsageError, file_errors
from minebot.files import read_text
from minebot.policy.guessing.prepare import prepare
from minebot.puzzle.answer import Answer, answer, failures
from minebot.puzzle.dialogue import Dialogue
from minebot.puzzle.texts import Form, Puzzle, dimacs, drawing, percent, smtlib
from minebot.solver import Solver, Verdict
from minebot.solver.pipeline import with_risks

EPILOG = """\
examples:
  minebot solve board.txt                           what is certain
  minebot solve board.txt --mines 10 --risk         every cell's mine probability
  minebot solve board.txt --mines 10 --why 3,4      why that cell is certain, or not
  minebot solve puzzle.txt --html answer.html       a paper puzzle and its picture
  minebot solve --interactive board.txt --mines 10  it names cells, you type numbers
  printf '??1\\n111\\n' | minebot solve --json        from standard input

exit status: 0 solved, 1 the dialogue ended on a mine, 2 bad arguments or a text that is
no board, 4 no layout fits (the clues that clash are named), 130 stopped
"""

_STANDARD_INPUT = Path("-")

ARGUMENTS = (
    options.path(
        "file", "the board, as text (default: standard input)", nargs="?", default=_STANDARD_INPUT
    ),
    options.count("--mines", "the total number of mines, if it is known", least=0),
    options.switch("--interactive", "name a safe cell, ask for its number, and so on to the end"),
    options.switch("--risk", "print every covered cell's mine probability, in per cent"),
    options.argument(
        "--why",
        "ROW,COLUMN",
        "explain why that cell (3,4 is row 3, column 4, counted from 1) is certain, with the "
        "fewest clues that prove it, or how it compares with the best guess",
        type=options.place,
        action="append",
        default=[],
    ),
    options.path("--image", "draw the mine probabilities there, as PNG"),
    options.path("--html", "write the answer there as a page, with every risk and its reason"),
    options.path("--dimacs", "write the board there as DIMACS CNF, for SAT solvers"),
    options.path("--smt2", "write the board there as SMT-LIB 2, for SMT solvers"),
    options.JSON,
)
"""Numbers are defaults and limits. Specified: the help says them."""


def run(arguments: argparse.Namespace) -> int:
    """Answer what was asked about the board; returns the exit status.

    Raises UsageError for text that is no board, Contradiction for one that no
    layout fits, Stopped where a dialogue was broken off.
    """
    source = "standard input" if arguments.file == _STANDARD_INPUT else str(arguments.file)
    if arguments.interactive:
        # It ends with another board than the one given: what else is asked for is unclear.
        for option in ("risk", "why", "json", "image", "html", "dimacs", "smt2"):
            if getattr(arguments, option):
                raise UsageError(f"--interactive and --{option} do not go together")
    with file_errors(Path(source)):
        puzzle = Puzzle.parse(_text(arguments), arguments.mines)
    board = puzzle.board
    try:
        # Encodings first: of a board that clashes, too, there is something to study.
        for file, encode in ((arguments.dimacs, dimacs), (arguments.smt2, smtlib)):
            if file is not None:
                save(file, encode(board, puzzle.name))
        verdict = Solver().solve(board, risk=False, every=True)
        form = f"{puzzle.form.value} {puzzle.name}".rstrip()
        total = "total unknown" if board.mines is None else f"mines in all: {board.mines}"
        say(f"{source}: {form}: {board.width} columns, {board.height} rows, {total}")
        if arguments.interactive:
            return _talk(board)
        return _solve(puzzle, verdict, arguments)
    except Contradiction as error:
        raise Contradiction(f"{source}: {error}", error.clues) from error


def _text(arguments: argparse.Namespace) -> str:
    """The typed text; raises UsageError, OSError, UnicodeDecodeError if there is none."""
    if arguments.file != _STANDARD_INPUT:
        return read_text(arguments.file, encoding="utf-8-sig")
    if arguments.interactive:
        say("the board, one row a line, then an empty line:")
        # The answers follow after that.
        lines = dropwhile(str.isspace, iter(sys.stdin.readline, ""))
        return "".join(takewhile(str.strip, lines))
    if sys.stdin.isatty():
        say("type the board, one row a line, then Ctrl-D")
    return sys.stdin.read()


def _talk(board: Board) -> int:
    """The dialogue; on standard output comes the last board only."""
    dialogue = Dialogue(board, ask, say)
    try:
        board = dialogue.run()
    except (KeyboardInterrupt, Stopped):
        say("\nso far:")
        print(dialogue.board)
        raise
    if board.lost:
        print(board)
        say("that was a mine")
        return 1
    covered = set(board.squares(Cell.HIDDEN, Cell.FLAG, Cell.MINE, Cell.EXPLODED))
    print(drawing(board, covered, clues=False))
    return 0


def _solve(puzzle: Puzzle, verdict: Verdict, arguments: argparse.Namespace) -> int:
    """Answer in the way that was asked for; `verdict` names all that is certain."""
    board = puzzle.board
    found = answer(board) if puzzle.form is Form.PAPER else None
    advice = None
    # Risks take counting, which certainty can do without: only where they are asked for.
    asked = arguments.risk or arguments.why or arguments.json or arguments.image is not None
    if asked or not (found or verdict.safe):
        verdict = with_risks(board, verdict)
        advice = recommend(board, verdict, progress=True)
    reasons = [explain(board, options.square_of(board, *cell), verdict) for cell in arguments.why]
    if arguments.html is not None:
        from minebot.study.board_answers import packed  # noqa: PLC0415
        from minebot.study.single_file import page  # noqa: PLC0415

        prepare()
        save(arguments.html, page(packed(puzzle), puzzle.name or "Minesweeper"))
    if arguments.image is not None:
        _picture(arguments.image, board, verdict, advice)
    if arguments.json:
        said = {"why": [reason_facts(reason) for reason in reasons]} if reasons else {}
        write_json({**_facts(board, verdict, advice), **said})
        return 0
    if reasons:
        tell(reasons)
        return 0
    if arguments.risk:
        print(_risks(verdict.risk or (), board.width))
    elif found is not None:
        return _tell_answer(board, found)
    else:
        _tell_verdict(board, verdict)
    if board.mines is None and arguments.risk and verdict.layouts != 1:
        say("total unknown: a cell counts as a mine one time in five before the clues are read")
    if advice is not None and advice.move is not None:
        say(f"advice: {advice.why}")
    return 0


def tell(reasons: Iterable[Why | Recommendation]) -> None:
    """Print answers: of each a sentence, then the steps where there are several."""
    for reason in reasons:
        print(reason.text)
        if isinstance(reason, Why):
            for step in reason.steps:
                print(f"  {'  ' * step.depth}{step.text}")


def _tell_verdict(board: Board, verdict: Verdict) -> None:
    """What is certain; the whole layout where that is everything."""
    print(f"safe: {board.names_of(verdict.safe) or 'none'}")
    print(f"mines: {board.names_of(verdict.mines) or 'none'}")
    if len(verdict.safe) + len(verdict.mines) == board.covered:
        print(drawing(board, {*verdict.mines, *board.shown_mines}, clues=False))


def _tell_answer(board: Board, found: Answer) -> int:
    """A solved puzzle; returns 1 if the check of its clues fails, which would be a defect."""
    print(drawing(board, found.mines, clues=True))
    print(f"unique: {'yes' if found.unique else 'no'}")
    if found.differ:
        print(f"cells that differ: {board.names_of(found.differ)}")
    if found.free:
        print(f"cells that nothing decides: {board.names_of(found.free)}")
    failed = failures(board, found.mines)
    for failure in failed:
        print(f"VALIDATION FAIL: {failure}")
    if not failed:
        print("VALIDATION PASS")
    return 1 if failed else 0


def _risks(risk: Sequence[float | None], width: int) -> str:
    """Every covered cell's mine probability in per cent, `-` for the others, in columns."""
    cells = ["-" if chance is None else percent(chance) for chance in risk]
    wide = max(map(len, cells))
    return "\n".join(
        " ".join(cell.rjust(wide) for cell in cells[start : start + width])
        for start in range(0, len(cells), width)
    )


def _facts(board: Board, verdict: Verdict, advice: Recommendation | None) -> dict[str, object]:
    risk = [
        None if cell == Cell.FLAG else chance
        for cell, chance in zip(board.cells, verdict.risk or (), strict=True)
    ]
    facts: dict[str, object] = {
        "safe": [board.xy(square) for square in verdict.safe],
        "mines": [board.xy(square) for square in verdict.mines],
        "risk": [risk[start : start + board.width] for start in range(0, len(risk), board.width)],
        "layouts": str(verdict.layouts),
        "advice": None,
    }
    if advice is not None and (move := advice.move) is not None:
        facts["advice"] = {
            "action": move.action.value,
            "x": move.x,
            "y": move.y,
            "risk": advice.risk,
            "progress": None if advice.best is None else advice.best.progress,
            "why": advice.why,
            "compared": [option_facts(board, one) for one in advice.options[1:]],
        }
    return facts


def _picture(file: Path, board: Board, verdict: Verdict, advice: Recommendation | None) -> None:
    from minebot.puzzle.drawings import chart  # noqa: PLC0415
    from minebot.recording.pictures import png  # noqa: PLC0415

    move = None if advice is None else advice.move
    advised = None if move is None else board.square(move.x, move.y)
    save(file, png(chart(board, verdict.risk or (), advised)))
