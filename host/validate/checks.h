/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of a plug-in. Private to host/validate.
 */
#ifndef SINEW_HOST_VALIDATE_CHECKS_H
#define SINEW_HOST_VALIDATE_CHECKS_H

#include "validate/harness.h"
#include "validate/validate.h"

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
