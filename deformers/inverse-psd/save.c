/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, revisions of the format and of the kernels, the joints' names, the pose spaces, the
 * displacements (only of points that move), the checksums of the inversions, a seal. load.c reads them.
 */
#include "inverse-psd/inverse-psd.h"
#include "inverse-psd/saved_format.h"
#include "sinew/kit/bytes/saved.h"

static void write_metric(snw_writer *writer, const snk_joint_metric *metric) {
	snw_write(writer, metric->axis, sizeof metric->axis);
	snw_write_f64(writer, metric->swing);
	snw_write_f64(writer, metric->twist);
	snw_write_f64(writer, metric->translation);
	snw_write_f64(writer, metric->scale);
	snw_write_u32(writer, metric->unwound);
}

static void write_space(snw_writer *writer, const pose_space *space) {
	const size_t joints = space->joint_count, poses = space->pose_count, coefficients = space->coefficient_count;
	const size_t classes = space->class_count;
	snk_write_text(writer, space->name);
	snw_write_u32(writer, space->is_forward);
	snw_write_u32(writer, (uint32_t)space->kernel);
	snw_write_u32(writer, (uint32_t)space->polynomial);
	snw_write_u32(writer, space->clamps);
	snw_write_f64(writer, space->width);
	snw_write_u32(writer, space->joint_count);
	snw_write(writer, space->joints, joints * sizeof *space->joints);
	for (size_t j = 0; j < joints; j++) {
		write_metric(writer, &space->metrics[j]);
	}
	snw_write_u32(writer, space->pose_count);
	snw_write_u32(writer, space->coefficient_count);
	snw_write_u32(writer, space->class_count);
	snw_write(writer, space->rotation_vectors, 3 * poses * joints * sizeof *space->rotation_vectors);
	snw_write(writer, space->places, 6 * poses * joints * sizeof *space->places);
	snw_write(writer, space->shares, classes * joints * sizeof *space->shares);
	snw_write(writer, space->weights,
			  coefficients > 0 ? classes * term_count(space) * coefficients * sizeof *space->weights : 0);
	for (uint32_t k = 0; k < space->coefficient_count; k++) {
		snk_write_text(writer, space->names[k]);
	}
}

static void write_displacements(snw_writer *writer, const snw_displacements *list, const uint32_t *classes) {
	const size_t points = list->count > 0 ? list->offsets[list->count] : 0;
	snw_write_u32(writer, list->count);
	snw_write(writer, list->coefficients, list->count * sizeof *list->coefficients);
	snk_write_displacement_offsets(writer, list->count, list->offsets);
	snw_write(writer, list->points, points * sizeof *list->points);
	snw_write(writer, list->vectors, 3 * points * sizeof *list->vectors);
	if (list->joints) {
		snw_write(writer, list->joints, list->count * sizeof *list->joints);
	}
	if (classes) {
		snw_write(writer, classes, points * sizeof *classes);
	}
}

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, SAVED_MARK, SAVED_MARK_BYTES);
	snw_write_u32(&writer, SAVED_REVISION);
	snw_write_u32(&writer, SNK_KERNEL_VERSION);
	snw_write_u32(&writer, model->is_weighted);
	snw_write_u32(&writer, model->joint_count);
	for (uint32_t j = 0; j < model->joint_count; j++) {
		snk_write_text(&writer, model->joint_names[j]);
	}
	snw_write_u32(&writer, model->group_count);
	for (uint32_t g = 0; g < model->group_count; g++) {
		write_space(&writer, &model->groups[g]);
	}
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		snw_write_u32(&writer, model->meshes[m].point_count);
		write_displacements(&writer, &model->meshes[m].rest, model->meshes[m].rest_classes);
		write_displacements(&writer, &model->meshes[m].posed, model->meshes[m].posed_classes);
	}
	snw_write_u32(&writer, model->inverted_count);
	for (uint32_t i = 0; i < model->inverted_count; i++) {
		const inverted *one = &model->inverted[i];
		snw_write(&writer, &one->input_sum, sizeof one->input_sum);
		snw_write(&writer, &one->result_sum, sizeof one->result_sum);
		snw_write_u32(&writer, one->coefficient);
		snw_write_u32(&writer, one->mesh);
	}
	snw_write_seal(&writer);
	return writer.status;
}
