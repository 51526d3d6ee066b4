/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The readers behind swt_sys_file(), one group of files each.  Private to lib/model.
 *
 * Each replaces what an older text of the same file said; an empty text makes its numbers unknown.
 */
#ifndef SWT_MODEL_SYS_PARTS_H
#define SWT_MODEL_SYS_PARTS_H

#include "model/scan.h"
#include "model/sys.h"

/* sys-vmstat.c */
void swt_sys_vmstat(struct swt_sys *s, const char *text, size_t len);
void swt_sys_meminfo(struct swt_sys *s, const char *text, size_t len);
void swt_sys_stat(struct swt_sys *s, const char *text, size_t len);
void swt_sys_psi(struct swt_sys *s, const char *text, size_t len);

/**
 * swt_sys_trim - the lines of a file that swt_sys_file() reads, as a shorter file of the same form
 *
 * For /proc/vmstat, /proc/meminfo and /proc/stat: what is left is a tenth, so recordings stay small.  Any other
 * path: the whole text.  Appends to @out; 0 or -errno of swt_buf_add().
 */
int swt_sys_trim(const char *path, const char *text, size_t len, struct swt_buf *out);

/* sys-swap.c */
void swt_sys_swaps(struct swt_sys *s, const char *text, size_t len);
/** swt_sys_used - bytes of all swap areas in use, by /proc/swaps, else by /proc/meminfo. */
struct swt_opt swt_sys_used(const struct swt_sys *s);

/* sys-zram.c: @rest is what follows "/sys/block/"; false when it is not a zram file of ours. */
bool swt_sys_zram(struct swt_sys *s, const char *rest, const char *text, size_t len);
/** swt_zram_name - is this "zram" and a number, at most 15 bytes? */
bool swt_zram_name(const char *name, size_t len);

/* sys-knobs.c */
bool swt_sys_khugepaged(struct swt_sys *s, const char *file, const char *text, size_t len);
bool swt_sys_pid_stat(struct swt_sys *s, const char *path, const char *text, size_t len);
void swt_sys_zswap(struct swt_sys *s, const char *text, size_t len);
void swt_sys_mode(struct swt_sys *s, const char *text, size_t len);

#endif
