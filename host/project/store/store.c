/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements of one row each; lists.c has elements with lists of rows.
 *
 * Rows are written by INSERT OR REPLACE: a row with an id keeps it, a new one gets the next unused id.
 */
#include "project/store/store.h"

#include <stdlib.h>
#include <string.h>

/* Inserts a row and sets its id. */
static snw_status store_row(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count, int64_t *id,
							snw_error *error) {
	const snw_status status = snw_database_run(project, sql, cells, cell_count, error);
	if (!snw_failed(status) && *id == 0) {
		*id = sqlite3_last_insert_rowid(project->database);
	}
	return status;
}

snw_status snw_store_image(snw_project *project, const snw_image *image, int64_t *id, snw_error *error) {
	return store_row(project, "INSERT OR REPLACE INTO image (id, name, media, bytes) VALUES (?1, ?2, ?3, ?4)",
					 SNW_CELLS(snw_reference(*id), snw_text(image->name), snw_text(image->media),
							   snw_blob(image->bytes, image->byte_count, 1)),
					 id, error);
}

static int64_t image_id(uint32_t image, const int64_t *images) {
	return image == SNW_NONE ? 0 : images[image];
}

snw_status snw_store_material(snw_project *project, const snw_material *material, const int64_t *images, int64_t *id,
							  snw_error *error) {
	return store_row(project,
					 "INSERT OR REPLACE INTO material (id, name, base_color, metallic, roughness, emissive, base_color_image, "
					 "metallic_roughness_image, normal_image, double_sided, alpha, alpha_cutoff, emissive_image) "
					 "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
					 SNW_CELLS(snw_reference(*id), snw_text(material->name), snw_blob(material->base_color, 4, sizeof(double)),
							   snw_real(material->metallic), snw_real(material->roughness),
							   snw_blob(material->emissive, 3, sizeof(double)),
							   snw_reference(image_id(material->base_color_image, images)),
							   snw_reference(image_id(material->metallic_roughness_image, images)),
							   snw_reference(image_id(material->normal_image, images)), snw_integer(material->double_sided),
							   snw_integer(material->alpha), snw_real(material->alpha_cutoff),
							   snw_reference(image_id(material->emissive_image, images))),
					 id, error);
}

snw_status snw_store_joint(snw_project *project, const snw_skeleton *skeleton, uint32_t joint, int64_t parent, int64_t *id,
						   snw_error *error) {
	return store_row(project,
					 "INSERT OR REPLACE INTO joint (id, position, name, parent, rest_local) VALUES (?1, ?2, ?3, ?4, ?5)",
					 SNW_CELLS(snw_reference(*id), snw_integer(joint), snw_text(skeleton->names[joint]), snw_reference(parent),
							   snw_blob(&skeleton->rest_local[joint], 1, sizeof(snw_transform))),
					 id, error);
}

snw_status snw_store_channel(snw_project *project, const snw_channel *channel, int64_t *id, snw_error *error) {
	return store_row(project, "INSERT OR REPLACE INTO channel (id, name, initial) VALUES (?1, ?2, ?3)",
					 SNW_CELLS(snw_reference(*id), snw_text(channel->name), snw_real(channel->initial)), id, error);
}

snw_status snw_store_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
						  const uint32_t *influence_slots, const double *influence_weights, snw_error *error) {
	const uint32_t count = influence_offsets[point_count];
	return snw_database_run(
		project, "UPDATE mesh SET influence_offsets = ?2, influence_slots = ?3, influence_weights = ?4 WHERE id = ?1",
		SNW_CELLS(snw_integer(mesh), snw_blob(influence_offsets, (size_t)point_count + 1, sizeof(uint32_t)),
				  snw_blob(influence_slots, count, sizeof(uint32_t)), snw_blob(influence_weights, count, sizeof(double))),
		error);
}

snw_status snw_store_pose(snw_project *project, const snw_pose *pose, uint32_t joint_count, uint32_t channel_count,
						  int64_t clip, int64_t *id, snw_error *error) {
	return store_row(project,
					 "INSERT OR REPLACE INTO pose (id, name, clip, seconds, joint_locals, joint_rotation_vectors, channels) "
					 "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
					 SNW_CELLS(snw_reference(*id), snw_text(pose->name), snw_reference(clip), snw_real(pose->seconds),
							   snw_blob(pose->local, joint_count, sizeof(snw_transform)),
							   snw_blob(pose->rotation_vectors, joint_count, 3 * sizeof(double)),
							   snw_blob(pose->channels, channel_count, sizeof(double))),
					 id, error);
}

snw_status snw_store_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error) {
	return store_row(project,
					 "INSERT OR REPLACE INTO field (id, name, domain, mesh, components, element_count, elements, unit) "
					 "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
					 SNW_CELLS(snw_reference(*id), snw_text(field->name), snw_integer(field->domain), snw_reference(mesh),
							   snw_integer(field->components), snw_integer(field->count),
							   snw_blob(field->values, (size_t)field->count * field->components, sizeof(double)),
							   snw_text(field->unit ? field->unit : "")),
					 id, error);
}

/* The edited points as an array; NULL if memory runs out. */
static double *edited_points(const snw_example *example) {
	double *points = malloc(((size_t)example->edited_count + 1) * 3 * sizeof *points);
	for (uint32_t i = 0; points && i < example->edited_count; i++) {
		memcpy(points + 3 * (size_t)i, example->points_posed + 3 * (size_t)example->edited[i], 3 * sizeof *points);
	}
	return points;
}

/* Replaces the sculpt layers of an example. In a new example they are new rows too. */
static snw_status store_sculpt_layers(snw_project *project, const snw_example *example, int64_t id, bool is_new,
									  snw_error *error) {
	snw_status status = SNW_OK;
	if (!is_new) {
		status = snw_database_run(project, "DELETE FROM sculpt_layer WHERE example = ?1", SNW_CELLS(snw_integer(id)), error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < example->layer_count; i++) {
		const snw_sculpt_layer *layer = &example->layers[i];
		status = snw_database_run(project,
								  "INSERT INTO sculpt_layer (id, example, position, name, opacity, muted, points, vectors) "
								  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
								  SNW_CELLS(snw_reference(is_new ? 0 : layer->id), snw_integer(id), snw_integer(i),
											snw_text(layer->name), snw_real(layer->opacity), snw_integer(layer->muted),
											snw_blob(layer->points, layer->count, sizeof(uint32_t)),
											snw_blob(layer->vectors, layer->count, 3 * sizeof(double))),
								  error);
	}
	return status;
}

snw_status snw_store_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh, uint32_t point_count,
							 int64_t *id, snw_error *error) {
	double *edited = example->edited ? edited_points(example) : NULL;
	if (example->edited && !edited) {
		return snw_fail(error, SNW_ERROR_MEMORY, "example '%s': out of memory", example->name);
	}
	const double *points = edited ? edited : example->points_posed;
	const bool is_new = *id == 0;
	const snw_status status =
		store_row(project,
				  "INSERT OR REPLACE INTO example (id, name, pose, mesh, points_posed, edited, muted, has_chosen_driver) "
				  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
				  SNW_CELLS(snw_reference(*id), snw_text(example->name), snw_integer(pose), snw_integer(mesh),
							snw_blob(points, edited ? example->edited_count : point_count, 3 * sizeof(double)),
							snw_optional_blob(example->edited, example->edited_count, sizeof(uint32_t)),
							snw_integer(example->muted), snw_integer(example->has_chosen_driver)),
				  id, error);
	free(edited);
	return snw_failed(status) ? status : store_sculpt_layers(project, example, *id, is_new, error);
}

snw_status snw_store_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error) {
	return store_row(project,
					 "INSERT OR REPLACE INTO model (id, name, deformer, deformer_version, bytes, reads) "
					 "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
					 SNW_CELLS(snw_reference(*id), snw_text(model->name), snw_text(model->deformer),
							   snw_text(model->deformer_version), snw_blob(model->bytes, model->byte_count, 1),
							   snw_optional_blob(model->reads, SNW_READ_KINDS, sizeof(uint64_t))),
					 id, error);
}
