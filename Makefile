# make help lists the commands. PYTHON= chooses the interpreter, JOBS= how many chapters run at once, SCALE= their size,
# PART=papers the part of the book that is built or tested, WHEELS= a folder of `make wheels` to install from, without the
# package index.
PYTHON ?= python3
JOBS ?= 2
PORT ?= 8000
SCALE ?= default
PART ?= all
WHEELS ?=
TORCH ?= torch
NETWORKS ?= 216
VENV := .venv
RUN := $(VENV)/bin/python
EDITION := $(RUN) -m edition
PIP := $(RUN) -m pip --quiet --disable-pip-version-check
OF_PART := $(if $(filter-out all,$(PART)),--part $(PART))
SITE := html$(if $(OF_PART),-$(PART))$(if $(filter-out default,$(SCALE)),-$(SCALE))
# uv installs in seconds what takes pip half a minute, from the same lock; where it cannot, pip does. Neither compiles:
# Python does so when a module is first imported, and most of those installed never are.
FROM := $(if $(WHEELS),--no-index --find-links $(WHEELS))
UV ?= $(or $(shell command -v uv),$(VENV)/bin/uv)
install = { test -x $(UV) && $(UV) pip install --quiet --python $(RUN) $(FROM) $(1); } || $(PIP) install --no-compile $(FROM) $(1)

needed = $(or $($(1)),$(error $(1): expected a value, got none; give one, such as make $@ $(1)=$(2)))

# One thread each: what runs at the same time must not compete for the cores.
export OMP_NUM_THREADS := 1
# Compiled modules are kept, whatever the environment says: to compile the tests takes each process six seconds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup book quick pdf test test-units test-torch test-browser weight faults robust other chapter run serve reproduce benchmark release reference wheels lock clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

setup: $(VENV)/.ready  ## set up everything: the environment of the locked dependencies, and the project in it

# The programs of an environment name its folder. Where a checkout was copied or moved with it, they get their new names,
# and the project is installed from where it is now.
FORMER := $(shell cat $(VENV)/.ready 2>/dev/null)
ifneq ($(or $(FORMER),$(CURDIR)),$(CURDIR))
.PHONY: $(VENV)/.ready
endif
define RENAME
import sys; from pathlib import Path; bin, *folders = sys.argv[1:]; old, new = map(str.encode, folders)
for path in Path(bin).iterdir():
  if path.is_file() and not path.is_symlink() and (text := path.read_bytes()).startswith(b"#"):
    path.write_bytes(text.replace(old, new))
endef
export RENAME

$(VENV)/.ready: requirements.txt requirements-models.txt pyproject.toml CITATION.cff
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed; say which: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "this Python has no venv; install it (on Debian: apt install python3-venv)"; exit 1; }
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(if $(FORMER),@$(RUN) -c "$$RENAME" $(VENV)/bin "$(FORMER)/$(VENV)/" "$(CURDIR)/$(VENV)/")
	@echo "installing what requirements.txt locks"
	@test -x $(UV) || sed -n '/^uv==/,/[^\\]$$/p' requirements.txt | $(PIP) install --require-hashes $(FROM) -r /dev/stdin || true
	@$(call install,--require-hashes -r requirements.txt)
	@$(call install,--no-deps --require-hashes -r requirements-models.txt)
	@$(call install,--no-build-isolation --no-deps --editable .)
	@echo "$(CURDIR)" >$@

book: setup  ## execute the chapters at the papers' values and build the book; PART=papers: the papers alone
	$(EDITION) build --jobs $(JOBS) --scale $(SCALE) --part $(PART)

quick: setup  ## the same at the small values of parameters/quick.yml
	$(EDITION) build --jobs $(JOBS) --scale quick --part $(PART)

pdf: setup  ## the book at the papers' values as PDF; says which TeX packages it needs
	$(EDITION) pdf --jobs $(JOBS) --scale $(SCALE) --part $(PART)

test: setup  ## all tests, and the chapters at the quick scale against their references; PART=papers: those of the papers
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy $(if $(OF_PART),capacity)
	$(RUN) -m pytest --numprocesses $(JOBS) --dist loadscope --no-loadscope-reorder --nbval $(OF_PART)

test-units: setup  ## the tests without the chapters; PYTHON= and VENV= choose another interpreter, TESTS= some of them
	$(RUN) -m pytest --numprocesses $(JOBS) --dist loadscope --no-loadscope-reorder $(OF_PART) $(TESTS)

# PyTorch is never locked, since its wheels are huge: it and its peers stand beside, and see what is installed here.
WITH_TORCH := .venv-torch
BESIDE := safetensors onnxscript torchinfo curvlinops-for-pytorch nngeometry relucent
test-torch: setup  ## the tests that need PyTorch, which is set up beside; TORCH= its wheel or version, NETWORKS= how many are drawn
	@test -x $(WITH_TORCH)/bin/python || $(PYTHON) -m venv $(WITH_TORCH)
	@echo "import site; site.addsitedir('$$($(RUN) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')')" \
	  >$$($(WITH_TORCH)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/locked.pth
	$(WITH_TORCH)/bin/python -m pip install --quiet --no-compile $(TORCH) $(BESIDE)
	$(WITH_TORCH)/bin/python -m pip install --quiet --no-compile --no-deps facenet-pytorch==2.6.0
	BUILT_NETWORKS=$(NETWORKS) $(WITH_TORCH)/bin/python -m pytest --numprocesses $(JOBS) --dist loadscope \
	  --lacking PyTorch $$(grep -rlE --include='test_*.py' 'torch|relucent' tests) capacity_inspection/readers

# One process more than elsewhere, since visits mostly wait until the network is silent.
test-browser: book  ## look at the book with a browser, on a desktop and on a phone; SCALE=quick: at the quick one
	@{ command -v chromium-headless-shell || command -v chromium || command -v google-chrome; } >/dev/null || \
	  { echo "no browser found (on Debian: apt install chromium-headless-shell fonts-liberation)"; exit 1; }
	@! command -v fc-list >/dev/null || fc-list | grep -qiE 'arial|helvetica|liberation ?sans|roboto|segoe' || \
	  { echo "no font of the usual width found, so that lines would break elsewhere (on Debian: apt install fonts-liberation)"; exit 1; }
	BROWSER_SITE=$(SITE) $(RUN) -m pytest tests/browser --numprocesses $$(($(JOBS) + 1)) --dist loadscope --no-loadscope-reorder

weight: setup  ## lines of code, docstrings and text by tenant, and what the chapters' cells weigh
	$(RUN) .ci/weight.py

faults: setup  ## plant faults and tell which claims notice them; goes on where it was interrupted; FAULTS= some only
	$(EDITION) faults --jobs $(JOBS) $(FAULTS)

chapter: setup  ## write a new chapter that builds and passes, to be written over: NAME=beyond/my-page
	$(EDITION) chapter $(call needed,NAME,beyond/my-page)

run: setup  ## one chapter at other parameters: CHAPTER=linear/5-1-hierarchical PARAMETERS='-p n_layers 4' SCALE=quick
	$(EDITION) run $(call needed,CHAPTER,linear/2-intuitions) --scale $(SCALE) $(PARAMETERS)

serve: book  ## build the book and serve it on this machine
	$(RUN) -m http.server --bind 127.0.0.1 --directory _build/$(SITE) $(PORT)

reproduce: setup  ## build twice from nothing and compare byte for byte; SCALE=quick takes less long
	$(EDITION) reproduce --jobs $(JOBS) --scale $(SCALE)

robust: setup  ## do the verdicts depend on the machine or the seed? KIND=effort or step: on effort, on parameters; CHAPTERS= some
	$(EDITION) robust --jobs $(JOBS) $(if $(KIND),--kind $(KIND)) $(CHAPTERS)

other: setup  ## do chapters run, and do claims and figures hold, at the parameters of parameters/other.yml? CHAPTERS= some
	$(EDITION) robust --jobs $(JOBS) --kind other $(CHAPTERS)

LAST := $(shell ls dist/*-recorded.zip 2>/dev/null | sort -V | tail -1)
benchmark: setup  ## measure times, side by side with PyTorch if it is installed, and compare with the last release
	$(RUN) -m benchmarks $(SECTIONS)
	$(RUN) -m benchmarks.findings
	$(if $(LAST),$(RUN) -m benchmarks.compare $(LAST) benchmarks/results.json,@echo "no release to compare with: put its -recorded.zip into dist")

release: setup  ## after make book, faults, robust and benchmark: pack what they recorded into dist; keep verdicts and addresses
	$(EDITION) release

reference: setup  ## make the references of the chapters' tests again; CHAPTERS= some only
	$(EDITION) reference --jobs $(JOBS) $(CHAPTERS)

wheels: setup  ## keep all that is installed in _build/wheels, from which make WHEELS=FOLDER sets up without the index
	$(PIP) download --require-hashes --dest _build/wheels -r requirements.txt
	$(PIP) download --no-deps --require-hashes --dest _build/wheels -r requirements-models.txt

# The fewest versions of each package: one for all Pythons wherever there is one that all can have.
lock:  ## resolve pyproject.toml's dependencies, extras and groups into requirements.txt; UPGRADE=--upgrade takes the newest
	$(VENV)/bin/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --extra figures \
	  --extra cluster --extra data --extra frames --extra onnx --group edition --group test \
	  --generate-hashes --no-annotate --custom-compile-command "make lock" $(UPGRADE) pyproject.toml -o requirements.txt

clean:  ## remove what was built; the environment stays
	rm -rf _build
