# make demo   play an expert board of the real game; SHOW=1 on your own screen
# make test   every test, the real-game ones included
# make lint   the linters and the type checker
# make bench  the benchmarks' tables
#
# Each works from a bare checkout and again when run twice.

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OUT ?= out

# A frame's matrices are small: threads that wait for each other take longer than the work.
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test lint bench clean

demo: $(READY)
	@tools/install-debian-packages $(if $(SHOW),,xvfb openbox) sgt-puzzles tesseract-ocr-eng
	$(BIN)/minebot demo $(if $(SHOW),--show) --out $(OUT)

test: $(READY)
	@tools/install-debian-packages xvfb openbox sgt-puzzles gnome-mines librsvg2-common \
	    kmines dbus-daemon tesseract-ocr-eng xdotool x11-utils
	$(BIN)/minebot prepare
	$(BIN)/python -m pytest -n logical --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	@tools/install-debian-packages xvfb openbox sgt-puzzles tesseract-ocr-eng
	$(BIN)/python benchmarks/play.py
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/solver.py
	$(BIN)/python benchmarks/damage.py --pictures 500 --workers 2

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "minebot needs Python 3.11 or newer" >&2; exit 2; }
	@tools/install-debian-packages --for-venv $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --group dev --editable .
	@touch $@

clean:
	rm -rf $(VENV) $(OUT)
