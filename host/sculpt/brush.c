/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of brushes, the falloff of their strength, and their effects.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sculpt/brush.h"
#include "sculpt/sculpt_internal.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- smoothing brushes --------------------------------------------------------------------------------------------------- */

/* Smooth, relax, soften and blur move values towards the mean of the neighbours, in up to four passes. Each pass goes halfway
 * at most, so that no pattern of points oscillates. A point on a border uses only its neighbours on the border.
 *
 * The step of each brush fills sculpt->result. `amount` is the strength with its sign. */

/* ---- sliding ------------------------------------------------------------------------------------------------------------- */

/* The slide brush, and the projection that keeps points on the surface. The surface is the one at the start of the stroke,
 * so that a long stroke does not erode it. The search for a point's place starts at its last face and walks from neighbour
 * to neighbour, so a point never jumps to a nearby fold. */

enum { MOST_HOPS = 32 };

/* The point of a triangle nearest to p (Ericson, "Real-time collision detection", 5.1.5): a + v (b - a) + w (c - a). */
static void nearest_of_triangle(const double p[3], const double *a, const double *b, const double *c, double weights[2],
								double dest[3]) {
	double ab[3], ac[3], ap[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = b[k] - a[k];
		ac[k] = c[k] - a[k];
		ap[k] = p[k] - a[k];
	}
	const double b_b = snw_dot3(ab, ab), c_c = snw_dot3(ac, ac), b_c = snw_dot3(ab, ac);
	const double d1 = snw_dot3(ab, ap), d2 = snw_dot3(ac, ap);
	const double d3 = d1 - b_b, d4 = d2 - b_c, d5 = d1 - b_c, d6 = d2 - c_c;
	const double on_ab = d1 * d4 - d3 * d2, on_ac = d5 * d2 - d1 * d6, on_bc = d3 * d6 - d5 * d4;
	double v = 0, w = 0;
	if (on_ab > 0 && on_ac > 0 && on_bc > 0) { /* inside, the most frequent case */
		const double inverse = 1 / (on_ab + on_ac + on_bc);
		v = on_ac * inverse;
		w = on_ab * inverse;
	} else if (d1 <= 0 && d2 <= 0) {
		v = w = 0;
	} else if (d3 >= 0 && d4 <= d3) {
		v = 1;
	} else if (on_ab <= 0 && d1 >= 0 && d3 <= 0) {
		v = d1 / (d1 - d3);
	} else if (d6 >= 0 && d5 <= d6) {
		w = 1;
	} else if (on_ac <= 0 && d2 >= 0 && d6 <= 0) {
		w = d2 / (d2 - d6);
	} else if (on_bc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
		w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
		v = 1 - w;
	} else {
		const double inverse = 1 / (on_ab + on_ac + on_bc);
		v = on_ac * inverse;
		w = on_ab * inverse;
	}
	weights[0] = v;
	weights[1] = w;
	for (int k = 0; k < 3; k++) {
		dest[k] = a[k] + v * ab[k] + w * ac[k];
	}
}

/* The nearest place so far. */
typedef struct slide_search {
	double wanted[3], best[3];
	double least; /* the square of the distance */
	uint32_t face;
	bool is_inside; /* not on an edge of the face: no neighbour can be nearer without a fold */
} slide_search;

/* Takes the face's nearest place if it is nearer than the one found so far; returns whether it is. */
static bool try_face(const snw_sculpt *sculpt, uint32_t face, slide_search *found) {
	const uint32_t *corners = sculpt->mesh->face_points + sculpt->mesh->face_offsets[face];
	const uint32_t count = sculpt->mesh->face_offsets[face + 1] - sculpt->mesh->face_offsets[face];
	const double *first = sculpt->before + 3 * (size_t)corners[0], *b = sculpt->before + 3 * (size_t)corners[1];
	bool is_nearer = false;
	for (uint32_t c = 1; c + 1 < count; c++) {
		const double *d = sculpt->before + 3 * (size_t)corners[c + 1];
		double place[3], weights[2];
		nearest_of_triangle(found->wanted, first, b, d, weights, place);
		const double apart = snw_squared_distance3(found->wanted, place);
		if (apart < found->least) { /* false for NaN, which a triangle without area gives */
			found->least = apart;
			found->face = face;
			found->is_inside = (weights[1] > 0 || c > 1) && (weights[0] > 0 || c + 2 < count) && weights[0] + weights[1] < 1;
			memcpy(found->best, place, sizeof place);
			is_nearer = true;
		}
		b = d;
	}
	return is_nearer;
}

static uint32_t nearest_corner(const snw_sculpt *sculpt, uint32_t face, const double p[3]) {
	uint32_t nearest = sculpt->mesh->face_points[sculpt->mesh->face_offsets[face]];
	double least = INFINITY;
	for (uint32_t c = sculpt->mesh->face_offsets[face]; c < sculpt->mesh->face_offsets[face + 1]; c++) {
		const double apart = snw_squared_distance3(p, sculpt->before + 3 * (size_t)sculpt->mesh->face_points[c]);
		if (apart < least) {
			least = apart;
			nearest = sculpt->mesh->face_points[c];
		}
	}
	return nearest;
}

/* Tries the faces around a corner; returns whether one of them is nearer. It stops at a face that has the place inside. */
static bool try_around(const snw_sculpt *sculpt, uint32_t corner, slide_search *found) {
	bool is_nearer = false;
	for (uint32_t k = sculpt->around.face_starts[corner]; k < sculpt->around.face_starts[corner + 1] && !found->is_inside;
		 k++) {
		is_nearer |= try_face(sculpt, sculpt->around.faces[k], found);
	}
	return is_nearer;
}

/* Walks over neighbouring faces to the nearest place, from the point's anchor, or from its own faces if it has no anchor
 * yet. */
static void find_place(const snw_sculpt *sculpt, uint32_t point, slide_search *found) {
	bool is_nearer = true;
	found->least = INFINITY;
	found->face = sculpt->anchors[point];
	if (found->face == SNW_NONE) {
		is_nearer = try_around(sculpt, point, found);
	} else {
		try_face(sculpt, found->face, found);
	}
	for (int hop = 0; hop < MOST_HOPS && is_nearer && !found->is_inside; hop++) {
		is_nearer = try_around(sculpt, nearest_corner(sculpt, found->face, found->wanted), found);
	}
}

static void project_to_surface(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		double *step = sculpt->result + 3 * (size_t)i;
		const double *position = sculpt->points + 3 * (size_t)point;
		if (snw_dot3(step, step) == 0 || sculpt->around.face_starts[point] == sculpt->around.face_starts[point + 1]) {
			continue;
		}
		slide_search found = {.is_inside = false};
		for (int c = 0; c < 3; c++) {
			found.wanted[c] = found.best[c] = position[c] + step[c];
		}
		find_place(sculpt, point, &found);
		sculpt->anchors[point] = found.face;
		for (int c = 0; c < 3; c++) {
			step[c] = found.best[c] - position[c];
		}
	}
}

/* Changes sculpt->result so that points end on the surface at the start of the stroke. */
static void brush_project_to_surface(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN / 4, project_to_surface, sculpt);
}

typedef struct sliding {
	snw_sculpt *sculpt;
	const double *drag;
	double amount;
} sliding;

static void slide(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const sliding *work = argument;
	snw_sculpt *sculpt = work->sculpt;
	for (uint32_t i = begin; i < end; i++) {
		const double *normal = sculpt->normals + 3 * (size_t)sculpt->region.points[i];
		const double height = snw_dot3(work->drag, normal), reach = work->amount * sculpt->region.weights[i];
		for (int c = 0; c < 3; c++) {
			sculpt->result[3 * (size_t)i + (size_t)c] = reach * (work->drag[c] - height * normal[c]);
		}
	}
	project_to_surface(sculpt, begin, end, thread);
}

static void slide_points(snw_sculpt *sculpt, const double drag[3], double amount) {
	sliding work = {.sculpt = sculpt, .drag = drag, .amount = amount};
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN / 4, slide, &work);
}

/* ---- smoothing ----------------------------------------------------------------------------------------------------------- */

enum { PASSES = 4 };

/* Arrays are indexed by point. They include the ring around the region, whose values do not change. */
typedef struct smoothing {
	snw_sculpt *sculpt;
	const double *values; /* [point_count][width]: before the dab */
	uint32_t width;       /* 3 for positions, 1 for mask and field */
	const double *from;   /* [point_count][width]: the last pass */
	double *to;
	double factor;
	bool keeps_shape; /* moves points along the surface only */
} smoothing;

/* Sums over a point's neighbours; returns how many were used. */
static inline uint32_t sum_neighbours(const smoothing *work, uint32_t point, uint32_t width, double sum[3]) {
	const snw_adjacency *around = &work->sculpt->around;
	const uint32_t begin = around->neighbour_starts[point], end = around->neighbour_starts[point + 1];
	const bool on_border = around->on_border[point];
	uint32_t count = 0;
	for (uint32_t k = begin; k < end; k++) {
		const uint32_t neighbour = around->neighbours[k];
		if (on_border && !around->on_border[neighbour]) {
			continue;
		}
		for (uint32_t c = 0; c < width; c++) {
			sum[c] += work->from[(size_t)width * neighbour + c];
		}
		count++;
	}
	return count;
}

/* Smooths one point; `width` is a compile-time constant at each call. */
static inline void smooth_point(const smoothing *work, uint32_t i, uint32_t width) {
	const snw_sculpt *sculpt = work->sculpt;
	const uint32_t point = sculpt->region.points[i];
	const double *from = work->from + (size_t)width * point, reach = work->factor * sculpt->region.weights[i];
	double *to = work->to + (size_t)width * point, step[3] = {0};
	const bool is_fixed = work->keeps_shape && sculpt->around.on_border[point];
	const uint32_t count = is_fixed ? 0 : sum_neighbours(work, point, width, step);
	for (uint32_t c = 0; c < width; c++) {
		step[c] = count > 0 ? reach * (step[c] / count - from[c]) : 0;
	}
	if (work->keeps_shape) {
		const double *normal = sculpt->normals + 3 * (size_t)point;
		const double height = snw_dot3(step, normal);
		for (int c = 0; c < 3; c++) {
			step[c] -= height * normal[c];
		}
	}
	for (uint32_t c = 0; c < width; c++) {
		to[c] = from[c] + step[c];
	}
}

static void smooth_pass(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	for (uint32_t i = begin; i < end && work->width == 3; i++) {
		smooth_point(work, i, 3);
	}
	for (uint32_t i = begin; i < end && work->width == 1; i++) {
		smooth_point(work, i, 1);
	}
}

/* Copies the region and its ring into both buffers: passes write the region alone, but read the ring. */
static void copy_ring(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	const snw_sculpt *sculpt = work->sculpt;
	const size_t width = work->width;
	for (uint32_t i = begin; i < end; i++) {
		const size_t at = width * sculpt->ring.items[i];
		for (size_t c = at; c < at + width; c++) {
			sculpt->partial[c] = sculpt->smoothed[c] = work->values[c];
		}
	}
}

/* The result: displacements of positions, or the new values of mask or field. */
static void take_result(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	snw_sculpt *sculpt = work->sculpt;
	for (uint32_t i = begin; i < end; i++) {
		const size_t at = (size_t)work->width * sculpt->region.points[i];
		for (size_t c = 0; c < work->width; c++) {
			sculpt->result[3 * (size_t)i + c] = work->from[at + c] - (work->width == 3 ? sculpt->points[at + c] : 0);
		}
	}
}

static void run_passes(smoothing *work, double amount) {
	snw_sculpt *sculpt = work->sculpt;
	const int passes = amount < 0 ? 1 : PASSES;
	snw_parallel_for(sculpt->ring.count, SNW_SCULPT_GRAIN, copy_ring, work);
	work->from = sculpt->partial;
	work->to = sculpt->smoothed;
	for (int pass = 0; pass < passes; pass++) {
		work->factor = amount < 0 ? amount / 4 : 0.5 * fmin(1, fmax(0, PASSES * amount - pass));
		if (work->factor == 0) {
			break;
		}
		snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, smooth_pass, work);
		work->from = work->to;
		work->to = work->from == sculpt->partial ? sculpt->smoothed : sculpt->partial;
	}
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, take_result, work);
}

static void smooth_points(snw_sculpt *sculpt, double amount, bool along_surface) {
	smoothing work = {.sculpt = sculpt, .values = sculpt->points, .width = 3, .keeps_shape = along_surface};
	run_passes(&work, amount);
	if (along_surface) {
		brush_project_to_surface(sculpt);
	}
}

static void blur_values(snw_sculpt *sculpt, const double *values, double amount) {
	smoothing work = {.sculpt = sculpt, .values = values, .width = 1};
	run_passes(&work, amount);
}

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
		smooth_points(sculpt, work.amount, brush->kind == SNW_BRUSH_RELAX);
		break;
	case SNW_BRUSH_SOFTEN:
	case SNW_BRUSH_BLUR:
		blur_values(sculpt, brush->kind == SNW_BRUSH_SOFTEN ? sculpt->mask : sculpt->field, fabs(work.amount));
		break;
	case SNW_BRUSH_SLIDE:
		slide_points(sculpt, dab->drag, work.amount);
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
