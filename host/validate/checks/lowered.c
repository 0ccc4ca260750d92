/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether deform moves points to where the skin program moves them that the model lowers to, over the layers below or over the
 * rest.
 */
#include <math.h>
#include <stdlib.h>

#include "plugin/requirements.h"
#include "validate/checks/checks.h"
#include "validate/checks/draw_values.h"
#include "validate/trial/trial_stack.h"

/* Of the mesh's diagonal: rounding, in whatever order a plug-in sums. */
#define TOLERANCE 1e-6

enum { DRAWS = 3 };

static snw_status compare(const snw_scene *scene, uint32_t m, const char *pose, const double *deformed, const double *lowered,
						  snw_error *finding) {
	const snw_mesh *mesh = &scene->meshes[m];
	const double tolerance = TOLERANCE * snw_scene_diagonal(scene, m);
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		const double apart = fabs(deformed[i] - lowered[i]);
		if (!(apart <= tolerance)) {
			return snw_fail(
				finding, SNW_ERROR_INTERNAL,
				"deform moves point %zu of mesh '%s' at pose '%s' to a different place than the program that it lowers "
				"to: they are %g m apart along %c",
				i / 3, mesh->name, pose, apart, (int)('x' + i % 3));
		}
	}
	return SNW_OK;
}

/* One mesh at one pose: the points from below through deform, and the whole stack. */
static snw_status compare_mesh(const harness *b, const trial_stack *stack, uint32_t pose, const harness_driven *driven,
							   uint32_t m, snw_error *finding) {
	const snw_mesh *mesh = &b->scene->meshes[m];
	const size_t bytes = (size_t)3 * mesh->point_count * sizeof(double);
	double *below = malloc(bytes), *deformed = malloc(bytes), *lowered = malloc(bytes);
	snw_status status = snw_stack_reference(stack->below, stack->below_evaluation, m, NULL, below, finding);
	status =
		snw_failed(status) ? status : snw_stack_reference(stack->whole, stack->whole_evaluation, m, NULL, lowered, finding);
	if (!snw_failed(status)) {
		status = harness_deform(b, b->model, pose, driven, m, below, deformed);
		status = snw_failed(status) ? snw_fail(finding, status, "deform fails at pose '%s', although it lowers for mesh '%s'",
											   b->scene->poses[pose].name, mesh->name)
									: compare(b->scene, m, b->scene->poses[pose].name, deformed, lowered, finding);
	}
	free(lowered);
	free(deformed);
	free(below);
	return status;
}

/* With the harness's values. Counts the meshes and poses that were compared. */
static snw_status compare_poses(const harness *b, bool is_alone, uint32_t *compared, snw_error *finding) {
	trial_stack stack = {0};
	harness_driven driven;
	snw_status status = harness_driven_make(b, b->model, &driven, finding);
	status = snw_failed(status) ? status : trial_stack_open(&stack, b, is_alone, finding);
	for (uint32_t p = 0; p < b->scene->pose_count && !snw_failed(status); p++) {
		status = harness_drive(b, b->model, p, 0, &driven, finding);
		status = snw_failed(status) ? status : snw_stack_drive(stack.whole, b->poses[p], stack.whole_evaluation, finding);
		status = snw_failed(status) ? status : snw_stack_drive(stack.below, b->poses[p], stack.below_evaluation, finding);
		for (uint32_t m = 0; m < b->scene->mesh_count && !snw_failed(status); m++) {
			if (!harness_is_black_box(b, b->model, m)) {
				status = compare_mesh(b, &stack, p, &driven, m, finding);
				++*compared;
			}
		}
	}
	trial_stack_close(&stack);
	harness_driven_free(&driven);
	return status;
}

/* Displacements of a program act before what is below, and deform after it. So a deform that is right over the rest alone is
 * right too. */
static snw_status compare_programs(const harness *b, uint32_t *compared, snw_error *finding) {
	snw_error unused;
	const snw_status status = compare_poses(b, false, compared, finding);
	return snw_failed(status) && !snw_failed(compare_poses(b, true, compared, &unused)) ? SNW_OK : status;
}

snw_status snw_validate_lowered(harness *b, const check_settings *settings, snw_error *finding) {
	if (!b->deformer->deform || !b->deformer->lower || snw_proposes_only(b->deformer->descriptor)) {
		return snw_fail(finding, SNW_OK, "%s",
						b->deformer->deform ? "no lower; it always deforms" : "no deform; it always lowers");
	}
	uint64_t random = settings->seed;
	uint32_t compared = 0;
	drawn_files files = draw_files(b);
	snw_status status = compare_programs(b, &compared, finding);
	for (int draw = 0; draw < DRAWS && !snw_failed(status); draw++) {
		draw_values(&random, b, SNW_STAGE_LOWER, &files);
		status = compare_programs(b, &compared, finding);
		draw_files_close(&files);
	}
	if (snw_failed(status)) {
		return status;
	}
	return compared == 0
			   ? snw_fail(finding, SNW_OK, "it does not lower")
			   : snw_fail(finding, SNW_OK, "deform and the lowered program agree on %u meshes, posed and with random values",
						  compared);
}
