#!/usr/bin/env bats
# shellcheck disable=SC2086,SC2030,SC2031,SC2153,SC2154,SC2314,SC2251 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Known cases that need a running kernel and are not in exits.bats or stream.bats.

load helpers

setup_file() {
	need_tracefs
}

teardown_file() {
	leave_system
}

teardown() {
	# A test that failed half way must leave no frozen file system, no held instance and no swaptop.
	if [ -e "$BATS_TEST_TMPDIR/frozen" ]; then fsfreeze -u "$BATS_TEST_TMPDIR/mnt" || true; fi
	if mountpoint -q "$BATS_TEST_TMPDIR/mnt" 2>/dev/null; then umount "$BATS_TEST_TMPDIR/mnt"; fi
	for pid in ${TOP:-} ${SWAPTOP_PID:-}; do
		kill -INT "$pid" 2>/dev/null || true
	done
	if [ -n "${HOLDERS:-}" ]; then
		kill $HOLDERS 2>/dev/null || true
	fi
	return 0
}

# rates OPTIONS...: the exit rows of one run of the workload, "entries ns_per_entry" a line.
rates() {
	OUT=$BATS_TEST_TMPDIR/out
	TRUTH=$BATS_TEST_TMPDIR/truth
	start_swaptop "$OUT" exits --json
	"$WORKLOAD" "$@" >"$TRUTH"
	# shellcheck disable=SC2046 # pids
	wait_for $PATIENCE has_exits "$OUT" $(pids_of "$TRUTH")
	stop_swaptop
	SWAPTOP_PID=
	for pid in $(pids_of "$TRUTH"); do
		[ "$(truth_of "$TRUTH" "$pid")" = "$(exit_of "$OUT" "$pid" .freed_entries)" ]
		exit_of "$OUT" "$pid" '"\(.freed_entries) \(.ns_per_entry)"'
	done
}

@test "F08: slots in turns with another process: equal counts, no faster than alone, no word about layout" {
	need_swap
	rates --mib 128 --kill-after 1.5 >"$BATS_TEST_TMPDIR/alone"
	rates --procs 2 --mib 128 --interleave --kill-after 2 >"$BATS_TEST_TMPDIR/turns"
	cat "$BATS_TEST_TMPDIR/alone" "$BATS_TEST_TMPDIR/turns"
	[ "$(cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/alone" "$BATS_TEST_TMPDIR/turns" | sort | uniq -c | tr -s ' ')" = " 3 32768" ]
	alone=$(cut -d ' ' -f 2 "$BATS_TEST_TMPDIR/alone")
	while read -r _ ns; do
		[ $((ns * 2)) -ge "$alone" ] # times as ratios only: a machine has its moods
	done <"$BATS_TEST_TMPDIR/turns"
	if grep -q -i 'fragment\|layout' "$OUT"; then false; fi
}

@test "F38: killed behind a frozen file system: kill pending, no row; after the thaw one row without swap" {
	command -v mkfs.ext4 >/dev/null || skip "mkfs.ext4 is not installed"
	cd "$BATS_TEST_TMPDIR"
	truncate -s 32M img
	mkfs.ext4 -q img
	mkdir mnt
	mount -o loop img mnt || skip "no loop devices here"
	start_swaptop rows exits --json
	rows=$SWAPTOP_PID
	TOP=$rows
	start_swaptop text -d 0.2
	fsfreeze -f mnt
	touch frozen
	(exec dd if=/dev/zero of=mnt/file bs=4096 count=1 2>/dev/null) 3>&- &
	writer=$!
	blocked() { [ "$(awk '/^State:/ {print $2}' "/proc/$writer/status")" = D ]; }
	wait_for $PATIENCE blocked
	kill -9 $writer
	said() { grep -q "$writer.*kill pending.*exit not begun" text; }
	wait_for $PATIENCE said
	grep "$writer.*kill pending" text | head -n 1
	[ "$(exit_of rows $writer .pid)" = "" ]
	fsfreeze -u mnt
	rm frozen
	wait_for $PATIENCE has_exits rows $writer
	stop_swaptop
	SWAPTOP_PID=
	kill -INT $rows
	wait $rows
	TOP=
	[ "$(jq -c --argjson p $writer 'select(.type == "exit" and .pid == $p)' rows | wc -l)" = 1 ]
	[ "$(exit_of rows $writer '(.freed_entries // 0)')" = 0 ]
	[ "$(exit_of rows $writer .cause.signal)" = 9 ]
}

@test "F44: trace_pipe held at the top and in a dead swaptop's instance: a fresh instance, the row is there" {
	cd "$BATS_TEST_TMPDIR"
	old=$TRACING/instances/swaptop.4194303.1
	mkdir "$old"
	cat $TRACING/trace_pipe >/dev/null 2>&1 3>&- &
	HOLDERS=$!
	cat "$old/trace_pipe" >/dev/null 2>&1 3>&- &
	HOLDERS="$HOLDERS $!"
	start_swaptop out exits --json
	sh -c 'exit 0' 3>&- &
	pid=$!
	wait $pid
	wait_for $PATIENCE has_exits out $pid
	stop_swaptop
	SWAPTOP_PID=
	[ "$STATUS" = 0 ]
	[ "$(tail -n 1 out | jq -r .complete)" = true ]
	# Who holds the old one is named; the instance itself stays, switched off, until that one lets go.
	cat out.err
	grep -q 'swaptop.4194303.1' out.err
	grep -q "${HOLDERS#* }" out.err
	kill $HOLDERS
	wait $HOLDERS || true
	HOLDERS=
	if [ -e "$old" ]; then rmdir "$old"; fi
}

@test "F72: a name cut in the middle of a letter is a readable line in the journal" {
	command -v systemd-cat >/dev/null || skip "systemd-cat is not installed"
	journalctl -n 1 >/dev/null 2>&1 && [ -e /run/systemd/journal/stdout ] || skip "no journal is running"
	need_swap
	cd "$BATS_TEST_TMPDIR"
	tag=swaptop-test-$$
	systemd-cat -t $tag "$SWAPTOP" exits -C pid,name 3>&- 4>&- &
	top=$!
	TOP=$top
	sleep 1
	"$WORKLOAD" --mib 4 --name '\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xd0' --kill-after 1 >/dev/null
	seen() { journalctl -t $tag -o cat | grep -q 'ЙЦУКЕНГ'; }
	wait_for $PATIENCE seen
	kill -INT $top
	wait $top
	TOP=
	if journalctl -t $tag -o cat | grep -q 'blob data'; then false; fi
}

@test "F73: a pid that is used again at once: two rows, each with its own name" {
	[ -w /proc/sys/kernel/ns_last_pid ] || skip "the next pid cannot be asked for here"
	cd "$BATS_TEST_TMPDIR"
	start_swaptop out exits --json
	# Somebody else may take the number in between: then another one.
	for i in $(seq 200); do
		sh -c "printf first-$i >/proc/self/comm" 3>&- &
		p=$!
		wait $p
		echo $((p - 1)) >/proc/sys/kernel/ns_last_pid
		sh -c "printf second-$i >/proc/self/comm" 3>&- &
		q=$!
		wait $q
		[ $p != $q ] || break
	done
	echo "# pid $p again after $i tries"
	[ $p = $q ]
	both() { [ "$(jq -r --argjson p "$p" 'select(.type == "exit" and .pid == $p and .kind == "exit") | .comm' out | wc -l)" = 2 ]; }
	wait_for $PATIENCE both
	stop_swaptop
	SWAPTOP_PID=
	[ "$(jq -r --argjson p "$p" 'select(.type == "exit" and .pid == $p and .kind == "exit") | .comm' out | tr '\n' ' ')" = "first-$i second-$i " ]
	[ "$(jq -r --argjson p "$p" 'select(.type == "exit" and .pid == $p and .kind == "exit") | .release' out | sort -u | wc -l)" = 2 ]
}
