#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What nobody should ask for, and inputs that do not say everything.  No root, no kernel.

setup() {
	ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	SWAPTOP=${SWAPTOP:-$ROOT/build/swaptop}
	SAMPLE=$ROOT/tracepoints/samples/exits-6.18.dat
	cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "record without events: status 2, one line, no file" {
	for how in "--level 0" "--source proc"; do
		# shellcheck disable=SC2086 # two words
		run "$SWAPTOP" record $how -o x.dat -n 1
		[ "$status" = 2 ]
		[ "${#lines[@]}" = 1 ]
		[ ! -e x.dat ]
	done
}

@test "report into a pipe nobody reads: no message, status 0" {
	run bash -c 'set -o pipefail; { sleep 0.3; "$1" report "$2"; } | true' - "$SWAPTOP" "$SAMPLE"
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "a stream that does not say what was lost: not shown as 0" {
	"$SWAPTOP" --json -i "$SAMPLE" | jq -c 'del(.lost)' >out
	run "$SWAPTOP" report out
	[[ "$output" == *"events "* ]]
	[[ "$output" != *"lost "*0* ]]
}
