/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UVs of small meshes: what can be flat is flat, no triangle is turned over, no two cover one texel, charts keep apart, and
 * neither scale, rotation nor numbering matters. What cannot be flattened as it is, is cut and counted.
 */
#include "check.h"

#include "fit/stale.h"
#include "one_registry.h"
#include "sample/sample.h"
#include "sheets.h"
#include "sinew/algebra.h"
#include "sinew/field.h"
#include "unwrap/unwrap.h"

enum { SIDE = 256, PADDING = 4 };

typedef struct unwrapped {
	snw_scene *scene;
	snw_arena *arena;
	snw_unwrapped made;
} unwrapped;

static unwrapped unwrap(snw_scene *scene, const snw_unwrap_request *given) {
	unwrapped u = {.scene = scene, .arena = snw_arena_create()};
	snw_unwrap_request request = *given;
	snw_error error = {0};
	request.mesh = SNW_NONE;
	request.size = request.size > 0 ? request.size : SIDE;
	request.padding = PADDING;
	check_ok(snw_unwrap(scene, registry, &request, NULL, u.arena, &u.made, &error), error);
	return u;
}

static void end(unwrapped *u) {
	snw_arena_destroy(u->arena);
	snw_scene_destroy(u->scene);
}

static unwrapped unwrap_sample(const char *name, const snw_unwrap_request *request) {
	snw_scene *scene;
	snw_error error = {0};
	check_ok(snw_sample_make(name, &scene, &error), error);
	return unwrap(scene, request);
}

/* ---- flat surfaces ------------------------------------------------------------------------------------------------------- */

/* Lengths in UV over those on the surface are one ratio. */
static void expect_flat(const unwrapped *u) {
	const snw_mesh *mesh = &u->scene->meshes[0];
	const float *uvs = u->made.meshes[0].corner_uvs;
	double first = 0;
	for (size_t c = 0; c < 3 * (size_t)mesh->face_count; c++) {
		const size_t next = c % 3 == 2 ? c - 2 : c + 1;
		double length = 0;
		for (size_t k = 0; k < 3; k++) {
			const double apart = mesh->points_rest[3 * (size_t)mesh->face_points[next] + k] -
								 mesh->points_rest[3 * (size_t)mesh->face_points[c] + k];
			length += apart * apart;
		}
		const double ratio =
			hypot((double)uvs[2 * next] - (double)uvs[2 * c], (double)uvs[2 * next + 1] - (double)uvs[2 * c + 1]) /
			sqrt(length);
		first = c == 0 ? ratio : first;
		check_near(ratio / first, 1, 2e-5); /* UVs are floats */
	}
	check_near(u->made.stretch.rest, 1, 1e-6);
}

static void surfaces_that_can_be_flat_are_flat(void **state) {
	(void)state;
	surface_function *const surfaces[] = {on_plane, on_cylinder, on_cone};
	for (int i = 0; i < 3; i++) {
		unwrapped u = unwrap(sheet_of(surfaces[i]), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
		assert_int_equal(u.made.chart_count, 1);
		assert_false(u.made.moves);
		expect_flat(&u);
		end(&u);
	}
}

static void stretch_is_that_of_the_formula(void **state) {
	(void)state;
	unwrapped u = unwrap(sheet_of(on_saddle), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	assert_true(u.made.stretch.rest > 1.0001 && u.made.stretch.rest < 1.02);
	check_near(u.made.worst_chart, u.made.stretch.rest, 1e-6);
	end(&u);
}

/* ---- overlaps ------------------------------------------------------------------------------------------------------------ */

static double side_of(const float *a, const float *b, double x, double y) {
	return ((double)b[0] - (double)a[0]) * (y - (double)a[1]) - ((double)b[1] - (double)a[1]) * (x - (double)a[0]);
}

/* Draws the triangles of a convex face as a fan: texels whose middle is inside, with the number of the chart and 1. */
static void draw_face(const float *const *corners, uint32_t count, uint32_t chart, uint32_t *texels) {
	for (uint32_t k = 2; k < count; k++) {
		const float *a = corners[0], *b = corners[k - 1], *c = corners[k];
		assert_true(side_of(a, b, (double)c[0], (double)c[1]) < 0); /* v is down: seen from the front it is not mirrored */
		const double low[2] = {fmin(fmin((double)a[0], (double)b[0]), (double)c[0]),
							   fmin(fmin((double)a[1], (double)b[1]), (double)c[1])};
		const double high[2] = {fmax(fmax((double)a[0], (double)b[0]), (double)c[0]),
								fmax(fmax((double)a[1], (double)b[1]), (double)c[1])};
		assert_true(low[0] >= 0 && low[1] >= 0 && high[0] <= 1 && high[1] <= 1);
		for (uint32_t y = (uint32_t)(low[1] * SIDE); y < fmin(high[1] * SIDE + 1, SIDE); y++) {
			for (uint32_t x = (uint32_t)(low[0] * SIDE); x < fmin(high[0] * SIDE + 1, SIDE); x++) {
				const double u = (x + 0.5) / SIDE, v = (y + 0.5) / SIDE;
				if (side_of(a, b, u, v) < 0 && side_of(b, c, u, v) < 0 && side_of(c, a, u, v) < 0) {
					assert_int_equal(texels[y * SIDE + x], 0);
					texels[y * SIDE + x] = chart + 1;
				}
			}
		}
	}
}

static void expect_apart(const uint32_t *texels, int side) {
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			for (int dy = -PADDING; dy <= PADDING && texels[y * side + x] > 0; dy++) {
				for (int dx = -PADDING; dx <= PADDING; dx++) {
					const bool is_near = dx * dx + dy * dy <= PADDING * PADDING;
					const bool is_inside = y + dy >= 0 && y + dy < side && x + dx >= 0 && x + dx < side;
					const uint32_t other = is_near && is_inside ? texels[(y + dy) * side + x + dx] : 0;
					assert_true(other == 0 || other == texels[y * side + x]);
				}
			}
		}
	}
}

/* The mip of half the size: no pixel has two charts. */
static void halve(const uint32_t *texels, int side, uint32_t *halved) {
	for (int i = 0; i < side * side; i++) {
		uint32_t *to = &halved[i / side / 2 * (side / 2) + i % side / 2];
		assert_true(texels[i] == 0 || *to == 0 || *to == texels[i]);
		*to = texels[i] > 0 ? texels[i] : *to;
	}
}

static void check_square(const unwrapped *u, uint32_t mips) {
	uint32_t *texels = SNW_NEW_ARRAY(u->arena, uint32_t, SIDE * SIDE), first_chart = 0;
	for (uint32_t m = 0; m < u->made.mesh_count; m++) {
		const snw_unwrapped_mesh *made = &u->made.meshes[m];
		const snw_mesh *mesh = &u->scene->meshes[made->mesh];
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const float *corners[4];
			const uint32_t begin = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - begin;
			assert_true(count <= 4);
			for (uint32_t k = 0; k < count; k++) {
				corners[k] = made->corner_uvs + 2 * (size_t)(begin + k);
			}
			draw_face(corners, count, first_chart + (uint32_t)made->charts[f], texels);
		}
		first_chart += made->chart_count;
	}
	expect_apart(texels, SIDE);
	for (uint32_t mip = 0; mip < mips; mip++) {
		uint32_t *halved = SNW_NEW_ARRAY(u->arena, uint32_t, (SIDE * SIDE) >> (2 * mip + 2));
		halve(texels, SIDE >> mip, halved);
		expect_apart(halved, SIDE >> (mip + 1));
		texels = halved;
	}
}

typedef struct place {
	float u, v;
	uint32_t chart;
} place;

static int compare_places(const void *a, const void *b) {
	return memcmp(a, b, sizeof(place));
}

static int compare_edges(const void *a, const void *b) {
	return memcmp(a, b, 2 * sizeof(place));
}

/* By Euler's formula: a point of a chart has one place in the square. */
static void expect_discs(const unwrapped *u) {
	enum { MOST = 64 };
	const snw_mesh *mesh = &u->scene->meshes[0];
	const snw_unwrapped_mesh *made = &u->made.meshes[0];
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	place *places = SNW_NEW_ARRAY(u->arena, place, corner_count),
		  (*edges)[2] = snw_arena_array(u->arena, corner_count, 2 * sizeof *places);
	int characteristics[MOST] = {0};
	assert_true(made->chart_count <= MOST);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			places[c] = (place){made->corner_uvs[2 * c], made->corner_uvs[2 * c + 1], (uint32_t)made->charts[f]};
		}
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const place *a = &places[c], *b = &places[c + 1 < mesh->face_offsets[f + 1] ? c + 1 : mesh->face_offsets[f]];
			const bool is_first = compare_places(a, b) < 0;
			edges[c][0] = is_first ? *a : *b;
			edges[c][1] = is_first ? *b : *a;
		}
		characteristics[(int)made->charts[f]]++;
	}
	qsort(places, corner_count, sizeof *places, compare_places);
	qsort(edges, corner_count, sizeof *edges, compare_edges);
	for (uint32_t c = 0; c < corner_count; c++) {
		characteristics[places[c].chart] += c == 0 || compare_places(&places[c], &places[c - 1]) != 0;
		characteristics[edges[c][0].chart] -= c == 0 || compare_edges(edges[c], edges[c - 1]) != 0;
	}
	for (uint32_t i = 0; i < made->chart_count; i++) {
		assert_int_equal(characteristics[i], 1);
	}
}

static void charts_cover_no_texel_twice_and_keep_their_padding(void **state) {
	(void)state;
	unwrapped u = unwrap_sample("tiny-arm", &(snw_unwrap_request){.charts = SNW_CHARTS_AUTO, .most_charts = 12});
	print_message("%u charts, %.4f over poses, %.3f used\n", u.made.chart_count, u.made.stretch.poses, u.made.used);
	assert_true(u.made.chart_count <= 12 && u.made.worst_chart <= SNW_UNWRAP_STRETCH && u.made.used > 0.5);
	expect_discs(&u);
	check_square(&u, 0);
	end(&u);
}

static void padding_is_kept_at_the_mips_that_are_asked_for(void **state) {
	(void)state;
	unwrapped u = unwrap_sample("tiny-arm", &(snw_unwrap_request){.charts = SNW_CHARTS_AUTO, .most_charts = 8, .mips = 3});
	check_square(&u, 3);
	end(&u);
}

static void on_ribbon(double u, double v, double point[3]) {
	point[0] = 40 * u;
	point[1] = 0.01 * v;
	point[2] = 0;
}

/* Both halves of a sheet reach over all of the square. */
static void each_material_has_a_square_of_its_own(void **state) {
	(void)state;
	snw_scene *scene = sheet_of(on_cylinder);
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)scene->meshes;
	uint32_t *materials = SNW_NEW_ARRAY(scene->arena, uint32_t, mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		materials[f] = f >= mesh->face_count / 2;
	}
	mesh->face_materials = materials;
	scene->materials = SNW_NEW_ARRAY(scene->arena, snw_material, 2);
	scene->material_count = 2;
	unwrapped u = unwrap(scene, &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	float high[2] = {0};
	for (size_t c = 0; c < 3 * (size_t)mesh->face_count; c++) {
		const float *uv = u.made.meshes[0].corner_uvs + 2 * c;
		high[materials[c / 3]] = fmaxf(high[materials[c / 3]], fmaxf(uv[0], uv[1]));
	}
	assert_int_equal(u.made.atlas_count, 2);
	assert_int_equal(u.made.chart_count, 2);
	assert_true(high[0] > 0.98F && high[1] > 0.98F);
	end(&u);
}

static void a_long_thin_chart_finds_room(void **state) {
	(void)state;
	unwrapped u = unwrap(sheet_of(on_ribbon), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	const float *uvs = u.made.meshes[0].corner_uvs;
	float low = 1, high = 0;
	for (size_t c = 0; c < 3 * (size_t)u.scene->meshes[0].face_count; c++) {
		low = fminf(low, fminf(uvs[2 * c], uvs[2 * c + 1]));
		high = fmaxf(high, fmaxf(uvs[2 * c], uvs[2 * c + 1]));
	}
	assert_true(low >= 0 && high <= 1 && high - low > 0.9F);
	end(&u);
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* The tube, flattened over its clip's poses and at rest: several cases measure both. */
static unwrapped tubes[2];

static void make_tubes(void) {
	for (int at_rest = 0; at_rest < 2 && !tubes[at_rest].scene; at_rest++) {
		snw_scene *scene;
		snw_error error = {0};
		check_ok(snw_sample_make("tube", &scene, &error), error);
		const uint32_t clip = snw_scene_find_clip(scene, "bend");
		assert_int_not_equal(clip, SNW_NONE);
		tubes[at_rest] = unwrap(scene, &(snw_unwrap_request){.at_rest = at_rest, .clip_count = 1, .clips = &clip});
		assert_true(tubes[at_rest].made.moves);
	}
}

static int drop_tubes(void **state) {
	for (int at_rest = 0; at_rest < 2 && tubes[at_rest].scene; at_rest++) {
		end(&tubes[at_rest]);
	}
	return close_registry(state);
}

/* The stretch of both in the clip. `change`, or NULL, changes its tracks before that; they are put back. */
static void measure_tube(void (*change)(snw_scene *scene, uint32_t clip), double stretch[2]) {
	make_tubes();
	for (int at_rest = 0; at_rest < 2; at_rest++) {
		snw_scene *scene = tubes[at_rest].scene;
		snw_error error = {0};
		const uint32_t clip = snw_scene_find_clip(scene, "bend");
		snw_track *tracks = (snw_track *)(uintptr_t)scene->clips[clip].tracks;
		const size_t bytes = scene->clips[clip].track_count * sizeof *tracks;
		const snw_track *before = snw_arena_copy(scene->arena, tracks, bytes);
		if (change) {
			change(scene, clip);
		}
		check_ok(snw_unwrap_measure(scene, registry, 0, tubes[at_rest].made.meshes[0].corner_uvs, clip, NULL, &stretch[at_rest],
									&error),
				 error);
		memcpy(tracks, before, bytes);
	}
	print_message("over poses %.4f, at rest %.4f\n", stretch[0], stretch[1]);
}

static void charts_flattened_over_poses_stretch_less_in_them(void **state) {
	(void)state;
	double stretch[2];
	measure_tube(NULL, stretch);
	assert_true(stretch[0] - 1 < 0.9 * (stretch[1] - 1));
}

/* A clip of straight, half bent and bent, as in the thesis's figure 8.10. */
static void keep_three_poses(snw_scene *scene, uint32_t clip) {
	snw_track *tracks = (snw_track *)(uintptr_t)scene->clips[clip].tracks;
	for (uint32_t t = 0; t < scene->clips[clip].track_count; t++) {
		const uint32_t last = tracks[t].key_count - 1;
		double *values = SNW_NEW_ARRAY(scene->arena, double, 12), *seconds = SNW_NEW_ARRAY(scene->arena, double, 3), length = 0;
		assert_int_equal(tracks[t].path, SNW_PATH_ROTATION);
		for (uint32_t i = 0; i < 4; i++) {
			values[i] = tracks[t].values[i];
			values[8 + i] = tracks[t].values[4 * (size_t)last + i];
			values[4 + i] = values[i] + values[8 + i];
			length += values[4 + i] * values[4 + i];
		}
		for (uint32_t i = 0; i < 4; i++) {
			values[4 + i] /= sqrt(length);
		}
		seconds[2] = tracks[t].seconds[last];
		seconds[1] = seconds[2] / 2;
		tracks[t].key_count = 3;
		tracks[t].values = values;
		tracks[t].seconds = seconds;
	}
}

static void a_tube_stretches_less_in_its_three_poses_than_one_flattened_at_rest(void **state) {
	(void)state;
	double stretch[2];
	measure_tube(keep_three_poses, stretch);
	assert_true(stretch[0] - 1 < 0.75 * (stretch[1] - 1));
}

/* Pixels that a chart's surface has along a metre. */
static void densities_differ_by_no_more_than_a_tenth(void **state) {
	(void)state;
	enum { CHARTS = 12 };
	unwrapped u =
		unwrap_sample("tiny-arm", &(snw_unwrap_request){.charts = SNW_CHARTS_AUTO, .most_charts = CHARTS, .at_rest = true});
	const snw_mesh *mesh = &u.scene->meshes[0];
	double areas[CHARTS] = {0}, uv_areas[CHARTS] = {0}, least = INFINITY, most = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], chart = (uint32_t)u.made.meshes[0].charts[f];
		for (uint32_t k = begin + 2; k < mesh->face_offsets[f + 1]; k++) {
			const float *uvs[3] = {u.made.meshes[0].corner_uvs + 2 * (size_t)begin,
								   u.made.meshes[0].corner_uvs + 2 * (size_t)(k - 1),
								   u.made.meshes[0].corner_uvs + 2 * (size_t)k};
			const double *points[3] = {mesh->points_rest + 3 * (size_t)mesh->face_points[begin],
									   mesh->points_rest + 3 * (size_t)mesh->face_points[k - 1],
									   mesh->points_rest + 3 * (size_t)mesh->face_points[k]};
			double ab[3], ac[3], normal[3];
			for (int c = 0; c < 3; c++) {
				ab[c] = points[1][c] - points[0][c];
				ac[c] = points[2][c] - points[0][c];
			}
			snw_cross3(ab, ac, normal);
			areas[chart] += snw_length3(normal);
			uv_areas[chart] += fabs(side_of(uvs[0], uvs[1], (double)uvs[2][0], (double)uvs[2][1]));
		}
	}
	for (uint32_t i = 0; i < u.made.chart_count; i++) {
		least = fmin(least, sqrt(uv_areas[i] / areas[i]));
		most = fmax(most, sqrt(uv_areas[i] / areas[i]));
	}
	print_message("the densest chart has %.3f times the pixels of the least dense one\n", most / least);
	assert_true(u.made.chart_count > 4 && most <= 1.1 * least);
	end(&u);
}

/* ---- what does not matter ------------------------------------------------------------------------------------------------ */

/* The same surface, a thousand times as large, rotated, with points and faces in the order from the last to the first. */
static snw_scene *changed(const snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	double points[COLUMNS * ROWS][3];
	uint32_t corners[6 * (COLUMNS - 1) * (ROWS - 1)];
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *from = mesh->points_rest + 3 * (size_t)i, c = cos(0.7), s = sin(0.7);
		double *to = points[mesh->point_count - 1 - i];
		to[0] = 1000 * (c * from[0] - s * from[2]);
		to[1] = 1000 * from[1];
		to[2] = 1000 * (s * from[0] + c * from[2]);
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t k = 0; k < 3; k++) {
			corners[3 * (mesh->face_count - 1 - f) + (k + 1) % 3] = mesh->point_count - 1 - mesh->face_points[3 * f + k];
		}
	}
	return scene_of(mesh->point_count, points[0], mesh->face_count, corners);
}

static void scale_rotation_and_numbering_change_nothing(void **state) {
	(void)state;
	const snw_unwrap_request request = {.charts = SNW_CHARTS_KEEP};
	unwrapped u = unwrap(sheet_of(on_saddle), &request), other = unwrap(changed(u.scene), &request);
	check_near(other.made.stretch.rest, u.made.stretch.rest, 1e-6);
	const uint32_t face_count = u.scene->meshes[0].face_count;
	for (uint32_t f = 0; f < face_count; f++) {
		check_near(other.made.meshes[0].stretch_rest[face_count - 1 - f], u.made.meshes[0].stretch_rest[f], 1e-4);
	}
	end(&u);
	end(&other);
}

/* ---- other meshes -------------------------------------------------------------------------------------------------------- */

static const double octahedron[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const uint32_t octahedron_corners[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

static void a_closed_surface_is_cut_and_counted(void **state) {
	(void)state;
	unwrapped u = unwrap(scene_of(6, octahedron[0], 8, octahedron_corners), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	assert_int_equal(u.made.meshes[0].cut_parts, 1);
	assert_true(u.made.chart_count > 1 && u.made.worst_chart <= SNW_UNWRAP_STRETCH);
	check_square(&u, 0);
	end(&u);
}

/* A sheet behind it in the same mesh is one chart, as it would be alone. */
static void charts_beside_a_closed_part_stay(void **state) {
	(void)state;
	enum { SHEET_FACES = 2 * (COLUMNS - 1) * (ROWS - 1), FACES = SHEET_FACES + 8 };
	snw_scene *sheet = sheet_of(on_saddle);
	double points[COLUMNS * ROWS + 6][3];
	uint32_t corners[3 * FACES];
	memcpy(points, octahedron, sizeof octahedron);
	memcpy(points[6], sheet->meshes[0].points_rest, 3 * sizeof(double) * COLUMNS * ROWS);
	memcpy(corners, octahedron_corners, sizeof octahedron_corners);
	for (uint32_t c = 24; c < 3 * FACES; c++) {
		corners[c] = 6 + sheet->meshes[0].face_points[c - 24];
	}
	snw_scene_destroy(sheet);
	unwrapped u =
		unwrap(scene_of(COLUMNS * ROWS + 6, points[0], FACES, corners), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	const snw_unwrapped_mesh *made = &u.made.meshes[0];
	assert_int_equal(made->cut_parts, 1);
	for (uint32_t f = 8; f < FACES; f++) {
		assert_true(made->charts[f] == made->charts[8]);
	}
	for (uint32_t f = 0; f < 8; f++) {
		assert_true(made->charts[f] != made->charts[8]);
	}
	check_square(&u, 0);
	end(&u);
}

/* A ramp that goes around more than once. */
static void on_ramp(double u, double v, double point[3]) {
	point[0] = (1 + v) * cos(7 * u);
	point[1] = 0.5 * u;
	point[2] = (1 + v) * sin(7 * u);
}

static void a_border_that_crosses_itself_splits_the_chart(void **state) {
	(void)state;
	unwrapped u = unwrap(sheet_of(on_ramp), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	assert_int_equal(u.made.meshes[0].split_charts, 1);
	assert_int_equal(u.made.chart_count, 2);
	check_square(&u, 0);
	end(&u);
}

/* Three faces at one edge, one wound against its neighbour, one without an area, and one with a point twice. */
static void odd_edges_and_faces_without_area_are_unwrapped(void **state) {
	(void)state;
	static const double points[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0},
										{0, 0, 1}, {2, 0, 0}, {2, 0, 0}, {3, 1, 0}};
	static const uint32_t corners[] = {0, 1, 2, 1, 0, 3, 1, 0, 4, 1, 5, 6, 1, 2, 7, 5, 5, 7};
	unwrapped u = unwrap(scene_of(8, points[0], 6, corners), &(snw_unwrap_request){.charts = SNW_CHARTS_KEEP});
	assert_true(u.made.meshes[0].odd_edges >= 1);
	assert_true(isfinite(u.made.stretch.rest) && u.made.stretch.rest < 1.5);
	end(&u);
}

static void what_cannot_be_done_is_named(void **state) {
	(void)state;
	snw_scene *scene = sheet_of(on_plane);
	snw_arena *arena = snw_arena_create();
	snw_unwrapped made;
	snw_error error = {0};
	snw_unwrap_request request = {.mesh = SNW_NONE, .charts = SNW_CHARTS_FIELD, .field = "parts"};
	assert_int_equal(snw_unwrap(scene, registry, &request, NULL, arena, &made, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "'sheet' has no field of this name"));
	request = (snw_unwrap_request){.mesh = SNW_NONE, .size = 128, .padding = 64};
	assert_int_equal(snw_unwrap(scene, registry, &request, NULL, arena, &made, &error), SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "--padding 64 at mip 0 is 64 pixels of a texture of 128"));
	((snw_mesh *)(uintptr_t)scene->meshes)->face_count = 0;
	request = (snw_unwrap_request){.mesh = SNW_NONE};
	assert_int_equal(snw_unwrap(scene, registry, &request, NULL, arena, &made, &error), SNW_ERROR_MISSING);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void faces_of_a_field_are_charts(void **state) {
	(void)state;
	snw_scene *scene = sheet_of(on_cylinder);
	const uint32_t count = scene->meshes[0].face_count;
	double *values = SNW_NEW_ARRAY(scene->arena, double, count);
	for (uint32_t f = 0; f < count; f++) {
		values[f] = f / 2 % (COLUMNS - 1) < 5 ? 7 : -2;
	}
	snw_field *field = SNW_NEW(scene->arena, snw_field);
	*field = (snw_field){.name = "parts", .domain = SNW_DOMAIN_FACES, .components = 1, .count = count, .values = values};
	scene->fields = field;
	scene->field_count = 1;
	unwrapped u = unwrap(scene, &(snw_unwrap_request){.charts = SNW_CHARTS_FIELD, .field = "parts"});
	assert_int_equal(u.made.chart_count, 2);
	for (uint32_t f = 0; f < count; f++) {
		assert_int_equal(u.made.meshes[0].charts[f], values[f] == values[0] ? 0 : 1);
	}
	check_near(u.made.stretch.rest, 1, 1e-6);
	check_square(&u, 0);
	end(&u);
}

/* ---- fits ---------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_with(snw_scene *scene, const float *corner_uvs, uint32_t traits) {
	snw_deformer deformer = *snw_registry_get(registry, 0)->deformer;
	snw_descriptor descriptor = *deformer.descriptor;
	const snw_layer layer = {.name = "mine", .deformer = descriptor.id, .model = SNW_NONE};
	uint64_t reads[SNW_READ_KINDS];
	descriptor.needs |= SNW_NEEDS_MESH;
	descriptor.traits |= traits;
	deformer.descriptor = &descriptor;
	((snw_mesh *)(uintptr_t)scene->meshes)->corner_uvs = corner_uvs;
	snw_fit_reads(scene, registry, &deformer, &layer, 0, false, reads);
	return reads[SNW_READ_MESHES];
}

static void other_uvs_make_a_fit_stale_only_if_it_reads_them(void **state) {
	(void)state;
	snw_scene *scene = sheet_of(on_plane);
	float *uvs = SNW_NEW_ARRAY(scene->arena, float, 6 * (size_t)scene->meshes[0].face_count);
	const uint64_t without = hash_with(scene, NULL, 0);
	assert_int_not_equal(without, 0);
	assert_int_equal(hash_with(scene, uvs, 0), without);
	assert_int_not_equal(hash_with(scene, uvs, SNW_READS_UVS), hash_with(scene, NULL, SNW_READS_UVS));
	snw_scene_destroy(scene);
}

TEST_GROUP(unwrap) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surfaces_that_can_be_flat_are_flat),
		cmocka_unit_test(stretch_is_that_of_the_formula),
		cmocka_unit_test(charts_cover_no_texel_twice_and_keep_their_padding),
		cmocka_unit_test(padding_is_kept_at_the_mips_that_are_asked_for),
		cmocka_unit_test(each_material_has_a_square_of_its_own),
		cmocka_unit_test(a_long_thin_chart_finds_room),
		cmocka_unit_test(charts_flattened_over_poses_stretch_less_in_them),
		cmocka_unit_test(a_tube_stretches_less_in_its_three_poses_than_one_flattened_at_rest),
		cmocka_unit_test(densities_differ_by_no_more_than_a_tenth),
		cmocka_unit_test(scale_rotation_and_numbering_change_nothing),
		cmocka_unit_test(a_closed_surface_is_cut_and_counted),
		cmocka_unit_test(charts_beside_a_closed_part_stay),
		cmocka_unit_test(a_border_that_crosses_itself_splits_the_chart),
		cmocka_unit_test(odd_edges_and_faces_without_area_are_unwrapped),
		cmocka_unit_test(faces_of_a_field_are_charts),
		cmocka_unit_test(what_cannot_be_done_is_named),
		cmocka_unit_test(other_uvs_make_a_fit_stale_only_if_it_reads_them),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, drop_tubes);
}
