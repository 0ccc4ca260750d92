/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the regression stays (sinew/kit/fit/guard.h). It is compared posed, as the layers below pose its rest.
 */
#include "sinew/kit/fit/guard.h"

#include <math.h>
#include <string.h>

#include "pose-regression/fit.h"
#include "sinew/kit/status.h"

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

snw_status shrink(mesh_fit *f, snw_pool *model_pool, double progress) {
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
