/* SPDX-License-Identifier: MIT
 *
 * Plays a skin file (`sinew export hero.sinew -o hero.snwskin`; docs/skin-file.md) in any program: a pose goes in;
 * coefficients, helper joints, points and normals come out. One header, C99 and the C library alone. In one source file:
 *
 *     #define SINEW_PLAYER_IMPLEMENTATION
 *     #include "sinew_player.h"
 *
 *     const char *problem;
 *     sinew_player *player = sinew_player_open(bytes, count, &problem);  // NULL: `problem` says why
 *     sinew_player_set_rotation(player, sinew_player_find_joint(player, "elbow"), rotation);
 *     sinew_player_evaluate(player);
 *     sinew_player_points(player, 0, points, normals);
 *
 * Lengths are in metres, right-handed, Y up. Quaternions are x y z w. Matrices are 3×4 by rows: what they map is a column.
 * Opening allocates once and copies the file; nothing else allocates. One thread at a time for a player; players are
 * independent. Any bytes are safe: a file that is not one, or is damaged, is refused. Where coefficients or matrices would not
 * be finite, they are 0 or at rest.
 *
 * Blends are linear, or dual quaternions with the shortest signs over a linear blend of scale. Points are floats, summed one
 * influence after another; multiplications and additions are not fused unless the compiler is told to.
 */
#ifndef SINEW_PLAYER_H
#define SINEW_PLAYER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_PLAYER_NONE UINT32_MAX

typedef struct sinew_player sinew_player;

/* NULL if the file cannot be played, or memory is out: *problem is a sentence, constant text. */
sinew_player *sinew_player_open(const void *bytes, size_t count, const char **problem);
void sinew_player_close(sinew_player *player); /* NULL does nothing */

/* Joints, parents before children. Names are UTF-8 and live as long as the player. The player moves helper joints. */
uint32_t sinew_player_joint_count(const sinew_player *player);
const char *sinew_player_joint_name(const sinew_player *player, uint32_t joint);
uint32_t sinew_player_joint_parent(const sinew_player *player, uint32_t joint); /* SINEW_PLAYER_NONE at a root */
int sinew_player_joint_is_helper(const sinew_player *player, uint32_t joint);
uint32_t sinew_player_find_joint(const sinew_player *player, const char *name); /* SINEW_PLAYER_NONE */

/* The local transform of a joint, relative to its parent; at first all are at rest. Numbers that are not finite, and a
 * rotation of length 0, are ignored. Between two calls no joint may rotate by more than half a turn: so windings follow, and a
 * joint may rotate by several turns. sinew_player_set_vector says the winding itself: the rotation away from rest,
 * rest⁻¹ · local, as axis times angle in radians. */
void sinew_player_set_rotation(sinew_player *player, uint32_t joint, const double rotation[4]);
void sinew_player_set_vector(sinew_player *player, uint32_t joint, const double vector[3]);
void sinew_player_set_place(sinew_player *player, uint32_t joint, const double translation[3], const double scale[3]);
void sinew_player_set_rest(sinew_player *player); /* all joints */

/* Computes the coefficients that the pose drives, the helper joints and all global transforms. */
void sinew_player_evaluate(sinew_player *player);
/* [12] each, of the last evaluation: relative to the parent, and to the world. */
const double *sinew_player_joint_local(const sinew_player *player, uint32_t joint);
const double *sinew_player_joint_global(const sinew_player *player, uint32_t joint);

/* Coefficients are the weights of morph targets. Those that no pose drives keep what was set. */
uint32_t sinew_player_coefficient_count(const sinew_player *player);
const char *sinew_player_coefficient_name(const sinew_player *player, uint32_t coefficient);
uint32_t sinew_player_coefficient_mesh(const sinew_player *player, uint32_t coefficient);
double sinew_player_coefficient(const sinew_player *player, uint32_t coefficient);
void sinew_player_set_coefficient(sinew_player *player, uint32_t coefficient, double value);

uint32_t sinew_player_mesh_count(const sinew_player *player);
const char *sinew_player_mesh_name(const sinew_player *player, uint32_t mesh);
uint32_t sinew_player_point_count(const sinew_player *player, uint32_t mesh);
/* [triangle_count][3], indices of the mesh's points, counter-clockwise from outside. */
const uint32_t *sinew_player_triangles(const sinew_player *player, uint32_t mesh, uint32_t *triangle_count);
/* The mesh at the last evaluated pose, [point_count][3] in the world. `normals`, of the deformed faces, unit, may be NULL. */
void sinew_player_points(sinew_player *player, uint32_t mesh, float *points, float *normals);

#ifdef __cplusplus
}
#endif

#endif

#ifdef SINEW_PLAYER_IMPLEMENTATION

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file: docs/skin-file.md ----------------------------------------------------------------------------------------- */

enum { SINEW_PLAYER_VERSION = 1, SINEW_PLAYER_WIDTH = 8, SINEW_PLAYER_NUMBERS = 28 };
enum sinew_player_blend { SINEW_PLAYER_BLEND_LINEAR, SINEW_PLAYER_BLEND_DUAL_QUATERNION, SINEW_PLAYER_BLENDS };
enum sinew_player_drive_kind { SINEW_PLAYER_SPACE, SINEW_PLAYER_REGRESSION, SINEW_PLAYER_HELPER, SINEW_PLAYER_KINDS };
enum sinew_player_kernel {
	SINEW_PLAYER_GAUSSIAN,
	SINEW_PLAYER_LINEAR,
	SINEW_PLAYER_THIN_PLATE,
	SINEW_PLAYER_INVERSE_MULTIQUADRIC,
	SINEW_PLAYER_CONE,
	SINEW_PLAYER_KERNELS
};

typedef struct sinew_player_field {
	char name[16];
	uint32_t bytes_each, zero;
	uint64_t offset, count;
} sinew_player_field;

typedef struct sinew_player_head {
	char magic[8];
	uint32_t version, field_count;
} sinew_player_head;

/* Of a joint's pose: the rotation vector away from rest, translation and scale. */
typedef struct sinew_player_pose {
	double vector[3], translation[3], scale[3];
} sinew_player_pose;

/* The fields, by the names that they have in the file. */
enum sinew_player_field_id {
	SINEW_PLAYER_NAMES,
	SINEW_PLAYER_JOINT_NAMES,
	SINEW_PLAYER_JOINT_PARENTS,
	SINEW_PLAYER_JOINT_RESTS,
	SINEW_PLAYER_SLOT_JOINTS,
	SINEW_PLAYER_SLOT_BINDS,
	SINEW_PLAYER_MESH_NAMES,
	SINEW_PLAYER_MESH_BLENDS,
	SINEW_PLAYER_MESH_POINTS,
	SINEW_PLAYER_MESH_TRIANGLES,
	SINEW_PLAYER_POINT_RESTS,
	SINEW_PLAYER_POINT_SLOTS,
	SINEW_PLAYER_POINT_WEIGHTS,
	SINEW_PLAYER_TRIANGLES,
	SINEW_PLAYER_MORPH_NAMES,
	SINEW_PLAYER_MORPH_MESHES,
	SINEW_PLAYER_MORPH_MOVES,
	SINEW_PLAYER_MORPH_WEIGHTS,
	SINEW_PLAYER_MOVE_POINTS,
	SINEW_PLAYER_MOVE_VECTORS,
	SINEW_PLAYER_DRIVES,
	SINEW_PLAYER_DRIVE_INTEGERS,
	SINEW_PLAYER_DRIVE_NUMBERS,
	SINEW_PLAYER_FIELDS
};

struct sinew_player {
	unsigned char *file;
	size_t byte_count;
	uint64_t counts[SINEW_PLAYER_FIELDS];
	uint32_t joint_count, slot_count, mesh_count, coefficient_count, drive_count, most_points;
	int has_dual_quaternions;
	const char *names;
	const uint32_t *joint_names, *parents, *slot_joints, *mesh_names, *blends, *mesh_points, *mesh_triangles, *point_slots;
	const uint32_t *triangles;
	const uint32_t *morph_names, *morph_meshes, *morph_moves, *move_points, *drives, *integers;
	const double *rests, *binds, *numbers, *morph_weights;
	const float *point_rests, *point_weights, *move_vectors;
	/* The influences of points, the first 4 where no point has more; beyond those that a point has, the slot past the last one,
	 * which does not move, with a weight of 0, or of 1 for a point that has none. */
	uint32_t width;
	uint32_t *slots; /* [points][width] */
	float *weights;  /* [points][width] */
	/* Of the pose. */
	sinew_player_pose *pose; /* [joint_count] */
	unsigned char *is_helper;
	double *locals, *globals, *rest_globals, *unrests; /* [joint_count][12] */
	double *coefficients;
	double *way, *other, *linear, *values; /* of a pose space; values are features as well */
	float *palette;                        /* [slot_count + 1][16]: columns of four */
	float *dual_quaternions;               /* [slot_count + 1][8]; NULL where no mesh has them */
	float *stretches;                      /* [slot_count + 1][9]: minus the identity */
	int is_stretched;                      /* any of them is not 0 */
	float *shaped;                         /* [most_points][3] */
};

static const struct {
	const char *name;
	uint32_t bytes_each, numbers;
} sinew_player_fields[SINEW_PLAYER_FIELDS] = {
	{"names", 1, 1},
	{"joint.names", 4, 1},
	{"joint.parents", 4, 1},
	{"joint.rests", 8, 10},
	{"slot.joints", 4, 1},
	{"slot.binds", 8, 12},
	{"mesh.names", 4, 1},
	{"mesh.blends", 4, 1},
	{"mesh.points", 4, 1},
	{"mesh.triangles", 4, 1},
	{"point.rests", 4, 3},
	{"point.slots", 4, SINEW_PLAYER_WIDTH},
	{"point.weights", 4, SINEW_PLAYER_WIDTH},
	{"triangles", 4, 3},
	{"morph.names", 4, 1},
	{"morph.meshes", 4, 1},
	{"morph.moves", 4, 1},
	{"morph.weights", 8, 1},
	{"move.points", 4, 1},
	{"move.vectors", 4, 3},
	{"drives", 4, 5},
	{"drive.integers", 4, 1},
	{"drive.numbers", 8, 1},
};

/* ---- rotations and matrices ---------------------------------------------------------------------------------------------- */

static double sinew_player_dot(const double *a, const double *b, size_t count) {
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

static double sinew_player_limit(double x, double least, double most) {
	return x < least ? least : x > most ? most : x;
}

static void sinew_player_cross(const double a[3], const double b[3], double dest[3]) {
	const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
	dest[0] = x;
	dest[1] = y;
	dest[2] = z;
}

static void sinew_player_times(const double a[4], const double b[4], double dest[4]) {
	const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
	const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
	const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
	dest[0] = x;
	dest[1] = y;
	dest[2] = z;
	dest[3] = w;
}

/* Of a⁻¹ b, for unit quaternions. */
static void sinew_player_from_to(const double a[4], const double b[4], double dest[4]) {
	const double back[4] = {-a[0], -a[1], -a[2], a[3]};
	sinew_player_times(back, b, dest);
}

static void sinew_player_quaternion(const double v[3], double dest[4]) {
	const double angle = sqrt(sinew_player_dot(v, v, 3)), share = angle > 0 ? sin(angle / 2) / angle : 0;
	for (int c = 0; c < 3; c++) {
		dest[c] = v[c] * share;
	}
	dest[3] = cos(angle / 2);
}

/* The rotation vector of a quaternion that is nearest to another one: it may be longer than a turn. */
static void sinew_player_vector_near(const double q[4], const double near[3], double dest[3]) {
	const double round = 6.283185307179586, sine = sqrt(sinew_player_dot(q, q, 3)),
				 length = sqrt(sinew_player_dot(near, near, 3));
	double axis[3];
	for (int c = 0; c < 3; c++) {
		axis[c] = sine > 1e-12 ? q[c] / sine : length > 0 ? near[c] / length : 0;
	}
	const double angle = 2 * atan2(sine, q[3]), rounds = floor((sinew_player_dot(axis, near, 3) - angle) / round + 0.5);
	for (int c = 0; c < 3; c++) {
		dest[c] = axis[c] * (angle + round * rounds);
	}
}

static void sinew_player_matrix(const double q[4], const double t[3], const double s[3], double m[12]) {
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
								2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
								2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			m[4 * r + c] = rotation[3 * r + c] * s[c];
		}
		m[4 * r + 3] = t[r];
	}
}

static void sinew_player_product(const double a[12], const double b[12], double dest[12]) {
	double m[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			m[4 * r + c] = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (c == 3 ? a[4 * r + 3] : 0);
		}
	}
	memcpy(dest, m, sizeof m);
}

static void sinew_player_column(const double m[12], int c, double dest[3]) {
	for (int r = 0; r < 3; r++) {
		dest[r] = m[4 * r + c];
	}
}

static void sinew_player_inverse(const double m[12], double dest[12]) {
	double a[3], b[3], c[3], t[3], rows[3][3];
	sinew_player_column(m, 0, a);
	sinew_player_column(m, 1, b);
	sinew_player_column(m, 2, c);
	sinew_player_column(m, 3, t);
	sinew_player_cross(b, c, rows[0]);
	sinew_player_cross(c, a, rows[1]);
	sinew_player_cross(a, b, rows[2]);
	const double determinant = sinew_player_dot(a, rows[0], 3);
	for (int r = 0; r < 3; r++) {
		for (int i = 0; i < 3; i++) {
			dest[4 * r + i] = rows[r][i] / determinant;
		}
		dest[4 * r + 3] = -sinew_player_dot(dest + 4 * r, t, 3);
	}
}

static void sinew_player_unit(double *v, size_t count) {
	const double length = sqrt(sinew_player_dot(v, v, count));
	for (size_t i = 0; i < count; i++) {
		v[i] = length > 0 ? v[i] / length : v[i];
	}
}

/* The rotation of a matrix: its columns made orthonormal, the first one first. */
static void sinew_player_rotation(const double m[12], double q[4]) {
	double e[3][3], normal[3];
	sinew_player_column(m, 0, e[0]);
	sinew_player_column(m, 1, e[1]);
	sinew_player_column(m, 2, e[2]);
	sinew_player_cross(e[1], e[2], normal);
	const double sign = sinew_player_dot(e[0], normal, 3) < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		e[0][i] *= sign;
	}
	sinew_player_unit(e[0], 3);
	const double along = sinew_player_dot(e[0], e[1], 3);
	for (int i = 0; i < 3; i++) {
		e[1][i] -= along * e[0][i];
	}
	sinew_player_unit(e[1], 3);
	sinew_player_cross(e[0], e[1], e[2]);
	const double trace = e[0][0] + e[1][1] + e[2][2];
	int i = e[1][1] > e[0][0] ? 1 : 0;
	i = e[2][2] > e[i][i] ? 2 : i;
	const int j = (i + 1) % 3, k = (i + 2) % 3;
	q[i] = trace > 0 ? e[j][k] - e[k][j] : 1 + 2 * e[i][i] - trace;
	q[j] = trace > 0 ? e[k][i] - e[i][k] : e[i][j] + e[j][i];
	q[k] = trace > 0 ? e[i][j] - e[j][i] : e[k][i] + e[i][k];
	q[3] = trace > 0 ? 1 + trace : e[j][k] - e[k][j];
	for (int n = 0; n < 4 && q[3] < 0; n++) {
		q[n] = -q[n];
	}
	sinew_player_unit(q, 4);
}

/* x + first · v × x + second · v × (v × x) */
static void sinew_player_screw(const double v[3], const double x[3], double first, double second, double dest[3]) {
	double once[3], twice[3];
	sinew_player_cross(v, x, once);
	sinew_player_cross(v, once, twice);
	for (int c = 0; c < 3; c++) {
		dest[c] = x[c] + first * once[c] + second * twice[c];
	}
}

/* The rigid part of a motion to the power `share`, along its screw. */
static void sinew_player_power(const double m[12], double share, double dest[12]) {
	static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
	double q[4], v[3], t[3], log[3], shift[3];
	sinew_player_rotation(m, q);
	sinew_player_vector_near(q, zero, v);
	sinew_player_column(m, 3, t);
	const double angle = sqrt(sinew_player_dot(v, v, 3)), part = share * angle;
	const int small = angle < 1e-3;
	sinew_player_screw(v, t, -0.5, small ? 1.0 / 12 : (1 - angle * sin(angle) / (2 * (1 - cos(angle)))) / (angle * angle), log);
	for (int c = 0; c < 3; c++) {
		log[c] *= share;
	}
	memcpy(shift, log, sizeof shift);
	if (part > 0) {
		sinew_player_screw(v, log, small ? share / 2 : (1 - cos(part)) / (part * angle),
						   small ? share * share / 6 : (part - sin(part)) / (part * angle * angle), shift);
	}
	for (int c = 0; c < 3; c++) {
		v[c] *= share;
	}
	sinew_player_quaternion(v, q);
	sinew_player_matrix(q, shift, one, dest);
}

/* ---- the pose space: docs/pose-space.md ---------------------------------------------------------------------------------- */

/* A drive of the file: integers and numbers, in the order that docs/skin-file.md gives. */
typedef struct sinew_player_drive {
	const uint32_t *integers;
	const double *numbers;
	uint64_t integer_count, number_count;
} sinew_player_drive;

/* The rotation vector from one rotation to another, the shorter way or on the double cover. */
static void sinew_player_between(const double a[3], const double b[3], int unwound, double u[3]) {
	double p[4], q[4], way[4];
	sinew_player_quaternion(a, p);
	sinew_player_quaternion(b, q);
	sinew_player_from_to(p, q, way);
	const double sine = sqrt(sinew_player_dot(way, way, 3)), sign = !unwound && way[3] < 0 ? -1 : 1;
	const double share = sine > 0 ? sign * 2 * atan2(sine, sign * way[3]) / sine : 0;
	for (int c = 0; c < 3; c++) {
		u[c] = way[c] * share;
	}
}

typedef struct sinew_player_space {
	uint32_t joints, centres, targets, kernel, is_linear, clamps;
	const uint32_t *joint, *unwound, *target;
	double width;
	const double *axes, *swing, *twist, *translation, *scale, *examples, *places, *weights, *constants, *slopes;
} sinew_player_space;

static sinew_player_space sinew_player_read_space(const sinew_player_drive *drive) {
	const uint32_t *i = drive->integers;
	sinew_player_space s = {i[0], i[1], i[2], i[3], i[4], i[5], i + 6, 0, 0, drive->numbers[0], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	s.unwound = s.joint + s.joints;
	s.target = s.unwound + s.joints;
	s.axes = drive->numbers + 1;
	s.swing = s.axes + 3 * (size_t)s.joints;
	s.twist = s.swing + s.joints;
	s.translation = s.twist + s.joints;
	s.scale = s.translation + s.joints;
	s.examples = s.scale + s.joints;
	s.places = s.examples + 3 * (size_t)s.joints * s.centres;
	s.weights = s.places + 6 * (size_t)s.joints * s.centres;
	s.constants = s.weights + (size_t)s.targets * s.centres;
	s.slopes = s.constants + s.targets;
	return s;
}

/* A pose, a centre (pose NULL), or rest: rotation vector and places of one of its joints. */
static void sinew_player_spot(const sinew_player *player, const sinew_player_space *s, uint32_t centre, uint32_t j,
							  double vector[3], double place[6]) {
	static const double rest[6] = {0, 0, 0, 1, 1, 1};
	const sinew_player_pose *pose = &player->pose[s->joint[j]];
	const int is_pose = centre == SINEW_PLAYER_NONE, is_centre = !is_pose && centre < s->centres;
	for (size_t c = 0; c < 3; c++) {
		vector[c] = is_pose ? pose->vector[c] : is_centre ? s->examples[3 * ((size_t)centre * s->joints + j) + c] : 0;
	}
	for (size_t c = 0; c < 6; c++) {
		place[c] = is_pose     ? (c < 3 ? pose->translation[c] : pose->scale[c - 3])
				   : is_centre ? s->places[6 * ((size_t)centre * s->joints + j) + c]
							   : rest[c];
		place[c] = c < 3 ? place[c] : log(fmax(fabs(place[c]), 1e-9));
	}
}

/* Nine coordinates a joint from one spot to another. From rest the way of an unwound joint is its whole rotation vector; the
 * places of rest are those of centre `rest_place`. */
static void sinew_player_coordinates(const sinew_player *player, const sinew_player_space *s, uint32_t from, uint32_t to,
									 uint32_t rest_place, double *dest) {
	for (uint32_t j = 0; j < s->joints; j++, dest += 9) {
		double vectors[2][3], places[2][6], ignored[3], u[3];
		const int is_from_rest = rest_place != SINEW_PLAYER_NONE;
		sinew_player_spot(player, s, is_from_rest ? rest_place : from, j, is_from_rest ? ignored : vectors[0], places[0]);
		sinew_player_spot(player, s, to, j, vectors[1], places[1]);
		for (int c = 0; c < 3 && is_from_rest; c++) {
			vectors[0][c] = 0;
		}
		if (is_from_rest && s->unwound[j]) {
			memcpy(u, vectors[1], sizeof u);
		} else {
			sinew_player_between(vectors[0], vectors[1], s->unwound[j] != 0, u);
		}
		const double along = sinew_player_dot(u, s->axes + 3 * (size_t)j, 3);
		for (size_t c = 0; c < 3; c++) {
			dest[c] = s->swing[j] * u[c] + (s->twist[j] - s->swing[j]) * along * s->axes[3 * (size_t)j + c];
			dest[3 + c] = s->translation[j] == 0 ? 0 : s->translation[j] * (places[1][c] - places[0][c]);
			dest[6 + c] = s->scale[j] == 0 ? 0 : s->scale[j] * (places[1][3 + c] - places[0][3 + c]);
		}
	}
}

static double sinew_player_cone(const double *x, const double *c, size_t count, double width) {
	const double xx = sinew_player_dot(x, x, count), cc = sinew_player_dot(c, c, count), least = sqrt(xx < cc ? xx : cc);
	return least > 0 ? pow(least, 1.5) * exp((sinew_player_dot(x, c, count) / sqrt(xx * cc) - 1) / (width * width)) : 0;
}

static double sinew_player_kernel_at(uint32_t kernel, double r, double width) {
	const double ratio = r / width;
	switch (kernel) {
	case SINEW_PLAYER_GAUSSIAN:
		return exp(-ratio * ratio);
	case SINEW_PLAYER_LINEAR:
		return -r;
	case SINEW_PLAYER_THIN_PLATE:
		return ratio > 0 ? ratio * ratio * log(ratio) : 0;
	default:
		return 1 / sqrt(1 + ratio * ratio);
	}
}

/* Places count from zero in the linear term: a spot with vanishing translation and logarithm of scale is past all centres. */
static void sinew_player_run_space(sinew_player *player, const sinew_player_drive *drive) {
	const sinew_player_space s = sinew_player_read_space(drive);
	const size_t count = 9 * (size_t)s.joints;
	sinew_player_coordinates(player, &s, 0, SINEW_PLAYER_NONE, s.targets, player->way);
	if (s.is_linear) {
		sinew_player_coordinates(player, &s, 0, SINEW_PLAYER_NONE, s.centres, player->linear);
	}
	for (uint32_t c = 0; c < s.centres; c++) {
		if (s.kernel == SINEW_PLAYER_CONE) {
			sinew_player_coordinates(player, &s, 0, c, s.targets, player->other);
			player->values[c] = sinew_player_cone(player->way, player->other, count, s.width);
		} else {
			sinew_player_coordinates(player, &s, c, SINEW_PLAYER_NONE, SINEW_PLAYER_NONE, player->other);
			player->values[c] =
				sinew_player_kernel_at(s.kernel, sqrt(sinew_player_dot(player->other, player->other, count)), s.width);
		}
	}
	for (uint32_t k = 0; k < s.targets; k++) {
		double sum = s.constants[k] + sinew_player_dot(player->values, s.weights + (size_t)k * s.centres, s.centres);
		sum += s.is_linear ? sinew_player_dot(player->linear, s.slopes + (size_t)k * count, count) : 0;
		if (s.target[k] != SINEW_PLAYER_NONE) {
			player->coefficients[s.target[k]] = s.clamps ? sinew_player_limit(sum, 0, 1) : sum;
		}
	}
}

/* ---- features of rotations: pose regression, helper joints --------------------------------------------------------------- */

/* numbers: axes [9], lowest [9], highest [9]. */
static void sinew_player_features(const double *numbers, const double vector[3], int are_matrices, int clamps, double f[9]) {
	static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
	double v[3], q[4], m[12];
	for (int r = 0; r < 3; r++) {
		v[r] = sinew_player_dot(numbers + 3 * r, vector, 3);
	}
	sinew_player_quaternion(v, q);
	sinew_player_matrix(q, zero, one, m);
	for (int i = 0; i < 9; i++) {
		const int a = i < 6 ? i % 3 : i - 6, b = i < 6 ? a : (i - 5) % 3;
		f[i] = are_matrices ? m[4 * (i / 3) + i % 3] - (i % 4 == 0) : i < 3 ? v[i] : v[a] * v[b];
		f[i] = clamps ? sinew_player_limit(f[i], numbers[9 + i], numbers[18 + i]) : f[i];
	}
}

static void sinew_player_run_regression(sinew_player *player, const sinew_player_drive *drive) {
	const uint32_t *i = drive->integers, joints = i[0], targets = i[3], *next = i + 4 + joints;
	const double *factors = drive->numbers + 27 * (size_t)joints;
	for (uint32_t j = 0; j < joints; j++) {
		sinew_player_features(drive->numbers + 27 * (size_t)j, player->pose[i[4 + j]].vector, i[1] == 0, i[2] != 0,
							  player->values + 9 * (size_t)j);
	}
	player->values[9 * (size_t)joints] = 1;
	for (uint32_t k = 0; k < targets; k++) {
		const uint32_t target = next[0], count = next[1];
		double sum = 0;
		next += 2;
		for (uint32_t n = 0; n < count; n++) {
			sum += factors[n] * player->values[next[n]];
		}
		player->coefficients[target] = sum;
		next += count;
		factors += count;
	}
}

static void sinew_player_motion(const sinew_player *player, uint32_t joint, double dest[12]) {
	sinew_player_product(player->globals + 12 * (size_t)joint, player->unrests + 12 * (size_t)joint, dest);
}

/* S of docs/pose-space.md times M, in place. */
static void sinew_player_follow(const sinew_player *player, uint32_t parent, uint32_t toward, double share, double m[12]) {
	double above[12], other[12], back[12];
	if (toward == SINEW_PLAYER_NONE) {
		return;
	}
	sinew_player_motion(player, parent, above);
	sinew_player_motion(player, toward, other);
	sinew_player_inverse(above, back);
	sinew_player_product(back, other, other);
	sinew_player_power(other, share, above);
	sinew_player_product(above, m, m);
}

/* integers: joint, parent, toward, the number of drivers, their joints; numbers: place, stretch axes, share, drivers.
 * `is_at_rest`: without the motion. */
static void sinew_player_run_helper(sinew_player *player, const sinew_player_drive *drive, int is_at_rest) {
	static const double zero[3] = {0, 0, 0};
	const uint32_t *i = drive->integers;
	const double *place = drive->numbers, *axes = place + 3, *numbers = axes + 10;
	double motion[9] = {0}, f[9], q[4], stretch[3], a[12], b[12], m[12], at[12];
	for (uint32_t d = 0; d < i[3] && !is_at_rest; d++, numbers += 108) {
		sinew_player_features(numbers, player->pose[i[4 + d]].vector, 1, 1, f);
		for (int n = 0; n < 9; n++) {
			motion[n] += sinew_player_dot(numbers + 27 + 9 * n, f, 9);
		}
	}
	for (int c = 0; c < 3; c++) {
		stretch[c] = 1 + sinew_player_limit(motion[6 + c], -0.75, 3);
	}
	for (int r = 0; r < 3; r++) { /* A diag(1 + σ), and Aᵀ */
		for (int c = 0; c < 3; c++) {
			a[4 * r + c] = axes[3 * r + c] * stretch[c];
			b[4 * r + c] = axes[3 * c + r];
		}
		a[4 * r + 3] = b[4 * r + 3] = 0;
	}
	sinew_player_product(a, b, a);
	sinew_player_quaternion(motion, q);
	sinew_player_matrix(q, zero, (const double[3]){1, 1, 1}, b);
	sinew_player_product(b, a, m);
	for (int r = 0; r < 3; r++) {
		m[4 * r + 3] = place[r] + motion[3 + r] - sinew_player_dot(m + 4 * r, place, 3);
	}
	sinew_player_follow(player, i[1], is_at_rest ? SINEW_PLAYER_NONE : i[2], axes[9], m);
	memcpy(at, player->rest_globals + 12 * (size_t)i[1], sizeof at);
	for (int r = 0; r < 3; r++) {
		at[4 * r + 3] = place[r];
	}
	sinew_player_product(m, at, at);
	sinew_player_product(player->unrests + 12 * (size_t)i[1], at, player->locals + 12 * (size_t)i[0]);
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

static int sinew_player_rises(const uint32_t *offsets, uint64_t count, uint64_t end) {
	for (uint64_t i = 0; i + 1 < count; i++) {
		if (offsets[i] > offsets[i + 1]) {
			return 0;
		}
	}
	return count > 0 && offsets[0] == 0 && offsets[count - 1] == end;
}

static int sinew_player_below(const uint32_t *list, uint64_t count, uint64_t end, int allows_none) {
	for (uint64_t i = 0; i < count; i++) {
		if (list[i] >= end && !(allows_none && list[i] == SINEW_PLAYER_NONE)) {
			return 0;
		}
	}
	return 1;
}

static int sinew_player_finite(const double *list, uint64_t count) {
	for (uint64_t i = 0; i < count; i++) {
		if (!(fabs(list[i]) < 1e100)) {
			return 0;
		}
	}
	return 1;
}

static int sinew_player_finite_floats(const float *list, uint64_t count) {
	for (uint64_t i = 0; i < count; i++) {
		if (!(fabsf(list[i]) < 1e30f)) {
			return 0;
		}
	}
	return 1;
}

/* Where the fields are; each once, aligned, within the file. */
static const char *sinew_player_find_fields(sinew_player *player, const void *starts[SINEW_PLAYER_FIELDS]) {
	sinew_player_head head;
	const uint16_t one = 1;
	memcpy(&head, player->file, sizeof head);
	if (memcmp(head.magic, "SNWSKIN", 8) != 0) {
		return "it is no skin file";
	}
	if (*(const unsigned char *)&one != 1) {
		return "this processor is big endian, which the player does not support";
	}
	if (head.version != SINEW_PLAYER_VERSION) {
		return "it is of another version; export it again";
	}
	if (head.field_count > (player->byte_count - sizeof head) / sizeof(sinew_player_field)) {
		return "it is cut off";
	}
	for (uint32_t f = 0; f < head.field_count; f++) {
		sinew_player_field field;
		memcpy(&field, player->file + sizeof head + f * sizeof field, sizeof field);
		for (int id = 0; id < SINEW_PLAYER_FIELDS; id++) {
			if (strncmp(field.name, sinew_player_fields[id].name, sizeof field.name) != 0) {
				continue;
			}
			const uint64_t each = sinew_player_fields[id].bytes_each * (uint64_t)sinew_player_fields[id].numbers;
			if (field.bytes_each != sinew_player_fields[id].bytes_each || starts[id] || field.offset % 8 != 0 ||
				field.offset > player->byte_count || field.count > (player->byte_count - field.offset) / each ||
				field.count >= SINEW_PLAYER_NONE / SINEW_PLAYER_NUMBERS) {
				return "a field of it is damaged";
			}
			starts[id] = player->file + field.offset;
			player->counts[id] = field.count;
		}
	}
	for (int id = 0; id < SINEW_PLAYER_FIELDS; id++) {
		if (!starts[id]) {
			return "a field of it is missing";
		}
	}
	return NULL;
}

static void sinew_player_use_fields(sinew_player *p, const void *const *starts) {
	const void **next[] = {(const void **)&p->names,          (const void **)&p->joint_names,  (const void **)&p->parents,
						   (const void **)&p->rests,          (const void **)&p->slot_joints,  (const void **)&p->binds,
						   (const void **)&p->mesh_names,     (const void **)&p->blends,       (const void **)&p->mesh_points,
						   (const void **)&p->mesh_triangles, (const void **)&p->point_rests,  (const void **)&p->point_slots,
						   (const void **)&p->point_weights,  (const void **)&p->triangles,    (const void **)&p->morph_names,
						   (const void **)&p->morph_meshes,   (const void **)&p->morph_moves,  (const void **)&p->morph_weights,
						   (const void **)&p->move_points,    (const void **)&p->move_vectors, (const void **)&p->drives,
						   (const void **)&p->integers,       (const void **)&p->numbers};
	for (int id = 0; id < SINEW_PLAYER_FIELDS; id++) {
		*next[id] = starts[id];
	}
	p->joint_count = (uint32_t)p->counts[SINEW_PLAYER_JOINT_PARENTS];
	p->slot_count = (uint32_t)p->counts[SINEW_PLAYER_SLOT_JOINTS];
	p->mesh_count = (uint32_t)p->counts[SINEW_PLAYER_MESH_NAMES];
	p->coefficient_count = (uint32_t)p->counts[SINEW_PLAYER_MORPH_MESHES];
	p->drive_count = (uint32_t)p->counts[SINEW_PLAYER_DRIVES];
}

/* Counts that belong together, and indices in range. */
static int sinew_player_fits(const sinew_player *p) {
	const uint64_t *n = p->counts, names = n[SINEW_PLAYER_NAMES];
	int fits = names > 0 && p->names[names - 1] == 0 && n[SINEW_PLAYER_JOINT_NAMES] == p->joint_count &&
			   n[SINEW_PLAYER_JOINT_RESTS] == p->joint_count && n[SINEW_PLAYER_SLOT_BINDS] == p->slot_count &&
			   n[SINEW_PLAYER_MESH_BLENDS] == p->mesh_count && n[SINEW_PLAYER_MESH_POINTS] == (uint64_t)p->mesh_count + 1 &&
			   n[SINEW_PLAYER_MESH_TRIANGLES] == (uint64_t)p->mesh_count + 1 &&
			   n[SINEW_PLAYER_POINT_SLOTS] == n[SINEW_PLAYER_POINT_RESTS] &&
			   n[SINEW_PLAYER_POINT_WEIGHTS] == n[SINEW_PLAYER_POINT_RESTS] &&
			   n[SINEW_PLAYER_MORPH_NAMES] == p->coefficient_count && n[SINEW_PLAYER_MORPH_WEIGHTS] == p->coefficient_count &&
			   n[SINEW_PLAYER_MORPH_MOVES] == (uint64_t)p->coefficient_count + 1 &&
			   n[SINEW_PLAYER_MOVE_VECTORS] == n[SINEW_PLAYER_MOVE_POINTS];
	fits = fits && sinew_player_below(p->joint_names, p->joint_count, names, 0) &&
		   sinew_player_below(p->mesh_names, p->mesh_count, names, 0) &&
		   sinew_player_below(p->morph_names, p->coefficient_count, names, 0) &&
		   sinew_player_below(p->slot_joints, p->slot_count, p->joint_count, 0) &&
		   sinew_player_below(p->blends, p->mesh_count, SINEW_PLAYER_BLENDS, 0) &&
		   sinew_player_below(p->morph_meshes, p->coefficient_count, p->mesh_count, 0) &&
		   sinew_player_below(p->point_slots, SINEW_PLAYER_WIDTH * n[SINEW_PLAYER_POINT_SLOTS], p->slot_count, 1) &&
		   sinew_player_rises(p->mesh_points, n[SINEW_PLAYER_MESH_POINTS], n[SINEW_PLAYER_POINT_RESTS]) &&
		   sinew_player_rises(p->mesh_triangles, n[SINEW_PLAYER_MESH_TRIANGLES], n[SINEW_PLAYER_TRIANGLES]) &&
		   sinew_player_rises(p->morph_moves, n[SINEW_PLAYER_MORPH_MOVES], n[SINEW_PLAYER_MOVE_POINTS]);
	for (uint32_t j = 0; j < p->joint_count && fits; j++) {
		fits = p->parents[j] == SINEW_PLAYER_NONE || p->parents[j] < j;
		fits = fits && fabs(sinew_player_dot(p->rests + 10 * (size_t)j + 3, p->rests + 10 * (size_t)j + 3, 4) - 1) < 1e-6;
	}
	for (uint32_t m = 0; m < p->mesh_count && fits; m++) {
		fits = sinew_player_below(p->triangles + 3 * (size_t)p->mesh_triangles[m],
								  3 * (uint64_t)(p->mesh_triangles[m + 1] - p->mesh_triangles[m]),
								  p->mesh_points[m + 1] - p->mesh_points[m], 0);
	}
	for (uint32_t k = 0; k < p->coefficient_count && fits; k++) {
		const uint32_t m = p->morph_meshes[k];
		fits = sinew_player_below(p->move_points + p->morph_moves[k], p->morph_moves[k + 1] - p->morph_moves[k],
								  p->mesh_points[m + 1] - p->mesh_points[m], 0);
	}
	return fits && sinew_player_finite(p->rests, 10 * n[SINEW_PLAYER_JOINT_RESTS]) &&
		   sinew_player_finite(p->binds, 12 * n[SINEW_PLAYER_SLOT_BINDS]) &&
		   sinew_player_finite(p->morph_weights, n[SINEW_PLAYER_MORPH_WEIGHTS]) &&
		   sinew_player_finite(p->numbers, n[SINEW_PLAYER_DRIVE_NUMBERS]) &&
		   sinew_player_finite_floats(p->point_rests, 3 * n[SINEW_PLAYER_POINT_RESTS]) &&
		   sinew_player_finite_floats(p->point_weights, SINEW_PLAYER_WIDTH * n[SINEW_PLAYER_POINT_WEIGHTS]) &&
		   sinew_player_finite_floats(p->move_vectors, 3 * n[SINEW_PLAYER_MOVE_VECTORS]);
}

static sinew_player_drive sinew_player_drive_at(const sinew_player *p, uint32_t d) {
	const uint32_t *row = p->drives + 5 * (size_t)d;
	const sinew_player_drive drive = {p->integers + row[1], p->numbers + row[3], row[2], row[4]};
	return drive;
}

static int sinew_player_space_fits(const sinew_player *p, const sinew_player_drive *d, uint64_t *ways, uint64_t *values) {
	const uint32_t *i = d->integers;
	if (d->integer_count < 6 || d->number_count < 1) {
		return 0;
	}
	const uint64_t joints = i[0], centres = i[1], targets = i[2];
	if (joints > d->integer_count || targets > d->integer_count || centres > d->number_count ||
		d->integer_count != 6 + 2 * joints + targets || i[3] >= SINEW_PLAYER_KERNELS ||
		d->number_count !=
			1 + 7 * joints + 9 * joints * centres + targets * centres + targets + (i[4] ? 9 * joints * targets : 0)) {
		return 0;
	}
	*ways = *ways > 9 * joints ? *ways : 9 * joints;
	*values = *values > centres ? *values : centres;
	return d->numbers[0] > 0 && sinew_player_below(i + 6, joints, p->joint_count, 0) &&
		   sinew_player_below(i + 6 + 2 * joints, targets, p->coefficient_count, 1);
}

static int sinew_player_regression_fits(const sinew_player *p, const sinew_player_drive *d, uint64_t *values) {
	const uint32_t *i = d->integers;
	if (d->integer_count < 4 || i[0] > d->integer_count - 4 || i[1] > 1 ||
		!sinew_player_below(i + 4, i[0], p->joint_count, 0)) {
		return 0;
	}
	uint64_t at = 4 + (uint64_t)i[0], numbers = 27 * (uint64_t)i[0];
	for (uint32_t k = 0; k < i[3]; k++) {
		if (at + 2 > d->integer_count || i[at] >= p->coefficient_count || i[at + 1] > d->integer_count - at - 2 ||
			!sinew_player_below(i + at + 2, i[at + 1], 9 * (uint64_t)i[0] + 1, 0)) {
			return 0;
		}
		numbers += i[at + 1];
		at += 2 + (uint64_t)i[at + 1];
	}
	*values = *values > 9 * (uint64_t)i[0] + 1 ? *values : 9 * (uint64_t)i[0] + 1;
	return at == d->integer_count && numbers == d->number_count;
}

/* A helper is below its parent, and is nobody's driver: so helpers may follow the others in one pass. */
static int sinew_player_helper_fits(const sinew_player *p, const sinew_player_drive *d) {
	const uint32_t *i = d->integers;
	return d->integer_count >= 4 && d->integer_count == 4 + (uint64_t)i[3] && d->number_count == 13 + 108 * (uint64_t)i[3] &&
		   i[0] < p->joint_count && p->parents[i[0]] == i[1] && i[1] < p->joint_count &&
		   (i[2] < p->joint_count || i[2] == SINEW_PLAYER_NONE) && sinew_player_below(i + 4, i[3], p->joint_count, 0);
}

static int sinew_player_drives_fit(const sinew_player *p, uint64_t *ways, uint64_t *values) {
	for (uint32_t d = 0; d < p->drive_count; d++) {
		const uint32_t *row = p->drives + 5 * (size_t)d;
		if (row[0] >= SINEW_PLAYER_KINDS || (uint64_t)row[1] + row[2] > p->counts[SINEW_PLAYER_DRIVE_INTEGERS] ||
			(uint64_t)row[3] + row[4] > p->counts[SINEW_PLAYER_DRIVE_NUMBERS]) {
			return 0;
		}
		const sinew_player_drive drive = sinew_player_drive_at(p, d);
		const int fits = row[0] == SINEW_PLAYER_SPACE        ? sinew_player_space_fits(p, &drive, ways, values)
						 : row[0] == SINEW_PLAYER_REGRESSION ? sinew_player_regression_fits(p, &drive, values)
															 : sinew_player_helper_fits(p, &drive);
		if (!fits) {
			return 0;
		}
	}
	return 1;
}

static void sinew_player_place(const sinew_player *p, uint32_t joint, double *globals) {
	const double *local = p->locals + 12 * (size_t)joint;
	if (p->parents[joint] == SINEW_PLAYER_NONE) {
		memcpy(globals + 12 * (size_t)joint, local, 12 * sizeof *globals);
	} else {
		sinew_player_product(globals + 12 * (size_t)p->parents[joint], local, globals + 12 * (size_t)joint);
	}
}

static void sinew_player_set_local(sinew_player *p, uint32_t joint) {
	double away[4], rotation[4];
	sinew_player_quaternion(p->pose[joint].vector, away);
	sinew_player_times(p->rests + 10 * (size_t)joint + 3, away, rotation);
	sinew_player_matrix(rotation, p->pose[joint].translation, p->pose[joint].scale, p->locals + 12 * (size_t)joint);
}

/* Everything that evaluation works in, in one piece behind the player and the file. */
static sinew_player *sinew_player_grow(sinew_player *small, uint64_t ways, uint64_t values) {
	const size_t joints = small->joint_count, most = small->most_points, slots = (size_t)small->slot_count + 1;
	const size_t doubles = 48 * joints + small->coefficient_count + 3 * (size_t)ways + (size_t)values + 1;
	const size_t influences = (size_t)small->counts[SINEW_PLAYER_POINT_SLOTS] * small->width;
	const size_t pose = joints * sizeof(sinew_player_pose), floats = (small->has_dual_quaternions ? 33 : 16) * slots + 3 * most;
	sinew_player *p = malloc(sizeof *p + pose + doubles * sizeof(double) + (floats + influences) * sizeof(float) +
							 influences * sizeof(uint32_t) + joints);
	if (p) {
		*p = *small;
		p->pose = (sinew_player_pose *)(p + 1);
		p->locals = (double *)((unsigned char *)(p + 1) + pose);
		p->globals = p->locals + 12 * joints;
		p->rest_globals = p->globals + 12 * joints;
		p->unrests = p->rest_globals + 12 * joints;
		p->coefficients = p->unrests + 12 * joints;
		p->way = p->coefficients + p->coefficient_count;
		p->other = p->way + ways;
		p->linear = p->other + ways;
		p->values = p->linear + ways;
		p->palette = (float *)(p->locals + doubles);
		p->dual_quaternions = p->has_dual_quaternions ? p->palette + 16 * slots : NULL;
		p->stretches = p->palette + 24 * slots;
		p->shaped = p->palette + (floats - 3 * most);
		p->weights = p->shaped + 3 * most;
		p->slots = (uint32_t *)(p->weights + influences);
		p->is_helper = (unsigned char *)(p->slots + influences);
	}
	return p;
}

/* The widest list of influences: 4 or 8. */
static uint32_t sinew_player_width(const sinew_player *p) {
	uint32_t width = 4;
	for (uint64_t i = 0; i < p->counts[SINEW_PLAYER_POINT_SLOTS]; i++) {
		width = p->point_slots[SINEW_PLAYER_WIDTH * i + 4] != SINEW_PLAYER_NONE ? SINEW_PLAYER_WIDTH : width;
	}
	return width;
}

static void sinew_player_copy_influences(sinew_player *p) {
	for (uint64_t i = 0; i < p->counts[SINEW_PLAYER_POINT_SLOTS]; i++) {
		const uint32_t *from = p->point_slots + SINEW_PLAYER_WIDTH * i;
		int ends = 0;
		for (uint32_t k = 0; k < p->width; k++) {
			const size_t at = p->width * (size_t)i + k;
			ends = ends || from[k] == SINEW_PLAYER_NONE;
			p->slots[at] = ends ? p->slot_count : from[k];
			p->weights[at] = !ends ? p->point_weights[SINEW_PLAYER_WIDTH * i + k] : k == 0 ? 1.0F : 0.0F;
		}
	}
}

static void sinew_player_begin(sinew_player *p) {
	sinew_player_copy_influences(p);
	memset(p->is_helper, 0, p->joint_count);
	for (uint32_t d = 0; d < p->drive_count; d++) {
		if (p->drives[5 * (size_t)d] == SINEW_PLAYER_HELPER) {
			p->is_helper[sinew_player_drive_at(p, d).integers[0]] = 1;
		}
	}
	for (uint32_t k = 0; k < p->coefficient_count; k++) {
		p->coefficients[k] = p->morph_weights[k];
	}
	sinew_player_set_rest(p);
	for (uint32_t j = 0; j < p->joint_count; j++) {
		sinew_player_set_local(p, j);
		sinew_player_place(p, j, p->rest_globals);
		sinew_player_inverse(p->rest_globals + 12 * (size_t)j, p->unrests + 12 * (size_t)j);
	}
	sinew_player_evaluate(p);
}

/* Whether what follows from the rest pose is finite. */
static int sinew_player_rests(const sinew_player *p) {
	return sinew_player_finite(p->coefficients, p->coefficient_count) &&
		   sinew_player_finite(p->globals, 12 * (uint64_t)p->joint_count) &&
		   sinew_player_finite(p->unrests, 12 * (uint64_t)p->joint_count) &&
		   sinew_player_finite_floats(p->palette, 16 * (uint64_t)p->slot_count);
}

sinew_player *sinew_player_open(const void *bytes, size_t count, const char **problem) {
	const void *starts[SINEW_PLAYER_FIELDS] = {0};
	sinew_player small = {0}, *player = NULL;
	uint64_t ways = 0, values = 0;
	*problem = count < sizeof(sinew_player_head) ? "it is no skin file" : NULL;
	small.byte_count = count;
	small.file = *problem ? NULL : malloc(count);
	if (small.file) {
		memcpy(small.file, bytes, count);
		*problem = sinew_player_find_fields(&small, starts);
	}
	if (small.file && !*problem) {
		sinew_player_use_fields(&small, starts);
		*problem = sinew_player_fits(&small) && sinew_player_drives_fit(&small, &ways, &values) ? NULL : "it is damaged";
	}
	for (uint32_t m = 0; m < small.mesh_count && small.file && !*problem; m++) {
		const uint32_t points = small.mesh_points[m + 1] - small.mesh_points[m];
		small.most_points = points > small.most_points ? points : small.most_points;
		small.has_dual_quaternions = small.has_dual_quaternions || small.blends[m] == SINEW_PLAYER_BLEND_DUAL_QUATERNION;
	}
	if (small.file && !*problem) {
		small.width = sinew_player_width(&small);
		player = sinew_player_grow(&small, ways, values);
	}
	if (!player) {
		*problem = *problem ? *problem : "memory is out";
		free(small.file);
		return NULL;
	}
	sinew_player_begin(player);
	if (!sinew_player_rests(player)) {
		*problem = "it is damaged";
		sinew_player_close(player);
		return NULL;
	}
	return player;
}

void sinew_player_close(sinew_player *player) {
	if (player) {
		free(player->file);
		free(player);
	}
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

static int sinew_player_has(const sinew_player *player, uint32_t joint, const double *numbers, uint64_t count) {
	return joint < player->joint_count && sinew_player_finite(numbers, count);
}

void sinew_player_set_vector(sinew_player *player, uint32_t joint, const double vector[3]) {
	if (sinew_player_has(player, joint, vector, 3)) {
		memcpy(player->pose[joint].vector, vector, 3 * sizeof *vector);
	}
}

void sinew_player_set_rotation(sinew_player *player, uint32_t joint, const double rotation[4]) {
	double unit[4], away[4];
	if (!sinew_player_has(player, joint, rotation, 4) || !(sinew_player_dot(rotation, rotation, 4) > 0)) {
		return;
	}
	memcpy(unit, rotation, sizeof unit);
	sinew_player_unit(unit, 4);
	sinew_player_from_to(player->rests + 10 * (size_t)joint + 3, unit, away);
	sinew_player_vector_near(away, player->pose[joint].vector, player->pose[joint].vector);
}

void sinew_player_set_place(sinew_player *player, uint32_t joint, const double translation[3], const double scale[3]) {
	if (sinew_player_has(player, joint, translation, 3) && sinew_player_has(player, joint, scale, 3)) {
		memcpy(player->pose[joint].translation, translation, 3 * sizeof *translation);
		memcpy(player->pose[joint].scale, scale, 3 * sizeof *scale);
	}
}

void sinew_player_set_rest(sinew_player *player) {
	for (uint32_t j = 0; j < player->joint_count; j++) {
		const double *rest = player->rests + 10 * (size_t)j;
		memset(player->pose[j].vector, 0, sizeof player->pose[j].vector);
		memcpy(player->pose[j].translation, rest, 3 * sizeof *rest);
		memcpy(player->pose[j].scale, rest + 7, 3 * sizeof *rest);
	}
}

/* The orthogonal factor of a 3×3 matrix, by Newton's iteration with Higham's scaling; 0 where the matrix is singular. */
static int sinew_player_polar(double m[9]) {
	double change = 1;
	for (int round = 0; round < 40 && change > 1e-14; round++) {
		double other[9], size = sqrt(sinew_player_dot(m, m, 9)), other_size;
		sinew_player_cross(m + 3, m + 6, other);
		sinew_player_cross(m + 6, m, other + 3);
		sinew_player_cross(m, m + 3, other + 6);
		const double determinant = sinew_player_dot(m, other, 3);
		if (!(fabs(determinant) > 1e-9 * size * size * size)) {
			return 0;
		}
		for (int i = 0; i < 9; i++) {
			other[i] /= determinant;
		}
		other_size = sqrt(sinew_player_dot(other, other, 9));
		const double scale = sqrt(other_size / size);
		change = 0;
		for (int i = 0; i < 9; i++) {
			const double next = 0.5 * (scale * m[i] + other[i] / scale);
			change = fmax(change, fabs(next - m[i]));
			m[i] = next;
		}
	}
	return 1;
}

/* A matrix as a dual quaternion and a stretch, minus the identity, that acts first. A stretch of rounding errors is 0. */
static void sinew_player_split(const double m[12], float dual_quaternion[8], float stretch[9]) {
	double factor[9], normal[3], rotation[12] = {0}, q[4], dual[4];
	int is_near = 1;
	for (int i = 0; i < 9; i++) {
		factor[i] = m[4 * (i / 3) + i % 3];
	}
	sinew_player_cross(factor + 3, factor + 6, normal);
	const double sign = sinew_player_dot(factor, normal, 3) < 0 ? -1 : 1; /* no rotation mirrors, so the stretch does */
	for (int i = 0; i < 9; i++) {
		factor[i] *= sign;
	}
	const int is_polar = sinew_player_polar(factor);
	for (int i = 0; i < 9; i++) {
		rotation[4 * (i / 3) + i % 3] = factor[i];
	}
	sinew_player_rotation(is_polar ? rotation : m, q);
	sinew_player_matrix(q, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, rotation);
	sinew_player_times((const double[4]){m[3] / 2, m[7] / 2, m[11] / 2, 0}, q, dual);
	for (int c = 0; c < 4; c++) {
		dual_quaternion[c] = (float)q[c];
		dual_quaternion[4 + c] = (float)dual[c];
	}
	for (int i = 0; i < 9; i++) {
		const int r = i / 3, c = i % 3;
		const double e = rotation[r] * m[c] + rotation[4 + r] * m[4 + c] + rotation[8 + r] * m[8 + c] - (r == c);
		is_near = is_near && fabs(e) < 1e-8;
		stretch[i] = (float)e;
	}
	for (int i = 0; i < 9 && is_near; i++) {
		stretch[i] = 0;
	}
}

/* The palettes, from global transforms; a slot whose matrix is not finite does not move. */
static void sinew_player_set_palette(sinew_player *p) {
	static const double still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	p->is_stretched = 0;
	for (uint32_t s = 0; s <= p->slot_count; s++) {
		float *to = p->palette + 16 * (size_t)s;
		double m[12];
		memcpy(m, still, sizeof m);
		if (s < p->slot_count) {
			sinew_player_product(p->globals + 12 * (size_t)p->slot_joints[s], p->binds + 12 * (size_t)s, m);
		}
		for (int i = 0; i < 12; i++) {
			if (!(fabs(m[i]) < 1e18)) {
				memcpy(m, still, sizeof m);
			}
		}
		for (int i = 0; i < 16; i++) {
			to[i] = i % 4 < 3 ? (float)m[4 * (i % 4) + i / 4] : 0;
		}
		if (p->dual_quaternions) {
			sinew_player_split(m, p->dual_quaternions + 8 * (size_t)s, p->stretches + 9 * (size_t)s);
			for (int i = 0; i < 9; i++) {
				p->is_stretched = p->is_stretched || p->stretches[9 * (size_t)s + (size_t)i] != 0;
			}
		}
	}
}

void sinew_player_evaluate(sinew_player *player) {
	for (uint32_t j = 0; j < player->joint_count; j++) {
		if (!player->is_helper[j]) {
			sinew_player_set_local(player, j);
		}
		sinew_player_place(player, j, player->globals);
	}
	for (uint32_t d = 0; d < player->drive_count; d++) {
		const sinew_player_drive drive = sinew_player_drive_at(player, d);
		const uint32_t kind = player->drives[5 * (size_t)d];
		if (kind == SINEW_PLAYER_SPACE) {
			sinew_player_run_space(player, &drive);
		} else if (kind == SINEW_PLAYER_REGRESSION) {
			sinew_player_run_regression(player, &drive);
		} else {
			sinew_player_run_helper(player, &drive, 0);
			if (!sinew_player_finite(sinew_player_joint_local(player, drive.integers[0]), 12)) {
				sinew_player_run_helper(player, &drive, 1);
			}
		}
	}
	for (uint32_t k = 0; k < player->coefficient_count; k++) {
		player->coefficients[k] = fabs(player->coefficients[k]) < 1e9 ? player->coefficients[k] : 0;
	}
	for (uint32_t j = 0; j < player->joint_count; j++) { /* again, with the helpers */
		sinew_player_place(player, j, player->globals);
	}
	sinew_player_set_palette(player);
}

/* ---- the skin ------------------------------------------------------------------------------------------------------------ */

/* The rest points with the morph targets. */
static const float *sinew_player_shape(const sinew_player *p, uint32_t mesh) {
	const size_t first = p->mesh_points[mesh], count = p->mesh_points[mesh + 1] - first;
	int is_shaped = 0;
	for (uint32_t k = 0; k < p->coefficient_count; k++) {
		const float weight = (float)p->coefficients[k];
		if (p->morph_meshes[k] != mesh || weight == 0) {
			continue;
		}
		if (!is_shaped) {
			memcpy(p->shaped, p->point_rests + 3 * first, 3 * count * sizeof *p->shaped);
			is_shaped = 1;
		}
		for (size_t i = p->morph_moves[k]; i < p->morph_moves[k + 1]; i++) {
			float *point = p->shaped + 3 * (size_t)p->move_points[i];
			for (size_t c = 0; c < 3; c++) {
				point[c] += weight * p->move_vectors[3 * i + c];
			}
		}
	}
	return is_shaped ? p->shaped : p->point_rests + 3 * first;
}

typedef struct sinew_player_blended {
	size_t count;
	const float *rests;    /* [count][3] */
	const uint32_t *slots; /* [count][width] */
	const float *weights;  /* [count][width] */
	float *points;         /* [count][3] */
} sinew_player_blended;

/* Four floats at a time, which compilers do not find by themselves here; the same bits without. */
#if defined(__GNUC__)
typedef float sinew_player_row __attribute__((vector_size(16), may_alias, aligned(4)));
#define SINEW_PLAYER_EACH(DEST, VALUE)                                                                                         \
	do {                                                                                                                       \
		(DEST) = (VALUE);                                                                                                      \
	} while (0)
#define SINEW_PLAYER_AT(ROW) (ROW)
#else
typedef struct sinew_player_row {
	float of[4];
} sinew_player_row;
#define SINEW_PLAYER_EACH(DEST, VALUE)                                                                                         \
	do {                                                                                                                       \
		for (int r = 0; r < 4; r++) {                                                                                          \
			(DEST).of[r] = (VALUE);                                                                                            \
		}                                                                                                                      \
	} while (0)
#define SINEW_PLAYER_AT(ROW) ((ROW).of[r])
#endif

/* Σ w M, then applied to the point. `width` is a constant where it is called, so that compilers unroll the loops. */
static inline void sinew_player_blend_linear(const sinew_player_blended *blended, const float *palette, uint32_t width) {
	const sinew_player_blended b = *blended;
	for (size_t i = 0; i < b.count; i++) {
		const float x = b.rests[3 * i], y = b.rests[3 * i + 1], z = b.rests[3 * i + 2];
		sinew_player_row m[4] = {{0}, {0}, {0}, {0}}, posed;
		for (uint32_t k = 0; k < width; k++) {
			const sinew_player_row *columns = (const sinew_player_row *)(palette + 16 * (size_t)b.slots[width * i + k]);
			const float w = b.weights[width * i + k];
			for (int c = 0; c < 4; c++) {
				SINEW_PLAYER_EACH(m[c], SINEW_PLAYER_AT(m[c]) + w * SINEW_PLAYER_AT(columns[c]));
			}
		}
		SINEW_PLAYER_EACH(posed, (x * SINEW_PLAYER_AT(m[0]) + y * SINEW_PLAYER_AT(m[1])) +
									 (z * SINEW_PLAYER_AT(m[2]) + SINEW_PLAYER_AT(m[3])));
		memcpy(b.points + 3 * i, &posed, 3 * sizeof *b.points);
	}
}

static inline void sinew_player_cross_floats(const float a[3], const float b[3], float dest[3]) {
	dest[0] = a[1] * b[2] - a[2] * b[1];
	dest[1] = a[2] * b[0] - a[0] * b[2];
	dest[2] = a[0] * b[1] - a[1] * b[0];
}

/* Σ σ w q, of length 1, applied to the stretched point. σ gives each the sign that is nearest to the first one's. */
static inline void sinew_player_blend_dual_quaternions(const sinew_player_blended *b, const float *dual_quaternions,
													   const float *stretches, uint32_t width) {
	for (size_t i = 0; i < b->count; i++) {
		const uint32_t *slots = b->slots + width * i;
		const float *weights = b->weights + width * i, *first = dual_quaternions + 8 * (size_t)slots[0];
		float q[8] = {0}, s[9] = {0}, twice[3], rotated[3], translated[3], x[3];
		memcpy(x, b->rests + 3 * i, sizeof x);
		for (uint32_t k = 0; k < width; k++) {
			const float *from = dual_quaternions + 8 * (size_t)slots[k];
			const float near = from[0] * first[0] + from[1] * first[1] + from[2] * first[2] + from[3] * first[3];
			const float w = near < 0 ? -weights[k] : weights[k];
			for (int c = 0; c < 8; c++) {
				q[c] += w * from[c];
			}
		}
		for (uint32_t k = 0; k < width && stretches; k++) {
			for (int e = 0; e < 9; e++) {
				s[e] += weights[k] * stretches[9 * (size_t)slots[k] + (size_t)e];
			}
		}
		for (int r = 0; r < 3 && stretches; r++) {
			const float *rest = b->rests + 3 * i;
			x[r] += s[3 * r] * rest[0] + s[3 * r + 1] * rest[1] + s[3 * r + 2] * rest[2];
		}
		const float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], scale = square > 0 ? 1 / sqrtf(square) : 0;
		for (int c = 0; c < 8; c++) {
			q[c] *= scale;
		}
		sinew_player_cross_floats(q, x, twice);
		for (int c = 0; c < 3; c++) {
			twice[c] += q[3] * x[c];
		}
		sinew_player_cross_floats(q, twice, rotated);
		sinew_player_cross_floats(q, q + 4, translated);
		for (int c = 0; c < 3; c++) {
			b->points[3 * i + (size_t)c] = x[c] + 2 * (rotated[c] + q[3] * q[4 + c] - q[7] * q[c] + translated[c]);
		}
	}
}

/* Sums of the normals of faces, by area. */
static void sinew_player_normals(const sinew_player *p, uint32_t mesh, const float *points, float *normals) {
	const size_t count = p->mesh_points[mesh + 1] - p->mesh_points[mesh];
	memset(normals, 0, 3 * count * sizeof *normals);
	for (size_t t = p->mesh_triangles[mesh]; t < p->mesh_triangles[mesh + 1]; t++) {
		const uint32_t *corners = p->triangles + 3 * t;
		const float *a = points + 3 * (size_t)corners[0], *b = points + 3 * (size_t)corners[1],
					*c = points + 3 * (size_t)corners[2];
		const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
		const float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		for (int i = 0; i < 9; i++) {
			normals[3 * (size_t)corners[i / 3] + (size_t)(i % 3)] += n[i % 3];
		}
	}
	for (float *n = normals; n < normals + 3 * count; n += 3) {
		const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		for (int c = 0; c < 3; c++) {
			n[c] = length > 0 ? n[c] / length : 0;
		}
	}
}

void sinew_player_points(sinew_player *player, uint32_t mesh, float *points, float *normals) {
	if (mesh >= player->mesh_count) {
		return;
	}
	const size_t first = player->mesh_points[mesh], at = player->width * first;
	const sinew_player_blended b = {player->mesh_points[mesh + 1] - first, sinew_player_shape(player, mesh), player->slots + at,
									player->weights + at, points};
	const float *stretches = player->is_stretched ? player->stretches : NULL;
	if (player->blends[mesh] == SINEW_PLAYER_BLEND_DUAL_QUATERNION && player->width == 4) {
		sinew_player_blend_dual_quaternions(&b, player->dual_quaternions, stretches, 4);
	} else if (player->blends[mesh] == SINEW_PLAYER_BLEND_DUAL_QUATERNION) {
		sinew_player_blend_dual_quaternions(&b, player->dual_quaternions, stretches, SINEW_PLAYER_WIDTH);
	} else if (player->width == 4) {
		sinew_player_blend_linear(&b, player->palette, 4);
	} else {
		sinew_player_blend_linear(&b, player->palette, SINEW_PLAYER_WIDTH);
	}
	if (normals) {
		sinew_player_normals(player, mesh, points, normals);
	}
}

/* ---- what there is ------------------------------------------------------------------------------------------------------- */

uint32_t sinew_player_joint_count(const sinew_player *player) {
	return player->joint_count;
}

const char *sinew_player_joint_name(const sinew_player *player, uint32_t joint) {
	return joint < player->joint_count ? player->names + player->joint_names[joint] : "";
}

uint32_t sinew_player_joint_parent(const sinew_player *player, uint32_t joint) {
	return joint < player->joint_count ? player->parents[joint] : SINEW_PLAYER_NONE;
}

int sinew_player_joint_is_helper(const sinew_player *player, uint32_t joint) {
	return joint < player->joint_count && player->is_helper[joint];
}

uint32_t sinew_player_find_joint(const sinew_player *player, const char *name) {
	for (uint32_t j = 0; j < player->joint_count; j++) {
		if (strcmp(sinew_player_joint_name(player, j), name) == 0) {
			return j;
		}
	}
	return SINEW_PLAYER_NONE;
}

const double *sinew_player_joint_local(const sinew_player *player, uint32_t joint) {
	return joint < player->joint_count ? player->locals + 12 * (size_t)joint : NULL;
}

const double *sinew_player_joint_global(const sinew_player *player, uint32_t joint) {
	return joint < player->joint_count ? player->globals + 12 * (size_t)joint : NULL;
}

uint32_t sinew_player_coefficient_count(const sinew_player *player) {
	return player->coefficient_count;
}

const char *sinew_player_coefficient_name(const sinew_player *player, uint32_t coefficient) {
	return coefficient < player->coefficient_count ? player->names + player->morph_names[coefficient] : "";
}

uint32_t sinew_player_coefficient_mesh(const sinew_player *player, uint32_t coefficient) {
	return coefficient < player->coefficient_count ? player->morph_meshes[coefficient] : SINEW_PLAYER_NONE;
}

double sinew_player_coefficient(const sinew_player *player, uint32_t coefficient) {
	return coefficient < player->coefficient_count ? player->coefficients[coefficient] : 0;
}

void sinew_player_set_coefficient(sinew_player *player, uint32_t coefficient, double value) {
	if (coefficient < player->coefficient_count && sinew_player_finite(&value, 1)) {
		player->coefficients[coefficient] = value;
	}
}

uint32_t sinew_player_mesh_count(const sinew_player *player) {
	return player->mesh_count;
}

const char *sinew_player_mesh_name(const sinew_player *player, uint32_t mesh) {
	return mesh < player->mesh_count ? player->names + player->mesh_names[mesh] : "";
}

uint32_t sinew_player_point_count(const sinew_player *player, uint32_t mesh) {
	return mesh < player->mesh_count ? player->mesh_points[mesh + 1] - player->mesh_points[mesh] : 0;
}

const uint32_t *sinew_player_triangles(const sinew_player *player, uint32_t mesh, uint32_t *triangle_count) {
	*triangle_count = mesh < player->mesh_count ? player->mesh_triangles[mesh + 1] - player->mesh_triangles[mesh] : 0;
	return mesh < player->mesh_count ? player->triangles + 3 * (size_t)player->mesh_triangles[mesh] : NULL;
}

#endif
