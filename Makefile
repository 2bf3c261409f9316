# make demo       play an expert board of the real game; SHOW=1 on your own screen
# make test       tests of every part, the real games included; at most five minutes on two cores
# make test-all   every test but for those on GNOME, then damaged files and requests, FUZZ_SECONDS=60
#                 of each kind
# make test-gnome those on a headless GNOME, which takes a good minute
# make test-chaos faults in the middle of real games, many of each; then a thousand boards in a row
# make test-mutations break in a copy what the README promises: some test has to fail for each
# make test-fast  for every day: all kinds of tests that need no real game; at most two minutes
# make lint       the linters and the type checker
# make shell-files the man page and the completions of bash and zsh, from the command line
# make docs       the site of docs/, in out/site; a link that leads nowhere is an error
# make bench      the benchmarks' tables
# make train      train the networks that read any game anew: six hours of processor time; it goes
#                 on where it was interrupted
# make bench-unknown learn unknown games, WineMine and games in a browser too
#
# Each works from a bare checkout and again when run twice. Debian packages that are missing
# are installed by root; for anybody else it says what to run.

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready
DOCS := $(VENV)/docs
OUT ?= out
HOURS ?= 3
FUZZ_SECONDS ?= 60
CHAOS_TRIALS ?= 20
CHAOS_BOARDS ?= 1000

# What each target needs of Debian.
XVFB := xvfb openbox
SWAY := sway xwayland
CHROMIUM := chromium fonts-dejavu-core libatomic1
PACKAGES_demo := $(if $(SHOW),,$(XVFB)) sgt-puzzles tesseract-ocr-eng
PACKAGES_bench := $(XVFB) $(SWAY) sgt-puzzles gnome-mines kmines tesseract-ocr-eng ffmpeg $(CHROMIUM)
# xdotool and xmessage (x11-utils) play the user and a foreign window; python3-tk is asked
# for by pyautogui's import.
# The portal's backend is tested on a message bus.
PACKAGES_test-fast := $(XVFB) $(SWAY) tesseract-ocr-eng xdotool x11-utils python3-tk dbus-daemon
# The games, what they need to run, KMines' own style, a kiosk's compositor, a compiler for the dice
# that lay their mines again, and a browser for the study's page, with fonts and what drives it needs.
PACKAGES_test := $(PACKAGES_test-fast) sgt-puzzles gnome-mines librsvg2-common kmines kde-style-breeze qtwayland5 \
	qt6-wayland xdemineur cage gcc libc6-dev $(CHROMIUM)
# The shell with its portal, what hands on its pictures, and a stand-in for logind.
PACKAGES_test-gnome := sgt-puzzles tesseract-ocr-eng dbus-daemon gnome-shell xdg-desktop-portal-gnome \
	pipewire wireplumber gstreamer1.0-pipewire gstreamer1.0-plugins-base python3-dbusmock
# Games that are learnt: WineMine, those in a page, and the others. An npm that is not Debian's
# does as well, and its Node.js keeps Debian's npm out.
PACKAGES_bench-unknown := $(XVFB) sgt-puzzles gnome-mines librsvg2-common kmines xdemineur wine \
	chromium firefox-esr fonts-noto-color-emoji xdotool tesseract-ocr-eng \
	$(if $(shell command -v npm),,nodejs npm)
# Fonts in which boards are drawn to train on: more of them make the networks read more games.
FONTS := fonts-liberation fonts-liberation2 fonts-dejavu fonts-roboto fonts-open-sans fonts-lato \
	fonts-freefont-ttf fonts-inter fonts-noto-core fonts-noto-mono fonts-cantarell fonts-comfortaa \
	fonts-croscore fonts-crosextra-carlito fonts-crosextra-caladea fonts-cabin fonts-fork-awesome \
	fonts-font-awesome fonts-symbola fonts-ancient-scripts fonts-urw-base35 fonts-hack \
	fonts-firacode fonts-jetbrains-mono fonts-quicksand fonts-oxygen fonts-ebgaramond \
	fonts-junction fonts-play fonts-vollkorn fonts-sil-gentium fonts-sil-andika fonts-unifont \
	fonts-dseg fonts-noto-color-emoji fonts-mononoki fonts-karla fonts-linuxlibertine \
	fonts-gfs-artemisia fonts-gfs-didot fonts-isabella fonts-humor-sans fonts-dustin \
	fonts-aoyagi-kouzan-t fonts-prociono fonts-yanone-kaffeesatz fonts-lobster fonts-lobstertwo \
	fonts-mplus fonts-vlgothic fonts-wine fonts-texgyre fonts-lmodern fonts-cmu fonts-courier-prime \
	fonts-agave fonts-anonymous-pro fonts-3270 fonts-tomsontalks fonts-f500 fonts-beteckna \
	fonts-adf-accanthis fonts-adf-berenis fonts-adf-gillius fonts-adf-universalis fonts-adf-ikarius \
	fonts-adf-libris fonts-adf-mekanus fonts-adf-oldania fonts-adf-romande fonts-adf-switzera \
	fonts-adf-tribun fonts-adf-verana fonts-b612 fonts-ecolier-court fonts-ocr-a fonts-ocr-b \
	fonts-averia-gwf fonts-averia-sans-gwf fonts-averia-serif-gwf fonts-bebas-neue fonts-sora \
	fonts-manrope
PACKAGES_train := $(FONTS) libcairo2 $(if $(shell command -v npm),,nodejs npm)
PYTEST := $(BIN)/python -m pytest -n logical --dist worksteal
# A test that may take longer than anything hung is waited for otherwise.
LONG := -o faulthandler_timeout=0

# A frame's matrices are small: threads that wait for each other take longer than the work.
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test test-all test-fast test-chaos test-mutations test-gnome lint shell-files docs bench bench-unknown train clean \
	packages-demo packages-test packages-test-fast packages-test-gnome \
	packages-lint packages-docs packages-bench packages-bench-unknown packages-train
.NOTPARALLEL:

demo: packages-demo $(INSTALLED)
	$(BIN)/minebot demo $(if $(SHOW),--show) --out $(OUT)

test: packages-test $(READY)
	$(BIN)/python -m minebot.policy.guessing.prepare
	$(PYTEST) -m 'not gnome and not fuzz and not thorough'

test-all: packages-test $(READY)
	$(BIN)/python -m minebot.policy.guessing.prepare
	$(PYTEST) -m 'not gnome and not fuzz'
	MINEBOT_FUZZ_SECONDS=$(FUZZ_SECONDS) $(PYTEST) $(LONG) -m fuzz

test-fast: packages-test-fast $(READY)
	$(BIN)/python -m minebot.policy.guessing.prepare
	$(PYTEST) -m 'not game and not gnome and not fuzz and not thorough'

# One after the other: each takes what processors there are.
test-chaos: packages-test $(READY)
	$(BIN)/python -m minebot.policy.guessing.prepare
	MINEBOT_CHAOS_TRIALS=$(CHAOS_TRIALS) MINEBOT_CHAOS_BOARDS=$(CHAOS_BOARDS) \
		$(BIN)/python -m pytest $(LONG) -rP tests/chaos

test-mutations: packages-test $(READY)
	$(BIN)/python -m minebot.policy.guessing.prepare
	$(BIN)/python -m tests.mutations

# One desktop for all of them: they take turns.
test-gnome: packages-test-gnome $(READY)
	$(BIN)/python -m minebot.policy.guessing.prepare
	$(BIN)/python -m pytest -m gnome

lint: packages-lint $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

shell-files: $(READY)
	$(BIN)/python -m tools.generate_shell_files

docs: packages-docs $(DOCS)/.ready
	$(DOCS)/bin/zensical build --strict --clean

bench: packages-bench $(READY)
	$(BIN)/python -m benchmarks.play
	$(BIN)/python -m benchmarks.play --desktop sway
	$(BIN)/python -m benchmarks.reading
	$(BIN)/python -m benchmarks.solver
	$(BIN)/python -m benchmarks.damage --pictures 500 --workers 2
	$(BIN)/python -m benchmarks.study

# The two are trained side by side, on a core each with what draws for it.
train: packages-train $(READY)
	$(BIN)/python -m pip install --quiet --group training
	$(BIN)/python -m training.assets
	$(BIN)/python -m training.game_tiles
	$(BIN)/python -m training.train lattice --hours $(HOURS) --out $(OUT)/training & \
	$(BIN)/python -m training.train tiles --hours $(HOURS) --out $(OUT)/training && wait
	$(BIN)/python -m training.export --out $(OUT)/training

bench-unknown: packages-bench-unknown $(READY)
	cd fixtures/pages && npm install --ignore-scripts --no-audit --no-fund
	$(BIN)/python -m benchmarks.unknown

packages-demo packages-test packages-test-fast packages-test-gnome \
packages-lint packages-docs packages-bench packages-bench-unknown packages-train: packages-%:
	@tools/install-debian-packages --for-venv '$(PYTHON)' $(PACKAGES_$*)

# What playing needs: pip shows its progress, for a newcomer waits for it.
$(INSTALLED): pyproject.toml
	@test -n "$(PYTHON)" || { echo "minebot needs Python 3.11 or newer" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --editable .
	@touch $@

# What working on it needs as well.
$(READY): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# What makes the site needs nothing of minebot's.
$(DOCS)/.ready: pyproject.toml
	@test -n "$(PYTHON)" || { echo "minebot needs Python 3.11 or newer" >&2; exit 2; }
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --upgrade pip
	$(DOCS)/bin/python -m pip install --quiet --group docs
	@touch $@

clean:
	rm -rf $(VENV) $(OUT)
