/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of characters, sculpts, frames, poses and pictures.
 */
#include "fuzz/readers.h"

#include <png.h>

#include "export/export.h"
#include "fuzz/scratch.h"
#include "import/import.h"
#include "picture/pictures.h"
#include "pose/pose.h"
#include "scene/check.h"
#include "transfer/retarget.h"

enum { POINTS = 7, FRAMES = 3 };

/* An imported scene must pass the check of scenes; anything else is a fault of the reader. */
static void import_as(const char *name, const unsigned char *bytes, size_t count) {
	const snw_import_request request = {.file = scratch_file(name, bytes, count), .is_motion = strstr(name, ".bvh") != NULL};
	snw_scene *scene = NULL;
	snw_error error = {0};
	if (!snw_failed(snw_import(&request, NULL, &scene, &error)) && snw_failed(snw_scene_check(scene, &error))) {
		fprintf(stderr, "%s\n", error.text);
		abort();
	}
	snw_scene_destroy(scene);
	unlink(scratch_path(name));
}

void fuzz_gltf(const unsigned char *bytes, size_t count) {
	import_as("a.gltf", bytes, count);
}

void fuzz_glb(const unsigned char *bytes, size_t count) {
	import_as("a.glb", bytes, count);
}

void fuzz_fbx(const unsigned char *bytes, size_t count) {
	import_as("a.fbx", bytes, count);
}

void fuzz_bvh(const unsigned char *bytes, size_t count) {
	import_as("a.bvh", bytes, count);
}

/* The table of names for the joints of a fixed motion. */
void fuzz_map(const unsigned char *bytes, size_t count) {
	size_t motion_count;
	unsigned char *motion = seed_of_bvh(0, &motion_count);
	char map[300];
	snprintf(map, sizeof map, "%s", scratch_file("map.json", bytes, count));
	const snw_import_request request = {.file = scratch_file("a.bvh", motion, motion_count), .is_motion = true};
	snw_scene *scene = NULL;
	if (snw_import(&request, NULL, &scene, NULL) == SNW_OK) {
		uint32_t *sources = SNW_NEW_ARRAY(scene->arena, uint32_t, scene->skeleton.joint_count);
		(void)snw_joint_map_read(map, scene, scene, NULL, sources, NULL);
	}
	snw_scene_destroy(scene);
	free(motion);
	unlink(scratch_path("a.bvh"));
	unlink(scratch_path("map.json"));
}

void fuzz_obj(const unsigned char *bytes, size_t count) {
	import_as("a.obj", bytes, count);
}

/* The library of a mesh that names all of its materials. */
void fuzz_mtl(const unsigned char *bytes, size_t count) {
	char mesh[300];
	const char *name = strrchr(scratch_file("a.mtl", bytes, count), '/') + 1;
	const int length =
		snprintf(mesh, sizeof mesh, "mtllib %s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl blue\nf 3 2 1\n", name);
	import_as("b.obj", (const unsigned char *)mesh, (size_t)length);
	unlink(scratch_path("a.mtl"));
}

void fuzz_sculpt(const unsigned char *bytes, size_t count) {
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh;
	(void)snw_import_obj_mesh(scratch_file("c.obj", bytes, count), arena, &mesh, NULL);
	snw_arena_destroy(arena);
	unlink(scratch_path("c.obj"));
}

static void read_frames(const char *name, const unsigned char *bytes, size_t count) {
	snw_arena *arena = snw_arena_create();
	snw_point_frames frames;
	(void)snw_import_frames(scratch_file(name, bytes, count), POINTS, 24, arena, NULL, &frames, NULL);
	snw_arena_destroy(arena);
	unlink(scratch_path(name));
}

void fuzz_pc2(const unsigned char *bytes, size_t count) {
	read_frames("a.pc2", bytes, count);
}

void fuzz_mdd(const unsigned char *bytes, size_t count) {
	read_frames("a.mdd", bytes, count);
}

void fuzz_pose(const unsigned char *bytes, size_t count) {
	snw_arena *arena = snw_arena_create();
	snw_pose_values values;
	(void)snw_pose_values_read(scratch_file("a.json", bytes, count), arena, &values, NULL);
	snw_arena_destroy(arena);
	unlink(scratch_path("a.json"));
}

void fuzz_picture(const unsigned char *bytes, size_t count) {
	const snw_picture_use use = {.name = "a", .bytes = bytes, .byte_count = count, .is_color = true};
	snw_arena *arena = snw_arena_create();
	snw_mipmap decoded;
	snw_pictures_decode(&use, 1, 1 << 20, NULL, arena, &decoded);
	snw_arena_destroy(arena);
}

/* ---- seeds --------------------------------------------------------------------------------------------------------------- */

unsigned char *seed_of_gltf(unsigned index, size_t *count) {
	(void)index;
	return file_as_seed(FUZZ_DATA "/leaf.gltf", count);
}

/* A compressed file of another seed: what its views decode to is checked too. */
static unsigned char *compressed_seed(size_t *count) {
	const snw_import_request request = {.file = FUZZ_DATA "/tentacle.glb"};
	char path[200];
	snprintf(path, sizeof path, "%s", scratch_path("seed.glb"));
	const snw_export_request compressed = {
		.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .weights = SNW_WEIGHTS_BYTES, .compresses = true};
	snw_registry *registry = snw_registry_open();
	snw_scene *scene = NULL;
	snw_stack *stack = NULL;
	snw_export_report report;
	if (snw_failed(snw_import(&request, NULL, &scene, NULL)) ||
		snw_failed(snw_stack_build(scene, registry, NULL, NULL, &stack, NULL)) ||
		snw_failed(snw_export(scene, stack, &compressed, NULL, &report, NULL))) {
		fprintf(stderr, "%s: no compressed seed\n", path);
		exit(2);
	}
	unsigned char *bytes = file_as_seed(path, count);
	unlink(path);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
	return bytes;
}

unsigned char *seed_of_glb(unsigned index, size_t *count) {
	if (index == 2) {
		return compressed_seed(count);
	}
	return file_as_seed(index == 0 ? FUZZ_DATA "/pair.glb" : FUZZ_DATA "/tentacle.glb", count);
}

unsigned char *seed_of_fbx(unsigned index, size_t *count) {
	static const char *const files[] = {"shapes", "late-takes", "skin-bind"};
	char path[300];
	snprintf(path, sizeof path, FUZZ_DATA "/../fbx/%s.fbx", files[index]);
	return file_as_seed(path, count);
}

unsigned char *seed_of_bvh(unsigned index, size_t *count) {
	(void)index;
	return text_as_seed("HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
						"Yrotation\n JOINT LeftUpLeg {\n OFFSET 1 -2 0.5\n CHANNELS 3 Zrotation Xrotation Yrotation\n End "
						"Site\n {\n OFFSET 0 -4 0\n }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 6 0 1 2 3 4 5 6\n0 6.5 "
						"1 1e1 -2 3.25 4 5 6\n",
						count);
}

unsigned char *seed_of_map(unsigned index, size_t *count) {
	(void)index;
	return text_as_seed("{\"Hips\": \"pelvis\", \"LeftUpLeg\": \"thigh_l\", \"tail\": \"Hips\"}", count);
}

unsigned char *seed_of_obj(unsigned index, size_t *count) {
	(void)index;
	return text_as_seed(
		"mtllib none.mtl\no box\nv 0 0 0\nv 1 0 0.5\nv 1 1e-5 -2\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0.25\nvn 0 0 1\n"
		"usemtl red\nf 1/1/1 2/2/1 3/1/1 4/2/1\nusemtl blue\nf -5 -4 -1\nf 1//1 \\\n 2//1 5//1\n",
		count);
}

unsigned char *seed_of_mtl(unsigned index, size_t *count) {
	(void)index;
	return text_as_seed(
		"newmtl red\nKd 1 0 0\nPr 0.5\nd 0.5\nnewmtl blue\nmap_Kd -bm 1.0 picture.png\nNs 10\nnorm picture.png\n", count);
}

static unsigned char *cache_as_seed(const char *name, snw_cache_kind kind, size_t *count) {
	float points[3 * POINTS] = {0};
	double seconds[FRAMES];
	snw_cache_write *cache;
	for (int f = 0; f < FRAMES; f++) {
		seconds[f] = f / 24.0;
	}
	if (snw_failed(snw_cache_begin(scratch_path(name), kind, POINTS, FRAMES, seconds, &cache, NULL))) {
		exit(2);
	}
	for (int f = 0; f < FRAMES; f++) {
		snw_cache_frame(cache, points);
	}
	(void)snw_cache_commit(cache, NULL);
	unsigned char *bytes = file_as_seed(scratch_path(name), count);
	unlink(scratch_path(name));
	return bytes;
}

unsigned char *seed_of_pc2(unsigned index, size_t *count) {
	(void)index;
	return cache_as_seed("seed.pc2", SNW_CACHE_PC2, count);
}

unsigned char *seed_of_mdd(unsigned index, size_t *count) {
	(void)index;
	return cache_as_seed("seed.mdd", SNW_CACHE_MDD, count);
}

unsigned char *seed_of_pose(unsigned index, size_t *count) {
	static const char *const texts[] = {
		"{\"local_rotations_xyzw\": {\"elbow\": [0, 0, 0.6, 0.8]}, \"translations\": {\"root\": [0, 1, 0]}, \"channels\": "
		"{\"smile\": 0.5}}",
		"{\"joints\": [\"elbow\", \"wrist\"], \"local_rotations_xyzw\": [[0, 0, 0, 1], [1, 0, 0, 0]]}"};
	return text_as_seed(texts[index], count);
}

unsigned char *seed_of_picture(unsigned index, size_t *count) {
	(void)index;
	unsigned char pixels[16 * 16 * 4];
	for (size_t i = 0; i < sizeof pixels; i++) {
		pixels[i] = (unsigned char)(i * 7);
	}
	png_image image = {.version = PNG_IMAGE_VERSION, .width = 16, .height = 16, .format = PNG_FORMAT_RGBA};
	png_alloc_size_t bytes = 0;
	(void)png_image_write_to_memory(&image, NULL, &bytes, 0, pixels, 0, NULL);
	unsigned char *png = malloc(bytes);
	if (!png || !png_image_write_to_memory(&image, png, &bytes, 0, pixels, 0, NULL)) {
		exit(2);
	}
	*count = bytes;
	return png;
}
