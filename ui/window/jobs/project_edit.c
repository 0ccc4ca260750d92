/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What errands share.
 */
#include "window/jobs/project_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit/refit_stale.h"

snw_status snw_errand_refresh(snw_desk_space *desk, snw_errand *errand, snw_error *error) {
	const snw_worker_limits limits = {.in_process = true};
	snw_refresh refresh = {0};
	const snw_status status =
		snw_worker_refresh(desk->project, desk->path, desk->registry, &limits, desk->task, errand->arena, &refresh, error);
	if (status >= 0 && refresh.failed_count > 0) {
		snprintf(errand->caveat.text, sizeof errand->caveat.text, "%s", refresh.failed[0]);
	}
	return status;
}

snw_status snw_errand_commit(snw_desk_space *desk, snw_errand *errand, snw_change *change, void *order, snw_error *error) {
	if (!desk->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	snw_status status = snw_project_begin(desk->project, errand->what, error);
	status = status < 0 ? status : change(desk, order, error);
	if (status < 0) {
		snw_project_rollback(desk->project);
		return status;
	}
	status = snw_project_commit(desk->project, error);
	return status < 0 ? status : snw_errand_refresh(desk, errand, error);
}

const char *snw_free_name(const snw_scene *scene, snw_finder *find, const char *name, snw_arena *arena) {
	const char *dash = strrchr(name, '-'), *tried = name;
	char *end = NULL;
	const unsigned long number = dash ? strtoul(dash + 1, &end, 10) : 0;
	const bool numbered = number > 0 && *end == '\0';
	const int stem = numbered ? (int)(dash - name) : (int)strlen(name);
	for (unsigned long i = numbered ? number + 1 : 2; find(scene, tried) != SNW_NONE; i++) {
		tried = snw_arena_format(arena, "%.*s-%lu", stem, name, i);
	}
	return tried == name ? snw_arena_text(arena, name) : tried;
}
