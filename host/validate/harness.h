/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One deformer of a file on the bench: loaded, with the trial character and everything that a fit wants.
 */
#ifndef SINEW_HOST_VALIDATE_HARNESS_H
#define SINEW_HOST_VALIDATE_HARNESS_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "services/services.h"
#include "stack/stack.h"

typedef struct bench {
	snw_registry *registry;
	const snw_deformer *deformer;
	snw_scene *
		scene; /* the trial character, or the trial sequence where the deformer asks for no rig; over linear blend where the deformer does not bind and linear blend is there */
	snw_stack *below;
	snw_task task; /* the listener of progress may be set before the first call */
	snw_proposals proposals;
	snw_services *services;
	double *values; /* the table's initial ones */
	const snw_fit_input *input;
	const snw_pose_view **poses; /* [scene->pose_count] */
	snw_instance *instance;
	snw_model *model;
} bench;

/* Loads, and works out everything but the model. Close it in any case. */
snw_status bench_open(bench *b, const char *path, const char *method, snw_error *error);
/* Creates an instance and fits. The status is the plug-in's where it is legal; else SNW_ERROR_INTERNAL. */
snw_status bench_fit(bench *b, snw_error *error);
/* Releases model and instance: SNW_ERROR_INTERNAL where memory of the host is left over. */
snw_status bench_let_go(bench *b, snw_error *error);
void bench_close(bench *b);

/* Opens a bench, runs `body` on it, closes it. */
typedef snw_status bench_body(bench *b, void *context, snw_error *error);
snw_status bench_run(const char *path, const char *method, snw_error *error, bench_body *body, void *context);
/* Fits, runs `body`, lets go. A caveat of the fit is no fault. */
typedef snw_status bench_fitted_body(bench *b, uint64_t seed, snw_error *error);
snw_status bench_run_fitted(bench *b, uint64_t seed, snw_error *error, bench_fitted_body *body);

/* What drive writes at one pose, with guards behind each array. */
typedef struct bench_driven {
	snw_drive_layout layout;
	snw_drive_output output;
	double *block;
	size_t block_count;
} bench_driven;

/* Allocates what the model drives. */
bench_driven bench_driven_make(const bench *b, const snw_model *model);
void bench_driven_free(bench_driven *driven);
/* Fills the scratch with `fill` and drives. Says where the plug-in writes past its arrays, or numbers that are not finite. */
snw_status bench_drive(const bench *b, const snw_model *model, uint32_t pose, unsigned char fill, bench_driven *driven,
					   snw_error *error);

/* Scratch as the model wants it, filled; NULL-free, with a guard behind that bench_scratch_end checks and frees. */
void *bench_scratch(const bench *b, const snw_model *model, unsigned char fill);
bool bench_scratch_end(const bench *b, const snw_model *model, void *scratch);

/* The splitmix64 generator: the next number of a sequence that `state` holds. */
uint64_t bench_random(uint64_t *state);

#endif
