# SPDX-License-Identifier: GPL-2.0-or-later
#
# Included by the Makefile: the workload program, and what single tests are linked with.

# Test doubles by the linker: test-NAME is linked with $(WRAP_test-NAME).
WRAP_test-buf  := -Wl,--wrap=realloc
WRAP_test-root := -Wl,--wrap=syscall -Wl,--wrap=read

# A program that dies with a known amount of swap; tests and benches start it.  Nothing of lib/ is in it, so
# that it cannot share a mistake with what it checks.
WORKLOADOBJ := $(addprefix $(O)/tests/,workload.o workload-opt.o workload-child.o)

# Never with sanitizers: their shadow memory is in the address space that it counts page by page.
$(WORKLOADOBJ) $(O)/tests/workload: override CFLAGS := $(filter-out -fsanitize=% -fno-sanitize%,$(CFLAGS))
$(O)/tests/workload: override LDFLAGS := $(filter-out -fsanitize=%,$(LDFLAGS))

$(O)/tests/workload: $(WORKLOADOBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lpthread

workload: $(O)/tests/workload

.PHONY: workload
-include $(WORKLOADOBJ:.o=.d)
