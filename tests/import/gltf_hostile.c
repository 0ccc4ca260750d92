/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damaged copies of glTF files, small ones and real characters: refused with one line, or read to a scene that can be played;
 * never a crash or a hang. How many is the test's argument.
 */
#include "check.h"

#include "files.h"
#include "gltf_play.h"
#include "mutate.h"

static const char *const small_files[] = {"small/tentacle.glb", "small/leaf.gltf", "small/pair.glb"};
static const char *const characters[] = {
	"characters/SimpleSkin.gltf",
	"characters/SimpleMorph.gltf",
	"characters/AnimatedMorphCube.glb",
	"characters/RiggedSimple.glb",
	"characters/RiggedFigure.glb",
	"characters/Fox.glb",
	"characters/RecursiveSkeletons.glb",
	"characters/CesiumMan.glb",
	"characters/MorphStressTest.glb",
	"characters/robot.glb",
	"human-rig/human.glb",
	"characters/Knight.glb",
};
enum { CHARACTER_COUNT = sizeof characters / sizeof characters[0], QUICK_COUNT = 6, LONGEST_SECONDS = 120 };

static int copy_count = 300;

/* Other digits in the JSON: it still parses, so that what lies behind the parser is reached. */
static unsigned char *mutate_digits(const unsigned char *bytes, size_t count, uint64_t seed, size_t *mutated_count) {
	uint64_t state = seed;
	unsigned char *copy = malloc(count);
	if (!copy) {
		return NULL;
	}
	memcpy(copy, bytes, count);
	uint32_t json_count = (uint32_t)count;
	if (memcmp(bytes, "glTF", 4) == 0) {
		memcpy(&json_count, bytes + 12, sizeof json_count);
	}
	for (size_t i = 1 + random_below(&state, 3); i > 0; i--) {
		size_t at = 20 + random_below(&state, json_count - 20);
		while (at < json_count && !(copy[at] >= '0' && copy[at] <= '9')) {
			at++;
		}
		if (at < json_count) {
			copy[at] = (unsigned char)"0123456789-e."[random_below(&state, random_below(&state, 8) ? 10 : 13)];
		}
	}
	*mutated_count = count;
	return copy;
}

static void play(const snw_scene *scene) {
	snw_arena *arena = snw_arena_create();
	const snw_pose *pose = scene->clip_count > 0 ? snw_pose_sample(scene, 0, 0.5 * scene->clips[0].duration_seconds, arena)
												 : snw_pose_rest(scene, arena);
	double *points;
	play_points(&scene->meshes[0], snw_pose_view_make(scene, pose, arena), arena, &points);
	snw_arena_destroy(arena);
}

/* Every eighth copy is of any file, the others of the first `quick_count`. */
static void check_damaged_copies(const char *const *victims, uint32_t victim_count, uint32_t quick_count) {
	const uint64_t seed = random_seed();
	int read = 0;
	for (int i = 0; i < copy_count; i++) {
		uint64_t draw = seed + (uint64_t)i;
		const char *victim = victims[random_below(&draw, i % 8 == 0 ? victim_count : quick_count)];
		const char *source = check_data(victim);
		size_t count, mutated_count = 0;
		unsigned char *bytes = file_bytes(source, &count);
		unsigned char *copy =
			i % 2 ? mutate_copy(bytes, count, draw, &mutated_count) : mutate_digits(bytes, count, draw, &mutated_count);
		assert_non_null(copy);
		const char *path = check_scratch(strstr(victim, ".gltf") ? "hostile.gltf" : "hostile.glb");
		FILE *stream = fopen(path, "wb");
		assert_non_null(stream);
		assert_int_equal(fwrite(copy, 1, mutated_count, stream), mutated_count);
		fclose(stream);
		free(bytes);
		free(copy);
		alarm(LONGEST_SECONDS);
		const snw_import_request request = {.file = path};
		snw_scene *scene = NULL;
		snw_error error = {0};
		const snw_status status = snw_import(&request, NULL, &scene, &error);
		if (!snw_failed(status)) {
			play(scene);
			snw_scene_destroy(scene);
			read++;
		} else if (status > 0 || !error.text[0] || strchr(error.text, '\n')) {
			fail_msg("copy %d of %s: status %d, '%s'", i, victim, status, error.text);
		}
		alarm(0);
		unlink(path);
	}
	print_message("%d damaged copies: %d could be read, %d were refused\n", copy_count, read, copy_count - read);
}

static void damaged_copies_of_small_files_are_refused_or_read(void **state) {
	(void)state;
	check_damaged_copies(small_files, 3, 3);
}

static void damaged_copies_of_characters_are_refused_or_read(void **state) {
	(void)state;
	(void)check_data(characters[0]);
	check_damaged_copies(characters, CHARACTER_COUNT, QUICK_COUNT);
}

TEST_GROUP(gltf_hostile) {
	copy_count = argc > 1 ? atoi(argv[1]) : copy_count;
	const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_copies_of_small_files_are_refused_or_read),
									   cmocka_unit_test(damaged_copies_of_characters_are_refused_or_read)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
