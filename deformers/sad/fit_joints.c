/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit for one number of joints, its error, and the smallest number that meets an error.
 */
#include <math.h>

#include "motion/decompose.h"
#include "sad/sad.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The shares of time at which the parts of a fit begin. */
static const double closer_from = 0.2, refining_from = 0.3, dense_from = 0.4, details_from = 0.85;

/* ---- the error ----------------------------------------------------------------------------------------------------------- */

/* The error of a fit: for each point, for each frame, and as in the literature. */

enum { GRAIN = 256 };
static const double least_motion = 1e-7; /* of a point, relative to the mesh's size: frames are floats */

typedef struct measuring {
	mesh_fit *f;
	const snk_lane_kernels *kernels;
	double *chunk_squares; /* [chunks][frame_count] */
	double *chunk_spread;  /* [chunks]: Σ |v' − its mean over frames|² */
	double *chunk_largest; /* [chunks]: squared */
} measuring;

/* The distances of a point's frames from their mean. */
static double spread_of(const snk_motion *motion, uint32_t point) {
	double sum[3] = {0, 0, 0}, squares = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snk_float_lanes *posed = snk_motion_point(motion, block, point);
		for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
			for (int c = 0; c < 3; c++) {
				sum[c] += (double)posed[c][lane];
				squares += (double)posed[c][lane] * (double)posed[c][lane];
			}
		}
	}
	return squares - (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / motion->frame_count;
}

static void SNW_CALL measure_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const measuring *m = argument;
	mesh_fit *f = m->f;
	const snk_motion *motion = &f->motion;
	double *squares = m->chunk_squares + (size_t)(begin / GRAIN) * motion->frame_count;
	snk_lanes distances[GRAIN];
	for (uint32_t block = 0; block < motion->block_count; block++) {
		m->kernels->detailed_distances(motion, &f->current.influences, snk_transform_width(f->current.transforms.kind),
									   snk_transforms_block(&f->current.transforms, block), block, begin, end,
									   f->current.details.count, f->current.details.courses, f->current.details.vectors,
									   distances);
		for (uint32_t i = begin; i < end; i++) {
			for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
				f->current.residuals[i] += distances[i - begin][lane];
				squares[block * SNK_LANES + lane] += distances[i - begin][lane];
				m->chunk_largest[begin / GRAIN] = fmax(m->chunk_largest[begin / GRAIN], distances[i - begin][lane]);
			}
		}
	}
	for (uint32_t i = begin; i < end; i++) {
		m->chunk_spread[begin / GRAIN] += f->spread < 0 ? spread_of(motion, i) : 0;
		f->current.residuals[i] = sqrt(f->current.residuals[i] / motion->frame_count);
	}
}

/* The distances of the frames from the rest. */
static double offset_of(const snk_motion *motion) {
	double squares = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		for (uint32_t i = 0; i < motion->point_count; i++) {
			const snk_float_lanes *posed = snk_motion_point(motion, block, i);
			for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
				const double at[3] = {(double)posed[0][lane], (double)posed[1][lane], (double)posed[2][lane]};
				squares += snw_squared_distance3(at, motion->points_rest + 3 * (size_t)i);
			}
		}
	}
	return squares;
}

/* In percent of the motion over frames or, for the search of a number of joints if nothing moves, of the distance from the
 * rest. NaN if both are zero. */
static void find_percents(mesh_fit *f, double all, double spread, double size) {
	const snk_motion *motion = &f->motion;
	const double unseen = least_motion * size * least_motion * size * motion->point_count * motion->frame_count;
	if (f->spread < 0) {
		f->is_still = motion->frame_count < 2 || !(spread > unseen);
		f->spread = f->is_still ? offset_of(motion) : spread;
	}
	f->current.error_percent = f->spread > unseen ? 100 * sqrt(all / f->spread) : (double)NAN;
	f->current.distortion = f->is_still ? (double)NAN : f->current.error_percent;
}

/* Residuals, squares, distortion, erms, error_percent. */
static snw_status measure_fit(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const snk_motion *motion = &f->motion;
	const size_t chunks = (size_t)motion->point_count / GRAIN + 1;
	snw_pool scratch = snw_pool_open(f->host);
	measuring m = {
		.f = f,
		.kernels = snk_lane_kernels_best(),
		.chunk_squares = SNW_POOL_ARRAY(&scratch, double, chunks * motion->frame_count),
		.chunk_spread = SNW_POOL_ARRAY(&scratch, double, chunks),
		.chunk_largest = SNW_POOL_ARRAY(&scratch, double, chunks),
	};
	f->current.residuals = SNW_POOL_ARRAY(&f->current.pool, double, motion->point_count);
	f->current.squares = SNW_POOL_ARRAY(&f->current.pool, double, motion->frame_count);
	const snw_status status = scratch.failed || f->current.pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		snk_ranges_run(f->host, motion->point_count, GRAIN, measure_chunk, &m);
		double all = 0, spread = 0, largest = 0;
		for (size_t chunk = 0; chunk < chunks; chunk++) {
			spread += m.chunk_spread[chunk];
			largest = fmax(largest, m.chunk_largest[chunk]);
			for (uint32_t frame = 0; frame < motion->frame_count; frame++) {
				f->current.squares[frame] += m.chunk_squares[chunk * motion->frame_count + frame];
				all += m.chunk_squares[chunk * motion->frame_count + frame];
			}
		}
		const double half = snk_bounds_diagonal(motion->points_rest, motion->point_count) / 2;
		find_percents(f, all, spread, 2 * half);
		f->current.largest = half > 0 ? 50 * sqrt(largest) / half : 0;
		f->current.erms = half > 0 ? 1000 * sqrt(all / (3.0 * motion->point_count * motion->frame_count)) / half : 0;
	}
	snw_pool_release(&scratch);
	f->seconds.measuring += snk_clock_seconds() - begun;
	return status;
}

/* ---- weights of all joints ----------------------------------------------------------------------------------------------- */

/* Weights of all joints at every point. Normals are then those of the posed faces, and no joint lacks points. */

/* The same for weights of all joints: from the current ones, or from these. */
static snw_status fit_dense(mesh_fit *f, const snk_influences *others) {
	const snk_dense_options options = {.host = f->host,
									   .motion = &f->motion,
									   .joint_count = f->current.influences.joint_count,
									   .iterations = f->choice.refinements < 0 ? 0 : (uint32_t)f->choice.refinements,
									   .steps = begin_part(f, dense_from, details_from, "fitting dense weights")};
	if (options.joint_count > SNK_DENSE_JOINTS) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT,
							   "influences=all takes at most %d joints, and mesh '%s' is to have %u; set joints=",
							   SNK_DENSE_JOINTS, f->input->character->meshes[f->mesh]->name, options.joint_count);
	}
	snk_dense_fit found;
	const snk_influences starts[] = {f->current.influences, *others};
	const snw_status status = snk_dense_decompose(&options, 2, starts, &f->current.pool, &found);
	if (snk_failed(status)) {
		return status;
	}
	f->current.refinements = found.iterations;
	f->current.influences = found.influences;
	f->current.transforms = found.transforms;
	f->current.flat_joints = 0;
	return SNW_OK;
}

/* ---- refining ------------------------------------------------------------------------------------------------------------ */

/* Beyond the paper: weights and transforms fitted to each other. */

static const double of_clusters = 0.05; /* of the fit for a number of joints */

/* Clusters of points that move together. */
static snw_status start_from_clusters(mesh_fit *f, snk_influences *start) {
	const uint32_t points = f->motion.point_count, joints = f->current.influences.joint_count;
	uint32_t *clusters = SNW_POOL_ARRAY(&f->current.pool, uint32_t, points);
	if (!clusters) {
		return SNW_ERROR_MEMORY;
	}
	const snk_steps steps = begin_part(f, refining_from, refining_from + of_clusters, "finding clusters");
	const snw_status status = snk_motion_clusters(f->host, &f->motion, joints, &steps, clusters);
	return snk_failed(status) ? status : snk_cluster_influences(&f->current.pool, points, joints, clusters, start);
}

static snw_status rebuild_graph(mesh_fit *f) {
	snk_blend_graph_drop(&f->current.graph);
	const snw_status status = snk_blend_graph_make(f->host, f->motion.points_rest, &f->current.influences, &f->current.graph);
	f->current.has_graph = !snk_failed(status);
	return snk_failed(status) ? status : count_flat_joints(f);
}

/* Where weights of all joints follow, few iterations. */
static uint32_t iterations_of(const mesh_fit *f) {
	return f->choice.is_dense ? REFINE_FEW : f->choice.refinements < 0 ? 0 : (uint32_t)f->choice.refinements;
}

static snw_status decompose(mesh_fit *f, uint32_t count, const snk_influences *starts) {
	const snw_value *values = f->input->values;
	const double diagonal = snk_bounds_diagonal(f->motion.points_rest, f->motion.point_count);
	const double smoothness = values[SMOOTHNESS].numbers[0], largest = values[LARGEST].numbers[0];
	const snk_decompose_options options = {
		.host = f->host,
		.motion = &f->motion,
		.kind = f->current.transforms.kind,
		.joint_count = f->current.influences.joint_count,
		.influences = most_influences(f),
		.iterations = iterations_of(f),
		.smoothness = smoothness * f->motion.frame_count * diagonal * diagonal,
		.adjacency = smoothness > 0 ? &f->adjacency : NULL,
		.largest = largest / 100 * diagonal,
		.held = f->held,
		.locked = f->current.locked,
		.given = f->current.given,
		.steps = begin_part(f, refining_from + of_clusters, f->choice.is_dense ? dense_from : details_from, "refining")};
	snk_decomposition found;
	const snw_status status = snk_decompose(&options, count, starts, &f->current.pool, &found);
	if (snk_failed(status)) {
		return status;
	}
	f->current.refinements = found.iterations;
	const int has_other_aims = smoothness > 0 || largest > 0;
	if (!has_other_aims && !(found.squares < f->current.transforms.squares)) {
		return SNW_OK;
	}
	f->current.influences = found.influences;
	f->current.transforms = found.transforms;
	return rebuild_graph(f);
}

/* Fits weights and transforms to each other, if requested: from clusters, from the current joints, or from the better of
 * both. Keeps the current transforms if they are better. */
static snw_status refine_fit(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const int start = f->choice.start;
	if (f->choice.refinements == 0 || f->stopped_at > 0) {
		return SNW_OK;
	}
	const snk_influences proxies = f->current.influences;
	snk_influences starts[2];
	uint32_t count = 0;
	snw_status status = SNW_OK;
	if (start != START_CLUSTERS || f->held || f->current.locked) {
		starts[count++] = f->current.influences;
	}
	/* Clusters know neither the weights that held points keep nor the places of locked joints. */
	if (start != START_P_CENTRE && !f->held && !f->current.locked) {
		status = start_from_clusters(f, &starts[count++]);
	}
	status = snk_failed(status) ? status : decompose(f, count, starts);
	if (!snk_failed(status) && f->choice.is_dense) {
		status = fit_dense(f, &proxies);
	}
	f->seconds.refining += snk_clock_seconds() - begun;
	return status == SNW_CANCELLED ? status_of_stop(f) : status;
}

/* ---- one number of joints ------------------------------------------------------------------------------------------------ */

enum { ROUNDS = 12 };
static const double least_gain = 2e-3;

void open_joints(const snw_host *host, joints_fit *fit) {
	*fit = (joints_fit){.pool = snw_pool_open(host)};
}

void drop_joints(joints_fit *fit) {
	const snw_host *host = fit->pool.host;
	if (fit->has_graph) {
		snk_blend_graph_drop(&fit->graph);
	}
	snw_pool_release(&fit->pool);
	open_joints(host, fit);
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

/* The linear system minimises the algebraic error; steps on the distance follow. */
static snw_status step_closer(mesh_fit *f, snk_transform_fit how) {
	const double begun = snk_clock_seconds();
	how.linear_only = 0;
	how.warm = 1;
	how.steps = begin_part(f, closer_from, f->choice.refinements == 0 ? details_from : refining_from, "refining transforms");
	const snw_status status = snk_transforms_fit(&how, &f->current.transforms);
	f->seconds.steps += snk_clock_seconds() - begun;
	return snk_failed(status) ? status : status_of_stop(f);
}

static snw_status fit_transforms(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const snk_transform_kind kind = f->choice.kind;
	const snk_transform_fit how = {.host = f->host,
								   .motion = &f->motion,
								   .graph = &f->current.graph,
								   .rounds = ROUNDS,
								   .enough = least_gain,
								   .locked = f->current.locked,
								   .linear_only = 1};
	snw_status status =
		snk_transforms_make(&f->current.pool, kind, f->current.influences.joint_count, &f->motion, &f->current.transforms);
	if (!snk_failed(status)) {
		put_given(f);
		status = snk_transforms_fit(&how, &f->current.transforms);
	}
	f->current.has_transforms = !snk_failed(status);
	f->seconds.transforms += snk_clock_seconds() - begun;
	if (!snk_failed(status) && kind == SNK_TRANSFORMS_DUAL_QUATERNION) {
		status = go_on(f, closer_from, "refining transforms");
		status = !snk_failed(status) && has_time(f) ? step_closer(f, how) : status;
	}
	return status;
}

/* ---- eigen-displacements ------------------------------------------------------------------------------------------------- */

static snw_status find_details(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const uint32_t wanted = (uint32_t)f->input->values[EIGEN].numbers[0];
	f->current.details.count = 0;
	if (wanted == 0) {
		return SNW_OK;
	}
	const snk_steps steps = begin_part(f, details_from, 1, "fitting eigen-displacements");
	const snw_status status = snk_eigen_details_of_points(f->host, &f->motion, &f->current.influences, &f->current.transforms,
														  wanted, &steps, &f->current.pool, &f->current.details);
	f->seconds.details += snk_clock_seconds() - begun;
	return status == SNW_CANCELLED ? status_of_stop(f) : status;
}

/* ---- all parts ----------------------------------------------------------------------------------------------------------- */

snw_status fit_joints(mesh_fit *f, uint32_t joint_count) {
	drop_joints(&f->current);
	snw_status status = choose_joints(f, joint_count);
	status = snk_failed(status) ? status : go_on(f, 0.05, "fitting transforms");
	status = snk_failed(status) ? status : fit_transforms(f);
	status = snk_failed(status) ? status : refine_fit(f);
	status = snk_failed(status) ? status : find_details(f);
	return snk_failed(status) ? status : measure_fit(f);
}

/* ---- the number of joints ------------------------------------------------------------------------------------------------ */

/* The share of the remaining time for the next number: how many will follow is not known. */
static const double share_of_next = 0.25;

int seeks_joint_count(const mesh_fit *f) {
	return f->input->values[JOINTS].numbers[0] == JOINTS_AUTO && !has_rig(f->input->character->meshes[f->mesh]);
}

int misses_error(const mesh_fit *f, const joints_fit *fit) {
	return fit->error_percent > f->input->values[ERROR].numbers[0]; /* a mesh that stays at rest has no error */
}

/* A number of joints, and its error in percent. */
typedef struct trial {
	uint32_t joints;
	double error_percent;
} trial;

/* The smaller number if both meet the error; otherwise the one with the smaller error. */
static int is_better(const mesh_fit *f, const joints_fit *a, const joints_fit *b) {
	if (!b->has_transforms || misses_error(f, a) != misses_error(f, b)) {
		return !b->has_transforms || misses_error(f, b);
	}
	return misses_error(f, a) ? a->error_percent < b->error_percent : a->influences.joint_count < b->influences.joint_count;
}

static void exchange(joints_fit *a, joints_fit *b) {
	const joints_fit was = *a;
	*a = *b;
	*b = was;
}

/* Fits this many joints, and keeps them if they are the best so far. A stop before the first is done ends the whole fit. The
 * search's share of the mesh's time ends at `until`. */
static snw_status try_count(mesh_fit *f, uint32_t count, double until, trial *tried) {
	f->share_from = f->share_to;
	f->share_to += share_of_next * (until - f->share_to);
	const snw_status status = fit_joints(f, count);
	*tried = (trial){f->current.influences.joint_count, f->current.error_percent};
	if (status == SNW_CANCELLED && f->best.has_transforms) {
		return SNW_OK;
	}
	if (!snk_failed(status) && is_better(f, &f->current, &f->best)) {
		exchange(&f->current, &f->best);
	}
	return status;
}

/* The number of joints between two at which the error should be met, if it falls by a power of the number. */
static uint32_t guess_between(const trial *few, const trial *enough, double wanted) {
	const double power = log(few->error_percent / enough->error_percent) / log((double)enough->joints / few->joints);
	const double guess = enough->joints * pow(enough->error_percent / wanted, 1 / power);
	const uint32_t middle = few->joints + (enough->joints - few->joints) / 2;
	return guess > few->joints && guess < enough->joints ? (uint32_t)guess + (guess < enough->joints - 1) : middle;
}

/* Whether the search may try another number. */
static int may_try(const mesh_fit *f) {
	return f->must_finish ? has_time(f) : !(f->stopped_at > 0);
}

/* Doubles the number of joints until the error is met, or the limit is reached. `few`: the last that did not meet it. */
static snw_status double_joints(mesh_fit *f, double until, trial *few, trial *enough) {
	const uint32_t most = f->motion.point_count < MOST_AUTO_JOINTS ? f->motion.point_count : MOST_AUTO_JOINTS;
	for (uint32_t count = 1;; count = 2 * count < most ? 2 * count : most) {
		const snw_status status = try_count(f, count, until, enough);
		const int last = count == most || enough->joints < count || !may_try(f);
		if (snk_failed(status) || last || !(enough->error_percent > f->input->values[ERROR].numbers[0])) {
			return status;
		}
		*few = *enough;
	}
}

snw_status find_joint_count(mesh_fit *f) {
	const double wanted = f->input->values[ERROR].numbers[0], until = f->share_to;
	trial few = {0}, enough;
	f->share_to = f->share_from;
	snw_status status = double_joints(f, until, &few, &enough);
	while (!snk_failed(status) && may_try(f) && !(enough.error_percent > wanted) && enough.joints - few.joints > 1) {
		trial tried;
		status = try_count(f, guess_between(&few, &enough, wanted), until, &tried);
		*(tried.error_percent > wanted ? &few : &enough) = tried;
	}
	f->share_to = until;
	if (!snk_failed(status)) {
		exchange(&f->current, &f->best);
		drop_joints(&f->best);
	}
	if (!snk_failed(status) && misses_error(f, &f->current)) {
		snw_report_line(
			f->host, SNW_LOG_WARNING, "mesh '%s': %u joints leave an error of %.4g %%, more than the %g %% asked for",
			f->input->character->meshes[f->mesh]->name, f->current.influences.joint_count, f->current.error_percent, wanted);
	}
	return status;
}
