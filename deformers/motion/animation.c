/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The working copy of a mesh animation.
 */
#include <stdlib.h>

#include "motion/animation.h"
#include "motion/kernels.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The mean of the rest points. It is computed from doubles, so that a frame that equals the rest pose remains equal to it. */
static void find_centre(uint32_t point_count, const double *points_rest, double centre[3]) {
	for (int c = 0; c < 3; c++) {
		double sum = 0;
		for (uint32_t i = 0; i < point_count; i++) {
			sum += points_rest[3 * (size_t)i + (size_t)c];
		}
		/* Rounded to float, so that subtracting it from floats nearby is exact. */
		centre[c] = point_count > 0 ? (double)(float)(sum / point_count) : 0;
	}
}

static void copy_block(const snk_motion *motion, const float *const *frames, uint32_t block) {
	const float *sources[SNK_LANES];
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		const uint32_t frame = block * SNK_LANES + lane;
		sources[lane] = frames[frame < motion->frame_count ? frame : motion->frame_count - 1];
	}
	const size_t numbers = 3 * (size_t)motion->point_count;
	snk_float_lanes *dest = motion->posed + block * numbers;
	for (size_t i = 0; i < numbers; i++) {
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			dest[i][lane] = (float)((double)sources[lane][i] - motion->centre[i % 3]);
		}
	}
}

snw_status snk_motion_make(snw_pool *pool, uint32_t point_count, const double *points_rest, uint32_t frame_count,
						   const float *const *frames, snk_motion *motion) {
	const uint32_t blocks = frame_count / SNK_LANES + (frame_count % SNK_LANES != 0);
	double *rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)point_count);
	*motion = (snk_motion){
		.point_count = point_count,
		.frame_count = frame_count,
		.block_count = blocks,
		.points_rest = rest,
		.posed = SNW_POOL_ARRAY(pool, snk_float_lanes, 3 * (size_t)point_count * blocks),
	};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	find_centre(point_count, points_rest, motion->centre);
	for (size_t i = 0; i < 3 * (size_t)point_count; i++) {
		rest[i] = points_rest[i] - motion->centre[i % 3];
	}
	for (uint32_t block = 0; block < blocks; block++) {
		copy_block(motion, frames, block);
	}
	return SNW_OK;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* The frames of one mesh, from all sequences and targets that show it. */

/* The frames of all animations in turn, and which of them do not continue the previous one. */
static void list_frames(const snk_animations *animations, uint32_t point_count, const float **frames, unsigned char *breaks) {
	uint32_t at = 0;
	for (uint32_t s = 0; s < animations->count; s++) {
		for (uint32_t frame = 0; frame < animations->sequences[s]->frame_count; frame++) {
			breaks[at] = frame == 0 || snk_is_set(animations->sequences[s]);
			frames[at++] = animations->sequences[s]->points_posed + 3 * (size_t)point_count * frame;
		}
	}
}

snw_status snk_motion_gather(const snw_fit_input *input, uint32_t mesh_index, snw_pool *pool, snk_animations *animations,
							 const float ***frames, snk_motion *motion) {
	const snw_mesh_view *mesh = input->character->meshes[mesh_index];
	snw_status status = snk_animations_gather(input, mesh_index, pool, animations);
	for (uint32_t s = 0; !snk_failed(status) && s < animations->count; s++) {
		status = snk_animation_check(pool->host, animations->sequences[s], mesh->point_count);
	}
	const uint64_t count = snk_failed(status) ? 0 : animations->frame_count;
	if (count == 0 || mesh->point_count == 0) {
		return status;
	}
	if (count > UINT32_MAX / 2) {
		return snw_report_fail(pool->host, SNW_ERROR_LIMIT, "mesh '%s' has too many frames for a fit; fit fewer sequences",
							   mesh->name);
	}
	*frames = snw_pool_acquire(pool, (size_t)count, sizeof **frames);
	unsigned char *breaks = SNW_POOL_ARRAY(pool, unsigned char, (size_t)count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	list_frames(animations, mesh->point_count, *frames, breaks);
	status = snk_motion_make(pool, mesh->point_count, mesh->points_rest, (uint32_t)count, *frames, motion);
	motion->breaks = breaks;
	return status;
}

/* ---- graphs of joints ---------------------------------------------------------------------------------------------------- */

/* The graph of joints that share points, eliminated by minimum degree. */

static void mark_neighbours(const snk_influences *all, unsigned char *near) {
	for (uint32_t i = 0; i < all->point_count; i++) {
		for (uint32_t a = all->offsets[i]; a < all->offsets[i + 1]; a++) {
			for (uint32_t b = all->offsets[i]; b < a; b++) {
				near[(size_t)all->joints[a] * all->joint_count + all->joints[b]] = 1;
				near[(size_t)all->joints[b] * all->joint_count + all->joints[a]] = 1;
			}
		}
	}
	for (uint32_t j = 0; j < all->joint_count; j++) {
		near[(size_t)j * all->joint_count + j] = 0;
	}
}

static uint32_t degree_of(uint32_t count, const unsigned char *row) {
	uint32_t degree = 0;
	for (uint32_t j = 0; j < count; j++) {
		degree += row[j];
	}
	return degree;
}

/* Eliminates joint `out`: its neighbours become neighbours of each other, and it is removed from their rows. Its row is
 * kept. */
static void eliminate(uint32_t count, unsigned char *near, uint32_t out, uint32_t *degrees) {
	const unsigned char *row = near + (size_t)out * count;
	for (uint32_t a = 0; a < count; a++) {
		if (!row[a]) {
			continue;
		}
		unsigned char *other = near + (size_t)a * count;
		for (uint32_t b = 0; b < count; b++) {
			other[b] |= row[b];
		}
		other[a] = other[out] = 0;
		degrees[a] = degree_of(count, other);
	}
}

static int by_value(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Afterwards the row of a joint contains those eliminated after it. Returns the number of blocks below the diagonal. */
static uint32_t choose_order(snk_blend_graph *graph, unsigned char *near, uint32_t *degrees) {
	const uint32_t count = graph->joint_count;
	uint32_t blocks = 0;
	for (uint32_t j = 0; j < count; j++) {
		degrees[j] = degree_of(count, near + (size_t)j * count);
		graph->places[j] = SNW_NONE;
	}
	for (uint32_t place = 0; place < count; place++) {
		uint32_t least = SNW_NONE;
		for (uint32_t j = 0; j < count; j++) {
			if (graph->places[j] == SNW_NONE && (least == SNW_NONE || degrees[j] < degrees[least])) {
				least = j;
			}
		}
		graph->order[place] = least;
		graph->places[least] = place;
		blocks += degrees[least];
		eliminate(count, near, least, degrees);
	}
	return blocks;
}

static void list_blocks(snk_blend_graph *graph, const unsigned char *near) {
	const uint32_t count = graph->joint_count;
	for (size_t i = 0; i < (size_t)count * count; i++) {
		graph->blocks[i] = SNW_NONE;
	}
	for (uint32_t place = 0; place < count; place++) {
		const unsigned char *row = near + (size_t)graph->order[place] * count;
		uint32_t at = graph->offsets[place];
		for (uint32_t j = 0; j < count; j++) {
			if (row[j]) {
				graph->rows[at++] = graph->places[j];
			}
		}
		qsort(graph->rows + graph->offsets[place], at - graph->offsets[place], sizeof *graph->rows, by_value);
		graph->offsets[place + 1] = at;
		graph->blocks[(size_t)place * count + place] = place;
		for (uint32_t k = graph->offsets[place]; k < at; k++) {
			graph->blocks[(size_t)graph->rows[k] * count + place] = count + k;
			graph->blocks[(size_t)place * count + graph->rows[k]] = count + k;
		}
	}
}

static void find_centres(snk_blend_graph *graph) {
	const snk_influences *all = graph->influences;
	for (uint32_t i = 0; i < all->point_count; i++) {
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			graph->masses[all->joints[k]] += all->weights[k];
			for (size_t c = 0; c < 3; c++) {
				graph->centres[all->joints[k]][c] += all->weights[k] * graph->points_rest[3 * (size_t)i + c];
			}
		}
	}
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		for (int c = 0; c < 3; c++) {
			graph->centres[j][c] /= graph->masses[j] > 0 ? graph->masses[j] : 1;
		}
	}
}

static void add_moment(snk_blend_graph *graph, const double *point, uint32_t row, double row_weight, uint32_t column,
					   double column_weight) {
	double r[4] = {0, 0, 0, row_weight * column_weight}, c[4] = {0, 0, 0, 1};
	for (int a = 0; a < 3; a++) {
		r[a] = row_weight * column_weight * (point[a] - graph->centres[row][a]);
		c[a] = point[a] - graph->centres[column][a];
	}
	double *moment = graph->moments[graph->blocks[(size_t)graph->places[row] * graph->joint_count + graph->places[column]]];
	for (int a = 0; a < 4; a++) {
		for (int b = 0; b < 4; b++) {
			moment[4 * a + b] += r[a] * c[b];
		}
	}
}

static void sum_moments(snk_blend_graph *graph) {
	const snk_influences *all = graph->influences;
	for (uint32_t i = 0; i < all->point_count; i++) {
		for (uint32_t a = all->offsets[i]; a < all->offsets[i + 1]; a++) {
			for (uint32_t b = all->offsets[i]; b <= a; b++) {
				const int is_transposed = graph->places[all->joints[a]] < graph->places[all->joints[b]];
				const uint32_t row = is_transposed ? b : a, column = is_transposed ? a : b;
				add_moment(graph, graph->points_rest + 3 * (size_t)i, all->joints[row], all->weights[row], all->joints[column],
						   all->weights[column]);
			}
		}
	}
}

/* Sorts points by their largest influence (counting sort). */
static void order_points(snk_blend_graph *graph, uint32_t *starts) {
	const snk_influences *all = graph->influences;
	for (int filling = 0; filling < 2; filling++) {
		for (uint32_t i = 0; i < all->point_count; i++) {
			uint32_t most = all->offsets[i];
			for (uint32_t k = most; k < all->offsets[i + 1]; k++) {
				most = all->weights[k] > all->weights[most] ? k : most;
			}
			const uint32_t place = all->offsets[i] < all->offsets[i + 1] ? graph->places[all->joints[most]] : 0;
			if (filling) {
				graph->visit[starts[place]++] = i;
			} else {
				starts[place + 1]++;
			}
		}
		for (uint32_t place = 0; !filling && place < graph->joint_count; place++) {
			starts[place + 1] += starts[place];
		}
	}
}

snw_status snk_blend_graph_make(const snw_host *host, const double *points_rest, const snk_influences *influences,
								snk_blend_graph *graph) {
	snw_pool pool = snw_pool_open(host), scratch = snw_pool_open(host);
	const size_t count = influences->joint_count;
	*graph = (snk_blend_graph){
		.influences = influences,
		.points_rest = points_rest,
		.joint_count = influences->joint_count,
		.order = SNW_POOL_ARRAY(&pool, uint32_t, count),
		.places = SNW_POOL_ARRAY(&pool, uint32_t, count),
		.offsets = SNW_POOL_ARRAY(&pool, uint32_t, count + 1),
		.blocks = SNW_POOL_ARRAY(&pool, uint32_t, count * count),
		.centres = snw_pool_acquire(&pool, count, sizeof *graph->centres),
		.masses = SNW_POOL_ARRAY(&pool, double, count),
		.visit = SNW_POOL_ARRAY(&pool, uint32_t, influences->point_count),
	};
	unsigned char *near = SNW_POOL_ARRAY(&scratch, unsigned char, count *count);
	uint32_t *degrees = SNW_POOL_ARRAY(&scratch, uint32_t, count), *starts = SNW_POOL_ARRAY(&scratch, uint32_t, count + 1);
	snw_status status = pool.failed || scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		mark_neighbours(influences, near);
		const uint32_t below = choose_order(graph, near, degrees);
		graph->block_count = graph->joint_count + below;
		graph->rows = SNW_POOL_ARRAY(&pool, uint32_t, below);
		graph->moments = snw_pool_acquire(&pool, graph->block_count, sizeof *graph->moments);
		status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	}
	if (!snk_failed(status)) {
		list_blocks(graph, near);
		find_centres(graph);
		sum_moments(graph);
		order_points(graph, starts);
	}
	snw_pool_release(&scratch);
	graph->pool = pool;
	if (snk_failed(status)) {
		snk_blend_graph_drop(graph);
	}
	return status;
}

void snk_blend_graph_drop(snk_blend_graph *graph) {
	snw_pool_release(&graph->pool);
}

/* ---- the kernels of this machine ----------------------------------------------------------------------------------------- */

extern const snk_lane_kernels snk_lane_kernels_baseline;
#if defined(__x86_64__)
extern const snk_lane_kernels snk_lane_kernels_avx2, snk_lane_kernels_avx512;
#endif

const snk_lane_kernels *snk_lane_kernels_best(void) {
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512f")) {
		return &snk_lane_kernels_avx512;
	}
	if (__builtin_cpu_supports("avx2")) {
		return &snk_lane_kernels_avx2;
	}
#endif
	return &snk_lane_kernels_baseline;
}
