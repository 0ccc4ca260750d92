/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file/changed_file.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A reader may still hold the one that is shown; the other one is written. */
static char paths[2][PATH_MAX];
static _Atomic(const char *) shown;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

void snw_changed_file_set(const char *path) {
	pthread_mutex_lock(&writing);
	const char *before = atomic_load(&shown);
	if (!path) {
		atomic_store(&shown, NULL);
	} else if (!before || strcmp(before, path) != 0) {
		char *next = paths[before == paths[0] ? 1 : 0];
		snprintf(next, sizeof paths[0], "%s", path);
		atomic_store(&shown, next);
	}
	pthread_mutex_unlock(&writing);
}

const char *snw_changed_file(void) {
	return atomic_load(&shown);
}
