/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons from motion: what was made from a skeleton gives that skeleton back.
 */
#include "known_data.h"
#include "pose/clip.h"
#include "random_skeleton.h"
#include "sad_scenes.h"

/* ---- a random skeleton --------------------------------------------------------------------------------------------------- */

static void random_skeleton_is_recovered(void **state) {
	(void)state;
	static const known_limit limits[] = {{0, 0.1, 0.05}, {0.1, 0.5, 0.2}, {1, 4, 2}};
	for (uint64_t seed = 1; seed <= 4; seed++) {
		for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
			known_skeleton known = make_random(seed, limits[i].noise);
			check_random(&known, must_fit(known.scene, "motion-skeleton", "bones=7"), seed, &limits[i]);
		}
	}
}

static void shells_of_one_body_get_one_skeleton(void **state) {
	(void)state;
	known_skeleton known = make_shells(1, 0.1, true);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	if (!(gap.degrees < 1 && gap.percent < 1) || gap.joints != BONES - 1 || gap.misplaced > 0) {
		fail_msg("%g degrees, %g %%, %u joints, %u misplaced", gap.degrees, gap.percent, gap.joints, gap.misplaced);
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* The same points and faces, the trunk in one mesh and the limbs in another, each with a sequence in one clip. */
static snw_scene *split_body(const snw_scene *whole) {
	enum { FIRST = 3 * RINGS * SEGMENTS };
	snw_scene *scene = snw_scene_copy(whole);
	snw_arena *arena = scene->arena;
	const snw_mesh *body = &whole->meshes[0];
	snw_mesh *meshes = SNW_NEW_ARRAY(arena, snw_mesh, 2);
	snw_target *targets = SNW_NEW_ARRAY(arena, snw_target, 2);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, body->face_count + 1u), face = 0;
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, body->face_offsets[body->face_count]);
	for (uint32_t m = 0; m < 2; m++) {
		const uint32_t first = m == 0 ? 0 : FIRST, count = m == 0 ? FIRST : body->point_count - FIRST, begin = face;
		while (face < body->face_count && body->face_points[body->face_offsets[face]] < first + count) {
			face++;
		}
		uint32_t *mine = SNW_NEW_ARRAY(arena, uint32_t, face - begin + 1u);
		for (uint32_t n = 0; n < 4 * (face - begin); n++) {
			corners[4 * begin + n] = body->face_points[4 * begin + n] - first;
		}
		memcpy(mine, body->face_offsets, (face - begin + 1u) * sizeof *offsets);
		meshes[m] = (snw_mesh){.name = m == 0 ? "trunk" : "limbs",
							   .point_count = count,
							   .points_rest = body->points_rest + 3 * (size_t)first,
							   .face_count = face - begin,
							   .face_offsets = mine,
							   .face_points = corners + (size_t)4 * begin};
		float *posed = SNW_NEW_ARRAY(arena, float, (size_t)3 * count * SAMPLES);
		for (uint32_t f = 0; f < SAMPLES; f++) {
			memcpy(posed + (size_t)3 * count * f, whole->targets[0].points_posed + 3 * ((size_t)body->point_count * f + first),
				   (size_t)3 * count * sizeof *posed);
		}
		targets[m] = whole->targets[0];
		targets[m].id += m;
		targets[m].name = m == 0 ? whole->targets[0].name : snw_sequence_name(whole->targets[0].name, "limbs", arena);
		targets[m].mesh = m;
		targets[m].points_posed = posed;
	}
	scene->meshes = meshes;
	scene->mesh_count = 2;
	scene->targets = targets;
	scene->target_count = 2;
	return scene;
}

/* To the last bit: meshes are one body, point behind point. */
static void several_meshes_get_the_skeleton_of_one(void **state) {
	(void)state;
	known_skeleton known = make_shells(1, 0.1, true);
	snw_scene *split = split_body(known.scene);
	snw_scene *whole = must_fit(known.scene, "motion-skeleton", "bones=7"),
			  *parts = must_fit(split, "motion-skeleton", "bones=7");
	assert_int_equal(parts->skeleton.joint_count, whole->skeleton.joint_count);
	assert_memory_equal(parts->skeleton.rest_global, whole->skeleton.rest_global, 8 * 12 * sizeof(double));
	assert_int_equal(parts->clip_count, 1);
	assert_int_equal(parts->clips[0].track_count, whole->clips[0].track_count);
	const double *expected = whole->meshes[0].influence_weights;
	for (uint32_t m = 0; m < 2; m++) {
		const snw_mesh *mesh = &parts->meshes[m];
		assert_memory_equal(mesh->influence_weights, expected, mesh->influence_offsets[mesh->point_count] * sizeof(double));
		expected += mesh->influence_offsets[mesh->point_count];
	}
	snw_scene *learned = must_fit(parts, "linear-blend-fit", "");
	for (uint32_t t = 0; t < 2; t++) {
		assert_true(distances_to(&learned->targets[t], learned, NULL).rms < distances_to(&parts->targets[t], parts, NULL).rms);
	}
	snw_scene_destroy(learned);
	snw_scene_destroy(parts);
	snw_scene_destroy(whole);
	snw_scene_destroy(split);
	known_drop(&known);
}

static void meshes_that_move_apart_are_refused(void **state) {
	(void)state;
	known_skeleton known = make_shells(1, 0, true);
	snw_scene *split = split_body(known.scene);
	((snw_target *)(uintptr_t)&split->targets[1])->frame_count--;
	snw_setting settings[8];
	snw_error error;
	const uint32_t count = settings_of("motion-skeleton", "bones=7", settings);
	assert_null(fitting_try(split, registry, "motion-skeleton", count, settings, &error));
	if (!strstr(error.text, "'trunk'") || !strstr(error.text, "'limbs'") || !strstr(error.text, "same moments")) {
		fail_msg("%s", error.text);
	}
	snw_scene_destroy(split);
	known_drop(&known);
}

/* No surface connects anything: labels stay where they are. */
static void points_without_faces_get_a_skeleton_too(void **state) {
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		known_skeleton known = make_random(seed, 0.1);
		((snw_mesh *)(uintptr_t)known.scene->meshes)->face_count = 0;
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
		const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
		print_message("seed %u: rotations within %.3g degrees, %u bones\n", (unsigned)seed, gap.degrees, gap.bones);
		assert_int_equal(gap.bones, BONES);
		assert_true(gap.degrees < 2);
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

/* Any two clusters may merge, the merged ones too: else their number halves again and again, across bones. */
static void number_of_bones_is_found_without_faces(void **state) {
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		known_skeleton known = make_random(seed, 0.1);
		((snw_mesh *)(uintptr_t)known.scene->meshes)->face_count = 0;
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
		const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
		print_message("seed %u: %u bones within %.3g degrees\n", (unsigned)seed, fitted->slot_count, gap.degrees);
		assert_in_range(fitted->slot_count, BONES, BONES + 3);
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

static void one_point_has_no_skeleton(void **state) {
	(void)state;
	const float posed[6] = {0, 0, 0, 1, 0, 0};
	snw_scene *scene = sequence_scene(1, (double[3]){0}, 0, (uint32_t[1]){0}, (uint32_t[1]){0}, 2, posed);
	snw_setting settings[8];
	snw_error error;
	const uint32_t count = settings_of("motion-skeleton", "bones=7", settings);
	assert_null(fitting_try(scene, registry, "motion-skeleton", count, settings, &error));
	assert_non_null(strstr(error.text, "'body' has too few points (1)"));
	snw_scene_destroy(scene);
}

static void number_of_bones_is_found(void **state) {
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		known_skeleton known = make_random(seed, 0.1);
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
		print_message("seed %u: %u bones\n", (unsigned)seed, fitted->slot_count);
		assert_in_range(fitted->slot_count, BONES, BONES + 3);
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

enum { ROWS = 8, SIDES = 20 };

/* A point of a skirt around the first bone: its waves go round and down. */
static void put_skirt(const known_skeleton *known, uint32_t point, uint32_t frame, double dest[3]) {
	const double *begin = known->joints[0], *end = known->joints[known->ends[0][1]];
	const uint32_t row = point / SIDES, column = point % SIDES;
	const double down = (double)row / ROWS, angle = 2 * M_PI * column / SIDES;
	const double wave = frame == 0 ? 0 : 0.12 * down * sin(3 * angle + 4 * down + 0.9 * frame);
	const double radius = 0.16 + 0.3 * down + wave;
	double place[3];
	for (int c = 0; c < 3; c++) {
		place[c] = begin[c] + 0.3 * (end[c] - begin[c]);
	}
	place[0] -= 0.8 * down;
	place[1] += radius * cos(angle);
	place[2] += radius * sin(angle);
	memcpy(dest, place, sizeof place);
	if (frame > 0) {
		snw_mat34_point(known->motions[(frame - 1) * BONES], place, dest);
	}
}

/* A grid of points beside the body in its mesh, which no bone has in truth: the whole is posed anew. */
typedef void added_point(const known_skeleton *known, uint32_t point, uint32_t frame, double dest[3]);

/* Frame 0 is the rest. Columns are joined to a ring where `is_ring`. */
static void add_grid(known_skeleton *known, uint32_t rows, uint32_t columns, bool is_ring, added_point *put) {
	snw_arena *arena = known->scene->arena;
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)known->scene->meshes;
	snw_target *target = (snw_target *)(uintptr_t)known->scene->targets;
	const uint32_t old = mesh->point_count, count = old + rows * columns, across = is_ring ? columns : columns - 1;
	const uint32_t faces = mesh->face_count, corners = mesh->face_offsets[faces], added = (rows - 1) * across;
	double *rest = SNW_NEW_ARRAY(arena, double, (size_t)3 * count);
	double *weights = calloc((size_t)BONES * count, sizeof *weights);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + added + 1u);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, corners + 4 * added);
	float *posed = SNW_NEW_ARRAY(arena, float, (size_t)3 * count * SAMPLES);
	memcpy(rest, mesh->points_rest, (size_t)3 * old * sizeof *rest);
	memcpy(offsets, mesh->face_offsets, (faces + 1u) * sizeof *offsets);
	memcpy(points, mesh->face_points, corners * sizeof *points);
	for (uint32_t n = 0; n < added; n++) {
		const uint32_t row = old + n / across * columns, i = row + n % across, next = row + (n % across + 1) % columns;
		memcpy(points + corners + (size_t)4 * n, (uint32_t[]){i, next, next + columns, i + columns}, 4 * sizeof *points);
		offsets[faces + n + 1] = corners + 4 * (n + 1);
	}
	for (uint32_t b = 0; b < BONES; b++) {
		memcpy(weights + (size_t)b * count, known->weights + (size_t)b * old, old * sizeof *weights);
	}
	for (uint32_t f = 0; f <= SAMPLES; f++) {
		float *frame = posed + (size_t)3 * count * (f > 0 ? f - 1 : 0);
		if (f > 0) {
			memcpy(frame, target->points_posed + (size_t)3 * old * (f - 1), (size_t)3 * old * sizeof *frame);
		}
		for (uint32_t k = old; k < count; k++) {
			double place[3];
			put(known, k - old, f, place);
			for (size_t c = 0; c < 3; c++) {
				rest[3 * (size_t)k + c] = f == 0 ? place[c] : rest[3 * (size_t)k + c];
				frame[3 * (size_t)k + c] = (float)place[c];
			}
		}
	}
	free(known->weights);
	known->weights = weights;
	mesh->point_count = count;
	mesh->points_rest = rest;
	mesh->face_count = faces + added;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
	target->points_posed = posed;
}

/* It hangs on the bones of the body, and their joints are found. */
static void loose_skirt_gets_no_bones(void **state) {
	(void)state;
	known_skeleton known = make_random(2, 0.1);
	add_grid(&known, ROWS, SIDES, true, put_skirt);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	const snw_mesh *mesh = fitted->meshes;
	double on_body[BONES + 3] = {0};
	print_message("%u bones, %u joints within %.3g %%\n", fitted->slot_count, gap.joints, gap.percent);
	assert_in_range(fitted->slot_count, BONES, BONES + 3);
	assert_int_equal(gap.joints, BONES - 1);
	assert_true(gap.percent < 4);
	for (uint32_t i = 0; i < BODY_POINTS; i++) {
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			on_body[mesh->influence_slots[k]] += mesh->influence_weights[k];
		}
	}
	for (uint32_t s = 0; s < fitted->slot_count; s++) {
		assert_true(on_body[s] > SEGMENTS);
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

enum { FLOOR = 9, FLOOR_POINTS = FLOOR * FLOOR };

/* A point of a floor below the first bone, three times as wide as the body, where it is at rest and in all frames. */
static void put_floor(const known_skeleton *known, uint32_t point, uint32_t frame, double dest[3]) {
	(void)frame;
	const uint32_t row = point / FLOOR, column = point % FLOOR;
	dest[0] = known->joints[0][0] + 1.5 * ((double)row - (FLOOR - 1) / 2.0);
	dest[1] = known->joints[0][1] + 1.5 * ((double)column - (FLOOR - 1) / 2.0);
	dest[2] = known->joints[0][2] - 0.4;
}

/* The whole scene in another size, place and orientation. */
static void move_scene(known_skeleton *known, const double way[12], double scale) {
	const snw_mesh *mesh = &known->scene->meshes[0];
	double *rest = (double *)(uintptr_t)mesh->points_rest, place[3];
	float *posed = (float *)(uintptr_t)known->scene->targets[0].points_posed;
	for (size_t i = 0; i < mesh->point_count; i++) {
		snw_mat34_point(way, rest + 3 * i, place);
		for (size_t c = 0; c < 3; c++) {
			rest[3 * i + c] = scale * place[c];
		}
	}
	for (size_t i = 0; i < (size_t)mesh->point_count * SAMPLES; i++) {
		const double from[3] = {posed[3 * i], posed[3 * i + 1], posed[3 * i + 2]};
		snw_mat34_point(way, from, place);
		for (size_t c = 0; c < 3; c++) {
			posed[3 * i + c] = (float)(scale * place[c]);
		}
	}
	for (uint32_t j = 0; j < 2 * MOST_KNOWN_BONES; j++) {
		snw_mat34_point(way, known->joints[j], place);
		for (int c = 0; c < 3; c++) {
			known->joints[j][c] = scale * place[c];
		}
	}
}

/* The slot that moves a point most. */
static uint32_t strongest_slot(const snw_mesh *mesh, uint32_t point) {
	uint32_t best = mesh->influence_offsets[point];
	for (uint32_t k = best; k < mesh->influence_offsets[point + 1]; k++) {
		best = mesh->influence_weights[k] > mesh->influence_weights[best] ? k : best;
	}
	return mesh->influence_slots[best];
}

/* The body gets the bones that it gets without the floor, and the floor a root of its own that never moves. */
static void floor_gets_no_bone(void **state) {
	(void)state;
	static const double scales[] = {1, 100, 0.01};
	double rotation[12], quaternion[4];
	snw_quat_from_rotation_vector((const double[]){1.1, 0.4, -0.7}, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	rotation[3] = 2;
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		known_skeleton known = make_random(2, 0.1), bare = make_random(2, 0.1);
		add_grid(&known, FLOOR, FLOOR, false, put_floor);
		if (i > 0) {
			move_scene(&known, rotation, scales[i]);
			move_scene(&bare, rotation, scales[i]);
		}
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
		assert_true(fitting_logged("81 points stand still"));
		snw_scene *alone = must_fit(bare.scene, "motion-skeleton", "bones=auto");
		const snw_mesh *mesh = fitted->meshes;
		const uint32_t still = alone->skeleton.joint_count;
		assert_int_equal(fitted->skeleton.joint_count, still + 1);
		assert_string_equal(fitted->skeleton.names[still], "still");
		assert_int_equal(fitted->skeleton.parents[still], SNW_NONE);
		assert_memory_equal(fitted->skeleton.rest_global, alone->skeleton.rest_global, 12 * still * sizeof(double));
		assert_memory_equal(mesh->influence_weights, alone->meshes->influence_weights,
							alone->meshes->influence_offsets[BODY_POINTS] * sizeof(double));
		for (uint32_t k = 0; k < mesh->point_count; k++) {
			assert_int_equal(fitted->slot_joints[strongest_slot(mesh, k)] == still, k >= BODY_POINTS);
		}
		assert_true(distances_to(&fitted->targets[0], fitted, NULL).rms <= distances_to(&alone->targets[0], alone, NULL).rms);
		snw_scene_destroy(alone);
		snw_scene_destroy(fitted);
		known_drop(&bare);
		known_drop(&known);
	}
}

/* The body as the first bone sees it, which stands still then, as a foot or the hips of a person who sits. */
static void hold_first_bone(known_skeleton *known) {
	const uint32_t points = known->scene->meshes[0].point_count;
	for (uint32_t f = 0; f < SAMPLES; f++) {
		double inverse[12] = {0}, place[3]; /* motions are rigid, so they have inverses */
		snw_mat34_invert(known->motions[f * BONES], inverse);
		for (uint32_t b = BONES; b-- > 0;) {
			snw_mat34_multiply(inverse, known->motions[f * BONES + b], known->motions[f * BONES + b]);
		}
		float *posed = (float *)(uintptr_t)known->scene->targets[0].points_posed + (size_t)3 * points * f;
		for (size_t i = 0; i < points; i++) {
			const double from[3] = {posed[3 * i], posed[3 * i + 1], posed[3 * i + 2]};
			snw_mat34_point(inverse, from, place);
			for (size_t c = 0; c < 3; c++) {
				posed[3 * i + c] = (float)place[c];
			}
		}
	}
}

/* On a floor too, and where every bone is a shell of its own, so that the foot is one that stands still. */
static void foot_that_stands_still_keeps_its_bone(void **state) {
	(void)state;
	for (int k = 0; k < 3; k++) {
		known_skeleton known = make_shells(1, 0.1, k == 2);
		hold_first_bone(&known);
		if (k == 1) {
			add_grid(&known, FLOOR, FLOOR, false, put_floor);
		}
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
		const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
		print_message("foot %d: %u slots, %u joints within %.3g %%\n", k, fitted->slot_count, gap.joints, gap.percent);
		assert_int_equal(fitting_logged("stand still"), k == 1);
		assert_in_range(fitted->slot_count, BONES + (k == 1), BONES + 3);
		assert_int_equal(gap.joints, BONES - 1);
		assert_true(gap.percent < 4);
		assert_string_not_equal(fitted->skeleton.names[fitted->slot_joints[strongest_slot(fitted->meshes, 0)]], "still");
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

/* A sheet that waves everywhere, and one that nothing bends. */
static void sheets_have_no_skeleton_to_find(void **state) {
	(void)state;
	static const char *const words[] = {"no skeleton to find", "one rigid body"};
	motion *const moves[] = {wave, tumble};
	for (int i = 0; i < 2; i++) {
		snw_setting settings[8];
		snw_error error;
		snw_scene *sheet = animate(POINTS, FRAMES, put_grid, moves[i]);
		add_faces(sheet);
		const uint32_t count = settings_of("motion-skeleton", "bones=auto", settings);
		assert_null(fitting_try(sheet, registry, "motion-skeleton", count, settings, &error));
		if (!strstr(error.text, words[i])) {
			fail_msg("%s", error.text);
		}
		snw_scene_destroy(sheet);
	}
}

/* A lid on a hinge: one half stands still, the other rotates. */
static void open_lid(uint32_t i, const double *rest, uint32_t f, double *posed) {
	memcpy(posed, rest, 3 * sizeof *posed);
	if (i % SIDE >= SIDE / 2) {
		const double from_hinge[3] = {rest[0] - 0.5, rest[1], rest[2]};
		rotate_about((const double[]){0, 1, 0}, 0.06 * f, from_hinge, posed);
		posed[0] += 0.5;
	}
}

static void two_rigid_parts_are_two_bones(void **state) {
	(void)state;
	static const char *const settings[] = {"bones=auto", "bones=2"};
	snw_scene *lid = animate(POINTS, FRAMES, put_grid, open_lid);
	add_faces(lid);
	for (int k = 0; k < 2; k++) {
		snw_scene *fitted = must_fit(lid, "motion-skeleton", settings[k]);
		assert_int_equal(fitted->slot_count, 2);
		assert_false(fitting_logged("as cloth does"));
		assert_true(distances_to(&fitted->targets[0], fitted, NULL).rms < 1e-3);
		snw_scene_destroy(fitted);
	}
	snw_scene_destroy(lid);
}

static void two_points_are_no_cloth(void **state) {
	(void)state;
	const float posed[12] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0};
	const double rest[6] = {0, 0, 0, 1, 0, 0};
	snw_scene *scene = sequence_scene(2, rest, 0, (uint32_t[1]){0}, (uint32_t[1]){0}, 2, posed);
	snw_scene_destroy(must_fit(scene, "motion-skeleton", "bones=1"));
	assert_false(fitting_logged("as cloth does"));
	snw_scene_destroy(scene);
}

/* ---- what a skeleton is -------------------------------------------------------------------------------------------------- */

static void only_rotations_and_the_root_move(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0.1);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	assert_int_equal(fitted->skeleton.joint_count, 8);
	assert_int_equal(fitted->slot_count, 7);
	assert_string_equal(fitted->skeleton.names[0], "root");
	assert_int_equal(fitted->layer_count, 1);
	assert_int_equal(fitted->model_count, 0);
	for (uint32_t t = 0; t < fitted->clips[0].track_count; t++) {
		const snw_track *track = &fitted->clips[0].tracks[t];
		assert_true(track->path == SNW_PATH_ROTATION || (track->path == SNW_PATH_TRANSLATION && track->target == 0));
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

static void any_number_of_threads_gives_the_same_skeleton(void **state) {
	(void)state;
	known_skeleton known = make_random(2, 0.1);
	snw_scene *fitted[2];
	for (int i = 0; i < 2; i++) {
		snw_parallel_threads(i == 0 ? 1 : 3);
		fitted[i] = must_fit(known.scene, "motion-skeleton", "bones=7");
	}
	snw_parallel_threads(0);
	const snw_mesh *a = fitted[0]->meshes, *b = fitted[1]->meshes;
	assert_memory_equal(fitted[0]->skeleton.rest_global, fitted[1]->skeleton.rest_global, 8 * 12 * sizeof(double));
	assert_memory_equal(a->influence_weights, b->influence_weights, a->influence_offsets[a->point_count] * sizeof(double));
	snw_scene_destroy(fitted[0]);
	snw_scene_destroy(fitted[1]);
	known_drop(&known);
}

static void skeleton_in_the_way_is_replaced_on_request_alone(void **state) {
	(void)state;
	known_skeleton known = make_random(3, 0);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7"), *again = NULL;
	snw_fit_request request = {.method = "motion-skeleton", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_fit_run(fitted, registry, &request, NULL, &outcome, &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "--replace"));
	snw_setting settings[8];
	request.setting_count = settings_of("motion-skeleton", "bones=5", settings);
	request.settings = settings;
	request.replaces_skeleton = true;
	check_ok(snw_fit_run(fitted, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(fitted, &outcome, &again, &error), error);
	assert_int_equal(again->skeleton.joint_count, 6);
	assert_int_equal(again->clip_count, 1);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(again);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

static void expect_refused(const snw_scene *scene, const char *words) {
	const snw_fit_request request = {.method = "motion-skeleton", .left_out_example = SNW_NONE, .replaces_skeleton = true};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_fit_run(scene, registry, &request, NULL, &outcome, &error), SNW_ERROR_CONFLICT);
	if (!strstr(error.text, words)) {
		fail_msg("%s", error.text);
	}
	snw_arena_destroy(outcome.arena);
}

static void skeleton_that_something_needs_is_not_replaced(void **state) {
	(void)state;
	known_skeleton known = make_random(3, 0);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	snw_target targets[2] = {fitted->targets[0], fitted->targets[0]};
	targets[1].name = "muscles";
	targets[1].clip = 0;
	snw_scene *scene = snw_scene_copy(fitted);
	scene->targets = targets;
	scene->target_count = 2;
	expect_refused(scene, "target 'muscles'");
	snw_mesh meshes[2] = {fitted->meshes[0], fitted->meshes[0]};
	meshes[1].name = "cloth";
	targets[0].mesh = 1;
	scene->target_count = 1;
	scene->meshes = meshes;
	scene->mesh_count = 2;
	expect_refused(scene, "mesh 'body'");
	snw_scene *learned = must_fit(fitted, "linear-blend-fit", "");
	expect_refused(learned, "layer 'linear-blend-fit'");
	snw_scene_destroy(learned);
	snw_scene_destroy(scene);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* ---- sides --------------------------------------------------------------------------------------------------------------- */

/* A straight trunk and two limbs like each other, at +y and −y. */
static void make_mirrored_bones(known_skeleton *known) {
	static const double joints[][3] = {{0, 0, 0},      {1, 0, 0},      {2, 0, 0},     {3, 0, 0},       {3, 0.25, 0},
									   {3.6, 1.05, 0}, {4.2, 1.85, 0}, {3, -0.25, 0}, {3.6, -1.05, 0}, {4.2, -1.85, 0}};
	static const uint32_t ends[BONES][2] = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {7, 8}, {8, 9}};
	memcpy(known->joints, joints, sizeof joints);
	memcpy(known->ends, ends, sizeof ends);
	known->bone_count = BONES;
}

static const char *name_of_bone(const known_skeleton *known, const snw_scene *fitted, uint32_t bone) {
	for (uint32_t s = 0; s < fitted->slot_count; s++) {
		if (best_match(known, fitted->meshes, s) == bone) {
			return fitted->skeleton.names[fitted->slot_joints[s]];
		}
	}
	fail_msg("no bone %u", bone);
	return NULL;
}

static void assert_mirrored(const char *left, const char *right) {
	const char *end = strstr(left, "-left"), *other = strstr(right, "-right");
	if (!end || !other || end - left != other - right || strncmp(left, right, (size_t)(end - left)) != 0) {
		fail_msg("'%s' and '%s'", left, right);
	}
}

/* The same body with one limb rotated by an angle in the plane of the body. */
static void pose_rest(const known_skeleton *known, double angle) {
	double rotation[12], quaternion[4], vector[3] = {0, 0, angle}, rotated[3];
	double *rest = (double *)(uintptr_t)known->scene->meshes[0].points_rest;
	const double *pivot = known->joints[known->ends[3][0]];
	snw_quat_from_rotation_vector(vector, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	for (size_t i = 0; i < BODY_POINTS; i++) {
		const double share = known->weights[3 * (size_t)BODY_POINTS + i] + known->weights[4 * (size_t)BODY_POINTS + i];
		const double away[3] = {rest[3 * i] - pivot[0], rest[3 * i + 1] - pivot[1], rest[3 * i + 2] - pivot[2]};
		snw_mat34_vector(rotation, away, rotated);
		for (size_t c = 0; c < 3; c++) {
			rest[3 * i + c] += share * (rotated[c] - away[c]);
		}
	}
}

/* The rest is flat, so it is its own mirror image through its plane, and one limb is bent where the other is not: sides follow
 * from how the limbs are built and where they begin. */
static void sides_are_found_in_a_posed_rest(void **state) {
	(void)state;
	static const double angles[] = {0, -0.8, 1.6, 2.4};
	for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
		known_skeleton known = {.bone_count = 0};
		uint64_t seed = 11;
		make_mirrored_bones(&known);
		make_motions(&known, &seed);
		make_body(&known, 0, 1, false);
		pose_rest(&known, angles[i]);
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
		assert_mirrored(name_of_bone(&known, fitted, 3), name_of_bone(&known, fitted, 5));
		assert_mirrored(name_of_bone(&known, fitted, 4), name_of_bone(&known, fitted, 6));
		for (uint32_t b = 0; b < 3; b++) { /* the trunk has no sides */
			assert_null(strstr(name_of_bone(&known, fitted, b), "left"));
			assert_null(strstr(name_of_bone(&known, fitted, b), "right"));
		}
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

/* The place of the base's joint follows from no motion. */
static void base_is_between_two_sides(void **state) {
	(void)state;
	known_skeleton known = {.bone_count = 0};
	uint64_t seed = 11;
	make_mirrored_bones(&known);
	make_motions(&known, &seed);
	make_body(&known, 0, 1, false);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
	const snw_skeleton *skeleton = &fitted->skeleton;
	const uint32_t base = skeleton->order[1];
	assert_int_equal(skeleton->parents[base], 0);
	double least = INFINITY;
	for (uint32_t a = 0; a < skeleton->joint_count; a++) {
		const char *end = strstr(skeleton->names[a], "-left");
		for (uint32_t b = 0; b < skeleton->joint_count && end; b++) {
			const size_t bytes = (size_t)(end - skeleton->names[a]);
			if (strncmp(skeleton->names[a], skeleton->names[b], bytes) == 0 &&
				strcmp(skeleton->names[b] + bytes, "-right") == 0) {
				double away[3];
				for (size_t c = 0; c < 3; c++) {
					const double *places = skeleton->rest_global + 4 * c + 3;
					away[c] = places[(size_t)12 * base] - (places[(size_t)12 * a] + places[(size_t)12 * b]) / 2;
				}
				least = fmin(least, snw_length3(away));
			}
		}
	}
	assert_true(least < 1e-9);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* ---- stopping ------------------------------------------------------------------------------------------------------------ */

typedef struct patience {
	uint32_t most, steps;  /* of fitting joints */
	double first, present; /* their progress */
} patience;

static bool count_steps(void *context, double fraction, const char *activity) {
	patience *p = context;
	if (strcmp(activity, "fitting joints") != 0) {
		return true;
	}
	p->first = p->steps == 0 ? fraction : p->first;
	p->present = fraction;
	return ++p->steps < p->most;
}

/* An iteration may be stopped after weights, sums, rotations, and the frames of pivots. */
static void fit_stops_within_an_iteration(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0.1);
	const snw_fit_request request = {.method = "motion-skeleton", .left_out_example = SNW_NONE};
	for (uint32_t most = 2; most <= 5; most++) {
		patience limit = {.most = most};
		const snw_task task = {.context = &limit, .progress = count_steps};
		snw_fit_outcome outcome = {.arena = snw_arena_create()};
		snw_error error = {0};
		assert_int_equal(snw_fit_run(known.scene, registry, &request, &task, &outcome, &error), SNW_CANCELLED);
		assert_int_equal(limit.steps, most);
		assert_true(limit.present == limit.first);
		assert_true(outcome.seconds == 0);
		snw_arena_destroy(outcome.arena);
	}
	known_drop(&known);
}

/* The sequence has poses now, so methods that learn from poses can read it. */
static void weights_can_be_learned_from_the_frames_afterwards(void **state) {
	(void)state;
	known_skeleton known = make_random(4, 0.1);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	snw_scene *learned = must_fit(fitted, "linear-blend-fit", "");
	const double before = distances_to(&fitted->targets[0], fitted, NULL).rms;
	assert_true(distances_to(&learned->targets[0], learned, NULL).rms <= before);
	snw_scene_destroy(learned);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* ---- real data with a known skeleton ------------------------------------------------------------------------------------- */

static skeleton_gap recover(const char *name, uint32_t frames, uint32_t bones) {
	char setting[20];
	known_skeleton known = read_known(name, frames);
	snprintf(setting, sizeof setting, "bones=%u", bones);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", setting);
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	print_message(
		"%s: rotations %.3g degrees on average, at most %.3g; %u joints %.3g %% on average, at most %.3g; %u misplaced\n", name,
		gap.mean_degrees, gap.degrees, gap.joints, gap.mean_percent, gap.percent, gap.misplaced);
	snw_scene_destroy(fitted);
	known_drop(&known);
	return gap;
}

static void wolf_gives_its_skeleton_back(void **state) {
	(void)state;
	const skeleton_gap gap = recover("wolf", 21, 21);
	assert_int_equal(gap.misplaced, 0);
	assert_in_range(gap.joints, 18, 20);
	assert_true(gap.mean_degrees < 1 && gap.degrees < 4);
	assert_true(gap.mean_percent < 2 && gap.percent < 8);
	print_message("wolf: %u bones with parts, rotations within %.3g degrees, joints between them within %.3g %%\n", gap.parts,
				  gap.part_degrees, gap.part_percent);
	assert_int_equal(gap.parts, 16);
	assert_true(gap.part_degrees < 1 && gap.part_percent < 2);
}

static void cylinder_gives_its_skeleton_back(void **state) {
	(void)state;
	const skeleton_gap gap = recover("cylinder", 4, 4);
	assert_int_equal(gap.misplaced, 0);
}

TEST_GROUP(motion_skeleton) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_skeleton_is_recovered),
		cmocka_unit_test(shells_of_one_body_get_one_skeleton),
		cmocka_unit_test(several_meshes_get_the_skeleton_of_one),
		cmocka_unit_test(meshes_that_move_apart_are_refused),
		cmocka_unit_test(points_without_faces_get_a_skeleton_too),
		cmocka_unit_test(number_of_bones_is_found_without_faces),
		cmocka_unit_test(one_point_has_no_skeleton),
		cmocka_unit_test(number_of_bones_is_found),
		cmocka_unit_test(loose_skirt_gets_no_bones),
		cmocka_unit_test(floor_gets_no_bone),
		cmocka_unit_test(foot_that_stands_still_keeps_its_bone),
		cmocka_unit_test(sheets_have_no_skeleton_to_find),
		cmocka_unit_test(two_rigid_parts_are_two_bones),
		cmocka_unit_test(two_points_are_no_cloth),
		cmocka_unit_test(only_rotations_and_the_root_move),
		cmocka_unit_test(any_number_of_threads_gives_the_same_skeleton),
		cmocka_unit_test(skeleton_in_the_way_is_replaced_on_request_alone),
		cmocka_unit_test(skeleton_that_something_needs_is_not_replaced),
		cmocka_unit_test(sides_are_found_in_a_posed_rest),
		cmocka_unit_test(base_is_between_two_sides),
		cmocka_unit_test(fit_stops_within_an_iteration),
		cmocka_unit_test(weights_can_be_learned_from_the_frames_afterwards),
		cmocka_unit_test(wolf_gives_its_skeleton_back),
		cmocka_unit_test(cylinder_gives_its_skeleton_back),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
