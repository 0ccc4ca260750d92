/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>

size_t snw_first_not_finite(const double *numbers, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return i;
		}
	}
	return count;
}

bool snw_all_finite(const double *numbers, size_t count) {
	return snw_first_not_finite(numbers, count) == count;
}

static int compare(const void *a, const void *b) {
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

void snw_sort_numbers(double *numbers, size_t count) {
	if (count > 1) { /* qsort does not accept NULL */
		qsort(numbers, count, sizeof *numbers, compare);
	}
}
