/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of brushes and the falloff of their strength.
 */
#include "sculpt/brush.h"

#include <math.h>

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
