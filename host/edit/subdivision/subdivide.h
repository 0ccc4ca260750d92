/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subdivides a character with all that belongs to it, as one undoable step.
 *
 * A linear skin and subdivision commute: both are linear in the 4-vectors of animation space (B. Merry, thesis 2007, section
 * 4.2). So the subdivided skin is that of the base blend with stencils applied to its rows, in every pose. Subdividing the rest
 * and the weights, which is what linear blend can do, is a different skin.
 */
#ifndef SINEW_HOST_EDIT_SUBDIVISION_SUBDIVIDE_H
#define SINEW_HOST_EDIT_SUBDIVISION_SUBDIVIDE_H

#include "plugin/registry.h"
#include "project/project.h"
#include "subdivision/refinement.h"
#include "task/task.h"

/* How far meshes are from the subdivided results of what they were made of, over poses of the scene and of its clips. */
typedef struct snw_subdivision_error {
	double erms;                    /* as in measure/measure.h, over all meshes */
	double max_percent, max_metres; /* the largest distance, in percent of its mesh's diagonal and in metres */
	uint32_t pose_count;
} snw_subdivision_error;

typedef struct snw_subdivision_report {
	uint32_t points_before, faces_before, points, faces; /* of all meshes */
	const char *base;                                    /* the layer that was subdivided */
	const char *layer;                                   /* the one that has its skin now */
	uint32_t removed_count;                              /* layers of methods that have to be fitted again */
	const char **removed;
	bool has_custom_normals;           /* they are dropped, with tangents */
	snw_subdivision_error naive;       /* of linear blend by subdivided weights over the subdivided rest, instead of rows */
	const snw_refinement *refinements; /* [mesh_count]: without faces for a mesh that has none */
} snw_subdivision_report;

/* Commits the subdivided character: meshes, base skins, morphs, fields, examples, targets, and the base blend's skin as rows of
 * a method that has `reskin`. Layers that are fitted again with every change stay, and are stale. Layers of other
 * methods that learn are removed. `report` is in `arena` but for the refinements, which
 * snw_subdivision_report_free ends. SNW_ERROR_UNSUPPORTED names a base blend that is not linear; SNW_ERROR_MISSING: no layer
 * blends or no method takes rows. */
snw_status snw_project_subdivide(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								 snw_subdivision_scheme scheme, uint32_t levels, const snw_task *task, snw_arena *arena,
								 snw_subdivision_report *report, snw_error *error);
void snw_subdivision_report_free(snw_subdivision_report *report, uint32_t mesh_count);

/* The whole stack of the subdivided scene against the subdivided results of the whole stack of the original. SNW_ERROR_CONFLICT
 * if the scene is no longer the original with refined meshes. */
snw_status snw_subdivision_measure(const snw_scene *original, const snw_scene *subdivided, const snw_registry *registry,
								   const snw_refinement *refinements, const snw_task *task, snw_subdivision_error *measured,
								   snw_error *error);

#endif
