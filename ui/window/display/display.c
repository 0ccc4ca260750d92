/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following the state.
 */
#include "window/display/display.h"

#include <math.h>
#include <string.h>

#define SLICE_SECONDS 0.006 /* of a frame, for what is sent to the graphics card */

/* ---- life --------------------------------------------------------------------------------------------------------- */

static void make_buffers(snw_studio *studio) {
	const snw_scene *scene = studio->scene;
	uint32_t most = 0;
	studio->global = SNW_NEW_ARRAY(studio->arena, double, 12 * (size_t)scene->skeleton.joint_count);
	studio->palette = SNW_NEW_ARRAY(studio->arena, double, 12 * (size_t)scene->slot_count);
	studio->distances = SNW_NEW_ARRAY(studio->arena, double *, scene->mesh_count);
	studio->shown = SNW_NEW_ARRAY(studio->arena, const double *, scene->mesh_count);
	studio->field.heat = studio->shown;
	studio->field.numbers = studio->distances;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		studio->distances[m] = SNW_NEW_ARRAY(studio->arena, double, 3 * (size_t)count); /* or colours */
		most = count > most ? count : most;
	}
	studio->example_views = SNW_NEW_ARRAY(studio->arena, const snw_pose_view *, scene->example_count);
	studio->marks = SNW_NEW_ARRAY(studio->arena, unsigned char, scene->skeleton.joint_count);
	studio->bars = SNW_NEW_ARRAY(studio->arena, snw_example_bar, scene->example_count);
	studio->points = SNW_NEW_ARRAY(studio->arena, float, 3 * (size_t)most);
}

static void start(snw_studio *studio, snw_document *document) {
	*studio =
		(snw_studio){.document = document, .scene = document->scene, .arena = snw_arena_create(), .values_joint = SNW_NONE};
	make_buffers(studio);
	if (document->method_count > 0 && document->methods[0].stack) {
		studio->weights = snw_stack_frame_create_truth(document->methods[0].stack);
	}
}

static uint32_t stack_most(const snw_document *document) {
	return document->method_count + 1;
}

snw_status snw_studio_create(snw_document *document, snw_renderer *renderer, snw_studio *studio, snw_error *error) {
	start(studio, document);
	const snw_status status =
		snw_viewport_create(renderer, document->scene, stack_most(document), document->draft, &studio->viewport, error);
	studio->is_uploading = document->draft;
	snw_scene_data_destroy(document->draft);
	document->draft = NULL;
	if (status < 0) {
		snw_studio_destroy(studio);
	}
	return status;
}

/* Methods of one name are a stack that has changed. */
void snw_studio_succeed(snw_studio *former, snw_document *document, snw_studio *studio) {
	const snw_document *old = former->document;
	start(studio, document);
	snw_stack_change *changes = SNW_NEW_ARRAY(studio->arena, snw_stack_change, document->method_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < document->method_count; i++) {
		const snw_method *method = &document->methods[i];
		for (uint32_t k = 0; k < old->method_count && method->stack; k++) {
			if (old->methods[k].stack && strcmp(old->methods[k].name, method->name) == 0) {
				changes[count++] = (snw_stack_change){.from = old->methods[k].stack, .to = method->stack};
				break;
			}
		}
	}
	for (int i = 0; i < 2; i++) {
		const size_t bytes = 3 * (size_t)former->colors[i].joint_count * sizeof(double);
		studio->colors[i] = former->colors[i];
		studio->colors[i].joints = bytes > 0 ? snw_arena_copy(studio->arena, former->colors[i].joints, bytes) : NULL;
	}
	studio->viewport = former->viewport;
	studio->subdivision = former->subdivision;
	studio->is_uploading = former->is_uploading;
	former->viewport = NULL;
	snw_viewport_replace_scene(studio->viewport, document->scene, stack_most(document), changes, count);
}

bool snw_studio_upload(snw_studio *studio) {
	studio->is_uploading = studio->is_uploading && !snw_viewport_upload(studio->viewport, SLICE_SECONDS);
	return !studio->is_uploading;
}

void snw_studio_destroy(snw_studio *studio) {
	if (studio->weights) {
		snw_stack_frame_destroy(studio->weights);
	}
	snw_viewport_destroy(studio->viewport);
	snw_clip_reel_free(&studio->reel);
	snw_arena_destroy(studio->arena);
	*studio = (snw_studio){0};
}

/* ---- following ---------------------------------------------------------------------------------------------------- */

void snw_studio_choose_clip(snw_studio *studio, uint32_t clip) {
	if (clip == SNW_NONE) {
		snw_clip_reel_free(&studio->reel);
	} else if (!studio->reel.arena || studio->reel.clip != clip) {
		snw_clip_reel_load(&studio->reel, studio->scene, clip);
	}
	snw_studio_rescale(studio);
}

void snw_studio_rescale(snw_studio *studio) {
	studio->posed = NULL;
	studio->error_scale = 0;
	studio->seeks_scale = studio->wants_scale = false;
	studio->scale_round++;
}

/* While errors are shown, time stands at the moments that have a truth. */
const snw_pose *snw_studio_pose(const snw_studio *studio, const snw_view_state *state) {
	const snw_clip_reel *reel = &studio->reel;
	if (studio->hand) {
		return studio->hand;
	}
	if (!reel->arena) {
		return state->pose < studio->scene->pose_count ? &studio->scene->poses[state->pose] : NULL;
	}
	double seconds = state->seconds;
	if (state->heat == SNW_HEAT_ERROR && reel->truth_count > 0) {
		seconds = reel->truth_seconds[snw_latest_time(reel->truth_seconds, reel->truth_count, seconds)];
	}
	return snw_clip_reel_pose(reel, seconds);
}

uint32_t snw_studio_method(const snw_studio *studio, const snw_view_state *state) {
	return state->before && studio->document->linear != SNW_NONE ? studio->document->linear : state->method;
}

const snw_stack *snw_studio_stack(const snw_studio *studio, const snw_view_state *state) {
	const snw_document *document = studio->document;
	const uint32_t method = snw_studio_method(studio, state);
	return method < document->method_count ? document->methods[method].stack : NULL;
}

/* ---- how much each example acts ----------------------------------------------------------------------------------- */

/* Correctives name their coefficients GROUP/EXAMPLE. */
static void add_bars(snw_studio *studio, const snw_displacements *list, const double *values) {
	const snw_scene *scene = studio->scene;
	for (uint32_t k = 0; k < list->count && list->names; k++) {
		const char *name = list->names[k], *slash = name ? strrchr(name, '/') : NULL;
		const uint32_t example = slash ? snw_scene_find_example(scene, slash + 1) : SNW_NONE;
		if (example != SNW_NONE) {
			snw_example_bar *bar = &studio->bars[example];
			const double weight = values[list->coefficients[k]];
			bar->weight = !bar->is_fitted || fabs(weight) > fabs(bar->weight) ? weight : bar->weight;
			bar->is_fitted = true;
		}
	}
}

static void find_bars(snw_studio *studio) {
	const snw_scene *scene = studio->scene;
	memset(studio->bars, 0, scene->example_count * sizeof *studio->bars);
	const snw_stack *stack = studio->weights ? studio->document->methods[0].stack : NULL;
	if (!stack || scene->example_count == 0 || snw_stack_drive(stack, &studio->pose, studio->weights, NULL) < 0) {
		return;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info segment = snw_stack_segment(stack, m, s);
			const snw_program_frame *frame = segment.is_program ? snw_stack_program_frame(studio->weights, m, s) : NULL;
			if (frame) {
				add_bars(studio, &segment.program->rest, frame->d);
				add_bars(studio, &segment.program->posed, frame->e);
			}
		}
	}
}

/* ---- ghosts ------------------------------------------------------------------------------------------------------- */

static double pose_distance(const snw_studio *studio, const snw_pose *pose, uint32_t example) {
	const snw_pose *other = &studio->scene->poses[studio->scene->examples[example].pose];
	double square = 0;
	for (size_t i = 0; i < 3 * (size_t)studio->scene->skeleton.joint_count; i++) {
		square +=
			(pose->rotation_vectors[i] - other->rotation_vectors[i]) * (pose->rotation_vectors[i] - other->rotation_vectors[i]);
	}
	return square;
}

/* The example that is nearest among those farther away than `last`. */
static uint32_t next_example(const snw_studio *studio, const snw_pose *pose, double last, double *distance) {
	uint32_t nearest = SNW_NONE;
	*distance = (double)INFINITY;
	for (uint32_t i = 0; i < studio->scene->example_count; i++) {
		const double away = pose_distance(studio, pose, i);
		if (away > last * (1 + 1e-9) && away < *distance) {
			*distance = away;
			nearest = i;
		}
	}
	return nearest;
}

/* The nearest examples that are not here, as the stack makes them. */
static void find_ghosts(snw_studio *studio, const snw_view_state *state, const snw_pose *pose, const snw_stack *stack) {
	const snw_scene *scene = studio->scene;
	double last = 1e-6, distance;
	studio->view.ghosts = studio->ghosts;
	studio->view.ghost_count = 0;
	for (uint32_t i = 0; state->ghosts && stack && i < SNW_GHOSTS_SHOWN; i++, last = distance) {
		const uint32_t example = next_example(studio, pose, last, &distance);
		if (example == SNW_NONE) {
			break;
		}
		if (!studio->example_views[example]) {
			const snw_pose *other = &scene->poses[scene->examples[example].pose];
			studio->example_views[example] = snw_pose_view_make(scene, other, studio->arena);
		}
		const float faint = 0.3f / (float)(1 + i);
		studio->ghosts[studio->view.ghost_count++] =
			(snw_ghost){.stack = stack, .pose = studio->example_views[example], .color = {0.45f, 0.65f, 0.9f, faint}};
	}
}

/* ---- posing ------------------------------------------------------------------------------------------------------- */

snw_status snw_studio_update(snw_studio *studio, const snw_view_state *state, snw_error *error) {
	const snw_pose *pose = snw_studio_pose(studio, state);
	const snw_stack *stack = pose ? snw_studio_stack(studio, state) : NULL;
	studio->view.scene = studio->scene;
	studio->view.camera = state->camera;
	studio->view.flags = state->flags & ~(uint32_t)(snw_camera_is_level(&state->camera) ? SNW_VIEW_GRID : 0);
	studio->view.lights = state->lights;
	if (studio->subdivision != state->subdivision && !studio->is_uploading &&
		snw_viewport_has_level(studio->viewport, state->subdivision)) { /* meshes that have changed may not take it */
		studio->subdivision = state->subdivision;
		(void)snw_viewport_subdivide(studio->viewport, state->subdivision, NULL);
		studio->is_stale = true;
	}
	if (!studio->is_stale && studio->posed && pose == studio->posed && stack == studio->view.stack &&
		state->heat == studio->heat && studio->sculpt == studio->view.points) {
		return SNW_OK;
	}
	studio->view.stack = stack;
	studio->view.points = studio->sculpt;
	studio->view.pose = pose ? &studio->pose : NULL;
	if (pose) {
		snw_pose_solve(studio->scene, pose, studio->global, studio->palette, &studio->pose);
		find_bars(studio);
		find_ghosts(studio, state, pose, stack);
	}
	const snw_status status = snw_viewport_pose(studio->viewport, &studio->view, error);
	if (status < 0) {
		return status;
	}
	if (snw_viewport_ghosts(studio->viewport, &studio->view, error) < 0) {
		studio->view.ghost_count = 0; /* a look that is not worth the window */
	}
	studio->posed = pose;
	studio->heat = state->heat;
	studio->is_stale = false;
	snw_studio_find_heat(studio, state);
	snw_viewport_heat(studio->viewport, &studio->view);
	return SNW_OK;
}
