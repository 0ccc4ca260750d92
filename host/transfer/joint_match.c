/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/joint_match.h"

#include <string.h>

#include "pose/joint_title.h"
#include "scene/skeleton.h"

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
