/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which text goes to which reader, and the names of counters, see sys.h.
 */
#include "model/sys-parts.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *const vmstat_names[SWT_VM_COUNT] = {
#define SWT_X(id, name) [SWT_VM_##id] = name,
	SWT_VMSTAT(SWT_X)
#undef SWT_X
};

const char *swt_vmstat_name(enum swt_vmstat id)
{
	return (unsigned int)id < SWT_VM_COUNT ? vmstat_names[id] : NULL;
}

const char *swt_swap_kind_name(enum swt_swap_kind k)
{
	static const char *const names[] = {
		[SWT_SWAP_UNKNOWN] = "unknown",
		[SWT_SWAP_ZRAM] = "zram",
		[SWT_SWAP_FILE] = "file",
		[SWT_SWAP_PARTITION] = "partition",
	};

	return (unsigned int)k < ARRAY_SIZE(names) ? names[k] : names[SWT_SWAP_UNKNOWN];
}

void swt_sys_missing(const struct swt_sys *s, void (*fn)(void *arg, const char *name), void *arg)
{
	for (unsigned int i = 0; i < SWT_VM_COUNT; i++) {
		if (!s->vm[i].known)
			fn(arg, vmstat_names[i]);
	}
}

static const struct {
	const char *path;
	void (*read)(struct swt_sys *s, const char *text, size_t len);
} whole[] = {
	{ "/proc/vmstat", swt_sys_vmstat },
	{ "/proc/meminfo", swt_sys_meminfo },
	{ "/proc/swaps", swt_sys_swaps },
	{ "/proc/stat", swt_sys_stat },
	{ "/proc/pressure/memory", swt_sys_psi },
	{ "/sys/module/zswap/parameters/enabled", swt_sys_zswap },
	{ "/sys/kernel/mm/swap/exit_release/mode", swt_sys_mode },
};

static const char *after(const char *path, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(path, prefix, n) ? NULL : path + n;
}

static bool take(struct swt_sys *s, const char *path, const char *text, size_t len)
{
	const char *rest;

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++) {
		if (!strcmp(path, whole[i].path)) {
			whole[i].read(s, text, len);
			return true;
		}
	}
	rest = after(path, "/sys/block/");
	if (rest)
		return swt_sys_zram(s, rest, text, len);
	rest = after(path, "/sys/kernel/mm/transparent_hugepage/khugepaged/");
	if (rest)
		return swt_sys_khugepaged(s, rest, text, len);
	return swt_sys_pid_stat(s, path, text, len);
}

int swt_sys_file(struct swt_sys *s, uint64_t ts, const char *path, const char *text, size_t len)
{
	if (!take(s, path, len ? text : "", len))
		return 0;
	if (ts > s->ts)
		s->ts = ts;
	return 1;
}
