/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tangents: read, kept, and written again, with the change that each morph target makes of them.
 */
#include "fixture.h"
#include "import/gltf_build.h"
#include "import/import.h"

static fixture import_file(const char *path) {
	fixture f = {.registry = kept_registry()};
	snw_error error = {0};
	const snw_import_request request = {.file = path};
	check_ok(snw_import(&request, NULL, &f.scene, &error), error);
	build_stack(&f);
	return f;
}

static const cJSON *primitive_of(const player *p, int mesh, int index) {
	return cJSON_GetArrayItem(cJSON_GetObjectItem(player_list(p, "meshes", mesh), "primitives"), index);
}

/* The values of an attribute, of a target if `target` is not negative; NULL without it. To be freed. */
static double *attribute(const player *p, const cJSON *primitive, int target, const char *name, int *count) {
	const cJSON *from = target < 0 ? cJSON_GetObjectItem(primitive, "attributes")
								   : cJSON_GetArrayItem(cJSON_GetObjectItem(primitive, "targets"), target);
	const cJSON *accessor = cJSON_GetObjectItem(from, name);
	return accessor ? player_values(p, accessor->valueint, count) : NULL;
}

/* ---- a file from elsewhere ----------------------------------------------------------------------------------------------- */

static void check_same(const player *before, const player *after, int target, const char *name, double tolerance) {
	int count, count_after;
	double *a = attribute(before, primitive_of(before, 0, 0), target, name, &count);
	double *b = attribute(after, primitive_of(after, 0, 0), target, name, &count_after);
	const int width = target < 0 ? 4 : 3;
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(count, count_after);
	for (int i = 0; i < width * count; i++) {
		check_near(a[i], b[i], tolerance);
	}
	free(a);
	free(b);
}

static void tangents_of_a_file_survive_a_round_trip(void **state) {
	(void)state;
	const char *path = check_data("characters/AnimatedMorphCube.glb");
	fixture f = import_file(path), again;
	snw_error error = {0};
	const snw_mesh *mesh = &f.scene->meshes[0];
	assert_non_null(mesh->corner_tangents);
	check_ok(export_to(&f, place("tangents-cube.glb"), 4, NULL, &error), error);
	again = import_file(f.path);
	for (uint32_t i = 0; i < 4 * mesh->face_offsets[mesh->face_count]; i++) {
		check_near((double)again.scene->meshes[0].corner_tangents[i], (double)mesh->corner_tangents[i], 0);
	}
	player *before = player_open(path), *after = player_open(f.path);
	check_same(before, after, -1, "TANGENT", 1e-6);
	player_close(before);
	player_close(after);
	end(&again);
	end(&f);
}

/* ---- a file made here ---------------------------------------------------------------------------------------------------- */

/* Two squares of one mesh on a node with this scale: the first has tangents along x, and a target that rotates it by a quarter
 * about z; the second, beside it, has none. */
static const char *make_squares(const char *name, const char *scale) {
	static const float points[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}, beside[] = {3, -1, 0, 5, -1, 0, 5, 1, 0, 3, 1, 0};
	static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
	static const float tangents[] = {1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1};
	static const float changes[] = {2, 0, 0, 0, 2, 0, -2, 0, 0, 0, -2, 0}, nothing[12] = {0};
	build b = {0};
	char rest[1200];
	const int one = build_floats(&b, points, 3, 4), other = build_floats(&b, beside, 3, 4);
	const int normal = build_floats(&b, normals, 3, 4), tangent = build_floats(&b, tangents, 4, 4);
	const int changed = build_floats(&b, changes, 3, 4), none = build_floats(&b, nothing, 3, 4);
	const int indices = build_shorts(&b, (const uint16_t[]){0, 1, 2, 0, 2, 3}, 1, 6);
	snprintf(rest, sizeof rest,
			 "\"nodes\": [{\"mesh\": 0, \"scale\": %s}], \"scenes\": [{\"nodes\": [0]}], \"materials\": [{}, {}], \"meshes\": "
			 "[{\"primitives\": [{\"material\": 0, \"indices\": %d, \"attributes\": {\"POSITION\": %d, \"NORMAL\": %d, "
			 "\"TANGENT\": %d}, \"targets\": [{\"POSITION\": %d}]}, {\"material\": 1, \"indices\": %d, \"attributes\": "
			 "{\"POSITION\": %d, \"NORMAL\": %d}, \"targets\": [{\"POSITION\": %d}]}]}]",
			 scale, indices, one, normal, tangent, changed, indices, other, normal, none);
	return build_write(&b, name, rest);
}

static void target_turns_tangents_with_the_faces(void **state) {
	(void)state;
	fixture f = import_file(make_squares("tangents-turned.gltf", "[1, 1, 1]"));
	snw_error error = {0};
	int count;
	check_ok(export_to(&f, place("tangents-turned.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	double *rest = attribute(p, primitive_of(p, 0, 0), -1, "TANGENT", &count);
	double *change = attribute(p, primitive_of(p, 0, 0), 0, "TANGENT", &count);
	assert_non_null(rest);
	assert_non_null(change);
	assert_int_equal(count, 8);
	for (int v = 0; v < 4; v++) {
		const double expected_rest[] = {1, 0, 0, -1}, expected_change[] = {-1, 1, 0};
		for (int c = 0; c < 4; c++) {
			check_near(rest[4 * v + c], expected_rest[c], 1e-6);
			check_near(c < 3 ? change[3 * v + c] : 0, c < 3 ? expected_change[c] : 0, 1e-6);
		}
	}
	free(rest);
	free(change);
	player_close(p);
	end(&f);
}

static void part_without_tangents_has_none_in_the_file(void **state) {
	(void)state;
	fixture f = import_file(make_squares("tangents-some.gltf", "[1, 1, 1]"));
	snw_error error = {0};
	int count;
	assert_true(f.scene->meshes[0].corner_tangents[3] == -1);
	assert_true(f.scene->meshes[0].corner_tangents[4 * 6 + 3] == 0);
	check_ok(export_to(&f, place("tangents-some.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	assert_null(attribute(p, primitive_of(p, 0, 1), -1, "TANGENT", &count));
	assert_null(attribute(p, primitive_of(p, 0, 1), 0, "TANGENT", &count));
	player_close(p);
	end(&f);
}

static void mirrored_mesh_has_the_other_sign(void **state) {
	(void)state;
	fixture f = import_file(make_squares("tangents-mirrored.gltf", "[-1, 1, 1]"));
	const float *tangent = f.scene->meshes[0].corner_tangents;
	assert_true(tangent[0] == -1 && tangent[3] == 1);
	end(&f);
}

TEST_GROUP(tangents) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tangents_of_a_file_survive_a_round_trip),
		cmocka_unit_test(target_turns_tangents_with_the_faces),
		cmocka_unit_test(part_without_tangents_has_none_in_the_file),
		cmocka_unit_test(mirrored_mesh_has_the_other_sign),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
