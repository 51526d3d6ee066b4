# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests and benches.  Every test speaks TAP; prove runs them.  Each build below has its own directory, so that
# switching between them never rebuilds the others.

PROVE  ?= prove
JOBS   ?= $(shell nproc)
# Guest and live tests share one machine: only tests that do not look at the system run side by side.
UNIT_T  = $(UNITBIN)
LINT_T := $(wildcard tests/lint/*.sh)
CLI_T  := $(wildcard tests/cli/*.bats)
LIVE_T := $(wildcard tests/live/*.bats)
LIVESRC := $(wildcard tests/live/test-*.c)
LIVEBIN := $(LIVESRC:%.c=$(O)/%)
FUZZSRC := $(wildcard tests/fuzz/fuzz-*.c)
FUZZNAMES := $(FUZZSRC:tests/fuzz/%.c=%)
TOOLSRC := $(wildcard tests/tools/*.c)
TOOLBIN := $(TOOLSRC:%.c=$(O)/%)
BENCHSRC := $(wildcard tests/bench/*.c)
BENCHBIN := $(BENCHSRC:%.c=$(O)/%)

$(TOOLBIN) $(BENCHBIN) $(LIVEBIN): $(O)/%: $(O)/%.o $(O)/libtest.a $(O)/libswaptop.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(PKGLIBS) -lm

# A fuzz target as a plain program that replays files.
$(O)/tests/fuzz/replay-%: tests/fuzz/%.c $(O)/libtest.a $(O)/libswaptop.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(PKGCFLAGS) -DFUZZ_REPLAY -Itests/lib -Itests/fuzz $(LDFLAGS) -o $@ $< \
		$(O)/libtest.a $(O)/libswaptop.a $(PKGLIBS) -lm

REPLAYBIN := $(FUZZNAMES:%=$(O)/tests/fuzz/replay-%)

tests-built: all unit tools $(REPLAYBIN)
tools: $(TOOLBIN) $(O)/tests/workload
benches: $(BENCHBIN)

export CMOCKA_MESSAGE_OUTPUT = TAP
export SWAPTOP = $(abspath $(O)/swaptop)
export TOOLS = $(abspath $(O)/tests/tools)
export WORKLOAD = $(abspath $(O)/tests/workload)
export BUILD = $(abspath $(O))

# The inner loop: no setup, no root, under a minute.
check-quick: tests-built
	$(PROVE) -j$(JOBS) $(UNIT_T)
	$(PROVE) -j$(JOBS) tests/fuzz/replay.sh
	$(PROVE) -j$(JOBS) --exec tests/run-test $(CLI_T)

lint:
	$(PROVE) -j$(JOBS) $(LINT_T)

check-live: tests-built $(LIVEBIN)
	$(PROVE) --merge --exec tests/run-test $(LIVEBIN) $(LIVE_T)

check-san-gcc:
	$(MAKE) O=$(O)-san-gcc CC=gcc SAN=address,undefined check-quick
check-san-clang:
	$(MAKE) O=$(O)-san-clang CC=clang SAN=address,undefined check-quick
check-clang:
	$(MAKE) O=$(O)-clang CC=clang all

check:
	build-aux/setup.sh check
	build-aux/check.sh

# Fuzzing: make fuzz [FUZZ_TIME=600] [TARGETS="fuzz-page ..."]
FUZZ_TIME ?= 600
TARGETS ?= $(FUZZNAMES)
FUZZ_LIB = $(wildcard lib/*/*.c) $(wildcard tests/lib/*.c)
$(O)-fuzz/%: tests/fuzz/%.c $(FUZZ_LIB)
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D) && clang $(CPPFLAGS) -std=gnu11 -O1 -g $(PKGCFLAGS) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-Itests/lib -Itests/fuzz -o $@ $^ $(PKGLIBS) -lm
fuzz: $(TARGETS:%=$(O)-fuzz/%)
	@for t in $(TARGETS); do \
		mkdir -p $(O)-fuzz/corpus/$$t && \
		$(O)-fuzz/$$t -max_total_time=$(FUZZ_TIME) -timeout=10 -rss_limit_mb=512 -print_final_stats=1 \
			$(O)-fuzz/corpus/$$t tests/fuzz/corpus/$$t || exit 1; \
	done

bench: all benches tools
	build-aux/setup.sh bench
	tests/bench/run.sh

.PHONY: tests-built tools benches check-quick lint check-live check-san-gcc check-san-clang check-clang check fuzz bench
