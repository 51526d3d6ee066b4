/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether /proc shows only some of the processes.
 */
#include <stdio.h>

#include "model/sampler-parts.h"
#include "model/scan.h"

/* The value of hidepid= in comma-separated mount options; empty when there is none. */
static struct swt_scan hidepid(struct swt_scan options)
{
	while (options.p < options.end) {
		const char *comma = memchr(options.p, ',', swt_scan_left(&options));
		struct swt_scan one = { options.p, comma ? comma : options.end };

		if (SWT_SCAN_SKIP(&one, "hidepid="))
			return one;
		options.p = comma ? comma + 1 : options.end;
	}
	return (struct swt_scan){ options.end, options.end };
}

/* Is this mount point /proc, as the machine below the sysroot sees it or as we do? */
static bool is_proc(const struct swt_root *root, const struct swt_scan *where)
{
	struct swt_scan at = *where;
	const char *prefix = swt_root_prefix(root);

	if (SWT_SCAN_IS(&at, "/proc"))
		return true;
	return swt_scan_skip(&at, prefix, strlen(prefix)) && SWT_SCAN_IS(&at, "/proc");
}

void swt_sampler_find_limit(const struct swt_root *root, char *dst, size_t size)
{
	struct swt_scan all, line, what, where, type, options, found = { NULL, NULL };
	struct swt_buf b = SWT_BUF_INIT, other = SWT_BUF_INIT;
	int shown = 0;

	*dst = '\0';
	if (swt_root_read(root, "/proc/self/mounts", &b) && swt_root_read(root, "/proc/mounts", &b))
		goto out;
	all = swt_scan(swt_buf_str(&b), b.len);
	/* The last one mounted there is the one we see. */
	while (swt_scan_line(&all, &line)) {
		if (swt_scan_word(&line, &what) && swt_scan_word(&line, &where) &&
		    swt_scan_word(&line, &type) && swt_scan_word(&line, &options) &&
		    SWT_SCAN_IS(&type, "proc") && is_proc(root, &where))
			found = hidepid(options);
	}
	/* "0" and "off" hide nothing, and with the right to trace nothing is hidden from us: init shows. */
	if (found.p == found.end || SWT_SCAN_IS(&found, "0") || SWT_SCAN_IS(&found, "off") ||
	    !swt_root_read(root, "/proc/1/stat", &other))
		goto out;
	if (swt_scan_left(&found) > 16)
		found.end = found.p + 16;
	for (const char *p = found.p; p < found.end && ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'));
	     p++)
		shown++;
	snprintf(dst, size, "limited view: own processes only (/proc is mounted with hidepid=%.*s)", shown,
		 found.p);
out:
	swt_buf_free(&b);
	swt_buf_free(&other);
}
