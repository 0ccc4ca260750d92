/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Builds a stack: chooses the layers, prepares each, assigns their coefficients, and merges them.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "file/file.h"
#include "isolation/isolated_deformer.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "stack/stack_internal.h"

/* ---- build --------------------------------------------------------------------------------------------------------------- */

/* Collects the descriptions of the models of a stack. */

snw_status snw_stack_describe(const snw_stack *stack, snw_arena *arena, snw_stack_description **descriptions, uint32_t *count,
							  snw_error *error) {
	snw_stack_description *found = SNW_NEW_ARRAY(arena, snw_stack_description, stack->layer_count);
	uint32_t found_count = 0;
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		const stack_layer *layer = &stack->layers[i];
		if (!layer->deformer->describe) {
			continue;
		}
		snw_memory_sink sink;
		snw_memory_sink_open(&sink);
		const snw_thread_call previous = snw_thread_enter(stack_call_of(layer, SNW_ROLE_OWNER, "describe"));
		snw_thread_function("describe");
		snw_status status = snw_deny_caveat(layer->deformer->describe(layer->model, layer->values, &sink.sink));
		snw_thread_leave(previous);
		status = snw_failed(status) ? status : snw_memory_sink_write(&sink, "", 1);
		if (snw_failed(status)) {
			snw_memory_sink_close(&sink);
			return stack_layer_fail(layer, status, error, "failed in describe: %s",
									snw_services_failure(stack->services, status));
		}
		found[found_count++] = (snw_stack_description){
			.layer = snw_arena_text(arena, layer->name),
			.deformer = snw_arena_text(arena, layer->deformer->descriptor->id),
			.deformer_version = snw_arena_text(arena, layer->deformer->descriptor->version),
			.json = snw_arena_copy(arena, sink.bytes, sink.count),
		};
		snw_memory_sink_close(&sink);
	}
	*descriptions = found;
	*count = found_count;
	return SNW_OK;
}

static bool blends(const snw_registry *registry, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	return deformer && deformer->descriptor->traits & SNW_REPLACES_BLEND;
}

uint32_t snw_replaced_blend(const snw_scene *scene, const snw_registry *registry, uint32_t layer) {
	uint32_t found = SNW_NONE;
	if (scene->layers[layer].muted || snw_registry_find(registry, scene->layers[layer].deformer)) {
		return SNW_NONE;
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (blends(registry, &scene->layers[i]) && !scene->layers[i].muted) {
			return SNW_NONE;
		}
		found = i < layer && blends(registry, &scene->layers[i]) ? i : found;
	}
	return found;
}

/* ---- choosing layers ----------------------------------------------------------------------------------------------------- */

/* The layer of that name, otherwise the topmost one of that method. SNW_NONE if there is none. */
static uint32_t find_layer(const snw_scene *scene, const snw_registry *registry, const char *method) {
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (strcmp(scene->layers[i].name, method) == 0) {
			return i;
		}
	}
	const snw_deformer *deformer = snw_registry_find(registry, method);
	const char *id = deformer ? deformer->descriptor->id : method;
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		if (strcmp(scene->layers[i].deformer, id) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

static snw_status unknown_method(const snw_scene *scene, const snw_registry *registry, const char *method, snw_error *error) {
	if (strcmp(method, "source") == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"'source' is the ground truth, not the result of a stack; name a method or layer here");
	}
	char names[700] = "source, stack";
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, ", %s", scene->layers[i].name);
	}
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (deformer && find_layer(scene, registry, deformer->descriptor->short_name) == SNW_NONE) {
			const size_t used = strlen(names);
			snprintf(names + used, sizeof names - used, ", %s", deformer->descriptor->short_name);
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING, "no such method or layer '%s'; choose one of: %s", method, names);
}

/* ---- preparing layers ---------------------------------------------------------------------------------------------------- */

static const stack_layer *find_prepared(const snw_stack *built, const snw_layer *layer) {
	for (uint32_t i = 0; built && i < built->layer_count; i++) {
		const stack_layer *prepared = &built->layers[i];
		if (!prepared->is_trial && !prepared->is_kept && strcmp(prepared->name, layer->name) == 0) {
			return prepared;
		}
	}
	return NULL;
}

static snw_status add_layer(snw_stack *stack, const snw_deformer *deformer, const snw_layer *layer, snw_error *error) {
	const stack_layer *prepared = find_prepared(stack->built, layer);
	if (prepared) {
		stack_layer_share(stack, prepared, &stack->layers[stack->layer_count++]);
		return SNW_OK;
	}
	const snw_status status = stack_layer_prepare(stack, deformer, layer, &stack->layers[stack->layer_count], error);
	if (!snw_failed(status)) {
		stack->layer_count++;
	}
	return status;
}

/* " (FILE: why)" if files were refused, one of which may be the plug-in; "" for none. */
static const char *refusals(const snw_registry *registry, snw_arena *arena) {
	const snw_plugin_info *refused = NULL;
	uint32_t count = 0;
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_plugin_info *info = snw_registry_get(registry, i);
		count += info->reason != NULL;
		refused = info->reason ? info : refused;
	}
	return count == 0   ? ""
		   : count == 1 ? snw_arena_format(arena, " (%s was refused: %s)", snw_path_name(refused->path), refused->reason)
						: snw_arena_format(arena, " (%u files were refused: 'sinew plugins' says why)", count);
}

static snw_status require(const snw_layer *layer, const snw_registry *registry, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_status status =
		snw_fail(error, SNW_ERROR_MISSING,
				 "layer '%s' cannot be left out: its plug-in %s is missing%s; install it, mute the layer, or go on without "
				 "--strict",
				 layer->name, layer->deformer, refusals(registry, scratch));
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_stack_check_required(const snw_scene *scene, const snw_registry *registry, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < scene->layer_count && snw_layers_are_required() && !snw_failed(status); i++) {
		const snw_layer *layer = &scene->layers[i];
		status = layer->muted || snw_registry_find(registry, layer->deformer) ? SNW_OK : require(layer, registry, error);
	}
	return status;
}

static snw_status leave_out_missing(const snw_stack *stack, const snw_registry *registry, uint32_t index, snw_error *error) {
	const snw_layer *layer = &stack->scene->layers[index];
	if (snw_layers_are_required()) {
		return require(layer, registry, error);
	}
	snw_left_out_add(layer->name, layer->deformer,
					 snw_arena_format(stack->arena, "the plug-in is missing%s", refusals(registry, stack->arena)));
	const uint32_t replaced = snw_replaced_blend(stack->scene, registry, index);
	const char *blend = replaced == SNW_NONE ? NULL : stack->scene->layers[replaced].name;
	snw_task_notice(&stack->task, SNW_LOG_WARNING,
					"layer '%s' is left out: its plug-in %s %s is missing%s; its model is kept%s", layer->name, layer->deformer,
					layer->deformer_version ? layer->deformer_version : "", refusals(registry, stack->arena),
					!blend ? ""
						   : snw_arena_format(stack->arena,
											  "; it replaced '%s', which is muted, so nothing follows the joints: unmute that "
											  "in the window, or with 'sinew stack P.sinew unmute %s'",
											  blend, blend));
	return SNW_OK;
}

/* Adds layers [0, limit) of the scene. `wanted` (SNW_NONE for none) is added even if muted; it fails if its plug-in is
 * missing. */
static snw_status add_scene_layers(snw_stack *stack, const snw_registry *registry, uint32_t limit, uint32_t wanted,
								   snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < limit; i++) {
		const snw_layer *layer = &stack->scene->layers[i];
		if (layer->muted && i != wanted) {
			snw_task_notice(&stack->task, SNW_LOG_DEBUG, "layer '%s' is muted and left out", layer->name);
			continue;
		}
		if (!snw_task_progress(&stack->task, (double)i / limit, "building the stack")) {
			return snw_fail(error, SNW_CANCELLED, "cancelled");
		}
		const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
		const char *problem =
			deformer && i != wanted ? snw_plugin_fault_leaves_out(deformer->descriptor->short_name, layer->name) : NULL;
		if (deformer && !snw_layer_is_active(stack->scene, deformer->descriptor)) {
			snw_task_notice(&stack->task, SNW_LOG_DEBUG, "layer '%s' has only muted examples and is left out", layer->name);
		} else if (problem) {
			snw_left_out_add(layer->name, deformer->descriptor->short_name, problem);
			snw_task_notice(&stack->task, SNW_LOG_DEBUG, "layer '%s' is left out: its plug-in has failed", layer->name);
		} else if (deformer) {
			status = add_layer(stack, deformer, layer, error);
		} else if (i == wanted) {
			status = snw_fail(error, SNW_ERROR_MISSING,
							  "layer '%s' needs the plug-in %s, which is missing; add its folder to $SINEW_PLUGIN_PATH, or "
							  "run 'sinew plugins' to see why it was rejected",
							  layer->name, layer->deformer);
		} else {
			status = leave_out_missing(stack, registry, i, error);
		}
	}
	return status;
}

static uint32_t find_base_blend(const snw_stack *stack) {
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		if (!stack->layers[i].is_kept && stack_layer_blends(&stack->layers[i], stack->scene->mesh_count)) {
			return i;
		}
	}
	return SNW_NONE;
}

/* Adds a method that no layer has. A blend replaces the lowest blend and all layers above it. */
static snw_status add_method(snw_stack *stack, const snw_deformer *deformer, snw_error *error) {
	stack_layer added;
	const snw_status status = stack_layer_prepare(stack, deformer, NULL, &added, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t base = stack_layer_blends(&added, stack->scene->mesh_count) ? find_base_blend(stack) : SNW_NONE;
	while (base != SNW_NONE && stack->layer_count > base) {
		stack_layer_release(&stack->layers[--stack->layer_count]);
	}
	stack->layers[stack->layer_count++] = added;
	return SNW_OK;
}

static snw_status choose_layers(snw_stack *stack, const snw_registry *registry, const snw_stack_options *options,
								snw_error *error) {
	const snw_scene *scene = stack->scene;
	stack->layers = SNW_NEW_ARRAY(stack->arena, stack_layer, (size_t)scene->layer_count + 1);
	if (options && options->only_below) {
		const uint32_t limit = options->below_layer < scene->layer_count ? options->below_layer : scene->layer_count;
		return add_scene_layers(stack, registry, limit, SNW_NONE, error);
	}
	const uint32_t top = options && options->method ? find_layer(scene, registry, options->method) : SNW_NONE;
	const bool is_whole = !options || !options->method || (top == SNW_NONE && strcmp(options->method, "stack") == 0);
	if (is_whole) {
		return add_scene_layers(stack, registry, scene->layer_count, SNW_NONE, error);
	}
	if (top != SNW_NONE) {
		return add_scene_layers(stack, registry, top + 1, top, error);
	}
	const snw_deformer *deformer = snw_registry_find(registry, options->method);
	if (!deformer) {
		return unknown_method(scene, registry, options->method, error);
	}
	const snw_status status = add_scene_layers(stack, registry, scene->layer_count, SNW_NONE, error);
	return snw_failed(status) ? status : add_method(stack, deformer, error);
}

/* ---- meshes that a blend leaves out -------------------------------------------------------------------------------------- */

static bool is_blended(const snw_stack *stack, uint32_t mesh) {
	bool is = false;
	for (uint32_t i = 0; i < stack->layer_count && !is; i++) {
		is = stack_layer_blends_mesh(&stack->layers[i], mesh);
	}
	return is;
}

/* Leaves a layer only the meshes that no other layer blends; false if it blends none of them. */
static bool keep_meshes(const snw_stack *stack, stack_layer *layer) {
	bool keeps = false;
	layer->is_kept = true;
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		if (!is_blended(stack, m) && stack_layer_blends_mesh(layer, m)) {
			keeps = true;
		} else {
			layer->parts[m] = (lowered_part){.part = {.size = sizeof layer->parts[m].part, .blend = SNW_BLEND_NONE}};
			layer->reasons[m] = NULL;
		}
	}
	return keeps;
}

/* A blend takes the place of the blend below it, which a fit mutes. A mesh that it leaves out keeps that one. */
static snw_status keep_muted_blends(snw_stack *stack, const snw_registry *registry, snw_error *error) {
	const snw_scene *scene = stack->scene;
	const uint32_t base = find_base_blend(stack);
	bool is_whole = base != SNW_NONE;
	for (uint32_t m = 0; m < scene->mesh_count && is_whole; m++) {
		is_whole = is_blended(stack, m);
	}
	if (base == SNW_NONE || is_whole) {
		return SNW_OK;
	}
	uint32_t below = stack->layers[base].is_trial ? scene->layer_count : snw_scene_find_layer(scene, stack->layers[base].name);
	while (below-- > 0) {
		const snw_layer *layer = &scene->layers[below];
		const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
		stack_layer kept;
		if (!layer->muted || !deformer || !(deformer->descriptor->traits & SNW_REPLACES_BLEND)) {
			continue;
		}
		const snw_status status = stack_layer_prepare(stack, deformer, layer, &kept, error);
		if (snw_failed(status)) {
			return status;
		}
		if (keep_meshes(stack, &kept)) {
			memmove(stack->layers + base + 1, stack->layers + base, (stack->layer_count - base) * sizeof *stack->layers);
			stack->layers[base] = kept;
			stack->layer_count++;
		} else {
			stack_layer_release(&kept);
		}
	}
	return SNW_OK;
}

/* ---- coefficients -------------------------------------------------------------------------------------------------------- */

/* The scene's examples for the names that the models give. Removed or renamed examples are SNW_NONE. */
static uint32_t *find_coefficient_examples(const snw_stack *stack, uint32_t count, bool posed) {
	uint32_t *examples = SNW_NEW_ARRAY(stack->arena, uint32_t, count);
	memset(examples, 0xFF, count * sizeof *examples); /* SNW_NONE */
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		const stack_layer *layer = &stack->layers[i];
		const char *const *names = layer->layout.coefficient_examples;
		const uint32_t length = posed ? layer->layout.e_count : layer->layout.d_count;
		const uint32_t offset = posed ? layer->e_offset : layer->d_offset;
		for (uint32_t k = 0; names && k < length; k++) {
			const char *name = names[posed ? layer->layout.d_count + k : k];
			examples[offset + k] = name ? snw_scene_find_example(stack->scene, name) : SNW_NONE;
		}
	}
	return examples;
}

static snw_status assign_coefficients(snw_stack *stack, snw_error *error) {
	uint64_t z = 0, d = stack->scene->channel_count, e = 0;
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		stack_layer *layer = &stack->layers[i];
		layer->z_offset = (uint32_t)z;
		layer->d_offset = (uint32_t)d;
		layer->e_offset = (uint32_t)e;
		z += layer->layout.z_count;
		d += layer->layout.d_count;
		e += layer->layout.e_count;
		if (z > INT32_MAX || d > INT32_MAX || e > INT32_MAX) {
			return snw_fail(error, SNW_ERROR_LIMIT, "the stack has too many coefficients; remove layers above '%s'",
							layer->name);
		}
	}
	stack->z_count = (uint32_t)z;
	stack->d_count = (uint32_t)d;
	stack->e_count = (uint32_t)e;
	stack->d_examples = find_coefficient_examples(stack, stack->d_count, false);
	stack->e_examples = find_coefficient_examples(stack, stack->e_count, true);
	return SNW_OK;
}

/* The joints whose rotations posed displacements use, each once. */
static void list_rotation_joints(snw_stack *stack) {
	const uint32_t joint_count = stack->scene->skeleton.joint_count;
	bool *used = SNW_NEW_ARRAY(stack->arena, bool, joint_count);
	stack->rotation_joints = SNW_NEW_ARRAY(stack->arena, uint32_t, joint_count);
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		for (uint32_t s = 0; s < stack->meshes[m].segment_count; s++) {
			const snw_displacements *posed = &stack->meshes[m].segments[s].program.posed;
			for (uint32_t k = 0; k < posed->count; k++) {
				const uint32_t joint = posed->joints[k];
				if (joint != SNW_NONE && !used[joint]) {
					used[joint] = true;
					stack->rotation_joints[stack->rotation_joint_count++] = joint;
				}
			}
		}
	}
}

static bool blends_by_joints(const stack_layer *layer, uint32_t mesh) {
	const snw_program_part *part = &layer->parts[mesh].part;
	return !layer->reasons[mesh] && part->blend != SNW_BLEND_NONE && part->palette == SNW_PALETTE_JOINTS;
}

/* Two layers that blend with the joints' palette pose the character twice, which is rarely intended. */
static void warn_of_second_blend(const snw_stack *stack) {
	const stack_layer *lower = NULL;
	for (uint32_t i = 0; i < stack->layer_count && stack->scene->mesh_count > 0; i++) {
		const stack_layer *layer = &stack->layers[i];
		if (!blends_by_joints(layer, 0)) {
			continue;
		}
		if (lower) {
			snw_task_notice(
				&stack->task, SNW_LOG_WARNING,
				"layer '%s' poses points that layer '%s' has already posed, so joints act twice; mute or remove one of them",
				layer->name, lower->name);
		}
		lower = layer;
	}
}

static snw_status build(snw_stack *stack, const snw_registry *registry, const snw_stack_options *options, snw_error *error) {
	const snw_scene *scene = stack->scene;
	stack->character = snw_character_view_make(scene, stack->arena);
	stack->meshes = SNW_NEW_ARRAY(stack->arena, stack_mesh, scene->mesh_count);
	snw_status status = choose_layers(stack, registry, options, error);
	status = snw_failed(status) ? status : keep_muted_blends(stack, registry, error);
	status = snw_failed(status) ? status : assign_coefficients(stack, error);
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		const uint32_t points = scene->meshes[m].point_count;
		stack->most_points = points > stack->most_points ? points : stack->most_points;
		status = stack_merge(stack, m, error);
	}
	if (!snw_failed(status)) {
		warn_of_second_blend(stack);
		list_rotation_joints(stack);
	}
	return status;
}

snw_status snw_stack_build(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
						   const snw_task *task, snw_stack **stack, snw_error *error) {
	return stack_build_sharing(scene, registry, options, NULL, task, stack, error);
}

snw_status stack_build_sharing(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
							   const snw_stack *built, const snw_task *task, snw_stack **stack, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_stack *result = SNW_NEW(arena, snw_stack);
	result->arena = arena;
	result->scene = scene;
	result->built = built;
	result->bounds = SNW_NEW(arena, stack_bounds_memory);
	pthread_mutex_init(&result->bounds->lock, NULL);
	if (task) {
		result->task = *task;
	}
	result->services = snw_services_create(&result->task, scene, NULL, NULL);
	const snw_status status = build(result, registry, options, error);
	result->task = (snw_task){0};
	result->built = NULL;
	if (snw_failed(status)) {
		snw_stack_destroy(result);
		return status;
	}
	*stack = result;
	return SNW_OK;
}

void snw_stack_destroy(snw_stack *stack) {
	if (!stack) {
		return;
	}
	while (stack->layer_count > 0) {
		stack_layer_release(&stack->layers[--stack->layer_count]);
	}
	snw_services_destroy(stack->services);
	pthread_mutex_destroy(&stack->bounds->lock);
	snw_arena_destroy(stack->bounds->arena);
	snw_arena_destroy(stack->arena);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

const char *snw_stack_base_blend(const snw_stack *stack) {
	const uint32_t base = find_base_blend(stack);
	return base == SNW_NONE ? NULL : stack->layers[base].name;
}

uint32_t snw_stack_segment_count(const snw_stack *stack, uint32_t mesh) {
	return stack->meshes[mesh].segment_count;
}

snw_segment_info snw_stack_segment(const snw_stack *stack, uint32_t mesh, uint32_t segment) {
	return stack->meshes[mesh].segments[segment].info;
}

uint32_t snw_stack_rings(const snw_stack *stack, uint32_t mesh) {
	uint64_t rings = 0;
	for (uint32_t s = 0; s < stack->meshes[mesh].segment_count; s++) {
		rings += stack->meshes[mesh].segments[s].info.rings;
	}
	return rings < SNW_NONE ? (uint32_t)rings : SNW_NONE;
}

bool snw_stack_is_affine(const snw_stack *stack, uint32_t mesh) {
	return !stack->meshes[mesh].has_black_box;
}

/* ---- replace meshes ------------------------------------------------------------------------------------------------------ */

/* A stack that drives other meshes than those that it was built for, such as levels of detail of them. */

/* Of a mesh whose own segments are not one program: its palette is that of the pose. */
static const snw_program_part joints_part = {
	.size = sizeof joints_part, .blend = SNW_BLEND_LINEAR, .palette = SNW_PALETTE_JOINTS};

static stack_mesh with_program(const snw_stack *stack, const stack_mesh *from, const snw_program *program) {
	stack_mesh made = {.segment_count = 1, .segments = SNW_NEW(stack->arena, stack_segment)};
	stack_segment *segment = made.segments;
	if (from->segment_count == 1 && !from->has_black_box) {
		*segment = from->segments[0];
	} else {
		*segment = (stack_segment){.part = &joints_part, .info = {.is_program = true, .layers = "level"}};
	}
	segment->program = *program;
	segment->program.d_count = stack->d_count;
	segment->program.e_count = stack->e_count;
	segment->part = program->blend == SNW_BLEND_NONE ? NULL : segment->part;
	segment->info.program = &segment->program;
	return made;
}

void snw_stack_replace_meshes(snw_stack *stack, const snw_scene *scene, const snw_stack_mesh *meshes) {
	const stack_mesh *before = stack->meshes;
	stack->meshes = SNW_NEW_ARRAY(stack->arena, stack_mesh, scene->mesh_count);
	stack->scene = scene;
	stack->most_points = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const stack_mesh *from = &before[meshes[m].origin];
		const uint32_t points = scene->meshes[m].point_count;
		stack->meshes[m] = meshes[m].program ? with_program(stack, from, meshes[m].program) : *from;
		stack->most_points = points > stack->most_points ? points : stack->most_points;
	}
}
