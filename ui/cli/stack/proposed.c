/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew skeleton and sinew bind: the errors, which they print besides the reports of their operators (operators/skeleton.c).
 */
#include "cli/command_line/operate.h"
#include "cli/stack/error_table.h"
#include "operators/nouns.h"

/* Where there is a ground truth. */
static snw_status show_proposed(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	snw_opened opened;
	(void)work;
	snw_status status = snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	if (opened.scene->example_count + opened.scene->target_count > 0) {
		status = snw_error_table_print(call, &opened, NULL, 0, NULL, error);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option proposed_options[] = {
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_skeleton = {
	.name = "skeleton", .noun = &snw_operators_skeleton, .show = show_proposed, .options = proposed_options};
const snw_verb snw_verb_bind = {
	.name = "bind", .noun = &snw_operators_bind, .show = show_proposed, .options = proposed_options};
