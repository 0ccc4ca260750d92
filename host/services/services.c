/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "services/services.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/adopt.h"
#include "contact/contact.h"
#include "mesh/mesh.h"
#include "program/program.h"
#include "services/services_internal.h"
#include "sinew/kit/clock.h"
#include "task/task.h"

/* ---- contact service ----------------------------------------------------------------------------------------------------- */

/* The contact service, over host/contact. A mesh is posed whole, so queries of one mesh may run beside each other. */

struct snw_contact_mesh {
	snw_arena *arena;
	uint32_t point_count;
	snw_contact_tree *tree;
	snw_contact_mesh_pose *pose;
	snw_adjacency around;
	float *points; /* [point_count][3] */
};

static void pose_mesh(snw_contact_mesh *contact, const double *points_posed) {
	for (size_t i = 0; i < 3 * (size_t)contact->point_count; i++) {
		contact->points[i] = (float)points_posed[i];
	}
	snw_contact_pose_points(contact->pose, contact->points);
	snw_contact_make_dipoles(contact->pose);
}

static snw_status contact_open(const snw_host *host, uint32_t mesh, snw_contact_mesh **contact) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.open")) {
		return SNW_ERROR_ARGUMENT;
	}
	const snw_scene *scene = snw_services_of(host)->scene;
	if (!contact || mesh >= scene->mesh_count) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "contact.open: there is no such mesh");
	}
	snw_arena *arena = snw_arena_create();
	snw_contact_mesh *made = SNW_NEW(arena, snw_contact_mesh);
	*made = (snw_contact_mesh){
		.arena = arena,
		.point_count = scene->meshes[mesh].point_count,
		.tree = snw_contact_tree_make(&scene->meshes[mesh], NULL, arena),
		.around = snw_adjacency_make(&scene->meshes[mesh], NULL, arena),
		.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)scene->meshes[mesh].point_count),
	};
	made->pose = snw_contact_mesh_pose_make(made->tree, arena);
	pose_mesh(made, scene->meshes[mesh].points_rest);
	*contact = made;
	return SNW_OK;
}

static snw_status contact_pose(const snw_host *host, snw_contact_mesh *contact, const double *points_posed) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.pose")) {
		return SNW_ERROR_ARGUMENT;
	}
	if (!contact || !points_posed) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "contact.pose: a mesh and its points are needed");
	}
	pose_mesh(contact, points_posed);
	return SNW_OK;
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

/* The pairs of a mesh with itself that are not within so many rings of each other. */
typedef struct ringed_list {
	snw_contact_list list;
	const snw_contact_mesh *contact;
	uint32_t rings;
	uint32_t *marks; /* [point_count]: the search that reached a point last */
	uint32_t mark;
	uint32_t *reached; /* [point_count] */
} ringed_list;

static void reach(ringed_list *ringed, uint32_t point, uint32_t *count) {
	if (ringed->marks[point] != ringed->mark) {
		ringed->marks[point] = ringed->mark;
		ringed->reached[(*count)++] = point;
	}
}

static bool are_within_rings(ringed_list *ringed, uint32_t first, uint32_t second) {
	const snw_adjacency *around = &ringed->contact->around;
	const uint32_t *from = snw_contact_tree_corners(ringed->contact->tree, first);
	const uint32_t *to = snw_contact_tree_corners(ringed->contact->tree, second);
	uint32_t count = 0, begin = 0;
	ringed->mark++;
	for (int k = 0; k < 3; k++) {
		reach(ringed, from[k], &count);
	}
	for (uint32_t ring = 0; ring < ringed->rings && begin < count; ring++) {
		const uint32_t end = count;
		for (; begin < end; begin++) {
			const uint32_t point = ringed->reached[begin];
			for (uint32_t n = around->neighbour_starts[point]; n < around->neighbour_starts[point + 1]; n++) {
				reach(ringed, around->neighbours[n], &count);
			}
		}
	}
	return ringed->marks[to[0]] == ringed->mark || ringed->marks[to[1]] == ringed->mark || ringed->marks[to[2]] == ringed->mark;
}

static bool take_ringed(void *context, uint32_t first, uint32_t second, double distance) {
	ringed_list *ringed = context;
	return are_within_rings(ringed, first, second) || snw_contact_list_take(&ringed->list, first, second, distance);
}

static snw_status contact_pairs(const snw_host *host, const snw_contact_pairs_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.pairs")) {
		return SNW_ERROR_ARGUMENT;
	}
	snw_contact_pairs_call call;
	snw_adopt(&call, sizeof call, foreign);
	if (!call.first || !call.second || !call.count || (call.capacity > 0 && !call.pairs) || !(call.distance >= 0)) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT,
								 "contact.pairs: two meshes, a distance, and room for pairs are needed");
	}
	ringed_list ringed = {.list = {.capacity = call.capacity, .pairs = call.pairs}, .contact = call.first, .rings = call.rings};
	if (call.first != call.second) {
		snw_contact_pairs(call.first->pose, call.second->pose, call.distance, snw_contact_list_take, &ringed.list);
	} else if (call.rings == 0) {
		snw_contact_self_pairs(call.first->pose, call.distance, snw_contact_list_take, &ringed.list);
	} else {
		snw_arena *scratch = snw_arena_create();
		ringed.marks = SNW_NEW_ARRAY(scratch, uint32_t, call.first->point_count);
		ringed.reached = SNW_NEW_ARRAY(scratch, uint32_t, call.first->point_count);
		snw_contact_self_pairs(call.first->pose, call.distance, take_ringed, &ringed);
		snw_arena_destroy(scratch);
	}
	snw_contact_list_sort(&ringed.list);
	*call.count = ringed.list.count;
	if (ringed.list.is_limited) {
		return snw_services_fail(host, SNW_ERROR_DATA,
								 "contact.pairs: more than ten million triangles meet; the meshes coincide");
	}
	return SNW_OK;
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

static snw_status contact_nearest(const snw_host *host, const snw_contact_points_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.nearest")) {
		return SNW_ERROR_ARGUMENT;
	}
	snw_contact_points_call call;
	snw_adopt(&call, sizeof call, foreign);
	if (!call.mesh || (call.count > 0 && (!call.points || !call.triangles || !call.nearest)) || !(call.distance >= 0)) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "contact.nearest: a mesh, points and room for places are needed");
	}
	for (size_t i = 0; i < call.count; i++) {
		const double *point = call.points + 3 * i;
		const snw_contact_place place = snw_contact_nearest(call.mesh->pose, point, call.distance, NULL, NULL);
		call.triangles[i] = place.triangle;
		memcpy(call.nearest + 3 * i, place.place, sizeof place.place);
		if (call.windings) {
			call.windings[i] = snw_contact_winding(call.mesh->pose, point, SNW_CONTACT_INSIDE);
		}
	}
	return SNW_OK;
}

static void contact_release(const snw_host *host, snw_contact_mesh *contact) {
	(void)host;
	if (snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.release") && contact) {
		snw_arena_destroy(contact->arena);
	}
}

static const snw_contact_service contact_table = {sizeof contact_table, contact_open,    contact_pose,
												  contact_pairs,        contact_nearest, contact_release};

/* ---- task ---------------------------------------------------------------------------------------------------------------- */

/* A user reads no more lines of a level than that. */
enum { MOST_LINES = 1000 };

static void task_line(const snw_host *host, int32_t level, const char *text) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "task.line")) {
		return;
	}
	snw_services *services = snw_services_of(host);
	const snw_log_level known = level >= SNW_LOG_DEBUG && level <= SNW_LOG_ERROR ? (snw_log_level)level : SNW_LOG_INFO;
	atomic_uint *lines = &services->line_counts[known];
	if (atomic_load(lines) > MOST_LINES) {
		return;
	}
	const unsigned count = atomic_fetch_add(lines, 1);
	if (count < MOST_LINES) {
		snw_task_notice(services->task, known, "%s", text ? text : "");
	} else if (count == MOST_LINES) {
		snw_task_notice(services->task, known, "further lines of the plug-in are left out");
	}
}

/* Once the answer is no, it stays no: a plug-in learns from its own next report what a repeated one was answered. */
static bool ask_to_go_on(snw_services *services, double fraction, const char *activity) {
	if (!atomic_load(&services->is_stopped) && !snw_task_progress(services->task, fraction, activity)) {
		atomic_store(&services->is_stopped, true);
	}
	return !atomic_load(&services->is_stopped);
}

static int32_t task_progress(const snw_host *host, double fraction, const char *activity) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "task.progress")) {
		return 1;
	}
	const double clamped = !(fraction > 0) ? 0 : fraction > 1 ? 1 : fraction;
	snw_services *services = snw_services_of(host);
	if (services->task && services->task->progress) {
		pthread_mutex_lock(&services->mutex);
		services->fraction = clamped;
		snprintf(services->activity, sizeof services->activity, "%s", activity ? activity : "");
		services->has_reported = true;
		services->reported = snk_clock_process_seconds();
		pthread_mutex_unlock(&services->mutex);
	}
	return ask_to_go_on(services, clamped, activity ? activity : "");
}

static _Atomic double seconds_between_reports = 0.25;

void snw_services_report_every(double seconds) {
	atomic_store(&seconds_between_reports, seconds);
}

/* A parallel call and a factorisation can take longer than a worker may be silent, and a plug-in does not report from inside.
 * So the thread that called repeats the last report, where there is one, between its ranges or while it waits. If that asks to
 * stop, the plug-in learns so from its own next report. */
void snw_services_repeat_report(snw_services *services) {
	if (!services->task || !services->task->progress) {
		return;
	}
	char activity[sizeof services->activity];
	const double seconds = snk_clock_process_seconds();
	pthread_mutex_lock(&services->mutex);
	const bool is_due = services->has_reported && seconds - services->reported >= atomic_load(&seconds_between_reports);
	const double fraction = services->fraction;
	memcpy(activity, services->activity, sizeof activity);
	services->reported = is_due ? seconds : services->reported;
	pthread_mutex_unlock(&services->mutex);
	if (is_due) {
		(void)ask_to_go_on(services, fraction, activity);
	}
}

static void task_measure(const snw_host *host, const char *name, double value, const char *unit) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "task.measure")) {
		return;
	}
	snw_task_measurement(snw_services_of(host)->task, name ? name : "", value, unit ? unit : "");
}

/* Stores the text as one line. */
static void store_line(char dest[1000], const char *text) {
	snprintf(dest, 1000, "%s", text ? text : "");
	for (char *c = dest; *c; c++) {
		if ((unsigned char)*c < ' ') {
			*c = ' ';
		}
	}
}

snw_status snw_services_fail(const snw_host *host, snw_status status, const char *text) {
	snw_services *services = snw_services_of(host);
	pthread_mutex_lock(&services->mutex);
	store_line(services->refusal, text);
	services->refused = status;
	pthread_mutex_unlock(&services->mutex);
	return status;
}

static snw_status task_fail(const snw_host *host, snw_status status, const char *text) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "task.fail")) {
		return status;
	}
	snw_services *services = snw_services_of(host);
	pthread_mutex_lock(&services->mutex);
	store_line(services->failure, text);
	pthread_mutex_unlock(&services->mutex);
	return status;
}

/* ---- memory -------------------------------------------------------------------------------------------------------------- */

enum { MEMORY_ALIGNMENT = 64 };

/* Before each block. */
typedef struct block_head {
	void *allocated;
	size_t bytes;
} block_head;

/* From calloc, which does not clear memory that the system has just zeroed: pages of large blocks are first touched by the
 * threads that use them. */
static void *memory_acquire(const snw_host *host, size_t bytes) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "memory.acquire")) {
		return NULL;
	}
	if (bytes > SIZE_MAX - 2 * (size_t)MEMORY_ALIGNMENT) {
		return NULL;
	}
	unsigned char *allocated = calloc(1, bytes + 2 * (size_t)MEMORY_ALIGNMENT);
	if (!allocated) {
		return NULL;
	}
	unsigned char *memory = allocated + 2 * (size_t)MEMORY_ALIGNMENT - (uintptr_t)allocated % MEMORY_ALIGNMENT;
	const block_head head = {allocated, bytes};
	memcpy(memory - sizeof head, &head, sizeof head);
	atomic_fetch_add(&snw_services_of(host)->bytes, bytes);
	return memory;
}

static void memory_release(const snw_host *host, void *memory) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "memory.release")) {
		return;
	}
	if (!memory) {
		return;
	}
	block_head head;
	memcpy(&head, (unsigned char *)memory - sizeof head, sizeof head);
	atomic_fetch_sub(&snw_services_of(host)->bytes, head.bytes);
	free(head.allocated);
}

/* ---- parallel ------------------------------------------------------------------------------------------------------------ */

typedef struct plugin_chunks {
	snw_services *services;
	snw_chunk chunk;
	void *argument;
	snw_thread_call call;
} plugin_chunks;

static void run_plugin_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const plugin_chunks *chunks = argument;
	const snw_thread_call previous = snw_thread_enter(chunks->call);
	const bool was = snw_thread_enter_chunk(true);
	chunks->chunk(chunks->argument, begin, end, thread);
	snw_thread_enter_chunk(was);
	snw_thread_leave_chunk(previous);
	if (thread == 0 && !was) { /* the caller's own */
		snw_services_repeat_report(chunks->services);
	}
}

static void parallel_run(const snw_host *host, uint32_t count, uint32_t grain, snw_chunk chunk, void *argument) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "parallel.run")) {
		return;
	}
	plugin_chunks chunks = {snw_services_of(host), chunk, argument, snw_thread_current_call()};
	snw_parallel_for(count, grain, run_plugin_chunk, &chunks);
}

static uint32_t parallel_thread_count(const snw_host *host) {
	(void)host;
	return snw_parallel_thread_count();
}

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

static int32_t program_runs(const snw_host *host, const snw_program_part *foreign) {
	(void)host;
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "program.runs") || !foreign) {
		return 0;
	}
	snw_program_part part;
	snw_adopt(&part, sizeof part, foreign);
	return !snw_program_unknown(&part);
}

/* ---- the table of services ----------------------------------------------------------------------------------------------- */

static const snw_task_service task_table = {sizeof task_table, task_progress, task_fail, task_line, task_measure};
static const snw_memory_service memory_table = {sizeof memory_table, memory_acquire, memory_release};
static const snw_parallel_service parallel_table = {sizeof parallel_table, parallel_run, parallel_thread_count};
static const snw_program_service program_table = {sizeof program_table, program_runs};

static const void *find_service(const snw_host *host, const char *id) {
	const snw_services *services = snw_services_of(host);
	const bool has_below = services->below.stack && services->scene;
	const struct {
		const char *id;
		const void *table;
	} rows[] = {
		{SNW_SERVICE_TASK, &task_table},
		{SNW_SERVICE_MEMORY, &memory_table},
		{SNW_SERVICE_PARALLEL, &parallel_table},
		{SNW_SERVICE_SOLVER, &snw_solver_table},
		{SNW_SERVICE_PROGRAM, &program_table},
		{SNW_SERVICE_BELOW, has_below ? services->below.table : NULL},
		{SNW_SERVICE_CONTACT, services->scene ? &contact_table : NULL},
		{SNW_SERVICE_PROPOSAL, services->proposals && services->scene ? &snw_proposal_table : NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (id && strcmp(rows[i].id, id) == 0) {
			return rows[i].table;
		}
	}
	return NULL;
}

snw_services *snw_services_create(const snw_task *task, const snw_scene *scene, const snw_below *below,
								  snw_proposals *proposals) {
	snw_services *services = calloc(1, sizeof *services);
	if (!services) {
		fprintf(stderr, "sinew: out of memory; close other programs and try again\n");
		exit(1);
	}
	services->host = (snw_host){
		.size = sizeof services->host,
		.abi_major = SNW_ABI_MAJOR,
		.abi_minor = SNW_ABI_MINOR,
		.name = "sinew",
		.version = SINEW_VERSION,
		.context = services,
		.service = find_service,
	};
	services->task = task;
	services->scene = scene;
	if (below) {
		services->below = *below;
	}
	services->proposals = proposals;
	pthread_mutex_init(&services->mutex, NULL);
	return services;
}

void snw_services_destroy(snw_services *services) {
	if (!services) {
		return;
	}
	if (services->below.forget) {
		services->below.forget(services);
	}
	pthread_mutex_destroy(&services->mutex);
	free(services);
}

void snw_services_set_task(snw_services *services, const snw_task *task) {
	services->task = task;
}

const snw_host *snw_services_host(const snw_services *services) {
	return &services->host;
}

/* The message for a failure without one. */
static const char *status_message(snw_status status) {
	switch (status) {
#define STATUS_CASE(name, value, words)                                                                                        \
	case SNW_##name:                                                                                                           \
		return (value) < 0 ? "the plug-in gave no reason; its status says that it " words : (words);
		SNW_STATUS_TABLE(STATUS_CASE)
#undef STATUS_CASE
	default:
		return snw_status_words(status);
	}
}

const char *snw_services_failure(const snw_services *services, snw_status status) {
	if (services->failure[0]) {
		return services->failure;
	}
	/* A plug-in may recover from a refused call and fail for another reason. */
	const bool is_refused = status < 0 && status == services->refused && services->refusal[0];
	/* Users know their data, not the equations that a method solves. */
	if (is_refused && status == SNW_ERROR_SINGULAR) {
		return "what it reads does not determine its result: the examples, frames or points are too few or too much alike";
	}
	return is_refused ? services->refusal : status_message(status);
}

bool snw_services_below_was_read(const snw_services *services) {
	return atomic_load(&services->below_read);
}

uint64_t snw_services_below_calls(const snw_services *services) {
	return atomic_load(&services->below_calls);
}

void snw_services_hide_affine(snw_services *services) {
	atomic_store(&services->below_is_opaque, true);
}

size_t snw_services_bytes(const snw_services *services) {
	return atomic_load(&services->bytes);
}
