/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth: Laplacian passes over the deformed points. In each pass every point moves part of the way to the mean of its
 * neighbours. A point on a border uses only its neighbours along the border, so that borders keep their shape.
 */
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Neighbours of point i: neighbours[offsets[i]] .. neighbours[offsets[i + 1]], ascending. */
typedef struct rings {
	uint32_t point_count;
	const uint32_t *offsets;
	const uint32_t *neighbours;
} rings;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t mesh_count;
	rings *meshes;
};

/* Rows of the parameter table. */
enum { PASSES, STRENGTH, PARAMETER_COUNT };

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* Binding: from faces to each point's ring of neighbours. */

static snw_status find_rings(const snw_mesh_view *mesh, snw_pool *pool, rings *found) {
	snw_pool scratch = snw_pool_open(pool->host);
	const snk_faces faces = snk_faces_of(mesh);
	snk_adjacency all;
	snw_status status = snk_adjacency_find(&faces, &scratch, &all);
	if (!snk_failed(status)) {
		uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
		uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, all.offsets[mesh->point_count]);
		for (uint32_t i = 0; !pool->failed && i < mesh->point_count; i++) {
			offsets[i + 1] = offsets[i] + snk_smoothing_neighbours(&all, i, neighbours + offsets[i]);
		}
		*found = (rings){.point_count = mesh->point_count, .offsets = offsets, .neighbours = neighbours};
		status = pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_character_view *character = input->character;
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	rings *meshes = SNW_POOL_ARRAY(&made->pool, rings, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = find_rings(character->meshes[m], &made->pool, &meshes[m]);
	}
	made->mesh_count = character->mesh_count;
	made->meshes = meshes;
	return snk_model_finish(status, made, model);
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

/* Running: one pass moves each point toward its ring. Neighbours are summed in the order of their indices, so any split into
 * ranges gives the same bits. It does not lower. */

static uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values) {
	(void)model;
	return (uint32_t)values[PASSES].numbers[0];
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->end > model->meshes[call->mesh].point_count || call->begin > call->end) {
		return SNW_ERROR_ARGUMENT;
	}
	const rings *around = &model->meshes[call->mesh];
	const double strength = call->values[STRENGTH].numbers[0], *points_in = call->points_in;
	for (uint32_t i = call->begin; i < call->end; i++) {
		const uint32_t first = around->offsets[i], last = around->offsets[i + 1];
		double sum[3] = {0, 0, 0};
		for (uint32_t k = first; k < last; k++) {
			const double *neighbour = points_in + 3 * (size_t)around->neighbours[k];
			for (int c = 0; c < 3; c++) {
				sum[c] += neighbour[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			const double here = points_in[3 * (size_t)i + c];
			call->points_out[3 * (size_t)i + c] = last > first ? here + strength * (sum[c] / (last - first) - here) : here;
		}
	}
	return SNW_OK;
}

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	*call->reason = "each point moves towards its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

/* A model as bytes: a mark, a revision, the rings of each mesh, a seal. */

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_mesh_count(bytes, &model->mesh_count);
	if (bytes->is_load) {
		model->meshes = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		rings *around = &model->meshes[m];
		snk_bytes_point_count(bytes, m, &around->point_count);
		snk_bytes_offsets(bytes, around->point_count, &around->offsets);
		const size_t count = snk_bytes_total(bytes, around->point_count, around->offsets);
		snk_bytes_indices(bytes, count, around->point_count, &around->neighbours);
	}
}

static const snk_model_format format = {"SNWSMTH", 1, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[PASSES] = SNW_COUNT("passes", "Passes", "How many times every point moves towards its neighbours.", 5, 1, 1000,
						 SNW_STAGE_DRIVE, SNW_SOFT(1, 20)),
	[STRENGTH] = SNW_NUMBER("strength", "Strength",
							"How far a point moves in each pass: 0 stays, 1 moves to the mean of its neighbours.", "", 0.5, 0,
							1, SNW_STAGE_DRIVE),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.smooth",
	.short_name = "smooth",
	.name = "Smooth",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES,
	.traits = SNW_BINDS,
	.rings = 1,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNW_DEFORMER(.fit = fit, .passes = passes, .deform = deform, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release)
