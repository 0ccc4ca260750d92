/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/guard.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/skin/bending_joints.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { TURNS = 6 /* of a joint: to either side about each axis */ };
static const double rotated_by = 1.0471975511965976; /* radians */

/* How much farther than in the samples points may be in a pose that these do not show: twice as far after many samples, and
 * less the fewer there are. */
static const double slack = 2, few_samples = 12;

/* A joint that the samples rotate by less tells nothing of larger angles. */
static const double least_angle = 0.2;

/* Strengths above this are 1: the guard is for what goes wrong. */
static const double nearly_full = 0.95;

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* The rest with one joint rotated, and what its arrays are. */
typedef struct alone_pose {
	snw_pose_view view;
	snw_transform *local;
	double *vectors, *global, *palette;
} alone_pose;

static snw_status open_pose(const snk_guard *g, snw_pool *pool, alone_pose *p) {
	const snw_character_view *character = g->character;
	const uint32_t joints = character->skeleton->joint_count;
	p->local = SNW_POOL_ARRAY(pool, snw_transform, joints);
	p->vectors = SNW_POOL_ARRAY(pool, double, 3 * (size_t)joints);
	p->global = SNW_POOL_ARRAY(pool, double, 12 * (size_t)joints);
	p->palette = SNW_POOL_ARRAY(pool, double, 12 * (size_t)character->slot_count);
	const double *channels = SNW_POOL_ARRAY(pool, double, character->channel_count);
	p->view = (snw_pose_view){.size = sizeof p->view,
							  .joint_count = joints,
							  .local = p->local,
							  .rotation_vectors = p->vectors,
							  .global = p->global,
							  .slot_count = character->slot_count,
							  .palette = p->palette,
							  .channel_count = character->channel_count,
							  .channels = channels};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void pose_alone(const snk_guard *g, uint32_t joint, uint32_t number, const alone_pose *p) {
	const snw_skeleton_view *skeleton = g->character->skeleton;
	double quaternion[4];
	memcpy(p->local, skeleton->rest_local, skeleton->joint_count * sizeof *p->local);
	memset(p->vectors, 0, 3 * (size_t)skeleton->joint_count * sizeof *p->vectors);
	p->vectors[3 * (size_t)joint + number / 2] = number % 2 ? -rotated_by : rotated_by;
	snw_quat_from_rotation_vector(p->vectors + 3 * (size_t)joint, quaternion);
	snw_quat_multiply(skeleton->rest_local[joint].rotation, quaternion, p->local[joint].rotation);
	for (uint32_t k = 0; k < skeleton->joint_count; k++) {
		const uint32_t j = skeleton->order[k];
		double local[12];
		snw_transform_to_mat34(&p->local[j], local);
		if (skeleton->parents[j] == SNW_NONE) {
			memcpy(p->global + 12 * (size_t)j, local, sizeof local);
		} else {
			snw_mat34_multiply(p->global + 12 * (size_t)skeleton->parents[j], local, p->global + 12 * (size_t)j);
		}
	}
	for (uint32_t s = 0; s < g->character->slot_count; s++) {
		snw_mat34_multiply(p->global + 12 * (size_t)g->character->slot_joints[s],
						   g->character->slot_inverse_binds + 12 * (size_t)s, p->palette + 12 * (size_t)s);
	}
}

/* ---- regions ------------------------------------------------------------------------------------------------------------- */

/* Of a region in a pose, or the largest of several: root mean square and at one point, metres. */
typedef struct gap {
	double mean, most;
} gap;

typedef struct guarding {
	const snk_guard *guard;
	const snw_mesh_view *mesh;
	uint32_t joint_count, tested_count;
	const uint32_t *tested;  /* joints that bend the skin */
	const uint32_t *regions; /* [point_count]: a joint */
	const double *sizes;     /* [joint_count]: points of each region */
	gap *gaps;               /* [poses][joint_count]: from the layers below; negative where memory ran out */
} guarding;

/* The joint with the largest base weight. */
static uint32_t main_joint(const snk_guard *g, const snw_mesh_view *mesh, uint32_t point) {
	uint32_t best = mesh->influence_offsets[point];
	for (uint32_t k = best; k < mesh->influence_offsets[point + 1]; k++) {
		best = mesh->influence_weights[k] > mesh->influence_weights[best] ? k : best;
	}
	return g->character->slot_joints[mesh->influence_slots[best]];
}

static snw_status open_regions(const snk_guard *g, snw_pool *pool, guarding *all) {
	const snw_mesh_view *mesh = g->character->meshes[g->mesh];
	const unsigned char *bends = NULL;
	*all = (guarding){.guard = g, .mesh = mesh, .joint_count = g->character->skeleton->joint_count};
	const snw_status status = snk_bending_joints(g->character, g->mesh, pool, &bends);
	uint32_t *tested = SNW_POOL_ARRAY(pool, uint32_t, all->joint_count);
	uint32_t *regions = SNW_POOL_ARRAY(pool, uint32_t, mesh->point_count);
	double *sizes = SNW_POOL_ARRAY(pool, double, all->joint_count);
	if (snk_failed(status) || pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		regions[i] = main_joint(g, mesh, i);
		sizes[regions[i]]++;
	}
	for (uint32_t j = 0; j < all->joint_count; j++) {
		if (bends[j]) {
			tested[all->tested_count++] = j;
		}
	}
	all->tested = tested;
	all->regions = regions;
	all->sizes = sizes;
	return SNW_OK;
}

static void find_gaps(const guarding *all, const double *a, const double *b, gap *gaps) {
	for (uint32_t i = 0; i < all->mesh->point_count; i++) {
		const double squared = snw_squared_distance3(a + 3 * (size_t)i, b + 3 * (size_t)i);
		gap *of_region = &gaps[all->regions[i]];
		of_region->mean += squared / all->sizes[all->regions[i]];
		of_region->most = fmax(of_region->most, sqrt(squared));
	}
	for (uint32_t j = 0; j < all->joint_count; j++) {
		gaps[j].mean = sqrt(gaps[j].mean);
	}
}

/* One part: a pose. */
typedef struct placing {
	snw_pool pool;
	double *below, *learned;
} placing;

static int open_placing(const guarding *all, placing *p) {
	p->pool = snw_pool_open(all->guard->host);
	p->below = SNW_POOL_ARRAY(&p->pool, double, 3 * (size_t)all->mesh->point_count);
	p->learned = SNW_POOL_ARRAY(&p->pool, double, 3 * (size_t)all->mesh->point_count);
	return !p->pool.failed;
}

static void SNW_CALL measure_alone(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guarding *all = argument;
	placing p;
	alone_pose pose;
	const int is_open = open_placing(all, &p) && open_pose(all->guard, &p.pool, &pose) == SNW_OK;
	for (uint32_t n = begin; n < end; n++) {
		gap *gaps = all->gaps + (size_t)n * all->joint_count;
		if (is_open) {
			pose_alone(all->guard, all->tested[n / TURNS], n % TURNS, &pose);
			all->guard->place(all->guard->context, &pose.view, p.below, p.learned);
			find_gaps(all, p.below, p.learned, gaps);
		} else {
			gaps[0].mean = -1;
		}
	}
	snw_pool_release(&p.pool);
}

static void SNW_CALL measure_samples(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guarding *all = argument;
	placing p;
	const int is_open = open_placing(all, &p);
	for (uint32_t n = begin; n < end; n++) {
		const snk_sample *sample = &all->guard->samples[n];
		gap *gaps = all->gaps + (size_t)n * all->joint_count;
		if (is_open) {
			all->guard->place(all->guard->context, sample->pose, p.below, p.learned);
			for (uint32_t i = 0; i < all->mesh->point_count; i++) {
				snk_sample_point(sample, i, p.learned + 3 * (size_t)i);
			}
			find_gaps(all, p.below, p.learned, gaps);
		} else {
			gaps[0].mean = -1;
		}
	}
	snw_pool_release(&p.pool);
}

/* How much farther than the samples a joint may take the points: as much as it rotates farther than in them. */
static double at_most(const guarding *all, uint32_t joint) {
	double angle = 0;
	for (uint32_t s = 0; s < all->guard->sample_count; s++) {
		angle = fmax(angle, snw_length3(all->guard->samples[s].pose->rotation_vectors + 3 * (size_t)joint));
	}
	const double samples = all->guard->sample_count, trust = slack * samples / (samples + few_samples);
	return trust * (angle > least_angle && angle < rotated_by ? rotated_by / angle : 1);
}

/* most [joint_count]: the largest of each region over all poses. `is_alone`: poses with a joint alone, each by what its angle
 * allows. */
static snw_status measure(guarding *all, uint32_t count, int is_alone, gap *most) {
	snw_pool pool = snw_pool_open(all->guard->host);
	const snk_stretch stretch = {all->guard->progress, all->guard->progress, "guarding the fit"};
	all->gaps = SNW_POOL_ARRAY(&pool, gap, (size_t)count * all->joint_count);
	snw_status status = all->gaps ? SNW_OK : SNW_ERROR_MEMORY;
	status = snk_failed(status) ? status
								: snk_ranges_run_reported(all->guard->host, count, 1,
														  is_alone ? measure_alone : measure_samples, all, &stretch);
	for (uint32_t n = 0; !snk_failed(status) && n < count; n++) {
		const gap *gaps = all->gaps + (size_t)n * all->joint_count;
		const double farther = is_alone ? at_most(all, all->tested[n / TURNS]) : 1;
		status = gaps[0].mean < 0 ? SNW_ERROR_MEMORY : SNW_OK;
		for (uint32_t j = 0; j < all->joint_count; j++) {
			most[j].mean = fmax(most[j].mean, gaps[j].mean / farther);
			most[j].most = fmax(most[j].most, gaps[j].most / farther);
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- strengths ----------------------------------------------------------------------------------------------------------- */

static void write_strengths(const guarding *all, const double *of_regions, double *strengths) {
	const snw_mesh_view *mesh = all->mesh;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		strengths[i] = 0;
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			strengths[i] +=
				mesh->influence_weights[k] * of_regions[all->guard->character->slot_joints[mesh->influence_slots[k]]];
		}
		strengths[i] = strengths[i] < nearly_full ? strengths[i] : 1;
	}
}

/* Names the region that is shrunk most. */
static void report(const guarding *all, const gap *seen, const gap *alone, const double *of_regions) {
	uint32_t count = 0, worst = SNW_NONE, regions = 0;
	for (uint32_t j = 0; j < all->joint_count; j++) {
		regions += all->sizes[j] > 0;
		count += all->sizes[j] > 0 && of_regions[j] < 1;
		if (all->sizes[j] > 0 && (worst == SNW_NONE || alone[j].most - seen[j].most > alone[worst].most - seen[worst].most)) {
			worst = j;
		}
	}
	if (count > 0) {
		snw_report_line(
			all->guard->host, SNW_LOG_INFO,
			"mesh '%s': shrunk towards the layers below in %u of %u regions: with a joint rotated alone, '%s' would "
			"be up to %.3g mm from them, the samples are at most %.3g mm; strength %.3g there",
			all->mesh->name, count, regions, all->guard->character->skeleton->names[worst], 1e3 * alone[worst].most,
			1e3 * seen[worst].most, of_regions[worst]);
	}
}

static double share_of(double seen, double alone) {
	return alone > seen ? seen / alone : 1;
}

snw_status snk_guard_find(const snk_guard *guard, double *strengths) {
	snw_pool pool = snw_pool_open(guard->host);
	guarding all;
	snw_status status = open_regions(guard, &pool, &all);
	gap *seen = SNW_POOL_ARRAY(&pool, gap, all.joint_count), *alone = SNW_POOL_ARRAY(&pool, gap, all.joint_count);
	double *of_regions = SNW_POOL_ARRAY(&pool, double, all.joint_count);
	status = snk_failed(status) || !pool.failed ? status : SNW_ERROR_MEMORY;
	status = snk_failed(status) ? status : measure(&all, guard->sample_count, 0, seen);
	status = snk_failed(status) ? status : measure(&all, TURNS * all.tested_count, 1, alone);
	if (!snk_failed(status)) {
		for (uint32_t j = 0; j < all.joint_count; j++) {
			const double strength = fmin(share_of(seen[j].mean, alone[j].mean), share_of(seen[j].most, alone[j].most));
			of_regions[j] = strength < nearly_full ? strength : 1;
		}
		write_strengths(&all, of_regions, strengths);
		report(&all, seen, alone, of_regions);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- a skin -------------------------------------------------------------------------------------------------------------- */

enum { MOST_MIXED = 64 };

typedef struct mixed {
	uint32_t count;
	uint32_t slots[MOST_MIXED];
	double weights[MOST_MIXED];
} mixed;

static void add_influences(uint32_t begin, uint32_t end, const uint32_t *slots, const double *weights, double share, mixed *m) {
	for (uint32_t k = begin; k < end; k++) {
		uint32_t at = 0;
		while (at < m->count && m->slots[at] != slots[k]) {
			at++;
		}
		if (at < MOST_MIXED) {
			m->slots[at] = slots[k];
			m->weights[at] = (at < m->count ? m->weights[at] : 0) + share * weights[k];
			m->count += at == m->count;
		}
	}
}

/* The largest influences of both, of sum 1. Returns how many. */
static uint32_t mix_point(const snw_mesh_view *mesh, const snk_base_skin_mesh *skin, uint32_t point, double strength,
						  uint32_t most, uint32_t *slots, double *weights) {
	mixed m = {.count = 0};
	uint32_t count = 0;
	double sum = 0;
	add_influences(skin->offsets[point], skin->offsets[point + 1], skin->slots, skin->weights, strength, &m);
	add_influences(mesh->influence_offsets[point], mesh->influence_offsets[point + 1], mesh->influence_slots,
				   mesh->influence_weights, 1 - strength, &m);
	for (uint32_t k = 0; k < m.count; k++) {
		if (m.weights[k] > 0) {
			snk_keep_influence(most, m.slots[k], m.weights[k], &count, slots, weights);
		}
	}
	for (uint32_t k = 0; k < count; k++) {
		sum += weights[k];
	}
	for (uint32_t k = 0; k < count; k++) {
		weights[k] /= sum;
	}
	return count;
}

snw_status snk_guard_skin(const snw_mesh_view *mesh, const double *strengths, uint32_t most, snw_pool *pool,
						  snk_base_skin_mesh *skin) {
	const uint32_t points = mesh->point_count;
	const size_t room = skin->offsets[points] + (size_t)most * points;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, room);
	double *weights = SNW_POOL_ARRAY(pool, double, room);
	for (uint32_t i = 0, at = 0; !pool->failed && i < points; i++) {
		const uint32_t first = skin->offsets[i], count = skin->offsets[i + 1] - first;
		if (strengths[i] < 1) {
			at += mix_point(mesh, skin, i, strengths[i], most, slots + at, weights + at);
		} else {
			memcpy(slots + at, skin->slots + first, count * sizeof *slots);
			memcpy(weights + at, skin->weights + first, count * sizeof *weights);
			at += count;
		}
		offsets[i + 1] = at;
	}
	if (!pool->failed) {
		*skin = (snk_base_skin_mesh){points, offsets, slots, weights};
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}
