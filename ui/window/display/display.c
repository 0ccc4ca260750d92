/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Updates the display from the state.
 */
#include "window/display/display.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "example/groups.h"
#include "mesh/surface.h"
#include "pose/clip.h"

static void sampled_clip_free(snw_sampled_clip *sampled);
static void display_rescale(snw_display *display);

/* ---- sampled clip -------------------------------------------------------------------------------------------------------- */

/* Samples a clip in advance. */

#define SMOOTH_STEP (1.0 / 60) /* seconds between poses */
#define SAME_TIME 1e-6
enum { MOST_BETWEEN = 6000 }; /* poses added for smooth motion: a few megabytes */
enum { POSES_AT_ONCE = 64 };

/* Sorts, and removes duplicates. */
static uint32_t settle(double *times, uint32_t count) {
	uint32_t unique = 0;
	snw_sort_numbers(times, count);
	for (uint32_t i = 0; i < count; i++) {
		if (unique == 0 || times[i] - times[unique - 1] > SAME_TIME) {
			times[unique++] = times[i];
		}
	}
	return unique;
}

static void find_truth(snw_sampled_clip *sampled, const snw_scene *scene) {
	uint32_t total = 0;
	for (uint32_t i = 0; i < scene->target_count; i++) {
		total += snw_target_clip(scene, &scene->targets[i]) == sampled->clip ? scene->targets[i].frame_count : 0;
	}
	sampled->truth_seconds = SNW_NEW_ARRAY(sampled->arena, double, total);
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		for (uint32_t f = 0; snw_target_clip(scene, target) == sampled->clip && f < target->frame_count; f++) {
			sampled->truth_seconds[sampled->truth_count++] = target->seconds[f];
		}
	}
	sampled->truth_count = settle(sampled->truth_seconds, sampled->truth_count);
}

static void find_keys(snw_sampled_clip *sampled, const snw_scene *scene) {
	snw_clip_times(scene, sampled->clip, sampled->arena, &sampled->key_seconds, &sampled->key_count);
	if (sampled->key_count == 0) {
		sampled->key_seconds = SNW_NEW_ARRAY(sampled->arena, double, 1);
		sampled->key_count = 1;
	}
}

static void sampled_clip_load(snw_sampled_clip *sampled, const snw_scene *scene, uint32_t clip) {
	sampled_clip_free(sampled);
	*sampled = (snw_sampled_clip){.arena = snw_arena_create(), .scene = scene, .clip = clip};
	sampled->duration_seconds = fmax(scene->clips[clip].duration_seconds, 0);
	find_keys(sampled, scene);
	find_truth(sampled, scene);
	const double between_count = fmin(ceil(sampled->duration_seconds / SMOOTH_STEP), MOST_BETWEEN);
	const uint32_t between = (uint32_t)between_count;
	const uint32_t total = sampled->key_count + sampled->truth_count + between + 1;
	sampled->seconds = SNW_NEW_ARRAY(sampled->arena, double, total);
	for (uint32_t i = 0; i <= between; i++) {
		sampled->seconds[i] = between ? sampled->duration_seconds * i / between : 0;
	}
	memcpy(sampled->seconds + between + 1, sampled->key_seconds, sampled->key_count * sizeof(double));
	if (sampled->truth_count > 0) {
		memcpy(sampled->seconds + between + 1 + sampled->key_count, sampled->truth_seconds,
			   sampled->truth_count * sizeof(double));
	}
	sampled->count = settle(sampled->seconds, total);
	sampled->poses = SNW_NEW_ARRAY(sampled->arena, snw_pose *, sampled->count);
}

/* an empty one does nothing */
static void sampled_clip_free(snw_sampled_clip *sampled) {
	snw_arena_destroy(sampled->arena);
	*sampled = (snw_sampled_clip){0};
}

const snw_pose *snw_sampled_clip_pose_at(const snw_sampled_clip *sampled, uint32_t index) {
	if (!sampled->poses[index]) {
		const uint32_t begin = index - index % POSES_AT_ONCE;
		const uint32_t count = sampled->count - begin < POSES_AT_ONCE ? sampled->count - begin : POSES_AT_ONCE;
		snw_pose_sample_series(sampled->scene, sampled->clip, count, sampled->seconds + begin, sampled->arena,
							   sampled->poses + begin);
	}
	return sampled->poses[index];
}

const snw_pose *snw_sampled_clip_pose(const snw_sampled_clip *sampled, double seconds) {
	return snw_sampled_clip_pose_at(sampled, snw_latest_time(sampled->seconds, sampled->count, seconds));
}

double snw_sampled_clip_step(const snw_sampled_clip *sampled, double seconds, int steps) {
	const int64_t current = snw_latest_time(sampled->key_seconds, sampled->key_count, seconds);
	const int64_t count = sampled->key_count;
	return sampled->key_seconds[((current + steps) % count + count) % count];
}

/* ---- display ------------------------------------------------------------------------------------------------------------- */

#define SLICE_SECONDS 0.006 /* of a redraw, for uploads */

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static void make_buffers(snw_display *display) {
	const snw_scene *scene = display->scene;
	uint32_t most = 0;
	display->global = SNW_NEW_ARRAY(display->arena, double, 12 * (size_t)scene->skeleton.joint_count);
	display->palette = SNW_NEW_ARRAY(display->arena, double, 12 * (size_t)scene->slot_count);
	display->distances = SNW_NEW_ARRAY(display->arena, double *, scene->mesh_count);
	display->shown = SNW_NEW_ARRAY(display->arena, const double *, scene->mesh_count);
	display->field.heat = display->shown;
	display->field.numbers = display->distances;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		display->distances[m] = SNW_NEW_ARRAY(display->arena, double, 3 * (size_t)count); /* or colours */
		most = count > most ? count : most;
	}
	display->example_views = SNW_NEW_ARRAY(display->arena, const snw_pose_view *, scene->example_count);
	display->marks = SNW_NEW_ARRAY(display->arena, unsigned char, scene->skeleton.joint_count);
	display->hidden = SNW_NEW_ARRAY(display->arena, bool, scene->mesh_count);
	display->locked = SNW_NEW_ARRAY(display->arena, bool, scene->mesh_count);
	display->hidden_joints = SNW_NEW_ARRAY(display->arena, bool, scene->skeleton.joint_count);
	display->hidden_points = SNW_NEW_ARRAY(display->arena, bool *, scene->mesh_count);
	display->hidden_room = SNW_NEW_ARRAY(display->arena, bool *, scene->mesh_count);
	display->locked_joints = SNW_NEW_ARRAY(display->arena, bool, scene->skeleton.joint_count);
	display->selected_joints = SNW_NEW_ARRAY(display->arena, bool, scene->skeleton.joint_count);
	display->pinned_joints = SNW_NEW_ARRAY(display->arena, bool, scene->skeleton.joint_count);
	display->stiff_joints = SNW_NEW_ARRAY(display->arena, bool, scene->skeleton.joint_count);
	display->view.hidden = display->hidden;
	display->bars = SNW_NEW_ARRAY(display->arena, snw_example_bar, scene->example_count);
	display->example_weights = SNW_NEW_ARRAY(display->arena, double, scene->example_count);
	display->points = SNW_NEW_ARRAY(display->arena, float, 3 * (size_t)most);
	display->painted = SNW_NEW_ARRAY(display->arena, const float *, scene->mesh_count);
}

static void start(snw_display *display, snw_document *document) {
	*display = (snw_display){.document = document,
							 .scene = document->scene,
							 .arena = snw_arena_create(),
							 .values_joints = {SNW_NONE, SNW_NONE},
							 .failed_method = SNW_NONE};
	display->has_failed = SNW_NEW_ARRAY(display->arena, bool, document->method_count + 1u);
	make_buffers(display);
}

static uint32_t stack_most(const snw_document *document) {
	return document->method_count + 1;
}

snw_status snw_display_create(snw_document *document, snw_renderer *renderer, snw_display *display, snw_error *error) {
	start(display, document);
	const snw_status status =
		snw_viewport_create(renderer, document->scene, stack_most(document), document->gpu_data, &display->viewport, error);
	display->is_uploading = document->gpu_data;
	snw_gpu_scene_data_destroy(document->gpu_data);
	document->gpu_data = NULL;
	if (snw_failed(status)) {
		snw_display_destroy(display);
	}
	return status;
}

/* The joint of an earlier scene that has the name of this one, or had another name in its place; SNW_NONE if it is new. */
static uint32_t previous_joint(const snw_scene *before, const snw_scene *scene, uint32_t joint) {
	const uint32_t same = snw_scene_find_joint(before, scene->skeleton.names[joint]);
	const bool is_renamed = same == SNW_NONE && before->skeleton.joint_count == scene->skeleton.joint_count &&
							snw_scene_find_joint(scene, before->skeleton.names[joint]) == SNW_NONE;
	return is_renamed ? joint : same;
}

void snw_display_follow_joints(snw_display *display, const snw_display *previous) {
	for (uint32_t j = 0; j < display->scene->skeleton.joint_count; j++) {
		const uint32_t before = previous_joint(previous->scene, display->scene, j);
		display->locked_joints[j] = before != SNW_NONE && previous->locked_joints[before];
		display->selected_joints[j] = before != SNW_NONE && previous->selected_joints[before];
		display->pinned_joints[j] = before != SNW_NONE && previous->pinned_joints[before];
		display->stiff_joints[j] = before != SNW_NONE && previous->stiff_joints[before];
	}
}

static uint32_t previous_mesh(const snw_scene *before, const snw_scene *scene, uint32_t mesh) {
	uint32_t m = 0;
	while (m < before->mesh_count && before->meshes[m].id != scene->meshes[mesh].id) {
		m++;
	}
	return m < before->mesh_count ? m : snw_scene_find_mesh(before, scene->meshes[mesh].name);
}

/* If the mesh has other points, each is as the nearest former one at rest. */
static void follow_hidden_points(snw_display *display, uint32_t mesh, const snw_mesh *former, const bool *hidden) {
	const snw_mesh *next = &display->scene->meshes[mesh];
	if (!hidden || former->point_count == next->point_count) {
		snw_display_hide_points(display, mesh, hidden);
		return;
	}
	snw_arena *scratch = snw_arena_create();
	const snw_spatial_index *index = snw_spatial_index_make(former, former->points_rest, scratch);
	bool *points = SNW_NEW_ARRAY(scratch, bool, next->point_count);
	for (uint32_t p = 0; p < next->point_count; p++) {
		const uint32_t nearest = snw_spatial_index_nearest(index, next->points_rest + 3 * (size_t)p);
		points[p] = nearest != SNW_NONE && hidden[nearest];
	}
	snw_display_hide_points(display, mesh, points);
	snw_arena_destroy(scratch);
}

void snw_display_follow_meshes(snw_display *display, const snw_display *previous) {
	for (uint32_t j = 0; j < display->scene->skeleton.joint_count; j++) {
		const uint32_t before = previous_joint(previous->scene, display->scene, j);
		display->hidden_joints[j] = before != SNW_NONE && previous->hidden_joints[before];
	}
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		const uint32_t before = previous_mesh(previous->scene, display->scene, m);
		display->hidden[m] = before != SNW_NONE && previous->hidden[before];
		display->locked[m] = before != SNW_NONE && previous->locked[before];
		if (before != SNW_NONE) {
			follow_hidden_points(display, m, &previous->scene->meshes[before], previous->hidden_points[before]);
		}
	}
}

uint32_t snw_display_locked_joints(const snw_display *display, snw_arena *arena, const uint32_t **joints) {
	const uint32_t joint_count = display->scene->skeleton.joint_count;
	uint32_t *found = SNW_NEW_ARRAY(arena, uint32_t, joint_count), count = 0;
	for (uint32_t j = 0; j < joint_count; j++) {
		if (display->locked_joints[j]) {
			found[count++] = j;
		}
	}
	*joints = found;
	return count;
}

/* If methods of the same name have different stacks, the stack has changed. */
void snw_display_succeed(snw_display *previous, snw_document *document, snw_display *display) {
	const snw_document *old = previous->document;
	start(display, document);
	snw_stack_change *changes = SNW_NEW_ARRAY(display->arena, snw_stack_change, document->method_count);
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
		const size_t bytes = 3 * (size_t)previous->colors[i].joint_count * sizeof(double);
		display->colors[i] = previous->colors[i];
		display->colors[i].joints = bytes > 0 ? snw_arena_copy(display->arena, previous->colors[i].joints, bytes) : NULL;
	}
	display->viewport = previous->viewport;
	display->subdivision = previous->subdivision;
	display->is_uploading = previous->is_uploading;
	previous->viewport = NULL;
	snw_viewport_replace_scene(display->viewport, document->scene, stack_most(document), changes, count);
}

void snw_display_take_stack(snw_display *display, const snw_stack *before, const snw_stack *stack) {
	const snw_document *document = display->document;
	snw_stack_change *changes = SNW_NEW_ARRAY(display->arena, snw_stack_change, document->method_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < document->method_count; i++) {
		const snw_stack *of_method = document->methods[i].stack;
		if (of_method) {
			changes[count++] = (snw_stack_change){.from = of_method == stack ? before : of_method, .to = of_method};
		}
	}
	snw_viewport_replace_scene(display->viewport, document->scene, stack_most(document), changes, count);
	display->is_stale = true;
}

bool snw_display_upload(snw_display *display) {
	display->is_uploading = display->is_uploading && !snw_viewport_upload(display->viewport, SLICE_SECONDS);
	return !display->is_uploading;
}

void snw_display_destroy(snw_display *display) {
	snw_level_view_destroy(display->levels);
	snw_viewport_destroy(display->viewport);
	sampled_clip_free(&display->sampled);
	for (int i = 0; i < SNW_PAINTED_MESHES; i++) {
		snw_arena_destroy(display->paintings[i].arena);
	}
	snw_arena_destroy(display->arena);
	*display = (snw_display){0};
}

/* ---- updates ------------------------------------------------------------------------------------------------------------- */

void snw_display_choose_clip(snw_display *display, uint32_t clip) {
	if (clip == SNW_NONE) {
		sampled_clip_free(&display->sampled);
	} else if (!display->sampled.arena || display->sampled.clip != clip) {
		sampled_clip_load(&display->sampled, display->scene, clip);
	}
	display_rescale(display);
}

/* Drops the error's scale if the clip or pose has changed. */
static void display_rescale(snw_display *display) {
	display->posed = NULL;
	display->error_scale = 0;
	display->scale_is_requested = display->needs_scale = false;
	display->scale_round++;
}

/* While errors are shown, the pose is that of the latest moment with a ground truth. */
const snw_pose *snw_display_pose(const snw_display *display, const snw_view_state *state) {
	const snw_sampled_clip *sampled = &display->sampled;
	if (display->edited_pose) {
		return display->edited_pose;
	}
	if (!sampled->arena) {
		return state->pose < display->scene->pose_count ? &display->scene->poses[state->pose] : NULL;
	}
	double seconds = state->seconds;
	if (state->heat == SNW_HEAT_ERROR && sampled->truth_count > 0) {
		seconds = sampled->truth_seconds[snw_latest_time(sampled->truth_seconds, sampled->truth_count, seconds)];
	}
	return snw_sampled_clip_pose(sampled, seconds);
}

uint32_t snw_display_method(const snw_display *display, const snw_view_state *state) {
	return state->before && display->document->baseline != SNW_NONE ? display->document->baseline : state->method;
}

const snw_stack *snw_display_stack(const snw_display *display, const snw_view_state *state) {
	const snw_document *document = display->document;
	uint32_t method = snw_display_method(display, state);
	if (method < document->method_count && display->has_failed[method]) {
		method = document->baseline;
	}
	return method < document->method_count && !display->has_failed[method] ? document->methods[method].stack : NULL;
}

/* Notes which method has failed, and why. False where that was no layer's fault. */
static bool record_failure(snw_display *display, const snw_stack *stack) {
	const snw_document *document = display->document;
	const snw_layer_failure *failure = stack ? snw_viewport_failure(display->viewport, stack) : NULL;
	uint32_t method = 0;
	while (method < document->method_count && document->methods[method].stack != stack) {
		method++;
	}
	if (!failure || !failure->layer || method == document->method_count || display->has_failed[method]) {
		return false;
	}
	display->has_failed[method] = true;
	display->failed_method = method;
	display->failure = *failure;
	return true;
}

/* ---- weights of the examples --------------------------------------------------------------------------------------------- */

static bool share_group(const snw_scene *scene, uint32_t one, uint32_t other) {
	bool share = false;
	for (uint32_t g = 0; g < scene->group_count && !share; g++) {
		share = snw_group_member(&scene->groups[g], one) != SNW_NONE && snw_group_member(&scene->groups[g], other) != SNW_NONE;
	}
	return share;
}

/* Examples of several meshes in one pose, as strokes over a seam make, share a coefficient: the stack names one of them. */
static void share_weights(snw_display *display) {
	const snw_scene *scene = display->scene;
	bool is_current = true;
	for (uint32_t l = 0; l < scene->layer_count; l++) {
		is_current = is_current && !display->document->stale[l];
	}
	for (uint32_t i = 0; i < scene->example_count && is_current; i++) {
		for (uint32_t k = 0; k < scene->example_count && !display->bars[i].is_fitted; k++) {
			const bool is_other_mesh = scene->examples[k].mesh != scene->examples[i].mesh;
			if (is_other_mesh && scene->examples[k].pose == scene->examples[i].pose && display->bars[k].is_fitted &&
				share_group(scene, i, k)) {
				display->bars[i] = display->bars[k];
			}
		}
	}
}

static void find_bars(snw_display *display) {
	const snw_scene *scene = display->scene;
	memset(display->bars, 0, scene->example_count * sizeof *display->bars);
	const snw_stack *stack = display->document->method_count > 0 ? display->document->methods[0].stack : NULL;
	const bool is_asked = stack && scene->example_count > 0;
	const snw_evaluation *evaluation = is_asked ? snw_viewport_drive(display->viewport, stack, &display->pose) : NULL;
	if (!evaluation) {
		return;
	}
	snw_stack_example_weights(evaluation, display->example_weights);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const double weight = display->example_weights[i];
		display->bars[i] = isnan(weight) ? (snw_example_bar){0} : (snw_example_bar){.weight = weight, .is_fitted = true};
	}
	share_weights(display);
}

/* ---- ghosts -------------------------------------------------------------------------------------------------------------- */

static double pose_distance(const snw_display *display, const snw_pose *pose, uint32_t example) {
	const snw_pose *other = &display->scene->poses[display->scene->examples[example].pose];
	double squared = 0;
	for (size_t i = 0; i < 3 * (size_t)display->scene->skeleton.joint_count; i++) {
		squared +=
			(pose->rotation_vectors[i] - other->rotation_vectors[i]) * (pose->rotation_vectors[i] - other->rotation_vectors[i]);
	}
	return squared;
}

/* The nearest example that is farther away than `last`. */
static uint32_t next_example(const snw_display *display, const snw_pose *pose, double last, double *distance) {
	uint32_t nearest = SNW_NONE;
	*distance = (double)INFINITY;
	for (uint32_t i = 0; i < display->scene->example_count; i++) {
		const double away = pose_distance(display, pose, i);
		if (away > last * (1 + 1e-9) && away < *distance) {
			*distance = away;
			nearest = i;
		}
	}
	return nearest;
}

/* The nearest other examples, as the stack deforms them. */
static void find_ghosts(snw_display *display, const snw_view_state *state, const snw_pose *pose, const snw_stack *stack) {
	const snw_scene *scene = display->scene;
	double last = 1e-6, distance;
	display->view.ghosts = display->ghosts;
	display->view.ghost_count = 0;
	for (uint32_t i = 0; state->ghosts && stack && i < SNW_GHOSTS_SHOWN; i++, last = distance) {
		const uint32_t example = next_example(display, pose, last, &distance);
		if (example == SNW_NONE) {
			break;
		}
		if (!display->example_views[example]) {
			const snw_pose *other = &scene->poses[scene->examples[example].pose];
			display->example_views[example] = snw_pose_view_make(scene, other, display->arena);
		}
		const float faint = 0.3f / (float)(1 + i);
		display->ghosts[display->view.ghost_count++] =
			(snw_ghost){.stack = stack, .pose = display->example_views[example], .color = {0.45f, 0.65f, 0.9f, faint}};
	}
}

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

const char *snw_display_level_hindrance(const snw_display *display, const snw_view_state *state) {
	const snw_document *document = display->document;
	bool is_left_out = false;
	for (uint32_t l = 0; l < document->scene->layer_count; l++) {
		is_left_out = is_left_out || document->left_out[l];
	}
	return state->sculpting                          ? "While you sculpt, the mesh itself is shown."
		   : snw_display_method(display, state) != 0 ? "Levels play all layers, and another method is shown."
		   : document->solo != SNW_NONE              ? "Levels play all examples, and one alone is shown."
		   : document->variant != SNW_NONE           ? "Levels are of the stack, and a baked skin is shown."
		   : is_left_out || display->has_failed[0]   ? "A layer has failed, so the mesh itself is shown."
													 : NULL;
}

static uint32_t choose_level(const snw_display *display, const snw_view_state *state) {
	const snw_level_view *levels = display->levels;
	const snw_camera *camera = &state->camera;
	if (state->level == 0 || !levels || levels->is_uploading || snw_display_level_hindrance(display, state)) {
		return 0;
	}
	const double seen = 2 * snw_camera_tangent(camera, display->aspect) * camera->distance; /* metres in the height */
	return state->level == SNW_LEVEL_BY_SIZE ? snw_level_of_pixels(display->scene, levels->side / seen * display->height)
											 : state->level;
}

uint32_t snw_display_level(const snw_display *display) {
	return display->levels ? display->levels->number : 0;
}

/* What is drawn, and in which viewport. */
static const snw_view *display_drawn(snw_display *display, snw_viewport **viewport) {
	const bool is_level = snw_display_level(display) > 0;
	*viewport = is_level ? display->levels->viewport : display->viewport;
	return is_level ? snw_level_view_of(display->levels, &display->view) : &display->view;
}

/* Bones are hidden while the skin is sculpted, and a ground that is seen from its side. */
static void show_side(const snw_view_state *state, uint32_t number, snw_view *view) {
	const snw_view_side shown = snw_view_state_side(state, number), *side = &shown;
	const uint32_t hidden =
		(snw_camera_is_level(&side->camera) ? SNW_VIEW_GRID : 0) | (state->sculpting ? SNW_VIEW_SKELETON : 0);
	view->camera = side->camera;
	view->flags = side->flags & ~hidden;
	view->lights = side->lights;
	view->light_turn = side->light_turn;
}

const snw_view *snw_display_side(snw_display *display, const snw_view_state *state, uint32_t side, snw_viewport **viewport) {
	display->side_view = *display_drawn(display, viewport);
	show_side(state, side, &display->side_view);
	return &display->side_view;
}

/* What was posed, as the meshes are. */
static snw_status pose_levels(snw_display *display, snw_error *error) {
	return snw_display_level(display) > 0 ? snw_level_view_pose(display->levels, &display->view, error) : SNW_OK;
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

snw_status snw_display_update(snw_display *display, const snw_view_state *state, snw_error *error) {
	const snw_pose *pose = snw_display_pose(display, state);
	const snw_stack *stack = pose ? snw_display_stack(display, state) : NULL;
	display->view.scene = display->scene;
	show_side(state, state->side, &display->view);
	if (display->subdivision != state->subdivision && !display->is_uploading &&
		snw_viewport_has_level(display->viewport, state->subdivision)) { /* meshes that have changed may not allow it */
		display->subdivision = state->subdivision;
		(void)snw_viewport_subdivide(display->viewport, state->subdivision, NULL);
		display->is_stale = true;
	}
	const uint32_t level = choose_level(display, state);
	if (level != snw_display_level(display)) {
		display->levels->number = level;
		display->is_stale = true;
	}
	if (!display->is_stale && display->posed && pose == display->posed && stack == display->view.stack &&
		state->heat == display->heat && !display->sculpt == !display->view.points) {
		return SNW_OK;
	}
	display->view.stack = stack;
	display->view.pose = pose ? &display->pose : NULL;
	if (pose) {
		snw_pose_solve(display->scene, pose, display->global, display->palette, &display->pose);
		find_ghosts(display, state, pose, stack);
	}
	display->view.points = snw_display_edited_points(display);
	snw_status status = snw_viewport_pose(display->viewport, &display->view, error);
	status = snw_failed(status) ? status : pose_levels(display, error);
	if (snw_failed(status)) {
		display->is_stale = true;
		return record_failure(display, stack) ? snw_display_update(display, state, error) : status;
	}
	if (pose) {
		find_bars(display); /* before the ghosts, which are driven at other poses */
	}
	if (snw_failed(snw_viewport_ghosts(display->viewport, &display->view, error))) {
		display->view.ghost_count = 0; /* without its ghosts: an error in them does not matter */
	}
	display->posed = pose;
	display->heat = state->heat;
	display->is_stale = false;
	snw_display_find_heat(display, state);
	snw_viewport_heat(display->viewport, &display->view);
	if (snw_display_level(display) > 0) {
		snw_level_view_heat(display->levels, &display->view);
	}
	return SNW_OK;
}
