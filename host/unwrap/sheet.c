/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrapping.h"

#include <string.h>

#include "services/services.h"
#include "task/parallel.h"

enum {
	LARGE_CHART = 20000, /* triangles: flattened alone, so that it can be stopped */
	BATCH = 64
};

snw_status unwrap_cancelled(const unwrap_run *u) {
	return snw_fail(u->error, SNW_CANCELLED, "unwrapping was cancelled");
}

typedef struct batch {
	unwrap_run *u;
	unwrap_sheet *s;
	const uint32_t *charts;
	bool is_trial;
	const snw_task *task;
} batch;

static void flatten_charts(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const batch *b = argument;
	unwrap_sheet *s = b->s;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t index = b->charts[i];
		snw_arena *scratch = snw_arena_create();
		const unwrap_chart chart = unwrap_chart_make(&s->surface, s->seams, &s->charts, index, scratch);
		s->statuses[index] = chart.is_flat ? unwrap_flatten(snw_services_host(b->u->services), &chart, s->lengths, b->is_trial,
															b->task, &s->flats[index])
										   : SNW_ERROR_DATA;
		snw_arena_destroy(scratch);
	}
}

static uint32_t triangles_of(const unwrap_sheet *s, uint32_t chart) {
	uint32_t count = 0;
	for (uint32_t i = s->charts.offsets[chart]; i < s->charts.offsets[chart + 1]; i++) {
		const uint32_t face = s->charts.faces[i];
		count += s->surface.triangle_offsets[face + 1] - s->surface.triangle_offsets[face];
	}
	return count;
}

/* Large ones one by one, others side by side. */
snw_status unwrap_sheet_flatten(unwrap_run *u, unwrap_sheet *s, bool is_trial, const snw_task *task) {
	snw_status status = SNW_OK;
	uint32_t waiting[BATCH], count = 0;
	for (uint32_t i = 0; i <= s->charts.count && !snw_failed(status); i++) {
		const bool is_needed = i < s->charts.count && s->is_needed[i],
				   is_large = is_needed && triangles_of(s, i) >= LARGE_CHART;
		snw_subtask part = {task, (double)i / (s->charts.count + 1), (i + 1.0) / (s->charts.count + 1)};
		const snw_task flattening = snw_task_of_subtask(&part);
		if (is_large) {
			batch alone = {u, s, &i, is_trial, &flattening};
			flatten_charts(&alone, 0, 1, 0);
			status = s->statuses[i] == SNW_CANCELLED ? SNW_CANCELLED : SNW_OK;
		} else if (is_needed) {
			waiting[count++] = i;
		}
		if (count == BATCH || i == s->charts.count) {
			batch together = {u, s, waiting, is_trial, NULL};
			snw_parallel_for(count, 1, flatten_charts, &together);
			count = 0;
			status = snw_task_progress(&flattening, 0, "flattening") ? status : SNW_CANCELLED;
		}
	}
	for (uint32_t i = 0; i < s->charts.count && !snw_failed(status); i++) {
		status = s->is_needed[i] && s->statuses[i] == SNW_ERROR_MEMORY ? SNW_ERROR_MEMORY : status;
	}
	return status == SNW_CANCELLED ? unwrap_cancelled(u)
		   : snw_failed(status)    ? snw_fail(u->error, status, "mesh '%s': flattening needs more memory than there is",
											  u->scene->meshes[s->mesh].name)
								   : SNW_OK;
}

snw_status unwrap_sheet_cut(unwrap_run *u, unwrap_sheet *s) {
	const unwrap_sheet before = *s;
	s->charts = unwrap_charts_make(&s->surface, s->seams, s->arena);
	if (s->charts.count > UNWRAP_MOST_PARTS) {
		return snw_fail(u->error, SNW_ERROR_LIMIT, "mesh '%s' falls into %u parts, at most %d can be unwrapped; join its faces",
						u->scene->meshes[s->mesh].name, s->charts.count, UNWRAP_MOST_PARTS);
	}
	s->flats = SNW_NEW_ARRAY(s->arena, unwrap_flat, s->charts.count);
	s->statuses = SNW_NEW_ARRAY(s->arena, snw_status, s->charts.count);
	s->is_needed = SNW_NEW_ARRAY(s->arena, bool, s->charts.count);
	for (uint32_t i = 0; i < s->charts.count; i++) {
		const uint32_t face = s->charts.faces[s->charts.offsets[i]], count = s->charts.offsets[i + 1] - s->charts.offsets[i];
		const uint32_t old = before.charts.count > 0 ? before.charts.face_charts[face] : 0;
		s->is_needed[i] = before.charts.count == 0 || before.charts.offsets[old + 1] - before.charts.offsets[old] != count;
		if (s->is_needed[i]) {
			s->flats[i].uvs = snw_arena_array(s->arena, s->charts.vertex_counts[i], sizeof *s->flats[i].uvs);
		} else {
			s->flats[i] = before.flats[old];
			s->statuses[i] = before.statuses[old];
		}
	}
	return SNW_OK;
}
