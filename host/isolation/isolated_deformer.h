/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deformers of plug-ins that do not ship with Sinew, as the rest of the host sees them: tables like any other, whose functions
 * pass each call on to a plug-in process. None of the plug-in's code is loaded into this process.
 */
#ifndef SINEW_HOST_ISOLATION_ISOLATED_DEFORMER_H
#define SINEW_HOST_ISOLATION_ISOLATED_DEFORMER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "isolation/plugin_process.h"
#include "message/message.h"

/* What a loaded deformer offers, as written by a trial of its file. `self` is what its functions get. */
void snw_put_deformer(snw_stream *stream, const snw_deformer *deformer, const snw_deformer *self);

/* A deformer of `path`, in `arena`, that runs in plug-in processes; they find it with `find`. NULL if the stream is broken. */
const snw_deformer *snw_get_deformer(snw_stream *stream, const char *path, snw_plugin_finder *find, snw_arena *arena);

/* Its deform takes all points of a mesh in one call, runs every pass, and shares the ranges out among its own threads. */
bool snw_deformer_is_isolated(const snw_deformer *deformer);

/* Why the last call of this thread into such a deformer failed: "crashed in drive (abort())". NULL if it is not known, and for
 * others. */
const char *snw_deformer_problem(const snw_deformer *deformer);

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

/* Faults of plug-ins in processes of their own: what has ended or has not returned; and their failures: errors that they
 * have returned, and numbers that are not finite. And what that costs: the layers that stacks are built without. */

typedef struct snw_plugin_fault {
	const char *who;   /* the deformer's short name; like the layer's name, as long as the program runs */
	const char *layer; /* "" for none */
	char problem[300]; /* "crashed in deform (access to memory that it does not own)" */
	bool costs_layer;  /* false in a function whose work is not missed: release */
	bool is_first;     /* no earlier one has cost the same */
	bool is_failure;   /* of this layer alone, which may do well with other settings */
} snw_plugin_fault;

/* Records a fault of the call that the thread is in (snw_thread_current_call). */
void snw_plugin_fault_add(const char *who, const char *problem, bool costs_layer);
/* Records a failure. */
void snw_plugin_failure_add(const char *who, const char *layer, const char *problem);
/* Sets the problem of this thread's last call alone, which is not listed by that. "" forgets it. */
void snw_plugin_problem_set(const char *problem);

/* All since the program started, in order; the last 64 alone are kept, and earlier ones are empty. */
uint32_t snw_plugin_fault_count(void);
snw_plugin_fault snw_plugin_fault_at(uint32_t index);

/* From here on a stack is built without the layers of deformers that have had a fault, and without those that have failed. */
void snw_plugin_faults_leave_out(void);
/* The problem that leaves out this layer; NULL for none. It lasts as long as the program. */
const char *snw_plugin_fault_leaves_out(const char *who, const char *layer);

/* A layer that a stack was built without, since its plug-in has failed or is missing. All lasts as long as the program. */
typedef struct snw_left_out {
	const char *layer;
	const char *plugin; /* its short name; the id of one that is missing */
	const char *why;    /* "crashed in drive (abort())" */
} snw_left_out;

/* Each once. Any thread. */
void snw_left_out_add(const char *layer, const char *plugin, const char *why);
uint32_t snw_left_out_count(void);
snw_left_out snw_left_out_at(uint32_t index);

/* From here on no layer may be left out: a stack that needs one is not built. */
void snw_layers_require(void);
bool snw_layers_are_required(void);

#endif
