/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of pictures of known scenes: a quad, paint, a camera in front, and the expected pixels.
 */
#ifndef SINEW_TESTS_RENDER_PROPS_H
#define SINEW_TESTS_RENDER_PROPS_H

#include "graphics.h"

static const double half_metre[3] = {0.5, 0.5, 0.5}, origin[3] = {0, 0, 0};

static inline double linear(unsigned char byte) {
	const double v = byte / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* True where a pixel is `color`, of linear light, darkened: the same in proportion. */
static inline bool is_shade_of_linear(const unsigned char *pixel, const double color[3]) {
	const double red = linear(pixel[0]) / color[0], green = linear(pixel[1]) / color[1], blue = linear(pixel[2]) / color[2];
	const double least = fmin(red, fmin(green, blue)), most = fmax(red, fmax(green, blue));
	return least > 0.5 && most < 1.1 && most - least < 0.08 * most + 4 / 255.0;
}

/* The same for a colour of sRGB. */
static inline bool is_shade_of(const unsigned char *pixel, const unsigned char color[3]) {
	return is_shade_of_linear(pixel, (double[3]){linear(color[0]), linear(color[1]), linear(color[2])});
}

/* One quad in the plane z = 0, from −1 to 1, facing +Z. */
static inline snw_mesh quad(snw_arena *arena) {
	static const double points[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
	static const uint32_t offsets[2] = {0, 4}, corners[4] = {0, 1, 2, 3};
	return (snw_mesh){.name = "quad",
					  .point_count = 4,
					  .points_rest = snw_arena_copy(arena, points, sizeof points),
					  .face_count = 1,
					  .face_offsets = offsets,
					  .face_points = corners};
}

/* From the front, 6 m away, 40 degrees. */
static const snw_camera front = {.distance = 6, .field_of_view = 0.698};

static inline snw_material paint(double red, double green, double blue) {
	return (snw_material){.name = "paint",
						  .base_color = {red, green, blue, 1},
						  .roughness = 0.8,
						  .base_color_image = SNW_NONE,
						  .metallic_roughness_image = SNW_NONE,
						  .normal_image = SNW_NONE,
						  .emissive_image = SNW_NONE};
}

static inline snw_scene *painted(snw_arena *arena, snw_mesh mesh, const snw_material *material) {
	uint32_t *materials = SNW_NEW_ARRAY(arena, uint32_t, mesh.face_count);
	mesh.face_materials = materials;
	snw_scene *scene = graphics_scene(arena, mesh);
	scene->material_count = 1;
	scene->materials = snw_arena_copy(arena, material, sizeof *material);
	return scene;
}

#endif
