#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print lib/base/width.c: the code points that take no column, and those that take two.

Run it by hand when Unicode has moved on:  build-aux/gen-width.py > lib/base/width.c
"""
import sys
import unicodedata

MAX_PER_LINE = 4


def columns(cp):
    ch = chr(cp)
    cat = unicodedata.category(ch)
    if cat in ("Mn", "Me") or 0x1160 <= cp <= 0x11FF:
        return 0
    # Format characters are invisible, but the soft hyphen and the Arabic number signs show.
    if cat == "Cf" and cp not in (0xAD, 0x6DD, 0x8E2) and not 0x600 <= cp <= 0x605 and not 0x890 <= cp <= 0x891:
        return 0
    if unicodedata.east_asian_width(ch) in ("W", "F"):
        return 2
    # Unassigned places of the ideographic planes are wide by UAX 11.
    if 0x20000 <= cp <= 0x2FFFD or 0x30000 <= cp <= 0x3FFFD:
        return 2
    return 1


def ranges(width):
    out, start = [], None
    for cp in range(0x80, 0x110001):
        hit = cp < 0x110000 and columns(cp) == width
        if hit and start is None:
            start = cp
        elif not hit and start is not None:
            out.append((start, cp - 1))
            start = None
    return out


def table(name, width):
    print(f"static const struct range {name}[] = {{")
    rs = ranges(width)
    for i in range(0, len(rs), MAX_PER_LINE):
        print("\t" + " ".join("{ 0x%05x, 0x%05x }," % r for r in rs[i:i + MAX_PER_LINE]))
    print("};\n")


def main():
    print("/* SPDX-License-Identifier: GPL-2.0-or-later */")
    print("/*")
    print(" * Columns of a code point, from the Unicode %s character database." % unicodedata.unidata_version)
    print(" * Written by build-aux/gen-width.py; wcwidth() would ask the locale, and the C locale knows nothing.")
    print(" */")
    print('#include <stddef.h>\n\n#include "base/width.h"\n')
    print("struct range {\n\tuint32_t first, last;\n};\n")
    print("/* clang-format off */")
    table("zero_width", 0)
    table("wide", 2)
    print("/* clang-format on */\n")
    sys.stdout.write("""\
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static int in_table(const struct range *t, size_t n, uint32_t cp)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (cp > t[mid].last)
			lo = mid + 1;
		else if (cp < t[mid].first)
			hi = mid;
		else
			return 1;
	}
	return 0;
}

unsigned int swt_width_of(uint32_t cp)
{
	if (cp < zero_width[0].first)
		return 1;
	if (in_table(zero_width, ARRAY_SIZE(zero_width), cp))
		return 0;
	return in_table(wide, ARRAY_SIZE(wide), cp) ? 2 : 1;
}
""")


main()
