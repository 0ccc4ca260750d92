/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The implementation of an snw_host, and the table of each service: for the files of this folder alone.
 */
#ifndef SINEW_HOST_SERVICES_SERVICES_INTERNAL_H
#define SINEW_HOST_SERVICES_SERVICES_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "services/services.h"

struct snw_evaluation;

/* An evaluation of the stack below, kept between calls of the below service: creating one costs more than driving it. */
typedef struct snw_spare_evaluation {
	struct snw_spare_evaluation *next;
	struct snw_evaluation *evaluation;
} snw_spare_evaluation;

struct snw_services {
	snw_host host;
	const snw_task *task;
	const snw_scene *scene;
	snw_below below; /* all zero for none */
	snw_proposals *proposals;
	pthread_mutex_t mutex; /* protects the members below */
	char failure[1000];    /* the plug-in's message for its failure */
	char refusal[1000];    /* the message of the last failed service call */
	snw_status refused;    /* that call's status */
	double fraction;       /* the plug-in's last report */
	char activity[200];
	bool has_reported;
	double reported; /* when, in processor seconds */
	snw_spare_evaluation *spare;
	atomic_uint line_counts[SNW_LOG_ERROR + 1]; /* the plug-in's lines of each level */
	atomic_bool is_stopped;                     /* a report has asked to stop, and is not asked again */
	atomic_size_t bytes;
	atomic_bool below_read, below_is_opaque;
	atomic_uint_fast64_t below_calls;
	uint32_t pose_room, track_room, target_room, field_room, skin_room; /* capacities of the arrays of proposals */
};

static inline snw_services *snw_services_of(const snw_host *host) {
	return host->context;
}

extern const snw_solver_service snw_solver_table;
extern const snw_proposal_service snw_proposal_table;

/* Records why a service call failed; shown if the plug-in then fails with the same status and without a reason. Returns
 * `status`. */
snw_status snw_services_fail(const snw_host *host, snw_status status, const char *text);

/* Repeats the plug-in's last report where it is due. The plug-in's own next report gets the answer. Any thread. */
void snw_services_repeat_report(snw_services *services);

/* Asked first in every service, with its thread tag. A call that violates the tag is counted and, in debug builds and the
 * first time, reported on standard error. False in passes, drive, prepare and deform: the service then does nothing. */
typedef enum snw_service_tag { SNW_TAG_ANY_THREAD, SNW_TAG_OWNER_THREAD } snw_service_tag;
bool snw_thread_allows(snw_service_tag tag, const char *service);

/* Marks that the calling thread runs a chunk of the parallel service, in which owner-thread services are forbidden. Returns
 * the previous state. */
bool snw_thread_enter_chunk(bool inside);

#endif
