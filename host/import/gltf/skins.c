/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins, and the placement of each in the world.
 *
 * A skin binds its joints to its meshes in the space of their vertices. A file does not say how this space lies in the world;
 * exporters put a rotation to Y up, a scale to metres, or the place of the character into the nodes above the joints. Without
 * placement the rest pose, which is the bind pose, would lie on its back for CesiumMan and be a hundred times too large for
 * others.
 *
 * With the default pose G of the file, A_j = G_j · IBM_j is how joint j maps the vertices there. If the file's default pose is
 * its bind pose, all A_j are the same matrix A, a similarity, even if the joints differ. Then A places the bind in the world:
 * vertices v become rest points A v, inverse binds IBM A⁻¹, and morph displacements are mapped by A. The palette G IBM A⁻¹ is
 * the identity in the default pose, posed points are G IBM v in any pose, as glTF defines them, and each joint rests where it
 * is in the default pose.
 *
 * If the default pose is not the bind pose, no A fits all joints. A skin that shares joints with an earlier one is placed so
 * that these joints rest at the same place. Otherwise A is the nearest to the A_j of three guesses: the identity; the default
 * transform above the top joint (an armature with a rotation and a scale); that of the top joint itself.
 */
#include <math.h>
#include <string.h>

#include "import/gltf/gltf_internal.h"
#include "sinew/algebra.h"

#define SAME 1e-4 /* relative to the size of the meshes: matrices that move them to the same place */
#define SHAPE_TOLERANCE 1e-3

/* ---- comparing matrices -------------------------------------------------------------------------------------------------- */

double snw_gltf_distance(const double a[12], const double b[12], const double box[2][3]) {
	double farthest = 0, largest = 0;
	for (int corner = 0; corner < 8; corner++) {
		const double p[3] = {box[corner & 1][0], box[corner >> 1 & 1][1], box[corner >> 2][2]};
		double pa[3], pb[3], first[3], difference[3], extent[3];
		snw_mat34_point(a, p, pa);
		snw_mat34_point(b, p, pb);
		snw_mat34_point(b, box[0], first);
		for (int i = 0; i < 3; i++) {
			difference[i] = pa[i] - pb[i];
			extent[i] = pb[i] - first[i];
		}
		const double length = snw_length3(difference);
		if (!isfinite(length)) {
			return HUGE_VAL;
		}
		farthest = fmax(farthest, length);
		largest = fmax(largest, snw_length3(extent));
	}
	return farthest == 0 ? 0 : largest > 0 ? farthest / largest : HUGE_VAL;
}

/* A rotation, a uniform scale and a translation, possibly mirrored. */
static bool is_similarity(const double m[12]) {
	double column[3][3];
	for (int i = 0; i < 12; i++) {
		if (!isfinite(m[i])) {
			return false;
		}
		if (i % 4 < 3) {
			column[i % 4][i / 4] = m[i];
		}
	}
	const double scale = snw_length3(column[0]), squared = scale * scale;
	return scale > 1e-9 && fabs(snw_length3(column[1]) - scale) <= SHAPE_TOLERANCE * scale &&
		   fabs(snw_length3(column[2]) - scale) <= SHAPE_TOLERANCE * scale &&
		   fabs(snw_dot3(column[0], column[1])) <= SHAPE_TOLERANCE * squared &&
		   fabs(snw_dot3(column[0], column[2])) <= SHAPE_TOLERANCE * squared &&
		   fabs(snw_dot3(column[1], column[2])) <= SHAPE_TOLERANCE * squared;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static bool read_inverse_binds(snw_gltf *g, uint32_t index, snw_gltf_skin *skin) {
	uint32_t accessor, count = 0;
	double *columns = NULL;
	if (!snw_gltf_index(g, (snw_gltf_place){"skin", index}, g->skins.items[index], "inverseBindMatrices", &g->accessors,
						&accessor) ||
		(accessor != SNW_NONE && !snw_gltf_read_numbers(g, accessor, 16, g->scratch, &columns, &count, NULL))) {
		return false;
	}
	if (columns && count < skin->joint_count) {
		return snw_gltf_fail(g, SNW_ERROR_DATA, "skin %u: has %u inverse bind matrices for %u joints; the file is damaged",
							 index, count, skin->joint_count);
	}
	skin->inverse_binds = SNW_NEW_ARRAY(g->scratch, double, 12 * (size_t)skin->joint_count);
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double *to = skin->inverse_binds + 12 * (size_t)j;
		snw_mat34_identity(to);
		for (int i = 0; columns && i < 12; i++) {
			to[i] = columns[16 * (size_t)j + 4 * (size_t)(i % 4) + (size_t)(i / 4)];
		}
	}
	return true;
}

static bool read_skin(snw_gltf *g, uint32_t index, const uint32_t *positions, snw_gltf_skin *skin) {
	if (!snw_gltf_indices(g, (snw_gltf_place){"skin", index}, g->skins.items[index], "joints", &g->nodes, &skin->nodes,
						  &skin->joint_count)) {
		return false;
	}
	if (skin->joint_count == 0) {
		return snw_gltf_fail(g, SNW_ERROR_DATA, "skin %u: has no joints; the file is damaged", index);
	}
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		skin->top = positions[skin->nodes[j]] < positions[skin->nodes[skin->top]] ? j : skin->top;
	}
	skin->slots = SNW_NEW_ARRAY(g->scratch, uint32_t, skin->joint_count);
	return read_inverse_binds(g, index, skin);
}

static void grow_box(snw_gltf_skin *skin, const snw_gltf_shape *shape) {
	for (int i = 0; i < 3 && shape->point_count > 0; i++) {
		skin->box[0][i] = fmin(skin->box[0][i], shape->box[0][i]);
		skin->box[1][i] = fmax(skin->box[1][i], shape->box[1][i]);
	}
}

/* ---- placement ----------------------------------------------------------------------------------------------------------- */

/* How a joint of the skin maps the vertices: at its bind if `at_bind` and an earlier skin has set it, otherwise in the default
 * pose. */
static void joint_matrix(const snw_gltf_nodes *nodes, const snw_gltf_skin *skin, uint32_t joint, bool at_bind,
						 double matrix[12]) {
	const snw_gltf_node *node = &nodes->nodes[skin->nodes[joint]];
	snw_mat34_multiply(at_bind && node->has_bind ? node->bind_global : node->global, skin->inverse_binds + 12 * (size_t)joint,
					   matrix);
}

/* True if all joints (or those whose bind is known) have the same matrix, and it is a similarity. */
static bool find_common(const snw_gltf_nodes *nodes, snw_gltf_skin *skin, bool known_only, double placement[12]) {
	bool found = false;
	if (!known_only) {
		joint_matrix(nodes, skin, skin->top, true, placement);
		found = true;
	}
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double matrix[12];
		if (known_only && !nodes->nodes[skin->nodes[j]].has_bind) {
			continue;
		}
		joint_matrix(nodes, skin, j, true, matrix);
		if (found && !(snw_gltf_distance(matrix, placement, (const double(*)[3])skin->box) <= SAME)) {
			return false;
		}
		if (!found) {
			memcpy(placement, matrix, sizeof matrix);
			found = true;
		}
	}
	return found && is_similarity(placement);
}

static double mean_distance(const snw_gltf_nodes *nodes, snw_gltf_skin *skin, const double placement[12]) {
	double sum = 0;
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double matrix[12];
		joint_matrix(nodes, skin, j, false, matrix);
		sum += fmin(snw_gltf_distance(matrix, placement, (const double(*)[3])skin->box), 10);
	}
	return sum / skin->joint_count;
}

static void guess_placement(const snw_gltf_nodes *nodes, snw_gltf_skin *skin, double placement[12]) {
	const snw_gltf_node *top = &nodes->nodes[skin->nodes[skin->top]];
	double guesses[3][12], nearest = HUGE_VAL;
	snw_mat34_identity(guesses[0]);
	memcpy(guesses[1], top->parent == SNW_NONE ? guesses[0] : nodes->nodes[top->parent].global, sizeof guesses[1]);
	joint_matrix(nodes, skin, skin->top, false, guesses[2]);
	for (int i = 0; i < 3; i++) {
		/* The top joint's pose would tilt the rest pose, so that guess must be twice as good. */
		const double distance =
			i == 0 || is_similarity(guesses[i]) ? mean_distance(nodes, skin, guesses[i]) * (i == 2 ? 2 : 1) : HUGE_VAL;
		if (i == 0 || distance < nearest) {
			nearest = distance;
			memcpy(placement, guesses[i], sizeof guesses[i]);
		}
	}
}

static void choose_placement(const snw_gltf_nodes *nodes, snw_gltf_skin *skin) {
	double identity[12];
	snw_mat34_identity(identity);
	if (!find_common(nodes, skin, true, skin->placement) && !find_common(nodes, skin, false, skin->placement)) {
		guess_placement(nodes, skin, skin->placement);
	}
	if (snw_gltf_distance(skin->placement, identity, (const double(*)[3])skin->box) <= SNW_GLTF_IDENTICAL) {
		memcpy(skin->placement, identity, sizeof identity);
	}
}

/* Sets the bind of the skin's joints, unless an earlier skin has. */
static void set_binds(snw_gltf_nodes *nodes, snw_gltf_skin *skin) {
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		snw_gltf_node *node = &nodes->nodes[skin->nodes[j]];
		double matrix[12], bind[12];
		if (node->has_bind || !snw_mat34_invert(skin->inverse_binds + 12 * (size_t)j, bind)) {
			continue;
		}
		joint_matrix(nodes, skin, j, false, matrix);
		node->bind_is_default = snw_gltf_distance(matrix, skin->placement, (const double(*)[3])skin->box) <= SAME;
		snw_mat34_multiply(skin->placement, bind, node->bind_global);
		node->has_bind = true;
	}
}

bool snw_gltf_read_skins(snw_gltf *g, snw_gltf_nodes *nodes, const snw_gltf_shape *shapes, snw_gltf_skin **skins) {
	uint32_t *positions = SNW_NEW_ARRAY(g->scratch, uint32_t, nodes->count);
	for (uint32_t i = 0; i < nodes->count; i++) {
		positions[nodes->order[i]] = i;
	}
	snw_gltf_skin *list = SNW_NEW_ARRAY(g->scratch, snw_gltf_skin, g->skins.count);
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_gltf_node *node = &nodes->nodes[n];
		if (!node->is_shown || node->mesh == SNW_NONE || node->skin == SNW_NONE) {
			continue;
		}
		snw_gltf_skin *skin = &list[node->skin];
		const snw_gltf_shape *shape = &shapes[node->mesh];
		if (!skin->is_used) {
			if (!read_skin(g, node->skin, positions, skin)) {
				return false;
			}
			skin->is_used = true;
			memcpy(skin->box, shape->box, sizeof skin->box);
		}
		grow_box(skin, shape);
	}
	for (uint32_t s = 0; s < g->skins.count; s++) {
		if (list[s].is_used) {
			choose_placement(nodes, &list[s]);
			set_binds(nodes, &list[s]);
		}
	}
	*skins = list;
	return true;
}
