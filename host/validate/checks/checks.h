/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of a plug-in.
 */
#ifndef SINEW_HOST_VALIDATE_CHECKS_CHECKS_H
#define SINEW_HOST_VALIDATE_CHECKS_CHECKS_H

#include "validate/trial/harness.h"
#include "validate/trial/level.h"

/* What is to be tried, and how much of it. */
typedef struct check_settings {
	const char *path;
	snw_layer chosen; /* settings for its fits */
	uint64_t seed;
	snw_validate_level level;
	double budget_seconds; /* a check that repeats a fit ends after so long; at least one repeat is done */
	double random_seconds; /* of random parameters; 0 for none */
} check_settings;

/* A check of the harness's deformer. SNW_OK with a message about what was tried, or a negative status with a message about what
 * is wrong. The harness is open; if the row of the check says so it is fitted too, and then whoever called releases it. */
typedef snw_status snw_validate_check(harness *b, const check_settings *settings, snw_error *finding);

snw_validate_check snw_validate_create, snw_validate_cancel, snw_validate_memory, snw_validate_services, snw_validate_values;
snw_validate_check snw_validate_random;
/* These need a fitted harness. */
snw_validate_check snw_validate_fit, snw_validate_save, snw_validate_damage, snw_validate_repeat, snw_validate_drive;
snw_validate_check snw_validate_deform, snw_validate_rings, snw_validate_quiet, snw_validate_lowered, snw_validate_finite;
snw_validate_check snw_validate_threads, snw_validate_tags, snw_validate_borrowed, snw_validate_bounds;
snw_validate_check snw_validate_stages, snw_validate_flat;

/* SNW_ERROR_INTERNAL if `other` drives or deforms to other bits than the harness's model; `which` names it: "the loaded
 * model". */
snw_status snw_validate_same_evaluation(const harness *b, const snw_model *other, const char *which, snw_error *finding);

/* Fits with the harness's values, evaluates the model at the poses and at random ones, and releases it. Counts in `refused` a
 * fit that ends in an error. */
snw_status snw_validate_try_values(harness *b, uint64_t *random, uint32_t *refused, snw_error *finding);
/* Evaluates the fitted model at the poses and at `count` random ones: no number may be anything but finite. */
snw_status snw_validate_finite_poses(harness *b, uint64_t *random, uint32_t count, snw_error *finding);

/* Words that follow the message where the check crashes or takes too long: what it was trying. */
void snw_validate_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A file by itself: it loads, unloads and loads again, it exports nothing but its entry. `finding` names the libraries that it
 * needs. */
snw_status snw_validate_symbols(const char *path, snw_error *finding);

#endif
