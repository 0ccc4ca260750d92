/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blender's playback of an exported file, if Blender is installed.
 */
#ifndef SINEW_TESTS_EXPORT_PLAYERS_BLENDER_H
#define SINEW_TESTS_EXPORT_PLAYERS_BLENDER_H

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The file's points at moments of an animation, to be read by blender_points one after another, then closed. NULL if Blender
 * failed. */
static inline FILE *blender_play(const char *path, uint32_t animation, const double *seconds, uint32_t count) {
	const char *out = check_scratch("blender.txt");
	char command[4000], moments[400] = "";
	for (uint32_t i = 0, at = 0; i < count; i++) {
		at += (uint32_t)snprintf(moments + at, sizeof moments - at, " %.9g", seconds[i]);
	}
	snprintf(command, sizeof command, "blender -b --factory-startup -P '%s/play.py' -- '%s' '%s' %u%s >'%s.log' 2>&1",
			 getenv("SINEW_TEST_BLENDER"), path, out, animation, moments, out);
	unlink(out);
	return system(command) == 0 ? fopen(out, "r") : NULL;
}

/* The next moment's points, [count][3], to be freed. */
static inline double *blender_points(FILE *stream, uint32_t *count) {
	assert_int_equal(fscanf(stream, " points %u", count), 1);
	double *points = calloc(3 * (size_t)*count + 1, sizeof *points);
	for (size_t i = 0; i < 3 * (size_t)*count; i++) {
		assert_int_equal(fscanf(stream, "%lf", &points[i]), 1);
	}
	return points;
}

#endif
