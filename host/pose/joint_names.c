/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the names of joints say: a title for people, and the partner on the other side, by which poses are mirrored.
 */
#include "pose/pose.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "sinew/algebra.h"

/* ---- titles -------------------------------------------------------------------------------------------------------------- */

/* A name is divided into words where letters, digits and capitals begin. Words for a side and words that only say which program
 * made the joint are left out; the rest is looked up. */

enum { MOST_TEXT = 300, MOST_KEY = 120, MOST_LIMB = 5 };

/* A name in pieces. */
typedef struct name_parts {
	const char *side;     /* "Left", "Right"; NULL for none */
	char key[MOST_KEY];   /* its words without numbers, in one: "upperarm" */
	char text[MOST_TEXT]; /* its words: "upper arm 2" */
	char numbers[40];     /* " 2" */
	bool is_foreign;      /* contains letters that no table here knows */
} name_parts;

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

typedef struct word_row {
	const char *word, *meaning;
} word_row;

/* Longer ones first, so that 手首 (wrist) is not 手 (hand). */
static const word_row japanese[] = {
	{"人差し指", "index finger"},
	{"下半身", "lower body"},
	{"上半身", "upper body"},
	{"センター", "center"},
	{"つま先", "toes"},
	{"人差指", "index finger"},
	{"人指", "index finger"},
	{"親指", "thumb"},
	{"中指", "middle finger"},
	{"薬指", "ring finger"},
	{"小指", "little finger"},
	{"手首", "wrist"},
	{"足首", "ankle"},
	{"ひじ", "elbow"},
	{"ひざ", "knee"},
	{"ボーン", ""},
	{"右", "right"},
	{"左", "left"},
	{"腕", "upperarm"},
	{"肩", "clavicle"},
	{"肘", "elbow"},
	{"膝", "knee"},
	{"足", "thigh"},
	{"首", "neck"},
	{"頭", "head"},
	{"目", "eye"},
	{"手", "hand"},
	{"捩", "twist"},
	{"腰", "hips"},
};

static const char *const left_words[] = {"left", "l", "lf", "lft", NULL};
static const char *const right_words[] = {"right", "r", "rt", "rgt", NULL};

/* Words that say nothing about the body. */
static const char *const idle_words[] = {"bip",       "mixamorig", "valve", "biped",    "jnt",      "joint", "bone",
										 "bn",        "def",       "org",   "mch",      "skin",     "sk",    "drv",
										 "j",         "b",         "c",     "m",        "sec",      "bind",  "rig",
										 "character", "cc",        "base",  "skeleton", "armature", NULL};

/* What bends where a bone of this name begins. */
static const word_row part_words[] = {
	{"clavicle", "clavicle"},
	{"collar", "clavicle"},
	{"collarbone", "clavicle"},
	{"scapula", "clavicle"},
	{"upperarm", "shoulder"},
	{"uparm", "shoulder"},
	{"armupper", "shoulder"},
	{"humerus", "shoulder"},
	{"lowerarm", "elbow"},
	{"loarm", "elbow"},
	{"armlower", "elbow"},
	{"forearm", "elbow"},
	{"elbow", "elbow"},
	{"hand", "wrist"},
	{"wrist", "wrist"},
	{"thigh", "hip"},
	{"upleg", "hip"},
	{"upperleg", "hip"},
	{"legupper", "hip"},
	{"femur", "hip"},
	{"lowerleg", "knee"},
	{"loleg", "knee"},
	{"leglower", "knee"},
	{"calf", "knee"},
	{"shin", "knee"},
	{"knee", "knee"},
	{"foot", "ankle"},
	{"ankle", "ankle"},
	{"toe", "toes"},
	{"toes", "toes"},
	{"ball", "toes"},
	{"index", "index finger"},
	{"handindex", "index finger"},
	{"fingerindex", "index finger"},
	{"handmiddle", "middle finger"},
	{"fingermiddle", "middle finger"},
	{"handring", "ring finger"},
	{"fingerring", "ring finger"},
	{"handpinky", "little finger"},
	{"pinky", "little finger"},
	{"fingerpinky", "little finger"},
	{"handlittle", "little finger"},
	{"handthumb", "thumb"},
	{"fingerthumb", "thumb"},
	{"pelvis", "pelvis"},
};

/* Words that are written as one in names. */
static const word_row spellings[] = {{"upperarm", "upper arm"},    {"lowerarm", "lower arm"}, {"uparm", "upper arm"},
									 {"upperleg", "upper leg"},    {"lowerleg", "lower leg"}, {"upleg", "upper leg"},
									 {"upperchest", "upper chest"}};

static const char *find(const word_row *rows, size_t count, const char *word) {
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].word, word) == 0) {
			return rows[i].meaning;
		}
	}
	return NULL;
}

#define FIND(rows, word) find((rows), sizeof(rows) / sizeof *(rows), (word))

static bool is_among(const char *const *words, const char *word) {
	while (*words && strcmp(*words, word) != 0) {
		words++;
	}
	return *words != NULL;
}

/* ---- words --------------------------------------------------------------------------------------------------------------- */

static void append(char *text, size_t size, const char *more) {
	const size_t used = strlen(text);
	snprintf(text + used, size - used, "%s", more);
}

/* Without a namespace, with words that are known in Japanese translated, and with wide letters as narrow ones. */
static void translate(const char *name, char *text, size_t size) {
	const char *colon = strrchr(name, ':'), *bar = strrchr(name, '|'), *at = name;
	at = colon && colon[1] && colon >= at ? colon + 1 : at;
	at = bar && bar[1] && bar >= at ? bar + 1 : at;
	text[0] = '\0';
	while (*at) {
		const unsigned char *u = (const unsigned char *)at;
		char piece[40] = {(char)u[0], '\0'};
		size_t length = 1;
		for (size_t i = 0; i < sizeof japanese / sizeof *japanese && length == 1; i++) {
			const size_t count = strlen(japanese[i].word);
			if (strncmp(at, japanese[i].word, count) == 0) {
				snprintf(piece, sizeof piece, " %s ", japanese[i].meaning);
				length = count;
			}
		}
		if (length == 1 && u[0] == 0xef && (u[1] == 0xbc || u[1] == 0xbd) && u[2] >= 0x80) {
			const int wide = 0x40 * (u[1] - 0xbc) + (u[2] - 0x80); /* U+FF00 + wide */
			if (wide >= 1 && wide <= 0x5e) {
				piece[0] = (char)(0x20 + wide);
				length = 3;
			}
		}
		append(text, size, piece);
		at += length;
	}
}

/* The length of the word that begins here: digits, capitals, or letters that one capital may begin. */
static size_t word_length(const char *at) {
	size_t length = 1;
	if (isdigit((unsigned char)*at)) {
		while (isdigit((unsigned char)at[length])) {
			length++;
		}
	} else if (isupper((unsigned char)*at) && isupper((unsigned char)at[1])) {
		while (isupper((unsigned char)at[length])) {
			length++;
		}
		length -= islower((unsigned char)at[length]) != 0; /* the last capital begins the next word */
	} else {
		while (islower((unsigned char)at[length]) || (unsigned char)at[length] >= 0x80) {
			length++;
		}
	}
	return length;
}

static void take_number(name_parts *p, const char *word, bool follows_program) {
	while (word[0] == '0' && word[1]) {
		word++;
	}
	if (!follows_program) {
		append(p->numbers, sizeof p->numbers, " ");
		append(p->numbers, sizeof p->numbers, word);
		append(p->text, sizeof p->text, p->text[0] ? " " : "");
		append(p->text, sizeof p->text, word);
	}
}

static void take_word(name_parts *p, const char *word) {
	if (is_among(left_words, word)) {
		p->side = "Left";
	} else if (is_among(right_words, word)) {
		p->side = "Right";
	} else if (!is_among(idle_words, word)) {
		const char *spelling = FIND(spellings, word);
		append(p->key, sizeof p->key, word);
		append(p->text, sizeof p->text, p->text[0] ? " " : "");
		append(p->text, sizeof p->text, spelling ? spelling : word);
	}
}

static void divide(const char *name, name_parts *p) {
	char text[MOST_TEXT], word[MOST_KEY];
	bool follows_program = false;
	*p = (name_parts){0};
	translate(name, text, sizeof text);
	for (const char *at = text; *at;) {
		const bool is_letter = (unsigned char)*at >= 0x80;
		if (!isalnum((unsigned char)*at) && !is_letter) {
			at++;
			follows_program = false;
			continue;
		}
		const size_t length = word_length(at);
		snprintf(word, sizeof word, "%.*s", (int)length, at);
		for (char *c = word; *c; c++) {
			p->is_foreign = p->is_foreign || (unsigned char)*c >= 0x80;
			*c = (char)tolower((unsigned char)*c);
		}
		if (isdigit((unsigned char)word[0])) {
			take_number(p, word, follows_program);
		} else {
			take_word(p, word);
		}
		follows_program = strcmp(word, "bip") == 0 || strcmp(word, "mixamorig") == 0;
		at += length;
	}
}

/* ---- parts of a body ----------------------------------------------------------------------------------------------------- */

static bool is_upper_arm(const char *key) {
	const char *part = FIND(part_words, key);
	return strcmp(key, "arm") == 0 || (part && strcmp(part, "shoulder") == 0);
}

static bool is_thigh(const char *key) {
	const char *part = FIND(part_words, key);
	return strcmp(key, "leg") == 0 || (part && strcmp(part, "hip") == 0);
}

/* Whether an upper arm hangs from the joint: then "shoulder" is its clavicle. */
static bool has_upper_arm(const snw_skeleton *skeleton, uint32_t joint) {
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		name_parts child;
		if (skeleton->parents[j] != joint) {
			continue;
		}
		divide(skeleton->names[j], &child);
		if (is_upper_arm(child.key)) {
			return true;
		}
	}
	return false;
}

static bool is_same_limb(const snw_skeleton *skeleton, uint32_t joint, const name_parts *p) {
	name_parts other;
	divide(skeleton->names[joint], &other);
	const bool is_same_side = p->side == other.side || (p->side && other.side && strcmp(p->side, other.side) == 0);
	return is_same_side && strcmp(p->key, other.key) == 0;
}

/* The next joint of a limb whose joints are all called alike; SNW_NONE at its end, and where it branches. */
static uint32_t next_of_limb(const snw_skeleton *skeleton, uint32_t joint, const name_parts *p) {
	uint32_t next = SNW_NONE, count = 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (skeleton->parents[j] == joint && is_same_limb(skeleton, j, p)) {
			next = j;
			count++;
		}
	}
	return count == 1 ? next : SNW_NONE;
}

/* Of a rig that calls all joints of an arm "arm" and of a leg "leg", and numbers them as it likes: their order tells. False if
 * the neighbours tell more. Of more joints than a body's limb has, none is a known part: *part is NULL. */
static bool find_part_in_limb(const snw_skeleton *skeleton, uint32_t joint, const name_parts *p, const char **part) {
	static const char *const arm[] = {"shoulder", "elbow", "wrist"}, *const leg[] = {"hip", "knee", "ankle", "toes"};
	const bool is_arm = strcmp(p->key, "arm") == 0;
	uint32_t place = 0, count = 1, first = joint;
	if (!is_arm && strcmp(p->key, "leg") != 0) {
		return false;
	}
	for (uint32_t j = skeleton->parents[joint]; j != SNW_NONE && place < MOST_LIMB && is_same_limb(skeleton, j, p);
		 j = skeleton->parents[j]) {
		first = j;
		place++;
	}
	for (uint32_t j = next_of_limb(skeleton, first, p); j != SNW_NONE && count <= MOST_LIMB; j = next_of_limb(skeleton, j, p)) {
		count++;
	}
	*part = is_arm && count == 3 && place < 3 ? arm[place] : !is_arm && count <= 4 && place < 4 ? leg[place] : NULL;
	return count >= 3;
}

/* NULL if it is no known one. "Arm", "leg" and "shoulder" mean different bones in different rigs: their neighbours tell. */
static const char *find_part(const snw_skeleton *skeleton, uint32_t joint, const name_parts *p) {
	name_parts above = {0};
	if (skeleton->parents[joint] != SNW_NONE) {
		divide(skeleton->names[skeleton->parents[joint]], &above);
	}
	if (strcmp(p->key, "arm") == 0) {
		return is_upper_arm(above.key) ? "elbow" : "shoulder";
	}
	if (strcmp(p->key, "leg") == 0) {
		return is_thigh(above.key) ? "knee" : "hip";
	}
	if (strcmp(p->key, "shoulder") == 0) {
		return has_upper_arm(skeleton, joint) ? "clavicle" : "shoulder";
	}
	return FIND(part_words, p->key);
}

const char *snw_joint_title(const snw_skeleton *skeleton, uint32_t joint, snw_arena *arena) {
	const char *name = skeleton->names[joint];
	name_parts p;
	divide(name, &p);
	const char *part;
	if (find_part_in_limb(skeleton, joint, &p, &part)) {
		p.numbers[0] = '\0'; /* they count the limb's joints, which the parts tell apart */
	} else {
		part = find_part(skeleton, joint, &p);
	}
	if (!p.key[0] || (p.is_foreign && !part)) { /* "joint-5" */
		return snw_arena_text(arena, name);
	}
	char *title = snw_arena_format(arena, "%s%s%s%s", p.side ? p.side : "", p.side ? " " : "", part ? part : p.text,
								   part ? p.numbers : "");
	title[0] = (char)toupper((unsigned char)title[0]);
	return title;
}

/* ---- partners ------------------------------------------------------------------------------------------------------------ */

/* Pairs joints, first by name, and mirrors poses. */

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
