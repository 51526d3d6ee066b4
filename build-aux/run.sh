#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make run: the program at work within seconds.  Live where this user may trace and there is something to see,
# else the bundled recording of a real run.  Leaves the machine as it was.
set -u
swaptop=$1
here=$(dirname "$0")
sample=$here/../tracepoints/samples/exits-6.18.dat
mounted=

root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		sudo "$@"
	else
		return 1
	fi
}

replay() {
	echo "$1"
	echo "Here is a recording of a real run instead ($(basename "$sample")): one process of 128 MiB in zram is killed,"
	echo "then four at once, then more; see README.md for how to read it."
	echo
	"$swaptop" report "$sample"
	exit $?
}

[ "$(uname -s)" = Linux ] || replay "swaptop looks at Linux only."
root true || replay "Live view needs root here: sudo make run, or sudo $swaptop."
if ! [ -d /sys/kernel/tracing/events ] && root mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; then
	mounted=1
fi
trap '[ -z "$mounted" ] || root umount /sys/kernel/tracing' EXIT
trap : INT # swaptop ends on it; then the trap above runs
[ -d /sys/kernel/tracing/events ] || replay "This kernel has no tracefs that can be mounted."
if [ "$(wc -l </proc/swaps)" -lt 2 ]; then
	"$swaptop" doctor | head -n 12
	echo
	replay "This machine has no swap, so nothing here can die slowly because of it."
fi
root "$swaptop" doctor
echo
# A terminal has somebody who can end it; a log gets ten seconds.
if [ -t 1 ]; then
	count=${SWAPTOP_COUNT:-1000000}
	echo "Live, every second, until Ctrl-C; exits appear as they happen:"
else
	count=${SWAPTOP_COUNT:-10}
	echo "Live, $count seconds; exits appear as they happen:"
fi
root "$swaptop" --count "$count"
