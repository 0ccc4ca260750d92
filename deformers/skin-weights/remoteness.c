/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which bones heat a point, and how strongly. Its constants were chosen on a human; skin-weights.h says what they make of other
 * characters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/status.h"
#include "skin-weights/heat.h"

enum { GRAIN = 256 };

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

snw_status measure_bones(heat *h) {
	const snw_status status = measure_thickness(h);
	if (!snk_failed(status)) {
		find_trunks(h);
		find_joint_planes(h);
	}
	return status;
}

/* ---- what heats a point -------------------------------------------------------------------------------------------------- */

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

void heat_point(const heat *h, uint32_t point, int everywhere) {
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
