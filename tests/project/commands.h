/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One of every kind of command, on a project that holds the fixture's scene.
 */
#ifndef SINEW_TESTS_PROJECT_COMMANDS_H
#define SINEW_TESTS_PROJECT_COMMANDS_H

#include "pose/pose.h"
#include "project/project.h"
#include "scene/fixture.h"
#include "scene/scene.h"

static snw_error error;

/* A project with the fixture's scene in it, open for writing; `scene` is what it holds. */
typedef struct project_test {
	const char *path;
	snw_project *project;
	snw_scene *scene;
} project_test;

static int open_test(void **state) {
	static project_test test;
	snw_scene *scene = fixture_scene();
	test.path = check_scratch("journal.sinew");
	check_ok(snw_project_write(test.path, scene, "import thing.glb", &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_open(test.path, false, &test.project, &error), error);
	check_ok(snw_project_scene(test.project, &test.scene, &error), error);
	*state = &test;
	return 0;
}

static int close_test(void **state) {
	project_test *test = *state;
	snw_project_close(test->project);
	snw_scene_destroy(test->scene);
	unlink(test->path);
	return 0;
}

static void reopen(project_test *test) {
	snw_project_close(test->project);
	check_ok(snw_project_open(test->path, false, &test->project, &error), error);
}

/* ---- one of every kind of command -------------------------------------------------------------------------------------- */

static snw_pose changed_pose(const project_test *test, const char *name) {
	snw_pose pose = test->scene->poses[1];
	pose.id = 0;
	pose.name = name;
	pose.seconds += 1;
	return pose;
}

static snw_status add_pose(project_test *test) {
	const snw_pose pose = changed_pose(test, "new pose");
	int64_t id = 0;
	const snw_status status = snw_project_put_pose(test->project, &pose, &id, &error);
	assert_true(id > test->scene->poses[2].id);
	return status;
}

static snw_status replace_pose_by_name(project_test *test) {
	const snw_pose pose = changed_pose(test, "bent");
	int64_t id = 0;
	const snw_status status = snw_project_put_pose(test->project, &pose, &id, &error);
	assert_int_equal(id, test->scene->poses[1].id);
	return status;
}

static snw_status rename_pose_by_id(project_test *test) {
	snw_pose pose = changed_pose(test, "bent further");
	pose.id = test->scene->poses[1].id;
	return snw_project_put_pose(test->project, &pose, NULL, &error);
}

static snw_status put_example(project_test *test, const char *name, double shift) {
	double points[24];
	for (int i = 0; i < 24; i++) {
		points[i] = test->scene->examples[0].points_posed[i] + shift;
	}
	const snw_example example = {.name = name, .points_posed = points};
	return snw_project_put_example(test->project, &example, test->scene->poses[2].id, test->scene->meshes[0].id, 8, NULL,
								   &error);
}

static snw_status add_example(project_test *test) {
	return put_example(test, "another", 0.5);
}

static snw_status replace_example(project_test *test) {
	return put_example(test, "bend", 0.25);
}

static snw_status remove_example_with_its_group(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_EXAMPLE, test->scene->examples[0].id, &error);
}

static snw_status remove_first_member(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_EXAMPLE, test->scene->examples[1].id, &error);
}

static snw_status remove_example_then_its_pose(project_test *test) {
	const snw_status status = remove_first_member(test);
	return snw_failed(status) ? status : snw_project_remove(test->project, SNW_PROJECT_POSE, test->scene->poses[2].id, &error);
}

static snw_status put_group(project_test *test, const char *name) {
	const snw_group group = {.name = name, .joint_count = 1, .joints = (uint32_t[]){2}, .member_count = 2};
	const snw_example *examples = test->scene->examples;
	return snw_project_put_group(test->project, &group, (int64_t[]){examples[0].id, examples[1].id},
								 (int64_t[]){test->scene->fields[0].id, 0}, NULL, &error);
}

static snw_status add_group(project_test *test) {
	return put_group(test, "both");
}

static snw_status reorder_group(project_test *test) {
	return put_group(test, "left");
}

static snw_status remove_group(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_GROUP, test->scene->groups[0].id, &error);
}

static snw_status put_field(project_test *test, const char *name) {
	const snw_field field = {
		.name = name, .domain = SNW_DOMAIN_POINTS, .components = 1, .count = 8, .values = (double[8]){0, 1, 0, 1, 0, 1, 0, 1}};
	return snw_project_put_field(test->project, &field, test->scene->meshes[0].id, NULL, &error);
}

static snw_status add_field(project_test *test) {
	return put_field(test, "painted");
}

static snw_status replace_field(project_test *test) {
	return put_field(test, "mask");
}

static snw_status remove_field(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_FIELD, test->scene->fields[3].id, &error);
}

/* So many frames that the change takes several pieces of the journal. */
static snw_status put_target(project_test *test, const char *name, uint32_t frame_count) {
	float *points = calloc(24 * (size_t)frame_count, sizeof *points);
	double *seconds = calloc(frame_count, sizeof *seconds);
	for (uint32_t f = 0; f < frame_count; f++) {
		seconds[f] = f;
		points[24 * f] = (float)f;
	}
	const snw_target target = {.name = name, .frame_count = frame_count, .seconds = seconds, .points_posed = points};
	const snw_status status =
		snw_project_put_target(test->project, &target, test->scene->meshes[0].id, 8, test->scene->clips[1].id, NULL, &error);
	free(points);
	free(seconds);
	return status;
}

static snw_status add_large_target(project_test *test) {
	return put_target(test, "dance", 12000);
}

static snw_status replace_target(project_test *test) {
	return put_target(test, "walked", 5);
}

static snw_status remove_target(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_TARGET, test->scene->targets[0].id, &error);
}

static snw_status put_clip(project_test *test, const char *name) {
	snw_clip clip = test->scene->clips[0];
	clip.id = 0;
	clip.name = name;
	clip.tracks++;
	clip.track_count = 2;
	return snw_project_put_clip(test->project, &clip, NULL, &error);
}

static snw_status add_clip(project_test *test) {
	return put_clip(test, "tracked");
}

static snw_status replace_clip(project_test *test) {
	return put_clip(test, "walk");
}

static snw_status remove_clip(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_CLIP, test->scene->clips[1].id, &error);
}

static snw_status put_model(project_test *test, const char *name) {
	const snw_saved_model model = {.name = name,
								   .deformer = "org.sinew.psd",
								   .deformer_version = "2",
								   .bytes = (const unsigned char *)"\0\0model",
								   .byte_count = 7};
	return snw_project_put_model(test->project, &model, NULL, &error);
}

static snw_status add_model(project_test *test) {
	return put_model(test, "fresh");
}

static snw_status replace_model(project_test *test) {
	return put_model(test, "psd");
}

static snw_status remove_model(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_MODEL, test->scene->models[1].id, &error);
}

static snw_status add_layer_at_the_bottom(project_test *test) {
	const snw_layer layer = {.name = "twist",
							 .deformer = "org.sinew.twist",
							 .deformer_version = "1",
							 .setting_count = 1,
							 .settings = &(snw_setting){"k", SNW_VALUE(2)}};
	return snw_project_put_layer(test->project, &layer, 0, 0, NULL, &error);
}

static snw_status move_layer_up(project_test *test) {
	return snw_project_put_layer(test->project, &test->scene->layers[0], 0, 2, NULL, &error);
}

static snw_status mute_layer(project_test *test) {
	snw_layer layer = test->scene->layers[2];
	layer.muted = true;
	return snw_project_put_layer(test->project, &layer, test->scene->models[0].id, -1, NULL, &error);
}

static snw_status remove_layer_with_its_model(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_LAYER, test->scene->layers[2].id, &error);
}

static snw_status put_skin(project_test *test) {
	return snw_project_put_skin(test->project, test->scene->meshes[1].id, 3, (uint32_t[]){0, 1, 2, 4}, (uint32_t[]){0, 1, 0, 2},
								(double[]){1, 1, 0.5, 0.5}, &error);
}

/* One joint gets a new name, another moves, one is new; the slots are others. */
static snw_status put_skeleton(project_test *test) {
	snw_scene *scene = snw_scene_create();
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = 5;
	skeleton->names = FIXTURE_COPY(scene->arena, (const char *[]){"root", "arm", "hand", "other root", "tail"});
	skeleton->parents = FIXTURE_COPY(scene->arena, (uint32_t[]){SNW_NONE, 0, 1, 4, 0});
	skeleton->rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, 5);
	for (int j = 0; j < 5; j++) {
		skeleton->rest_local[j] = (snw_transform){.translation = {j, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	check_ok(snw_skeleton_finish(skeleton, scene->arena, &error), error);
	scene->slot_count = 3;
	scene->slot_joints = FIXTURE_COPY(scene->arena, (uint32_t[]){0, 1, 4});
	scene->slot_inverse_binds = SNW_NEW_ARRAY(scene->arena, double, 36);
	snw_status status = snw_project_put_skeleton(test->project, scene, &error);
	snw_scene_destroy(scene);
	/* What was counted by joints has to follow. */
	const snw_field field = {.id = test->scene->fields[2].id,
							 .name = "stiff",
							 .domain = SNW_DOMAIN_JOINTS,
							 .components = 1,
							 .count = 5,
							 .values = (double[5]){0}};
	return snw_failed(status) ? status : snw_project_put_field(test->project, &field, 0, NULL, &error);
}

/* The character with its joints in another order and one more, its mesh moved, a clip that is another and one that is new. */
static snw_status put_character(project_test *test) {
	snw_scene *fresh = snw_scene_copy(test->scene);
	snw_skeleton *skeleton = &fresh->skeleton;
	skeleton->joint_count = 5;
	skeleton->names = FIXTURE_COPY(fresh->arena, (const char *[]){"tail", "hand", "root", "arm", "other root"});
	skeleton->parents = FIXTURE_COPY(fresh->arena, (uint32_t[]){2, 3, SNW_NONE, 2, SNW_NONE});
	skeleton->rest_local = SNW_NEW_ARRAY(fresh->arena, snw_transform, 5);
	memcpy(skeleton->rest_local + 1, test->scene->skeleton.rest_local, 4 * sizeof(snw_transform));
	skeleton->rest_local[0] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	skeleton->rest_local[3].translation[1] += 0.5;
	check_ok(snw_skeleton_finish(skeleton, fresh->arena, &error), error);
	fresh->slot_joints = FIXTURE_COPY(fresh->arena, (uint32_t[]){2, 1, 2});
	fresh->pose_count = 1;
	fresh->poses = snw_pose_rest(fresh, fresh->arena);
	fresh->channels = FIXTURE_COPY(fresh->arena, (snw_channel[]){{.name = "frown"}, {.name = "smile", .initial = 0.25}});
	snw_mesh *meshes = snw_arena_copy(fresh->arena, fresh->meshes, 2 * sizeof *meshes);
	double *points = snw_arena_copy(fresh->arena, meshes[0].points_rest, 24 * sizeof *points);
	points[3] += 1;
	meshes[0].points_rest = points;
	fresh->meshes = meshes;
	const snw_track track = {.target = 3, .path = SNW_PATH_SCALE, .key_count = 1, .seconds = points, .values = points + 1};
	fresh->clips =
		FIXTURE_COPY(fresh->arena, (snw_clip[]){{.name = "walk", .duration_seconds = 1, .track_count = 1, .tracks = &track},
												{.name = "run", .duration_seconds = 2}});
	points[0] = 0;
	snw_transfer result;
	snw_status status = snw_scene_transfer(test->scene, fresh, fresh->arena, &result, &error);
	status = snw_failed(status) ? status : snw_project_put_character(test->project, &result, &error);
	snw_scene_destroy(fresh);
	return status;
}

static snw_status many_things_at_once(project_test *test) {
	snw_status status = add_pose(test);
	status = snw_failed(status) ? status : remove_example_with_its_group(test);
	status = snw_failed(status) ? status : add_example(test);
	status = snw_failed(status) ? status : move_layer_up(test);
	return snw_failed(status) ? status : add_layer_at_the_bottom(test);
}

static const struct command {
	const char *name;
	snw_status (*run)(project_test *test);
} commands[] = {
#define COMMAND(name)                                                                                                          \
	{ #name, name }
	COMMAND(add_pose),
	COMMAND(replace_pose_by_name),
	COMMAND(rename_pose_by_id),
	COMMAND(add_example),
	COMMAND(replace_example),
	COMMAND(remove_example_with_its_group),
	COMMAND(remove_first_member),
	COMMAND(add_group),
	COMMAND(reorder_group),
	COMMAND(remove_group),
	COMMAND(add_field),
	COMMAND(replace_field),
	COMMAND(remove_field),
	COMMAND(add_large_target),
	COMMAND(replace_target),
	COMMAND(remove_target),
	COMMAND(add_clip),
	COMMAND(replace_clip),
	COMMAND(remove_clip),
	COMMAND(add_model),
	COMMAND(replace_model),
	COMMAND(remove_model),
	COMMAND(add_layer_at_the_bottom),
	COMMAND(move_layer_up),
	COMMAND(mute_layer),
	COMMAND(remove_layer_with_its_model),
	COMMAND(put_skin),
	COMMAND(put_skeleton),
	COMMAND(put_character),
	COMMAND(remove_example_then_its_pose),
	COMMAND(many_things_at_once),
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

#endif
