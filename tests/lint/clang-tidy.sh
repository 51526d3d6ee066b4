#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Static analysis by clang-tidy with the checks of .clang-tidy.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need clang clang-tidy pkg-config sha256sum

libs=$(pkg-config --cflags libtraceevent libtracefs libtracecmd json-c smartcols ncursesw 2>/dev/null |
	sed 's/-I/-isystem /g')

# A file that was clean stays clean until it, a header or the checks change: minutes become seconds.
clean=${BUILD:-build}/lint-tidy
mkdir -p "$clean"
cat >"$tap_tmp/tidy" <<EOF
for f; do
	key=\$({ cat .clang-tidy; clang -E $c_flags $libs "\$f" 2>/dev/null; } | sha256sum | cut -c1-64)
	[ ! -e "$clean/\$key" ] || continue
	clang-tidy --quiet --config-file=.clang-tidy "\$f" -- $c_flags $libs >"$tap_tmp/out.\$\$" 2>/dev/null
	grep -E '(warning|error):' "$tap_tmp/out.\$\$" || : >"$clean/\$key"
done
EOF

check() {
	xargs -r -n 2 -P "$(nproc)" sh "$tap_tmp/tidy"
}

tracked 'lib/*.c' 'cmd/*.c' | check | result "clang-tidy"
printf 'int f(char *p)\n{\n\tif (!p)\n\t\treturn *p;\n\treturn 0;\n}\n' >"$tap_tmp/bad.c"
echo "$tap_tmp/bad.c" | check | caught "a null dereference is found"
done_testing
