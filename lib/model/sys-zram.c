/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /sys/block/zramN: how much is stored and what it takes.
 *
 * Since 4.1 the numbers are columns of mm_stat, which grew from 7 to 9 over time: read by position, more are
 * ignored.  Older kernels have one file per number.
 */
#include <stdio.h>

#include "model/sys-parts.h"

bool swt_zram_name(const char *name, size_t len)
{
	if (len < 5 || len > 15 || memcmp(name, "zram", 4))
		return false;
	for (size_t i = 4; i < len; i++) {
		if (name[i] < '0' || name[i] > '9')
			return false;
	}
	return true;
}

static struct swt_zram *find_or_add(struct swt_sys *s, const char *name, size_t len, bool add)
{
	struct swt_zram *z;

	for (unsigned int i = 0; i < s->nzram; i++) {
		z = &s->zram[i];
		if (!strncmp(z->name, name, len) && !z->name[len])
			return z;
	}
	if (!add || s->nzram == SWT_MAX_ZRAM)
		return NULL;
	z = &s->zram[s->nzram++];
	memset(z, 0, sizeof(*z));
	memcpy(z->name, name, len);
	return z;
}

static void mm_stat(struct swt_zram *z, const char *text, size_t len)
{
	struct swt_scan s = swt_scan(text, len), line = { text, text };

	swt_scan_line(&s, &line);
	z->data = swt_scan_u64(&line);
	z->compressed = swt_scan_u64(&line);
	z->pool = swt_scan_u64(&line);
	swt_scan_u64(&line); /* the limit */
	z->pool_peak = swt_scan_u64(&line);
	z->same_pages = swt_scan_u64(&line);
}

/* "failed_reads failed_writes invalid_io notify_free" */
static void io_stat(struct swt_zram *z, const char *text, size_t len)
{
	struct swt_scan s = swt_scan(text, len), line = { text, text };

	swt_scan_line(&s, &line);
	for (int i = 0; i < 3; i++)
		swt_scan_u64(&line);
	z->notify_free = swt_scan_u64(&line);
}

/*
 * "version: 1" and a line "writestall miss_free"; the second number came with 5.0 in the same version.  The
 * kernel promises nothing about this file, so any other version means that we know nothing.
 */
static void debug_stat(struct swt_sys *sys, struct swt_zram *z, const char *text, size_t len)
{
	struct swt_scan s = swt_scan(text, len), line = { text, text }, word;
	size_t n = strlen(z->name);

	z->missed_free = SWT_UNKNOWN;
	if (!strncmp(sys->debug_note, z->name, n) && sys->debug_note[n] == ':')
		sys->debug_note[0] = '\0';
	if (!len)
		return;
	swt_scan_line(&s, &line);
	if (!SWT_SCAN_SKIP(&line, "version:")) {
		snprintf(sys->debug_note, sizeof(sys->debug_note),
			 "%s: debug_stat without a version, ignored", z->name);
		return;
	}
	if (!swt_scan_word(&line, &word) || !SWT_SCAN_IS(&word, "1")) {
		struct swt_opt version = swt_scan_number(&word);

		if (version.known)
			snprintf(sys->debug_note, sizeof(sys->debug_note),
				 "%s: debug_stat version %llu is not known, ignored", z->name,
				 (unsigned long long)version.v);
		else
			snprintf(sys->debug_note, sizeof(sys->debug_note),
				 "%s: debug_stat of a version that is no number, ignored", z->name);
		return;
	}
	if (!swt_scan_line(&s, &line))
		return;
	swt_scan_u64(&line);
	z->missed_free = swt_scan_u64(&line);
}

static struct swt_opt one_number(const char *text, size_t len)
{
	struct swt_scan word = swt_scan_trimmed(text, len);

	return swt_scan_number(&word);
}

static const struct {
	const char *file;
	size_t at;
} single[] = {
	{ "orig_data_size", offsetof(struct swt_zram, data) },
	{ "compr_data_size", offsetof(struct swt_zram, compressed) },
	{ "mem_used_total", offsetof(struct swt_zram, pool) },
};

/* A device all of whose files are gone is gone. */
static void drop_if_empty(struct swt_sys *s, struct swt_zram *z)
{
	unsigned int i = (unsigned int)(z - s->zram);

	if (z->data.known || z->compressed.known || z->pool.known || z->pool_peak.known ||
	    z->same_pages.known || z->missed_free.known || z->notify_free.known)
		return;
	s->nzram--;
	memmove(z, z + 1, (s->nzram - i) * sizeof(*z));
}

bool swt_sys_zram(struct swt_sys *s, const char *rest, const char *text, size_t len)
{
	const char *file = strchr(rest, '/');
	size_t single_at = sizeof(struct swt_zram);
	struct swt_zram *z;

	if (!file || !swt_zram_name(rest, (size_t)(file - rest)))
		return false;
	file++;
	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
		if (!strcmp(file, single[i].file))
			single_at = single[i].at;
	}
	if (single_at == sizeof(struct swt_zram) && strcmp(file, "mm_stat") && strcmp(file, "io_stat") &&
	    strcmp(file, "debug_stat"))
		return false;
	z = find_or_add(s, rest, (size_t)(file - 1 - rest), len > 0);
	if (!z)
		return true;
	if (single_at < sizeof(struct swt_zram))
		*(struct swt_opt *)(void *)((char *)z + single_at) = one_number(text, len);
	else if (*file == 'm')
		mm_stat(z, text, len);
	else if (*file == 'i')
		io_stat(z, text, len);
	else
		debug_stat(s, z, text, len);
	if (!len)
		drop_if_empty(s, z);
	return true;
}
