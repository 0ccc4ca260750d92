/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compares what an engine plays from the file with the stack: the exported influences, blended linearly, over the rest points
 * with the morph targets at the exported weights.
 */
#include <string.h>

#include "export/plan/passes.h"
#include "measure/measure.h"
#include "mesh/mesh.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"

/* ---- playback normals ---------------------------------------------------------------------------------------------------- */

/* What a shape at its full weight changes. */
typedef struct shape_normals {
	uint32_t count;
	uint32_t *points;
	float *changes; /* [count][3] */
} shape_normals;

struct snw_played_normals {
	const snw_plan_mesh *mesh;
	float *rest;           /* [point_count][3] */
	shape_normals *shapes; /* [shape_count] */
	float *played;         /* [point_count][3] */
	double *weights;       /* [shape_count] */
};

static void place_shape(const snw_plan_mesh *mesh, const snw_plan_shape *shape, float *points) {
	for (size_t i = 0; i < 3 * (size_t)mesh->mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	const snw_plan_morph *morph = shape ? &mesh->morphs[shape->morph] : NULL;
	for (size_t i = 0; morph && i < morph->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			const size_t at = 3 * (size_t)morph->points[i] + c;
			points[at] = (float)(mesh->points_rest[at] + shape->reach * morph->vectors[3 * i + c]);
		}
	}
}

static bool differs(const float *a, const float *b) {
	return memcmp(a, b, 3 * sizeof *a) != 0;
}

/* The points whose normals the shape changes: `normals` against those at rest. */
static shape_normals keep_changes(const snw_played_normals *played, const float *normals, snw_arena *arena) {
	const size_t points = played->mesh->mesh->point_count;
	shape_normals kept = {0};
	for (size_t p = 0; p < points; p++) {
		kept.count += differs(normals + 3 * p, played->rest + 3 * p);
	}
	kept.points = SNW_NEW_ARRAY(arena, uint32_t, kept.count);
	kept.changes = SNW_NEW_ARRAY(arena, float, 3 * (size_t)kept.count);
	uint32_t count = 0;
	for (size_t p = 0; p < points; p++) {
		if (!differs(normals + 3 * p, played->rest + 3 * p)) {
			continue;
		}
		for (size_t c = 0; c < 3; c++) {
			kept.changes[3 * (size_t)count + c] = normals[3 * p + c] - played->rest[3 * p + c];
		}
		kept.points[count++] = (uint32_t)p;
	}
	return kept;
}

static void add_fitted(const snw_plan_shape *shape, shape_normals *kept) {
	for (size_t i = 0; shape->normal_count == kept->count && i < 3 * (size_t)kept->count; i++) {
		kept->changes[i] += shape->normal_changes[i];
	}
}

snw_played_normals *snw_played_normals_make(const snw_plan_mesh *mesh, snw_arena *arena) {
	if (mesh->mesh->face_count == 0) {
		return NULL;
	}
	const size_t numbers = 3 * (size_t)mesh->mesh->point_count;
	snw_played_normals *made = SNW_NEW(arena, snw_played_normals);
	*made = (snw_played_normals){
		.mesh = mesh,
		.rest = SNW_NEW_ARRAY(arena, float, numbers),
		.shapes = SNW_NEW_ARRAY(arena, shape_normals, mesh->shape_count),
		.played = SNW_NEW_ARRAY(arena, float, numbers),
		.weights = SNW_NEW_ARRAY(arena, double, mesh->shape_count),
	};
	snw_arena *scratch = snw_arena_create();
	float *points = SNW_NEW_ARRAY(scratch, float, numbers), *normals = SNW_NEW_ARRAY(scratch, float, numbers);
	snw_normal_plan *plan = snw_normal_plan_create(mesh->mesh);
	place_shape(mesh, NULL, points);
	snw_normals_of_points(plan, points, made->rest);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		place_shape(mesh, &mesh->shapes[s], points);
		snw_normals_of_points(plan, points, normals);
		made->shapes[s] = keep_changes(made, normals, arena);
		add_fitted(&mesh->shapes[s], &made->shapes[s]);
	}
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(scratch);
	return made;
}

/* By the blended 3×3 part, as engines do. */
static void rotate_normal(const snw_plan_mesh *mesh, const double *palette, size_t point, float normal[3]) {
	const double from[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
	double sum[3] = {0};
	for (uint32_t i = 0; i < mesh->width; i++) {
		const size_t at = point * mesh->width + i;
		if (mesh->weights[at] == 0) {
			break;
		}
		double by_slot[3];
		snw_mat34_vector(palette + 12 * (size_t)(mesh->slots[at] - mesh->first_slot), from, by_slot);
		for (size_t c = 0; c < 3; c++) {
			sum[c] += (double)mesh->weights[at] * by_slot[c];
		}
	}
	for (size_t c = 0; c < 3; c++) {
		normal[c] = (float)sum[c];
	}
}

snw_rotated_points snw_played_normals_rotated(const snw_played_normals *played, uint32_t shape) {
	return (snw_rotated_points){played->shapes[shape].count, played->shapes[shape].points};
}

const float *snw_played_normals_at_rest(snw_played_normals *played, const double *weights) {
	const snw_plan_mesh *mesh = played->mesh;
	memcpy(played->played, played->rest, 3 * (size_t)mesh->mesh->point_count * sizeof *played->played);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const shape_normals *shape = &played->shapes[s];
		const float weight = (float)weights[s];
		for (size_t i = 0; i < shape->count && weight != 0; i++) {
			for (size_t c = 0; c < 3; c++) {
				played->played[3 * (size_t)shape->points[i] + c] += weight * shape->changes[3 * i + c];
			}
		}
	}
	return played->played;
}

/* The normals at a moment, [point_count][3], of any length, valid until the next call. `weights` are those of the morph
 * targets of all meshes; `palette` is the mesh's (snw_plan_palette). */
static const float *played_normals_at(snw_played_normals *played, const double *weights, const double *palette) {
	const snw_plan_mesh *mesh = played->mesh;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const double weight = weights[mesh->first_weight + mesh->shapes[s].morph];
		played->weights[s] = snw_plan_shape_weight(&mesh->shapes[s], weight);
	}
	snw_played_normals_at_rest(played, played->weights);
	for (size_t p = 0; p < mesh->mesh->point_count && mesh->placement != SNW_PLAN_STILL; p++) {
		rotate_normal(mesh, palette, p, played->played + 3 * p);
	}
	return played->played;
}

/* ---- playback error ------------------------------------------------------------------------------------------------------ */

static const double SAME_SECONDS = 1e-5; /* keys of files are floats */

typedef struct comparison {
	snw_plan *plan;
	double *truth, *rest; /* [points of the largest mesh][3] */
	double squares;       /* in units of half the diagonal */
	double coordinates;   /* the number of coordinates in the sum */
	bool between;         /* this moment is between frames of a mesh animation, where the stack is the only reference */
	double source_squares, source_coordinates; /* as above, compared with the mesh animation */
	double stack_source_squares;               /* the same of the stack */
	snw_played_normals **played_normals;       /* [mesh_count] */
	snw_normal_comparison **normals;           /* [mesh_count] */
	snw_normal_angles angles;
	const snw_packing *packing;
	double packed_squares, packed_coordinates; /* as above, of the packed file */
} comparison;

void snw_plan_apply_morphs(const snw_plan_mesh *mesh, const double *weights, double *rest) {
	memcpy(rest, mesh->points_rest, (size_t)mesh->mesh->point_count * 3 * sizeof *rest);
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		const double weight = weights[mesh->first_weight + t];
		for (uint32_t i = 0; i < morph->count && weight != 0; i++) {
			for (int c = 0; c < 3; c++) {
				rest[3 * (size_t)morph->points[i] + (size_t)c] += weight * morph->vectors[3 * (size_t)i + (size_t)c];
			}
		}
	}
}

void snw_plan_play_point(const snw_plan_mesh *mesh, const double *palette, uint32_t point, const double rest[3],
						 double posed[3]) {
	memset(posed, 0, 3 * sizeof *posed);
	for (uint32_t i = 0; i < mesh->width; i++) {
		const double weight = (double)mesh->weights[(size_t)point * mesh->width + i];
		double by_slot[3];
		if (weight == 0) {
			break;
		}
		snw_mat34_point(palette + 12 * (size_t)(mesh->slots[(size_t)point * mesh->width + i] - mesh->first_slot), rest,
						by_slot);
		for (int c = 0; c < 3; c++) {
			posed[c] += weight * by_slot[c];
		}
	}
}

static double distance_squared(const double a[3], const double b[3]) {
	const double gap[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_dot3(gap, gap);
}

/* The frame at a time, or SNW_NONE. Times are ascending. */
static uint32_t find_frame(const double *times, uint32_t count, double seconds) {
	const uint32_t latest = count > 0 ? snw_latest_time(times, count, seconds) : 0;
	for (uint32_t f = latest; f < count && f < latest + 2; f++) {
		if (fabs(times[f] - seconds) < SAME_SECONDS) {
			return f;
		}
	}
	return SNW_NONE;
}

/* The frame of a mesh animation at a moment of one of the plan's clips; NULL if there is none. */
static const float *find_source(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_pose *pose, uint32_t clip) {
	for (uint32_t t = 0; t < plan->scene->target_count && clip != SNW_NONE; t++) {
		const snw_target *target = &plan->scene->targets[t];
		if (target->mesh != mesh->index || snw_target_clip(plan->scene, target) != plan->clips[clip]) {
			continue;
		}
		const uint32_t frame = find_frame(target->seconds, target->frame_count, pose->seconds);
		if (frame != SNW_NONE) {
			return target->points_posed + 3 * (size_t)frame * mesh->mesh->point_count;
		}
	}
	return NULL;
}

static snw_status compare_mesh(comparison *with, const snw_plan_mesh *mesh, const double *palette, const double *weights,
							   const snw_pose *pose, uint32_t clip, snw_error *error) {
	const snw_status status =
		snw_stack_reference(with->plan->stack, with->plan->evaluation, mesh->index, NULL, with->truth, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_plan_apply_morphs(mesh, weights, with->rest);
	const bool is_posed = mesh->dual_quaternions && mesh->placement == SNW_PLAN_SKINNED;
	if (is_posed) {
		snw_program_reference(mesh->dual_quaternions, &(snw_program_input){.matrices = palette}, with->rest, with->rest);
	}
	const double half = 0.5 * mesh->diagonal;
	const float *source = with->between ? NULL : find_source(with->plan, mesh, pose, clip);
	double farthest = 0, farthest_source = 0;
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		double played[3];
		if (is_posed || mesh->placement == SNW_PLAN_STILL) {
			memcpy(played, with->rest + 3 * (size_t)p, sizeof played);
		} else {
			snw_plan_play_point(mesh, palette, p, with->rest + 3 * (size_t)p, played);
		}
		const double square = distance_squared(played, with->truth + 3 * (size_t)p);
		farthest = fmax(farthest, square);
		with->squares += with->between ? 0 : square / (half * half);
		if (source) {
			const float *there = source + 3 * (size_t)p;
			const double goal[3] = {(double)there[0], (double)there[1], (double)there[2]};
			const double source_square = distance_squared(played, goal);
			farthest_source = fmax(farthest_source, source_square);
			with->source_squares += source_square / (half * half);
			with->stack_source_squares += distance_squared(with->truth + 3 * (size_t)p, goal) / (half * half);
		}
	}
	const size_t m = (size_t)(mesh - with->plan->meshes);
	if (with->played_normals[m] && !with->between) {
		const float *normals = played_normals_at(with->played_normals[m], weights, palette);
		snw_normal_angles_add_normals(with->normals[m], with->truth, normals, NULL, &with->angles);
	}
	snw_export_report *report = &with->plan->report;
	double *most = with->between ? &report->between_max_percent : &report->playback_max_percent;
	double *most_metres = with->between ? &report->between_max_metres : &report->playback_max_metres;
	*most = fmax(*most, 100 * sqrt(farthest) / mesh->diagonal);
	*most_metres = fmax(*most_metres, sqrt(farthest));
	with->coordinates += with->between ? 0 : 3.0 * mesh->mesh->point_count;
	with->source_coordinates += source ? 3.0 * mesh->mesh->point_count : 0;
	report->source_max_percent = fmax(report->source_max_percent, 100 * sqrt(farthest_source) / mesh->diagonal);
	report->source_max_metres = fmax(report->source_max_metres, sqrt(farthest_source));
	return SNW_OK;
}

/* What is left of a mesh after a packer, compared with the stack; with->truth has the stack's points. */
static void compare_packed(comparison *with, uint32_t m, const snw_packed_moment *moment) {
	const snw_plan_mesh *mesh = &with->plan->meshes[m];
	const double half = 0.5 * mesh->diagonal;
	double farthest = 0;
	snw_packing_morph(with->packing, m, moment, with->rest);
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		double played[3];
		if (mesh->placement == SNW_PLAN_STILL) {
			memcpy(played, with->rest + 3 * (size_t)p, sizeof played);
		} else {
			snw_plan_play_point(snw_packing_skin(with->packing, m), moment->palettes[m], p, with->rest + 3 * (size_t)p, played);
		}
		const double square = distance_squared(played, with->truth + 3 * (size_t)p);
		farthest = fmax(farthest, square);
		with->packed_squares += square / (half * half);
	}
	with->packed_coordinates += 3.0 * mesh->mesh->point_count;
	snw_export_report *report = &with->plan->report;
	report->packed_max_percent = fmax(report->packed_max_percent, 100 * sqrt(farthest) / mesh->diagonal);
	report->packed_max_metres = fmax(report->packed_max_metres, sqrt(farthest));
}

/* The weights that the stack drives, which imported tracks reproduce. Where the player computes them, those that no layer
 * describes stay as they are at rest. */
static const double *driven_weights(const snw_plan *plan, snw_arena *arena) {
	double *weights = SNW_NEW_ARRAY(arena, double, plan->weight_count);
	snw_plan_driven_weights(plan, weights);
	for (uint32_t m = 0; m < plan->mesh_count && plan->request->plays_drives; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			if (mesh->morphs[t].channel == SNW_NONE && !mesh->morphs[t].is_described) {
				weights[mesh->first_weight + t] = plan->rest_weights[mesh->first_weight + t];
			}
		}
	}
	return weights;
}

/* Compares at a moment of one of the plan's clips (SNW_NONE: outside clips). `weights` NULL: driven_weights. */
static snw_status compare_pose(comparison *with, const snw_pose *pose, uint32_t clip, const double *weights, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_plan_instant at = {.seconds = pose->seconds};
	const bool is_packed = clip != SNW_NONE && !with->between;
	snw_packed_moment packed;
	snw_status status = is_packed ? snw_packing_at(with->packing, clip, pose->seconds, arena, &packed, error) : SNW_OK;
	if (!snw_failed(status)) {
		status = snw_plan_drive(with->plan, pose, arena, &view, error);
	}
	if (!snw_failed(status) && !weights) {
		weights = driven_weights(with->plan, arena);
	}
	for (uint32_t m = 0; m < with->plan->mesh_count && !snw_failed(status); m++) {
		const snw_plan_mesh *mesh = &with->plan->meshes[m];
		const double *palette = snw_plan_palette(with->plan, mesh, clip, &at, view, arena);
		status = compare_mesh(with, mesh, palette, weights, pose, clip, error);
		if (!snw_failed(status) && is_packed) {
			compare_packed(with, m, &packed);
		}
	}
	with->plan->report.frame_count += !with->between;
	snw_arena_destroy(arena);
	return status;
}

static snw_status compare_moment(comparison *with, uint32_t c, double seconds, const double *weights, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose *pose = snw_clip_sampler_pose(with->plan->samplers[c], seconds, arena);
	const snw_status status = compare_pose(with, pose, c, weights, error);
	snw_arena_destroy(arena);
	return status;
}

static snw_status compare_clip(comparison *with, uint32_t c, snw_error *error) {
	const snw_plan *plan = with->plan;
	const snw_plan_samples *samples = &plan->samples[c];
	const uint32_t width = plan->weight_count;
	snw_arena *arena = snw_arena_create();
	double *between = SNW_NEW_ARRAY(arena, double, width), *frames = NULL;
	uint32_t frame_count = 0;
	if (plan->scene->clips[plan->clips[c]].track_count == 0) {
		snw_clip_times(plan->scene, plan->clips[c], arena, &frames, &frame_count);
	}
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < samples->count && !snw_failed(status); i++) {
		const double *at = samples->weights + (size_t)i * width;
		if (!snw_plan_progress(plan, SNW_PLAN_MEASURES, (c + (double)i / samples->count) / plan->clip_count)) {
			status = SNW_CANCELLED;
			break;
		}
		/* Weights can have keys between frames, where a morph target passes through zero. */
		with->between = frame_count > 0 && find_frame(frames, frame_count, samples->seconds[i]) == SNW_NONE;
		status = compare_moment(with, c, samples->seconds[i], samples->step ? NULL : at, error);
		if ((!samples->step || plan->report.proxy_count + plan->report.helper_count > 0) && i + 1 < samples->count &&
			!snw_failed(status)) {
			for (uint32_t w = 0; w < width; w++) {
				between[w] = 0.5 * (at[w] + at[width + w]);
			}
			const double seconds = 0.5 * (samples->seconds[i] + samples->seconds[i + 1]);
			with->between = frame_count > 0;
			status = compare_moment(with, c, seconds, samples->step ? NULL : between, error);
		}
	}
	with->between = false;
	snw_arena_destroy(arena);
	return status;
}

static void open_comparison(snw_plan *plan, comparison *with) {
	uint32_t most = 0;
	*with = (comparison){.plan = plan,
						 .played_normals = SNW_NEW_ARRAY(plan->arena, snw_played_normals *, plan->mesh_count),
						 .normals = SNW_NEW_ARRAY(plan->arena, snw_normal_comparison *, plan->mesh_count)};
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		most = plan->meshes[m].mesh->point_count > most ? plan->meshes[m].mesh->point_count : most;
		with->played_normals[m] = snw_played_normals_make(&plan->meshes[m], plan->arena);
		with->normals[m] = snw_normal_comparison_create(plan->meshes[m].mesh);
	}
	with->packing = snw_packing_make(plan, plan->arena);
	with->truth = SNW_NEW_ARRAY(plan->arena, double, (size_t)most * 3);
	with->rest = SNW_NEW_ARRAY(plan->arena, double, (size_t)most * 3);
}

static double erms_of(double squares, double coordinates) {
	return coordinates > 0 ? 1000 * sqrt(squares / coordinates) : 0;
}

static void close_comparison(const comparison *with) {
	snw_export_report *report = &with->plan->report;
	const bool has_source = with->source_coordinates > 0;
	report->source_erms = has_source ? erms_of(with->source_squares, with->source_coordinates) : -1;
	report->stack_source_erms = has_source ? erms_of(with->stack_source_squares, with->source_coordinates) : -1;
	report->playback_erms = erms_of(with->squares, with->coordinates);
	report->packed_erms = erms_of(with->packed_squares, with->packed_coordinates);
	report->playback_normals_degrees = snw_normal_angles_mean(&with->angles);
	report->playback_normals_max_degrees = snw_normal_angles_most(&with->angles);
	for (uint32_t m = 0; m < with->plan->mesh_count; m++) {
		snw_normal_comparison_destroy(with->normals[m]);
	}
}

/* Without clips, at the scene's poses. `weights` as in compare_pose. */
static snw_status compare_poses(comparison *with, const double *weights, snw_error *error) {
	const snw_plan *plan = with->plan;
	snw_status status = SNW_OK;
	for (uint32_t p = 0; p < plan->scene->pose_count && !snw_failed(status); p++) {
		status = plan->is_playable[p] ? compare_pose(with, &plan->scene->poses[p], SNW_NONE, weights, error) : SNW_OK;
	}
	return status;
}

/* The same with the weights that the file has: no clip moves them, and an engine does not drive them by itself. */
static snw_status measure_undriven(snw_plan *plan, snw_error *error) {
	snw_export_report driven = plan->report;
	comparison with;
	plan->report.playback_max_percent = plan->report.playback_max_metres = 0;
	open_comparison(plan, &with);
	const snw_status status = compare_poses(&with, plan->rest_weights, error);
	close_comparison(&with);
	driven.undriven_max_percent = plan->report.playback_max_percent;
	driven.undriven_max_metres = plan->report.playback_max_metres;
	driven.undriven_erms = plan->report.playback_erms;
	plan->report = driven;
	return status;
}

snw_status snw_plan_measure_playback(snw_plan *plan, snw_error *error) {
	comparison with;
	open_comparison(plan, &with);
	snw_status status = compare_pose(&with, plan->rest, SNW_NONE, plan->rest_weights, error);
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		status = compare_clip(&with, c, error);
	}
	const bool has_clips = plan->clip_count > 0;
	status = snw_failed(status) || has_clips ? status : compare_poses(&with, NULL, error);
	close_comparison(&with);
	plan->report.undriven_max_percent = plan->report.playback_max_percent;
	plan->report.undriven_max_metres = plan->report.playback_max_metres;
	plan->report.undriven_erms = plan->report.playback_erms;
	const bool is_moved = has_clips || plan->request->plays_drives || plan->weight_count == 0;
	return snw_failed(status) || is_moved ? status : measure_undriven(plan, error);
}
