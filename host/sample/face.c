/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample face: a head and the shapes that a face rig has, as a set of poses without a skeleton. y points up, z forward.
 *
 * A unit moves the skin around a place: it slides it, puffs it out, pinches it together, or rotates it about an axis from side
 * to side, as lids and jaws do. Shapes are units on the left, on the right and on both sides, units in the middle, and pairs of
 * them.
 */
#include <math.h>
#include <string.h>

#include "pose/clip_times.h"
#include "sample/makers.h"
#include "sample/tube.h"

typedef enum kind { SLIDE, PUFF, PINCH, ROTATE } kind;

/* Millimetres. `x` is that of the left side. The skin moves fully at the place, and not at all beyond the reach. A rotation is
 * about the axis through y and z of `motion`, by its x in hundredths of a radian. */
typedef struct face_unit {
	kind kind;
	double x, y, reach_x, reach_y;
	double motion[3];
} face_unit;

static const face_unit sided_units[] = {
	{SLIDE, 12, 46, 18, 16, {-1, 7, 1}},    /* inner brow up */
	{SLIDE, 40, 48, 24, 16, {1, 7, 0}},     /* outer brow up */
	{SLIDE, 20, 42, 26, 14, {-4, -6, 1}},   /* brow down */
	{ROTATE, 31, 31, 19, 9, {42, 27, 62}},  /* upper lid closed */
	{ROTATE, 31, 31, 19, 9, {-14, 27, 62}}, /* upper lid up */
	{ROTATE, 31, 20, 19, 8, {-20, 25, 62}}, /* lower lid up */
	{PINCH, 32, 24, 30, 22, {0.25, 0, 0}},  /* squint */
	{SLIDE, 42, 2, 28, 24, {3, 8, 3}},      /* cheek up */
	{PUFF, 42, -22, 30, 30, {0, 0, 9}},     /* cheek out */
	{PUFF, 42, -22, 30, 30, {0, 0, -6}},    /* cheek in */
	{SLIDE, 12, 2, 16, 18, {1, 6, 1}},      /* nose wrinkled */
	{SLIDE, 11, -8, 12, 10, {4, 1, 0}},     /* nostril wide */
	{SLIDE, 26, -38, 24, 20, {7, 9, -4}},   /* corner up and out: smile */
	{SLIDE, 26, -40, 24, 20, {3, -9, -2}},  /* corner down */
	{SLIDE, 26, -38, 26, 18, {10, 0, -6}},  /* corner out */
	{SLIDE, 13, -30, 16, 12, {0, 7, 2}},    /* upper lip up */
};

static const face_unit middle_units[] = {
	{ROTATE, 0, -62, 70, 46, {30, 0, -20}}, /* jaw open */
	{ROTATE, 0, -62, 70, 46, {12, 0, -20}}, /* jaw ajar */
	{SLIDE, 0, -62, 70, 46, {9, 0, 0}},     /* jaw to the left */
	{SLIDE, 0, -62, 70, 46, {-9, 0, 0}},    /* jaw to the right */
	{SLIDE, 0, -62, 70, 46, {0, 0, 8}},     /* jaw forward */
	{PINCH, 0, -38, 40, 22, {0.45, 0, 0}},  /* pucker */
	{PUFF, 0, -38, 34, 16, {0, 0, 8}},      /* lips out */
	{PUFF, 0, -38, 34, 14, {0, 0, -7}},     /* lips rolled in */
	{SLIDE, 0, -46, 24, 12, {0, -8, 1}},    /* lower lip down */
	{SLIDE, 0, -44, 24, 14, {0, 5, 2}},     /* lower lip up */
	{SLIDE, 0, -66, 26, 18, {0, 6, 2}},     /* chin up */
	{PUFF, 0, -88, 40, 24, {0, 0, 7}},      /* throat out */
};

enum {
	SIDED = sizeof sided_units / sizeof *sided_units,
	MIDDLE = sizeof middle_units / sizeof *middle_units,
	PAIRS = 44, /* below the least common multiple of both: no pair comes twice */
	SHAPES = 3 * SIDED + MIDDLE + PAIRS,
};

static const double millimetre = 1e-3;

/* ---- the head ------------------------------------------------------------------------------------------------------------ */

static double bump(double offset, double reach) {
	const double t = fmin(fabs(offset) / reach, 1);
	return (1 - t * t) * (1 - t * t);
}

static double head_radius(double along) {
	return 0.064 + 0.014 * bump(along - 0.012, 0.1);
}

/* The tube stands up; a nose, sockets of eyes and lips make it a face. */
static void shape_head(double *points, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		double *p = points + 3 * (size_t)i, z = p[1];
		const double x = p[2], y = p[0];
		if (z > 0) {
			const double eyes = bump(fabs(x) - 0.031, 0.02) * bump(y - 0.026, 0.014);
			z += 0.015 * bump(x, 0.02) * bump(y - 0.002, 0.032) - 0.006 * eyes + 0.004 * bump(x, 0.03) * bump(y + 0.038, 0.014);
		}
		p[0] = x;
		p[1] = y;
		p[2] = z;
	}
}

/* ---- shapes -------------------------------------------------------------------------------------------------------------- */

/* Adds what a unit does to a point of the rest; `side` is -1 on the right. */
static void add_unit(const face_unit *from, double side, const double rest[3], double vector[3]) {
	const double x = side * from->x * millimetre, y = from->y * millimetre;
	const double share =
		rest[2] > 0 ? bump(rest[0] - x, from->reach_x * millimetre) * bump(rest[1] - y, from->reach_y * millimetre) : 0;
	const double *motion = from->motion, length = sqrt(rest[0] * rest[0] + rest[2] * rest[2]);
	if (share == 0) {
		return;
	}
	if (from->kind == SLIDE) {
		vector[0] += share * side * motion[0] * millimetre;
		vector[1] += share * motion[1] * millimetre;
		vector[2] += share * motion[2] * millimetre;
	} else if (from->kind == PUFF) {
		vector[0] += share * motion[2] * millimetre * rest[0] / length;
		vector[2] += share * motion[2] * millimetre * rest[2] / length;
	} else if (from->kind == PINCH) {
		vector[0] += share * motion[0] * (x - rest[0]);
		vector[1] += share * motion[0] * (y - rest[1]);
	} else {
		const double angle = share * motion[0] / 100, up = rest[1] - motion[1] * millimetre,
					 forward = rest[2] - motion[2] * millimetre;
		vector[1] += up * (cos(angle) - 1) - forward * sin(angle);
		vector[2] += up * sin(angle) + forward * (cos(angle) - 1);
	}
}

static void add_shape(uint32_t shape, const double rest[3], double vector[3]) {
	if (shape < 3 * SIDED) {
		const face_unit *from = &sided_units[shape / 3];
		if (shape % 3 != 1) {
			add_unit(from, 1, rest, vector);
		}
		if (shape % 3 != 0) {
			add_unit(from, -1, rest, vector);
		}
	} else if (shape < 3 * SIDED + MIDDLE) {
		add_unit(&middle_units[shape - 3 * SIDED], 1, rest, vector);
	} else {
		const uint32_t pair = shape - 3 * SIDED - MIDDLE;
		add_shape(3 * (pair % SIDED) + 2, rest, vector);
		add_unit(&middle_units[pair % MIDDLE], 1, rest, vector);
	}
}

snw_status snw_sample_make_face(snw_scene *scene, snw_error *error) {
	(void)error;
	static const snw_tube tube = {.begin = -0.09, .end = 0.09, .dome = 0.6, .rings = 47, .sides = 56, .radius = head_radius};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "face";
	snw_tube_build(&tube, scene->arena, mesh);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *rest = SNW_NEW_ARRAY(scene->arena, double, numbers);
	memcpy(rest, mesh->points_rest, numbers * sizeof *rest);
	shape_head(rest, mesh->point_count);
	mesh->points_rest = rest;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, SHAPES);
	float *points = SNW_NEW_ARRAY(scene->arena, float, SHAPES *numbers);
	for (uint32_t s = 0; s < SHAPES; s++) {
		seconds[s] = s;
		for (size_t i = 0; i < numbers; i += 3) {
			double vector[3] = {rest[i], rest[i + 1], rest[i + 2]};
			add_shape(s, rest + i, vector);
			for (size_t c = 0; c < 3; c++) {
				points[s * numbers + i + c] = (float)vector[c];
			}
		}
	}
	snw_target *shapes = SNW_NEW(scene->arena, snw_target);
	*shapes = (snw_target){
		.name = "shapes", .clip = SNW_NONE, .is_set = true, .frame_count = SHAPES, .seconds = seconds, .points_posed = points};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->target_count = 1;
	scene->targets = shapes;
	snw_scene_clip_sequences(scene);
	return SNW_OK;
}
