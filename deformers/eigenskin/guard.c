/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "eigenskin/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/status.h"

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

snw_status shrink(mesh_fit *f, double progress) {
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
