/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "weights/weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "mesh/surface.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

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

static void add_weight(skin_writer *w, uint32_t slot, double weight) {
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
		add_weight(w, skin->influence_slots[k], factor * skin->influence_weights[k]);
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

/* Writes a point as it is in a skin, to the last bit, instead of the list. */
static void copy_point(skin_writer *w, const snw_mesh *skin, uint32_t point) {
	for (uint32_t k = skin->influence_offsets[point]; k < skin->influence_offsets[point + 1]; k++) {
		write_influence(w, skin->influence_slots[k], skin->influence_weights[k]);
	}
	w->offsets[point + 1] = w->written;
	w->count = 0;
}

/* Whether the weights of the list add up to 1 but for rounding: to divide by their sum would change digits in vain. */
static bool is_normalised(const skin_writer *w, double *sum) {
	*sum = 0;
	for (uint32_t k = 0; k < w->count; k++) {
		*sum += w->list[k].weight;
	}
	return fabs(*sum - 1) <= w->count * DBL_EPSILON;
}

/* Writes the point's influences with a sum of 1, and empties the list. */
static void finish_point(skin_writer *w, uint32_t point) {
	double sum;
	const double divisor = is_normalised(w, &sum) ? 1 : sum;
	for (uint32_t k = 0; k < w->count; k++) {
		write_influence(w, w->list[k].slot, w->list[k].weight / divisor);
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

static bool is_slot_locked(const snw_scene *scene, uint32_t slot, uint32_t lock_count, const uint32_t *locked) {
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
		const bool is_one = is_slot_locked(scene, w->list[k].slot, lock_count, locked);
		locked_here += is_one;
		remainder += is_one ? 0 : w->list[k].weight;
	}
	const uint32_t room = most > locked_here ? most - locked_here : 0;
	const bool is_any_needed = locked_here == 0 || fabs(remainder) > NEGLIGIBLE;
	for (uint32_t k = 0; k < w->count; k++) {
		const influence next = w->list[k];
		const bool stays_locked = is_slot_locked(scene, next.slot, lock_count, locked);
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
		double sum;
		add_point(&w, mesh, i, 1);
		sort_by_weight(&w);
		keep_largest(&w, scene, most, least, lock_count, locked);
		if (w.count == mesh->influence_offsets[i + 1] - mesh->influence_offsets[i] && is_normalised(&w, &sum)) {
			copy_point(&w, mesh, i);
		} else {
			finish_point(&w, i);
		}
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
		add_weight(w, partner, mesh->influence_weights[k]);
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
		sum +=
			is_slot_locked(scene, skin->influence_slots[k], lock_count, locked) == of_locked ? skin->influence_weights[k] : 0;
	}
	return sum;
}

static bool is_same_point(const snw_mesh *a, const snw_mesh *b, uint32_t point) {
	const uint32_t from = a->influence_offsets[point], from_b = b->influence_offsets[point];
	const size_t count = a->influence_offsets[point + 1] - from;
	return b->influence_offsets[point + 1] - from_b == count &&
		   memcmp(a->influence_slots + from, b->influence_slots + from_b, count * sizeof *a->influence_slots) == 0 &&
		   memcmp(a->influence_weights + from, b->influence_weights + from_b, count * sizeof *a->influence_weights) == 0;
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
		/* Above 1 a negative weight of another joint balances them. */
		if (kept > 1 + NEGLIGIBLE || is_same_point(mesh, wanted, i)) {
			copy_point(&w, mesh, i);
			continue;
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			if (is_slot_locked(scene, mesh->influence_slots[k], lock_count, locked)) {
				add_weight(&w, mesh->influence_slots[k], mesh->influence_weights[k]);
			}
		}
		for (uint32_t k = others->influence_offsets[i];
			 sum > 0 && kept < 1 - NEGLIGIBLE && k < others->influence_offsets[i + 1]; k++) {
			if (!is_slot_locked(scene, others->influence_slots[k], lock_count, locked)) {
				add_weight(&w, others->influence_slots[k], others->influence_weights[k] * (1 - kept) / sum);
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

/* ---- weights of joints that come and go ---------------------------------------------------------------------------------- */

/* A slot of the joint becomes a slot of its parent that has the same transform at rest, so that no point of the rest moves.
 * There is one in nearly every file; otherwise the parent gets one. */

/* Transforms at rest that differ by less than this part of the character's size are the same. */
static const double same = 1e-6;

typedef struct slot_change {
	const snw_scene *scene;
	uint32_t joint, parent;
	uint32_t *places; /* [slot_count]: the new slot */
	uint32_t count, *joints;
	double *inverse_binds; /* [count][12] */
} slot_change;

static uint32_t moved_points(const snw_scene *scene, uint32_t joint) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t i = 0; mesh->influence_offsets && i < mesh->point_count; i++) {
			uint32_t at = mesh->influence_offsets[i];
			const uint32_t end = mesh->influence_offsets[i + 1];
			while (at < end && scene->slot_joints[mesh->influence_slots[at]] != joint) {
				at++;
			}
			count += at < end;
		}
	}
	return count;
}

static uint32_t index_after(const slot_change *c, uint32_t joint) {
	return joint < c->joint ? joint : joint - 1;
}

/* What a slot does to the rest. */
static void rest_transform(const snw_scene *scene, uint32_t slot, double dest[12]) {
	snw_mat34_multiply(scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[slot],
					   scene->slot_inverse_binds + 12 * (size_t)slot, dest);
}

static bool is_same(const double a[12], const double b[12], double reach) {
	for (int i = 0; i < 12; i++) {
		if (fabs(a[i] - b[i]) > same * (i % 4 == 3 ? reach : 1)) {
			return false;
		}
	}
	return true;
}

/* The new slot of the parent for one of the joint. */
static snw_status find_slot(slot_change *c, uint32_t slot, snw_error *error) {
	const snw_scene *scene = c->scene;
	double wanted[12], found[12], inverse[12];
	rest_transform(scene, slot, wanted);
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == c->parent) {
			rest_transform(scene, s, found);
			if (is_same(wanted, found, snw_scene_diagonal(scene, SNW_NONE))) {
				c->places[slot] = c->places[s];
				return SNW_OK;
			}
		}
	}
	if (!snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)c->parent, inverse)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' has a scale of 0 at rest, so it can take no weights",
						scene->skeleton.names[c->parent]);
	}
	snw_mat34_multiply(inverse, wanted, c->inverse_binds + 12 * (size_t)c->count);
	c->joints[c->count] = index_after(c, c->parent);
	c->places[slot] = c->count++;
	return SNW_OK;
}

static snw_status place_slots(slot_change *c, bool moves_points, snw_error *error) {
	const snw_scene *scene = c->scene;
	snw_status status = SNW_OK;
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] != c->joint) {
			memcpy(c->inverse_binds + 12 * (size_t)c->count, scene->slot_inverse_binds + 12 * (size_t)s, 12 * sizeof(double));
			c->joints[c->count] = index_after(c, scene->slot_joints[s]);
			c->places[s] = c->count++;
		}
	}
	for (uint32_t s = 0; moves_points && !snw_failed(status) && s < scene->slot_count; s++) {
		status = scene->slot_joints[s] == c->joint ? find_slot(c, s, error) : SNW_OK;
	}
	return status;
}

/* Influences that fall together are added. */
static void place_weights(const slot_change *c, snw_arena *arena, snw_mesh *mesh) {
	const snw_mesh old = *mesh;
	const uint32_t most = old.influence_offsets[old.point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)old.point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, most), count = 0;
	double *weights = SNW_NEW_ARRAY(arena, double, most);
	for (uint32_t i = 0; i < old.point_count; i++) {
		offsets[i] = count;
		for (uint32_t k = old.influence_offsets[i]; k < old.influence_offsets[i + 1]; k++) {
			const uint32_t slot = c->places[old.influence_slots[k]];
			uint32_t at = offsets[i];
			while (at < count && slots[at] != slot) {
				at++;
			}
			slots[at] = slot;
			weights[at] = (at < count ? weights[at] : 0) + old.influence_weights[k];
			count += at == count;
		}
	}
	offsets[old.point_count] = count;
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

snw_status snw_joint_weights_to_parent(const snw_scene *scene, uint32_t joint, snw_arena *arena, snw_scene *fresh,
									   uint32_t *point_count, snw_error *error) {
	const size_t room = 2 * (size_t)scene->slot_count;
	slot_change c = {.scene = scene,
					 .joint = joint,
					 .parent = scene->skeleton.parents[joint],
					 .places = SNW_NEW_ARRAY(arena, uint32_t, scene->slot_count),
					 .joints = SNW_NEW_ARRAY(arena, uint32_t, room),
					 .inverse_binds = SNW_NEW_ARRAY(arena, double, 12 * room)};
	*point_count = moved_points(scene, joint);
	if (c.parent == SNW_NONE && *point_count > 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"joint '%s' is a root and moves %u point%s, which no joint could take over; give it a parent first",
						scene->skeleton.names[joint], *point_count, snw_plural(*point_count));
	}
	const snw_status status = place_slots(&c, *point_count > 0, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_mesh *meshes = snw_arena_copy(arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (meshes[m].influence_offsets) {
			place_weights(&c, arena, &meshes[m]);
		}
	}
	fresh->meshes = meshes;
	fresh->slot_count = c.count;
	fresh->slot_joints = c.joints;
	fresh->slot_inverse_binds = c.inverse_binds;
	return SNW_OK;
}

/* ---- weights that a fit has learned -------------------------------------------------------------------------------------- */

static uint32_t traits_of(const snw_registry *registry, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	return deformer ? deformer->descriptor->traits : 0;
}

uint32_t snw_learned_blend(const snw_scene *scene, const snw_registry *registry) {
	uint32_t found = SNW_NONE;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const uint32_t traits = traits_of(registry, &scene->layers[i]);
		if ((traits & SNW_REPLACES_BLEND) && !(traits & SNW_BINDS) && !scene->layers[i].muted) {
			found = i;
		}
	}
	return found;
}

/* The program of the layer: the last one that blends; NULL if its weights are not of the skeleton's joints. */
static const snw_program *find_blend(const snw_stack *stack, uint32_t mesh) {
	const snw_program *found = NULL;
	for (uint32_t i = 0; i < snw_stack_segment_count(stack, mesh); i++) {
		const snw_segment_info info = snw_stack_segment(stack, mesh, i);
		if (info.is_program && info.program->influence_offsets) {
			found = !info.has_palette && info.program->blend == SNW_BLEND_LINEAR ? info.program : NULL;
		}
	}
	return found;
}

static snw_status take_layer_weights(snw_project *project, const snw_mesh *mesh, const snw_program *program, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const uint32_t count = program->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1), next = 0;
	double *weights = SNW_NEW_ARRAY(arena, double, (size_t)count + 1);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			if (program->influence_weights[k] > 0) {
				slots[next] = program->influence_slots[k];
				weights[next++] = program->influence_weights[k];
			}
		}
		offsets[p + 1] = next;
	}
	snw_mesh skin = *mesh;
	skin.influence_offsets = offsets;
	skin.influence_slots = slots;
	skin.influence_weights = weights;
	skin = snw_skin_normalise(&skin, arena);
	const snw_status status = snw_project_put_skin(project, mesh->id, mesh->point_count, skin.influence_offsets,
												   skin.influence_slots, skin.influence_weights, error);
	snw_arena_destroy(arena);
	return status;
}

static snw_status mute_layer_at(snw_project *project, const snw_scene *scene, uint32_t index, bool muted, snw_error *error) {
	snw_layer layer = scene->layers[index];
	int64_t id;
	layer.muted = muted;
	return snw_project_put_layer(project, &layer, layer.model == SNW_NONE ? 0 : scene->models[layer.model].id, -1, &id, error);
}

/* The layer and all below it, for what the layer makes of each mesh. */
static snw_status take_weights_below(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t layer,
									 snw_error *error) {
	const snw_stack_options options = {.only_below = true, .below_layer = layer + 1};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &options, NULL, &stack, error);
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		const snw_program *program = find_blend(stack, m);
		if (!program) {
			status = snw_fail(error, SNW_ERROR_CONFLICT,
							  "%s does not move mesh %s by weights of the skeleton's joints, so its weights cannot be painted",
							  scene->layers[layer].name, scene->meshes[m].name);
		} else {
			status = take_layer_weights(project, &scene->meshes[m], program, error);
		}
	}
	if (stack) {
		snw_stack_destroy(stack);
	}
	return status;
}

snw_status snw_project_take_weights(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t layer,
									snw_error *error) {
	const uint32_t wanted = SNW_BASELINE | SNW_BINDS;
	uint32_t below = layer;
	while (below > 0 && (traits_of(registry, &scene->layers[below - 1]) & wanted) != wanted) {
		below--;
	}
	if (below == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "no linear blend is below %s to take its weights; add one below it",
						scene->layers[layer].name);
	}
	snw_status status = take_weights_below(project, scene, registry, layer, error);
	status = snw_failed(status) ? status : mute_layer_at(project, scene, layer, true, error);
	return snw_failed(status) ? status : mute_layer_at(project, scene, below - 1, false, error);
}
