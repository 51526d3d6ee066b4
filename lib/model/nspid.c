/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Process ids of containers and of the host, see nspid.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/nspid.h"
#include "model/pidfile.h"
#include "model/scan.h"

#define INIT_PID_NS 4026531836u /* PROC_PID_INIT_INO, the same since Linux 3.8 */
#define PATH_LEN    64

/* Our place: what /proc/self below the sysroot says. */
struct self {
	bool seen;	    /* there is a /proc/self/status */
	unsigned int depth; /* ids in its NSpid line: 1 in the namespace of this /proc, 0 no such line */
	uint64_t ns;	    /* inode of our pid namespace, 0 unknown */
	uint64_t proc_ns;   /* of the init process of this /proc, 0 unknown (seen by root alone) */
};

struct search {
	const struct swt_root *root;
	struct swt_buf buf;
	struct self self;
	int pid;
	int found[4];	     /* host ids of processes that match, the first few */
	unsigned int nfound; /* how many there are */
	unsigned int statuses, with_nspid;
};

/* Inode in the link /proc/<who>/ns/pid, "pid:[4026531836]"; 0 when it cannot be read. */
static uint64_t pid_ns(const struct swt_root *root, const char *who)
{
	char path[PATH_LEN], link[64];
	struct swt_scan s;
	struct swt_opt o;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/ns", who);
	fd = swt_root_open(root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return 0;
	n = readlinkat(fd, "pid", link, sizeof(link));
	close(fd);
	if (n <= 0)
		return 0;
	s = swt_scan(link, (size_t)n);
	if (!SWT_SCAN_SKIP(&s, "pid:[") || s.p == s.end || s.end[-1] != ']')
		return 0;
	s.end--;
	o = swt_scan_number(&s);
	return swt_opt_or(o, 0);
}

/* Status of a process by its name in /proc; 0 or -errno. */
static int status_of(const struct swt_root *root, struct swt_buf *buf, const char *who,
		     struct swt_pid_status *st)
{
	char path[PATH_LEN];
	int rc;

	snprintf(path, sizeof(path), "/proc/%s/status", who);
	rc = swt_root_read(root, path, buf);
	return rc ? rc : swt_pid_status(swt_buf_str(buf), buf->len, st);
}

static void look_at_self(const struct swt_root *root, struct swt_buf *buf, struct self *self)
{
	struct swt_pid_status st;

	memset(self, 0, sizeof(*self));
	self->proc_ns = pid_ns(root, "1");
	if (status_of(root, buf, "self", &st))
		return;
	self->seen = true;
	self->depth = st.nnspid;
	self->ns = pid_ns(root, "self");
}

/* This /proc is not that of the host: its init is not the host's, or it is our own and we are not on the host. */
static bool inside(const struct self *self)
{
	if (self->proc_ns)
		return self->proc_ns != INIT_PID_NS;
	return self->seen && self->depth <= 1 && self->ns && self->ns != INIT_PID_NS;
}

static int inside_error(struct swt_err *err)
{
	return swt_err_set(
		err, -EOPNOTSUPP,
		"this /proc is that of a container: its pids are not those of trace events; "
		"run the container with --pid=host, or mount the host's /proc and name its parent with "
		"--sysroot");
}

int swt_nspid_check(const struct swt_root *root, struct swt_err *err)
{
	struct swt_buf buf = SWT_BUF_INIT;
	struct self self;

	look_at_self(root, &buf, &self);
	swt_buf_free(&buf);
	return inside(&self) ? inside_error(err) : 0;
}

/* Is this the process that is @pid to us (our depth known), or to some container? */
static bool matches(const struct search *f, const char *name, const struct swt_pid_status *st)
{
	unsigned int depth = f->self.depth;
	uint64_t ns;

	if (depth < 2)
		return st->nnspid >= 2 && st->nspid[st->nnspid - 1] == f->pid;
	if (st->nnspid < depth || st->nspid[depth - 1] != f->pid)
		return false;
	/* At our depth the namespace must be ours; one further in cannot be compared, and counts. */
	ns = st->nnspid == depth && f->self.ns ? pid_ns(f->root, name) : 0;
	return !ns || ns == f->self.ns;
}

static int look_at(void *arg, const char *name)
{
	struct search *f = arg;
	struct swt_pid_status st;
	struct swt_scan s = swt_scan(name, strlen(name));
	struct swt_opt host = swt_scan_number(&s);

	if (!host.known || !host.v || host.v > INT_MAX || status_of(f->root, &f->buf, name, &st))
		return 0;
	f->statuses++;
	f->with_nspid += st.nnspid > 0;
	if (!matches(f, name, &st))
		return 0;
	if (f->nfound < sizeof(f->found) / sizeof(f->found[0]))
		f->found[f->nfound] = (int)host.v;
	f->nfound++;
	return 0;
}

static int search_error(const struct search *f, struct swt_err *err)
{
	if (f->nfound > 1)
		return swt_err_set(
			err, -ENOTUNIQ,
			"pid %d is a process in %u containers (host pids %d, %d%s): give the host's pid",
			f->pid, f->nfound, f->found[0], f->found[1], f->nfound > 2 ? ", ..." : "");
	if (f->statuses && !f->with_nspid)
		return swt_err_set(
			err, -EOPNOTSUPP,
			"cannot translate pid %d: /proc/PID/status has no NSpid lines here (they need "
			"Linux 4.1 or later with pid namespaces): give the host's pid",
			f->pid);
	return swt_err_set(err, -ESRCH, "no process with pid %d, neither here nor in a container", f->pid);
}

/* Is there a process of this number in the /proc we have? */
static bool exists(struct search *f)
{
	struct swt_pid_status st;
	char name[16];

	snprintf(name, sizeof(name), "%d", f->pid);
	return !status_of(f->root, &f->buf, name, &st);
}

int swt_nspid_host(const struct swt_root *root, pid_t pid, pid_t *ret, struct swt_err *err)
{
	struct search f = { .root = root, .buf = SWT_BUF_INIT, .pid = pid };
	int rc;

	if (pid <= 0)
		return swt_err_set(err, -EINVAL, "'%d' is not a pid", pid);
	look_at_self(root, &f.buf, &f.self);
	if (inside(&f.self)) {
		rc = inside_error(err);
	} else if (f.self.depth < 2 && exists(&f)) {
		*ret = pid;
		rc = 0;
	} else {
		rc = swt_root_each(root, "/proc", look_at, &f);
		if (rc)
			rc = swt_err_set(err, rc, "cannot list '/proc': %s", strerror(-rc));
		else if (f.nfound != 1)
			rc = search_error(&f, err);
		else
			*ret = f.found[0];
	}
	swt_buf_free(&f.buf);
	return rc;
}

const char *swt_nspid_label(char *dst, size_t size, pid_t pid, pid_t host)
{
	if (pid == host)
		snprintf(dst, size, "%d", pid);
	else
		snprintf(dst, size, "%d (host %d)", pid, host);
	return dst;
}
