/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/kept_textures.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

bool snw_material_keeps_image(const snw_material *material, uint32_t image) {
	bool keeps = false;
	for (uint32_t i = 0; i < material->kept_image_count; i++) {
		keeps = keeps || material->kept_images[i] == image;
	}
	return keeps;
}

/* A texture of a picture that is kept has an index; one on the first set has no number of a set. */
static bool is_on_first_set(const cJSON *texture) {
	return cJSON_GetObjectItemCaseSensitive(texture, "index") && !cJSON_GetObjectItemCaseSensitive(texture, "texCoord");
}

static bool has_one_on_first_set(const cJSON *extension) {
	bool has = false;
	for (const cJSON *member = extension->child; member; member = member->next) {
		has = has || is_on_first_set(member);
	}
	return has;
}

/* Removes the textures and extensions of `object` that are on the first set. Returns whether there were any. */
static bool remove_pictures(cJSON *object) {
	cJSON *extensions = cJSON_GetObjectItemCaseSensitive(object, "extensions");
	bool any = false;
	for (cJSON *extension = extensions ? extensions->child : NULL, *next = NULL; extension; extension = next) {
		next = extension->next;
		if (has_one_on_first_set(extension)) {
			cJSON_Delete(cJSON_DetachItemViaPointer(extensions, extension));
			any = true;
		}
	}
	if (extensions && !extensions->child) {
		cJSON_DeleteItemFromObjectCaseSensitive(object, "extensions");
	}
	if (is_on_first_set(cJSON_GetObjectItemCaseSensitive(object, "occlusionTexture"))) {
		cJSON_DeleteItemFromObjectCaseSensitive(object, "occlusionTexture");
		any = true;
	}
	return any;
}

static void keep(snw_material *material, const cJSON *object, snw_arena *arena) {
	char *printed = object && object->child ? cJSON_PrintUnformatted(object) : NULL;
	material->kept = snw_arena_text(arena, printed);
	free(printed);
	if (!material->kept) {
		material->kept_images = NULL;
		material->kept_image_count = 0;
	}
}

bool snw_material_drop_pictures(snw_material *material, snw_arena *arena) {
	cJSON *object = material->kept ? cJSON_Parse(material->kept) : NULL;
	const bool any = object && remove_pictures(object);
	keep(material, object, arena);
	cJSON_Delete(object);
	return any;
}

static bool has_further_uvs(const cJSON *object) {
	static const char *const shown[] = {"baseColorTexture", "metallicRoughnessTexture", "normalTexture", "emissiveTexture"};
	bool has = false;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		has = has || cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, shown[i]), "texCoord");
	}
	return has;
}

void snw_material_drop_normal_map(snw_material *material, snw_arena *arena) {
	cJSON *object = material->kept ? cJSON_Parse(material->kept) : NULL;
	cJSON_DeleteItemFromObjectCaseSensitive(object, "normalTexture");
	material->has_further_uvs = has_further_uvs(object);
	keep(material, object, arena);
	cJSON_Delete(object);
}
