/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damaged and hostile project files: opening, loading, undoing and writing give one line of error or a good scene; they never
 * crash or hang.
 */
#include "mutate.h"
#include "project/dump.h"
#include "project/project.h"
#include "scene/fixture.h"

static snw_error error;

static unsigned char *read_whole(const char *path, size_t *count) {
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*count = (size_t)ftell(file);
	rewind(file);
	unsigned char *bytes = malloc(*count);
	assert_int_equal(fread(bytes, 1, *count, file), *count);
	fclose(file);
	return bytes;
}

static void write_whole(const char *path, const unsigned char *bytes, size_t count) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

/* A project with a scene and some history. */
static void make_project(const char *path) {
	snw_scene *scene = fixture_scene();
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	for (int i = 0; i < 3; i++) {
		snw_pose pose = scene->poses[0];
		char name[20];
		snprintf(name, sizeof name, "pose %d", i);
		pose.name = name;
		check_ok(snw_project_begin(project, name, &error), error);
		check_ok(snw_project_put_pose(project, &pose, NULL, &error), error);
		check_ok(snw_project_commit(project, &error), error);
	}
	check_ok(snw_project_undo(project, NULL, &error), error);
	snw_project_close(project);
	snw_scene_destroy(scene);
}

static void check_line(void) {
	if (error.text[0] == 0 || strchr(error.text, '\n')) {
		fail_msg("not one line: '%s'", error.text);
	}
}

/* Everything one can do with a project, as far as it goes. True where the scene was good. */
static bool use_project(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL, *again = NULL;
	bool good = false;
	if (snw_project_open(path, false, &project, &error) != SNW_OK) {
		check_line();
		return false;
	}
	if (snw_project_scene(project, &scene, &error) == SNW_OK) {
		good = true;
		if (scene->pose_count > 0 && snw_project_begin(project, "more", &error) == SNW_OK) {
			snw_pose pose = scene->poses[0];
			pose.id = 0;
			pose.name = "more";
			if (snw_project_put_pose(project, &pose, NULL, &error) == SNW_OK) {
				(void)snw_project_commit(project, &error);
			}
			snw_project_rollback(project);
		}
		for (int i = 0; i < 4 && snw_project_undo(project, NULL, &error) == SNW_OK; i++) {
			if (snw_project_scene(project, &again, &error) == SNW_OK) {
				snw_scene_destroy(again);
			}
		}
		(void)snw_project_redo(project, NULL, &error);
		snw_scene_destroy(scene);
	} else {
		check_line();
	}
	snw_project_close(project);
	return good;
}

static void damaged_copy_gives_an_error_or_a_good_scene(void **state) {
	(void)state;
	const char *rounds_wanted = getenv("SINEW_TEST_ROUNDS");
	const int rounds = rounds_wanted ? atoi(rounds_wanted) : 150;
	uint64_t random = mutate_seed("hostile");
	const char *path = check_scratch("hostile.sinew");
	size_t count = 0;
	make_project(path);
	unsigned char *bytes = read_whole(path, &count);
	int good = 0;
	for (int round = 0; round < rounds; round++) {
		size_t mutated_count = 0;
		unsigned char *mutated = mutate_copy(bytes, count, mutate_random(&random), &mutated_count);
		assert_non_null(mutated);
		write_whole(path, mutated, mutated_count);
		free(mutated);
		alarm(60); /* a hang ends the test */
		good += use_project(path);
		alarm(0);
	}
	print_message("%d damaged copies of %zu bytes: %d could still be read\n", rounds, count, good);
	free(bytes);
	unlink(path);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_copy_gives_an_error_or_a_good_scene)};
	return cmocka_run_group_tests_name("hostile projects", tests, NULL, NULL);
}
