/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading .obj: what is kept, what is refused, and the line in the message.
 */
#include "check.h"

#include "files.h"

#include "export/export.h"
#include "import/import.h"
#include "random.h"

static void read_text(const char *text, snw_arena *arena, snw_obj *obj) {
	snw_error error = {0};
	check_ok(snw_obj_read(file_of_text("mesh.obj", text), arena, obj, &error), error);
}

/* The text is refused with a line that holds `expected`. */
static void check_refused(const char *text, const char *expected) {
	snw_arena *arena = snw_arena_create();
	snw_obj obj;
	snw_error error = {0};
	assert_int_equal(snw_obj_read(file_of_text("bad.obj", text), arena, &obj, &error), SNW_ERROR_DATA);
	if (!strstr(error.text, expected)) {
		fail_msg("'%s' does not say '%s'", error.text, expected);
	}
	assert_null(strchr(error.text, '\n'));
	snw_arena_destroy(arena);
}

static void byte_order_mark_is_left_out(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_obj obj;
	read_text("\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", arena, &obj);
	assert_int_equal(obj.mesh.point_count, 3);
	snw_arena_destroy(arena);
}

static void obj_with_polygons_keeps_order_and_corners(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_obj obj;
	read_text("# a comment \\\nmtllib none.mtl\no box\nv 0 0 0 1 0 0\nv 1e-5 -1.5E+2 .25 # here\r\nv 1. 1 0\rv 0 1 0\nv 9 9 9\n"
			  "vt 0.25 0.75\nvt 1 0 0\nvn 0 0 2\nusemtl red \nf 1/1/1 2/2/1 \\\n 3/1/1 4/2/1\ng other\nusemtl blue paint\n"
			  "f -5 -4 -3\nusemtl red\nf 1//1 2//1 3//1 4//1 5//1\nl 1 2\nf 2/2 3/1 4/2",
			  arena, &obj);
	const snw_mesh *m = &obj.mesh;
	assert_string_equal(m->name, "box");
	assert_int_equal(m->point_count, 5);
	assert_true(m->points_rest[3] == 1e-5 && m->points_rest[4] == -150 && m->points_rest[5] == 0.25);
	assert_int_equal(m->face_count, 4);
	const uint32_t offsets[] = {0, 4, 7, 12, 15}, points[] = {0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 1, 2, 3};
	assert_memory_equal(m->face_offsets, offsets, sizeof offsets);
	assert_memory_equal(m->face_points, points, sizeof points);
	const uint32_t materials[] = {0, 1, 0, 0};
	assert_memory_equal(m->face_materials, materials, sizeof materials);
	assert_int_equal(obj.material_count, 2);
	assert_string_equal(obj.material_names[0], "red");
	assert_string_equal(obj.material_names[1], "blue paint");
	assert_true(m->corner_uvs[0] == 0.25F && m->corner_uvs[1] == 0.25F); /* v points down inside */
	assert_true(m->corner_uvs[2] == 1 && m->corner_uvs[3] == 1);
	assert_true(m->corner_normals[2] == 1);
	for (size_t c = 0; c < 15; c++) { /* a corner without a normal gets its face's */
		const float *n = m->corner_normals + 3 * c;
		check_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
	}
	snw_arena_destroy(arena);
}

static void obj_malformed_is_refused_with_its_line(void **state) {
	(void)state;
	const char *three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
	char text[200];
	const struct {
		const char *tail, *expected;
	} cases[] = {
		{"f 1 2 4\n", ":4: the face refers to point 4"},
		{"\n\nf 1 2 -4\n", ":6: '-4' does not refer to"},
		{"f 1 2 0\n", ":4: '0' does not refer to"},
		{"f 1 2\n", ":4: a face needs at least three"},
		{"f 1/1 2/1 3/1\n", ":4: the face refers to UV 1"},
		{"f 1//1 2//1 3//1\n", ":4: the face refers to normal 1"},
		{"f 1 2 3x\n", "'3x' does not refer to"},
		{"f 1/2/3/4 2 3\n", "does not refer to"},
		{"f 1 2 99999999999999999999\n", "does not refer to"},
		{"v 1 nan 0\nf 1 2 3\n", ":4: a point needs three finite"},
		{"v 1 inf 0\n", ":4: a point"},
		{"v 1 1e999 0\n", ":4: a point"},
		{"v 1 0x10 0\n", ":4: a point"},
		{"v 1 1,5 0\n", ":4: a point"},
		{"v 1 2\n", ":4: a point"},
		{"v 1 2e 3\n", ":4: a point"},
		{"v \\\n 1 \\\n 2\n", ":6: a point"},
		{"vt x\n", ":4: a UV"},
		{"vn 0 1\n", ":4: a normal"},
		{"", "3 points but no faces"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "%s%s", three, cases[i].tail);
		check_refused(text, cases[i].expected);
	}
	check_refused("", "no faces");
}

/* A file of it would be refused where equal points are merged. */
static void obj_whose_triangles_all_vanish_is_refused(void **state) {
	(void)state;
	static const char *const faces[] = {"f 1 1 2", "f 1 2 3", "f 1 4 2 2 4"};
	const char *path = check_scratch("flat.obj");
	for (size_t i = 0; i < 2 * sizeof faces / sizeof *faces; i++) {
		const snw_import_request request = {.file = path, .keep_points = i % 2};
		snw_scene *scene = NULL;
		snw_error error = {0};
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		fprintf(file, "v 0 0 0\nv 1 0 0\nv 1 1e-60 0\nv 0 1 0\n%s\n", faces[i / 2]);
		fclose(file);
		assert_int_equal(snw_import(&request, NULL, &scene, &error), SNW_ERROR_DATA);
		assert_non_null(strstr(error.text, "no mesh has faces with an area"));
	}
	unlink(path);
}

static void obj_numbers_are_read_as_strtod_reads_them(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	uint64_t random = random_seed();
	char *text = snw_arena_acquire(arena, 200000);
	char numbers[3000][40];
	size_t length = 0;
	for (int i = 0; i < 3000; i++) {
		const uint64_t drawn = random_next(&random);
		const double mantissa = (double)(int64_t)drawn / 9.3e18;
		snprintf(numbers[i], sizeof numbers[i], i % 3 ? "%.*g" : "%.*f", (int)(drawn >> 40) % 22,
				 mantissa * pow(10, (int)(drawn >> 33) % (i % 3 ? 40 : 8)));
		length += (size_t)sprintf(text + length, "%s%s%s", i % 3 ? " " : "v ", numbers[i], i % 3 == 2 ? "\n" : "");
	}
	sprintf(text + length, "f 1 2 3\n");
	snw_obj obj;
	read_text(text, arena, &obj);
	for (int i = 0; i < 3000; i++) {
		assert_true(obj.mesh.points_rest[i] == strtod(numbers[i], NULL));
	}
	snw_arena_destroy(arena);
}

static void obj_in_a_comma_locale_is_read_alike(void **state) {
	(void)state;
	check_comma_locale();
	snw_arena *arena = snw_arena_create();
	snw_obj obj, again;
	snw_error error = {0};
	read_text("v 0.5 1234567890.12345678901234567890 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", arena, &obj);
	assert_true(obj.mesh.points_rest[0] == 0.5 && obj.mesh.points_rest[1] == 0x1.26580b487e6b7p+30);
	const char *path = check_scratch("out.obj");
	check_ok(snw_export_obj(path, &obj.mesh, NULL, &error), error);
	check_ok(snw_obj_read(path, arena, &again, &error), error);
	assert_true(again.mesh.points_rest[0] == 0.5);
	setlocale(LC_NUMERIC, "C");
	snw_arena_destroy(arena);
}

static void obj_with_mtl_brings_colours_and_textures(void **state) {
	(void)state;
	static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3};
	FILE *file = fopen(check_scratch("skin.png"), "wb");
	fwrite(png, 1, sizeof png, file);
	fclose(file);
	file_of_text("looks.mtl",
				 "newmtl a\nKd 0.1 0.2 0.3\nPm 1\nPr 0.25\nd 0.5\nnewmtl b\nKd 0 0 0\nmap_Kd -bm 1.5 C:\\old\\skin.png\n"
				 "norm skin.png\nmap_Ke skin.png\nnewmtl unused\nKd 1 1 1\nnewmtl c\nmap_Kd gone.png\nNs 250\n");
	const char *path = file_of_text("looks.obj", "mtllib looks.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\n"
												 "f 1 2 3\nusemtl c\nf 1 2 3\n");
	snw_scene *scene = snw_scene_create();
	const snw_import_request request = {.file = path};
	snw_error error = {0};
	check_ok(snw_import_obj.read(path, &request, NULL, scene, &error), error);
	check_ok(snw_scene_check(scene, &error), error);
	assert_int_equal(scene->material_count, 3);
	assert_int_equal(scene->image_count, 1);
	const snw_material *m = scene->materials;
	assert_true(m[0].base_color[1] == 0.2 && m[0].base_color[3] == 0.5 && m[0].metallic == 1 && m[0].roughness == 0.25);
	assert_int_equal(m[1].base_color_image, 0);
	assert_int_equal(m[1].normal_image, 0);
	assert_true(m[1].emissive_image == 0 && m[1].emissive[0] == 1);
	assert_true(m[1].base_color[0] == 1);
	assert_int_equal(m[2].base_color_image, SNW_NONE);
	check_near(m[2].roughness, 0.5, 1e-12);
	assert_string_equal(scene->images[0].media, "image/png");
	assert_int_equal(scene->images[0].byte_count, sizeof png);
	snw_scene_destroy(scene);
}

/* Through the writer and back: the same floats, faces and corners. */
static void check_round_trip(const char *path) {
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh, again;
	snw_error error = {0};
	check_ok(snw_import_obj_mesh(path, arena, &mesh, &error), error);
	const char *out = check_scratch("again.obj");
	check_ok(snw_export_obj(out, &mesh, NULL, &error), error);
	check_ok(snw_import_obj_mesh(out, arena, &again, &error), error);
	const size_t corners = mesh.face_offsets[mesh.face_count];
	assert_int_equal(again.point_count, mesh.point_count);
	assert_int_equal(again.face_count, mesh.face_count);
	assert_memory_equal(again.face_offsets, mesh.face_offsets, (mesh.face_count + 1) * sizeof(uint32_t));
	assert_memory_equal(again.face_points, mesh.face_points, corners * sizeof(uint32_t));
	for (size_t i = 0; i < 3 * (size_t)mesh.point_count; i++) {
		assert_true((float)again.points_rest[i] == (float)mesh.points_rest[i]);
	}
	assert_int_equal(!again.corner_uvs, !mesh.corner_uvs);
	assert_int_equal(!again.corner_normals, !mesh.corner_normals);
	for (size_t i = 0; mesh.corner_uvs && i < 2 * corners; i++) {
		check_near(again.corner_uvs[i], mesh.corner_uvs[i], 1e-7);
	}
	for (size_t i = 0; mesh.corner_normals && i < 3 * corners; i++) {
		check_near(again.corner_normals[i], mesh.corner_normals[i], 1e-7);
	}
	unlink(out);
	snw_arena_destroy(arena);
}

static void obj_real_file_round_trips(void **state) {
	check_round_trip(check_data(*state));
}

TEST_GROUP(obj) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(byte_order_mark_is_left_out),
		cmocka_unit_test(obj_with_polygons_keeps_order_and_corners),
		cmocka_unit_test(obj_malformed_is_refused_with_its_line),
		cmocka_unit_test(obj_whose_triangles_all_vanish_is_refused),
		cmocka_unit_test(obj_numbers_are_read_as_strtod_reads_them),
		cmocka_unit_test(obj_in_a_comma_locale_is_read_alike),
		cmocka_unit_test(obj_with_mtl_brings_colours_and_textures),
		{"obj_human_round_trips", obj_real_file_round_trips, NULL, NULL, (void *)"human-rig/rest.obj"},
		{"obj_spot_round_trips", obj_real_file_round_trips, NULL, NULL, (void *)"quads/spot.obj"},
		{"obj_cow_round_trips", obj_real_file_round_trips, NULL, NULL, (void *)"soft-body/rest.obj"},
		{"obj_horse_round_trips", obj_real_file_round_trips, NULL, NULL, (void *)"horse-gallop/0001.obj"},
		{"obj_wolf_round_trips", obj_real_file_round_trips, NULL, NULL, (void *)"wolf/pose-1.obj"},
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
