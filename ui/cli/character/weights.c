/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew weights: skin weights edited as a whole.
 */
#include <string.h>

#include "base/plural.h"
#include "cli/character/mirror.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/named_joints.h"
#include "edit/weights/edit_weights.h"
#include "edit/weights/take_weights.h"
#include "sculpt/symmetry_plane.h"

static snw_status expect_skin(const snw_mesh *mesh, snw_error *error) {
	return mesh->influence_offsets
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no skin weights; 'sinew bind' makes them", mesh->name);
}

/* Options of `prune` mean nothing to the other actions. */
static snw_status expect_options(const snw_call *call, snw_error *error) {
	static const char *const pruning[] = {"--influences", "--least"};
	for (int k = 0; k < 2; k++) {
		if (!snw_action_is(call, "prune") && snw_call_option(call, pruning[k])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s goes with 'prune' alone; leave it out", pruning[k]);
		}
	}
	return SNW_OK;
}

static snw_status normalise(const snw_call *call, const snw_mesh *mesh, snw_mesh *result, snw_error *error) {
	const snw_status status = expect_skin(mesh, error);
	if (!snw_failed(status)) {
		*result = snw_skin_normalise(mesh, call->arena);
	}
	return status;
}

static snw_status prune(const snw_call *call, const snw_scene *scene, const snw_mesh *mesh, uint32_t lock_count,
						const uint32_t *locked, snw_mesh *result, snw_error *error) {
	double most, least;
	snw_status status = expect_skin(mesh, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--influences", 1, 1000, 4, &most, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--least", 0, 1, 0, &least, error);
	if (!snw_failed(status)) {
		*result = snw_skin_prune(scene, mesh, (uint32_t)most, least, lock_count, locked, call->arena);
	}
	return status;
}

static snw_status mirror(const snw_call *call, const snw_scene *scene, const snw_mesh *mesh, snw_mesh *result,
						 snw_error *error) {
	const char *from = snw_call_option(call, "--from");
	snw_mirror_options options = {.plane = snw_symmetry_plane(scene, (uint32_t)(mesh - scene->meshes))};
	snw_mirror_map map;
	snw_mirror_joints joints;
	if (from && strcmp(from, "+") != 0 && strcmp(from, "-") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--from %s: expected + or -", from);
	}
	snw_status status = expect_skin(mesh, error);
	status = snw_failed(status) ? status : snw_call_mirror_plane(call, &options.plane, error);
	status = snw_failed(status) ? status : snw_mirror_map_build(mesh, &options, call->arena, &map, error);
	if (!snw_failed(status)) {
		snw_mirror_joints_find(scene, &options.plane, 0, call->arena, &joints);
		status = snw_skin_mirror(scene, mesh, &map, &joints, !from || from[0] == '+', call->arena, result, error);
	}
	if (!snw_failed(status)) {
		snw_say(call, "%u pairs of points, %u in the middle, %u without a partner; %u pairs of joints, %u without a partner",
				map.pair_count, map.middle_count, map.unpaired_count, joints.pair_count, joints.unpaired_count);
	}
	return status;
}

static snw_status copy(const snw_call *call, const snw_scene *scene, const snw_mesh *mesh, snw_mesh *result, snw_error *error) {
	const char *name = snw_call_option(call, "--from");
	const uint32_t from = name ? snw_scene_find_mesh(scene, name) : SNW_NONE;
	if (from == SNW_NONE) {
		return snw_fail(error, name ? SNW_ERROR_MISSING : SNW_ERROR_ARGUMENT, "%s",
						name ? snw_arena_format(call->arena, "--from %s: no such mesh; 'sinew info' lists them", name)
							 : "the mesh to copy from is missing; name it with --from MESH");
	}
	const snw_status status = expect_skin(&scene->meshes[from], error);
	return snw_failed(status) ? status
							  : snw_skin_from_mesh(mesh, &scene->meshes[from], &call->task, call->arena, result, error);
}

static snw_status edit(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const snw_scene *scene = opened->scene;
	uint32_t index, lock_count, *locked;
	snw_mesh result;
	snw_status status = snw_opened_mesh(call, opened, &index, error);
	status = snw_failed(status) ? status : expect_options(call, error);
	status = snw_failed(status) ? status : snw_call_joints(call, "--lock", scene, &lock_count, &locked, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_mesh *mesh = &scene->meshes[index];
	status = snw_action_is(call, "mirror")      ? mirror(call, scene, mesh, &result, error)
			 : snw_action_is(call, "copy")      ? copy(call, scene, mesh, &result, error)
			 : snw_action_is(call, "normalise") ? normalise(call, mesh, &result, error)
												: prune(call, scene, mesh, lock_count, locked, &result, error);
	if (snw_failed(status)) {
		return status;
	}
	result = snw_skin_lock(scene, mesh, &result, lock_count, locked, call->arena);
	const char *action = call->argument_count > 1 ? call->arguments[1] : "prune";
	const char *label = snw_arena_format(call->arena, "%s weights of %s", action, mesh->name);
	status = snw_project_commit_skin(opened->project, label, &result, error);
	if (!snw_failed(status)) {
		const uint32_t influences = result.influence_offsets[result.point_count];
		snw_say(call, "mesh %s: %u influence%s at %u point%s", mesh->name, influences, snw_plural(influences),
				result.point_count, snw_plural(result.point_count));
		snw_answer_text(call->answer, "mesh", mesh->name);
		snw_answer_number(call->answer, "influences", influences);
	}
	return status;
}

/* The weights that the fitted blend of the stack has learned, for all meshes. */
static snw_status take(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const snw_scene *scene = opened->scene;
	const uint32_t layer = snw_learned_blend(scene, opened->registry);
	if (layer == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"no layer that is not muted has learned weights; 'sinew stack P.sinew list' lists the layers");
	}
	const snw_status status = snw_project_take_weights(opened->project, scene, opened->registry, layer, error);
	if (!snw_failed(status)) {
		snw_say(call, "the skin has the weights of %s, which is muted", scene->layers[layer].name);
		snw_answer_text(call->answer, "layer", scene->layers[layer].name);
	}
	return status;
}

enum { CHANGES = SNW_OPEN_WRITE | SNW_OPEN_PLUGINS | SNW_ACTION_REFITS };

static const snw_action actions[] = {
	{"normalise", edit, CHANGES, NULL},
	{"prune", edit, CHANGES, NULL},
	{"mirror", edit, CHANGES, NULL},
	{"copy", edit, CHANGES, NULL},
	{"take", take, CHANGES | SNW_ACTION_ONE_STEP, "take learned weights"},
	{0},
};

static const snw_action_table weights = {.noun = "mesh", .listed_by = "info", .find = snw_scene_find_mesh, .actions = actions};

static const snw_option options[] = {
	{"--on", "MESH", "which mesh, if there are several"},
	{"--influences", "K", "prune: the most joints that may move one point, locked ones included (default: 4)"},
	{"--least", "W", "prune: drop smaller weights"},
	{"--from", "MESH|+|-", "copy: the mesh to copy from; mirror: the side with larger (+, the default) or smaller coordinates"},
	{"--axis", "x|y|z", "mirror: across which axis (default: x)"},
	{"--plane", "METRES", "mirror: where the plane is (default: where the mesh is symmetric; y and z: 0)"},
	{"--lock", "JOINT", "a joint that keeps its weights; may be repeated"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_weights = {
	.name = "weights",
	.usage = "P.sinew normalise|prune|mirror|copy [--on MESH] [--lock JOINT]… | take",
	.help = "Edits the skin weights of a mesh as a whole.",
	.table = &weights,
	.least_arguments = 2,
	.most_arguments = 2,
	.options = options,
};
