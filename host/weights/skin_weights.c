/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "weights/skin_weights.h"

#include <math.h>
#include <string.h>

#include "mesh/surface_place.h"
#include "sinew/algebra.h"

/* What locked joints leave of 1 is rounding below this. */
static const double NEGLIGIBLE = 1e-9;

/* ---- a skin being written ------------------------------------------------------------------------------------------------ */

typedef struct influence {
	uint32_t slot;
	double weight;
} influence;

/* The influences of one point, each slot once; then the skin's, point by point. */
typedef struct skin_writer {
	snw_arena *arena;
	uint32_t count, room;
	influence *list;
	uint32_t written, written_room;
	uint32_t *offsets, *slots;
	double *weights;
} skin_writer;

static skin_writer open_writer(const snw_mesh *mesh, snw_arena *arena) {
	return (skin_writer){.arena = arena, .offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1)};
}

static void add(skin_writer *w, uint32_t slot, double weight) {
	for (uint32_t k = 0; k < w->count; k++) {
		if (w->list[k].slot == slot) {
			w->list[k].weight += weight;
			return;
		}
	}
	w->list = snw_arena_grow(w->arena, w->list, w->count, &w->room, sizeof *w->list);
	w->list[w->count++] = (influence){slot, weight};
}

static void add_point(skin_writer *w, const snw_mesh *skin, uint32_t point, double factor) {
	for (uint32_t k = skin->influence_offsets[point]; k < skin->influence_offsets[point + 1]; k++) {
		add(w, skin->influence_slots[k], factor * skin->influence_weights[k]);
	}
}

/* The largest first; of equal ones the lower slot. */
static void sort_by_weight(skin_writer *w) {
	for (uint32_t k = 1; k < w->count; k++) {
		const influence inserted = w->list[k];
		uint32_t at = k;
		for (; at > 0 && (w->list[at - 1].weight < inserted.weight ||
						  (w->list[at - 1].weight == inserted.weight && w->list[at - 1].slot > inserted.slot));
			 at--) {
			w->list[at] = w->list[at - 1];
		}
		w->list[at] = inserted;
	}
}

static void write_influence(skin_writer *w, uint32_t slot, double weight) {
	uint32_t room = w->written_room;
	w->slots = snw_arena_grow(w->arena, w->slots, w->written, &room, sizeof *w->slots);
	w->weights = snw_arena_grow(w->arena, w->weights, w->written, &w->written_room, sizeof *w->weights);
	w->slots[w->written] = slot;
	w->weights[w->written++] = weight;
}

/* Writes a point as it is in a skin, to the last bit. */
static void copy_point(skin_writer *w, const snw_mesh *skin, uint32_t point) {
	for (uint32_t k = skin->influence_offsets[point]; k < skin->influence_offsets[point + 1]; k++) {
		write_influence(w, skin->influence_slots[k], skin->influence_weights[k]);
	}
	w->offsets[point + 1] = w->written;
}

/* Writes the point's influences with a sum of 1, and empties the list. */
static void finish_point(skin_writer *w, uint32_t point) {
	double sum = 0;
	for (uint32_t k = 0; k < w->count; k++) {
		sum += w->list[k].weight;
	}
	for (uint32_t k = 0; k < w->count; k++) {
		write_influence(w, w->list[k].slot, w->list[k].weight / sum);
	}
	w->offsets[point + 1] = w->written;
	w->count = 0;
}

static snw_mesh close_writer(const skin_writer *w, const snw_mesh *mesh) {
	snw_mesh result = *mesh;
	result.influence_offsets = w->offsets;
	result.influence_slots = w->slots;
	result.influence_weights = w->weights;
	return result;
}

/* ---- normalised and pruned ----------------------------------------------------------------------------------------------- */

snw_mesh snw_skin_normalise(const snw_mesh *mesh, snw_arena *arena) {
	skin_writer w = open_writer(mesh, arena);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		add_point(&w, mesh, i, 1);
		finish_point(&w, i);
	}
	return close_writer(&w, mesh);
}

static bool is_locked(const snw_scene *scene, uint32_t slot, uint32_t lock_count, const uint32_t *locked) {
	for (uint32_t k = 0; k < lock_count; k++) {
		if (scene->slot_joints[slot] == locked[k]) {
			return true;
		}
	}
	return false;
}

/* Of the list, the largest first: what is locked, and as many others as there is room for. */
static void keep_largest(skin_writer *w, const snw_scene *scene, uint32_t most, double least, uint32_t lock_count,
						 const uint32_t *locked) {
	uint32_t locked_here = 0, others = 0, kept = 0;
	double remainder = 0; /* what the locked joints leave */
	for (uint32_t k = 0; k < w->count; k++) {
		const bool is_one = is_locked(scene, w->list[k].slot, lock_count, locked);
		locked_here += is_one;
		remainder += is_one ? 0 : w->list[k].weight;
	}
	const uint32_t room = most > locked_here ? most - locked_here : 0;
	const bool is_any_needed = locked_here == 0 || fabs(remainder) > NEGLIGIBLE;
	for (uint32_t k = 0; k < w->count; k++) {
		const influence next = w->list[k];
		const bool stays_locked = is_locked(scene, next.slot, lock_count, locked);
		const bool is_needed = is_any_needed && others == 0 && (locked_here == 0 || next.weight != 0);
		if (stays_locked || is_needed || (others < room && next.weight > 0 && next.weight >= least)) {
			others += !stays_locked;
			w->list[kept++] = next;
		}
	}
	w->count = kept;
}

snw_mesh snw_skin_prune(const snw_scene *scene, const snw_mesh *mesh, uint32_t most, double least, uint32_t lock_count,
						const uint32_t *locked, snw_arena *arena) {
	skin_writer w = open_writer(mesh, arena);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		add_point(&w, mesh, i, 1);
		sort_by_weight(&w);
		keep_largest(&w, scene, most, least, lock_count, locked);
		finish_point(&w, i);
	}
	return close_writer(&w, mesh);
}

/* ---- mirrored ------------------------------------------------------------------------------------------------------------ */

/* The slot of the partner of a slot's joint; the slot itself where there is no partner, SNW_NONE where the partner has no
 * slot. */
static uint32_t partner_slot(const snw_scene *scene, const snw_mirror_joints *joints, uint32_t slot) {
	const uint32_t partner = joints->partners[scene->slot_joints[slot]];
	if (partner == SNW_NONE || partner == scene->slot_joints[slot]) {
		return slot;
	}
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == partner) {
			return s;
		}
	}
	return SNW_NONE;
}

static snw_status add_mirrored(skin_writer *w, const snw_scene *scene, const snw_mirror_joints *joints, const snw_mesh *mesh,
							   uint32_t point, snw_error *error) {
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const uint32_t slot = mesh->influence_slots[k], partner = partner_slot(scene, joints, slot);
		if (partner == SNW_NONE) {
			const uint32_t joint = scene->slot_joints[slot];
			return snw_fail(
				error, SNW_ERROR_MISSING,
				"joint '%s' has no bind matrix, so weights of '%s' cannot be mirrored onto it; 'sinew bind' gives it "
				"one",
				scene->skeleton.names[joints->partners[joint]], scene->skeleton.names[joint]);
		}
		add(w, partner, mesh->influence_weights[k]);
	}
	return SNW_OK;
}

snw_status snw_skin_mirror(const snw_scene *scene, const snw_mesh *mesh, const snw_mirror_map *map,
						   const snw_mirror_joints *joints, bool from_larger, snw_arena *arena, snw_mesh *result,
						   snw_error *error) {
	skin_writer w = open_writer(mesh, arena);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const uint32_t partner = map->partners[i];
		const double side = mesh->points_rest[3 * (size_t)i + map->plane.axis] - map->plane.offset;
		const bool is_source = partner == SNW_NONE || (partner != i && (side > 0) == from_larger);
		if (is_source || partner == i) {
			add_point(&w, mesh, i, 1);
		}
		const snw_status status = is_source ? SNW_OK : add_mirrored(&w, scene, joints, mesh, partner, error);
		if (snw_failed(status)) {
			return status;
		}
		finish_point(&w, i);
	}
	*result = close_writer(&w, mesh);
	return SNW_OK;
}

/* ---- copied -------------------------------------------------------------------------------------------------------------- */

snw_status snw_skin_from_mesh(const snw_mesh *mesh, const snw_mesh *from, const snw_task *task, snw_arena *arena,
							  snw_mesh *result, snw_error *error) {
	if (from->point_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no points to copy weights from", from->name);
	}
	snw_surface_place *places = SNW_NEW_ARRAY(arena, snw_surface_place, mesh->point_count);
	const snw_status status = snw_surface_places_find(mesh->point_count, mesh->points_rest, from, from->points_rest,
													  "copying weights", task, places, error);
	if (snw_failed(status)) {
		return status;
	}
	skin_writer w = open_writer(mesh, arena);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (int n = 0; n < 3; n++) {
			if (places[i].shares[n] > 0) {
				add_point(&w, from, places[i].points[n], places[i].shares[n]);
			}
		}
		finish_point(&w, i);
	}
	*result = close_writer(&w, mesh);
	return SNW_OK;
}

/* ---- locked -------------------------------------------------------------------------------------------------------------- */

/* The sum of a point's weights of joints that are locked, or that are not. */
static double sum_of(const snw_scene *scene, const snw_mesh *skin, uint32_t point, bool of_locked, uint32_t lock_count,
					 const uint32_t *locked) {
	double sum = 0;
	for (uint32_t k = skin->influence_offsets[point]; k < skin->influence_offsets[point + 1]; k++) {
		sum += is_locked(scene, skin->influence_slots[k], lock_count, locked) == of_locked ? skin->influence_weights[k] : 0;
	}
	return sum;
}

snw_mesh snw_skin_lock(const snw_scene *scene, const snw_mesh *mesh, const snw_mesh *wanted, uint32_t lock_count,
					   const uint32_t *locked, snw_arena *arena) {
	if (!mesh->influence_offsets || lock_count == 0) {
		return *wanted;
	}
	skin_writer w = open_writer(mesh, arena);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double kept = sum_of(scene, mesh, i, true, lock_count, locked);
		/* Without other weights in the wanted skin, the others are those that the point has. */
		const double wanted_others = sum_of(scene, wanted, i, false, lock_count, locked);
		const snw_mesh *others = wanted_others > 0 ? wanted : mesh;
		const double sum = wanted_others > 0 ? wanted_others : sum_of(scene, mesh, i, false, lock_count, locked);
		if (kept > 1 + NEGLIGIBLE) { /* a negative weight of another joint balances them */
			copy_point(&w, mesh, i);
			continue;
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			if (is_locked(scene, mesh->influence_slots[k], lock_count, locked)) {
				add(&w, mesh->influence_slots[k], mesh->influence_weights[k]);
			}
		}
		for (uint32_t k = others->influence_offsets[i];
			 sum > 0 && kept < 1 - NEGLIGIBLE && k < others->influence_offsets[i + 1]; k++) {
			if (!is_locked(scene, others->influence_slots[k], lock_count, locked)) {
				add(&w, others->influence_slots[k], others->influence_weights[k] * (1 - kept) / sum);
			}
		}
		if (w.count == 0) { /* only a locked joint of weight 0 is wanted */
			add_point(&w, mesh, i, 1);
		}
		finish_point(&w, i);
	}
	return close_writer(&w, mesh);
}

/* ---- mixed --------------------------------------------------------------------------------------------------------------- */

snw_mesh snw_skin_mix(const snw_mesh *mesh, const snw_mesh *wanted, const double *mask, snw_arena *arena) {
	if (!mesh->influence_offsets) {
		return *wanted;
	}
	skin_writer w = open_writer(mesh, arena);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double share = fmin(fmax(mask[i], 0), 1);
		if (share == 0 || share == 1) {
			copy_point(&w, share == 0 ? mesh : wanted, i);
			continue;
		}
		add_point(&w, wanted, i, share);
		add_point(&w, mesh, i, 1 - share);
		finish_point(&w, i);
	}
	return close_writer(&w, mesh);
}

uint32_t snw_skin_most_influences(const snw_mesh *mesh) {
	uint32_t most = 0;
	for (uint32_t i = 0; mesh->influence_offsets && i < mesh->point_count; i++) {
		const uint32_t count = mesh->influence_offsets[i + 1] - mesh->influence_offsets[i];
		most = count > most ? count : most;
	}
	return most;
}
