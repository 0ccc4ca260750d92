/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmark/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "fit/fit.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "task/task.h"

/* ---- sculpts through the layers below ------------------------------------------------------------------------------------ */

enum { LOWER = 1, BENT = 1, DEFAULT_POINTS = 100000, DEFAULT_ROUNDS = 3, MOST_ROWS = 24, MOST_BLENDS = 4 };
static const double NEAR_HALF_TURN = M_PI - 4e-5; /* the blend's condition halfway between the joints is 5e4 */
static const double FAR = 1e-6;                   /* of the mesh's size */
static const double SCULPT = 0.01;                /* its length, of the mesh's size */

/* A stack below the corrective, with the sculpt. */
typedef struct subject {
	const snw_registry *registry;
	const snw_task *task;
	snw_scene *scene;
	double size; /* the mesh's diagonal */
} subject;

/* Replaces the limb's layers by these methods. */
static void put_layers(const snw_registry *registry, uint32_t count, const char *const *methods, snw_scene *scene) {
	snw_layer *layers = SNW_NEW_ARRAY(scene->arena, snw_layer, count);
	for (uint32_t i = 0; i < count; i++) {
		const snw_descriptor *descriptor = snw_registry_find(registry, methods[i])->descriptor;
		layers[i] = (snw_layer){.name = descriptor->short_name,
								.deformer = descriptor->id,
								.deformer_version = descriptor->version,
								.model = SNW_NONE};
	}
	scene->layers = layers;
	scene->layer_count = count;
}

static snw_status pose_points(const subject *measured, const snw_scene *scene, const double *rest, double *posed,
							  snw_error *error) {
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, measured->registry, NULL, NULL, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	status = snw_stack_drive(stack, snw_pose_view_make(scene, &scene->poses[BENT], scratch), evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, 0, rest, posed, error);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_arena_destroy(scratch);
	return snw_failed(status) ? status : SNW_OK;
}

/* Every point is edited. If the blend is regular, the edit is made before it, so that some displacement reproduces the
 * sculpt; near a singular pose it is made after the blend, where none does. */
static snw_status make_sculpt(subject *measured, bool singular, snw_error *error) {
	snw_scene *scene = measured->scene;
	const snw_mesh *mesh = &scene->meshes[0];
	double *displaced = snw_arena_copy(scene->arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *displaced);
	double *posed = snw_arena_array(scene->arena, mesh->point_count, 3 * sizeof *posed);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		displaced[i] += singular ? 0 : SCULPT * measured->size * sin(0.0007 * (double)i + (double)(i % 3));
	}
	const snw_status status = pose_points(measured, scene, displaced, posed, error);
	for (size_t i = 0; singular && i < 3 * (size_t)mesh->point_count; i++) {
		posed[i] += SCULPT * measured->size * sin(0.0007 * (double)i + (double)(i % 3));
	}
	snw_example *example = SNW_NEW(scene->arena, snw_example);
	*example = (snw_example){.name = "sculpt", .pose = BENT, .points_posed = posed};
	scene->examples = example;
	scene->example_count = 1;
	return status;
}

static snw_status open_subject(subject *measured, uint32_t points, uint32_t count, const char *const *methods, bool singular,
							   snw_error *error) {
	measured->scene = snw_limb_make(points);
	measured->size = snw_scene_diagonal(measured->scene, 0);
	put_layers(measured->registry, count, methods, measured->scene);
	if (singular) {
		snw_pose *pose = (snw_pose *)(uintptr_t)&measured->scene->poses[BENT]; /* not shared with other scenes */
		const double vector[3] = {0, 0, NEAR_HALF_TURN};
		memcpy(pose->rotation_vectors + 3 * LOWER, vector, sizeof vector);
		snw_quat_from_rotation_vector(vector, pose->local[LOWER].rotation);
	}
	return make_sculpt(measured, singular, error);
}

/* The distance of the fitted stack from the sculpt, by the reference evaluator. */
static snw_status count_failures(const subject *measured, const snw_fit_outcome *outcome, snw_bench_invert_row *row,
								 snw_error *error) {
	snw_scene *after = NULL;
	snw_status status = snw_fit_apply(measured->scene, outcome, &after, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t count = after->meshes[0].point_count;
	double *posed = snw_arena_array(after->arena, count, 3 * sizeof *posed);
	const double *wanted = measured->scene->examples[0].points_posed;
	status = pose_points(measured, after, NULL, posed, error);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		const double *a = posed + 3 * (size_t)i, *b = wanted + 3 * (size_t)i;
		const double miss = snw_length3((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]}) / measured->size;
		row->failures += !(miss <= FAR);
		row->largest_miss = fmax(row->largest_miss, miss);
	}
	snw_scene_destroy(after);
	return status;
}

/* The seconds that the method reports. */
typedef struct part_seconds {
	const snw_task *task;
	double inversion, closed_form;
} part_seconds;

static bool pass_progress(void *context, double fraction, const char *activity) {
	return snw_task_progress(((const part_seconds *)context)->task, fraction, activity);
}

static void add_seconds(void *context, const char *name, double value, const char *unit) {
	part_seconds *seconds = context;
	(void)unit;
	seconds->inversion += strcmp(name, "inversion") == 0 ? value : 0;
	seconds->closed_form += strcmp(name, "closed form") == 0 ? value : 0;
}

static double shorter(double known, double found) {
	return known > 0 && known < found ? known : found;
}

static snw_status time_fit(const subject *measured, const char *method, double solver, uint32_t rounds,
						   snw_bench_invert_row *row, snw_error *error) {
	const snw_setting setting = {"solver", SNW_VALUE(solver)};
	const snw_fit_request request = {
		.method = method, .left_out_example = SNW_NONE, .setting_count = 1, .settings = &setting, .black_box = row->black_box};
	part_seconds seconds = {.task = measured->task};
	const snw_task fit_task = {.context = &seconds, .progress = pass_progress, .measurement = add_seconds};
	snw_status status = SNW_OK;
	row->seconds = INFINITY;
	for (uint32_t round = 0; round < rounds && !snw_failed(status); round++) {
		snw_fit_outcome outcome = {.arena = snw_arena_create()};
		seconds.inversion = seconds.closed_form = 0;
		status = snw_fit_run(measured->scene, measured->registry, &request, &fit_task, &outcome, error);
		if (!snw_failed(status)) { /* caveats show in the failures */
			row->seconds = fmin(row->seconds, outcome.method_seconds);
			row->seconds_inverse = shorter(row->seconds_inverse, seconds.inversion);
			row->seconds_closed = shorter(row->seconds_closed, seconds.closed_form);
			row->calls = outcome.below_calls;
			status = round == 0 ? count_failures(measured, &outcome, row, error) : SNW_OK;
		}
		snw_arena_destroy(outcome.arena);
	}
	row->points = measured->scene->meshes[0].point_count;
	row->threads = snw_parallel_thread_count();
	row->points_a_second = row->points / (row->seconds_closed > 0    ? row->seconds_closed
										  : row->seconds_inverse > 0 ? row->seconds_inverse
																	 : row->seconds);
	return status;
}

/* The value of a choice of the parameter "solver"; NAN if the method has no such choice. */
static double solver_value(const snw_descriptor *descriptor, const char *name) {
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		const char *const *choices = descriptor->parameters[i]->choices;
		for (uint32_t k = 0; choices && strcmp(descriptor->parameters[i]->key, "solver") == 0 && choices[k]; k++) {
			if (strcmp(choices[k], name) == 0) {
				return k;
			}
		}
	}
	return (double)NAN;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

typedef struct table {
	const snw_registry *registry;
	const snw_bench_invert_options *options;
	const snw_task *task;
	snw_bench_invert_row *rows;
	uint32_t count;
} table;

static bool is_wanted(const table *t, const char *solver) {
	return !t->options->solver || strcmp(t->options->solver, solver) == 0;
}

/* Rows for several solvers over one stack. */
static snw_status add_rows(table *t, const char *below, uint32_t layer_count, const char *const *layers, bool singular,
						   bool black_box, const char *const *solvers, snw_error *error) {
	const snw_descriptor *descriptor = snw_registry_find(t->registry, t->options->method)->descriptor;
	for (uint32_t i = 0; i < layer_count; i++) {
		if (!snw_registry_find(t->registry, layers[i])) {
			return snw_fail(error, SNW_ERROR_MISSING, "no such method '%s' to invert through; 'sinew plugins' lists them",
							layers[i]);
		}
	}
	subject measured = {.registry = t->registry, .task = t->task};
	snw_status status = open_subject(&measured, t->options->point_count ? t->options->point_count : DEFAULT_POINTS, layer_count,
									 layers, singular, error);
	for (; !snw_failed(status) && *solvers; solvers++) {
		if (!is_wanted(t, *solvers)) {
			continue;
		}
		snw_bench_invert_row *row = &t->rows[t->count++];
		*row = (snw_bench_invert_row){.below = below, .solver = *solvers, .black_box = black_box};
		if (!snw_task_progress(t->task, (double)t->count / MOST_ROWS, below)) {
			status = snw_fail(error, SNW_CANCELLED, "cancelled");
			break;
		}
		const double value = solver_value(descriptor, *solvers);
		if (isnan(value)) {
			row->refused = "the method has no such solver";
			continue;
		}
		status = time_fit(&measured, t->options->method, value, t->options->rounds ? t->options->rounds : DEFAULT_ROUNDS, row,
						  error);
	}
	snw_scene_destroy(measured.scene);
	return status;
}

/* The baseline first, then the other blends that bind. */
static uint32_t list_blends(const snw_registry *registry, const char *blends[MOST_BLENDS]) {
	const char *baseline = snw_registry_trait_name(registry, SNW_BASELINE);
	uint32_t count = 0;
	if (baseline) {
		blends[count++] = baseline;
	}
	for (uint32_t i = 0; i < snw_registry_count(registry) && count < MOST_BLENDS; i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
		if (traits & SNW_BINDS && traits & SNW_REPLACES_BLEND && !(traits & SNW_BASELINE)) {
			blends[count++] = deformer->descriptor->short_name;
		}
	}
	return count;
}

snw_status snw_bench_invert(const snw_registry *registry, const snw_bench_invert_options *options, const snw_task *task,
							snw_arena *arena, snw_bench_invert_row **rows, uint32_t *count, snw_error *error) {
	static const char *const open_solvers[] = {"auto", "newton", "powell", NULL}, *const closed[] = {"closed", NULL},
							 *const only_auto[] = {"auto", NULL};
	if (!snw_registry_find(registry, options->method)) {
		return snw_fail(error, SNW_ERROR_MISSING, "no such method '%s'; 'sinew plugins' lists them", options->method);
	}
	table t = {registry, options, task, SNW_NEW_ARRAY(arena, snw_bench_invert_row, MOST_ROWS), 0};
	const char *blends[MOST_BLENDS];
	const uint32_t blend_count = list_blends(registry, blends);
	snw_status status =
		blend_count > 0 ? SNW_OK : snw_fail(error, SNW_ERROR_MISSING, "no plug-in blends: there is nothing to invert");
	for (uint32_t i = 0; i < blend_count && !snw_failed(status); i++) {
		status = add_rows(&t, blends[i], 1, &blends[i], false, true, open_solvers, error);
	}
	if (!snw_failed(status) && options->over) {
		const char *const over[] = {blends[0], options->over};
		status = add_rows(&t, options->over, 2, over, false, true, open_solvers, error);
	}
	for (uint32_t i = 0; i < blend_count && !snw_failed(status); i++) {
		status = add_rows(&t, blends[i], 1, &blends[i], false, false, closed, error);
	}
	if (!snw_failed(status)) {
		status = add_rows(&t, snw_arena_format(arena, "%s, near-singular", blends[0]), 1, blends, true, true, only_auto, error);
	}
	*rows = t.rows;
	*count = t.count;
	return status;
}

/* ---- the coefficients of a pose ------------------------------------------------------------------------------------------ */

enum { JOINTS = 12, EXAMPLES = 64, REPEATS = 20, ROUNDS = 400 };

/* A rotation vector, up to about 70 degrees about each axis. */
static double random_angle(uint64_t *state) {
	return 1.2 * ((double)(snw_random_next(state) >> 11) / 4503599627370496.0 - 1);
}

/* A chain, with a tenth of a metre from joint to joint. */
static snw_status make_skeleton(snw_scene *scene, snw_error *error) {
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	*skeleton = (snw_skeleton){.joint_count = JOINTS,
							   .names = SNW_NEW_ARRAY(arena, const char *, JOINTS),
							   .parents = SNW_NEW_ARRAY(arena, uint32_t, JOINTS),
							   .rest_local = SNW_NEW_ARRAY(arena, snw_transform, JOINTS)};
	for (uint32_t j = 0; j < JOINTS; j++) {
		skeleton->names[j] = snw_arena_format(arena, "joint-%u", j);
		skeleton->parents[j] = j == 0 ? SNW_NONE : j - 1;
		skeleton->rest_local[j] =
			(snw_transform){.translation = {j == 0 ? 0 : 0.1, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	return snw_skeleton_finish(skeleton, arena, error);
}

static snw_pose random_pose(const snw_scene *scene, const char *name, uint64_t *state) {
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	for (size_t j = 0; j < JOINTS; j++) {
		for (size_t c = 0; c < 3; c++) {
			pose->rotation_vectors[3 * j + c] = random_angle(state);
		}
		snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * j, pose->local[j].rotation);
	}
	pose->name = name;
	return *pose;
}

/* One triangle without a skin, which no example moves: the time of the coefficients does not depend on the mesh. */
static void make_examples(snw_scene *scene, uint64_t *state) {
	static const double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	snw_arena *arena = scene->arena;
	snw_mesh *mesh = SNW_NEW(arena, snw_mesh);
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, EXAMPLES + 2);
	snw_example *examples = SNW_NEW_ARRAY(arena, snw_example, EXAMPLES);
	snw_member *members = SNW_NEW_ARRAY(arena, snw_member, EXAMPLES);
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, JOINTS);
	snw_group *group = SNW_NEW(arena, snw_group);
	*mesh = (snw_mesh){.name = "triangle",
					   .point_count = 3,
					   .points_rest = triangle,
					   .face_count = 1,
					   .face_offsets = snw_arena_copy(arena, (uint32_t[]){0, 3}, 2 * sizeof(uint32_t)),
					   .face_points = snw_arena_copy(arena, (uint32_t[]){0, 1, 2}, 3 * sizeof(uint32_t))};
	poses[0] = *snw_pose_rest(scene, arena);
	for (uint32_t e = 0; e < EXAMPLES + 1; e++) {
		const char *name = snw_arena_format(arena, "pose-%u", e);
		poses[1 + e] = random_pose(scene, name, state);
		if (e < EXAMPLES) {
			examples[e] = (snw_example){.name = name, .pose = 1 + e, .points_posed = triangle};
			members[e] = (snw_member){e, SNW_NONE};
		}
	}
	for (uint32_t j = 0; j < JOINTS; j++) {
		joints[j] = j;
	}
	*group = (snw_group){.name = "all", .joint_count = JOINTS, .joints = joints, .member_count = EXAMPLES, .members = members};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->poses = poses;
	scene->pose_count = EXAMPLES + 2;
	scene->examples = examples;
	scene->example_count = EXAMPLES;
	scene->groups = group;
	scene->group_count = 1;
}

static snw_status time_drive(const snw_deformer *deformer, const snw_model *model, const snw_pose_view *pose, snw_arena *arena,
							 double *seconds) {
	const snw_model_layout layout = snw_deformer_layout(deformer, model);
	const snw_drive_output output = {.size = sizeof output,
									 .z = SNW_NEW_ARRAY(arena, double, layout.z_count),
									 .d = SNW_NEW_ARRAY(arena, double, layout.d_count),
									 .e = SNW_NEW_ARRAY(arena, double, layout.e_count)};
	void *scratch = snw_arena_acquire(arena, layout.scratch_bytes);
	const snw_drive_call call = {.size = sizeof call, .model = model, .pose = pose, .scratch = scratch, .output = &output};
	snw_status status = SNW_OK;
	*seconds = INFINITY;
	const snw_thread_call before = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = deformer->descriptor->short_name, .function = "drive"});
	for (int round = 0; round < ROUNDS && !snw_failed(status); round++) {
		const double begun = snk_clock_seconds();
		for (int n = 0; n < REPEATS && !snw_failed(status); n++) {
			status = deformer->drive(&call);
		}
		*seconds = fmin(*seconds, (snk_clock_seconds() - begun) / REPEATS);
	}
	snw_thread_leave(before);
	return status;
}

/* The model as loaded from a file, at a pose that is not an example's. */
static snw_status time_model(const snw_scene *scene, const snw_deformer *deformer, const snw_saved_model *saved,
							 double *seconds, snw_error *error) {
	snw_services *services = snw_services_create(NULL, scene, NULL, NULL);
	snw_arena *arena = snw_arena_create();
	snw_model *model = NULL;
	const snw_thread_call before = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = deformer->descriptor->short_name, .function = "load"});
	snw_status status = snw_deformer_load(deformer, snw_services_host(services), snw_character_view_make(scene, arena),
										  saved->bytes, saved->byte_count, &model);
	if (!snw_failed(status)) {
		status = time_drive(deformer, model, snw_pose_view_make(scene, &scene->poses[EXAMPLES + 1], arena), arena, seconds);
		deformer->release(model);
	}
	snw_thread_leave(before);
	snw_arena_destroy(arena);
	snw_services_destroy(services);
	return snw_failed(status) ? snw_fail(error, status, "driving the model of '%s' failed", saved->name) : status;
}

snw_status snw_bench_coefficients(const snw_registry *registry, const char *method, snw_bench_coefficients_row *row,
								  snw_error *error) {
	uint64_t state = 5;
	snw_scene *scene = snw_scene_create();
	snw_fit_outcome outcome = {.arena = scene->arena};
	*row = (snw_bench_coefficients_row){.examples = EXAMPLES, .joints = JOINTS};
	snw_status status = make_skeleton(scene, error);
	if (!snw_failed(status)) {
		make_examples(scene, &state);
		const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
		status = snw_fit_run(scene, registry, &request, NULL, &outcome, error);
	}
	if (!snw_failed(status)) {
		status = time_model(scene, snw_registry_find(registry, method), &outcome.model, &row->seconds, error);
	}
	snw_scene_destroy(scene);
	return status;
}
