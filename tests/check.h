/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every test includes: cmocka, groups, where the test data are, a scratch folder, and near-equality with a message.
 */
#ifndef SINEW_TESTS_CHECK_H
#define SINEW_TESTS_CHECK_H

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The tests of a file are a group. A folder's groups are one program, for which `TEST_GROUP(name) {` begins what would be main
 * in a program of the file alone; argv[0] is the group's name. */
#define TEST_GROUP(group_name)                                                                                                 \
	static int run_##group_name(int argc, char **argv);                                                                        \
	__attribute__((constructor)) static void add_##group_name(void) {                                                          \
		static check_group group = {#group_name, run_##group_name, NULL};                                                      \
		check_add_group(&group);                                                                                               \
	}                                                                                                                          \
	static int run_##group_name(__attribute__((unused)) int argc, __attribute__((unused)) char **argv)

typedef struct check_group {
	const char *name;
	int (*run)(int argc, char **argv);
	struct check_group *next;
} check_group;

void check_add_group(check_group *group);

/* Seconds for a check of `snw_validate`: its default is for a build without sanitizers on a machine that does nothing else. */
#define CHECK_PATIENCE_SECONDS 600

/* The path of a file or folder of the test data, in one of a few static buffers. "small/…" and "fbx/…" are in tests/data and
 * always there; for others there may be no folder: then the test is skipped, and says so. A skip leaves the test at once, and
 * what is open then is lost: ask for a file, or for its folder, before anything is opened. */
static inline const char *check_data(const char *name) {
	static char buffers[8][1024];
	static unsigned next;
	char *path = buffers[next++ % 8];
	const bool small = strncmp(name, "small/", 6) == 0 || strncmp(name, "fbx/", 4) == 0;
	const char *folder = getenv(small ? "SINEW_TEST_SMALL_DATA" : "SINEW_TEST_DATA");
	snprintf(path, sizeof buffers[0], "%s/%s", folder ? folder : "", name);
	if (!small) {
		print_message("test data: %s\n", name); /* tests/run.py looks for this line */
	}
	if (!folder || !*folder || access(path, R_OK) != 0) {
		print_message("skipped: no test data at %s\n", name);
		skip();
	}
	return path;
}

/* Skips the test, and says so, where there is no Blender, or none with numpy, which its reader of glTF needs. */
static inline void check_blender(void) {
	if (system("blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1") != 0) {
		print_message("skipped: there is no blender with numpy on this machine\n");
		skip();
	}
}

/* Makes the decimal point a comma, as where German is spoken, until setlocale(LC_NUMERIC, "C"). Skips the test where the
 * machine cannot make such a locale (meson.build). */
static inline void check_comma_locale(void) {
	if (!setlocale(LC_NUMERIC, "comma")) {
		print_message("skipped: localedef made no locale with a decimal comma\n");
		skip();
	}
	assert_string_equal(localeconv()->decimal_point, ",");
}

/* A path in a scratch folder of this process; the test removes what it leaves, or the system does. */
static inline const char *check_scratch(const char *name) {
	static char folder[64];
	static char buffers[8][1024];
	static unsigned next;
	if (!folder[0]) {
		snprintf(folder, sizeof folder, "/tmp/sinew-test-XXXXXX");
		assert_non_null(mkdtemp(folder));
	}
	char *path = buffers[next++ % 8];
	snprintf(path, sizeof buffers[0], "%s/%s", folder, name);
	return path;
}

#define check_near(a, b, tolerance)                                                                                            \
	do {                                                                                                                       \
		const double check_a = (double)(a), check_b = (double)(b), check_t = (double)(tolerance);                              \
		if (!(fabs(check_a - check_b) <= check_t)) {                                                                           \
			fail_msg("%s = %.17g, %s = %.17g: they differ by %.3g, more than %.3g", #a, check_a, #b, check_b,                  \
					 fabs(check_a - check_b), check_t);                                                                        \
		}                                                                                                                      \
	} while (0)

/* A status that must be OK; shows the error's line where it is not. */
#define check_ok(status, error)                                                                                                \
	do {                                                                                                                       \
		const int check_status = (status);                                                                                     \
		if (check_status != 0) {                                                                                               \
			fail_msg("%s: status %d: %s", #status, check_status, (error).text);                                                \
		}                                                                                                                      \
	} while (0)

#endif
