/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the lines a tracker sends, see notes.h.
 */
#include <stdio.h>
#include <string.h>

#include "notes.h"

static void keep(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text)
{
	struct notes *n = arg;

	if (n->n < NOTES_MAX) {
		n->line[n->n].ts = ts;
		n->line[n->n].kind = kind;
		snprintf(n->line[n->n].text, sizeof(n->line[0].text), "%s", text);
	}
	n->n++;
}

struct swt_noter notes_to(struct notes *n)
{
	return (struct swt_noter){ keep, n };
}

const char *notes_text(const struct notes *n, unsigned int i)
{
	return i < n->n && i < NOTES_MAX ? n->line[i].text : "(none)";
}

int notes_find(const struct notes *n, const char *part)
{
	for (unsigned int i = 0; i < n->n && i < NOTES_MAX; i++)
		if (strstr(n->line[i].text, part))
			return (int)i;
	return -1;
}
