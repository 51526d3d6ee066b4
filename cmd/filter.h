/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which releases the user asked for: --pid, --comm, --cgroup, --min-swap.
 */
#ifndef SWT_CMD_FILTER_H
#define SWT_CMD_FILTER_H

#include <stdbool.h>

#include "base/root.h"
#include "cmd/cmd.h"
#include "model/release.h"

struct swt_filter {
	int pid; /* as events number it, 0: any */
	const char *comm, *cgroup;
	struct swt_opt min_entries;
	bool swap_only; /* the plain view: leave out what is known to have had no swap */
};

/**
 * swt_filter_init - from the options
 * @root: where to look up a pid given in another namespace's numbers; NULL (recordings): taken as it is
 *
 * Returns 0 or -errno with a message.
 */
int swt_filter_init(const struct swt_opts *o, const struct swt_root *root, uint64_t page_size,
		    struct swt_filter *ret, struct swt_err *err);

bool swt_filter_match(const struct swt_filter *f, const struct swt_release *r);

#endif
