/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program of a blend that is subdivided, and how far other skins are from its subdivided result.
 */
#ifndef SINEW_HOST_SUBDIVISION_SUBDIVISION_ERROR_H
#define SINEW_HOST_SUBDIVISION_SUBDIVISION_ERROR_H

#include "stack/stack.h"
#include "subdivision/refined_scene.h"

/* How far meshes are from the subdivided results of what they were made of, over poses of the scene and of its clips. */
typedef struct snw_subdivision_error {
	double erms;        /* as in measure/measure.h, over all meshes */
	double max_percent; /* the largest distance, in percent of its mesh's diagonal */
	uint32_t pose_count;
} snw_subdivision_error;

/* The program by which the stack blends a mesh; NULL if it does not. */
const snw_program *snw_subdivision_program(const snw_stack *stack, uint32_t mesh);

/* Linear blend with the subdivided weights over the subdivided rest. `stack` goes up to the base blend. */
snw_status snw_subdivision_measure_naive(const snw_scene *scene, const snw_stack *stack, const snw_refinement *refinements,
										 const snw_task *task, snw_subdivision_error *measured, snw_error *error);

/* The whole stack of the subdivided scene against the subdivided results of the whole stack of the original. SNW_ERROR_CONFLICT
 * if the scene is no longer the original with refined meshes. */
snw_status snw_subdivision_measure(const snw_scene *original, const snw_scene *subdivided, const snw_registry *registry,
								   const snw_refinement *refinements, const snw_task *task, snw_subdivision_error *measured,
								   snw_error *error);

#endif
