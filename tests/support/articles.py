"""The boards and puzzles of the articles that this program follows, with their answers."""

from __future__ import annotations

SUCCESSIVE = (
    """
01?10001?
01?100011
011100000
000000000
111110011
????1001?
????3101?
?????211?
?????????
""",
    """
01110001?
01?100011
011100000
000000000
111110011
?11?1001?
???331011
?????2110
???????10
""",
    """
01110001?
01?100011
011100000
000000000
111110011
?11?1001?
222331011
??2??2110
????22?10
""",
    """
01110001?
01?100011
011100000
000000000
111110011
?11?1001?
222331011
?22??2110
???322?10
""",
)
"""Four boards of one game, 9x9 with 10 mines."""

SAFE = (
    ((1, 3), (6, 2), (6, 3), (7, 4), (7, 9), (8, 9)),
    ((7, 1), (7, 2), (7, 3), (8, 3), (9, 5), (9, 6)),
    ((8, 2), (9, 4)),
    ((9, 1), (9, 2)),
)
"""The safe cells of each, (row, column) from 1, that follow without the total."""

END = """\
........X
..X......
.........
.........
.........
X..X....X
.........
X..XX....
..X...X..
"""
"""The game's layout, as its dialogue prints it at the end."""

NOTEBOOK = """
??????
?1123?
?1003?
?1002?
?2234?
??????
"""

NOTEBOOK_ANSWER = """\
..X.X.
.....X
.....X
X....X
......
..XXXX
"""
"""The only layout of 10 mines."""

PAPER = """\
#iMine iMine_220917.txt
.0..00...2...1..
...3..3....2..0.
2....1....43.1..
3.......3.3.....
.3..2..3.3...3.1
..1.....2....3..
0....0..2..1.1..
....1.0.....1..1
.2.0...1..3.....
...0..0.0..3.22.
1.1.3....13.....
......2.....3..2
"""

AMBIGUOUS = """\
#iMine iMine_test03.txt
0...0
..1..
0...0
"""
"""A mine lies at row 1, column 3, or at row 3, column 3."""

FRAGMENT = """
...
...
.11
.2.
.3.
.2.
.11
...
"""
"""Two answers, whatever the three cells in the first row are, which touch no clue."""
