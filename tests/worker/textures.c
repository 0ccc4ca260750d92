/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures that an imported file names outside its folder: they do not come in, whether it is read by the worker or in this
 * process.
 */
#include "files.h"
#include "import/through_worker.h"

static const unsigned char start_of_png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};

/* An untrusted folder, with a link to a picture that lies outside it. */
static void make_their_folder(const char *name, char folder[1024], char private[1100]) {
	char link[1200];
	snprintf(private, 1100, "%s", check_scratch("private.png"));
	snprintf(folder, 1024, "%s", check_scratch(name));
	mkdir(folder, 0700);
	file_write(private, start_of_png, sizeof start_of_png);
	snprintf(link, sizeof link, "%s/link.png", folder);
	assert_int_equal(symlink(private, link), 0);
}

static void check_pictures(const char *path, uint32_t materials, uint32_t pictures) {
	for (int in_process = 0; in_process < 2; in_process++) {
		snw_error error = {0};
		snw_scene *scene = NULL;
		snw_project *project = NULL;
		const char *made = check_scratch("theirs.sinew");
		const snw_worker_limits limits = {.in_process = in_process == 1};
		check_ok(snw_worker_import(&(snw_import_request){.file = path}, made, &limits, NULL, NULL, &error), error);
		check_ok(snw_project_open(made, true, &project, &error), error);
		check_ok(snw_project_scene(project, &scene, &error), error);
		assert_int_equal(scene->material_count, materials);
		assert_int_equal(scene->image_count, pictures);
		snw_scene_destroy(scene);
		snw_project_close(project);
	}
}

/* A texture in another folder, by an absolute path, by "..", and by a link. */
static void texture_outside_the_folder_does_not_come_in(void **state) {
	(void)state;
	char folder[1024], private[1100], path[1200], text[4000];
	make_their_folder("theirs", folder, private);
	snprintf(path, sizeof path, "%s/theirs.mtl", folder);
	snprintf(text, sizeof text, "newmtl a\nmap_Kd %s\nnewmtl b\nmap_Kd ../private.png\nnewmtl c\nmap_Kd link.png\n", private);
	file_write(path, text, strlen(text));
	snprintf(path, sizeof path, "%s/theirs.obj", folder);
	const char *mesh =
		"mtllib theirs.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n";
	file_write(path, mesh, strlen(mesh));
	check_pictures(path, 3, 0);
}

/* A triangle for each material, which shows one picture. */
static void write_collada(const char *path, uint32_t count, const char *const *pictures) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	fputs("<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
		  "<asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset><library_images>",
		  file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file, "<image id=\"i%u\"><init_from>%s</init_from></image>", i, pictures[i]);
	}
	fputs("</library_images><library_effects>", file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file,
				"<effect id=\"e%u\"><profile_COMMON><newparam sid=\"s%u\"><surface type=\"2D\"><init_from>i%u</init_from>"
				"</surface></newparam><newparam sid=\"p%u\"><sampler2D><source>s%u</source></sampler2D></newparam>"
				"<technique sid=\"common\"><lambert><diffuse><texture texture=\"p%u\" texcoord=\"UV\"/></diffuse></lambert>"
				"</technique></profile_COMMON></effect>",
				i, i, i, i, i, i);
	}
	fputs("</library_effects><library_materials>", file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file, "<material id=\"m%u\" name=\"m%u\"><instance_effect url=\"#e%u\"/></material>", i, i, i);
	}
	fputs("</library_materials><library_geometries><geometry id=\"g\"><mesh><source id=\"pos\">"
		  "<float_array id=\"a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common>"
		  "<accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
		  "type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
		  "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#pos\"/></vertices>",
		  file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file,
				"<triangles count=\"1\" material=\"t%u\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p>"
				"</triangles>",
				i);
	}
	fputs("</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"vs\"><node id=\"n\">"
		  "<instance_geometry url=\"#g\"><bind_material><technique_common>",
		  file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file, "<instance_material symbol=\"t%u\" target=\"#m%u\"/>", i, i);
	}
	fputs("</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>"
		  "<scene><instance_visual_scene url=\"#vs\"/></scene></COLLADA>",
		  file);
	assert_int_equal(fclose(file), 0);
}

static void texture_of_a_collada_outside_its_folder_does_not_come_in(void **state) {
	(void)state;
	char folder[1024], private[1100], path[1200], inside[1200], uri[1200];
	make_their_folder("theirs-collada", folder, private);
	snprintf(inside, sizeof inside, "%s/inside.png", folder);
	file_write(inside, start_of_png, sizeof start_of_png);
	snprintf(path, sizeof path, "%s/theirs.dae", folder);
	snprintf(uri, sizeof uri, "file://%s", private);
	write_collada(path, 5, (const char *const[]){private, uri, "../private.png", "link.png", "inside.png"});
	check_pictures(path, 5, 1); /* the one inside */
}

/* A triangle for each material, which shows one picture: by the path of the texture's file, or by its path relative to the
 * scene. */
static void write_fbx(const char *path, uint32_t count, const char *const *pictures, const bool *are_relative) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	fputs("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\nObjects:  {\n"
		  "\tGeometry: 1, \"Geometry::g\", \"Mesh\" {\n\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n",
		  file);
	fprintf(file, "\t\tPolygonVertexIndex: *%u {\n\t\t\ta: 0,1,-3", 3 * count);
	for (uint32_t i = 1; i < count; i++) {
		fputs(",0,1,-3", file);
	}
	fprintf(file,
			"\n\t\t}\n\t\tGeometryVersion: 124\n\t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n"
			"\t\t\tMappingInformationType: \"ByPolygon\"\n\t\t\tReferenceInformationType: \"IndexToDirect\"\n"
			"\t\t\tMaterials: *%u {\n\t\t\t\ta: 0",
			count);
	for (uint32_t i = 1; i < count; i++) {
		fprintf(file, ",%u", i);
	}
	fputs("\n\t\t\t}\n\t\t}\n\t\tLayer: 0 {\n\t\t\tVersion: 100\n\t\t\tLayerElement:  {\n"
		  "\t\t\t\tType: \"LayerElementMaterial\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n"
		  "\tModel: 2, \"Model::m\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n",
		  file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file,
				"\tMaterial: %u, \"Material::m%u\", \"\" {\n\t\tVersion: 102\n\t\tShadingModel: \"phong\"\n\t}\n"
				"\tTexture: %u, \"Texture::t%u\", \"\" {\n\t\tType: \"TextureVideoClip\"\n\t\tVersion: 202\n"
				"\t\tFileName: \"%s\"\n\t\tRelativeFilename: \"%s\"\n\t}\n",
				10 + i, i, 30 + i, i, are_relative[i] ? "" : pictures[i], are_relative[i] ? pictures[i] : "");
	}
	fputs("}\nConnections:  {\n\tC: \"OO\",1,2\n\tC: \"OO\",2,0\n", file);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(file, "\tC: \"OO\",%u,2\n\tC: \"OP\",%u,%u, \"DiffuseColor\"\n", 10 + i, 30 + i, 10 + i);
	}
	fputs("}\n", file);
	assert_int_equal(fclose(file), 0);
}

static void texture_of_an_fbx_outside_its_folder_does_not_come_in(void **state) {
	(void)state;
	char folder[1024], private[1100], path[1200], inside[1200];
	make_their_folder("theirs-fbx", folder, private);
	snprintf(inside, sizeof inside, "%s/inside.png", folder);
	file_write(inside, start_of_png, sizeof start_of_png);
	snprintf(path, sizeof path, "%s/theirs.fbx", folder);
	write_fbx(path, 5, (const char *const[]){private, private, "../private.png", "link.png", "inside.png"},
			  (const bool[]){false, true, true, true, true});
	check_pictures(path, 5, 1); /* the one inside */
}

/* A scene that is made of one object. */
static snw_status import_scene_of(const char *object, const char *folder, snw_error *error) {
	char path[1200], text[1400];
	snprintf(path, sizeof path, "%s/theirs.lws", folder);
	snprintf(text, sizeof text, "LWSC\n5\n\nLoadObjectLayer 1 10000000 %s\nShowObject 7 -1 0.4 0.9 0.9\n", object);
	file_write(path, text, strlen(text));
	return snw_worker_import(&(snw_import_request){.file = path}, check_scratch("theirs.sinew"), NULL, NULL, NULL, error);
}

static void object_of_a_lightwave_scene_outside_its_folder_does_not_come_in(void **state) {
	(void)state;
	char folder[1024], private[1100], link[1200], inside[1200];
	size_t count;
	unsigned char *cube = file_bytes(check_assimp_model("LWS/simple_cube.lwo"), &count);
	snw_error error = {0};
	make_their_folder("theirs-lws", folder, private);
	snprintf(private, sizeof private, "%s", check_scratch("private.lwo"));
	file_write(private, cube, count);
	snprintf(link, sizeof link, "%s/link.lwo", folder);
	assert_int_equal(symlink(private, link), 0);
	const char *const outside[] = {private, "../private.lwo", "link.lwo", "private.lwo"};
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		error = (snw_error){0};
		assert_true(snw_failed(import_scene_of(outside[i], folder, &error)));
		assert_non_null(strstr(error.text, "theirs.lws"));
	}
	snprintf(inside, sizeof inside, "%s/inside.lwo", folder);
	file_write(inside, cube, count);
	check_ok(import_scene_of("inside.lwo", folder, &error), error);
	free(cube);
}

TEST_GROUP(textures) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texture_outside_the_folder_does_not_come_in),
		cmocka_unit_test(texture_of_a_collada_outside_its_folder_does_not_come_in),
		cmocka_unit_test(texture_of_an_fbx_outside_its_folder_does_not_come_in),
		cmocka_unit_test(object_of_a_lightwave_scene_outside_its_folder_does_not_come_in),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
