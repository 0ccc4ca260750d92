/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenBLAS starts a thread for each core before main. Where the address space is limited, one of them cannot start, and the
 * program then ends at once or waits for it for ever at exit. Sinew uses one thread of it anyway, but only its environment
 * tells OpenBLAS so before it starts. So where there is a limit, the program starts once more with that variable set.
 */
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef __SANITIZE_ADDRESS__ /* which is not ready so early, and needs more address space than any limit */

enum { MOST_VARIABLES = 4096 };

static const char variable[] = "OPENBLAS_NUM_THREADS=";
static char one_thread[] = "OPENBLAS_NUM_THREADS=1";

static bool is_limited(void) {
	struct rlimit space;
	return getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
}

/* Copies the environment with the variable set. False where it was set already, or where the environment is too large. */
static bool change(char **environment, char **changed) {
	size_t count = 0;
	for (size_t i = 0; environment[i]; i++) {
		if (strcmp(environment[i], one_thread) == 0 || count + 2 >= MOST_VARIABLES) {
			return false;
		}
		if (strncmp(environment[i], variable, sizeof variable - 1) != 0) {
			changed[count++] = environment[i];
		}
	}
	changed[count++] = one_thread;
	changed[count] = NULL;
	return true;
}

/* Runs before any library is initialized: nothing may be allocated, and the environment is not yet where getenv looks. */
static void start_again(int count, char **arguments, char **environment) {
	static char *changed[MOST_VARIABLES];
	char path[PATH_MAX];
	(void)count;
	if (is_limited() && change(environment, changed)) {
		const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
		if (length > 0) {
			path[length] = '\0';
			execve(path, arguments, changed);
		}
	}
}

typedef void initializer(int count, char **arguments, char **environment);
__attribute__((section(".preinit_array"), used)) static initializer *const first = start_again;

#endif
