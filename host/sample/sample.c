/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples by name.
 */
#include "sample/sample.h"

#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

/* ---- cloth --------------------------------------------------------------------------------------------------------------- */

/* The sample cloth: a square sheet that hangs by two corners and swings in gusts of wind, by a small mass-spring simulation:
 * positions by Verlet integration, then corrections of the springs' lengths (Jakobsen 2001). The springs are visited in a
 * fixed order, so the sequence is the same on every machine. */

void snw_grid_faces(uint32_t columns, uint32_t rows, snw_arena *arena, snw_mesh *mesh) {
	static const uint32_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	const uint32_t quads = (columns - 1) * (rows - 1);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)quads + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)4 * quads);
	float *uvs = SNW_NEW_ARRAY(arena, float, (size_t)8 * quads);
	uint32_t corner = 0;
	for (uint32_t face = 0; face < quads; face++) {
		for (int c = 0; c < 4; c++, corner++) {
			const uint32_t column = face % (columns - 1) + order[c][0], row = face / (columns - 1) + order[c][1];
			points[corner] = row * columns + column;
			uvs[(size_t)2 * corner] = (float)column / (float)(columns - 1);
			uvs[(size_t)2 * corner + 1] = (float)row / (float)(rows - 1);
		}
		offsets[face + 1] = corner;
	}
	mesh->face_count = quads;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
	mesh->corner_uvs = uvs;
}

enum {
	SIDE = 41,
	POINTS = SIDE * SIDE,
	SPRINGS = 2 * (SIDE - 1) * (2 * SIDE - 1), /* along and across, and two diagonals in each face */
	CLOTH_FRAMES = 60,
	STEPS = 8,
	SWEEPS = 12
};
static const double cloth_width = 1.0;

/* Two neighbours in the sheet. The shares say how much of a correction each takes: a pinned point takes none. */
typedef struct spring {
	uint32_t a, b;
	double rest_length, share_a, share_b;
} spring;

typedef struct cloth {
	double current[POINTS][3], before[POINTS][3];
	uint32_t spring_count;
	spring springs[SPRINGS];
} cloth;

static uint32_t at(uint32_t column, uint32_t row) {
	return row * SIDE + column;
}

/* It hangs in the plane z = 0 from y = 1 down. */
static void place_rest(double (*points)[3]) {
	for (uint32_t row = 0; row < SIDE; row++) {
		for (uint32_t column = 0; column < SIDE; column++) {
			double *point = points[at(column, row)];
			point[0] = cloth_width * ((double)column / (SIDE - 1) - 0.5);
			point[1] = cloth_width * (1 - (double)row / (SIDE - 1));
			point[2] = 0;
		}
	}
}

static int is_pinned(uint32_t point) {
	return point == at(0, 0) || point == at(SIDE - 1, 0);
}

/* Along, across, and the two diagonals against shear: from each point to those neighbours that the sheet has. */
static void add_springs(cloth *c) {
	static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
	for (int s = 0; s < 4; s++) {
		for (uint32_t a = 0; a < POINTS; a++) {
			const int column = (int)(a % SIDE) + steps[s][0], row = (int)(a / SIDE) + steps[s][1];
			if (column < 0 || column >= SIDE || row >= SIDE) {
				continue;
			}
			const uint32_t b = at((uint32_t)column, (uint32_t)row);
			const double a_moves = !is_pinned(a), b_moves = !is_pinned(b);
			c->springs[c->spring_count++] = (spring){.a = a,
													 .b = b,
													 .rest_length = sqrt(snw_squared_distance3(c->current[a], c->current[b])),
													 .share_a = a_moves / (a_moves + b_moves),
													 .share_b = b_moves / (a_moves + b_moves)};
		}
	}
}

/* Moves the ends toward their distance at rest. */
static void pull(const spring *s, double a[3], double b[3]) {
	const double gap[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	const double stretch = 1 - s->rest_length / sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
	const double by_a = s->share_a * stretch, by_b = s->share_b * stretch;
	a[0] += by_a * gap[0];
	a[1] += by_a * gap[1];
	a[2] += by_a * gap[2];
	b[0] -= by_b * gap[0];
	b[1] -= by_b * gap[1];
	b[2] -= by_b * gap[2];
}

static void advance(cloth *c, double seconds, double step) {
	for (uint32_t i = 0; i < POINTS; i++) {
		if (is_pinned(i)) {
			continue;
		}
		const double gust = 5 * sin(2.1 * seconds) + 3 * sin(5.3 * seconds + 4 * c->current[i][0]);
		const double acceleration[3] = {0, -9.81, gust};
		for (int k = 0; k < 3; k++) {
			const double drift = 0.995 * (c->current[i][k] - c->before[i][k]);
			c->before[i][k] = c->current[i][k];
			c->current[i][k] += drift + acceleration[k] * step * step;
		}
	}
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		for (uint32_t i = 0; i < c->spring_count; i++) {
			pull(&c->springs[i], c->current[c->springs[i].a], c->current[c->springs[i].b]);
		}
	}
}

static snw_status sample_make_cloth(snw_scene *scene, snw_error *error) {
	(void)error;
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	double(*rest)[3] = snw_arena_array(scene->arena, POINTS, sizeof *rest);
	cloth *c = SNW_NEW(scene->arena, cloth);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, CLOTH_FRAMES);
	float *points = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * POINTS * CLOTH_FRAMES);
	place_rest(rest);
	place_rest(c->current);
	place_rest(c->before);
	add_springs(c); /* while it is at rest */
	mesh->name = "cloth";
	mesh->point_count = POINTS;
	mesh->points_rest = rest[0];
	snw_grid_faces(SIDE, SIDE, scene->arena, mesh);
	for (uint32_t f = 0; f < CLOTH_FRAMES; f++) {
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		for (uint32_t i = 0; i < 3 * POINTS; i++) {
			points[(size_t)f * 3 * POINTS + i] = (float)c->current[i / 3][i % 3];
		}
		for (int s = 0; s < STEPS; s++) {
			const double step = 1 / (SNW_SAMPLE_FRAMES_PER_SECOND * STEPS);
			advance(c, seconds[f] + s * step, step);
		}
	}
	snw_target *sequence = SNW_NEW(scene->arena, snw_target);
	*sequence =
		(snw_target){.name = "wind", .clip = SNW_NONE, .frame_count = CLOTH_FRAMES, .seconds = seconds, .points_posed = points};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->target_count = 1;
	scene->targets = sequence;
	snw_scene_clip_sequences(scene);
	return SNW_OK;
}

/* ---- face ---------------------------------------------------------------------------------------------------------------- */

/* The sample face: a head and the shapes that a face rig has, as a set of poses without a skeleton. y points up, z forward.
 *
 * A unit moves the skin around a place: it slides it, puffs it out, pinches it together, or rotates it about an axis from
 * side to side, as lids and jaws do. Shapes are units on the left, on the right and on both sides, units in the middle, and
 * pairs of them. */

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

static snw_status sample_make_face(snw_scene *scene, snw_error *error) {
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

/* ---- rigs ---------------------------------------------------------------------------------------------------------------- */

snw_status snw_rig_make(snw_scene *scene, const snw_rig_joint *joints, uint32_t joint_count, snw_error *error) {
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = joint_count;
	skeleton->names = SNW_NEW_ARRAY(arena, const char *, joint_count);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, joint_count);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, joint_count);
	uint32_t *slot_joints = SNW_NEW_ARRAY(arena, uint32_t, joint_count);
	double *inverse_binds = SNW_NEW_ARRAY(arena, double, 12 * (size_t)joint_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		skeleton->names[j] = joints[j].name;
		skeleton->parents[j] = joints[j].parent;
		skeleton->rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		memcpy(skeleton->rest_local[j].translation, joints[j].translation, sizeof joints[j].translation);
		slot_joints[j] = j;
	}
	const snw_status status = snw_skeleton_finish(skeleton, arena, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t j = 0; j < joint_count; j++) {
		snw_mat34_invert(skeleton->rest_global + 12 * (size_t)j, inverse_binds + 12 * (size_t)j);
	}
	scene->slot_count = joint_count;
	scene->slot_joints = slot_joints;
	scene->slot_inverse_binds = inverse_binds;
	return SNW_OK;
}

void snw_rig_skin(snw_mesh *mesh, uint32_t slot_count, snw_rig_weights *weights, snw_arena *arena) {
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)slot_count * mesh->point_count);
	double *values = SNW_NEW_ARRAY(arena, double, (size_t)slot_count * mesh->point_count);
	double *of_point = SNW_NEW_ARRAY(arena, double, slot_count);
	uint32_t count = 0;
	for (size_t i = 0; i < mesh->point_count; i++) {
		weights(mesh->points_rest + 3 * i, of_point);
		for (uint32_t s = 0; s < slot_count; s++) {
			if (of_point[s] > 0) {
				slots[count] = s;
				values[count++] = of_point[s];
			}
		}
		offsets[i + 1] = count;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = values;
}

/* ---- samples ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	snw_status (*make)(snw_scene *scene, snw_error *error);
} samples[] = {
	{"arm", snw_sample_make_arm},           {"small-arm", snw_sample_make_small_arm},
	{"tiny-arm", snw_sample_make_tiny_arm}, {"bar", snw_sample_make_bar},
	{"cloth", sample_make_cloth},           {"face", sample_make_face},
	{"tube", snw_sample_make_tube},         {"twist-bar", snw_sample_make_twist_bar},
	{"elbow", snw_sample_make_elbow},       {"muscle-arm", snw_sample_make_muscle_arm},
	{"dressed", snw_sample_make_dressed},   {"limbs", snw_sample_make_limbs},
};

snw_status snw_sample_make(const char *name, snw_scene **scene, snw_error *error) {
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		if (strcmp(samples[i].name, name) != 0) {
			continue;
		}
		snw_scene *made = snw_scene_create();
		snw_status status = samples[i].make(made, error);
		if (!snw_failed(status)) {
			status = snw_scene_check(made, error);
		}
		if (snw_failed(status)) {
			snw_scene_destroy(made);
			return status;
		}
		*scene = made;
		return status;
	}
	return snw_fail(error, SNW_ERROR_MISSING,
					"no such sample \"%s\"; choose arm, small-arm, tiny-arm, bar, cloth, face, tube, twist-bar, "
					"elbow, muscle-arm, dressed or limbs",
					name);
}
