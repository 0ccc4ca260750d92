/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file/natural_order.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Compares the numbers at *a and *b by value and skips them. */
static int compare_numbers(const char **a, const char **b) {
	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	const size_t length_a = strspn(*a, "0123456789"), length_b = strspn(*b, "0123456789");
	const int order = length_a != length_b ? (length_a < length_b ? -1 : 1) : strncmp(*a, *b, length_a);
	*a += length_a;
	*b += length_b;
	return order;
}

static int compare_characters(char a, char b, bool ignores_case) {
	const int first = (unsigned char)a, second = (unsigned char)b;
	return ignores_case ? tolower(first) - tolower(second) : first - second;
}

static int compare(const char *a, const char *b, bool ignores_case) {
	const char *p = a, *q = b;
	while (*p && *q) {
		const bool are_numbers = isdigit((unsigned char)*p) && isdigit((unsigned char)*q);
		const int order = are_numbers ? compare_numbers(&p, &q) : compare_characters(*p++, *q++, ignores_case);
		if (order != 0) {
			return order;
		}
	}
	if (*p || *q) {
		return *p ? 1 : -1;
	}
	return strcmp(a, b); /* 01 and 1 are equal in value, but different names */
}

int snw_natural_compare(const char *a, const char *b) {
	return compare(a, b, false);
}

int snw_natural_compare_ignoring_case(const char *a, const char *b) {
	return compare(a, b, true);
}

static int compare_entries(const void *a, const void *b) {
	return snw_natural_compare(*(char *const *)a, *(char *const *)b);
}

void snw_natural_sort(char **names, size_t count) {
	if (count > 1) { /* without names the array may be NULL, which qsort does not accept */
		qsort(names, count, sizeof *names, compare_entries);
	}
}
