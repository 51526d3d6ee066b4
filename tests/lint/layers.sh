#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Includes point one way: base <- trace <- model <- out, ui <- cmd.  And each outside library has one door.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"

may_include() {
	case $1 in
	lib/base/*) echo base ;;
	lib/trace/*) echo base trace ;;
	lib/model/*) echo base trace model ;;
	lib/out/*) echo base trace model out ;;
	lib/ui/*) echo base trace model ui ;;
	cmd/*) echo base trace model out ui cmd ;;
	esac
}

outside_door() {
	case $1 in
	*event-parse.h* | *kbuffer.h* | *tracefs.h* | *trace-cmd.h* | *trace-seq.h*) echo 'lib/trace/*' ;;
	*json-c/* | json.h | *libsmartcols*) echo 'lib/out/*' ;;
	*curses* | term.h | panel.h) echo 'lib/ui/term.c' ;;
	*) echo '*' ;;
	esac
}

# complaints FILE...
complaints() {
	for f in "$@"; do
		allowed=" $(may_include "$f") "
		sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\([<"]\)\([^>"]*\).*/\1 \2/p' "$f" |
			while read -r kind what; do
				layer=${what%%/*}
				case $layer in
				base | trace | model | out | ui | cmd)
					case $allowed in
					*" $layer "*) ;;
					*) echo "$f includes $what: against the direction" ;;
					esac
					;;
				esac
				case $what in
				../*) echo "$f includes $what: name it from lib/" ;;
				esac
				[ "$kind" = '<' ] || continue
				door=$(outside_door "$what")
				# shellcheck disable=SC2254 # it is a pattern
				case $f in
				$door) ;;
				*) echo "$f includes $what: only $door may" ;;
				esac
			done
	done
}

# shellcheck disable=SC2046 # no blanks in our names
complaints $(tracked 'lib/*.[ch]' 'cmd/*.[ch]') | result "includes follow the layers"

mkdir -p "$tap_tmp/lib/base" "$tap_tmp/lib/model" "$tap_tmp/lib/ui"
echo '#include "trace/event.h"' >"$tap_tmp/lib/base/a.c"
echo '#include <event-parse.h>' >"$tap_tmp/lib/model/a.c"
echo '# include <ncurses.h>' >"$tap_tmp/lib/ui/view.c"
cd "$tap_tmp" || exit 1
complaints lib/base/a.c | caught "an upward include is found"
complaints lib/model/a.c | caught "libtraceevent outside of lib/trace is found"
complaints lib/ui/view.c | caught "curses outside of term.c is found"
done_testing
