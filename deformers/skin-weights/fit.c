/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: bones, heat, motion where there is any; then each mesh's weights are proposed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "skin-weights/skin-weights.h"

/* ---- seams --------------------------------------------------------------------------------------------------------------- */

/* Seams between the pieces of one body, of one mesh or of several: points of two pieces at one place of the rest get the mean
 * of their weights, so that the body does not open where its pieces meet. Points of one piece are not joined: lips that touch
 * at rest part later. */

/* Places are one if they are the same multiples of this part of the diagonal. */
static const double same = 1e-6;

typedef struct placed_point {
	double place[3]; /* in multiples */
	uint32_t mesh, point;
} placed_point;

static int compare(const void *a, const void *b) {
	const placed_point *x = a, *y = b;
	for (int c = 0; c < 3; c++) {
		if (x->place[c] != y->place[c]) {
			return x->place[c] < y->place[c] ? -1 : 1;
		}
	}
	return x->mesh != y->mesh ? (x->mesh < y->mesh ? -1 : 1) : x->point < y->point ? -1 : x->point > y->point;
}

static int is_same_place(const placed_point *a, const placed_point *b) {
	return a->place[0] == b->place[0] && a->place[1] == b->place[1] && a->place[2] == b->place[2];
}

static uint32_t piece_of(const weights_fit *f, const placed_point *p) {
	return f->pieces[p->mesh].of_point[p->point];
}

static int has_two_pieces(const weights_fit *f, const placed_point *points, uint32_t count) {
	for (uint32_t i = 1; i < count; i++) {
		if (points[i].mesh != points[0].mesh || piece_of(f, &points[i]) != piece_of(f, &points[0])) {
			return 1;
		}
	}
	return 0;
}

/* The largest of these weights first; of equal ones the lower slot. */
static void take_largest(const double *weights, uint32_t slot_count, influence_set *set) {
	set->count = 0;
	for (uint32_t s = 0; s < slot_count; s++) {
		if (weights[s] > 0) {
			snk_keep_influence(KEPT, s, weights[s], &set->count, set->slots, set->weights);
		}
	}
}

/* `sums` [slot_count] is scratch, of zeros before and after. */
static void join(const placed_point *points, uint32_t count, uint32_t slot_count, double *sums, influence_set *const *sets) {
	influence_set mean;
	for (uint32_t i = 0; i < count; i++) {
		const influence_set *set = &sets[points[i].mesh][points[i].point];
		for (uint32_t k = 0; k < set->count; k++) {
			sums[set->slots[k]] += set->weights[k] / count;
		}
	}
	take_largest(sums, slot_count, &mean);
	memset(sums, 0, slot_count * sizeof *sums);
	for (uint32_t i = 0; i < count; i++) {
		sets[points[i].mesh][points[i].point] = mean;
	}
}

/* Gives points of two pieces at one place the mean of their weights. sets [mesh_count]: those of each mesh, NULL for one that
 * is left out. */
static snw_status join_seams(const weights_fit *f, uint32_t point_count, influence_set *const *sets) {
	const snw_character_view *character = f->input->character;
	snw_pool pool = snw_pool_open(f->host);
	placed_point *points = SNW_POOL_ARRAY(&pool, placed_point, point_count);
	double *sums = SNW_POOL_ARRAY(&pool, double, character->slot_count);
	uint32_t count = 0;
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !pool.failed && m < character->mesh_count; m++) {
		for (uint32_t i = 0; sets[m] && i < character->meshes[m]->point_count; i++) {
			placed_point *p = &points[count++];
			*p = (placed_point){.mesh = m, .point = i};
			for (int c = 0; c < 3; c++) {
				p->place[c] = round(character->meshes[m]->points_rest[3 * (size_t)i + (size_t)c] / (same * f->diagonal));
			}
		}
	}
	if (count > 0) {
		qsort(points, count, sizeof *points, compare);
	}
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && is_same_place(&points[i], &points[end]);) {
			end++;
		}
		if (has_two_pieces(f, points + i, end - i)) {
			join(points + i, end - i, character->slot_count, sums, sets);
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- weights from motion ------------------------------------------------------------------------------------------------- */

/* Weights from motion: non-negative least squares over the bones that heat gives each point. */

enum { GRAIN = 64 };

typedef struct learning {
	const weights_fit *f;
	const snw_mesh_view *mesh;
	uint32_t sample_count;
	const snk_sample *samples;
	influence_set *sets;
} learning;

/* Mean products of what each bone alone would leave. */
static void make_gram(const learning *l, uint32_t point, const influence_set *set, double *gram) {
	const double *rest = l->mesh->points_rest + 3 * (size_t)point;
	double residuals[KEPT][3], target[3];
	memset(gram, 0, sizeof(double) * set->count * set->count);
	for (uint32_t s = 0; s < l->sample_count; s++) {
		snk_sample_point(&l->samples[s], point, target);
		for (uint32_t a = 0; a < set->count; a++) {
			snw_mat34_point(l->samples[s].pose->palette + 12 * (size_t)set->slots[a], rest, residuals[a]);
			for (int c = 0; c < 3; c++) {
				residuals[a][c] -= target[c];
			}
			for (uint32_t b = 0; b <= a; b++) {
				gram[a * set->count + b] += snw_dot3(residuals[a], residuals[b]) / l->sample_count;
			}
		}
	}
	for (uint32_t a = 0; a < set->count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			gram[b * set->count + a] = gram[a * set->count + b];
		}
	}
}

static void learn_point(const learning *l, uint32_t point) {
	influence_set *set = &l->sets[point];
	const snw_value *values = l->f->input->values;
	const double ridge = values[RIDGE].numbers[0] * l->f->diagonal * l->f->diagonal;
	double gram[KEPT * KEPT], right[KEPT];
	snk_nnls_support start = {.count = 1};
	snk_nnls_solution solution;
	make_gram(l, point, set, gram);
	for (uint32_t a = 0; a < set->count; a++) {
		gram[a * set->count + a] += ridge;
		right[a] = ridge * set->weights[a];
	}
	const snk_nnls_problem problem = {.count = set->count, .gram = gram, .right = right};
	snk_nnls_search(&problem, (uint32_t)values[INFLUENCES].numbers[0], 1, &start, &solution);
	influence_set found = {.count = solution.count};
	for (uint32_t k = 0; k < solution.count; k++) {
		found.slots[k] = set->slots[solution.support[k]];
		found.weights[k] = solution.weights[k];
	}
	*set = found;
}

static void SNW_CALL learn_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		learn_point(argument, i);
	}
}

/* Better sets, from the samples of the mesh, which are counted; *learned says whether there were any. */
static snw_status learn_weights(weights_fit *f, uint32_t mesh, influence_set *sets, int *learned) {
	snw_pool pool = snw_pool_open(f->host);
	snk_sample *samples = NULL;
	uint32_t count = 0;
	snw_status status = snk_samples_gather(f->input, mesh, &pool, &samples, &count);
	*learned = !snk_failed(status) && count > 0;
	if (*learned) {
		const snk_stretch stretch = {progress_at(f, 0.7), progress_at(f, 1), "learning from motion"};
		f->sample_count += count;
		f->morphed_count += snk_samples_count_morphed(samples, count);
		learning l = {f, f->input->character->meshes[mesh], count, samples, sets};
		status = snk_ranges_run_reported(f->host, l.mesh->point_count, GRAIN, learn_points, &l, &stretch);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the largest weights ------------------------------------------------------------------------------------------------- */

/* Keeps the largest of a set that is sorted by weight, by slot from here on, and makes their sum 1. */
static void thin(influence_set *set, uint32_t most) {
	double sum = 0;
	set->count = set->count < most ? set->count : most;
	for (uint32_t k = 0; k < set->count; k++) {
		sum += set->weights[k];
	}
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] /= sum;
	}
	snk_sort_influences(set->count, set->slots, set->weights);
}

static snw_status propose(weights_fit *f, const snw_proposal_service *service, uint32_t mesh, const influence_set *sets) {
	const uint32_t count = f->input->character->meshes[mesh]->point_count;
	snw_pool pool = snw_pool_open(f->host);
	uint32_t *offsets = SNW_POOL_ARRAY(&pool, uint32_t, (size_t)count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(&pool, uint32_t, (size_t)KEPT * count);
	double *weights = SNW_POOL_ARRAY(&pool, double, (size_t)KEPT *count);
	snw_status status = SNW_ERROR_MEMORY;
	if (!pool.failed) {
		for (uint32_t i = 0; i < count; i++) {
			memcpy(slots + offsets[i], sets[i].slots, sets[i].count * sizeof *slots);
			memcpy(weights + offsets[i], sets[i].weights, sets[i].count * sizeof *weights);
			offsets[i + 1] = offsets[i] + sets[i].count;
		}
		const snw_weights_proposal proposal = {.size = sizeof proposal,
											   .mesh = mesh,
											   .influence_offsets = offsets,
											   .influence_slots = slots,
											   .influence_weights = weights};
		status = service->weights(f->host, &proposal);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

/* The weights of a mesh. */
static snw_status find_weights(weights_fit *f, uint32_t mesh, influence_set *sets, int *learned) {
	*learned = 0;
	const snw_status status = find_heat_weights(f, mesh, sets);
	return snk_failed(status) || (int)f->input->values[SOURCE].numbers[0] != SOURCE_AUTO
			   ? status
			   : learn_weights(f, mesh, sets, learned);
}

static snw_status propose_thinned(weights_fit *f, const snw_proposal_service *service, uint32_t mesh, influence_set *sets) {
	for (uint32_t i = 0; i < f->input->character->meshes[mesh]->point_count; i++) {
		thin(&sets[i], (uint32_t)f->input->values[INFLUENCES].numbers[0]);
	}
	const snw_status status = propose(f, service, mesh, sets);
	f->bound_count += !snk_failed(status);
	return status;
}

/* Points at one place have no surface for heat to flow on. */
static snw_status measure_bounds(weights_fit *f, uint32_t *point_count) {
	const snw_character_view *character = f->input->character;
	const snw_mesh_view *flat = NULL, *single = NULL;
	*point_count = 0;
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = character->meshes[m];
		const double diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count);
		f->diagonal = diagonal > f->diagonal ? diagonal : f->diagonal;
		flat = mesh->point_count > 1 && !(diagonal > 0) ? mesh : flat;
		single = mesh->point_count == 1 ? mesh : single;
		*point_count += mesh->point_count;
	}
	flat = flat || f->diagonal > 0 ? flat : single;
	return !flat ? SNW_OK
				 : snw_report_fail(f->host, SNW_ERROR_DATA,
								   "mesh '%s' has all its points at one place, so it has no weights to find", flat->name);
}

static snw_status bind_meshes(weights_fit *f, const snw_proposal_service *service, uint32_t point_count) {
	const snw_character_view *character = f->input->character;
	influence_set **sets = snw_pool_acquire(&f->pool, character->mesh_count, sizeof *sets);
	influence_set **joined =
		snw_pool_acquire(&f->pool, character->mesh_count, sizeof *joined); /* motion says more than seams */
	snw_status status = f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	uint32_t bound = 0;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		const uint32_t count = character->meshes[m]->point_count;
		int learned = 0;
		f->share_from = meshes_from + (1 - meshes_from) * bound / point_count;
		bound += count;
		f->share_to = meshes_from + (1 - meshes_from) * bound / point_count;
		sets[m] = count > 0 ? SNW_POOL_ARRAY(&f->pool, influence_set, count) : NULL;
		status = f->pool.failed ? SNW_ERROR_MEMORY : count > 0 ? find_weights(f, m, sets[m], &learned) : SNW_OK;
		joined[m] = learned ? NULL : sets[m];
		f->learned_count += !snk_failed(status) && learned;
	}
	status = snk_failed(status) ? status : join_seams(f, point_count, joined);
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = sets[m] ? propose_thinned(f, service, m, sets[m]) : SNW_OK;
	}
	return status;
}

static snw_status run(weights_fit *f) {
	const snw_proposal_service *service = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	uint32_t point_count;
	if (!service) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING,
							   "the host lacks the service sinew.proposal, which skin-weights needs");
	}
	snw_status status = measure_bounds(f, &point_count);
	status = snk_failed(status) ? status : find_pieces(f);
	status = snk_failed(status) ? status : find_bones(f);
	status = snk_failed(status) ? status : bind_meshes(f, service, point_count);
	if (!snk_failed(status)) {
		snk_samples_warn_of_morphs(f->host, f->morphed_count, f->sample_count);
		snw_report_line(f->host, SNW_LOG_INFO, "%u bones; weights of %u mesh%s, %u of them from motion", f->bone_count,
						f->bound_count, f->bound_count == 1 ? "" : "es", f->learned_count);
		(void)snw_report_progress(f->host, 1, "fitted"); /* a stop from here on loses nothing */
	}
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	weights_fit f = {.host = instance->host, .input = input, .pool = snw_pool_open(instance->host)};
	const snw_status status = run(&f);
	snw_pool_release(&f.pool);
	return snk_failed(status) ? status : snk_skin_model_copy(instance, input, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

/* The model is only the skin from before, because all that
 * the fit finds is proposed. */

static const char *const sources[] = {"auto", "heat", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[SOURCE] = SNW_CHOICE("source", "Source", "Where weights come from: motion where there is any, or heat alone.", sources,
						  SOURCE_AUTO, SNW_STAGE_FIT),
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints that may move one point.", 4, 1, 12, SNW_STAGE_FIT,
							 SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
	[SPREAD] =
		SNW_NUMBER("spread", "Spread", "How far weights reach past the middle between two bones; heat starts from 1/spread.",
				   "", 0.264, 1e-3, 1e3, SNW_STAGE_FIT, SNW_SOFT(0.1, 10)),
	[RIDGE] =
		SNW_NUMBER("ridge", "Ridge", "How strongly weights from motion stay at those from heat where the motion says little.",
				   "", 1e-6, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-5)),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.skin-weights",
	.short_name = "skin-weights",
	.name = "Weights for a skeleton",
	.version = "1.0",
	.paper = "I. Baran, J. Popović: Automatic rigging and animation of 3D characters, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON,
	.traits = SNW_MAKES_WEIGHTS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNK_SKIN_MODEL_FUNCTIONS("SNWSKWT", SNW_BLEND_LINEAR)

SNW_DEFORMER(.fit = fit, .lower = lower, .save = save, .load = load, .release = snk_model_release)
