/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts data into a project, inside a command. Data are checked as by snw_scene_check, so that a written project can always be
 * read.
 */
#include <math.h>
#include <stdio.h>

#include "project/database/id_lists.h"
#include "project/journal/command.h"
#include "project/store/store.h"
#include "scene/check.h"

/* Fails if a row does not exist. */
static snw_status expect_row(snw_project *project, const char *table, int64_t id, snw_error *error) {
	char sql[100];
	int64_t known = 0;
	snprintf(sql, sizeof sql, "SELECT id FROM %s WHERE id = ?1", table);
	const snw_status status = snw_database_integer(project, sql, SNW_CELLS(snw_integer(id)), 0, &known, error);
	if (!snw_failed(status) && known == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no %s with id %lld", project->path, table, (long long)id);
	}
	return status;
}

/* Fails if a mesh does not exist or has another number of points. */
static snw_status expect_mesh(snw_project *project, int64_t mesh, uint32_t point_count, snw_error *error) {
	int64_t known = -1;
	const snw_status status = snw_database_integer(project, "SELECT point_count FROM mesh WHERE id = ?1",
												   SNW_CELLS(snw_integer(mesh)), -1, &known, error);
	if (!snw_failed(status) && known < 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no mesh with id %lld", project->path, (long long)mesh);
	}
	if (!snw_failed(status) && known != (int64_t)point_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: the mesh has %lld points, not %u", project->path, (long long)known,
						point_count);
	}
	return status;
}

static void set_id(int64_t *id, int64_t value) {
	if (id) {
		*id = value;
	}
}

static snw_status put_pose(snw_project *project, const snw_pose *pose, int64_t *id, snw_error *error) {
	int64_t joint_count = 0, channel_count = 0;
	snw_status status = snw_database_integer(project, "SELECT count(*) FROM joint", NULL, 0, 0, &joint_count, error);
	status = snw_failed(status)
				 ? status
				 : snw_database_integer(project, "SELECT count(*) FROM channel", NULL, 0, 0, &channel_count, error);
	status = snw_failed(status) ? status : snw_pose_check(pose, (uint32_t)joint_count, (uint32_t)channel_count, error);
	if (!snw_failed(status) && pose->clip != 0) {
		status = expect_row(project, "clip", pose->clip, error);
	}
	status = snw_failed(status) ? status : snw_command_resolve(project, "pose", pose->name, id, error);
	return snw_failed(status)
			   ? status
			   : snw_store_pose(project, pose, (uint32_t)joint_count, (uint32_t)channel_count, pose->clip, id, error);
}

snw_status snw_project_put_pose(snw_project *project, const snw_pose *pose, int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = pose->id;
		status = snw_command_result(project, put_pose(project, pose, &row, error));
		set_id(id, row);
	}
	return status;
}

static snw_status put_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh,
							  uint32_t point_count, int64_t *id, snw_error *error) {
	snw_status status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) ? status : expect_row(project, "pose", pose, error);
	status = snw_failed(status) ? status : snw_example_check(example, point_count, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "example", example->name, id, error);
	return snw_failed(status) ? status : snw_store_example(project, example, pose, mesh, point_count, id, error);
}

snw_status snw_project_put_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh,
								   uint32_t point_count, int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = example->id;
		status = snw_command_result(project, put_example(project, example, pose, mesh, point_count, &row, error));
		set_id(id, row);
	}
	return status;
}

/* Fields of different meshes can have the same name. */
static snw_status resolve_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error) {
	int64_t named = 0;
	snw_status status = snw_database_integer(project, "SELECT id FROM field WHERE name = ?1 AND mesh IS ?2",
											 SNW_CELLS(snw_text(field->name), snw_reference(mesh)), 0, &named, error);
	if (snw_failed(status) || *id == 0) {
		*id = snw_failed(status) ? *id : named;
		return status;
	}
	if (named != 0 && named != *id) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: that mesh has a field called '%s'; choose another name", project->path,
						field->name);
	}
	return expect_row(project, "field", *id, error);
}

static snw_status put_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error) {
	static const char *const counts[] = {"SELECT point_count FROM mesh WHERE id = ?1",
										 "SELECT face_count FROM mesh WHERE id = ?1",
										 "SELECT count(*) FROM joint WHERE ?1 IS NULL"};
	const bool counted = field->domain >= SNW_DOMAIN_POINTS && field->domain <= SNW_DOMAIN_JOINTS;
	if ((field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES) != (mesh != 0)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"field '%s': a field over points or faces needs a mesh, and no other field has one", field->name);
	}
	int64_t count = SNW_NONE;
	snw_status status = SNW_OK;
	if (counted) {
		status = snw_database_integer(project, counts[field->domain], SNW_CELLS(snw_reference(mesh)), -1, &count, error);
	}
	if (!snw_failed(status) && count < 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no mesh with id %lld", project->path, (long long)mesh);
	}
	status = snw_failed(status) ? status : snw_field_check(field, (uint32_t)count, error);
	status = snw_failed(status) ? status : resolve_field(project, field, mesh, id, error);
	return snw_failed(status) ? status : snw_store_field(project, field, mesh, id, error);
}

snw_status snw_project_put_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = field->id;
		status = snw_command_result(project, put_field(project, field, mesh, &row, error));
		set_id(id, row);
	}
	return status;
}

static snw_status put_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count, int64_t clip,
							 int64_t *id, snw_error *error) {
	snw_status status = expect_mesh(project, mesh, point_count, error);
	if (!snw_failed(status) && clip != 0) {
		status = expect_row(project, "clip", clip, error);
	}
	status = snw_failed(status) ? status : snw_target_check(target, point_count, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "target", target->name, id, error);
	return snw_failed(status) ? status : snw_store_target(project, target, mesh, point_count, clip, NULL, id, error);
}

snw_status snw_project_put_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count,
								  int64_t clip, int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = target->id;
		status = snw_command_result(project, put_target(project, target, mesh, point_count, clip, &row, error));
		set_id(id, row);
	}
	return status;
}

static snw_status put_clip(snw_project *project, const snw_clip *clip, int64_t *id, snw_error *error) {
	snw_row_list joints = {0}, channels = {0};
	snw_arena *arena = snw_arena_create();
	snw_status status = snw_row_list_read(project, "joint", "position", arena, &joints, error);
	status = snw_failed(status) ? status : snw_row_list_read(project, "channel", "id", arena, &channels, error);
	status = snw_failed(status) ? status : snw_clip_check(clip, joints.count, channels.count, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "clip", clip->name, id, error);
	status = snw_failed(status) ? status : snw_store_clip(project, clip, joints.ids, channels.ids, id, error);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_project_put_clip(snw_project *project, const snw_clip *clip, int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = clip->id;
		status = snw_command_result(project, put_clip(project, clip, &row, error));
		set_id(id, row);
	}
	return status;
}

static snw_status put_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error) {
	snw_status status = snw_saved_model_check(model, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "model", model->name, id, error);
	return snw_failed(status) ? status : snw_store_model(project, model, id, error);
}

snw_status snw_project_put_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = model->id;
		status = snw_command_result(project, put_model(project, model, &row, error));
		set_id(id, row);
	}
	return status;
}

static snw_status put_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
						   const uint32_t *influence_slots, const double *influence_weights, snw_error *error) {
	int64_t slot_count = 0;
	snw_status status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT count(*) FROM slot", NULL, 0, 0, &slot_count, error);
	status = snw_failed(status) ? status
								: snw_skin_check("of the skin", point_count, influence_offsets, influence_slots,
												 influence_weights, (uint32_t)slot_count, error);
	return snw_failed(status)
			   ? status
			   : snw_store_skin(project, mesh, point_count, influence_offsets, influence_slots, influence_weights, error);
}

snw_status snw_project_put_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
								const uint32_t *influence_slots, const double *influence_weights, snw_error *error) {
	const snw_status status = snw_command_expect(project, error);
	return snw_failed(status) ? status
							  : snw_command_result(project, put_skin(project, mesh, point_count, influence_offsets,
																	 influence_slots, influence_weights, error));
}

static snw_status put_morph(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t index, const snw_morph *morph,
							snw_error *error) {
	int64_t known = 0;
	for (uint32_t k = 0; k < morph->count; k++) {
		const double *vector = morph->vectors + 3 * (size_t)k;
		if (morph->points[k] >= point_count || (k > 0 && morph->points[k] <= morph->points[k - 1]) ||
			!isfinite(vector[0] + vector[1] + vector[2])) {
			return snw_fail(error, SNW_ERROR_DATA, "blend shape '%s': its points are not ascending, or a vector is not finite",
							morph->name);
		}
	}
	snw_status status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT count(*) FROM morph WHERE mesh = ?1 AND position = ?2",
													   SNW_CELLS(snw_integer(mesh), snw_integer(index)), 0, &known, error);
	if (!snw_failed(status) && known == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the mesh has no blend shape %u", project->path, index);
	}
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "UPDATE morph SET points = ?3, vectors = ?4 WHERE mesh = ?1 AND position = ?2",
								  SNW_CELLS(snw_integer(mesh), snw_integer(index),
											snw_blob(morph->points, morph->count, sizeof(uint32_t)),
											snw_blob(morph->vectors, morph->count, 3 * sizeof(double))),
								  error);
}

snw_status snw_project_put_morph(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t index,
								 const snw_morph *morph, snw_error *error) {
	const snw_status status = snw_command_expect(project, error);
	return snw_failed(status) ? status
							  : snw_command_result(project, put_morph(project, mesh, point_count, index, morph, error));
}
