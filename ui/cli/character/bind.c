/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bind: skin weights for a skeleton, committed as one step.
 */
#include "cli/command_line/options/named_joints.h"
#include "cli/command_line/options/settings.h"
#include "cli/command_line/options/worker_limits.h"
#include "cli/command_line/verb.h"
#include "cli/stack/propose.h"
#include "example/masks.h"
#include "fit/commit.h"
#include "scene/nouns.h"

/* The mesh that --on names; SNW_NONE for all. */
static snw_status find_mesh(const snw_call *call, const snw_scene *scene, uint32_t *mesh, snw_error *error) {
	const char *name = snw_call_option(call, "--on");
	*mesh = SNW_NONE;
	return name ? snw_noun_find(scene, SNW_NOUN_MESH, name, mesh, error) : SNW_OK;
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

/* What keeps its weights. A mask is one mesh's. */
static snw_status find_held(const snw_call *call, const snw_opened *opened, uint32_t *mesh, snw_skin_choice *choice,
							snw_error *error) {
	const char *mask = snw_call_option(call, "--mask");
	uint32_t *locked;
	if ((mask || snw_call_option(call, "--lock")) && !snw_call_option(call, "--replace")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s keeps some of the existing weights; it goes with --replace",
						mask ? "--mask" : "--lock");
	}
	snw_status status = snw_call_joints(call, "--lock", opened->scene, &choice->lock_count, &locked, error);
	choice->locked = locked;
	if (!snw_failed(status) && mask) {
		status = snw_opened_mesh(call, opened, mesh, error);
		status = snw_failed(status) ? status : snw_mask_values(opened->scene, *mesh, mask, call->arena, &choice->mask, error);
	}
	return status;
}

/* Which weights are replaced; refused where there are none. */
static snw_status choose(const snw_call *call, const snw_opened *opened, snw_skin_choice *choice, snw_error *error) {
	uint32_t mesh;
	*choice = (snw_skin_choice){.replaces = snw_call_option(call, "--replace") != NULL};
	snw_status status = find_mesh(call, opened->scene, &mesh, error);
	status = snw_failed(status) ? status : expect_work(call, opened->scene, mesh, error);
	status = snw_failed(status) ? status : find_held(call, opened, &mesh, choice, error);
	choice->mesh = snw_failed(status) || mesh == SNW_NONE ? 0 : opened->scene->meshes[mesh].id;
	return status;
}

static snw_status prepare(snw_call *call, const snw_opened *opened, const snw_descriptor *descriptor, snw_fit_request *request,
						  snw_error *error) {
	(void)request;
	snw_skin_choice choice;
	const snw_status status = snw_call_add_setting(call, "--influences", descriptor, SNW_ROLE_INFLUENCES, error);
	return snw_failed(status) ? status : choose(call, opened, &choice, error);
}

static snw_status commit(const snw_call *call, const snw_opened *opened, snw_fit_outcome *outcome, snw_error *error) {
	snw_skin_choice choice;
	const snw_status status = choose(call, opened, &choice, error);
	return snw_failed(status) ? status
							  : snw_project_commit_skins(opened->project, opened->registry, &choice, outcome, "bind", error);
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
	{"--lock", "JOINT", "a joint that keeps its weights; may be repeated"},
	{"--mask", "MASK", "where weights are replaced: field:NAME, x+, x- (y, z) or joints:A,B"},
	{"--method", "METHOD", "which method makes them, where several can"},
	{"--set", "KEY=VALUE", "a parameter of the method; may be repeated; 'sinew plugins' lists the parameters"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bind = {
	.name = "bind",
	.usage = "P.sinew [--on MESH] [--influences K] [--replace] [--lock JOINT]… [--mask MASK]",
	.help = "Makes skin weights for the skeleton: from motion where there is any, else from the shape.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
