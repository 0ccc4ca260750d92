/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/panels/timeline/timeline_curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/samples.h"
#include "pose/clip_times.h"
#include "render/overlay/legend.h"
#include "scene/scene.h"
#include "window/units/lengths.h"

static void read_errors(const snw_session *session, snw_curve *curve) {
	const float unit = (float)(1e-3 * snw_lengths_per_metre(session)); /* errors are in millimetres */
	curve->count = snw_error_curve_read(session->error_curve, SNW_CURVE_MOST, curve->seconds, curve->values);
	for (uint32_t i = 0; i < curve->count; i++) {
		curve->values[i] = curve->values[i] < 0 ? NAN : curve->values[i] * unit;
	}
	curve->length_unit = snw_length_unit_name(session);
	snprintf(curve->label, sizeof curve->label, "%s, largest error", curve->length_unit);
}

/* The clip's first mesh animation with values of the field. */
static const snw_target *find_target(const snw_session *session, const snw_field *field, uint32_t *first) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		*first = snw_samples_first_frame(scene, field, t);
		if (*first != SNW_NONE && snw_target_clip(scene, &scene->targets[t]) == session->state.clip) {
			return &scene->targets[t];
		}
	}
	return NULL;
}

static void read_field(const snw_session *session, const char *name, snw_curve *curve) {
	const snw_scene *scene = session->document->scene;
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, name);
	const snw_field *field = found == SNW_NONE ? NULL : &scene->fields[found];
	uint32_t first = 0;
	const snw_target *target = field ? find_target(session, field, &first) : NULL;
	if (!target) {
		return;
	}
	const bool is_length = snw_field_is_length(field);
	curve->count = target->frame_count < SNW_CURVE_MOST ? target->frame_count : SNW_CURVE_MOST;
	for (uint32_t i = 0; i < curve->count; i++) {
		const uint32_t f = (uint32_t)((uint64_t)i * target->frame_count / curve->count);
		curve->seconds[i] = target->seconds[f];
		curve->values[i] = (float)(snw_field_number(field, first + f) * (is_length ? snw_lengths_per_metre(session) : 1));
	}
	curve->length_unit = is_length ? snw_length_unit_name(session) : NULL;
	snprintf(curve->label, sizeof curve->label, "%s%s%s",
			 is_length     ? snw_length_unit_name(session)
			 : field->unit ? field->unit
						   : "",
			 field->unit && field->unit[0] ? ", " : "", field->name);
}

static void find_axis(snw_curve *curve) {
	double least = 0, most = 0;
	for (uint32_t i = 0; i < curve->count; i++) {
		if (!isnan(curve->values[i])) {
			least = fmin(least, (double)curve->values[i]);
			most = fmax(most, (double)curve->values[i]);
		}
	}
	const double step = most > least ? snw_legend_round_step(most - least, 2) : 1;
	curve->bottom = floor(least / step + 1e-6) * step;
	curve->top = fmax(ceil(most / step - 1e-6) * step, curve->bottom + step);
}

void snw_curve_read(const snw_session *session, snw_curve *curve) {
	const uint32_t plot = session->state.plot;
	curve->count = 0;
	curve->length_unit = NULL;
	if (plot == SNW_PLOT_ERROR) {
		read_errors(session, curve);
	} else {
		read_field(session, snw_plot_name(session->document, plot), curve);
	}
	find_axis(curve);
}

float snw_curve_at(const snw_curve *curve, double seconds) {
	const uint32_t at = snw_latest_time(curve->seconds, curve->count, seconds), next = at + 1 < curve->count ? at + 1 : at;
	const double span = curve->seconds[next] - curve->seconds[at];
	const float share = span > 0 ? (float)fmin(fmax((seconds - curve->seconds[at]) / span, 0), 1) : 0;
	return curve->values[at] + share * (curve->values[next] - curve->values[at]);
}
