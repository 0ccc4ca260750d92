/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/deformer_calls.h"

#include "base/adopt.h"
#include "plugin/copy_tables.h"
#include "program/program.h"
#include "services/services.h"

snw_model_layout snw_deformer_layout(const snw_deformer *deformer, const snw_model *model) {
	snw_model_layout layout = {.size = sizeof layout};
	if (deformer->layout) {
		snw_thread_function("layout");
		deformer->layout(model, &layout);
	}
	return layout;
}

snw_status snw_deformer_create(const snw_deformer *deformer, const snw_host *host, snw_instance **instance) {
	snw_thread_function("create");
	return deformer->create(snw_deformer_original(deformer), host, instance);
}

snw_status snw_deformer_save(const snw_deformer *deformer, const snw_model *model, const snw_sink *sink) {
	snw_thread_function("save");
	return deformer->save ? deformer->save(model, sink) : SNW_ERROR_UNSUPPORTED;
}

snw_status snw_deformer_load(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							 const void *bytes, size_t count, snw_model **model) {
	const snw_load_call call = {.size = sizeof call, .host = host, .character = character, .bytes = bytes, .count = count};
	snw_thread_function("load");
	return deformer->load ? deformer->load(snw_deformer_original(deformer), &call, model) : SNW_ERROR_UNSUPPORTED;
}

snw_status snw_deformer_reskin(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							   const snw_rows_view *const *rows, snw_model **model) {
	const snw_reskin_call call = {.size = sizeof call, .host = host, .character = character, .rows = rows};
	snw_thread_function("reskin");
	return deformer->reskin(snw_deformer_original(deformer), &call, model);
}

snw_status snw_deformer_lower(const snw_deformer *deformer, const snw_host *host, const snw_model *model,
							  const snw_value *values, uint32_t mesh, snw_program_part *part, const char **reason) {
	*part = (snw_program_part){.size = sizeof *part};
	*reason = NULL;
	if (!deformer->lower) {
		*reason = "its plug-in does not lower";
		return SNW_ERROR_UNSUPPORTED;
	}
	const snw_lower_call call = {
		.size = sizeof call, .model = model, .values = values, .mesh = mesh, .part = part, .reason = reason, .host = host};
	snw_thread_function("lower");
	const snw_status status = deformer->lower(&call);
	if (status == SNW_OK && snw_program_unknown(part)) {
		*reason = snw_program_unknown(part);
		return SNW_ERROR_UNSUPPORTED;
	}
	return status;
}

const void *snw_deformer_extension(const snw_deformer *deformer, const char *id) {
	return deformer->extension ? deformer->extension(snw_deformer_original(deformer), id) : NULL;
}

/* All points in order, for each displacement. */
static const uint32_t *list_all_points(uint32_t count, uint32_t point_count, snw_arena *arena) {
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count * point_count);
	for (size_t i = 0; i < (size_t)count * point_count; i++) {
		points[i] = (uint32_t)(i % point_count);
	}
	return points;
}

const char *snw_displacements_adopt(const snw_displacements *foreign, uint32_t point_count, snw_arena *arena,
									snw_displacements *known) {
	*known = (snw_displacements){.size = sizeof *known};
	if (!foreign) {
		return NULL;
	}
	if (foreign->size < offsetof(snw_displacements, joints)) {
		return "whose size is not set";
	}
	snw_adopt(known, sizeof *known, foreign);
	if (known->points || known->count == 0 || !known->offsets || known->offsets[known->count] == 0) {
		return NULL;
	}
	for (uint32_t k = 0; k <= known->count; k++) {
		if (known->offsets[k] != (uint64_t)k * point_count) {
			return "without points, whose offsets are not those of all points";
		}
	}
	known->points = list_all_points(known->count, point_count, arena);
	return NULL;
}
