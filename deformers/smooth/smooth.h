/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth: Laplacian passes over the deformed points. In each pass every point moves part of the way to the mean of its
 * neighbours. A point on a border uses only its neighbours along the border, so that borders keep their shape.
 */
#ifndef SINEW_DEFORMERS_SMOOTH
#define SINEW_DEFORMERS_SMOOTH

#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { PASSES, STRENGTH, PARAMETER_COUNT };

/* Neighbours of point i: neighbours[offsets[i]] .. neighbours[offsets[i + 1]], ascending. */
typedef struct rings {
	uint32_t point_count;
	const uint32_t *offsets;
	const uint32_t *neighbours;
} rings;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t mesh_count;
	const rings *meshes;
};

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values);
snw_status SNW_CALL deform(const snw_deform_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);

#endif
