/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace time to wall-clock time.
 */
#include "out/wall.h"

#include <errno.h>
#include <string.h>

#include "base/fmt.h"

/* Real time at @mono by anchor @a.  False when it would lie before 1970 or past the end of time. */
static bool turn(const struct swt_anchor *a, uint64_t mono, uint64_t *ret)
{
	if (mono >= a->mono_ns)
		return !__builtin_add_overflow(a->real_ns, mono - a->mono_ns, ret);
	return !__builtin_sub_overflow(a->real_ns, a->mono_ns - mono, ret);
}

/* How many anchors are at or before @mono. */
static size_t before(const struct swt_wall *w, uint64_t mono)
{
	size_t lo = 0, hi = w->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->a[mid].mono_ns <= mono)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void thin(struct swt_wall *w)
{
	size_t i, n = 0;

	for (i = 0; i < w->n; i += 2)
		w->a[n++] = w->a[i];
	w->n = n;
}

void swt_wall_add(struct swt_wall *w, uint64_t mono_ns, uint64_t real_ns)
{
	size_t at = before(w, mono_ns);
	uint64_t have;

	if (at && turn(&w->a[at - 1], mono_ns, &have)) {
		uint64_t off = have > real_ns ? have - real_ns : real_ns - have;

		if (off < 1000)
			return;
	}
	if (w->n == SWT_WALL_MAX) {
		thin(w);
		at = before(w, mono_ns);
	}
	memmove(&w->a[at + 1], &w->a[at], (w->n - at) * sizeof(w->a[0]));
	w->a[at] = (struct swt_anchor){ mono_ns, real_ns };
	w->n++;
}

void swt_wall_now(struct swt_wall *w, const struct swt_clock *c)
{
	uint64_t before_ns = swt_clock_mono(c), real_ns = swt_clock_real(c), after_ns = swt_clock_mono(c);

	/* The middle halves the error when we were interrupted between the two readings. */
	swt_wall_add(w, before_ns + (after_ns - before_ns) / 2, real_ns);
}

int swt_wall_parse(struct swt_wall *w, const char *text, size_t len)
{
	char buf[64], *space;
	uint64_t mono_ns, real_ns;

	if (len && text[len - 1] == '\n')
		len--;
	if (!len || len >= sizeof(buf) || memchr(text, '\0', len))
		return -EBADMSG;
	memcpy(buf, text, len);
	buf[len] = '\0';
	space = strchr(buf, ' ');
	if (!space)
		return -EBADMSG;
	*space++ = '\0';
	if (swt_parse_u64(buf, &mono_ns) || swt_parse_u64(space, &real_ns))
		return -EBADMSG;
	swt_wall_add(w, mono_ns, real_ns);
	return 0;
}

struct swt_opt swt_out_time(const struct swt_wall *w, uint64_t mono_ns)
{
	size_t at;
	uint64_t real;

	if (!w || !w->n)
		return SWT_UNKNOWN;
	at = before(w, mono_ns);
	if (!turn(&w->a[at ? at - 1 : 0], mono_ns, &real))
		return SWT_UNKNOWN;
	return swt_some(real);
}
