/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins, and the placement of each in the world.
 *
 * A skin binds its joints to its meshes in the space of their vertices. A file does not say how this space lies in the
 * world; exporters put a rotation to Y up, a scale to metres, or the place of the character into the nodes above the joints.
 * Without placement the rest pose, which is the bind pose, would lie on its back for CesiumMan and be a hundred times too
 * large for others.
 *
 * With the default pose G of the file, A_j = G_j · IBM_j is how joint j maps the vertices there. If the file's default pose
 * is its bind pose, all A_j are the same matrix A, a similarity, even if the joints differ. Then A places the bind in the
 * world: vertices v become rest points A v, inverse binds IBM A⁻¹, and morph displacements are mapped by A. The palette G
 * IBM A⁻¹ is the identity in the default pose, posed points are G IBM v in any pose, as glTF defines them, and each joint
 * rests where it is in the default pose.
 *
 * If the default pose is not the bind pose, no A fits all joints. A skin that shares joints with an earlier one is placed so
 * that these joints rest at the same place. FBX says where the skin was bound; otherwise A is the nearest to the A_j of
 * three guesses: the identity; the default transform above the top joint (an armature with a rotation and a scale); that of
 * the top joint itself.
 */
#include <math.h>
#include <string.h>

#include "import/common/rig.h"
#include "sinew/algebra.h"

#define SAME 1e-4 /* relative to the size of the meshes: matrices that move them to the same place */
#define SHAPE_TOLERANCE 1e-3

/* ---- comparing matrices -------------------------------------------------------------------------------------------------- */

double snw_rig_distance(const double a[12], const double b[12], const double box[2][3]) {
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

/* ---- placement ----------------------------------------------------------------------------------------------------------- */

/* How a joint of the skin maps the vertices: at its bind if `at_bind` and an earlier skin has set it, otherwise in the default
 * pose. */
static void joint_matrix(const snw_rig *rig, const snw_rig_skin *skin, uint32_t joint, bool at_bind, double matrix[12]) {
	const snw_rig_node *node = &rig->nodes[skin->nodes[joint]];
	snw_mat34_multiply(at_bind && node->has_bind ? node->bind_global : node->global, skin->inverse_binds + 12 * (size_t)joint,
					   matrix);
}

/* True if all joints (or those whose bind is known) have the same matrix, and it is a similarity. */
static bool find_common(const snw_rig *rig, snw_rig_skin *skin, bool known_only, double placement[12]) {
	bool found = false;
	if (!known_only) {
		joint_matrix(rig, skin, skin->top, true, placement);
		found = true;
	}
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double matrix[12];
		if (known_only && !rig->nodes[skin->nodes[j]].has_bind) {
			continue;
		}
		joint_matrix(rig, skin, j, true, matrix);
		if (found && !(snw_rig_distance(matrix, placement, (const double(*)[3])skin->box) <= SAME)) {
			return false;
		}
		if (!found) {
			memcpy(placement, matrix, sizeof matrix);
			found = true;
		}
	}
	return found && is_similarity(placement);
}

static double mean_distance(const snw_rig *rig, snw_rig_skin *skin, const double placement[12]) {
	double sum = 0;
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double matrix[12];
		joint_matrix(rig, skin, j, false, matrix);
		sum += fmin(snw_rig_distance(matrix, placement, (const double(*)[3])skin->box), 10);
	}
	return sum / skin->joint_count;
}

static void guess_placement(const snw_rig *rig, snw_rig_skin *skin, double placement[12]) {
	const snw_rig_node *top = &rig->nodes[skin->nodes[skin->top]];
	double guesses[3][12], nearest = HUGE_VAL;
	snw_mat34_identity(guesses[0]);
	memcpy(guesses[1], top->parent == SNW_NONE ? guesses[0] : rig->nodes[top->parent].global, sizeof guesses[1]);
	joint_matrix(rig, skin, skin->top, false, guesses[2]);
	for (int i = 0; i < 3; i++) {
		/* The top joint's pose would tilt the rest pose, so that guess must be twice as good. */
		const double distance =
			i == 0 || is_similarity(guesses[i]) ? mean_distance(rig, skin, guesses[i]) * (i == 2 ? 2 : 1) : HUGE_VAL;
		if (i == 0 || distance < nearest) {
			nearest = distance;
			memcpy(placement, guesses[i], sizeof guesses[i]);
		}
	}
}

static void choose_placement(const snw_rig *rig, snw_rig_skin *skin) {
	double identity[12];
	snw_mat34_identity(identity);
	if (!find_common(rig, skin, true, skin->placement) && !find_common(rig, skin, false, skin->placement)) {
		if (skin->knows_bind && is_similarity(skin->bind_world)) {
			memcpy(skin->placement, skin->bind_world, sizeof skin->placement);
		} else {
			guess_placement(rig, skin, skin->placement);
		}
	}
	if (snw_rig_distance(skin->placement, identity, (const double(*)[3])skin->box) <= SNW_RIG_IDENTICAL) {
		memcpy(skin->placement, identity, sizeof identity);
	}
}

/* Sets the bind of the skin's joints, unless an earlier skin has. */
static void set_binds(snw_rig *rig, snw_rig_skin *skin) {
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		snw_rig_node *node = &rig->nodes[skin->nodes[j]];
		double matrix[12], bind[12];
		if (node->has_bind || !snw_mat34_invert(skin->inverse_binds + 12 * (size_t)j, bind)) {
			continue;
		}
		joint_matrix(rig, skin, j, false, matrix);
		node->bind_is_default = snw_rig_distance(matrix, skin->placement, (const double(*)[3])skin->box) <= SAME;
		snw_mat34_multiply(skin->placement, bind, node->bind_global);
		node->has_bind = true;
	}
}

void snw_rig_place_skin(snw_rig *rig, snw_rig_skin *skin) {
	choose_placement(rig, skin);
	set_binds(rig, skin);
}

uint32_t *snw_rig_positions(const snw_rig *rig) {
	uint32_t *positions = SNW_NEW_ARRAY(rig->scratch, uint32_t, rig->count);
	for (uint32_t i = 0; i < rig->count; i++) {
		positions[rig->order[i]] = i;
	}
	return positions;
}

void snw_rig_find_top(const uint32_t *positions, snw_rig_skin *skin) {
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		skin->top = positions[skin->nodes[j]] < positions[skin->nodes[skin->top]] ? j : skin->top;
	}
}
