/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads meshes with their morph targets, and fields.
 */
#include "project/load/load.h"

/* The last of some offsets: the number of corners or influences. 0 if the array is missing. snw_scene_check checks that they
 * ascend. */
static uint32_t last_offset(const uint32_t *offsets, uint32_t count) {
	return offsets ? offsets[count] : 0;
}

/* Converts material ids to indices. */
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
	mesh->corner_tangents = snw_rows_optional_array(rows, 14, corner_count, 4 * sizeof(float));
	mesh->corner_colors = snw_rows_optional_array(rows, 10, corner_count, 4 * sizeof(float));
	mesh->influence_offsets = snw_rows_optional_array(rows, 11, (size_t)point_count + 1, sizeof(uint32_t));
	if (mesh->influence_offsets) {
		const uint32_t influence_count = last_offset(mesh->influence_offsets, point_count);
		mesh->influence_slots = snw_rows_array(rows, 12, influence_count, sizeof(uint32_t));
		mesh->influence_weights = snw_rows_array(rows, 13, influence_count, sizeof(double));
	}
}

static snw_status load_morphs(snw_load *load, snw_mesh *mesh) {
	snw_load_table table = snw_load_list_begin(load, "morph", "mesh", mesh->id,
											   "SELECT name, channel, points, vectors FROM morph WHERE mesh = ?1 "
											   "ORDER BY position",
											   sizeof(snw_morph));
	for (snw_morph *morph; (morph = snw_load_next(&table));) {
		morph->name = snw_rows_text(&table.rows, 0);
		morph->channel = snw_rows_index(&table.rows, 1, &load->channels, false);
		morph->points = snw_rows_counted_array(&table.rows, 2, sizeof(uint32_t), &morph->count);
		morph->vectors = snw_rows_array(&table.rows, 3, morph->count, 3 * sizeof(double));
	}
	mesh->morphs = table.elements;
	mesh->morph_count = table.count;
	return snw_rows_end(&table.rows);
}

static snw_status load_fields(snw_load *load) {
	snw_load_table table = snw_load_table_begin(
		load, "field", "SELECT id, name, domain, mesh, components, element_count, elements, unit FROM field ORDER BY id",
		sizeof(snw_field));
	for (snw_field *field; (field = snw_load_next(&table));) {
		field->id = snw_rows_integer(&table.rows, 0);
		field->name = snw_rows_text(&table.rows, 1);
		field->domain = (int32_t)snw_rows_count(&table.rows, 2);
		field->mesh = snw_rows_index(&table.rows, 3, &load->meshes, true);
		field->components = snw_rows_count(&table.rows, 4);
		field->count = snw_rows_count(&table.rows, 5);
		field->values = snw_rows_array(&table.rows, 6, (size_t)field->count * field->components, sizeof(double));
		field->unit = snw_rows_text(&table.rows, 7);
	}
	snw_field *fields = table.elements;
	load->scene->fields = fields;
	load->scene->field_count = table.count;
	load->fields = snw_id_map_make(&fields->id, table.count, sizeof *fields, load->scratch);
	return snw_rows_end(&table.rows);
}

snw_status snw_load_meshes(snw_load *load) {
	snw_load_table table =
		snw_load_table_begin(load, "mesh",
							 "SELECT id, name, point_count, face_count, points_rest, face_offsets, face_points, "
							 "face_materials, corner_uvs, corner_normals, corner_colors, influence_offsets, "
							 "influence_slots, influence_weights, corner_tangents FROM mesh ORDER BY id",
							 sizeof(snw_mesh));
	for (snw_mesh *mesh; (mesh = snw_load_next(&table));) {
		load_mesh(load, &table.rows, mesh);
	}
	snw_mesh *meshes = table.elements;
	load->scene->meshes = meshes;
	load->scene->mesh_count = table.count;
	load->meshes = snw_id_map_make(&meshes->id, table.count, sizeof *meshes, load->scratch);
	snw_status status = snw_rows_end(&table.rows);
	for (uint32_t m = 0; !snw_failed(status) && m < table.count; m++) {
		status = load_morphs(load, &meshes[m]);
	}
	return snw_failed(status) ? status : load_fields(load);
}
