/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lod/lod_internal.h"
#include "mesh/mesh.h"
#include "motion/motion.h"
#include "sinew/algebra.h"

/* Corners around each vertex in compressed rows: 3 · triangle + corner. */
typedef struct lod_corners {
	uint32_t *starts, *corners;
} lod_corners;

static const double hard_cosine = 0.9;    /* normals farther apart make an edge hard: 26 degrees */
static const double faceted_share = 0.5;  /* of edges */
static const double same_place = 1e-6;    /* of the rest's diagonal */
static const double uv_weight = 0.3;      /* against the shape */
static const double normal_weight = 0.01; /* of the diagonal to a unit of a normal */
static const double color_weight = 0.01;

/* ---- vertices ------------------------------------------------------------------------------------------------------------ */

typedef struct place {
	const double *rest, *coordinates;
	uint32_t mesh, point;
} place;

static int by_place(const void *a, const void *b) {
	const place *x = a, *y = b;
	for (int c = 0; c < 3; c++) {
		if (x->rest[c] != y->rest[c]) {
			return x->rest[c] < y->rest[c] ? -1 : 1;
		}
	}
	return x->mesh != y->mesh ? (x->mesh < y->mesh ? -1 : 1) : (x->point > y->point) - (x->point < y->point);
}

static bool moves_alike(const place *a, const place *b, uint32_t axis_count, double most) {
	double squares = 0;
	for (uint32_t i = 0; i < axis_count; i++) {
		const double apart = a->coordinates[i] - b->coordinates[i];
		squares += apart * apart;
	}
	return squares <= most * most;
}

/* The vertex of each point: [mesh_count]: [point_count]. Points that are no corner have one too. */
static uint32_t **weld_points(const lod_surface *s, snw_arena *arena, uint32_t *vertex_count) {
	const snw_scene *scene = s->scene;
	const double most = same_place * snw_scene_diagonal(scene, SNW_NONE);
	uint32_t **vertices = SNW_NEW_ARRAY(arena, uint32_t *, scene->mesh_count);
	size_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		vertices[m] = SNW_NEW_ARRAY(arena, uint32_t, scene->meshes[m].point_count);
		memset(vertices[m], 0xFF, scene->meshes[m].point_count * sizeof **vertices);
		count += scene->meshes[m].point_count;
	}
	place *places = SNW_NEW_ARRAY(arena, place, count);
	count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t p = 0; p < scene->meshes[m].point_count; p++) {
			places[count++] = (place){scene->meshes[m].points_rest + 3 * (size_t)p,
									  s->motion->coordinates[m] + (size_t)p * s->axis_count, m, p};
		}
	}
	qsort(places, count, sizeof *places, by_place);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i; j-- > 0 && memcmp(places[j].rest, places[i].rest, 3 * sizeof(double)) == 0;) {
			if (moves_alike(&places[j], &places[i], s->axis_count, most)) {
				vertices[places[i].mesh][places[i].point] = vertices[places[j].mesh][places[j].point];
				break;
			}
		}
		uint32_t *vertex = &vertices[places[i].mesh][places[i].point];
		*vertex = *vertex == SNW_NONE ? (*vertex_count)++ : *vertex;
	}
	return vertices;
}

/* The rest, and the poses that are farthest from each other: each next is the one least like those before it. */
static void choose_checks(const lod_surface *s, snw_arena *arena, uint32_t checks[LOD_CHECKS]) {
	const snw_motion *motion = s->motion;
	double *nearest = SNW_NEW_ARRAY(arena, double, motion->pose_count);
	for (uint32_t p = 0; p < motion->pose_count; p++) {
		nearest[p] = (double)INFINITY;
	}
	checks[0] = 0;
	for (uint32_t n = 1; n < LOD_CHECKS; n++) {
		uint32_t farthest = 0;
		for (uint32_t p = 0; p < motion->pose_count; p++) {
			double squares = 0;
			for (uint32_t m = 0; m < s->scene->mesh_count; m++) {
				const size_t count = 3 * (size_t)s->scene->meshes[m].point_count;
				const float *a = motion->posed[m] + p * count, *b = motion->posed[m] + checks[n - 1] * count;
				for (size_t i = 0; i < count; i += 7) {
					squares += (double)((a[i] - b[i]) * (a[i] - b[i]));
				}
			}
			nearest[p] = fmin(nearest[p], squares);
			farthest = nearest[p] > nearest[farthest] ? p : farthest;
		}
		checks[n] = farthest;
	}
}

static void place_vertices(lod_surface *s, uint32_t *const *vertices, const char *protect, snw_arena *arena) {
	const snw_scene *scene = s->scene;
	uint32_t checks[LOD_CHECKS];
	choose_checks(s, arena, checks);
	s->coordinates = SNW_NEW_ARRAY(arena, double, (size_t)s->vertex_count * s->axis_count);
	s->checks = SNW_NEW_ARRAY(arena, float, (size_t)3 * LOD_CHECKS * s->vertex_count);
	s->shares_kept = SNW_NEW_ARRAY(arena, double, s->vertex_count);
	s->vertex_points = SNW_NEW_ARRAY(arena, uint32_t *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const size_t count = scene->meshes[m].point_count;
		const uint32_t found = protect ? snw_scene_find_field(scene, m, protect) : SNW_NONE;
		s->vertex_points[m] = SNW_NEW_ARRAY(arena, uint32_t, s->vertex_count);
		memset(s->vertex_points[m], 0xFF, s->vertex_count * sizeof **s->vertex_points);
		for (uint32_t p = (uint32_t)count; p-- > 0;) { /* of several points of a vertex the first */
			const size_t v = vertices[m][p];
			s->vertex_points[m][v] = p;
			memcpy(s->coordinates + v * s->axis_count, s->motion->coordinates[m] + (size_t)p * s->axis_count,
				   s->axis_count * sizeof(double));
			for (size_t n = 0; n < LOD_CHECKS; n++) {
				memcpy(s->checks + 3 * (LOD_CHECKS * v + n), s->motion->posed[m] + 3 * (checks[n] * count + p),
					   3 * sizeof(float));
			}
			if (found != SNW_NONE && scene->fields[found].components == 1) {
				s->shares_kept[v] = fmax(s->shares_kept[v], fmin(scene->fields[found].values[p], 1));
			}
		}
	}
}

/* ---- triangles and wedges ------------------------------------------------------------------------------------------------ */

static double length_of(const double *a, const double *b) {
	return sqrt(snw_squared_distance3(a, b));
}

double lod_uv_scale(const snw_mesh *mesh) {
	double area = 0, uv_area = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t c = mesh->face_offsets[f];
		for (uint32_t k = c + 2; k < mesh->face_offsets[f + 1]; k++) {
			const uint32_t corners[3] = {c, k - 1, k};
			const double *p[3];
			const float *t[3];
			for (int n = 0; n < 3; n++) {
				p[n] = mesh->points_rest + 3 * (size_t)mesh->face_points[corners[n]];
				t[n] = mesh->corner_uvs + 2 * (size_t)corners[n];
			}
			const double a = length_of(p[0], p[1]), b = length_of(p[1], p[2]), d = length_of(p[2], p[0]);
			const double half = (a + b + d) / 2;
			area += sqrt(fmax(half * (half - a) * (half - b) * (half - d), 0));
			uv_area +=
				fabs((double)((t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) - (t[2][0] - t[0][0]) * (t[1][1] - t[0][1]))) / 2;
		}
	}
	return uv_area > 0 ? sqrt(area / uv_area) : 0;
}

static lod_values find_values(const snw_mesh *mesh, bool is_faceted, double diagonal) {
	lod_values v = {0, SNW_NONE, SNW_NONE, SNW_NONE, {0}};
	if (mesh->corner_uvs) {
		v.uv = v.count;
		v.scales[v.count] = v.scales[v.count + 1] = uv_weight * lod_uv_scale(mesh);
		v.count += 2;
	}
	if (mesh->corner_normals && !is_faceted) {
		v.normal = v.count;
		for (int c = 0; c < 3; c++) {
			v.scales[v.count++] = normal_weight * diagonal;
		}
	}
	if (mesh->corner_colors) {
		v.color = v.count;
		for (int c = 0; c < 4; c++) {
			v.scales[v.count++] = color_weight * diagonal;
		}
	}
	return v;
}

static void read_values(const snw_mesh *mesh, const lod_values *which, size_t corner, float values[LOD_VALUES]) {
	memset(values, 0, LOD_VALUES * sizeof *values);
	if (which->uv != SNW_NONE) {
		memcpy(values + which->uv, mesh->corner_uvs + 2 * corner, 2 * sizeof *values);
	}
	if (which->normal != SNW_NONE) {
		memcpy(values + which->normal, mesh->corner_normals + 3 * corner, 3 * sizeof *values);
	}
	if (which->color != SNW_NONE) {
		memcpy(values + which->color, mesh->corner_colors + 4 * corner, 4 * sizeof *values);
	}
}

static bool is_drawn_alike(const lod_values *which, const float *a, const float *b) {
	bool alike = true;
	for (uint32_t i = 0; i < which->count; i++) {
		const bool of_normal = which->normal != SNW_NONE && i - which->normal < 3;
		alike = alike && (of_normal || fabsf(a[i] - b[i]) <= 1e-6F);
	}
	const float *m = which->normal == SNW_NONE ? NULL : a + which->normal, *n = m ? b + which->normal : NULL;
	return alike && (!m || (double)(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) >= hard_cosine);
}

static void add_triangles(lod_surface *s, uint32_t *const *vertices, uint32_t mesh_index, snw_arena *scratch) {
	const snw_mesh *mesh = &s->scene->meshes[mesh_index];
	uint32_t most = 3;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		most = count > most ? count : most;
	}
	uint32_t *corners = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)most), *space = SNW_NEW_ARRAY(scratch, uint32_t, most);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		snw_face_triangulate(mesh, f, corners, space);
		for (uint32_t k = 0; k + 2 < mesh->face_offsets[f + 1] - mesh->face_offsets[f]; k++) {
			lod_triangle t = {.mesh = mesh_index, .face = f};
			for (int c = 0; c < 3; c++) {
				t.wedges[c] = mesh->face_offsets[f] + corners[3 * k + (uint32_t)c]; /* the corner, until wedges are found */
				t.vertices[c] = vertices[mesh_index][mesh->face_points[t.wedges[c]]];
			}
			if (t.vertices[0] != t.vertices[1] && t.vertices[1] != t.vertices[2] && t.vertices[2] != t.vertices[0]) {
				s->triangles[s->triangle_count++] = t;
			}
		}
	}
}

static lod_corners lod_corners_make(const lod_surface *s, snw_arena *arena) {
	const lod_corners c = {SNW_NEW_ARRAY(arena, uint32_t, (size_t)s->vertex_count + 2),
						   SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)s->triangle_count)};
	for (uint32_t t = 0; t < s->triangle_count; t++) {
		for (int k = 0; k < 3; k++) {
			c.starts[s->triangles[t].vertices[k] + 2]++;
		}
	}
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		c.starts[v + 2] += c.starts[v + 1];
	}
	for (uint32_t t = 0; t < s->triangle_count; t++) {
		for (uint32_t k = 0; k < 3; k++) {
			c.corners[c.starts[s->triangles[t].vertices[k] + 1]++] = 3 * t + k;
		}
	}
	return c;
}

/* Corners of a vertex that are drawn alike become one wedge. */
static void find_wedges(lod_surface *s, const lod_corners *around) {
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		const uint32_t first = s->wedge_count;
		for (uint32_t i = around->starts[v]; i < around->starts[v + 1]; i++) {
			lod_triangle *t = &s->triangles[around->corners[i] / 3];
			uint32_t *corner = &t->wedges[around->corners[i] % 3], w = first;
			lod_wedge made = {.mesh = t->mesh};
			read_values(&s->scene->meshes[t->mesh], &s->values[t->mesh], *corner, made.values);
			while (w < s->wedge_count &&
				   (s->wedges[w].mesh != t->mesh || !is_drawn_alike(&s->values[t->mesh], s->wedges[w].values, made.values))) {
				w++;
			}
			if (w == s->wedge_count) {
				s->wedges[s->wedge_count++] = made;
			}
			*corner = w;
		}
	}
}

/* ---- features ------------------------------------------------------------------------------------------------------------ */

static uint32_t triangle_material(const lod_surface *s, const lod_triangle *t) {
	const uint32_t *materials = s->scene->meshes[t->mesh].face_materials;
	return materials ? materials[t->face] : SNW_NONE;
}

/* The wedge of a triangle at a vertex. */
static uint32_t wedge_at(const lod_triangle *t, uint32_t vertex) {
	return t->wedges[t->vertices[0] == vertex ? 0 : t->vertices[1] == vertex ? 1 : 2];
}

static bool has_vertex(const lod_triangle *t, uint32_t vertex) {
	return t->vertices[0] == vertex || t->vertices[1] == vertex || t->vertices[2] == vertex;
}

static bool runs_so(const lod_triangle *t, uint32_t from, uint32_t to) {
	return (t->vertices[0] == from && t->vertices[1] == to) || (t->vertices[1] == from && t->vertices[2] == to) ||
		   (t->vertices[2] == from && t->vertices[0] == to);
}

/* An edge of a triangle that has to stay a line; `fixes` where more than two faces meet. */
static bool is_feature(const lod_surface *s, const lod_corners *around, uint32_t triangle, uint32_t corner, bool *fixes) {
	const lod_triangle *t = &s->triangles[triangle];
	const uint32_t from = t->vertices[corner], to = t->vertices[(corner + 1) % 3];
	uint32_t count = 0, other = SNW_NONE;
	for (uint32_t i = around->starts[from]; i < around->starts[from + 1]; i++) {
		const uint32_t n = around->corners[i] / 3;
		if (n != triangle && has_vertex(&s->triangles[n], to)) {
			other = n;
			count++;
		}
	}
	*fixes = count > 1 || (count == 1 && !runs_so(&s->triangles[other], to, from));
	if (count != 1) {
		return true;
	}
	const lod_triangle *u = &s->triangles[other];
	return *fixes || u->mesh != t->mesh || triangle_material(s, u) != triangle_material(s, t) ||
		   wedge_at(u, from) != wedge_at(t, from) || wedge_at(u, to) != wedge_at(t, to);
}

/* Whether the triangles at a vertex are one fan, or two halves of one along its line. */
static bool is_one_fan(const lod_surface *s, const lod_corners *around, uint32_t vertex) {
	const uint32_t begin = around->starts[vertex], end = around->starts[vertex + 1];
	uint32_t borders = 0, reached = 0, at = begin == end ? SNW_NONE : around->corners[begin] / 3;
	for (uint32_t i = begin; i < end; i++) { /* begin at a border, if there is one */
		const lod_triangle *t = &s->triangles[around->corners[i] / 3];
		const uint32_t k = around->corners[i] % 3, next = t->vertices[(k + 1) % 3];
		bool has_before = false;
		for (uint32_t j = begin; j < end && !has_before; j++) {
			has_before = j != i && s->triangles[around->corners[j] / 3].vertices[(around->corners[j] % 3 + 2) % 3] == next;
		}
		borders += !has_before;
		at = has_before ? at : around->corners[i] / 3;
	}
	const uint32_t first = at;
	while (at != SNW_NONE && borders <= 1 && reached <= end - begin) {
		const lod_triangle *t = &s->triangles[at];
		const uint32_t k = t->vertices[0] == vertex ? 0 : t->vertices[1] == vertex ? 1 : 2, last = t->vertices[(k + 2) % 3];
		reached++;
		at = SNW_NONE;
		for (uint32_t j = begin; j < end && at == SNW_NONE; j++) {
			const uint32_t n = around->corners[j] / 3;
			at = s->triangles[n].vertices[(around->corners[j] % 3 + 1) % 3] == last ? n : SNW_NONE;
		}
		at = at == first ? SNW_NONE : at;
	}
	return borders <= 1 && reached == end - begin;
}

static void find_features(lod_surface *s, const lod_corners *around, snw_arena *scratch) {
	uint32_t *lines = SNW_NEW_ARRAY(scratch, uint32_t, s->vertex_count);
	bool *fixed = SNW_NEW_ARRAY(scratch, bool, s->vertex_count);
	for (uint32_t t = 0; t < s->triangle_count; t++) {
		for (uint32_t k = 0; k < 3; k++) {
			bool fixes;
			const uint32_t from = s->triangles[t].vertices[k], to = s->triangles[t].vertices[(k + 1) % 3];
			s->triangles[t].features[k] = is_feature(s, around, t, k, &fixes);
			fixed[from] = fixed[from] || fixes || !s->takes_part[s->triangles[t].mesh];
			fixed[to] = fixed[to] || fixes;
		}
	}
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		uint32_t halves = 0; /* an edge with two faces counts twice at its ends, a border once */
		for (uint32_t i = around->starts[v]; i < around->starts[v + 1]; i++) {
			const lod_triangle *t = &s->triangles[around->corners[i] / 3];
			const uint32_t k = around->corners[i] % 3, next = t->vertices[(k + 1) % 3], last = t->vertices[(k + 2) % 3];
			bool next_pair = false, last_pair = false;
			for (uint32_t j = around->starts[v]; j < around->starts[v + 1]; j++) {
				const lod_triangle *u = &s->triangles[around->corners[j] / 3];
				next_pair = next_pair || (u != t && has_vertex(u, next));
				last_pair = last_pair || (u != t && has_vertex(u, last));
			}
			halves += t->features[k] ? (next_pair ? 1 : 2) : 0;
			halves += t->features[(k + 2) % 3] ? (last_pair ? 1 : 2) : 0;
		}
		lines[v] = halves / 2;
		const bool is_fixed = fixed[v] || (lines[v] != 0 && lines[v] != 2) || s->shares_kept[v] >= 1 ||
							  around->starts[v] == around->starts[v + 1] || !is_one_fan(s, around, v);
		s->kinds[v] = is_fixed ? LOD_FIXED : lines[v] == 2 ? LOD_ON_LINE : LOD_INNER;
	}
}

/* Whether most edges of a mesh are hard. */
static bool find_faceted(const snw_mesh *mesh) {
	uint32_t hard = 0;
	if (!mesh->corner_normals || mesh->face_count == 0) {
		return false;
	}
	/* A corner whose normal is that of its face, for nearly all corners. */
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		bool same = true;
		for (uint32_t k = begin + 1; k < end; k++) {
			const float *a = mesh->corner_normals + 3 * (size_t)begin, *b = mesh->corner_normals + 3 * (size_t)k;
			same = same && (double)(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) > 0.9999;
		}
		hard += same;
	}
	return hard > faceted_share * mesh->face_count;
}

void lod_surface_make(const snw_scene *scene, const snw_motion *motion, const char *protect, const bool *takes_part,
					  snw_arena *arena, lod_surface *surface) {
	snw_arena *scratch = snw_arena_create();
	lod_surface *s = surface;
	*s = (lod_surface){.scene = scene, .motion = motion, .axis_count = motion->axis_count};
	size_t most = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		most += mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	}
	uint32_t **vertices = weld_points(s, scratch, &s->vertex_count);
	place_vertices(s, vertices, protect, arena);
	s->takes_part = snw_arena_copy(arena, takes_part, scene->mesh_count * sizeof *takes_part);
	s->triangles = SNW_NEW_ARRAY(arena, lod_triangle, most);
	s->wedges = SNW_NEW_ARRAY(arena, lod_wedge, most);
	s->kinds = SNW_NEW_ARRAY(arena, uint8_t, s->vertex_count);
	s->values = SNW_NEW_ARRAY(arena, lod_values, scene->mesh_count);
	s->is_faceted = SNW_NEW_ARRAY(arena, bool, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		s->is_faceted[m] = find_faceted(&scene->meshes[m]);
		s->values[m] = find_values(&scene->meshes[m], s->is_faceted[m], snw_scene_diagonal(scene, SNW_NONE));
		add_triangles(s, vertices, m, scratch);
	}
	const lod_corners around = lod_corners_make(s, scratch);
	find_wedges(s, &around);
	find_features(s, &around, scratch);
	snw_arena_destroy(scratch);
}
