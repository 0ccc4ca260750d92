/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Baking: a budget, the skins that it gives, and the one that is shown.
 */
#include <math.h>
#include <stdio.h>

#include "window/panels/panels.h"
#include "window/panels/stack/bake_chart.h"
#include "window/units/lengths.h"

/* One part of the budget; `unit` in bytes. */
static void edit_part(snw_session *session, const char *label, const char *key, const char *help, double value, double least,
					  double most, double soft_most, const char *zero) {
	const snw_number kind = {
		.least = least, .most = most, .soft_least = least, .soft_most = soft_most, .is_whole = true, .zero = zero};
	char words[80];
	snw_gui_width(-7.5f * snw_gui_line_height());
	const snw_edit_state change = snw_gui_number(label, &kind, &value);
	snw_gui_hint(help);
	if (change != SNW_EDIT_NONE) {
		snprintf(words, sizeof words, "%s=%.0f%s", key, value, value > 0 && key[0] == 'b' ? "k" : "");
		snw_emit_text(&session->queue, SNW_DO_BAKE_BUDGET, words);
	}
}

static void choose_engine(snw_session *session) {
	const snw_engine *engine;
	snw_gui_width(-7.5f * snw_gui_line_height());
	if (!snw_gui_list_begin_labelled("Engine", session->engine ? session->engine->label : "Every engine")) {
		snw_gui_hint("The engine that has to play the skin, here and in Export.");
		return;
	}
	if (snw_gui_row("Every engine", NULL, !session->engine)) {
		snw_emit_text(&session->queue, SNW_DO_BAKE_ENGINE, "any");
	}
	for (uint32_t i = 0; (engine = snw_engines(i)); i++) {
		if (snw_gui_row(engine->label, NULL, session->engine == engine)) {
			snw_emit_text(&session->queue, SNW_DO_BAKE_ENGINE, engine->name);
		}
	}
	snw_gui_list_end();
}

static void edit_budget(snw_session *session) {
	choose_engine(session);
	const snw_budget *budget = &session->bake_budget;
	const double kilobytes = floor((double)budget->bytes / 1000);
	edit_part(session, "Influences", "influences", "The most joints that may move one point.", budget->influences, 1, 8, 8,
			  NULL);
	edit_part(session, "Helper joints", "helpers", "The most joints that are made for the skin; the pose moves them.",
			  budget->helpers, 0, 1000, 48, NULL);
	edit_part(session, "Proxy joints", "proxies",
			  "The most joints that are made for a mesh in place of the rig's; clips alone move them in a file.",
			  budget->proxies, 0, 320, 96, NULL);
	edit_part(session, "Morph targets", "morphs", "The most morph targets of a mesh.", budget->morphs, 0, 1000, 48, NULL);
	edit_part(session, "Joints", "joints", "The most joints that move points, helper and proxy joints included.",
			  budget->joints, 1, 65536, 255, NULL);
	edit_part(session, "kB of glTF", "bytes", "The most kilobytes of the file; 0 for any.", kilobytes, 0, 4e6, 10000, "Any");
}

static void list_skins(snw_session *session, const snw_shown_bake *bake, double diagonal, uint32_t shown) {
	const float line = snw_gui_line_height(), widths[2] = {4.2f * line, 4.6f * line};
	for (uint32_t v = 0; v < bake->baked.variant_count; v++) {
		const snw_bake_variant *variant = &bake->baked.variants[v];
		char name[100], row[140], error[40], size[40];
		const char *columns[2] = {error, size};
		snw_bake_variant_parts(variant, name, sizeof name);
		snprintf(row, sizeof row, "%s##row-%u", name, v);
		snw_error_write(session, variant->errors.stack.all.erms, diagonal, error, sizeof error);
		snprintf(size, sizeof size, "%.4g kB%s", (double)variant->bytes / 1000, variant->is_within ? "" : " !");
		if (snw_gui_row_columns(row, columns, widths, 2, v == shown)) {
			snw_emit_number(&session->queue, SNW_DO_BAKE_SHOW, v);
		}
		snw_gui_hint(variant->is_within ? "Shows this skin." : "Shows this skin, which is over the budget.");
	}
}

/* In metres: the error is in percent of the mesh that has it. */
static double largest_distance(const snw_session *session, const snw_bake_error *error) {
	const uint32_t mesh = session->bake->baked.meshes[error->farthest];
	return error->all.max_percent / 100 * snw_scene_diagonal(session->document->scene, mesh);
}

static void write_shown_bake(const snw_session *session, double diagonal, uint32_t shown) {
	const snw_shown_bake *bake = session->bake;
	const snw_bake_variant *variant = &bake->baked.variants[shown];
	const snw_measure *measure = &variant->errors.stack.all;
	char words[300], name[100], error[40], other[40];
	snw_bake_variant_name(variant, name, sizeof name);
	snw_error_write(session, measure->erms, diagonal, error, sizeof error);
	snprintf(words, sizeof words, "%s: %.4g kB, %s %s", name, (double)variant->bytes / 1000, snw_error_name(session), error);
	snw_gui_text(words);
	if (snw_errors_are_lengths(session)) {
		snw_length_write(session, largest_distance(session, &variant->errors.stack), error, sizeof error);
		snprintf(words, sizeof words, "At most %s off, normals %.2f°.", error, measure->normals_degrees);
	} else {
		snprintf(words, sizeof words, "Enveloping error %.3f, normals %.2f°.", measure->enveloping_error,
				 measure->normals_degrees);
	}
	snw_gui_quiet_text(words);
	if (variant->errors.truth.all.frame_count > 0) {
		snw_error_write(session, variant->errors.truth.all.erms, diagonal, error, sizeof error);
		snw_error_write(session, bake->baked.source.truth.all.erms, diagonal, other, sizeof other);
		snprintf(words, sizeof words, "Against the ground truth: %s %s; the stack has %s.", snw_error_name(session), error,
				 other);
		snw_gui_quiet_text(words);
	}
}

/* What an engine may pose, and no clip shows. */
static void write_range(const snw_session *session, double diagonal, uint32_t shown) {
	const snw_baked *baked = &session->bake->baked;
	const snw_measure *measure = &baked->variants[shown].errors.range.all;
	char words[300], error[40], most[40];
	if (measure->frame_count == 0) {
		return;
	}
	const char *worst = baked->range_names[measure->max_frame];
	snw_error_write(session, measure->erms, diagonal, error, sizeof error);
	if (snw_errors_are_lengths(session)) {
		snw_length_write(session, largest_distance(session, &baked->variants[shown].errors.range), most, sizeof most);
		snprintf(words, sizeof words, "Each joint alone, to its limit or 60°: %s %s, at most %s off (%s°).",
				 snw_error_name(session), error, most, worst);
	} else { /* it is a mean */
		snprintf(words, sizeof words, "Each joint alone, to its limit or 60°: %s %s, the worst point at %s°.",
				 snw_error_name(session), error, worst);
	}
	snw_gui_quiet_text(words);
}

void snw_panel_bake(snw_session *session) {
	const snw_document *document = session->document;
	if (document->scene->skeleton.joint_count == 0 || !snw_gui_section("BAKE FOR ENGINES")) {
		return;
	}
	edit_budget(session);
	snw_gui_disabled_begin(session->progress.label && session->progress.is_long);
	if (snw_gui_button("Bake", false)) {
		snw_emit(&session->queue, SNW_DO_BAKE);
	}
	snw_gui_disabled_end();
	snw_gui_hint(snw_command_help(SNW_DO_BAKE));
	if (!session->bake) {
		return;
	}
	snw_gui_same_line_for("Discard");
	snw_panel_button(session, SNW_DO_BAKE_DROP, "Discard##bake", true);
	if (!snw_shown_bake_is_current(session)) {
		snw_gui_quiet_text("The project has changed since this bake; bake again.");
		return;
	}
	const double diagonal = snw_scene_diagonal(document->scene, session->bake->baked.meshes[0]);
	snw_bake_chart(session, session->bake, diagonal, document->variant);
	if (document->variant < session->bake->baked.variant_count) {
		write_shown_bake(session, diagonal, document->variant);
		write_range(session, diagonal, document->variant);
	}
	snw_panel_button(session, SNW_DO_BAKE_KEEP, "Keep this skin", document->variant != SNW_NONE);
	list_skins(session, session->bake, diagonal, document->variant);
}
