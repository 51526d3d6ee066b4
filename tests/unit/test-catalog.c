/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event catalogue: what struct swt_event and everything that walks the fields rely on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/catalog.h"

static void test_entries(void **state)
{
	(void)state;
	for (int id = 0; id < SWT_EV_COUNT; id++) {
		const struct swt_event_desc *d = swt_catalog(id);
		unsigned int nstr = 0;

		assert_non_null(d);
		assert_int_equal(swt_catalog_find(d->system, d->name), id);
		assert_int_equal(strlen(d->full), strlen(d->system) + 1 + strlen(d->name));
		assert_non_null(strstr(d->full, d->name));
		assert_in_range(d->level, 0, 4);
		/* Patched events are wanted where the patch is, the costly one above them. */
		assert_int_equal(d->level == 2, d->source == SWT_EVS_PATCH);
		assert_in_range(d->nfields, 1, SWT_EV_MAX_FIELDS);
		for (unsigned int i = 0; i < d->nfields; i++) {
			nstr += d->fields[i].kind == SWT_FIELD_STR;
			for (unsigned int k = 0; k < i; k++)
				assert_string_not_equal(d->fields[i].name, d->fields[k].name);
		}
		assert_in_range(nstr, 0, SWT_EV_MAX_STR);
		assert_true(strlen(d->lost) > 10);
	}
	assert_null(swt_catalog(SWT_EV_COUNT));
	assert_null(swt_catalog((enum swt_ev) - 1));
}

static void test_lookup(void **state)
{
	const struct swt_event_desc *d = swt_catalog(SWT_EV_SWAP_EXIT_RELEASE);

	(void)state;
	assert_string_equal(d->full, "swap:swap_exit_release");
	assert_string_equal(d->fields[SWT_F_SWAP_EXIT_RELEASE_BY].name, "by");
	assert_int_equal(swt_catalog_find("kmem", "rss_stat"), SWT_EV_RSS_STAT);
	assert_int_equal(swt_catalog_find("mm", "rss_stat"), -1);
	assert_int_equal(swt_catalog_find("kmem", "rss_sta"), -1);
	assert_int_equal(swt_catalog_find("", ""), -1);
}

static void test_states(void **state)
{
	(void)state;
	assert_string_equal(swt_ev_state_name(SWT_EV_UNUSED), "unused");
	assert_string_equal(swt_ev_state_name(SWT_EV_HAVE), "have");
	assert_string_equal(swt_ev_state_name(SWT_EV_MISSING), "missing");
	assert_string_equal(swt_ev_state_name(SWT_EV_NO_ACCESS), "no_access");
	assert_string_equal(swt_ev_state_name((enum swt_ev_state)17), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
