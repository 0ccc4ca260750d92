/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in process: a copy of this process that loads one plug-in, makes one model and runs its functions, one call at a time.
 * It has the scene as it was when the model was made. If it ends or does not return, that is a fault of the plug-in and nothing
 * else is lost.
 */
#ifndef SINEW_HOST_ISOLATION_PLUGIN_PROCESS_H
#define SINEW_HOST_ISOLATION_PLUGIN_PROCESS_H

#include "message/stream.h"
#include "sinew/sinew.h"

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

#endif
