/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of "name value" lines: /proc/vmstat, /proc/meminfo, /proc/stat, and /proc/pressure/memory.
 */
#include "model/sys-parts.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct key {
	const char *name;
	unsigned int len;
};

static const struct key vm_keys[SWT_VM_COUNT] = {
#define SWT_X(id, name) [SWT_VM_##id] = { name, sizeof(name) - 1 },
	SWT_VMSTAT(SWT_X)
#undef SWT_X
};

/*
 * Counter of a "name value" line, or -1; @line is left at the value.  Most of the 200 lines are none of ours: two bit
 * masks, made by the compiler from the table, drop nearly all of them before any comparison.
 */
static int vm_line(struct swt_scan *line)
{
#define SWT_X(id, n) | 1u << (sizeof(n) - 1)
	const uint32_t lengths = 0 SWT_VMSTAT(SWT_X);
#undef SWT_X
#define SWT_X(id, n) | 1u << ((n)[0] & 31)
	const uint32_t firsts = 0 SWT_VMSTAT(SWT_X);
#undef SWT_X
	const char *name = line->p, *blank;
	size_t len;

	if (name == line->end || !(firsts >> (*name & 31) & 1))
		return -1;
	blank = memchr(name, ' ', swt_scan_left(line));
	if (!blank)
		return -1;
	len = (size_t)(blank - name);
	if (len > 31 || !(lengths >> len & 1))
		return -1;
	for (unsigned int i = 0; i < SWT_VM_COUNT; i++) {
		if (vm_keys[i].len == len && !memcmp(vm_keys[i].name, name, len)) {
			line->p = blank;
			return (int)i;
		}
	}
	return -1;
}

void swt_sys_vmstat(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan all = swt_scan(text, len), line;

	memset(s->vm, 0, sizeof(s->vm));
	while (swt_scan_line(&all, &line)) {
		int id = vm_line(&line);

		if (id >= 0)
			s->vm[id] = swt_scan_u64(&line);
	}
}

/* One place of struct swt_sys for each line of /proc/meminfo that we read. */
static const struct {
	struct key key;
	size_t at;
} mem_keys[] = {
#define MEM(name, member)                                                    \
	{                                                                    \
		{ name, sizeof(name) - 1 }, offsetof(struct swt_sys, member) \
	}
	MEM("MemTotal:", mem_total),	 MEM("MemFree:", mem_free),	MEM("MemAvailable:", mem_available),
	MEM("SwapCached:", swap_cached), MEM("SwapTotal:", swap_total), MEM("SwapFree:", swap_free),
	MEM("Zswap:", zswap_pool),	 MEM("Zswapped:", zswap_data),
#undef MEM
};

static struct swt_opt *mem_at(struct swt_sys *s, size_t i)
{
	return (struct swt_opt *)(void *)((char *)s + mem_keys[i].at);
}

/* Index into mem_keys, or -1; @line is left at the value. */
static int mem_line(struct swt_scan *line)
{
	if (line->p == line->end || (*line->p != 'M' && *line->p != 'S' && *line->p != 'Z'))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(mem_keys); i++) {
		if (swt_scan_skip(line, mem_keys[i].key.name, mem_keys[i].key.len))
			return (int)i;
	}
	return -1;
}

void swt_sys_meminfo(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan all = swt_scan(text, len), line;

	for (size_t i = 0; i < ARRAY_SIZE(mem_keys); i++)
		*mem_at(s, i) = SWT_UNKNOWN;
	while (swt_scan_line(&all, &line)) {
		int i = mem_line(&line);

		if (i >= 0)
			*mem_at(s, (size_t)i) = swt_scan_kib(&line);
	}
}

void swt_sys_stat(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan all = swt_scan(text, len), line;

	s->processes = SWT_UNKNOWN;
	while (swt_scan_line(&all, &line)) {
		if (SWT_SCAN_SKIP(&line, "processes "))
			s->processes = swt_scan_u64(&line);
	}
}

/* "0.00", "12.34", "100.00": hundredths, further decimals are cut off. */
static struct swt_opt hundredths(const struct swt_scan *word)
{
	const char *dot = memchr(word->p, '.', swt_scan_left(word));
	struct swt_scan whole = { word->p, dot ? dot : word->end };
	struct swt_opt v = swt_opt_mul(swt_scan_number(&whole), 100);
	struct swt_scan frac = { dot ? dot + 1 : word->end, word->end };

	if (!v.known || !dot)
		return v;
	if (!swt_scan_number(&frac).known)
		return SWT_UNKNOWN;
	for (unsigned int i = 0, unit = 10; i < 2 && frac.p < frac.end; i++, unit /= 10) {
		if (__builtin_add_overflow(v.v, (uint64_t)(*frac.p++ - '0') * unit, &v.v))
			return SWT_UNKNOWN;
	}
	return v;
}

static struct swt_opt psi_avg10(struct swt_scan *line)
{
	struct swt_scan word;

	while (swt_scan_word(line, &word)) {
		if (SWT_SCAN_SKIP(&word, "avg10="))
			return hundredths(&word);
	}
	return SWT_UNKNOWN;
}

void swt_sys_psi(struct swt_sys *s, const char *text, size_t len)
{
	struct swt_scan all = swt_scan(text, len), line;

	s->psi_some_avg10 = s->psi_full_avg10 = SWT_UNKNOWN;
	while (swt_scan_line(&all, &line)) {
		if (SWT_SCAN_SKIP(&line, "some "))
			s->psi_some_avg10 = psi_avg10(&line);
		else if (SWT_SCAN_SKIP(&line, "full "))
			s->psi_full_avg10 = psi_avg10(&line);
	}
}

int swt_sys_trim(const char *path, const char *text, size_t len, struct swt_buf *out)
{
	bool vm = !strcmp(path, "/proc/vmstat"), mem = !strcmp(path, "/proc/meminfo");
	struct swt_scan all = swt_scan(text, len), line, rest;
	int rc = 0;

	if (!vm && !mem && strcmp(path, "/proc/stat"))
		return swt_buf_add(out, text, len);
	while (!rc && swt_scan_line(&all, &line)) {
		rest = line;
		if (vm	  ? vm_line(&rest) >= 0
		    : mem ? mem_line(&rest) >= 0
			  : SWT_SCAN_SKIP(&rest, "processes ")) {
			rc = swt_buf_add(out, line.p, swt_scan_left(&line));
			if (!rc)
				rc = swt_buf_addc(out, '\n');
		}
	}
	return rc;
}
