/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs joints, first by name, and mirrors poses.
 */
#include "pose/pose.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "sinew/algebra.h"

static const double JOINT_TOLERANCE = 1e-2; /* of the skeleton's diagonal */

/* ---- names --------------------------------------------------------------------------------------------------------------- */

static const char *const sides[][2] = {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"},
									   {"l", "r"},        {"L", "R"},        {"左", "右"}};

/* Whether the text at `at` is a separate word: delimited on both sides by a separator, or by a capital that begins a word. */
static bool is_separate_word(const char *name, size_t at, size_t length) {
	const unsigned char before = at > 0 ? (unsigned char)name[at - 1] : 0, first = (unsigned char)name[at];
	const unsigned char last = (unsigned char)name[at + length - 1], after = (unsigned char)name[at + length];
	const bool capital = isupper(first) && (length == 1 || islower(last));
	const bool begins = !isalpha(before) || (capital && islower(before));
	const bool ends = !isalpha(after) || (islower(last) && isupper(after));
	return begins && ends;
}

/* The word for a side that begins here, and the one for the other side; 0 if there is none, otherwise its length. */
static size_t side_at(const char *name, size_t at, const char **other) {
	for (size_t w = 0; w < 2 * sizeof sides / sizeof *sides; w++) {
		const char *word = sides[w / 2][w % 2];
		const size_t count = strlen(word);
		if (strncmp(name + at, word, count) == 0 && is_separate_word(name, at, count)) {
			*other = sides[w / 2][1 - w % 2];
			return count;
		}
	}
	return 0;
}

/* The `index`-th way to exchange a side in a name; NULL if there are fewer. */
static char *exchange_side(const char *name, uint32_t index, snw_arena *arena) {
	const size_t length = strlen(name);
	for (size_t at = 0; at < length; at++) {
		const char *other;
		const size_t count = side_at(name, at, &other);
		if (count > 0 && index-- == 0) {
			return snw_arena_format(arena, "%.*s%s%s", (int)at, name, other, name + at + count);
		}
	}
	return NULL;
}

char *snw_mirror_name(const char *name, snw_arena *arena) {
	const size_t length = strlen(name);
	char *mirrored = NULL;
	for (size_t at = 0, behind = 0; at < length; at++) { /* behind: the end of the last side */
		const char *other;
		const size_t count = side_at(name, at, &other);
		if (count > 0) {
			const char *before = mirrored ? mirrored : "";
			mirrored = snw_arena_format(arena, "%s%.*s%s", before, (int)(at - behind), name + behind, other);
			behind = at + count;
			at = behind - 1;
		}
		if (mirrored && at + 1 == length) {
			mirrored = snw_arena_format(arena, "%s%s", mirrored, name + behind);
		}
	}
	return mirrored;
}

/* ---- pairs of joints ----------------------------------------------------------------------------------------------------- */

static const double *rest_matrix(const snw_skeleton *skeleton, uint32_t joint) {
	return skeleton->rest_global + 12 * (size_t)joint;
}

static double joint_distance(const snw_mirror_plane *plane, const snw_skeleton *skeleton, uint32_t a, uint32_t b) {
	const double *m = rest_matrix(skeleton, a), *n = rest_matrix(skeleton, b);
	double reflected[3];
	snw_mirror_reflect(plane, (double[]){m[3], m[7], m[11]}, reflected);
	return snw_length3((double[]){reflected[0] - n[3], reflected[1] - n[7], reflected[2] - n[11]});
}

static void pair_by_name(const snw_scene *scene, uint32_t *partners, snw_mirror_joints *joints) {
	snw_arena *scratch = snw_arena_create();
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const char *other;
		for (uint32_t way = 0; partners[j] == SNW_NONE && (other = exchange_side(scene->skeleton.names[j], way, scratch));
			 way++) {
			const uint32_t found = snw_scene_find_joint(scene, other);
			if (found != SNW_NONE && found != j && partners[found] == SNW_NONE) {
				partners[j] = found;
				partners[found] = j;
				joints->named_count += 2;
			}
		}
	}
	snw_arena_destroy(scratch);
}

/* The unpaired joint nearest to the reflection. The joint itself wins ties. */
static uint32_t nearest_joint(const snw_skeleton *skeleton, const snw_mirror_plane *plane, const uint32_t *partners,
							  uint32_t joint, double tolerance) {
	uint32_t nearest = SNW_NONE;
	double least = tolerance;
	for (uint32_t i = 0; i <= skeleton->joint_count; i++) {
		const uint32_t other = i == 0 ? joint : i - 1;
		const double d = partners[other] == SNW_NONE ? joint_distance(plane, skeleton, joint, other) : 2 * tolerance;
		if (d < least || (d == least && nearest == SNW_NONE)) {
			least = d;
			nearest = other;
		}
	}
	return nearest;
}

static void pair_by_position(const snw_scene *scene, const snw_mirror_plane *plane, double tolerance, uint32_t *partners,
							 snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	uint32_t *nearest = SNW_NEW_ARRAY(arena, uint32_t, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		nearest[j] = partners[j] == SNW_NONE ? nearest_joint(skeleton, plane, partners, j, tolerance) : SNW_NONE;
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (nearest[j] != SNW_NONE && nearest[nearest[j]] == j) {
			partners[j] = nearest[j];
		}
	}
}

static double skeleton_diagonal(const snw_skeleton *skeleton) {
	snw_box box = snw_box_empty();
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const double *m = rest_matrix(skeleton, j);
		snw_box_add(&box, (const double[3]){m[3], m[7], m[11]});
	}
	return snw_box_diagonal(&box);
}

static void pair_channels(const snw_scene *scene, uint32_t *channels) {
	snw_arena *scratch = snw_arena_create();
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		const char *other;
		channels[c] = c;
		for (uint32_t way = 0; channels[c] == c && (other = exchange_side(scene->channels[c].name, way, scratch)); way++) {
			for (uint32_t k = 0; k < scene->channel_count; k++) {
				channels[c] = strcmp(scene->channels[k].name, other) == 0 ? k : channels[c];
			}
		}
	}
	snw_arena_destroy(scratch);
}

void snw_mirror_joints_find(const snw_scene *scene, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
							snw_mirror_joints *joints) {
	const snw_skeleton *skeleton = &scene->skeleton;
	uint32_t *partners = SNW_NEW_ARRAY(arena, uint32_t, skeleton->joint_count);
	uint32_t *channels = SNW_NEW_ARRAY(arena, uint32_t, scene->channel_count);
	*joints = (snw_mirror_joints){.plane = *plane,
								  .joint_count = skeleton->joint_count,
								  .channel_count = scene->channel_count,
								  .partners = partners,
								  .channels = channels,
								  .worst_joint = SNW_NONE};
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		partners[j] = SNW_NONE;
	}
	pair_by_name(scene, partners, joints);
	if (skeleton->joint_count > 0) {
		const double reach = tolerance > 0 ? tolerance : JOINT_TOLERANCE * skeleton_diagonal(skeleton);
		pair_by_position(scene, plane, fmax(reach, 1e-9), partners, arena);
	}
	pair_channels(scene, channels);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		joints->unpaired_count += partners[j] == SNW_NONE;
		joints->middle_count += partners[j] == j;
		joints->pair_count += partners[j] != SNW_NONE && partners[j] > j;
		const double mismatch = partners[j] == SNW_NONE ? -1 : joint_distance(plane, skeleton, j, partners[j]);
		if (mismatch >= 0 && (joints->worst_joint == SNW_NONE || mismatch > joints->largest_mismatch)) {
			joints->largest_mismatch = mismatch;
			joints->worst_joint = j;
		}
	}
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* The rest axes of a joint in the character's space. */
static void rest_axes(const snw_skeleton *skeleton, uint32_t joint, double axes[9]) {
	if (joint == SNW_NONE) {
		memcpy(axes, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *axes);
	} else {
		snw_mat34_rotation(rest_matrix(skeleton, joint), axes);
	}
}

static void rotate_to_character(const double axes[9], const double v[3], double dest[3]) {
	const double x = v[0], y = v[1], z = v[2];
	for (int r = 0; r < 3; r++) {
		dest[r] = axes[3 * r] * x + axes[3 * r + 1] * y + axes[3 * r + 2] * z;
	}
}

static void rotate_to_joint(const double axes[9], const double v[3], double dest[3]) {
	const double x = v[0], y = v[1], z = v[2];
	for (int c = 0; c < 3; c++) {
		dest[c] = axes[c] * x + axes[3 + c] * y + axes[6 + c] * z;
	}
}

/* A rotation vector is an axial vector: its reflection is −R v. */
static void mirror_rotation(const snw_skeleton *skeleton, uint32_t axis, uint32_t from, uint32_t to, const double vector[3],
							double mirrored[3]) {
	double axes[9], v[3];
	rest_axes(skeleton, from, axes);
	rotate_to_character(axes, vector, v);
	for (uint32_t i = 0; i < 3; i++) {
		v[i] = i == axis ? v[i] : -v[i];
	}
	rest_axes(skeleton, to, axes);
	rotate_to_joint(axes, v, mirrored);
}

/* Mirrors the translation from rest, which is in the parent's axes. */
static void mirror_translation(const snw_skeleton *skeleton, uint32_t axis, uint32_t from, uint32_t to,
							   const snw_transform *local, double translation[3]) {
	double axes[9], v[3];
	for (int i = 0; i < 3; i++) {
		v[i] = local->translation[i] - skeleton->rest_local[from].translation[i];
	}
	rest_axes(skeleton, skeleton->parents[from], axes);
	rotate_to_character(axes, v, v);
	v[axis] = -v[axis];
	rest_axes(skeleton, skeleton->parents[to], axes);
	rotate_to_joint(axes, v, v);
	for (int i = 0; i < 3; i++) {
		translation[i] = skeleton->rest_local[to].translation[i] + v[i];
	}
}

/* Mirrors the scale relative to rest, along the partner's axes that are parallel to the reflected ones. */
static void mirror_scale(const snw_skeleton *skeleton, uint32_t axis, uint32_t from, uint32_t to, const snw_transform *local,
						 double scale[3]) {
	double axes[9], other[9];
	rest_axes(skeleton, from, axes);
	rest_axes(skeleton, to, other);
	for (int k = 0; k < 3; k++) {
		double factor = 0;
		for (int c = 0; c < 3; c++) {
			double along = 0;
			for (uint32_t r = 0; r < 3; r++) {
				along += (r == axis ? -1 : 1) * axes[3 * r + c] * other[3 * r + k];
			}
			const double rest = skeleton->rest_local[from].scale[c];
			factor += along * along * (rest != 0 ? local->scale[c] / rest : 1);
		}
		scale[k] = skeleton->rest_local[to].scale[k] * factor;
	}
}

snw_pose *snw_mirror_pose(const snw_scene *scene, const snw_mirror_joints *joints, const snw_pose *pose, snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	const uint32_t axis = joints->plane.axis;
	snw_pose *mirrored = snw_pose_rest(scene, arena);
	mirrored->name = NULL;
	for (uint32_t from = 0; from < skeleton->joint_count; from++) {
		const uint32_t to = joints->partners[from];
		if (to == SNW_NONE) {
			continue;
		}
		snw_transform *local = &mirrored->local[to];
		double *vector = mirrored->rotation_vectors + 3 * (size_t)to, q[4];
		mirror_rotation(skeleton, axis, from, to, pose->rotation_vectors + 3 * (size_t)from, vector);
		snw_quat_from_rotation_vector(vector, q);
		snw_quat_multiply(skeleton->rest_local[to].rotation, q, local->rotation);
		snw_quat_normalize(local->rotation);
		mirror_translation(skeleton, axis, from, to, &pose->local[from], local->translation);
		mirror_scale(skeleton, axis, from, to, &pose->local[from], local->scale);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		mirrored->channels[joints->channels[c]] = pose->channels[c];
	}
	return mirrored;
}
