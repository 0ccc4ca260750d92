/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: parts, tree, then rotations, pivots and weights in turn.
 */
#include <math.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/bounds.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/mesh/face_area.h"
#include "sinew/kit/status.h"

enum { ROUNDS = 6, SLAB_PARTS = 32 };

int go_on(skeleton_fit *f, double done, const char *step) {
	f->done = done;
	f->step = step;
	f->stopped = f->stopped || !snw_report_progress(f->host, done, step);
	return !f->stopped;
}

int may_go_on(skeleton_fit *f) {
	return go_on(f, f->done, f->step);
}

snw_status run_in_slabs(skeleton_fit *f, uint32_t count, uint32_t grain, snk_range *range, void *argument) {
	const uint32_t most = SLAB_PARTS * grain;
	for (uint32_t first = 0; first < count;) {
		const uint32_t size = count - first < most ? count - first : most;
		snk_ranges_run_from(f->host, first, size, grain, range, argument);
		first += size;
		if (!may_go_on(f)) {
			return SNW_CANCELLED;
		}
	}
	return SNW_OK;
}

/* ---- what there is to read ----------------------------------------------------------------------------------------------- */

static snw_status gather_surface(skeleton_fit *f) {
	const snw_mesh_view *mesh = f->body;
	const snk_faces faces = snk_faces_of(mesh);
	f->diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count);
	f->areas = SNW_POOL_ARRAY(&f->pool, double, mesh->point_count);
	if (!f->areas) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t face = 0; face < faces.face_count; face++) {
		const uint32_t *corners = faces.points + faces.offsets[face], count = faces.offsets[face + 1] - faces.offsets[face];
		double area[3];
		snk_face_area(mesh->points_rest, corners, count, area);
		for (uint32_t c = 0; c < count; c++) {
			f->areas[corners[c]] += snw_length3(area) / count;
		}
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		f->areas[i] = f->areas[i] > 0 ? f->areas[i] : 1e-9 * f->diagonal * f->diagonal;
	}
	return snk_adjacency_find(&faces, SNK_NEIGHBOURS_ASCENDING, &f->pool, &f->rings);
}

static snw_status gather(skeleton_fit *f) {
	const snw_status status = gather_body(f);
	return snk_failed(status) ? status : gather_surface(f);
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

static void label_weights(skeleton_fit *f) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		f->weights[i] = (influence_set){.count = 1, .bones = {f->labels[i]}, .weights = {1}};
	}
}

snw_status open_moments(skeleton_fit *f) {
	const size_t count = f->bone_count, frames = f->frame_count;
	f->moments = (blend_moments){.rest = snw_pool_acquire(&f->pool, count * count, sizeof *f->moments.rest),
								 .posed = snw_pool_acquire(&f->pool, count * frames, sizeof *f->moments.posed),
								 .squares = SNW_POOL_ARRAY(&f->pool, double, frames)};
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* Adds the seconds since `begun`; returns the present. */
static double add_seconds(double begun, double *sum) {
	const double present = snk_clock_seconds();
	*sum += present - begun;
	return present;
}

/* Rotations, pivots, weights, round after round; rotations last. */
static snw_status fit_jointed(skeleton_fit *f) {
	snw_status status = f->moments.rest ? SNW_OK : open_moments(f);
	for (uint32_t round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		if (!go_on(f, 0.55 + 0.45 * round / ROUNDS, "fitting joints")) {
			return SNW_CANCELLED;
		}
		double begun = snk_clock_seconds();
		status = fit_weights(f, round == 0 ? f->parts : f->motions);
		begun = add_seconds(begun, &f->seconds.weights);
		status = snk_failed(status) ? status : gather_moments(f);
		if (!snk_failed(status) && round == 0) {
			start_motions(f);
		}
		status = snk_failed(status) ? status : fit_rotations(f);
		begun = add_seconds(begun, &f->seconds.rotations);
		status = snk_failed(status) || round + 1 == ROUNDS ? status : fit_pivots(f);
		add_seconds(begun, &f->seconds.pivots);
	}
	return status;
}

static void report(const skeleton_fit *f) {
	double squares = 0, worst = 0;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		squares += f->squares[frame];
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		worst = fmax(worst, f->tree.spreads[b]);
	}
	const double rms = sqrt(squares / ((double)f->frame_count * f->motion.point_count)), percent = 100 / f->diagonal;
	snw_report_line(
		f->host, SNW_LOG_INFO,
		"%u bones and a root: root mean square distance %.4g %% of the diagonal, with unconnected rigid parts %.4g %%; "
		"fixing the bones' lengths moved joints by up to %.4g %%",
		f->bone_count, rms * percent, f->parts_rms * percent, worst * percent);
	const snw_measured_number numbers[] = {{"parts", f->seconds.parts, "s"},
										   {"tree", f->seconds.tree, "s"},
										   {"weights", f->seconds.weights, "s"},
										   {"rotations", f->seconds.rotations, "s"},
										   {"pivots", f->seconds.pivots, "s"}};
	snw_report_measurements(f->host, "time", numbers, sizeof numbers / sizeof *numbers);
}

static snw_status run(skeleton_fit *f) {
	double begun = snk_clock_seconds();
	snw_status status = gather(f);
	status = snk_failed(status) ? status : read_drawing(f);
	if (!snk_failed(status) && f->drawing.bone_count > 0) {
		status = follow_drawing(f);
	} else if (!snk_failed(status)) {
		status = find_parts(f);
		status = snk_failed(status) ? status : connect_labels(f);
	}
	if (snk_failed(status)) {
		return status;
	}
	begun = add_seconds(begun, &f->seconds.parts);
	label_weights(f);
	status = find_tree(f);
	add_seconds(begun, &f->seconds.tree);
	status = snk_failed(status) ? status : fit_jointed(f);
	status = snk_failed(status) ? status : propose(f);
	if (!snk_failed(status)) {
		report(f);
		(void)snw_report_progress(f->host, 1, "fitted"); /* a stop from here on loses nothing */
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	skeleton_fit f = {.host = instance->host, .input = input, .pool = snw_pool_open(instance->host)};
	const snw_status status = run(&f);
	snw_pool_release(&f.pool);
	return snk_failed(status) ? status : snk_skin_model_copy(instance, input, model);
}
