/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Format files and header_page of any content, and records decoded by what was made of them.
 *
 * Input: byte 0 the event it claims to be of, byte 1 the machine, then the text.
 */
#include "replay.h"

#include <string.h>

#include "trace/decode.h"
#include "trace/formats.h"
#include "trace/page.h"

static void ask(const struct swt_formats *f)
{
	for (int id = 0; id < SWT_EV_COUNT; id++) {
		for (unsigned int i = 0; i < SWT_EV_MAX_FIELDS; i++) {
			struct swt_field_pos p = swt_formats_field(f, id, i);

			FUZZ_CHECK(!p.size || swt_formats_have(f, id));
			FUZZ_CHECK(!p.size || i < swt_catalog(id)->nfields);
			for (int v = -2; v < 12; v++) {
				const char *s = swt_formats_symbol(f, id, i, v);

				FUZZ_CHECK(!s || strlen(s) < 64);
			}
		}
	}
	FUZZ_CHECK(strlen(swt_formats_warnings(f)) < 8192);
}

static void decode(const struct swt_formats *f, unsigned int number)
{
	static const size_t lens[] = { 0, 1, 7, 8, 9, 24, 40, 80 };
	struct swt_event ev;

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		uint8_t *rec = malloc(lens[i] ? lens[i] : 1);
		unsigned int sum = 0;

		if (!rec)
			return;
		memset(rec, 4, lens[i]);
		for (size_t b = 0; b < 2 && b < lens[i]; b++)
			rec[b] = (uint8_t)(number >> (8 * b));
		if (swt_decode(f, rec, lens[i], &ev) == 1)
			for (int s = 0; s < SWT_EV_MAX_STR; s++)
				for (uint32_t k = 0; k < ev.str[s].len; k++)
					sum += (unsigned char)ev.str[s].s[k];
		FUZZ_CHECK(sum <= 255u * SWT_EV_MAX_STR * 80u);
		free(rec);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct swt_page_layout *l;
	struct swt_formats *f;
	struct swt_err err = { "" };
	const char *text = (const char *)data + 2;
	int rc;

	if (size < 2 || swt_formats_new(data[1] & 1, data[1] & 2 ? 4 : 8, &f))
		return 0;
	size -= 2;
	rc = swt_formats_header_page(f, text, size, &err);
	FUZZ_CHECK(rc ? err.text[0] != '\0' : err.text[0] == '\0');
	l = swt_formats_page(f);
	FUZZ_CHECK(l->commit_offset + l->commit_size <= l->data_offset && l->data_offset <= 256);
	err.text[0] = '\0';
	rc = swt_formats_add(f, swt_catalog(data[0] % SWT_EV_COUNT)->system, text, size, &err);
	FUZZ_CHECK(rc ? err.text[0] != '\0' : err.text[0] == '\0');
	/* The same again must change nothing. */
	FUZZ_CHECK(swt_formats_add(f, swt_catalog(data[0] % SWT_EV_COUNT)->system, text, size, NULL) == rc);
	ask(f);
	for (unsigned int n = 0; n < 1024; n++)
		if (swt_formats_by_number(f, n) != -2)
			decode(f, n);
	swt_formats_free(f);
	return 0;
}
