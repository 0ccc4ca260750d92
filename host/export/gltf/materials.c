/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials and their pictures, which are written unchanged, with what was kept of a material that came from glTF
 * (import/gltf/gltf.c).
 */
#include <string.h>

#include "export/gltf/writer.h"

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

/* A picture and how it is sampled. */
struct snw_gltf_written_texture {
	uint32_t image;
	const cJSON *sampler; /* NULL: glTF's own */
	uint32_t index;       /* in the document */
	struct snw_gltf_written_texture *next;
};

static uint32_t write_image(snw_gltf_writer *writer, uint32_t image) {
	snw_gltf_document *document = writer->document;
	const snw_image *source = &writer->plan->scene->images[image];
	uint32_t *index = &writer->images[image];
	if (*index == SNW_NONE) {
		cJSON *object = snw_gltf_entry(document, "images", index);
		if (source->name && source->name[0]) {
			snw_gltf_put_text(document, object, "name", source->name);
		}
		snw_gltf_put_text(document, object, "mimeType", source->media);
		snw_gltf_put_number(document, object, "bufferView", snw_gltf_image_view(document, source->bytes, source->byte_count));
	}
	return *index;
}

static bool is_same_sampler(const cJSON *a, const cJSON *b) {
	return a == b || (a && b && cJSON_Compare(a, b, true));
}

/* The document's index of a texture, which is written at the first call. */
static uint32_t write_texture_once(snw_gltf_writer *writer, uint32_t image, const cJSON *sampler) {
	snw_gltf_document *document = writer->document;
	for (const snw_gltf_written_texture *t = writer->textures; t; t = t->next) {
		if (t->image == image && is_same_sampler(t->sampler, sampler)) {
			return t->index;
		}
	}
	snw_gltf_written_texture *made = SNW_NEW(writer->arena, snw_gltf_written_texture);
	*made = (snw_gltf_written_texture){.image = image, .next = writer->textures};
	writer->textures = made;
	const uint32_t source = write_image(writer, image);
	cJSON *object = snw_gltf_entry(document, "textures", &made->index);
	snw_gltf_put_number(document, object, "source", source);
	if (sampler) {
		uint32_t index;
		cJSON *written = snw_gltf_entry(document, "samplers", &index);
		for (const cJSON *member = sampler->child; member; member = member->next) {
			snw_gltf_put_item(document, written, member->string, cJSON_Duplicate(member, true));
		}
		snw_gltf_put_number(document, object, "sampler", index);
		made->sampler = written;
	}
	return made->index;
}

/* ---- a material ---------------------------------------------------------------------------------------------------------- */

/* A material being written, for meshes with `set_count` UV sets. */
typedef struct material_writer {
	snw_gltf_writer *file;
	const snw_material *source;
	cJSON *kept;
	uint32_t set_count;
} material_writer;

static const cJSON *member_of(const cJSON *object, const char *name) {
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* A texture at `name`, with what is kept of it. A mesh that lacks its UV set is without it. */
static void put_texture(const material_writer *w, cJSON *parent, const char *name, uint32_t image, const cJSON *kept) {
	snw_gltf_document *document = w->file->document;
	const cJSON *set = member_of(kept, "texCoord");
	if (image == SNW_NONE || (cJSON_IsNumber(set) ? set->valuedouble : 0) >= w->set_count) {
		return;
	}
	cJSON *info = snw_gltf_put_object(document, parent, name);
	snw_gltf_put_number(document, info, "index", write_texture_once(w->file, image, member_of(kept, "sampler")));
	for (const cJSON *member = kept ? kept->child : NULL; member; member = member->next) {
		if (member->string && strcmp(member->string, "index") != 0 && strcmp(member->string, "sampler") != 0) {
			snw_gltf_put_item(document, info, member->string, cJSON_Duplicate(member, true));
		}
	}
}

/* One that is in `kept` alone. */
static void put_kept_texture(const material_writer *w, cJSON *parent, const cJSON *kept) {
	const cJSON *index = member_of(kept, "index");
	if (cJSON_IsNumber(index) && index->valuedouble >= 0 && index->valuedouble < w->source->kept_image_count) {
		put_texture(w, parent, kept->string, w->source->kept_images[(uint32_t)index->valuedouble], kept);
	}
}

static void put_extensions(const material_writer *w, cJSON *object) {
	snw_gltf_document *document = w->file->document;
	const cJSON *list = member_of(w->kept, "extensions");
	cJSON *written = list && list->child ? snw_gltf_put_object(document, object, "extensions") : NULL;
	for (const cJSON *extension = list ? list->child : NULL; extension; extension = extension->next) {
		cJSON *made = snw_gltf_put_object(document, written, extension->string);
		snw_gltf_use_extension(document, extension->string);
		for (const cJSON *member = extension->child; member; member = member->next) {
			if (member_of(member, "index")) {
				put_kept_texture(w, made, member);
			} else {
				snw_gltf_put_item(document, made, member->string, cJSON_Duplicate(member, true));
			}
		}
	}
}

static double clamp(double value) {
	return value < 0 ? 0 : value > 1 ? 1 : value;
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

static void put_textures(const material_writer *w, cJSON *object, cJSON *surface) {
	const snw_material *source = w->source;
	put_texture(w, surface, "baseColorTexture", source->base_color_image, member_of(w->kept, "baseColorTexture"));
	put_texture(w, surface, "metallicRoughnessTexture", source->metallic_roughness_image,
				member_of(w->kept, "metallicRoughnessTexture"));
	put_texture(w, object, "normalTexture", source->normal_image, member_of(w->kept, "normalTexture"));
	put_texture(w, object, "emissiveTexture", source->emissive_image, member_of(w->kept, "emissiveTexture"));
	if (member_of(w->kept, "occlusionTexture")) {
		put_kept_texture(w, object, member_of(w->kept, "occlusionTexture"));
	}
}

static void put_kept(const material_writer *w, cJSON *object) {
	const cJSON *extras = member_of(w->kept, "extras");
	put_extensions(w, object);
	if (extras) {
		snw_gltf_put_item(w->file->document, object, "extras", cJSON_Duplicate(extras, true));
	}
}

uint32_t snw_gltf_write_material(snw_gltf_writer *writer, uint32_t material, uint32_t set_count) {
	snw_gltf_document *document = writer->document;
	uint32_t *index = &writer->materials[(size_t)material * (writer->most_uv_sets + 1) + set_count];
	if (*index != SNW_NONE) {
		return *index;
	}
	const snw_material *source = &writer->plan->scene->materials[material];
	const material_writer w = {
		.file = writer, .source = source, .kept = source->kept ? cJSON_Parse(source->kept) : NULL, .set_count = set_count};
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
	put_textures(&w, object, surface);
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
	put_kept(&w, object);
	cJSON_Delete(w.kept);
	return *index;
}
