#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make bench: what swaptop costs and how fast it is.  Each part prints n, median and spread; sides that are compared
# are measured in turns in one run.  Absolute times are this machine's; ratios travel better.
#
#   tests/bench/run.sh [PART...]     parts: decode report idle price unwatched loss (default: all)
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
SWAPTOP=${SWAPTOP:-$BUILD/swaptop}
WORKLOAD=${WORKLOAD:-$BUILD/tests/workload}
tmp=$(mktemp -d)
zram=
mounted=

cleanup() {
	[ -z "$zram" ] || { swapoff /dev/zram0; echo 1 >/sys/block/zram0/reset; }
	[ -z "$mounted" ] || umount /sys/kernel/tracing
	rm -rf "$tmp"
}
trap cleanup EXIT

# stats NAME UNIT < numbers, one a line: "NAME: median 1.23 UNIT [min 1.1, max 1.4], n=12"
stats() {
	sort -n | awk -v name="$1" -v unit="$2" '{v[NR] = $1}
		END { if (NR == 0) {print name ": no data"; exit}
		m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
		printf "%-44s median %.4g %s [min %.4g, max %.4g], n=%d\n", name, m, unit, v[1], v[NR], NR }'
}

setup() {
	if [ ! -d /sys/kernel/tracing/events ]; then
		mount -t tracefs tracefs /sys/kernel/tracing && mounted=1
	fi
	if [ "$(wc -l </proc/swaps)" -lt 2 ]; then
		echo 1 >/sys/block/zram0/reset && echo 4G >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null &&
			swapon -p 100 /dev/zram0 && zram=1
	fi
}

part_decode() {
	echo "== ring page to event, and to model, one core"
	"$BUILD/tests/bench/bench-decode"
	[ ! -x "$BUILD/tests/bench/bench-model" ] || "$BUILD/tests/bench/bench-model"
}

now() { date +%s%N; }

# A recording of more than a million events: page faults and exits at level 4.
big_recording() {
	"$SWAPTOP" record --level 4 --buffer 256M -o "$tmp/big.dat" -- \
		"$WORKLOAD" --procs 8 --mib 700 --swapped 20 --kill-after 0.5 --timeout 600 >/dev/null 2>"$tmp/big.err"
	cat "$tmp/big.err"
}

part_report() {
	echo "== swaptop report against trace-cmd report, the same file, in turns"
	big_recording
	for _ in 1 2 3 4 5; do
		t=$(now)
		"$SWAPTOP" report "$tmp/big.dat" >"$tmp/ours.txt"
		echo $((($(now) - t) / 1000)) >>"$tmp/ours"
		t=$(now)
		trace-cmd report -i "$tmp/big.dat" >"$tmp/theirs.txt" 2>/dev/null
		echo $((($(now) - t) / 1000)) >>"$tmp/theirs"
	done
	wc -l <"$tmp/theirs.txt" | sed 's/$/ lines by trace-cmd/'
	stats "swaptop report" us <"$tmp/ours"
	stats "trace-cmd report" us <"$tmp/theirs"
	paste "$tmp/ours" "$tmp/theirs" | awk '{print $2 / $1}' | stats "ratio, trace-cmd / swaptop" x
	/usr/bin/time -f "peak RSS of swaptop report: %M KiB" "$SWAPTOP" report "$tmp/big.dat" >/dev/null
}

cpu_ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
rss_kib() { awk '/^VmRSS/ {print $2}' "/proc/$1/status"; }

part_idle() {
	echo "== CPU and RSS at 1 s with 500 idle processes: swaptop --json, top, htop side by side"
	for _ in $(seq 500); do sleep 600 & done
	"$SWAPTOP" --json -d 1 >/dev/null &
	ours=$!
	script -qfc "stty rows 40 cols 120; TERM=xterm exec top -d 1" /dev/null >/dev/null </dev/null &
	script -qfc "stty rows 40 cols 120; TERM=xterm exec htop -d 10" /dev/null >/dev/null </dev/null &
	sleep 5
	top=$(pgrep -x top | head -n 1)
	htop=$(pgrep -x htop | head -n 1)
	hz=$(getconf CLK_TCK)
	for _ in $(seq 12); do
		a=$(cpu_ticks "$ours") b=$(cpu_ticks "$top") c=$(cpu_ticks "$htop")
		sleep 10
		echo $(($(cpu_ticks "$ours") - a)) >>"$tmp/cpu.ours"
		echo $(($(cpu_ticks "$top") - b)) >>"$tmp/cpu.top"
		echo $(($(cpu_ticks "$htop") - c)) >>"$tmp/cpu.htop"
	done
	for w in ours top htop; do
		awk -v hz="$hz" '{print $1 / hz / 10 * 100}' "$tmp/cpu.$w" | stats "$w CPU" "% of a core"
	done
	echo "RSS KiB: swaptop $(rss_kib "$ours"), top $(rss_kib "$top"), htop $(rss_kib "$htop")"
	kill -INT "$ours"
	kill "$top" "$htop"
	jobs -p | xargs -r kill 2>/dev/null
	wait 2>/dev/null
}

# Wall time from kill to wait of a watched exit, with and without swaptop, in turns; and its price.
part_price() {
	echo "== one exit of 128 MiB in swap, unwatched and watched at the default level, in turns"
	for _ in $(seq 12); do
		"$WORKLOAD" --mib 128 --kill-after 1 >"$tmp/w"
		jq -r 'select(.event == "reaped") | .wait_mono_ns - .kill_mono_ns' "$tmp/w" >>"$tmp/plain"
		"$SWAPTOP" exits --json >"$tmp/x" &
		ours=$!
		sleep 0.3
		"$WORKLOAD" --mib 128 --kill-after 1 >"$tmp/w"
		sleep 0.3
		kill -INT $ours
		wait $ours
		jq -r 'select(.event == "reaped") | .wait_mono_ns - .kill_mono_ns' "$tmp/w" >>"$tmp/watched"
		pid=$(jq -r 'select(.event == "ready") | .pid' "$tmp/w" | head -n 1)
		jq -r --argjson p "$pid" 'select(.type == "exit" and .pid == $p) | .teardown_ns' "$tmp/x" >>"$tmp/teardown"
		jq -r 'select(.type == "end") | .events' "$tmp/x" >>"$tmp/events"
	done
	stats "kill to wait, unwatched" ns <"$tmp/plain"
	stats "kill to wait, watched" ns <"$tmp/watched"
	paste "$tmp/plain" "$tmp/watched" | awk '{print $2 / $1}' | stats "wall ratio, watched / unwatched" x
	stats "teardown of the watched exit" ns <"$tmp/teardown"
	# What its death itself pays for: everything it emits from the kill on.
	"$SWAPTOP" record -o "$tmp/p.dat" -- "$WORKLOAD" --mib 128 --kill-after 1 >"$tmp/w" 2>/dev/null
	pid=$(jq -r 'select(.event == "ready") | .pid' "$tmp/w" | head -n 1)
	kill=$(jq -r 'select(.event == "reaped") | .kill_mono_ns / 1e9' "$tmp/w")
	trace-cmd report -i "$tmp/p.dat" 2>/dev/null | grep -E -- "-$pid +\[" | awk -v kill="$kill" '
		{for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) {if ($i + 0 >= kill) n++; break}}
		END {printf "events in its context from the kill on: %d\n", n}'
}

part_unwatched() {
	echo "== page-fault, context-switch and system-call loops of an unwatched process"
	"$BUILD/tests/bench/bench-unwatched"
}

part_loss() {
	echo "== loss at 200,000 events/s for 10 s, default rings, all levels on"
	if [ -x "$BUILD/tests/bench/bench-storm" ]; then
		"$BUILD/tests/bench/bench-storm" "$SWAPTOP"
	fi
}

setup
[ $# -gt 0 ] || set -- decode report idle price unwatched loss
for part in "$@"; do
	"part_$part"
done
