/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes and back: the joints, the learned blend, the predictors of each mesh, and its triangles or its proxies.
 */
#include <math.h>

#include "rotational-regression/rotational-regression.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

static void skin_bytes(snk_bytes *bytes, uint32_t slot_count, snk_base_skin_mesh *skin) {
	snk_bytes_influences(bytes, skin->point_count, slot_count, 1, &skin->offsets, &skin->slots, &skin->weights);
}

static int are_finite(size_t count, const float *numbers) {
	int finite = 1;
	for (size_t i = 0; i < count; i++) {
		finite &= isfinite(numbers[i]) != 0;
	}
	return finite;
}

static int is_whole(const predictor *p, uint32_t joint_count) {
	int whole = p->joint_count <= MOST_JOINTS;
	for (uint32_t k = 0; whole && k < p->joint_count; k++) {
		whole &= p->joints[k] < joint_count && p->is_above[k] <= 1;
	}
	return whole && are_finite((size_t)9 * MOST_JOINTS, p->rotations[0]) && are_finite((size_t)9 * SHEAR_COLUMNS, p->shear[0]);
}

static void predictor_bytes(snk_bytes *bytes, const snw_model *model, regressed_mesh *mesh) {
	snw_pool scratch = snw_pool_open(model->pool.host);
	snk_bytes_count(bytes, sizeof(predictor), &mesh->predictor_count);
	predictor *read = bytes->is_load ? SNW_POOL_ARRAY(&scratch, predictor, mesh->predictor_count) : NULL;
	if (scratch.failed) {
		bytes->status = SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < mesh->predictor_count; k++) {
		predictor one;
		if (!bytes->is_load) {
			read_predictor(&mesh->groups[k / LANES], k % LANES, &one);
		}
		snk_bytes_raw(bytes, sizeof one, &one);
		if (snk_bytes_need(bytes, is_whole(&one, model->joint_count)) && read) {
			read[k] = one;
		}
	}
	if (bytes->is_load && !snk_failed(bytes->status)) {
		mesh->groups = group_predictors(model, mesh->predictor_count, read, bytes->pool);
		bytes->status = mesh->groups ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&scratch);
}

static void triangle_bytes(snk_bytes *bytes, regressed_mesh *mesh) {
	const size_t points = mesh->skin.point_count, corners = 3 * (size_t)mesh->predictor_count;
	if (bytes->is_load) {
		mesh->triangle_count = mesh->predictor_count;
	}
	snk_bytes_indices(bytes, corners, mesh->skin.point_count, &mesh->triangles);
	snk_bytes_numbers(bytes, corners, &mesh->weights);
	if (bytes->is_load) {
		mesh->is_fixed = snk_bytes_acquire(bytes, points, 1);
	}
	snk_bytes_raw(bytes, points, mesh->is_fixed);
	snk_bytes_numbers(bytes, points, &mesh->pulls);
	for (size_t n = 0; !snk_failed(bytes->status) && n < corners; n++) {
		snk_bytes_need(bytes, mesh->weights[n] >= 0);
	}
	for (size_t i = 0; !snk_failed(bytes->status) && i < points; i++) {
		snk_bytes_need(bytes, mesh->pulls[i] >= 0);
	}
}

/* A load checks the columns of C when all meshes are there. */
static void proxy_bytes(snk_bytes *bytes, regressed_mesh *mesh) {
	snw_sparse_rows *rows = &mesh->rows;
	if (bytes->is_load) {
		mesh->proxies.point_count = mesh->skin.point_count;
	}
	skin_bytes(bytes, UINT32_MAX, &mesh->proxies);
	snk_bytes_need(bytes, mesh->proxies.offsets != NULL);
	snk_bytes_count(bytes, 4 * sizeof(uint32_t), &mesh->slot_count);
	if (bytes->is_load) {
		rows->row_count = 4 * mesh->slot_count;
		rows->column_count = UINT32_MAX;
	}
	snk_bytes_rows(bytes, rows);
	const size_t influences = snk_bytes_total(bytes, mesh->proxies.point_count, mesh->proxies.offsets);
	for (size_t k = 0; !snk_failed(bytes->status) && k < influences; k++) {
		snk_bytes_need(bytes, mesh->proxies.slots[k] < mesh->slot_count);
	}
}

static void mesh_bytes(snk_bytes *bytes, uint32_t index, const snw_model *model) {
	regressed_mesh *mesh = &model->meshes[index];
	snk_bytes_point_count(bytes, index, &mesh->skin.point_count);
	skin_bytes(bytes, model->slot_count, &mesh->skin);
	predictor_bytes(bytes, model, mesh);
	if (mesh->predictor_count > 0 && !snk_failed(bytes->status)) {
		if (model->is_reduced) {
			proxy_bytes(bytes, mesh);
		} else {
			triangle_bytes(bytes, mesh);
		}
	}
}

static void joint_bytes(snk_bytes *bytes, snw_model *model) {
	if (bytes->is_load) {
		model->joints = snk_bytes_acquire(bytes, model->joint_count, sizeof *model->joints);
	}
	for (uint32_t j = 0; !snk_failed(bytes->status) && j < model->joint_count; j++) {
		regressed_joint *joint = (regressed_joint *)&model->joints[j];
		snk_bytes_u32(bytes, &joint->parent);
		snk_bytes_index(bytes, 2, &joint->bends);
		snk_bytes_f64(bytes, 9, joint->axes);
		snk_bytes_need(bytes, joint->parent == SNW_NONE || joint->parent < model->joint_count);
	}
}

static void check_columns(snk_bytes *bytes, const snw_model *model, regressed_mesh *mesh) {
	snw_sparse_rows *rows = &mesh->rows;
	if (rows->offsets) {
		rows->column_count = 3 * model->predictor_count + 4 * model->slot_count;
		for (uint32_t k = 0; k < rows->offsets[rows->row_count]; k++) {
			snk_bytes_need(bytes, rows->columns[k] < rows->column_count);
		}
	}
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_index(bytes, ANCHOR_KINDS, &model->anchors);
	snk_bytes_index(bytes, FEATURE_KINDS, &model->features);
	snk_bytes_index(bytes, 2, &model->is_reduced);
	if (bytes->is_load) {
		model->slot_count = bytes->character->slot_count;
		model->joint_count = bytes->character->skeleton->joint_count;
	}
	snk_bytes_same(bytes, model->slot_count);
	snk_bytes_same(bytes, model->joint_count);
	joint_bytes(bytes, model);
	snk_bytes_mesh_count(bytes, &model->mesh_count);
	if (bytes->is_load) {
		model->meshes = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		mesh_bytes(bytes, m, model);
	}
	if (bytes->is_load && !snk_failed(bytes->status)) {
		number_predictors(model);
		for (uint32_t m = 0; m < model->mesh_count; m++) {
			check_columns(bytes, model, &model->meshes[m]);
		}
	}
}

static const snk_model_format format = {"SNWROTRG", 2, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

/* The proxies move as they did; their weights, and those of the learned blend, follow. A full model would have to learn the
 * gradients of triangles that it has not seen. */
static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		regressed_mesh *mesh = &model->meshes[m];
		snk_base_skin_mesh *skin = &mesh->skin, *proxies = &mesh->proxies;
		if (!model->is_reduced && mesh->predictor_count > 0 && call->stencils[m]->offsets) {
			return snw_report_fail(call->host, SNW_ERROR_UNSUPPORTED,
								   "with proxies=0 there is a gradient for each triangle, and mesh '%s' has others now",
								   call->character->meshes[m]->name);
		}
		status =
			snk_transfer_influences(call, m, model->slot_count, 1, &model->pool, &skin->offsets, &skin->slots, &skin->weights);
		status = snk_failed(status) ? status
									: snk_transfer_influences(call, m, mesh->slot_count, 1, &model->pool, &proxies->offsets,
															  &proxies->slots, &proxies->weights);
		skin->point_count = call->character->meshes[m]->point_count;
		proxies->point_count = proxies->offsets ? skin->point_count : proxies->point_count;
	}
	return status;
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const char *const anchors[] = {"soft", "fixed", NULL};
static const char *const kinds[] = {"matrices", "vectors", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[PROXIES] =
		SNW_COUNT("proxies", "Proxies",
				  "The most proxy joints that each mesh gets, fewer where fewer do as well, as for few points; 0 keeps the "
				  "full model, which no engine and no GPU runs.",
				  80, 0, 320, SNW_STAGE_FIT, .role = SNW_ROLE_PROXIES),
	[ERROR] = SNW_NUMBER("error", "Error",
						 "The error (erms) that the proxies' blend may have over the samples: from 320 proxies on, a fifth is "
						 "taken away while the error stays below it. 0 leaves it to the number of proxies.",
						 "", 0, 0, 1000, SNW_STAGE_FIT, SNW_SOFT(0, 1)),
	[JOINTS] = SNW_COUNT("joints", "Joints", "The most joints whose rotations predict one gradient; the paper has 2.", 4, 1,
						 MOST_JOINTS, SNW_STAGE_FIT),
	[ANCHORS] = SNW_CHOICE("anchors", "Anchors",
						   "How points are held to a linear blend with learned weights: softly everywhere, or, as in the "
						   "paper, fixed where it is best.",
						   anchors, ANCHORS_SOFT, SNW_STAGE_FIT),
	[PULL] = SNW_NUMBER("pull", "Pull",
						"With soft anchors, how strongly each point is drawn to that blend, by what the errors over the "
						"samples ask for; 0 chooses it by what predicts held-out samples best.",
						"", 0, 0, 1000, SNW_STAGE_FIT, SNW_SOFT(0, 10)),
	[FEATURES] = SNW_CHOICE("features", "Features",
							"What scale and shear are linear in: rotation matrices, or, as in the paper, rotation vectors.",
							kinds, FEATURES_MATRICES, SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge",
						 "How strongly triangles keep their shape where the samples say little; 0 chooses it for each by what "
						 "predicts held-out samples best.",
						 "", 3e-4, 0, 100, SNW_STAGE_FIT, SNW_SOFT(0, 0.1)),
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most proxies that may move one point.", 4, 1, 8, SNW_STAGE_FIT,
							 .role = SNW_ROLE_INFLUENCES),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[] = {SNK_RESIDUAL_FIELD};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.rotational-regression",
	.short_name = "rotational-regression",
	.name = "Rotational regression",
	.version = "1.0",
	.paper = "R. Wang, K. Pulli, J. Popović: Real-time enveloping with rotational regression, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.rings = SNW_NONE,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .prepare = prepare, .deform = deform, .lower = lower, .save = save,
			 .load = load, .release = snk_model_release, .transfer = transfer)
