/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree of proxy joints: each below the proxy joint, or the joint of the skeleton, that moves most like it.
 *
 * If joint b carried the points of a instead of a itself, they would move by w_ia (T_b − T_a)(r_i, 1). With M_a = Σ_i w_ia²
 * (r_i, 1)(r_i, 1)ᵀ the sum of squares over points and moments is Σ tr((T_b − T_a) M_a (T_b − T_a)ᵀ). The least one decides.
 * Among proxies it is taken both ways, and the tree is the minimum spanning tree below the proxy with the most points.
 */
#include <string.h>

#include "export/plan/passes.h"
#include "sinew/algebra.h"

enum { HIERARCHY_MOMENTS = 48 };

typedef struct hierarchy {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	snw_arena *arena;
	uint32_t moment_count;
	double *proxies; /* [proxy_count][moment_count][12] */
	double *joints;  /* [joint_count][moment_count][12]: from rest to posed space */
	bool *is_rigid;  /* [joint_count]: of those with slots, in joint space, at all moments; a node below another could not be */
	double *moments; /* [proxy_count][16]: M */
} hierarchy;

/* ---- what is compared ---------------------------------------------------------------------------------------------------- */

static void sum_points(hierarchy *h) {
	const snw_plan_skin *skin = &h->mesh->skin;
	for (uint32_t i = 0; i < h->mesh->mesh->point_count; i++) {
		const double *rest = h->mesh->points_rest + 3 * (size_t)i, row[4] = {rest[0], rest[1], rest[2], 1};
		for (uint32_t k = skin->offsets[i]; k < skin->offsets[i + 1]; k++) {
			const uint32_t proxy = h->mesh->proxy_of_slot[skin->slots[k]];
			for (int e = 0; e < 16 && proxy != SNW_NONE; e++) {
				h->moments[16 * (size_t)proxy + (size_t)e] += skin->weights[k] * skin->weights[k] * row[e / 4] * row[e % 4];
			}
		}
	}
}

static void read_joints(hierarchy *h, const snw_pose_view *view, uint32_t moment) {
	const snw_skeleton *skeleton = &h->plan->scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const double *global = view->global + 12 * (size_t)j;
		double back[12];
		h->is_rigid[j] =
			h->is_rigid[j] && snw_plan_is_rigid(global, 1) && snw_mat34_invert(skeleton->rest_global + 12 * (size_t)j, back);
		if (h->is_rigid[j]) {
			snw_mat34_multiply(global, back, h->joints + 12 * ((size_t)h->moment_count * j + moment));
		}
	}
}

static snw_status read_moment(hierarchy *h, uint32_t clip, double seconds, uint32_t moment, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_pose_view *view;
	double *matrices = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)h->mesh->proxy_count);
	const snw_pose *pose = snw_clip_sampler_pose(h->plan->samplers[clip], seconds, scratch);
	const snw_status status = snw_plan_drive(h->plan, pose, scratch, &view, error);
	if (!snw_failed(status)) {
		snw_plan_read_proxies(h->plan, h->mesh, matrices);
		for (uint32_t s = 0; s < h->mesh->proxy_count; s++) {
			memcpy(h->proxies + 12 * ((size_t)h->moment_count * s + moment), matrices + 12 * (size_t)s, 12 * sizeof *matrices);
		}
		read_joints(h, view, moment);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* Moments of all clips, evenly. */
static snw_status read_moments(hierarchy *h, snw_error *error) {
	const snw_plan *plan = h->plan;
	double **seconds = SNW_NEW_ARRAY(h->arena, double *, plan->clip_count);
	uint32_t *counts = SNW_NEW_ARRAY(h->arena, uint32_t, plan->clip_count), all = 0, next = 0;
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		snw_plan_moments(plan, plan->clips[c], h->arena, &seconds[c], &counts[c]);
		all += counts[c];
	}
	const uint32_t joints = plan->scene->skeleton.joint_count;
	h->moment_count = all < HIERARCHY_MOMENTS ? all : HIERARCHY_MOMENTS;
	h->proxies = SNW_NEW_ARRAY(h->arena, double, 12 * (size_t)h->moment_count * h->mesh->proxy_count);
	h->joints = SNW_NEW_ARRAY(h->arena, double, 12 * (size_t)h->moment_count * joints);
	h->is_rigid = SNW_NEW_ARRAY(h->arena, bool, joints);
	h->moments = SNW_NEW_ARRAY(h->arena, double, 16 * (size_t)h->mesh->proxy_count);
	const snw_pose_view *rest = snw_pose_view_make(plan->scene, plan->rest, h->arena);
	for (uint32_t s = 0; s < plan->scene->slot_count; s++) { /* other nodes of the scene move no points */
		const uint32_t j = plan->scene->slot_joints[s];
		h->is_rigid[j] = snw_plan_is_rigid(rest->global + 12 * (size_t)j, 1);
	}
	snw_status status = SNW_OK;
	uint32_t at = 0;
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		for (uint32_t i = 0; i < counts[c] && !snw_failed(status); i++, at++) {
			if (next < h->moment_count && at == (uint64_t)next * all / h->moment_count) {
				status = read_moment(h, c, seconds[c][i], next++, error);
			}
		}
	}
	return status;
}

/* Of the motions `a` and `b` of points with these moments. */
static double difference(const hierarchy *h, const double *moments, const double *a, const double *b) {
	double sum = 0;
	for (size_t row = 0; row < 3 * (size_t)h->moment_count; row++) {
		double d[4];
		for (size_t c = 0; c < 4; c++) {
			d[c] = b[4 * row + c] - a[4 * row + c];
		}
		for (int i = 0; i < 16; i++) {
			sum += d[i / 4] * moments[i] * d[i % 4];
		}
	}
	return sum;
}

/* ---- parents ------------------------------------------------------------------------------------------------------------- */

static const double *motion_of(const hierarchy *h, const double *motions, uint32_t index) {
	return motions + 12 * (size_t)h->moment_count * index;
}

static void find_tree(const hierarchy *h) {
	const uint32_t count = h->mesh->proxy_count;
	uint32_t *nearest = SNW_NEW_ARRAY(h->arena, uint32_t, count), next = 0;
	double *least = SNW_NEW_ARRAY(h->arena, double, count);
	bool *is_placed = SNW_NEW_ARRAY(h->arena, bool, count);
	for (uint32_t s = 0; s < count; s++) {
		nearest[s] = SNW_NONE;
		least[s] = (double)INFINITY;
		next = h->moments[16 * (size_t)s + 15] > h->moments[16 * (size_t)next + 15] ? s : next;
	}
	for (uint32_t placed = 0; placed < count; placed++) {
		is_placed[next] = true;
		h->mesh->proxy_parents[next] = nearest[next] == SNW_NONE ? SNW_NONE : h->mesh->first_joint + nearest[next];
		for (uint32_t s = 0; s < count; s++) {
			double both[16];
			for (size_t i = 0; i < 16; i++) {
				both[i] = h->moments[16 * (size_t)s + i] + h->moments[16 * (size_t)next + i];
			}
			const double cost =
				is_placed[s] ? 0 : difference(h, both, motion_of(h, h->proxies, next), motion_of(h, h->proxies, s));
			if (!is_placed[s] && cost < least[s]) {
				least[s] = cost;
				nearest[s] = next;
			}
		}
		uint32_t best = SNW_NONE;
		for (uint32_t s = 0; s < count; s++) {
			best = !is_placed[s] && (best == SNW_NONE || least[s] < least[best]) ? s : best;
		}
		next = best;
	}
}

/* A joint that moves no more like the proxy than the scene does is none to be below. */
static void find_joints(const hierarchy *h) {
	double *still = SNW_NEW_ARRAY(h->arena, double, 12 * (size_t)h->moment_count);
	for (size_t i = 0; i < h->moment_count; i++) {
		snw_mat34_identity(still + 12 * i);
	}
	for (uint32_t s = 0; s < h->mesh->proxy_count; s++) {
		double least = 0.99 * difference(h, h->moments + 16 * (size_t)s, motion_of(h, h->proxies, s), still);
		h->mesh->proxy_parents[s] = SNW_NONE;
		for (uint32_t j = 0; j < h->plan->scene->skeleton.joint_count; j++) {
			const double cost = h->is_rigid[j] ? difference(h, h->moments + 16 * (size_t)s, motion_of(h, h->proxies, s),
															motion_of(h, h->joints, j))
											   : (double)INFINITY;
			if (cost < least) {
				least = cost;
				h->mesh->proxy_parents[s] = j;
			}
		}
	}
}

/* Parents come before children. */
static void order_joints(const hierarchy *h) {
	snw_plan_rig *rig = &h->plan->rig;
	const uint32_t first = h->mesh->first_joint, count = h->mesh->proxy_count;
	bool *is_listed = SNW_NEW_ARRAY(h->arena, bool, count);
	for (uint32_t listed = 0; listed < count;) {
		for (uint32_t s = 0; s < count; s++) {
			const uint32_t parent = rig->parents[first + s];
			if (!is_listed[s] && (parent < first || is_listed[parent - first])) {
				is_listed[s] = true;
				rig->order[first + listed++] = first + s;
			}
		}
	}
}

snw_status snw_plan_group_proxies(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	const snw_export_hierarchy wanted = plan->request->hierarchy;
	if (wanted == SNW_HIERARCHY_FLAT || (wanted == SNW_HIERARCHY_SKELETON && plan->scene->slot_count == 0)) {
		return SNW_OK;
	}
	if (wanted == SNW_HIERARCHY_TREE && mesh->has_affine_proxies) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"mesh %s: its proxy joints stay below one node: they shear, which no joint below another can undo",
						mesh->mesh->name);
		return SNW_OK;
	}
	hierarchy h = {.plan = plan, .mesh = mesh, .arena = snw_arena_create()};
	const snw_status status = read_moments(&h, error);
	if (!snw_failed(status)) {
		sum_points(&h);
		mesh->proxy_parents = SNW_NEW_ARRAY(plan->arena, uint32_t, mesh->proxy_count);
		(wanted == SNW_HIERARCHY_TREE ? find_tree : find_joints)(&h);
		for (uint32_t s = 0; s < mesh->proxy_count; s++) {
			uint32_t *parent = &plan->rig.parents[mesh->first_joint + (mesh->has_affine_proxies ? 2 : 1) * s];
			*parent = mesh->proxy_parents[s] == SNW_NONE ? *parent : mesh->proxy_parents[s];
		}
		if (wanted == SNW_HIERARCHY_TREE) {
			order_joints(&h);
		}
	}
	snw_arena_destroy(h.arena);
	return status;
}
