/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses: at rest, from a clip, by name, and solved to joint matrices.
 */
#include "pose/pose.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

/* ---- pose ---------------------------------------------------------------------------------------------------------------- */

/* seconds; typed times are rounded as they were printed */
static const double CLIP_END_TOLERANCE = 1e-6;

static snw_pose *pose_new(const snw_scene *scene, const char *name, snw_arena *arena) {
	snw_pose *pose = SNW_NEW(arena, snw_pose);
	pose->name = name;
	pose->local = SNW_NEW_ARRAY(arena, snw_transform, scene->skeleton.joint_count);
	pose->rotation_vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)scene->skeleton.joint_count);
	pose->channels = SNW_NEW_ARRAY(arena, double, scene->channel_count);
	return pose;
}

static void copy_locals(const snw_scene *scene, const snw_transform *from, snw_pose *pose) {
	if (scene->skeleton.joint_count > 0) {
		memcpy(pose->local, from, scene->skeleton.joint_count * sizeof *from);
	}
}

snw_pose *snw_pose_rest(const snw_scene *scene, snw_arena *arena) {
	snw_pose *pose = pose_new(scene, "rest", arena);
	copy_locals(scene, scene->skeleton.rest_local, pose);
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		pose->channels[i] = scene->channels[i].initial;
	}
	return pose;
}

snw_pose *snw_pose_copy(const snw_scene *scene, const snw_pose *source, snw_arena *arena) {
	snw_pose *pose = pose_new(scene, snw_arena_text(arena, source->name), arena);
	copy_locals(scene, source->local, pose);
	if (scene->skeleton.joint_count > 0) {
		memcpy(pose->rotation_vectors, source->rotation_vectors,
			   3 * (size_t)scene->skeleton.joint_count * sizeof *pose->rotation_vectors);
	}
	if (scene->channel_count > 0) {
		memcpy(pose->channels, source->channels, scene->channel_count * sizeof *pose->channels);
	}
	pose->id = source->id;
	pose->clip = source->clip;
	pose->seconds = source->seconds;
	return pose;
}

/* The pose of properties without tracks: the file's default pose, which can differ from the bind pose. */
static snw_pose *default_pose(const snw_scene *scene, snw_arena *arena) {
	snw_pose *pose = snw_pose_rest(scene, arena);
	const uint32_t found = snw_scene_find_pose(scene, "default");
	if (found != SNW_NONE) {
		copy_locals(scene, scene->poses[found].local, pose);
	}
	snw_pose_unwind(scene, pose);
	return pose;
}

static void apply_track(const snw_track *track, double seconds, snw_pose *pose) {
	double value[4];
	snw_track_sample(track, seconds, value);
	switch (track->path) {
	case SNW_PATH_TRANSLATION:
		memcpy(pose->local[track->target].translation, value, 3 * sizeof *value);
		break;
	case SNW_PATH_ROTATION:
		memcpy(pose->local[track->target].rotation, value, 4 * sizeof *value);
		break;
	case SNW_PATH_SCALE:
		memcpy(pose->local[track->target].scale, value, 3 * sizeof *value);
		break;
	case SNW_PATH_CHANNEL:
		pose->channels[track->target] = value[0];
		break;
	}
}

struct snw_clip_sampler {
	const snw_scene *scene;
	const snw_clip *clip;
	double **vectors; /* [track_count][key_count][3] of rotation tracks */
};

static const double *rest_rotation(const snw_scene *scene, const snw_track *track) {
	return scene->skeleton.rest_local[track->target].rotation;
}

/* Whether the clip's moments are those of a set of poses, which has no order along which to unwind. */
static bool is_of_set(const snw_scene *scene, uint32_t clip) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (target->is_set && target->clip == SNW_NONE && snw_target_clip(scene, target) == clip) {
			return true;
		}
	}
	return false;
}

const snw_clip_sampler *snw_clip_sampler_create(const snw_scene *scene, uint32_t clip, snw_arena *arena) {
	assert(clip < scene->clip_count);
	snw_clip_sampler *sampler = SNW_NEW(arena, snw_clip_sampler);
	*sampler = (snw_clip_sampler){.scene = scene, .clip = &scene->clips[clip]};
	sampler->vectors = SNW_NEW_ARRAY(arena, double *, sampler->clip->track_count);
	for (uint32_t i = 0; i < sampler->clip->track_count; i++) {
		const snw_track *track = &sampler->clip->tracks[i];
		if (track->path == SNW_PATH_ROTATION) {
			sampler->vectors[i] = SNW_NEW_ARRAY(arena, double, 3 * (size_t)track->key_count);
			snw_rotation_walk_keys(track, rest_rotation(scene, track), is_of_set(scene, clip), sampler->vectors[i]);
		}
	}
	return sampler;
}

/* The pose of a clip at a time, without its rotation vectors. */
static snw_pose *sample_transforms(const snw_scene *scene, const snw_clip *clip, double seconds, snw_arena *arena) {
	snw_pose *pose = default_pose(scene, arena);
	pose->seconds = fmin(fmax(seconds, 0), clip->duration_seconds);
	pose->name = snw_arena_format(arena, "%s:%g", clip->name, pose->seconds);
	pose->clip = clip->id;
	for (uint32_t i = 0; i < clip->track_count; i++) {
		apply_track(&clip->tracks[i], pose->seconds, pose);
	}
	return pose;
}

snw_pose *snw_clip_sampler_pose(const snw_clip_sampler *sampler, double seconds, snw_arena *arena) {
	snw_pose *pose = sample_transforms(sampler->scene, sampler->clip, seconds, arena);
	for (uint32_t i = 0; i < sampler->clip->track_count; i++) {
		const snw_track *track = &sampler->clip->tracks[i];
		if (track->path == SNW_PATH_ROTATION) {
			snw_rotation_walk_from_keys(track, rest_rotation(sampler->scene, track), sampler->vectors[i], pose->seconds,
										pose->rotation_vectors + 3 * (size_t)track->target);
		}
	}
	return pose;
}

void snw_pose_sample_series(const snw_scene *scene, uint32_t clip_index, uint32_t count, const double *seconds,
							snw_arena *arena, snw_pose **poses) {
	assert(clip_index < scene->clip_count);
	const snw_clip *clip = &scene->clips[clip_index];
	snw_rotation_walk *walks = SNW_NEW_ARRAY(arena, snw_rotation_walk, clip->track_count);
	for (uint32_t i = 0; i < clip->track_count; i++) {
		if (clip->tracks[i].path == SNW_PATH_ROTATION) {
			snw_rotation_walk_begin(&clip->tracks[i], rest_rotation(scene, &clip->tracks[i]), is_of_set(scene, clip_index),
									&walks[i]);
		}
	}
	for (uint32_t f = 0; f < count; f++) {
		assert(f == 0 || seconds[f] >= seconds[f - 1]);
		poses[f] = sample_transforms(scene, clip, seconds[f], arena);
		for (uint32_t i = 0; i < clip->track_count; i++) {
			const snw_track *track = &clip->tracks[i];
			if (track->path == SNW_PATH_ROTATION) {
				snw_rotation_walk_to(&walks[i], poses[f]->seconds, poses[f]->rotation_vectors + 3 * (size_t)track->target);
			}
		}
	}
}

snw_pose *snw_pose_sample(const snw_scene *scene, uint32_t clip, double seconds, snw_arena *arena) {
	snw_pose *pose;
	snw_pose_sample_series(scene, clip, 1, &seconds, arena, &pose);
	return pose;
}

/* Whether a track has the same key times as the previous one, as in most files. */
static bool is_keyed_as_before(const snw_clip *clip, uint32_t track) {
	const snw_track *source = &clip->tracks[track], *before = source - 1;
	return track > 0 && source->key_count == before->key_count &&
		   memcmp(source->seconds, before->seconds, source->key_count * sizeof *source->seconds) == 0;
}

void snw_clip_key_seconds(const snw_clip *clip, snw_arena *arena, double **seconds, uint32_t *count) {
	size_t all = 0;
	for (uint32_t i = 0; i < clip->track_count; i++) {
		all += is_keyed_as_before(clip, i) ? 0 : clip->tracks[i].key_count;
	}
	double *times = SNW_NEW_ARRAY(arena, double, all);
	size_t filled = 0;
	for (uint32_t i = 0; i < clip->track_count; i++) {
		for (uint32_t k = 0; k < clip->tracks[i].key_count && !is_keyed_as_before(clip, i); k++) {
			times[filled++] = clip->tracks[i].seconds[k];
		}
	}
	uint32_t used = 0;
	snw_sort_numbers(times, all);
	for (size_t i = 0; i < all; i++) {
		if (used == 0 || times[i] > times[used - 1]) {
			times[used++] = times[i];
		}
	}
	*seconds = times;
	*count = used;
}

/* "poses: rest, bent; clips: walk (0 to 1.5 s)" */
static const char *list_available(const snw_scene *scene, snw_arena *arena) {
	const char *text = scene->pose_count > 0 ? "poses: " : "the project has no poses";
	for (uint32_t i = 0; i < scene->pose_count; i++) {
		text = snw_arena_format(arena, "%s%s%s", text, i > 0 ? ", " : "", scene->poses[i].name);
	}
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		text = snw_arena_format(arena, "%s%s%s (0 to %g s)", text, i > 0 ? ", " : "; clips: ", scene->clips[i].name,
								scene->clips[i].duration_seconds);
	}
	return text;
}

uint32_t snw_pose_parse_moment(const snw_scene *scene, const char *text, snw_arena *arena, double *seconds) {
	const char *colon = strrchr(text, ':');
	if (colon == NULL || colon[1] == '\0') {
		return SNW_NONE;
	}
	char *end;
	*seconds = strtod(colon + 1, &end);
	if (*end != '\0' || !isfinite(*seconds)) {
		return SNW_NONE;
	}
	return snw_scene_find_clip(scene, snw_arena_format(arena, "%.*s", (int)(colon - text), text));
}

snw_status snw_pose_resolve(const snw_scene *scene, const char *text, snw_arena *arena, snw_pose **pose, snw_error *error) {
	const uint32_t named = snw_scene_find_pose(scene, text);
	if (named != SNW_NONE) {
		*pose = snw_pose_copy(scene, &scene->poses[named], arena);
		return SNW_OK;
	}
	if (strcmp(text, "rest") == 0) {
		*pose = snw_pose_rest(scene, arena);
		return SNW_OK;
	}
	double seconds = 0;
	const uint32_t clip = snw_pose_parse_moment(scene, text, arena, &seconds);
	if (clip != SNW_NONE) {
		const double duration = scene->clips[clip].duration_seconds;
		if (seconds < -CLIP_END_TOLERANCE || seconds > duration + CLIP_END_TOLERANCE) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "pose '%s': clip '%s' lasts %g s; give a time from 0 to %g", text,
							scene->clips[clip].name, duration, duration);
		}
		*pose = snw_pose_sample(scene, clip, seconds, arena);
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_MISSING, "no such pose '%s'; give NAME or CLIP:SECONDS (%s)", text,
					list_available(scene, arena));
}

bool snw_pose_is_same(const snw_scene *scene, const snw_pose *one, const snw_pose *other) {
	const size_t joints = scene->skeleton.joint_count, channels = scene->channel_count;
	return memcmp(one->local, other->local, joints * sizeof *one->local) == 0 &&
		   (channels == 0 || memcmp(one->channels, other->channels, channels * sizeof *one->channels) == 0);
}

void snw_pose_unwind(const snw_scene *scene, snw_pose *pose) {
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		double inverse[4], delta[4], rotation[4];
		memcpy(rotation, pose->local[j].rotation, sizeof rotation);
		snw_quat_normalize(rotation);
		snw_quat_conjugate(scene->skeleton.rest_local[j].rotation, inverse);
		snw_quat_multiply(inverse, rotation, delta);
		double *vector = pose->rotation_vectors + 3 * (size_t)j;
		snw_rotation_vector_nearest(delta, vector, vector);
	}
}

void snw_pose_solve(const snw_scene *scene, const snw_pose *pose, double *global, double *palette, snw_pose_view *view) {
	const snw_skeleton *skeleton = &scene->skeleton;
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
		double *values = global + 12 * (size_t)j;
		snw_transform_to_mat34(&pose->local[j], values);
		if (parent != SNW_NONE) {
			snw_mat34_multiply(global + 12 * (size_t)parent, values, values);
		}
	}
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		snw_mat34_multiply(global + 12 * (size_t)scene->slot_joints[s], scene->slot_inverse_binds + 12 * (size_t)s,
						   palette + 12 * (size_t)s);
	}
	*view = (snw_pose_view){
		.size = sizeof *view,
		.joint_count = skeleton->joint_count,
		.local = pose->local,
		.rotation_vectors = pose->rotation_vectors,
		.global = global,
		.slot_count = scene->slot_count,
		.palette = palette,
		.channel_count = scene->channel_count,
		.channels = pose->channels,
		.clip = (uint64_t)pose->clip,
		.seconds = pose->seconds,
	};
}

const snw_pose_view *snw_pose_view_make(const snw_scene *scene, const snw_pose *pose, snw_arena *arena) {
	snw_pose_view *view = SNW_NEW(arena, snw_pose_view);
	double *global = SNW_NEW_ARRAY(arena, double, 12 * (size_t)scene->skeleton.joint_count);
	double *palette = SNW_NEW_ARRAY(arena, double, 12 * (size_t)scene->slot_count);
	snw_pose_solve(scene, pose, global, palette, view);
	return view;
}

/* ---- poses between two --------------------------------------------------------------------------------------------------- */

/* Radians, metres, scale: a smaller difference from rest is rounding. */
static const double STILL = 1e-6;

static snw_pose *copy_unnamed(const snw_scene *scene, const snw_pose *pose, snw_arena *arena) {
	snw_pose *copy = snw_pose_copy(scene, pose, arena);
	copy->id = 0;
	copy->name = "";
	copy->clip = 0;
	copy->seconds = 0;
	return copy;
}

snw_pose *snw_pose_along(const snw_scene *scene, const snw_pose *pose, double share, snw_arena *arena) {
	snw_pose *between = copy_unnamed(scene, pose, arena);
	for (size_t j = 0; j < scene->skeleton.joint_count; j++) {
		const snw_transform *rest = &scene->skeleton.rest_local[j];
		double q[4];
		for (size_t c = 0; c < 3; c++) {
			between->rotation_vectors[3 * j + c] *= share;
			between->local[j].translation[c] =
				rest->translation[c] + share * (pose->local[j].translation[c] - rest->translation[c]);
			between->local[j].scale[c] = rest->scale[c] + share * (pose->local[j].scale[c] - rest->scale[c]);
		}
		snw_quat_from_rotation_vector(between->rotation_vectors + 3 * j, q);
		snw_quat_multiply(rest->rotation, q, between->local[j].rotation);
		snw_quat_normalize(between->local[j].rotation);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		const double initial = scene->channels[c].initial;
		between->channels[c] = initial + share * (pose->channels[c] - initial);
	}
	return between;
}

bool snw_pose_moves_joint(const snw_scene *scene, const snw_pose *pose, uint32_t joint) {
	const snw_transform *rest = &scene->skeleton.rest_local[joint], *local = &pose->local[joint];
	bool moves = snw_length3(pose->rotation_vectors + 3 * (size_t)joint) > STILL;
	for (int c = 0; c < 3; c++) {
		moves = moves || fabs(local->translation[c] - rest->translation[c]) > STILL ||
				fabs(local->scale[c] - rest->scale[c]) > STILL;
	}
	return moves;
}

bool snw_pose_has_joints_at_rest(const snw_scene *scene, const snw_pose *pose) {
	uint32_t joint = 0;
	while (joint < scene->skeleton.joint_count && !snw_pose_moves_joint(scene, pose, joint)) {
		joint++;
	}
	return joint == scene->skeleton.joint_count;
}

static void take_joint(snw_pose *pose, const snw_pose *from, uint32_t joint) {
	pose->local[joint] = from->local[joint];
	memcpy(pose->rotation_vectors + 3 * (size_t)joint, from->rotation_vectors + 3 * (size_t)joint, 3 * sizeof(double));
}

snw_pose *snw_pose_combine(const snw_scene *scene, const snw_pose *first, const snw_pose *second, uint32_t count,
						   const uint32_t *theirs, snw_arena *arena) {
	snw_pose *both = copy_unnamed(scene, first, arena);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (!snw_pose_moves_joint(scene, first, j)) {
			take_joint(both, second, j);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		take_joint(both, second, theirs[i]);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		if (fabs(first->channels[c] - scene->channels[c].initial) <= STILL) {
			both->channels[c] = second->channels[c];
		}
	}
	return both;
}

/* ---- base blend ---------------------------------------------------------------------------------------------------------- */

static void add_morphs(const snw_mesh *mesh, const snw_pose_view *pose, double *points) {
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		const snw_morph *morph = &mesh->morphs[m];
		const double amount = pose->channels[morph->channel];
		for (uint32_t i = 0; i < morph->count; i++) {
			for (uint32_t k = 0; k < 3; k++) {
				points[3 * (size_t)morph->points[i] + k] += amount * morph->vectors[3 * (size_t)i + k];
			}
		}
	}
}

static void blend_point(const snw_mesh *mesh, const snw_pose_view *pose, uint32_t point, double p[3]) {
	double sum[3] = {0};
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		double posed[3];
		snw_mat34_point(pose->palette + 12 * (size_t)mesh->influence_slots[i], p, posed);
		for (int k = 0; k < 3; k++) {
			sum[k] += mesh->influence_weights[i] * posed[k];
		}
	}
	memcpy(p, sum, sizeof sum);
}

void snw_blend_points(const snw_scene *scene, uint32_t mesh_index, const snw_pose_view *pose, double *points) {
	const snw_mesh *mesh = &scene->meshes[mesh_index];
	memcpy(points, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *points);
	add_morphs(mesh, pose, points);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double *p = points + 3 * (size_t)i;
		if (mesh->influence_offsets) {
			blend_point(mesh, pose, i, p);
		}
		if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
			memcpy(p, mesh->points_rest + 3 * (size_t)i, 3 * sizeof *p);
		}
	}
}

void snw_example_apply_edited(const snw_example *example, uint32_t point_count, double *points) {
	if (!example->edited) {
		memcpy(points, example->points_posed, 3 * (size_t)point_count * sizeof *points);
	}
	for (uint32_t i = 0; i < example->edited_count; i++) {
		const size_t at = 3 * (size_t)example->edited[i];
		memcpy(points + at, example->points_posed + at, 3 * sizeof *points);
	}
}
