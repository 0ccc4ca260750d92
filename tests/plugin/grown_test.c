/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ABI's rule of growth: one method (grown.c), compiled against the plug-in headers as they are, with fewer members in their
 * structs and with more, fits and runs in this host and gives the same bits from each.
 */
#include <dlfcn.h>

#include "deformers/fitting.h"

#include "sample/sample.h"
#include "validate/validate.h"

/* Builds of grown.c, then of bare.c. */
enum { SAME, FEWER, MORE, BUILDS, BARE_SAME_BINDS = BUILDS, BARE_TABLES, BARE_SAME, BARE_CALLS, ALL_BUILDS };
static const char *const build_names[ALL_BUILDS] = {"grown-same",  "grown-fewer", "grown-more", "bare-same-binds",
													"bare-tables", "bare-same",   "bare-calls"};

static const char *plugin(int build) {
	static char paths[ALL_BUILDS][1024];
	snprintf(paths[build], sizeof paths[build], TEST_PLUGINS "/%s.so", build_names[build]);
	return paths[build];
}

/* ---- sizes --------------------------------------------------------------------------------------------------------------- */

typedef struct grown_size {
	const char *name;
	size_t bytes;
} grown_size;

static const grown_size *sizes_of(int build) {
	void *module = dlopen(plugin(build), RTLD_NOW | RTLD_LOCAL);
	if (!module) {
		fail_msg("%s", dlerror());
	}
	const grown_size *sizes = dlsym(module, "grown_sizes");
	assert_non_null(sizes);
	return sizes;
}

static void structs_differ_between_the_builds(void **state) {
	(void)state;
	const grown_size *same = sizes_of(SAME), *fewer = sizes_of(FEWER), *more = sizes_of(MORE);
	const grown_size *tables = sizes_of(BARE_TABLES), *calls = sizes_of(BARE_CALLS);
	uint32_t count = 0;
	for (; same[count].name; count++) {
		assert_string_equal(same[count].name, fewer[count].name);
		assert_string_equal(same[count].name, more[count].name);
		assert_true(fewer[count].bytes <= same[count].bytes);
		assert_true(more[count].bytes > same[count].bytes);
		const size_t bare = tables[count].bytes < calls[count].bytes ? tables[count].bytes : calls[count].bytes;
		const size_t least = fewer[count].bytes < bare ? fewer[count].bytes : bare;
		print_message("%s: %zu bytes, %zu with fewer members\n", same[count].name, same[count].bytes, least);
		assert_true(least < same[count].bytes);
	}
	assert_true(count > 30);
}

/* ---- scenes -------------------------------------------------------------------------------------------------------------- */

/* An example of the mesh at rest, lifted unevenly, for the pose of the first example; every other point is edited. */
static snw_example lift(const snw_scene *scene, uint32_t mesh) {
	const uint32_t count = scene->meshes[mesh].point_count;
	double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)count);
	uint32_t *edited = SNW_NEW_ARRAY(scene->arena, uint32_t, count);
	memcpy(points, scene->meshes[mesh].points_rest, 3 * sizeof *points * count);
	for (uint32_t i = 0; i < count; i++) {
		points[3 * (size_t)i + 1] += 0.01 * (1 + i % 7);
		edited[i / 2] = i / 2 * 2;
	}
	return (snw_example){.name = "lifted",
						 .pose = scene->examples[0].pose,
						 .mesh = mesh,
						 .points_posed = points,
						 .edited_count = (count + 1) / 2,
						 .edited = edited};
}

/* One more example, of the last mesh and edited in every other point; a field "weight"; and a group of all examples, in which
 * the field masks the first. */
static void add_group_with_a_mask(snw_scene *scene) {
	const uint32_t fields = scene->field_count, examples = scene->example_count, groups = scene->group_count;
	snw_field *new_fields = SNW_NEW_ARRAY(scene->arena, snw_field, fields + 1);
	snw_example *new_examples = SNW_NEW_ARRAY(scene->arena, snw_example, examples + 1);
	snw_group *new_groups = SNW_NEW_ARRAY(scene->arena, snw_group, groups + 1);
	snw_member *members = SNW_NEW_ARRAY(scene->arena, snw_member, examples + 1);
	const uint32_t mesh = scene->examples[0].mesh, points = scene->meshes[mesh].point_count;
	double *values = SNW_NEW_ARRAY(scene->arena, double, points);
	for (uint32_t i = 0; i < points; i++) {
		values[i] = (i % 5) / 4.0;
	}
	if (fields > 0) {
		memcpy(new_fields, scene->fields, fields * sizeof *new_fields);
	}
	new_fields[fields] = (snw_field){
		.name = "weight", .domain = SNW_DOMAIN_POINTS, .mesh = mesh, .components = 1, .count = points, .values = values};
	memcpy(new_examples, scene->examples, examples * sizeof *new_examples);
	new_examples[examples] = lift(scene, scene->mesh_count - 1);
	memcpy(new_groups, scene->groups, groups * sizeof *new_groups);
	for (uint32_t i = 0; i <= examples; i++) {
		members[i] = (snw_member){.example = i, .mask = i == 0 ? fields : SNW_NONE};
	}
	new_groups[groups] = (snw_group){.name = "together", .member_count = examples + 1, .members = members};
	scene->fields = new_fields;
	scene->examples = new_examples;
	scene->groups = new_groups;
	scene->field_count++;
	scene->example_count++;
	scene->group_count++;
}

static snw_scene *make_scene(const char *name) {
	snw_error error = {0};
	snw_scene *scene = NULL;
	if (strcmp(name, "small-arm") == 0) {
		check_ok(snw_sample_make(name, &scene, &error), error);
	} else {
		scene = snw_trial_character();
	}
	if (scene->layer_count == 0) {
		snw_scene_add_baseline(scene);
	}
	add_group_with_a_mask(scene);
	check_ok(snw_scene_check(scene, &error), error);
	return scene;
}

/* ---- fitting and running ------------------------------------------------------------------------------------------------- */

typedef struct fitted {
	snw_registry *registry;
	snw_scene *scene; /* with the layer */
} fitted;

static fitted fit_build(const snw_scene *scene, int build, uint32_t count, const snw_setting *settings) {
	snw_error error = {0};
	fitted result = {.registry = snw_registry_open()};
	check_ok(snw_registry_load(result.registry, plugin(build), &error), error);
	result.scene = fitting_try(scene, result.registry, "test-grown", count, settings, &error);
	if (!result.scene) {
		fail_msg("%s: %s", build_names[build], error.text);
	}
	return result;
}

static void drop(fitted *result) {
	snw_scene_destroy(result->scene);
	snw_registry_close(result->registry);
}

static void check_same_models(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->model_count, 1);
	assert_int_equal(b->model_count, 1);
	assert_int_equal(a->models[0].byte_count, b->models[0].byte_count);
	assert_memory_equal(a->models[0].bytes, b->models[0].bytes, a->models[0].byte_count);
}

static void check_same_proposals(const snw_scene *before, const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->field_count, before->field_count + before->mesh_count);
	assert_int_equal(b->field_count, a->field_count);
	for (uint32_t f = before->field_count; f < a->field_count; f++) {
		assert_string_equal(a->fields[f].name, b->fields[f].name);
		assert_int_equal(a->fields[f].count, b->fields[f].count);
		assert_memory_equal(a->fields[f].values, b->fields[f].values, sizeof(double) * a->fields[f].count);
	}
}

/* The greatest distance between the two over all poses and meshes; with `bits`, fails unless they are the same bits. */
static double compare_runs(const fitted *a, const fitted *b, const char *method_of_a, bool bits) {
	fitting_stack stack_a = fitting_stack_of(a->scene, a->registry, method_of_a);
	fitting_stack stack_b = fitting_stack_of(b->scene, b->registry, NULL);
	double most = 0;
	for (uint32_t p = 0; p < a->scene->pose_count; p++) {
		const snw_pose_view *pose = snw_pose_view_make(a->scene, &a->scene->poses[p], a->scene->arena);
		for (uint32_t m = 0; m < a->scene->mesh_count; m++) {
			const uint32_t count = a->scene->meshes[m].point_count;
			double *points_a = SNW_NEW_ARRAY(a->scene->arena, double, 3 * (size_t)count);
			double *points_b = SNW_NEW_ARRAY(a->scene->arena, double, 3 * (size_t)count);
			fitting_truth(&stack_a, pose, m, points_a);
			fitting_truth(&stack_b, pose, m, points_b);
			most = fmax(most, fitting_distance(count, points_a, points_b));
			if (bits) {
				assert_memory_equal(points_a, points_b, 3 * sizeof(double) * count);
			}
		}
	}
	fitting_stack_drop(&stack_a);
	fitting_stack_drop(&stack_b);
	return most;
}

/* Whether the layer runs as a program or by deform, in every mesh; and that a plug-in without `describe` describes nothing. */
static void check_stack(const fitted *result, bool is_program) {
	fitting_stack stack = fitting_stack_of(result->scene, result->registry, NULL);
	for (uint32_t m = 0; m < result->scene->mesh_count; m++) {
		const uint32_t last = snw_stack_segment_count(stack.stack, m) - 1;
		const snw_segment_info segment = snw_stack_segment(stack.stack, m, last);
		assert_non_null(strstr(segment.layers, "test-grown"));
		assert_int_equal(segment.is_program, is_program);
	}
	snw_stack_description *descriptions;
	uint32_t count = 0;
	snw_error error = {0};
	check_ok(snw_stack_describe(stack.stack, result->scene->arena, &descriptions, &count, &error), error);
	assert_int_equal(count, 0);
	fitting_stack_drop(&stack);
}

/* `runs`: 0 as a program, 1 by deform. Each profile is compared once. */
static void compare_builds(const char *scene_name, double runs) {
	snw_scene *scene = make_scene(scene_name);
	char key[100];
	snprintf(key, sizeof key, "strength@%s", scene->groups[0].name);
	const snw_setting settings[] = {{key, SNW_VALUE(0.5)},
									{"strength@together", SNW_VALUE(0.75)},
									{"falloff", SNW_VALUE(0.5)},
									{"profile", SNW_VALUE(runs)},
									{"runs", SNW_VALUE(runs)}};
	const uint32_t count = sizeof settings / sizeof *settings;
	fitted same = fit_build(scene, SAME, count, settings);
	check_stack(&same, runs == 0);
	assert_true(compare_runs(&same, &same, same.scene->layers[0].name, false) > 0.005);
	for (int build = FEWER; build <= MORE; build++) {
		fitted other = fit_build(scene, build, count, settings);
		check_stack(&other, runs == 0);
		check_same_models(same.scene, other.scene);
		check_same_proposals(scene, same.scene, other.scene);
		compare_runs(&same, &other, NULL, true);
		drop(&other);
	}
	drop(&same);
	snw_scene_destroy(scene);
}

static void programs_of_the_builds_give_the_same_bits(void **state) {
	(void)state;
	compare_builds("small-arm", 0);
	compare_builds("trial", 0);
}

static void deforms_of_the_builds_give_the_same_bits(void **state) {
	(void)state;
	compare_builds("small-arm", 1);
	compare_builds("trial", 1);
}

/* Each build runs the models that the others saved. */
static void models_pass_between_the_builds(void **state) {
	(void)state;
	snw_scene *scene = make_scene("trial");
	fitted results[BUILDS];
	for (int build = 0; build < BUILDS; build++) {
		results[build] = fit_build(scene, build, 0, NULL);
	}
	for (int from = 0; from < BUILDS; from++) {
		for (int to = 0; to < BUILDS; to++) {
			const fitted read = {results[to].registry, results[from].scene};
			compare_runs(&results[SAME], &read, NULL, true);
		}
	}
	for (int build = 0; build < BUILDS; build++) {
		drop(&results[build]);
	}
	snw_scene_destroy(scene);
}

/* So that the same bits mean that overrides, masks and edited points were read, not that all builds ignored them. */
static void model_depends_on_late_members(void **state) {
	(void)state;
	const snw_setting setting = {"strength@together", SNW_VALUE(0.5)};
	snw_scene *scene = make_scene("trial");
	fitted plain = fit_build(scene, SAME, 0, NULL), overridden = fit_build(scene, SAME, 1, &setting);
	assert_true(compare_runs(&plain, &overridden, NULL, false) > 0.001);
	((snw_member *)(uintptr_t)scene->groups[scene->group_count - 1].members)[0].mask = SNW_NONE;
	fitted unmasked = fit_build(scene, SAME, 0, NULL);
	assert_true(compare_runs(&plain, &unmasked, NULL, false) > 0.001);
	snw_example *lifted = (snw_example *)(uintptr_t)&scene->examples[scene->example_count - 1];
	lifted->edited = NULL;
	lifted->edited_count = 0;
	fitted all_edited = fit_build(scene, SAME, 0, NULL);
	assert_true(compare_runs(&unmasked, &all_edited, NULL, false) > 0.001);
	drop(&plain);
	drop(&overridden);
	drop(&unmasked);
	drop(&all_edited);
	snw_scene_destroy(scene);
}

/* ---- the structs that the method above keeps whole ----------------------------------------------------------------------- */

/* Fewer members in what a plug-in describes itself with, by a method that binds. */
static void tables_with_fewer_members_give_the_same_bits(void **state) {
	(void)state;
	snw_scene *scene = make_scene("trial");
	fitted same = {snw_registry_open(), scene}, other = {snw_registry_open(), scene};
	snw_error error = {0};
	check_ok(snw_registry_load(same.registry, plugin(BARE_SAME_BINDS), &error), error);
	check_ok(snw_registry_load(other.registry, plugin(BARE_TABLES), &error), error);
	const snw_descriptor *descriptor = snw_registry_find(other.registry, "test-bare")->descriptor;
	assert_int_equal(descriptor->parameters[0]->scopes, 0);
	assert_string_equal(descriptor->fields[0]->name, "mask");
	assert_int_equal(descriptor->fields[0]->written, 0);
	snw_layer *layers = SNW_NEW_ARRAY(scene->arena, snw_layer, scene->layer_count + 1);
	memcpy(layers, scene->layers, scene->layer_count * sizeof *layers);
	layers[scene->layer_count++] =
		(snw_layer){.name = "bare", .deformer = "org.sinew.test.bare", .deformer_version = "1.0", .model = SNW_NONE};
	scene->layers = layers;
	compare_runs(&same, &other, NULL, true);
	assert_true(compare_runs(&same, &other, scene->layers[0].name, false) > 0.2); /* the layer lifts */
	snw_registry_close(same.registry);
	snw_registry_close(other.registry);
	snw_scene_destroy(scene);
}

static fitted fit_bare(const snw_scene *scene, int build) {
	const snw_setting settings[] = {{"height", SNW_VALUE(0.5)}, {"height@elbow", SNW_VALUE(0.75)}};
	snw_error error = {0};
	fitted result = {.registry = snw_registry_open()};
	check_ok(snw_registry_load(result.registry, plugin(build), &error), error);
	result.scene = fitting_try(scene, result.registry, "test-bare", 2, settings, &error);
	if (!result.scene) {
		fail_msg("%s: %s", build_names[build], error.text);
	}
	return result;
}

/* Fewer members in what it is called with, overrides too, and in its descriptor, by a method that saves. */
static void calls_with_fewer_members_give_the_same_bits(void **state) {
	(void)state;
	snw_scene *scene = make_scene("trial");
	fitted same = fit_bare(scene, BARE_SAME), other = fit_bare(scene, BARE_CALLS);
	assert_int_equal(snw_registry_find(other.registry, "test-bare")->descriptor->field_count, 0);
	check_same_models(same.scene, other.scene);
	double height = 0;
	memcpy(&height, (const char *)same.scene->models[0].bytes + 8, sizeof height);
	check_near(height, 0.51, 1e-15); /* the override was counted */
	compare_runs(&same, &other, NULL, true);
	drop(&same);
	drop(&other);
	snw_scene_destroy(scene);
}

/* ---- the validator ------------------------------------------------------------------------------------------------------- */

static void fail_on_failure(void *context, const char *name, bool passed, const char *words) {
	if (!passed) {
		print_error("%s: %s: %s\n", (const char *)context, name, words);
	}
}

static void builds_pass_the_validator(void **state) {
	(void)state;
	static const int builds[] = {FEWER, MORE, BARE_TABLES, BARE_CALLS}; /* the others are like any plug-in */
	for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
		const int build = builds[i];
		const snw_validate_listener listener = {(void *)(uintptr_t)build_names[build], fail_on_failure};
		snw_error error = {0};
		check_ok(snw_validate(plugin(build),
							  &(snw_validate_options){
								  .seed = 20261122, .limit_seconds = CHECK_PATIENCE_SECONDS, .level = SNW_VALIDATE_QUICK},
							  &listener, &error),
				 error);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structs_differ_between_the_builds),
		cmocka_unit_test(programs_of_the_builds_give_the_same_bits),
		cmocka_unit_test(deforms_of_the_builds_give_the_same_bits),
		cmocka_unit_test(models_pass_between_the_builds),
		cmocka_unit_test(model_depends_on_late_members),
		cmocka_unit_test(tables_with_fewer_members_give_the_same_bits),
		cmocka_unit_test(calls_with_fewer_members_give_the_same_bits),
		cmocka_unit_test(builds_pass_the_validator),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
