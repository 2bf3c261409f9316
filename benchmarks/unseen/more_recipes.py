"""How the games of `fixtures/others/more` are started. None of their code is here.

Each lies in a folder of its name, which is its repository at the commit in fixtures/others/README.md.
"""

# ruff: noqa: E501

from __future__ import annotations

from benchmarks.unseen.sessions import PageGame

PAGES = [
    PageGame(
        "taha-ouroui",
        "more",
        "taha-ouroui/site.html",
        "unseen.elements('.grid-cell', e => { const c = e.classList; return c.contains('mine') ? '*' :"
        " c.contains('revealed') ? e.textContent.trim() || '0' : c.contains('flagged') ? 'F' : '?' }, true)",
        size=(1100, 860),
        scale=1.25,
    ),
    PageGame(
        "charlesmadere",
        "more",
        "charlesmadere/index.html",
        # the rows of the page begin with y = 7; opened are the classes' squares, all once it is lost
        "unseen.elements('.boardPosition', e => { const t = e.textContent.trim(), c = e.classList; return"
        " t === 'B' ? '*' : t === 'F' ? 'F' : c.contains('boardPositionClicked') || board.isGameOver ?"
        " t || '0' : '?' })",
        size=(1000, 900),
        patches=(("assets/js/main.js", "alert(", "setTimeout(alert, 250, "),),
        flag="if (!board.areFlagsEnabled) flagToggle()",
        after_flag="if (board.areFlagsEnabled) flagToggle()",
        spills=False,
    ),
    PageGame(
        "miraskab",
        "more",
        "miraskab/index.html",
        "unseen.elements('.board-cell', e => { const t = e.innerText.trim(); return t === '💣' ? '*' :"
        " t === '🚩' ? 'F' : e.classList.contains('tile-clicked') ? t || '0' : '?' })",
        size=(1280, 800),
    ),
    PageGame(
        "borisry",
        "more",
        "borisry/index.html",
        "unseen.elements('.game-board td', e => { const [, i, j] = e.id.split('-'), s = gBoard[i][j];"
        " return e.classList.contains('mine') ? '*' : s.isShown ? '' + s.minesAroundCount :"
        " s.isMarked ? 'F' : '?' })",
        size=(1280, 900),
    ),
    PageGame(
        "eliasi1",
        "more",
        "eliasi1/index.html",
        "unseen.elements('.gameBtn', e => { const [, i, j] = /cell-(\\d+)-(\\d+)/.exec(e.className),"
        " s = gBoard[i][j]; return e.classList.contains('lost') ? '!' : s.isRevealed ? '' + s.mineNegs :"
        " s.isMarked ? 'F' : '?' })",
        size=(1280, 800),
        scale=1.25,
    ),
    PageGame(
        "dumqq",
        "more",
        "dumqq/index.html",
        # setting a flag puts a td into the td
        "unseen.elements('table > tr > td', e => e.isFlag ? 'F' : e.querySelector('img') ? '*' :"
        " e.opened || e.style.backgroundColor === 'white' ? e.textContent.trim() || '0' : '?')",
        size=(800, 700),
        flag="if (!modeFlag) modeChanger.click()",
        after_flag="if (modeFlag) modeChanger.click()",
    ),
    PageGame(
        "theshubhagrwl",
        "more",
        "theshubhagrwl/index.html",
        "unseen.canvas('#canvas', 0, 0, 40, 40, [...Array(10).keys()].map(y => [...Array(10).keys()]"
        ".map(x => { if (!(matrix.open || {})[x + ',' + y]) return '?'; if (matrix[x][y] == '-1') return"
        " '!'; let n = 0; for (let i = x - 1; i <= x + 1; i++) for (let j = y - 1; j <= y + 1; j++)"
        " n += (matrix[i] || [])[j] == '-1'; return '' + n }).join('')))",
        size=(900, 760),
        scale=1.25,
        patches=(
            (
                "script.js",
                "let c_x = x * CELL_SIZE;",
                "(matrix.open ||= {})[x + ',' + y] = 1; let c_x = x * CELL_SIZE;",
            ),
        ),
        flag="none",
        spills=False,
    ),
    PageGame(
        "luvagu",
        "more",
        "luvagu/index.html",
        "unseen.elements('.board > div', e => ({hidden: '?', marked: 'F', mine: '*'})[e.dataset.status]"
        " || e.textContent || '0')",
        size=(1000, 900),
    ),
    PageGame(
        "aruvham",
        "more",
        "aruvham/public/index.html",
        "unseen.elements('.tile', e => { const c = e.classList; return c.contains('exploded') ? '*' :"
        " c.contains('activated') ? e.textContent.trim() || '0' : c.contains('flagged') ? 'F' : '?' })",
        size=(1600, 900),
    ),
    PageGame(
        "mgrimley",
        "more",
        "mgrimley/index.html",
        "unseen.elements('.cell', e => { const c = e.classList; return c.contains('mine') ? '!' :"
        " c.contains('flagged') ? 'F' : c.contains('number') ? e.innerText.trim() || '0' : '?' })",
        size=(1024, 768),
        scale=1.25,
        # its numbers count over the board's left and right edge into the next row: put right
        patches=(
            (
                "js/main.js",
                "function convertToIndex(x, y) {",
                "function convertToIndex(x, y) { if (x < 0 || x >= minefield.numCols) return -1;",
            ),
        ),
        spills=False,
    ),
    PageGame(
        "burntcustard",
        "more",
        "burntcustard/index.html",
        # t: its number, 9 and more for mines; all are disabled at the end
        "unseen.elements('p + p > button', e => { const s = e.innerText.trim(); return s === '💥' ? '!' :"
        " s === '💣' ? '*' : s === '🚩' ? 'F' : s || (e.disabled && !e.t ? '0' : '?') })",
        size=(800, 600),
    ),
    PageGame(
        "frostybonny",
        "more",
        "frostybonny/index.html",
        "unseen.elements('#map > div', e => ({init: '?', flag: 'F', boom: '*', tapBoom: '!'})[e.className]"
        " || e.innerText.trim() || '0')",
        size=(1366, 768),
    ),
    PageGame(
        "olong",
        "more",
        "olong/index.html",
        "unseen.elements('.col', e => { const s = e.children[0], c = e.classList; return"
        " c.contains('mine') ? '*' : s.classList.contains('reveal') ? s.textContent.trim() || '0' :"
        " c.contains('flag') ? 'F' : '?' })",
        size=(1200, 700),
        scale=1.5,
        # fails, and shows no board, where two mines fall on one square
        patches=(("GameMap.js", "this.generateMinesInSquare()", "i--"),),
    ),
    PageGame(
        "gungy2",
        "more",
        "gungy2/index.html",
        "unseen.elements('#grid td', e => { const m = e.querySelector('img'), k = m ? m.src : ''; return"
        " k.includes('explosion') ? '!' : k.includes('mine') ? '*' : k.includes('flag') ? 'F' :"
        " e.classList.contains('hidden') ? '?' : e.innerText.trim() || '0' })",
        size=(1024, 768),
        scale=1.25,
    ),
    PageGame(
        "amodttech",
        "more",
        "amodttech/index.html",
        "unseen.elements('.board > div', e => ({hidden: '?', marked: 'F', mine: '*'})[e.dataset.status]"
        " || e.textContent || '0')",
        size=(1920, 1080),
    ),
    PageGame(
        "onigirijpn",
        "more",
        "onigirijpn/win7.html",
        "unseen.elements('.cell', e => { const i = [...e.parentElement.children].indexOf(e),"
        " s = board[Math.floor(i / 9)][i % 9]; return s.open ? (s.mine ? '!' : '' + s.count) :"
        " s.state === 'flag' ? 'F' : '?' })",
        size=(800, 500),
        scale=2,
    ),
    PageGame(
        "fcojaviergl",
        "more",
        "fcojaviergl/index.html",
        "unseen.elements('.board > div', e => { const n = Game.getBoardGame().length,"
        " i = [...e.parentElement.children].indexOf(e), s = Game.getBoardGame()[Math.floor(i / n)][i % n];"
        " return s.getStatus() === 1 ? 'F' : s.getStatus() === 2 || !s.getVisible() ? '?' :"
        " s.getValue() < 0 ? ((parseFloat(e.style.animationDelay) || 0) < 0.5 ? '!' : '*') : '' + s.getValue() }, true)",
        size=(1280, 906),
    ),
    PageGame(
        "can1cyp2",
        "more",
        "can1cyp2/index.html",
        # grid[column][row]: 1 open, 2 a mine, 3 a flag
        "unseen.canvas('#canvas', 0, 0, 700 / 15, 700 / 15, grid.map((_, y) => grid.map((column, x) =>"
        " column[y] === 3 ? 'F' : column[y] === 1 ? '' + gridNums[x][y] :"
        " column[y] === 2 && endGame ? '*' : '?').join('')))",
        size=(900, 720),
        setup=(
            "document.querySelector('#play_button').click()",
            "new Promise(done => { const wait = () => started && !start ? setTimeout(done, 800) :"
            " setTimeout(wait, 100); wait() })",
        ),
    ),
    PageGame(
        "raymond-exe",
        "more",
        "raymond-exe/index.html",
        "unseen.elements('#grid .cell', e => { const k = (/(empty|bomb_red|bomb_x|bomb|tile_\\d)\\.png/"
        ".exec(e.style.backgroundImage) || [''])[1]; return k ? ({empty: '0', bomb_red: '!', bomb_x: 'F',"
        " bomb: '*'})[k] || k[5] : e.classList.contains('flagged') ? 'F' : '?' })",
        size=(1024, 768),
        settle_ms=700,
        end_ms=900,
    ),
    PageGame(
        "w-piaopiao",
        "more",
        "w-piaopiao/src/index.html",
        "unseen.elements('#board .cell', e => { const c = e.classList; return c.contains('exploded') ? '!'"
        " : c.contains('mine') ? '*' : c.contains('revealed') ? e.textContent || '0' :"
        " c.contains('flagged') ? 'F' : '?' }, true)",
        size=(1280, 800),
        settle_ms=400,
    ),
    PageGame(
        "stanislavchlup",
        "more",
        "stanislavchlup/index.html",
        "unseen.canvas('#canvas', 0, 0, pwidth, pheight, [...Array(height).keys()].map(y =>"
        " [...Array(width).keys()].map(x => { if (firstp) return '?'; const s = playfield.matrix[x][y];"
        " return s.visual === 'none' ? '?' : s.visual === 'flag' ? 'F' : s.value >= 0 ? '' + s.value :"
        " '' + window.__hit === x + ',' + y ? '!' : '*' }).join('')))",
        size=(800, 600),
        scale=1.5,
        patches=(
            (
                "main.js",
                "ctx.drawImage(exploded, x",
                "window.__hit = [x, y]; ctx.drawImage(exploded, x",
            ),
        ),
        flag="mode = 'flag'",
        after_flag="mode = 'click'",
    ),
    PageGame(
        "bertrand2",
        "more",
        "bertrand2/index.html",
        "unseen.elements('.cell', e => e.childNodes[3].style.visibility === 'visible' ? 'F' :"
        " e.isRevealed !== 'true' ? '?' : (k => k === 'bomb' ? '!' : k)("
        "/(\\w+)\\.png/.exec(e.firstChild.src)[1]))",
        size=(1000, 760),
        scale=1.25,
        end_ms=1200,
    ),
    PageGame(
        "xealink",
        "more",
        "xealink/src/index.html",
        "unseen.elements('#layer1 .btn', e => { const k = +e.id.slice(4), m = mineSweepeer,"
        " n = m.board[Math.floor(k / m.columns)][k % m.columns], c = e.classList;"
        " return !c.contains('hide') ? (c.contains('flagged') ? 'F' : '?') : n >= 0 ? '' + n :"
        " document.getElementById('gc_' + k).classList.contains('triggered') ? '!' : '*' })",
        size=(1280, 850),
        scale=1.25,
        flag="none",
    ),
    PageGame(
        "jiuugo",
        "more",
        "jiuugo/index.html",
        "unseen.elements('#tablero .casilla', e => { const k = [...e.parentElement.children].indexOf(e),"
        " y = Math.floor(k / tamanoTablero), x = k % tamanoTablero; return tMostrado[y][x] ?"
        " (tInterno[y][x] >= 0 ? '' + tInterno[y][x] : e.style.backgroundColor === 'red' ? '!' : '*') :"
        " tBanderas[y][x] ? 'F' : '?' })",
        size=(1280, 800),
    ),
    PageGame(
        "jujux1",
        "more",
        "jujux1/index.html",
        "unseen.elements('#board .cell', e => { const k = /(\\w+)\\.png/.exec(e.style.backgroundImage)[1];"
        " return ({closed: '?', flag: 'F', mine: '*', mine_red: '!'})[k] || k }, true)",
        size=(1600, 900),
        settle_ms=400,
        end_ms=3500,
    ),
    PageGame(
        "a3p",
        "more",
        "a3p/index.html",
        "unseen.elements('#board td', e => { const c = e.classList; return c.contains('mine') ? '!' :"
        " c.contains('clicked') ? e.textContent || '0' : e.firstChild ? 'F' : '?' }, true)",
        size=(1024, 960),
        setup=(
            "document.querySelector('#height').value = 9; document.querySelector('#width').value = 14;"
            " document.querySelector('#mines').value = 22;"
            " document.querySelector('#startNewGame').click()",
            "new Promise(done => setTimeout(done, 1200))",
        ),
        settle_ms=700,
        end_ms=3200,
    ),
    PageGame(
        "nosu-web",
        "more",
        "nosu-web/index.html",
        "unseen.elements('td.minesweeper-cell', e => { const c = e.classList, b = e.firstElementChild;"
        " return c.contains('exploded') ? '!' : c.contains('mined') ? '*' :"
        " b ? (b.classList.contains('flag') ? 'F' : '?') : e.textContent || '0' })",
        size=(900, 600),
        scale=1.5,
        setup=(
            "document.querySelector('#gameLevel').value = 2;"
            " document.querySelector('#gameStart').click()",
        ),
        spills=False,
    ),
    PageGame(
        "gwiktorzak",
        "more",
        "gwiktorzak/index.html",
        "unseen.elements('.grid > div', e => { const c = e.classList; return c.contains('game-over') ? '*'"
        " : c.contains('checked') ? e.textContent || '0' : c.contains('flag') ? 'F' : '?' })",
        size=(1366, 768),
        setup=("document.querySelector('.start-btn').click()",),
        settle_ms=600,
        spills=False,
    ),
    PageGame(
        "pointlesslybold",
        "more",
        "pointlesslybold/index.html",
        "unseen.elements('.grid > div', e => { const c = e.className; return c.includes('mine') ? '*' :"
        " c.includes('flag') ? 'F' : c.includes('covered') ? '?' : c.slice(5) || '0' })",
        size=(1280, 720),
        scale=1.25,
        setup=("document.querySelector('#start').click()",),
        settle_ms=300,
        end_ms=800,
    ),
    PageGame(
        "charlie-robin",
        "more",
        "charlie-robin/index.html",
        "unseen.elements('.grid .cell', e => { const i = e.querySelector('img'); return i ?"
        " (i.src.includes('flag') ? 'F' : '*') : e.textContent ||"
        " (e.style.backgroundColor === 'rgb(255, 188, 128)' ? '0' : '?') })",
        size=(1024, 768),
        setup=("document.getElementById('level:2').click()",),
        patches=(
            ("Cell.js", "https://charlie-robin.github.io/oop-mine-sweeper-js/assets/", "assets/"),
        ),
        spills=False,
    ),
    PageGame(
        "fedpo2",
        "more",
        "fedpo2/index.html",
        "unseen.elements('#tablero > button', e => e.className === 'explotado' ? '*' :"
        " e.className === 'celda-abierta' ? e.textContent || '0' : e.textContent ? 'F' : '?')",
        size=(1366, 768),
        setup=(
            "document.querySelector('#nameinput').value = 'someone';"
            " document.querySelector('form .boton-iniciar').click()",
        ),
        settle_ms=300,
        end_ms=800,
    ),
    PageGame(
        "neptune2716",
        "more",
        "neptune2716/index.html",
        "unseen.elements('#game-board .cell', e => { const c = e.classList; return"
        " c.contains('mine') && c.contains('revealed') ? '!' : c.contains('flagged') ? 'F' :"
        " c.contains('mine') ? '*' : c.contains('revealed') ? e.textContent || '0' : '?' })",
        size=(1280, 860),
        scale=1.25,
        setup=(
            "document.querySelector('#skip-tutorial')?.click()",
            "document.querySelector('[data-difficulty=medium]').click()",
        ),
        settle_ms=1000,
        end_ms=800,
    ),
    PageGame(
        "ldolan",
        "more",
        "ldolan/index.html",
        "unseen.canvas('#gameCanvas', BOARD_ORIGIN_X, BOARD_ORIGIN_Y, CELL_SIZE, CELL_SIZE,"
        " [...Array(HEIGHT).keys()].map(y => [...Array(WIDTH).keys()].map(x => { const k = `${y},${x}`;"
        " return lost && game.is_mine([y, x]) ? '*' : flags.has(k) ? 'F' :"
        " revealed.has(k) ? '' + game.nearby_mines([y, x]) : '?' }).join('')))",
        size=(1000, 760),
        setup=("document.querySelector('#play-button').click()",),
        flag="none",
        spills=False,
    ),
    PageGame(
        "calebsg225",
        "more",
        "calebsg225/index.html",
        "unseen.elements('.minesweeper-button', e => { const i = e.lastElementChild, k = i &&"
        " /([\\w-]+)\\.PNG/.exec(i.src)[1]; return k ? ({'red-mine': '!', mine: '*', flag: 'F',"
        " 'flag-mine': 'F'})[k] || k : e.classList.contains('revealed-clear') ? '0' : '?' })",
        size=(1366, 768),
        settle_ms=300,
        end_ms=3000,
    ),
    PageGame(
        "leobao1",
        "more",
        "leobao1/index.html",
        "unseen.elements('#mine .row > div', e => { const b = getGame().board, w = b[0].length,"
        " s = b[Math.floor(e.id / w)][e.id % w], i = e.querySelector('img'); return s.revealed ?"
        " '' + s.type : e.style.backgroundColor === 'red' ? '!' : !i ? '?' :"
        " i.src.endsWith('bomb.png') ? '*' : 'F' })",
        size=(800, 500),
        scale=2,
    ),
    PageGame(
        "colewang",
        "more",
        "colewang/index.html",
        "unseen.elements('.col', e => { const c = e.classList; return c.contains('end') ? '!' :"
        " c.contains('a10') ? 'F' : c.contains('open') ? '?' : c.contains('a9') ? '*' :"
        " /\\ba(\\d)\\b/.exec(e.className)[1] })",
        size=(1920, 1080),
        end_ms=300,
    ),
]
