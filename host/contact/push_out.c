/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Newton's method: rows that are met, and displacements that are short enough, do not act; the rest is a quadratic, minimised
 * by conjugate gradients. Which of them act is found anew until that stays.
 */
#include "contact/contact.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

enum { MOST_ROUNDS = 12, MOST_STEPS = 400 };
static const double MASS = 1e-3;         /* of a displacement's size against its smoothness */
static const double TOO_LONG = 1000;     /* weight of what is longer than it may be */
static const double SMALL_ENOUGH = 1e-5; /* of the first residual */

/* How one point's displacement in one example counts in a row. */
typedef struct row_part {
	size_t at; /* of its three numbers */
	double vector[3];
} row_part;

typedef struct solving {
	const snw_push_out *push;
	uint32_t row_count;
	const snw_push_row *rows;
	double weight, damping;
	size_t set, count; /* numbers of an example, and of all */
	size_t *begins;    /* [row_count + 1] */
	row_part *parts;
	bool *acts;        /* [row_count] */
	double *from;      /* [count]: the displacements that are improved */
	double *too_long;  /* [example_count][point_count][3]: the direction of one that is too long; else 0 */
	double *laplacian; /* [set] */
	double *diagonal;  /* [count] */
} solving;

static double coefficient(const snw_push_out *push, uint32_t frame, uint32_t example, uint32_t point) {
	const size_t at = (size_t)frame * push->example_count + example;
	const double first = push->coefficients[0][at];
	return push->coefficients[1] ? push->shares[point] * first + (1 - push->shares[point]) * push->coefficients[1][at] : first;
}

void snw_push_out_at(const snw_push_out *push, const double *displacements, uint32_t frame, double *displaced) {
	const size_t set = 3 * (size_t)push->point_count;
	memset(displaced, 0, set * sizeof *displaced);
	for (uint32_t k = 0; k < push->example_count; k++) {
		for (uint32_t p = 0; p < push->point_count; p++) {
			const double c = coefficient(push, frame, k, p), *x = displacements + set * k + 3 * (size_t)p;
			for (size_t i = 0; i < 3; i++) {
				displaced[3 * (size_t)p + i] += c * x[i];
			}
		}
	}
}

/* ---- smoothness ---------------------------------------------------------------------------------------------------------- */

/* Each point minus the mean of its neighbours; transposed, what that does to the sum of squares. */
static void umbrella(const snw_push_out *push, const double *x, bool is_transposed, double *dest) {
	const snw_adjacency *around = push->around;
	for (uint32_t p = 0; p < push->point_count; p++) {
		const uint32_t begin = around->neighbour_starts[p], end = around->neighbour_starts[p + 1];
		double sum[3] = {0};
		for (uint32_t n = begin; n < end; n++) {
			const uint32_t q = around->neighbours[n];
			const double share =
				1.0 / (is_transposed ? around->neighbour_starts[q + 1] - around->neighbour_starts[q] : end - begin);
			for (size_t i = 0; i < 3; i++) {
				sum[i] += share * x[3 * (size_t)q + i];
			}
		}
		for (size_t i = 0; i < 3; i++) {
			dest[3 * (size_t)p + i] = x[3 * (size_t)p + i] - sum[i];
		}
	}
}

/* ---- the quadratic ------------------------------------------------------------------------------------------------------- */

/* Σ_j vectors_j · u(points_j), as a sum over displacements of examples. */
static void list_parts(solving *s, snw_arena *scratch) {
	const snw_push_out *push = s->push;
	const size_t most = (size_t)s->row_count * 3 * push->example_count;
	size_t count = 0;
	s->begins = SNW_NEW_ARRAY(scratch, size_t, (size_t)s->row_count + 1);
	s->parts = SNW_NEW_ARRAY(scratch, row_part, most);
	for (uint32_t r = 0; r < s->row_count; r++) {
		const snw_push_row *row = &s->rows[r];
		for (uint32_t k = 0; k < 3 * push->example_count; k++) {
			const uint32_t j = k % 3;
			const double c = coefficient(push, row->frame, k / 3, row->points[j]);
			if (c != 0 && snw_dot3(row->vectors[j], row->vectors[j]) > 0) {
				s->parts[count++] = (row_part){s->set * (k / 3) + 3 * (size_t)row->points[j],
											   {c * row->vectors[j][0], c * row->vectors[j][1], c * row->vectors[j][2]}};
			}
		}
		s->begins[r + 1] = count;
	}
}

static double row_value(const solving *s, uint32_t row, const double *x) {
	double value = 0;
	for (size_t i = s->begins[row]; i < s->begins[row + 1]; i++) {
		value += snw_dot3(s->parts[i].vector, x + s->parts[i].at);
	}
	return value;
}

/* Adds an amount of the row's gradient. */
static void add_row(const solving *s, uint32_t row, double amount, double *dest) {
	for (size_t i = s->begins[row]; i < s->begins[row + 1]; i++) {
		for (int c = 0; c < 3; c++) {
			dest[s->parts[i].at + (size_t)c] += amount * s->parts[i].vector[c];
		}
	}
}

/* Adds how far displacements that are too long go along their direction. */
static void add_too_long(const solving *s, const double *x, double *dest) {
	for (size_t at = 0; at < s->count; at += 3) {
		const double along = TOO_LONG * snw_dot3(s->too_long + at, x + at);
		for (size_t i = 0; i < 3; i++) {
			dest[at + i] += along * s->too_long[at + i];
		}
	}
}

static void multiply(const solving *s, const double *x, double *dest) {
	for (uint32_t k = 0; k < s->push->example_count; k++) {
		umbrella(s->push, x + s->set * k, false, s->laplacian);
		umbrella(s->push, s->laplacian, true, dest + s->set * k);
	}
	for (size_t i = 0; i < s->count; i++) {
		dest[i] += (MASS + s->damping) * x[i];
	}
	for (uint32_t r = 0; r < s->row_count; r++) {
		if (s->acts[r]) {
			add_row(s, r, s->weight * s->rows[r].weight * row_value(s, r, x), dest);
		}
	}
	add_too_long(s, x, dest);
}

/* The right side, and the diagonal of the matrix. */
static void find_sides(const solving *s, double *right) {
	for (size_t i = 0; i < s->count; i++) {
		const double direction = s->too_long[i];
		right[i] = s->damping * s->from[i] + TOO_LONG * s->push->most * direction;
		s->diagonal[i] = 1.25 + MASS + s->damping + TOO_LONG * direction * direction;
	}
	for (uint32_t r = 0; r < s->row_count; r++) {
		const double weight = s->weight * s->rows[r].weight;
		if (!s->acts[r]) {
			continue;
		}
		add_row(s, r, weight * s->rows[r].least, right);
		for (size_t i = s->begins[r]; i < s->begins[r + 1]; i++) {
			for (int c = 0; c < 3; c++) {
				s->diagonal[s->parts[i].at + (size_t)c] += weight * s->parts[i].vector[c] * s->parts[i].vector[c];
			}
		}
	}
}

static double dot(size_t count, const double *a, const double *b) {
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

/* Conjugate gradients from x on; `scratch` [4][count]. False if the task stops. */
static bool minimise(const solving *s, const double *right, double fraction, const snw_task *task, double *scratch, double *x) {
	double *residual = scratch, *step = scratch + s->count, *image = step + s->count, *scaled = image + s->count;
	multiply(s, x, image);
	for (size_t i = 0; i < s->count; i++) {
		residual[i] = right[i] - image[i];
		step[i] = scaled[i] = residual[i] / s->diagonal[i];
	}
	double size = dot(s->count, residual, scaled);
	const double enough = SMALL_ENOUGH * SMALL_ENOUGH * dot(s->count, right, right);
	for (int n = 0; n < MOST_STEPS && dot(s->count, residual, residual) > enough; n++) {
		if (!snw_task_progress(task, fraction, "pushing out")) {
			return false;
		}
		multiply(s, step, image);
		const double length = size / dot(s->count, step, image);
		for (size_t i = 0; i < s->count; i++) {
			x[i] += length * step[i];
			residual[i] -= length * image[i];
			scaled[i] = residual[i] / s->diagonal[i];
		}
		const double next = dot(s->count, residual, scaled), share = next / size;
		size = next;
		for (size_t i = 0; i < s->count; i++) {
			step[i] = scaled[i] + share * step[i];
		}
	}
	return true;
}

/* ---- what acts ----------------------------------------------------------------------------------------------------------- */

/* Which rows are not met, and which displacements are too long. False if they are those of before. */
static bool find_acting(solving *s, const double *x) {
	bool has_changed = false;
	for (uint32_t r = 0; r < s->row_count; r++) {
		const bool acts = row_value(s, r, x) < s->rows[r].least;
		has_changed = has_changed || acts != s->acts[r];
		s->acts[r] = acts;
	}
	for (size_t at = 0; at < s->count; at += 3) {
		const double length = snw_length3(x + at);
		const bool is_long = length > s->push->most, was_long = snw_length3(s->too_long + at) > 0;
		has_changed = has_changed || is_long != was_long;
		for (size_t i = 0; i < 3; i++) {
			s->too_long[at + i] = is_long ? x[at + i] / length : 0;
		}
	}
	return has_changed;
}

snw_status snw_push_out_solve(const snw_push_out *push, uint32_t row_count, const snw_push_row *rows, double weight,
							  double damping, const snw_task *task, double *displacements, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	solving s = {.push = push,
				 .row_count = row_count,
				 .rows = rows,
				 .weight = weight,
				 .damping = damping,
				 .set = 3 * (size_t)push->point_count};
	s.count = s.set * push->example_count;
	s.from = snw_arena_copy(scratch, displacements, s.count * sizeof *displacements);
	list_parts(&s, scratch);
	s.acts = SNW_NEW_ARRAY(scratch, bool, row_count);
	s.too_long = SNW_NEW_ARRAY(scratch, double, s.count);
	s.laplacian = SNW_NEW_ARRAY(scratch, double, s.set);
	s.diagonal = SNW_NEW_ARRAY(scratch, double, s.count);
	double *right = SNW_NEW_ARRAY(scratch, double, s.count), *numbers = SNW_NEW_ARRAY(scratch, double, 4 * s.count);
	bool goes_on = true;
	for (int round = 0; round < MOST_ROUNDS && goes_on && find_acting(&s, displacements); round++) {
		find_sides(&s, right);
		goes_on = minimise(&s, right, (double)round / MOST_ROUNDS, task, numbers, displacements);
	}
	snw_arena_destroy(scratch);
	return goes_on ? SNW_OK : snw_fail(error, SNW_CANCELLED, "pushing out was cancelled");
}

void snw_push_out_limit(const snw_push_out *push, double *displacements) {
	snw_arena *scratch = snw_arena_create();
	const size_t set = 3 * (size_t)push->point_count;
	double *lengths = SNW_NEW_ARRAY(scratch, double, push->point_count), *displaced = SNW_NEW_ARRAY(scratch, double, set);
	for (uint32_t f = 0; f < push->frame_count + push->example_count; f++) {
		const double *at = f < push->frame_count ? displaced : displacements + set * (f - push->frame_count);
		if (f < push->frame_count) {
			snw_push_out_at(push, displacements, f, displaced);
		}
		for (uint32_t p = 0; p < push->point_count; p++) {
			lengths[p] = fmax(lengths[p], snw_length3(at + 3 * (size_t)p));
		}
	}
	for (size_t i = 0; i < set * push->example_count; i++) {
		const double length = lengths[i % set / 3];
		displacements[i] *= length > push->most ? push->most / length : 1;
	}
	snw_arena_destroy(scratch);
}
