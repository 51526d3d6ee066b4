/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Made-up releases, intervals and sources with known values, for tests of lib/out.
 */
#ifndef TEST_OUTGEN_H
#define TEST_OUTGEN_H

#include "model/release.h"
#include "model/snapshot.h"
#include "out/json.h"
#include "out/wall.h"
#include "trace/source.h"

/** The clock pair of the example stream: 81,234 s after boot is 2026-11-30T12:04:30Z. */
#define OUTGEN_MONO 81234000000000ull
#define OUTGEN_REAL 1796040270000000000ull

/** outgen_exit - com.maps, killed by pid 412 among 15, everything known (patched kernel). */
void outgen_exit(struct swt_release *r);
/** outgen_blank - nothing known but that something ended. */
void outgen_blank(struct swt_release *r);
/** outgen_odd - names and numbers at the edges: invalid UTF-8, escapes, the largest values. */
void outgen_odd(struct swt_release *r);

/** outgen_snapshot - an interval of a patched kernel, everything known. */
void outgen_snapshot(struct swt_snapshot *s);
/** outgen_snapshot_blank - a kernel that tells nothing. */
void outgen_snapshot_blank(struct swt_snapshot *s);
/** outgen_snapshot_odd - resets, hostile names, full tables. */
void outgen_snapshot_odd(struct swt_snapshot *s);

void outgen_source(struct swt_source_info *i, enum swt_source_kind kind);
void outgen_header(struct swt_json_header *h, const struct swt_source_info *i, const struct swt_sys *sys);

/** outgen_stream - a whole stream with every kind of record and edge to @fd; 0 or -errno. */
int outgen_stream(int fd, const struct swt_wall *w);

#endif
