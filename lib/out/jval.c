/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that are safe to put into JSON.
 */
#include "out/jval.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

#define JV_FLAGS (JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY)

/* @v is NULL when it could not be made. */
static void put(struct jv *j, const char *key, struct json_object *v)
{
	if (v && j->o && !json_object_object_add_ex(j->o, key, v, JV_FLAGS))
		return;
	json_object_put(v);
	*j->rc = -ENOMEM;
}

void jv_null(struct jv *j, const char *key)
{
	if (!j->o || json_object_object_add_ex(j->o, key, NULL, JV_FLAGS))
		*j->rc = -ENOMEM;
}

void jv_bool(struct jv *j, const char *key, bool v)
{
	put(j, key, json_object_new_boolean(v));
}

void jv_num(struct jv *j, const char *key, uint64_t v)
{
	put(j, key, json_object_new_uint64(v < JV_MAX_NUMBER ? v : JV_MAX_NUMBER));
}

void jv_int(struct jv *j, const char *key, int v)
{
	put(j, key, json_object_new_int(v));
}

void jv_opt(struct jv *j, const char *key, struct swt_opt v)
{
	if (v.known && v.v <= JV_MAX_NUMBER)
		jv_num(j, key, v.v);
	else
		jv_null(j, key);
}

void jv_delta(struct jv *j, const char *key, struct swt_delta v)
{
	jv_opt(j, key, v.kind == SWT_DELTA_OK ? swt_some(v.v) : SWT_UNKNOWN);
}

void jv_pid(struct jv *j, const char *key, int pid)
{
	if (pid > 0)
		jv_int(j, key, pid);
	else
		jv_null(j, key);
}

void jv_opt_str(struct jv *j, const char *key, struct swt_opt v)
{
	char s[24];

	if (!v.known) {
		jv_null(j, key);
		return;
	}
	snprintf(s, sizeof(s), "%" PRIu64, v.v);
	put(j, key, json_object_new_string(s));
}

void jv_hundredths(struct jv *j, const char *key, struct swt_opt v)
{
	char s[32];

	if (!v.known || v.v > JV_MAX_NUMBER) {
		jv_null(j, key);
		return;
	}
	/* The double is only a vehicle: json-c prints the text. */
	snprintf(s, sizeof(s), "%" PRIu64 ".%02u", v.v / 100, (unsigned int)(v.v % 100));
	put(j, key, json_object_new_double_s((double)v.v / 100, s));
}

void jv_seconds(struct jv *j, const char *key, struct swt_opt ns)
{
	char s[40];
	size_t len;

	if (!ns.known) {
		jv_null(j, key);
		return;
	}
	len = (size_t)snprintf(s, sizeof(s), "%" PRIu64 ".%09u", (uint64_t)(ns.v / SWT_NS_PER_SEC),
			       (unsigned int)(ns.v % SWT_NS_PER_SEC));
	while (s[len - 1] == '0' && s[len - 2] != '.')
		s[--len] = '\0';
	put(j, key, json_object_new_double_s((double)ns.v / SWT_NS_PER_SEC, s));
}

void jv_str(struct jv *j, const char *key, const char *s)
{
	if (!s || !*s)
		jv_null(j, key);
	else
		jv_bytes(j, key, s, strlen(s));
}

static struct json_object *text(struct jv *j, const char *s, size_t len)
{
	int rc;

	if (len > INT_MAX / 4)
		return NULL;
	if (swt_text_valid(s, len))
		return json_object_new_string_len(s, (int)len);
	swt_buf_reset(j->tmp);
	rc = swt_text_utf8(j->tmp, s, len);
	return rc ? NULL : json_object_new_string_len(swt_buf_str(j->tmp), (int)j->tmp->len);
}

void jv_bytes(struct jv *j, const char *key, const char *s, size_t len)
{
	put(j, key, text(j, s, len));
}

void jv_name(struct jv *j, const char *key, const char *hex_key, const char *s, size_t len)
{
	if (!s) {
		jv_null(j, key);
		jv_null(j, hex_key);
		return;
	}
	jv_bytes(j, key, s, len);
	if (swt_text_valid(s, len)) {
		jv_null(j, hex_key);
		return;
	}
	swt_buf_reset(j->tmp);
	if (swt_text_hex(j->tmp, s, len))
		*j->rc = -ENOMEM;
	else
		put(j, hex_key, json_object_new_string(swt_buf_str(j->tmp)));
}

static void add_bucket(struct jv *j, struct json_object *array, unsigned int index, uint32_t count)
{
	struct json_object *pair = array ? json_object_new_array_ext(2) : NULL;

	if (pair && !json_object_array_add(pair, json_object_new_int64(index)) &&
	    !json_object_array_add(pair, json_object_new_int64(count)) && !json_object_array_add(array, pair))
		return;
	json_object_put(pair);
	*j->rc = -ENOMEM;
}

void jv_hist(struct jv *j, const char *key, const struct swt_hist *h)
{
	struct jv o = jv_object(j, key);
	struct json_object *buckets;
	unsigned int i;

	jv_opt(&o, "p50", swt_hist_quantile(h, 0.50));
	jv_opt(&o, "p95", swt_hist_quantile(h, 0.95));
	jv_opt(&o, "p99", swt_hist_quantile(h, 0.99));
	jv_opt(&o, "max", h->count ? swt_some(h->max) : SWT_UNKNOWN);
	buckets = jv_array(&o, "buckets");
	for (i = 0; i < SWT_HIST_BUCKETS; i++)
		if (h->bucket[i])
			add_bucket(j, buckets, i, h->bucket[i]);
}

void jv_count(struct jv *j, const char *key, uint64_t v)
{
	struct json_object *o = json_object_new_uint64(v < JV_MAX_NUMBER ? v : JV_MAX_NUMBER);

	swt_buf_reset(j->tmp);
	if (j->o && o && !swt_text_utf8(j->tmp, key, strlen(key)) &&
	    !json_object_object_add(j->o, swt_buf_str(j->tmp), o))
		return;
	json_object_put(o);
	*j->rc = -ENOMEM;
}

struct jv jv_object(struct jv *j, const char *key)
{
	struct jv child = { json_object_new_object(), j->rc, j->tmp };
	struct json_object *o = child.o;

	if (!o || !j->o || json_object_object_add_ex(j->o, key, o, JV_FLAGS)) {
		json_object_put(o);
		child.o = NULL;
		*j->rc = -ENOMEM;
	}
	return child;
}

struct json_object *jv_array(struct jv *j, const char *key)
{
	struct json_object *a = json_object_new_array();

	if (a && j->o && !json_object_object_add_ex(j->o, key, a, JV_FLAGS))
		return a;
	json_object_put(a);
	*j->rc = -ENOMEM;
	return NULL;
}

struct jv jv_item(struct jv *j, struct json_object *array)
{
	struct jv child = { json_object_new_object(), j->rc, j->tmp };

	if (!child.o || !array || json_object_array_add(array, child.o)) {
		json_object_put(child.o);
		child.o = NULL;
		*j->rc = -ENOMEM;
	}
	return child;
}

void jv_item_bytes(struct jv *j, struct json_object *array, const char *s, size_t len)
{
	struct json_object *v = text(j, s, len);

	if (v && array && !json_object_array_add(array, v))
		return;
	json_object_put(v);
	*j->rc = -ENOMEM;
}

void jv_areas(struct jv *j, const char *key, const struct swt_sys *sys)
{
	struct json_object *array;
	unsigned int i;

	if (!sys || !sys->areas_known) {
		jv_null(j, key);
		return;
	}
	array = jv_array(j, key);
	for (i = 0; i < sys->nareas && i < SWT_MAX_SWAPS; i++) {
		const struct swt_swap_area *a = &sys->area[i];
		struct jv d = jv_item(j, array);

		jv_bytes(&d, "name", a->name, strnlen(a->name, sizeof(a->name)));
		jv_str(&d, "kind", swt_swap_kind_name(a->kind));
		jv_opt(&d, "size_bytes", a->size);
		jv_opt(&d, "used_bytes", a->used);
		jv_int(&d, "priority", a->priority);
	}
}
