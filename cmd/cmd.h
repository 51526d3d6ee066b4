/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the subcommands share: the tables, the parsed options, exit statuses, messages.
 */
#ifndef SWT_CMD_CMD_H
#define SWT_CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/opt.h"

enum swt_status {
#define SWT_STATUS(name, number, meaning) SWT_EXIT_##name = number,
#include "cmd/status.def"
#undef SWT_STATUS
};

/* Bits of options.def. */
enum swt_cmd_bit {
	SWT_CMD_TOP = 1,
	SWT_CMD_EXITS = 2,
	SWT_CMD_RECORD = 4,
	SWT_CMD_REPORT = 8,
	SWT_CMD_DOCTOR = 16,
};

enum swt_color { SWT_COLOR_AUTO, SWT_COLOR_ALWAYS, SWT_COLOR_NEVER };

#define SWT_MAX_COLUMNS 64

/** struct swt_opts - the command line, checked. */
struct swt_opts {
	const struct swt_cmd *cmd;
	uint64_t delay_ns;
	struct swt_opt count;
	const char *input, *output;
	struct swt_opt pid;
	const char *comm, *cgroup;
	struct swt_opt min_swap; /* bytes */
	int sort;		 /* column, -1: default */
	int column[SWT_MAX_COLUMNS];
	size_t ncolumns; /* 0: default */
	bool json, print_schema, strict, ascii, help, version;
	int source;	 /* enum swt_source_kind, -1 auto */
	int level;	 /* 0..4, -1 auto */
	uint64_t buffer; /* 0 default */
	enum swt_color color;
	const char *sysroot;
	char **args; /* what is left */
	int nargs;
	char **child; /* after "--" for record, NULL-terminated, or NULL */
};

struct swt_cmd {
	const char *name; /* NULL for the command without a name */
	const char *args; /* "[OPTIONS] FILE" */
	const char *summary;
	unsigned int bit;
	int min_args, max_args;
	bool child;			      /* takes "-- COMMAND..." */
	int (*run)(const struct swt_opts *o); /* an enum swt_status */
};

extern const struct swt_cmd swt_cmds[];
extern const size_t swt_ncmds;

int cmd_top(const struct swt_opts *o);
int cmd_exits(const struct swt_opts *o);
int cmd_record(const struct swt_opts *o);
int cmd_report(const struct swt_opts *o);
int cmd_doctor(const struct swt_opts *o);

/**
 * swt_opts_parse - parse argv of @cmd (argv[0] is the command's name)
 *
 * Returns 0, or SWT_EXIT_USAGE after one line on stderr.
 */
int swt_opts_parse(const struct swt_cmd *cmd, int argc, char **argv, struct swt_opts *ret);

/** swt_opts_help - the help text of a command, from the tables. */
void swt_opts_help(const struct swt_cmd *cmd, FILE *f);
/** swt_opts_dump - all options, columns, commands and statuses, tab-separated, for completions and checks. */
void swt_opts_dump(FILE *f);

/* Messages: "swaptop: ..." on stderr, cleaned of control characters. */
void swt_msg(const char *fmt, ...) SWT_PRINTF(1, 2);
/** swt_fail - print @err (or the errno text), return the exit status that fits @rc. */
int swt_fail(int rc, const struct swt_err *err);
/** swt_cmd_log - a log that prints warnings with swt_msg(). */
const struct swt_log *swt_cmd_log(void);

#endif
