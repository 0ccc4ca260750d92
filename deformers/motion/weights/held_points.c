/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "motion/weights/held_points.h"

#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/parameters.h"

snw_status snk_mask_read(const snw_fit_input *input, uint32_t parameter, uint32_t mesh, snw_pool *pool, const double **mask) {
	const snw_mesh_view *view = input->character->meshes[mesh];
	const char *name = input->values[parameter].text;
	*mask = NULL;
	if (!name || !*name) {
		return SNW_OK;
	}
	double *values = SNW_POOL_ARRAY(pool, double, view->point_count);
	if (values) {
		snk_mask_fill(view, name, 0, values);
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
