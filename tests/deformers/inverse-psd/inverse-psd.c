/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverse pose space deformation: examples are reproduced, with any groups and masks; the displacement after the blend stays
 * small where the blend is regular, and rotates with the character where it is not.
 */
#include "deformers/arms/bare_arm.h"
#include "one_registry.h"
#include "pose_space.h"
#include "scene/scene.h"
#include "task/task.h"

static const snw_field *find_field(const snw_scene *scene, const char *name) {
	const uint32_t field = snw_scene_find_field(scene, 0, name);
	assert_int_not_equal(field, SNW_NONE);
	return &scene->fields[field];
}

static double largest(const snw_field *field) {
	double most = 0;
	for (uint32_t i = 0; i < field->count; i++) {
		most = fmax(most, field->values[i]);
	}
	return most;
}

static void check_examples_over(const char *blend) {
	arm_fixture fixture;
	arm_open(&fixture);
	snw_layer layer = fixture.scene->layers[0];
	layer.name = blend;
	layer.deformer = strcmp(blend, "linear-blend") == 0 ? "org.sinew.linear-blend" : "org.sinew.dual-quaternion";
	fixture.scene->layers = &layer;
	const snw_member elbow = {arm_example(&fixture, "bent", 2, 0, 0.01, 0.3), SNW_NONE};
	const snw_member wrist[] = {{arm_example(&fixture, "half", 0, 1.2, 0, 0), SNW_NONE},
								{arm_example(&fixture, "full", 0, 2.6, 0.01, 0.5), SNW_NONE}};
	arm_group(&fixture, "elbow", 1, &elbow);
	arm_group(&fixture, "wrist", 2, wrist);
	assert_true(arm_worst_example(fixture.scene, registry) > 1e-2);
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	const double worst = arm_worst_example(fitted, registry);
	print_message("over %s: examples within %.2g of the box\n", blend, worst);
	assert_true(worst < 1e-6);
	/* The blends are regular here, so there is nothing significant after them. */
	assert_true(largest(find_field(fitted, "inverse-psd.residual")) < 1e-3 * 0.01);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static void examples_over_linear_blend_are_reproduced(void **state) {
	(void)state;
	check_examples_over("linear-blend");
}

static void examples_over_dual_quaternion_are_reproduced(void **state) {
	(void)state;
	check_examples_over("dual-quaternion");
}

static void rest_pose_gives_the_rest(void **state) {
	(void)state;
	snw_scene *arm;
	snw_error error;
	check_ok(snw_sample_make("arm", &arm, &error), error);
	snw_scene *fitted = fitting_run(arm, registry, "inverse-psd");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	double *points = malloc(3 * (size_t)arm->meshes[0].point_count * sizeof *points);
	fitting_truth(&stack, snw_pose_view_make(fitted, &fitted->poses[0], fitted->arena), 0, points);
	assert_true(fitting_distance(arm->meshes[0].point_count, points, arm->meshes[0].points_rest) < 1e-12);
	free(points);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(arm);
}

static void example_shared_through_masks_is_reproduced(void **state) {
	(void)state;
	for (int soft = 0; soft < 2; soft++) {
		arm_fixture fixture;
		arm_open(&fixture);
		const uint32_t inside = arm_mask(&fixture, "inside", soft ? -0.02 : 0, soft ? 0.02 : 0, false);
		const uint32_t outside = arm_mask(&fixture, "outside", soft ? -0.02 : 0, soft ? 0.02 : 0, true);
		const uint32_t bent = arm_example(&fixture, "bent", 1.5, 0.4, 0.02, 0.35);
		arm_group(&fixture, "inside", 1, &(snw_member){bent, inside});
		arm_group(&fixture, "outside", 1, &(snw_member){bent, outside});
		snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
		assert_true(arm_worst_example(fitted, registry) < 1e-6);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

static void points_outside_all_masks_are_not_moved(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	const uint32_t inside = arm_mask(&fixture, "inside", 0, 0, false);
	const uint32_t bent = arm_example(&fixture, "bent", 1.5, 0, 0.02, 0.35);
	arm_group(&fixture, "inside", 1, &(snw_member){bent, inside});
	fitting_clear_log();
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	assert_true(fitting_logged("lie outside the masks"));
	const uint32_t count = fixture.scene->meshes[0].point_count;
	double *points[2];
	for (int s = 0; s < 2; s++) {
		fitting_stack stack = fitting_stack_of(s ? fitted : fixture.scene, registry, NULL);
		points[s] = malloc(3 * (size_t)count * sizeof *points[s]);
		fitting_truth(&stack, arm_view(&fixture, &fixture.poses[1]), 0, points[s]);
		fitting_stack_drop(&stack);
	}
	for (uint32_t i = 0; i < count; i++) {
		const double *expected = fixture.fields[inside].values[i] > 0 ? fixture.examples[0].points_posed : points[0];
		for (int c = 0; c < 3; c++) {
			check_near(points[1][3 * (size_t)i + c], expected[3 * (size_t)i + c], 1e-6);
		}
	}
	free(points[0]);
	free(points[1]);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

/* Elbow, wrist, and both at once; the single ones must not be disturbed by the combination, nor it by them. */
static void combination_group_leaves_single_groups_alone(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	const snw_member bent = {arm_example(&fixture, "bent", 1.8, 0, 0, 0), SNW_NONE};
	const snw_member twisted = {arm_example(&fixture, "turned", 0, 2.2, 0, 0), SNW_NONE};
	const snw_member both = {arm_example(&fixture, "both", 1.8, 2.2, 0.02, 0.4), SNW_NONE};
	arm_group(&fixture, "elbow", 1, &bent);
	arm_group(&fixture, "wrist", 1, &twisted);
	arm_group(&fixture, "elbow-wrist", 1, &both);
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	assert_true(arm_worst_example(fitted, registry) < 1e-6);
	double c[STAGE_MOST];
	assert_int_equal(arm_coefficients(fitted, registry, arm_view(&fixture, &fixture.poses[1]), c), 3);
	check_near(c[0], 1, 1e-12);
	check_near(c[1], 0, 1e-12);
	check_near(c[2], 0, 1e-12);
	assert_int_equal(arm_coefficients(fitted, registry, arm_view(&fixture, &fixture.poses[3]), c), 3);
	check_near(c[2], 1, 1e-12);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static void coefficients_are_one_and_zero_at_examples(void **state) {
	(void)state;
	for (int kernel = 0; kernel < 4; kernel++) {
		arm_fixture fixture;
		arm_open(&fixture);
		snw_member members[4];
		const double bends[4] = {0.7, 1.4, 2.1, -0.6};
		for (uint32_t e = 0; e < 4; e++) {
			static const char *const names[4] = {"a", "b", "c", "d"};
			members[e] = (snw_member){arm_example(&fixture, names[e], bends[e], 0, 0, 0), SNW_NONE};
		}
		arm_group(&fixture, "elbow", 4, members);
		const snw_setting setting = {"kernel", SNW_VALUE(kernel)};
		snw_error error;
		snw_scene *fitted = fitting_try(fixture.scene, registry, "inverse-psd", 1, &setting, &error);
		assert_non_null(fitted);
		double c[STAGE_MOST];
		for (uint32_t p = 0; p <= 4; p++) {
			assert_int_equal(arm_coefficients(fitted, registry, arm_view(&fixture, &fixture.poses[p]), c), 4);
			for (uint32_t k = 0; k < 4; k++) {
				check_near(c[k], p == k + 1 ? 1 : 0, 1e-12);
			}
		}
		/* The linear kernel is constant beyond the last example and continuous: between two examples it is linear. */
		if (kernel == 1) {
			arm_coefficients(fitted, registry, arm_view(&fixture, arm_pose(&fixture, 0, 2.8, 0)), c);
			check_near(c[2], 1, 1e-9);
			arm_coefficients(fitted, registry, arm_view(&fixture, arm_pose(&fixture, 0, 1.05, 0)), c);
			check_near(c[0], 0.5, 1e-9);
			check_near(c[1], 0.5, 1e-9);
		}
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

/* The stack's weights at the pose of an example: 1 for the example, 0 for the others of the fit, NaN for one that came
 * later. */
static void check_weights_at(const snw_scene *fitted, const fitting_stack *stack, uint32_t example) {
	snw_error error = {0};
	const snw_pose_view *pose = snw_pose_view_make(fitted, &fitted->poses[fitted->examples[example].pose], fitted->arena);
	double *weights = SNW_NEW_ARRAY(fitted->arena, double, fitted->example_count);
	check_ok(snw_stack_drive(stack->stack, pose, stack->evaluation, &error), error);
	snw_stack_example_weights(stack->evaluation, weights);
	for (uint32_t i = 0; i + 1 < fitted->example_count; i++) {
		check_near(weights[i], i == example, 1e-9);
	}
	assert_true(isnan(weights[fitted->example_count - 1]));
}

/* With any slashes in names, and for a model that is lowered as well as for one that is not. */
static void coefficients_belong_to_the_examples_that_the_model_names(void **state) {
	(void)state;
	const snw_setting settings[] = {{"weighted", SNW_VALUE(0)}, {"weighted", SNW_VALUE(1)}};
	for (int weighted = 0; weighted < 2; weighted++) {
		arm_fixture fixture;
		arm_open(&fixture);
		const snw_member members[] = {{arm_example(&fixture, "half/way", 0.9, 0, 0.01, 0.3), SNW_NONE},
									  {arm_example(&fixture, "way", 1.8, 0, 0, 0), SNW_NONE},
									  {arm_example(&fixture, "/", 2.4, 0, 0.01, 0.3), SNW_NONE}};
		arm_group(&fixture, "left/elbow", 3, members);
		snw_error error = {0};
		snw_scene *fitted = fitting_try(fixture.scene, registry, "inverse-psd", 1, &settings[weighted], &error);
		if (!fitted) {
			fail_msg("%s", error.text);
		}
		snw_example *examples = SNW_NEW_ARRAY(fitted->arena, snw_example, 4);
		memcpy(examples, fitted->examples, 3 * sizeof *examples);
		examples[3] = examples[2];
		examples[3].name = "later";
		fitted->examples = examples;
		fitted->example_count = 4;
		fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
		for (uint32_t e = 0; e < 3; e++) {
			check_weights_at(fitted, &stack, e);
		}
		fitting_stack_drop(&stack);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

/* A dent to one side and one to the other side at nearly the same bend: what one says of the other is worse than nothing. */
static void sculpts_that_refute_each_other_are_named_and_stay_exact(void **state) {
	(void)state;
	for (int agree = 0; agree < 2; agree++) {
		arm_fixture fixture;
		arm_open(&fixture);
		const snw_member members[] = {{arm_example(&fixture, "in", 1.5, 0, -0.1, 0.35), SNW_NONE},
									  {arm_example(&fixture, "out", 1.6, 0, agree ? -0.1 : 0.1, 0.35), SNW_NONE}};
		arm_group(&fixture, "elbow", 2, members);
		fitting_clear_log();
		snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
		assert_true(agree ? !fitting_logged("left out") : fitting_logged("2 of 2 sculpts, left out,"));
		assert_true(agree || fitting_logged("most \"elbow/"));
		assert_true(arm_worst_example(fitted, registry) < 1e-6);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

/* What a sculpt that edits one point is off by is the mean over all points that the group moves. */
static void left_out_sculpt_is_off_by_what_the_group_moves(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	const snw_member members[] = {{arm_example(&fixture, "in", 1.5, 0, -0.1, 0.35), SNW_NONE},
								  {arm_example(&fixture, "point", 1.6, 0, 0, 0.35), SNW_NONE}};
	static const uint32_t first_point[] = {0};
	fixture.examples[members[1].example].edited = first_point;
	fixture.examples[members[1].example].edited_count = 1;
	arm_group(&fixture, "elbow", 2, members);
	fitting_clear_log();
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	double off = -1, without = -1;
	for (uint32_t i = 0; i < 16; i++) {
		const char *words = strstr(fitting_log[i], "make is ");
		assert_true(!words || sscanf(words, "make is %lf mm off, no corrective %lf mm", &off, &without) == 2);
	}
	assert_true(fitting_logged("most \"elbow/point\""));
	assert_true(off > 1 && off < 100 && without < 1);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static void opposite_quaternion_is_the_same_pose(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_group(&fixture, "wrist", 1, &(snw_member){arm_example(&fixture, "turned", 0, 2.5, 0, 0), SNW_NONE});
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	snw_pose *pose = arm_pose(&fixture, 0, 0, 2.5);
	for (int c = 0; c < 4; c++) {
		pose->local[STAGE_WRIST].rotation[c] = -pose->local[STAGE_WRIST].rotation[c];
	}
	memset(pose->rotation_vectors, 0, 9 * sizeof *pose->rotation_vectors);
	snw_pose_unwind(fixture.scene, pose);
	double c[STAGE_MOST];
	arm_coefficients(fitted, registry, arm_view(&fixture, pose), c);
	check_near(c[0], 1, 1e-9);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

/* A wrist rotated by 200° the long way differs from one rotated by 160° the other way. */
static void rotation_past_pi_differs_from_the_shorter_way(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	const double angle = 200 * 3.14159265358979323846 / 180;
	arm_group(&fixture, "wrist", 1, &(snw_member){arm_example(&fixture, "wound", 0, angle, 0, 0), SNW_NONE});
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	double c[STAGE_MOST];
	arm_coefficients(fitted, registry, arm_view(&fixture, arm_pose(&fixture, 0, 0, angle)), c);
	check_near(c[0], 1, 1e-12);
	arm_coefficients(fitted, registry, arm_view(&fixture, arm_pose(&fixture, 0, 0, angle - 2 * 3.14159265358979323846)), c);
	assert_true(fabs(c[0]) < 0.1);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

/* At a rotation by π, with half of the weight each, the blend is singular; w adds what it cannot reach, and rotates with the
 * joint. */
static void singular_joint_is_reproduced_and_rotates_with_the_character(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	snw_mesh mesh = fixture.scene->meshes[0];
	double *weights = SNW_NEW_ARRAY(fixture.scene->arena, double, mesh.influence_offsets[mesh.point_count]);
	memcpy(weights, mesh.influence_weights, mesh.influence_offsets[mesh.point_count] * sizeof *weights);
	uint32_t halves = 0;
	for (uint32_t i = 0; i < mesh.point_count; i++) {
		const uint32_t first = mesh.influence_offsets[i];
		if (mesh.influence_offsets[i + 1] - first == 2 && mesh.influence_slots[first] == STAGE_ELBOW &&
			fabs(weights[first] - 0.5) < 0.1) {
			weights[first] = weights[first + 1] = 0.5;
			halves++;
		}
	}
	assert_int_equal(halves, TINY_ARM_SIDES); /* a ring */
	mesh.influence_weights = weights;
	fixture.scene->meshes = &mesh;
	const double half_turn = 3.14159265358979323846;
	arm_group(&fixture, "wrist", 1, &(snw_member){arm_example(&fixture, "half-turn", 0.8, half_turn, 0.02, 0.52), SNW_NONE});
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	assert_true(arm_worst_example(fitted, registry) < 1e-6);
	assert_true(largest(find_field(fitted, "inverse-psd.residual")) > 0.01);
	assert_true(largest(find_field(fitted, "inverse-psd.conditioning")) > 1e6);
	/* d stays within 20 times the sculpt, which is the arm's width at most. */
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
	for (size_t i = 0; i < program->rest.offsets[program->rest.count]; i++) {
		assert_true(snw_length3(program->rest.vectors + 3 * i) < 20 * 0.12);
	}
	/* If the shoulder rotates about y, the whole result rotates. */
	double quaternion[4], rotation[12], *points[2];
	for (int s = 0; s < 2; s++) {
		points[s] = malloc(3 * (size_t)mesh.point_count * sizeof *points[s]);
		fitting_truth(&stack, arm_view(&fixture, arm_pose(&fixture, s ? 1.1 : 0, 0.8, half_turn)), 0, points[s]);
	}
	snw_quat_from_rotation_vector((const double[3]){0, 1.1, 0}, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	for (uint32_t i = 0; i < mesh.point_count; i++) {
		snw_mat34_point(rotation, points[0] + 3 * (size_t)i, points[0] + 3 * (size_t)i);
	}
	assert_true(fitting_distance(mesh.point_count, points[0], points[1]) < 1e-9);
	free(points[0]);
	free(points[1]);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static void two_meshes_share_one_pose_space(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	snw_mesh meshes[2] = {fixture.scene->meshes[0], fixture.scene->meshes[0]};
	meshes[1].name = "sleeve";
	fixture.scene->meshes = meshes;
	fixture.scene->mesh_count = 2;
	const snw_member members[] = {{arm_example(&fixture, "arm", 1.5, 0, 0, 0), SNW_NONE},
								  {arm_example(&fixture, "sleeve", 1.5, 0, 0.01, 0.3), SNW_NONE}};
	fixture.examples[1].mesh = 1;
	arm_group(&fixture, "elbow", 2, members);
	snw_scene *fitted = fitting_run(fixture.scene, registry, "inverse-psd");
	assert_true(arm_worst_example(fitted, registry) < 1e-6);
	double c[STAGE_MOST];
	assert_int_equal(arm_coefficients(fitted, registry, arm_view(&fixture, &fixture.poses[1]), c), 1);
	snw_scene_destroy(fitted);
	arm_close(&fixture);
}

static snw_status gather_text(void *context, const void *bytes, size_t count) {
	char *text = context;
	assert_true(strlen(text) + count < 16384);
	strncat(text, bytes, count);
	return SNW_OK;
}

static void describe_top_layer(const snw_scene *scene, char text[16384]) {
	const snw_saved_model *saved = &scene->models[scene->layers[scene->layer_count - 1].model];
	const snw_deformer *deformer = snw_registry_find(registry, saved->deformer);
	snw_arena *arena = snw_arena_create();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	const snw_sink sink = {.size = sizeof sink, .context = text, .write = gather_text};
	snw_model *model;
	text[0] = 0;
	assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), snw_character_view_make(scene, arena),
									   saved->bytes, saved->byte_count, &model),
					 SNW_OK);
	assert_int_equal(deformer->describe(model, NULL, &sink), SNW_OK);
	deformer->release(model);
	snw_services_destroy(services);
	snw_arena_destroy(arena);
}

/* Every member of the JSON, at any depth, is on the page that defines the format. */
static void check_members_documented(const cJSON *item, const char *page) {
	for (const cJSON *child = item->child; child; child = child->next) {
		if (child->string) {
			char member[128];
			snprintf(member, sizeof member, "| `\"%s\"` |", child->string);
			if (!strstr(page, member) && strcmp(child->string, "poseSpace") != 0) {
				fail_msg("docs/pose-space.md has no row %s", member);
			}
		}
		check_members_documented(child, page);
	}
}

static void check_described(const arm_fixture *fixture, const snw_scene *fitted) {
	char text[16384];
	describe_top_layer(fitted, text);
	cJSON *root = cJSON_Parse(text);
	assert_non_null(root);
	const cJSON *space = cJSON_GetObjectItem(root, "poseSpace");
	char page[POSE_SPACE_PAGE_BYTES];
	read_pose_space_page(page);
	check_members_documented(root, page);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(space, "format")), "org.sinew.pose-space");
	assert_int_equal(cJSON_GetObjectItem(space, "version")->valueint, 2);
	const cJSON *group = cJSON_GetArrayItem(cJSON_GetObjectItem(space, "groups"), 0);
	assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(group, "targets"), 0)->valuestring, "elbow/a \"quoted\" name");
	for (int n = -4; n < 24; n++) {
		double driven[STAGE_MOST];
		snw_pose *pose = arm_pose(fixture, 0.1, 0.11 * n, 0.3 - 0.07 * n);
		pose->local[STAGE_ELBOW].translation[1] += 0.003 * n;
		pose->local[STAGE_WRIST].scale[0] *= 1 + 0.02 * n;
		arm_coefficients(fitted, registry, arm_view(fixture, pose), driven);
		for (int k = 0; k < 3; k++) {
			check_near(pose_space_coefficient(fitted, group, k, pose), driven[k], 1e-9);
		}
	}
	cJSON_Delete(root);
}

/* Elbow and wrist in one group, one example rotated past π. */
static void open_described(arm_fixture *fixture) {
	static const uint32_t joints[] = {STAGE_ELBOW, STAGE_WRIST};
	arm_open(fixture);
	const snw_member members[] = {{arm_example(fixture, "a \"quoted\" name", 0.9, 0, 0, 0), SNW_NONE},
								  {arm_example(fixture, "b", 1.9, 0.4, 0, 0), SNW_NONE},
								  {arm_example(fixture, "c", 0.2, 3.4, 0, 0), SNW_NONE}};
	arm_group(fixture, "elbow", 3, members);
	fixture->groups[0].joint_count = 2;
	fixture->groups[0].joints = joints;
}

static void description_gives_the_coefficients_that_drive_gives(void **state) {
	(void)state;
	for (int n = 0; n < 16; n++) {
		arm_fixture fixture;
		open_described(&fixture);
		const int polynomial = n / 4;
		const snw_setting settings[] = {
			{"kernel", SNW_VALUE(n % 4)},      {"polynomial", SNW_VALUE(polynomial)},
			{"clamp", SNW_VALUE(n % 3 == 0)},  {"translation", SNW_VALUE(n % 2 ? 5 : 0)},
			{"scale@wrist", SNW_VALUE(n % 5)}, {"twist@elbow", SNW_VALUE(1 + n % 2)},
			{"swing@wrist", SNW_VALUE(0.5)},   {"smoothing@elbow", SNW_VALUE(n % 7 == 0 ? 0.05 : 0)}};
		snw_error error;
		snw_scene *fitted = fitting_try(fixture.scene, registry, "inverse-psd", 8, settings, &error);
		if (!fitted) {
			fail_msg("%d: %s", n, error.text);
		}
		check_described(&fixture, fitted);
		/* With any settings the examples are reproduced, unless smoothing is set. */
		const double worst = arm_worst_example(fitted, registry);
		assert_true(n % 7 == 0 ? worst > 1e-5 : worst < 1e-6);
		snw_scene_destroy(fitted);
		arm_close(&fixture);
	}
}

static void group_that_lost_its_example_does_nothing(void **state) {
	(void)state;
	snw_scene *arm, *fitted = NULL;
	snw_error error;
	check_ok(snw_sample_make("arm", &arm, &error), error);
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = 0};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	check_ok(snw_fit_run(arm, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(arm, &outcome, &fitted, &error), error);
	double *points[2];
	for (int s = 0; s < 2; s++) {
		fitting_stack stack = fitting_stack_of(s ? fitted : arm, registry, NULL);
		points[s] = malloc(3 * (size_t)arm->meshes[0].point_count * sizeof *points[s]);
		fitting_truth(&stack, snw_pose_view_make(arm, &arm->poses[arm->examples[0].pose], arm->arena), 0, points[s]);
		fitting_stack_drop(&stack);
	}
	assert_true(fitting_distance(arm->meshes[0].point_count, points[0], points[1]) < 1e-12);
	free(points[0]);
	free(points[1]);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(fitted);
	snw_scene_destroy(arm);
}

static void check_refused(const arm_fixture *fixture, const char *const words[3]) {
	snw_error error;
	assert_null(fitting_try(fixture->scene, registry, "inverse-psd", 0, NULL, &error));
	for (int w = 0; w < 3; w++) {
		if (!strstr(error.text, words[w])) {
			fail_msg("\"%s\" is not in: %s", words[w], error.text);
		}
	}
}

static void twin_poses_are_refused_with_both_names(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	const snw_member members[] = {{arm_example(&fixture, "first", 1.5, 0, 0, 0), SNW_NONE},
								  {arm_example(&fixture, "second", 1.5, 0, 0.02, 0.3), SNW_NONE}};
	arm_group(&fixture, "elbow", 2, members);
	check_refused(&fixture, (const char *const[3]){"first", "second", "elbow"});
	arm_close(&fixture);
}

static void example_at_rest_is_refused(void **state) {
	(void)state;
	arm_fixture fixture;
	arm_open(&fixture);
	arm_group(&fixture, "elbow", 1, &(snw_member){arm_example(&fixture, "still", 0, 0, 0.02, 0.3), SNW_NONE});
	check_refused(&fixture, (const char *const[3]){"elbow", "no joint rotates", "rest"});
	arm_close(&fixture);
}

static void model_is_the_same_bytes_for_any_number_of_threads(void **state) {
	(void)state;
	snw_scene *arm, *fitted[2];
	snw_error error;
	check_ok(snw_sample_make("arm", &arm, &error), error);
	for (int n = 0; n < 2; n++) {
		snw_parallel_threads(n == 0 ? 1 : 4);
		fitted[n] = fitting_run(arm, registry, "inverse-psd");
	}
	snw_parallel_threads(0);
	const snw_saved_model *a = &fitted[0]->models[0], *b = &fitted[1]->models[0];
	assert_int_equal(a->byte_count, b->byte_count);
	assert_memory_equal(a->bytes, b->bytes, a->byte_count);
	snw_scene_destroy(fitted[0]);
	snw_scene_destroy(fitted[1]);
	snw_scene_destroy(arm);
}

TEST_GROUP(inverse_psd) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_over_linear_blend_are_reproduced),
		cmocka_unit_test(examples_over_dual_quaternion_are_reproduced),
		cmocka_unit_test(rest_pose_gives_the_rest),
		cmocka_unit_test(example_shared_through_masks_is_reproduced),
		cmocka_unit_test(points_outside_all_masks_are_not_moved),
		cmocka_unit_test(combination_group_leaves_single_groups_alone),
		cmocka_unit_test(coefficients_are_one_and_zero_at_examples),
		cmocka_unit_test(sculpts_that_refute_each_other_are_named_and_stay_exact),
		cmocka_unit_test(left_out_sculpt_is_off_by_what_the_group_moves),
		cmocka_unit_test(opposite_quaternion_is_the_same_pose),
		cmocka_unit_test(rotation_past_pi_differs_from_the_shorter_way),
		cmocka_unit_test(singular_joint_is_reproduced_and_rotates_with_the_character),
		cmocka_unit_test(two_meshes_share_one_pose_space),
		cmocka_unit_test(description_gives_the_coefficients_that_drive_gives),
		cmocka_unit_test(group_that_lost_its_example_does_nothing),
		cmocka_unit_test(coefficients_belong_to_the_examples_that_the_model_names),
		cmocka_unit_test(twin_poses_are_refused_with_both_names),
		cmocka_unit_test(example_at_rest_is_refused),
		cmocka_unit_test(model_is_the_same_bytes_for_any_number_of_threads),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
