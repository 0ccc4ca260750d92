/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contenders of a comparison, and what they learn from.
 */
#ifndef SINEW_HOST_COMPARE_CONTENDER_H
#define SINEW_HOST_COMPARE_CONTENDER_H

#include "measure/measured_frames.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"

/* Training sets are scenes in which some frames of the training clip are left out, or have become sculpts. They share
 * everything else with the scene that they are made from. */

/* The scene with sculpts in place of its own: the frames of a target that cover its poses best, at most `most`, in no group.
 * Fails as snw_frames_choose does. */
snw_status snw_scene_with_sculpts(const snw_scene *scene, uint32_t target, uint32_t most, const snw_task *task,
								  snw_arena *arena, snw_scene *with, snw_error *error);

/* One contender of a comparison: the methods of its stack, and fitting them. */

typedef struct snw_contender {
	const char *name; /* "a+b" */
	uint32_t method_count;
	const snw_deformer **methods; /* lowest first */
	bool reads_frames;            /* one of them learns from the frames of clips */
	bool reads_sculpts;           /* one of them learns from sculpts alone */
} snw_contender;

/* Parses "a+b". SNW_ERROR_MISSING names the method that does not exist. */
snw_status snw_contender_parse(const snw_registry *registry, const char *text, snw_arena *arena, snw_contender *contender,
							   snw_error *error);
/* Every method that learns from poses or needs no fit, and for which the scene has what it needs; the baseline first. Then the
 * correctives over each other blend that needs no fit: over a learned one they would cost its fits once more. */
void snw_contenders_of_registry(const snw_scene *scene, const snw_registry *registry, snw_arena *arena,
								snw_contender **contenders, uint32_t *count);

/* What the methods learn from. */
typedef struct snw_training {
	const snw_scene *scene;
	const char *samples;       /* for methods that read frames (fit/samples.h) */
	uint32_t left_out_example; /* SNW_NONE: none */
} snw_training;

/* A scene whose stack is the contender, fitted; the caller destroys it. `seconds` is the time of the fits; *caveat, in `arena`,
 * is what they say of their results (NULL for nothing). */
snw_status snw_contender_fit(const snw_contender *contender, const snw_registry *registry, const snw_training *training,
							 const snw_task *task, snw_arena *arena, snw_scene **fitted, double *seconds, const char **caveat,
							 snw_error *error);

#endif
