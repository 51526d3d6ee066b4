#!/usr/bin/env bats
# shellcheck disable=SC2238 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Recordings: the bundled one, made ones, broken ones.  No root, no kernel.

setup() {
	ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	SWAPTOP=${SWAPTOP:-$ROOT/build/swaptop}
	TOOLS=${TOOLS:-$ROOT/build/tests/tools}
	SAMPLE=$ROOT/tracepoints/samples/exits-6.18.dat
	cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "the bundled recording: counts as the workload told them when it was made" {
	"$SWAPTOP" exits --json -i "$SAMPLE" >out
	while read -r pid entries child; do
		# Whoever tore it down: the process itself (by exit or exec), or the one that shared its memory.
		got=$(jq -r --argjson p "$pid" --argjson c "$child" 'select(.type == "exit" and (.pid == $p or .pid == $c)) |
			.freed_entries // 0' out | sort -n | tail -n 1)
		echo "pid $pid: $got of $entries"
		[ "$got" = "$entries" ]
	done < <(jq -r 'select(.event == "counted" or .event == "ready") | "\(.pid) \(.swap_entries) \(.vm_child)"' "${SAMPLE%.dat}.truth" |
		awk '{e[$1] = $2 " " $3} END {for (p in e) print p, e[p]}')
	[ "$(tail -n 1 out | jq -r .complete)" = true ]
}

@test "report shows it on one page" {
	run "$SWAPTOP" report "$SAMPLE"
	[ "$status" = 0 ]
	[ "${#lines[@]}" -lt 70 ]
	[[ "$output" == *zram* ]]
	run "$SWAPTOP" report --ascii "$SAMPLE"
	[ "$status" = 0 ]
	[ "$(echo "$output" | LC_ALL=C grep -c -P '[^\x00-\x7f]')" = 0 ]
	before=$output
	run "$SWAPTOP" report "$SAMPLE" --ascii
	[ "$output" = "$before" ]
}

@test "every record of it satisfies the schema; report --json is the same stream" {
	"$SWAPTOP" --print-schema >schema
	"$SWAPTOP" --json -i "$SAMPLE" >out
	/usr/bin/python3 "$ROOT/tests/cli/validate.py" schema out
	"$SWAPTOP" report --json "$SAMPLE" | cmp - out
}

@test "a wrong record does not satisfy the schema" {
	"$SWAPTOP" --print-schema >schema
	"$SWAPTOP" --json -i "$SAMPLE" >out
	jq -c 'select(.type == "exit") | .pid = "4198"' out | head -n 1 >bad
	run /usr/bin/python3 "$ROOT/tests/cli/validate.py" schema bad
	[ "$status" = 1 ]
	jq -c 'select(.type == "exit") | del(.freed_entries)' out | head -n 1 >bad
	run /usr/bin/python3 "$ROOT/tests/cli/validate.py" schema bad
	[ "$status" = 1 ]
}

@test "F105: a stream cut after line 5: incomplete, status 3; whole: status 0" {
	"$SWAPTOP" --json -i "$SAMPLE" >out
	run "$SWAPTOP" report out
	[ "$status" = 0 ]
	head -n 5 out >cut
	run "$SWAPTOP" report cut
	echo "$output"
	[ "$status" = 3 ]
	[[ "$output" == *"incomplete: no end record"* ]]
}

@test "not a recording, an empty one, a missing one: one line, status 1" {
	echo hello >text
	: >empty
	for f in text empty /nonexistent.dat /; do
		run "$SWAPTOP" report "$f"
		echo "$f: $status $output"
		[ "$status" = 1 ]
		[ "${#lines[@]}" = 1 ]
		[[ "$output" == *"$f"* ]]
	done
}

@test "a cut recording: what is there is shown, the end is said to be missing, status 3" {
	size=$(stat -c %s "$SAMPLE")
	head -c $((size - 5000)) "$SAMPLE" >cut.dat
	run "$SWAPTOP" report cut.dat
	echo "$output"
	[ "$status" = 3 ]
	[[ "$output" == *cut* ]]
}

@test "filters and columns" {
	"$SWAPTOP" exits -i "$SAMPLE" -c 'hog*' -C pid,name,swap >rows
	[ "$(wc -l <rows)" -ge 5 ]
	"$SWAPTOP" exits --json -i "$SAMPLE" --min-swap 100M >out
	[ "$(jq -r 'select(.type == "exit") | .freed_entries >= 25600' out | sort -u)" = true ]
	pid=$(jq -r 'select(.type == "exit") | .pid' out | head -n 1)
	"$SWAPTOP" exits --json -i "$SAMPLE" -p "$pid" >one
	[ "$(jq -r 'select(.type == "exit") | .pid' one | sort -u)" = "$pid" ]
	"$SWAPTOP" exits --json -i "$SAMPLE" -g /nonexistent >none
	[ "$(jq -r 'select(.type == "exit") | .pid' none)" = "" ]
}

@test "exits -n: that many rows, as text and as JSON" {
	"$SWAPTOP" exits -n 2 -C pid -i "$SAMPLE" >out
	[ "$(grep -cE '^[0-9:]+ +[0-9]+' out)" = 2 ]
	"$SWAPTOP" exits --json -n 2 -i "$SAMPLE" >out
	[ "$(jq -r 'select(.type == "exit") | .pid' out | wc -l)" = 2 ]
	[ "$(tail -n 1 out | jq -r '"\(.type) \(.exits) \(.reason)"')" = "end 2 count" ]
}

@test "a recording that is cut: the plain view does not say that 0 events are lost" {
	size=$(stat -c %s "$SAMPLE")
	head -c $((size - 6000)) "$SAMPLE" >cut.dat
	run "$SWAPTOP" -i cut.dat
	echo "$output"
	[ "$status" = 3 ]
	[[ "$output" == *INCOMPLETE* ]]
	[[ "$output" != *" 0 events lost"* ]]
}

@test "a page with the last time there is: it ends" {
	size=$(stat -c %s "$SAMPLE")
	cp "$SAMPLE" late.dat
	printf '\377\377\377\377\377\377\377\377' | dd of=late.dat bs=1 seek=$((size - 4096)) conv=notrunc status=none
	for cmd in "report" "--json -i"; do
		# shellcheck disable=SC2086 # words
		run timeout 30 "$SWAPTOP" $cmd late.dat
		[ "$status" = 0 ] || [ "$status" = 3 ]
	done
}
