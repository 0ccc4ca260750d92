/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cell of height and depth has the points of both sides. Taken by x, the first is the image of the last, the second of the
 * last but one, and so on: in most cells the middle of these pairs is where the plane is. That needs no plane to begin with,
 * and is not misled by a sword in one hand, which moves the middle of the bounds.
 */
#include "sculpt/sculpt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- symmetry plane ------------------------------------------------------------------------------------------------------ */

static const double PLANE_TOLERANCE = 1e-3; /* of the diagonal, as of the map */
static const double CLEARLY_MORE = 0.05;    /* of all points: by how many another plane must pair more than x = 0 */
static const double COLUMN = 0.01;          /* of the diagonal: the width of a column */
static const double NEAR_JOINT = 0.05; /* of the diagonal: a joint that is as near to the image of another is its partner */

enum { ENOUGH = 20000 };

/* ---- enough points ------------------------------------------------------------------------------------------------------- */

/* Of a large mesh the points of some columns along x, which have both sides: enough to find a plane, in a moment. */
static snw_mesh thin_out(const snw_mesh *mesh, const snw_box *box, snw_arena *scratch) {
	const uint32_t share = 1 + mesh->point_count / ENOUGH;
	const double width = COLUMN * snw_box_diagonal(box);
	double *points = snw_arena_array(scratch, mesh->point_count, 3 * sizeof *points);
	snw_mesh thin = {.name = mesh->name, .points_rest = points};
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *p = mesh->points_rest + 3 * (size_t)i;
		snw_hash column = {0};
		for (size_t c = 1; c < 3; c++) {
			snw_hash_u64(&column, (uint64_t)lround((p[c] - box->lower[c]) / width));
		}
		if (snw_hash_value(&column) % share == 0) {
			memcpy(points + 3 * (size_t)thin.point_count++, p, 3 * sizeof *p);
		}
	}
	return thin.point_count > 0 ? thin : *mesh;
}

/* ---- the middle of pairs ------------------------------------------------------------------------------------------------- */

typedef struct cell_point {
	long height, depth; /* of its cell */
	double x;
} cell_point;

static int compare_cell_points(const void *a, const void *b) {
	const cell_point *p = a, *q = b;
	if (p->height != q->height) {
		return p->height < q->height ? -1 : 1;
	}
	if (p->depth != q->depth) {
		return p->depth < q->depth ? -1 : 1;
	}
	return (p->x > q->x) - (p->x < q->x);
}

static cell_point *sort_into_cells(const snw_mesh *mesh, const snw_box *box, double width, snw_arena *scratch) {
	cell_point *points = SNW_NEW_ARRAY(scratch, cell_point, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *p = mesh->points_rest + 3 * (size_t)i;
		points[i] = (cell_point){
			.height = lround((p[1] - box->lower[1]) / width), .depth = lround((p[2] - box->lower[2]) / width), .x = p[0]};
	}
	qsort(points, mesh->point_count, sizeof *points, compare_cell_points);
	return points;
}

/* The middles of the pairs in all cells; returns their number. */
static uint32_t find_middles(const snw_mesh *mesh, const cell_point *points, double *middles) {
	uint32_t count = 0;
	for (uint32_t first = 0, end = 0; first < mesh->point_count; first = end) {
		while (end < mesh->point_count && points[end].height == points[first].height &&
			   points[end].depth == points[first].depth) {
			end++;
		}
		for (uint32_t i = first, k = end; i < k--; i++) {
			middles[count++] = (points[i].x + points[k].x) / 2;
		}
	}
	return count;
}

/* The mean of the numbers where they are densest. */
static double find_densest(double *numbers, uint32_t count, double width) {
	uint32_t first = 0, best = 0, most = 0;
	double sum = 0;
	snw_sort_numbers(numbers, count);
	for (uint32_t end = 0; end < count; end++) {
		while (numbers[end] - numbers[first] > width) {
			first++;
		}
		if (end + 1 - first > most) {
			most = end + 1 - first;
			best = first;
		}
	}
	for (uint32_t i = best; i < best + most; i++) {
		sum += numbers[i];
	}
	return sum / most;
}

static double middle_of_pairs(const snw_mesh *mesh, const snw_box *box, snw_arena *scratch) {
	const double width = PLANE_TOLERANCE * snw_box_diagonal(box);
	double *middles = SNW_NEW_ARRAY(scratch, double, mesh->point_count);
	const uint32_t count = find_middles(mesh, sort_into_cells(mesh, box, width, scratch), middles);
	return find_densest(middles, count, width);
}

/* ---- what a plane pairs -------------------------------------------------------------------------------------------------- */

static double count_paired(const snw_mesh *mesh, double offset, snw_arena *scratch) {
	const snw_mirror_options options = {.method = SNW_MIRROR_POSITION, .plane = {.offset = offset}};
	snw_mirror_map map;
	return snw_failed(snw_mirror_map_build(mesh, &options, scratch, &map, NULL)) ? 0 : mesh->point_count - map.unpaired_count;
}

/* Which joints move points of the meshes; returns how many. */
static uint32_t find_joints(const snw_scene *scene, uint32_t mesh_count, const uint32_t *meshes, bool *moves) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[meshes[m]];
		const uint32_t influences = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t k = 0; k < influences; k++) {
			bool *is_moving = &moves[scene->slot_joints[mesh->influence_slots[k]]];
			count += !*is_moving && mesh->influence_weights[k] > 0;
			*is_moving = *is_moving || mesh->influence_weights[k] > 0;
		}
	}
	return count;
}

static bool has_partner(const snw_scene *scene, const bool *moves, uint32_t joint, const snw_mirror_plane *plane, double near) {
	const double *global = scene->skeleton.rest_global, *matrix = global + 12 * (size_t)joint;
	double image[3];
	bool has = false;
	snw_mirror_reflect(plane, (double[]){matrix[3], matrix[7], matrix[11]}, image);
	for (uint32_t j = 0; j < scene->skeleton.joint_count && !has; j++) {
		const double *other = global + 12 * (size_t)j;
		has = moves[j] && hypot(hypot(other[3] - image[0], other[7] - image[1]), other[11] - image[2]) < near;
	}
	return has;
}

/* How many joints that move the meshes a mirrored pose would leave at rest. */
static uint32_t count_unpaired(const snw_scene *scene, const bool *moves, const snw_mirror_plane *plane, snw_arena *scratch) {
	uint32_t count = 0;
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, plane, 0, scratch, &joints);
	for (uint32_t j = 0; j < joints.joint_count; j++) {
		count += moves[j] && joints.partners[j] == SNW_NONE;
	}
	return count;
}

/* Whether more than half of the joints that move the meshes lie in the plane or have a partner across it, and the usual plane
 * pairs no more: the skin may be a little beside its skeleton. One joint moves a prop, and may be anywhere. */
static bool are_joints_symmetric(const snw_scene *scene, uint32_t mesh_count, const uint32_t *meshes,
								 const snw_mirror_plane *plane, const snw_mirror_plane *usual, double near,
								 snw_arena *scratch) {
	bool *moves = SNW_NEW_ARRAY(scratch, bool, scene->skeleton.joint_count);
	const uint32_t count = find_joints(scene, mesh_count, meshes, moves);
	uint32_t paired = 0;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		paired += moves[j] && has_partner(scene, moves, j, plane, near);
	}
	return count < 2 ||
		   (2 * paired > count && count_unpaired(scene, moves, plane, scratch) <= count_unpaired(scene, moves, usual, scratch));
}

/* ---- the plane ----------------------------------------------------------------------------------------------------------- */

/* The plane that pairs most points; `usual` unless another one pairs clearly more. */
static snw_mirror_plane find_best(const snw_mesh *mesh, const snw_box *box, const snw_mirror_plane *usual, snw_arena *scratch) {
	const double enough = count_paired(mesh, usual->offset, scratch) + CLEARLY_MORE * mesh->point_count;
	snw_mirror_plane best = *usual;
	if (enough > mesh->point_count) {
		return best;
	}
	const double middles[] = {0, (box->lower[0] + box->upper[0]) / 2, middle_of_pairs(mesh, box, scratch)};
	double most = enough;
	for (size_t k = 0; k < sizeof middles / sizeof *middles; k++) {
		const double paired = count_paired(mesh, middles[k], scratch);
		if (paired > most) {
			most = paired;
			best.offset = middles[k];
		}
	}
	return best;
}

static bool *all_meshes(const snw_scene *scene, snw_arena *scratch) {
	bool *takes_part = SNW_NEW_ARRAY(scratch, bool, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		takes_part[m] = true;
	}
	return takes_part;
}

/* That of the mesh with those that seams join to it, as far as their joints agree. */
static snw_mirror_plane find_plane(const snw_scene *scene, uint32_t mesh, const snw_mirror_plane *usual, snw_arena *scratch) {
	uint32_t *meshes;
	const uint32_t count = snw_seam_meshes(scene, mesh, all_meshes(scene, scratch), scratch, &meshes);
	const snw_mesh *joined = snw_join_meshes(scene, count, meshes, scratch);
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, joined->points_rest, joined->point_count);
	if (snw_box_is_empty(&box) || snw_box_diagonal(&box) <= 0) {
		return *usual;
	}
	const snw_mesh thin = thin_out(joined, &box, scratch);
	const snw_mirror_plane best = find_best(&thin, &box, usual, scratch);
	const double near = NEAR_JOINT * snw_box_diagonal(&box);
	return best.offset == usual->offset || are_joints_symmetric(scene, count, meshes, &best, usual, near, scratch) ? best
																												   : *usual;
}

snw_mirror_plane snw_character_plane(const snw_scene *scene) {
	static const snw_mirror_plane middle = {0};
	const uint32_t largest = snw_scene_largest_mesh(scene);
	snw_arena *scratch = snw_arena_create();
	const snw_mirror_plane plane = largest == SNW_NONE ? middle : find_plane(scene, largest, &middle, scratch);
	const bool has_counterpart =
		plane.offset != 0 && snw_counterpart_of(scene, largest, &middle, all_meshes(scene, scratch)) != SNW_NONE;
	snw_arena_destroy(scratch);
	return has_counterpart ? middle : plane;
}

snw_mirror_plane snw_symmetry_plane(const snw_scene *scene, uint32_t mesh) {
	const snw_mirror_plane usual = snw_character_plane(scene);
	if (mesh == snw_scene_largest_mesh(scene)) {
		return usual;
	}
	snw_arena *scratch = snw_arena_create();
	const snw_mirror_plane plane = find_plane(scene, mesh, &usual, scratch);
	const bool has_counterpart =
		plane.offset != usual.offset && snw_counterpart_of(scene, mesh, &usual, all_meshes(scene, scratch)) != SNW_NONE;
	snw_arena_destroy(scratch);
	return has_counterpart ? usual : plane;
}

/* ---- counterpart --------------------------------------------------------------------------------------------------------- */

static const double COUNTERPART_TOLERANCE = 1e-3; /* of the mesh's diagonal, as of the map */
static const double SYMMETRIC_SHARE = 0.5;        /* of its points have partners on the mesh itself: it is symmetric */
static const double PAIRED_SHARE = 0.9;           /* of its points have partners on the counterpart */
static const double LARGEST_OFFSET = 0.01;        /* of the character's diagonal: how far it may lie beside the reflection */

static snw_box box_of(const snw_mesh *mesh) {
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, mesh->points_rest, mesh->point_count);
	return box;
}

/* From where the reflection of a box lies to where another one does, if they have the same size. */
static bool find_shift(const snw_box *one, const snw_box *other, const snw_mirror_plane *plane, double tolerance,
					   double shift[3]) {
	bool are_alike = true;
	for (uint32_t c = 0; c < 3; c++) {
		const bool is_reflected = c == plane->axis;
		const double lower = is_reflected ? snw_mirror_coordinate(plane, one->upper[c]) : one->lower[c];
		const double upper = is_reflected ? snw_mirror_coordinate(plane, one->lower[c]) : one->upper[c];
		shift[c] = (other->lower[c] + other->upper[c] - lower - upper) / 2;
		are_alike = are_alike && fabs((other->upper[c] - other->lower[c]) - (upper - lower)) < 2 * tolerance;
	}
	return are_alike;
}

static bool is_symmetric(const snw_mesh *mesh, const snw_mirror_plane *plane, snw_arena *scratch) {
	snw_mirror_map map;
	return !snw_failed(snw_mirror_map_build(mesh, &(snw_mirror_options){.plane = *plane}, scratch, &map, NULL)) &&
		   2.0 * map.pair_count + map.middle_count > SYMMETRIC_SHARE * mesh->point_count;
}

/* Whether most of the first points have partners among the others. */
static bool pairs_across(const snw_mirror_map *map, uint32_t count) {
	uint32_t across = 0;
	for (uint32_t i = 0; i < count; i++) {
		across += map->partners[i] != SNW_NONE && map->partners[i] >= count;
	}
	return across >= PAIRED_SHARE * count;
}

/* Whether most points of a mesh have partners on another one, if the two are taken as one. */
static bool are_counterparts(const snw_scene *scene, uint32_t mesh, uint32_t other, const snw_mirror_plane *plane,
							 double tolerance, snw_arena *scratch) {
	const uint32_t meshes[2] = {mesh, other};
	const snw_mirror_options options = {.method = SNW_MIRROR_POSITION, .plane = *plane, .tolerance = tolerance};
	const uint32_t count = scene->meshes[mesh].point_count;
	const snw_mesh *joined = snw_join_meshes(scene, 2, meshes, scratch);
	snw_mirror_map map;
	return !snw_failed(snw_mirror_map_build(snw_counterpart_align(scene, mesh, other, plane, joined, count, scratch), &options,
											scratch, &map, NULL)) &&
		   pairs_across(&map, count);
}

const snw_mesh *snw_counterpart_align(const snw_scene *scene, uint32_t mesh, uint32_t counterpart,
									  const snw_mirror_plane *plane, const snw_mesh *joined, uint32_t first, snw_arena *arena) {
	const snw_box box = box_of(&scene->meshes[mesh]), other = box_of(&scene->meshes[counterpart]);
	const uint32_t count = scene->meshes[counterpart].point_count;
	double *points = snw_arena_copy(arena, joined->points_rest, 3 * (size_t)joined->point_count * sizeof *points), shift[3];
	snw_mesh *aligned = SNW_NEW(arena, snw_mesh);
	(void)find_shift(&box, &other, plane, 0, shift);
	for (size_t i = first; i < (size_t)first + count; i++) {
		for (size_t c = 0; c < 3; c++) {
			points[3 * i + c] -= shift[c];
		}
	}
	*aligned = *joined;
	aligned->points_rest = points;
	return aligned;
}

static double diagonal_of_character(const snw_scene *scene) {
	snw_box whole = snw_box_empty();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_box box = box_of(&scene->meshes[m]);
		snw_box_add_box(&whole, &box);
	}
	return snw_box_diagonal(&whole);
}

uint32_t snw_counterpart_of(const snw_scene *scene, uint32_t mesh, const snw_mirror_plane *plane, const bool *takes_part) {
	const snw_box box = box_of(&scene->meshes[mesh]);
	if (snw_box_is_empty(&box)) {
		return SNW_NONE;
	}
	const double tolerance = COUNTERPART_TOLERANCE * snw_box_diagonal(&box);
	double least = LARGEST_OFFSET * diagonal_of_character(scene), shift[3];
	snw_arena *scratch = snw_arena_create();
	uint32_t found = SNW_NONE;
	bool may = true;
	for (uint32_t m = 0; m < scene->mesh_count && may; m++) {
		const snw_box other = m == mesh || !takes_part[m] ? snw_box_empty() : box_of(&scene->meshes[m]);
		if (!snw_box_is_empty(&other) && find_shift(&box, &other, plane, tolerance, shift) && snw_length3(shift) < least) {
			may = !is_symmetric(&scene->meshes[mesh], plane, scratch);
			if (may && are_counterparts(scene, mesh, m, plane, tolerance, scratch)) {
				found = m;
				least = snw_length3(shift);
			}
		}
	}
	snw_arena_destroy(scratch);
	return found;
}
