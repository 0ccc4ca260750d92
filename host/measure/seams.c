/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/point_metric.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "program/program.h"

enum { MOST_MOMENTS = 64, SEAM_POINTS_OF_A_REPORT = 4096 };

/* A point, with its place along a direction by which points are sorted. */
typedef struct seam_point {
	double along;
	uint32_t mesh, point;
} seam_point;

typedef struct seam_search {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_arena *arena;     /* working memory */
	snw_influences *rows; /* [mesh_count], of joints: in joint space; without offsets for a mesh that is left out */
	snw_point_metric clips, shuffled;
	snw_joint_range *ranges;
	snw_row_sphere *spheres;
	uint32_t *joints; /* of two points, and their rows: working memory */
	double *values;
	snw_seams *seams;
	double opening; /* metres: a smaller distance is rounding */
} seam_search;

/* ---- the metric ---------------------------------------------------------------------------------------------------------- */

/* The root that most joints follow. */
static uint32_t root_of_body(const seam_search *s) {
	const snw_skeleton *skeleton = &s->scene->skeleton;
	uint32_t *counts = SNW_NEW_ARRAY(s->arena, uint32_t, skeleton->joint_count), body = skeleton->order[0];
	for (uint32_t i = skeleton->joint_count; i-- > 0;) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		counts[joint]++;
		if (parent != SNW_NONE) {
			counts[parent] += counts[joint];
		} else if (counts[joint] >= counts[body]) {
			body = joint;
		}
	}
	return body;
}

/* The motion of the whole character opens no seam, so it is taken out of each pose. */
static void take_out_body(const seam_search *s, uint32_t pose_count, double *locals, double *globals) {
	const snw_skeleton *skeleton = &s->scene->skeleton;
	const size_t joints = skeleton->joint_count, body = root_of_body(s);
	for (size_t i = 0; i < pose_count; i++) {
		snw_metric_take_out(skeleton->rest_global + 12 * body, globals + 12 * (joints * i + body), skeleton->joint_count,
							globals + 12 * joints * i);
		for (size_t j = 0; j < joints; j++) {
			if (skeleton->parents[j] == SNW_NONE) {
				memcpy(locals + 12 * (joints * i + j), globals + 12 * (joints * i + j), 12 * sizeof *locals);
			}
		}
	}
}

/* Poses of all clips, else of the scene: local and global matrices, [pose_count][joint_count][12]. */
static uint32_t gather_poses(const seam_search *s, double **locals, double **globals) {
	const snw_scene *scene = s->scene;
	const size_t joints = scene->skeleton.joint_count, most = (size_t)MOST_MOMENTS * scene->clip_count + scene->pose_count;
	const snw_pose **poses = SNW_NEW_ARRAY(s->arena, const snw_pose *, most);
	uint32_t count = 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		uint32_t times;
		double *seconds;
		snw_clip_times(scene, c, s->arena, &seconds, &times);
		const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, c, s->arena);
		const uint32_t moments = times < MOST_MOMENTS ? times : MOST_MOMENTS;
		for (uint32_t k = 0; k < moments; k++) {
			const uint32_t at = moments > 1 ? (uint32_t)((uint64_t)k * (times - 1) / (moments - 1)) : 0;
			poses[count++] = snw_clip_sampler_pose(sampler, seconds[at], s->arena);
		}
	}
	for (uint32_t i = 0; count == 0 || (scene->clip_count == 0 && i < scene->pose_count); i++) {
		poses[count++] = &scene->poses[i];
	}
	*locals = SNW_NEW_ARRAY(s->arena, double, 12 * joints * count);
	*globals = SNW_NEW_ARRAY(s->arena, double, 12 * joints * count);
	for (size_t i = 0; i < count; i++) {
		const snw_pose_view *view = snw_pose_view_make(scene, poses[i], s->arena);
		memcpy(*globals + 12 * joints * i, view->global, 12 * joints * sizeof(double));
		for (size_t j = 0; j < joints; j++) {
			snw_transform_to_mat34(&view->local[j], *locals + 12 * (joints * i + j));
		}
	}
	take_out_body(s, count, *locals, *globals);
	return count;
}

static snw_point_metric make_metric(const seam_search *s) {
	const snw_skeleton *skeleton = &s->scene->skeleton;
	const size_t joints = skeleton->joint_count;
	return (snw_point_metric){.joint_count = skeleton->joint_count,
							  .parents = skeleton->parents,
							  .order = skeleton->order,
							  .blocks = SNW_NEW_ARRAY(s->arena, double, 16 * joints * joints),
							  .means = SNW_NEW_ARRAY(s->arena, double, 12 * joints)};
}

/* The range of a joint's local matrix over the poses: its longest column, and a ball around the mean translation. */
static snw_joint_range range_of(const double *samples, uint32_t count) {
	snw_joint_range range = {0};
	for (uint32_t i = 0; i < count; i++) {
		for (size_t c = 0; c < 3; c++) {
			const double *m = samples + (size_t)12 * i;
			const double column[3] = {m[c], m[4 + c], m[8 + c]};
			range.centre[c] += m[4 * c + 3] / count;
			range.stretch = fmax(range.stretch, snw_length3(column)); /* rotation times scale: the largest scale */
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		const double *m = samples + (size_t)12 * i;
		const double gap[3] = {m[3] - range.centre[0], m[7] - range.centre[1], m[11] - range.centre[2]};
		range.radius = fmax(range.radius, snw_length3(gap));
	}
	return range;
}

static void make_metrics(seam_search *s) {
	const uint32_t joints = s->scene->skeleton.joint_count;
	double *locals, *globals;
	const uint32_t count = s->seams->pose_count = gather_poses(s, &locals, &globals);
	snw_joint_motion *motions = SNW_NEW_ARRAY(s->arena, snw_joint_motion, joints);
	s->ranges = SNW_NEW_ARRAY(s->arena, snw_joint_range, joints);
	s->spheres = SNW_NEW_ARRAY(s->arena, snw_row_sphere, joints);
	for (uint32_t j = 0; j < joints; j++) {
		double *samples = SNW_NEW_ARRAY(s->arena, double, (size_t)12 * count);
		for (size_t i = 0; i < count; i++) {
			memcpy(samples + 12 * i, locals + 12 * (joints * i + j), 12 * sizeof *samples);
		}
		motions[j] = (snw_joint_motion){.kind = SNW_MOTION_SAMPLED, .sample_count = count, .samples = samples};
		s->ranges[j] = range_of(samples, count);
	}
	s->clips = make_metric(s);
	s->shuffled = make_metric(s);
	snw_metric_of_poses(count, globals, &s->clips);
	snw_metric_of_motions(motions, &s->shuffled);
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

/* Why a mesh cannot be compared, in `arena`; NULL if it can. */
static const char *omission_of(const seam_search *s, uint32_t mesh, snw_arena *arena) {
	const uint32_t count = s->scene->skeleton.joint_count > 0 ? snw_stack_segment_count(s->stack, mesh) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const snw_segment_info segment = snw_stack_segment(s->stack, mesh, i);
		if (!segment.is_program) {
			return snw_arena_format(arena, "a black box poses it (%s)", segment.layers);
		}
	}
	const snw_segment_info only = count == 1 ? snw_stack_segment(s->stack, mesh, 0) : (snw_segment_info){0};
	if (count > 1) {
		return "several skin programs pose it, one after the other";
	}
	if (!only.program || only.program->blend == SNW_BLEND_NONE) {
		return "no joints move it";
	}
	if (only.has_palette) {
		return snw_arena_format(arena, "it is posed by matrices that a layer computes, not by the joints (%s)", only.layers);
	}
	return only.program->blend == SNW_BLEND_LINEAR || only.program->blend == SNW_BLEND_AFFINE
			   ? NULL
			   : "it is posed by dual quaternions";
}

/* Rows of a mesh's blend in joint space. */
static snw_influences rows_of(const seam_search *s, uint32_t mesh) {
	const snw_segment_info only = snw_stack_segment(s->stack, mesh, 0);
	snw_influences rows = snw_program_rows(only.program, s->arena);
	const uint32_t total = rows.offsets[only.program->point_count];
	uint32_t *joints = SNW_NEW_ARRAY(s->arena, uint32_t, total);
	double *values = SNW_NEW_ARRAY(s->arena, double, 4 * (size_t)total);
	for (uint32_t k = 0; k < total; k++) {
		const double *bind = s->scene->slot_inverse_binds + (size_t)12 * rows.slots[k], *row = rows.values + (size_t)4 * k;
		joints[k] = s->scene->slot_joints[rows.slots[k]];
		for (size_t c = 0; c < 3; c++) {
			values[(size_t)4 * k + c] =
				bind[4 * c] * row[0] + bind[4 * c + 1] * row[1] + bind[4 * c + 2] * row[2] + bind[4 * c + 3] * row[3];
		}
		values[(size_t)4 * k + 3] = row[3];
	}
	return (snw_influences){rows.offsets, joints, values};
}

/* Rows of all meshes that can be compared, and memory for those of two points. */
static void gather_rows(seam_search *s, snw_arena *arena) {
	const uint32_t meshes = s->scene->mesh_count;
	size_t most = 0;
	s->rows = SNW_NEW_ARRAY(s->arena, snw_influences, meshes);
	for (uint32_t m = 0; m < meshes; m++) {
		const char *reason = omission_of(s, m, arena);
		if (reason) {
			s->seams->left_out[s->seams->left_out_count++] = (snw_seam_omission){m, reason};
			continue;
		}
		s->rows[m] = rows_of(s, m);
		for (uint32_t p = 0; p < s->scene->meshes[m].point_count; p++) {
			const size_t count = s->rows[m].offsets[p + 1] - s->rows[m].offsets[p];
			most = count > most ? count : most;
		}
	}
	s->joints = SNW_NEW_ARRAY(s->arena, uint32_t, 2 * most);
	s->values = SNW_NEW_ARRAY(s->arena, double, 8 * most);
}

static int by_place(const void *a, const void *b) {
	const seam_point *x = a, *y = b;
	return x->along != y->along ? (x->along > y->along) - (x->along < y->along)
		   : x->mesh != y->mesh ? (x->mesh > y->mesh) - (x->mesh < y->mesh)
								: (x->point > y->point) - (x->point < y->point);
}

static seam_point *sort_points(const seam_search *s, uint32_t *count) {
	static const double direction[3] = {0.61803, 0.53122, 0.57953}; /* along no axis, so that few points share a place */
	size_t most = 0;
	for (uint32_t m = 0; m < s->scene->mesh_count; m++) {
		most += s->scene->meshes[m].point_count;
	}
	seam_point *points = SNW_NEW_ARRAY(s->arena, seam_point, most);
	*count = 0;
	for (uint32_t m = 0; m < s->scene->mesh_count; m++) {
		for (uint32_t p = 0; s->rows[m].offsets && p < s->scene->meshes[m].point_count; p++) {
			points[(*count)++] = (seam_point){snw_dot3(s->scene->meshes[m].points_rest + 3 * (size_t)p, direction), m, p};
		}
	}
	qsort(points, *count, sizeof *points, by_place);
	return points;
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

static const double *place_of(const seam_search *s, const seam_point *point) {
	return s->scene->meshes[point->mesh].points_rest + 3 * (size_t)point->point;
}

/* The rows of a minus those of b. */
static snw_joint_rows difference(const seam_search *s, const seam_point *a, const seam_point *b) {
	uint32_t count = 0;
	for (int side = 0; side < 2; side++) {
		const seam_point *point = side == 0 ? a : b;
		const snw_influences *from = &s->rows[point->mesh];
		for (uint32_t k = from->offsets[point->point]; k < from->offsets[point->point + 1]; k++) {
			s->joints[count] = from->slots[k];
			for (size_t c = 0; c < 4; c++) {
				s->values[(size_t)4 * count + c] = (side == 0 ? 1 : -1) * from->values[(size_t)4 * k + c];
			}
			count++;
		}
	}
	return (snw_joint_rows){count, s->joints, s->values};
}

static snw_seam *seam_of(snw_seams *seams, uint32_t a, uint32_t b) {
	const uint32_t first = a < b ? a : b, second = a < b ? b : a;
	uint32_t at = 0;
	while (at < seams->count && (seams->list[at].meshes[0] != first || seams->list[at].meshes[1] != second)) {
		at++;
	}
	if (at == seams->count) {
		seams->list[seams->count++] = (snw_seam){.meshes = {first, second}};
	}
	return &seams->list[at];
}

static void add_pair(seam_search *s, const seam_point *a, const seam_point *b) {
	const snw_joint_rows apart = difference(s, a, b);
	snw_seam *seam = seam_of(s->seams, a->mesh, b->mesh);
	const double clips = snw_metric_length(&s->clips, &apart);
	seam->pair_count++;
	seam->opening_count += clips > s->opening;
	if (seam->pair_count == 1 || clips > seam->clips) {
		const bool is_swapped = a->mesh > b->mesh;
		seam->points[0] = is_swapped ? b->point : a->point;
		seam->points[1] = is_swapped ? a->point : b->point;
		seam->clips = clips;
		seam->shuffled = snw_metric_length(&s->shuffled, &apart);
		seam->bound = snw_metric_bound(&s->clips, s->ranges, &apart, s->spheres);
	}
}

static bool are_at_one_place(const seam_search *s, const seam_point *a, const seam_point *b, double same) {
	const double *p = place_of(s, a), *q = place_of(s, b);
	const double gap[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
	return snw_length3(gap) <= same;
}

/* Pairs each point with the first one of each mesh at its place, so that many points at one place are not many times as many
 * pairs. */
static snw_status pair_points(seam_search *s, const snw_task *task, double same, snw_error *error) {
	uint32_t count, first_count = 0, begin = 0;
	const seam_point *points = sort_points(s, &count);
	const seam_point **firsts = SNW_NEW_ARRAY(s->arena, const seam_point *, count);
	for (uint32_t i = 0; i < count; i++) {
		if (i % SEAM_POINTS_OF_A_REPORT == 0 && !snw_task_progress(task, (double)i / count, "finding seams")) {
			return snw_fail(error, SNW_CANCELLED, "the search for seams was cancelled");
		}
		bool is_first = true;
		while (begin < first_count && points[i].along - firsts[begin]->along > same) {
			begin++;
		}
		for (uint32_t k = begin; k < first_count; k++) {
			if (are_at_one_place(s, firsts[k], &points[i], same)) {
				add_pair(s, firsts[k], &points[i]);
				is_first = is_first && firsts[k]->mesh != points[i].mesh;
			}
		}
		if (is_first) {
			firsts[first_count++] = &points[i];
		}
	}
	return SNW_OK;
}

snw_status snw_seams_measure(const snw_scene *scene, const snw_stack *stack, const snw_task *task, snw_arena *arena,
							 snw_seams *seams, snw_error *error) {
	const size_t meshes = scene->mesh_count;
	const double same = 1e-7 * snw_scene_diagonal(scene, SNW_NONE);
	snw_seams found = {.list = SNW_NEW_ARRAY(arena, snw_seam, meshes * (meshes + 1) / 2),
					   .left_out = SNW_NEW_ARRAY(arena, snw_seam_omission, meshes)};
	seam_search s = {.scene = scene, .stack = stack, .arena = snw_arena_create(), .seams = &found, .opening = 10 * same};
	snw_status status = SNW_OK;
	gather_rows(&s, arena);
	if (found.left_out_count < meshes && scene->pose_count > 0) {
		make_metrics(&s);
		status = pair_points(&s, task, same, error);
	}
	snw_arena_destroy(s.arena);
	if (!snw_failed(status)) {
		*seams = found;
	}
	return status;
}
