/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What glTF says of a material and Sinew does not show, for the glTF that it writes: KHR_materials_*, occlusion, factors and
 * samplers of textures, extras. It is a JSON object with the members of the file's material. A texture in it has as "index" a
 * number in the material's kept_images, none for those that Sinew shows, a "sampler" itself, and as "texCoord" a UV set of the
 * scene (textures.c). Cameras and lights are kept too, each where its node was.
 */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "import/common/names.h"
#include "import/gltf/gltf_internal.h"
#include "scene/check.h"
#include "sinew/algebra.h"

typedef struct keeping {
	snw_gltf *g;
	snw_gltf_place place;
	const uint32_t *image_indices;
	uint32_t *images, image_count; /* of the material */
	bool failed;                   /* a texture is damaged; the reading has the error */
} keeping;

static void put(cJSON *object, const char *key, cJSON *item) {
	if (!item || !cJSON_AddItemToObject(object, key, item)) {
		cJSON_Delete(item);
	}
}

/* The index of an image among the material's kept ones. */
static uint32_t keep_image(keeping *k, uint32_t image) {
	uint32_t at = 0;
	while (at < k->image_count && k->images[at] != image) {
		at++;
	}
	k->images[at] = image;
	k->image_count += at == k->image_count;
	return at;
}

/* A texture of the file as it is kept; NULL if there is nothing to keep, or no picture. */
static cJSON *kept_texture(keeping *k, const cJSON *texture, bool is_shown) {
	snw_gltf *g = k->g;
	uint32_t index, source, sampler, set;
	if (k->failed || !snw_gltf_required_index(g, k->place, texture, "index", &g->textures, &index) ||
		!snw_gltf_index(g, (snw_gltf_place){"texture", index}, g->textures.items[index], "source", &g->images, &source) ||
		!snw_gltf_index(g, (snw_gltf_place){"texture", index}, g->textures.items[index], "sampler", &g->samplers, &sampler) ||
		!snw_gltf_texture_set(g, k->place, texture, &set)) {
		k->failed = true;
		return NULL;
	}
	const uint32_t image = source == SNW_NONE ? SNW_NONE : k->image_indices[source];
	cJSON *made = image == SNW_NONE ? NULL : cJSON_CreateObject();
	if (!made) {
		return NULL;
	}
	for (const cJSON *member = texture->child; member; member = member->next) {
		const char *key = member->string ? member->string : "";
		if (strcmp(key, "scale") == 0 || strcmp(key, "strength") == 0) {
			put(made, key, cJSON_Duplicate(member, true));
		}
	}
	if (!is_shown) {
		put(made, "index", cJSON_CreateNumber(keep_image(k, image)));
	}
	if (set > 0) {
		put(made, "texCoord", cJSON_CreateNumber(set));
	}
	if (sampler != SNW_NONE && g->samplers.items[sampler]->child) {
		put(made, "sampler", cJSON_Duplicate(g->samplers.items[sampler], true));
	}
	if (!made->child) {
		cJSON_Delete(made);
		made = NULL;
	}
	return made;
}

static void keep_textures(keeping *k, const cJSON *object, cJSON *kept) {
	static const char *const shown[] = {"baseColorTexture", "metallicRoughnessTexture", "normalTexture", "emissiveTexture"};
	const cJSON *surface = snw_gltf_member(object, "pbrMetallicRoughness");
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		const cJSON *texture = snw_gltf_member(i < 2 ? surface : object, shown[i]);
		cJSON *made = texture ? kept_texture(k, texture, true) : NULL;
		if (made) {
			put(kept, shown[i], made);
		}
	}
	const cJSON *occlusion = snw_gltf_member(object, "occlusionTexture");
	cJSON *made = occlusion ? kept_texture(k, occlusion, false) : NULL;
	if (made) {
		put(kept, "occlusionTexture", made);
	}
}

/* Those of the Khronos Group alone: what others mean by their numbers is not known. */
bool snw_gltf_keeps_extension(const char *name) {
	return strncmp(name, "KHR_materials_", 14) == 0 && strcmp(name, "KHR_materials_variants") != 0;
}

static void keep_extensions(keeping *k, const cJSON *object, cJSON *kept) {
	const cJSON *extensions = snw_gltf_member(object, "extensions");
	cJSON *list = cJSON_CreateObject();
	for (const cJSON *extension = extensions ? extensions->child : NULL; extension && list; extension = extension->next) {
		cJSON *copy = snw_gltf_keeps_extension(extension->string ? extension->string : "") && cJSON_IsObject(extension)
						  ? cJSON_CreateObject()
						  : NULL;
		for (const cJSON *member = extension->child; member && copy; member = member->next) {
			cJSON *item = snw_gltf_is_texture(member) ? kept_texture(k, member, false) : cJSON_Duplicate(member, true);
			if (item) {
				put(copy, member->string, item);
			}
		}
		if (copy) {
			put(list, extension->string, copy);
		}
	}
	if (list && list->child) {
		put(kept, "extensions", list);
	} else {
		cJSON_Delete(list);
	}
}

/* The text in the scene's arena; NULL if it is none that a project can hold. */
static const char *text_of(const snw_gltf *g, const cJSON *kept, const char *what, const char *name) {
	char *printed = cJSON_PrintUnformatted(kept);
	snw_error reason;
	const char *text = NULL;
	if (printed && !snw_failed(snw_check_text(what, name, printed, &reason))) {
		text = snw_arena_text(g->reading.arena, printed);
	} else if (printed) {
		snw_task_notice(g->reading.task, SNW_LOG_WARNING, "%s; it is left out", reason.text);
	}
	free(printed);
	return text;
}

bool snw_gltf_keep_material(snw_gltf *g, uint32_t index, const uint32_t *image_indices, snw_material *material) {
	const cJSON *object = g->materials.items[index], *extras = snw_gltf_member(object, "extras");
	keeping k = {.g = g,
				 .place = {"material", index},
				 .image_indices = image_indices,
				 .images = SNW_NEW_ARRAY(g->reading.arena, uint32_t, (size_t)g->images.count + 1)};
	cJSON *kept = cJSON_CreateObject();
	if (!kept) {
		return true;
	}
	keep_textures(&k, object, kept);
	keep_extensions(&k, object, kept);
	if (extras && !cJSON_IsNull(extras)) {
		put(kept, "extras", cJSON_Duplicate(extras, true));
	}
	material->kept = !k.failed && kept->child ? text_of(g, kept, "what glTF alone says of material", material->name) : NULL;
	material->kept_images = material->kept ? k.images : NULL;
	material->kept_image_count = material->kept ? k.image_count : 0;
	cJSON_Delete(kept);
	return !k.failed;
}

/* ---- cameras and lights -------------------------------------------------------------------------------------------------- */

bool snw_gltf_has_camera_or_light(const snw_gltf *g, uint32_t node) {
	const cJSON *object = g->nodes.items[node];
	return snw_gltf_member(object, "camera") || snw_gltf_member(snw_gltf_member(object, "extensions"), "KHR_lights_punctual");
}

/* The file's camera or light of a node; NULL for none. */
static const cJSON *referred(const cJSON *list, const cJSON *index) {
	const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
	const double at = cJSON_IsNumber(index) ? index->valuedouble : -1;
	return at >= 0 && at < count ? cJSON_GetArrayItem(list, (int)at) : NULL;
}

static const char *kept_of_node(const snw_gltf *g, uint32_t n, const char *name) {
	const cJSON *object = g->nodes.items[n];
	const cJSON *light = snw_gltf_member(snw_gltf_member(object, "extensions"), "KHR_lights_punctual");
	const cJSON *lights = snw_gltf_member(snw_gltf_member(g->root, "extensions"), "KHR_lights_punctual");
	const cJSON *found[] = {referred(snw_gltf_member(g->root, "cameras"), snw_gltf_member(object, "camera")),
							referred(snw_gltf_member(lights, "lights"), snw_gltf_member(light, "light"))};
	static const char *const keys[] = {"camera", "light"};
	cJSON *kept = cJSON_CreateObject();
	for (int i = 0; i < 2 && kept; i++) {
		if (cJSON_IsObject(found[i])) {
			put(kept, keys[i], cJSON_Duplicate(found[i], true));
		}
	}
	const char *text = kept && kept->child ? text_of(g, kept, "what glTF says of", name) : NULL;
	cJSON_Delete(kept);
	return text;
}

/* The nearest joint at or above a node, and the node's place in its space; in that of the scene without one. */
static uint32_t find_joint(const snw_rig *nodes, uint32_t n, double place[12]) {
	double local[12];
	snw_mat34_identity(place);
	for (; n != SNW_NONE && nodes->nodes[n].joint == SNW_NONE; n = nodes->nodes[n].parent) {
		snw_transform_to_mat34(&nodes->nodes[n].local, local);
		snw_mat34_multiply(local, place, place);
	}
	return n == SNW_NONE ? SNW_NONE : nodes->nodes[n].joint;
}

void snw_gltf_keep_nodes(snw_gltf *g, const snw_rig *nodes, snw_scene *scene) {
	snw_arena *arena = g->reading.arena;
	snw_kept_node *kept = SNW_NEW_ARRAY(arena, snw_kept_node, nodes->count);
	uint32_t count = 0;
	for (uint32_t n = 0; n < nodes->count; n++) {
		const char *given = snw_name_clean(arena, snw_gltf_text(g->nodes.items[n], "name"), g->reading.task);
		const char *name = given ? given : snw_arena_format(arena, "node-%u", n);
		const char *text = nodes->nodes[n].is_shown ? kept_of_node(g, n, name) : NULL;
		if (text) {
			kept[count] = (snw_kept_node){.name = name, .kept = text};
			kept[count].joint = find_joint(nodes, n, kept[count].place);
			count++;
		}
	}
	scene->kept_nodes = kept;
	scene->kept_node_count = count;
	if (count > 0) {
		snw_task_notice(g->reading.task, SNW_LOG_INFO,
						"%u camera%s or light%s: not shown, and kept for the glTF that you export", count, snw_plural(count),
						snw_plural(count));
	}
}
