/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring pages of any content through check, merge and decoder, by the formats of real kernels.
 *
 * Input: byte 0 the machine, byte 1 the page size, then pages that go to two rings in turn.
 */
#include "replay.h"

#include <string.h>

#include "pagegen.h"
#include "trace/page.h"
#include "trace/reader.h"

static unsigned int sum; /* what was read must be used */

static int on_event(void *arg, const struct swt_event *ev)
{
	(void)arg;
	FUZZ_CHECK(ev->id < SWT_EV_COUNT && ev->cpu < 2);
	for (int i = 0; i < SWT_EV_MAX_STR; i++)
		for (uint32_t k = 0; k < ev->str[i].len; k++)
			sum += (unsigned char)ev->str[i].s[k];
	for (int i = 0; i < SWT_EV_MAX_FIELDS; i++)
		FUZZ_CHECK(swt_event_has(ev, (unsigned int)i) || !ev->f[i]);
	return 0;
}

static int on_lost(void *arg, const struct swt_lost *l)
{
	(void)arg;
	FUZZ_CHECK(l->cpu < 2 && (l->known ? l->count > 0 : l->count == 0));
	return 0;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	(void)arg;
	(void)ts;
	FUZZ_CHECK(*path && len <= 1u << 20);
	for (size_t i = 0; i < len; i++)
		sum += (unsigned char)text[i];
	return 0;
}

static const struct swt_formats *machine(uint8_t which)
{
	static const struct {
		const char *dirs;
		bool big;
		int long_size;
	} v[] = {
		{ "tracepoints/formats/6.18", false, 8 },
		{ "tracepoints/formats/6.12:tracepoints/formats/6.12-swaptop", false, 8 },
		{ "tests/fixtures/formats/s390x", true, 8 },
		{ "tests/fixtures/formats/arm32", false, 4 },
	};
	static struct swt_formats *f[4];

	which &= 3;
	if (!f[which])
		f[which] = pagegen_formats(v[which].dirs, v[which].big, v[which].long_size);
	return f[which];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct swt_sink sink = { .event = on_event, .lost = on_lost, .file = on_file };
	const struct swt_reader_stats *s;
	const struct swt_formats *f;
	struct swt_reader *r;
	size_t step;

	if (size < 2)
		return 0;
	f = machine(data[0]);
	step = 64 + 16u * data[1];
	data += 2;
	size -= 2;
	if (swt_reader_new(f, &r))
		return 0;
	FUZZ_CHECK(swt_reader_stream(r, 0, 0, NULL, NULL) == 0 &&
		   swt_reader_stream(r, 1, 1, NULL, NULL) == 1);
	for (size_t at = 0, n = 0; at < size; at += step, n++) {
		FUZZ_CHECK(!swt_reader_push(r, (int)(n & 1), data + at, size - at < step ? size - at : step));
		if (n % 3 == 2)
			FUZZ_CHECK(!swt_reader_run(r, 1ull << 40, &sink));
	}
	FUZZ_CHECK(!swt_reader_run(r, UINT64_MAX, &sink));
	s = swt_reader_stats(r);
	FUZZ_CHECK(s->decoded + s->unknown <= s->events && s->events <= size / 4);
	swt_reader_free(r);
	return 0;
}
