/* SPDX-License-Identifier: MIT
 *
 * What most fits need: a model, values of parameters, threads and progress, choices, and fields to propose.
 */
#ifndef SINEW_KIT_FIT_FIT_H
#define SINEW_KIT_FIT_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/base.h"
#include "sinew/deformer.h"
#include "sinew/host.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- models -------------------------------------------------------------------------------------------------------------- */

/* Models that begin with their snw_pool: the pool holds the model itself and its arrays.
 *
 *     snw_model *made = snk_model_open(instance->host, sizeof *made);
 *     return snk_model_finish(made ? run(input, made) : SNW_ERROR_MEMORY, made, model); */

/* `bytes` zeroed bytes in a new pool, which is their beginning. NULL: there is no memory. */
snw_model *snk_model_open(const snw_host *host, size_t bytes);

/* The end of a `fit` or `load`: gives the model, or releases it if there is no result. `made` may be NULL then. Returns
 * `status`. */
snw_status snk_model_finish(snw_status status, snw_model *made, snw_model **model);

/* A deformer's `release`. NULL is allowed. */
void SNW_CALL snk_model_release(snw_model *model);

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

/* The value that a parameter has for one group or one joint. */

/* The number of row `parameter` of the table for a group and a joint, either of them SNW_NONE where there is none: the override
 * of the joint, else of the group, else the value for all. Of several overrides the last one counts. Any thread. */
double snk_parameter_value(const snw_fit_input *input, uint32_t parameter, uint32_t group, uint32_t joint);

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

/* Work over a range of numbers, split into parts of a fixed size. The parts depend on the count and the grain alone: a sum for
 * each part, added up in order afterwards, has the same bits on any number of threads. */

/* The work on the numbers [begin, end). Part p begins at p · grain. `thread` as in snw_parallel_service; 0 where there is
 * none. */
typedef void SNW_CALL snk_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread);

/* Calls `range` for each part of [0, count): on the host's threads where it has the parallel service and there is more than one
 * part, else in order on this thread. Returns when all parts are done. Call it from the thread that may use the host's parallel
 * service, and not from within a range. */
void snk_ranges_run(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument);

/* The same for [first, first + count), in parts that begin at `first`. */
void snk_ranges_run_from(const snw_host *host, uint32_t first, uint32_t count, uint32_t grain, snk_range *range,
						 void *argument);

/* How far a fit has come while a range runs, and what it is doing: for snw_report_progress. */
typedef struct snk_stretch {
	double begin, end; /* fractions of the fit */
	const char *activity;
} snk_stretch;

/* The same parts, some for each thread between two reports of progress. Errors: SNW_CANCELLED; some parts have then not run. */
snw_status snk_ranges_run_reported(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument,
								   const snk_stretch *stretch);

/* The number of parts. */
static inline uint32_t snk_ranges_count(uint32_t count, uint32_t grain) {
	return count / grain + (count % grain > 0);
}

/* ---- choices ------------------------------------------------------------------------------------------------------------- */

/* Forward selection: candidates chosen one after another, each time the one that leaves least. */

typedef struct snk_forward_choice {
	uint32_t candidate_count, most; /* of those, at most so many are chosen */
	double before;                  /* the residual without any */
	double least_gain;              /* a candidate has to explain this part of the residual, or the choice ends */
	/* The residual with the first `count` of `chosen`. */
	double(SNW_CALL *residual)(void *context, uint32_t count, const uint32_t *chosen);
	void *context;
} snk_forward_choice;

/* Fills chosen [most]; returns how many. Of equal candidates the first is taken. Nothing allocates; any thread that may call
 * `residual`. */
uint32_t snk_choose_forward(const snk_forward_choice *choice, uint32_t *chosen);

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

/* Fields that a fit proposes, for the window to show, and masks, which artists paint. */

/* A row of a descriptor's table: the field "residual" of a fit to samples. */
#define SNK_RESIDUAL_FIELD                                                                                                     \
	SNW_WRITTEN_FIELD("residual", "Residual", "The root mean square distance between the fit and the samples, at each point.", \
					  "m", SNW_DOMAIN_POINTS)

/* Proposes a field of one component that the descriptor declares as written. `owner`: the mesh for points and faces, else 0.
 * The values [count] are copied. Nothing happens where the host has no proposal service. From the thread of the fit. */
void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values);

/* The field of points with this name; NULL where the mesh has none. Any thread. */
const snw_field_view *snk_field_find(const snw_mesh_view *mesh, const char *name);

/* mask [point_count]: such a field as shares from 0 to 1, its first component clamped; `without` everywhere where the mesh has
 * none. Any thread. */
void snk_mask_fill(const snw_mesh_view *mesh, const char *name, double without, double *mask);

#ifdef __cplusplus
}
#endif

#endif
