/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One frame: damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963).
 */
#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "track/track_internal.h"

enum { MOST_STEPS = 60 };

/* A search ends if a step lowers the error by less than this share, or if the error is below this part of the diagonal. */
static const double least_gain = 1e-6, exact = 1e-10;

static const double first_damping = 1e-4, least_damping = 1e-9, most_damping = 1e6;

/* This part of the mean diagonal entry is added to all, so that unknowns which move no point stay 0. */
static const double floor_damping = 1e-9;

static bool solve_damped(tracker *t, double damping) {
	const size_t n = t->unknown_count;
	double mean = 0;
	memcpy(t->damped, t->matrix, n * n * sizeof *t->damped);
	memcpy(t->step, t->right, n * sizeof *t->step);
	for (size_t i = 0; i < n; i++) {
		mean += t->matrix[i * (n + 1)] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		t->damped[i * (n + 1)] += damping * t->matrix[i * (n + 1)] + floor_damping * mean;
	}
	return snw_solve_positive(n, 1, t->damped, t->step);
}

static void swap_equations(tracker *t) {
	const posed_equations present = t->present;
	t->present = t->trial;
	t->trial = present;
}

snw_status tracker_fit_frame(tracker *t, snw_error *error) {
	const double points = t->point_count, enough = exact * t->diagonal;
	double damping = first_damping;
	snw_status status = tracker_linearize(t, &t->present, error);
	for (int n = 0; n < MOST_STEPS && !snw_failed(status) && t->unknown_count > 0; n++) {
		tracker_reduce(t, &t->present);
		double gain = 0;
		while (gain <= 0 && damping < most_damping && !snw_failed(status)) {
			if (solve_damped(t, damping)) {
				tracker_apply(t, &t->present, t->step, t->trial.pose);
				status = tracker_linearize(t, &t->trial, error);
				gain = t->present.squares - t->trial.squares;
			}
			damping = gain > 0 ? fmax(damping / 10, least_damping) : damping * 10;
		}
		if (gain > 0) {
			swap_equations(t);
		}
		if (!(gain > least_gain * t->present.squares) || t->present.squares < points * enough * enough) {
			break;
		}
	}
	return status;
}
