/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals by transforms of their own (Kavan et al. 2007, end of sections 4.1 and 4.2), fitted to the normals of the frames' faces
 * with the weights of the points: linear maps under linear blend, which the host makes unit after the blend; turns without a shift
 * beside dual quaternions, by the same linear system with no dual parts.
 */
#include <math.h>

#include "math/lane_algebra.h"
#include "sad/fit.h"

/* How strongly a joint's map holds to what the points' transform says, where its normals leave it open. */
static const double hold = 1e-4;

typedef struct normal_fit {
	mesh_fit *f;
	const snw_lane_kernels *kernels;
	snw_lanes *factor; /* of linear maps: the same for all frames */
	unsigned char *failed;
} normal_fit;

static void find_frame_normals(const normal_fit *n, uint32_t block, snw_lanes *normals) {
	const mesh_fit *f = n->f;
	const snw_mesh_view *mesh = &f->input->character->meshes[f->mesh];
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const uint32_t first = f->ring_offsets[i];
		n->kernels->point_normal(&f->motion, block, f->ring_offsets[i + 1] - first, f->ring_faces + first, mesh->face_offsets,
								 mesh->face_points, normals + (size_t)3 * i);
	}
}

/* ---- linear maps ----------------------------------------------------------------------------------------------------------- */

static void factor_maps(normal_fit *n) {
	const mesh_fit *f = n->f;
	const snw_influences *all = &f->influences;
	const snw_blend_graph *graph = &f->graph;
	for (uint32_t i = 0; i < all->point_count; i++) {
		const double *rest = f->normals_rest + (size_t)3 * i;
		for (uint32_t a = all->offsets[i]; a < all->offsets[i + 1]; a++) {
			for (uint32_t b = all->offsets[i]; b < all->offsets[i + 1]; b++) {
				const uint32_t row = graph->places[all->joints[a]], column = graph->places[all->joints[b]];
				snw_lanes *block = n->factor + (size_t)9 * graph->blocks[(size_t)row * graph->joint_count + column];
				for (int c = 0; column <= row && c < 9; c++) {
					block[c] += all->weights[a] * all->weights[b] * rest[c / 3] * rest[c % 3];
				}
			}
		}
	}
	for (uint32_t place = 0; place < graph->joint_count; place++) {
		for (size_t c = 0; c < 9; c += 4) {
			n->factor[(size_t)9 * place + c] += hold * graph->masses[graph->order[place]];
		}
	}
	n->kernels->factor(graph, 3, n->factor);
}

/* What maps normals as the matrix maps points: its cofactors, of the size of a rotation. */
static void find_cofactors(const snw_lanes *m, snw_lanes dest[9]) {
	for (int r = 0; r < 3; r++) {
		const snw_lanes *a = m + (size_t)4 * (size_t)((r + 1) % 3), *b = m + (size_t)4 * (size_t)((r + 2) % 3);
		for (int c = 0; c < 3; c++) {
			dest[3 * r + c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
		}
	}
	snw_lanes square = {0};
	for (int i = 0; i < 9; i++) {
		square += dest[i] * dest[i];
	}
	const snw_lanes scale = 1.0 / lane_max(lane_sqrt(square / 3), square * 0 + 1e-200);
	for (int i = 0; i < 9; i++) {
		dest[i] *= scale;
	}
}

static void fit_maps(const normal_fit *n, uint32_t block, const snw_lanes *normals, snw_lanes *right) {
	const mesh_fit *f = n->f;
	const snw_influences *all = &f->influences;
	const size_t joints = all->joint_count;
	for (uint32_t j = 0; j < joints; j++) {
		snw_lanes prior[9];
		find_cofactors(snw_transforms_block(&f->transforms, block) + (size_t)12 * j, prior);
		for (size_t i = 0; i < 9; i++) {
			right[(i / 3 * joints + f->graph.places[j]) * 3 + i % 3] = hold * f->graph.masses[j] * prior[i];
		}
	}
	for (uint32_t i = 0; i < all->point_count; i++) {
		const snw_lanes *posed = normals + (size_t)3 * i;
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			const size_t place = f->graph.places[all->joints[k]];
			for (size_t r = 0; r < 3; r++) {
				for (size_t c = 0; c < 3; c++) {
					right[(r * joints + place) * 3 + c] += posed[r] * (all->weights[k] * f->normals_rest[(size_t)3 * i + c]);
				}
			}
		}
	}
	n->kernels->solve(&f->graph, 3, n->factor, 3, right);
	snw_lanes *dest = f->normal_values + (size_t)9 * joints * block;
	for (size_t j = 0; j < joints; j++) {
		for (size_t i = 0; i < 9; i++) {
			dest[9 * j + i] = right[(i / 3 * joints + f->graph.places[j]) * 3 + i % 3];
		}
	}
}

/* ---- turns ----------------------------------------------------------------------------------------------------------------- */

/* Rows of n' q − q n with (1 + a) q in place of q: their derivative by a, [4][3], and their value at a = 0, added up. */
static void turn_rows(const snw_lanes q[4], double w, const double rest[3], const snw_lanes posed[3], snw_lanes *rows,
					  snw_lanes value[4]) {
	snw_lanes half[4], turned[4], weighted[4], product[4];
	lane_multiply_point(q, rest, half);
	lane_multiply_conjugate(half, q, turned);
	const snw_lanes zero = posed[0] * 0;
	const snw_lanes gap[4] = {posed[0] - turned[0], posed[1] - turned[1], posed[2] - turned[2], zero};
	const snw_lanes sum[3] = {posed[0] + turned[0], posed[1] + turned[1], posed[2] + turned[2]};
	const snw_lanes columns[3][4] = {
		{zero, sum[2], -sum[1], -gap[0]}, {-sum[2], zero, sum[0], -gap[1]}, {sum[1], -sum[0], zero, -gap[2]}};
	for (int i = 0; i < 4; i++) {
		weighted[i] = q[i] * w;
	}
	lane_multiply(gap, weighted, product);
	for (int i = 0; i < 4; i++) {
		value[i] += product[i];
	}
	for (int c = 0; c < 3; c++) {
		lane_multiply(columns[c], weighted, product);
		for (int r = 0; r < 4; r++) {
			rows[3 * r + c] = product[r];
		}
	}
}

static void start_turns(const mesh_fit *f, uint32_t block, snw_lanes *turns) {
	for (uint32_t j = 0; j < f->influences.joint_count; j++) {
		const snw_lanes *q = snw_transforms_block(&f->transforms, block) + (size_t)8 * j;
		const snw_lanes square = lane_dot3(q, q) + q[3] * q[3];
		const snw_lanes scale = 1.0 / lane_max(lane_sqrt(square), square * 0 + 1e-200);
		for (int i = 0; i < 4; i++) {
			turns[4 * j + (uint32_t)i] = q[i] * scale;
		}
	}
}

static void fit_turns(const normal_fit *n, uint32_t block, const snw_lanes *normals, snw_lanes *blocks, snw_lanes *right) {
	const mesh_fit *f = n->f;
	const snw_influences *all = &f->influences;
	const snw_blend_graph *graph = &f->graph;
	snw_lanes *turns = f->normal_values + (size_t)4 * all->joint_count * block, rows[SNW_FIT_INFLUENCES][12];
	start_turns(f, block, turns);
	for (uint32_t i = 0; i < all->point_count; i++) {
		const uint32_t first = all->offsets[i], end = all->offsets[i + 1];
		snw_lanes value[4] = {{0}, {0}, {0}, {0}};
		for (uint32_t k = first; k < end; k++) {
			turn_rows(turns + (size_t)4 * all->joints[k], all->weights[k], f->normals_rest + (size_t)3 * i,
					  normals + (size_t)3 * i, rows[k - first], value);
		}
		for (uint32_t a = first; a < end; a++) {
			const uint32_t place = graph->places[all->joints[a]];
			for (uint32_t c = 0; c < 3; c++) {
				for (uint32_t r = 0; r < 4; r++) {
					right[(size_t)3 * place + c] -= rows[a - first][3 * r + c] * value[r];
				}
			}
			for (uint32_t b = first; b < end; b++) {
				const uint32_t column = graph->places[all->joints[b]];
				if (column <= place) {
					lane_add_gram(4, 3, rows[a - first], rows[b - first],
								  blocks + (size_t)9 * graph->blocks[(size_t)place * graph->joint_count + column]);
				}
			}
		}
	}
	for (uint32_t place = 0; place < graph->joint_count; place++) {
		for (size_t c = 0; c < 9; c += 4) {
			blocks[(size_t)9 * place + c] += 4 * hold * graph->masses[graph->order[place]];
		}
	}
	n->kernels->factor(graph, 3, blocks);
	n->kernels->solve(graph, 3, blocks, 1, right);
	for (uint32_t j = 0; j < all->joint_count; j++) {
		const snw_lanes *a = right + (size_t)3 * graph->places[j];
		const snw_lanes x[4] = {a[0], a[1], a[2], a[0] * 0 + 1};
		snw_lanes turned[4];
		lane_multiply(x, turns + (size_t)4 * j, turned);
		memcpy(turns + (size_t)4 * j, turned, sizeof turned);
	}
}

/* ---- all blocks ------------------------------------------------------------------------------------------------------------ */

static void fit_chunk(void *argument, uint32_t begin, uint32_t end) {
	normal_fit *n = argument;
	const mesh_fit *f = n->f;
	const size_t points = f->motion.point_count, joints = f->influences.joint_count;
	for (uint32_t block = begin; block < end; block++) {
		snw_pool pool = snw_pool_open(f->host);
		snw_lanes *normals = SNW_POOL_ARRAY(&pool, snw_lanes, 3 * points);
		snw_lanes *right = SNW_POOL_ARRAY(&pool, snw_lanes, 9 * joints);
		snw_lanes *blocks = n->factor ? NULL : SNW_POOL_ARRAY(&pool, snw_lanes, (size_t)9 * f->graph.block_count);
		n->failed[block] = (unsigned char)pool.failed;
		if (!pool.failed) {
			find_frame_normals(n, block, normals);
			if (n->factor) {
				fit_maps(n, block, normals, right);
			} else {
				fit_turns(n, block, normals, blocks, right);
			}
		}
		snw_pool_release(&pool);
	}
}

snw_status fit_normals(mesh_fit *f) {
	const double begun = seconds_now();
	const snw_mesh_view *mesh = &f->input->character->meshes[f->mesh];
	f->normals_rest = NULL;
	f->normal_values = NULL;
	if (f->input->values[NORMALS] == 0 || mesh->face_count == 0) {
		return SNW_OK;
	}
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	const int turns = f->transforms.kind == SNW_TRANSFORMS_DUAL_QUATERNION;
	snw_pool scratch = snw_pool_open(f->host);
	normal_fit n = {.f = f, .kernels = snw_lane_kernels_best()};
	snw_status status = find_rings(f);
	n.failed = SNW_POOL_ARRAY(&scratch, unsigned char, f->motion.block_count);
	n.factor = turns ? NULL : SNW_POOL_ARRAY(&scratch, snw_lanes, (size_t)9 * f->graph.block_count);
	f->normal_values =
		SNW_POOL_ARRAY(&f->found, snw_lanes, (size_t)(turns ? 4 : 9) * f->influences.joint_count * f->motion.block_count);
	status = status == SNW_OK && (scratch.failed || f->found.failed) ? SNW_ERROR_MEMORY : status;
	if (status == SNW_OK) {
		if (n.factor) {
			factor_maps(&n);
		}
		parallel->run(f->host, f->motion.block_count, 1, fit_chunk, &n);
	}
	for (uint32_t block = 0; status == SNW_OK && block < f->motion.block_count; block++) {
		status = n.failed[block] ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	status = status == SNW_OK ? find_normal_details(f) : status;
	f->seconds.normals += seconds_now() - begun;
	return status;
}
