/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether evaluation calls functions of the C library that take memory, lock, or read and write, behind the host's back.
 */
#include <stdlib.h>

#include "services/services.h"
#include "validate/checks/checks.h"
#include "validate/checks/watch_calls.h"

static snw_status call_fault(const char *function, const char *called, snw_error *finding) {
	return snw_fail(finding, SNW_ERROR_INTERNAL,
					"%s calls %s; evaluation must take no memory and no lock, and do no input or output: take what it needs in "
					"fit, or ask for scratch",
					function, called);
}

/* What a forbidden call ends is abandoned, with the buffers of the harness. */
static snw_status drive_quietly(const harness *b, const char *path, uint32_t pose, harness_driven *driven, snw_error *finding) {
	static watch_calls watch;
	const snw_thread_call before = snw_thread_current_call();
	if (watch_calls_begin(&watch, path) && setjmp(watch.back) == 0) {
		harness_drive(b, b->model, pose, 0, driven, finding);
	}
	watch_calls_end(&watch);
	snw_thread_leave(before);
	return watch.called ? call_fault("drive", watch.called, finding) : SNW_OK;
}

static snw_status deform_quietly(const harness *b, const char *path, uint32_t pose, const harness_driven *driven, uint32_t mesh,
								 double *points, snw_error *finding) {
	static watch_calls watch;
	const snw_thread_call before = snw_thread_current_call();
	if (watch_calls_begin(&watch, path) && setjmp(watch.back) == 0) {
		harness_deform(b, b->model, pose, driven, mesh, NULL, points);
	}
	watch_calls_end(&watch);
	snw_thread_leave(before);
	return watch.called ? call_fault("one of passes, prepare and deform", watch.called, finding) : SNW_OK;
}

snw_status snw_validate_quiet(harness *b, const check_settings *settings, snw_error *finding) {
	harness_driven driven;
	snw_status status = harness_driven_make(b, b->model, &driven, finding);
	for (uint32_t p = 0; p < b->scene->pose_count && !snw_failed(status); p++) {
		status = drive_quietly(b, settings->path, p, &driven, finding);
		for (uint32_t m = 0; m < b->scene->mesh_count && !snw_failed(status); m++) {
			double *points = malloc((size_t)3 * b->scene->meshes[m].point_count * sizeof *points);
			if (harness_is_black_box(b, b->model, m)) {
				status = deform_quietly(b, settings->path, p, &driven, m, points, finding);
			}
			free(points);
		}
	}
	harness_driven_free(&driven);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "no memory, lock, file or wait while it evaluates");
}
