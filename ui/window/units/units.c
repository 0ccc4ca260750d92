/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lengths, parameters and errors as the window shows them.
 */
#include "window/units/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "measure/measure.h"
#include "pose/pose.h"
#include "window/session/session.h"

/* ---- lengths ------------------------------------------------------------------------------------------------------------- */

typedef struct unit_row {
	const char *name;
	double per_metre;
	int decimals; /* of a millimetre in this unit */
} unit_row;

static const unit_row units[SNW_LENGTH_UNITS] = {
	[SNW_LENGTH_MILLIMETRES] = {"mm", 1000, 0}, [SNW_LENGTH_CENTIMETRES] = {"cm", 100, 1}, [SNW_LENGTH_METRES] = {"m", 1, 3}};

/* Characters up to this size, in metres, are measured in millimetres and centimetres. */
static const double SMALL = 5, LARGE = 50;

static const unit_row *unit_of(const snw_session *session) {
	const double size = session->document ? session->document->size : 0;
	const snw_length_unit chosen = session->preferences.length_unit;
	return &units[chosen != SNW_LENGTH_AUTOMATIC ? chosen
				  : size <= SMALL                ? SNW_LENGTH_MILLIMETRES
				  : size <= LARGE                ? SNW_LENGTH_CENTIMETRES
												 : SNW_LENGTH_METRES];
}

const char *snw_length_unit_name(const snw_session *session) {
	return unit_of(session)->name;
}

double snw_lengths_per_metre(const snw_session *session) {
	return unit_of(session)->per_metre;
}

void snw_length_format(const snw_session *session, int part, char *format, size_t size) {
	const unit_row *unit = unit_of(session);
	const int decimals = unit->decimals + (part >= 100 ? 2 : part >= 10 ? 1 : 0);
	snprintf(format, size, "%%.%df %s", decimals, unit->name);
}

void snw_length_write(const snw_session *session, double metres, char *words, size_t size) {
	const unit_row *unit = unit_of(session);
	snprintf(words, size, "%.*f %s", unit->decimals + 2, metres * unit->per_metre, unit->name);
}

/* The root mean square distance of points, metres, from their E_RMS, which counts coordinates, three for a point, and half
 * diagonals. */
static double length_of_erms(double erms, double diagonal) {
	return sqrt(3) * erms / 2000 * diagonal;
}

bool snw_errors_are_lengths(const snw_session *session) {
	return session->preferences.error_unit != SNW_ERRORS_AS_ERMS;
}

const char *snw_error_name(const snw_session *session) {
	return snw_errors_are_lengths(session) ? "mean error" : "E_RMS";
}

double snw_errors_per_erms(const snw_session *session, double diagonal) {
	return snw_errors_are_lengths(session) ? length_of_erms(1, diagonal) * snw_lengths_per_metre(session) : 1;
}

void snw_error_write(const snw_session *session, double erms, double diagonal, char *words, size_t size) {
	if (snw_errors_are_lengths(session)) {
		snw_length_write(session, length_of_erms(erms, diagonal), words, size);
	} else {
		snprintf(words, size, "%.3f", erms);
	}
}

/* ---- parameter units ----------------------------------------------------------------------------------------------------- */

enum { LONGEST_UNIT = 12 };

/* "rad" and "rad/m", not "radius". */
static bool is_angle(const char *unit) {
	return strncmp(unit, "rad", 3) == 0 && (unit[3] == '\0' || unit[3] == '/');
}

double snw_parameter_unit_scale(const char *unit) {
	return is_angle(unit) ? 180 / M_PI : 1;
}

/* Appends whole letters while there is room; a `doubled` one is written twice. */
static void append(const char *from, char doubled, char *text, size_t size) {
	size_t used = strlen(text);
	for (size_t length; *from; from += length) {
		const size_t letter = snw_text_letter(from);
		const bool is_doubled = doubled && *from == doubled;
		length = letter > 0 ? letter : 1;
		if (used + length + is_doubled >= size) {
			break;
		}
		memcpy(text + used, from, length);
		used += length;
		if (is_doubled) {
			text[used++] = doubled;
		}
	}
	text[used] = '\0';
}

void snw_parameter_unit_words(const char *unit, char *words, size_t size) {
	char shown[LONGEST_UNIT + 1] = "";
	append(is_angle(unit) ? unit + 3 : unit, '\0', shown, sizeof shown);
	snprintf(words, size, "%s%s", is_angle(unit) ? "°" : unit[0] ? " " : "", shown);
}

void snw_parameter_unit_format(const char *number, const char *words, char *format, size_t size) {
	snprintf(format, size, "%s", number);
	append(words, '%', format, size);
}

/* ---- error scale --------------------------------------------------------------------------------------------------------- */

/* Moments are chosen in the window's thread and evaluated in the background. */

enum { SAMPLES = 12 };

typedef struct scale_request {
	uint32_t round; /* the display's scale_round at the request */
	uint32_t count;
	snw_moment moments[SAMPLES];
	const snw_pose *poses[SAMPLES];
	double most; /* the result */
} scale_request;

/* The largest error of the baseline at one moment, millimetres; 0 if it gives no points. */
static double baseline_error(const snw_document *document, const snw_moment *moment, const snw_pose *pose,
							 snw_evaluation *evaluation, float *points, snw_arena *arena) {
	const snw_scene *scene = document->scene;
	const snw_stack *stack = document->methods[document->baseline].stack;
	double most = 0;
	if (snw_failed(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, NULL))) {
		return 0;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_ground_truth truth = snw_ground_truth_at(scene, moment, m);
		if ((truth.sculpt || truth.frame) && !snw_failed(snw_stack_run(stack, evaluation, m, points, NULL))) {
			most = fmax(most, snw_ground_truth_distances(&truth, points, scene->meshes[m].point_count, NULL));
		}
	}
	return most;
}

static snw_status find_scale(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)error;
	scale_request *request = data;
	const snw_document *document = context->document;
	if (document->number != job->number) {
		return SNW_CANCELLED; /* the display of a later document makes its own request */
	}
	uint32_t points = 0;
	for (uint32_t m = 0; m < document->scene->mesh_count; m++) {
		const uint32_t count = document->scene->meshes[m].point_count;
		points = count > points ? count : points;
	}
	float *posed = SNW_NEW_ARRAY(job->arena, float, 3 * (size_t)points);
	snw_evaluation *evaluation = snw_evaluation_create(document->methods[document->baseline].stack);
	for (uint32_t i = 0; i < request->count; i++) {
		request->most = fmax(request->most,
							 baseline_error(document, &request->moments[i], request->poses[i], evaluation, posed, job->arena));
	}
	snw_evaluation_destroy(evaluation);
	return SNW_OK;
}

static void found_scale(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const scale_request *request = data;
	snw_display *display = &session->display;
	if (!snw_failed(job->status) && job->number == session->document->number && request->round == display->scale_round) {
		display->error_scale = snw_error_scale_round(request->most);
		display->is_stale = true;
	}
}

static void add_moment(scale_request *request, const snw_scene *scene, const snw_moment *moment, const snw_pose *pose,
					   snw_arena *arena) {
	request->moments[request->count] = *moment;
	request->poses[request->count++] = snw_pose_copy(scene, pose, arena);
}

void snw_error_scale_request(snw_session *session) {
	snw_display *display = &session->display;
	const snw_sampled_clip *sampled = &display->sampled;
	if (!display->needs_scale) {
		return;
	}
	display->needs_scale = false;
	snw_job *job = snw_job_create("finding the scale of the errors", sizeof(scale_request));
	scale_request *request = job->request;
	request->round = display->scale_round;
	const uint32_t samples = sampled->truth_count < SAMPLES ? sampled->truth_count : SAMPLES;
	for (uint32_t i = 0; sampled->arena && i < samples; i++) {
		const uint32_t at = samples > 1 ? (uint32_t)((uint64_t)i * (sampled->truth_count - 1) / (samples - 1)) : 0;
		const snw_pose *pose = snw_sampled_clip_pose(sampled, sampled->truth_seconds[at]);
		const snw_moment moment = {.pose = SNW_NONE, .clip = sampled->clip, .seconds = pose->seconds};
		add_moment(request, display->scene, &moment, pose, job->arena);
	}
	if (!sampled->arena) {
		const snw_moment moment = snw_display_moment(display);
		add_moment(request, display->scene, &moment, display->posed, job->arena);
	}
	job->run = find_scale;
	job->done = found_scale;
	snw_background_send(session, job);
}
