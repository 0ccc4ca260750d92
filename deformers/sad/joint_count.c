/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smallest number of proxy joints that meets an error.
 */
#include <math.h>

#include "sad/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The share of the remaining time for the next number: how many will follow is not known. */
static const double share_of_next = 0.25;

int seeks_joint_count(const mesh_fit *f) {
	return f->input->values[JOINTS].numbers[0] == JOINTS_AUTO && !has_rig(f->input->character->meshes[f->mesh]);
}

int misses_error(const mesh_fit *f, const joints_fit *fit) {
	return fit->error_percent > f->input->values[ERROR].numbers[0]; /* a mesh that stays at rest has no error */
}

/* A number of joints, and its error in percent. */
typedef struct trial {
	uint32_t joints;
	double error_percent;
} trial;

/* The smaller number if both meet the error; otherwise the one with the smaller error. */
static int is_better(const mesh_fit *f, const joints_fit *a, const joints_fit *b) {
	if (!b->has_transforms || misses_error(f, a) != misses_error(f, b)) {
		return !b->has_transforms || misses_error(f, b);
	}
	return misses_error(f, a) ? a->error_percent < b->error_percent : a->influences.joint_count < b->influences.joint_count;
}

static void exchange(joints_fit *a, joints_fit *b) {
	const joints_fit was = *a;
	*a = *b;
	*b = was;
}

/* Fits this many joints, and keeps them if they are the best so far. A stop before the first is done ends the whole fit. The
 * search's share of the mesh's time ends at `until`. */
static snw_status try_count(mesh_fit *f, uint32_t count, double until, trial *tried) {
	f->share_from = f->share_to;
	f->share_to += share_of_next * (until - f->share_to);
	const snw_status status = fit_joints(f, count);
	*tried = (trial){f->current.influences.joint_count, f->current.error_percent};
	if (status == SNW_CANCELLED && f->best.has_transforms) {
		return SNW_OK;
	}
	if (!snk_failed(status) && is_better(f, &f->current, &f->best)) {
		exchange(&f->current, &f->best);
	}
	return status;
}

/* The number of joints between two at which the error should be met, if it falls by a power of the number. */
static uint32_t guess_between(const trial *few, const trial *enough, double wanted) {
	const double power = log(few->error_percent / enough->error_percent) / log((double)enough->joints / few->joints);
	const double guess = enough->joints * pow(enough->error_percent / wanted, 1 / power);
	const uint32_t middle = few->joints + (enough->joints - few->joints) / 2;
	return guess > few->joints && guess < enough->joints ? (uint32_t)guess + (guess < enough->joints - 1) : middle;
}

/* Whether the search may try another number. */
static int may_try(const mesh_fit *f) {
	return f->must_finish ? has_time(f) : !(f->stopped_at > 0);
}

/* Doubles the number of joints until the error is met, or the limit is reached. `few`: the last that did not meet it. */
static snw_status double_joints(mesh_fit *f, double until, trial *few, trial *enough) {
	const uint32_t most = f->motion.point_count < MOST_AUTO_JOINTS ? f->motion.point_count : MOST_AUTO_JOINTS;
	for (uint32_t count = 1;; count = 2 * count < most ? 2 * count : most) {
		const snw_status status = try_count(f, count, until, enough);
		const int last = count == most || enough->joints < count || !may_try(f);
		if (snk_failed(status) || last || !(enough->error_percent > f->input->values[ERROR].numbers[0])) {
			return status;
		}
		*few = *enough;
	}
}

snw_status find_joint_count(mesh_fit *f) {
	const double wanted = f->input->values[ERROR].numbers[0], until = f->share_to;
	trial few = {0}, enough;
	f->share_to = f->share_from;
	snw_status status = double_joints(f, until, &few, &enough);
	while (!snk_failed(status) && may_try(f) && !(enough.error_percent > wanted) && enough.joints - few.joints > 1) {
		trial tried;
		status = try_count(f, guess_between(&few, &enough, wanted), until, &tried);
		*(tried.error_percent > wanted ? &few : &enough) = tried;
	}
	f->share_to = until;
	if (!snk_failed(status)) {
		exchange(&f->current, &f->best);
		drop_joints(&f->best);
	}
	if (!snk_failed(status) && misses_error(f, &f->current)) {
		snw_report_line(
			f->host, SNW_LOG_WARNING, "mesh '%s': %u joints leave an error of %.4g %%, more than the %g %% asked for",
			f->input->character->meshes[f->mesh]->name, f->current.influences.joint_count, f->current.error_percent, wanted);
	}
	return status;
}
