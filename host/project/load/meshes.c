/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading meshes with their morph targets, and fields.
 */
#include "project/load/load.h"

/* How many corners or influences rising offsets end with, 0 where the array is missing. Whether they rise is for the scene's
 * check to find. */
static uint32_t last_offset(const uint32_t *offsets, uint32_t count) {
	return offsets ? offsets[count] : 0;
}

/* Material ids become indices. */
static uint32_t *load_face_materials(snw_load *load, snw_rows *rows, int column, uint32_t face_count) {
	uint32_t *materials = snw_rows_optional_array(rows, column, face_count, sizeof *materials);
	for (uint32_t f = 0; materials && f < face_count; f++) {
		const uint32_t id = materials[f];
		materials[f] = id ? snw_id_map_find(&load->materials, id) : SNW_NONE;
		if (id && materials[f] == SNW_NONE) {
			snw_rows_fail(rows, "the material of a face is missing");
		}
	}
	return materials;
}

static void load_mesh(snw_load *load, snw_rows *rows, snw_mesh *mesh) {
	mesh->id = snw_rows_integer(rows, 0);
	mesh->name = snw_rows_text(rows, 1);
	const uint32_t point_count = mesh->point_count = snw_rows_count(rows, 2);
	const uint32_t face_count = mesh->face_count = snw_rows_count(rows, 3);
	mesh->points_rest = snw_rows_array(rows, 4, point_count, 3 * sizeof(double));
	mesh->face_offsets = snw_rows_array(rows, 5, (size_t)face_count + 1, sizeof(uint32_t));
	const uint32_t corner_count = last_offset(mesh->face_offsets, face_count);
	mesh->face_points = snw_rows_array(rows, 6, corner_count, sizeof(uint32_t));
	mesh->face_materials = load_face_materials(load, rows, 7, face_count);
	mesh->corner_uvs = snw_rows_optional_array(rows, 8, corner_count, 2 * sizeof(float));
	mesh->corner_normals = snw_rows_optional_array(rows, 9, corner_count, 3 * sizeof(float));
	mesh->corner_colors = snw_rows_optional_array(rows, 10, corner_count, 4 * sizeof(float));
	mesh->influence_offsets = snw_rows_optional_array(rows, 11, (size_t)point_count + 1, sizeof(uint32_t));
	if (mesh->influence_offsets) {
		const uint32_t influence_count = last_offset(mesh->influence_offsets, point_count);
		mesh->influence_slots = snw_rows_array(rows, 12, influence_count, sizeof(uint32_t));
		mesh->influence_weights = snw_rows_array(rows, 13, influence_count, sizeof(double));
	}
}

static snw_status load_morphs(snw_load *load, snw_mesh *mesh) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count_of(load, "morph", "mesh", mesh->id, &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_morph *morphs = SNW_NEW_ARRAY(load->scene->arena, snw_morph, count);
	snw_rows rows = snw_load_rows(load, "morph",
								  "SELECT name, channel, points, vectors FROM morph WHERE mesh = ?1 "
								  "ORDER BY position",
								  SNW_CELLS(snw_integer(mesh->id)));
	for (; i < count && snw_rows_next(&rows); i++) {
		morphs[i].name = snw_rows_text(&rows, 0);
		morphs[i].channel = snw_rows_index(&rows, 1, &load->channels, false);
		morphs[i].points = snw_rows_counted_array(&rows, 2, sizeof(uint32_t), &morphs[i].count);
		morphs[i].vectors = snw_rows_array(&rows, 3, morphs[i].count, 3 * sizeof(double));
	}
	mesh->morphs = morphs;
	mesh->morph_count = i;
	return snw_rows_end(&rows);
}

static snw_status load_fields(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "field", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_field *fields = SNW_NEW_ARRAY(load->scene->arena, snw_field, count);
	snw_rows rows = snw_load_rows(
		load, "field", "SELECT id, name, domain, mesh, components, element_count, elements, unit FROM field ORDER BY id", NULL,
		0);
	for (; i < count && snw_rows_next(&rows); i++) {
		snw_field *field = &fields[i];
		field->id = snw_rows_integer(&rows, 0);
		field->name = snw_rows_text(&rows, 1);
		field->domain = (int32_t)snw_rows_count(&rows, 2);
		field->mesh = snw_rows_index(&rows, 3, &load->meshes, true);
		field->components = snw_rows_count(&rows, 4);
		field->count = snw_rows_count(&rows, 5);
		field->values = snw_rows_array(&rows, 6, (size_t)field->count * field->components, sizeof(double));
		field->unit = snw_rows_text(&rows, 7);
	}
	load->scene->fields = fields;
	load->scene->field_count = i;
	load->fields = snw_id_map_make(&fields->id, i, sizeof *fields, load->scratch);
	return snw_rows_end(&rows);
}

snw_status snw_load_meshes(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "mesh", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_mesh *meshes = SNW_NEW_ARRAY(load->scene->arena, snw_mesh, count);
	snw_rows rows = snw_load_rows(load, "mesh",
								  "SELECT id, name, point_count, face_count, points_rest, face_offsets, face_points, "
								  "face_materials, corner_uvs, corner_normals, corner_colors, influence_offsets, "
								  "influence_slots, influence_weights FROM mesh ORDER BY id",
								  NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		load_mesh(load, &rows, &meshes[i]);
	}
	load->scene->meshes = meshes;
	load->scene->mesh_count = i;
	load->meshes = snw_id_map_make(&meshes->id, i, sizeof *meshes, load->scratch);
	status = snw_rows_end(&rows);
	for (uint32_t m = 0; !snw_failed(status) && m < i; m++) {
		status = load_morphs(load, &meshes[m]);
	}
	return snw_failed(status) ? status : load_fields(load);
}
