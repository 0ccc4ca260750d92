/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curves of the timeline and of a group.
 */
#include "window/session/session.h"

#include <SDL.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "example/groups.h"
#include "fit/samples.h"
#include "parameter/parameters.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- error curve --------------------------------------------------------------------------------------------------------- */

/* A thread for each clip. It measures every eighth frame first and then fills the gaps. A thread that is no longer needed
 * finishes its current frame; a background job joins it, so that the window does not wait. */

enum { WAKE_EVERY = 16 };

/* The errors of one clip. */
typedef struct curve_run {
	uint32_t event;
	pthread_t thread;
	atomic_bool leaving;
	snw_arena *arena; /* of this struct and its arrays */
	const snw_scene *scene;
	const snw_stack *stack;
	uint32_t count;
	double *seconds;
	uint32_t clip;
	snw_pose **poses; /* [count]; sampled by the thread */
	const snw_target **targets;
	uint32_t *frames;
	_Atomic float *errors; /* [count] */
} curve_run;

struct snw_error_curve {
	uint32_t event;
	curve_run *run; /* NULL if nothing runs */
};

snw_error_curve *snw_error_curve_create(uint32_t wake_event) {
	snw_error_curve *curve = SDL_calloc(1, sizeof *curve);
	if (curve) {
		curve->event = wake_event;
	}
	return curve;
}

void snw_error_curve_destroy(snw_error_curve *curve) {
	if (curve) {
		snw_error_curve_end(curve);
		SDL_free(curve);
	}
}

/* ---- the thread ---------------------------------------------------------------------------------------------------------- */

static void wake(const curve_run *curve) {
	SDL_Event event = {.type = curve->event};
	SDL_PushEvent(&event);
}

/* Below 0 if the stack gives no points. */
static float error_of(const curve_run *curve, uint32_t frame, snw_evaluation *evaluation, float *points) {
	const snw_target *target = curve->targets[frame];
	const uint32_t count = curve->scene->meshes[target->mesh].point_count;
	const float *truth = target->points_posed + 3 * (size_t)curve->frames[frame] * count;
	snw_arena *scratch = snw_arena_create();
	const snw_pose_view *view = snw_pose_view_make(curve->scene, curve->poses[frame], scratch);
	double most = 0;
	if (snw_failed(snw_stack_drive(curve->stack, view, evaluation, NULL)) ||
		snw_failed(snw_stack_run(curve->stack, evaluation, target->mesh, points, NULL))) {
		snw_arena_destroy(scratch);
		return -1;
	}
	for (size_t p = 0; p < count; p++) {
		double squared = 0;
		for (size_t c = 3 * p; c < 3 * p + 3; c++) {
			const double away = (double)points[c] - (double)truth[c];
			squared += away * away;
		}
		most = fmax(most, squared);
	}
	snw_arena_destroy(scratch);
	return (float)(1000 * sqrt(most));
}

static void *measure_curve(void *context) {
	curve_run *curve = context;
	snw_evaluation *evaluation = snw_evaluation_create(curve->stack);
	uint32_t most = 0, done = 0;
	for (uint32_t m = 0; m < curve->scene->mesh_count; m++) {
		most = curve->scene->meshes[m].point_count > most ? curve->scene->meshes[m].point_count : most;
	}
	float *points = SNW_NEW_ARRAY(curve->arena, float, 3 * (size_t)most);
	snw_pose_sample_series(curve->scene, curve->clip, curve->count, curve->seconds, curve->arena, curve->poses);
	for (uint32_t stride = 8; stride > 0; stride /= 2) {
		for (uint32_t f = 0; f < curve->count && !atomic_load(&curve->leaving); f += stride) {
			if (atomic_load(&curve->errors[f]) < 0) {
				atomic_store(&curve->errors[f], error_of(curve, f, evaluation, points));
				if (++done % WAKE_EVERY == 0) {
					wake(curve);
				}
			}
		}
	}
	snw_evaluation_destroy(evaluation);
	wake(curve);
	return NULL;
}

/* ---- ending -------------------------------------------------------------------------------------------------------------- */

static void finish_curve(curve_run *run) {
	atomic_store(&run->leaving, true);
	pthread_join(run->thread, NULL);
	snw_arena_destroy(run->arena);
}

void snw_error_curve_end(snw_error_curve *curve) {
	if (curve && curve->run) {
		finish_curve(curve->run);
		curve->run = NULL;
	}
}

static void free_curve(void *request) {
	curve_run **run = request;
	if (*run) {
		finish_curve(*run);
		*run = NULL;
	}
}

static snw_status finish_curve_in_background(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)context, (void)job, (void)error;
	free_curve(request);
	return SNW_OK;
}

void snw_error_curve_leave(snw_error_curve *curve, snw_session *session) {
	if (!curve || !curve->run) {
		return;
	}
	atomic_store(&curve->run->leaving, true);
	snw_job *job = snw_job_create("ending the error curve", sizeof(curve_run *));
	*(curve_run **)job->request = curve->run;
	curve->run = NULL;
	job->run = finish_curve_in_background;
	job->free_request = free_curve;
	snw_background_send(session, job);
}

/* ---- beginning ----------------------------------------------------------------------------------------------------------- */

/* The first target of the clip on each of its frames. */
static void list_frames(curve_run *curve) {
	const snw_scene *scene = curve->scene;
	for (uint32_t i = 0; i < scene->target_count && curve->count == 0; i++) {
		const snw_target *target = &scene->targets[i];
		if (snw_target_clip(scene, target) != curve->clip) {
			continue;
		}
		curve->seconds = SNW_NEW_ARRAY(curve->arena, double, target->frame_count);
		curve->poses = SNW_NEW_ARRAY(curve->arena, snw_pose *, target->frame_count);
		curve->targets = SNW_NEW_ARRAY(curve->arena, const snw_target *, target->frame_count);
		curve->frames = SNW_NEW_ARRAY(curve->arena, uint32_t, target->frame_count);
		curve->errors = snw_arena_array(curve->arena, target->frame_count, sizeof *curve->errors);
		for (uint32_t f = 0; f < target->frame_count; f++) {
			curve->seconds[f] = target->seconds[f];
			curve->targets[f] = target;
			curve->frames[f] = f;
			atomic_init(&curve->errors[f], -1);
		}
		curve->count = target->frame_count;
	}
}

void snw_error_curve_begin(snw_error_curve *curve, snw_session *session) {
	if (!curve) {
		return;
	}
	snw_error_curve_leave(curve, session);
	const snw_document *document = session->document;
	const snw_stack *stack = document->method_count > 0 ? document->methods[0].stack : NULL;
	if (session->state.clip == SNW_NONE || !stack || !session->display.sampled.arena) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	curve_run *run = SNW_NEW(arena, curve_run);
	run->event = curve->event;
	run->arena = arena;
	run->scene = document->scene;
	run->stack = stack;
	run->clip = session->state.clip;
	atomic_init(&run->leaving, false);
	list_frames(run);
	if (run->count == 0 || pthread_create(&run->thread, NULL, measure_curve, run) != 0) {
		snw_arena_destroy(arena);
		return;
	}
	curve->run = run;
}

uint32_t snw_error_curve_read(snw_error_curve *curve, uint32_t most, double *seconds, float *millimetres) {
	const curve_run *run = curve ? curve->run : NULL;
	const uint32_t count = run ? (run->count < most ? run->count : most) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t f = (uint32_t)((uint64_t)i * run->count / count);
		seconds[i] = run->seconds[f];
		millimetres[i] = atomic_load(&run->errors[f]);
	}
	return count;
}

/* ---- group curve --------------------------------------------------------------------------------------------------------- */

/* The stack is driven at poses around the example's; no point is run. */

static const double FARTHEST = 1.5; /* of the way to the pose */

/* The example's pose, with the axis of a joint's rotation rotated by an angle. */
static snw_pose *pose_around(const snw_scene *scene, const snw_pose *example, uint32_t joint, double angle, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, example, arena);
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, axis[3] = {0}, perpendicular[3], q[4];
	size_t least = 0;
	for (size_t c = 1; c < 3; c++) {
		least = fabs(vector[c]) < fabs(vector[least]) ? c : least;
	}
	axis[least] = 1;
	snw_cross3(vector, axis, perpendicular);
	snw_normalize3(perpendicular);
	const double length = snw_length3(vector);
	for (size_t c = 0; c < 3; c++) {
		vector[c] = cos(angle) * vector[c] + sin(angle) * length * perpendicular[c];
	}
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
	return pose;
}

/* Whether the joint drives the group: of a group without joints, whether the method has chosen it; without a description, any
 * may. */
static bool may_drive(const snw_scene *scene, const snw_group *group, const cJSON *space, uint32_t joint) {
	const bool is_automatic = group->joint_count == 0;
	const cJSON *names = is_automatic ? cJSON_GetObjectItemCaseSensitive(space, "joints") : NULL, *name;
	bool may = is_automatic && !names;
	for (uint32_t i = 0; i < group->joint_count; i++) {
		may = may || group->joints[i] == joint;
	}
	cJSON_ArrayForEach(name, names) {
		may = may || (cJSON_IsString(name) && strcmp(name->valuestring, scene->skeleton.names[joint]) == 0);
	}
	return may;
}

/* Of the joints that drive the group and rotate in the pose, the one that moves the sculpt most, as far as that is known; else
 * the one that is rotated most. */
static uint32_t find_joint(const snw_scene *scene, const snw_group *group, const cJSON *space, const snw_drivers *known,
						   const snw_pose *pose) {
	uint32_t joint = SNW_NONE;
	double most = 0;
	for (uint32_t i = 0; known && i < known->count; i++) {
		const uint32_t j = known->items[i].joint;
		if (snw_length3(pose->rotation_vectors + 3 * (size_t)j) > 0 && may_drive(scene, group, space, j)) {
			return j;
		}
	}
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const double angle = snw_length3(pose->rotation_vectors + 3 * (size_t)j);
		if (angle > most && may_drive(scene, group, space, j)) {
			joint = j;
			most = angle;
		}
	}
	return joint;
}

static bool weigh(const snw_stack *stack, snw_evaluation *evaluation, const snw_pose *pose, const snw_scene *scene,
				  uint32_t example, snw_arena *scratch, double *weight) {
	double *weights = SNW_NEW_ARRAY(scratch, double, scene->example_count);
	if (snw_failed(snw_stack_drive(stack, snw_pose_view_make(scene, pose, scratch), evaluation, NULL))) {
		return false;
	}
	snw_stack_example_weights(evaluation, weights);
	*weight = weights[example];
	return !isnan(*weight);
}

static bool find_curves(const snw_scene *scene, const snw_stack *stack, const cJSON *space, const snw_drivers *known,
						snw_group_curve *curve) {
	const snw_pose *example = &scene->poses[scene->examples[curve->example].pose];
	const uint32_t joint = find_joint(scene, &scene->groups[curve->group], space, known, example);
	if (joint == SNW_NONE) {
		return false;
	}
	curve->joint = joint;
	curve->angle = snw_length3(example->rotation_vectors + 3 * (size_t)joint);
	curve->end = fmax(fmin(FARTHEST, M_PI / curve->angle), 1);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_arena *scratch = snw_arena_create();
	bool is_known = true;
	for (int i = 0; i < SNW_GROUP_CURVE_POINTS && is_known; i++) {
		const double part = (double)i / (SNW_GROUP_CURVE_POINTS - 1);
		const snw_pose *along = snw_pose_along(scene, example, part * curve->end, scratch);
		const snw_pose *around = pose_around(scene, example, joint, part * M_PI, scratch);
		is_known = weigh(stack, evaluation, along, scene, curve->example, scratch, &curve->along[i]) &&
				   weigh(stack, evaluation, around, scene, curve->example, scratch, &curve->around[i]);
	}
	snw_arena_destroy(scratch);
	snw_evaluation_destroy(evaluation);
	return is_known;
}

/* The angle between rotations by the example's angle whose axes are this far apart. */
static double distance_at(const snw_group_curve *curve, double angle) {
	const double half = curve->angle / 2;
	return 2 * acos(fmin(fabs(cos(half) * cos(half) + sin(half) * sin(half) * cos(angle)), 1));
}

/* Where the weight has fallen to a half of what it is in the example's pose; 0 if it does not. */
static double half_angle(const snw_group_curve *curve) {
	for (int i = 1; i < SNW_GROUP_CURVE_POINTS; i++) {
		const double before = curve->around[i - 1], here = curve->around[i], half = curve->around[0] / 2;
		if (before >= half && here < half) {
			return (i - 1 + (before - half) / (before - here)) * M_PI / (SNW_GROUP_CURVE_POINTS - 1);
		}
	}
	return 0;
}

/* The width that the description gives. Kernels without a scale have none. */
static void read_width(const cJSON *space, snw_group_curve *curve) {
	const char *kernel = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(space, "kernel"));
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(space, "width");
	if (kernel && cJSON_IsNumber(number)) {
		const bool is_angle = strcmp(kernel, "cone") == 0;
		curve->width_is_distance = strcmp(kernel, "gaussian") == 0 || strcmp(kernel, "inverse-multiquadric") == 0;
		curve->width = is_angle || curve->width_is_distance ? number->valuedouble : 0;
		curve->edge = is_angle ? curve->width : curve->width_is_distance ? half_angle(curve) : 0;
	}
}

double snw_group_curve_width(const snw_group_curve *curve, double edge) {
	const double before = curve->width_is_distance ? distance_at(curve, curve->edge) : 0;
	return before > 0 ? curve->width * distance_at(curve, edge) / before : edge;
}

/* The corrective's description of its pose spaces (docs/pose-space.md), to be deleted; NULL: it has none. */
static cJSON *describe(const snw_scene *scene, const snw_stack *stack, uint32_t layer) {
	snw_arena *scratch = snw_arena_create();
	snw_stack_description *descriptions;
	uint32_t count = 0;
	cJSON *root = NULL;
	if (layer != SNW_NONE && !snw_failed(snw_stack_describe(stack, scratch, &descriptions, &count, NULL))) {
		for (uint32_t i = 0; i < count && !root; i++) {
			root = strcmp(descriptions[i].layer, scene->layers[layer].name) == 0 ? cJSON_Parse(descriptions[i].json) : NULL;
		}
	}
	snw_arena_destroy(scratch);
	return root;
}

static const cJSON *space_of(const cJSON *root, const char *group) {
	const cJSON *spaces = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "poseSpace"), "groups"),
				*item;
	cJSON_ArrayForEach(item, spaces) {
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
		if (name && strcmp(name, group) == 0) {
			return item;
		}
	}
	return NULL;
}

/* The key of the width that a group may have for itself; NULL where the method has none. */
static const char *width_key_of(const snw_deformer *deformer) {
	const snw_parameter *width = deformer ? snw_parameter_of_role(deformer->descriptor, SNW_ROLE_WIDTH) : NULL;
	return width && strlen(width->key) < sizeof((snw_group_curve *)0)->width_key ? width->key : NULL;
}

static void make(const snw_session *session, const snw_drivers *known, snw_group_curve *curve) {
	const snw_scene *scene = session->document->scene;
	const snw_stack *stack = session->document->methods[0].stack;
	const uint32_t layer = snw_reference_layer(scene, session->registry);
	cJSON *root = describe(scene, stack, layer);
	const cJSON *space = space_of(root, scene->groups[curve->group].name);
	curve->is_known = find_curves(scene, stack, space, known, curve);
	const char *key =
		width_key_of(layer == SNW_NONE ? NULL : snw_registry_find(session->registry, scene->layers[layer].deformer));
	if (curve->is_known && space && key) {
		curve->layer = layer;
		snprintf(curve->width_key, sizeof curve->width_key, "%s", key);
		read_width(space, curve);
	}
	cJSON_Delete(root);
}

const snw_group_curve *snw_group_curve_read(snw_session *session) {
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	const uint32_t group = session->state.group, chosen = session->state.example;
	if (group >= scene->group_count || scene->groups[group].member_count == 0 || document->method_count == 0 ||
		!document->methods[0].stack) {
		return NULL;
	}
	const bool is_member = chosen < scene->example_count && snw_group_member(&scene->groups[group], chosen) != SNW_NONE;
	const uint32_t example = is_member ? chosen : scene->groups[group].members[0].example;
	const snw_drivers *known = is_member ? snw_drivers_known(session) : NULL;
	const uint64_t drivers = known ? known->key.document : 0;
	snw_group_curve *curve = &session->group_curve;
	if (curve->document != document->number || curve->group != group || curve->example != example ||
		curve->drivers != drivers) {
		*curve = (snw_group_curve){
			.document = document->number, .group = group, .example = example, .drivers = drivers, .layer = SNW_NONE};
		make(session, known, curve);
	}
	return curve->is_known ? curve : NULL;
}
