/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From sculpts to displacements: at each example, what the earlier groups leave is inverted into the rest pose through the
 * matrices of the layers below (equation 5), as far as they can be inverted; the remainder is added after them (section
 * 5.3). In a forward group all of it is added after them; in a weighted model the matrices are the base skin's.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "inverse-psd/inverse-psd.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* In units of the diagonal of the mesh's rest bounding box: the smallest edit, and the smallest w that is stored. */
#define EDITED 1e-7

/* ---- inversions of the last fit ------------------------------------------------------------------------------------------ */

/* Reuses inversions. An inversion through a black box takes up to hundreds of calls, so a model stores a checksum of the
 * inputs of each, and the next fit copies d if they are the same. An inversion in closed form costs less than this check. */

/* Eight bytes at a time, so that the checksum costs little compared with one call of the black box. */
static uint64_t add_words(uint64_t sum, size_t count, const void *words) {
	const unsigned char *bytes = words;
	for (size_t i = 0; i < count; i++) {
		uint64_t word;
		memcpy(&word, bytes + sizeof word * i, sizeof word);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

/* Range by range, each into its own element. */
typedef struct summing {
	const inversion *in;
	const double *jacobians;
} summing;

static void SNW_CALL sum_inputs_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const summing *job = argument;
	const inversion *in = job->in;
	const size_t first = 3 * (size_t)begin, numbers = 3 * (size_t)(end - begin);
	uint64_t sum = add_words(1, numbers, in->rest + first);
	sum = add_words(sum, numbers, in->posed + first);
	sum = add_words(sum, numbers, in->gap + first);
	sum = add_words(sum, 3 * numbers, job->jacobians + 3 * first);
	for (uint32_t i = begin; i < end; i++) {
		double all;
		const uint64_t is_free = share_at(in, i, &all) > 0;
		sum = add_words(sum, 1, &is_free);
	}
	in->sums[begin / POINT_GRAIN] = sum;
}

static void SNW_CALL sum_result_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inversion *in = argument;
	in->sums[begin / POINT_GRAIN] = add_words(1, 3 * (size_t)(end - begin), in->posed_offsets + 3 * (size_t)begin);
}

uint64_t sum_inputs(inversion *in, const double *jacobians) {
	const fitting *f = in->f;
	const uint32_t points = in->mesh->point_count, mesh = f->input->examples[in->example]->mesh;
	const snw_below_service *below = f->host->service(f->host, SNW_SERVICE_BELOW);
	const uint64_t numbers[3] = {points, mesh, below->rings(f->host, mesh)};
	const double values[2] = {f->input->values[SOLVER].numbers[0], f->input->values[REGULARISATION].numbers[0]};
	summing job = {in, jacobians};
	snk_ranges_run(f->host, points, POINT_GRAIN, sum_inputs_range, &job);
	return add_words(add_words(add_words(1, 3, numbers), 2, values), snk_ranges_count(in->mesh->point_count, POINT_GRAIN),
					 in->sums);
}

uint64_t sum_result(inversion *in) {
	snk_ranges_run(in->f->host, in->mesh->point_count, POINT_GRAIN, sum_result_range, in);
	return add_words(1, snk_ranges_count(in->mesh->point_count, POINT_GRAIN), in->sums);
}

int find_previous(const inversion *in, uint64_t input_sum, uint64_t *result_sum) {
	const snw_model *previous = in->f->input->previous;
	const uint32_t mesh = in->f->input->examples[in->example]->mesh;
	const inverted *found = NULL;
	for (uint32_t i = 0; previous && !previous->is_weighted && i < previous->inverted_count; i++) {
		const inverted *one = &previous->inverted[i];
		found = one->input_sum == input_sum && one->mesh == mesh ? one : found;
	}
	if (!found || previous->meshes[mesh].point_count != in->mesh->point_count) {
		return 0;
	}
	const snw_displacements *list = &previous->meshes[mesh].rest;
	memset(in->rest_offsets, 0, 3 * (size_t)in->mesh->point_count * sizeof *in->rest_offsets);
	for (uint32_t n = 0; n < list->count; n++) {
		for (uint64_t i = list->offsets[n]; list->coefficients[n] == found->coefficient && i < list->offsets[n + 1]; i++) {
			memcpy(in->rest_offsets + 3 * (size_t)list->points[i], list->vectors + 3 * i, 3 * sizeof *in->rest_offsets);
		}
	}
	*result_sum = found->result_sum;
	return 1;
}

void record_inversion(inversion *in, uint64_t input_sum) {
	fitting *f = in->f;
	f->inverted_groups[f->inverted_count] = in->group;
	f->inverted[f->inverted_count++] = (inverted){.input_sum = input_sum,
												  .result_sum = sum_result(in),
												  .coefficient = in->coefficient,
												  .mesh = f->input->examples[in->example]->mesh};
}

/* ---- inversion ----------------------------------------------------------------------------------------------------------- */

static snw_status fail_below(const fitting *f, snw_status status, uint32_t example) {
	return snw_report_fail(f->host, status, "the layers below could not be evaluated at example \"%s\"",
						   f->input->examples[example]->name);
}

snw_status find_posed(const fitting *f, uint32_t example, const double *points_rest, double *points_posed) {
	const snw_example_view *view = f->input->examples[example];
	const snw_mesh_view *mesh = f->input->character->meshes[view->mesh];
	const snw_below_service *below = f->host->service(f->host, SNW_SERVICE_BELOW);
	if (!below) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING, "this host lacks the service sinew.below, which inverse-psd needs");
	}
	const snw_below_call call = {.size = sizeof call,
								 .mesh = view->mesh,
								 .pose_count = 1,
								 .poses = &view->pose,
								 .count = mesh->point_count,
								 .points_rest = points_rest,
								 .points_posed = points_posed};
	const snw_status status = below->deform(f->host, &call);
	return snk_failed(status) ? fail_below(f, status, example) : SNW_OK;
}

/* The matrices of the base skin at an example's pose: fitting->matrices. */
static void SNW_CALL find_linear_parts(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inversion *in = argument;
	const double *palette = in->f->input->examples[in->example]->pose->palette;
	for (uint32_t i = begin; i < end; i++) {
		double m[9], *dest = in->f->matrices + 12 * (size_t)i;
		snk_linear_part(in->mesh->influence_offsets, in->mesh->influence_slots, in->mesh->influence_weights, palette, i, m);
		for (size_t r = 0; r < 3; r++) {
			memcpy(dest + 4 * r, m + 3 * r, 3 * sizeof *dest);
		}
	}
}

double share_at(const inversion *in, uint32_t point, double *all) {
	const fitting *f = in->f;
	double coming = 0;
	*all = 0;
	for (uint32_t g = 0; g < f->group_count; g++) {
		const double mask = mask_at(f->groups[g], in->example, point);
		*all += mask;
		coming += g >= in->group ? mask : 0;
	}
	const double values = mask_at(f->groups[in->group], in->example, point);
	return values > 0 ? values / coming : 0;
}

static void target_gap(const inversion *in, uint32_t i, double gap[3]) {
	const double *target = in->f->input->examples[in->example]->points_posed;
	for (size_t c = 0; c < 3; c++) {
		const size_t at = 3 * (size_t)i + c;
		gap[c] = target[at] - in->posed[at] - in->after[at];
	}
}

/* The displacement that this group must add. */
static void SNW_CALL find_gaps(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inversion *in = argument;
	const double diagonal = in->f->meshes[in->f->input->examples[in->example]->mesh].diagonal;
	for (uint32_t i = begin; i < end; i++) {
		double all, *gap = in->gap + 3 * (size_t)i;
		const double share = share_at(in, i, &all);
		target_gap(in, i, gap);
		const int is_edited = share > 0 && snw_length3(gap) > EDITED * diagonal;
		for (int c = 0; c < 3; c++) {
			gap[c] = is_edited ? share * gap[c] : 0;
		}
	}
}

/* d for one point; returns the condition of its matrix. */
static double solve_point(const double linear[9], double ratio, const double gap[3], double d[3]) {
	double inverse[9];
	if (snk_svd3_inverse(linear, ratio, LONGEST, inverse)) {
		for (size_t r = 0; r < 3; r++) {
			d[r] = snw_dot3(inverse + 3 * r, gap);
		}
		return snk_svd3_condition_of(linear);
	}
	snk_svd3 svd;
	snk_svd3_compute(linear, &svd);
	snk_svd3_solve(&svd, ratio, LONGEST, gap, d);
	return snk_svd3_condition(&svd);
}

/* In closed form, with the matrices in fitting->matrices, which are those of the points from `first` on. */
typedef struct block {
	const inversion *in;
	uint32_t first;
} block;

static void SNW_CALL invert_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const block *chunk = argument;
	const inversion *in = chunk->in;
	const double diagonal = in->f->meshes[in->f->input->examples[in->example]->mesh].diagonal;
	for (uint32_t n = begin; n < end; n++) {
		const uint32_t i = chunk->first + n;
		const double *m = in->f->matrices + 12 * (size_t)n, *gap = in->gap + 3 * (size_t)i;
		const double linear[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
		double *d = in->rest_offsets + 3 * (size_t)i, *w = in->posed_offsets + 3 * (size_t)i;
		in->conditioning[i] = solve_point(linear, in->f->input->values[REGULARISATION].numbers[0], gap, d);
		snw_mat34_vector(m, d, w);
		for (int c = 0; c < 3; c++) {
			w[c] = gap[c] - w[c];
		}
		if (snw_length3(w) <= NEGLIGIBLE_RESIDUAL * diagonal) {
			memset(w, 0, 3 * sizeof *w);
		}
	}
}

static void each_point(inversion *in, snk_range *range) {
	snk_ranges_run(in->f->host, in->mesh->point_count, POINT_GRAIN, range, in);
}

/* Adds a displacement of an earlier group to the rest, or to what is added after the blend. */
static void add_displacement(const inversion *in, const displacement *item, int is_posed, const double *coefficients) {
	const fitting *f = in->f;
	const uint32_t classes = f->spaces[item->group].class_count;
	const double *rotation = item->joint == SNW_NONE ? NULL : in->rotations + 9 * (size_t)item->joint;
	double *to = is_posed || f->is_weighted ? in->after : in->rest;
	for (uint32_t n = 0; n < item->count; n++) {
		const double *v = item->vectors + 3 * (size_t)n, *m = f->matrices + 12 * (size_t)item->points[n];
		const double c = coefficients[(size_t)item->coefficient * classes + (item->classes ? item->classes[n] : 0)];
		double offset[3] = {v[0], v[1], v[2]};
		if (is_posed) {
			for (int r = 0; rotation && r < 3; r++) {
				offset[r] = snw_dot3(rotation + 3 * (size_t)r, v);
			}
		} else if (f->is_weighted) {
			snw_mat34_vector(m, v, offset);
		}
		for (size_t r = 0; r < 3; r++) {
			to[3 * (size_t)item->points[n] + r] += c * offset[r];
		}
	}
}

/* The effect of the earlier groups on the mesh at the example's pose. */
static snw_status add_earlier(const inversion *in, snw_pool *pool) {
	const fitting *f = in->f;
	const snw_example_view *example = f->input->examples[in->example];
	const mesh_state *state = &f->meshes[example->mesh];
	for (uint32_t g = 0; g < in->group; g++) {
		const pose_space *space = &f->spaces[g];
		double *scratch = SNW_POOL_ARRAY(pool, double, scratch_count(space));
		double *coefficients = SNW_POOL_ARRAY(pool, double, driven_count(space));
		if (pool->failed) {
			return SNW_ERROR_MEMORY;
		}
		group_coefficients(space, example->pose, scratch, coefficients);
		for (int is_posed = 0; is_posed < 2; is_posed++) {
			const displacement *item = is_posed ? state->posed.first : state->rest.first;
			for (; item; item = item->next) {
				if (item->group == g) {
					add_displacement(in, item, is_posed, coefficients);
				}
			}
		}
	}
	return SNW_OK;
}

/* Whether point i moves: before the blend, or after it under `joint`. */
static int moves(const inversion *in, const double *vectors, int is_posed, uint32_t joint, uint32_t i) {
	const double *v = vectors + 3 * (size_t)i;
	return (!is_posed || in->rotation_joints[i] == joint) && (v[0] != 0 || v[1] != 0 || v[2] != 0);
}

static void append(displacement_list *list, displacement *item) {
	*(list->last ? list->last : &list->first) = item;
	list->last = &item->next;
	list->count++;
	list->point_count += item->count;
}

/* Stores the displacements before the blend, or those after it with `joint` (SNW_NONE: with none), as one displacement. */
static snw_status add_displacements(inversion *in, int is_posed, uint32_t joint) {
	fitting *f = in->f;
	mesh_state *state = &f->meshes[f->input->examples[in->example]->mesh];
	const double *vectors = is_posed ? in->posed_offsets : in->rest_offsets;
	uint32_t count = 0, next = 0;
	for (uint32_t i = 0; i < in->mesh->point_count; i++) {
		count += moves(in, vectors, is_posed, joint, i) ? 1 : 0;
	}
	if (count == 0) {
		return SNW_OK;
	}
	displacement *item = SNW_POOL_ARRAY(&f->scratch, displacement, 1);
	uint32_t *points = SNW_POOL_ARRAY(&f->scratch, uint32_t, count);
	double *offsets = SNW_POOL_ARRAY(&f->scratch, double, 3 * (size_t)count);
	if (f->scratch.failed) {
		return SNW_ERROR_MEMORY;
	}
	/* After the blend, in the joint's axes: E = Fᵀ w. */
	const double *rotation = joint == SNW_NONE ? NULL : in->rotations + 9 * (size_t)joint;
	for (uint32_t i = 0; i < in->mesh->point_count; i++) {
		if (moves(in, vectors, is_posed, joint, i)) {
			const double *v = vectors + 3 * (size_t)i;
			for (int c = 0; c < 3; c++) {
				offsets[3 * (size_t)next + c] =
					rotation ? rotation[c] * v[0] + rotation[3 + c] * v[1] + rotation[6 + c] * v[2] : v[c];
			}
			points[next++] = i;
		}
	}
	*item = (displacement){.group = in->group,
						   .coefficient = in->coefficient,
						   .joint = joint,
						   .count = count,
						   .points = points,
						   .vectors = offsets};
	append(is_posed ? &state->posed : &state->rest, item);
	return SNW_OK;
}

static snw_status add_all_displacements(inversion *in) {
	fitting *f = in->f;
	mesh_state *state = &f->meshes[f->input->examples[in->example]->mesh];
	const uint32_t joint_count = f->input->character->skeleton->joint_count;
	for (uint32_t i = 0; i < in->mesh->point_count; i++) {
		state->residual[i] = fmax(state->residual[i], snw_length3(in->posed_offsets + 3 * (size_t)i));
		state->conditioning[i] = fmax(state->conditioning[i], in->conditioning[i]);
	}
	snw_status status = add_displacements(in, 0, SNW_NONE);
	for (uint32_t j = 0; !snk_failed(status) && j < joint_count; j++) {
		status = add_displacements(in, 1, j);
	}
	return snk_failed(status) ? status : add_displacements(in, 1, SNW_NONE);
}

/* Whether the example is also in an earlier group. */
static int is_repeated(const inversion *in) {
	int repeated = 0;
	for (uint32_t g = 0; g < in->group; g++) {
		repeated |= group_has(in->f->groups[g], in->example);
	}
	return repeated;
}

/* Edited points that no mask includes; posed does not include the earlier groups yet. */
static void SNW_CALL count_unmasked(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inversion *in = argument;
	const double diagonal = in->f->meshes[in->f->input->examples[in->example]->mesh].diagonal;
	uint32_t unmasked = 0;
	for (uint32_t i = begin; i < end; i++) {
		double gap[3], all;
		share_at(in, i, &all);
		target_gap(in, i, gap);
		unmasked += all <= 0 && snw_length3(gap) > EDITED * diagonal;
	}
	in->sums[begin / POINT_GRAIN] = unmasked;
}

static void warn_unmasked(inversion *in) {
	const fitting *f = in->f;
	const snw_example_view *example = f->input->examples[in->example];
	uint32_t unmasked = 0;
	each_point(in, count_unmasked);
	for (uint32_t begin = 0; begin < in->mesh->point_count; begin += POINT_GRAIN) {
		unmasked += (uint32_t)in->sums[begin / POINT_GRAIN];
	}
	if (unmasked > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"example \"%s\": %u edited points lie outside the masks of all its groups and stay uncorrected",
						example->name, unmasked);
	}
}

/* The rest and posed points from which the group starts, and what it must add. */
static snw_status open_inversion(inversion *in, double *rotations, snw_pool *pool) {
	const fitting *f = in->f;
	const snw_example_view *example = f->input->examples[in->example];
	memcpy(in->rest, in->mesh->points_rest, 3 * (size_t)in->mesh->point_count * sizeof *in->rest);
	for (uint32_t j = 0; j < f->input->character->skeleton->joint_count; j++) {
		snw_mat34_rotation(example->pose->global + 12 * (size_t)j, rotations + 9 * (size_t)j);
	}
	if (f->is_weighted) {
		each_point(in, find_linear_parts);
	}
	snw_status status = SNW_OK;
	if (!is_repeated(in)) {
		status = find_posed(f, in->example, in->rest, in->posed);
		if (!snk_failed(status)) {
			warn_unmasked(in);
		}
	}
	status = snk_failed(status) ? status : add_earlier(in, pool);
	/* The first group starts from the undisplaced rest. */
	if (!snk_failed(status) && in->group > 0) {
		status = find_posed(f, in->example, in->rest, in->posed);
	}
	if (!snk_failed(status)) {
		each_point(in, find_gaps);
	}
	return status;
}

/* A forward group adds all of its gap after the layers below. */
static void SNW_CALL add_all_posed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inversion *in = argument;
	memcpy(in->posed_offsets + 3 * (size_t)begin, in->gap + 3 * (size_t)begin,
		   3 * (size_t)(end - begin) * sizeof *in->posed_offsets);
	for (uint32_t i = begin; i < end; i++) {
		in->conditioning[i] = 1;
	}
}

/* What a forward group adds rotates with one joint at all points. */
static snw_status rotate_with_anchor(inversion *in, snw_pool *pool) {
	const pose_space *space = &in->f->spaces[in->group];
	uint32_t *rotation_joints = SNW_POOL_ARRAY(pool, uint32_t, in->mesh->point_count);
	const uint32_t anchor = find_anchor(in->f->input->character->skeleton, space->joint_count, space->joints);
	for (uint32_t i = 0; rotation_joints && i < in->mesh->point_count; i++) {
		rotation_joints[i] = anchor;
	}
	in->rotation_joints = rotation_joints;
	return rotation_joints ? SNW_OK : SNW_ERROR_MEMORY;
}

static snw_status refuse_closed(const inversion *in) {
	return snw_report_fail(
		in->f->host, SNW_ERROR_UNSUPPORTED,
		"the layers below on mesh \"%s\" are not affine, so there is no closed form; set solver to auto, newton or powell",
		in->mesh->name);
}

/* Block by block, so that the matrices stay in the cache. *is_affine becomes 0 if the layers below have none. */
static snw_status invert_by_matrices(const inversion *in, int *is_affine) {
	const fitting *f = in->f;
	const snw_example_view *view = f->input->examples[in->example];
	const snw_below_service *below = f->host->service(f->host, SNW_SERVICE_BELOW);
	snw_status status = below ? SNW_OK : SNW_ERROR_UNSUPPORTED;
	for (uint32_t first = 0, count; !snk_failed(status) && first < in->mesh->point_count; first += count) {
		const uint32_t remaining = in->mesh->point_count - first;
		uint32_t points[MATRIX_BLOCK];
		count = remaining < MATRIX_BLOCK ? remaining : MATRIX_BLOCK;
		for (uint32_t n = 0; n < count; n++) {
			points[n] = first + n;
		}
		const snw_below_matrices_call call = {.size = sizeof call,
											  .mesh = view->mesh,
											  .pose = view->pose,
											  .count = count,
											  .indices = points,
											  .matrices = f->matrices};
		status = below->matrices(f->host, &call);
		if (!snk_failed(status)) {
			block chunk = {in, first};
			snk_ranges_run(f->host, count, POINT_GRAIN, invert_points, &chunk);
		}
	}
	*is_affine = !snk_failed(status);
	if (status == SNW_ERROR_UNSUPPORTED) {
		return (int)f->input->values[SOLVER].numbers[0] == SOLVER_CLOSED ? refuse_closed(in) : SNW_OK;
	}
	return snk_failed(status) ? fail_below(f, status, in->example) : SNW_OK;
}

static snw_status invert_opened(inversion *in, snw_pool *pool) {
	const int solver = (int)in->f->input->values[SOLVER].numbers[0];
	int is_affine = 0;
	snw_status status = SNW_OK;
	if (in->f->spaces[in->group].is_forward) {
		status = rotate_with_anchor(in, pool);
		if (!snk_failed(status)) {
			each_point(in, add_all_posed);
		}
		return status;
	}
	const double begun = snk_clock_seconds();
	if (in->f->is_weighted) {
		block all = {in, 0};
		is_affine = 1;
		snk_ranges_run(in->f->host, in->mesh->point_count, POINT_GRAIN, invert_points, &all);
	} else if (solver == SOLVER_AUTO || solver == SOLVER_CLOSED) {
		status = invert_by_matrices(in, &is_affine);
	}
	in->f->seconds.closed_form += is_affine ? snk_clock_seconds() - begun : 0;
	return !snk_failed(status) && !is_affine ? invert_black_box(in) : status;
}

static snw_status invert_example(fitting *f, uint32_t g, uint32_t member, double progress) {
	const uint32_t e = f->groups[g]->members[member]->example;
	const snw_character_view *character = f->input->character;
	const snw_mesh_view *mesh = character->meshes[f->input->examples[e]->mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	snw_pool pool = snw_pool_open(f->host);
	double *rotations = SNW_POOL_ARRAY(&pool, double, 9 * (size_t)character->skeleton->joint_count);
	inversion in = {.f = f,
					.group = g,
					.example = e,
					.mesh = mesh,
					.progress = progress,
					.rest = SNW_POOL_ARRAY(&pool, double, numbers),
					.posed = SNW_POOL_ARRAY(&pool, double, numbers),
					.after = SNW_POOL_ARRAY(&pool, double, numbers),
					.gap = SNW_POOL_ARRAY(&pool, double, numbers),
					.rest_offsets = SNW_POOL_ARRAY(&pool, double, numbers),
					.posed_offsets = SNW_POOL_ARRAY(&pool, double, numbers),
					.conditioning = SNW_POOL_ARRAY(&pool, double, mesh->point_count),
					.sums = SNW_POOL_ARRAY(&pool, uint64_t, snk_ranges_count(mesh->point_count, POINT_GRAIN)),
					.rotations = rotations,
					.rotation_joints = f->meshes[f->input->examples[e]->mesh].rotation_joints,
					.coefficient = f->member_coefficients[g][member]};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : open_inversion(&in, rotations, &pool);
	status = snk_failed(status) ? status : invert_opened(&in, &pool);
	status = snk_failed(status) ? status : add_all_displacements(&in);
	snw_pool_release(&pool);
	return status;
}

snw_status invert_group(fitting *f, uint32_t g) {
	for (uint32_t m = 0; m < f->groups[g]->member_count; m++) {
		const double progress = (g + (double)m / f->groups[g]->member_count) / f->group_count;
		if (!snw_report_progress(f->host, progress, "inverting sculpts")) {
			return SNW_CANCELLED;
		}
		const snw_status status = invert_example(f, g, m, progress);
		if (snk_failed(status)) {
			return status;
		}
	}
	return SNW_OK;
}
