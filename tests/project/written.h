/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projects in files, for the tests that open them: one is written, opened in vain, or changed.
 */
#ifndef SINEW_TESTS_PROJECT_WRITTEN_H
#define SINEW_TESTS_PROJECT_WRITTEN_H

#include "project/project.h"
#include "scene/fixture.h"

static snw_error error;

/* A file with the fixture's scene. */
static inline const char *make_project(const char *name) {
	const char *path = check_scratch(name);
	snw_scene *scene = fixture_scene();
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_scene_destroy(scene);
	return path;
}

/* Opening the file fails, and one line says these words. */
static inline void refuse(const char *path, bool read_only, snw_status wanted, const char *words) {
	snw_project *project = NULL;
	const snw_status status = snw_project_open(path, read_only, &project, &error);
	if (status != wanted || !strstr(error.text, words) || strchr(error.text, '\n')) {
		fail_msg("status %d (wanted %d): '%s' does not say '%s' in one line", status, wanted, error.text, words);
	}
}

/* A command that adds a pose. */
static inline snw_status add_pose(snw_project *project, const char *name) {
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_pose pose = scene->poses[0];
	pose.id = 0;
	pose.name = name;
	snw_status status = snw_project_begin(project, name, &error);
	status = snw_failed(status) ? status : snw_project_put_pose(project, &pose, NULL, &error);
	status = snw_failed(status) ? status : snw_project_commit(project, &error);
	snw_scene_destroy(scene);
	return status;
}

#endif
