/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of the workload program.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

static const char help[] =
	"workload [OPTIONS]: processes that die with a known number of swap entries; JSON lines on stdout\n"
	"\n"
	"what they hold\n"
	"  --procs N              how many, all alike (1)\n"
	"  --mib M                MiB of private anonymous memory each (64)\n"
	"  --swapped PERCENT      share of it that is paged out (100)\n"
	"  --fill rand|zero       pages that cannot be compressed, or of zeros (rand)\n"
	"  --threads T            threads in all; they sleep (1)\n"
	"  --name NAME            name of the process, \\xNN for any byte (workload)\n"
	"  --clone-vm-child S     start a process that shares the memory and lives S seconds longer\n"
	"  --interleave           page out in turns of one page each, on one CPU\n"
	"when it ends\n"
	"  --hold                 at a line on stdin (lines \"count\" and \"touch\" are obeyed), or SIGUSR1\n"
	"  --hold-fd FD           the same on another descriptor\n"
	"  --hold-fifo PATH       the same on a FIFO\n"
	"  --kill-after S         kill them S seconds after all are ready\n"
	"  --touch-every K        right before, read one byte of every K-th page\n"
	"how it ends: exit(0) unless\n"
	"  --kill                 the runner kills them all with one call\n"
	"  --signal N             with this signal (9)\n"
	"  --ignore-term          TERM is sent first and ignored, then --kill\n"
	"  --exec[=S]             they become \"sleep S\" (1)\n"
	"  --leader-exits-first[=S]  the first thread ends, the others (3) hold the memory S seconds (2)\n"
	"others\n"
	"  --swarm N --life-ms L  instead: N processes NAME-0 ... that live L ms (5); with --exec as sleep\n"
	"  --timeout S            give up after S seconds (300)\n";

static int usage(const char *what)
{
	fprintf(stderr, "workload: %s; see --help\n", what);
	return 2;
}

/* "\xNN" to bytes; false when it does not fit into a process name. */
static bool unescape(char dst[16], const char *s)
{
	size_t n = 0;

	for (; *s; n++) {
		unsigned int byte;

		if (n == 15)
			return false;
		if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &byte) == 1 && s[2] && s[3]) {
			dst[n] = (char)byte;
			s += 4;
		} else {
			dst[n] = *s++;
		}
	}
	dst[n] = '\0';
	return n > 0;
}

static bool number(const char *s, unsigned int max, unsigned int *ret)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(s, &end, 10);
	if (errno || end == s || *end || *s == '-' || v > max)
		return false;
	*ret = (unsigned int)v;
	return true;
}

static bool seconds(const char *s, double *ret)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end || !(v >= 0 && v <= 86400))
		return false;
	*ret = v;
	return true;
}

enum {
	O_PROCS = 256,
	O_MIB,
	O_SWAPPED,
	O_FILL,
	O_THREADS,
	O_NAME,
	O_VM,
	O_INTERLEAVE,
	O_HOLD,
	O_HOLD_FD,
	O_HOLD_FIFO,
	O_KILL_AFTER,
	O_TOUCH,
	O_KILL,
	O_SIGNAL,
	O_IGNORE_TERM,
	O_EXEC,
	O_LEADER,
	O_SWARM,
	O_LIFE,
	O_TIMEOUT,
	O_HELP
};

static const struct option table[] = {
	{ "procs", 1, NULL, O_PROCS },
	{ "mib", 1, NULL, O_MIB },
	{ "swapped", 1, NULL, O_SWAPPED },
	{ "fill", 1, NULL, O_FILL },
	{ "threads", 1, NULL, O_THREADS },
	{ "name", 1, NULL, O_NAME },
	{ "clone-vm-child", 1, NULL, O_VM },
	{ "interleave", 0, NULL, O_INTERLEAVE },
	{ "hold", 0, NULL, O_HOLD },
	{ "hold-fd", 1, NULL, O_HOLD_FD },
	{ "hold-fifo", 1, NULL, O_HOLD_FIFO },
	{ "kill-after", 1, NULL, O_KILL_AFTER },
	{ "touch-every", 1, NULL, O_TOUCH },
	{ "kill", 0, NULL, O_KILL },
	{ "signal", 1, NULL, O_SIGNAL },
	{ "ignore-term", 0, NULL, O_IGNORE_TERM },
	{ "exec", 2, NULL, O_EXEC },
	{ "leader-exits-first", 2, NULL, O_LEADER },
	{ "swarm", 1, NULL, O_SWARM },
	{ "life-ms", 1, NULL, O_LIFE },
	{ "timeout", 1, NULL, O_TIMEOUT },
	{ "help", 0, NULL, O_HELP },
	{ NULL, 0, NULL, 0 },
};

static bool take_when(struct options *o, int c, const char *arg)
{
	unsigned int n;

	o->hold = true;
	switch (c) {
	case O_HOLD:
		return true;
	case O_HOLD_FD:
		if (!number(arg, 1u << 20, &n))
			return false;
		o->hold_fd = (int)n;
		return true;
	default:
		/* O_RDWR: opening waits for nobody, and one writer leaving is not the end of file. */
		o->hold_fd = open(arg, O_RDWR | O_CLOEXEC);
		return o->hold_fd >= 0;
	}
}

static bool take_ending(struct options *o, int c, const char *arg)
{
	unsigned int n = 0;

	switch (c) {
	case O_KILL_AFTER:
		o->kill_after = true;
		o->ending = END_KILL;
		return seconds(arg, &o->kill_after_s);
	case O_SIGNAL:
		if (!number(arg, 64, &n) || !n)
			return false;
		o->signo = (int)n;
		o->ending = END_KILL;
		return true;
	case O_IGNORE_TERM:
		o->ignore_term = true;
		o->ending = END_KILL;
		return true;
	case O_EXEC:
		o->ending = END_EXEC;
		return !arg || seconds(arg, &o->exec_s);
	case O_LEADER:
		o->ending = END_LEADER_FIRST;
		if (o->threads == 1)
			o->threads = 4;
		return !arg || seconds(arg, &o->leader_s);
	default:
		o->ending = END_KILL;
		return true;
	}
}

static bool take(struct options *o, int c, const char *arg)
{
	switch (c) {
	case O_PROCS:
		return number(arg, MAX_PROCS, &o->procs) && o->procs;
	case O_MIB:
		return number(arg, 1u << 20, &o->mib);
	case O_SWAPPED:
		return number(arg, 100, &o->swapped);
	case O_FILL:
		o->fill = !strcmp(arg, "zero") ? FILL_ZERO : FILL_RAND;
		return !strcmp(arg, "zero") || !strcmp(arg, "rand");
	case O_THREADS:
		return number(arg, MAX_THREADS, &o->threads) && o->threads;
	case O_NAME:
		o->named = true;
		return unescape(o->name, arg);
	case O_VM:
		o->clone_vm = true;
		return seconds(arg, &o->clone_vm_s);
	case O_INTERLEAVE:
		o->interleave = true;
		return true;
	case O_HOLD:
	case O_HOLD_FD:
	case O_HOLD_FIFO:
		return take_when(o, c, arg);
	case O_TOUCH:
		return number(arg, 1u << 30, &o->touch_every) && o->touch_every;
	case O_SWARM:
		return number(arg, 100000, &o->swarm) && o->swarm;
	case O_LIFE:
		return number(arg, 60000, &o->life_ms);
	case O_TIMEOUT:
		return number(arg, 86400, &o->timeout_s);
	default:
		return take_ending(o, c, arg);
	}
}

int parse_options(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){
		.procs = 1,
		.mib = 64,
		.swapped = 100,
		.threads = 1,
		.life_ms = 5,
		.exec_s = 1,
		.leader_s = 2,
		.signo = SIGKILL,
		.timeout_s = 300,
	};
	while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
		if (c == O_HELP)
			return fputs(help, stdout) < 0;
		if (c == '?')
			return 2;
		if (!take(o, c, optarg))
			return usage(argv[optind - 1]);
	}
	if (optind < argc)
		return usage(argv[optind]);
	if (o->ending == END_LEADER_FIRST && o->threads < 2)
		return usage("--leader-exits-first needs --threads 2 or more");
	return -1;
}
