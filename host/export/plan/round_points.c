/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rest points and morph targets as a compressed file holds them, so that what is measured is what plays. A rigid mesh is
 * rounded in the space of its joint, where it is written.
 */
#include <string.h>

#include "export/plan/grid.h"
#include "export/plan/passes.h"
#include "sinew/algebra.h"

/* Maps numbers between rest space and the space in which the mesh is written, and rounds them there. */
typedef struct point_rounding {
	double to_node[12], from_node[12];
	int exponent;
} point_rounding;

static double find_largest(const double to_node[12], uint32_t count, const double *points) {
	double largest = 0;
	for (uint32_t p = 0; p < count; p++) {
		double mapped[3];
		snw_mat34_point(to_node, points + 3 * (size_t)p, mapped);
		for (int c = 0; c < 3; c++) {
			largest = fmax(largest, fabs(mapped[c]));
		}
	}
	return largest;
}

static void round_points(const snw_plan *plan, snw_plan_mesh *mesh, const point_rounding *r) {
	double *points = SNW_NEW_ARRAY(plan->arena, double, 3 * (size_t)mesh->mesh->point_count);
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		double mapped[3];
		snw_mat34_point(r->to_node, mesh->points_rest + 3 * (size_t)p, mapped);
		for (int c = 0; c < 3; c++) {
			mapped[c] = snw_grid_round(mapped[c], r->exponent);
		}
		snw_mat34_point(r->from_node, mapped, points + 3 * (size_t)p);
	}
	mesh->points_rest = points;
}

/* As its first shape is written; the other side of a morph target has a grid of its own, which is no coarser than this one's
 * reach. */
static void round_shape(snw_plan_mesh *mesh, const snw_plan_shape *shape, const point_rounding *r) {
	const snw_plan_morph *morph = &mesh->morphs[shape->morph];
	double largest = 0;
	for (uint32_t i = 0; i < morph->count; i++) {
		double mapped[3];
		snw_mat34_vector(r->to_node, morph->vectors + 3 * (size_t)i, mapped);
		for (int c = 0; c < 3; c++) {
			largest = fmax(largest, fabs(shape->reach * mapped[c]));
		}
	}
	const int exponent = snw_grid_exponent(largest, SNW_GRID_BITS);
	for (uint32_t i = 0; i < morph->count; i++) {
		double mapped[3];
		snw_mat34_vector(r->to_node, morph->vectors + 3 * (size_t)i, mapped);
		for (int c = 0; c < 3; c++) {
			mapped[c] = snw_grid_round(shape->reach * mapped[c], exponent) / shape->reach;
		}
		snw_mat34_vector(r->from_node, mapped, morph->vectors + 3 * (size_t)i);
	}
}

void snw_plan_round_points(snw_plan *plan) {
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		point_rounding r;
		snw_mat34_identity(r.to_node);
		snw_mat34_identity(r.from_node);
		if (mesh->placement == SNW_PLAN_RIGID) {
			memcpy(r.to_node, plan->rig.slot_inverse_binds + 12 * (size_t)mesh->slot, sizeof r.to_node);
			if (!snw_mat34_invert(r.to_node, r.from_node)) {
				continue; /* refused when it is written */
			}
		}
		const double largest = find_largest(r.to_node, mesh->mesh->point_count, mesh->points_rest);
		r.exponent = snw_grid_exponent(largest, SNW_GRID_BITS);
		round_points(plan, mesh, &r);
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			if (s == 0 || mesh->shapes[s].morph != mesh->shapes[s - 1].morph) {
				round_shape(mesh, &mesh->shapes[s], &r);
			}
		}
	}
}
