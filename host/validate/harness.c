/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/numbers.h"
#include "fit/fit.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "validate/checks.h"

/* ---- harness ------------------------------------------------------------------------------------------------------------- */

enum { GUARD = 8, SCRATCH_GUARD = 64 };
static const double guard_value = -1.2345678987654321e300;

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

/* A method that is fitted needs a layer below it; a deformer that binds does not. */
static void add_baseline(harness *b) {
	if ((b->deformer->descriptor->traits & SNW_BINDS) || b->scene->skeleton.joint_count == 0 ||
		!snw_registry_find_trait(b->registry, SNW_BASELINE)) {
		return;
	}
	snw_layer *layer = SNW_NEW(b->scene->arena, snw_layer);
	const snw_descriptor *baseline = snw_registry_find_trait(b->registry, SNW_BASELINE)->descriptor;
	*layer = (snw_layer){.name = baseline->short_name, .deformer = baseline->id, .deformer_version = "", .model = SNW_NONE};
	b->scene->layers = layer;
	b->scene->layer_count = 1;
}

/* A method that reads mesh animations and needs no rig may propose one, which a character with a rig would refuse. */
static bool makes_a_skin(const snw_descriptor *descriptor) {
	const uint32_t rig = SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_EXAMPLES | SNW_NEEDS_TARGETS;
	return (descriptor->needs & (SNW_NEEDS_SEQUENCE | SNW_NEEDS_FRAMES)) && !(descriptor->needs & rig);
}

snw_scene *harness_make_scene(const snw_descriptor *descriptor, snw_trial_shape shape) {
	return makes_a_skin(descriptor) ? snw_trial_sequence_like(shape) : snw_trial_character_like(shape);
}

static snw_status make_fit_input(harness *b, snw_error *error) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	snw_arena *arena = b->scene->arena;
	snw_fit_input *input = NULL;
	b->values = SNW_NEW_ARRAY(arena, snw_value, descriptor->parameter_count);
	snw_status status = snw_parameters_resolve(descriptor, &b->chosen, b->scene, SNW_STAGE_FIT, arena, b->values, error);
	status = snw_failed(status) ? status
								: snw_fit_input_make(b->scene, descriptor->needs, NULL, SNW_NONE, descriptor->parameter_count,
													 b->values, NULL, arena, &input, error);
	b->input = input;
	return status;
}

/* The scene, and all that depends on it. */
static snw_status use_scene(harness *b, snw_trial_shape shape, snw_error *error) {
	b->scene = harness_make_scene(b->deformer->descriptor, shape);
	add_baseline(b);
	snw_arena *arena = b->scene->arena;
	const snw_stack_options options = {.only_below = true, .below_layer = b->scene->layer_count};
	snw_status status = snw_stack_build(b->scene, b->registry, &options, NULL, &b->below, error);
	status = snw_failed(status) ? status : make_fit_input(b, error);
	if (snw_failed(status)) {
		return status;
	}
	b->poses = SNW_NEW_ARRAY(arena, const snw_pose_view *, b->scene->pose_count);
	for (uint32_t p = 0; p < b->scene->pose_count; p++) {
		b->poses[p] = snw_pose_view_make(b->scene, &b->scene->poses[p], arena);
	}
	b->proposals = (snw_proposals){.arena = arena};
	const snw_below services_below = snw_stack_below_service(b->below);
	b->services = snw_services_create(&b->task, b->scene, &services_below, &b->proposals);
	trial_host_open(&b->trial, snw_services_host(b->services));
	b->violations = snw_thread_violations();
	return SNW_OK;
}

static void forget_scene(harness *b) {
	snw_services_destroy(b->services);
	snw_stack_destroy(b->below);
	snw_scene_destroy(b->scene);
	b->services = NULL;
	b->below = NULL;
	b->scene = NULL;
}

snw_status harness_open(harness *b, const char *path, const char *method, const snw_layer *chosen, snw_error *error) {
	*b = (harness){.registry = snw_registry_open_empty(), .chosen = *chosen};
	snw_error refused; /* of another deformer in the file: the check "load" reports it */
	snw_registry_load(b->registry, path, &refused);
	b->deformer = snw_registry_find(b->registry, method);
	if (!b->deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "it has no deformer '%s'", method);
	}
	snw_registry_load_search_path(b->registry);
	return use_scene(b, SNW_TRIAL_USUAL, error);
}

snw_status harness_change_scene(harness *b, snw_trial_shape shape, snw_error *error) {
	forget_scene(b);
	return use_scene(b, shape, error);
}

void harness_close(harness *b) {
	forget_scene(b);
	snw_registry_close(b->registry);
}

snw_thread_call harness_enter(const harness *b, snw_thread_role role, const char *function) {
	return snw_thread_enter((snw_thread_call){.role = role, .who = b->deformer->descriptor->short_name, .function = function});
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

snw_status harness_fit(harness *b, snw_error *error) {
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "create");
	snw_status status = snw_deformer_create(b->deformer, &b->trial.host, &b->instance);
	if (!snw_failed(status) && b->instance) {
		snw_thread_function("fit");
		status = b->deformer->fit(b->instance, b->input, &b->model);
	}
	snw_thread_leave(previous);
	if (!b->instance) {
		return snw_failed(status) ? snw_fail(error, status, "create failed: %s", snw_services_failure(b->services, status))
								  : snw_fail(error, SNW_ERROR_INTERNAL, "create returned no instance (status %d)", status);
	}
	if (snw_failed(status) && status != SNW_CANCELLED) {
		return b->model ? snw_fail(error, SNW_ERROR_INTERNAL, "fit failed with status %d, but returned a model", status)
						: snw_fail(error, status, "fit failed: %s", snw_services_failure(b->services, status));
	}
	const bool wants_model = status != SNW_CANCELLED;
	if (status > SNW_ILL_CONDITIONED || (b->model != NULL) != wants_model) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "fit returned status %d and %s model, which the ABI forbids", status,
						b->model ? "a" : "no");
	}
	return status;
}

snw_status harness_fit_whole(harness *b, snw_error *error) {
	const snw_status status = harness_fit(b, error);
	return status == SNW_CANCELLED
			   ? snw_fail(error, SNW_ERROR_INTERNAL, "fit returned SNW_CANCELLED, but was not asked to stop")
			   : status;
}

/* The arrays stay: the services know how much room they have. */
void harness_forget_proposals(harness *b) {
	snw_proposals *p = &b->proposals;
	p->field_count = p->skin_count = p->pose_count = p->track_count = p->target_count = p->slot_count = 0;
	p->replaces_skeleton = p->has_skeleton = false;
}

snw_status harness_release(harness *b, snw_error *error) {
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "release");
	if (b->model) {
		b->deformer->release(b->model);
	}
	if (b->instance) {
		b->deformer->destroy(b->instance);
	}
	snw_thread_leave(previous);
	b->model = NULL;
	b->instance = NULL;
	harness_forget_proposals(b);
	const size_t leaked = snw_services_bytes(b->services);
	if (leaked > 0) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "%zu bytes of host memory are not released", leaked);
	}
	return SNW_OK;
}

void harness_release_model(const harness *b, snw_model *model) {
	if (model) {
		const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "release");
		b->deformer->release(model);
		snw_thread_leave(previous);
	}
}

/* ---- saved models -------------------------------------------------------------------------------------------------------- */

snw_status harness_save(const harness *b, const snw_model *model, snw_memory_sink *sink, snw_error *finding) {
	snw_memory_sink_open(sink);
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "save");
	const snw_status status = snw_deny_caveat(snw_deformer_save(b->deformer, model, &sink->sink));
	snw_thread_leave(previous);
	if (snw_failed(status)) {
		snw_memory_sink_close(sink);
		return snw_fail(finding, status, "save returned status %d: %s", status, snw_services_failure(b->services, status));
	}
	return SNW_OK;
}

snw_status harness_load(const harness *b, const snw_character_view *character, const void *bytes, size_t count,
						snw_model **model) {
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "load");
	const snw_status status = snw_deny_caveat(snw_deformer_load(b->deformer, &b->trial.host, character, bytes, count, model));
	snw_thread_leave(previous);
	return status;
}

/* ---- driving ------------------------------------------------------------------------------------------------------------- */

void *harness_scratch(size_t bytes, unsigned char fill) {
	if (bytes == 0) {
		return NULL;
	}
	const size_t whole = (bytes + SCRATCH_GUARD + 63) / 64 * 64;
	unsigned char *scratch = aligned_alloc(64, whole);
	if (!scratch) {
		abort();
	}
	memset(scratch, fill, bytes);
	memset(scratch + bytes, 0xC3, whole - bytes);
	return scratch;
}

bool harness_scratch_end(size_t bytes, void *scratch) {
	bool intact = true;
	for (size_t i = bytes; scratch && i < bytes + SCRATCH_GUARD; i++) {
		intact = intact && ((unsigned char *)scratch)[i] == 0xC3;
	}
	free(scratch);
	return intact;
}

snw_status harness_driven_make(const harness *b, const snw_model *model, harness_driven *driven, snw_error *finding) {
	*driven = (harness_driven){.layout = snw_deformer_layout(b->deformer, model)};
	const snw_model_layout *l = &driven->layout;
	snw_error refused;
	const snw_status status = snw_layout_check(b->deformer, l, &refused);
	if (snw_failed(status)) {
		return snw_fail(finding, status, "its model %s", refused.text);
	}
	driven->block_count = (size_t)l->z_count + l->d_count + l->e_count + 3 * GUARD;
	driven->block = malloc(driven->block_count * sizeof *driven->block);
	if (!driven->block) {
		abort();
	}
	driven->output = (snw_drive_output){
		.size = sizeof driven->output,
		.z = driven->block,
		.d = driven->block + l->z_count + GUARD,
		.e = driven->block + l->z_count + l->d_count + 2 * GUARD,
	};
	return SNW_OK;
}

void harness_driven_free(harness_driven *driven) {
	free(driven->block);
}

static bool guard_intact(const double *values, uint32_t count) {
	for (uint32_t i = count; i < count + GUARD; i++) {
		if (values[i] != guard_value) {
			return false;
		}
	}
	return true;
}

/* Checks that every number was written and is finite, and that the guard after them is intact. */
static const char *array_fault(const double *values, uint32_t count) {
	if (!guard_intact(values, count)) {
		return "writes past the end of";
	}
	for (uint32_t i = 0; i < count; i++) {
		if (values[i] == guard_value) {
			return "leaves unwritten some of";
		}
		if (!isfinite(values[i])) {
			return "writes numbers that are not finite to";
		}
	}
	return NULL;
}

snw_status harness_drive(const harness *b, const snw_model *model, uint32_t pose, unsigned char fill, harness_driven *driven,
						 snw_error *error) {
	for (size_t i = 0; i < driven->block_count; i++) {
		driven->block[i] = guard_value;
	}
	if (!b->deformer->drive) {
		return SNW_OK;
	}
	void *scratch = harness_scratch(driven->layout.scratch_bytes, fill);
	const snw_drive_call call = {.size = sizeof call,
								 .model = model,
								 .values = b->values,
								 .pose = b->poses[pose],
								 .scratch = scratch,
								 .output = &driven->output};
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_EVALUATION, "drive");
	const snw_status status = snw_deny_caveat(b->deformer->drive(&call));
	snw_thread_leave(previous);
	if (!harness_scratch_end(driven->layout.scratch_bytes, scratch)) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "drive writes past the end of its scratch");
	}
	if (snw_failed(status)) {
		return snw_fail(error, status, "drive fails at pose '%s': it %s", b->scene->poses[pose].name, snw_status_words(status));
	}
	const snw_drive_output *o = &driven->output;
	const struct {
		const char *name;
		const double *values;
		uint32_t count;
	} arrays[] = {
		{"z", o->z, driven->layout.z_count}, {"d", o->d, driven->layout.d_count}, {"e", o->e, driven->layout.e_count}};
	for (int i = 0; i < 3; i++) {
		const char *fault = array_fault(arrays[i].values, arrays[i].count);
		if (fault) {
			return snw_fail(error, SNW_ERROR_INTERNAL, "drive %s %s at pose '%s'", fault, arrays[i].name,
							b->scene->poses[pose].name);
		}
	}
	return SNW_OK;
}

snw_deform_call harness_deform_call(const harness *b, const snw_model *model, uint32_t pose, const harness_driven *driven,
									uint32_t mesh) {
	return (snw_deform_call){.size = sizeof(snw_deform_call),
							 .model = model,
							 .values = b->values,
							 .pose = b->poses[pose],
							 .driven = &driven->output,
							 .mesh = mesh,
							 .end = b->scene->meshes[mesh].point_count,
							 .points_rest = b->scene->meshes[mesh].points_rest};
}

uint32_t harness_passes(const harness *b, const snw_model *model) {
	const snw_deformer *deformer = b->deformer;
	if (!deformer->passes) {
		return 1;
	}
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_EVALUATION, "passes");
	const uint32_t count = deformer->passes(model, b->values);
	snw_thread_leave(previous);
	return count <= SNW_MOST_PASSES ? count : SNW_MOST_PASSES + 1;
}

/* Runs all passes over one mesh in one range, from the points in buffers[0]; call->points_in is the buffer with the result. */
static snw_status deform_passes(const harness *b, snw_deform_call *call, const snw_model_layout *layout, double *buffers[3]) {
	const snw_deformer *deformer = b->deformer;
	const uint32_t passes = harness_passes(b, call->model);
	snw_status status = SNW_OK;
	call->scratch = harness_scratch(layout->scratch_bytes, 0);
	call->prepared = harness_scratch(layout->prepared_bytes, 0);
	call->points_below = call->points_in = buffers[0];
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_EVALUATION, "deform");
	for (call->pass = 0; call->pass < passes && !snw_failed(status); call->pass++) {
		double *out = call->points_in == buffers[1] ? buffers[2] : buffers[1];
		call->points_out = NULL;
		status = deformer->prepare ? snw_deny_caveat(deformer->prepare(call)) : SNW_OK;
		call->points_out = out;
		status = snw_failed(status) ? status : snw_deny_caveat(deformer->deform(call));
		call->points_in = out;
	}
	snw_thread_leave(previous);
	harness_scratch_end(layout->scratch_bytes, call->scratch);
	harness_scratch_end(layout->prepared_bytes, call->prepared);
	return status;
}

bool harness_is_black_box(const harness *b, const snw_model *model, uint32_t mesh) {
	snw_program_part part;
	const char *reason;
	return b->deformer->deform &&
		   snw_failed(snw_deformer_lower(b->deformer, &b->trial.host, model, b->values, mesh, &part, &reason));
}

snw_status harness_deform(const harness *b, const snw_model *model, uint32_t pose, const harness_driven *driven, uint32_t mesh,
						  const double *below, double *points) {
	const snw_mesh *geometry = &b->scene->meshes[mesh];
	const size_t bytes = (size_t)3 * geometry->point_count * sizeof *points;
	double *buffers[3];
	for (int i = 0; i < 3; i++) {
		buffers[i] = fenced_copy(below ? below : geometry->points_rest, bytes);
	}
	snw_deform_call call = harness_deform_call(b, model, pose, driven, mesh);
	call.points_rest = below ? call.points_rest : buffers[0];
	const snw_status status = deform_passes(b, &call, &driven->layout, buffers);
	memcpy(points, call.points_in, bytes);
	for (int i = 0; i < 3; i++) {
		fenced_release(buffers[i]);
	}
	return status;
}

snw_status harness_evaluate(const harness *b, const snw_model *model, snw_error *finding) {
	harness_driven driven;
	const snw_status made = harness_driven_make(b, model, &driven, finding);
	if (snw_failed(made)) {
		return made;
	}
	for (uint32_t p = 0; p < b->scene->pose_count; p++) {
		snw_error unused;
		const bool runs = !snw_failed(harness_drive(b, model, p, 0, &driven, &unused));
		for (uint32_t m = 0; m < b->scene->mesh_count && runs; m++) {
			if (harness_is_black_box(b, model, m)) {
				double *points = malloc((size_t)3 * b->scene->meshes[m].point_count * sizeof *points);
				harness_deform(b, model, p, &driven, m, NULL, points);
				free(points);
			}
		}
	}
	harness_driven_free(&driven);
	return SNW_OK;
}

/* ---- the stack ----------------------------------------------------------------------------------------------------------- */

/* The layer's settings are the harness's values, all of them. */
static snw_layer make_layer(const harness *b, bool has_model) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	snw_setting *settings = SNW_NEW_ARRAY(b->scene->arena, snw_setting, descriptor->parameter_count);
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		settings[i] = (snw_setting){descriptor->parameters[i]->key, b->values[i]};
	}
	return (snw_layer){.id = INT32_MAX,
					   .name = "trial",
					   .deformer = descriptor->id,
					   .deformer_version = descriptor->version,
					   .model = has_model ? 0 : SNW_NONE,
					   .setting_count = descriptor->parameter_count,
					   .settings = settings};
}

static void add_layer(trial_stack *stack, const harness *b, bool is_alone) {
	const bool replaces = b->deformer->descriptor->traits & SNW_REPLACES_BLEND;
	const uint32_t kept = is_alone || replaces ? 0 : b->scene->layer_count;
	snw_layer *layers = SNW_NEW_ARRAY(b->scene->arena, snw_layer, (size_t)kept + 1);
	for (uint32_t i = 0; i < kept; i++) {
		layers[i] = b->scene->layers[i];
	}
	layers[kept] = make_layer(b, stack->has_model);
	stack->scene = *b->scene;
	stack->scene.layers = layers;
	stack->scene.layer_count = kept + 1;
	if (stack->has_model) {
		snw_saved_model *model = SNW_NEW(b->scene->arena, snw_saved_model);
		*model = (snw_saved_model){.id = INT32_MAX,
								   .name = "trial",
								   .deformer = b->deformer->descriptor->id,
								   .deformer_version = b->deformer->descriptor->version,
								   .bytes = stack->model.bytes,
								   .byte_count = stack->model.count};
		stack->scene.models = model;
		stack->scene.model_count = 1;
	}
}

snw_status trial_stack_open(trial_stack *stack, const harness *b, bool is_alone, snw_error *error) {
	*stack = (trial_stack){0};
	snw_status status = SNW_OK;
	if (!(b->deformer->descriptor->traits & SNW_BINDS)) {
		status = harness_save(b, b->model, &stack->model, error);
		stack->has_model = !snw_failed(status);
	}
	if (snw_failed(status)) {
		return status;
	}
	add_layer(stack, b, is_alone);
	const snw_stack_options whole = {0};
	const snw_stack_options below = {.only_below = true, .below_layer = stack->scene.layer_count - 1};
	status = snw_stack_build(&stack->scene, b->registry, &whole, NULL, &stack->whole, error);
	status = snw_failed(status) ? status : snw_stack_build(&stack->scene, b->registry, &below, NULL, &stack->below, error);
	if (!snw_failed(status)) {
		stack->whole_evaluation = snw_evaluation_create_reference(stack->whole);
		stack->below_evaluation = snw_evaluation_create_reference(stack->below);
	}
	return status;
}

void trial_stack_close(trial_stack *stack) {
	if (stack->whole_evaluation) {
		snw_evaluation_destroy(stack->whole_evaluation);
		snw_evaluation_destroy(stack->below_evaluation);
	}
	snw_stack_destroy(stack->below);
	snw_stack_destroy(stack->whole);
	if (stack->has_model) {
		snw_memory_sink_close(&stack->model);
	}
}

/* ---- memory with a fence ------------------------------------------------------------------------------------------------- */

/* An index that is wrong may be far too large. */
enum { FENCE_BYTES = 1 << 20 };

/* In front of each block, at any alignment. */
typedef struct mapping {
	void *begin;
	size_t bytes;
} mapping;

/* Blocks of memory with a fence: whoever reads or writes past the end of one crashes there. In front of a block is other
 * memory. Zeroed, and aligned to a power of two of at most a page: the fence is at the end, rounded up to the alignment. NULL
 * where there is no memory. */
static void *fenced_acquire(size_t bytes, size_t alignment) {
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (bytes > SIZE_MAX / 2) {
		return NULL;
	}
	const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
	const size_t open = (sizeof(mapping) + rounded + page - 1) / page * page;
	const mapping made = {mmap(NULL, open + FENCE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
						  open + FENCE_BYTES};
	if (made.begin == MAP_FAILED) {
		return NULL;
	}
	if (mprotect(made.begin, open, PROT_READ | PROT_WRITE) != 0) {
		munmap(made.begin, made.bytes);
		return NULL;
	}
	unsigned char *memory = (unsigned char *)made.begin + open - rounded;
	memcpy(memory - sizeof made, &made, sizeof made);
	return memory;
}

void *fenced_copy(const void *bytes, size_t count) {
	void *copy = bytes ? fenced_acquire(count, count % 8 == 0 ? 8 : 1) : NULL;
	if (bytes && !copy) {
		abort();
	}
	if (copy && count > 0) {
		memcpy(copy, bytes, count);
	}
	return copy;
}

void fenced_release(void *memory) {
	mapping made;
	if (memory) {
		memcpy(&made, (unsigned char *)memory - sizeof made, sizeof made);
		munmap(made.begin, made.bytes);
	}
}

/* ---- the host ------------------------------------------------------------------------------------------------------------ */

/* A plug-in hands every service the host that it was given, so the trial is found behind it. */
static trial_host *trial_of(const snw_host *host) {
	return (trial_host *)host;
}

enum { ALIGNMENT = 64 };
#define REGION_BYTES ((size_t)1 << 32) /* of addresses: a page is taken when it is first written to */

/* NULL once the region is full. What was in it before is not used again. */
static void *acquire_in_region(trial_host *trial, size_t bytes) {
	if (bytes > REGION_BYTES) {
		return NULL;
	}
	const size_t whole = (bytes / ALIGNMENT + 1) * ALIGNMENT, at = atomic_fetch_add(&trial->region_used, whole);
	return at + whole <= REGION_BYTES ? trial->region + at : NULL;
}

static bool is_in_region(const trial_host *trial, const void *memory) {
	const unsigned char *byte = memory;
	return trial->region && byte >= trial->region && byte < trial->region + REGION_BYTES;
}

static void *acquire(const snw_host *host, size_t bytes) {
	trial_host *trial = trial_of(host);
	const snw_memory_service *memory = trial->real->service(trial->real, SNW_SERVICE_MEMORY);
	if (!trial->region && !trial->is_fenced) {
		return memory->acquire(trial->real, bytes);
	}
	memory->release(trial->real, memory->acquire(trial->real, 1)); /* which watches the thread rules */
	return trial->is_fenced ? fenced_acquire(bytes, ALIGNMENT) : acquire_in_region(trial, bytes);
}

static void release(const snw_host *host, void *memory) {
	const snw_host *real = trial_of(host)->real;
	if (trial_of(host)->is_fenced) {
		fenced_release(memory);
	} else if (!is_in_region(trial_of(host), memory)) {
		((const snw_memory_service *)real->service(real, SNW_SERVICE_MEMORY))->release(real, memory);
	}
}

static int32_t progress(const snw_host *host, double fraction, const char *step) {
	trial_host *trial = trial_of(host);
	const snw_task_service *task = trial->real->service(trial->real, SNW_SERVICE_TASK);
	const uint32_t count = atomic_fetch_add(&trial->reports, 1) + 1;
	const int32_t go_on = task->progress(trial->real, fraction, step);
	if (trial->stopped > 0 && count == trial->stopped) {
		atomic_store(&trial->stopped_at_end, fraction >= 1);
	}
	return trial->stopped > 0 && count >= trial->stopped ? 0 : go_on;
}

static const void *find_service(const snw_host *host, const char *id) {
	const trial_host *trial = trial_of(host);
	return strcmp(id, SNW_SERVICE_MEMORY) == 0 ? &trial->memory
		   : strcmp(id, SNW_SERVICE_TASK) == 0 ? (const void *)&trial->task
											   : trial->real->service(trial->real, id);
}

void trial_host_open(trial_host *trial, const snw_host *real) {
	*trial = (trial_host){.host = *real,
						  .real = real,
						  .memory = {sizeof trial->memory, acquire, release},
						  .task = *(const snw_task_service *)real->service(real, SNW_SERVICE_TASK)};
	trial->host.service = find_service;
	trial->task.progress = progress;
}

void trial_host_stop_at(trial_host *trial, uint32_t report) {
	trial->stopped = report;
	atomic_store(&trial->reports, 0);
	atomic_store(&trial->stopped_at_end, false);
}

bool trial_host_open_region(trial_host *trial) {
	void *region = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	trial->region = region == MAP_FAILED ? NULL : region;
	atomic_store(&trial->region_used, 0);
	return trial->region != NULL;
}

void trial_host_lock_region(const trial_host *trial, bool is_locked) {
	mprotect(trial->region, REGION_BYTES, is_locked ? PROT_READ : PROT_READ | PROT_WRITE);
}

void trial_host_close_region(trial_host *trial) {
	munmap(trial->region, REGION_BYTES);
	trial->region = NULL;
}
