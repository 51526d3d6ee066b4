/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NDJSON stream: the line writer, header and end.
 */
#include "out/json.h"

#include <errno.h>
#include <string.h>

#include "base/fmt.h"
#include "out/emit.h"
#include "out/jval.h"

void swt_json_init(struct swt_json *j, int fd, const struct swt_wall *wall)
{
	memset(j, 0, sizeof(*j));
	j->fd = fd;
	j->wall = wall;
}

void swt_json_fini(struct swt_json *j)
{
	swt_buf_free(&j->line);
	swt_buf_free(&j->tmp);
}

int swt_json_begin(struct swt_json *j, const char *type, uint64_t mono_ns, struct jv *ret)
{
	struct swt_opt real = swt_out_time(j->wall, mono_ns);
	char buf[SWT_FMT_LEN];

	if (j->rc)
		return j->rc;
	*ret = (struct jv){ json_object_new_object(), &j->rc, &j->tmp };
	jv_str(ret, "type", type);
	jv_num(ret, "seq", j->seq);
	jv_str(ret, "time", real.known ? swt_fmt_time(buf, sizeof(buf), real.v) : NULL);
	jv_opt_str(ret, "mono_ns", swt_some(mono_ns));
	return 0;
}

/*
 * DEL and the C1 controls are legal in JSON as they are, but a terminal obeys them: escaped, as json-c does with
 * C0.  Outside strings there are none.
 */
static int add_escaped(struct swt_buf *b, const char *s, size_t len)
{
	size_t done = 0, i, n;
	int rc = 0;

	for (i = 0; i < len && !rc; i += n) {
		unsigned char c = (unsigned char)s[i];
		unsigned char next = i + 1 < len ? (unsigned char)s[i + 1] : 0;

		n = c == 0xc2 && next >= 0x80 && next <= 0x9f ? 2 : 1;
		if (n == 1 && c != 0x7f)
			continue;
		rc = swt_buf_add(b, s + done, i - done);
		if (!rc)
			rc = swt_buf_addf(b, "\\u%04x", n == 2 ? next : c);
		done = i + n;
	}
	return rc ? rc : swt_buf_add(b, s + done, len - done);
}

int swt_json_put(struct swt_json *j, struct jv *o)
{
	const char *s;
	size_t len;
	int rc = j->rc;

	if (!rc) {
		s = json_object_to_json_string_length(
			o->o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
		swt_buf_reset(&j->line);
		rc = s ? add_escaped(&j->line, s, len) : -ENOMEM;
		if (!rc)
			rc = swt_buf_addc(&j->line, '\n');
		if (!rc)
			rc = swt_out_write(j->fd, j->line.s, j->line.len);
	}
	json_object_put(o->o);
	o->o = NULL;
	j->rc = rc;
	if (!rc)
		j->seq++;
	return rc;
}

static void put_events(struct jv *o, const struct swt_source_info *info)
{
	struct jv ev = jv_object(o, "events");
	unsigned int i;

	for (i = 0; i < SWT_EV_COUNT; i++) {
		const struct swt_event_desc *d = swt_catalog((enum swt_ev)i);

		if (info->state[i] != SWT_EV_UNUSED && d->source != SWT_EVS_FTRACE)
			jv_str(&ev, d->full, swt_ev_state_name(info->state[i]));
	}
}

struct missing {
	struct jv *o;
	struct json_object *array;
};

static void add_missing(void *arg, const char *name)
{
	struct missing *m = arg;

	jv_item_bytes(m->o, m->array, name, strlen(name));
}

static void put_missing(struct jv *o, const struct swt_sys *sys)
{
	struct missing m = { o, NULL };

	if (!sys) {
		jv_null(o, "missing");
		return;
	}
	m.array = jv_array(o, "missing");
	swt_sys_missing(sys, add_missing, &m);
}

int swt_json_header(struct swt_json *j, uint64_t mono_ns, const struct swt_json_header *h)
{
	const struct swt_source_info *info = h->info;
	bool rings_known = info->rings_bytes || info->kind == SWT_SOURCE_PROC;
	struct jv o;
	int rc = swt_json_begin(j, "header", mono_ns, &o);

	if (rc)
		return rc;
	jv_str(&o, "schema", SWT_SCHEMA);
	jv_str(&o, "version", SWT_VERSION);
	jv_str(&o, "host", h->host);
	jv_str(&o, "boot_id", h->boot_id);
	jv_str(&o, "kernel", h->kernel);
	jv_str(&o, "arch", h->arch);
	jv_num(&o, "page_size", h->page_size);
	jv_str(&o, "source", swt_source_name(info->kind));
	jv_opt(&o, "level", info->level < 0 ? SWT_UNKNOWN : swt_some((uint64_t)info->level));
	jv_str(&o, "clock", info->clock);
	jv_seconds(&o, "interval_s", h->interval_ns ? swt_some(h->interval_ns) : SWT_UNKNOWN);
	jv_str(&o, "mode", h->mode);
	put_events(&o, info);
	put_missing(&o, h->sys);
	jv_opt(&o, "rings_bytes", rings_known ? swt_some(info->rings_bytes) : SWT_UNKNOWN);
	return swt_json_put(j, &o);
}

int swt_json_end(struct swt_json *j, uint64_t mono_ns, const struct swt_json_end *e)
{
	struct jv o;
	int rc = swt_json_begin(j, "end", mono_ns, &o);

	if (rc)
		return rc;
	jv_num(&o, "reports", j->reports);
	jv_num(&o, "exits", j->exits);
	jv_opt(&o, "events", e->events);
	jv_opt(&o, "lost", e->lost);
	jv_bool(&o, "complete", e->complete);
	jv_str(&o, "reason", e->reason);
	return swt_json_put(j, &o);
}
