/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips: brought from files, also of other rigs, renamed, trimmed and removed.
 */
#include <string.h>

#include "base/error.h"
#include "file/file.h"
#include "fit/samples.h"
#include "operators/arguments.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "transfer/retarget.h"

#define CLIP                                                                                                                   \
	{ "clip", SNW_ARGUMENT_THING, "CLIP", "the clip", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED, .noun = SNW_NOUN_CLIP }

static const snw_argument add_clips_arguments[] = {
	{"file", SNW_ARGUMENT_FILE, "FILE", "glTF, FBX or BVH, with or without a mesh",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{"map", SNW_ARGUMENT_FILE, "MAP.json",
	 "joints whose names do not tell what they are: {\"joint of the file\": \"joint of the character\"}", .flags = 0},
	{"name", SNW_ARGUMENT_TEXT, "NAME", "name of the clip; of several NAME-CLIP (default: the file's names)", .flags = 0},
	{"rest", SNW_ARGUMENT_THING, "POSE", "the character's pose that the file's rig rests in (default: the character's rest)",
	 .flags = 0, .noun = SNW_NOUN_POSE},
	SNW_SWITCH_ARGUMENT("replace", "replace clips of the same names"),
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument name_clip_arguments[] = {
	CLIP,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument trim_arguments[] = {
	CLIP,
	{"from", SNW_ARGUMENT_NUMBER, "SECONDS", "the first moment that is kept (default: the clip's start)", .least = 0,
	 .most = 1e9, .initial = 0},
	{"to", SNW_ARGUMENT_NUMBER, "SECONDS", "where it ends (default: at its end)", .least = 0, .most = 1e9,
	 .initial = SNW_NO_DEFAULT},
	{"name", SNW_ARGUMENT_TEXT, "NEW", "keep the clip, and make a new one of this name", .flags = 0},
	{0},
};
static const snw_argument remove_clip_arguments[] = {CLIP, {0}};

static const snw_clip *clip_of(const snw_operation *o) {
	return &o->scene->clips[snw_operation_thing(o, "clip")];
}

/* ---- adding -------------------------------------------------------------------------------------------------------------- */

/* Clips of a file, for the character. */
struct snw_added_clips {
	uint32_t count;
	snw_clip *clips;
	snw_retarget_loss *losses;
	bool is_same_rig;
	double scale;
	uint32_t joint_count, matched_count;
	const char *unmatched;               /* the first of the character's joints that none is, listed; "" if all are matched */
	const char *source_rig, *target_rig; /* NULL for none that is known */
};

/* Names that programs give to every clip: the file's says more. */
static bool is_of_program(const char *name) {
	static const char *const names[] = {"mixamo.com", "Take 001", "Animation",
										"animation",  "clip-0",   "Armature|mixamo.com|Layer0"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}

static const char *added_name(const snw_operation *o, const char *name, bool is_only) {
	const char *given = snw_operation_text(o, "name"), *file = snw_path_name(snw_operation_text(o, "file"));
	const int stem = (int)(strlen(file) - strlen(snw_path_extension(file)) - (strchr(file, '.') != NULL));
	return given && is_only                 ? given
		   : given                          ? snw_arena_format(o->arena, "%s-%s", given, name)
		   : is_only && is_of_program(name) ? snw_arena_format(o->arena, "%.*s", stem, file)
											: name;
}

static const char *first_names(const snw_skeleton *skeleton, snw_arena *arena) {
	const char *list = "";
	for (uint32_t j = 0; j < skeleton->joint_count && j < 5; j++) {
		list = snw_arena_format(arena, "%s%s%s", list, j ? ", " : "", skeleton->names[j]);
	}
	return list;
}

static const char *unmatched_names(const snw_skeleton *skeleton, const snw_joint_match *match, snw_arena *arena) {
	enum { MOST = 8 };
	const char *list = "";
	uint32_t count = 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (match->sources[j] == SNW_NONE && count++ < MOST) {
			list = snw_arena_format(arena, "%s%s%s", list, list[0] ? ", " : "", skeleton->names[j]);
		}
	}
	return count > MOST ? snw_arena_format(arena, "%s and %u more", list, count - MOST) : list;
}

static snw_status retarget(const snw_operation *o, const snw_scene *from, struct snw_added_clips *added, snw_error *error) {
	const uint32_t rest = snw_operation_thing(o, "rest");
	const snw_pose *posture = rest == SNW_NONE ? snw_pose_rest(o->scene, o->arena) : &o->scene->poses[rest];
	uint32_t *given = snw_operation_text(o, "map") ? SNW_NEW_ARRAY(o->arena, uint32_t, o->scene->skeleton.joint_count) : NULL;
	const snw_status mapped =
		given ? snw_joint_map_read(snw_operation_text(o, "map"), from, o->scene, o->in->task, given, error) : SNW_OK;
	if (snw_failed(mapped)) {
		return mapped;
	}
	const snw_retarget r = snw_retarget_begin(from, o->scene, posture, given, o->arena);
	if (r.match.count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s: none of its joints is one of the character (%s; here: %s); give their names with --map",
						snw_operation_text(o, "file"), first_names(&from->skeleton, o->arena),
						first_names(&o->scene->skeleton, o->arena));
	}
	*added = (struct snw_added_clips){.clips = SNW_NEW_ARRAY(o->arena, snw_clip, from->clip_count),
									  .losses = SNW_NEW_ARRAY(o->arena, snw_retarget_loss, from->clip_count),
									  .is_same_rig = r.is_same_rig,
									  .scale = r.scale,
									  .joint_count = o->scene->skeleton.joint_count,
									  .matched_count = r.match.count,
									  .unmatched = unmatched_names(&o->scene->skeleton, &r.match, o->arena),
									  .source_rig = snw_rig_name(r.match.source_rig),
									  .target_rig = snw_rig_name(r.match.target_rig)};
	for (uint32_t c = 0; c < from->clip_count; c++) {
		snw_clip *clip = &added->clips[added->count];
		if (!snw_task_progress(o->in->task, (double)c / from->clip_count, "clips")) {
			return snw_fail(error, SNW_CANCELLED, "cancelled; nothing was added");
		}
		*clip = snw_retarget_clip(&r, c, o->arena, &added->losses[added->count]);
		clip->name = added_name(o, clip->name, from->clip_count == 1);
		const snw_status status =
			snw_operation_has(o, "replace") ? SNW_OK : snw_noun_expect_free(o->scene, SNW_NOUN_CLIP, clip->name, error);
		if (snw_failed(status)) {
			return status;
		}
		added->count += clip->track_count > 0;
	}
	return SNW_OK;
}

/* The file as a scene: read in the worker, into a temporary project beside this one. */
static snw_status read_motion(const snw_operation *o, snw_scene **from, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	const snw_import_request request = {.file = snw_operation_text(o, "file"), .is_motion = true};
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(o->in->path, &file, error);
	if (!snw_failed(status)) {
		status = snw_worker_import(&request, snw_file_write_path(file), &limits, o->in->task, from, error);
		snw_file_write_abandon(file);
	}
	return status;
}

static void report_clip(const snw_operation *o, const struct snw_added_clips *added, uint32_t c) {
	const snw_clip *clip = &added->clips[c];
	const snw_retarget_loss *loss = &added->losses[c];
	snw_report_made(o->report, SNW_NOUN_CLIP, clip->name);
	snw_report_row(o->report, "clips", c);
	snw_report_text(o->report, "name", clip->name);
	snw_report_number(o->report, "seconds", clip->duration_seconds);
	snw_report_number(o->report, "tracks", clip->track_count);
	snw_report_number(o->report, "joints_left_out", loss->joint_count);
	snw_report_number(o->report, "channels_left_out", loss->channel_count);
	snw_report_row(o->report, NULL, 0);
	snw_report_say(o->report, "clip %s: %.4g s, %u track%s", clip->name, clip->duration_seconds, clip->track_count,
				   snw_plural(clip->track_count));
	if (loss->joint_count > 0) {
		snw_report_warn(o->report, "clip %s: %u joint%s that it moves %s none of the character: %s; --map gives names",
						clip->name, loss->joint_count, snw_plural(loss->joint_count), loss->joint_count == 1 ? "is" : "are",
						loss->joints);
	}
	if (loss->channel_count > 0) {
		snw_report_warn(o->report, "clip %s: the character lacks %u of its morph targets: %s", clip->name, loss->channel_count,
						loss->channels);
	}
}

static void report_match(const snw_operation *o, const struct snw_added_clips *added) {
	const char *rigs = added->source_rig && added->target_rig && added->source_rig != added->target_rig
						   ? snw_arena_format(o->arena, " (%s to %s)", added->source_rig, added->target_rig)
						   : "";
	snw_report_say(o->report, "%u of %u joints are matched%s; %s", added->matched_count, added->joint_count, rigs,
				   added->is_same_rig ? "it is the same rig: they rest as the character does"
									  : "both rigs are assumed to rest in the same posture; if they do not, name the pose that "
										"matches with '--rest POSE'");
	if (added->unmatched[0]) {
		snw_report_say(o->report, "joints of the character that are not matched: %s", added->unmatched);
	}
	snw_report_number(o->report, "joints", added->joint_count);
	snw_report_number(o->report, "matched", added->matched_count);
	snw_report_text(o->report, "unmatched", added->unmatched);
	snw_report_number(o->report, "scale", added->scale);
}

static snw_status write_added(snw_operation *o, snw_error *error) {
	const struct snw_added_clips *added = o->work->clips;
	snw_status status = SNW_OK;
	for (uint32_t c = 0; c < added->count && !snw_failed(status); c++) {
		report_clip(o, added, c);
		status = snw_project_put_clip(o->project, &added->clips[c], NULL, error);
	}
	report_match(o, added);
	return status;
}

static snw_status add_clips(snw_operation *o, snw_error *error) {
	struct snw_added_clips *added = SNW_NEW(o->arena, struct snw_added_clips);
	snw_scene *from = NULL;
	snw_status status = read_motion(o, &from, error);
	status = snw_failed(status) ? status : retarget(o, from, added, error);
	snw_scene_destroy(from);
	if (!snw_failed(status) && added->count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: its clips move nothing that the character has",
						snw_operation_text(o, "file"));
	}
	*o->work = (snw_operator_work){.write = write_added, .clips = added};
	return status;
}

/* ---- changing ------------------------------------------------------------------------------------------------------------ */

/* What knows the moments of a clip; NULL for nothing. */
static const char *user_of_times(const snw_operation *o, uint32_t clip) {
	for (uint32_t t = 0; t < o->scene->target_count; t++) {
		if (snw_target_clip(o->scene, &o->scene->targets[t]) == clip) {
			return snw_arena_format(o->arena, "target %s has frames of it", o->scene->targets[t].name);
		}
	}
	for (uint32_t p = 0; p < o->scene->pose_count; p++) {
		if (o->scene->poses[p].clip != 0 && o->scene->poses[p].clip == o->scene->clips[clip].id) {
			return snw_arena_format(o->arena, "pose %s is a moment of it", o->scene->poses[p].name);
		}
	}
	return NULL;
}

/* What knows a clip by its name; NULL for nothing. */
static const char *user_of_name(const snw_operation *o, const snw_clip *clip) {
	for (uint32_t t = 0; t < o->scene->target_count; t++) {
		const snw_target *target = &o->scene->targets[t];
		if (target->clip == SNW_NONE && strcmp(target->name, clip->name) == 0) {
			return snw_arena_format(o->arena, "sequence %s", target->name);
		}
	}
	for (uint32_t i = 0; i < o->scene->layer_count; i++) {
		const snw_layer *layer = &o->scene->layers[i];
		if (layer->samples && snw_samples_have_clip(layer->samples, clip->name)) {
			return snw_arena_format(o->arena, "layer %s", layer->name);
		}
	}
	for (uint32_t i = 0; i < o->scene->level_count; i++) {
		const snw_level *level = &o->scene->levels[i];
		if (level->samples && snw_samples_have_clip(level->samples, clip->name)) {
			return snw_arena_format(o->arena, "level %u", level->number);
		}
	}
	return NULL;
}

static snw_status rename_clip(snw_operation *o, snw_error *error) {
	snw_clip clip = *clip_of(o);
	const char *name = snw_operation_text(o, "new"), *user = user_of_name(o, &clip);
	if (strcmp(name, clip.name) == 0) {
		return SNW_OK;
	}
	if (user) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s knows clip '%s' by its name; it must keep it", user, clip.name);
	}
	const snw_status status = snw_noun_expect_free(o->scene, SNW_NOUN_CLIP, name, error);
	clip.name = name;
	snw_report_changed(o->report, SNW_NOUN_CLIP, name);
	return snw_failed(status) ? status : snw_project_put_clip(o->project, &clip, NULL, error);
}

static snw_status trim(snw_operation *o, snw_error *error) {
	const snw_clip *clip = clip_of(o);
	const char *name = snw_operation_text(o, "name"), *user = user_of_times(o, snw_operation_thing(o, "clip"));
	const double from = snw_operation_number(o, "from");
	const double to = snw_operation_has(o, "to") ? snw_operation_number(o, "to") : clip->duration_seconds;
	if (!(from < to && to <= clip->duration_seconds + 1e-6)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"--from %g --to %g: clip '%s' lasts from 0 to %.6g s; give a part of that, with --from before --to",
						from, to, clip->name, clip->duration_seconds);
	}
	if (!name && user) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s; keep the clip, and make a new one with --name", user);
	}
	const snw_status status = name ? snw_noun_expect_free(o->scene, SNW_NOUN_CLIP, name, error) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	snw_clip trimmed = snw_clip_trim(clip, from, to, o->arena);
	trimmed.id = name ? 0 : clip->id;
	trimmed.name = name ? name : clip->name;
	if (name) {
		snw_report_made(o->report, SNW_NOUN_CLIP, name);
	} else {
		snw_report_changed(o->report, SNW_NOUN_CLIP, clip->name);
	}
	snw_report_say(o->report, "clip %s: %.4g s", trimmed.name, trimmed.duration_seconds);
	return snw_project_put_clip(o->project, &trimmed, NULL, error);
}

static snw_status remove_clip(snw_operation *o, snw_error *error) {
	const snw_clip *clip = clip_of(o);
	snw_report_removed(o->report, SNW_NOUN_CLIP, clip->name);
	return snw_project_remove(o->project, SNW_PROJECT_CLIP, clip->id, error);
}

static const snw_operator clip_operators[] = {
	{"add", "Add clips", "Adds the clips of a file, which needs no mesh and may have another rig.", "add clips of",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_REFITS, add_clips_arguments, add_clips},
	{"name", "Rename clip", "Renames a clip.", "rename clip", 0, name_clip_arguments, rename_clip},
	{"trim", "Trim clip", "Keeps a part of a clip, or makes a new clip of it.", "trim clip", SNW_OPERATOR_REFITS,
	 trim_arguments, trim},
	{"remove", "Delete clip", "Deletes a clip.", "delete clip", SNW_OPERATOR_REFITS, remove_clip_arguments, remove_clip},
	{0},
};

const snw_operator_noun snw_operators_clip = {"clip", "Lists clips, adds those of files, and renames, trims and removes them.",
											  clip_operators};
