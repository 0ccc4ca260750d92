/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "eigenskin/eigenskin.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- the guard ----------------------------------------------------------------------------------------------------------- */

typedef struct learned_points {
	const mesh_fit *f;
	const snw_below_service *below;
	point_numbers numbers;
} learned_points;

static snw_status pose_rest(const learned_points *l, const snw_pose_view *pose, const double *rest, double *posed) {
	const snw_below_call call = {.size = sizeof call,
								 .mesh = l->f->mesh_index,
								 .pose_count = 1,
								 .poses = &pose,
								 .count = l->f->mesh->point_count,
								 .points_rest = rest,
								 .points_posed = posed};
	return l->below->deform(l->f->host, &call);
}

/* Whether any function of a joint is not 0, as all are at rest: most joints are, where one is rotated alone. */
static int has_functions(const mesh_fit *f, uint32_t joint, const double *features) {
	uint32_t a = 0;
	while (a < f->drivers[joint].count && features[f->firsts[joint] + a] == 0) {
		a++;
	}
	return a < f->drivers[joint].count;
}

static void add_offset(const learned_points *l, uint32_t point, const double *features, const unsigned char *acts,
					   double *rest) {
	const mesh_fit *f = l->f;
	const near_joints *near = &f->near[point];
	for (uint32_t k = 0; k < near->count; k++) {
		if (!acts[near->joints[k]]) {
			continue;
		}
		const double *values = features + f->firsts[near->joints[k]];
		for (uint32_t a = 0; a < f->drivers[near->joints[k]].count; a++) {
			for (int c = 0; c < 3; c++) {
				rest[c] += values[a] * l->numbers[point][k][a][c];
			}
		}
	}
}

static snw_status SNW_CALL place_points(const void *learned, const snw_pose_view *pose, double *below, double *points) {
	const learned_points *l = learned;
	const mesh_fit *f = l->f;
	snw_pool pool = snw_pool_open(f->host);
	double *features = SNW_POOL_ARRAY(&pool, double, f->feature_count);
	unsigned char *acts = SNW_POOL_ARRAY(&pool, unsigned char, f->joint_count);
	double *rest = SNW_POOL_ARRAY(&pool, double, 3 * (size_t)f->mesh->point_count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : pose_rest(l, pose, f->mesh->points_rest, below);
	if (!snk_failed(status)) {
		for (uint32_t j = 0; j < f->joint_count; j++) {
			driver_functions(&f->drivers[j], f->width, pose->rotation_vectors + 3 * (size_t)j, features + f->firsts[j]);
			acts[j] = (unsigned char)has_functions(f, j, features);
		}
		memcpy(rest, f->mesh->points_rest, 3 * (size_t)f->mesh->point_count * sizeof *rest);
		for (uint32_t i = 0; i < f->mesh->point_count; i++) {
			add_offset(l, i, features, acts, rest + 3 * (size_t)i);
		}
		status = pose_rest(l, pose, rest, points);
	}
	snw_pool_release(&pool);
	return status;
}

static snw_status SNW_CALL learn_without(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned) {
	const learned_points *from = context;
	learned_points *l = SNW_POOL_ARRAY(pool, learned_points, 1);
	point_numbers numbers = snw_pool_acquire(pool, from->f->mesh->point_count, sizeof *numbers);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	regression r = {.f = from->f, .folds = out->folds, .fold = out->fold, .numbers = numbers};
	*l = *from;
	l->numbers = numbers;
	*learned = l;
	return regress(&r, &(snk_stretch){0.7, 0.75, "learning without some samples"});
}

/* Shrinks the numbers of a fit; `progress` is where the guard is in it. */
static snw_status shrink(mesh_fit *f, double progress) {
	snw_pool pool = snw_pool_open(f->host);
	double *strengths = SNW_POOL_ARRAY(&pool, double, f->mesh->point_count);
	const learned_points learned = {f, (const snw_below_service *)f->host->service(f->host, SNW_SERVICE_BELOW), f->numbers};
	const snk_guard guard = {.host = f->host,
							 .character = f->input->character,
							 .mesh = f->mesh_index,
							 .sample_count = f->sample_count,
							 .samples = f->samples,
							 .place = place_points,
							 .learned = &learned,
							 .learn_without = learn_without,
							 .context = &learned,
							 .block_count = SNK_GUARD_BLOCKS,
							 .unseen = SNK_GUARD_UNSEEN,
							 .progress = progress};
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : snk_guard_find(&guard, strengths);
	for (uint32_t i = 0; !snk_failed(status) && i < f->mesh->point_count; i++) {
		double *numbers = f->numbers[i][0][0];
		for (size_t n = 0; n < sizeof *f->numbers / sizeof *numbers; n++) {
			numbers[n] *= strengths[i];
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

/* Fitting: the functions of each joint, what each point has of them, and one model of all meshes. */

/* Rotations that differ by less, radians, are one centre. */
static const double apart = 0.02;

/* ---- functions ----------------------------------------------------------------------------------------------------------- */

static const double *rotation(const snk_sample *sample, uint32_t joint) {
	return sample->pose->rotation_vectors + 3 * (size_t)joint;
}

/* How far a rotation is from the nearest centre, the rest included. */
static double distance_to(const driver *joint, const double from[3]) {
	double least = snw_length3(from);
	for (uint32_t k = 0; k < joint->count; k++) {
		const double away[3] = {from[0] - joint->centres[k][0], from[1] - joint->centres[k][1], from[2] - joint->centres[k][2]};
		least = fmin(least, snw_length3(away));
	}
	return least;
}

/* The samples' rotations that are farthest from the centres before them. */
static void choose_centres(const mesh_fit *f, driver *joint) {
	const uint32_t most = (uint32_t)f->input->values[CENTRES].numbers[0];
	while (joint->count < most) {
		double farthest = apart;
		const double *best = NULL;
		for (uint32_t s = 0; s < f->sample_count; s++) {
			const double distance = distance_to(joint, rotation(&f->samples[s], joint->joint));
			if (distance > farthest) {
				farthest = distance;
				best = rotation(&f->samples[s], joint->joint);
			}
		}
		if (!best) {
			return;
		}
		memcpy(joint->centres[joint->count++], best, 3 * sizeof *best);
	}
}

static void open_driver(mesh_fit *f, uint32_t j) {
	driver *joint = &f->drivers[j];
	*joint = (driver){.name = f->input->character->skeleton->names[j], .joint = j};
	for (uint32_t s = 0; s < f->sample_count; s++) {
		joint->unwound |= snw_length3(rotation(&f->samples[s], j)) > M_PI;
	}
	if (f->bends[j]) {
		choose_centres(f, joint);
	}
	driver_prepare(joint, f->width);
	f->firsts[j] = f->feature_count;
	f->feature_count += joint->count;
}

static snw_status find_features(mesh_fit *f, snw_pool *pool) {
	f->drivers = SNW_POOL_ARRAY(pool, driver, f->joint_count);
	f->firsts = SNW_POOL_ARRAY(pool, uint32_t, f->joint_count);
	for (uint32_t j = 0; !pool->failed && j < f->joint_count; j++) {
		open_driver(f, j);
	}
	f->features = SNW_POOL_ARRAY(pool, double, (size_t)f->sample_count * f->feature_count);
	for (uint32_t s = 0; !pool->failed && s < f->sample_count; s++) {
		for (uint32_t j = 0; j < f->joint_count; j++) {
			driver_functions(&f->drivers[j], f->width, rotation(&f->samples[s], j),
							 f->features + (size_t)s * f->feature_count + f->firsts[j]);
		}
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

static void add_near(const mesh_fit *f, uint32_t joint, near_joints *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (joint != SNW_NONE && at == list->count && at < MOST_NEAR && f->drivers[joint].count > 0) {
		list->joints[list->count++] = joint;
	}
}

/* The joints that move a point, then their parents and children. */
static void find_near(const mesh_fit *f, uint32_t point, near_joints *list) {
	const snw_character_view *character = f->input->character;
	const uint32_t *parents = character->skeleton->parents;
	for (int beside = 0; beside < 2; beside++) {
		for (uint32_t k = f->mesh->influence_offsets[point]; k < f->mesh->influence_offsets[point + 1]; k++) {
			const uint32_t joint = character->slot_joints[f->mesh->influence_slots[k]];
			if (!(f->mesh->influence_weights[k] > 0)) {
				continue;
			}
			add_near(f, beside ? parents[joint] : joint, list);
			for (uint32_t j = 0; beside && j < f->joint_count; j++) {
				if (parents[j] == joint) {
					add_near(f, j, list);
				}
			}
		}
	}
}

static snw_status find_offsets(mesh_fit *f, double progress, double share) {
	snw_pool pool = snw_pool_open(f->host);
	snk_residuals residuals;
	const size_t points = f->mesh->point_count;
	snw_status status = snk_residuals_open(f->host, f->input->character, f->mesh_index, &pool, &residuals);
	double *offsets = SNW_POOL_ARRAY(&pool, double, 3 * points);
	if (status == SNW_ERROR_MISSING) {
		snw_report_fail(f->host, status, "this host lacks the service sinew.below, which eigenskin needs");
	}
	status = snk_failed(status) || offsets ? status : SNW_ERROR_MEMORY;
	for (uint32_t s = 0; !snk_failed(status) && s < f->sample_count; s++) {
		status = snw_report_progress(f->host, progress + share * s / f->sample_count, "inverting samples")
					 ? snk_residuals_rest(&residuals, &f->samples[s], offsets)
					 : SNW_CANCELLED;
		for (size_t i = 0; !snk_failed(status) && i < 3 * points; i++) {
			f->offsets[3 * (i / 3 * f->sample_count + s) + i % 3] = (float)offsets[i];
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* The weights of a joint's displacements. */
static snw_status add_weights(const reduced *from, uint32_t first, snw_pool *pool, driver *to) {
	double *weights = SNW_POOL_ARRAY(pool, double, (size_t)to->coefficient_count * to->count);
	for (uint32_t k = 0; weights && k < to->coefficient_count; k++) {
		memcpy(weights + (size_t)k * to->count, from->rows[first + k], to->count * sizeof *weights);
	}
	to->weights = weights;
	return weights ? SNW_OK : SNW_ERROR_MEMORY;
}

/* Each mesh has drivers of its own: its samples may be others. A joint's displacements follow each other. */
static snw_status add_drivers(const mesh_fit *f, const reduced *from, snw_model *model) {
	snw_status status = SNW_OK;
	for (uint32_t k = 0; k < from->count && !snk_failed(status);) {
		driver *to = &model->drivers[model->driver_count++];
		*to = f->drivers[from->joints[k]];
		char *name = SNW_POOL_ARRAY(&model->pool, char, strlen(to->name) + 1);
		while (k + to->coefficient_count < from->count && from->joints[k + to->coefficient_count] == to->joint) {
			to->coefficient_count++;
		}
		if (!name) {
			return SNW_ERROR_MEMORY;
		}
		strcpy(name, to->name);
		to->name = name;
		status = add_weights(from, k, &model->pool, to);
		k += to->coefficient_count;
	}
	return status;
}

static snw_status add_mesh(const mesh_fit *f, const reduced *from, snw_model *model) {
	uint32_t *coefficients = SNW_POOL_ARRAY(&model->pool, uint32_t, from->count);
	const snw_status status = coefficients ? add_drivers(f, from, model) : SNW_ERROR_MEMORY;
	for (uint32_t k = 0; !snk_failed(status) && k < from->count; k++) {
		coefficients[k] = model->coefficient_count++;
	}
	if (!snk_failed(status)) {
		model->meshes[f->mesh_index] = (snw_displacements){.size = sizeof(snw_displacements),
														   .count = from->count,
														   .coefficients = coefficients,
														   .offsets = from->offsets,
														   .points = from->points,
														   .vectors = from->vectors,
														   .names = from->names};
	}
	return status;
}

static snw_status open_model(const snw_fit_input *input, snw_model *model) {
	const snw_character_view *character = input->character;
	const size_t meshes = character->mesh_count, joints = character->skeleton->joint_count;
	model->width = input->values[WIDTH].numbers[0];
	model->joint_count = (uint32_t)joints;
	model->mesh_count = (uint32_t)meshes;
	model->drivers = SNW_POOL_ARRAY(&model->pool, driver, meshes * joints);
	model->point_counts = SNW_POOL_ARRAY(&model->pool, uint32_t, meshes);
	model->meshes = SNW_POOL_ARRAY(&model->pool, snw_displacements, meshes);
	for (size_t m = 0; !model->pool.failed && m < meshes; m++) {
		model->point_counts[m] = character->meshes[m]->point_count;
		uint64_t *none = SNW_POOL_ARRAY(&model->pool, uint64_t, 1);
		model->meshes[m] = (snw_displacements){.size = sizeof(snw_displacements), .offsets = none};
	}
	return model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

static snw_status open_mesh(mesh_fit *f, snw_pool *pool) {
	const size_t points = f->mesh->point_count;
	snw_status status = snk_bending_joints(f->input->character, f->mesh_index, pool, &f->bends);
	status = snk_failed(status) ? status : find_features(f, pool);
	f->near = SNW_POOL_ARRAY(pool, near_joints, points);
	f->numbers = snw_pool_acquire(pool, points, sizeof *f->numbers);
	f->offsets = SNW_POOL_ARRAY(pool, float, 3 * points * f->sample_count);
	status = snk_failed(status) || !pool->failed ? status : SNW_ERROR_MEMORY;
	for (uint32_t i = 0; !snk_failed(status) && i < points; i++) {
		find_near(f, i, &f->near[i]);
	}
	return status;
}

static void report_mesh(const mesh_fit *f, uint32_t displacements) {
	snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': %u sample%s, %u displacement%s", f->mesh->name, f->sample_count,
					f->sample_count == 1 ? "" : "s", displacements, displacements == 1 ? "" : "s");
	if (f->feature_count == 0) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': nothing is learned, because no joint that bends it rotates in the samples; add poses in which "
			"joints rotate, with 'sinew target' or 'sinew example'",
			f->mesh->name);
	}
}

static snw_status fit_opened(mesh_fit *f, snw_model *model) {
	const double part = 1.0 / f->input->character->mesh_count, begin = f->mesh_index * part;
	regression r = {.f = f, .numbers = f->numbers};
	reduced made = {0};
	snw_status status = find_offsets(f, begin, 0.4 * part);
	status = snk_failed(status) ? status
								: regress(&r, &(snk_stretch){begin + 0.4 * part, begin + 0.7 * part, "fitting the functions"});
	status = snk_failed(status) || !f->input->values[GUARD].numbers[0] ? status : shrink(f, begin + 0.7 * part);
	status = snk_failed(status) ? status : reduce(f, &model->pool, &made);
	status = snk_failed(status) ? status : add_mesh(f, &made, model);
	if (!snk_failed(status)) {
		report_mesh(f, made.count);
	}
	return status;
}

/* `given` as numbers_given. */
static snw_status fit_mesh(const snw_host *host, const snw_fit_input *input, uint32_t m, uint32_t *given, snw_model *model,
						   uint32_t *samples) {
	snw_pool pool = snw_pool_open(host);
	mesh_fit f = {.host = host,
				  .input = input,
				  .mesh = input->character->meshes[m],
				  .mesh_index = m,
				  .joint_count = input->character->skeleton->joint_count,
				  .numbers_given = given,
				  .diagonal =
					  snk_bounds_diagonal(input->character->meshes[m]->points_rest, input->character->meshes[m]->point_count),
				  .width = input->values[WIDTH].numbers[0],
				  .ridge = input->values[RIDGE].numbers[0]};
	if (!f.mesh->influence_offsets || f.mesh->influence_offsets[f.mesh->point_count] == 0) {
		snw_report_line(host, SNW_LOG_WARNING, "mesh '%s' has no skin weights that say which joints are near; it is skipped",
						f.mesh->name);
		return SNW_OK;
	}
	snw_status status = snk_samples_gather(input, m, &pool, &f.samples, &f.sample_count);
	*samples += f.sample_count;
	if (!snk_failed(status) && f.sample_count > 0) {
		status = open_mesh(&f, &pool);
		status = snk_failed(status) ? status : fit_opened(&f, model);
	}
	snw_pool_release(&pool);
	return status;
}

static snw_status run(const snw_host *host, const snw_fit_input *input, snw_model *model) {
	uint32_t samples = 0;
	snw_pool pool = snw_pool_open(host);
	uint32_t *given = SNW_POOL_ARRAY(&pool, uint32_t, input->character->skeleton->joint_count);
	snw_status status = given ? open_model(input, model) : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < input->character->mesh_count; m++) {
		status = fit_mesh(host, input, m, given, model, &samples);
	}
	snw_pool_release(&pool);
	return snk_failed(status) ? status : snk_samples_check(host, 0, samples);
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	return snk_model_finish(made ? run(instance->host, input, made) : SNW_ERROR_MEMORY, made, model);
}
