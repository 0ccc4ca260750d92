/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh/mesh.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/numbers.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

/* Ear clipping in the plane of the polygon. */

/* A polygon with more corners becomes a fan, because the time of ear clipping is quadratic. */
#define SNW_EAR_LIMIT 1024

typedef struct polygon {
	const double *points;
	const uint32_t *corners;
	uint32_t count;
	double normal[3]; /* not unit */
} polygon;

static const double *corner_point(const polygon *face, uint32_t corner) {
	return face->points + 3 * (size_t)face->corners[corner];
}

static void side_vector(const double a[3], const double b[3], double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = a[c] - b[c];
	}
}

/* Twice the signed area of a triangle, seen along the polygon's normal (times its length). */
static double signed_area(const polygon *face, uint32_t a, uint32_t b, uint32_t c) {
	double ab[3], ac[3], area[3];
	side_vector(corner_point(face, b), corner_point(face, a), ab);
	side_vector(corner_point(face, c), corner_point(face, a), ac);
	snw_cross3(ab, ac, area);
	return snw_dot3(area, face->normal);
}

static double squared_distance(const polygon *face, uint32_t a, uint32_t b) {
	double edge[3];
	side_vector(corner_point(face, b), corner_point(face, a), edge);
	return snw_dot3(edge, edge);
}

static void put(uint32_t *triangle, uint32_t a, uint32_t b, uint32_t c) {
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
}

static void cut_quad(const polygon *face, uint32_t *triangles) {
	const double even = fmin(signed_area(face, 0, 1, 2), signed_area(face, 0, 2, 3));
	const double odd = fmin(signed_area(face, 1, 2, 3), signed_area(face, 1, 3, 0));
	const bool both = even > 0 && odd > 0;
	if (both ? squared_distance(face, 0, 2) <= squared_distance(face, 1, 3) : even >= odd) {
		put(triangles, 0, 1, 2);
		put(triangles + 3, 0, 2, 3);
	} else {
		put(triangles, 1, 2, 3);
		put(triangles + 3, 1, 3, 0);
	}
}

static bool contains_another(const polygon *face, const uint32_t *remaining, uint32_t count, uint32_t a, uint32_t b,
							 uint32_t c) {
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t p = remaining[i];
		if (p != a && p != b && p != c && signed_area(face, a, b, p) >= 0 && signed_area(face, b, c, p) >= 0 &&
			signed_area(face, c, a, p) >= 0) {
			return true;
		}
	}
	return false;
}

/* The roundness of an ear: its area over the square of its longest side; 0 if it cannot be cut. */
static double roundness(const polygon *face, const uint32_t *remaining, uint32_t count, uint32_t tip) {
	const uint32_t a = remaining[(tip + count - 1) % count], b = remaining[tip], c = remaining[(tip + 1) % count];
	const double area = signed_area(face, a, b, c);
	if (!(area > 0) || contains_another(face, remaining, count, a, b, c)) {
		return 0;
	}
	const double longest = fmax(squared_distance(face, a, b), fmax(squared_distance(face, b, c), squared_distance(face, c, a)));
	return area / longest;
}

/* The first ear from `start` on, or the roundest of a small polygon. Any corner if there is none (a polygon that intersects
 * itself). */
static uint32_t find_ear(const polygon *face, const uint32_t *remaining, uint32_t count, uint32_t start) {
	uint32_t best = start % count;
	double most = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t tip = (start + i) % count;
		const double round = roundness(face, remaining, count, tip);
		if (round > most) {
			most = round;
			best = tip;
			if (count > 16) {
				break;
			}
		}
	}
	return best;
}

static void cut_ears(const polygon *face, uint32_t *triangles, uint32_t *remaining) {
	uint32_t count = face->count, start = 0;
	for (uint32_t i = 0; i < count; i++) {
		remaining[i] = i;
	}
	while (count > 3) {
		const uint32_t tip = find_ear(face, remaining, count, start);
		put(triangles, remaining[(tip + count - 1) % count], remaining[tip], remaining[(tip + 1) % count]);
		triangles += 3;
		for (uint32_t i = tip; i + 1 < count; i++) {
			remaining[i] = remaining[i + 1];
		}
		count--;
		start = tip + 1;
	}
	put(triangles, remaining[0], remaining[1], remaining[2]);
}

void snw_polygon_triangulate(const double *points, const uint32_t *corners, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch) {
	assert(count >= 3);
	polygon face = {.points = points, .corners = corners, .count = count};
	snk_face_area(points, corners, count, face.normal);
	if (count == 4) {
		cut_quad(&face, triangles);
	} else if (count == 3 || count > SNW_EAR_LIMIT) {
		for (uint32_t i = 2; i < count; i++) {
			put(triangles + 3 * (size_t)(i - 2), 0, i - 1, i);
		}
	} else {
		cut_ears(&face, triangles, scratch);
	}
}

/* ---- vertices ------------------------------------------------------------------------------------------------------------ */

static bool attributes_are_equal(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	bool equal = true;
	for (uint32_t i = 0; i < mesh->attribute_count && equal; i++) {
		const snw_attribute *attribute = &mesh->attributes[i];
		const float *values = attribute->values;
		const size_t width = attribute->width;
		equal = memcmp(values + width * a, values + width * b, width * sizeof *values) == 0;
	}
	return equal;
}

static bool corners_are_equal(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	return attributes_are_equal(mesh, a, b) &&
		   (!mesh->corner_uvs || memcmp(mesh->corner_uvs + 2 * (size_t)a, mesh->corner_uvs + 2 * (size_t)b, 8) == 0) &&
		   (!mesh->corner_normals ||
			memcmp(mesh->corner_normals + 3 * (size_t)a, mesh->corner_normals + 3 * (size_t)b, 12) == 0) &&
		   (!mesh->corner_tangents ||
			memcmp(mesh->corner_tangents + 4 * (size_t)a, mesh->corner_tangents + 4 * (size_t)b, 16) == 0) &&
		   (!mesh->corner_colors || memcmp(mesh->corner_colors + 4 * (size_t)a, mesh->corner_colors + 4 * (size_t)b, 16) == 0);
}

void snw_vertices_split(const snw_mesh *mesh, snw_arena *arena, snw_vertices *vertices) {
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	const snw_point_corners at = snw_point_corners_make(mesh, arena);
	const size_t most = (size_t)mesh->point_count + corner_count;
	vertices->points = SNW_NEW_ARRAY(arena, uint32_t, most);
	vertices->corners = SNW_NEW_ARRAY(arena, uint32_t, most);
	vertices->corner_vertices = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	vertices->count = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const uint32_t first = vertices->count;
		for (uint32_t i = at.starts[p]; i < at.starts[p + 1]; i++) {
			uint32_t v = first;
			while (v < vertices->count && !corners_are_equal(mesh, vertices->corners[v], at.corners[i])) {
				v++;
			}
			if (v == vertices->count) {
				vertices->points[v] = p;
				vertices->corners[v] = at.corners[i];
				vertices->count++;
			}
			vertices->corner_vertices[at.corners[i]] = v;
		}
		if (vertices->count == first) {
			vertices->points[first] = p;
			vertices->corners[first] = SNW_NONE;
			vertices->count++;
		}
	}
}

void snw_face_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch) {
	const uint32_t begin = mesh->face_offsets[face], end = mesh->face_offsets[face + 1];
	snw_polygon_triangulate(mesh->points_rest, mesh->face_points + begin, end - begin, triangles, scratch);
}

/* ---- comparing points ---------------------------------------------------------------------------------------------------- */

static void hash_vector(snw_hash *hash, const double v[3]) {
	for (int i = 0; i < 3; i++) {
		const double value = v[i] + 0.0; /* -0 and 0 are equal */
		uint64_t bits;
		memcpy(&bits, &value, sizeof bits);
		snw_hash_u64(hash, bits);
	}
}

static uint64_t *hash_points(const snw_mesh *mesh, snw_arena *arena) {
	snw_hash *hashes = SNW_NEW_ARRAY(arena, snw_hash, mesh->point_count);
	uint64_t *values = SNW_NEW_ARRAY(arena, uint64_t, mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		hash_vector(&hashes[p], mesh->points_rest + 3 * (size_t)p);
		for (uint32_t i = mesh->influence_offsets ? mesh->influence_offsets[p] : 0;
			 mesh->influence_offsets && i < mesh->influence_offsets[p + 1]; i++) {
			snw_hash_u64(&hashes[p], mesh->influence_slots[i]);
		}
	}
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		const snw_morph *morph = &mesh->morphs[m];
		for (uint32_t i = 0; i < morph->count; i++) {
			snw_hash_u64(&hashes[morph->points[i]], m);
			hash_vector(&hashes[morph->points[i]], morph->vectors + 3 * (size_t)i);
		}
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		values[p] = snw_hash_value(&hashes[p]);
	}
	return values;
}

static bool vectors_are_equal(const double a[3], const double b[3]) {
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool skins_are_equal(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	if (!mesh->influence_offsets) {
		return true;
	}
	const uint32_t begin_a = mesh->influence_offsets[a], begin_b = mesh->influence_offsets[b];
	const uint32_t count = mesh->influence_offsets[a + 1] - begin_a;
	if (mesh->influence_offsets[b + 1] - begin_b != count) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (mesh->influence_slots[begin_a + i] != mesh->influence_slots[begin_b + i] ||
			mesh->influence_weights[begin_a + i] != mesh->influence_weights[begin_b + i]) {
			return false;
		}
	}
	return true;
}

/* The displacement of one point; NULL if the morph does not move it. */
static const double *morph_vector(const snw_morph *morph, uint32_t point) {
	uint32_t begin = 0, end = morph->count;
	while (begin < end) {
		const uint32_t middle = begin + (end - begin) / 2;
		if (morph->points[middle] < point) {
			begin = middle + 1;
		} else {
			end = middle;
		}
	}
	return begin < morph->count && morph->points[begin] == point ? morph->vectors + 3 * (size_t)begin : NULL;
}

static bool points_deform_alike(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	if (!vectors_are_equal(mesh->points_rest + 3 * (size_t)a, mesh->points_rest + 3 * (size_t)b) ||
		!skins_are_equal(mesh, a, b)) {
		return false;
	}
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		const double *va = morph_vector(&mesh->morphs[m], a), *vb = morph_vector(&mesh->morphs[m], b);
		if (!va != !vb || (va && !vectors_are_equal(va, vb))) {
			return false;
		}
	}
	return true;
}

/* ---- comparing corners --------------------------------------------------------------------------------------------------- */

/* The first corner of each point and its face; SNW_NONE for a point without faces. */
typedef struct first_corners {
	uint32_t *corners;
	uint32_t *faces;
} first_corners;

static first_corners find_first_corners(const snw_mesh *mesh, snw_arena *arena) {
	const first_corners first = {SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
								 SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count)};
	memset(first.corners, 0xff, mesh->point_count * sizeof(uint32_t));
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const uint32_t p = mesh->face_points[c];
			if (first.corners[p] == SNW_NONE) {
				first.corners[p] = c;
				first.faces[p] = f;
			}
		}
	}
	return first;
}

static bool attribute_differs(const float *values, uint32_t width, uint32_t a, uint32_t b) {
	return values && memcmp(values + (size_t)width * a, values + (size_t)width * b, width * sizeof(float)) != 0;
}

static bool attributes_differ(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	bool differ = false;
	for (uint32_t i = 0; i < mesh->attribute_count && !differ; i++) {
		differ = attribute_differs(mesh->attributes[i].values, mesh->attributes[i].width, a, b);
	}
	return differ;
}

static bool corners_differ(const snw_mesh *mesh, const first_corners *first, uint32_t p, uint32_t q) {
	const uint32_t a = first->corners[p], b = first->corners[q];
	return attributes_differ(mesh, a, b) || attribute_differs(mesh->corner_uvs, 2, a, b) ||
		   attribute_differs(mesh->corner_normals, 3, a, b) || attribute_differs(mesh->corner_tangents, 4, a, b) ||
		   attribute_differs(mesh->corner_colors, 4, a, b) ||
		   (mesh->face_materials && mesh->face_materials[first->faces[p]] != mesh->face_materials[first->faces[q]]);
}

/* ---- merging ------------------------------------------------------------------------------------------------------------- */

/* Groups of equal points: leaders[p] is the first point of p's group; splits[leader] is set if their corners differ. */
typedef struct clusters {
	uint32_t *leaders;
	bool *splits;
} clusters;

static clusters find_clusters(const snw_mesh *mesh, snw_arena *arena) {
	const first_corners first = find_first_corners(mesh, arena);
	const uint64_t *hashes = hash_points(mesh, arena);
	const clusters found = {SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count), SNW_NEW_ARRAY(arena, bool, mesh->point_count)};
	size_t size = 16;
	while (size < 2 * (size_t)mesh->point_count) {
		size *= 2;
	}
	uint32_t *table = SNW_NEW_ARRAY(arena, uint32_t, size);
	memset(table, 0xff, size * sizeof table[0]);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		found.leaders[p] = p;
		if (first.corners[p] == SNW_NONE) {
			continue;
		}
		size_t at = (size_t)(hashes[p] ^ hashes[p] >> 32) & (size - 1);
		while (table[at] != SNW_NONE && !(hashes[table[at]] == hashes[p] && points_deform_alike(mesh, table[at], p))) {
			at = (at + 1) & (size - 1);
		}
		if (table[at] == SNW_NONE) {
			table[at] = p;
		} else {
			found.leaders[p] = table[at];
			found.splits[table[at]] |= corners_differ(mesh, &first, table[at], p);
		}
	}
	return found;
}

static void keep_influences(snw_mesh *mesh, const uint32_t *survivors, uint32_t survivor_count, snw_arena *arena) {
	if (!mesh->influence_offsets) {
		return;
	}
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)survivor_count + 1);
	for (uint32_t p = 0; p < survivor_count; p++) {
		offsets[p + 1] = offsets[p] + mesh->influence_offsets[survivors[p] + 1] - mesh->influence_offsets[survivors[p]];
	}
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, offsets[survivor_count]);
	double *weights = SNW_NEW_ARRAY(arena, double, offsets[survivor_count]);
	for (uint32_t p = 0; p < survivor_count; p++) {
		const uint32_t from = mesh->influence_offsets[survivors[p]], count = offsets[p + 1] - offsets[p];
		memcpy(slots + offsets[p], mesh->influence_slots + from, count * sizeof slots[0]);
		memcpy(weights + offsets[p], mesh->influence_weights + from, count * sizeof weights[0]);
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

static void keep_morphs(snw_mesh *mesh, const uint32_t *survivors, const uint32_t *target, snw_arena *arena) {
	snw_morph *morphs = SNW_NEW_ARRAY(arena, snw_morph, mesh->morph_count);
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		const snw_morph *from = &mesh->morphs[m];
		uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, from->count);
		double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)from->count);
		uint32_t count = 0;
		for (uint32_t i = 0; i < from->count; i++) {
			const uint32_t p = from->points[i];
			if (survivors[target[p]] == p) {
				memcpy(vectors + 3 * (size_t)count, from->vectors + 3 * (size_t)i, 3 * sizeof(double));
				points[count++] = target[p];
			}
		}
		morphs[m] = *from;
		morphs[m].count = count;
		morphs[m].points = points;
		morphs[m].vectors = vectors;
	}
	mesh->morphs = morphs;
}

static void keep_points(snw_mesh *mesh, const uint32_t *survivors, uint32_t survivor_count, const uint32_t *target,
						snw_arena *arena) {
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)survivor_count);
	for (uint32_t p = 0; p < survivor_count; p++) {
		memcpy(points + 3 * (size_t)p, mesh->points_rest + 3 * (size_t)survivors[p], 3 * sizeof(double));
	}
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	for (uint32_t c = 0; c < corner_count; c++) {
		face_points[c] = target[mesh->face_points[c]];
	}
	keep_influences(mesh, survivors, survivor_count, arena);
	keep_morphs(mesh, survivors, target, arena);
	mesh->points_rest = points;
	mesh->point_count = survivor_count;
	mesh->face_points = face_points;
}

uint32_t snw_mesh_merge_points(snw_mesh *mesh, bool corners_may_match, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	const clusters found = find_clusters(mesh, scratch);
	uint32_t *survivors = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count); /* new point → old one */
	uint32_t *target = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);    /* old point → new one */
	uint32_t survivor_count = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const uint32_t leader = found.leaders[p];
		if (leader != p && (corners_may_match || found.splits[leader])) {
			target[p] = target[leader];
		} else {
			target[p] = survivor_count;
			survivors[survivor_count++] = p;
		}
	}
	const uint32_t removed = mesh->point_count - survivor_count;
	if (removed > 0) {
		keep_points(mesh, survivors, survivor_count, target, arena);
	}
	snw_arena_destroy(scratch);
	return removed;
}

/* ---- degenerate faces ---------------------------------------------------------------------------------------------------- */

/* Lists the corners to keep and returns their number. Fills the offsets, and the old index of each face that is kept. */
static uint32_t list_corners(const snw_mesh *mesh, uint32_t *corners, uint32_t *offsets, uint32_t *faces, uint32_t *count) {
	uint32_t face_count = 0, survivors = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1], first = survivors;
		for (uint32_t c = begin; c < end; c++) {
			const uint32_t before = c == begin ? end - 1 : c - 1;
			if (mesh->face_points[c] != mesh->face_points[before]) {
				corners[survivors++] = c;
			}
		}
		if (survivors - first < 3) {
			survivors = first;
			continue;
		}
		faces[face_count++] = f;
		offsets[face_count] = survivors;
	}
	*count = face_count;
	return survivors;
}

static float *keep_attribute(const float *values, uint32_t width, const uint32_t *corners, uint32_t count, snw_arena *arena) {
	if (!values) {
		return NULL;
	}
	float *survivors = SNW_NEW_ARRAY(arena, float, (size_t)width *count);
	for (uint32_t c = 0; c < count; c++) {
		memcpy(survivors + (size_t)width * c, values + (size_t)width * corners[c], width * sizeof(float));
	}
	return survivors;
}

static void keep_attributes(snw_mesh *mesh, const uint32_t *corners, uint32_t count, snw_arena *arena) {
	snw_attribute *attributes = SNW_NEW_ARRAY(arena, snw_attribute, mesh->attribute_count);
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		attributes[i] = mesh->attributes[i];
		attributes[i].corner_count = count;
		attributes[i].values = keep_attribute(attributes[i].values, attributes[i].width, corners, count, arena);
	}
	mesh->attributes = attributes;
}

uint32_t snw_mesh_drop_degenerate_faces(snw_mesh *mesh, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count], face_count = mesh->face_count;
	uint32_t *corners = SNW_NEW_ARRAY(scratch, uint32_t, corner_count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)face_count + 1);
	uint32_t *faces = SNW_NEW_ARRAY(scratch, uint32_t, face_count);
	uint32_t surviving_faces = 0;
	const uint32_t survivors = list_corners(mesh, corners, offsets, faces, &surviving_faces);
	if (survivors < corner_count) {
		uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, survivors);
		for (uint32_t c = 0; c < survivors; c++) {
			face_points[c] = mesh->face_points[corners[c]];
		}
		uint32_t *materials = mesh->face_materials ? SNW_NEW_ARRAY(arena, uint32_t, surviving_faces) : NULL;
		for (uint32_t f = 0; materials && f < surviving_faces; f++) {
			materials[f] = mesh->face_materials[faces[f]];
		}
		mesh->corner_uvs = keep_attribute(mesh->corner_uvs, 2, corners, survivors, arena);
		mesh->corner_normals = keep_attribute(mesh->corner_normals, 3, corners, survivors, arena);
		mesh->corner_tangents = keep_attribute(mesh->corner_tangents, 4, corners, survivors, arena);
		mesh->corner_colors = keep_attribute(mesh->corner_colors, 4, corners, survivors, arena);
		keep_attributes(mesh, corners, survivors, arena);
		mesh->face_count = surviving_faces;
		mesh->face_offsets = offsets;
		mesh->face_points = face_points;
		mesh->face_materials = materials;
	}
	snw_arena_destroy(scratch);
	return face_count - surviving_faces;
}
