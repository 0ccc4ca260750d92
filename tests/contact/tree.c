/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees at random poses: no point leaves the box of a node, no pair is missed against a sweep of all triangles, and what is
 * posed on demand has the same bits as what is posed whole.
 */
#include "benchmark/benchmark.h"
#include "contact/contact.h"
#include "contact/contact_internal.h"
#include "fit/fit.h"
#include "random_pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

static snw_error fault;

static uint32_t pose_count(uint32_t otherwise) {
	return getenv("CONTACT_POSES") ? (uint32_t)atoi(getenv("CONTACT_POSES")) : otherwise;
}

/* ---- bounds -------------------------------------------------------------------------------------------------------------- */

/* Every box that the palette makes contains the places of its triangles. Returns how many such boxes there are. */
static uint32_t check_boxes(snw_contact_mesh_pose *lazy, snw_contact_mesh_pose *whole, const snw_program_input *input) {
	uint32_t boxes;
	snw_contact_pose_program(lazy, input);
	snw_contact_pose_program(whole, input);
	snw_contact_pose_all(whole);
	assert_int_equal(snw_contact_places_outside(lazy, whole, &boxes), 0);
	return boxes;
}

/* Faces of a program's points, each of three that follow each other. */
static snw_mesh mesh_of(const snw_program *program, snw_arena *arena) {
	snw_mesh mesh = {.name = "mesh",
					 .point_count = program->point_count,
					 .points_rest = program->points_rest,
					 .face_count = program->point_count - 2};
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh.face_count + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)mesh.face_count);
	for (uint32_t f = 0; f < mesh.face_count; f++) {
		offsets[f + 1] = 3 * (f + 1);
		for (uint32_t c = 0; c < 3; c++) {
			points[3 * f + c] = f + c;
		}
	}
	mesh.face_offsets = offsets;
	mesh.face_points = points;
	return mesh;
}

/* As a subdivided mesh has them: each joint moves a place that is near the point. The weights are positive. */
static void take_rows_of_near_places(uint64_t *random, const snw_program *program) {
	double *rows = (double *)(uintptr_t)program->influence_rows;
	for (uint32_t p = 0; p < program->point_count; p++) {
		double sum = 0;
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			rows[4 * (size_t)k + 3] = random_between(random, 0.01, 1);
			sum += rows[4 * (size_t)k + 3];
		}
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			rows[4 * (size_t)k + 3] /= sum;
			for (size_t c = 0; c < 3; c++) {
				rows[4 * (size_t)k + c] =
					rows[4 * (size_t)k + 3] * (program->points_rest[3 * (size_t)p + c] + random_between(random, -0.05, 0.05));
			}
		}
	}
}

static void boxes_of_random_programs_contain_their_points(void **state) {
	(void)state;
	uint64_t random = random_seed();
	uint32_t unbounded = 0, by_slots = 0;
	for (uint32_t round = 0; round < 32; round++) {
		const bool is_near = round % 8 == 2, has_displacements = round % 3 && !is_near;
		fixture_options o = {.point_count = 400,
							 .slot_count = round % 3 || is_near ? 4 : 12,
							 .least_influences = 1,
							 .most_influences = 1 + round % 4,
							 .blend = (int32_t)(round % 4),
							 .largest_angle = round % 3 ? 3 : 0.5,
							 .scale = round % 4 == 3 ? 0.5 : 0,
							 .loose_weights = round % 7 == 0,
							 .distance = round % 5 == 4 ? 5 : 0,
							 .dual_quaternion_palette = round % 8 == 3,
							 .sign_rule = round % 16 == 3 ? SNW_SIGN_AS_GIVEN : SNW_SIGN_SHORTEST,
							 .rest_displacements = has_displacements ? 4 : 0,
							 .posed_displacements = has_displacements ? 3 : 0};
		fixture f = fixture_make(random_next(&random), &o);
		if (is_near) {
			take_rows_of_near_places(&random, &f.program);
		}
		const snw_mesh mesh = mesh_of(&f.program, f.arena);
		const snw_contact_tree *tree = snw_contact_tree_make(&mesh, &f.program, f.arena);
		snw_contact_mesh_pose *lazy = snw_contact_mesh_pose_make(tree, f.arena),
							  *whole = snw_contact_mesh_pose_make(tree, f.arena);
		by_slots += is_near && tree->slots;
		assert_true(check_boxes(lazy, whole, &f.input) >= 4);
		unbounded += lazy->cost.unbounded;
		const double *truth = fixture_truth(&f);
		for (uint32_t p = 0; p < tree->place_count; p++) {
			for (int c = 0; c < 3; c++) {
				check_near((double)whole->places[p][c], truth[3 * (size_t)tree->points[p] + (size_t)c],
						   1e-5 * (1 + o.distance));
			}
		}
		fixture_destroy(&f);
	}
	print_message("%u nodes had no bounds\n", unbounded);
	assert_true(by_slots > 0);
}

/* ---- characters ---------------------------------------------------------------------------------------------------------- */

typedef struct character {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_arena *arena;
} character;

/* Every so manieth face of a mesh with faces of four corners. */
static snw_mesh thinned(const snw_mesh *mesh, uint32_t step, snw_arena *arena) {
	snw_mesh thin = *mesh;
	thin.face_count = mesh->face_count / step;
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)thin.face_count);
	for (uint32_t f = 0; f < thin.face_count; f++) {
		assert_int_equal(mesh->face_offsets[f * step + 1] - mesh->face_offsets[f * step], 4);
		memcpy(points + 4 * (size_t)f, mesh->face_points + mesh->face_offsets[f * step], 4 * sizeof *points);
	}
	thin.face_points = points; /* the offsets are those of the first faces */
	return thin;
}

static character character_open(const char *sample, const char *method) {
	character c = {.registry = snw_registry_open(), .arena = snw_arena_create()};
	const snw_stack_options options = {.method = method};
	check_ok(snw_sample_make(sample, &c.scene, &fault), fault);
	check_ok(snw_stack_build(c.scene, c.registry, &options, NULL, &c.stack, &fault), fault);
	return c;
}

static void character_close(character *c) {
	snw_stack_destroy(c->stack);
	snw_registry_close(c->registry);
	snw_scene_destroy(c->scene);
	snw_arena_destroy(c->arena);
}

/* With every `step`th face. */
static void check_pairs(const char *method, uint32_t step, uint32_t poses) {
	character c = character_open("small-arm", method);
	const snw_mesh mesh = step > 1 ? thinned(&c.scene->meshes[0], step, c.arena) : c.scene->meshes[0];
	snw_scene scene = *c.scene;
	scene.meshes = &mesh;
	snw_bench_contact_sweep sweep;
	check_ok(snw_bench_contact_sweep_run(&scene, c.stack, 0, random_seed(), poses, NULL, &sweep, &fault), fault);
	print_message("%s: %u pairs of poses, %llu pairs, %llu with itself\n", method, poses, (unsigned long long)sweep.pairs,
				  (unsigned long long)sweep.self_pairs);
	assert_int_equal(sweep.missed + sweep.extra + sweep.outside, 0);
	assert_int_equal(sweep.stretched, (poses + 3) / 4);
	assert_true(sweep.pairs > 0 && (sweep.self_pairs > 0 || poses < 8));
	character_close(&c);
}

static void no_pair_is_missed_against_a_sweep(void **state) {
	(void)state;
	check_pairs("linear-blend", 1, pose_count(6));
	check_pairs("dual-quaternion", 1, pose_count(2));
	const uint32_t many = getenv("CONTACT_POSES") ? 10000 : 100;
	check_pairs("linear-blend", 13, many);
	check_pairs("dual-quaternion", 13, many);
}

/* ---- drags --------------------------------------------------------------------------------------------------------------- */

/* The points of all meshes at a pose, and its view. */
static const snw_pose_view *pose_all(character *c, snw_pose *pose, snw_arena *arena, const float **points) {
	const snw_pose_view *view = snw_pose_view_make(c->scene, pose, arena);
	snw_evaluation *evaluation = snw_evaluation_create(c->stack);
	check_ok(snw_stack_drive(c->stack, view, evaluation, &fault), fault);
	for (uint32_t m = 0; m < c->scene->mesh_count; m++) {
		float *posed = SNW_NEW_ARRAY(arena, float, 3 * (size_t)c->scene->meshes[m].point_count);
		check_ok(snw_stack_run(c->stack, evaluation, m, posed, &fault), fault);
		points[m] = posed;
	}
	snw_evaluation_destroy(evaluation);
	return view;
}

static double **make_marks(const snw_scene *scene, snw_arena *arena) {
	double **marks = SNW_NEW_ARRAY(arena, double *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		marks[m] = SNW_NEW_ARRAY(arena, double, scene->meshes[m].point_count);
	}
	return marks;
}

enum { SHAKES = 10 };
static const double SHAKEN = 0.5e-6; /* metres: about what floats are off by */

/* What a test of everything marks, the least and the most of it while the points are shaken a little, so many times. A pair at
 * a seam, whose triangles touch by no more than rounding, is found or not as it happens. */
static void mark_shaken(const snw_scene *scene, snw_touching *whole, const float *const *points, const double *global,
						uint64_t *random, int shakes, double **const between[2]) {
	snw_arena *arena = snw_arena_create();
	double **marks = make_marks(scene, arena);
	const float **shaken = SNW_NEW_ARRAY(arena, const float *, scene->mesh_count);
	for (int i = 0; i <= shakes; i++) {
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			const size_t count = 3 * (size_t)scene->meshes[m].point_count;
			float *places = snw_arena_copy(arena, points[m], count * sizeof *places);
			for (size_t c = 0; i > 0 && c < count; c++) {
				places[c] += (float)random_between(random, -SHAKEN, SHAKEN);
			}
			shaken[m] = places;
		}
		snw_touching_test(whole, shaken, global);
		snw_touching_mark(whole, NULL, marks);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			for (uint32_t p = 0; p < scene->meshes[m].point_count; p++) {
				between[0][m][p] = i == 0 ? marks[m][p] : fmin(between[0][m][p], marks[m][p]);
				between[1][m][p] = i == 0 ? marks[m][p] : fmax(between[1][m][p], marks[m][p]);
			}
		}
	}
	snw_arena_destroy(arena);
}

typedef struct mark_count {
	uint32_t certain, uncertain; /* points that are marked however they are shaken, and those that are marked at times */
	uint32_t different;          /* neither, and the drag has not found what a test of everything finds */
} mark_count;

/* Shaken only where the drag has found something else: it takes ten times as long. */
static void mark_whole(const snw_scene *scene, snw_touching *whole, const float *const *points, const double *global,
					   uint64_t *random, double **marks, double **const between[2]) {
	bool differs = false;
	mark_shaken(scene, whole, points, global, random, 0, between);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		differs = differs || memcmp(marks[m], between[0][m], scene->meshes[m].point_count * sizeof *marks[m]) != 0;
	}
	if (differs) {
		mark_shaken(scene, whole, points, global, random, SHAKES, between);
	}
}

static void count_marks(const snw_scene *scene, double **marks, double **const between[2], mark_count *count) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t p = 0; p < scene->meshes[m].point_count; p++) {
			const double least = between[0][m][p], most = between[1][m][p];
			count->certain += least > 0;
			count->uncertain += least < most;
			count->different += marks[m][p] < least || marks[m][p] > most;
		}
	}
}

/* Joints are bent one after another, some by much, and the whole is moved: what moved together keeps its pairs. */
static void drag_finds_what_a_test_of_everything_finds(void **state) {
	(void)state;
	character c = character_open("dressed", "linear-blend");
	uint64_t random = random_seed();
	snw_touching *dragged = snw_touching_create(c.scene, 0.02, 0.06), *whole = snw_touching_create(c.scene, 0.02, 0.06);
	snw_pose *pose = random_pose(&random, c.scene, 0.5, c.arena);
	double **marks = make_marks(c.scene, c.arena), **between[2] = {make_marks(c.scene, c.arena), make_marks(c.scene, c.arena)};
	const uint32_t joint_count = c.scene->skeleton.joint_count;
	uint32_t most = 0;
	mark_count count = {0};
	const uint32_t checked = getenv("CONTACT_POSES") ? 1 : 8; /* one drag of so many */
	for (uint32_t i = 0; i < joint_count + 2; i++) {
		const uint32_t joint = i % joint_count;
		snw_arena *arena = snw_arena_create();
		const float **points = SNW_NEW_ARRAY(arena, const float *, c.scene->mesh_count);
		double bend[4], bent[4];
		snw_quat_from_rotation_vector((const double[3]){0.2, 0.6, i % 3 ? 0.1 : 1.5}, bend);
		snw_quat_multiply(pose->local[joint].rotation, bend, bent);
		memcpy(pose->local[joint].rotation, bent, sizeof bent);
		const snw_pose_view *view = pose_all(&c, pose, arena, points);
		(i == 0 ? snw_touching_test : snw_touching_move)(dragged, points, view->global);
		const uint32_t pairs = snw_touching_pairs(dragged);
		most = pairs > most ? pairs : most;
		if (i % checked == checked - 1) {
			snw_touching_mark(dragged, NULL, marks);
			mark_whole(c.scene, whole, points, view->global, &random, marks, between);
			count_marks(c.scene, marks, between, &count);
		}
		snw_arena_destroy(arena);
	}
	print_message("%u points are marked, %u at seams; %u others differ\n", count.certain, count.uncertain, count.different);
	assert_true(most > 100 && count.certain > 1000 && count.uncertain < count.certain / 2);
	assert_true(count.different <= count.certain / 500); /* ten shakes may miss that a pair is at a seam */
	bool *hidden = SNW_NEW_ARRAY(c.arena, bool, c.scene->mesh_count);
	memset(hidden, true, c.scene->mesh_count);
	snw_touching_mark(whole, hidden, marks);
	assert_true(marks[0][0] == 0);
	snw_touching_destroy(dragged);
	snw_touching_destroy(whole);
	character_close(&c);
}

/* The half turn between two joints has no blend of dual quaternions; the palette has a pose all the same. */
static void parts_are_asked_where_the_palette_has_no_bounds(void **state) {
	(void)state;
	static const double palette[16] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, -1};
	enum { POINTS = 300 };
	double rest[3 * POINTS], weights[2 * POINTS];
	uint32_t offsets[POINTS + 1] = {0}, slots[2 * POINTS];
	for (uint32_t p = 0; p < POINTS; p++) {
		rest[3 * p] = 0.01 * p;
		rest[3 * p + 1] = 0.01 * (p % 7);
		rest[3 * p + 2] = 0.01 * (p % 3);
		offsets[p + 1] = 2 * (p + 1);
		slots[2 * p] = 0;
		slots[2 * p + 1] = 1;
		weights[2 * p] = 0.1 + 0.2 * (p % 2);
		weights[2 * p + 1] = 1 - weights[2 * p];
	}
	snw_arena *arena = snw_arena_create();
	const snw_program program = {.point_count = POINTS,
								 .blend = SNW_BLEND_DUAL_QUATERNION,
								 .sign_rule = SNW_SIGN_AS_GIVEN,
								 .dual_quaternion_palette = true,
								 .slot_count = 2,
								 .points_rest = rest,
								 .influence_offsets = offsets,
								 .influence_slots = slots,
								 .influence_weights = weights};
	const double given[16] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, -0.4286};
	const snw_program_input inputs[2] = {{.dual_quaternions = palette}, {.dual_quaternions = given}};
	const snw_mesh mesh = mesh_of(&program, arena);
	const snw_contact_tree *tree = snw_contact_tree_make(&mesh, &program, arena);
	snw_contact_mesh_pose *lazy = snw_contact_mesh_pose_make(tree, arena), *whole = snw_contact_mesh_pose_make(tree, arena);
	check_boxes(lazy, whole, &inputs[1]);
	assert_true(lazy->cost.unbounded > 0);
	snw_arena_destroy(arena);
}

static void a_far_mesh_costs_no_point(void **state) {
	(void)state;
	character c = character_open("arm", "linear-blend");
	uint64_t random = random_seed();
	snw_evaluation *evaluation = snw_evaluation_create_reference(c.stack);
	const snw_program *program = snw_stack_segment(c.stack, 0, 0).program;
	const snw_contact_tree *tree = snw_contact_tree_make(&c.scene->meshes[0], program, c.arena);
	const snw_pose *pose = random_pose(&random, c.scene, 3, c.arena);
	check_ok(snw_stack_drive(c.stack, snw_pose_view_make(c.scene, pose, c.arena), evaluation, &fault), fault);
	const snw_program_input *input = snw_stack_program_input(evaluation, 0, 0);
	snw_program_input apart = *input;
	double *matrices = snw_arena_copy(c.arena, input->matrices, 12 * (size_t)program->slot_count * sizeof *matrices);
	for (size_t s = 0; s < program->slot_count; s++) {
		matrices[12 * s + 3] += 10;
	}
	apart.matrices = matrices;
	snw_contact_mesh_pose *poses[2] = {snw_contact_mesh_pose_make(tree, c.arena), snw_contact_mesh_pose_make(tree, c.arena)};
	snw_contact_list found = {.count = 0};
	snw_contact_pose_program(poses[0], input);
	snw_contact_pose_program(poses[1], &apart);
	snw_contact_pairs(poses[0], poses[1], 0, snw_contact_list_take, &found);
	assert_int_equal(found.count, 0);
	assert_int_equal(snw_contact_mesh_cost(poses[0]).skinned, 0);
	assert_int_equal(snw_contact_mesh_cost(poses[1]).skinned, 0);
	snw_evaluation_destroy(evaluation);
	character_close(&c);
}

TEST_GROUP(tree) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_of_random_programs_contain_their_points),
		cmocka_unit_test(no_pair_is_missed_against_a_sweep),
		cmocka_unit_test(drag_finds_what_a_test_of_everything_finds),
		cmocka_unit_test(parts_are_asked_where_the_palette_has_no_bounds),
		cmocka_unit_test(a_far_mesh_costs_no_point),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
