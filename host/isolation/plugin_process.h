/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in process: a copy of this process that loads one plug-in, makes one model and runs its functions, one call at a time.
 * It has the scene as it was when the model was made. If it ends or does not return, that is a fault of the plug-in and nothing
 * else is lost.
 */
#ifndef SINEW_HOST_ISOLATION_PLUGIN_PROCESS_H
#define SINEW_HOST_ISOLATION_PLUGIN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message/message.h"
#include "sinew/group_falloffs.h"
#include "sinew/helper_joints.h"
#include "sinew/sinew.h"

/* ---- shared memory ------------------------------------------------------------------------------------------------------- */

/* Memory that this process shares with the plug-in processes that it starts later, at the same addresses. It is reserved
 * once and takes room only where it is written. */

/* Reserves it. Called before the first plug-in process is started. False if the system does not allow it. */
bool snw_shared_memory_open(void);

/* In a plug-in process, from here on: what the program has acquired stays where it is, and nothing is acquired, since the
 * program, which does not know of it, could acquire it too. */
void snw_shared_memory_leave(void);

/* Zeroed memory, aligned to a page, with unused pages around it; NULL if there is no room. Any thread. */
void *snw_shared_memory_acquire(size_t bytes);
/* What was acquired; NULL does nothing. */
void snw_shared_memory_release(void *memory);

/* Whether all of these bytes are in it. */
bool snw_shared_memory_has(const void *memory, size_t bytes);

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

/* What a plug-in offers and what its models lower to, written by a plug-in process and read by the program. */

/* A descriptor in this host's layout. Read, it is in `arena`; NULL if it is broken. */
void snw_put_descriptor(snw_stream *stream, const snw_descriptor *descriptor);
const snw_descriptor *snw_get_descriptor(snw_stream *stream, snw_arena *arena);

/* The numbers and texts of a parameter table's values. */
void snw_put_values(snw_stream *stream, const snw_value *values, uint32_t count);
const snw_value *snw_get_values(snw_stream *stream, uint32_t count, snw_arena *arena);

/* The table of SNW_GROUP_FALLOFFS. Read, it is NULL if it is broken. */
void snw_put_falloffs(snw_stream *stream, const snw_group_falloffs *falloffs);
const snw_group_falloffs *snw_get_falloffs(snw_stream *stream, snw_arena *arena);

void snw_put_layout(snw_stream *stream, const snw_model_layout *layout);
snw_model_layout snw_get_layout(snw_stream *stream, snw_arena *arena);

void snw_put_helpers(snw_stream *stream, uint32_t count, const snw_helper_joint *const *helpers);
const snw_helper_joint *const *snw_get_helpers(snw_stream *stream, uint32_t *count, snw_arena *arena);

/* A part for a mesh of so many points. A part that the plug-in filled in its own layout of the structs is read in this
 * host's. */
void snw_put_part(snw_stream *stream, const snw_program_part *part, uint32_t point_count);
void snw_get_part(snw_stream *stream, snw_program_part *part, uint32_t point_count, snw_arena *arena);

/* Read where it is: the arrays stay in the stream. */
void snw_put_pose(snw_stream *stream, const snw_pose_view *pose);
snw_pose_view snw_get_pose(snw_stream *stream);

/* ---- plugin process ------------------------------------------------------------------------------------------------------ */

typedef struct snw_plugin_process snw_plugin_process;

/* Loads a file into the process itself and finds a deformer in it by id. NULL if it is not there. *self is what its functions
 * get. */
typedef const snw_deformer *snw_plugin_finder(const char *path, const char *id, const snw_deformer **self);

/* How the model is made: by a fit, of rows, transferred to changed meshes, or loaded. */
typedef struct snw_plugin_start {
	const char *path, *id, *who;
	snw_plugin_finder *find;
	const snw_host *host; /* the services of this program (host/services) */
	const snw_character_view *character;
	const snw_fit_input *input;        /* NULL: none of a fit */
	const snw_rows_view *const *rows;  /* NULL: none of rows */
	const snw_transfer_call *transfer; /* NULL: none that is transferred */
	bool reports;                      /* its time counts from its last report of progress */
	const void *bytes;                 /* [count], to be loaded; of a refit, the model before it */
	size_t count;
} snw_plugin_start;

/* The functions that a process runs for the program. */
typedef enum snw_plugin_order {
	SNW_ORDER_PASSES,   /* values → their number */
	SNW_ORDER_DRIVE,    /* values, pose → z, d, e */
	SNW_ORDER_DEFORM,   /* values, pose, z, d, e, mesh, points → points */
	SNW_ORDER_LOWER,    /* values, mesh → a part, or a reason */
	SNW_ORDER_SAVE,     /* → bytes */
	SNW_ORDER_DESCRIBE, /* values → bytes */
	SNW_ORDER_RELEASE,
	SNW_ORDER_NOTHING, /* it says that it is ready */
} snw_plugin_order;

/* Starts a process and waits for its model. Its answer is the layout and the helper joints. The process is NULL after a
 * failure. */
snw_status snw_plugin_process_start(const snw_plugin_start *start, snw_stream *answer, snw_plugin_process **process);
/* Releases the model and ends the process. */
void snw_plugin_process_end(snw_plugin_process *process);

/* A call: open, write the request, run, read the answer, close. Other threads wait meanwhile. The host's task gets what the
 * plug-in reports; NULL for none. After a fault the status is SNW_ERROR_CRASH, as it is from every later call. */
snw_stream snw_plugin_process_open(snw_plugin_process *process);
snw_status snw_plugin_process_run(snw_plugin_process *process, snw_plugin_order order, const snw_host *host,
								  snw_stream *answer);
void snw_plugin_process_close(snw_plugin_process *process);

/* ---- link ---------------------------------------------------------------------------------------------------------------- */

/* What the program and a plug-in process say to each other: small messages through a socket, everything large through shared
 * memory. */

/* The parts of a region. The rest of it is the answer. */
#define SNW_REGION_BYTES ((size_t)1 << 33)
#define SNW_REQUEST_BYTES ((size_t)1 << 32)

typedef struct snw_region {
	_Atomic uint32_t overflowed; /* 1: its stack did */
	_Atomic uint32_t function;   /* an index into snw_plugin_functions: what the process runs, or ran when it ended */
	_Alignas(64) unsigned char request[];
} snw_region;

/* The functions of a plug-in by name. */
#define SNW_PLUGIN_FUNCTIONS(ROW)                                                                                              \
	ROW(dlopen)                                                                                                                \
	ROW(open)                                                                                                                  \
	ROW(deformer)                                                                                                              \
	ROW(extension)                                                                                                             \
	ROW(create)                                                                                                                \
	ROW(fit)                                                                                                                   \
	ROW(destroy)                                                                                                               \
	ROW(load)                                                                                                                  \
	ROW(reskin)                                                                                                                \
	ROW(transfer)                                                                                                              \
	ROW(layout)                                                                                                                \
	ROW(list)                                                                                                                  \
	ROW(passes)                                                                                                                \
	ROW(drive)                                                                                                                 \
	ROW(prepare)                                                                                                               \
	ROW(deform)                                                                                                                \
	ROW(lower)                                                                                                                 \
	ROW(save)                                                                                                                  \
	ROW(describe)                                                                                                              \
	ROW(release)
typedef enum snw_plugin_function {
#define SNW_PLUGIN_FUNCTION_ENUM(name) SNW_FUNCTION_##name,
	SNW_PLUGIN_FUNCTIONS(SNW_PLUGIN_FUNCTION_ENUM)
#undef SNW_PLUGIN_FUNCTION_ENUM
		SNW_FUNCTION_COUNT
} snw_plugin_function;
extern const char *const snw_plugin_functions[SNW_FUNCTION_COUNT];

static inline snw_stream snw_region_request(snw_region *region) {
	return (snw_stream){.at = region->request, .end = region->request + SNW_REQUEST_BYTES};
}

static inline snw_stream snw_region_answer(snw_region *region) {
	return (snw_stream){.at = region->request + SNW_REQUEST_BYTES, .end = (unsigned char *)region + SNW_REGION_BYTES};
}

/* child.c: what the plug-in process does. */
_Noreturn void snw_plugin_child_run(const snw_plugin_start *start, snw_region *region, int socket, uint32_t threads);

#endif
