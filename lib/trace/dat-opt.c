/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording tells about itself: options, the recorder's @info sample, the events it describes.
 */
#include "trace/dat-impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"

/* Copy printable ASCII up to the first NUL or newline; these texts reach terminals and JSON. */
static void copy_line(char *to, size_t cap, const char *s, size_t len)
{
	size_t n = 0;

	for (; len && n + 1 < cap && *s && *s != '\n'; s++, len--)
		to[n++] = *s >= 0x20 && *s < 0x7f ? *s : '?';
	to[n] = '\0';
}

/* "local global [mono] boot\n" as the kernel shows it, "[mono]", or the bare name. */
void dat_clock(struct swt_dat *d, const char *text, size_t len)
{
	const char *end = memchr(text, '\0', len), *open, *close;

	if (end)
		len = (size_t)(end - text);
	open = memchr(text, '[', len);
	if (open) {
		open++;
		close = memchr(open, ']', len - (size_t)(open - text));
		if (!close)
			return;
		text = open;
		len = (size_t)(close - open);
	} else if (memchr(text, ' ', len)) {
		return;
	}
	if (len && len < sizeof(d->src.clock))
		copy_line(d->src.clock, sizeof(d->src.clock), text, len);
}

/* The numbers after "overrun:" and "dropped events:" at line starts; "commit overrun:" is part of neither. */
static void add_cpustat(struct swt_dat *d, const char *text, size_t len)
{
	static const char *const keys[] = { "overrun: ", "dropped events: " };
	const char *p = text, *end = text + len, *nl;
	char num[24];
	uint64_t v;
	size_t i, n;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		for (i = 0; i < 2; i++) {
			n = strlen(keys[i]);
			if ((size_t)(nl - p) <= n || (size_t)(nl - p) - n >= sizeof(num) ||
			    memcmp(p, keys[i], n))
				continue;
			memcpy(num, p + n, (size_t)(nl - p) - n);
			num[(size_t)(nl - p) - n] = '\0';
			if (swt_parse_u64(num, &v) ||
			    __builtin_add_overflow(d->info.recorded_lost.v, v, &d->info.recorded_lost.v))
				continue;
			d->info.recorded_lost.known = true;
		}
	}
}

void dat_option(struct swt_dat *d, unsigned int id, const char *text, size_t len)
{
	switch (id) {
	case DAT_OPT_CLOCK:
		dat_clock(d, text, len);
		break;
	case DAT_OPT_UNAME:
		copy_line(d->info.kernel, sizeof(d->info.kernel), text, len);
		break;
	case DAT_OPT_VERSION:
		copy_line(d->info.trace_cmd, sizeof(d->info.trace_cmd), text, len);
		break;
	case DAT_OPT_CPUSTAT:
		add_cpustat(d, text, len);
		break;
	default:
		break;
	}
}

static bool key(const char *line, size_t len, const char *name, const char **val, size_t *vlen)
{
	size_t n = strlen(name);

	if (len <= n || memcmp(line, name, n) || line[n] != ' ')
		return false;
	*val = line + n + 1;
	*vlen = len - n - 1;
	return true;
}

void dat_info_sample(struct swt_dat *d, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *nl, *v;
	size_t n, vn;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		n = (size_t)(nl - p);
		if (key(p, n, "level", &v, &vn) && vn == 1 && *v >= '0' && *v <= '4')
			d->src.level = *v - '0';
		else if (key(p, n, "clock", &v, &vn))
			dat_clock(d, v, vn);
	}
}

void dat_source(struct swt_dat *d)
{
	struct swt_source_info *s = &d->src;
	int i;

	for (i = 0; i < SWT_EV_COUNT; i++) {
		s->state[i] = swt_formats_have(d->formats, i) ? SWT_EV_HAVE : SWT_EV_MISSING;
		s->error[i] = s->state[i] == SWT_EV_HAVE ? 0 : -ENOENT;
	}
	s->group_dead =
		swt_formats_field(d->formats, SWT_EV_SCHED_EXIT, SWT_F_SCHED_EXIT_GROUP_DEAD).size != 0;
	s->kind = SWT_SOURCE_STOCK;
	s->level = 1;
	if (s->state[SWT_EV_SWAP_EXIT_BEGIN] == SWT_EV_HAVE ||
	    s->state[SWT_EV_SWAP_EXIT_END] == SWT_EV_HAVE) {
		s->kind = SWT_SOURCE_PATCHED;
		s->level = 2;
	}
	if (s->state[SWT_EV_RSS_STAT] == SWT_EV_HAVE)
		s->level = 4;
}

int dat_default_header_page(struct swt_dat *d)
{
	char text[512];
	int n;

	n = snprintf(text, sizeof(text),
		     "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		     "\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"
		     "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		     "\tfield: char data;\toffset:%d;\tsize:%u;\tsigned:0;\n",
		     d->long_size, 8 + d->long_size, d->page_size - 8 - (unsigned int)d->long_size);
	return swt_formats_header_page(d->formats, text, (size_t)n, NULL);
}
