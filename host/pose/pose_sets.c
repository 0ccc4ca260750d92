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

/* At most `most` frames, evenly; named by where they are from. */
static snw_pose **sample_clip(const snw_scene *scene, uint32_t clip, uint32_t most, snw_arena *arena, uint32_t *kept) {
	double *seconds;
	uint32_t count;
	snw_clip_times(scene, clip, arena, &seconds, &count);
	*kept = count < most ? count : most;
	for (uint32_t f = 0; f < *kept; f++) {
		seconds[f] = seconds[(uint64_t)f * count / *kept];
	}
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, *kept);
	snw_pose_sample_series(scene, clip, *kept, seconds, arena, poses);
	for (uint32_t f = 0; f < *kept; f++) {
		poses[f]->name =
			snw_arena_format(arena, "%s, frame %llu", scene->clips[clip].name, (unsigned long long)f * count / *kept);
	}
	return poses;
}

static void add_clip(const choice *c, uint32_t clip, uint32_t most) {
	uint32_t kept;
	snw_pose **poses = sample_clip(c->scene, clip, most, c->arena, &kept);
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

static void copy_joint(const snw_pose *from, size_t joint, snw_pose *to) {
	to->local[joint] = from->local[joint];
	memcpy(to->rotation_vectors + 3 * joint, from->rotation_vectors + 3 * joint, 3 * sizeof *to->rotation_vectors);
}

/* Each joint with its transform in a frame of its own; channels as at rest. */
static void add_shuffled(const snw_scene *scene, snw_arena *arena, uint32_t count, uint64_t seed, snw_pose_set *set) {
	set->count = set->frame_count;
	for (uint32_t i = 0; i < count; i++) {
		snw_pose *pose = snw_pose_rest(scene, arena);
		pose->name = snw_arena_format(arena, "shuffled pose %u", i);
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			copy_joint(set->list[snw_random_next(&seed) % set->frame_count], j, pose);
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

/* The poses of one source of frames at a time are in memory: all clips of a character with many joints would take hundreds of
 * megabytes. */
typedef struct shuffling {
	const snw_scene *scene;
	snw_pose_set *set;
	uint32_t frame_count;
	const uint32_t *draws; /* [shuffled poses][joint_count]: the frame that a joint is from */
	double *reaches;       /* [joint_count]: of a joint that is as at rest in all frames so far; 0 for others */
} shuffling;

/* The frames from `first` on. */
static void take_frames(const shuffling *s, uint32_t first, uint32_t count, snw_pose *const *frames) {
	const size_t joints = s->scene->skeleton.joint_count;
	for (uint32_t f = 0; f < count; f++) {
		for (size_t j = 0; j < joints; j++) {
			const double *vector = frames[f]->rotation_vectors + 3 * j;
			s->reaches[j] = snw_dot3(vector, vector) > 0 ? 0 : s->reaches[j];
		}
	}
	for (uint32_t i = s->set->frame_count; i < s->set->count; i++) {
		const uint32_t *draws = s->draws + (i - s->set->frame_count) * joints;
		for (size_t j = 0; j < joints; j++) {
			if (draws[j] >= first && draws[j] - first < count) {
				copy_joint(frames[draws[j] - first], j, s->set->list[i]);
			}
		}
	}
}

static uint32_t frames_of_clip(const snw_scene *scene, uint32_t clip, uint32_t most) {
	snw_arena *arena = snw_arena_create();
	double *seconds;
	uint32_t count = 0;
	if (snw_clip_moves_joints(&scene->clips[clip])) {
		snw_clip_times(scene, clip, arena, &seconds, &count);
	}
	snw_arena_destroy(arena);
	return count < most ? count : most;
}

static const uint32_t *draw_frames(uint32_t frame_count, size_t draw_count, snw_arena *arena) {
	uint64_t seed = 1;
	uint32_t *draws = SNW_NEW_ARRAY(arena, uint32_t, draw_count);
	for (size_t n = 0; n < draw_count; n++) {
		draws[n] = (uint32_t)(snw_random_next(&seed) % frame_count);
	}
	return draws;
}

static void rotate_at_random(const snw_scene *scene, uint32_t joint, double reach, uint64_t *seed, snw_pose *pose) {
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, q[4];
	for (int c = 0; c < 3; c++) {
		vector[c] = reach * ((double)(snw_random_next(seed) >> 11) / 4503599627370496.0 - 1);
	}
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
}

/* The rest and the named poses are the set's frames; those of clips are only drawn from. */
static void shuffle(shuffling *s, uint32_t most, snw_arena *arena, snw_arena *scratch) {
	const snw_scene *scene = s->scene;
	s->frame_count = s->set->frame_count;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		s->frame_count += frames_of_clip(scene, c, most);
	}
	const size_t shuffled = s->set->count - s->set->frame_count;
	s->draws = draw_frames(s->frame_count, shuffled * scene->skeleton.joint_count, scratch);
	s->reaches = find_reaches(scene, scratch);
	for (uint32_t i = s->set->frame_count; i < s->set->count; i++) {
		s->set->list[i] = snw_pose_rest(scene, arena);
		s->set->list[i]->name = snw_arena_format(arena, "shuffled pose %u", i - s->set->frame_count);
	}
	take_frames(s, 0, s->set->frame_count, s->set->list);
	uint32_t first = s->set->frame_count;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		snw_arena *of_clip = snw_arena_create();
		uint32_t count = frames_of_clip(scene, c, most);
		snw_pose **frames = count > 0 ? sample_clip(scene, c, most, of_clip, &count) : NULL;
		take_frames(s, first, count, frames);
		first += count;
		snw_arena_destroy(of_clip);
	}
}

void snw_pose_set_shuffle(const snw_scene *scene, uint32_t count, snw_arena *arena, snw_pose_set *set) {
	uint64_t seed = 1;
	snw_arena *scratch = snw_arena_create();
	const choice c = {scene, snw_pose_rest(scene, arena), arena, set, set};
	const uint32_t of_clip = MOST_SHUFFLED / (scene->clip_count + 1);
	make_room(arena, scene->pose_count + 1, count, set);
	add_frame(&c, snw_pose_rest(scene, arena), SNW_NONE, false);
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		add_frame(&c, snw_pose_copy(scene, &scene->poses[p], arena), SNW_NONE, false);
	}
	set->count = set->frame_count + count;
	shuffling s = {.scene = scene, .set = set};
	shuffle(&s, of_clip < MOST_FRAMES ? of_clip : MOST_FRAMES, arena, scratch);
	for (uint32_t i = set->frame_count; i < set->count; i++) {
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			if (s.reaches[j] > 0) {
				rotate_at_random(scene, j, s.reaches[j], &seed, set->list[i]);
			}
		}
	}
	snw_arena_destroy(scratch);
}
