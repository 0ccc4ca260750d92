/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds over all points, each starting from the previous round's result for the point and its ring.
 */
#include <math.h>
#include <string.h>

#include "motion/learn_weights.h"
#include "motion/weight_fit.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
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

/* Largest difference of matrices, by the mesh's size. */
static const double alike = 1e-6;

/* A smaller change of weight is not worth an influence. */
static const double least_lost = 1e-4;

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

/* Whether the samples cannot tell two slots apart: no joint between theirs moves. */
static int move_alike(const weight_fit *f, uint32_t a, uint32_t b) {
	const double most = alike * f->diagonal;
	int are_alike = 1;
	for (uint32_t s = 0; are_alike && s < f->options->sample_count; s++) {
		const double *palette = f->options->samples[s].pose->palette;
		for (size_t i = 0; are_alike && i < 12; i++) {
			const double gap = fabs(palette[12 * (size_t)a + i] - palette[12 * (size_t)b + i]);
			are_alike = gap * (i % 4 == 3 ? 1 : f->diagonal) <= most;
		}
	}
	return are_alike;
}

/* likes [slot_count]: the first slot that moves as each. */
static snw_status gather_alike_slots(snw_pool *pool, weight_fit *f) {
	uint32_t *likes = SNW_POOL_ARRAY(pool, uint32_t, f->character->slot_count);
	for (uint32_t slot = 0; likes && slot < f->character->slot_count; slot++) {
		likes[slot] = 0;
		while (likes[slot] < slot && (likes[likes[slot]] != likes[slot] || !move_alike(f, likes[slot], slot))) {
			likes[slot]++;
		}
	}
	f->likes = likes;
	return likes ? SNW_OK : SNW_ERROR_MEMORY;
}

/* The first slot of a joint; SNW_NONE. */
static uint32_t slot_of_joint(const snw_character_view *character, uint32_t joint) {
	uint32_t slot = 0;
	while (slot < character->slot_count && character->slot_joints[slot] != joint) {
		slot++;
	}
	return slot < character->slot_count ? slot : SNW_NONE;
}

/* Whether a joint moves as the one above it. */
static int is_still(const weight_fit *f, uint32_t joint) {
	const uint32_t above = f->character->skeleton->parents[joint];
	const uint32_t slot = slot_of_joint(f->character, joint);
	const uint32_t other = above == SNW_NONE ? SNW_NONE : slot_of_joint(f->character, above);
	return slot != SNW_NONE && other != SNW_NONE && f->likes[slot] == f->likes[other];
}

/* parts [slot_count]: the joint with which the part of the skeleton begins that a slot is of: it, or the nearest above it, does
 * not move. */
static snw_status gather_parts(snw_pool *pool, weight_fit *f) {
	uint32_t *parts = SNW_POOL_ARRAY(pool, uint32_t, f->character->slot_count);
	for (uint32_t slot = 0; parts && slot < f->character->slot_count; slot++) {
		uint32_t joint = f->character->slot_joints[slot];
		while (!is_still(f, joint) && f->character->skeleton->parents[joint] != SNW_NONE) {
			joint = f->character->skeleton->parents[joint];
		}
		parts[slot] = joint;
	}
	f->parts = parts;
	return parts ? SNW_OK : SNW_ERROR_MEMORY;
}

/* Fills rings, near_slots, likes and parts. */
static snw_status gather_neighbours(snw_pool *pool, weight_fit *f) {
	const snk_faces faces = snk_faces_of(f->mesh);
	snw_status status = snk_adjacency_find(&faces, pool, &f->rings);
	status = snk_failed(status) ? status : gather_near_slots(pool, f);
	status = snk_failed(status) ? status : gather_alike_slots(pool, f);
	return snk_failed(status) ? status : gather_parts(pool, f);
}

/* Not a slot that moves as one that is there, nor one of a part that the point does not follow: the samples would give it
 * weight by chance, which another pose would show. */
static uint32_t add(const weight_fit *f, uint32_t slot, uint32_t base_count, uint32_t count, uint32_t *candidates) {
	uint32_t at = 0;
	while (at < base_count && f->parts[candidates[at]] != f->parts[slot]) {
		at++;
	}
	if (at == base_count) {
		return count;
	}
	at = 0;
	while (at < count && f->likes[candidates[at]] != f->likes[slot]) {
		at++;
	}
	if (at == count && count < MOST_CANDIDATES) {
		candidates[count++] = slot;
	}
	return count;
}

static uint32_t add_base(const weight_fit *f, uint32_t point, uint32_t base_count, uint32_t count, uint32_t *candidates) {
	const snw_mesh_view *mesh = f->mesh;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		if (mesh->influence_weights[k] > 0) {
			count = add(f, mesh->influence_slots[k], base_count, count, candidates);
		}
	}
	return count;
}

/* Those of the point itself, all of them. */
static uint32_t list_base(const snw_mesh_view *mesh, uint32_t point, uint32_t *candidates) {
	uint32_t count = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		if (mesh->influence_weights[k] > 0 && count < MOST_CANDIDATES) {
			candidates[count++] = mesh->influence_slots[k];
		}
	}
	return count;
}

static uint32_t add_current(const weight_fit *f, uint32_t point, uint32_t base_count, uint32_t count, uint32_t *candidates) {
	for (uint32_t k = 0; k < f->current[point].count; k++) {
		count = add(f, f->current[point].slots[k], base_count, count, candidates);
	}
	return count;
}

static int may_use(const weight_fit *f, uint32_t slot) {
	return !f->options->kept || f->options->kept[slot];
}

uint32_t find_candidates(const weight_fit *f, uint32_t point, uint32_t candidates[MOST_CANDIDATES]) {
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	const uint32_t base = list_base(f->mesh, point, candidates);
	uint32_t count = add_current(f, point, base, base, candidates);
	if (f->character->slot_count <= MOST_CANDIDATES) {
		for (uint32_t slot = 0; slot < f->character->slot_count; slot++) {
			count = may_use(f, slot) ? add(f, slot, base, count, candidates) : count;
		}
		return count;
	}
	for (uint32_t k = first; k < end; k++) {
		count = add_current(f, f->rings.neighbours[k], base, count, candidates);
		count = add_base(f, f->rings.neighbours[k], base, count, candidates);
	}
	const uint32_t seeds = count;
	for (uint32_t s = 0; s < seeds; s++) {
		for (uint32_t k = f->near_slots.offsets[candidates[s]]; k < f->near_slots.offsets[candidates[s] + 1]; k++) {
			const uint32_t slot = f->near_slots.items[k];
			count = may_use(f, slot) ? add(f, slot, base, count, candidates) : count;
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

/* ---- joints that are not moved ------------------------------------------------------------------------------------------- */

/* What a joint moves that no sample moves cannot be learned: the weight of all joints from there on stays what it was. Between
 * the joint and the one above it weight is exchanged for that, which no sample shows. */

/* The slot of the nearest joint above with a slot that moves alike; SNW_NONE. */
static uint32_t alike_above(const weight_fit *f, uint32_t slot) {
	const snw_character_view *character = f->character;
	const uint32_t joint = character->skeleton->parents[character->slot_joints[slot]];
	uint32_t found = 0;
	while (found < character->slot_count && (character->slot_joints[found] != joint || f->likes[found] != f->likes[slot])) {
		found++;
	}
	return found < character->slot_count ? found : SNW_NONE;
}

static int is_below(const weight_fit *f, uint32_t slot, uint32_t top) {
	uint32_t joint = f->character->slot_joints[slot];
	while (joint != SNW_NONE && joint != f->character->slot_joints[top]) {
		joint = f->character->skeleton->parents[joint];
	}
	return joint != SNW_NONE;
}

/* How much less weight a slot and those below it have than at first. */
static double lost_below(const weight_fit *f, uint32_t point, uint32_t top) {
	const influence_set *set = &f->current[point];
	double lost = 0;
	for (uint32_t k = f->mesh->influence_offsets[point]; k < f->mesh->influence_offsets[point + 1]; k++) {
		lost += is_below(f, f->mesh->influence_slots[k], top) ? f->mesh->influence_weights[k] : 0;
	}
	for (uint32_t k = 0; k < set->count; k++) {
		lost -= is_below(f, set->slots[k], top) ? set->weights[k] : 0;
	}
	return lost;
}

/* Moves weight between two slots of a point as far as there is some, and room for another influence. */
static void exchange(const weight_fit *f, uint32_t from, uint32_t to, double weight, influence_set *set) {
	uint32_t source = 0, dest = 0;
	while (source < set->count && set->slots[source] != from) {
		source++;
	}
	while (dest < set->count && set->slots[dest] != to) {
		dest++;
	}
	if (source == set->count || dest == f->options->influences) {
		return;
	}
	if (dest == set->count) {
		set->slots[set->count++] = to;
		set->weights[dest] = 0;
	}
	const double exchanged = weight < set->weights[source] ? weight : set->weights[source];
	set->weights[source] -= exchanged;
	set->weights[dest] += exchanged;
}

static void keep_unmoved(const weight_fit *f) {
	for (uint32_t slot = 0; slot < f->character->slot_count; slot++) {
		const uint32_t above = alike_above(f, slot);
		const unsigned char *locked = f->options->locked;
		if (above == SNW_NONE || !may_use(f, slot) || !may_use(f, above) || (locked && (locked[slot] || locked[above]))) {
			continue;
		}
		for (uint32_t i = 0; i < f->mesh->point_count; i++) {
			const double lost = f->held[i] ? 0 : lost_below(f, i, slot);
			if (lost > least_lost) {
				exchange(f, above, slot, lost, &f->current[i]);
			} else if (lost < -least_lost) {
				exchange(f, slot, above, -lost, &f->current[i]);
			}
		}
	}
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

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
	if (!snk_failed(status)) {
		keep_unmoved(&f);
	}
	status = snk_failed(status) ? status : copy_weights(&f, pool, skin);
	snw_pool_release(&scratch);
	return status;
}
