/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "motion/weights/held_points.h"

#include <math.h>
#include <string.h>

#include "sinew/kit/fit/parameters.h"

static const snw_field_view *find_field(const snw_mesh_view *mesh, const char *name) {
	for (uint32_t f = 0; f < mesh->field_count; f++) {
		const snw_field_view *field = mesh->fields[f];
		if (field->domain == SNW_DOMAIN_POINTS && strcmp(field->name, name) == 0) {
			return field;
		}
	}
	return NULL;
}

snw_status snk_mask_read(const snw_fit_input *input, uint32_t parameter, uint32_t mesh, snw_pool *pool, const double **mask) {
	const snw_mesh_view *view = input->character->meshes[mesh];
	const char *name = input->values[parameter].text;
	*mask = NULL;
	if (!name || !*name) {
		return SNW_OK;
	}
	double *values = SNW_POOL_ARRAY(pool, double, view->point_count);
	const snw_field_view *field = find_field(view, name);
	for (size_t i = 0; values && field && i < view->point_count; i++) {
		values[i] = fmin(fmax(field->values[i * field->components], 0), 1);
	}
	*mask = values;
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status snk_locked_slots_read(const snw_fit_input *input, uint32_t parameter, snw_pool *pool, const unsigned char **locked) {
	const snw_character_view *character = input->character;
	unsigned char *flags = SNW_POOL_ARRAY(pool, unsigned char, character->slot_count);
	int any = 0;
	for (uint32_t s = 0; flags && s < character->slot_count; s++) {
		flags[s] = snk_parameter_value(input, parameter, SNW_NONE, character->slot_joints[s]) != 0;
		any |= flags[s];
	}
	*locked = any ? flags : NULL;
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}
