/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples are the ground truth of poses, targets that of clips.
 */
#include "measure/ground_truth.h"

#include <math.h>

#include "pose/clip_times.h"
#include "task/parallel.h"

#define SAME_TIME 1e-6
enum { GRAIN = 16384, MOST_CHUNKS = 4096 };

snw_ground_truth snw_ground_truth_at(const snw_scene *scene, const snw_moment *moment, uint32_t mesh) {
	snw_ground_truth found = {0};
	for (uint32_t i = 0; i < scene->example_count && moment->pose != SNW_NONE; i++) {
		if (scene->examples[i].mesh == mesh && scene->examples[i].pose == moment->pose) {
			found.sculpt = scene->examples[i].points_posed;
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

typedef struct comparison {
	const snw_ground_truth *truth;
	const float *points;
	double *distances;
	uint32_t grain;
	double most[MOST_CHUNKS]; /* the largest of each chunk */
} comparison;

static double distance_at(const snw_ground_truth *truth, const float *points, size_t point) {
	double squared = 0;
	for (size_t c = 3 * point; c < 3 * point + 3; c++) {
		const double away = (double)points[c] - (truth->sculpt ? truth->sculpt[c] : (double)truth->frame[c]);
		squared += away * away;
	}
	return 1000 * sqrt(squared);
}

static void compare(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	comparison *job = argument;
	double most = 0;
	for (uint32_t p = begin; p < end; p++) {
		const double distance = distance_at(job->truth, job->points, p);
		most = distance > most ? distance : most;
		if (job->distances) {
			job->distances[p] = distance;
		}
	}
	job->most[begin / job->grain] = most;
}

double snw_ground_truth_distances(const snw_ground_truth *truth, const float *points, uint32_t point_count, double *distances) {
	comparison job = {.truth = truth, .points = points, .distances = distances, .grain = GRAIN};
	while (point_count / job.grain >= MOST_CHUNKS) {
		job.grain *= 2;
	}
	snw_parallel_for(point_count, job.grain, compare, &job);
	double most = 0;
	for (uint32_t i = 0; i < point_count; i += job.grain) {
		most = fmax(most, job.most[i / job.grain]);
	}
	return most;
}
