/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tracking: new frames of the mesh become a clip with targets, or examples of poses without order.
 */
#include "operators/operator.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "operators/arguments.h"
#include "pose/clip.h"
#include "sinew/kit/clock.h"

static const snw_argument track_arguments[] = {
	{"sequence", SNW_ARGUMENT_FILE, "FRAMES",
	 "an animated mesh: a file of frames, or numbered files: 'frames/*.obj'; points in the mesh's order; several for several "
	 "meshes of one body",
	 .flags = SNW_ARGUMENT_MANY, .not_with = "poses"},
	{"poses", SNW_ARGUMENT_FILE, "FRAMES",
	 "a set of meshes in no order: each frame is tracked by itself, and becomes an example", .flags = SNW_ARGUMENT_MANY},
	{"clip", SNW_ARGUMENT_TEXT, "NAME",
	 "name of the clip, or of the examples (default: tracked); alone: a sequence of the project", .flags = 0},
	{"fps", SNW_ARGUMENT_NUMBER, "N", "frames per second (default: as in the file, or 24)", .least = 0.001, .most = 100000,
	 .initial = SNW_NO_DEFAULT},
	{"mesh", SNW_ARGUMENT_THING, "MESH",
	 "which mesh, if there are several; one for each --sequence or --poses, in the same order", .flags = SNW_ARGUMENT_MANY,
	 .noun = SNW_NOUN_MESH},
	{"method", SNW_ARGUMENT_TEXT, "METHOD", "which method or layer moves the mesh (default: the whole stack)", .flags = 0},
	SNW_SWITCH_ARGUMENT("free", "move every joint, not only the roots: bones change their lengths"),
	SNW_SWITCH_ARGUMENT("replace", "replace a clip or examples of that name"),
	SNW_LIMIT_ARGUMENTS,
	{0},
};

/* ---- names --------------------------------------------------------------------------------------------------------------- */

static bool makes_examples(const snw_tracked_motion *motion) {
	return motion->request.is_set && !motion->is_stored;
}

static const char *numbered(const snw_tracked_motion *motion, uint32_t frame, snw_arena *arena) {
	return snw_arena_format(arena, "%s-%u", motion->name, frame + 1);
}

const char *snw_tracked_frame_label(const snw_tracked_motion *motion, uint32_t frame, snw_arena *arena) {
	return makes_examples(motion) ? numbered(motion, frame, arena) : snw_arena_format(arena, "frame %u", frame);
}

/* The name of what belongs to one of the meshes, the first of which needs no words of its own. */
static const char *name_for(const snw_operation *o, const snw_tracked_motion *motion, uint32_t k, const char *name) {
	return k == 0 ? name : snw_sequence_name(name, o->scene->meshes[motion->request.meshes[k].mesh].name, o->arena);
}

static const char advice[] = "exists; choose another name with --clip, or add --replace";

static snw_status expect_free_clip(const snw_operation *o, const snw_tracked_motion *motion, snw_error *error) {
	bool is_taken = snw_scene_find_clip(o->scene, motion->name) != SNW_NONE;
	for (uint32_t k = 0; k < motion->request.mesh_count; k++) {
		is_taken = is_taken || snw_scene_find_target(o->scene, name_for(o, motion, k, motion->name)) != SNW_NONE;
	}
	return is_taken ? snw_fail(error, SNW_ERROR_CONFLICT, "clip '%s' %s", motion->name, advice) : SNW_OK;
}

static snw_status expect_free_poses(const snw_operation *o, const snw_tracked_motion *motion, uint32_t frame_count,
									snw_error *error) {
	for (uint32_t f = 0; f < frame_count; f++) {
		const char *pose = numbered(motion, f, o->arena);
		if (snw_scene_find_pose(o->scene, pose) != SNW_NONE) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "pose '%s' %s", pose, advice);
		}
		for (uint32_t k = 0; k < motion->request.mesh_count; k++) {
			const char *example = name_for(o, motion, k, pose);
			if (snw_scene_find_example(o->scene, example) != SNW_NONE) {
				return snw_fail(error, SNW_ERROR_CONFLICT, "example '%s' %s", example, advice);
			}
		}
	}
	return SNW_OK;
}

/* The names of what a motion of so many frames becomes. */
static snw_status expect_free_names(const snw_operation *o, const snw_tracked_motion *motion, uint32_t frame_count,
									snw_error *error) {
	return snw_operation_has(o, "replace") || motion->is_stored ? SNW_OK
		   : motion->request.is_set                             ? expect_free_poses(o, motion, frame_count, error)
																: expect_free_clip(o, motion, error);
}

/* ---- the frames ---------------------------------------------------------------------------------------------------------- */

/* Moments nearer than this are the same, in seconds. */
static const double same_moment = 1e-4;

/* The frames of one more mesh, for which `meshes` has room; they must be at the moments of those before. `words` name them. */
static snw_status add_mesh(snw_tracked_motion *motion, snw_tracked_mesh *meshes, snw_tracked_mesh added, uint32_t frame_count,
						   const double *seconds, const char *words, snw_error *error) {
	snw_track_request *request = &motion->request;
	if (request->mesh_count == 0) {
		request->frame_count = frame_count;
		motion->seconds = seconds;
	}
	if (frame_count != request->frame_count) {
		return snw_fail(
			error, SNW_ERROR_DATA,
			"%s has %u frame%s and the first has %u; meshes that are tracked together need a frame of each for each "
			"moment; or name one with --mesh MESH",
			words, frame_count, snw_plural(frame_count), request->frame_count);
	}
	for (uint32_t f = 0; f < frame_count; f++) {
		if (!(fabs(seconds[f] - motion->seconds[f]) < same_moment)) {
			return snw_fail(
				error, SNW_ERROR_DATA,
				"frame %u of %s is at %g s and that of the first at %g s; give one rate with --fps, or name one mesh "
				"with --mesh MESH",
				f, words, seconds[f], motion->seconds[f]);
		}
	}
	for (uint32_t k = 0; k < request->mesh_count; k++) {
		if (meshes[k].mesh == added.mesh) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s is for a mesh that has frames already; give each mesh once", words);
		}
	}
	meshes[request->mesh_count++] = added;
	return SNW_OK;
}

/* Whether --mesh names a mesh, or nothing at all. */
static bool is_chosen(const snw_operation *o, uint32_t mesh) {
	const snw_argument_values *named = snw_operation_values(o, "mesh");
	for (uint32_t i = 0; i < named->count; i++) {
		if (named->at[i].index == mesh) {
			return true;
		}
	}
	return named->count == 0;
}

/* A sequence of the project, of all meshes that it shows. */
static snw_status find_sequence(const snw_operation *o, snw_tracked_motion *motion, snw_error *error) {
	const snw_scene *scene = o->scene;
	snw_status status = SNW_OK;
	snw_tracked_mesh *meshes = SNW_NEW_ARRAY(o->arena, snw_tracked_mesh, scene->target_count);
	motion->request.meshes = meshes;
	for (uint32_t t = 0; motion->name && t < scene->target_count && !snw_failed(status); t++) {
		const snw_target *target = &scene->targets[t];
		const uint32_t clip = target->clip == SNW_NONE ? snw_target_clip(scene, target) : SNW_NONE;
		const bool is_named = clip != SNW_NONE && strcmp(scene->clips[clip].name, motion->name) == 0;
		if (is_named && is_chosen(o, target->mesh)) {
			motion->request.is_set = target->is_set;
			status = add_mesh(motion, meshes, (snw_tracked_mesh){target->mesh, target->points_posed}, target->frame_count,
							  snw_arena_copy(o->arena, target->seconds, target->frame_count * sizeof(double)),
							  snw_arena_format(o->arena, "'%s'", target->name), error);
		}
	}
	if (!snw_failed(status) && motion->request.mesh_count == 0 && motion->name) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"no sequence of the project is named '%s'%s; 'sinew info' lists them, and --sequence FRAMES or --poses "
						"FRAMES reads others",
						motion->name, snw_operation_has(o, "mesh") ? " and shows the mesh of --mesh" : "");
	}
	if (!snw_failed(status) && motion->request.mesh_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"the frames are missing; give them with --sequence FRAMES or --poses FRAMES, or name a sequence of the "
						"project with --clip");
	}
	motion->is_stored = true;
	return status;
}

/* The meshes of sequences: the project's only one, or those that --mesh names in the same places. */
static snw_status find_sequence_mesh(const snw_operation *o, uint32_t place, uint32_t sequences, uint32_t *mesh,
									 snw_error *error) {
	const snw_argument_values *named = snw_operation_values(o, "mesh");
	if (sequences > 1 && named->count != sequences) {
		return snw_fail(
			error, SNW_ERROR_ARGUMENT,
			"there are %u sequences and %u --mesh; say which mesh each one shows, with --mesh MESH for each, in the same "
			"order",
			sequences, named->count);
	}
	if (named->count == 0 && o->scene->mesh_count != 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the project has %u meshes; name one with --mesh MESH",
						o->scene->mesh_count);
	}
	*mesh = named->count == 0 ? 0 : named->at[sequences > 1 ? place : named->count - 1].index;
	return SNW_OK;
}

static snw_status read_sequence(const snw_operation *o, const char *path, uint32_t mesh, snw_tracked_mesh *meshes,
								snw_tracked_motion *motion, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	const double rate = snw_operation_has(o, "fps") ? snw_operation_number(o, "fps") : 0;
	snw_point_frames frames;
	const snw_status status =
		snw_worker_read_frames(path, o->scene->meshes[mesh].point_count, rate, &limits, o->in->task, o->arena, &frames, error);
	return snw_failed(status) ? status
							  : add_mesh(motion, meshes, (snw_tracked_mesh){mesh, frames.points}, frames.frame_count,
										 frames.seconds, path, error);
}

static snw_status read_sequences(const snw_operation *o, const snw_argument_values *files, snw_tracked_motion *motion,
								 snw_error *error) {
	snw_tracked_mesh *meshes = SNW_NEW_ARRAY(o->arena, snw_tracked_mesh, files->count);
	uint32_t *indices = SNW_NEW_ARRAY(o->arena, uint32_t, files->count);
	snw_status status = SNW_OK;
	motion->request.meshes = meshes;
	for (uint32_t i = 0; i < files->count && !snw_failed(status); i++) {
		status = find_sequence_mesh(o, i, files->count, &indices[i], error);
	}
	status = snw_failed(status) ? status : expect_free_names(o, motion, 1, error); /* before a long read */
	for (uint32_t i = 0; i < files->count && !snw_failed(status); i++) {
		status = read_sequence(o, files->at[i].text, indices[i], meshes, motion, error);
	}
	return snw_failed(status) ? status : expect_free_names(o, motion, motion->request.frame_count, error);
}

static snw_status read_frames(const snw_operation *o, snw_tracked_motion *motion, snw_error *error) {
	const bool has_sequence = snw_operation_has(o, "sequence"), has_poses = snw_operation_has(o, "poses");
	motion->name = snw_operation_text(o, "clip");
	motion->request.is_set = has_poses;
	if (!has_sequence && !has_poses) {
		return find_sequence(o, motion, error);
	}
	motion->name = motion->name ? motion->name : "tracked";
	return read_sequences(o, snw_operation_values(o, has_sequence ? "sequence" : "poses"), motion, error);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static snw_status put_clip(const snw_operation *o, const snw_tracked_motion *motion, snw_error *error) {
	const snw_track_request *request = &motion->request;
	snw_pose *poses = SNW_NEW_ARRAY(o->arena, snw_pose, request->frame_count);
	for (uint32_t f = 0; f < request->frame_count; f++) {
		poses[f] = *motion->found.frames[f].pose;
	}
	const snw_clip clip = snw_clip_from_poses(o->scene, motion->name, request->frame_count, motion->seconds, poses, o->arena);
	int64_t clip_id;
	snw_report_made(o->report, SNW_NOUN_CLIP, motion->name);
	snw_status status = snw_project_put_clip(o->project, &clip, &clip_id, error);
	for (uint32_t k = 0; k < request->mesh_count && !motion->is_stored && !snw_failed(status); k++) {
		const snw_mesh *mesh = &o->scene->meshes[request->meshes[k].mesh];
		const snw_target target = {.name = name_for(o, motion, k, motion->name),
								   .mesh = request->meshes[k].mesh,
								   .frame_count = request->frame_count,
								   .seconds = motion->seconds,
								   .points_posed = request->meshes[k].points_posed};
		snw_report_made(o->report, SNW_NOUN_TARGET, target.name);
		status = snw_project_put_target(o->project, &target, mesh->id, mesh->point_count, clip_id, NULL, error);
	}
	return status;
}

static snw_status put_tracked_example(const snw_operation *o, const snw_tracked_motion *motion, uint32_t k, uint32_t frame,
									  int64_t pose, snw_error *error) {
	const snw_tracked_mesh *tracked = &motion->request.meshes[k];
	const snw_mesh *mesh = &o->scene->meshes[tracked->mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *points = SNW_NEW_ARRAY(o->arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		points[i] = (double)tracked->points_posed[frame * numbers + i];
	}
	const snw_example example = {
		.name = name_for(o, motion, k, numbered(motion, frame, o->arena)), .mesh = tracked->mesh, .points_posed = points};
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, example.name);
	return snw_project_put_example(o->project, &example, pose, mesh->id, mesh->point_count, NULL, error);
}

static snw_status put_examples(const snw_operation *o, const snw_tracked_motion *motion, uint32_t frame, snw_error *error) {
	snw_pose pose = *motion->found.frames[frame].pose;
	int64_t pose_id;
	pose.id = 0;
	pose.name = numbered(motion, frame, o->arena);
	snw_status status = snw_project_put_pose(o->project, &pose, &pose_id, error);
	for (uint32_t k = 0; k < motion->request.mesh_count && !snw_failed(status); k++) {
		status = put_tracked_example(o, motion, k, frame, pose_id, error);
	}
	return status;
}

static double percent_of_diagonal(const snw_tracked_motion *motion, double metres) {
	return 100 * metres / motion->found.diagonal;
}

static void report_motion(const snw_operation *o, const snw_tracked_motion *motion) {
	const snw_tracked *found = &motion->found;
	const uint32_t count = motion->request.frame_count;
	const char *kind = makes_examples(motion) ? "poses" : "clip";
	for (uint32_t f = 0; f < count; f++) {
		if (found->frames[f].is_lost) {
			snw_report_warn(o->report,
							"%s (%.4g s) is lost: its pose is %.2g %% of the diagonal off on average (half of the frames: at "
							"most %.2g %%, the mesh as one rigid body: %.2g %%)",
							snw_tracked_frame_label(motion, f, o->arena), motion->seconds[f],
							percent_of_diagonal(motion, found->frames[f].rms), percent_of_diagonal(motion, found->median_rms),
							percent_of_diagonal(motion, found->frames[f].rigid_rms));
		}
	}
	snw_report_say(o->report, "%s %s: %u frame%s tracked in %.3f s, %u lost; undo takes them back", kind, motion->name, count,
				   snw_plural(count), motion->took, found->lost_count);
	snw_report_text(o->report, kind, motion->name);
	snw_report_number(o->report, "median_rms_percent", percent_of_diagonal(motion, found->median_rms));
	snw_report_number(o->report, "lost", found->lost_count);
	snw_report_number(o->report, "seconds", motion->took);
}

/* A sequence becomes the clip of its name, and its frames that clip's targets; poses without order become poses and examples
 * NAME-1, NAME-2 …, an example for each mesh. */
static snw_status write_motion(snw_operation *o, snw_error *error) {
	const snw_tracked_motion *motion = o->work->tracked;
	const bool are_examples = makes_examples(motion);
	snw_status status = are_examples ? SNW_OK : put_clip(o, motion, error);
	for (uint32_t f = 0; are_examples && f < motion->request.frame_count && !snw_failed(status); f++) {
		status = put_examples(o, motion, f, error);
	}
	report_motion(o, motion);
	return status;
}

static snw_status track(snw_operation *o, snw_error *error) {
	snw_tracked_motion *motion = SNW_NEW(o->arena, snw_tracked_motion);
	*motion =
		(snw_tracked_motion){.request = {.method = snw_operation_text(o, "method"), .is_free = snw_operation_has(o, "free")}};
	snw_status status = read_frames(o, motion, error);
	const double begun = snk_clock_seconds();
	status = snw_failed(status)
				 ? status
				 : snw_track_poses(o->scene, o->in->registry, &motion->request, o->in->task, o->arena, &motion->found, error);
	motion->took = snk_clock_seconds() - begun;
	if (!snw_failed(status)) {
		*o->work = (snw_operator_work){
			.write = write_motion, .label = snw_arena_format(o->arena, "track %s", motion->name), .tracked = motion};
	}
	return status;
}

static const snw_operator track_operators[] = {
	{"", "Track", "Finds the poses of the skeleton for new frames of a mesh.", "track",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_REFITS, track_arguments, track},
	{0},
};

const snw_operator_noun snw_operators_track = {
	"track", "Finds the poses of the skeleton for new frames of a mesh; they become a clip with a target, or examples.",
	track_operators};
