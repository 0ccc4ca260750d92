/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/budget.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { INFLUENCES, JOINTS, HELPERS, PROXIES, MORPHS, BYTES, PARTS };

/* The most influences that a glTF file of ours has; as many joints and targets as its formats can count. */
static const struct {
	const char *key, *expected;
	double least, most;
} parts[PARTS] = {[INFLUENCES] = {"influences", "1 to 8", 1, 8}, [JOINTS] = {"joints", "1 to 65536", 1, 65536},
				  [HELPERS] = {"helpers", "0 to 1024", 0, 1024}, [PROXIES] = {"proxies", "0 to 320", 0, 320},
				  [MORPHS] = {"morphs", "0 to 4096", 0, 4096},   [BYTES] = {"bytes", "1 or more, as 500k or 2M", 1, 4e9}};

/* A number with k, M or G behind it; NaN for anything else. */
static double read_number(const char *text, size_t length) {
	char copy[32] = "", *end;
	if (length == 0 || length >= sizeof copy) {
		return (double)NAN;
	}
	memcpy(copy, text, length);
	const double number = strtod(copy, &end);
	const char *units = "kMG", *unit = *end ? strchr(units, *end) : NULL;
	if (unit && end[1] == 0) {
		return number * pow(1000, (double)(unit - units) + 1);
	}
	return *end || end == copy ? (double)NAN : number;
}

static int find_part(const char *text, size_t length) {
	for (int p = 0; p < PARTS; p++) {
		if (strlen(parts[p].key) == length && strncmp(parts[p].key, text, length) == 0) {
			return p;
		}
	}
	return -1;
}

snw_status snw_budget_parse(const char *text, snw_budget *budget, snw_error *error) {
	double values[PARTS] = {4, 255, 0, 0, 0, 0};
	bool is_given[PARTS] = {false};
	while (*text) {
		const size_t length = strcspn(text, ","), key = strcspn(text, "=,");
		const int part = find_part(text, key);
		if (part < 0 || key == length || is_given[part]) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"'%.*s': expected influences=N, joints=N, helpers=N, proxies=N, morphs=N or bytes=N, each once",
							(int)length, text);
		}
		const double value = read_number(text + key + 1, length - key - 1);
		const bool is_whole = part == BYTES || value == floor(value);
		if (!(value >= parts[part].least && value <= parts[part].most) || !is_whole) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "'%.*s': expected %s", (int)length, text, parts[part].expected);
		}
		values[part] = value;
		is_given[part] = true;
		text += length + (text[length] == ',');
	}
	*budget = (snw_budget){.influences = (uint32_t)values[INFLUENCES],
						   .joints = (uint32_t)values[JOINTS],
						   .helpers = (uint32_t)values[HELPERS],
						   .proxies = (uint32_t)values[PROXIES],
						   .morphs = (uint32_t)values[MORPHS],
						   .bytes = (uint64_t)values[BYTES]};
	return SNW_OK;
}

const char *snw_budget_text(const snw_budget *budget, snw_arena *arena) {
	const char *bytes = budget->bytes > 0 ? snw_arena_format(arena, ",bytes=%llu", (unsigned long long)budget->bytes) : "";
	return snw_arena_format(arena, "influences=%u,joints=%u,helpers=%u,proxies=%u,morphs=%u%s", budget->influences,
							budget->joints, budget->helpers, budget->proxies, budget->morphs, bytes);
}
