#!/usr/bin/env bats
# shellcheck disable=SC2238,SC2314,SC2251,SC2030,SC2031 # bats runs tests in subshells; names and globs are ours
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Known cases from end to end: a recording made from readable lines goes through the reader, the model and the
# output of the program itself.  What is expected is worked out from the lines by hand.  No root, no kernel.

setup() {
	ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	SWAPTOP=${SWAPTOP:-$ROOT/build/swaptop}
	MKDAT=${TOOLS:-$ROOT/build/tests/tools}/mkdat
	F=$ROOT/tracepoints/formats
	X=$ROOT/tests/fixtures/formats
	cd "$BATS_TEST_TMPDIR" || exit 1
}

# made FILE [OPTIONS...]: a recording of the lines on standard input, with the formats of 6.18 unless told.
made() {
	local out=$1
	shift
	[[ "$*" == *--formats* ]] || set -- --formats "$F/6.18" "$@"
	"$MKDAT" --out "$out" "$@"
}

# replay FILE [ARGS...]: exits --json into out; status in $ST.
replay() {
	local in=$1
	shift
	ST=0
	"$SWAPTOP" exits --json -i "$in" "$@" >out 2>err || ST=$?
	cat err
}

# row PID FILTER: of the exit record; upd PID FILTER: of the last record about that release.
row() {
	jq -rc --argjson p "$1" 'select(.type == "exit" and .pid == $p) | '"$2" out
}
upd() {
	jq -rc --arg r "$(row "$1" .release)" 'select(.release? == $r) | '"$2" out | tail -n 1
}

# deaths N NS: N exits, one after the other, of 1000 entries each, at NS a piece.
deaths() {
	local i
	for i in $(seq 1 "$1"); do
		awk -v i="$i" -v ns="$2" 'BEGIN {
			t = i; p = 1000 + i; s = "hog-" p " [000] ..... "
			printf "%s%.9f: rss_stat: mm_id=%d curr=1 type=MM_SWAPENTS size=4096000B\n", s, t, p
			printf "%s%.9f: sched_process_exit: comm=hog pid=%d prio=120 group_dead=true\n", s, t + 0.1, p
			printf "%s%.9f: rss_stat: mm_id=%d curr=0 type=MM_SWAPENTS size=0B\n", s, t + 0.1 + 1000 * ns / 1e9, p
			printf "%s%.9f: exit_mmap: mm=0\n", s, t + 0.1 + 1000 * ns / 1e9
		}'
	done
}

@test "F03: what reclaim swaps out of a dying process is its own number" {
	made r.dat <<-'E'
		hog-500 [000] ..... 0.900: rss_stat: mm_id=5 curr=1 type=MM_SWAPENTS size=40960000B
		hog-500 [000] ..... 1.000: sched_process_exit: comm=hog pid=500 prio=120 group_dead=true
		kswapd0-60 [001] ..... 1.001: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=40960000B
		kswapd0-60 [001] ..... 1.002: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=45056000B
		hog-500 [000] ..... 1.020: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=0B
		hog-500 [000] ..... 1.021: exit_mmap: mm=0
	E
	replay r.dat
	[ "$ST" = 0 ]
	[ "$(row 500 '[.swap_entries, .swapped_while_dying_entries, .freed_entries]')" = "[10000,1000,11000]" ]
}

@test "F07: two recordings, 400 and 300 ns an entry: counts and medians differ by a quarter, and loss forbids it" {
	deaths 10 400 | made a.dat
	deaths 10 300 | made b.dat
	for f in a b; do
		replay $f.dat
		[ "$ST" = 0 ]
		jq -r 'select(.type == "exit") | [.freed_entries, .teardown_ns, .concurrency] | @tsv' out >$f
		[ "$(wc -l <$f)" = 10 ]
	done
	[ "$(sort -u a)" = "$(printf '1000\t400000\t1')" ]
	[ "$(sort -u b)" = "$(printf '1000\t300000\t1')" ]
	{
		deaths 10 300
		echo 'CPU:0 [LOST 7 EVENTS]'
		echo 'hog-9 [000] ..... 99.0: sched_process_free: comm=x pid=4 prio=120'
	} | made lost.dat
	run "$SWAPTOP" report lost.dat
	echo "$output"
	[ "$status" = 3 ]
	[[ "$output" == *"not complete"*"7 lost"* ]]
}

@test "F12: the exit event before and after the teardown: 100 ms both times" {
	for f in old new; do
		{
			[ $f = old ] || echo 'hog-700 [000] ..... 9.999: sched_process_exit: comm=hog pid=700 prio=120 group_dead=true'
			cat <<-'E'
				hog-700 [000] ..... 10.000: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=4194304B
				hog-700 [000] ..... 10.050: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=2097152B
				hog-700 [000] ..... 10.100: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=0B
				hog-700 [000] ..... 10.100: exit_mmap: mm=0
			E
			[ $f = new ] || echo 'hog-700 [000] ..... 10.101: sched_process_exit: comm=hog pid=700 prio=120'
		} >$f.txt
	done
	made old.dat --formats "$F/6.12" <old.txt
	made new.dat --formats "$F/6.18" <new.txt
	replay old.dat
	[ "$(row 700 '.teardown_ns >= 99000000 and .teardown_ns <= 101000000')" = true ]
	[ "$(row 700 .evidence.start)" = rss_stat ]
	[ "$(row 700 .kind)" = exit ]
	replay new.dat
	[ "$(row 700 '.teardown_ns >= 99000000 and .teardown_ns <= 101000000')" = true ]
	[ "$(row 700 .evidence.start)" = sched_process_exit ]
}

@test "F20: steps without an address space of its own count; without them: not observed, never 0 ms" {
	cat >lines <<-'E'
		x-600 [001] ..... 20.000000: sched_process_exit: comm=x pid=600 prio=120 group_dead=true
		x-600 [001] ..... 20.000200: rss_stat: mm_id=9 curr=0 type=MM_SWAPENTS size=20971520B
		x-600 [001] ..... 20.004200: rss_stat: mm_id=9 curr=0 type=MM_SWAPENTS size=0B
	E
	made r.dat <lines
	replay r.dat
	[ "$(row 600 .teardown_ns)" = 4200000 ]
	grep -v curr=0 lines | made r.dat
	replay r.dat
	[ "$(row 600 '[.teardown_ns, .freed_entries, .ns_per_entry]')" = "[null,null,null]" ]
	run "$SWAPTOP" exits -i r.dat
	echo "$output"
	[[ "$output" == *"release not observed"* ]]
}

@test "F21: a second victim before the first one's memory is back" {
	made r.dat <<-'E'
		alloc-5 [000] ..... 1.0: mark_victim: pid=10
		alloc-6 [000] ..... 1.3: mark_victim: pid=11
		oom_reaper-30 [000] ..... 1.6: finish_task_reaping: pid=10
	E
	run "$SWAPTOP" -i r.dat
	echo "$output"
	[[ "$output" == *"victim 11 chosen 0.3 s before victim 10's memory came back"* ]]
}

@test "F25, F27: both shapes of mark_victim: the same victim, its name, its group, who triggered it" {
	for shape in pid full; do
		made $shape.dat --formats "$F/6.18:$X/mark-victim-$shape" <<-'E'
			@FILE 1 /proc/999/stat <<<999 (java) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\n
			@FILE 1 /proc/999/cgroup <<<0::/victims\n
			@FILE 1 /proc/1234/stat <<<1234 (alloc) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 78 0 0\n
			@FILE 1 /proc/1234/cgroup <<<0::/allocators\n
			alloc-1234 [001] ..... 5.0: mark_victim: pid=999 comm=java
			alloc-1234 [001] ..... 5.1: wake_reaper: pid=999
			alloc-1234 [001] ..... 5.2: wake_reaper: pid=999
			java-999 [000] ..... 6.0: sched_process_exit: comm=java pid=999 prio=120 group_dead=true
			java-999 [000] ..... 6.1: exit_mmap: mm=0
		E
		replay $shape.dat
		[ "$ST" = 0 ]
		[ "$(row 999 '[.comm, .cgroup, .cause.oom]')" = '["java","/victims",true]' ]
		[ "$(row 1234 .pid)" = "" ]
		"$SWAPTOP" -i $shape.dat >text
		cat text
		grep -q 'victim 999.*java.*triggered by 1234' text
		grep -q '/victims' text
		if grep -q '/allocators' text; then false; fi
		grep -q 'victim 999.* queued twice\|victim 999.*queued.*2' text
	done
	# Never seen before, and the event has no name: none is made up.
	echo 'alloc-1234 [001] ..... 5.0: mark_victim: pid=998' | made r.dat --formats "$F/6.18:$X/mark-victim-pid"
	"$SWAPTOP" -i r.dat >text
	grep 'victim 998' text
	if grep 'victim 998' text | grep -q alloc; then false; fi
}

@test "F34: 11 is named by the kernel of the recording, an unknown number keeps its number" {
	echo 'khugepaged-50 [000] ..... 5.0: mm_khugepaged_scan_pmd: mm=0 status=11' >lines
	echo 'khugepaged-50 [000] ..... 5.1: mm_khugepaged_scan_pmd: mm=0 status=37' >>lines
	made a.dat --formats "$F/6.12" <lines
	made b.dat --formats "$F/6.18" <lines
	for f in a b; do
		"$SWAPTOP" --json -i $f.dat | jq -c 'select(.type == "report") | .khugepaged.results' | sort -u >$f
		cat $f
	done
	grep -q '"no_writable_page":1' a
	grep -q '"lack_referenced_page":1' b
	grep -q '"status 37":1' a
	grep -q '"status 37":1' b
}

@test "F40: --pid takes the inner number by the NSpid lines; without them a message and no empty screen" {
	mkdir -p root/proc/4211
	: >root/proc/vmstat
	printf 'Name:\tapp\nState:\tS (sleeping)\nTgid:\t4211\nPid:\t4211\nPPid:\t1\nThreads:\t1\nNSpid:\t4211\t7\n' \
		>root/proc/4211/status
	run "$SWAPTOP" --sysroot root --source proc -p 7 -d 0.1 -n 1
	[ "$status" = 0 ]
	[[ "$output" == *"only pid 7 (host 4211)"* ]]
	sed -i /NSpid/d root/proc/4211/status
	run "$SWAPTOP" --sysroot root --source proc -p 7 -d 0.1 -n 1
	echo "$output"
	[ "$status" = 4 ]
	[ "${#lines[@]}" = 1 ]
	[[ "$output" == *"cannot translate pid 7"*NSpid* ]]
}

@test "F42: 2104 at once: the group is whole although rows are cut, JSON has them all" {
	awk 'BEGIN {
		for (i = 0; i < 2104; i++) {
			p = 3000 + i; t = 2 + i / 2104
			printf "@FILE 1 /proc/%d/stat <<<%d (app) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\\n\n", p, p
			printf "@FILE 1 /proc/%d/cgroup <<<0::/user/session\\n\n", p
		}
		for (i = 0; i < 2104; i++) {
			p = 3000 + i; t = 2 + i / 2200; s = "app-" p " [000] ..... "
			printf "%s%.6f: rss_stat: mm_id=%d curr=1 type=MM_SWAPENTS size=10485760B\n", s, t, p
			printf "%s%.6f: sched_process_exit: comm=app pid=%d prio=120 group_dead=true\n", s, t + 0.0001, p
			printf "%s%.6f: rss_stat: mm_id=%d curr=0 type=MM_SWAPENTS size=0B\n", s, t + 0.0002, p
			printf "%s%.6f: exit_mmap: mm=0\n", s, t + 0.0003
		}
	}' | made r.dat
	replay r.dat
	[ "$(jq -c 'select(.type == "exit")' out | wc -l)" = 2104 ]
	[ "$(jq -s 'map(select(.type == "exit") | .freed_entries) | add' out)" = 5386240 ]
	"$SWAPTOP" report r.dat >text
	grep -i -A 6 'group' text
	grep -q '/user/session.*2,104.*5,386,240\|/user/session.*2104.*5386240' text
	[ "$(wc -l <text)" -lt 70 ]
}

@test "F53: an end behind a gap closes nothing: unknown, 57 lost, not 8 s; in rows, report, JSON, status" {
	made r.dat <<-'E'
		x-100 [002] ..... 1.0: sched_process_exit: comm=x pid=100 prio=120 group_dead=true
		CPU:2 [LOST 57 EVENTS]
		rcu-15 [002] ..... 9.0: sched_process_free: comm=x pid=100 prio=120
	E
	replay r.dat
	[ "$ST" = 3 ]
	[ "$(row 100 '[.teardown_ns, .reap_ns, .lost, .complete]')" = "[null,null,57,false]" ]
	[ "$(upd 100 '[.teardown_ns, .reap_ns, .complete]')" = "[null,null,false]" ]
	run "$SWAPTOP" exits -i r.dat
	[ "$status" = 3 ]
	[[ "$output" == *"lost 57 events"* ]]
	if [[ "$output" == *8000* || "$output" == *8,000* ]]; then false; fi
}

@test "F55: the same loss in the rows, the report, the end record and the counters of the rings; status 3" {
	{
		deaths 3 400
		echo 'CPU:0 [LOST 1234 EVENTS]'
		echo 'hog-9 [000] ..... 99.0: sched_process_free: comm=x pid=4 prio=120'
	} | made r.dat --cpus 1
	replay r.dat
	[ "$ST" = 3 ]
	[ "$(tail -n 1 out | jq -c '[.type, .lost, .complete]')" = '["end",1234,false]' ]
	run "$SWAPTOP" exits -i r.dat
	[ "$status" = 3 ]
	[[ "$output" == *"INCOMPLETE: 1,234 events lost"* || "$output" == *"INCOMPLETE: 1234 events lost"* ]]
	run "$SWAPTOP" report r.dat
	[ "$status" = 3 ]
	[[ "$output" == *"not complete"*"1,234 lost"* || "$output" == *"not complete"*"1234 lost"* ]]
	run "$SWAPTOP" report out
	[ "$status" = 3 ]
}

@test "F57: --strict ends a replay at the loss, without it all rows come" {
	{
		deaths 2 400
		echo 'CPU:0 [LOST 5 EVENTS]'
		deaths 6 400 | sed 1,8d
	} | made r.dat
	replay r.dat
	[ "$ST" = 3 ]
	[ "$(jq -c 'select(.type == "exit")' out | wc -l)" = 6 ]
	replay r.dat --strict
	[ "$ST" = 3 ]
	[ "$(jq -c 'select(.type == "exit")' out | wc -l)" -lt 6 ]
}

@test "F61: 32 bits, 64 bits, big-endian: 400 MiB are 102400 entries; 3 GiB in 32 bits are not negative" {
	cat >lines <<-'E'
		hog-4242 [000] ..... 1.0: rss_stat: mm_id=439041101 curr=1 type=MM_SWAPENTS size=419430400B
		hog-4242 [000] ..... 2.0: sched_process_exit: comm=hog pid=4242 prio=120 group_dead=true
		hog-4242 [000] ..... 2.1: rss_stat: mm_id=439041101 curr=0 type=MM_SWAPENTS size=0B
		hog-4242 [001] ..... 2.2: sched_process_free: comm=hog pid=4242 prio=120
	E
	made a.dat --formats "$X/plain64" <lines
	made b.dat --formats "$X/arm32" --long 4 <lines
	made c.dat --formats "$X/s390x" --big-endian <lines
	for f in a b c; do
		replay $f.dat
		[ "$ST" = 0 ]
		echo "$f: $(row 4242 .freed_entries) $(row 4242 .swap_entries)"
		[ "$(row 4242 '[.freed_entries, .swap_entries]')" = "[102400,102400]" ]
	done
	sed 's/size=419430400B/size=-1073741824B/' lines | made b.dat --formats "$X/arm32" --long 4
	replay b.dat
	if grep -q '_entries":-' out; then false; fi
	[ "$(row 4242 '.freed_entries')" = null ]
	# One step only is one moment: that is no duration of 0.
	[ "$(row 4242 .teardown_ns)" = null ]
}

@test "F66: a name made of everything a header is made of" {
	echo '  a: b [001]-42-10180   [000] .....   831.301673: sched_process_exit: comm=a: b [001]-42 pid=10180 prio=120 group_dead=true' |
		made r.dat
	replay r.dat
	[ "$(row 10180 .comm)" = "a: b [001]-42" ]
	[ "$(row 10180 .pid)" = 10180 ]
	"$SWAPTOP" exits -i r.dat -C pid,name | grep -q '10180 *a: b \[001\]-42'
}

@test "F70, F72: escapes, C1 and half letters from a recording: rows, report, JSON and groups stay clean" {
	{
		printf '@FILE 1 /proc/50/stat <<<50 (x \x1b[31mred\x07) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\\n\n'
		printf '@FILE 1 /proc/50/cgroup <<<0::/evil\x1b]0;t\x07\xc2\x9b31m\\n\n'
		printf '@FILE 1 /proc/51/stat <<<51 (\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xd0) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\\n\n'
		printf 'x-50 [000] ..... 5.0: sched_process_exit: comm=x \x1b[31mred\x07 pid=50 prio=120 group_dead=true\n'
		printf 'x-50 [000] ..... 5.1: exit_mmap: mm=0\n'
		printf 'y-51 [000] ..... 6.0: sched_process_exit: comm=\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xd0 pid=51 prio=120 group_dead=true\n'
		printf 'y-51 [000] ..... 6.1: exit_mmap: mm=0\n'
	} | made r.dat
	export LC_ALL=C.UTF-8
	"$SWAPTOP" exits -i r.dat --min-swap 0 -C pid,name,cgroup >a
	"$SWAPTOP" report r.dat >b
	"$SWAPTOP" exits --json -i r.dat >out
	"$SWAPTOP" -i r.dat >c
	for f in a b c out; do
		[ -s $f ]
		iconv -f UTF-8 -t UTF-8 <$f >/dev/null
		if LC_ALL=C grep -q -P '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' $f; then false; fi
	done
	# Seven letters, and one replacement for the half.
	grep -q '51 *ЙЦУКЕНГ� ' a
	[ "$(row 51 .comm)" = "ЙЦУКЕНГ�" ]
	grep -q 31mred a
	grep -q evil a
}

@test "F78: wall times come from the recording, not from the machine or day of the replay" {
	made r.dat <<-'E'
		@FILE 1 @anchor <<<1000000000 1700000000000000000\n
		x-50 [000] ..... 5.0: sched_process_exit: comm=x pid=50 prio=120 group_dead=true
		x-50 [000] ..... 5.5: exit_mmap: mm=0
	E
	replay r.dat
	# 1700000000 s is 2023-11-14T22:13:20Z, at 1.0 on the clock of the trace; the row is of 5.5.
	[[ "$(row 50 .time)" == 2023-11-14T22:13:24.500000* ]]
	cp out first
	TZ=Asia/Tokyo replay r.dat
	cmp first out
}

@test "F85: a counter that went back is unknown, in JSON and text, not 0 and not huge" {
	made r.dat <<-'E'
		@FILE 1.0 /proc/vmstat <<<pswpin 100\npswpout 18446744073709551000\n
		@FILE 2.1 /proc/vmstat <<<pswpin 90\npswpout 18446744073709551615\n
		@FILE 3.2 /proc/vmstat <<<pswpin 95\npswpout 18446744073709551615\n
	E
	"$SWAPTOP" --json -i r.dat >out
	jq -c 'select(.type == "report") | [.swap.in_entries, .swap.out_entries]' out >got
	cat got
	grep -q '^\[null,615\]$' got
	grep -q '^\[5,0\]$' got
	if grep -q '1844674407370955' out; then false; fi
	"$SWAPTOP" -i r.dat >text
	if grep -q '1844674407370955\|-10' text; then false; fi
}

@test "a trace-cmd copy in version 7 replays to the same stream, header and all" {
	command -v trace-cmd >/dev/null || skip "trace-cmd is not installed"
	trace-cmd convert -i "$ROOT/tracepoints/samples/exits-6.18.dat" -o v7.dat --file-version 7 --compression zstd >/dev/null 2>&1 ||
		skip "this trace-cmd cannot convert"
	"$SWAPTOP" --json -i "$ROOT/tracepoints/samples/exits-6.18.dat" >a
	"$SWAPTOP" --json -i v7.dat >b
	cmp a b
	[ "$(head -n 1 b | jq -c '[.host, .page_size] | map(. != null)')" = "[true,true]" ]
}

@test "F81, F83: counters this kernel does not have are null, not 0" {
	made r.dat <<-'E'
		@FILE 1.0 /proc/vmstat <<<nr_free_pages 1000\n
		@FILE 2.1 /proc/vmstat <<<nr_free_pages 1000\n
	E
	"$SWAPTOP" --json -i r.dat >out
	[ "$(jq -c 'select(.type == "report") | [.swap.in_entries, .swap.out_entries]' out | sort -u)" = "[null,null]" ]
	jq -c 'select(.type == "header") | .missing' out | grep -q oom_kill
	made r.dat <<-'E'
		@FILE 1.0 /proc/vmstat <<<pswpin 3\noom_kill 0\n
		@FILE 2.1 /proc/vmstat <<<pswpin 3\noom_kill 0\n
	E
	"$SWAPTOP" --json -i r.dat >out
	if jq -c 'select(.type == "header") | .missing' out | grep -q oom_kill; then false; fi
	jq -c 'select(.type == "report") | .swap.in_entries' out | grep -qx 0
}

@test "F102: 0 entries: no ratio, and every strict parser takes every line" {
	made r.dat <<-'E'
		x-50 [000] ..... 5.0: sched_process_exit: comm=x pid=50 prio=120 group_dead=true
		x-50 [000] ..... 5.0: exit_mmap: mm=0
	E
	for cmd in "exits" ""; do
		# shellcheck disable=SC2086 # no command is no word
		"$SWAPTOP" $cmd --json -i r.dat >out
		[ "$(row 50 '[.freed_entries, .ns_per_entry]')" = "[0,null]" ]
		/usr/bin/python3 -c 'import json, sys
def no(x): raise ValueError(x)
for line in sys.stdin: json.loads(line, parse_constant=no)' <out
		if grep -q -i 'nan\|inf\b' out; then false; fi
	done
	run "$SWAPTOP" exits -i r.dat --min-swap 0
	if [[ "$output" == *nan* || "$output" == *inf* ]]; then false; fi
}

@test "F105: header first, end last with the counts; without it our own reader says incomplete" {
	deaths 10 400 | made r.dat
	replay r.dat
	[ "$(head -n 1 out | jq -c '[.type, .clock, .page_size, (.version | type)]')" = '["header","mono",4096,"string"]' ]
	[ "$(tail -n 1 out | jq -c '[.type, .exits, .lost, .complete]')" = '["end",10,0,true]' ]
	run "$SWAPTOP" report out
	[ "$status" = 0 ]
	head -n 5 out >cut
	run "$SWAPTOP" report cut
	[ "$status" = 3 ]
	[[ "$output" == *"incomplete: no end record"* ]]
	# As kill -9 leaves it: in the middle of a line.
	head -c $(($(wc -c <out) - 40)) out >cut
	run "$SWAPTOP" report cut
	echo "$output"
	[ "$status" = 3 ]
}

@test "F106: times and ids beyond 2^53 survive a parser that knows doubles only" {
	made r.dat <<-'E'
		@FILE 9007199.254740000 @anchor <<<9007199254740000 1700000000000000001\n
		x-50 [000] ..... 9007199.254740993: sched_process_exit: comm=x pid=50 prio=120 group_dead=true
		x-50 [000] ..... 9007199.254740993: exit_mmap: mm=0
	E
	replay r.dat
	# jq keeps numbers as doubles (or prints them as it read them): strings pass through both.
	[ "$(row 50 '.release | type')" = string ]
	[ "$(row 50 '.mono_ns | type')" = string ]
	[ "$(row 50 .mono_ns)" = "$(grep '"type":"exit",' out | sed 's/.*"mono_ns":"\([0-9]*\)".*/\1/')" ]
	[[ "$(row 50 .mono_ns)" == 90071992547409* ]]
	# No number that a double cannot hold, no kernel address.
	/usr/bin/python3 -c 'import json, sys
def walk(v):
	if isinstance(v, dict): [walk(x) for x in v.values()]
	elif isinstance(v, list): [walk(x) for x in v]
	elif isinstance(v, int) and not isinstance(v, bool): assert abs(v) <= 2**53, v
for line in sys.stdin: walk(json.loads(line))' <out
	if grep -q -i '0x\|"ffff' out; then false; fi
}
