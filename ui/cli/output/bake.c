/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bake: the errors of the skins that its operator (operators/bake.c) has made, at poses that their fits did not see.
 */
#include "bake/bake.h"

#include "cli/command_line/operate.h"
#include "cli/command_line/output_path.h"
#include "cli/output/bake_curve.h"
#include "cli/stack/contact.h"
#include "operators/nouns.h"

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

/* ---- the verb ------------------------------------------------------------------------------------------------------------ */

/* Of the file whose size was reported. */
static const char *words_for_export(const snw_call *call, const snw_baked *baked) {
	const bool is_wide = baked->variants[baked->best].influences > 4;
	return baked->request->engine ? snw_arena_format(call->arena, " --for %s", baked->request->engine->name)
								  : (is_wide ? " --influences 8" : "");
}

/* Of the project as the bake has left it. */
static snw_status show_contact(const snw_call *call, const char *path, snw_error *error) {
	snw_opened opened;
	snw_status status = snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (!snw_failed(status)) {
		status = snw_contact_made_print(call, &opened, NULL, error);
		snw_opened_close(&opened);
	}
	return status;
}

static snw_status show_bake(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	const char *curve = snw_call_option(call, "--curve");
	say_variants(call, work->baked);
	answer_variants(call, work->baked);
	const snw_status status = show_contact(call, path, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_say(call, "%s: 'sinew export %s -o OUT.glb%s' writes it%s", path, path, words_for_export(call, work->baked),
			snw_call_option(call, "-o") ? "" : ", 'sinew undo' takes it back");
	return curve ? snw_bake_curve_write(curve, work->baked, work->baked->request->budget.bytes, error) : SNW_OK;
}

static snw_status run_bake(snw_call *call, snw_error *error) {
	const char *curve = snw_call_option(call, "--curve");
	const snw_status status = curve ? snw_output_file(call, curve, "svg", error) : SNW_OK;
	return snw_failed(status) ? status : snw_operate(call, error);
}

static const snw_option bake_options[] = {
	{"--curve", "OUT.svg", "draw the error over the size of all skins that were tried"},
	{"-o", "OUT.sinew", "write another project and leave this one unchanged"},
	{"--replace", NULL, "with -o: overwrite a project even if it has changes"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bake = {
	.name = "bake",
	.noun = &snw_operators_bake,
	.show = show_bake,
	.options = bake_options,
	.run = run_bake,
};
