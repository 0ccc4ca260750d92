/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The findings of the paper: how displacements rotate between the poses (section 4.2, Figure 5), forward and inverse
 * compared, weighted pose spaces, and reused inversions.
 */
#include "black_box_registry.h"

#include "tiny_arm.h"

#include "sinew/bytes.h"
#include "task/task.h"

static const double degree = 3.14159265358979323846 / 180;

static snw_scene *fit_with(const snw_scene *scene, uint32_t count, const snw_setting *settings) {
	snw_error error;
	fitting_clear_log();
	snw_scene *fitted = fitting_try(scene, registry, "inverse-psd", count, settings, &error);
	if (!fitted) {
		fail_msg("%s", error.text);
	}
	return fitted;
}

/* The mesh at a pose, in the scene's arena. */
static double *points_at(const arm_fixture *fixture, const snw_scene *scene, const snw_pose *pose) {
	double *points = SNW_NEW_ARRAY(fixture->scene->arena, double, 3 * (size_t)scene->meshes[0].point_count);
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	fitting_truth(&stack, arm_view(fixture, pose), 0, points);
	fitting_stack_drop(&stack);
	return points;
}

/* A point that the elbow alone moves. */
static uint32_t forearm_point(const arm_fixture *fixture) {
	const snw_mesh *mesh = &fixture->scene->meshes[0];
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const uint32_t first = mesh->influence_offsets[i];
		if (mesh->influence_offsets[i + 1] - first == 1 &&
			fixture->scene->slot_joints[mesh->influence_slots[first]] == STAGE_ELBOW) {
			return i;
		}
	}
	fail_msg("no point hangs on the elbow alone");
	return 0;
}

/* An example at which one point is sculpted away from what lies below, by `edit`. */
static uint32_t example_of_point(arm_fixture *fixture, const char *name, double bend, uint32_t point, const double edit[3]) {
	const uint32_t e = arm_example(fixture, name, bend, 0, 0, 0);
	double *points = points_at(fixture, fixture->scene, &fixture->poses[fixture->examples[e].pose]);
	for (size_t c = 0; c < 3; c++) {
		points[3 * (size_t)point + c] += edit[c];
	}
	fixture->examples[e].points_posed = points;
	return e;
}

/* Angle in the plane of the bend from `a` to `b`. */
static double angle_in_plane(const double a[3], const double b[3]) {
	return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

/* Section 4.2: between rest and an example at 90°, the direction is constant for forward PSD and rotates with the joint for
 * inverse PSD, of which it is a linear function. */
static void direction_is_constant_forward_and_rotates_linearly_inverse(void **state) {
	(void)state;
	static const double angles[] = {30, 45, 60, 90}, edit[3] = {0.006, 0.01, 0};
	for (int forward = 0; forward < 2; forward++) {
		arm_fixture fixture;
		arm_open(&fixture);
		fixture.scene->layers = &(snw_layer){
			.name = "linear-blend", .deformer = "org.sinew.linear-blend", .deformer_version = "1.0", .model = SNW_NONE};
		fixture.scene->layer_count = 1;
		const uint32_t point = forearm_point(&fixture);
		arm_group(&fixture, "elbow", 1, &(snw_member){example_of_point(&fixture, "bent", 90 * degree, point, edit), SNW_NONE});
		snw_scene *fitted = fit_with(fixture.scene, 1, &(snw_setting){"mode", SNW_VALUE(forward)});
		for (int n = 0; n < 4; n++) {
			const snw_pose *pose = arm_pose(&fixture, 0, angles[n] * degree, 0);
			const double *before = points_at(&fixture, fixture.scene, pose), *after = points_at(&fixture, fitted, pose);
			double offset[3];
			for (size_t c = 0; c < 3; c++) {
				offset[c] = after[3 * (size_t)point + c] - before[3 * (size_t)point + c];
			}
			assert_true(snw_length3(offset) > 1e-3 * snw_length3(edit));
			const double angle = angle_in_plane(edit, offset) / degree;
			print_message("%s at %g°: turned by %.4f°\n", forward ? "forward" : "inverse", angles[n], angle);
			check_near(angle, forward ? 0 : angles[n] - 90, 1e-3);
			check_near(offset[2], 0, 1e-9);
		}
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

/* A forward displacement does not rotate with the group's joints, but it does with the character. */
static void forward_displacement_rotates_with_the_parent_of_its_joints(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_group(&fixture, "elbow", 1, &(snw_member){arm_example(&fixture, "bent", 1.5, 0, 0.01, 0.3), SNW_NONE});
	snw_scene *fitted = fit_with(fixture.scene, 1, &(snw_setting){"mode", SNW_VALUE(1)});
	assert_true(arm_worst_example(fitted, registry) < 1e-6);
	double quaternion[4], rotation[12];
	snw_quat_from_rotation_vector((const double[3]){0, 1.1, 0}, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	double *still = points_at(&fixture, fitted, arm_pose(&fixture, 0, 1.2, 0));
	const double *rotated = points_at(&fixture, fitted, arm_pose(&fixture, 1.1, 1.2, 0));
	const uint32_t count = fitted->meshes[0].point_count;
	for (uint32_t i = 0; i < count; i++) {
		snw_mat34_point(rotation, still + 3 * (size_t)i, still + 3 * (size_t)i);
	}
	assert_true(fitting_distance(count, still, rotated) < 1e-9);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static const snw_program *top_program(const fitting_stack *stack) {
	return snw_stack_segment(stack->stack, 0, 0).program;
}

/* Whether a group's displacements are before the blend or after it. */
static uint32_t count_named(const snw_displacements *list, const char *group) {
	uint32_t count = 0;
	for (uint32_t n = 0; n < list->count; n++) {
		count += strncmp(list->names[n], group, strlen(group)) == 0;
	}
	return count;
}

static void forward_and_inverse_groups_stand_side_by_side(void **state) {
	(void)state;
	for (int which = 0; which < 2; which++) {
		arm_fixture fixture;
		arm_open(&fixture);
		arm_group(&fixture, "elbow", 1, &(snw_member){arm_example(&fixture, "bent", 1.6, 0, 0.01, 0.3), SNW_NONE});
		arm_group(&fixture, "wrist", 1, &(snw_member){arm_example(&fixture, "turned", 0.3, 1.3, 0.01, 0.5), SNW_NONE});
		const snw_setting setting = {which ? "mode@wrist" : "mode@elbow", SNW_VALUE(1)};
		snw_scene *fitted = fit_with(fixture.scene, 1, &setting);
		assert_true(arm_worst_example(fitted, registry) < 1e-6);
		fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
		const snw_program *program = top_program(&stack);
		assert_int_equal(count_named(&program->rest, which ? "wrist" : "elbow"), 0);
		assert_true(count_named(&program->rest, which ? "elbow" : "wrist") > 0);
		assert_true(count_named(&program->posed, which ? "wrist" : "elbow") > 0);
		fitting_stack_drop(&stack);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

static void setting_for_a_missing_group_is_refused(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_group(&fixture, "elbow", 1, &(snw_member){arm_example(&fixture, "bent", 1.6, 0, 0.01, 0.3), SNW_NONE});
	const snw_setting setting = {"mode@knee", SNW_VALUE(1)};
	snw_error error;
	assert_null(fitting_try(fixture.scene, registry, "inverse-psd", 1, &setting, &error));
	assert_non_null(strstr(error.text, "no such group 'knee'"));
	arm_close(&fixture);
}

/* A joint that slides without rotating drives a group if its translation counts; otherwise nothing drives it. */
static void translation_and_scale_drive_where_they_count(void **state) {
	(void)state;
	for (int scales = 0; scales < 2; scales++) {
		arm_fixture fixture;
		arm_open(&fixture);
		const uint32_t e = arm_example(&fixture, "slid", 0, 0, 0.01, 0.3);
		snw_transform *local = &fixture.poses[fixture.examples[e].pose].local[STAGE_ELBOW];
		(scales ? local->scale : local->translation)[1] += scales ? 0.5 : 0.05;
		arm_group(&fixture, "elbow", 1, &(snw_member){e, SNW_NONE});
		snw_error error;
		assert_null(fitting_try(fixture.scene, registry, "inverse-psd", 0, NULL, &error));
		const snw_setting setting = {scales ? "scale" : "translation@elbow", SNW_VALUE(10)};
		snw_scene *fitted = fit_with(fixture.scene, 1, &setting);
		assert_true(arm_worst_example(fitted, registry) < 1e-6);
		double c[STAGE_MOST];
		arm_coefficients(fitted, registry, arm_view(&fixture, &fixture.poses[1]), c);
		check_near(c[0], 1, 1e-12);
		arm_coefficients(fitted, registry, arm_view(&fixture, arm_pose(&fixture, 0, 0, 0)), c);
		check_near(c[0], 0, 1e-12);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

/* ---- weighted ------------------------------------------------------------------------------------------------------------ */

static void open_weighted_of(arm_fixture *fixture, snw_scene *scene) {
	static const uint32_t joints[] = {STAGE_ELBOW, STAGE_WRIST};
	arm_open_of(fixture, scene);
	const snw_member members[] = {{arm_example(fixture, "bent", 1.4, 0, 0.01, 0.3), SNW_NONE},
								  {arm_example(fixture, "turned", 0, 1.3, 0.01, 0.5), SNW_NONE},
								  {arm_example(fixture, "both", 1.4, 1.3, 0.02, 0.4), SNW_NONE}};
	arm_group(fixture, "arm", 3, members);
	fixture->groups[0].joint_count = 2;
	fixture->groups[0].joints = joints;
}

static void open_weighted(arm_fixture *fixture) {
	open_weighted_of(fixture, tiny_arm());
}

static void weighted_examples_are_reproduced_over_either_blend(void **state) {
	(void)state;
	for (int n = 0; n < 8; n++) {
		arm_fixture fixture;
		open_weighted(&fixture);
		snw_layer layer = fixture.scene->layers[0];
		layer.deformer = n % 2 ? "org.sinew.dual-quaternion" : "org.sinew.linear-blend";
		fixture.scene->layers = &layer;
		const int kernel = n / 2;
		const snw_setting settings[] = {{"weighted", SNW_VALUE(1)}, {"kernel", SNW_VALUE(kernel)}, {"mode", SNW_VALUE(n == 5)}};
		snw_scene *fitted = fit_with(fixture.scene, 3, settings);
		const double worst = arm_worst_example(fitted, registry);
		print_message("weighted, kernel %d: examples within %.2g of the box\n", n / 2, worst);
		assert_true(worst < 1e-6);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

/* A point on the forearm hardly depends on the wrist; without weights it does. Weights are for kernels of distances: a cone
 * compares directions, however short the ways are. */
static void weighted_point_does_not_hear_of_joints_without_influence(void **state) {
	(void)state;
	static const uint32_t joints[] = {STAGE_ELBOW, STAGE_WRIST};
	static const double edit[3] = {0, 0.01, 0};
	double changed[2];
	for (int weighted = 0; weighted < 2; weighted++) {
		arm_fixture fixture;
		arm_open(&fixture);
		const uint32_t point = forearm_point(&fixture);
		const snw_member members[] = {{example_of_point(&fixture, "bent", 1.4, point, edit), SNW_NONE},
									  {arm_example(&fixture, "turned", 0, 1.3, 0.01, 0.55), SNW_NONE}};
		arm_group(&fixture, "arm", 2, members);
		fixture.groups[0].joint_count = 2;
		fixture.groups[0].joints = joints;
		const snw_setting settings[] = {{"weighted", SNW_VALUE(weighted)}, {"kernel", SNW_VALUE(0)}};
		snw_scene *fitted = fit_with(fixture.scene, 2, settings);
		const double *still = points_at(&fixture, fitted, arm_pose(&fixture, 0, 1.2, 0));
		const double *rotated = points_at(&fixture, fitted, arm_pose(&fixture, 0, 1.2, -0.8));
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = rotated[3 * (size_t)point + c] - still[3 * (size_t)point + c];
		}
		changed[weighted] = snw_length3(gap);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
	print_message("a forearm's point moves by %.3g with the wrist, weighted by %.3g\n", changed[0], changed[1]);
	assert_true(changed[1] < 0.1 * changed[0]);
}

static void weighted_layer_is_a_black_box_and_says_why(void **state) {
	(void)state;
	arm_fixture fixture;
	open_weighted(&fixture);
	snw_scene *fitted = fit_with(fixture.scene, 1, &(snw_setting){"weighted", SNW_VALUE(1)});
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	int boxes = 0;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack.stack, 0); s++) {
		const snw_segment_info segment = snw_stack_segment(stack.stack, 0, s);
		boxes += segment.program == NULL && strstr(segment.reason, "weighted") != NULL;
	}
	assert_int_equal(boxes, 1);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

/* The coefficients of the topmost layer's model. */
static uint32_t count_driven(const snw_scene *scene) {
	const snw_saved_model *saved = &scene->models[scene->layers[scene->layer_count - 1].model];
	const snw_deformer *deformer = snw_registry_find(registry, saved->deformer);
	snw_arena *arena = snw_arena_create();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_model *model = NULL;
	assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), snw_character_view_make(scene, arena),
									   saved->bytes, saved->byte_count, &model),
					 SNW_OK);
	const uint32_t count = snw_deformer_layout(deformer, model).d_count;
	deformer->release(model);
	snw_services_destroy(services);
	snw_arena_destroy(arena);
	return count;
}

/* A sink over a buffer that is large enough. */
typedef struct filling {
	unsigned char *bytes;
	size_t count;
} filling;

static snw_status fill(void *context, const void *bytes, size_t count) {
	filling *to = context;
	memcpy(to->bytes + to->count, bytes, count);
	to->count += count;
	return SNW_OK;
}

/* A model stores the version of its kernels; models of other versions are refused. */
static void model_with_kernels_of_another_version_is_refused_by_name(void **state) {
	(void)state;
	enum { VERSION_AT = 12 }; /* after the mark and the revision of the format */
	arm_fixture fixture;
	open_weighted(&fixture);
	snw_scene *fitted = fit_with(fixture.scene, 0, NULL);
	snw_saved_model *saved = (snw_saved_model *)(uintptr_t)&fitted->models[0];
	filling to = {.bytes = malloc(saved->byte_count)};
	const snw_sink sink = {.size = sizeof sink, .context = &to, .write = fill};
	snw_writer writer = {.sink = &sink};
	uint32_t version;
	memcpy(&version, (const unsigned char *)saved->bytes + VERSION_AT, sizeof version);
	snw_write(&writer, saved->bytes, VERSION_AT);
	snw_write_u32(&writer, version + 1);
	snw_write(&writer, (const unsigned char *)saved->bytes + VERSION_AT + sizeof version,
			  saved->byte_count - VERSION_AT - sizeof version - sizeof writer.sum);
	snw_write_seal(&writer);
	assert_int_equal(to.count, saved->byte_count);
	saved->bytes = to.bytes;
	snw_stack *stack = NULL;
	snw_error error = {0};
	assert_int_equal(snw_stack_build(fitted, registry, NULL, NULL, &stack, &error), SNW_ERROR_DATA);
	char words[100];
	snprintf(words, sizeof words, "fitted with kernel version %u", version + 1);
	assert_non_null(strstr(error.text, words));
	assert_non_null(strstr(error.text, "sinew fit"));
	free(to.bytes);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static void weighted_model_is_the_same_bytes_for_any_number_of_threads(void **state) {
	(void)state;
	arm_fixture fixture;
	snw_scene *arm, *fitted[2];
	snw_error error;
	check_ok(snw_sample_make("small-arm", &arm, &error), error);
	open_weighted_of(&fixture, arm);
	for (int n = 0; n < 2; n++) {
		snw_parallel_threads(n == 0 ? 1 : 4);
		fitted[n] = fit_with(fixture.scene, 1, &(snw_setting){"weighted", SNW_VALUE(1)});
	}
	snw_parallel_threads(0);
	const uint32_t classes = count_driven(fitted[0]) / 3;
	print_message("%u classes of points\n", classes);
	assert_true(classes > 16); /* more than one thread takes at a time */
	const snw_saved_model *a = &fitted[0]->models[0], *b = &fitted[1]->models[0];
	assert_int_equal(a->byte_count, b->byte_count);
	assert_memory_equal(a->bytes, b->bytes, a->byte_count);
	snw_scene_destroy(fitted[0]);
	snw_scene_destroy(fitted[1]);
	arm_close(&fixture);
}

/* ---- reused inversions --------------------------------------------------------------------------------------------------- */

static uint32_t count_logged(const char *words) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < 16; i++) {
		count += strstr(fitting_log[i], words) != NULL;
	}
	return count;
}

static void check_same_bytes(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->models[0].byte_count, b->models[0].byte_count);
	assert_memory_equal(a->models[0].bytes, b->models[0].bytes, a->models[0].byte_count);
}

/* Over a black box: a second fit inverts nothing again; if one sculpt changes, only that one; if the box changes, all. The
 * bits are always those of a fit without a previous model. */
static void only_changed_examples_are_inverted_again(void **state) {
	(void)state;
	static const char *const over[] = {"org.sinew.smooth", "org.sinew.test.box"};
	for (int n = 0; n < 2; n++) {
		arm_fixture fixture;
		arm_open(&fixture);
		snw_layer layers[2] = {fixture.scene->layers[0],
							   {.name = "over", .deformer = over[n], .deformer_version = "1.0", .model = SNW_NONE}};
		fixture.scene->layers = layers;
		fixture.scene->layer_count = 2;
		arm_group(&fixture, "elbow", 1, &(snw_member){arm_example(&fixture, "bent", 1.4, 0, 0.01, 0.3), SNW_NONE});
		arm_group(&fixture, "wrist", 1, &(snw_member){arm_example(&fixture, "turned", 0, 1.3, 0.01, 0.5), SNW_NONE});
		snw_scene *first = fit_with(fixture.scene, 0, NULL);
		assert_int_equal(count_logged("is reused"), 0);
		snw_scene *again = fit_with(first, 0, NULL);
		assert_int_equal(count_logged("is reused"), 2);
		check_same_bytes(first, again);
		snw_scene_destroy(again);
		/* One sculpt changes: that of the second group, on which the first does not depend. */
		double *points = snw_arena_copy(first->arena, first->examples[1].points_posed,
										3 * (size_t)first->meshes[0].point_count * sizeof *points);
		points[0] += 0.01;
		snw_example examples[2] = {first->examples[0], first->examples[1]};
		examples[1].points_posed = points;
		first->examples = examples;
		fixture.examples[1].points_posed = points;
		again = fit_with(first, 0, NULL);
		assert_int_equal(count_logged("is reused"), 1);
		snw_scene *anew = fit_with(fixture.scene, 0, NULL);
		check_same_bytes(anew, again);
		snw_scene_destroy(again);
		snw_scene_destroy(anew);
		/* Another solver. */
		again = fit_with(first, 1, &(snw_setting){"solver", SNW_VALUE(1)});
		assert_int_equal(count_logged("is reused"), 0);
		snw_scene_destroy(again);
		snw_scene_destroy(first);
		arm_close(&fixture);
	}
}

/* ---- stored data --------------------------------------------------------------------------------------------------------- */

/* One point edited: one point stored, whatever the size of the mesh. */
static void only_edited_points_are_stored(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	static const double edit[3] = {0, 0.01, 0};
	const uint32_t point = forearm_point(&fixture);
	arm_group(&fixture, "elbow", 1, &(snw_member){example_of_point(&fixture, "bent", 1.5, point, edit), SNW_NONE});
	snw_scene *fitted = fit_with(fixture.scene, 0, NULL);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = top_program(&stack);
	assert_int_equal(program->rest.offsets[program->rest.count], 1);
	assert_int_equal(program->rest.points[0], point);
	assert_int_equal(program->posed.count, 0);
	print_message("one point of %u: a model of %zu bytes\n", fitted->meshes[0].point_count, fitted->models[0].byte_count);
	assert_true(fitted->models[0].byte_count < 1500);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

TEST_GROUP(paper_findings) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(direction_is_constant_forward_and_rotates_linearly_inverse),
		cmocka_unit_test(forward_displacement_rotates_with_the_parent_of_its_joints),
		cmocka_unit_test(forward_and_inverse_groups_stand_side_by_side),
		cmocka_unit_test(setting_for_a_missing_group_is_refused),
		cmocka_unit_test(translation_and_scale_drive_where_they_count),
		cmocka_unit_test(weighted_examples_are_reproduced_over_either_blend),
		cmocka_unit_test(weighted_point_does_not_hear_of_joints_without_influence),
		cmocka_unit_test(weighted_layer_is_a_black_box_and_says_why),
		cmocka_unit_test(model_with_kernels_of_another_version_is_refused_by_name),
		cmocka_unit_test(weighted_model_is_the_same_bytes_for_any_number_of_threads),
		cmocka_unit_test(only_changed_examples_are_inverted_again),
		cmocka_unit_test(only_edited_points_are_stored),
	};
	return cmocka_run_group_tests(tests, open_registry_with_boxes, close_registry);
}
