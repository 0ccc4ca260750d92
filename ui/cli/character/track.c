/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew track: the poses of the character's skeleton for new frames of its mesh.
 */
#include "track/track.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/plural.h"
#include "cli/command_line/open_project.h"
#include "cli/command_line/options/worker_limits.h"
#include "cli/command_line/verb.h"
#include "edit/commit_track.h"
#include "pose/clip_times.h"

/* The frames to track, and what they become. */
typedef struct track_job {
	const char *name;
	uint32_t mesh_count;
	snw_tracked_mesh *meshes; /* [mesh_count] */
	uint32_t frame_count;
	const double *seconds; /* [frame_count] */
	bool is_set;           /* the frames have no order */
	bool is_stored;        /* they are a sequence of the project, and become its clip */
} track_job;

static bool makes_examples(const track_job *job) {
	return job->is_set && !job->is_stored;
}

/* ---- the frames ---------------------------------------------------------------------------------------------------------- */

/* Moments nearer than this are the same, in seconds. */
static const double same_moment = 1e-4;

/* The frames of one more mesh, which must be at the moments of those before. `words` name them. */
static snw_status add_mesh(track_job *job, uint32_t mesh, uint32_t frame_count, const double *seconds, const float *points,
						   const char *words, snw_error *error) {
	const bool is_first = job->mesh_count == 0;
	job->frame_count = is_first ? frame_count : job->frame_count;
	job->seconds = is_first ? seconds : job->seconds;
	if (frame_count != job->frame_count) {
		return snw_fail(
			error, SNW_ERROR_DATA,
			"%s has %u frame%s and the first has %u; meshes that are tracked together need a frame of each for each "
			"moment; or name one with --on MESH",
			words, frame_count, snw_plural(frame_count), job->frame_count);
	}
	for (uint32_t f = 0; f < frame_count; f++) {
		if (!(fabs(seconds[f] - job->seconds[f]) < same_moment)) {
			return snw_fail(
				error, SNW_ERROR_DATA,
				"frame %u of %s is at %g s and that of the first at %g s; give one rate with --fps, or name one mesh "
				"with --on MESH",
				f, words, seconds[f], job->seconds[f]);
		}
	}
	for (uint32_t k = 0; k < job->mesh_count; k++) {
		if (job->meshes[k].mesh == mesh) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s is for a mesh that has frames already; give each mesh once", words);
		}
	}
	job->meshes[job->mesh_count++] = (snw_tracked_mesh){mesh, points};
	return SNW_OK;
}

/* Whether --on names a mesh, or nothing at all. */
static bool is_chosen(const snw_call *call, const char *mesh) {
	for (int i = 0; snw_call_option_at(call, "--on", i); i++) {
		if (strcmp(snw_call_option_at(call, "--on", i), mesh) == 0) {
			return true;
		}
	}
	return !snw_call_option(call, "--on");
}

/* A sequence of the project, of all meshes that it shows. */
static snw_status find_sequence(const snw_call *call, const snw_scene *scene, track_job *job, snw_error *error) {
	snw_status status = SNW_OK;
	job->meshes = SNW_NEW_ARRAY(call->arena, snw_tracked_mesh, scene->target_count);
	for (uint32_t t = 0; job->name && t < scene->target_count && !snw_failed(status); t++) {
		const snw_target *target = &scene->targets[t];
		const uint32_t clip = target->clip == SNW_NONE ? snw_target_clip(scene, target) : SNW_NONE;
		const bool is_named = clip != SNW_NONE && strcmp(scene->clips[clip].name, job->name) == 0;
		if (is_named && is_chosen(call, scene->meshes[target->mesh].name)) {
			job->is_set = target->is_set;
			status = add_mesh(job, target->mesh, target->frame_count,
							  snw_arena_copy(call->arena, target->seconds, target->frame_count * sizeof(double)),
							  target->points_posed, snw_arena_format(call->arena, "'%s'", target->name), error);
		}
	}
	if (!snw_failed(status) && job->mesh_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"the frames are missing; give them with --sequence FRAMES or --poses FRAMES, or name a sequence of the "
						"project with --clip");
	}
	job->is_stored = true;
	return status;
}

static snw_status expect_free_names(const snw_call *call, const snw_scene *scene, const track_job *job, uint32_t frame_count,
									snw_error *error) {
	const snw_tracked_motion motion = {
		.name = job->name, .mesh_count = job->mesh_count, .meshes = job->meshes, .frame_count = frame_count};
	return snw_call_option(call, "--replace") ? SNW_OK : snw_track_names_are_free(scene, &motion, job->is_set, error);
}

/* The mesh of a sequence: the project's only one, or the one that --on names in the same place. */
static snw_status find_mesh(const snw_call *call, const snw_opened *opened, int place, int sequences, uint32_t *mesh,
							snw_error *error) {
	int named = 0;
	while (snw_call_option_at(call, "--on", named)) {
		named++;
	}
	if (sequences > 1 && named != sequences) {
		return snw_fail(
			error, SNW_ERROR_ARGUMENT,
			"there are %d sequences and %d --on; say which mesh each one shows, with --on MESH for each, in the same "
			"order",
			sequences, named);
	}
	const char *name = sequences > 1 ? snw_call_option_at(call, "--on", place) : snw_call_option(call, "--on");
	return snw_opened_mesh_named(call, opened, name, mesh, error);
}

static snw_status read_sequence(const snw_call *call, const snw_opened *opened, const char *path, uint32_t mesh, double rate,
								const snw_worker_limits *limits, track_job *job, snw_error *error) {
	snw_point_frames frames;
	const snw_status status = snw_worker_read_frames(path, opened->scene->meshes[mesh].point_count, rate, limits, &call->task,
													 call->arena, &frames, error);
	return snw_failed(status) ? status : add_mesh(job, mesh, frames.frame_count, frames.seconds, frames.points, path, error);
}

static snw_status read_sequences(const snw_call *call, const snw_opened *opened, const char *option, track_job *job,
								 snw_error *error) {
	double rate;
	int sequences = 0;
	while (snw_call_option_at(call, option, sequences)) {
		sequences++;
	}
	snw_worker_limits limits;
	snw_status status = snw_call_number(call, "--fps", 0.001, 100000, 0, &rate, error);
	status = snw_failed(status) ? status : snw_call_limits(call, &limits, error);
	job->meshes = SNW_NEW_ARRAY(call->arena, snw_tracked_mesh, (size_t)sequences);
	uint32_t *meshes = SNW_NEW_ARRAY(call->arena, uint32_t, (size_t)sequences);
	for (int i = 0; i < sequences && !snw_failed(status); i++) {
		status = find_mesh(call, opened, i, sequences, &meshes[i], error);
	}
	status = snw_failed(status) ? status : expect_free_names(call, opened->scene, job, 1, error); /* before a long read */
	for (int i = 0; i < sequences && !snw_failed(status); i++) {
		status = read_sequence(call, opened, snw_call_option_at(call, option, i), meshes[i], rate, &limits, job, error);
	}
	return snw_failed(status) ? status : expect_free_names(call, opened->scene, job, job->frame_count, error);
}

static snw_status read_frames(const snw_call *call, const snw_opened *opened, track_job *job, snw_error *error) {
	const char *sequence = snw_call_option(call, "--sequence"), *poses = snw_call_option(call, "--poses");
	job->name = snw_call_option(call, "--clip");
	job->is_set = poses != NULL;
	if (sequence && poses) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "give --sequence or --poses, not both");
	}
	if (!sequence && !poses) {
		return find_sequence(call, opened->scene, job, error);
	}
	job->name = job->name ? job->name : "tracked";
	return read_sequences(call, opened, sequence ? "--sequence" : "--poses", job, error);
}

/* ---- the result ---------------------------------------------------------------------------------------------------------- */

static void say_frames(const snw_call *call, const track_job *job, const snw_tracked *tracked) {
	cJSON *rows = snw_answer_list(call->answer, "frames");
	for (uint32_t f = 0; f < job->frame_count; f++) {
		const snw_tracked_frame *frame = &tracked->frames[f];
		const double percent = 100 * frame->rms / tracked->diagonal;
		const char *label = makes_examples(job) ? snw_arena_format(call->arena, "%s-%u", job->name, f + 1)
												: snw_arena_format(call->arena, "frame %u", f);
		snw_say(call, "%-10s %9.4g s  off by %8.4f %% of the diagonal%s", label, job->seconds[f], percent,
				frame->is_lost ? ", lost" : "");
		cJSON *row = snw_answer_row(rows);
		snw_answer_number(row, "seconds", job->seconds[f]);
		snw_answer_number(row, "rms_percent", percent);
		snw_answer_bool(row, "lost", frame->is_lost);
		if (frame->is_lost) {
			snw_task_notice(&call->task, SNW_LOG_WARNING,
							"%s (%.4g s) is lost: its pose is %.2g %% of the diagonal off on average (half of the frames: at "
							"most %.2g %%, the mesh as one rigid body: %.2g %%)",
							label, job->seconds[f], percent, 100 * tracked->median_rms / tracked->diagonal,
							100 * frame->rigid_rms / tracked->diagonal);
		}
	}
}

static void say(const snw_call *call, const track_job *job, const snw_tracked *tracked, double seconds) {
	say_frames(call, job, tracked);
	const uint32_t count = job->frame_count;
	snw_say(call, "%s %s: %u frame%s tracked in %.3f s, %u lost; 'sinew undo' takes them back",
			makes_examples(job) ? "poses" : "clip", job->name, count, snw_plural(count), seconds, tracked->lost_count);
	snw_answer_text(call->answer, makes_examples(job) ? "poses" : "clip", job->name);
	snw_answer_number(call->answer, "median_rms_percent", 100 * tracked->median_rms / tracked->diagonal);
	snw_answer_number(call->answer, "lost", tracked->lost_count);
	snw_answer_number(call->answer, "seconds", seconds);
}

static snw_status commit(const snw_call *call, const snw_opened *opened, const track_job *job, const snw_tracked *tracked,
						 snw_error *error) {
	snw_pose *poses = SNW_NEW_ARRAY(call->arena, snw_pose, job->frame_count);
	for (uint32_t f = 0; f < job->frame_count; f++) {
		poses[f] = *tracked->frames[f].pose;
	}
	const snw_tracked_motion motion = {.name = job->name,
									   .mesh_count = job->mesh_count,
									   .meshes = job->meshes,
									   .frame_count = job->frame_count,
									   .seconds = job->seconds,
									   .is_stored = job->is_stored,
									   .poses = poses,
									   .replaces = snw_call_option(call, "--replace") != NULL};
	return makes_examples(job) ? snw_project_commit_tracked_poses(opened->project, opened->scene, &motion, error)
							   : snw_project_commit_tracked_clip(opened->project, opened->scene, &motion, error);
}

static snw_status track(const snw_call *call, const snw_opened *opened, snw_error *error) {
	track_job job = {0};
	snw_tracked tracked;
	snw_status status = read_frames(call, opened, &job, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_track_request request = {.method = snw_call_option(call, "--method"),
									   .mesh_count = job.mesh_count,
									   .meshes = job.meshes,
									   .frame_count = job.frame_count,
									   .is_free = snw_call_option(call, "--free") != NULL,
									   .is_set = job.is_set};
	const double begun = snw_clock_seconds();
	status = snw_track_poses(opened->scene, opened->registry, &request, &call->task, call->arena, &tracked, error);
	const double seconds = snw_clock_seconds() - begun;
	status = snw_failed(status) ? status : commit(call, opened, &job, &tracked, error);
	if (!snw_failed(status)) {
		say(call, &job, &tracked, seconds);
	}
	return status;
}

static snw_status run(snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_status status =
		snw_open_project(call->arguments[0], SNW_OPEN_WRITE | SNW_OPEN_LONG | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = track(call, &opened, error);
	status = snw_failed(status) ? status : snw_opened_refit(call, &opened, error);
	snw_opened_close(&opened);
	return status;
}

static const snw_option options[] = {
	{"--sequence", "FRAMES",
	 "an animated mesh: a file of frames, or numbered files: 'frames/*.obj'; points in the mesh's order; may be repeated, for "
	 "several meshes of one body"},
	{"--poses", "FRAMES",
	 "a set of meshes in no order: each frame is tracked by itself, and becomes an example; may be repeated"},
	{"--clip", "NAME", "name of the clip, or of the examples (default: tracked); alone: a sequence of the project"},
	{"--fps", "N", "frames per second (default: as in the file, or 24)"},
	{"--on", "MESH", "which mesh, if there are several; one for each --sequence or --poses, in the same order"},
	{"--method", "METHOD", "which method or layer moves the mesh (default: the whole stack)"},
	{"--free", NULL, "move every joint, not only the roots: bones change their lengths"},
	{"--replace", NULL, "replace a clip or examples of that name"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_track = {
	.name = "track",
	.usage = "P.sinew --sequence FRAMES|--poses FRAMES|--clip NAME [--method METHOD] [--free]",
	.help = "Finds the poses of the skeleton for new frames of a mesh; they become a clip with a target, or examples.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.formats = snw_import_formats,
	.formats_hold = SNW_FILE_FRAMES,
	.run = run,
};
