/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/filter.h"

#include <fnmatch.h>
#include <string.h>

#include "model/nspid.h"

int swt_filter_init(const struct swt_opts *o, const struct swt_root *root, uint64_t page_size,
		    struct swt_filter *ret, struct swt_err *err)
{
	struct swt_filter f = { .comm = o->comm, .cgroup = o->cgroup };
	char label[SWT_NSPID_LABEL];

	f.swap_only = o->cmd->bit == SWT_CMD_TOP && !o->json && !o->min_swap.known;
	if (o->min_swap.known)
		f.min_entries = swt_some((o->min_swap.v + page_size - 1) / page_size);
	if (o->pid.known && root) {
		int rc = swt_nspid_host(root, (pid_t)o->pid.v, &f.pid, err);

		if (rc < 0)
			return rc;
		if (f.pid != (int)o->pid.v)
			/* The rows have the host's number: say once which process that is. */
			swt_msg("only pid %s", swt_nspid_label(label, sizeof(label), (pid_t)o->pid.v, f.pid));
	} else if (o->pid.known) {
		f.pid = (int)o->pid.v;
	}
	*ret = f;
	return 0;
}

/* The group itself or one below it: "/a" has "/a" and "/a/b", not "/ab". */
static bool below(const char *group, const char *top)
{
	size_t n = strlen(top);

	while (n > 0 && top[n - 1] == '/')
		n--;
	return strncmp(group, top, n) == 0 && (group[n] == '\0' || group[n] == '/');
}

bool swt_filter_match(const struct swt_filter *f, const struct swt_release *r)
{
	struct swt_opt size = r->freed.known ? r->freed : r->swap_entries;

	if (f->pid && r->pid != f->pid)
		return false;
	if (f->comm && fnmatch(f->comm, r->comm, 0) != 0)
		return false;
	if (f->cgroup && (!r->cgroup || !below(r->cgroup, f->cgroup)))
		return false;
	/* A held address space has freed nothing yet; what it holds counts. */
	if (r->held && r->swap_entries.known)
		size = r->swap_entries;
	if (f->swap_only && (size.known ? size.v == 0 : r->kind == SWT_REL_EXEC))
		return false;
	return !f->min_entries.known || (size.known && size.v >= f->min_entries.v);
}
