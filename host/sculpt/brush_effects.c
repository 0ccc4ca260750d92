/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The effect of each brush on the points under it. At full strength a dab moves the point at its center as follows: inflate by a
 * twentieth of the radius, flatten half of the way to the plane, pinch a tenth of the way to the center. Erase, mask and paint go
 * all the way.
 */
#include "sculpt/session_internal.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "task/parallel.h"

/* The same for all points of a dab. */
typedef struct dab_work {
	snw_sculpt *sculpt;
	const snw_dab *dab;
	double amount;    /* strength times pressure, negative if inverted */
	double center[3]; /* of the points under the brush */
	double normal[3];
} dab_work;

bool snw_brush_is_mirrored(snw_brush_kind kind) {
	switch (kind) {
	case SNW_BRUSH_GRAB:
	case SNW_BRUSH_INFLATE:
	case SNW_BRUSH_FLATTEN:
	case SNW_BRUSH_PINCH:
	case SNW_BRUSH_SLIDE:
		return true;
	default:
		return false;
	}
}

/* The displacement of one point. `reach` is its weight times the amount. */
static void displace(const dab_work *work, uint32_t point, double reach, double dest[3]) {
	const snw_sculpt *sculpt = work->sculpt;
	const double *place = sculpt->points + 3 * (size_t)point, *normal = sculpt->normals + 3 * (size_t)point;
	const double *original = sculpt->original + 3 * (size_t)point;
	double towards[3];
	for (int c = 0; c < 3; c++) {
		towards[c] = work->center[c] - place[c];
	}
	const double height = snw_dot3(towards, work->normal);
	for (int c = 0; c < 3; c++) {
		switch (sculpt->stroke.brush.kind) {
		case SNW_BRUSH_GRAB:
			dest[c] = reach * work->dab->drag[c];
			break;
		case SNW_BRUSH_INFLATE:
			dest[c] = 0.05 * reach * sculpt->stroke.brush.radius * normal[c];
			break;
		case SNW_BRUSH_FLATTEN:
			dest[c] = 0.5 * reach * height * work->normal[c];
			break;
		case SNW_BRUSH_PINCH:
			dest[c] = 0.1 * reach * (towards[c] - height * work->normal[c]);
			break;
		default: /* erase, which has no inverse */
			dest[c] = fabs(reach) * (original[c] - place[c]);
		}
	}
}

static void displace_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dab_work *work = argument;
	const snw_region *region = &work->sculpt->region;
	for (uint32_t i = begin; i < end; i++) {
		displace(work, region->points[i], work->amount * region->weights[i], work->sculpt->result + 3 * (size_t)i);
	}
}

static void paint_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dab_work *work = argument;
	const snw_sculpt *sculpt = work->sculpt;
	const bool is_mask = sculpt->stroke.brush.kind == SNW_BRUSH_MASK;
	const double value = work->amount < 0 ? 0 : is_mask ? 1 : sculpt->stroke.brush.value;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		const double old = is_mask ? sculpt->mask[point] : sculpt->field[point];
		const double reach = fabs(work->amount) * sculpt->region.weights[i];
		sculpt->result[3 * (size_t)i] = reach < 1 ? old + reach * (value - old) : value;
	}
}

void snw_brush_run(snw_sculpt *sculpt, const snw_dab *dab) {
	const snw_brush *brush = &sculpt->stroke.brush;
	const double pressure = brush->kind == SNW_BRUSH_GRAB ? 1 : dab->pressure;
	dab_work work = {.sculpt = sculpt, .dab = dab, .amount = brush->strength * pressure * (brush->invert ? -1 : 1)};
	switch (brush->kind) {
	case SNW_BRUSH_SMOOTH:
	case SNW_BRUSH_RELAX:
		snw_brush_smooth(sculpt, work.amount, brush->kind == SNW_BRUSH_RELAX);
		break;
	case SNW_BRUSH_SOFTEN:
	case SNW_BRUSH_BLUR:
		snw_brush_blur(sculpt, brush->kind == SNW_BRUSH_SOFTEN ? sculpt->mask : sculpt->field, fabs(work.amount));
		break;
	case SNW_BRUSH_SLIDE:
		snw_brush_slide(sculpt, dab->drag, work.amount);
		break;
	case SNW_BRUSH_MASK:
	case SNW_BRUSH_PAINT:
		snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, paint_all, &work);
		break;
	default:
		if ((brush->kind == SNW_BRUSH_FLATTEN || brush->kind == SNW_BRUSH_PINCH) &&
			!snw_region_mean(sculpt, work.center, work.normal)) {
			memset(sculpt->result, 0, 3 * (size_t)sculpt->region.count * sizeof *sculpt->result);
			return;
		}
		snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, displace_all, &work);
	}
}
