/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX documents: what is truncated, lies or goes round in circles is refused with one line, in a time that grows with the file;
 * older versions are refused with what to do.
 */
#include "check.h"

#include "fbx_binary.h"
#include "files.h"
#include "import/common/reading.h"
#include "import/import.h"

static snw_status import_bytes(const void *bytes, size_t count, snw_error *error) {
	const char *path = check_scratch("document.fbx");
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	fwrite(bytes, 1, count, stream);
	fclose(stream);
	const snw_import_request request = {.file = path};
	snw_scene *scene = NULL;
	*error = (snw_error){0};
	const snw_status status = snw_import(&request, NULL, &scene, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(scene);
	}
	return status;
}

/* Refused with one line that has the words. */
static void check_refused(const void *bytes, size_t count, const char *words) {
	snw_error error;
	if (!snw_failed(import_bytes(bytes, count, &error)) || !strstr(error.text, words) || strchr(error.text, '\n')) {
		fail_msg("'%s' has no '%s'", error.text, words);
	}
}

static void check_text(const char *text, const char *words) {
	check_refused(text, strlen(text), words);
}

#define HEAD "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
#define MESH                                                                                                                   \
	"Model: 1, \"Model::a\", \"Mesh\" {\n}\nGeometry: 2, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: "                      \
	"0,0,0,1,0,0,0,1,0\n}\n"                                                                                                   \
	"PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n"

static void text_that_is_damaged_is_refused(void **state) {
	(void)state;
	snw_error error;
	const char *whole = HEAD "Objects: {\n" MESH "}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\n}\n";
	check_ok(import_bytes(whole, strlen(whole), &error), error);
	check_text("no file of this kind", "not FBX");
	check_text(HEAD "Objects: {\n" MESH, "a node without an end");
	check_text(HEAD "Objects: {\nGeometry: 2, \"Geometry::", "a text without an end");
	check_text(HEAD "Objects: {\n" MESH MESH "}\n", "two objects have the id 1");
	check_text(HEAD "Objects: {\nModel: 1, \"Model::a\", \"Null\" {\n}\nModel: 2, \"Model::b\", \"Null\" {\n}\n}\n"
					"Connections: {\nC: \"OO\",1,2\nC: \"OO\",2,1\n}\n",
			   "among its own ancestors");
	check_text(HEAD "Objects: {\n}\n", "no mesh");
	check_text(HEAD "Objects: {\nGeometry: 2, \"\", \"Mesh\" {\nVertices: *4000000000 {\na: 0,0,0\n}\n}\n}\n", "more elements");
	check_text(HEAD
			   "Objects: {\n"
			   "Model: 1, \"Model::a\", \"Mesh\" {\n}\nGeometry: 2, \"\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
			   "PolygonVertexIndex: *3 {\na: 0,1,-7\n}\n}\n}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\n}\n",
			   "refers to point 6");
	char deep[4000] = HEAD;
	for (int i = 0; i < 100; i++) {
		strcat(deep, "A: {\n");
	}
	check_text(deep, "nested too deeply");
}

static void older_versions_are_refused_with_what_to_do(void **state) {
	(void)state;
	unsigned char binary[200] = "Kaydara FBX Binary  \0\x1a";
	binary[23] = 6100 & 0xff;
	binary[24] = 6100 >> 8;
	check_refused(binary, sizeof binary, "is FBX 6.1; only version 7 is read");
	check_text("; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\n", "is FBX 6.1; only version 7 is read");
	check_text("; FBX\nFBXHeaderExtension: {\n}\n", "no FBX version");
	binary[22] = 1;
	check_refused(binary, sizeof binary, "big-endian");
}

/* At every 16th byte of the file, or every 64th. */
static void truncated_binary_files_are_refused(void **state) {
	(void)state;
	const char *path = check_scratch("whole.fbx");
	for (int i = 0; i < 2; i++) {
		size_t count;
		fbx_binary_write(check_data("fbx/ignored-rotations.fbx"), path, i ? 7500 : 7400, i == 0);
		unsigned char *bytes = file_bytes(path, &count);
		for (size_t n = 1; n < count - 176; n += i ? 64 : 16) { /* but in the footer, whose bytes nobody reads */
			snw_error error;
			if (!snw_failed(import_bytes(bytes, n, &error)) || strchr(error.text, '\n') || !error.text[0]) {
				fail_msg("%zu of %zu bytes: '%s'", n, count, error.text);
			}
		}
		free(bytes);
	}
}

/* The first array of the file, of vertices, says that it has a thousand times as many numbers. */
static void arrays_that_lie_are_refused(void **state) {
	(void)state;
	const char *path = check_scratch("whole.fbx");
	for (int deflates = 0; deflates < 2; deflates++) {
		size_t count;
		fbx_binary_write(check_data("fbx/ignored-rotations.fbx"), path, 7400, deflates);
		unsigned char *bytes = file_bytes(path, &count);
		unsigned char *array = memmem(bytes, count, "Verticesd", 9);
		assert_non_null(array);
		const uint32_t numbers[] = {36000, 37, 0xffffffff};
		for (int i = 0; i < 3; i++) {
			memcpy(array + 9, &numbers[i], 4);
			check_refused(bytes, count,
						  !deflates          ? "longer than its node"
						  : numbers[i] == 37 ? "fewer elements"
											 : "more elements than its bytes can hold");
		}
		const uint32_t packed = 0xfffffff0, least = 1;
		memcpy(array + 9 + 8, deflates ? &packed : &least, 4);
		check_refused(bytes, count, "");
		free(bytes);
	}
}

/* A mesh with very many connections, to one model that has as many. */
static void many_connections_take_no_longer(void **state) {
	(void)state;
	const char *const rounds = getenv("SINEW_TEST_ROUNDS");
	const int count = rounds ? 1000000 : 50000;
	const char *path = check_scratch("many.fbx");
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fprintf(stream, HEAD "Objects: {\n" MESH "}\nConnections: {\nC: \"OO\",1,0\n");
	for (int i = 0; i < count; i++) {
		fprintf(stream, "C: \"OO\",2,1\n");
	}
	fprintf(stream, "}\n");
	fclose(stream);
	const snw_import_request request = {.file = path};
	snw_scene *scene = NULL;
	snw_error error = {0};
	alarm(60); /* it takes a second; in the square of the number, hours */
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	alarm(0);
	assert_int_equal(scene->mesh_count, 1);
	snw_scene_destroy(scene);
}

/* A class before the name in text, after it in binary; namespaces, other scripts and quotation marks stay. */
static void names_are_those_of_the_artist(void **state) {
	(void)state;
	const char *text = HEAD "Objects: {\n"
							"Model: 1, \"Model::hero:Кость &quot;1&quot;\", \"Mesh\" {\n}\n"
							"Geometry: 2, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
							"PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\n}\n";
	const char *path = check_scratch("names.fbx");
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
	char binary[1100];
	snprintf(binary, sizeof binary, "%s", check_scratch("names-binary.fbx"));
	fbx_binary_write(path, binary, 7400, false);
	for (int i = 0; i < 2; i++) {
		const snw_import_request request = {.file = i ? binary : path};
		snw_scene *scene = NULL;
		snw_error error = {0};
		check_ok(snw_import(&request, NULL, &scene, &error), error);
		/* Only text files write quotation marks so. */
		assert_string_equal(scene->meshes[0].name, i ? "hero:Кость &quot;1&quot;" : "hero:Кость \"1\"");
		assert_string_equal(scene->skeleton.names[0], scene->meshes[0].name);
		snw_scene_destroy(scene);
	}
}

static char notices[4000];

static void keep_notice(void *context, snw_log_level level, const char *line) {
	(void)context, (void)level;
	snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", line);
}

/* A shape without a channel, a curve without keys of a property that nobody knows; then joints far away from their mesh. */
static void what_does_not_arrive_gets_a_notice(void **state) {
	(void)state;
	const char *text =
		HEAD "Objects: {\n" MESH "Deformer: 3, \"Deformer::\", \"Skin\" {\n}\nGeometry: 5, \"Geometry::s\", \"Shape\" {\n}\n"
			 "AnimationStack: 6, \"AnimStack::a\", \"\" {\n}\nAnimationLayer: 7, \"AnimLayer::b\", \"\" {\n}\n"
			 "AnimationCurveNode: 8, \"AnimCurveNode::T\", \"\" {\n}\nAnimationCurve: 9, \"AnimCurve::\", \"\" {\n}\n}\n"
			 "Connections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",7,6\nC: \"OO\",8,7\n"
			 "C: \"OP\",9,8, \"d|X\"\nC: \"OP\",8,1, \"Size\"\n}\n";
	const char *path = check_scratch("lost.fbx");
	file_write(path, text, strlen(text));
	const snw_import_request request = {.file = path};
	const snw_task task = {.notice = keep_notice};
	snw_scene *scene = NULL;
	snw_error error = {0};
	notices[0] = '\0';
	check_ok(snw_import(&request, &task, &scene, &error), error);
	assert_non_null(strstr(notices, "the file has morph targets (1), but none arrived"));
	assert_non_null(strstr(notices, "the file has clips (1), but none arrived"));
	assert_null(strstr(notices, "rests far"));
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)scene->meshes;
	double *points = snw_arena_copy(scene->arena, mesh->points_rest, 9 * sizeof *points);
	const uint32_t slots[] = {0, 0, 1};
	for (int i = 0; i < 9; i++) {
		points[i] += 100;
	}
	mesh->points_rest = points;
	mesh->influence_slots = slots;
	scene->slot_joints = snw_arena_copy(scene->arena, (const uint32_t[]){0, 0}, 2 * sizeof(uint32_t));
	snw_check_rest_places(scene, &task);
	assert_non_null(strstr(notices, "rests far from the joints"));
	snw_scene_destroy(scene);
}

/* Files that play right. */
static void check_after_an_import_is_silent(void **state) {
	(void)state;
	static const char *const files[] = {"fbx/shapes.fbx",        "fbx/skin-bind.fbx",  "fbx/inches-z-up.fbx",
										"fbx/segment-scale.fbx", "small/tentacle.glb", "small/pair.glb",
										"small/leaf.gltf"};
	const snw_task task = {.notice = keep_notice};
	notices[0] = '\0';
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const snw_import_request request = {.file = check_data(files[i])};
		snw_scene *scene = NULL;
		snw_error error = {0};
		check_ok(snw_import(&request, &task, &scene, &error), error);
		snw_scene_destroy(scene);
	}
	assert_null(strstr(notices, "none arrived"));
	assert_null(strstr(notices, "rests far"));
}

TEST_GROUP(fbx_document) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_that_is_damaged_is_refused),    cmocka_unit_test(older_versions_are_refused_with_what_to_do),
		cmocka_unit_test(truncated_binary_files_are_refused), cmocka_unit_test(arrays_that_lie_are_refused),
		cmocka_unit_test(many_connections_take_no_longer),    cmocka_unit_test(names_are_those_of_the_artist),
		cmocka_unit_test(what_does_not_arrive_gets_a_notice), cmocka_unit_test(check_after_an_import_is_silent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
