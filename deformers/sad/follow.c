/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the model has no frames of a mesh it moves as the rig's skin does, as near as its own weights come to that. (The paper
 * plays one animation; a rig below it is not its subject.)
 *
 * The skin of the rig is v_i = Σ_s u_is P_s r̂_i, with its weights u, its slots' matrices P and r̂ = (r, 1). It is linear
 * in P, and so is what fits it best: T_j = Σ_s P_s E_js, where the 4×4 matrices E minimise
 * Σ_is ‖u_is r̂_i − Σ_j w_ij E_js r̂_i‖² over the points. They depend on the rest alone. Each step takes what is left at the
 * points to the slots that move them, weighted, in the moments of each slot: as the weights of a point sum to 1, no step makes
 * the sum larger (the simultaneous algebraic reconstruction technique, A. Andersen, A. Kak, 1984).
 */
#include <math.h>
#include <string.h>

#include "sad/sad.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

enum { STEPS = 12 };
static const double ridge = 1e-6; /* of a slot's moments: it holds what points in a plane or on a line do not determine */

/* ---- which slots --------------------------------------------------------------------------------------------------------- */

static uint32_t count_rig_slots(const snw_mesh_view *view) {
	uint32_t count = 0;
	for (uint32_t k = 0; k < view->influence_offsets[view->point_count]; k++) {
		count = view->influence_slots[k] >= count ? view->influence_slots[k] + 1 : count;
	}
	return count;
}

/* The points of each slot. */
typedef struct slot_points {
	uint32_t *offsets;             /* [slot_count + 1] */
	uint32_t *points, *influences; /* [offsets[slot_count]]: and the place of the weight */
} slot_points;

static snw_status list_points(snw_pool *scratch, const sad_mesh *mesh, slot_points *list) {
	const uint32_t count = mesh->offsets[mesh->point_count];
	list->offsets = SNW_POOL_ARRAY(scratch, uint32_t, mesh->slot_count + 2);
	list->points = SNW_POOL_ARRAY(scratch, uint32_t, count);
	list->influences = SNW_POOL_ARRAY(scratch, uint32_t, count);
	if (scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < count; k++) {
		list->offsets[mesh->slots[k] - mesh->first_slot + 2]++;
	}
	for (uint32_t j = 2; j <= mesh->slot_count; j++) {
		list->offsets[j] += list->offsets[j - 1];
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = mesh->offsets[i]; k < mesh->offsets[i + 1]; k++) {
			const uint32_t at = list->offsets[mesh->slots[k] - mesh->first_slot + 1]++;
			list->points[at] = i;
			list->influences[at] = k;
		}
	}
	return SNW_OK;
}

/* The rig's slots that move a slot's points, in the order of the points; the number of them. NULL `dest`: counts alone. */
static uint32_t find_shared(const snw_mesh_view *view, const slot_points *list, uint32_t slot, uint32_t *seen, uint32_t *dest) {
	uint32_t count = 0;
	for (uint32_t p = list->offsets[slot]; p < list->offsets[slot + 1]; p++) {
		const uint32_t i = list->points[p];
		for (uint32_t l = view->influence_offsets[i]; l < view->influence_offsets[i + 1]; l++) {
			const uint32_t rig = view->influence_slots[l];
			if (seen[rig] != slot + 1) {
				seen[rig] = slot + 1;
				if (dest) {
					dest[count] = rig;
				}
				count++;
			}
		}
	}
	return count;
}

static snw_status list_followed(snw_pool *pool, snw_pool *scratch, const snw_mesh_view *view, const slot_points *list,
								sad_mesh *mesh) {
	const uint32_t rig_slots = count_rig_slots(view);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, mesh->slot_count + 1);
	uint32_t *seen = SNW_POOL_ARRAY(scratch, uint32_t, rig_slots), *seen_again = SNW_POOL_ARRAY(scratch, uint32_t, rig_slots);
	if (pool->failed || scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < mesh->slot_count; j++) {
		offsets[j + 1] = offsets[j] + find_shared(view, list, j, seen, NULL);
	}
	uint32_t *followed = SNW_POOL_ARRAY(pool, uint32_t, offsets[mesh->slot_count]);
	for (uint32_t j = 0; !pool->failed && j < mesh->slot_count; j++) {
		(void)find_shared(view, list, j, seen_again, followed + offsets[j]);
	}
	mesh->follow_offsets = offsets;
	mesh->follow_slots = followed;
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- the matrices -------------------------------------------------------------------------------------------------------- */

/* The fit of one mesh. Matrices take (r − centre, 1) of their slot to (v, 1). */
typedef struct follow_fit {
	const snw_mesh_view *view;
	const sad_mesh *mesh;
	uint32_t rig_slots;
	double *factors;  /* [slot_count][16]: of the moments */
	double *matrices; /* [followed][16] */
	double *means;    /* [followed]: the mean weight of the rig's slot at the points of the slot */
	double *left;     /* [rig_slots][4]: at one point */
	double *sums;     /* [followed][16]: of a step */
} follow_fit;

static void place_at(const follow_fit *f, uint32_t point, uint32_t slot, double place[4]) {
	for (size_t c = 0; c < 3; c++) {
		place[c] = f->view->points_rest[3 * (size_t)point + c] - f->mesh->centres[3 * (size_t)slot + c];
	}
	place[3] = 1;
}

static void add_outer(double weight, const double a[4], const double b[4], double matrix[16]) {
	for (int r = 0; r < 4; r++) {
		for (int c = 0; c < 4; c++) {
			matrix[4 * r + c] += weight * a[r] * b[c];
		}
	}
}

static uint32_t find_followed_place(const sad_mesh *mesh, uint32_t slot, uint32_t rig) {
	uint32_t at = mesh->follow_offsets[slot];
	while (mesh->follow_slots[at] != rig) {
		at++;
	}
	return at;
}

/* The slots' moments, and for each pair the mean weight of the rig's slot, as a matrix of translation: what all begin with. */
static void begin_matrices(const follow_fit *f) {
	const snw_mesh_view *view = f->view;
	for (uint32_t i = 0; i < view->point_count; i++) {
		for (uint32_t k = f->mesh->offsets[i]; k < f->mesh->offsets[i + 1]; k++) {
			const uint32_t j = f->mesh->slots[k] - f->mesh->first_slot;
			double place[4];
			place_at(f, i, j, place);
			add_outer(f->mesh->weights[k], place, place, f->factors + 16 * (size_t)j);
			for (uint32_t l = view->influence_offsets[i]; l < view->influence_offsets[i + 1]; l++) {
				f->matrices[16 * (size_t)find_followed_place(f->mesh, j, view->influence_slots[l]) + 15] +=
					f->mesh->weights[k] * view->influence_weights[l];
			}
		}
	}
	for (uint32_t j = 0; j < f->mesh->slot_count; j++) {
		double *factor = f->factors + 16 * (size_t)j;
		const double weight = factor[15], held = ridge * (factor[0] + factor[5] + factor[10]) + 1e-30;
		for (uint32_t p = f->mesh->follow_offsets[j]; p < f->mesh->follow_offsets[j + 1]; p++) {
			double *matrix = f->matrices + 16 * (size_t)p;
			const double mean = weight > 0 ? matrix[15] / weight : 0;
			f->means[p] = mean;
			for (size_t c = 0; c < 3; c++) {
				matrix[5 * c] = mean;
				matrix[4 * c + 3] = mean * f->mesh->centres[3 * (size_t)j + c];
			}
			matrix[15] = mean;
		}
		for (size_t c = 0; c < 4; c++) {
			factor[5 * c] += c < 3 ? held : weight > 0 ? 0 : 1;
		}
		snk_cholesky_factor(4, factor);
	}
}

/* What is left of the rig's skin at a point, for each of the rig's slots. */
static void find_left(const follow_fit *f, uint32_t i) {
	const snw_mesh_view *view = f->view;
	memset(f->left, 0, 4 * (size_t)f->rig_slots * sizeof *f->left);
	for (uint32_t l = view->influence_offsets[i]; l < view->influence_offsets[i + 1]; l++) {
		double *left = f->left + 4 * (size_t)view->influence_slots[l];
		for (size_t c = 0; c < 4; c++) {
			left[c] += view->influence_weights[l] * (c < 3 ? view->points_rest[3 * (size_t)i + c] : 1);
		}
	}
	for (uint32_t k = f->mesh->offsets[i]; k < f->mesh->offsets[i + 1]; k++) {
		const uint32_t j = f->mesh->slots[k] - f->mesh->first_slot;
		double place[4];
		place_at(f, i, j, place);
		for (uint32_t p = f->mesh->follow_offsets[j]; p < f->mesh->follow_offsets[j + 1]; p++) {
			const double *matrix = f->matrices + 16 * (size_t)p;
			double *left = f->left + 4 * (size_t)f->mesh->follow_slots[p];
			for (size_t r = 0; r < 4; r++) {
				for (size_t c = 0; c < 4; c++) {
					left[r] -= f->mesh->weights[k] * matrix[4 * r + c] * place[c];
				}
			}
		}
	}
}

/* Where the rig stands at rest the slots do, exactly: the matrices of a slot together take (r − centre, 1) to (r, 1). */
static void keep_rest(const follow_fit *f, uint32_t slot) {
	double missing[16] = {0};
	for (size_t c = 0; c < 4; c++) {
		missing[5 * c] = 1;
		missing[4 * c + 3] = c < 3 ? f->mesh->centres[3 * (size_t)slot + c] : 1;
	}
	for (uint32_t p = f->mesh->follow_offsets[slot]; p < f->mesh->follow_offsets[slot + 1]; p++) {
		for (size_t e = 0; e < 16; e++) {
			missing[e] -= f->matrices[16 * (size_t)p + e];
		}
	}
	for (uint32_t p = f->mesh->follow_offsets[slot]; p < f->mesh->follow_offsets[slot + 1]; p++) {
		for (size_t e = 0; e < 16; e++) {
			f->matrices[16 * (size_t)p + e] += f->means[p] * missing[e];
		}
	}
}

static void take_step(const follow_fit *f) {
	const uint32_t followed = f->mesh->follow_offsets[f->mesh->slot_count];
	memset(f->sums, 0, 16 * (size_t)followed * sizeof *f->sums);
	for (uint32_t i = 0; i < f->view->point_count; i++) {
		find_left(f, i);
		for (uint32_t k = f->mesh->offsets[i]; k < f->mesh->offsets[i + 1]; k++) {
			const uint32_t j = f->mesh->slots[k] - f->mesh->first_slot;
			double place[4];
			place_at(f, i, j, place);
			for (uint32_t p = f->mesh->follow_offsets[j]; p < f->mesh->follow_offsets[j + 1]; p++) {
				add_outer(f->mesh->weights[k], place, f->left + 4 * (size_t)f->mesh->follow_slots[p],
						  f->sums + 16 * (size_t)p); /* transposed: its columns are right-hand sides */
			}
		}
	}
	for (uint32_t j = 0; j < f->mesh->slot_count; j++) {
		for (uint32_t p = f->mesh->follow_offsets[j]; p < f->mesh->follow_offsets[j + 1]; p++) {
			double *sums = f->sums + 16 * (size_t)p, *matrix = f->matrices + 16 * (size_t)p;
			snk_cholesky_solve(4, f->factors + 16 * (size_t)j, 4, sums);
			for (int e = 0; e < 16; e++) {
				matrix[e] += sums[4 * (e % 4) + e / 4];
			}
		}
		keep_rest(f, j);
	}
}

/* The joints of the rig with its own weights: each follows itself. */
static int is_rig_itself(const snw_mesh_view *view, const sad_mesh *mesh) {
	const uint32_t count = mesh->offsets[mesh->point_count];
	int is = count == view->influence_offsets[view->point_count];
	for (uint32_t i = 0; is && i < mesh->point_count; i++) {
		is = mesh->offsets[i] == view->influence_offsets[i];
	}
	for (uint32_t k = 0; is && k < count; k++) {
		is = mesh->slots[k] - mesh->first_slot == view->influence_slots[k];
	}
	return is;
}

static void follow_itself(const follow_fit *f) {
	for (uint32_t j = 0; j < f->mesh->slot_count; j++) {
		for (uint32_t p = f->mesh->follow_offsets[j]; p < f->mesh->follow_offsets[j + 1]; p++) {
			double *matrix = f->matrices + 16 * (size_t)p;
			for (size_t c = 0; c < 4 && f->mesh->follow_slots[p] == j; c++) {
				matrix[5 * c] = 1;
				matrix[4 * c + 3] = c < 3 ? f->mesh->centres[3 * (size_t)j + c] : 1;
			}
		}
	}
}

/* ---- signs --------------------------------------------------------------------------------------------------------------- */

/* For each slot the earlier one that it shares most with, whose dual quaternion gives its own the sign. */
static snw_status find_sign_slots(snw_pool *pool, snw_pool *scratch, const slot_points *list, sad_mesh *mesh) {
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, mesh->slot_count);
	double *shared = SNW_POOL_ARRAY(scratch, double, mesh->slot_count);
	if (pool->failed || scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < mesh->slot_count; j++) {
		double most = 0;
		for (int clears = 0; clears < 2; clears++) {
			for (uint32_t p = list->offsets[j]; p < list->offsets[j + 1]; p++) {
				for (uint32_t k = mesh->offsets[list->points[p]]; k < mesh->offsets[list->points[p] + 1]; k++) {
					const uint32_t other = mesh->slots[k] - mesh->first_slot;
					shared[other] = clears ? 0 : shared[other] + mesh->weights[list->influences[p]] * mesh->weights[k];
					if (other < j && shared[other] > most) {
						most = shared[other];
						slots[j] = other;
					}
				}
			}
		}
	}
	mesh->sign_slots = slots;
	return SNW_OK;
}

/* ---- a mesh -------------------------------------------------------------------------------------------------------------- */

snw_status sad_follow_rig(snw_pool *pool, const snw_mesh_view *view, sad_mesh *mesh) {
	mesh->follow_offsets = NULL;
	if (!view->influence_offsets || mesh->slot_count == 0) {
		return SNW_OK;
	}
	snw_pool scratch = snw_pool_open(pool->host);
	slot_points list;
	follow_fit f = {.view = view, .mesh = mesh, .rig_slots = count_rig_slots(view)};
	snw_status status = list_points(&scratch, mesh, &list);
	status = snk_failed(status) ? status : list_followed(pool, &scratch, view, &list, mesh);
	status = snk_failed(status) ? status : find_sign_slots(pool, &scratch, &list, mesh);
	const uint32_t followed = snk_failed(status) ? 0 : mesh->follow_offsets[mesh->slot_count];
	f.factors = SNW_POOL_ARRAY(&scratch, double, 16 * (size_t)mesh->slot_count);
	f.left = SNW_POOL_ARRAY(&scratch, double, 4 * (size_t)f.rig_slots);
	f.sums = SNW_POOL_ARRAY(&scratch, double, 16 * (size_t)followed);
	f.means = SNW_POOL_ARRAY(&scratch, double, followed);
	f.matrices = SNW_POOL_ARRAY(pool, double, 16 * (size_t)followed);
	status = snk_failed(status) || scratch.failed || pool->failed ? SNW_ERROR_MEMORY : status;
	if (!snk_failed(status) && is_rig_itself(view, mesh)) {
		follow_itself(&f);
	} else if (!snk_failed(status)) {
		begin_matrices(&f);
		for (int step = 0; step < STEPS; step++) {
			take_step(&f);
		}
	}
	mesh->follow_matrices = f.matrices;
	snw_pool_release(&scratch);
	return status;
}

/* ---- a pose -------------------------------------------------------------------------------------------------------------- */

static void find_followed(const sad_mesh *mesh, uint32_t slot, const snw_pose_view *pose, double dest[12]) {
	memset(dest, 0, 12 * sizeof *dest);
	for (uint32_t p = mesh->follow_offsets[slot]; p < mesh->follow_offsets[slot + 1]; p++) {
		const double *rig = pose->palette + 12 * (size_t)mesh->follow_slots[p],
					 *matrix = mesh->follow_matrices + 16 * (size_t)p;
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 4; c++) {
				dest[4 * r + c] += rig[4 * r] * matrix[c] + rig[4 * r + 1] * matrix[4 + c] + rig[4 * r + 2] * matrix[8 + c] +
								   rig[4 * r + 3] * matrix[12 + c];
			}
		}
	}
}

/* The rotation, and with it the dual quaternion that takes the slot's centre to its place. */
static void write_dual_quaternion(const double q[4], const double centre[3], const double place[3], double z[8]) {
	double rotation[12], rotated[3], translation[4] = {0}, product[4];
	snw_quat_to_mat34(q, rotation);
	snw_mat34_vector(rotation, centre, rotated);
	for (int c = 0; c < 3; c++) {
		translation[c] = place[c] - rotated[c];
	}
	snw_quat_multiply(translation, q, product);
	for (int c = 0; c < 4; c++) {
		z[c] = q[c];
		z[4 + c] = product[c] / 2;
	}
}

/* Of the matrix on (r − centre, 1), on (r, 1). */
static void write_matrix(const double matrix[12], const double centre[3], double z[12]) {
	memcpy(z, matrix, 12 * sizeof *z);
	for (int r = 0; r < 3; r++) {
		z[4 * r + 3] -= snw_dot3(matrix + 4 * r, centre);
	}
}

static void find_rotation(const double matrix[12], double rotation[9], double q[4]) {
	double linear[9], whole[12] = {0};
	for (int r = 0; r < 3; r++) {
		memcpy(linear + 3 * r, matrix + 4 * r, 3 * sizeof *linear);
	}
	snk_nearest_rotation(linear, rotation);
	for (int i = 0; i < 9; i++) {
		whole[4 * (i / 3) + i % 3] = rotation[i];
	}
	snw_quat_from_mat34(whole, q);
}

void sad_follow(const snw_model *model, const sad_mesh *mesh, const snw_pose_view *pose, double *z) {
	const size_t width = model->width, normal_width = mesh->normals_rest ? model->normal_width : 0;
	double *palette = z + mesh->first_slot * width;
	double *normals = z + model->slot_count * width + mesh->first_slot * normal_width;
	for (uint32_t j = 0; j < mesh->slot_count; j++) {
		const double *centre = mesh->centres + 3 * (size_t)j;
		double matrix[12], rotation[9], q[4];
		find_followed(mesh, j, pose, matrix);
		if (width == 12) {
			write_matrix(matrix, centre, palette + width * j);
		}
		if (width == 12 && normal_width == 0) {
			continue;
		}
		const double place[3] = {matrix[3], matrix[7], matrix[11]};
		find_rotation(matrix, rotation, q);
		const double *other = width == 8 ? palette + width * mesh->sign_slots[j] : normals + normal_width * mesh->sign_slots[j];
		const int is_against = j > 0 && (width == 8 || normal_width == 4) && snw_quat_dot(q, other) < 0;
		for (int c = 0; c < 4; c++) {
			q[c] = is_against ? -q[c] : q[c];
		}
		if (width == 8) {
			write_dual_quaternion(q, centre, place, palette + width * j);
		}
		if (normal_width > 0) {
			memcpy(normals + normal_width * j, normal_width == 4 ? q : rotation, normal_width * sizeof *normals);
		}
	}
}
