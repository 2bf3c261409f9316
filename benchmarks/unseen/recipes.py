"""How each game is started, and what to ask it for its board. None of the games' code is here."""

# ruff: noqa: E501

from __future__ import annotations

from benchmarks.unseen import later_recipes, more_recipes
from benchmarks.unseen.sessions import DesktopGame, PageGame

PAGES = [
    PageGame(
        "adriwicked",
        "dev",
        "adriwicked-minesweeper-js/index.html",
        "unseen.canvas('#cnv', 11, 11, 22, 22, __board.getBoardVisual().map(row => row.map("
        "v => ({'-': '?', '*': '?', x: 'F', o: '!'})[v] || v).join('')))",
        size=(500, 360),
        scale=2,
        patches=(
            ("src/index.js", "board = BoardFactory(", "board = window.__board = BoardFactory("),
        ),
        setup=(
            "for (const kind of ['mousedown', 'mouseup'])"
            " document.querySelector('#cnv').dispatchEvent(new MouseEvent(kind))",
        ),
        flag="hold",
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "becold",
        "held",
        "becold-minesweeper-html5/index.html",
        "unseen.canvas('#gameboard_canvas', 0, 0, TILE_SIZE, TILE_SIZE, _.board.map(row => row.map("
        "c => ['' + (c.solution < 0 ? '!' : c.solution), '?', 'F', '?'][c.state]).join('')))",
        size=(820, 560),
        scale=1.25,
    ),
    PageGame(
        "eliasvagan",
        "held",
        "eliasvagan-minesweeper-js/minesweeper/index.html",
        "unseen.elements('td', e => { const c = e.classList; return c.contains('flag') ? 'F' :"
        " c.contains('not-clicked') ? '?' : c.contains('mine') ? '*' : e.innerText || '0' }, true)",
        size=(760, 640),
        settle_ms=600,
        still_ms=1500,
        end_ms=2300,
    ),
    PageGame(
        "gozerxp",
        "dev",
        "gozerxp-minesweeper-js/index.html",
        "(() => { const g = __game, c = document.querySelector('#game'), w = g.size.width;"
        " return unseen.canvas('#game', 0, 0, c.width / w, c.height / g.size.height,"
        " g.game_array[0].map((_, y) => g.game_array.map((column, x) => { const s = column[y];"
        " return s.flagged ? 'F' : !s.uncovered ? '?' : !s.is_mine ? '' + s.adjecent_mines :"
        " g.tripped_mine.x === x && g.tripped_mine.y === y ? '!' : '*' }).join(''))) })()",
        size=(640, 760),
        patches=(("src/minesweeper.js", "", "\nwindow.__game = game;"),),
        flag="__game.flag_mode = true",
        after_flag="__game.flag_mode = false",
        after_loss="document.querySelector('#game').onclick({clientX: 300, clientY: 300})",
    ),
    PageGame(
        "iftakharpy",
        "held",
        "iftakharpy-vanilajs-minesweeper/index.html",
        "unseen.elements('.cell', e => ({hidden: '?', marked: 'F', mine: '*'})[e.dataset.type]"
        " || e.innerText || '0')",
        size=(900, 620),
        spills=False,
    ),
    PageGame(
        "inflop",
        "dev",
        "inflop-minesweeper-js/index.html",
        "unseen.elements('td.cell', e => { const c = e.classList; return c.contains('exploded') ?"
        " '!' : c.contains('mined') ? (e.innerText.includes('💥') ? '!' : '*') :"
        " c.contains('flagged') || c.contains('wrong-flag') ? 'F' :"
        " c.contains('checked') ? e.innerText || '0' : '?' })",
        size=(700, 760),
        scale=1.5,
    ),
    PageGame(
        "irrisdev",
        "held",
        "irrisdev-minesweeper-js/index.html",
        "unseen.elements('#minesweeper td', e => { const s = board[Math.floor(e.id / game.width)]"
        "[e.id % game.width]; return s.revealed ? (s.mine ? '!' : '' + s.adjacent) :"
        " s.flagged ? 'F' : '?' })",
        size=(1100, 960),
    ),
    PageGame(
        "juliansalvador",
        "dev",
        "juliansalvador727-minesweeper/index.html",
        "unseen.elements('.cell', e => { const s = grid[e.dataset.row][e.dataset.col]; return"
        " s.revealed ? (s.mine ? '!' : '' + s.adjacentMines) : s.flagged ? 'F' : '?' })",
        size=(760, 660),
        scale=1.25,
        patches=(("script.js", "}, 1000);\n    return", "}, 60000);\n    return"),),
    ),
    PageGame(
        "kunal-mohta",
        "held",
        "kunal-mohta-minesweeper/index.html",
        "unseen.elements('td', e => e.querySelector('img') ? 'F' : e.classList.contains('open') ?"
        " e.innerText || '0' : e.style.background.includes('red') ? '*' : '?')",
        size=(640, 520),
        scale=1.5,
        setup=(
            "[['rows', 12], ['cols', 16], ['bombs', 30]].forEach(([k, v]) =>"
            " document.querySelector('#user' + k).value = v); startgame()",
        ),
        patches=(("script.js", ", 500);", ", 60000);"),),
        spills=False,
    ),
    PageGame(
        "ljh15952",
        "dev",
        "ljh15952-simple_minesweeper/src/h.html",
        "unseen.canvas('#canvas', -0.5, -0.5, 18, 18, board.revealed.map((row, r) => row.map((open, c)"
        " => open ? (board.cells[r][c].mine ? '*' : '' + board.cells[r][c].count) :"
        " board.flagged[r][c] ? 'F' : '?').join('')))",
        size=(700, 420),
    ),
    PageGame(
        "lombord",
        "held",
        "lombord-minesweeper-js/index.html",
        "unseen.elements('#gameField > div', e => { const c = e.classList; return"
        " c.contains('opened') ? (c.contains('mine') ? (e.innerHTML.includes('origin') ? '!' : '*')"
        " : e.innerText.trim() || '0') : c.contains('marked') ? 'F' : '?' })",
        size=(1100, 1100),
    ),
    PageGame(
        "m4tex",
        "dev",
        "m4tex-project-coeus/index.html",
        "(() => { const c = document.querySelector('#grid-canvas'); return unseen.canvas("
        "'#grid-canvas', 0, 0, c.width / grid.width, c.height / grid.height, grid._grid.map(row =>"
        " row.map(v => v >= 19 ? 'F' : v === 9 ? '!' : v >= 10 ? '' + (v - 10) : '?').join(''))) })()",
        size=(1470, 880),
        patches=(("scripts/mine-grid.js", "#grid", "_grid"),),
        begun=True,
        cover=0.3,
        moments=("fresh", "middle", "late"),
    ),
    PageGame(
        "miketsak",
        "dev",
        "miketsak-minesweeper-html-js/index.html",
        "unseen.elements('.cell', e => { const c = e.classList; return c.contains('mine') ? '!' :"
        " c.contains('flag') ? 'F' : c.contains('safe') ? e.innerText || '0' : '?' })",
        size=(800, 720),
    ),
    PageGame(
        "mrglaster",
        "held",
        "mrglaster-js-minesweeper-game/index.html",
        "unseen.elements('.tile', e => { const k = /tile_(\\w+)\\.png/.exec(e.src)[1]; const at = ["
        "'checked', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].indexOf(k);"
        " return at >= 0 ? '' + at : ({bomb: '*', flag: 'F', default: '?'})[k] })",
        size=(720, 640),
        scale=1.5,
        settle_ms=500,
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "muchubatactics",
        "dev",
        "muchubatactics-minesweeper-js/game.html?param1=12&param2=14&param3=26",
        "unseen.elements(arrayOfBoxes, e => e.classList.contains('clicked-mine-this') ? '!' :"
        " e.classList.contains('clicked-mine') ? '*' : e.box.marked ? 'F' :"
        " e.box.solved ? '' + e.box.numberOfSurroundMines : '?')",
        size=(900, 640),
    ),
    PageGame(
        "natkuhn",
        "held",
        "natkuhn-minesweeper-js-code/index.html",
        "unseen.elements('#grid td', e => { const c = e.className, h = e.innerHTML; return"
        " c.startsWith('redsquare') ? '!' : h.includes('bombx') || h.includes('flag') ? 'F' :"
        " h.includes('bomb') ? '*' : c.startsWith('covered') ? '?' : e.innerText || '0' })",
        size=(1300, 640),
        moments=("fresh", "middle", "late", "lost"),
    ),
    PageGame(
        "prosaicpoet123",
        "held",
        "prosaicpoet123-minesweeper-js/index.html",
        "unseen.elements('.grid-item', e => e.clicked ? (e.style.backgroundImage.includes('bomb')"
        " ? '*' : e.innerText.trim() || '0') : e.flagged ? 'F' : '?')",
        size=(600, 570),
        scale=2,
        setup=("document.querySelectorAll('input[type=radio]')[1].click()",),
    ),
    PageGame(
        "saoleigames",
        "dev",
        "saoleigames-minesweeper-html/minesweeper.html",
        "(() => { const seen = new Map(); for (const y in Minesweeper.table) for (const x in"
        " Minesweeper.table[y]) seen.set(Minesweeper.table[y][x].span, Minesweeper.table[y][x]);"
        " return unseen.elements('#desk b', e => { const s = seen.get(e), c = e.className; return"
        " c.startsWith('c-expNow') ? '!' : c.startsWith('c-bomb') ? '*' :"
        " s.status === 1 ? '' + (s.clue || 0) : s.status === 2 ? 'F' : '?' }) })()",
        size=(760, 560),
        scale=1.25,
        end_ms=1500,
    ),
    PageGame(
        "sennafx",
        "held",
        "sennafx-minesweeper-js/index.html",
        "(() => { const r = document.querySelector('canvas').getBoundingClientRect(); return {"
        "rows: cells[0].map((_, y) => cells.map(column => { const s = column[y]; return"
        " !s.isRevealed ? '?' : s.isMine ? '*' : '' + s.value }).join('')), x: r.left, y: r.top,"
        " step_x: r.width / 10, step_y: r.height / 10} })()",
        size=(900, 820),
        flag="none",
        settle_ms=300,
        patches=(("sketch.js", "}, 200);", "}, 60000);"),),
    ),
    PageGame(
        "spontancombust",
        "dev",
        "spontancombust-minesweeper-js/docs/game.html",
        "(() => { const rows = []; for (const t of __board.tilesData) (rows[t.boardPosition.y] ||= []"
        ")[t.boardPosition.x] = t.state === 0 ? '?' : t.state === 1 ? 'F' : t.hasBomb ? '*' :"
        " '' + t.adjacentBombCount; return unseen.canvas('#canvas', 1.5, 1.5, 33, 33,"
        " rows.map(r => r.join(''))) })()",
        size=(640, 640),
        patches=(
            ("dist/game.js", "var board = new Board(", "var board = window.__board = new Board("),
        ),
    ),
    PageGame(
        "stefanjanssen95",
        "held",
        "stefanjanssen95-canvas-minesweeper/index.html",
        "unseen.canvas('#canvas', 0, 0, 40, 40, __game.field.map(row => row.map(f => f.state === 1 ?"
        " '?' : f.state === 2 ? 'F' : f.value === -1 ? '*' : f.value === -2 ? '!' : '' + f.value)"
        ".join('')))",
        size=(800, 700),
        settle_ms=600,
        patches=(("js/main.js", "const game = new", "const game = window.__game = new"),),
    ),
    PageGame(
        "superbird11",
        "dev",
        "superbird11-minesweeper-js/minesweeper.html?w=16&h=16&m=40",
        "unseen.elements('.boardCell img', e => { const k = /square(\\w+)\\.png/.exec(e.src)[1];"
        " return ({Unknown: '?', Flagged: 'F', Mine: '*', MineFake: 'F', MineTripped: '!'})[k] || k })",
        size=(520, 520),
        scale=1.25,
    ),
    PageGame(
        "teumal",
        "held",
        "teumal-google-minesweeper-replica/minesweeper 2nd edition/index.html",
        "(() => { const r = document.querySelector('.layerCont canvas').getBoundingClientRect();"
        " return { rows: tiles.map(row => row.slice(0, level.c).map(t => t.flag > 2 ? '' +"
        " t.surroundBombs : t.flag ? 'F' : isGameover && t.bomb ? '*' : '?').join('')), x: r.left,"
        " y: r.top, step_x: r.width / level.c, step_y: r.height / level.r} })()",
        size=(800, 760),
        setup=("0",) * 8,
        settle_ms=500,
        still_ms=3000,
        end_ms=9000,
    ),
    PageGame(
        "urluur",
        "dev",
        "urluur-minesweeper-js/index.html",
        "unseen.elements('#grid td', e => { const s = grid[e.parentElement.rowIndex][e.cellIndex];"
        " return s.isFlagged ? 'F' : !s.isClicked ? '?' : s.isExplodedMine ? '!' : s.isMine ? '*' :"
        " '' + s.numNeighborMines })",
        size=(900, 640),
        setup=("setDifficulty(difficulty_presets.intermediate)",),
    ),
    PageGame(
        "vallode",
        "held",
        "vallode-minesweeper-js/index.html",
        "unseen.elements('.row > div', e => { const c = e.className; return"
        " c === 'bomb-reveal-red' ? '!' : c === 'bomb-reveal' ? '*' : e.classList.contains('display')"
        " ? (n => n === 'none' || !n ? '0' : n)(e.getAttribute('nearby')) :"
        " e.classList.contains('flag') ? 'F' : '?' })",
        size=(800, 640),
    ),
    PageGame(
        "zuramai",
        "dev",
        "zuramai-minesweeper-html5/index.html",
        "unseen.canvas('#canvas', 0, 0, 72, 72, __game.blocks.map(row => row.map(s =>"
        " s.content === 'mine' ? (__game.gameOver ? '*' : '?') : s.revealed ? '' + s.content : '?')"
        ".join('')))",
        size=(900, 1060),
        flag="none",
        setup=("document.querySelector('#btn-play').click()",),
        patches=(("js/main.js", "const game = new", "const game = window.__game = new"),),
        spills=False,
    ),
    PageGame(
        "react-minesweeper",
        "dev",
        "npm/react-minesweeper-1.0.2/package/demo/dist/index.html",
        "unseen.elements('.minesweeper__field', e => { const c = e.className; return"
        " c.includes('_cloud') ? (c.includes('_flag') ? 'F' : '?') : c.includes('_bomb') ? '*' :"
        " (/field_(\\d)/.exec(c) || ['', '0'])[1] })",
        size=(700, 760),
        spills=False,
    ),
    PageGame(
        "areasoft",
        "held",
        "areasoft-winmine/source/index.html?height=10&width=10&mines=16",
        "unseen.elements('[id^=cell_]',"
        " e => { const c = e.classList; return c.contains('triggered-mine') ? '!' :"
        " c.contains('notmine') ? 'F' : c.contains('clear') ? (c.contains('mine') ? '*' :"
        " (/\\bc(\\d)\\b/.exec(e.className) || ['', '0'])[1]) : c.contains('flag') ? 'F' : '?' })",
        size=(360, 420),
        scale=1.5,
        rest=(300, 8),
    ),
]

DESKTOP: list[PageGame | DesktopGame] = [
    DesktopGame(
        "blazerzar",
        "held",
        ("minesweeper.py",),
        "blazerzar-minesweeper-pygame",
        "Minesweeper",
        "g = find('Minesweeper')[0]; c = g.cells; r = c[0][0].rect\n"
        "answer = {'rows': [''.join('F' if s.state == -1 else '?' if s.state == 1 else"
        " {-1: '!', -2: '*', -3: 'F'}.get(s.status, str(s.status)) for s in row) for row in c],"
        " 'x': r.x, 'y': r.y, 'step_x': r.width, 'step_y': r.height}",
    ),
    DesktopGame(
        "las-r",
        "dev",
        ("minesweeper.py",),
        "las-r-minesweeper-pygame",
        "Minesweeper",
        "m = main; tiles = [m.msb, m.ms1, m.ms2, m.ms3, m.ms4, m.ms5, m.ms6, m.ms7, m.ms8]\n"
        "def show(w, h):\n"
        "    if m.flags[w][h]: return 'F'\n"
        "    if not m.revealed[w][h]: return '?'\n"
        "    return '*' if m.board[w][h] else str(tiles.index(m.getTile(w, h)))\n"
        "answer = {'rows': [''.join(show(w, h) for w in range(m.BWIDTH)) for h in range(m.BHEIGHT)],"
        " 'x': 0, 'y': 0, 'step_x': m.TILESIZE, 'step_y': m.TILESIZE}",
    ),
    DesktopGame(
        "braxey",
        "held",
        ("main.py",),
        "braxey-minesweeper-pygame",
        "pygame window",
        hold=0.2,
        settle_ms=250,
        board="b = find('Board')[0]; t = b.tiles; names = {id(v): k for k, v in b.tile_sprite_map.items()}\n"
        "kinds = {'unopened': '?', 'flag': 'F', 'mine': '*', 'mine_red': '!', 'mine_red_cross': 'F'}\n"
        "show = lambda s: kinds.get(names[id(s.sprite)], names[id(s.sprite)])\n"
        "x, y = t[0, 0].position; step = t[0, 1].position[0] - x\n"
        "answer = {'rows': [''.join(show(s) for s in row) for row in t], 'x': float(x), 'y': float(y),"
        " 'step_x': float(step), 'step_y': float(step)}",
    ),
    DesktopGame(
        "edmondchuc",
        "held",
        ("app.py",),
        "edmondchuc-minesweeper-python-qt",
        "Minesweeper",
        "b = find('BoardView')[0]; cells = find('BoardModel')[0].cells; v = b.cells\n"
        "def show(c):\n"
        "    n = type(c.state).__name__\n"
        "    return ('!' if 'Bomb' in n else str(c.neighbour_bomb_count)) if 'Revealed' in n else '?'\n"
        "w = b.columns; r, q = v[0].geometry(), v[w + 1].geometry(); m = v[0].mapTo(v[0].window(),"
        " v[0].rect().topLeft())\n"
        "answer = {'rows': [''.join(show(c) for c in cells[k:k + w]) for k in range(0, len(cells), w)],"
        " 'x': m.x(), 'y': m.y(), 'step_x': q.x() - r.x(), 'step_y': q.y() - r.y()}",
        flag="none",
        wrong_flag=False,
        environment=(
            (
                "PROBE_PRELUDE",
                "from PySide6.QtWidgets import QLayout, QVBoxLayout\n"
                "from PySide6.QtWidgets import QLabel\n"
                "from PySide6.QtGui import QPixmap\n"
                "QVBoxLayout.SetFixedSize = QLayout.SizeConstraint.SetFixedSize\n"
                "draw = QLabel.setPixmap\n"
                "QLabel.setPixmap = lambda self, path: draw(self, QPixmap(path))",
            ),
        ),
    ),
    DesktopGame(
        "busseyjm",
        "dev",
        ("main.py",),
        "busseyjm-minesweeper-pyqt",
        "PyQt Minesweeper",
        "b = main.mainboard.buttons; g = main.mainboard.gameinst; f = g.boardfront\n"
        "kinds = {'U': '?', 'E': '0', 'F': 'F', 'B': '*', 'C': '!', 'W': 'F'}\n"
        "m = b[0, 0].mapTo(b[0, 0].window(), b[0, 0].rect().topLeft()); r, q = b[0, 0].geometry(), b[1, 1].geometry()\n"
        "answer = {'rows': [''.join(kinds.get(f[y, x], str(f[y, x])) for x in range(g.sizex))"
        " for y in range(g.sizey)], 'x': m.x(), 'y': m.y(), 'step_x': q.x() - r.x(),"
        " 'step_y': q.y() - r.y()}",
        settle_ms=250,
    ),
    DesktopGame(
        "pymines",
        "held",
        ("-m", "pymines.pymines"),
        "pypi",
        "PyMines",
        "m = main if hasattr(main, 'grid') else sys.modules['pymines.pymines']\n"
        "answer = {'rows': [''.join({-1: '?', -2: 'F', -3: '!'}.get(v, str(v)) for v in row)"
        " for row in m.grid], 'x': 2, 'y': 30, 'step_x': 22, 'step_y': 22}",
    ),
    DesktopGame(
        "seangordaev",
        "dev",
        ("main.py",),
        "seangordaev-minesweeper-pygame-2026",
        "Saper",
        "at = {(b.y, b.x): b.text for b in find('Block')}; size = 12\n"
        "answer = {'rows': [''.join({'': '?', '!': 'F', 'B': '!'}.get(at[y, x], at[y, x])"
        " for x in range(size)) for y in range(size)], 'x': 0, 'y': 0, 'step_x': 50, 'step_y': 50}",
        hold=0.12,
        moments=("fresh", "early", "middle", "late"),
        spills=False,
    ),
    DesktopGame(
        "mfranceschi",
        "held",
        ("-m", "mfranceschi_minesweeper.main"),
        "pypi/mfranceschi_minesweeper",
        "esweeper",
        "g = find('GridView')[0]; w = g.size_x; v = g.cell_values; a = g.buttons[0].widget;"
        " b = g.buttons[-1].widget\n"
        "xs = [c.widget.winfo_rootx() for c in g.buttons[:w]]\n"
        "dx = (b.winfo_rootx() - a.winfo_rootx()) / (w - 1); dy = (b.winfo_rooty() - a.winfo_rooty()) / (g.size_y - 1)\n"
        "show = lambda c: {' ': '?', 'M': '*'}.get(c, str(c))\n"
        "answer = {'rows': [''.join(show(c) for c in v[k:k + w]) for k in range(0, len(v), w)],"
        " 'uneven': max(abs((x - xs[0]) / dx - k) for k, x in enumerate(xs)), 'x': a.winfo_rootx() + a.winfo_width() / 2 - dx / 2, 'on_screen': True,"
        " 'y': a.winfo_rooty() + a.winfo_height() / 2 - dy / 2, 'step_x': dx, 'step_y': dy}",
        settle_ms=300,
        moments=("fresh", "lost"),
    ),
    DesktopGame(
        "tpazera",
        "held",
        ("main.py",),
        "tpazera-minesweeper-python-tkinter",
        "Saper",
        "g = find('Game')[0]; b = g.buttons; w = g.w; a, z = b[0][0], b[-1][0]\n"
        "kinds = {str(i): str(k) for k, i in enumerate(g.nearbyTile)}\n"
        "kinds.update({str(g.emptyTile): '?', str(g.flagTile): 'F', str(g.qmarkTile): '?',"
        " str(g.bombTile): '!', str(g.pbombTile): '*'})\n"
        "dx = (z.winfo_rootx() - a.winfo_rootx()) / (w - 1); dy = (z.winfo_rooty() - a.winfo_rooty()) / (g.h - 1)\n"
        "show = lambda c: kinds.get(str(c[0].cget('image')), '?')\n"
        "answer = {'rows': [''.join(show(c) for c in b[k:k + w]) for k in range(0, len(b), w)],"
        " 'x': a.winfo_rootx() + a.winfo_width() / 2 - dx / 2, 'on_screen': True,"
        " 'y': a.winfo_rooty() + a.winfo_height() / 2 - dy / 2, 'step_x': dx, 'step_y': dy}",
        setup=(
            "ask [w.invoke() for w in find('Button') if w.cget('text') == 'Start'][:1]",
            "ask [w.invoke() for w in find('Button') if w.winfo_exists() and w.cget('text') == 'Start'][:1]",
        ),
        settle_ms=250,
        spills=False,
        closes="You lose",
    ),
    DesktopGame(
        "minesweeper-mvc",
        "dev",
        ("-m", "minesweeper"),
        "pypi/minesweeper_mvc",
        "Minesweeper",
        "m = find('MinesweeperModel')[0]\n"
        "def show(x, y):\n"
        "    c = m.get_cell(x, y)\n"
        "    if c.state == 'opened': return '!' if c.mined else str(c.counter)\n"
        "    if c.state == 'flagged': return 'F'\n"
        "    return '*' if m.game_over and c.mined else '?'\n"
        "v = find('MinesweeperView')[0]\n"
        "answer = {'rows': [''.join(show(x, y) for x in range(m.row_count))"
        " for y in range(m.column_count)], 'x': 10, 'y': 10, 'step_x': v.cell_width,"
        " 'step_y': v.cell_height}",
        setup=("mousemove --window WINDOW 300 325", "click 1", "sleep 3"),
        moments=("fresh", "early", "middle", "late"),
        hold=0.15,
        settle_ms=400,
    ),
    DesktopGame(
        "minegauler",
        "held",
        ("-m", "minegauler.app"),
        "pypi",
        "inegauler",
        "b = find('GameController')[0].board\n"
        "kinds = {'_CellUnclicked': '?', '_CellMine': '*', '_CellHitMine': '!', '_CellFlag': 'F',"
        " '_CellWrongFlag': 'F'}\n"
        "def show(c):\n"
        "    return kinds.get(type(c).__name__) or str(c.num)\n"
        "v = find('MinefieldWidget')[0]; size = find('MinefieldWidgetImpl')[0].btn_size\n"
        "m = v.mapTo(v.window(), v.rect().topLeft())\n"
        "answer = {'rows': [''.join(show(b[b.get_coord_at(x, y)]) for x in range(b.x_size))"
        " for y in range(b.y_size)], 'x': m.x(), 'y': m.y(), 'step_x': size, 'step_y': size}",
        wait=3,
        environment=(
            (
                "PROBE_PRELUDE",  # a win that is a new best ends the program; and it posts each win
                "import minegauler.app.highscores as scores\n"
                "from minegauler.app.frontend import highscores as shown\n"
                "scores._REMOTE_POST_URL = 'http://127.0.0.1:9/'\n"
                "size = shown.QSize\n"
                "shown.QSize = lambda width, height: size(width, int(height))",
            ),
        ),
    ),
]

GAMES: list[PageGame | DesktopGame] = [
    *PAGES,
    *DESKTOP,
    *more_recipes.PAGES,
    *later_recipes.PAGES,
    *later_recipes.DESKTOP,
]
