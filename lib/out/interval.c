/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/interval.h"

#include <inttypes.h>

#include "base/fmt.h"
#include "model/explain.h"

static int add_exits(const struct swt_snapshot *s, struct swt_buf *out)
{
	const struct swt_exits *e = &s->exits;
	char p50[SWT_FMT_LEN], max[SWT_FMT_LEN], freed[SWT_FMT_LEN];
	int rc;

	rc = swt_buf_addf(out, " | %" PRIu64 " exit%s", e->count, e->count == 1 ? "" : "s");
	if (rc == 0 && e->in_flight)
		rc = swt_buf_addf(out, ", %" PRIu64 " now", e->in_flight);
	if (rc == 0 && e->freed_entries.known && e->freed_entries.v)
		rc = swt_buf_addf(out, ", %s%s entries freed", e->freed_unknown ? "at least " : "",
				  swt_fmt_count(freed, sizeof(freed), e->freed_entries.v));
	if (rc == 0 && e->teardown_ns.count)
		rc = swt_buf_addf(out, ", p50 %s, max %s",
				  swt_fmt_ns(p50, sizeof(p50), swt_hist_quantile(&e->teardown_ns, 0.5).v),
				  swt_fmt_ns(max, sizeof(max), e->teardown_ns.max));
	if (rc == 0 && e->ns_per_entry.count)
		rc = swt_buf_addf(out, ", %" PRIu64 " ns/entry", swt_hist_quantile(&e->ns_per_entry, 0.5).v);
	return rc;
}

static int add_khugepaged(const struct swt_snapshot *s, struct swt_buf *out)
{
	struct swt_opt cpu = s->khuge.cpu_hundredths;

	if (!cpu.known || cpu.v < 100) /* below 1 % it is not what anybody is looking for */
		return 0;
	return swt_buf_addf(out, " | khugepaged %" PRIu64 ".%" PRIu64 " %% CPU", cpu.v / 100,
			    cpu.v % 100 / 10);
}

int swt_interval_line(const struct swt_snapshot *s, uint64_t page_size, struct swt_buf *out)
{
	int rc;

	rc = swt_explain_used(s, page_size, out);
	if (rc == 0 && s->events.known)
		rc = add_exits(s, out);
	if (rc == 0 && !s->events.known)
		rc = swt_buf_adds(out, " | exits - (no events)");
	if (rc == 0)
		rc = add_khugepaged(s, out);
	if (rc == 0 && s->lost.known && (s->lost.v || !s->complete))
		rc = s->lost.v ? swt_buf_addf(out, " | LOST %" PRIu64 " events", s->lost.v)
			       : swt_buf_adds(out, " | INCOMPLETE");
	return rc;
}
