/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

/* ---- joint tracks -------------------------------------------------------------------------------------------------------- */

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

/* ---- proxy hierarchy ----------------------------------------------------------------------------------------------------- */

/* A tree of proxy joints: each below the proxy joint, or the joint of the skeleton, that moves most like it.
 *
 * If joint b carried the points of a instead of a itself, they would move by w_ia (T_b − T_a)(r_i, 1). With M_a = Σ_i w_ia²
 * (r_i, 1)(r_i, 1)ᵀ the sum of squares over points and moments is Σ tr((T_b − T_a) M_a (T_b − T_a)ᵀ). The least one decides.
 * Among proxies it is taken both ways, and the tree is the minimum spanning tree below the proxy with the most points. */

enum { HIERARCHY_MOMENTS = 48 };

typedef struct hierarchy {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	snw_arena *arena;
	uint32_t moment_count;
	double *proxies; /* [proxy_count][moment_count][12] */
	double *joints;  /* [joint_count][moment_count][12]: from rest to posed space */
	bool *is_rigid;  /* [joint_count]: of those with slots, in joint space, at all moments; a node below another could not be */
	double *moments; /* [proxy_count][16]: M */
} hierarchy;

/* ---- what is compared ---------------------------------------------------------------------------------------------------- */

static void sum_points(hierarchy *h) {
	const snw_plan_skin *skin = &h->mesh->skin;
	for (uint32_t i = 0; i < h->mesh->mesh->point_count; i++) {
		const double *rest = h->mesh->points_rest + 3 * (size_t)i, row[4] = {rest[0], rest[1], rest[2], 1};
		for (uint32_t k = skin->offsets[i]; k < skin->offsets[i + 1]; k++) {
			const uint32_t proxy = h->mesh->proxy_of_slot[skin->slots[k]];
			for (int e = 0; e < 16 && proxy != SNW_NONE; e++) {
				h->moments[16 * (size_t)proxy + (size_t)e] += skin->weights[k] * skin->weights[k] * row[e / 4] * row[e % 4];
			}
		}
	}
}

static void read_joints(hierarchy *h, const snw_pose_view *view, uint32_t moment) {
	const snw_skeleton *skeleton = &h->plan->scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const double *global = view->global + 12 * (size_t)j;
		double back[12];
		h->is_rigid[j] =
			h->is_rigid[j] && snw_plan_is_rigid(global, 1) && snw_mat34_invert(skeleton->rest_global + 12 * (size_t)j, back);
		if (h->is_rigid[j]) {
			snw_mat34_multiply(global, back, h->joints + 12 * ((size_t)h->moment_count * j + moment));
		}
	}
}

static snw_status read_moment(hierarchy *h, uint32_t clip, double seconds, uint32_t moment, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_pose_view *view;
	double *matrices = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)h->mesh->proxy_count);
	const snw_pose *pose = snw_clip_sampler_pose(h->plan->samplers[clip], seconds, scratch);
	const snw_status status = snw_plan_drive(h->plan, pose, scratch, &view, error);
	if (!snw_failed(status)) {
		snw_plan_read_proxies(h->plan, h->mesh, matrices);
		for (uint32_t s = 0; s < h->mesh->proxy_count; s++) {
			memcpy(h->proxies + 12 * ((size_t)h->moment_count * s + moment), matrices + 12 * (size_t)s, 12 * sizeof *matrices);
		}
		read_joints(h, view, moment);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* Moments of all clips, evenly. */
static snw_status read_moments(hierarchy *h, snw_error *error) {
	const snw_plan *plan = h->plan;
	double **seconds = SNW_NEW_ARRAY(h->arena, double *, plan->clip_count);
	uint32_t *counts = SNW_NEW_ARRAY(h->arena, uint32_t, plan->clip_count), all = 0, next = 0;
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		snw_plan_moments(plan, plan->clips[c], h->arena, &seconds[c], &counts[c]);
		all += counts[c];
	}
	const uint32_t joints = plan->scene->skeleton.joint_count;
	h->moment_count = all < HIERARCHY_MOMENTS ? all : HIERARCHY_MOMENTS;
	h->proxies = SNW_NEW_ARRAY(h->arena, double, 12 * (size_t)h->moment_count * h->mesh->proxy_count);
	h->joints = SNW_NEW_ARRAY(h->arena, double, 12 * (size_t)h->moment_count * joints);
	h->is_rigid = SNW_NEW_ARRAY(h->arena, bool, joints);
	h->moments = SNW_NEW_ARRAY(h->arena, double, 16 * (size_t)h->mesh->proxy_count);
	const snw_pose_view *rest = snw_pose_view_make(plan->scene, plan->rest, h->arena);
	for (uint32_t s = 0; s < plan->scene->slot_count; s++) { /* other nodes of the scene move no points */
		const uint32_t j = plan->scene->slot_joints[s];
		h->is_rigid[j] = snw_plan_is_rigid(rest->global + 12 * (size_t)j, 1);
	}
	snw_status status = SNW_OK;
	uint32_t at = 0;
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		for (uint32_t i = 0; i < counts[c] && !snw_failed(status); i++, at++) {
			if (next < h->moment_count && at == (uint64_t)next * all / h->moment_count) {
				status = read_moment(h, c, seconds[c][i], next++, error);
			}
		}
	}
	return status;
}

/* Of the motions `a` and `b` of points with these moments. */
static double difference(const hierarchy *h, const double *moments, const double *a, const double *b) {
	double sum = 0;
	for (size_t row = 0; row < 3 * (size_t)h->moment_count; row++) {
		double d[4];
		for (size_t c = 0; c < 4; c++) {
			d[c] = b[4 * row + c] - a[4 * row + c];
		}
		for (int i = 0; i < 16; i++) {
			sum += d[i / 4] * moments[i] * d[i % 4];
		}
	}
	return sum;
}

/* ---- parents ------------------------------------------------------------------------------------------------------------- */

static const double *motion_of(const hierarchy *h, const double *motions, uint32_t index) {
	return motions + 12 * (size_t)h->moment_count * index;
}

static void find_tree(const hierarchy *h) {
	const uint32_t count = h->mesh->proxy_count;
	uint32_t *nearest = SNW_NEW_ARRAY(h->arena, uint32_t, count), next = 0;
	double *least = SNW_NEW_ARRAY(h->arena, double, count);
	bool *is_placed = SNW_NEW_ARRAY(h->arena, bool, count);
	for (uint32_t s = 0; s < count; s++) {
		nearest[s] = SNW_NONE;
		least[s] = (double)INFINITY;
		next = h->moments[16 * (size_t)s + 15] > h->moments[16 * (size_t)next + 15] ? s : next;
	}
	for (uint32_t placed = 0; placed < count; placed++) {
		is_placed[next] = true;
		h->mesh->proxy_parents[next] = nearest[next] == SNW_NONE ? SNW_NONE : h->mesh->first_joint + nearest[next];
		for (uint32_t s = 0; s < count; s++) {
			double both[16];
			for (size_t i = 0; i < 16; i++) {
				both[i] = h->moments[16 * (size_t)s + i] + h->moments[16 * (size_t)next + i];
			}
			const double cost =
				is_placed[s] ? 0 : difference(h, both, motion_of(h, h->proxies, next), motion_of(h, h->proxies, s));
			if (!is_placed[s] && cost < least[s]) {
				least[s] = cost;
				nearest[s] = next;
			}
		}
		uint32_t best = SNW_NONE;
		for (uint32_t s = 0; s < count; s++) {
			best = !is_placed[s] && (best == SNW_NONE || least[s] < least[best]) ? s : best;
		}
		next = best;
	}
}

/* A joint that moves no more like the proxy than the scene does is none to be below. */
static void find_joints(const hierarchy *h) {
	double *still = SNW_NEW_ARRAY(h->arena, double, 12 * (size_t)h->moment_count);
	for (size_t i = 0; i < h->moment_count; i++) {
		snw_mat34_identity(still + 12 * i);
	}
	for (uint32_t s = 0; s < h->mesh->proxy_count; s++) {
		double least = 0.99 * difference(h, h->moments + 16 * (size_t)s, motion_of(h, h->proxies, s), still);
		h->mesh->proxy_parents[s] = SNW_NONE;
		for (uint32_t j = 0; j < h->plan->scene->skeleton.joint_count; j++) {
			const double cost = h->is_rigid[j] ? difference(h, h->moments + 16 * (size_t)s, motion_of(h, h->proxies, s),
															motion_of(h, h->joints, j))
											   : (double)INFINITY;
			if (cost < least) {
				least = cost;
				h->mesh->proxy_parents[s] = j;
			}
		}
	}
}

/* Parents come before children. */
static void order_joints(const hierarchy *h) {
	snw_plan_rig *rig = &h->plan->rig;
	const uint32_t first = h->mesh->first_joint, count = h->mesh->proxy_count;
	bool *is_listed = SNW_NEW_ARRAY(h->arena, bool, count);
	for (uint32_t listed = 0; listed < count;) {
		for (uint32_t s = 0; s < count; s++) {
			const uint32_t parent = rig->parents[first + s];
			if (!is_listed[s] && (parent < first || is_listed[parent - first])) {
				is_listed[s] = true;
				rig->order[first + listed++] = first + s;
			}
		}
	}
}

snw_status snw_plan_group_proxies(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	const snw_export_hierarchy wanted = plan->request->hierarchy;
	if (wanted == SNW_HIERARCHY_FLAT || (wanted == SNW_HIERARCHY_SKELETON && plan->scene->slot_count == 0)) {
		return SNW_OK;
	}
	if (wanted == SNW_HIERARCHY_TREE && mesh->has_affine_proxies) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"mesh %s: its proxy joints stay below one node: they shear, which no joint below another can undo",
						mesh->mesh->name);
		return SNW_OK;
	}
	hierarchy h = {.plan = plan, .mesh = mesh, .arena = snw_arena_create()};
	const snw_status status = read_moments(&h, error);
	if (!snw_failed(status)) {
		sum_points(&h);
		mesh->proxy_parents = SNW_NEW_ARRAY(plan->arena, uint32_t, mesh->proxy_count);
		(wanted == SNW_HIERARCHY_TREE ? find_tree : find_joints)(&h);
		for (uint32_t s = 0; s < mesh->proxy_count; s++) {
			uint32_t *parent = &plan->rig.parents[mesh->first_joint + (mesh->has_affine_proxies ? 2 : 1) * s];
			*parent = mesh->proxy_parents[s] == SNW_NONE ? *parent : mesh->proxy_parents[s];
		}
		if (wanted == SNW_HIERARCHY_TREE) {
			order_joints(&h);
		}
	}
	snw_arena_destroy(h.arena);
	return status;
}
