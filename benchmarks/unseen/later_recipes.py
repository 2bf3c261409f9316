"""How the games that were collected on 2026-11-29 are started. None of their code is here.

Each lies in a folder of its name, which is its repository at the commit in fixtures/others/README.md;
those that need a build are built there. Beside them lie `p5.js` (npm p5 1.9.4) and `tailwind.js`
(npm @tailwindcss/browser), which some need. The Java programs and those that are compiled have no recipe:
their pictures were taken by a driver of their own.
"""

# ruff: noqa: E501

from __future__ import annotations

from benchmarks.unseen.sessions import DesktopGame, PageGame

_TAURI = (
    "<head><script>window.__TAURI_INTERNALS__ = {metadata: {currentWindow: {label: 'main'},"
    " currentWebview: {label: 'main'}}, invoke: async () => ({time: 0}),"
    " transformCallback: () => 0}</script>"
)
"""What a page of Tauri's expects of its program."""

_TK_PLACE = (
    "dx = (z.winfo_rootx() - a.winfo_rootx()) / (columns - 1);"
    " dy = (z.winfo_rooty() - a.winfo_rooty()) / (rows - 1)\n"
    "mid = lambda w: (w.winfo_rootx() + w.winfo_width() / 2, w.winfo_rooty() + w.winfo_height() / 2)\n"
    "x0, y0 = mid(a)[0] - dx / 2, mid(a)[1] - dy / 2\n"
    "uneven = max(max(abs((mid(w)[0] - x0) / dx - x - 0.5), abs((mid(w)[1] - y0) / dy - y - 0.5))"
    " for (x, y), w in at.items())\n"
    "answer = {'rows': shown, 'x': x0, 'y': y0, 'step_x': dx, 'step_y': dy, 'uneven': uneven,"
    " 'on_screen': True}"
)
"""Python that places Tk's widgets `at[x, y]`, of which `a` is the first and `z` the last."""


PAGES: list[PageGame] = [
    PageGame(
        "vladislavdegtyarenko",
        "held",
        "vladislavdegtyarenko/dist/index.html",
        "unseen.elements('.cell', e => { const o = e.querySelector('.overlay'); return o ?"
        " (o.querySelector('.visible') ? 'F' : '?') : e.querySelector('img') ?"
        " (e.classList.contains('red') ? '!' : '*') : e.textContent || '0' })",
        size=(700, 600),
        scale=1.25,
    ),
    PageGame(
        "ksugimori",
        "more",
        "ksugimori/dist/index.html#/play",
        # wrong flags show their number at the end, crossed out: none is set
        "unseen.elements('.cell', e => e.querySelector('.flag .pole') ? 'F' :"
        " !e.classList.contains('open') ? '?' : e.querySelector('.mine') ?"
        " (e.querySelector('.cross') ? '!' : '*') : e.textContent.trim() || '0')",
        size=(1024, 768),
        wrong_flag=False,
    ),
    PageGame(
        "dudalipinski",
        "more",
        "dudalipinski/dist/index.html",
        "unseen.elements('[role=cell]', e => e.querySelector('[data-testid^=flag]') ? 'F' :"
        " e.querySelector('[data-testid^=bomb]') ? '*' : e.textContent === '10' ? '?' : e.textContent)",
        size=(1200, 760),
        scale=1.5,
        setup=(
            "history.pushState({}, '', '/minesweeper/hooks?level=intermediate');"
            " dispatchEvent(new PopStateEvent('popstate', {state: {}}))",
        ),
        after_loss="[...document.querySelectorAll('div')].find(e => e.textContent === '🙁')"
        ".style.display = 'none'",
    ),
    PageGame(
        "bukenoff",
        "held",
        "bukenoff/dist/index.html",
        "unseen.elements('[class*=_rows_] button', e => { const c = e.className; return"
        " c.includes('_flagged_') ? 'F' : c.includes('_exploded_') ? (c.includes('_open_') ? '!' : '*')"
        " : c.includes('_open_') ? e.textContent || '0' : '?' }, true)",
        size=(600, 500),
        scale=2,
        patches=(("index.html", "<head>", _TAURI),),
        settle_ms=900,
    ),
    PageGame(
        "benlesh",
        "more",
        "benlesh/web/index.html",
        "unseen.elements('.grid .cell', e => { const shown = k => !e.querySelector(k)"
        ".classList.contains('ng-hide'); return shown('.flag') ? 'F' : e.classList.contains('hidden') ?"
        " '?' : shown('.mine') ? '*' : shown(':scope > span:nth-child(3)') ? e.textContent.trim() : '0' })",
        size=(900, 700),
        scale=1.25,
        setup=(
            "(s => s.$apply(() => { s.gridWidth = 14; s.gridHeight = 10; s.mineCount = 22;"
            " s.startGame() }))(angular.element(document.querySelector('.grid')).scope())",
        ),
        patches=(("minesweeper.js", "$timeout(ctrl.showLoss)", "$timeout(ctrl.showLoss, 60000)"),),
    ),
    PageGame(
        "abelllontop",
        "held",
        "abelllontop/dist/index.html",
        "unseen.elements('[class*=_cell_]', e => { const t = e.textContent; return t === '🐻' ? '*' :"
        " t === '🐝' ? 'F' : t || (e.style.background.includes('orange') ? '?' : '0') }, true)",
        size=(1280, 800),
        settle_ms=300,
        still_ms=600,
        after_loss="document.querySelector('#root-portal').style.display = 'none'",
    ),
    PageGame(
        "matheus55391",
        "held",
        "matheus55391/dist/index.html",
        "unseen.elements('.grid > div', e => e.textContent === '💣' ? '*' : e.textContent || '?')",
        size=(1920, 1080),
        flag="none",
        moments=("fresh", "early", "middle", "lost"),  # most is open at once
    ),
    PageGame(
        "elisabethfjr",
        "held",
        "elisabethfjr/dist/index.html",
        "unseen.elements('button[class*=_cell_]', e => { const i = e.querySelector('svg'); return"
        " e.className.includes('_revealed_') ? (i ? '*' : e.textContent || '0') : i ? 'F' : '?' })",
        size=(1000, 900),
        scale=1.25,
        setup=("document.querySelector('#moyen').click()",),
        after_loss="document.querySelector('[class*=_background_]').style.display = 'none'",
    ),
    PageGame(
        "dorwinrin",
        "more",
        "dorwinrin/index.html",
        "unseen.elements('#board .tile', e => { const t = e.innerText.trim(), open ="
        " e.classList.contains('revealed'); return t === '💣' ? (open ? '!' : '*') : t === '🚩' ? 'F' :"
        " open ? t || '0' : '?' })",
        size=(1000, 700),
        setup=(
            "document.querySelector('#hard').click(); document.querySelector('#restartButton').click()",
        ),
        settle_ms=800,
        moments=("fresh", "early", "lost"),
    ),
    PageGame(
        "gspadovesi",
        "more",
        "gspadovesi/index.html",
        "unseen.elements('.cell-button', e => { const c = e.classList; return c.contains('bomb') ? '!' :"
        " c.contains('revealed') ? e.textContent || '0' : '?' }, true)",
        size=(800, 900),
        scale=1.25,
        setup=(
            "document.querySelector('[data-difficulty=medium]').click();"
            " document.querySelector('#start-button').click()",
            "new Promise(done => setTimeout(done, 3200))",
        ),
        flag="none",
        settle_ms=400,
    ),
    PageGame(
        "danrley",
        "held",
        "danrley/index.html",
        "unseen.canvas('#canvas', 0, 0, 30, 30, __map.map.map(row => row.map(b => __map.state === 2 ?"
        " (b.bomb ? '*' : '' + b.number) : b.reveled ? '' + b.number : b.marked ? 'F' : '?').join('')))",
        size=(900, 600),
        scale=1.5,
        # its mines are forgotten when the numbers are set, and one corner's right neighbour is: put right
        patches=(
            ("main.js", "map = new Map(", "map = window.__map = new Map("),
            (
                "main.js",
                "map.map[i][j].number = number",
                "if (i == LINES - 1 && j == 0 && bombs[i][1]) number++;"
                " map.map[i][j].number = number; map.map[i][j].bomb = bombs[i][j]",
            ),
        ),
        spills=False,
        setup=(
            "document.querySelector('#difficulty').value = 3; document.querySelector('#start').click()",
        ),
    ),
    PageGame(
        "kalzyyrk",
        "held",
        "kalzyyrk/index.html",
        "unseen.elements('.grid .cell', e => { const c = e.classList; return c.contains('cell-bomb') ? '!' :"
        " c.contains('cell-flag') ? 'F' : c.contains('cell-hidden') ? '?' : e.textContent || '0' })",
        size=(1280, 800),
        patches=(
            ("index.html", '"/css/', '"css/'),
            ("index.html", '"/js/', '"js/'),
            ("unveil.js", "}, 300)", "}, 60000)"),
        ),
        spills=False,
    ),
    PageGame(
        "cruordei",
        "more",
        "cruordei/demineur.html?rows=12&columns=14&bombs=24",
        "unseen.elements('#demineurGrid .cell', e => { const b = e.style.backgroundColor; return"
        " b.includes('loose') ? '*' : b ? e.textContent || '0' :"
        " e.classList.contains('flag') ? 'F' : '?' })",
        size=(1366, 768),
        patches=(("style.css", 'url("/fonts/', 'url("../fonts/'),),
    ),
    PageGame(
        "woyteqb",
        "more",
        "woyteqb/index.html",
        "unseen.elements('.game-board button', e => { const c = e.classList; return"
        " c.contains('clicked-bomb') ? '!' : e.querySelector('.fa-bomb') ? '*' :"
        " c.contains('locked') ? 'F' : c.contains('picked') ? e.textContent || '0' : '?' })",
        size=(1024, 900),
        scale=1.25,
        patches=(
            (
                "index.html",
                "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/4.7.0/css/font-awesome.min.css",
                "font-awesome/css/font-awesome.min.css",
            ),
            ("index.html", "integrity=", "data-integrity="),
        ),
        setup=(
            "document.querySelector('.levels .medium').click();"
            " document.querySelector('.modal .game-start').click()",
        ),
    ),
    PageGame(
        "jaaahooou",
        "more",
        "jaaahooou/index.html",
        "unseen.elements('[data-cell]', e => { const c = e.classList; return c.contains('cell--is-mine') ?"
        " '*' : c.contains('border--revealed') ? e.textContent || '0' :"
        " c.contains('cell--is-flag') ? 'F' : '?' })",
        size=(1920, 1080),
        setup=("document.querySelector('[data-button-expert]').click()",),
        after_loss="document.querySelector('[data-modal-button]').click()",
    ),
    PageGame(
        "yehorivanov",
        "more",
        "yehorivanov/index.html",
        "unseen.elements('.game-field__box', e => { const b = e.style.backgroundImage; return"
        " b.includes('mine.png') ? (e.textContent ? '!' : '*') : e.classList.contains('game-field__box-open')"
        " ? e.textContent || '0' : b.includes('flag.png') ? 'F' : '?' })",
        size=(800, 600),
        scale=2,
        patches=(("game-control.js", "(renderGameOver, 1000)", "(renderGameOver, 60000)"),),
        setup=(
            "localStorage.setItem('level', JSON.stringify({level: 16}));"
            " document.querySelector('.game-bar__smile').click()",
        ),
        spills=False,
    ),
    PageGame(
        "xxsusanooxx",
        "held",
        "xxsusanooxx/index.html",
        "unseen.elements('#field .cell', e => { const c = e.classList; return c.contains('clicked') ?"
        " e.value || '0' : c.contains('marked-cell') ? 'F' : c.contains('activeted-mine') ? '*' : '?' })",
        size=(1000, 900),
        scale=1.5,
        setup=("document.querySelector('#intermediate').click()",),
    ),
    PageGame(
        "umuterol",
        "held",
        "umuterol/index.html",
        "unseen.elements('td', e => { const i = e.firstChild, k = i.id; return k === '-1' ||"
        " i.src.includes('bomb') ? '*' : k === 'flag' ? 'F' : k === 'null' ? '?' : k })",
        size=(1366, 768),
        patches=(
            ("UI.js", "../image/", "image/"),
            ("UI.js", "window.location.reload()", "0"),
        ),
        end_ms=1000,
        spills=False,
    ),
    PageGame(
        "hy2999la",
        "more",
        "hy2999la/index.html",
        "unseen.elements('#board td', e => { const c = e.className; return c.startsWith('numCell') ?"
        " e.textContent : ({bomb: '*', flagged: 'F', hidden: '?'})[c] })",
        size=(1024, 1000),
        scale=1.25,
        setup=(
            "updateInput(16, 'xSize'); updateInput(16, 'ySize'); updateInput(40, 'bombNum'); generateGame()",
        ),
        flag="Object.defineProperty(MouseEvent.prototype, 'shiftKey', {get: () => true, configurable: true})",
        after_flag="Object.defineProperty(MouseEvent.prototype, 'shiftKey', {get: () => false, configurable: true})",
    ),
    PageGame(
        "pakastin",
        "held",
        "pakastin/index.html#15,15,40",
        "unseen.elements('.game td', e => { const t = e.textContent; return t === '💣' ? '*' :"
        " t === '🏳' || t === '🏴' ? 'F' : e.classList.contains('opened') ? t || '0' : '?' })",
        size=(700, 560),
        scale=2,
    ),
    PageGame(
        "soppafisk",
        "held",
        "soppafisk/index.html",
        "unseen.elements('#board .cell', e => { const b = e.style.background; return"
        " b.includes('red') ? '*' : b ? e.textContent : '?' })",
        size=(1024, 1000),
        patches=(
            (
                "index.html",
                "https://cdnjs.cloudflare.com/ajax/libs/normalize/3.0.3/normalize.min.css",
                "normalize.css",
            ),
            (
                "index.html",
                "//ajax.googleapis.com/ajax/libs/jquery/2.1.1/jquery.min.js",
                "jquery.min.js",
            ),
        ),
        flag="none",
    ),
    PageGame(
        "orynik",
        "more",
        "orynik/public/index.html",
        "unseen.elements('#board .tile', e => { const c = e.classList; return"
        " c.contains('tile-bomb--focus') ? '!' : c.contains('tile--flagged') ? 'F' :"
        " c.contains('tile-bomb') ? '*' : c.contains('tile--checked') ? '' + (['one', 'two', 'three',"
        " 'four', 'five', 'six', 'seven', 'eight'].findIndex(n => c.contains('tile--' + n)) + 1) : '?' })",
        size=(600, 500),
        scale=2,
        settle_ms=400,
    ),
    PageGame(
        "fruhuszar",
        "held",
        "fruhuszar/index.html",
        "unseen.elements('#board .box', e => { const b = e.style.backgroundColor; return"
        " b === 'red' ? '!' : b === 'transparent' ? e.textContent : '?' })",
        size=(1280, 800),
        flag="none",
        spills=False,
    ),
    PageGame(
        "zoasr",
        "held",
        "zoasr/index.html",
        "(() => { const r = document.querySelector('canvas').getBoundingClientRect(), b = board, g = b.grid;"
        " return { rows: g[0].map((_, y) => g.map(column => { const c = column[y]; return c.revealed && c.mine ?"
        " '*' : c.marked ? 'F' : c.revealed ? '' + Math.max(c.total, 0) : '?' }).join('')),"
        " x: r.left + b.x, y: r.top + b.y + 100, step_x: b.scl, step_y: b.scl } })()",
        size=(1280, 900),
        setup=(
            "new Promise(done => { const at = setInterval(() => { if (window.board || (() => { try { return board }"
            " catch {} })()) { clearInterval(at); done(0) } }, 100) })",
            "board.medium.elt.dispatchEvent(new MouseEvent('mousedown', {bubbles: true}));"
            " board.medium.elt.dispatchEvent(new MouseEvent('mouseup', {bubbles: true}))",
        ),
        flag="board.bombMode = false",
        after_flag="board.bombMode = true",
        settle_ms=250,
        rest=(20, 880),
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "premislau",
        "held",
        "premislau/index.html",
        "(() => { const r = document.querySelector('canvas').getBoundingClientRect(), g = board.grid; return {"
        " rows: g[0].map((_, y) => g.map(column => { const c = column[y]; return c.marked ? 'F' : !c.revealed ?"
        " '?' : c.hasMine ? '*' : '' + c.neighbourMines }).join('')), x: r.left, y: r.top,"
        " step_x: filedSize, step_y: filedSize } })()",
        size=(760, 520),
        scale=1.5,
        flag="flagMode = true",
        after_flag="flagMode = false",
        wrong_flag=False,
        rest=(750, 510),
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "efredericks",
        "more",
        "efredericks/index.html",
        "(() => { const r = document.querySelector('canvas').getBoundingClientRect(); return {"
        " rows: grid.map(row => row.map(c => ['?', 'F', '?', '' + c.value, '*'][c.state]).join('')),"
        " x: r.left + ui_padding, y: r.top + ui_padding, step_x: cell_w, step_y: cell_w } })()",
        size=(790, 650),
        scale=1.25,
        setup=("0", "0", "0", "0", "0", "0", "updateDifficulty('medium')"),
        patches=(
            (
                "efredericks/index.html",
                "https://cdnjs.cloudflare.com/ajax/libs/p5.js/1.9.4/p5.js",
                "../p5.js",
            ),
            ("sketch.js", "if (GAMEOVER_TIMER == 0 &&", "if (0 &&"),
        ),
        settle_ms=250,
        rest=(4, 640),
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "jahamed",
        "held",
        "jahamed/index.html",
        "(() => { const r = document.querySelector('canvas').getBoundingClientRect(), s = unseenBoard; return {"
        " rows: s.map(row => row.map(t => (n => n < 9 ? '' + n : n < 10 || n === 12 ? '?' : n < 12 ? 'F' : '*')"
        "(t.unseenSprite.animations.frame)).join('')), x: r.left + 176, y: r.top + 96, step_x: 32, step_y: 32 } })()",
        size=(700, 520),
        patches=(
            (
                "tile.js",
                "game.input.keyboard.isDown(Phaser.KeyCode.ALT)",
                "window.unseenFlags",
            ),
            ("tile.js", "var sprite = game", "var sprite = this.unseenSprite = game"),
            ("board.js", "var board = [];", "var board = window.unseenBoard = [];"),
        ),
        flag="window.unseenFlags = true",
        after_flag="window.unseenFlags = false",
        settle_ms=350,
        rest=(690, 510),
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "2lfey",
        "held",
        "2lfey/index.html",
        "unseen.canvas('#canvas', 0, 0, 30, 30, [...Array(board.rows).keys()].map(y => board.items.slice("
        "y * board.columns, (y + 1) * board.columns).map(c => c.isFlagged ? 'F' : !c.isRevealed ? '?' :"
        " c.isMine ? '*' : '' + c.countAdjacentMines).join('')))",
        size=(1024, 768),
        setup=("diff16x16.click(); restartBtn.click()",),
        patches=(("2lfey/index.html", "https://cdn.tailwindcss.com", "../tailwind.js"),),
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "vitaliyshulik",
        "more",
        "vitaliyshulik/index.html",
        "unseen.elements('[id^=cell-]', e => { const s = e.style, k = (/(\\w+)\\.(png|svg)/.exec("
        "s.backgroundImage) || [])[1]; return k === 'bomb' ? (s.backgroundColor.includes('255, 0, 0') ? '!' :"
        " '*') : k === 'flag' ? 'F' : k || (s.backgroundColor.endsWith('0.3)') ? '0' : '?') })",
        size=(1100, 960),
        scale=1.25,
        setup=("level.value = 'hard'; restart.click()",),
        patches=(
            (
                "vitaliyshulik/index.html",
                'src="./dist/bundle.js"',
                'type="module" src="./src/js/app.js"',
            ),
            ("app.js", '"./gameState"', '"./gameState.js"'),
            ("app.js", '"./timer"', '"./timer.js"'),
        ),
        moments=("fresh", "early", "middle", "late"),
    ),
    PageGame(
        "jugalthakkar",
        "more",
        "jugalthakkar/minesweeper.html",
        "unseen.elements('.cell', e => { const c = e.classList; return c.contains('mine') ? '!' :"
        " c.contains('open') ? e.innerText || '0' : c.contains('flag') ? 'F' : '?' })",
        size=(600, 900),
        scale=1.5,
        patches=(("minesweeper.js", "}, 100);", "}, 600000);"),),
        spills=False,
    ),
]

DESKTOP: list[DesktopGame] = [
    DesktopGame(
        "minesweeper",
        "held",
        ("scripts/ms-gui.py",),
        "minesweeper-0.1.4",
        "Mine Sweeper",
        "v = find('GameWidget')[0]; m = v.ms_game.board.info_map; a, b = v.grid_wgs[0, 0], v.grid_wgs[1, 1]\n"
        "p = a.mapTo(a.window(), a.rect().topLeft()); k = a.devicePixelRatioF(); f, q = a.geometry(), b.geometry()\n"
        "kinds = {9: 'F', 10: '?', 11: '?', 12: '!'}\n"
        "dx, dy = q.x() - f.x(), q.y() - f.y(); gap = (dx - f.width()) / 2\n"
        "answer = {'rows': [''.join(kinds.get(int(c), str(c)) for c in row) for row in m],"
        " 'x': (p.x() - gap) * k, 'y': (p.y() - gap) * k, 'step_x': dx * k, 'step_y': dy * k}",
        wait=3,
        settle_ms=250,
        environment=(
            ("QT_SCALE_FACTOR", "1.25"),
            (
                "PROBE_PRELUDE",  # it is of Python 2, and listens on a port: it is given none
                "import builtins, sys\n"
                "from unittest.mock import MagicMock\n"
                "builtins.xrange = range\n"
                "sys.path.append('.')\n"
                "import minesweeper.msgame, minesweeper.gui\n"
                "minesweeper.msgame.socket = MagicMock()\n"
                "minesweeper.gui.RemoteControlThread.control_start = lambda *_: None",
            ),
        ),
    ),
    DesktopGame(
        "sskcoach",
        "more",
        ("main.py",),
        "sskcoach",
        "pygame window",
        "b = find('Board')[0]\n"
        "def show(state, field):\n"
        "    if state != 'O': return 'F' if state == chr(0x1F6A9) else '?'\n"
        "    return str(field) if isinstance(field, int) else '*'\n"
        "answer = {'rows': [''.join(map(show, *row)) for row in zip(b.state_field, b.mine_field)],"
        " 'x': b.start_x, 'y': b.start_y, 'step_x': b.size, 'step_y': b.size}",
        moments=("fresh", "early", "middle", "late"),
    ),
    DesktopGame(
        "maximedeloche",
        "more",
        ("main.py", "16", "20", "50"),
        "maximedeloche/src",
        "tk",
        "b, g = main.BOARD, main.GRID.tab; rows, columns = len(b), len(b[0])\n"
        "kinds = {str(main.flag): 'F', str(main.mine): '!'}\n"
        "def show(x, y):\n"
        "    if g[y][x].revealed: return str(g[y][x].bombs_around)\n"
        "    return kinds.get(str(b[y][x].cget('image')), '?')\n"
        "at = {(x, y): b[y][x] for x in range(columns) for y in range(rows)}\n"
        "shown = [''.join(show(x, y) for x in range(columns)) for y in range(rows)]\n"
        "a, z = at[0, 0], at[columns - 1, rows - 1]\n" + _TK_PLACE,
        settle_ms=300,
        environment=(
            (
                "PROBE_PRELUDE",  # its message is put off
                "import tkinter, tkinter.messagebox\n"
                "tkinter.messagebox.askyesno = lambda *_:"
                " tkinter._default_root.wait_variable(tkinter.BooleanVar())",
            ),
        ),
    ),
]
