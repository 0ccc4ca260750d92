/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BVH: a skeleton and one clip, as motion capture writes them. It has no mesh, so it is read for its clip alone.
 *
 * Rotations are about the axes in the order of the channels, first the outermost. A position replaces the joint's offset, as
 * Blender writes and reads it. At rest no joint rotates; a root without an offset rests where the lowest end of the skeleton is
 * on the ground. A BVH has no unit: lengths are taken as they are.
 */
#include "import/import.h"

#include <math.h>
#include <string.h>

#include "file/file.h"
#include "import/common/reading.h"
#include "sinew/algebra.h"

enum { MOST_CHANNELS = 6 };

static const char *const channel_names[MOST_CHANNELS] = {"Xposition", "Yposition", "Zposition",
														 "Xrotation", "Yrotation", "Zrotation"};

typedef struct joint {
	char *name;
	uint32_t parent;
	double offset[3];
	double lowest_end; /* height of its lowest end above it, at most 0 */
	uint32_t channel_count;
	int channels[MOST_CHANNELS]; /* into channel_names */
	uint32_t first_channel;      /* in a frame */
	bool has_position, has_rotation;
} joint;

typedef struct bvh_reader {
	snw_reading reading;
	snw_text_lines text;
	joint *joints;
	uint32_t joint_count, joint_room;
	uint32_t channel_count; /* of all joints */
	uint32_t frame_count;
	double frame_seconds;
	double *values; /* [frame_count][channel_count] */
} bvh_reader;

/* ---- words --------------------------------------------------------------------------------------------------------------- */

/* The next word, on this line or a later one. */
static bool next_word(bvh_reader *r, const char **word, size_t *length) {
	while (!snw_text_word(&r->text, word, length)) {
		if (r->text.at >= r->text.end) {
			return false;
		}
		snw_text_next_line(&r->text);
	}
	return true;
}

static bool is_word(const char *word, size_t length, const char *expected) {
	return length == strlen(expected) && strncasecmp(word, expected, length) == 0;
}

static bool expect_word(bvh_reader *r, const char *expected) {
	const char *word;
	size_t length;
	if (next_word(r, &word, &length) && is_word(word, length, expected)) {
		return true;
	}
	return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "line %u: expected '%s'; the file is damaged", r->text.line, expected);
}

static bool next_number(bvh_reader *r, double *number) {
	while (!snw_text_number(&r->text, number)) {
		if (!snw_text_line_done(&r->text) || r->text.at >= r->text.end) {
			return false;
		}
		snw_text_next_line(&r->text);
	}
	return fabs(*number) <= 1e9;
}

/* A word that ends with a colon, which its number may follow without a blank. */
static bool expect_label(bvh_reader *r, const char *label) {
	const char *word;
	size_t length;
	const bool found = next_word(r, &word, &length) && length >= strlen(label) && strncasecmp(word, label, strlen(label)) == 0;
	if (found) {
		r->text.at = word + strlen(label);
	}
	return found ||
		   snw_reading_fail(&r->reading, SNW_ERROR_DATA, "line %u: expected '%s'; the file is damaged", r->text.line, label);
}

static bool expect_number(bvh_reader *r, double *number) {
	return next_number(r, number) ||
		   snw_reading_fail(&r->reading, SNW_ERROR_DATA, "line %u: expected a number; the file is damaged or cut short",
							r->text.line);
}

/* ---- the skeleton -------------------------------------------------------------------------------------------------------- */

/* The rest of the line up to a brace. It is read too, then *is_open. */
static char *read_name(bvh_reader *r, bool *is_open) {
	(void)snw_text_line_done(&r->text);
	const char *start = r->text.at;
	char *name = snw_text_rest(&r->text, r->reading.scratch);
	size_t length = strcspn(name, "{");
	*is_open = name[length] == '{';
	if (*is_open) {
		r->text.at = start + length + 1;
	}
	while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t')) {
		length--;
	}
	name[length] = '\0';
	return name;
}

static bool add_joint(bvh_reader *r, uint32_t parent) {
	if (!snw_reading_check_size(&r->reading, r->joint_count + 1, 0)) {
		return false;
	}
	if (r->joint_count == r->joint_room) {
		r->joint_room = r->joint_room ? 2 * r->joint_room : 64;
		joint *grown = SNW_NEW_ARRAY(r->reading.scratch, joint, r->joint_room);
		if (r->joint_count > 0) {
			memcpy(grown, r->joints, r->joint_count * sizeof *grown);
		}
		r->joints = grown;
	}
	bool is_open;
	r->joints[r->joint_count++] = (joint){.name = read_name(r, &is_open), .parent = parent};
	return is_open || expect_word(r, "{");
}

static bool read_offset(bvh_reader *r, double offset[3]) {
	return expect_number(r, &offset[0]) && expect_number(r, &offset[1]) && expect_number(r, &offset[2]);
}

static bool read_channel(bvh_reader *r, joint *j) {
	const char *word;
	size_t length;
	int channel = 0;
	if (!next_word(r, &word, &length)) {
		return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "line %u: a channel is missing; the file is cut short",
								r->text.line);
	}
	while (channel < MOST_CHANNELS && !is_word(word, length, channel_names[channel])) {
		channel++;
	}
	if (channel == MOST_CHANNELS) {
		return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "line %u: unknown channel '%.*s'; the file is damaged",
								r->text.line, (int)fmin((double)length, 40), word);
	}
	j->channels[j->channel_count++] = channel;
	j->has_position |= channel < 3;
	j->has_rotation |= channel >= 3;
	return true;
}

static bool read_channels(bvh_reader *r, joint *j) {
	double count;
	if (!expect_number(r, &count)) {
		return false;
	}
	if (!(count >= 0 && count <= MOST_CHANNELS) || j->channel_count > 0) {
		return snw_reading_fail(
			&r->reading, SNW_ERROR_DATA,
			"line %u: a joint has one list of at most %d channels; this is a list of %g%s; the file is damaged", r->text.line,
			MOST_CHANNELS, count, j->channel_count > 0 ? " after another" : "");
	}
	j->first_channel = r->channel_count;
	for (int c = 0; c < (int)count; c++) {
		if (!read_channel(r, j)) {
			return false;
		}
	}
	r->channel_count += j->channel_count;
	return true;
}

/* An end of a limb is no joint; it only says where the ground is. Some files say that it has no channels. */
static bool read_end(bvh_reader *r, uint32_t parent) {
	const char *word;
	size_t length;
	double offset[3];
	bool is_open;
	(void)read_name(r, &is_open);
	if ((!is_open && !expect_word(r, "{")) || !expect_word(r, "OFFSET") || !read_offset(r, offset)) {
		return false;
	}
	const snw_text_lines behind = r->text;
	if (next_word(r, &word, &length) && is_word(word, length, "CHANNELS")) {
		(void)expect_word(r, "0");
	} else {
		r->text = behind;
	}
	r->joints[parent].lowest_end = fmin(r->joints[parent].lowest_end, offset[1]);
	return !snw_failed(r->reading.status) && expect_word(r, "}");
}

/* One word of a joint's block and what belongs to it. `current` is the joint, SNW_NONE outside of all. */
static bool read_block_word(bvh_reader *r, const char *word, size_t length, uint32_t *current) {
	joint *j = *current == SNW_NONE ? NULL : &r->joints[*current];
	if (is_word(word, length, j ? "JOINT" : "ROOT")) {
		const uint32_t parent = *current;
		*current = r->joint_count;
		return add_joint(r, parent);
	}
	if (j && is_word(word, length, "End")) {
		return read_end(r, *current);
	}
	if (j && is_word(word, length, "OFFSET")) {
		return read_offset(r, j->offset);
	}
	if (j && is_word(word, length, "CHANNELS")) {
		return read_channels(r, j);
	}
	if (j && is_word(word, length, "}")) {
		*current = j->parent;
		return true;
	}
	return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "line %u: unexpected '%.*s'; the file is damaged", r->text.line,
							(int)fmin((double)length, 40), word);
}

static bool read_skeleton(bvh_reader *r) {
	const char *word;
	size_t length;
	uint32_t current = SNW_NONE;
	if (!expect_word(r, "HIERARCHY")) {
		return false;
	}
	while (next_word(r, &word, &length)) {
		if (current == SNW_NONE && is_word(word, length, "MOTION")) {
			return r->joint_count > 0 || snw_reading_fail(&r->reading, SNW_ERROR_DATA, "no joints; the file is damaged");
		}
		if (!read_block_word(r, word, length, &current)) {
			return false;
		}
	}
	return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "no 'MOTION' after the joints; the file is cut short");
}

/* ---- the frames ---------------------------------------------------------------------------------------------------------- */

static bool read_frames(bvh_reader *r) {
	double count, seconds;
	if (!expect_label(r, "Frames:") || !expect_number(r, &count) || !expect_word(r, "Frame") || !expect_label(r, "Time:") ||
		!expect_number(r, &seconds)) {
		return false;
	}
	const double values = count * r->channel_count;
	if (!(count >= 1) || count != floor(count)) {
		return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "'Frames:' is %g, and has to be a whole number from 1 on", count);
	}
	if (!(seconds > 0)) {
		return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "'Frame Time:' is %g s, and has to be more than 0", seconds);
	}
	if (r->channel_count == 0) {
		return snw_reading_fail(&r->reading, SNW_ERROR_DATA, "no joint has channels, so there is no motion");
	}
	if (2 * values > (double)(r->text.end - r->text.at) + 2) {
		return snw_reading_fail(&r->reading, SNW_ERROR_DATA,
								"the file says that it has %.0f numbers of motion, but is shorter than that; it is cut short",
								values);
	}
	r->frame_count = (uint32_t)count;
	r->frame_seconds = seconds;
	if (!snw_reading_reserve(&r->reading, (uint64_t)values, sizeof(double))) {
		return false;
	}
	r->values = SNW_NEW_ARRAY(r->reading.scratch, double, (size_t)values);
	for (uint32_t f = 0; f < r->frame_count; f++) {
		for (uint32_t c = 0; c < r->channel_count; c++) {
			if (!next_number(r, &r->values[(size_t)f * r->channel_count + c])) {
				return snw_reading_fail(&r->reading, SNW_ERROR_DATA,
										"line %u: frame %u of %u is not whole; the file is damaged or cut short", r->text.line,
										f, r->frame_count);
			}
		}
	}
	const char *word;
	size_t length;
	if (next_word(r, &word, &length)) {
		snw_task_notice(r->reading.task, SNW_LOG_WARNING, "%s: 'Frames:' is %u; what follows from line %u on is left out",
						snw_path_name(r->reading.path), r->frame_count, r->text.line);
	}
	return true;
}

/* ---- the scene ----------------------------------------------------------------------------------------------------------- */

/* The height of the lowest joint or end at rest, where roots stand at their offsets. */
static double lowest_at_rest(const bvh_reader *r) {
	double *heights = SNW_NEW_ARRAY(r->reading.scratch, double, r->joint_count), lowest = INFINITY;
	for (uint32_t i = 0; i < r->joint_count; i++) {
		const joint *j = &r->joints[i];
		heights[i] = j->offset[1] + (j->parent == SNW_NONE ? 0 : heights[j->parent]);
		lowest = fmin(lowest, heights[i] + j->lowest_end);
	}
	return lowest;
}

static bool make_skeleton(bvh_reader *r, snw_scene *scene) {
	const double lowest = lowest_at_rest(r);
	snw_rig rig = {.scratch = r->reading.scratch, .arena = scene->arena, .task = r->reading.task};
	const char **names = SNW_NEW_ARRAY(r->reading.scratch, const char *, r->joint_count);
	bool *chosen = SNW_NEW_ARRAY(r->reading.scratch, bool, r->joint_count);
	snw_rig_begin(&rig, r->joint_count);
	for (uint32_t i = 0; i < r->joint_count; i++) {
		const joint *j = &r->joints[i];
		const bool is_at_origin = j->parent == SNW_NONE && snw_length3(j->offset) == 0;
		rig.nodes[i].parent = j->parent;
		rig.nodes[i].local = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		memcpy(rig.nodes[i].local.translation, j->offset, sizeof j->offset);
		rig.nodes[i].local.translation[1] -= is_at_origin ? lowest : 0;
		names[i] = snw_name_clean(scene->arena, j->name, r->reading.task);
		chosen[i] = true;
	}
	snw_rig_order(&rig);
	snw_rig_solve(&rig);
	snw_rig_choose_joints(&rig, chosen, names, scene);
	snw_error error = {0};
	const snw_status status = snw_rig_rest(&rig, scene, &error);
	if (snw_failed(status)) {
		return snw_reading_fail(&r->reading, status, "%s", error.text);
	}
	snw_rig_poses(&rig, scene);
	return true;
}

static void rotation_at(const joint *j, const double *values, double rotation[4]) {
	memcpy(rotation, (const double[4]){0, 0, 0, 1}, 4 * sizeof *rotation);
	for (uint32_t c = 0; c < j->channel_count; c++) {
		if (j->channels[c] >= 3) {
			const double half = values[c] * (M_PI / 360);
			double about_axis[4] = {0, 0, 0, cos(half)};
			about_axis[j->channels[c] - 3] = sin(half);
			snw_quat_multiply(rotation, about_axis, rotation);
		}
	}
	snw_quat_normalize(rotation);
}

static void position_at(const joint *j, const double *values, double position[3]) {
	memcpy(position, j->offset, sizeof j->offset);
	for (uint32_t c = 0; c < j->channel_count; c++) {
		if (j->channels[c] < 3) {
			position[j->channels[c]] = values[c];
		}
	}
}

static void add_track(const bvh_reader *r, uint32_t index, int32_t path, const double *seconds, snw_arena *arena,
					  snw_clip *clip, snw_track *tracks) {
	const joint *j = &r->joints[index];
	const size_t width = path == SNW_PATH_ROTATION ? 4 : 3;
	double *keys = SNW_NEW_ARRAY(arena, double, width * r->frame_count);
	for (size_t f = 0; f < r->frame_count; f++) {
		const double *values = r->values + f * r->channel_count + j->first_channel;
		(path == SNW_PATH_ROTATION ? rotation_at : position_at)(j, values, keys + width * f);
	}
	tracks[clip->track_count++] = (snw_track){.target = index,
											  .path = path,
											  .interpolation = SNW_LINEAR,
											  .key_count = r->frame_count,
											  .seconds = seconds,
											  .values = keys};
}

static bool make_clip(bvh_reader *r, snw_scene *scene) {
	snw_arena *arena = scene->arena;
	const char *file = snw_path_name(r->reading.path);
	const size_t stem = strcspn(file, ".");
	if (!snw_reading_reserve(&r->reading, (uint64_t)r->frame_count * r->joint_count, 7 * sizeof(double))) {
		return false;
	}
	double *seconds = SNW_NEW_ARRAY(arena, double, r->frame_count);
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, 2 * (size_t)r->joint_count);
	snw_clip *clip = SNW_NEW(arena, snw_clip);
	for (uint32_t f = 0; f < r->frame_count; f++) {
		seconds[f] = f * r->frame_seconds;
	}
	const char *name = snw_name_clean(arena, snw_arena_format(r->reading.scratch, "%.*s", (int)stem, file), NULL);
	*clip = (snw_clip){.name = name ? name : "clip", .duration_seconds = seconds[r->frame_count - 1], .tracks = tracks};
	for (uint32_t i = 0; i < r->joint_count; i++) {
		if (r->joints[i].has_position) {
			add_track(r, i, SNW_PATH_TRANSLATION, seconds, arena, clip, tracks);
		}
		if (r->joints[i].has_rotation) {
			add_track(r, i, SNW_PATH_ROTATION, seconds, arena, clip, tracks);
		}
	}
	scene->clips = clip;
	scene->clip_count = 1;
	return true;
}

static bool read_scene(bvh_reader *r, snw_scene *scene) {
	snw_bytes bytes;
	r->reading.status = snw_file_read(r->reading.path, r->reading.scratch, &bytes, r->reading.error);
	if (snw_failed(r->reading.status)) {
		return false;
	}
	snw_reading_add_file(&r->reading, bytes.count);
	r->text = snw_text_start(bytes);
	return snw_reading_progress(&r->reading, 0, "reading") && read_skeleton(r) && read_frames(r) && make_skeleton(r, scene) &&
		   make_clip(r, scene);
}

static snw_status read_bvh(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
						   snw_error *error) {
	(void)request;
	bvh_reader r = {.reading = snw_reading_begin(path, task, scene, error)};
	read_scene(&r, scene);
	snw_reading_end(&r.reading);
	return r.reading.status;
}

static bool is_bvh(const char *path, const unsigned char *head, size_t head_count) {
	static const char magic[] = "HIERARCHY";
	return (head_count >= sizeof magic && memcmp(head, magic, sizeof magic - 1) == 0) || snw_path_has_extension(path, "bvh");
}

const snw_import_format snw_import_bvh = {
	.file = {.extensions = "bvh", .label = "BVH", .holds = SNW_FILE_ANIMATION},
	.recognizes = is_bvh,
	.read = read_bvh,
};
