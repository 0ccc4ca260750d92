/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the renderer share: one renderer for a program's tests (they skip, and say so, where there is no OpenGL),
 * small meshes and scenes made by hand, and pixels of a picture.
 */
#ifndef SINEW_TESTS_RENDER_GRAPHICS_H
#define SINEW_TESTS_RENDER_GRAPHICS_H

#include <dlfcn.h>
#include <link.h>

#include "check.h"
#include "render/render.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

static snw_renderer *graphics_renderer;
static snw_error graphics_error;

static inline int graphics_keep_library(struct dl_phdr_info *info, size_t bytes, void *argument) {
	(void)bytes;
	(void)argument;
	if (info->dlpi_name[0]) {
		(void)dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	}
	return 0;
}

static inline int graphics_open(void **state) {
	(void)state;
	const snw_status status = snw_renderer_create(&graphics_renderer, &graphics_error);
	if (status == SNW_ERROR_UNSUPPORTED) {
		print_message("skipped: %s\n", graphics_error.text);
		return 0;
	}
	if (snw_failed(status)) {
		print_error("%s\n", graphics_error.text);
		return -1;
	}
	/* The driver stays loaded until the end, so that the leak check can name its leaks. */
	dl_iterate_phdr(graphics_keep_library, NULL);
	print_message("device: %s\n", snw_renderer_device(graphics_renderer));
	return 0;
}

static inline int graphics_close(void **state) {
	(void)state;
	snw_renderer_destroy(graphics_renderer);
	graphics_renderer = NULL;
	return 0;
}

static inline void graphics_need(void) {
	if (!graphics_renderer) {
		print_message("skipped: no OpenGL\n");
		skip();
	}
}

/* A box from -half to half, quads that face outward, moved by `middle`. */
static inline snw_mesh graphics_box(snw_arena *arena, const double half[3], const double middle[3]) {
	static const uint32_t corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
	double *points = SNW_NEW_ARRAY(arena, double, 24);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, 7);
	for (uint32_t p = 0; p < 8; p++) {
		for (uint32_t c = 0; c < 3; c++) {
			points[3 * p + c] = middle[c] + (p >> c & 1 ? half[c] : -half[c]);
		}
	}
	for (uint32_t f = 0; f < 7; f++) {
		offsets[f] = 4 * f;
	}
	return (snw_mesh){.name = "box",
					  .point_count = 8,
					  .points_rest = points,
					  .face_count = 6,
					  .face_offsets = offsets,
					  .face_points = snw_arena_copy(arena, corners, sizeof corners)};
}

/* A scene of one mesh, without skeleton. */
static inline snw_scene *graphics_scene(snw_arena *arena, snw_mesh mesh) {
	snw_scene *scene = SNW_NEW(arena, snw_scene);
	scene->meshes = snw_arena_copy(arena, &mesh, sizeof mesh);
	scene->mesh_count = 1;
	return scene;
}

/* A picture of views side by side. */
typedef struct graphics_picture {
	uint32_t width, height; /* of all of it */
	unsigned char *pixels;
} graphics_picture;

static inline graphics_picture graphics_draw(snw_arena *arena, const snw_view *views, uint32_t columns, uint32_t rows,
											 uint32_t width, uint32_t height) {
	graphics_picture picture = {columns * width, rows * height,
								SNW_NEW_ARRAY(arena, unsigned char, 4ul * columns * width * rows * height)};
	const snw_status status =
		snw_renderer_sheet(graphics_renderer, views, columns, rows, width, height, picture.pixels, NULL, &graphics_error);
	check_ok(status, graphics_error);
	const char *folder = getenv("SINEW_TEST_PICTURES"); /* a folder in which a person wants to see them */
	if (folder) {
		static int number;
		char path[1024];
		snprintf(path, sizeof path, "%s/%03d.png", folder, number++);
		check_ok(snw_png_write(path, picture.pixels, picture.width, picture.height, &graphics_error), graphics_error);
	}
	return picture;
}

/* x and y from 0 to 1, y down. */
static inline const unsigned char *graphics_pixel(const graphics_picture *picture, double x, double y) {
	const size_t column = (size_t)(x * (picture->width - 1) + 0.5), row = (size_t)(y * (picture->height - 1) + 0.5);
	return picture->pixels + 4 * (row * picture->width + column);
}

/* The largest difference of a channel between two pixels. */
static inline int graphics_difference(const unsigned char *a, const unsigned char *b) {
	int most = 0;
	for (int c = 0; c < 3; c++) {
		const int apart = abs(a[c] - b[c]);
		most = apart > most ? apart : most;
	}
	return most;
}

/* How many pixels differ between two pictures of one size by more than `least`. */
static inline size_t graphics_changed(const graphics_picture *a, const graphics_picture *b, int least) {
	size_t count = 0;
	assert_true(a->width == b->width && a->height == b->height);
	for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
		count += graphics_difference(a->pixels + 4 * i, b->pixels + 4 * i) > least;
	}
	return count;
}

#endif
