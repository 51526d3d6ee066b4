/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the command and runs it; nothing else.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "out/schema.h"

const struct swt_cmd swt_cmds[] = {
	{ NULL, "[COMMAND] [OPTIONS]", "Show what gives back swap now: each exit, and the state of swap",
	  SWT_CMD_TOP, 0, 0, false, cmd_top },
	{ "exits", "[OPTIONS]", "A row for every exit and exec as it completes", SWT_CMD_EXITS, 0, 0, false,
	  cmd_exits },
	{ "record", "-o FILE [OPTIONS] [-- COMMAND...]",
	  "Write a recording that swaptop, trace-cmd and KernelShark read", SWT_CMD_RECORD, 0, 0, true,
	  cmd_record },
	{ "report", "[OPTIONS] FILE", "Summary of a recording, or of a saved --json stream", SWT_CMD_REPORT,
	  1, 1, false, cmd_report },
	{ "doctor", "[OPTIONS]", "What works here, what does not, why, and how to get it", SWT_CMD_DOCTOR, 0,
	  0, false, cmd_doctor },
};
const size_t swt_ncmds = sizeof(swt_cmds) / sizeof(swt_cmds[0]);

static const struct swt_cmd *find(const char *name)
{
	for (size_t i = 0; i < swt_ncmds; i++)
		if (swt_cmds[i].name && strcmp(swt_cmds[i].name, name) == 0)
			return &swt_cmds[i];
	return NULL;
}

/* An early flush may have met the closed pipe, and its errno is gone by now: ask the pipe itself. */
static bool reader_gone(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

/* Everything printed must have arrived; a reader that went away is no error. */
static int check_stdout(int status)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	errno = 0;
	/* stdio forgets why a write failed; the pipe itself still knows that nobody reads it. */
	if (poll(&out, 1, 0) > 0 && out.revents & POLLERR)
		return status;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE || status != SWT_EXIT_OK)
		return status;
	if (!errno && reader_gone())
		return status;
	swt_msg("cannot write to the standard output: %s", errno ? strerror(errno) : "it was not taken");
	return SWT_EXIT_FAILED;
}

static int print_schema(void)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc = swt_schema(&b);

	if (rc == 0)
		fwrite(b.s, 1, b.len, stdout);
	swt_buf_free(&b);
	return rc < 0 ? swt_fail(rc, NULL) : SWT_EXIT_OK;
}

static int run(const struct swt_cmd *cmd, int argc, char **argv)
{
	struct swt_opts o;
	int rc;

	rc = swt_opts_parse(cmd, argc, argv, &o);
	if (rc < 0)
		return SWT_EXIT_OK; /* "-C help" was answered */
	if (rc)
		return rc;
	if (o.help)
		swt_opts_help(cmd, stdout);
	else if (o.version)
		printf("swaptop %s\n", SWT_VERSION);
	else if (o.print_schema)
		return print_schema();
	else
		return cmd->run(&o);
	return SWT_EXIT_OK;
}

int main(int argc, char **argv)
{
	const struct swt_cmd *cmd = &swt_cmds[0];

	signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write(2), answered where it happens */
	if (argc > 1 && strcmp(argv[1], "--dump-options") == 0) {
		swt_opts_dump(stdout);
		return check_stdout(SWT_EXIT_OK);
	}
	if (argc > 1 && argv[1][0] != '-') {
		cmd = find(argv[1]);
		if (!cmd) {
			swt_msg("there is no command '%s'; see swaptop --help", argv[1]);
			return SWT_EXIT_USAGE;
		}
		argc--;
		argv++;
	}
	return check_stdout(run(cmd, argc, argv));
}
