/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0, .glb and .gltf.
 *
 * Imported: triangles, strips and fans of the default scene, as a mesh for each node that has one; normals, the first UVs and
 * colours at corners; all skins, with any number of influences; positions, names and weights of morph targets; animations with
 * their keys, interpolation and tangents; materials, and their PNG and JPEG pictures as encoded. Accessors may be integer,
 * normalised and sparse (KHR_mesh_quantization), buffer views compressed (EXT_meshopt_compression). Points split at seams are
 * merged (mesh/mesh.h).
 *
 * Ignored with a notice: points and lines, scenes other than the default, occlusion textures, animations of other properties,
 * other extensions, cameras, extras, further UV sets, attributes of one's own, displaced normals. Ignored without: displaced
 * tangents. Empty nodes below a joint (sockets, end joints) are joints that move no point.
 *
 * The rest pose is the bind pose, placed upright in the world of the file's default pose (see nodes.c). If the default pose
 * differs, it becomes the pose "default". Clips play as in the file. If a joint's bind and its default pose are equal up to the
 * file's rounding, the inverse bind is replaced by the inverse of the rest transform: then the rest pose is exact, and no point
 * moves by more than 1e-5 of the size of its mesh.
 *
 * Each step has its file.
 */
#include "import/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "import/common/reading.h"
#include "import/gltf/gltf_internal.h"
#include "mesh/surface.h"
#include "scene/check.h"
#include "sinew/algebra.h"

/* ---- left out ------------------------------------------------------------------------------------------------------------ */

/* What the file has and the scene has no place for, in one line. */

typedef struct left_out {
	uint32_t empty_nodes, extras, attributes, normals;
	const char *attribute; /* the first */
} left_out;

static void count_extras(const snw_gltf_list *list, left_out *l) {
	for (uint32_t i = 0; i < list->count; i++) {
		const cJSON *extras = snw_gltf_member(list->items[i], "extras");
		const bool has_names_alone =
			snw_gltf_member(extras, "targetNames") && cJSON_GetArraySize(extras) == 1; /* read as the names of targets */
		l->extras +=
			extras && !cJSON_IsNull(extras) && !has_names_alone && cJSON_GetArraySize(extras) + !cJSON_IsObject(extras) > 0;
	}
}

/* Attributes that are read, or kept. */
static bool is_taken(const snw_gltf *g, const cJSON *attribute) {
	static const char *const read[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0"};
	for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
		if (strcmp(attribute->string, read[i]) == 0) {
			return true;
		}
	}
	return strncmp(attribute->string, "JOINTS_", 7) == 0 || strncmp(attribute->string, "WEIGHTS_", 8) == 0 ||
		   snw_gltf_keeps_attribute(g, attribute);
}

static void count_primitive(const snw_gltf *g, const cJSON *primitive, bool has[2], left_out *l) {
	const cJSON *attributes = snw_gltf_member(primitive, "attributes"), *targets = snw_gltf_member(primitive, "targets");
	for (const cJSON *a = attributes ? attributes->child : NULL; a; a = a->next) {
		if (a->string && !is_taken(g, a)) {
			has[0] = true;
			l->attribute = l->attribute ? l->attribute : a->string;
		}
	}
	for (const cJSON *target = targets ? targets->child : NULL; target; target = target->next) {
		has[1] |= snw_gltf_member(target, "NORMAL") != NULL;
	}
}

static void count_meshes(const snw_gltf *g, left_out *l) {
	for (uint32_t m = 0; m < g->meshes.count; m++) {
		bool has[2] = {false, false};
		const cJSON *primitives = snw_gltf_member(g->meshes.items[m], "primitives");
		for (const cJSON *p = primitives ? primitives->child : NULL; p; p = p->next) {
			count_primitive(g, p, has, l);
		}
		l->attributes += has[0];
		l->normals += has[1];
	}
}

/* Nodes with nothing on them or below them, which are not joints. */
static void count_nodes(const snw_gltf *g, const snw_rig *nodes, left_out *l) {
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		l->empty_nodes +=
			node->is_shown && node->joint == SNW_NONE && node->mesh == SNW_NONE && !snw_gltf_has_camera_or_light(g, n);
	}
}

/* Appends "2 cameras" to a list of them. */
static const char *listed(snw_arena *arena, const char *words, uint32_t count, const char *one, const char *many) {
	return count == 0 ? words
					  : snw_arena_format(arena, "%s%s%u %s", words, words[0] ? ", " : "", count, count == 1 ? one : many);
}

/* A notice of what the scene has no place for (gltf.c). */
static void gltf_tell_left_out(snw_gltf *g, const snw_rig *nodes) {
	left_out l = {0};
	snw_arena *arena = g->reading.scratch;
	const snw_gltf_list *with_extras[] = {&g->nodes, &g->meshes, &g->skins, &g->animations, &g->scenes};
	for (size_t i = 0; i < sizeof with_extras / sizeof *with_extras; i++) {
		count_extras(with_extras[i], &l);
	}
	count_meshes(g, &l);
	count_nodes(g, nodes, &l);
	const char *words =
		listed(arena, "", l.empty_nodes, "empty node that is below no joint", "empty nodes that are below no joint");
	words = listed(arena, words, l.extras, "object's extras", "objects' extras");
	if (l.attributes > 0) {
		const char *attributes = snw_arena_format(arena, "with attributes such as %.60s", l.attribute);
		words = listed(arena, words, l.attributes, snw_arena_format(arena, "mesh %s", attributes),
					   snw_arena_format(arena, "meshes %s", attributes));
	}
	words = listed(arena, words, l.normals, "mesh's normals of morph targets, which are made anew",
				   "meshes' normals of morph targets, which are made anew");
	if (words[0]) {
		snw_task_notice(g->reading.task, SNW_LOG_INFO, "left out: %s", words);
	}
}

/* ---- kept ---------------------------------------------------------------------------------------------------------------- */

/* What glTF says of a material and Sinew does not show, for the glTF that it writes: KHR_materials_*, occlusion, factors and
 * samplers of textures, extras. It is a JSON object with the members of the file's material. A texture in it has as "index"
 * a number in the material's kept_images, none for those that Sinew shows, a "sampler" itself, and as "texCoord" a UV set of
 * the scene (materials.c). Cameras and lights are kept too, each where its node was. */

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
	uint32_t index = SNW_NONE, source, sampler, set;
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

static void gltf_keep_nodes(snw_gltf *g, const snw_rig *nodes, snw_scene *scene) {
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

/* ---- gltf ---------------------------------------------------------------------------------------------------------------- */

static bool is_gltf(const char *path, const unsigned char *head, size_t head_count) {
	return (head_count >= 4 && memcmp(head, "glTF", 4) == 0) || snw_path_has_extension(path, snw_import_gltf.file.extensions);
}

static bool make_rest(snw_gltf *g, const snw_rig *nodes, snw_scene *scene) {
	snw_error error = {0};
	const snw_status status = snw_rig_rest(nodes, scene, &error);
	return !snw_failed(status) || snw_reading_fail(&g->reading, status, "%s", error.text);
}

static bool list_slots(snw_gltf *g, snw_rig *nodes, snw_rig_skin *skins, const snw_scene *scene, snw_rig_slots *slots) {
	if (!snw_reading_reserve(&g->reading, snw_rig_slot_limit(nodes, skins, g->skins.count), 13 * sizeof(double))) {
		return false;
	}
	const uint32_t flat = snw_rig_list_slots(nodes, skins, g->skins.count, scene, slots);
	return flat == SNW_NONE ||
		   snw_reading_fail(&g->reading, SNW_ERROR_INTERNAL, "skin %u: the transform of its node has no inverse", flat);
}

static bool read_scene(snw_gltf *g, bool keep_points, snw_scene *scene) {
	snw_rig nodes;
	snw_gltf_shape *shapes;
	snw_rig_skin *skins;
	snw_rig_slots slots = {0};
	if (!snw_reading_progress(&g->reading, 0, "reading") || !snw_gltf_open(g) || !snw_gltf_read_nodes(g, &nodes) ||
		!snw_gltf_choose_joints(g, &nodes, scene) || !snw_gltf_read_uv_sets(g) || !snw_gltf_read_shapes(g, &nodes, &shapes) ||
		!snw_gltf_read_skins(g, &nodes, shapes, &skins) || !make_rest(g, &nodes, scene) ||
		!list_slots(g, &nodes, skins, scene, &slots) ||
		!snw_gltf_meshes(g, &nodes, shapes, skins, &slots, keep_points, scene) || !snw_gltf_clips(g, &nodes, shapes, scene) ||
		!snw_gltf_read_materials(g, scene)) {
		return false;
	}
	snw_rig_poses(&nodes, scene);
	gltf_keep_nodes(g, &nodes, scene);
	gltf_tell_left_out(g, &nodes);
	return true;
}

static snw_status read_gltf(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
							snw_error *error) {
	snw_gltf g = {.reading = snw_reading_begin(path, task, scene, error)};
	read_scene(&g, request->keep_points, scene);
	snw_gltf_close(&g);
	snw_reading_end(&g.reading);
	return g.reading.status;
}

const snw_import_format snw_import_gltf = {
	.file = {.extensions = "glb|gltf", .label = "glTF", .holds = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION},
	.recognizes = is_gltf,
	.read = read_gltf,
};

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

/* Levels of detail: MSFT_lod of a node with a mesh names the nodes that stand in its place from afar, finest first. Each mesh
 * of these becomes a level. Such a file does not say how the points of a level follow from those of the mesh: each gets the
 * place on the faces of the mesh that is nearest to it at rest. */

/* ---- which nodes --------------------------------------------------------------------------------------------------------- */

static const cJSON *extension_of(const snw_gltf *g, uint32_t node) {
	return snw_gltf_member(snw_gltf_member(g->nodes.items[node], "extensions"), "MSFT_lod");
}

static bool list_levels(snw_gltf *g, uint32_t node, uint32_t **ids, uint32_t *count) {
	return snw_gltf_indices(g, (snw_gltf_place){"node", node}, extension_of(g, node), "ids", &g->nodes, ids, count);
}

const char *snw_gltf_name_of_levels(snw_gltf *g, uint32_t node, const char *name) {
	const size_t length = name ? strlen(name) : 0;
	return length > 5 && extension_of(g, node) && strcmp(name + length - 5, "_LOD0") == 0
			   ? snw_arena_format(g->reading.arena, "%.*s", (int)length - 5, name)
			   : name;
}

/* A node is a level of one mesh at most, and a level has none itself. */
bool snw_gltf_mark_levels(snw_gltf *g, snw_rig *nodes) {
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		uint32_t *ids, count;
		if (!list_levels(g, n, &ids, &count)) {
			return false;
		}
		if (count > 0 && node->is_shown && node->mesh == SNW_NONE) {
			snw_task_notice(g->reading.task, SNW_LOG_WARNING,
							"node %u: its levels of detail are left out; only those of a node with a mesh are read", n);
			continue;
		}
		for (uint32_t i = 0; i < count && node->is_shown; i++) {
			snw_rig_node *level = &nodes->nodes[ids[i]];
			if (ids[i] != n && level->mesh != SNW_NONE && level->level_of == SNW_NONE) {
				level->level_of = n;
				level->is_shown = false;
			}
		}
	}
	return true;
}

/* ---- their meshes -------------------------------------------------------------------------------------------------------- */

typedef struct level_reader {
	snw_gltf *g;
	const snw_rig *nodes;
	const snw_gltf_shape *shapes;
	const snw_rig_skin *skins;
	const uint32_t *mesh_nodes;
	snw_rig_slots *slots;
	bool keep_points;
	snw_scene *scene;
	snw_level *levels;
} level_reader;

/* A level that the file names: the node at a place in the list of its mesh's node. */
typedef struct named_level {
	uint32_t number, mesh, node, index;
} named_level;

/* Below what share of the screen a level is shown: 0 where the file does not say it. */
static double read_share(const level_reader *r, uint32_t node, uint32_t index) {
	const cJSON *extras = snw_gltf_member(r->g->nodes.items[node], "extras");
	const cJSON *shares = snw_gltf_member(extras, "MSFT_screencoverage");
	const cJSON *share = cJSON_IsArray(shares) ? shares->child : NULL;
	for (uint32_t i = 0; i < index && share; i++) {
		share = share->next;
	}
	return cJSON_IsNumber(share) && share->valuedouble > 0 ? fmin(share->valuedouble, 1) : 0;
}

/* A rigid level is where its own node puts it, beside the node of the mesh. False where that node has no inverse. */
static bool find_moved(const snw_rig_node *of, const snw_rig_node *node, double own_place[12]) {
	double from[12], to[12];
	snw_transform_to_mat34(&of->local, from);
	snw_transform_to_mat34(&node->local, to);
	if (!snw_mat34_invert(from, own_place)) {
		return false;
	}
	snw_mat34_multiply(own_place, to, own_place);
	return true;
}

static bool find_stencils(const level_reader *r, snw_level *level) {
	const uint32_t count = level->shape.point_count;
	const snw_mesh *of = &r->scene->meshes[level->mesh];
	if (!snw_reading_reserve(&r->g->reading, count, sizeof(snw_surface_place) + 64)) {
		return false;
	}
	snw_surface_place *places = SNW_NEW_ARRAY(r->g->reading.scratch, snw_surface_place, count);
	uint32_t *offsets = SNW_NEW_ARRAY(r->g->reading.arena, uint32_t, (size_t)count + 1);
	uint32_t *points = SNW_NEW_ARRAY(r->g->reading.arena, uint32_t, 3 * (size_t)count);
	double *weights = SNW_NEW_ARRAY(r->g->reading.arena, double, 3 * (size_t)count);
	snw_error error = {0};
	const snw_status status = snw_surface_places_find(count, level->shape.points_rest, of, of->points_rest, "levels of detail",
													  r->g->reading.task, places, &error);
	if (snw_failed(status)) {
		return snw_reading_fail(&r->g->reading, status, "%s", error.text);
	}
	for (uint32_t p = 0; p < count; p++) {
		offsets[p + 1] = offsets[p];
		for (int k = 0; k < 3; k++) {
			if (places[p].shares[k] > 0) {
				points[offsets[p + 1]] = places[p].points[k];
				weights[offsets[p + 1]++] = places[p].shares[k];
			}
		}
	}
	level->stencil_offsets = offsets;
	level->stencil_points = points;
	level->stencil_weights = weights;
	return true;
}

/* Morph targets go through the stencils, and tangents are made by engines. */
static bool read_level(const level_reader *r, const named_level *named) {
	const uint32_t mesh = named->mesh;
	const snw_rig_node *of = &r->nodes->nodes[r->mesh_nodes[mesh]], *node = &r->nodes->nodes[named->node];
	snw_gltf_shape shape = r->shapes[node->mesh];
	const uint32_t skin = node->skin == SNW_NONE ? of->skin : node->skin;
	double own_place[12];
	if (skin == SNW_NONE && !find_moved(of, node, own_place)) {
		snw_task_notice(r->g->reading.task, SNW_LOG_WARNING,
						"mesh %s: a level of detail is left out, since the transform of its node has no inverse",
						r->scene->meshes[mesh].name);
		return true;
	}
	snw_level *level = &r->levels[r->scene->level_count];
	*level = (snw_level){
		.mesh = mesh, .number = named->number, .request = "from its file", .shape.name = r->scene->meshes[mesh].name};
	shape.target_count = shape.attribute_count = 0;
	if (!snw_gltf_make_mesh(r->g, &shape, of, skin == SNW_NONE ? own_place : NULL, skin == SNW_NONE ? NULL : &r->skins[skin],
							r->scene, r->slots, r->keep_points, &level->shape)) {
		return false;
	}
	level->shape.morphs = NULL;
	level->shape.corner_tangents = NULL;
	level->screen_share = read_share(r, r->mesh_nodes[mesh], named->index);
	level->worst_pose = "";
	r->scene->level_count += level->shape.face_count > 0;
	return level->shape.face_count == 0 || find_stencils(r, level);
}

static int by_number(const void *a, const void *b) {
	const named_level *x = a, *y = b;
	return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
								  : (x->mesh > y->mesh) - (x->mesh < y->mesh);
}

/* Those that have points, each once, by number, then by mesh: the order of a scene. */
static bool name_levels(const level_reader *r, named_level *named, uint32_t *named_count) {
	bool *is_named = SNW_NEW_ARRAY(r->g->reading.scratch, bool, r->nodes->count);
	*named_count = 0;
	for (uint32_t m = 0; m < r->scene->mesh_count; m++) {
		const uint32_t of = r->mesh_nodes[m];
		uint32_t *ids, count, number = 0;
		if (!list_levels(r->g, of, &ids, &count)) {
			return false;
		}
		for (uint32_t i = 0; i < count && r->scene->meshes[m].point_count > 0; i++) {
			const snw_rig_node *node = &r->nodes->nodes[ids[i]];
			if (node->level_of == of && !is_named[ids[i]] && r->shapes[node->mesh].face_count > 0) {
				is_named[ids[i]] = true;
				named[(*named_count)++] = (named_level){++number, m, ids[i], i};
			}
		}
	}
	qsort(named, *named_count, sizeof *named, by_number);
	return true;
}

/* Joints that move points of a level's meshes: of those from `begin` on that have the same number. Returns where they end. */
static uint32_t count_joints(const level_reader *r, uint32_t begin, uint32_t *moved_by) {
	uint32_t end = begin, count = 0;
	for (; end < r->scene->level_count && r->levels[end].number == r->levels[begin].number; end++) {
		const snw_mesh *shape = &r->levels[end].shape;
		for (uint32_t k = 0; shape->influence_offsets && k < shape->influence_offsets[shape->point_count]; k++) {
			const uint32_t joint = r->slots->joints[shape->influence_slots[k]];
			count += moved_by[joint] != r->levels[end].number;
			moved_by[joint] = r->levels[end].number;
		}
	}
	for (uint32_t i = begin; i < end; i++) {
		r->levels[i].joint_count = count;
		r->levels[i].slot_count = r->slots->count;
	}
	return end;
}

bool snw_gltf_levels(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, const snw_rig_skin *skins,
					 const uint32_t *mesh_nodes, snw_rig_slots *slots, bool keep_points, snw_scene *scene) {
	uint32_t most = 1, count;
	for (uint32_t n = 0; n < nodes->count; n++) {
		most += nodes->nodes[n].level_of != SNW_NONE;
	}
	snw_level *levels = SNW_NEW_ARRAY(g->reading.arena, snw_level, most);
	named_level *named = SNW_NEW_ARRAY(g->reading.scratch, named_level, most);
	const level_reader r = {g, nodes, shapes, skins, mesh_nodes, slots, keep_points, scene, levels};
	if (!name_levels(&r, named, &count)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!read_level(&r, &named[i])) {
			return false;
		}
	}
	uint32_t *moved_by = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, (size_t)nodes->count + 1);
	for (uint32_t i = 0; i < scene->level_count;) {
		i = count_joints(&r, i, moved_by);
	}
	scene->levels = levels;
	return true;
}
