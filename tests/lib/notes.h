/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the lines a tracker sends, so that a test can compare them.
 */
#ifndef TEST_NOTES_H
#define TEST_NOTES_H

#include "model/note.h"

#define NOTES_MAX 64

struct notes {
	unsigned int n; /* all that came; the first NOTES_MAX are kept */
	struct {
		uint64_t ts;
		enum swt_note_kind kind;
		char text[512];
	} line[NOTES_MAX];
};

/** notes_to - a receiver that appends to @n. */
struct swt_noter notes_to(struct notes *n);
/** notes_text - text of line @i, or "(none)". */
const char *notes_text(const struct notes *n, unsigned int i);
/** notes_find - index of the first line that holds @part, or -1. */
int notes_find(const struct notes *n, const char *part);

#endif
