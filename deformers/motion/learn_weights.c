/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds over all points, each starting from the previous round's result for the point and its ring.
 */
#include <math.h>
#include <string.h>

#include "motion/learn_weights.h"
#include "motion/weight_fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/put.h"

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

/* ---- the rest's shape ---------------------------------------------------------------------------------------------------- */

/* The least squares of every point for itself; then the mesh as a whole takes the places or leaves them. */

enum { REST_GRAIN = 64 };

static const double ridge = 1e-3;       /* beside the identity: the linear part of a blend squared */
static const double most_after = 0.1;   /* of the squares: wrong weights, and what changes with the pose, leave more */
static const double least_error = 1e-5; /* root mean square, of the diagonal */

/* A mesh whose places are sought. */
typedef struct search {
	const snw_mesh_view *mesh;
	const snk_sample *samples;
	uint32_t sample_count;
	double *vectors;        /* [point_count][3] */
	double *before, *after; /* [point_count]: squares over all samples */
} search;

static void search_point(const search *s, uint32_t point) {
	const snw_mesh_view *mesh = s->mesh;
	double normal[12] = {0}, right[3] = {0}, inverse[12], *vector = s->vectors + 3 * (size_t)point, back[3];
	s->before[point] = 0;
	for (uint32_t f = 0; f < s->sample_count; f++) {
		const double *palette = s->samples[f].pose->palette;
		double a[9], posed[3], error[3];
		snk_linear_part(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, palette, point, a);
		snk_blend_point(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, palette, point,
						mesh->points_rest + 3 * (size_t)point, posed);
		snk_sample_point(&s->samples[f], point, error);
		for (int c = 0; c < 3; c++) {
			error[c] -= posed[c];
			s->before[point] += error[c] * error[c];
		}
		for (int i = 0; i < 9; i++) {
			const int r = i / 3, c = i % 3;
			normal[4 * r + c] += a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c];
			right[c] += a[i] * error[r];
		}
	}
	for (int c = 0; c < 3; c++) {
		normal[5 * c] += ridge * s->sample_count;
	}
	memset(vector, 0, 3 * sizeof *vector);
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, vector);
	}
	snw_mat34_vector(normal, vector, back);
	s->after[point] = s->before[point] - 2 * snw_dot3(vector, right) + snw_dot3(vector, back);
}

static void SNW_CALL search_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		search_point(argument, i);
	}
}

static snw_status search_mesh(const snw_host *host, snw_pool *scratch, search *s) {
	const uint32_t points = s->mesh->point_count;
	s->vectors = SNW_POOL_ARRAY(scratch, double, 3 * (size_t)points);
	s->before = SNW_POOL_ARRAY(scratch, double, points);
	s->after = SNW_POOL_ARRAY(scratch, double, points);
	if (scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_ranges_run(host, points, REST_GRAIN, search_points, s);
	return SNW_OK;
}

/* Whether the mesh is to be moved. */
static int is_gained(const search *s) {
	const uint32_t points = s->mesh->point_count;
	const double least = least_error * snk_bounds_diagonal(s->mesh->points_rest, points);
	double before = 0, after = 0;
	for (uint32_t i = 0; i < points; i++) {
		before += s->before[i];
		after += s->after[i];
	}
	return before > least * least * points * s->sample_count && after < most_after * before;
}

/* The displacement of all points. */
static snw_status open_displacement(uint32_t point_count, snw_pool *pool, snw_displacements *dest, double **vectors) {
	uint32_t *coefficients = SNW_POOL_ARRAY(pool, uint32_t, 1);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, 2);
	*vectors = SNW_POOL_ARRAY(pool, double, 3 * (size_t)point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	offsets[1] = point_count;
	*dest = (snw_displacements){
		.size = sizeof *dest, .count = 1, .coefficients = coefficients, .offsets = offsets, .vectors = *vectors};
	return SNW_OK;
}

static void add_vectors(const search *s, double *points, double *vectors) {
	for (size_t i = 0; i < 3 * (size_t)s->mesh->point_count; i++) {
		points[i] += s->vectors[i];
		vectors[i] += s->vectors[i];
	}
}

static snw_status move_mesh(const search *s, uint32_t m, snw_pool *scratch, snw_pool *pool, snk_new_rest *at,
							snw_mesh_view *mesh, snw_displacements *dest) {
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *points = SNW_POOL_ARRAY(scratch, double, numbers);
	const snw_status status = points ? open_displacement(mesh->point_count, pool, dest, &at->vectors[m]) : SNW_ERROR_MEMORY;
	if (!snk_failed(status)) {
		memcpy(points, mesh->points_rest, numbers * sizeof *points);
		add_vectors(s, points, at->vectors[m]);
		mesh->points_rest = at->points[m] = points;
	}
	return status;
}

/* A mesh without a skin or samples stays. */
static snw_status learn_mesh(const snw_host *host, const snw_fit_input *input, uint32_t m, snw_pool *scratch, snw_pool *pool,
							 snk_new_rest *at, snw_mesh_view *mesh, snw_displacements *dest) {
	search s = {.mesh = input->character->meshes[m]};
	snk_sample *samples = NULL;
	const uint32_t points = mesh->point_count;
	if (!mesh->influence_offsets || points == 0) {
		return SNW_OK;
	}
	const snw_status status = snk_samples_gather(input, m, scratch, &samples, &s.sample_count);
	if (snk_failed(status) || s.sample_count == 0) {
		return status;
	}
	s.samples = samples;
	const snw_status found = search_mesh(host, scratch, &s);
	return !snk_failed(found) && is_gained(&s) ? move_mesh(&s, m, scratch, pool, at, mesh, dest) : found;
}

snw_status snk_learn_rest_shape(const snw_host *host, const snw_fit_input *input, snw_pool *scratch, snw_pool *pool,
								snk_new_rest *at_new_rest, snk_rest_shape *shape) {
	const uint32_t count = input->character->mesh_count;
	snw_character_view *character = SNW_POOL_ARRAY(scratch, snw_character_view, 1);
	snw_mesh_view *views = SNW_POOL_ARRAY(scratch, snw_mesh_view, count);
	const snw_mesh_view **meshes = (const snw_mesh_view **)snw_pool_acquire(scratch, count, sizeof *meshes);
	snw_displacements *displacements = SNW_POOL_ARRAY(pool, snw_displacements, count);
	*shape = (snk_rest_shape){0};
	*at_new_rest = (snk_new_rest){.input = {.size = sizeof at_new_rest->input},
								  .points = (double **)snw_pool_acquire(scratch, count, sizeof(double *)),
								  .vectors = (double **)snw_pool_acquire(scratch, count, sizeof(double *))};
	snw_put(&at_new_rest->input, input);
	snw_status status = scratch->failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; m < count && !snk_failed(status); m++) {
		views[m].size = sizeof *views;
		snw_put(&views[m], input->character->meshes[m]);
		meshes[m] = &views[m];
		status = learn_mesh(host, input, m, scratch, pool, at_new_rest, &views[m], &displacements[m]);
		shape->coefficient_count |= displacements[m].count;
	}
	if (!snk_failed(status)) {
		character->size = sizeof *character;
		snw_put(character, input->character);
		character->meshes = meshes;
		at_new_rest->input.character = character;
		shape->mesh_count = count;
		shape->meshes = displacements;
	}
	return status;
}

snw_status snk_refine_rest_shape(const snw_host *host, const snk_base_skin_mesh *skin, uint32_t sample_count,
								 const snk_sample *samples, uint32_t mesh, snk_new_rest *at, double *residuals) {
	snw_pool scratch = snw_pool_open(host);
	const snw_mesh_view skinned = {.size = sizeof skinned,
								   .point_count = skin->point_count,
								   .points_rest = at->points[mesh],
								   .influence_offsets = skin->offsets,
								   .influence_slots = skin->slots,
								   .influence_weights = skin->weights};
	search s = {.mesh = &skinned, .samples = samples, .sample_count = sample_count};
	const snw_status status = search_mesh(host, &scratch, &s);
	if (!snk_failed(status)) {
		add_vectors(&s, at->points[mesh], at->vectors[mesh]);
		for (uint32_t i = 0; i < skin->point_count; i++) {
			residuals[i] = sqrt(fmax(s.after[i], 0) / sample_count);
		}
	}
	snw_pool_release(&scratch);
	return status;
}

void snk_rest_shape_drive(const snk_rest_shape *shape, double *d) {
	for (uint32_t k = 0; k < shape->coefficient_count; k++) {
		d[k] = 1;
	}
}

void snk_rest_shape_lower(const snk_rest_shape *shape, uint32_t mesh, snw_program_part *part) {
	if (mesh < shape->mesh_count && shape->meshes[mesh].count > 0) {
		part->rest = &shape->meshes[mesh];
	}
}

void snk_rest_shape_bytes(snk_bytes *bytes, snk_rest_shape *shape) {
	if (snk_failed(bytes->status) || (bytes->is_load ? bytes->reader.count == 0 : shape->coefficient_count == 0)) {
		return;
	}
	snk_bytes_mesh_count(bytes, &shape->mesh_count);
	if (bytes->is_load) {
		shape->coefficient_count = 1;
		shape->meshes = snk_bytes_acquire(bytes, shape->mesh_count, sizeof *shape->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < shape->mesh_count; m++) {
		snw_displacements *d = &shape->meshes[m];
		uint32_t points = d->count > 0 ? (uint32_t)d->offsets[1] : 0;
		double *vectors = (double *)d->vectors;
		snk_bytes_count(bytes, 3 * sizeof *vectors, &points);
		if (bytes->is_load && points > 0 && snk_bytes_need(bytes, points == bytes->character->meshes[m]->point_count)) {
			bytes->status = open_displacement(points, bytes->pool, d, &vectors);
		}
		if (!snk_failed(bytes->status) && points > 0) {
			snk_bytes_f64(bytes, 3 * (size_t)points, vectors);
		}
	}
}

snw_status snk_rest_shape_transfer(const snw_transfer_call *call, snw_pool *pool, snk_rest_shape *shape) {
	return snk_transfer_displacements(call, pool, shape->mesh_count, NULL, shape->meshes);
}
