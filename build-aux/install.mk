# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installation, and the two ways to try the program without it.

MAN1 := $(wildcard man/*.1)
MAN5 := $(wildcard man/*.5)
MAN7 := $(wildcard man/*.7)
# Where zsh looks: Debian's own packages have a directory of their own below /usr.
ZSHDIR = $(datadir)/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)

setup:
	build-aux/setup.sh run

build: setup
	$(MAKE) all

run:
	@build-aux/setup.sh run
	@$(MAKE) --no-print-directory all
	@build-aux/run.sh $(O)/swaptop

completions: $(O)/swaptop
	build-aux/completions.sh $(O)/swaptop completions

install: all
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(datadir)/swaptop \
		$(DESTDIR)$(datadir)/bash-completion/completions $(DESTDIR)$(ZSHDIR) \
		$(DESTDIR)$(datadir)/fish/vendor_completions.d
	install -m 755 $(O)/swaptop $(DESTDIR)$(bindir)/swaptop
	install -m 644 $(MAN1) $(DESTDIR)$(mandir)/man1/
	install -m 644 completions/swaptop.bash $(DESTDIR)$(datadir)/bash-completion/completions/swaptop
	install -m 644 completions/_swaptop $(DESTDIR)$(ZSHDIR)/_swaptop
	install -m 644 completions/swaptop.fish $(DESTDIR)$(datadir)/fish/vendor_completions.d/swaptop.fish
	install -m 644 $(wildcard tracepoints/samples/*.dat) $(DESTDIR)$(datadir)/swaptop/

uninstall:
	rm -f $(DESTDIR)$(bindir)/swaptop $(MAN1:man/%=$(DESTDIR)$(mandir)/man1/%) \
		$(DESTDIR)$(datadir)/bash-completion/completions/swaptop \
		$(DESTDIR)$(ZSHDIR)/_swaptop \
		$(DESTDIR)$(datadir)/fish/vendor_completions.d/swaptop.fish \
		$(patsubst tracepoints/samples/%,$(DESTDIR)$(datadir)/swaptop/%,$(wildcard tracepoints/samples/*.dat))
	-rmdir $(DESTDIR)$(datadir)/swaptop 2>/dev/null

help:
	@echo 'make run          show what gives back swap here: live if it can, else the bundled recording'
	@echo 'make check        all tests; installs what they need, uses root where there is root'
	@echo 'make              build only;  make setup installs what the build needs'
	@echo 'make check-quick  tests that need neither root nor a kernel, under a minute'
	@echo 'make check-live   tests on this kernel (root, tracefs, zram)'
	@echo 'make lint         style, layers, static analysis, manual, spelling'
	@echo 'make fuzz         10 minutes of each fuzz target (FUZZ_TIME=seconds, TARGETS=...)'
	@echo 'make bench        measurements; README.md says what each one means'
	@echo 'make completions  write completions/ again from the option and column tables'
	@echo 'make install      prefix=/usr/local, DESTDIR=;  make uninstall takes it back'
	@echo 'Variables: O=dir V=1 CC=clang SAN=address,undefined WERROR=0'

.PHONY: setup build run completions install uninstall help
