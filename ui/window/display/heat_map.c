/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heat maps of the display: a stored field, or the distance to the ground truth.
 */
#include <math.h>
#include <string.h>

#include "render/overlay/canvas.h"
#include "scene/scene.h"
#include "task/task.h"
#include "window/display/display.h"

/* ---- painted skin -------------------------------------------------------------------------------------------------------- */

/* The skin whose weights are being painted, before the project has them. */

enum { POINT_GRAIN = 4096 };

/* Memory for the skin of the painted joint: created when another joint or mesh is painted, and kept between redraws. */
static bool find_skin(snw_display *display, int which) {
	snw_display_painting *painting = &display->paintings[which];
	const uint32_t mesh = display->values_meshes[which], joint = display->values_joints[which];
	if (!painting->skin || painting->mesh != mesh || painting->joint != joint) {
		snw_arena_destroy(painting->arena);
		*painting = (snw_display_painting){.arena = snw_arena_create(), .mesh = mesh, .joint = joint};
		(void)snw_painted_skin_make(display->scene, mesh, joint, display->locked_joints, painting->arena, &painting->skin,
									NULL);
		painting->points = SNW_NEW_ARRAY(painting->arena, float, 3 * (size_t)display->scene->meshes[mesh].point_count);
	}
	return painting->skin;
}

/* For the display's files: the skin with the weights painted so far, of the mesh (0) or its counterpart (1), NULL if none
 * are painted; and the points to show, which are those of the sculpt, moved by the painted weights as linear blend moves
 * them. */
static const snw_mesh *display_painted_skin(snw_display *display, int which) {
	const bool is_painted = display->values && display->values_joints[which] != SNW_NONE && find_skin(display, which);
	return is_painted ? snw_painted_skin_apply(display->paintings[which].skin, display->values[display->values_meshes[which]])
					  : NULL;
}

/* Adds `sign` times the linear blend of a point to `dest`. */
static void add_blend(const snw_display *display, const snw_mesh *mesh, uint32_t point, double sign, double dest[3]) {
	const double *rest = mesh->points_rest + 3 * (size_t)point;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const double *m = display->palette + 12 * (size_t)mesh->influence_slots[k];
		const double weight = sign * mesh->influence_weights[k];
		for (size_t r = 0; r < 3; r++) {
			dest[r] += weight * (m[4 * r] * rest[0] + m[4 * r + 1] * rest[1] + m[4 * r + 2] * rest[2] + m[4 * r + 3]);
		}
	}
}

typedef struct move_work {
	const snw_display *display;
	const snw_mesh *before, *after;
	const float *from;
	float *to;
} move_work;

static void move_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const move_work *work = argument;
	for (uint32_t p = begin; p < end; p++) {
		double step[3] = {0};
		add_blend(work->display, work->after, p, 1, step);
		add_blend(work->display, work->before, p, -1, step);
		for (size_t c = 0; c < 3; c++) {
			work->to[3 * (size_t)p + c] = work->from[3 * (size_t)p + c] + (float)step[c];
		}
	}
}

const float *const *snw_display_edited_points(snw_display *display) {
	const bool moves = display->sculpt && display->values_move && display->view.pose;
	bool is_any = false;
	for (uint32_t m = 0; m < display->scene->mesh_count && moves; m++) {
		display->painted[m] = display->sculpt[m];
	}
	for (int i = 0; i < SNW_PAINTED_MESHES && moves; i++) {
		const snw_mesh *skin = display_painted_skin(display, i);
		if (!skin) {
			continue;
		}
		const uint32_t mesh = display->values_meshes[i];
		move_work work = {.display = display,
						  .before = &display->scene->meshes[mesh],
						  .after = skin,
						  .from = display->sculpt[mesh],
						  .to = display->paintings[i].points};
		snw_parallel_for(skin->point_count, POINT_GRAIN, move_points, &work);
		display->painted[mesh] = work.to;
		is_any = true;
	}
	return is_any ? display->painted : display->sculpt;
}

/* ---- heat maps ----------------------------------------------------------------------------------------------------------- */

double snw_error_scale_round(double most) {
	const double step = most > 0 ? snw_legend_round_step(most, 5) : 0.2;
	return most > 0 ? ceil(most / step - 1e-6) * step : 1;
}

snw_moment snw_display_moment(const snw_display *display) {
	const snw_scene *scene = display->scene;
	const snw_pose *pose = display->posed;
	const bool is_known = pose && pose != display->edited_pose, is_clip = is_known && display->sampled.arena;
	const bool is_stored = is_known && !is_clip && pose >= scene->poses && pose < scene->poses + scene->pose_count;
	return (snw_moment){.pose = is_stored ? (uint32_t)(pose - scene->poses) : SNW_NONE,
						.clip = is_clip ? display->sampled.clip : SNW_NONE,
						.seconds = is_clip ? pose->seconds : 0};
}

static void find_error(snw_display *display) {
	const snw_moment moment = snw_display_moment(display);
	double sum = 0;
	size_t counted = 0;
	display->has_truth = false;
	display->error_most = 0;
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		const snw_ground_truth truth = snw_ground_truth_at(display->scene, &moment, m);
		display->shown[m] = NULL;
		if (!truth.sculpt && !truth.frame) {
			continue;
		}
		const uint32_t count = display->scene->meshes[m].point_count;
		snw_viewport_points(display->viewport, m, display->points);
		const double most = snw_ground_truth_distances(&truth, display->points, count, display->distances[m]);
		display->error_most = fmax(display->error_most, most);
		for (uint32_t p = 0; p < count; p++) {
			sum += display->distances[m][p];
		}
		counted += truth.example && truth.example->edited ? truth.example->edited_count : count;
		display->has_truth = true;
		display->shown[m] = display->distances[m];
	}
	display->error_mean = counted > 0 ? sum / (double)counted : 0;
}

/* The scale of this moment, until that of the clip is known. */
static void show_error(snw_display *display) {
	if (!display->posed) {
		display->has_truth = false;
		return;
	}
	find_error(display);
	if (!display->has_truth) {
		return;
	}
	if (display->error_scale <= 0 && !display->scale_is_requested) {
		if (display->document->baseline == SNW_NONE) {
			display->error_scale = 1;
		} else {
			display->scale_is_requested = display->needs_scale = true;
		}
	}
	display->view.heat = display->shown;
	display->view.heat_minimum = 0;
	display->view.heat_maximum = display->error_scale > 0 ? display->error_scale : snw_error_scale_round(display->error_most);
	display->view.heat_label = "error";
	display->heat_metres = 1e-3;
}

/* What the chosen sculpt moves. */
static void show_sculpt(snw_display *display) {
	if (!display->sculpt_distances) {
		return;
	}
	display->most_sculpt_distance = 0;
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		display->shown[m] = m == display->sculpt_mesh ? display->sculpt_distances : NULL;
	}
	for (uint32_t p = 0; p < display->scene->meshes[display->sculpt_mesh].point_count; p++) {
		display->most_sculpt_distance = fmax(display->most_sculpt_distance, display->sculpt_distances[p]);
	}
	display->view.heat = display->shown;
	display->view.heat_minimum = 0;
	display->view.heat_maximum = snw_error_scale_round(display->most_sculpt_distance);
	display->view.heat_label = "sculpt";
	display->heat_metres = 1e-3;
}

/* How far a level is from its mesh, on the level. The scale is that of the largest error it is known to have. */
static void show_level(snw_display *display) {
	const uint32_t number = snw_display_level(display);
	if (number == 0) {
		return;
	}
	const double metres = display->document->size / 100;
	double most = snw_level_view_measure(display->levels, display->viewport);
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		const snw_level *level = snw_level_of_mesh(display->scene, m, number);
		most = level ? fmax(most, 1000 * metres * level->largest_percent) : most;
		display->shown[m] = NULL;
	}
	display->view.heat = display->shown;
	display->view.heat_minimum = 0;
	display->view.heat_maximum = snw_error_scale_round(most);
	display->view.heat_label = "level";
	display->heat_metres = 1e-3;
}

/* The painted values. The range is 0 to 1 unless values exceed it, so that colours do not change during a stroke. */
static void show_values(snw_display *display) {
	display->view.heat_minimum = 0;
	display->view.heat_maximum = 1;
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		if (display->values[m]) {
			snw_heat_range_add(display->values[m], display->scene->meshes[m].point_count, &display->view.heat_minimum,
							   &display->view.heat_maximum);
		}
	}
	display->view.heat = display->values;
	display->view.heat_label = display->values_label;
}

static void show_contact(snw_display *display) {
	display->view.heat = display->contact;
	display->view.heat_minimum = 0;
	display->view.heat_maximum = 1;
	display->view.heat_label = "contact";
}

/* ---- influences ---------------------------------------------------------------------------------------------------------- */

static const snw_influence_colors *colors_of(snw_display *display, const snw_stack *stack) {
	snw_influence_colors chosen;
	for (int i = 0; i < 2; i++) {
		if (snw_influence_colors_fit(&display->colors[i], display->scene, stack)) {
			return &display->colors[i];
		}
	}
	if (!snw_influence_colors_choose(display->scene, stack, display->arena, &chosen)) {
		return NULL;
	}
	display->colors[chosen.of_skeleton] = chosen;
	return &display->colors[chosen.of_skeleton];
}

/* The base skin with the weights painted so far. */
static void mix_painted(snw_display *display, const snw_influence_colors *colors) {
	for (int i = 0; i < SNW_PAINTED_MESHES; i++) {
		const snw_mesh *skin = display_painted_skin(display, i);
		if (skin) {
			snw_influence_colors_mix_skin(colors, display->scene, skin, display->mixes[display->values_meshes[i]]);
		}
	}
}

static void mix(snw_display *display, const snw_influence_colors *colors, const snw_stack *stack) {
	if (!display->mixes) {
		display->mixes = SNW_NEW_ARRAY(display->arena, double *, display->scene->mesh_count);
		for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
			display->mixes[m] = SNW_NEW_ARRAY(display->arena, double, 3 * (size_t)display->scene->meshes[m].point_count);
		}
	}
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		const bool is_mixed = snw_influence_colors_mix(colors, display->scene, stack, m, display->mixes[m]);
		display->shown[m] = is_mixed ? display->mixes[m] : NULL;
	}
}

/* Of the stack that is shown; while weights are painted, of the linear blend that they belong to. */
static void show_influences(snw_display *display, const snw_view_state *state) {
	const snw_document *document = display->document;
	const bool paints = display->values && display->values_joints[0] != SNW_NONE && document->baseline != SNW_NONE;
	const snw_stack *stack = paints ? document->methods[document->baseline].stack : snw_display_stack(display, state);
	const bool is_mixed = stack && stack == display->mixed && !paints;
	const snw_influence_colors *colors = stack && !is_mixed ? colors_of(display, stack) : NULL;
	if (colors) {
		mix(display, colors, stack);
		snw_influence_colors_text(colors, display->mixes_label, sizeof display->mixes_label);
	}
	if (colors && paints) {
		mix_painted(display, colors);
	}
	display->mixed = (colors && !paints) || is_mixed ? stack : NULL;
	if (!colors && !is_mixed) {
		return;
	}
	display->view.heat = display->shown;
	display->view.heat_is_color = true;
	display->view.heat_label = display->mixes_label;
}

static bool is_length_field(const snw_scene *scene, const char *name) {
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		if (strcmp(field->name, name) == 0 && snw_field_is_length(field)) {
			return true;
		}
	}
	return false;
}

void snw_display_find_heat(snw_display *display, const snw_view_state *state) {
	const bool shades = display->values && display->values_shade;
	const bool paints_other =
		display->values && !shades && (display->values_joints[0] == SNW_NONE || state->heat != SNW_HEAT_INFLUENCES);
	const bool touches = display->contact && !display->values && state->heat == SNW_HEAT_NONE;
	display->view.heat = NULL;
	display->view.heat_label = NULL;
	display->heat_metres = 0;
	display->view.heat_is_color = false;
	display->view.heat_is_contact = touches;
	display->view.heat_is_shade = (shades && state->heat == SNW_HEAT_NONE) || touches;
	if (state->heat != SNW_HEAT_INFLUENCES || paints_other) {
		display->mixed = NULL; /* `shown` is used for another heat map */
	}
	if (touches) {
		show_contact(display);
	} else if (paints_other || display->view.heat_is_shade) {
		show_values(display);
	} else if (state->heat == SNW_HEAT_ERROR) {
		show_error(display);
	} else if (state->heat == SNW_HEAT_INFLUENCES) {
		show_influences(display, state);
	} else if (state->heat == SNW_HEAT_SCULPT) {
		show_sculpt(display);
	} else if (state->heat == SNW_HEAT_LEVEL) {
		show_level(display);
	} else if (state->heat >= SNW_HEAT_FIELDS) {
		const char *name = snw_heat_name(display->document, state->heat);
		if (snw_view_show_field(&display->view, name, &display->field) && is_length_field(display->scene, name)) {
			display->view.heat_label = name;
			display->heat_metres = 1e-3;
		}
	}
}
