/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: bones, heat, motion where there is any; then each mesh's weights are proposed.
 */
#include "skin-weights/fit.h"

#include <string.h>

#include "sinew/kit/bounds.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"

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

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	weights_fit f = {.host = instance->host, .input = input, .pool = snw_pool_open(instance->host)};
	const snw_status status = run(&f);
	snw_pool_release(&f.pool);
	return snk_failed(status) ? status : snk_skin_model_copy(instance, input, model);
}
