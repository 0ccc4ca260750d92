/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting, mesh by mesh.
 */
#include "sad/fit.h"

#include <math.h>
#include <time.h>

#include "sinew/report.h"

enum { ROUNDS = 12 };
static const double least_gain = 2e-3;

double seconds_now(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static snw_status go_on(const mesh_fit *f, double fraction, const char *what) {
	const double meshes = f->input->character->mesh_count;
	return snw_report_progress(f->host, (f->mesh + fraction) / meshes, what) || f->in_a_hurry ? SNW_OK : SNW_CANCELLED;
}

/* ---- transforms ------------------------------------------------------------------------------------------------------------ */

static snw_transform_kind kind_of(const double *values) {
	if (values[TRANSFORMS] == AFFINE) {
		return SNW_TRANSFORMS_AFFINE;
	}
	return values[BLEND] == BLEND_LINEAR ? SNW_TRANSFORMS_RIGID : SNW_TRANSFORMS_DUAL_QUATERNION;
}

/* The linear system makes the algebraic error small; steps on the distance follow. */
static snw_status step_closer(mesh_fit *f, snw_transform_fit how) {
	const double begun = seconds_now();
	how.linear_only = 0;
	how.warm = 1;
	const snw_status status = snw_transforms_fit(&how, &f->transforms);
	f->seconds.steps += seconds_now() - begun;
	return status;
}

snw_status fit_transforms(mesh_fit *f) {
	const double begun = seconds_now();
	const snw_transform_fit how = {
		.host = f->host, .motion = &f->motion, .graph = &f->graph, .rounds = ROUNDS, .enough = least_gain, .linear_only = 1};
	const snw_transform_kind kind = kind_of(f->input->values);
	snw_status status = snw_transforms_make(&f->found, kind, f->influences.joint_count, &f->motion, &f->transforms);
	if (status == SNW_OK) {
		status = snw_transforms_fit(&how, &f->transforms);
	}
	f->seconds.transforms += seconds_now() - begun;
	if (status == SNW_OK && kind == SNW_TRANSFORMS_DUAL_QUATERNION) {
		status = go_on(f, 0.25, "fitting transforms closer");
		status = status == SNW_OK ? step_closer(f, how) : status;
	}
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

snw_status find_details(mesh_fit *f) {
	const double begun = seconds_now();
	const uint32_t wanted = (uint32_t)f->input->values[EIGEN];
	f->details.count = 0;
	const snw_status status = wanted == 0 ? SNW_OK
										  : snw_eigen_details_of_points(f->host, &f->motion, &f->influences, &f->transforms,
																		wanted, &f->found, &f->details);
	f->seconds.details += seconds_now() - begun;
	return status;
}

static void forget(mesh_fit *f) {
	if (f->has_graph) {
		snw_blend_graph_drop(&f->graph);
		f->has_graph = 0;
	}
	snw_pool_release(&f->found);
	f->found = snw_pool_open(f->host);
}

snw_status fit_joints(mesh_fit *f, uint32_t joint_count) {
	forget(f);
	snw_status status = choose_joints(f, joint_count);
	status = status == SNW_OK ? go_on(f, 0.2, "fitting transforms") : status;
	status = status == SNW_OK ? fit_transforms(f) : status;
	status = status == SNW_OK ? refine_fit(f) : status;
	status = status == SNW_OK && !f->stopped ? go_on(f, 0.9, "finding details") : status;
	status = status == SNW_OK ? find_details(f) : status;
	return status == SNW_OK ? measure_fit(f) : status;
}

static int is_near_enough(const mesh_fit *f) {
	return !(f->distortion > f->input->values[ERROR]); /* a still mesh has no distortion */
}

/* Where between two numbers of joints the error should be met, if it falls by a power of theirs. */
static uint32_t guess_between(uint32_t few, double few_error, uint32_t enough, double enough_error, double wanted) {
	const double power = log(few_error / enough_error) / log((double)enough / few);
	const double guess = enough * pow(enough_error / wanted, 1 / power);
	const uint32_t middle = few + (enough - few) / 2;
	return guess > few && guess < enough ? (uint32_t)guess + (guess < enough - 1) : middle;
}

/* Doubles the number of joints until the error is met, or can be no more. */
static snw_status double_joints(mesh_fit *f, uint32_t most, uint32_t *few, double *few_error, uint32_t *enough) {
	for (*enough = 1;; *enough = 2 * *enough < most ? 2 * *enough : most) {
		const snw_status status = fit_joints(f, *enough);
		if (status != SNW_OK || f->stopped || is_near_enough(f) || *enough == most || f->influences.joint_count < *enough) {
			return status;
		}
		*few = *enough;
		*few_error = f->distortion;
	}
}

/* The smallest number of joints that meets the error, the last one fitted. */
static snw_status find_joint_count(mesh_fit *f) {
	const uint32_t most = f->motion.point_count < MOST_AUTO_JOINTS ? f->motion.point_count : MOST_AUTO_JOINTS;
	const double wanted = f->input->values[ERROR];
	uint32_t few = 0, enough = 1, last;
	double few_error = 0;
	snw_status status = double_joints(f, most, &few, &few_error, &enough);
	double enough_error = f->distortion;
	last = enough;
	const int reached = status == SNW_OK && is_near_enough(f);
	while (reached && status == SNW_OK && !f->stopped && enough - few > 1) {
		last = guess_between(few, few_error, enough, enough_error, wanted);
		status = fit_joints(f, last);
		*(is_near_enough(f) ? &enough : &few) = last;
		*(is_near_enough(f) ? &enough_error : &few_error) = f->distortion;
	}
	if (status == SNW_OK && !f->stopped && last != enough) {
		status = fit_joints(f, enough);
	}
	if (status == SNW_OK && !is_near_enough(f)) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s': %u joints leave %.4g %%, more than the %g %% asked for",
						f->input->character->meshes[f->mesh].name, f->influences.joint_count, f->distortion, wanted);
	}
	return status;
}

/* What is left in each frame, of all meshes in turn. */
typedef struct frame_errors {
	double *values; /* of all sequences and targets */
	uint32_t count;
} frame_errors;

static uint64_t count_frames(const snw_fit_input *input) {
	uint64_t count = 0;
	for (uint32_t i = 0; i < input->sequence_count; i++) {
		count += input->sequences[i].frame_count;
	}
	for (uint32_t i = 0; i < input->target_count; i++) {
		count += input->targets[i].frame_count;
	}
	return count;
}

static void add_frame_errors(const mesh_fit *f, frame_errors *all) {
	for (uint32_t frame = 0; frame < f->motion.frame_count; frame++) {
		all->values[all->count++] = sqrt(f->squares[frame] / f->motion.point_count);
	}
}

static snw_status fit_mesh(mesh_fit *f, frame_errors *errors, snw_model *model) {
	const double begun = seconds_now();
	snw_status status = go_on(f, 0, "reading frames");
	status = status == SNW_OK ? read_frames(f) : status;
	f->seconds.reading = seconds_now() - begun;
	if (status != SNW_OK || f->motion.frame_count == 0) {
		return status;
	}
	const uint32_t wanted = (uint32_t)f->input->values[JOINTS];
	status = wanted == JOINTS_AUTO && !has_rig(f) ? find_joint_count(f) : fit_joints(f, wanted);
	status = status == SNW_OK ? fit_normals(f) : status;
	status = status == SNW_OK ? keep_mesh(f, model) : status;
	if (status == SNW_OK) {
		report_mesh(f);
		add_frame_errors(f, errors);
	}
	return status;
}

/* All meshes. Once the user has stopped a refinement the others are fitted without one: a model has all of them or it is none. */
static snw_status fit_meshes(const snw_host *host, const snw_fit_input *input, frame_errors *errors, snw_model *model) {
	snw_status status = SNW_OK;
	uint32_t refinements = 0;
	int stopped = 0;
	for (uint32_t m = 0; status == SNW_OK && m < model->mesh_count; m++) {
		mesh_fit f = {.host = host,
					  .input = input,
					  .mesh = m,
					  .pool = snw_pool_open(host),
					  .found = snw_pool_open(host),
					  .spread = -1,
					  .normal_angle = -1,
					  .in_a_hurry = stopped};
		model->meshes[m].point_count = input->character->meshes[m].point_count;
		status = fit_mesh(&f, errors, model);
		refinements = f.stopped ? f.refinements : refinements;
		stopped |= f.stopped;
		forget(&f);
		snw_pool_release(&f.pool);
	}
	return status == SNW_OK && stopped
			   ? snw_report_fail(host, SNW_NOT_CONVERGED, "stopped after %u refinements: this is the best so far", refinements)
			   : status;
}

static snw_status run(const snw_host *host, const snw_fit_input *input, snw_model *model) {
	const snw_character_view *character = input->character;
	if (input->values[TRANSFORMS] == AFFINE && input->values[BLEND] == BLEND_DUAL_QUATERNION) {
		return snw_report_fail(host, SNW_ERROR_ARGUMENT,
							   "affine transforms blend linearly: leave blend=dual-quaternion out, or set transforms=rigid");
	}
	model->width = snw_transform_width(kind_of(input->values));
	model->mesh_count = character->mesh_count;
	model->meshes = SNW_POOL_ARRAY(&model->pool, sad_mesh, character->mesh_count);
	model->tracks = SNW_POOL_ARRAY(&model->pool, sad_track, (size_t)input->sequence_count + input->target_count);
	snw_pool scratch = snw_pool_open(host);
	frame_errors errors = {.values = SNW_POOL_ARRAY(&scratch, double, count_frames(input))};
	snw_status status = SNW_ERROR_MEMORY;
	if (!model->pool.failed && !scratch.failed) {
		status = fit_meshes(host, input, &errors, model);
	}
	if (status == SNW_OK && model->track_count == 0) {
		status = snw_report_fail(
			host, SNW_ERROR_MISSING,
			"no mesh has a sequence or a target: import one with sinew import --sequence, or add one with sinew "
			"target");
	}
	if (status >= 0 && status != SNW_CANCELLED) {
		propose_frame_errors(host, errors.count, errors.values);
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool kept = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&kept, snw_model, 1);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	made->pool = kept;
	const snw_status status = run(instance->host, input, made);
	if (status < 0 || status == SNW_CANCELLED) {
		release(made);
		return status;
	}
	*model = made;
	return status;
}
