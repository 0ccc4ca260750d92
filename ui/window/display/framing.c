/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The boxes to frame: the character as posed, or during a whole clip; or the part that a joint moves.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "window/display/display.h"

/* ---- framing ------------------------------------------------------------------------------------------------------------- */

#define MOST_OF_WEIGHT 0.5 /* of a point's weight */
/* Moments of a clip that are framed: some at equal intervals, and those at which a joint is farthest in one of these
 * directions. */
enum { EQUAL_MOMENTS = 7, DIRECTIONS = 26, MOST_MOMENTS = EQUAL_MOMENTS + DIRECTIONS };
enum { MOST_SEARCHED = 400 }; /* of the clip's samples, for those */

/* Points that grow by doubling, in an arena. */
typedef struct gathering {
	snw_arena *arena;
	double *points; /* [room][3] */
	size_t count, room;
} gathering;

static double *new_point(gathering *all) {
	if (all->count == all->room) {
		const double *full = all->points;
		all->room = 2 * all->room + 1024;
		all->points = SNW_NEW_ARRAY(all->arena, double, 3 * all->room);
		memcpy(all->points, full ? full : all->points, 3 * all->count * sizeof *full);
	}
	return all->points + 3 * all->count++;
}

static void add_box(gathering *all, const snw_box *box) {
	for (int corner = 0; corner < 8 && !snw_box_is_empty(box); corner++) {
		snw_box_corner(box, corner, new_point(all));
	}
}

/* If all meshes are hidden, they are framed all the same. */
static bool is_hidden(const snw_display *display, uint32_t mesh) {
	bool is_any_shown = false;
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		is_any_shown = is_any_shown || !display->hidden[m];
	}
	return is_any_shown && display->hidden[mesh];
}

/* Corners of the boxes of all meshes at one pose, or joints where there is no mesh. Of a black box only what is shown is
 * known. */
static void add_pose(const snw_display *display, const snw_stack *stack, snw_evaluation *evaluation, const snw_pose *pose,
					 gathering *all) {
	const snw_scene *scene = display->scene;
	const snw_pose_view *view = snw_pose_view_make(scene, pose, all->arena);
	const bool is_driven = evaluation && !snw_failed(snw_stack_drive(stack, view, evaluation, NULL));
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (is_hidden(display, m)) {
			continue;
		}
		const snw_stack_bounds bounds =
			is_driven ? snw_stack_bounds_posed(evaluation, m) : snw_stack_bounds_rest(&scene->meshes[m], all->arena);
		for (uint32_t i = 0; i < bounds.count; i++) {
			add_box(all, &bounds.boxes[i]);
		}
		if (!bounds.are_whole && display->posed) {
			const snw_box shown = snw_viewport_box(display->viewport, m);
			add_box(all, &shown);
		}
	}
	for (uint32_t j = 0; scene->mesh_count == 0 && j < scene->skeleton.joint_count; j++) {
		double *point = new_point(all);
		for (size_t c = 0; c < 3; c++) {
			point[c] = view->global[12 * (size_t)j + 4 * c + 3];
		}
	}
}

/* How far each joint is in one of 26 directions: those to the faces, edges and corners of a cube. */
static double distance_along(uint32_t direction, const double place[3]) {
	const uint32_t d = direction < DIRECTIONS / 2 ? direction : direction + 1; /* without the middle */
	return ((int)(d % 3) - 1) * place[0] + ((int)(d / 3 % 3) - 1) * place[1] + ((int)(d / 9) - 1) * place[2];
}

/* Indices of samples that show how far the character reaches in the clip. */
static uint32_t find_moments(const snw_display *display, uint32_t moments[MOST_MOMENTS]) {
	const snw_sampled_clip *sampled = &display->sampled;
	const uint32_t joints = display->scene->skeleton.joint_count, step = 1 + sampled->count / MOST_SEARCHED;
	double farthest[DIRECTIONS];
	uint32_t count = 0;
	for (uint32_t i = 0; i < EQUAL_MOMENTS; i++) {
		moments[count++] = (uint32_t)((uint64_t)i * (sampled->count - 1) / (EQUAL_MOMENTS - 1));
	}
	for (uint32_t d = 0; d < DIRECTIONS && joints > 0; d++) {
		farthest[d] = -(double)INFINITY;
		moments[count++] = 0;
	}
	for (uint32_t i = 0; i < sampled->count && joints > 0; i += step) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose_view *view = snw_pose_view_make(display->scene, snw_sampled_clip_pose_at(sampled, i), scratch);
		for (uint32_t k = 0; k < joints * DIRECTIONS; k++) {
			const double *global = view->global + 12 * (size_t)(k / DIRECTIONS);
			const double distance = distance_along(k % DIRECTIONS, (const double[]){global[3], global[7], global[11]});
			if (distance > farthest[k % DIRECTIONS]) {
				farthest[k % DIRECTIONS] = distance;
				moments[EQUAL_MOMENTS + k % DIRECTIONS] = i;
			}
		}
		snw_arena_destroy(scratch);
	}
	return count;
}

size_t snw_display_points(const snw_display *display, const snw_view_state *state, snw_arena *arena, double **points) {
	const snw_sampled_clip *sampled = &display->sampled;
	const snw_stack *stack = snw_display_stack(display, state);
	uint32_t moments[MOST_MOMENTS];
	const bool is_clip = sampled->arena && !display->edited_pose;
	const uint32_t count = is_clip ? find_moments(display, moments) : 1;
	snw_evaluation *evaluation = stack ? snw_evaluation_create_reference(stack) : NULL;
	const snw_pose *rest = snw_pose_rest(display->scene, arena);
	gathering all = {.arena = arena};
	for (uint32_t i = 0; i < count; i++) {
		const snw_pose *shown = is_clip ? snw_sampled_clip_pose_at(sampled, moments[i]) : snw_display_pose(display, state);
		add_pose(display, stack, evaluation, shown ? shown : rest, &all);
	}
	snw_evaluation_destroy(evaluation);
	*points = all.points;
	return all.count;
}

/* ---- a joint ------------------------------------------------------------------------------------------------------------- */

static void add_joint(const snw_display *display, uint32_t joint, double *points, size_t *count) {
	for (size_t c = 0; c < 3; c++) {
		points[3 * *count + c] = display->global[12 * (size_t)joint + 4 * c + 3];
	}
	*count += 1;
}

/* The weight of a joint at a point of a mesh; `slot` is one of the joint's slots if it is above 0. */
static double weight_of(const snw_scene *scene, const snw_mesh *mesh, uint32_t point, uint32_t joint, uint32_t *slot) {
	double weight = 0;
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		if (scene->slot_joints[mesh->influence_slots[i]] == joint) {
			*slot = mesh->influence_slots[i];
			weight += mesh->influence_weights[i];
		}
	}
	return weight;
}

/* The skin that the joint mostly moves, transformed by the joint alone. */
static void add_skin(const snw_display *display, const snw_mesh *mesh, uint32_t joint, double *points, size_t *count) {
	uint32_t slot = SNW_NONE;
	for (uint32_t p = 0; mesh->influence_offsets && p < mesh->point_count; p++) {
		if (weight_of(display->scene, mesh, p, joint, &slot) >= MOST_OF_WEIGHT) {
			snw_mat34_point(display->palette + 12 * (size_t)slot, mesh->points_rest + 3 * (size_t)p, points + 3 * *count);
			*count += 1;
		}
	}
}

size_t snw_display_joint_points(const snw_display *display, uint32_t joint, snw_arena *arena, double **points) {
	const snw_scene *scene = display->scene;
	const snw_skeleton *skeleton = &scene->skeleton;
	size_t most = (size_t)skeleton->joint_count + 1, count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		most += scene->meshes[m].point_count;
	}
	*points = SNW_NEW_ARRAY(arena, double, 3 * most);
	add_joint(display, joint, *points, &count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (skeleton->parents[j] == joint) {
			add_joint(display, j, *points, &count);
		}
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		add_skin(display, &scene->meshes[m], joint, *points, &count);
	}
	if (count == 1 && skeleton->parents[joint] != SNW_NONE) { /* it moves no skin: the bone that ends here */
		add_joint(display, skeleton->parents[joint], *points, &count);
	}
	return count;
}

/* ---- hidden faces -------------------------------------------------------------------------------------------------------- */

/* Faces hidden by the influence of joints, or because they were masked. */

#define HIDING_WEIGHT 0.5 /* of a point's weights */

static bool is_mostly_hidden(const snw_display *display, const snw_mesh *mesh, uint32_t point) {
	double share = 0;
	if (!mesh->influence_offsets) {
		return false;
	}
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const uint32_t joint = display->scene->slot_joints[mesh->influence_slots[k]];
		share += display->hidden_joints[joint] ? mesh->influence_weights[k] : 0;
	}
	return share >= HIDING_WEIGHT;
}

/* Fills faces [face_count]; false if none is hidden. A face is hidden if all its points are. */
static bool find_hidden(const snw_display *display, uint32_t m, bool *points, bool *faces) {
	const snw_mesh *mesh = &display->scene->meshes[m];
	const bool *masked = display->hidden_points[m];
	bool any = false;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		points[p] = (masked && masked[p]) || is_mostly_hidden(display, mesh, p);
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces[f] = true;
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			faces[f] = faces[f] && points[mesh->face_points[c]];
		}
		any = any || faces[f];
	}
	return any;
}

void snw_display_hide_points(snw_display *display, uint32_t mesh, const bool *points) {
	const uint32_t count = display->scene->meshes[mesh].point_count;
	bool **room = &display->hidden_room[mesh];
	if (points) {
		*room = *room ? *room : SNW_NEW_ARRAY(display->arena, bool, count);
		memmove(*room, points, count * sizeof *points);
	}
	display->hidden_points[mesh] = points ? *room : NULL;
}

void snw_display_hide_faces(snw_display *display) {
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		const snw_mesh *mesh = &display->scene->meshes[m];
		snw_arena *scratch = snw_arena_create();
		bool *points = SNW_NEW_ARRAY(scratch, bool, mesh->point_count), *faces = SNW_NEW_ARRAY(scratch, bool, mesh->face_count);
		const bool any = find_hidden(display, m, points, faces);
		snw_viewport_hide_faces(display->viewport, m, any ? faces : NULL);
		snw_arena_destroy(scratch);
	}
}

/* ---- redraw times -------------------------------------------------------------------------------------------------------- */

/* Two clocks, read a few times in each pass of the loop. */

const char *const snw_redraw_part_names[SNW_REDRAW_PARTS] = {"collect", "commands", "pose", "draw"};

void snw_redraw_times_begin(snw_redraw_times *times) {
	times->current = (snw_redraw_row){0};
	times->wall_mark = 1e3 * snk_clock_seconds();
	times->cpu_mark = 1e3 * snk_clock_thread_seconds();
}

/* The row of that name, a new one where there is none yet; NULL where there is no room for it. */
static snw_redraw_row *row_of(snw_redraw_times *times, const char *name) {
	for (uint32_t i = 0; i < times->row_count; i++) {
		if (strncmp(times->rows[i].name, name, SNW_REDRAW_NAME - 1) == 0) {
			return &times->rows[i];
		}
	}
	if (times->row_count == SNW_REDRAW_ROWS) {
		return NULL;
	}
	snw_redraw_row *row = &times->rows[times->row_count++];
	*row = (snw_redraw_row){0};
	snprintf(row->name, sizeof row->name, "%s", name);
	return row;
}

void snw_redraw_times_name(snw_redraw_times *times, const char *name) {
	snw_redraw_row *row = row_of(times, name);
	if (row) {
		row->redraws++;
	}
	if (!times->current.name[0]) {
		snprintf(times->current.name, sizeof times->current.name, "%s", name);
	}
}

void snw_redraw_times_mark(snw_redraw_times *times, snw_redraw_part part) {
	const double wall = 1e3 * snk_clock_seconds(), cpu = 1e3 * snk_clock_thread_seconds();
	times->current.wall[part] += wall - times->wall_mark;
	times->current.cpu[part] += cpu - times->cpu_mark;
	times->wall_mark = wall;
	times->cpu_mark = cpu;
}

void snw_redraw_times_end(snw_redraw_times *times) {
	snw_redraw_row *current = &times->current;
	if (!current->name[0]) {
		snw_redraw_times_name(times, "redraw");
	}
	for (int part = 0; part < SNW_REDRAW_PARTS; part++) {
		current->wall_whole += current->wall[part];
		current->cpu_whole += current->cpu[part];
	}
	snw_redraw_row *row = row_of(times, current->name);
	if (row && current->wall_whole >= row->wall_whole) {
		current->redraws = row->redraws;
		*row = *current;
	}
}
