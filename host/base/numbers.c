/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/numbers.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
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

static int compare_ascending(const void *a, const void *b) {
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

void snw_sort_numbers(double *numbers, size_t count) {
	if (count > 1) { /* qsort does not accept NULL */
		qsort(numbers, count, sizeof *numbers, compare_ascending);
	}
}

/* ---- numbers in text ----------------------------------------------------------------------------------------------------- */

/* Decimal digits as mantissa · 10^exponent; `exact` while the mantissa holds them all. */
typedef struct decimal {
	uint64_t mantissa;
	int64_t exponent;
	bool any, exact;
} decimal;

static const char *read_digits(const char *at, bool fraction, decimal *number) {
	for (; *at >= '0' && *at <= '9'; at++) {
		number->any = true;
		if (number->mantissa <= (UINT64_MAX - 9) / 10) {
			number->mantissa = 10 * number->mantissa + (uint64_t)(*at - '0');
			number->exponent -= fraction;
		} else {
			number->exact = false;
			number->exponent += !fraction;
		}
	}
	return at;
}

/* The position after the exponent; NULL if 'e' has no digits. */
static const char *read_exponent(const char *at, decimal *number) {
	if (*at != 'e' && *at != 'E') {
		return at;
	}
	at++;
	const bool negative = *at == '-';
	at += *at == '-' || *at == '+';
	if (*at < '0' || *at > '9') {
		return NULL;
	}
	int64_t exponent = 0;
	for (; *at >= '0' && *at <= '9'; at++) {
		exponent = exponent < 100000 ? 10 * exponent + (*at - '0') : exponent;
	}
	number->exponent += negative ? -exponent : exponent;
	return at;
}

const char *snw_read_number(const char *text, double *number) {
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
									1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const bool negative = *text == '-';
	const char *at = text + (*text == '-' || *text == '+');
	decimal d = {.exact = true};
	at = read_digits(at, false, &d);
	if (*at == '.') {
		at = read_digits(at + 1, true, &d);
	}
	at = d.any ? read_exponent(at, &d) : NULL;
	if (!at) {
		return NULL;
	}
	if (d.exact && d.mantissa <= (uint64_t)1 << 53 && d.exponent >= -22 && d.exponent <= 22) {
		/* Both factors are exact in double, so the result is rounded once and correct. */
		*number = d.exponent < 0 ? (double)d.mantissa / powers[-d.exponent] : (double)d.mantissa * powers[d.exponent];
		*number = negative ? -*number : *number;
	} else {
		const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		*number = strtod_l(text, NULL, c_locale);
		freelocale(c_locale);
	}
	return at;
}
