/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/loss.h"

#include <string.h>

#include "export/export.h"

/* The notices of an export, and its progress passed on. */
typedef struct listener {
	const snw_task *task;
	snw_arena *arena;
	const char *words; /* NULL for none */
} listener;

static bool pass_progress(void *context, double fraction, const char *activity) {
	return snw_task_progress(((const listener *)context)->task, fraction, activity);
}

static void keep_notice(void *context, snw_log_level level, const char *line) {
	listener *l = context;
	(void)level;
	if (!l->words || !strstr(l->words, line)) {
		l->words = snw_arena_format(l->arena, "%s%s%s", l->words ? l->words : "", l->words ? "; " : "", line);
	}
}

snw_status snw_compare_loss_find(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								 snw_arena *arena, snw_compare_loss *loss, snw_error *error) {
	listener l = {.task = task, .arena = arena};
	const snw_task listening = {.context = &l, .progress = pass_progress, .notice = keep_notice};
	const snw_export_request request = {.mesh = SNW_NONE, .clip = clip, .influences = 4};
	snw_export_report report = {0};
	snw_error reason = {0};
	const snw_status status = snw_export_losses(scene, stack, &request, &listening, &report, &reason);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "the comparison was cancelled");
	}
	*loss = (snw_compare_loss){
		.is_known = !snw_failed(status),
		.erms = report.playback_erms,
		.max_percent = report.playback_max_percent,
		.normals_degrees = report.playback_normals_degrees,
		.source_erms = report.source_erms,
		.morph_count = report.morph_count,
		.proxy_count = report.proxy_count,
		.words = snw_failed(status) ? snw_arena_text(arena, reason.text) : l.words,
	};
	return SNW_OK;
}
