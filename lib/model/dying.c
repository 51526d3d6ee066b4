/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did not die as it should, see dying.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "model/dying.h"
#include "model/pidfile.h"

#define SHOWN_THREADS 8

int swt_leader_text(struct swt_opt threads, struct swt_buf *out)
{
	char n[SWT_FMT_LEN];

	if (!threads.known)
		return swt_buf_adds(out, "leader exited, others alive");
	return swt_buf_addf(out, "leader exited, %s thread%s alive", swt_fmt_count(n, sizeof(n), threads.v),
			    threads.v == 1 ? "" : "s");
}

struct alive {
	const struct swt_root *root;
	pid_t leader;
	uint64_t n;
	struct swt_buf text, list; /* one file; "22950 D, …" */
	int rc;
};

/* State of the task whose directory is @dir, from stat, else from status. */
static int state_of(const struct swt_root *root, const char *dir, struct swt_buf *text, char *state)
{
	struct swt_pid_status status;
	struct swt_pid_stat st;
	char path[96];
	int rc;

	snprintf(path, sizeof(path), "%s/stat", dir);
	rc = swt_root_read(root, path, text);
	if (!rc && !swt_pid_stat(swt_buf_str(text), text->len, &st)) {
		*state = st.state;
		return 0;
	}
	snprintf(path, sizeof(path), "%s/status", dir);
	rc = swt_root_read(root, path, text);
	rc = rc ? rc : swt_pid_status(swt_buf_str(text), text->len, &status);
	if (!rc)
		*state = status.state;
	return rc;
}

static int one_thread(void *arg, const char *name)
{
	struct alive *a = arg;
	char path[64], *end, state = 0;
	long tid = strtol(name, &end, 10);

	if (*end || tid <= 0 || tid > INT32_MAX || tid == a->leader)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%ld", (int)a->leader, tid);
	/* Gone meanwhile, or dead already: not alive. */
	if (state_of(a->root, path, &a->text, &state) || state == 'Z' || state == 'X' || !state)
		return 0;
	if (a->n++ >= SHOWN_THREADS)
		return 0;
	a->rc = swt_buf_addf(&a->list, "%s%ld %c", a->n > 1 ? ", " : "", tid, state);
	return a->rc;
}

static int zombie_text(const struct alive *a, struct swt_buf *out)
{
	char n[SWT_FMT_LEN];
	int rc;

	rc = swt_buf_addf(out, "leader zombie; %s thread%s alive: %s", swt_fmt_count(n, sizeof(n), a->n),
			  a->n == 1 ? "" : "s", swt_buf_str(&a->list));
	if (!rc && a->n > SHOWN_THREADS)
		rc = swt_buf_addf(out, ", %s more", swt_fmt_count(n, sizeof(n), a->n - SHOWN_THREADS));
	return rc;
}

int swt_zombie_leader(const struct swt_root *root, pid_t pid, struct swt_buf *out)
{
	struct alive a = { .root = root, .leader = pid };
	char path[64], state = 0;
	int rc;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	rc = state_of(root, path, &a.text, &state);
	if (rc || state != 'Z')
		goto out;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	rc = swt_root_each(root, path, one_thread, &a);
	if (rc || !a.n)
		goto out;
	rc = zombie_text(&a, out);
	rc = rc ? rc : 1;
out:
	swt_buf_free(&a.text);
	swt_buf_free(&a.list);
	return rc;
}

int swt_kill_label(const struct swt_kill_state *k, struct swt_buf *out)
{
	uint64_t percent;

	if (k->begun) {
		if (!k->entries.known || !k->freed.known)
			return swt_buf_adds(out, "dying, swap released so far not known");
		if (!k->entries.v)
			return swt_buf_adds(out, "dying, had no swap");
		/* More than at the start can be freed when pages are swapped out while dying. */
		if (k->freed.v >= k->entries.v)
			percent = 100;
		else if (k->freed.v <= UINT64_MAX / 100)
			percent = k->freed.v * 100 / k->entries.v;
		else
			percent = 99 < k->freed.v / (k->entries.v / 100) ? 99
									 : k->freed.v / (k->entries.v / 100);
		return swt_buf_addf(out, "dying, %" PRIu64 " %% of swap released", percent);
	}
	if (!k->signalled)
		return 0;
	if (k->state == 'D' && k->wchan && k->wchan_len && !(k->wchan_len == 1 && k->wchan[0] == '0'))
		return swt_buf_addf(out, "kill pending, blocked in %.*s, exit not begun",
				    (int)(k->wchan_len > 64 ? 64 : k->wchan_len), k->wchan);
	if (k->state == 'D')
		return swt_buf_adds(out, "kill pending, blocked (where is not known), exit not begun");
	return swt_buf_adds(out, "kill pending, exit not begun");
}

/* A mask line of /proc/PID/status: does it hold SIGKILL? */
static bool has_sigkill(const char *text, const char *key)
{
	const char *line = strstr(text, key);

	if (!line || (line != text && line[-1] != '\n'))
		return false;
	return strtoull(line + strlen(key), NULL, 16) >> (SIGKILL - 1) & 1;
}

int swt_kill_read(const struct swt_root *root, pid_t pid, struct swt_buf *wchan, struct swt_kill_state *ret)
{
	struct swt_buf text = SWT_BUF_INIT;
	char path[64];
	int rc;

	memset(ret, 0, sizeof(*ret));
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	rc = state_of(root, path, &text, &ret->state);
	if (rc)
		goto out;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	/* Missing, it says nothing; a kill of the whole process is in ShdPnd until a thread takes it up. */
	if (!swt_root_read(root, path, &text))
		ret->signalled = has_sigkill(swt_buf_str(&text), "SigPnd:") ||
				 has_sigkill(swt_buf_str(&text), "ShdPnd:");
	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)pid);
	if (!swt_root_read(root, path, wchan)) {
		ret->wchan = swt_buf_str(wchan);
		ret->wchan_len = strcspn(ret->wchan, "\n");
	}
out:
	swt_buf_free(&text);
	return rc;
}
