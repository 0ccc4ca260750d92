/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, the width of a slot, the meshes' influences and displacements, the tracks, a seal.
 */
#include "sad/sad.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

static const char mark[SNK_MARK_BYTES] = {'S', 'i', 'n', 'e', 'w', 'S', 'A', 'D'};
enum { REVISION = 2, MOST_NUMBERS = 12 + 9 }; /* of a slot, with its normals */

static void write_mesh(snw_writer *writer, const sad_mesh *mesh) {
	snw_write_u32(writer, mesh->point_count);
	snw_write_u32(writer, mesh->slot_count);
	if (mesh->slot_count > 0) {
		const size_t count = mesh->offsets[mesh->point_count];
		snw_write(writer, mesh->offsets, ((size_t)mesh->point_count + 1) * sizeof *mesh->offsets);
		snw_write(writer, mesh->slots, count * sizeof *mesh->slots);
		snw_write(writer, mesh->weights, count * sizeof *mesh->weights);
		snw_write_u32(writer, mesh->normals_rest != NULL);
		if (mesh->normals_rest) {
			snw_write(writer, mesh->normals_rest, (size_t)3 * mesh->point_count * sizeof(double));
		}
		snw_write_u32(writer, mesh->detail_count);
		snw_write(writer, mesh->detail_vectors, (size_t)3 * mesh->detail_count * mesh->point_count * sizeof(double));
		snw_write_u32(writer, mesh->normal_detail_count);
		snw_write(writer, mesh->normal_detail_vectors,
				  (size_t)3 * mesh->normal_detail_count * mesh->point_count * sizeof(double));
	}
}

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snw_write_u32(&writer, model->width);
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		write_mesh(&writer, &model->meshes[m]);
	}
	snw_write_u32(&writer, model->track_count);
	for (uint32_t t = 0; t < model->track_count; t++) {
		const sad_track *track = &model->tracks[t];
		const size_t numbers = (size_t)track->frame_count * model->meshes[track->mesh].slot_count * model->width;
		snw_write(&writer, &track->clip, sizeof track->clip);
		snw_write_u32(&writer, track->mesh);
		snw_write_u32(&writer, track->frame_count);
		snw_write(&writer, track->seconds, track->frame_count * sizeof *track->seconds);
		snw_write(&writer, track->palette, numbers * sizeof *track->palette);
		if (track->normals) {
			snw_write(&writer, track->normals, numbers / model->width * sad_normal_width(model) * sizeof *track->normals);
		}
		snw_write(&writer, track->details,
				  (size_t)track->frame_count * sad_course_count(&model->meshes[track->mesh]) * sizeof *track->details);
	}
	snw_write_seal(&writer);
	return writer.status;
}

/* Vectors of displacements of all points: their count, then the vectors. */
static snw_status read_vectors(snw_reader *reader, snw_model *model, uint32_t point_count, uint32_t *count,
							   const double **vectors) {
	const uint32_t found = snw_read_u32(reader);
	const size_t most = point_count > 0 ? reader->count / (3 * sizeof(double)) / point_count : 0;
	if (reader->failed || found > UINT32_MAX - model->detail_count || found > most) {
		return SNW_ERROR_DATA;
	}
	const size_t numbers = (size_t)3 * found * point_count;
	snw_status status = SNW_OK;
	*vectors = snk_read_numbers(reader, &model->pool, numbers, &status);
	*count = found;
	model->detail_count += found;
	return status;
}

static snw_status read_details(snw_reader *reader, snw_model *model, sad_mesh *mesh) {
	const uint32_t has_normals = snw_read_u32(reader);
	if (has_normals > 1) {
		return SNW_ERROR_DATA;
	}
	snw_status status = SNW_OK;
	if (has_normals) {
		mesh->normals_rest = snk_read_numbers(reader, &model->pool, (size_t)3 * mesh->point_count, &status);
	}
	mesh->first_detail = model->detail_count;
	status = snk_failed(status) ? status
								: read_vectors(reader, model, mesh->point_count, &mesh->detail_count, &mesh->detail_vectors);
	status = snk_failed(status)
				 ? status
				 : read_vectors(reader, model, mesh->point_count, &mesh->normal_detail_count, &mesh->normal_detail_vectors);
	return snk_failed(status) ? status : sad_list_details(&model->pool, mesh);
}

static snw_status read_mesh(snw_reader *reader, const snw_mesh_view *view, snw_model *model, sad_mesh *mesh) {
	mesh->point_count = snw_read_u32(reader);
	mesh->slot_count = snw_read_u32(reader);
	mesh->first_slot = model->slot_count;
	if (reader->failed || mesh->point_count != view->point_count ||
		mesh->slot_count > UINT32_MAX / MOST_NUMBERS - model->slot_count) {
		return SNW_ERROR_DATA;
	}
	model->slot_count += mesh->slot_count;
	if (mesh->slot_count == 0) {
		return SNW_OK;
	}
	snw_status status = SNW_OK;
	mesh->offsets = snk_read_offsets(reader, &model->pool, mesh->point_count, &status);
	const size_t count = mesh->offsets ? mesh->offsets[mesh->point_count] : 0;
	mesh->slots = snk_read_indices(reader, &model->pool, count, mesh->first_slot + mesh->slot_count, &status);
	mesh->weights = snk_read_numbers(reader, &model->pool, count, &status);
	for (size_t k = 0; !snk_failed(status) && k < count; k++) {
		status = mesh->slots[k] >= mesh->first_slot ? SNW_OK : SNW_ERROR_DATA;
	}
	return snk_failed(status) ? status : read_details(reader, model, mesh);
}

static snw_status read_track(snw_reader *reader, snw_model *model, sad_track *track) {
	snw_read(reader, &track->clip, sizeof track->clip);
	track->mesh = snw_read_u32(reader);
	track->frame_count = snw_read_u32(reader);
	if (reader->failed || track->mesh >= model->mesh_count || track->frame_count == 0 ||
		track->frame_count > reader->count / sizeof(double)) {
		return SNW_ERROR_DATA;
	}
	const size_t stride = (size_t)model->meshes[track->mesh].slot_count * model->width;
	if (stride == 0 || track->frame_count > reader->count / sizeof(double) / stride) {
		return SNW_ERROR_DATA;
	}
	snw_status status = SNW_OK;
	track->seconds = snk_read_numbers(reader, &model->pool, track->frame_count, &status);
	track->palette = snk_read_numbers(reader, &model->pool, track->frame_count * stride, &status);
	if (model->meshes[track->mesh].normals_rest) {
		const size_t numbers = track->frame_count * stride / model->width * sad_normal_width(model);
		track->normals = snk_read_numbers(reader, &model->pool, numbers, &status);
	}
	const size_t details = sad_course_count(&model->meshes[track->mesh]);
	if (details > 0 && track->frame_count > reader->count / sizeof(double) / details) {
		return snk_failed(status) ? status : SNW_ERROR_DATA;
	}
	track->details = snk_read_numbers(reader, &model->pool, track->frame_count * details, &status);
	for (uint32_t frame = 1; !snk_failed(status) && frame < track->frame_count; frame++) {
		status = track->seconds[frame] > track->seconds[frame - 1] ? SNW_OK : SNW_ERROR_DATA;
	}
	return status;
}

/* Slots occupy bytes only in tracks: without a track the count could be anything, and driving would allocate for it. */
static int every_slot_is_tracked(const snw_model *model) {
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		int tracked = model->meshes[m].slot_count == 0;
		for (uint32_t t = 0; !tracked && t < model->track_count; t++) {
			tracked = model->tracks[t].mesh == m;
		}
		if (!tracked) {
			return 0;
		}
	}
	return 1;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	model->width = snw_read_u32(reader);
	model->mesh_count = snw_read_u32(reader);
	if (reader->failed || (model->width != 8 && model->width != 12) || model->mesh_count != character->mesh_count) {
		return SNW_ERROR_DATA;
	}
	model->meshes = SNW_POOL_ARRAY(&model->pool, sad_mesh, model->mesh_count);
	snw_status status = model->meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		status = read_mesh(reader, character->meshes[m], model, &model->meshes[m]);
	}
	if (snk_failed(status)) {
		return status;
	}
	model->track_count = snw_read_count(reader, sizeof(uint64_t) + 2 * sizeof(uint32_t));
	model->tracks = SNW_POOL_ARRAY(&model->pool, sad_track, model->track_count);
	status = model->tracks ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t t = 0; !snk_failed(status) && t < model->track_count; t++) {
		status = read_track(reader, model, &model->tracks[t]);
	}
	return !snk_failed(status) && !every_slot_is_tracked(model) ? SNW_ERROR_DATA : status;
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
