/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tracks of a clip for another rig. What a joint of the target does follows from its chain: its source and the joints above
 * that, up to the source of the next matched joint.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/clip.h"
#include "sinew/algebra.h"
#include "transfer/retarget.h"

static const double LONGEST_STEP = 1.0 / 60; /* seconds, between new keys */
enum { MOST_STEPS = 64, PATHS = 3 };

/* A clip under construction. */
typedef struct clip_builder {
	const snw_retarget *r;
	const snw_track **tracks;          /* [source joints][PATHS]; NULL without one */
	const snw_transform *source_still; /* where joints without tracks are: [joint_count] */
	const snw_transform *target_still;
	snw_arena *arena;
	snw_track *made;
	uint32_t made_count;
} clip_builder;

/* A joint of the target, and what moves it. */
typedef struct chain {
	uint32_t joint, above; /* of the target; above: the next matched joint, SNW_NONE at the top */
	uint32_t count;
	uint32_t *joints; /* of the source, from the top down; the last is the joint's source */
} chain;

static const snw_track *track_of(const clip_builder *b, uint32_t source, int32_t path) {
	return b->tracks[PATHS * (size_t)source + (size_t)path];
}

static chain find_chain(const clip_builder *b, uint32_t joint) {
	const uint32_t *parents = b->r->source->skeleton.parents;
	chain c = {.joint = joint, .above = snw_joint_match_above(&b->r->match, &b->r->target->skeleton, joint)};
	const uint32_t end = c.above == SNW_NONE ? SNW_NONE : b->r->match.sources[c.above];
	for (uint32_t s = b->r->match.sources[joint]; s != end; s = parents[s]) {
		c.count++;
	}
	c.joints = SNW_NEW_ARRAY(b->arena, uint32_t, c.count);
	uint32_t at = c.count;
	for (uint32_t s = b->r->match.sources[joint]; s != end; s = parents[s]) {
		c.joints[--at] = s;
	}
	return c;
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

/* A new track with the keys of `from`, all zero. */
static snw_track *add_like(clip_builder *b, const snw_track *from, uint32_t joint, double **values) {
	const size_t numbers = (size_t)from->key_count * snw_track_width(from) * (from->interpolation == SNW_CUBIC ? 3 : 1);
	snw_track *track = &b->made[b->made_count++];
	*track = *from;
	track->target = joint;
	track->seconds = snw_arena_copy(b->arena, from->seconds, from->key_count * sizeof(double));
	track->values = *values = SNW_NEW_ARRAY(b->arena, double, numbers);
	return track;
}

static double *add_keys(clip_builder *b, uint32_t joint, int32_t path, uint32_t count, const double *seconds) {
	double *values = SNW_NEW_ARRAY(b->arena, double, (size_t)count *(path == SNW_PATH_ROTATION ? 4 : 3));
	b->made[b->made_count++] = (snw_track){
		.target = joint, .path = path, .interpolation = SNW_LINEAR, .key_count = count, .seconds = seconds, .values = values};
	return values;
}

/* A property that does not move, if it is not where the target is without a track. */
static void add_constant(clip_builder *b, uint32_t joint, int32_t path, const double *value, const double *still) {
	const size_t width = path == SNW_PATH_ROTATION ? 4 : 3;
	double off = 0, size = 0;
	const double sign = path == SNW_PATH_ROTATION && snw_quat_dot(value, still) < 0 ? -1 : 1;
	for (size_t i = 0; i < width; i++) {
		off = fmax(off, fabs(sign * value[i] - still[i]));
		size = fmax(size, fabs(still[i]));
	}
	if (off > 1e-7 * fmax(size, 1e-3)) {
		static const double begin = 0;
		memcpy(add_keys(b, joint, path, 1, snw_arena_copy(b->arena, &begin, sizeof begin)), value, width * sizeof *value);
	}
}

/* How many moments there are from one key to the next, with that. */
static uint32_t steps_between(double before, double key) {
	return (uint32_t)fmin(ceil((key - before) / LONGEST_STEP), MOST_STEPS);
}

/* The key times of tracks, and moments between them. */
static double *list_times(const clip_builder *b, uint32_t track_count, const snw_track *const *tracks, uint32_t *count) {
	size_t key_count = 0, room = 1, used = 0;
	for (uint32_t t = 0; t < track_count; t++) {
		key_count += tracks[t]->key_count;
	}
	double *keys = SNW_NEW_ARRAY(b->arena, double, key_count);
	for (uint32_t t = 0; t < track_count; t++) {
		memcpy(keys + used, tracks[t]->seconds, tracks[t]->key_count * sizeof *keys);
		used += tracks[t]->key_count;
	}
	snw_sort_numbers(keys, key_count);
	for (size_t k = 1; k < key_count; k++) {
		room += steps_between(keys[k - 1], keys[k]);
	}
	double *times = SNW_NEW_ARRAY(b->arena, double, room);
	*count = 0;
	times[(*count)++] = keys[0];
	for (size_t k = 1; k < key_count; k++) {
		const uint32_t steps = steps_between(keys[k - 1], keys[k]);
		for (uint32_t step = 1; step < steps; step++) {
			times[(*count)++] = keys[k - 1] + (keys[k] - keys[k - 1]) * step / steps;
		}
		if (steps > 0) {
			times[(*count)++] = keys[k];
		}
	}
	return times;
}

/* ---- rotations ----------------------------------------------------------------------------------------------------------- */

/* The rotations before and behind those of the chain: see retarget.h. */
static void find_sides(const clip_builder *b, const chain *c, double left[4], double right[4]) {
	const snw_retarget *r = b->r;
	double between[4] = {0, 0, 0, 1}, inverse[4];
	for (uint32_t p = r->target->skeleton.parents[c->joint]; p != c->above; p = r->target->skeleton.parents[p]) {
		snw_quat_multiply(b->target_still[p].rotation, between, between);
	}
	if (c->above != SNW_NONE) {
		snw_quat_multiply(r->target_rotations + 4 * (size_t)c->above, between, between);
	}
	snw_quat_conjugate(between, inverse);
	snw_quat_multiply(inverse, r->rotation, left);
	if (c->above != SNW_NONE) {
		snw_quat_multiply(left, r->source_rotations + 4 * (size_t)r->match.sources[c->above], left);
	}
	snw_quat_conjugate(r->source_rotations + 4 * (size_t)c->joints[c->count - 1], right);
	snw_quat_conjugate(r->rotation, inverse);
	snw_quat_multiply(right, inverse, right);
	snw_quat_multiply(right, r->target_rotations + 4 * (size_t)c->joint, right);
}

/* Of one source joint the keys are kept. */
static void map_rotation(clip_builder *b, const snw_track *from, uint32_t joint, const double left[4], const double right[4]) {
	double *values;
	const size_t parts = from->interpolation == SNW_CUBIC ? 3 : 1;
	add_like(b, from, joint, &values);
	for (size_t k = 0; k < from->key_count * parts; k++) {
		snw_quat_multiply(left, from->values + 4 * k, values + 4 * k);
		snw_quat_multiply(values + 4 * k, right, values + 4 * k);
		if (k % parts == parts / 2) {
			snw_quat_normalize(values + 4 * k);
		}
	}
}

static void bake_rotation(clip_builder *b, const chain *c, const snw_track *const *tracks, uint32_t track_count,
						  const double left[4], const double right[4]) {
	uint32_t count;
	const double *times = list_times(b, track_count, tracks, &count);
	double *values = add_keys(b, c->joint, SNW_PATH_ROTATION, count, times);
	for (size_t k = 0; k < count; k++) {
		double *value = values + 4 * k, rotation[4];
		memcpy(value, left, 4 * sizeof *value);
		for (uint32_t i = 0; i < c->count; i++) {
			const snw_track *track = track_of(b, c->joints[i], SNW_PATH_ROTATION);
			memcpy(rotation, b->source_still[c->joints[i]].rotation, sizeof rotation);
			if (track) {
				snw_track_sample(track, times[k], rotation);
			}
			snw_quat_multiply(value, rotation, value);
		}
		snw_quat_multiply(value, right, value);
		snw_quat_normalize(value);
	}
}

static void add_chain_rotation(clip_builder *b, const chain *c) {
	const snw_track **tracks = SNW_NEW_ARRAY(b->arena, const snw_track *, c->count);
	double left[4], right[4], behind[4] = {0, 0, 0, 1};
	uint32_t count = 0;
	find_sides(b, c, left, right);
	for (uint32_t i = 0; i < c->count; i++) {
		const snw_track *track = track_of(b, c->joints[i], SNW_PATH_ROTATION);
		if (track) {
			tracks[count++] = track;
		}
	}
	if (count > 1) {
		bake_rotation(b, c, tracks, count, left, right);
		return;
	}
	bool is_behind = false;
	for (uint32_t i = 0; i < c->count; i++) {
		const double *rotation = b->source_still[c->joints[i]].rotation;
		if (track_of(b, c->joints[i], SNW_PATH_ROTATION)) {
			is_behind = true;
		} else if (is_behind) {
			snw_quat_multiply(behind, rotation, behind);
		} else {
			snw_quat_multiply(left, rotation, left);
		}
	}
	snw_quat_multiply(behind, right, right);
	if (count == 1) {
		map_rotation(b, tracks[0], c->joint, left, right);
	} else {
		snw_quat_multiply(left, right, left);
		snw_quat_normalize(left);
		add_constant(b, c->joint, SNW_PATH_ROTATION, left, b->target_still[c->joint].rotation);
	}
}

/* ---- translations and scales --------------------------------------------------------------------------------------------- */

/* Keys of three numbers, mapped by a matrix; tangents are vectors. */
static void map_vectors(clip_builder *b, const snw_track *from, uint32_t joint, const double map[12]) {
	double *values;
	const size_t parts = from->interpolation == SNW_CUBIC ? 3 : 1;
	add_like(b, from, joint, &values);
	for (size_t k = 0; k < from->key_count * parts; k++) {
		(k % parts == parts / 2 ? snw_mat34_point : snw_mat34_vector)(map, from->values + 3 * k, values + 3 * k);
	}
}

static void add_mapped(clip_builder *b, uint32_t joint, int32_t path, const double map[12]) {
	const uint32_t source = b->r->match.sources[joint];
	const snw_transform *from = &b->source_still[source], *to = &b->target_still[joint];
	const snw_track *track = track_of(b, source, path);
	double value[3];
	if (track) {
		map_vectors(b, track, joint, map);
		return;
	}
	snw_mat34_point(map, path == SNW_PATH_SCALE ? from->scale : from->translation, value);
	add_constant(b, joint, path, value, path == SNW_PATH_SCALE ? to->scale : to->translation);
}

/* The rotation at rest with the lengths of the axes there; the identity of no joint. */
static void axes_of(const double *rotations, const double *globals, uint32_t joint, double axes[12]) {
	snw_mat34_identity(axes);
	if (joint == SNW_NONE) {
		return;
	}
	snw_quat_to_mat34(rotations + 4 * (size_t)joint, axes);
	for (int c = 0; c < 3; c++) {
		const double *m = globals + 12 * (size_t)joint;
		const double length = sqrt(m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
		for (int row = 0; row < 3; row++) {
			axes[4 * row + c] *= length;
		}
	}
}

/* Rotates and scales the source's world. */
static void world_map(const snw_retarget *r, double map[12]) {
	snw_quat_to_mat34(r->rotation, map);
	for (int i = 0; i < 12; i++) {
		map[i] *= r->scale;
	}
}

/* Below a matched joint: what the source's translation adds to its rest, along the axes of the parents. */
static void add_translation(clip_builder *b, const chain *c) {
	const snw_retarget *r = b->r;
	const uint32_t source = r->match.sources[c->joint], parent = r->target->skeleton.parents[c->joint];
	const double *rest = r->target->skeleton.rest_local[c->joint].translation;
	double axes[12], map[12], inverse[12], still[3];
	axes_of(r->source_rotations, r->source_globals, r->source->skeleton.parents[source], axes);
	world_map(r, map);
	snw_mat34_multiply(map, axes, map);
	axes_of(r->target_rotations, r->target_globals, parent, axes);
	if (!snw_mat34_invert(axes, inverse)) {
		return;
	}
	snw_mat34_multiply(inverse, map, map);
	snw_mat34_vector(map, r->source->skeleton.rest_local[source].translation, still);
	for (int i = 0; i < 3; i++) {
		map[4 * i + 3] = r->is_same_rig ? 0 : rest[i] - still[i];
	}
	add_mapped(b, c->joint, SNW_PATH_TRANSLATION, map);
}

/* From the world of the source to the space of the target's joint: the place at rest becomes the place at rest. */
static bool place_map(const clip_builder *b, const chain *c, double map[12]) {
	const snw_retarget *r = b->r;
	const uint32_t source = c->joints[c->count - 1];
	double parent[12], local[12], inverse[12], place[3];
	world_map(r, map);
	for (size_t i = 0; i < 3; i++) {
		place[i] = r->source_globals[12 * (size_t)source + 4 * i + 3];
	}
	snw_mat34_vector(map, place, place);
	for (size_t i = 0; i < 3; i++) {
		map[4 * i + 3] = r->is_same_rig ? 0 : r->target_globals[12 * (size_t)c->joint + 4 * i + 3] - place[i];
	}
	snw_mat34_identity(parent);
	for (uint32_t p = r->target->skeleton.parents[c->joint]; p != SNW_NONE; p = r->target->skeleton.parents[p]) {
		snw_transform_to_mat34(&b->target_still[p], local);
		snw_mat34_multiply(local, parent, parent);
	}
	if (!snw_mat34_invert(parent, inverse)) {
		return false;
	}
	snw_mat34_multiply(inverse, map, map);
	return true;
}

/* The transform of the joints above the last of a chain that ends at the top, at a moment. */
static void solve_above(const clip_builder *b, const chain *c, double seconds, double global[12]) {
	snw_mat34_identity(global);
	for (uint32_t i = 0; i + 1 < c->count; i++) {
		snw_transform local = b->source_still[c->joints[i]];
		double *const values[PATHS] = {local.translation, local.rotation, local.scale}, value[4], matrix[12];
		for (int32_t path = 0; path < PATHS; path++) {
			const snw_track *track = track_of(b, c->joints[i], path);
			if (track) {
				snw_track_sample(track, seconds, value);
				memcpy(values[path], value, (path == SNW_PATH_ROTATION ? 4 : 3) * sizeof *value);
			}
		}
		snw_transform_to_mat34(&local, matrix);
		snw_mat34_multiply(global, matrix, global);
	}
}

static void bake_place(clip_builder *b, const chain *c, const snw_track *const *tracks, uint32_t track_count,
					   const double map[12]) {
	const uint32_t source = c->joints[c->count - 1];
	const snw_track *track = track_of(b, source, SNW_PATH_TRANSLATION);
	uint32_t count;
	const double *times = list_times(b, track_count, tracks, &count);
	double *values = add_keys(b, c->joint, SNW_PATH_TRANSLATION, count, times);
	for (size_t k = 0; k < count; k++) {
		double global[12], place[4];
		memcpy(place, b->source_still[source].translation, 3 * sizeof *place);
		if (track) {
			snw_track_sample(track, times[k], place);
		}
		solve_above(b, c, times[k], global);
		snw_mat34_point(global, place, place);
		snw_mat34_point(map, place, values + 3 * k);
	}
}

/* The topmost joint moves through the world as its source does. */
static void add_place(clip_builder *b, const chain *c) {
	const snw_track **tracks = SNW_NEW_ARRAY(b->arena, const snw_track *, PATHS *(size_t)c->count);
	double map[12], global[12];
	uint32_t count = 0;
	if (!place_map(b, c, map)) {
		return;
	}
	for (uint32_t i = 0; i + 1 < c->count; i++) {
		for (int32_t path = 0; path < PATHS; path++) {
			const snw_track *track = track_of(b, c->joints[i], path);
			if (track) {
				tracks[count++] = track;
			}
		}
	}
	if (count == 0) {
		solve_above(b, c, 0, global);
		snw_mat34_multiply(map, global, map);
		add_mapped(b, c->joint, SNW_PATH_TRANSLATION, map);
		return;
	}
	const snw_track *last = track_of(b, c->joints[c->count - 1], SNW_PATH_TRANSLATION);
	if (last) {
		tracks[count++] = last;
	}
	bake_place(b, c, tracks, count, map);
}

/* Scales are relative to rest. Along the axes of the target's joint each is a mean of those along the source's. */
static void add_scale(clip_builder *b, const chain *c) {
	const snw_retarget *r = b->r;
	const uint32_t source = r->match.sources[c->joint];
	const double *from = r->source->skeleton.rest_local[source].scale, *to = r->target->skeleton.rest_local[c->joint].scale;
	double relative[4], axes[12], map[12] = {0};
	snw_quat_conjugate(r->target_rotations + 4 * (size_t)c->joint, relative);
	snw_quat_multiply(relative, r->rotation, relative);
	snw_quat_multiply(relative, r->source_rotations + 4 * (size_t)source, relative);
	snw_quat_to_mat34(relative, axes);
	if (from[0] == 0 || from[1] == 0 || from[2] == 0) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			map[4 * i + k] = to[i] * axes[4 * i + k] * axes[4 * i + k] / from[k];
		}
	}
	add_mapped(b, c->joint, SNW_PATH_SCALE, map);
}

/* ---- morph targets and losses -------------------------------------------------------------------------------------------- */

static const char *add_name(const char *list, uint32_t count, const char *name, snw_arena *arena) {
	enum { MOST = 5 };
	return count > MOST ? list : snw_arena_format(arena, "%s%s%s", list, list[0] ? ", " : "", count == MOST ? "…" : name);
}

static bool varies(const snw_track *track) {
	const size_t width = snw_track_width(track), row = width * (track->interpolation == SNW_CUBIC ? 3 : 1);
	for (size_t i = 0; i < row * track->key_count; i++) {
		if (fabs(track->values[i] - track->values[i % row]) > 1e-6) {
			return true;
		}
	}
	return false;
}

/* A weight keeps its keys. The channel of a name, or of the same name behind the mesh's. */
static void add_channel(clip_builder *b, const snw_track *from, snw_retarget_loss *loss) {
	const char *name = b->r->source->channels[from->target].name, *dot = strrchr(name, '.');
	uint32_t channel = snw_scene_find_channel(b->r->target, name);
	channel = channel == SNW_NONE && dot ? snw_scene_find_channel(b->r->target, dot + 1) : channel;
	if (channel != SNW_NONE) {
		double *values;
		const snw_track *made = add_like(b, from, channel, &values);
		memcpy(values, from->values, made->key_count * (made->interpolation == SNW_CUBIC ? 3 : 1) * sizeof *values);
	} else if (varies(from)) {
		loss->channels = add_name(loss->channels, loss->channel_count++, name, b->arena);
	}
}

/* Joints that move, and are in no chain. */
static void find_lost_joints(const clip_builder *b, snw_retarget_loss *loss) {
	const snw_skeleton *skeleton = &b->r->source->skeleton;
	bool *is_used = SNW_NEW_ARRAY(b->arena, bool, skeleton->joint_count);
	for (uint32_t j = 0; j < b->r->target->skeleton.joint_count; j++) {
		for (uint32_t s = b->r->match.sources[j]; s != SNW_NONE && !is_used[s]; s = skeleton->parents[s]) {
			is_used[s] = true;
		}
	}
	for (uint32_t s = 0; s < skeleton->joint_count; s++) {
		bool is_lost = false;
		for (int32_t path = 0; path < PATHS && !is_used[s]; path++) {
			const snw_track *track = track_of(b, s, path);
			is_lost |= track && varies(track);
		}
		if (is_lost) {
			loss->joints = add_name(loss->joints, loss->joint_count++, skeleton->names[s], b->arena);
		}
	}
}

/* ---- the clip ------------------------------------------------------------------------------------------------------------ */

/* Where joints without tracks are: in the file's default pose, or at rest. */
static const snw_transform *still_of(const snw_scene *scene) {
	const uint32_t pose = snw_scene_find_pose(scene, "default");
	return pose == SNW_NONE ? scene->skeleton.rest_local : scene->poses[pose].local;
}

snw_clip snw_retarget_clip(const snw_retarget *retarget, uint32_t clip, snw_arena *arena, snw_retarget_loss *loss) {
	const snw_clip *from = &retarget->source->clips[clip];
	const size_t joint_count = retarget->target->skeleton.joint_count;
	clip_builder b = {.r = retarget,
					  .tracks = SNW_NEW_ARRAY(arena, const snw_track *, PATHS *(size_t)retarget->source->skeleton.joint_count),
					  .source_still = still_of(retarget->source),
					  .target_still = still_of(retarget->target),
					  .arena = arena,
					  .made = SNW_NEW_ARRAY(arena, snw_track, PATHS * joint_count + from->track_count)};
	*loss = (snw_retarget_loss){.joints = "", .channels = ""};
	for (uint32_t t = 0; t < from->track_count; t++) {
		if (from->tracks[t].path == SNW_PATH_CHANNEL) {
			add_channel(&b, &from->tracks[t], loss);
		} else {
			b.tracks[PATHS * (size_t)from->tracks[t].target + (size_t)from->tracks[t].path] = &from->tracks[t];
		}
	}
	for (uint32_t j = 0; j < joint_count; j++) {
		if (retarget->match.sources[j] != SNW_NONE) {
			const chain c = find_chain(&b, j);
			if (c.above == SNW_NONE) {
				add_place(&b, &c);
			} else {
				add_translation(&b, &c);
			}
			add_chain_rotation(&b, &c);
			add_scale(&b, &c);
		}
	}
	find_lost_joints(&b, loss);
	return (snw_clip){.name = snw_arena_text(arena, from->name),
					  .duration_seconds = from->duration_seconds,
					  .track_count = b.made_count,
					  .tracks = b.made};
}
