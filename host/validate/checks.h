/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of a plug-in. Private to host/validate.
 */
#ifndef SINEW_HOST_VALIDATE_CHECKS_H
#define SINEW_HOST_VALIDATE_CHECKS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/arena.h"
#include "plugin/registry.h"
#include "sample/sample.h"
#include "scene/scene.h"
#include "services/services.h"
#include "sinew/sinew.h"
#include "stack/stack.h"
#include "validate/validate.h"

/* ---- the host of a trial ------------------------------------------------------------------------------------------------- */

/* The host that a plug-in gets while it is checked: it can ask to stop at the n-th report of progress, and its memory can
 * be made read-only or end at fences. Everything else is the host behind it. */

typedef struct trial_host {
	snw_host host; /* what the plug-in gets; it has the context of the real one */
	const snw_host *real;
	snw_memory_service memory;
	snw_task_service task;
	uint32_t stopped;           /* the report that is answered with a stop, as all later ones are, from 1; 0 for none */
	atomic_uint reports;        /* so far */
	atomic_bool stopped_at_end; /* the first report that was answered with a stop said that all is done */
	/* Memory that can be made read-only; NULL for the real host's. */
	unsigned char *region;
	atomic_size_t region_used;
	/* Memory ends at a fence. What is acquired while it is set is released before it is not. */
	bool is_fenced;
} trial_host;

/* The trial host must not be copied afterwards. */
void trial_host_open(trial_host *trial, const snw_host *real);
/* Counts from 0 again, and asks to stop at this report. */
void trial_host_stop_at(trial_host *trial, uint32_t report);

/* From here on what plug-ins acquire is in a region of its own. False if there is no memory for one. */
bool trial_host_open_region(trial_host *trial);
/* Whether the region may be written to. */
void trial_host_lock_region(const trial_host *trial, bool is_locked);
/* After everything in it was released. */
void trial_host_close_region(trial_host *trial);

/* A copy with the fence at its end, aligned to 8 where the count is a multiple of 8; NULL of NULL. */
void *fenced_copy(const void *bytes, size_t count);
/* NULL does nothing. Its content must not be used after. */
void fenced_release(void *memory);

/* ---- harness ------------------------------------------------------------------------------------------------------------- */

/* One deformer of a file, ready to be checked: loaded, with the trial character and the input of a fit. Private to
 * host/validate. */

typedef struct harness {
	snw_registry *registry;
	const snw_deformer *deformer;
	/* The trial character, or the trial sequence if the deformer needs no rig. Linear blend is below, if available, unless the
	 * deformer binds. */
	snw_scene *scene;
	snw_stack *below;
	snw_task task; /* its progress function may be set before the first call */
	snw_proposals proposals;
	snw_services *services;
	trial_host trial;  /* the host that the plug-in gets; a check may make it fail */
	snw_layer chosen;  /* its settings replace initial values */
	snw_value *values; /* the initial values of the table, or those chosen; a check may replace them before it fits */
	const snw_fit_input *input;
	const snw_pose_view **poses; /* [scene->pose_count] */
	snw_instance *instance;
	snw_model *model;
	uint64_t violations; /* of thread rules, before the first call */
} harness;

/* Loads the deformer and prepares all but the model. `chosen` has settings for its fits. Close it in any case. */
snw_status harness_open(harness *b, const char *path, const char *method, const snw_layer *chosen, snw_error *error);
/* What a deformer is tried on: a new one each time, always the same. */
snw_scene *harness_make_scene(const snw_descriptor *descriptor, snw_trial_shape shape);
/* From here on it is tried on another one. The harness must be released. */
snw_status harness_change_scene(harness *b, snw_trial_shape shape, snw_error *error);
/* Marks a call into the deformer; end it with snw_thread_leave. */
snw_thread_call harness_enter(const harness *b, snw_thread_role role, const char *function);
/* Creates an instance and fits. The plug-in's status if it is legal; else SNW_ERROR_INTERNAL. */
snw_status harness_fit(harness *b, snw_error *error);
/* Releases model and instance, and forgets what was proposed: SNW_ERROR_INTERNAL if memory of the host was not released. */
snw_status harness_release(harness *b, snw_error *error);
/* Releases another model of the deformer; nothing for NULL. */
void harness_release_model(const harness *b, snw_model *model);
/* So that another fit may propose. */
void harness_forget_proposals(harness *b);
void harness_close(harness *b);

/* Fits for a check: SNW_CANCELLED is a fault too, and a caveat of the fit is none. */
snw_status harness_fit_whole(harness *b, snw_error *error);

/* Saved bytes of a model; close the sink unless it failed. */
snw_status harness_save(const harness *b, const snw_model *model, snw_memory_sink *sink, snw_error *error);
/* Loads a model of these bytes for the character; the plug-in's status. */
snw_status harness_load(const harness *b, const snw_character_view *character, const void *bytes, size_t count,
						snw_model **model);

/* The output of drive at one pose, with guards after each array. */
typedef struct harness_driven {
	snw_model_layout layout;
	snw_drive_output output;
	double *block;
	size_t block_count;
} harness_driven;

/* Allocates the output for the model. A layout that no stack takes is refused first, since a changed model may ask for any
 * amount of memory. Free it in any case. */
snw_status harness_driven_make(const harness *b, const snw_model *model, harness_driven *driven, snw_error *finding);
void harness_driven_free(harness_driven *driven);
/* Fills the scratch with `fill` and drives. Reports writes past the arrays and numbers that are not finite. */
snw_status harness_drive(const harness *b, const snw_model *model, uint32_t pose, unsigned char fill, harness_driven *driven,
						 snw_error *error);

/* Scratch for the layout, filled, with a guard after it that harness_scratch_end checks and frees; NULL if it needs none. */
void *harness_scratch(size_t bytes, unsigned char fill);
bool harness_scratch_end(size_t bytes, void *scratch);

/* A call of deform on the whole mesh, without points, scratch or prepared memory. */
snw_deform_call harness_deform_call(const harness *b, const snw_model *model, uint32_t pose, const harness_driven *driven,
									uint32_t mesh);

/* How many passes its deform takes. */
uint32_t harness_passes(const harness *b, const snw_model *model);

/* Whether the mesh runs by deform. */
bool harness_is_black_box(const harness *b, const snw_model *model, uint32_t mesh);

/* Deforms the mesh at a pose, in one range: all passes, from these points (NULL: the rest), between buffers with fences. The
 * first failure of the plug-in ends it. */
snw_status harness_deform(const harness *b, const snw_model *model, uint32_t pose, const harness_driven *driven, uint32_t mesh,
						  const double *below, double *points);

/* Drives and deforms at all poses. Fails only if the model's layout is refused. */
snw_status harness_evaluate(const harness *b, const snw_model *model, snw_error *finding);

/* The stack of the trial character with the model that the harness has fitted, as the host runs it: lowered where it can be. */
typedef struct trial_stack {
	/* The harness's with its deformer on top, or, for one that replaces the blend, in place of all layers. */
	snw_scene scene;
	snw_memory_sink model;
	bool has_model;
	snw_stack *whole, *below; /* with the deformer's layer, and without it */
	snw_evaluation *whole_evaluation, *below_evaluation;
} trial_stack;

/* With the values that the harness has now. Without other layers if it `is_alone`, as a deformer that replaces the blend always
 * is. Close it in any case. The harness must be fitted and outlive it. */
snw_status trial_stack_open(trial_stack *stack, const harness *b, bool is_alone, snw_error *error);
void trial_stack_close(trial_stack *stack);

/* ---- checks -------------------------------------------------------------------------------------------------------------- */

/* What is to be tried, and how much of it. */
typedef struct check_settings {
	const char *path;
	snw_layer chosen; /* settings for its fits */
	uint64_t seed;
	snw_validate_level level;
	double budget_seconds; /* a check that repeats a fit ends after so long; at least one repeat is done */
	double random_seconds; /* of random parameters; 0 for one round */
} check_settings;

/* A check of the harness's deformer. SNW_OK with a message about what was tried, or a negative status with a message about what
 * is wrong. The harness is fitted; whoever called releases it. */
typedef snw_status snw_validate_check(harness *b, const check_settings *settings, snw_error *finding);

/* What makes models (model_checks.c). */
snw_validate_check snw_validate_fit, snw_validate_cancel, snw_validate_repeat, snw_validate_save, snw_validate_damage;
snw_validate_check snw_validate_bounds;
/* What runs them (evaluation_checks.c). */
snw_validate_check snw_validate_drive, snw_validate_deform, snw_validate_threads, snw_validate_tags, snw_validate_lowered;
/* What is tried by chance (random_checks.c). */
snw_validate_check snw_validate_finite, snw_validate_flat, snw_validate_random;

/* Draws values of parameters of this stage and later ones. drawn_files_close ends the files that they name. */
typedef struct drawn_files {
	uint32_t count;
	int *descriptors;
} drawn_files;
drawn_files draw_values(uint64_t *random, harness *b, snw_stage first_stage);
void drawn_files_close(drawn_files *files);

/* Words that follow the message where the check crashes or takes too long: what it was trying. */
void snw_validate_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
