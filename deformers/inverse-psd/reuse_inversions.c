/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reuses inversions. An inversion through a black box takes up to hundreds of calls, so a model stores a checksum of the
 * inputs of each, and the next fit copies d if they are the same. An inversion in closed form costs less than this check.
 */
#include <string.h>

#include "inverse-psd/fit.h"

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
