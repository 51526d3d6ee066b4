/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * khugepaged, zswap and the mode of exit_release: small files of /sys, and khugepaged's own CPU time.
 */
#include "model/pidfile.h"
#include "model/sys-parts.h"

static const struct {
	const char *file;
	size_t at;
} khuge_files[] = {
	{ "full_scans", offsetof(struct swt_khugepaged, full_scans) },
	{ "pages_collapsed", offsetof(struct swt_khugepaged, pages_collapsed) },
	{ "pages_to_scan", offsetof(struct swt_khugepaged, pages_to_scan) },
	{ "scan_sleep_millisecs", offsetof(struct swt_khugepaged, scan_sleep_ms) },
	{ "max_ptes_none", offsetof(struct swt_khugepaged, max_ptes_none) },
	{ "max_ptes_swap", offsetof(struct swt_khugepaged, max_ptes_swap) },
	{ "max_ptes_shared", offsetof(struct swt_khugepaged, max_ptes_shared) },
};

bool swt_sys_khugepaged(struct swt_sys *s, const char *file, const char *text, size_t len)
{
	struct swt_scan word;

	for (size_t i = 0; i < sizeof(khuge_files) / sizeof(khuge_files[0]); i++) {
		if (strcmp(file, khuge_files[i].file))
			continue;
		word = swt_scan_trimmed(text, len);
		*(struct swt_opt *)(void *)((char *)&s->khuge + khuge_files[i].at) = swt_scan_number(&word);
		return true;
	}
	return false;
}

/* The number in "/proc/<number>/stat", or 0. */
static int stat_path(const char *path)
{
	struct swt_scan s = swt_scan(path, strlen(path));
	struct swt_opt o;

	if (swt_scan_left(&s) < 12 || !SWT_SCAN_SKIP(&s, "/proc/"))
		return 0;
	if (memcmp(s.end - 5, "/stat", 5) || s.end - 5 < s.p)
		return 0;
	s.end -= 5;
	o = swt_scan_number(&s);
	return o.known && o.v <= INT_MAX ? (int)o.v : 0;
}

bool swt_sys_pid_stat(struct swt_sys *s, const char *path, const char *text, size_t len)
{
	static const char name[] = "(khugepaged) ";
	const char *open = len ? memchr(text, '(', len) : NULL;
	struct swt_pid_stat st;
	int pid = stat_path(path);

	if (!pid)
		return false;
	/* Samples of all processes come this way: look at the name before reading the rest. */
	if (open && (size_t)(text + len - open) > sizeof(name) && !memcmp(open, name, sizeof(name) - 1) &&
	    !swt_pid_stat(text, len, &st) && st.ppid == 2) {
		s->khuge.pid = pid;
		s->khuge.cpu_ticks = SWT_UNKNOWN;
		if (st.utime.known && st.stime.known && st.utime.v <= UINT64_MAX - st.stime.v)
			s->khuge.cpu_ticks = swt_some(st.utime.v + st.stime.v);
		return true;
	}
	if (pid != s->khuge.pid)
		return false;
	/* It ended (it is started again when huge pages are switched on), or its pid is somebody else's now. */
	s->khuge.pid = 0;
	s->khuge.cpu_ticks = SWT_UNKNOWN;
	return true;
}

void swt_sys_zswap(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan word = swt_scan_trimmed(text, len);

	s->zswap_enabled = SWT_SCAN_IS(&word, "Y") || SWT_SCAN_IS(&word, "1");
}

/* "sync late [async]": the one in brackets. */
void swt_sys_mode(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan line = swt_scan_trimmed(text, len);
	const char *open = memchr(line.p, '[', swt_scan_left(&line)), *close;
	size_t n;

	s->mode[0] = '\0';
	if (!open)
		return;
	close = memchr(open, ']', (size_t)(line.end - open));
	if (!close)
		return;
	n = (size_t)(close - open - 1);
	if (n >= sizeof(s->mode))
		return;
	for (size_t i = 1; i <= n; i++) {
		if ((open[i] < 'a' || open[i] > 'z') && open[i] != '_')
			return;
	}
	memcpy(s->mode, open + 1, n);
	s->mode[n] = '\0';
}
