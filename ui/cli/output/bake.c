/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bake: the errors of the skins that its operator (operators/bake.c) has made, at poses that their fits did not see.
 */
#include <math.h>

#include "bake/bake.h"
#include "cli/command_line/verb.h"
#include "cli/stack/tables.h"
#include "file/file.h"
#include "operators/arguments.h"

/* ---- bake curve ---------------------------------------------------------------------------------------------------------- */

/* The curve of error over bytes, as a picture. */

enum { WIDTH = 900, HEIGHT = 420, LEFT = 70, RIGHT = 30, TOP = 30, BOTTOM = 60, TICKS = 5 };

/* The ends of the axes, both from 0, and the distances of their ticks. */
typedef struct curve_axes {
	double bytes, byte_step, erms, erms_step;
} curve_axes;

static double place_x(const curve_axes *a, double bytes) {
	return LEFT + (WIDTH - LEFT - RIGHT) * bytes / a->bytes;
}

static double place_y(const curve_axes *a, double erms) {
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * erms / a->erms;
}

/* 1, 2 or 5 times a power of ten: the least that is not below a fifth of `most`. */
static double tick_step(double most) {
	const double fifth = (most > 0 ? most : 1) / TICKS, power = pow(10, floor(log10(fifth)));
	const double digits[] = {1, 2, 5, 10};
	int i = 0;
	while (i < 3 && digits[i] * power < fifth * (1 - 1e-9)) {
		i++;
	}
	return digits[i] * power;
}

static curve_axes find_axes(const snw_baked *baked, uint64_t most_bytes) {
	double bytes = (double)most_bytes, erms = baked->plain.stack.all.erms;
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		bytes = fmax(bytes, (double)baked->variants[v].bytes);
		erms = fmax(erms, baked->variants[v].errors.stack.all.erms);
	}
	const double byte_step = tick_step(bytes), erms_step = tick_step(erms);
	return (curve_axes){byte_step * ceil(bytes / byte_step), byte_step, erms_step * ceil(erms / erms_step + 1e-9), erms_step};
}

static void write_line(FILE *out, double x0, double y0, double x1, double y1, const char *color) {
	fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" fill=\"none\"/>\n", x0, y0, x1, y1, color);
}

static void write_label(FILE *out, double x, double y, const char *anchor, const char *text) {
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

static void write_grid(FILE *out, const curve_axes *a) {
	char text[40];
	for (int i = 0; i * a->byte_step <= a->bytes * (1 + 1e-9); i++) {
		const double x = i * a->byte_step;
		write_line(out, place_x(a, x), TOP, place_x(a, x), HEIGHT - BOTTOM, "#ddd");
		snprintf(text, sizeof text, "%g", x / 1000);
		write_label(out, place_x(a, x), HEIGHT - BOTTOM + 18, "middle", text);
	}
	for (int i = 0; i * a->erms_step <= a->erms * (1 + 1e-9); i++) {
		const double y = i * a->erms_step;
		write_line(out, LEFT, place_y(a, y), WIDTH - RIGHT, place_y(a, y), "#ddd");
		snprintf(text, sizeof text, "%g", y);
		write_label(out, LEFT - 8, place_y(a, y) + 4, "end", text);
	}
	write_label(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", "kB of glTF");
	write_label(out, LEFT, TOP - 10, "start", "erms against the stack, at held-out poses");
}

static void write_variant(FILE *out, const curve_axes *a, const snw_bake_variant *variant, bool is_best) {
	char text[80];
	const double x = place_x(a, (double)variant->bytes), y = place_y(a, variant->errors.stack.all.erms);
	const bool has_room_right = x < WIDTH - 130;
	snw_bake_variant_parts(variant, text, sizeof text);
	fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"#1b5e8c\"/>\n", x, y, is_best ? 7 : 4,
			variant->is_within ? "#1b5e8c" : "#fff");
	write_label(out, has_room_right ? x + 10 : x - 10, y - 8, has_room_right ? "start" : "end", text);
}

static void write_picture(FILE *out, const snw_baked *baked, uint64_t most_bytes) {
	const curve_axes a = find_axes(baked, most_bytes);
	fprintf(out,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
			"<title>The error of a baked skin over its size</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
			WIDTH, HEIGHT, WIDTH, HEIGHT);
	write_grid(out, &a);
	if (most_bytes > 0) {
		write_line(out, place_x(&a, (double)most_bytes), TOP, place_x(&a, (double)most_bytes), HEIGHT - BOTTOM, "#b3261e");
	}
	write_line(out, LEFT, place_y(&a, baked->plain.stack.all.erms), WIDTH - RIGHT, place_y(&a, baked->plain.stack.all.erms),
			   "#888");
	write_label(out, WIDTH - RIGHT, place_y(&a, baked->plain.stack.all.erms) - 6, "end", "plain linear blend");
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		write_variant(out, &a, &baked->variants[v], v == baked->best);
	}
	fputs("</svg>\n", out);
}

/* Writes an SVG, atomically: a point for each variant, the budget's bytes (0: none) and the chosen one. */
static snw_status bake_curve_write(const char *path, const snw_baked *baked, uint64_t most_bytes, snw_error *error) {
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	write_picture(snw_file_write_stream(file), baked, most_bytes);
	return snw_file_write_commit(file, error);
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
	return curve ? bake_curve_write(curve, work->baked, work->baked->request->budget.bytes, error) : SNW_OK;
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
	.part = SNW_VERB_EXPORTS,
	.noun = &snw_operators_bake,
	.show = show_bake,
	.options = bake_options,
	.run = run_bake,
};
