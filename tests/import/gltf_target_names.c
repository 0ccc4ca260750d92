/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where exporters keep the names of morph targets.
 */
#include "gltf_build.h"

#include "gltf_play.h"

static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

/* Imports a mesh of two targets and checks the names of their channels. JSON of the mesh, of its primitive and of the first
 * target. */
static void check_names(const char *mesh, const char *primitive, const char *target, const char *first, const char *second) {
	build b = {0};
	char rest[1000];
	const int position = build_floats(&b, square, 3, 4);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{%s\"primitives\": [{%s\"mode\": 6, \"attributes\": {\"POSITION\": %d}, "
			 "\"targets\": [{%s\"POSITION\": %d}, {\"POSITION\": %d}]}]}]",
			 mesh, primitive, position, target, position, position);
	const char *path = build_write(&b, "names.gltf", rest);
	snw_scene *scene = play_import(path, false);
	unlink(path);
	assert_int_equal(scene->channel_count, 2);
	assert_string_equal(scene->channels[0].name, first);
	assert_string_equal(scene->channels[1].name, second);
	snw_scene_destroy(scene);
}

#define EXTRAS(names) "\"extras\": {\"targetNames\": [" names "]}, "

static void names_of_targets_are_found_where_exporters_keep_them(void **state) {
	(void)state;
	check_names(EXTRAS("\"smile\", \"frown\""), "", "", "smile", "frown");
	check_names("", EXTRAS("\"smile\", \"frown\""), "", "smile", "frown");
	check_names("", "", "\"extra\": {\"name\": \"smile\"}, ", "smile", "morph-1");
	check_names("", "", "", "morph-0", "morph-1");
}

static void names_in_the_usual_place_come_first(void **state) {
	(void)state;
	check_names(EXTRAS("\"smile\""), EXTRAS("\"grin\", \"frown\""), "\"extra\": {\"name\": \"laugh\"}, ", "smile", "frown");
}

static void damaged_names_are_passed_over(void **state) {
	(void)state;
	check_names(EXTRAS("7, null, \"third\""), EXTRAS("\"smile\""), "\"extra\": 3, ", "smile", "morph-1");
	check_names("\"extras\": \"text\", ", "\"extras\": {\"targetNames\": {}}, ", "\"extra\": {\"name\": []}, ", "morph-0",
				"morph-1");
}

/* A mesh of points is left out, and so has no targets that could have names, however many the file lists. */
static void targets_of_a_mesh_of_points_are_passed_over(void **state) {
	(void)state;
	enum { TARGETS = 400000 };
	static const char head[] = "\"nodes\": [{\"mesh\": 0}, {\"mesh\": 1}], \"meshes\": [{\"primitives\": [{\"mode\": 4, "
							   "\"attributes\": {\"POSITION\": 0}}]}, {\"primitives\": [{\"mode\": 0, \"attributes\": "
							   "{\"POSITION\": 0}, \"targets\": [{}";
	static const char tail[] = "]}]}]";
	build b = {0};
	build_floats(&b, square, 3, 3);
	char *rest = malloc(sizeof head + 3 * TARGETS + sizeof tail), *at = stpcpy(rest, head);
	for (int i = 0; i < TARGETS; i++) {
		at = stpcpy(at, ",{}");
	}
	strcpy(at, tail);
	const char *path = build_write(&b, "points.gltf", rest);
	free(rest);
	snw_scene *scene = play_import(path, false);
	unlink(path);
	assert_int_equal(scene->mesh_count, 1);
	assert_int_equal(scene->channel_count, 0);
	snw_scene_destroy(scene);
}

TEST_GROUP(gltf_target_names) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_targets_are_found_where_exporters_keep_them),
		cmocka_unit_test(names_in_the_usual_place_come_first),
		cmocka_unit_test(damaged_names_are_passed_over),
		cmocka_unit_test(targets_of_a_mesh_of_points_are_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
