/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What khugepaged's limits mean, see khuge.h.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/fmt.h"
#include "model/khuge.h"

static int none_text(uint64_t v, uint64_t range, struct swt_buf *out)
{
	if (!v)
		return swt_buf_adds(
			out, "only ranges with every page in use are collapsed; memory use does not grow");
	return swt_buf_addf(out,
			    "a range is collapsed although up to %" PRIu64 " of its %" PRIu64
			    " pages were never used; they are filled with zeros, so memory use can grow",
			    v, range);
}

static int swap_text(uint64_t v, struct swt_buf *out)
{
	if (!v)
		return swt_buf_adds(out, "ranges with pages in swap are left alone");
	return swt_buf_addf(
		out,
		"a range with up to %" PRIu64
		" pages in swap is collapsed, and they are read back for it; above that it is left alone",
		v);
}

static int shared_text(uint64_t v, struct swt_buf *out)
{
	if (!v)
		return swt_buf_adds(out, "ranges with pages shared with other processes are left alone");
	return swt_buf_addf(out,
			    "a range with up to %" PRIu64
			    " pages shared with other processes is collapsed, and they are copied for it",
			    v);
}

static int scan_text(const struct swt_khugepaged *s, uint64_t page_size, struct swt_buf *out)
{
	char n[SWT_FMT_LEN], bytes[SWT_FMT_LEN];
	int rc;

	rc = swt_buf_addf(
		out, "%s pages (%s) are looked at in one go", swt_fmt_count(n, sizeof(n), s->pages_to_scan.v),
		swt_fmt_opt(bytes, sizeof(bytes), swt_opt_mul(s->pages_to_scan, page_size), swt_fmt_bytes));
	if (rc || !s->scan_sleep_ms.known)
		return rc;
	return swt_buf_addf(out, ", then khugepaged sleeps for %" PRIu64 " ms", s->scan_sleep_ms.v);
}

int swt_khuge_limit(const struct swt_khugepaged *s, enum swt_khuge_limit limit, uint64_t page_size,
		    struct swt_buf *out)
{
	static const char *const names[] = {
		[SWT_KHUGE_PTES_NONE] = "max_ptes_none",
		[SWT_KHUGE_PTES_SWAP] = "max_ptes_swap",
		[SWT_KHUGE_PTES_SHARED] = "max_ptes_shared",
		[SWT_KHUGE_PAGES_TO_SCAN] = "pages_to_scan",
	};
	const struct swt_opt values[] = {
		[SWT_KHUGE_PTES_NONE] = s->max_ptes_none,
		[SWT_KHUGE_PTES_SWAP] = s->max_ptes_swap,
		[SWT_KHUGE_PTES_SHARED] = s->max_ptes_shared,
		[SWT_KHUGE_PAGES_TO_SCAN] = s->pages_to_scan,
	};
	int rc;

	if ((unsigned int)limit > SWT_KHUGE_PAGES_TO_SCAN)
		return -EINVAL;
	if (!page_size)
		page_size = 4096;
	if (!values[limit].known)
		return swt_buf_addf(out, "%s -: not known", names[limit]);
	rc = swt_buf_addf(out, "%s %" PRIu64 ": ", names[limit], values[limit].v);
	if (rc)
		return rc;
	switch (limit) {
	case SWT_KHUGE_PTES_NONE:
		/* A huge page is what one page of a page table maps: page size / 8 entries. */
		return none_text(values[limit].v, page_size / 8, out);
	case SWT_KHUGE_PTES_SWAP:
		return swap_text(values[limit].v, out);
	case SWT_KHUGE_PTES_SHARED:
		return shared_text(values[limit].v, out);
	case SWT_KHUGE_PAGES_TO_SCAN:
		return scan_text(s, page_size, out);
	}
	return -EINVAL;
}
