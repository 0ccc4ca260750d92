/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main function of a test program: runs the group that its first argument names, with the arguments after it; or several
 * short ones in turn, which are named with commas between.
 */
#include "check.h"

static check_group *groups;

void check_add_group(check_group *group) {
	group->next = groups;
	groups = group;
}

static const check_group *find_group(const char *name) {
	for (const check_group *group = groups; group; group = group->next) {
		if (strcmp(name, group->name) == 0) {
			return group;
		}
	}
	return NULL;
}

static int run_all(char *names) {
	int failed = 0;
	for (char *rest, *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		const check_group *group = find_group(name);
		if (!group) {
			fprintf(stderr, "there is no group %s\n", name);
			return 2;
		}
		printf("group %s\n", name);
		fflush(stdout);
		failed += group->run(1, &name) != 0;
	}
	return failed > 0;
}

int main(int argc, char **argv) {
	const check_group *only = argc > 1 ? find_group(argv[1]) : NULL;
	if (only) {
		return only->run(argc - 1, argv + 1);
	}
	if (argc == 2 && strchr(argv[1], ',')) {
		return run_all(argv[1]);
	}
	fprintf(stderr, "usage: %s GROUP [ARGUMENT…]; the groups are", argv[0]);
	for (const check_group *group = groups; group; group = group->next) {
		fprintf(stderr, " %s", group->name);
	}
	fprintf(stderr, "\n");
	return 2;
}
