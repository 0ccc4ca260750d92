/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/plan/joints/joint_tracks.h"

#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

static const double STEP_SECONDS = 1.0 / 15; /* at most between two keys that are tried first, if a clip has tracks */
static const uint32_t KEY_HALVINGS = 4;      /* how often the time between two of them is halved */
static const double THINNED = 0.5;           /* of the tolerance: what leaving keys out may add */
static const double HELD = 0.25;             /* of the tolerance: what holding the axes of an affine joint may add */
static const double LEAST_STRETCH = 1e-6;    /* scales as near to 1 are not written */

/* ---- distances ----------------------------------------------------------------------------------------------------------- */

static void add_points(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t first, uint32_t count, double *moments) {
	for (size_t p = 0; p < mesh->mesh->point_count; p++) {
		for (size_t i = p * mesh->width; i < (p + 1) * mesh->width && mesh->weights[i] > 0; i++) {
			const uint32_t slot = mesh->slots[i];
			if (slot < first || slot >= first + count) {
				continue;
			}
			double row[4] = {0, 0, 0, 1};
			snw_mat34_point(plan->rig.slot_inverse_binds + 12 * (size_t)slot, mesh->points_rest + 3 * p, row);
			for (size_t e = 0; e < 16; e++) {
				moments[16 * (size_t)(slot - first) + e] += (double)mesh->weights[i] * row[e / 4] * row[e % 4];
			}
		}
	}
}

double *snw_added_joint_moments(const snw_plan *plan, uint32_t first, uint32_t count) {
	double *moments = SNW_NEW_ARRAY(plan->arena, double, 16 * (size_t)count);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		if (plan->meshes[m].placement != SNW_PLAN_STILL) {
			add_points(plan, &plan->meshes[m], first, count, moments);
		}
	}
	for (size_t j = 0; j < count; j++) {
		const double sum = moments[16 * j + 15];
		for (size_t e = 0; e < 16 && sum > 0; e++) {
			moments[16 * j + e] /= sum;
		}
	}
	return moments;
}

/* The mean of the squared distances between the points under two matrices: tr(D M Dᵀ). */
static double matrix_distance_squared(const double moments[16], const double a[12], const double b[12]) {
	double sum = 0;
	for (int r = 0; r < 3; r++) {
		double d[4];
		for (int c = 0; c < 4; c++) {
			d[c] = a[4 * r + c] - b[4 * r + c];
		}
		for (int e = 0; e < 16; e++) {
			sum += d[e / 4] * moments[e] * d[e % 4];
		}
	}
	return sum;
}

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

/* The nodes of a joint with a matrix; `before`: those of the key before it, or NULL. */
static snw_affine_nodes nodes_of(const snw_added_joints *joints, uint32_t joint, const double *matrix,
								 const snw_affine_nodes *before) {
	snw_affine_nodes nodes = {.inner = {0, 0, 0, 1}};
	if (joints->are_affine && before) {
		double held[12];
		snw_affine_nodes_hold(matrix, before->inner, &nodes);
		snw_affine_nodes_matrix(&nodes, held);
		if (matrix_distance_squared(joints->moments + 16 * (size_t)joint, held, matrix) >
			HELD * HELD * joints->tolerance * joints->tolerance) {
			snw_affine_nodes_make(matrix, before, &nodes);
		}
	} else if (joints->are_affine) {
		snw_affine_nodes_make(matrix, NULL, &nodes);
	} else {
		snw_transform_from_mat34(matrix, &nodes.outer);
	}
	/* Consecutive quaternions are on the same side of the sphere. */
	const double sign = before && snw_quat_dot(nodes.outer.rotation, before->outer.rotation) < 0 ? -1 : 1;
	for (int c = 0; c < 4; c++) {
		nodes.outer.rotation[c] *= sign;
	}
	return nodes;
}

/* What an engine plays between two keys. */
static void matrix_between(const snw_affine_nodes *a, const snw_affine_nodes *b, double fraction, double matrix[12]) {
	snw_affine_nodes nodes;
	for (int c = 0; c < 3; c++) {
		nodes.outer.translation[c] = a->outer.translation[c] + fraction * (b->outer.translation[c] - a->outer.translation[c]);
		nodes.outer.scale[c] = a->outer.scale[c] + fraction * (b->outer.scale[c] - a->outer.scale[c]);
	}
	snw_quat_slerp(a->outer.rotation, b->outer.rotation, fraction, nodes.outer.rotation);
	snw_quat_slerp(a->inner, b->inner, fraction, nodes.inner);
	snw_affine_nodes_matrix(&nodes, matrix);
}

/* Whether the line between two keys is near the joint at a moment between them. What nodes cannot hold is not counted. */
static bool is_near_line(const snw_added_joints *joints, uint32_t joint, const snw_affine_nodes *a, const snw_affine_nodes *b,
						 double fraction, const double *matrix, double tolerance) {
	double played[12], there[12];
	matrix_between(a, b, fraction, played);
	const snw_affine_nodes nodes = nodes_of(joints, joint, matrix, a);
	snw_affine_nodes_matrix(&nodes, there);
	return matrix_distance_squared(joints->moments + 16 * (size_t)joint, played, there) <= tolerance * tolerance;
}

/* ---- choosing times ------------------------------------------------------------------------------------------------------ */

typedef struct key_choice {
	const snw_plan *plan;
	uint32_t clip; /* of the plan */
	const snw_added_joints *joints;
	uint32_t count, capacity;
	double *seconds;
} key_choice;

static void add_key(key_choice *k, double seconds) {
	if (k->count == k->capacity) {
		const double *old = k->seconds;
		k->capacity = k->capacity ? 2 * k->capacity : 64;
		k->seconds = SNW_NEW_ARRAY(k->plan->arena, double, k->capacity);
		if (k->count > 0) {
			memcpy(k->seconds, old, k->count * sizeof *old);
		}
	}
	k->seconds[k->count++] = seconds;
}

static snw_status read_at(const key_choice *k, double seconds, double *matrices, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_status status =
		snw_plan_drive(k->plan, snw_clip_sampler_pose(k->plan->samplers[k->clip], seconds, arena), arena, &view, error);
	if (!snw_failed(status)) {
		k->joints->read(k->joints->context, view, matrices);
	}
	snw_arena_destroy(arena);
	return status;
}

static bool is_middle_near(const snw_added_joints *joints, const double *begin, const double *middle, const double *end,
						   double tolerance) {
	bool is_near = true;
	for (uint32_t j = 0; j < joints->count && is_near; j++) {
		const size_t at = 12 * (size_t)j;
		const snw_affine_nodes a = nodes_of(joints, j, begin + at, NULL);
		const snw_affine_nodes b = nodes_of(joints, j, end + at, &a);
		is_near = is_near_line(joints, j, &a, &b, 0.5, middle + at, tolerance);
	}
	return is_near;
}

/* Adds the keys needed between two moments, without those two. */
static snw_status refine_keys(key_choice *k, double begin, const double *at_begin, double end, const double *at_end,
							  uint32_t depth, snw_error *error) {
	const double middle = (double)(float)(0.5 * (begin + end));
	const bool has_tracks = k->plan->scene->clips[k->plan->clips[k->clip]].track_count > 0;
	const double tolerance = has_tracks ? k->joints->tolerance : k->joints->between_frames;
	if (depth == KEY_HALVINGS || middle <= begin || middle >= end) {
		return SNW_OK;
	}
	snw_arena *arena = snw_arena_create();
	double *at_middle = SNW_NEW_ARRAY(arena, double, 12 * (size_t)k->joints->count);
	snw_status status = read_at(k, middle, at_middle, error);
	if (!snw_failed(status) && !is_middle_near(k->joints, at_begin, at_middle, at_end, tolerance)) {
		status = refine_keys(k, begin, at_begin, middle, at_middle, depth + 1, error);
		if (!snw_failed(status)) {
			add_key(k, middle);
			status = refine_keys(k, middle, at_middle, end, at_end, depth + 1, error);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

/* The clip's moments, and more where they are far apart. Without tracks there is no truth between frames. */
static void first_keys(const snw_plan *plan, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count) {
	double *moments;
	uint32_t moment_count = 0;
	snw_plan_moments(plan, clip, arena, &moments, &moment_count);
	const bool has_tracks = plan->scene->clips[clip].track_count > 0;
	const double span = moment_count > 0 ? moments[moment_count - 1] - moments[0] : 0;
	*seconds = SNW_NEW_ARRAY(arena, double, moment_count + (size_t)fmin(span / STEP_SECONDS, 1e6) + 1);
	*count = 0;
	for (uint32_t i = 0; i < moment_count; i++) {
		const double before = i > 0 ? moments[i - 1] : moments[i], gap = moments[i] - before;
		const uint32_t parts = has_tracks ? (uint32_t)fmin(ceil(gap / STEP_SECONDS - 1e-6), 1e6) : 1;
		for (uint32_t part = 1; part < parts; part++) {
			(*seconds)[(*count)++] = (double)(float)(before + gap * part / parts);
		}
		if (*count == 0 || (double)(float)moments[i] > (*seconds)[*count - 1]) {
			(*seconds)[(*count)++] = (double)(float)moments[i];
		}
	}
}

snw_status snw_plan_choose_keys(const snw_plan *plan, uint32_t clip, const snw_added_joints *joints, double **seconds,
								uint32_t *count, snw_error *error) {
	key_choice k = {.plan = plan, .clip = clip, .joints = joints};
	snw_arena *arena = snw_arena_create();
	double *first, *at_begin = SNW_NEW_ARRAY(arena, double, 12 * (size_t)joints->count);
	double *at_end = SNW_NEW_ARRAY(arena, double, 12 * (size_t)joints->count);
	uint32_t first_count;
	first_keys(plan, plan->clips[clip], arena, &first, &first_count);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < first_count && !snw_failed(status); i++) {
		status = read_at(&k, first[i], at_end, error);
		if (i > 0 && !snw_failed(status)) {
			status = refine_keys(&k, first[i - 1], at_begin, first[i], at_end, 0, error);
		}
		add_key(&k, first[i]);
		memcpy(at_begin, at_end, 12 * (size_t)joints->count * sizeof *at_end);
	}
	snw_arena_destroy(arena);
	*seconds = k.seconds;
	*count = k.count;
	return status;
}

/* ---- leaving keys out ---------------------------------------------------------------------------------------------------- */

/* One joint over a clip. */
typedef struct joint_course {
	const snw_added_joints *joints;
	uint32_t joint, count;
	const double *seconds, *matrices;
} joint_course;

static const double *matrix_at(const joint_course *c, uint32_t i) {
	return c->matrices + 12 * ((size_t)i * c->joints->count + c->joint);
}

/* Whether one line may replace all keys between two. */
static bool is_line(const joint_course *c, uint32_t begin, const snw_affine_nodes *at_begin, uint32_t end) {
	const snw_affine_nodes at_end = nodes_of(c->joints, c->joint, matrix_at(c, end), at_begin);
	const double span = c->seconds[end] - c->seconds[begin];
	bool is_near = true;
	for (uint32_t i = begin + 1; i < end && is_near; i++) {
		is_near = is_near_line(c->joints, c->joint, at_begin, &at_end, (c->seconds[i] - c->seconds[begin]) / span,
							   matrix_at(c, i), THINNED * c->joints->tolerance);
	}
	return is_near;
}

/* The last key that one line reaches: the steps double as long as lines hold, then halve. */
static uint32_t end_of_line(const joint_course *c, uint32_t begin, const snw_affine_nodes *at_begin) {
	uint32_t good = begin + 1, step = 1;
	while (good + step < c->count && is_line(c, begin, at_begin, good + step)) {
		good += step;
		step *= 2;
	}
	for (; step > 0; step /= 2) {
		if (good + step < c->count && is_line(c, begin, at_begin, good + step)) {
			good += step;
		}
	}
	return good;
}

/* Returns the number of keys kept. */
static uint32_t keep_keys(const joint_course *c, double *seconds, snw_affine_nodes *nodes) {
	uint32_t kept = 0;
	for (uint32_t at = 0; at < c->count;) {
		nodes[kept] = nodes_of(c->joints, c->joint, matrix_at(c, at), kept > 0 ? &nodes[kept - 1] : NULL);
		seconds[kept] = c->seconds[at];
		at = at + 1 < c->count ? end_of_line(c, at, &nodes[kept]) : c->count;
		kept++;
	}
	return kept;
}

static bool stretches(const snw_affine_nodes *nodes, uint32_t count) {
	bool any = false;
	for (uint32_t i = 0; i < 3 * count && !any; i++) {
		any = fabs(nodes[i / 3].outer.scale[i % 3] - 1) > LEAST_STRETCH;
	}
	return any;
}

void snw_added_joint_tracks(const snw_added_joints *joints, uint32_t joint, uint32_t node, uint32_t count,
							const double *seconds, const double *matrices, snw_arena *arena, snw_track *tracks) {
	const joint_course course = {joints, joint, count, seconds, matrices};
	snw_arena *scratch = snw_arena_create();
	snw_affine_nodes *nodes = SNW_NEW_ARRAY(scratch, snw_affine_nodes, count);
	double *kept_seconds = SNW_NEW_ARRAY(arena, double, count);
	const uint32_t kept = keep_keys(&course, kept_seconds, nodes);
	for (int t = 0; t < SNW_PLAN_TRACKS; t++) {
		const bool is_inner = t == SNW_PLAN_INNER;
		const bool is_scale = t == SNW_PATH_SCALE;
		const bool is_written = joints->are_affine || (!is_inner && (!is_scale || stretches(nodes, kept)));
		const int32_t path = is_inner ? SNW_PATH_ROTATION : t;
		const size_t width = path == SNW_PATH_ROTATION ? 4 : 3;
		double *values = SNW_NEW_ARRAY(arena, double, is_written ? kept *width : 0);
		for (uint32_t k = 0; k < kept && is_written; k++) {
			const double *const parts[] = {nodes[k].outer.translation, nodes[k].outer.rotation, nodes[k].outer.scale,
										   nodes[k].inner};
			memcpy(values + k * width, parts[t], width * sizeof *values);
		}
		tracks[t] = (snw_track){.target = is_inner ? node + 1 : node,
								.path = path,
								.interpolation = SNW_LINEAR,
								.key_count = is_written ? kept : 0,
								.seconds = kept_seconds,
								.values = values};
	}
	snw_arena_destroy(scratch);
}

/* ---- all tracks of a clip ------------------------------------------------------------------------------------------------ */

/* A file has one track for each property. The last of several is used, as in sampling poses. */
static bool is_repeated(const snw_clip *clip, uint32_t t) {
	for (uint32_t i = t + 1; i < clip->track_count; i++) {
		if (clip->tracks[i].path == clip->tracks[t].path && clip->tracks[i].target == clip->tracks[t].target) {
			return true;
		}
	}
	return false;
}

const snw_track **snw_plan_joint_tracks(const snw_plan *plan, uint32_t clip, snw_arena *arena, uint32_t *count) {
	const snw_clip *of = &plan->scene->clips[plan->clips[clip]];
	size_t most = (size_t)of->track_count + plan->helper_track_count;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		most += SNW_PLAN_TRACKS * (size_t)plan->meshes[m].proxy_count;
	}
	const snw_track **tracks = SNW_NEW_ARRAY(arena, const snw_track *, most);
	*count = 0;
	for (uint32_t t = 0; t < of->track_count; t++) {
		if (of->tracks[t].path != SNW_PATH_CHANNEL && !plan->rig.is_left_out[of->tracks[t].target] && !is_repeated(of, t)) {
			tracks[(*count)++] = &of->tracks[t];
		}
	}
	for (uint32_t t = 0; t < plan->helper_track_count; t++) {
		const snw_track *track = &plan->helper_tracks[clip][t];
		if (!plan->rig.is_left_out[track->target]) {
			tracks[(*count)++] = track;
		}
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		for (uint32_t t = 0; t < SNW_PLAN_TRACKS * mesh->proxy_count; t++) {
			tracks[(*count)++] = &mesh->tracks[clip][t];
		}
	}
	return tracks;
}
