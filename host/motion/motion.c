/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "motion/motion.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "task/task.h"

/* Points of one thread; frames and shuffled poses; points that the axes are found from. */
enum { AXIS_GRAIN = 256, FRAMES = 64, SHUFFLES = 40, SAMPLES = 6000 };

static const double most_left = 0.002; /* of the rest's diagonal */

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* `count` of the poses [begin, end) of a set, evenly. */
static void take_evenly(const snw_pose_set *set, uint32_t begin, uint32_t end, uint32_t count, uint32_t *taken,
						snw_pose **poses) {
	const uint32_t all = end - begin, kept = all < count ? all : count;
	for (uint32_t i = 0; i < kept; i++) {
		poses[(*taken)++] = set->list[begin + (uint64_t)i * all / kept];
	}
}

void snw_motion_choose_frames(const snw_scene *scene, uint32_t count, double part, snw_arena *arena, uint32_t *pose_count,
							  snw_pose **poses) {
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		double *seconds;
		uint32_t all;
		snw_clip_times(scene, c, arena, &seconds, &all);
		const uint32_t share = count / scene->clip_count, kept = all < share ? all : share;
		for (uint32_t i = 0; i < kept; i++) {
			seconds[i] = seconds[(uint32_t)((i + part) * all / kept)];
		}
		snw_pose_sample_series(scene, c, kept, seconds, arena, poses + *pose_count);
		for (uint32_t i = 0; i < kept; i++) {
			poses[*pose_count + i]->name = snw_arena_format(arena, "%s at %.4g s", scene->clips[c].name, seconds[i]);
		}
		*pose_count += kept;
	}
}

const float *snw_motion_frame(const snw_scene *scene, uint32_t mesh, const snw_pose *pose) {
	for (uint32_t t = 0; strcmp(pose->name, "rest") != 0 && t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (target->mesh == mesh && target->clip == SNW_NONE && target->frame_count > 0) {
			uint32_t nearest = 0;
			for (uint32_t f = 1; f < target->frame_count; f++) {
				nearest =
					fabs(target->seconds[f] - pose->seconds) < fabs(target->seconds[nearest] - pose->seconds) ? f : nearest;
			}
			return target->points_posed + 3 * (size_t)nearest * scene->meshes[mesh].point_count;
		}
	}
	return NULL;
}

void snw_motion_choose_poses(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena,
							 uint32_t *pose_count, snw_pose ***poses) {
	snw_pose_set fitted = {0}, held_out;
	*poses = SNW_NEW_ARRAY(arena, snw_pose *, (size_t)FRAMES + SHUFFLES + 1);
	*pose_count = 0;
	(*poses)[(*pose_count)++] = snw_pose_rest(scene, arena);
	if (scene->skeleton.joint_count == 0) {
		snw_motion_choose_frames(scene, FRAMES + SHUFFLES, 0, arena, pose_count, *poses);
		return;
	}
	if (snw_failed(snw_pose_sets_choose(scene, clip_count, clips, arena, &fitted, &held_out, NULL))) {
		snw_pose_set_shuffle(scene, FRAMES + SHUFFLES, arena, &fitted);
	}
	take_evenly(&fitted, 0, fitted.frame_count, FRAMES, pose_count, *poses);
	take_evenly(&fitted, fitted.frame_count, fitted.count, SHUFFLES, pose_count, *poses);
}

static snw_status run_poses(const snw_stack *stack, const snw_scene *scene, const snw_task *task, snw_motion *motion,
							snw_error *error) {
	snw_status status = SNW_OK;
	snw_arena *scratch = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double *global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->skeleton.joint_count);
	double *palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->slot_count);
	for (uint32_t p = 0; p < motion->pose_count && !snw_failed(status); p++) {
		snw_pose_view view;
		snw_pose_solve(scene, motion->poses[p], global, palette, &view);
		status = snw_stack_drive(stack, &view, evaluation, error);
		for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
			float *posed = motion->posed[m] + 3 * (size_t)p * scene->meshes[m].point_count;
			const float *frame = snw_stack_segment_count(stack, m) == 0 ? snw_motion_frame(scene, m, motion->poses[p]) : NULL;
			if (frame) {
				memcpy(posed, frame, 3 * (size_t)scene->meshes[m].point_count * sizeof *posed);
			} else {
				status = snw_stack_run(stack, evaluation, m, posed, error);
			}
		}
		if (!snw_failed(status) && !snw_task_progress(task, (double)p / motion->pose_count, "posing the character")) {
			status = snw_fail(error, SNW_CANCELLED, "finding the motion was cancelled");
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- the rigid part ------------------------------------------------------------------------------------------------------ */

/* [mesh_count]: [point_count], a third of the area of the faces around each point at rest. */
static double **point_areas(const snw_scene *scene, snw_arena *arena) {
	double **areas = SNW_NEW_ARRAY(arena, double *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		areas[m] = SNW_NEW_ARRAY(arena, double, mesh->point_count);
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t *corners = mesh->face_points + mesh->face_offsets[f];
			const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
			for (uint32_t k = 2; k < count; k++) {
				const double *a = mesh->points_rest + 3 * (size_t)corners[0];
				const double *b = mesh->points_rest + 3 * (size_t)corners[k - 1],
							 *c = mesh->points_rest + 3 * (size_t)corners[k];
				const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
				double normal[3];
				snw_cross3(ab, ac, normal);
				const double share = sqrt(snw_dot3(normal, normal)) / 6;
				areas[m][corners[0]] += share;
				areas[m][corners[k - 1]] += share;
				areas[m][corners[k]] += share;
			}
		}
	}
	return areas;
}

/* The areas' sum, and their centre in a pose. */
static double find_center(const snw_scene *scene, double *const *areas, const snw_motion *motion, uint32_t pose,
						  double center[3]) {
	double area = 0;
	memset(center, 0, 3 * sizeof *center);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		const float *posed = motion->posed[m] + 3 * (size_t)pose * count;
		for (size_t i = 0; i < count; i++) {
			area += areas[m][i];
			for (size_t c = 0; c < 3; c++) {
				center[c] += areas[m][i] * (double)posed[3 * i + c];
			}
		}
	}
	for (int c = 0; c < 3; c++) {
		center[c] = area > 0 ? center[c] / area : 0;
	}
	return area;
}

/* Takes a pose back by the rigid map that brings it nearest to the rest, by area. */
static void take_back(const snw_scene *scene, double *const *areas, uint32_t pose, snw_motion *motion) {
	double rest_center[3], center[3], moments[9] = {0}, rotation[9];
	find_center(scene, areas, motion, 0, rest_center);
	find_center(scene, areas, motion, pose, center);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		const float *rest = motion->posed[m], *posed = rest + 3 * (size_t)pose * count;
		for (size_t i = 0; i < count; i++) {
			for (size_t r = 0; r < 3; r++) {
				const double there = areas[m][i] * ((double)rest[3 * i + r] - rest_center[r]);
				for (size_t c = 0; c < 3; c++) {
					moments[3 * r + c] += there * ((double)posed[3 * i + c] - center[c]);
				}
			}
		}
	}
	snk_nearest_rotation(moments, rotation);
	double *rigid = motion->rigid + 12 * (size_t)pose;
	for (size_t r = 0; r < 3; r++) {
		memcpy(rigid + 4 * r, rotation + 3 * r, 3 * sizeof *rigid);
		rigid[4 * r + 3] = rest_center[r] - snw_dot3(rotation + 3 * r, center);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		float *posed = motion->posed[m] + 3 * (size_t)pose * count;
		for (size_t i = 0; i < count; i++) {
			const double from[3] = {(double)posed[3 * i], (double)posed[3 * i + 1], (double)posed[3 * i + 2]};
			double to[3];
			snw_mat34_point(rigid, from, to);
			for (size_t c = 0; c < 3; c++) {
				posed[3 * i + c] = (float)to[c];
			}
		}
	}
}

/* ---- the axes ------------------------------------------------------------------------------------------------------------ */

typedef struct reduction {
	const snw_scene *scene;
	const snw_motion *motion;
	uint32_t width; /* 3 numbers a pose */
	double *mean;   /* [width] */
	double *axes;   /* [axis_count][width], over the root of the number of poses */
	uint32_t mesh;
	uint32_t sample_count;
	double *samples; /* [width][sample_count] */
	double *moments; /* [width][width] */
} reduction;

static void moments_of_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const reduction *r = argument;
	(void)thread;
	for (uint32_t a = begin; a < end; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			const double *x = r->samples + (size_t)a * r->sample_count, *y = r->samples + (size_t)b * r->sample_count;
			double sums[4] = {0};
			uint32_t i = 0;
			for (; i + 4 <= r->sample_count; i += 4) {
				for (uint32_t k = 0; k < 4; k++) {
					sums[k] += x[i + k] * y[i + k];
				}
			}
			for (; i < r->sample_count; i++) {
				sums[0] += x[i] * y[i];
			}
			r->moments[(size_t)a * r->width + b] = r->moments[(size_t)b * r->width + a] = sums[0] + sums[1] + sums[2] + sums[3];
		}
	}
}

/* Points of all meshes, evenly, about their mean, by the root of their area. */
static void take_samples(double *const *areas, snw_arena *arena, reduction *r) {
	uint64_t all = 0;
	for (uint32_t m = 0; m < r->scene->mesh_count; m++) {
		all += r->scene->meshes[m].point_count;
	}
	const uint64_t step = all / SAMPLES + 1;
	r->sample_count = (uint32_t)((all + step - 1) / step);
	r->samples = SNW_NEW_ARRAY(arena, double, (size_t)r->width * r->sample_count);
	double *roots = SNW_NEW_ARRAY(arena, double, r->sample_count), sum = 0;
	uint64_t passed = 0;
	uint32_t taken = 0;
	for (uint32_t m = 0; m < r->scene->mesh_count; passed += r->scene->meshes[m++].point_count) {
		const uint32_t count = r->scene->meshes[m].point_count;
		for (uint64_t i = (step - passed % step) % step; i < count; i += step, taken++) {
			roots[taken] = areas[m][i];
			sum += roots[taken];
			for (uint32_t w = 0; w < r->width; w++) {
				r->samples[(size_t)w * r->sample_count + taken] =
					(double)r->motion->posed[m][3 * ((size_t)(w / 3) * count + i) + w % 3];
			}
		}
	}
	for (uint32_t i = 0; i < r->sample_count; i++) {
		roots[i] = sum > 0 ? roots[i] / sum : 1.0 / r->sample_count;
	}
	for (uint32_t w = 0; w < r->width; w++) {
		double *row = r->samples + (size_t)w * r->sample_count;
		for (uint32_t i = 0; i < r->sample_count; i++) {
			r->mean[w] += roots[i] * row[i];
		}
		for (uint32_t i = 0; i < r->sample_count; i++) {
			row[i] = (row[i] - r->mean[w]) * sqrt(roots[i] / r->motion->pose_count);
		}
	}
}

/* The fewest axes that leave out little enough. False where they cannot be found. */
static bool find_axes(double *const *areas, snw_arena *scratch, snw_motion *motion, reduction *r) {
	r->mean = SNW_NEW_ARRAY(scratch, double, r->width);
	take_samples(areas, scratch, r);
	r->moments = SNW_NEW_ARRAY(scratch, double, (size_t)r->width * r->width);
	snw_parallel_for(r->width, 4, moments_of_rows, r);
	double *values = SNW_NEW_ARRAY(scratch, double, r->width);
	if (!snw_symmetric_eigen(r->width, r->moments, values, SNW_NEW_ARRAY(scratch, double, 3 * (size_t)r->width))) {
		return false;
	}
	const double diagonal = snw_scene_diagonal(r->scene, SNW_NONE), most = most_left * diagonal;
	double left = 0;
	uint32_t out = 0;
	while (out + 1 < r->width && (left + fmax(values[out], 0) <= most * most || r->width - out > SNW_MOTION_AXES)) {
		left += fmax(values[out++], 0);
	}
	const uint32_t count = r->width - out;
	r->axes = r->moments + (size_t)out * r->width;
	motion->axis_count = count;
	motion->left_percent = diagonal > 0 ? 100 * sqrt(left) / diagonal : 0;
	for (size_t i = 0; i < (size_t)count * r->width; i++) {
		r->axes[i] /= sqrt(motion->pose_count);
	}
	return true;
}

static void project_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const reduction *r = argument;
	const uint32_t axis_count = r->motion->axis_count;
	const size_t count = r->scene->meshes[r->mesh].point_count;
	(void)thread;
	for (uint32_t pose = 0; pose < r->motion->pose_count; pose++) {
		const float *posed = r->motion->posed[r->mesh] + 3 * pose * count;
		const double *mean = r->mean + 3 * (size_t)pose;
		for (uint32_t i = begin; i < end; i++) {
			double *to = r->motion->coordinates[r->mesh] + (size_t)i * axis_count;
			const float *from = posed + 3 * (size_t)i;
			const double x = (double)from[0] - mean[0], y = (double)from[1] - mean[1], z = (double)from[2] - mean[2];
			for (uint32_t a = 0; a < axis_count; a++) {
				const double *axis = r->axes + (size_t)a * r->width + 3 * (size_t)pose;
				to[a] += axis[0] * x + axis[1] * y + axis[2] * z;
			}
		}
	}
}

snw_status snw_motion_reduce(const snw_scene *scene, const snw_task *task, snw_arena *arena, snw_motion *motion,
							 snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	double **areas = point_areas(scene, scratch);
	motion->mesh_count = scene->mesh_count;
	motion->rigid = SNW_NEW_ARRAY(arena, double, 12 * (size_t)motion->pose_count);
	motion->coordinates = SNW_NEW_ARRAY(arena, double *, scene->mesh_count);
	for (uint32_t p = motion->pose_count; p-- > 0;) { /* the rest last: the others are compared with it */
		take_back(scene, areas, p, motion);
	}
	reduction r = {.scene = scene, .motion = motion, .width = 3 * motion->pose_count};
	if (!find_axes(areas, scratch, motion, &r)) {
		snw_arena_destroy(scratch);
		return snw_fail(error, SNW_ERROR_DATA, "the motion of the character has no principal axes: some points are not finite");
	}
	motion->axes = snw_arena_copy(arena, r.axes, (size_t)motion->axis_count * r.width * sizeof *r.axes);
	for (r.mesh = 0; r.mesh < scene->mesh_count; r.mesh++) {
		const uint32_t count = scene->meshes[r.mesh].point_count;
		motion->coordinates[r.mesh] = SNW_NEW_ARRAY(arena, double, (size_t)count * motion->axis_count);
		snw_parallel_for(count, AXIS_GRAIN, project_points, &r);
	}
	snw_arena_destroy(scratch);
	return snw_task_progress(task, 1, "reducing the motion")
			   ? SNW_OK
			   : snw_fail(error, SNW_CANCELLED, "finding the motion was cancelled");
}

snw_status snw_motion_pose(const snw_stack *stack, const snw_scene *scene, uint32_t pose_count, snw_pose **poses,
						   const snw_task *task, snw_arena *arena, snw_motion *motion, snw_error *error) {
	*motion = (snw_motion){.pose_count = pose_count, .poses = poses, .posed = SNW_NEW_ARRAY(arena, float *, scene->mesh_count)};
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		motion->posed[m] = SNW_NEW_ARRAY(arena, float, 3 * (size_t)pose_count * scene->meshes[m].point_count);
	}
	return run_poses(stack, scene, task, motion, error);
}

snw_status snw_motion_make(const snw_stack *stack, const snw_scene *scene, uint32_t pose_count, snw_pose **poses,
						   const snw_task *task, snw_arena *arena, snw_motion *motion, snw_error *error) {
	const snw_status status = snw_motion_pose(stack, scene, pose_count, poses, task, arena, motion, error);
	return snw_failed(status) ? status : snw_motion_reduce(scene, task, arena, motion, error);
}
