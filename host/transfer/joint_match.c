/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/joint_match.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "file/file.h"
#include "pose/joint_title.h"
#include "scene/scene.h"

/* ---- joint map ----------------------------------------------------------------------------------------------------------- */

static snw_status read_pairs(const char *path, const cJSON *root, const snw_scene *source, const snw_scene *target,
							 const snw_task *task, uint32_t *sources, snw_error *error) {
	uint32_t missing_count = 0;
	const char *missing = "";
	for (const cJSON *item = root->child; item; item = item->next) {
		const char *name = cJSON_GetStringValue(item);
		const uint32_t joint = name ? snw_scene_find_joint(target, name) : SNW_NONE;
		const uint32_t from = snw_scene_find_joint(source, item->string);
		if (joint == SNW_NONE) {
			return name
					   ? snw_fail(error, SNW_ERROR_DATA,
								  "%s: the character has no joint '%.120s', which '%.120s' is said to be; 'sinew joint P list' "
								  "lists its joints",
								  path, name, item->string)
					   : snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' must have the name of a joint of the character", path,
								  item->string);
		}
		if (from == SNW_NONE) {
			missing = missing_count++ == 0 ? item->string : missing;
			continue;
		}
		if (sources[joint] != SNW_NONE && sources[joint] != from) {
			return snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' and '%.120s' both become '%.120s'; name one of them", path,
							source->skeleton.names[sources[joint]], item->string, name);
		}
		for (uint32_t j = 0; j < target->skeleton.joint_count; j++) {
			if (sources[j] == from && j != joint) {
				return snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' is there twice; leave one of them", path, item->string);
			}
		}
		sources[joint] = from;
	}
	if (missing_count > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "%s: %u of its joints are not in the file, such as '%.120s'", path,
						missing_count, missing);
	}
	return SNW_OK;
}

snw_status snw_joint_map_read(const char *path, const snw_scene *source, const snw_scene *target, const snw_task *task,
							  uint32_t *sources, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_bytes bytes;
	for (uint32_t j = 0; j < target->skeleton.joint_count; j++) {
		sources[j] = SNW_NONE;
	}
	snw_status status = snw_file_read(path, scratch, &bytes, error);
	cJSON *root = snw_failed(status) ? NULL : cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
	if (!snw_failed(status)) {
		status = cJSON_IsObject(root) ? read_pairs(path, root, source, target, task, sources, error)
									  : snw_fail(error, SNW_ERROR_DATA,
												 "%s: expected a JSON of joint names: {\"joint of the file\": \"joint of the "
												 "character\"}",
												 path);
	}
	cJSON_Delete(root);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- rigs ---------------------------------------------------------------------------------------------------------------- */

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

/* A name without namespace, program prefix, case and punctuation: "leftarm" for "mixamorig:LeftArm", "upperarml" for
 * "DEF-upper_arm.L". In `arena`. */
static const char *snw_rig_plain_name(const char *name, snw_arena *arena) {
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

/* The number of a part of the body, the same in every rig, that a plain name is in a rig; SNW_NONE for none. */
static uint32_t snw_rig_part(snw_rig_kind kind, const char *plain_name) {
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

/* The rig that has the most of these plain names, and at least half of the body; SNW_RIG_COUNT if none has. */
static snw_rig_kind snw_rig_recognize(const char *const *plain_names, uint32_t count) {
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

/* ---- joint match --------------------------------------------------------------------------------------------------------- */

/* The names of a rig's joints in one of their forms. */
typedef struct name_list {
	uint32_t count;
	const char *const *names;
} name_list;

typedef struct matching {
	const snw_skeleton *source, *target;
	uint32_t *sources; /* [target joints] */
	bool *is_used;     /* [source joints] */
} matching;

static void pair(const matching *m, uint32_t source, uint32_t target) {
	m->sources[target] = source;
	m->is_used[source] = true;
}

/* The only joint of a name; SNW_NONE if none or several have it. */
static uint32_t find_only(const name_list *list, const char *name) {
	uint32_t found = SNW_NONE;
	for (uint32_t j = 0; j < list->count; j++) {
		if (strcmp(list->names[j], name) == 0) {
			if (found != SNW_NONE) {
				return SNW_NONE;
			}
			found = j;
		}
	}
	return found;
}

/* Pairs joints that are still free, by names that are unique in both rigs. */
static void pair_by_names(const matching *m, const name_list *source, const name_list *target) {
	for (uint32_t j = 0; j < target->count; j++) {
		if (m->sources[j] == SNW_NONE) {
			const uint32_t found = find_only(source, target->names[j]);
			if (found != SNW_NONE && !m->is_used[found] && find_only(target, target->names[j]) == j) {
				pair(m, found, j);
			}
		}
	}
}

/* The names of two known rigs mean other joints, although some are the same: "Spine" of CMU is "Spine1" of Mixamo. */
static void pair_by_parts(const matching *m, const snw_joint_match *match, const name_list *source, const name_list *target) {
	for (uint32_t j = 0; j < target->count; j++) {
		const uint32_t part = snw_rig_part(match->target_rig, target->names[j]);
		for (uint32_t s = 0; s < source->count && part != SNW_NONE && m->sources[j] == SNW_NONE; s++) {
			if (!m->is_used[s] && snw_rig_part(match->source_rig, source->names[s]) == part) {
				pair(m, s, j);
			}
		}
	}
}

/* The same names, but of known rigs only those that are no parts. */
static void pair_by_exact_names(const matching *m, const snw_joint_match *match, const name_list *plain) {
	const bool differ = match->source_rig != match->target_rig && match->target_rig != SNW_RIG_COUNT;
	for (uint32_t j = 0; j < m->target->joint_count; j++) {
		for (uint32_t s = 0; s < m->source->joint_count && m->sources[j] == SNW_NONE; s++) {
			const bool is_part = differ && snw_rig_part(match->source_rig, plain->names[s]) != SNW_NONE;
			if (!is_part && !m->is_used[s] && strcmp(m->source->names[s], m->target->names[j]) == 0) {
				pair(m, s, j);
			}
		}
	}
}

static name_list plain_names(const snw_skeleton *skeleton, snw_arena *arena) {
	const char **names = SNW_NEW_ARRAY(arena, const char *, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		names[j] = snw_rig_plain_name(skeleton->names[j], arena);
	}
	return (name_list){skeleton->joint_count, names};
}

static name_list titles(const snw_skeleton *skeleton, snw_arena *arena) {
	const char **names = SNW_NEW_ARRAY(arena, const char *, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		names[j] = snw_joint_title(skeleton, j, arena);
	}
	return (name_list){skeleton->joint_count, names};
}

uint32_t snw_joint_match_above(const snw_joint_match *match, const snw_skeleton *target, uint32_t joint) {
	uint32_t above = target->parents[joint];
	while (above != SNW_NONE && match->sources[above] == SNW_NONE) {
		above = target->parents[above];
	}
	return above;
}

/* Matches by names that are not in order with those that are given are no matches. */
static void keep_given(const matching *m, const uint32_t *given) {
	for (uint32_t j = 0; j < m->target->joint_count; j++) {
		for (uint32_t g = 0; g < m->target->joint_count && given[j] == SNW_NONE && m->sources[j] != SNW_NONE; g++) {
			const bool is_above = snw_skeleton_is_below(m->target, g, j), is_below = snw_skeleton_is_below(m->target, j, g);
			if (g != j && given[g] != SNW_NONE &&
				((is_above && !snw_skeleton_is_below(m->source, given[g], m->sources[j])) ||
				 (is_below && !snw_skeleton_is_below(m->source, m->sources[j], given[g])))) {
				m->sources[j] = SNW_NONE;
			}
		}
	}
}

/* A joint whose source is not below that of the joint above it is matched with none. */
static void keep_order(const matching *m, snw_joint_match *match) {
	for (uint32_t i = 0; i < m->target->joint_count; i++) {
		const uint32_t j = m->target->order[i], above = snw_joint_match_above(match, m->target, j);
		if (m->sources[j] != SNW_NONE && above != SNW_NONE &&
			!snw_skeleton_is_below(m->source, m->sources[j], m->sources[above])) {
			m->sources[j] = SNW_NONE;
		}
		match->count += m->sources[j] != SNW_NONE;
	}
}

snw_joint_match snw_joints_match(const snw_skeleton *source, const snw_skeleton *target, const uint32_t *given,
								 snw_arena *arena) {
	const matching m = {source, target, SNW_NEW_ARRAY(arena, uint32_t, target->joint_count),
						SNW_NEW_ARRAY(arena, bool, source->joint_count)};
	const name_list from = plain_names(source, arena), to = plain_names(target, arena);
	for (uint32_t j = 0; j < target->joint_count; j++) {
		m.sources[j] = SNW_NONE;
		if (given && given[j] != SNW_NONE) {
			pair(&m, given[j], j);
		}
	}
	snw_joint_match match = {.sources = m.sources,
							 .source_rig = snw_rig_recognize(from.names, from.count),
							 .target_rig = snw_rig_recognize(to.names, to.count)};
	pair_by_exact_names(&m, &match, &from);
	pair_by_parts(&m, &match, &from, &to);
	pair_by_names(&m, &from, &to);
	const name_list source_titles = titles(source, arena), target_titles = titles(target, arena);
	pair_by_names(&m, &source_titles, &target_titles);
	if (given) {
		keep_given(&m, given);
	}
	keep_order(&m, &match);
	return match;
}
