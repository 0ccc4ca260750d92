/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * least PROJECT TARGET: how near the stack comes to a target if the matrix of each slot is free in each frame: least squares
 * over the points. Prints the mean distance in thousandths of the diagonal, as JSON. The stack lowers to one linear or affine
 * blend.
 */
#include "check.h"

#include <lapacke.h>

#include "program/program.h"
#include "project/project.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

static snw_error fault;

typedef struct equations {
	snw_influences rows;
	uint32_t point_count, column_count; /* four columns for each slot */
	double *factor;                     /* [column_count]²: Cholesky of the products of the rows, lower */
	double *matrices;                   /* [column_count][3]: transposed, of one frame */
} equations;

/* The row of influence `k`, and the first of its four columns. */
static const double *row_of(const equations *e, uint32_t k, uint32_t *column) {
	*column = 4 * e->rows.slots[k];
	return e->rows.values + 4 * (size_t)k;
}

static void factor(equations *e) {
	const uint32_t n = e->column_count;
	for (uint32_t i = 0; i < e->point_count; i++) {
		for (uint32_t a = e->rows.offsets[i]; a < e->rows.offsets[i + 1]; a++) {
			for (uint32_t b = e->rows.offsets[i]; b < e->rows.offsets[i + 1]; b++) {
				uint32_t at, beside;
				const double *row = row_of(e, a, &at), *other = row_of(e, b, &beside);
				for (int k = 0; k < 16; k++) {
					e->factor[(size_t)(at + k / 4) * n + beside + k % 4] += row[k / 4] * other[k % 4];
				}
			}
		}
	}
	for (uint32_t c = 0; c < n; c++) { /* a slot without points, or with points in a plane */
		e->factor[(size_t)c * n + c] += 1e-12;
	}
	assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, e->factor, (lapack_int)n), 0);
}

/* The matrices that are best for one frame. */
static void solve(equations *e, const float *wanted) {
	memset(e->matrices, 0, 3 * sizeof(double) * e->column_count);
	for (uint32_t i = 0; i < e->point_count; i++) {
		for (uint32_t a = e->rows.offsets[i]; a < e->rows.offsets[i + 1]; a++) {
			uint32_t column;
			const double *row = row_of(e, a, &column);
			for (int k = 0; k < 12; k++) {
				e->matrices[3 * (size_t)(column + k / 3) + k % 3] += row[k / 3] * (double)wanted[3 * (size_t)i + k % 3];
			}
		}
	}
	assert_int_equal(LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', (lapack_int)e->column_count, 3, e->factor,
									(lapack_int)e->column_count, e->matrices, 3),
					 0);
}

/* The sum over the points of a frame. */
static double distances(const equations *e, const float *wanted) {
	double sum = 0;
	for (uint32_t i = 0; i < e->point_count; i++) {
		double apart[3];
		for (int c = 0; c < 3; c++) {
			apart[c] = -(double)wanted[3 * (size_t)i + c];
		}
		for (uint32_t a = e->rows.offsets[i]; a < e->rows.offsets[i + 1]; a++) {
			uint32_t column;
			const double *row = row_of(e, a, &column);
			for (int k = 0; k < 12; k++) {
				apart[k % 3] += row[k / 3] * e->matrices[3 * (size_t)(column + k / 3) + k % 3];
			}
		}
		sum += snw_length3(apart);
	}
	return sum;
}

static void measure(const snw_scene *scene, const snw_stack *stack, const snw_target *target, snw_arena *arena) {
	const snw_program *program = snw_stack_segment(stack, target->mesh, 0).program;
	const uint32_t n = 4 * program->slot_count;
	equations e = {.rows = snw_program_rows(program, arena), .point_count = program->point_count, .column_count = n};
	e.factor = SNW_NEW_ARRAY(arena, double, (size_t)n *n);
	e.matrices = SNW_NEW_ARRAY(arena, double, 3 * (size_t)n);
	factor(&e);
	double sum = 0;
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const float *wanted = target->points_posed + 3 * (size_t)f * e.point_count;
		solve(&e, wanted);
		sum += distances(&e, wanted);
	}
	printf("{\"mean\": %.4f}\n",
		   1000 * sum / ((double)target->frame_count * e.point_count) / snw_scene_diagonal(scene, target->mesh));
}

int main(int count, char **arguments) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	snw_stack *stack = NULL;
	assert_int_equal(count, 3);
	snw_registry *registry = snw_registry_open();
	snw_arena *arena = snw_arena_create();
	check_ok(snw_project_open(arguments[1], true, &project, &fault), fault);
	check_ok(snw_project_scene(project, &scene, &fault), fault);
	check_ok(snw_stack_build(scene, registry, &(snw_stack_options){0}, NULL, &stack, &fault), fault);
	measure(scene, stack, &scene->targets[snw_scene_find_target(scene, arguments[2])], arena);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_project_close(project);
	snw_registry_close(registry);
	snw_arena_destroy(arena);
	return 0;
}
