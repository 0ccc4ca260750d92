/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/numbers.h"

#include <cblas.h>
#include <lapacke.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sinew/algebra.h"
#include "sinew/sinew.h"

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */

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

/* ---- boxes --------------------------------------------------------------------------------------------------------------- */

/* Axis-aligned bounding boxes. */

snw_box snw_box_empty(void) {
	return (snw_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

bool snw_box_is_empty(const snw_box *box) {
	return !(box->lower[0] <= box->upper[0]);
}

void snw_box_add(snw_box *box, const double point[3]) {
	if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) {
		return;
	}
	for (int c = 0; c < 3; c++) {
		box->lower[c] = point[c] < box->lower[c] ? point[c] : box->lower[c];
		box->upper[c] = point[c] > box->upper[c] ? point[c] : box->upper[c];
	}
}

void snw_box_add_points(snw_box *box, const double *points, size_t count) {
	for (size_t i = 0; i < count; i++) {
		snw_box_add(box, points + 3 * i);
	}
}

void snw_box_add_floats(snw_box *box, const float *points, size_t count) {
	for (size_t i = 0; i < count; i++) {
		const double point[3] = {(double)points[3 * i], (double)points[3 * i + 1], (double)points[3 * i + 2]};
		snw_box_add(box, point);
	}
}

void snw_box_add_box(snw_box *box, const snw_box *added) {
	if (!snw_box_is_empty(added)) {
		snw_box_add(box, added->lower);
		snw_box_add(box, added->upper);
	}
}

snw_box snw_box_widened(const snw_box *box, double margin) {
	snw_box wider = *box;
	for (int c = 0; c < 3 && !snw_box_is_empty(box); c++) {
		wider.lower[c] -= margin;
		wider.upper[c] += margin;
	}
	return wider;
}

double snw_box_diagonal(const snw_box *box) {
	return snw_box_is_empty(box) ? 0 : sqrt(snw_squared_distance3(box->upper, box->lower));
}

double snw_points_diagonal(const double *points, size_t count) {
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, points, count);
	return snw_box_diagonal(&box);
}

void snw_box_corner(const snw_box *box, int corner, double point[3]) {
	for (int c = 0; c < 3; c++) {
		point[c] = corner >> c & 1 ? box->upper[c] : box->lower[c];
	}
}

/* ---- hashes -------------------------------------------------------------------------------------------------------------- */

/* Multiplies and folds eight bytes at a time, like wyhash. */
void snw_hash_u64(snw_hash *hash, uint64_t value) {
	uint64_t state = (hash->state ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	state ^= state >> 32;
	hash->state = state + UINT64_C(0x632be59bd9b4e019);
}

void snw_hash_bytes(snw_hash *hash, const void *bytes, size_t count) {
	const unsigned char *at = bytes;
	snw_hash_u64(hash, count);
	for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, at, sizeof word);
		snw_hash_u64(hash, word);
	}
	if (count > 0) {
		uint64_t word = 0;
		memcpy(&word, at, count);
		snw_hash_u64(hash, word);
	}
}

static void hash_array(snw_hash *hash, const void *values, size_t count, size_t value_bytes) {
	snw_hash_u64(hash, values != NULL);
	if (values) {
		snw_hash_bytes(hash, values, count * value_bytes);
	}
}

void snw_hash_text(snw_hash *hash, const char *text) {
	hash_array(hash, text, text ? strlen(text) : 0, 1);
}

void snw_hash_f64s(snw_hash *hash, const double *values, size_t count) {
	hash_array(hash, values, count, sizeof *values);
}

void snw_hash_u32s(snw_hash *hash, const uint32_t *values, size_t count) {
	hash_array(hash, values, count, sizeof *values);
}

uint64_t snw_hash_value(const snw_hash *hash) {
	return hash->state ? hash->state : 1;
}

/* ---- LAPACK -------------------------------------------------------------------------------------------------------------- */

/* What lies row by row is the transposed matrix to LAPACK. A symmetric one is the same, with its triangles exchanged. */

bool snw_solve_positive(size_t n, size_t count, double *a, double *sides) {
	const lapack_int rows = (lapack_int)n;
	return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', rows, (lapack_int)count, a, rows, sides, rows) == 0;
}

/* OpenBLAS sums in another order with another number of threads. */
bool snw_symmetric_eigen(size_t n, double *a, double *values, double *space) {
	openblas_set_num_threads(1);
	const lapack_int rows = (lapack_int)n;
	return LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', rows, a, rows, values, space, 3 * rows) == 0;
}

/* ---- layout limits ------------------------------------------------------------------------------------------------------- */

enum { SNW_MOST_DRIVEN = 1 << 26 }; /* numbers in each of z, d and e */

snw_status snw_layout_check(const snw_deformer *deformer, const snw_model_layout *layout, snw_error *error) {
	if (layout->z_count > SNW_MOST_DRIVEN || layout->d_count > SNW_MOST_DRIVEN || layout->e_count > SNW_MOST_DRIVEN) {
		return snw_fail(error, SNW_ERROR_LIMIT, "has more than %d coefficients", SNW_MOST_DRIVEN);
	}
	if (layout->z_count + layout->d_count + layout->e_count > 0 && !deformer->drive) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "has coefficients but no drive");
	}
	if (layout->scratch_bytes > SNW_MOST_SCRATCH || layout->prepared_bytes > SNW_MOST_SCRATCH) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"needs %zu bytes of scratch for each thread and %zu for each pass, more than the limit of %zu",
						layout->scratch_bytes, layout->prepared_bytes, SNW_MOST_SCRATCH);
	}
	return SNW_OK;
}
