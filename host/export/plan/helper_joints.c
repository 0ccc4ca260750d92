/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/numbers.h"
#include "export/plan/passes.h"
#include "pose/clip.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"

/* ---- helper joints ------------------------------------------------------------------------------------------------------- */

/* Helper joints: slots of the stack's blend behind those of the skeleton. In the file each is a joint below its parent, with
 * tracks in every clip: what the pose makes of it. */

/* Of the diagonal: how far tracks may be off between keys, and between frames of a clip without tracks. */
static const double NEAR = 4e-5, BETWEEN_FRAMES = 1.6e-3;

/* ---- the rig of the file ------------------------------------------------------------------------------------------------- */

void snw_plan_find_helpers(snw_plan *plan) {
	for (uint32_t m = 0; m < plan->mesh_count && plan->helper_count == 0; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		if (mesh->runs_on_joints && mesh->program->slot_count > plan->scene->slot_count) {
			const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, mesh->segment);
			plan->helpers = info.helpers;
			plan->helper_count = info.helper_count;
			plan->helper_mesh = m;
		}
	}
}

static bool has_name(const snw_plan_rig *rig, const char *name) {
	for (uint32_t j = 0; j < rig->joint_count; j++) {
		if (strcmp(rig->names[j], name) == 0) {
			return true;
		}
	}
	return false;
}

static const char *free_name(const snw_plan *plan, const char *name) {
	const char *tried = name;
	for (uint32_t i = 2; has_name(&plan->rig, tried); i++) {
		tried = snw_arena_format(plan->arena, "%s-%u", name, i);
	}
	return tried == name ? snw_arena_text(plan->arena, name) : tried;
}

/* Joint space → rest space: at the helper's place, with its axes. False if the parent has no volume at rest. */
static bool find_bind(const snw_plan *plan, uint32_t helper, double bind[12]) {
	const snw_helper_joint *one = &plan->helpers[helper];
	const double *parent = plan->scene->skeleton.rest_global + 12 * (size_t)one->parent;
	snw_transform axes = {.scale = {one->scale[0], one->scale[1], one->scale[2]}};
	memcpy(axes.rotation, one->rotation, sizeof axes.rotation);
	snw_transform_to_mat34(&axes, bind);
	snw_mat34_multiply(parent, bind, bind);
	for (int c = 0; c < 3; c++) {
		bind[4 * c + 3] = one->place[c];
	}
	return snw_mat34_determinant(parent) != 0;
}

void snw_plan_helper_matrix(const snw_plan *plan, const snw_pose_view *view, uint32_t helper, double matrix[12]) {
	const snw_plan_mesh *mesh = &plan->meshes[plan->helper_mesh];
	const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
	double back[12];
	if (find_bind(plan, helper, matrix) && snw_mat34_invert(view->global + 12 * (size_t)plan->helpers[helper].parent, back)) {
		snw_mat34_multiply(input->matrices + 12 * (size_t)(plan->scene->slot_count + helper), matrix, matrix);
		snw_mat34_multiply(back, matrix, matrix);
	} else {
		snw_mat34_identity(matrix);
	}
}

static snw_transform node_at(const snw_plan *plan, const snw_pose_view *view, uint32_t helper) {
	double matrix[12];
	snw_transform node;
	snw_plan_helper_matrix(plan, view, helper, matrix);
	snw_transform_from_mat34(matrix, &node);
	return node;
}

snw_status snw_plan_add_helpers(snw_plan *plan, snw_error *error) {
	snw_plan_rig *rig = &plan->rig;
	const snw_pose_view *view;
	const snw_status status = plan->helper_count > 0 ? snw_plan_drive(plan, plan->rest, plan->arena, &view, error) : SNW_OK;
	for (uint32_t h = 0; h < plan->helper_count && !snw_failed(status); h++) {
		const uint32_t joint = rig->joint_count, slot = rig->slot_count++;
		double bind[12];
		rig->names[joint] = free_name(plan, plan->helpers[h].name);
		rig->parents[joint] = plan->helpers[h].parent;
		rig->order[joint] = joint;
		rig->local[joint] = node_at(plan, view, h);
		rig->joint_count++;
		rig->slot_joints[slot] = joint;
		snw_mat34_identity(rig->slot_inverse_binds + 12 * (size_t)slot);
		if (find_bind(plan, h, bind)) {
			snw_mat34_invert(bind, rig->slot_inverse_binds + 12 * (size_t)slot);
		}
	}
	plan->report.helper_count = plan->helper_count;
	return status;
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

static void read_all(const void *context, const snw_pose_view *view, double *matrices) {
	const snw_plan *plan = context;
	for (uint32_t h = 0; h < plan->helper_count; h++) {
		snw_plan_helper_matrix(plan, view, h, matrices + 12 * (size_t)h);
	}
}

static snw_status sample_clip(snw_plan *plan, uint32_t c, const snw_added_joints *added, snw_error *error) {
	double *seconds;
	uint32_t count;
	snw_status status = snw_plan_choose_keys(plan, c, added, &seconds, &count, error);
	snw_arena *arena = snw_arena_create();
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)count * added->count);
	for (uint32_t k = 0; k < count && !snw_failed(status); k++) {
		snw_arena *moment = snw_arena_create();
		const snw_pose_view *view;
		status = snw_plan_drive(plan, snw_clip_sampler_pose(plan->samplers[c], seconds[k], moment), moment, &view, error);
		if (!snw_failed(status)) {
			read_all(plan, view, matrices + 12 * (size_t)k * added->count);
		}
		snw_arena_destroy(moment);
	}
	for (uint32_t h = 0; h < added->count && !snw_failed(status); h++) {
		snw_added_joint_tracks(added, h, plan->scene->skeleton.joint_count + h, count, seconds, matrices, plan->arena,
							   plan->helper_tracks[c] + SNW_PLAN_TRACKS * (size_t)h);
	}
	snw_arena_destroy(arena);
	return status;
}

/* What is asked of the tracks: by the points of all meshes. */
static snw_added_joints describe(const snw_plan *plan) {
	double diagonal = (double)INFINITY;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		diagonal = plan->meshes[m].runs_on_joints ? fmin(diagonal, plan->meshes[m].diagonal) : diagonal;
	}
	return (snw_added_joints){.count = plan->helper_count,
							  .moments = snw_added_joint_moments(plan, plan->scene->slot_count, plan->helper_count),
							  .tolerance = NEAR * diagonal,
							  .between_frames = BETWEEN_FRAMES * diagonal,
							  .read = read_all,
							  .context = plan};
}

snw_status snw_plan_sample_helpers(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	plan->helper_tracks = SNW_NEW_ARRAY(plan->arena, snw_track *, plan->clip_count);
	plan->helper_track_count = SNW_PLAN_TRACKS * plan->helper_count;
	if (plan->helper_count == 0) {
		return SNW_OK;
	}
	const snw_added_joints added = describe(plan);
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		plan->helper_tracks[c] = SNW_NEW_ARRAY(plan->arena, snw_track, plan->helper_track_count);
		status = sample_clip(plan, c, &added, error);
	}
	return status;
}

/* ---- playback ------------------------------------------------------------------------------------------------------------ */

const double *snw_plan_helper_palette(const snw_plan *plan, uint32_t clip, const snw_plan_instant *at,
									  const snw_pose_view *view, snw_arena *arena) {
	const uint32_t slots = plan->scene->slot_count;
	double *palette = SNW_NEW_ARRAY(arena, double, 12 * ((size_t)slots + plan->helper_count));
	memcpy(palette, view->palette, 12 * (size_t)slots * sizeof *palette);
	for (uint32_t h = 0; h < plan->helper_count; h++) {
		double *values = palette + 12 * ((size_t)slots + h);
		snw_transform node = clip == SNW_NONE ? node_at(plan, view, h) : plan->rig.local[plan->rig.slot_joints[slots + h]];
		if (clip != SNW_NONE) {
			double *parts[] = {node.translation, node.rotation, node.scale};
			for (uint32_t t = 0; t <= SNW_PATH_SCALE; t++) {
				const snw_track *track = &plan->helper_tracks[clip][SNW_PLAN_TRACKS * (size_t)h + t];
				double value[4];
				if (track->key_count > 0) {
					snw_plan_sample_track(track, at, value);
					memcpy(parts[t], value, snw_track_width(track) * sizeof *value);
				}
			}
		}
		snw_transform_to_mat34(&node, values);
		snw_mat34_multiply(view->global + 12 * (size_t)plan->helpers[h].parent, values, values);
		snw_mat34_multiply(values, plan->rig.slot_inverse_binds + 12 * ((size_t)slots + h), values);
	}
	return palette;
}

/* ---- affine nodes -------------------------------------------------------------------------------------------------------- */

static const double LEAST_SCALE = 1e-4;  /* smaller scales, of either sign, are replaced by this one */
static const double EQUAL_VALUES = 1e-5; /* relative to the largest: values this near count as equal */

typedef snk_svd3 decomposition; /* here U and V are rotations, s is in any order, and mirrored matrices have a negative one */

static double held_off_zero(double scale) {
	return copysign(fmax(fabs(scale), LEAST_SCALE), scale);
}

static void negate_column(double m[9], int column) {
	for (int r = 0; r < 3; r++) {
		m[3 * r + column] = -m[3 * r + column];
	}
}

static void decompose(const double matrix[12], decomposition *d) {
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	double a[9];
	for (int r = 0; r < 3; r++) {
		memcpy(a + 3 * r, matrix + 4 * r, 3 * sizeof *a);
	}
	snk_svd3_compute(snw_all_finite(a, 9) ? a : identity, d);
	if (snk_determinant3(d->u) < 0) {
		negate_column(d->u, 2);
		d->s[2] = -d->s[2];
	}
	if (snk_determinant3(d->v) < 0) {
		negate_column(d->v, 2);
		d->s[2] = -d->s[2];
	}
	for (int c = 0; c < 3; c++) {
		d->s[c] = held_off_zero(d->s[c]);
	}
}

static void quaternion_of(const double m[9], double q[4]) {
	const double matrix[12] = {m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0};
	snw_quat_from_mat34(matrix, q);
}

static void rotation_of(const double q[4], double m[9]) {
	double matrix[12];
	snw_quat_to_mat34(q, matrix);
	for (int r = 0; r < 3; r++) {
		memcpy(m + 3 * r, matrix + 4 * r, 3 * sizeof *m);
	}
}

/* Rotates columns a and b of both U and V by the angle that makes those of V nearest to `before`. */
static void align_pair(decomposition *d, const double before[9], int a, int b) {
	double along = 0, across = 0;
	for (int r = 0; r < 3; r++) {
		along += d->v[3 * r + a] * before[3 * r + a] + d->v[3 * r + b] * before[3 * r + b];
		across += d->v[3 * r + b] * before[3 * r + a] - d->v[3 * r + a] * before[3 * r + b];
	}
	const double length = hypot(along, across);
	if (!(length > 0)) {
		return;
	}
	const double cosine = along / length, sine = across / length;
	for (int side = 0; side < 2; side++) {
		double *m = side ? d->v : d->u;
		for (int r = 0; r < 3; r++) {
			const double x = m[3 * r + a], y = m[3 * r + b];
			m[3 * r + a] = cosine * x + sine * y;
			m[3 * r + b] = cosine * y - sine * x;
		}
	}
}

/* If all values are equal, the matrix is a rotation with a uniform scale, and V can stay the same. */
static void keep_v(decomposition *d, const double before[9]) {
	double u[9];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			u[3 * r + c] = 0;
			for (int k = 0; k < 3; k++) {
				double rotated = 0; /* (Vᵀ V_before)_kc */
				for (int i = 0; i < 3; i++) {
					rotated += d->v[3 * i + k] * before[3 * i + c];
				}
				u[3 * r + c] += d->u[3 * r + k] * rotated;
			}
		}
	}
	memcpy(d->u, u, sizeof u);
	memcpy(d->v, before, sizeof d->v);
}

/* The decomposition with its columns in another order and with other signs: one of the 24 rotations of a cube. */
static decomposition permuted(const decomposition *d, const int order[3], unsigned signs) {
	decomposition other;
	for (int c = 0; c < 3; c++) {
		const double sign = signs >> c & 1 ? -1 : 1;
		other.s[c] = d->s[order[c]];
		for (int r = 0; r < 3; r++) {
			other.u[3 * r + c] = sign * d->u[3 * r + order[c]];
			other.v[3 * r + c] = sign * d->v[3 * r + order[c]];
		}
	}
	return other;
}

/* The similarity of a decomposition's rotations to the previous ones: the squared cosines of half the angles between them. */
static double nearness(const decomposition *d, const double u_before[4], const double v_before[4]) {
	double u[4], v[4];
	quaternion_of(d->u, u);
	quaternion_of(d->v, v);
	const double by_u = snw_quat_dot(u, u_before), by_v = snw_quat_dot(v, v_before);
	return by_u * by_u + by_v * by_v;
}

static decomposition nearest_permutation(const decomposition *d, const double u_before[4], const double v_before[4]) {
	static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
	decomposition best = *d;
	double most = -1;
	for (int o = 0; o < 6; o++) {
		for (unsigned signs = 0; signs < 8; signs++) {
			/* Odd permutations need an odd number of sign changes, so that U and V stay rotations. */
			const bool is_odd = (signs & 1) ^ (signs >> 1 & 1) ^ (signs >> 2 & 1);
			if (is_odd != (o >= 3)) {
				continue;
			}
			const decomposition other = permuted(d, orders[o], signs);
			const double near = nearness(&other, u_before, v_before);
			if (near > most) {
				most = near;
				best = other;
			}
		}
	}
	return best;
}

static void align_equal_values(decomposition *d, const double before[9]) {
	const double tolerance = EQUAL_VALUES * fmax(d->s[0], fmax(d->s[1], d->s[2]));
	const bool equal[3] = {fabs(d->s[1] - d->s[2]) <= tolerance, fabs(d->s[2] - d->s[0]) <= tolerance,
						   fabs(d->s[0] - d->s[1]) <= tolerance};
	if (equal[0] + equal[1] + equal[2] >= 2) {
		keep_v(d, before);
		return;
	}
	for (int c = 0; c < 3; c++) {
		if (equal[c]) {
			align_pair(d, before, (c + 1) % 3, (c + 2) % 3);
		}
	}
}

/* Chooses the sign of a quaternion that is nearer to the previous key. */
static void keep_side(double q[4], const double before[4]) {
	const double sign = snw_quat_dot(q, before) < 0 ? -1 : 1;
	for (int c = 0; c < 4; c++) {
		q[c] *= sign;
	}
}

void snw_affine_nodes_make(const double matrix[12], const snw_affine_nodes *before, snw_affine_nodes *nodes) {
	decomposition d;
	double u_before[4], v_before[4] = {0, 0, 0, 1}, v_matrix[9];
	decompose(matrix, &d);
	if (before) {
		memcpy(u_before, before->outer.rotation, sizeof u_before);
		snw_quat_conjugate(before->inner, v_before);
	} else {
		/* Nearest to a single node: U is the rotation of the matrix, V the identity. */
		double u[4], v[4];
		quaternion_of(d.u, u);
		quaternion_of(d.v, v);
		snw_quat_conjugate(v, v);
		snw_quat_multiply(u, v, u_before);
	}
	rotation_of(v_before, v_matrix);
	d = nearest_permutation(&d, u_before, v_before);
	align_equal_values(&d, v_matrix);
	double v[4];
	quaternion_of(d.u, nodes->outer.rotation);
	quaternion_of(d.v, v);
	snw_quat_conjugate(v, nodes->inner);
	memcpy(nodes->outer.scale, d.s, sizeof d.s);
	for (int r = 0; r < 3; r++) {
		nodes->outer.translation[r] = matrix[4 * r + 3];
	}
	if (before) {
		keep_side(nodes->outer.rotation, before->outer.rotation);
		keep_side(nodes->inner, before->inner);
	}
}

void snw_affine_nodes_hold(const double matrix[12], const double inner[4], snw_affine_nodes *nodes) {
	double back[4], v[9], rotated[12] = {0}, u[9];
	decomposition d;
	snw_quat_conjugate(inner, back);
	rotation_of(back, v);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			for (int k = 0; k < 3; k++) {
				rotated[4 * r + c] += matrix[4 * r + k] * v[3 * k + c];
			}
		}
	}
	decompose(rotated, &d); /* A V: the nearest rotation is U, and what is left along its columns S */
	for (int c = 0; c < 3; c++) {
		nodes->outer.translation[c] = matrix[4 * c + 3];
		nodes->outer.scale[c] = 0;
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			u[3 * r + c] = 0;
			for (int k = 0; k < 3; k++) {
				u[3 * r + c] += d.u[3 * r + k] * d.v[3 * c + k];
			}
			nodes->outer.scale[c] += u[3 * r + c] * rotated[4 * r + c];
		}
	}
	for (int c = 0; c < 3; c++) {
		nodes->outer.scale[c] = held_off_zero(nodes->outer.scale[c]);
	}
	quaternion_of(u, nodes->outer.rotation);
	memcpy(nodes->inner, inner, sizeof nodes->inner);
}

void snw_affine_nodes_matrix(const snw_affine_nodes *nodes, double matrix[12]) {
	double outer[12], inner[12];
	snw_transform_to_mat34(&nodes->outer, outer);
	snw_quat_to_mat34(nodes->inner, inner);
	snw_mat34_multiply(outer, inner, matrix);
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Skins: slots grouped by meshes, as far as the engine plays a skin of so many joints. */

/* A set being made. */
typedef struct growing_set {
	snw_plan_skin_set *set;
	uint32_t *of_joint; /* [joint_count]: a slot of this joint; SNW_NONE */
} growing_set;

static growing_set set_create(const snw_plan *plan) {
	growing_set made = {.set = SNW_NEW(plan->arena, snw_plan_skin_set)};
	made.set->has = SNW_NEW_ARRAY(plan->arena, bool, plan->rig.slot_count);
	made.of_joint = SNW_NEW_ARRAY(plan->arena, uint32_t, plan->rig.joint_count);
	memset(made.of_joint, 0xff, plan->rig.joint_count * sizeof *made.of_joint);
	return made;
}

static void set_add(const snw_plan *plan, growing_set *set, uint32_t slot) {
	set->set->count += !set->set->has[slot];
	set->set->has[slot] = true;
	set->of_joint[plan->rig.slot_joints[slot]] = slot;
}

static growing_set slots_of_mesh(const snw_plan *plan, const snw_plan_mesh *mesh) {
	growing_set set = set_create(plan);
	for (size_t i = 0; i < (size_t)mesh->mesh->point_count * mesh->width; i++) {
		if (mesh->weights[i] > 0) {
			set_add(plan, &set, mesh->slots[i]);
		}
	}
	return set;
}

static uint32_t most_joints(const snw_plan *plan) {
	return (plan->request->engine ? plan->request->engine : snw_engine_any())->joints;
}

/* Whether meshes can share a skin: they have common slots, no joint has different inverse binds, and the engine plays as
 * many. */
static bool can_share(const snw_plan *plan, const growing_set *a, const growing_set *b) {
	uint32_t both = 0;
	for (uint32_t s = 0; s < plan->rig.slot_count; s++) {
		if (!b->set->has[s]) {
			continue;
		}
		const uint32_t other = a->of_joint[plan->rig.slot_joints[s]];
		both += a->set->has[s];
		if (other != SNW_NONE && !a->set->has[s]) {
			return false;
		}
	}
	return both > 0 && a->set->count + b->set->count - both <= most_joints(plan);
}

static uint32_t group_meshes(snw_plan *plan, growing_set *sets) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		mesh->skin_set = SNW_NONE;
		if (mesh->placement != SNW_PLAN_SKINNED) {
			continue;
		}
		const growing_set set = slots_of_mesh(plan, mesh);
		uint32_t s = 0;
		while (s < count && !can_share(plan, &sets[s], &set)) {
			s++;
		}
		if (s == count) {
			sets[count++] = set;
		} else {
			for (uint32_t slot = 0; slot < plan->rig.slot_count; slot++) {
				if (set.set->has[slot]) {
					set_add(plan, &sets[s], slot);
				}
			}
		}
		mesh->skin_set = s;
	}
	return count;
}

static bool is_placed(const snw_plan *plan, const growing_set *sets, uint32_t count, uint32_t slot) {
	bool placed = false;
	for (uint32_t s = 0; s < count; s++) {
		placed = placed || sets[s].set->has[slot];
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		placed = placed || (plan->meshes[m].placement == SNW_PLAN_RIGID && plan->meshes[m].slot == slot);
	}
	return placed;
}

/* Whether the set has the parent or a child of a joint. */
static bool is_adjacent(const snw_plan *plan, const growing_set *set, uint32_t joint) {
	const uint32_t parent = plan->rig.parents[joint];
	bool adjacent = parent != SNW_NONE && set->of_joint[parent] != SNW_NONE;
	for (uint32_t j = 0; j < plan->rig.joint_count && !adjacent; j++) {
		adjacent = plan->rig.parents[j] == joint && set->of_joint[j] != SNW_NONE;
	}
	return adjacent;
}

/* Adds slots without weight to the skin that has the parent or a child of their joint, so that a skin has its whole skeleton,
 * as far as the engine plays so many. */
static void place_idle_slots(const snw_plan *plan, growing_set *sets, uint32_t count) {
	for (bool added = true; added;) {
		added = false;
		for (uint32_t slot = 0; slot < plan->rig.slot_count; slot++) {
			const uint32_t joint = plan->rig.slot_joints[slot];
			for (uint32_t s = 0; s < count && !is_placed(plan, sets, count, slot); s++) {
				if (sets[s].set->count < most_joints(plan) && sets[s].of_joint[joint] == SNW_NONE &&
					is_adjacent(plan, &sets[s], joint)) {
					set_add(plan, &sets[s], slot);
					added = true;
				}
			}
		}
	}
}

void snw_plan_group_skins(snw_plan *plan) {
	growing_set *sets = SNW_NEW_ARRAY(plan->arena, growing_set, plan->mesh_count);
	plan->skin_set_count = group_meshes(plan, sets);
	place_idle_slots(plan, sets, plan->skin_set_count);
	plan->skin_sets = SNW_NEW_ARRAY(plan->arena, snw_plan_skin_set, plan->skin_set_count);
	for (uint32_t s = 0; s < plan->skin_set_count; s++) {
		plan->skin_sets[s] = *sets[s].set;
	}
	plan->report.skin_count = plan->skin_set_count;
}
