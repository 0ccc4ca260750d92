/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures in other UVs: colours stay where they are on the surface, directions of a normal map rotate with the UVs, and what
 * cannot be resampled is left and named.
 */
#include "check.h"

#include "unwrap/unwrap.h"

enum { SIDE = 128 };

static const double corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

/* A square of 1 m in two triangles, with glTF's UVs as seen from the front, and one material with pictures of all uses. */
static snw_scene *square(uint32_t mesh_count) {
	static const uint32_t faces[6] = {0, 1, 2, 0, 2, 3};
	snw_scene *scene = snw_scene_create();
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, mesh_count);
	snw_material *material = SNW_NEW(scene->arena, snw_material);
	snw_image *images = SNW_NEW_ARRAY(scene->arena, snw_image, SNW_TEXTURE_USES);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, 3);
	float *uvs = SNW_NEW_ARRAY(scene->arena, float, 12);
	double *points = SNW_NEW_ARRAY(scene->arena, double, 12);
	for (uint32_t i = 0; i < 4; i++) {
		points[3 * i] = corners[i][0];
		points[3 * i + 1] = corners[i][1];
	}
	for (uint32_t i = 0; i < 6; i++) {
		uvs[2 * i] = (float)corners[faces[i]][0];
		uvs[2 * i + 1] = (float)(1 - corners[faces[i]][1]);
	}
	offsets[1] = 3;
	offsets[2] = 6;
	for (uint32_t m = 0; m < mesh_count; m++) {
		meshes[m] = (snw_mesh){.name = m == 0 ? "square" : "other",
							   .point_count = 4,
							   .points_rest = points,
							   .face_count = 2,
							   .face_offsets = offsets,
							   .face_points = snw_arena_copy(scene->arena, faces, sizeof faces),
							   .face_materials = SNW_NEW_ARRAY(scene->arena, uint32_t, 2),
							   .corner_uvs = uvs};
	}
	*material = (snw_material){.name = "skin"};
	for (uint32_t use = 0; use < SNW_TEXTURE_USES; use++) {
		images[use].name = "picture";
		*snw_texture_of(material, use) = use;
	}
	scene->meshes = meshes;
	scene->mesh_count = mesh_count;
	scene->materials = material;
	scene->material_count = 1;
	scene->images = images;
	scene->image_count = SNW_TEXTURE_USES;
	return scene;
}

static double wave(double at) {
	return 128 + 60 * sin(6.283185307179586 * at);
}

/* A picture whose red depends on u and whose green on v, and that repeats without a seam; or one direction of a normal map. */
static snw_mipmap gradient(bool is_direction, bool is_color, snw_arena *arena) {
	unsigned char *pixels = snw_arena_array(arena, SIDE * SIDE, 4);
	for (int i = 0; i < SIDE * SIDE; i++) {
		const int row = i / SIDE;
		const unsigned char texel[4] = {(unsigned char)lround(wave((i % SIDE + 0.5) / SIDE)),
										(unsigned char)lround(wave((row + 0.5) / SIDE)), 7, 255};
		const unsigned char direction[4] = {204, 128, 230, 255};
		memcpy(pixels + 4 * i, is_direction ? direction : texel, 4);
	}
	return snw_mipmap_make(pixels, SIDE, SIDE, is_color, arena);
}

typedef struct resampled {
	snw_scene *scene;
	snw_resampled_textures made;
	snw_decoded_image images[SNW_TEXTURE_USES];
} resampled;

/* Into UVs that are the ones before, smaller and rotated by a quarter about the middle. */
static resampled resample(snw_scene *scene) {
	resampled r = {.scene = scene};
	float *uvs = SNW_NEW_ARRAY(scene->arena, float, 12);
	for (uint32_t i = 0; i < 6; i++) {
		const float u = scene->meshes[0].corner_uvs[2 * i] - 0.5F, v = scene->meshes[0].corner_uvs[2 * i + 1] - 0.5F;
		uvs[2 * i] = 0.5F - 0.75F * v;
		uvs[2 * i + 1] = 0.5F + 0.75F * u;
	}
	const snw_unwrapped_mesh mesh = {.mesh = 0, .corner_uvs = uvs};
	snw_mipmap *pictures = SNW_NEW_ARRAY(scene->arena, snw_mipmap, SNW_TEXTURE_USES * SNW_TEXTURE_USES);
	for (uint32_t use = 0; use < SNW_TEXTURE_USES; use++) {
		pictures[use * SNW_TEXTURE_USES + use] = gradient(use == SNW_TEXTURE_NORMAL, snw_texture_is_color(use), scene->arena);
	}
	const snw_resample_request request = {.mesh_count = 1, .meshes = &mesh, .size = SIDE, .pictures = pictures};
	snw_error error = {0};
	check_ok(snw_textures_resample(scene, &request, NULL, scene->arena, &r.made, &error), error);
	for (uint32_t i = 0; i < r.made.count; i++) {
		const snw_resampled *t = &r.made.textures[i];
		check_ok(snw_image_decode(t->bytes, t->byte_count, "picture", scene->arena, &r.images[t->use], &error), error);
		assert_int_equal(r.images[t->use].width, SIDE);
	}
	return r;
}

static void colours_stay_where_they_are_on_the_surface(void **state) {
	(void)state;
	resampled r = resample(square(1));
	assert_int_equal(r.made.count, SNW_TEXTURE_USES);
	for (uint32_t use = 0; use < SNW_TEXTURE_USES; use++) {
		const unsigned char *pixels = r.images[use].pixels;
		for (int i = 0; i < SIDE * SIDE && use != SNW_TEXTURE_NORMAL; i++) {
			const int row = i / SIDE;
			const double x = (i % SIDE + 0.5) / SIDE - 0.5, y = (row + 0.5) / SIDE - 0.5;
			const double u = y / 0.75 + 0.5, v = -x / 0.75 + 0.5;
			if (fabs(u - 0.5) < 0.48 && fabs(v - 0.5) < 0.48) {
				check_near(pixels[4 * i], wave(u), 1.5);
				check_near(pixels[4 * i + 1], wave(v), 1.5);
				assert_int_equal(pixels[4 * i + 2], 7);
			}
		}
		assert_true(pixels[0] > 0); /* outside it is filled from the nearest */
		assert_true(r.made.textures[use].rms < 1);
	}
	snw_scene_destroy(r.scene);
}

/* What leant to rising u leans to rising v, which is down, in the new picture. */
static void directions_of_a_normal_map_rotate_with_the_uvs(void **state) {
	(void)state;
	resampled r = resample(square(1));
	const unsigned char *middle = r.images[SNW_TEXTURE_NORMAL].pixels + 4 * (SIDE / 2 * SIDE + SIDE / 2);
	check_near(middle[0], 128, 1.1);
	check_near(middle[1], 255 - 204, 1.1);
	check_near(middle[2], 230, 1.1);
	snw_scene_destroy(r.scene);
}

static void textures_that_another_mesh_needs_are_left(void **state) {
	(void)state;
	resampled r = resample(square(2));
	assert_int_equal(r.made.count, 0);
	assert_string_equal(r.made.left[0], "mesh other has it too and keeps its UVs");
	snw_scene_destroy(r.scene);
}

TEST_GROUP(unwrap_textures) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_stay_where_they_are_on_the_surface),
		cmocka_unit_test(directions_of_a_normal_map_rotate_with_the_uvs),
		cmocka_unit_test(textures_that_another_mesh_needs_are_left),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
