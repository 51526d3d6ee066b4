/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals: who killed a process, and when its parent was told.
 *
 * signal_generate names the sender, signal_deliver tells whether there is a handler.  A fatal signal to a
 * process with threads is turned into SIGKILL for each of them by the kernel, and exit_group and exec end the other
 * threads by SIGKILL without generating one; so the number delivered is not the cause, it only confirms one.
 */
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"
#include "model/track.h"

#include <signal.h>
#include <string.h>

/* Numbers of the recorded machine, which are those of most architectures; not of this one. */
enum {
	K_KILL = 9,
	K_CHLD = 17,
	K_CONT = 18,
	K_STOP = 19,
	K_TSTP = 20,
	K_TTIN = 21,
	K_TTOU = 22,
	K_URG = 23,
	K_WINCH = 28,
	K_LAST = 64
};

static bool deadly(int64_t sig)
{
	switch (sig) {
	case K_CHLD:
	case K_CONT:
	case K_STOP:
	case K_TSTP:
	case K_TTIN:
	case K_TTOU:
	case K_URG:
	case K_WINCH:
		return false;
	default:
		return sig > 0 && sig <= K_LAST;
	}
}

/* A dead task tells the parent of its process; or, on behalf of a zombie child, that one's new parent. */
static void parent_told(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_task *t = swt_task_find(m, ev->task);
	struct swt_task *target = swt_task_find(m, (int32_t)ev->f[SWT_F_SIGNAL_GENERATE_PID]);
	struct swt_proc *p;
	int32_t to = target ? target->p->tgid : (int32_t)ev->f[SWT_F_SIGNAL_GENERATE_PID];

	if (!t || !t->dead)
		return;
	p = t->p;
	if (p->ppid && to != p->ppid)
		return;
	if (!p->dying && p->alive && p->threads_known)
		return;
	p->told = swt_some(ev->ts);
	if (p->td && p->td->state == SWT_TD_WAITING)
		p->td->r.gone_at = p->told;
	swt_track_gone(m, p, ev->ts);
	if (!p->over)
		swt_proc_over(m, p, ev->ts);
}

void swt_mark_generate(struct swt_model *m, const struct swt_event *ev)
{
	int64_t sig = ev->f[SWT_F_SIGNAL_GENERATE_SIG], result = ev->f[SWT_F_SIGNAL_GENERATE_RESULT];
	int64_t code = ev->f[SWT_F_SIGNAL_GENERATE_CODE];
	int32_t pid = (int32_t)ev->f[SWT_F_SIGNAL_GENERATE_PID];
	struct swt_task *from, *to;
	struct swt_proc *p;

	if (!swt_event_has(ev, SWT_F_SIGNAL_GENERATE_SIG) || !swt_event_has(ev, SWT_F_SIGNAL_GENERATE_PID))
		return;
	if (sig == K_CHLD) {
		parent_told(m, ev);
		return;
	}
	if (!deadly(sig) || (result != 0 && result != 2))
		return;
	to = swt_task_touch(m, pid, ev->ts);
	if (!to)
		return;
	p = to->p;
	if (to->tid == p->tgid && !p->comm_len)
		swt_proc_comm(p, ev->str[0].s, ev->str[0].len);
	/* What comes after a SIGKILL changes nothing; the first of several counts, the others find it pending. */
	if (p->dying || (p->sig.no == K_KILL && (sig != K_KILL || result == 2)) ||
	    (p->sig.no == sig && result == 2))
		return;
	from = swt_task_find(m, ev->task);
	memset(&p->sig, 0, sizeof(p->sig));
	p->sig.no = (uint8_t)sig;
	p->sig.ts = ev->ts;
	/* A positive code says that the kernel sent it, whatever was running. */
	if (code <= 0)
		p->sig.sender = from ? from->p->tgid : ev->task;
}

void swt_mark_deliver(struct swt_model *m, const struct swt_event *ev)
{
	int64_t sig = ev->f[SWT_F_SIGNAL_DELIVER_SIG], handler = ev->f[SWT_F_SIGNAL_DELIVER_SA_HANDLER];
	struct swt_task *t;
	struct swt_proc *p;
	bool fatal;

	if (!swt_event_has(ev, SWT_F_SIGNAL_DELIVER_SIG) || !deadly(sig))
		return;
	t = swt_task_touch(m, ev->task, ev->ts);
	if (!t)
		return;
	p = t->p;
	fatal = sig == K_KILL || (swt_event_has(ev, SWT_F_SIGNAL_DELIVER_SA_HANDLER) && !handler);
	if (!fatal) {
		/* It was handled (or ignored): not what the process will die of. */
		if (p->sig.no == sig)
			memset(&p->sig, 0, sizeof(p->sig));
		return;
	}
	if (!t->deliver_sig) {
		t->deliver_sig = (uint8_t)sig;
		t->deliver_ts = ev->ts;
	}
	if (p->sig.no && (sig == K_KILL || sig == p->sig.no)) {
		p->sig.confirmed = true;
	} else if (sig != K_KILL) {
		/* Nobody saw it sent. */
		p->sig.no = (uint8_t)sig;
		p->sig.sender = 0;
		p->sig.ts = ev->ts;
		p->sig.confirmed = true;
	}
}
