/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: weights of all meshes without helpers; the helpers dealt to the meshes by the error that remains; then each mesh,
 * with and without helpers between joints.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "motion/learn_weights.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- places -------------------------------------------------------------------------------------------------------------- */

/* Where helpers begin: some between joints (between_joints.c), the others by k-means of the points, weighted by the squared
 * error that joints and helpers leave there. A helper of these takes the points around its place, the less the farther they
 * are, and follows the joint that moves them most. */

enum { MEANS_ROUNDS = 12 };

static const double widening = 1.8;      /* of a helper's radius over the spread of its points */
static const double least_radius = 0.01; /* of the diagonal */
static const double most_share = 0.8;    /* of a point, at its place */

static double weight_of(const mesh_fit *f, uint32_t point) {
	return f->residuals[point] * f->residuals[point];
}

static uint32_t nearest_place(const mesh_fit *f, uint32_t first, uint32_t end, uint32_t point, double *squared) {
	uint32_t nearest = first;
	*squared = INFINITY;
	for (uint32_t h = first; h < end; h++) {
		const double distance = snw_squared_distance3(f->mesh->points_rest + 3 * (size_t)point, f->helpers[h].place);
		if (distance < *squared) {
			*squared = distance;
			nearest = h;
		}
	}
	return nearest;
}

/* Each place is the point with the largest weighted distance from those before it. */
static void choose_first_places(mesh_fit *f, uint32_t first) {
	for (uint32_t h = first; h < f->helper_count; h++) {
		uint32_t best = 0;
		double most = -1;
		for (uint32_t i = 0; i < f->mesh->point_count; i++) {
			double squared = 1;
			if (h > first) {
				nearest_place(f, first, h, i, &squared);
			}
			if (weight_of(f, i) * squared > most) {
				most = weight_of(f, i) * squared;
				best = i;
			}
		}
		memcpy(f->helpers[h].place, f->mesh->points_rest + 3 * (size_t)best, sizeof f->helpers[h].place);
	}
}

/* `sums` [helper_count][5]: weight, weighted place, weighted squared distance. */
static void move_places(mesh_fit *f, uint32_t first, double *sums) {
	memset(sums, 0, 5 * (size_t)f->helper_count * sizeof *sums);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		double squared;
		const double weight = weight_of(f, i), *rest = f->mesh->points_rest + 3 * (size_t)i;
		double *sum = sums + 5 * (size_t)nearest_place(f, first, f->helper_count, i, &squared);
		sum[0] += weight;
		sum[4] += weight * squared;
		for (int c = 0; c < 3; c++) {
			sum[1 + c] += weight * rest[c];
		}
	}
	for (uint32_t h = first; h < f->helper_count; h++) {
		const double *sum = sums + 5 * (size_t)h;
		if (sum[0] > 0) {
			for (int c = 0; c < 3; c++) {
				f->helpers[h].place[c] = sum[1 + c] / sum[0];
			}
			f->radii[h] = fmax(widening * sqrt(sum[4] / sum[0]), least_radius * f->diagonal);
		}
	}
}

/* ---- the points of a helper ---------------------------------------------------------------------------------------------- */

static double nearness(const mesh_fit *f, uint32_t index, uint32_t point) {
	const double radius = f->radii[index];
	const double squared = snw_squared_distance3(f->mesh->points_rest + 3 * (size_t)point, f->helpers[index].place);
	const double rest = 1 - squared / (radius * radius);
	return rest > 0 ? rest * rest : 0;
}

/* A helper's is its parent. */
static uint32_t joint_of_slot(const mesh_fit *f, uint32_t slot) {
	const uint32_t slots = f->input->character->slot_count;
	return slot < slots ? f->input->character->slot_joints[slot] : f->helpers[slot - slots].parent;
}

static void choose_parent(const mesh_fit *f, uint32_t index, double *of_joints) {
	helper *one = &f->helpers[index];
	const uint32_t joints = f->model->joint_count;
	memset(of_joints, 0, joints * sizeof *of_joints);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const double near = nearness(f, index, i) * weight_of(f, i);
		for (uint32_t k = f->skin.offsets[i]; near > 0 && k < f->skin.offsets[i + 1]; k++) {
			of_joints[joint_of_slot(f, f->skin.slots[k])] += near * f->skin.weights[k];
		}
	}
	one->parent = joint_of_slot(f, 0);
	one->toward = SNW_NONE;
	for (uint32_t j = 0; j < joints; j++) {
		one->parent = of_joints[j] > of_joints[one->parent] ? j : one->parent;
	}
}

static uint32_t main_joint(const mesh_fit *f, uint32_t point) {
	uint32_t best = f->skin.offsets[point];
	for (uint32_t k = best; k < f->skin.offsets[point + 1]; k++) {
		best = f->skin.weights[k] > f->skin.weights[best] ? k : best;
	}
	return joint_of_slot(f, f->skin.slots[best]);
}

/* Not of a helper beside it in space alone, such as on the other leg. */
static int is_near_joint(const mesh_fit *f, uint32_t a, uint32_t b) {
	const uint32_t *parents = f->input->character->skeleton->parents;
	return a == b || parents[a] == b || parents[b] == a;
}

/* The shares of the helpers in a point; returns their sum, at most `most_share`. */
static double find_shares(const mesh_fit *f, uint32_t first, uint32_t point, double *shares) {
	const uint32_t joint = main_joint(f, point);
	double sum = 0, others = 1;
	for (uint32_t h = first; h < f->helper_count; h++) {
		shares[h] = is_near_joint(f, joint, f->helpers[h].parent) ? nearness(f, h, point) : 0;
		sum += shares[h];
		others *= 1 - shares[h];
	}
	const double all = most_share * (1 - others);
	for (uint32_t h = first; h < f->helper_count && sum > 0; h++) {
		shares[h] *= all / sum;
	}
	return all;
}

static snw_status share_points(mesh_fit *f, uint32_t first, snw_pool *pool) {
	const uint32_t points = f->mesh->point_count, slots = f->input->character->slot_count;
	double *shares = SNW_POOL_ARRAY(pool, double, f->helper_count);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	const size_t most = f->skin.offsets[points] + (size_t)points * f->helper_count;
	uint32_t *wide_slots = SNW_POOL_ARRAY(pool, uint32_t, most);
	double *weights = SNW_POOL_ARRAY(pool, double, most);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0, n = 0; i < points; i++) {
		const double all = find_shares(f, first, i, shares);
		for (uint32_t k = f->skin.offsets[i]; k < f->skin.offsets[i + 1]; k++, n++) {
			wide_slots[n] = f->skin.slots[k];
			weights[n] = f->skin.weights[k] * (1 - all);
		}
		for (uint32_t h = first; h < f->helper_count; h++) {
			if (shares[h] > 0) {
				wide_slots[n] = slots + h;
				weights[n++] = shares[h];
			}
		}
		offsets[i + 1] = n;
	}
	f->skin = (snk_base_skin_mesh){points, offsets, wide_slots, weights};
	return SNW_OK;
}

/* Places and parents of the helpers, and a skin that begins with them, over the wide character. `is_between`: those that
 * place_between finds come first. */
static snw_status place_helpers(mesh_fit *f, int is_between, snw_pool *pool) {
	double *sums = SNW_POOL_ARRAY(pool, double, 5 * (size_t)f->helper_count);
	double *of_joints = SNW_POOL_ARRAY(pool, double, f->model->joint_count);
	f->helpers = SNW_POOL_ARRAY(pool, helper, f->helper_count);
	f->radii = SNW_POOL_ARRAY(pool, double, f->helper_count);
	f->slides = (double(*)[3])snw_pool_acquire(pool, f->helper_count, sizeof *f->slides);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t first = 0;
	const snw_status status = is_between ? place_between(f, pool, &first) : SNW_OK;
	f->between_count = first;
	if (snk_failed(status) || first == f->helper_count) {
		return status;
	}
	choose_first_places(f, first);
	for (int round = 0; round < MEANS_ROUNDS; round++) {
		move_places(f, first, sums);
	}
	for (uint32_t h = first; h < f->helper_count; h++) {
		choose_parent(f, h, of_joints);
	}
	return share_points(f, first, pool);
}

enum { LEAST_ROUNDS = 4, ROUNDS = 12, SWEEPS = 3, REFINEMENTS = 3 };

static const double weight_ridge = 1e-5; /* as linear-blend-fit's */
static const double first_share = 0.25;  /* of the fit: weights without helpers */
static const double least_gain = 0.01;   /* after LEAST_ROUNDS, a round that lowers the mean square by less is the last */
static const double least_error = 1e-6;  /* root mean square, of the diagonal: nothing for helpers to do */

typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snk_new_rest *new_rest;
	snw_model *model;
	snw_pool scratch;                  /* as long as the fit */
	mesh_fit *meshes;                  /* [mesh_count] */
	const unsigned char *bends, *kept; /* of joints, of slots */
	uint32_t sample_count, morphed_count;
} fitting;

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

static snw_status learn(mesh_fit *f, const snw_character_view *character, const snk_sample *samples, double ridge,
						snk_stretch stretch, snw_pool *pool) {
	const snk_weight_options options = {.influences = (uint32_t)f->input->values[INFLUENCES].numbers[0],
										.ridge = ridge,
										.sample_count = f->sample_count,
										.samples = samples,
										.stretch = stretch,
										.kept = f->kept};
	const snk_weight_residuals residuals = {f->residuals_before, f->residuals};
	return snk_learn_weights(f->host, character, f->mesh_index, &options, pool, &f->skin, &residuals);
}

/* A mesh at a new rest, where it is best with the skin as it is. */
static snw_status refine_rest(mesh_fit *f, const snk_sample *samples) {
	return snk_is_at_new_rest(f->new_rest, f->mesh_index)
			   ? snk_refine_rest_shape(f->host, &f->skin, f->sample_count, samples, f->mesh_index, f->new_rest, f->residuals)
			   : SNW_OK;
}

/* Without helpers. */
static snw_status learn_alone(mesh_fit *f, snk_stretch stretch, snw_pool *pool) {
	const int refinements = snk_is_at_new_rest(f->new_rest, f->mesh_index) ? REFINEMENTS : 0;
	const double length = (stretch.end - stretch.begin) / (refinements + 1);
	snw_status status = SNW_OK;
	for (int i = 0; i <= refinements && !snk_failed(status); i++) {
		const snk_stretch part = {stretch.begin + i * length, stretch.begin + (i + 1) * length, stretch.activity};
		status = learn(f, f->input->character, f->samples, weight_ridge, part, pool);
		status = snk_failed(status) ? status : refine_rest(f, f->samples);
	}
	return status;
}

/* The wide character with the skin as it is. */
static snw_status learn_wide(mesh_fit *f, snk_stretch stretch, snw_pool *pool) {
	const snw_mesh_view *mesh = f->mesh;
	const snw_mesh_view skinned = {.size = sizeof skinned,
								   .name = mesh->name,
								   .point_count = mesh->point_count,
								   .points_rest = mesh->points_rest,
								   .face_count = mesh->face_count,
								   .face_offsets = mesh->face_offsets,
								   .face_points = mesh->face_points,
								   .influence_offsets = f->skin.offsets,
								   .influence_slots = f->skin.slots,
								   .influence_weights = f->skin.weights};
	const snw_mesh_view **meshes =
		(const snw_mesh_view **)snw_pool_acquire(pool, f->input->character->mesh_count, sizeof *meshes);
	if (!meshes) {
		return SNW_ERROR_MEMORY;
	}
	meshes[f->mesh_index] = &skinned;
	snw_character_view character = f->wide;
	character.meshes = meshes;
	return learn(f, &character, f->wide_samples, helped_ridge, stretch, pool);
}

/* The squared distances of all points and samples. */
static double square_sum(const mesh_fit *f) {
	double sum = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		sum += f->residuals[i] * f->residuals[i] * f->sample_count;
	}
	return sum;
}

/* ---- a mesh -------------------------------------------------------------------------------------------------------------- */

static snw_status open_mesh(fitting *all, uint32_t m, mesh_fit *f) {
	const snw_mesh_view *mesh = all->input->character->meshes[m];
	*f = (mesh_fit){.host = all->host,
					.input = all->input,
					.new_rest = all->new_rest,
					.model = all->model,
					.mesh_index = m,
					.mesh = mesh,
					.bends = all->bends,
					.kept = all->kept,
					.diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count)};
	snw_status status = snk_base_skin_copy_mesh(mesh, &all->scratch, &f->skin);
	if (!snk_failed(status) && f->skin.offsets && mesh->point_count > 0) {
		status = snk_samples_gather(all->input, m, &all->scratch, &f->samples, &f->sample_count);
	}
	if (snk_failed(status) || f->sample_count == 0) {
		return status;
	}
	all->sample_count += f->sample_count;
	all->morphed_count += snk_samples_count_morphed(f->samples, f->sample_count);
	f->residuals_before = SNW_POOL_ARRAY(&all->scratch, double, mesh->point_count);
	f->residuals = SNW_POOL_ARRAY(&all->scratch, double, mesh->point_count);
	if (all->scratch.failed) {
		return SNW_ERROR_MEMORY;
	}
	const double share = first_share / all->input->character->mesh_count;
	status = learn_alone(f, (snk_stretch){m * share, (m + 1) * share, "fitting weights"}, &all->scratch);
	f->energy = snk_failed(status) ? 0 : square_sum(f);
	const double least = least_error * f->diagonal;
	f->energy = f->energy > least * least * mesh->point_count * f->sample_count ? f->energy : 0;
	return status;
}

/* Helpers may move points, whatever the slots may. */
static snw_status widen_kept(mesh_fit *f, snw_pool *pool) {
	const uint32_t slots = f->input->character->slot_count;
	unsigned char *wide = SNW_POOL_ARRAY(pool, unsigned char, f->wide.slot_count);
	if (!wide || !f->kept) {
		return wide ? SNW_OK : SNW_ERROR_MEMORY;
	}
	memcpy(wide, f->kept, slots);
	memset(wide + slots, 1, f->helper_count);
	f->kept = wide;
	return SNW_OK;
}

/* Samples whose palettes have the helpers, which follow their parents. */
static snw_status widen_samples(mesh_fit *f, snw_pool *pool) {
	const uint32_t slots = f->input->character->slot_count, joints = f->model->joint_count;
	const size_t wide = f->wide.slot_count;
	double *features = SNW_POOL_ARRAY(pool, double, (size_t)f->sample_count *joints *JOINT_FEATURES);
	snw_pose_view *poses = SNW_POOL_ARRAY(pool, snw_pose_view, f->sample_count);
	f->palettes = SNW_POOL_ARRAY(pool, double, 12 * wide * f->sample_count);
	f->wide_samples = SNW_POOL_ARRAY(pool, snk_sample, f->sample_count);
	f->motions = SNW_POOL_ARRAY(pool, helper_sample, (size_t)f->sample_count * f->helper_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const snw_pose_view *pose = f->samples[s].pose;
		double *palette = f->palettes + 12 * wide * s;
		memcpy(palette, pose->palette, 12 * (size_t)slots * sizeof *palette);
		for (uint32_t h = 0; h < f->helper_count; h++) {
			const double none[MOTIONS] = {0};
			helper_matrix(f->model, &f->helpers[h], pose, none, palette + 12 * ((size_t)slots + h));
		}
		for (uint32_t j = 0; j < joints; j++) {
			snk_rotation_features(f->model->axes + 9 * (size_t)j, pose->rotation_vectors + 3 * (size_t)j,
								  features + JOINT_FEATURES * ((size_t)s * joints + j));
		}
		poses[s] = (snw_pose_view){.size = sizeof *poses, .slot_count = f->wide.slot_count, .palette = palette};
		f->wide_samples[s] = f->samples[s];
		f->wide_samples[s].pose = &poses[s];
	}
	f->features = features;
	return SNW_OK;
}

/* Helpers at places found with, or without, those between joints; motions and weights in turn. */
static snw_status fit_placed(mesh_fit *f, int is_between, double begin, double end, snw_pool *pool) {
	snw_status status = place_helpers(f, is_between, pool);
	status = snk_failed(status) ? status : widen_character(f->input->character, f->helper_count, f->helpers, pool, &f->wide);
	status = snk_failed(status) ? status : widen_samples(f, pool);
	status = snk_failed(status) ? status : widen_kept(f, pool);
	status = snk_failed(status) ? status : start_slides(f);
	double before = INFINITY, after = f->energy;
	for (int round = 0; round < ROUNDS && !snk_failed(status); round++) {
		if (round >= LEAST_ROUNDS && after > (1 - least_gain) * before) {
			break;
		}
		const snk_stretch part = {begin + (end - begin) * round / ROUNDS, begin + (end - begin) * (round + 1) / ROUNDS,
								  "fitting helper joints"};
		status = move_helpers(f, SWEEPS);
		status = snk_failed(status) ? status : learn_wide(f, part, pool);
		status = snk_failed(status) ? status : refine_rest(f, f->wide_samples);
		before = after;
		after = square_sum(f);
	}
	return status;
}

/* Both ways, since helpers between joints save most in the first step but not always in the end. */
static snw_status fit_mesh(fitting *all, mesh_fit *f, double begin, double end) {
	const uint32_t points = f->mesh->point_count;
	const double middle = 0.5 * (begin + end);
	mesh_fit other = *f;
	other.residuals = SNW_POOL_ARRAY(&all->scratch, double, points);
	if (!other.residuals) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(other.residuals, f->residuals, points * sizeof *f->residuals);
	snw_status status = fit_placed(f, 1, begin, middle, &all->scratch);
	if (snk_failed(status) || f->between_count == 0 || snk_is_at_new_rest(f->new_rest, f->mesh_index)) {
		return status;
	}
	status = fit_placed(&other, 0, middle, end, &all->scratch);
	if (!snk_failed(status) && square_sum(&other) < square_sum(f)) {
		*f = other;
	}
	return status;
}

/* ---- the guard ----------------------------------------------------------------------------------------------------------- */

/* Where the base weights, and joints with helpers, put the points. */
static snw_status SNW_CALL place_points(const void *learned, const snw_pose_view *pose, double *below, double *points) {
	const mesh_fit *f = learned;
	const snw_mesh_view *mesh = f->mesh;
	const size_t slots = f->input->character->slot_count;
	snw_pool pool = snw_pool_open(f->host);
	double *palette = SNW_POOL_ARRAY(&pool, double, 12 * (slots + f->helper_count));
	if (!palette) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(palette, pose->palette, 12 * slots * sizeof *palette);
	for (uint32_t h = 0; f->helpers && h < f->helper_count; h++) {
		double motion[MOTIONS];
		helper_motion(f->model, &f->helpers[h], pose, motion);
		helper_matrix(f->model, &f->helpers[h], pose, motion, palette + 12 * (slots + h));
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i;
		snk_blend_point(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, pose->palette, i, rest,
						below + 3 * (size_t)i);
		snk_blend_point(f->skin.offsets, f->skin.slots, f->skin.weights, palette, i, rest, points + 3 * (size_t)i);
	}
	snw_pool_release(&pool);
	return SNW_OK;
}

/* What learning without a fold reads. */
typedef struct left_out_fit {
	const fitting *all;
	const mesh_fit *f;
	double progress;
} left_out_fit;

/* Helpers begin as those did that were kept: one way takes less than half of the fit's time. */
static snw_status SNW_CALL learn_without(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned) {
	const left_out_fit *from = context;
	const mesh_fit *f = from->f;
	const uint32_t points = f->mesh->point_count;
	mesh_fit *g = SNW_POOL_ARRAY(pool, mesh_fit, 1);
	double *before = SNW_POOL_ARRAY(pool, double, points), *residuals = SNW_POOL_ARRAY(pool, double, points);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	*g = *f;
	*learned = g;
	g->samples = (snk_sample *)out->samples;
	g->sample_count = out->sample_count;
	g->residuals_before = before;
	g->residuals = residuals;
	g->kept = from->all->kept;
	g->helpers = NULL;
	snw_status status = learn_alone(g, (snk_stretch){from->progress, from->progress, "guarding the fit"}, pool);
	g->energy = snk_failed(status) ? 0 : square_sum(g);
	return snk_failed(status) || g->helper_count == 0 || !(g->energy > 0)
			   ? status
			   : fit_placed(g, f->between_count > 0, from->progress, from->progress, pool);
}

/* Weights go back towards those of the mesh. A mesh that was moved at rest has none to go back to. */
static snw_status guard_mesh(const fitting *all, mesh_fit *f, double progress, snw_pool *pool) {
	double *strengths = SNW_POOL_ARRAY(pool, double, f->mesh->point_count);
	if (!strengths) {
		return SNW_ERROR_MEMORY;
	}
	const left_out_fit left_out = {all, f, progress};
	const snk_guard guard = {.host = f->host,
							 .character = f->input->character,
							 .mesh = f->mesh_index,
							 .sample_count = f->sample_count,
							 .samples = f->samples,
							 .place = place_points,
							 .learned = f,
							 .learn_without = learn_without,
							 .context = &left_out,
							 .block_count = SNK_GUARD_BLOCKS,
							 .few = SNK_GUARD_FEW,
							 .unseen = SNK_GUARD_UNSEEN,
							 .progress = progress};
	if (!f->input->values[GUARD].numbers[0] || snk_is_at_new_rest(all->new_rest, f->mesh_index)) {
		return SNW_OK;
	}
	const snw_status status = snk_guard_find(&guard, strengths);
	return snk_failed(status)
			   ? status
			   : snk_guard_skin(f->mesh, strengths, (uint32_t)f->input->values[INFLUENCES].numbers[0], 0, pool, &f->skin);
}

/* ---- all meshes ---------------------------------------------------------------------------------------------------------- */

/* Each to the mesh with the largest error for each helper that it would have then. */
static void deal_helpers(fitting *all) {
	const uint32_t wanted = (uint32_t)all->input->values[HELPERS].numbers[0];
	for (uint32_t h = 0; h < wanted; h++) {
		mesh_fit *best = &all->meshes[0];
		for (uint32_t m = 1; m < all->input->character->mesh_count; m++) {
			mesh_fit *f = &all->meshes[m];
			best = f->energy * (best->helper_count + 1) > best->energy * (f->helper_count + 1) ? f : best;
		}
		best->helper_count += best->energy > 0;
	}
}

/* Helpers that move a point, of all meshes; each mesh's slots are numbered after them. */
static snw_status gather_helpers(fitting *all) {
	snw_model *model = all->model;
	const uint32_t slots = model->slot_count, mesh_count = all->input->character->mesh_count;
	const uint32_t wanted = (uint32_t)all->input->values[HELPERS].numbers[0];
	helper *helpers = SNW_POOL_ARRAY(&model->pool, helper, wanted);
	uint32_t *places = SNW_POOL_ARRAY(&all->scratch, uint32_t, wanted);
	snk_base_skin_mesh *skins = SNW_POOL_ARRAY(&model->pool, snk_base_skin_mesh, mesh_count);
	if (model->pool.failed || all->scratch.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t m = 0; m < mesh_count; m++) {
		const mesh_fit *f = &all->meshes[m];
		const snw_mesh_view learned = {.size = sizeof learned,
									   .point_count = f->mesh->point_count,
									   .influence_offsets = f->skin.offsets,
									   .influence_slots = f->skin.slots,
									   .influence_weights = f->skin.weights};
		const snw_status status = snk_base_skin_copy_mesh(&learned, &model->pool, &skins[m]);
		if (snk_failed(status)) {
			return status;
		}
		memset(places, 0xff, wanted * sizeof *places);
		uint32_t *of_points = (uint32_t *)skins[m].slots;
		for (uint32_t k = 0; skins[m].offsets && k < skins[m].offsets[f->mesh->point_count]; k++) {
			const uint32_t h = of_points[k] - slots;
			if (of_points[k] >= slots && places[h] == SNW_NONE) {
				places[h] = model->helper_count;
				helpers[model->helper_count++] = f->helpers[h];
			}
			of_points[k] = of_points[k] >= slots ? slots + places[h] : of_points[k];
		}
	}
	model->helpers = helpers;
	model->skin = (snk_base_skin){slots + model->helper_count, mesh_count, skins};
	return list_helpers(all->input->character, model);
}

static void report(const fitting *all) {
	double weight = 0, before = 0, after = 0;
	for (uint32_t m = 0; m < all->input->character->mesh_count; m++) {
		const mesh_fit *f = &all->meshes[m];
		weight += (double)f->sample_count * f->mesh->point_count;
		after += f->sample_count > 0 ? square_sum(f) : 0;
		before += f->energy;
		if (f->sample_count > 0) {
			snk_field_propose(all->host, m, "residual", SNW_DOMAIN_POINTS, f->mesh->point_count, f->residuals);
		}
	}
	snw_report_line(all->host, SNW_LOG_INFO,
					"%u helper joints fitted to %u samples: root mean square distance %.4g mm, without them %.4g mm",
					all->model->helper_count, all->sample_count, 1e3 * sqrt(after / weight), 1e3 * sqrt(before / weight));
}

static snw_status fit_all(fitting *all) {
	const uint32_t mesh_count = all->input->character->mesh_count;
	snw_status status = open_model(all->input->character, all->model);
	all->meshes = SNW_POOL_ARRAY(&all->scratch, mesh_fit, mesh_count);
	status = snk_failed(status)    ? status
			 : all->scratch.failed ? SNW_ERROR_MEMORY
								   : snk_bending_joints(all->input->character, SNW_NONE, &all->scratch, &all->bends);
	for (uint32_t m = 0; m < mesh_count && !snk_failed(status); m++) {
		status = open_mesh(all, m, &all->meshes[m]);
	}
	status = snk_failed(status) ? status : snk_samples_check(all->host, all->morphed_count, all->sample_count);
	if (!snk_failed(status)) {
		deal_helpers(all);
	}
	for (uint32_t m = 0; m < mesh_count && !snk_failed(status); m++) {
		const double share = (1 - first_share) / mesh_count, begin = first_share + m * share;
		status = all->meshes[m].helper_count > 0 ? fit_mesh(all, &all->meshes[m], begin, begin + share) : SNW_OK;
		status = snk_failed(status) || all->meshes[m].sample_count == 0
					 ? status
					 : guard_mesh(all, &all->meshes[m], begin + share, &all->scratch);
	}
	status = snk_failed(status) ? status : gather_helpers(all);
	if (!snk_failed(status)) {
		report(all);
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	snw_fit_input fewer;
	snk_new_rest at_new_rest = {.points = NULL};
	fitting all = {.host = instance->host,
				   .input = &fewer,
				   .new_rest = &at_new_rest,
				   .model = made,
				   .scratch = snw_pool_open(instance->host)};
	snw_status status = made && !all.scratch.failed ? SNW_OK : SNW_ERROR_MEMORY;
	if (!snk_failed(status)) {
		status =
			snk_merge_slots(instance->host, input, (uint32_t)input->values[JOINTS].numbers[0], &all.scratch, &fewer, &all.kept);
	}
	if (!snk_failed(status) && input->values[REST].numbers[0] == 0) {
		status = snk_learn_rest_shape(instance->host, &fewer, &all.scratch, &made->pool, &at_new_rest, &made->rest);
		all.input = &at_new_rest.input;
	}
	status = snk_failed(status) ? status : fit_all(&all);
	snw_pool_release(&all.scratch);
	return snk_model_finish(status, made, model);
}
