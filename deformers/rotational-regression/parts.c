/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the skeleton: what is left of it without the joints that no sample moves. Each begins with such a joint. What a
 * sample cannot show, a reduction must not decide: clusters, blends and predictors stay within a part. A point keeps the slots
 * of other parts that it follows, and where no joint of its own part moves, all of its slots.
 */
#include "rotational-regression/fit.h"
#include "sinew/algebra.h"

/* Less of another part than this is left to the proxies. */
static const double least_kept = 1e-3;

uint32_t part_of_joint(const mesh_fit *f, uint32_t joint) {
	while (f->is_moved[joint] && f->model->joints[joint].parent != SNW_NONE) {
		joint = f->model->joints[joint].parent;
	}
	return joint;
}

static uint32_t part_of_slot(const mesh_fit *f, uint32_t slot) {
	return part_of_joint(f, f->input->character->slot_joints[slot]);
}

/* The joint of a part that moves as one of another does in all samples; SNW_NONE. */
static uint32_t joint_within(const mesh_fit *f, uint32_t joint, uint32_t part) {
	const regressed_joint *joints = f->model->joints;
	uint32_t above = joint, below = part;
	while (!f->is_moved[above] && joints[above].parent != SNW_NONE && part_of_joint(f, above) != part) {
		above = joints[above].parent;
	}
	while (!f->is_moved[below] && joints[below].parent != SNW_NONE && below != joint) {
		below = joints[below].parent;
	}
	return part_of_joint(f, above) == part ? above : below == joint ? part : SNW_NONE;
}

uint32_t slot_within(const mesh_fit *f, uint32_t slot, uint32_t part) {
	const snw_character_view *character = f->input->character;
	const uint32_t joint = joint_within(f, character->slot_joints[slot], part);
	uint32_t found = 0;
	while (found < character->slot_count && character->slot_joints[found] != joint) {
		found++;
	}
	return part_of_slot(f, slot) == part || found == character->slot_count ? slot : found;
}

/* The weight that a point has over a part. */
static double weight_over(const mesh_fit *f, uint32_t point, uint32_t part) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	double weight = 0;
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		weight += part_of_slot(f, skin->slots[k]) == part ? skin->weights[k] : 0;
	}
	return weight;
}

/* The part that has most of a point. */
static uint32_t part_of_point(const mesh_fit *f, uint32_t point) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	uint32_t found = 0;
	double most = -1;
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		const uint32_t part = part_of_slot(f, skin->slots[k]);
		const double weight = weight_over(f, point, part);
		found = weight > most ? part : found;
		most = weight > most ? weight : most;
	}
	return found;
}

snw_status keep_unmoved(mesh_fit *f, snw_pool *pool) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	const uint32_t points = f->mesh->point_count;
	const int keeps = f->model->is_reduced && f->model->anchors == ANCHORS_SOFT;
	uint32_t *parts = SNW_POOL_ARRAY(pool, uint32_t, points), *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, skin->offsets[points]), at = 0;
	double *weights = SNW_POOL_ARRAY(pool, double, skin->offsets[points]);
	for (uint32_t i = 0; !pool->failed && i < points; i++) {
		parts[i] = part_of_point(f, i);
		const int is_shared = keeps && 1 - weight_over(f, i, parts[i]) >= least_kept;
		for (uint32_t k = skin->offsets[i]; is_shared && k < skin->offsets[i + 1]; k++) {
			slots[at] = skin->slots[k];
			weights[at] = skin->weights[k];
			at += part_of_slot(f, skin->slots[k]) != parts[i];
		}
		offsets[i + 1] = at;
	}
	f->parts = parts;
	f->kept = (snk_base_skin_mesh){points, offsets, slots, weights};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

double proxy_share(const mesh_fit *f, uint32_t point) {
	double share = 1;
	for (uint32_t k = f->kept.offsets[point]; k < f->kept.offsets[point + 1]; k++) {
		share -= f->kept.weights[k];
	}
	return share;
}

void add_kept(const mesh_fit *f, uint32_t sample, uint32_t point, double sign, double dest[3]) {
	const double *rest = f->mesh->points_rest + 3 * (size_t)point;
	for (uint32_t k = f->kept.offsets[point]; k < f->kept.offsets[point + 1]; k++) {
		double place[3];
		snw_mat34_point(f->samples[sample].pose->palette + 12 * (size_t)f->kept.slots[k], rest, place);
		for (int c = 0; c < 3; c++) {
			dest[c] += sign * f->kept.weights[k] * place[c];
		}
	}
}

void fix_unlearned(const mesh_fit *f, unsigned char *fixed) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		fixed[i] = 1;
		for (uint32_t j = 0; fixed[i] && j < f->model->joint_count; j++) {
			fixed[i] = !f->model->joints[j].bends || !f->is_moved[j] || part_of_joint(f, j) != f->parts[i];
		}
	}
}
