/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events are there, and switching them on, see enable.h.
 *
 * Every event is optional.  One that is missing is named with what is not seen without it; only when none is
 * left that ends a release there is nothing to show.
 *
 * Our own pid is not excluded: set_event_notrace_pid puts the same probes on sched_switch as a watch list,
 * and while we run nothing of ours ends that anybody would count.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "trace/enable.h"

/*
 * Signals that end processes and are seldom sent for another reason.  ALRM, USR1 and real-time ones are everyday; TRAP comes
 * at every stop under a debugger or strace, tens of thousands of times a second.
 */
static const int fatal[] = {
	SIGHUP,	 SIGINT,  SIGQUIT, SIGILL,  SIGABRT, SIGBUS,  SIGFPE,
	SIGKILL, SIGSEGV, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS,
};

static void event_file(const struct swt_enable *e, enum swt_ev id, const char *file, char *path, size_t size)
{
	const struct swt_event_desc *d = swt_catalog(id);

	snprintf(path, size, "%s/events/%s/%s/%s", e->tracefs, d->system, d->name, file);
}

static bool event_there(const struct swt_enable *e, enum swt_ev id)
{
	char path[SWT_TRACEFS_PATH + 128];
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	event_file(e, id, "format", path, sizeof(path));
	rc = swt_root_read(e->root, path, &b);
	swt_buf_free(&b);
	return !rc;
}

int swt_enable_choose(struct swt_enable *e, int level, int want, struct swt_err *err)
{
	bool patch = event_there(e, SWT_EV_SWAP_EXIT_BEGIN) || event_there(e, SWT_EV_SWAP_EXIT_END);

	if (level == 0 || level > 4 || want == SWT_SOURCE_PROC)
		return swt_err_set(err, -EINVAL, "level %d of source '%s' takes no events", level,
				   want >= 0 ? swt_source_name((enum swt_source_kind)want) : "auto");
	if (want == SWT_SOURCE_PATCHED && !patch)
		return swt_err_set(
			err, -EOPNOTSUPP,
			"this kernel has no event swap:swap_exit_end; use the source 'stock', or a kernel with "
			"the swaptop patches");
	if (want == SWT_SOURCE_PATCHED && level == 1)
		return swt_err_set(err, -EINVAL,
				   "level 1 leaves the events of the source 'patched' off; use level 2");
	if (want == SWT_SOURCE_STOCK)
		patch = false;
	e->info->level_forced = level > 0;
	e->info->level = level > 0 ? level : patch ? 2 : 3;
	e->info->kind = patch && e->info->level >= 2 ? SWT_SOURCE_PATCHED : SWT_SOURCE_STOCK;
	return 0;
}

static bool wanted(const struct swt_enable *e, enum swt_ev id, int want_patch)
{
	const struct swt_event_desc *d = swt_catalog(id);

	if (d->source == SWT_EVS_FTRACE)
		return true;
	if (d->source == SWT_EVS_PATCH && !want_patch)
		return false;
	return d->level <= e->info->level;
}

static void set_state(struct swt_enable *e, enum swt_ev id, int rc)
{
	const struct swt_event_desc *d = swt_catalog(id);

	e->info->error[id] = rc;
	e->info->state[id] = !rc			     ? SWT_EV_HAVE
			     : rc == -EACCES || rc == -EPERM ? SWT_EV_NO_ACCESS
							     : SWT_EV_MISSING;
	if (!rc || (rc == -ENOENT && d->source == SWT_EVS_PATCH))
		return;
	if (rc == -ENOENT)
		swt_log(e->log, SWT_LOG_NOTE, "this kernel has no event %s: %s", d->full, d->lost);
	else
		swt_log(e->log, SWT_LOG_WARN, "cannot use the event %s (%s): %s", d->full, strerror(-rc),
			d->lost);
}

static int read_format(struct swt_enable *e, enum swt_ev id)
{
	char path[SWT_TRACEFS_PATH + 128];
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	event_file(e, id, "format", path, sizeof(path));
	rc = swt_root_read(e->root, path, &b);
	if (!rc)
		rc = swt_formats_add(e->formats, swt_catalog(id)->system, swt_buf_str(&b), b.len, NULL);
	swt_buf_free(&b);
	return rc;
}

static int header_page(struct swt_enable *e, struct swt_err *err)
{
	char path[SWT_TRACEFS_PATH + 32];
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	snprintf(path, sizeof(path), "%s/events/header_page", e->tracefs);
	rc = swt_root_read(e->root, path, &b);
	if (rc)
		rc = rc == -EACCES || rc == -EPERM
			     ? swt_tracefs_denied(e->root, path, rc, err)
			     : swt_err_set(err, rc, "cannot read '%s': %s", path, strerror(-rc));
	else
		rc = swt_formats_header_page(e->formats, swt_buf_str(&b), b.len, err);
	swt_buf_free(&b);
	return rc;
}

static int enough(const struct swt_enable *e, struct swt_err *err)
{
	static const enum swt_ev ends[] = { SWT_EV_SCHED_EXIT, SWT_EV_EXIT_MMAP, SWT_EV_SWAP_EXIT_END };
	int denied = 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (e->info->state[ends[i]] == SWT_EV_HAVE)
			return 0;
		if (e->info->state[ends[i]] == SWT_EV_NO_ACCESS)
			denied = e->info->error[ends[i]];
	}
	if (denied)
		return swt_tracefs_denied(e->root, e->tracefs, denied, err);
	return swt_err_set(
		err, -EOPNOTSUPP,
		"no event ends a release: sched:sched_process_exit, mmap:exit_mmap and swap:swap_exit_end are "
		"all missing in '%s/events'; this kernel lacks event tracing (CONFIG_EVENT_TRACING)",
		e->tracefs);
}

int swt_enable_formats(struct swt_enable *e, struct swt_err *err)
{
	int rc = header_page(e, err);

	if (rc)
		return rc;
	for (int id = 0; id < SWT_EV_COUNT; id++) {
		if (!wanted(e, id, e->info->kind == SWT_SOURCE_PATCHED)) {
			e->info->state[id] = SWT_EV_UNUSED;
			continue;
		}
		rc = read_format(e, id);
		if (rc == -ENOMEM)
			return rc;
		set_state(e, id, rc);
	}
	/* newtask tells more: the child, its flags, and the parent in common_pid. */
	if (e->info->state[SWT_EV_TASK_NEWTASK] == SWT_EV_HAVE)
		e->info->state[SWT_EV_SCHED_FORK] = SWT_EV_UNUSED;
	e->info->group_dead =
		e->info->state[SWT_EV_SCHED_EXIT] == SWT_EV_HAVE &&
		swt_formats_field(e->formats, SWT_EV_SCHED_EXIT, SWT_F_SCHED_EXIT_GROUP_DEAD).size;
	return enough(e, err);
}

/* The number of MM_SWAPENTS, as this kernel's print format tells. */
static int swapents(const struct swt_enable *e)
{
	for (int i = 0; i < 16; i++) {
		const char *s = swt_formats_symbol(e->formats, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MEMBER, i);

		if (s && !strcmp(s, "MM_SWAPENTS"))
			return i;
	}
	return 2;
}

/* "" when the event needs none. */
static int filter_text(const struct swt_enable *e, enum swt_ev id, struct swt_buf *out)
{
	int rc = 0;

	swt_buf_reset(out);
	if (id == SWT_EV_RSS_STAT && e->info->level >= 4)
		return 0; /* all of it, for all: that is what was asked for */
	if (id == SWT_EV_RSS_STAT)
		return swt_buf_addf(out, "member == %d || curr == 0", swapents(e));
	if (id != SWT_EV_SIGNAL_GENERATE && id != SWT_EV_SIGNAL_DELIVER)
		return 0;
	for (size_t i = 0; !rc && i < sizeof(fatal) / sizeof(fatal[0]); i++)
		rc = swt_buf_addf(out, "%ssig == %d", i ? " || " : "", fatal[i]);
	/* SIGCHLD is the moment the parent is told. */
	if (!rc && id == SWT_EV_SIGNAL_GENERATE)
		rc = swt_buf_addf(out, " || sig == %d", SIGCHLD);
	return rc;
}

static int set_filter(struct swt_enable *e, const struct swt_instance *in, enum swt_ev id)
{
	const struct swt_event_desc *d = swt_catalog(id);
	struct swt_buf text = SWT_BUF_INIT;
	char file[160];
	int rc = filter_text(e, id, &text);

	if (!rc && text.len) {
		snprintf(file, sizeof(file), "events/%s/%s/filter", d->system, d->name);
		rc = swt_instance_set(in, file, text.s);
		if (rc)
			swt_log(e->log, SWT_LOG_WARN,
				"no filter on %s (%s): more events than needed will be recorded", d->full,
				strerror(-rc));
		rc = rc == -ENOMEM ? rc : 0;
	}
	swt_buf_free(&text);
	return rc;
}

static int switch_on(struct swt_enable *e, const struct swt_instance *in, enum swt_ev id)
{
	const struct swt_event_desc *d = swt_catalog(id);
	char file[160];
	int rc = set_filter(e, in, id);

	if (rc)
		return rc;
	snprintf(file, sizeof(file), "events/%s/%s/enable", d->system, d->name);
	rc = swt_instance_set(in, file, "1");
	if (rc)
		set_state(e, id, rc);
	return 0;
}

int swt_enable_on(struct swt_enable *e, const struct swt_instance *first, const struct swt_instance *rss,
		  struct swt_err *err)
{
	struct swt_source_info *info = e->info;
	int rc = 0;

	for (int id = 0; id < SWT_EV_COUNT && !rc; id++) {
		if (info->state[id] != SWT_EV_HAVE || swt_catalog(id)->source == SWT_EVS_FTRACE)
			continue;
		if (id == SWT_EV_RSS_STAT && info->level == 3)
			rc = rss ? set_filter(e, rss, id) : 0;
		else
			rc = switch_on(e, first, id);
	}
	if (!rc && info->state[SWT_EV_TASK_NEWTASK] != SWT_EV_HAVE &&
	    info->state[SWT_EV_SCHED_FORK] == SWT_EV_UNUSED) {
		set_state(e, SWT_EV_SCHED_FORK, read_format(e, SWT_EV_SCHED_FORK));
		if (info->state[SWT_EV_SCHED_FORK] == SWT_EV_HAVE)
			rc = switch_on(e, first, SWT_EV_SCHED_FORK);
	}
	return rc ? rc : enough(e, err);
}
