/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights from heat: one sparse factorisation for a mesh, and one right-hand side for each slot.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "skin-weights/skin-weights.h"

/* ---- what heats a point -------------------------------------------------------------------------------------------------- */

/* Which bones heat a point, and how strongly. Its constants were chosen on a human; skin-weights.h says what they make of other
 * characters. */

enum { GRAIN = 256, BATCH = 16 };

/* A bone is in sight of a point if the direction to it is at least this far behind the surface (the cosine to the normal), and
 * if none is nearer by this factor: what is farther belongs to another part of the body. */
static const double in_sight = 0.637, in_reach = 1.55;

/* Distances count as at least this part of the diagonal. */
static const double least_distance = 1e-4;

/* A bone's thickness: at so many of the points beside it the surface is nearer. It is known if at least FEWEST_BESIDE points
 * are. */
static const double thickness_rank = 0.717;
enum { FEWEST_BESIDE = 6 };

/* A bone pulls by this power of its thickness. */
static const double pull = 0.246;

/* The way on the wrong side of a joint's plane makes a bone more distant: this times its power, both as parts of the
 * diagonal. */
static const double behind = 0.549, behind_power = 0.644;

/* So many times its depth in a trunk makes a bone that branches off more distant, as does the way behind a plane: what is in
 * the trunk is the trunk's. */
static const double in_trunk = 4;

/* Bones share a point by this negative power of their remoteness; smaller shares than the least are dropped. */
static const double share_power = 70.7, least_share = 0.02;

/* Heat falls with this power of the distance. The remaining power that makes it an inverse area is that of a length, as part of
 * the diagonal, so that thick limbs have narrower transitions for their size than thin ones. */
static const double falloff = 0.72, usual_distance = 0.0252;

/* How much stronger the heat of a joint without children is: nothing beyond it moves. */
static const double leaf_heat = 2.62;

/* Weights are evened out over this part of the squared diagonal, by a power of the bone's thickness. */
static const double even_area = 0.000146, even_power = 1.4;

/* ---- sight --------------------------------------------------------------------------------------------------------------- */

static double nearest_of_all(const heat *h, const double place[3]) {
	double least = HUGE_VAL, nearest[3];
	for (uint32_t b = 0; b < h->f->bone_count; b++) {
		nearest_on_bone(&h->f->bones[b], place, nearest);
		least = fmin(least, snw_squared_distance3(place, nearest));
	}
	return sqrt(least);
}

/* The distance of a bone; infinite if it is farther than `most`, or out of sight and `everywhere` is 0. */
static double distance_of(const heat *h, uint32_t point, const bone *b, double most, int everywhere) {
	const double *place = h->mesh->points_rest + 3 * (size_t)point, *normal = h->normals + 3 * (size_t)point;
	double nearest[3], away[3];
	nearest_on_bone(b, place, nearest);
	for (int c = 0; c < 3; c++) {
		away[c] = nearest[c] - place[c];
	}
	const double distance = snw_length3(away);
	const int is_seen =
		everywhere || (distance <= most && snw_dot3(away, normal) <= -in_sight * distance * snw_length3(normal));
	return is_seen ? distance : HUGE_VAL;
}

/* ---- thickness ----------------------------------------------------------------------------------------------------------- */

/* The nearest bone in sight of a point beside which the point is, and not behind one of its ends; SNW_NONE for none. */
static void find_beside(const heat *h, uint32_t point, beside *found) {
	const double *place = h->mesh->points_rest + 3 * (size_t)point;
	const double most = in_reach * nearest_of_all(h, place);
	*found = (beside){SNW_NONE, HUGE_VAL};
	for (uint32_t b = 0; b < h->f->bone_count; b++) {
		const double distance = distance_of(h, point, &h->f->bones[b], most, 0);
		if (distance < found->distance) {
			*found = (beside){b, distance};
		}
	}
	if (found->bone != SNW_NONE) {
		const bone *b = &h->f->bones[found->bone];
		double nearest[3];
		nearest_on_bone(b, place, nearest);
		const int at_end = memcmp(nearest, b->ends[0], sizeof nearest) == 0 || memcmp(nearest, b->ends[1], sizeof nearest) == 0;
		found->bone = at_end ? SNW_NONE : found->bone;
	}
}

static void SNW_CALL find_all_beside(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const heat *h = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_beside(h, i, &h->beside[i]);
	}
}

static int compare_numbers(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* thicknesses and farthest, of bones that enough points are beside; the others have the median thickness of these. */
static snw_status measure_thickness(heat *h) {
	const snk_stretch stretch = {progress_at(h->f, 0), progress_at(h->f, 0.05), "finding bones in sight"};
	const uint32_t bones = h->f->bone_count, points = h->mesh->point_count;
	double *distances = SNW_POOL_ARRAY(&h->pool, double, points), *known = SNW_POOL_ARRAY(&h->pool, double, bones);
	uint32_t known_count = 0;
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const snw_status status = snk_ranges_run_reported(h->f->host, points, GRAIN, find_all_beside, h, &stretch);
	for (uint32_t b = 0; !snk_failed(status) && b < bones; b++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < points; i++) {
			if (h->beside[i].bone == b) {
				distances[count++] = h->beside[i].distance;
			}
		}
		if (count >= FEWEST_BESIDE) {
			qsort(distances, count, sizeof *distances, compare_numbers);
			h->farthest[b] = distances[count - 1];
			const double ranked = distances[(uint32_t)(thickness_rank * (count - 1))];
			h->thicknesses[b] = known[known_count++] = fmax(ranked, least_distance * h->f->diagonal);
		}
	}
	if (known_count > 0) {
		qsort(known, known_count, sizeof *known, compare_numbers);
	}
	h->usual_thickness = known_count > 0 ? known[known_count / 2] : usual_distance * h->f->diagonal;
	for (uint32_t b = 0; b < bones; b++) {
		h->thicknesses[b] = h->thicknesses[b] > 0 ? h->thicknesses[b] : h->usual_thickness;
	}
	return status;
}

/* thicknesses, farthest, trunks, planes; needs normals. */
static snw_status measure_bones(heat *h) {
	const snw_status status = measure_thickness(h);
	if (!snk_failed(status)) {
		find_trunks(h);
		find_joint_planes(h);
	}
	return status;
}

/* ---- sources ------------------------------------------------------------------------------------------------------------- */

/* The distance by which a bone competes. That of a trunk does so everywhere in it, in sight or not: on top of a shoulder, where
 * skin faces away from the spine, the collarbone has no claim either. */
static double competing_distance(const heat *h, uint32_t point, uint32_t number, double most, int everywhere) {
	const bone *b = &h->f->bones[number];
	const double seen = distance_of(h, point, b, most, everywhere), radius = trunk_radius(h, number);
	const double any = isfinite(seen) || !(radius > 0) ? seen : distance_of(h, point, b, most, 1);
	return any < radius ? any : seen;
}

/* What bones compete by: the distance, farther on the wrong side of joints and in trunks, over the pull. Infinite if the bone
 * is out of sight. */
static double remoteness_of(const heat *h, uint32_t point, uint32_t number, double most, int everywhere) {
	const double distance = competing_distance(h, point, number, most, everywhere), diagonal = h->f->diagonal;
	if (!isfinite(distance)) {
		return distance;
	}
	const double *place = h->mesh->points_rest + 3 * (size_t)point;
	const double depth = depth_in_trunk(h, joint_of(h, number), place);
	const double wrong = (distance_behind_planes(h, &h->f->bones[number], place) + in_trunk * depth) / diagonal;
	return (distance / diagonal + behind * pow(wrong, behind_power)) / pow(h->thicknesses[number] / diagonal, pull);
}

/* Gives a slot at least this share. The smallest is left out where there are too many. */
static void add_near(near_slots *near, uint32_t slot, double share) {
	uint32_t least = 0;
	for (uint32_t k = 0; k < near->count; k++) {
		if (near->slots[k] == slot) {
			near->shares[k] = fmax(near->shares[k], share);
			return;
		}
		least = near->shares[k] < near->shares[least] ? k : least;
	}
	if (near->count < MOST_NEAR) {
		least = near->count++;
	} else if (near->shares[least] >= share) {
		return;
	}
	near->slots[least] = slot;
	near->shares[least] = share;
}

static void share_point(const heat *h, uint32_t point, double nearest, double most, int everywhere) {
	near_slots *near = &h->near[point];
	double sum = 0;
	for (uint32_t b = 0; b < h->f->bone_count; b++) {
		const double remoteness = fmax(remoteness_of(h, point, b, most, everywhere), 1e-12);
		const double share = isfinite(remoteness) ? pow(fmax(nearest, 1e-12) / remoteness, share_power) : 0;
		if (share >= least_share) {
			add_near(near, h->f->bones[b].slot, share);
		}
	}
	for (uint32_t k = 0; k < near->count; k++) {
		sum += near->shares[k];
	}
	for (uint32_t k = 0; k < near->count; k++) {
		near->shares[k] /= sum;
	}
}

/* sources, near and smoothing of a point, by the bones in sight or, if `everywhere` is not 0, by all bones. */
static void heat_point(const heat *h, uint32_t point, int everywhere) {
	const weights_fit *f = h->f;
	const double *place = h->mesh->points_rest + 3 * (size_t)point;
	const double most = in_reach * nearest_of_all(h, place), diagonal = f->diagonal;
	double least = HUGE_VAL;
	uint32_t nearest = SNW_NONE;
	for (uint32_t b = 0; b < f->bone_count; b++) {
		const double remoteness = remoteness_of(h, point, b, most, everywhere);
		if (remoteness < least) {
			least = remoteness;
			nearest = b;
		}
	}
	h->near[point].count = 0;
	h->sources[point] = 0;
	const double thickness = nearest == SNW_NONE ? h->usual_thickness : h->thicknesses[nearest];
	h->smoothing[point] = even_area * diagonal * diagonal * pow(thickness / (usual_distance * diagonal), even_power);
	const double distance = nearest == SNW_NONE ? HUGE_VAL : distance_of(h, point, &h->f->bones[nearest], most, everywhere);
	if (!isfinite(distance)) {
		return; /* a trunk out of sight heats nothing: the point follows its neighbours */
	}
	share_point(h, point, least, most, everywhere);
	const double way = fmax(distance, least_distance * diagonal) / diagonal;
	const double strength = h->planes[joint_of(h, nearest)].is_leaf ? leaf_heat : 1;
	const double area = f->input->values[SPREAD].numbers[0] * pow(way, falloff) * pow(usual_distance, 2 - falloff);
	h->sources[point] = strength * h->areas[point] / (area * diagonal * diagonal);
}

/* ---- where the heat goes ------------------------------------------------------------------------------------------------- */

/* What flows along an edge whose cotangents are not positive: so little that it counts only where nothing else does. */
static const double least_conductance = 1e-9;

/* Weights are raised to this power: little more than the borders of heat is left. */
static const double sharpness = 8;

/* Weights below this are dropped. */
static const double least_weight = 1e-3;

/* ---- what heats the points ----------------------------------------------------------------------------------------------- */

static void SNW_CALL heat_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		heat_point(argument, i, 0);
	}
}

/* Pieces of the surface that see no bone take the nearest ones, wherever these are. */
static snw_status heat_pieces(heat *h) {
	const uint32_t count = h->mesh->point_count;
	uint32_t *queue = SNW_POOL_ARRAY(&h->pool, uint32_t, count);
	unsigned char *reached = SNW_POOL_ARRAY(&h->pool, unsigned char, count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t first = 0; first < count; first++) {
		uint32_t end = 0;
		double sources = 0;
		if (!reached[first]) {
			queue[end++] = first;
			reached[first] = 1;
		}
		for (uint32_t at = 0; at < end; at++) {
			sources += h->sources[queue[at]];
			for (uint32_t k = h->edges.offsets[queue[at]]; k < h->edges.offsets[queue[at] + 1]; k++) {
				const uint32_t next = h->edges.neighbours[k];
				if (!reached[next]) {
					queue[end++] = next;
					reached[next] = 1;
				}
			}
		}
		for (uint32_t at = 0; at < end && !(sources > 0); at++) {
			heat_point(h, queue[at], 1);
		}
	}
	return SNW_OK;
}

/* ---- the equations ------------------------------------------------------------------------------------------------------- */

static snw_status open_heat(heat *h) {
	const snk_faces faces = snk_faces_of(h->mesh);
	const size_t count = h->mesh->point_count;
	snw_status status = snk_triangulate(&faces, &h->pool, &h->triangles);
	status = snk_failed(status) ? status : snk_adjacency_find(&h->triangles, &h->pool, &h->edges);
	if (snk_failed(status)) {
		return status;
	}
	h->conductances = SNW_POOL_ARRAY(&h->pool, double, h->edges.offsets[count]);
	h->areas = SNW_POOL_ARRAY(&h->pool, double, count);
	h->normals = SNW_POOL_ARRAY(&h->pool, double, 3 * count);
	h->sources = SNW_POOL_ARRAY(&h->pool, double, count);
	h->beside = SNW_POOL_ARRAY(&h->pool, beside, count);
	h->thicknesses = SNW_POOL_ARRAY(&h->pool, double, h->f->bone_count);
	h->farthest = SNW_POOL_ARRAY(&h->pool, double, h->f->bone_count);
	h->trunks = SNW_POOL_ARRAY(&h->pool, trunk, h->f->input->character->skeleton->joint_count);
	h->planes = SNW_POOL_ARRAY(&h->pool, joint_plane, h->f->input->character->skeleton->joint_count);
	h->smoothing = SNW_POOL_ARRAY(&h->pool, double, count);
	h->near = SNW_POOL_ARRAY(&h->pool, near_slots, count);
	h->right_sides = SNW_POOL_ARRAY(&h->pool, double, BATCH *count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_point_normals(&faces, h->mesh->points_rest, h->normals);
	for (uint32_t i = 0; i < h->mesh->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			h->normals[3 * (size_t)i + c] *= h->pieces->signs[h->pieces->of_point[i]];
		}
	}
	status = snk_cotangent_weights(&h->edges, &h->triangles, h->mesh->points_rest, h->conductances, h->areas);
	for (uint32_t i = 0; i < h->mesh->point_count; i++) {
		h->areas[i] = fmax(h->areas[i], 1e-12 * h->f->diagonal * h->f->diagonal);
	}
	return status;
}

/* The lower triangle of L + D by columns, for a diagonal D [point_count]. */
static snw_status factorize(heat *h, const double *added, snk_factor *factor) {
	const uint32_t count = h->mesh->point_count;
	uint32_t *offsets = SNW_POOL_ARRAY(&h->pool, uint32_t, (size_t)count + 1), filled = 0;
	uint32_t *rows = SNW_POOL_ARRAY(&h->pool, uint32_t, (size_t)h->edges.offsets[count] + count);
	double *values = SNW_POOL_ARRAY(&h->pool, double, (size_t)h->edges.offsets[count] + count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t diagonal = filled++;
		rows[diagonal] = i;
		values[diagonal] = added[i];
		for (uint32_t k = h->edges.offsets[i]; k < h->edges.offsets[i + 1]; k++) {
			const double conductance = fmax(h->conductances[k], least_conductance);
			values[diagonal] += conductance;
			if (h->edges.neighbours[k] > i) {
				rows[filled] = h->edges.neighbours[k];
				values[filled++] = -conductance;
			}
		}
		offsets[i + 1] = filled;
	}
	return snk_factor_sparse(h->f->host, count, offsets, rows, values, factor);
}

void keep_weight(influence_set *set, uint32_t slot, double weight) {
	if (weight >= least_weight) {
		snk_keep_influence(KEPT, slot, weight, &set->count, set->slots, set->weights);
	}
}

/* A power of the weights, with a sum of 1. */
static void raise_weights(influence_set *set, double power) {
	double sum = 0;
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] = pow(set->weights[k], power);
		sum += set->weights[k];
	}
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] /= sum;
	}
}

/* The heat that a point gets for a slot. */
static double heat_for(const heat *h, uint32_t point, uint32_t slot) {
	const near_slots *near = &h->near[point];
	double share = 0;
	for (uint32_t k = 0; k < near->count; k++) {
		share += near->slots[k] == slot ? near->shares[k] : 0;
	}
	return share * h->sources[point];
}

/* The weight that a point has for a slot, times what holds it there. */
static double held_for(const heat *h, uint32_t point, uint32_t slot) {
	const influence_set *set = &h->sharp[point];
	double weight = 0;
	for (uint32_t k = 0; k < set->count; k++) {
		weight += set->slots[k] == slot ? set->weights[k] : 0;
	}
	return weight * h->held[point];
}

typedef double right_side(const heat *h, uint32_t point, uint32_t slot);

static snw_status solve_batch(heat *h, const snk_factor *factor, right_side *right, uint32_t first, uint32_t size) {
	const uint32_t count = h->mesh->point_count;
	for (uint32_t s = 0; s < size; s++) {
		for (uint32_t i = 0; i < count; i++) {
			h->right_sides[(size_t)s * count + i] = right(h, i, first + s);
		}
	}
	const snw_status status = snk_factor_solve(factor, size, h->right_sides);
	for (uint32_t i = 0; !snk_failed(status) && i < count; i++) {
		for (uint32_t s = 0; s < size; s++) {
			keep_weight(&h->sets[i], first + s, h->right_sides[(size_t)s * count + i]);
		}
	}
	return status;
}

/* sets: the solutions of (L + D) w = `right` for all slots. */
static snw_status solve(heat *h, const double *added, right_side *right, double from, double to) {
	const uint32_t slots = h->f->input->character->slot_count;
	snk_factor factor = {0};
	snw_status status = factorize(h, added, &factor);
	for (uint32_t first = 0; !snk_failed(status) && first < slots; first += BATCH) {
		status = snw_report_progress(h->f->host, progress_at(h->f, from + (to - from) * first / slots), "heat")
					 ? solve_batch(h, &factor, right, first, slots - first < BATCH ? slots - first : BATCH)
					 : SNW_CANCELLED;
	}
	snk_factor_release(&factor);
	return status;
}

static void raise_all(const heat *h, double power) {
	for (uint32_t i = 0; i < h->mesh->point_count; i++) {
		raise_weights(&h->sets[i], power);
	}
}

/* Evens sharp weights out: a step of diffusion, longer where the body is thick. */
static snw_status even_out(heat *h) {
	const uint32_t count = h->mesh->point_count;
	influence_set *sharp = SNW_POOL_ARRAY(&h->pool, influence_set, count);
	double *held = SNW_POOL_ARRAY(&h->pool, double, count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(sharp, h->sets, count * sizeof *sharp);
	for (uint32_t i = 0; i < count; i++) {
		h->sets[i].count = 0;
		held[i] = h->areas[i] / h->smoothing[i];
	}
	h->sharp = sharp;
	h->held = held;
	return solve(h, held, held_for, 0.4, 0.7);
}

snw_status find_heat_weights(weights_fit *f, uint32_t mesh, influence_set *sets) {
	heat h = {.f = f,
			  .mesh = f->input->character->meshes[mesh],
			  .pieces = &f->pieces[mesh],
			  .pool = snw_pool_open(f->host),
			  .sets = sets};
	snw_status status = open_heat(&h);
	status = snk_failed(status) ? status : measure_bones(&h);
	if (!snk_failed(status)) {
		const snk_stretch stretch = {progress_at(f, 0.05), progress_at(f, 0.1), "finding bones in sight"};
		status = snk_ranges_run_reported(f->host, h.mesh->point_count, GRAIN, heat_points, &h, &stretch);
	}
	status = snk_failed(status) ? status : heat_pieces(&h);
	status = snk_failed(status) ? status : solve(&h, h.sources, heat_for, 0.1, 0.4);
	if (!snk_failed(status)) {
		raise_all(&h, sharpness);
		status = even_out(&h);
	}
	if (!snk_failed(status)) {
		for (uint32_t i = 0; i < h.mesh->point_count; i++) {
			give_to_trunk(&h, &sets[i]);
		}
		raise_all(&h, 1);
	}
	snw_pool_release(&h.pool);
	return status;
}
