/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Export. A file for engines is made under another name first; what it loses is shown, and only then it gets its own.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/plural.h"
#include "pose/pose.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct export_order {
	char path[2048], waiting[2100];
	const char *method;
	uint32_t mesh, clip;
	const snw_pose *pose;
	bool is_offer; /* an engine's file: shown first */
	snw_export_report report;
} export_order;

static snw_status write_file(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)errand;
	export_order *order = given;
	const snw_scene *scene = desk->document->scene;
	const snw_stack_options options = {.method = order->method};
	const snw_export_request request = {.path = order->is_offer ? order->waiting : order->path,
										.mesh = order->mesh,
										.clip = order->clip,
										.pose = order->pose,
										.influences = 4};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, desk->registry, &options, desk->task, &stack, error);
	if (status >= 0 && status != SNW_CANCELLED) {
		status = snw_export(scene, stack, &request, desk->task, &order->report, error);
	}
	snw_stack_destroy(stack);
	return status;
}

static void written(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const export_order *order = given;
	const char *name = snw_path_name(order->path);
	if (order->pose) {
		snw_view_state_say(&session->state, "%s is written: the mesh in this pose.", name);
		return;
	}
	if (!order->is_offer) {
		snw_view_state_say(&session->state, "%s is written: %u frame%s.", name, order->report.frame_count,
						   snw_plural(order->report.frame_count));
		return;
	}
	session->offer = (snw_export_offer){.is_made = true, .report = order->report};
	snprintf(session->offer.path, sizeof session->offer.path, "%s", order->path);
	snprintf(session->offer.waiting, sizeof session->offer.waiting, "%s", order->waiting);
	snw_session_open_dialog(session, SNW_DIALOG_REPORT);
}

void snw_do_export(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is nothing to export; open a character first.");
		return;
	}
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_EXPORT);
		return;
	}
	snw_do_export_drop(session, command);
	snw_errand *errand = snw_errand_make("exporting", sizeof(export_order));
	export_order *order = errand->order;
	const char *extension = snw_path_extension(command->text);
	const bool is_frames = strcasecmp(extension, "pc2") == 0 || strcasecmp(extension, "mdd") == 0;
	const snw_pose *shown = snw_studio_pose(&session->studio, &session->state);
	const char *name = snw_path_name(command->text);
	order->is_offer = strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "gltf") == 0;
	snprintf(order->path, sizeof order->path, "%s", command->text);
	snprintf(order->waiting, sizeof order->waiting, "%.*s.sinew-%d-%.100s", (int)(name - command->text), command->text,
			 (int)getpid(), name);
	order->method = session->document->methods[session->state.method].method;
	order->mesh = snw_scene_largest_mesh(scene); /* for formats that hold one */
	order->clip = is_frames ? (session->state.clip != SNW_NONE ? session->state.clip : 0) : SNW_NONE;
	order->pose = strcasecmp(extension, "obj") == 0 && shown ? snw_pose_copy(scene, shown, errand->arena) : NULL;
	errand->what = snw_arena_format(errand->arena, "exporting %s", name);
	errand->is_long = true;
	errand->reloads = false;
	errand->run = write_file;
	errand->done = written;
	snw_session_send(session, errand);
}

void snw_do_export_write(snw_session *session, const snw_command *command) {
	(void)command;
	snw_export_offer *offer = &session->offer;
	session->state.dialog = SNW_DIALOG_NONE;
	if (!offer->is_made) {
		return;
	}
	if (rename(offer->waiting, offer->path) == 0) {
		snw_view_state_say(&session->state, "%s is written.", snw_path_name(offer->path));
		offer->is_made = false;
	} else {
		snw_view_state_warn(&session->state, "The file could not be given its name; choose another folder.");
		snw_do_export_drop(session, command);
	}
}

void snw_do_export_drop(snw_session *session, const snw_command *command) {
	(void)command;
	if (session->offer.is_made) {
		remove(session->offer.waiting);
		session->offer.is_made = false;
		session->state.dialog = SNW_DIALOG_NONE;
	}
}
