/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A name is divided into words where letters, digits and capitals begin. Words for a side and words that only say which program
 * made the joint are left out; the rest is looked up.
 */
#include "pose/pose.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
