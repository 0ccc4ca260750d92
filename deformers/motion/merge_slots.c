/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "motion/learn_weights.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/status.h"
#include "sinew/put.h"
#include "sinew/report.h"

enum {
	MOST_POSES = 64, /* of all meshes together, spread evenly over their samples: they choose the pairs */
	MOMENTS = 4 * 4,
};

typedef struct merging {
	const snw_fit_input *input;
	const snw_character_view *character;
	uint32_t pose_count;
	const snw_pose_view **poses;
	uint32_t **slots;      /* [mesh_count][influences]: as merged so far */
	unsigned char *moves;  /* [slot_count]: still moves points */
	double *moments;       /* [slot_count][MOMENTS] */
	uint32_t *joint_slots; /* [joint_count]: its first slot that moves points; SNW_NONE without one */
	uint32_t *above;       /* [slot_count]: the slot of the nearest joint above that has one; SNW_NONE */
} merging;

static uint32_t influence_count(const snw_mesh_view *mesh) {
	return mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
}

static uint32_t count_moving(const merging *m) {
	uint32_t count = 0;
	for (uint32_t s = 0; s < m->character->slot_count; s++) {
		count += m->moves[s];
	}
	return count;
}

/* ---- what is read -------------------------------------------------------------------------------------------------------- */

static snw_status gather_poses(merging *m, snw_pool *pool) {
	const uint32_t mesh_count = m->character->mesh_count, most = MOST_POSES / mesh_count + 1;
	m->poses = (const snw_pose_view **)snw_pool_acquire(pool, (size_t)most * mesh_count, sizeof *m->poses);
	snw_status status = m->poses ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t i = 0; i < mesh_count && !snk_failed(status); i++) {
		snk_sample *samples;
		uint32_t count;
		status = snk_samples_gather(m->input, i, pool, &samples, &count);
		const uint32_t taken = snk_failed(status) ? 0 : count < most ? count : most;
		for (uint32_t s = 0; s < taken; s++) {
			m->poses[m->pose_count++] = samples[(uint64_t)s * count / taken].pose;
		}
	}
	return status;
}

static snw_status open(merging *m, snw_pool *pool) {
	const snw_character_view *character = m->character;
	m->slots = (uint32_t **)snw_pool_acquire(pool, character->mesh_count, sizeof *m->slots);
	m->moves = SNW_POOL_ARRAY(pool, unsigned char, character->slot_count);
	m->moments = SNW_POOL_ARRAY(pool, double, MOMENTS *(size_t)character->slot_count);
	m->above = SNW_POOL_ARRAY(pool, uint32_t, character->slot_count);
	m->joint_slots = SNW_POOL_ARRAY(pool, uint32_t, character->skeleton->joint_count);
	for (uint32_t i = 0; i < character->mesh_count && !pool->failed; i++) {
		const snw_mesh_view *mesh = character->meshes[i];
		const uint32_t count = influence_count(mesh);
		m->slots[i] = SNW_POOL_ARRAY(pool, uint32_t, count);
		for (uint32_t k = 0; k < count && !pool->failed; k++) {
			m->slots[i][k] = mesh->influence_slots[k];
			m->moves[m->slots[i][k]] |= mesh->influence_weights[k] > 0;
		}
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- the next pair ------------------------------------------------------------------------------------------------------- */

/* Several influences of a point that are one slot by now count as one. */
static void add_point(const merging *m, uint32_t mesh_index, uint32_t point) {
	const snw_mesh_view *mesh = m->character->meshes[mesh_index];
	const uint32_t *slots = m->slots[mesh_index], first = mesh->influence_offsets[point];
	const double *rest = mesh->points_rest + 3 * (size_t)point, row[4] = {rest[0], rest[1], rest[2], 1};
	for (uint32_t k = first; k < mesh->influence_offsets[point + 1]; k++) {
		double weight = mesh->influence_weights[k];
		int is_first = 1;
		for (uint32_t other = first; other < mesh->influence_offsets[point + 1]; other++) {
			is_first &= other >= k || slots[other] != slots[k];
			weight += other > k && slots[other] == slots[k] ? mesh->influence_weights[other] : 0;
		}
		double *moments = m->moments + MOMENTS * (size_t)slots[k];
		for (int i = 0; i < MOMENTS && is_first; i++) {
			moments[i] += weight * weight * row[i / 4] * row[i % 4];
		}
	}
}

static void find_moments(const merging *m) {
	memset(m->moments, 0, MOMENTS * (size_t)m->character->slot_count * sizeof *m->moments);
	for (uint32_t i = 0; i < m->character->mesh_count; i++) {
		const snw_mesh_view *mesh = m->character->meshes[i];
		for (uint32_t p = 0; p < mesh->point_count && mesh->influence_offsets; p++) {
			add_point(m, i, p);
		}
	}
}

static void find_above(const merging *m) {
	const snw_skeleton_view *skeleton = m->character->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		m->joint_slots[j] = SNW_NONE;
	}
	for (uint32_t s = m->character->slot_count; s-- > 0;) {
		if (m->moves[s]) {
			m->joint_slots[m->character->slot_joints[s]] = s;
		}
	}
	for (uint32_t s = 0; s < m->character->slot_count; s++) {
		uint32_t joint = m->character->slot_joints[s];
		m->above[s] = m->joint_slots[joint] == s ? SNW_NONE : m->joint_slots[joint];
		while (m->above[s] == SNW_NONE && (joint = skeleton->parents[joint]) != SNW_NONE) {
			m->above[s] = m->joint_slots[joint];
		}
	}
}

static int can_merge(const merging *m, uint32_t from, uint32_t into) {
	return from != into && m->moves[from] && m->moves[into] &&
		   (m->above[from] == into || m->above[into] == from || (m->above[from] == SNW_NONE && m->above[into] == SNW_NONE));
}

/* Gives up above `limit`. */
static double find_cost(const merging *m, uint32_t from, uint32_t into, double limit) {
	const double *moments = m->moments + MOMENTS * (size_t)from;
	double cost = 0;
	for (uint32_t f = 0; f < m->pose_count && cost < limit; f++) {
		const double *a = m->poses[f]->palette + 12 * (size_t)from, *b = m->poses[f]->palette + 12 * (size_t)into;
		for (int row = 0; row < 12; row += 4) {
			for (int i = 0; i < MOMENTS; i++) {
				cost += (b[row + i / 4] - a[row + i / 4]) * moments[i] * (b[row + i % 4] - a[row + i % 4]);
			}
		}
	}
	return cost;
}

/* A rounding error may not decide that a joint which moves with the one above it takes its place. */
static double slack(const merging *m, uint32_t from, uint32_t into) {
	const double *moments = m->moments + MOMENTS * (size_t)from;
	const double size = moments[0] + moments[5] + moments[10] + moments[15];
	return m->above[from] == into ? 0 : 1e-9 * size * m->pose_count;
}

/* Returns whether there was a pair. */
static int merge_cheapest(merging *m) {
	const uint32_t count = m->character->slot_count;
	uint32_t from = SNW_NONE, into = SNW_NONE;
	double least = INFINITY;
	find_moments(m);
	find_above(m);
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			if (!can_merge(m, a, b)) {
				continue;
			}
			const double cost = find_cost(m, a, b, least) + slack(m, a, b);
			if (cost < least) {
				least = cost;
				from = a;
				into = b;
			}
		}
	}
	for (uint32_t i = 0; i < m->character->mesh_count && from != SNW_NONE; i++) {
		for (uint32_t k = 0; k < influence_count(m->character->meshes[i]); k++) {
			m->slots[i][k] = m->slots[i][k] == from ? into : m->slots[i][k];
		}
	}
	if (from != SNW_NONE) {
		m->moves[from] = 0;
	}
	return from != SNW_NONE;
}

/* ---- the character ------------------------------------------------------------------------------------------------------- */

/* A mesh with the merged influences; those of one slot become one. */
static snw_status copy_mesh(const merging *m, uint32_t index, snw_pool *pool, const snw_mesh_view **dest) {
	const snw_mesh_view *mesh = m->character->meshes[index];
	const uint32_t most = influence_count(mesh);
	snw_mesh_view *made = SNW_POOL_ARRAY(pool, snw_mesh_view, 1);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1),
			 *slots = SNW_POOL_ARRAY(pool, uint32_t, most);
	double *weights = SNW_POOL_ARRAY(pool, double, most);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	made->size = sizeof *made;
	snw_put(made, mesh);
	*dest = made;
	for (uint32_t p = 0, count = 0; p < mesh->point_count && most > 0; p++) {
		const uint32_t first = count;
		for (uint32_t k = mesh->influence_offsets[p]; k < mesh->influence_offsets[p + 1]; k++) {
			uint32_t at = first;
			while (at < count && slots[at] != m->slots[index][k]) {
				at++;
			}
			slots[at] = m->slots[index][k];
			weights[at] += mesh->influence_weights[k];
			count += at == count;
		}
		offsets[p + 1] = count;
	}
	if (most > 0) {
		made->influence_offsets = offsets;
		made->influence_slots = slots;
		made->influence_weights = weights;
	}
	return SNW_OK;
}

static snw_status copy_character(const merging *m, snw_pool *pool, const snw_character_view **dest) {
	snw_character_view *made = SNW_POOL_ARRAY(pool, snw_character_view, 1);
	const snw_mesh_view **meshes = (const snw_mesh_view **)snw_pool_acquire(pool, m->character->mesh_count, sizeof *meshes);
	snw_status status = made && meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t i = 0; i < m->character->mesh_count && !snk_failed(status); i++) {
		status = copy_mesh(m, i, pool, &meshes[i]);
	}
	if (!snk_failed(status)) {
		made->size = sizeof *made;
		snw_put(made, m->character);
		made->meshes = meshes;
		*dest = made;
	}
	return status;
}

snw_status snk_merge_slots(const snw_host *host, const snw_fit_input *input, uint32_t most, snw_pool *pool,
						   snw_fit_input *fewer, const unsigned char **kept) {
	merging m = {.input = input, .character = input->character};
	*fewer = (snw_fit_input){.size = sizeof *fewer};
	snw_put(fewer, input);
	*kept = NULL;
	snw_status status = open(&m, pool);
	uint32_t count = snk_failed(status) ? 0 : count_moving(&m);
	if (snk_failed(status) || most == 0 || count <= most) {
		return status;
	}
	status = gather_poses(&m, pool);
	while (!snk_failed(status) && count > most && merge_cheapest(&m)) {
		count--;
		status = snw_report_progress(host, 0, "merging joints") ? SNW_OK : SNW_CANCELLED;
	}
	*kept = m.moves;
	return snk_failed(status) ? status : copy_character(&m, pool, &fewer->character);
}
