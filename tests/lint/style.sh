#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Layout of C files: clang-format, comments, length.
# shellcheck source=tests/lint/tap
. "$(dirname "$0")/tap"
need clang-format perl

c_files() {
	tracked 'lib/*.[ch]' 'cmd/*.[ch]' 'tests/*.[ch]' 'tracepoints/*.[ch]'
}

# Strings and block comments are skipped, so that "http://" in them is none.
line_comments() {
	# shellcheck disable=SC2016 # perl
	xargs -r perl -0777 -ne '
		while (m{"(?:\\.|[^"\\])*"|\x27(?:\\.|[^\x27\\])*\x27|/\*.*?\*/|(//)}gs) {
			next unless defined $1;
			my $line = 1 + (substr($_, 0, $-[1]) =~ tr/\n//);
			print "$ARGV:$line: // comment\n";
		}'
}

c_files | without tests/lint/style.except |
	xargs -r -n 8 -P "$(nproc)" clang-format --dry-run -Werror 2>&1 |
	grep -E 'error:|warning:' | result "clang-format"
c_files | line_comments | result "comments are /* */"
# shellcheck disable=SC2046 # no blanks in our names
wc -l $(c_files) | awk '$1 > 600 && $2 != "total" { print "# " $2 ": " $1 " lines, is it one job?" }'

printf 'int a; /* http://x */\nchar *s = "//";\nint b; // no\n' >"$tap_tmp/c.c"
echo "$tap_tmp/c.c" | line_comments | grep -c . | grep -x 1 | caught "only the real // comment is found"
printf 'int  a ;\n' >"$tap_tmp/l.c"
clang-format --style=file:.clang-format --dry-run -Werror "$tap_tmp/l.c" 2>&1 | caught "bad layout is found"
done_testing
