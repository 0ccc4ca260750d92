/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mask and the painted field between the sculpt, the project and the heat map.
 */
#include <stdio.h>
#include <string.h>

#include "example/sculpts.h"
#include "pose/pose.h"
#include "weights/weights.h"
#include "window/jobs/job_thread.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

/* Whether the heat map shows a field that can be painted: one number a point, on every mesh that has it. */
static bool is_paintable(const snw_scene *scene, const char *name) {
	bool paintable = strcmp(name, SNW_SCULPT_MASK) != 0;
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		paintable = paintable && (strcmp(field->name, name) != 0 || field->components == 1);
	}
	return paintable;
}

bool snw_painted_values_are_weights(const snw_session *session) {
	return session->sculpting.paints_weights && session->state.joint < session->document->scene->skeleton.joint_count;
}

/* What is painted: the weights of the chosen joint, if that is asked for; else the field of the heat map; else "painted".
 * Never the mask. */
static void painted_values_target(const snw_session *session, char *name, size_t size, uint32_t *joint) {
	const uint32_t heat = session->state.heat;
	const snw_document *document = session->document;
	const snw_skeleton *skeleton = &document->scene->skeleton;
	const char *shown = heat >= SNW_HEAT_FIELDS && heat - SNW_HEAT_FIELDS < document->field_count
							? document->fields[heat - SNW_HEAT_FIELDS]
							: NULL;
	*joint = snw_painted_values_are_weights(session) ? session->state.joint : SNW_NONE;
	if (*joint != SNW_NONE) {
		snprintf(name, size, "weights of %s", skeleton->names[*joint]);
	} else {
		const char *requested = session->sculpting.requested_field[0] ? session->sculpting.requested_field : "painted";
		snprintf(name, size, "%s", shown && is_paintable(document->scene, shown) ? shown : requested);
	}
}

static bool is_repainted(const snw_session *session) {
	char name[sizeof session->sculpting.painted];
	uint32_t joint;
	painted_values_target(session, name, sizeof name, &joint);
	return joint != session->sculpting.painted_joint || strcmp(name, session->sculpting.painted) != 0;
}

const double *snw_painted_values_stored(const snw_scene *scene, uint32_t mesh, const char *name) {
	const uint32_t found = snw_scene_find_field(scene, mesh, name);
	const snw_field *field = found == SNW_NONE ? NULL : &scene->fields[found];
	return field && field->domain == SNW_DOMAIN_POINTS && field->components == 1 ? field->values : NULL;
}

/* Zeros stay where nothing is stored. */
static void copy_stored(const snw_scene *scene, uint32_t mesh, const char *name, double *values) {
	const double *stored = snw_painted_values_stored(scene, mesh, name);
	if (stored) {
		memcpy(values, stored, scene->meshes[mesh].point_count * sizeof *values);
	}
}

uint32_t snw_painted_values_partner(const snw_session *session, uint32_t joint) {
	snw_arena *scratch = snw_arena_create();
	snw_mirror_joints joints;
	snw_mirror_joints_find(session->document->scene, &session->sculpting.plane, 0, scratch, &joints);
	const uint32_t partner = joint < joints.joint_count ? joints.partners[joint] : SNW_NONE;
	snw_arena_destroy(scratch);
	return partner;
}

const snw_sculpted_part *snw_painted_values_counterpart(const snw_session *session, snw_brush_target target) {
	const snw_sculpting *s = &session->sculpting;
	const bool is_weight = target == SNW_BRUSH_FIELD && s->painted_joint != SNW_NONE;
	const bool takes = !is_weight || (s->painted_partner != SNW_NONE && !session->display.locked_joints[s->painted_partner]);
	for (uint32_t p = 0; p < s->part_count && s->brush.symmetric && takes; p++) {
		if (s->parts[p].is_counterpart) {
			return &s->parts[p];
		}
	}
	return NULL;
}

/* The painted values of a mesh: of a field, or of a joint's weights there. */
static void copy_painted(const snw_sculpting *s, const snw_scene *scene, uint32_t mesh, uint32_t joint, double *values) {
	if (s->painted_joint == SNW_NONE) {
		copy_stored(scene, mesh, s->painted, values);
	} else if (joint != SNW_NONE) {
		snw_sculpt_weights(scene, mesh, joint, values);
	}
}

void snw_painted_values_read(snw_session *session) {
	snw_sculpting *s = &session->sculpting;
	if (!s->sculpt || snw_sculpting_is_ahead(s) || snw_sculpt_is_stroking(s->sculpt)) {
		return;
	}
	const snw_scene *scene = session->document->scene;
	painted_values_target(session, s->painted, sizeof s->painted, &s->painted_joint);
	snw_arena *scratch = snw_arena_create();
	double *mask = SNW_NEW_ARRAY(scratch, double, s->mesh->point_count);
	double *field = SNW_NEW_ARRAY(scratch, double, s->mesh->point_count);
	copy_stored(scene, s->mesh_index, SNW_SCULPT_MASK, mask);
	s->painted_partner = s->painted_joint == SNW_NONE ? SNW_NONE : snw_painted_values_partner(session, s->painted_joint);
	copy_painted(s, scene, s->mesh_index, s->painted_joint, field);
	for (uint32_t p = 0; p < s->part_count; p++) {
		const snw_sculpted_part *part = &s->parts[p];
		copy_stored(scene, part->mesh, SNW_SCULPT_MASK, mask + part->first_point);
		if (part->is_counterpart) {
			copy_painted(s, scene, part->mesh, s->painted_partner, field + part->first_point);
		}
	}
	snw_sculpt_reset(s->sculpt, NULL, mask, field, NULL);
	snw_arena_destroy(scratch);
}

bool snw_painted_values_follow(snw_session *session) {
	if (session->state.sculpting && session->sculpting.sculpt && is_repainted(session)) {
		snw_painted_values_read(session);
		snw_painted_values_show(session);
		return !is_repainted(session);
	}
	return true;
}

void snw_painted_values_show(snw_session *session) {
	snw_sculpting *s = &session->sculpting;
	snw_display *display = &session->display;
	const snw_brush_target target = snw_brush_changes(s->brush.kind);
	display->is_stale = true;
	display->values = NULL;
	display->values_joints[0] = display->values_joints[1] = SNW_NONE;
	display->values_shade = target != SNW_BRUSH_FIELD;
	if (!s->sculpt || (target == SNW_BRUSH_POINTS && !snw_sculpting_is_masked(s))) {
		return;
	}
	const snw_sculpt_view *view = snw_sculpt_get_view(s->sculpt);
	s->values[s->mesh_index] = target == SNW_BRUSH_FIELD ? view->field : view->mask;
	const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, target);
	for (uint32_t p = 0; p < s->part_count; p++) {
		const snw_sculpted_part *part = &s->parts[p];
		const double *field = part == counterpart ? view->field + part->first_point : NULL;
		s->values[part->mesh] = target == SNW_BRUSH_FIELD ? field : view->mask + part->first_point;
	}
	display->values = s->values;
	display->values_label = target == SNW_BRUSH_FIELD ? s->painted : "mask";
	display->values_joints[0] = target == SNW_BRUSH_FIELD ? s->painted_joint : SNW_NONE;
	display->values_meshes[0] = s->mesh_index;
	if (counterpart && target == SNW_BRUSH_FIELD) {
		display->values_joints[1] = s->painted_partner;
		display->values_meshes[1] = counterpart->mesh;
	}
	uint32_t layer = SNW_NONE;
	display->values_move = display->values_joints[0] != SNW_NONE && snw_painted_values_show_through(session, &layer);
}

/* ---- storing ------------------------------------------------------------------------------------------------------------- */

typedef struct values_request {
	const char *name;
	bool are_weights;
	const bool *locked; /* [joint_count]: joints that keep their weights */
	uint32_t count;     /* 2 with the counterpart */
	snw_painted_mesh painted[2];
	snw_brush_target target;
	uint32_t stroke;
} values_request;

static snw_status commit(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	const values_request *request = data;
	const snw_scene *scene = context->document->scene;
	const snw_status status = request->are_weights
								  ? snw_sculpt_commit_weights(context->project, scene, job->label, request->locked,
															  request->count, request->painted, error)
								  : snw_sculpt_commit_field(context->project, scene, job->label, request->name, request->count,
															request->painted, error);
	return snw_failed(status) ? status : snw_edit_refresh(context, job, error);
}

static void settle(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const values_request *request = data;
	snw_sculpting_settle(&session->sculpting, request->target, request->stroke);
}

static void committed(void *owner, const snw_job *job, void *data) {
	settle(owner, job, data);
	snw_sculpting_follow(owner, false);
}

/* Values of a mask or a field or, if `joint` is not SNW_NONE, its weights: of the mesh and its parts, as the sculpt
 * has them. */
static values_request *make_request(snw_session *session, const char *verb, snw_brush_target target, const char *name,
									uint32_t joint, const double *values, snw_job **made) {
	snw_sculpting *s = &session->sculpting;
	const uint32_t joints = session->document->scene->skeleton.joint_count;
	snw_job *job = snw_job_create(verb, sizeof(values_request));
	values_request *request = job->request;
	request->name = snw_arena_text(job->arena, name);
	request->are_weights = joint != SNW_NONE;
	request->locked = snw_arena_copy(job->arena, session->display.locked_joints, joints * sizeof(bool));
	request->count = 1;
	request->painted[0] = (snw_painted_mesh){
		.mesh = s->mesh_index,
		.joint = joint,
		.values = snw_arena_copy(job->arena, values, s->point_count * sizeof(double)),
	};
	job->label =
		target == SNW_BRUSH_MASKING ? snw_arena_text(job->arena, verb) : snw_arena_format(job->arena, "%s %s", verb, name);
	job->run = commit;
	job->done = committed;
	job->failed = settle;
	request->target = target;
	request->stroke = ++s->made[target];
	*made = job;
	return request;
}

void snw_painted_values_commit(snw_session *session, const char *verb, bool is_mask) {
	const snw_sculpting *s = &session->sculpting;
	const snw_sculpt_view *view = snw_sculpt_get_view(s->sculpt);
	const snw_brush_target target = is_mask ? SNW_BRUSH_MASKING : SNW_BRUSH_FIELD;
	const double *values = is_mask ? view->mask : view->field;
	const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, target);
	snw_job *job;
	values_request *request = make_request(session, verb, target, is_mask ? SNW_SCULPT_MASK : s->painted,
										   is_mask ? SNW_NONE : s->painted_joint, values, &job);
	if (counterpart) {
		const size_t bytes = session->document->scene->meshes[counterpart->mesh].point_count * sizeof *values;
		request->painted[request->count++] = (snw_painted_mesh){
			.mesh = counterpart->mesh,
			.joint = is_mask ? SNW_NONE : s->painted_partner,
			.values = snw_arena_copy(job->arena, values + counterpart->first_point, bytes),
		};
	}
	snw_session_send(session, job);
}

bool snw_painted_values_show_through(const snw_session *session, uint32_t *layer) {
	const uint32_t learned = snw_learned_blend(session->document->scene, session->registry);
	*layer = learned == SNW_NONE ? *layer : learned;
	return learned == SNW_NONE;
}
