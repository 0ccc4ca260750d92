/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prepares a layer: resolves its values, binds or loads its model, and lowers it.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/adopt.h"
#include "base/numbers.h"
#include "isolation/isolated_deformer.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "services/services_internal.h"
#include "sinew/algebra.h"
#include "stack/stack.h"
#include "stack/stack_internal.h"

/* ---- prepare layer ------------------------------------------------------------------------------------------------------- */

/* A failure costs the layer. */
static void note_failure(const stack_layer *layer, const char *problem) {
	if (!layer->is_trial) {
		snw_plugin_failure_add(layer->deformer->descriptor->short_name, layer->name, problem);
	}
}

snw_status stack_layer_fail(const stack_layer *layer, snw_status status, snw_error *error, const char *format, ...) {
	char problem[700];
	const char *method = layer->deformer->descriptor->short_name;
	va_list values;
	va_start(values, format);
	vsnprintf(problem, sizeof problem, format, values);
	va_end(values);
	/* What fails in the program itself ends the verb, or is tried only. */
	if (status != SNW_ERROR_CRASH && snw_deformer_is_isolated(layer->deformer)) {
		note_failure(layer, problem);
	}
	return layer->is_trial ? snw_fail(error, status, "method %s %s; check its plug-in with 'sinew validate'", method, problem)
						   : snw_fail(error, status,
									  "layer '%s' (%s) %s; mute the layer in the window, or with 'sinew stack P.sinew mute %s'",
									  layer->name, method, problem, layer->name);
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

static snw_status plugin_failed(const snw_stack *stack, const stack_layer *layer, const char *function, snw_status status,
								snw_error *error) {
	const char *problem = snw_deformer_problem(layer->deformer);
	if (problem) {
		return stack_layer_fail(layer, status, error, "%s", problem);
	}
	return stack_layer_fail(layer, status, error, "failed in %s: %s", function, snw_services_failure(stack->services, status));
}

static snw_status bind_model(const snw_stack *stack, stack_layer *layer, snw_error *error) {
	snw_status status = snw_needs_check(stack->scene, layer->deformer->descriptor, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_fit_input input = {
		.size = sizeof input,
		.character = stack->character,
		.value_count = layer->deformer->descriptor->parameter_count,
		.values = layer->values,
	};
	snw_instance *instance = NULL;
	const char *function = "create";
	status = snw_deny_caveat(snw_deformer_create(layer->deformer, snw_services_host(stack->services), &instance));
	if (!snw_failed(status)) {
		/* A fit that binds may not return a caveat. */
		function = "fit";
		snw_thread_function(function);
		status = snw_deny_caveat(layer->deformer->fit(instance, &input, &layer->model));
		snw_thread_function("destroy");
		layer->deformer->destroy(instance);
	}
	if (!snw_failed(status) && !layer->model) {
		status = SNW_ERROR_INTERNAL;
	}
	return !snw_failed(status) ? status : plugin_failed(stack, layer, function, status, error);
}

static snw_status load_model(const snw_stack *stack, const snw_layer *saved, stack_layer *layer, snw_error *error) {
	const snw_descriptor *descriptor = layer->deformer->descriptor;
	if (!saved || saved->model == SNW_NONE || saved->model >= stack->scene->model_count) {
		return snw_fail(error, SNW_ERROR_MISSING, "'%s' has no model yet; run 'sinew fit %s P.sinew' first", layer->name,
						descriptor->short_name);
	}
	const snw_saved_model *model = &stack->scene->models[saved->model];
	if (strcmp(model->deformer, descriptor->id) != 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "layer '%s' belongs to %s, but its model was made by %s; fit it again",
						layer->name, descriptor->id, model->deformer);
	}
	if (strcmp(model->deformer_version, descriptor->version) != 0) {
		snw_task_notice(&stack->task, SNW_LOG_WARNING, "layer '%s' was fitted by version %s of %s, but version %s is installed",
						layer->name, model->deformer_version, descriptor->short_name, descriptor->version);
	}
	snw_status status = snw_deny_caveat(snw_deformer_load(layer->deformer, snw_services_host(stack->services), stack->character,
														  model->bytes, model->byte_count, &layer->model));
	if (status == SNW_ERROR_DATA) {
		note_failure(layer, "failed in load: its model does not match this character or is damaged, so fit it again");
		return snw_fail(
			error, status,
			"the model of layer '%s' does not match this character or is damaged (%s); run 'sinew fit %s P.sinew' again",
			layer->name, snw_services_failure(stack->services, status), descriptor->short_name);
	}
	status = !snw_failed(status) && !layer->model ? SNW_ERROR_INTERNAL : status;
	return snw_failed(status) ? plugin_failed(stack, layer, "load", status, error) : status;
}

/* ---- lowering ------------------------------------------------------------------------------------------------------------ */

/* What is wrong with a helper joint; NULL for nothing. A rotation and a scale that are left out get the values of none. */
static const char *complete_helper(const snw_stack *stack, snw_helper_joint *helper) {
	static const double none[4] = {0};
	if (helper->parent >= stack->scene->skeleton.joint_count || !helper->name) {
		return "a parent or name that is not there";
	}
	if (memcmp(helper->rotation, none, sizeof helper->rotation) == 0) {
		helper->rotation[3] = 1;
	}
	if (memcmp(helper->scale, none, sizeof helper->scale) == 0) {
		helper->scale[0] = helper->scale[1] = helper->scale[2] = 1;
	}
	const bool is_finite =
		snw_all_finite(helper->place, 3) && snw_all_finite(helper->rotation, 4) && snw_all_finite(helper->scale, 3);
	const double length = snw_quat_dot(helper->rotation, helper->rotation);
	return !is_finite                                                    ? "numbers that are not finite"
		   : fabs(length - 1) > 1e-6                                     ? "a rotation that is no unit quaternion"
		   : helper->scale[0] * helper->scale[1] * helper->scale[2] == 0 ? "a scale of 0"
																		 : NULL;
}

/* The helper joints of a model, in this host's layout. */
static snw_status list_helpers(const snw_stack *stack, stack_layer *layer, snw_error *error) {
	const snw_helper_joints *table = snw_deformer_extension(layer->deformer, SNW_HELPER_JOINTS);
	const snw_helper_joint *const *foreign = NULL;
	if (table && SNW_HAS(table, list)) {
		table->list(layer->model, &layer->helper_count, &foreign);
	}
	snw_helper_joint *helpers = SNW_NEW_ARRAY(stack->arena, snw_helper_joint, layer->helper_count);
	for (uint32_t h = 0; h < layer->helper_count; h++) {
		snw_adopt(&helpers[h], sizeof helpers[h], foreign[h]);
		const char *problem = complete_helper(stack, &helpers[h]);
		if (problem) {
			return stack_layer_fail(layer, SNW_ERROR_DATA, error, "lists helper joint %u with %s", h, problem);
		}
	}
	layer->helpers = helpers;
	return SNW_OK;
}

static snw_status lower_mesh(snw_stack *stack, stack_layer *layer, uint32_t mesh, snw_error *error) {
	const snw_deformer *deformer = layer->deformer;
	lowered_part *lowered = &layer->parts[mesh];
	const char *reason;
	const snw_status status = snw_deny_caveat(snw_deformer_lower(deformer, snw_services_host(stack->services), layer->model,
																 layer->values, mesh, &lowered->part, &reason));
	if (status == SNW_ERROR_UNSUPPORTED) {
		lowered->part = (snw_program_part){.size = sizeof lowered->part};
		layer->reasons[mesh] = snw_arena_text(stack->arena, reason ? reason : "its plug-in gives no reason");
		if (!deformer->deform) {
			return stack_layer_fail(layer, SNW_ERROR_INTERNAL, error, "neither lowers nor deforms mesh '%s': %s",
									stack->scene->meshes[mesh].name, layer->reasons[mesh]);
		}
		return SNW_OK;
	}
	if (snw_failed(status)) {
		return plugin_failed(stack, layer, "lower", status, error);
	}
	const uint32_t points = stack->scene->meshes[mesh].point_count;
	const char *problem = snw_displacements_adopt(lowered->part.rest, points, stack->arena, &lowered->rest);
	problem = problem ? problem : snw_displacements_adopt(lowered->part.posed, points, stack->arena, &lowered->posed);
	problem =
		problem ? problem : snw_displacements_adopt(lowered->part.rest_normals, points, stack->arena, &lowered->rest_normals);
	if (problem) {
		return stack_layer_fail(layer, SNW_ERROR_DATA, error, "lowers to displacements %s", problem);
	}
	return SNW_OK;
}

/* Rounds up to a multiple of 64. */
static void grow_to(size_t *bytes, size_t wanted) {
	const size_t whole = (wanted + 63) / 64 * 64;
	*bytes = whole > *bytes ? whole : *bytes;
}

static uint32_t count_passes(const stack_layer *layer) {
	if (!layer->deformer->passes) {
		return 1;
	}
	const snw_thread_call previous = snw_thread_enter(stack_call_of(layer, SNW_ROLE_EVALUATION, "passes"));
	const uint32_t count = layer->deformer->passes(layer->model, layer->values);
	snw_thread_leave(previous);
	return count;
}

static snw_status read_layout(snw_stack *stack, stack_layer *layer, snw_error *error) {
	const snw_deformer *deformer = layer->deformer;
	layer->layout = snw_deformer_layout(deformer, layer->model);
	const snw_model_layout *layout = &layer->layout;
	snw_error refused;
	const snw_status checked = snw_layout_check(deformer, layout, &refused);
	if (snw_failed(checked)) {
		return stack_layer_fail(layer, checked, error, "%s", refused.text);
	}
	grow_to(&stack->scratch_bytes, layout->scratch_bytes);
	grow_to(&stack->prepared_bytes, layout->prepared_bytes);
	layer->passes = count_passes(layer);
	const char *problem = snw_deformer_problem(layer->deformer);
	if (problem) {
		return stack_layer_fail(layer, SNW_ERROR_CRASH, error, "%s", problem);
	}
	return layer->passes <= SNW_MOST_PASSES
			   ? SNW_OK
			   : stack_layer_fail(layer, SNW_ERROR_LIMIT, error, "has %u passes, more than %d", layer->passes, SNW_MOST_PASSES);
}

snw_status stack_layer_prepare(snw_stack *stack, const snw_deformer *deformer, const snw_layer *layer, stack_layer *prepared,
							   snw_error *error) {
	const snw_descriptor *descriptor = deformer->descriptor;
	const uint32_t mesh_count = stack->scene->mesh_count;
	*prepared = (stack_layer){
		.name = layer ? layer->name : descriptor->short_name,
		.is_trial = !layer,
		.deformer = deformer,
		.values = SNW_NEW_ARRAY(stack->arena, snw_value, descriptor->parameter_count),
		.parts = SNW_NEW_ARRAY(stack->arena, lowered_part, mesh_count),
		.reasons = SNW_NEW_ARRAY(stack->arena, const char *, mesh_count),
	};
	const bool binds = descriptor->traits & SNW_BINDS;
	snw_status status = snw_parameters_resolve(descriptor, layer, stack->scene, binds ? SNW_STAGE_FIT : SNW_STAGE_LOWER,
											   stack->arena, prepared->values, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_thread_call previous = snw_thread_enter(stack_call_of(prepared, SNW_ROLE_OWNER, "fit"));
	status = binds ? bind_model(stack, prepared, error) : load_model(stack, layer, prepared, error);
	status = snw_failed(status) ? status : read_layout(stack, prepared, error);
	status = snw_failed(status) ? status : list_helpers(stack, prepared, error);
	for (uint32_t m = 0; !snw_failed(status) && m < mesh_count; m++) {
		status = lower_mesh(stack, prepared, m, error);
	}
	snw_thread_leave(previous);
	if (snw_failed(status)) {
		stack_layer_release(prepared);
	}
	return status;
}

void stack_layer_share(snw_stack *stack, const stack_layer *prepared, stack_layer *layer) {
	*layer = *prepared;
	layer->is_shared = true;
	grow_to(&stack->scratch_bytes, layer->layout.scratch_bytes);
	grow_to(&stack->prepared_bytes, layer->layout.prepared_bytes);
}

void stack_layer_release(stack_layer *layer) {
	if (layer->model && !layer->is_shared) {
		const snw_thread_call previous = snw_thread_enter(stack_call_of(layer, SNW_ROLE_OWNER, "release"));
		snw_thread_function("release");
		layer->deformer->release(layer->model);
		snw_thread_leave(previous);
		layer->model = NULL;
	}
}

bool stack_layer_blends_mesh(const stack_layer *layer, uint32_t mesh) {
	return layer->reasons[mesh] ? layer->deformer->descriptor->traits & SNW_REPLACES_BLEND
								: layer->parts[mesh].part.blend != SNW_BLEND_NONE;
}

bool stack_layer_blends(const stack_layer *layer, uint32_t mesh_count) {
	bool blends = false;
	for (uint32_t m = 0; m < mesh_count && !blends; m++) {
		blends = stack_layer_blends_mesh(layer, m);
	}
	return blends;
}

/* ---- below service ------------------------------------------------------------------------------------------------------- */

/* The service `below`: the layers below a layer, for its fit. */

/* ---- evaluations, one for each thread inside a call ---------------------------------------------------------------------- */

static snw_spare_evaluation *take_evaluation(snw_services *services) {
	pthread_mutex_lock(&services->mutex);
	snw_spare_evaluation *spare = services->spare;
	if (spare) {
		services->spare = spare->next;
	}
	pthread_mutex_unlock(&services->mutex);
	if (spare) {
		return spare;
	}
	spare = calloc(1, sizeof *spare);
	if (spare) {
		spare->evaluation = snw_evaluation_create_reference(services->below.stack);
	}
	return spare;
}

static void return_evaluation(snw_services *services, snw_spare_evaluation *spare) {
	pthread_mutex_lock(&services->mutex);
	spare->next = services->spare;
	services->spare = spare;
	pthread_mutex_unlock(&services->mutex);
}

static void destroy_evaluations(snw_services *services) {
	for (snw_spare_evaluation *spare = services->spare, *next; spare; spare = next) {
		next = spare->next;
		snw_evaluation_destroy(spare->evaluation);
		free(spare);
	}
	services->spare = NULL;
}

/* ---- the services -------------------------------------------------------------------------------------------------------- */

static snw_status check_call(const snw_host *host, uint32_t mesh, uint32_t count, const uint32_t *indices) {
	const snw_scene *scene = snw_services_of(host)->scene;
	char text[200];
	atomic_store(&snw_services_of(host)->below_read, true);
	if (mesh >= scene->mesh_count) {
		snprintf(text, sizeof text, "below: no mesh %u", mesh);
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, text);
	}
	const uint32_t point_count = scene->meshes[mesh].point_count;
	if (!indices && count != point_count) {
		snprintf(text, sizeof text, "below: %u points without indices, but the mesh has %u", count, point_count);
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, text);
	}
	for (uint32_t i = 0; indices && i < count; i++) {
		if (indices[i] >= point_count) {
			snprintf(text, sizeof text, "below: index %u is out of range; the mesh has %u points", indices[i], point_count);
			return snw_services_fail(host, SNW_ERROR_ARGUMENT, text);
		}
	}
	return SNW_OK;
}

static uint32_t below_rings(const snw_host *host, uint32_t mesh) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "below.rings")) {
		return 0;
	}
	snw_services *services = snw_services_of(host);
	atomic_store(&services->below_read, true);
	return mesh < services->scene->mesh_count ? snw_stack_rings(services->below.stack, mesh) : 0;
}

static snw_status below_deform(const snw_host *host, const snw_below_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "below.deform")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_below_call known;
	snw_adopt(&known, sizeof known, foreign);
	const snw_below_call *call = &known;
	snw_status status = check_call(host, call->mesh, call->count, call->indices);
	if (snw_failed(status) || call->pose_count == 0 || call->count == 0) {
		return status;
	}
	snw_spare_evaluation *spare = take_evaluation(services);
	if (!spare) {
		return snw_services_fail(host, SNW_ERROR_MEMORY, "below: out of memory");
	}
	snw_error error;
	atomic_fetch_add(&services->below_calls, call->pose_count);
	for (uint32_t p = 0; !snw_failed(status) && p < call->pose_count; p++) {
		snw_pose_view pose;
		snw_adopt(&pose, sizeof pose, call->poses[p]);
		const size_t offset = (size_t)3 * call->count * p;
		status = snw_stack_drive(services->below.stack, &pose, spare->evaluation, &error);
		status = snw_failed(status)
					 ? status
					 : snw_stack_reference_at(services->below.stack, spare->evaluation, call->mesh, call->count, call->indices,
											  call->points_rest + offset, call->points_posed + offset, &error);
	}
	return_evaluation(services, spare);
	return !snw_failed(status) ? status : snw_services_fail(host, status, error.text);
}

static snw_status below_matrices(const snw_host *host, const snw_below_matrices_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "below.matrices")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_below_matrices_call call;
	snw_adopt(&call, sizeof call, foreign);
	snw_status status = check_call(host, call.mesh, call.count, call.indices);
	const bool is_affine = !snw_failed(status) && !atomic_load(&services->below_is_opaque) &&
						   snw_stack_is_affine(services->below.stack, call.mesh);
	if (!snw_failed(status) && !is_affine) {
		return SNW_ERROR_UNSUPPORTED; /* a legal answer: the plug-in then asks for points */
	}
	if (snw_failed(status) || call.count == 0) {
		return status;
	}
	snw_spare_evaluation *spare = take_evaluation(services);
	if (!spare) {
		return snw_services_fail(host, SNW_ERROR_MEMORY, "below: out of memory");
	}
	snw_error error;
	snw_pose_view pose;
	snw_adopt(&pose, sizeof pose, call.pose);
	status = snw_stack_drive(services->below.stack, &pose, spare->evaluation, &error);
	status = snw_failed(status) ? status
								: snw_stack_matrices(services->below.stack, spare->evaluation, call.mesh, call.count,
													 call.indices, call.matrices, &error);
	return_evaluation(services, spare);
	return !snw_failed(status) ? status : snw_services_fail(host, status, error.text);
}

static const snw_below_service below_table = {sizeof below_table, below_rings, below_deform, below_matrices};

snw_below snw_stack_below_service(const snw_stack *stack) {
	return stack ? (snw_below){stack, &below_table, destroy_evaluations} : (snw_below){0};
}

/* ---- owners of stacks ---------------------------------------------------------------------------------------------------- */

typedef struct owned_stack {
	struct owned_stack *previous; /* built before */
	const char *method;
	bool only_below;
	uint32_t below_layer;
	uint32_t faults; /* of plug-ins when it was built: a later one may have cost it a layer */
	snw_stack *stack;
} owned_stack;

struct snw_stack_owner {
	snw_arena *arena;
	snw_scene *scene;
	const snw_registry *registry;
	pthread_mutex_t lock;
	owned_stack *newest;
};

snw_stack_owner *snw_stack_owner_create(snw_scene *scene, const snw_registry *registry) {
	snw_arena *arena = snw_arena_create();
	snw_stack_owner *owner = SNW_NEW(arena, snw_stack_owner);
	*owner = (snw_stack_owner){.arena = arena, .scene = scene, .registry = registry};
	pthread_mutex_init(&owner->lock, NULL);
	scene->stacks = owner;
	return owner;
}

void snw_stack_owner_destroy(snw_stack_owner *owner) {
	if (!owner) {
		return;
	}
	for (const owned_stack *one = owner->newest; one; one = one->previous) {
		snw_stack_destroy(one->stack); /* before those whose layers it shares */
	}
	owner->scene->stacks = NULL;
	pthread_mutex_destroy(&owner->lock);
	snw_arena_destroy(owner->arena);
}

/* ---- lending ------------------------------------------------------------------------------------------------------------- */

/* Whether a stack of the owner's scene is one of this scene, which may be a copy that shares its arrays. */
static bool is_of(const snw_stack_owner *owner, const snw_scene *scene, const snw_registry *registry) {
	const snw_scene *owned = owner->scene;
	const bool same_layers = scene->layers == owned->layers && scene->layer_count == owned->layer_count &&
							 scene->models == owned->models && scene->model_count == owned->model_count;
	const bool same_meshes = scene->meshes == owned->meshes && scene->mesh_count == owned->mesh_count &&
							 scene->fields == owned->fields && scene->field_count == owned->field_count;
	const bool same_rig = scene->skeleton.parents == owned->skeleton.parents && scene->slot_joints == owned->slot_joints &&
						  scene->slot_inverse_binds == owned->slot_inverse_binds && scene->channels == owned->channels;
	/* A layer whose examples are all muted is left out. */
	const bool same_use = (snw_scene_active_example_count(scene) > 0) == (snw_scene_active_example_count(owned) > 0);
	return registry == owner->registry && same_layers && same_meshes && same_rig && same_use && scene->folder == owned->folder;
}

static bool is_asked(const owned_stack *one, const snw_stack_options *options, uint32_t faults) {
	const bool same_method =
		one->method && options->method ? strcmp(one->method, options->method) == 0 : one->method == options->method;
	return one->faults == faults && one->only_below == options->only_below &&
		   (one->only_below ? one->below_layer == options->below_layer : same_method);
}

static snw_status lend(snw_stack_owner *owner, const snw_stack_options *options, const snw_task *task, const snw_stack **stack,
					   snw_error *error) {
	const uint32_t faults = snw_plugin_fault_count();
	const snw_stack *fullest = NULL; /* of those that are there, to share layers with */
	for (const owned_stack *one = owner->newest; one; one = one->previous) {
		if (is_asked(one, options, faults)) {
			*stack = one->stack;
			return SNW_OK;
		}
		const bool is_fuller = !fullest || one->stack->layer_count > fullest->layer_count;
		fullest = is_fuller && one->faults == faults ? one->stack : fullest;
	}
	snw_stack *built = NULL;
	const snw_status status = stack_build_sharing(owner->scene, owner->registry, options, fullest, task, &built, error);
	if (snw_failed(status)) {
		return status;
	}
	built->is_owned = true;
	owned_stack *added = SNW_NEW(owner->arena, owned_stack);
	*added = (owned_stack){.previous = owner->newest,
						   .method = snw_arena_text(owner->arena, options->method),
						   .only_below = options->only_below,
						   .below_layer = options->below_layer,
						   .faults = faults,
						   .stack = built};
	owner->newest = added;
	*stack = built;
	return status;
}

snw_status snw_stack_borrow(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
							const snw_task *task, const snw_stack **stack, snw_error *error) {
	snw_stack_owner *owner = scene->stacks;
	if (owner && is_of(owner, scene, registry)) {
		pthread_mutex_lock(&owner->lock);
		const snw_status status = lend(owner, options, task, stack, error);
		pthread_mutex_unlock(&owner->lock);
		return status;
	}
	snw_stack *built = NULL;
	const snw_status status = snw_stack_build(scene, registry, options, task, &built, error);
	*stack = built;
	return status;
}

void snw_stack_give_back(const snw_stack *stack) {
	if (stack && !stack->is_owned) {
		snw_stack_destroy((snw_stack *)(uintptr_t)stack); /* built by snw_stack_borrow for who gives it back */
	}
}
