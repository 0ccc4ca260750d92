/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process that is killed while it writes loses only the current command. A child commits numbered commands and reports
 * each through a pipe; it is killed at a random moment. The file then has every reported command and at most one more, and
 * is valid. The next child continues from there.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "project/dump.h"
#include "project/project.h"
#include "random.h"
#include "scene/fixture.h"

static snw_error error;

/* Command n sets the pose "counter" to n seconds, adds a pose of its own, rewrites a target's frames and replaces an array that
 * is apart: rows of several tables, over several pages. */
static snw_status run_numbered(snw_project *project, const snw_scene *scene, uint32_t number) {
	enum { FRAMES = 40 };
	char name[40];
	snprintf(name, sizeof name, "command %u", number);
	float points[24 * FRAMES];
	double seconds[FRAMES];
	for (int i = 0; i < 24 * FRAMES; i++) {
		points[i] = (float)(number + (uint32_t)i);
		seconds[i % FRAMES] = i % FRAMES;
	}
	snw_pose counter = scene->poses[0], numbered_pose = scene->poses[0];
	counter.id = numbered_pose.id = 0;
	counter.name = "counter";
	numbered_pose.name = name;
	counter.seconds = numbered_pose.seconds = number;
	unsigned char bytes[20000];
	memset(bytes, (int)(number % 256), sizeof bytes);
	const snw_saved_model model = {
		.name = "counted", .deformer = "org.example", .deformer_version = "1", .bytes = bytes, .byte_count = sizeof bytes};
	const snw_target target = {.name = "frames", .frame_count = FRAMES, .seconds = seconds, .points_posed = points};
	snw_status status = snw_project_begin(project, name, &error);
	status = snw_failed(status) ? status : snw_project_put_pose(project, &counter, NULL, &error);
	status = snw_failed(status) ? status : snw_project_put_target(project, &target, scene->meshes[0].id, 8, 0, NULL, &error);
	status = snw_failed(status) ? status : snw_project_put_pose(project, &numbered_pose, NULL, &error);
	status = snw_failed(status) ? status : snw_project_put_model(project, &model, NULL, &error);
	return snw_failed(status) ? status : snw_project_commit(project, &error);
}

static void write_until_killed(const char *path, uint32_t next, int report) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	if (snw_failed(snw_project_open(path, false, &project, &error)) || snw_failed(snw_project_scene(project, &scene, &error))) {
		fprintf(stderr, "child: %s\n", error.text);
		_exit(1);
	}
	for (;; next++) {
		if (snw_failed(run_numbered(project, scene, next))) {
			fprintf(stderr, "child: %s\n", error.text);
			_exit(1);
		}
		if (write(report, &next, sizeof next) != sizeof next) {
			_exit(1);
		}
	}
}

/* Runs one child from command `next` and kills it; returns the last command it reported, next - 1 for none. */
static uint32_t kill_child(const char *path, uint32_t next, long microseconds) {
	int ends[2];
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	fflush(NULL);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		close(ends[0]);
		write_until_killed(path, next, ends[1]);
	}
	close(ends[1]);
	nanosleep(&(struct timespec){.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000}, NULL);
	kill(child, SIGKILL);
	int how = 0;
	waitpid(child, &how, 0);
	if (!WIFSIGNALED(how)) {
		fail_msg("the child ended by itself");
	}
	uint32_t reported = next - 1, number;
	while (read(ends[0], &number, sizeof number) == sizeof number) {
		reported = number;
	}
	close(ends[0]);
	return reported;
}

/* The number of commands in the file, which must be valid and consistent with its journal. */
static uint32_t check_file(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	const uint32_t counter = snw_scene_find_pose(scene, "counter"), frames = snw_scene_find_target(scene, "frames");
	const uint32_t committed = counter == SNW_NONE ? 0 : (uint32_t)scene->poses[counter].seconds;
	assert_int_equal(frames == SNW_NONE, committed == 0);
	if (committed > 0) {
		check_near(scene->targets[frames].points_posed[0], committed, 0);
		assert_int_equal(scene->models[scene->model_count - 1].bytes[19999], committed % 256);
		char name[40];
		snprintf(name, sizeof name, "command %u", committed);
		assert_true(snw_scene_find_pose(scene, name) != SNW_NONE);
	}
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT count(*) - 1 FROM journal"), committed);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_int_equal(dump_integer(path,
								  "SELECT count(*) FROM array WHERE id NOT IN (SELECT array FROM journal_array) AND id NOT IN "
								  "(SELECT bytes FROM model UNION SELECT elements FROM field UNION SELECT points_posed FROM "
								  "example UNION SELECT edited FROM example WHERE edited NOT NULL)"),
					 0);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM journal_array WHERE is_made AND array IN (SELECT id FROM array)"),
					 committed);
	return committed;
}

static void project_killed_at_random_moments_keeps_its_commits(void **state) {
	(void)state;
	const char *rounds_wanted = getenv("SINEW_TEST_ROUNDS");
	const int rounds = rounds_wanted ? atoi(rounds_wanted) : 30;
	uint64_t random = random_seed();
	const char *path = check_scratch("killed.sinew");
	snw_scene *scene = fixture_scene();
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_scene_destroy(scene);
	uint32_t committed = 0, unreported = 0, cut_short = 0;
	for (int round = 0; round < rounds; round++) {
		const uint32_t reported = kill_child(path, committed + 1, 1000 + (long)random_below(&random, 60000));
		char journal[1100];
		snprintf(journal, sizeof journal, "%s-journal", path);
		cut_short += access(journal, F_OK) == 0;
		const uint32_t found = check_file(path);
		assert_true(access(journal, F_OK) != 0);
		if (found < reported || found > reported + 1) {
			fail_msg("round %d: %u commands were reported, the file holds %u", round, reported, found);
		}
		unreported += found - reported;
		committed = found;
	}
	print_message("%d kills: %u commands kept, %u kills in the middle of a write, %u just before the report\n", rounds,
				  committed, cut_short, unreported);
	/* Everything can be undone. */
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	for (uint32_t i = 0; i < committed; i++) {
		check_ok(snw_project_undo(project, NULL, &error), error);
	}
	assert_int_equal(snw_project_undo(project, NULL, &error), SNW_ERROR_MISSING);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM pose WHERE name LIKE 'command%'"), 0);
	unlink(path);
}

TEST_GROUP(killed) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(project_killed_at_random_moments_keeps_its_commits)};
	return cmocka_run_group_tests_name("killed", tests, NULL, NULL);
}
