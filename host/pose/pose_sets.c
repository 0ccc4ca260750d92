/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/pose_sets.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "pose/clip_times.h"
#include "pose/joint_limits.h"
#include "pose/pose.h"
#include "pose/training_clip.h"
#include "sinew/algebra.h"

/* Frames of a clip beyond this number are passed over evenly. Of each BLOCKS blocks of frames, two are held out. */
enum {
	MOST_FRAMES = 240,
	BLOCKS = 10,
	LEAST_FRAMES = 4,
	FITTED_SHUFFLES = 160,
	HELD_SHUFFLES = 60,
	MOST_RANGE_POSES = 320,
	MOST_SHUFFLED = 4000
};

static const double USUAL_REACH = 1.0471975511965976; /* 60 degrees, of a joint without a limit */
static const double MOST_REACH = 3.0;                 /* radians: half a turn could be one way or the other */

static bool is_held_out(uint32_t frame, uint32_t count) {
	const uint64_t block = (uint64_t)frame * BLOCKS / count;
	return block == 3 || block == 7;
}

typedef struct choice {
	const snw_scene *scene;
	const snw_pose *rest;
	snw_arena *arena;
	snw_pose_set *fitted, *held_out;
} choice;

/* Without the shapes of its channels: they are a layer of their own, which a bake keeps. */
static void add_frame(const choice *c, snw_pose *pose, uint32_t clip, bool held_out) {
	snw_pose_set *set = held_out ? c->held_out : c->fitted;
	memcpy(pose->channels, c->rest->channels, c->scene->channel_count * sizeof *pose->channels);
	set->clips[set->frame_count] = clip;
	set->list[set->frame_count++] = pose;
}

/* Between four and nine frames a block would hold none: every third is held out then. */
static void add_frames(const choice *c, uint32_t count, snw_pose *const *poses, uint32_t clip) {
	for (uint32_t f = 0; f < count; f++) {
		add_frame(c, poses[f], clip, count < BLOCKS ? f % 3 == 1 : is_held_out(f, count));
	}
}

static void add_clip(const choice *c, uint32_t clip, uint32_t most) {
	double *seconds;
	uint32_t count;
	snw_clip_times(c->scene, clip, c->arena, &seconds, &count);
	const uint32_t kept = count < most ? count : most;
	for (uint32_t f = 0; f < kept; f++) {
		seconds[f] = seconds[(uint64_t)f * count / kept];
	}
	snw_pose **poses = SNW_NEW_ARRAY(c->arena, snw_pose *, kept);
	snw_pose_sample_series(c->scene, clip, kept, seconds, c->arena, poses);
	for (uint32_t f = 0; f < kept; f++) {
		poses[f]->name =
			snw_arena_format(c->arena, "%s, frame %llu", c->scene->clips[clip].name, (unsigned long long)f * count / kept);
	}
	add_frames(c, kept, poses, clip);
}

/* [joint_count]: joints that move points, and those above them. */
static bool *find_moving(const snw_scene *scene, snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	bool *moves = SNW_NEW_ARRAY(arena, bool, skeleton->joint_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t k = 0; mesh->influence_offsets && k < mesh->influence_offsets[mesh->point_count]; k++) {
			bool *joint = &moves[scene->slot_joints[mesh->influence_slots[k]]];
			*joint = *joint || mesh->influence_weights[k] > 0;
		}
	}
	for (uint32_t i = skeleton->joint_count; i-- > 0;) { /* children come after their parents */
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		if (parent != SNW_NONE && moves[joint]) {
			moves[parent] = true;
		}
	}
	return moves;
}

/* [joint_count]: how far a joint is turned from rest, radians; 0 for those that change no shape, as roots do not. */
static double *find_reaches(const snw_scene *scene, snw_arena *arena) {
	const bool *moves = find_moving(scene, arena);
	double *reaches = SNW_NEW_ARRAY(arena, double, scene->skeleton.joint_count);
	for (uint32_t joint = 0; joint < scene->skeleton.joint_count; joint++) {
		const double limit = snw_joint_limit(scene, joint);
		if (moves[joint] && scene->skeleton.parents[joint] != SNW_NONE) {
			reaches[joint] = isfinite(limit) ? fmin(limit, MOST_REACH) : USUAL_REACH;
		}
	}
	return reaches;
}

/* Each joint with its transform in a frame of its own; channels as at rest. */
static void add_shuffled(const snw_scene *scene, snw_arena *arena, uint32_t count, uint64_t seed, snw_pose_set *set) {
	set->count = set->frame_count;
	for (uint32_t i = 0; i < count; i++) {
		snw_pose *pose = snw_pose_rest(scene, arena);
		pose->name = snw_arena_format(arena, "shuffled pose %u", i);
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			const snw_pose *from = set->list[snw_random_next(&seed) % set->frame_count];
			pose->local[j] = from->local[j];
			memcpy(pose->rotation_vectors + 3 * (size_t)j, from->rotation_vectors + 3 * (size_t)j,
				   3 * sizeof *pose->rotation_vectors);
		}
		set->list[set->count++] = pose;
	}
}

static void make_room(snw_arena *arena, uint32_t frames, uint32_t shuffles, snw_pose_set *set) {
	*set = (snw_pose_set){.list = SNW_NEW_ARRAY(arena, snw_pose *, (size_t)frames + shuffles),
						  .clips = SNW_NEW_ARRAY(arena, uint32_t, frames)};
}

bool snw_clip_moves_joints(const snw_clip *clip) {
	bool moves = false;
	for (uint32_t t = 0; t < clip->track_count; t++) {
		moves = moves || clip->tracks[t].path != SNW_PATH_CHANNEL;
	}
	return moves;
}

/* Frames of other clips would all be the rest, which is easy to meet. */
static snw_status check_clips(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_error *error) {
	for (uint32_t i = 0; i < clip_count; i++) {
		if (!snw_clip_moves_joints(&scene->clips[clips[i]])) {
			return snw_fail(error, SNW_ERROR_MISSING,
							"clip '%s' moves no joint, and a bake leaves the shapes that come with the character as they are; "
							"name other clips",
							scene->clips[clips[i]].name);
		}
	}
	return SNW_OK;
}

snw_status snw_pose_sets_choose(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena,
								snw_pose_set *fitted, snw_pose_set *held_out, snw_error *error) {
	const uint32_t most = clip_count * MOST_FRAMES + scene->pose_count;
	const choice c = {scene, snw_pose_rest(scene, arena), arena, fitted, held_out};
	const snw_status status = check_clips(scene, clip_count, clips, error);
	if (snw_failed(status)) {
		return status;
	}
	make_room(arena, most, FITTED_SHUFFLES, fitted);
	make_room(arena, most, HELD_SHUFFLES, held_out);
	for (uint32_t i = 0; i < clip_count; i++) {
		add_clip(&c, clips[i], MOST_FRAMES);
	}
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, scene->pose_count);
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		poses[p] = snw_pose_copy(scene, &scene->poses[p], arena);
	}
	if (clip_count == 0) {
		add_frames(&c, scene->pose_count, poses, SNW_NONE);
	}
	if (fitted->frame_count + held_out->frame_count < LEAST_FRAMES || held_out->frame_count == 0) {
		const uint32_t count = fitted->frame_count + held_out->frame_count;
		return snw_fail(
			error, SNW_ERROR_MISSING,
			"the %s %u %s, too few to fit a skin to and to measure it elsewhere; import a clip of %d frames or more, or "
			"pose the character with 'sinew pose'",
			clip_count > 0 ? "clips have" : "project has no clip, and", count,
			clip_count > 0 ? (count == 1 ? "frame" : "frames") : (count == 1 ? "pose" : "poses"), LEAST_FRAMES);
	}
	add_shuffled(scene, arena, FITTED_SHUFFLES, 16, fitted);
	add_shuffled(scene, arena, HELD_SHUFFLES, 61, held_out);
	return SNW_OK;
}

/* ---- the range of motion ------------------------------------------------------------------------------------------------- */

void snw_pose_set_range_of_motion(const snw_scene *scene, snw_arena *arena, snw_pose_set *set) {
	const double *reaches = find_reaches(scene, arena);
	snw_training_range *ranges = SNW_NEW_ARRAY(arena, snw_training_range, scene->skeleton.joint_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->skeleton.joint_count; i++) {
		const uint32_t joint = scene->skeleton.order[i];
		const double reach = reaches[joint];
		if (reach > 0) {
			ranges[count++] =
				(snw_training_range){.joint = joint, .least = {-reach, -reach, -reach}, .most = {reach, reach, reach}};
		}
	}
	const snw_training_clip ends = snw_training_range_ends(scene, count, ranges, arena);
	*set = (snw_pose_set){.count = ends.pose_count < MOST_RANGE_POSES ? ends.pose_count : MOST_RANGE_POSES, .list = ends.poses};
	for (uint32_t i = 0; i < set->count; i++) {
		set->list[i] = ends.poses[(uint64_t)i * ends.pose_count / set->count];
	}
}

/* ---- any pose ------------------------------------------------------------------------------------------------------------ */

/* [joint_count]: how far a joint may turn that is as at rest in all frames of the set; 0 for others. */
static const double *reaches_of_still(const snw_scene *scene, const snw_pose_set *set, snw_arena *arena) {
	double *reaches = find_reaches(scene, arena);
	for (uint32_t f = 0; f < set->frame_count; f++) {
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			const double *vector = set->list[f]->rotation_vectors + 3 * (size_t)j;
			reaches[j] = snw_dot3(vector, vector) > 0 ? 0 : reaches[j];
		}
	}
	return reaches;
}

static void rotate_at_random(const snw_scene *scene, uint32_t joint, double reach, uint64_t *seed, snw_pose *pose) {
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, q[4];
	for (int c = 0; c < 3; c++) {
		vector[c] = reach * ((double)(snw_random_next(seed) >> 11) / 4503599627370496.0 - 1);
	}
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
}

void snw_pose_set_shuffle(const snw_scene *scene, uint32_t count, snw_arena *arena, snw_pose_set *set) {
	uint64_t seed = 1;
	const choice c = {scene, snw_pose_rest(scene, arena), arena, set, set};
	const uint32_t of_clip = MOST_SHUFFLED / (scene->clip_count + 1);
	make_room(arena, scene->clip_count * MOST_FRAMES + scene->pose_count + 1, count, set);
	add_frame(&c, snw_pose_rest(scene, arena), SNW_NONE, false);
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		add_frame(&c, snw_pose_copy(scene, &scene->poses[p], arena), SNW_NONE, false);
	}
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		if (snw_clip_moves_joints(&scene->clips[i])) {
			add_clip(&c, i, of_clip < MOST_FRAMES ? of_clip : MOST_FRAMES);
		}
	}
	add_shuffled(scene, arena, count, seed, set);
	const double *reaches = reaches_of_still(scene, set, arena);
	for (uint32_t i = set->frame_count; i < set->count; i++) {
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			if (reaches[j] > 0) {
				rotate_at_random(scene, j, reaches[j], &seed, set->list[i]);
			}
		}
	}
}
