/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rare features that glTF allows, and errors of real files that it forbids, in small files written here.
 */
#include "files.h"
#include "gltf_build.h"

#include "gltf_play.h"

/* A square in the xy plane, four vertices counter-clockwise. */
static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

static char notices[4000];

static void keep_notice(void *context, snw_log_level level, const char *line) {
	(void)context;
	(void)level;
	snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", line);
}

static snw_status import(const char *path, snw_scene **scene, snw_error *error) {
	const snw_import_request request = {.file = path};
	const snw_task task = {.notice = keep_notice};
	notices[0] = '\0';
	*error = (snw_error){0};
	return snw_import(&request, &task, scene, error);
}

static snw_scene *import_good(const char *path) {
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(import(path, &scene, &error), error);
	unlink(path);
	return scene;
}

static void import_bad(const char *path, snw_status status, const char *words) {
	snw_scene *scene = NULL;
	snw_error error;
	const snw_status got = import(path, &scene, &error);
	if (got != status || !strstr(error.text, words) || strchr(error.text, '\n')) {
		fail_msg("status %d, '%s': should be %d with '%s'", got, error.text, status, words);
	}
	assert_null(scene);
	unlink(path);
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

static void check_square_faces(int mode, const uint16_t *indices, int index_count, const uint32_t *corners,
							   uint32_t face_count) {
	build b = {0};
	char rest[500];
	const int position = build_floats(&b, square, 3, 4);
	const int index = build_shorts(&b, indices, 1, index_count);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": %d, \"indices\": %d, \"attributes\": "
			 "{\"POSITION\": %d}}]}]",
			 mode, index, position);
	snw_scene *scene = import_good(build_write(&b, "faces.gltf", rest));
	assert_int_equal(scene->meshes[0].face_count, face_count);
	assert_memory_equal(scene->meshes[0].face_points, corners, 3 * face_count * sizeof corners[0]);
	snw_scene_destroy(scene);
}

static void strips_and_fans_become_triangles_that_face_one_way(void **state) {
	(void)state;
	check_square_faces(4, (const uint16_t[]){0, 1, 2, 0, 2, 3}, 6, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 2);
	check_square_faces(5, (const uint16_t[]){0, 1, 3, 2}, 4, (const uint32_t[]){0, 1, 3, 1, 2, 3}, 2);
	check_square_faces(6, (const uint16_t[]){0, 1, 2, 3}, 4, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 2);
	/* A strip that turns by repeating vertices has faces without area in between. */
	check_square_faces(5, (const uint16_t[]){0, 1, 3, 1, 3, 2}, 6, (const uint32_t[]){0, 1, 3, 1, 2, 3}, 2);
}

static void primitives_of_a_mesh_become_faces_with_their_own_materials(void **state) {
	(void)state;
	build b = {0};
	const int position = build_floats(&b, square, 3, 4);
	const int first = build_shorts(&b, (const uint16_t[]){0, 1, 2}, 1, 3),
			  second = build_shorts(&b, (const uint16_t[]){0, 2, 3}, 1, 3);
	char rest[800];
	snprintf(rest, sizeof rest,
			 "\"materials\": [{}, {\"name\": \"b\", \"alphaMode\": \"MASK\", \"alphaCutoff\": 0.25, \"emissiveFactor\": [1, "
			 "0.5, 0]}], \"nodes\": [{\"mesh\": 0}], "
			 "\"meshes\": [{\"primitives\": [{\"material\": 1, \"indices\": %d, \"attributes\": {\"POSITION\": %d}}, "
			 "{\"indices\": %d, \"attributes\": {\"POSITION\": %d}}]}]",
			 first, position, second, position);
	snw_scene *scene = import_good(build_write(&b, "materials.gltf", rest));
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->point_count, 4); /* the vertices that both share are there once */
	assert_int_equal(mesh->face_count, 2);
	assert_int_equal(mesh->face_materials[0], 1);
	assert_int_equal(mesh->face_materials[1], SNW_NONE);
	assert_string_equal(scene->materials[0].name, "material-0");
	assert_int_equal(scene->materials[1].alpha, 1);
	check_near(scene->materials[1].alpha_cutoff, 0.25, 0);
	check_near(scene->materials[1].emissive[1], 0.5, 0);
	snw_scene_destroy(scene);
}

/* ---- what has no place --------------------------------------------------------------------------------------------------- */

static void sockets_are_joints_and_what_has_no_place_is_named(void **state) {
	(void)state;
	build b = {0};
	char rest[1600];
	const int position = build_floats(&b, square, 3, 4), uv = build_floats(&b, square, 2, 4),
			  mask = build_floats(&b, square, 1, 4), seconds = build_floats(&b, (const float[]){0, 1}, 1, 2),
			  places = build_floats(&b, (const float[]){0, 0, 0, 1, 0, 0}, 3, 2);
	snprintf(rest, sizeof rest,
			 "\"scenes\": [{\"nodes\": [0, 4]}], \"cameras\": [{\"type\": \"perspective\"}], \"nodes\": [{\"name\": \"arm\", "
			 "\"mesh\": 0, \"children\": [1, 3]}, {\"name\": \"socket\", \"children\": [2]}, {\"name\": \"tip\"}, {\"name\": "
			 "\"shot\", \"camera\": 0}, {\"name\": \"alone\"}], \"meshes\": [{\"extras\": {\"lod\": 0}, \"primitives\": "
			 "[{\"mode\": 6, \"attributes\": {\"POSITION\": %d, \"TEXCOORD_1\": %d, \"_MASK\": %d}}]}], \"animations\": "
			 "[{\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"translation\"}}], \"samplers\": "
			 "[{\"input\": %d, \"output\": %d}]}]",
			 position, uv, mask, seconds, places);
	snw_scene *scene = import_good(build_write(&b, "sockets.gltf", rest));
	assert_int_equal(scene->skeleton.joint_count, 3);
	assert_int_equal(scene->kept_node_count, 1);
	assert_string_equal(scene->kept_nodes[0].name, "shot");
	assert_string_equal(scene->kept_nodes[0].kept, "{\"camera\":{\"type\":\"perspective\"}}");
	assert_int_equal(scene->kept_nodes[0].joint, snw_scene_find_joint(scene, "arm"));
	const uint32_t tip = snw_scene_find_joint(scene, "tip");
	assert_int_not_equal(tip, SNW_NONE);
	assert_string_equal(scene->skeleton.names[scene->skeleton.parents[tip]], "socket");
	assert_int_equal(snw_scene_find_joint(scene, "alone"), SNW_NONE);
	assert_string_equal(notices, "1 camera or light: not shown, and kept for the glTF that you export\n"
								 "left out: 1 empty node that is below no joint, 1 object's extras\n");
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->attribute_count, 2);
	assert_true(mesh->attributes[0].is_uv && mesh->attributes[0].width == 2);
	assert_string_equal(mesh->attributes[1].name, "_MASK");
	assert_int_equal(mesh->attributes[1].corner_count, mesh->face_offsets[mesh->face_count]);
	snw_scene_destroy(scene);
}

static void extensions_of_looks_are_read_as_far_as_they_are_shown(void **state) {
	(void)state;
	build b = {0};
	char rest[800];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(rest, sizeof rest,
			 "\"extensionsRequired\": [\"KHR_texture_transform\"], \"extensionsUsed\": [\"KHR_texture_transform\", "
			 "\"KHR_materials_pbrSpecularGlossiness\"], \"materials\": [{\"extensions\": "
			 "{\"KHR_materials_pbrSpecularGlossiness\": {\"diffuseFactor\": [0.5, 0, 0, 1], \"glossinessFactor\": 0.25}}}], "
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"material\": 0, \"attributes\": "
			 "{\"POSITION\": %d}}]}]",
			 position);
	snw_scene *scene = import_good(build_write(&b, "looks.gltf", rest));
	assert_string_equal(
		notices,
		"the extension KHR_texture_transform is applied to the UVs\nthe extension KHR_materials_pbrSpecularGlossiness is "
		"shown as metal and roughness, and kept for the glTF that you export\n");
	check_near(scene->materials[0].base_color[0], 0.5, 0);
	check_near(scene->materials[0].roughness, 0.75, 0);
	check_near(scene->materials[0].metallic, 0, 0);
	snw_scene_destroy(scene);
}

/* The colour is on the second set, scaled by (2, 3), then rotated by a quarter: (u, v) is at (0.5 + 3 v, 0.25 - 2 u). */
static void textures_lie_where_the_file_has_them(void **state) {
	(void)state;
	build b = {0};
	char rest[2400];
	const float half[] = {0, 0, 0.5F, 0, 0.5F, 0.5F, 0, 0.5F}, whole[] = {0, 0, 1, 0, 1, 1, 0, 1};
	const int position = build_floats(&b, square, 3, 4), first = build_floats(&b, whole, 2, 4),
			  second = build_floats(&b, half, 2, 4);
	snprintf(
		rest, sizeof rest,
		"\"extensionsUsed\": [\"KHR_texture_transform\", \"KHR_materials_clearcoat\"], \"images\": [{\"uri\": "
		"\"data:image/png;base64,iVBORw0KGgoA\"}, {\"uri\": \"data:image/png;base64,iVBORw0KGgoB\"}], \"samplers\": "
		"[{\"wrapS\": 33071}], \"textures\": [{\"source\": 0, \"sampler\": 0}, {\"source\": 1}], \"materials\": [{\"name\": "
		"\"m\", "
		"\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0, \"extensions\": {\"KHR_texture_transform\": "
		"{\"texCoord\": 1, \"offset\": [0.5, 0.25], \"rotation\": 1.5707963267948966, \"scale\": [2, 3]}}}}, "
		"\"normalTexture\": {\"index\": 1, \"scale\": 0.5}, \"occlusionTexture\": {\"index\": 1}, \"extras\": {\"id\": 7}, "
		"\"extensions\": {\"KHR_materials_clearcoat\": {\"clearcoatFactor\": 0.5, \"clearcoatTexture\": {\"index\": 1}}}}, "
		"{\"name\": \"plain\"}], \"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"material\": 0, "
		"\"attributes\": {\"POSITION\": %d, \"TEXCOORD_0\": %d, \"TEXCOORD_1\": %d}}]}]",
		position, first, second);
	snw_scene *scene = import_good(build_write(&b, "places.gltf", rest));
	const snw_mesh *mesh = &scene->meshes[0];
	const float expected[6][2] = {{0.5F, 0.25F}, {0.5F, -0.75F}, {2, -0.75F}, {0.5F, 0.25F}, {2, -0.75F}, {2, 0.25F}};
	assert_true(mesh->attribute_count == 1 && mesh->attributes[0].is_uv);
	for (uint32_t c = 0; c < 6; c++) {
		const uint32_t point = mesh->face_points[c];
		for (int i = 0; i < 2; i++) {
			check_near((double)mesh->corner_uvs[2 * c + i], (double)expected[c][i], 1e-6);
			check_near((double)mesh->attributes[0].values[2 * c + i], (double)whole[2 * point + i], 0);
		}
	}
	const snw_material *m = &scene->materials[0];
	assert_true(m->has_further_uvs && m->kept_image_count == 1 && m->kept_images[0] == 1);
	assert_string_equal(
		m->kept, "{\"baseColorTexture\":{\"sampler\":{\"wrapS\":33071}},\"normalTexture\":{\"scale\":0.5,\"texCoord\":1},"
				 "\"occlusionTexture\":{\"index\":0,\"texCoord\":1},\"extensions\":{\"KHR_materials_clearcoat\":{"
				 "\"clearcoatFactor\":0.5,\"clearcoatTexture\":{\"index\":0,\"texCoord\":1}}},\"extras\":{\"id\":7}}");
	assert_null(scene->materials[1].kept);
	assert_non_null(
		strstr(notices, "the extension KHR_materials_clearcoat is not shown, and kept for the glTF that you export"));
	assert_non_null(strstr(notices, "material 0: normalTexture has a place of its own"));
	snw_scene_destroy(scene);
}

static void lights_are_kept_where_they_are(void **state) {
	(void)state;
	build b = {0};
	char rest[1200];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(
		rest, sizeof rest,
		"\"extensionsUsed\": [\"KHR_lights_punctual\"], \"extensionsRequired\": [\"KHR_lights_punctual\"], \"extensions\": "
		"{\"KHR_lights_punctual\": {\"lights\": [{\"type\": \"point\"}]}}, \"nodes\": [{\"mesh\": 0}, {\"name\": \"lamp\", "
		"\"translation\": [1, 2, 3], \"children\": [2]}, {\"name\": \"bulb\", \"scale\": [2, 2, 2], \"extensions\": "
		"{\"KHR_lights_punctual\": {\"light\": 0}}}, {\"extensions\": {\"KHR_lights_punctual\": {\"light\": 9}}}], "
		"\"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": %d}}]}]",
		position);
	snw_scene *scene = import_good(build_write(&b, "lamp.gltf", rest));
	assert_int_equal(scene->kept_node_count, 1); /* the other one's light is missing */
	assert_string_equal(scene->kept_nodes[0].name, "bulb");
	assert_string_equal(scene->kept_nodes[0].kept, "{\"light\":{\"type\":\"point\"}}");
	assert_int_equal(scene->kept_nodes[0].joint, SNW_NONE);
	const double place[12] = {2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3};
	assert_memory_equal(scene->kept_nodes[0].place, place, sizeof place);
	snw_scene_destroy(scene);
}

/* ---- accessors ----------------------------------------------------------------------------------------------------------- */

static void sparse_and_normalised_accessors_are_read(void **state) {
	(void)state;
	build b = {0};
	const int replaced = build_array(&b, (const uint8_t[]){2}, 1, 5121, 1, 1, "");
	const int with = build_floats(&b, (const float[]){5, 6, 7}, 3, 1);
	char sparse[300], rest[500];
	snprintf(sparse, sizeof sparse,
			 "\"sparse\": {\"count\": 1, \"indices\": {\"bufferView\": %d, \"componentType\": 5121}, \"values\": "
			 "{\"bufferView\": %d}}, ",
			 replaced, with);
	const int position = build_array(&b, square, sizeof square, 5126, 3, 4, sparse);
	const int uv =
		build_array(&b, (const uint16_t[]){0, 0, 65535, 0, 65535, 65535, 0, 13107}, 16, 5123, 2, 4, "\"normalized\": true, ");
	const int color = build_array(&b, (const uint8_t[]){255, 0, 0, 51, 0, 255, 0, 255, 0, 0, 255, 255, 1, 2, 3, 4}, 16, 5121, 4,
								  4, "\"normalized\": true, ");
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": %d, "
			 "\"TEXCOORD_0\": %d, "
			 "\"COLOR_0\": %d}}]}]",
			 position, uv, color);
	snw_scene *scene = import_good(build_write(&b, "sparse.gltf", rest));
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->point_count, 4);
	check_near(mesh->points_rest[6], 5, 0);
	check_near(mesh->points_rest[8], 7, 0);
	check_near(mesh->points_rest[9], 0, 0);
	check_near(mesh->corner_uvs[2], 1, 0); /* corner 1: vertex 1 */
	check_near(mesh->corner_uvs[11], 0.2, 1e-6);
	check_near(mesh->corner_colors[3], 0.2, 1e-6);
	snw_scene_destroy(scene);
}

static void buffers_beside_the_file_are_found(void **state) {
	(void)state;
	const char *folder = check_scratch("parts"), *bin = check_scratch("parts/a b.bin");
	assert_int_equal(mkdir(folder, 0700), 0);
	FILE *stream = fopen(bin, "wb");
	assert_non_null(stream);
	assert_int_equal(fwrite(square, sizeof square, 1, stream), 1);
	fclose(stream);
	const char *path = file_of_text(
		"beside.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 48, \"uri\": \"parts/a%20b.bin\"}], "
					   "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 48}], \"accessors\": [{\"bufferView\": 0, "
					   "\"componentType\": 5126, \"type\": \"VEC3\", \"count\": 4}], \"nodes\": [{\"mesh\": 0}], "
					   "\"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": 0}}]}]}");
	snw_scene *scene = import_good(path);
	check_near(scene->meshes[0].points_rest[6], 1, 0);
	snw_scene_destroy(scene);
	unlink(bin);
	rmdir(folder);
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

static const float identities[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
								   1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};

static void weights_are_merged_and_normalised_with_one_notice(void **state) {
	(void)state;
	build b = {0};
	char rest[1000];
	const int position = build_floats(&b, square, 3, 4), binds = build_floats(&b, identities, 16, 2);
	/* A duplicate; a sum of 2; none at all; one of eight in the second set. */
	const int joints = build_array(&b, (const uint8_t[]){0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9}, 16, 5121, 4, 4, "");
	const int weights = build_floats(&b, (const float[]){0.25f, 0.25f, 0.5f, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0.75f, 0, 0, 0}, 4, 4);
	const int joints_1 = build_array(&b, (const uint8_t[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, 16, 5121, 4, 4, "");
	const int weights_1 = build_floats(&b, (const float[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25f, 0, 0, 0}, 4, 4);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0, \"skin\": 0, \"name\": \"m\"}, {\"children\": [2], \"name\": \"a\"}, {\"translation\": "
			 "[0, 1, 0], \"name\": \"a\"}], "
			 "\"skins\": [{\"joints\": [1, 2], \"inverseBindMatrices\": %d}], \"meshes\": [{\"primitives\": [{\"mode\": 6, "
			 "\"attributes\": "
			 "{\"POSITION\": %d, \"JOINTS_0\": %d, \"WEIGHTS_0\": %d, \"JOINTS_1\": %d, \"WEIGHTS_1\": %d}}]}]",
			 binds, position, joints, weights, joints_1, weights_1);
	snw_scene *scene = import_good(build_write(&b, "weights.gltf", rest));
	const snw_mesh *mesh = &scene->meshes[0];
	static const uint32_t offsets[] = {0, 2, 4, 5, 7};
	static const double want[] = {0.5, 0.5, 0.5, 0.5, 1, 0.75, 0.25};
	assert_memory_equal(mesh->influence_offsets, offsets, sizeof offsets);
	for (int i = 0; i < 7; i++) {
		check_near(mesh->influence_weights[i], want[i], 1e-12);
	}
	assert_non_null(strstr(notices, "1 of 4 points did not sum to 1"));
	assert_non_null(strstr(notices, "1 of 4 points have no weights"));
	assert_non_null(strstr(notices, "joint names are duplicates"));
	assert_string_equal(scene->skeleton.names[0], "a");
	assert_string_equal(scene->skeleton.names[1], "a-2");
	snw_scene_destroy(scene);
}

static void names_with_control_characters_are_cleaned_with_a_notice(void **state) {
	(void)state;
	build b = {0};
	char rest[500];
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0, \"name\": \"a/b\\nc\"}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": "
			 "{\"POSITION\": %d}, \"material\": 0}]}], \"materials\": [{\"name\": \"red\\u001b[2J\"}]",
			 build_floats(&b, square, 3, 4));
	snw_scene *scene = import_good(build_write(&b, "names.gltf", rest));
	assert_string_equal(scene->meshes[0].name, "a/b_c");
	assert_string_equal(scene->materials[0].name, "red_[2J");
	assert_non_null(strstr(notices, "control characters; they were replaced: 'a/b_c'"));
	assert_non_null(strstr(notices, "they were replaced: 'red_[2J'"));
	snw_scene_destroy(scene);
}

/* Two nodes show one mesh by two skins over the same joints, and a third moves it rigidly; the character is scaled and rotated
 * by a node above, and stands in its default pose away from the bind. */
static void skins_and_rigid_instances_share_slots_and_a_rest(void **state) {
	(void)state;
	build b = {0};
	char rest[1500];
	const int position = build_floats(&b, square, 3, 4), binds = build_floats(&b, identities, 16, 2);
	const int joints = build_array(&b, (const uint8_t[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 16, 5121, 4, 4, "");
	const int weights = build_floats(&b, (const float[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4, 4);
	snprintf(
		rest, sizeof rest,
		"\"nodes\": [{\"children\": [1, 3, 4, 5], \"scale\": [2, 2, 2], \"rotation\": [-0.7071068, 0, 0, 0.7071068], \"name\": "
		"\"up\"}, "
		"{\"children\": [2], \"name\": \"low\"}, {\"translation\": [0, 1, 0], \"rotation\": [0, 0, 0.7071068, 0.7071068], "
		"\"name\": \"high\"}, "
		"{\"mesh\": 0, \"skin\": 0, \"name\": \"one\"}, {\"mesh\": 0, \"skin\": 1, \"name\": \"two\"}, "
		"{\"mesh\": 0, \"name\": \"three\", \"translation\": [3, 0, 0]}], "
		"\"skins\": [{\"joints\": [1, 2], \"inverseBindMatrices\": %d}, {\"joints\": [1, 2], \"inverseBindMatrices\": %d}], "
		"\"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": %d, \"JOINTS_0\": %d, \"WEIGHTS_0\": "
		"%d}}]}]",
		binds, binds, position, joints, weights);
	snw_scene *scene = import_good(build_write(&b, "skins.gltf", rest));
	assert_int_equal(scene->mesh_count, 3);
	assert_int_equal(scene->slot_count, 3); /* two for both skins, one for the rigid one */
	assert_int_equal(scene->pose_count, 2);
	assert_string_equal(scene->poses[1].name, "default");
	snw_arena *arena = snw_arena_create();
	double *at_rest, *by_default;
	play_points(&scene->meshes[0], snw_pose_view_make(scene, &scene->poses[0], arena), arena, &at_rest);
	play_points(&scene->meshes[0], snw_pose_view_make(scene, &scene->poses[1], arena), arena, &by_default);
	/* Vertex 2 at (1, 1, 0): twice as large and turned to (2, 0, -2) at rest; by default the upper joint's quarter turn about
	 * (0, 1, 0) brings it to (0, 2, 0) first, so to (0, 0, -4). */
	static const double rest_want[] = {2, 0, -2}, default_want[] = {0, 0, -4};
	for (int c = 0; c < 3; c++) {
		check_near(at_rest[6 + c], rest_want[c], 1e-5);
		check_near(scene->meshes[0].points_rest[6 + c], rest_want[c], 1e-5);
		check_near(scene->meshes[1].points_rest[6 + c], rest_want[c], 1e-5);
		check_near(by_default[6 + c], default_want[c], 1e-5);
	}
	check_near(scene->meshes[2].points_rest[6], 8, 1e-5);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void meshes_scaled_to_zero_rest_in_their_local_space(void **state) {
	(void)state;
	build b = {0};
	char rest[500];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0, \"scale\": [0, 0, 0]}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": "
			 "{\"POSITION\": %d}}]}]",
			 position);
	snw_scene *scene = import_good(build_write(&b, "hidden.gltf", rest));
	check_near(scene->meshes[0].points_rest[6], 1, 0);
	snw_scene_destroy(scene);
}

static void mirrored_nodes_keep_faces_outside_out(void **state) {
	(void)state;
	build b = {0};
	char rest[500];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0, \"scale\": [-1, 1, 1]}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": "
			 "{\"POSITION\": %d}}]}]",
			 position);
	snw_scene *scene = import_good(build_write(&b, "mirror.gltf", rest));
	const snw_mesh *mesh = &scene->meshes[0];
	static const uint32_t corners[] = {0, 2, 1, 0, 3, 2};
	check_near(mesh->points_rest[3], -1, 0);
	assert_memory_equal(mesh->face_points, corners, sizeof corners);
	snw_scene_destroy(scene);
}

/* ---- points at seams ----------------------------------------------------------------------------------------------------- */

/* Two triangles that share an edge, each with vertices of its own; `apart` tells them by UV. */
static uint32_t seam_points(bool apart, bool keep_points, bool with_indices) {
	static const float points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
	const float u = apart ? 0.5f : 0;
	const float uvs[] = {0, 0, 0, 0, 0, 0, u, 0, u, 0, u, 0};
	build b = {0};
	char rest[500], indices[40] = "";
	const int position = build_floats(&b, points, 3, 6), uv = build_floats(&b, uvs, 2, 6);
	if (with_indices) {
		snprintf(indices, sizeof indices, "\"indices\": %d, ", build_shorts(&b, (const uint16_t[]){0, 1, 2, 3, 4, 5}, 1, 6));
	}
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{%s\"attributes\": {\"POSITION\": %d, \"TEXCOORD_0\": "
			 "%d}}]}]",
			 indices, position, uv);
	const char *path = build_write(&b, "seam.gltf", rest);
	snw_scene *scene = play_import(path, keep_points);
	unlink(path);
	const uint32_t count = scene->meshes[0].point_count;
	assert_int_equal(scene->meshes[0].face_count, 2);
	if (apart) {
		check_near(scene->meshes[0].corner_uvs[6], 0.5, 0);
	}
	snw_scene_destroy(scene);
	return count;
}

static void points_are_merged_only_where_corners_differ(void **state) {
	(void)state;
	assert_int_equal(seam_points(true, false, true), 4);
	assert_int_equal(seam_points(true, true, true), 6);
	assert_int_equal(seam_points(false, false, true), 6);  /* indices could have shared them: the file keeps them apart */
	assert_int_equal(seam_points(false, false, false), 4); /* without indices it had no choice */
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

static snw_scene *import_animated(const float *seconds, int keys, const float *values, int value_count, int width,
								  const char *path, const char *interpolation) {
	build b = {0};
	char rest[1000];
	const int position = build_floats(&b, square, 3, 4);
	const int input = build_floats(&b, seconds, 1, keys), output = build_floats(&b, values, width, value_count);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0, \"name\": \"n\"}], \"meshes\": [{\"extras\": {\"targetNames\": [\"smile\"]}, "
			 "\"weights\": [0.5, 0], \"primitives\": "
			 "[{\"mode\": 6, \"attributes\": {\"POSITION\": %d}, \"targets\": [{\"POSITION\": %d}, {\"POSITION\": %d}]}]}], "
			 "\"animations\": [{\"samplers\": [{\"input\": %d, \"output\": %d, \"interpolation\": \"%s\"}], "
			 "\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"%s\"}}]}, {\"name\": \"empty\", "
			 "\"samplers\": [], \"channels\": []}]",
			 position, position, position, input, output, interpolation, path);
	return import_good(build_write(&b, "animated.gltf", rest));
}

static void full_turns_are_unwound(void **state) {
	(void)state;
	float seconds[13], values[4 * 13];
	for (int k = 0; k < 13; k++) { /* three turns about z, in quarters */
		seconds[k] = (float)k;
		values[4 * k] = values[4 * k + 1] = 0;
		values[4 * k + 2] = (float)sin(k * M_PI / 4);
		values[4 * k + 3] = (float)cos(k * M_PI / 4);
	}
	snw_scene *scene = import_animated(seconds, 13, values, 13, 4, "rotation", "LINEAR");
	assert_int_equal(scene->clip_count, 1);
	assert_string_equal(scene->clips[0].name, "clip-0");
	for (int k = 0; k <= 24; k++) {
		snw_arena *arena = snw_arena_create();
		const snw_pose *pose = snw_pose_sample(scene, 0, 0.5 * k, arena);
		check_near(pose->rotation_vectors[2], k * M_PI / 4, 1e-5);
		snw_arena_destroy(arena);
	}
	snw_scene_destroy(scene);
}

static void weights_become_a_track_for_each_channel(void **state) {
	(void)state;
	static const float seconds[] = {0, 1}, values[] = {0, 1, 2, 0, 0.25f, 3, 0, 9, 8, 7, 0.5f, 6};
	snw_scene *scene = import_animated(seconds, 2, values, 12, 1, "weights", "CUBICSPLINE");
	assert_int_equal(scene->channel_count, 2);
	assert_string_equal(scene->channels[0].name, "smile");
	assert_string_equal(scene->channels[1].name, "morph-1");
	check_near(scene->channels[0].initial, 0.5, 0);
	assert_int_equal(scene->clips[0].track_count, 2);
	static const double first[] = {0, 2, 0.25, 0, 8, 0.5}, second[] = {1, 0, 3, 9, 7, 6};
	for (int i = 0; i < 6; i++) {
		check_near(scene->clips[0].tracks[0].values[i], first[i], 0);
		check_near(scene->clips[0].tracks[1].values[i], second[i], 0);
	}
	assert_int_equal(scene->clips[0].tracks[0].interpolation, SNW_CUBIC);
	snw_scene_destroy(scene);
}

static void keys_that_do_not_rise_are_left_out_with_a_notice(void **state) {
	(void)state;
	static const float seconds[] = {0, 1, 1, 2}, values[] = {0, 0, 0, 1, 0, 0, 5, 5, 5, 2, 0, 0};
	snw_scene *scene = import_animated(seconds, 4, values, 4, 3, "translation", "STEP");
	assert_int_equal(scene->clips[0].tracks[0].key_count, 3);
	check_near(scene->clips[0].tracks[0].values[6], 2, 0);
	check_near(scene->clips[0].duration_seconds, 2, 0);
	assert_non_null(strstr(notices, "1 keys"));
	snw_scene_destroy(scene);
}

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

/* A square with a finer one of the same name as its first mesh; `nodes` say which node stands where. */
static const char *level_file(const char *nodes) {
	build b = {0};
	char rest[2000];
	static const float fine[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5F, 0.5F, 0};
	const int points = build_floats(&b, fine, 3, 5), corners = build_floats(&b, square, 3, 4);
	const int fan = build_shorts(&b, (const uint16_t[]){0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}, 1, 12);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [%s], \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"meshes\": [{\"primitives\": [{\"indices\": %d, "
			 "\"attributes\": {\"POSITION\": %d}}]}, {\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": %d}}]}]",
			 nodes, fan, points, corners);
	return build_write(&b, "levels.gltf", rest);
}

static void levels_of_a_node_are_levels_of_its_mesh(void **state) {
	(void)state;
	snw_scene *scene = import_good(level_file(
		"{\"name\": \"pad_LOD0\", \"mesh\": 0, \"translation\": [2, 0, 0], \"extensions\": {\"MSFT_lod\": {\"ids\": [1, 2]}}, "
		"\"extras\": {\"MSFT_screencoverage\": [0.5, 0.25, 0]}}, {\"mesh\": 1, \"translation\": [2, 0, 0]}, {\"mesh\": 1, "
		"\"translation\": [2, 0, 1]}"));
	assert_int_equal(scene->mesh_count, 1);
	assert_string_equal(scene->meshes[0].name, "pad");
	assert_int_equal(scene->level_count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const snw_level *level = &scene->levels[i];
		assert_int_equal(level->number, i + 1);
		assert_int_equal(level->shape.face_count, 2);
		assert_null(level->samples);
		check_near(level->screen_share, i == 0 ? 0.5 : 0.25, 0);
		check_near(level->shape.points_rest[3], scene->meshes[0].points_rest[3], 1e-6);
		check_near(level->shape.points_rest[2], i, 1e-6); /* where its own node puts it */
		for (uint32_t p = 0; p < 4; p++) {                /* each corner is one of the mesh's */
			assert_int_equal(level->stencil_offsets[p], p);
			check_near(level->stencil_weights[p], 1, 1e-9);
		}
	}
	snw_scene_destroy(scene);
}

/* A level that is its own, that two meshes claim, that is listed twice, has no mesh or levels itself, or is shown too. */
static void strange_lists_of_levels_are_read_as_far_as_they_make_sense(void **state) {
	(void)state;
	static const struct {
		const char *nodes;
		uint32_t meshes, levels;
	} cases[] = {
		{"{\"mesh\": 0, \"extensions\": {\"MSFT_lod\": {\"ids\": [0, 1, 1, 1, 2]}}}, {\"mesh\": 1}, {}", 1, 1},
		{"{\"children\": [1, 2]}, {\"mesh\": 0, \"extensions\": {\"MSFT_lod\": {\"ids\": [2]}}}, {\"mesh\": 1, \"extensions\": "
		 "{\"MSFT_lod\": {\"ids\": [1]}}}",
		 1, 1},
		{"{\"children\": [1, 2]}, {\"mesh\": 0, \"extensions\": {\"MSFT_lod\": {\"ids\": [3]}}}, {\"mesh\": 0, \"extensions\": "
		 "{\"MSFT_lod\": {\"ids\": [3, 1]}}}, {\"mesh\": 1}",
		 1, 1},
		{"{\"children\": [1], \"extensions\": {\"MSFT_lod\": {\"ids\": [2]}}}, {\"mesh\": 0}, {\"mesh\": 1}", 1, 0},
		{"{\"mesh\": 0, \"scale\": [0, 0, 0], \"extensions\": {\"MSFT_lod\": {\"ids\": [1]}}}, {\"mesh\": 1}", 1, 0},
		{"{\"mesh\": 0, \"extensions\": {\"MSFT_lod\": {\"ids\": {}}}, \"extras\": {\"MSFT_screencoverage\": \"all\"}}", 1, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snw_scene *scene = import_good(level_file(cases[i].nodes));
		if (scene->mesh_count != cases[i].meshes || scene->level_count != cases[i].levels) {
			fail_msg("case %zu: %u meshes, %u levels", i, scene->mesh_count, scene->level_count);
		}
		snw_scene_destroy(scene);
	}
	import_bad(level_file("{\"mesh\": 0, \"extensions\": {\"MSFT_lod\": {\"ids\": [7]}}}"), SNW_ERROR_DATA, "ids");
}

/* ---- refusals ------------------------------------------------------------------------------------------------------------ */

static void broken_documents_are_refused_with_a_line(void **state) {
	(void)state;
#define HEAD "{\"asset\": {\"version\": \"2.0\"}, "
	static const struct {
		const char *text;
		snw_status status;
		const char *words;
	} broken[] = {
		{"{", SNW_ERROR_DATA, "invalid JSON"},
		{"[]", SNW_ERROR_DATA, "no glTF version"},
		{"{\"asset\": {\"version\": \"1.0\"}}", SNW_ERROR_UNSUPPORTED, "glTF 1.0"},
		{HEAD "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]}", SNW_ERROR_UNSUPPORTED,
		 "Draco (KHR_draco_mesh_compression)"},
		{HEAD "\"extensionsRequired\": [\"KHR_texture_basisu\"]}", SNW_ERROR_UNSUPPORTED, "with PNG or JPEG pictures"},
		{HEAD "\"extensionsRequired\": [\"EXT_texture_webp\"]}", SNW_ERROR_UNSUPPORTED, "WebP pictures (EXT_texture_webp)"},
		{HEAD "\"nodes\": [{\"children\": [1]}, {\"children\": [0]}]}", SNW_ERROR_DATA, "its own ancestors"},
		{HEAD "\"nodes\": [{\"children\": [0]}]}", SNW_ERROR_DATA, "its own ancestors"},
		{HEAD "\"nodes\": [{\"children\": [2]}, {\"children\": [2]}, {}]}", SNW_ERROR_DATA, "child of nodes 0 and 1"},
		{HEAD "\"nodes\": [{\"children\": [7]}]}", SNW_ERROR_DATA, "\"children\" does not refer to a node (of 1)"},
		{HEAD "\"nodes\": [{\"mesh\": -1}]}", SNW_ERROR_DATA, "\"mesh\""},
		{HEAD "\"nodes\": [{\"mesh\": 0.5}], \"meshes\": [{}]}", SNW_ERROR_DATA, "\"mesh\""},
		{HEAD "\"nodes\": [{\"translation\": [1, 2]}]}", SNW_ERROR_DATA, "\"translation\" is not an array of 3 numbers"},
		{HEAD "\"nodes\": [{\"translation\": [1, 2, 1e999]}]}", SNW_ERROR_DATA, "\"translation\""},
		{HEAD "\"nodes\": 3}", SNW_ERROR_DATA, "\"nodes\" is not an array"},
		{HEAD "\"nodes\": [3]}", SNW_ERROR_DATA, "node 0 is not an object"},
		{HEAD "\"nodes\": [{}]}", SNW_ERROR_DATA, "no mesh in the file"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"../secret.bin\"}]}", SNW_ERROR_DATA, "folder of this file"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"/etc/passwd\"}]}", SNW_ERROR_DATA, "folder of this file"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"a/%2e%2e/%2E./b\"}]}", SNW_ERROR_DATA, "folder of this file"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"file:///etc/passwd\"}]}", SNW_ERROR_DATA, "folder of this file"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"gone.bin\"}]}", SNW_ERROR_MISSING, "gone.bin"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"data:;base64,AA==\"}]}", SNW_ERROR_DATA, "1 of 4 bytes"},
		{HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"data:;base64,$$$$\"}]}", SNW_ERROR_DATA, "not base64"},
		{HEAD "\"buffers\": [{\"byteLength\": 4}]}", SNW_ERROR_DATA, "has no bytes"},
		{HEAD "\"nodes\": [{\"mesh\": 0}], \"accessors\": [{\"count\": 4000000000, \"componentType\": 5126, \"type\": "
			  "\"VEC3\"}], \"meshes\": "
			  "[{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}]}",
		 SNW_ERROR_LIMIT, "memory"},
		{HEAD
		 "\"nodes\": [{\"mesh\": 0}], \"accessors\": [{\"count\": 3, \"componentType\": 77, \"type\": \"VEC3\"}], \"meshes\": "
		 "[{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}]}",
		 SNW_ERROR_DATA, "accessor 0"},
	};
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		import_bad(file_of_text("broken.gltf", broken[i].text), broken[i].status, broken[i].words);
	}
}

static void deep_json_is_refused(void **state) {
	(void)state;
	char *text = malloc(200001);
	assert_non_null(text);
	memset(text, '[', 200000);
	text[200000] = '\0';
	import_bad(file_of_text("deep.gltf", text), SNW_ERROR_DATA, "invalid JSON");
	free(text);
}

/* Many nodes, one below the other or each with the one mesh: as many as a scene may have, and one more. */
static void large_trees_are_read_or_refused_in_little_time(void **state) {
	(void)state;
	static const struct {
		int count;
		bool instances;
		const char *refusal;
	} trees[] = {
		{65536, false, NULL},
		{65537, false, "the skeleton has 65537 joints, more than the 65536 it may have"},
		{16384, true, NULL},
		{16385, true, "the scene has 16385 meshes, more than the 16384 it may have"},
	};
	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
		const char *path = check_scratch("tree.gltf");
		FILE *stream = fopen(path, "wb");
		assert_non_null(stream);
		fputs(HEAD "\"buffers\": [{\"byteLength\": 36, \"uri\": "
				   "\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}], "
				   "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}], "
				   "\"accessors\": [{\"bufferView\": 0, \"count\": 3, \"componentType\": 5126, \"type\": \"VEC3\"}], "
				   "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}], \"nodes\": [{\"mesh\": 0}",
			  stream);
		for (int n = 1; n < trees[i].count; n++) {
			fprintf(stream, trees[i].instances ? ", {\"mesh\": 0}" : ", {\"children\": [%d]}", n - 1);
		}
		fputs("]}", stream);
		fclose(stream);
		snw_scene *scene = NULL;
		snw_error error;
		const snw_status status = import(path, &scene, &error);
		unlink(path);
		if (trees[i].refusal) {
			assert_int_equal(status, SNW_ERROR_LIMIT);
			assert_non_null(strstr(error.text, trees[i].refusal));
			continue;
		}
		assert_int_equal(status, SNW_OK);
		assert_int_equal(scene->skeleton.joint_count, trees[i].count);
		assert_int_equal(scene->mesh_count, trees[i].instances ? trees[i].count : 1);
		snw_scene_destroy(scene);
	}
}

static void indices_out_of_range_are_refused(void **state) {
	(void)state;
	build b = {0};
	char rest[500];
	const int position = build_floats(&b, square, 3, 4), index = build_shorts(&b, (const uint16_t[]){0, 1, 9}, 1, 3);
	snprintf(
		rest, sizeof rest,
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"indices\": %d, \"attributes\": {\"POSITION\": %d}}]}]",
		index, position);
	import_bad(build_write(&b, "range.gltf", rest), SNW_ERROR_DATA, "vertex 9 of 4");
}

static void numbers_that_are_none_are_refused(void **state) {
	(void)state;
	build b = {0};
	float points[12];
	memcpy(points, square, sizeof points);
	points[7] = nanf("");
	char rest[500];
	const int position = build_floats(&b, points, 3, 4);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": %d}}]}]",
			 position);
	import_bad(build_write(&b, "nan.gltf", rest), SNW_ERROR_DATA, "element 2 is not a finite number");
}

static void links_out_of_the_folder_are_refused(void **state) {
	(void)state;
	const char *link = check_scratch("link.bin");
	assert_int_equal(symlink("/etc/passwd", link), 0);
	import_bad(file_of_text("link.gltf", HEAD "\"buffers\": [{\"byteLength\": 4, \"uri\": \"link.bin\"}]}"), SNW_ERROR_DATA,
			   "is outside the folder");
	unlink(link);
}

static void missing_pictures_cost_only_themselves(void **state) {
	(void)state;
	build b = {0};
	char rest[900];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(
		rest, sizeof rest,
		"\"images\": [{\"uri\": \"gone.png\"}, {\"uri\": \"data:image/png;base64,iVBORw0KGgoA\"}], \"textures\": [{\"source\": "
		"0}, {\"source\": 1}], "
		"\"materials\": [{\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0}}, \"normalTexture\": {\"index\": "
		"1}, \"emissiveTexture\": {\"index\": 1}}], \"nodes\": "
		"[{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"material\": 0, \"attributes\": {\"POSITION\": %d}}]}]",
		position);
	snw_scene *scene = import_good(build_write(&b, "pictures.gltf", rest));
	assert_int_equal(scene->image_count, 1);
	assert_int_equal(scene->materials[0].base_color_image, SNW_NONE);
	assert_int_equal(scene->materials[0].normal_image, 0);
	assert_int_equal(scene->materials[0].emissive_image, 0);
	assert_non_null(strstr(notices, "gone.png"));
	snw_scene_destroy(scene);
}

static bool stop_at_once(void *context, double fraction, const char *activity) {
	(void)context;
	(void)activity;
	return fraction <= 0;
}

static void cancelled_imports_leave_nothing(void **state) {
	(void)state;
	build b = {0};
	char rest[500];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 6, \"attributes\": {\"POSITION\": %d}}]}]",
			 position);
	const char *path = build_write(&b, "cancel.gltf", rest);
	const snw_import_request request = {.file = path};
	const snw_task task = {.progress = stop_at_once};
	snw_scene *scene = NULL;
	snw_error error = {0};
	assert_int_equal(snw_import(&request, &task, &scene, &error), SNW_CANCELLED);
	assert_null(scene);
	unlink(path);
}

TEST_GROUP(gltf_features) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strips_and_fans_become_triangles_that_face_one_way),
		cmocka_unit_test(primitives_of_a_mesh_become_faces_with_their_own_materials),
		cmocka_unit_test(sockets_are_joints_and_what_has_no_place_is_named),
		cmocka_unit_test(extensions_of_looks_are_read_as_far_as_they_are_shown),
		cmocka_unit_test(textures_lie_where_the_file_has_them),
		cmocka_unit_test(lights_are_kept_where_they_are),
		cmocka_unit_test(sparse_and_normalised_accessors_are_read),
		cmocka_unit_test(buffers_beside_the_file_are_found),
		cmocka_unit_test(weights_are_merged_and_normalised_with_one_notice),
		cmocka_unit_test(names_with_control_characters_are_cleaned_with_a_notice),
		cmocka_unit_test(skins_and_rigid_instances_share_slots_and_a_rest),
		cmocka_unit_test(meshes_scaled_to_zero_rest_in_their_local_space),
		cmocka_unit_test(mirrored_nodes_keep_faces_outside_out),
		cmocka_unit_test(points_are_merged_only_where_corners_differ),
		cmocka_unit_test(full_turns_are_unwound),
		cmocka_unit_test(weights_become_a_track_for_each_channel),
		cmocka_unit_test(keys_that_do_not_rise_are_left_out_with_a_notice),
		cmocka_unit_test(levels_of_a_node_are_levels_of_its_mesh),
		cmocka_unit_test(strange_lists_of_levels_are_read_as_far_as_they_make_sense),
		cmocka_unit_test(broken_documents_are_refused_with_a_line),
		cmocka_unit_test(deep_json_is_refused),
		cmocka_unit_test(large_trees_are_read_or_refused_in_little_time),
		cmocka_unit_test(indices_out_of_range_are_refused),
		cmocka_unit_test(numbers_that_are_none_are_refused),
		cmocka_unit_test(links_out_of_the_folder_are_refused),
		cmocka_unit_test(missing_pictures_cost_only_themselves),
		cmocka_unit_test(cancelled_imports_leave_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
