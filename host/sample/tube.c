/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A closed tube in quads.
 */
#include <assert.h>
#include <math.h>

#include "pose/clip.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

/* ---- tube ---------------------------------------------------------------------------------------------------------------- */

/* Where the texture's parts lie: the tube above, the two ends as discs below it. */
static const double tube_v = 0.2, disc_radius = 0.09, disc_u[2] = {0.1, 0.3}, disc_v = 0.1;

typedef struct builder {
	const snw_tube *tube;
	uint32_t half; /* sides / 4: quads along an edge of an end patch */
	double *points;
	uint32_t *face_points;
	float *uvs;
	uint32_t corner;
} builder;

static uint32_t cap_first(const builder *b, int end) {
	const uint32_t inner = (b->half - 1) * (b->half - 1);
	return b->tube->rings * b->tube->sides + (end ? inner : 0);
}

/* The square [-1, 1]² onto the unit disc, each concentric square onto a circle (Shirley and Chiu 1997). */
static void disc_from_square(double u, double v, double *radius, double *angle) {
	if (fabs(u) >= fabs(v)) {
		*radius = fabs(u);
		*angle = u == 0 ? 0 : M_PI / 4 * (v / u) + (u < 0 ? M_PI : 0);
	} else {
		*radius = fabs(v);
		*angle = M_PI / 2 - M_PI / 4 * (u / v) + (v < 0 ? M_PI : 0);
	}
}

static void place_rings(builder *b) {
	const snw_tube *tube = b->tube;
	for (uint32_t r = 0; r < tube->rings; r++) {
		const double x = tube->begin + (tube->end - tube->begin) * r / (tube->rings - 1), radius = tube->radius(x);
		for (uint32_t s = 0; s < tube->sides; s++) {
			/* Half an edge of the patch off, so that the patch's corners lie on ring points. */
			const double angle = 2 * M_PI * s / tube->sides - M_PI / 4;
			double *point = b->points + 3 * ((size_t)r * tube->sides + s);
			point[0] = x;
			point[1] = radius * cos(angle);
			point[2] = radius * sin(angle);
		}
	}
}

static void place_cap(builder *b, int end) {
	const snw_tube *tube = b->tube;
	const double x = end ? tube->end : tube->begin, radius = tube->radius(x), out = end ? 1 : -1;
	double *point = b->points + 3 * (size_t)cap_first(b, end);
	for (uint32_t j = 1; j < b->half; j++) {
		for (uint32_t i = 1; i < b->half; i++, point += 3) {
			double from_axis, angle;
			disc_from_square(2.0 * i / b->half - 1, 2.0 * j / b->half - 1, &from_axis, &angle);
			point[0] = x + out * tube->dome * radius * cos(from_axis * M_PI / 2);
			point[1] = radius * sin(from_axis * M_PI / 2) * cos(angle);
			point[2] = radius * sin(from_axis * M_PI / 2) * sin(angle);
		}
	}
}

/* The point at (i, j) of an end patch: on its border, a ring point. Side 0 of a ring is the corner (1, -1), from where sides
 * go up the edge u = 1 first. */
static uint32_t cap_point(const builder *b, int end, uint32_t i, uint32_t j) {
	const uint32_t n = b->half, ring = end ? (b->tube->rings - 1) * b->tube->sides : 0;
	if (i == n) {
		return ring + j;
	}
	if (j == n) {
		return ring + n + (n - i);
	}
	if (i == 0) {
		return ring + 2 * n + (n - j);
	}
	if (j == 0) {
		return ring + 3 * n + i;
	}
	return cap_first(b, end) + (j - 1) * (n - 1) + (i - 1);
}

static void add_corner(builder *b, uint32_t point, double u, double v) {
	b->face_points[b->corner] = point;
	b->uvs[2 * b->corner] = (float)u;
	b->uvs[2 * b->corner + 1] = (float)v;
	b->corner++;
}

static void join_rings(builder *b) {
	const uint32_t sides = b->tube->sides, rings = b->tube->rings;
	for (uint32_t r = 0; r + 1 < rings; r++) {
		for (uint32_t s = 0; s < sides; s++) {
			static const uint32_t order[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
			for (int c = 0; c < 4; c++) {
				const uint32_t ring = r + order[c][0], side = s + order[c][1];
				add_corner(b, ring * sides + side % sides, (double)side / sides, tube_v + (1 - tube_v) * ring / (rings - 1));
			}
		}
	}
}

static void join_cap(builder *b, int end) {
	const uint32_t n = b->half;
	for (uint32_t j = 0; j < n; j++) {
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t square[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
			for (int c = 0; c < 4; c++) {
				const uint32_t *at = square[end ? c : 3 - c];
				double radius, angle;
				disc_from_square(2.0 * at[0] / n - 1, 2.0 * at[1] / n - 1, &radius, &angle);
				add_corner(b, cap_point(b, end, at[0], at[1]), disc_u[end] + disc_radius * radius * cos(angle),
						   disc_v + disc_radius * radius * sin(angle));
			}
		}
	}
}

void snw_tube_build(const snw_tube *tube, snw_arena *arena, snw_mesh *mesh) {
	assert(tube->rings >= 2 && tube->sides >= 8 && tube->sides % 4 == 0);
	builder b = {.tube = tube, .half = tube->sides / 4};
	const uint32_t points = tube->rings * tube->sides + 2 * (b.half - 1) * (b.half - 1);
	const uint32_t faces = (tube->rings - 1) * tube->sides + 2 * b.half * b.half;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)faces + 1);
	for (uint32_t f = 0; f <= faces; f++) {
		offsets[f] = 4 * f;
	}
	b.points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)points);
	b.face_points = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)faces);
	b.uvs = SNW_NEW_ARRAY(arena, float, 8 * (size_t)faces);
	place_rings(&b);
	join_rings(&b);
	for (int end = 0; end < 2; end++) {
		place_cap(&b, end);
		join_cap(&b, end);
	}
	mesh->point_count = points;
	mesh->points_rest = b.points;
	mesh->face_count = faces;
	mesh->face_offsets = offsets;
	mesh->face_points = b.face_points;
	mesh->corner_uvs = b.uvs;
}

/* ---- bar ----------------------------------------------------------------------------------------------------------------- */

/* The sample bar: a mesh that bends and twists, as a sequence without a skeleton. */

enum { BAR_FRAMES = 48 };
static const double length = 1.2;

static double bar_radius_at(double x) {
	(void)x;
	return 0.08;
}

/* The bar's axis becomes a circular arc of angle `bend` around its middle; its cross-sections rotate by `twist` in total. */
static void bend_and_twist(double bend, double twist, const double rest[3], float posed[3]) {
	const double share = rest[0] / length;
	const double twist_angle = twist * share, angle = bend * share;
	const double y = rest[1] * cos(twist_angle) - rest[2] * sin(twist_angle),
				 z = rest[1] * sin(twist_angle) + rest[2] * cos(twist_angle);
	const double curve = fabs(bend) < 1e-9 ? 0 : length / bend;
	const double axis_x = curve == 0 ? rest[0] : curve * sin(angle), axis_y = curve == 0 ? 0 : curve * (1 - cos(angle));
	posed[0] = (float)(axis_x - y * sin(angle));
	posed[1] = (float)(axis_y + y * cos(angle));
	posed[2] = (float)z;
}

snw_status snw_sample_make_bar(snw_scene *scene, snw_error *error) {
	(void)error;
	static const snw_tube tube = {.begin = -0.6, .end = 0.6, .dome = 0.5, .rings = 61, .sides = 32, .radius = bar_radius_at};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "bar";
	snw_tube_build(&tube, scene->arena, mesh);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, BAR_FRAMES);
	float *points = SNW_NEW_ARRAY(scene->arena, float, BAR_FRAMES *numbers);
	for (uint32_t f = 0; f < BAR_FRAMES; f++) {
		const double phase = 2 * M_PI * f / BAR_FRAMES;
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		for (size_t i = 0; i < numbers; i += 3) {
			bend_and_twist(M_PI * sin(phase), M_PI / 2 * (1 - cos(phase)), mesh->points_rest + i, points + f * numbers + i);
		}
	}
	snw_target *sequence = SNW_NEW(scene->arena, snw_target);
	*sequence = (snw_target){
		.name = "bend-and-twist", .clip = SNW_NONE, .frame_count = BAR_FRAMES, .seconds = seconds, .points_posed = points};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->target_count = 1;
	scene->targets = sequence;
	snw_scene_clip_sequences(scene);
	return SNW_OK;
}

/* ---- bent tube ----------------------------------------------------------------------------------------------------------- */

/* The sample tube: two joints, a clip that bends it and one that twists it, each to 90°, and what a tube that keeps its
 * sections does in both. Its linear blend collapses at the joint, as in figure 2 of B. Merry, P. Marais, J. Gain: Animation
 * space, 2006. */

enum { TUBE_LOWER, TUBE_UPPER, TUBE_JOINTS };
enum { BEND, TWIST, CLIP_COUNT };
enum { TUBE_FRAMES = 40 };
static const char *const clip_names[CLIP_COUNT] = {"bend", "twist"};
static const double half_length = 0.6, reach = 0.2; /* the joint's, on either side, metres */

static double tube_radius_at(double x) {
	(void)x;
	return 0.1;
}

static void find_bent_weights(const double rest[3], double *weights) {
	const double t = fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1);
	weights[TUBE_UPPER] = t * t * (3 - 2 * t);
	weights[TUBE_LOWER] = 1 - weights[TUBE_UPPER];
}

static double tube_angle(uint32_t frame) {
	return M_PI / 2 * frame / (TUBE_FRAMES - 1);
}

/* Within reach the axis is the arc that is tangent to both bones at its ends; sections keep their shape. */
static void bend(double angle, const double rest[3], double posed[3]) {
	const double share = fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1), local_angle = share * angle;
	const double beyond = rest[0] - fmin(fmax(rest[0], -reach), reach);
	double axis[2] = {2 * reach * share - reach, 0};
	if (angle > 1e-9) {
		const double curve = reach / tan(angle / 2);
		axis[0] = curve * sin(local_angle) - reach;
		axis[1] = curve * (1 - cos(local_angle));
	}
	posed[0] = axis[0] + beyond * cos(local_angle) - rest[1] * sin(local_angle);
	posed[1] = axis[1] + beyond * sin(local_angle) + rest[1] * cos(local_angle);
	posed[2] = rest[2];
}

static void twist(double angle, const double rest[3], double posed[3]) {
	const double local_angle = angle * fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1);
	posed[0] = rest[0];
	posed[1] = rest[1] * cos(local_angle) - rest[2] * sin(local_angle);
	posed[2] = rest[1] * sin(local_angle) + rest[2] * cos(local_angle);
}

static void make_tube_mesh(snw_scene *scene) {
	const snw_tube tube = {
		.begin = -half_length, .end = half_length, .dome = 0.5, .rings = 61, .sides = 32, .radius = tube_radius_at};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "tube";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, TUBE_JOINTS, find_bent_weights, scene->arena);
	scene->mesh_count = 1;
	scene->meshes = mesh;
}

static void make_tube_clip(snw_arena *arena, uint32_t clip, double *seconds, snw_clip *dest) {
	double *rotations = SNW_NEW_ARRAY(arena, double, 4 * TUBE_FRAMES);
	for (uint32_t f = 0; f < TUBE_FRAMES; f++) {
		const double angle = tube_angle(f), vector[3] = {clip == TWIST ? angle : 0, 0, clip == BEND ? angle : 0};
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		snw_quat_from_rotation_vector(vector, rotations + 4 * f);
	}
	snw_track *track = SNW_NEW(arena, snw_track);
	*track = (snw_track){.target = TUBE_UPPER,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = TUBE_FRAMES,
						 .seconds = seconds,
						 .values = rotations};
	*dest =
		(snw_clip){.name = clip_names[clip], .duration_seconds = seconds[TUBE_FRAMES - 1], .track_count = 1, .tracks = track};
}

static void make_tube_target(const snw_scene *scene, uint32_t clip, const double *seconds, snw_target *target) {
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	float *points = SNW_NEW_ARRAY(scene->arena, float, TUBE_FRAMES *numbers);
	for (uint32_t f = 0; f < TUBE_FRAMES; f++) {
		for (size_t i = 0; i < numbers; i += 3) {
			double posed[3];
			(clip == BEND ? bend : twist)(tube_angle(f), mesh->points_rest + i, posed);
			for (size_t c = 0; c < 3; c++) {
				points[f * numbers + i + c] = (float)posed[c];
			}
		}
	}
	*target = (snw_target){.name = clip_names[clip],
						   .mesh = 0,
						   .clip = clip,
						   .frame_count = TUBE_FRAMES,
						   .seconds = seconds,
						   .points_posed = points};
}

snw_status snw_sample_make_tube(snw_scene *scene, snw_error *error) {
	const snw_rig_joint joints[TUBE_JOINTS] = {{"lower", SNW_NONE, {-half_length, 0, 0}},
											   {"upper", TUBE_LOWER, {half_length, 0, 0}}};
	const snw_status status = snw_rig_make(scene, joints, TUBE_JOINTS, error);
	if (snw_failed(status)) {
		return status;
	}
	make_tube_mesh(scene);
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, CLIP_COUNT);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, CLIP_COUNT);
	for (uint32_t c = 0; c < CLIP_COUNT; c++) {
		double *seconds = SNW_NEW_ARRAY(scene->arena, double, TUBE_FRAMES);
		make_tube_clip(scene->arena, c, seconds, &clips[c]);
		make_tube_target(scene, c, seconds, &targets[c]);
	}
	scene->clip_count = scene->target_count = CLIP_COUNT;
	scene->clips = clips;
	scene->targets = targets;
	scene->poses = snw_pose_rest(scene, scene->arena);
	scene->pose_count = 1;
	snw_scene_add_baseline(scene);
	return SNW_OK;
}

/* ---- a program of a tube ------------------------------------------------------------------------------------------------- */

/* A tube along x, a metre for each slot; the same numbers in every run. */

/* Of 100 shapes one in ten is active; each moves one point in twenty. */
enum { SETS_OF_REGION = 8, ACTIVE_OF_SHAPES = 10, POINTS_OF_SHAPE = 20, SHAPE_RUN = 60 };

static uint32_t draw(uint64_t *state, uint32_t count) {
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 0x2545F4914F6CDD1DULL) >> 32) % count;
}

static const double *make_rest(uint32_t point_count, uint32_t slot_count, snw_arena *arena) {
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	for (uint32_t i = 0; i < point_count; i++) {
		rest[3 * (size_t)i] = (double)slot_count * i / point_count;
		rest[3 * (size_t)i + 1] = 0.3 * cos(0.1 * i);
		rest[3 * (size_t)i + 2] = 0.3 * sin(0.1 * i);
	}
	return rest;
}

static void make_palette(snw_synthetic_program *subject, uint32_t slot_count, snw_arena *arena) {
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)slot_count);
	double *dual_quaternions = SNW_NEW_ARRAY(arena, double, 8 * (size_t)slot_count);
	subject->matrices = SNW_NEW_ARRAY(arena, float, 16 * (size_t)slot_count);
	subject->dual_quaternions = SNW_NEW_ARRAY(arena, float, 8 * (size_t)slot_count);
	for (size_t s = 0; s < slot_count; s++) {
		const double vector[3] = {0.5 * sin(0.1 * (double)s), 0.3 * sin((double)s), 0.2};
		double q[4], stretch[9], *m = matrices + 12 * s;
		snw_quat_from_rotation_vector(vector, q);
		snw_quat_to_mat34(q, m);
		snw_dual_quaternion_from_mat34(m, dual_quaternions + 8 * s, stretch);
		for (size_t c = 0; c < 12; c++) {
			subject->matrices[16 * s + 4 * (c % 4) + c / 4] = (float)m[c];
		}
		for (size_t c = 0; c < 8; c++) {
			subject->dual_quaternions[8 * s + c] = (float)dual_quaternions[8 * s + c];
		}
	}
	subject->input.matrices = matrices;
	subject->input.dual_quaternions = dual_quaternions;
}

/* The first slot of each point, and the step between its slots. */
static void make_sets(snw_program *program, uint32_t influence_count, snw_slot_order order, uint32_t *slots) {
	uint64_t state = 88172645463325252ULL;
	uint32_t remaining = 0, set = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t region = (uint32_t)((uint64_t)i * program->slot_count / program->point_count);
		if (remaining-- == 0) {
			remaining = 7 + draw(&state, 33);
			set = draw(&state, SETS_OF_REGION);
		}
		for (uint32_t k = 0; k < influence_count; k++) {
			const uint32_t near = region + k + (k > set % 4 ? 1 + set / 4 : 0);
			slots[(size_t)i * influence_count + k] =
				order == SNW_SLOTS_SHARED ? near % program->slot_count : draw(&state, program->slot_count);
		}
	}
}

static void make_influences(snw_program *program, uint32_t influence_count, snw_slot_order order, snw_arena *arena) {
	const size_t total = (size_t)program->point_count * influence_count;
	const bool affine = program->blend == SNW_BLEND_AFFINE;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)program->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, total);
	double *weights = SNW_NEW_ARRAY(arena, double, total), *rows = SNW_NEW_ARRAY(arena, double, affine ? 4 * total : 0);
	make_sets(program, influence_count, order, slots);
	for (uint32_t i = 0; i < program->point_count; i++) {
		offsets[i + 1] = offsets[i] + influence_count;
		for (uint32_t k = 0; k < influence_count; k++) {
			const size_t counts = (size_t)offsets[i] + k;
			weights[counts] = 2.0 * (k + 1) / (influence_count * (influence_count + 1.0));
			for (size_t c = 0; c < 4 && affine; c++) {
				rows[4 * counts + c] = weights[counts] * (c == 3 ? 1 : program->points_rest[3 * (size_t)i + c]);
			}
		}
	}
	program->influence_offsets = offsets;
	program->influence_slots = slots;
	program->influence_weights = weights;
	program->influence_rows = affine ? rows : NULL;
}

/* Shapes that each move a few runs of points, as sculpts do. */
static void make_shapes(snw_synthetic_program *subject, uint32_t shape_count, snw_arena *arena) {
	const uint32_t point_count = subject->program.point_count, displaced = point_count / POINTS_OF_SHAPE;
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, shape_count);
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)shape_count + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)shape_count * displaced);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)shape_count * displaced);
	double *d = SNW_NEW_ARRAY(arena, double, shape_count);
	for (uint32_t k = 0; k < shape_count; k++) {
		coefficients[k] = k;
		d[k] = k % ACTIVE_OF_SHAPES == 0 ? 0.5 : 0;
		offsets[k + 1] = offsets[k] + displaced;
		for (uint32_t j = 0; j < displaced; j++) {
			const size_t at = offsets[k] + j;
			points[at] = j / SHAPE_RUN * SHAPE_RUN * POINTS_OF_SHAPE + j % SHAPE_RUN + 7 * (k % 100);
			points[at] = points[at] < point_count - displaced + j ? points[at] : point_count - displaced + j;
			vectors[3 * at + k % 3] = 0.01;
		}
	}
	subject->program.rest = (snw_displacements){
		.count = shape_count, .coefficients = coefficients, .offsets = offsets, .points = points, .vectors = vectors};
	subject->program.d_count = shape_count;
	subject->input.d = d;
}

/* Quads between the rings of the tube, and normals that point away from its axis. */
static const double *make_surface(snw_synthetic_program *subject, snw_arena *arena) {
	enum { RING = 63 };
	const uint32_t point_count = subject->program.point_count, face_count = point_count > RING ? point_count - RING - 1 : 0;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)face_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)face_count);
	double *normals = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	for (uint32_t f = 0; f < face_count; f++) {
		const uint32_t quad[4] = {f, f + 1, f + RING + 1, f + RING};
		memcpy(corners + 4 * (size_t)f, quad, sizeof quad);
		offsets[f + 1] = 4 * (f + 1);
	}
	for (size_t i = 0; i < point_count; i++) {
		normals[3 * i + 1] = subject->program.points_rest[3 * i + 1];
		normals[3 * i + 2] = subject->program.points_rest[3 * i + 2];
	}
	subject->mesh = (snw_mesh){.point_count = point_count,
							   .points_rest = subject->program.points_rest,
							   .face_count = face_count,
							   .face_offsets = offsets,
							   .face_points = corners};
	return normals;
}

void snw_synthetic_program_plan_normals(snw_synthetic_program *subject) {
	subject->plan = snw_normal_plan_create(&subject->mesh);
}

void snw_synthetic_program_destroy(snw_synthetic_program *subject) {
	snw_packed_program_destroy(subject->packed);
	snw_normal_plan_destroy(subject->plan);
}

snw_synthetic_program snw_synthetic_program_make(uint32_t point_count, uint32_t slot_count, int32_t blend,
												 uint32_t influence_count, snw_slot_order order, uint32_t shape_count,
												 snw_arena *arena) {
	snw_synthetic_program subject = {.program = {
										 .point_count = point_count,
										 .blend = blend,
										 .sign_rule = SNW_SIGN_AS_GIVEN,
										 .dual_quaternion_palette = blend == SNW_BLEND_DUAL_QUATERNION,
										 .slot_count = slot_count,
										 .points_rest = make_rest(point_count, slot_count, arena),
									 }};
	make_palette(&subject, slot_count, arena);
	make_influences(&subject.program, influence_count, order, arena);
	if (shape_count > 0) {
		make_shapes(&subject, shape_count, arena);
	}
	subject.packed = snw_program_pack_with_normals(&subject.program, make_surface(&subject, arena));
	subject.normals = SNW_NEW_ARRAY(arena, float, 3 * (size_t)point_count);
	subject.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)point_count);
	return subject;
}
