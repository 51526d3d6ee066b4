/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(char **argv, int fd)
{
	sigset_t none;
	int e;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[0], argv);
	e = errno;
	while (write(fd, &e, sizeof(e)) < 0 && errno == EINTR)
		;
	_exit(127);
}

int swt_child_start(struct swt_child *c, char **argv, struct swt_err *err)
{
	int fd[2], e = 0;
	ssize_t n;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		run_child(argv, fd[1]);
	if (pid < 0)
		e = errno;
	close(fd[1]);
	/* The pipe closes with a successful exec; a failed one sends its errno. */
	do {
		n = pid > 0 ? read(fd[0], &e, sizeof(e)) : 0;
	} while (n < 0 && errno == EINTR);
	close(fd[0]);
	if (pid > 0 && n > 0)
		waitpid(pid, NULL, 0);
	if (e)
		return swt_err_set(err, -e, "cannot run '%s': %s", argv[0], strerror(e));
	c->pid = pid;
	return 0;
}

bool swt_child_reap(struct swt_child *c)
{
	pid_t pid;
	int status;
	bool ended = false;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != c->pid)
			continue;
		c->pid = 0;
		c->status = status;
		ended = true;
	}
	return ended;
}

void swt_child_end(struct swt_child *c)
{
	if (c->pid <= 0)
		return;
	kill(c->pid, SIGTERM);
	while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}
