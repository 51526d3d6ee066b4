/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option table at work: parsing, help, and the dump that completions and checks are made from.
 */
#include "cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "model/column.h"
#include "trace/source.h"

enum opt_id {
#define SWT_OPT(id, sh, lg, arg, complete, cmds, help) OPT_##id,
#include "cmd/options.def"
#undef SWT_OPT
	OPT_COUNT_
};

struct opt_desc {
	int sh;
	const char *lg, *arg, *complete, *help;
	unsigned int cmds;
};

#define TOP    SWT_CMD_TOP
#define EXITS  SWT_CMD_EXITS
#define RECORD SWT_CMD_RECORD
#define REPORT SWT_CMD_REPORT
#define DOCTOR SWT_CMD_DOCTOR
static const struct opt_desc opts[] = {
#define SWT_OPT(id, sh, lg, arg, complete, cmds, help) [OPT_##id] = { sh, lg, arg, #complete, help, cmds },
#include "cmd/options.def"
#undef SWT_OPT
};
#undef TOP
#undef EXITS
#undef RECORD
#undef REPORT
#undef DOCTOR

#define LONG_BASE 1000 /* getopt_long's val for option i is LONG_BASE + i */

static int usage(const struct swt_cmd *cmd, const char *fmt, ...) SWT_PRINTF(2, 3);

static int usage(const struct swt_cmd *cmd, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	swt_msg("%s; see swaptop%s%s --help", text, cmd->name ? " " : "", cmd->name ? cmd->name : "");
	return SWT_EXIT_USAGE;
}

/* Index of @word in "a|b|c", or -1. */
static int word_index(const char *words, const char *word)
{
	size_t len = strlen(word);
	int i = 0;

	for (const char *p = words; p; i++) {
		const char *end = strchr(p, '|');
		size_t n = end ? (size_t)(end - p) : strlen(p);

		if (n == len && memcmp(p, word, n) == 0)
			return i;
		p = end ? end + 1 : NULL;
	}
	return -1;
}

static int set_word(const struct swt_cmd *cmd, enum opt_id id, const char *arg, int *ret)
{
	int i = word_index(opts[id].arg, arg);

	if (i < 0)
		return usage(cmd, "--%s takes %s, not '%s'", opts[id].lg, opts[id].arg, arg);
	*ret = i;
	return 0;
}

static int set_columns(const struct swt_cmd *cmd, struct swt_opts *o, const char *arg)
{
	struct swt_buf bad = SWT_BUF_INIT;
	int n, rc = 0;

	if (strcmp(arg, "help") == 0) {
		for (size_t i = 0; i < swt_ncolumns; i++)
			printf("%-14s %s\n", swt_columns[i].name, swt_columns[i].help);
		o->help = true;
		o->ncolumns = 0;
		return -1;
	}
	n = swt_column_parse(arg, o->column, SWT_MAX_COLUMNS, &bad);
	if (n <= 0)
		rc = usage(cmd, "there is no column '%s' (-C help lists them)", swt_buf_str(&bad));
	else
		o->ncolumns = (size_t)n;
	swt_buf_free(&bad);
	return rc;
}

static int set_number(const struct swt_cmd *cmd, enum opt_id id, const char *arg, uint64_t max,
		      struct swt_opt *ret)
{
	uint64_t v;

	if (swt_parse_u64(arg, &v) < 0 || v == 0 || v > max)
		return usage(cmd, "--%s takes a whole number from 1 to %llu, not '%s'", opts[id].lg,
			     (unsigned long long)max, arg);
	*ret = swt_some(v);
	return 0;
}

static int set_size(const struct swt_cmd *cmd, enum opt_id id, const char *arg, uint64_t *ret)
{
	if (swt_parse_size(arg, ret) < 0)
		return usage(cmd, "--%s takes a size such as 4096, 64K or 1.5G, not '%s'", opts[id].lg, arg);
	return 0;
}

static int set_one(const struct swt_cmd *cmd, struct swt_opts *o, enum opt_id id, const char *arg)
{
	uint64_t v;
	int rc, word = 0;

	switch (id) {
	case OPT_DELAY:
		if (swt_parse_duration(arg, &v) < 0 || v < 100 * SWT_NS_PER_MS || v > 86400 * SWT_NS_PER_SEC)
			return usage(cmd, "--delay takes seconds from 0.1 to 86400, not '%s'", arg);
		o->delay_ns = v;
		return 0;
	case OPT_COUNT:
		return set_number(cmd, id, arg, UINT32_MAX, &o->count);
	case OPT_INPUT:
		o->input = arg;
		return 0;
	case OPT_OUTPUT:
		o->output = arg;
		return 0;
	case OPT_PID:
		return set_number(cmd, id, arg, INT32_MAX, &o->pid);
	case OPT_COMM:
		o->comm = arg;
		return 0;
	case OPT_CGROUP:
		o->cgroup = arg;
		return 0;
	case OPT_MIN_SWAP:
		rc = set_size(cmd, id, arg, &v);
		if (rc == 0)
			o->min_swap = swt_some(v);
		return rc;
	case OPT_SORT:
		o->sort = swt_column_find(arg);
		if (o->sort < 0)
			return usage(cmd, "there is no column '%s' (-C help lists them)", arg);
		return 0;
	case OPT_COLUMNS:
		return set_columns(cmd, o, arg);
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_PRINT_SCHEMA:
		o->print_schema = true;
		return 0;
	case OPT_SOURCE:
		rc = set_word(cmd, id, arg, &word);
		if (rc == 0)
			o->source =
				(int[]){ -1, SWT_SOURCE_PATCHED, SWT_SOURCE_STOCK, SWT_SOURCE_PROC }[word];
		return rc;
	case OPT_LEVEL:
		rc = set_word(cmd, id, arg, &word);
		if (rc == 0)
			o->level = word - 1;
		return rc;
	case OPT_BUFFER:
		return set_size(cmd, id, arg, &o->buffer);
	case OPT_STRICT:
		o->strict = true;
		return 0;
	case OPT_ASCII:
		o->ascii = true;
		return 0;
	case OPT_COLOR:
		rc = set_word(cmd, id, arg, &word);
		if (rc == 0)
			o->color = (enum swt_color)word;
		return rc;
	case OPT_SYSROOT:
		o->sysroot = arg;
		return 0;
	case OPT_HELP:
		o->help = true;
		return 0;
	case OPT_VERSION:
		o->version = true;
		return 0;
	case OPT_COUNT_:
		break;
	}
	return usage(cmd, "internal: option %d", (int)id);
}

/* getopt's tables for one command: the long options and the short string. */
static void make_tables(unsigned int bit, struct option *lg, char *sh)
{
	/* Options of a command to run are its own: stop at the first word that is no option. */
	if (bit == SWT_CMD_RECORD)
		*sh++ = '+';
	*sh++ = ':';
	for (int i = 0; i < OPT_COUNT_; i++) {
		if (!(opts[i].cmds & bit))
			continue;
		*lg++ = (struct option){ opts[i].lg, opts[i].arg ? required_argument : no_argument, NULL,
					 LONG_BASE + i };
		if (!opts[i].sh)
			continue;
		*sh++ = (char)opts[i].sh;
		if (opts[i].arg)
			*sh++ = ':';
	}
	*lg = (struct option){ NULL, 0, NULL, 0 };
	*sh = '\0';
}

static int by_short(int c)
{
	for (int i = 0; i < OPT_COUNT_; i++)
		if (opts[i].sh == c)
			return i;
	return -1;
}

static int check(const struct swt_cmd *cmd, struct swt_opts *o)
{
	if (o->nargs < cmd->min_args)
		return usage(cmd, "something is missing: swaptop%s%s %s", cmd->name ? " " : "",
			     cmd->name ? cmd->name : "", cmd->args);
	if (o->nargs > cmd->max_args)
		return usage(cmd, "what is '%s' for?", o->args[cmd->max_args]);
	if (cmd->bit == SWT_CMD_RECORD && !o->output)
		return usage(cmd, "say where to write the recording: -o FILE");
	if (o->input && (o->source >= 0 || o->level >= 0))
		return usage(cmd, "--input goes without --source and --level: a recording has its own");
	if (o->level == 1 && o->source == SWT_SOURCE_PATCHED)
		return usage(cmd, "--level 1 has no events of the patch: leave out --source");
	if (o->level > 0 && o->source == SWT_SOURCE_PROC)
		return usage(cmd, "--source proc has no events: level 0 only");
	if (o->level == 0 && o->source > SWT_SOURCE_PROC)
		return usage(cmd, "--level 0 is /proc alone: leave out --source");
	return 0;
}

int swt_opts_parse(const struct swt_cmd *cmd, int argc, char **argv, struct swt_opts *ret)
{
	struct option lg[OPT_COUNT_ + 1];
	char sh[2 * OPT_COUNT_ + 3];
	struct swt_opts o = { .cmd = cmd, .delay_ns = SWT_NS_PER_SEC, .sort = -1, .source = -1, .level = -1 };
	int c, rc;

	make_tables(cmd->bit, lg, sh);
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, sh, lg, NULL)) != -1) {
		int id = c >= LONG_BASE ? c - LONG_BASE : by_short(c);

		if (c == ':')
			return usage(cmd, "'%s' needs an argument", argv[optind - 1]);
		if (c == '?' || id < 0) {
			if (optopt >= LONG_BASE)
				return usage(cmd, "'--%s' takes no argument", opts[optopt - LONG_BASE].lg);
			if (optopt)
				return usage(cmd, "there is no option '-%c' here", optopt);
			return usage(cmd, "there is no option '%s' here", argv[optind - 1]);
		}
		rc = set_one(cmd, &o, (enum opt_id)id, optarg);
		if (rc)
			goto out;
	}
	o.args = argv + optind;
	o.nargs = argc - optind;
	if (cmd->child && o.nargs > 0) {
		o.child = o.args;
		o.nargs = 0;
	}
	rc = o.help || o.version || o.print_schema ? 0 : check(cmd, &o);
out:
	*ret = o;
	return rc;
}

void swt_opts_help(const struct swt_cmd *cmd, FILE *f)
{
	fprintf(f, "Usage: swaptop%s%s %s\n%s.\n", cmd->name ? " " : "", cmd->name ? cmd->name : "",
		cmd->args, cmd->summary);
	if (!cmd->name) {
		fprintf(f, "\nCommands:\n");
		for (size_t i = 0; i < swt_ncmds; i++)
			if (swt_cmds[i].name)
				fprintf(f, "  %-10s %s\n", swt_cmds[i].name, swt_cmds[i].summary);
	}
	fprintf(f, "\nOptions:\n");
	for (int i = 0; i < OPT_COUNT_; i++) {
		char left[64];

		if (!(opts[i].cmds & cmd->bit))
			continue;
		snprintf(left, sizeof(left), "%c%c%s--%s%s%s", opts[i].sh ? '-' : ' ',
			 opts[i].sh ? opts[i].sh : ' ', opts[i].sh ? ", " : "  ", opts[i].lg,
			 opts[i].arg ? " " : "", opts[i].arg ? opts[i].arg : "");
		fprintf(f, "  %-36s %s\n", left, opts[i].help);
	}
	fprintf(f, "\nExit status:\n");
#define SWT_STATUS(name, number, meaning) fprintf(f, "  %d  %s\n", number, meaning);
#include "cmd/status.def"
#undef SWT_STATUS
}

void swt_opts_dump(FILE *f)
{
	for (size_t i = 0; i < swt_ncmds; i++)
		fprintf(f, "command\t%s\t%u\t%s\t%s\n", swt_cmds[i].name ? swt_cmds[i].name : "-",
			swt_cmds[i].bit, swt_cmds[i].args, swt_cmds[i].summary);
	for (int i = 0; i < OPT_COUNT_; i++)
		fprintf(f, "option\t%s\t%c\t%s\t%s\t%u\t%s\n", opts[i].lg, opts[i].sh ? opts[i].sh : '-',
			opts[i].arg ? opts[i].arg : "-", opts[i].complete, opts[i].cmds, opts[i].help);
	for (size_t i = 0; i < swt_ncolumns; i++)
		fprintf(f, "column\t%s\t%s\t%s\t%s\n", swt_columns[i].name, swt_columns[i].title,
			swt_columns[i].json ? swt_columns[i].json : "-", swt_columns[i].help);
#define SWT_STATUS(name, number, meaning) fprintf(f, "status\t%d\t%s\n", number, meaning);
#include "cmd/status.def"
#undef SWT_STATUS
}
