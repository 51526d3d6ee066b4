/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target: reading a stream back.  What is read must be consistent, clean and bounded.
 *
 * Built with -fsanitize=fuzzer, or with -DFUZZ_REPLAY as a program that replays the files named.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "out/ndjson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

static void must_be_clean(const char *s, size_t size)
{
	size_t len = strnlen(s, size), i;

	must(len < size);
	must(swt_text_valid(s, len));
	for (i = 0; i < len; i++)
		must((unsigned char)s[i] >= 0x20 && s[i] != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct swt_ndjson n;
	struct swt_err err = { "" };
	int fd = memfd_create("stream", MFD_CLOEXEC), rc;

	must(fd >= 0);
	must(write(fd, data, size) == (ssize_t)size);
	must(lseek(fd, 0, SEEK_SET) == 0);
	rc = swt_ndjson_read(fd, &n, &err);
	close(fd);
	swt_ndjson_sniff(data, size);
	must(n.reports + n.exits + n.updates + n.others <= n.lines);
	if (rc) {
		must(err.text[0] != '\0');
		return 0;
	}
	must(n.complete == (n.why[0] == '\0'));
	must(!n.complete || n.have_end);
	must_be_clean(n.schema, sizeof(n.schema));
	must_be_clean(n.version, sizeof(n.version));
	must_be_clean(n.host, sizeof(n.host));
	must_be_clean(n.kernel, sizeof(n.kernel));
	must_be_clean(n.mode, sizeof(n.mode));
	must_be_clean(n.reason, sizeof(n.reason));
	must_be_clean(n.last_time, sizeof(n.last_time));
	return 0;
}

#ifdef FUZZ_REPLAY
int main(int argc, char **argv)
{
	static uint8_t buf[1 << 22];
	int i;

	for (i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");

		if (!f) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(buf, fread(buf, 1, sizeof(buf), f));
		fclose(f);
	}
	return 0;
}
#endif
