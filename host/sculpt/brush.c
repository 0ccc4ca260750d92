/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of brushes and the falloff of their strength.
 */
#include "sculpt/brush.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sculpt/sculpt_internal.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- brush --------------------------------------------------------------------------------------------------------------- */

#define BRUSH_INFO(id, name, label, help, inverted) {name, label, help, inverted},
const snw_brush_info snw_brush_infos[SNW_BRUSH_COUNT] = {SNW_BRUSHES(BRUSH_INFO)};
#undef BRUSH_INFO

#define FALLOFF_NAME(id, name, formula) name,
const char *const snw_falloff_names[SNW_FALLOFF_COUNT] = {SNW_FALLOFFS(FALLOFF_NAME)};
#undef FALLOFF_NAME

double snw_falloff_weight(snw_falloff falloff, double hardness, double distance, double radius) {
	if (!(distance < radius)) {
		return 0;
	}
	const double outside = distance / radius - hardness;
	if (outside <= 0) {
		return 1;
	}
	const double x = outside / (1 - hardness), inside = fmax(0, 1 - x);
	switch (falloff) {
	case SNW_FALLOFF_SPHERE:
		return sqrt(inside * (1 + x));
	case SNW_FALLOFF_ROOT:
		return sqrt(inside);
	case SNW_FALLOFF_LINEAR:
		return inside;
	case SNW_FALLOFF_SHARP:
		return inside * inside;
	case SNW_FALLOFF_CONSTANT:
		return 1;
	default:
		return inside * inside * (1 + 2 * x);
	}
}

double snw_brush_reach(const snw_brush *brush) {
	return brush->kind == SNW_BRUSH_ELASTIC ? 3 * brush->radius : brush->radius;
}

bool snw_brush_drags(snw_brush_kind kind) {
	return kind == SNW_BRUSH_GRAB || kind == SNW_BRUSH_ELASTIC;
}

snw_brush_target snw_brush_changes(snw_brush_kind kind) {
	switch (kind) {
	case SNW_BRUSH_MASK:
	case SNW_BRUSH_SOFTEN:
		return SNW_BRUSH_MASKING;
	case SNW_BRUSH_PAINT:
	case SNW_BRUSH_BLUR:
		return SNW_BRUSH_FIELD;
	default:
		return SNW_BRUSH_POINTS;
	}
}

snw_brush snw_brush_with_keys(const snw_brush *brush, bool shift, bool ctrl) {
	static const snw_brush_kind smoothing_kinds[] = {SNW_BRUSH_SMOOTH, SNW_BRUSH_SOFTEN, SNW_BRUSH_BLUR};
	snw_brush effective = *brush;
	if (shift) {
		effective.kind = smoothing_kinds[snw_brush_changes(brush->kind)];
		effective.invert = false;
	}
	effective.invert ^= ctrl;
	return effective;
}

/* ---- the grey picture ---------------------------------------------------------------------------------------------------- */

/* Of the pixel, 0 outside the picture. */
static double value_of(const snw_brush_alpha *alpha, double column, double row) {
	const bool is_inside = column >= 0 && row >= 0 && column < alpha->width && row < alpha->height;
	return is_inside ? (double)alpha->values[(size_t)row * alpha->width + (size_t)column] : 0;
}

double snw_brush_alpha_at(const snw_brush_alpha *alpha, double u, double v) {
	const double longer = alpha->width > alpha->height ? alpha->width : alpha->height;
	const double x = 0.5 * (u * longer + alpha->width) - 0.5, y = 0.5 * (alpha->height - v * longer) - 0.5;
	const double column = floor(x), row = floor(y), a = x - column, b = y - row;
	if (!(fabs(u) <= 2 && fabs(v) <= 2)) {
		return 0;
	}
	return (1 - b) * ((1 - a) * value_of(alpha, column, row) + a * value_of(alpha, column + 1, row)) +
		   b * ((1 - a) * value_of(alpha, column, row + 1) + a * value_of(alpha, column + 1, row + 1));
}

void snw_brush_alpha_axes(const double normal[3], double right[3], double up[3]) {
	const double most_level = 0.99;
	const int axis = fabs(normal[1]) > most_level ? 2 : 1;
	const double sign = axis == 2 ? -1 : 1; /* seen from above, up is away from the viewer */
	double length = 0;
	for (int c = 0; c < 3; c++) {
		up[c] = sign * ((c == axis ? 1 : 0) - normal[axis] * normal[c]);
		length += up[c] * up[c];
	}
	for (int c = 0; c < 3; c++) {
		up[c] /= length > 0 ? sqrt(length) : 1;
	}
	right[0] = up[1] * normal[2] - up[2] * normal[1];
	right[1] = up[2] * normal[0] - up[0] * normal[2];
	right[2] = up[0] * normal[1] - up[1] * normal[0];
}

/* ---- Kelvinlets ---------------------------------------------------------------------------------------------------------- */

enum { SCALES = 3 };

static const double scales[SCALES] = {1, 1.1, 1.21};

/* The weights by which the parts that fade with the first and the third power of the distance cancel. */
static void weigh_scales(double weights[SCALES]) {
	const double first = scales[0] * scales[0], second = scales[1] * scales[1], third = scales[2] * scales[2];
	weights[0] = 1;
	weights[1] = -(third - first) / (third - second);
	weights[2] = (second - first) / (third - second);
}

void snw_kelvinlet_grab(double scale, const double offset[3], const double drag[3], double dest[3]) {
	double weights[SCALES], r[3], along = 0, parallel = 0, at_zero = 0;
	weigh_scales(weights);
	for (int c = 0; c < 3; c++) {
		r[c] = offset[c] / scale;
	}
	const double squared = snw_dot3(r, r);
	for (int i = 0; i < SCALES; i++) { /* a = 1, b = 1/2 */
		const double e = scales[i], distance = sqrt(squared + e * e), cubed = distance * distance * distance;
		along += weights[i] * (0.5 / distance + 0.5 * e * e / cubed);
		parallel += weights[i] * 0.5 / cubed;
		at_zero += weights[i] / e;
	}
	const double pulled = snw_dot3(r, drag);
	for (int c = 0; c < 3; c++) {
		dest[c] = (along * drag[c] + parallel * pulled * r[c]) / at_zero;
	}
}

/* ---- effects ------------------------------------------------------------------------------------------------------------- */

/* The effect of each brush on the points under it. At full strength a dab moves the point at its center as follows: draw,
 * inflate and crease by a twentieth of the radius; flatten, scrape and fill half of the way to the mean plane, clay to one a
 * tenth of the radius above; pinch and crease a tenth of the way to the center. Erase, morph, mask and paint go all the way.
 * Morph that is inverted moves the point away by a tenth of that. */

/* The same for all points of a dab. */
typedef struct dab_work {
	snw_sculpt *sculpt;
	const snw_dab *dab;
	double amount;    /* strength times pressure, negative if inverted */
	double center[3]; /* of the points under the brush */
	double normal[3];
} dab_work;

/* Whether it moves points relative to the mean plane under it. */
static bool uses_plane(snw_brush_kind kind) {
	switch (kind) {
	case SNW_BRUSH_DRAW:
	case SNW_BRUSH_CLAY:
	case SNW_BRUSH_FLATTEN:
	case SNW_BRUSH_SCRAPE:
	case SNW_BRUSH_FILL:
	case SNW_BRUSH_CREASE:
	case SNW_BRUSH_PINCH:
		return true;
	default:
		return false;
	}
}

bool snw_brush_is_mirrored(snw_brush_kind kind) {
	return snw_brush_drags(kind) || uses_plane(kind) || kind == SNW_BRUSH_INFLATE || kind == SNW_BRUSH_SLIDE;
}

static void scale(double factor, const double from[3], double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = factor * from[c];
	}
}

/* As soft rubber, from where the point was at the start of the stroke. */
static void displace_elastically(const dab_work *work, uint32_t point, double reach, double dest[3]) {
	const snw_stroke *stroke = &work->sculpt->stroke;
	double offset[3], step[3];
	for (size_t c = 0; c < 3; c++) {
		offset[c] = work->sculpt->before[3 * (size_t)point + c] - stroke->first.position[c];
	}
	snw_kelvinlet_grab(stroke->brush.radius, offset, work->dab->drag, step);
	scale(reach, step, dest);
}

/* By its place relative to the mean plane. `towards` the center; `height` of the plane above the point. */
static void displace_by_plane(const dab_work *work, double reach, const double towards[3], double height, double dest[3]) {
	const double radius = work->sculpt->stroke.brush.radius, *normal = work->normal;
	const double raised = 0.1 * radius, sign = reach < 0 ? -1 : 1;
	switch (work->sculpt->stroke.brush.kind) {
	case SNW_BRUSH_DRAW:
		scale(0.05 * reach * radius, normal, dest);
		break;
	case SNW_BRUSH_CLAY: /* to a plane above the mean one, or below it */
		scale(0.5 * reach * fmax(0, raised + sign * height), normal, dest);
		break;
	case SNW_BRUSH_FLATTEN:
		scale(0.5 * reach * height, normal, dest);
		break;
	case SNW_BRUSH_SCRAPE:
		scale(0.5 * fabs(reach) * sign * fmin(0, sign * height), normal, dest);
		break;
	case SNW_BRUSH_FILL:
		scale(0.5 * fabs(reach) * sign * fmax(0, sign * height), normal, dest);
		break;
	case SNW_BRUSH_CREASE:
		for (int c = 0; c < 3; c++) {
			dest[c] = 0.1 * fabs(reach) * (towards[c] - height * normal[c]) - 0.05 * reach * radius * normal[c];
		}
		break;
	default: /* pinch */
		for (int c = 0; c < 3; c++) {
			dest[c] = 0.1 * reach * (towards[c] - height * normal[c]);
		}
	}
}

/* The displacement of one point. `reach` is its weight times the amount. */
static void displace(const dab_work *work, uint32_t point, double reach, double dest[3]) {
	const snw_sculpt *sculpt = work->sculpt;
	const double *place = sculpt->points + 3 * (size_t)point, *original = sculpt->original + 3 * (size_t)point;
	double towards[3];
	switch (sculpt->stroke.brush.kind) {
	case SNW_BRUSH_GRAB:
		scale(reach, work->dab->drag, dest);
		break;
	case SNW_BRUSH_ELASTIC:
		displace_elastically(work, point, reach, dest);
		break;
	case SNW_BRUSH_INFLATE:
		scale(0.05 * reach * sculpt->stroke.brush.radius, sculpt->normals + 3 * (size_t)point, dest);
		break;
	case SNW_BRUSH_ERASE: /* it has no inverse */
		for (int c = 0; c < 3; c++) {
			dest[c] = fabs(reach) * (original[c] - place[c]);
		}
		break;
	case SNW_BRUSH_MORPH:
		for (size_t c = 0; c < 3; c++) {
			dest[c] = (reach < 0 ? 0.1 : 1) * reach * (sculpt->goal[3 * (size_t)point + c] - place[c]);
		}
		break;
	default:
		for (int c = 0; c < 3; c++) {
			towards[c] = work->center[c] - place[c];
		}
		displace_by_plane(work, reach, towards, snw_dot3(towards, work->normal), dest);
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
	const double pressure = snw_brush_drags(brush->kind) ? 1 : dab->pressure;
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
		if (uses_plane(brush->kind) && !snw_region_mean(sculpt, work.center, work.normal)) {
			memset(sculpt->result, 0, 3 * (size_t)sculpt->region.count * sizeof *sculpt->result);
			return;
		}
		snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, displace_all, &work);
	}
}
