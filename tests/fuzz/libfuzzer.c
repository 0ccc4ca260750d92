/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A target for libFuzzer: clang's -fsanitize=fuzzer provides main. libFuzzer reads its first inputs from a folder. If
 * $FUZZ_SEEDS names one, the target's seeds are written there first.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/targets.h"

static const fuzz_target *target;

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerInitialize(int *count, char ***arguments) {
	(void)count, (void)arguments;
	const char *folder = getenv("FUZZ_SEEDS");
	target = fuzz_target_find(FUZZ_TARGET);
	for (unsigned i = 0; folder && i < target->seed_count; i++) {
		char path[1000];
		size_t length;
		unsigned char *bytes = target->seed(i, &length);
		snprintf(path, sizeof path, "%s/seed-%u", folder, i);
		FILE *file = fopen(path, "wb");
		if (file) {
			fwrite(bytes, 1, length, file);
			fclose(file);
		}
		free(bytes);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
	target->read(bytes, count);
	return 0;
}
