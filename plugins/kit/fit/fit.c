/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"
#include "sinew/view.h"

/* ---- models -------------------------------------------------------------------------------------------------------------- */

snw_model *snk_model_open(const snw_host *host, size_t bytes) {
	snw_pool pool = snw_pool_open(host);
	snw_pool *made = (snw_pool *)snw_pool_acquire(&pool, 1, bytes);
	if (made) {
		*made = pool;
	}
	return (snw_model *)made;
}

snw_status snk_model_finish(snw_status status, snw_model *made, snw_model **model) {
	if (snk_failed(status)) {
		snk_model_release(made);
	} else {
		*model = made;
	}
	return status;
}

void SNW_CALL snk_model_release(snw_model *model) {
	if (model) {
		snw_pool_release((snw_pool *)model);
	}
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

double snk_parameter_value(const snw_fit_input *input, uint32_t parameter, uint32_t group, uint32_t joint) {
	double value = input->values[parameter].numbers[0];
	int is_of_joint = 0;
	for (uint32_t i = 0; i < input->override_count; i++) {
		const snw_override *override = input->overrides[i];
		const int for_joint = override->scope == SNW_SCOPE_JOINT && joint != SNW_NONE && override->index == joint;
		const int for_group = override->scope == SNW_SCOPE_GROUP && group != SNW_NONE && override->index == group;
		if (override->parameter == parameter && (for_joint || (for_group && !is_of_joint))) {
			value = override->value.numbers[0];
			is_of_joint |= for_joint;
		}
	}
	return value;
}

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values) {
	const snw_proposal_service *proposal = (const snw_proposal_service *)host->service(host, SNW_SERVICE_PROPOSAL);
	if (proposal) {
		const snw_field_view field = {
			.size = sizeof field, .name = name, .domain = domain, .components = 1, .count = count, .values = values};
		(void)proposal->field(host, &(snw_field_proposal){.size = sizeof(snw_field_proposal), .owner = owner, .field = &field});
	}
}

const snw_field_view *snk_field_find(const snw_mesh_view *mesh, const char *name) {
	for (uint32_t f = 0; f < mesh->field_count; f++) {
		const snw_field_view *field = mesh->fields[f];
		if (field->domain == SNW_DOMAIN_POINTS && strcmp(field->name, name) == 0) {
			return field;
		}
	}
	return NULL;
}

void snk_mask_fill(const snw_mesh_view *mesh, const char *name, double without, double *mask) {
	const snw_field_view *field = snk_field_find(mesh, name);
	for (size_t i = 0; i < mesh->point_count; i++) {
		mask[i] = field ? fmin(fmax(field->values[i * field->components], 0), 1) : without;
	}
}

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

enum { PARTS_PER_THREAD = 4 }; /* between two reports */

void snk_ranges_run(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument) {
	const snw_parallel_service *parallel = (const snw_parallel_service *)host->service(host, SNW_SERVICE_PARALLEL);
	if (parallel && count > grain) {
		parallel->run(host, count, grain, range, argument);
		return;
	}
	for (uint32_t begin = 0; begin < count; begin += count - begin < grain ? count - begin : grain) {
		range(argument, begin, count - begin < grain ? count : begin + grain, 0);
	}
}

/* A range that begins elsewhere than at 0. */
typedef struct shifted_range {
	snk_range *range;
	void *argument;
	uint32_t first;
} shifted_range;

static void SNW_CALL run_shifted(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const shifted_range *s = argument;
	s->range(s->argument, s->first + begin, s->first + end, thread);
}

void snk_ranges_run_from(const snw_host *host, uint32_t first, uint32_t count, uint32_t grain, snk_range *range,
						 void *argument) {
	shifted_range shifted = {range, argument, first};
	snk_ranges_run(host, count, grain, run_shifted, &shifted);
}

snw_status snk_ranges_run_reported(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument,
								   const snk_stretch *stretch) {
	const snw_parallel_service *parallel = (const snw_parallel_service *)host->service(host, SNW_SERVICE_PARALLEL);
	const uint64_t most = (uint64_t)grain * PARTS_PER_THREAD * (parallel ? parallel->thread_count(host) : 1);
	for (uint32_t first = 0; first < count;) {
		const double done = stretch->begin + (stretch->end - stretch->begin) * first / count;
		if (!snw_report_progress(host, done, stretch->activity)) {
			return SNW_CANCELLED;
		}
		const uint32_t remaining = count - first, size = remaining < most ? remaining : (uint32_t)most;
		snk_ranges_run_from(host, first, size, grain, range, argument);
		first += size;
	}
	return SNW_OK;
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

static int is_taken(uint32_t candidate, uint32_t count, const uint32_t *chosen) {
	int taken = 0;
	for (uint32_t i = 0; i < count; i++) {
		taken |= chosen[i] == candidate;
	}
	return taken;
}

/* Lowers *left and returns 1 if a candidate gains enough. */
static int choose_next(const snk_forward_choice *choice, uint32_t count, uint32_t *chosen, double *residual) {
	double least = (1 - choice->least_gain) * *residual;
	uint32_t best = SNW_NONE;
	for (uint32_t k = 0; k < choice->candidate_count; k++) {
		if (is_taken(k, count, chosen)) {
			continue;
		}
		chosen[count] = k;
		const double with = choice->residual(choice->context, count + 1, chosen);
		if (with < least) {
			least = with;
			best = k;
		}
	}
	if (best != SNW_NONE) {
		chosen[count] = best;
		*residual = least;
	}
	return best != SNW_NONE;
}

uint32_t snk_choose_forward(const snk_forward_choice *choice, uint32_t *chosen) {
	double residual = choice->before;
	uint32_t count = 0;
	while (count < choice->most && choose_next(choice, count, chosen, &residual)) {
		count++;
	}
	return count;
}
