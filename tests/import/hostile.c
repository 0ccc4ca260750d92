/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damaged copies of .obj, .mtl, .pc2 and .mdd in this process, and of FBX and Collada through the worker: each gives a valid
 * scene or one line of error, and never a crash or hang of this process. $SINEW_TEST_ROUNDS is the number of each.
 */
#include "through_worker.h"

#include "export/export.h"
#include "file/file.h"
#include "import/import.h"
#include "mutate.h"

static uint64_t rounds(uint64_t share) {
	const char *given = getenv("SINEW_TEST_ROUNDS");
	return share * (given ? strtoull(given, NULL, 10) : 1);
}

static snw_bytes read_whole(const char *path, snw_arena *arena) {
	snw_bytes bytes;
	snw_error error = {0};
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	return bytes;
}

static void write_damaged(const char *path, snw_bytes bytes, uint64_t seed) {
	size_t count = 0;
	unsigned char *damaged = mutate_copy(bytes.data, bytes.count, seed, &count);
	assert_non_null(damaged);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(damaged, 1, count, file);
	fclose(file);
	free(damaged);
}

/* A failure is one line; a scene has passed all checks. */
static void check_result(snw_status status, const snw_error *error, uint64_t seed) {
	if (status != SNW_OK && (status > 0 || error->text[0] == '\0' || strchr(error->text, '\n'))) {
		fail_msg("seed %llu: status %d with '%s'", (unsigned long long)seed, status, error->text);
	}
}

static void obj_damaged_is_read_or_refused(void **state) {
	(void)state;
	const char *text =
		"mtllib looks.mtl\no box\nv 0 0 0\nv 1 0 0.5\nv 1 1e-5 -2\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0.25\nvn 0 0 1\n"
		"usemtl red\nf 1/1/1 2/2/1 3/1/1 4/2/1\nusemtl blue\nf -5 -4 -1\nf 1//1 \\\n 2//1 5//1\n";
	const char *looks =
		"newmtl red\nKd 1 0 0\nPr 0.5\nd 0.5\nnewmtl blue\nmap_Kd -bm 1.0 picture.png\nNs 10\nnorm picture.png\n";
	const snw_bytes whole = {(const unsigned char *)text, strlen(text)};
	const snw_bytes whole_looks = {(const unsigned char *)looks, strlen(looks)};
	char path[1100], library[1100];
	snprintf(path, sizeof path, "%s", check_scratch("hostile.obj"));
	snprintf(library, sizeof library, "%s", check_scratch("looks.mtl"));
	const uint64_t seed = random_seed();
	for (uint64_t i = 0; i < rounds(20); i++) {
		write_damaged(path, whole, seed + i);
		write_damaged(library, whole_looks, ~seed + i);
		const snw_import_request request = {.file = path};
		snw_scene *scene = NULL;
		snw_error error = {0};
		check_result(snw_import(&request, NULL, &scene, &error), &error, seed + i);
		snw_scene_destroy(scene);
	}
}

static void obj_of_a_body_damaged_is_read_or_refused(void **state) {
	(void)state;
	const char *body = check_data("quads/spot.obj");
	snw_arena *arena = snw_arena_create();
	const snw_bytes whole = read_whole(body, arena);
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("spot.obj"));
	const uint64_t seed = random_seed();
	for (uint64_t i = 0; i < rounds(20); i++) {
		write_damaged(path, whole, seed + i);
		snw_arena *local_arena = snw_arena_create();
		snw_mesh mesh;
		snw_error error = {0};
		check_result(snw_import_obj_mesh(path, local_arena, &mesh, &error), &error, seed + i);
		snw_arena_destroy(local_arena);
	}
	snw_arena_destroy(arena);
}

static void check_caches(const char *name, const char *damaged_name) {
	enum { POINTS = 7, FRAMES = 5 };
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch(name));
	float points[3 * POINTS];
	double seconds[FRAMES];
	snw_cache_write *cache;
	snw_error error = {0};
	for (int f = 0; f < FRAMES; f++) {
		seconds[f] = f / 24.0;
	}
	check_ok(
		snw_cache_begin(path, strstr(name, ".mdd") ? SNW_CACHE_MDD : SNW_CACHE_PC2, POINTS, FRAMES, seconds, &cache, &error),
		error);
	for (int f = 0; f < FRAMES; f++) {
		for (int i = 0; i < 3 * POINTS; i++) {
			points[i] = (float)(f + i);
		}
		snw_cache_frame(cache, points);
	}
	check_ok(snw_cache_commit(cache, &error), error);
	snw_arena *arena = snw_arena_create();
	const snw_bytes whole = read_whole(path, arena);
	snprintf(path, sizeof path, "%s", check_scratch(damaged_name));
	const uint64_t seed = random_seed();
	for (uint64_t i = 0; i < rounds(20); i++) {
		write_damaged(path, whole, seed + i);
		snw_arena *local_arena = snw_arena_create();
		snw_point_frames frames = {0};
		error = (snw_error){0};
		const snw_status status = snw_import_frames(path, POINTS, 0, local_arena, NULL, &frames, &error);
		check_result(status, &error, seed + i);
		for (size_t k = 0; status == SNW_OK && k < (size_t)3 * POINTS * frames.frame_count; k++) {
			assert_true(isfinite(frames.points[k]));
		}
		snw_arena_destroy(local_arena);
	}
	snw_arena_destroy(arena);
}

static void pc2_damaged_is_read_or_refused(void **state) {
	(void)state;
	check_caches("whole.pc2", "damaged.pc2");
}

static void mdd_damaged_is_read_or_refused(void **state) {
	(void)state;
	check_caches("whole.mdd", "damaged.mdd");
}

/* Crashes in the worker are printed and counted: they are Assimp's, and affect only the worker. */
static void check_through_worker(const char *model, uint64_t share) {
	const char *original = check_assimp_model(model);
	snw_arena *arena = snw_arena_create();
	const snw_bytes whole = read_whole(original, arena);
	char path[1100];
	snprintf(path, sizeof path, "%s.%s", check_scratch("damaged"), snw_path_extension(model));
	const uint64_t seed = random_seed();
	uint64_t read = 0, crashed = 0, stopped = 0;
	snw_scene_destroy(import_scene(original)); /* it can be read at all */
	for (uint64_t i = 0; i < rounds(share); i++) {
		write_damaged(path, whole, seed + i);
		snw_scene *scene = NULL;
		snw_error error = {0};
		const snw_status status = import_through_worker(path, 10, NULL, &scene, &error);
		check_result(status, &error, seed + i);
		read += status == SNW_OK;
		crashed += status == SNW_ERROR_CRASH;
		stopped += status == SNW_ERROR_LIMIT;
		snw_scene_destroy(scene);
	}
	print_message("%s: of %llu copies %llu were read, %llu crashed the worker, %llu went over a limit\n", model,
				  (unsigned long long)rounds(share), (unsigned long long)read, (unsigned long long)crashed,
				  (unsigned long long)stopped);
	snw_arena_destroy(arena);
}

static void fbx_damaged_never_reaches_this_process(void **state) {
	(void)state;
	check_through_worker("FBX/huesitos.fbx", 5);
	check_through_worker("FBX/phong_cube.fbx", 5);
}

static void collada_damaged_never_reaches_this_process(void **state) {
	(void)state;
	check_through_worker("Collada/box_nested_animation.dae", 5);
	check_through_worker("Collada/COLLADA_triangulate.dae", 5);
}

TEST_GROUP(hostile) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(obj_damaged_is_read_or_refused),         cmocka_unit_test(obj_of_a_body_damaged_is_read_or_refused),
		cmocka_unit_test(pc2_damaged_is_read_or_refused),         cmocka_unit_test(mdd_damaged_is_read_or_refused),
		cmocka_unit_test(fbx_damaged_never_reaches_this_process), cmocka_unit_test(collada_damaged_never_reaches_this_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
