/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins: their joints, inverse binds and the size of what they move. Each is placed in the world (import/common/rig_skins.c).
 */
#include <math.h>
#include <string.h>

#include "import/gltf/gltf_internal.h"
#include "sinew/algebra.h"

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static bool read_inverse_binds(snw_gltf *g, uint32_t index, snw_rig_skin *skin) {
	uint32_t accessor, count = 0;
	double *columns = NULL;
	if (!snw_gltf_index(g, (snw_gltf_place){"skin", index}, g->skins.items[index], "inverseBindMatrices", &g->accessors,
						&accessor) ||
		(accessor != SNW_NONE && !snw_gltf_read_numbers(g, accessor, 16, g->reading.scratch, &columns, &count, NULL))) {
		return false;
	}
	if (columns && count < skin->joint_count) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"skin %u: has %u inverse bind matrices for %u joints; the file is damaged", index, count,
								skin->joint_count);
	}
	skin->inverse_binds = SNW_NEW_ARRAY(g->reading.scratch, double, 12 * (size_t)skin->joint_count);
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double *to = skin->inverse_binds + 12 * (size_t)j;
		snw_mat34_identity(to);
		for (int i = 0; columns && i < 12; i++) {
			to[i] = columns[16 * (size_t)j + 4 * (size_t)(i % 4) + (size_t)(i / 4)];
		}
	}
	return true;
}

static bool read_joint_skin(snw_gltf *g, uint32_t index, const uint32_t *positions, snw_rig_skin *skin) {
	if (!snw_gltf_indices(g, (snw_gltf_place){"skin", index}, g->skins.items[index], "joints", &g->nodes, &skin->nodes,
						  &skin->joint_count)) {
		return false;
	}
	if (skin->joint_count == 0) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "skin %u: has no joints; the file is damaged", index);
	}
	snw_rig_find_top(positions, skin);
	skin->slots = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, skin->joint_count);
	return read_inverse_binds(g, index, skin);
}

static void grow_box(snw_rig_skin *skin, const snw_gltf_shape *shape) {
	for (int i = 0; i < 3 && shape->point_count > 0; i++) {
		skin->box[0][i] = fmin(skin->box[0][i], shape->box[0][i]);
		skin->box[1][i] = fmax(skin->box[1][i], shape->box[1][i]);
	}
}

bool snw_gltf_read_skins(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, snw_rig_skin **skins) {
	const uint32_t *positions = snw_rig_positions(nodes);
	snw_rig_skin *list = SNW_NEW_ARRAY(g->reading.scratch, snw_rig_skin, g->skins.count);
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		if ((!node->is_shown && node->level_of == SNW_NONE) || node->mesh == SNW_NONE || node->skin == SNW_NONE) {
			continue;
		}
		snw_rig_skin *skin = &list[node->skin];
		const snw_gltf_shape *shape = &shapes[node->mesh];
		if (!skin->is_used) {
			if (!read_joint_skin(g, node->skin, positions, skin)) {
				return false;
			}
			skin->is_used = true;
			memcpy(skin->box, shape->box, sizeof skin->box);
		}
		grow_box(skin, shape);
	}
	for (uint32_t s = 0; s < g->skins.count; s++) {
		if (list[s].is_used) {
			snw_rig_place_skin(nodes, &list[s]);
		}
	}
	*skins = list;
	return true;
}
