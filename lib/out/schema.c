/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON Schema, made from the table of keys.
 *
 * A record is chosen by its type (if/then, which gives better messages than oneOf).  Unknown keys are allowed
 * everywhere, so that a reader made for one minor version takes the output of the next.
 */
#include "out/schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "out/json.h"

/* clang-format off */
static const char defs[] =
	"{\"histogram\":{\"type\":\"object\","
	"\"description\":\"Layout p2q4. buckets: [index, count] of each bucket that is not empty, by index. Bucket 0 holds "
	"zeros, bucket i >= 1 values v with 2^((i-1)/4) <= v < 2^(i/4). Histograms of many hosts add up bucket by bucket. "
	"p50, p95, p99: the largest value that fits the bucket they fall into, never above max; null when there are no values.\","
	"\"required\":[\"p50\",\"p95\",\"p99\",\"max\",\"buckets\"],\"properties\":{"
	"\"p50\":{\"$ref\":\"#/$defs/number_or_null\"},\"p95\":{\"$ref\":\"#/$defs/number_or_null\"},"
	"\"p99\":{\"$ref\":\"#/$defs/number_or_null\"},\"max\":{\"$ref\":\"#/$defs/number_or_null\"},"
	"\"buckets\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"prefixItems\":["
	"{\"type\":\"integer\",\"minimum\":0,\"maximum\":256},{\"type\":\"integer\",\"minimum\":1,\"maximum\":4294967295}],"
	"\"minItems\":2,\"maxItems\":2}}}},"
	"\"number_or_null\":{\"type\":[\"integer\",\"null\"],\"minimum\":0,\"maximum\":9007199254740991}}";
/* clang-format on */

/* json-c calls that take ownership of @v, also when they fail: one flag collects failures. */
struct gen {
	bool failed;
};

static void set(struct gen *g, struct json_object *o, const char *key, struct json_object *v)
{
	if (!o || !v || json_object_object_add(o, key, v)) {
		json_object_put(v);
		g->failed = true;
	}
}

static void push(struct gen *g, struct json_object *a, struct json_object *v)
{
	if (!a || !v || json_object_array_add(a, v)) {
		json_object_put(v);
		g->failed = true;
	}
}

static void set_str(struct gen *g, struct json_object *o, const char *key, const char *s)
{
	set(g, o, key, json_object_new_string(s));
}

static void push_str(struct gen *g, struct json_object *a, const char *s)
{
	push(g, a, json_object_new_string(s));
}

static void set_type(struct gen *g, struct json_object *o, const char *type, bool null)
{
	struct json_object *a;

	if (!null) {
		set_str(g, o, "type", type);
		return;
	}
	a = json_object_new_array();
	push_str(g, a, type);
	push_str(g, a, "null");
	set(g, o, "type", a);
}

/* Gives @o the members of a schema for objects. */
static void set_object(struct gen *g, struct json_object *o, bool null)
{
	set_type(g, o, "object", null);
	set(g, o, "required", json_object_new_array());
	set(g, o, "properties", json_object_new_object());
}

static void set_words(struct gen *g, struct json_object *o, const char *words, bool null)
{
	struct json_object *a = json_object_new_array();

	while (*words) {
		size_t n = strcspn(words, " ");

		push(g, a, json_object_new_string_len(words, (int)n));
		words += n + (words[n] == ' ');
	}
	if (null && a && json_object_array_add(a, NULL))
		g->failed = true;
	set(g, o, "enum", a);
}

static void set_items(struct gen *g, struct json_object *o, const struct swt_key *k)
{
	struct json_object *items = json_object_new_object();

	set_type(g, o, "array", k->null);
	if (k->type == SWT_KEY_LIST)
		set_object(g, items, false);
	else
		set_str(g, items, "type", "string");
	set(g, o, "items", items);
}

static void set_number(struct gen *g, struct json_object *o, const struct swt_key *k)
{
	set_type(g, o, k->type == SWT_KEY_RATIO ? "number" : "integer", k->null);
	if (k->type == SWT_KEY_INT)
		return;
	set(g, o, "minimum", json_object_new_int(0));
	if (k->type == SWT_KEY_NUMBER)
		set(g, o, "maximum", json_object_new_int64(9007199254740991));
}

static void set_map(struct gen *g, struct json_object *o, const struct swt_key *k)
{
	struct json_object *value = json_object_new_object();

	set_type(g, o, "object", k->null);
	if (k->type == SWT_KEY_COUNTS)
		set_str(g, value, "$ref", "#/$defs/number_or_null");
	else
		set_words(g, value, "have missing no_access", false);
	set(g, o, "additionalProperties", value);
}

static void set_hist(struct gen *g, struct json_object *o, bool null)
{
	struct json_object *any, *o1;

	if (!null) {
		set_str(g, o, "$ref", "#/$defs/histogram");
		return;
	}
	any = json_object_new_array();
	o1 = json_object_new_object();
	set_str(g, o1, "type", "null");
	push(g, any, o1);
	o1 = json_object_new_object();
	set_str(g, o1, "$ref", "#/$defs/histogram");
	push(g, any, o1);
	set(g, o, "anyOf", any);
}

static struct json_object *property(struct gen *g, const struct swt_key *k)
{
	struct json_object *o = json_object_new_object();

	set_str(g, o, "description", k->help);
	switch (k->type) {
	case SWT_KEY_STRING:
		set_type(g, o, "string", k->null);
		break;
	case SWT_KEY_TIME:
		set_type(g, o, "string", k->null);
		set_str(g, o, "pattern",
			"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$");
		break;
	case SWT_KEY_U64:
		set_type(g, o, "string", k->null);
		set_str(g, o, "pattern", "^(0|[1-9][0-9]{0,19})$");
		break;
	case SWT_KEY_NUMBER:
	case SWT_KEY_INT:
	case SWT_KEY_RATIO:
		set_number(g, o, k);
		break;
	case SWT_KEY_BOOL:
		set_type(g, o, "boolean", k->null);
		break;
	case SWT_KEY_OBJECT:
		set_object(g, o, k->null);
		break;
	case SWT_KEY_LIST:
	case SWT_KEY_STRINGS:
		set_items(g, o, k);
		break;
	case SWT_KEY_COUNTS:
	case SWT_KEY_STATES:
		set_map(g, o, k);
		break;
	case SWT_KEY_HIST:
		set_hist(g, o, k->null);
		break;
	}
	if (k->words)
		set_words(g, o, k->words, k->null);
	return o;
}

/* The schema of the object that holds the last key of @path; *leaf is that key. */
static struct json_object *holder(struct json_object *record, const char *path, const char **leaf)
{
	struct json_object *o = record;
	const char *dot;

	for (; o && (dot = strchr(path, '.')); path = dot + 1) {
		char name[64];
		size_t n = (size_t)(dot - path);
		bool list = n > 2 && !strncmp(dot - 2, "[]", 2);

		n -= list ? 2 : 0;
		if (n >= sizeof(name))
			return NULL;
		memcpy(name, path, n);
		name[n] = '\0';
		o = json_object_object_get(json_object_object_get(o, "properties"), name);
		if (list)
			o = json_object_object_get(o, "items");
	}
	*leaf = path;
	return o;
}

static void add_key(struct gen *g, struct json_object *record, const struct swt_key *k)
{
	const char *leaf = NULL;
	struct json_object *o = holder(record, k->path, &leaf);

	if (!o) {
		g->failed = true;
		return;
	}
	set(g, json_object_object_get(o, "properties"), leaf, property(g, k));
	if (!k->optional)
		push_str(g, json_object_object_get(o, "required"), leaf);
}

/* {"if": type is @record, "then": its definition} */
static struct json_object *choice(struct gen *g, const char *record)
{
	struct json_object *o = json_object_new_object(), *cond = json_object_new_object(),
			   *props = json_object_new_object(), *type = json_object_new_object(),
			   *then = json_object_new_object(), *req = json_object_new_array();
	char ref[64];

	snprintf(ref, sizeof(ref), "#/$defs/%s", record);
	set_str(g, type, "const", record);
	set(g, props, "type", type);
	push_str(g, req, "type");
	set(g, cond, "required", req);
	set(g, cond, "properties", props);
	set_str(g, then, "$ref", ref);
	set(g, o, "if", cond);
	set(g, o, "then", then);
	return o;
}

static void build(struct gen *g, struct json_object *root)
{
	struct json_object *d = json_tokener_parse(defs), *all = json_object_new_array(),
			   *types = json_object_new_array(), *record = NULL;
	const char *name = "*";
	size_t i;

	set_str(g, root, "$schema", "https://json-schema.org/draft/2020-12/schema");
	set_str(g, root, "$id", "urn:" SWT_SCHEMA);
	set_str(g, root, "title", SWT_SCHEMA);
	set_str(g, root, "description",
		"One line of swaptop --json. Unknown is null, never 0. Numbers are whole unless they are ratios; "
		"what can pass 2^53 is a decimal string. Readers must ignore keys they do not know.");
	set_object(g, root, false);
	for (i = 0; i < swt_nkeys && !g->failed; i++) {
		const struct swt_key *k = &swt_keys[i];

		if (strcmp(k->record, name)) {
			name = k->record;
			record = json_object_new_object();
			set_object(g, record, false);
			set(g, d, name, record);
			push_str(g, types, name);
			push(g, all, choice(g, name));
			if (g->failed)
				break;
		}
		add_key(g, record ? record : root, k);
	}
	set(g, json_object_object_get(json_object_object_get(root, "properties"), "type"), "enum", types);
	set(g, root, "allOf", all);
	set(g, root, "$defs", d);
}

int swt_schema(struct swt_buf *out)
{
	struct gen g = { false };
	struct json_object *root = json_object_new_object();
	const char *s = NULL;
	int rc = -ENOMEM;

	if (root)
		build(&g, root);
	if (root && !g.failed)
		s = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
								 JSON_C_TO_STRING_NOSLASHESCAPE |
								 JSON_C_TO_STRING_SPACED);
	if (s)
		rc = swt_buf_adds(out, s);
	if (!rc)
		rc = swt_buf_addc(out, '\n');
	json_object_put(root);
	return rc;
}
