/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of a fit that is stored in the model.
 */
#include "sad/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* The transform of one slot in one frame, for points in the original coordinates: the motion's centre is added again. */
static void read_slot(const mesh_fit *f, uint32_t frame, uint32_t joint, double *dest) {
	const uint32_t width = snk_transform_width(f->current.transforms.kind), lane = frame % SNK_LANES;
	const snk_lanes *values = snk_transforms_block(&f->current.transforms, frame / SNK_LANES) + (size_t)width * joint;
	const double *centre = f->motion.centre;
	for (uint32_t i = 0; i < width; i++) {
		dest[i] = values[i][lane];
	}
	if (width == 8) {
		const double half[4] = {centre[0] / 2, centre[1] / 2, centre[2] / 2, 0};
		double before[4], after[4];
		snw_quat_multiply(half, dest, before);
		snw_quat_multiply(dest, half, after);
		for (int i = 0; i < 4; i++) {
			dest[4 + i] += before[i] - after[i];
		}
	} else {
		for (int r = 0; r < 3; r++) {
			dest[4 * r + 3] += centre[r] - snw_dot3(dest + 4 * r, centre);
		}
	}
}

static snw_status copy_influences(const mesh_fit *f, snw_model *model, sad_mesh *mesh) {
	const snk_influences *all = &f->current.influences;
	const size_t count = all->offsets[all->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(&model->pool, uint32_t, (size_t)all->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(&model->pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(&model->pool, double, count);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, all->offsets, ((size_t)all->point_count + 1) * sizeof *offsets);
	memcpy(weights, all->weights, count * sizeof *weights);
	for (size_t k = 0; k < count; k++) {
		slots[k] = model->slot_count + all->joints[k];
	}
	mesh->offsets = offsets;
	mesh->slots = slots;
	mesh->weights = weights;
	mesh->first_slot = model->slot_count;
	mesh->slot_count = all->joint_count;
	return SNW_OK;
}

static snw_status copy_track(const mesh_fit *f, const snw_sequence_view *sequence, uint32_t first_frame, snw_model *model) {
	const uint32_t joints = f->current.influences.joint_count, width = model->width, frames = sequence->frame_count;
	double *seconds = SNW_POOL_ARRAY(&model->pool, double, frames);
	double *palette = SNW_POOL_ARRAY(&model->pool, double, (size_t)frames *joints *width);
	const uint32_t normal_numbers = f->normal_values ? joints * sad_normal_width(model) : 0;
	double *normals = SNW_POOL_ARRAY(&model->pool, double, (size_t)frames *normal_numbers);
	const uint32_t courses = f->current.details.count + f->normal_details.count;
	double *details = SNW_POOL_ARRAY(&model->pool, double, (size_t)frames *courses);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(seconds, sequence->seconds, frames * sizeof *seconds);
	for (uint32_t frame = 0; frame < frames; frame++) {
		const uint32_t at = first_frame + frame;
		for (uint32_t i = 0; i < normal_numbers; i++) {
			normals[(size_t)frame * normal_numbers + i] =
				f->normal_values[(size_t)normal_numbers * (at / SNK_LANES) + i][at % SNK_LANES];
		}
		for (uint32_t k = 0; k < courses; k++) {
			const int of_point = k < f->current.details.count;
			const snk_lanes *course = of_point ? f->current.details.courses : f->normal_details.courses;
			const size_t first = (size_t)f->motion.block_count * (of_point ? k : k - f->current.details.count);
			details[(size_t)frame * courses + k] = course[first + at / SNK_LANES][at % SNK_LANES];
		}
	}
	for (uint32_t frame = 0; frame < frames; frame++) {
		for (uint32_t j = 0; j < joints; j++) {
			read_slot(f, first_frame + frame, j, palette + ((size_t)frame * joints + j) * width);
		}
	}
	model->tracks[model->track_count++] = (sad_track){.clip = sequence->clip,
													  .mesh = f->mesh,
													  .frame_count = frames,
													  .seconds = seconds,
													  .palette = palette,
													  .normals = f->normal_values ? normals : NULL,
													  .details = details};
	return SNW_OK;
}

snw_status sad_list_details(snw_pool *pool, sad_mesh *mesh) {
	const size_t points = mesh->point_count, courses = sad_course_count(mesh);
	const size_t most = mesh->detail_count > mesh->normal_detail_count ? mesh->detail_count : mesh->normal_detail_count;
	uint32_t *coefficients = SNW_POOL_ARRAY(pool, uint32_t, courses);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, most + 1);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < courses; k++) {
		coefficients[k] = mesh->first_detail + k;
	}
	for (uint32_t k = 0; k < most; k++) {
		offsets[k + 1] = (k + 1) * points;
	}
	mesh->details = (snw_displacements){.size = sizeof mesh->details,
										.count = mesh->detail_count,
										.coefficients = coefficients,
										.offsets = offsets,
										.vectors = mesh->detail_vectors};
	mesh->normal_details = (snw_displacements){.size = sizeof mesh->normal_details,
											   .count = mesh->normal_detail_count,
											   .coefficients = coefficients + mesh->detail_count,
											   .offsets = offsets,
											   .vectors = mesh->normal_detail_vectors};
	return SNW_OK;
}

static const double *copy_numbers(snw_pool *pool, size_t count, const double *from) {
	double *copy = SNW_POOL_ARRAY(pool, double, count);
	if (copy && count > 0) {
		memcpy(copy, from, count * sizeof *copy);
	}
	return copy;
}

static snw_status copy_details(const mesh_fit *f, snw_model *model, sad_mesh *mesh) {
	const size_t points = f->motion.point_count;
	mesh->first_detail = model->detail_count;
	mesh->detail_count = f->current.details.count;
	mesh->detail_vectors = copy_numbers(&model->pool, 3 * points * f->current.details.count, f->current.details.vectors);
	mesh->normal_detail_count = f->normal_details.count;
	mesh->normal_detail_vectors = copy_numbers(&model->pool, 3 * points * f->normal_details.count, f->normal_details.vectors);
	if (f->normal_values) {
		mesh->normals_rest = copy_numbers(&model->pool, 3 * points, f->mesh_normals.normals_rest);
	}
	model->detail_count += sad_course_count(mesh);
	return model->pool.failed ? SNW_ERROR_MEMORY : sad_list_details(&model->pool, mesh);
}

snw_status add_mesh_to_model(const mesh_fit *f, snw_model *model) {
	snw_status status = copy_influences(f, model, &model->meshes[f->mesh]);
	status = snk_failed(status) ? status : copy_details(f, model, &model->meshes[f->mesh]);
	uint32_t frame = 0;
	for (uint32_t s = 0; !snk_failed(status) && s < f->animations.count; s++) {
		status = copy_track(f, f->animations.sequences[s], frame, model);
		frame += f->animations.sequences[s]->frame_count;
	}
	model->slot_count += f->current.influences.joint_count;
	return status;
}
