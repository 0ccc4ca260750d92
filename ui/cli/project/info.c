/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew info: a summary, then the contents of the project and how its stack runs.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/command_line/verb.h"
#include "fit/samples.h"
#include "isolation/isolated_deformer.h"
#include "measure/measure.h"
#include "scene/scene.h"
#include "stack/stack.h"

/* ---- info bounds --------------------------------------------------------------------------------------------------------- */

/* sinew info --bounds.
 *
 * Boxes of each mesh: of its joints, its clips and all poses, in metres. What is not a linear blend of joints has no boxes
 * of joints, and a black box none of all poses, because it is not known where other poses take it. */

static void put_numbers(cJSON *row, const char *name, const double values[3]) {
	if (row) {
		cJSON_AddItemToObject(row, name, cJSON_CreateDoubleArray(values, 3));
	}
}

/* `label` names it in a line, `row` (NULL without --json) gets it. */
static void print_box(const snw_call *call, const char *kind, const char *label, const snw_box *box, cJSON *row) {
	snw_say(call, "%-9s %s %.4g %.4g %.4g to %.4g %.4g %.4g", kind, snw_padded(call, label, 30), box->lower[0], box->lower[1],
			box->lower[2], box->upper[0], box->upper[1], box->upper[2]);
	put_numbers(row, "min", box->lower);
	put_numbers(row, "max", box->upper);
}

/* What displacements add to a box, for a coefficient of 1. */
static void print_additions(const snw_call *call, const snw_program *program, const snw_slot_boxes *boxes,
							const snw_slot_box *one, cJSON *row) {
	const char *const *names = program->rest.names;
	if (one->addition_begin == one->addition_end) {
		return;
	}
	print_box(call, "", "without displacements", &one->plain, row ? cJSON_AddObjectToObject(row, "rest") : NULL);
	cJSON *list = snw_answer_list(row, "displacements");
	for (uint32_t a = one->addition_begin; a < one->addition_end; a++) {
		const snw_slot_box_addition *addition = &boxes->additions[a];
		const char *known = names ? names[addition->displacement] : NULL;
		const char *name = known ? known : snw_arena_format(call->arena, "displacement %u", addition->displacement + 1);
		cJSON *added = snw_answer_row(list);
		snw_answer_text(added, "name", name);
		print_box(call, "", snw_arena_format(call->arena, "1 of %s adds", name), &addition->box, added);
	}
}

static void print_joints(const snw_call *call, const snw_scene *scene, const snw_program *program, const snw_slot_boxes *boxes,
						 cJSON *row) {
	cJSON *list = snw_answer_list(row, "joints");
	for (uint32_t i = 0; i < boxes->count; i++) {
		const snw_slot_box *one = &boxes->list[i];
		const char *name = scene->skeleton.names[scene->slot_joints[one->slot]];
		const char *other = scene->skeleton.names[scene->slot_joints[one->other]];
		const bool is_pair = one->other != one->slot;
		const char *label = is_pair ? snw_arena_format(call->arena, "%s, %g of %s", name, one->share, other) : name;
		cJSON *joint = snw_answer_row(list);
		snw_answer_text(joint, "joint", name);
		if (is_pair) {
			snw_answer_text(joint, "other", other);
			snw_answer_number(joint, "share", one->share);
		}
		print_box(call, "box", label, &one->box, joint);
		print_additions(call, program, boxes, one, joint);
	}
}

/* The program whose palette is the joints', of a mesh with no other; NULL without. */
static const snw_program *program_of_joints(const snw_stack *stack, uint32_t mesh) {
	const uint32_t count = snw_stack_segment_count(stack, mesh);
	const snw_segment_info only = count == 1 ? snw_stack_segment(stack, mesh, 0) : (snw_segment_info){0};
	return only.is_program && !only.has_palette && only.program->posed.count == 0 ? only.program : NULL;
}

static void print_mesh_bounds(const snw_call *call, const snw_scene *scene, const snw_stack *stack,
							  const snw_motion_bounds *bounds, uint32_t m, cJSON *row) {
	const snw_program *program = program_of_joints(stack, m);
	const snw_coefficient_samples samples = {bounds->sample_count, bounds->d, bounds->ranges};
	const snw_slot_boxes boxes = program ? snw_slot_boxes_make(program, &samples, call->arena) : (snw_slot_boxes){0};
	snw_box all = bounds->poses[m];
	const bool is_of_poses = !snw_box_is_empty(&all);
	const char *name = scene->meshes[m].name;
	snw_say(call, "bounds    %s %s", snw_padded(call, name, 20),
			boxes.count > 0
				? "boxes of the points that joints move, at rest, then boxes of the mesh over the clips"
				: "boxes of the mesh over the clips; its joints have none, because its stack is not a linear blend of them");
	snw_answer_text(row, "mesh", name);
	snw_answer_bool(row, "sampled", !bounds->are_whole[m]);
	print_joints(call, scene, program, &boxes, row);
	cJSON *list = snw_answer_list(row, "clips");
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		const snw_box *box = &bounds->clips[m][c];
		if (!snw_box_is_empty(box)) {
			cJSON *clip = snw_answer_row(list);
			snw_answer_text(clip, "name", scene->clips[c].name);
			print_box(call, "clip", scene->clips[c].name, box, clip);
			snw_box_add_box(&all, box);
		}
	}
	if (!snw_box_is_empty(&all)) {
		print_box(call, "box", is_of_poses ? "all poses" : "all clips", &all,
				  row ? cJSON_AddObjectToObject(row, is_of_poses ? "all_poses" : "all_clips") : NULL);
	}
}

static snw_status info_bounds(const snw_call *call, const snw_scene *scene, const snw_stack *stack, snw_error *error) {
	snw_motion_bounds bounds;
	snw_error failure = {0};
	const snw_status status = snw_motion_bounds_make(scene, stack, SNW_NONE, &call->task, call->arena, &bounds, &failure);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", failure.text);
	}
	if (snw_failed(status)) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "the bounds are left out: %s", failure.text);
		return SNW_OK;
	}
	cJSON *list = snw_answer_list(call->answer, "bounds");
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		print_mesh_bounds(call, scene, stack, &bounds, m, snw_answer_row(list));
	}
	return SNW_OK;
}

/* ---- info seams ---------------------------------------------------------------------------------------------------------- */

/* sinew info --seams.
 *
 * Points at the same place that poses pull apart, in percent of the diagonal. */

static void say_left_out(const snw_call *call, const snw_scene *scene, const snw_seams *seams) {
	cJSON *list = snw_answer_list(call->answer, "seams_left_out");
	for (uint32_t i = 0; i < seams->left_out_count; i++) {
		const char *mesh = scene->meshes[seams->left_out[i].mesh].name;
		snw_say(call, "seam      %s is left out: %s", mesh, seams->left_out[i].reason);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "mesh", mesh);
		snw_answer_text(row, "reason", seams->left_out[i].reason);
	}
	if (seams->count == 0 && seams->left_out_count < scene->mesh_count) {
		snw_say(call, "seam      none: no two points%s are at the same place",
				seams->left_out_count > 0 ? " of the other meshes" : "");
	}
}

static snw_status info_seams(const snw_call *call, const snw_scene *scene, const snw_stack *stack, snw_error *error) {
	const double diagonal = snw_scene_diagonal(scene, SNW_NONE), percent = diagonal > 0 ? 100 / diagonal : 0;
	cJSON *list = snw_answer_list(call->answer, "seams");
	if (diagonal == 0) {
		snw_say(call, "seam      none: all points are at one place, so there is no diagonal to measure by");
		return SNW_OK;
	}
	snw_seams seams;
	const snw_status status = snw_seams_measure(scene, stack, &call->task, call->arena, &seams, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < seams.count; i++) {
		const snw_seam *seam = &seams.list[i];
		const char *a = scene->meshes[seam->meshes[0]].name, *b = scene->meshes[seam->meshes[1]].name;
		snw_say(call, "seam      %s and %s: %u pair%s of points at the same place, %u move apart", a, b, seam->pair_count,
				snw_plural(seam->pair_count), seam->opening_count);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "mesh", a);
		snw_answer_text(row, "other", b);
		snw_answer_number(row, "pairs", seam->pair_count);
		snw_answer_number(row, "opening", seam->opening_count);
		if (seam->opening_count > 0) {
			snw_say(call,
					"          points %u and %u by %.4f %% of the diagonal over %u poses, %.4f %% with joints shuffled, at "
					"most %.4f %%",
					seam->points[0], seam->points[1], percent * seam->clips, seams.pose_count, percent * seam->shuffled,
					percent * seam->bound);
			snw_answer_number(row, "point", seam->points[0]);
			snw_answer_number(row, "other_point", seam->points[1]);
			snw_answer_number(row, "clips_percent", percent * seam->clips);
			snw_answer_number(row, "shuffled_percent", percent * seam->shuffled);
			snw_answer_number(row, "bound_percent", percent * seam->bound);
		}
	}
	say_left_out(call, scene, &seams);
	return SNW_OK;
}

/* ---- info ---------------------------------------------------------------------------------------------------------------- */

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
	status = snw_call_option(call, "--bounds") ? info_bounds(call, scene, stack, error) : SNW_OK;
	if (!snw_failed(status) && snw_call_option(call, "--seams")) {
		status = info_seams(call, scene, stack, error);
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
	.part = SNW_VERB_SHOWS,
	.usage = "P.sinew [--bounds] [--seams]",
	.help = "Shows what a project holds and how its stack runs.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = info_options,
	.run = run_info,
};
