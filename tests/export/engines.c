/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Engines' limits: what one does not play is refused before anything is written, and joints that move nothing give way.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "tiny_arm.h"

/* One clip is enough. */
static fixture bare_arm(void) {
	fixture f = sample_arm();
	f.scene->clip_count = 1;
	f.scene->target_count = 0;
	return f;
}

static fixture corrected_arm(void) {
	fixture f = bare_arm();
	add_layer(f.scene, "corrective", "test-corrective", NULL, 0);
	build_stack(&f);
	return f;
}

static snw_status export_for(fixture *f, const snw_engine *engine, uint32_t influences, snw_error *error) {
	f->path = check_scratch("engine.glb");
	unlink(f->path);
	const snw_export_request request = {
		.path = f->path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = influences, .engine = engine};
	return snw_export(f->scene, f->stack, &request, NULL, &f->report, error);
}

static void refused(const snw_engine *engine, uint32_t influences, snw_status expected, const char *words) {
	fixture f = corrected_arm();
	snw_error error = {0};
	snw_export_report planned = {0};
	assert_int_equal(export_for(&f, engine, influences, &error), expected);
	if (!strstr(error.text, words)) {
		fail_msg("\"%s\" does not say \"%s\"", error.text, words);
	}
	assert_int_not_equal(access(f.path, F_OK), 0);
	if (expected == SNW_ERROR_LIMIT) { /* the dialog shows the same before it writes */
		const snw_export_request request = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = influences, .engine = engine};
		assert_int_equal(snw_export_losses(f.scene, f.stack, &request, NULL, &planned, &error), expected);
	}
	end(&f);
}

static void what_an_engine_does_not_play_is_refused_with_what_to_do(void **state) {
	(void)state;
	refused(&(snw_engine){"toy", "Toy", 4, 255, 1, false, false}, 4, SNW_ERROR_LIMIT,
			"2 morph targets, and Toy plays 1; run 'sinew bake P.sinew --for toy --budget influences=4,joints=3,morphs=1'");
	refused(&(snw_engine){"toy", "Toy", 4, 1, 255, false, false}, 4, SNW_ERROR_LIMIT,
			"joints, and Toy plays 1; run 'sinew bake P.sinew --for toy --budget influences=4,joints=1,morphs=2'");
	refused(&(snw_engine){"toy", "Toy", 4, 255, 255, false, false}, 8, SNW_ERROR_ARGUMENT, "Toy plays 4; export 4");
}

static uint32_t joints_of_skin(const fixture *f) {
	player *p = player_open(f->path);
	assert_non_null(p);
	const int count = cJSON_GetArraySize(cJSON_GetObjectItem(player_list(p, "skins", 0), "joints"));
	player_close(p);
	return (uint32_t)count;
}

/* The last joint gives its weights to the one before. */
static void idle_last_slot(snw_scene *scene) {
	snw_mesh *mesh = snw_arena_copy(scene->arena, scene->meshes, sizeof *mesh);
	const uint32_t count = mesh->influence_offsets[mesh->point_count], last = scene->slot_count - 1;
	uint32_t *slots = snw_arena_copy(scene->arena, mesh->influence_slots, count * sizeof *slots);
	for (uint32_t i = 0; i < count; i++) {
		slots[i] -= slots[i] == last;
	}
	mesh->influence_slots = slots;
	scene->meshes = mesh;
}

/* The slots of the arm that move points. */
static uint32_t moving_slots(const snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	uint32_t count = 0;
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		bool moves = false;
		for (uint32_t i = 0; i < mesh->influence_offsets[mesh->point_count]; i++) {
			moves = moves || (mesh->influence_slots[i] == s && mesh->influence_weights[i] > 0);
		}
		count += moves;
	}
	return count;
}

static void joints_that_move_nothing_give_way_to_the_limit(void **state) {
	(void)state;
	fixture f = bare_arm();
	snw_error error = {0};
	idle_last_slot(f.scene);
	build_stack(&f);
	const uint32_t moving = moving_slots(f.scene);
	assert_true(moving < f.scene->slot_count);
	check_ok(export_for(&f, NULL, 4, &error), error);
	assert_int_equal(joints_of_skin(&f), f.scene->slot_count);
	const snw_engine narrow = {"toy", "Toy", 4, moving, 255, false, false};
	check_ok(export_for(&f, &narrow, 4, &error), error);
	assert_int_equal(joints_of_skin(&f), moving);
	check_near(compare(&f, 7), 0, 1e-4);
	struct stat file;
	assert_int_equal(stat(f.path, &file), 0);
	assert_int_equal(f.report.byte_count, file.st_size);
	end(&f);
}

/* Displacements whose weights have both signs. */
static fixture regressed_arm(void) {
	fixture f = {.registry = kept_registry()};
	snw_error error = {0};
	snw_scene *fitted = NULL;
	check_ok(make_tiny_arm(&f.scene, &error), error);
	const snw_setting setting = {"displacements", SNW_VALUE(3)};
	const snw_fit_request request = {
		.method = "pose-regression", .setting_count = 1, .settings = &setting, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	assert_true(!snw_failed(snw_fit_run(f.scene, f.registry, &request, NULL, &outcome, &error)));
	check_ok(snw_fit_apply(f.scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(f.scene);
	f.scene = fitted;
	f.scene->clip_count = 1;
	f.scene->target_count = 0;
	build_stack(&f);
	return f;
}

/* The largest of the weights over all clips, or 1 more than one below 0 is below it. */
static double farthest_weight(const player *p) {
	double farthest = 0;
	for (int a = 0; a < player_count(p, "animations"); a++) {
		const cJSON *animation = player_list(p, "animations", a), *channel;
		cJSON_ArrayForEach(channel, cJSON_GetObjectItem(animation, "channels")) {
			const char *path = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(channel, "target"), "path"));
			const int sampler = cJSON_GetObjectItem(channel, "sampler")->valueint;
			const cJSON *samplers = cJSON_GetObjectItem(animation, "samplers");
			int count = 0;
			double *values =
				player_values(p, cJSON_GetObjectItem(cJSON_GetArrayItem(samplers, sampler), "output")->valueint, &count);
			for (int i = 0; i < count && strcmp(path, "weights") == 0; i++) {
				farthest = fmax(farthest, fabs(values[i] - 0.5) + 0.5);
			}
			free(values);
		}
	}
	return farthest;
}

static void weights_are_split_by_their_sides_unless_the_engine_plays_them_whole(void **state) {
	(void)state;
	fixture f = regressed_arm();
	snw_error error = {0};
	check_ok(export_for(&f, snw_engine_find("three"), 4, &error), error);
	player *p = player_open(f.path);
	const uint32_t whole = f.report.morph_count;
	assert_true(farthest_weight(p) > 1.01); /* there is something to split */
	player_close(p);
	assert_true(snw_engine_find("unity")->clamps_weights);
	check_ok(export_for(&f, NULL, 4, &error), error);
	assert_true(f.report.morph_count >= whole);
	p = player_open(f.path);
	assert_true(farthest_weight(p) <= 1 + 1e-6);
	const cJSON *extras = cJSON_GetObjectItem(player_list(p, "nodes", player_node_of_mesh(p, 0)), "extras"), *side;
	const cJSON *sides = cJSON_GetObjectItem(cJSON_GetObjectItem(extras, "sinew"), "sides");
	int count = 0;
	cJSON_ArrayForEach(side, sides) {
		assert_non_null(cJSON_GetObjectItem(side, "target"));
		assert_non_null(cJSON_GetObjectItem(side, "shape"));
		assert_true(fabs(cJSON_GetNumberValue(cJSON_GetObjectItem(side, "reach"))) > 0);
		count++;
	}
	assert_true(count > 0);
	player_close(p);
	check_near(compare(&f, 23), 0, 1e-4);
	end(&f);
}

static void engines_are_found_by_their_names_and_any_is_within_all(void **state) {
	(void)state;
	uint32_t count = 0;
	for (; snw_engines(count); count++) {
		const snw_engine *engine = snw_engines(count);
		assert_ptr_equal(snw_engine_find(engine->name), engine);
		assert_true(engine->influences == 4 || engine->influences == 8);
		assert_true(snw_engine_any()->influences <= engine->influences && snw_engine_any()->joints <= engine->joints &&
					(snw_engine_any()->morphs <= engine->morphs || engine->morphs == 0) && snw_engine_any()->clamps_weights);
	}
	assert_int_equal(count, 10);
	assert_null(snw_engine_find("none"));
}

/* Whether each target of a mesh has normals: all or none, since engines read them so. */
static void targets_of_a_mesh_all_have_normals(void **state) {
	(void)state;
	fixture f = corrected_arm();
	snw_error error = {0};
	check_ok(export_for(&f, snw_engine_find("filament"), 4, &error), error);
	player *p = player_open(f.path);
	const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(player_list(p, "meshes", 0), "primitives"), 0), *target;
	int count = 0;
	cJSON_ArrayForEach(target, cJSON_GetObjectItem(primitive, "targets")) {
		assert_non_null(cJSON_GetObjectItem(target, "NORMAL"));
		count++;
	}
	assert_int_equal(count, 2);
	player_close(p);
	end(&f);
}

TEST_GROUP(engines) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_engine_does_not_play_is_refused_with_what_to_do),
		cmocka_unit_test(joints_that_move_nothing_give_way_to_the_limit),
		cmocka_unit_test(weights_are_split_by_their_sides_unless_the_engine_plays_them_whole),
		cmocka_unit_test(engines_are_found_by_their_names_and_any_is_within_all),
		cmocka_unit_test(targets_of_a_mesh_all_have_normals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
