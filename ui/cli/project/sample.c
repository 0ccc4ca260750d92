/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew sample: creates a sample character or mesh animation.
 */
#include "sample/sample.h"

#include "base/error.h"
#include "cli/command_line/output_path.h"
#include "cli/command_line/verb.h"
#include "project/project.h"

static snw_status run_sample(snw_call *call, snw_error *error) {
	const char *name = call->arguments[0];
	const char *path = snw_call_option(call, "-o");
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the output is missing; name it: sinew sample %s -o P.sinew", name);
	}
	snw_scene *scene = NULL;
	snw_status status = snw_output_project(call, path, error);
	if (!snw_failed(status)) {
		status = snw_sample_make(name, &scene, error);
	}
	if (!snw_failed(status)) {
		status = snw_project_write(path, scene, snw_arena_format(call->arena, "sample %s", name), error);
	}
	if (!snw_failed(status)) {
		uint32_t points = 0;
		for (uint32_t i = 0; i < scene->mesh_count; i++) {
			points += scene->meshes[i].point_count;
		}
		snw_say(call, "%s: %u point%s, %u joint%s, %u clip%s, %u example%s", path, points, snw_plural(points),
				scene->skeleton.joint_count, snw_plural(scene->skeleton.joint_count), scene->clip_count,
				snw_plural(scene->clip_count), scene->example_count, snw_plural(scene->example_count));
		snw_answer_text(call->answer, "project", path);
		snw_answer_number(call->answer, "points", points);
		snw_answer_number(call->answer, "joints", scene->skeleton.joint_count);
	}
	snw_scene_destroy(scene);
	return status;
}

static const snw_option sample_options[] = {
	{"-o", "P.sinew", "the project to write"},
	{"--replace", NULL, "overwrite a project even if it has changes"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_sample = {
	.name = "sample",
	.usage = "arm|small-arm|tiny-arm|bar|cloth|face|tube|twist-bar|elbow|muscle-arm|dressed|limbs -o P.sinew",
	.help = "Creates a sample character or mesh animation.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = sample_options,
	.run = run_sample,
};
