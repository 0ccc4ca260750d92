/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what a pose makes of it, and as bytes.
 */
#include "motion/transforms.h"
#include "sad/sad.h"
#include "sinew/bytes.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Whether any mesh has separate normals: their palette then follows that of the points. */
static inline int sad_has_normals(const snw_model *model) {
	int any = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		any |= model->meshes[m].normals_rest != NULL;
	}
	return any;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* Drives: the palette of the pose's clip at its time, interpolated between the two nearest frames. Numbers are interpolated
 * as they are: the fit has chosen the signs of dual quaternions over all frames, so the blend of a point between two frames
 * is the interpolation of its blends in both. Changing the sign of a single joint would turn it against its neighbours.
 *
 * Lowers: the influences over the model's own palette. */

void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	const uint32_t width = model->width + (sad_has_normals(model) ? sad_normal_width(model) : 0);
	SNW_PUT(dest, snw_model_layout, .z_count = model->slot_count * width, .d_count = model->detail_count);
}

/* The last frame at or before the time; *share is the position between it and the next one. */
static uint32_t find_frame(const sad_track *track, double seconds, double *share) {
	uint32_t low = 0, high = track->frame_count;
	while (low + 1 < high) {
		const uint32_t middle = low + (high - low) / 2;
		*(track->seconds[middle] <= seconds ? &low : &high) = middle;
	}
	*share = 0;
	if (low + 1 < track->frame_count && seconds > track->seconds[low]) {
		*share = (seconds - track->seconds[low]) / (track->seconds[low + 1] - track->seconds[low]);
	}
	return low;
}

static void mix(uint32_t count, double share, const double *from, const double *to, double *dest) {
	for (uint32_t i = 0; i < count; i++) {
		dest[i] = from[i] + share * (to[i] - from[i]);
	}
}

static void write_rest(const snw_model *model, double *z) {
	for (uint32_t s = 0; s < model->slot_count; s++, z += model->width) {
		for (uint32_t i = 0; i < model->width; i++) {
			z[i] = model->width == 8 ? i == 3 : i % 5 == 0;
		}
	}
	const uint32_t width = sad_normal_width(model);
	for (uint32_t i = 0; sad_has_normals(model) && i < model->slot_count * width; i++) {
		z[i] = width == 4 ? i % 4 == 3 : i % 9 % 4 == 0;
	}
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_pose_view *pose = call->pose;
	const snw_drive_output *output = call->output;
	write_rest(model, output->z);
	for (uint32_t k = 0; k < model->detail_count; k++) {
		output->d[k] = 0;
	}
	for (uint32_t t = 0; t < model->track_count; t++) {
		const sad_track *track = &model->tracks[t];
		if (track->clip != pose->clip || pose->clip == 0) {
			continue;
		}
		const sad_mesh *mesh = &model->meshes[track->mesh];
		const size_t stride = (size_t)mesh->slot_count * model->width;
		double share;
		const uint32_t frame = find_frame(track, pose->seconds, &share);
		const double *from = track->palette + frame * stride, *to = share > 0 ? from + stride : from;
		double *dest = output->z + (size_t)mesh->first_slot * model->width;
		mix(mesh->slot_count * model->width, share, from, to, dest);
		if (track->normals) {
			const uint32_t width = sad_normal_width(model);
			const size_t numbers = (size_t)mesh->slot_count * width;
			const double *normals = track->normals + frame * numbers;
			mix(mesh->slot_count * width, share, normals, share > 0 ? normals + numbers : normals,
				output->z + (size_t)model->slot_count * model->width + (size_t)mesh->first_slot * width);
		}
		const uint32_t courses = sad_course_count(mesh);
		const double *course = track->details + (size_t)frame * courses;
		mix(courses, share, course, share > 0 ? course + courses : course, output->d + mesh->first_detail);
	}
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const sad_mesh *animation = &model->meshes[call->mesh];
	snw_program_part part = {.size = sizeof part, .blend = SNW_BLEND_NONE};
	if (animation->slot_count > 0) {
		part.blend = model->width == 8 ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR;
		part.palette = model->width == 8 ? SNW_PALETTE_DUAL_QUATERNIONS : SNW_PALETTE_MATRICES;
		part.sign_rule = SNW_SIGN_AS_GIVEN;
		part.slot_count = model->slot_count;
		part.influence_offsets = animation->offsets;
		part.influence_slots = animation->slots;
		part.influence_weights = animation->weights;
	}
	if (animation->normals_rest) {
		part.normal_palette = model->width == 8 ? SNW_NORMALS_QUATERNIONS : SNW_NORMALS_MATRICES;
		part.normal_z = model->slot_count * model->width;
		part.normals_rest = animation->normals_rest;
		part.rest_normals = &animation->normal_details;
	}
	if (animation->detail_count > 0) {
		part.rest = &animation->details;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

/* A model as bytes: a mark, the width of a slot, the meshes' influences and displacements, the tracks, a seal. */

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
