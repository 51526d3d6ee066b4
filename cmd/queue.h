/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples that wait for the events before them.
 *
 * A sample is read at one moment; the events of that moment come out of the rings a drain later.  The queue keeps
 * samples until then, so that the model sees both in the order in which they happened.
 */
#ifndef SWT_CMD_QUEUE_H
#define SWT_CMD_QUEUE_H

#include "trace/event.h"

struct swt_file_queue;

int swt_file_queue_new(struct swt_file_queue **ret);
void swt_file_queue_free(struct swt_file_queue *q);
/** swt_file_queue_add - copy a sample to the end; 0 or -ENOMEM. */
int swt_file_queue_add(struct swt_file_queue *q, uint64_t ts, const char *path, const char *text, size_t len);
/** swt_file_queue_run - deliver, oldest first, all up to and including @until; stops at a non-zero return. */
int swt_file_queue_run(struct swt_file_queue *q, uint64_t until, const struct swt_sink *sink);

#endif
