#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031,SC2314,SC2251,SC2086,SC2153 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rows against the workload's own truth, on the running kernel.  Counts are compared exactly, times as ratios.

load helpers

setup_file() {
	need_tracefs
	need_swap
}

teardown_file() {
	leave_system
}

# run_both OPTIONS...: swaptop exits --json around one workload; $OUT and $TRUTH hold what each says.
run_both() {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	"$WORKLOAD" "$@" >"$TRUTH"
	# shellcheck disable=SC2046 # pids
	wait_for $PATIENCE has_exits "$OUT" $(pids_of "$TRUTH")
	stop_swaptop
	[ "$STATUS" = 0 ]
}

@test "F01: one process of 128 MiB: one row, its entries exact, cause, backend" {
	run_both --mib 128 --kill-after 1.5
	pid=$(pids_of "$TRUTH")
	[ "$(truth_of "$TRUTH" "$pid")" = 32768 ]
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = 32768 ]
	[ "$(exit_of "$OUT" "$pid" .swap_entries)" = 32768 ]
	[ "$(exit_of "$OUT" "$pid" .kind)" = exit ]
	[ "$(exit_of "$OUT" "$pid" .comm)" = workload ]
	[ "$(exit_of "$OUT" "$pid" .cause.signal)" = 9 ]
	[ "$(exit_of "$OUT" "$pid" .complete)" = true ]
	[ "$(exit_of "$OUT" "$pid" '.teardown_ns > 0')" = true ]
	[ "$(exit_of "$OUT" "$pid" '.ns_per_entry > 0')" = true ]
	if [ "$(awk 'NR > 1 {print $1}' /proc/swaps)" = /dev/zram0 ]; then
		[ "$(exit_of "$OUT" "$pid" .backend)" = zram ]
	fi
}

@test "F01: four at once: four rows, each exact, 4 at once, each slower than one alone" {
	run_both --mib 128 --kill-after 1.5
	alone=$(exit_of "$OUT" "$(pids_of "$TRUTH")" .teardown_ns)
	run_both --procs 4 --mib 128 --kill-after 2
	n=0
	for pid in $(pids_of "$TRUTH"); do
		n=$((n + 1))
		[ "$(truth_of "$TRUTH" "$pid")" = 32768 ]
		[ "$(exit_of "$OUT" "$pid" .freed_entries)" = 32768 ]
		[ "$(exit_of "$OUT" "$pid" '.concurrency >= 4')" = true ] # others may die at that moment, too
		exit_of "$OUT" "$pid" .teardown_ns >>"$BATS_TEST_TMPDIR/four"
	done
	[ $n = 4 ]
	# Four deaths on fewer CPUs than that share them and the locks: the median is far above one alone.
	if [ "$(nproc)" -lt 4 ]; then
		median=$(sort -n "$BATS_TEST_TMPDIR/four" | sed -n 3p)
		echo "# alone $alone ns, median of four $median ns"
		[ "$median" -gt $((alone * 3 / 2)) ]
	fi
}

@test "eight threads: one row, exact, torn down by the last thread" {
	run_both --mib 64 --threads 8 --kill-after 1.5
	pid=$(pids_of "$TRUTH")
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = "$(truth_of "$TRUTH" "$pid")" ]
	[ "$(exit_of "$OUT" "$pid" .threads)" = 8 ]
	[ "$(jq -c --argjson p "$pid" 'select(.type == "exit" and .pid == $p)' "$OUT" | wc -l)" = 1 ]
}

@test "killed half a second after its page-out: still exact" {
	run_both --mib 64 --kill-after 0.5
	pid=$(pids_of "$TRUTH")
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = "$(truth_of "$TRUTH" "$pid")" ]
}

@test "65 % swapped: present pages beside swap, exact" {
	run_both --mib 64 --swapped 65 --kill-after 1.5
	pid=$(pids_of "$TRUTH")
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = "$(truth_of "$TRUTH" "$pid")" ]
	[ "$(exit_of "$OUT" "$pid" '.teardown_ns > 0')" = true ]
}

@test "F16: exec over it: row of kind exec with the old name, and the pid goes on without swap" {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	(sleep 1.5; echo) | "$WORKLOAD" --mib 64 --name hog --exec=1 --hold >"$TRUTH"
	pid=$(pids_of "$TRUTH")
	done_pid() { [ -n "$(exit_of "$OUT" "$pid" .kind exit)" ]; }
	wait_for $PATIENCE done_pid
	stop_swaptop
	[ "$(exit_of "$OUT" "$pid" .freed_entries exec)" = 16384 ]
	[ "$(truth_of "$TRUTH" "$pid")" = 16384 ]
	[ "$(exit_of "$OUT" "$pid" .comm exec)" = hog ]
	[ "$(exit_of "$OUT" "$pid" .comm exit)" = sleep ]
	[ "$(exit_of "$OUT" "$pid" '.freed_entries == 0 or .freed_entries == null and .swap_entries != 16384' exit)" = true ]
}

@test "F18: address space held by a CLONE_VM child: not released with the parent, then by the child" {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	"$WORKLOAD" --mib 64 --clone-vm-child 1.1 --kill-after 1.5 >"$TRUTH"
	pid=$(pids_of "$TRUTH")
	child=$(jq -r 'select(.event == "ready") | .vm_child' "$TRUTH" | head -n 1)
	wait_for $PATIENCE has_exits "$OUT" "$pid" "$child"
	stop_swaptop
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = 0 ]
	[ "$(exit_of "$OUT" "$pid" .swap_entries)" = 16384 ]
	[ "$(exit_of "$OUT" "$pid" .final)" = false ]
	[ "$(exit_of "$OUT" "$child" .freed_entries)" = 16384 ]
	rel=$(exit_of "$OUT" "$pid" .release)
	by=$(jq -r --arg r "$rel" 'select(.type == "exit_update" and .release == $r and .released_mono_ns != null) | .released_by_pid' "$OUT" | tail -n 1)
	[ "$by" = "$child" ]
	lag=$(jq -r --arg r "$rel" 'select(.type == "exit_update" and .release == $r and .lag_ns != null) | .lag_ns' "$OUT" | tail -n 1)
	echo "# lag $lag ns"
	[ "$lag" -gt 900000000 ]
}

@test "F14: the leader ends first: one death, later, by a thread that is not the leader, exact" {
	run_both --mib 64 --leader-exits-first=2 --kill-after 1.5 || run_both --mib 64 --leader-exits-first=2
	pid=$(pids_of "$TRUTH")
	[ "$(jq -c --argjson p "$pid" 'select(.type == "exit" and .pid == $p)' "$OUT" | wc -l)" = 1 ]
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = "$(truth_of "$TRUTH" "$pid")" ]
}

@test "F09: pages read back before the death are not counted as freed swap" {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	(sleep 1; echo touch; sleep 1.5; echo) | "$WORKLOAD" --mib 128 --touch-every 16 --hold --kill >"$TRUTH"
	pid=$(pids_of "$TRUTH")
	wait_for $PATIENCE has_exits "$OUT" "$pid"
	stop_swaptop
	left=$(truth_of "$TRUTH" "$pid")
	echo "# left in swap $left of 32768"
	[ "$left" -le 30720 ]
	[ "$(exit_of "$OUT" "$pid" .freed_entries)" = "$left" ]
}

@test "F75: 200 children of 5 ms: each has a row with its own name" {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	"$WORKLOAD" --swarm 200 --life-ms 5 --name bee >"$TRUTH"
	all() { [ "$(jq -r 'select(.type == "exit" and (.comm | startswith("bee-"))) | .comm' "$OUT" | sort -u | wc -l)" = 200 ]; }
	wait_for $PATIENCE all
	stop_swaptop
	# name k belongs to the k-th pid: nobody wears another's name
	[ "$(jq -r 'select(.type == "exit" and (.comm | startswith("bee-"))) | .pid' "$OUT" | sort -u | wc -l)" = 200 ]
}

@test "F70: escape sequences in a name reach neither rows nor a JSON terminal" {
	OUT=$BATS_TEST_TMPDIR/out
	start_swaptop "$OUT" -d 0.2
	"$WORKLOAD" --mib 4 --name 'x\x1b[31mred\x07' --kill-after 1 >/dev/null
	seen() { grep -q '31mred' "$OUT"; }
	wait_for $PATIENCE seen
	stop_swaptop
	! LC_ALL=C grep -q -P '[\x1b\x07\x9b]' "$OUT"
}

@test "F104: a row is there before anything else happens" {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	"$WORKLOAD" --mib 4 --kill-after 0.5 >"$TRUTH"
	pid=$(pids_of "$TRUTH")
	wait_for $PATIENCE has_exits "$OUT" "$pid"
	[ "$(tail -c 1 "$OUT" | od -An -c | tr -d ' ')" = '\n' ]
	stop_swaptop
}

@test "F05: zero-filled pages take slots and no memory: slots grow both times, stored data once" {
	OUT=$BATS_TEST_TMPDIR/out
	[ "$(awk 'NR > 1 {print $1}' /proc/swaps)" = /dev/zram0 ] || skip "swap is not one zram"
	grep -q '^swpout_zero ' /proc/vmstat || skip "this kernel does not count zero-filled pages (before 6.12)"
	mkfifo "$BATS_TEST_TMPDIR/hold"
	for fill in zero rand; do
		truth=$BATS_TEST_TMPDIR/$fill
		start_swaptop "$OUT.$fill" --json -d 0.5
		reports() { [ "$(grep -c '"type":"report"' "$OUT.$fill")" -ge "$1" ]; }
		wait_for $PATIENCE reports 1
		"$WORKLOAD" --mib 64 --fill $fill --hold-fifo "$BATS_TEST_TMPDIR/hold" >"$truth" 3>&- &
		worker=$!
		counted() { [ -s "$truth" ]; }
		wait_for $PATIENCE counted
		n=$(grep -c '"type":"report"' "$OUT.$fill")
		wait_for $PATIENCE reports $((n + 2))
		echo >"$BATS_TEST_TMPDIR/hold"
		wait $worker
		stop_swaptop
		jq -s '[.[] | select(.type == "report") | {u: .swap.used_bytes, d: .swap.zram[0].data_bytes, z: (.swap.zero_filled_entries // 0)}]
			| {used: ((map(.u) | max) - .[0].u), data: ((map(.d) | max) - .[0].d), zero: (map(.z) | add)}' \
			"$OUT.$fill" >"$truth.sum"
		cat "$truth.sum"
	done
	[ "$(jq .used "$BATS_TEST_TMPDIR/zero.sum")" -ge 60000000 ]
	[ "$(jq .zero "$BATS_TEST_TMPDIR/zero.sum")" -ge 16384 ]
	[ "$(jq .data "$BATS_TEST_TMPDIR/zero.sum")" -lt 8000000 ]
	[ "$(jq .used "$BATS_TEST_TMPDIR/rand.sum")" -ge 60000000 ]
	[ "$(jq .data "$BATS_TEST_TMPDIR/rand.sum")" -ge 60000000 ]
	[ "$(jq .zero "$BATS_TEST_TMPDIR/rand.sum")" -lt 1024 ]
}
