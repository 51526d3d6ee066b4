#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# setup.sh LIST...: install the Debian packages of build-aux/packages-LIST.txt that are missing.
#
# LIST is run, check, bench or kernel; check and bench include run.  Nothing is asked, and nothing is done
# (and no network used) when everything is there.  SETUP=0 in the environment skips it, for systems where
# the same things come from another package manager.
set -u
here=$(dirname "$0")

die() {
	echo "setup: $*" >&2
	exit 1
}

names() {
	for list in "$@"; do
		sed 's/[[:space:]]*#.*//; /^$/d' "$here/packages-$list.txt"
	done | sort -u
}

missing() {
	if ! command -v dpkg-query >/dev/null; then
		printf '%s ' "$@"
		return
	fi
	# A name that dpkg never heard of is an error line to it and has no row.
	have=" $(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
		sed -n 's/ installed$//p' | tr '\n' ' ')"
	for p in "$@"; do
		case $have in
		*" $p "*) ;;
		*) printf '%s ' "$p" ;;
		esac
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

apt() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" \
		</dev/null >>"$log" 2>&1
}

[ $# -gt 0 ] || die "usage: setup.sh run|check|bench|kernel..."
[ "${SETUP:-1}" != 0 ] || exit 0

lists=
for list in "$@"; do
	[ -r "$here/packages-$list.txt" ] || die "no list of packages is called '$list'"
	case $list in
	check | bench) lists="$lists run $list" ;;
	*) lists="$lists $list" ;;
	esac
done
# shellcheck disable=SC2086 # names of lists
all=$(names $lists)
# shellcheck disable=SC2086 # names of packages
todo=$(missing $all)
todo=${todo% }
[ -n "$todo" ] || exit 0

command -v apt-get >/dev/null ||
	die "no apt-get here; install what corresponds to these Debian packages, then use SETUP=0: $todo"
as_root true 2>/dev/null || die "needs root, and sudo without a password is not set up; as root: apt-get install $todo"

echo "setup: installing $todo"
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
# Lists of packages may be old or missing: fetch them only when the first try says so.
# shellcheck disable=SC2086 # names of packages
apt install -y --no-install-recommends $todo ||
	{ apt update && apt install -y --no-install-recommends $todo; } ||
	{
		tail -n 20 "$log" >&2
		die "could not install: $todo"
	}
