/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin/shape_model.h"

#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"

enum { REVISION = 1 };

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

static void model_bytes(snk_bytes *bytes, snw_model *model) {
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
	const snk_model_format format = {mark, REVISION, sizeof(snk_shape_model), model_bytes};
	return snk_save_model(&format, model, sink);
}

snw_status snk_shape_model_load(const snw_load_call *call, const char mark[8], uint32_t key_count, snw_model **model) {
	const snk_model_format format = {mark, REVISION, sizeof(snk_shape_model), model_bytes};
	snw_model *made = NULL;
	const snw_status status = snk_load_model(&format, call, &made);
	const int fits = snk_failed(status) || snk_shape_model_of(made)->key_count == key_count;
	return snk_model_finish(fits ? status : SNW_ERROR_DATA, made, model);
}
