/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/registry.h"

#include <string.h>

#include "base/adopt.h"
#include "program/program.h"
#include "services/services.h"

/* ---- tables of other versions -------------------------------------------------------------------------------------------- */

enum { LARGEST_STRUCT = 64 * 1024, LARGEST_TABLE = 100 * 1000 };

/* The host's copy of a deformer, and the plug-in's table. The copy comes first. */
typedef struct adopted_deformer {
	snw_deformer copy;
	const snw_deformer *original;
} adopted_deformer;

/* Copies a struct that begins with its size; `bytes` is its size in this host. NULL if the stored size is impossible. */
static void *adopt_struct(const void *foreign, size_t least, size_t bytes, snw_arena *arena) {
	uint32_t size;
	memcpy(&size, foreign, sizeof size);
	if (size < least || size > LARGEST_STRUCT) {
		return NULL;
	}
	void *copy = snw_arena_acquire(arena, bytes);
	snw_adopt(copy, bytes, foreign);
	return copy;
}

/* An array of pointers to structs, each copied. */
static const void *adopt_table(const void *const *rows, uint32_t count, size_t row_bytes, snw_arena *arena,
							   const char **reason) {
	if (count == 0 || !rows) {
		return NULL;
	}
	if (count > LARGEST_TABLE) {
		*reason = "its parameter or field table has an impossible length";
		return NULL;
	}
	const void **copies = SNW_NEW_ARRAY(arena, const void *, count);
	for (uint32_t i = 0; i < count; i++) {
		copies[i] = rows[i] ? adopt_struct(rows[i], 2 * sizeof(uint32_t), row_bytes, arena) : NULL;
		if (!copies[i]) {
			*reason = "a row of its parameter or field table is missing or has an impossible size";
			return NULL;
		}
	}
	return copies;
}

/* Fills in the ranges that a table may leave out, so that the host reads them everywhere. */
static void complete_range(snw_parameter *p) {
	uint32_t words = 0;
	while (p->choices && p->choices[words]) {
		words++;
	}
	if (p->minimum == 0 && p->maximum == 0) {
		p->maximum = p->kind == SNW_PARAMETER_SWITCH || p->kind == SNW_PARAMETER_COLOR ? 1
					 : p->kind == SNW_PARAMETER_CHOICE && words > 0                    ? words - 1
																					   : 0;
	}
	if (p->soft_minimum == 0 && p->soft_maximum == 0) {
		p->soft_minimum = p->minimum;
		p->soft_maximum = p->maximum;
	}
}

static const snw_descriptor *adopt_descriptor(const snw_descriptor *foreign, snw_arena *arena, const char **reason) {
	if (!foreign) {
		*reason = "it has no descriptor";
		return NULL;
	}
	snw_descriptor *descriptor = adopt_struct(foreign, sizeof foreign->size, sizeof *descriptor, arena);
	if (!descriptor) {
		*reason = "its descriptor has an impossible size";
		return NULL;
	}
	descriptor->parameters = adopt_table((const void *const *)descriptor->parameters, descriptor->parameter_count,
										 sizeof(snw_parameter), arena, reason);
	for (uint32_t i = 0; descriptor->parameters && i < descriptor->parameter_count; i++) {
		complete_range((snw_parameter *)descriptor->parameters[i]);
	}
	descriptor->fields =
		adopt_table((const void *const *)descriptor->fields, descriptor->field_count, sizeof(snw_field_info), arena, reason);
	return *reason ? NULL : descriptor;
}

/* ---- deformers without a fit --------------------------------------------------------------------------------------------- */

/* Instances and models without a size all lie here. */
static char nothing;

static snw_status SNW_CALL create_nothing(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
	(void)host;
	*instance = (snw_instance *)&nothing;
	return SNW_OK;
}

static void SNW_CALL destroy_nothing(snw_instance *instance) {
	(void)instance;
}

static snw_status SNW_CALL fit_nothing(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	(void)input;
	*model = (snw_model *)&nothing;
	return SNW_OK;
}

static void SNW_CALL release_nothing(snw_model *model) {
	(void)model;
}

/* A deformer that binds and has no fit gets all four functions from the host. */
static void complete_functions(snw_deformer *deformer) {
	if (deformer->descriptor->traits & SNW_BINDS && !deformer->fit) {
		deformer->create = create_nothing;
		deformer->destroy = destroy_nothing;
		deformer->fit = fit_nothing;
		deformer->release = release_nothing;
	}
}

/* ---- deformers and entries ----------------------------------------------------------------------------------------------- */

const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason) {
	*reason = NULL;
	const snw_deformer *copy = adopt_struct(foreign, offsetof(snw_deformer, create), sizeof *copy, arena);
	if (!copy) {
		*reason = "its deformer struct has an impossible size";
		return NULL;
	}
	adopted_deformer *adopted = SNW_NEW(arena, adopted_deformer);
	adopted->copy = *copy;
	adopted->original = foreign;
	adopted->copy.descriptor = adopt_descriptor(adopted->copy.descriptor, arena, reason);
	if (*reason) {
		return NULL;
	}
	complete_functions(&adopted->copy);
	return &adopted->copy;
}

const snw_deformer *snw_deformer_original(const snw_deformer *adopted) {
	return ((const adopted_deformer *)adopted)->original;
}

const snw_entry *snw_entry_adopt(const snw_entry *foreign, snw_arena *arena) {
	return adopt_struct(foreign, offsetof(snw_entry, deformer_count), sizeof *foreign, arena);
}

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

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

snw_status snw_deformer_transfer(const snw_deformer *deformer, const snw_transfer_call *call, snw_model **model) {
	snw_thread_function("transfer");
	return deformer->transfer ? deformer->transfer(snw_deformer_original(deformer), call, model) : SNW_ERROR_UNSUPPORTED;
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
