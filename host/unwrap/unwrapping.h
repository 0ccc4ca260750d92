/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes while they are unwrapped. Private to host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_UNWRAPPING_H
#define SINEW_HOST_UNWRAP_UNWRAPPING_H

#include "motion/motion.h"
#include "unwrap/flatten.h"
#include "unwrap/unwrap.h"

struct snw_services;

enum { UNWRAP_MOST_PARTS = 20000 /* charts of a mesh */ };

/* A mesh and its charts. */
typedef struct unwrap_sheet {
	uint32_t mesh;
	unwrap_surface surface;
	unwrap_lengths rest, poses;
	const unwrap_lengths *lengths; /* that it is flattened by */
	bool *seams;                   /* [corner_count] */
	unwrap_charts charts;
	unwrap_flat *flats;   /* [charts.count] */
	snw_status *statuses; /* [charts.count] */
	bool *is_needed;      /* [charts.count]: to be flattened */
	snw_arena *arena;     /* of its charts */
	snw_unwrapped_mesh *made;
} unwrap_sheet;

/* One call of snw_unwrap. */
typedef struct unwrap_run {
	const snw_scene *scene;
	const snw_unwrap_request *request;
	const snw_task *task;
	snw_arena *arena, *scratch; /* of the result; of this call */
	struct snw_services *services;
	snw_motion motion;
	uint32_t size, gap; /* pixels along a side of a square, and between charts */
	uint32_t sheet_count;
	unwrap_sheet *sheets;
	snw_unwrapped *made;
	snw_error *error;
} unwrap_run;

/* Fails the run as SNW_CANCELLED. */
snw_status unwrap_cancelled(const unwrap_run *u);

/* Charts of a mesh (sheet.c). Flattens those that are needed; a trial takes a few steps. SNW_CANCELLED, SNW_ERROR_MEMORY. */
snw_status unwrap_sheet_flatten(unwrap_run *u, unwrap_sheet *s, bool is_trial, const snw_task *task);

/* Makes new charts by the seams. Those that were charts before stay flat as they are. SNW_ERROR_LIMIT for too many. */
snw_status unwrap_sheet_cut(unwrap_run *u, unwrap_sheet *s);

/* Cuts a mesh into charts by merging its faces, never over `seams` (merge_faces.c). */
snw_status unwrap_sheet_merge(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task);

/* Cuts charts that cannot be flattened, such as closed ones, by merging their faces. `seams` are those of the charts. */
snw_status unwrap_sheet_cut_closed(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task);

/* Packs the charts of each material into a square, and writes the UVs (atlases.c). */
snw_status unwrap_run_pack(unwrap_run *u, const snw_task *task);

/* Fills the stretch of the result (measure.c). */
void unwrap_run_measure(unwrap_run *u);

#endif
