# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # STATUS is for the tests
#
# What the live tests share: a reason to skip, swap in zram when there is none, swaptop in the background, and the
# workload's own truth to compare with.  Waiting is for a condition, with a limit that only a broken program meets.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
SWAPTOP=${SWAPTOP:-$BUILD/swaptop}
WORKLOAD=${WORKLOAD:-$BUILD/tests/workload}
TRACING=/sys/kernel/tracing
PATIENCE=60 # seconds

need_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
}

# tracefs where it is usual; mounted for the test when it is not, and taken away by leave_system.
need_tracefs() {
	need_root
	[ -d $TRACING/events ] && return
	mkdir -p $TRACING 2>/dev/null
	mount -t tracefs tracefs $TRACING 2>/dev/null || skip "this kernel has no tracefs that can be mounted"
	echo 1 >"$BATS_FILE_TMPDIR/mounted"
}

# Swap to page out to: what is there, or 2 GiB of zram.
need_swap() {
	need_root
	[ "$(wc -l </proc/swaps)" -ge 2 ] && return
	[ -e /sys/block/zram0 ] || modprobe zram 2>/dev/null || skip "no swap, and this kernel has no zram"
	echo 1 >/sys/block/zram0/reset
	echo 2G >/sys/block/zram0/disksize
	mkswap /dev/zram0 >/dev/null
	swapon -p 100 /dev/zram0 || skip "swapon of zram0 failed"
	echo 1 >"$BATS_FILE_TMPDIR/zram"
}

leave_system() {
	if [ -e "$BATS_FILE_TMPDIR/zram" ]; then
		swapoff /dev/zram0
		echo 1 >/sys/block/zram0/reset
	fi
	if [ -e "$BATS_FILE_TMPDIR/mounted" ]; then
		umount $TRACING
	fi
	return 0
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

# start_swaptop FILE ARGS...: in the background with stdout in FILE; ready when its first line is there.
start_swaptop() {
	local out=$1
	shift
	"$SWAPTOP" "$@" >"$out" 2>"$out.err" 3>&- 4>&- &
	SWAPTOP_PID=$!
	wait_for $PATIENCE test -s "$out"
}

# stop_swaptop [SIGNAL]: its exit status is in $STATUS.
stop_swaptop() {
	kill -"${1:-INT}" "$SWAPTOP_PID"
	STATUS=0
	wait "$SWAPTOP_PID" || STATUS=$?
}

# exits_of FILE PID...: how many exit records those pids have.
has_exits() {
	local file=$1 pid
	shift
	for pid in "$@"; do
		[ "$(jq -c --argjson p "$pid" 'select(.type == "exit" and .pid == $p)' "$file" 2>/dev/null | wc -l)" -ge 1 ] || return 1
	done
}

# exit_of FILE PID FILTER [KIND]: one value of the (last) exit record of a process.
exit_of() {
	jq -rc --argjson p "$2" --arg k "${4:-}" \
		'select(.type == "exit" and .pid == $p and ($k == "" or .kind == $k)) | '"$3" "$1" | tail -n 1
}

# The workload's pids, and its last count of a pid's entries.
pids_of() {
	jq -r 'select(.event == "ready") | .pid' "$1" | sort -un
}
truth_of() {
	jq -r --argjson p "$2" 'select((.event == "ready" or .event == "counted") and .pid == $p) | .swap_entries' "$1" | tail -n 1
}

# All names in tracefs that a tracer could change, with the contents of the top-level files that matter.
tracefs_state() {
	(
		cd $TRACING || exit 1
		ls instances
		for f in trace_clock buffer_size_kb set_event set_event_pid set_event_notrace_pid tracing_on trace_options \
			current_tracer events/enable buffer_percent; do
			[ -e "$f" ] && echo "$f: $(tr '\n' ' ' <"$f")"
		done
	)
}
