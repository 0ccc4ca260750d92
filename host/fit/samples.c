/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/samples.h"

#include <math.h>
#include <string.h>

#include "fit/fit.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

#define EXAMPLES "examples"
#define POSES "\tposes"
enum { FRAMES_MARK = '\t' }; /* what a line about frames begins with */

/* Returns the length of the next line and advances past it. 0 at the end. */
static size_t next_line(const char **at, const char **line) {
	*line = *at;
	const size_t length = strcspn(*at, "\n");
	*at += length + ((*at)[length] == '\n');
	return length;
}

static bool has_line(const char *samples, const char *name) {
	const char *at = samples, *line;
	for (size_t length; (length = next_line(&at, &line)) > 0;) {
		if (strlen(name) == length && memcmp(name, line, length) == 0) {
			return true;
		}
	}
	return false;
}

/* Whether it selects by name; otherwise everything is selected. */
static bool has_names(const char *samples) {
	const char *at = samples ? samples : "", *line;
	while (next_line(&at, &line) > 0) {
		if (line[0] != FRAMES_MARK) {
			return true;
		}
	}
	return false;
}

bool snw_samples_have_examples(const char *samples) {
	return !has_names(samples) || has_line(samples, EXAMPLES);
}

snw_frame_choice snw_samples_frames(const char *samples) {
	const char *mark = samples ? strchr(samples, FRAMES_MARK) : NULL;
	snw_frame_choice choice = {0};
	return mark && !snw_failed(snw_frame_choice_parse(mark + 1, &choice, NULL)) ? choice : (snw_frame_choice){0};
}

bool snw_samples_are_poses(const char *samples) {
	return samples && has_line(samples, POSES);
}

bool snw_samples_have_clip(const char *samples, const char *clip) {
	return samples && has_line(samples, clip);
}

const char *snw_samples_of_poses(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena) {
	const char *samples = "";
	for (uint32_t i = 0; i < clip_count; i++) {
		samples = snw_arena_format(arena, "%s%s\n", samples, scene->clips[clips[i]].name);
	}
	return snw_arena_format(arena, "%s%s", samples, POSES);
}

const char *snw_samples_note(const char *samples, const char *key, uint32_t i, snw_arena *arena) {
	const char *at = samples ? samples : "", *line;
	const size_t key_length = strlen(key);
	for (size_t length; (length = next_line(&at, &line)) > 0;) {
		const bool has_key = line[0] == FRAMES_MARK && length > key_length + 1 && line[key_length + 1] == ' ' &&
							 memcmp(line + 1, key, key_length) == 0;
		if (has_key && i-- == 0) {
			return snw_arena_format(arena, "%.*s", (int)(length - key_length - 2), line + key_length + 2);
		}
	}
	return NULL;
}

const char *snw_samples_add_note(const char *samples, const char *key, const char *value, snw_arena *arena) {
	return snw_arena_format(arena, "%s\n%c%s %s", samples, FRAMES_MARK, key, value);
}

/* The lines of names: all but the last if that is about frames. */
static const char *names_of(const char *samples, snw_arena *arena) {
	const char *mark = samples ? strchr(samples, FRAMES_MARK) : NULL;
	const size_t length = mark == NULL ? (samples ? strlen(samples) : 0) : mark > samples ? (size_t)(mark - samples) - 1 : 0;
	return snw_arena_format(arena, "%.*s", (int)length, samples ? samples : "");
}

const char *snw_samples_with_frames(const char *samples, snw_frame_choice choice, snw_arena *arena) {
	const char *names = names_of(samples, arena);
	if (choice.rule == SNW_FRAMES_ALL) {
		return *names ? names : NULL;
	}
	return snw_arena_format(arena, "%s%s%c%s", names, *names ? "\n" : "", FRAMES_MARK, snw_frame_choice_text(choice, arena));
}

const char *snw_samples_with_names(const char *samples, const char *names, snw_arena *arena) {
	const char *combined = snw_samples_with_frames(names, snw_samples_frames(samples), arena);
	return combined ? combined : "";
}

bool snw_samples_include_examples(uint32_t needs, const char *samples) {
	return (needs & SNW_NEEDS_EXAMPLES) || ((needs & SNW_NEEDS_SAMPLES) && snw_samples_have_examples(samples));
}

const char *snw_samples_target_name(const snw_scene *scene, const snw_target *target) {
	const uint32_t clip = snw_target_clip(scene, target);
	return clip == SNW_NONE ? target->name : scene->clips[clip].name;
}

bool snw_samples_have_target(const snw_scene *scene, const char *samples, const snw_target *target) {
	return !has_names(samples) || has_line(samples, snw_samples_target_name(scene, target));
}

bool snw_samples_can_have_target(uint32_t needs, const snw_target *target) {
	const uint32_t of_kind = target->clip == SNW_NONE ? SNW_NEEDS_SEQUENCE : SNW_NEEDS_TARGETS;
	return needs & (of_kind | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES);
}

bool snw_samples_hold_out(const snw_scene *scene, const snw_registry *registry, const snw_target *target) {
	bool is_left_out = false, is_read = false;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_layer *layer = &scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
		if (deformer && layer->model != SNW_NONE && !layer->muted &&
			snw_samples_can_have_target(deformer->descriptor->needs, target)) {
			const bool has = snw_samples_have_target(scene, layer->samples, target);
			is_read = is_read || has;
			is_left_out = is_left_out || !has;
		}
	}
	return is_left_out && !is_read;
}

/* ---- checking ------------------------------------------------------------------------------------------------------------ */

static bool can_read(const snw_scene *scene, const snw_descriptor *descriptor, const char *line, size_t length) {
	if (length == strlen(EXAMPLES) && memcmp(line, EXAMPLES, length) == 0) {
		return (descriptor->needs & SNW_NEEDS_SAMPLES) && snw_scene_active_example_count(scene) > 0;
	}
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const char *name = snw_samples_target_name(scene, &scene->targets[t]);
		if (snw_samples_can_have_target(descriptor->needs, &scene->targets[t]) && strlen(name) == length &&
			memcmp(name, line, length) == 0) {
			return true;
		}
	}
	return false;
}

snw_status snw_samples_check(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples, snw_error *error) {
	const uint32_t frames = SNW_NEEDS_SEQUENCE | SNW_NEEDS_TARGETS | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES;
	if (samples && !(descriptor->needs & frames)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s reads no clips; remove --clip and --frames, and mute an example to hold it out",
						descriptor->short_name);
	}
	const char *at = samples ? samples : "", *line;
	for (size_t length; (length = next_line(&at, &line)) > 0;) {
		if (line[0] != FRAMES_MARK && !can_read(scene, descriptor, line, length)) {
			return snw_fail(
				error, SNW_ERROR_ARGUMENT,
				"%s cannot be fitted to '%.*s': no sequence or clip with a target has that name; 'sinew info' lists them, "
				"'sinew fit --clip all' selects all",
				descriptor->short_name, (int)length, line);
		}
	}
	return SNW_OK;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* The samples of the layer that made a field. Fields are named "LAYER.NAME"; layer names may contain dots. */
static const char *samples_of_field(const snw_scene *scene, const snw_field *field) {
	const char *samples = NULL;
	size_t longest = 0;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const char *name = scene->layers[i].name;
		const size_t length = strlen(name);
		if (length > longest && strncmp(field->name, name, length) == 0 && field->name[length] == '.') {
			longest = length;
			samples = scene->layers[i].samples;
		}
	}
	return samples;
}

uint32_t snw_samples_first_frame(const snw_scene *scene, const snw_field *field, uint32_t target) {
	const char *samples = samples_of_field(scene, field);
	if (snw_samples_frames(samples).rule != SNW_FRAMES_ALL) {
		return SNW_NONE; /* its values are those of some frames alone */
	}
	uint64_t count = 0, first = SNW_NONE;
	for (int of_clips = 0; of_clips < 2; of_clips++) { /* sequences come first */
		for (uint32_t t = 0; t < scene->target_count; t++) {
			if ((scene->targets[t].clip != SNW_NONE) == of_clips &&
				snw_samples_have_target(scene, samples, &scene->targets[t])) {
				first = t == target ? count : first;
				count += scene->targets[t].frame_count;
			}
		}
	}
	return count == field->count ? (uint32_t)first : SNW_NONE;
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* The length of the longest clip name at the start of `text` that ends at a comma or the end; otherwise up to the next
 * comma. */
static size_t name_length(const snw_scene *scene, const char *text) {
	size_t longest = strcspn(text, ",");
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const char *name = snw_samples_target_name(scene, &scene->targets[t]);
		const size_t length = strlen(name);
		if (length > longest && strncmp(text, name, length) == 0 && (text[length] == ',' || text[length] == 0)) {
			longest = length;
		}
	}
	return longest;
}

const char *snw_samples_parse(const snw_scene *scene, const char *text, snw_arena *arena) {
	const char *samples = "";
	while (*text) {
		const size_t length = name_length(scene, text);
		if (length > 0) {
			samples = snw_arena_format(arena, "%s%s%.*s", samples, *samples ? "\n" : "", (int)length, text);
		}
		text += length + (text[length] == ',');
	}
	return samples;
}

const char *snw_samples_text(const char *samples, snw_arena *arena) {
	char *text = snw_arena_text(arena, names_of(samples, arena));
	if (!*text) {
		return "all";
	}
	for (char *at = strchr(text, '\n'); at; at = strchr(at, '\n')) {
		*at = ',';
	}
	return text;
}

/* ---- sculpt reference ---------------------------------------------------------------------------------------------------- */

uint32_t snw_reference_layer(const snw_scene *scene, const snw_registry *registry) {
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		if (deformer && deformer->descriptor->needs & SNW_NEEDS_EXAMPLES && !scene->layers[i].muted) {
			return i;
		}
	}
	return SNW_NONE;
}

static snw_status borrow_reference(const snw_scene *scene, const snw_registry *registry, const snw_stack **stack,
								   snw_error *error) {
	const uint32_t layer = snw_reference_layer(scene, registry);
	const snw_stack_options options = {.only_below = true, .below_layer = layer == SNW_NONE ? scene->layer_count : layer};
	return snw_stack_borrow(scene, registry, &options, NULL, stack, error);
}

/* The topmost blend in use that was fitted; SNW_NONE if there is none. */
static uint32_t learned_blend(const snw_scene *scene, const snw_registry *registry) {
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
		if (!scene->layers[i].muted && traits & SNW_REPLACES_BLEND && !(traits & SNW_BINDS)) {
			return i;
		}
	}
	return SNW_NONE;
}

/* What the unedited points of examples follow. Without a corrective, a learned blend does not count, because its fit does not
 * count it either: it follows the blend that it replaces, and errors before and after the fit can be compared. */
static snw_status borrow_below_examples(const snw_scene *scene, const snw_registry *registry, const snw_stack **stack,
										snw_error *error) {
	const uint32_t learned = snw_reference_layer(scene, registry) == SNW_NONE ? learned_blend(scene, registry) : SNW_NONE;
	return learned == SNW_NONE
			   ? borrow_reference(scene, registry, stack, error)
			   : snw_fit_below_borrow(scene, registry, snw_registry_find(registry, scene->layers[learned].deformer), learned,
									  NULL, stack, error);
}

static snw_status pose_mesh(const snw_stack *stack, snw_evaluation *evaluation, const snw_scene *scene, uint32_t mesh,
							const snw_pose *pose, double *points, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, pose, scratch), evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, points, error);
	snw_arena_destroy(scratch);
	return snw_failed(status) ? status : SNW_OK;
}

snw_status snw_reference_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, uint32_t pose_count,
								const snw_pose *const *poses, double *const *points, snw_error *error) {
	const snw_stack *stack = NULL;
	snw_status status = borrow_reference(scene, registry, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	for (uint32_t i = 0; !snw_failed(status) && i < pose_count; i++) {
		status = pose_mesh(stack, evaluation, scene, mesh, poses[i], points[i], error);
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_give_back(stack);
	return status;
}

void snw_example_find_edited(snw_example *example, uint32_t point_count, const double *below, double tolerance,
							 snw_arena *arena) {
	uint32_t *edited = SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 1), count = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		const double *point = example->points_posed + 3 * (size_t)i, *before = below + 3 * (size_t)i;
		if (fabs(point[0] - before[0]) > tolerance || fabs(point[1] - before[1]) > tolerance ||
			fabs(point[2] - before[2]) > tolerance) {
			edited[count++] = i;
		}
	}
	example->edited = count < point_count ? edited : NULL;
	example->edited_count = example->edited ? count : 0;
}

snw_status snw_examples_place_unedited(snw_scene *scene, const snw_registry *registry, snw_error *error) {
	const snw_stack *stack = NULL;
	snw_evaluation *evaluation = NULL;
	snw_example *examples = (snw_example *)(uintptr_t)scene->examples; /* in the scene's arena */
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->example_count; i++) {
		snw_example *example = &examples[i];
		const uint32_t count = scene->meshes[example->mesh].point_count;
		if (!example->edited) {
			continue;
		}
		if (!stack) {
			status = borrow_below_examples(scene, registry, &stack, error);
			evaluation = !snw_failed(status) ? snw_evaluation_create_reference(stack) : NULL;
		}
		double *points = snw_arena_array(scene->arena, count, 3 * sizeof *points);
		status = snw_failed(status)
					 ? status
					 : pose_mesh(stack, evaluation, scene, example->mesh, &scene->poses[example->pose], points, error);
		if (!snw_failed(status)) {
			snw_example_apply_edited(example, count, points);
			example->points_posed = points;
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_give_back(stack);
	return status;
}

uint32_t snw_sculpt_example(const snw_scene *scene, uint32_t mesh, const snw_pose *pose) {
	uint32_t found = SNW_NONE;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_pose *other = &scene->poses[scene->examples[i].pose];
		if (scene->examples[i].mesh != mesh) {
			continue;
		}
		if (pose->id != 0 && other->id == pose->id) {
			return i;
		}
		found = found == SNW_NONE && snw_pose_is_same(scene, other, pose) ? i : found;
	}
	return found;
}

/* ---- the start of a sculpt ----------------------------------------------------------------------------------------------- */

static snw_status pose_by_stack(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
								uint32_t mesh, const snw_pose_view *pose, double *points, snw_error *error) {
	const snw_stack *stack = NULL;
	snw_status status = snw_stack_borrow(scene, registry, options, NULL, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	status = snw_stack_drive(stack, pose, evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, points, error);
	snw_evaluation_destroy(evaluation);
	snw_stack_give_back(stack);
	return snw_failed(status) ? status : SNW_OK;
}

snw_status snw_sculpt_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
							 uint32_t example, uint32_t corrective, snw_arena *arena, double **points, double **original,
							 snw_error *error) {
	const uint32_t count = scene->meshes[mesh].point_count;
	const snw_pose_view *view = snw_pose_view_make(scene, pose, arena);
	const snw_stack_options below = {.only_below = true,
									 .below_layer = corrective == SNW_NONE ? scene->layer_count : corrective};
	double *values = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count), *base = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	snw_status status = pose_by_stack(scene, registry, &below, mesh, view, base, error);
	if (!snw_failed(status) && example == SNW_NONE && corrective != SNW_NONE) {
		status = pose_by_stack(scene, registry, &(snw_stack_options){0}, mesh, view, values, error);
	} else if (!snw_failed(status)) {
		memcpy(values, base, 3 * (size_t)count * sizeof *values);
		if (example != SNW_NONE) {
			snw_example_apply_edited(&scene->examples[example], count, values);
		}
	}
	if (!snw_failed(status)) {
		*points = values;
		*original = base;
	}
	return status;
}

/* ---- morph shape --------------------------------------------------------------------------------------------------------- */

/* The blended matrix of a point; the identity for a point that no joint moves. `palette` NULL: the rest. */
static void find_morph_matrix(const snw_mesh *mesh, uint32_t point, const double *palette, double matrix[12]) {
	const bool is_moved =
		palette && mesh->influence_offsets && mesh->influence_offsets[point] < mesh->influence_offsets[point + 1];
	snw_mat34_identity(matrix);
	if (!is_moved) {
		return;
	}
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		const double *slot = palette + 12 * (size_t)mesh->influence_slots[i];
		for (int k = 0; k < 12; k++) {
			matrix[k] += mesh->influence_weights[i] * slot[k];
		}
	}
}

static const double *find_morph_palette(const snw_scene *scene, const snw_pose *pose, snw_arena *arena) {
	return pose ? snw_pose_view_make(scene, pose, arena)->palette : NULL;
}

static void morph_to_rest(const snw_mesh *mesh, const double *palette, double *points) {
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		double matrix[12];
		find_morph_matrix(mesh, p, palette, matrix);
		snw_mat34_point(matrix, mesh->points_rest + 3 * (size_t)p, points + 3 * (size_t)p);
	}
}

/* From one pose to another: R' Rᵀ v. */
static void rotate_between_poses(const double from[9], const double to[9], const double vector[3], double dest[3]) {
	double at_rest[3];
	for (int r = 0; r < 3; r++) {
		at_rest[r] = from[r] * vector[0] + from[3 + r] * vector[1] + from[6 + r] * vector[2];
	}
	for (int r = 0; r < 3; r++) {
		dest[r] = snw_dot3(to + 3 * (size_t)r, at_rest);
	}
}

static snw_status morph_to_example(const snw_scene *scene, const snw_registry *registry, uint32_t example,
								   const double *palette, snw_arena *arena, double *points, snw_error *error) {
	const snw_example *source = &scene->examples[example];
	const snw_mesh *mesh = &scene->meshes[source->mesh];
	const snw_pose *pose = &scene->poses[source->pose];
	const double *example_palette = find_morph_palette(scene, pose, arena);
	double *sculpted, *below;
	const snw_status status = snw_sculpt_points(scene, registry, source->mesh, pose, example,
												snw_reference_layer(scene, registry), arena, &sculpted, &below, error);
	for (uint32_t p = 0; p < mesh->point_count && !snw_failed(status); p++) {
		double displacement[3], rotated[3], matrix[12], from[9], to[9];
		bool is_sculpted = false;
		for (size_t c = 0; c < 3; c++) {
			displacement[c] = sculpted[3 * (size_t)p + c] - below[3 * (size_t)p + c];
			is_sculpted = is_sculpted || displacement[c] != 0;
		}
		if (!is_sculpted) {
			continue;
		}
		find_morph_matrix(mesh, p, example_palette, matrix);
		snw_mat34_rotation(matrix, from);
		find_morph_matrix(mesh, p, palette, matrix);
		snw_mat34_rotation(matrix, to);
		rotate_between_poses(from, to, displacement, rotated);
		for (size_t c = 0; c < 3; c++) {
			points[3 * (size_t)p + c] += rotated[c];
		}
	}
	return status;
}

snw_status snw_morph_shape(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
						   snw_morph_kind kind, uint32_t example, const double *below, snw_arena *arena, double **points,
						   snw_error *error) {
	const double *palette = find_morph_palette(scene, pose, arena);
	*points = snw_arena_copy(arena, below, 3 * (size_t)scene->meshes[mesh].point_count * sizeof *below);
	if (kind == SNW_MORPH_REST) {
		morph_to_rest(&scene->meshes[mesh], palette, *points);
	} else if (kind == SNW_MORPH_EXAMPLE && example < scene->example_count && scene->examples[example].mesh == mesh) {
		return morph_to_example(scene, registry, example, palette, arena, *points, error);
	}
	return SNW_OK;
}
