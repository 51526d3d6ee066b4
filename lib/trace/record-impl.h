/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by record.c and record-head.c; nobody else includes it.
 */
#ifndef SWT_TRACE_RECORD_IMPL_H
#define SWT_TRACE_RECORD_IMPL_H

#include "base/buf.h"
#include "trace/record.h"

struct record_ring {
	int fd; /* -1: no page yet, or already copied */
	uint64_t pages;
};

struct swt_record {
	char *path;   /* as given, for messages */
	char *target; /* symbolic links followed */
	char *dir;    /* of the temporary files */
	bool direct;  /* not a regular file: written to, not replaced */
	const struct swt_root *root;
	char *tracefs;
	struct swt_source_info info;
	unsigned int buffers, ncpus, page_size;
	struct record_ring *rings; /* buffers * ncpus */
	struct swt_buf head;	   /* of the file, up to and including the printk formats */
	struct swt_buf stats;	   /* cpustat options */
	int rc;			   /* first failure */
	bool finished;
};

/** record_head - fill r->head from tracefs. */
int record_head(struct swt_record *r, struct swt_err *err);
/** record_tail - the rest of the header into @b (which holds r->head), with tables, padded to a page. */
int record_tail(const struct swt_record *r, struct swt_buf *b);
/** record_option - append an option. */
int record_option(struct swt_buf *b, uint16_t id, const void *data, size_t len);

#endif
