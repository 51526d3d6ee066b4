/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live tracefs, see live.h: opening and closing.  live-drain.c reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "trace/enable.h"
#include "trace/live-priv.h"
#include "trace/marker.h"
#include "trace/tracefs.h"

#define RINGS_BYTES (16ull << 20)
#define NAMES_MAX   64

/* "0-3,5": how many; 0 when it makes no sense. */
static unsigned int count_cpus(const char *list)
{
	unsigned long n = 0;

	for (const char *p = list; *p && *p != '\n';) {
		char *end;
		unsigned long a = strtoul(p, &end, 10), b = a;

		if (end == p)
			return 0;
		if (*end == '-') {
			p = end + 1;
			b = strtoul(p, &end, 10);
			if (end == p)
				return 0;
		}
		if (b < a || b - a > 65536)
			return 0;
		n += b - a + 1;
		p = end + (*end == ',');
		if (n > 65536 || (*end && *end != ',' && *end != '\n'))
			return 0;
	}
	return (unsigned int)n;
}

/* Rings are made for CPUs that are plugged in; there may be many more directories. */
static unsigned int online_cpus(const struct swt_root *root, unsigned int dirs)
{
	struct swt_buf b = SWT_BUF_INIT;
	unsigned int n = 0;

	if (!swt_root_read(root, "/sys/devices/system/cpu/online", &b))
		n = count_cpus(swt_buf_str(&b));
	swt_buf_free(&b);
	return n && n <= dirs ? n : dirs;
}

uint64_t swt_live_ring_kb(uint64_t want_bytes, unsigned int cpus, unsigned int instances, unsigned int which)
{
	uint64_t per_cpu, least = cpus <= 16 ? 1u << 20 : 256u << 10;

	if (!cpus)
		cpus = 1;
	per_cpu = (want_bytes ? want_bytes : RINGS_BYTES) / cpus;
	if (!want_bytes && per_cpu < least)
		per_cpu = least;
	/* rss_stat makes far more events than all others together. */
	if (instances == 2)
		per_cpu = which ? per_cpu - per_cpu / 4 : per_cpu / 4;
	return per_cpu / 1024 ? per_cpu / 1024 : 1;
}

/* The first free name; this process may have other sources. */
static int make_first(struct swt_live *l, const char *base, struct swt_err *err)
{
	char name[64];

	for (int i = 1; i <= NAMES_MAX; i++) {
		int rc;

		if (i == 1)
			snprintf(name, sizeof(name), "%s", base);
		else
			snprintf(name, sizeof(name), "%s.%d", base, i);
		rc = swt_instance_make(&l->in[0], l->root, l->tracefs, name, err);
		if (rc != -EEXIST)
			return rc;
	}
	return swt_err_set(err, -EEXIST, "too many trace instances named '%s'", base);
}

static int make_instances(struct swt_live *l, struct swt_err *err)
{
	struct swt_buf base = SWT_BUF_INIT;
	char name[80];
	int rc;

	rc = swt_tracefs_instance_name(l->root, &base);
	if (rc)
		swt_err_set(err, rc, "cannot read '/proc/self/stat': %s", strerror(-rc));
	else
		rc = make_first(l, base.s, err);
	swt_buf_free(&base);
	if (rc || l->info.level != 3 || l->info.state[SWT_EV_RSS_STAT] != SWT_EV_HAVE)
		return rc;
	snprintf(name, sizeof(name), "%.64s.rss", l->in[0].name);
	rc = swt_instance_make(&l->in[1], l->root, l->tracefs, name, err);
	if (rc == -EEXIST)
		swt_err_set(err, rc, "trace instance '%s' is there already", name);
	l->ninst = rc ? 1 : 2;
	return rc;
}

/* Clock, size and pipes of one instance, in this order: setting the clock empties the rings. */
static int set_up(struct swt_live *l, unsigned int i, const struct swt_live_cfg *cfg, struct swt_err *err)
{
	const struct swt_page_layout *layout = swt_formats_page(l->formats);
	unsigned int dirs, top, cpus;
	char clock[sizeof(l->info.clock)];
	uint64_t bytes;
	int rc;

	rc = swt_instance_clock(&l->in[i], clock, sizeof(clock), err);
	if (rc)
		return rc;
	rc = swt_rings_cpus(&l->in[i], &dirs, &top);
	if (rc)
		return swt_err_set(err, rc, "no CPU in '%s/per_cpu'", l->in[i].dir);
	if (!i) {
		memcpy(l->info.clock, clock, sizeof(clock));
		l->info.ncpus = top;
	} else if (strcmp(clock, l->info.clock)) {
		return swt_err_set(err, -EIO, "'%s' has the clock '%s', not '%s'", l->in[i].dir, clock,
				   l->info.clock);
	}
	/*
	 * Every event with this option puts probes on sched_switch and sched_wakeup, to save names of tasks.  Ours come from
	 * the events; only a recording shows the saved ones.
	 */
	if (!cfg->recording)
		swt_instance_set(&l->in[i], "options/record-cmd", "0");
	cpus = online_cpus(l->root, dirs);
	bytes = swt_instance_size(&l->in[i], swt_live_ring_kb(cfg->rings_bytes, cpus, l->ninst, i), cpus,
				  l->log);
	l->info.rings_bytes += bytes;
	/* A ring has no more than all of them together: some may be larger than others. */
	return swt_rings_open(&l->rings[i], &l->in[i], i, layout->data_offset + layout->data_size, bytes,
			      err);
}

static int make_watch(struct swt_live *l, enum swt_watch_how how, struct swt_err *err)
{
	if (l->ninst < 2)
		return 0;
	if (how != SWT_WATCH_LIST) {
		bool can = l->info.group_dead && swt_arm_possible(&l->in[1]);

		if (!can && how == SWT_WATCH_ARM)
			return swt_err_set(err, -EOPNOTSUPP, "this kernel cannot wake rss_stat by a trigger");
		how = can ? SWT_WATCH_ARM : SWT_WATCH_LIST;
	}
	return swt_watch_new(&l->in[1], how, l->log, &l->watch);
}

static int open_all(struct swt_live *l, const struct swt_live_cfg *cfg, struct swt_err *err)
{
	const int one = 1;
	struct swt_enable e = {
		.root = l->root,
		.log = l->log,
		.tracefs = l->tracefs,
		.info = &l->info,
	};
	int rc;

	rc = swt_formats_new(!*(const char *)&one, sizeof(long), &l->formats);
	if (rc)
		return rc;
	e.formats = l->formats;
	rc = swt_enable_choose(&e, cfg->level, cfg->want, err);
	if (!rc)
		rc = swt_enable_formats(&e, err);
	if (!rc)
		rc = make_instances(l, err);
	for (unsigned int i = 0; !rc && i < l->ninst; i++)
		rc = set_up(l, i, cfg, err);
	if (!rc)
		rc = make_watch(l, cfg->recording && !cfg->watch ? SWT_WATCH_LIST : cfg->watch, err);
	if (!rc)
		rc = swt_enable_on(&e, &l->in[0], l->ninst > 1 ? &l->in[1] : NULL, err);
	/* The reader after the last format was read. */
	if (!rc)
		rc = swt_reader_new(l->formats, &l->reader);
	for (unsigned int i = 0; !rc && i < l->ninst; i++)
		rc = swt_rings_streams(&l->rings[i], l->reader);
	return rc;
}

int swt_live_open(const struct swt_live_cfg *cfg, struct swt_live **ret, struct swt_err *err)
{
	struct swt_live *l = calloc(1, sizeof(*l));
	int rc = -ENOMEM;

	if (!l)
		return swt_err_set(err, rc, "out of memory");
	l->root = cfg->root;
	l->clock = cfg->clock;
	l->log = cfg->log;
	l->ninst = 1;
	l->mark_fd = -1;
	l->tracefs = strdup(cfg->tracefs);
	if (!l->tracefs)
		goto fail;
	swt_tracefs_sweep(l->root, l->tracefs, l->log);
	rc = open_all(l, cfg, err);
	if (rc)
		goto fail;
	*ret = l;
	return 0;
fail:
	swt_err_set(err, rc, "cannot start tracing in '%s': %s", cfg->tracefs, strerror(-rc));
	swt_live_close(l);
	return rc;
}

void swt_live_close(struct swt_live *l)
{
	if (!l)
		return;
	if (l->mark_fd >= 0)
		close(l->mark_fd);
	/* Pipes first: an instance with an open file cannot be removed. */
	for (unsigned int i = 0; i < 2; i++)
		swt_rings_close(&l->rings[i]);
	for (unsigned int i = 0; i < 2; i++) {
		struct swt_buf who = SWT_BUF_INIT;
		int rc = swt_instance_remove(&l->in[i]);

		if (rc == -EBUSY && !swt_tracefs_holder(l->root, l->in[i].dir, &who))
			swt_log(l->log, SWT_LOG_WARN,
				"trace instance '%s' stays behind, switched off: %s has it open",
				l->in[i].name, who.s);
		else if (rc)
			swt_log(l->log, SWT_LOG_WARN, "cannot remove the trace instance '%s': %s",
				l->in[i].name, strerror(-rc));
		swt_buf_free(&who);
	}
	swt_watch_free(l->watch);
	swt_reader_free(l->reader);
	swt_formats_free(l->formats);
	free(l->tracefs);
	free(l);
}

const struct swt_source_info *swt_live_info(const struct swt_live *l)
{
	return &l->info;
}

const struct swt_formats *swt_live_formats(const struct swt_live *l)
{
	return l->formats;
}

size_t swt_live_fds(const struct swt_live *l, int *fds, size_t max)
{
	size_t n = 0;

	for (unsigned int b = 0; b < l->ninst; b++) {
		for (unsigned int i = 0; i < l->rings[b].n; i++) {
			if (!l->rings[b].ring[i].pollable)
				continue;
			if (n < max)
				fds[n] = l->rings[b].ring[i].fd;
			n++;
		}
	}
	return n;
}
