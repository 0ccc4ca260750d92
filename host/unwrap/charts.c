/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "services/services.h"
#include "task/task.h"
#include "unwrap/unwrapping.h"

/* ---- charts -------------------------------------------------------------------------------------------------------------- */

/* UVs on both sides of an edge that differ by less are the same. */
static const float same_uv = 1e-6f;

/* ---- seams --------------------------------------------------------------------------------------------------------------- */

static bool differ(const float *a, const float *b) {
	return fabsf(a[0] - b[0]) > same_uv || fabsf(a[1] - b[1]) > same_uv;
}

static bool *materials_seams(const unwrap_surface *s, snw_arena *arena) {
	bool *seams = SNW_NEW_ARRAY(arena, bool, s->corner_count);
	const uint32_t *materials = s->mesh->face_materials;
	for (uint32_t c = 0; c < s->corner_count; c++) {
		seams[c] =
			s->twins[c] == SNW_NONE || (materials && materials[s->corner_faces[c]] != materials[s->corner_faces[s->twins[c]]]);
	}
	return seams;
}

bool *unwrap_seams_of_uvs(const unwrap_surface *s, snw_arena *arena) {
	bool *seams = materials_seams(s, arena);
	const float *uvs = s->mesh->corner_uvs;
	for (uint32_t c = 0; uvs && c < s->corner_count; c++) {
		const size_t twin = s->twins[c];
		seams[c] = seams[c] || differ(uvs + 2 * (size_t)c, uvs + 2 * (size_t)unwrap_next_corner(s, s->twins[c])) ||
				   differ(uvs + 2 * (size_t)unwrap_next_corner(s, c), uvs + 2 * twin);
	}
	return seams;
}

bool *unwrap_seams_of_numbers(const unwrap_surface *s, const double *numbers, snw_arena *arena) {
	bool *seams = materials_seams(s, arena);
	for (uint32_t c = 0; c < s->corner_count; c++) {
		seams[c] = seams[c] || numbers[s->corner_faces[c]] != numbers[s->corner_faces[s->twins[c]]];
	}
	return seams;
}

/* ---- charts -------------------------------------------------------------------------------------------------------------- */

/* The first of a set, by path halving. */
static uint32_t first_of(uint32_t *sets, uint32_t member) {
	while (sets[member] != member) {
		member = sets[member] = sets[sets[member]];
	}
	return member;
}

static void join(uint32_t *sets, uint32_t a, uint32_t b) {
	a = first_of(sets, a);
	b = first_of(sets, b);
	sets[a > b ? a : b] = a > b ? b : a;
}

static uint32_t *sets_of(uint32_t count, snw_arena *arena) {
	uint32_t *sets = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t i = 0; i < count; i++) {
		sets[i] = i;
	}
	return sets;
}

static void find_faces(const unwrap_surface *s, const bool *seams, unwrap_charts *charts, snw_arena *arena) {
	const uint32_t face_count = s->mesh->face_count;
	snw_arena *scratch = snw_arena_create();
	uint32_t *sets = sets_of(face_count, scratch);
	for (uint32_t c = 0; c < s->corner_count; c++) {
		if (!seams[c]) {
			join(sets, s->corner_faces[c], s->corner_faces[s->twins[c]]);
		}
	}
	charts->face_charts = SNW_NEW_ARRAY(arena, uint32_t, face_count);
	for (uint32_t f = 0; f < face_count; f++) {
		const uint32_t first = first_of(sets, f);
		charts->face_charts[f] = first == f ? charts->count++ : charts->face_charts[first];
	}
	charts->offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)charts->count + 1);
	charts->faces = SNW_NEW_ARRAY(arena, uint32_t, face_count);
	uint32_t *filled = SNW_NEW_ARRAY(scratch, uint32_t, charts->count);
	for (uint32_t f = 0; f < face_count; f++) {
		charts->offsets[charts->face_charts[f] + 1]++;
	}
	for (uint32_t i = 0; i < charts->count; i++) {
		charts->offsets[i + 1] += charts->offsets[i];
	}
	for (uint32_t f = 0; f < face_count; f++) {
		const uint32_t chart = charts->face_charts[f];
		charts->faces[charts->offsets[chart] + filled[chart]++] = f;
	}
	snw_arena_destroy(scratch);
}

/* Corners at one point are one vertex where the faces between them hang together there. */
static void find_vertices(const unwrap_surface *s, const bool *seams, unwrap_charts *charts, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *sets = sets_of(s->corner_count, scratch);
	for (uint32_t c = 0; c < s->corner_count; c++) {
		if (!seams[c]) {
			join(sets, c, unwrap_next_corner(s, s->twins[c]));
		}
	}
	charts->corner_vertices = SNW_NEW_ARRAY(arena, uint32_t, s->corner_count);
	charts->vertex_counts = SNW_NEW_ARRAY(arena, uint32_t, charts->count);
	for (uint32_t c = 0; c < s->corner_count; c++) {
		const uint32_t first = first_of(sets, c);
		charts->corner_vertices[c] =
			first == c ? charts->vertex_counts[charts->face_charts[s->corner_faces[c]]]++ : charts->corner_vertices[first];
	}
	snw_arena_destroy(scratch);
}

unwrap_charts unwrap_charts_make(const unwrap_surface *surface, const bool *seams, snw_arena *arena) {
	unwrap_charts charts = {0};
	find_faces(surface, seams, &charts, arena);
	find_vertices(surface, seams, &charts, arena);
	return charts;
}

/* ---- one chart ----------------------------------------------------------------------------------------------------------- */

/* The corner whose edge follows that of a border corner: around the vertex at its end, through the chart's faces. */
static uint32_t next_around_chart(const unwrap_surface *s, const bool *seams, uint32_t corner) {
	uint32_t next = unwrap_next_corner(s, corner);
	while (!seams[next]) {
		next = unwrap_next_corner(s, s->twins[next]);
	}
	return next;
}

static void find_loops(const unwrap_surface *s, const bool *seams, const unwrap_charts *charts, uint32_t index,
					   unwrap_chart *chart, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	const snw_mesh *mesh = s->mesh;
	uint32_t corner_count = 0, at = 0;
	for (uint32_t i = charts->offsets[index]; i < charts->offsets[index + 1]; i++) {
		corner_count += mesh->face_offsets[charts->faces[i] + 1] - mesh->face_offsets[charts->faces[i]];
	}
	/* Each border vertex begins one edge: a mark for each vertex is enough. */
	bool *was_seen = SNW_NEW_ARRAY(scratch, bool, chart->vertex_count);
	chart->loop_offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)corner_count + 1);
	chart->loop_vertices = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	chart->loop_faces = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	for (uint32_t i = charts->offsets[index]; i < charts->offsets[index + 1]; i++) {
		const uint32_t face = charts->faces[i];
		for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
			if (!seams[c] || was_seen[charts->corner_vertices[c]]) {
				continue;
			}
			for (uint32_t b = c; !was_seen[charts->corner_vertices[b]]; b = next_around_chart(s, seams, b)) {
				was_seen[charts->corner_vertices[b]] = true;
				chart->loop_faces[at] = s->corner_faces[b];
				chart->loop_vertices[at++] = charts->corner_vertices[b];
			}
			chart->loop_offsets[++chart->loop_count] = at;
		}
	}
	snw_arena_destroy(scratch);
}

/* By Euler's formula, with a face over each closed border. */
static bool is_flat(const unwrap_surface *s, const unwrap_charts *charts, uint32_t index, const unwrap_chart *chart) {
	const snw_mesh *mesh = s->mesh;
	const int64_t face_count = charts->offsets[index + 1] - charts->offsets[index];
	int64_t corner_count = 0;
	for (uint32_t i = charts->offsets[index]; i < charts->offsets[index + 1]; i++) {
		corner_count += mesh->face_offsets[charts->faces[i] + 1] - mesh->face_offsets[charts->faces[i]];
	}
	const int64_t border_count = chart->loop_offsets[chart->loop_count], edge_count = (corner_count + border_count) / 2;
	return chart->loop_count > 0 && (int64_t)chart->vertex_count - edge_count + face_count + chart->loop_count == 2;
}

unwrap_chart unwrap_chart_make(const unwrap_surface *surface, const bool *seams, const unwrap_charts *charts, uint32_t index,
							   snw_arena *arena) {
	unwrap_chart chart = {.vertex_count = charts->vertex_counts[index]};
	const uint32_t *offsets = surface->triangle_offsets;
	for (uint32_t i = charts->offsets[index]; i < charts->offsets[index + 1]; i++) {
		chart.triangle_count += offsets[charts->faces[i] + 1] - offsets[charts->faces[i]];
	}
	chart.triangles = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)chart.triangle_count);
	chart.origins = SNW_NEW_ARRAY(arena, uint32_t, chart.triangle_count);
	uint32_t filled = 0;
	for (uint32_t i = charts->offsets[index]; i < charts->offsets[index + 1]; i++) {
		for (uint32_t t = offsets[charts->faces[i]]; t < offsets[charts->faces[i] + 1]; t++, filled++) {
			chart.origins[filled] = t;
			for (size_t k = 0; k < 3; k++) {
				chart.triangles[3 * (size_t)filled + k] = charts->corner_vertices[surface->triangles[3 * (size_t)t + k]];
			}
		}
	}
	find_loops(surface, seams, charts, index, &chart, arena);
	chart.is_flat = is_flat(surface, charts, index, &chart);
	return chart;
}

/* ---- splitting ----------------------------------------------------------------------------------------------------------- */

/* Breadth first from some faces of a chart: [face_count] the source that each face of the chart is nearest to; SNW_NONE
 * elsewhere. Returns the last face that was reached. */
static uint32_t spread(const unwrap_surface *s, const bool *seams, uint32_t count, const uint32_t *sources, uint32_t *nearest,
					   uint32_t *queue) {
	const snw_mesh *mesh = s->mesh;
	uint32_t end = 0, first = 0;
	for (uint32_t i = 0; i < count; i++) {
		nearest[sources[i]] = i;
		queue[end++] = sources[i];
	}
	while (first < end) {
		const uint32_t face = queue[first++];
		for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
			const uint32_t other = seams[c] ? face : s->corner_faces[s->twins[c]];
			if (nearest[other] == SNW_NONE) {
				nearest[other] = nearest[face];
				queue[end++] = other;
			}
		}
	}
	return queue[end - 1];
}

static uint32_t farthest(const unwrap_surface *s, const bool *seams, uint32_t from) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *nearest = SNW_NEW_ARRAY(scratch, uint32_t, s->mesh->face_count);
	memset(nearest, 0xff, s->mesh->face_count * sizeof *nearest);
	const uint32_t last = spread(s, seams, 1, &from, nearest, SNW_NEW_ARRAY(scratch, uint32_t, s->mesh->face_count));
	snw_arena_destroy(scratch);
	return last;
}

void unwrap_chart_ends(const unwrap_surface *surface, const bool *seams, const unwrap_charts *charts, uint32_t chart,
					   uint32_t faces[2]) {
	faces[0] = farthest(surface, seams, charts->faces[charts->offsets[chart]]);
	faces[1] = farthest(surface, seams, faces[0]);
}

void unwrap_chart_split(const unwrap_surface *s, const unwrap_charts *charts, uint32_t chart, const uint32_t faces[2],
						bool *seams) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *nearest = SNW_NEW_ARRAY(scratch, uint32_t, s->mesh->face_count);
	memset(nearest, 0xff, s->mesh->face_count * sizeof *nearest);
	spread(s, seams, 2, faces, nearest, SNW_NEW_ARRAY(scratch, uint32_t, s->mesh->face_count));
	for (uint32_t i = charts->offsets[chart]; i < charts->offsets[chart + 1]; i++) {
		const uint32_t face = charts->faces[i];
		for (uint32_t c = s->mesh->face_offsets[face]; c < s->mesh->face_offsets[face + 1]; c++) {
			seams[c] = seams[c] || nearest[face] != nearest[s->corner_faces[s->twins[c]]];
		}
	}
	snw_arena_destroy(scratch);
}

/* ---- the charts of a mesh ------------------------------------------------------------------------------------------------ */

enum {
	LARGE_CHART = 20000, /* triangles: flattened alone, so that it can be stopped */
	BATCH = 64
};

/* Fails the run as SNW_CANCELLED. */
static snw_status unwrap_cancelled(const unwrap_run *u) {
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
