/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew info: a summary, then the contents of the project and how its stack runs.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/command_line/open_project.h"
#include "cli/command_line/options/settings.h"
#include "cli/command_line/verb.h"
#include "cli/project/info_bounds.h"
#include "cli/project/info_seams.h"
#include "fit/samples.h"
#include "isolation/isolated_deformer.h"
#include "measure/measured_frames.h"
#include "scene/scene.h"

/* The file's name without folder and extension. */
static const char *project_name(const snw_call *call, const char *path) {
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	return snw_arena_format(call->arena, "%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

static const char *size_text(const snw_call *call, double bytes) {
	return bytes < 1e6 ? snw_arena_format(call->arena, "%.0f kB", bytes / 1e3)
					   : snw_arena_format(call->arena, "%.1f MB", bytes / 1e6);
}

/* The names of the stale layers, also as members of the answer. */
static const char *stale_layers(const snw_call *call, const snw_opened *opened, cJSON *list) {
	const char *names = "";
	for (uint32_t i = 0; i < opened->scene->layer_count; i++) {
		if (snw_opened_stale_text(call, opened, i)[0]) {
			const char *name = opened->scene->layers[i].name;
			names = snw_arena_format(call->arena, "%s%s%s", names, names[0] ? ", " : "", name);
			if (list) {
				cJSON_AddItemToArray(list, cJSON_CreateString(name));
			}
		}
	}
	return names;
}

static void print_summary(const snw_call *call, const snw_opened *opened) {
	const snw_scene *scene = opened->scene;
	const uint32_t joints = scene->skeleton.joint_count;
	struct stat file = {0};
	const double bytes = stat(opened->path, &file) == 0 ? (double)file.st_size : 0;
	uint64_t points = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		points += scene->meshes[i].point_count;
	}
	cJSON *summary = call->answer ? cJSON_AddObjectToObject(call->answer, "summary") : NULL;
	const char *name = project_name(call, opened->path);
	snw_say(call, "%s: %u mesh%s, %llu point%s, %u joint%s, %u clip%s, %u example%s, %u layer%s, %s", name, scene->mesh_count,
			scene->mesh_count == 1 ? "" : "es", (unsigned long long)points, points == 1 ? "" : "s", joints, snw_plural(joints),
			scene->clip_count, snw_plural(scene->clip_count), scene->example_count, snw_plural(scene->example_count),
			scene->layer_count, snw_plural(scene->layer_count), size_text(call, bytes));
	snw_answer_text(summary, "name", name);
	snw_answer_number(summary, "meshes", scene->mesh_count);
	snw_answer_number(summary, "points", (double)points);
	snw_answer_number(summary, "joints", joints);
	snw_answer_number(summary, "clips", scene->clip_count);
	snw_answer_number(summary, "examples", scene->example_count);
	snw_answer_number(summary, "layers", scene->layer_count);
	snw_answer_number(summary, "bytes", bytes);
	const char *stale = stale_layers(call, opened, snw_answer_list(summary, "stale"));
	if (stale[0]) {
		snw_say(call, "stale: %s", stale);
	}
	snw_say(call, "%s", "");
}

static void print_meshes(const snw_call *call, const snw_scene *scene) {
	cJSON *list = snw_answer_list(call->answer, "meshes");
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const snw_mesh *mesh = &scene->meshes[i];
		uint32_t most = 0;
		for (uint32_t p = 0; mesh->influence_offsets && p < mesh->point_count; p++) {
			const uint32_t count = mesh->influence_offsets[p + 1] - mesh->influence_offsets[p];
			most = count > most ? count : most;
		}
		const char *skin =
			most ? snw_arena_format(call->arena, "at most %u influence%s", most, snw_plural(most)) : "no weights";
		snw_say(call, "mesh      %s %u point%s, %u face%s, %s, %u morph%s%s%s%s, diagonal %.4g m",
				snw_padded(call, mesh->name, 20), mesh->point_count, snw_plural(mesh->point_count), mesh->face_count,
				snw_plural(mesh->face_count), skin, mesh->morph_count, snw_plural(mesh->morph_count),
				mesh->corner_uvs ? ", UVs" : "", mesh->corner_normals ? ", custom normals" : "",
				mesh->corner_tangents ? ", tangents" : "", snw_scene_diagonal(scene, i));
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", mesh->name);
		snw_answer_number(row, "points", mesh->point_count);
		snw_answer_number(row, "faces", mesh->face_count);
		snw_answer_number(row, "influences", most);
		snw_answer_number(row, "morphs", mesh->morph_count);
		snw_answer_number(row, "diagonal", snw_scene_diagonal(scene, i));
	}
}

/* The joints as a tree: children under their parents, in the order of their indices. */
static void print_joint_tree(const snw_call *call, const snw_skeleton *skeleton) {
	enum {
		DEEPEST = 40
	}; /* deeper joints are indented no further, so that a chain of thousands does not fill the terminal with blanks */
	const uint32_t count = skeleton->joint_count;
	uint32_t *first_child = SNW_NEW_ARRAY(call->arena, uint32_t, count + 1); /* [count]: the first root */
	uint32_t *next_sibling = SNW_NEW_ARRAY(call->arena, uint32_t, count);
	for (uint32_t i = 0; i <= count; i++) {
		first_child[i] = SNW_NONE;
	}
	for (uint32_t i = count; i-- > 0;) {
		uint32_t *first = &first_child[skeleton->parents[i] == SNW_NONE ? count : skeleton->parents[i]];
		next_sibling[i] = *first;
		*first = i;
	}
	int depth = 0;
	for (uint32_t joint = first_child[count]; joint != SNW_NONE;) {
		snw_say(call, "%*s%s", 2 + 2 * (depth < DEEPEST ? depth : DEEPEST), "", skeleton->names[joint]);
		if (first_child[joint] != SNW_NONE) {
			joint = first_child[joint];
			depth++;
			continue;
		}
		while (joint != SNW_NONE && next_sibling[joint] == SNW_NONE) {
			joint = skeleton->parents[joint];
			depth--;
		}
		joint = joint == SNW_NONE ? SNW_NONE : next_sibling[joint];
	}
}

static void print_skeleton(const snw_call *call, const snw_scene *scene) {
	const snw_skeleton *skeleton = &scene->skeleton;
	cJSON *list = snw_answer_list(call->answer, "joints");
	if (skeleton->joint_count) {
		snw_say(call, "skeleton  %u joint%s, %u slot%s", skeleton->joint_count, snw_plural(skeleton->joint_count),
				scene->slot_count, snw_plural(scene->slot_count));
		print_joint_tree(call, skeleton);
	}
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t parent = skeleton->parents[i];
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", skeleton->names[i]);
		snw_answer_text(row, "parent", parent == SNW_NONE ? NULL : skeleton->names[parent]);
	}
}

static void print_motion(const snw_call *call, const snw_scene *scene) {
	cJSON *list = snw_answer_list(call->answer, "clips");
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		snw_say(call, "clip      %s %.4g s, %u track%s", snw_padded(call, scene->clips[i].name, 20),
				scene->clips[i].duration_seconds, scene->clips[i].track_count, snw_plural(scene->clips[i].track_count));
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", scene->clips[i].name);
		snw_answer_number(row, "seconds", scene->clips[i].duration_seconds);
	}
	list = snw_answer_list(call->answer, "targets");
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		const char *clip = target->clip == SNW_NONE ? NULL : scene->clips[target->clip].name;
		snw_say(call, "%-9s %s %u %s%s of %s%s%s",
				clip             ? "target"
				: target->is_set ? "poses"
								 : "sequence",
				snw_padded(call, target->name, 20), target->frame_count, target->is_set ? "pose" : "frame",
				snw_plural(target->frame_count), scene->meshes[target->mesh].name, clip ? ", for clip " : "", clip ? clip : "");
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", target->name);
		snw_answer_text(row, "clip", clip);
		snw_answer_number(row, "frames", target->frame_count);
		snw_answer_bool(row, "in_order", !target->is_set);
	}
}

static void print_examples(const snw_call *call, const snw_scene *scene) {
	cJSON *list = snw_answer_list(call->answer, "examples");
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		snw_say(call, "example   %s pose %s, mesh %s%s", snw_padded(call, example->name, 20), scene->poses[example->pose].name,
				scene->meshes[example->mesh].name, example->muted ? " (muted)" : "");
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", example->name);
		snw_answer_text(row, "pose", scene->poses[example->pose].name);
		snw_answer_bool(row, "muted", example->muted);
	}
	list = snw_answer_list(call->answer, "groups");
	for (uint32_t i = 0; i < scene->group_count; i++) {
		snw_say(call, "group     %s %u example%s", snw_padded(call, scene->groups[i].name, 20), scene->groups[i].member_count,
				snw_plural(scene->groups[i].member_count));
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", scene->groups[i].name);
		snw_answer_number(row, "examples", scene->groups[i].member_count);
	}
}

/* "3 numbers", "a number", "a colour". */
static const char *field_kind(const snw_call *call, const snw_field *field) {
	return snw_field_is_color(field) ? "a colour"
		   : field->components == 1  ? "a number"
									 : snw_arena_format(call->arena, "%u numbers", field->components);
}

static void print_fields(const snw_call *call, const snw_scene *scene) {
	static const char *const singular[] = {"point", "face", "joint", "example", "frame"};
	cJSON *list = snw_answer_list(call->answer, "fields");
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		const char *mesh = field->mesh == SNW_NONE ? NULL : scene->meshes[field->mesh].name;
		const bool has_unit = field->unit && field->unit[0] && !snw_field_is_color(field);
		snw_say(call, "field     %s %s%s%s for each of %u %s%s%s%s", snw_padded(call, field->name, 20), field_kind(call, field),
				has_unit ? " in " : "", has_unit ? field->unit : "", field->count, singular[field->domain],
				snw_plural(field->count), mesh ? " of " : "", mesh ? mesh : "");
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", field->name);
		snw_answer_text(row, "mesh", mesh);
		snw_answer_text(row, "over", singular[field->domain]);
		snw_answer_number(row, "components", field->components);
		snw_answer_number(row, "count", field->count);
		snw_answer_text(row, "unit", field->unit ? field->unit : "");
	}
}

/* Mesh animations that the stack plays back as a skin. */
static void print_compression(const snw_call *call, const snw_scene *scene, const snw_stack *stack) {
	cJSON *list = snw_answer_list(call->answer, "compression");
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_compression c;
		if (!snw_compression_find(scene, stack, m, &c)) {
			continue;
		}
		const char *displacements = c.displacement_count
										? snw_arena_format(call->arena, " and %u displacement%s", c.displacement_count,
														   snw_plural(c.displacement_count))
										: "";
		snw_say(call, "skin      %s %u %s proxy joint%s%s for %u frame%s: %.1f times %s points and normals",
				snw_padded(call, scene->meshes[m].name, 20), c.proxy_count, c.rigid ? "rigid" : "affine",
				snw_plural(c.proxy_count), displacements, c.frame_count, snw_plural(c.frame_count),
				c.ratio >= 1 ? c.ratio : 1 / c.ratio, c.ratio >= 1 ? "smaller than" : "as large as");
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "mesh", scene->meshes[m].name);
		snw_answer_number(row, "proxy_joints", c.proxy_count);
		snw_answer_bool(row, "rigid", c.rigid);
		snw_answer_number(row, "displacements", c.displacement_count);
		snw_answer_number(row, "frames", c.frame_count);
		snw_answer_number(row, "ratio", c.ratio);
		snw_answer_number(row, "point_bytes", c.point_bytes);
	}
}

/* Lowest first. */
static void print_layers(const snw_call *call, const snw_opened *opened) {
	const snw_scene *scene = opened->scene;
	cJSON *list = snw_answer_list(call->answer, "stack");
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_layer *layer = &scene->layers[i];
		const char *stale = snw_opened_stale_text(call, opened, i);
		const char *bytes = layer->model == SNW_NONE
								? ""
								: snw_arena_format(call->arena, ", model of %zu bytes", scene->models[layer->model].byte_count);
		snw_say(call, "layer     %s %s %s%s%s%s", snw_padded(call, layer->name, 20), layer->deformer, layer->deformer_version,
				bytes, layer->muted ? " (muted)" : "", stale);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", layer->name);
		snw_answer_text(row, "deformer", layer->deformer);
		const snw_deformer *deformer = snw_registry_find(opened->registry, layer->deformer);
		if (layer->setting_count > 0) {
			snw_say(call, "          set to%s", snw_settings_text(call, deformer, layer));
		}
		snw_answer_settings(row, deformer, layer);
		if (layer->samples) {
			const snw_frame_choice frames = snw_samples_frames(layer->samples);
			const char *rule = snw_frame_choice_text(frames, call->arena);
			snw_say(call, "          fitted on %s%s%s", snw_samples_text(layer->samples, call->arena),
					frames.rule == SNW_FRAMES_ALL ? "" : ", frames ", frames.rule == SNW_FRAMES_ALL ? "" : rule);
			snw_answer_text(row, "fitted_on", snw_samples_text(layer->samples, call->arena));
			snw_answer_text(row, "frames", rule);
		}
		snw_answer_bool(row, "muted", layer->muted);
		snw_answer_bool(row, "stale", stale[0] != 0);
	}
}

/* What the layers lower to. */
static void print_segments(const snw_call *call, const snw_scene *scene, const snw_stack *stack) {
	cJSON *list = snw_answer_list(call->answer, "segments");
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info segment = snw_stack_segment(stack, m, s);
			snw_say(call, "segment   %s %s: %s%s%s", snw_padded(call, scene->meshes[m].name, 20),
					segment.is_program ? "skin program" : "black box", segment.layers, segment.reason ? "; " : "",
					segment.reason ? segment.reason : "");
			cJSON *row = snw_answer_row(list);
			snw_answer_text(row, "mesh", scene->meshes[m].name);
			snw_answer_text(row, "layers", segment.layers);
			snw_answer_bool(row, "program", segment.is_program);
			snw_answer_text(row, "reason", segment.reason);
		}
	}
}

/* A layer whose model does not match the character, as after a command that was killed before it could refit, is a fact to
 * show. Only what needs its points fails. */
static bool shows_without_stack(const snw_call *call, snw_status status) {
	return (status == SNW_ERROR_DATA || status == SNW_ERROR_MISSING) && !snw_layers_are_required() &&
		   !snw_call_option(call, "--bounds") && !snw_call_option(call, "--seams");
}

static snw_status print_stack(const snw_call *call, const snw_opened *opened, snw_error *error) {
	const snw_scene *scene = opened->scene;
	snw_stack *stack = NULL;
	const snw_stack_options options = {0};
	snw_status status = snw_stack_build(scene, opened->registry, &options, &call->task, &stack, error);
	if (snw_failed(status) && shows_without_stack(call, status)) {
		snw_say(call, "problem   %s", error->text);
		snw_answer_text(call->answer, "problem", error->text);
		*error = (snw_error){0};
		return SNW_OK;
	}
	if (snw_failed(status)) {
		return status;
	}
	print_compression(call, scene, stack);
	print_segments(call, scene, stack);
	status = snw_call_option(call, "--bounds") ? snw_info_bounds(call, scene, stack, error) : SNW_OK;
	if (!snw_failed(status) && snw_call_option(call, "--seams")) {
		status = snw_info_seams(call, scene, stack, error);
	}
	snw_stack_destroy(stack);
	return status;
}

static snw_status run_info(snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_status status =
		snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	print_summary(call, &opened);
	print_meshes(call, opened.scene);
	print_skeleton(call, opened.scene);
	print_motion(call, opened.scene);
	print_examples(call, opened.scene);
	print_fields(call, opened.scene);
	print_layers(call, &opened);
	status = print_stack(call, &opened, error);
	snw_opened_close(&opened);
	return status;
}

static const snw_option info_options[] = {
	{"--bounds", NULL, "also list the boxes of joints, of each clip, and of all poses"},
	{"--seams", NULL, "also list points at the same place whose skins differ, and how far poses pull them apart"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_info = {
	.name = "info",
	.usage = "P.sinew [--bounds] [--seams]",
	.help = "Shows what a project holds and how its stack runs.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = info_options,
	.run = run_info,
};
