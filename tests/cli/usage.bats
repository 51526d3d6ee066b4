#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line: help, errors, exit statuses.  No root, no kernel.

setup() {
	ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	SWAPTOP=${SWAPTOP:-$ROOT/build/swaptop}
}

@test "--help of every command names its options and exit statuses" {
	for cmd in "" exits record report doctor; do
		# shellcheck disable=SC2086 # "" is no word
		run "$SWAPTOP" $cmd --help
		[ "$status" = 0 ]
		[[ "$output" == *"Usage: swaptop"* ]]
		[[ "$output" == *"Exit status:"* ]]
		[[ "$output" == *"--help"* ]]
	done
}

@test "--version" {
	run "$SWAPTOP" --version
	[ "$status" = 0 ]
	[[ "$output" =~ ^swaptop\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "a command that is not there: status 2, one line that names it" {
	run "$SWAPTOP" frobnicate
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ "$output" == *"frobnicate"* ]]
}

# bad ARGS...: status 2 and exactly one line, which holds the first argument of the pattern.
bad() {
	local want=$1
	shift
	run "$SWAPTOP" "$@"
	echo "$* -> $status: $output"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ "$output" == *"$want"* ]]
}

@test "wrong options and arguments: status 2, one line that names the thing" {
	bad "--bogus" --bogus
	bad "-x" -x
	bad "delay" -d 0
	bad "delay" -d abc
	bad "delay" --delay=-1
	bad "count" -n 0
	bad "count" -n 1x
	bad "needs an argument" -n
	bad "nosuch" -C nosuch
	bad "nosuch" -C pid,nosuch
	bad "min-swap" --min-swap 12Q
	bad "source" --source bpf
	bad "level" --level 5
	bad "color" --color blue
	bad "json" --json=yes
	bad "pid" -p 0
	bad "pid" -p 99999999999
	bad "surplus" exits surplus
	bad "FILE" report
	bad "two" report one two
	bad "-o FILE" record
	bad "events" exits --source proc
	bad "events" record -o x --source proc
	bad "events" record -o x --level 0
	bad "level" --level 0 --source stock
	bad "input" -i x --level 3
	bad "nosuch" report --sort nosuch x
}

@test "control characters of an argument do not reach the terminal" {
	run "$SWAPTOP" $'\e[31mred'
	[ "$status" = 2 ]
	[[ "$output" != *$'\e'* ]]
}

@test "-C help lists the columns, each once" {
	run "$SWAPTOP" -C help
	[ "$status" = 0 ]
	[ "${#lines[@]}" -gt 15 ]
	[ "$(echo "$output" | awk '{print $1}' | sort | uniq -d)" = "" ]
}

@test "--print-schema is a valid JSON Schema" {
	"$SWAPTOP" --print-schema >"$BATS_TEST_TMPDIR/schema"
	: >"$BATS_TEST_TMPDIR/empty"
	/usr/bin/python3 "$ROOT/tests/cli/validate.py" "$BATS_TEST_TMPDIR/schema" "$BATS_TEST_TMPDIR/empty"
	jq -e .title "$BATS_TEST_TMPDIR/schema" >/dev/null || jq -e '."$id"' "$BATS_TEST_TMPDIR/schema"
}

@test "a full standard output is an error, not silence" {
	[ -e /dev/full ] || skip "no /dev/full"
	run bash -c '"$1" --help >/dev/full' _ "$SWAPTOP"
	[ "$status" = 1 ]
	[[ "$output" == *"standard output"* ]]
}

@test "F48: no tracefs anywhere: doctor says how to mount it, status 4" {
	mkdir -p "$BATS_TEST_TMPDIR/root/proc/self"
	echo "proc /proc proc rw 0 0" >"$BATS_TEST_TMPDIR/root/proc/self/mounts"
	run "$SWAPTOP" doctor --sysroot "$BATS_TEST_TMPDIR/root"
	echo "$output"
	[ "$status" = 4 ]
	[[ "$output" == *"mount -t tracefs"* ]]
}

@test "a sysroot that is not there: one line, status 1" {
	run "$SWAPTOP" doctor --sysroot /nonexistent/dir
	[ "$status" = 1 ]
	[[ "$output" == *"/nonexistent/dir"* ]]
}

@test "F81: a sysroot with next to nothing: it runs, unknown is null" {
	mkdir -p "$BATS_TEST_TMPDIR/root/proc"
	echo "nr_free_pages 1000" >"$BATS_TEST_TMPDIR/root/proc/vmstat"
	run "$SWAPTOP" --json -d 0.1 -n 2 --source proc --sysroot "$BATS_TEST_TMPDIR/root"
	echo "$output"
	[ "$status" = 0 ]
	[ "$(echo "$output" | jq -r 'select(.type == "report") | .swap.in_entries' | sort -u)" = null ]
	[ "$(echo "$output" | jq -r 'select(.type == "report") | .exits' | sort -u)" != 0 ]
	[ "$(echo "$output" | head -n 1 | jq -r '.missing | index("pswpin") != null')" = true ]
}

@test "no tracefs, and a command that needs it: a kernel feature is missing, status 4" {
	mkdir -p "$BATS_TEST_TMPDIR/root/proc/self"
	echo "proc /proc proc rw 0 0" >"$BATS_TEST_TMPDIR/root/proc/self/mounts"
	run "$SWAPTOP" exits --sysroot "$BATS_TEST_TMPDIR/root"
	echo "$output"
	[ "$status" = 4 ]
	[ "${#lines[@]}" = 1 ]
}
