/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew export: files for other programs, with the error of their playback.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_line/verb.h"
#include "cli/output/output.h"
#include "cli/stack/tables.h"
#include "export/export.h"
#include "lod/lod.h"
#include "pose/pose.h"
#include "scene/scene.h"

/* ---- engine option ------------------------------------------------------------------------------------------------------- */

/* The engine that --for names. */

/* "three, babylon, … or vrm". */
static const char *engine_names(const snw_call *call) {
	const char *names = snw_engines(0)->name;
	for (uint32_t i = 1; snw_engines(i); i++) {
		names = snw_arena_format(call->arena, "%s%s%s", names, snw_engines(i + 1) ? ", " : " or ", snw_engines(i)->name);
	}
	return names;
}

/* NULL without --for. SNW_ERROR_ARGUMENT lists the names of all. */
static snw_status call_engine(const snw_call *call, const snw_engine **engine, snw_error *error) {
	const char *name = snw_call_option(call, "--for");
	*engine = name ? snw_engine_find(name) : NULL;
	return !name || *engine ? SNW_OK : snw_fail(error, SNW_ERROR_ARGUMENT, "--for %s: expected %s", name, engine_names(call));
}

/* ---- export -------------------------------------------------------------------------------------------------------------- */

static bool is_fbx(const snw_export_request *request) {
	return snw_path_has_extension(request->path, "fbx");
}

/* --units: the unit of an FBX file. */
static snw_status fill_units(const snw_call *call, snw_export_request *request, snw_error *error) {
	static const struct {
		const char *name;
		double centimetres;
	} units[] = {{"cm", 1}, {"m", 100}, {"mm", 0.1}, {"in", 2.54}, {"ft", 30.48}};
	const char *name = snw_call_option(call, "--units");
	if (name && !is_fbx(request)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--units: only .fbx files choose a unit; leave it out for %s",
						request->path);
	}
	for (size_t i = 0; name && i < sizeof units / sizeof *units; i++) {
		if (strcmp(name, units[i].name) == 0) {
			request->centimetres = units[i].centimetres;
			return SNW_OK;
		}
	}
	return name ? snw_fail(error, SNW_ERROR_ARGUMENT, "--units %s: expected cm, m, mm, in or ft", name) : SNW_OK;
}

/* --in-betweens. */
static snw_status fill_in_betweens(const snw_call *call, snw_export_request *request, snw_error *error) {
	request->joins_in_betweens = snw_call_option(call, "--in-betweens");
	return request->joins_in_betweens && !is_fbx(request)
			   ? snw_fail(error, SNW_ERROR_ARGUMENT, "--in-betweens: only .fbx files have channels; leave it out for %s",
						  request->path)
			   : SNW_OK;
}

/* Which frames, for formats that hold them. */
static snw_status fill_range(const snw_call *call, snw_export_request *request, snw_error *error) {
	static const char *const names[] = {"--fps", "--from", "--to"};
	const snw_file_format *format = snw_file_format_of(snw_export_formats, request->path);
	for (int i = 0; i < 3; i++) {
		if (snw_call_option(call, names[i]) && !(format->holds & SNW_FILE_FRAMES)) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: only .pc2, .mdd and numbered .obj hold frames; leave it out",
							names[i]);
		}
	}
	snw_status status = snw_call_number(call, "--fps", 0.001, 1e5, 0, &request->frames_per_second, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--from", 0, 1e6, 0, &request->from_seconds, error);
	return snw_failed(status) ? status : snw_call_number(call, "--to", 1e-6, 1e6, 0, &request->to_seconds, error);
}

/* --for, and --influences as far as that engine plays them. */
static snw_status fill_engine(const snw_call *call, snw_export_request *request, snw_error *error) {
	snw_status status = call_engine(call, &request->engine, error);
	if (snw_failed(status)) {
		return status;
	}
	if (request->engine && !(snw_file_format_of(snw_export_formats, request->path)->holds & SNW_FILE_SKIN)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--for: engines play .glb, .gltf and .fbx; leave it out for %s",
						request->path);
	}
	const double otherwise = request->engine ? request->engine->influences : 4;
	double influences;
	status = snw_call_number(call, "--influences", 4, 8, otherwise, &influences, error);
	if (!snw_failed(status) && influences != 4 && influences != 8) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--influences: expected 4 or 8");
	}
	request->influences = snw_failed(status) ? 0 : (uint32_t)influences;
	return status;
}

/* --hierarchy: what proxy joints are below. */
static snw_status fill_hierarchy(const snw_call *call, snw_export_request *request, snw_error *error) {
	static const char *const names[] = {
		[SNW_HIERARCHY_FLAT] = "flat", [SNW_HIERARCHY_TREE] = "tree", [SNW_HIERARCHY_SKELETON] = "skeleton"};
	const char *name = snw_call_option(call, "--hierarchy");
	if (name && !(snw_file_format_of(snw_export_formats, request->path)->holds & SNW_FILE_SKIN)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--hierarchy: .glb, .gltf and .fbx have joints; leave it out for %s",
						request->path);
	}
	for (int i = SNW_HIERARCHY_SKELETON; name && i <= SNW_HIERARCHY_FLAT; i++) {
		if (strcmp(name, names[i]) == 0) {
			request->hierarchy = (snw_export_hierarchy)i;
			return SNW_OK;
		}
	}
	return name ? snw_fail(error, SNW_ERROR_ARGUMENT, "--hierarchy %s: expected flat, tree or skeleton", name) : SNW_OK;
}

/* --weights, --compress and --live. */
static snw_status fill_weights(const snw_call *call, snw_export_request *request, snw_error *error) {
	const char *form = snw_call_option(call, "--weights");
	if (form && strcmp(form, "bytes") != 0 && strcmp(form, "exact") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--weights %s: expected bytes or exact", form);
	}
	const bool has_skin = snw_file_format_of(snw_export_formats, request->path)->holds & SNW_FILE_SKIN;
	if (form && !has_skin) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--weights: .glb, .gltf and .fbx have weights; leave it out for %s",
						request->path);
	}
	request->weights = !form ? SNW_WEIGHTS_CHOSEN : strcmp(form, "bytes") == 0 ? SNW_WEIGHTS_BYTES : SNW_WEIGHTS_EXACT;
	request->compresses = snw_call_option(call, "--compress");
	if (request->compresses && !snw_path_has_extension(request->path, "glb|gltf")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--compress: .glb and .gltf can be compressed; leave it out for %s",
						request->path);
	}
	request->is_live = snw_call_option(call, "--live");
	return request->is_live && !snw_path_has_extension(request->path, "glb|gltf")
			   ? snw_fail(error, SNW_ERROR_ARGUMENT, "--live: .glb and .gltf hold graphs; leave it out for %s", request->path)
			   : SNW_OK;
}

/* --method: the ground truth, which formats of points alone hold. */
static snw_status fill_source(const snw_call *call, snw_export_request *request, snw_error *error) {
	const char *method = snw_call_option(call, "--method");
	request->is_source = method && strcmp(method, "source") == 0;
	return request->is_source && (snw_file_format_of(snw_export_formats, request->path)->holds & SNW_FILE_SKIN)
			   ? snw_fail(error, SNW_ERROR_ARGUMENT,
						  "--method source: .obj, .pc2 and .mdd hold the ground truth; for %s name a method that plays it",
						  request->path)
			   : SNW_OK;
}

/* --mesh, --clip and --pose. */
static snw_status fill_contents(const snw_call *call, const snw_opened *opened, snw_export_request *request, snw_error *error) {
	const char *pose = snw_call_option(call, "--pose"), *clip = snw_call_option(call, "--clip");
	snw_status status = SNW_OK;
	request->mesh = SNW_NONE;
	request->clip = SNW_NONE;
	if (snw_call_option(call, "--mesh")) {
		status = snw_opened_mesh(call, opened, &request->mesh, error);
	}
	if (!snw_failed(status) && clip) {
		status = snw_noun_find(opened->scene, SNW_NOUN_CLIP, clip, &request->clip, error);
	}
	if (!snw_failed(status) && pose) {
		snw_pose *resolved = NULL;
		status = snw_pose_resolve(opened->scene, pose, call->arena, &resolved, error);
		request->pose = resolved;
	}
	return status;
}

static snw_status fill_request(const snw_call *call, const snw_opened *opened, snw_export_request *request, snw_error *error) {
	snw_status status = fill_engine(call, request, error);
	status = snw_failed(status) ? status : fill_weights(call, request, error);
	status = snw_failed(status) ? status : fill_range(call, request, error);
	status = snw_failed(status) ? status : fill_source(call, request, error);
	status = snw_failed(status) ? status : fill_contents(call, opened, request, error);
	status = snw_failed(status) ? status : fill_hierarchy(call, request, error);
	status = snw_failed(status) ? status : fill_in_betweens(call, request, error);
	return snw_failed(status) ? status : fill_units(call, request, error);
}

static void report_normals(const snw_call *call, const char *which, const snw_export_report *report) {
	if (isfinite(report->playback_normals_degrees)) {
		snw_say(call, "%s: %.2f degrees off (root mean square), %.1f at the worst point; folded faces can have any angle",
				which, report->playback_normals_degrees, report->playback_normals_max_degrees);
	}
	snw_answer_number(call->answer, "normals_degrees", report->playback_normals_degrees);
	snw_answer_number(call->answer, "normals_max_degrees", report->playback_normals_max_degrees);
}

/* The pose, or when the frames are: a .pc2 does not say. */
static void report_frames(const snw_call *call, const snw_export_request *request, const snw_export_report *report) {
	const char *rate = report->frame_rate > 0 ? snw_arena_format(call->arena, ", %.6g per second", report->frame_rate) : "";
	const char *pose = snw_call_option(call, "--pose");
	if (pose) {
		snw_say(call, "%s: pose '%s'", request->path, pose);
	} else {
		snw_say(call, "%s: %u frame%s%s, from %.6g to %.6g s", request->path, report->frame_count,
				snw_plural(report->frame_count), rate, report->first_seconds, report->last_seconds);
	}
	report_normals(call, "normals of its faces", report);
	snw_answer_number(call->answer, "frames", report->frame_count);
	snw_answer_number(call->answer, "frames_per_second", report->frame_rate);
	snw_answer_number(call->answer, "first_seconds", report->first_seconds);
	snw_answer_number(call->answer, "last_seconds", report->last_seconds);
}

/* Which weights the file has, and what steps of 1/255 cost or would cost. */
static void report_weights(const snw_call *call, const snw_export_request *request, const snw_export_report *report) {
	if (request->weights != SNW_WEIGHTS_EXACT) {
		snw_say(call, "weights %s: at most %.4f %% of the diagonal, erms %.4f becomes %.4f",
				report->has_rounded_weights ? "in steps of 1/255" : "exact, since steps of 1/255 would cost too much",
				report->rounding_max_percent, report->exact_erms, report->rounded_erms);
		snw_answer_text(call->answer, "weights", report->has_rounded_weights ? "bytes" : "exact");
		snw_answer_number(call->answer, "rounding_max_percent", report->rounding_max_percent);
		snw_answer_number(call->answer, "exact_erms", report->exact_erms);
		snw_answer_number(call->answer, "rounded_erms", report->rounded_erms);
	}
}

/* What the file will lose, before it is written. Points are written exactly; only what an engine plays can differ from the
 * stack. */
static void report_loss(const snw_call *call, const snw_export_request *request, const snw_export_report *report) {
	if (report->dropped_influences) {
		snw_say(call, "%u influence%s beyond %u dropped, the rest normalised; 'sinew bake' fits weights to so few",
				report->dropped_influences, snw_plural(report->dropped_influences), request->influences);
	}
	report_weights(call, request, report);
	if (report->refined_count) {
		snw_say(call, "%u points of an affine blend play as linear blend over a refined rest", report->refined_count);
		snw_answer_number(call->answer, "refined_points", report->refined_count);
	}
	if (report->helper_count) {
		snw_say(call, "%u helper joint%s", report->helper_count, snw_plural(report->helper_count));
		snw_answer_number(call->answer, "helper_joints", report->helper_count);
	}
	if (report->proxy_count) {
		snw_say(call, "%u proxy joint%s, fitted for linear blend", report->proxy_count, snw_plural(report->proxy_count));
		snw_answer_number(call->answer, "proxy_joints", report->proxy_count);
	}
	if (report->affine_count) {
		snw_say(call, "%u of them affine: two nodes each, which hold them exactly", report->affine_count);
		snw_answer_number(call->answer, "affine_joints", report->affine_count);
	}
	snw_say(call, "against the stack, at %u moments: erms %.4f, at most %.4f %% of the diagonal", report->frame_count,
			report->playback_erms, report->playback_max_percent);
	if (report->undriven_max_percent > report->playback_max_percent) {
		snw_say(call,
				"that is with a player that drives the morph targets; by itself, an engine shows erms %.4f, at most %.4f %%, "
				"because the file has no clip that does",
				report->undriven_erms, report->undriven_max_percent);
	}
	if (report->packed_max_percent > 0) {
		snw_say(call, "after a packer such as gltfpack: erms %.4f, at most %.4f %%", report->packed_erms,
				report->packed_max_percent);
		snw_answer_number(call->answer, "packed_erms", report->packed_erms);
		snw_answer_number(call->answer, "packed_max_percent", report->packed_max_percent);
	}
	report_normals(call, "normals", report);
	if (report->folded_count) {
		snw_say(call, "folding displacements into morph targets adds at most %.4f %%", report->folded_max_percent);
	}
	if (report->inverted_again_count) {
		snw_say(call, "%u sculpt%s inverted again for what the file plays: at most %.4f %% off at the sculpts",
				report->inverted_again_count, snw_plural(report->inverted_again_count), report->inverted_again_max_percent);
		snw_answer_number(call->answer, "inverted_again", report->inverted_again_count);
		snw_answer_number(call->answer, "inverted_again_max_percent", report->inverted_again_max_percent);
	}
	if (report->between_max_percent > 0) {
		snw_say(call, "against the stack between frames: at most %.4f %% of the diagonal", report->between_max_percent);
	}
	if (report->proxy_count && report->source_erms >= 0) {
		snw_say(call, "against the animation itself: erms %.4f, at most %.4f %% of the diagonal", report->source_erms,
				report->source_max_percent);
		snw_answer_number(call->answer, "source_erms", report->source_erms);
		snw_answer_number(call->answer, "source_max_percent", report->source_max_percent);
		snw_answer_number(call->answer, "between_max_percent", report->between_max_percent);
	}
	snw_answer_number(call->answer, "dropped_influences", report->dropped_influences);
	snw_answer_number(call->answer, "erms", report->playback_erms);
	snw_answer_number(call->answer, "max_percent", report->playback_max_percent);
	snw_answer_number(call->answer, "undriven_erms", report->undriven_erms);
	snw_answer_number(call->answer, "undriven_max_percent", report->undriven_max_percent);
	snw_answer_number(call->answer, "folded_max_percent", report->folded_max_percent);
}

/* Refuses a file that plays something else than the stack, unless --allow-error says how far it may be off; otherwise reports
 * the loss. */
typedef struct export_review {
	const snw_call *call;
	const snw_export_request *request;
	double allowed_percent; /* negative: what snw_export_is_far_off allows */
} export_review;

static snw_status review(void *context, const snw_export_report *report, snw_error *error) {
	const export_review *r = context;
	if (r->allowed_percent >= 0 && report->playback_max_percent > r->allowed_percent) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"%s is not written: it would be off by %.4f %% of the diagonal, more than --allow-error %g",
						r->request->path, report->playback_max_percent, r->allowed_percent);
	}
	if (r->allowed_percent < 0 && snw_export_is_far_off(report)) {
		return snw_fail(
			error, SNW_ERROR_LIMIT,
			"%s is not written: it would be off by %.4f %% of the diagonal, erms %.4f, since engines play linear blend "
			"over morph targets; 'sinew bake', or a fit with blend=linear, makes a skin that they play; --allow-error %.4g "
			"writes this one",
			r->request->path, report->playback_max_percent, report->playback_erms,
			ceil(10 * report->playback_max_percent) / 10);
	}
	report_loss(r->call, r->request, report);
	return SNW_OK;
}

static void report_file(const snw_call *call, const snw_export_request *request, const snw_export_report *report) {
	snw_answer_text(call->answer, "file", request->path);
	if (!(snw_file_format_of(snw_export_formats, request->path)->holds & SNW_FILE_SKIN)) {
		report_frames(call, request, report);
		return;
	}
	snw_say(call, "%s: %u mesh%s, %u clip%s, %u morph target%s", request->path, report->mesh_count,
			report->mesh_count == 1 ? "" : "es", report->clip_count, snw_plural(report->clip_count), report->morph_count,
			snw_plural(report->morph_count));
	snw_answer_number(call->answer, "meshes", report->mesh_count);
	snw_answer_number(call->answer, "clips", report->clip_count);
	snw_answer_number(call->answer, "moments", report->frame_count);
	snw_answer_number(call->answer, "morphs", report->morph_count);
	snw_answer_number(call->answer, "morph_bytes", (double)report->morph_bytes);
	snw_answer_number(call->answer, "bytes", (double)report->byte_count);
	if (request->engine) {
		snw_answer_text(call->answer, "engine", request->engine->name);
	}
}

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

/* --levels: extension, files, or the number of one. */
typedef enum level_form { NO_LEVELS, LEVELS_IN_ONE, LEVELS_IN_FILES, ONE_LEVEL } level_form;

static snw_status read_levels(const snw_call *call, const snw_export_request *request, level_form *form, uint32_t *number,
							  snw_error *error) {
	const char *text = snw_call_option(call, "--levels");
	double value = 0;
	*form = !text                            ? NO_LEVELS
			: strcmp(text, "extension") == 0 ? LEVELS_IN_ONE
			: strcmp(text, "files") == 0     ? LEVELS_IN_FILES
											 : ONE_LEVEL;
	if (*form == LEVELS_IN_ONE && !snw_path_has_extension(request->path, "glb") &&
		!snw_path_has_extension(request->path, "gltf")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"--levels extension: .glb and .gltf hold levels; take files, or one by its number");
	}
	if (*form != ONE_LEVEL) {
		return SNW_OK;
	}
	const snw_status status = snw_call_number(call, "--levels", 0, 1000, 0, &value, error);
	*number = (uint32_t)value;
	return status;
}

/* The finest mesh of each level, and up to which share of the screen it is shown. */
static void name_levels(const snw_call *call, const snw_level_scene *levels, snw_export_request *request) {
	uint32_t *level_of = SNW_NEW_ARRAY(call->arena, uint32_t, levels->scene.mesh_count);
	double *shares = SNW_NEW_ARRAY(call->arena, double, levels->scene.mesh_count);
	for (uint32_t m = 0; m < levels->scene.mesh_count; m++) {
		level_of[m] = levels->levels[m] ? levels->origins[m] : SNW_NONE;
		shares[m] = levels->levels[m] ? levels->levels[m]->screen_share : 1;
	}
	request->level_of = level_of;
	request->screen_shares = shares;
}

/* Writes the scene as it is, with all levels, or at one. */
static snw_status export_scene(const snw_call *call, const snw_opened *opened, level_form form, uint32_t number,
							   snw_export_request *request, snw_error *error) {
	snw_stack *stack = NULL;
	snw_opened shown = *opened;
	snw_export_report report = {0};
	snw_status status = SNW_OK;
	if (form == LEVELS_IN_ONE && opened->scene->level_count > 0) {
		snw_level_scene *levels = SNW_NEW(call->arena, snw_level_scene);
		snw_scene_with_levels(opened->scene, call->arena, levels);
		name_levels(call, levels, request);
		shown.scene = &levels->scene;
		shown.levels = levels;
	} else if (form != NO_LEVELS) {
		status = snw_opened_at_level(call, opened, form == LEVELS_IN_ONE ? 1 : number, &shown, error);
	}
	const char *method = request->is_source ? NULL : snw_call_option(call, "--method");
	snw_scene bare = *shown.scene;
	if (request->is_source) {
		bare.layer_count = 0;
		shown.scene = &bare;
	}
	status = snw_failed(status) ? status : snw_opened_stack(call, &shown, method, &stack, error);
	status = snw_failed(status) ? status : snw_export(shown.scene, stack, request, &call->task, &report, error);
	if (!snw_failed(status)) {
		report_file(call, request, &report);
	}
	snw_stack_destroy(stack);
	return status;
}

/* A file for each level: hero_LOD0.glb is the character itself. */
static snw_status export_files(const snw_call *call, const snw_opened *opened, snw_export_request *request, snw_error *error) {
	const char *path = request->path, *dot = strrchr(path, '.');
	export_review *limits = request->review_context;
	cJSON *files = snw_answer_list(call->answer, "files");
	const uint32_t most = snw_level_most(opened->scene);
	snw_status status = SNW_OK;
	for (uint32_t n = 0; n <= (most > 0 ? most : 1) && !snw_failed(status); n++) {
		snw_call part = *call;
		part.answer = snw_answer_row(files);
		limits->call = &part;
		request->path = snw_arena_format(call->arena, "%.*s_LOD%u%s", (int)(dot - path), path, n, dot);
		status = export_scene(&part, opened, n == 0 ? NO_LEVELS : ONE_LEVEL, n, request, error);
	}
	return status;
}

/* ---- characters ---------------------------------------------------------------------------------------------------------- */

/* OUT-NAME.glb, where a slash of the name is "_"; with a number if another character has that file. */
static const char *path_of_character(const snw_call *call, const char *path, const char *name, const char *const *taken,
									 uint32_t count) {
	const char *dot = strrchr(path, '.');
	char *made = snw_arena_format(call->arena, "%.*s-%s%s", (int)(dot - path), path, name, dot);
	for (char *slash = made + (dot - path); (slash = strchr(slash, '/'));) {
		*slash = '_';
	}
	for (uint32_t c = 0; c < count; c++) {
		if (strcmp(taken[c], made) == 0) {
			return path_of_character(call, path, snw_arena_format(call->arena, "%s-%u", name, count + 1), taken, count);
		}
	}
	return made;
}

static void tell_joints_of_none(const snw_call *call, const snw_scene *scene, const snw_character *characters,
								uint32_t character_count) {
	uint32_t count = 0;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		bool is_of_one = false;
		for (uint32_t c = 0; c < character_count; c++) {
			is_of_one = is_of_one || characters[c].joints[j];
		}
		count += !is_of_one;
	}
	if (count > 0) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "%u joint%s of no character: in none of the files", count,
						snw_plural(count));
	}
}

/* --each: a file for each character of the scene. */
static snw_status export_each(const snw_call *call, const snw_opened *opened, snw_export_request *request, snw_error *error) {
	const char *path = request->path;
	export_review *limits = request->review_context;
	const snw_character *characters;
	const uint32_t count = snw_scene_characters(opened->scene, call->arena, &characters);
	cJSON *files = snw_answer_list(call->answer, "files");
	const char **paths = SNW_NEW_ARRAY(call->arena, const char *, count);
	snw_status status = count > 0 ? SNW_OK
								  : snw_fail(error, SNW_ERROR_MISSING,
											 "%s: the project has no mesh, so no character to export; import one first", path);
	for (uint32_t c = 0; c < count && !snw_failed(status); c++) {
		snw_call part = *call;
		part.answer = snw_answer_row(files);
		limits->call = &part;
		request->path = paths[c] = path_of_character(call, path, characters[c].name, paths, c);
		request->character = &characters[c];
		snw_answer_text(part.answer, "character", characters[c].name);
		status = export_scene(&part, opened, NO_LEVELS, 0, request, error);
	}
	if (!snw_failed(status)) {
		tell_joints_of_none(call, opened->scene, characters, count);
	}
	return status;
}

/* --each goes with formats of whole characters, and with no other choice of meshes. */
static snw_status read_each(const snw_call *call, const snw_export_request *request, bool *each, snw_error *error) {
	*each = snw_call_option(call, "--each");
	if (*each && !snw_path_has_extension(request->path, "glb|gltf|fbx")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--each: .glb, .gltf and .fbx hold characters; for %s name a --mesh",
						request->path);
	}
	const char *other = snw_call_option(call, "--mesh") ? "--mesh" : snw_call_option(call, "--levels") ? "--levels" : NULL;
	return *each && other ? snw_fail(error, SNW_ERROR_ARGUMENT, "--each and %s: use one of them", other) : SNW_OK;
}

static snw_status export_files_of(const snw_call *call, const snw_opened *opened, const char *path, snw_error *error) {
	bool each = false;
	level_form form = NO_LEVELS;
	uint32_t number = 0;
	snw_export_request request = {.path = path, .review = review};
	export_review limits = {.call = call, .request = &request};
	request.review_context = &limits;
	snw_status status = fill_request(call, opened, &request, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--allow-error", 0, 1e6, -1, &limits.allowed_percent, error);
	status = snw_failed(status) ? status : read_levels(call, &request, &form, &number, error);
	status = snw_failed(status) ? status : read_each(call, &request, &each, error);
	if (snw_failed(status) || each) {
		return snw_failed(status) ? status : export_each(call, opened, &request, error);
	}
	status = form == LEVELS_IN_FILES ? export_files(call, opened, &request, error)
									 : export_scene(call, opened, form, number, &request, error);
	const bool has_skin = snw_file_format_of(snw_export_formats, path)->holds & SNW_FILE_SKIN;
	return snw_failed(status) || !has_skin ? status
										   : snw_contact_made_print(call, opened, snw_call_option(call, "--method"), error);
}

/* --vectors: of what a glTF of the same contents plays. */
static snw_status export_vectors(const snw_call *call, const snw_opened *opened, const char *path, snw_error *error) {
	snw_export_request request = {.path = path, .influences = 4};
	snw_vectors_report report = {0};
	snw_stack *stack = NULL;
	snw_status status = fill_contents(call, opened, &request, error);
	status = snw_failed(status) ? status : snw_opened_stack(call, opened, snw_call_option(call, "--method"), &stack, error);
	status = snw_failed(status) ? status : snw_export_vectors(opened->scene, stack, &request, &call->task, &report, error);
	snw_stack_destroy(stack);
	if (snw_failed(status)) {
		return status;
	}
	snw_say(call, "%s: %u poses of %u joint%s, %u coefficient%s, %u helper joint%s", path, report.pose_count,
			report.joint_count, snw_plural(report.joint_count), report.coefficient_count, snw_plural(report.coefficient_count),
			report.helper_count, snw_plural(report.helper_count));
	snw_answer_text(call->answer, "vectors", path);
	snw_answer_number(call->answer, "vector_poses", report.pose_count);
	snw_answer_number(call->answer, "vector_bytes", (double)report.byte_count);
	return status;
}

static snw_status export_crowd(const snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_status status = snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (!snw_failed(status)) {
		status = snw_crowd_export(call, &opened, snw_call_option(call, "--crowd"), error);
		snw_opened_close(&opened);
	}
	return status;
}

static snw_status run_export(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o"), *vectors = snw_call_option(call, "--vectors");
	if (snw_call_option(call, "--crowd")) {
		return export_crowd(call, error);
	}
	if (!path && !vectors) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "name the file to write: -o OUT, which ends in %s",
						snw_file_formats_text(snw_export_formats, UINT32_MAX, call->arena));
	}
	snw_opened opened;
	snw_status status = SNW_OK;
	if (path) {
		status = snw_output_file(call, path, snw_file_extensions(snw_export_formats, UINT32_MAX, call->arena), error);
	}
	if (!snw_failed(status) && vectors) {
		status = snw_output_file(call, vectors, "vectors", error);
	}
	if (!snw_failed(status)) {
		status = snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	status = path ? export_files_of(call, &opened, path, error) : SNW_OK;
	status = snw_failed(status) || !vectors ? status : export_vectors(call, &opened, vectors, error);
	snw_opened_close(&opened);
	return status;
}

static const snw_option export_options[] = {
	{"-o", "OUT", "the file; its name says the format"},
	{"--method", "METHOD", "which method or layer (default: the whole stack); source: OBJ, PC2, MDD of the ground truth"},
	{"--clip", "NAME", "which clip (default for glTF and FBX: all)"},
	{"--pose", "POSE", "pose of a single .obj: NAME, or CLIP:SECONDS"},
	{"--fps", "N", "files of frames: N frames per second (default: the target's frames, or the clip's keys)"},
	{"--from", "SECONDS", "files of frames: where in the clip to begin"},
	{"--to", "SECONDS", "files of frames: where in the clip to end"},
	{"--for", SNW_ENGINE_NAMES,
	 "glTF, FBX: the engine that has to play the file; what is beyond its limits is refused (default: the limits of all)"},
	{"--influences", "4|8", "glTF, FBX: most influences at a point (default: the engine's, otherwise 4)"},
	{"--weights", "bytes|exact",
	 "glTF, FBX: in steps of 1/255, which packers and engines keep, or as they are (default: the steps, where they cost next "
	 "to "
	 "nothing)"},
	{"--hierarchy", "flat|tree|skeleton",
	 "glTF, FBX: proxy joints below one node, below one another, or below the skeleton's joints that move most like them "
	 "(default)"},
	{"--live", NULL, "glTF: also a graph that computes the weights of correctives from the joints (KHR_interactivity)"},
	{"--compress", NULL, "glTF: smaller, for players of EXT_meshopt_compression; points in 16 bits, normals in 12"},
	{"--units", "cm|m|mm|in|ft", "FBX: the unit of the file, which it declares (default: cm)"},
	{"--in-betweens", NULL,
	 "FBX: in-betweens as shapes of one channel, as --for maya, unity and unreal write them (default: channels of their own)"},
	{"--allow-error", "PERCENT",
	 "glTF, FBX: how far the file may be off, in percent of the diagonal (default: 0.5, or 1.5 times the stack's own error)"},
	{"--levels", "extension|files|N",
	 "levels of detail: all in one glTF (MSFT_lod), a file each (OUT_LOD0 and so on), or level N alone (default: none)"},
	{"--each", NULL, "glTF, FBX: a file for each character of the scene, OUT-NAME, with its joints, meshes and clips"},
	{"--vectors", "FILE.vectors", "poses with their coefficients and helper joints, to test a player of the glTF with"},
	{"--crowd", "FOLDER",
	 "write a crowd's files into a folder: a static glTF, the palettes of all frames as a texture, and shaders and a page that "
	 "play them"},
	{"--members", "N", "with --crowd: members of the page's grid (default: 1000)"},
	SNW_CROWD_OPTIONS,
	{"--mesh", "MESH", "write this mesh alone; OBJ, PC2 and MDD hold one, so it is needed if there are several"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_export = {
	.name = "export",
	.part = SNW_VERB_EXPORTS,
	.usage = "P.sinew [-o OUT] [--vectors FILE.vectors] [--mesh MESH] [--method METHOD] [--clip NAME | --pose POSE] [--fps N] "
			 "[--from SECONDS] [--to SECONDS] "
			 "[--for ENGINE] [--influences 4|8] [--weights bytes|exact] [--hierarchy flat|tree|skeleton] [--compress] [--live] "
			 "[--units "
			 "UNIT] [--in-betweens] "
			 "[--allow-error PERCENT] [--levels extension|files|N] [--each] | P.sinew --crowd FOLDER [--members N]",
	.help = "Exports a skin for engines, or posed meshes and caches for other tools.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = export_options,
	.formats = snw_export_formats,
	.run = run_export,
};
