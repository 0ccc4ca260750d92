/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew track: the poses of the character's skeleton for new frames of its mesh.
 */
#include "track/track.h"

#include <string.h>

#include "base/clock.h"
#include "base/plural.h"
#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "cli/command_line/worker_limits.h"
#include "edit/commit_track.h"

/* The frames to track, and what they become. */
typedef struct track_job {
	const char *name;
	uint32_t mesh;
	snw_point_frames frames;
	bool is_set;    /* the frames have no order */
	bool is_stored; /* they are a sequence of the project, and become its clip */
} track_job;

static bool makes_examples(const track_job *job) {
	return job->is_set && !job->is_stored;
}

/* ---- the frames ---------------------------------------------------------------------------------------------------------- */

static snw_status find_sequence(const snw_call *call, const snw_scene *scene, track_job *job, snw_error *error) {
	const uint32_t found = job->name ? snw_scene_find_target(scene, job->name) : SNW_NONE;
	if (found == SNW_NONE || scene->targets[found].clip != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"the frames are missing; give them with --sequence FRAMES or --poses FRAMES, or name a sequence of the "
						"project with --clip");
	}
	const snw_target *target = &scene->targets[found];
	job->mesh = target->mesh;
	job->is_stored = true;
	job->is_set = target->is_set;
	job->frames =
		(snw_point_frames){.frame_count = target->frame_count,
						   .point_count = scene->meshes[target->mesh].point_count,
						   .seconds = snw_arena_copy(call->arena, target->seconds, target->frame_count * sizeof(double)),
						   .points = (float *)target->points_posed};
	return SNW_OK;
}

static snw_status expect_free_names(const snw_call *call, const snw_scene *scene, const track_job *job, uint32_t frame_count,
									snw_error *error) {
	return snw_call_option(call, "--replace") ? SNW_OK
											  : snw_track_names_are_free(scene, job->name, job->is_set, frame_count, error);
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
	double rate;
	job->name = job->name ? job->name : "tracked";
	snw_status status = snw_opened_mesh(call, opened, &job->mesh, error);
	status = snw_failed(status) ? status : expect_free_names(call, opened->scene, job, 1, error); /* before a long read */
	status = snw_failed(status) ? status : snw_call_number(call, "--fps", 0.001, 100000, 0, &rate, error);
	snw_worker_limits limits;
	status = snw_failed(status) ? status : snw_call_limits(call, &limits, error);
	status = snw_failed(status)
				 ? status
				 : snw_worker_read_frames(sequence ? sequence : poses, opened->scene->meshes[job->mesh].point_count, rate,
										  &limits, &call->task, call->arena, &job->frames, error);
	return snw_failed(status) ? status : expect_free_names(call, opened->scene, job, job->frames.frame_count, error);
}

/* ---- the result ---------------------------------------------------------------------------------------------------------- */

static void say_frames(const snw_call *call, const track_job *job, const snw_tracked *tracked) {
	cJSON *rows = snw_answer_list(call->answer, "frames");
	for (uint32_t f = 0; f < job->frames.frame_count; f++) {
		const snw_tracked_frame *frame = &tracked->frames[f];
		const double percent = 100 * frame->rms / tracked->diagonal;
		const char *label = makes_examples(job) ? snw_arena_format(call->arena, "%s-%u", job->name, f + 1)
												: snw_arena_format(call->arena, "frame %u", f);
		snw_say(call, "%-10s %9.4g s  off by %8.4f %% of the diagonal%s", label, job->frames.seconds[f], percent,
				frame->is_lost ? ", lost" : "");
		cJSON *row = snw_answer_row(rows);
		snw_answer_number(row, "seconds", job->frames.seconds[f]);
		snw_answer_number(row, "rms_percent", percent);
		snw_answer_bool(row, "lost", frame->is_lost);
		if (frame->is_lost) {
			snw_task_notice(&call->task, SNW_LOG_WARNING,
							"%s (%.4g s) is lost: its pose is %.2g %% of the diagonal off on average (half of the frames: at "
							"most %.2g %%, the mesh as one rigid body: %.2g %%)",
							label, job->frames.seconds[f], percent, 100 * tracked->median_rms / tracked->diagonal,
							100 * frame->rigid_rms / tracked->diagonal);
		}
	}
}

static void say(const snw_call *call, const track_job *job, const snw_tracked *tracked, double seconds) {
	say_frames(call, job, tracked);
	const uint32_t count = job->frames.frame_count;
	snw_say(call, "%s %s: %u frame%s tracked in %.3f s, %u lost; 'sinew undo' takes them back",
			makes_examples(job) ? "poses" : "clip", job->name, count, snw_plural(count), seconds, tracked->lost_count);
	snw_answer_text(call->answer, makes_examples(job) ? "poses" : "clip", job->name);
	snw_answer_number(call->answer, "median_rms_percent", 100 * tracked->median_rms / tracked->diagonal);
	snw_answer_number(call->answer, "lost", tracked->lost_count);
	snw_answer_number(call->answer, "seconds", seconds);
}

static snw_status commit(const snw_call *call, const snw_opened *opened, const track_job *job, const snw_tracked *tracked,
						 snw_error *error) {
	snw_pose *poses = SNW_NEW_ARRAY(call->arena, snw_pose, job->frames.frame_count);
	for (uint32_t f = 0; f < job->frames.frame_count; f++) {
		poses[f] = *tracked->frames[f].pose;
	}
	const snw_tracked_motion motion = {.name = job->name,
									   .mesh = job->mesh,
									   .frame_count = job->frames.frame_count,
									   .seconds = job->frames.seconds,
									   .points_posed = job->is_stored ? NULL : job->frames.points,
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
									   .mesh = job.mesh,
									   .frame_count = job.frames.frame_count,
									   .points_posed = job.frames.points,
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
	snw_status status = snw_open_project(call->arguments[0], SNW_OPEN_WRITE | SNW_OPEN_LONG | SNW_OPEN_PLUGINS, &opened, error);
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
	 "an animated mesh: a file of frames, or numbered files: 'frames/*.obj'; points in the mesh's order"},
	{"--poses", "FRAMES", "a set of meshes in no order: each frame is tracked by itself, and becomes an example"},
	{"--clip", "NAME", "name of the clip, or of the examples (default: tracked); alone: a sequence of the project"},
	{"--fps", "N", "frames per second (default: as in the file, or 24)"},
	{"--on", "MESH", "which mesh, if there are several"},
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
	.run = run,
};
