/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damaged copies of POSE.json: each is read to a pose that passes the check, or refused with a line. How many is the argument.
 */
#include "fixture.h"
#include "mutate.h"
#include "pose/pose.h"
#include "scene/check.h"

static unsigned rounds = 300;

static const char *const documents[] = {
	"{\"local_rotations_xyzw\": {\"hand\": [0, 0, 0.6, 0.8], \"arm\": [0.1, -0.2, 0.3, 0.9], \"root\": [0, 0, 0, 1]},\n"
	" \"translations\": {\"root\": [0.5, 1.25, -3e-2]}, \"channels\": {\"smile\": 0.75, \"frown\": 1}}\n",
	"{\"joints\": [\"hand\", \"arm\", \"other root\"],\n"
	" \"local_rotations_xyzw\": [[0, 0, 0.6, 0.8], [0.1, -0.2, 0.3, 0.9], [1, 0, 0, 0]]}\n",
};

static void write_bytes(const char *path, const unsigned char *bytes, size_t count) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

static void damaged_pose_is_refused_or_sound(void **state) {
	(void)state;
	uint64_t seed = random_seed();
	snw_scene *scene = fixture_scene();
	const char *path = check_scratch("pose.json");
	unsigned read = 0;
	for (unsigned i = 0; i < rounds; i++) {
		const char *text = documents[i % (sizeof documents / sizeof *documents)];
		size_t count = 0;
		unsigned char *copy = mutate_copy((const unsigned char *)text, strlen(text), random_next(&seed), &count);
		assert_non_null(copy);
		write_bytes(path, copy, count);
		snw_arena *arena = snw_arena_create();
		snw_pose *pose = NULL;
		snw_error error = {0};
		const snw_status status = snw_pose_read_json(scene, path, arena, &pose, &error);
		if (!snw_failed(status)) {
			read++;
			pose->name = "read";
			check_ok(snw_pose_check(pose, scene->skeleton.joint_count, scene->channel_count, &error), error);
		} else if (pose || !strstr(error.text, "pose.json")) {
			fail_msg("copy %u: status %d, %s, '%s'", i, status, pose ? "but a pose" : "no pose", error.text);
		}
		snw_arena_destroy(arena);
		free(copy);
	}
	print_message("%u of %u damaged poses could still be read\n", read, rounds);
	assert_true(read < rounds);
	unlink(path);
	snw_scene_destroy(scene);
}

TEST_GROUP(pose_hostile) {
	rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : rounds;
	const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_pose_is_refused_or_sound)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
