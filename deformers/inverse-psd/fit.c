/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: the pose spaces, the inverted sculpts, and from them a model.
 */
#include "inverse-psd/fit.h"

#include <string.h>

#include "sinew/kit/bounds.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

static void find_rotation_joints(const snw_character_view *character, const snw_mesh_view *mesh, uint32_t *rotation_joints) {
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		uint32_t slot;
		double weight;
		rotation_joints[i] = snk_largest_influences(mesh, i, 1, &slot, &weight) > 0 ? character->slot_joints[slot] : SNW_NONE;
	}
}

/* All examples as the only group; NULL without memory. */
static const snw_group_view *const *group_of_all(fitting *f) {
	const uint32_t count = f->input->example_count;
	snw_group_view *group = SNW_POOL_ARRAY(&f->scratch, snw_group_view, 1);
	snw_member_view *members = SNW_POOL_ARRAY(&f->scratch, snw_member_view, count);
	const snw_member_view **list = SNW_POOL_ARRAY(&f->scratch, const snw_member_view *, count);
	const snw_group_view **groups = SNW_POOL_ARRAY(&f->scratch, const snw_group_view *, 1);
	if (f->scratch.failed) {
		return NULL;
	}
	for (uint32_t e = 0; e < count; e++) {
		members[e] = (snw_member_view){.size = sizeof *members, .example = e};
		list[e] = &members[e];
	}
	*group = (snw_group_view){.size = sizeof *group, .name = "all", .member_count = count, .members = list};
	groups[0] = group;
	return groups;
}

/* Without groups, all examples are one. */
static snw_status open_groups(fitting *f) {
	const snw_fit_input *input = f->input;
	f->group_count = input->group_count;
	f->groups = input->groups;
	if (input->group_count == 0) {
		f->group_count = 1;
		f->groups = group_of_all(f);
	}
	for (uint32_t e = 0; !f->scratch.failed && e < input->example_count; e++) {
		int grouped = 0;
		for (uint32_t g = 0; g < f->group_count; g++) {
			grouped |= group_has(f->groups[g], e);
		}
		if (!grouped) {
			snw_report_line(f->host, SNW_LOG_WARNING,
							"example \"%s\" is in no group and is not used; add it to one with 'example join'",
							input->examples[e]->name);
		}
	}
	size_t members = 0;
	for (uint32_t g = 0; f->groups && g < f->group_count; g++) {
		members += f->groups[g]->member_count;
	}
	f->inverted = SNW_POOL_ARRAY(&f->scratch, inverted, members);
	f->inverted_groups = SNW_POOL_ARRAY(&f->scratch, uint32_t, members);
	f->spaces = SNW_POOL_ARRAY(f->model_pool, pose_space, f->group_count);
	f->member_coefficients = SNW_POOL_ARRAY(&f->scratch, uint32_t *, f->group_count);
	return f->model_pool->failed || f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status open_meshes(fitting *f) {
	const snw_character_view *character = f->input->character;
	uint32_t most = 0;
	f->meshes = SNW_POOL_ARRAY(&f->scratch, mesh_state, character->mesh_count);
	for (uint32_t m = 0; f->meshes && m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = character->meshes[m];
		mesh_state *state = &f->meshes[m];
		most = mesh->point_count > most ? mesh->point_count : most;
		*state = (mesh_state){.diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count),
							  .rotation_joints = SNW_POOL_ARRAY(&f->scratch, uint32_t, mesh->point_count),
							  .residual = SNW_POOL_ARRAY(&f->scratch, double, mesh->point_count),
							  .conditioning = SNW_POOL_ARRAY(&f->scratch, double, mesh->point_count)};
		if (f->scratch.failed) {
			break;
		}
		find_rotation_joints(character, mesh, state->rotation_joints);
	}
	for (uint32_t e = 0; !f->scratch.failed && e < f->input->example_count; e++) {
		f->meshes[f->input->examples[e]->mesh].has_examples = 1;
	}
	f->matrices = SNW_POOL_ARRAY(&f->scratch, double, 12 * (size_t)(f->is_weighted ? most : MATRIX_BLOCK));
	f->posed = SNW_POOL_ARRAY(&f->scratch, double, 3 * (size_t)most);
	return f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void propose_fields(const fitting *f) {
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		if (f->meshes[m].has_examples) {
			const uint32_t points = f->input->character->meshes[m]->point_count;
			snk_field_propose(f->host, m, "residual", SNW_DOMAIN_POINTS, points, f->meshes[m].residual);
			snk_field_propose(f->host, m, "conditioning", SNW_DOMAIN_POINTS, points, f->meshes[m].conditioning);
		}
	}
}

static snw_status fit_group(fitting *f, uint32_t g) {
	const double begun = snk_clock_seconds();
	snw_status status = find_pose_space(f, g);
	const double posed = snk_clock_seconds();
	status = snk_failed(status) ? status : invert_group(f, g);
	const double done = snk_clock_seconds();
	status = snk_failed(status) ? status : find_classes(f, g);
	status = snk_failed(status) ? status : solve_weights(f, g);
	f->seconds.poses += posed - begun;
	f->seconds.inversion += done - posed;
	f->seconds.functions += snk_clock_seconds() - done;
	return status;
}

static void report_seconds(const fitting *f) {
	const part_seconds *t = &f->seconds;
	const snw_measured_number numbers[] = {{"poses", t->poses, "s"},
										   {"inversion", t->inversion, "s"},
										   {"closed form", t->closed_form, "s"},
										   {"basis functions", t->functions, "s"}};
	snw_report_measurements(f->host, "time", numbers, sizeof numbers / sizeof *numbers);
}

static snw_status run(fitting *f, snw_model *model) {
	snw_status status = open_groups(f);
	status = snk_failed(status) ? status : open_meshes(f);
	for (uint32_t g = 0; !snk_failed(status) && g < f->group_count; g++) {
		status = fit_group(f, g);
	}
	status = snk_failed(status) ? status : gather_model(f, model);
	if (!snk_failed(status)) {
		propose_fields(f);
		report_seconds(f);
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	fitting f = {.host = instance->host,
				 .input = input,
				 .model_pool = &made->pool,
				 .scratch = snw_pool_open(instance->host),
				 .is_weighted = input->values[WEIGHTED].numbers[0] != 0};
	snw_status status = run(&f, made);
	status = !snk_failed(status) && f.ill_conditioned > 0 ? SNW_ILL_CONDITIONED : status;
	snw_pool_release(&f.scratch);
	return snk_model_finish(status, made, model);
}
