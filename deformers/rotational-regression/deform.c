/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a full model: the gradients of all triangles, then the points that fit them and the learned blend best, by conjugate
 * gradients from that blend. `prepare` does it; `deform` copies its result. A reduced model blends its proxies, as the program
 * that it lowers to.
 */
#include <string.h>

#include "rotational-regression/lanes.h"
#include "rotational-regression/rotational-regression.h"
#include "rotational-regression/vectors.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* The number of groups for as many predictors. */
static inline uint32_t group_count(uint32_t predictor_count) {
	return (predictor_count + LANES - 1) / LANES;
}

/* ---- lanes --------------------------------------------------------------------------------------------------------------- */

/* Chooses what this machine can run. */

extern const lane_kernels lane_kernels_baseline;
#if defined(__x86_64__)
extern const lane_kernels lane_kernels_avx2, lane_kernels_avx512;
#endif

const lane_kernels *const *lane_kernels_available(uint32_t *count) {
#if defined(__x86_64__)
	static const lane_kernels *const all[] = {&lane_kernels_baseline, &lane_kernels_avx2, &lane_kernels_avx512};
	const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	*count = !avx2 ? 1 : !__builtin_cpu_supports("avx512f") ? 2 : 3;
#else
	static const lane_kernels *const all[] = {&lane_kernels_baseline};
	*count = 1;
#endif
	return all;
}

static const lane_kernels *fastest(void) {
	uint32_t count;
	const lane_kernels *const *all = lane_kernels_available(&count);
	return all[count - 1];
}

void pose_joints(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
				 posed_joint *posed) {
	fastest()->pose(features, count, joints, pose, posed);
}

void predict_gradients(const posed_joint *posed, const predictor_group *group, uint32_t count, double (*gradients)[9]) {
	fastest()->predict(posed, group, count, gradients);
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* Predictors as they run, and back as they are saved. */

/* Whether features of a joint are read: of the first alone where they are vectors, and never twice. */
static int is_read(const snw_model *model, const predictor *p, uint32_t k, uint32_t parent) {
	const uint32_t count = model->features == FEATURES_VECTORS && p->joint_count > 0 ? 1 : p->joint_count;
	return k == MOST_JOINTS ? parent != SNW_NONE : k < count && p->joints[k] != parent;
}

static void write_lane(const snw_model *model, const predictor *p, size_t lane, predictor_group *group) {
	const uint32_t parent = p->joint_count > 0 ? model->joints[p->joints[0]].parent : SNW_NONE;
	group->most_joints = p->joint_count > group->most_joints ? p->joint_count : group->most_joints;
	for (uint32_t k = 0; k < p->joint_count; k++) {
		group->joints[k][lane] = p->joints[k];
		group->sides[k][lane] = p->is_above[k] ? -1 : 1;
		for (int i = 0; i < 9; i++) {
			group->rotations[k][i][lane] = p->rotations[i][k];
		}
	}
	group->joints[MOST_JOINTS][lane] = parent;
	for (uint32_t k = 0; k <= MOST_JOINTS; k++) {
		for (size_t i = 0; i < 81 && is_read(model, p, k, parent); i++) {
			group->shear[k][i / 9][i % 9][lane] = p->shear[9 * k + i / 9][i % 9];
		}
	}
	for (int i = 0; i < 9; i++) {
		group->constants[i][lane] = p->shear[SHEAR_COLUMNS - 1][i];
	}
}

const predictor_group *group_predictors(const snw_model *model, uint32_t count, const predictor *predictors, snw_pool *pool) {
	predictor_group *groups = SNW_POOL_ARRAY(pool, predictor_group, group_count(count));
	for (uint32_t g = 0; groups && g < group_count(count); g++) {
		memset(groups[g].joints, 0xff, sizeof groups[g].joints); /* SNW_NONE */
		for (uint32_t lane = 0; lane < LANES && g * LANES + lane < count; lane++) {
			write_lane(model, &predictors[g * LANES + lane], lane, &groups[g]);
		}
	}
	return groups;
}

void read_predictor(const predictor_group *group, uint32_t lane, predictor *dest) {
	*dest = (predictor){.joint_count = 0};
	for (uint32_t k = 0; k < MOST_JOINTS && group->joints[k][lane] != SNW_NONE; k++) {
		dest->joints[dest->joint_count] = group->joints[k][lane];
		dest->is_above[dest->joint_count++] = group->sides[k][lane] < 0;
		for (int i = 0; i < 9; i++) {
			dest->rotations[i][k] = group->rotations[k][i][lane];
		}
	}
	for (size_t i = 0; i < (size_t)81 * (MOST_JOINTS + 1); i++) {
		dest->shear[i / 9][i % 9] = group->shear[i / 81][i / 9 % 9][i % 9][lane];
	}
	for (int i = 0; i < 9; i++) {
		dest->shear[SHEAR_COLUMNS - 1][i] = group->constants[i][lane];
	}
}

/* ---- for the fit --------------------------------------------------------------------------------------------------------- */

/* The parts of a gradient, for the fit. What runs is in lanes.c. */

void predict_rotation(const posed_joint *posed, const predictor *from, double rotation[4]) {
	lanes images[3] = {{0}}, factors[4];
	for (uint32_t k = 0; k < from->joint_count; k++) {
		const float *vector = posed[from->joints[k]].features + 9;
		for (int r = 0; r < 3; r++) {
			images[r][k] = from->rotations[3 * r][k] * vector[0] + from->rotations[3 * r + 1][k] * vector[1] +
						   from->rotations[3 * r + 2][k] * vector[2];
		}
	}
	find_exponentials(images, factors);
	for (int c = 0; c < 4; c++) {
		rotation[c] = (double)factors[c][0]; /* the identity without joints */
	}
	for (uint32_t k = 1; k < from->joint_count; k++) {
		const double factor[4] = {(double)factors[0][k], (double)factors[1][k], (double)factors[2][k], (double)factors[3][k]};
		snw_quat_multiply(from->is_above[k] ? factor : rotation, from->is_above[k] ? rotation : factor, rotation);
	}
}

void shear_features(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					float features[SHEAR_COLUMNS]) {
	const uint32_t parent = from->joint_count > 0 ? joints[from->joints[0]].parent : SNW_NONE;
	const uint32_t count = kind == FEATURES_VECTORS && from->joint_count > 0 ? 1 : from->joint_count;
	memset(features, 0, SHEAR_COLUMNS * sizeof *features);
	if (parent != SNW_NONE) {
		memcpy(features + 9 * (size_t)MOST_JOINTS, posed[parent].features, 9 * sizeof *features);
	}
	for (uint32_t k = 0; k < count; k++) {
		if (from->joints[k] != parent) {
			memcpy(features + 9 * (size_t)k, posed[from->joints[k]].features, 9 * sizeof *features);
		}
	}
	features[SHEAR_COLUMNS - 1] = 1;
}

/* ---- coefficients -------------------------------------------------------------------------------------------------------- */

/* Driving: z of a reduced model: the columns of all key gradients, then the four columns of each of the character's slots.
 * Lowering: linear blend over the proxies. A full model is refused, with the reason. */

void number_predictors(snw_model *model) {
	model->predictor_count = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		model->meshes[m].first_predictor = model->predictor_count;
		model->predictor_count += model->meshes[m].predictor_count;
	}
}

void write_key_gradients(const regressed_mesh *mesh, const posed_joint *posed, double *z) {
	for (uint32_t k = 0; k < mesh->predictor_count; k += LANES) {
		const uint32_t count = mesh->predictor_count - k;
		predict_gradients(posed, &mesh->groups[k / LANES], count < LANES ? count : LANES, (double(*)[9])(z + 9 * (size_t)k));
	}
}

void write_slot_columns(uint32_t count, const double *palette, double *z) {
	for (size_t s = 0; s < count; s++, z += 12) {
		const double *m = palette + 12 * s;
#pragma GCC unroll 12
		for (size_t i = 0; i < 12; i++) {
			z[i] = m[4 * (i % 3) + i / 3];
		}
	}
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_pose_view *pose = call->pose;
	if (pose->joint_count != model->joint_count || pose->slot_count != model->slot_count) {
		return SNW_ERROR_ARGUMENT;
	}
	if (!model->is_reduced) {
		return SNW_OK;
	}
	posed_joint *posed = call->scratch;
	double *z = call->output->z;
	pose_joints(model->features, model->joint_count, model->joints, pose, posed);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		write_key_gradients(&model->meshes[m], posed, z + 9 * (size_t)model->meshes[m].first_predictor);
	}
	write_slot_columns(model->slot_count, pose->palette, z + 9 * (size_t)model->predictor_count);
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	if (!model->is_reduced) {
		*call->reason =
			"with proxies=0 all points follow together from one system of equations; with proxies they lower to a blend";
		return SNW_ERROR_UNSUPPORTED;
	}
	const regressed_mesh *mesh = &model->meshes[call->mesh];
	snw_program_part part = {.size = sizeof part, .blend = SNW_BLEND_NONE};
	if (mesh->proxies.offsets) {
		part.blend = SNW_BLEND_LINEAR;
		part.palette = SNW_PALETTE_COMBINED;
		part.slot_count = mesh->slot_count;
		part.influence_offsets = mesh->proxies.offsets;
		part.influence_slots = mesh->proxies.slots;
		part.influence_weights = mesh->proxies.weights;
		part.combined_count = mesh->rows.column_count;
		part.combined_rows = &mesh->rows;
	} else if (mesh->skin.offsets) {
		part.blend = SNW_BLEND_LINEAR;
		part.palette = SNW_PALETTE_JOINTS;
		part.influence_offsets = mesh->skin.offsets;
		part.influence_slots = mesh->skin.slots;
		part.influence_weights = mesh->skin.weights;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

enum { MOST_STEPS = 2000 };
static const double tolerance = 1e-5;

/* [point_count][3] each, in the prepared memory; the solution first. */
typedef struct poisson {
	const regressed_mesh *mesh;
	double *solution, *residual, *direction, *product;
	double *diagonal; /* [point_count] */
} poisson;

enum { VECTORS = 4 };

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	size_t most = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const regressed_mesh *mesh = &model->meshes[m];
		const size_t numbers =
			model->is_reduced ? 12 * (size_t)mesh->slot_count : (3 * (size_t)VECTORS + 1) * mesh->skin.point_count;
		most = numbers > most ? numbers : most;
	}
	SNW_PUT(layout, snw_model_layout, .z_count = model->is_reduced ? 9 * model->predictor_count + 12 * model->slot_count : 0,
			.scratch_bytes = model->joint_count * sizeof(posed_joint), .prepared_bytes = most * sizeof(double));
}

void combine_palette(const snw_sparse_rows *rows, const double *z, double *palette) {
	memset(palette, 0, 3 * (size_t)rows->row_count * sizeof *palette);
	for (size_t r = 0; r < rows->row_count; r++) {
		for (uint32_t k = rows->offsets[r]; k < rows->offsets[r + 1]; k++) {
			for (size_t c = 0; c < 3; c++) {
				palette[12 * (r / 4) + 4 * c + r % 4] += rows->values[k] * z[3 * (size_t)rows->columns[k] + c];
			}
		}
	}
}

void blend_points(const snk_base_skin_mesh *skin, const double *palette, const double *points, uint32_t begin, uint32_t end,
				  double *dest) {
	for (uint32_t i = begin; i < end; i++) {
		snk_blend_point(skin->offsets, skin->slots, skin->weights, palette, i, points + 3 * (size_t)i, dest + 3 * (size_t)i);
	}
}

/* residual = right side: the sums of what the gradients make of the edges, and the pull toward the solution as it is. */
static void sum_right(const snw_deform_call *call, const posed_joint *posed, const poisson *p) {
	const regressed_mesh *mesh = p->mesh;
	for (size_t i = 0; i < mesh->skin.point_count; i++) {
		p->diagonal[i] = mesh->pulls[i];
		for (size_t c = 0; c < 3; c++) {
			p->residual[3 * i + c] = mesh->pulls[i] * p->solution[3 * i + c];
		}
	}
	double gradients[LANES][9];
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *corners = mesh->triangles + 3 * t;
		const double *gradient = gradients[t % LANES];
		if (t % LANES == 0) {
			predict_gradients(posed, &mesh->groups[t / LANES], LANES, gradients);
		}
		for (size_t e = 0; e < 3; e++) {
			const uint32_t a = corners[e], b = corners[(e + 1) % 3];
			const double weight = mesh->weights[3 * t + e];
			double edge[3];
			for (size_t c = 0; c < 3; c++) {
				edge[c] = call->points_below[3 * (size_t)b + c] - call->points_below[3 * (size_t)a + c];
			}
			for (size_t c = 0; c < 3; c++) {
				const double image = weight * (gradient[c] * edge[0] + gradient[3 + c] * edge[1] + gradient[6 + c] * edge[2]);
				p->residual[3 * (size_t)b + c] += image;
				p->residual[3 * (size_t)a + c] -= image;
			}
			p->diagonal[a] += weight;
			p->diagonal[b] += weight;
		}
	}
}

/* dest = system · x; 0 at fixed points. */
static void multiply(const poisson *p, const double *x, double *dest) {
	const regressed_mesh *mesh = p->mesh;
	for (size_t i = 0; i < 3 * (size_t)mesh->skin.point_count; i++) {
		dest[i] = mesh->pulls[i / 3] * x[i];
	}
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *corners = mesh->triangles + 3 * t;
		for (size_t e = 0; e < 3; e++) {
			const size_t a = 3 * (size_t)corners[e], b = 3 * (size_t)corners[(e + 1) % 3];
			const double weight = mesh->weights[3 * t + e];
			for (size_t c = 0; weight > 0 && c < 3; c++) {
				const double difference = weight * (x[b + c] - x[a + c]);
				dest[b + c] += difference;
				dest[a + c] -= difference;
			}
		}
	}
	for (size_t i = 0; i < mesh->skin.point_count; i++) {
		if (mesh->is_fixed[i]) {
			memset(dest + 3 * i, 0, 3 * sizeof *dest);
		}
	}
}

/* The next direction: the preconditioned residual plus `share` of the one before. */
static void next_direction(const poisson *p, double share) {
	for (size_t i = 0; i < p->mesh->skin.point_count; i++) {
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			p->direction[c] = (p->diagonal[i] > 0 ? p->residual[c] / p->diagonal[i] : 0) + share * p->direction[c];
		}
	}
}

/* The length of the residual, preconditioned. */
static double squared_residual(const poisson *p) {
	double sum = 0;
	for (size_t i = 0; i < p->mesh->skin.point_count; i++) {
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			sum += p->diagonal[i] > 0 ? p->residual[c] * p->residual[c] / p->diagonal[i] : 0;
		}
	}
	return sum;
}

static void solve(const poisson *p) {
	const size_t numbers = 3 * (size_t)p->mesh->skin.point_count;
	multiply(p, p->solution, p->product);
	for (size_t i = 0; i < numbers; i++) {
		p->residual[i] = p->mesh->is_fixed[i / 3] ? 0 : p->residual[i] - p->product[i];
		p->direction[i] = 0;
	}
	double error = squared_residual(p), share = 0;
	const double enough = tolerance * tolerance * error;
	for (int step = 0; step < MOST_STEPS && error > enough; step++) {
		next_direction(p, share);
		multiply(p, p->direction, p->product);
		double along = 0;
		for (size_t i = 0; i < numbers; i++) {
			along += p->direction[i] * p->product[i];
		}
		if (!(along > 0)) {
			return;
		}
		const double length = error / along, before = error;
		for (size_t i = 0; i < numbers; i++) {
			p->solution[i] += length * p->direction[i];
			p->residual[i] -= length * p->product[i];
		}
		error = squared_residual(p);
		share = error / before;
	}
}

static void solve_mesh(const snw_deform_call *call, const regressed_mesh *mesh) {
	const snw_model *model = call->model;
	const size_t numbers = 3 * (size_t)mesh->skin.point_count;
	double *memory = call->prepared;
	const poisson p = {.mesh = mesh,
					   .solution = memory,
					   .residual = memory + numbers,
					   .direction = memory + 2 * numbers,
					   .product = memory + 3 * numbers,
					   .diagonal = memory + VECTORS * numbers};
	blend_points(&mesh->skin, call->pose->palette, call->points_below, 0, mesh->skin.point_count, p.solution);
	if (mesh->predictor_count > 0) {
		pose_joints(model->features, model->joint_count, model->joints, call->pose, call->scratch);
		sum_right(call, call->scratch, &p);
		solve(&p);
	}
}

snw_status SNW_CALL prepare(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->pose->joint_count != model->joint_count ||
		call->pose->slot_count != model->slot_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const regressed_mesh *mesh = &model->meshes[call->mesh];
	if (!model->is_reduced) {
		solve_mesh(call, mesh);
	} else if (mesh->proxies.offsets) {
		combine_palette(&mesh->rows, call->driven->z, call->prepared);
	}
	return SNW_OK;
}

snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->end > model->meshes[call->mesh].skin.point_count || call->begin > call->end) {
		return SNW_ERROR_ARGUMENT;
	}
	const regressed_mesh *mesh = &model->meshes[call->mesh];
	if (!model->is_reduced) {
		const double *solution = call->prepared;
		memcpy(call->points_out + 3 * (size_t)call->begin, solution + 3 * (size_t)call->begin,
			   3 * (size_t)(call->end - call->begin) * sizeof *solution);
	} else if (mesh->proxies.offsets) {
		blend_points(&mesh->proxies, call->prepared, call->points_below, call->begin, call->end, call->points_out);
	} else {
		blend_points(&mesh->skin, call->pose->palette, call->points_below, call->begin, call->end, call->points_out);
	}
	return SNW_OK;
}
