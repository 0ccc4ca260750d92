/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Posing the clusters: the equations of bounds.h in interval arithmetic.
 */
#include "program/bounds/bounds.h"

#include <string.h>

#include "program/bounds/bounds_internal.h"
#include "sinew/algebra.h"

#define LEAST_STRETCH 1e-13 /* the rounding of a palette; a smaller stretch moves no point */
#define LEAST_NORM 1e-6     /* of g, squared: below it dual quaternions cancel */

/* A slot at a pose. */
typedef struct posed_slot {
	double matrix[12]; /* for dual quaternions the rigid part */
	double real[4];    /* for the sign rule */
	double rotation[4], length;
	double scalar;     /* the scalar part of X_s if the dual part is not perpendicular to the real one */
	double stretch[9]; /* minus the identity */
	bool stretches;
} posed_slot;

struct snw_program_bounds_scratch {
	posed_slot *slots;         /* [slot_count] */
	snw_interval (*shifts)[3]; /* [cluster_count]: what rest displacements add */
};

snw_program_bounds_scratch *snw_program_bounds_scratch_make(const snw_program_bounds *bounds, snw_arena *arena) {
	snw_program_bounds_scratch *scratch = SNW_NEW(arena, snw_program_bounds_scratch);
	scratch->slots = SNW_NEW_ARRAY(arena, posed_slot, bounds->slot_count);
	scratch->shifts = snw_arena_array(arena, bounds->cluster_count, sizeof *scratch->shifts);
	return scratch;
}

/* ---- slots -------------------------------------------------------------------------------------------------------- */

/* An eight-float dual quaternion as a rotation, a translation, a length and a scalar. */
static void take_dual_quaternion(const double q[8], posed_slot *slot) {
	const double *real = q, *dual = q + 4;
	double rotated[3];
	memcpy(slot->real, real, sizeof slot->real);
	memcpy(slot->rotation, real, sizeof slot->rotation);
	slot->length = sqrt(snw_quat_dot(real, real));
	snw_quat_normalize(slot->rotation);
	snw_quat_to_mat34(slot->rotation, slot->matrix);
	const double scale = slot->length > 0 ? 2 / (slot->length * slot->length) : 0;
	snw_cross3(real, dual, rotated);
	for (int r = 0; r < 3; r++) {
		slot->matrix[4 * r + 3] = scale * (real[3] * dual[r] - dual[3] * real[r] + rotated[r]);
	}
	slot->scalar = scale * snw_quat_dot(real, dual);
}

static void take_slot(const snw_program_bounds *bounds, const snw_program_input *input, uint32_t index, posed_slot *slot) {
	slot->stretches = false;
	if (bounds->blend != SNW_BLEND_DUAL_QUATERNION) {
		memcpy(slot->matrix, input->matrices + 12 * (size_t)index, sizeof slot->matrix);
		return;
	}
	if (bounds->dual_quaternion_palette) {
		take_dual_quaternion(input->dual_quaternions + 8 * (size_t)index, slot);
		return;
	}
	double q[8];
	snw_dual_quaternion_from_mat34(input->matrices + 12 * (size_t)index, q, slot->stretch);
	take_dual_quaternion(q, slot);
	slot->length = 1;
	slot->scalar = 0;
	for (int c = 0; c < 9; c++) {
		slot->stretch[c] -= c % 4 == 0;
		slot->stretches = slot->stretches || fabs(slot->stretch[c]) > LEAST_STRETCH;
	}
}

/* ---- a cluster ------------------------------------------------------------------------------------------------------ */

/* One cluster at a pose. */
typedef struct posed_cluster {
	const point_cluster *cluster;
	const slot_reach *reaches; /* the cluster's */
	uint32_t reach_count;
	const posed_slot *slots;
	snw_interval shift[3]; /* what is added to the rest before the rigid part of the blend */
} posed_cluster;

/* Adds Σ_s w_s (S_s − I)(x + shift): a joint's scale is blended linearly and acts on the rest first. */
static void add_stretch(posed_cluster *posed) {
	snw_interval added[3] = {{0, 0}, {0, 0}, {0, 0}};
	for (uint32_t i = 0; i < posed->reach_count; i++) {
		const slot_reach *reach = &posed->reaches[i];
		const posed_slot *slot = &posed->slots[reach->slot];
		for (size_t c = 0; c < 3 && slot->stretches; c++) {
			const double *row = slot->stretch + 3 * c;
			snw_interval_add(&added[c], snw_interval_times(snw_dot3(row, posed->cluster->middle), reach->weight));
			snw_interval_add(&added[c], snw_interval_dot3(row, reach->pulled));
			snw_interval_add(&added[c], snw_interval_product(reach->weight, snw_interval_dot3(row, posed->shift)));
		}
	}
	for (int c = 0; c < 3; c++) {
		snw_interval_add(&posed->shift[c], added[c]);
	}
}

/* (T_s − T_p) p_s, shifts included. */
static void find_pull(const posed_cluster *posed, const slot_reach *reach, snw_interval pull[3]) {
	const double *of = posed->slots[reach->slot].matrix, *from = posed->slots[posed->reaches[0].slot].matrix;
	for (size_t r = 0; r < 3; r++) {
		double row[4];
		for (size_t c = 0; c < 4; c++) {
			row[c] = of[4 * r + c] - from[4 * r + c];
		}
		pull[r] = snw_interval_times(snw_dot3(row, posed->cluster->middle) + row[3], reach->weight);
		snw_interval_add(&pull[r], snw_interval_dot3(row, reach->pulled));
		snw_interval_add(&pull[r], snw_interval_product(reach->weight, snw_interval_dot3(row, posed->shift)));
	}
}

/* Of points without slots. */
static void pose_still(const posed_cluster *posed, bool is_kept, snw_interval box[3]) {
	for (int c = 0; c < 3; c++) {
		box[c] = (snw_interval){posed->cluster->middle[c], posed->cluster->middle[c]};
		snw_interval_add(&box[c], posed->cluster->offset[c]);
		snw_interval_add(&box[c], posed->shift[c]);
		box[c] = is_kept ? box[c] : (snw_interval){0, 0}; /* an empty sum */
	}
}

static void pose_affine(const posed_cluster *posed, snw_interval box[3]) {
	const double *matrix = posed->slots[posed->reaches[0].slot].matrix;
	for (size_t r = 0; r < 3; r++) {
		const double *row = matrix + 4 * r;
		box[r] = snw_interval_times(snw_dot3(row, posed->cluster->middle) + row[3], posed->cluster->weight_sum);
		snw_interval_add(&box[r], snw_interval_dot3(row, posed->cluster->pulled_sum));
		snw_interval_add(&box[r], snw_interval_product(posed->cluster->weight_sum, snw_interval_dot3(row, posed->shift)));
	}
	for (uint32_t i = 1; i < posed->reach_count; i++) {
		snw_interval pull[3];
		find_pull(posed, &posed->reaches[i], pull);
		for (int c = 0; c < 3; c++) {
			snw_interval_add(&box[c], pull[c]);
		}
	}
}

/* ---- dual quaternions --------------------------------------------------------------------------------------------- */

/* u_s, with the sign under which the slot blends. */
static void relative_rotation(const posed_slot *slot, const posed_slot *pivot, int32_t sign_rule, double u[4]) {
	double back[4];
	snw_quat_conjugate(pivot->rotation, back);
	snw_quat_multiply(slot->rotation, back, u);
	const double sign = sign_rule == SNW_SIGN_AS_GIVEN ? 1 : snw_dual_quaternion_sign(slot->real, pivot->real);
	for (int c = 0; c < 4; c++) {
		u[c] *= sign;
	}
}

/* g. Its real part is taken from the weights' sum too: they rise and fall together. */
static void find_blended(const posed_cluster *posed, int32_t sign_rule, snw_interval g[4]) {
	const posed_slot *pivot = &posed->slots[posed->reaches[0].slot];
	snw_interval by_sum = snw_interval_times(pivot->length, posed->cluster->weight_sum);
	for (int c = 0; c < 4; c++) {
		g[c] = (snw_interval){0, 0};
	}
	g[3] = snw_interval_times(pivot->length, posed->reaches[0].weight);
	for (uint32_t i = 1; i < posed->reach_count; i++) {
		const posed_slot *slot = &posed->slots[posed->reaches[i].slot];
		double u[4];
		relative_rotation(slot, pivot, sign_rule, u);
		for (int c = 0; c < 4; c++) {
			snw_interval_add(&g[c], snw_interval_times(slot->length * u[c], posed->reaches[i].weight));
		}
		snw_interval_add(&by_sum, snw_interval_times(slot->length * u[3] - pivot->length, posed->reaches[i].weight));
	}
	g[3] = snw_interval_intersection(g[3], by_sum);
}

/* u g*, of which a product with the constant u is a sum of four. */
static void times_conjugate(const double u[4], const snw_interval g[4], snw_interval product[4]) {
	static const int index[4][4] = {{0, 3, 2, 1}, {1, 3, 0, 2}, {2, 3, 1, 0}, {3, 0, 1, 2}};
	/* a b = (a_w b + b_w a + a × b, a_w b_w − a · b) with b = g*: its vector part has the other sign. */
	const double by[4][4] = {
		{-u[3], u[0], -u[1], u[2]}, {-u[3], u[1], -u[2], u[0]}, {-u[3], u[2], -u[0], u[1]}, {u[3], u[0], u[1], u[2]}};
	for (int c = 0; c < 4; c++) {
		product[c] = (snw_interval){0, 0};
		for (int i = 0; i < 4; i++) {
			snw_interval_add(&product[c], snw_interval_times(by[c][i], g[index[c][i]]));
		}
	}
}

/* sum += Vec(a q) for a quaternion of intervals a, whose vector part comes first. */
static void add_vector_part(const snw_interval a[4], const snw_interval q[4], snw_interval sum[3]) {
	for (int c = 0; c < 3; c++) {
		const int next = (c + 1) % 3, last = (c + 2) % 3;
		const snw_interval crossed = snw_interval_times(-1, snw_interval_product(a[last], q[next]));
		snw_interval_add(&sum[c], snw_interval_product(a[c], q[3]));
		snw_interval_add(&sum[c], snw_interval_product(a[3], q[c]));
		snw_interval_add(&sum[c], snw_interval_product(a[next], q[last]));
		snw_interval_add(&sum[c], crossed);
	}
}

static double largest_length(const snw_interval a[4]) {
	double squared = 0;
	for (int c = 0; c < 4; c++) {
		squared += snw_interval_magnitude(a[c]) * snw_interval_magnitude(a[c]);
	}
	return sqrt(squared);
}

/* x − X_p. False where g may vanish. */
static bool find_swing(const posed_cluster *posed, int32_t sign_rule, snw_interval swing[3]) {
	const posed_slot *pivot = &posed->slots[posed->reaches[0].slot];
	snw_interval g[4], norm = {0, 0}, sum[3] = {{0, 0}, {0, 0}, {0, 0}};
	double reached = 0;
	find_blended(posed, sign_rule, g);
	for (int c = 0; c < 4; c++) {
		snw_interval_add(&norm, snw_interval_square(g[c]));
	}
	for (uint32_t i = 0; i < posed->reach_count; i++) {
		const slot_reach *reach = &posed->reaches[i];
		const posed_slot *slot = &posed->slots[reach->slot];
		double u[4];
		snw_interval pull[4], factor[4];
		find_pull(posed, reach, pull);
		for (int c = 0; c < 3; c++) {
			pull[c] = snw_interval_times(slot->length, pull[c]);
		}
		pull[3] = snw_interval_times(slot->length * slot->scalar, reach->weight);
		relative_rotation(slot, pivot, sign_rule, u);
		times_conjugate(u, g, factor);
		add_vector_part(pull, factor, sum);
		reached += largest_length(pull);
	}
	if (!(norm.least > LEAST_NORM)) {
		return false;
	}
	const double radius = reached / sqrt(norm.least);
	for (int c = 0; c < 3; c++) {
		const snw_interval quotient = snw_interval_product(sum[c], (snw_interval){1 / norm.most, 1 / norm.least});
		swing[c] = snw_interval_intersection(quotient, (snw_interval){-radius, radius});
	}
	return true;
}

static bool pose_dual_quaternions(posed_cluster *posed, int32_t sign_rule, snw_interval box[3]) {
	add_stretch(posed);
	const double *matrix = posed->slots[posed->reaches[0].slot].matrix;
	snw_interval swing[3] = {{0, 0}, {0, 0}, {0, 0}};
	const bool is_bounded = posed->reach_count == 1 && posed->slots[posed->reaches[0].slot].scalar == 0
								? true
								: find_swing(posed, sign_rule, swing);
	for (size_t r = 0; r < 3; r++) {
		const double *row = matrix + 4 * r, place = snw_dot3(row, posed->cluster->middle) + row[3];
		box[r] = (snw_interval){place, place};
		snw_interval_add(&box[r], snw_interval_dot3(row, posed->cluster->offset));
		snw_interval_add(&box[r], snw_interval_dot3(row, posed->shift));
		snw_interval_add(&box[r], swing[r]);
	}
	return is_bounded;
}

/* ---- all clusters --------------------------------------------------------------------------------------------------- */

static bool pose_cluster(const snw_program_bounds *bounds, const snw_program_bounds_scratch *scratch, uint32_t index,
						 snw_interval box[3]) {
	const point_cluster *cluster = &bounds->clusters[index];
	posed_cluster posed = {.cluster = cluster,
						   .reaches = bounds->reaches + cluster->reach_begin,
						   .reach_count = cluster->reach_end - cluster->reach_begin,
						   .slots = scratch->slots};
	memcpy(posed.shift, scratch->shifts[index], sizeof posed.shift);
	if (posed.reach_count == 0) {
		pose_still(&posed, bounds->blend == SNW_BLEND_NONE || bounds->blend == SNW_BLEND_DUAL_QUATERNION, box);
		return true;
	}
	if (bounds->blend == SNW_BLEND_DUAL_QUATERNION) {
		return pose_dual_quaternions(&posed, bounds->sign_rule, box);
	}
	pose_affine(&posed, box);
	return true;
}

/* Points from another source are the rest plus a shift. */
static void find_shifts(const snw_program_bounds *bounds, const double *d, const snw_box *points_in,
						snw_interval (*shifts)[3]) {
	memset(shifts, 0, bounds->cluster_count * sizeof *shifts);
	for (uint32_t g = 0; points_in && g < bounds->cluster_count; g++) {
		const point_cluster *cluster = &bounds->clusters[g];
		for (int c = 0; c < 3; c++) {
			shifts[g][c] = (snw_interval){points_in->lower[c] - cluster->middle[c] - cluster->offset[c].most,
										  points_in->upper[c] - cluster->middle[c] - cluster->offset[c].least};
		}
	}
	for (uint32_t i = 0; i < bounds->rest.count; i++) {
		const cluster_displacement *one = &bounds->rest.list[i];
		for (int c = 0; c < 3 && d[one->coefficient] != 0; c++) {
			snw_interval_add(&shifts[one->cluster][c], snw_interval_times(d[one->coefficient], one->vector[c]));
		}
	}
}

static void add_posed(const snw_program_bounds *bounds, const snw_program_input *input, snw_box *boxes) {
	static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	for (uint32_t i = 0; i < bounds->posed.count; i++) {
		const cluster_displacement *one = &bounds->posed.list[i];
		const double *rotation = one->rotation == SNW_NONE ? none : input->rotations + 9 * (size_t)one->rotation;
		for (size_t c = 0; c < 3 && input->e[one->coefficient] != 0; c++) {
			const snw_interval added =
				snw_interval_times(input->e[one->coefficient], snw_interval_dot3(rotation + 3 * c, one->vector));
			boxes[one->cluster].lower[c] += added.least;
			boxes[one->cluster].upper[c] += added.most;
		}
	}
}

bool snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, const snw_box *points_in,
							  snw_program_bounds_scratch *scratch, snw_box *boxes) {
	bool are_bounded = true;
	find_shifts(bounds, input->d, points_in, scratch->shifts);
	for (uint32_t s = 0; s < bounds->slot_count; s++) {
		take_slot(bounds, input, s, &scratch->slots[s]);
	}
	for (uint32_t g = 0; g < bounds->cluster_count; g++) {
		snw_interval box[3];
		are_bounded = pose_cluster(bounds, scratch, g, box) && are_bounded;
		for (int c = 0; c < 3; c++) {
			boxes[g].lower[c] = box[c].least;
			boxes[g].upper[c] = box[c].most;
		}
	}
	add_posed(bounds, input, boxes);
	return are_bounded;
}
