/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that are safe to put into JSON.  Used inside lib/out only.
 *
 * json-c copies strings byte by byte and prints doubles as C does, so neither is left to it: strings are made valid
 * UTF-8 first, and there are no doubles (ratios are whole numbers of hundredths, printed with fixed digits), hence
 * no NaN.  A number above 2^53-1 in a key that holds a number cannot be right (as ns, 104 days); readers that
 * keep doubles would change it silently, so it becomes null, or 2^53-1 in a count that is never null.
 *
 * Keys must be string constants; an object is given each key once.  A failed allocation is remembered in the
 * builder and found by jv_end().
 */
#ifndef SWT_OUT_JVAL_H
#define SWT_OUT_JVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "base/buf.h"
#include "base/opt.h"
#include "model/hist.h"
#include "model/rate.h"
#include "model/sys.h"

#define JV_MAX_NUMBER 9007199254740991ull

/* One object under construction; children share @rc and @tmp of the root. */
struct jv {
	struct json_object *o;
	int *rc;
	struct swt_buf *tmp;
};

void jv_null(struct jv *j, const char *key);
void jv_bool(struct jv *j, const char *key, bool v);
void jv_num(struct jv *j, const char *key, uint64_t v);
void jv_int(struct jv *j, const char *key, int v);
void jv_opt(struct jv *j, const char *key, struct swt_opt v);
void jv_delta(struct jv *j, const char *key, struct swt_delta v);    /* resets are null */
void jv_pid(struct jv *j, const char *key, int pid);		     /* 0 is null */
void jv_opt_str(struct jv *j, const char *key, struct swt_opt v);    /* decimal string */
void jv_hundredths(struct jv *j, const char *key, struct swt_opt v); /* 1210 is 12.10 */
void jv_seconds(struct jv *j, const char *key, struct swt_opt ns);   /* as many digits as needed: 1.0, 0.25 */
void jv_str(struct jv *j, const char *key, const char *s);	     /* our own word; NULL and "" are null */
void jv_bytes(struct jv *j, const char *key, const char *s, size_t len); /* from outside */
/** jv_name - @key valid UTF-8 and @hex_key the exact bytes, null when they were valid; NULL @s: both null. */
void jv_name(struct jv *j, const char *key, const char *hex_key, const char *s, size_t len);
/** jv_hist - p50, p95, p99, max and the buckets that are not empty, as [index, count]. */
void jv_hist(struct jv *j, const char *key, const struct swt_hist *h);

/** jv_count - a number under a key from outside (copied, made valid UTF-8); a later one of that key wins. */
void jv_count(struct jv *j, const char *key, uint64_t v);

struct jv jv_object(struct jv *j, const char *key);	     /* a child object, owned by @j */
struct json_object *jv_array(struct jv *j, const char *key); /* NULL on -ENOMEM */
struct jv jv_item(struct jv *j, struct json_object *array);  /* an object at the end of @array */
void jv_item_bytes(struct jv *j, struct json_object *array, const char *s, size_t len);

/** jv_areas - the swap areas, null when /proc/swaps is not known (or @sys is NULL). */
void jv_areas(struct jv *j, const char *key, const struct swt_sys *sys);

#endif
