/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drives: the palette of the pose's clip at its time, interpolated between the two nearest frames. Numbers are interpolated
 * as they are: the fit has chosen the signs of dual quaternions over all frames, so the blend of a point between two frames
 * is the interpolation of its blends in both. Changing the sign of a single joint would turn it against its neighbours.
 *
 * Lowers: the influences over the model's own palette.
 */
#include "sad/sad.h"

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
