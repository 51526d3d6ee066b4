/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system as /proc and /sys tell it: counters, swap areas, zram, zswap, memory, pressure, khugepaged.
 *
 * Input is the text of one file at a time (live, from a recording, or from a test).  Every number is optional:
 * what this kernel does not have stays unknown.  Texts are untrusted; unknown lines are skipped.
 */
#ifndef SWT_MODEL_SYS_H
#define SWT_MODEL_SYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/opt.h"
#include "model/rate.h"

/* Counters of /proc/vmstat we use: X(ID, "name").  From NR_SWAP_DEFERRED on they are of the swaptop kernel patch. */
/* clang-format off */
#define SWT_VMSTAT(X) \
	X(PSWPIN, "pswpin") \
	X(PSWPOUT, "pswpout") \
	X(SWPIN_ZERO, "swpin_zero") \
	X(SWPOUT_ZERO, "swpout_zero") \
	X(ZSWPIN, "zswpin") \
	X(ZSWPOUT, "zswpout") \
	X(ZSWPWB, "zswpwb") \
	X(OOM_KILL, "oom_kill") \
	X(NR_FREE_PAGES, "nr_free_pages") \
	X(NR_SWAPCACHED, "nr_swapcached") \
	X(THP_EXCEED_NONE, "thp_scan_exceed_none_pte") \
	X(THP_EXCEED_SWAP, "thp_scan_exceed_swap_pte") \
	X(THP_EXCEED_SHARE, "thp_scan_exceed_share_pte") \
	X(NR_SWAP_DEFERRED, "nr_swap_deferred") \
	X(EXIT_SYNC, "swap_exit_sync") \
	X(EXIT_LATE, "swap_exit_late") \
	X(EXIT_DEFERRED, "swap_exit_deferred") \
	X(EXIT_RELEASED, "swap_exit_released") \
	X(EXIT_FALLBACK, "swap_exit_fallback") \
	X(EXIT_DRAINED, "swap_exit_drained") \
	X(THP_SKIP_DISABLED, "thp_scan_skip_disabled") \
	X(THP_SKIP_EXIT, "thp_scan_skip_exit") \
	X(THP_SKIP_LOCK, "thp_scan_skip_lock") \
	X(THP_ABORT, "thp_scan_abort")
/* clang-format on */

enum swt_vmstat {
#define SWT_X(id, name) SWT_VM_##id,
	SWT_VMSTAT(SWT_X)
#undef SWT_X
		SWT_VM_COUNT
};

/** swt_vmstat_name - "pswpin" for SWT_VM_PSWPIN. */
const char *swt_vmstat_name(enum swt_vmstat id);

enum swt_swap_kind { SWT_SWAP_UNKNOWN, SWT_SWAP_ZRAM, SWT_SWAP_FILE, SWT_SWAP_PARTITION };
const char *swt_swap_kind_name(enum swt_swap_kind k); /* "unknown", "zram", "file", "partition" */

#define SWT_MAX_SWAPS 32
#define SWT_MAX_ZRAM  32

struct swt_swap_area {
	char name[128]; /* bytes as in /proc/swaps with its octal escapes decoded; may be any bytes */
	enum swt_swap_kind kind;
	struct swt_opt size, used; /* bytes */
	int priority;
};

struct swt_zram {
	char name[16];
	struct swt_opt data, compressed, pool, pool_peak, same_pages; /* bytes; same_pages: pages */
	struct swt_opt missed_free; /* frees whose slot lock was busy (debug_stat version 1) */
	struct swt_opt notify_free;
};

struct swt_khugepaged {
	struct swt_opt full_scans, pages_collapsed, pages_to_scan, scan_sleep_ms;
	struct swt_opt max_ptes_none, max_ptes_swap, max_ptes_shared;
	struct swt_opt cpu_ticks; /* utime + stime of the thread */
	int pid;		  /* 0 unknown */
};

struct swt_sys {
	uint64_t ts; /* of the newest file */
	struct swt_opt vm[SWT_VM_COUNT];
	struct swt_opt mem_total, mem_free, mem_available, swap_total, swap_free, swap_cached; /* bytes */
	struct swt_opt zswap_pool, zswap_data;	       /* meminfo Zswap, Zswapped: bytes */
	struct swt_opt psi_some_avg10, psi_full_avg10; /* hundredths of a percent */
	struct swt_opt processes;		       /* /proc/stat: forks since boot, threads included */
	struct swt_swap_area area[SWT_MAX_SWAPS];
	unsigned int nareas;
	bool areas_known;
	struct swt_zram zram[SWT_MAX_ZRAM];
	unsigned int nzram;
	struct swt_khugepaged khuge;
	char mode[16];	     /* exit_release mode: "sync", "late", "async"; "" unknown */
	char debug_note[96]; /* e.g. a debug_stat version we do not know; "" none */
	bool zswap_enabled;
};

/**
 * swt_sys_file - take in one file
 *
 * @path: /proc/vmstat, /proc/meminfo, /proc/swaps, /proc/stat, /proc/pressure/memory, /sys/block/zramN/{mm_stat,
 * io_stat,debug_stat,orig_data_size,compr_data_size,mem_used_total}, /sys/kernel/mm/transparent_hugepage/khugepaged/<file>,
 * /proc/<khugepaged>/stat (recognised by its name field), /sys/module/zswap/parameters/enabled,
 * /sys/kernel/mm/swap/exit_release/mode
 *
 * A newer text of a file replaces all that the older one said (a counter no longer there becomes unknown); an empty one
 * means that the file is gone.  A zram device all of whose files are gone leaves the list.
 * Returns 1 when the path is one of these, 0 when not; never fails.
 */
int swt_sys_file(struct swt_sys *s, uint64_t ts, const char *path, const char *text, size_t len);

/**
 * swt_sys_backend - what all swap in use lies on: "zram", "zswap", "file", "partition", "mixed" or "unknown"
 *
 * "zswap" means files and partitions with zswap in front of them.  With nothing in use: the kind that all areas have.
 */
const char *swt_sys_backend(const struct swt_sys *s);

/** swt_sys_missing - names of SWT_VMSTAT counters this kernel does not have, one callback each. */
void swt_sys_missing(const struct swt_sys *s, void (*fn)(void *arg, const char *name), void *arg);

/**
 * swt_sys_explain - why the numbers of /proc/swaps and of zram differ: one line appended, or nothing (no swap in use)
 *
 * "slots in use 7.50 G; stored in zram 2.30 G, pool memory 800 M; zero-filled up to 1.10 G take a slot and no
 * memory; 308 M also in RAM; 120 frees missed (up to 480 KiB of data held)".  Zero-filled is an upper bound, since
 * the kernel counts how many were written and not how many are left.
 */
int swt_sys_explain(const struct swt_sys *s, uint64_t page_size, struct swt_buf *out);

#endif
