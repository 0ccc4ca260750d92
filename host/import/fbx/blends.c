/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How skins blend. A skin of FBX blends its points linearly, by dual quaternions, or each point between both by a weight of its
 * own. A character has one blend here, so files that have both get the one that is nearer to them over their clips.
 */
#include <math.h>

#include "import/fbx/fbx_internal.h"
#include "pose/pose.h"
#include "program/program.h"
#include "program/reference_evaluator.h"
#include "sinew/algebra.h"

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static bool read_shares(snw_fbx *f, const snw_fbx_node *skin, snw_fbx_shape *shape) {
	snw_arena *arena = snw_arena_create();
	uint32_t count;
	const double *weights = snw_fbx_numbers(f, snw_fbx_child(skin, "BlendWeights"), arena, &count);
	for (uint32_t p = 0; weights && p < shape->point_count; p++) {
		shape->dual_shares[p] = p < count && weights[p] > 0 ? fmin(weights[p], 1) : 0;
	}
	snw_arena_destroy(arena);
	return weights != NULL;
}

static bool read_shape_skin(snw_fbx *f, const snw_fbx_node *skin, snw_fbx_shape *shape) {
	const snw_fbx_node *type = snw_fbx_child(skin, "SkinningType");
	const bool is_dual = snw_fbx_text_is(type, 0, "DualQuaternion");
	if (!is_dual && !snw_fbx_text_is(type, 0, "Blend")) {
		return true;
	}
	if (!shape->dual_shares && !snw_reading_reserve(&f->reading, shape->point_count, sizeof(double))) {
		return false;
	}
	shape->dual_shares =
		shape->dual_shares ? shape->dual_shares : SNW_NEW_ARRAY(f->reading.scratch, double, shape->point_count);
	for (uint32_t p = 0; is_dual && p < shape->point_count; p++) {
		shape->dual_shares[p] = 1;
	}
	return is_dual || read_shares(f, skin, shape);
}

bool snw_fbx_read_blend(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_shape *shape) {
	uint32_t at = 0, skin;
	bool ok = true;
	while (ok && (skin = snw_fbx_next_source(objects, shape->object, "Deformer", "Skin", NULL, &at)) != SNW_NONE) {
		ok = read_shape_skin(f, objects->objects[skin].node, shape);
	}
	return ok;
}

/* ---- the error of either ------------------------------------------------------------------------------------------------- */

/* How far points would be off, in metres. */
typedef struct blend_error {
	double linear_sum, dual_sum; /* squared */
	double linear_most, dual_most;
} blend_error;

/* A point's place is between the two by its share, so its distance from each is a share of that between them. */
static void compare_skin(const snw_fbx_skin *skin, const snw_scene *scene, const snw_pose_view *view, snw_arena *arena,
						 blend_error *error) {
	const snw_mesh *mesh = &skin->mesh;
	snw_program program = {.point_count = mesh->point_count,
						   .blend = SNW_BLEND_LINEAR,
						   .slot_count = scene->slot_count,
						   .points_rest = mesh->points_rest,
						   .influence_offsets = mesh->influence_offsets,
						   .influence_slots = mesh->influence_slots,
						   .influence_weights = mesh->influence_weights};
	const snw_program_input input = {.matrices = view->palette};
	double *linear = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	double *dual = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	snw_program_reference(&program, &input, NULL, linear);
	program.blend = SNW_BLEND_DUAL_QUATERNION;
	snw_program_reference(&program, &input, NULL, dual);
	for (size_t p = 0; p < mesh->point_count; p++) {
		const double share = skin->shape->dual_shares ? skin->shape->dual_shares[p] : 0;
		const double apart = sqrt(snw_squared_distance3(linear + 3 * p, dual + 3 * p));
		const double from_linear = share * apart, from_dual = (1 - share) * apart;
		error->linear_sum += from_linear * from_linear;
		error->dual_sum += from_dual * from_dual;
		error->linear_most = fmax(error->linear_most, from_linear);
		error->dual_most = fmax(error->dual_most, from_dual);
	}
}

/* Over some moments of each of the first clips. */
static blend_error measure(const snw_fbx_skins *skins, const snw_scene *scene) {
	enum { CLIPS = 16, MOMENTS = 5 };
	blend_error error = {0};
	for (uint32_t c = 0; c < scene->clip_count && c < CLIPS; c++) {
		snw_arena *arena = snw_arena_create();
		const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, c, arena);
		for (int m = 0; m < MOMENTS; m++) {
			snw_arena *scratch = snw_arena_create();
			const double seconds = scene->clips[c].duration_seconds * m / (MOMENTS - 1);
			const snw_pose_view *view = snw_pose_view_make(scene, snw_clip_sampler_pose(sampler, seconds, scratch), scratch);
			for (uint32_t s = 0; s < skins->count; s++) {
				compare_skin(&skins->skins[s], scene, view, scratch, &error);
			}
			snw_arena_destroy(scratch);
		}
		snw_arena_destroy(arena);
	}
	return error;
}

/* ---- the choice ---------------------------------------------------------------------------------------------------------- */

void snw_fbx_choose_blend(snw_fbx *f, const snw_fbx_skins *skins, snw_scene *scene) {
	double points = 0, dual = 0;
	for (uint32_t s = 0; s < skins->count; s++) {
		const snw_fbx_shape *shape = skins->skins[s].shape;
		points += shape->point_count;
		for (uint32_t p = 0; shape->dual_shares && p < shape->point_count; p++) {
			dual += shape->dual_shares[p];
		}
	}
	if (dual == 0) {
		return;
	}
	bool is_dual = dual > points / 2;
	if (dual < points) {
		const blend_error error = measure(skins, scene);
		is_dual = error.dual_sum == error.linear_sum ? is_dual : error.dual_sum < error.linear_sum;
		const char *chosen = is_dual ? "with dual quaternions" : "linearly";
		const double diagonal = snw_scene_diagonal(scene, SNW_NONE);
		snw_task_notice(
			f->reading.task, SNW_LOG_WARNING,
			"the file blends %.0f %% of the skin's points with dual quaternions and the rest linearly; all are blended "
			"%s, up to %.2g %% of the diagonal off in its clips",
			100 * dual / points, chosen, diagonal > 0 ? 100 * (is_dual ? error.dual_most : error.linear_most) / diagonal : 0);
	}
	if (is_dual) {
		snw_scene_add_dual_quaternions(scene);
	}
}
