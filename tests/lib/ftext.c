/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events from readable lines: see ftext.h.
 */
#include "ftext.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/catalog.h"

#define MAX_CPUS 1024
#define MAX_COMM 15 /* longest name the kernel prints in a header */

/* What the print formats call a field, where that is not its name; "" is a key that is only recognised. */
static const struct alias {
	int id; /* -1: every event */
	const char *key, *field;
} aliases[] = {
	{ SWT_EV_SCHED_FORK, "comm", "parent_comm" },
	{ SWT_EV_SCHED_FORK, "pid", "parent_pid" },
	{ SWT_EV_SIGNAL_GENERATE, "grp", "group" },
	{ SWT_EV_SIGNAL_GENERATE, "res", "result" },
	{ SWT_EV_OOM_MARK_VICTIM, "total-vm", "total_vm" },
	{ SWT_EV_OOM_MARK_VICTIM, "anon-rss", "anon_rss" },
	{ SWT_EV_RSS_STAT, "type", "member" },
	{ -1, "prio", "" },
	{ -1, "errno", "" },
	{ -1, "sa_flags", "" },
	{ -1, "oom_score_adj", "" },
	{ -1, "uid", "" },
	{ -1, "scan_pfn", "" },
	{ -1, "referenced", "" },
	{ -1, "none_or_zero", "" },
};

/* Words that stand for numbers; the order is that of the kernel's enums. */
static const struct word {
	const char *field, *word;
	int64_t value;
} words[] = {
	{ "member", "MM_FILEPAGES", 0 },
	{ "member", "MM_ANONPAGES", 1 },
	{ "member", "MM_SWAPENTS", 2 },
	{ "member", "MM_SHMEMPAGES", 3 },
	{ "status", "failed", 0 },
	{ "status", "succeeded", 1 },
	{ "result", "failed", 0 },
	{ "result", "succeeded", 1 },
	{ "mode", "sync", 0 },
	{ "mode", "late", 1 },
	{ "mode", "async", 2 },
	{ "ctx", "exit", 0 },
	{ "ctx", "exec", 1 },
	{ "ctx", "lastref", 2 },
	{ "ctx", "oom_reaper", 3 },
	{ "ctx", "mrelease", 4 },
	{ "by", "worker", 0 },
	{ "by", "drain", 1 },
	{ "stage", "entry", 0 },
	{ "stage", "vma", 1 },
	{ "stage", "pmd", 2 },
	{ "stage", "file", 3 },
};

/* Words of "reason", which means something else in each event. */
static const char *const reasons[][9] = {
	{ "nomem", "budget", "age", "lowswap", "memcg", "swapoff", "cached" },
	{ "swapoff", "oom", "memcg_oom", "shrinker", "age", "sysfs", "alloc", "offline" },
	{ "disabled", "exiting", "lock" },
};

static int find_event(const char *name, size_t len)
{
	for (int i = 0; i < SWT_EV_COUNT; i++)
		if (strlen(swt_catalog(i)->name) == len && !memcmp(swt_catalog(i)->name, name, len))
			return i;
	return -1;
}

/* Position of the field a key stands for; -1: known but not kept, -2: not a key of this event. */
static int find_key(int id, const char *key, size_t len)
{
	const struct swt_event_desc *d = swt_catalog(id);
	const char *field = NULL;

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]) && !field; i++)
		if ((aliases[i].id < 0 || aliases[i].id == id) && strlen(aliases[i].key) == len &&
		    !memcmp(aliases[i].key, key, len))
			field = aliases[i].field;
	for (unsigned int i = 0; i < d->nfields; i++)
		if (field ? !strcmp(d->fields[i].name, field)
			  : strlen(d->fields[i].name) == len && !memcmp(d->fields[i].name, key, len))
			return (int)i;
	return field ? -1 : -2;
}

/* The next "key=" at or after @s that this event knows, at the start of the text or behind a blank. */
static const char *next_key(int id, const char *start, const char *s, size_t *keylen, int *field)
{
	for (; *s; s++) {
		size_t n = 0;

		if (s != start && s[-1] != ' ')
			continue;
		while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-')
			n++;
		if (!n || s[n] != '=')
			continue;
		*field = find_key(id, s, n);
		if (*field == -2)
			continue;
		*keylen = n;
		return s;
	}
	return NULL;
}

static int parse_word(int id, const char *field, const char *s, size_t len, int64_t *ret)
{
	int set = id == SWT_EV_SWAP_EXIT_FALLBACK ? 0 : id == SWT_EV_SWAP_EXIT_DRAIN ? 1 : 2;

	if (len == 4 && !memcmp(s, "true", 4))
		return *ret = 1, 0;
	if (len == 5 && !memcmp(s, "false", 5))
		return *ret = 0, 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].field, field) && strlen(words[i].word) == len &&
		    !memcmp(words[i].word, s, len))
			return *ret = words[i].value, 0;
	for (int i = 0; !strcmp(field, "reason") && reasons[set][i]; i++)
		if (strlen(reasons[set][i]) == len && !memcmp(reasons[set][i], s, len))
			return *ret = i, 0;
	return -EBADMSG;
}

static int parse_int(int id, const char *field, const char *s, const char *end, int64_t *ret)
{
	static const char *const hex[] = { "mm", "sa_handler", "clone_flags" };
	const char *stop = s;
	char *rest;
	int base = 0;

	while (stop < end && *stop != ' ' && *stop != ',')
		stop++;
	for (size_t i = 0; i < sizeof(hex) / sizeof(hex[0]); i++)
		if (!strcmp(field, hex[i]))
			base = 16;
	/* Decimal numbers may have leading zeros, so base 0 is only for 0x. */
	if (!base && strncmp(s, "0x", 2))
		base = 10;
	if (stop == s)
		return -EBADMSG;
	errno = 0;
	*ret = *s == '-' ? strtoll(s, &rest, base) : (int64_t)strtoull(s, &rest, base);
	if (errno || rest == s || rest > stop)
		return parse_word(id, field, s, (size_t)(stop - s), ret);
	if (rest < stop && *rest == 'k')
		rest++;
	if (rest < stop && *rest == 'B')
		rest++;
	return rest == stop ? 0 : parse_word(id, field, s, (size_t)(stop - s), ret);
}

static int parse_payload(struct ftext *t, int id)
{
	const struct swt_event_desc *d = swt_catalog(id);
	const char *key, *next, *value, *end;
	size_t len = 0, nextlen = 0;
	int field = 0, nextfield = 0, rc;

	for (key = next_key(id, t->text, t->text, &len, &field); key;
	     key = next, len = nextlen, field = nextfield) {
		unsigned int nstr = 0;

		value = key + len + 1;
		/* The next key needs a blank of its own before it, so that "comm= pid=1" is an empty name. */
		next = *value ? next_key(id, t->text, value, &nextlen, &nextfield) : NULL;
		end = next ? next - 1 : value + strlen(value);
		if (end < value)
			end = value;
		if (field < 0)
			continue;
		for (int i = 0; i < field; i++)
			nstr += d->fields[i].kind == SWT_FIELD_STR;
		if (d->fields[field].kind == SWT_FIELD_STR) {
			if (nstr >= SWT_EV_MAX_STR)
				return -EBADMSG;
			t->ev.str[nstr] = (struct swt_str){ value, (uint32_t)(end - value) };
		} else {
			rc = parse_int(id, d->fields[field].name, value, end, &t->ev.f[field]);
			if (rc)
				return rc;
		}
		t->ev.have |= 1u << field;
	}
	return 0;
}

static const char *skip_digits(const char *s, uint64_t *ret)
{
	const char *start = s;

	for (*ret = 0; isdigit((unsigned char)*s) && s - start < 18; s++)
		*ret = *ret * 10 + (uint64_t)(*s - '0');
	return s == start || isdigit((unsigned char)*s) ? NULL : s;
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* seconds.fraction, the fraction with up to nine digits */
static const char *parse_time(const char *s, uint64_t *ns)
{
	uint64_t sec, frac;
	const char *p;

	s = skip_digits(s, &sec);
	if (!s || *s++ != '.' || sec > UINT64_MAX / 1000000000u - 1)
		return NULL;
	p = skip_digits(s, &frac);
	if (!p || p - s > 9)
		return NULL;
	for (long n = p - s; n < 9; n++)
		frac *= 10;
	*ns = sec * 1000000000u + frac;
	return p;
}

/* Try "-pid [cpu] flags time: event:" with the dash at @s; the payload, or NULL. */
static const char *parse_group(const char *s, struct ftext *t, int *id)
{
	uint64_t pid, cpu, ts;
	const char *p, *ev;

	s = skip_digits(s + 1, &pid);
	if (!s || pid > INT32_MAX)
		return NULL;
	s = skip_blanks(s);
	if (*s == '(') { /* tgid column */
		s = strchr(s, ')');
		if (!s)
			return NULL;
		s = skip_blanks(s + 1);
	}
	if (*s != '[')
		return NULL;
	s = skip_digits(s + 1, &cpu);
	if (!s || *s != ']' || cpu >= MAX_CPUS)
		return NULL;
	s = skip_blanks(s + 1);
	p = parse_time(s, &ts);
	if (!p) { /* flags */
		while (*s && *s != ' ')
			s++;
		p = parse_time(skip_blanks(s), &ts);
	}
	if (!p || *p != ':')
		return NULL;
	ev = skip_blanks(p + 1);
	for (p = ev; isalnum((unsigned char)*p) || *p == '_'; p++)
		;
	if (p == ev || *p != ':')
		return NULL;
	*id = find_event(ev, (size_t)(p - ev));
	t->ev.task = (int32_t)pid;
	t->ev.cpu = (uint16_t)cpu;
	t->ev.ts = ts;
	return skip_blanks(p + 1);
}

/*
 * Names may look like a header of their own.  The kernel's are at most 15 bytes, so of several groups the last
 * one with such a name before it is the header; anything later is payload.
 */
static int parse_event(const char *line, struct ftext *t)
{
	const char *name = skip_blanks(line), *dash, *payload, *best = NULL;
	size_t len;
	int id;

	for (dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-')) {
		struct ftext try;

		if (best && dash - name > MAX_COMM)
			break;
		payload = parse_group(dash, &try, &id);
		if (payload)
			best = dash;
	}
	if (!best || (size_t)(best - name) >= sizeof(t->name))
		return -EBADMSG;
	memcpy(t->name, name, (size_t)(best - name));
	payload = parse_group(best, t, &id);
	len = strlen(payload);
	if (id < 0 || len >= sizeof(t->text))
		return -EBADMSG;
	memcpy(t->text, payload, len);
	t->ev.id = (uint16_t)id;
	return parse_payload(t, id);
}

static int parse_lost(const char *line, struct ftext *t)
{
	uint64_t cpu, n;
	const char *s = skip_digits(line + 4, &cpu);

	if (!s || cpu >= MAX_CPUS)
		return -EBADMSG;
	s = skip_blanks(s);
	t->is_lost = true;
	t->lost.cpu = (uint16_t)cpu;
	if (!strncmp(s, "[LOST EVENTS]", 13)) /* the kernel did not say how many */
		return 0;
	if (strncmp(s, "[LOST ", 6))
		return -EBADMSG;
	s = skip_digits(s + 6, &n);
	if (!s || strncmp(s, " EVENTS]", 8))
		return -EBADMSG;
	t->lost.count = n;
	t->lost.known = true;
	return 0;
}

int ftext_parse(const char *line, struct ftext *ret)
{
	const char *s = skip_blanks(line);

	memset(ret, 0, sizeof(*ret));
	if (!*s || *s == '#')
		return 1;
	if (!strncmp(s, "CPU:", 4) && isdigit((unsigned char)s[4]) && strstr(s, "[LOST"))
		return parse_lost(s, ret);
	return parse_event(line, ret);
}

struct feed_cpu {
	uint64_t last;
	struct swt_lost gap;
	bool pending;
};

static void feed_gap(struct feed_cpu *c, const struct swt_lost *gap)
{
	if (!c->pending) {
		c->gap = *gap;
		c->gap.since = c->last;
		c->pending = true;
		return;
	}
	c->gap.known = c->gap.known && gap->known;
	c->gap.count = c->gap.known ? c->gap.count + gap->count : 0;
}

static int feed_line(const char *line, struct feed_cpu *cpus, const struct swt_sink *sink)
{
	struct ftext t;
	struct feed_cpu *c;
	int rc = ftext_parse(line, &t);

	if (rc)
		return rc < 0 ? rc : 0;
	if (t.is_lost) {
		feed_gap(&cpus[t.lost.cpu], &t.lost);
		return 0;
	}
	c = &cpus[t.ev.cpu];
	if (c->pending) {
		c->pending = false;
		c->gap.ts = t.ev.ts;
		rc = sink->lost ? sink->lost(sink->arg, &c->gap) : 0;
		if (rc)
			return rc;
	}
	c->last = t.ev.ts;
	return sink->event ? sink->event(sink->arg, &t.ev) : 0;
}

int ftext_feed(const char *lines, const struct swt_sink *sink)
{
	struct feed_cpu *cpus = calloc(MAX_CPUS, sizeof(*cpus));
	char *copy = strdup(lines), *line, *next;
	int rc = cpus && copy ? 0 : -ENOMEM;

	for (line = copy; !rc && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		rc = feed_line(line, cpus, sink);
	}
	for (int i = 0; !rc && i < MAX_CPUS; i++)
		if (cpus[i].pending && sink->lost)
			rc = sink->lost(sink->arg, &cpus[i].gap);
	free(copy);
	free(cpus);
	return rc;
}
