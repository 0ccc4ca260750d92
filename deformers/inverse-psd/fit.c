/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: the pose spaces, the inverted sculpts, and from them a model.
 */
#include "inverse-psd/fit.h"

#include <math.h>
#include <string.h>

#include "sinew/report.h"

snw_status create(const snw_host *host, snw_instance **instance) {
	snw_pool pool = snw_pool_open(host);
	snw_instance *made = SNW_POOL_ARRAY(&pool, snw_instance, 1);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_instance){.pool = pool, .host = host};
	*instance = made;
	return SNW_OK;
}

void destroy(snw_instance *instance) {
	if (instance) {
		snw_pool_release(&instance->pool);
	}
}

static double diagonal_of(const snw_mesh_view *mesh) {
	double squared = 0;
	for (int c = 0; c < 3; c++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			low = fmin(low, mesh->points_rest[3 * (size_t)i + c]);
			high = fmax(high, mesh->points_rest[3 * (size_t)i + c]);
		}
		squared += mesh->point_count > 0 ? (high - low) * (high - low) : 0;
	}
	return sqrt(squared);
}

static void find_carriers(const snw_character_view *character, const snw_mesh_view *mesh, uint32_t *carriers) {
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double most = 0;
		carriers[i] = SNW_NONE;
		for (uint32_t k = mesh->influence_offsets ? mesh->influence_offsets[i] : 0;
			 mesh->influence_offsets && k < mesh->influence_offsets[i + 1]; k++) {
			if (mesh->influence_weights[k] > most) {
				most = mesh->influence_weights[k];
				carriers[i] = character->slot_joints[mesh->influence_slots[k]];
			}
		}
	}
}

/* Without groups, all examples are one. */
static snw_status open_groups(fitting *f) {
	const snw_fit_input *input = f->input;
	f->group_count = input->group_count;
	f->groups = input->groups;
	if (input->group_count == 0) {
		snw_group_view *group = SNW_POOL_ARRAY(&f->scratch, snw_group_view, 1);
		snw_member_view *members = SNW_POOL_ARRAY(&f->scratch, snw_member_view, input->example_count);
		for (uint32_t e = 0; members && e < input->example_count; e++) {
			members[e].example = e;
		}
		if (group) {
			*group = (snw_group_view){
				.size = sizeof *group, .name = "all", .member_count = input->example_count, .members = members};
		}
		f->group_count = 1;
		f->groups = group;
	}
	for (uint32_t e = 0; !f->scratch.failed && e < input->example_count; e++) {
		int grouped = 0;
		for (uint32_t g = 0; g < f->group_count; g++) {
			grouped |= group_has(&f->groups[g], e);
		}
		if (!grouped) {
			snw_report_line(f->host, SNW_LOG_WARNING, "example \"%s\" is in no group, and is not used",
							input->examples[e].name);
		}
	}
	f->spaces = SNW_POOL_ARRAY(f->kept, pose_space, f->group_count);
	f->member_coefficients = SNW_POOL_ARRAY(&f->scratch, uint32_t *, f->group_count);
	return f->kept->failed || f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status open_meshes(fitting *f) {
	const snw_character_view *character = f->input->character;
	uint32_t most = 0;
	f->meshes = SNW_POOL_ARRAY(&f->scratch, mesh_state, character->mesh_count);
	for (uint32_t m = 0; f->meshes && m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = &character->meshes[m];
		mesh_state *state = &f->meshes[m];
		most = mesh->point_count > most ? mesh->point_count : most;
		*state = (mesh_state){.diagonal = diagonal_of(mesh),
							  .carriers = SNW_POOL_ARRAY(&f->scratch, uint32_t, mesh->point_count),
							  .residual = SNW_POOL_ARRAY(&f->scratch, double, mesh->point_count),
							  .conditioning = SNW_POOL_ARRAY(&f->scratch, double, mesh->point_count)};
		if (f->scratch.failed) {
			break;
		}
		find_carriers(character, mesh, state->carriers);
	}
	for (uint32_t e = 0; !f->scratch.failed && e < f->input->example_count; e++) {
		f->meshes[f->input->examples[e].mesh].has_examples = 1;
	}
	f->matrices = SNW_POOL_ARRAY(&f->scratch, double, 12 * (size_t)most);
	f->posed = SNW_POOL_ARRAY(&f->scratch, double, 3 * (size_t)most);
	return f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* One mesh's list as the arrays of a program, in the order in which the groups act. */
static snw_status flatten(fitting *f, const displacement_list *list, int is_posed, snw_displacements *flat) {
	if (list->point_count > UINT32_MAX) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT, "the sculpts move too many points for one model");
	}
	uint32_t *coefficients = SNW_POOL_ARRAY(f->kept, uint32_t, list->count);
	uint32_t *offsets = SNW_POOL_ARRAY(f->kept, uint32_t, (size_t)list->count + 1);
	uint32_t *points = SNW_POOL_ARRAY(f->kept, uint32_t, list->point_count);
	double *vectors = SNW_POOL_ARRAY(f->kept, double, 3 * list->point_count);
	uint32_t *frames = SNW_POOL_ARRAY(f->kept, uint32_t, list->count);
	const char **names = SNW_POOL_ARRAY(f->kept, const char *, list->count);
	if (f->kept->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t n = 0;
	for (const displacement *item = list->first; item; item = item->next, n++) {
		coefficients[n] = item->coefficient;
		frames[n] = item->joint;
		names[n] = coefficient_name(f->group_count, f->spaces, item->coefficient);
		offsets[n + 1] = offsets[n] + item->count;
		memcpy(points + offsets[n], item->points, item->count * sizeof *points);
		memcpy(vectors + 3 * (size_t)offsets[n], item->vectors, 3 * (size_t)item->count * sizeof *vectors);
	}
	*flat = (snw_displacements){.count = list->count,
								.coefficients = coefficients,
								.offsets = offsets,
								.points = points,
								.vectors = vectors,
								.frames = is_posed ? frames : NULL,
								.names = names};
	return SNW_OK;
}

static snw_status gather_meshes(fitting *f, snw_model *model) {
	const snw_character_view *character = f->input->character;
	correction *meshes = SNW_POOL_ARRAY(f->kept, correction, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; status == SNW_OK && m < character->mesh_count; m++) {
		meshes[m].point_count = character->meshes[m].point_count;
		status = flatten(f, &f->meshes[m].rest, 0, &meshes[m].rest);
		if (status == SNW_OK) {
			status = flatten(f, &f->meshes[m].posed, 1, &meshes[m].posed);
		}
		model->has_posed |= f->meshes[m].posed.count > 0;
	}
	model->mesh_count = character->mesh_count;
	model->meshes = meshes;
	return status;
}

static snw_status copy_joint_names(fitting *f, snw_model *model) {
	const snw_skeleton_view *skeleton = &f->input->character->skeleton;
	const char **names = SNW_POOL_ARRAY(f->kept, const char *, skeleton->joint_count);
	for (uint32_t j = 0; names && j < skeleton->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = SNW_POOL_ARRAY(f->kept, char, bytes);
		if (name) {
			memcpy(name, skeleton->names[j], bytes);
		}
		names[j] = name;
	}
	model->joint_count = skeleton->joint_count;
	model->joint_names = names;
	return f->kept->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void propose_fields(const fitting *f) {
	const snw_proposal_service *proposal = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	for (uint32_t m = 0; proposal && m < f->input->character->mesh_count; m++) {
		if (f->meshes[m].has_examples) {
			snw_field_view field = {.size = sizeof field,
									.name = "residual",
									.domain = SNW_DOMAIN_POINTS,
									.components = 1,
									.count = f->input->character->meshes[m].point_count,
									.values = f->meshes[m].residual};
			proposal->field(f->host, m, &field);
			field.name = "conditioning";
			field.values = f->meshes[m].conditioning;
			proposal->field(f->host, m, &field);
		}
	}
}

static snw_status run(fitting *f, snw_model *model) {
	snw_status status = open_groups(f);
	if (status == SNW_OK) {
		status = open_meshes(f);
	}
	for (uint32_t g = 0; status == SNW_OK && g < f->group_count; g++) {
		status = find_pose_space(f, g);
		model->coefficient_count += f->spaces[g].coefficient_count;
	}
	for (uint32_t g = 0; status == SNW_OK && g < f->group_count; g++) {
		status = invert_group(f, g);
	}
	if (status == SNW_OK) {
		status = gather_meshes(f, model);
	}
	if (status == SNW_OK) {
		status = copy_joint_names(f, model);
	}
	if (status == SNW_OK) {
		model->group_count = f->group_count;
		model->groups = f->spaces;
		propose_fields(f);
	}
	return status;
}

snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool kept = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&kept, snw_model, 1);
	fitting f = {.host = instance->host, .input = input, .kept = &kept, .scratch = snw_pool_open(instance->host)};
	const snw_status status = made ? run(&f, made) : SNW_ERROR_MEMORY;
	snw_pool_release(&f.scratch);
	if (status != SNW_OK) {
		snw_pool_release(&kept);
		return status;
	}
	made->pool = kept;
	*model = made;
	return f.ill_conditioned > 0 ? SNW_ILL_CONDITIONED : SNW_OK;
}

void release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}
