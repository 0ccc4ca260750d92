/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mesh animations in and out: point caches, numbered .obj files, and scenes made of them.
 */
#include "check.h"

#include "export/export.h"
#include "file/file.h"
#include "import/import.h"

enum { POINTS = 5, FRAMES = 12 };

static const double points_rest[3 * POINTS] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t offsets[] = {0, 4, 7}, corners[] = {0, 1, 2, 3, 0, 1, 4};
static const snw_mesh small = {.name = "small",
							   .point_count = POINTS,
							   .points_rest = points_rest,
							   .face_count = 2,
							   .face_offsets = offsets,
							   .face_points = corners};

static void make_frames(float *points, double *seconds) {
	for (int f = 0; f < FRAMES; f++) {
		seconds[f] = 0.125 * f * f;
		for (int i = 0; i < 3 * POINTS; i++) {
			points[3 * POINTS * f + i] = (float)(points_rest[i] + sin(f + i));
		}
	}
}

static const char *write_cache(const char *name) {
	const char *path = check_scratch(name);
	float points[3 * POINTS * FRAMES];
	double seconds[FRAMES];
	make_frames(points, seconds);
	snw_cache_write *cache;
	snw_error error = {0};
	check_ok(
		snw_cache_begin(path, strstr(name, ".mdd") ? SNW_CACHE_MDD : SNW_CACHE_PC2, POINTS, FRAMES, seconds, &cache, &error),
		error);
	for (int f = 0; f < FRAMES; f++) {
		snw_cache_frame(cache, points + 3 * POINTS * f);
	}
	check_ok(snw_cache_commit(cache, &error), error);
	return path;
}

static void check_cache_round_trips(const char *name, bool holds_times) {
	const char *path = write_cache(name);
	float points[3 * POINTS * FRAMES];
	double seconds[FRAMES];
	make_frames(points, seconds);
	snw_arena *arena = snw_arena_create();
	snw_point_frames read;
	snw_error error = {0};
	check_ok(snw_import_frames(path, POINTS, 0, arena, NULL, &read, &error), error);
	assert_int_equal(read.frame_count, FRAMES);
	assert_memory_equal(read.points, points, sizeof points);
	for (int f = 0; f < FRAMES; f++) {
		check_near(read.seconds[f], holds_times ? seconds[f] : f / 24.0, 1e-12);
	}
	check_ok(snw_import_frames(path, POINTS, 10, arena, NULL, &read, &error), error);
	check_near(read.seconds[3], 0.3, 1e-12);
	snw_arena_destroy(arena);
}

static void pc2_written_is_read_back(void **state) {
	(void)state;
	check_cache_round_trips("frames.pc2", false);
}

static void mdd_written_is_read_back_with_its_times(void **state) {
	(void)state;
	check_cache_round_trips("frames.mdd", true);
}

static void cache_abandoned_leaves_the_old_file(void **state) {
	(void)state;
	const char *path = write_cache("kept.pc2");
	struct stat before, after;
	assert_int_equal(stat(path, &before), 0);
	snw_cache_write *cache;
	snw_error error = {0};
	check_ok(snw_cache_begin(path, SNW_CACHE_PC2, 1, 1, NULL, &cache, &error), error);
	snw_cache_abandon(cache);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

/* The cache of `name` with `count` bytes at `offset` replaced, and cut to `size` bytes (0: not cut). */
static void check_damaged_is_refused(const char *name, size_t size, size_t offset, uint32_t word, const char *expected) {
	const char *path = write_cache(name);
	snw_arena *arena = snw_arena_create();
	snw_bytes bytes;
	snw_error error = {0};
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	unsigned char *data = snw_arena_acquire(arena, bytes.count + 64);
	memcpy(data, bytes.data, bytes.count);
	memcpy(data + offset, &word, sizeof word);
	FILE *file = fopen(path, "wb");
	fwrite(data, 1, size ? size : bytes.count, file);
	fclose(file);
	snw_point_frames read;
	assert_true(snw_failed(snw_import_frames(path, POINTS, 0, arena, NULL, &read, &error)));
	if (!strstr(error.text, expected)) {
		fail_msg("'%s' does not say '%s'", error.text, expected);
	}
	snw_arena_destroy(arena);
}

static void cache_damaged_is_refused_with_its_frame(void **state) {
	(void)state;
	const uint32_t nan = 0x7fc00000, nan_big = 0x0000c07f;
	const size_t frame_bytes = 12 * POINTS, mdd = 8 + 4 * FRAMES;
	check_damaged_is_refused("d.pc2", 32 + 3 * frame_bytes + 5, 12, 1, "frame 4 of 12 is truncated");
	check_damaged_is_refused("d.pc2", 20, 12, 1, "not a PC2 point cache");
	check_damaged_is_refused("d.pc2", 0, 0, 1, "not a PC2 point cache");
	check_damaged_is_refused("d.pc2", 0, 16, 6, "6 points, but the mesh has 5");
	check_damaged_is_refused("d.pc2", 0, 16, 0x80000005, "its header has");
	check_damaged_is_refused("d.pc2", 0, 28, 0, "its header has");
	check_damaged_is_refused("d.pc2", 0, 28, 0x7fffffff, "frame 13 of 2147483647 is truncated");
	check_damaged_is_refused("d.pc2", 0, 28, 11, "60 extra bytes after frame 11");
	check_damaged_is_refused("d.pc2", 0, 32 + 2 * frame_bytes + 16, nan, "frame 3, point 2 is not finite");
	check_damaged_is_refused("d.mdd", mdd + 3 * frame_bytes - 1, 12, 1, "frame 3 of 12 is truncated");
	check_damaged_is_refused("d.mdd", 5, 0, 1, "its header is truncated");
	check_damaged_is_refused("d.mdd", 0, 0, 0xffffff7f, "frame 1 of 2147483647 is truncated");
	check_damaged_is_refused("d.mdd", 0, 8 + 4 * 2, nan_big, "frame 3 has no finite time");
	check_damaged_is_refused("d.mdd", 0, mdd + 4 * frame_bytes, nan_big, "frame 5, point 1 is not finite");
}

/* Twelve numbered files in a folder of their own; returns the pattern. */
static const char *write_sequence(const char *folder) {
	mkdir(check_scratch(folder), 0700);
	float points[3 * POINTS * FRAMES];
	double seconds[FRAMES], posed[3 * POINTS];
	make_frames(points, seconds);
	char name[200];
	snw_error error = {0};
	for (int f = 0; f < FRAMES; f++) {
		for (int i = 0; i < 3 * POINTS; i++) {
			posed[i] = (double)points[3 * POINTS * f + i];
		}
		snprintf(name, sizeof name, "%s/walk_%d.obj", folder, f + 1);
		check_ok(snw_export_obj(check_scratch(name), &small, posed, &error), error);
	}
	snprintf(name, sizeof name, "%s/walk_*.obj", folder);
	return check_scratch(name);
}

static void obj_sequence_becomes_a_scene_in_natural_order(void **state) {
	(void)state;
	float points[3 * POINTS * FRAMES];
	double seconds[FRAMES];
	make_frames(points, seconds);
	const snw_import_request request = {.sequence = write_sequence("natural"), .frames_per_second = 30};
	snw_scene *scene = snw_scene_create();
	snw_error error = {0};
	check_ok(snw_import_sequence(&request, NULL, scene, &error), error);
	check_ok(snw_scene_check(scene, &error), error);
	assert_int_equal(scene->mesh_count, 1);
	assert_int_equal(scene->target_count, 1);
	const snw_target *target = &scene->targets[0];
	assert_string_equal(target->name, "walk");
	assert_int_equal(target->clip, SNW_NONE);
	assert_int_equal(target->frame_count, FRAMES);
	assert_memory_equal(target->points_posed, points, sizeof points);
	check_near(target->seconds[10], 10 / 30.0, 1e-12);
	assert_true((float)scene->meshes[0].points_rest[4] == points[4]); /* the rest is the first frame */
	assert_string_equal(scene->poses[0].name, "rest");
	snw_scene_destroy(scene);
}

static void sequence_with_a_rest_takes_it(void **state) {
	(void)state;
	char rest[1100]; /* the scratch paths' buffers come round */
	strcpy(rest, check_scratch("rest.obj"));
	snw_error error = {0};
	check_ok(snw_export_obj(rest, &small, NULL, &error), error);
	const char *sequences[] = {write_sequence("rested"), write_cache("rested.pc2"), write_cache("rested.mdd")};
	for (int i = 0; i < 3; i++) {
		const snw_import_request request = {.sequence = sequences[i], .rest = rest};
		snw_scene *scene = snw_scene_create();
		check_ok(snw_import_sequence(&request, NULL, scene, &error), error);
		assert_memory_equal(scene->meshes[0].points_rest, points_rest, sizeof points_rest);
		assert_int_equal(scene->targets[0].frame_count, FRAMES);
		snw_scene_destroy(scene);
	}
}

static void check_sequence_refused(const snw_import_request *request, const char *expected) {
	snw_scene *scene = snw_scene_create();
	snw_error error = {0};
	assert_true(snw_failed(snw_import_sequence(request, NULL, scene, &error)));
	if (!strstr(error.text, expected)) {
		fail_msg("'%s' does not say '%s'", error.text, expected);
	}
	snw_scene_destroy(scene);
}

static void sequence_that_changes_is_refused_with_the_file(void **state) {
	(void)state;
	const snw_import_request request = {.sequence = write_sequence("changed")};
	snw_error error = {0};
	const uint32_t reversed[] = {1, 2, 3, 0, 0, 1, 4};
	snw_mesh other = small;
	other.face_points = reversed;
	check_ok(snw_export_obj(check_scratch("changed/walk_7.obj"), &other, NULL, &error), error);
	check_sequence_refused(&request, "walk_7.obj: its faces differ from those of");
	other = small;
	other.point_count = 4;
	other.face_count = 1;
	check_ok(snw_export_obj(check_scratch("changed/walk_3.obj"), &other, NULL, &error), error);
	check_sequence_refused(&request, "walk_3.obj: it has 4 points, but the mesh has 5");
	check_sequence_refused(&(snw_import_request){.sequence = write_cache("alone.pc2")}, "--rest");
	check_sequence_refused(&(snw_import_request){.sequence = check_scratch("none/*.obj")}, "no file matches");
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context, (void)fraction, (void)activity;
	return false;
}

static void sequence_cancelled_stops(void **state) {
	(void)state;
	const snw_import_request request = {.sequence = write_sequence("stopped")};
	const snw_task task = {.progress = stop};
	snw_scene *scene = snw_scene_create();
	snw_error error = {0};
	assert_int_equal(snw_import_sequence(&request, &task, scene, &error), SNW_CANCELLED);
	snw_scene_destroy(scene);
}

static void sequence_of_the_horse_is_read(void **state) {
	(void)state;
	char pattern[1100];
	snprintf(pattern, sizeof pattern, "%s/*.obj", check_data("horse-gallop"));
	const snw_import_request request = {.sequence = pattern, .rest = check_data("horse-gallop-rest.obj")};
	snw_scene *scene = snw_scene_create();
	snw_error error = {0};
	check_ok(snw_import_sequence(&request, NULL, scene, &error), error);
	assert_int_equal(scene->targets[0].frame_count, 48);
	assert_int_equal(scene->meshes[0].point_count, 8431);
	assert_string_equal(scene->targets[0].name, "horse-gallop");
	snw_scene_destroy(scene);
}

static void pc2_of_the_human_is_read(void **state) {
	(void)state;
	const char *cache = check_data("human-rig/target-rom.pc2"), *obj = check_data("human-rig/rest.obj");
	snw_arena *arena = snw_arena_create();
	snw_point_frames read;
	snw_error error = {0};
	check_ok(snw_import_frames(cache, 13380, 0, arena, NULL, &read, &error), error);
	assert_int_equal(read.frame_count, 120);
	check_near(read.seconds[119], 119 / 24.0, 1e-12);
	snw_mesh rest;
	check_ok(snw_import_obj_mesh(obj, arena, &rest, &error), error);
	for (size_t i = 0; i < (size_t)3 * 13380; i++) {
		check_near(read.points[i], rest.points_rest[i], 2e-6); /* frame 0 is the rest */
	}
	snw_arena_destroy(arena);
}

TEST_GROUP(sequences) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pc2_written_is_read_back),
		cmocka_unit_test(mdd_written_is_read_back_with_its_times),
		cmocka_unit_test(cache_abandoned_leaves_the_old_file),
		cmocka_unit_test(cache_damaged_is_refused_with_its_frame),
		cmocka_unit_test(obj_sequence_becomes_a_scene_in_natural_order),
		cmocka_unit_test(sequence_with_a_rest_takes_it),
		cmocka_unit_test(sequence_that_changes_is_refused_with_the_file),
		cmocka_unit_test(sequence_cancelled_stops),
		cmocka_unit_test(sequence_of_the_horse_is_read),
		cmocka_unit_test(pc2_of_the_human_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
