/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/examples/read_sculpt.h"

#include "cli/command_line/options/worker_limits.h"
#include "example/sculpt_files.h"

snw_status snw_call_read_sculpt(const snw_call *call, const snw_mesh *mesh, const double **points, snw_error *error) {
	const char *path = snw_call_option(call, "--mesh");
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the sculpt is missing; give it with --mesh TARGET.obj");
	}
	snw_worker_limits limits;
	const snw_status status = snw_call_limits(call, &limits, error);
	return snw_failed(status) ? status : snw_sculpt_read(path, mesh, &limits, &call->task, call->arena, points, error);
}
