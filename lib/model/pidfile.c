/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/{stat,status,cgroup}, see pidfile.h.
 */
#include <errno.h>

#include "model/pidfile.h"
#include "model/scan.h"

/* The words after the state, by their number in proc(5). */
static void stat_fields(struct swt_scan *s, struct swt_pid_stat *st)
{
	for (int field = 5; field <= 22; field++) {
		struct swt_scan word;
		struct swt_opt o;

		if (!swt_scan_word(s, &word))
			return;
		o = swt_scan_number(&word);
		if (field == 9)
			st->flags = swt_opt_or(o, 0);
		else if (field == 14)
			st->utime = o;
		else if (field == 15)
			st->stime = o;
		else if (field == 20)
			st->threads = o.known && o.v <= INT_MAX ? (int)o.v : 0;
		else if (field == 22)
			st->start_ticks = swt_opt_or(o, 0);
	}
}

int swt_pid_stat(const char *text, size_t len, struct swt_pid_stat *ret)
{
	struct swt_scan s = swt_scan(text, len), rest, word;
	struct swt_pid_stat st = { 0 };
	const char *open, *close;

	/* The name may hold spaces, brackets and newlines; nothing after it holds a closing bracket. */
	open = len ? memchr(text, '(', len) : NULL;
	close = len ? memrchr(text, ')', len) : NULL;
	if (!open || !close || close < open)
		return -EBADMSG;
	s.end = open;
	st.pid = swt_scan_pid(&s);
	swt_scan_blanks(&s);
	if (st.pid < 0 || s.p != s.end)
		return -EBADMSG;

	st.comm_len = (size_t)(close - open - 1);
	if (st.comm_len > sizeof(st.comm) - 1)
		st.comm_len = sizeof(st.comm) - 1;
	memcpy(st.comm, open + 1, st.comm_len);

	rest = swt_scan(close + 1, (size_t)(text + len - close - 1));
	if (!swt_scan_line(&rest, &s) || !swt_scan_word(&s, &word) || swt_scan_left(&word) != 1)
		return -EBADMSG;
	st.state = *word.p;
	st.ppid = swt_scan_pid(&s);
	if (st.ppid < 0)
		return -EBADMSG;
	stat_fields(&s, &st);
	*ret = st;
	return 0;
}

static void status_nspid(struct swt_scan *s, struct swt_pid_status *st)
{
	struct swt_scan word;

	st->nnspid = 0;
	while (st->nnspid < SWT_MAX_NSPID && swt_scan_word(s, &word)) {
		struct swt_opt o = swt_scan_number(&word);

		if (!o.known || o.v > INT_MAX)
			return;
		st->nspid[st->nnspid++] = (int)o.v;
	}
}

static int pid_or_0(struct swt_scan *s)
{
	int pid = swt_scan_pid(s);

	return pid < 0 ? 0 : pid;
}

/* One "Key:<tab>value" line; true when it is one of ours. */
static bool status_line(struct swt_scan *l, struct swt_pid_status *st)
{
	if (SWT_SCAN_SKIP(l, "VmSwap:")) {
		st->vm_swap = swt_scan_kib(l);
	} else if (SWT_SCAN_SKIP(l, "VmRSS:")) {
		st->vm_rss = swt_scan_kib(l);
	} else if (SWT_SCAN_SKIP(l, "Threads:")) {
		st->threads = swt_scan_u64(l);
	} else if (SWT_SCAN_SKIP(l, "THP_enabled:")) {
		st->thp_enabled = swt_scan_u64(l);
	} else if (SWT_SCAN_SKIP(l, "Tgid:")) {
		st->tgid = pid_or_0(l);
	} else if (SWT_SCAN_SKIP(l, "Pid:")) {
		st->pid = pid_or_0(l);
	} else if (SWT_SCAN_SKIP(l, "PPid:")) {
		st->ppid = pid_or_0(l);
	} else if (SWT_SCAN_SKIP(l, "NSpid:")) {
		status_nspid(l, st);
	} else if (SWT_SCAN_SKIP(l, "State:")) {
		swt_scan_blanks(l);
		st->state = l->p < l->end ? *l->p : 0;
	} else {
		return false;
	}
	return true;
}

int swt_pid_status(const char *text, size_t len, struct swt_pid_status *ret)
{
	struct swt_scan s = swt_scan(text, len), line;
	struct swt_pid_status st = { 0 };
	bool any = false;

	while (swt_scan_line(&s, &line)) {
		/* Most of the 60 lines begin with a letter that none of ours has. */
		if (line.p < line.end && memchr("VTPNS", *line.p, 5) && status_line(&line, &st))
			any = true;
	}
	if (!any)
		return -EBADMSG;
	*ret = st;
	return 0;
}

/* Is "memory" one of the comma-separated controllers? */
static bool has_memory(struct swt_scan list)
{
	while (list.p < list.end) {
		const char *comma = memchr(list.p, ',', swt_scan_left(&list));
		struct swt_scan one = { list.p, comma ? comma : list.end };

		if (SWT_SCAN_IS(&one, "memory"))
			return true;
		list.p = comma ? comma + 1 : list.end;
	}
	return false;
}

/* Split "4:memory:/path"; false when it is no such line. */
static bool cgroup_line(const struct swt_scan *line, struct swt_scan *list, struct swt_scan *path)
{
	const char *first, *second;

	first = memchr(line->p, ':', swt_scan_left(line));
	if (!first)
		return false;
	second = memchr(first + 1, ':', (size_t)(line->end - first - 1));
	if (!second || second + 1 == line->end || second[1] != '/')
		return false;
	*list = (struct swt_scan){ first + 1, second };
	*path = (struct swt_scan){ second + 1, line->end };
	return true;
}

const char *swt_pid_cgroup(const char *text, size_t len, size_t *len_ret)
{
	struct swt_scan s = swt_scan(text, len), line, list, path;
	struct swt_scan unified = { NULL, NULL }, memory = { NULL, NULL };

	while (swt_scan_line(&s, &line)) {
		if (line.p == line.end || !cgroup_line(&line, &list, &path))
			continue;
		if (list.p == list.end && line.p[0] == '0' && list.p == line.p + 2)
			unified = path;
		else if (has_memory(list))
			memory = path;
	}
	if (unified.p && (swt_scan_left(&unified) > 1 || !memory.p))
		memory = unified;
	if (!memory.p)
		return NULL;
	*len_ret = swt_scan_left(&memory);
	return memory.p;
}
