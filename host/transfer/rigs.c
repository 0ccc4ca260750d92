/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/rigs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Plain names. A star is the side; NULL: the rig has no such joint. */
typedef struct part_row {
	const char *names[SNW_RIG_COUNT];
} part_row;

static const struct {
	const char *name, *left, *right;
} rigs[SNW_RIG_COUNT] = {
	[SNW_RIG_MIXAMO] = {"Mixamo", "left", "right"},    [SNW_RIG_RIGIFY] = {"Rigify", "l", "r"},
	[SNW_RIG_UNREAL] = {"Unreal mannequin", "l", "r"}, [SNW_RIG_VROID] = {"VRoid", "l", "r"},
	[SNW_RIG_VRM] = {"VRM humanoid", "left", "right"}, [SNW_RIG_CMU] = {"CMU", "left", "right"},
};

/* The body comes before the fingers. */
enum { BODY_ROWS = 15, MOST_NAME = 200 };
static const part_row part_rows[] = {
	{{"hips", "spine", "pelvis", "jbipchips", "hips", "hips"}},
	{{"spine", "spine001", "spine01", "jbipcspine", "spine", "lowerback"}},
	{{"spine1", "spine002", "spine02", "jbipcchest", "chest", "spine"}},
	{{"spine2", "spine003", "spine03", "jbipcupperchest", "upperchest", "spine1"}},
	{{"neck", "spine004", "neck01", "jbipcneck", "neck", "neck"}},
	{{NULL, "spine005", "neck02", NULL, NULL, "neck1"}},
	{{"head", "spine006", "head", "jbipchead", "head", "head"}},
	{{"*shoulder", "shoulder*", "clavicle*", "jbip*shoulder", "*shoulder", "*shoulder"}},
	{{"*arm", "upperarm*", "upperarm*", "jbip*upperarm", "*upperarm", "*arm"}},
	{{"*forearm", "forearm*", "lowerarm*", "jbip*lowerarm", "*lowerarm", "*forearm"}},
	{{"*hand", "hand*", "hand*", "jbip*hand", "*hand", "*hand"}},
	{{"*upleg", "thigh*", "thigh*", "jbip*upperleg", "*upperleg", "*upleg"}},
	{{"*leg", "shin*", "calf*", "jbip*lowerleg", "*lowerleg", "*leg"}},
	{{"*foot", "foot*", "foot*", "jbip*foot", "*foot", "*foot"}},
	{{"*toebase", "toe*", "ball*", "jbip*toebase", "*toes", "*toebase"}},
	{{"*handthumb1", "thumb01*", "thumb01*", "jbip*thumb1", "*thumbproximal", NULL}},
	{{"*handthumb2", "thumb02*", "thumb02*", "jbip*thumb2", "*thumbintermediate", NULL}},
	{{"*handthumb3", "thumb03*", "thumb03*", "jbip*thumb3", "*thumbdistal", NULL}},
	{{"*handindex1", "findex01*", "index01*", "jbip*index1", "*indexproximal", "*handindex1"}},
	{{"*handindex2", "findex02*", "index02*", "jbip*index2", "*indexintermediate", NULL}},
	{{"*handindex3", "findex03*", "index03*", "jbip*index3", "*indexdistal", NULL}},
	{{"*handmiddle1", "fmiddle01*", "middle01*", "jbip*middle1", "*middleproximal", NULL}},
	{{"*handmiddle2", "fmiddle02*", "middle02*", "jbip*middle2", "*middleintermediate", NULL}},
	{{"*handmiddle3", "fmiddle03*", "middle03*", "jbip*middle3", "*middledistal", NULL}},
	{{"*handring1", "fring01*", "ring01*", "jbip*ring1", "*ringproximal", NULL}},
	{{"*handring2", "fring02*", "ring02*", "jbip*ring2", "*ringintermediate", NULL}},
	{{"*handring3", "fring03*", "ring03*", "jbip*ring3", "*ringdistal", NULL}},
	{{"*handpinky1", "fpinky01*", "pinky01*", "jbip*little1", "*littleproximal", NULL}},
	{{"*handpinky2", "fpinky02*", "pinky02*", "jbip*little2", "*littleintermediate", NULL}},
	{{"*handpinky3", "fpinky03*", "pinky03*", "jbip*little3", "*littledistal", NULL}},
};
enum { PART_ROWS = sizeof part_rows / sizeof *part_rows };

const char *snw_rig_name(snw_rig_kind kind) {
	return kind < SNW_RIG_COUNT ? rigs[kind].name : NULL;
}

/* Behind a prefix, if the text has it and something follows. */
static const char *skip_prefix(const char *text, const char *prefix) {
	const size_t length = strlen(prefix);
	return strncasecmp(text, prefix, length) == 0 && text[length] ? text + length : text;
}

const char *snw_rig_plain_name(const char *name, snw_arena *arena) {
	const char *colon = strrchr(name, ':'), *bar = strrchr(name, '|'), *at = name;
	at = colon && colon[1] ? colon + 1 : at;
	at = bar && bar[1] && bar > at ? bar + 1 : at;
	at = skip_prefix(skip_prefix(at, "DEF-"), "ORG-");
	const char *behind = skip_prefix(at, "mixamorig");
	while (behind > at && (isdigit((unsigned char)*behind) || *behind == '_') && behind[1]) {
		behind++;
	}
	char *plain = snw_arena_acquire(arena, strlen(behind) + 1);
	size_t length = 0;
	for (at = behind; *at; at++) {
		if (isalnum((unsigned char)*at) || (unsigned char)*at >= 0x80) {
			plain[length++] = (char)tolower((unsigned char)*at);
		}
	}
	return length > 0 ? plain : snw_arena_text(arena, name);
}

/* Whether a plain name is that of a row, whose star stands for `side`. */
static bool is_named(const char *plain_name, const char *row, const char *side) {
	const size_t before = strcspn(row, "*"), length = strlen(side);
	return row[before] ? strncmp(plain_name, row, before) == 0 && strncmp(plain_name + before, side, length) == 0 &&
							 strcmp(plain_name + before + length, row + before + 1) == 0
					   : strcmp(plain_name, row) == 0;
}

uint32_t snw_rig_part(snw_rig_kind kind, const char *plain_name) {
	for (uint32_t p = 0; p < PART_ROWS && kind < SNW_RIG_COUNT; p++) {
		const char *row = part_rows[p].names[kind];
		if (row && is_named(plain_name, row, rigs[kind].left)) {
			return 2 * p;
		}
		if (row && is_named(plain_name, row, rigs[kind].right)) {
			return 2 * p + 1;
		}
	}
	return SNW_NONE;
}

snw_rig_kind snw_rig_recognize(const char *const *plain_names, uint32_t count) {
	snw_rig_kind best = SNW_RIG_COUNT;
	uint32_t most = BODY_ROWS - 1;
	for (snw_rig_kind kind = 0; kind < SNW_RIG_COUNT; kind++) {
		bool has[2 * PART_ROWS] = {false};
		uint32_t body = 0;
		for (uint32_t j = 0; j < count; j++) {
			const uint32_t part = snw_rig_part(kind, plain_names[j]);
			if (part < 2 * BODY_ROWS && !has[part]) {
				has[part] = true;
				body++;
			}
		}
		if (body > most) {
			best = kind;
			most = body;
		}
	}
	return best;
}
