/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subdivided characters: known points of Catmull and Clark, posed on the GPU, with UVs, heat maps and materials.
 */
#include "render/mesh/gpu_mesh.h"

#include "import/import.h"
#include "pose/pose.h"
#include "props.h"
#include "render/draw/viewport.h"

/* What refines one mesh. */
typedef struct bed {
	snw_gpu_mesh_shaders shaders;
	snw_stencil_shader stencil;
	snw_gpu_mesh *control;
	snw_gpu_subdivision *refined;
} bed;

static void bed_open(bed *b, const snw_mesh *mesh, uint32_t level) {
	check_ok(snw_gpu_mesh_shaders_create(&b->shaders, &graphics_error), graphics_error);
	check_ok(snw_stencil_shader_create(&b->stencil, &graphics_error), graphics_error);
	check_ok(snw_gpu_mesh_create(&b->shaders, mesh, NULL, NULL, &b->control, &graphics_error), graphics_error);
	snw_gpu_subdivision_data *data = NULL;
	check_ok(snw_gpu_subdivision_data_create(mesh, level, &data, &graphics_error), graphics_error);
	check_ok(snw_gpu_subdivision_create(&b->shaders, &b->stencil, data, NULL, &b->refined, &graphics_error), graphics_error);
}

static void bed_close(bed *b) {
	snw_gpu_subdivision_destroy(b->refined);
	snw_gpu_mesh_destroy(b->control);
	snw_stencil_shader_destroy(&b->stencil);
	snw_gpu_mesh_shaders_destroy(&b->shaders);
	assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void cube_takes_the_points_of_catmull_and_clark(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_mesh box = graphics_box(arena, half_metre, origin);
	bed b;
	bed_open(&b, &box, 1);
	const snw_mesh *mesh = snw_gpu_subdivision_refined(b.refined);
	assert_int_equal(mesh->point_count, 26);
	assert_int_equal(mesh->face_count, 24);
	uint32_t faces = 0, edges = 0, corners = 0;
	for (uint32_t p = 0; p < 26; p++) {
		const double *at = mesh->points_rest + 3 * (size_t)p;
		const double sum = fabs(at[0]) + fabs(at[1]) + fabs(at[2]), most = fmax(fabs(at[0]), fmax(fabs(at[1]), fabs(at[2])));
		/* A face's middle; an edge's: (2 ends + 2 faces) / 4; a corner: (its faces' mean + 2 edges' means) / 3. */
		faces += fabs(sum - 0.5) < 1e-6 && fabs(most - 0.5) < 1e-6;
		edges += fabs(sum - 0.75) < 1e-6 && fabs(most - 0.375) < 1e-6;
		corners += fabs(sum - 3 * 5 / 18.0) < 1e-6 && fabs(most - 5 / 18.0) < 1e-6;
	}
	assert_int_equal(faces, 6);
	assert_int_equal(edges, 12);
	assert_int_equal(corners, 8);
	bed_close(&b);
	snw_arena_destroy(arena);
}

/* Refining and an affine map commute. */
static void refined_points_follow_the_pose_on_the_gpu(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_mesh box = graphics_box(arena, half_metre, origin);
	const double map[12] = {0.8, 0.3, 0, 1, -0.3, 0.9, 0.2, -2, 0.1, 0, 1.2, 0.5};
	float posed[24];
	for (int p = 0; p < 8; p++) {
		double to[3];
		snw_mat34_point(map, box.points_rest + 3 * p, to);
		for (int c = 0; c < 3; c++) {
			posed[3 * p + c] = (float)to[c];
		}
	}
	for (uint32_t level = 1; level <= SNW_SUBDIVISION_MOST; level++) {
		bed b;
		bed_open(&b, &box, level);
		const snw_mesh *mesh = snw_gpu_subdivision_refined(b.refined);
		float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
		snw_gpu_mesh_send_points(b.control, posed);
		snw_gpu_subdivision_pose(b.refined, b.control);
		snw_gpu_mesh_read_points(snw_gpu_subdivision_mesh(b.refined), points);
		for (size_t p = 0; p < mesh->point_count; p++) {
			double to[3];
			snw_mat34_point(map, mesh->points_rest + 3 * p, to);
			for (size_t c = 0; c < 3; c++) {
				check_near(points[3 * p + c], to[c], 2e-6);
			}
		}
		bed_close(&b);
	}
	snw_arena_destroy(arena);
}

static void uvs_and_colours_are_spread_over_each_face(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = quad(arena);
	static const float uvs[8] = {0, 0, 1, 0, 1, 1, 0, 1};
	static const float colors[16] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1};
	mesh.corner_uvs = uvs;
	mesh.corner_colors = colors;
	bed b;
	bed_open(&b, &mesh, 2);
	const snw_mesh *refined = snw_gpu_subdivision_refined(b.refined);
	assert_int_equal(refined->face_count, 16);
	for (size_t c = 0; c < 64; c++) {
		/* The corners of the square stay, so its points lie in a grid, as the UVs do, but for the rounding of edges inward. */
		const double *at = refined->points_rest + 3 * (size_t)refined->face_points[c];
		const double u = (double)refined->corner_uvs[2 * c], v = (double)refined->corner_uvs[2 * c + 1];
		check_near(u, (at[0] + 1) / 2, 0.1);
		check_near(v, (at[1] + 1) / 2, 0.1);
		check_near(refined->corner_colors[4 * c + 3], 1, 1e-6);
		check_near(refined->corner_colors[4 * c], (1 - u) * (1 - v) + (1 - u) * v, 1e-5);
	}
	bed_close(&b);
	snw_arena_destroy(arena);
}

static void face_that_has_a_point_twice_is_refused(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = quad(arena);
	static const uint32_t corners[4] = {0, 1, 1, 3};
	mesh.face_points = corners;
	snw_scene *scene = graphics_scene(arena, mesh);
	snw_viewport *viewport = NULL;
	check_ok(snw_viewport_create(graphics_renderer, scene, 1, NULL, &viewport, &graphics_error), graphics_error);
	assert_int_equal(snw_viewport_subdivide(viewport, 1, &graphics_error), SNW_ERROR_DATA);
	assert_non_null(strstr(graphics_error.text, "mesh 'quad'"));
	const snw_view view = {.scene = scene, .camera = front};
	check_ok(snw_viewport_pose(viewport, &view, &graphics_error), graphics_error); /* as it was */
	snw_viewport_destroy(viewport);
	snw_arena_destroy(arena);
}

static void subdivided_box_is_rounder_and_keeps_its_heat_and_paint(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_material red = paint(0.7, 0.05, 0.05);
	snw_view views[6];
	double values[8];
	const double *heat = values;
	for (int p = 0; p < 8; p++) {
		values[p] = p;
	}
	snw_scene *scene = painted(arena, graphics_box(arena, half_metre, origin), &red);
	for (uint32_t i = 0; i < 6; i++) {
		views[i] = (snw_view){.scene = scene,
							  .subdivision = i % 3,
							  .flags = SNW_VIEW_WIREFRAME,
							  .heat = i < 3 ? NULL : &heat,
							  .camera = {.yaw = 0.6, .pitch = 0.4, .distance = 3.4}};
	}
	const graphics_picture picture = graphics_draw(arena, views, 3, 2, 300, 300);
	const unsigned char *smooth = graphics_pixel(&picture, 2.5 / 3, 0.25);
	assert_true(smooth[0] > smooth[1] + 40);
	snw_view bare = {.scene = SNW_NEW(arena, snw_scene), .camera = views[0].camera};
	const graphics_picture background = graphics_draw(arena, &bare, 1, 1, 300, 300);
	size_t covered[3] = {0};
	for (uint32_t i = 0; i < 3; i++) {
		for (size_t p = 0; p < 300ul * 300; p++) {
			const unsigned char *text = picture.pixels + 4 * (p / 300 * 900 + 300ul * i + p % 300);
			covered[i] += graphics_difference(text, background.pixels + 4 * p) > 6;
		}
	}
	assert_true(covered[1] < 0.9 * (double)covered[0] && covered[2] < covered[1]);
	snw_arena_destroy(arena);
}

/* Real meshes, of quads and of triangles, posed and refined; in the full suite the first two. */
static const char *const characters[] = {"quads/spot.obj", "characters/Fox.glb", "characters/CesiumMan.glb",
										 "human-rig/human.glb"};
enum { CHARACTERS = sizeof characters / sizeof *characters };
static size_t character_count = 2;

static void characters_can_be_subdivided(void **state) {
	(void)state;
	graphics_need();
	snw_import_request requests[CHARACTERS];
	for (size_t i = 0; i < character_count; i++) {
		requests[i] = (snw_import_request){.file = check_data(characters[i])};
	}
	snw_arena *arena = snw_arena_create();
	for (size_t i = 0; i < character_count; i++) {
		snw_scene *scene = NULL;
		check_ok(snw_import(&requests[i], NULL, &scene, &graphics_error), graphics_error);
		snw_view views[2] = {{.scene = scene, .camera = {.yaw = 0.6, .pitch = 0.2}}};
		views[0].camera = snw_camera_frame(&views[0], 300, 300);
		views[1] = views[0];
		views[1].subdivision = i < 3 ? 2 : 1;
		const graphics_picture picture = graphics_draw(arena, views, 2, 1, 300, 300);
		size_t differing = 0;
		for (size_t p = 0; p < 300ul * 300; p++) {
			const unsigned char *left = picture.pixels + 4 * (p / 300 * 600 + p % 300);
			differing += graphics_difference(left, left + 1200) > 40;
		}
		assert_true(differing < 300ul * 300 / 8); /* much the same picture */
		snw_scene_destroy(scene);
	}
	snw_arena_destroy(arena);
}

TEST_GROUP(subdivide) {
	character_count = argc > 1 && strcmp(argv[1], "long") == 0 ? CHARACTERS : character_count;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cube_takes_the_points_of_catmull_and_clark),
		cmocka_unit_test(refined_points_follow_the_pose_on_the_gpu),
		cmocka_unit_test(uvs_and_colours_are_spread_over_each_face),
		cmocka_unit_test(face_that_has_a_point_twice_is_refused),
		cmocka_unit_test(subdivided_box_is_rounder_and_keeps_its_heat_and_paint),
		cmocka_unit_test(characters_can_be_subdivided),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
