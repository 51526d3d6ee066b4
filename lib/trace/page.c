/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of a ring page, and the check of everything in it.
 */
#include "trace/page.h"

#include "trace/walk.h"

static uint64_t load(const uint8_t *p, unsigned int size, bool swap)
{
	uint64_t v8;
	uint32_t v4;

	if (size == 8) {
		memcpy(&v8, p, 8);
		return swap ? __builtin_bswap64(v8) : v8;
	}
	memcpy(&v4, p, 4);
	return swap ? __builtin_bswap32(v4) : v4;
}

int swt_walk_start(struct swt_walk *w, const void *page, size_t len, const struct swt_page_layout *layout,
		   struct swt_page_head *head)
{
	const bool host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t *p = page, *count;
	uint32_t commit, size;
	uint64_t n;

	if (len < layout->data_offset)
		return -EBADMSG;
	w->big = layout->big_endian;
	w->swap = w->big != host_big;
	w->ts = load(p, 8, w->swap);
	/* The flags are added as a signed int, so all upper bits of a 64-bit commit may be set: only 32 count. */
	commit = (uint32_t)load(p + layout->commit_offset, layout->commit_size, w->swap);
	size = commit & ~(SWT_COMMIT_MISSED | SWT_COMMIT_STORED);
	if (size > len - layout->data_offset)
		return -EBADMSG;
	w->p = p + layout->data_offset;
	w->end = w->p + size;
	w->rec = NULL;
	w->len = 0;
	if (!head)
		return 0;
	*head = (struct swt_page_head){ .missed = commit & SWT_COMMIT_MISSED };
	/* The kernel's "long" is as wide as its commit field, whatever the program that recorded it used. */
	count = w->end;
	if (!head->missed || !(commit & SWT_COMMIT_STORED) ||
	    len - layout->data_offset - size < layout->commit_size)
		return 0;
	n = load(count, layout->commit_size, w->swap);
	/* None and "-1" are not numbers of missing events. */
	if (!n || n == (layout->commit_size == 8 ? UINT64_MAX : UINT32_MAX))
		return 0;
	head->stored = true;
	head->count = n;
	return 0;
}

int swt_page_check(const void *page, size_t len, const struct swt_page_layout *layout)
{
	struct swt_walk w;
	int rc = swt_walk_start(&w, page, len, layout, NULL);

	if (rc)
		return rc;
	do {
		rc = swt_walk_next(&w, true);
	} while (rc > 0);
	return rc;
}
