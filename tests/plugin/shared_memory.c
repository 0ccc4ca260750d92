/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that plug-in processes share with the program is the program's: they write to what it has acquired, and acquire none.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isolation/plugin_process.h"

static void plug_in_process_neither_acquires_nor_releases(void **state) {
	(void)state;
	assert_true(snw_shared_memory_open());
	unsigned char *mine = snw_shared_memory_acquire(10000), *next;
	assert_non_null(mine);
	memset(mine, 0x11, 10000);
	const pid_t child = fork();
	if (child == 0) {
		snw_shared_memory_leave();
		const int is_sound = mine[9999] == 0x11 && snw_shared_memory_has(mine, 10000) && !snw_shared_memory_acquire(100);
		mine[0] = 0x22;
		snw_shared_memory_release(mine);
		_exit(is_sound ? 0 : 1);
	}
	int ended;
	assert_int_equal(waitpid(child, &ended, 0), child);
	assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
	assert_int_equal(mine[0], 0x22);
	assert_int_equal(mine[9999], 0x11);
	next = snw_shared_memory_acquire(100);
	assert_true(next && next[0] == 0 && next[99] == 0);
	snw_shared_memory_release(next);
	snw_shared_memory_release(mine);
}

/* A plug-in of an administrator can open what is mapped. */
static void file_behind_it_cannot_be_cut(void **state) {
	(void)state;
	unsigned long first, last;
	char line[600], path[100] = "";
	assert_true(snw_shared_memory_open());
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps)) {
		if (strstr(line, "sinew-plugins") && sscanf(line, "%lx-%lx", &first, &last) == 2) {
			snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", first, last);
		}
	}
	assert_non_null(maps);
	fclose(maps);
	assert_true(path[0]);
	const int file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0) {
		skip(); /* only an administrator can */
	}
	assert_true(ftruncate(file, 0) != 0 && errno == EPERM);
	close(file);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plug_in_process_neither_acquires_nor_releases),
		cmocka_unit_test(file_behind_it_cannot_be_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
