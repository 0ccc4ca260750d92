/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collects the frames to measure: examples, or the frames of a target or sequence.
 */
#include "measure/measure.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- ground truth -------------------------------------------------------------------------------------------------------- */

/* Examples are the ground truth of poses, targets that of clips. */

#define SAME_TIME 1e-6
enum { COMPARED_GRAIN = 16384, MOST_CHUNKS = 4096 };

snw_ground_truth snw_ground_truth_at(const snw_scene *scene, const snw_moment *moment, uint32_t mesh) {
	snw_ground_truth found = {0};
	for (uint32_t i = 0; i < scene->example_count && moment->pose != SNW_NONE; i++) {
		if (scene->examples[i].mesh == mesh && scene->examples[i].pose == moment->pose) {
			found = (snw_ground_truth){.sculpt = scene->examples[i].points_posed, .example = &scene->examples[i]};
		}
	}
	for (uint32_t i = 0; i < scene->target_count && moment->clip != SNW_NONE; i++) {
		const snw_target *target = &scene->targets[i];
		if (target->mesh == mesh && snw_target_clip(scene, target) == moment->clip && target->frame_count > 0) {
			const uint32_t f = snw_latest_time(target->seconds, target->frame_count, moment->seconds);
			if (fabs(target->seconds[f] - moment->seconds) < 2 * SAME_TIME) {
				found.frame = target->points_posed + 3 * (size_t)f * scene->meshes[mesh].point_count;
			}
		}
	}
	return found;
}

typedef struct frame_comparison {
	const snw_ground_truth *truth;
	const float *points;
	double *distances;
	uint32_t grain;
	double most[MOST_CHUNKS]; /* the largest of each chunk */
} frame_comparison;

static double distance_at(const snw_ground_truth *truth, const float *points, size_t point) {
	double squared = 0;
	for (size_t c = 3 * point; c < 3 * point + 3; c++) {
		const double away = (double)points[c] - (truth->sculpt ? truth->sculpt[c] : (double)truth->frame[c]);
		squared += away * away;
	}
	return 1000 * sqrt(squared);
}

/* The first edited point from `point` on, in the list of them. */
static uint32_t next_edited(const snw_example *example, uint32_t point) {
	uint32_t low = 0, high = example->edited_count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		*(example->edited[middle] < point ? &low : &high) = example->edited[middle] < point ? middle + 1 : middle;
	}
	return low;
}

static void compare_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	frame_comparison *job = argument;
	const snw_example *example = job->truth->example;
	const bool is_partly_edited = example && example->edited;
	uint32_t next = is_partly_edited ? next_edited(example, begin) : 0;
	double most = 0;
	for (uint32_t p = begin; p < end; p++) {
		const bool counts = !is_partly_edited || (next < example->edited_count && example->edited[next] == p);
		next += is_partly_edited && counts;
		const double distance = counts ? distance_at(job->truth, job->points, p) : 0;
		most = distance > most ? distance : most;
		if (job->distances) {
			job->distances[p] = distance;
		}
	}
	job->most[begin / job->grain] = most;
}

double snw_ground_truth_distances(const snw_ground_truth *truth, const float *points, uint32_t point_count, double *distances) {
	frame_comparison job = {.truth = truth, .points = points, .distances = distances, .grain = COMPARED_GRAIN};
	while (point_count / job.grain >= MOST_CHUNKS) {
		job.grain *= 2;
	}
	snw_parallel_for(point_count, job.grain, compare_range, &job);
	double most = 0;
	for (uint32_t i = 0; i < point_count; i += job.grain) {
		most = fmax(most, job.most[i / job.grain]);
	}
	return most;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static void begin(const snw_scene *scene, uint32_t mesh, uint32_t frame_count, snw_measured_frame *frames, snw_series *series) {
	*series = (snw_series){
		.mesh = &scene->meshes[mesh],
		.diagonal = snw_scene_diagonal(scene, mesh),
		.frame_count = frame_count,
		.frames = frames,
	};
}

snw_status snw_series_of_examples(const snw_scene *scene, uint32_t mesh, snw_arena *arena, snw_series *series,
								  snw_error *error) {
	assert(mesh < scene->mesh_count);
	snw_measured_frame *frames = SNW_NEW_ARRAY(arena, snw_measured_frame, scene->example_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (example->mesh == mesh && !example->muted) {
			frames[count++] = (snw_measured_frame){
				.name = example->name,
				.pose = snw_pose_view_make(scene, &scene->poses[example->pose], arena),
				.points = example->points_posed,
				.example = example,
			};
		}
	}
	if (count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"mesh '%s' has no examples to measure against; add one, or name a clip that has a target",
						scene->meshes[mesh].name);
	}
	begin(scene, mesh, count, frames, series);
	return SNW_OK;
}

snw_status snw_series_of_target(const snw_scene *scene, uint32_t index, snw_arena *arena, snw_series *series,
								snw_error *error) {
	assert(index < scene->target_count);
	const snw_target *target = &scene->targets[index];
	if (target->frame_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "target '%s' has no frames to measure against", target->name);
	}
	const uint32_t count = target->frame_count, clip = snw_target_clip(scene, target);
	snw_measured_frame *frames = SNW_NEW_ARRAY(arena, snw_measured_frame, count);
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, count);
	if (clip != SNW_NONE) {
		snw_pose_sample_series(scene, clip, count, target->seconds, arena, poses);
	}
	for (uint32_t f = 0; f < count; f++) {
		if (clip == SNW_NONE) {
			poses[f] = snw_pose_rest(scene, arena);
			poses[f]->seconds = target->seconds[f];
		}
		frames[f] = (snw_measured_frame){
			.name = poses[f]->name,
			.pose = snw_pose_view_make(scene, poses[f], arena),
			.points_single = target->points_posed + 3 * (size_t)f * scene->meshes[target->mesh].point_count,
		};
	}
	begin(scene, target->mesh, count, frames, series);
	return SNW_OK;
}

void snw_series_points(const snw_series *series, uint32_t frame, double *points) {
	const snw_measured_frame *measured = &series->frames[frame];
	const size_t numbers = 3 * (size_t)series->mesh->point_count;
	for (size_t i = 0; i < numbers; i++) {
		points[i] = measured->points != NULL ? measured->points[i] : (double)measured->points_single[i];
	}
}

/* ---- parts of a clip or a set -------------------------------------------------------------------------------------------- */

snw_frame_part snw_frame_part_of(uint32_t frame_count, uint32_t part_count, uint32_t part, bool is_set) {
	return is_set ? (snw_frame_part){part, frame_count, part_count}
				  : (snw_frame_part){(uint32_t)((uint64_t)frame_count * part / part_count),
									 (uint32_t)((uint64_t)frame_count * (part + 1) / part_count), 1};
}

static bool has_frame(snw_frame_part part, uint32_t frame) {
	return frame >= part.begin && frame < part.end && (frame - part.begin) % part.step == 0;
}

snw_scene snw_scene_without_frames(const snw_scene *scene, uint32_t target, snw_frame_part left_out, snw_arena *arena) {
	const snw_target *whole = &scene->targets[target];
	const size_t numbers = 3 * (size_t)scene->meshes[whole->mesh].point_count;
	snw_target *targets = snw_arena_copy(arena, scene->targets, scene->target_count * sizeof *targets);
	double *seconds = SNW_NEW_ARRAY(arena, double, whole->frame_count);
	float *points = SNW_NEW_ARRAY(arena, float, whole->frame_count *numbers);
	uint32_t kept = 0;
	for (uint32_t frame = 0; frame < whole->frame_count; frame++) {
		if (!has_frame(left_out, frame)) {
			seconds[kept] = whole->seconds[frame];
			memcpy(points + kept * numbers, whole->points_posed + frame * numbers, numbers * sizeof *points);
			kept++;
		}
	}
	targets[target].frame_count = kept;
	targets[target].seconds = seconds;
	targets[target].points_posed = points;
	snw_scene without = *scene;
	without.targets = targets;
	return without;
}

/* ---- compression --------------------------------------------------------------------------------------------------------- */

enum { LOOKS = 5 }; /* frames of each sequence whose matrices are tested */
static const double RIGID_TOLERANCE = 1e-5;

static bool is_rigid(const double matrix[12]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c <= r; c++) {
			if (!(fabs(snw_dot3(matrix + 4 * r, matrix + 4 * c) - (r == c)) <= RIGID_TOLERANCE)) {
				return false;
			}
		}
	}
	return snw_mat34_determinant(matrix) > 0;
}

/* Whether all matrices are rigid over a sequence. A stack that cannot be driven counts as not rigid. */
static bool stays_rigid(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, const snw_target *target) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const uint32_t clip = snw_target_clip(scene, target);
	bool rigid = true;
	for (uint32_t i = 0; i < LOOKS && clip != SNW_NONE && rigid; i++) {
		const double seconds = target->seconds[(size_t)(target->frame_count - 1) * i / (LOOKS - 1)];
		const snw_pose *pose = snw_pose_sample(scene, clip, seconds, arena);
		rigid = !snw_failed(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, NULL));
		const snw_program_input *driven = snw_stack_program_input(evaluation, mesh, 0);
		for (uint32_t s = 0; s < snw_stack_segment(stack, mesh, 0).program->slot_count && rigid; s++) {
			rigid = is_rigid(driven->matrices + 12 * (size_t)s);
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return rigid;
}

/* The slots that move the mesh: a palette serves all meshes of its model. */
static uint32_t count_proxies(const snw_program *program) {
	snw_arena *arena = snw_arena_create();
	bool *moves = SNW_NEW_ARRAY(arena, bool, program->slot_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < program->influence_offsets[program->point_count]; i++) {
		count += !moves[program->influence_slots[i]];
		moves[program->influence_slots[i]] = true;
	}
	snw_arena_destroy(arena);
	return count;
}

bool snw_compression_find(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, snw_compression *compression) {
	if (snw_stack_segment_count(stack, mesh) != 1 || !snw_stack_segment(stack, mesh, 0).has_palette) {
		return false;
	}
	const snw_program *program = snw_stack_segment(stack, mesh, 0).program;
	snw_compression found = {.rigid = true, .displacement_count = program->rest.count};
	found.proxy_count = program->blend == SNW_BLEND_NONE ? 0 : count_proxies(program);
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (target->mesh == mesh && target->frame_count > 0) {
			found.frame_count += target->frame_count;
			found.rigid = found.rigid && (program->dual_quaternion_palette || stays_rigid(scene, stack, mesh, target));
		}
	}
	if (found.frame_count == 0) {
		return false;
	}
	const double m = program->point_count, n = found.frame_count, p = found.proxy_count, f = found.displacement_count;
	found.ratio = 6 * m * n / ((found.rigid ? 12 : 24) * p * n + 6 * m + f * (6 * m + 2 * n));
	found.point_bytes = 3 * m * n * sizeof(float);
	*compression = found;
	return true;
}
