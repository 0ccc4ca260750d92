/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the functions read parameters of their stages alone. A model is kept while settings of stage FIT change, until the
 * next fit: what it evaluates to must not change with them.
 */
#include "plugin/requirements.h"
#include "validate/checks/checks.h"
#include "validate/checks/draw_values.h"
#include "validate/trial/evaluation_hash.h"

enum { THINGS = 3 }; /* that are drawn of a vector, a colour, a joint, a field, a text or a file */

/* The n-th value that is tried: every choice, the ends of a slider, or things by chance. False if there are not so many. */
static bool try_value(const harness *b, const snw_parameter *p, uint32_t n, uint64_t *random, drawn_files *files,
					  snw_value *value) {
	if (draw_thing(random, p, b->scene, files, value)) {
		return n < THINGS;
	}
	if (p->kind == SNW_PARAMETER_CHOICE || p->kind == SNW_PARAMETER_SWITCH) {
		value->numbers[0] = p->minimum + n;
		return value->numbers[0] <= p->maximum;
	}
	value->numbers[0] = n == 0 ? p->soft_minimum : p->soft_maximum;
	return n < 2;
}

/* The function that reads a value of the stage although it may not; NULL for none. */
static const char *find_reader(const evaluation_hash *before, const evaluation_hash *after, int32_t stage) {
	return before->driven != after->driven                               ? "drive"
		   : before->deformed != after->deformed                         ? "one of passes, prepare and deform"
		   : stage == SNW_STAGE_FIT && before->lowered != after->lowered ? "lower"
																		 : NULL;
}

static snw_status check_parameter(harness *b, uint32_t parameter, const evaluation_hash *wanted, uint64_t *random,
								  snw_error *finding) {
	const snw_parameter *p = b->deformer->descriptor->parameters[parameter];
	const snw_value usual = b->values[parameter];
	drawn_files files = draw_files(b);
	const char *reader = NULL;
	snw_status status = SNW_OK;
	for (uint32_t n = 0; !snw_failed(status) && !reader && try_value(b, p, n, random, &files, &b->values[parameter]); n++) {
		snw_validate_note("with another value of '%s' than its fit had", p->key);
		evaluation_hash found;
		status = harness_hash_evaluation(b, b->model, &found, finding);
		reader = snw_failed(status) ? NULL : find_reader(wanted, &found, p->stage);
	}
	draw_files_close(&files);
	b->values[parameter] = usual;
	snw_validate_note("%s", "");
	if (!reader) {
		return status;
	}
	return p->stage == SNW_STAGE_FIT
			   ? snw_fail(
					 finding, SNW_ERROR_INTERNAL,
					 "%s reads the parameter '%s', which is of stage fit; let fit keep its value in the model, or give the "
					 "parameter the stage of its reader",
					 reader, p->key)
			   : snw_fail(finding, SNW_ERROR_INTERNAL,
						  "%s reads the parameter '%s', which is of stage lower; give the parameter the stage drive", reader,
						  p->key);
}

snw_status snw_validate_stages(harness *b, const check_settings *settings, snw_error *finding) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	uint64_t random = settings->seed;
	uint32_t tried = 0;
	snw_status status = SNW_OK;
	if (snw_proposes_only(descriptor)) {
		return snw_fail(finding, SNW_OK, "it proposes and evaluates nothing");
	}
	evaluation_hash wanted;
	status = harness_hash_evaluation(b, b->model, &wanted, finding);
	for (uint32_t i = 0; i < descriptor->parameter_count && !snw_failed(status); i++) {
		if (descriptor->parameters[i]->stage < SNW_STAGE_DRIVE) {
			status = check_parameter(b, i, &wanted, &random, finding);
			tried++;
		}
	}
	return snw_failed(status) ? status
		   : tried > 0        ? snw_fail(finding, SNW_OK, "%u parameter%s of earlier stages, none of them read later", tried,
                                  tried == 1 ? "" : "s")
							  : snw_fail(finding, SNW_OK, "all its parameters are of stage drive");
}
