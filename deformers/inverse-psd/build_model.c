/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns a finished fit into a model: the displacements of each mesh as the arrays of a program, with their data.
 */
#include <string.h>

#include "inverse-psd/fit.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

uint32_t first_driven(const fitting *f, uint32_t g) {
	uint32_t first = 0;
	for (uint32_t before = 0; before < g; before++) {
		first += driven_count(&f->spaces[before]);
	}
	return first;
}

/* One mesh's list as the arrays of a program, in the order in which the groups act. */
static snw_status flatten(fitting *f, const displacement_list *list, int is_posed, snw_displacements *flat,
						  const uint32_t **classes) {
	if (list->point_count > UINT32_MAX) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT, "the sculpts move too many points for one model; use fewer examples");
	}
	uint32_t *coefficients = SNW_POOL_ARRAY(f->model_pool, uint32_t, list->count);
	uint64_t *offsets = SNW_POOL_ARRAY(f->model_pool, uint64_t, (size_t)list->count + 1);
	uint32_t *points = SNW_POOL_ARRAY(f->model_pool, uint32_t, list->point_count);
	double *vectors = SNW_POOL_ARRAY(f->model_pool, double, 3 * list->point_count);
	uint32_t *joints = SNW_POOL_ARRAY(f->model_pool, uint32_t, list->count);
	const char **names = SNW_POOL_ARRAY(f->model_pool, const char *, list->count);
	uint32_t *point_classes = f->is_weighted ? SNW_POOL_ARRAY(f->model_pool, uint32_t, list->point_count) : NULL;
	if (f->model_pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t n = 0;
	for (const displacement *item = list->first; item; item = item->next, n++) {
		coefficients[n] = first_driven(f, item->group) + item->coefficient * f->spaces[item->group].class_count;
		joints[n] = item->joint;
		names[n] = f->spaces[item->group].names[item->coefficient];
		offsets[n + 1] = offsets[n] + item->count;
		memcpy(points + offsets[n], item->points, item->count * sizeof *points);
		memcpy(vectors + 3 * offsets[n], item->vectors, 3 * (size_t)item->count * sizeof *vectors);
		if (f->is_weighted && item->classes) {
			memcpy(point_classes + offsets[n], item->classes, item->count * sizeof *points);
		}
	}
	*classes = point_classes;
	*flat = (snw_displacements){.size = sizeof *flat,
								.count = list->count,
								.coefficients = coefficients,
								.offsets = offsets,
								.points = points,
								.vectors = vectors,
								.joints = is_posed ? joints : NULL,
								.names = names};
	return SNW_OK;
}

snw_status copy_skin(snw_pool *pool, const snw_mesh_view *mesh, correction *corrective) {
	snk_base_skin_mesh skin;
	const snw_status status = snk_base_skin_copy_mesh(mesh, pool, &skin);
	corrective->influence_offsets = skin.offsets;
	corrective->influence_slots = skin.slots;
	corrective->influence_weights = skin.weights;
	return status;
}

static snw_status gather_meshes(fitting *f, snw_model *model) {
	const snw_character_view *character = f->input->character;
	correction *meshes = SNW_POOL_ARRAY(f->model_pool, correction, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		meshes[m].point_count = character->meshes[m]->point_count;
		status = flatten(f, &f->meshes[m].rest, 0, &meshes[m].rest, &meshes[m].rest_classes);
		status = snk_failed(status) ? status : flatten(f, &f->meshes[m].posed, 1, &meshes[m].posed, &meshes[m].posed_classes);
		status = snk_failed(status) ? status : copy_skin(f->model_pool, character->meshes[m], &meshes[m]);
		model->has_posed |= f->meshes[m].posed.count > 0;
	}
	model->mesh_count = character->mesh_count;
	model->meshes = meshes;
	return status;
}

static snw_status copy_joint_names(fitting *f, snw_model *model) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	const char **names = SNW_POOL_ARRAY(f->model_pool, const char *, skeleton->joint_count);
	for (uint32_t j = 0; names && j < skeleton->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = SNW_POOL_ARRAY(f->model_pool, char, bytes);
		if (name) {
			memcpy(name, skeleton->names[j], bytes);
		}
		names[j] = name;
	}
	model->joint_count = skeleton->joint_count;
	model->joint_names = names;
	return f->model_pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status gather_inverted(fitting *f, snw_model *model) {
	inverted *all = SNW_POOL_ARRAY(f->model_pool, inverted, f->inverted_count);
	for (uint32_t i = 0; all && i < f->inverted_count; i++) {
		const uint32_t g = f->inverted_groups[i];
		all[i] = f->inverted[i];
		all[i].coefficient = first_driven(f, g) + all[i].coefficient * f->spaces[g].class_count;
	}
	model->inverted_count = f->inverted_count;
	model->inverted = all;
	return all ? SNW_OK : SNW_ERROR_MEMORY;
}

snw_status gather_model(fitting *f, snw_model *model) {
	model->is_weighted = f->is_weighted;
	model->group_count = f->group_count;
	model->groups = f->spaces;
	model->coefficient_count = first_driven(f, f->group_count);
	snw_status status = gather_meshes(f, model);
	status = snk_failed(status) ? status : copy_joint_names(f, model);
	status = snk_failed(status) ? status : gather_inverted(f, model);
	return snk_failed(status) ? status : list_coefficient_examples(f->model_pool, model);
}
