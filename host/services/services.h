/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host as seen from a call into a plug-in: services over a task and, during a fit, over the stack below and the
 * proposals.
 */
#ifndef SINEW_HOST_SERVICES_SERVICES_H
#define SINEW_HOST_SERVICES_SERVICES_H

#include "base/error.h"
#include "scene/scene.h"
#include "sinew/sinew.h"
#include "task/task.h"

struct snw_stack;
typedef struct snw_services snw_services;

/* The service over the stack below a layer, provided by the stack (snw_stack_below_service). */
typedef struct snw_below {
	const struct snw_stack *stack;
	const snw_below_service *table;
	void (*forget)(snw_services *services); /* frees what the service holds of the stack */
} snw_below;

/* What a fit has proposed, in an arena. */
typedef struct snw_proposals {
	snw_arena *arena;
	uint32_t field_count;
	snw_field *fields;
	bool replaces_skeleton; /* the scene's skeleton is a drawing, and the proposed one takes its place */
	bool has_skeleton;
	snw_skeleton skeleton;
	uint32_t slot_count;
	const uint32_t *slot_joints;
	const double *slot_inverse_binds;
	uint32_t skin_count; /* meshes' new base skins */
	struct snw_proposed_skin {
		uint32_t mesh;
		const uint32_t *influence_offsets;
		const uint32_t *influence_slots;
		const double *influence_weights;
	} * skins;
	uint32_t pose_count;
	snw_pose *poses;
	uint32_t track_count;
	struct snw_proposed_track {
		const char *name;
		uint32_t frame_count;
		const double *seconds;
		snw_pose *poses;
	} * tracks;
	uint32_t target_count;
	struct snw_proposed_target {
		const char *name;
		uint32_t mesh;
		uint32_t clip, track; /* of the scene or of the tracks above; the other is SNW_NONE */
		uint32_t frame_count;
		const double *seconds;
		const float *points_posed;
	} * targets;
} snw_proposals;

/* Checks the proposed fields against the descriptor, which must declare each as written, in the same shape, and sets their
 * units. SNW_ERROR_INTERNAL names a field that is not declared, or whose values do not match its unit. */
snw_status snw_proposals_declare(const snw_descriptor *descriptor, snw_proposals *proposals, snw_error *error);

/* With a NULL `task` nothing is reported and nothing stops, but failure messages are still recorded. If `below` is NULL, so
 * are the services over it; proposals need `scene` and `proposals`. `below` is copied; its stack and the other three must
 * outlive the services, and these the instances and models created with them. */
snw_services *snw_services_create(const snw_task *task, const snw_scene *scene, const snw_below *below,
								  snw_proposals *proposals);
void snw_services_destroy(snw_services *services);
/* From here on another task gets what is reported. Not during a call into a plug-in. */
void snw_services_set_task(snw_services *services, const snw_task *task);
const snw_host *snw_services_host(const snw_services *services);
/* How long a plug-in's parallel call may go on before its last report is repeated, in processor seconds (default: 0.25). 0:
 * after each range, for tests. */
void snw_services_report_every(double seconds);
/* The message that the plug-in gave to the task service for its failure or caveat; else that of the last failed service
 * call; else a general one for the status. */
const char *snw_services_failure(const snw_services *services, snw_status status);

/* Whether a plug-in has called the service `below`. */
bool snw_services_below_was_read(const snw_services *services);
/* How often it was called to deform points, counted for each pose. */
uint64_t snw_services_below_calls(const snw_services *services);
/* From here on the service says that no layer is affine. */
void snw_services_hide_affine(snw_services *services);

/* The bytes that plug-ins currently hold through the memory service. */
size_t snw_services_bytes(const snw_services *services);

typedef enum snw_thread_role {
	SNW_ROLE_FREE,       /* outside any call into a plug-in */
	SNW_ROLE_OWNER,      /* inside any other function of a plug-in, open, describe and close among them */
	SNW_ROLE_EVALUATION, /* inside passes, drive, prepare or deform */
} snw_thread_role;

/* What the calling thread is running of a plug-in: its role, the deformer and the function. The strings outlive the call. */
typedef struct snw_thread_call {
	snw_thread_role role;
	const char *who; /* the deformer's short name, or the path of the file while it is loaded; NULL for no plug-in */
	const char *function;
	const char *layer; /* the layer that it runs for; NULL for none */
	bool reports;      /* its time counts from its last report of progress: a fit of the method at hand */
	uint64_t began;    /* for a trace (services.h); 0 without one */
	bool is_named;     /* snw_thread_function has named the function since the call was entered */
} snw_thread_call;

/* Marks the calling thread during a call into a plug-in; returns the previous state. */
snw_thread_call snw_thread_enter(snw_thread_call call);
void snw_thread_leave(snw_thread_call previous);
/* The same at the end of a chunk that runs beside others: the call goes on, and whoever watches functions is not told. */
void snw_thread_leave_chunk(snw_thread_call previous);
snw_thread_call snw_thread_current_call(void);
/* Names the function that the current call continues with. */
void snw_thread_function(const char *function);
/* From here on `named` is called with each function that a call of this process continues with, on its thread, and NULL where
 * the call ends; NULL ends that. For a process that runs a single plug-in. */
void snw_thread_watch_functions(void (*named)(const char *function));
/* The number of service calls that violated their thread tag. */
uint64_t snw_thread_violations(void);
/* The last of them: "proposal.field inside a parallel chunk". Valid until the thread asks again. */
const char *snw_thread_last_violation(void);

/* ---- call trace ---------------------------------------------------------------------------------------------------------- */

/* A trace of calls into plug-ins: for each its deformer, function, layer, thread, begin and duration, as Chrome's JSON,
 * which Perfetto and chrome://tracing open. A worker process adds its calls to the same file. Each call is written when it
 * ends, so that a crash loses none before it. A span lasts until the host calls the next function for the same layer, so it
 * includes what the host does with the result. */

/* From here on calls are written to a new file. `program` names the process in the trace. Call it once, before the first
 * call. */
snw_status snw_call_trace_start(const char *path, const char *program, snw_error *error);
/* Ends the file. Does nothing without a trace. */
void snw_call_trace_end(void);
/* In a process that the program has started with its environment: adds to its trace if there is one. */
void snw_call_trace_join(const char *program);

#endif
