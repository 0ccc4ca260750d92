/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/push_out_internal.h"

#include <math.h>
#include <string.h>

#include "contact/contact.h"
#include "mesh/surface.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* Another mesh. */
typedef struct other_mesh {
	const snw_mesh *mesh;
	const snw_contact_tree *tree;
	snw_adjacency around;
	snw_contact_pieces pieces;
	snw_meeting meeting;           /* of the pushed mesh with it */
	snw_rest_place *below, *above; /* of the pushed mesh's points on it, and of its points on the pushed mesh */
} other_mesh;

typedef struct frame_thread {
	snw_evaluation *evaluation;
	snw_contact_mesh_pose *pose, **others;
	float *points, **other_points;
	double *displaced, *rest, *posed, *matrices;
	bool *is_displaced;       /* [point_count]: a point is, or a neighbour */
	bool *meets[2], *deep[2]; /* [most points] of the pushed mesh, and of another */
	bool *is_met;             /* [most points]: of the pieces */
	uint32_t *pending;        /* [most points] */
	snw_arena *arena;         /* of rows, until the next call; of candidates */
	snw_arena *kept;
	snw_status status;
	snw_error error;
} frame_thread;

struct snw_push_frames {
	snw_arena *arena;
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_push_request *request;
	const snw_mesh *mesh;
	double patch;
	double step;    /* no point goes farther at once, metres */
	double no_move; /* a displacement that is shorter is none, metres */
	snw_adjacency around;
	const snw_contact_tree *tree;
	snw_contact_pieces pieces;
	other_mesh *others;
	frame_thread *threads;
	uint32_t count;
	snw_push_frame *frames;
	/* Of a call: */
	const snw_push_out *push;
	const double *displacements; /* NULL: none */
};

const snw_adjacency *snw_push_frames_around(const snw_push_frames *all) {
	return &all->around;
}

void snw_push_frames_depths(const snw_push_frames *all, uint32_t frame, double *depths) {
	const snw_push_frame *of = &all->frames[frame];
	memset(depths, 0, all->mesh->point_count * sizeof *depths);
	for (uint32_t i = 0; i < of->candidate_count; i++) {
		const snw_push_candidate *candidate = &of->candidates[i];
		const uint32_t alone[3] = {candidate->point, candidate->point, candidate->point};
		const bool is_deep = candidate->before < 0;
		const uint32_t *points =
			candidate->is_of_mesh || !is_deep ? alone : snw_contact_tree_corners(all->tree, candidate->triangle);
		for (int k = 0; k < 3 && is_deep; k++) {
			depths[points[k]] = fmax(depths[points[k]], -candidate->before);
		}
	}
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

static void pose_at_rest(const snw_mesh *mesh, float *points, snw_contact_mesh_pose *pose) {
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	snw_contact_pose_points(pose, points);
	snw_contact_make_dipoles(pose);
}

static void open_thread(const snw_push_frames *all, frame_thread *thread) {
	const size_t count = all->mesh->point_count;
	const uint32_t others = all->request->other_count;
	snw_arena *arena = all->arena;
	*thread = (frame_thread){.evaluation = snw_evaluation_create(all->stack),
							 .pose = snw_contact_mesh_pose_make(all->tree, arena),
							 .others = SNW_NEW_ARRAY(arena, snw_contact_mesh_pose *, others),
							 .points = SNW_NEW_ARRAY(arena, float, 3 * count),
							 .other_points = SNW_NEW_ARRAY(arena, float *, others),
							 .displaced = SNW_NEW_ARRAY(arena, double, 3 * count),
							 .rest = SNW_NEW_ARRAY(arena, double, 3 * count),
							 .posed = SNW_NEW_ARRAY(arena, double, 3 * count),
							 .matrices = SNW_NEW_ARRAY(arena, double, 12 * count),
							 .is_displaced = SNW_NEW_ARRAY(arena, bool, count),
							 .arena = snw_arena_create(),
							 .kept = snw_arena_create()};
	size_t most = count;
	for (uint32_t o = 0; o < others; o++) {
		most = all->others[o].mesh->point_count > most ? all->others[o].mesh->point_count : most;
	}
	for (int side = 0; side < 2; side++) {
		thread->meets[side] = SNW_NEW_ARRAY(arena, bool, most);
		thread->deep[side] = SNW_NEW_ARRAY(arena, bool, most);
	}
	thread->pending = SNW_NEW_ARRAY(arena, uint32_t, most);
	thread->is_met = SNW_NEW_ARRAY(arena, bool, most);
	for (uint32_t o = 0; o < others; o++) {
		thread->others[o] = snw_contact_mesh_pose_make(all->others[o].tree, arena);
		thread->other_points[o] = SNW_NEW_ARRAY(arena, float, 3 * (size_t)all->others[o].mesh->point_count);
	}
}

snw_push_frames *snw_push_frames_create(const snw_scene *scene, const snw_stack *stack, const snw_push_request *request,
										uint32_t count, snw_push_frame *frames) {
	snw_arena *arena = snw_arena_create();
	snw_push_frames *all = SNW_NEW(arena, snw_push_frames);
	*all = (snw_push_frames){.arena = arena,
							 .scene = scene,
							 .stack = stack,
							 .request = request,
							 .mesh = &scene->meshes[request->mesh],
							 .patch = snw_contact_default_patch(scene),
							 .no_move = SNW_NO_PUSH * snw_scene_diagonal(scene, SNW_NONE),
							 .step = SNW_PUSH_STEP * request->most,
							 .others = SNW_NEW_ARRAY(arena, other_mesh, request->other_count),
							 .threads = SNW_NEW_ARRAY(arena, frame_thread, snw_parallel_thread_count()),
							 .count = count,
							 .frames = frames};
	all->around = snw_adjacency_make(all->mesh, NULL, arena);
	all->tree = snw_contact_tree_make(all->mesh, NULL, arena);
	all->pieces = snw_contact_pieces_list(all->tree, arena);
	for (uint32_t o = 0; o < request->other_count; o++) {
		all->others[o].mesh = &scene->meshes[request->others[o]];
		all->others[o].tree = snw_contact_tree_make(all->others[o].mesh, NULL, arena);
		all->others[o].around = snw_adjacency_make(all->others[o].mesh, NULL, arena);
		all->others[o].pieces = snw_contact_pieces_list(all->others[o].tree, arena);
	}
	for (uint32_t t = 0; t < snw_parallel_thread_count(); t++) {
		open_thread(all, &all->threads[t]);
	}
	frame_thread *first = &all->threads[0];
	pose_at_rest(all->mesh, first->points, first->pose);
	for (uint32_t o = 0; o < request->other_count; o++) {
		other_mesh *other = &all->others[o];
		pose_at_rest(other->mesh, first->other_points[o], first->others[o]);
		other->meeting = snw_meeting_at_rest(first->pose, first->others[o], arena);
		other->below = snw_rest_places_find(first->pose, first->others[o], all->patch, arena);
		other->above = snw_rest_places_find(first->others[o], first->pose, all->patch, arena);
	}
	return all;
}

void snw_push_frames_destroy(snw_push_frames *all) {
	for (uint32_t t = 0; all && t < snw_parallel_thread_count(); t++) {
		snw_evaluation_destroy(all->threads[t].evaluation);
		snw_arena_destroy(all->threads[t].arena);
		snw_arena_destroy(all->threads[t].kept);
	}
	snw_arena_destroy(all ? all->arena : NULL);
}

/* ---- a frame ------------------------------------------------------------------------------------------------------------- */

/* A candidate where it is posed. */
typedef struct tried_candidate {
	snw_push_candidate candidate;
	double height, at[3];
} tried_candidate;

/* What is found at a frame. */
typedef struct frame_search {
	const snw_push_frames *all;
	frame_thread *thread;
	snw_push_frame *frame;
	uint32_t index;
	double reach; /* how far the push can displace a point at this frame, metres */
	uint32_t row_room, candidate_room, tried_count, tried_room;
	tried_candidate *tried;
	snw_push_row *rows;
	snw_push_candidate *candidates;
} frame_search;

/* Displaces the rest, as a corrective does, and marks what is displaced. */
static void displace(const frame_search *s) {
	const snw_push_frames *all = s->all;
	frame_thread *thread = s->thread;
	const uint32_t count = all->mesh->point_count;
	memset(thread->displaced, 0, 3 * (size_t)count * sizeof *thread->displaced);
	memset(thread->is_displaced, 0, count * sizeof *thread->is_displaced);
	if (all->displacements) {
		snw_push_out_at(all->push, all->displacements, s->index, thread->displaced);
	}
	for (uint32_t p = 0; p < count; p++) {
		const bool is = snw_length3(thread->displaced + 3 * (size_t)p) > all->no_move;
		for (uint32_t n = all->around.neighbour_starts[p]; n < all->around.neighbour_starts[p + 1] && is; n++) {
			thread->is_displaced[all->around.neighbours[n]] = true;
		}
		thread->is_displaced[p] = is || thread->is_displaced[p];
	}
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		thread->rest[i] = all->mesh->points_rest[i] + thread->displaced[i];
	}
}

static snw_status pose_meshes(const frame_search *s) {
	const snw_push_frames *all = s->all;
	frame_thread *thread = s->thread;
	const uint32_t mesh = all->request->mesh, count = all->mesh->point_count;
	snw_status status = snw_stack_drive(all->stack, s->frame->moment->pose, thread->evaluation, &thread->error);
	displace(s);
	status = snw_failed(status)
				 ? status
				 : snw_stack_matrices(all->stack, thread->evaluation, mesh, count, NULL, thread->matrices, &thread->error);
	status = snw_failed(status)
				 ? status
				 : snw_stack_reference(all->stack, thread->evaluation, mesh, thread->rest, thread->posed, &thread->error);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		thread->points[i] = (float)thread->posed[i];
	}
	snw_contact_pose_points(thread->pose, thread->points);
	for (uint32_t o = 0; o < all->request->other_count && !snw_failed(status); o++) {
		status =
			snw_stack_run(all->stack, thread->evaluation, all->request->others[o], thread->other_points[o], &thread->error);
		snw_contact_pose_points(thread->others[o], thread->other_points[o]);
	}
	return status;
}

/* A direction at a point of the pushed mesh, taken back to rest. */
static void take_back(const frame_search *s, uint32_t point, double share, const double direction[3], double vector[3]) {
	const double *matrix = s->thread->matrices + 12 * (size_t)point;
	for (int c = 0; c < 3; c++) {
		vector[c] = share * (matrix[c] * direction[0] + matrix[4 + c] * direction[1] + matrix[8 + c] * direction[2]);
	}
}

/* The row that raises what is at a height to its goal, by a move along a direction of what these points hold by their
 * shares. */
static void add_row(frame_search *s, const uint32_t points[3], const double shares[3], const double direction[3], double height,
					double goal) {
	snw_push_row row = {.frame = s->index, .least = goal - height, .weight = goal - height};
	for (int j = 0; j < 3; j++) {
		row.points[j] = points[j];
		take_back(s, points[j], shares[j], direction, row.vectors[j]);
		row.least += snw_dot3(row.vectors[j], s->thread->displaced + 3 * (size_t)points[j]);
	}
	s->rows = snw_arena_grow(s->thread->arena, s->rows, s->frame->row_count, &s->row_room, sizeof *s->rows);
	s->rows[s->frame->row_count++] = row;
}

/* How high a point should be. */
static double goal_of(const frame_search *s, const snw_rest_place *rest, double before) {
	const double goal = fmin(s->all->request->clearance, fabs(rest->height) / 2);
	return s->frame->is_asked ? goal : fmin(goal, before);
}

static void push_point(frame_search *s, const snw_rest_place *rest, const snw_push_candidate *candidate, double height,
					   double goal) {
	const double side = rest->height > 0 ? 1 : -1, shares[3] = {1, 0, 0};
	const uint32_t points[3] = {candidate->point, candidate->point, candidate->point};
	double direction[3];
	for (int c = 0; c < 3; c++) {
		direction[c] = side * (double)candidate->normal[c];
	}
	add_row(s, points, shares, direction, height, goal);
}

/* Away from a point of another mesh: the triangle that it is nearest to is pushed, the other way. */
static void push_triangle(frame_search *s, const snw_rest_place *rest, const snw_push_candidate *candidate, const double at[3],
						  double height, double goal) {
	const double side = rest->height > 0 ? -1 : 1;
	const snw_triangle where = snw_contact_mesh_triangle(s->thread->pose, candidate->triangle);
	const double *const corners[3] = {where.corners[0], where.corners[1], where.corners[2]};
	double shares[3], direction[3];
	snw_triangle_nearest(at, corners, shares);
	for (int c = 0; c < 3; c++) {
		direction[c] = side * (double)candidate->normal[c];
	}
	add_row(s, snw_contact_tree_corners(s->all->tree, candidate->triangle), shares, direction, height, goal);
}

static void add_candidate(frame_search *s, const snw_push_candidate *candidate) {
	snw_push_frame *frame = s->frame;
	s->candidates =
		snw_arena_grow(s->thread->kept, s->candidates, frame->candidate_count, &s->candidate_room, sizeof *s->candidates);
	s->candidates[frame->candidate_count++] = *candidate;
}

static void take_place(const snw_contact_place *place, snw_push_candidate *candidate) {
	candidate->triangle = place->triangle;
	for (int c = 0; c < 3; c++) {
		candidate->normal[c] = (float)place->normal[c];
	}
}

/* Whether what the push displaces is where a candidate is nearest without it. */
static bool is_displaced(const frame_search *s, const snw_push_candidate *candidate) {
	const bool *displaced = s->thread->is_displaced;
	const uint32_t *corners = snw_contact_tree_corners(s->all->tree, candidate->is_of_mesh ? 0 : candidate->triangle);
	return candidate->is_of_mesh ? displaced[candidate->point]
								 : displaced[corners[0]] || displaced[corners[1]] || displaced[corners[2]];
}

/* Where a candidate is nearest. */
static bool find_height(const frame_search *s, const snw_rest_place *rest, const double at[3], snw_push_candidate *candidate,
						double *height) {
	snw_contact_mesh_pose *other = s->thread->others[candidate->other], *mesh = s->thread->pose;
	const snw_posed_point point = {candidate->is_of_mesh ? mesh : other, candidate->point, {at[0], at[1], at[2]}};
	snw_contact_place place;
	if (!snw_own_patch_height(&point, candidate->is_of_mesh ? other : mesh, rest, s->all->patch, &place, height)) {
		return false;
	}
	take_place(&place, candidate);
	return true;
}

static const snw_rest_place *rest_of(const frame_search *s, const snw_push_candidate *candidate) {
	const other_mesh *other = &s->all->others[candidate->other];
	return candidate->is_of_mesh ? &other->below[candidate->point] : &other->above[candidate->point];
}

static void try_candidate(frame_search *s, snw_push_candidate candidate) {
	const snw_push_frames *all = s->all;
	const float *points = candidate.is_of_mesh ? s->thread->points : s->thread->other_points[candidate.other];
	const size_t first = 3 * (size_t)candidate.point;
	tried_candidate tried = {.height = candidate.before,
							 .at = {(double)points[first], (double)points[first + 1], (double)points[first + 2]}};
	const bool is_new = !all->displacements || isnan(candidate.before) || is_displaced(s, &candidate);
	if (is_new && !find_height(s, rest_of(s, &candidate), tried.at, &candidate, &tried.height)) {
		tried.height = (double)NAN;
	}
	candidate.before = all->displacements ? candidate.before : tried.height;
	tried.candidate = candidate;
	s->tried = snw_arena_grow(s->thread->arena, s->tried, s->tried_count, &s->tried_room, sizeof *s->tried);
	s->tried[s->tried_count++] = tried;
}

/* A snw_point_in_contact, of marks. */
static bool is_marked(const void *context, uint32_t point, uint32_t sample) {
	(void)sample;
	return ((const bool *)context)[point];
}

/* Marks the deep points of a piece that no triangle which meets leads to, if it is all on the other side. */
static void reach_pieces(const frame_search *s, uint32_t other, int side) {
	frame_thread *thread = s->thread;
	const snw_contact_pieces *pieces = side == 0 ? &s->all->pieces : &s->all->others[other].pieces;
	const uint32_t listed = pieces->starts[pieces->count];
	const bool *deep = thread->deep[side];
	memset(thread->is_met, false, pieces->count * sizeof *thread->is_met);
	for (uint32_t i = 0; i < listed; i++) {
		const uint32_t point = pieces->points[i];
		thread->is_met[pieces->of[point]] = thread->is_met[pieces->of[point]] || thread->meets[side][point];
	}
	for (uint32_t i = 0; i < pieces->count; i++) {
		const bool is_deep = !thread->is_met[i] && snw_piece_in_contact(pieces, i, is_marked, deep);
		for (uint32_t k = pieces->starts[i]; k < pieces->starts[i + 1] && is_deep; k++) {
			thread->meets[side][pieces->points[k]] = true;
		}
	}
}

/* Of the points that are on the other side of their patch, only those have gone through that triangles which meet lead to, from
 * such a point to the next, and those of pieces that are all on the other side. The others are no longer marked as deep. */
static void leave_reached(const frame_search *s, uint32_t other, int side) {
	frame_thread *thread = s->thread;
	const snw_adjacency *around = side == 0 ? &s->all->around : &s->all->others[other].around;
	const uint32_t point_count = side == 0 ? s->all->mesh->point_count : s->all->others[other].mesh->point_count;
	bool *deep = thread->deep[side], *reached = thread->meets[side];
	uint32_t count = 0;
	for (uint32_t p = 0; p < point_count; p++) {
		reached[p] = reached[p] && deep[p];
		if (reached[p]) {
			thread->pending[count++] = p;
		}
	}
	for (uint32_t i = 0; i < count; i++) { /* `count` grows */
		const uint32_t point = thread->pending[i];
		for (uint32_t n = around->neighbour_starts[point]; n < around->neighbour_starts[point + 1]; n++) {
			const uint32_t next = around->neighbours[n];
			if (deep[next] && !reached[next]) {
				reached[next] = true;
				thread->pending[count++] = next;
			}
		}
	}
	memcpy(deep, reached, point_count * sizeof *deep);
}

/* Marks the points that went through another mesh, or that it went through. */
static void find_deep(const frame_search *s, uint32_t other) {
	frame_thread *thread = s->thread;
	bool is_any = false;
	for (int side = 0; side < 2; side++) {
		const uint32_t count = side == 0 ? s->all->mesh->point_count : s->all->others[other].mesh->point_count;
		memset(thread->deep[side], 0, count * sizeof *thread->deep[side]);
		memset(thread->meets[side], 0, count * sizeof *thread->meets[side]);
	}
	for (uint32_t i = 0; i < s->tried_count; i++) {
		const snw_push_candidate *candidate = &s->tried[i].candidate;
		if (candidate->other == other && s->tried[i].height < 0) {
			thread->deep[candidate->is_of_mesh ? 0 : 1][candidate->point] = true;
			is_any = true;
		}
	}
	if (is_any) {
		snw_meeting_mark(&s->all->others[other].meeting, thread->pose, thread->others[other], thread->meets[0],
						 thread->meets[1]);
		for (int side = 0; side < 2; side++) {
			reach_pieces(s, other, side);
			leave_reached(s, other, side);
		}
	}
}

static void take_tried(frame_search *s, tried_candidate *tried) {
	const snw_push_frames *all = s->all;
	const snw_push_candidate *candidate = &tried->candidate;
	const snw_rest_place *rest = rest_of(s, candidate);
	if (isnan(tried->height)) {
		if (!all->displacements) {
			tried->candidate.before = (double)NAN;
			add_candidate(s, candidate);
		}
		return;
	}
	const double goal = goal_of(s, rest, candidate->before), lack = fmax(goal - tried->height, 0);
	s->frame->deepest = fmax(s->frame->deepest, -tried->height);
	s->frame->excess += lack * lack * lack * lack;
	if (tried->height >= goal + (all->displacements ? fmin(s->reach, all->step) : s->reach)) {
		return;
	}
	if (!all->displacements) {
		add_candidate(s, candidate);
	} else if (candidate->is_of_mesh) {
		push_point(s, rest, candidate, tried->height, goal);
	} else {
		push_triangle(s, rest, candidate, tried->at, tried->height, goal);
	}
}

static void take_all_tried(frame_search *s) {
	for (uint32_t o = 0; o < s->all->request->other_count; o++) {
		find_deep(s, o);
		for (uint32_t i = 0; i < s->tried_count; i++) {
			tried_candidate *tried = &s->tried[i];
			const snw_push_candidate *candidate = &tried->candidate;
			if (candidate->other != o) {
				continue;
			}
			if (tried->height < 0 && !s->thread->deep[candidate->is_of_mesh ? 0 : 1][candidate->point]) {
				tried->height = (double)NAN;
			}
			take_tried(s, tried);
		}
	}
}

/* Every point that has a patch. */
static void try_all(frame_search *s) {
	for (uint32_t o = 0; o < s->all->request->other_count; o++) {
		const other_mesh *other = &s->all->others[o];
		for (uint32_t side = 0; side < 2; side++) {
			const snw_rest_place *places = side == 0 ? other->below : other->above;
			const uint32_t count = side == 0 ? s->all->mesh->point_count : other->mesh->point_count;
			for (uint32_t p = 0; p < count; p++) {
				if (places[p].height != 0) {
					try_candidate(s, (snw_push_candidate){
										 .other = (uint16_t)o, .is_of_mesh = side == 0, .point = p, .triangle = SNW_NONE});
				}
			}
		}
	}
}

/* How far the push can displace a point at a frame. */
static double reach_at(const snw_push_frames *all, uint32_t frame) {
	const snw_push_out *push = all->push;
	double most = all->displacements ? 0 : 1;
	for (int side = 0; side < 2 && all->displacements; side++) {
		double sum = 0;
		for (uint32_t k = 0; push->coefficients[side] && k < push->example_count; k++) {
			sum += fabs(push->coefficients[side][(size_t)frame * push->example_count + k]);
		}
		most = fmax(most, sum);
	}
	return fmin(most, 1) * all->request->most;
}

static void find_frame(const snw_push_frames *all, frame_thread *thread, uint32_t index) {
	snw_push_frame *frame = &all->frames[index];
	frame_search s = {.all = all, .thread = thread, .frame = frame, .index = index, .reach = reach_at(all, index)};
	frame->row_count = 0;
	frame->deepest = frame->excess = 0;
	if (s.reach <= all->no_move) {
		frame->deepest = frame->deepest_before;
		return;
	}
	thread->status = pose_meshes(&s);
	if (snw_failed(thread->status)) {
		return;
	}
	if (!all->displacements) {
		frame->candidate_count = 0;
		try_all(&s);
	}
	for (uint32_t i = 0; i < frame->candidate_count && all->displacements; i++) {
		if (!(frame->candidates[i].before >= all->request->clearance + s.reach)) { /* else it stays high enough */
			try_candidate(&s, frame->candidates[i]);
		}
	}
	take_all_tried(&s);
	frame->rows = s.rows;
	if (!all->displacements) {
		frame->candidates = s.candidates;
		frame->deepest_before = frame->deepest;
	}
}

static void find_frames(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const snw_push_frames *all = argument;
	for (uint32_t f = begin; f < end && !snw_failed(all->threads[thread].status); f++) {
		find_frame(all, &all->threads[thread], f);
	}
}

snw_status snw_push_frames_find(snw_push_frames *all, const snw_push_out *push, const double *displacements,
								const snw_task *task, snw_error *error) {
	all->push = push;
	all->displacements = displacements;
	for (uint32_t t = 0; t < snw_parallel_thread_count(); t++) {
		snw_arena_destroy(all->threads[t].arena);
		all->threads[t].arena = snw_arena_create();
	}
	if (!snw_task_progress(task, 0, "finding what is deep")) {
		return snw_fail(error, SNW_CANCELLED, "pushing out was cancelled");
	}
	snw_parallel_for(all->count, 1, find_frames, all);
	for (uint32_t t = 0; t < snw_parallel_thread_count(); t++) {
		if (snw_failed(all->threads[t].status)) {
			return snw_fail(error, all->threads[t].status, "%s", all->threads[t].error.text);
		}
	}
	return SNW_OK;
}
