/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by dat.c, dat6.c and dat7*.c; nobody else includes it.
 */
#ifndef SWT_TRACE_DAT_IMPL_H
#define SWT_TRACE_DAT_IMPL_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "trace/dat.h"
#include "trace/marker.h"

#define DAT_MAX_PAGE	(4u << 20) /* largest sub-buffer believed */
#define DAT_MAX_TEXT	(4u << 20) /* largest format or option text read into memory */
#define DAT_MAX_EVENTS	65536u	   /* common_type has 16 bits */
#define DAT_MAX_CPUS	65536u
#define DAT_MAX_BUFFERS 64u
#define DAT_MAX_STREAMS 8192u
#define DAT_WINDOWS	(8u << 20) /* bytes of read windows, all streams together */
#define DAT_WINDOW	(128u << 10)

enum { /* options of versions 6 and 7 that are used */
       DAT_OPT_DONE = 0,
       DAT_OPT_CPUSTAT = 2,
       DAT_OPT_BUFFER = 3,
       DAT_OPT_CLOCK = 4,
       DAT_OPT_UNAME = 5,
       DAT_OPT_CPUCOUNT = 8,
       DAT_OPT_VERSION = 9,
};

/* A place in the file, read forward through a small buffer; nothing outside the file can be reached. */
struct dat_in {
	int fd;
	bool big;
	uint64_t size; /* of the file */
	uint64_t pos;
	uint64_t at; /* file offset of buf[0] */
	size_t len;  /* bytes in buf */
	unsigned char buf[16384];
};

/* One ring of one CPU. */
struct dat_stream {
	struct swt_dat *d;
	uint64_t off, left; /* what was not read yet */
	unsigned int cpu, buffer;
	unsigned char *win;
	size_t cap, len, pos;
};

struct dat7;

struct swt_dat {
	int fd;
	char *path;
	uint64_t size;
	bool big_endian;
	int long_size;
	uint32_t page_size;
	uint64_t budget; /* bytes of ring data not yet claimed by a stream */
	struct swt_formats *formats;
	struct swt_reader *reader;
	struct dat_stream *streams;
	size_t nstreams;
	struct swt_dat_info info;
	struct swt_source_info src;
	const struct swt_sink *user; /* during a run */
	struct dat7 *v7;
};

/* dat.c */
void dat_cut(struct swt_dat *d, const char *fmt, ...) SWT_PRINTF(2, 3);
void dat_in_init(struct dat_in *in, const struct swt_dat *d, uint64_t pos);
int dat_get(struct dat_in *in, void *to, size_t n); /* 0, -EBADMSG at the end of the file, -errno */
int dat_u16(struct dat_in *in, uint16_t *ret);
int dat_u32(struct dat_in *in, uint32_t *ret);
int dat_u64(struct dat_in *in, uint64_t *ret);
int dat_str(struct dat_in *in, char *to,
	    size_t cap); /* up to and including NUL; -EBADMSG when it does not fit */
int dat_skip(struct dat_in *in, uint64_t n);
int dat_text(struct dat_in *in, uint64_t n, struct swt_buf *b); /* -EFBIG above DAT_MAX_TEXT, skipped */
void dat_option(struct swt_dat *d, unsigned int id, const char *text, size_t len);
void dat_clock(struct swt_dat *d, const char *text, size_t len);
void dat_info_sample(struct swt_dat *d, const char *text, size_t len);
void dat_source(struct swt_dat *d); /* kind, level and events from the formats */
int dat_default_header_page(struct swt_dat *d);

/* dat6.c */
int dat6_open(struct swt_dat *d, struct dat_in *in, struct swt_err *err);
int dat6_rings(struct swt_dat *d); /* dat6-ring.c: the reader and its streams */
int dat6_stream(struct swt_dat *d, unsigned int cpu, unsigned int buffer, uint64_t off, uint64_t size);

/* dat7.c, dat7-opt.c */
int dat7_options(struct swt_dat *d, struct dat_in *in, struct swt_err *err);
int dat7_open(struct swt_dat *d, struct dat_in *in, struct swt_err *err);
int dat7_run(struct swt_dat *d, uint64_t until_ns, const struct swt_sink *sink);
void dat7_close(struct dat7 *v);
const struct swt_reader_stats *dat7_stats(const struct dat7 *v);

/* Frames from the child that holds libtracecmd, in the byte order of this machine; see dat7.c. */
enum dat7_type { DAT7_FORMAT = 1, DAT7_READY, DAT7_EVENT, DAT7_END };
struct dat7_frame {
	uint32_t type, len; /* len bytes follow */
	uint32_t cpu, buffer;
	uint64_t ts;
	uint64_t missed; /* events lost before this one; UINT64_MAX: some, number unknown */
};
#define DAT7_MAX_FRAME (4u << 20)

/* dat7-child.c: never returns. */
void dat7_child(int fd, int out) __attribute__((noreturn));

#endif
