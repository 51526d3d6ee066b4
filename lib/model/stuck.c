/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that should be gone, see stuck.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "model/dying.h"
#include "model/pidfile.h"
#include "model/stuck.h"

/* Followed at once.  Most kills are over in milliseconds, so these are a few even while thousands die. */
#define MAX_STUCK    256
#define FIRST_NS     SWT_NS_PER_SEC
#define ASK_AHEAD_NS (SWT_NS_PER_SEC / 2)
#define SHOWN	     8

enum kind { FREE, KILLED, DYING, ZOMBIE };

struct stuck {
	enum kind kind;
	pid_t tgid;
	char comm[64];
	uint64_t since, due, touched; /* touched: last sign of life in this state */
	bool asked;
	char state; /* of a sample after @since, 0 none */
	char wchan[64];
};

struct swt_stuck {
	struct swt_noter note;
	struct stuck item[MAX_STUCK];
	unsigned int used;
	/* The zombie whose threads are being told. */
	pid_t zombie;
	uint64_t zombie_ts, alive;
	struct swt_buf list;
};

int swt_stuck_new(const struct swt_noter *note, struct swt_stuck **ret)
{
	struct swt_stuck *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->note = *note;
	*ret = s;
	return 0;
}

void swt_stuck_free(struct swt_stuck *s)
{
	if (!s)
		return;
	swt_buf_free(&s->list);
	free(s);
}

static struct stuck *find(struct swt_stuck *s, enum kind kind, pid_t tgid)
{
	for (unsigned int i = 0; s->used && i < MAX_STUCK; i++)
		if (s->item[i].kind == kind && s->item[i].tgid == tgid)
			return &s->item[i];
	return NULL;
}

static void drop(struct swt_stuck *s, struct stuck *k)
{
	k->kind = FREE;
	s->used--;
}

/*
 * A new one; when all places are taken the newest comers are left out, since the oldest are stuck the most.
 */
static struct stuck *add(struct swt_stuck *s, enum kind kind, uint64_t ts, pid_t tgid, const char *comm)
{
	if (s->used == MAX_STUCK)
		return NULL;
	for (unsigned int i = 0; i < MAX_STUCK; i++) {
		struct stuck *k = &s->item[i];

		if (k->kind != FREE)
			continue;
		memset(k, 0, sizeof(*k));
		k->kind = kind;
		k->tgid = tgid;
		k->since = k->touched = ts;
		k->due = ts + FIRST_NS;
		snprintf(k->comm, sizeof(k->comm), "%s", comm ? comm : "");
		s->used++;
		return k;
	}
	return NULL;
}

/* The next line when ten times as long has passed. */
static void said(struct stuck *k, uint64_t now)
{
	k->due = now - k->since < UINT64_MAX / 16 ? k->since + (now - k->since) / FIRST_NS * 10 * FIRST_NS
						  : UINT64_MAX;
	k->asked = false;
}

static void say(struct swt_stuck *s, const struct stuck *k, uint64_t now, const char *text)
{
	char span[SWT_FMT_LEN];

	swt_notef(&s->note, now, SWT_NOTE_PROCESS, "pid %d%s%s%s: %s (for %s)", (int)k->tgid,
		  k->comm[0] ? " (" : "", k->comm, k->comm[0] ? ")" : "", text,
		  swt_note_seconds(span, now - k->since));
}

void swt_stuck_killed(struct swt_stuck *s, uint64_t ts, pid_t tgid, const char *comm)
{
	if (tgid > 0 && !find(s, KILLED, tgid) && !find(s, DYING, tgid))
		add(s, KILLED, ts, tgid, comm);
}

void swt_stuck_begun(struct swt_stuck *s, pid_t tgid)
{
	struct stuck *k = find(s, KILLED, tgid);

	if (k)
		drop(s, k);
}

void swt_stuck_dying(struct swt_stuck *s, uint64_t now, uint64_t since, pid_t tgid, const char *comm,
		     struct swt_opt entries, struct swt_opt freed)
{
	struct swt_kill_state label = { .begun = true, .entries = entries, .freed = freed };
	struct swt_buf text = SWT_BUF_INIT;
	struct stuck *k;

	/* Only what lasts takes a place. */
	if (tgid <= 0 || now < since || now - since < FIRST_NS)
		return;
	swt_stuck_begun(s, tgid);
	k = find(s, DYING, tgid);
	if (k && k->since != since) {
		drop(s, k); /* the pid again */
		k = NULL;
	}
	if (!k)
		k = add(s, DYING, since, tgid, comm);
	if (!k)
		return;
	k->touched = now;
	if (now < k->due)
		return;
	if (!swt_kill_label(&label, &text))
		say(s, k, now, swt_buf_str(&text));
	swt_buf_free(&text);
	said(k, now);
}

/* "/proc/PID" and, when there, "/task/TID": the rest of @path, or NULL. */
static const char *pids_of(const char *path, pid_t *pid, pid_t *tid)
{
	char *end;
	long v;

	*tid = 0;
	if (strncmp(path, "/proc/", 6) || path[6] < '1' || path[6] > '9')
		return NULL;
	v = strtol(path + 6, &end, 10);
	if (v > INT32_MAX)
		return NULL;
	*pid = (pid_t)v;
	if (strncmp(end, "/task/", 6))
		return end;
	v = strtol(end + 6, &end, 10);
	if (v <= 0 || v > INT32_MAX)
		return NULL;
	*tid = (pid_t)v;
	return end;
}

/* All threads of the zombie were told. */
static void end_zombie(struct swt_stuck *s)
{
	struct stuck *k = find(s, ZOMBIE, s->zombie);
	char text[512], n[SWT_FMT_LEN], more[SWT_FMT_LEN + 8] = "";

	if (!s->zombie)
		return;
	if (!s->alive) {
		if (k)
			drop(s, k);
	} else {
		k = k ? k : add(s, ZOMBIE, s->zombie_ts, s->zombie, NULL);
		if (k)
			k->touched = s->zombie_ts;
		if (s->alive > SHOWN)
			snprintf(more, sizeof(more), ", %s more",
				 swt_fmt_count(n, sizeof(n), s->alive - SHOWN));
		snprintf(text, sizeof(text), "leader zombie; %s thread%s alive: %s%s",
			 swt_fmt_count(n, sizeof(n), s->alive), s->alive == 1 ? "" : "s",
			 swt_buf_str(&s->list), more);
		/*
		 * Threads often end a moment after their leader: the second look, a second later, is the
		 * first line.
		 */
		if (k && s->zombie_ts >= k->due) {
			say(s, k, s->zombie_ts, text);
			said(k, s->zombie_ts);
		}
	}
	s->zombie = 0;
	s->alive = 0;
	swt_buf_reset(&s->list);
}

static void thread_status(struct swt_stuck *s, pid_t pid, pid_t tid, const struct swt_pid_status *st)
{
	if (pid != s->zombie || tid == pid || !st->state || st->state == 'Z' || st->state == 'X')
		return;
	if (s->alive++ < SHOWN)
		swt_buf_addf(&s->list, "%s%d %c", s->alive > 1 ? ", " : "", (int)tid, st->state);
}

static void status(struct swt_stuck *s, uint64_t ts, pid_t pid, const char *text, size_t len)
{
	struct stuck *k = find(s, KILLED, pid);
	struct swt_pid_status st;

	end_zombie(s);
	if (!len || swt_pid_status(text, len, &st)) {
		swt_stuck_begun(s, pid);
		return;
	}
	if (st.state == 'Z' && st.threads.known && st.threads.v > 1) {
		s->zombie = pid;
		s->zombie_ts = ts;
	}
	if (k && st.state == 'Z') {
		drop(s, k);
	} else if (k && ts >= k->since) {
		k->state = st.state;
		if (st.state != 'D')
			k->wchan[0] = '\0';
	}
}

void swt_stuck_file(struct swt_stuck *s, uint64_t ts, const char *path, const char *text, size_t len)
{
	pid_t pid, tid;
	const char *rest = pids_of(path, &pid, &tid);
	struct swt_pid_status st;
	struct stuck *k;

	if (!rest)
		return;
	if (!strcmp(rest, "/status") && tid) {
		if (pid == s->zombie && len && !swt_pid_status(text, len, &st))
			thread_status(s, pid, tid, &st);
	} else if (!strcmp(rest, "/status")) {
		status(s, ts, pid, text, len);
	} else if (!strcmp(rest, "/wchan") && !tid) {
		k = find(s, KILLED, pid);
		if (k && ts >= k->since)
			snprintf(k->wchan, sizeof(k->wchan), "%.*s", (int)(len < 63 ? len : 63), text);
	}
}

size_t swt_stuck_wants(struct swt_stuck *s, uint64_t now, pid_t *pids, size_t max)
{
	size_t n = 0;

	for (unsigned int i = 0; s->used && i < MAX_STUCK && n < max; i++) {
		struct stuck *k = &s->item[i];

		if ((k->kind != KILLED && k->kind != ZOMBIE) || k->asked || now + ASK_AHEAD_NS < k->due)
			continue;
		k->asked = true;
		pids[n++] = k->tgid;
	}
	return n;
}

static void killed_line(struct swt_stuck *s, struct stuck *k, uint64_t now)
{
	struct swt_kill_state label = { .state = k->state, .wchan = k->wchan, .signalled = true };
	struct swt_buf text = SWT_BUF_INIT;

	/*
	 * Nobody looked at it since: its exit may have been among lost events.  Wait for a look, not for
	 * ever.
	 */
	if (!k->state) {
		if (now - k->since > 60 * SWT_NS_PER_SEC)
			drop(s, k);
		return;
	}
	label.wchan_len = strcspn(k->wchan, "\n");
	if (!swt_kill_label(&label, &text))
		say(s, k, now, swt_buf_str(&text));
	swt_buf_free(&text);
	said(k, now);
}

void swt_stuck_tick(struct swt_stuck *s, uint64_t now)
{
	if (s->zombie && now > s->zombie_ts)
		end_zombie(s);
	for (unsigned int i = 0; s->used && i < MAX_STUCK; i++) {
		struct stuck *k = &s->item[i];

		if (k->kind == KILLED && now >= k->due)
			killed_line(s, k, now);
		/* No longer told of: it ended.  A zombie is looked at when asked for, or at the next scan. */
		else if (k->kind == DYING && now > k->touched + 10 * SWT_NS_PER_SEC)
			drop(s, k);
		else if (k->kind == ZOMBIE && now > k->due + 60 * SWT_NS_PER_SEC)
			drop(s, k);
	}
}
