/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend with learned weights: for each point the few weights, not negative and summing to one, with which the pose's own
 * transforms take it nearest to where the samples (examples, targets, sequences with poses) have it.
 *
 * The equation is in motion/learn_weights.h. This is the best that linear blend can do with these joints: what D. James
 * and C. Twigg (2005), L. Kavan et al. (2007) and B. Le and Z. Deng (2012) fit their weights by, with the support searched for
 * instead of cut down from the unrestricted optimum. Morph channels are taken to be at 0; where a sample's are not, the fit
 * says so. A mesh that the samples show elsewhere in all poses is moved there first (motion/learn_weights.h). With fewer
 * joints than the skin has, those that matter least are merged into others first (motion/learn_weights.h). Points outside
 * a mask and locked joints keep the weights that they have. In the end weights go back towards the skin's where these are
 * better (sinew/kit/fit/guard.h), unless joints are locked or the mesh was moved.
 */
#include <math.h>

#include "motion/learn_weights.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/report.h"
#include "sinew/sinew.h"

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	snk_base_skin skin;
	snk_rest_shape rest;
};

/* Rows of the parameter table. */
enum { INFLUENCES, RIDGE, SMOOTHNESS, JOINTS, MASK, LOCK, REST, GUARD, PARAMETER_COUNT };

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* Fits mesh by mesh. */

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

/* ---- the guard ----------------------------------------------------------------------------------------------------------- */

/* What was learned of a mesh. */
typedef struct learned_mesh {
	const fitting *all;
	uint32_t mesh;
	const snk_weight_options *options;
	snk_base_skin_mesh skin;
} learned_mesh;

static snw_status SNW_CALL place_points(const void *learned, const snw_pose_view *pose, double *below, double *points) {
	const learned_mesh *l = learned;
	const snw_mesh_view *mesh = l->all->input->character->meshes[l->mesh];
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i;
		snk_blend_point(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, pose->palette, i, rest,
						below + 3 * (size_t)i);
		snk_blend_point(l->skin.offsets, l->skin.slots, l->skin.weights, pose->palette, i, rest, points + 3 * (size_t)i);
	}
	return SNW_OK;
}

/* Each fold learns half of the points, so that both together take as long as the fit. */
static snw_status SNW_CALL learn_without(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned) {
	const learned_mesh *from = context;
	const uint32_t points = from->skin.point_count;
	learned_mesh *l = SNW_POOL_ARRAY(pool, learned_mesh, 1);
	double *mask = SNW_POOL_ARRAY(pool, double, points);
	const snk_weight_residuals residuals = {SNW_POOL_ARRAY(pool, double, points), SNW_POOL_ARRAY(pool, double, points)};
	snk_weight_options options = *from->options;
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	*l = *from;
	*learned = l;
	for (uint32_t i = 0; i < points; i++) {
		mask[i] = i % SNK_GUARD_FOLDS == out->fold ? (options.mask ? options.mask[i] : 1) : 0;
	}
	options.mask = mask;
	options.stretch = (snk_stretch){options.stretch.end, options.stretch.end, "guarding the fit"};
	options.samples = out->samples;
	options.sample_count = out->sample_count;
	return snk_learn_weights(l->all->host, l->all->input->character, l->mesh, &options, pool, &l->skin, &residuals);
}

/* Points outside the mask have their weights already. */
static snw_status guard_mesh(const fitting *all, uint32_t m, const snk_weight_options *options, snw_pool *scratch,
							 snk_base_skin_mesh *skin) {
	const snw_mesh_view *mesh = all->input->character->meshes[m];
	double *strengths = SNW_POOL_ARRAY(scratch, double, mesh->point_count);
	if (!strengths) {
		return SNW_ERROR_MEMORY;
	}
	const learned_mesh learned = {all, m, options, *skin};
	const snk_guard guard = {.host = all->host,
							 .character = all->input->character,
							 .mesh = m,
							 .sample_count = options->sample_count,
							 .samples = options->samples,
							 .place = place_points,
							 .learned = &learned,
							 .learn_without = learn_without,
							 .context = &learned,
							 .block_count = SNK_GUARD_BLOCKS,
							 .few = SNK_GUARD_FEW,
							 .unseen = SNK_GUARD_UNSEEN,
							 .progress = options->stretch.end};
	const snw_status status = snk_guard_find(&guard, strengths);
	for (uint32_t i = 0; options->mask && i < mesh->point_count; i++) {
		strengths[i] = options->mask[i] > 0 ? strengths[i] : 1;
	}
	return snk_failed(status) ? status : snk_guard_skin(mesh, strengths, options->influences, 0, all->model_pool, skin);
}

/* ---- all meshes ---------------------------------------------------------------------------------------------------------- */

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
		if (!snk_failed(status) && values[GUARD].numbers[0] && !all->locked && !snk_is_at_new_rest(all->new_rest, m)) {
			status = guard_mesh(all, m, &options, &scratch, skin);
		}
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

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	fitting all = {.host = instance->host, .input = input, .model_pool = &made->pool};
	return snk_model_finish(run(&all, made), made, model);
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* A fitted model: driven (the mesh is moved alike in all poses), lowered to linear blend of points that may be moved at rest,
 * and as bytes: a mark, the influences, the rest shape if there is one, a seal. */

static void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .d_count = model->rest.coefficient_count);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	snk_rest_shape_drive(&call->model->rest, call->output->d);
	return SNW_OK;
}

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_status status = snk_base_skin_lower(&call->model->skin, call, SNW_BLEND_LINEAR);
	snk_rest_shape_lower(&call->model->rest, call->mesh, call->part);
	return status;
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	if (bytes->is_load) {
		model->skin.slot_count = bytes->character->slot_count;
	}
	snk_base_skin_bytes(bytes, &model->skin);
	snk_rest_shape_bytes(bytes, &model->rest);
}

static const snk_model_format format = {"SNWLBFT", 1, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	const snw_status status = snk_transfer_base_skin(call, &model->pool, &model->skin);
	return snk_failed(status) ? status : snk_rest_shape_transfer(call, &model->pool, &model->rest);
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const char *const rest_choices[] = {"auto", "kept", NULL};

/* The ridge, learned from a human's range of motion and measured on a dance with other motions: erms 0.866, at most 1.08 %
 * with 1e-6; 0.877, 1.09 % with 1e-5. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints that may move one point.", 4, 1, 12, SNW_STAGE_FIT,
							 SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly weights stay at the original ones where the samples say little.", "",
						 1e-5, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[SMOOTHNESS] = SNW_NUMBER("smoothness", "Smoothness", "How strongly neighbouring points share their weights.", "", 0, 0, 1,
							  SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[JOINTS] = SNW_COUNT("joints", "Joints",
						 "The most joints that may move points; others give their weights to joints near them, those that "
						 "matter least first. 0: as many as there are.",
						 0, 0, 65536, SNW_STAGE_FIT, SNW_SOFT(0, 255), .role = SNW_ROLE_JOINTS),
	[MASK] = SNW_NAMED(SNW_PARAMETER_FIELD, "mask", "Mask",
					   "A painted field: its points are fitted, the others keep their weights.", SNW_STAGE_FIT),
	[LOCK] = SNW_SWITCH("lock", "Lock", "Whether joints keep their weights; set it for single joints.", 0, SNW_STAGE_FIT,
						.scopes = SNW_SCOPE_JOINT),
	[REST] = SNW_CHOICE("rest", "Rest",
						"Moves the mesh at rest to where the samples have it, if they have it elsewhere in all poses and all "
						"of it is fitted; or keeps it.",
						rest_choices, 0, SNW_STAGE_FIT),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[] = {SNK_RESIDUAL_FIELD};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.linear-blend-fit",
	.short_name = "linear-blend-fit",
	.name = "Linear blend, learned weights",
	.version = "1.0",
	.paper = "D. James, C. Twigg: Skinning mesh animations, 2005",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .transfer = transfer)
