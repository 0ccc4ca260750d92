/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits mesh by mesh.
 */
#include "linear-blend-fit/linear-blend-fit.h"

#include <math.h>

#include "motion/weights/held_points.h"
#include "motion/weights/learn_weights.h"
#include "motion/weights/merge_slots.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { REFINEMENTS = 3 }; /* of a mesh at a new rest */

/* A fit under way, and the error over all its points and samples. */
typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snk_new_rest *new_rest;
	snw_pool *model_pool;               /* becomes the model's */
	const unsigned char *kept, *locked; /* slots */
	uint32_t sample_count, morphed_count;
	double weight, squares_before, squares;
} fitting;

static void report_mesh(fitting *all, uint32_t m, const snk_weight_options *options, const snk_weight_residuals *residuals) {
	const uint32_t points = all->input->character->meshes[m]->point_count;
	for (uint32_t i = 0; i < points; i++) {
		all->squares_before += residuals->before[i] * residuals->before[i] * options->sample_count;
		all->squares += residuals->after[i] * residuals->after[i] * options->sample_count;
	}
	all->weight += (double)points * options->sample_count;
	all->sample_count += options->sample_count;
	all->morphed_count += snk_samples_count_morphed(options->samples, options->sample_count);
	snk_field_propose(all->host, m, "residual", SNW_DOMAIN_POINTS, points, residuals->after);
}

/* Weights, and at a new rest places and weights in turn. */
static snw_status learn(fitting *all, uint32_t m, snk_weight_options *options, snw_pool *scratch, snk_base_skin_mesh *skin,
						const snk_weight_residuals *residuals) {
	const int refinements = snk_is_at_new_rest(all->new_rest, m) ? REFINEMENTS : 0;
	const double begin = options->stretch.begin, length = (options->stretch.end - begin) / (refinements + 1);
	snw_status status = SNW_OK;
	for (int i = 0; i <= refinements && !snk_failed(status); i++) {
		snw_pool *pool = i < refinements ? scratch : all->model_pool;
		options->stretch.begin = begin + i * length;
		options->stretch.end = begin + (i + 1) * length;
		status = snk_learn_weights(all->host, all->input->character, m, options, pool, skin, residuals);
		if (i < refinements && !snk_failed(status)) {
			status = snk_refine_rest_shape(all->host, skin, options->sample_count, options->samples, m, all->new_rest,
										   residuals->after);
		}
	}
	return status;
}

/* A mesh without samples keeps its weights. */
static snw_status fit_mesh(fitting *all, uint32_t m, snk_base_skin_mesh *skin) {
	const snw_character_view *character = all->input->character;
	if (!skin->offsets || skin->point_count == 0) {
		return SNW_OK;
	}
	snw_pool scratch = snw_pool_open(all->host);
	const snw_value *values = all->input->values;
	snk_weight_options options = {
		.influences = (uint32_t)values[INFLUENCES].numbers[0],
		.ridge = values[RIDGE].numbers[0],
		.smoothness = values[SMOOTHNESS].numbers[0],
		.kept = all->kept,
		.locked = all->locked,
		.stretch = {(double)m / character->mesh_count, (m + 1.0) / character->mesh_count, "fitting weights"}};
	snk_sample *samples;
	snw_status status = snk_samples_gather(all->input, m, &scratch, &samples, &options.sample_count);
	status = snk_failed(status) ? status : snk_mask_read(all->input, MASK, m, &scratch, &options.mask);
	if (!snk_failed(status) && options.sample_count > 0) {
		const snk_weight_residuals residuals = {SNW_POOL_ARRAY(&scratch, double, skin->point_count),
												SNW_POOL_ARRAY(&scratch, double, skin->point_count)};
		options.samples = samples;
		status = scratch.failed ? SNW_ERROR_MEMORY : learn(all, m, &options, &scratch, skin, &residuals);
		if (!snk_failed(status)) {
			report_mesh(all, m, &options, &residuals);
		}
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status fit_all(fitting *all, snk_base_skin *skin) {
	const snw_character_view *character = all->input->character;
	snw_status status = snk_base_skin_copy(character, all->model_pool, skin);
	snk_base_skin_mesh *meshes =
		snk_failed(status) ? NULL : SNW_POOL_ARRAY(all->model_pool, snk_base_skin_mesh, character->mesh_count);
	if (!meshes) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(meshes, skin->meshes, character->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = fit_mesh(all, m, &meshes[m]);
	}
	skin->meshes = meshes;
	status = snk_failed(status) ? status : snk_samples_check(all->host, all->morphed_count, all->sample_count);
	if (!snk_failed(status)) {
		snw_report_line(all->host, SNW_LOG_INFO,
						"weights fitted to %u samples: root mean square distance %.4g mm, before %.4g mm", all->sample_count,
						1e3 * sqrt(all->squares / all->weight), 1e3 * sqrt(all->squares_before / all->weight));
	}
	return status;
}

/* Merged joints give their weights away everywhere. */
static snw_status check_settings(const fitting *all) {
	const snw_value *values = all->input->values;
	const char *mask = values[MASK].text;
	if (values[JOINTS].numbers[0] > 0 && (all->locked || (mask && *mask))) {
		return snw_report_fail(all->host, SNW_ERROR_ARGUMENT,
							   "joints=%g gives weights of some joints to others at all points; leave it out, or leave out %s",
							   values[JOINTS].numbers[0], all->locked ? "the locks" : "the mask");
	}
	return SNW_OK;
}

/* What keeps its weights keeps its place. */
static int moves_rest(const fitting *all, const snw_value *values) {
	const char *mask = values[MASK].text;
	return values[REST].numbers[0] == 0 && !all->locked && !(mask && *mask);
}

static snw_status run(fitting *all, snw_model *made) {
	const snw_fit_input *input = all->input;
	snw_pool scratch = snw_pool_open(all->host);
	snw_fit_input fewer;
	snk_new_rest at_new_rest = {.points = NULL};
	snw_status status = snk_locked_slots_read(input, LOCK, &scratch, &all->locked);
	status = snk_failed(status) ? status : check_settings(all);
	status = snk_failed(status)
				 ? status
				 : snk_merge_slots(all->host, input, (uint32_t)input->values[JOINTS].numbers[0], &scratch, &fewer, &all->kept);
	all->input = &fewer;
	all->new_rest = &at_new_rest;
	if (!snk_failed(status) && moves_rest(all, input->values)) {
		status = snk_learn_rest_shape(all->host, &fewer, &scratch, &made->pool, &at_new_rest, &made->rest);
		all->input = &at_new_rest.input;
	}
	status = snk_failed(status) ? status : fit_all(all, &made->skin);
	snw_pool_release(&scratch);
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	fitting all = {.host = instance->host, .input = input, .model_pool = &made->pool};
	return snk_model_finish(run(&all, made), made, model);
}
