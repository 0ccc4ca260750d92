/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "pose-regression/pose-regression.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

static void add_margins(uint32_t joint_count, driver *joints);

/* ---- the guard ----------------------------------------------------------------------------------------------------------- */

/* How much of the regression stays (sinew/kit/fit/guard.h). It is compared posed, as the layers below pose its rest. */

/* Regressions of all points. */
typedef struct learned_points {
	const mesh_fit *f;
	const driver *drivers; /* [joint_count]: the joints, with what their features are clamped to */
	const snw_below_service *below;
	const point_regression *points;
} learned_points;

/* Adds the predicted offset. */
static void add_offset(const mesh_fit *f, const point_regression *p, const double *features, double rest[3]) {
	for (uint32_t k = 0; k <= p->joint_count; k++) {
		const size_t first = k < p->joint_count ? JOINT_FEATURES * (size_t)p->joints[k] : f->feature_count - 1;
		for (size_t i = 0; i < (k < p->joint_count ? JOINT_FEATURES : 1u); i++) {
			for (size_t c = 0; c < 3; c++) {
				rest[c] += features[first + i] * p->numbers[JOINT_FEATURES * (size_t)k + i][c];
			}
		}
	}
}

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

static snw_status SNW_CALL place_points(const void *learned, const snw_pose_view *pose, double *below, double *points) {
	const learned_points *l = learned;
	const mesh_fit *f = l->f;
	const uint32_t count = f->mesh->point_count;
	snw_pool pool = snw_pool_open(f->host);
	double *features = SNW_POOL_ARRAY(&pool, double, f->feature_count);
	double *rest = SNW_POOL_ARRAY(&pool, double, 3 * (size_t)count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : pose_rest(l, pose, f->mesh->points_rest, below);
	if (!snk_failed(status)) {
		pose_features(f->kind, f->joint_count, l->drivers, pose, (int)f->input->values[CLAMP].numbers[0], features);
		memcpy(rest, f->mesh->points_rest, 3 * (size_t)count * sizeof *rest);
		for (uint32_t i = 0; i < count; i++) {
			add_offset(f, &l->points[i], features, rest + 3 * (size_t)i);
		}
		status = pose_rest(l, pose, rest, points);
	}
	snw_pool_release(&pool);
	return status;
}

static snw_status SNW_CALL learn_without(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned) {
	const learned_points *from = context;
	learned_points *l = SNW_POOL_ARRAY(pool, learned_points, 1);
	point_regression *points = SNW_POOL_ARRAY(pool, point_regression, from->f->mesh->point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t blocks = 0;
	for (uint32_t b = out->fold; b < from->f->block_count; b += SNK_GUARD_FOLDS) {
		blocks |= 1u << b;
	}
	regress_without(from->f, blocks, points);
	*l = *from;
	l->points = points;
	*learned = l;
	return SNW_OK;
}

static void shrink_point(double strength, point_regression *p) {
	for (size_t n = 0; n < MOST_COLUMNS; n++) {
		for (size_t c = 0; c < 3; c++) {
			p->numbers[n][c] *= strength;
		}
	}
	p->both *= strength;
	p->predicted *= strength * strength;
	p->joint_count = strength > 0 ? p->joint_count : 0;
}

/* Those of the last fit, or room for new ones. Returns those that are kept, or NULL. */
static const snk_guard_region *open_regions(const mesh_fit *f, snw_pool *model_pool) {
	const snk_guard_region *kept = f->kept ? f->kept->regions : NULL;
	f->choices->region_count = f->joint_count;
	f->choices->regions = SNW_POOL_ARRAY(model_pool, snk_guard_region, f->joint_count);
	if (kept && f->choices->regions) {
		memcpy(f->choices->regions, kept, f->joint_count * sizeof *kept);
	}
	return kept;
}

/* Shrinks the regressions where the layers below are better. What is chosen for that is the model pool's. */
static snw_status shrink(mesh_fit *f, snw_pool *model_pool, double progress) {
	snw_pool pool = snw_pool_open(f->host);
	const snk_guard_region *kept = open_regions(f, model_pool);
	double *strengths = SNW_POOL_ARRAY(&pool, double, f->mesh->point_count);
	driver *drivers = SNW_POOL_ARRAY(&pool, driver, f->joint_count);
	if (pool.failed || model_pool->failed) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	memcpy(drivers, f->joints, f->joint_count * sizeof *drivers);
	add_margins(f->joint_count, drivers);
	const learned_points learned = {f, drivers, (const snw_below_service *)f->host->service(f->host, SNW_SERVICE_BELOW),
									f->points};
	const snk_guard guard = {.host = f->host,
							 .character = f->input->character,
							 .mesh = f->mesh_index,
							 .sample_count = f->sample_count,
							 .samples = f->samples,
							 .place = place_points,
							 .learned = &learned,
							 .learn_without = learn_without,
							 .context = &learned,
							 .block_count = MOST_BLOCKS,
							 .unseen = SNK_GUARD_UNSEEN,
							 .progress = progress,
							 .regions = f->choices->regions};
	const snw_status status = kept ? snk_guard_keep(&guard, kept, strengths) : snk_guard_find(&guard, strengths);
	for (uint32_t i = 0; !snk_failed(status) && i < f->mesh->point_count; i++) {
		if (strengths[i] < 1) {
			shrink_point(strengths[i], &f->points[i]);
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

/* Fitting: for each mesh offsets, features, the regression and its displacements; then one model for all meshes. */

/* ---- offsets ------------------------------------------------------------------------------------------------------------- */

/* The offset of each rest point with which the layers below reproduce its position in a sample. */

static void keep_offsets(const mesh_fit *f, uint32_t sample, const double *offsets) {
	for (size_t i = 0; i < f->mesh->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			f->offsets[3 * (i * f->sample_count + sample) + c] = (float)offsets[3 * i + c];
		}
	}
}

/* Fills `offsets`. */
static snw_status find_offsets(mesh_fit *f, double progress, double share) {
	snw_pool pool = snw_pool_open(f->host);
	snk_residuals residuals;
	snw_status status = snk_residuals_open(f->host, f->input->character, f->mesh_index, &pool, &residuals);
	double *offsets = SNW_POOL_ARRAY(&pool, double, 3 * (size_t)f->mesh->point_count);
	if (status == SNW_ERROR_MISSING) {
		snw_report_fail(f->host, status, "this host lacks the service sinew.below, which pose-regression needs");
	}
	status = snk_failed(status) || offsets ? status : SNW_ERROR_MEMORY;
	for (uint32_t s = 0; !snk_failed(status) && s < f->sample_count; s++) {
		status = snw_report_progress(f->host, progress + share * s / f->sample_count, "inverting samples")
					 ? snk_residuals_rest(&residuals, &f->samples[s], offsets)
					 : SNW_CANCELLED;
		if (status == SNW_OK) {
			keep_offsets(f, s, offsets);
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* Builds a model from the displacements of all meshes: the joints that drive any of them, their ranges, and one list of
 * coefficients. */

/* places [joint_count]: of the joints that the rows read, among the drivers; SNW_NONE for the others. Returns the number of
 * drivers. */
static uint32_t find_drivers(uint32_t mesh_count, const reduced *meshes, uint32_t joint_count, uint32_t *places) {
	const size_t n = (size_t)JOINT_FEATURES * joint_count + 1;
	uint32_t count = 0;
	for (uint32_t j = 0; j < joint_count; j++) {
		int used = 0;
		for (uint32_t m = 0; m < mesh_count; m++) {
			for (uint32_t k = 0; k < meshes[m].count; k++) {
				for (size_t i = 0; i < JOINT_FEATURES; i++) {
					used |= meshes[m].rows[k * n + JOINT_FEATURES * (size_t)j + i] != 0;
				}
			}
		}
		places[j] = used ? count++ : SNW_NONE;
	}
	return count;
}

static char *copy_text(snw_pool *pool, const char *text) {
	const size_t bytes = strlen(text) + 1;
	char *copy = SNW_POOL_ARRAY(pool, char, bytes);
	if (copy) {
		memcpy(copy, text, bytes);
	}
	return copy;
}

static snw_status copy_drivers(const driver *joints, uint32_t joint_count, const uint32_t *places, snw_model *model) {
	driver *drivers = SNW_POOL_ARRAY(&model->pool, driver, model->driver_count);
	for (uint32_t j = 0; drivers && j < joint_count; j++) {
		if (places[j] != SNW_NONE) {
			drivers[places[j]] = joints[j];
			drivers[places[j]].name = copy_text(&model->pool, joints[j].name);
		}
	}
	model->drivers = drivers;
	return model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* Writes a row's entries to columns and values, unless they are NULL. Returns the number of entries. */
static uint32_t write_row(const double *row, uint32_t joint_count, const uint32_t *places, uint32_t driver_count,
						  uint32_t *columns, double *values) {
	uint32_t count = 0;
	for (uint32_t c = 0; c <= JOINT_FEATURES * joint_count; c++) {
		if (row[c] != 0) {
			if (columns) {
				columns[count] = c == JOINT_FEATURES * joint_count
									 ? JOINT_FEATURES * driver_count
									 : JOINT_FEATURES * places[c / JOINT_FEATURES] + c % JOINT_FEATURES;
				values[count] = row[c];
			}
			count++;
		}
	}
	return count;
}

/* Places rise with the joints, so columns rise too. */
static snw_status gather_rows(uint32_t mesh_count, const reduced *meshes, uint32_t joint_count, const uint32_t *places,
							  snw_model *model) {
	const size_t n = (size_t)JOINT_FEATURES * joint_count + 1;
	uint32_t rows = 0, entries = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		for (uint32_t k = 0; k < meshes[m].count; k++, rows++) {
			entries += write_row(meshes[m].rows + k * n, joint_count, places, model->driver_count, NULL, NULL);
		}
	}
	uint32_t *offsets = SNW_POOL_ARRAY(&model->pool, uint32_t, (size_t)rows + 1);
	uint32_t *columns = SNW_POOL_ARRAY(&model->pool, uint32_t, entries);
	double *values = SNW_POOL_ARRAY(&model->pool, double, entries);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t at = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		for (uint32_t k = 0; k < meshes[m].count; k++, at++) {
			offsets[at + 1] = offsets[at] + write_row(meshes[m].rows + k * n, joint_count, places, model->driver_count,
													  columns + offsets[at], values + offsets[at]);
		}
	}
	model->rows = (snw_sparse_rows){.row_count = rows,
									.column_count = JOINT_FEATURES * model->driver_count + 1,
									.offsets = offsets,
									.columns = columns,
									.values = values};
	return SNW_OK;
}

/* `first` is the coefficient of the mesh's first displacement. */
static snw_status copy_displacements(const reduced *from, uint32_t first, snw_pool *pool, snw_displacements *dest) {
	const uint32_t total = from->count > 0 ? from->offsets[from->count] : 0;
	uint32_t *coefficients = SNW_POOL_ARRAY(pool, uint32_t, from->count);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, (size_t)from->count + 1);
	uint32_t *points = SNW_POOL_ARRAY(pool, uint32_t, total);
	double *vectors = SNW_POOL_ARRAY(pool, double, 3 * (size_t)total);
	const char **names = (const char **)snw_pool_acquire(pool, from->count, sizeof *names);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < from->count; k++) {
		coefficients[k] = first + k;
		offsets[k + 1] = from->offsets[k + 1];
		names[k] = copy_text(pool, from->names[k]);
	}
	if (total > 0) {
		memcpy(points, from->points, total * sizeof *points);
		memcpy(vectors, from->vectors, 3 * (size_t)total * sizeof *vectors);
	}
	*dest = (snw_displacements){.size = sizeof *dest,
								.count = from->count,
								.coefficients = coefficients,
								.offsets = offsets,
								.points = points,
								.vectors = vectors,
								.names = names};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status gather_meshes(const snw_character_view *character, const reduced *meshes, snw_model *model) {
	uint32_t *counts = SNW_POOL_ARRAY(&model->pool, uint32_t, character->mesh_count), first = 0;
	snw_displacements *lists = SNW_POOL_ARRAY(&model->pool, snw_displacements, character->mesh_count);
	snw_status status = model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		counts[m] = character->meshes[m]->point_count;
		status = copy_displacements(&meshes[m], first, &model->pool, &lists[m]);
		first += meshes[m].count;
	}
	model->mesh_count = character->mesh_count;
	model->point_counts = counts;
	model->meshes = lists;
	return status;
}

/* The model of all meshes' displacements, over the joints that drive any of them. */
static snw_status build_model(const snw_fit_input *input, const driver *joints, uint32_t kind, const reduced *meshes,
							  snw_model *model) {
	const snw_character_view *character = input->character;
	const uint32_t joint_count = character->skeleton->joint_count;
	snw_pool scratch = snw_pool_open(model->pool.host);
	uint32_t *places = SNW_POOL_ARRAY(&scratch, uint32_t, joint_count);
	snw_status status = places ? SNW_OK : SNW_ERROR_MEMORY;
	model->joint_count = joint_count;
	model->kind = kind;
	if (!snk_failed(status)) {
		model->driver_count = find_drivers(character->mesh_count, meshes, joint_count, places);
		status = copy_drivers(joints, joint_count, places, model);
	}
	status = snk_failed(status) ? status : gather_rows(character->mesh_count, meshes, joint_count, places, model);
	status = snk_failed(status) ? status : gather_meshes(character, meshes, model);
	snw_pool_release(&scratch);
	return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

/* Features are clamped this part of their range beyond the samples. */
static const double margin = 0.25;

/* Of a mesh's part of the fit. */
static const double offsets_share = 0.4, features_share = 0.1, regression_share = 0.4, reduction_share = 0.1;

typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool scratch; /* as long as the fit */
	uint32_t kind;
	driver *joints;        /* [joint_count] */
	reduced *meshes;       /* [mesh_count] */
	snw_pool *model_pool;  /* what becomes the model */
	mesh_choices *choices; /* [mesh_count], of the model */
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
	all->choices = SNW_POOL_ARRAY(all->model_pool, mesh_choices, all->input->character->mesh_count);
	return all->scratch.failed || all->model_pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
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

/* Widens the ranges of joints by how far features may go beyond those of the samples. */
static void add_margins(uint32_t joint_count, driver *joints) {
	for (uint32_t j = 0; j < joint_count; j++) {
		for (int i = 0; i < JOINT_FEATURES; i++) {
			double *lowest = &joints[j].lowest[i], *highest = &joints[j].highest[i];
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
	if (f->kept) {
		snw_report_line(
			f->host, SNW_LOG_INFO,
			"mesh '%s': %u samples%s, ridge %g, as the last fit chose; root mean square offset at rest %.4g mm, %.4g "
			"mm with %u displacements",
			f->mesh->name, f->sample_count, f->uses_mirrored ? " and their mirror images" : "", f->ridge,
			1e3 * sqrt(f->squares_before / weight), 1e3 * sqrt(f->squares / weight), made->count);
		return;
	}
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
	} else if (f->validated >= f->validated_before) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': the regression does not predict samples that were held out; add poses in which the same joints "
			"move, with 'sinew target' or 'sinew example'",
			f->mesh->name);
	}
}

/* What the fit that a refit follows has chosen for the mesh; NULL in a fit, and where nothing was chosen. */
static const mesh_choices *kept_choices(const snw_fit_input *input, uint32_t mesh) {
	const int refits = SNW_HAS(input, refits) && input->refits;
	const mesh_choices *choices = refits ? &input->previous->choices[mesh] : NULL;
	return choices && choices->is_made ? choices : NULL;
}

/* Whether samples may be used mirrored. */
static int may_mirror(const mesh_fit *f) {
	return (int)f->input->values[MIRROR].numbers[0] == MIRROR_AUTO && (!f->kept || f->kept->uses_mirrored);
}

static snw_status open_mesh(const fitting *all, uint32_t m, snw_pool *pool, mesh_fit *f) {
	const snw_character_view *character = all->input->character;
	const snw_mesh_view *mesh = character->meshes[m];
	*f = (mesh_fit){.host = all->host,
					.input = all->input,
					.mesh = mesh,
					.mesh_index = m,
					.kept = kept_choices(all->input, m),
					.choices = &all->choices[m],
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
	return may_mirror(f) ? find_symmetry(f, pool, &f->mirror) : SNW_OK;
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
	if (!snk_failed(status)) {
		widen_ranges(all, f);
		f->choices->is_made = 1;
		f->choices->uses_mirrored = (uint32_t)f->uses_mirrored;
		f->choices->ridge = f->ridge;
		status = f->input->values[GUARD].numbers[0] ? shrink(f, all->model_pool, progress) : SNW_OK;
		measure_residuals(f);
	}
	const double regressed = snk_clock_seconds();
	if (!snk_failed(status)) {
		status = most > 0 ? reduce(f, most, progress, reduction_share * part, &all->scratch, made)
						  : list_all(f, &all->scratch, made);
	}
	all->offsets_seconds += inverted - begun;
	all->regression_seconds += regressed - inverted;
	all->reduction_seconds += snk_clock_seconds() - regressed;
	if (!snk_failed(status)) {
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
		add_margins(all->input->character->skeleton->joint_count, all->joints);
		status = build_model(all->input, all->joints, all->kind, all->meshes, model);
		model->choices = all->choices;
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	fitting all = {.host = instance->host,
				   .input = input,
				   .scratch = snw_pool_open(instance->host),
				   .model_pool = made ? &made->pool : NULL,
				   .kind = (uint32_t)input->values[FEATURES].numbers[0]};
	const snw_status status = made ? run(&all, made) : SNW_ERROR_MEMORY;
	snw_pool_release(&all.scratch);
	return snk_model_finish(status, made, model);
}
