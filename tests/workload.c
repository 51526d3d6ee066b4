/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload: processes that die with a known number of swap entries.
 *
 * The runner starts them, tells them to count themselves right before the end, lets all of them die at the
 * same moment, waits, and prints what is true as one JSON object a line.  "workload --help" lists the options;
 * each event below says what its object means.
 *
 * Exit status: 0 ok, 1 failed, 2 usage, 77 there is no swap to use.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

struct proc {
	pid_t pid;
	int orders, answers;
	uint64_t end_ns, exec_done_ns;
	bool reaped;
};

static struct proc procs[MAX_PROCS];
static struct shared *sh;
static pid_t group; /* of all processes: one kill reaches them at once */

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* One line, one write: readers never see a part of it. */
static void say(const char *fmt, ...)
{
	char line[4096];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(line) - 1)
		abort();
	line[n++] = '\n';
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		exit(1);
}

static void fail(const char *what)
{
	fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
	if (group)
		kill(-group, SIGKILL);
	exit(1);
}

static void on_alarm(int signo)
{
	static const char msg[] = "workload: took too long\n";

	(void)signo;
	if (group)
		kill(-group, SIGKILL);
	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(1);
	_exit(1);
}

/* Bytes as a JSON string; what is not plain ASCII as the code point of the same number. */
static const char *quoted(char *dst, size_t size, const char *s)
{
	size_t n = 0;

	for (; *s && n + 7 < size; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < 0x20 || c > 0x7e || c == '"' || c == '\\')
			n += (size_t)sprintf(dst + n, "\\u%04x", c);
		else
			dst[n++] = (char)c;
	}
	dst[n] = '\0';
	return dst;
}

static const char *tids(char *dst, size_t size, const struct slot *s, unsigned int threads)
{
	size_t n = 0;

	dst[0] = '\0';
	for (unsigned int i = 1; i < threads && n + 16 < size; i++)
		n += (size_t)sprintf(dst + n, "%s%d", i > 1 ? "," : "", s->tid[i]);
	return dst;
}

/* "ready": first counted; "counted": counted again, the last one is right before the end. */
static void say_count(const char *event, unsigned int i, const struct options *o)
{
	const struct slot *s = &sh->slot[i];
	char name[128], list[MAX_THREADS * 16];

	say("{\"event\":\"%s\",\"pid\":%d,\"name\":\"%s\",\"swap_entries\":%" PRIu64
	    ",\"wanted_entries\":%" PRIu64 ",\"mm_swap_entries\":%" PRIu64 ",\"present_pages\":%" PRIu64
	    ",\"vmswap_kb\":%ld,\"vm_child\":%d,\"tids\":[%s],\"exact\":%s,\"mono_ns\":%" PRIu64 "}",
	    event, procs[i].pid, quoted(name, sizeof(name), o->named ? o->name : "workload"), s->swap_entries,
	    s->wanted, s->mm_entries, s->present_pages, s->vmswap_kb, s->vm_child,
	    tids(list, sizeof(list), s, o->threads), s->exact ? "true" : "false", s->mono_ns);
}

static void start(const struct options *o, unsigned int i)
{
	int down[2], up[2];
	pid_t pid;

	if (pipe2(down, O_CLOEXEC) || pipe2(up, O_CLOEXEC))
		fail("pipe");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		sigset_t none;

		setpgid(0, group);
		signal(SIGALRM, SIG_DFL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		close(down[1]);
		close(up[0]);
		/* Somebody else's write end would keep our own end of file from coming. */
		for (unsigned int k = 0; k < i; k++) {
			close(procs[k].orders);
			close(procs[k].answers);
		}
		child_main(o, sh, i, down[0], up[1]);
	}
	if (!group)
		group = pid;
	setpgid(pid, group); /* either side may be first */
	close(down[0]);
	close(up[1]);
	procs[i] = (struct proc){ .pid = pid, .orders = down[1], .answers = up[0] };
}

static void await(unsigned int i, char want)
{
	char c = 0;
	ssize_t n;

	do {
		n = read(procs[i].answers, &c, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1 || c != want) {
		errno = n < 0 ? errno : ECHILD;
		fail("a process failed while it was needed");
	}
}

static void order(unsigned int i, char c)
{
	if (write(procs[i].orders, &c, 1) != 1)
		fail("order");
}

static void order_all(const struct options *o, char c)
{
	for (unsigned int i = 0; i < o->procs; i++)
		order(i, c);
	for (unsigned int i = 0; i < o->procs; i++)
		await(i, c);
}

static void count_all(const struct options *o)
{
	order_all(o, DO_COUNT);
	for (unsigned int i = 0; i < o->procs; i++)
		say_count("counted", i, o);
}

/* While holding: "count" and "touch" are done, any other line (or end of file) ends it. */
static bool held_line(const struct options *o, int fd)
{
	char line[64];
	size_t n = 0;
	ssize_t got;

	while (n < sizeof(line) - 1 && (got = read(fd, line + n, 1)) == 1 && line[n] != '\n')
		n++;
	line[n] = '\0';
	if (!strcmp(line, "count")) {
		count_all(o);
		return true;
	}
	if (!strcmp(line, "touch")) {
		order_all(o, DO_TOUCH);
		count_all(o);
		return true;
	}
	return false;
}

/* Returns when told to go on: a line, SIGUSR1, or the time is over.  INT and TERM give up. */
static void hold(const struct options *o, int sigfd)
{
	struct pollfd p[2] = { { sigfd, POLLIN, 0 }, { o->hold ? o->hold_fd : -1, POLLIN, 0 } };
	int wait_ms = o->kill_after ? (int)(o->kill_after_s * 1000) : -1;
	struct signalfd_siginfo si;

	if (!o->hold && !o->kill_after)
		return;
	for (;;) {
		int n = poll(p, 2, wait_ms);

		if (n < 0 && errno != EINTR)
			fail("poll");
		if (n == 0)
			return;
		if (p[0].revents && read(sigfd, &si, sizeof(si)) == sizeof(si)) {
			if (si.ssi_signo == SIGUSR1)
				return;
			errno = EINTR;
			fail("told to stop");
		}
		if (p[1].revents && !held_line(o, p[1].fd))
			return;
	}
}

static bool is_alive(pid_t pid)
{
	siginfo_t si = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && !si.si_pid;
}

/* TERM must change nothing: all are still there after a while. */
static void term_in_vain(const struct options *o)
{
	uint64_t at = mono_ns();

	kill(-group, SIGTERM);
	sleep_s(0.2);
	for (unsigned int i = 0; i < o->procs; i++)
		say("{\"event\":\"term_ignored\",\"pid\":%d,\"term_mono_ns\":%" PRIu64 ",\"alive\":%s}",
		    procs[i].pid, at, is_alive(procs[i].pid) ? "true" : "false");
}

static void end_all(const struct options *o)
{
	static const char how[] = { DO_EXIT, DO_EXEC, 0, DO_LEADER };
	uint64_t at = mono_ns();

	if (o->ending == END_KILL) {
		if (kill(-group, o->signo))
			fail("kill");
		for (unsigned int i = 0; i < o->procs; i++)
			procs[i].end_ns = at;
		return;
	}
	for (unsigned int i = 0; i < o->procs; i++) {
		procs[i].end_ns = mono_ns();
		order(i, how[o->ending]);
	}
	for (unsigned int i = 0; i < o->procs; i++) {
		char c;

		if (o->ending == END_LEADER_FIRST) {
			await(i, DO_LEADER);
			say("{\"event\":\"leader_exited\",\"pid\":%d,\"mono_ns\":%" PRIu64 "}", procs[i].pid,
			    sh->slot[i].leader_mono_ns);
		} else if (o->ending == END_EXEC) {
			/* The pipe closes on exec, after the old address space was released. */
			if (read(procs[i].answers, &c, 1) != 0)
				fail("exec");
			procs[i].exec_done_ns = mono_ns();
			say("{\"event\":\"exec\",\"pid\":%d,\"exec_mono_ns\":%" PRIu64
			    ",\"exec_done_mono_ns\":%" PRIu64 "}",
			    procs[i].pid, sh->slot[i].exec_mono_ns, procs[i].exec_done_ns);
		}
	}
}

static void say_reaped(pid_t pid, const char *event, const char *name, uint64_t start_ns, uint64_t now,
		       int status, const struct rusage *ru)
{
	char n[128];

	say("{\"event\":\"%s\",\"pid\":%d,\"name\":\"%s\",\"kill_mono_ns\":%" PRIu64
	    ",\"wait_mono_ns\":%" PRIu64 ",\"status\":%d,\"exit_code\":%d,\"signal\":%d,\"user_ns\":%" PRIu64
	    ",\"system_ns\":%" PRIu64 "}",
	    event, pid, quoted(n, sizeof(n), name), start_ns, now, status,
	    WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	    (uint64_t)ru->ru_utime.tv_sec * 1000000000u + (uint64_t)ru->ru_utime.tv_usec * 1000u,
	    (uint64_t)ru->ru_stime.tv_sec * 1000000000u + (uint64_t)ru->ru_stime.tv_usec * 1000u);
}

/*
 * "reaped": one of ours; "vm_child_reaped": the process that kept its memory (it is given to us when its parent
 * dies).  The times are taken first and printed at the end, so that printing delays no wait.
 */
static void reap_all(const struct options *o)
{
	static struct {
		pid_t pid;
		int status;
		uint64_t at;
		struct rusage ru;
	} seen[2 * MAX_PROCS];
	uint64_t first = UINT64_MAX, last = 0, entries = 0;
	unsigned int n = 0, mine = 0;
	bool exact = true;

	while (n < 2 * MAX_PROCS) {
		seen[n].pid = wait4(-1, &seen[n].status, 0, &seen[n].ru);
		seen[n].at = mono_ns();
		if (seen[n].pid < 0 && errno != EINTR)
			break;
		n += seen[n].pid > 0;
	}
	for (unsigned int k = 0; k < n; k++) {
		unsigned int i = 0;

		while (i < o->procs && procs[i].pid != seen[k].pid)
			i++;
		if (i == o->procs) {
			say_reaped(seen[k].pid, "vm_child_reaped", "", 0, seen[k].at, seen[k].status,
				   &seen[k].ru);
			continue;
		}
		say_reaped(seen[k].pid, "reaped", o->named ? o->name : "workload", procs[i].end_ns,
			   seen[k].at, seen[k].status, &seen[k].ru);
		mine++;
		entries += sh->slot[i].swap_entries;
		exact = exact && sh->slot[i].exact;
		first = procs[i].end_ns < first ? procs[i].end_ns : first;
		last = seen[k].at > last ? seen[k].at : last;
	}
	say("{\"event\":\"summary\",\"procs\":%u,\"reaped\":%u,\"swap_entries\":%" PRIu64
	    ",\"exact\":%s,\"kill_mono_ns\":%" PRIu64 ",\"last_wait_mono_ns\":%" PRIu64
	    ",\"kill_to_last_wait_ns\":%" PRIu64 "}",
	    o->procs, mine, entries, exact ? "true" : "false", first, last, last - first);
}

static int run(const struct options *o, int sigfd)
{
	/* Who loses its parent in between is still ours to wait for. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (unsigned int i = 0; i < o->procs; i++)
		sem_init(&sh->turn[i], 1, i == 0);
	for (unsigned int i = 0; i < o->procs; i++)
		start(o, i);
	for (unsigned int i = 0; i < o->procs; i++) {
		await(i, 'r');
		say_count("ready", i, o);
	}
	hold(o, sigfd);
	if (o->touch_every)
		order_all(o, DO_TOUCH);
	if (o->ignore_term)
		term_in_vain(o);
	count_all(o);
	end_all(o);
	reap_all(o);
	return 0;
}

/* Short lives, each with a name of its own, all at once. */
static int run_swarm(const struct options *o)
{
	char name[64];
	struct rusage ru;
	unsigned int n = 0;
	int status;
	pid_t pid;
	struct one {
		pid_t pid;
		uint64_t born;
	} *all = calloc(o->swarm, sizeof(*all));

	if (!all)
		fail("swarm");
	for (unsigned int i = 0; i < o->swarm; i++) {
		snprintf(name, sizeof(name), "%.9s-%u", o->named ? o->name : "swarm", i);
		all[i].born = mono_ns();
		all[i].pid = fork();
		if (all[i].pid < 0)
			fail("fork");
		if (!all[i].pid)
			swarm_main(o, name);
	}
	while ((pid = wait4(-1, &status, 0, &ru)) > 0) {
		uint64_t now = mono_ns();

		for (unsigned int i = 0; i < o->swarm; i++) {
			if (all[i].pid != pid)
				continue;
			snprintf(name, sizeof(name), "%.9s-%u", o->named ? o->name : "swarm", i);
			say_reaped(pid, "reaped", name, all[i].born, now, status, &ru);
			all[i].pid = 0;
			n++;
			break;
		}
	}
	say("{\"event\":\"summary\",\"procs\":%u,\"reaped\":%u,\"swap_entries\":0}", o->swarm, n);
	free(all);
	return n == o->swarm ? 0 : 1;
}

static bool have_swap(void)
{
	FILE *f = fopen("/proc/swaps", "re");
	int c, lines = 0;

	if (!f)
		return false;
	while ((c = getc(f)) != EOF)
		lines += c == '\n';
	fclose(f);
	return lines > 1;
}

int main(int argc, char **argv)
{
	struct options o;
	sigset_t set;
	int rc, sigfd;

	rc = parse_options(&o, argc, argv);
	if (rc >= 0)
		return rc;
	if (o.mib && o.swapped && !o.swarm && !have_swap()) {
		fprintf(stderr, "workload: there is no swap\n");
		return 77;
	}
	signal(SIGALRM, on_alarm);
	alarm(o.timeout_s);
	if (o.swarm)
		return run_swarm(&o);

	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sh == MAP_FAILED)
		fail("mmap");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigfd = signalfd(-1, &set, SFD_CLOEXEC);
	if (sigfd < 0)
		fail("signalfd");
	return run(&o, sigfd);
}
