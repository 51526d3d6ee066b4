#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-sample.sh SWAPTOP WORKLOAD OUT.dat: the bundled recording.  A real run on this kernel: one process of 128 MiB
# in zram is killed, then four at once, then one executes another program, then one that shares its address space.
# All are paged out before the recording begins, which keeps it small.  OUT.truth gets what the workload counted
# of itself.  Needs root, tracefs and 800 MiB of swap.
set -eu
swaptop=$1 workload=$2 out=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# hold NAME OPTIONS...: paged out and waiting for a line in its FIFO
hold() {
	local name=$1
	shift
	mkfifo "$tmp/$name.fifo"
	"$workload" --name "$name" --hold-fifo "$tmp/$name.fifo" "$@" >"$tmp/$name" &
	until [ -s "$tmp/$name" ]; do sleep 0.1; done
}

hold hog --mib 128 --kill
hold hogs --procs 4 --mib 128 --kill
hold old --mib 64 --exec=0.1
hold tool --mib 64 --clone-vm-child 1.1 --kill
cat >"$tmp/run" <<END
sleep 1
for name in hog hogs old tool; do
	echo >"$tmp/\$name.fifo"
	sleep 0.8
done
sleep 0.8
END
"$swaptop" record -d 1 -o "$out" -- bash "$tmp/run"
wait
cat "$tmp/hog" "$tmp/hogs" "$tmp/old" "$tmp/tool" >"${out%.dat}.truth"
ls -l "$out"
