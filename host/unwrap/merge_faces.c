/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrapping.h"

#include <string.h>

#include "unwrap/segment.h"

enum {
	FINER = 4,  /* times the charts, before they are tried */
	LEAST = 32, /* before they are tried: a few that a whole limb is in would all be taken back */
	MERGES = 8, /* tried together at least */
	ROUNDS = 32 /* of many charts this share of those that are too many is tried together */
};

/* The rest, and others evenly. */
static uint32_t choose_poses(const unwrap_run *u, const unwrap_sheet *s, const float **posed) {
	const size_t numbers = 3 * (size_t)s->surface.mesh->point_count;
	const uint32_t all = u->request->at_rest ? 1 : u->motion.pose_count;
	const uint32_t count = all < UNWRAP_SEGMENT_POSES ? all : UNWRAP_SEGMENT_POSES;
	for (uint32_t i = 0; i < count; i++) {
		posed[i] = u->motion.posed[s->mesh] + numbers * ((uint64_t)i * all / count);
	}
	return count;
}

static double most_stretch(const unwrap_run *u) {
	return u->request->most_stretch > 0 ? u->request->most_stretch : SNW_UNWRAP_STRETCH;
}

static bool is_good(const unwrap_run *u, const unwrap_sheet *s, uint32_t chart) {
	return !snw_failed(s->statuses[chart]) && !s->flats[chart].is_crossed &&
		   unwrap_stretch_value(&s->flats[chart].stretch) <= most_stretch(u);
}

/* Takes back merges whose charts stretch too far, or cross themselves. Returns how many. */
static uint32_t take_back(const unwrap_run *u, const unwrap_sheet *s, const double *numbers,
						  unwrap_segmentation *segmentation) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->charts.count; i++) {
		const uint32_t face = s->charts.faces[s->charts.offsets[i]];
		if (s->is_needed[i] && is_good(u, s, i)) {
			unwrap_segmentation_keep(segmentation, (uint32_t)numbers[face]);
		} else if (s->is_needed[i] && s->charts.offsets[i + 1] - s->charts.offsets[i] > 1) {
			unwrap_segmentation_take_back(segmentation, (uint32_t)numbers[face]);
			count++;
		}
	}
	return count;
}

/* The faces that are cut, and the seams that stay. */
typedef struct face_cutting {
	const bool *fixed;  /* [corner_count]: seams */
	const bool *is_cut; /* [face_count]: all faces of a chart, or none */
	unwrap_segmentation *segmentation;
} face_cutting;

/* [face_count]: those of the segmentation; −1 of all faces that are not cut, between whose charts are fixed seams. */
static const double *number_faces(const face_cutting *c, const unwrap_sheet *s) {
	const double *charts = unwrap_segmentation_charts(c->segmentation);
	double *numbers = SNW_NEW_ARRAY(s->arena, double, s->surface.mesh->face_count);
	for (uint32_t f = 0; f < s->surface.mesh->face_count; f++) {
		numbers[f] = c->is_cut[f] ? charts[f] : -1;
	}
	return numbers;
}

/* Flattens the charts that are new, or all to the end, and takes back those that do not hold. Charts that are not cut are not
 * flattened yet. The charts before are gone. */
static snw_status try_charts(unwrap_run *u, unwrap_sheet *s, const face_cutting *c, bool is_trial, const snw_task *task,
							 uint32_t *count) {
	snw_arena_destroy(s->arena);
	s->arena = snw_arena_create();
	const double *numbers = number_faces(c, s);
	s->seams = unwrap_seams_of_numbers(&s->surface, numbers, s->arena);
	for (uint32_t i = 0; i < s->surface.corner_count; i++) {
		s->seams[i] = s->seams[i] || c->fixed[i];
	}
	s->charts.count = 0;
	snw_status status = unwrap_sheet_cut(u, s);
	for (uint32_t i = 0; i < s->charts.count && !snw_failed(status); i++) {
		const uint32_t face = s->charts.faces[s->charts.offsets[i]];
		s->is_needed[i] =
			c->is_cut[face] && (!is_trial || !unwrap_segmentation_is_good(c->segmentation, (uint32_t)numbers[face]));
	}
	status = snw_failed(status) ? status : unwrap_sheet_flatten(u, s, is_trial, task);
	*count = snw_failed(status) ? 0 : take_back(u, s, numbers, c->segmentation);
	return status;
}

/* Half of the room for charts is left to merges that are taken back. */
static uint32_t first_count(const unwrap_sheet *s, uint32_t most) {
	const uint32_t half = (UNWRAP_MOST_PARTS - s->charts.count) / 2;
	const uint32_t first = FINER * most > LEAST ? FINER * most : LEAST;
	return first < half ? first : half;
}

/* Those that are tried together. */
static uint32_t merges_of(const unwrap_sheet *s, uint32_t most) {
	const uint32_t share = s->charts.count > most ? (s->charts.count - most) / ROUNDS : 0;
	return share > MERGES ? share : MERGES;
}

/* Cuts faces by merging them: first many charts, then fewer, each of which is tried. */
static snw_status merge_faces(unwrap_run *u, unwrap_sheet *s, face_cutting *c, const snw_task *task) {
	const float *posed[UNWRAP_SEGMENT_POSES];
	const uint32_t pose_count = choose_poses(u, s, posed);
	const uint32_t most = u->request->most_charts > 0 ? u->request->most_charts : SNW_UNWRAP_CHARTS;
	bool *closed = SNW_NEW_ARRAY(u->scratch, bool, s->surface.corner_count);
	uint32_t others = 0, count = 1;
	for (uint32_t i = 0; i < s->surface.corner_count; i++) {
		closed[i] = c->fixed[i] || !c->is_cut[s->surface.corner_faces[i]];
	}
	for (uint32_t f = 0; f < s->surface.mesh->face_count; f++) {
		others += !c->is_cut[f];
	}
	c->segmentation = unwrap_segmentation_make(&s->surface, closed, pose_count, posed, u->scratch);
	unwrap_segmentation_merge(c->segmentation, first_count(s, most) + others, SNW_NONE);
	snw_status status = SNW_OK;
	while (count > 0 && !snw_failed(status)) {
		status = try_charts(u, s, c, true, task, &count);
	}
	for (count = 1; count > 0 && !snw_failed(status);) {
		while (!snw_failed(status) && unwrap_segmentation_merge(c->segmentation, most + others, merges_of(s, most)) > 0) {
			status = try_charts(u, s, c, true, task, &count);
		}
		status = snw_failed(status) ? status : try_charts(u, s, c, false, task, &count);
	}
	for (uint32_t i = 0; i < s->charts.count && !snw_failed(status); i++) {
		s->is_needed[i] = !c->is_cut[s->charts.faces[s->charts.offsets[i]]];
	}
	return status;
}

snw_status unwrap_sheet_merge(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task) {
	bool *is_cut = SNW_NEW_ARRAY(u->scratch, bool, s->surface.mesh->face_count);
	memset(is_cut, true, s->surface.mesh->face_count);
	return merge_faces(u, s, &(face_cutting){.fixed = seams, .is_cut = is_cut}, task);
}

snw_status unwrap_sheet_cut_closed(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task) {
	bool *is_cut = SNW_NEW_ARRAY(u->scratch, bool, s->surface.mesh->face_count);
	for (uint32_t i = 0; i < s->charts.count; i++) {
		snw_arena *scratch = snw_arena_create();
		const bool is_flat = unwrap_chart_make(&s->surface, seams, &s->charts, i, scratch).is_flat;
		snw_arena_destroy(scratch);
		s->made->cut_parts += !is_flat;
		for (uint32_t k = s->charts.offsets[i]; k < s->charts.offsets[i + 1]; k++) {
			is_cut[s->charts.faces[k]] = !is_flat;
		}
	}
	return s->made->cut_parts > 0 ? merge_faces(u, s, &(face_cutting){.fixed = seams, .is_cut = is_cut}, task) : SNW_OK;
}
