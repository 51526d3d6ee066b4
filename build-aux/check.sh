#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All tests, in the order in which a mistake is cheapest to find.  Goes on after a failure and tells at the end.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=
MAKE="${MAKE:-make} --no-print-directory -j$(nproc)"

step() {
	echo "== $1"
	shift
	start=$(date +%s)
	"$@" || failed="$failed [$*]"
	echo "== $(($(date +%s) - start)) s"
}

step "build, gcc" $MAKE tests-built
step "build, clang" $MAKE check-clang
step "unit, fuzz corpus, command line" ${MAKE%-j*} check-quick
step "the same under ASan and UBSan, gcc" $MAKE check-san-gcc
step "the same under ASan and UBSan, clang" $MAKE check-san-clang
step "lint" ${MAKE%-j*} lint
step "this kernel" ${MAKE%-j*} check-live

if [ -n "$failed" ]; then
	echo "FAILED:$failed"
	exit 1
fi
echo "all checks passed"
