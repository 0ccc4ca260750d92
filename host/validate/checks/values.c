/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of values: a deformer must accept all values that its table allows. In the short one numbers, integers, switches
 * and choices keep their defaults; vectors, colours, joints, fields, texts and files get random values. The long one draws them
 * all.
 */
#include "sinew/kit/clock.h"
#include "validate/checks/checks.h"
#include "validate/checks/draw_values.h"

enum { LEAST_DRAWS = 2, DRAWS = 12, POSES = 4 };

/* ---- the check ----------------------------------------------------------------------------------------------------------- */

/* A fit may refuse values, such as a file that it cannot read, but with a legal status and a message. */
snw_status snw_validate_try_values(harness *b, uint64_t *random, uint32_t *refused, snw_error *finding) {
	snw_error fault = {0};
	snw_status status = harness_fit(b, &fault);
	if (snw_failed(status)) {
		++*refused;
		status = status == SNW_ERROR_INTERNAL ? snw_fail(finding, status, "%s", fault.text) : SNW_OK;
	} else {
		status = snw_validate_finite_poses(b, random, POSES, finding);
	}
	const snw_status released = harness_release(b, &fault);
	return !snw_failed(status) && snw_failed(released) ? snw_fail(finding, released, "%s", fault.text) : status;
}

snw_status snw_validate_values(harness *b, const check_settings *settings, snw_error *finding) {
	uint64_t random = settings->seed;
	const snw_descriptor *descriptor = b->deformer->descriptor;
	const double end = snk_clock_seconds() + settings->budget_seconds;
	uint32_t drawn = 0, refused = 0, tried = 0;
	drawn_files files = draw_files(b);
	for (; tried < LEAST_DRAWS || (tried < DRAWS && snk_clock_seconds() < end); tried++) {
		drawn = 0;
		for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
			drawn += draw_thing(&random, descriptor->parameters[i], b->scene, &files, &b->values[i]);
		}
		if (drawn == 0) {
			return snw_fail(finding, SNW_OK, "no vectors, colours, joints, fields, texts or files among its parameters");
		}
		const snw_status status = snw_validate_try_values(b, &random, &refused, finding);
		draw_files_close(&files);
		if (snw_failed(status)) {
			return status;
		}
	}
	return snw_fail(finding, SNW_OK, "%u draws of %u values, %u of them refused", tried, drawn, refused);
}

/* ---- all parameters, for a time ------------------------------------------------------------------------------------------ */

/* Each round has a seed of its own, so that one round can be repeated. */
snw_status snw_validate_random(harness *b, const check_settings *settings, snw_error *finding) {
	const double end = snk_clock_seconds() + settings->random_seconds;
	uint32_t refused = 0, tried = 0;
	uint64_t seed = settings->seed;
	drawn_files files = draw_files(b);
	do {
		uint64_t random = seed;
		draw_values(&random, b, SNW_STAGE_FIT, &files);
		snw_validate_note("with the values of seed %llu", (unsigned long long)seed);
		snw_error fault = {0};
		const snw_status status = snw_validate_try_values(b, &random, &refused, &fault);
		draw_files_close(&files);
		tried++;
		if (snw_failed(status)) {
			return snw_fail(finding, status, "%.800s; repeat with --reproduce %llu", fault.text, (unsigned long long)seed);
		}
		seed = (uint32_t)(seed + 1);
	} while (snk_clock_seconds() < end);
	return snw_fail(finding, SNW_OK, "%u draws of all values, %u of them refused", tried, refused);
}
