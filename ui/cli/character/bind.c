/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bind: skin weights for a skeleton, committed as one step.
 */
#include "cli/command_line/settings.h"
#include "cli/command_line/verb.h"
#include "cli/command_line/worker_limits.h"
#include "cli/stack/propose.h"
#include "edit/commit_fit.h"

/* The mesh that --on names; SNW_NONE for all. */
static snw_status find_mesh(const snw_call *call, const snw_scene *scene, uint32_t *mesh, snw_error *error) {
	const char *name = snw_call_option(call, "--on");
	*mesh = name ? snw_scene_find_mesh(scene, name) : SNW_NONE;
	return !name || *mesh != SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "--on %s: no such mesh; 'sinew info' lists them", name);
}

/* Weights that are there are replaced only on request. */
static bool wants(const snw_call *call, const snw_scene *scene, uint32_t chosen, uint32_t mesh) {
	return (chosen == SNW_NONE || chosen == mesh) &&
		   (!scene->meshes[mesh].influence_offsets || snw_call_option(call, "--replace"));
}

static snw_status expect_work(const snw_call *call, const snw_scene *scene, uint32_t chosen, snw_error *error) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (wants(call, scene, chosen, m)) {
			return SNW_OK;
		}
	}
	return scene->mesh_count == 0
			   ? snw_fail(error, SNW_ERROR_MISSING, "the project has no mesh to bind")
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s has skin weights; --replace puts others in their place",
						  chosen == SNW_NONE ? "every mesh"
											 : snw_arena_format(call->arena, "mesh '%s'", scene->meshes[chosen].name));
}

static snw_status prepare(snw_call *call, const snw_opened *opened, snw_fit_request *request, snw_error *error) {
	(void)request;
	uint32_t mesh;
	const snw_status status = find_mesh(call, opened->scene, &mesh, error);
	snw_call_add_setting(call, "--influences", "influences");
	return snw_failed(status) ? status : expect_work(call, opened->scene, mesh, error);
}

static snw_status commit(const snw_call *call, const snw_opened *opened, snw_fit_outcome *outcome, snw_error *error) {
	uint32_t mesh;
	const snw_status status = find_mesh(call, opened->scene, &mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_skin_choice choice = {.mesh = mesh == SNW_NONE ? 0 : opened->scene->meshes[mesh].id,
									.replaces = snw_call_option(call, "--replace") != NULL};
	return snw_project_commit_skins(opened->project, opened->registry, &choice, outcome, "bind", error);
}

static void print(const snw_call *call, const snw_scene *scene, const snw_fit_outcome *outcome) {
	const uint32_t count = outcome->proposals.skin_count;
	snw_say(call, "weights of %u mesh%s in %.3f s; 'sinew undo' takes them back", count, count == 1 ? "" : "es",
			outcome->seconds);
	snw_answer_number(call->answer, "seconds", outcome->seconds);
	cJSON *rows = snw_answer_list(call->answer, "meshes");
	for (uint32_t i = 0; i < count; i++) {
		snw_answer_text(snw_answer_row(rows), "mesh", scene->meshes[outcome->proposals.skins[i].mesh].name);
	}
}

static snw_status run(snw_call *call, snw_error *error) {
	static const snw_proposing_verb verb = {
		.trait = SNW_MAKES_WEIGHTS, .made = "skin weights", .prepare = prepare, .commit = commit, .print = print};
	return snw_propose(call, &verb, error);
}

static const snw_option options[] = {
	{"--on", "MESH", "which mesh (default: all)"},
	{"--influences", "K", "the most joints that may move one point"},
	{"--replace", NULL, "replace existing weights"},
	{"--method", "METHOD", "which method makes them, where several can"},
	{"--set", "key=value", "a parameter of the method; may be repeated; 'sinew plugins' lists the parameters"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bind = {
	.name = "bind",
	.usage = "P.sinew [--on MESH] [--influences K] [--replace]",
	.help = "Makes skin weights for the skeleton: from motion where there is any, else from the shape.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
