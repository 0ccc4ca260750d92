/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each thread has an evaluation and the posed trees of its own; what is known of the rest is shared.
 */
#include "measure/contact_moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "mesh/mesh.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "task/task.h"

enum { AT_ONCE = 16 }; /* moments between two reports of progress */
/* Of the diagonal: that of a human with its arms out is 2 m. */
#define NEIGHBOURS_SHARE (0.02 / 2.0)
#define PATCH_SHARE (0.06 / 2.0)
#define MADE_SHARE (0.0001 / 2.0)
enum { MOST_CONTACT_STEPS = 2000 };          /* between the keys of a clip, if it is long */
static const double LONGEST_STEP = 1.0 / 24; /* seconds */

/* ---- what is shared ------------------------------------------------------------------------------------------------------ */

/* What is known of a mesh at rest. */
typedef struct rest_mesh {
	const snw_mesh *mesh;
	snw_contact_tree *tree; /* NULL: no pair has the mesh */
	snw_adjacency around;
	snw_meeting folds; /* if it is asked about them */
	snw_contact_pieces pieces;
} rest_mesh;

/* A pair of meshes at rest. */
typedef struct rest_pair {
	uint32_t meshes[2];
	snw_rest_place *places[2]; /* [point_count] of each of the two, on the other; NULL of a mesh with itself */
	bool *is_inside_at_rest;   /* [point_count], of a mesh with itself; else NULL */
	uint32_t count;
	snw_contact_pair *pairs; /* [count], rising: triangles that meet */
} rest_pair;

typedef struct finding {
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_contact_request *request;
	rest_mesh *meshes; /* [mesh_count] */
	rest_pair *pairs;  /* [pair_count] */
	snw_contact_moments *found;
	struct thread_state *threads;
	uint32_t first; /* moment of those that run now */
} finding;

enum { MOST_KEPT = 200000 }; /* pairs of triangles of one pair of meshes whose points begin a search */

/* Of a thread. */
typedef struct thread_state {
	const finding *work;
	snw_evaluation *evaluation;
	snw_contact_mesh_pose **poses;       /* [mesh_count]; NULL where no pair has the mesh */
	snw_contact_neighbours **neighbours; /* [mesh_count]; NULL where it is not asked about itself */
	bool **folds;                        /* [mesh_count][point_count]: points in folds; NULL where they are not asked about */
	float **points;                      /* [mesh_count][point_count][3] */
	double **deepest;                    /* as in the result */
	uint32_t *near_marks, near_mark;     /* [most points]: what is near a point along its surface */
	uint32_t *marks, mark;               /* [most points]: the search that visited a point last */
	uint32_t *pending;                   /* [most points] */
	bool *is_apart;                      /* [most points]: of the pieces, those of which no triangle meets the other mesh */
	snw_contact_pair *kept;              /* [MOST_KEPT] */
	snw_status status;
	snw_error error;
} thread_state;

/* ---- pairs of triangles -------------------------------------------------------------------------------------------------- */

/* What a query of a pair of meshes finds. */
typedef struct pair_query {
	thread_state *state;
	const rest_pair *rest;
	snw_pair_contact *contact;
	uint32_t total, kept_count;
} pair_query;

static int compare_pairs(const void *a, const void *b) {
	const snw_contact_pair *x = a, *y = b;
	for (int k = 0; k < 2; k++) {
		if (x->triangles[k] != y->triangles[k]) {
			return x->triangles[k] < y->triangles[k] ? -1 : 1;
		}
	}
	return 0;
}

static bool take_pair(void *context, uint32_t first, uint32_t second, double distance) {
	pair_query *query = context;
	const snw_contact_pair pair = {{first, second}, distance};
	const rest_pair *rest = query->rest;
	if (query->total++ == SNW_CONTACT_MOST_PAIRS) {
		query->contact->is_limited = true;
		return false;
	}
	if (rest->count > 0 && bsearch(&pair, rest->pairs, rest->count, sizeof pair, compare_pairs)) {
		return true;
	}
	snw_contact_neighbours *neighbours = query->state->neighbours[rest->meshes[0]];
	if (rest->meshes[0] == rest->meshes[1] && snw_contact_are_neighbours(neighbours, first, second)) {
		query->contact->hidden += distance == 0;
		return true;
	}
	if (distance > 0) {
		query->contact->near++;
		return true;
	}
	query->contact->triangles++;
	if (query->kept_count < MOST_KEPT) {
		query->state->kept[query->kept_count++] = pair;
	}
	return true;
}

static void find_pairs(pair_query *query) {
	thread_state *state = query->state;
	const uint32_t *meshes = query->rest->meshes;
	const double clearance = state->work->request->clearance;
	if (meshes[0] == meshes[1]) {
		snw_contact_self_pairs(state->poses[meshes[0]], clearance, take_pair, query);
	} else {
		snw_contact_pairs(state->poses[meshes[0]], state->poses[meshes[1]], clearance, take_pair, query);
	}
	qsort(state->kept, query->kept_count, sizeof *state->kept, compare_pairs);
	query->contact->first_triangle = query->kept_count > 0 ? state->kept[0].triangles[0] : SNW_NONE;
	query->contact->second_triangle = query->kept_count > 0 ? state->kept[0].triangles[1] : SNW_NONE;
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

/* The points of one mesh of a pair against the other. */
typedef struct probe {
	thread_state *state;
	const rest_pair *rest;
	uint32_t side; /* 0: the points of the first mesh */
	uint32_t mesh, other;
	snw_pair_contact *contact;
} probe;

static void mark_neighbours(const probe *p, uint32_t point) {
	thread_state *state = p->state;
	const uint32_t *near, count = snw_contact_neighbours_of(state->neighbours[p->mesh], point, &near);
	state->near_marks[point] = ++state->near_mark;
	for (uint32_t i = 0; i < count; i++) {
		state->near_marks[near[i]] = state->near_mark;
	}
}

static void subtract(const double a[3], const double b[3], double difference[3]) {
	for (int c = 0; c < 3; c++) {
		difference[c] = a[c] - b[c];
	}
}

/* A point that looks for a way out. */
typedef struct way_out {
	const probe *probe;
	const double *at;
	uint32_t piece; /* all of which is inside another one; SNW_NONE */
} way_out;

/* Of a mesh with itself, what is near the point along the surface is no way out: those points are marked. Nor is the point's
 * piece, where all of it is inside another one, or what the point is in front of. */
static bool leads_out(const void *context, uint32_t triangle) {
	const way_out *way = context;
	const probe *p = way->probe;
	const uint32_t *corners = snw_contact_tree_corners(p->state->work->meshes[p->other].tree, triangle),
				   *marks = p->state->near_marks;
	const uint32_t mark = p->state->near_mark;
	if (way->piece != SNW_NONE && p->state->work->meshes[p->other].pieces.of[corners[0]] == way->piece) {
		return false;
	}
	if (p->mesh == p->other && (marks[corners[0]] == mark || marks[corners[1]] == mark || marks[corners[2]] == mark)) {
		return false;
	}
	const snw_triangle posed = snw_contact_mesh_triangle(p->state->poses[p->other], triangle);
	double edges[2][3], normal[3], from[3];
	subtract(posed.corners[1], posed.corners[0], edges[0]);
	subtract(posed.corners[2], posed.corners[0], edges[1]);
	snw_cross3(edges[0], edges[1], normal);
	subtract(way->at, posed.corners[0], from);
	return snw_dot3(from, normal) < 0;
}

/* Whether the point, or the triangle that it went through, is in a fold of its mesh. */
static bool is_in_fold(const probe *p, uint32_t point, uint32_t triangle) {
	bool *const *folds = p->state->folds;
	const uint32_t *corners = snw_contact_tree_corners(p->state->work->meshes[p->other].tree, triangle);
	bool is_in = folds[p->mesh] && folds[p->mesh][point];
	for (int k = 0; k < 3; k++) {
		is_in = is_in || (folds[p->other] && folds[p->other][corners[k]]);
	}
	return is_in;
}

static void count_depth(const probe *p, uint32_t point, const double at[3], const snw_contact_place *place,
						snw_contact_depth *depth) {
	double *deepest = &p->state->deepest[p->mesh][point];
	depth->count++;
	*deepest = fmax(*deepest, place->distance);
	if (place->distance > depth->deepest) {
		const uint32_t *corners = snw_contact_tree_corners(p->state->work->meshes[p->other].tree, place->triangle);
		depth->deepest = place->distance;
		depth->mesh = p->mesh;
		depth->point = point;
		depth->other_mesh = p->other;
		depth->other_point = corners[0];
		memcpy(depth->place, at, sizeof depth->place);
		subtract(place->place, at, depth->direction);
		snw_normalize3(depth->direction);
	}
}

/* Where a point is posed, as the triangles have it. */
static void take_point(const thread_state *state, uint32_t mesh, uint32_t point, double at[3]) {
	for (size_t c = 0; c < 3; c++) {
		at[c] = (double)state->points[mesh][3 * (size_t)point + c];
	}
}

typedef enum point_contact { NO_CONTACT, WENT_THROUGH, IS_INSIDE } point_contact;

/* With the way out, if the point is in contact. */
static point_contact find_contact(const probe *p, uint32_t point, const double at[3], snw_contact_place *place) {
	const finding *work = p->state->work;
	const snw_rest_place *rest = p->rest->places[p->side] ? &p->rest->places[p->side][point] : NULL;
	const double radius = work->request->patch;
	double height;
	const snw_posed_point posed = {p->state->poses[p->mesh], point, {at[0], at[1], at[2]}};
	if (rest && snw_own_patch_height(&posed, p->state->poses[p->other], rest, radius, place, &height) && height < 0) {
		return WENT_THROUGH;
	}
	const bool was_inside = rest ? rest->is_inside : p->rest->is_inside_at_rest[point];
	if (was_inside || !snw_contact_is_inside(p->state->poses[p->other], at, !rest)) {
		return NO_CONTACT;
	}
	if (!rest) {
		mark_neighbours(p, point);
	}
	const uint32_t piece = work->meshes[p->mesh].pieces.of[point];
	const bool is_apart = !rest && piece != SNW_NONE && p->state->is_apart[piece];
	const way_out way = {p, at, is_apart ? piece : SNW_NONE};
	*place = snw_contact_nearest(p->state->poses[p->other], at, INFINITY, leads_out, &way);
	return place->triangle != SNW_NONE ? IS_INSIDE : NO_CONTACT;
}

/* True if the point is in contact. */
static bool probe_point(const probe *p, uint32_t point) {
	snw_contact_place place;
	double at[3];
	take_point(p->state, p->mesh, point, at);
	const point_contact found = find_contact(p, point, at, &place);
	if (found == WENT_THROUGH) {
		double *outside = &p->contact->outside_folds;
		*outside = is_in_fold(p, point, place.triangle) ? *outside : fmax(*outside, place.distance);
		count_depth(p, point, at, &place, &p->contact->through);
	} else if (found == IS_INSIDE) {
		count_depth(p, point, at, &place, &p->contact->inside);
	}
	return found != NO_CONTACT;
}

static void visit(const probe *p, uint32_t point, uint32_t *count) {
	thread_state *state = p->state;
	if (state->marks[point] != state->mark) {
		state->marks[point] = state->mark;
		state->pending[(*count)++] = point;
	}
}

/* A snw_point_in_contact, of a probe. */
static bool is_in_contact(const void *context, uint32_t point, uint32_t sample) {
	(void)sample;
	const probe *p = context;
	snw_contact_place place;
	double at[3];
	take_point(p->state, p->mesh, point, at);
	return find_contact(p, point, at, &place) != NO_CONTACT;
}

/* Which pieces no triangle that meets leads to. Of those that are in contact, all points are to be probed. */
static void visit_pieces(const probe *p, uint32_t *count) {
	thread_state *state = p->state;
	const snw_contact_pieces *pieces = &state->work->meshes[p->mesh].pieces;
	memset(state->is_apart, true, pieces->count * sizeof *state->is_apart);
	for (uint32_t i = 0; i < *count; i++) {
		state->is_apart[pieces->of[state->pending[i]]] = false;
	}
	for (uint32_t i = 0; i < pieces->count; i++) {
		const bool is_in = state->is_apart[i] && snw_piece_in_contact(pieces, i, is_in_contact, p);
		for (uint32_t k = pieces->starts[i]; k < pieces->starts[i + 1] && is_in; k++) {
			visit(p, pieces->points[k], count);
		}
	}
}

/* From the points of the triangles that meet, along the surface as far as points are in contact. */
static void probe_from_pairs(const probe *p, uint32_t kept_count) {
	thread_state *state = p->state;
	const rest_mesh *mesh = &state->work->meshes[p->mesh];
	uint32_t count = 0;
	state->mark++;
	for (uint32_t i = 0; i < kept_count; i++) {
		for (uint32_t t = 0; t < 2; t++) {
			const bool is_of_mesh = p->mesh == p->other || t == p->side;
			const uint32_t *corners = snw_contact_tree_corners(mesh->tree, is_of_mesh ? state->kept[i].triangles[t] : 0);
			for (int k = 0; k < 3 && is_of_mesh; k++) {
				visit(p, corners[k], &count);
			}
		}
	}
	visit_pieces(p, &count);
	for (uint32_t i = 0; i < count; i++) { /* `count` grows */
		const uint32_t point = state->pending[i];
		if (probe_point(p, point)) {
			for (uint32_t n = mesh->around.neighbour_starts[point]; n < mesh->around.neighbour_starts[point + 1]; n++) {
				visit(p, mesh->around.neighbours[n], &count);
			}
		}
	}
}

/* ---- a moment ------------------------------------------------------------------------------------------------------------ */

static void find_pair_contact(thread_state *state, const rest_pair *rest, snw_pair_contact *contact) {
	const rest_mesh *meshes = state->work->meshes;
	pair_query query = {.state = state, .rest = rest, .contact = contact};
	find_pairs(&query);
	const bool is_self = rest->meshes[0] == rest->meshes[1];
	double points = 0;
	for (uint32_t side = 0; side < (is_self ? 1U : 2U); side++) {
		const probe p = {.state = state,
						 .rest = rest,
						 .side = side,
						 .mesh = rest->meshes[side],
						 .other = rest->meshes[is_self ? side : 1 - side],
						 .contact = contact};
		points += meshes[p.mesh].mesh->point_count;
		probe_from_pairs(&p, query.kept_count);
	}
	contact->share = (contact->through.count + contact->inside.count) / points;
}

static snw_status pose_meshes(thread_state *state, const snw_pose_view *pose) {
	const finding *work = state->work;
	snw_status status = snw_stack_drive(work->stack, pose, state->evaluation, &state->error);
	for (uint32_t m = 0; m < work->scene->mesh_count && !snw_failed(status); m++) {
		if (state->poses[m]) {
			status = snw_stack_run(work->stack, state->evaluation, m, state->points[m], &state->error);
			snw_contact_pose_points(state->poses[m], state->points[m]);
			snw_contact_make_dipoles(state->poses[m]);
		}
		if (state->folds[m] && !snw_failed(status)) {
			const rest_mesh *mesh = &work->meshes[m];
			snw_folds_mark(&mesh->folds, state->poses[m], state->neighbours[m], mesh->mesh->point_count, state->folds[m]);
		}
	}
	return status;
}

static void find_moment(thread_state *state, uint32_t moment) {
	const snw_contact_request *request = state->work->request;
	state->status = pose_meshes(state, request->moments[moment].pose);
	for (uint32_t p = 0; p < request->pair_count && !snw_failed(state->status); p++) {
		find_pair_contact(state, &state->work->pairs[p], &state->work->found->found[(size_t)moment * request->pair_count + p]);
	}
}

static void find_moments(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const finding *work = argument;
	for (uint32_t i = begin; i < end && !snw_failed(work->threads[thread].status); i++) {
		find_moment(&work->threads[thread], work->first + i);
	}
}

/* ---- the rest ------------------------------------------------------------------------------------------------------------ */

static void open_meshes(finding *work, snw_arena *scratch) {
	work->meshes = SNW_NEW_ARRAY(scratch, rest_mesh, work->scene->mesh_count);
	for (uint32_t p = 0; p < 2 * work->request->pair_count; p++) {
		const snw_mesh_pair *pair = &work->request->pairs[p / 2];
		rest_mesh *mesh = &work->meshes[p % 2 ? pair->second : pair->first];
		mesh->mesh = &work->scene->meshes[p % 2 ? pair->second : pair->first];
		if (!mesh->tree) {
			mesh->tree = snw_contact_tree_make(mesh->mesh, NULL, scratch);
			mesh->around = snw_adjacency_make(mesh->mesh, NULL, scratch);
			mesh->pieces = snw_contact_pieces_list(mesh->tree, scratch);
		}
	}
}

/* Whether a mesh is asked about itself. */
static bool meets_itself(const snw_contact_request *request, uint32_t mesh) {
	bool is = false;
	for (uint32_t p = 0; p < request->pair_count; p++) {
		is = is || (request->pairs[p].first == mesh && request->pairs[p].second == mesh);
	}
	return is;
}

static void open_thread(const finding *work, thread_state *state, double **deepest, snw_arena *scratch) {
	const uint32_t mesh_count = work->scene->mesh_count;
	uint32_t most = 0;
	*state = (thread_state){.work = work,
							.evaluation = snw_evaluation_create(work->stack),
							.poses = SNW_NEW_ARRAY(scratch, snw_contact_mesh_pose *, mesh_count),
							.neighbours = SNW_NEW_ARRAY(scratch, snw_contact_neighbours *, mesh_count),
							.folds = SNW_NEW_ARRAY(scratch, bool *, mesh_count),
							.points = SNW_NEW_ARRAY(scratch, float *, mesh_count),
							.deepest = deepest,
							.kept = SNW_NEW_ARRAY(scratch, snw_contact_pair, MOST_KEPT)};
	for (uint32_t m = 0; m < mesh_count; m++) {
		if (work->meshes[m].tree) {
			const uint32_t count = work->scene->meshes[m].point_count;
			most = count > most ? count : most;
			state->poses[m] = snw_contact_mesh_pose_make(work->meshes[m].tree, scratch);
			state->points[m] = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)count);
		}
	}
	for (uint32_t m = 0; m < mesh_count; m++) {
		const bool folds = work->request->folding && work->request->folding[m] && work->meshes[m].tree;
		state->folds[m] = folds ? SNW_NEW_ARRAY(scratch, bool, work->scene->meshes[m].point_count) : NULL;
		if (folds || meets_itself(work->request, m)) {
			state->neighbours[m] = snw_contact_neighbours_make(work->meshes[m].tree, work->request->neighbours, scratch);
		}
	}
	state->marks = SNW_NEW_ARRAY(scratch, uint32_t, most);
	state->near_marks = SNW_NEW_ARRAY(scratch, uint32_t, most);
	state->pending = SNW_NEW_ARRAY(scratch, uint32_t, most);
	state->is_apart = SNW_NEW_ARRAY(scratch, bool, most);
}

static double **make_depths(const finding *work, snw_arena *arena) {
	double **made = SNW_NEW_ARRAY(arena, double *, work->scene->mesh_count);
	for (uint32_t m = 0; m < work->scene->mesh_count; m++) {
		made[m] = SNW_NEW_ARRAY(arena, double, work->scene->meshes[m].point_count);
	}
	return made;
}

/* Of a closed mesh with itself: which points are inside it at rest. */
static void find_inside_at_rest(thread_state *state, rest_pair *pair) {
	const rest_mesh *mesh = &state->work->meshes[pair->meshes[0]];
	const bool may_be = pair->count > 0 || mesh->pieces.count > 1;
	for (uint32_t i = 0; i < mesh->mesh->point_count && may_be; i++) {
		double at[3];
		take_point(state, pair->meshes[0], i, at);
		pair->is_inside_at_rest[i] = snw_contact_is_inside(state->poses[pair->meshes[0]], at, true);
	}
}

/* At rest, by the first thread: what meets, and where points are nearest. */
static void open_pair(finding *work, uint32_t index, snw_arena *scratch) {
	thread_state *state = &work->threads[0];
	rest_pair *pair = &work->pairs[index];
	*pair = (rest_pair){.meshes = {work->request->pairs[index].first, work->request->pairs[index].second}};
	pair_query query = {.state = state, .rest = pair, .contact = &work->found->rest[index]};
	find_pairs(&query);
	pair->pairs = snw_arena_copy(scratch, state->kept, query.kept_count * sizeof *state->kept);
	pair->count = query.kept_count;
	const bool is_self = pair->meshes[0] == pair->meshes[1];
	if (is_self) {
		pair->is_inside_at_rest = SNW_NEW_ARRAY(scratch, bool, work->meshes[pair->meshes[0]].mesh->point_count);
		find_inside_at_rest(state, pair);
	}
	for (uint32_t side = 0; side < 2 && !is_self; side++) {
		pair->places[side] = snw_rest_places_find(state->poses[pair->meshes[side]], state->poses[pair->meshes[1 - side]],
												  work->request->patch, scratch);
	}
}

static void pose_rest(const finding *work) {
	thread_state *state = &work->threads[0];
	for (uint32_t m = 0; m < work->scene->mesh_count; m++) {
		const snw_mesh *mesh = &work->scene->meshes[m];
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count && state->poses[m]; i++) {
			state->points[m][i] = (float)mesh->points_rest[i];
		}
		if (state->poses[m]) {
			snw_contact_pose_points(state->poses[m], state->points[m]);
			snw_contact_make_dipoles(state->poses[m]);
		}
	}
}

static snw_status run_moments(finding *work, const snw_task *task, snw_error *error) {
	const uint32_t count = work->request->moment_count;
	for (; work->first < count; work->first += AT_ONCE) {
		if (!snw_task_progress(task, (double)work->first / count, "finding contact")) {
			return snw_fail(error, SNW_CANCELLED, "finding contact was cancelled");
		}
		snw_parallel_for(count - work->first < AT_ONCE ? count - work->first : AT_ONCE, 1, find_moments, work);
		for (uint32_t t = 0; t < snw_parallel_thread_count(); t++) {
			if (snw_failed(work->threads[t].status)) {
				return snw_fail(error, work->threads[t].status, "%s", work->threads[t].error.text);
			}
		}
	}
	return SNW_OK;
}

snw_status snw_contact_moments_find(const snw_scene *scene, const snw_stack *stack, const snw_contact_request *request,
									const snw_task *task, snw_arena *arena, snw_contact_moments *found, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const uint32_t thread_count = snw_parallel_thread_count();
	finding work = {.scene = scene,
					.stack = stack,
					.request = request,
					.pairs = SNW_NEW_ARRAY(scratch, rest_pair, request->pair_count),
					.found = found,
					.threads = SNW_NEW_ARRAY(scratch, thread_state, thread_count)};
	found->rest = SNW_NEW_ARRAY(arena, snw_pair_contact, request->pair_count);
	found->found = SNW_NEW_ARRAY(arena, snw_pair_contact, (size_t)request->moment_count * request->pair_count);
	found->deepest = make_depths(&work, arena);
	open_meshes(&work, scratch);
	for (uint32_t t = 0; t < thread_count; t++) {
		open_thread(&work, &work.threads[t], t == 0 ? found->deepest : make_depths(&work, scratch), scratch);
	}
	pose_rest(&work);
	for (uint32_t p = 0; p < request->pair_count; p++) {
		open_pair(&work, p, scratch);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (work.threads[0].folds[m]) {
			work.meshes[m].folds = snw_meeting_at_rest(work.threads[0].poses[m], NULL, scratch);
		}
	}
	const snw_status status = run_moments(&work, task, error);
	for (uint32_t t = 0; t < thread_count; t++) {
		for (uint32_t m = 0; m < scene->mesh_count && t > 0; m++) {
			for (uint32_t i = 0; i < scene->meshes[m].point_count; i++) {
				found->deepest[m][i] = fmax(found->deepest[m][i], work.threads[t].deepest[m][i]);
			}
		}
		snw_evaluation_destroy(work.threads[t].evaluation);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- requests ------------------------------------------------------------------------------------------------------------ */

snw_mesh_pair *snw_mesh_pairs_list(const snw_scene *scene, bool between, bool with_itself, snw_arena *arena, uint32_t *count) {
	const size_t mesh_count = scene->mesh_count;
	snw_mesh_pair *list = SNW_NEW_ARRAY(arena, snw_mesh_pair, mesh_count * (mesh_count + 1) / 2);
	*count = 0;
	for (uint32_t a = 0; a < mesh_count && between; a++) {
		for (uint32_t b = a + 1; b < mesh_count; b++) {
			list[(*count)++] = (snw_mesh_pair){a, b};
		}
	}
	for (uint32_t m = 0; m < mesh_count && with_itself; m++) {
		list[(*count)++] = (snw_mesh_pair){m, m};
	}
	return list;
}

/* Between two keys of a clip that moves joints: how many parts of equal length. */
static uint32_t part_count(double gap, double longest) {
	const double count = ceil(gap / longest * (1 - 1e-3));
	return count > 1 ? (uint32_t)count : 1;
}

/* The keys of a clip, and moments between keys that are far apart. */
static double *list_times(const snw_scene *scene, uint32_t clip, snw_arena *arena, uint32_t *count) {
	double *keys, *times;
	uint32_t key_count, room = 0;
	snw_clip_times(scene, clip, arena, &keys, &key_count);
	const double duration = key_count > 0 ? keys[key_count - 1] - keys[0] : 0;
	const double longest =
		snw_clip_moves_joints(&scene->clips[clip]) ? fmax(LONGEST_STEP, duration / MOST_CONTACT_STEPS) : (double)INFINITY;
	*count = 0;
	times = NULL;
	for (uint32_t k = 0; k < key_count; k++) {
		const double gap = k + 1 < key_count ? keys[k + 1] - keys[k] : 0;
		const uint32_t parts = part_count(gap, longest);
		for (uint32_t i = 0; i < parts; i++) {
			times = snw_arena_grow(arena, times, *count, &room, sizeof *times);
			times[(*count)++] = keys[k] + gap * i / parts;
		}
	}
	return times;
}

void snw_contact_moments_add_clip(const snw_scene *scene, uint32_t clip, snw_arena *arena, snw_contact_moment **list,
								  uint32_t *count, uint32_t *room) {
	uint32_t time_count;
	const double *seconds = list_times(scene, clip, arena, &time_count);
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, time_count);
	snw_pose_sample_series(scene, clip, time_count, seconds, arena, poses);
	for (uint32_t i = 0; i < time_count; i++) {
		*list = snw_arena_grow(arena, *list, *count, room, sizeof **list);
		(*list)[(*count)++] = (snw_contact_moment){
			.name = snw_arena_format(arena, "%s:%.6g", scene->clips[clip].name, seconds[i]),
			.clip = clip,
			.seconds = seconds[i],
			.pose = snw_pose_view_make(scene, poses[i], arena),
		};
	}
}

static bool has_target(const snw_scene *scene, uint32_t clip) {
	bool has = false;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		has = has || snw_target_clip(scene, &scene->targets[t]) == clip;
	}
	return has;
}

void snw_contact_moments_choose(const snw_scene *scene, uint32_t most, snw_arena *arena, snw_contact_moment **list,
								uint32_t *count) {
	uint32_t room = 0;
	*list = NULL;
	*count = 0;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_pose *pose = &scene->poses[scene->examples[i].pose];
		*list = snw_arena_grow(arena, *list, *count, &room, sizeof **list);
		(*list)[(*count)++] =
			(snw_contact_moment){.name = pose->name, .clip = SNW_NONE, .pose = snw_pose_view_make(scene, pose, arena)};
	}
	const bool takes_all = *count == 0 && scene->target_count == 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (takes_all || has_target(scene, c)) {
			snw_contact_moments_add_clip(scene, c, arena, list, count, &room);
		}
	}
	for (uint32_t i = 0; i<most && * count> most; i++) {
		(*list)[i] = (*list)[(size_t)i * *count / most];
	}
	*count = *count > most ? most : *count;
}

double snw_contact_default_neighbours(const snw_scene *scene) {
	return NEIGHBOURS_SHARE * snw_scene_diagonal(scene, SNW_NONE);
}

double snw_contact_default_patch(const snw_scene *scene) {
	return PATCH_SHARE * snw_scene_diagonal(scene, SNW_NONE);
}

/* ---- what a stack makes -------------------------------------------------------------------------------------------------- */

static double deepest_of(const snw_pair_contact *contact) {
	return fmax(contact->through.deepest, contact->inside.deepest);
}

snw_contact_made *snw_contact_made_list(const snw_scene *scene, const snw_contact_request *request,
										const snw_contact_moments *found, const snw_contact_moments *before, snw_arena *arena,
										uint32_t *count) {
	const double least = MADE_SHARE * snw_scene_diagonal(scene, SNW_NONE);
	snw_contact_made *list = SNW_NEW_ARRAY(arena, snw_contact_made, request->pair_count);
	*count = 0;
	for (uint32_t p = 0; p < request->pair_count; p++) {
		snw_contact_made made = {.pair = p};
		double most = least;
		for (uint32_t m = 0; m < request->moment_count; m++) {
			const size_t at = (size_t)m * request->pair_count + p;
			const double deepest = deepest_of(&found->found[at]), other = deepest_of(&before->found[at]);
			made.moment_count += deepest - other > least;
			if (deepest - other > most) {
				most = deepest - other;
				made.moment = m;
				made.deepest = deepest;
				made.before = other;
			}
		}
		if (made.moment_count > 0) {
			list[(*count)++] = made;
		}
	}
	return list;
}
