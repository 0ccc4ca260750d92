/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The candidate joints of a point: those that move it, and their parents and children, because the skin near a joint depends on
 * its rotation even if the joint does not move it. A joint above all of the skin is not a candidate: it moves the character as
 * a whole, and what it seems to explain in the samples is chance.
 */
#include "pose-regression/fit.h"

static void add_candidate(const mesh_fit *f, uint32_t joint, candidate_list *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (at == list->count && at < MOST_CANDIDATES && joint != SNW_NONE && f->bends[joint]) {
		list->joints[list->count++] = joint;
	}
}

candidate_list find_candidates(const mesh_fit *f, uint32_t point) {
	const snw_mesh_view *mesh = f->mesh;
	const snw_character_view *character = f->input->character;
	const uint32_t *parents = character->skeleton->parents;
	const uint32_t first = mesh->influence_offsets ? mesh->influence_offsets[point] : 0;
	const uint32_t end = mesh->influence_offsets ? mesh->influence_offsets[point + 1] : 0;
	candidate_list list = {.count = 0};
	for (int beside = 0; beside < 2; beside++) {
		for (uint32_t k = first; k < end; k++) {
			const uint32_t joint = character->slot_joints[mesh->influence_slots[k]];
			if (!(mesh->influence_weights[k] > 0)) {
				continue;
			}
			add_candidate(f, beside ? parents[joint] : joint, &list);
			for (uint32_t j = 0; beside && j < f->joint_count; j++) {
				if (parents[j] == joint) {
					add_candidate(f, j, &list);
				}
			}
		}
	}
	return list;
}
