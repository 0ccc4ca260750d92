/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds over all points, each starting from the previous round's result for the point and its ring.
 */
#include <string.h>

#include "motion/learn_weights.h"
#include "motion/weight_fit.h"
#include "sinew/kit/bounds.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/parameters.h"
#include "sinew/kit/status.h"

/* ---- what stays ---------------------------------------------------------------------------------------------------------- */

snw_status snk_mask_read(const snw_fit_input *input, uint32_t parameter, uint32_t mesh, snw_pool *pool, const double **mask) {
	const snw_mesh_view *view = input->character->meshes[mesh];
	const char *name = input->values[parameter].text;
	*mask = NULL;
	if (!name || !*name) {
		return SNW_OK;
	}
	double *values = SNW_POOL_ARRAY(pool, double, view->point_count);
	if (values) {
		snk_mask_fill(view, name, 0, values);
	}
	*mask = values;
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status snk_locked_slots_read(const snw_fit_input *input, uint32_t parameter, snw_pool *pool, const unsigned char **locked) {
	const snw_character_view *character = input->character;
	unsigned char *flags = SNW_POOL_ARRAY(pool, unsigned char, character->slot_count);
	int any = 0;
	for (uint32_t s = 0; flags && s < character->slot_count; s++) {
		flags[s] = snk_parameter_value(input, parameter, SNW_NONE, character->slot_joints[s]) != 0;
		any |= flags[s];
	}
	*locked = any ? flags : NULL;
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- candidates ---------------------------------------------------------------------------------------------------------- */

/* The slots that a point may use: its own, its ring's, and those of the joints next to them in the skeleton. A slot from
 * elsewhere may happen to move alike in the samples; it would not in other poses. */

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

/* Fills rings and near_slots. */
static snw_status gather_neighbours(snw_pool *pool, weight_fit *f) {
	const snk_faces faces = snk_faces_of(f->mesh);
	const snw_status status = snk_adjacency_find(&faces, pool, &f->rings);
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

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

enum {
	ROUNDS = 2,        /* the second starts from the supports of neighbours */
	SMOOTH_ROUNDS = 6, /* if weights are smoothed */
	GRAIN = 16,
};

static void SNW_CALL run_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	fit_points(argument, begin, end);
}

static snw_status run_rounds(const snw_host *host, const snk_stretch *stretch, weight_fit *f) {
	const uint32_t rounds = f->options->smoothness > 0 ? SMOOTH_ROUNDS : ROUNDS;
	const double length = (stretch->end - stretch->begin) / rounds;
	snw_status status = SNW_OK;
	for (uint32_t round = 0; !snk_failed(status) && round < rounds; round++) {
		const double begin = stretch->begin + round * length;
		const snk_stretch part = {begin, begin + length, stretch->activity};
		status = snk_ranges_run_reported(host, f->mesh->point_count, GRAIN, run_chunk, f, &part);
		influence_set *found = f->next;
		f->next = f->current;
		f->current = found;
	}
	return status;
}

/* The largest base weights, as a start. */
static void read_base(const weight_fit *f) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		influence_set *set = &f->current[i];
		set->count = snk_largest_influences(f->mesh, i, f->options->influences, set->slots, set->weights);
	}
}

/* The base weights of a held point, or those that were found; `slots` and `weights` NULL: only counts them. */
static uint32_t copy_point(const weight_fit *f, uint32_t point, uint32_t *slots, double *weights) {
	const influence_set *set = &f->current[point];
	const uint32_t first = f->mesh->influence_offsets[point];
	const uint32_t count = f->held[point] ? f->mesh->influence_offsets[point + 1] - first : set->count;
	if (slots) {
		memcpy(slots, f->held[point] ? f->mesh->influence_slots + first : set->slots, count * sizeof *slots);
		memcpy(weights, f->held[point] ? f->mesh->influence_weights + first : set->weights, count * sizeof *weights);
	}
	return count;
}

static snw_status copy_weights(const weight_fit *f, snw_pool *pool, snk_base_skin_mesh *skin) {
	const uint32_t points = f->mesh->point_count;
	size_t count = 0;
	for (uint32_t i = 0; i < points; i++) {
		count += copy_point(f, i, NULL, NULL);
	}
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(pool, double, count);
	if (pool->failed || count > UINT32_MAX) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t i = 0; i < points; i++) {
		offsets[i + 1] = offsets[i] + copy_point(f, i, slots + offsets[i], weights + offsets[i]);
	}
	*skin = (snk_base_skin_mesh){points, offsets, slots, weights};
	return SNW_OK;
}

snw_status snk_learn_weights(const snw_host *host, const snw_character_view *character, uint32_t mesh,
							 const snk_weight_options *options, snw_pool *pool, snk_base_skin_mesh *skin,
							 const snk_weight_residuals *residuals) {
	const snw_mesh_view *view = character->meshes[mesh];
	const size_t points = view->point_count;
	snw_pool scratch = snw_pool_open(host);
	weight_fit f = {.character = character,
					.mesh = view,
					.options = options,
					.diagonal = snk_bounds_diagonal(view->points_rest, view->point_count),
					.current = SNW_POOL_ARRAY(&scratch, influence_set, points),
					.next = SNW_POOL_ARRAY(&scratch, influence_set, points),
					.held = SNW_POOL_ARRAY(&scratch, unsigned char, points),
					.residuals_before = residuals->before,
					.residuals = residuals->after};
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : gather_neighbours(&scratch, &f);
	status = snk_failed(status) ? status : open_products(host, &f, &scratch, &f.products);
	if (!snk_failed(status)) {
		read_base(&f);
		status = run_rounds(host, &options->stretch, &f);
	}
	status = snk_failed(status) ? status : copy_weights(&f, pool, skin);
	snw_pool_release(&scratch);
	return status;
}
