# SPDX-License-Identifier: GPL-2.0-or-later
#
# make run        show what is dying here, live if possible, else the bundled recording (installs what it needs)
# make check      all tests (installs what they need)
# make help       the other targets
#
# Variables: O=dir (output, default build)  V=1 (commands shown)  SAN=address,undefined  CC=clang
#            DESTDIR, prefix (install)      WERROR=0 (warnings stay warnings)

O       ?= build
V       ?= 0
SAN     ?=
WERROR  ?= 1
prefix  ?= /usr/local
bindir  ?= $(prefix)/bin
mandir  ?= $(prefix)/share/man
datadir ?= $(prefix)/share
sysconfdir ?= /etc
VERSION := 0.1.0

ifeq ($(V),0)
Q = @
say = @printf '  %-8s%s\n' $(1) $(2);
endif

PKGS := libtraceevent >= 1.7.1 libtracefs >= 1.6.4 libtracecmd >= 1.3.1 json-c >= 0.16 smartcols >= 2.38 ncursesw
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef -Wpointer-arith \
	-Wvla -Wwrite-strings -Wimplicit-fallthrough -Wcast-qual
ifneq ($(WERROR),0)
WARN += -Werror
endif

CFLAGS ?= -O2 -g
# uthash: a failed allocation is reported, not fatal.
override CPPFLAGS += -D_GNU_SOURCE -DSWT_VERSION='"$(VERSION)"' -Ilib -I.
override CFLAGS += -std=gnu11 -fno-common $(WARN)
ifneq ($(SAN),)
override CFLAGS += -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all
override LDFLAGS += -fsanitize=$(SAN)
endif

# Package flags are asked for only when something is compiled, so that "make setup" works without them.
PKGCFLAGS = $(eval PKGCFLAGS := $$(shell pkg-config --cflags "$(PKGS)" 2>/dev/null | sed 's/-I/-isystem /g'))$(PKGCFLAGS)
PKGLIBS   = $(eval PKGLIBS := $$(shell pkg-config --libs "$(PKGS)" 2>/dev/null))$(PKGLIBS)

LIBSRC   := $(wildcard lib/*/*.c)
CMDSRC   := $(wildcard cmd/*.c)
TLIBSRC  := $(wildcard tests/lib/*.c)
UNITSRC  := $(wildcard tests/unit/test-*.c)
LIBOBJ   := $(LIBSRC:%.c=$(O)/%.o)
CMDOBJ   := $(CMDSRC:%.c=$(O)/%.o)
TLIBOBJ  := $(TLIBSRC:%.c=$(O)/%.o)
UNITBIN  := $(UNITSRC:%.c=$(O)/%)

all: $(O)/swaptop

-include build-aux/rules.mk
include build-aux/check.mk build-aux/install.mk

$(O)/swaptop: $(CMDOBJ) $(O)/libswaptop.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(CMDOBJ) $(O)/libswaptop.a $(PKGLIBS) -lm

$(O)/libswaptop.a: $(LIBOBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/libtest.a: $(TLIBOBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/%.o: %.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(PKGCFLAGS) -Itests/lib -MMD -MP -c -o $@ $<

$(O)/tests/unit/%: $(O)/tests/unit/%.o $(O)/libtest.a $(O)/libswaptop.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(PKGLIBS) -lm $(WRAP_$(notdir $@))

unit: $(UNITBIN)

clean:
	rm -rf $(O)

.PHONY: all unit clean
.SECONDARY:

-include $(LIBOBJ:.o=.d) $(CMDOBJ:.o=.d) $(TLIBOBJ:.o=.d) $(UNITBIN:=.d)
