/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slots that a point may use: its own, its ring's, and those of the joints next to them in the skeleton. A slot from
 * elsewhere may happen to move alike in the samples; it would not in other poses.
 */
#include "motion/weights/weight_fit.h"
#include "sinew/kit/status.h"

static int are_near(const snw_skeleton_view *skeleton, uint32_t a, uint32_t b) {
	return a == b || skeleton->parents[a] == b || skeleton->parents[b] == a;
}

static snw_status gather_near_slots(snw_pool *pool, weight_fit *f) {
	const snw_character_view *character = f->character;
	const uint32_t *joints = character->slot_joints;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)character->slot_count + 1), *items = NULL;
	for (int filling = 0; !pool->failed && filling < 2; filling++) {
		uint32_t count = 0;
		for (uint32_t a = 0; a < character->slot_count; a++) {
			for (uint32_t b = 0; b < character->slot_count; b++) {
				if (a != b && are_near(character->skeleton, joints[a], joints[b])) {
					if (filling) {
						items[count] = b;
					}
					count++;
				}
			}
			offsets[a + 1] = count;
		}
		items = filling ? items : SNW_POOL_ARRAY(pool, uint32_t, count);
	}
	f->near_slots = (lists){offsets, items};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status gather_neighbours(snw_pool *pool, weight_fit *f) {
	const snk_faces faces = snk_faces_of(f->mesh);
	const snw_status status = snk_adjacency_find(&faces, SNK_NEIGHBOURS_ASCENDING, pool, &f->rings);
	return snk_failed(status) ? status : gather_near_slots(pool, f);
}

static uint32_t add(uint32_t slot, uint32_t count, uint32_t *candidates) {
	uint32_t at = 0;
	while (at < count && candidates[at] != slot) {
		at++;
	}
	if (at == count && count < MOST_CANDIDATES) {
		candidates[count++] = slot;
	}
	return count;
}

static uint32_t add_base(const snw_mesh_view *mesh, uint32_t point, uint32_t count, uint32_t *candidates) {
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		if (mesh->influence_weights[k] > 0) {
			count = add(mesh->influence_slots[k], count, candidates);
		}
	}
	return count;
}

static uint32_t add_current(const weight_fit *f, uint32_t point, uint32_t count, uint32_t *candidates) {
	for (uint32_t k = 0; k < f->current[point].count; k++) {
		count = add(f->current[point].slots[k], count, candidates);
	}
	return count;
}

static int may_use(const weight_fit *f, uint32_t slot) {
	return !f->options->kept || f->options->kept[slot];
}

uint32_t find_candidates(const weight_fit *f, uint32_t point, uint32_t candidates[MOST_CANDIDATES]) {
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	uint32_t count = add_current(f, point, add_base(f->mesh, point, 0, candidates), candidates);
	if (f->character->slot_count <= MOST_CANDIDATES) {
		for (uint32_t slot = 0; slot < f->character->slot_count; slot++) {
			count = may_use(f, slot) ? add(slot, count, candidates) : count;
		}
		return count;
	}
	for (uint32_t k = first; k < end; k++) {
		count = add_current(f, f->rings.neighbours[k], count, candidates);
		count = add_base(f->mesh, f->rings.neighbours[k], count, candidates);
	}
	const uint32_t seeds = count;
	for (uint32_t s = 0; s < seeds; s++) {
		for (uint32_t k = f->near_slots.offsets[candidates[s]]; k < f->near_slots.offsets[candidates[s] + 1]; k++) {
			count = may_use(f, f->near_slots.items[k]) ? add(f->near_slots.items[k], count, candidates) : count;
		}
	}
	return count;
}
