/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What died together.
 *
 * A mass kill is one line: processes that one sender killed, or that left one control group, within a short
 * time.
 */
#ifndef SWT_MODEL_GROUPS_H
#define SWT_MODEL_GROUPS_H

#include <stdint.h>

#include "base/opt.h"
#include "model/note.h"
#include "model/release.h"

struct swt_groups;

struct swt_groups_cfg {
	struct swt_noter note;
	uint64_t page_size; /* 0: 4096 */
	uint64_t quiet_ns;  /* a group ends when nothing died for so long; 0: 1 s */
	unsigned int least; /* fewest processes worth a line; 0: 3 */
};

int swt_groups_new(const struct swt_groups_cfg *cfg, struct swt_groups **ret);
void swt_groups_free(struct swt_groups *g);

/** swt_groups_release - every release with every step, as given to the release callback; 0 or -ENOMEM. */
int swt_groups_release(struct swt_groups *g, const struct swt_release *r, enum swt_step step);
/** swt_groups_tick - end groups that went quiet (and, with entries pending, at the latest after 30 s). */
void swt_groups_tick(struct swt_groups *g, uint64_t now);
/** swt_groups_end - the stream ends: end them all. */
void swt_groups_end(struct swt_groups *g, uint64_t now);

#endif
