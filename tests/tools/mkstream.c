/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mkstream - a stream with every kind of record to stdout; "mkstream schema" prints the schema.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "out/schema.h"
#include "outgen.h"

int main(int argc, char **argv)
{
	static struct swt_wall w;
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	if (argc > 1 && !strcmp(argv[1], "schema")) {
		rc = swt_schema(&b);
		fputs(swt_buf_str(&b), stdout);
		swt_buf_free(&b);
		return rc ? 1 : 0;
	}
	swt_wall_add(&w, OUTGEN_MONO, OUTGEN_REAL);
	return outgen_stream(STDOUT_FILENO, &w) ? 1 : 0;
}
