/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What small.c does wrong as it is loaded and unloaded, and how it crashes and hangs.
 */
#ifndef SINEW_TESTS_PLUGIN_SMALL_MISDEEDS_H
#define SINEW_TESTS_PLUGIN_SMALL_MISDEEDS_H

#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables.h"

__attribute__((unused)) static void hang(void) {
	for (volatile unsigned i = 0;; i++) {
	}
}

#if defined(SMALL_ABORTS_ON_LOAD) || defined(SMALL_HANGS_ON_LOAD) || defined(SMALL_EXITS_ON_LOAD) ||                           \
	defined(SMALL_WAITS_ON_LOAD) || defined(SMALL_IS_KILLED_ON_LOAD)
__attribute__((constructor)) static void give_up(void) {
#if defined(SMALL_ABORTS_ON_LOAD)
	abort();
#elif defined(SMALL_IS_KILLED_ON_LOAD)
	kill(getpid(), SIGKILL);
#elif defined(SMALL_WAITS_ON_LOAD)
	sleep(1000);
#elif defined(SMALL_EXITS_ON_LOAD)
	exit(0);
#else
	hang();
#endif
}
#endif

#ifdef SMALL_LOADS_ONCE
__attribute__((constructor)) static void load_once(void) {
	if (getenv("SMALL_WAS_LOADED")) {
		abort();
	}
	setenv("SMALL_WAS_LOADED", "1", 1);
}
#endif

#ifdef SMALL_CRASHES_ON_UNLOAD
__attribute__((destructor)) static void crash(void) {
	abort();
}
#endif

#ifdef SMALL_LEAVES_A_THREAD
static void *stay(void *argument) {
	(void)argument;
	hang();
	return NULL;
}
#endif

#ifdef SMALL_OVERFLOWS_IN_DEFORM
static uint32_t overflow(uint32_t depth) {
	volatile char room[1000];
	room[depth % sizeof room] = (char)depth;
	return depth == UINT32_MAX ? 0 : overflow(depth + 1) + (uint32_t)room[(depth + 1) % sizeof room];
}
#endif

/* The function that crashes: it writes on and on behind a block of memory, first over what else the process holds. */
enum crashing_function { in_none, in_load, in_layout, in_passes, in_drive, in_prepare, in_deform, in_lower, in_release };
#ifndef SMALL_CRASHES_IN
#define SMALL_CRASHES_IN in_none
#endif
__attribute__((no_sanitize("address", "undefined"))) static void crash_in(enum crashing_function function) {
	if (function == SMALL_CRASHES_IN) {
		for (volatile char *c = malloc(100);; c++) {
			*c = 0x5a;
		}
	}
}

#if defined(SMALL_THROWS_IN_DEFORM) || defined(SMALL_THROWS_IN_FIT)
void small_throw(void); /* throws.cpp */
#endif

#ifdef SMALL_NEEDS_NEIGHBOURS
/* Libraries beside this file and in the folder `far` beside its own. */
int small_near(void);
int small_far(void);

static char opened[1000];

static snw_status open_file(const snw_open_call *call) {
	snprintf(opened, sizeof opened, "%s", call->path);
	return SNW_OK;
}

/* Whether near.txt is beside a file. */
static int has_neighbour(const char *path) {
	char beside[1100];
	snprintf(beside, sizeof beside, "%.*snear.txt", (int)(strrchr(path, '/') + 1 - path), path);
	return access(beside, R_OK) == 0;
}

static int has_neighbours(void) {
	Dl_info found;
	return small_near() == 1 && small_far() == 2 && strstr(opened, "/plugins/mine.so") && has_neighbour(opened) &&
		   dladdr(&descriptor, &found) && has_neighbour(found.dli_fname);
}
#else
#define open_file NULL
#endif

#ifdef SMALL_DIVIDES_BY_HEIGHT
static double flatness_of(const snw_mesh_view *mesh) {
	double least = mesh->points_rest[1], most = least;
	for (size_t i = 1; i < mesh->point_count; i++) {
		least = fmin(least, mesh->points_rest[3 * i + 1]);
		most = fmax(most, mesh->points_rest[3 * i + 1]);
	}
	return 1 / (most - least);
}
#endif

#endif
