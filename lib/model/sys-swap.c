/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/swaps, and what the swap in use lies on.
 */
#include "model/sys-parts.h"

static bool octal(char c)
{
	return c >= '0' && c <= '7';
}

/*
 * The kernel writes blanks, newlines and backslashes of a name as \ooo.  \000 cannot be part of a name and is
 * left as it stands, so that the result has no NUL inside.
 */
static void unescape(char *dst, size_t size, const struct swt_scan *word)
{
	size_t n = 0;

	for (const char *p = word->p; p < word->end && n + 1 < size; p++) {
		unsigned int c = (unsigned char)*p;

		if (c == '\\' && word->end - p >= 4 && octal(p[1]) && octal(p[2]) && octal(p[3])) {
			unsigned int o = (unsigned int)(p[1] - '0') << 6 | (unsigned int)(p[2] - '0') << 3 |
					 (unsigned int)(p[3] - '0');

			if (o && o < 256) {
				c = o;
				p += 3;
			}
		}
		if (!c)
			c = '?';
		dst[n++] = (char)c;
	}
	dst[n] = '\0';
}

/* Whether a device path ends in "/zramN"; Android has them in /dev/block. */
static bool zram_path(const char *name)
{
	const char *base = strrchr(name, '/');
	size_t len;

	base = base ? base + 1 : name;
	len = strcspn(base, " "); /* "/dev/zram0 (deleted)": the node is gone, the device is not */
	if (base[len] && strcmp(base + len, " (deleted)"))
		return false;
	return swt_zram_name(base, len);
}

static enum swt_swap_kind area_kind(const struct swt_scan *type, const char *name)
{
	/* A swap file may be called anything. */
	if (SWT_SCAN_IS(type, "file"))
		return SWT_SWAP_FILE;
	if (zram_path(name))
		return SWT_SWAP_ZRAM;
	return SWT_SCAN_IS(type, "partition") ? SWT_SWAP_PARTITION : SWT_SWAP_UNKNOWN;
}

static int area_priority(struct swt_scan *line)
{
	struct swt_scan word;
	struct swt_opt o;
	bool minus;

	if (!swt_scan_word(line, &word))
		return 0;
	minus = SWT_SCAN_SKIP(&word, "-");
	o = swt_scan_number(&word);
	if (!o.known || o.v > INT_MAX)
		return 0;
	return minus ? -(int)o.v : (int)o.v;
}

static void area_line(struct swt_sys *s, struct swt_scan *line)
{
	struct swt_swap_area *a = &s->area[s->nareas];
	struct swt_scan name, type;

	if (!swt_scan_word(line, &name) || !swt_scan_word(line, &type))
		return;
	memset(a, 0, sizeof(*a));
	unescape(a->name, sizeof(a->name), &name);
	a->kind = area_kind(&type, a->name);
	a->size = swt_scan_kib(line);
	a->used = swt_scan_kib(line);
	a->priority = area_priority(line);
	s->nareas++;
}

void swt_sys_swaps(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan all = swt_scan(text, len), line;

	s->nareas = 0;
	s->areas_known = len > 0;
	while (s->nareas < SWT_MAX_SWAPS && swt_scan_line(&all, &line)) {
		struct swt_scan head = line;

		/* The heading; a name of an area always begins with a slash. */
		if (!SWT_SCAN_SKIP(&head, "Filename"))
			area_line(s, &line);
	}
}

struct swt_opt swt_sys_used(const struct swt_sys *s)
{
	uint64_t sum = 0;

	if (!s->areas_known)
		return swt_opt_sub(s->swap_total, s->swap_free);
	for (unsigned int i = 0; i < s->nareas; i++) {
		if (!s->area[i].used.known || __builtin_add_overflow(sum, s->area[i].used.v, &sum))
			return SWT_UNKNOWN;
	}
	return swt_some(sum);
}

/* Bit per kind of the areas; with @used_only of those in use, or not known to be unused. */
static unsigned int kinds(const struct swt_sys *s, bool used_only)
{
	unsigned int set = 0;

	for (unsigned int i = 0; i < s->nareas; i++) {
		const struct swt_swap_area *a = &s->area[i];

		if (!used_only || !a->used.known || a->used.v)
			set |= 1u << a->kind;
	}
	return set;
}

const char *swt_sys_backend(const struct swt_sys *s)
{
	const unsigned int disk = 1u << SWT_SWAP_FILE | 1u << SWT_SWAP_PARTITION;
	unsigned int set = kinds(s, true);

	/* zswap keeps pages in front of any area, and each of them has its slot there. */
	if (set && s->zswap_enabled && swt_opt_or(s->zswap_data, 0)) {
		if (!(set & ~disk))
			return "zswap";
		return "mixed";
	}
	if (!set)
		set = kinds(s, false);
	if (set & (set - 1))
		return kinds(s, true) ? "mixed" : "unknown";
	for (unsigned int k = SWT_SWAP_ZRAM; k <= SWT_SWAP_PARTITION; k++) {
		if (set == 1u << k)
			return swt_swap_kind_name((enum swt_swap_kind)k);
	}
	return "unknown";
}
