/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A method to test fits with: its fit ends as a parameter says, and its model records the input of the fit.
 */
#include "fitter.h"

#include <stdlib.h>

#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/plugin.h"
#include "sinew/report.h"

enum { OUTCOME, AMOUNT, PARAMETERS };
static const char *const outcomes[] = {FITTER_OUTCOMES, NULL};
enum {
	OK,
	WAIT,
	NOT_CONVERGED,
	FAIL,
	NO_MODEL,
	BAD_FIELD,
	PROPOSE,
	SKELETON,
	UNREADABLE,
	CRASH,
	FAIL_SILENTLY,
	COLOR,
	BAD_COLOR,
	OUTCOME_COUNT
};

static const snw_parameter *const parameters[PARAMETERS] = {
	[OUTCOME] = SNW_CHOICE("outcome", "Outcome", "How the fit ends.", outcomes, 0, SNW_STAGE_FIT),
	[AMOUNT] = SNW_NUMBER("amount", "Amount", "Amount.", "m", 0.25, 0, 1, SNW_STAGE_FIT),
};
static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "residual", "Residual", "What is left.", "m", SNW_DOMAIN_POINTS, 1, 1},
	&(const snw_field_info){sizeof(snw_field_info), "tint", "Tint", "A colour for each point.", SNW_UNIT_COLOR,
							SNW_DOMAIN_POINTS, 3, 1},
};
static const snw_descriptor descriptor = {sizeof descriptor,
										  "org.sinew.test.fitter",
										  "test-fitter",
										  "Fitter",
										  "1.0",
										  "",
										  SNW_NEEDS_MESH | SNW_NEEDS_EXAMPLES,
										  0,
										  0,
										  PARAMETERS,
										  parameters,
										  sizeof fields / sizeof *fields,
										  fields};

struct snw_model {
	fitter_record record;
	uint32_t offsets[2], point, coefficient;
	double vector[3];
};

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

static void look_below(const snw_host *host, const snw_fit_input *input, fitter_record *record) {
	const snw_below_service *below = host->service(host, SNW_SERVICE_BELOW);
	const uint32_t index = 5;
	const double *rest = input->character->meshes[0]->points_rest + 15;
	const snw_pose_view *const poses[2] = {input->examples[0]->pose, input->examples[0]->pose};
	double points_rest[6];
	memcpy(points_rest, rest, 3 * sizeof *rest);
	memcpy(points_rest + 3, rest, 3 * sizeof *rest);
	points_rest[3] += 0.5;
	snw_below_call call = {.size = sizeof call,
						   .pose_count = 2,
						   .poses = poses,
						   .count = 1,
						   .indices = &index,
						   .points_rest = points_rest,
						   .points_posed = record->below};
	record->below_status = below->deform(host, &call);
	const snw_below_matrices_call affine_call = {
		.size = sizeof affine_call, .pose = poses[0], .count = 1, .indices = &index, .matrices = record->matrix};
	record->affine_status = below->matrices(host, &affine_call);
	const uint32_t past = 1000000;
	call.pose_count = 1;
	call.indices = &past;
	call.points_posed = points_rest;
	record->past_status = below->deform(host, &call);
	record->rings = below->rings(host, 0);
}

static snw_status propose(const snw_host *host, const snw_character_view *character, const char *field_name) {
	const snw_proposal_service *service = host->service(host, SNW_SERVICE_PROPOSAL);
	const uint32_t points = character->meshes[0]->point_count, joints = character->skeleton->joint_count;
	double *values = calloc(points, sizeof *values), *weights = calloc(points, sizeof *weights);
	uint32_t *offsets = calloc(points + 1, sizeof *offsets), *slots = calloc(points, sizeof *slots);
	for (uint32_t i = 0; i < points; i++) {
		values[i] = i;
		weights[i] = 1;
		offsets[i + 1] = i + 1;
		slots[i] = 1;
	}
	const snw_field_view field = {sizeof field, field_name, SNW_DOMAIN_POINTS, 1, points, values};
	const snw_field_proposal of_field = {sizeof of_field, 0, &field};
	const snw_weights_proposal of_weights = {sizeof of_weights, 0, offsets, slots, weights};
	snw_status status = service->field(host, &of_field);
	status = status == SNW_OK ? service->weights(host, &of_weights) : status;
	snw_transform *local = malloc(joints * sizeof *local);
	memcpy(local, character->skeleton->rest_local, joints * sizeof *local);
	local[1].translation[1] += 0.125;
	const snw_pose_view views[2] = {
		{.size = sizeof *views, .joint_count = joints, .local = character->skeleton->rest_local},
		{.size = sizeof *views, .joint_count = joints, .local = local},
	};
	const snw_pose_view *const poses[2] = {&views[0], &views[1]};
	const double seconds[2] = {0, 0.5};
	const snw_pose_proposal of_pose = {sizeof of_pose, "proposed", poses[1]};
	const snw_track_proposal of_track = {sizeof of_track, "tracked", 2, seconds, poses};
	status = status == SNW_OK ? service->pose(host, &of_pose) : status;
	status = status == SNW_OK ? service->track(host, &of_track) : status;
	float *frames = calloc((size_t)6 * points, sizeof *frames);
	for (size_t i = 0; i < (size_t)6 * points; i++) {
		frames[i] = (float)(i % 100);
	}
	const snw_target_proposal of_target = {
		.size = sizeof of_target, .name = "meant", .frame_count = 2, .seconds = seconds, .points_posed = frames};
	status = status == SNW_OK ? service->target(host, &of_target) : status;
	free(frames);
	free(local);
	free(values);
	free(weights);
	free(offsets);
	free(slots);
	return status;
}

/* Red up to `most`. */
static snw_status propose_color(const snw_host *host, const snw_character_view *character, double most) {
	const snw_proposal_service *service = host->service(host, SNW_SERVICE_PROPOSAL);
	const uint32_t points = character->meshes[0]->point_count;
	double *values = calloc(points, 3 * sizeof *values);
	for (uint32_t i = 0; i < points; i++) {
		values[3 * (size_t)i] = most * (i + 1) / points;
	}
	const snw_field_view field = {sizeof field, "tint", SNW_DOMAIN_POINTS, 3, points, values};
	const snw_field_proposal proposal = {sizeof proposal, 0, &field};
	const snw_status status = service->field(host, &proposal);
	free(values);
	return status;
}

static snw_status propose_skeleton(const snw_host *host) {
	const snw_proposal_service *service = host->service(host, SNW_SERVICE_PROPOSAL);
	const char *const names[] = {"a", "b"};
	const uint32_t parents[] = {SNW_NONE, 0}, slot_joints[] = {0, 1};
	const snw_transform rest[2] = {{.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
								   {.translation = {1, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}};
	const double inverse_binds[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0};
	const snw_skeleton_view skeleton = {
		.size = sizeof skeleton, .joint_count = 2, .names = names, .parents = parents, .rest_local = rest};
	const snw_skeleton_proposal proposal = {sizeof proposal, &skeleton, 2, slot_joints, inverse_binds};
	return service->skeleton(host, &proposal);
}

static snw_status end_as_set(const snw_host *host, const snw_fit_input *input) {
	switch ((int)input->values[OUTCOME].numbers[0]) {
	case WAIT:
		while (snw_report_progress(host, 0.5, "waiting")) {
		}
		return SNW_CANCELLED;
	case NOT_CONVERGED:
		return snw_report_fail(host, SNW_NOT_CONVERGED, "stopped after %d steps", 7);
	case FAIL:
		return snw_report_fail(host, SNW_ERROR_SINGULAR, "example '%s' is singular\nat point 3", input->examples[0]->name);
	case FAIL_SILENTLY:
		return SNW_ERROR_DATA;
	case BAD_FIELD:
		return propose(host, input->character, "undeclared");
	case PROPOSE:
		return propose(host, input->character, "residual");
	case SKELETON:
		return propose_skeleton(host);
	case COLOR:
	case BAD_COLOR:
		return propose_color(host, input->character, input->values[OUTCOME].numbers[0] == COLOR ? 1 : 1.25);
	case CRASH:
		abort();
	default:
		return SNW_OK;
	}
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_status status = end_as_set(instance->host, input);
	if (status < 0 || status == SNW_CANCELLED || input->values[OUTCOME].numbers[0] == NO_MODEL) {
		return status;
	}
	snw_model *made = calloc(1, sizeof *made);
	made->record.outcome = (uint32_t)input->values[OUTCOME].numbers[0];
	made->record.amount = input->values[AMOUNT].numbers[0];
	made->record.example_count = input->example_count;
	made->record.group_count = input->group_count;
	for (uint32_t g = 0; g < input->group_count; g++) {
		made->record.member_count += input->groups[g]->member_count;
	}
	look_below(instance->host, input, &made->record);
	*model = made;
	return status;
}

static void release(snw_model *model) {
	free(model);
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

static void layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout), .d_count = 1});
}

static snw_status drive(const snw_drive_call *call) {
	call->output->d[0] = call->model->record.amount;
	return SNW_OK;
}

/* Moves point 0 of the first mesh along y. */
static snw_status lower(const snw_lower_call *call) {
	static const uint64_t offsets[2] = {0, 1};
	static const uint32_t zero = 0;
	static const double vector[3] = {0, 1, 0};
	static const snw_displacements rest = {
		.size = sizeof rest, .count = 1, .coefficients = &zero, .offsets = offsets, .points = &zero, .vectors = vector};
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part), .rest = call->mesh == 0 ? &rest : NULL});
	return SNW_OK;
}

static snw_status save(const snw_model *model, const snw_sink *sink) {
	return sink->write(sink->context, &model->record, sizeof model->record);
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	snw_model *made = calloc(1, sizeof *made);
	if (call->count == sizeof made->record) {
		memcpy(&made->record, call->bytes, call->count);
	}
	if (call->count != sizeof made->record || made->record.outcome == UNREADABLE) {
		free(made);
		return snw_report_fail(call->host, SNW_ERROR_DATA, "these are not its bytes");
	}
	*model = made;
	return SNW_OK;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
};

SNW_PLUGIN(deformer)
