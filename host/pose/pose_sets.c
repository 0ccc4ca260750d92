/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/pose.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "file/file.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

/* ---- pose sets ----------------------------------------------------------------------------------------------------------- */

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

/* ---- poses as JSON ------------------------------------------------------------------------------------------------------- */

/* Reads poses of other tools from POSE.json, by joint name. */

typedef struct reader {
	const char *path;
	snw_arena *arena;
	const cJSON *root;
	snw_pose_values *values;
	uint32_t capacity;
	snw_error *error;
} reader;

/* Reads the value of one joint or channel. */
typedef snw_status read_value(reader *r, const char *name, const cJSON *value);

static double *add_value(reader *r, snw_pose_property property, const char *name) {
	snw_pose_values *values = r->values;
	if (values->count == r->capacity) {
		r->capacity = r->capacity > 0 ? 2 * r->capacity : 64;
		snw_pose_value *grown = SNW_NEW_ARRAY(r->arena, snw_pose_value, r->capacity);
		if (values->count > 0) {
			memcpy(grown, values->items, values->count * sizeof *grown);
		}
		values->items = grown;
	}
	snw_pose_value *value = &values->items[values->count++];
	*value = (snw_pose_value){.property = property, .name = snw_arena_text(r->arena, name)};
	return value->numbers;
}

static snw_status read_numbers(reader *r, const char *name, const cJSON *array, int count, double *numbers) {
	if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != count) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of '%s' must be an array of %d numbers", r->path, name, count);
	}
	int i = 0;
	for (const cJSON *item = array->child; item != NULL; item = item->next, i++) {
		if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) {
			return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of '%s' must be an array of %d numbers", r->path, name,
							count);
		}
		numbers[i] = item->valuedouble;
	}
	return SNW_OK;
}

static snw_status read_rotation(reader *r, const char *name, const cJSON *value) {
	double *given = add_value(r, SNW_POSE_ROTATION, name);
	const snw_status status = read_numbers(r, name, value, 4, given);
	if (snw_failed(status)) {
		return status;
	}
	return snw_quat_dot(given, given) > 1e-12
			   ? SNW_OK
			   : snw_fail(r->error, SNW_ERROR_DATA, "%s: the rotation of '%s' has length zero; the identity is 0 0 0 1",
						  r->path, name);
}

static snw_status read_translation(reader *r, const char *name, const cJSON *value) {
	return read_numbers(r, name, value, 3, add_value(r, SNW_POSE_TRANSLATION, name));
}

static snw_status read_channel(reader *r, const char *name, const cJSON *value) {
	if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of channel '%s' must be a number", r->path, name);
	}
	add_value(r, SNW_POSE_CHANNEL, name)[0] = value->valuedouble;
	return SNW_OK;
}

/* Reads a property, by name ({"elbow": …}) or in the order of "joints". */
static snw_status read_property(reader *r, const char *key, read_value *read) {
	const cJSON *property = cJSON_GetObjectItemCaseSensitive(r->root, key);
	if (property == NULL) {
		return SNW_OK;
	}
	snw_status status = SNW_OK;
	if (cJSON_IsObject(property)) {
		for (const cJSON *item = property->child; item != NULL && !snw_failed(status); item = item->next) {
			status = read(r, item->string, item);
		}
		return status;
	}
	const cJSON *joints = cJSON_GetObjectItemCaseSensitive(r->root, "joints");
	if (!cJSON_IsArray(property) || !cJSON_IsArray(joints)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: \"%s\" must map names to values, or be an array beside \"joints\"",
						r->path, key);
	}
	if (cJSON_GetArraySize(property) != cJSON_GetArraySize(joints)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: \"%s\" has %d values, but there are %d \"joints\"", r->path, key,
						cJSON_GetArraySize(property), cJSON_GetArraySize(joints));
	}
	const cJSON *name = joints->child;
	for (const cJSON *item = property->child; item != NULL && !snw_failed(status); item = item->next, name = name->next) {
		if (!cJSON_IsString(name)) {
			return snw_fail(r->error, SNW_ERROR_DATA, "%s: \"joints\" must be an array of names", r->path);
		}
		status = read(r, name->valuestring, item);
	}
	return status;
}

static snw_status read_values(reader *r) {
	if (!cJSON_IsObject(r->root)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: is not a JSON object", r->path);
	}
	static const struct {
		const char *key;
		read_value *read;
	} properties[] = {
		{"local_rotations_xyzw", read_rotation},
		{"translations", read_translation},
		{"channels", read_channel},
	};
	bool any = false;
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		any = any || cJSON_GetObjectItemCaseSensitive(r->root, properties[i].key) != NULL;
		const snw_status status = read_property(r, properties[i].key, properties[i].read);
		if (snw_failed(status)) {
			return status;
		}
	}
	return any ? SNW_OK
			   : snw_fail(r->error, SNW_ERROR_DATA, "%s: no pose in it; \"local_rotations_xyzw\" is required", r->path);
}

snw_status snw_pose_values_read(const char *path, snw_arena *arena, snw_pose_values *values, snw_error *error) {
	snw_bytes bytes;
	snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *root = cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
	if (root == NULL) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: is not JSON", path);
	}
	*values = (snw_pose_values){0};
	reader r = {.path = path, .arena = arena, .root = root, .values = values, .error = error};
	status = read_values(&r);
	cJSON_Delete(root);
	return status;
}

/* ---- applying values ----------------------------------------------------------------------------------------------------- */

/* False if the character has no such joint or channel. */
static bool apply(const snw_scene *scene, const snw_pose_value *value, snw_pose *pose) {
	if (value->property == SNW_POSE_CHANNEL) {
		for (uint32_t i = 0; i < scene->channel_count; i++) {
			if (strcmp(scene->channels[i].name, value->name) == 0) {
				pose->channels[i] = value->numbers[0];
				return true;
			}
		}
		return false;
	}
	const uint32_t joint = snw_scene_find_joint(scene, value->name);
	if (joint != SNW_NONE && value->property == SNW_POSE_TRANSLATION) {
		memcpy(pose->local[joint].translation, value->numbers, sizeof pose->local[joint].translation);
	} else if (joint != SNW_NONE) {
		double rotation[4];
		memcpy(rotation, value->numbers, sizeof rotation);
		snw_quat_normalize(rotation);
		snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, rotation, pose->local[joint].rotation);
	}
	return joint != SNW_NONE;
}

/* Appends a name that the character does not have. */
static const char *list_unknown(const char *names, uint32_t count, const char *name, snw_arena *arena) {
	enum { NAMED = 10 };
	return count == 0       ? name
		   : count < NAMED  ? snw_arena_format(arena, "%s, %s", names, name)
		   : count == NAMED ? snw_arena_format(arena, "%s and others", names)
							: names;
}

snw_status snw_pose_from_values(const snw_scene *scene, const char *path, const snw_pose_values *values, snw_arena *arena,
								snw_pose **pose, snw_error *error) {
	snw_pose *result = snw_pose_rest(scene, arena);
	const char *unknown = NULL;
	uint32_t unknown_count = 0;
	for (uint32_t i = 0; i < values->count; i++) {
		if (!apply(scene, &values->items[i], result)) {
			unknown = list_unknown(unknown, unknown_count++, values->items[i].name, arena);
		}
	}
	if (unknown) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the character has no %s; rename them in the file", path, unknown);
	}
	snw_pose_unwind(scene, result);
	result->name = snw_arena_text(arena, snw_path_name(path));
	*pose = result;
	return SNW_OK;
}

snw_status snw_pose_read_json(const snw_scene *scene, const char *path, snw_arena *arena, snw_pose **pose, snw_error *error) {
	snw_pose_values values;
	const snw_status status = snw_pose_values_read(path, arena, &values, error);
	return snw_failed(status) ? status : snw_pose_from_values(scene, path, &values, arena, pose, error);
}
