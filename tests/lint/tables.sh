#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options, columns, commands and exit statuses: in the code = in the manual = in the completions.
set -u
cd "$(dirname "$0")/../.." || exit 1
swaptop=${SWAPTOP:-build/swaptop}
man=man/swaptop.1
n=0
ok() { n=$((n + 1)); if [ -z "$2" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; echo "$2" | sed 's/^/# /'; fi; }

dump=$("$swaptop" --dump-options) || { echo "1..0 # SKIP no $swaptop: run make first"; exit 0; }
of() { echo "$dump" | awk -F'\t' -v k="$1" '$1 == k {print $2}' | grep -v '^-$' | sort -u; }

ok "every option is in the manual, and none that is not there" \
	"$(diff <(of option) <(grep -oE '^\.It Fl .*' $man | grep -oE '(-[a-z]+)+' | grep -E '^-[a-z]{2,}' | sed 's/^-//' | sort -u))"
ok "every short option is in the manual" \
	"$(diff <(echo "$dump" | awk -F'\t' '$1 == "option" && $3 != "-" {print $3}' | sort -u) \
		<(grep -oE '^\.It Fl [a-zA-Z] ' $man | awk '{print $3}' | sort -u))"
ok "every column is in the manual, with the words of the table" \
	"$(diff <(echo "$dump" | awk -F'\t' '$1 == "column" {print $2 ": " $5}' | sort) \
		<(sed -n '/^\.Sh COLUMNS/,/^\.Sh LEVELS/p' $man | awk '/^\.It Cm/ {c = $3; next} /^\./ {next} c {print c ": " $0; c = ""}' | sort))"
ok "every command is in the manual" \
	"$(for c in $(of command); do grep -q "^\.It Cm $c" $man || echo "$c"; done)"
ok "every exit status is in the manual" \
	"$(diff <(of status) <(sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' $man | awk '/^\.It/ {print $2}' | sort -u))"
tmp=$(mktemp -d)
build-aux/completions.sh "$swaptop" "$tmp"
ok "the completions are those of the tables (make completions)" "$(diff -r "$tmp" completions)"
rm -rf "$tmp"
ok "bash takes its completion" "$(bash -n completions/swaptop.bash 2>&1)"
# shellcheck disable=SC2016 # for the inner shell
ok "bash completes commands, options, columns and words" "$(bash -c '
	. completions/swaptop.bash
	t() { COMP_WORDS=("${@:2}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _swaptop
		case " ${COMPREPLY[*]} " in *" $1 "*) ;; *) echo "no $1 for ${*:2}: ${COMPREPLY[*]}";; esac; }
	t exits swaptop ex
	t --min-swap swaptop exits --mi
	t --output swaptop record --out
	t pid swaptop -C pi
	t pid,name swaptop -C pid,na
	t stock swaptop --source st
	t auto swaptop --level a' 2>&1)"
if command -v zsh >/dev/null; then
	ok "zsh takes its completion" "$(zsh -n completions/_swaptop 2>&1)"
fi
if command -v fish >/dev/null; then
	ok "fish completes commands and options" "$(fish -c 'source completions/swaptop.fish
		complete -C "swaptop ex" | grep -q "^exits" || echo no exits
		complete -C "swaptop exits --mi" | grep -q -- "--min-swap" || echo no --min-swap' 2>&1)"
fi
echo "1..$n"
