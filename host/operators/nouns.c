/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nouns whose operators there are, a file each, in the order of a typical workflow.
 */
#include "operators/nouns.h"

#include <string.h>

static const snw_operator_noun *const nouns[] = {
	&snw_operators_pose,    &snw_operators_clip,   &snw_operators_joint,   &snw_operators_skeleton, &snw_operators_bind,
	&snw_operators_weights, &snw_operators_mesh,   &snw_operators_example, &snw_operators_group,    &snw_operators_stack,
	&snw_operators_fit,     &snw_operators_bake,   &snw_operators_lod,     &snw_operators_unwrap,   &snw_operators_normal_map,
	&snw_operators_track,   &snw_operators_target, &snw_operators_shape};

/* Operators, options of verbs, and whole verbs (""), that had other names in earlier builds. */
static const struct {
	const char *noun, *name, *present;
} renamed[] = {
	{"group", "leave", "example leave"},
	{"subdivide", "", "mesh subdivide"},
	{"transfer", "", "example transfer"},
	{"target", "--clip", "target add --clip"},
	{"target", "--make", "target make"},
	{"export", "--on", "export --mesh"},
	{"export", "--most-error", "export --allow-error"},
	{"compare", "--on", "compare --mesh"},
};

const char *snw_operator_renamed(const char *noun, const char *name) {
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
		if (strcmp(renamed[i].noun, noun) == 0 && (!renamed[i].name[0] || strcmp(renamed[i].name, name) == 0)) {
			return renamed[i].present;
		}
	}
	return NULL;
}

const snw_operator_noun *snw_operator_noun_at(uint32_t index) {
	return index < sizeof nouns / sizeof *nouns ? nouns[index] : NULL;
}
