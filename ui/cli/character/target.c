/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew target: the meshes that another rig makes of a clip.
 */
#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "cli/character/make_target.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/worker_limits.h"
#include "import/import.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "scene/nouns.h"

/* Frame f is at the clip's f-th key, or at f/N seconds if --fps is given. */
static snw_status place_frames(const snw_call *call, const snw_scene *scene, uint32_t clip, snw_point_frames *frames,
							   snw_error *error) {
	if (snw_call_option(call, "--fps")) {
		const double last = frames->seconds[frames->frame_count - 1];
		if (last > scene->clips[clip].duration_seconds + 1e-6) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"clip %s ends at %g s, but the last of %u frames is at %g s; check --fps", scene->clips[clip].name,
							scene->clips[clip].duration_seconds, frames->frame_count, last);
		}
		return SNW_OK;
	}
	uint32_t key_count;
	snw_clip_key_seconds(&scene->clips[clip], call->arena, &frames->seconds, &key_count);
	if (key_count != frames->frame_count) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "clip %s has %u keys, but there are %u frames; give their rate with --fps",
						scene->clips[clip].name, key_count, frames->frame_count);
	}
	return SNW_OK;
}

static snw_status find_clip(const snw_call *call, const snw_scene *scene, uint32_t *clip, snw_error *error) {
	const char *name = snw_call_option(call, "--clip");
	return name ? snw_noun_find(scene, SNW_NOUN_CLIP, name, clip, error)
				: snw_fail(error, SNW_ERROR_ARGUMENT, "the clip is missing; name it with --clip NAME");
}

/* The clip's name; if the clip has a target of another mesh, with this mesh's name appended. */
static const char *free_name(const snw_call *call, const snw_scene *scene, uint32_t clip, uint32_t mesh) {
	const char *name = scene->clips[clip].name;
	const uint32_t found = snw_scene_find_target(scene, name);
	const bool taken = found != SNW_NONE && scene->targets[found].mesh != mesh;
	return taken ? snw_sequence_name(name, scene->meshes[mesh].name, call->arena) : name;
}

static snw_status commit_target(const snw_call *call, const snw_opened *opened, const snw_target *target, snw_error *error) {
	const snw_mesh *mesh = &opened->scene->meshes[target->mesh];
	const snw_clip *clip = &opened->scene->clips[target->clip];
	const bool replaces = snw_scene_find_target(opened->scene, target->name) != SNW_NONE;
	int64_t id;
	snw_status status = snw_project_begin(opened->project, snw_arena_format(call->arena, "add target %s", target->name), error);
	status = snw_failed(status)
				 ? status
				 : snw_project_put_target(opened->project, target, mesh->id, mesh->point_count, clip->id, &id, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	if (!snw_failed(status)) {
		snw_say(call, "target %s: %u frame%s for clip %s%s", target->name, target->frame_count, snw_plural(target->frame_count),
				clip->name, replaces ? ", replacing the frames it had" : "");
		snw_answer_bool(call->answer, "replaced", replaces);
		snw_answer_text(call->answer, "target", target->name);
		snw_answer_number(call->answer, "frames", target->frame_count);
	}
	return status;
}

static snw_status add(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const snw_scene *scene = opened->scene;
	const char *path = snw_call_option(call, "--mesh"), *made = snw_call_option(call, "--make");
	if (made) {
		return snw_target_make(call, opened, made, error);
	}
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the frames are missing; give them with --mesh FRAMES, which ends in %s",
						snw_file_formats_text(snw_import_formats, SNW_FILE_FRAMES, call->arena));
	}
	uint32_t mesh, clip;
	double rate;
	snw_worker_limits limits;
	snw_point_frames frames = {0};
	snw_status status = snw_opened_mesh(call, opened, &mesh, error);
	status = snw_failed(status) ? status : find_clip(call, scene, &clip, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--fps", 0.001, 100000, 0, &rate, error);
	status = snw_failed(status) ? status : snw_call_limits(call, &limits, error);
	if (!snw_failed(status)) {
		status = snw_worker_read_frames(path, scene->meshes[mesh].point_count, rate, &limits, &call->task, call->arena, &frames,
										error);
	}
	status = snw_failed(status) ? status : place_frames(call, scene, clip, &frames, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *name = snw_call_option(call, "--name");
	const snw_target target = {.name = name ? name : free_name(call, scene, clip, mesh),
							   .mesh = mesh,
							   .clip = clip,
							   .frame_count = frames.frame_count,
							   .seconds = frames.seconds,
							   .points_posed = frames.points};
	return commit_target(call, opened, &target, error);
}

static snw_status remove_target(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	(void)call;
	return snw_project_remove(opened->project, SNW_PROJECT_TARGET, opened->scene->targets[index].id, error);
}

static const snw_action actions[] = {
	{"add", add, SNW_OPEN_WRITE, NULL},
	{"remove", remove_target, SNW_OPEN_WRITE | SNW_ACTION_NAMED | SNW_ACTION_ONE_STEP | SNW_ACTION_REPORTS, "delete target"},
	{0},
};

static const snw_action_table targets = {
	.noun = "target", .listed_by = "sinew info", .find = snw_scene_find_target, .actions = actions};

static const snw_option options[] = {
	{"--clip", "NAME", "the clip that the frames belong to"},
	{"--mesh", "FRAMES", "a file of frames, or numbered files: 'frames/*.obj'; points in the mesh's order"},
	{"--fps", "N", "frame f is at f/N seconds (default: at the clip's f-th key)"},
	{"--name", "NAME", "name of the target (default: the clip's, with the mesh's if there are several)"},
	{"--on", "MESH", "which mesh, if there are several"},
	{"--make", "OUT.glb",
	 "write the poses that are worth simulating, as glTF and as JSON of the same name, and add them as clip --clip (default: "
	 "training) "
	 "with --fps keys per second (default: 24)"},
	{"--range", "JOINT=AXIS:FROM:TO",
	 "with --make: how far a joint rotates about x, y or z of its rest, in degrees (default: as in the project's clips); may "
	 "be "
	 "repeated"},
	{"--poses", "N", "with --make: at most N poses, those that cover pose space best (default: all)"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_target = {
	.name = "target",
	.usage = "P.sinew [add] --clip NAME --mesh FRAMES [--fps N] | P.sinew remove NAME | P.sinew --make OUT.glb [--clip NAME] "
			 "[--range JOINT=AXIS:FROM:TO]… [--poses N]",
	.help = "Adds a target: the meshes that another rig makes of a clip; or makes the clip.",
	.table = &targets,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = options,
};
