/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: for each mesh offsets, features, the regression and its displacements; then one model for all meshes.
 */
#include "pose-regression/fit.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/bounds.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"
#include "sinew/kit/skin/bending_joints.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* Features are clamped this part of their range beyond the samples. */
static const double margin = 0.25;

/* Of a mesh's part of the fit. */
static const double offsets_share = 0.4, features_share = 0.1, regression_share = 0.4, reduction_share = 0.1;

typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool scratch; /* as long as the fit */
	uint32_t kind;
	driver *joints;  /* [joint_count] */
	reduced *meshes; /* [mesh_count] */
	uint32_t sample_count;
	double offsets_seconds, regression_seconds, reduction_seconds;
} fitting;

/* Joints whose ranges contain only the rest. */
static snw_status open_joints(fitting *all) {
	const snw_skeleton_view *skeleton = all->input->character->skeleton;
	all->joints = SNW_POOL_ARRAY(&all->scratch, driver, skeleton->joint_count);
	for (uint32_t j = 0; all->joints && j < skeleton->joint_count; j++) {
		all->joints[j] = (driver){.name = skeleton->names[j], .joint = j};
		snw_mat34_rotation(skeleton->rest_global + 12 * (size_t)j, all->joints[j].axes);
	}
	all->meshes = SNW_POOL_ARRAY(&all->scratch, reduced, all->input->character->mesh_count);
	return all->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* Ranges include mirrored samples if these are used. */
static void widen_ranges(fitting *all, const mesh_fit *f) {
	for (int side = 0; side <= f->uses_mirrored; side++) {
		for (uint32_t s = 0; s < f->sample_count; s++) {
			const double *values = f->features[side] + (size_t)s * f->feature_count;
			for (uint32_t i = 0; i + 1 < f->feature_count; i++) {
				driver *joint = &all->joints[i / JOINT_FEATURES];
				joint->lowest[i % JOINT_FEATURES] = fmin(joint->lowest[i % JOINT_FEATURES], values[i]);
				joint->highest[i % JOINT_FEATURES] = fmax(joint->highest[i % JOINT_FEATURES], values[i]);
			}
		}
	}
}

static void add_margins(const fitting *all) {
	for (uint32_t j = 0; j < all->input->character->skeleton->joint_count; j++) {
		for (int i = 0; i < JOINT_FEATURES; i++) {
			double *lowest = &all->joints[j].lowest[i], *highest = &all->joints[j].highest[i];
			const double more = margin * (*highest - *lowest);
			*lowest -= more;
			*highest += more;
		}
	}
}

/* How far a joint rotates in the samples, radians. */
static double range_of(const mesh_fit *f, uint32_t joint) {
	double most = 0;
	for (uint32_t s = 0; s < f->sample_count; s++) {
		most = fmax(most, snw_length3(f->samples[s].pose->rotation_vectors + 3 * (size_t)joint));
		if (f->uses_mirrored && f->mirror.joints[joint] != SNW_NONE) {
			most = fmax(most, snw_length3(f->samples[s].pose->rotation_vectors + 3 * (size_t)f->mirror.joints[joint]));
		}
	}
	return most;
}

/* The least range of a point's joints; 0 without any. */
static double range_at(const point_regression *p, const double *of_joints) {
	double least = p->joint_count > 0 ? INFINITY : 0;
	for (uint32_t k = 0; k < p->joint_count; k++) {
		least = fmin(least, of_joints[p->joints[k]]);
	}
	return least;
}

/* The residual; and at each point the range of its joints, beyond which poses are extrapolated. */
static snw_status propose_fields(const mesh_fit *f) {
	snw_pool pool = snw_pool_open(f->host);
	double *of_joints = SNW_POOL_ARRAY(&pool, double, f->joint_count);
	double *of_points = SNW_POOL_ARRAY(&pool, double, f->mesh->point_count);
	for (uint32_t j = 0; of_joints && j < f->joint_count; j++) {
		of_joints[j] = range_of(f, j);
	}
	for (uint32_t i = 0; !pool.failed && i < f->mesh->point_count; i++) {
		of_points[i] = range_at(&f->points[i], of_joints);
	}
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!pool.failed) {
		snk_field_propose(f->host, f->mesh_index, "residual", SNW_DOMAIN_POINTS, f->mesh->point_count, f->residuals);
		snk_field_propose(f->host, f->mesh_index, "range", SNW_DOMAIN_POINTS, f->mesh->point_count, of_points);
	}
	snw_pool_release(&pool);
	return status;
}

static void report_mesh(const mesh_fit *f, const reduced *made) {
	const double weight = (double)f->mesh->point_count * f->sample_count;
	snw_report_line(
		f->host, SNW_LOG_INFO,
		"mesh '%s': %u samples%s, ridge %g; root mean square offset at rest %.4g mm, %.4g mm with %u displacements; "
		"over held-out samples %.4g mm, %.4g mm",
		f->mesh->name, f->sample_count, f->uses_mirrored ? " and their mirror images" : "", f->ridge,
		1e3 * sqrt(f->squares_before / weight), 1e3 * sqrt(f->squares / weight), made->count, 1e3 * sqrt(f->validated_before),
		1e3 * sqrt(f->validated));
	if (f->block_count < 2) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s' has a single sample, so nothing could be held out to choose the ridge", f->mesh->name);
	} else if (f->is_refuted) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s' has no regression: it would predict samples that were held out worse than none does; add poses in "
			"which the same joints move, with 'sinew target' or 'sinew example'",
			f->mesh->name);
	} else if (f->validated >= f->validated_before) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': the regression does not predict samples that were held out; add poses in which the same joints "
			"move, with 'sinew target' or 'sinew example'",
			f->mesh->name);
	}
}

static snw_status open_mesh(const fitting *all, uint32_t m, snw_pool *pool, mesh_fit *f) {
	const snw_character_view *character = all->input->character;
	const snw_mesh_view *mesh = character->meshes[m];
	*f = (mesh_fit){.host = all->host,
					.input = all->input,
					.mesh = mesh,
					.mesh_index = m,
					.joints = all->joints,
					.joint_count = character->skeleton->joint_count,
					.kind = all->kind,
					.feature_count = JOINT_FEATURES * character->skeleton->joint_count + 1,
					.diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count)};
	snw_status status = snk_samples_gather(all->input, m, pool, &f->samples, &f->sample_count);
	if (snk_failed(status) || f->sample_count == 0) {
		return status;
	}
	f->points = SNW_POOL_ARRAY(pool, point_regression, mesh->point_count);
	f->residuals = SNW_POOL_ARRAY(pool, double, mesh->point_count);
	f->offsets = SNW_POOL_ARRAY(pool, float, (size_t)3 * mesh->point_count * f->sample_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	status = snk_bending_joints(character, m, pool, &f->bends);
	if (snk_failed(status)) {
		return status;
	}
	return (int)all->input->values[MIRROR].numbers[0] == MIRROR_AUTO ? find_symmetry(f, pool, &f->mirror) : SNW_OK;
}

static snw_status fit_opened(fitting *all, mesh_fit *f, snw_pool *pool) {
	const double part = 1.0 / all->input->character->mesh_count, begin = f->mesh_index * part, begun = snk_clock_seconds();
	const uint32_t most = (uint32_t)all->input->values[DISPLACEMENTS].numbers[0];
	reduced *made = &all->meshes[f->mesh_index];
	double progress = begin + offsets_share * part;
	snw_status status = find_offsets(f, begin, offsets_share * part);
	const double inverted = snk_clock_seconds();
	status = snk_failed(status) ? status : find_features(f, pool, progress, features_share * part);
	progress += features_share * part;
	status = snk_failed(status) ? status : regress(f, progress, regression_share * part);
	progress += regression_share * part;
	const double regressed = snk_clock_seconds();
	if (!snk_failed(status)) {
		status = most > 0 ? reduce(f, most, progress, reduction_share * part, &all->scratch, made)
						  : list_all(f, &all->scratch, made);
	}
	all->offsets_seconds += inverted - begun;
	all->regression_seconds += regressed - inverted;
	all->reduction_seconds += snk_clock_seconds() - regressed;
	if (!snk_failed(status)) {
		widen_ranges(all, f);
		report_mesh(f, made);
		status = propose_fields(f);
	}
	return status;
}

static int has_weights(const snw_mesh_view *mesh) {
	const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
	for (uint32_t k = 0; k < count; k++) {
		if (mesh->influence_weights[k] > 0) {
			return 1;
		}
	}
	return 0;
}

static snw_status fit_mesh(fitting *all, uint32_t m) {
	const snw_mesh_view *mesh = all->input->character->meshes[m];
	if (!has_weights(mesh)) {
		snw_report_line(all->host, SNW_LOG_WARNING,
						"mesh '%s' has no skin weights that say which joints are near; it is skipped", mesh->name);
		return SNW_OK;
	}
	snw_pool pool = snw_pool_open(all->host);
	mesh_fit f;
	snw_status status = open_mesh(all, m, &pool, &f);
	if (!snk_failed(status) && f.sample_count > 0) {
		all->sample_count += f.sample_count;
		status = fit_opened(all, &f, &pool);
	}
	snw_pool_release(&pool);
	return status;
}

static snw_status run(fitting *all, snw_model *model) {
	snw_status status = open_joints(all);
	for (uint32_t m = 0; !snk_failed(status) && m < all->input->character->mesh_count; m++) {
		status = fit_mesh(all, m);
	}
	status = snk_failed(status) ? status : snk_samples_check(all->host, 0, all->sample_count);
	if (!snk_failed(status)) {
		const snw_measured_number numbers[] = {{"offsets", all->offsets_seconds, "s"},
											   {"regression", all->regression_seconds, "s"},
											   {"reduction", all->reduction_seconds, "s"}};
		snw_report_measurements(all->host, "time", numbers, sizeof numbers / sizeof *numbers);
		add_margins(all);
		status = build_model(all->input, all->joints, all->kind, all->meshes, model);
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	fitting all = {.host = instance->host,
				   .input = input,
				   .scratch = snw_pool_open(instance->host),
				   .kind = (uint32_t)input->values[FEATURES].numbers[0]};
	const snw_status status = made ? run(&all, made) : SNW_ERROR_MEMORY;
	snw_pool_release(&all.scratch);
	return snk_model_finish(status, made, model);
}
