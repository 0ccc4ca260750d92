/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of detail in the viewport: all of them are posed beside their meshes, and one of each mesh is drawn.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_LEVEL_VIEW_H
#define SINEW_UI_WINDOW_DISPLAY_LEVEL_VIEW_H

#include "lod/level_error.h"
#include "lod/level_scene.h"
#include "plugin/registry.h"
#include "render/draw/viewport.h"
#include "window/document/document.h"

typedef struct snw_level_view {
	snw_arena *arena;
	snw_level_scene made;         /* the meshes, then their levels */
	snw_stack *stack;             /* of all layers, for that scene */
	snw_gpu_scene_data *gpu_data; /* NULL once the viewport has it */
	snw_viewport *viewport;       /* NULL: none yet */
	bool is_uploading;
	uint32_t number; /* the level that is drawn; 0: none, but the meshes by the display's own viewport */
	snw_view view;
	bool *hidden; /* [mesh_count], with levels */
	double side;  /* metres: the longest of the box at rest */
	/* The heat map: values of the meshes' points, taken to those of the levels. */
	const double **heat; /* [mesh_count], with levels */
	double **values;     /* of levels, [point_count][3]; NULL until needed */
	lod_tree **trees;    /* [mesh_count] of the meshes, to measure the distance; NULL until needed */
	float *mesh_points, *points;
	bool is_measured; /* the heat map is that distance, at this pose */
} snw_level_view;

/* For a job. The document must outlive it. */
snw_status snw_level_view_make(const snw_document *document, const snw_registry *registry, const snw_task *task,
							   snw_level_view **made, snw_error *error);
/* In the window's thread: creates its viewport, whose meshes snw_level_view_upload sends for about so long. True when the
 * upload is complete. */
snw_status snw_level_view_start(snw_level_view *levels, snw_renderer *renderer, snw_error *error);
bool snw_level_view_upload(snw_level_view *levels, double seconds);
void snw_level_view_destroy(snw_level_view *levels); /* NULL: does nothing */

/* Poses the levels as the view of the meshes says. */
snw_status snw_level_view_pose(snw_level_view *levels, const snw_view *view, snw_error *error);
/* The view of the meshes as one of the level that is drawn, until the next call. */
const snw_view *snw_level_view_of(snw_level_view *levels, const snw_view *view);
/* Shows the view's heat map on the levels, or the distance if that was measured after the pose. */
void snw_level_view_heat(snw_level_view *levels, const snw_view *view);
/* Measures how far points of the levels that are drawn are from their meshes, which `viewport` has posed. Returns the largest,
 * millimetres. */
double snw_level_view_measure(snw_level_view *levels, const snw_viewport *viewport);

#endif
