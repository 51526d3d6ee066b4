#!/usr/bin/env bats
# shellcheck disable=SC2086,SC2153,SC2030,SC2031,SC2010,SC2314,SC2251,SC2154 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Streams, recordings, signals, loss, and what is left behind, on the running kernel.

load helpers

setup_file() {
	need_tracefs
	need_swap
}

teardown_file() {
	leave_system
}

churn() { # exits for as long as it lives
	while :; do /bin/true; done
}

ours() {
	find $TRACING/instances -maxdepth 1 -name 'swaptop.*' | wc -l
}

@test "--json -d 1 -n 3 on a busy machine: header, three reports, exits between, end; status 0" {
	churn 3>&- &
	busy=$!
	"$SWAPTOP" --json -d 1 -n 3 >"$BATS_TEST_TMPDIR/out"
	kill $busy
	out=$BATS_TEST_TMPDIR/out
	[ "$(head -n 1 "$out" | jq -r .type)" = header ]
	[ "$(tail -n 1 "$out" | jq -r .type)" = end ]
	[ "$(tail -n 1 "$out" | jq -r .reason)" = count ]
	[ "$(tail -n 1 "$out" | jq -r .complete)" = true ]
	[ "$(jq -r 'select(.type == "report") | .type' "$out" | wc -l)" = 3 ]
	[ "$(jq -r 'select(.type == "exit") | .type' "$out" | wc -l)" -gt 10 ]
	[ "$(jq -r 'select(.type == "exit") | .type' "$out" | wc -l)" = "$(tail -n 1 "$out" | jq -r .exits)" ]
	[ "$(jq -r .seq "$out" | sort -n | uniq | wc -l)" = "$(wc -l <"$out")" ]
	"$SWAPTOP" --print-schema >"$BATS_TEST_TMPDIR/schema"
	/usr/bin/python3 "$ROOT/tests/cli/validate.py" "$BATS_TEST_TMPDIR/schema" "$out"
}

@test "a reader that goes away is no error and makes no noise" {
	churn 3>&- &
	busy=$!
	run bash -c 'set -o pipefail; "$1" --json -d 0.2 2>"$2" | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"' _ "$SWAPTOP" "$BATS_TEST_TMPDIR/err"
	kill $busy
	echo "$output"
	[ "${lines[0]}" = 0 ]
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	[ "$(ours)" = 0 ]
}

@test "INT, TERM, HUP, QUIT: the end record is written, status 0, nothing left behind" {
	before=$(tracefs_state)
	for sig in INT TERM HUP QUIT; do
		start_swaptop "$BATS_TEST_TMPDIR/$sig" --json -d 0.2
		[ "$(ours)" -ge 1 ]
		stop_swaptop $sig
		[ "$STATUS" = 0 ]
		[ "$(tail -n 1 "$BATS_TEST_TMPDIR/$sig" | jq -r .type)" = end ]
		[ "$(tail -n 1 "$BATS_TEST_TMPDIR/$sig" | jq -r .reason)" = signal ]
		[ "$(tracefs_state)" = "$before" ]
	done
}

@test "F46: kill -9, then a new start: the dead one's instances go, a living one's stay" {
	before=$(tracefs_state)
	start_swaptop "$BATS_TEST_TMPDIR/live" --json -d 0.2
	living=$SWAPTOP_PID
	start_swaptop "$BATS_TEST_TMPDIR/dead" --json -d 0.2
	kill -9 "$SWAPTOP_PID"
	wait "$SWAPTOP_PID" || true
	dead=$SWAPTOP_PID
	ls $TRACING/instances
	ls $TRACING/instances | grep -q "^swaptop.$dead\."
	start_swaptop "$BATS_TEST_TMPDIR/next" --json -d 0.2
	if ls $TRACING/instances | grep -q "^swaptop.$dead\."; then false; fi # a bare "!" fails no test
	ls $TRACING/instances | grep -q "^swaptop.$living\."
	stop_swaptop
	kill -INT "$living"
	wait "$living"
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/live" | jq -r .type)" = end ]
	[ "$(tracefs_state)" = "$before" ]
}

@test "two at once and another tracer beside them: all see the same exit, nobody disturbs anybody" {
	# What trace-cmd -B or Perfetto do: an instance of their own.
	other=$TRACING/instances/another.$$
	mkdir "$other"
	echo 1 >"$other/events/sched/sched_process_exit/enable"
	cat "$other/trace_pipe" >"$BATS_TEST_TMPDIR/other" 3>&- &
	cat=$!
	start_swaptop "$BATS_TEST_TMPDIR/a" exits --json
	a=$SWAPTOP_PID
	start_swaptop "$BATS_TEST_TMPDIR/b" exits --json
	"$WORKLOAD" --mib 8 --kill-after 1 >"$BATS_TEST_TMPDIR/truth"
	pid=$(pids_of "$BATS_TEST_TMPDIR/truth")
	wait_for $PATIENCE has_exits "$BATS_TEST_TMPDIR/a" "$pid"
	wait_for $PATIENCE has_exits "$BATS_TEST_TMPDIR/b" "$pid"
	stop_swaptop
	kill -INT "$a"
	wait "$a"
	kill $cat
	[ "$(cat "$other/events/sched/sched_process_exit/enable")" = 1 ]
	[ "$(cat "$other/tracing_on")" = 1 ]
	wait $cat || true
	rmdir "$other"
	[ "$(exit_of "$BATS_TEST_TMPDIR/a" "$pid" .freed_entries)" = 2048 ]
	[ "$(exit_of "$BATS_TEST_TMPDIR/b" "$pid" .freed_entries)" = 2048 ]
	grep -q "sched_process_exit:.*pid=$pid" "$BATS_TEST_TMPDIR/other"
}

@test "a recording replays to the live rows, and trace-cmd reads it without a warning and counts the same" {
	command -v trace-cmd >/dev/null || skip "trace-cmd is not installed"
	cd "$BATS_TEST_TMPDIR"
	start_swaptop live exits --json
	"$SWAPTOP" record -o run.dat -- "$WORKLOAD" --procs 4 --mib 32 --kill-after 1.5 >truth 2>rec.err
	cat rec.err
	# shellcheck disable=SC2046 # pids
	wait_for $PATIENCE has_exits live $(pids_of truth)
	stop_swaptop
	"$SWAPTOP" exits --json -i run.dat >replay
	for pid in $(pids_of truth); do
		[ "$(exit_of replay "$pid" .freed_entries)" = 8192 ]
		for f in .kind .comm .freed_entries .swap_entries .cause .backend .threads .evidence .ppid .cgroup; do
			[ "$(exit_of replay "$pid" $f)" = "$(exit_of live "$pid" $f)" ] ||
				{ echo "pid $pid $f: live $(exit_of live "$pid" $f), replay $(exit_of replay "$pid" $f)"; false; }
		done
		# Two sets of rings stamp the same event a moment apart.
		for f in .teardown_ns '.start_mono_ns | tonumber'; do
			a=$(exit_of live "$pid" "$f") b=$(exit_of replay "$pid" "$f")
			diff=$((a > b ? a - b : b - a))
			[ $diff -lt 5000000 ]
		done
	done
	[ "$(tail -n 1 replay | jq -r .type)" = end ]
	trace-cmd report -i run.dat >tc.out 2>tc.err
	[ ! -s tc.err ]
	# The kernel's counters of every ring are in the file: what is lost behind the last page is nowhere else.
	[ "$(grep -a -c '^dropped events: ' run.dat)" -ge 2 ]
	events=$(grep -c -E '^ *(rss:)?.*-[0-9]+ +\[[0-9]+\]' tc.out)
	[ "$events" = "$(tail -n 1 replay | jq -r .events)" ]
}

@test "F55: loss with a tiny ring: one number, in rows, JSON and the counters of every CPU; status 3" {
	cd "$BATS_TEST_TMPDIR"
	"$SWAPTOP" record --buffer 8K --level 4 -o loss.dat -- "$WORKLOAD" --procs 4 --mib 64 --kill-after 0.3 >/dev/null 2>rec.err && st=0 || st=$?
	cat rec.err
	[ "$st" = 3 ]
	lost=$(sed -n 's/.*LOST \([0-9]*\) events.*/\1/p' rec.err)
	[ "$lost" -gt 0 ]
	"$SWAPTOP" exits --json -i loss.dat >out && st=0 || st=$?
	[ "$st" = 3 ]
	[ "$(tail -n 1 out | jq -r .complete)" = false ]
	[ "$(tail -n 1 out | jq -r .lost)" = "$lost" ]
	"$SWAPTOP" report loss.dat >text && st=0 || st=$?
	[ "$st" = 3 ]
	grep -q "$lost\|$(echo "$lost" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\b/\1,\2/; ta')" text
}

@test "F57: loss does not stop a stream, --strict does, with status 3" {
	cd "$BATS_TEST_TMPDIR"
	"$WORKLOAD" --procs 2 --mib 64 --kill-after 2 >/dev/null 3>&- &
	"$SWAPTOP" --json --buffer 8K --level 4 -d 0.5 -n 8 >go && st=0 || st=$?
	wait
	[ "$st" = 3 ]
	[ "$(jq -r 'select(.type == "report") | .complete' go | wc -l)" = 8 ]
	[ "$(tail -n 1 go | jq -r .complete)" = false ]
	"$WORKLOAD" --procs 2 --mib 64 --kill-after 2 >/dev/null 3>&- &
	"$SWAPTOP" --json --buffer 8K --level 4 -d 0.5 -n 40 --strict >stop && st=0 || st=$?
	wait
	[ "$st" = 3 ]
	[ "$(tail -n 1 stop | jq -r .reason)" = strict ]
	[ "$(jq -r 'select(.type == "report") | .complete' stop | wc -l)" -lt 40 ]
}

@test "F76: the clock is mono and wall times agree with the system's" {
	cd "$BATS_TEST_TMPDIR"
	t0=$(date +%s%N)
	"$SWAPTOP" --json -d 0.2 -n 1 >out
	t1=$(date +%s%N)
	[ "$(head -n 1 out | jq -r .clock)" = mono ]
	at=$(date -d "$(head -n 1 out | jq -r .time)" +%s%N)
	[ "$at" -ge "$t0" ]
	[ "$at" -le "$t1" ]
}

@test "F78: a replay on another day shows the wall times of the recording" {
	cd "$BATS_TEST_TMPDIR"
	"$SWAPTOP" record -o day.dat -- "$WORKLOAD" --mib 4 --kill-after 0.6 >truth 2>/dev/null
	pid=$(pids_of truth)
	"$SWAPTOP" exits --json -i day.dat >out
	wait_ns=$(jq -r 'select(.event == "reaped") | .wait_mono_ns' truth)
	real=$(($(date +%s%N) - $(awk '{printf "%.0f", $1 * 1e9}' /proc/uptime) + wait_ns))
	at=$(date -d "$(exit_of out "$pid" .time)" +%s%N)
	diff=$((at > real ? at - real : real - at))
	echo "# $diff ns"
	[ "$diff" -lt 2000000000 ]
	TZ=Asia/Tokyo "$SWAPTOP" exits --json -i day.dat | cmp - out
}

@test "F91: no smaps, maps or numa_maps is ever opened" {
	command -v strace >/dev/null || skip "strace is not installed"
	"$WORKLOAD" --procs 2 --mib 16 --kill-after 2 >/dev/null 3>&- &
	strace -f -e trace=open,openat,openat2 -o "$BATS_TEST_TMPDIR/trace" "$SWAPTOP" --json -d 0.5 -n 6 >/dev/null
	wait
	grep -q '/proc\|status' "$BATS_TEST_TMPDIR/trace"
	! grep -E 'smaps|numa_maps|/maps' "$BATS_TEST_TMPDIR/trace"
}

@test "F30: a swapoff is followed in plain lines to its end" {
	[ -e "$BATS_FILE_TMPDIR/zram" ] || skip "swap here is not ours to switch off"
	cd "$BATS_TEST_TMPDIR"
	mkfifo hold
	"$WORKLOAD" --mib 300 --hold-fifo "$PWD/hold" --timeout 120 >truth 3>&- &
	w=$!
	counted() { [ -n "$(pids_of truth)" ]; }
	wait_for $PATIENCE counted
	start_swaptop out -d 0.2
	swapoff /dev/zram0
	swapon -p 100 /dev/zram0
	finished() { grep -q 'swapoff /dev/zram0: 30[0-9] MiB in' out; }
	wait_for 20 finished && done=1 || done=0
	stop_swaptop
	echo >hold
	wait $w
	grep swapoff out
	[ $done = 1 ]
}

@test "F99: no terminal: plain lines, no escape byte, ends with -n" {
	cd "$BATS_TEST_TMPDIR"
	"$SWAPTOP" -d 0.2 -n 2 | cat >a
	"$SWAPTOP" -d 0.2 -n 2 </dev/null >b
	setsid "$SWAPTOP" -d 0.2 -n 2 >c
	for f in a b c; do
		[ -s $f ]
		if LC_ALL=C grep -q -P '\x1b' $f; then false; fi
	done
}

@test "F50: an ordinary user gets one line with the reason, and /proc goes on" {
	cd "$BATS_TEST_TMPDIR"
	chmod 755 "$BATS_TEST_TMPDIR"
	install -m 755 "$SWAPTOP" /tmp/swaptop.test.$$
	run setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/swaptop.test.$$ -d 0.2 -n 1
	echo "$output"
	[ "$status" = 0 ]
	[[ "$output" == *permission* || "$output" == *Permission* ]]
	run setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/swaptop.test.$$ exits
	[ "$status" = 4 ]
	run setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/swaptop.test.$$ doctor
	[ "$status" = 4 ]
	[[ "$output" == *root* ]]
	rm -f /tmp/swaptop.test.$$
}

@test "F93: hidepid is recognised: limited view, own processes only" {
	unshare -m true 2>/dev/null || skip "no mount namespaces here"
	install -m 755 "$SWAPTOP" /tmp/swaptop.test.$$
	run unshare -m sh -c "mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/swaptop.test.$$ doctor"
	rm -f /tmp/swaptop.test.$$
	echo "$output"
	[[ "$output" == *"limited view: own processes only"* ]]
}

@test "doctor that is ended at any moment leaves nothing behind" {
	for ms in 005 010 020 030 040 060 080 120 160; do
		"$SWAPTOP" doctor >/dev/null 2>&1 3>&- &
		pid=$!
		sleep 0.$ms
		kill -TERM $pid 2>/dev/null || true
		wait $pid || true
		[ -z "$(find $TRACING/instances -maxdepth 1 -name "swaptop.$pid.*")" ]
	done
}
