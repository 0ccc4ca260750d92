/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The progress of a fit, and the effect of a stop. A fit by the paper's method alone ends without a result, and so does any
 * fit before every frame has transforms; a fit that is refined, or that searches its number of joints, ends with the best so
 * far.
 */
#include "sad/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* Seconds for the remaining work after a stop. The host waits for five. */
static const double seconds_to_finish = 2;

int has_time(const mesh_fit *f) {
	return !(f->stopped_at > 0) || snk_clock_seconds() - f->stopped_at < seconds_to_finish;
}

snw_status status_of_stop(const mesh_fit *f) {
	const int has_best = f->is_thorough && f->current.has_transforms;
	return f->stopped_at > 0 && !f->must_finish && !has_best ? SNW_CANCELLED : SNW_OK;
}

snw_status go_on(mesh_fit *f, double done, const char *task) {
	const double meshes = f->input->character->mesh_count;
	const double values = f->share_from + done * (f->share_to - f->share_from);
	if (!snw_report_progress(f->host, (f->mesh + values) / meshes, task) && !(f->stopped_at > 0)) {
		f->stopped_at = snk_clock_seconds();
	}
	return status_of_stop(f);
}

static int part_goes_on(void *context, double done) {
	mesh_fit *f = context;
	const fit_part *part = &f->part;
	const snw_status status = go_on(f, part->from + done * (part->to - part->from), part->task);
	return !snk_failed(status) && (part->after_stop ? has_time(f) : !(f->stopped_at > 0));
}

snk_steps begin_part(mesh_fit *f, double from, double to, const char *task) {
	f->part = (fit_part){from, to, task, f->stopped_at > 0};
	return (snk_steps){part_goes_on, f};
}
