/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static const char *bare_name(const char *name) {
	const char *colon = strrchr(name, ':'), *bar = strrchr(name, '|');
	const char *last = colon > bar ? colon : bar;
	return last ? last + 1 : name;
}

/* Whether each joint moves the mesh, or has a joint below it that does. */
static bool *find_movers(const snw_scene *scene, const snw_mesh *mesh, snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	bool *moves = SNW_NEW_ARRAY(arena, bool, skeleton->joint_count);
	for (uint32_t k = 0; mesh->influence_offsets && k < mesh->influence_offsets[mesh->point_count]; k++) {
		const uint32_t joint = scene->slot_joints[mesh->influence_slots[k]];
		moves[joint] = moves[joint] || mesh->influence_weights[k] > 0;
	}
	for (uint32_t k = skeleton->joint_count; k-- > 0;) {
		const uint32_t joint = skeleton->order[k], parent = skeleton->parents[joint];
		if (parent != SNW_NONE) {
			moves[parent] = moves[parent] || moves[joint];
		}
	}
	return moves;
}

/* A joint has one partner, and is that of one joint: first those of equal names, then those of equal bare names. Of several
 * characters in a scene, which have the same bare names, the one that moves the mesh comes first. */
static void find_partners(const snw_rest_match *m, const snw_mesh *mesh, snw_arena *arena) {
	const snw_skeleton *there = &m->from->skeleton, *here = &m->to->skeleton;
	const bool *moves = find_movers(m->from, mesh, arena);
	bool *is_taken = SNW_NEW_ARRAY(arena, bool, here->joint_count);
	for (uint32_t j = 0; j < there->joint_count; j++) {
		const uint32_t same = snw_scene_find_joint(m->to, there->names[j]);
		m->partners[j] = same != SNW_NONE && !is_taken[same] ? same : SNW_NONE;
		if (m->partners[j] != SNW_NONE) {
			is_taken[same] = true;
		}
	}
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t j = 0; j < there->joint_count; j++) {
			for (uint32_t k = 0; k < here->joint_count && m->partners[j] == SNW_NONE && moves[j] == (pass == 0); k++) {
				if (!is_taken[k] && strcasecmp(bare_name(here->names[k]), bare_name(there->names[j])) == 0) {
					m->partners[j] = k;
					is_taken[k] = true;
				}
			}
		}
	}
}

static void rest_place(const snw_skeleton *skeleton, uint32_t joint, double dest[3]) {
	for (size_t c = 0; c < 3; c++) {
		dest[c] = skeleton->rest_global[12 * (size_t)joint + 4 * c + 3];
	}
}

/* The least rotation between two directions. */
static void least_rotation(const double from[3], const double to[3], double q[4]) {
	double a[3], b[3];
	memcpy(a, from, sizeof a);
	memcpy(b, to, sizeof b);
	snw_normalize3(a);
	snw_normalize3(b);
	snw_cross3(a, b, q);
	q[3] = 1 + snw_dot3(a, b);
	if (q[3] < 1e-6) { /* a half turn, about any axis across */
		snw_perpendicular3(a, q);
		q[3] = 0;
	}
	snw_quat_normalize(q);
}

/* The bones that begin at a joint and have a partner: how many, their lengths in both characters, and the last one's
 * directions. */
static uint32_t sum_bones(const snw_rest_match *m, uint32_t joint, double lengths[2], double from[3], double to[3]) {
	const snw_skeleton *here = &m->to->skeleton, *there = &m->from->skeleton;
	double p[3], q[3], child[3];
	uint32_t count = 0;
	rest_place(there, joint, p);
	rest_place(here, m->partners[joint], q);
	lengths[0] = lengths[1] = 0;
	for (uint32_t j = 0; j < there->joint_count; j++) {
		if (there->parents[j] != joint || m->partners[j] == SNW_NONE) {
			continue;
		}
		rest_place(there, j, child);
		for (int c = 0; c < 3; c++) {
			from[c] = child[c] - p[c];
		}
		rest_place(here, m->partners[j], child);
		for (int c = 0; c < 3; c++) {
			to[c] = child[c] - q[c];
		}
		lengths[0] += snw_length3(from);
		lengths[1] += snw_length3(to);
		count += snw_length3(from) > 0 && snw_length3(to) > 0;
	}
	return count;
}

static void map_joint(const snw_rest_match *m, uint32_t joint) {
	const uint32_t parent = m->from->skeleton.parents[joint];
	double *rotation = m->joint_rotations + 4 * (size_t)joint, *map = m->maps + 12 * (size_t)joint;
	static const double none[4] = {0, 0, 0, 1};
	memcpy(rotation, parent == SNW_NONE ? none : m->joint_rotations + 4 * (size_t)parent, sizeof none);
	m->joint_scales[joint] = parent == SNW_NONE ? 1 : m->joint_scales[parent];
	if (m->partners[joint] == SNW_NONE) {
		if (parent == SNW_NONE) {
			snw_mat34_identity(map);
		} else {
			memcpy(map, m->maps + 12 * (size_t)parent, 12 * sizeof *map);
		}
		return;
	}
	double lengths[2], from[3], to[3], p[3], q[3], mapped[3];
	const uint32_t bones = sum_bones(m, joint, lengths, from, to);
	if (bones > 0 && lengths[0] > 0 && lengths[1] > 0) {
		m->joint_scales[joint] = lengths[1] / lengths[0];
	}
	if (bones == 1) {
		least_rotation(from, to, rotation);
	}
	snw_quat_to_mat34(rotation, map);
	for (size_t i = 0; i < 12; i++) {
		map[i] *= m->joint_scales[joint];
	}
	rest_place(&m->from->skeleton, joint, p);
	rest_place(&m->to->skeleton, m->partners[joint], q);
	snw_mat34_vector(map, p, mapped);
	for (size_t c = 0; c < 3; c++) {
		map[4 * c + 3] = q[c] - mapped[c];
	}
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

/* Adds a weighted quaternion, in the half-space of the sum. */
static void add_weighted(double sum[4], double weight, const double q[4]) {
	const double sign = snw_quat_dot(sum, q) < 0 ? -weight : weight;
	for (int c = 0; c < 4; c++) {
		sum[c] += sign * q[c];
	}
}

static void close_rotation(double sum[4]) {
	if (snw_quat_dot(sum, sum) > 1e-12) {
		snw_quat_normalize(sum);
	} else {
		memcpy(sum, (double[]){0, 0, 0, 1}, 4 * sizeof *sum);
	}
}

static void map_point(const snw_rest_match *m, const snw_mesh *mesh, uint32_t point) {
	const double *rest = mesh->points_rest + 3 * (size_t)point;
	double *dest = m->points + 3 * (size_t)point, *rotation = m->rotations + 4 * (size_t)point, sum = 0;
	memset(dest, 0, 3 * sizeof *dest);
	memset(rotation, 0, 4 * sizeof *rotation);
	m->scales[point] = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const uint32_t joint = m->from->slot_joints[mesh->influence_slots[k]];
		const double weight = mesh->influence_weights[k];
		double mapped[3];
		snw_mat34_point(m->maps + 12 * (size_t)joint, rest, mapped);
		for (int c = 0; c < 3; c++) {
			dest[c] += weight * mapped[c];
		}
		add_weighted(rotation, weight, m->joint_rotations + 4 * (size_t)joint);
		m->scales[point] += weight * m->joint_scales[joint];
		sum += weight;
	}
	close_rotation(rotation);
	if (!(sum > 0)) {
		memcpy(dest, rest, 3 * sizeof *dest);
		m->scales[point] = 1;
	}
}

void snw_rest_match_make(const snw_scene *from, uint32_t index, const snw_scene *to, snw_arena *arena, snw_rest_match *m) {
	const uint32_t joints = from->skeleton.joint_count;
	const snw_mesh *mesh = &from->meshes[index];
	*m = (snw_rest_match){.from = from,
						  .to = to,
						  .partners = SNW_NEW_ARRAY(arena, uint32_t, joints),
						  .joint_rotations = snw_arena_array(arena, joints, 4 * sizeof(double)),
						  .joint_scales = SNW_NEW_ARRAY(arena, double, joints),
						  .maps = snw_arena_array(arena, joints, 12 * sizeof(double)),
						  .points = snw_arena_array(arena, mesh->point_count, 3 * sizeof(double)),
						  .rotations = snw_arena_array(arena, mesh->point_count, 4 * sizeof(double)),
						  .scales = SNW_NEW_ARRAY(arena, double, mesh->point_count)};
	find_partners(m, mesh, arena);
	for (uint32_t k = 0; k < joints; k++) {
		map_joint(m, from->skeleton.order[k]);
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		if (mesh->influence_offsets) {
			map_point(m, mesh, i);
			continue;
		}
		memcpy(m->points + 3 * (size_t)i, mesh->points_rest + 3 * (size_t)i, 3 * sizeof(double));
		memcpy(m->rotations + 4 * (size_t)i, (double[]){0, 0, 0, 1}, 4 * sizeof(double));
		m->scales[i] = 1;
	}
}

double *snw_skin_rotations(const snw_scene *scene, uint32_t index, const snw_pose *pose, snw_arena *arena) {
	const snw_mesh *mesh = &scene->meshes[index];
	double *slots = snw_arena_array(arena, scene->slot_count, 4 * sizeof *slots);
	double *rotations = snw_arena_array(arena, mesh->point_count, 4 * sizeof *rotations);
	const snw_pose_view *view = snw_pose_view_make(scene, pose, arena);
	for (size_t s = 0; s < scene->slot_count; s++) {
		snw_transform parts;
		snw_transform_from_mat34(view->palette + 12 * s, &parts);
		memcpy(slots + 4 * s, parts.rotation, sizeof parts.rotation);
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double *sum = rotations + 4 * (size_t)i;
		memset(sum, 0, 4 * sizeof *sum);
		for (uint32_t k = mesh->influence_offsets ? mesh->influence_offsets[i] : 0;
			 mesh->influence_offsets && k < mesh->influence_offsets[i + 1]; k++) {
			add_weighted(sum, mesh->influence_weights[k], slots + 4 * (size_t)mesh->influence_slots[k]);
		}
		close_rotation(sum);
	}
	return rotations;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void rest_rotation(const snw_skeleton *skeleton, uint32_t joint, double dest[4]) {
	snw_transform parts = {.rotation = {0, 0, 0, 1}};
	if (joint != SNW_NONE) {
		snw_transform_from_mat34(skeleton->rest_global + 12 * (size_t)joint, &parts);
	}
	memcpy(dest, parts.rotation, sizeof parts.rotation);
}

/* A vector in the rest axes of a joint there (SNW_NONE: of the world), in those of a joint here: across the rotation R. */
static void change_axes(const snw_rest_match *m, uint32_t there, uint32_t here, const double rotation[4], const double v[3],
						double dest[3]) {
	double before[4], after[4], back[4], half[4], q[4], values[12];
	rest_rotation(&m->from->skeleton, there, before);
	rest_rotation(&m->to->skeleton, here, after);
	snw_quat_conjugate(after, back);
	snw_quat_multiply(rotation, before, half);
	snw_quat_multiply(back, half, q);
	snw_quat_to_mat34(q, values);
	snw_mat34_vector(values, v, dest);
}

static void set_joint(const snw_rest_match *m, const snw_pose *pose, uint32_t joint, snw_pose *dest) {
	const snw_skeleton *there = &m->from->skeleton, *here = &m->to->skeleton;
	const uint32_t partner = m->partners[joint], parent = there->parents[joint];
	static const double none[4] = {0, 0, 0, 1};
	double q[4], mapped[3], *vector = dest->rotation_vectors + 3 * (size_t)partner;
	change_axes(m, joint, partner, m->joint_rotations + 4 * (size_t)joint, pose->rotation_vectors + 3 * (size_t)joint, vector);
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(here->rest_local[partner].rotation, q, dest->local[partner].rotation);
	snw_quat_normalize(dest->local[partner].rotation);
	const double *rotation = parent == SNW_NONE ? none : m->joint_rotations + 4 * (size_t)parent;
	const double scale = parent == SNW_NONE ? m->joint_scales[joint] : m->joint_scales[parent];
	for (int c = 0; c < 3; c++) {
		mapped[c] = pose->local[joint].translation[c] - there->rest_local[joint].translation[c];
		dest->local[partner].scale[c] *= pose->local[joint].scale[c] / there->rest_local[joint].scale[c];
	}
	change_axes(m, parent, here->parents[partner], rotation, mapped, mapped);
	for (int c = 0; c < 3; c++) {
		dest->local[partner].translation[c] += scale * mapped[c];
	}
}

snw_pose *snw_rest_match_pose(const snw_rest_match *m, const snw_pose *pose, snw_arena *arena) {
	snw_pose *dest = snw_pose_rest(m->to, arena);
	dest->id = 0;
	dest->name = pose->name;
	for (uint32_t j = 0; j < m->from->skeleton.joint_count; j++) {
		if (m->partners[j] != SNW_NONE) {
			set_joint(m, pose, j, dest);
		}
	}
	for (uint32_t c = 0; c < m->from->channel_count; c++) {
		for (uint32_t d = 0; d < m->to->channel_count; d++) {
			if (strcmp(m->from->channels[c].name, m->to->channels[d].name) == 0) {
				dest->channels[d] = pose->channels[c];
			}
		}
	}
	return dest;
}

/* ---- match points -------------------------------------------------------------------------------------------------------- */

#define SAME_PLACE 1e-5 /* of the diagonal */

/* A point by how far it is along a direction in which few points of a mesh are equal. */
typedef struct placed {
	double along;
	uint32_t point;
} placed;

static int compare_placed(const void *a, const void *b) {
	const placed *x = a, *y = b;
	return x->along != y->along ? (x->along > y->along) - (x->along < y->along) : (x->point > y->point) - (x->point < y->point);
}

static placed *sort_points(const snw_mesh *mesh, snw_arena *arena) {
	static const double direction[3] = {0.7071, 0.5337, 0.4639};
	placed *list = SNW_NEW_ARRAY(arena, placed, mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		list[p] = (placed){snw_dot3(direction, mesh->points_rest + 3 * (size_t)p), p};
	}
	qsort(list, mesh->point_count, sizeof *list, compare_placed);
	return list;
}

uint32_t snw_match_mesh(const snw_scene *old, uint32_t mesh, const snw_scene *fresh) {
	const bool only = old->mesh_count == 1 && fresh->mesh_count == 1;
	return only ? 0 : snw_scene_find_mesh(fresh, old->meshes[mesh].name);
}

uint32_t *snw_match_points(const snw_mesh *old, const snw_mesh *fresh, snw_arena *arena) {
	if (old->point_count != fresh->point_count) {
		return NULL;
	}
	const double least = SAME_PLACE * snw_points_diagonal(old->points_rest, old->point_count);
	const placed *from = sort_points(old, arena), *to = sort_points(fresh, arena);
	uint32_t *order = SNW_NEW_ARRAY(arena, uint32_t, old->point_count);
	bool *taken = SNW_NEW_ARRAY(arena, bool, old->point_count);
	uint32_t first = 0;
	for (uint32_t i = 0; i < old->point_count; i++) {
		const double *place = old->points_rest + 3 * (size_t)from[i].point;
		uint32_t found = SNW_NONE;
		while (to[first].along < from[i].along - least && first + 1 < old->point_count) {
			first++;
		}
		for (uint32_t k = first; found == SNW_NONE && k < old->point_count && to[k].along <= from[i].along + least; k++) {
			const double *other = fresh->points_rest + 3 * (size_t)to[k].point;
			if (!taken[k] && snw_squared_distance3(place, other) <= least * least) {
				taken[k] = true;
				found = to[k].point;
			}
		}
		if (found == SNW_NONE) {
			return NULL;
		}
		order[from[i].point] = found;
	}
	return order;
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_face(const uint32_t *corners, uint32_t count) {
	snw_hash hash = {0};
	uint32_t first = 0;
	for (uint32_t c = 1; c < count; c++) {
		first = corners[c] < corners[first] ? c : first;
	}
	for (uint32_t c = 0; c < count; c++) {
		snw_hash_u64(&hash, corners[(first + c) % count]);
	}
	return snw_hash_value(&hash);
}

bool snw_same_faces(const snw_mesh *a, const snw_mesh *b) {
	uint64_t sums[2] = {0};
	for (int i = 0; i < 2; i++) {
		const snw_mesh *mesh = i == 0 ? a : b;
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t begin = mesh->face_offsets[f];
			sums[i] += hash_face(mesh->face_points + begin, mesh->face_offsets[f + 1] - begin);
		}
	}
	return a->face_count == b->face_count && sums[0] == sums[1];
}

/* ---- a mesh in another order --------------------------------------------------------------------------------------------- */

static void order_influences(const snw_mesh *from, const uint32_t *order, snw_mesh *mesh, snw_arena *arena) {
	const uint32_t count = from->influence_offsets[from->point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)from->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *weights = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t p = 0; p < from->point_count; p++) {
		const uint32_t begin = from->influence_offsets[order[p]], length = from->influence_offsets[order[p] + 1] - begin;
		memcpy(slots + offsets[p], from->influence_slots + begin, length * sizeof *slots);
		memcpy(weights + offsets[p], from->influence_weights + begin, length * sizeof *weights);
		offsets[p + 1] = offsets[p] + length;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

/* `places` are where the points are now. A morph's points ascend. */
static snw_morph order_morph(const snw_morph *from, const uint32_t *places, uint32_t point_count, snw_arena *arena) {
	uint32_t *at = SNW_NEW_ARRAY(arena, uint32_t, point_count); /* 1 + the displacement of each point */
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, from->count);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)from->count);
	snw_morph morph = *from;
	for (uint32_t i = 0; i < from->count; i++) {
		at[places[from->points[i]]] = i + 1;
	}
	morph.count = 0;
	for (uint32_t p = 0; p < point_count; p++) {
		if (at[p] > 0) {
			points[morph.count] = p;
			memcpy(vectors + 3 * (size_t)morph.count++, from->vectors + 3 * (size_t)(at[p] - 1), 3 * sizeof *vectors);
		}
	}
	morph.points = points;
	morph.vectors = vectors;
	return morph;
}

snw_mesh snw_mesh_in_order(const snw_mesh *mesh, const uint32_t *order, snw_arena *arena) {
	const uint32_t count = mesh->point_count, corner_count = mesh->face_offsets[mesh->face_count];
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *places = SNW_NEW_ARRAY(arena, uint32_t, count), *corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	snw_morph *morphs = SNW_NEW_ARRAY(arena, snw_morph, mesh->morph_count);
	snw_mesh ordered = *mesh;
	for (uint32_t p = 0; p < count; p++) {
		memcpy(points + 3 * (size_t)p, mesh->points_rest + 3 * (size_t)order[p], 3 * sizeof *points);
		places[order[p]] = p;
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		corners[c] = places[mesh->face_points[c]];
	}
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		morphs[m] = order_morph(&mesh->morphs[m], places, count, arena);
	}
	if (mesh->influence_offsets) {
		order_influences(mesh, order, &ordered, arena);
	}
	ordered.points_rest = points;
	ordered.face_points = corners;
	ordered.morphs = morphs;
	return ordered;
}
