/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts data into a project, inside a command. Data are checked as by snw_scene_check, so that a written project can always be
 * read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "project/database/rows.h"
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

static snw_status count_rows(snw_project *project, const char *table, uint32_t *count, snw_error *error) {
	char sql[100];
	int64_t found = 0;
	snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
	const snw_status status = snw_database_integer(project, sql, NULL, 0, 0, &found, error);
	*count = (uint32_t)found;
	return status;
}

/* Ends a put. A failure spoils the command. */
static snw_status end_put(snw_project *project, snw_status status, int64_t row, int64_t *id) {
	if (id) {
		*id = row;
	}
	return snw_command_result(project, status);
}

/* ---- poses and clips ----------------------------------------------------------------------------------------------------- */

snw_status snw_project_put_pose(snw_project *project, const snw_pose *pose, int64_t *id, snw_error *error) {
	snw_scene counts = {0};
	int64_t row = pose->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = count_rows(project, "joint", &counts.skeleton.joint_count, error);
	status = snw_failed(status) ? status : count_rows(project, "channel", &counts.channel_count, error);
	status = snw_failed(status) ? status : snw_pose_check(pose, counts.skeleton.joint_count, counts.channel_count, error);
	status = snw_failed(status) || pose->clip == 0 ? status : expect_row(project, "clip", pose->clip, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "pose", pose->name, &row, error);
	const snw_store store = {.project = project, .scene = &counts, .error = error};
	status = snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_POSE, pose, 0, &row);
	return end_put(project, status, row, id);
}

static snw_status put_clip(snw_project *project, const snw_clip *clip, snw_arena *arena, int64_t *row, snw_error *error) {
	snw_row_list joints = {0}, channels = {0};
	snw_status status = snw_row_list_read(project, "joint", "position", arena, &joints, error);
	status = snw_failed(status) ? status : snw_row_list_read(project, "channel", "id", arena, &channels, error);
	status = snw_failed(status) ? status : snw_clip_check(clip, joints.count, channels.count, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "clip", clip->name, row, error);
	const snw_store store = {
		.project = project, .ids = {[SNW_TABLE_JOINT] = joints.ids, [SNW_TABLE_CHANNEL] = channels.ids}, .error = error};
	return snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_CLIP, clip, 0, row);
}

snw_status snw_project_put_clip(snw_project *project, const snw_clip *clip, int64_t *id, snw_error *error) {
	int64_t row = clip->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	status = put_clip(project, clip, arena, &row, error);
	snw_arena_destroy(arena);
	return end_put(project, status, row, id);
}

/* ---- examples, targets, fields ------------------------------------------------------------------------------------------- */

snw_status snw_project_put_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh,
								   uint32_t point_count, int64_t *id, snw_error *error) {
	const snw_scene counts = {.meshes = &(snw_mesh){.point_count = point_count}};
	snw_example stored = *example;
	int64_t row = example->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) ? status : expect_row(project, "pose", pose, error);
	status = snw_failed(status) ? status : snw_example_check(example, point_count, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "example", example->name, &row, error);
	stored.pose = stored.mesh = 0;
	const snw_store store = {
		.project = project, .scene = &counts, .ids = {[SNW_TABLE_POSE] = &pose, [SNW_TABLE_MESH] = &mesh}, .error = error};
	status = snw_failed(status) ? status : snw_store_example(&store, &stored, &row);
	return end_put(project, status, row, id);
}

snw_status snw_project_put_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count,
								  int64_t clip, int64_t *id, snw_error *error) {
	const snw_scene counts = {.meshes = &(snw_mesh){.point_count = point_count}};
	snw_target stored = *target;
	int64_t row = target->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) || clip == 0 ? status : expect_row(project, "clip", clip, error);
	status = snw_failed(status) ? status : snw_target_check(target, point_count, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "target", target->name, &row, error);
	stored.mesh = 0;
	stored.clip = clip ? 0 : SNW_NONE;
	const snw_store store = {
		.project = project, .scene = &counts, .ids = {[SNW_TABLE_MESH] = &mesh, [SNW_TABLE_CLIP] = &clip}, .error = error};
	status = snw_failed(status) ? status : snw_store_target(&store, &stored, &row);
	return end_put(project, status, row, id);
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
	snw_field stored = *field;
	stored.mesh = mesh ? 0 : SNW_NONE;
	const snw_store store = {.project = project, .ids = {[SNW_TABLE_MESH] = &mesh}, .error = error};
	return snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_FIELD, &stored, 0, id);
}

snw_status snw_project_put_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error) {
	int64_t row = field->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = put_field(project, field, mesh, &row, error);
	return end_put(project, status, row, id);
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* Checks one member: the example exists and is in the group once, and the mask has one number for each point of its mesh. */
static snw_status check_member(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
							   uint32_t index, snw_error *error) {
	int64_t mesh = 0, fits = 1;
	snw_status status = snw_database_integer(project, "SELECT mesh FROM example WHERE id = ?1",
											 SNW_CELLS(snw_integer(examples[index])), 0, &mesh, error);
	if (!snw_failed(status) && mesh == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "group '%s': no example with id %lld", group->name,
						(long long)examples[index]);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < index; i++) {
		if (examples[i] == examples[index]) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "group '%s': example %u appears twice", group->name, index);
		}
	}
	if (!snw_failed(status) && masks && masks[index] != 0) {
		status = snw_database_integer(
			project, "SELECT count(*) FROM field WHERE id = ?1 AND mesh = ?2 AND domain = ?3 AND components = 1",
			SNW_CELLS(snw_integer(masks[index]), snw_integer(mesh), snw_integer(SNW_DOMAIN_POINTS)), 0, &fits, error);
	}
	if (!snw_failed(status) && !fits) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"group '%s': the mask of example %u is not a field with one number for each point of its mesh",
						group->name, index);
	}
	return status;
}

/* A new group acts last; an existing one keeps its position. */
static snw_status find_group_position(snw_project *project, int64_t id, int64_t *position, snw_error *error) {
	return snw_database_integer(project,
								"SELECT coalesce((SELECT position FROM corrective_group WHERE id = ?1), "
								"(SELECT max(position) + 1 FROM corrective_group))",
								SNW_CELLS(snw_integer(id)), 0, position, error);
}

static snw_status put_group(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
							int64_t *id, snw_arena *arena, snw_error *error) {
	snw_row_list joints = {0};
	snw_group stored = *group;
	int64_t position = 0;
	snw_status status = snw_check_name("group", group->name, error);
	status = snw_failed(status) ? status : snw_row_list_read(project, "joint", "position", arena, &joints, error);
	for (uint32_t i = 0; !snw_failed(status) && i < group->joint_count; i++) {
		if (group->joint_count > joints.count || group->joints[i] >= joints.count) {
			status = snw_fail(error, SNW_ERROR_ARGUMENT, "group '%s': joint %u is out of range; the skeleton has %u joints",
							  group->name, group->joints[i], joints.count);
		}
	}
	snw_member *members = SNW_NEW_ARRAY(arena, snw_member, group->member_count);
	for (uint32_t i = 0; !snw_failed(status) && i < group->member_count; i++) {
		members[i] = (snw_member){.example = i, .mask = masks && masks[i] ? i : SNW_NONE};
		status = check_member(project, group, examples, masks, i, error);
	}
	stored.members = members;
	status = snw_failed(status) ? status : snw_command_resolve(project, "corrective_group", group->name, id, error);
	status = snw_failed(status) ? status : find_group_position(project, *id, &position, error);
	const snw_store store = {.project = project,
							 .ids = {[SNW_TABLE_JOINT] = joints.ids, [SNW_TABLE_EXAMPLE] = examples, [SNW_TABLE_FIELD] = masks},
							 .error = error};
	return snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_GROUP, &stored, position, id);
}

snw_status snw_project_put_group(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
								 int64_t *id, snw_error *error) {
	int64_t row = group->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	status = put_group(project, group, examples, masks, &row, arena, error);
	snw_arena_destroy(arena);
	return end_put(project, status, row, id);
}

snw_status snw_project_put_group_order(snw_project *project, uint32_t count, const int64_t *groups, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		status = snw_database_run(project, "UPDATE corrective_group SET position = ?2 WHERE id = ?1",
								  SNW_CELLS(snw_integer(groups[i]), snw_integer(i)), error);
	}
	return snw_command_result(project, status);
}

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

snw_status snw_project_remove_levels(snw_project *project, int64_t mesh, uint32_t number, snw_error *error) {
	const snw_status status = snw_command_expect(project, error);
	return snw_failed(status)
			   ? status
			   : snw_command_result(
					 project,
					 snw_database_run(project, "DELETE FROM level WHERE (?1 = 0 OR mesh = ?1) AND (?2 = 0 OR number = ?2)",
									  SNW_CELLS(snw_integer(mesh), snw_integer(number)), error));
}

snw_status snw_project_put_level(snw_project *project, const snw_scene *scene, const snw_level *level, int64_t mesh,
								 snw_error *error) {
	snw_status status = snw_project_remove_levels(project, mesh, level->number, error);
	snw_arena *arena = snw_arena_create();
	int64_t *materials = SNW_NEW_ARRAY(arena, int64_t, scene->material_count), id = 0;
	for (uint32_t i = 0; i < scene->material_count; i++) {
		materials[i] = scene->materials[i].id;
	}
	const snw_store store = {.project = project,
							 .scene = scene,
							 .ids = {[SNW_TABLE_MESH] = &mesh, [SNW_TABLE_MATERIAL] = materials},
							 .error = error};
	snw_level stored = *level;
	stored.mesh = 0;
	status = snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_LEVEL, &stored, 0, &id);
	snw_arena_destroy(arena);
	return end_put(project, status, id, NULL);
}

/* ---- models and layers --------------------------------------------------------------------------------------------------- */

snw_status snw_project_put_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error) {
	int64_t row = model->id;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_saved_model_check(model, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "model", model->name, &row, error);
	const snw_store store = {.project = project, .error = error};
	status = snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_MODEL, model, 0, &row);
	return end_put(project, status, row, id);
}

/* The position of the layer among the others. */
static snw_status find_layer_position(snw_project *project, int64_t id, int32_t requested, int64_t *place, snw_error *error) {
	int64_t others = 0, current = -1;
	snw_status status = snw_database_integer(project, "SELECT count(*) FROM layer WHERE id <> ?1", SNW_CELLS(snw_integer(id)),
											 0, &others, error);
	if (!snw_failed(status) && id != 0) {
		status = snw_database_integer(project, "SELECT position FROM layer WHERE id = ?1", SNW_CELLS(snw_integer(id)), -1,
									  &current, error);
	}
	const int64_t fallback = current >= 0 ? current : others;
	*place = requested < 0 ? fallback : requested;
	*place = *place > others ? others : *place;
	return status;
}

/* Closes the gap at the layer's old position, and opens one at the new position. */
static snw_status shift_layers(snw_project *project, int64_t id, int64_t place, snw_error *error) {
	snw_status status = SNW_OK;
	if (id != 0) {
		status = snw_database_run(project,
								  "UPDATE layer SET position = position - 1 "
								  "WHERE id <> ?1 AND position > (SELECT position FROM layer WHERE id = ?1)",
								  SNW_CELLS(snw_integer(id)), error);
	}
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "UPDATE layer SET position = position + 1 WHERE id <> ?1 AND position >= ?2",
								  SNW_CELLS(snw_integer(id), snw_integer(place)), error);
}

snw_status snw_project_put_layer(snw_project *project, const snw_layer *layer, int64_t model, int32_t position, int64_t *id,
								 snw_error *error) {
	snw_layer stored = *layer;
	int64_t row = layer->id, place = 0;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_layer_check(layer, error);
	status = snw_failed(status) || model == 0 ? status : expect_row(project, "model", model, error);
	status = snw_failed(status) ? status : snw_command_resolve(project, "layer", layer->name, &row, error);
	status = snw_failed(status) ? status : find_layer_position(project, row, position, &place, error);
	status = snw_failed(status) ? status : shift_layers(project, row, place, error);
	stored.model = model ? 0 : SNW_NONE;
	const snw_store store = {.project = project, .ids = {[SNW_TABLE_MODEL] = &model}, .error = error};
	status = snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_LAYER, &stored, place, &row);
	return end_put(project, status, row, id);
}

/* ---- parts of meshes ----------------------------------------------------------------------------------------------------- */

static snw_status put_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
						   const uint32_t *influence_slots, const double *influence_weights, snw_error *error) {
	int64_t slot_count = 0;
	snw_status status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT count(*) FROM slot", NULL, 0, 0, &slot_count, error);
	status = snw_failed(status) ? status
								: snw_skin_check("of the skin", point_count, influence_offsets, influence_slots,
												 influence_weights, (uint32_t)slot_count, error);
	const uint32_t influences = influence_offsets[point_count];
	return snw_failed(status)
			   ? status
			   : snw_database_run(
					 project,
					 "UPDATE mesh SET influence_offsets = ?2, influence_slots = ?3, influence_weights = ?4 WHERE id = ?1",
					 SNW_CELLS(snw_integer(mesh), snw_blob(influence_offsets, (size_t)point_count + 1, sizeof(uint32_t)),
							   snw_blob(influence_slots, influences, sizeof(uint32_t)),
							   snw_blob(influence_weights, influences, sizeof(double))),
					 error);
}

snw_status snw_project_put_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
								const uint32_t *influence_slots, const double *influence_weights, snw_error *error) {
	const snw_status status = snw_command_expect(project, error);
	return snw_failed(status) ? status
							  : snw_command_result(project, put_skin(project, mesh, point_count, influence_offsets,
																	 influence_slots, influence_weights, error));
}

snw_status snw_project_put_uvs(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t corner_count,
							   const float *corner_uvs, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = expect_mesh(project, mesh, point_count, error);
	for (size_t i = 0; i < 2 * (size_t)corner_count && !snw_failed(status); i++) {
		status =
			isfinite(corner_uvs[i]) ? status : snw_fail(error, SNW_ERROR_DATA, "the UVs of corner %zu are not finite", i / 2);
	}
	status = snw_failed(status)
				 ? status
				 : snw_database_run(project, "UPDATE mesh SET corner_uvs = ?2, corner_tangents = NULL WHERE id = ?1",
									SNW_CELLS(snw_integer(mesh), snw_blob(corner_uvs, 2 * (size_t)corner_count, sizeof(float))),
									error);
	return snw_command_result(project, status);
}

snw_status snw_project_put_image(snw_project *project, const snw_image *image, int64_t *id, snw_error *error) {
	int64_t row = image->id;
	const snw_store store = {.project = project, .error = error};
	snw_status status = snw_command_expect(project, error);
	status = snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_IMAGE, image, 0, &row);
	return end_put(project, status, row, id);
}

snw_status snw_project_put_material(snw_project *project, const snw_material *material, uint32_t image_count,
									const int64_t *images, int64_t *id, snw_error *error) {
	const snw_scene scene = {.image_count = image_count};
	const snw_store store = {.project = project, .scene = &scene, .ids = {[SNW_TABLE_IMAGE] = images}, .error = error};
	int64_t row = material->id;
	snw_status status = snw_command_expect(project, error);
	status = snw_failed(status) ? status : snw_store_row(&store, SNW_TABLE_MATERIAL, material, 0, &row);
	return end_put(project, status, row, id);
}

snw_status snw_project_put_shading(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t corner_count,
								   const float *corner_tangents, uint32_t face_count, const uint32_t *face_materials,
								   snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	status = snw_failed(status) ? status : expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status)
				 ? status
				 : snw_database_run(project, "UPDATE mesh SET corner_tangents = ?2, face_materials = ?3 WHERE id = ?1",
									SNW_CELLS(snw_integer(mesh),
											  snw_blob(corner_tangents, 4 * (size_t)corner_count, sizeof *corner_tangents),
											  snw_blob(face_materials, face_count, sizeof *face_materials)),
									error);
	return snw_command_result(project, status);
}

static snw_status put_morph(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t index, const snw_morph *morph,
							snw_error *error) {
	int64_t known = 0;
	for (uint32_t k = 0; k < morph->count; k++) {
		const double *vector = morph->vectors + 3 * (size_t)k;
		if (morph->points[k] >= point_count || (k > 0 && morph->points[k] <= morph->points[k - 1]) ||
			!isfinite(vector[0] + vector[1] + vector[2])) {
			return snw_fail(error, SNW_ERROR_DATA, "morph target '%s': its points are not ascending, or a vector is not finite",
							morph->name);
		}
	}
	snw_status status = expect_mesh(project, mesh, point_count, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT count(*) FROM morph WHERE mesh = ?1 AND position = ?2",
													   SNW_CELLS(snw_integer(mesh), snw_integer(index)), 0, &known, error);
	if (!snw_failed(status) && known == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the mesh has no morph target %u", project->path, index);
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

/* ---- removing ------------------------------------------------------------------------------------------------------------ */

/* Removes rows from a project, inside a command. A row that others refer to cannot be removed; the error names them. */

/* A kind of row: its table, its noun, and the rows that can refer to it. */
typedef struct removal {
	snw_table_id table;
	const char *noun;
	const char *users; /* selects the names of rows that refer to row ?1; NULL if none can */
} removal;

static const removal removals[] = {
	[SNW_PROJECT_POSE] = {SNW_TABLE_POSE, "pose", "SELECT name FROM example WHERE pose = ?1"},
	[SNW_PROJECT_EXAMPLE] = {SNW_TABLE_EXAMPLE, "example", NULL},
	[SNW_PROJECT_GROUP] = {SNW_TABLE_GROUP, "group", NULL},
	[SNW_PROJECT_FIELD] = {SNW_TABLE_FIELD, "field",
						   "SELECT name FROM corrective_group WHERE id IN "
						   "(SELECT corrective_group FROM group_member WHERE mask = ?1)"},
	[SNW_PROJECT_TARGET] = {SNW_TABLE_TARGET, "target", NULL},
	[SNW_PROJECT_CLIP] = {SNW_TABLE_CLIP, "clip",
						  "SELECT name FROM target WHERE clip = ?1 UNION ALL SELECT name FROM pose WHERE clip = ?1"},
	[SNW_PROJECT_MODEL] = {SNW_TABLE_MODEL, "model", "SELECT name FROM layer WHERE model = ?1"},
	[SNW_PROJECT_LAYER] = {SNW_TABLE_LAYER, "layer", NULL},
};

/* With its lists. */
static snw_status delete_row(snw_project *project, const removal *kind, int64_t id, snw_error *error) {
	char sql[100];
	const snw_status status = snw_store_clear_lists(project, kind->table, id, error);
	snprintf(sql, sizeof sql, "DELETE FROM %s WHERE id = ?1", snw_tables[kind->table].name);
	return snw_failed(status) ? status : snw_database_run(project, sql, SNW_CELLS(snw_integer(id)), error);
}

/* Shifts the positions of later groups. */
static snw_status remove_group(snw_project *project, int64_t id, snw_error *error) {
	int64_t position = 0;
	snw_status status = snw_database_integer(project, "SELECT position FROM corrective_group WHERE id = ?1",
											 SNW_CELLS(snw_integer(id)), 0, &position, error);
	status = snw_failed(status) ? status : delete_row(project, &removals[SNW_PROJECT_GROUP], id, error);
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "UPDATE corrective_group SET position = position - 1 WHERE position > ?1",
								  SNW_CELLS(snw_integer(position)), error);
}

/* Removes an example from its groups and shifts later members. An empty group is removed. */
static snw_status remove_from_groups(snw_project *project, int64_t example, snw_error *error) {
	for (;;) {
		int64_t group = 0, position = 0, remaining = 0;
		snw_status status =
			snw_database_integer(project, "SELECT corrective_group FROM group_member WHERE example = ?1 LIMIT 1",
								 SNW_CELLS(snw_integer(example)), 0, &group, error);
		if (snw_failed(status) || group == 0) {
			return status;
		}
		status = snw_database_integer(project, "SELECT position FROM group_member WHERE corrective_group = ?1 AND example = ?2",
									  SNW_CELLS(snw_integer(group), snw_integer(example)), 0, &position, error);
		status = snw_failed(status)
					 ? status
					 : snw_database_run(project, "DELETE FROM group_member WHERE corrective_group = ?1 AND position = ?2",
										SNW_CELLS(snw_integer(group), snw_integer(position)), error);
		/* In two steps, because positions must be unique at every moment. */
		status = snw_failed(status)
					 ? status
					 : snw_database_run(project,
										"UPDATE group_member SET position = -position WHERE corrective_group = ?1 AND "
										"position > ?2",
										SNW_CELLS(snw_integer(group), snw_integer(position)), error);
		status = snw_failed(status)
					 ? status
					 : snw_database_run(project,
										"UPDATE group_member SET position = -position - 1 WHERE corrective_group = ?1 AND "
										"position < 0",
										SNW_CELLS(snw_integer(group)), error);
		status = snw_failed(status)
					 ? status
					 : snw_database_integer(project, "SELECT count(*) FROM group_member WHERE corrective_group = ?1",
											SNW_CELLS(snw_integer(group)), 0, &remaining, error);
		if (!snw_failed(status) && remaining == 0) {
			status = remove_group(project, group, error);
		}
		if (snw_failed(status)) {
			return status;
		}
	}
}

/* Shifts the layers above; removes the model if no other layer uses it. */
static snw_status remove_layer(snw_project *project, int64_t id, snw_error *error) {
	int64_t model = 0, position = 0;
	snw_status status =
		snw_database_integer(project, "SELECT model FROM layer WHERE id = ?1", SNW_CELLS(snw_integer(id)), 0, &model, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT position FROM layer WHERE id = ?1",
													   SNW_CELLS(snw_integer(id)), 0, &position, error);
	status = snw_failed(status) ? status : delete_row(project, &removals[SNW_PROJECT_LAYER], id, error);
	status = snw_failed(status) ? status
								: snw_database_run(project, "UPDATE layer SET position = position - 1 WHERE position > ?1",
												   SNW_CELLS(snw_integer(position)), error);
	return snw_failed(status) ? status
							  : snw_database_run(project,
												 "DELETE FROM model WHERE id = ?1 AND id NOT IN "
												 "(SELECT model FROM layer WHERE model IS NOT NULL)",
												 SNW_CELLS(snw_integer(model)), error);
}

/* The row must exist, must not be the rest pose, and must not be referred to. */
static snw_status check_removable(snw_project *project, const removal *kind, int64_t id, snw_arena *arena, snw_error *error) {
	char sql[100];
	const char *name = NULL, *users = NULL;
	snprintf(sql, sizeof sql, "SELECT name FROM %s WHERE id = ?1", snw_tables[kind->table].name);
	snw_status status = snw_row_names_read(project, sql, id, arena, &name, error);
	if (!snw_failed(status) && !name) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no %s with id %lld", project->path, kind->noun, (long long)id);
	}
	if (!snw_failed(status) && kind == &removals[SNW_PROJECT_POSE] && strcmp(name, "'rest'") == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: the rest pose cannot be removed; all other data refer to it",
						project->path);
	}
	if (!snw_failed(status) && kind->users) {
		status = snw_row_names_read(project, kind->users, id, arena, &users, error);
	}
	if (!snw_failed(status) && users) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: %s %s is used by %s; remove those first", project->path, kind->noun,
						name, users);
	}
	return status;
}

static snw_status remove_row(snw_project *project, snw_project_kind kind, int64_t id, snw_error *error) {
	snw_status status = SNW_OK;
	if (kind == SNW_PROJECT_LAYER) {
		return remove_layer(project, id, error);
	}
	if (kind == SNW_PROJECT_GROUP) {
		return remove_group(project, id, error);
	}
	if (kind == SNW_PROJECT_EXAMPLE) {
		status = remove_from_groups(project, id, error);
	}
	return snw_failed(status) ? status : delete_row(project, &removals[kind], id, error);
}

snw_status snw_project_remove(snw_project *project, snw_project_kind kind, int64_t id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	status = check_removable(project, &removals[kind], id, arena, error);
	status = snw_failed(status) ? status : remove_row(project, kind, id, error);
	snw_arena_destroy(arena);
	return snw_command_result(project, status);
}
