/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/carry.h"

#include <math.h>
#include <string.h>

#include "example/commit_sculpt.h"
#include "fit/sculpt_reference.h"
#include "mesh/surface.h"
#include "sculpt/symmetry_plane.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"

static const double usual_share = 0.03; /* of the diagonal */
static const double least_share = 1e-6; /* of the diagonal: a smaller move is none */

/* A sculpted mesh in the pose of its example. */
typedef struct source {
	const snw_scene *scene; /* the project's as it is by now */
	uint32_t example, mesh, corrective;
	const snw_pose *pose;
	double *points, *original;                 /* with and without the sculpt, [point_count][3] */
	double *normals, *original_normals;        /* the same */
	const snw_surface_place *const *places_on; /* of the points of each mesh, [mesh_count] */
	snw_arena *scratch;                        /* until it is carried */
} source;

double snw_carry_usual_reach(const snw_scene *scene) {
	double diagonal = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		diagonal = fmax(diagonal, snw_scene_diagonal(scene, m));
	}
	return usual_share * diagonal;
}

/* ---- the motion ---------------------------------------------------------------------------------------------------------- */

/* Turns a vector as the smallest rotation turns one unit vector to another. */
static void rotate_as(const double from[3], const double to[3], double v[3]) {
	double axis[3], once[3], twice[3];
	const double cosine = snw_dot3(from, to);
	snw_cross3(from, to, axis);
	snw_cross3(axis, v, once);
	snw_cross3(axis, once, twice);
	for (int c = 0; c < 3 && cosine > -0.999; c++) {
		v[c] += once[c] + twice[c] / (1 + cosine);
	}
}

static double share_at(double distance, double reach) {
	const double t = fmin(fmax(2 * distance / reach - 1, 0), 1);
	return 1 - t * t * (3 - 2 * t);
}

/* Where a point over the place goes, which is at `point` without the sculpt. */
static void move_point(const source *s, const snw_surface_place *place, double share, double point[3]) {
	double at[3], to[3], normal[3], rotated[3], off[3];
	snw_surface_place_value(place, s->original, 3, at);
	snw_surface_place_value(place, s->points, 3, to);
	snw_surface_place_value(place, s->original_normals, 3, normal);
	snw_surface_place_value(place, s->normals, 3, rotated);
	snw_normalize3(normal);
	snw_normalize3(rotated);
	for (int c = 0; c < 3; c++) {
		off[c] = point[c] - at[c];
	}
	rotate_as(normal, rotated, off);
	for (int c = 0; c < 3; c++) {
		point[c] += share * (to[c] + off[c] - point[c]);
	}
}

static bool is_moved(const source *s, const snw_surface_place *place) {
	bool is = false;
	for (int n = 0; n < 3 && !is; n++) {
		const size_t p = 3 * (size_t)place->points[n];
		is = place->shares[n] > 0 && memcmp(s->points + p, s->original + p, 3 * sizeof *s->points) != 0;
	}
	return is;
}

/* The points of a mesh that the sculpt moves go from `original` to `points`; the others keep what they have. */
static void move_points(const source *s, uint32_t mesh, double reach, const double *original, double *points,
						snw_carried_example *carried) {
	const double least = least_share * snw_scene_diagonal(s->scene, mesh);
	for (uint32_t i = 0; i < s->scene->meshes[mesh].point_count; i++) {
		const snw_surface_place *place = &s->places_on[mesh][i];
		const double share = share_at(place->distance, reach), *before = original + 3 * (size_t)i;
		double goal[3] = {before[0], before[1], before[2]};
		if (share <= 0 || !is_moved(s, place)) {
			continue;
		}
		move_point(s, place, share, goal);
		const double far = sqrt(snw_squared_distance3(goal, before));
		if (far > least) {
			memcpy(points + 3 * (size_t)i, goal, sizeof goal);
			carried->moved_count++;
			carried->most = fmax(carried->most, far);
		}
	}
}

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

static snw_status open_source(source *s, const snw_registry *registry, const char *name, snw_error *error) {
	s->example = snw_scene_find_example(s->scene, name);
	const snw_example *example = &s->scene->examples[s->example];
	const snw_mesh *mesh = &s->scene->meshes[example->mesh];
	const snk_faces faces = {mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points};
	s->mesh = example->mesh;
	s->pose = &s->scene->poses[example->pose];
	s->corrective = snw_reference_layer(s->scene, registry);
	const snw_status status = snw_sculpt_points(s->scene, registry, s->mesh, s->pose, s->example, s->corrective, s->scratch,
												&s->points, &s->original, error);
	if (!snw_failed(status)) {
		s->normals = snw_arena_array(s->scratch, mesh->point_count, 3 * sizeof *s->normals);
		s->original_normals = snw_arena_array(s->scratch, mesh->point_count, 3 * sizeof *s->normals);
		snk_point_normals(&faces, s->points, s->normals);
		snk_point_normals(&faces, s->original, s->original_normals);
	}
	return status;
}

/* The example of a mesh, if the sculpt reaches it. */
static snw_status find_beside(const source *s, const snw_registry *registry, uint32_t mesh, double reach, snw_arena *arena,
							  snw_sculpt_beside *beside, snw_carried_example *carried, snw_error *error) {
	const snw_scene *scene = s->scene;
	const uint32_t found = snw_sculpt_example(scene, mesh, s->pose);
	const char *from = scene->examples[s->example].name;
	double *points, *original;
	snw_status status =
		snw_sculpt_points(scene, registry, mesh, s->pose, found, s->corrective, s->scratch, &points, &original, error);
	if (snw_failed(status)) {
		return status;
	}
	if (found == SNW_NONE) { /* the skin without sculpts, not that of the whole stack */
		memcpy(points, original, 3 * (size_t)scene->meshes[mesh].point_count * sizeof *points);
	}
	const char *usual = snw_arena_format(arena, "%s-%s", from, scene->meshes[mesh].name);
	*carried = (snw_carried_example){.from = snw_arena_text(arena, from), .mesh = mesh, .is_updated = found != SNW_NONE};
	carried->name = found != SNW_NONE ? snw_arena_text(arena, scene->examples[found].name)
									  : snw_scene_free_name(scene, snw_scene_find_example, usual, arena);
	move_points(s, mesh, reach, original, points, carried);
	*beside = (snw_sculpt_beside){.example = carried->name, .mesh = mesh, .points_posed = points, .points_original = original};
	return SNW_OK;
}

static bool may_get(const snw_carry *order, uint32_t mesh) {
	bool may = order->mesh_count == 0;
	for (uint32_t i = 0; i < order->mesh_count; i++) {
		may = may || order->meshes[i] == mesh;
	}
	return may;
}

/* One example, into the project as those before it have left it. */
static snw_status carry_example(const source *s, snw_project *project, const snw_registry *registry, snw_arena *arena,
								snw_carry *order, snw_error *error) {
	const snw_scene *scene = s->scene;
	snw_sculpt_beside *beside = SNW_NEW_ARRAY(s->scratch, snw_sculpt_beside, scene->mesh_count);
	snw_sculpt_commit commit = {.example = scene->examples[s->example].name,
								.keeps_example = true,
								.mesh = s->mesh,
								.points_posed = s->points,
								.points_original = s->original,
								.pose = s->pose,
								.corrective = SNW_NONE,
								.plane = snw_symmetry_plane(scene, s->mesh),
								.beside = beside};
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		snw_carried_example carried = {0};
		if (m == s->mesh || !may_get(order, m)) {
			continue;
		}
		status = find_beside(s, registry, m, order->reach, arena, &beside[commit.beside_count], &carried, error);
		if (!snw_failed(status) && carried.moved_count > 0) {
			order->carried[order->carried_count++] = carried;
			commit.beside_count++;
		}
	}
	return snw_failed(status) || commit.beside_count == 0 ? status : snw_sculpt_put_example(project, scene, &commit, error);
}

/* The places on the mesh `from` of the points of the meshes that may get its sculpts. They are at rest, and stay. */
static snw_status find_places(const snw_scene *scene, const snw_carry *order, uint32_t from, const snw_task *task,
							  snw_arena *arena, const snw_surface_place **places, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		if (m == from || !may_get(order, m) || places[m] || scene->meshes[from].point_count == 0) {
			continue;
		}
		snw_surface_place *found = SNW_NEW_ARRAY(arena, snw_surface_place, mesh->point_count);
		status = snw_surface_places_find(mesh->point_count, mesh->points_rest, &scene->meshes[from],
										 scene->meshes[from].points_rest, "finding the skin below", task, found, error);
		places[m] = found;
	}
	return status;
}

snw_status snw_project_put_carried(snw_project *project, const snw_registry *registry, const snw_task *task, snw_arena *arena,
								   snw_carry *order, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(project, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t meshes = scene->mesh_count;
	const snw_surface_place **places = SNW_NEW_ARRAY(arena, const snw_surface_place *, (size_t)meshes *meshes);
	order->carried = SNW_NEW_ARRAY(arena, snw_carried_example, (size_t)order->example_count * meshes);
	for (uint32_t i = 0; i < order->example_count && !snw_failed(status); i++) {
		source s = {.scene = scene, .scratch = snw_arena_create()};
		status = open_source(&s, registry, order->examples[i], error);
		const snw_surface_place **on = places + (size_t)s.mesh * meshes;
		status = snw_failed(status) ? status : find_places(scene, order, s.mesh, task, arena, on, error);
		s.places_on = on;
		status = snw_failed(status) ? status : carry_example(&s, project, registry, arena, order, error);
		snw_arena_destroy(s.scratch);
		snw_scene_destroy(scene);
		scene = NULL;
		status = snw_failed(status) || i + 1 == order->example_count ? status : snw_project_scene(project, &scene, error);
	}
	snw_scene_destroy(scene);
	return status;
}
