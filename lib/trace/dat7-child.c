/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child that reads a version 7 recording with libtracecmd and sends it as frames (see dat7.c).
 *
 * The library keeps no format texts, so they are written anew from what it parsed: names, positions and signs
 * of the fields, and the __print_symbolic() tables.  They are then read by the same code as all others.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <trace-cmd/trace-cmd.h>
#include <unistd.h>

#include "trace/dat-impl.h"

/* AddressSanitizer reserves terabytes of address space. */
#define LIMIT_MEMORY 1
#if defined(__SANITIZE_ADDRESS__)
#undef LIMIT_MEMORY
#define LIMIT_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef LIMIT_MEMORY
#define LIMIT_MEMORY 0
#endif
#endif

struct out {
	int fd;
	size_t len;
	unsigned char buf[65536];
	struct tracecmd_input *handles[DAT_MAX_BUFFERS + 1];
	unsigned int n;
};

static void flush(struct out *o)
{
	size_t done = 0;
	ssize_t n;

	while (done < o->len) {
		n = write(o->fd, o->buf + done, o->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1); /* the reader has gone */
		done += (size_t)n;
	}
	o->len = 0;
}

static void put(struct out *o, const void *data, size_t n)
{
	const unsigned char *p = data;
	size_t have;

	while (n) {
		if (o->len == sizeof(o->buf))
			flush(o);
		have = sizeof(o->buf) - o->len < n ? sizeof(o->buf) - o->len : n;
		memcpy(o->buf + o->len, p, have);
		o->len += have;
		p += have;
		n -= have;
	}
}

static void frame(struct out *o, enum dat7_type type, const void *data, size_t len)
{
	struct dat7_frame f = { .type = type, .len = (uint32_t)len };

	put(o, &f, sizeof(f));
	put(o, data, len);
}

static int field_text(struct swt_buf *b, const struct tep_format_field *f)
{
	const char *bracket = strchr(f->type ? f->type : "", '[');
	int rc;

	/* "char[16]" was taken from "char comm[16]", "__data_loc char[]" is in the text as it is. */
	if (bracket && !(f->flags & TEP_FIELD_IS_DYNAMIC))
		rc = swt_buf_addf(b, "\tfield:%.*s %s%s;", (int)(bracket - f->type), f->type, f->name,
				  bracket);
	else
		rc = swt_buf_addf(b, "\tfield:%s %s;", f->type, f->name);
	if (rc)
		return rc;
	return swt_buf_addf(b, "\toffset:%d;\tsize:%d;\tsigned:%d;\n", f->offset, f->size,
			    !!(f->flags & TEP_FIELD_IS_SIGNED));
}

static void symbols(struct swt_buf *b, const struct tep_print_arg *arg)
{
	const struct tep_print_flag_sym *s;
	const struct tep_print_arg *field;

	for (; arg; arg = arg->next) {
		if (arg->type != TEP_PRINT_SYMBOL)
			continue;
		for (field = arg->symbol.field; field && field->type == TEP_PRINT_TYPE;)
			field = field->typecast.item;
		if (!field || field->type != TEP_PRINT_FIELD)
			continue;
		swt_buf_addf(b, ", __print_symbolic(REC->%s", field->field.name);
		for (s = arg->symbol.symbols; s; s = s->next)
			swt_buf_addf(b, ", { %s, \"%s\" }", s->value, s->str);
		swt_buf_adds(b, ")");
	}
}

static void send_format(struct out *o, const struct tep_event *e, struct swt_buf *b)
{
	const struct tep_format_field *f;
	bool ours = swt_catalog_find(e->system, e->name) >= 0;

	swt_buf_reset(b);
	swt_buf_adds(b, e->system);
	swt_buf_addc(b, '\0');
	swt_buf_addf(b, "name: %s\nID: %d\nformat:\n", e->name, e->id);
	for (f = e->format.common_fields; f; f = f->next)
		field_text(b, f);
	swt_buf_addc(b, '\n');
	for (f = ours ? e->format.fields : NULL; f; f = f->next)
		field_text(b, f);
	swt_buf_adds(b, "\nprint fmt: \"\"");
	if (ours)
		symbols(b, e->print_fmt.args);
	swt_buf_addc(b, '\n');
	if (b->len <= DAT7_MAX_FRAME)
		frame(o, DAT7_FORMAT, b->s, b->len);
}

static int send_event(struct tracecmd_input *h, struct tep_record *rec, int cpu, void *arg)
{
	struct out *o = arg;
	struct dat7_frame f = { .type = DAT7_EVENT };

	if (rec->size < 0 || rec->size > (int)DAT7_MAX_FRAME || !rec->data)
		return 0;
	(void)cpu; /* of all handles counted through */
	f.len = (uint32_t)rec->size;
	f.cpu = (uint32_t)rec->cpu;
	f.buffer = (uint32_t)(uintptr_t)tracecmd_get_private(h);
	f.ts = rec->ts;
	f.missed = rec->missed_events < 0 ? UINT64_MAX : (uint64_t)rec->missed_events;
	put(o, &f, sizeof(f));
	put(o, rec->data, f.len);
	return 0;
}

/*
 * Nothing of the parent's state may be used or harmed: its descriptors closed, default signals, no output, no
 * core file, gone when the parent is.  The limit on memory is for sizes that a damaged file claims.
 */
static void settle(int fd, int out)
{
	unsigned int lo = (unsigned int)(fd < out ? fd : out), hi = (unsigned int)(fd < out ? out : fd);
	struct rlimit core = { 0, 0 }, as = { 1ull << 30, 1ull << 30 };
	sigset_t none;
	int null, sig;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (lo > 3)
		close_range(3, lo - 1, 0);
	if (hi > lo + 1)
		close_range(lo + 1, hi - 1, 0);
	close_range(hi + 1, ~0u, 0);
	for (sig = 1; sig < SIGRTMIN; sig++)
		signal(sig, sig == SIGINT || sig == SIGTSTP ? SIG_IGN : SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CORE, &core);
	if (LIMIT_MEMORY && sizeof(void *) == 8)
		setrlimit(RLIMIT_AS, &as);
	null = open("/dev/null", O_RDWR);
	if (null < 0)
		_exit(1);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
}

void dat7_child(int fd, int out)
{
	struct swt_buf b = SWT_BUF_INIT;
	struct tep_event **events;
	struct tep_handle *tep;
	struct tracecmd_input *h;
	struct out *o;
	int i, n;

	settle(fd, out);
	o = calloc(1, sizeof(*o));
	/* The library closes its descriptor and moves its position; both are ours alone after the fork. */
	if (!o || lseek(fd, 0, SEEK_SET))
		_exit(1);
	o->fd = out;
	h = tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS | TRACECMD_FL_LOAD_NO_SYSTEM_PLUGINS);
	if (!h)
		_exit(1);
	o->handles[o->n++] = h;
	n = tracecmd_buffer_instances(h);
	for (i = 0; i < n && o->n <= DAT_MAX_BUFFERS; i++) {
		struct tracecmd_input *sub = tracecmd_buffer_instance_handle(h, i);

		if (!sub)
			continue;
		tracecmd_set_private(sub, (void *)(uintptr_t)(i + 1));
		o->handles[o->n++] = sub;
	}
	tep = tracecmd_get_tep(h);
	events = tep ? tep_list_events(tep, TEP_EVENT_SORT_ID) : NULL;
	for (i = 0; events && events[i]; i++)
		send_format(o, events[i], &b);
	frame(o, DAT7_READY, NULL, 0);
	flush(o);
	if (tracecmd_iterate_events_multi(o->handles, (int)o->n, send_event, o) < 0)
		_exit(1); /* no DAT7_END: the parent takes it as cut */
	frame(o, DAT7_END, NULL, 0);
	flush(o);
	_exit(0);
}
