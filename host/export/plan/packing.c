/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

enum { POINT_BITS = 14, ROTATION_BITS = 12, WEIGHT_STEPS = 255 };
static const double KEYS_PER_SECOND = 30;
static const double ROUNDING = 1e-4; /* of keys: times of files are floats */

/* A mesh on the grid. */
typedef struct packed_mesh {
	double *points;       /* [point_count][3] */
	double **vectors;     /* [shape_count][the morph target's count][3]: at weight 1 of the shape */
	snw_plan_mesh skin;   /* the plan's mesh with packed weights */
	uint32_t first_shape; /* among those of all meshes */
	double to_node[12], from_node[12];
} packed_mesh;

struct snw_packing {
	const snw_plan *plan;
	packed_mesh *meshes; /* [mesh_count] */
	uint32_t shape_count;
	double origin[3], step;
	/* [clip_count][joint_count][3]: whether translation, rotation and scale are held between their keys. */
	bool **is_held;
};

/* ---- the grid ------------------------------------------------------------------------------------------------------------ */

static void place_mesh(const snw_plan *plan, const snw_plan_mesh *mesh, packed_mesh *packed) {
	snw_mat34_identity(packed->to_node);
	snw_mat34_identity(packed->from_node);
	if (mesh->placement == SNW_PLAN_RIGID) {
		const double *inverse_bind = plan->rig.slot_inverse_binds + 12 * (size_t)mesh->slot;
		if (snw_mat34_invert(inverse_bind, packed->from_node)) {
			memcpy(packed->to_node, inverse_bind, sizeof packed->to_node);
		} else {
			snw_mat34_identity(packed->from_node);
		}
	}
}

/* The box of the points, and how far the shapes move any coordinate to each side. */
static void extend_box(const snw_plan_mesh *mesh, const packed_mesh *packed, double low[3], double high[3]) {
	double least[3] = {0}, most[3] = {0}, below[3] = {0}, above[3] = {0}, mapped[3];
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		snw_mat34_point(packed->to_node, mesh->points_rest + 3 * (size_t)p, mapped);
		for (int c = 0; c < 3; c++) {
			least[c] = p == 0 ? mapped[c] : fmin(least[c], mapped[c]);
			most[c] = p == 0 ? mapped[c] : fmax(most[c], mapped[c]);
		}
	}
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_morph *morph = &mesh->morphs[mesh->shapes[s].morph];
		for (uint32_t i = 0; i < morph->count; i++) {
			snw_mat34_vector(packed->to_node, morph->vectors + 3 * (size_t)i, mapped);
			for (int c = 0; c < 3; c++) {
				below[c] = fmin(below[c], mesh->shapes[s].reach * mapped[c]);
				above[c] = fmax(above[c], mesh->shapes[s].reach * mapped[c]);
			}
		}
	}
	for (int c = 0; c < 3; c++) {
		low[c] = fmin(low[c], least[c] + below[c]);
		high[c] = fmax(high[c], most[c] + above[c]);
	}
}

static double on_grid(double value, double origin, double step) {
	return step > 0 ? origin + step * round((value - origin) / step) : value;
}

static void pack_points(const snw_packing *packing, const snw_plan_mesh *mesh, packed_mesh *packed, snw_arena *arena) {
	const uint32_t count = mesh->mesh->point_count;
	packed->points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	for (uint32_t p = 0; p < count; p++) {
		double mapped[3];
		snw_mat34_point(packed->to_node, mesh->points_rest + 3 * (size_t)p, mapped);
		for (int c = 0; c < 3; c++) {
			mapped[c] = on_grid(mapped[c], packing->origin[c], packing->step);
		}
		snw_mat34_point(packed->from_node, mapped, packed->points + 3 * (size_t)p);
	}
}

/* Each weight is rounded; the largest takes what is missing in the sum. */
static void pack_influences(const snw_plan_mesh *mesh, snw_plan_mesh *skin, snw_arena *arena) {
	*skin = *mesh;
	if (mesh->placement != SNW_PLAN_SKINNED) {
		return;
	}
	skin->weights = SNW_NEW_ARRAY(arena, float, (size_t)mesh->mesh->point_count * mesh->width);
	for (size_t p = 0; p < mesh->mesh->point_count; p++) {
		const float *from = mesh->weights + p * mesh->width;
		float *to = skin->weights + p * mesh->width, missing = 1;
		for (uint32_t i = 0; i < mesh->width; i++) {
			to[i] = roundf(from[i] * WEIGHT_STEPS) / WEIGHT_STEPS;
			missing -= to[i];
		}
		to[0] += missing;
	}
}

static double *pack_shape(const snw_packing *packing, const snw_plan_mesh *mesh, const snw_plan_shape *shape,
						  const packed_mesh *packed, snw_arena *arena) {
	const snw_plan_morph *morph = &mesh->morphs[shape->morph];
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)morph->count);
	for (uint32_t i = 0; i < morph->count; i++) {
		double mapped[3];
		snw_mat34_vector(packed->to_node, morph->vectors + 3 * (size_t)i, mapped);
		for (int c = 0; c < 3; c++) {
			mapped[c] = on_grid(shape->reach * mapped[c], 0, packing->step);
		}
		snw_mat34_vector(packed->from_node, mapped, vectors + 3 * (size_t)i);
	}
	return vectors;
}

static bool *find_held(const snw_plan *plan, uint32_t clip, snw_arena *arena) {
	const snw_clip *tracks = &plan->scene->clips[plan->clips[clip]];
	bool *is_held = SNW_NEW_ARRAY(arena, bool, 3 * (size_t)plan->scene->skeleton.joint_count);
	for (uint32_t t = 0; t < tracks->track_count; t++) {
		const snw_track *track = &tracks->tracks[t];
		if (track->path != SNW_PATH_CHANNEL) {
			is_held[3 * (size_t)track->target + (size_t)track->path] = track->interpolation == SNW_STEP;
		}
	}
	return is_held;
}

snw_packing *snw_packing_make(const snw_plan *plan, snw_arena *arena) {
	snw_packing *packing = SNW_NEW(arena, snw_packing);
	double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, extent = 0;
	*packing = (snw_packing){.plan = plan, .meshes = SNW_NEW_ARRAY(arena, packed_mesh, plan->mesh_count)};
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		packing->meshes[m].first_shape = packing->shape_count;
		packing->shape_count += plan->meshes[m].shape_count;
		place_mesh(plan, &plan->meshes[m], &packing->meshes[m]);
		extend_box(&plan->meshes[m], &packing->meshes[m], low, high);
	}
	for (int c = 0; c < 3; c++) {
		extent = fmax(extent, high[c] - low[c]);
	}
	memcpy(packing->origin, low, sizeof low);
	packing->is_held = SNW_NEW_ARRAY(arena, bool *, plan->clip_count);
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		packing->is_held[c] = find_held(plan, c, arena);
	}
	packing->step = plan->mesh_count > 0 ? extent / ((1 << POINT_BITS) - 1) : 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		pack_points(packing, mesh, &packing->meshes[m], arena);
		pack_influences(mesh, &packing->meshes[m].skin, arena);
		packing->meshes[m].vectors = SNW_NEW_ARRAY(arena, double *, mesh->shape_count);
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			packing->meshes[m].vectors[s] = pack_shape(packing, mesh, &mesh->shapes[s], &packing->meshes[m], arena);
		}
	}
	return packing;
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

/* Three components in so many bits; the largest follows from them. */
static void round_rotation(double q[4]) {
	const double steps = (1 << (ROTATION_BITS - 1)) - 1, scale = sqrt(2.0);
	int largest = 0;
	double rest = 1;
	snw_quat_normalize(q);
	for (int c = 1; c < 4; c++) {
		largest = fabs(q[c]) > fabs(q[largest]) ? c : largest;
	}
	for (int c = 0; c < 4; c++) {
		if (c != largest) {
			q[c] = round(q[c] * scale * steps) / (scale * steps);
			rest -= q[c] * q[c];
		}
	}
	q[largest] = copysign(sqrt(fmax(rest, 0)), q[largest]);
}

static void blend(uint32_t count, const double *from, const double *to, double fraction, double *dest) {
	for (uint32_t c = 0; c < count; c++) {
		dest[c] = from[c] + fraction * (to[c] - from[c]);
	}
}

static void blend_rotations(const double from[4], const double to[4], double fraction, double dest[4]) {
	double a[4], b[4];
	memcpy(a, from, sizeof a);
	memcpy(b, to, sizeof b);
	round_rotation(a);
	round_rotation(b);
	const double sign = snw_quat_dot(a, b) < 0 ? -1 : 1;
	for (int c = 0; c < 4; c++) {
		dest[c] = a[c] + fraction * (sign * b[c] - a[c]);
	}
	snw_quat_normalize(dest);
}

void snw_plan_sample_track(const snw_track *track, const snw_plan_instant *at, double value[4]) {
	double from[4], to[4];
	if (!at->is_packed) {
		snw_track_sample(track, at->seconds, value);
		return;
	}
	const double fraction = track->interpolation == SNW_STEP ? 0 : at->fraction;
	snw_track_sample(track, at->before, from);
	snw_track_sample(track, at->after, to);
	if (snw_track_width(track) == 4) {
		blend_rotations(from, to, fraction, value);
	} else {
		blend(snw_track_width(track), from, to, fraction, value);
	}
}

/* The keys around a moment. The last key has the end of the clip, and its time is a whole number of steps. */
static snw_plan_instant find_keys(const snw_plan *plan, uint32_t clip, double seconds) {
	const double end = plan->scene->clips[plan->clips[clip]].duration_seconds;
	const double last = floor(end * KEYS_PER_SECOND + 0.8);
	double key = fmin(floor(seconds * KEYS_PER_SECOND + ROUNDING), last);
	key -= (float)(key / KEYS_PER_SECOND) > (float)seconds; /* just before a key, where a held track jumps */
	snw_plan_instant at = {.seconds = seconds, .is_packed = true};
	at.before = fmin((double)(float)(key / KEYS_PER_SECOND), end);
	at.after = fmin((double)(float)(fmin(key + 1, last) / KEYS_PER_SECOND), end);
	at.fraction = key < last ? fmin(fmax(seconds * KEYS_PER_SECOND - key, 0), 1) : 0;
	return at;
}

static const snw_pose *blend_poses(const snw_packing *packing, uint32_t clip, const snw_plan_instant *at, snw_arena *arena) {
	const snw_plan *plan = packing->plan;
	const snw_pose *from = snw_clip_sampler_pose(plan->samplers[clip], at->before, arena);
	snw_pose *pose = snw_clip_sampler_pose(plan->samplers[clip], at->after, arena);
	for (uint32_t j = 0; j < plan->scene->skeleton.joint_count; j++) {
		const snw_transform *a = &from->local[j];
		snw_transform *b = &pose->local[j];
		const bool *is_held = packing->is_held[clip] + 3 * (size_t)j;
		blend(3, a->translation, b->translation, is_held[SNW_PATH_TRANSLATION] ? 0 : at->fraction, b->translation);
		blend_rotations(a->rotation, b->rotation, is_held[SNW_PATH_ROTATION] ? 0 : at->fraction, b->rotation);
		blend(3, a->scale, b->scale, is_held[SNW_PATH_SCALE] ? 0 : at->fraction, b->scale);
	}
	return pose;
}

/* ---- weights of morph targets -------------------------------------------------------------------------------------------- */

/* Those of all morph targets at a key: as driven if the file has imported or constant tracks, otherwise on the lines between
 * samples. */
static snw_status weights_at(const snw_plan *plan, uint32_t clip, double seconds, snw_arena *arena, double *weights,
							 snw_error *error) {
	const snw_plan_samples *samples = &plan->samples[clip];
	if (samples->step || samples->count == 0) {
		const snw_pose_view *view;
		const snw_status status =
			snw_plan_drive(plan, snw_clip_sampler_pose(plan->samplers[clip], seconds, arena), arena, &view, error);
		if (!snw_failed(status)) {
			snw_plan_driven_weights(plan, weights);
		}
		return status;
	}
	const uint32_t width = plan->weight_count, last = samples->count - 1;
	uint32_t low = 0, high = last;
	while (low < high) { /* the first sample that is not before the key */
		const uint32_t middle = low + (high - low) / 2;
		if (samples->seconds[middle] < seconds) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const uint32_t before = low > 0 ? low - 1 : 0;
	const double length = samples->seconds[low] - samples->seconds[before];
	const double fraction = length > 0 ? fmin(fmax((seconds - samples->seconds[before]) / length, 0), 1) : 0;
	blend(width, samples->weights + (size_t)before * width, samples->weights + (size_t)low * width, fraction, weights);
	return SNW_OK;
}

static void pack_weights(const snw_packing *packing, const double *weights, double *dest) {
	for (uint32_t m = 0; m < packing->plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &packing->plan->meshes[m];
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			const snw_plan_shape *shape = &mesh->shapes[s];
			const double weight = snw_plan_shape_weight(shape, weights[mesh->first_weight + shape->morph]);
			/* Weights that leave 0 to 1 stay floats. */
			const bool is_byte = weight >= 0 && weight <= 1;
			dest[packing->meshes[m].first_shape + s] = is_byte ? round(weight * WEIGHT_STEPS) / WEIGHT_STEPS : weight;
		}
	}
}

/* ---- a moment ------------------------------------------------------------------------------------------------------------ */

snw_status snw_packing_at(const snw_packing *packing, uint32_t clip, double seconds, snw_arena *arena,
						  snw_packed_moment *moment, snw_error *error) {
	const snw_plan *plan = packing->plan;
	const snw_plan_instant at = find_keys(plan, clip, seconds);
	double *driven = SNW_NEW_ARRAY(arena, double, plan->weight_count);
	double *weights = SNW_NEW_ARRAY(arena, double, packing->shape_count),
		   *after = SNW_NEW_ARRAY(arena, double, packing->shape_count);
	snw_status status = plan->weight_count > 0 ? weights_at(plan, clip, at.before, arena, driven, error) : SNW_OK;
	if (!snw_failed(status) && plan->weight_count > 0) {
		pack_weights(packing, driven, weights);
		status = weights_at(plan, clip, at.after, arena, driven, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	pack_weights(packing, driven, after);
	blend(packing->shape_count, weights, after, plan->samples[clip].step ? 0 : at.fraction, weights);
	const snw_pose_view *view = snw_pose_view_make(plan->scene, blend_poses(packing, clip, &at, arena), arena);
	*moment = (snw_packed_moment){.shape_weights = weights, .palettes = SNW_NEW_ARRAY(arena, const double *, plan->mesh_count)};
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		moment->palettes[m] = snw_plan_palette(plan, &plan->meshes[m], clip, &at, view, arena);
	}
	return SNW_OK;
}

void snw_packing_morph(const snw_packing *packing, uint32_t m, const snw_packed_moment *moment, double *points) {
	const snw_plan_mesh *mesh = &packing->plan->meshes[m];
	const packed_mesh *packed = &packing->meshes[m];
	memcpy(points, packed->points, 3 * (size_t)mesh->mesh->point_count * sizeof *points);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_morph *morph = &mesh->morphs[mesh->shapes[s].morph];
		const double weight = moment->shape_weights[packed->first_shape + s];
		for (uint32_t i = 0; i < morph->count && weight != 0; i++) {
			for (size_t c = 0; c < 3; c++) {
				points[3 * (size_t)morph->points[i] + c] += weight * packed->vectors[s][3 * (size_t)i + c];
			}
		}
	}
}

const snw_plan_mesh *snw_packing_skin(const snw_packing *packing, uint32_t mesh) {
	return &packing->meshes[mesh].skin;
}
