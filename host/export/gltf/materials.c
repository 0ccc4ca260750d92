/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials and their pictures, which are written unchanged.
 */
#include "export/gltf/writer.h"

static double clamp(double value) {
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void write_texture(snw_gltf_writer *writer, cJSON *parent, const char *name, uint32_t image) {
	snw_gltf_document *document = writer->document;
	if (image == SNW_NONE) {
		return;
	}
	if (writer->image_textures[image] == SNW_NONE) {
		const snw_image *source = &writer->plan->scene->images[image];
		uint32_t index;
		cJSON *object = snw_gltf_entry(document, "images", &index);
		if (source->name && source->name[0]) {
			snw_gltf_put_text(document, object, "name", source->name);
		}
		snw_gltf_put_text(document, object, "mimeType", source->media);
		snw_gltf_put_number(document, object, "bufferView", snw_gltf_image_view(document, source->bytes, source->byte_count));
		object = snw_gltf_entry(document, "textures", &writer->image_textures[image]);
		snw_gltf_put_number(document, object, "source", index);
	}
	snw_gltf_put_number(document, snw_gltf_put_object(document, parent, name), "index", writer->image_textures[image]);
}

static void write_factors(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count,
						  double initial) {
	double factors[4];
	bool differs = false;
	for (uint32_t i = 0; i < count; i++) {
		factors[i] = clamp(values[i]);
		differs = differs || factors[i] != initial;
	}
	if (differs) {
		snw_gltf_put_numbers(document, parent, name, factors, count);
	}
}

uint32_t snw_gltf_write_material(snw_gltf_writer *writer, uint32_t material, bool has_uvs) {
	snw_gltf_document *document = writer->document;
	uint32_t *index = &writer->materials[2 * material + has_uvs];
	if (*index != SNW_NONE) {
		return *index;
	}
	const snw_material *source = &writer->plan->scene->materials[material];
	cJSON *object = snw_gltf_entry(document, "materials", index);
	if (source->name && source->name[0]) {
		snw_gltf_put_text(document, object, "name", source->name);
	}
	cJSON *surface = snw_gltf_put_object(document, object, "pbrMetallicRoughness");
	write_factors(document, surface, "baseColorFactor", source->base_color, 4, 1);
	if (clamp(source->metallic) != 1) {
		snw_gltf_put_number(document, surface, "metallicFactor", clamp(source->metallic));
	}
	if (clamp(source->roughness) != 1) {
		snw_gltf_put_number(document, surface, "roughnessFactor", clamp(source->roughness));
	}
	if (has_uvs) {
		write_texture(writer, surface, "baseColorTexture", source->base_color_image);
		write_texture(writer, surface, "metallicRoughnessTexture", source->metallic_roughness_image);
		write_texture(writer, object, "normalTexture", source->normal_image);
		write_texture(writer, object, "emissiveTexture", source->emissive_image);
	}
	write_factors(document, object, "emissiveFactor", source->emissive, 3, 0);
	if (source->alpha != 0) {
		snw_gltf_put_text(document, object, "alphaMode", source->alpha == 1 ? "MASK" : "BLEND");
	}
	if (source->alpha == 1) {
		snw_gltf_put_number(document, object, "alphaCutoff", source->alpha_cutoff < 0 ? 0 : source->alpha_cutoff);
	}
	if (source->double_sided) {
		snw_gltf_put_true(document, object, "doubleSided");
	}
	return *index;
}
