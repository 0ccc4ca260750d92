/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "task/task.h"
#include "unwrap/unwrapping.h"

/* Cells along a side: of the square that sizes are found in, and at most of that which parts are put into; angles that a chart
 * is tried at; those among which the narrowest box is found; sizes tried. */
enum {
	COARSE_CELLS = 256,
	MOST_SHEET_CELLS = 1024,
	ANGLES = 16,
	BOX_ANGLES = 45,
	HALVINGS = 5,
	FINE_HALVINGS = 2,
	SHRINKINGS = 60
};

static const double round_angle = 6.283185307179586, quarter_circle = 0.7853981633974483;
static const double square_diagonal = 1.4142135623730951; /* of a side: no part that fits is longer */
static const double first_share = 0.9;                    /* of the square, tried first */
static const double fine_growth = 1.05; /* of the size that fits into coarse cells, tried first in fine ones */
/* Of a size that does not fit. The least is for one where few parts found a place. */
static const double shrink = 0.96, least_shrink = 0.5, fine_shrink = 0.98;

/* Cells [begin, end) of a row. */
typedef struct run {
	uint16_t row, begin, end;
} run;

/* A part at one angle, as cells. */
typedef struct stamp {
	double angle, low[2]; /* of the rotated and scaled part, in cells */
	uint32_t width, height, run_count, run_room;
	double middle; /* the mean height of its cells, by which places are compared */
	run *runs;
	uint32_t first[2]; /* where it ends lowest: x, y */
	bool fits;
	snw_arena *arena;
	unsigned char *bits; /* [height][width] */
	size_t bit_room;
} stamp;

typedef struct packing {
	uint32_t count, cells, gap; /* gap: cells between parts */
	unwrap_part *parts;
	uint32_t *order;
	double *best_angles; /* [count]: of the narrowest box */
	double *lengths;     /* [count]: the longer side of that box */
	double area;         /* of all parts */
	double scale;        /* cells a unit */
	/* [cells][cells + 1]: the first taken cell of the row at or after x; `cells` for none. */
	uint16_t *taken;
	uint16_t *widest;   /* [cells]: the longest run of free cells of the row */
	unsigned char *map; /* [cells][cells] */
	stamp stamps[ANGLES];
	const unwrap_part *part; /* that is being put */
	double part_angle;
} packing;

void unwrap_part_place(const unwrap_part *part, double scale, const double uv[2], double placed[2]) {
	const double c = scale * cos(part->angle), s = scale * sin(part->angle);
	placed[0] = c * uv[0] - s * uv[1] + part->offset[0];
	placed[1] = s * uv[0] + c * uv[1] + part->offset[1];
}

/* ---- cells of a part ----------------------------------------------------------------------------------------------------- */

static void box_at(const unwrap_part *part, double angle, double low[2], double high[2]) {
	const double c = cos(angle), s = sin(angle);
	low[0] = low[1] = (double)INFINITY;
	high[0] = high[1] = -(double)INFINITY;
	for (uint32_t v = 0; v < part->vertex_count; v++) {
		const double at[2] = {c * part->uvs[v][0] - s * part->uvs[v][1], s * part->uvs[v][0] + c * part->uvs[v][1]};
		for (int k = 0; k < 2; k++) {
			low[k] = fmin(low[k], at[k]);
			high[k] = fmax(high[k], at[k]);
		}
	}
}

static double narrowest_angle(const unwrap_part *part) {
	double best = 0, least = (double)INFINITY;
	for (int i = 0; i < BOX_ANGLES; i++) {
		const double angle = round_angle / 4 * i / BOX_ANGLES;
		double low[2], high[2];
		box_at(part, angle, low, high);
		const double area = (high[0] - low[0]) * (high[1] - low[1]);
		if (area < least * (1 - 1e-9)) {
			least = area;
			best = angle;
		}
	}
	return best;
}

/* Where a triangle is between two heights: all cells that it touches are marked. */
static void mark_row(const double (*corners)[2], uint32_t row, stamp *s) {
	const double heights[2] = {row, row + 1.0};
	double low = (double)INFINITY, high = -(double)INFINITY;
	for (int k = 0; k < 3; k++) {
		const double *a = corners[k], *b = corners[(k + 1) % 3];
		if (a[1] >= heights[0] && a[1] <= heights[1]) {
			low = fmin(low, a[0]);
			high = fmax(high, a[0]);
		}
		for (int h = 0; h < 2; h++) {
			if ((a[1] < heights[h]) != (b[1] < heights[h])) {
				const double x = a[0] + (b[0] - a[0]) * (heights[h] - a[1]) / (b[1] - a[1]);
				low = fmin(low, x);
				high = fmax(high, x);
			}
		}
	}
	if (low <= high) {
		const uint32_t begin = (uint32_t)fmax(low, 0), end = (uint32_t)fmin(high, s->width - 1) + 1;
		memset(s->bits + (size_t)row * s->width + begin, 1, end > begin ? end - begin : 0);
	}
}

static void mark_triangles(const unwrap_part *part, double scale, stamp *s) {
	const double c = scale * cos(s->angle), n = scale * sin(s->angle);
	for (uint32_t t = 0; t < part->triangle_count; t++) {
		double corners[3][2], low = (double)INFINITY, high = -(double)INFINITY;
		for (int k = 0; k < 3; k++) {
			const double *uv = part->uvs[part->triangles[3 * (size_t)t + k]];
			corners[k][0] = c * uv[0] - n * uv[1] - s->low[0];
			corners[k][1] = n * uv[0] + c * uv[1] - s->low[1];
			low = fmin(low, corners[k][1]);
			high = fmax(high, corners[k][1]);
		}
		const uint32_t end = (uint32_t)fmin(high, s->height - 1) + 1;
		for (uint32_t row = (uint32_t)fmax(low, 0); row < end; row++) {
			mark_row((const double(*)[2])corners, row, s);
		}
	}
}

/* The longest first: they are in the way most. */
static int compare_runs(const void *a, const void *b) {
	const run *x = a, *y = b;
	const int longer = (y->end - y->begin) - (x->end - x->begin);
	return longer != 0 ? longer : x->row != y->row ? x->row - y->row : x->begin - y->begin;
}

static void list_runs(stamp *s) {
	uint64_t cells = 0, heights = 0;
	s->run_count = 0;
	for (uint32_t y = 0; y < s->height; y++) {
		const unsigned char *row = s->bits + (size_t)y * s->width;
		for (uint32_t x = 0; x < s->width;) {
			uint32_t end = x;
			while (end < s->width && row[end]) {
				end++;
			}
			if (end > x) {
				s->runs = snw_arena_grow(s->arena, s->runs, s->run_count, &s->run_room, sizeof *s->runs);
				s->runs[s->run_count++] = (run){(uint16_t)y, (uint16_t)x, (uint16_t)end};
				cells += end - x;
				heights += (uint64_t)y * (end - x);
			}
			x = end + 1;
		}
	}
	s->middle = cells > 0 ? (double)heights / (double)cells : 0;
	qsort(s->runs, s->run_count, sizeof *s->runs, compare_runs);
}

/* False if it is larger than the square. */
static bool make_stamp(const packing *p, double angle, stamp *s) {
	double high[2];
	s->angle = angle;
	box_at(p->part, angle, s->low, high);
	for (int k = 0; k < 2; k++) {
		s->low[k] *= p->scale;
		high[k] *= p->scale;
	}
	const double room = (double)p->cells - p->gap;
	if (!(high[0] - s->low[0] < room) || !(high[1] - s->low[1] < room)) {
		return false;
	}
	s->width = (uint32_t)(high[0] - s->low[0]) + 1;
	s->height = (uint32_t)(high[1] - s->low[1]) + 1;
	const size_t bytes = (size_t)s->width * s->height;
	if (bytes > s->bit_room) {
		s->bit_room = 2 * bytes;
		s->bits = snw_arena_acquire(s->arena, s->bit_room);
	}
	memset(s->bits, 0, bytes);
	mark_triangles(p->part, p->scale, s);
	list_runs(s);
	return true;
}

/* ---- finding a place ----------------------------------------------------------------------------------------------------- */

/* How far a stamp has to go to the right at least, for its run to be free; 0 where it is. */
static uint32_t step_over(const packing *p, const run *r, uint32_t x, uint32_t y) {
	const uint32_t taken = p->taken[(size_t)(y + r->row) * (p->cells + 1) + x + r->begin];
	return taken < x + r->end ? taken - x - r->begin + 1 : 0;
}

/* Whether each run of a stamp is as short as the longest free one of its row. */
static bool may_fit(const packing *p, const stamp *s, uint32_t y) {
	for (uint32_t i = 0; i < s->run_count; i++) {
		if (s->runs[i].end - s->runs[i].begin > p->widest[y + s->runs[i].row]) {
			return false;
		}
	}
	return true;
}

/* The first place in a row; `cells` for none. The run that was in the way last is tried first. */
static uint32_t find_in_row(const packing *p, const stamp *s, uint32_t y, uint32_t *in_way) {
	const uint32_t margin = (p->gap + 1) / 2;
	for (uint32_t x = margin; x + s->width + margin <= p->cells;) {
		uint32_t step = step_over(p, &s->runs[*in_way], x, y);
		for (uint32_t i = 0; i < s->run_count && step == 0; i++) {
			step = step_over(p, &s->runs[i], x, y);
			*in_way = step > 0 ? i : *in_way;
		}
		if (step == 0) {
			return x;
		}
		x += step;
	}
	return p->cells;
}

/* The lowest place, of those whose score is below `most`. */
static void find_place(const packing *p, double angle, double most, stamp *s) {
	const uint32_t margin = (p->gap + 1) / 2;
	uint32_t in_way = 0;
	s->fits = false;
	if (!make_stamp(p, angle, s)) {
		return;
	}
	for (uint32_t y = margin; !s->fits && y + s->height + margin <= p->cells && y + s->middle < most; y++) {
		s->first[0] = may_fit(p, s, y) ? find_in_row(p, s, y, &in_way) : p->cells;
		s->first[1] = y;
		s->fits = s->first[0] < p->cells;
	}
}

static void find_places(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	packing *p = argument;
	(void)thread;
	const double most = p->stamps[0].fits ? p->stamps[0].first[1] + p->stamps[0].middle : (double)INFINITY;
	for (uint32_t i = begin + 1; i < end + 1; i++) {
		find_place(p, p->part_angle + round_angle * i / ANGLES, most, &p->stamps[i]);
	}
}

/* Takes the cells of a stamp, and those nearer to it than the gap. */
static void take(packing *p, const stamp *s) {
	const int64_t gap = p->gap, cells = p->cells;
	for (uint32_t i = 0; i < s->run_count; i++) {
		for (int64_t dy = -gap; dy <= gap; dy++) {
			const int64_t y = (int64_t)s->first[1] + s->runs[i].row + dy, between = llabs(dy) > 0 ? llabs(dy) - 1 : 0;
			const int64_t dx = (int64_t)ceil(sqrt((double)(gap * gap - between * between)));
			const int64_t begin = (int64_t)s->first[0] + s->runs[i].begin - dx,
						  end = (int64_t)s->first[0] + s->runs[i].end + dx;
			if (y >= 0 && y < cells) {
				const int64_t from = begin > 0 ? begin : 0, to = end < cells ? end : cells;
				memset(p->map + y * cells + from, 1, (size_t)(to - from));
			}
		}
	}
	const int64_t low = (int64_t)s->first[1] - gap, high = (int64_t)s->first[1] + s->height + gap;
	for (int64_t y = low > 0 ? low : 0; y < high && y < cells; y++) {
		uint16_t next = (uint16_t)cells, *taken = p->taken + y * (cells + 1);
		int64_t widest = 0;
		for (int64_t x = cells; x-- > 0;) {
			next = p->map[y * cells + x] ? (uint16_t)x : next;
			taken[x] = next;
			widest = next - x > widest ? next - x : widest;
		}
		p->widest[y] = (uint16_t)widest;
	}
}

static bool place_part(packing *p, uint32_t index) {
	const stamp *best = NULL;
	p->part = &p->parts[index];
	p->part_angle = p->best_angles[index];
	find_place(p, p->part_angle, (double)INFINITY, &p->stamps[0]);
	snw_parallel_for(ANGLES - 1, 1, find_places, p);
	for (uint32_t i = 0; i < ANGLES; i++) {
		const stamp *s = &p->stamps[i];
		if (s->fits && (!best || s->first[1] + s->middle < best->first[1] + best->middle)) {
			best = s;
		}
	}
	if (best) {
		p->parts[index].angle = best->angle;
		for (int k = 0; k < 2; k++) {
			p->parts[index].offset[k] = (best->first[k] - best->low[k]) / p->cells;
		}
		take(p, best);
	}
	return best;
}

/* ---- sizes --------------------------------------------------------------------------------------------------------------- */

/* The cells that a part and its share of the gaps take at least: it hangs together, so that it has a cell at least, and the gap
 * on both sides, all along its length. */
static double least_cells(const packing *p, uint32_t part, double scale) {
	const double covered = p->parts[part].area * scale * scale;
	return fmax(covered, 1) + p->gap * p->lengths[part] * scale + quarter_circle * p->gap * p->gap;
}

/* The largest size at which all parts may have their least cells; 0 for none. */
static double largest_size(const packing *p) {
	double lengths = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		lengths += p->lengths[i];
	}
	const double cells = p->cells, half = p->gap * lengths / 2;
	const double left = cells * cells - quarter_circle * p->gap * p->gap * p->count;
	return left > 0 ? left / (half + sqrt(half * half + p->area * left)) : 0;
}

/* SNW_ERROR_LIMIT if they do not fit: `placed` is then the share that found a place, by their least cells. */
static snw_status place_all(packing *p, double scale, const snw_task *task, double *placed) {
	double done = 0, all = 0;
	p->scale = scale;
	memset(p->map, 0, (size_t)p->cells * p->cells);
	for (size_t i = 0; i < (size_t)p->cells * (p->cells + 1); i++) {
		p->taken[i] = (uint16_t)p->cells;
	}
	for (uint32_t y = 0; y < p->cells; y++) {
		p->widest[y] = (uint16_t)p->cells;
	}
	for (uint32_t i = 0; i < p->count; i++) {
		all += least_cells(p, i, scale);
	}
	for (uint32_t i = 0; i < p->count; i++) {
		if (!snw_task_progress(task, (double)i / p->count, "packing charts")) {
			return SNW_CANCELLED;
		}
		if (!place_part(p, p->order[i])) {
			*placed = done / all;
			return SNW_ERROR_LIMIT;
		}
		done += least_cells(p, p->order[i], scale);
	}
	return SNW_OK;
}

typedef struct sized {
	double size;
	uint32_t index;
} sized;

static int compare_sizes(const void *a, const void *b) {
	const sized *x = a, *y = b;
	return x->size != y->size ? (x->size < y->size ? 1 : -1) : x->index < y->index ? -1 : x->index > y->index;
}

/* The longest box first. */
static void order_parts(packing *p, snw_arena *arena) {
	sized *sizes = SNW_NEW_ARRAY(arena, sized, p->count);
	p->order = SNW_NEW_ARRAY(arena, uint32_t, p->count);
	p->best_angles = SNW_NEW_ARRAY(arena, double, p->count);
	p->lengths = SNW_NEW_ARRAY(arena, double, p->count);
	for (uint32_t i = 0; i < p->count; i++) {
		double low[2], high[2];
		p->best_angles[i] = narrowest_angle(&p->parts[i]);
		box_at(&p->parts[i], p->best_angles[i], low, high);
		p->lengths[i] = fmax(high[0] - low[0], high[1] - low[1]);
		sizes[i] = (sized){p->lengths[i], i};
	}
	qsort(sizes, p->count, sizeof *sizes, compare_sizes);
	for (uint32_t i = 0; i < p->count; i++) {
		p->order[i] = sizes[i].index;
	}
}

/* The largest size that was seen to fit, from one that may be too large on; the parts are placed by it. The next size after
 * one that does not fit is smaller by `shrinking`, and by up to `least` where few parts found a place. */
static snw_status find_size(packing *p, double too_large, double shrinking, double least, int halvings, const snw_task *task,
							double *found) {
	const int most = SHRINKINGS + halvings + 1;
	double fits = 0, factor = shrinking, placed = 1;
	snw_status status = SNW_ERROR_LIMIT;
	int tries = 0;
	for (int halved = 0; tries < most && too_large > 0 && (fits == 0 || halved < halvings); tries++) {
		const double tried = fits > 0 ? (fits + too_large) / 2 : too_large * factor;
		snw_subtask part = {task, (double)tries / most, (tries + 1.0) / most};
		const snw_task placing = snw_task_of_subtask(&part);
		halved += fits > 0;
		status = place_all(p, tried, &placing, &placed);
		if (status == SNW_CANCELLED) {
			return status;
		}
		*(snw_failed(status) ? &too_large : &fits) = tried;
		factor = fmax(fmin(shrinking, sqrt(placed)), least);
	}
	*found = fits;
	return fits > 0 && snw_failed(status) ? place_all(p, fits, task, &placed) : status;
}

static void use_cells(packing *p, uint32_t size, uint32_t padding, uint32_t most) {
	const uint32_t cell = (size + most - 1) / most;
	p->cells = size / cell;
	p->gap = (padding + cell - 1) / cell;
}

/* Tried first: a larger size has no room for all parts, or for the longest. */
static double first_size(const packing *p) {
	const double longest = p->count > 0 ? p->lengths[p->order[0]] : 0;
	return fmin(fmin(p->cells * sqrt(first_share / p->area), largest_size(p)),
				square_diagonal * ((double)p->cells - p->gap) / longest);
}

/* Coarsely first: the share of the square that a unit's length takes follows, by what it is at most in both. */
static snw_status find_sizes(packing *p, uint32_t size, uint32_t padding, const snw_task *task, double *found) {
	snw_subtask parts[2] = {{task, 0, 0.3}, {task, 0.3, 1}};
	const snw_task coarse = snw_task_of_subtask(&parts[0]), fine = snw_task_of_subtask(&parts[1]);
	double coarse_size = 0;
	use_cells(p, size, padding, COARSE_CELLS);
	const snw_status status = find_size(p, first_size(p), shrink, least_shrink, HALVINGS, &coarse, &coarse_size);
	const double share = coarse_size > 0 ? coarse_size / largest_size(p) : 0;
	use_cells(p, size, padding, MOST_SHEET_CELLS);
	const double first = share > 0 ? fine_growth * share * largest_size(p) : first_size(p);
	return status == SNW_CANCELLED
			   ? status
			   : find_size(p, first, fine_shrink, share > 0 ? fine_shrink : least_shrink, FINE_HALVINGS, &fine, found);
}

snw_status unwrap_pack(uint32_t count, unwrap_part *parts, uint32_t size, uint32_t padding, const snw_task *task, double *scale,
					   double *used, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	packing p = {.count = count, .parts = parts};
	double found = 0;
	for (uint32_t i = 0; i < count; i++) {
		p.area += parts[i].area;
	}
	for (uint32_t i = 0; i < ANGLES; i++) {
		p.stamps[i].arena = snw_arena_create();
	}
	p.map = snw_arena_array(scratch, MOST_SHEET_CELLS, MOST_SHEET_CELLS);
	p.taken = SNW_NEW_ARRAY(scratch, uint16_t, (size_t)MOST_SHEET_CELLS * (MOST_SHEET_CELLS + 1));
	p.widest = SNW_NEW_ARRAY(scratch, uint16_t, MOST_SHEET_CELLS);
	order_parts(&p, scratch);
	snw_status status = find_sizes(&p, size, padding, task, &found);
	if (status == SNW_CANCELLED) {
		snw_fail(error, status, "unwrapping was cancelled");
	} else if (snw_failed(status)) {
		snw_fail(error, status,
				 "%u charts do not fit into %u × %u pixels with %u pixels between them; use a larger --size or less "
				 "--padding",
				 count, size, size, padding);
	}
	*scale = found / p.cells;
	*used = p.area * *scale * *scale;
	for (uint32_t i = 0; i < ANGLES; i++) {
		snw_arena_destroy(p.stamps[i].arena);
	}
	snw_arena_destroy(scratch);
	return status;
}
