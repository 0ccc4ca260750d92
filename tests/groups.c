/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main function of a test program: runs the group that its first argument names, with the arguments after it.
 */
#include "check.h"

static check_group *groups;

void check_add_group(check_group *group) {
	group->next = groups;
	groups = group;
}

int main(int argc, char **argv) {
	for (const check_group *group = groups; group; group = group->next) {
		if (argc > 1 && strcmp(argv[1], group->name) == 0) {
			return group->run(argc - 1, argv + 1);
		}
	}
	fprintf(stderr, "usage: %s GROUP [ARGUMENT…]; the groups are", argv[0]);
	for (const check_group *group = groups; group; group = group->next) {
		fprintf(stderr, " %s", group->name);
	}
	fprintf(stderr, "\n");
	return 2;
}
