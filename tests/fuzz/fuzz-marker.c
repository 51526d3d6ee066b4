/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marker records of any content.
 *
 * Input: records, each with its length before it (two bytes, low one first).
 */
#include "replay.h"

#include <string.h>

#include "trace/marker.h"

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	unsigned int *sum = arg;

	(void)ts;
	FUZZ_CHECK(*path && strlen(path) <= SWT_MARKER_PATH && !strchr(path, '\n') && len <= 1u << 20);
	for (size_t i = 0; i < len; i++)
		*sum += (unsigned char)text[i];
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int sum = 0;
	const struct swt_sink sink = { .arg = &sum, .file = on_file };
	struct swt_marker_joiner *j;

	if (swt_marker_joiner_new(&j))
		return 0;
	while (size >= 2) {
		size_t len = data[0] | (size_t)data[1] << 8;
		char *copy;

		data += 2;
		size -= 2;
		len = len < size ? len : size;
		copy = malloc(len ? len : 1);
		if (!copy)
			break;
		memcpy(copy, data, len);
		FUZZ_CHECK(!swt_marker_join(j, 1, copy, len, &sink));
		free(copy);
		data += len;
		size -= len;
	}
	swt_marker_joiner_free(j);
	return 0;
}
