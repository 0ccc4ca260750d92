/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrapping.h"

#include <math.h>

#include "unwrap/pack.h"

/* One square of a material, or of the faces without one. */
typedef struct atlas {
	uint32_t material;
	uint32_t count, room;
	unwrap_part *parts;
	struct owner {
		uint32_t sheet, chart;
	} * owners;
	uint32_t owner_room;
} atlas;

static uint32_t chart_material(const unwrap_sheet *s, uint32_t chart) {
	const uint32_t *materials = s->surface.mesh->face_materials;
	return materials ? materials[s->charts.faces[s->charts.offsets[chart]]] : SNW_NONE;
}

static uint32_t collect_parts(const unwrap_run *u, atlas *atlases) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < u->sheet_count; i++) {
		const unwrap_sheet *s = &u->sheets[i];
		for (uint32_t c = 0; c < s->charts.count; c++) {
			const uint32_t material = chart_material(s, c);
			uint32_t k = 0;
			while (k < count && atlases[k].material != material) {
				k++;
			}
			count += k == count;
			atlas *a = &atlases[k];
			a->material = material;
			const unwrap_chart chart = unwrap_chart_make(&s->surface, s->seams, &s->charts, c, u->scratch);
			a->parts = snw_arena_grow(u->scratch, a->parts, a->count, &a->room, sizeof *a->parts);
			a->owners = snw_arena_grow(u->scratch, a->owners, a->count, &a->owner_room, sizeof *a->owners);
			a->owners[a->count] = (struct owner){i, c};
			a->parts[a->count++] = (unwrap_part){.vertex_count = chart.vertex_count,
												 .triangle_count = chart.triangle_count,
												 .uvs = (const double(*)[2])s->flats[c].uvs,
												 .triangles = chart.triangles,
												 .area = s->flats[c].stretch.uv_area};
		}
	}
	return count;
}

/* The corners of a chart, with v down. */
static void write_uvs(const unwrap_sheet *s, uint32_t chart, const unwrap_part *part, double scale) {
	const snw_mesh *mesh = s->surface.mesh;
	for (uint32_t i = s->charts.offsets[chart]; i < s->charts.offsets[chart + 1]; i++) {
		const uint32_t face = s->charts.faces[i];
		for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
			double placed[2];
			unwrap_part_place(part, scale, s->flats[chart].uvs[s->charts.corner_vertices[c]], placed);
			s->made->corner_uvs[2 * (size_t)c] = (float)placed[0];
			s->made->corner_uvs[2 * (size_t)c + 1] = (float)(1 - placed[1]);
		}
		s->made->charts[face] = chart;
	}
}

snw_status unwrap_run_pack(unwrap_run *u, const snw_task *task) {
	atlas *atlases = SNW_NEW_ARRAY(u->scratch, atlas, (size_t)u->scene->material_count + 1);
	const uint32_t count = collect_parts(u, atlases);
	snw_status status = SNW_OK;
	u->made->atlas_count = count;
	u->made->used = 1;
	for (uint32_t k = 0; k < count && !snw_failed(status); k++) {
		const atlas *a = &atlases[k];
		snw_subtask part = {task, (double)k / count, (k + 1.0) / count};
		const snw_task packing = snw_task_of_subtask(&part);
		double scale = 0, used = 0;
		status = unwrap_pack(a->count, a->parts, u->size, u->gap, &packing, &scale, &used, u->error);
		u->made->used = fmin(u->made->used, used);
		for (uint32_t i = 0; i < a->count && !snw_failed(status); i++) {
			write_uvs(&u->sheets[a->owners[i].sheet], a->owners[i].chart, &a->parts[i], scale);
		}
	}
	return status;
}
