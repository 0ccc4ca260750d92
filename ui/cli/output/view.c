/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/command_line/embedded_texts.h"
#include "cli/output/output.h"
#include "export/crowd/crowd_files.h"
#include "fault/fault.h"
#include "file/file.h"
#include "render/draw/viewport.h"
#include "window/window.h"

/* ---- the window ---------------------------------------------------------------------------------------------------------- */

/* sinew view: the project in a window. */

enum { WIDTH = 1280, HEIGHT = 800 };

static snw_status parse_size(const snw_call *call, int *width, int *height, snw_error *error) {
	const char *text = snw_call_option(call, "--size");
	int end = 0;
	if (text && (sscanf(text, "%dx%d%n", width, height, &end) != 2 || text[end] || *width < 160 || *height < 160 ||
				 *width > 16384 || *height > 16384)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--size %s: expected WIDTHxHEIGHT, each from 160 to 16384", text);
	}
	return SNW_OK;
}

/* The clips of the project, played by many. */
static snw_status show_crowd(const snw_call *call, int width, int height, snw_error *error) {
	snw_opened opened;
	snw_cli_crowd made = {0};
	uint32_t count = 0;
	double redraws;
	if (call->argument_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--crowd: which project?");
	}
	snw_status status = snw_crowd_number(call, "--crowd", 1, &count, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--redraws", 1, UINT32_MAX, 0, &redraws, error);
	status = snw_failed(status)
				 ? status
				 : snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_crowd_window_options options = {.width = width,
											  .height = height,
											  .name = opened.name,
											  .redraws = (uint32_t)redraws,
											  .picture = snw_call_option(call, "--picture")};
	status = snw_cli_crowd_make(call, &opened, count, true, &made, error);
	status = snw_failed(status) ? status : snw_crowd_window_run(&options, &made.crowd, &made.character, &call->task, error);
	snw_cli_crowd_free(&made);
	snw_opened_close(&opened);
	return status;
}

static snw_status run_view(snw_call *call, snw_error *error) {
	snw_window_options request = {.width = WIDTH,
								  .height = HEIGHT,
								  .path = call->argument_count > 0 ? call->arguments[0] : NULL,
								  .script = snw_call_option(call, "--script"),
								  .is_traced = snw_call_option(call, "--echo")};
	const snw_status status = parse_size(call, &request.width, &request.height, error);
	if (snw_failed(status)) {
		return status;
	}
	if (request.path && !snw_file_exists(request.path)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: no such file; 'sinew view' alone opens an empty window", request.path);
	}
	if (snw_call_option(call, "--crowd")) {
		return show_crowd(call, request.width, request.height, error);
	}
	snw_call_limit_of_window();
	signal(SIGINT, SIG_DFL); /* files are written atomically: Ctrl-C may close the window at once */
	snw_registry *registry = snw_registry_open_renewable();
	request.registry = registry;
	const snw_status result = snw_window_run(&request, error);
	snw_registry_close(registry);
	return result;
}

static const snw_option view_options[] = {
	{"--size", "WxH", "initial size of the window (default: 1280x800)"},
	{"--script", "FILE",
	 "run a script: operators as in 'sinew do', and lines of the window's own, as Help > Save session as script writes them"},
	{"--crowd", "N", "show a crowd of N that plays the clips, in a window of its own: drag to orbit, Space to stop and start"},
	SNW_CROWD_OPTIONS,
	{"--clip", "NAME", "with --crowd: a clip that is played (default: all); may be repeated"},
	{"--method", "METHOD", "with --crowd: which method or layer (default: the whole stack)"},
	{"--redraws", "N", "with --crowd: close after this many redraws"},
	{"--picture", "OUT.png", "with --redraws: write the last of them"},
	{"--echo", NULL, "print a line for each command once its result is drawn"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_view = {
	.name = "view",
	.part = SNW_VERB_SHOWS,
	.usage = "[P.sinew | FILE] [--size WxH] [--script FILE] | P.sinew --crowd N",
	.help = "Opens a window to pose, sculpt and fit in.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 1,
	.runs_once = true,
	.options = view_options,
	.run = run_view,
};

/* ---- crowd --------------------------------------------------------------------------------------------------------------- */

snw_status snw_crowd_number(const snw_call *call, const char *option, uint32_t otherwise, uint32_t *count, snw_error *error) {
	double number = 0;
	const snw_status status = snw_call_number(call, option, -INFINITY, INFINITY, otherwise, &number, error);
	if (snw_failed(status) || number < 1 || number > SNW_CROWD_MOST || number != floor(number)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected a whole number from 1 to %d", option,
						snw_call_option(call, option), (int)SNW_CROWD_MOST);
	}
	*count = (uint32_t)number;
	return SNW_OK;
}

/* The clips that --clip names; all if it names none. */
static snw_status find_clips(const snw_call *call, const snw_scene *scene, snw_crowd_request *request, snw_error *error) {
	uint32_t *clips = SNW_NEW_ARRAY(call->arena, uint32_t, call->option_count);
	const char *name;
	for (uint32_t i = 0; (name = snw_call_option_at(call, "--clip", (int)i)); i++) {
		uint32_t clip = 0;
		while (clip < scene->clip_count && strcmp(scene->clips[clip].name, name) != 0) {
			clip++;
		}
		if (clip == scene->clip_count) {
			return snw_fail(error, SNW_ERROR_MISSING, "--clip %s: no such clip; 'sinew info' lists them", name);
		}
		clips[request->clip_count++] = clip;
	}
	request->clips = clips;
	return SNW_OK;
}

static snw_status read_crowd_request(const snw_call *call, const snw_scene *scene, uint32_t count, snw_crowd_request *request,
									 snw_error *error) {
	double seed = 0;
	*request = (snw_crowd_request){.count = count};
	snw_status status = snw_call_number(call, "--seed", 0, UINT32_MAX, 0, &seed, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--rate", 1, 240, 30, &request->rate, error);
	request->seed = (uint32_t)seed;
	return snw_failed(status) ? status : find_clips(call, scene, request, error);
}

snw_status snw_cli_crowd_make(const snw_call *call, const snw_opened *opened, uint32_t count, bool has_levels,
							  snw_cli_crowd *made, snw_error *error) {
	const char *method = snw_call_option(call, "--method");
	snw_crowd_request request;
	snw_opened posed = *opened;
	*made = (snw_cli_crowd){.character.scene = opened->scene};
	snw_status status = read_crowd_request(call, opened->scene, count, &request, error);
	if (!snw_failed(status) && opened->scene->level_count > 0 && has_levels && !method) {
		snw_level_scene *levels = SNW_NEW(call->arena, snw_level_scene);
		snw_scene_with_levels(opened->scene, call->arena, levels);
		posed.levels = made->character.levels = levels;
	}
	status = snw_failed(status) ? status : snw_opened_stack(call, &posed, method, &made->stack, error);
	made->character.stack = made->stack;
	return snw_failed(status) ? status : snw_crowd_make(opened->scene, &request, call->arena, &made->crowd, error);
}

void snw_cli_crowd_free(snw_cli_crowd *made) {
	snw_stack_destroy(made->stack);
}

/* ---- a picture ----------------------------------------------------------------------------------------------------------- */

static snw_status check_crowd_options(const snw_call *call, snw_error *error) {
	static const char *const others[] = {"--pose",  "--frame", "--heat",      "--level",    "--sheet",     "--example",
										 "--focus", "--pan",   "--subdivide", "--skeleton", "--wireframe", "--caption"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (snw_call_option(call, others[i])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s does not go with --crowd", others[i]);
		}
	}
	const char *look = snw_call_option(call, "--look");
	return look && strcmp(look, "edges") == 0
			   ? snw_fail(error, SNW_ERROR_ARGUMENT, "--look edges does not go with --crowd, which is drawn without edges")
			   : SNW_OK;
}

static void say_shown(const snw_call *call, const snw_cli_crowd *made, const snw_crowd_shown *shown, double seconds) {
	const snw_crowd *crowd = &made->crowd;
	for (uint32_t i = 0; i < crowd->clip_count; i++) {
		const snw_crowd_clip *clip = &crowd->clips[i];
		const char *name = clip->clip == SNW_NONE ? "the rest" : made->character.scene->clips[clip->clip].name;
		snw_say(call, "  %s: %u frame%s, %.4g s", name, clip->frame_count, snw_plural(clip->frame_count),
				clip->duration_seconds);
	}
	const char *levels = "";
	for (uint32_t l = 0; l < shown->level_count && shown->level_count > 1; l++) {
		levels = snw_arena_format(call->arena, "%s%s%u at level %u", levels, l > 0 ? ", " : "; ", shown->levels[l], l);
	}
	snw_say(call, "  %u of %u in view at %.4g s, %llu triangles%s", shown->count, crowd->count, seconds,
			(unsigned long long)shown->triangles, levels);
	snw_say(call, "  %zu bytes sent for this picture; %.4g MB of frames are kept on the card", shown->bytes_sent,
			1e-6 * (double)shown->kept_bytes);
	snw_answer_number(call->answer, "members", crowd->count);
	snw_answer_number(call->answer, "in_view", shown->count);
	snw_answer_number(call->answer, "frames", crowd->frame_count);
	snw_answer_number(call->answer, "triangles", (double)shown->triangles);
	snw_answer_number(call->answer, "bytes_sent", (double)shown->bytes_sent);
	snw_answer_number(call->answer, "bytes_kept", (double)shown->kept_bytes);
	cJSON *list = call->answer ? cJSON_AddArrayToObject(call->answer, "levels") : NULL;
	for (uint32_t l = 0; l < shown->level_count && list; l++) {
		cJSON_AddItemToArray(list, cJSON_CreateNumber(shown->levels[l]));
	}
}

static snw_status draw(const snw_call *call, snw_renderer *renderer, snw_cli_crowd *made, snw_view *view, uint32_t width,
					   uint32_t height, const char *path, snw_error *error) {
	double seconds = 0, zoom = 1;
	snw_gpu_crowd *gpu_crowd = NULL;
	snw_status status = snw_call_number(call, "--seconds", 0, 1e6, 0, &seconds, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--zoom", 0.01, 100, 1, &zoom, error);
	status = snw_failed(status)
				 ? status
				 : snw_gpu_crowd_create(renderer, &made->crowd, &made->character, &call->task, &gpu_crowd, error);
	if (snw_failed(status)) {
		return status;
	}
	view->camera = snw_gpu_crowd_frame_camera(gpu_crowd, &view->camera, width, height);
	view->camera.distance /= zoom;
	unsigned char *pixels = snw_arena_array(call->arena, (size_t)width * height, 4);
	status = snw_gpu_crowd_pose(gpu_crowd, &view->camera, width, height, seconds, error);
	status = snw_failed(status) ? status : snw_gpu_crowd_picture(gpu_crowd, view, width, height, pixels, error);
	status = snw_failed(status) ? status : snw_png_write(path, pixels, width, height, error);
	if (!snw_failed(status)) {
		const snw_crowd_shown shown = snw_gpu_crowd_shown(gpu_crowd);
		snw_say(call, "%s: %u × %u, drawn by %s", path, width, height, snw_renderer_device(renderer));
		say_shown(call, made, &shown, seconds);
		snw_answer_text(call->answer, "file", path);
		snw_answer_text(call->answer, "device", snw_renderer_device(renderer));
		snw_answer_camera(call, &view->camera, (double)width / height);
	}
	snw_gpu_crowd_destroy(gpu_crowd);
	return status;
}

snw_status snw_crowd_render(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
							uint32_t height, const char *path, snw_error *error) {
	uint32_t count = 0;
	snw_view view = *base;
	snw_cli_crowd made = {0};
	snw_renderer *renderer = NULL;
	snw_status status = check_crowd_options(call, error);
	status = snw_failed(status) ? status : snw_crowd_number(call, "--crowd", 1, &count, error);
	status = snw_failed(status) ? status : snw_cli_crowd_make(call, opened, count, true, &made, error);
	status = snw_failed(status) ? status : snw_renderer_create(&renderer, error);
	status = snw_failed(status) ? status : draw(call, renderer, &made, &view, width, height, path, error);
	snw_renderer_destroy(renderer);
	snw_cli_crowd_free(&made);
	return status;
}

/* ---- export crowd -------------------------------------------------------------------------------------------------------- */

/* sinew export --crowd: a crowd's files for engines. */

enum { PAGE_MOST = 100000, MEMBER_BYTES = 82 }; /* members of the page; what crowd.json has for each */

static const char *const players[] = {"crowd.js", "crowd.glsl", "crowd.wgsl", "crowd.hlsl"};

static snw_status check_crowd_export(const snw_call *call, const char *folder, snw_error *error) {
	static const char *const others[] = {"-o",           "--pose",    "--fps",       "--from",  "--to",         "--for",
										 "--influences", "--weights", "--hierarchy", "--units", "--vectors",    "--compress",
										 "--live",       "--levels",  "--mesh",      "--each",  "--in-betweens"};
	struct stat found;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (snw_call_option(call, others[i])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s does not go with --crowd", others[i]);
		}
	}
	return stat(folder, &found) != 0 || S_ISDIR(found.st_mode)
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "--crowd %s: this is a file; name a folder", folder);
}

/* Engines place members themselves: these are for the page. */
static snw_status read_members(const snw_call *call, uint32_t *count, snw_error *error) {
	const snw_status status = snw_crowd_number(call, "--members", 1000, count, error);
	return snw_failed(status) || *count <= PAGE_MOST
			   ? status
			   : snw_fail(error, SNW_ERROR_LIMIT,
						  "--members %u: the page would read %.0f MB of members in crowd.json; at most %d fit. An engine that "
						  "places members itself may draw more",
						  *count, 1e-6 * MEMBER_BYTES * *count, (int)PAGE_MOST);
}

static void answer_loss(cJSON *answer, const char *name, const snw_crowd_loss *loss) {
	cJSON *object = answer ? cJSON_AddObjectToObject(answer, name) : NULL;
	snw_answer_number(object, "max_percent", loss->max_percent);
	snw_answer_number(object, "erms", loss->erms);
}

static void report_crowd_levels(const snw_call *call, const snw_scene *scene, const snw_level_scene *levels) {
	const uint32_t most = snw_level_most(scene);
	if (most > 0 && levels) {
		snw_say(call, "%u level%s of detail beside the meshes, with the same palettes; the page chooses by pixels", most,
				snw_plural(most));
	} else if (most > 0) {
		snw_say(call, "levels of detail (%u) are left out: they are of the whole stack, and --method chooses another", most);
	}
	snw_answer_number(call->answer, "levels", levels ? most : 0);
}

static void report_crowd_loss(const snw_call *call, const snw_crowd_files_report *report) {
	snw_say(call, "palettes: %u frame%s of %u texels; %.4g MB in half floats, %.4g MB in floats", report->frame_count,
			snw_plural(report->frame_count), report->width, 1e-6 * (double)report->half_bytes,
			1e-6 * (double)report->single_bytes);
	snw_say(call, "half floats: erms %.4f, at most %.4f %% of the diagonal; floats: erms %.4f, at most %.4f %%",
			report->half.erms, report->half.max_percent, report->single.erms, report->single.max_percent);
	if (report->dropped_influences > 0) {
		snw_say(call, "%u influences beyond four of a point are left out; that is in these errors", report->dropped_influences);
	}
	if (report->left_out_displacements > 0) {
		snw_say(
			call,
			"%u displacement%s left out (correctives, morph targets) of %s; that is in these errors: 'sinew bake' keeps more",
			report->left_out_displacements, report->left_out_displacements == 1 ? " is" : "s are", report->left_out_layers);
	}
	snw_answer_number(call->answer, "frames", report->frame_count);
	snw_answer_number(call->answer, "width", report->width);
	answer_loss(call->answer, "half", &report->half);
	answer_loss(call->answer, "float", &report->single);
	snw_answer_number(call->answer, "dropped_influences", report->dropped_influences);
	snw_answer_number(call->answer, "left_out_displacements", report->left_out_displacements);
}

static snw_status write_text_file(const snw_call *call, const char *folder, const char *name, const char *text,
								  snw_error *error) {
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(snw_path_join(call->arena, folder, name), &file, error);
	if (snw_failed(status)) {
		return status;
	}
	fputs(text, snw_file_write_stream(file));
	return snw_file_write_commit(file, error);
}

static snw_status write_folder(const snw_call *call, const snw_crowd_files *files, const char *folder, snw_error *error) {
	snw_status status = snw_crowd_files_write(files, folder, error);
	for (size_t i = 0; i < sizeof players / sizeof *players && !snw_failed(status); i++) {
		status = write_text_file(call, folder, players[i], snw_cli_embedded(players[i]), error);
	}
	status = snw_failed(status) ? status : write_text_file(call, folder, "index.html", snw_cli_embedded("crowd.html"), error);
	if (!snw_failed(status)) {
		snw_say(call, "%s: a crowd's files; index.html plays them", folder);
		snw_answer_text(call->answer, "folder", folder);
	}
	return status;
}

snw_status snw_crowd_export(const snw_call *call, const snw_opened *opened, const char *folder, snw_error *error) {
	uint32_t count = 0;
	snw_cli_crowd made = {0};
	snw_crowd_files *files = NULL;
	snw_status status = check_crowd_export(call, folder, error);
	status = snw_failed(status) ? status : read_members(call, &count, error);
	status = snw_failed(status) ? status : snw_cli_crowd_make(call, opened, count, true, &made, error);
	status = snw_failed(status) ? status : snw_crowd_files_make(&made.character, &made.crowd, &call->task, &files, error);
	if (!snw_failed(status)) {
		report_crowd_loss(call, snw_crowd_files_reported(files));
		report_crowd_levels(call, opened->scene, made.character.levels);
		status = write_folder(call, files, folder, error);
	}
	snw_crowd_files_destroy(files);
	snw_cli_crowd_free(&made);
	return status;
}
