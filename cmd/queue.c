/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next;
	uint64_t ts;
	size_t len, path_len;
	char data[]; /* path, NUL, text */
};

struct swt_file_queue {
	struct item *head, **tail;
};

int swt_file_queue_new(struct swt_file_queue **ret)
{
	struct swt_file_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return -ENOMEM;
	q->tail = &q->head;
	*ret = q;
	return 0;
}

static void drop_head(struct swt_file_queue *q)
{
	struct item *it = q->head;

	q->head = it->next;
	if (!q->head)
		q->tail = &q->head;
	free(it);
}

void swt_file_queue_free(struct swt_file_queue *q)
{
	if (!q)
		return;
	while (q->head)
		drop_head(q);
	free(q);
}

int swt_file_queue_add(struct swt_file_queue *q, uint64_t ts, const char *path, const char *text, size_t len)
{
	size_t path_len = strlen(path);
	struct item *it = malloc(sizeof(*it) + path_len + 1 + len);

	if (!it)
		return -ENOMEM;
	it->next = NULL;
	it->ts = ts;
	it->len = len;
	it->path_len = path_len;
	memcpy(it->data, path, path_len + 1);
	memcpy(it->data + path_len + 1, text, len);
	*q->tail = it;
	q->tail = &it->next;
	return 0;
}

int swt_file_queue_run(struct swt_file_queue *q, uint64_t until, const struct swt_sink *sink)
{
	while (q->head && q->head->ts <= until) {
		struct item *it = q->head;
		int rc = sink->file(sink->arg, it->ts, it->data, it->data + it->path_len + 1, it->len);

		drop_head(q);
		if (rc)
			return rc;
	}
	return 0;
}
