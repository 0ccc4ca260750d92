/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host as one call into a plug-in sees it: services over a task, and, during a fit, over the stack below and a place for
 * proposals.
 */
#ifndef SINEW_HOST_SERVICES_SERVICES_H
#define SINEW_HOST_SERVICES_SERVICES_H

#include "base/error.h"
#include "base/task.h"
#include "scene/scene.h"
#include "sinew/sinew.h"

struct snw_stack;
typedef struct snw_services snw_services;

/* The services over the stack below a layer, as the stack gives them (snw_stack_below_services). */
typedef struct snw_below {
	const struct snw_stack *stack;
	const snw_below_service *deform;
	const snw_below_affine_service *affine;
	void (*forget)(snw_services *services); /* frees what the services hold of the stack */
} snw_below;

/* What a fit proposed, gathered in an arena. */
typedef struct snw_proposals {
	snw_arena *arena;
	uint32_t field_count;
	snw_field *fields;
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
} snw_proposals;

/* Holds the proposed fields against the descriptor's table, which has to declare each as written in that shape, and gives them
 * their units. SNW_ERROR_INTERNAL names one that it does not declare, or whose numbers are not what their unit says. */
snw_status snw_proposals_declare(const snw_descriptor *descriptor, snw_proposals *proposals, snw_error *error);

/* A NULL `task` is silent and never stops, but the words of a failure are kept all the same. Where `below` is NULL, so are the
 * services over it; proposals need `scene` and `proposals`. `below` is copied; its stack and the other three must outlive the services, and these the instances and
 * models made with them. */
snw_services *snw_services_create(const snw_task *task, const snw_scene *scene, const snw_below *below,
								  snw_proposals *proposals);
void snw_services_destroy(snw_services *services);
const snw_host *snw_services_host(const snw_services *services);
/* The words that the plug-in gave to the task service for its failure or caveat; for a failure without words, those of the last
 * service call that failed; else that it gave no
 * reason, and those of the status. */
const char *snw_services_failure(const snw_services *services, snw_status status);

/* Whether a plug-in has asked what lies below. */
bool snw_services_below_was_read(const snw_services *services);
/* How often it was asked to deform points, for each pose. */
uint64_t snw_services_below_calls(const snw_services *services);
/* From now on nothing tells whether it is affine. */
void snw_services_hide_affine(snw_services *services);

/* Bytes that plug-ins hold through the memory service just now. */
size_t snw_services_bytes(const snw_services *services);

/* What the calling thread runs of a plug-in: in which role, whose function and which one (words that outlive the call). */
typedef struct snw_thread_call {
	snw_thread_role role;
	const char *who; /* the deformer's short name, or the path of the file while it is loaded; NULL for nobody's */
	const char *function;
	const char *layer; /* that it is run for; NULL for none */
	bool is_unlimited; /* it may take as long as it likes: somebody else watches it */
} snw_thread_call;

/* Marks the calling thread for the length of a call into a plug-in; returns what it was. A locale that the plug-in sets, for
 * the process or the thread, is set back by snw_thread_leave to what the program had before its first call into a plug-in. */
snw_thread_call snw_thread_enter(snw_thread_call call);
void snw_thread_leave(snw_thread_call previous);
snw_thread_call snw_thread_current_call(void);
/* Names the function that a call that was entered goes on with. */
void snw_thread_function(const char *function);
/* Visits the calls that any thread is in, with the tick at which each began. */
typedef void snw_thread_visit(void *context, const snw_thread_call *call, uint32_t begun);
void snw_thread_calls(snw_thread_visit *visit, void *context);
/* The clock of those ticks goes on by one. */
uint32_t snw_thread_tick(void);
/* How often a service was called against its thread tag since the program began (debug builds count, release builds say 0). */
uint64_t snw_thread_violations(void);

#endif
