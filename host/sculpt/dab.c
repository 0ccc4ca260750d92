/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dab: the points that it reaches, what it does to them, and the same on the other side.
 */
#include <math.h>
#include <string.h>

#include "sculpt/sculpt_internal.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "task/task.h"

/* ---- what a dab reaches -------------------------------------------------------------------------------------------------- */

/* Finds the points under a brush, with the spatial index for straight distances or a walk for distances along the surface;
 * then their partners and their ring. Lists are in ascending order, so that memory is read in order. */

/* Elastic fades by itself; its weight only ends it, between two radii and three. */
static double weight_at(const snw_brush *brush, double distance) {
	return brush->kind == SNW_BRUSH_ELASTIC ? snw_falloff_weight(SNW_FALLOFF_SMOOTH, 2.0 / 3, distance, snw_brush_reach(brush))
											: snw_falloff_weight(brush->falloff, brush->hardness, distance, brush->radius);
}

/* What the brush's alpha leaves of the strength at a point. */
static double alpha_at(const snw_sculpt *sculpt, const snw_brush *brush, uint32_t point) {
	const snw_region *region = &sculpt->region;
	double offset[3];
	for (size_t c = 0; c < 3; c++) {
		offset[c] = (sculpt->points[3 * (size_t)point + c] - region->place[c]) / brush->radius;
	}
	return snw_brush_alpha_at(brush->alpha, snw_dot3(offset, region->right), snw_dot3(offset, region->up));
}

/* For brushes that work on each side separately, a point reached only through its partner has the partner's weight. */
static void weigh(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	snw_region *region = &sculpt->region;
	const snw_brush *brush = &sculpt->stroke.brush;
	const bool shares = region->is_mirrored && !snw_brush_is_mirrored(brush->kind);
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = region->points[i];
		const uint32_t partner = shares ? sculpt->mirror.partners[point] : SNW_NONE;
		uint32_t reached = point;
		double distance = region->distances[point];
		if (partner != SNW_NONE && region->distances[partner] < distance) {
			distance = region->distances[partner];
			reached = partner;
		}
		region->weights[i] = weight_at(brush, distance) * (brush->alpha ? alpha_at(sculpt, brush, reached) : 1);
		region->places[point] = i;
	}
}

/* Adds the partners of the reached points, at an infinite distance. */
static void add_partners(snw_sculpt *sculpt, uint32_t count) {
	snw_region *region = &sculpt->region;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t partner = sculpt->mirror.partners[region->points[i]];
		if (partner != SNW_NONE && !snw_set_has(&region->set, partner)) {
			snw_set_add(&region->set, partner);
			region->distances[partner] = INFINITY;
		}
	}
}

/* Adds the other points of the places of the reached points, at the least distance of each place. */
static void add_seams(snw_sculpt *sculpt, uint32_t count) {
	snw_region *region = &sculpt->region;
	const uint32_t *next = sculpt->weld.next;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t point = region->points[i];
		double least = region->distances[point];
		for (uint32_t other = next[point]; other != point; other = next[other]) {
			least = snw_set_has(&region->set, other) ? fmin(least, region->distances[other]) : least;
		}
		region->distances[point] = least;
		for (uint32_t other = next[point]; other != point; other = next[other]) {
			snw_set_add(&region->set, other);
			region->distances[other] = least;
		}
	}
}

/* Adds partners and the other points of seams. On a split mesh each may bring the other, until the region has them all. */
static void complete(snw_sculpt *sculpt, uint32_t count) {
	snw_region *region = &sculpt->region;
	do {
		region->count = count;
		if (region->is_mirrored) {
			add_partners(sculpt, count);
		}
		if (sculpt->weld.first) {
			count = snw_set_list(&region->set, region->points);
			add_seams(sculpt, count);
		}
		count = snw_set_list(&region->set, region->points);
	} while (sculpt->weld.first && count != region->count);
	region->count = count;
}

void snw_region_keep_together(snw_sculpt *sculpt) {
	const snw_region *region = &sculpt->region;
	for (uint32_t i = 0; i < region->count && sculpt->weld.first; i++) {
		const uint32_t first = sculpt->weld.first[region->points[i]];
		memmove(sculpt->result + 3 * (size_t)i, sculpt->result + 3 * (size_t)region->places[first], 3 * sizeof *sculpt->result);
	}
}

bool snw_region_find(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick) {
	snw_region *region = &sculpt->region;
	double *found = region->weights; /* holds distances in the order in which points were found, until `weigh` */
	uint32_t count = 0;
	if (brush->volume) {
		count = snw_spatial_index_ball(sculpt->index, pick->position, snw_brush_reach(brush), region->points, found);
	} else if (pick->face != SNW_NONE) {
		count = snw_surface_walk_from(sculpt->walk, sculpt->points, pick->position, pick->face, snw_brush_reach(brush),
									  region->points, found);
	}
	memcpy(region->place, pick->position, sizeof region->place);
	snw_brush_alpha_axes(pick->normal, region->right, region->up);
	snw_set_clear(&region->set);
	for (uint32_t i = 0; i < count; i++) {
		snw_set_add(&region->set, region->points[i]);
		region->distances[region->points[i]] = found[i];
	}
	region->is_mirrored = brush->symmetric && sculpt->mirror.partners;
	sculpt->stroke.brush = *brush;
	complete(sculpt, count);
	snw_parallel_for(region->count, SNW_SCULPT_GRAIN, weigh, sculpt);
	return region->count > 0;
}

void snw_region_take(snw_sculpt *sculpt, const snw_set *points) {
	snw_set_clear(&sculpt->region.set);
	snw_set_join(&sculpt->region.set, points);
	sculpt->region.count = snw_set_list(&sculpt->region.set, sculpt->region.points);
}

/* Adds a corner to the ring, with the other points of its place: neighbours are first points, and all have the same normal. */
static void add_place(snw_sculpt *sculpt, uint32_t corner) {
	snw_set_add(&sculpt->ring.set, corner);
	for (uint32_t other = sculpt->weld.next ? sculpt->weld.next[corner] : corner; other != corner;
		 other = sculpt->weld.next[other]) {
		snw_set_add(&sculpt->ring.set, other);
	}
}

void snw_region_surround(snw_sculpt *sculpt) {
	const snw_region *region = &sculpt->region;
	const snw_adjacency *around = &sculpt->around;
	const uint32_t *offsets = sculpt->mesh->face_offsets, *corners = sculpt->mesh->face_points;
	snw_set_clear(&sculpt->faces.set);
	for (uint32_t i = 0; i < region->count; i++) {
		const uint32_t point = region->points[i];
		for (uint32_t k = around->face_starts[point]; k < around->face_starts[point + 1]; k++) {
			snw_set_add(&sculpt->faces.set, around->faces[k]);
		}
	}
	sculpt->faces.count = snw_set_list(&sculpt->faces.set, sculpt->faces.items);
	snw_set_clear(&sculpt->ring.set);
	snw_set_join(&sculpt->ring.set, &region->set); /* includes points without faces */
	for (uint32_t i = 0; i < sculpt->faces.count; i++) {
		const uint32_t face = sculpt->faces.items[i];
		for (uint32_t c = offsets[face]; c < offsets[face + 1]; c++) {
			add_place(sculpt, corners[c]);
		}
	}
	sculpt->ring.count = snw_set_list(&sculpt->ring.set, sculpt->ring.items);
}

bool snw_region_mean(const snw_sculpt *sculpt, double center[3], double normal[3]) {
	const snw_region *region = &sculpt->region;
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		center[c] = normal[c] = 0;
	}
	for (uint32_t i = 0; i < region->count; i++) {
		const uint32_t point = region->points[i];
		const double weight =
			sculpt->weld.first && sculpt->weld.first[point] != point ? 0 : region->weights[i]; /* each place once */
		sum += weight;
		for (size_t c = 0; c < 3; c++) {
			center[c] += weight * sculpt->points[3 * (size_t)point + c];
			normal[c] += weight * sculpt->normals[3 * (size_t)point + c];
		}
	}
	if (!(sum > 0)) {
		return false;
	}
	for (int c = 0; c < 3; c++) {
		center[c] /= sum;
	}
	snw_normalize3(normal);
	return snw_dot3(normal, normal) > 0;
}

/* ---- applying a dab ------------------------------------------------------------------------------------------------------ */

/* Applies a dab: it moves points or sets the mask or a field, then updates the index and the normals around moved points. */

enum { FACE_GRAIN = 2048 };

/* Erase and morph snap a point to where they move it within this share of the mesh's diagonal. */
static const double SNAP_DISTANCE = 1e-7;

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

static void find_area(const snw_sculpt *sculpt, uint32_t face) {
	const uint32_t begin = sculpt->mesh->face_offsets[face], end = sculpt->mesh->face_offsets[face + 1];
	snk_face_area(sculpt->points, sculpt->mesh->face_points + begin, end - begin, sculpt->areas + 3 * (size_t)face);
}

static void sum_areas(const snw_sculpt *sculpt, const uint32_t *starts, const uint32_t *faces, uint32_t point,
					  double normal[3]) {
	normal[0] = normal[1] = normal[2] = 0;
	for (uint32_t k = starts[point]; k < starts[point + 1]; k++) {
		const double *area = sculpt->areas + 3 * (size_t)faces[k];
		for (int i = 0; i < 3; i++) {
			normal[i] += area[i];
		}
	}
	snw_normalize3(normal);
}

/* Brushes have the normal of the welded mesh. What is drawn has that of the split one, so that hard edges stay hard. */
static void find_normal(snw_sculpt *sculpt, uint32_t point) {
	double *normal = sculpt->normals + 3 * (size_t)point, drawn[3];
	sum_areas(sculpt, sculpt->around.face_starts, sculpt->around.faces, point, normal);
	memcpy(drawn, normal, sizeof drawn);
	if (sculpt->weld.first) {
		sum_areas(sculpt, sculpt->split_starts, sculpt->split_faces, point, drawn);
	}
	for (size_t i = 0; i < 3; i++) {
		sculpt->normals_single[3 * (size_t)point + i] = (float)drawn[i];
		sculpt->points_single[3 * (size_t)point + i] = (float)sculpt->points[3 * (size_t)point + i];
	}
}

static void find_areas_listed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_area(sculpt, sculpt->faces.items[i]);
	}
}

static void find_normals_listed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_normal(sculpt, sculpt->ring.items[i]);
	}
}

static void find_areas(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t f = begin; f < end; f++) {
		find_area(sculpt, f);
	}
}

static void find_normals(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_normal(sculpt, i);
	}
}

void snw_refresh_all(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->mesh->face_count, FACE_GRAIN, find_areas, sculpt);
	snw_parallel_for(sculpt->mesh->point_count, SNW_SCULPT_GRAIN, find_normals, sculpt);
	snw_spatial_index_refit_all(sculpt->index);
}

void snw_refresh_region(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->faces.count, FACE_GRAIN, find_areas_listed, sculpt);
	snw_parallel_for(sculpt->ring.count, SNW_SCULPT_GRAIN, find_normals_listed, sculpt);
	snw_spatial_index_refit(sculpt->index, sculpt->region.count, sculpt->region.points, sculpt->faces.count,
							sculpt->faces.items);
	snw_set_join(&sculpt->changes.set, &sculpt->ring.set);
}

/* ---- a dab --------------------------------------------------------------------------------------------------------------- */

static bool is_hidden(const snw_sculpt *sculpt, uint32_t point) {
	return sculpt->hidden_faces && snw_set_has(&sculpt->hidden_points, point);
}

static void move_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	const snw_brush_kind kind = sculpt->stroke.brush.kind;
	const bool morphs = kind == SNW_BRUSH_MORPH && !sculpt->stroke.brush.invert;
	const double *goals = morphs ? sculpt->goal : sculpt->original;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		double *place = sculpt->points + 3 * (size_t)point;
		const double *from = snw_brush_drags(kind) ? sculpt->before + 3 * (size_t)point : place;
		const double *step = sculpt->result + 3 * (size_t)i, *goal = goals + 3 * (size_t)point;
		const double mask = sculpt->mask[sculpt->weld.first ? sculpt->weld.first[point] : point];
		const double free = is_hidden(sculpt, point) ? 0 : 1 - mask;
		const double start[3] = {from[0], from[1], from[2]};
		bool is_near = (morphs || kind == SNW_BRUSH_ERASE) && free > 0;
		for (int c = 0; c < 3; c++) {
			place[c] = from[c] + free * step[c];
			is_near = is_near && fabs(place[c] - goal[c]) <= SNAP_DISTANCE * sculpt->view.longest;
		}
		if (is_near) {
			memcpy(place, goal, 3 * sizeof *place);
		}
		if (sculpt->stroke.brush.stays_outside) {
			snw_walls_stop(&sculpt->walls, point, start, place);
		}
	}
}

static void set_values(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	const bool is_mask = snw_brush_changes(sculpt->stroke.brush.kind) == SNW_BRUSH_MASKING;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		const double value = sculpt->result[3 * (size_t)i], free = 1 - sculpt->mask[point];
		double *current = is_mask ? &sculpt->mask[point] : &sculpt->field[point];
		if (!snw_set_has(&sculpt->stroked, point)) {
			sculpt->value_before[point] = *current;
		}
		if (is_hidden(sculpt, point)) {
			continue;
		}
		if (is_mask) {
			*current = value < 0 ? 0 : value > 1 ? 1 : value;
		} else {
			*current = free == 1 ? value : *current + free * (value - *current);
		}
	}
}

void snw_apply(snw_sculpt *sculpt) {
	const bool moves = snw_brush_changes(sculpt->stroke.brush.kind) == SNW_BRUSH_POINTS;
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, moves ? move_points : set_values, sculpt);
	snw_set_join(&sculpt->stroked, &sculpt->region.set);
	if (moves) {
		snw_refresh_region(sculpt);
	} else {
		snw_set_join(&sculpt->changes.set, &sculpt->region.set);
	}
}

/* ---- the other side ------------------------------------------------------------------------------------------------------ */

/* Mirrors a dab in a pose whose sides differ. It compares the corresponding edges around a point and around its partner in
 * the tangent planes. The angle that best maps one set onto the reflection of the other, in the least-squares sense, has a
 * closed form. With the normals it gives an orthogonal matrix of determinant -1. It is computed from the skin at the start
 * of the sculpt, so it does not drift while one side is sculpted. */

/* A matrix that differs from the plain reflection by less is replaced by it. */
static const double PLAIN_TOLERANCE = 1e-6;

/* Two axes in the tangent plane of a point, and its normal. */
typedef struct point_axes {
	double axes[3][3];
} point_axes;

static point_axes axes_of(const snw_sculpt *sculpt, uint32_t point) {
	point_axes made;
	memcpy(made.axes[2], sculpt->normals + 3 * (size_t)point, sizeof made.axes[2]);
	snw_perpendicular3(made.axes[2], made.axes[0]);
	snw_cross3(made.axes[2], made.axes[0], made.axes[1]);
	return made;
}

static void edge_in(const snw_sculpt *sculpt, const point_axes *axes, uint32_t from, uint32_t to, double plane[2]) {
	double edge[3];
	for (size_t c = 0; c < 3; c++) {
		edge[c] = sculpt->points[3 * (size_t)to + c] - sculpt->points[3 * (size_t)from + c];
	}
	plane[0] = snw_dot3(edge, axes->axes[0]);
	plane[1] = snw_dot3(edge, axes->axes[1]);
}

/* False if no edges around the two points correspond. */
static bool find_matrix(const snw_sculpt *sculpt, uint32_t point, uint32_t partner, double matrix[9]) {
	const point_axes here = axes_of(sculpt, point), there = axes_of(sculpt, partner);
	if (snw_dot3(here.axes[2], here.axes[2]) == 0 || snw_dot3(there.axes[2], there.axes[2]) == 0) {
		return false;
	}
	/* In complex numbers: the sum of (edge of the partner) · (edge of the point); a reflection is a conjugate. */
	double real = 0, imaginary = 0;
	for (uint32_t k = sculpt->around.neighbour_starts[point]; k < sculpt->around.neighbour_starts[point + 1]; k++) {
		const uint32_t end = sculpt->around.neighbours[k], other = sculpt->mirror.partners[end];
		if (other == SNW_NONE) {
			continue;
		}
		double a[2], b[2];
		edge_in(sculpt, &here, point, end, a);
		edge_in(sculpt, &there, partner, other, b);
		real += b[0] * a[0] - b[1] * a[1];
		imaginary += b[0] * a[1] + b[1] * a[0];
	}
	const double length = hypot(real, imaginary);
	if (!(length > 0)) {
		return false;
	}
	const double cosine = real / length, sine = imaginary / length;
	/* partner's axes · (rotation of the reflected tangent plane) · point's axes transposed */
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			const double first = cosine * here.axes[0][c] + sine * here.axes[1][c];
			const double second = sine * here.axes[0][c] - cosine * here.axes[1][c];
			matrix[3 * r + c] = there.axes[0][r] * first + there.axes[1][r] * second + there.axes[2][r] * here.axes[2][c];
		}
	}
	return true;
}

/* Whether the neighbours of the two points are exact reflections, so that no matrix is needed. */
static bool is_reflected(const snw_sculpt *sculpt, uint32_t point, uint32_t partner) {
	const size_t axis = sculpt->mirror.axis;
	for (uint32_t k = sculpt->around.neighbour_starts[point]; k < sculpt->around.neighbour_starts[point + 1]; k++) {
		const uint32_t end = sculpt->around.neighbours[k], other = sculpt->mirror.partners[end];
		for (size_t c = 0; c < 3 && other != SNW_NONE; c++) {
			const double here = sculpt->points[3 * (size_t)end + c] - sculpt->points[3 * (size_t)point + c];
			const double there = sculpt->points[3 * (size_t)other + c] - sculpt->points[3 * (size_t)partner + c];
			if (fabs(c == axis ? here + there : here - there) > PLAIN_TOLERANCE * PLAIN_TOLERANCE * sculpt->view.longest) {
				return false;
			}
		}
	}
	return true;
}

static void find_plain(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t partner = sculpt->mirror.partners[i];
		sculpt->mirror.matrix_of[i] = partner == SNW_NONE || is_reflected(sculpt, i, partner) ? SNW_NONE : 0;
	}
}

static void find_matrices(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	snw_mirror *mirror = &sculpt->mirror;
	for (uint32_t i = begin; i < end; i++) {
		if (mirror->matrix_of[i] == SNW_NONE) {
			continue;
		}
		double *matrix = mirror->matrices[mirror->matrix_of[i]];
		bool is_plain = true;
		if (find_matrix(sculpt, i, mirror->partners[i], matrix)) {
			for (uint32_t k = 0; k < 9; k++) {
				const double plain = k % 4 == 0 ? (k / 4 == mirror->axis ? -1 : 1) : 0;
				is_plain &= fabs(matrix[k] - plain) < PLAIN_TOLERANCE;
			}
		}
		mirror->matrix_of[i] = is_plain ? SNW_NONE : mirror->matrix_of[i];
	}
}

void snw_mirror_make(snw_sculpt *sculpt, const uint32_t *partners, uint32_t axis) {
	const uint32_t count = sculpt->mesh->point_count;
	sculpt->mirror = (snw_mirror){
		.partners = snw_arena_copy(sculpt->arena, partners, count * sizeof *partners),
		.axis = axis,
		.matrix_of = SNW_NEW_ARRAY(sculpt->arena, uint32_t, count),
	};
	snw_parallel_for(count, SNW_SCULPT_GRAIN, find_plain, sculpt);
	uint32_t matrix_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		sculpt->mirror.matrix_of[i] = sculpt->mirror.matrix_of[i] == SNW_NONE ? SNW_NONE : matrix_count++;
	}
	sculpt->mirror.matrices = snw_arena_array(sculpt->arena, matrix_count, sizeof *sculpt->mirror.matrices);
	snw_parallel_for(count, SNW_SCULPT_GRAIN, find_matrices, sculpt);
}

/* Mirrors the displacement of a point to its partner. */
static void mirror_displacement(const snw_mirror *mirror, uint32_t from, const double displacement[3], double dest[3]) {
	memcpy(dest, displacement, 3 * sizeof *dest);
	if (mirror->matrix_of[from] == SNW_NONE) {
		dest[mirror->axis] = -dest[mirror->axis];
		return;
	}
	const double *matrix = mirror->matrices[mirror->matrix_of[from]];
	for (int r = 0; r < 3; r++) {
		dest[r] = matrix[3 * r] * displacement[0] + matrix[3 * r + 1] * displacement[1] + matrix[3 * r + 2] * displacement[2];
	}
}

/* How much a point's own displacement counts beside that of its partner. An elastic field is wide and its weight is flat: only
 * where the two fields are about as strong, near the plane, may they share, or the point under the pointer would stay behind
 * it. */
static double pair_weight(const snw_sculpt *sculpt, uint32_t place) {
	if (sculpt->stroke.brush.kind != SNW_BRUSH_ELASTIC) {
		return sculpt->region.weights[place];
	}
	const double *displacement = sculpt->result + 3 * (size_t)place;
	const double square = snw_dot3(displacement, displacement);
	return square * square;
}

static void mirror_pairs(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	const snw_region *region = &sculpt->region;
	for (uint32_t i = begin; i < end; i++) {
		const double *displacement = sculpt->result + 3 * (size_t)i;
		double *dest = sculpt->partial + 3 * (size_t)i;
		memcpy(dest, displacement, 3 * sizeof *dest);
		const uint32_t other_point = sculpt->mirror.partners[region->points[i]];
		const uint32_t partner = other_point == SNW_NONE ? i : region->places[other_point];
		const double weight = pair_weight(sculpt, i), other = pair_weight(sculpt, partner);
		if (other_point == SNW_NONE || !(weight + other > 0)) {
			continue;
		}
		double mirrored[3];
		mirror_displacement(&sculpt->mirror, other_point, sculpt->result + 3 * (size_t)partner, mirrored);
		for (int c = 0; c < 3; c++) {
			dest[c] = (weight * displacement[c] + other * mirrored[c]) / (weight + other);
		}
	}
}

void snw_mirror_region(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, mirror_pairs, sculpt);
	double *result = sculpt->result;
	sculpt->result = sculpt->partial;
	sculpt->partial = result;
}
