/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the functions that run: drive and deform.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "validate/checks/checks.h"

enum { SPLITS = 6 };

/* ---- drive --------------------------------------------------------------------------------------------------------------- */

/* State that evaluation must not change: the host's memory, and the number of thread rule violations. */
typedef struct quiet {
	size_t bytes;
	uint64_t violations;
} quiet;

static quiet read_quiet(const harness *b) {
	return (quiet){snw_services_bytes(b->services), snw_thread_violations()};
}

static snw_status check_quiet(const harness *b, quiet before, const char *function, snw_error *finding) {
	const quiet current = read_quiet(b);
	if (current.violations != before.violations || current.bytes != before.bytes) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "%s calls host services that its thread rule forbids", function);
	}
	return SNW_OK;
}

/* Every example that a coefficient belongs to must be one of the fit's. */
static snw_status check_examples(const harness *b, const snw_model_layout *layout, snw_error *finding) {
	for (uint64_t k = 0; layout->coefficient_examples && k < (uint64_t)layout->d_count + layout->e_count; k++) {
		const char *name = layout->coefficient_examples[k];
		bool is_known = name == NULL;
		for (uint32_t e = 0; e < b->input->example_count && !is_known; e++) {
			is_known = strcmp(b->input->examples[e]->name, name) == 0;
		}
		if (!is_known) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"its layout says that coefficient %llu belongs to example '%s', which the fit did not have",
							(unsigned long long)k, name);
		}
	}
	return SNW_OK;
}

snw_status snw_validate_drive(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	harness_driven first, second = {0};
	const quiet before = read_quiet(b);
	snw_status status = harness_driven_make(b, b->model, &first, finding);
	status = snw_failed(status) ? status : harness_driven_make(b, b->model, &second, finding);
	status = snw_failed(status) ? status : check_examples(b, &first.layout, finding);
	for (uint32_t p = 0; !snw_failed(status) && p < b->scene->pose_count; p++) {
		status = harness_drive(b, b->model, p, 0, &first, finding);
		status = snw_failed(status) ? status : harness_drive(b, b->model, p, 0xFF, &second, finding);
		if (!snw_failed(status) && memcmp(first.block, second.block, first.block_count * sizeof *first.block) != 0) {
			status = snw_fail(finding, SNW_ERROR_INTERNAL,
							  "drive gives different bits at pose '%s' when its scratch has other contents",
							  b->scene->poses[p].name);
		}
	}
	status = snw_failed(status) ? status : check_quiet(b, before, "drive", finding);
	harness_driven_free(&first);
	harness_driven_free(&second);
	if (snw_failed(status)) {
		return status;
	}
	return first.layout.z_count + first.layout.d_count + first.layout.e_count > 0
			   ? snw_fail(finding, SNW_OK, "z %u, d %u, e %u, nothing written beyond", first.layout.z_count,
						  first.layout.d_count, first.layout.e_count)
			   : snw_fail(finding, SNW_OK, "nothing to drive");
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

/* Runs a pass in several ranges, and compares it with the same pass in one range. */
typedef struct split_run {
	const harness *b;
	uint32_t pose, mesh, pass, point_count;
	const harness_driven *driven;
	const double *below, *in, *whole;
	double *out;
	void *prepared;
} split_run;

static snw_status run_range(const split_run *run, uint32_t begin, uint32_t end, unsigned char fill, double *out) {
	const harness *b = run->b;
	const size_t bytes = run->driven->layout.scratch_bytes;
	snw_deform_call call = harness_deform_call(b, b->model, run->pose, run->driven, run->mesh);
	call.pass = run->pass;
	call.begin = begin;
	call.end = end;
	call.points_below = run->below;
	call.points_in = run->in;
	call.points_out = out;
	call.scratch = harness_scratch(bytes, fill);
	call.prepared = run->prepared;
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = b->deformer->descriptor->short_name, .function = "deform"});
	const snw_status status = snw_deny_caveat(b->deformer->deform(&call));
	snw_thread_leave(previous);
	return harness_scratch_end(bytes, call.scratch) ? status : SNW_ERROR_LIMIT;
}

static snw_status prepare_pass(const split_run *run, snw_error *finding) {
	const harness *b = run->b;
	if (!b->deformer->prepare) {
		return SNW_OK;
	}
	snw_deform_call call = harness_deform_call(b, b->model, run->pose, run->driven, run->mesh);
	call.pass = run->pass;
	call.points_below = run->below;
	call.points_in = run->in;
	call.scratch = harness_scratch(run->driven->layout.scratch_bytes, 0x5A);
	call.prepared = run->prepared;
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = b->deformer->descriptor->short_name, .function = "prepare"});
	const snw_status status = snw_deny_caveat(b->deformer->prepare(&call));
	snw_thread_leave(previous);
	if (!harness_scratch_end(run->driven->layout.scratch_bytes, call.scratch)) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "prepare writes past the end of its scratch");
	}
	return !snw_failed(status) ? SNW_OK
							   : snw_fail(finding, status, "prepare fails at pose '%s': it %s", b->scene->poses[run->pose].name,
										  snw_status_words(status));
}

/* Runs the ranges out of order, each into an array of marks in which only its own points may change. */
static snw_status check_ranges(const split_run *run, uint64_t *random, snw_error *finding) {
	static const double mark = -7.7777e77;
	const char *mesh = run->b->scene->meshes[run->mesh].name;
	for (int i = 0; i < SPLITS; i++) {
		const uint32_t a = (uint32_t)(snw_random_next(random) % (run->point_count + 1));
		const uint32_t b = (uint32_t)(snw_random_next(random) % (run->point_count + 1));
		const uint32_t begin = a < b ? a : b, end = a < b ? b : a;
		for (size_t k = 0; k < (size_t)3 * run->point_count; k++) {
			run->out[k] = mark;
		}
		const snw_status status = run_range(run, begin, end, (unsigned char)snw_random_next(random), run->out);
		if (snw_failed(status)) {
			return snw_fail(finding, status, "deform fails on points %u to %u of mesh '%s': it %s", begin, end, mesh,
							snw_status_words(status));
		}
		for (uint32_t k = 0; k < run->point_count; k++) {
			const double *got = run->out + (size_t)3 * k, *wanted = run->whole + (size_t)3 * k;
			const bool inside = k >= begin && k < end;
			if (!inside && (got[0] != mark || got[1] != mark || got[2] != mark)) {
				return snw_fail(finding, SNW_ERROR_INTERNAL, "deform of points %u to %u of mesh '%s' writes point %u", begin,
								end, mesh, k);
			}
			if (inside && memcmp(got, wanted, 3 * sizeof *got) != 0) {
				return snw_fail(
					finding, SNW_ERROR_INTERNAL,
					"deform gives point %u of mesh '%s' different bits in the range %u to %u than in the whole mesh", k, mesh,
					begin, end);
			}
		}
	}
	return SNW_OK;
}

static snw_status check_finite(const split_run *run, snw_error *finding) {
	for (size_t k = 0; k < (size_t)3 * run->point_count; k++) {
		if (!isfinite(run->whole[k])) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"deform gives point %zu of mesh '%s' coordinates that are not finite at pose '%s'", k / 3,
							run->b->scene->meshes[run->mesh].name, run->b->scene->poses[run->pose].name);
		}
	}
	return SNW_OK;
}

static snw_status check_pass(split_run *run, double *whole, uint64_t *random, snw_error *finding) {
	const size_t bytes = (size_t)3 * run->point_count * sizeof(double);
	const snw_status ready = prepare_pass(run, finding);
	if (snw_failed(ready)) {
		return ready;
	}
	double *in = malloc(bytes);
	memcpy(in, run->in, bytes);
	snw_status status = run_range(run, 0, run->point_count, 0, whole);
	run->whole = whole;
	if (status == SNW_ERROR_LIMIT) {
		snw_fail(finding, status, "deform writes past the end of its scratch");
	} else if (snw_failed(status)) {
		snw_fail(finding, status, "deform fails at pose '%s': it %s", run->b->scene->poses[run->pose].name,
				 snw_status_words(status));
	} else if (memcmp(in, run->in, bytes) != 0) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "deform writes to its input points");
	} else {
		status = check_finite(run, finding);
		status = snw_failed(status) ? status : check_ranges(run, random, finding);
	}
	free(in);
	return status;
}

static snw_status check_mesh(const harness *b, uint32_t pose, uint32_t mesh, const harness_driven *driven_output,
							 uint64_t *random, snw_error *finding) {
	const snw_mesh *geometry = &b->scene->meshes[mesh];
	const size_t bytes = (size_t)3 * geometry->point_count * sizeof(double);
	const size_t prepared_bytes = driven_output->layout.prepared_bytes;
	double *in = malloc(bytes), *whole = malloc(bytes), *out = malloc(bytes);
	void *prepared = harness_scratch(prepared_bytes, 0x5A);
	memcpy(in, geometry->points_rest, bytes);
	const uint32_t passes = harness_passes(b, b->model);
	snw_status status = passes <= SNW_MOST_PASSES
							? SNW_OK
							: snw_fail(finding, SNW_ERROR_LIMIT, "passes asks for more than %d", SNW_MOST_PASSES);
	for (uint32_t pass = 0; !snw_failed(status) && pass < passes; pass++) {
		split_run run = {.b = b,
						 .pose = pose,
						 .mesh = mesh,
						 .pass = pass,
						 .point_count = geometry->point_count,
						 .driven = driven_output,
						 .below = geometry->points_rest,
						 .in = in,
						 .out = out,
						 .prepared = prepared};
		status = check_pass(&run, whole, random, finding);
		memcpy(in, whole, bytes);
	}
	free(in);
	free(whole);
	free(out);
	if (!harness_scratch_end(prepared_bytes, prepared) && !snw_failed(status)) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "prepare writes past the end of the memory that its layout asks for");
	}
	return status;
}

snw_status snw_validate_deform(harness *b, const check_settings *settings, snw_error *finding) {
	if (!b->deformer->deform) {
		return snw_fail(finding, SNW_OK, "no deform; it always lowers");
	}
	uint64_t random = settings->seed;
	harness_driven output;
	const quiet before = read_quiet(b);
	snw_status status = harness_driven_make(b, b->model, &output, finding);
	for (uint32_t p = 0; !snw_failed(status) && p < b->scene->pose_count; p++) {
		status = harness_drive(b, b->model, p, 0, &output, finding);
		for (uint32_t m = 0; !snw_failed(status) && m < b->scene->mesh_count; m++) {
			status = check_mesh(b, p, m, &output, &random, finding);
		}
	}
	harness_driven_free(&output);
	status = snw_failed(status) ? status : check_quiet(b, before, "one of passes, prepare and deform", finding);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "any split into ranges gives the same bits");
}
