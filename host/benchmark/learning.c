/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times fits of synthetic characters.
 */
#include "benchmark/benchmark.h"

#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "fit/fit.h"
#include "measure/measure.h"
#include "parameter/parameters.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"

/* ---- skins of mesh animations -------------------------------------------------------------------------------------------- */

enum { MOST_SETTINGS = 32 };

/* ---- the animation ------------------------------------------------------------------------------------------------------- */

static void wave(double u, double v, double t, double point[3]) {
	const double phase = 6.28318530717958648 * t;
	point[0] = u + 0.05 * sin(3 * v + phase);
	point[1] = v + 0.03 * sin(5 * u - phase);
	point[2] = t * (0.15 * sin(7 * u + phase) * cos(5 * v) + 0.02 * sin(23 * u + 17 * v + 2 * phase));
}

static void make_faces(snw_scene *scene, snw_mesh *mesh, uint32_t side) {
	const uint32_t count = (side - 1) * (side - 1);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)count + 1);
	uint32_t *points = SNW_NEW_ARRAY(scene->arena, uint32_t, 4 * (size_t)count);
	for (uint32_t f = 0; f < count; f++) {
		const uint32_t at = f / (side - 1) * side + f % (side - 1);
		const uint32_t corners[4] = {at, at + 1, at + side + 1, at + side};
		memcpy(points + 4 * (size_t)f, corners, sizeof corners);
		offsets[f + 1] = 4 * (f + 1);
	}
	mesh->face_count = count;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
}

snw_scene *snw_bench_sheet(uint32_t points, uint32_t frames) {
	const uint32_t side = (uint32_t)fmax(2, round(sqrt((double)points))), count = side * side;
	snw_scene *scene = snw_scene_create();
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	snw_target *sequence = SNW_NEW(scene->arena, snw_target);
	double *rest = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)count);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, frames);
	float *posed = SNW_NEW_ARRAY(scene->arena, float, 3 * (size_t)count * frames);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t column = i % side, row = i / side;
		const double u = (double)column / (side - 1), v = (double)row / (side - 1);
		rest[3 * (size_t)i] = u;
		rest[3 * (size_t)i + 1] = v;
		for (uint32_t f = 0; f < frames; f++) {
			double point[3];
			wave(u, v, (f + 1.0) / frames, point);
			seconds[f] = f / 24.0;
			for (size_t c = 0; c < 3; c++) {
				posed[3 * ((size_t)f * count + i) + c] = (float)point[c];
			}
		}
	}
	*mesh = (snw_mesh){.name = "sheet", .point_count = count, .points_rest = rest};
	make_faces(scene, mesh, side);
	*sequence =
		(snw_target){.name = "waves", .clip = SNW_NONE, .frame_count = frames, .seconds = seconds, .points_posed = posed};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->target_count = 1;
	scene->targets = sequence;
	snw_scene_clip_sequences(scene);
	((snw_clip *)(uintptr_t)scene->clips)[0].id = 1; /* the id by which a method finds its tracks */
	return scene;
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

/* The measurements that one fit reported. */
typedef struct measured_parts {
	const snw_task *task;
	snw_arena *arena;
	uint32_t count;
	snw_bench_part *parts; /* [SNW_BENCH_PARTS] */
} measured_parts;

static bool pass_progress(void *context, double fraction, const char *activity) {
	return snw_task_progress(((const measured_parts *)context)->task, fraction, activity);
}

static void pass_warning(void *context, snw_log_level level, const char *line) {
	if (level >= SNW_LOG_WARNING) {
		snw_task_notice(((const measured_parts *)context)->task, level, "%s", line);
	}
}

static void add_part(void *context, const char *name, double value, const char *unit) {
	measured_parts *measured = context;
	uint32_t i = 0;
	while (i < measured->count && strcmp(measured->parts[i].name, name) != 0) {
		i++;
	}
	if (i < measured->count) {
		measured->parts[i].value += value;
	} else if (i < SNW_BENCH_PARTS) {
		measured->parts[measured->count++] =
			(snw_bench_part){snw_arena_text(measured->arena, name), value, snw_arena_text(measured->arena, unit)};
	}
}

static snw_status parse_settings(const snw_descriptor *descriptor, const char *text, snw_arena *arena, snw_setting *settings,
								 uint32_t *count, snw_error *error) {
	char *words = snw_arena_text(arena, text);
	*count = 0;
	for (char *rest, *word = strtok_r(words, " ", &rest); word && *count < MOST_SETTINGS; word = strtok_r(NULL, " ", &rest)) {
		uint32_t index, at = 0;
		snw_value value;
		const snw_status status = snw_parameter_parse(descriptor, word, &index, &value, error);
		if (snw_failed(status)) {
			return status;
		}
		const char *key = descriptor->parameters[index]->key;
		while (at < *count && strcmp(settings[at].key, key) != 0) {
			at++;
		}
		settings[at] = (snw_setting){key, value};
		*count += at == *count;
	}
	return SNW_OK;
}

static snw_status measure_fit(const snw_scene *scene, const snw_registry *registry, const snw_fit_outcome *outcome,
							  const snw_task *task, snw_bench_fit_row *row, snw_error *error) {
	snw_scene *fitted = NULL;
	snw_status status = snw_fit_apply(scene, outcome, &fitted, error);
	uint32_t target = 0;
	while (!snw_failed(status) && fitted->targets[target].clip != SNW_NONE) {
		target++;
	}
	if (!snw_failed(status)) {
		const snw_measure_request request = {.target = target};
		snw_measure measure;
		status = snw_measure_run(fitted, registry, &request, task, &measure, error);
		row->erms = measure.erms;
		row->distortion_percent = measure.distortion_percent;
		row->max_percent = measure.max_percent;
		row->points = fitted->meshes[fitted->targets[target].mesh].point_count;
		row->frames = fitted->targets[target].frame_count;
	}
	snw_scene_destroy(fitted);
	return status;
}

snw_status snw_bench_fit(const snw_scene *scene, const snw_registry *registry, const char *method, const char *settings,
						 uint32_t repeats, const snw_task *task, snw_arena *arena, snw_bench_fit_row *row, snw_error *error) {
	const snw_deformer *deformer = snw_registry_find(registry, method);
	if (!deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "the plug-in %s is missing; add its folder to $SINEW_PLUGIN_PATH", method);
	}
	snw_setting list[MOST_SETTINGS];
	measured_parts measured = {.task = task, .arena = arena};
	const snw_task fit_task = {
		.context = &measured, .progress = pass_progress, .notice = pass_warning, .measurement = add_part};
	/* A layer of another name: settings of the scene's layers would apply otherwise. */
	snw_fit_request request = {.method = method, .layer = "benchmark of a fit", .settings = list, .left_out_example = SNW_NONE};
	snw_status status = parse_settings(deformer->descriptor, settings, arena, list, &request.setting_count, error);
	*row = (snw_bench_fit_row){.settings = snw_arena_text(arena, settings), .seconds = HUGE_VAL, .processor_seconds = HUGE_VAL};
	for (uint32_t r = 0; r < repeats && !snw_failed(status); r++) {
		snw_fit_outcome outcome = {.arena = snw_arena_create()};
		measured.count = 0;
		measured.parts = SNW_NEW_ARRAY(arena, snw_bench_part, SNW_BENCH_PARTS);
		const double begun = snk_clock_process_seconds();
		status = snw_fit_run(scene, registry, &request, &fit_task, &outcome, error);
		if (!snw_failed(status)) {
			row->processor_seconds = fmin(row->processor_seconds, snk_clock_process_seconds() - begun);
			if (outcome.seconds < row->seconds) {
				row->seconds = outcome.seconds;
				row->parts = measured.parts;
				row->part_count = measured.count;
			}
			status = r == 0 ? measure_fit(scene, registry, &outcome, task, row, error) : SNW_OK;
		}
		snw_arena_destroy(outcome.arena);
	}
	return status;
}

/* ---- skins of poses ------------------------------------------------------------------------------------------------------ */

enum { JOINTS = SNW_BENCH_CHAIN_JOINTS, TEST_FRAMES = 8 };

/* Metres, radians. */
static const double spacing = 0.05, thickness = 0.04, largest_angle = 0.6, thickening = 0.4;

/* ---- mesh and rig -------------------------------------------------------------------------------------------------------- */

static double radius_at(double x) {
	(void)x;
	return thickness;
}

/* Each bone reaches two bones far. */
static void find_weights(const double rest[3], double *weights) {
	double sum = 0;
	for (uint32_t j = 0; j < JOINTS; j++) {
		const double middle = fmin(fmax(rest[0] / spacing, 0), JOINTS), reach = 1 - fabs(middle - j - 0.5) / 2;
		weights[j] = reach > 0 ? reach * reach : 0;
		sum += weights[j];
	}
	for (uint32_t j = 0; j < JOINTS; j++) {
		weights[j] /= sum;
	}
}

/* Nearly square quads. */
static void make_mesh(uint32_t points, snw_scene *scene, snw_mesh *mesh) {
	const double length = JOINTS * spacing, around = 2 * M_PI * thickness;
	const uint32_t sides = 4 * (uint32_t)fmax(2, round(sqrt(points * around / length) / 4));
	const snw_tube tube = {.end = length,
						   .dome = 0.5,
						   .rings = (uint32_t)fmax(2, round((double)points / sides)),
						   .sides = sides,
						   .radius = radius_at};
	mesh->name = "tail";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, JOINTS, find_weights, scene->arena);
	scene->mesh_count = 1;
	scene->meshes = mesh;
}

static void make_rig(snw_scene *scene) {
	snw_rig_joint *joints = SNW_NEW_ARRAY(scene->arena, snw_rig_joint, JOINTS);
	for (uint32_t j = 0; j < JOINTS; j++) {
		joints[j] = (snw_rig_joint){.name = snw_arena_format(scene->arena, "joint-%02u", j + 1),
									.parent = j > 0 ? j - 1 : SNW_NONE,
									.translation = {j > 0 ? spacing : 0}};
	}
	snw_rig_make(scene, joints, JOINTS, NULL); /* cannot fail: a chain */
}

/* ---- motion -------------------------------------------------------------------------------------------------------------- */

/* About all axes, otherwise in each clip; the root stays. */
static void rotation_at(uint32_t clip, uint32_t joint, double moment, double vector[3]) {
	static const double rates[3] = {1, 2, 3};
	for (size_t c = 0; c < 3; c++) {
		const double phase = 2 * M_PI * (rates[c] * moment + 0.37 * joint * (double)(c + 1) + 0.21 * clip);
		vector[c] = joint > 0 ? largest_angle / 2 * sin(phase) : 0;
	}
}

static void make_clip(uint32_t index, uint32_t frames, snw_scene *scene, snw_clip *clip) {
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, frames);
	snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, JOINTS);
	for (uint32_t f = 0; f < frames; f++) {
		seconds[f] = f / 24.0;
	}
	for (uint32_t j = 0; j < JOINTS; j++) {
		double *rotations = SNW_NEW_ARRAY(scene->arena, double, 4 * (size_t)frames);
		for (uint32_t f = 0; f < frames; f++) {
			double vector[3];
			rotation_at(index, j, (double)f / frames, vector);
			snw_quat_from_rotation_vector(vector, rotations + 4 * (size_t)f);
		}
		tracks[j] = (snw_track){.target = j,
								.path = SNW_PATH_ROTATION,
								.interpolation = SNW_LINEAR,
								.key_count = frames,
								.seconds = seconds,
								.values = rotations};
	}
	*clip = (snw_clip){.id = index + 1,
					   .name = index == 0 ? "train" : "test",
					   .duration_seconds = seconds[frames - 1],
					   .track_count = JOINTS,
					   .tracks = tracks};
}

/* A point follows the bone before the nearest joint, and rotates about that joint by a part that grows along the tail. */
static void pose_point(const snw_pose_view *pose, const double rest[3], float posed[3]) {
	const double along = fmin(fmax(rest[0] / spacing, 0), JOINTS - 1);
	const uint32_t joint = (uint32_t)round(along);
	const double t = fmin(fmax(rest[0] / spacing - joint + 0.5, 0), 1), part = t * t * (3 - 2 * t);
	double vector[3], quaternion[4], matrix[12], point[3], image[3];
	memcpy(vector, pose->rotation_vectors + 3 * (size_t)joint, sizeof vector);
	const double bulge = 1 + thickening * snw_length3(vector) * 4 * t * (1 - t) / largest_angle;
	for (size_t c = 0; c < 3; c++) {
		vector[c] *= part;
	}
	point[0] = rest[0] - spacing * joint;
	point[1] = bulge * rest[1];
	point[2] = bulge * rest[2];
	snw_quat_from_rotation_vector(vector, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	snw_mat34_point(matrix, point, image);
	image[0] += spacing * joint;
	if (joint > 0) {
		memcpy(point, image, sizeof point);
		snw_mat34_point(pose->palette + 12 * (size_t)(joint - 1), point, image);
	}
	for (size_t c = 0; c < 3; c++) {
		posed[c] = (float)image[c];
	}
}

static void make_target(uint32_t clip, snw_scene *scene, snw_target *target) {
	const snw_clip *from = &scene->clips[clip];
	const uint32_t frames = from->tracks[0].key_count;
	const size_t points = scene->meshes[0].point_count;
	float *posed = SNW_NEW_ARRAY(scene->arena, float, 3 * points * frames);
	for (uint32_t f = 0; f < frames; f++) {
		const snw_pose *pose = snw_pose_sample(scene, clip, from->tracks[0].seconds[f], scene->arena);
		const snw_pose_view *view = snw_pose_view_make(scene, pose, scene->arena);
		for (size_t i = 0; i < points; i++) {
			pose_point(view, scene->meshes[0].points_rest + 3 * i, posed + 3 * (f * points + i));
		}
	}
	*target = (snw_target){.id = clip + 1,
						   .name = from->name,
						   .clip = clip,
						   .frame_count = frames,
						   .seconds = from->tracks[0].seconds,
						   .points_posed = posed};
}

snw_scene *snw_bench_chain(uint32_t points, uint32_t frames) {
	snw_scene *scene = snw_scene_create();
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, 2);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	make_mesh(points, scene, SNW_NEW(scene->arena, snw_mesh));
	make_rig(scene);
	make_clip(0, frames, scene, &clips[0]);
	make_clip(1, TEST_FRAMES, scene, &clips[1]);
	scene->clip_count = 2;
	scene->clips = clips;
	for (uint32_t clip = 0; clip < 2; clip++) {
		make_target(clip, scene, &targets[clip]);
	}
	scene->target_count = 2;
	scene->targets = targets;
	scene->pose_count = 1;
	scene->poses = snw_pose_rest(scene, scene->arena);
	snw_scene_add_baseline(scene);
	return scene;
}

/* ---- methods ------------------------------------------------------------------------------------------------------------- */

snw_status snw_bench_training(const snw_scene *chain, const snw_registry *registry, const char *method, const snw_task *task,
							  snw_arena *arena, snw_comparison *comparison, snw_error *error) {
	snw_contender *contenders;
	uint32_t count, listed = 1;
	snw_contenders_of_registry(chain, registry, arena, &contenders, &count);
	const char **methods = SNW_NEW_ARRAY(arena, const char *, count + 1);
	methods[0] = contenders[0].name;
	for (uint32_t i = 1; i < count && !method; i++) {
		if (contenders[i].reads_frames) {
			methods[listed++] = contenders[i].name;
		}
	}
	if (method) {
		methods[listed++] = method;
	}
	const snw_compare_request request = {.train = 0, .test = 1, .method_count = listed, .methods = methods};
	return snw_compare_run(chain, registry, &request, task, arena, comparison, error);
}
