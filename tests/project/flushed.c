/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What survives a power failure: projects are on the disk, and their names too, before a command reports that it is done.
 */
#include "flushed.h"

#include "written.h"

static void new_project_is_flushed_and_then_its_folder(void **state) {
	(void)state;
	for (int is_replaced = 0; is_replaced < 2; is_replaced++) {
		file_call_count = 0;
		check_renamed_durably(make_project("new.sinew"));
	}
}

static void result_of_a_worker_is_flushed_and_then_its_folder(void **state) {
	(void)state;
	char finished[1100];
	snprintf(finished, sizeof finished, "%s", make_project("finished.sinew"));
	const char *path = make_project("old.sinew");
	file_call_count = 0;
	check_ok(snw_project_move(finished, path, &error), error);
	check_renamed_durably(path);
	unlink(path);
}

/* A command is committed by the removal of SQLite's journal. */
static void removal_of_the_journal_is_flushed(void **state) {
	(void)state;
	snw_project *project = NULL;
	const char *path = make_project("changed.sinew");
	check_ok(snw_project_open(path, false, &project, &error), error);
	file_call_count = 0;
	check_ok(add_pose(project, "more"), error);
	const size_t written = place_of_call((file_call){CALL_FLUSH, inode_of(path)}, 0);
	const size_t removed = place_of_call((file_call){.kind = CALL_REMOVE}, written);
	assert_true(removed < MOST_CALLS);
	assert_true(place_of_call((file_call){CALL_FLUSH, inode_of_folder(path)}, removed) < MOST_CALLS);
	snw_project_close(project);
	unlink(path);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_project_is_flushed_and_then_its_folder),
		cmocka_unit_test(result_of_a_worker_is_flushed_and_then_its_folder),
		cmocka_unit_test(removal_of_the_journal_is_flushed),
	};
	return cmocka_run_group_tests_name("flushed projects", tests, NULL, NULL);
}
