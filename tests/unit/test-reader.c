/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many rings in, one stream in time order out; losses and damage told where they belong.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pagegen.h"
#include "prng.h"
#include "trace/reader.h"

#define MAX_CPUS 4

/* A test's machine: rings of up to four CPUs, and a log of what was delivered, one short line each. */
struct bench {
	struct swt_formats *f;
	struct pagegen *g[MAX_CPUS];
	struct swt_reader *r;
	struct swt_sink sink;
	char log[65536];
	size_t len;
	int stop_after; /* deliveries until a callback says 7; 0 never */
};

static int note(struct bench *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int note(struct bench *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	b->len += (size_t)vsnprintf(b->log + b->len, sizeof(b->log) - b->len, fmt, ap);
	va_end(ap);
	assert_true(b->len < sizeof(b->log));
	return b->stop_after && !--b->stop_after ? 7 : 0;
}

static int on_event(void *arg, const struct swt_event *ev)
{
	return note(arg, "%s@%.1f/%u ", swt_catalog(ev->id)->name, (double)ev->ts / 1e9, ev->cpu);
}

static int on_lost(void *arg, const struct swt_lost *l)
{
	char count[24] = "?";

	if (l->known)
		snprintf(count, sizeof(count), "%llu", (unsigned long long)l->count);
	else
		assert_int_equal(l->count, 0);
	return note(arg, "%s:%s@%.1f-%.1f/%u%s ", l->damaged ? "DAMAGED" : "LOST", count,
		    (double)l->since / 1e9, (double)l->ts / 1e9, l->cpu, l->buffer ? "b" : "");
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	return note(arg, "file:%s=%.*s@%.1f ", path, len < 20 ? (int)len : 20, text, (double)ts / 1e9);
}

static void bench_init(struct bench *b, const char *dirs)
{
	memset(b, 0, sizeof(*b));
	b->f = pagegen_formats(dirs, false, 8);
	assert_int_equal(swt_reader_new(b->f, &b->r), 0);
	for (unsigned int i = 0; i < MAX_CPUS; i++) {
		b->g[i] = pagegen_new(b->f);
		assert_int_equal(swt_reader_stream(b->r, i, 0, NULL, NULL), i);
	}
	b->sink = (struct swt_sink){ .arg = b, .event = on_event, .lost = on_lost, .file = on_file };
}

static void bench_free(struct bench *b)
{
	swt_reader_free(b->r);
	for (int i = 0; i < MAX_CPUS; i++)
		pagegen_free(b->g[i]);
	swt_formats_free(b->f);
}

static void push_all(struct bench *b)
{
	for (int i = 0; i < MAX_CPUS; i++)
		for (size_t p = 0; p < pagegen_count(b->g[i]); p++)
			assert_int_equal(swt_reader_push(b->r, i, pagegen_page(b->g[i], p),
							 pagegen_page_size(b->g[i])),
					 0);
}

static void run(struct bench *b, uint64_t until, int want_rc, const char *want)
{
	b->len = 0;
	b->log[0] = '\0';
	assert_int_equal(swt_reader_run(b->r, until, &b->sink), want_rc);
	assert_string_equal(b->log, want);
}

#define SEC 1000000000ull

static void test_order(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_lines(b.g, MAX_CPUS,
		      "a-1 [000] 1.0: wake_reaper: pid=1\n"
		      "a-1 [000] 4.0: wake_reaper: pid=1\n"
		      "a-1 [000] 7.0: wake_reaper: pid=1\n"
		      "b-2 [001] 2.0: mark_victim: pid=1\n"
		      "b-2 [001] 2.5: mark_victim: pid=1\n"
		      "b-2 [001] 8.0: mark_victim: pid=1\n"
		      "c-3 [002] 0.5: rss_stat: mm_id=1\n"
		      "c-3 [002] 4.0: rss_stat: mm_id=1\n"
		      "c-3 [002] 9.0: rss_stat: mm_id=1\n");
	push_all(&b);
	run(&b, UINT64_MAX, 0,
	    "rss_stat@0.5/2 wake_reaper@1.0/0 mark_victim@2.0/1 mark_victim@2.5/1 wake_reaper@4.0/0 rss_stat@4.0/2 "
	    "wake_reaper@7.0/0 mark_victim@8.0/1 rss_stat@9.0/2 ");
	assert_int_equal(swt_reader_stats(b.r)->events, 9);
	assert_int_equal(swt_reader_stats(b.r)->decoded, 9);
	assert_int_equal(swt_reader_stats(b.r)->backwards, 0);
	bench_free(&b);
}

/* Events are held back until every ring has been read past them. */
static void test_until(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_lines(b.g, MAX_CPUS,
		      "a-1 [000] 1.0: wake_reaper: pid=1\n"
		      "a-1 [000] 3.0: wake_reaper: pid=1\n");
	push_all(&b);
	run(&b, 2 * SEC, 0, "wake_reaper@1.0/0 ");
	run(&b, 2 * SEC, 0, "");
	/* A later read of another ring finds an older event. */
	pagegen_free(b.g[0]);
	b.g[0] = pagegen_new(b.f);
	pagegen_lines(b.g, MAX_CPUS, "b-2 [001] 2.5: mark_victim: pid=1\n");
	push_all(&b);
	run(&b, 3 * SEC, 0, "mark_victim@2.5/1 wake_reaper@3.0/0 ");
	assert_int_equal(swt_reader_stats(b.r)->backwards, 0);
	run(&b, UINT64_MAX, 0, "");
	bench_free(&b);
}

static void test_lost(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.12:tracepoints/formats/6.12-swaptop");
	pagegen_lines(b.g, MAX_CPUS,
		      "x-100 [002] 1.0: swap_exit_begin: swapents=5 mm_id=7 tgid=100\n"
		      "CPU:2 [LOST 57 EVENTS]\n"
		      "x-1 [002] 9.0: sched_process_free: comm=x pid=100\n"
		      "CPU:2 [LOST EVENTS]\n"
		      "x-1 [002] 9.5: sched_process_free: comm=y pid=101\n"
		      "CPU:1 [LOST 3 EVENTS]\n"
		      "x-1 [001] 5.0: sched_process_free: comm=z pid=102\n");
	push_all(&b);
	run(&b, UINT64_MAX, 0,
	    "swap_exit_begin@1.0/2 LOST:3@0.0-5.0/1 sched_process_free@5.0/1 LOST:57@1.0-9.0/2 "
	    "sched_process_free@9.0/2 LOST:?@9.0-9.5/2 sched_process_free@9.5/2 ");
	assert_int_equal(swt_reader_stats(b.r)->lost, 60);
	assert_int_equal(swt_reader_stats(b.r)->gaps, 3);
	bench_free(&b);
}

/* The mark of a loss sits on whatever comes first, also on a record nobody can name. */
static void test_lost_unknown_type(void **state)
{
	static const uint8_t strange[16] = { 0xff, 0xff };
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_line(b.g[0], "x-1 [000] 1.0: wake_reaper: pid=1");
	pagegen_lost(b.g[0], 9, true);
	pagegen_raw(b.g[0], 2 * SEC, strange, sizeof(strange));
	pagegen_line(b.g[0], "x-1 [000] 3.0: wake_reaper: pid=1");
	push_all(&b);
	run(&b, UINT64_MAX, 0, "wake_reaper@1.0/0 LOST:9@1.0-2.0/0 wake_reaper@3.0/0 ");
	assert_int_equal(swt_reader_stats(b.r)->unknown, 1);
	assert_int_equal(swt_reader_stats(b.r)->events, 3);
	assert_int_equal(swt_reader_stats(b.r)->decoded, 2);
	bench_free(&b);
}

/* A page that says "missing" and holds nothing: the gap belongs to what follows, or to the end. */
static void test_lost_empty_page(void **state)
{
	struct bench b;
	uint8_t page[4096] = { 0 };
	const uint64_t commit = (1ull << 31) + (1u << 30);

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	memcpy(page + 8, &commit, 8);
	page[16] = 5;
	pagegen_line(b.g[0], "x-1 [000] 1.0: wake_reaper: pid=1");
	push_all(&b);
	assert_int_equal(swt_reader_push(b.r, 0, page, sizeof(page)), 0);
	assert_int_equal(swt_reader_push(b.r, 0, page, sizeof(page)), 0);
	/* More may come, so the end is not known yet. */
	run(&b, 10 * SEC, 0, "wake_reaper@1.0/0 ");
	pagegen_free(b.g[0]);
	b.g[0] = pagegen_new(b.f);
	pagegen_line(b.g[0], "x-1 [000] 2.0: wake_reaper: pid=1");
	push_all(&b);
	run(&b, 10 * SEC, 0, "LOST:10@1.0-2.0/0 wake_reaper@2.0/0 ");
	assert_int_equal(swt_reader_push(b.r, 0, page, sizeof(page)), 0);
	run(&b, UINT64_MAX, 0, "LOST:5@2.0-0.0/0 ");
	run(&b, UINT64_MAX, 0, "");
	bench_free(&b);
}

/* A page that cannot be read costs that page only. */
static void test_damaged(void **state)
{
	struct bench b;
	uint8_t bad[4096];

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_line(b.g[0], "x-1 [000] 1.0: wake_reaper: pid=1");
	pagegen_close(b.g[0], false);
	pagegen_line(b.g[0], "x-1 [000] 2.0: mark_victim: pid=1");
	pagegen_lost(b.g[0], 4, true);
	pagegen_line(b.g[0], "x-1 [000] 3.0: wake_reaper: pid=1");
	assert_int_equal(pagegen_count(b.g[0]), 3);
	/* The record claims to be longer than the page. */
	memcpy(bad, pagegen_page(b.g[0], 1), sizeof(bad));
	memset(bad + 16, 0, 4);
	memset(bad + 20, 0xff, 4);
	memcpy(pagegen_page(b.g[0], 1), bad, sizeof(bad));
	push_all(&b);
	assert_int_equal(swt_reader_push(b.r, 3, bad, 7), 0); /* cut inside its header */
	run(&b, UINT64_MAX, 0,
	    "wake_reaper@1.0/0 DAMAGED:?@1.0-3.0/0 LOST:4@1.0-3.0/0 wake_reaper@3.0/0 DAMAGED:?@0.0-0.0/3 ");
	assert_int_equal(swt_reader_stats(b.r)->bad_pages, 2);
	bench_free(&b);
}

static void test_markers(void **state)
{
	static const char text[6000] = "Tgid:\t42\n";
	struct bench b;
	struct swt_event other = { .ts = 6 * SEC, .id = SWT_EV_RAW_DATA, .have = 3 };

	(void)state;
	bench_init(&b, "tracepoints/formats/6.12");
	pagegen_line(b.g[1], "x-1 [001] 1.0: wake_reaper: pid=1");
	pagegen_marker(b.g[0], 2 * SEC, 9, 1, "@anchor", "2 3\n", 4);
	pagegen_marker(b.g[0], 4 * SEC, 9, 2, "/proc/42/status", text, sizeof(text));
	pagegen_line(b.g[1], "x-1 [001] 3.0: wake_reaper: pid=1");
	pagegen_line(b.g[1], "x-1 [001] 5.0: wake_reaper: pid=1");
	/* Raw data of somebody else is an event like any other. */
	other.f[SWT_F_RAW_DATA_ID] = 0x1234;
	other.str[0] = (struct swt_str){ "abc", 3 };
	pagegen_event(b.g[0], &other);
	push_all(&b);
	run(&b, UINT64_MAX, 0,
	    "wake_reaper@1.0/1 file:@anchor=2 3\n@2.0 wake_reaper@3.0/1 file:/proc/42/status=Tgid:\t42\n@4.0 "
	    "wake_reaper@5.0/1 raw_data@6.0/0 ");
	bench_free(&b);
}

/* A callback that says stop has had its delivery; the rest comes with the next run, nothing twice. */
static void test_resume(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_lines(b.g, MAX_CPUS,
		      "a-1 [000] 1.0: wake_reaper: pid=1\n"
		      "CPU:0 [LOST 2 EVENTS]\n"
		      "a-1 [000] 3.0: wake_reaper: pid=1\n"
		      "b-2 [001] 2.0: mark_victim: pid=1\n");
	pagegen_marker(b.g[1], 4 * SEC, 9, 1, "/f", "x", 1);
	push_all(&b);
	b.stop_after = 1;
	run(&b, UINT64_MAX, 7, "wake_reaper@1.0/0 ");
	b.stop_after = 2;
	run(&b, UINT64_MAX, 7, "mark_victim@2.0/1 LOST:2@1.0-3.0/0 ");
	b.stop_after = 2;
	run(&b, UINT64_MAX, 7, "wake_reaper@3.0/0 file:/f=x@4.0 ");
	run(&b, UINT64_MAX, 0, "");
	bench_free(&b);
}

static void test_backwards(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_lines(b.g, MAX_CPUS,
		      "a-1 [000] 2.0: wake_reaper: pid=1\n"
		      "a-1 [000] 3.0: wake_reaper: pid=1\n");
	push_all(&b);
	run(&b, UINT64_MAX, 0, "wake_reaper@2.0/0 wake_reaper@3.0/0 ");
	pagegen_free(b.g[0]);
	b.g[0] = pagegen_new(b.f);
	pagegen_lines(b.g, MAX_CPUS, "b-2 [001] 2.5: mark_victim: pid=1\n");
	push_all(&b);
	run(&b, UINT64_MAX, 0, "mark_victim@2.5/1 ");
	assert_int_equal(swt_reader_stats(b.r)->backwards, 1);
	bench_free(&b);
}

/* Pulled streams, as of a recording: pages come from a function, which can fail and go on later. */
struct puller {
	struct pagegen *g;
	size_t next;
	int fail_at;
};

static int pull(void *arg, const void **page, size_t *len)
{
	struct puller *p = arg;

	if (p->next == pagegen_count(p->g))
		return 0;
	if (p->fail_at == (int)p->next) {
		p->fail_at = -1;
		return -EIO;
	}
	*page = pagegen_page(p->g, p->next++);
	*len = pagegen_page_size(p->g);
	return 1;
}

static void test_pull(void **state)
{
	struct bench b;
	struct swt_reader *r;
	struct puller p[2] = { { .fail_at = -1 }, { .fail_at = 1 } };
	uint8_t page[1] = { 0 };

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	pagegen_lines(b.g, MAX_CPUS,
		      "a-1 [000] 1.0: wake_reaper: pid=1\n"
		      "CPU:0 [LOST 2 EVENTS]\n"
		      "a-1 [000] 4.0: wake_reaper: pid=1\n"
		      "b-2 [001] 2.0: mark_victim: pid=1\n"
		      "CPU:1 [LOST 3 EVENTS]\n"
		      "b-2 [001] 3.0: mark_victim: pid=1\n");
	assert_int_equal(swt_reader_new(b.f, &r), 0);
	for (int i = 0; i < 2; i++) {
		p[i].g = b.g[i];
		assert_int_equal(swt_reader_stream(r, (unsigned int)i, 1, pull, &p[i]), i);
	}
	assert_int_equal(swt_reader_push(r, 0, page, 1), -EINVAL);
	assert_int_equal(swt_reader_push(r, 2, page, 1), -EINVAL);
	assert_int_equal(swt_reader_stream(r, 0, 2, pull, &p[0]), -EINVAL);
	assert_int_equal(swt_reader_run(r, UINT64_MAX, &b.sink), -EIO);
	assert_string_equal(b.log, "wake_reaper@1.0/0 mark_victim@2.0/1 ");
	b.len = 0;
	assert_int_equal(swt_reader_run(r, UINT64_MAX, &b.sink), 0);
	assert_string_equal(b.log,
			    "LOST:3@2.0-3.0/1b mark_victim@3.0/1 LOST:2@1.0-4.0/0b wake_reaper@4.0/0 ");
	swt_reader_free(r);
	bench_free(&b);
}

/* No callback at all is a way to count. */
static void test_null_sink(void **state)
{
	static const struct swt_sink nothing;
	struct bench b;

	(void)state;
	bench_init(&b, "tracepoints/formats/6.12");
	pagegen_lines(b.g, MAX_CPUS,
		      "a-1 [000] 1.0: wake_reaper: pid=1\nCPU:0 [LOST 2 EVENTS]\n"
		      "a-1 [000] 4.0: wake_reaper: pid=1\n");
	pagegen_marker(b.g[1], 4 * SEC, 9, 1, "/f", "x", 1);
	push_all(&b);
	assert_int_equal(swt_reader_run(b.r, UINT64_MAX, &nothing), 0);
	assert_int_equal(swt_reader_stats(b.r)->events, 3);
	bench_free(&b);
}

static int count_event(void *arg, const struct swt_event *ev)
{
	uint64_t *last = arg;

	assert_true(ev->ts >= *last);
	*last = ev->ts;
	return 0;
}

/* Thousands of events on three rings, pushed in pieces as a drain does, come out sorted and complete. */
static void test_interleaved(void **state)
{
	struct bench b;
	struct swt_sink sink = { .event = count_event };
	uint64_t seed = 6, now = 0, last = 0, drained = 0;
	size_t done[MAX_CPUS] = { 0 };

	(void)state;
	bench_init(&b, "tracepoints/formats/6.18");
	sink.arg = &last;
	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < 200; i++) {
			struct swt_event ev = { .id = SWT_EV_RSS_STAT, .have = 0xf };

			now += prng_below(&seed, 3) ? prng_below(&seed, 1000) : prng_below(&seed, 300000000);
			ev.ts = now;
			pagegen_event(b.g[prng_below(&seed, 3)], &ev);
		}
		for (int c = 0; c < 3; c++)
			for (; done[c] < pagegen_count(b.g[c]); done[c]++)
				assert_int_equal(swt_reader_push(b.r, c, pagegen_page(b.g[c], done[c]), 4096),
						 0);
		assert_int_equal(swt_reader_run(b.r, drained, &sink), 0);
		assert_true(last <= drained);
		drained = now;
	}
	assert_int_equal(swt_reader_run(b.r, UINT64_MAX, &sink), 0);
	assert_int_equal(swt_reader_stats(b.r)->decoded, 10000);
	assert_int_equal(swt_reader_stats(b.r)->backwards, 0);
	bench_free(&b);
}

/* Damaged pages in every ring: no crash, an end, and every push accounted for. */
static void test_mutated(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct bench b;
		struct swt_sink none = { 0 };
		const struct swt_reader_stats *s;

		bench_init(&b, round % 2 ? "tracepoints/formats/6.12" : "tracepoints/formats/6.18");
		for (int i = 0; i < 3; i++) {
			pagegen_line(b.g[i], "x-1 [000] 1.0: sched_process_free: comm=x pid=1");
			pagegen_marker(b.g[i], 2 * SEC, 9, 1, "/f", "x", 1);
			pagegen_lost(b.g[i], 5, true);
			pagegen_line(b.g[i], "x-1 [000] 3.0: rss_stat: mm_id=1 size=4096");
			for (size_t p = 0; p < pagegen_count(b.g[i]); p++) {
				size_t len = 200;

				prng_damage(&seed, pagegen_page(b.g[i], p), &len);
			}
		}
		push_all(&b);
		assert_int_equal(swt_reader_run(b.r, UINT64_MAX, &none), 0);
		s = swt_reader_stats(b.r);
		assert_true(s->decoded + s->unknown <= s->events);
		assert_true(s->bad_pages <= 6);
		bench_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_unknown_type),
		cmocka_unit_test(test_lost_empty_page),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_markers),
		cmocka_unit_test(test_resume),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_pull),
		cmocka_unit_test(test_null_sink),
		cmocka_unit_test(test_interleaved),
		cmocka_unit_test(test_mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
