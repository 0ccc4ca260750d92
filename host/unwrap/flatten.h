/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flattens a chart by the lengths of its edges alone: least squares conformal maps (Lévy et al. 2002) with triangles as these
 * lengths make them; Tutte's map where one of them turns over; then the least L2 stretch (Sander et al. 2001) by Newton steps
 * that turn no triangle over. Scaled so that charts of one surface fit each other. Private to host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_FLATTEN_H
#define SINEW_HOST_UNWRAP_FLATTEN_H

#include "task/task.h"
#include "unwrap/charts.h"

struct snw_host;

typedef struct unwrap_flat {
	double (*uvs)[2]; /* [vertex_count] of the chart, the caller's: filled, in metres */
	unwrap_stretch stretch;
	uint32_t crossing[2]; /* faces whose border edges cross, if is_crossed */
	bool is_crossed;      /* the border meets itself: the chart has to be split */
	bool is_short;        /* its stretch is not the least: that would take too many steps */
} unwrap_flat;

/* Of a chart that is_flat, with Newton steps to the end; a trial takes a few, and none from Tutte's map. SNW_ERROR_DATA if
 * there is no map in which all triangles have an area: the chart has to be split; SNW_CANCELLED; SNW_ERROR_MEMORY. Any thread
 * with a task that is NULL. */
snw_status unwrap_flatten(const struct snw_host *host, const unwrap_chart *chart, const unwrap_lengths *lengths, bool is_trial,
						  const snw_task *task, unwrap_flat *flat);

/* The stretch of a chart's UVs by other lengths. */
unwrap_stretch unwrap_chart_stretch(const unwrap_chart *chart, const unwrap_lengths *lengths, const double (*uvs)[2]);

#endif
