/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts by greedy merging of neighbouring faces (B. Merry, thesis 2007, section 5.2): those that face one way over the poses,
 * with short borders. Private to host/unwrap.
 *
 * The metric of a chart is (area + ρ perimeter² / 4π) / projected area (5.4), the projected area being the length of the sum
 * of its faces' area vectors, ρ = 0.2. All are means over poses: an elbow counts as it bends. A merge is the one that adds
 * least to the sum of metric · area (5.5). Only discs are made.
 */
#ifndef SINEW_HOST_UNWRAP_SEGMENT_H
#define SINEW_HOST_UNWRAP_SEGMENT_H

#include "unwrap/charts.h"

/* Poses that count. */
enum { UNWRAP_SEGMENT_POSES = 7 };

typedef struct unwrap_segmentation unwrap_segmentation;

/* Each face a chart. `seams` are never crossed. `posed` are `pose_count` (at most UNWRAP_SEGMENT_POSES) poses,
 * [point_count][3] each. In `arena`. */
unwrap_segmentation *unwrap_segmentation_make(const unwrap_surface *surface, const bool *seams, uint32_t pose_count,
											  const float *const *posed, snw_arena *arena);

/* Merges down to `most` charts, and on while that lowers the sum. At most `merges`, and none of a chart that the same call has
 * made, unless it is SNW_NONE. Returns the number of merges. */
uint32_t unwrap_segmentation_merge(unwrap_segmentation *segmentation, uint32_t most, uint32_t merges);

/* [face_count]: the chart of each face. A number always means the same faces. */
const double *unwrap_segmentation_charts(unwrap_segmentation *segmentation);

/* Takes back the merge that made a chart; what it has joined is not joined again. A single face stays. */
void unwrap_segmentation_take_back(unwrap_segmentation *segmentation, uint32_t chart);

/* Notes that a chart holds when it is flattened; and whether one does. */
void unwrap_segmentation_keep(unwrap_segmentation *segmentation, uint32_t chart);
bool unwrap_segmentation_is_good(const unwrap_segmentation *segmentation, uint32_t chart);

#endif
