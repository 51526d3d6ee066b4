/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a report.
 */
#include <stdio.h>
#include <string.h>

#include "model/sampler-parts.h"
#include "model/sys-parts.h"

#define PATH_LEN 96
#define KHUGE	 "/sys/kernel/mm/transparent_hugepage/khugepaged/"

/* Small files that are there or not for the life of the kernel. */
static const char *const small[] = {
	"/proc/loadavg", /* right after /proc/stat: tasks alive beside tasks born */
	KHUGE "full_scans",
	KHUGE "pages_collapsed",
	KHUGE "pages_to_scan",
	KHUGE "scan_sleep_millisecs",
	KHUGE "max_ptes_none",
	KHUGE "max_ptes_swap",
	KHUGE "max_ptes_shared",
	"/sys/module/zswap/parameters/enabled",
	"/sys/kernel/mm/swap/exit_release/mode",
};

/* New text, or once the empty one when the file has gone; the sink's value. */
static int pass_on(struct swt_sampler *s, const char *path, int rc, bool *had)
{
	bool end = rc && *had;

	*had = !rc;
	if (rc)
		return end ? swt_sampler_deliver(s, path, "", 0) : 0;
	return swt_sampler_deliver(s, path, swt_buf_str(&s->buf), s->buf.len);
}

static int kept_files(struct swt_sampler *s, bool *had)
{
	static const enum swt_kept order[] = { SWT_KEPT_VMSTAT, SWT_KEPT_MEMINFO, SWT_KEPT_SWAPS,
					       SWT_KEPT_STAT, SWT_KEPT_PSI };
	int rc = 0;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && !rc; i++) {
		if (swt_sampler_kept(s, order[i])) {
			if (had[i])
				rc = swt_sampler_deliver(s, swt_sampler_kept_path(order[i]), "", 0);
			had[i] = false;
		} else {
			rc = swt_sampler_deliver_kept(s, order[i]);
			had[i] = true;
		}
	}
	return rc;
}

/* One file of a zram device; *@missing is set when it could not be read. */
static int zram_file(struct swt_sampler *s, const char *name, const char *file, bool *missing)
{
	char path[PATH_LEN];
	int rc;

	snprintf(path, sizeof(path), "/sys/block/%s/%s", name, file);
	rc = swt_root_read(s->cfg.root, path, &s->buf);
	*missing = rc != 0;
	return rc ? 0 : swt_sampler_deliver(s, path, swt_buf_str(&s->buf), s->buf.len);
}

static int zram_device(struct swt_sampler *s, const char *name)
{
	static const char *const old[] = { "orig_data_size", "compr_data_size", "mem_used_total" };
	static const char *const more[] = { "debug_stat", "io_stat" };
	bool missing, unused;
	int rc;

	rc = zram_file(s, name, "mm_stat", &missing);
	for (size_t i = 0; i < sizeof(old) / sizeof(old[0]) && !rc && missing; i++)
		rc = zram_file(s, name, old[i], &unused);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]) && !rc; i++)
		rc = zram_file(s, name, more[i], &unused);
	return rc;
}

/* The device was removed: say so for every file it may have had. */
static int zram_gone(struct swt_sampler *s, const char *name)
{
	static const char *const files[] = { "mm_stat",	       "debug_stat",	  "io_stat",
					     "orig_data_size", "compr_data_size", "mem_used_total" };
	char path[PATH_LEN];
	int rc = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !rc; i++) {
		snprintf(path, sizeof(path), "/sys/block/%s/%s", name, files[i]);
		rc = swt_sampler_deliver(s, path, "", 0);
	}
	return rc;
}

struct zram_list {
	char name[SWT_MAX_ZRAM][16];
	unsigned int n;
};

static int zram_name(void *arg, const char *name)
{
	struct zram_list *l = arg;
	size_t len = strlen(name);

	if (l->n < SWT_MAX_ZRAM && swt_zram_name(name, len)) {
		memcpy(l->name[l->n], name, len + 1);
		l->n++;
	}
	return 0;
}

static bool zram_listed(const struct zram_list *l, const char *name)
{
	for (unsigned int i = 0; i < l->n; i++) {
		if (!strcmp(l->name[i], name))
			return true;
	}
	return false;
}

static int zram_devices(struct swt_sampler *s)
{
	struct zram_list now = { .n = 0 };
	int rc = 0;

	swt_root_each(s->cfg.root, "/sys/block", zram_name, &now);
	for (unsigned int i = 0; i < s->nzram && !rc; i++) {
		if (!zram_listed(&now, s->zram[i]))
			rc = zram_gone(s, s->zram[i]);
	}
	for (unsigned int i = 0; i < now.n && !rc; i++)
		rc = zram_device(s, now.name[i]);
	memcpy(s->zram, now.name, sizeof(s->zram));
	s->nzram = now.n;
	return rc;
}

/* khugepaged was found when its stat was first read; it ends when huge pages are switched off. */
static int khugepaged(struct swt_sampler *s)
{
	char path[PATH_LEN];
	int rc;

	if (!s->khuge)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/stat", s->khuge);
	rc = swt_root_read(s->cfg.root, path, &s->buf);
	if (rc)
		s->khuge = 0;
	return swt_sampler_deliver(s, path, rc ? "" : swt_buf_str(&s->buf), rc ? 0 : s->buf.len);
}

int swt_sampler_system(struct swt_sampler *s)
{
	uint64_t start = swt_sampler_now(s);
	int rc;

	_Static_assert(sizeof(s->had) >= SWT_KEPT_COUNT + sizeof(small) / sizeof(small[0]),
		       "one flag per file");
	rc = kept_files(s, s->had);
	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]) && !rc; i++)
		rc = pass_on(s, small[i], swt_root_read(s->cfg.root, small[i], &s->buf),
			     &s->had[SWT_KEPT_COUNT + i]);
	if (!rc)
		rc = zram_devices(s);
	if (!rc)
		rc = khugepaged(s);
	s->cost += swt_sampler_now(s) - start;
	return rc;
}
