/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings from readable lines; see datgen.h.
 */
#include "datgen.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "ftext.h"

struct datgen {
	struct datgen_cfg cfg;
	struct swt_formats *f;
	struct pagegen *ring[2][DATGEN_CPUS];
	uint32_t serial;
	char *lost[DATGEN_CPUS]; /* a LOST line waits for the event that tells its buffer */
};

static void die(const char *what, const char *detail)
{
	fprintf(stderr, "datgen: %s: %s\n", what, detail);
	abort();
}

struct datgen *datgen_new(const struct datgen_cfg *cfg)
{
	struct datgen *g = calloc(1, sizeof(*g));
	unsigned int b, c;

	if (!g)
		die("new", "out of memory");
	g->cfg = *cfg;
	if (!g->cfg.long_size)
		g->cfg.long_size = 8;
	if (!g->cfg.ncpus)
		g->cfg.ncpus = 1;
	if (!g->cfg.buffers)
		g->cfg.buffers = 1;
	if (!g->cfg.clock)
		g->cfg.clock = "mono";
	if (g->cfg.ncpus > DATGEN_CPUS || g->cfg.buffers > 2)
		die("new", "too many rings");
	g->f = pagegen_formats(cfg->formats, cfg->big_endian, g->cfg.long_size);
	for (b = 0; b < g->cfg.buffers; b++)
		for (c = 0; c < g->cfg.ncpus; c++)
			g->ring[b][c] = pagegen_new(g->f);
	return g;
}

void datgen_free(struct datgen *g)
{
	unsigned int b, c;

	if (!g)
		return;
	for (b = 0; b < g->cfg.buffers; b++)
		for (c = 0; c < g->cfg.ncpus; c++)
			pagegen_free(g->ring[b][c]);
	for (c = 0; c < DATGEN_CPUS; c++)
		free(g->lost[c]);
	swt_formats_free(g->f);
	free(g);
}

const struct swt_formats *datgen_formats(const struct datgen *g)
{
	return g->f;
}

struct pagegen *datgen_ring(struct datgen *g, unsigned int buffer, unsigned int cpu)
{
	if (buffer >= g->cfg.buffers || cpu >= g->cfg.ncpus)
		die("ring", "no such ring");
	return g->ring[buffer][cpu];
}

void datgen_sample(struct datgen *g, unsigned int cpu, uint64_t ts, const char *path, const char *text,
		   size_t len)
{
	pagegen_marker(datgen_ring(g, 0, cpu), ts, 1, ++g->serial, path, text, len);
}

/* "@FILE [cpu] seconds path <<<text" */
static void file_line(struct datgen *g, const char *line)
{
	char path[256], *text, *out;
	const char *p = strstr(line, " <<<");
	unsigned int cpu = 0;
	double sec;
	int used = 0;

	if (sscanf(line, "@FILE [%u]%n", &cpu, &used) != 1 || !used)
		used = 5;
	if (!p || sscanf(line + used, " %lf %255s", &sec, path) != 2)
		die("bad line", line);
	out = text = strdup(p + 4);
	if (!text)
		die("line", "out of memory");
	for (p = text; *p; p++) {
		if (*p == '\\' && p[1]) {
			p++;
			*out++ = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
		} else {
			*out++ = *p;
		}
	}
	datgen_sample(g, cpu, (uint64_t)(sec * 1e9 + 0.5), path, text, (size_t)(out - text));
	free(text);
}

static void one_line(struct datgen *g, const char *line)
{
	struct ftext t;
	unsigned int cpu, buffer = 0;
	int rc;

	if (!strncmp(line, "@FILE ", 6)) {
		file_line(g, line);
		return;
	}
	rc = ftext_parse(line, &t);
	if (rc < 0)
		die("bad line", line);
	if (rc)
		return;
	cpu = t.is_lost ? t.lost.cpu : t.ev.cpu;
	if (cpu >= g->cfg.ncpus)
		die("no such CPU", line);
	if (t.is_lost) {
		free(g->lost[cpu]);
		g->lost[cpu] = strdup(line);
		return;
	}
	if (g->cfg.buffers == 2 && t.ev.id == SWT_EV_RSS_STAT)
		buffer = 1;
	if (g->lost[cpu])
		pagegen_line(g->ring[buffer][cpu], g->lost[cpu]);
	free(g->lost[cpu]);
	g->lost[cpu] = NULL;
	pagegen_line(g->ring[buffer][cpu], line);
}

void datgen_lines(struct datgen *g, const char *lines)
{
	const char *nl;
	char *line;

	for (; *lines; lines = *nl ? nl + 1 : nl) {
		nl = strchrnul(lines, '\n');
		line = strndup(lines, (size_t)(nl - lines));
		if (!line)
			die("lines", "out of memory");
		one_line(g, line);
		free(line);
	}
}

/* ---- the file --------------------------------------------------------------------------------------- */

struct file {
	struct datgen *g;
	struct swt_buf b;
	struct datgen_image *im;
};

static void add(struct file *o, const void *data, size_t len)
{
	if (swt_buf_add(&o->b, data, len))
		die("file", "out of memory");
}

/* A number into bytes already there. */
static void set(struct file *o, size_t at, size_t n, uint64_t v)
{
	size_t i;

	for (i = 0; i < n; i++)
		o->b.s[at + (o->g->cfg.big_endian ? n - 1 - i : i)] = (char)(v >> (8 * i));
}

static void num(struct file *o, size_t n, uint64_t v)
{
	add(o, "\0\0\0\0\0\0\0", n);
	set(o, o->b.len - n, n, v);
}

static void part(struct file *o)
{
	if (o->im->nparts < DATGEN_SECTIONS)
		o->im->part[o->im->nparts++] = o->b.len;
}

static void option(struct file *o, unsigned int id, const char *text, size_t len)
{
	part(o);
	num(o, 2, id);
	num(o, 4, len);
	add(o, text, len);
}

/* Directory as pagegen_formats() finds it. */
static DIR *opendir_src(const char *dir)
{
	const char *src = getenv("SWT_SRCDIR");
	char path[4096];
	DIR *d;

	snprintf(path, sizeof(path), "%s%s%s", src && *dir != '/' ? src : "", src && *dir != '/' ? "/" : "",
		 dir);
	d = opendir(path);
	return d;
}

static int plain(const char *name)
{
	return !strchr(name, '.'); /* as pagegen: no hidden files, no notes */
}

/* Every format of <dir>/<system>; returns how many. */
static uint32_t system_dir(struct file *o, const char *from, const char *system)
{
	char dir[2048], path[4096], *text;
	struct dirent *e;
	uint32_t n = 0;
	size_t len;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/%s", from, system);
	d = opendir_src(dir);
	while (d && (e = readdir(d))) {
		if (!plain(e->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		text = pagegen_read(path, &len);
		num(o, 8, len);
		add(o, text, len);
		free(text);
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

/* The systems of one directory but ftrace; returns how many. */
static uint32_t systems(struct file *o, const char *from)
{
	DIR *d = opendir_src(from), *sub;
	struct dirent *e;
	char path[4096];
	uint32_t n = 0;
	size_t at;

	if (!d)
		die(from, strerror(errno));
	while ((e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", from, e->d_name);
		if (!plain(e->d_name) || !strcmp(e->d_name, "ftrace") || !(sub = opendir_src(path)))
			continue;
		closedir(sub);
		add(o, e->d_name, strlen(e->d_name) + 1);
		at = o->b.len;
		num(o, 4, 0);
		set(o, at, 4, system_dir(o, from, e->d_name));
		n++;
	}
	closedir(d);
	return n;
}

static uint32_t each_dir(struct file *o, uint32_t (*fn)(struct file *o, const char *from))
{
	char *copy = strdup(o->g->cfg.formats), *rest = copy, *dir;
	uint32_t n = 0;

	if (!copy)
		die("file", "out of memory");
	while ((dir = strsep(&rest, ":")))
		n += fn(o, dir);
	free(copy);
	return n;
}

static uint32_t ftrace(struct file *o, const char *from)
{
	return system_dir(o, from, "ftrace");
}

static void formats(struct file *o)
{
	size_t at = o->b.len;

	part(o);
	num(o, 4, 0);
	set(o, at, 4, each_dir(o, ftrace));
	part(o);
	at = o->b.len;
	num(o, 4, 0);
	set(o, at, 4, each_dir(o, systems));
}

/* From the layout of the pages that pagegen makes, so that both agree whatever the directory holds. */
static void header_page(struct file *o)
{
	const struct swt_page_layout *l = swt_formats_page(o->g->f);
	char text[512];
	int n;

	n = snprintf(text, sizeof(text),
		     "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		     "\tfield: local_t commit;\toffset:%u;\tsize:%u;\tsigned:1;\n"
		     "\tfield: int overwrite;\toffset:%u;\tsize:1;\tsigned:1;\n"
		     "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
		     l->commit_offset, l->commit_size, l->commit_offset, l->data_offset, l->data_size);
	part(o);
	add(o, "header_page", 12);
	num(o, 8, (uint64_t)n);
	add(o, text, (size_t)n);
	part(o);
	add(o, "header_event", 13);
	n = snprintf(text, sizeof(text),
		     "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		     "\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
		     "\ttime_extend : type == 30\n\ttime_stamp : type == 31\n\tdata max type_len  == 28\n");
	num(o, 8, (uint64_t)n);
	add(o, text, (size_t)n);
}

static size_t options(struct file *o)
{
	const struct datgen_cfg *cfg = &o->g->cfg;
	char text[1024];
	unsigned int c;
	size_t at = 0;

	part(o);
	add(o, "options  ", 10);
	if (*cfg->clock) {
		snprintf(text, sizeof(text), "local global [%s] tai\n", cfg->clock);
		option(o, 4, text, strlen(text) + 1);
	}
	if (cfg->uname)
		option(o, 5, cfg->uname, strlen(cfg->uname) + 1);
	if (cfg->version)
		option(o, 9, cfg->version, strlen(cfg->version) + 1);
	for (c = 0; cfg->cpustat && c < cfg->ncpus; c++) {
		snprintf(text, sizeof(text), "CPU: %u\n%s", c, cfg->cpustat);
		option(o, 2, text, strlen(text) + 1);
	}
	if (cfg->buffers == 2) {
		part(o);
		num(o, 2, 8);
		num(o, 4, 4);
		num(o, 4, cfg->ncpus);
		option(o, 3, "\0\0\0\0\0\0\0\0rss", 12);
		at = o->b.len - 12;
	}
	part(o);
	num(o, 2, 0);
	return at;
}

static size_t table(struct file *o)
{
	char text[64];
	unsigned int c;
	size_t at;

	part(o);
	add(o, "flyrecord", 10);
	at = o->b.len;
	for (c = 0; c < 2 * o->g->cfg.ncpus; c++)
		num(o, 8, 0);
	if (*o->g->cfg.clock && !o->g->cfg.no_options) {
		snprintf(text, sizeof(text), "[%s]", o->g->cfg.clock);
		num(o, 8, strlen(text));
		add(o, text, strlen(text));
	}
	return at;
}

static void rings(struct file *o, const size_t *at)
{
	struct datgen *g = o->g;
	size_t page = pagegen_page_size(g->ring[0][0]), i, n;
	unsigned int b, c;

	while (o->b.len % page)
		add(o, "", 1);
	for (b = 0; b < g->cfg.buffers; b++) {
		for (c = 0; c < g->cfg.ncpus; c++) {
			n = pagegen_count(g->ring[b][c]);
			part(o);
			set(o, at[b] + 16 * c, 8, o->b.len);
			set(o, at[b] + 16 * c + 8, 8, n * page);
			for (i = 0; i < n; i++)
				add(o, pagegen_page(g->ring[b][c], i), page);
		}
	}
}

void datgen_image(struct datgen *g, struct datgen_image *ret)
{
	struct file o = { g, SWT_BUF_INIT, ret };
	size_t buffer_option = 0, at[2] = { 0, 0 };

	memset(ret, 0, sizeof(*ret));
	add(&o, "\x17\x08\x44tracing6", 12);
	num(&o, 1, g->cfg.big_endian);
	num(&o, 1, (uint64_t)g->cfg.long_size);
	num(&o, 4, pagegen_page_size(g->ring[0][0]));
	header_page(&o);
	formats(&o);
	part(&o);
	num(&o, 4, 0);
	part(&o);
	num(&o, 4, 0);
	part(&o);
	num(&o, 8, 0);
	part(&o);
	num(&o, 4, g->cfg.ncpus);
	if (!g->cfg.no_options)
		buffer_option = options(&o);
	if (g->cfg.latency) {
		part(&o);
		add(&o, "latency  ", 10);
		add(&o, "# tracer: wakeup\n", 17);
	} else {
		at[0] = table(&o);
		if (g->cfg.buffers == 2) {
			set(&o, buffer_option, 8, o.b.len);
			at[1] = table(&o);
		}
		rings(&o, at);
	}
	ret->data = (unsigned char *)o.b.s;
	ret->len = o.b.len;
}

void datgen_save(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(data, 1, len, f) != len || fclose(f))
		die(path, strerror(errno));
}

void datgen_write(struct datgen *g, const char *path)
{
	struct datgen_image im = { 0 };

	datgen_image(g, &im);
	datgen_save(path, im.data, im.len);
	free(im.data);
}
