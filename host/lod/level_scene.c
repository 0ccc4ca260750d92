/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lod/lod.h"

#include <math.h>
#include <meshoptimizer.h>
#include <string.h>

#include "base/numbers.h"
#include "lod/level_skin.h"
#include "lod/lod_internal.h"
#include "sinew/algebra.h"

/* ---- level scene --------------------------------------------------------------------------------------------------------- */

#define PIXELS 1080 /* of the height that a level's share is of */

/* Fields, examples and targets have the points of other meshes. */
static void leave_out_points(snw_scene *scene) {
	scene->field_count = 0;
	scene->example_count = 0;
	scene->group_count = 0;
	scene->target_count = 0;
}

/* A level as a mesh of the scene, with weights for the scene's slots, where they are those of its palette. */
static snw_mesh level_as_mesh(const snw_scene *scene, const snw_level *level, const char *name) {
	snw_mesh mesh = level->shape;
	mesh.name = name;
	if (level->slot_count != scene->slot_count) {
		mesh.influence_offsets = NULL;
		mesh.influence_slots = NULL;
		mesh.influence_weights = NULL;
	}
	return mesh;
}

const snw_level *snw_level_of_mesh(const snw_scene *scene, uint32_t mesh, uint32_t number) {
	const snw_level *found = NULL;
	for (uint32_t i = 0; i < scene->level_count; i++) {
		const snw_level *level = &scene->levels[i];
		if (level->mesh == mesh && level->number <= number && (!found || level->number > found->number)) {
			found = level;
		}
	}
	return found;
}

bool snw_scene_has_level(const snw_scene *scene, uint32_t number) {
	for (uint32_t i = 0; i < scene->level_count; i++) {
		if (scene->levels[i].number == number) {
			return true;
		}
	}
	return false;
}

uint32_t snw_level_most(const snw_scene *scene) {
	uint32_t most = 0;
	for (uint32_t i = 0; i < scene->level_count; i++) {
		most = scene->levels[i].number > most ? scene->levels[i].number : most;
	}
	return most;
}

double snw_level_side(const snw_scene *scene) {
	snw_box box = snw_box_empty();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_box_add_points(&box, scene->meshes[m].points_rest, scene->meshes[m].point_count);
	}
	double side = 0;
	for (int c = 0; c < 3; c++) {
		side = fmax(side, box.upper[c] - box.lower[c]);
	}
	return side;
}

double snw_level_most_pixels(const snw_scene *scene, uint32_t number) {
	double most = INFINITY;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_level *level = snw_level_of_mesh(scene, m, number);
		most = level ? fmin(most, PIXELS * level->screen_share) : most;
	}
	return most;
}

uint32_t snw_level_of_pixels(const snw_scene *scene, double pixels) {
	uint32_t number = snw_level_most(scene);
	while (number > 0 && !(pixels <= snw_level_most_pixels(scene, number))) {
		number--;
	}
	return number;
}

snw_status snw_scene_at_level(const snw_scene *scene, uint32_t number, snw_arena *arena, snw_level_scene *made,
							  snw_error *error) {
	uint32_t *origins = SNW_NEW_ARRAY(arena, uint32_t, scene->mesh_count);
	const snw_level **levels = SNW_NEW_ARRAY(arena, const snw_level *, scene->mesh_count);
	snw_mesh *meshes = snw_arena_copy(arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	const uint32_t most = snw_level_most(scene);
	if (number > most) {
		return most == 0 ? snw_fail(error, SNW_ERROR_MISSING,
									"the project has no levels of detail; 'sinew lod P.sinew make' makes some")
						 : snw_fail(error, SNW_ERROR_MISSING, "there is no level %u; the project has 0 to %u", number, most);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		origins[m] = m;
		levels[m] = snw_level_of_mesh(scene, m, number);
		if (levels[m]) {
			meshes[m] = level_as_mesh(scene, levels[m], scene->meshes[m].name);
			meshes[m].id = scene->meshes[m].id;
		}
	}
	*made = (snw_level_scene){.before = scene, .scene = *scene, .origins = origins, .levels = levels};
	made->scene.meshes = meshes;
	leave_out_points(&made->scene);
	return SNW_OK;
}

void snw_scene_with_levels(const snw_scene *scene, snw_arena *arena, snw_level_scene *made) {
	const uint32_t count = scene->mesh_count + scene->level_count;
	uint32_t *origins = SNW_NEW_ARRAY(arena, uint32_t, count);
	const snw_level **levels = SNW_NEW_ARRAY(arena, const snw_level *, count);
	snw_mesh *meshes = SNW_NEW_ARRAY(arena, snw_mesh, count);
	for (uint32_t m = 0; m < count; m++) {
		levels[m] = m < scene->mesh_count ? NULL : &scene->levels[m - scene->mesh_count];
		origins[m] = levels[m] ? levels[m]->mesh : m;
		const snw_mesh *of = &scene->meshes[origins[m]];
		meshes[m] = levels[m] ? level_as_mesh(scene, levels[m], "") : *of;
		meshes[m].name = levels[m] || snw_level_of_mesh(scene, m, UINT32_MAX)
							 ? snw_arena_format(arena, "%s_LOD%u", of->name, levels[m] ? levels[m]->number : 0)
							 : of->name;
	}
	*made = (snw_level_scene){.before = scene, .scene = *scene, .origins = origins, .levels = levels};
	made->scene.meshes = meshes;
	made->scene.mesh_count = count;
	leave_out_points(&made->scene);
}

bool snw_level_scene_shows(const snw_level_scene *made, uint32_t mesh, uint32_t number) {
	return made->levels[mesh] == snw_level_of_mesh(made->before, made->origins[mesh], number);
}

snw_status snw_stack_take_levels(snw_stack *stack, const snw_level_scene *made, snw_arena *arena, snw_error *error) {
	snw_stack_mesh *meshes = SNW_NEW_ARRAY(arena, snw_stack_mesh, made->scene.mesh_count);
	for (uint32_t m = 0; m < made->scene.mesh_count; m++) {
		const snw_level *level = made->levels[m];
		meshes[m].origin = made->origins[m];
		if (!level) {
			continue;
		}
		const bool is_one = lod_is_one_program(stack, level->mesh);
		const snw_program *program = is_one ? snw_stack_segment(stack, level->mesh, 0).program : NULL;
		const uint32_t slots = program ? program->slot_count : made->scene.slot_count;
		if (level->shape.influence_offsets && slots != level->slot_count) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"level %u of mesh %s was made for %u slots, and the stack has %u now; make the levels again",
							level->number, level->shape.name, level->slot_count, slots);
		}
		snw_program *coarse = SNW_NEW(arena, snw_program);
		*coarse = snw_lod_program(made->before, stack, level, arena);
		meshes[m].program = coarse;
	}
	snw_stack_replace_meshes(stack, &made->scene, meshes);
	return SNW_OK;
}

/* ---- the mesh of a level ------------------------------------------------------------------------------------------------- */

/* What is left of a mesh, in the order in which it is written. */
typedef struct lod_left {
	uint32_t face_count, point_count;
	uint32_t *triangles; /* [face_count], of the surface */
	uint32_t *vertices;  /* [point_count], of the surface */
	uint32_t *points;    /* [vertex_count]: of those vertices; SNW_NONE for others */
} lod_left;

static void find_triangles(const lod_surface *s, uint32_t mesh, lod_left *left, snw_arena *arena) {
	left->triangles = SNW_NEW_ARRAY(arena, uint32_t, s->triangle_count);
	for (uint32_t t = 0; t < s->triangle_count; t++) {
		if (s->triangles[t].mesh == mesh && s->triangles[t].face != SNW_NONE) {
			left->triangles[left->face_count++] = t;
		}
	}
}

/* In an order in which a graphics card, which keeps the last vertices, poses few of them twice. The order of meshoptimizer has
 * the vertices of each triangle alone: those that begin at a wedge are a list, from which the triangle is taken. */
static void order_triangles(const lod_surface *s, lod_left *left, snw_arena *arena) {
	const size_t corners = 3 * (size_t)left->face_count;
	uint32_t *wedges = SNW_NEW_ARRAY(arena, uint32_t, corners), *ordered = SNW_NEW_ARRAY(arena, uint32_t, corners);
	uint32_t *first = SNW_NEW_ARRAY(arena, uint32_t, s->wedge_count), *next = SNW_NEW_ARRAY(arena, uint32_t, left->face_count);
	uint32_t *before = snw_arena_copy(arena, left->triangles, left->face_count * sizeof *before);
	memset(first, 0xFF, s->wedge_count * sizeof *first); /* SNW_NONE */
	for (uint32_t f = left->face_count; f-- > 0;) {
		const lod_triangle *triangle = &s->triangles[before[f]];
		memcpy(wedges + 3 * (size_t)f, triangle->wedges, 3 * sizeof *wedges);
		next[f] = first[triangle->wedges[0]];
		first[triangle->wedges[0]] = f;
	}
	meshopt_optimizeVertexCache(ordered, wedges, corners, s->wedge_count);
	for (uint32_t f = 0; f < left->face_count; f++) {
		const uint32_t *wanted = ordered + 3 * (size_t)f;
		uint32_t *at = &first[wanted[0]];
		while (memcmp(wedges + 3 * (size_t)*at, wanted, 3 * sizeof *wedges) != 0) {
			at = &next[*at];
		}
		left->triangles[f] = before[*at];
		*at = next[*at];
	}
}

/* In the order of their first use. */
static void find_points(const lod_surface *s, lod_left *left, snw_arena *arena) {
	left->points = SNW_NEW_ARRAY(arena, uint32_t, s->vertex_count);
	left->vertices = SNW_NEW_ARRAY(arena, uint32_t, s->vertex_count);
	memset(left->points, 0xFF, s->vertex_count * sizeof *left->points); /* SNW_NONE */
	for (uint32_t f = 0; f < left->face_count; f++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t vertex = s->triangles[left->triangles[f]].vertices[k];
			if (left->points[vertex] == SNW_NONE) {
				left->vertices[left->point_count] = vertex;
				left->points[vertex] = left->point_count++;
			}
		}
	}
}

static snw_stencils take_stencils(const lod_surface *s, const lod_collapse *collapse, uint32_t mesh, const lod_left *left,
								  snw_arena *arena) {
	size_t entries = 0;
	for (uint32_t p = 0; p < left->point_count; p++) {
		entries += lod_collapse_stencil(collapse, left->vertices[p])->count;
	}
	snw_stencils made = {left->point_count, SNW_NEW_ARRAY(arena, uint32_t, (size_t)left->point_count + 1),
						 SNW_NEW_ARRAY(arena, uint32_t, entries), SNW_NEW_ARRAY(arena, double, entries)};
	uint32_t at = 0;
	for (uint32_t p = 0; p < left->point_count; p++) {
		const lod_stencil *from = lod_collapse_stencil(collapse, left->vertices[p]);
		double sum = 0;
		const uint32_t begin = at;
		for (uint32_t i = 0; i < from->count; i++) {
			const uint32_t point = s->vertex_points[mesh][from->vertices[i]];
			if (point != SNW_NONE) {
				made.indices[at] = point;
				made.weights[at++] = from->weights[i];
				sum += from->weights[i];
			}
		}
		for (uint32_t i = begin; i < at; i++) {
			made.weights[i] /= sum;
		}
		made.offsets[p + 1] = at;
	}
	return made;
}

static void put_values(const lod_values *kinds, const lod_wedge *wedge, size_t corner, snw_mesh *mesh, float *uvs,
					   float *normals, float *colors) {
	if (mesh->corner_uvs) {
		memcpy(uvs + 2 * corner, wedge->values + kinds->uv, 2 * sizeof *uvs);
	}
	if (mesh->corner_colors) {
		for (size_t c = 0; c < 4; c++) {
			const float value = wedge->values[kinds->color + c];
			colors[4 * corner + c] = value < 0 ? 0 : value;
		}
	}
	if (mesh->corner_normals && kinds->normal != SNW_NONE) {
		double normal[3];
		for (int c = 0; c < 3; c++) {
			normal[c] = (double)wedge->values[kinds->normal + (uint32_t)c];
		}
		snw_normalize3(normal);
		for (size_t c = 0; c < 3; c++) {
			normals[3 * corner + c] = (float)normal[c];
		}
	}
}

/* Normals of faces, for a mesh that is drawn with them. */
static void put_face_normals(const snw_mesh *mesh, float *normals) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const double *p[3];
		for (uint32_t k = 0; k < 3; k++) {
			p[k] = mesh->points_rest + 3 * (size_t)mesh->face_points[3 * (size_t)f + k];
		}
		const double ab[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
		const double ac[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
		double normal[3];
		snw_cross3(ab, ac, normal);
		snw_normalize3(normal);
		for (size_t k = 0; k < 9; k++) {
			normals[9 * (size_t)f + k] = (float)normal[k % 3];
		}
	}
}

static void take_faces(const lod_surface *s, uint32_t mesh, const lod_left *left, uint32_t *offsets, uint32_t *face_points,
					   uint32_t *parents, snw_mesh *to, snw_arena *arena) {
	const snw_mesh *from = &s->scene->meshes[mesh];
	const size_t corners = 3 * (size_t)to->face_count;
	float *uvs = from->corner_uvs ? SNW_NEW_ARRAY(arena, float, 2 * corners) : NULL;
	float *normals = from->corner_normals ? SNW_NEW_ARRAY(arena, float, 3 * corners) : NULL;
	float *colors = from->corner_colors ? SNW_NEW_ARRAY(arena, float, 4 * corners) : NULL;
	uint32_t *materials = from->face_materials ? SNW_NEW_ARRAY(arena, uint32_t, to->face_count) : NULL;
	to->corner_uvs = uvs;
	to->corner_normals = normals;
	to->corner_colors = colors;
	to->face_materials = materials;
	for (uint32_t face = 0; face < left->face_count; face++) {
		const lod_triangle *triangle = &s->triangles[left->triangles[face]];
		parents[face] = triangle->face;
		offsets[face + 1] = 3 * (face + 1);
		for (size_t k = 0; k < 3; k++) {
			face_points[3 * (size_t)face + k] = left->points[triangle->vertices[k]];
			put_values(&s->values[mesh], &s->wedges[triangle->wedges[k]], 3 * (size_t)face + k, to, uvs, normals, colors);
		}
		if (materials) {
			materials[face] = from->face_materials[triangle->face];
		}
	}
	if (normals && s->is_faceted[mesh]) {
		put_face_normals(to, normals);
	}
}

lod_level_mesh lod_level_mesh_make(const lod_surface *s, const lod_collapse *collapse, uint32_t mesh, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	lod_left left = {0};
	find_triangles(s, mesh, &left, scratch);
	order_triangles(s, &left, scratch);
	find_points(s, &left, scratch);
	const uint32_t face_count = left.face_count, point_count = left.point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)face_count + 1);
	uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)face_count);
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	lod_level_mesh made = {.mesh = {.name = s->scene->meshes[mesh].name,
									.point_count = point_count,
									.points_rest = rest,
									.face_count = face_count,
									.face_offsets = offsets,
									.face_points = face_points},
						   .face_parents = SNW_NEW_ARRAY(arena, uint32_t, face_count)};
	made.stencils = take_stencils(s, collapse, mesh, &left, arena);
	snw_stencils_apply(&made.stencils, s->scene->meshes[mesh].points_rest, 3, rest);
	take_faces(s, mesh, &left, offsets, face_points, made.face_parents, &made.mesh, arena);
	snw_arena_destroy(scratch);
	return made;
}
