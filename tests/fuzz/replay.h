/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every fuzz target is one function.  With -DFUZZ_REPLAY it gets a main() that runs it on the files given, so that a
 * corpus is a test for any compiler; without, libFuzzer brings its own:
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined ... tests/fuzz/fuzz-page.c
 *	gcc -DFUZZ_REPLAY ... tests/fuzz/fuzz-page.c && ./a.out tests/fuzz/corpus/fuzz-page/ *
 */
#ifndef TEST_FUZZ_REPLAY_H
#define TEST_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise, found without a sanitizer. */
#define FUZZ_CHECK(cond)                                                           \
	do {                                                                       \
		if (!(cond)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond); \
			abort();                                                   \
		}                                                                  \
	} while (0)

#ifdef FUZZ_REPLAY
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *fp = fopen(argv[i], "rb");
		uint8_t *buf = malloc(1u << 20), *data;
		size_t n;

		if (!fp || !buf) {
			perror(argv[i]);
			return 1;
		}
		n = fread(buf, 1, 1u << 20, fp);
		fclose(fp);
		data = realloc(buf, n ? n : 1); /* no room behind the end */
		if (!data)
			return 1;
		LLVMFuzzerTestOneInput(data, n);
		free(data);
	}
	return 0;
}
#endif

#endif
