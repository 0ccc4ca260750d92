/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/skin/shape_model.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/pool.h"
#include "sinew/put.h"
#include "sinew/report.h"

/* ---- skins of weights ---------------------------------------------------------------------------------------------------- */

/* A model's own copy of the base skin. */

snw_status snk_base_skin_copy_mesh(const snw_mesh_view *mesh, snw_pool *pool, snk_base_skin_mesh *copy) {
	*copy = (snk_base_skin_mesh){.point_count = mesh->point_count};
	if (!mesh->influence_offsets) {
		return SNW_OK;
	}
	const size_t count = mesh->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(pool, double, count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, mesh->influence_offsets, ((size_t)mesh->point_count + 1) * sizeof *offsets);
	if (count > 0) {
		memcpy(slots, mesh->influence_slots, count * sizeof *slots);
		memcpy(weights, mesh->influence_weights, count * sizeof *weights);
	}
	copy->offsets = offsets;
	copy->slots = slots;
	copy->weights = weights;
	return SNW_OK;
}

void snk_keep_influence(uint32_t most, uint32_t slot, double weight, uint32_t *count, uint32_t *slots, double *weights) {
	uint32_t at = *count;
	while (at > 0 && weights[at - 1] < weight) {
		at--;
	}
	if (at >= most) {
		return;
	}
	*count += *count < most;
	for (uint32_t k = *count - 1; k > at; k--) {
		slots[k] = slots[k - 1];
		weights[k] = weights[k - 1];
	}
	slots[at] = slot;
	weights[at] = weight;
}

uint32_t snk_largest_influences(const snw_mesh_view *mesh, uint32_t point, uint32_t most, uint32_t *slots, double *weights) {
	const uint32_t first = mesh->influence_offsets ? mesh->influence_offsets[point] : 0;
	const uint32_t end = mesh->influence_offsets ? mesh->influence_offsets[point + 1] : 0;
	uint32_t count = 0;
	for (uint32_t k = first; k < end; k++) {
		if (mesh->influence_weights[k] > 0) {
			snk_keep_influence(most, mesh->influence_slots[k], mesh->influence_weights[k], &count, slots, weights);
		}
	}
	return count;
}

void snk_sort_influences(uint32_t count, uint32_t *slots, double *weights) {
	for (uint32_t k = 1; k < count; k++) {
		const uint32_t slot = slots[k];
		const double weight = weights[k];
		uint32_t at = k;
		for (; at > 0 && slots[at - 1] > slot; at--) {
			slots[at] = slots[at - 1];
			weights[at] = weights[at - 1];
		}
		slots[at] = slot;
		weights[at] = weight;
	}
}

void snk_linear_part(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, double m[9]) {
	const uint32_t begin = offsets ? offsets[point] : 0, end = offsets ? offsets[point + 1] : 0;
	for (int i = 0; i < 9; i++) {
		m[i] = begin == end && i % 4 == 0;
	}
	for (uint32_t n = begin; n < end; n++) {
		const double *t = palette + 12 * (size_t)slots[n];
		for (size_t r = 0; r < 3; r++) {
			for (size_t c = 0; c < 3; c++) {
				m[3 * r + c] += weights[n] * t[4 * r + c];
			}
		}
	}
}

void snk_blend_point(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, const double rest[3], double posed[3]) {
	const uint32_t begin = offsets ? offsets[point] : 0, end = offsets ? offsets[point + 1] : 0;
	double sum[3] = {0, 0, 0};
	for (uint32_t n = begin; n < end; n++) {
		double by_slot[3];
		snw_mat34_point(palette + 12 * (size_t)slots[n], rest, by_slot);
		for (int c = 0; c < 3; c++) {
			sum[c] += weights[n] * by_slot[c];
		}
	}
	memcpy(posed, begin == end ? rest : sum, sizeof sum);
}

snw_status snk_base_skin_copy(const snw_character_view *character, snw_pool *pool, snk_base_skin *skin) {
	snk_base_skin_mesh *meshes = SNW_POOL_ARRAY(pool, snk_base_skin_mesh, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = snk_base_skin_copy_mesh(character->meshes[m], pool, &meshes[m]);
	}
	*skin = (snk_base_skin){.slot_count = character->slot_count, .mesh_count = character->mesh_count, .meshes = meshes};
	return status;
}

void snk_base_skin_bytes(snk_bytes *bytes, snk_base_skin *skin) {
	snk_bytes_same(bytes, skin->slot_count);
	snk_bytes_mesh_count(bytes, &skin->mesh_count);
	if (bytes->is_load) {
		skin->meshes = (snk_base_skin_mesh *)snk_bytes_acquire(bytes, skin->mesh_count, sizeof *skin->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < skin->mesh_count; m++) {
		snk_base_skin_mesh *mesh = &skin->meshes[m];
		snk_bytes_point_count(bytes, m, &mesh->point_count);
		snk_bytes_influences(bytes, mesh->point_count, skin->slot_count, 1, &mesh->offsets, &mesh->slots, &mesh->weights);
	}
}

snw_status snk_base_skin_lower(const snk_base_skin *skin, const snw_lower_call *call, snw_blend blend) {
	if (call->mesh >= skin->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const snk_base_skin_mesh *source = &skin->meshes[call->mesh];
	const snw_program_part made = {
		.size = sizeof made,
		.blend = source->offsets ? (int32_t)blend : SNW_BLEND_NONE,
		.palette = SNW_PALETTE_JOINTS,
		.sign_rule = SNW_SIGN_SHORTEST,
		.slot_count = skin->slot_count,
		.influence_offsets = source->offsets,
		.influence_slots = source->slots,
		.influence_weights = source->weights,
	};
	snw_put(call->part, &made);
	return SNW_OK;
}

/* ---- skins of 4-vectors -------------------------------------------------------------------------------------------------- */

/* A skin of 4-vectors: made of a linear blend, saved, lowered. */

snw_status snk_row_skin_of_linear_blend(const snw_mesh_view *mesh, snw_pool *pool, snk_row_skin_mesh *skin) {
	*skin = (snk_row_skin_mesh){.point_count = mesh->point_count};
	if (!mesh->influence_offsets) {
		return SNW_OK;
	}
	const size_t count = mesh->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *rows = SNW_POOL_ARRAY(pool, double, 4 * count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, mesh->influence_offsets, ((size_t)mesh->point_count + 1) * sizeof *offsets);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			const double weight = mesh->influence_weights[k];
			slots[k] = mesh->influence_slots[k];
			for (size_t c = 0; c < 3; c++) {
				rows[4 * (size_t)k + c] = weight * mesh->points_rest[3 * (size_t)i + c];
			}
			rows[4 * (size_t)k + 3] = weight;
		}
	}
	*skin = (snk_row_skin_mesh){mesh->point_count, offsets, slots, rows};
	return SNW_OK;
}

snw_status snk_row_skin_of_rows(const snw_character_view *character, const snw_rows_view *const *rows, snw_pool *pool,
								snk_row_skin *skin) {
	snk_row_skin_mesh *meshes = SNW_POOL_ARRAY(pool, snk_row_skin_mesh, character->mesh_count);
	for (uint32_t m = 0; meshes && m < character->mesh_count; m++) {
		const uint32_t points = character->meshes[m]->point_count;
		meshes[m].point_count = points;
		if (rows[m]->influence_offsets) {
			const size_t count = rows[m]->influence_offsets[points];
			uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
			uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
			double *numbers = SNW_POOL_ARRAY(pool, double, 4 * count);
			if (pool->failed) {
				return SNW_ERROR_MEMORY;
			}
			memcpy(offsets, rows[m]->influence_offsets, ((size_t)points + 1) * sizeof *offsets);
			memcpy(slots, rows[m]->influence_slots, count * sizeof *slots);
			memcpy(numbers, rows[m]->influence_rows, 4 * count * sizeof *numbers);
			meshes[m] = (snk_row_skin_mesh){points, offsets, slots, numbers};
		}
	}
	*skin = (snk_row_skin){.slot_count = character->slot_count, .mesh_count = character->mesh_count, .meshes = meshes};
	return meshes ? SNW_OK : SNW_ERROR_MEMORY;
}

snw_status snk_row_skin_check_below(const snw_host *host, const snw_character_view *character, uint32_t mesh,
									const snw_pose_view *pose, const char *method) {
	const snw_below_service *below = (const snw_below_service *)host->service(host, SNW_SERVICE_BELOW);
	const uint32_t first = 0;
	double matrix[12];
	const snw_below_matrices_call call = {
		.size = sizeof call, .mesh = mesh, .pose = pose, .count = 1, .indices = &first, .matrices = matrix};
	const snw_status status = below ? below->matrices(host, &call) : SNW_OK;
	return status != SNW_ERROR_UNSUPPORTED
			   ? status
			   : snw_report_fail(
					 host, status,
					 "mesh '%s' has a black box below the blend, whose points the rows of %s would ignore; move that "
					 "layer above it, or mute it",
					 character->meshes[mesh]->name, method);
}

void snk_row_skin_bytes(snk_bytes *bytes, snk_row_skin *skin) {
	snk_bytes_same(bytes, skin->slot_count);
	snk_bytes_mesh_count(bytes, &skin->mesh_count);
	if (bytes->is_load) {
		skin->meshes = (snk_row_skin_mesh *)snk_bytes_acquire(bytes, skin->mesh_count, sizeof *skin->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < skin->mesh_count; m++) {
		snk_row_skin_mesh *mesh = &skin->meshes[m];
		snk_bytes_point_count(bytes, m, &mesh->point_count);
		snk_bytes_influences(bytes, mesh->point_count, skin->slot_count, 4, &mesh->offsets, &mesh->slots, &mesh->rows);
	}
}

snw_status snk_row_skin_lower(const snk_row_skin *skin, const snw_lower_call *call, snw_palette palette) {
	if (call->mesh >= skin->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const snk_row_skin_mesh *source = &skin->meshes[call->mesh];
	const snw_program_part made = {
		.size = sizeof made,
		.blend = source->offsets ? SNW_BLEND_AFFINE : SNW_BLEND_NONE,
		.palette = (int32_t)palette,
		.sign_rule = SNW_SIGN_SHORTEST,
		.slot_count = skin->slot_count,
		.influence_offsets = source->offsets,
		.influence_slots = source->slots,
		.influence_rows = source->rows,
	};
	snw_put(call->part, &made);
	return SNW_OK;
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

enum { REVISION = 1 };

snw_status SNW_CALL snk_skin_model_copy(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snk_skin_model *made = (snk_skin_model *)snk_model_open(instance->host, sizeof *made);
	const snw_status status = made ? snk_base_skin_copy(input->character, &made->pool, &made->skin) : SNW_ERROR_MEMORY;
	return snk_model_finish(status, snk_skin_model_as_model(made), model);
}

snw_status snk_skin_model_lower(const snw_lower_call *call, snw_blend blend) {
	return snk_base_skin_lower(&((const snk_skin_model *)call->model)->skin, call, blend);
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_base_skin *skin = &((snk_skin_model *)model)->skin;
	if (bytes->is_load) {
		skin->slot_count = bytes->character->slot_count;
	}
	snk_base_skin_bytes(bytes, skin);
}

snw_status snk_skin_model_save(const snw_model *model, const char mark[8], const snw_sink *sink) {
	const snk_model_format format = {mark, REVISION, sizeof(snk_skin_model), model_bytes};
	return snk_save_model(&format, model, sink);
}

snw_status snk_skin_model_load(const snw_load_call *call, const char mark[8], snw_model **model) {
	const snk_model_format format = {mark, REVISION, sizeof(snk_skin_model), model_bytes};
	return snk_load_model(&format, call, model);
}

/* ---- bending joints ------------------------------------------------------------------------------------------------------ */

static int is_at_or_below(const snw_skeleton_view *skeleton, uint32_t joint, uint32_t above) {
	while (joint != SNW_NONE && joint != above) {
		joint = skeleton->parents[joint];
	}
	return joint == above;
}

/* `moves` [joint_count]: whether each joint moves points. */
static int joint_bends(const snw_skeleton_view *skeleton, const unsigned char *moves, uint32_t joint) {
	int bends = 0;
	for (uint32_t other = 0; other < skeleton->joint_count && !bends; other++) {
		bends = moves[other] && !is_at_or_below(skeleton, other, joint);
	}
	return bends;
}

snw_status snk_bending_joints(const snw_character_view *character, uint32_t mesh, snw_pool *pool, const unsigned char **bends) {
	const uint32_t joints = character->skeleton->joint_count;
	unsigned char *moves = SNW_POOL_ARRAY(pool, unsigned char, joints), *found = SNW_POOL_ARRAY(pool, unsigned char, joints);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const snw_mesh_view *view = character->meshes[m];
		const uint32_t count = view->influence_offsets ? view->influence_offsets[view->point_count] : 0;
		for (uint32_t k = 0; (mesh == SNW_NONE || mesh == m) && k < count; k++) {
			moves[character->slot_joints[view->influence_slots[k]]] |= view->influence_weights[k] > 0;
		}
	}
	for (uint32_t j = 0; j < joints; j++) {
		found[j] = (unsigned char)joint_bends(character->skeleton, moves, j);
	}
	*bends = found;
	return SNW_OK;
}

/* ---- displacements driven by a pose -------------------------------------------------------------------------------------- */

enum { SHAPE_REVISION = 1 };

/* The displacements of one mesh: all points of its shapes, and nothing of the others. False: there is no room. */
static int open_mesh(snk_shape_model *made, uint32_t mesh, uint32_t point_count, snw_displacements *dest) {
	uint32_t count = 0;
	for (uint32_t k = 0; k < made->count; k++) {
		count += made->meshes[k] == mesh;
	}
	uint32_t *coefficients = SNW_POOL_ARRAY(&made->pool, uint32_t, count);
	uint64_t *offsets = SNW_POOL_ARRAY(&made->pool, uint64_t, (size_t)count + 1);
	double *vectors = SNW_POOL_ARRAY(&made->pool, double, 3 * (size_t)count * point_count);
	if (made->pool.failed) {
		return 0;
	}
	for (uint32_t k = 0, n = 0; k < made->count; k++) {
		if (made->meshes[k] == mesh) {
			made->vectors[k] = vectors + 3 * offsets[n];
			coefficients[n] = k;
			offsets[n + 1] = offsets[n] + point_count;
			n++;
		}
	}
	*dest = (snw_displacements){
		.size = sizeof *dest, .count = count, .coefficients = coefficients, .offsets = offsets, .vectors = vectors};
	return 1;
}

/* Fills a model whose pool is open. */
static snw_status open_shapes(const snw_character_view *character, uint32_t count, const uint32_t *meshes, uint32_t key_count,
							  snk_shape_model *made) {
	uint32_t *kept = SNW_POOL_ARRAY(&made->pool, uint32_t, count);
	snw_displacements *displacements = SNW_POOL_ARRAY(&made->pool, snw_displacements, character->mesh_count);
	made->count = count;
	made->key_count = key_count;
	made->keys = SNW_POOL_ARRAY(&made->pool, double, (size_t)count *key_count);
	made->vectors = SNW_POOL_ARRAY(&made->pool, double *, count);
	made->mesh_count = character->mesh_count;
	made->meshes = kept;
	made->displacements = displacements;
	int is_open = !made->pool.failed;
	if (is_open && count > 0) {
		memcpy(kept, meshes, count * sizeof *kept);
	}
	for (uint32_t m = 0; is_open && m < character->mesh_count; m++) {
		is_open = open_mesh(made, m, character->meshes[m]->point_count, &displacements[m]);
	}
	return is_open ? SNW_OK : SNW_ERROR_MEMORY;
}

snk_shape_model *snk_shape_model_open(const snw_host *host, const snw_character_view *character, uint32_t count,
									  const uint32_t *meshes, uint32_t key_count) {
	snk_shape_model *made = (snk_shape_model *)snk_model_open(host, sizeof *made);
	if (made && snk_failed(open_shapes(character, count, meshes, key_count, made))) {
		snk_model_release(snk_shape_model_as_model(made));
		return NULL;
	}
	return made;
}

void snk_shape_model_layout(const snw_model *model, snw_model_layout *dest) {
	const snw_model_layout layout = {.size = sizeof layout, .d_count = snk_shape_model_of(model)->count};
	snw_put(dest, &layout);
}

snw_status snk_shape_model_lower(const snw_lower_call *call) {
	const snk_shape_model *model = snk_shape_model_of(call->model);
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const snw_displacements *rest = &model->displacements[call->mesh];
	const snw_program_part part = {.size = sizeof part, .rest = rest->count > 0 ? rest : NULL};
	snw_put(call->part, &part);
	return SNW_OK;
}

/* ---- saving -------------------------------------------------------------------------------------------------------------- */

/* Every shape has its keys and vectors among the bytes that remain, so these bound the memory of the arrays. */
static int have_room(const snk_bytes *bytes, uint32_t count, const uint32_t *meshes, uint32_t key_count) {
	size_t most = bytes->reader.count / sizeof(double);
	for (uint32_t k = 0; k < count; k++) {
		const size_t numbers = key_count + 3 * (size_t)bytes->character->meshes[meshes[k]]->point_count;
		if (numbers > most) {
			return 0;
		}
		most -= numbers;
	}
	return 1;
}

static void shapes_bytes(snk_bytes *bytes, snw_model *model) {
	snk_shape_model *made = (snk_shape_model *)model;
	snk_bytes_mesh_count(bytes, &made->mesh_count);
	snk_bytes_u32(bytes, &made->key_count);
	snk_bytes_raw(bytes, sizeof made->clip, &made->clip);
	snk_bytes_count(bytes, sizeof *made->meshes, &made->count);
	snk_bytes_indices(bytes, made->count, made->mesh_count, &made->meshes);
	if (bytes->is_load &&
		snk_bytes_need(bytes, snk_failed(bytes->status) || have_room(bytes, made->count, made->meshes, made->key_count))) {
		bytes->status = open_shapes(bytes->character, made->count, made->meshes, made->key_count, made);
	}
	if (snk_failed(bytes->status)) {
		return;
	}
	snk_bytes_f64(bytes, (size_t)made->count * made->key_count, made->keys);
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < made->mesh_count; m++) {
		/* The vectors of a mesh's shapes follow each other, so its first shape has where they begin. */
		const snw_displacements *d = &made->displacements[m];
		snk_bytes_same(bytes, (uint32_t)d->offsets[d->count]);
		if (d->count > 0) {
			snk_bytes_f64(bytes, 3 * (size_t)d->offsets[d->count], made->vectors[d->coefficients[0]]);
		}
	}
}

snw_status snk_shape_model_save(const snw_model *model, const char mark[8], const snw_sink *sink) {
	const snk_model_format format = {mark, SHAPE_REVISION, sizeof(snk_shape_model), shapes_bytes};
	return snk_save_model(&format, model, sink);
}

snw_status snk_shape_model_load(const snw_load_call *call, const char mark[8], uint32_t key_count, snw_model **model) {
	const snk_model_format format = {mark, SHAPE_REVISION, sizeof(snk_shape_model), shapes_bytes};
	snw_model *made = NULL;
	const snw_status status = snk_load_model(&format, call, &made);
	const int fits = snk_failed(status) || snk_shape_model_of(made)->key_count == key_count;
	return snk_model_finish(fits ? status : SNW_ERROR_DATA, made, model);
}
