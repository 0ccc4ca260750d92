/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heat maps of the studio: a stored field, or the distance to what an example or a target says.
 */
#include <math.h>

#include "edit/paint_weights.h"
#include "render/overlay/heat_colors.h"
#include "render/overlay/legend.h"
#include "window/display/display.h"

/* ---- heat maps ---------------------------------------------------------------------------------------------------- */

double snw_scale_of(double most) {
	const double step = most > 0 ? snw_legend_round_step(most, 5) : 0.2;
	return most > 0 ? ceil(most / step - 1e-6) * step : 1;
}

snw_moment snw_studio_moment(const snw_studio *studio) {
	const snw_scene *scene = studio->scene;
	const snw_pose *pose = studio->posed;
	const bool is_known = pose && pose != studio->hand, is_clip = is_known && studio->reel.arena;
	const bool is_stored = is_known && !is_clip && pose >= scene->poses && pose < scene->poses + scene->pose_count;
	return (snw_moment){.pose = is_stored ? (uint32_t)(pose - scene->poses) : SNW_NONE,
						.clip = is_clip ? studio->reel.clip : SNW_NONE,
						.seconds = is_clip ? pose->seconds : 0};
}

static void find_error(snw_studio *studio) {
	const snw_moment moment = snw_studio_moment(studio);
	double sum = 0;
	size_t counted = 0;
	studio->has_truth = false;
	studio->error_most = 0;
	for (uint32_t m = 0; m < studio->scene->mesh_count; m++) {
		const snw_wanted wanted = snw_wanted_at(studio->scene, &moment, m);
		studio->shown[m] = NULL;
		if (!wanted.sculpt && !wanted.frame) {
			continue;
		}
		const uint32_t count = studio->scene->meshes[m].point_count;
		snw_viewport_points(studio->viewport, m, studio->points);
		const double most = snw_wanted_distances(&wanted, studio->points, count, studio->distances[m]);
		studio->error_most = fmax(studio->error_most, most);
		for (uint32_t p = 0; p < count; p++) {
			sum += studio->distances[m][p];
		}
		counted += count;
		studio->has_truth = true;
		studio->shown[m] = studio->distances[m];
	}
	studio->error_mean = counted > 0 ? sum / (double)counted : 0;
}

/* Until the scale has been found, that of this moment. */
static void show_error(snw_studio *studio) {
	if (!studio->posed) {
		studio->has_truth = false;
		return;
	}
	find_error(studio);
	if (!studio->has_truth) {
		return;
	}
	if (studio->error_scale <= 0 && !studio->seeks_scale) {
		if (studio->document->linear == SNW_NONE) {
			studio->error_scale = 1;
		} else {
			studio->seeks_scale = studio->wants_scale = true;
		}
	}
	studio->view.heat = studio->shown;
	studio->view.heat_minimum = 0;
	studio->view.heat_maximum = studio->error_scale > 0 ? studio->error_scale : snw_scale_of(studio->error_most);
	studio->view.heat_label = "error (mm)";
}

/* What is being painted. From 0 to 1 where it fits, so that colours keep their meaning while a stroke goes on. */
static void show_values(snw_studio *studio) {
	studio->view.heat_minimum = 0;
	studio->view.heat_maximum = 1;
	for (uint32_t m = 0; m < studio->scene->mesh_count; m++) {
		if (studio->values[m]) {
			snw_heat_range_add(studio->values[m], studio->scene->meshes[m].point_count, &studio->view.heat_minimum,
							   &studio->view.heat_maximum);
		}
	}
	studio->view.heat = studio->values;
	studio->view.heat_label = studio->values_label;
}

/* ---- influences --------------------------------------------------------------------------------------------------- */

static const snw_influence_colors *colors_of(snw_studio *studio, const snw_stack *stack) {
	snw_influence_colors chosen;
	for (int i = 0; i < 2; i++) {
		if (snw_influence_colors_fit(&studio->colors[i], studio->scene, stack)) {
			return &studio->colors[i];
		}
	}
	if (!snw_influence_colors_choose(studio->scene, stack, studio->arena, &chosen)) {
		return NULL;
	}
	studio->colors[chosen.of_skeleton] = chosen;
	return &studio->colors[chosen.of_skeleton];
}

/* The base skin as the brush has it now. */
static void mix_painted(snw_studio *studio, const snw_influence_colors *colors) {
	const uint32_t mesh = studio->values_mesh;
	snw_arena *scratch = snw_arena_create();
	snw_mesh skin;
	if (snw_sculpt_weights_apply(studio->scene, mesh, studio->values_joint, studio->values[mesh], scratch, &skin, NULL) ==
		SNW_OK) {
		snw_influence_colors_mix_skin(colors, studio->scene, &skin, studio->mixes[mesh]);
	}
	snw_arena_destroy(scratch);
}

static void mix(snw_studio *studio, const snw_influence_colors *colors, const snw_stack *stack) {
	if (!studio->mixes) {
		studio->mixes = SNW_NEW_ARRAY(studio->arena, double *, studio->scene->mesh_count);
		for (uint32_t m = 0; m < studio->scene->mesh_count; m++) {
			studio->mixes[m] = SNW_NEW_ARRAY(studio->arena, double, 3 * (size_t)studio->scene->meshes[m].point_count);
		}
	}
	for (uint32_t m = 0; m < studio->scene->mesh_count; m++) {
		const bool is_mixed = snw_influence_colors_mix(colors, studio->scene, stack, m, studio->mixes[m]);
		studio->shown[m] = is_mixed ? studio->mixes[m] : NULL;
	}
}

/* Of the stack that is shown; while weights are painted, of the linear blend, whose they are. */
static void show_influences(snw_studio *studio, const snw_view_state *state) {
	const snw_document *document = studio->document;
	const bool paints = studio->values && studio->values_joint != SNW_NONE && document->linear != SNW_NONE;
	const snw_stack *stack = paints ? document->methods[document->linear].stack : snw_studio_stack(studio, state);
	const bool is_mixed = stack && stack == studio->mixed && !paints;
	const snw_influence_colors *colors = stack && !is_mixed ? colors_of(studio, stack) : NULL;
	if (colors) {
		mix(studio, colors, stack);
		snw_influence_colors_words(colors, studio->mixes_label, sizeof studio->mixes_label);
	}
	if (colors && paints) {
		mix_painted(studio, colors);
	}
	studio->mixed = (colors && !paints) || is_mixed ? stack : NULL;
	if (!colors && !is_mixed) {
		return;
	}
	studio->view.heat = studio->shown;
	studio->view.heat_is_color = true;
	studio->view.heat_label = studio->mixes_label;
}

void snw_studio_find_heat(snw_studio *studio, const snw_view_state *state) {
	const bool shades = studio->values && studio->values_shade;
	const bool paints_other =
		studio->values && !shades && (studio->values_joint == SNW_NONE || state->heat != SNW_HEAT_INFLUENCES);
	studio->view.heat = NULL;
	studio->view.heat_label = NULL;
	studio->view.heat_is_color = false;
	studio->view.heat_is_shade = shades && state->heat == SNW_HEAT_NONE;
	if (state->heat != SNW_HEAT_INFLUENCES || paints_other) {
		studio->mixed = NULL; /* `shown` is used for something else */
	}
	if (paints_other || studio->view.heat_is_shade) {
		show_values(studio);
	} else if (state->heat == SNW_HEAT_ERROR) {
		show_error(studio);
	} else if (state->heat == SNW_HEAT_INFLUENCES) {
		show_influences(studio, state);
	} else if (state->heat >= SNW_HEAT_FIELDS) {
		(void)snw_view_show_field(&studio->view, snw_heat_name(studio->document, state->heat), &studio->field);
	}
}
