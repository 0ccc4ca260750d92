/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MikkTSpace, from its description and the behaviour of its published code; and tangents in a pose.
 */
#include "mesh/mesh.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "sinew/algebra.h"

/* A group with more triangles is averaged without looking for opposite directions, which takes the square of their number. */
enum { MOST_COMPARED = 512 };

/* ---- vectors ------------------------------------------------------------------------------------------------------------- */

static float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_not_zero(float value) {
	return fabsf(value) > FLT_MIN;
}

static void normalize(float v[3]) {
	if (is_not_zero(v[0]) || is_not_zero(v[1]) || is_not_zero(v[2])) {
		const float scale = 1 / sqrtf(dot(v, v));
		for (int c = 0; c < 3; c++) {
			v[c] *= scale;
		}
	}
}

/* The unit part of v at a right angle to a normal. */
static void project(const float v[3], const float normal[3], float dest[3]) {
	const float along = dot(normal, v);
	for (int c = 0; c < 3; c++) {
		dest[c] = v[c] - along * normal[c];
	}
	normalize(dest);
}

static void difference(const float a[3], const float b[3], float dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = a[c] - b[c];
	}
}

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

typedef struct tangent_triangle {
	uint32_t corners[3];    /* of the mesh */
	uint32_t neighbours[3]; /* across the edge after each corner; SNW_NONE */
	uint32_t groups[3];     /* of each corner; SNW_NONE: none yet */
	float rising_u[3], rising_v[3];
	bool keeps_orientation; /* of its UVs */
	bool takes_any;         /* it has no directions of its own: the first group decides on its orientation */
	bool is_degenerate;     /* two corners are at one place */
} tangent_triangle;

typedef struct group {
	uint32_t vertex;
	uint32_t begin, end; /* of the list of members */
	bool keeps_orientation;
} group;

typedef struct making {
	const snw_mesh *mesh;
	const float *normals;
	snw_arena *scratch;
	float *points;      /* [corner_count][3] */
	uint32_t *vertices; /* [corner_count]: equal for corners of equal place, normal and UV */
	uint32_t triangle_count, group_count, member_count;
	tangent_triangle *triangles;
	group *groups;
	uint32_t *members; /* triangles of groups */
	float *tangents;   /* [corner_count][4]: zero where none is made yet */
} making;

/* Corners whose numbers are equal are one vertex. */
static void weld(making *m, uint32_t corner_count) {
	uint32_t room = 16;
	while (room < 2 * (uint64_t)corner_count && room < 1u << 31) {
		room *= 2;
	}
	uint32_t *table = SNW_NEW_ARRAY(m->scratch, uint32_t, room);
	float(*keys)[8] = snw_arena_array(m->scratch, corner_count, sizeof *keys);
	memset(table, 0xFF, room * sizeof *table); /* SNW_NONE */
	for (uint32_t c = 0; c < corner_count; c++) {
		for (size_t i = 0; i < 3; i++) {
			keys[c][i] = m->points[3 * (size_t)c + i] + 0.0F; /* no negative zero */
			keys[c][3 + i] = m->normals[3 * (size_t)c + i] + 0.0F;
		}
		for (size_t i = 0; i < 2; i++) {
			keys[c][6 + i] = m->mesh->corner_uvs[2 * (size_t)c + i] + 0.0F;
		}
		snw_hash hash = {0};
		snw_hash_bytes(&hash, keys[c], sizeof keys[c]);
		uint32_t at = (uint32_t)snw_hash_value(&hash) & (room - 1);
		while (table[at] != SNW_NONE && memcmp(keys[table[at]], keys[c], sizeof keys[c]) != 0) {
			at = (at + 1) & (room - 1);
		}
		table[at] = table[at] == SNW_NONE ? c : table[at];
		m->vertices[c] = table[at];
	}
}

static const float *point_of(const making *m, const tangent_triangle *t, uint32_t k) {
	return m->points + 3 * (size_t)t->corners[k];
}

static uint32_t vertex_of(const making *m, const tangent_triangle *t, uint32_t k) {
	return m->vertices[t->corners[k]];
}

/* The directions in which u and v rise. */
static void find_directions(const making *m, tangent_triangle *t) {
	float one[3], other[3], uvs[2][2];
	difference(point_of(m, t, 1), point_of(m, t, 0), one);
	difference(point_of(m, t, 2), point_of(m, t, 0), other);
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < 2; i++) {
			uvs[k][i] =
				m->mesh->corner_uvs[2 * (size_t)t->corners[k + 1] + i] - m->mesh->corner_uvs[2 * (size_t)t->corners[0] + i];
		}
	}
	const float area = uvs[0][0] * uvs[1][1] - uvs[0][1] * uvs[1][0];
	t->keeps_orientation = area > 0;
	t->takes_any = true;
	for (int c = 0; c < 3; c++) {
		t->rising_u[c] = uvs[1][1] * one[c] - uvs[0][1] * other[c];
		t->rising_v[c] = uvs[0][0] * other[c] - uvs[1][0] * one[c];
	}
	if (is_not_zero(area)) {
		const float sign = t->keeps_orientation ? 1 : -1;
		const float u = sqrtf(dot(t->rising_u, t->rising_u)), v = sqrtf(dot(t->rising_v, t->rising_v));
		for (int c = 0; c < 3; c++) {
			t->rising_u[c] *= is_not_zero(u) ? sign / u : 1;
			t->rising_v[c] *= is_not_zero(v) ? sign / v : 1;
		}
		t->takes_any = !(is_not_zero(u / fabsf(area)) && is_not_zero(v / fabsf(area)));
	}
}

static bool are_equal(const float a[3], const float b[3]) {
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void make_triangles(making *m) {
	const snw_mesh *mesh = m->mesh;
	uint32_t most = 3;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		most = count > most ? count : most;
		m->triangle_count += count - 2;
	}
	m->triangles = SNW_NEW_ARRAY(m->scratch, tangent_triangle, m->triangle_count);
	uint32_t *space = SNW_NEW_ARRAY(m->scratch, uint32_t, 4 * (size_t)most);
	tangent_triangle *t = m->triangles;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - begin;
		snw_face_triangulate(mesh, f, space + most, space);
		for (uint32_t i = 0; i < count - 2; i++, t++) {
			for (uint32_t k = 0; k < 3; k++) {
				t->corners[k] = begin + space[most + 3 * i + k];
				t->neighbours[k] = t->groups[k] = SNW_NONE;
			}
			const float *p[3] = {point_of(m, t, 0), point_of(m, t, 1), point_of(m, t, 2)};
			t->is_degenerate = are_equal(p[0], p[1]) || are_equal(p[0], p[2]) || are_equal(p[1], p[2]);
			find_directions(m, t);
		}
	}
}

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

typedef struct half_edge {
	uint32_t least, most; /* vertices */
	uint32_t triangle, corner;
	bool falls; /* it runs from the larger to the smaller */
} half_edge;

static int compare_edges(const void *a, const void *b) {
	const half_edge *one = a, *other = b;
	if (one->least != other->least) {
		return one->least < other->least ? -1 : 1;
	}
	if (one->most != other->most) {
		return one->most < other->most ? -1 : 1;
	}
	return one->triangle < other->triangle ? -1 : one->triangle > other->triangle;
}

/* Of the triangles at an edge, each has the first one left that runs along it the other way. */
static void find_neighbours(making *m) {
	half_edge *edges = SNW_NEW_ARRAY(m->scratch, half_edge, 3 * (size_t)m->triangle_count);
	size_t count = 0;
	for (uint32_t t = 0; t < m->triangle_count; t++) {
		for (uint32_t k = 0; k < 3 && !m->triangles[t].is_degenerate; k++) {
			const uint32_t a = vertex_of(m, &m->triangles[t], k), b = vertex_of(m, &m->triangles[t], (k + 1) % 3);
			edges[count++] = (half_edge){a < b ? a : b, a < b ? b : a, t, k, b < a};
		}
	}
	qsort(edges, count, sizeof *edges, compare_edges);
	/* Those that wait run the same way, so they are found by stepping over what has a partner. */
	for (size_t i = 0, waits = 0; i < count; i++) {
		if (edges[waits].least != edges[i].least || edges[waits].most != edges[i].most) {
			waits = i;
		}
		while (waits < i && m->triangles[edges[waits].triangle].neighbours[edges[waits].corner] != SNW_NONE) {
			waits++;
		}
		if (waits < i && edges[waits].falls != edges[i].falls) {
			m->triangles[edges[waits].triangle].neighbours[edges[waits].corner] = edges[i].triangle;
			m->triangles[edges[i].triangle].neighbours[edges[i].corner] = edges[waits].triangle;
		}
	}
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

static uint32_t corner_at(const making *m, const tangent_triangle *t, uint32_t vertex) {
	uint32_t k = 0;
	while (vertex_of(m, t, k) != vertex) {
		k++;
	}
	return k;
}

/* Whether the triangle joins; then its neighbours around the vertex are next. */
static bool join(making *m, uint32_t number, uint32_t index) {
	tangent_triangle *t = &m->triangles[index];
	const group *to = &m->groups[number];
	const uint32_t k = corner_at(m, t, to->vertex);
	if (t->groups[k] != SNW_NONE) {
		return false;
	}
	if (t->takes_any && t->groups[0] == SNW_NONE && t->groups[1] == SNW_NONE && t->groups[2] == SNW_NONE) {
		t->keeps_orientation = to->keeps_orientation;
	}
	if (t->keeps_orientation != to->keeps_orientation) {
		return false;
	}
	t->groups[k] = number;
	m->members[m->member_count++] = index;
	return true;
}

static int compare_indices(const void *a, const void *b) {
	const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
	return one < other ? -1 : one > other;
}

static void make_group(making *m, uint32_t first, uint32_t corner) {
	const uint32_t number = m->group_count++;
	group *made = &m->groups[number];
	*made = (group){vertex_of(m, &m->triangles[first], corner), m->member_count, 0, m->triangles[first].keeps_orientation};
	join(m, number, first);
	for (uint32_t i = made->begin; i < m->member_count; i++) {
		const tangent_triangle *t = &m->triangles[m->members[i]];
		const uint32_t k = corner_at(m, t, made->vertex), around[2] = {t->neighbours[k], t->neighbours[(k + 2) % 3]};
		for (int side = 0; side < 2; side++) {
			if (around[side] != SNW_NONE) {
				join(m, number, around[side]);
			}
		}
	}
	made->end = m->member_count;
	qsort(m->members + made->begin, made->end - made->begin, sizeof *m->members, compare_indices);
}

static void make_groups(making *m) {
	m->groups = SNW_NEW_ARRAY(m->scratch, group, 3 * (size_t)m->triangle_count);
	m->members = SNW_NEW_ARRAY(m->scratch, uint32_t, 3 * (size_t)m->triangle_count);
	for (uint32_t t = 0; t < m->triangle_count; t++) {
		for (uint32_t k = 0; k < 3; k++) {
			const tangent_triangle *at = &m->triangles[t];
			if (!at->is_degenerate && !at->takes_any && at->groups[k] == SNW_NONE) {
				make_group(m, t, k);
			}
		}
	}
}

/* ---- tangents ------------------------------------------------------------------------------------------------------------ */

/* Adds the direction of a triangle at a corner by the angle that it has there. */
static void add_direction(const making *m, const tangent_triangle *t, uint32_t k, float sum[3]) {
	const float *normal = m->normals + 3 * (size_t)t->corners[k], *at = point_of(m, t, k);
	float direction[3], edges[2][3];
	if (t->takes_any) {
		return;
	}
	project(t->rising_u, normal, direction);
	for (uint32_t side = 0; side < 2; side++) {
		float along[3];
		difference(point_of(m, t, (k + 2 - side) % 3), at, along);
		project(along, normal, edges[side]);
	}
	const float cosine = dot(edges[0], edges[1]);
	const float angle = (float)acos((double)(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine));
	for (int c = 0; c < 3; c++) {
		sum[c] += angle * direction[c];
	}
}

/* Directions of members in the plane of the normal. */
typedef struct direction {
	float u[3], v[3];
	bool takes_any;
} direction;

static bool go_together(const direction *a, const direction *b) {
	return a->takes_any || b->takes_any || (dot(a->u, b->u) > -1 && dot(a->v, b->v) > -1);
}

static void set_tangent(const making *m, const group *from, const tangent_triangle *t, uint32_t k, const float sum[3]) {
	float *tangent = m->tangents + 4 * (size_t)t->corners[k];
	if (tangent[3] == 0) {
		memcpy(tangent, sum, 3 * sizeof *sum);
		normalize(tangent);
		tangent[3] = from->keeps_orientation ? -1 : 1; /* v is down */
	}
}

/* Each member has the mean of those that are not opposite to it. */
static void average_group(const making *m, const group *from, direction *space) {
	const uint32_t count = from->end - from->begin, *members = m->members + from->begin;
	bool all_together = true;
	for (uint32_t i = 0; i < count && count <= MOST_COMPARED; i++) {
		const tangent_triangle *t = &m->triangles[members[i]];
		const float *normal = m->normals + 3 * (size_t)t->corners[corner_at(m, t, from->vertex)];
		project(t->rising_u, normal, space[i].u);
		project(t->rising_v, normal, space[i].v);
		space[i].takes_any = t->takes_any;
		for (uint32_t j = 0; j < i; j++) {
			all_together = all_together && go_together(&space[i], &space[j]);
		}
	}
	float sum[3] = {0};
	for (uint32_t i = 0; i < count; i++) {
		const tangent_triangle *t = &m->triangles[members[i]];
		if (i == 0 || !all_together) {
			memset(sum, 0, sizeof sum);
			for (uint32_t j = 0; j < count; j++) {
				const tangent_triangle *other = &m->triangles[members[j]];
				if (all_together || i == j || go_together(&space[i], &space[j])) {
					add_direction(m, other, corner_at(m, other, from->vertex), sum);
				}
			}
		}
		set_tangent(m, from, t, corner_at(m, t, from->vertex), sum);
	}
}

/* Corners without a group, or whose directions cancel. */
static void fill_default(float *tangent) {
	if (dot(tangent, tangent) < 0.5F) {
		tangent[0] = 1;
		tangent[1] = tangent[2] = 0;
		tangent[3] = tangent[3] == 0 ? 1 : tangent[3];
	}
}

/* Corners of triangles with two corners at one place take what another corner of their vertex has. */
static void fill_rest(const making *m, uint32_t corner_count) {
	uint32_t *sources = SNW_NEW_ARRAY(m->scratch, uint32_t, corner_count);
	memset(sources, 0xFF, corner_count * sizeof *sources); /* SNW_NONE */
	for (uint32_t t = 0; t < m->triangle_count; t++) {
		for (uint32_t k = 0; k < 3 && !m->triangles[t].is_degenerate; k++) {
			const uint32_t corner = m->triangles[t].corners[k];
			uint32_t *source = &sources[m->vertices[corner]];
			*source = *source == SNW_NONE ? corner : *source;
			fill_default(m->tangents + 4 * (size_t)corner);
		}
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		float *tangent = m->tangents + 4 * (size_t)c;
		const uint32_t source = sources[m->vertices[c]];
		if (tangent[3] == 0 && source != SNW_NONE) {
			memcpy(tangent, m->tangents + 4 * (size_t)source, 4 * sizeof *tangent);
		}
		fill_default(tangent);
	}
}

float *snw_tangents_make(const snw_mesh *mesh, const float *normals, snw_arena *arena) {
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	making m = {.mesh = mesh, .normals = normals, .scratch = snw_arena_create()};
	m.tangents = SNW_NEW_ARRAY(arena, float, 4 * (size_t)corner_count);
	m.vertices = SNW_NEW_ARRAY(m.scratch, uint32_t, corner_count);
	m.points = SNW_NEW_ARRAY(m.scratch, float, 3 * (size_t)corner_count);
	for (size_t i = 0; i < 3 * (size_t)corner_count; i++) {
		m.points[i] = (float)mesh->points_rest[3 * (size_t)mesh->face_points[i / 3] + i % 3];
	}
	weld(&m, corner_count);
	make_triangles(&m);
	find_neighbours(&m);
	make_groups(&m);
	direction *space = SNW_NEW_ARRAY(m.scratch, direction, MOST_COMPARED);
	for (uint32_t g = 0; g < m.group_count; g++) {
		average_group(&m, &m.groups[g], space);
	}
	fill_rest(&m, corner_count);
	snw_arena_destroy(m.scratch);
	return m.tangents;
}

/* ---- in a pose ----------------------------------------------------------------------------------------------------------- */

static void edge_between(const double *points, uint32_t from, uint32_t to, double dest[3]) {
	for (size_t i = 0; i < 3; i++) {
		dest[i] = points[3 * (size_t)to + i] - points[3 * (size_t)from + i];
	}
}

/* The factors of two edges whose combination is nearest to a tangent; false if the edges are parallel. */
static bool factors_of(const double one[3], const double other[3], const float *tangent, double factors[2]) {
	const double t[3] = {(double)tangent[0], (double)tangent[1], (double)tangent[2]};
	const double a = snw_dot3(one, one), b = snw_dot3(one, other), c = snw_dot3(other, other);
	const double right[2] = {snw_dot3(one, t), snw_dot3(other, t)}, determinant = a * c - b * b;
	if (!(determinant > 1e-12 * a * c)) {
		return false;
	}
	factors[0] = (c * right[0] - b * right[1]) / determinant;
	factors[1] = (a * right[1] - b * right[0]) / determinant;
	return true;
}

void snw_tangent_add_posed(const double *points_rest, const float *points, const uint32_t corner[3], const float *tangent,
						   double dest[3]) {
	double one[3], other[3], factors[2];
	edge_between(points_rest, corner[1], corner[0], one);
	edge_between(points_rest, corner[1], corner[2], other);
	const bool has_plane = factors_of(one, other, tangent, factors);
	for (size_t i = 0; i < 3; i++) {
		const double at = (double)points[3 * (size_t)corner[1] + i];
		dest[i] += !has_plane ? (double)tangent[i]
							  : factors[0] * ((double)points[3 * (size_t)corner[0] + i] - at) +
									factors[1] * ((double)points[3 * (size_t)corner[2] + i] - at);
	}
}
