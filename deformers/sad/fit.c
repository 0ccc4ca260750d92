/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting, mesh by mesh.
 */
#include "sad/fit.h"

#include <math.h>
#include <time.h>

#include "sinew/report.h"

enum { ROUNDS = 12, GRAIN = 256 };
static const double enough = 1e-3;

double seconds_now(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

snw_status create(const snw_host *host, snw_instance **instance) {
	snw_pool pool = snw_pool_open(host);
	snw_instance *made = SNW_POOL_ARRAY(&pool, snw_instance, 1);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_instance){.pool = pool, .host = host};
	*instance = made;
	return SNW_OK;
}

void destroy(snw_instance *instance) {
	if (instance) {
		snw_pool_release(&instance->pool);
	}
}

/* ---- transforms ------------------------------------------------------------------------------------------------------------ */

static snw_transform_kind kind_of(const double *values) {
	if (values[TRANSFORMS] == AFFINE) {
		return SNW_TRANSFORMS_AFFINE;
	}
	return values[BLEND] == BLEND_LINEAR ? SNW_TRANSFORMS_RIGID : SNW_TRANSFORMS_DUAL_QUATERNION;
}

snw_status fit_transforms(mesh_fit *f) {
	const double begun = seconds_now();
	const snw_transform_fit how = {
		.host = f->host, .motion = &f->motion, .graph = &f->graph, .rounds = ROUNDS, .enough = enough};
	const snw_transform_kind kind = kind_of(f->input->values);
	snw_status status = snw_transforms_make(&f->pool, kind, f->influences.joint_count, &f->motion, &f->transforms);
	if (status == SNW_OK) {
		status = snw_transforms_fit(&how, &f->transforms);
	}
	if (status == SNW_OK && kind == SNW_TRANSFORMS_DUAL_QUATERNION) {
		snw_transforms_align_signs(&f->graph, &f->motion, &f->transforms);
	}
	f->seconds.transforms += seconds_now() - begun;
	return status;
}

/* ---- measuring ------------------------------------------------------------------------------------------------------------- */

typedef struct measuring {
	mesh_fit *f;
	const snw_lane_kernels *kernels;
	double *chunk_squares; /* [chunks][frame_count] */
	double *chunk_spread;  /* [chunks]: Σ |v' − its mean over frames|² */
} measuring;

/* How far a point's frames are from their mean. */
static double spread_of(const snw_motion *motion, uint32_t point) {
	double sum[3] = {0, 0, 0}, squares = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snw_float_lanes *posed = snw_motion_point(motion, block, point);
		for (uint32_t lane = 0; lane < snw_motion_lanes(motion, block); lane++) {
			for (int c = 0; c < 3; c++) {
				sum[c] += (double)posed[c][lane];
				squares += (double)posed[c][lane] * (double)posed[c][lane];
			}
		}
	}
	return squares - (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / motion->frame_count;
}

static void measure_chunk(void *argument, uint32_t begin, uint32_t end) {
	const measuring *m = argument;
	mesh_fit *f = m->f;
	const snw_motion *motion = &f->motion;
	double *squares = m->chunk_squares + (size_t)(begin / GRAIN) * motion->frame_count;
	snw_lanes distances[GRAIN];
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snw_lanes *values = snw_transforms_block(&f->transforms, block);
		if (f->transforms.kind == SNW_TRANSFORMS_DUAL_QUATERNION) {
			m->kernels->dual_distances(motion, &f->influences, block, (const snw_lane_dual_quaternion *)values, begin, end,
									   distances);
		} else {
			m->kernels->linear_distances(motion, &f->influences, block, (const snw_lane_matrix *)values, begin, end, distances);
		}
		for (uint32_t i = begin; i < end; i++) {
			for (uint32_t lane = 0; lane < snw_motion_lanes(motion, block); lane++) {
				f->residuals[i] += distances[i - begin][lane];
				squares[block * SNW_LANES + lane] += distances[i - begin][lane];
			}
		}
	}
	for (uint32_t i = begin; i < end; i++) {
		m->chunk_spread[begin / GRAIN] += spread_of(motion, i);
		f->residuals[i] = sqrt(f->residuals[i] / motion->frame_count);
	}
}

static double half_diagonal(const snw_motion *motion) {
	double squared = 0;
	for (size_t c = 0; c < 3; c++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < motion->point_count; i++) {
			low = fmin(low, motion->points_rest[3 * (size_t)i + c]);
			high = fmax(high, motion->points_rest[3 * (size_t)i + c]);
		}
		squared += (high - low) * (high - low);
	}
	return sqrt(squared) / 2;
}

snw_status measure_fit(mesh_fit *f) {
	const double begun = seconds_now();
	const snw_motion *motion = &f->motion;
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	const size_t chunks = (size_t)motion->point_count / GRAIN + 1;
	snw_pool scratch = snw_pool_open(f->host);
	measuring m = {
		.f = f,
		.kernels = snw_lane_kernels_best(),
		.chunk_squares = SNW_POOL_ARRAY(&scratch, double, chunks * motion->frame_count),
		.chunk_spread = SNW_POOL_ARRAY(&scratch, double, chunks),
	};
	f->residuals = SNW_POOL_ARRAY(&f->pool, double, motion->point_count);
	f->squares = SNW_POOL_ARRAY(&f->pool, double, motion->frame_count);
	const snw_status status = scratch.failed || f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		parallel->run(f->host, motion->point_count, GRAIN, measure_chunk, &m);
		double all = 0, spread = 0;
		for (size_t chunk = 0; chunk < chunks; chunk++) {
			spread += m.chunk_spread[chunk];
			for (uint32_t frame = 0; frame < motion->frame_count; frame++) {
				f->squares[frame] += m.chunk_squares[chunk * motion->frame_count + frame];
				all += m.chunk_squares[chunk * motion->frame_count + frame];
			}
		}
		const double half = half_diagonal(motion);
		f->distortion = motion->frame_count > 1 && spread > 0 ? 100 * sqrt(all / spread) : (double)NAN;
		f->erms = half > 0 ? 1000 * sqrt(all / (3.0 * motion->point_count * motion->frame_count)) / half : 0;
	}
	snw_pool_release(&scratch);
	f->seconds.measuring += seconds_now() - begun;
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

static snw_status go_on(const mesh_fit *f, double fraction, const char *what) {
	const double meshes = f->input->character->mesh_count;
	return snw_report_progress(f->host, (f->mesh + fraction) / meshes, what) ? SNW_OK : SNW_CANCELLED;
}

static snw_status fit_mesh(mesh_fit *f, snw_model *model) {
	const double begun = seconds_now();
	snw_status status = go_on(f, 0, "reading frames");
	status = status == SNW_OK ? read_frames(f) : status;
	f->seconds.reading = seconds_now() - begun;
	if (status != SNW_OK || f->motion.frame_count == 0) {
		return status;
	}
	status = go_on(f, 0.1, "placing joints");
	status = status == SNW_OK ? choose_joints(f) : status;
	status = status == SNW_OK ? go_on(f, 0.2, "fitting transforms") : status;
	status = status == SNW_OK ? fit_transforms(f) : status;
	status = status == SNW_OK ? refine_fit(f) : status;
	status = status == SNW_OK && !f->stopped ? go_on(f, 0.9, "measuring") : status;
	status = status == SNW_OK ? measure_fit(f) : status;
	status = status == SNW_OK ? keep_mesh(f, model) : status;
	if (status == SNW_OK) {
		report_mesh(f);
	}
	return status;
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
	snw_status status = model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; status == SNW_OK && m < character->mesh_count; m++) {
		model->meshes[m].point_count = character->meshes[m].point_count;
		mesh_fit f = {.host = host, .input = input, .mesh = m, .pool = snw_pool_open(host)};
		status = fit_mesh(&f, model);
		if (f.has_graph) {
			snw_blend_graph_drop(&f.graph);
		}
		snw_pool_release(&f.pool);
	}
	if (status == SNW_OK && model->track_count == 0) {
		status = snw_report_fail(
			host, SNW_ERROR_MISSING,
			"no mesh has a sequence or a target: import one with sinew import --sequence, or add one with sinew "
			"target");
	}
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
