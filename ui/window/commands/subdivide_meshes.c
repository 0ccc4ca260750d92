/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subdividing the character itself, with all that belongs to it. (The subdivided preview is a command of the view.)
 */
#include <stdio.h>
#include <string.h>

#include "edit/subdivision/subdivide.h"
#include "window/jobs/project_edit.h"
#include "window/units/lengths.h"

typedef struct subdivide_request {
	snw_subdivision_scheme scheme;
	char layer[200], message[800];
	bool is_warning;
	double blend_error; /* metres: how far linear blend would be off */
} subdivide_request;

/* What the user should know: how many points there are, which layer has their skin, and what is gone. */
static void describe(const snw_subdivision_report *report, subdivide_request *request) {
	char names[200] = "";
	for (uint32_t i = 0; i < report->removed_count; i++) {
		const size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", report->removed[i]);
	}
	snprintf(request->layer, sizeof request->layer, "%s", report->layer);
	request->is_warning = report->removed_count > 0 || report->has_custom_normals;
	char *words = request->message;
	const size_t size = sizeof request->message;
	int used = snprintf(words, size, "%u points (were %u). %.100s has the exact skin; %.100s is muted.", report->points,
						report->points_before, report->layer, report->base);
	if (report->has_custom_normals) {
		used += snprintf(words + used, size - (size_t)used,
						 " Custom normals and tangents are dropped: normals now follow from the faces.");
	}
	if (report->removed_count > 0) {
		snprintf(words + used, size - (size_t)used,
				 " Models of the old mesh are removed; fit them again: %s. Undo takes it all back.", names);
	} else {
		request->blend_error = report->naive.max_metres;
	}
}

static snw_status subdivide(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	subdivide_request *request = data;
	snw_subdivision_report report;
	if (!context->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	const snw_scene *scene = context->document->scene;
	const snw_status status = snw_project_subdivide(context->project, scene, context->registry, request->scheme, 1,
													context->task, job->arena, &report, error);
	if (snw_failed(status)) {
		return status;
	}
	describe(&report, request);
	snw_subdivision_report_free(&report, scene->mesh_count);
	return snw_edit_refresh(context, job, error);
}

static void subdivided(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const subdivide_request *request = data;
	(void)job;
	session->state.layer = snw_scene_find_layer(session->document->scene, request->layer);
	if (request->is_warning) {
		snw_view_state_warn(&session->state, request->message);
	} else {
		char length[40];
		snw_length_write(session, request->blend_error, length, sizeof length);
		snw_view_state_say(&session->state, "%s As linear blend they would be up to %s off.", request->message, length);
	}
}

static void send(snw_session *session, snw_subdivision_scheme scheme) {
	if (session->document->scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is nothing to subdivide; open a character first.");
		return;
	}
	snw_job *job = snw_job_create("subdividing", sizeof(subdivide_request));
	((subdivide_request *)job->request)->scheme = scheme;
	job->is_long = true;
	job->run = subdivide;
	job->done = subdivided;
	snw_session_send(session, job);
}

void snw_do_subdivide_catmull_clark(snw_session *session, const snw_command *command) {
	(void)command;
	send(session, SNW_CATMULL_CLARK);
}

void snw_do_subdivide_loop(snw_session *session, const snw_command *command) {
	(void)command;
	send(session, SNW_LOOP);
}
