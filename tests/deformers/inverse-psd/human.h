/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The human rig of the test data with its six sculpts as examples: arms and legs in groups of their own for each side, which
 * share the sculpts of both sides through masks, and the neck.
 */
#ifndef SINEW_TESTS_DEFORMERS_INVERSE_PSD_HUMAN_H
#define SINEW_TESTS_DEFORMERS_INVERSE_PSD_HUMAN_H

#include "deformers/fitting.h"
#include "import/import.h"

enum { HUMAN_SCULPTS = 6 };
static const char *const human_sculpts[HUMAN_SCULPTS] = {"elbow120", "elbow120_twist70", "shoulder_up", "knee110", "hip90",
														 "neck60"};

/* A group: its sculpts by index, and on which side; 0 for both. */
typedef struct human_group {
	const char *name;
	int side;
	uint32_t count;
	uint32_t sculpts[3];
} human_group;

static const human_group human_groups[] = {
	{"elbow-left", 1, 2, {0, 1}},   {"elbow-right", -1, 2, {0, 1}}, {"shoulder-left", 1, 1, {2}},
	{"shoulder-right", -1, 1, {2}}, {"knee-left", 1, 1, {3}},       {"knee-right", -1, 1, {3}},
	{"hip-left", 1, 1, {4}},        {"hip-right", -1, 1, {4}},      {"neck", 0, 1, {5}},
};
enum { HUMAN_GROUPS = sizeof human_groups / sizeof *human_groups };

/* Fields "left" and "right": they sum to 1, and blend over 4 cm around the middle. */
static inline void human_make_masks(snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	snw_field *fields = SNW_NEW_ARRAY(scene->arena, snw_field, 2);
	for (int side = 0; side < 2; side++) {
		double *values = SNW_NEW_ARRAY(scene->arena, double, mesh->point_count);
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			const double t = fmin(fmax(mesh->points_rest[3 * (size_t)i] / 0.04 + 0.5, 0), 1), share = t * t * (3 - 2 * t);
			values[i] = side == 0 ? share : 1 - share;
		}
		fields[side] = (snw_field){.name = side == 0 ? "left" : "right",
								   .domain = SNW_DOMAIN_POINTS,
								   .components = 1,
								   .count = mesh->point_count,
								   .values = values};
	}
	scene->field_count = 2;
	scene->fields = fields;
}

static inline void human_make_examples(snw_scene *scene) {
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, scene->pose_count + HUMAN_SCULPTS);
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, HUMAN_SCULPTS);
	memcpy(poses, scene->poses, scene->pose_count * sizeof *poses);
	for (uint32_t s = 0; s < HUMAN_SCULPTS; s++) {
		char path[100];
		snw_pose *pose;
		snw_mesh target;
		snw_error error;
		snprintf(path, sizeof path, "human-sculpts/%s.json", human_sculpts[s]);
		check_ok(snw_pose_read_json(scene, check_data(path), scene->arena, &pose, &error), error);
		snprintf(path, sizeof path, "human-sculpts/%s-target.obj", human_sculpts[s]);
		check_ok(snw_import_obj_mesh(check_data(path), scene->arena, &target, &error), error);
		assert_int_equal(target.point_count, scene->meshes[0].point_count);
		pose->name = human_sculpts[s];
		poses[scene->pose_count + s] = *pose;
		examples[s] = (snw_example){
			.name = human_sculpts[s], .pose = scene->pose_count + s, .mesh = 0, .points_posed = target.points_rest};
	}
	scene->poses = poses;
	scene->pose_count += HUMAN_SCULPTS;
	scene->examples = examples;
	scene->example_count = HUMAN_SCULPTS;
}

static inline void human_make_groups(snw_scene *scene, uint32_t count, const human_group *from) {
	snw_group *groups = SNW_NEW_ARRAY(scene->arena, snw_group, count);
	for (uint32_t g = 0; g < count; g++) {
		snw_member *members = SNW_NEW_ARRAY(scene->arena, snw_member, from[g].count);
		for (uint32_t m = 0; m < from[g].count; m++) {
			members[m].example = from[g].sculpts[m];
			members[m].mask = from[g].side == 0 ? SNW_NONE : from[g].side > 0 ? 0 : 1;
		}
		groups[g] = (snw_group){.name = from[g].name, .member_count = from[g].count, .members = members};
	}
	scene->groups = groups;
	scene->group_count = count;
}

/* What the black-box rig makes of a clip: frame f at f / 24 seconds. */
static inline void human_make_target(snw_scene *scene, const char *clip, const char *file) {
	snw_point_frames frames;
	snw_error error;
	check_ok(snw_import_frames(check_data(file), scene->meshes[0].point_count, 24, scene->arena, NULL, &frames, &error), error);
	for (uint32_t f = 0; f < frames.frame_count; f++) {
		frames.seconds[f] = f / 24.0;
	}
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = (snw_target){.name = clip,
						   .mesh = 0,
						   .clip = snw_scene_find_clip(scene, clip),
						   .frame_count = frames.frame_count,
						   .seconds = frames.seconds,
						   .points_posed = frames.points};
	scene->targets = target;
	scene->target_count = 1;
}

/* Before anything is opened. */
static inline void human_need(void) {
	check_data("human-rig");
	check_data("human-sculpts");
}

static inline snw_scene *human_make(void) {
	const snw_import_request request = {.file = check_data("human-rig/human.glb")};
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	human_make_masks(scene);
	human_make_examples(scene);
	human_make_groups(scene, HUMAN_GROUPS, human_groups);
	human_make_target(scene, "rom", "human-rig/target-rom.pc2");
	check_ok(snw_scene_check(scene, &error), error);
	return scene;
}

#endif
