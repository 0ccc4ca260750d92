/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Posing the clusters: the equations of bounds.h with boxes in place of vectors.
 */
#include "program/bounds/bounds.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sinew/algebra.h"

static inline void interval_add(snw_interval *to, snw_interval in) {
	to->least += in.least;
	to->most += in.most;
}

static inline snw_interval interval_product(snw_interval a, snw_interval b) {
	const snw_interval low = snw_interval_times(a.least, b), high = snw_interval_times(a.most, b);
	return (snw_interval){low.least < high.least ? low.least : high.least, low.most > high.most ? low.most : high.most};
}

static inline snw_interval interval_square(snw_interval in) {
	const double a = in.least * in.least, b = in.most * in.most;
	const double least = in.least <= 0 && in.most >= 0 ? 0 : (a < b ? a : b);
	return (snw_interval){least, a > b ? a : b};
}

/* What both contain. They have something in common, of which rounding may leave nothing: then the first. */
static inline snw_interval interval_intersection(snw_interval a, snw_interval b) {
	const snw_interval both = {a.least > b.least ? a.least : b.least, a.most < b.most ? a.most : b.most};
	return both.least <= both.most ? both : a;
}

/* A matrix by columns, of three lanes. */
typedef struct snw_columns {
	snw_lanes lane[4];
} snw_columns;

/* The bits of a number without those of its sign. */
#define SNW_LANES_MAGNITUDE(lanes) ((snw_lanes)((snw_lane_bits)(lanes)&INT64_MAX))

static inline snw_interval spread_interval(const snw_spread *spread, int lane) {
	return (snw_interval){spread->middle[lane] - spread->half[lane], spread->middle[lane] + spread->half[lane]};
}

static inline void spread_add(snw_spread *to, const snw_spread *in) {
	to->middle += in->middle;
	to->half += in->half;
}

/* Adds a number times a vector to all lanes. */
static inline void spread_add_times(snw_spread *to, double factor, const snw_spread *in) {
	to->middle += factor * in->middle;
	to->half += fabs(factor) * in->half;
}

static inline double spread_magnitude(const snw_spread *spread, int lane) {
	return fabs(spread->middle[lane]) + spread->half[lane];
}

#define LEAST_STRETCH 1e-13 /* the rounding of a palette; a smaller stretch moves no point */
#define LEAST_NORM 1e-6     /* of g, squared: below it dual quaternions cancel */

/* A slot at a pose. */
typedef struct posed_slot {
	snw_columns matrix; /* for dual quaternions the rigid part */
	double real[4];     /* for the sign rule */
	double rotation[4], length;
	double scalar;       /* the scalar part of X_s if the dual part is not perpendicular to the real one */
	snw_columns stretch; /* minus the identity */
	bool stretches;
} posed_slot;

struct snw_program_bounds_scratch {
	posed_slot *slots;      /* [slot_count] */
	snw_spread *shifts;     /* [cluster_count]: what rest displacements add */
	double (*relatives)[4]; /* [most_reaches]: u of a cluster's slots */
};

snw_program_bounds_scratch *snw_program_bounds_scratch_make(const snw_program_bounds *bounds, snw_arena *arena) {
	snw_program_bounds_scratch *scratch = SNW_NEW(arena, snw_program_bounds_scratch);
	scratch->slots = SNW_NEW_ARRAY(arena, posed_slot, bounds->slot_count);
	scratch->shifts = SNW_NEW_ARRAY(arena, snw_spread, bounds->cluster_count);
	scratch->relatives = snw_arena_array(arena, bounds->most_reaches, sizeof *scratch->relatives);
	return scratch;
}

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

static void take_matrix(const double matrix[12], snw_columns *columns) {
	for (size_t c = 0; c < 4; c++) {
		for (size_t r = 0; r < 3; r++) {
			columns->lane[c][r] = matrix[4 * r + c];
		}
	}
}

/* An eight-float dual quaternion as a rotation, a translation, a length and a scalar. */
static void take_dual_quaternion(const double q[8], posed_slot *slot) {
	const double *real = q, *dual = q + 4;
	double matrix[12], rotated[3];
	memcpy(slot->real, real, sizeof slot->real);
	memcpy(slot->rotation, real, sizeof slot->rotation);
	slot->length = sqrt(snw_quat_dot(real, real));
	snw_quat_normalize(slot->rotation);
	snw_quat_to_mat34(slot->rotation, matrix);
	const double scale = slot->length > 0 ? 2 / (slot->length * slot->length) : 0;
	snw_cross3(real, dual, rotated);
	for (int r = 0; r < 3; r++) {
		matrix[4 * r + 3] = scale * (real[3] * dual[r] - dual[3] * real[r] + rotated[r]);
	}
	take_matrix(matrix, &slot->matrix);
	slot->scalar = scale * snw_quat_dot(real, dual);
}

/* Of a palette of matrices: the rigid part and the stretch. */
static void take_rigid_part(const double matrix[12], posed_slot *slot) {
	double q[8], stretch[9];
	snw_dual_quaternion_from_mat34(matrix, q, stretch);
	take_dual_quaternion(q, slot);
	slot->length = 1;
	slot->scalar = 0;
	for (size_t i = 0; i < 9; i++) {
		const double beyond = stretch[i] - (i % 4 == 0);
		slot->stretch.lane[i % 3][i / 3] = beyond;
		slot->stretches = slot->stretches || fabs(beyond) > LEAST_STRETCH;
	}
}

static void take_slot(const snw_program_bounds *bounds, const snw_program_input *input, uint32_t index, posed_slot *slot) {
	slot->stretches = false;
	if (bounds->blend != SNW_BLEND_DUAL_QUATERNION) {
		take_matrix(input->matrices + 12 * (size_t)index, &slot->matrix);
	} else if (bounds->dual_quaternion_palette) {
		take_dual_quaternion(input->dual_quaternions + 8 * (size_t)index, slot);
	} else {
		take_rigid_part(input->matrices + 12 * (size_t)index, slot);
	}
}

/* ---- a cluster ----------------------------------------------------------------------------------------------------------- */

/* One cluster at a pose. */
typedef struct posed_cluster {
	const point_cluster *cluster;
	const slot_reach *reaches; /* the cluster's */
	uint32_t reach_count;
	const posed_slot *slots;
	snw_spread shift;       /* what is added to the rest before the rigid part of the blend */
	double (*relatives)[4]; /* u of each reach */
} posed_cluster;

/* A matrix times Σ p_s, shifts included: M (w (c + shift) + (p − w c)), of which the vector holds p − w c and w. */
static void transform(const snw_columns *matrix, const posed_cluster *posed, const snw_spread *vector, snw_spread *posed_sum) {
	const double weight = vector->middle[3], weight_half = vector->half[3], most = fabs(weight) + weight_half;
	snw_lanes at = matrix->lane[3], middle = {0}, half = {0};
#pragma GCC unroll 3
	for (int c = 0; c < 3; c++) {
		at += matrix->lane[c] * (posed->cluster->middle[c] + posed->shift.middle[c]);
		middle += matrix->lane[c] * vector->middle[c];
		half += SNW_LANES_MAGNITUDE(matrix->lane[c]) * (vector->half[c] + most * posed->shift.half[c]);
	}
	posed_sum->middle = middle + at * weight;
	posed_sum->half = half + SNW_LANES_MAGNITUDE(at) * weight_half;
}

static const snw_columns *pivot_matrix(const posed_cluster *posed) {
	return &posed->slots[posed->reaches[0].slot].matrix;
}

/* (T_s − T_p) p_s, shifts included. */
static void find_pull(const posed_cluster *posed, const slot_reach *reach, snw_spread *pull) {
	const snw_columns *of = &posed->slots[reach->slot].matrix, *from = pivot_matrix(posed);
	snw_columns between;
	for (int c = 0; c < 4; c++) {
		between.lane[c] = of->lane[c] - from->lane[c];
	}
	transform(&between, posed, &reach->pulled, pull);
}

/* Of points without slots. */
static void pose_still(const posed_cluster *posed, bool is_kept, snw_spread *box) {
	*box = (snw_spread){0}; /* an empty sum */
	for (int c = 0; c < 3 && is_kept; c++) {
		box->middle[c] = posed->cluster->middle[c] + posed->cluster->offset.middle[c] + posed->shift.middle[c];
		box->half[c] = posed->cluster->offset.half[c] + posed->shift.half[c];
	}
}

static void pose_affine(const posed_cluster *posed, snw_spread *box) {
	transform(pivot_matrix(posed), posed, &posed->cluster->pulled_sum, box);
	for (uint32_t i = 1; i < posed->reach_count; i++) {
		snw_spread pull;
		find_pull(posed, &posed->reaches[i], &pull);
		spread_add(box, &pull);
	}
}

/* ---- dual quaternions ---------------------------------------------------------------------------------------------------- */

/* Adds Σ_s w_s (S_s − I)(x + shift): a joint's scale is blended linearly and acts on the rest first. */
static void add_stretch(posed_cluster *posed) {
	snw_spread added = {0};
	for (uint32_t i = 0; i < posed->reach_count; i++) {
		const slot_reach *reach = &posed->reaches[i];
		if (posed->slots[reach->slot].stretches) {
			snw_spread stretched;
			transform(&posed->slots[reach->slot].stretch, posed, &reach->pulled, &stretched);
			spread_add(&added, &stretched);
		}
	}
	spread_add(&posed->shift, &added);
}

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
static void find_blended(const posed_cluster *posed, int32_t sign_rule, snw_spread *g) {
	const posed_slot *pivot = &posed->slots[posed->reaches[0].slot];
	snw_interval by_sum = snw_interval_times(pivot->length, spread_interval(&posed->cluster->pulled_sum, 3));
	*g = (snw_spread){0};
	for (uint32_t i = 0; i < posed->reach_count; i++) {
		const posed_slot *slot = &posed->slots[posed->reaches[i].slot];
		const snw_spread *pulled = &posed->reaches[i].pulled;
		double *u = posed->relatives[i];
		relative_rotation(slot, pivot, sign_rule, u);
		for (int c = 0; c < 4; c++) {
			g->middle[c] += slot->length * u[c] * pulled->middle[3];
			g->half[c] += fabs(slot->length * u[c]) * pulled->half[3];
		}
		const double beyond = i == 0 ? 0 : slot->length * u[3] - pivot->length;
		interval_add(&by_sum, snw_interval_times(beyond, spread_interval(pulled, 3)));
	}
	snw_spread_set(g, 3, interval_intersection(spread_interval(g, 3), by_sum));
}

/* A lane of a quaternion, with another sign. */
static void place_lane(snw_spread *to, int lane, double sign, const snw_spread *q, int from) {
	to->middle[lane] = sign * q->middle[from];
	to->half[lane] = q->half[from];
}

/* For the product u g* as Σ_k u_k to[k]. */
static void list_conjugate_products(const snw_spread *g, snw_spread to[4]) {
	static const int lanes[4][4] = {{3, 2, 1, 0}, {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 1, 2, 3}};
	static const double signs[4][4] = {{1, 1, -1, 1}, {-1, 1, 1, 1}, {1, -1, 1, 1}, {-1, -1, -1, 1}};
	for (int k = 0; k < 4; k++) {
		for (int c = 0; c < 4; c++) {
			place_lane(&to[k], c, signs[k][c], g, lanes[k][c]);
		}
	}
}

/* Adds sign a_i q_j to a lane. */
static inline void add_product(snw_spread *to, int lane, double sign, const snw_spread *a, int i, const snw_spread *q, int j) {
	const double middle = a->middle[i], half = a->half[i];
	to->middle[lane] += sign * middle * q->middle[j];
	to->half[lane] += (fabs(middle) + half) * q->half[j] + half * fabs(q->middle[j]);
}

/* Adds the vector part of a q. */
static void add_vector_part(const snw_spread *a, const snw_spread *q, snw_spread *sum) {
	for (int c = 0; c < 3; c++) {
		const int next = (c + 1) % 3, last = (c + 2) % 3;
		add_product(sum, c, 1, a, c, q, 3);
		add_product(sum, c, 1, a, 3, q, c);
		add_product(sum, c, 1, a, next, q, last);
		add_product(sum, c, -1, a, last, q, next);
	}
}

static double largest_length(const snw_spread *a) {
	double squared = 0;
	for (int c = 0; c < 4; c++) {
		const double most = spread_magnitude(a, c);
		squared += most * most;
	}
	return sqrt(squared);
}

/* x − X_p. False where g may vanish. */
static bool find_swing(const posed_cluster *posed, int32_t sign_rule, snw_spread *swing) {
	snw_spread g, products[4], sum = {0};
	snw_interval norm = {0, 0};
	double reached = 0;
	find_blended(posed, sign_rule, &g);
	list_conjugate_products(&g, products);
	for (int c = 0; c < 4; c++) {
		interval_add(&norm, interval_square(spread_interval(&g, c)));
	}
	for (uint32_t i = 0; i < posed->reach_count; i++) {
		const slot_reach *reach = &posed->reaches[i];
		const posed_slot *slot = &posed->slots[reach->slot];
		snw_spread pulled, pull = {0}, factor = {0};
		find_pull(posed, reach, &pulled);
		spread_add_times(&pull, slot->length, &pulled);
		pull.middle[3] = slot->length * slot->scalar * reach->pulled.middle[3];
		pull.half[3] = slot->length * fabs(slot->scalar) * reach->pulled.half[3];
		for (int k = 0; k < 4; k++) {
			spread_add_times(&factor, posed->relatives[i][k], &products[k]);
		}
		add_vector_part(&pull, &factor, &sum);
		reached += largest_length(&pull);
	}
	if (!(norm.least > LEAST_NORM)) {
		return false;
	}
	const double radius = reached / sqrt(norm.least);
	for (int c = 0; c < 3; c++) {
		const snw_interval quotient = interval_product(spread_interval(&sum, c), (snw_interval){1 / norm.most, 1 / norm.least});
		snw_spread_set(swing, c, interval_intersection(quotient, (snw_interval){-radius, radius}));
	}
	return true;
}

static bool pose_dual_quaternions(posed_cluster *posed, int32_t sign_rule, snw_spread *box) {
	add_stretch(posed);
	snw_spread swing = {0};
	const bool is_bounded = posed->reach_count == 1 && posed->slots[posed->reaches[0].slot].scalar == 0
								? true
								: find_swing(posed, sign_rule, &swing);
	transform(pivot_matrix(posed), posed, &posed->cluster->offset, box);
	spread_add(box, &swing);
	return is_bounded;
}

/* ---- all clusters -------------------------------------------------------------------------------------------------------- */

static bool pose_cluster(const snw_program_bounds *bounds, const snw_program_bounds_scratch *scratch, uint32_t index,
						 snw_spread *box) {
	const point_cluster *cluster = &bounds->clusters[index];
	posed_cluster posed = {.cluster = cluster,
						   .reaches = bounds->reaches + cluster->reach_begin,
						   .reach_count = cluster->reach_end - cluster->reach_begin,
						   .slots = scratch->slots,
						   .shift = scratch->shifts[index],
						   .relatives = scratch->relatives};
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
static void find_shifts(const snw_program_bounds *bounds, const double *d, const snw_box *points_in, snw_spread *shifts) {
	memset(shifts, 0, bounds->cluster_count * sizeof *shifts);
	for (uint32_t g = 0; points_in && g < bounds->cluster_count; g++) {
		const point_cluster *cluster = &bounds->clusters[g];
		for (int c = 0; c < 3; c++) {
			const snw_interval offset = spread_interval(&cluster->offset, c);
			snw_spread_set(&shifts[g], c,
						   (snw_interval){points_in->lower[c] - cluster->middle[c] - offset.most,
										  points_in->upper[c] - cluster->middle[c] - offset.least});
		}
	}
	for (uint32_t k = 0; k < bounds->rest.count; k++) {
		const cluster_displacement *one = &bounds->rest.list[k];
		const double factor = d[one->coefficient], magnitude = fabs(factor);
		for (uint32_t i = one->begin; i < one->end && factor != 0; i++) {
			const displaced_cluster *displaced = &bounds->rest.clusters[i];
			snw_spread *shift = &shifts[displaced->cluster];
#pragma GCC unroll 3
			for (int c = 0; c < 3; c++) {
				shift->middle[c] += factor * (double)displaced->middle[c];
				shift->half[c] += magnitude * (double)displaced->half[c];
			}
		}
	}
}

static const double no_rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void add_displaced(const displaced_cluster *displaced, double factor, const double rotation[9], snw_box *box) {
	for (size_t r = 0; r < 3; r++) {
		for (size_t c = 0; c < 3; c++) {
			const double by = factor * rotation[3 * r + c];
			const double middle = by * (double)displaced->middle[c], half = fabs(by) * (double)displaced->half[c];
			box->lower[r] += middle - half;
			box->upper[r] += middle + half;
		}
	}
}

static void add_posed(const snw_program_bounds *bounds, const snw_program_input *input, snw_box *boxes) {
	for (uint32_t k = 0; k < bounds->posed.count; k++) {
		const cluster_displacement *one = &bounds->posed.list[k];
		const double *rotation = one->rotation == SNW_NONE ? no_rotation : input->rotations + 9 * (size_t)one->rotation;
		for (uint32_t i = one->begin; i < one->end && input->e[one->coefficient] != 0; i++) {
			const displaced_cluster *displaced = &bounds->posed.clusters[i];
			add_displaced(displaced, input->e[one->coefficient], rotation, &boxes[displaced->cluster]);
		}
	}
}

static void box_of_spread(const snw_spread *spread, snw_box *box) {
	for (int c = 0; c < 3; c++) {
		box->lower[c] = spread->middle[c] - spread->half[c];
		box->upper[c] = spread->middle[c] + spread->half[c];
	}
}

void snw_program_bounds_take(const snw_program_bounds *bounds, const snw_program_input *input,
							 snw_program_bounds_scratch *scratch) {
	for (uint32_t s = 0; s < bounds->slot_count; s++) {
		take_slot(bounds, input, bounds->slots[s], &scratch->slots[s]);
	}
}

bool snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, const snw_box *points_in,
							  snw_program_bounds_scratch *scratch, snw_box *boxes) {
	bool are_bounded = true;
	find_shifts(bounds, input->d, points_in, scratch->shifts);
	snw_program_bounds_take(bounds, input, scratch);
	for (uint32_t g = 0; g < bounds->cluster_count; g++) {
		snw_spread box;
		are_bounded = pose_cluster(bounds, scratch, g, &box) && are_bounded;
		box_of_spread(&box, &boxes[g]);
	}
	add_posed(bounds, input, boxes);
	return are_bounded;
}

static void shift_set(const snw_program_bounds *bounds, const double *d, uint32_t set, snw_spread *shift) {
	*shift = (snw_spread){0};
	for (uint32_t i = bounds->rest.set_begins[set]; i < bounds->rest.set_begins[set + 1]; i++) {
		const displaced_cluster *displaced = &bounds->rest.clusters[i];
		const double factor = d[bounds->rest.list[displaced->cluster].coefficient];
		for (int c = 0; c < 3; c++) {
			shift->middle[c] += factor * (double)displaced->middle[c];
			shift->half[c] += fabs(factor) * (double)displaced->half[c];
		}
	}
}

bool snw_program_bounds_pose_set(const snw_program_bounds *bounds, const snw_program_input *input,
								 snw_program_bounds_scratch *scratch, uint32_t set, snw_box *box) {
	snw_spread posed;
	shift_set(bounds, input->d, set, &scratch->shifts[set]);
	if (!pose_cluster(bounds, scratch, set, &posed)) {
		return false;
	}
	box_of_spread(&posed, box);
	for (uint32_t i = bounds->posed.set_begins[set]; i < bounds->posed.set_begins[set + 1]; i++) {
		const displaced_cluster *displaced = &bounds->posed.clusters[i];
		const cluster_displacement *one = &bounds->posed.list[displaced->cluster];
		add_displaced(displaced, input->e[one->coefficient],
					  one->rotation == SNW_NONE ? no_rotation : input->rotations + 9 * (size_t)one->rotation, box);
	}
	return true;
}
