/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heat maps of the studio: a stored field, or the distance to what an example or a target says.
 */
#include <math.h>
#include <string.h>

#include "render/heat.h"
#include "render/legend.h"
#include "scene/moments.h"
#include "sculpt/weights.h"
#include "window/studio.h"

#define SAME_TIME 1e-6
enum { SCALE_SAMPLES = 12 };

/* ---- what should be ----------------------------------------------------------------------------------------------- */

/* What one mesh should look like: one of the two, or neither. */
typedef struct truth {
	const double *sculpt;
	const float *frame;
} truth;

static truth truth_of(const snw_studio *studio, const snw_pose *pose, uint32_t mesh) {
	const snw_scene *scene = studio->scene;
	truth found = {0};
	if (pose == studio->hand) {
		return found;
	}
	for (uint32_t i = 0; i < scene->example_count && !studio->reel.arena; i++) {
		if (scene->examples[i].mesh == mesh && &scene->poses[scene->examples[i].pose] == pose) {
			found.sculpt = scene->examples[i].points_posed;
		}
	}
	for (uint32_t i = 0; i < scene->target_count && studio->reel.arena; i++) {
		const snw_target *target = &scene->targets[i];
		if (target->mesh == mesh && snw_target_clip(scene, target) == studio->reel.clip && target->frame_count > 0) {
			const uint32_t f = snw_latest_time(target->seconds, target->frame_count, pose->seconds);
			if (fabs(target->seconds[f] - pose->seconds) < 2 * SAME_TIME) {
				found.frame = target->points_posed + 3 * (size_t)f * scene->meshes[mesh].point_count;
			}
		}
	}
	return found;
}

static double distance_at(const truth *wanted, const float *points, size_t point) {
	double square = 0;
	for (size_t c = 3 * point; c < 3 * point + 3; c++) {
		const double away = (double)points[c] - (wanted->sculpt ? wanted->sculpt[c] : (double)wanted->frame[c]);
		square += away * away;
	}
	return 1000 * sqrt(square);
}

/* ---- the scale ---------------------------------------------------------------------------------------------------- */

/* The largest error of the linear blend at one pose, millimetres. */
static double linear_error(snw_studio *studio, const snw_pose *pose, snw_stack_frame *frame) {
	const snw_stack *stack = studio->document->methods[studio->document->linear].stack;
	double most = 0;
	snw_pose_solve(studio->scene, pose, studio->global, studio->palette, &studio->pose);
	if (snw_stack_drive(stack, &studio->pose, frame, NULL) < 0) {
		return 0;
	}
	for (uint32_t m = 0; m < studio->scene->mesh_count; m++) {
		const truth wanted = truth_of(studio, pose, m);
		if ((wanted.sculpt || wanted.frame) && snw_stack_run(stack, frame, m, studio->points, NULL) >= 0) {
			for (uint32_t p = 0; p < studio->scene->meshes[m].point_count; p++) {
				most = fmax(most, distance_at(&wanted, studio->points, p));
			}
		}
	}
	return most;
}

/* Every method, and every moment of a clip, is shown on one scale: that of the linear blend, rounded up. */
static double find_scale(snw_studio *studio) {
	const snw_clip_reel *reel = &studio->reel;
	if (studio->document->linear == SNW_NONE) {
		return 1;
	}
	snw_stack_frame *frame = snw_stack_frame_create(studio->document->methods[studio->document->linear].stack);
	double most = reel->arena ? 0 : linear_error(studio, studio->posed, frame);
	const uint32_t samples = reel->truth_count < SCALE_SAMPLES ? reel->truth_count : SCALE_SAMPLES;
	for (uint32_t i = 0; reel->arena && i < samples; i++) {
		const uint32_t at = samples > 1 ? (uint32_t)((uint64_t)i * (reel->truth_count - 1) / (samples - 1)) : 0;
		most = fmax(most, linear_error(studio, snw_clip_reel_pose(reel, reel->truth_seconds[at]), frame));
	}
	snw_stack_frame_destroy(frame);
	snw_pose_solve(studio->scene, studio->posed, studio->global, studio->palette, &studio->pose);
	const double step = most > 0 ? snw_legend_round_step(most, 5) : 0.2;
	return most > 0 ? ceil(most / step - 1e-6) * step : 1;
}

/* ---- heat maps ---------------------------------------------------------------------------------------------------- */

static void find_error(snw_studio *studio) {
	double sum = 0;
	size_t counted = 0;
	studio->has_truth = false;
	studio->error_most = 0;
	for (uint32_t m = 0; m < studio->scene->mesh_count; m++) {
		const truth wanted = truth_of(studio, studio->posed, m);
		studio->shown[m] = NULL;
		if (!wanted.sculpt && !wanted.frame) {
			continue;
		}
		const uint32_t count = studio->scene->meshes[m].point_count;
		snw_viewport_points(studio->viewport, m, studio->points);
		for (uint32_t p = 0; p < count; p++) {
			studio->distances[m][p] = distance_at(&wanted, studio->points, p);
			studio->error_most = fmax(studio->error_most, studio->distances[m][p]);
			sum += studio->distances[m][p];
		}
		counted += count;
		studio->has_truth = true;
		studio->shown[m] = studio->distances[m];
	}
	studio->error_mean = counted > 0 ? sum / (double)counted : 0;
}

static void show_error(snw_studio *studio) {
	if (!studio->posed) {
		studio->has_truth = false;
		return;
	}
	find_error(studio);
	if (studio->has_truth) {
		studio->error_scale = studio->error_scale > 0 ? studio->error_scale : find_scale(studio);
		studio->view.heat = studio->shown;
		studio->view.heat_minimum = 0;
		studio->view.heat_maximum = studio->error_scale;
		studio->view.heat_label = "error (mm)";
	}
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
	const bool paints_other = studio->values && (studio->values_joint == SNW_NONE || state->heat != SNW_HEAT_INFLUENCES);
	studio->view.heat = NULL;
	studio->view.heat_label = NULL;
	studio->view.heat_is_color = false;
	if (state->heat != SNW_HEAT_INFLUENCES || paints_other) {
		studio->mixed = NULL; /* `shown` is used for something else */
	}
	if (paints_other) {
		show_values(studio);
	} else if (state->heat == SNW_HEAT_ERROR) {
		show_error(studio);
	} else if (state->heat == SNW_HEAT_INFLUENCES) {
		show_influences(studio, state);
	} else if (state->heat >= SNW_HEAT_FIELDS) {
		(void)snw_view_show_field(&studio->view, snw_heat_name(studio->document, state->heat), &studio->field);
	}
}
