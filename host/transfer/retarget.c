/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/retarget.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "file/file.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

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
static const char *rig_plain_name(const char *name, snw_arena *arena) {
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
static uint32_t rig_part(snw_rig_kind kind, const char *plain_name) {
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
static snw_rig_kind rig_recognize(const char *const *plain_names, uint32_t count) {
	snw_rig_kind best = SNW_RIG_COUNT;
	uint32_t most = BODY_ROWS - 1;
	for (snw_rig_kind kind = 0; kind < SNW_RIG_COUNT; kind++) {
		bool has[2 * PART_ROWS] = {false};
		uint32_t body = 0;
		for (uint32_t j = 0; j < count; j++) {
			const uint32_t part = rig_part(kind, plain_names[j]);
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
		const uint32_t part = rig_part(match->target_rig, target->names[j]);
		for (uint32_t s = 0; s < source->count && part != SNW_NONE && m->sources[j] == SNW_NONE; s++) {
			if (!m->is_used[s] && rig_part(match->source_rig, source->names[s]) == part) {
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
			const bool is_part = differ && rig_part(match->source_rig, plain->names[s]) != SNW_NONE;
			if (!is_part && !m->is_used[s] && strcmp(m->source->names[s], m->target->names[j]) == 0) {
				pair(m, s, j);
			}
		}
	}
}

static name_list plain_names(const snw_skeleton *skeleton, snw_arena *arena) {
	const char **names = SNW_NEW_ARRAY(arena, const char *, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		names[j] = rig_plain_name(skeleton->names[j], arena);
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
							 .source_rig = rig_recognize(from.names, from.count),
							 .target_rig = rig_recognize(to.names, to.count)};
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

/* ---- retargeting --------------------------------------------------------------------------------------------------------- */

/* How two rigs at rest belong together: whether they are one rig, which way they face, and how large they are. */

/* ---- the rest in the world ----------------------------------------------------------------------------------------------- */

static void find_world(const snw_skeleton *skeleton, const snw_transform *local, double *rotations, double *globals) {
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
		double *rotation = rotations + 4 * (size_t)j, *global = globals + 12 * (size_t)j;
		memcpy(rotation, local[j].rotation, 4 * sizeof *rotation);
		snw_transform_to_mat34(&local[j], global);
		if (parent != SNW_NONE) {
			snw_quat_multiply(rotations + 4 * (size_t)parent, rotation, rotation);
			snw_mat34_multiply(globals + 12 * (size_t)parent, global, global);
		}
		snw_quat_normalize(rotation);
	}
}

static void position_of(const double *globals, uint32_t joint, double position[3]) {
	for (size_t i = 0; i < 3; i++) {
		position[i] = globals[12 * (size_t)joint + 4 * i + 3];
	}
}

/* ---- the same rig -------------------------------------------------------------------------------------------------------- */

/* Whether two joints hang from one in directions that differ: then the offsets of both say how its axes lie. */
static bool is_branch(const snw_skeleton *skeleton, uint32_t a, uint32_t b) {
	const double *p = skeleton->rest_local[a].translation, *q = skeleton->rest_local[b].translation;
	double across[3];
	snw_cross3(p, q, across);
	return a != b && skeleton->parents[a] == skeleton->parents[b] &&
		   snw_length3(across) > 0.1 * snw_length3(p) * snw_length3(q);
}

/* The matched joints below a matched parent, both in both rigs. */
static uint32_t list_pairs(const snw_retarget *r, uint32_t *pairs) {
	const snw_skeleton *source = &r->source->skeleton, *target = &r->target->skeleton;
	uint32_t count = 0;
	for (uint32_t j = 0; j < target->joint_count; j++) {
		const uint32_t s = r->match.sources[j], parent = target->parents[j];
		if (s != SNW_NONE && parent != SNW_NONE && source->parents[s] != SNW_NONE &&
			r->match.sources[parent] == source->parents[s]) {
			pairs[count++] = j;
		}
	}
	return count;
}

/* Whether all offsets of the source's joints are those of the target's, but for one scale. */
static bool have_same_offsets(const snw_retarget *r, const uint32_t *pairs, uint32_t count) {
	const double TOLERANCE = 2e-3; /* of the mean offset */
	const snw_transform *source = r->source->skeleton.rest_local, *target = r->target->skeleton.rest_local;
	double across = 0, squares = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double *t = target[pairs[i]].translation, *s = source[r->match.sources[pairs[i]]].translation;
		across += snw_dot3(s, t);
		squares += snw_dot3(t, t);
	}
	const double ratio = squares > 0 ? across / squares : 0, mean = ratio * sqrt(squares / count);
	bool are_same = ratio > 0;
	for (uint32_t i = 0; i < count && are_same; i++) {
		const double *t = target[pairs[i]].translation, *s = source[r->match.sources[pairs[i]]].translation;
		const double off[3] = {s[0] - ratio * t[0], s[1] - ratio * t[1], s[2] - ratio * t[2]};
		are_same = snw_length3(off) <= TOLERANCE * mean;
	}
	return are_same;
}

static bool is_same_rig(const snw_retarget *r, snw_arena *arena) {
	uint32_t *pairs = SNW_NEW_ARRAY(arena, uint32_t, r->target->skeleton.joint_count);
	const uint32_t count = list_pairs(r, pairs);
	if (r->source->slot_count > 0 || !have_same_offsets(r, pairs, count)) {
		return false;
	}
	for (uint32_t i = 1; i < count; i++) {
		for (uint32_t k = 0; k < i; k++) {
			if (is_branch(&r->target->skeleton, pairs[i], pairs[k])) {
				return true;
			}
		}
	}
	return false;
}

/* ---- size and direction -------------------------------------------------------------------------------------------------- */

static double distance_between(const double *globals, uint32_t a, uint32_t b) {
	double p[3], q[3];
	position_of(globals, a, p);
	position_of(globals, b, q);
	return sqrt(snw_squared_distance3(p, q));
}

/* The centres of the matched joints. */
static void find_centers(const snw_retarget *r, double source[3], double target[3]) {
	memset(source, 0, 3 * sizeof *source);
	memset(target, 0, 3 * sizeof *target);
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		double s[3], t[3];
		if (r->match.sources[j] == SNW_NONE) {
			continue;
		}
		position_of(r->source_globals, r->match.sources[j], s);
		position_of(r->target_globals, j, t);
		for (int i = 0; i < 3; i++) {
			source[i] += s[i] / r->match.count;
			target[i] += t[i] / r->match.count;
		}
	}
}

/* The spread of the target's matched joints to that of the source's; not finite if they are at one place. */
static double ratio_of_sizes(const snw_retarget *r) {
	double source_center[3], target_center[3], of_source = 0, of_target = 0;
	find_centers(r, source_center, target_center);
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		double s[3], t[3];
		if (r->match.sources[j] != SNW_NONE) {
			position_of(r->source_globals, r->match.sources[j], s);
			position_of(r->target_globals, j, t);
			of_source += snw_squared_distance3(s, source_center);
			of_target += snw_squared_distance3(t, target_center);
		}
	}
	return sqrt(of_target / of_source);
}

/* The length of a leg of the target to that of the source: from the lowest matched joint up to the topmost above it. Of
 * a rig that stands on nothing, the ratio of sizes. */
static double scale_of_legs(const snw_retarget *r) {
	const snw_skeleton *target = &r->target->skeleton;
	uint32_t lowest = SNW_NONE;
	double of_target = 0, of_source = 0;
	for (uint32_t j = 0; j < target->joint_count; j++) {
		const bool is_lower =
			lowest == SNW_NONE || r->target_globals[12 * (size_t)j + 7] < r->target_globals[12 * (size_t)lowest + 7];
		lowest = r->match.sources[j] != SNW_NONE && is_lower ? j : lowest;
	}
	for (uint32_t j = lowest; j != SNW_NONE;) {
		const uint32_t above = snw_joint_match_above(&r->match, target, j);
		if (above != SNW_NONE) {
			of_target += distance_between(r->target_globals, j, above);
			of_source += distance_between(r->source_globals, r->match.sources[j], r->match.sources[above]);
		}
		j = above;
	}
	const double scale = of_source > 0 ? of_target / of_source : ratio_of_sizes(r);
	return scale > 0 && isfinite(scale) ? scale : 1;
}

/* How well the source's joints, rotated, lie as the target's: 1 where they are the same but for their size. */
static double likeness(const snw_retarget *r, const double rotation[4]) {
	double source_center[3], target_center[3], m[12], across = 0, of_source = 0, of_target = 0;
	find_centers(r, source_center, target_center);
	snw_quat_to_mat34(rotation, m);
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		double s[3], t[3];
		if (r->match.sources[j] == SNW_NONE) {
			continue;
		}
		position_of(r->source_globals, r->match.sources[j], s);
		position_of(r->target_globals, j, t);
		for (int i = 0; i < 3; i++) {
			s[i] -= source_center[i];
			t[i] -= target_center[i];
		}
		snw_mat34_vector(m, s, s);
		across += snw_dot3(s, t);
		of_source += snw_dot3(s, s);
		of_target += snw_dot3(t, t);
	}
	return of_source > 0 && of_target > 0 ? across / sqrt(of_source * of_target) : 0;
}

/* Rigs that face another way, or lie on their back, are rotated by right angles. A rotation must explain most of what none
 * leaves unlike. */
static void find_rotation(const snw_retarget *r, double rotation[4]) {
	const double MOST = 0.7;
	const double unlike = 1 - likeness(r, rotation);
	double best = 1 - (1 - MOST) * unlike;
	for (int step = 1; step < 64; step++) {
		double candidate[4] = {0, 0, 0, 1};
		for (int axis = 0; axis < 3; axis++) {
			const double half = ((step >> (2 * axis)) & 3) * (M_PI / 4);
			double about_axis[4] = {0, 0, 0, cos(half)};
			about_axis[axis] = sin(half);
			snw_quat_multiply(about_axis, candidate, candidate);
		}
		const double found = likeness(r, candidate);
		if (found > best + 1e-9) {
			best = found;
			memcpy(rotation, candidate, sizeof candidate);
		}
	}
}

/* Rests the source as the target does. */
static void take_rest(const snw_retarget *r) {
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		const uint32_t s = r->match.sources[j];
		if (s != SNW_NONE) {
			memcpy(r->source_rotations + 4 * (size_t)s, r->target_rotations + 4 * (size_t)j, 4 * sizeof(double));
		}
	}
}

snw_retarget snw_retarget_begin(const snw_scene *source, const snw_scene *target, const snw_pose *posture,
								const uint32_t *given, snw_arena *arena) {
	const uint32_t source_count = source->skeleton.joint_count, target_count = target->skeleton.joint_count;
	snw_retarget r = {.source = source,
					  .target = target,
					  .match = snw_joints_match(&source->skeleton, &target->skeleton, given, arena),
					  .rotation = {0, 0, 0, 1},
					  .source_rotations = SNW_NEW_ARRAY(arena, double, 4 * (size_t)source_count),
					  .target_rotations = SNW_NEW_ARRAY(arena, double, 4 * (size_t)target_count),
					  .source_globals = SNW_NEW_ARRAY(arena, double, 12 * (size_t)source_count),
					  .target_globals = SNW_NEW_ARRAY(arena, double, 12 * (size_t)target_count)};
	find_world(&source->skeleton, source->skeleton.rest_local, r.source_rotations, r.source_globals);
	find_world(&target->skeleton, posture->local, r.target_rotations, r.target_globals);
	r.scale = scale_of_legs(&r);
	r.is_same_rig = is_same_rig(&r, arena);
	if (r.is_same_rig) {
		take_rest(&r);
	} else {
		find_rotation(&r, r.rotation);
	}
	return r;
}
