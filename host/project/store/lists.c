/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements with a list of rows: meshes and their morph targets, clips and tracks, groups, targets, layers; and slots. A list is
 * always replaced as a whole.
 */
#include <stdlib.h>

#include "project/store/store.h"
#include "scene/frames_hash.h"

/* Inserts or replaces the element's row, sets its id, and empties its list. */
static snw_status store_head(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count,
							 const char *empty_list, int64_t *id, snw_error *error) {
	const snw_status status = snw_database_run(project, sql, cells, cell_count, error);
	if (snw_failed(status)) {
		return status;
	}
	if (*id == 0) {
		*id = sqlite3_last_insert_rowid(project->database);
		return SNW_OK;
	}
	return snw_database_run(project, empty_list, SNW_CELLS(snw_integer(*id)), error);
}

snw_status snw_store_slots(snw_project *project, uint32_t slot_count, const uint32_t *slot_joints,
						   const double *slot_inverse_binds, const int64_t *joints, snw_error *error) {
	snw_status status = snw_database_execute(project, "DELETE FROM slot", error);
	for (uint32_t s = 0; !snw_failed(status) && s < slot_count; s++) {
		status = snw_database_run(project, "INSERT INTO slot (position, joint, inverse_bind) VALUES (?1, ?2, ?3)",
								  SNW_CELLS(snw_integer(s), snw_integer(joints[slot_joints[s]]),
											snw_blob(slot_inverse_binds + 12 * (size_t)s, 12, sizeof(double))),
								  error);
	}
	return status;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static snw_status store_morphs(snw_project *project, const snw_mesh *mesh, const int64_t *channels, int64_t id,
							   snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < mesh->morph_count; i++) {
		const snw_morph *morph = &mesh->morphs[i];
		status = snw_database_run(
			project, "INSERT INTO morph (mesh, position, name, channel, points, vectors) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			SNW_CELLS(snw_integer(id), snw_integer(i), snw_text(morph->name), snw_integer(channels[morph->channel]),
					  snw_blob(morph->points, morph->count, sizeof(uint32_t)),
					  snw_blob(morph->vectors, morph->count, 3 * sizeof(double))),
			error);
	}
	return status;
}

/* Face materials as ids; NULL if memory runs out. */
static uint32_t *material_ids(const snw_mesh *mesh, const int64_t *materials) {
	uint32_t *ids = malloc(((size_t)mesh->face_count + 1) * sizeof *ids);
	for (uint32_t f = 0; ids && f < mesh->face_count; f++) {
		ids[f] = mesh->face_materials[f] == SNW_NONE ? 0 : (uint32_t)materials[mesh->face_materials[f]];
	}
	return ids;
}

snw_status snw_store_mesh(snw_project *project, const snw_mesh *mesh, const int64_t *materials, const int64_t *channels,
						  int64_t *id, snw_error *error) {
	const size_t points = mesh->point_count, faces = mesh->face_count, corners = mesh->face_offsets[faces];
	const size_t influences = mesh->influence_offsets ? mesh->influence_offsets[points] : 0;
	uint32_t *face_materials = mesh->face_materials ? material_ids(mesh, materials) : NULL;
	if (mesh->face_materials && !face_materials) {
		return snw_fail(error, SNW_ERROR_MEMORY, "mesh '%s': out of memory", mesh->name);
	}
	snw_status status = store_head(
		project,
		"INSERT OR REPLACE INTO mesh (id, name, point_count, face_count, points_rest, face_offsets, face_points, "
		"face_materials, corner_uvs, corner_normals, corner_colors, influence_offsets, influence_slots, influence_weights, "
		"corner_tangents) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
		SNW_CELLS(
			snw_reference(*id), snw_text(mesh->name), snw_integer(mesh->point_count), snw_integer(mesh->face_count),
			snw_blob(mesh->points_rest, points, 3 * sizeof(double)), snw_blob(mesh->face_offsets, faces + 1, sizeof(uint32_t)),
			snw_blob(mesh->face_points, corners, sizeof(uint32_t)), snw_optional_blob(face_materials, faces, sizeof(uint32_t)),
			snw_optional_blob(mesh->corner_uvs, corners, 2 * sizeof(float)),
			snw_optional_blob(mesh->corner_normals, corners, 3 * sizeof(float)),
			snw_optional_blob(mesh->corner_colors, corners, 4 * sizeof(float)),
			snw_optional_blob(mesh->influence_offsets, points + 1, sizeof(uint32_t)),
			snw_optional_blob(mesh->influence_slots, influences, sizeof(uint32_t)),
			snw_optional_blob(mesh->influence_weights, influences, sizeof(double)),
			snw_optional_blob(mesh->corner_tangents, corners, 4 * sizeof(float))),
		"DELETE FROM morph WHERE mesh = ?1", id, error);
	free(face_materials);
	return snw_failed(status) ? status : store_morphs(project, mesh, channels, *id, error);
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

static snw_status store_track(snw_project *project, const snw_track *track, const int64_t *joints, const int64_t *channels,
							  int64_t clip, uint32_t position, snw_error *error) {
	static const size_t widths[] = {3, 4, 3, 1};
	const size_t width = widths[track->path] * (track->interpolation == SNW_CUBIC ? 3 : 1);
	const bool over_channel = track->path == SNW_PATH_CHANNEL;
	return snw_database_run(
		project,
		"INSERT INTO track (clip, position, joint, channel, path, interpolation, key_seconds, key_values) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		SNW_CELLS(snw_integer(clip), snw_integer(position), snw_reference(over_channel ? 0 : joints[track->target]),
				  snw_reference(over_channel ? channels[track->target] : 0), snw_integer(track->path),
				  snw_integer(track->interpolation), snw_blob(track->seconds, track->key_count, sizeof(double)),
				  snw_blob(track->values, track->key_count, width * sizeof(double))),
		error);
}

snw_status snw_store_clip(snw_project *project, const snw_clip *clip, const int64_t *joints, const int64_t *channels,
						  int64_t *id, snw_error *error) {
	snw_status status = store_head(project, "INSERT OR REPLACE INTO clip (id, name, duration_seconds) VALUES (?1, ?2, ?3)",
								   SNW_CELLS(snw_reference(*id), snw_text(clip->name), snw_real(clip->duration_seconds)),
								   "DELETE FROM track WHERE clip = ?1", id, error);
	for (uint32_t i = 0; !snw_failed(status) && i < clip->track_count; i++) {
		status = store_track(project, &clip->tracks[i], joints, channels, *id, i, error);
	}
	return status;
}

/* ---- groups and targets -------------------------------------------------------------------------------------------------- */

snw_status snw_store_group(snw_project *project, const snw_group *group, const int64_t *joints, const int64_t *examples,
						   const int64_t *masks, int64_t *id, snw_error *error) {
	/* A new group acts last; an existing one keeps its position. */
	snw_status status = store_head(project,
								   "INSERT OR REPLACE INTO corrective_group (id, name, position) VALUES (?1, ?2, "
								   "coalesce((SELECT position FROM corrective_group WHERE id = ?1), "
								   "(SELECT coalesce(max(position) + 1, 0) FROM corrective_group)))",
								   SNW_CELLS(snw_reference(*id), snw_text(group->name)),
								   "DELETE FROM group_joint WHERE corrective_group = ?1", id, error);
	if (!snw_failed(status)) {
		status = snw_database_run(project, "DELETE FROM group_member WHERE corrective_group = ?1", SNW_CELLS(snw_integer(*id)),
								  error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < group->joint_count; i++) {
		status = snw_database_run(project, "INSERT INTO group_joint (corrective_group, position, joint) VALUES (?1, ?2, ?3)",
								  SNW_CELLS(snw_integer(*id), snw_integer(i), snw_integer(joints[group->joints[i]])), error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < group->member_count; i++) {
		status = snw_database_run(
			project, "INSERT INTO group_member (corrective_group, position, example, mask) VALUES (?1, ?2, ?3, ?4)",
			SNW_CELLS(snw_integer(*id), snw_integer(i), snw_integer(examples[i]), snw_reference(masks ? masks[i] : 0)), error);
	}
	return status;
}

snw_status snw_store_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count, int64_t clip,
							const snw_task *task, int64_t *id, snw_error *error) {
	snw_status status = store_head(
		project, "INSERT OR REPLACE INTO target (id, name, mesh, clip, frames_hash, is_set) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		SNW_CELLS(snw_reference(*id), snw_text(target->name), snw_integer(mesh), snw_reference(clip),
				  snw_integer((int64_t)snw_frames_hash(target, point_count)), snw_integer(target->is_set)),
		"DELETE FROM target_frame WHERE target = ?1", id, error);
	for (uint32_t f = 0; !snw_failed(status) && f < target->frame_count; f++) {
		if (!snw_task_progress(task, (double)f / target->frame_count, "writing frames")) {
			return snw_fail(error, SNW_CANCELLED, "cancelled");
		}
		status = snw_database_run(
			project, "INSERT INTO target_frame (target, position, seconds, points_posed) VALUES (?1, ?2, ?3, ?4)",
			SNW_CELLS(snw_integer(*id), snw_integer(f), snw_real(target->seconds[f]),
					  snw_blob(target->points_posed + 3 * (size_t)f * point_count, point_count, 3 * sizeof(float))),
			error);
	}
	return status;
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

snw_status snw_store_layer(snw_project *project, const snw_layer *layer, int64_t position, int64_t model, int64_t *id,
						   snw_error *error) {
	snw_status status = store_head(
		project,
		"INSERT OR REPLACE INTO layer (id, position, name, deformer, deformer_version, model, muted, samples) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		SNW_CELLS(snw_reference(*id), snw_integer(position), snw_text(layer->name), snw_text(layer->deformer),
				  snw_text(layer->deformer_version), snw_reference(model), snw_integer(layer->muted), snw_text(layer->samples)),
		"DELETE FROM layer_setting WHERE layer = ?1", id, error);
	for (uint32_t i = 0; !snw_failed(status) && i < layer->setting_count; i++) {
		const snw_value *value = &layer->settings[i].value;
		status = snw_database_run(
			project, "INSERT INTO layer_setting (layer, position, key, value, y, z, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
			SNW_CELLS(snw_integer(*id), snw_integer(i), snw_text(layer->settings[i].key), snw_real(value->numbers[0]),
					  snw_real(value->numbers[1]), snw_real(value->numbers[2]), snw_text(value->text)),
			error);
	}
	return status;
}
