/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/reading.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- rig nodes ----------------------------------------------------------------------------------------------------------- */

/* Nodes: their order, their default pose, and those that become joints. */

void snw_rig_begin(snw_rig *rig, uint32_t node_count) {
	rig->count = node_count;
	rig->nodes = SNW_NEW_ARRAY(rig->scratch, snw_rig_node, node_count);
	rig->order = SNW_NEW_ARRAY(rig->scratch, uint32_t, node_count);
	rig->joint_nodes = SNW_NEW_ARRAY(rig->scratch, uint32_t, node_count);
	for (uint32_t i = 0; i < node_count; i++) {
		snw_rig_node *node = &rig->nodes[i];
		node->parent = node->mesh = node->skin = node->joint = node->first_channel = node->slot = node->level_of = SNW_NONE;
	}
}

/* Walks up from each node to the first one that is in the order already. */
uint32_t snw_rig_order(snw_rig *rig) {
	enum { UNSEEN, WALKING, PLACED };
	unsigned char *state = SNW_NEW_ARRAY(rig->scratch, unsigned char, rig->count);
	uint32_t *path = SNW_NEW_ARRAY(rig->scratch, uint32_t, rig->count);
	uint32_t placed = 0;
	for (uint32_t i = 0; i < rig->count; i++) {
		uint32_t length = 0;
		for (uint32_t n = i; n != SNW_NONE && state[n] != PLACED; n = rig->nodes[n].parent) {
			if (state[n] == WALKING) {
				return n;
			}
			state[n] = WALKING;
			path[length++] = n;
		}
		while (length > 0) {
			state[path[--length]] = PLACED;
			rig->order[placed++] = path[length];
		}
	}
	return SNW_NONE;
}

void snw_rig_solve(snw_rig *rig) {
	for (uint32_t i = 0; i < rig->count; i++) {
		snw_rig_node *node = &rig->nodes[rig->order[i]];
		snw_transform_to_mat34(&node->local, node->global);
		if (node->parent != SNW_NONE) {
			snw_mat34_multiply(rig->nodes[node->parent].global, node->global, node->global);
		}
	}
}

void snw_rig_choose_joints(snw_rig *rig, bool *chosen, const char *const *names, snw_scene *scene) {
	for (uint32_t i = rig->count; i-- > 0;) {
		const uint32_t n = rig->order[i];
		const snw_rig_node *node = &rig->nodes[n];
		chosen[n] |= node->is_shown && node->mesh != SNW_NONE && node->skin == SNW_NONE;
		if (chosen[n] && node->parent != SNW_NONE) {
			chosen[node->parent] = true;
		}
	}
	for (uint32_t n = 0; n < rig->count; n++) {
		if (chosen[n]) {
			rig->nodes[n].joint = rig->joint_count;
			rig->joint_nodes[rig->joint_count++] = n;
		}
	}
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = rig->joint_count;
	skeleton->names = SNW_NEW_ARRAY(rig->arena, const char *, rig->joint_count);
	skeleton->parents = SNW_NEW_ARRAY(rig->arena, uint32_t, rig->joint_count);
	for (uint32_t j = 0; j < rig->joint_count; j++) {
		const uint32_t n = rig->joint_nodes[j], parent = rig->nodes[n].parent;
		skeleton->names[j] = names[n] ? names[n] : snw_arena_format(rig->arena, "node-%u", n);
		skeleton->parents[j] = parent == SNW_NONE ? SNW_NONE : rig->nodes[parent].joint;
	}
	snw_names_make_unique(rig->arena, skeleton->names, rig->joint_count, "joint", rig->task);
}

/* ---- rig skins ----------------------------------------------------------------------------------------------------------- */

/* Skins, and the placement of each in the world.
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
 * the top joint itself. */

/* Matrices within this distance are equal up to the rounding of a file's floats. */
#define SNW_RIG_IDENTICAL 1e-5

#define SAME 1e-4 /* relative to the size of the meshes: matrices that move them to the same place */
#define SHAPE_TOLERANCE 1e-3

/* ---- comparing matrices -------------------------------------------------------------------------------------------------- */

/* The largest distance between the corners of a box as two matrices map them, relative to its size; infinite if it is not
 * finite. */
static double rig_distance(const double a[12], const double b[12], const double box[2][3]) {
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
		if (found && !(rig_distance(matrix, placement, (const double(*)[3])skin->box) <= SAME)) {
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
		sum += fmin(rig_distance(matrix, placement, (const double(*)[3])skin->box), 10);
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
	if (rig_distance(skin->placement, identity, (const double(*)[3])skin->box) <= SNW_RIG_IDENTICAL) {
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
		node->bind_is_default = rig_distance(matrix, skin->placement, (const double(*)[3])skin->box) <= SAME;
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

/* ---- rig rest ------------------------------------------------------------------------------------------------------------ */

/* The rest pose is the bind pose: the joints of skins rest by their first inverse bind, other joints as in the file's
 * default pose relative to their parents. Also the slots, and the poses "rest" and "default". */

/* ---- joints at rest ------------------------------------------------------------------------------------------------------ */

#define NEAR 1e-6 /* relative: the rounding of a bind written in floats */

static bool transforms_are_near(const snw_transform *a, const snw_transform *b) {
	const double cosine = snw_quat_dot(a->rotation, b->rotation);
	double distance = 0, size = 0, scale_off = 0;
	for (int i = 0; i < 3; i++) {
		distance = fmax(distance, fabs(a->translation[i] - b->translation[i]));
		size = fmax(size, fabs(b->translation[i]));
		scale_off = fmax(scale_off, fabs(a->scale[i] - b->scale[i]) - NEAR * fabs(b->scale[i]));
	}
	return distance <= NEAR * size && scale_off <= 0 && fabs(cosine) >= 1 - NEAR * NEAR;
}

/* The local transform of a joint whose parent rests at `parent_rest` (NULL for a root). */
static snw_transform rest_local(const snw_rig_node *node, const double *parent_rest) {
	double inverse[12], local[12];
	snw_transform found;
	if (!parent_rest) {
		snw_transform_from_mat34(node->bind_global, &found);
	} else {
		if (!snw_mat34_invert(parent_rest, inverse)) {
			return node->local;
		}
		snw_mat34_multiply(inverse, node->bind_global, local);
		snw_transform_from_mat34(local, &found);
	}
	return transforms_are_near(&found, &node->local) ? node->local : found;
}

snw_status snw_rig_rest(const snw_rig *rig, snw_scene *scene, snw_error *error) {
	snw_skeleton *skeleton = &scene->skeleton;
	double *rest = SNW_NEW_ARRAY(rig->scratch, double, 12 * (size_t)rig->joint_count);
	bool *is_default = SNW_NEW_ARRAY(rig->scratch, bool, rig->joint_count);
	skeleton->rest_local = SNW_NEW_ARRAY(rig->arena, snw_transform, rig->joint_count);
	for (uint32_t i = 0; i < rig->count; i++) {
		const snw_rig_node *node = &rig->nodes[rig->order[i]];
		if (node->joint == SNW_NONE) {
			continue;
		}
		const uint32_t j = node->joint, parent = skeleton->parents[j];
		const double *parent_rest = parent == SNW_NONE ? NULL : rest + 12 * (size_t)parent;
		/* If a joint and all its parents are bound in the default pose, the file's local transforms are used unchanged. */
		is_default[j] = (parent == SNW_NONE || is_default[parent]) && (!node->has_bind || node->bind_is_default);
		skeleton->rest_local[j] = is_default[j] || !node->has_bind ? node->local : rest_local(node, parent_rest);
		double *values = rest + 12 * (size_t)j;
		snw_transform_to_mat34(&skeleton->rest_local[j], values);
		if (parent_rest) {
			snw_mat34_multiply(parent_rest, values, values);
		}
	}
	return snw_skeleton_finish(skeleton, rig->arena, error);
}

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

typedef struct slot_table {
	uint32_t *entries; /* slots; SNW_NONE if free */
	size_t mask;
} slot_table;

static uint64_t hash_slot(uint32_t joint, const double inverse_bind[12]) {
	snw_hash hash = {0};
	snw_hash_u64(&hash, joint);
	snw_hash_f64s(&hash, inverse_bind, 12);
	return snw_hash_value(&hash);
}

static uint32_t find_slot(const slot_table *table, snw_rig_slots *slots, uint32_t joint, const double inverse_bind[12]) {
	size_t at = (size_t)hash_slot(joint, inverse_bind) & table->mask;
	for (; table->entries[at] != SNW_NONE; at = (at + 1) & table->mask) {
		const uint32_t slot = table->entries[at];
		if (slots->joints[slot] == joint &&
			memcmp(slots->inverse_binds + 12 * (size_t)slot, inverse_bind, 12 * sizeof(double)) == 0) {
			return slot;
		}
	}
	const uint32_t slot = slots->count++;
	table->entries[at] = slot;
	slots->joints[slot] = joint;
	memcpy(slots->inverse_binds + 12 * (size_t)slot, inverse_bind, 12 * sizeof(double));
	return slot;
}

static slot_table make_table(snw_arena *arena, uint64_t count) {
	size_t size = 16;
	while (size < 2 * count) {
		size *= 2;
	}
	const slot_table table = {SNW_NEW_ARRAY(arena, uint32_t, size), size - 1};
	memset(table.entries, 0xff, size * sizeof table.entries[0]);
	return table;
}

/* The inverse bind of a skin's joint, from rest space. */
static void slot_inverse_bind(const snw_rig_skin *skin, uint32_t joint, const double inverse_placement[12],
							  const double rest_global[12], double inverse_bind[12]) {
	const double *values = skin->inverse_binds + 12 * (size_t)joint;
	double placed[12];
	snw_mat34_multiply(rest_global, values, placed);
	if (!(rig_distance(placed, skin->placement, (const double(*)[3])skin->box) <= SNW_RIG_IDENTICAL) ||
		!snw_mat34_invert(rest_global, inverse_bind)) {
		snw_mat34_multiply(values, inverse_placement, inverse_bind);
	}
}

uint64_t snw_rig_slot_limit(const snw_rig *rig, const snw_rig_skin *skins, uint32_t skin_count) {
	uint64_t limit = rig->count;
	for (uint32_t s = 0; s < skin_count; s++) {
		limit += skins[s].is_used ? skins[s].joint_count : 0;
	}
	return limit;
}

uint32_t snw_rig_list_slots(snw_rig *rig, snw_rig_skin *skins, uint32_t skin_count, const snw_scene *scene,
							snw_rig_slots *slots) {
	const uint64_t limit = snw_rig_slot_limit(rig, skins, skin_count);
	slots->joints = SNW_NEW_ARRAY(rig->arena, uint32_t, limit);
	slots->inverse_binds = SNW_NEW_ARRAY(rig->arena, double, 12 * limit);
	const slot_table table = make_table(rig->scratch, limit);
	for (uint32_t s = 0; s < skin_count; s++) {
		snw_rig_skin *skin = &skins[s];
		double inverse_placement[12], inverse_bind[12];
		if (!skin->is_used) {
			continue;
		}
		if (!snw_mat34_invert(skin->placement, inverse_placement)) {
			return s;
		}
		for (uint32_t j = 0; j < skin->joint_count; j++) {
			snw_rig_node *node = &rig->nodes[skin->nodes[j]];
			slot_inverse_bind(skin, j, inverse_placement, scene->skeleton.rest_global + 12 * (size_t)node->joint, inverse_bind);
			skin->slots[j] = find_slot(&table, slots, node->joint, inverse_bind);
			node->slot = node->slot == SNW_NONE ? skin->slots[j] : node->slot;
		}
	}
	return SNW_NONE;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void fill_pose(const snw_rig *rig, const snw_scene *scene, const char *name, const snw_transform *local,
					  snw_pose *pose) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	*pose = (snw_pose){.name = name};
	pose->local = snw_arena_copy(rig->arena, local, joint_count * sizeof local[0]);
	pose->rotation_vectors = SNW_NEW_ARRAY(rig->arena, double, 3 * (size_t)joint_count);
	pose->channels = SNW_NEW_ARRAY(rig->arena, double, scene->channel_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		double inverse_rest[4], change[4];
		snw_quat_conjugate(scene->skeleton.rest_local[j].rotation, inverse_rest);
		snw_quat_multiply(inverse_rest, local[j].rotation, change);
		snw_quat_to_rotation_vector(change, pose->rotation_vectors + 3 * (size_t)j);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		pose->channels[c] = scene->channels[c].initial;
	}
}

void snw_rig_poses(const snw_rig *rig, snw_scene *scene) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	if (joint_count == 0 && scene->channel_count == 0) {
		return;
	}
	snw_transform *locals = SNW_NEW_ARRAY(rig->scratch, snw_transform, joint_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		locals[j] = rig->nodes[rig->joint_nodes[j]].local;
	}
	const bool differs = joint_count > 0 && memcmp(locals, scene->skeleton.rest_local, joint_count * sizeof locals[0]) != 0;
	snw_pose *poses = SNW_NEW_ARRAY(rig->arena, snw_pose, 2);
	fill_pose(rig, scene, "rest", scene->skeleton.rest_local, &poses[0]);
	if (differs) {
		fill_pose(rig, scene, "default", locals, &poses[1]);
	}
	scene->poses = poses;
	scene->pose_count = differs ? 2 : 1;
}

/* ---- rigid meshes -------------------------------------------------------------------------------------------------------- */

/* A matrix that flattens space cannot be inverted in floats. */
static bool is_usable(const double m[12]) {
	double largest = 0;
	for (int i = 0; i < 12; i++) {
		if (!isfinite(m[i])) {
			return false;
		}
		largest = i % 4 < 3 ? fmax(largest, fabs(m[i])) : largest;
	}
	return fabs(snw_mat34_determinant(m)) > 1e-9 * largest * largest * largest;
}

/* A mesh without a skin follows its node. It is placed by the node's rest transform and bound to a slot of its joint. If that
 * transform is flat (hidden objects are often scaled to zero), the mesh rests in its own space. */
uint32_t snw_rig_rigid_slot(const snw_rig_node *node, const snw_scene *scene, snw_rig_slots *slots, double world[12]) {
	if (node->slot != SNW_NONE && is_usable(slots->inverse_binds + 12 * (size_t)node->slot)) {
		snw_mat34_invert(slots->inverse_binds + 12 * (size_t)node->slot, world);
		return node->slot;
	}
	const uint32_t slot = slots->count++;
	double *inverse_bind = slots->inverse_binds + 12 * (size_t)slot;
	memcpy(world, scene->skeleton.rest_global + 12 * (size_t)node->joint, 12 * sizeof world[0]);
	if (!is_usable(world)) {
		snw_mat34_identity(world);
	}
	snw_mat34_invert(world, inverse_bind);
	slots->joints[slot] = node->joint;
	return slot;
}

void snw_rig_bind_rigid(snw_mesh *mesh, uint32_t slot, snw_arena *arena) {
	const uint32_t count = mesh->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *weights = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t p = 0; p < count; p++) {
		offsets[p + 1] = p + 1;
		slots[p] = slot;
		weights[p] = 1;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}
