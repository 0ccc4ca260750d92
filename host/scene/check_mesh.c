/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks meshes.
 */
#include <math.h>

#include "scene/check.h"

#define MESH "mesh '%s': "

static const double WEIGHT_SUM_TOLERANCE = 1e-4, NORMAL_TOLERANCE = 1e-3;

static snw_status check_count(const char *mesh, const char *array, uint32_t count, snw_error *error) {
	if (count > SNW_LARGEST_COUNT) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "it has %u %s, more than the %u that a mesh may have", mesh, count, array,
						SNW_LARGEST_COUNT);
	}
	return SNW_OK;
}

static snw_status check_faces(const snw_mesh *mesh, snw_error *error) {
	if (!mesh->face_offsets || mesh->face_offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its face offsets do not start at 0", mesh->name);
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		if (end < begin || end - begin < 3) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "face %u has %u corners; a face needs 3 or more", mesh->name, f,
							end < begin ? 0 : end - begin);
		}
	}
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	const snw_status status = check_count(mesh->name, "corners", corner_count, error);
	if (snw_failed(status)) {
		return status;
	}
	if (corner_count > 0 && !mesh->face_points) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its faces have no points", mesh->name);
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		if (mesh->face_points[c] >= mesh->point_count) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "corner %u refers to point %u of %u", mesh->name, c,
							mesh->face_points[c], mesh->point_count);
		}
	}
	return SNW_OK;
}

static snw_status check_materials(const snw_mesh *mesh, uint32_t material_count, snw_error *error) {
	for (uint32_t f = 0; mesh->face_materials && f < mesh->face_count; f++) {
		if (mesh->face_materials[f] != SNW_NONE && mesh->face_materials[f] >= material_count) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "face %u refers to material %u of %u", mesh->name, f,
							mesh->face_materials[f], material_count);
		}
	}
	return SNW_OK;
}

static double length_of(const float *vector) {
	return sqrt((double)vector[0] * (double)vector[0] + (double)vector[1] * (double)vector[1] +
				(double)vector[2] * (double)vector[2]);
}

/* A tangent is a unit vector and a sign, or four zeros. */
static bool is_tangent(const float *t) {
	const double length = length_of(t);
	return (length == 0 && t[3] == 0) || (fabs(length - 1) <= NORMAL_TOLERANCE && (t[3] == 1 || t[3] == -1));
}

static snw_status check_tangents(const snw_mesh *mesh, size_t corner_count, snw_error *error) {
	for (size_t c = 0; mesh->corner_tangents && c < corner_count; c++) {
		if (!is_tangent(mesh->corner_tangents + 4 * c)) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "the tangent of corner %zu is not a unit vector and a sign", mesh->name,
							c);
		}
	}
	return SNW_OK;
}

static snw_status check_attributes(const snw_mesh *mesh, size_t corner_count, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < mesh->attribute_count && !snw_failed(status); i++) {
		const snw_attribute *attribute = &mesh->attributes[i];
		const bool has_width = attribute->is_uv ? attribute->width == 2 : attribute->width >= 1 && attribute->width <= 4;
		if (!attribute->name || !has_width || attribute->corner_count != corner_count || !attribute->values) {
			return snw_fail(error, SNW_ERROR_DATA,
							MESH "attribute %u has %u numbers for each of %u corners; it has %zu corners", mesh->name, i,
							attribute->width, attribute->corner_count, corner_count);
		}
		status = attribute->name[0] ? snw_check_name("vertex attribute", attribute->name, error) : SNW_OK;
		if (snw_failed(status)) {
			return status;
		}
		status = snw_check_floats("mesh", mesh->name, "attributes", attribute->values, attribute->width * corner_count, error);
	}
	return status;
}

static snw_status check_corners(const snw_mesh *mesh, snw_error *error) {
	const size_t corner_count = mesh->face_offsets[mesh->face_count];
	snw_status status = SNW_OK;
	if (mesh->corner_uvs) {
		status = snw_check_floats("mesh", mesh->name, "UVs", mesh->corner_uvs, 2 * corner_count, error);
	}
	if (!snw_failed(status) && mesh->corner_colors) {
		status = snw_check_floats("mesh", mesh->name, "corner colours", mesh->corner_colors, 4 * corner_count, error);
	}
	status = snw_failed(status) ? status : check_attributes(mesh, corner_count, error);
	for (size_t c = 0; !snw_failed(status) && mesh->corner_normals && c < corner_count; c++) {
		const double length = length_of(mesh->corner_normals + 3 * c);
		if (!(fabs(length - 1) <= NORMAL_TOLERANCE)) {
			status = snw_fail(error, SNW_ERROR_DATA, MESH "the normal of corner %zu has the length %g instead of 1", mesh->name,
							  c, length);
		}
	}
	return snw_failed(status) ? status : check_tangents(mesh, corner_count, error);
}

snw_status snw_skin_check(const char *mesh, uint32_t point_count, const uint32_t *influence_offsets,
						  const uint32_t *influence_slots, const double *influence_weights, uint32_t slot_count,
						  snw_error *error) {
	if (influence_offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its influence offsets do not start at 0", mesh);
	}
	for (uint32_t i = 0; i < point_count; i++) {
		if (influence_offsets[i + 1] <= influence_offsets[i]) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "point %u has no influence; give it one", mesh, i);
		}
	}
	const snw_status status = check_count(mesh, "influences", influence_offsets[point_count], error);
	if (snw_failed(status)) {
		return status;
	}
	if (point_count > 0 && (!influence_slots || !influence_weights)) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its influences have no slots or no weights", mesh);
	}
	for (uint32_t i = 0; i < point_count; i++) {
		double sum = 0;
		for (uint32_t k = influence_offsets[i]; k < influence_offsets[i + 1]; k++) {
			if (influence_slots[k] >= slot_count) {
				return snw_fail(error, SNW_ERROR_DATA, MESH "point %u refers to slot %u of %u", mesh, i, influence_slots[k],
								slot_count);
			}
			if (!(fabs(influence_weights[k]) <= SNW_LARGEST_NUMBER)) {
				return snw_fail(error, SNW_ERROR_DATA, MESH "a weight of point %u is %g", mesh, i, influence_weights[k]);
			}
			sum += influence_weights[k];
		}
		if (!(fabs(sum - 1) <= WEIGHT_SUM_TOLERANCE)) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "the weights of point %u sum to %g instead of 1; normalise them", mesh,
							i, sum);
		}
	}
	return SNW_OK;
}

static snw_status check_morph(const snw_mesh *mesh, const snw_morph *morph, uint32_t channel_count, snw_error *error) {
	const snw_status status = snw_check_name("morph target", morph->name, error);
	if (snw_failed(status)) {
		return status;
	}
	if (morph->channel >= channel_count) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "morph target '%s' refers to channel %u of %u", mesh->name, morph->name,
						morph->channel, channel_count);
	}
	if (morph->count > 0 && (!morph->points || !morph->vectors)) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "morph target '%s' has no displacements", mesh->name, morph->name);
	}
	for (uint32_t i = 0; i < morph->count; i++) {
		const uint32_t point = morph->points[i];
		if (point >= mesh->point_count || (i > 0 && point <= morph->points[i - 1])) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "morph target '%s' refers to point %u of %u; its points must ascend",
							mesh->name, morph->name, point, mesh->point_count);
		}
	}
	return snw_check_numbers("morph target", morph->name, "displacements", morph->vectors, 3 * (size_t)morph->count, error);
}

snw_status snw_mesh_check(const snw_mesh *mesh, uint32_t material_count, uint32_t slot_count, uint32_t channel_count,
						  snw_error *error) {
	snw_status status = snw_check_name("mesh", mesh->name, error);
	status = snw_failed(status) ? status : check_count(mesh->name, "points", mesh->point_count, error);
	status = snw_failed(status) ? status : check_count(mesh->name, "faces", mesh->face_count, error);
	if (!snw_failed(status) && (mesh->point_count == 0 || !mesh->points_rest)) {
		status = snw_fail(error, SNW_ERROR_DATA, MESH "it has no points", mesh->name);
	}
	status = snw_failed(status) ? status
								: snw_check_numbers("mesh", mesh->name, "rest points", mesh->points_rest,
													3 * (size_t)mesh->point_count, error);
	status = snw_failed(status) ? status : check_faces(mesh, error);
	status = snw_failed(status) ? status : check_materials(mesh, material_count, error);
	status = snw_failed(status) ? status : check_corners(mesh, error);
	if (!snw_failed(status) && mesh->influence_offsets) {
		status = snw_skin_check(mesh->name, mesh->point_count, mesh->influence_offsets, mesh->influence_slots,
								mesh->influence_weights, slot_count, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < mesh->morph_count; i++) {
		status = check_morph(mesh, &mesh->morphs[i], channel_count, error);
	}
	return status;
}
