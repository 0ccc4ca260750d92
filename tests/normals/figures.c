/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of a level of a human against those of the human itself, in frames of a clip that neither was made from: without a
 * map, with maps of the mean over poses and of the rest, and by tangent rows. docs/normal-maps.md has the figures.
 */
#include "check.h"

#include "import/import.h"
#include "lod/lod.h"
#include "motion/motion.h"
#include "normals/normal_map.h"
#include "normals/normals_internal.h"
#include "one_registry.h"
#include "picture/pictures.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "stack/stack.h"
#include "unwrap/unwrap.h"

enum { POSES = 48, SIZE = 1024, SAMPLES = 6, MOST_INFLUENCES = 4, WIDTH = 3 * MOST_INFLUENCES };
enum { PLAIN, MEAN, REST, ROWS, WAYS };

static const double shares[SAMPLES][3] = {{0.66, 0.17, 0.17}, {0.17, 0.66, 0.17}, {0.17, 0.17, 0.66},
										  {0.44, 0.44, 0.12}, {0.12, 0.44, 0.44}, {0.44, 0.12, 0.44}};

typedef struct measuring {
	snw_scene *scene;
	snw_arena *arena;
	const snw_level *level;
	snw_motion motion; /* the rest, then frames of the clip */
	double *palettes;  /* [pose_count][slot_count][12] */
	float *tangents;
	nm_frames frames, source;
	nm_triangles triangles, source_triangles;
	double *coordinates; /* of the level's points */
	nm_tree *tree;
	snw_decoded_image maps[WAYS];
	double sums[WAYS], area;
} measuring;

/* ---- what is measured ---------------------------------------------------------------------------------------------------- */

/* UVs, then a level, both by one clip. */
static void make_level(measuring *m, uint32_t clip) {
	static const char *const texts[] = {"triangles=3344"};
	const snw_unwrap_request unwrapping = {
		.mesh = SNW_NONE, .charts = SNW_CHARTS_AUTO, .padding = SNW_UNWRAP_PADDING, .clip_count = 1, .clips = &clip};
	snw_unwrapped unwrapped;
	snw_lod_limits limits;
	snw_lod_made made;
	snw_error error = {0};
	check_ok(snw_unwrap(m->scene, registry, &unwrapping, NULL, m->arena, &unwrapped, &error), error);
	((snw_mesh *)(uintptr_t)m->scene->meshes)->corner_uvs = unwrapped.meshes[0].corner_uvs;
	check_ok(snw_lod_limits_parse(texts[0], &limits, &error), error);
	const snw_lod_request request = {
		.level_count = 1, .levels = &limits, .texts = texts, .mesh = SNW_NONE, .clip_count = 1, .clips = &clip};
	check_ok(snw_lod_make(m->scene, registry, &request, NULL, m->arena, &made, &error), error);
	assert_int_equal(made.count, 1);
	m->scene->levels = made.levels;
	m->scene->level_count = 1;
	m->level = &made.levels[0];
	assert_int_equal(m->level->slot_count, m->scene->slot_count);
}

static void bake(measuring *m, uint32_t clip, int way) {
	const snw_normal_map_request request = {
		.level = 1, .mesh = SNW_NONE, .size = SIZE, .at_rest = way == REST, .clip_count = 1, .clips = &clip};
	snw_normal_maps made;
	snw_error error = {0};
	check_ok(snw_normal_map_bake(m->scene, registry, &request, NULL, m->arena, &made, &error), error);
	assert_int_equal(made.count, 1);
	check_ok(snw_image_decode(made.maps[0].bytes, made.maps[0].byte_count, "map", m->arena, &m->maps[way], &error), error);
	m->tangents = (float *)(uintptr_t)made.meshes[0].tangents;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static snw_pose **choose_poses(measuring *m, uint32_t clip) {
	uint32_t all, count;
	double *seconds;
	snw_pose **chosen, **poses = SNW_NEW_ARRAY(m->arena, snw_pose *, POSES + 1);
	snw_motion_choose_poses(m->scene, 1, &clip, m->arena, &count, &chosen);
	snw_clip_times(m->scene, clip, m->arena, &seconds, &all);
	assert_true(all >= POSES);
	snw_pose **frames = SNW_NEW_ARRAY(m->arena, snw_pose *, all);
	snw_pose_sample_series(m->scene, clip, all, seconds, m->arena, frames);
	poses[0] = chosen[0];
	for (uint32_t i = 0; i < POSES; i++) {
		poses[i + 1] = frames[(uint64_t)i * all / POSES];
	}
	return poses;
}

static void pose_both(measuring *m, uint32_t clip) {
	const snw_stack_options whole = {0};
	const snw_mesh *fine = &m->scene->meshes[0], *coarse = &m->level->shape;
	const uint32_t slots = m->scene->slot_count;
	snw_stack *stack;
	snw_error error = {0};
	snw_pose **poses = choose_poses(m, clip);
	check_ok(snw_stack_build(m->scene, registry, &whole, NULL, &stack, &error), error);
	check_ok(snw_motion_pose(stack, m->scene, POSES + 1, poses, NULL, m->arena, &m->motion, &error), error);
	snw_stack_destroy(stack);
	m->palettes = SNW_NEW_ARRAY(m->arena, double, 12 * (size_t)slots * (POSES + 1));
	double *global = SNW_NEW_ARRAY(m->arena, double, 12 * (size_t)m->scene->skeleton.joint_count);
	for (uint32_t p = 0; p <= POSES; p++) {
		snw_pose_view view;
		snw_pose_solve(m->scene, poses[p], global, m->palettes + 12 * (size_t)slots * p, &view);
	}
	m->frames = nm_frames_by_skin(coarse, m->tangents, POSES + 1, slots, m->palettes, m->arena);
	m->source = nm_frames_by_points(fine, NULL, POSES + 1, m->motion.posed[0], m->arena);
	m->triangles = nm_triangles_make(coarse, m->arena);
	m->source_triangles = nm_triangles_make(fine, m->arena);
	check_ok(snw_motion_reduce(m->scene, NULL, m->arena, &m->motion, &error), error);
	const uint32_t axes = m->motion.axis_count;
	m->coordinates = SNW_NEW_ARRAY(m->arena, double, (size_t)axes * coarse->point_count);
	for (uint32_t i = 0; i < coarse->point_count; i++) {
		for (uint32_t j = m->level->stencil_offsets[i]; j < m->level->stencil_offsets[i + 1]; j++) {
			for (uint32_t a = 0; a < axes; a++) {
				m->coordinates[(size_t)axes * i + a] +=
					m->level->stencil_weights[j] * m->motion.coordinates[0][(size_t)axes * m->level->stencil_points[j] + a];
			}
		}
	}
	m->tree = nm_tree_make(&m->source_triangles, axes, m->motion.coordinates[0], m->arena);
}

/* Three corners' directions at a place in a pose, unit. */
static void direction_at(const float *directions, const nm_frames *frames, const uint32_t *corners, const double *at,
						 uint32_t pose, double dest[3]) {
	memset(dest, 0, 3 * sizeof *dest);
	for (int k = 0; k < 3; k++) {
		const size_t vertex = frames->vertices.corner_vertices[corners[k]];
		for (size_t c = 0; c < 3; c++) {
			dest[c] += at[k] * (double)directions[(3 * vertex + c) * frames->pose_count + pose];
		}
	}
	snw_normalize3(dest);
}

static nm_place partner_of(const measuring *m, uint32_t triangle, const double *at, snw_arena *scratch) {
	const uint32_t *corners = m->triangles.corners[triangle];
	nm_patch patch = {.normal = m->triangles.normals[triangle]};
	for (int k = 0; k < 3; k++) {
		patch.corners[k] = m->coordinates + (size_t)m->motion.axis_count * m->level->shape.face_points[corners[k]];
	}
	nm_candidates *candidates = nm_candidates_create(m->tree, scratch);
	nm_candidates_gather(candidates, &patch, at + 1, at + 1);
	return nm_candidates_nearest(candidates, at[1], at[2]);
}

/* ---- tangent rows -------------------------------------------------------------------------------------------------------- */

/* The directions of a point's influences in a pose, [3][WIDTH]: a row of the animation space is a combination of them. */
static uint32_t influence_directions(const measuring *m, uint32_t point, uint32_t pose, double (*g)[WIDTH]) {
	const snw_mesh *mesh = &m->level->shape;
	const uint32_t begin = mesh->influence_offsets[point], count = mesh->influence_offsets[point + 1] - begin;
	assert_true(count <= MOST_INFLUENCES);
	for (uint32_t i = 0; i < count; i++) {
		const double *matrix = m->palettes + 12 * ((size_t)pose * m->scene->slot_count + mesh->influence_slots[begin + i]);
		for (uint32_t k = 0; k < 9; k++) {
			g[k / 3][3 * i + k % 3] = matrix[4 * (k / 3) + k % 3];
		}
	}
	return 3 * count;
}

/* The two rows across which the normals of the partner are least over the poses (thesis, A.1), from whitened directions: the
 * plane of the least eigenvectors of E[gᵀ n nᵀ g] with respect to E[gᵀ g]. Written as columns. */
static void fit_rows(const measuring *m, uint32_t point, const double (*normals)[3], double (*rows)[WIDTH]) {
	double p[WIDTH * WIDTH] = {0}, a[WIDTH * WIDTH] = {0}, white[WIDTH * WIDTH], values[WIDTH], g[3][WIDTH];
	uint32_t n = 0, kept = 0;
	for (uint32_t pose = 0; pose <= POSES; pose++) {
		n = influence_directions(m, point, pose, g);
		for (uint32_t i = 0; i < n; i++) {
			for (uint32_t j = 0; j < n; j++) {
				double across[2] = {0};
				for (int c = 0; c < 3; c++) {
					p[i * n + j] += g[c][i] * g[c][j];
					across[0] += normals[pose][c] * g[c][i];
					across[1] += normals[pose][c] * g[c][j];
				}
				a[i * n + j] += across[0] * across[1];
			}
		}
	}
	snk_symmetric_eigen_sorted(n, p, white, values);
	for (; kept < n && values[kept] > 1e-4 * values[0]; kept++) {
		for (uint32_t i = 0; i < n; i++) {
			white[kept * n + i] /= sqrt(values[kept]);
		}
	}
	double inner[WIDTH * WIDTH] = {0}, vectors[WIDTH * WIDTH];
	for (uint32_t r = 0; r < kept * kept; r++) {
		for (uint32_t i = 0; i < n * n; i++) {
			inner[r] += white[r / kept * n + i / n] * a[i] * white[r % kept * n + i % n];
		}
	}
	snk_symmetric_eigen_sorted(kept, inner, vectors, values);
	for (uint32_t r = 0; r < 2; r++) {
		for (uint32_t i = 0; i < n; i++) {
			rows[r][i] = 0;
			for (uint32_t k = 0; k < kept; k++) {
				rows[r][i] += vectors[(kept - 2 + r) * kept + k] * white[k * n + i];
			}
		}
	}
}

/* The level's normals in all poses, each the cross product of two rows that were fitted to those of the partner. */
static float *normals_by_rows(const measuring *m) {
	const snw_mesh *mesh = &m->level->shape;
	float *made = SNW_NEW_ARRAY(m->arena, float, 3 * (size_t)m->frames.vertices.count * (POSES + 1));
	bool *is_made = SNW_NEW_ARRAY(m->arena, bool, m->frames.vertices.count);
	for (uint32_t t = 0; t < m->triangles.count; t++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t *corners = m->triangles.corners[t], vertex = m->frames.vertices.corner_vertices[corners[k]];
			const uint32_t point = mesh->face_points[corners[k]];
			const double at[3] = {k == 0, k == 1, k == 2};
			double normals[POSES + 1][3], rows[2][WIDTH], sign = 0;
			if (is_made[vertex]) {
				continue;
			}
			is_made[vertex] = true;
			snw_arena *scratch = snw_arena_create();
			const nm_place place = partner_of(m, t, at, scratch);
			snw_arena_destroy(scratch);
			for (uint32_t pose = 0; pose <= POSES; pose++) {
				direction_at(m->source.normals, &m->source, m->source_triangles.corners[place.triangle], place.shares, pose,
							 normals[pose]);
			}
			fit_rows(m, point, (const double(*)[3])normals, rows);
			for (uint32_t pose = 0; pose <= POSES; pose++) {
				double g[3][WIDTH], tangents[2][3] = {{0}}, normal[3];
				const uint32_t n = influence_directions(m, point, pose, g);
				for (uint32_t i = 0; i < 6 * n; i++) {
					tangents[i / 3 / n][i % 3] += rows[i / 3 / n][i / 3 % n] * g[i % 3][i / 3 % n];
				}
				snw_cross3(tangents[0], tangents[1], normal);
				snw_normalize3(normal);
				sign = pose == 0 ? (snw_dot3(normal, normals[0]) < 0 ? -1 : 1) : sign;
				for (size_t c = 0; c < 3; c++) {
					made[(3 * (size_t)vertex + c) * (POSES + 1) + pose] = (float)(sign * normal[c]);
				}
			}
		}
	}
	return made;
}

/* ---- angles -------------------------------------------------------------------------------------------------------------- */

static void read_map(const measuring *m, int way, const uint32_t *corners, const double *at, double normal[3]) {
	double uv[2] = {0};
	for (int k = 0; k < 3; k++) {
		uv[0] += at[k] * (double)m->level->shape.corner_uvs[2 * (size_t)corners[k]];
		uv[1] += at[k] * (double)m->level->shape.corner_uvs[2 * (size_t)corners[k] + 1];
	}
	const uint32_t x = (uint32_t)(uv[0] * SIZE), y = (uint32_t)(uv[1] * SIZE);
	const unsigned char *texel =
		m->maps[way].pixels + 4 * ((size_t)(y < SIZE ? y : SIZE - 1) * SIZE + (x < SIZE ? x : SIZE - 1));
	for (int c = 0; c < 3; c++) {
		normal[c] = texel[c] / 127.5 - 1;
	}
	snw_normalize3(normal);
}

static double degrees_between(const double a[3], const double b[3]) {
	return acos(fmax(-1, fmin(1, snw_dot3(a, b)))) * 57.29577951308232;
}

static void measure_sample(measuring *m, uint32_t triangle, const double *at, double area, const float *by_rows,
						   snw_arena *scratch) {
	const uint32_t *corners = m->triangles.corners[triangle];
	const nm_place place = partner_of(m, triangle, at, scratch);
	const double sign = (double)m->frames.signs[m->frames.vertices.corner_vertices[corners[0]]];
	double maps[WAYS][3];
	read_map(m, MEAN, corners, at, maps[MEAN]);
	read_map(m, REST, corners, at, maps[REST]);
	for (uint32_t pose = 1; pose <= POSES; pose++) {
		double n[3], t[3], b[3], rows[3], truth[3], shown[3];
		direction_at(m->source.normals, &m->source, m->source_triangles.corners[place.triangle], place.shares, pose, truth);
		direction_at(m->frames.normals, &m->frames, corners, at, pose, n);
		direction_at(m->frames.tangents, &m->frames, corners, at, pose, t);
		direction_at(by_rows, &m->frames, corners, at, pose, rows);
		snw_cross3(n, t, b);
		m->sums[PLAIN] += area * degrees_between(n, truth);
		m->sums[ROWS] += area * degrees_between(rows, truth);
		for (int way = MEAN; way <= REST; way++) {
			for (int c = 0; c < 3; c++) {
				shown[c] = maps[way][0] * t[c] + maps[way][1] * sign * b[c] + maps[way][2] * n[c];
			}
			snw_normalize3(shown);
			m->sums[way] += area * degrees_between(shown, truth);
		}
		m->area += area;
	}
}

static void measure(measuring *m) {
	const float *by_rows = normals_by_rows(m);
	for (uint32_t t = 0; t < m->triangles.count; t++) {
		double edges[2][3], normal[3];
		snw_arena *scratch = snw_arena_create();
		for (size_t i = 0; i < 6; i++) {
			const uint32_t *points = m->level->shape.face_points, *corners = m->triangles.corners[t];
			edges[i / 3][i % 3] = m->level->shape.points_rest[3 * (size_t)points[corners[1 + i / 3]] + i % 3] -
								  m->level->shape.points_rest[3 * (size_t)points[corners[0]] + i % 3];
		}
		snw_cross3(edges[0], edges[1], normal);
		for (int i = 0; i < SAMPLES; i++) {
			measure_sample(m, t, shares[i], snw_length3(normal), by_rows, scratch);
		}
		snw_arena_destroy(scratch);
	}
	for (int way = 0; way < WAYS; way++) {
		m->sums[way] /= m->area;
	}
}

static void map_of_the_mean_is_nearer_to_the_normals_of_a_human_than_that_of_the_rest(void **state) {
	(void)state;
	const snw_import_request file = {.file = check_data("human-rig/human.glb")};
	measuring m = {.arena = snw_arena_create()};
	snw_error error = {0};
	check_ok(snw_import(&file, NULL, &m.scene, &error), error);
	const uint32_t rom = snw_scene_find_clip(m.scene, "rom");
	make_level(&m, rom);
	bake(&m, rom, MEAN);
	bake(&m, rom, REST);
	pose_both(&m, snw_scene_find_clip(m.scene, "dance"));
	measure(&m);
	print_message("mean angle in degrees: map of the mean %.2f, of the rest %.2f, without a map %.2f, tangent rows %.2f\n",
				  m.sums[MEAN], m.sums[REST], m.sums[PLAIN], m.sums[ROWS]);
	assert_true(m.sums[MEAN] <= 0.95 * m.sums[REST] && m.sums[MEAN] < 0.5 * m.sums[PLAIN]);
	assert_true(m.sums[ROWS] < m.sums[PLAIN]);
	snw_arena_destroy(m.arena);
	snw_scene_destroy(m.scene);
}

TEST_GROUP(normals_figures) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(map_of_the_mean_is_nearer_to_the_normals_of_a_human_than_that_of_the_rest),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
