/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deformer for the tests of export that lowers to an affine blend: the base skin over another rest, so that it equals a
 * linear blend; or with rows that no linear blend has, some with negative weights. Over the joints' palette, or over a
 * separate one.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

enum { IS_GENERAL, HAS_PALETTE, PARAMETER_COUNT };

struct snw_model {
	snw_pool pool;
	bool has_palette;
	uint32_t slot_count;
	const uint32_t *offsets, *slots;
	double *rows; /* [influences][4] */
};

/* Rows of one point: w (r, 1) with r beside the rest; where `is_general`, something else for each influence, its fourth numbers
 * summing to 1 as before. */
static void fill_rows(const snw_mesh_view *mesh, uint32_t point, bool is_general, double *rows) {
	const double *x = mesh->points_rest + 3 * (size_t)point;
	const uint32_t begin = mesh->influence_offsets[point], count = mesh->influence_offsets[point + 1] - begin;
	for (uint32_t i = 0; i < count; i++) {
		const double weight = mesh->influence_weights[begin + i];
		double *row = rows + 4 * (size_t)(begin + i);
		row[0] = weight * (x[0] + 0.01 * sin(9 * x[1]));
		row[1] = weight * (x[1] + 0.02 * cos(5 * x[0]));
		row[2] = weight * (x[2] + 0.01);
		row[3] = weight;
		if (is_general && count > 1) {
			const double side = i == 0 ? 1 : i == 1 ? -1 : 0;
			row[0] += 0.01 * side * sin(4 * x[0] + i);
			row[1] += 0.01 * cos(3 * x[1] + i);
			row[2] += 0.01 * sin(6 * x[2] + 2 * i);
			row[3] += 0.05 * side;
		}
	}
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_mesh_view *mesh = input->character->meshes[0];
	const uint32_t count = mesh->influence_offsets[mesh->point_count];
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	uint32_t *offsets = SNW_POOL_ARRAY(&pool, uint32_t, mesh->point_count + 1), *slots = SNW_POOL_ARRAY(&pool, uint32_t, count);
	double *rows = SNW_POOL_ARRAY(&pool, double, 4 * (size_t)count);
	if (!made || !offsets || !slots || !rows) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, mesh->influence_offsets, (mesh->point_count + 1) * sizeof *offsets);
	memcpy(slots, mesh->influence_slots, count * sizeof *slots);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		fill_rows(mesh, p, input->values[IS_GENERAL].numbers[0] != 0, rows);
	}
	*made = (snw_model){.pool = pool,
						.has_palette = input->values[HAS_PALETTE].numbers[0] != 0,
						.slot_count = input->character->slot_count,
						.offsets = offsets,
						.slots = slots,
						.rows = rows};
	*model = made;
	return SNW_OK;
}

static void release(snw_model *model) {
	snw_pool_release(&model->pool);
}

static void layout(const snw_model *model, snw_model_layout *layout) {
	snw_put(layout,
			&(snw_model_layout){.size = sizeof(snw_model_layout), .z_count = model->has_palette ? 12 * model->slot_count : 0});
}

/* The joints' palette, stretched as the elbow bends, which no joint of the skeleton does. */
static snw_status drive(const snw_drive_call *call) {
	const double stretch = 1 + 0.05 * snw_length3(call->pose->rotation_vectors + 3);
	for (uint32_t i = 0; call->model->has_palette && i < 12 * call->model->slot_count; i++) {
		call->output->z[i] = call->pose->palette[i] * (i % 4 == 3 ? 1 : stretch);
	}
	return SNW_OK;
}

static snw_status lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part),
											.blend = SNW_BLEND_AFFINE,
											.palette = model->has_palette ? SNW_PALETTE_MATRICES : SNW_PALETTE_JOINTS,
											.slot_count = model->slot_count,
											.influence_offsets = model->offsets,
											.influence_slots = model->slots,
											.influence_rows = model->rows});
	return SNW_OK;
}

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[IS_GENERAL] = SNW_SWITCH("general", "General", "Whether the rows are more than a linear blend.", 0, SNW_STAGE_FIT),
	[HAS_PALETTE] = SNW_SWITCH("palette", "Palette", "Whether it drives a palette of its own.", 0, SNW_STAGE_FIT),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.affine",
	.short_name = "test-affine",
	.name = "Test affine blend",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON,
	.traits = SNW_BINDS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.release = release,
};

SNW_PLUGIN(deformer)
