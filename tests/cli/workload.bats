#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The workload program itself, as far as it needs no swap.

setup() {
	workload=${WORKLOAD:-$BATS_TEST_DIRNAME/../../build/tests/workload}
}

@test "wrong options are refused with 2" {
	for bad in "--procs 0" "--procs x" "--mib -1" "--swapped 101" "--fill ones" "--signal 65" "--threads 65" \
		"--kill-after nan" "--name 0123456789abcdef" "--leader-exits-first --threads 1" "--nothing" "word"; do
		# shellcheck disable=SC2086 # an option and its value
		run "$workload" $bad
		[ "$status" -eq 2 ] || { echo "$bad: $status"; false; }
	done
}

@test "--help names every option" {
	run "$workload" --help
	[ "$status" -eq 0 ]
	for o in procs mib swapped fill threads name clone-vm-child interleave hold hold-fd hold-fifo kill-after \
		touch-every kill signal ignore-term exec leader-exits-first swarm life-ms timeout; do
		[[ $output == *"--$o"* ]]
	done
}

@test "all are killed with one call and reaped" {
	run "$workload" --procs 3 --mib 1 --swapped 0 --kill
	[ "$status" -eq 0 ]
	[ "$(jq -s '[.[] | select(.event == "reaped" and .signal == 9)] | length' <<<"$output")" = 3 ]
	[ "$(jq -s '[.[] | select(.event == "reaped") | .kill_mono_ns] | unique | length' <<<"$output")" = 1 ]
	[ "$(jq -s 'all(.[] | select(.event == "reaped"); .wait_mono_ns >= .kill_mono_ns)' <<<"$output")" = true ]
}

@test "nothing paged out: every page is counted as present" {
	page=$(getconf PAGESIZE)
	run "$workload" --mib 4 --swapped 0
	[ "$status" -eq 0 ]
	[ "$(jq -s '.[] | select(.event == "counted") | .present_pages' <<<"$output")" = $((4 * 1048576 / page)) ]
	[ "$(jq -s '.[] | select(.event == "counted") | .exact' <<<"$output")" = true ]
}

@test "a name of any bytes arrives in the kernel" {
	mkfifo "$BATS_TEST_TMPDIR/go"
	"$workload" --mib 1 --swapped 0 --name 'x \x1b[31m\xff' --hold-fifo "$BATS_TEST_TMPDIR/go" \
		>"$BATS_TEST_TMPDIR/out" 3>&- &
	until grep -q '"ready"' "$BATS_TEST_TMPDIR/out"; do sleep 0.02; done
	pid=$(jq -s '.[0].pid' "$BATS_TEST_TMPDIR/out")
	od -An -tx1 "/proc/$pid/comm" >"$BATS_TEST_TMPDIR/comm"
	echo go >"$BATS_TEST_TMPDIR/go"
	wait $!
	[ "$(tr -d ' \n' <"$BATS_TEST_TMPDIR/comm")" = 78201b5b33316dff0a ]
}

@test "TERM is ignored, KILL is not" {
	run "$workload" --mib 1 --swapped 0 --ignore-term
	[ "$status" -eq 0 ]
	[ "$(jq -s '.[] | select(.event == "term_ignored") | .alive' <<<"$output")" = true ]
	[ "$(jq -s '.[] | select(.event == "reaped") | .signal' <<<"$output")" = 9 ]
}

@test "the leader goes first, the process later" {
	run "$workload" --mib 1 --swapped 0 --leader-exits-first=0.3
	[ "$status" -eq 0 ]
	[ "$(jq -s '(.[] | select(.event == "reaped") | .wait_mono_ns) - (.[] | select(.event == "leader_exited") | .mono_ns) >= 300000000' <<<"$output")" = true ]
}

@test "the memory outlives the process with a CLONE_VM child" {
	run "$workload" --mib 1 --swapped 0 --clone-vm-child 0.2 --kill
	[ "$status" -eq 0 ]
	[ "$(jq -s '(.[] | select(.event == "vm_child_reaped") | .wait_mono_ns) - (.[] | select(.event == "reaped") | .kill_mono_ns) >= 200000000' <<<"$output")" = true ]
	[ "$(jq -s '(.[] | select(.event == "vm_child_reaped") | .pid) == (.[] | select(.event == "ready") | .vm_child)' <<<"$output")" = true ]
}

@test "exec goes on as sleep under the same pid" {
	run "$workload" --mib 1 --swapped 0 --exec=0.2
	[ "$status" -eq 0 ]
	[ "$(jq -s '(.[] | select(.event == "exec") | .exec_done_mono_ns >= .exec_mono_ns)' <<<"$output")" = true ]
	[ "$(jq -s '(.[] | select(.event == "reaped") | .wait_mono_ns) - (.[] | select(.event == "exec") | .exec_mono_ns) >= 200000000' <<<"$output")" = true ]
}

@test "a swarm is reaped to the last, each with its own name" {
	run "$workload" --swarm 50 --life-ms 2
	[ "$status" -eq 0 ]
	[ "$(jq -s '[.[] | select(.event == "reaped") | .name] | unique | length' <<<"$output")" = 50 ]
}

@test "no victim outlives a runner that is killed" {
	"$workload" --procs 2 --mib 1 --swapped 0 --kill-after 1000 >"$BATS_TEST_TMPDIR/out" 3>&- &
	runner=$!
	until [ "$(grep -c '"ready"' "$BATS_TEST_TMPDIR/out")" = 2 ]; do sleep 0.02; done
	pids=$(jq .pid "$BATS_TEST_TMPDIR/out")
	kill -KILL $runner
	wait $runner || true
	for pid in $pids; do
		# gone, or a zombie whose new parent is slow
		until ! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$pid/status" 2>/dev/null; do sleep 0.02; done
	done
}
