/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints that a gradient may depend on.
 */
#include "rotational-regression/fit.h"

void add_weights(const mesh_fit *f, uint32_t point, double *weights) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	for (uint32_t i = skin->offsets[point]; i < skin->offsets[point + 1]; i++) {
		weights[f->input->character->slot_joints[skin->slots[i]]] += skin->weights[i];
	}
}

static void add_candidate(uint32_t joint, joint_candidates *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (joint != SNW_NONE && at == list->count && at < MOST_CANDIDATES) {
		list->joints[list->count++] = joint;
	}
}

/* The joint of most weight, and of the least number among equals. */
static uint32_t heaviest(const double *weights, uint32_t count) {
	uint32_t found = 0;
	for (uint32_t j = 1; j < count; j++) {
		found = weights[j] > weights[found] ? j : found;
	}
	return found;
}

void choose_candidates(const mesh_fit *f, double *weights, joint_candidates *list) {
	const uint32_t joints = f->model->joint_count;
	list->count = 0;
	for (uint32_t joint = heaviest(weights, joints); weights[joint] > 0; joint = heaviest(weights, joints)) {
		add_candidate(joint, list);
		weights[joint] = 0;
	}
	const uint32_t influencing = list->count;
	for (uint32_t k = 0; k < influencing; k++) {
		add_candidate(f->model->joints[list->joints[k]].parent, list);
	}
	for (uint32_t k = 0; k < influencing; k++) {
		for (uint32_t j = 0; j < joints; j++) {
			if (f->model->joints[j].parent == list->joints[k]) {
				add_candidate(j, list);
			}
		}
	}
}
