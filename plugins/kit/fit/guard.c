/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/guard.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum {
	TURNS = 6,       /* of a joint: to either side about each axis */
	MOST_SHOWN = 24, /* samples of a fold that are compared, spread over it */
};
static const double without_limit = 1.0471975511965976; /* radians */

/* How much farther than in the samples points may be in a pose that these do not show: twice as far after many samples. */
static const double slack = 2;

/* A joint that the samples rotate by less, about a degree, tells nothing of larger angles. */
static const double least_angle = 0.02;

/* Strengths above this are 1: the guard is for what goes wrong. */
static const double nearly_full = 0.95;

/* Left-out samples may be farther from what was learned than from the layers below by this factor; chance makes a little of
 * it. */
static const double by_chance = 1.02;
static const double unnoticed = 1e-6; /* of the diagonal, root mean square: rounding */

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

static double angle_alone(const snk_guard *g, uint32_t joint) {
	const snw_skeleton_view *skeleton = g->character->skeleton;
	const double limit = SNW_HAS(skeleton, limits) && skeleton->limits ? skeleton->limits[joint] : 0;
	return limit > 0 ? limit : without_limit;
}

static void pose_alone(const snk_guard *g, uint32_t joint, uint32_t number, const alone_pose *p) {
	const snw_skeleton_view *skeleton = g->character->skeleton;
	double quaternion[4];
	memcpy(p->local, skeleton->rest_local, skeleton->joint_count * sizeof *p->local);
	memset(p->vectors, 0, 3 * (size_t)skeleton->joint_count * sizeof *p->vectors);
	const double angle = angle_alone(g, joint);
	p->vectors[3 * (size_t)joint + number / 2] = number % 2 ? -angle : angle;
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

/* Sums over points of a region and left-out samples. */
typedef struct left_out_sums {
	double learned, both, below; /* h·h, h·t, t·t, with what joints alone leave of h */
	double missed;               /* |t − h|², with all of h */
} left_out_sums;

typedef struct guarding {
	const snk_guard *guard;
	const snw_mesh_view *mesh;
	double diagonal;
	uint32_t joint_count, tested_count;
	const uint32_t *tested;  /* joints that bend the skin */
	const uint32_t *regions; /* [point_count]: a joint */
	const double *sizes;     /* [joint_count]: points of each region */
	gap *seen;               /* [sample_count][joint_count]: between the sample and the layers below */
	uint32_t fold_count;
	unsigned char *folds; /* [sample_count] */
	/* Of what was learned from all samples, or without a fold. */
	const void *learned;
	uint32_t fold;           /* SNW_NONE: of all */
	const double *strengths; /* [point_count]: what joints alone leave of it */
	/* Poses in progress. */
	const uint32_t *shown; /* left-out samples */
	gap *gaps;             /* [poses][joint_count] */
	left_out_sums *sums;   /* likewise */
	snw_status *statuses;  /* [poses] */
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
	*all = (guarding){.guard = g,
					  .mesh = mesh,
					  .diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count),
					  .learned = g->learned,
					  .fold = SNW_NONE,
					  .joint_count = g->character->skeleton->joint_count};
	const snw_status status = snk_bending_joints(g->character, g->mesh, pool, &bends);
	uint32_t *tested = SNW_POOL_ARRAY(pool, uint32_t, all->joint_count);
	uint32_t *regions = SNW_POOL_ARRAY(pool, uint32_t, mesh->point_count);
	double *sizes = SNW_POOL_ARRAY(pool, double, all->joint_count);
	all->seen = SNW_POOL_ARRAY(pool, gap, (size_t)g->sample_count * all->joint_count);
	all->folds = SNW_POOL_ARRAY(pool, unsigned char, g->sample_count);
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
	all->fold_count = snk_samples_deal(g->sample_count, g->block_count, SNK_GUARD_FOLDS, all->folds);
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

static void sum_left_out(const guarding *all, const snk_sample *sample, const double *below, const double *learned,
						 left_out_sums *of_regions) {
	for (uint32_t i = 0; i < all->mesh->point_count; i++) {
		left_out_sums *sums = &of_regions[all->regions[i]];
		const double strength = all->strengths[i];
		double truth[3];
		snk_sample_point(sample, i, truth);
		for (size_t c = 0; c < 3; c++) {
			const double h = learned[3 * (size_t)i + c] - below[3 * (size_t)i + c], t = truth[c] - below[3 * (size_t)i + c];
			sums->learned += strength * strength * h * h;
			sums->both += strength * h * t;
			sums->below += t * t;
			sums->missed += (t - h) * (t - h);
		}
	}
}

/* ---- poses, in parts ----------------------------------------------------------------------------------------------------- */

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

static snw_status place(const guarding *all, const snw_pose_view *pose, const placing *p) {
	return all->guard->place(all->learned, pose, p->below, p->learned);
}

static void SNW_CALL measure_alone(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guarding *all = argument;
	placing p;
	alone_pose pose;
	const int is_open = open_placing(all, &p) && open_pose(all->guard, &p.pool, &pose) == SNW_OK;
	for (uint32_t n = begin; n < end; n++) {
		all->statuses[n] = SNW_ERROR_MEMORY;
		if (is_open) {
			pose_alone(all->guard, all->tested[n / TURNS], n % TURNS, &pose);
			all->statuses[n] = place(all, &pose.view, &p);
			find_gaps(all, p.below, p.learned, all->gaps + (size_t)n * all->joint_count);
		}
	}
	snw_pool_release(&p.pool);
}

static void SNW_CALL measure_seen(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guarding *all = argument;
	placing p;
	const int is_open = open_placing(all, &p);
	for (uint32_t n = begin; n < end; n++) {
		const snk_sample *sample = &all->guard->samples[n];
		all->statuses[n] = is_open ? place(all, sample->pose, &p) : SNW_ERROR_MEMORY;
		for (uint32_t i = 0; is_open && i < all->mesh->point_count; i++) {
			snk_sample_point(sample, i, p.learned + 3 * (size_t)i);
		}
		if (is_open) {
			find_gaps(all, p.below, p.learned, all->seen + (size_t)n * all->joint_count);
		}
	}
	snw_pool_release(&p.pool);
}

static void SNW_CALL measure_shown(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guarding *all = argument;
	placing p;
	const int is_open = open_placing(all, &p);
	for (uint32_t n = begin; n < end; n++) {
		const snk_sample *sample = &all->guard->samples[all->shown[n]];
		all->statuses[n] = is_open ? place(all, sample->pose, &p) : SNW_ERROR_MEMORY;
		if (is_open) {
			sum_left_out(all, sample, p.below, p.learned, all->sums + (size_t)n * all->joint_count);
		}
	}
	snw_pool_release(&p.pool);
}

static snw_status run_poses(guarding *all, uint32_t count, snk_range *range) {
	snw_pool pool = snw_pool_open(all->guard->host);
	const snk_stretch stretch = {all->guard->progress, all->guard->progress, "guarding the fit"};
	all->statuses = SNW_POOL_ARRAY(&pool, snw_status, count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	status = snk_failed(status) ? status : snk_ranges_run_reported(all->guard->host, count, 1, range, all, &stretch);
	for (uint32_t n = 0; !snk_failed(status) && n < count; n++) {
		status = all->statuses[n];
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- joints rotated alone ------------------------------------------------------------------------------------------------ */

/* What is found of each region. */
typedef struct found {
	gap seen, alone; /* over the samples, with joints alone */
	left_out_sums left_out;
	double strength;
	int is_alone; /* whether a joint alone is what shrinks it, not left-out samples */
} found;

static int is_learned_from(const guarding *all, uint32_t sample) {
	return all->fold == SNW_NONE || all->folds[sample] != all->fold;
}

/* How much farther than the samples a joint may take the points: as much as it rotates farther than in them. */
static double at_most(const guarding *all, uint32_t joint) {
	const double alone = angle_alone(all->guard, joint);
	double angle = 0, samples = 0;
	for (uint32_t s = 0; s < all->guard->sample_count; s++) {
		if (is_learned_from(all, s)) {
			angle = fmax(angle, snw_length3(all->guard->samples[s].pose->rotation_vectors + 3 * (size_t)joint));
			samples++;
		}
	}
	const double trust = slack * samples / (samples + all->guard->few);
	return trust * (angle < least_angle ? all->guard->unseen : angle < alone ? alone / angle : 1);
}

static void widen(const guarding *all, const gap *gaps, double farther, int is_alone, found *of_regions) {
	for (uint32_t j = 0; j < all->joint_count; j++) {
		gap *most = is_alone ? &of_regions[j].alone : &of_regions[j].seen;
		most->mean = fmax(most->mean, gaps[j].mean / farther);
		most->most = fmax(most->most, gaps[j].most / farther);
	}
}

static double share_of(const guarding *all, double seen, double alone) {
	const double noise = unnoticed * all->diagonal;
	return alone > seen + noise ? (seen + noise) / alone : 1;
}

/* What left-out samples confirm may go farther: as much as it is nearer to them than the layers below. */
static double confirmed(const guarding *all, const found *region) {
	const double noise = unnoticed * all->diagonal * unnoticed * all->diagonal;
	return region->left_out.below > region->left_out.missed
			   ? sqrt((region->left_out.below + noise) / (region->left_out.missed + noise))
			   : 1;
}

static double strength_alone(const guarding *all, const found *region) {
	const double farther = confirmed(all, region);
	return fmin(share_of(all, farther * region->seen.mean, region->alone.mean),
				share_of(all, farther * region->seen.most, region->alone.most));
}

/* What joints alone leave of what was learned. */
static snw_status find_alone(guarding *all, found *of_regions) {
	snw_pool pool = snw_pool_open(all->guard->host);
	const uint32_t count = TURNS * all->tested_count;
	all->gaps = SNW_POOL_ARRAY(&pool, gap, (size_t)count * all->joint_count);
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : run_poses(all, count, measure_alone);
	for (uint32_t n = 0; !snk_failed(status) && n < count; n++) {
		widen(all, all->gaps + (size_t)n * all->joint_count, at_most(all, all->tested[n / TURNS]), 1, of_regions);
	}
	for (uint32_t s = 0; !snk_failed(status) && s < all->guard->sample_count; s++) {
		if (is_learned_from(all, s)) {
			widen(all, all->seen + (size_t)s * all->joint_count, 1, 0, of_regions);
		}
	}
	for (uint32_t j = 0; j < all->joint_count; j++) {
		of_regions[j].strength = strength_alone(all, &of_regions[j]);
	}
	snw_pool_release(&pool);
	return status;
}

static void write_strengths(const guarding *all, const found *of_regions, double *strengths) {
	const snw_mesh_view *mesh = all->mesh;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		strengths[i] = 0;
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			const uint32_t joint = all->guard->character->slot_joints[mesh->influence_slots[k]];
			strengths[i] += mesh->influence_weights[k] * of_regions[joint].strength;
		}
		strengths[i] = strengths[i] < nearly_full ? strengths[i] : 1;
	}
}

/* ---- left-out samples ---------------------------------------------------------------------------------------------------- */

/* Some of the samples of a fold, spread over it. */
static uint32_t choose_shown(const guarding *all, uint32_t fold, uint32_t *shown) {
	uint32_t size = 0, count = 0;
	for (uint32_t s = 0; s < all->guard->sample_count; s++) {
		size += all->folds[s] == fold;
	}
	const uint32_t most = size < MOST_SHOWN ? size : MOST_SHOWN;
	for (uint32_t s = 0, n = 0; s < all->guard->sample_count; s++) {
		if (all->folds[s] == fold) {
			if (count < most && n == (uint32_t)((uint64_t)count * size / most)) {
				shown[count++] = s;
			}
			n++;
		}
	}
	return count;
}

/* Of all folds. */
static uint32_t shown_count(const guarding *all) {
	uint32_t count = 0, shown[MOST_SHOWN];
	for (uint32_t fold = 0; all->fold_count > 1 && fold < all->fold_count; fold++) {
		count += choose_shown(all, fold, shown);
	}
	return count;
}

/* Of a fold, in one pool: what is learned without it, as joints alone leave it. */
static snw_status leave_out_fold(guarding *all, uint32_t fold, snw_pool *pool, found *of_regions) {
	uint32_t shown[MOST_SHOWN];
	const snk_guard *guard = all->guard;
	const uint32_t count = choose_shown(all, fold, shown);
	snk_left_out out = {.fold = fold, .folds = all->folds};
	found *without = SNW_POOL_ARRAY(pool, found, all->joint_count);
	double *strengths = SNW_POOL_ARRAY(pool, double, all->mesh->point_count);
	left_out_sums *sums = SNW_POOL_ARRAY(pool, left_out_sums, (size_t)count * all->joint_count);
	snw_status status =
		snk_samples_without(guard->samples, guard->sample_count, all->folds, fold, pool, &out.samples, &out.sample_count);
	status = pool->failed ? SNW_ERROR_MEMORY : status;
	all->fold = fold;
	all->shown = shown;
	all->sums = sums;
	all->strengths = strengths;
	status = snk_failed(status) ? status : guard->learn_without(guard->context, &out, pool, &all->learned);
	status = snk_failed(status) ? status : find_alone(all, without);
	if (!snk_failed(status)) {
		write_strengths(all, without, strengths);
		status = run_poses(all, count, measure_shown);
	}
	for (size_t n = 0; !snk_failed(status) && n < (size_t)count * all->joint_count; n++) {
		left_out_sums *of_region = &of_regions[n % all->joint_count].left_out;
		of_region->learned += sums[n].learned;
		of_region->both += sums[n].both;
		of_region->below += sums[n].below;
		of_region->missed += sums[n].missed;
	}
	all->shown = NULL;
	return status;
}

static snw_status leave_out(guarding *all, found *of_regions) {
	snw_status status = SNW_OK;
	for (uint32_t fold = 0; !snk_failed(status) && all->fold_count > 1 && fold < all->fold_count; fold++) {
		snw_pool pool = snw_pool_open(all->guard->host);
		status = leave_out_fold(all, fold, &pool, of_regions);
		snw_pool_release(&pool);
	}
	return status;
}

/* Root mean square over `count` points and samples: of what was learned, and of the layers below. */
static void left_out_errors(const left_out_sums *sums, double count, double errors[2]) {
	errors[0] = sqrt(fmax(sums->below - 2 * sums->both + sums->learned, 0) / fmax(count, 1));
	errors[1] = sqrt(sums->below / fmax(count, 1));
}

/* The largest strength s with which left-out samples are not farther than the layers below: t·t − 2 s h·t + s² h·h is then as
 * large as theirs. None where what was learned points away from them. */
static double strength_left_out(const guarding *all, const left_out_sums *sums, double count) {
	const double noise = unnoticed * all->diagonal, below = sqrt(sums->below / fmax(count, 1));
	const double most = (by_chance * below + noise) * (by_chance * below + noise) * count;
	const double more = most - sums->below, h = sums->learned, t = sums->both;
	return h - 2 * t <= more ? 1 : t > 0 ? (t + sqrt(t * t + h * more)) / h : 0;
}

/* What left-out samples leave of what joints alone do. */
static void shrink_left_out(const guarding *all, found *of_regions) {
	const double shown = shown_count(all);
	for (uint32_t j = 0; j < all->joint_count; j++) {
		found *region = &of_regions[j];
		const double outside = strength_left_out(all, &region->left_out, all->sizes[j] * shown);
		region->strength = strength_alone(all, region);
		region->is_alone = region->strength < outside;
		region->strength *= outside;
		region->strength = region->strength < nearly_full ? region->strength : 1;
	}
}

/* ---- all of it ----------------------------------------------------------------------------------------------------------- */

static void report_shrunk(const guarding *all, const found *of_regions, uint32_t worst, uint32_t count, uint32_t regions) {
	const found *region = &of_regions[worst];
	const char *mesh = all->mesh->name, *joint = all->guard->character->skeleton->names[worst];
	double errors[2];
	left_out_errors(&region->left_out, all->sizes[worst] * shown_count(all), errors);
	if (region->is_alone) {
		snw_report_line(all->guard->host, SNW_LOG_INFO,
						"mesh '%s': shrunk towards the layers below in %u of %u regions, most at '%s' (strength %.2g): with a "
						"joint rotated alone it would be up to %.3g mm from them, the samples are at most %.3g mm",
						mesh, count, regions, joint, region->strength, 1e3 * region->alone.most, 1e3 * region->seen.most);
	} else {
		snw_report_line(all->guard->host, SNW_LOG_INFO,
						"mesh '%s': shrunk towards the layers below in %u of %u regions, most at '%s' (strength %.2g): over "
						"samples that were left out it is %.3g mm off, the layers below are %.3g mm off",
						mesh, count, regions, joint, region->strength, 1e3 * errors[0], 1e3 * errors[1]);
	}
}

static void report_refused(const guarding *all, const found *of_regions) {
	left_out_sums sums = {0};
	double errors[2];
	for (uint32_t j = 0; j < all->joint_count; j++) {
		sums.learned += of_regions[j].left_out.learned;
		sums.both += of_regions[j].left_out.both;
		sums.below += of_regions[j].left_out.below;
	}
	left_out_errors(&sums, (double)all->mesh->point_count * shown_count(all), errors);
	snw_report_line(all->guard->host, SNW_LOG_WARNING,
					"mesh '%s' keeps the layers below: over samples that were left out, what was learned is %.3g mm off, these "
					"layers are %.3g mm off; add poses in which the same joints move, with 'sinew target' or 'sinew example'",
					all->mesh->name, 1e3 * errors[0], 1e3 * errors[1]);
}

static int has_learned(const guarding *all, const found *region) {
	return region->alone.most > unnoticed * all->diagonal || region->left_out.learned > 0;
}

/* Of the regions of which anything was learned. */
static void report(const guarding *all, const found *of_regions) {
	uint32_t count = 0, worst = SNW_NONE, regions = 0, refused = 0;
	for (uint32_t j = 0; j < all->joint_count; j++) {
		const double strength = of_regions[j].strength;
		if (all->sizes[j] > 0 && has_learned(all, &of_regions[j])) {
			regions++;
			count += strength < 1;
			refused += !(strength > 0);
			worst = worst == SNW_NONE || strength < of_regions[worst].strength ? j : worst;
		}
	}
	if (regions > 0 && refused == regions) {
		report_refused(all, of_regions);
	} else if (count > 0) {
		report_shrunk(all, of_regions, worst, count, regions);
	}
}

/* The largest distance between any sample and the layers below. */
static double seen_in(const guarding *all, uint32_t joint) {
	double most = 0;
	for (uint32_t s = 0; s < all->guard->sample_count; s++) {
		most = fmax(most, all->seen[(size_t)s * all->joint_count + joint].most);
	}
	return most;
}

static void write_regions(const guarding *all, const found *of_regions, snk_guard_region *regions) {
	for (uint32_t j = 0; regions && j < all->joint_count; j++) {
		regions[j] = (snk_guard_region){of_regions[j].strength, seen_in(all, j)};
	}
}

/* The regions, room for what is found of them, and how far the samples go in each. */
static snw_status open_seen(const snk_guard *guard, snw_pool *pool, guarding *all, found **of_regions) {
	snw_status status = open_regions(guard, pool, all);
	*of_regions = SNW_POOL_ARRAY(pool, found, all->joint_count);
	status = snk_failed(status) || !pool->failed ? status : SNW_ERROR_MEMORY;
	return snk_failed(status) ? status : run_poses(all, guard->sample_count, measure_seen);
}

snw_status snk_guard_keep(const snk_guard *guard, const snk_guard_region *regions, double *strengths) {
	snw_pool pool = snw_pool_open(guard->host);
	guarding all;
	found *of_regions = NULL;
	snw_status status = open_seen(guard, &pool, &all, &of_regions);
	for (uint32_t j = 0; !snk_failed(status) && j < all.joint_count; j++) {
		const double noise = unnoticed * all.diagonal;
		of_regions[j].strength = regions[j].seen <= noise && seen_in(&all, j) > noise ? 1 : regions[j].strength;
	}
	if (!snk_failed(status)) {
		write_strengths(&all, of_regions, strengths);
	}
	snw_pool_release(&pool);
	return status;
}

snw_status snk_guard_find(const snk_guard *guard, double *strengths) {
	snw_pool pool = snw_pool_open(guard->host);
	guarding all;
	found *of_regions = NULL;
	snw_status status = open_seen(guard, &pool, &all, &of_regions);
	status = snk_failed(status) ? status : find_alone(&all, of_regions);
	status = snk_failed(status) ? status : leave_out(&all, of_regions);
	if (!snk_failed(status)) {
		shrink_left_out(&all, of_regions);
		write_strengths(&all, of_regions, strengths);
		write_regions(&all, of_regions, guard->regions);
		report(&all, of_regions);
	}
	snw_pool_release(&pool);
	return status;
}

void snk_guard_regions_bytes(snk_bytes *bytes, uint32_t *count, snk_guard_region **regions) {
	snk_bytes_count(bytes, sizeof **regions, count);
	if (bytes->is_load) {
		*regions = snk_bytes_acquire(bytes, *count, sizeof **regions);
	}
	for (uint32_t j = 0; !snk_failed(bytes->status) && j < *count; j++) {
		snk_guard_region *region = &(*regions)[j];
		snk_bytes_f64(bytes, 1, &region->strength);
		snk_bytes_f64(bytes, 1, &region->seen);
		snk_bytes_need(bytes, region->strength >= 0 && region->strength <= 1 && region->seen >= 0);
	}
	if (bytes->is_load && *count != bytes->character->skeleton->joint_count) {
		*count = 0;
		*regions = NULL;
	}
}

/* ---- a skin -------------------------------------------------------------------------------------------------------------- */

enum { MOST_MIXED = 64 };

typedef struct mixed {
	uint32_t count;
	uint32_t slots[MOST_MIXED];
	double weights[MOST_MIXED];
} mixed;

static void add_influences(uint32_t begin, uint32_t end, uint32_t first_slot, const uint32_t *slots, const double *weights,
						   double share, mixed *m) {
	for (uint32_t k = begin; k < end; k++) {
		uint32_t at = 0;
		while (at < m->count && m->slots[at] != first_slot + slots[k]) {
			at++;
		}
		if (at < MOST_MIXED) {
			m->slots[at] = first_slot + slots[k];
			m->weights[at] = (at < m->count ? m->weights[at] : 0) + share * weights[k];
			m->count += at == m->count;
		}
	}
}

/* The largest influences of both, of sum 1. Returns how many. */
static uint32_t mix_point(const snw_mesh_view *mesh, const snk_base_skin_mesh *skin, uint32_t point, double strength,
						  uint32_t most, uint32_t first_slot, uint32_t *slots, double *weights) {
	mixed m = {.count = 0};
	uint32_t count = 0;
	double sum = 0;
	add_influences(skin->offsets[point], skin->offsets[point + 1], 0, skin->slots, skin->weights, strength, &m);
	add_influences(mesh->influence_offsets[point], mesh->influence_offsets[point + 1], first_slot, mesh->influence_slots,
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

snw_status snk_guard_skin(const snw_mesh_view *mesh, const double *strengths, uint32_t most, uint32_t first_slot,
						  snw_pool *pool, snk_base_skin_mesh *skin) {
	const uint32_t points = mesh->point_count;
	const size_t room = skin->offsets[points] + (size_t)most * points;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, room);
	double *weights = SNW_POOL_ARRAY(pool, double, room);
	for (uint32_t i = 0, at = 0; !pool->failed && i < points; i++) {
		const uint32_t first = skin->offsets[i], count = skin->offsets[i + 1] - first;
		if (strengths[i] < 1) {
			at += mix_point(mesh, skin, i, strengths[i], most, first_slot, slots + at, weights + at);
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
