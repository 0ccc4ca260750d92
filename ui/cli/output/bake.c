/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bake: a stack as a skin that engines play, within a budget, with its error at poses that its fit did not see.
 */
#include "bake/bake.h"

#include <math.h>
#include <string.h>

#include "cli/command_line/open_project.h"
#include "cli/command_line/output_path.h"
#include "cli/command_line/verb.h"
#include "cli/command_line/work_in_copy.h"
#include "cli/output/bake_curve.h"
#include "cli/output/engine_option.h"
#include "edit/commit_bake.h"
#include "fit/baked_layers.h"
#include "scene/nouns.h"

typedef struct baking {
	snw_bake_request request;
	snw_baked baked;
} baking;

/* ---- the request --------------------------------------------------------------------------------------------------------- */

/* The clips of --clip and --on. */
static snw_status choose_clips(const snw_call *call, const snw_scene *scene, snw_bake_request *request, snw_error *error) {
	enum { MOST_CLIPS = 256 };
	static const char *const options[] = {"--clip", "--on"};
	uint32_t *clips = SNW_NEW_ARRAY(call->arena, uint32_t, MOST_CLIPS);
	const char *text;
	for (int o = 0; o < 2; o++) {
		for (int i = 0; (text = snw_call_option_at(call, options[o], i)); i++) {
			for (; *text; text += strcspn(text, ","), text += *text == ',') {
				const char *name = snw_arena_format(call->arena, "%.*s", (int)strcspn(text, ","), text);
				if (request->clip_count == MOST_CLIPS) {
					return snw_fail(error, SNW_ERROR_LIMIT, "%s %s: a bake reads at most %d clips", options[o], name,
									MOST_CLIPS);
				}
				const snw_status status = snw_noun_find(scene, SNW_NOUN_CLIP, name, &clips[request->clip_count++], error);
				if (snw_failed(status)) {
					return status;
				}
			}
		}
	}
	request->clips = clips;
	request->names_clips = request->clip_count > 0;
	return SNW_OK;
}

static snw_status read_budget(const snw_call *call, snw_budget *budget, snw_error *error) {
	const char *text = snw_call_option(call, "--budget");
	snw_error cause = {0};
	const snw_status status = text ? snw_budget_parse(text, budget, &cause) : SNW_OK;
	return snw_failed(status) ? snw_fail(error, status, "--budget %s", cause.text) : SNW_OK;
}

/* "any" stands against the engine of the bake before. */
static snw_status read_engine(const snw_call *call, const snw_engine **engine, snw_error *error) {
	const char *name = snw_call_option(call, "--for");
	if (name && strcmp(name, "any") == 0) {
		*engine = snw_engine_any();
		return SNW_OK;
	}
	return snw_call_engine(call, engine, error);
}

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

static void answer_measure(cJSON *object, const snw_measure *measure) {
	snw_answer_number(object, "erms", measure->erms);
	snw_answer_number(object, "distortion_percent", measure->distortion_percent);
	snw_answer_number(object, "enveloping_error", measure->enveloping_error);
	snw_answer_number(object, "max_percent", measure->max_percent);
	snw_answer_number(object, "max_frame", measure->max_frame);
	snw_answer_number(object, "max_point", measure->max_point);
	snw_answer_number(object, "normals_degrees", measure->normals_degrees);
	snw_answer_number(object, "normals_max_degrees", measure->normals_max_degrees);
}

/* An error with the pose and the mesh where it is largest, and that of each mesh, if there are several. `poses` are the names
 * of its frames. */
static void answer_error(cJSON *row, const char *name, const snw_baked *baked, const snw_bake_error *error,
						 const char *const *poses) {
	cJSON *object = row && error->all.frame_count > 0 ? cJSON_AddObjectToObject(row, name) : NULL;
	if (!object) {
		return;
	}
	answer_measure(object, &error->all);
	snw_answer_text(object, "max_pose", poses[error->all.max_frame]);
	snw_answer_text(object, "max_mesh", baked->mesh_names[error->farthest]);
	cJSON *list = baked->mesh_count > 1 ? snw_answer_list(object, "meshes") : NULL;
	for (uint32_t i = 0; list && i < baked->mesh_count; i++) {
		cJSON *mesh = snw_answer_row(list);
		snw_answer_text(mesh, "name", baked->mesh_names[i]);
		answer_measure(mesh, &error->meshes[i]);
	}
}

/* "walk, frame 12, point 345", with the mesh if there are several. */
static const char *worst_place(const snw_call *call, const snw_baked *baked, const snw_bake_error *error,
							   const char *const *poses) {
	const bool has_others = baked->mesh_count > 1;
	return snw_arena_format(call->arena, "%s, %s%spoint %u", poses[error->all.max_frame],
							has_others ? baked->mesh_names[error->farthest] : "", has_others ? " " : "", error->all.max_point);
}

static void say_measure(const snw_call *call, const char *name, const snw_measure *measure, const char *place,
						const char *size) {
	snw_say(call, "%s %8.4f %11.4f %10.4f %8.4f %9.3f  %s %s", snw_padded(call, name, 36), measure->erms,
			measure->distortion_percent, measure->enveloping_error, measure->max_percent, measure->normals_degrees,
			snw_padded(call, place, 34), size);
}

static cJSON *answer_errors(cJSON *list, const char *name, const snw_baked *baked, const snw_bake_errors *errors) {
	cJSON *row = snw_answer_row(list);
	snw_answer_text(row, "name", name);
	answer_error(row, "against_stack", baked, &errors->stack, baked->held_names);
	answer_error(row, "against_truth", baked, &errors->truth, baked->truth_names);
	answer_error(row, "each_joint_alone", baked, &errors->range, baked->range_names);
	return row;
}

static const char *variant_name(const snw_call *call, const snw_bake_variant *variant) {
	char name[100];
	snw_bake_variant_name(variant, name, sizeof name);
	return snw_arena_text(call->arena, name);
}

static void answer_variants(const snw_call *call, const snw_baked *baked) {
	cJSON *list = snw_answer_list(call->answer, "skins");
	answer_errors(list, "stack", baked, &baked->source);
	answer_errors(list, "linear blend", baked, &baked->plain);
	cJSON *curve = snw_answer_list(call->answer, "curve");
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		const snw_bake_variant *variant = &baked->variants[v];
		cJSON *row = answer_errors(curve, variant_name(call, variant), baked, &variant->errors);
		snw_answer_number(row, "influences", variant->influences);
		snw_answer_number(row, "joints", variant->joint_count);
		snw_answer_number(row, "helpers", variant->helper_count);
		snw_answer_number(row, "proxies", variant->proxy_count);
		snw_answer_number(row, "morphs", variant->morph_count);
		snw_answer_number(row, "bytes", (double)variant->bytes);
		snw_answer_number(row, "lost_erms", variant->lost_erms);
		snw_answer_number(row, "lost_max_percent", variant->lost_max_percent);
		snw_answer_number(row, "seconds", variant->seconds);
		snw_answer_bool(row, "within", variant->is_within);
		snw_answer_bool(row, "chosen", v == baked->best);
	}
	snw_answer_number(call->answer, "rig_joints", baked->rig_joints);
	snw_answer_number(call->answer, "fitted_frames", baked->fitted_frames);
	snw_answer_number(call->answer, "fitted_shuffles", baked->fitted_shuffles);
	snw_answer_number(call->answer, "held_frames", baked->held_frames);
	snw_answer_number(call->answer, "held_shuffles", baked->held_shuffles);
	snw_answer_number(call->answer, "range_poses", baked->range_count);
}

static void say_header(const snw_call *call, const char *title) {
	snw_say(call, "%s     erms distortion%% enveloping    max %%  normals°  worst", snw_padded(call, title, 36));
}

/* Joint by joint: what an engine may pose, and no clip shows. */
static void say_range(const snw_call *call, const snw_baked *baked) {
	if (baked->range_count == 0) {
		return;
	}
	say_header(call, "each joint alone, against the stack");
	for (uint32_t v = 0; v <= baked->variant_count; v++) {
		const bool is_plain = v == 0;
		const snw_bake_error *error = is_plain ? &baked->plain.range : &baked->variants[v - 1].errors.range;
		say_measure(call, is_plain ? "linear blend" : variant_name(call, &baked->variants[v - 1]), &error->all,
					worst_place(call, baked, error, baked->range_names), v == baked->best + 1 ? "chosen" : "");
	}
}

static const double worth_telling = 0.05; /* percent of the diagonal */

static void say_joints(const snw_call *call, const snw_baked *baked) {
	const snw_bake_variant *best = &baked->variants[baked->best];
	const uint32_t of_rig = best->joint_count - best->helper_count;
	if (best->proxy_count > 0) {
		snw_say(call, "%u proxy joints move points in place of the rig's %u joints", best->joint_count, baked->rig_joints);
	} else if (of_rig < baked->rig_joints) {
		snw_say(call, "%u of the rig's %u joints move points; the others gave their weights to joints near them", of_rig,
				baked->rig_joints);
	}
}

/* Of the chosen skin. */
static void say_lost(const snw_call *call, const snw_bake_variant *best) {
	const char *why = best->proxy_count > 0
						  ? "its proxy joints have keys in the clips alone, and nodes move differently between keys"
						  : "below a joint that is scaled unevenly no node can move as a helper joint does; give that joint an "
							"even scale, or take morphs=N instead";
	if (best->lost_max_percent > worth_telling) {
		snw_say(call, "in a file the chosen skin is up to %.3g %% of the diagonal off, erms %.4g: %s", best->lost_max_percent,
				best->lost_erms, why);
	}
}

/* The chosen skin of each mesh, in the units of that mesh. */
static void say_meshes(const snw_call *call, const snw_baked *baked) {
	const snw_bake_error *error = &baked->variants[baked->best].errors.stack;
	if (baked->mesh_count == 1) {
		return;
	}
	say_header(call, "the chosen one of each mesh");
	for (uint32_t i = 0; i < baked->mesh_count; i++) {
		const snw_measure *one = &error->meshes[i];
		const char *place = snw_arena_format(call->arena, "%s, point %u", baked->held_names[one->max_frame], one->max_point);
		say_measure(call, baked->mesh_names[i], one, place, "");
	}
}

static void say_truth(const snw_call *call, const snw_baked *baked) {
	if (baked->source.truth.all.frame_count == 0) {
		return;
	}
	say_header(call, "against the ground truth");
	const snw_bake_variant *best = &baked->variants[baked->best];
	const struct {
		const char *name;
		const snw_bake_error *error;
	} rows[] = {{"stack", &baked->source.truth}, {"linear blend", &baked->plain.truth}, {"baked", &best->errors.truth}};
	for (int i = 0; i < 3; i++) {
		say_measure(call, rows[i].name, &rows[i].error->all, worst_place(call, baked, rows[i].error, baked->truth_names),
					i == 0 ? snw_arena_format(call->arena, "%u frames", rows[i].error->all.frame_count) : "");
	}
}

static void say_variants(const snw_call *call, const snw_baked *baked) {
	snw_say(
		call,
		"fitted to %u frames and %u shuffled poses, measured at %u frames and %u shuffled poses that were held out, and at %u "
		"poses of one joint alone, to its limit or 60 degrees",
		baked->fitted_frames, baked->fitted_shuffles, baked->held_frames, baked->held_shuffles, baked->range_count);
	say_joints(call, baked);
	say_header(call, "against the stack");
	say_measure(call, "linear blend", &baked->plain.stack.all, worst_place(call, baked, &baked->plain.stack, baked->held_names),
				"");
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		const snw_bake_variant *variant = &baked->variants[v];
		const char *size = snw_arena_format(call->arena, "%.4g kB%s", (double)variant->bytes / 1000,
											v == baked->best     ? ", chosen"
											: variant->is_within ? ""
																 : ", over the budget");
		say_measure(call, variant_name(call, variant), &variant->errors.stack.all,
					worst_place(call, baked, &variant->errors.stack, baked->held_names), size);
	}
	say_meshes(call, baked);
	say_lost(call, &baked->variants[baked->best]);
	say_range(call, baked);
	say_truth(call, baked);
}

/* ---- the work ------------------------------------------------------------------------------------------------------------ */

static snw_status commit(const snw_call *call, const snw_opened *opened, const snw_baked *baked, snw_error *error) {
	const char *label =
		snw_arena_format(call->arena, "bake --budget %s", snw_budget_text(&baked->request->budget, call->arena));
	return snw_project_commit_bake(opened->project, opened->scene, opened->registry, baked, label, call->arena, error);
}

/* About the layers that are baked, and those that lie over a bake: they stay, and neither its sizes nor its errors have
 * them. */
static void warn_about_layers(const snw_call *call, const snw_opened *opened, const char *method) {
	snw_scene below;
	snw_opened source = *opened;
	snw_scene_below_bake(opened->scene, call->arena, &below);
	source.scene = &below;
	snw_opened_warn_stale(call, &source, method);
	for (uint32_t i = below.layer_count; i < opened->scene->layer_count; i++) {
		const snw_layer *layer = &opened->scene->layers[i];
		if (!snw_layer_is_baked(layer) && !layer->muted) {
			snw_task_notice(&call->task, SNW_LOG_WARNING,
							"layer %s lies over the bake: it stays there, and the sizes and errors below are without it",
							layer->name);
		}
	}
}

/* Layers that are stale are fitted first, so that the bake reads them as they should be. */
static snw_status refit_first(const snw_call *call, snw_opened *opened, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_opened_refit(call, opened, error);
	status = snw_failed(status) ? status : snw_project_scene(opened->project, &scene, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(opened->scene);
		opened->scene = scene;
	}
	return status;
}

static snw_status bake_project(snw_call *call, const char *path, void *context, snw_error *error) {
	baking *work = context;
	snw_opened opened;
	snw_status status = snw_open_project(path, SNW_OPEN_WRITE | SNW_OPEN_LONG | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	work->request.method = snw_call_option(call, "--method");
	status = snw_bake_check(opened.scene, error);
	status = snw_failed(status) ? status : refit_first(call, &opened, error);
	status = snw_failed(status) ? status : choose_clips(call, opened.scene, &work->request, error);
	if (!snw_failed(status)) {
		snw_bake_request_complete(opened.scene, call->arena, &work->request);
		warn_about_layers(call, &opened, work->request.method);
		status = snw_bake_run(opened.scene, opened.registry, &work->request, &call->task, call->arena, &work->baked, error);
	}
	status = snw_failed(status) ? status : commit(call, &opened, &work->baked, error);
	status = snw_failed(status) ? status : snw_opened_refit(call, &opened, error);
	snw_opened_close(&opened);
	return status;
}

/* Of the file whose size was reported. */
static const char *export_options(const snw_call *call, const baking *work) {
	const bool is_wide = work->baked.variants[work->baked.best].influences > 4;
	return work->request.engine ? snw_arena_format(call->arena, " --for %s", work->request.engine->name)
								: (is_wide ? " --influences 8" : "");
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *path = call->arguments[0], *out = snw_call_option(call, "-o"), *curve = snw_call_option(call, "--curve");
	const bool copies = out && strcmp(out, path) != 0;
	baking work = {0};
	snw_status status = read_budget(call, &work.request.budget, error);
	status = snw_failed(status) ? status : read_engine(call, &work.request.engine, error);
	status = snw_failed(status) || !copies ? status : snw_output_project(call, out, error);
	status = snw_failed(status) || !curve ? status : snw_output_file(call, curve, "svg", error);
	if (!snw_failed(status)) {
		status =
			copies ? snw_work_in_copy(call, path, out, bake_project, &work, error) : bake_project(call, path, &work, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	snw_terminal_clear();
	say_variants(call, &work.baked);
	answer_variants(call, &work.baked);
	const char *made = out ? out : path;
	snw_say(call, "%s: the layers of the bake play in place of the others; 'sinew export %s -o OUT.glb%s' writes them%s", made,
			made, export_options(call, &work), copies ? "" : ", 'sinew undo' takes them back");
	return curve ? snw_bake_curve_write(curve, &work.baked, work.request.budget.bytes, error) : SNW_OK;
}

static const snw_option options[] = {
	{"--budget", "KEY=N,…",
	 "influences=N of a point (default: 4), joints=N that move points (255), helpers=N of these joints that are made for it "
	 "(0), proxies=N joints made for a mesh in place of the rig's (0), "
	 "morphs=N morph targets of a mesh (0), bytes=N of the glTF file, as 500k or 2M (any); without --budget: that of the bake "
	 "before"},
	{"--for", "any|" SNW_ENGINE_NAMES,
	 "the engine whose file has to keep to the budget (default: that of the bake before, otherwise any: the file that all of "
	 "them play)"},
	{"--clip", "NAME",
	 "a clip to fit to; may be repeated, or several after commas (default: those of the bake before, otherwise all that move "
	 "joints)"},
	{"--on", "CLIP,…", "the same as --clip, as 'sinew fit' has it"},
	{"--method", "METHOD",
	 "which method or layer to bake (default: that of the bake before, otherwise 'stack', the whole stack)"},
	{"--curve", "OUT.svg", "draw the error over the size of all skins that were tried"},
	{"-o", "OUT.sinew", "write another project and leave this one unchanged"},
	{"--replace", NULL, "with -o: overwrite a project even if it has changes"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bake = {
	.name = "bake",
	.usage = "P.sinew [--budget influences=N,joints=N,helpers=N,proxies=N,morphs=N,bytes=N] [--for ENGINE] "
			 "[--clip NAME]… [--method METHOD] [--curve "
			 "OUT.svg] "
			 "[-o OUT.sinew]",
	.help = "Bakes any stack into a skin that engines play, within a budget, and shows its error at held-out poses and joint "
			"by joint.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
