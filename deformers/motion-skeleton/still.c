/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands still in the world and is no part of the body, such as a floor or a chair.
 *
 * Only a whole shell counts, which is all that the surface connects: a foot that stands still, or the hips of a person who
 * sits, belong to a shell that moves. And no other shell may turn on it: the standing half of a hinge, the base of a machine
 * and the standing foot of a robot of many shells are bones. There, the nearest points of another shell move rigidly about a
 * place that is fixed. Those of a foot on a floor do not: either the foot leaves the floor, or it stands still itself.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/status.h"

/* The largest distance from its mean place at which a point stands still: this part of the diagonal of what moves, and at most
 * that part of the largest distance of all points. */
static const double still_share = 0.01, of_largest = 0.1;

/* How much farther away than the nearest point of another shell its points are nearest ones: of that diagonal. */
static const double nearest_share = 0.05;

enum { STILL_GRAIN = 64, STILL_SAMPLES = 256, FEWEST_NEAREST = 3 };

typedef struct standing {
	skeleton_fit *f;
	uint32_t *shells;         /* [point_count]: the lowest point of a point's shell */
	double *ways;             /* [point_count]: how far a point goes from its mean place at most */
	double *shell_ways;       /* [point_count]: the largest of a shell, at its lowest point */
	unsigned char *are_still; /* [point_count]: whether a shell stands still, at its lowest point */
	double diagonal;          /* of what moves */
	double limit;             /* up to which a point stands still */
	double *apart;            /* [point_count]: squared distance to the shell in question; infinite for what stands still */
	uint32_t *nearest;        /* [point_count]: points of one other shell that are nearest to it */
	rigid *motions;           /* [frame_count]: theirs */
} standing;

/* ---- shells that stand still --------------------------------------------------------------------------------------------- */

static void SNW_CALL find_ways(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const standing *s = argument;
	const uint32_t frames = s->f->frame_count;
	for (uint32_t i = begin; i < end; i++) {
		double mean[3] = {0, 0, 0}, place[3], largest = 0;
		for (uint32_t frame = 0; frame < frames; frame++) {
			frame_point(s->f, frame, i, place);
			for (int c = 0; c < 3; c++) {
				mean[c] += place[c] / frames;
			}
		}
		for (uint32_t frame = 0; frame < frames; frame++) {
			frame_point(s->f, frame, i, place);
			largest = fmax(largest, snw_squared_distance3(place, mean));
		}
		s->ways[i] = sqrt(largest);
	}
}

/* The diagonal of the shells that go far enough to be what moves. */
static double diagonal_of_moving(const standing *s, double least) {
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = 0; i < s->f->motion.point_count; i++) {
		const double *place = s->f->motion.points_rest + 3 * (size_t)i;
		for (int c = 0; c < 3 && s->shell_ways[s->shells[i]] >= least; c++) {
			low[c] = fmin(low[c], place[c]);
			high[c] = fmax(high[c], place[c]);
		}
	}
	return sqrt(snw_squared_distance3(low, high));
}

/* are_still, diagonal, limit. Returns how many shells stand still. */
static uint32_t find_still_shells(standing *s) {
	const uint32_t points = s->f->motion.point_count;
	double largest = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < points; i++) {
		double *way = &s->shell_ways[s->shells[i]];
		*way = fmax(*way, s->ways[i]);
		largest = fmax(largest, *way);
	}
	s->diagonal = diagonal_of_moving(s, of_largest * largest);
	s->limit = fmin(still_share * s->diagonal, of_largest * largest);
	for (uint32_t i = 0; i < points; i++) {
		s->are_still[i] = s->shells[i] == i && s->shell_ways[i] < s->limit;
		count += s->are_still[i];
	}
	return count;
}

/* ---- what turns on them -------------------------------------------------------------------------------------------------- */

/* apart. Returns the least of it. */
static double measure_apart(const standing *s, uint32_t shell) {
	const double *places = s->f->motion.points_rest;
	const uint32_t points = s->f->motion.point_count;
	uint32_t size = 0, count = 0, seen = 0, samples[STILL_SAMPLES];
	for (uint32_t i = shell; i < points; i++) {
		size += s->shells[i] == shell;
	}
	for (uint32_t i = shell; i < points && count < STILL_SAMPLES; i++) {
		if (s->shells[i] == shell && seen++ % (size / STILL_SAMPLES + 1) == 0) {
			samples[count++] = i;
		}
	}
	double least = INFINITY;
	for (uint32_t i = 0; i < points; i++) {
		s->apart[i] = INFINITY;
		for (uint32_t k = 0; k < count && !s->are_still[s->shells[i]]; k++) {
			s->apart[i] = fmin(s->apart[i], snw_squared_distance3(places + 3 * (size_t)i, places + 3 * (size_t)samples[k]));
		}
		least = fmin(least, s->apart[i]);
	}
	return least;
}

/* motions of the nearest points. Returns what they leave of them, root mean square. */
static double find_nearest_motions(const standing *s, uint32_t count) {
	const skeleton_fit *f = s->f;
	double left = 0;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		double rest[16] = {0}, posed[12] = {0}, place[3], found[3];
		for (uint32_t n = 0; n < count; n++) {
			const double *at = f->motion.points_rest + 3 * (size_t)s->nearest[n], v[4] = {at[0], at[1], at[2], 1};
			frame_point(f, frame, s->nearest[n], place);
			for (int k = 0; k < 16; k++) {
				rest[k] += v[k / 4] * v[k % 4];
			}
			for (int k = 0; k < 12; k++) {
				posed[k] += place[k / 4] * v[k % 4];
			}
		}
		nearest_rigid(rest, posed, &s->motions[frame]);
		for (uint32_t n = 0; n < count; n++) {
			frame_point(f, frame, s->nearest[n], place);
			snw_mat34_point(s->motions[frame].m, f->motion.points_rest + 3 * (size_t)s->nearest[n], found);
			left += snw_squared_distance3(place, found);
		}
	}
	return sqrt(left / count / f->frame_count);
}

/* Whether the nearest points move, rigidly, about a place among them that is fixed. */
static int rotate_about_one(const standing *s, uint32_t count) {
	double middle[3] = {0, 0, 0}, place[3], way = 0;
	for (uint32_t n = 0; n < count; n++) {
		way = fmax(way, s->ways[s->nearest[n]]);
		for (int c = 0; c < 3; c++) {
			middle[c] += s->f->motion.points_rest[3 * (size_t)s->nearest[n] + (size_t)c] / count;
		}
	}
	if (count < FEWEST_NEAREST || way < s->limit || find_nearest_motions(s, count) > s->limit) {
		return 0;
	}
	const double reach = 2 * nearest_share * s->diagonal;
	return find_fixed_place(s->f->frame_count, s->motions, middle, place) < s->limit &&
		   snw_squared_distance3(place, middle) < reach * reach;
}

/* Whether another shell turns on this one. */
static int carries_another(const standing *s, uint32_t shell) {
	const uint32_t points = s->f->motion.point_count;
	const double most = sqrt(measure_apart(s, shell)) + nearest_share * s->diagonal;
	for (uint32_t i = 0; i < points; i++) {
		uint32_t count = 0;
		for (uint32_t k = i; s->apart[i] <= most * most && k < points; k++) {
			if (s->shells[k] == s->shells[i] && s->apart[k] <= most * most) {
				s->nearest[count++] = k;
			}
		}
		for (uint32_t n = 0; n < count; n++) {
			s->apart[s->nearest[n]] = INFINITY;
		}
		if (rotate_about_one(s, count)) {
			return 1;
		}
	}
	return 0;
}

/* Shells that carry another are parts of the body. */
static snw_status keep_carriers(standing *s) {
	snw_pool pool = snw_pool_open(s->f->host);
	const uint32_t points = s->f->motion.point_count;
	unsigned char *carriers = SNW_POOL_ARRAY(&pool, unsigned char, points);
	snw_status status = carriers ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t i = 0; i < points && !snk_failed(status); i++) {
		if (s->are_still[i]) {
			carriers[i] = (unsigned char)carries_another(s, i);
			status = may_go_on(s->f) ? SNW_OK : SNW_CANCELLED;
		}
	}
	for (uint32_t i = 0; i < points && !snk_failed(status); i++) {
		s->are_still[i] = s->are_still[i] && !carriers[i];
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- the body without them ----------------------------------------------------------------------------------------------- */

/* still.places, count and middle. */
static void count_still(const standing *s) {
	skeleton_fit *f = s->f;
	still_points *still = &f->still;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const int is_still = s->are_still[s->shells[i]];
		still->places[i] = is_still ? SNW_NONE : kept++;
		still->count += (uint32_t)is_still;
		for (int c = 0; c < 3 && is_still; c++) {
			still->middle[c] += f->body->points_rest[3 * (size_t)i + (size_t)c];
		}
	}
	for (int c = 0; c < 3 && still->count > 0; c++) {
		still->middle[c] /= still->count;
	}
}

/* still.motion: the nearest rigid motion of all these points to all frames. */
static void find_still_motion(skeleton_fit *f) {
	still_points *still = &f->still;
	double rest[16] = {0}, posed[12] = {0}, place[3], back[3];
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const double *at = f->motion.points_rest + 3 * (size_t)i, v[4] = {at[0], at[1], at[2], 1};
		for (int k = 0; k < 16 && still->places[i] == SNW_NONE; k++) {
			rest[k] += v[k / 4] * v[k % 4] * f->frame_count;
		}
		for (uint32_t frame = 0; frame < f->frame_count && still->places[i] == SNW_NONE; frame++) {
			frame_point(f, frame, i, place);
			for (int k = 0; k < 12; k++) {
				posed[k] += place[k / 4] * v[k % 4];
			}
		}
	}
	nearest_rigid(rest, posed, &still->motion);
	snw_mat34_vector(still->motion.m, f->motion.centre, back);
	for (int c = 0; c < 3; c++) {
		still->motion.m[4 * c + 3] += f->motion.centre[c] - back[c];
	}
}

/* A mesh of the points that stay. */
static snw_status keep_mesh(skeleton_fit *f, uint32_t kept) {
	const snw_mesh_view *whole = f->body;
	const uint32_t *places = f->still.places;
	snw_mesh_view *body = SNW_POOL_ARRAY(&f->pool, snw_mesh_view, 1);
	double *rest = SNW_POOL_ARRAY(&f->pool, double, 3 * (size_t)kept);
	uint32_t *offsets = SNW_POOL_ARRAY(&f->pool, uint32_t, (size_t)whole->face_count + 1);
	uint32_t *corners = SNW_POOL_ARRAY(&f->pool, uint32_t, whole->face_offsets[whole->face_count]);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < whole->point_count; i++) {
		if (places[i] != SNW_NONE) {
			memcpy(rest + 3 * (size_t)places[i], whole->points_rest + 3 * (size_t)i, 3 * sizeof *rest);
		}
	}
	uint32_t faces = 0, corner = 0;
	for (uint32_t face = 0; face < whole->face_count; face++) {
		const uint32_t begin = whole->face_offsets[face], end = whole->face_offsets[face + 1];
		if (begin == end || places[whole->face_points[begin]] == SNW_NONE) {
			continue;
		}
		for (uint32_t k = begin; k < end; k++) {
			corners[corner++] = places[whole->face_points[k]];
		}
		offsets[++faces] = corner;
	}
	*body = (snw_mesh_view){.size = sizeof *body,
							.name = whole->name,
							.point_count = kept,
							.points_rest = rest,
							.face_count = faces,
							.face_offsets = offsets,
							.face_points = corners};
	f->body = body;
	return SNW_OK;
}

static snw_status keep_frames(skeleton_fit *f, uint32_t kept) {
	const uint32_t *places = f->still.places, points = f->motion.point_count;
	const unsigned char *breaks = f->motion.breaks;
	float *all = SNW_POOL_ARRAY(&f->pool, float, 3 * (size_t)kept * f->frame_count);
	if (!all) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		float *dest = all + 3 * (size_t)kept * frame;
		for (uint32_t i = 0; i < points; i++) {
			if (places[i] != SNW_NONE) {
				memcpy(dest + 3 * (size_t)places[i], f->frames[frame] + 3 * (size_t)i, 3 * sizeof *dest);
			}
		}
		f->frames[frame] = dest;
	}
	const snw_status status = snk_motion_make(&f->pool, kept, f->body->points_rest, f->frame_count, f->frames, &f->motion);
	f->motion.breaks = breaks;
	return status;
}

static snw_status drop_still(const standing *s) {
	skeleton_fit *f = s->f;
	count_still(s);
	if (f->still.count == 0) {
		return SNW_OK;
	}
	const uint32_t kept = f->motion.point_count - f->still.count;
	find_still_motion(f);
	const snw_status status = keep_mesh(f, kept);
	return snk_failed(status) ? status : keep_frames(f, kept);
}

snw_status leave_out_still(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count;
	if (f->body->face_count == 0) {
		return SNW_OK; /* no surface tells shells apart */
	}
	snw_pool pool = snw_pool_open(f->host);
	standing s = {.f = f,
				  .shells = SNW_POOL_ARRAY(&pool, uint32_t, points),
				  .ways = SNW_POOL_ARRAY(&pool, double, points),
				  .shell_ways = SNW_POOL_ARRAY(&pool, double, points),
				  .are_still = SNW_POOL_ARRAY(&pool, unsigned char, points),
				  .apart = SNW_POOL_ARRAY(&pool, double, points),
				  .nearest = SNW_POOL_ARRAY(&pool, uint32_t, points),
				  .motions = SNW_POOL_ARRAY(&pool, rigid, f->frame_count)};
	f->still.places = SNW_POOL_ARRAY(&f->pool, uint32_t, points);
	snw_status status = pool.failed || f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		const snk_faces faces = snk_faces_of(f->body);
		snk_pieces_find(&faces, s.shells);
		status = run_in_slabs(f, points, STILL_GRAIN, find_ways, &s);
	}
	if (!snk_failed(status) && find_still_shells(&s) > 0) {
		status = keep_carriers(&s);
		status = snk_failed(status) ? status : drop_still(&s);
	}
	snw_pool_release(&pool);
	return status;
}
