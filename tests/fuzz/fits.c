/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fit hands on: its outcome from the worker, and models from projects, which each shipped deformer loads by itself; the
 * texts of its parameters; and the drawing that may guide it.
 */
#include <sys/mman.h>

#include "fit/fit.h"
#include "fuzz/readers.h"
#include "fuzz/scratch.h"
#include "parameter/parameters.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "stack/stack.h"
#include "worker/job/job.h"

static const char *const methods[] = {
	"inverse-psd",  "linear-blend-fit", "animation-space", "multi-weight", "pose-regression", "rotational-regression",
	"skin-weights", "helper-joints",    "eigenskin",       "sad",          "motion-skeleton"};
enum { CHARACTERS = 9, METHODS = sizeof methods / sizeof *methods }; /* the first ones are fitted to a character */

/* Those whose models a project stores: the others make weights, or a track. */
static const uint32_t saved[] = {0, 1, 2, 3, 4, 5, 7, 8, 9};
enum { SAVED = sizeof saved / sizeof *saved };

static const snw_registry *shipped(void) {
	static snw_registry *registry;
	registry = registry ? registry : snw_registry_open();
	return registry;
}

/* The scene that a method is fitted to. */
static const snw_scene *scene_of(unsigned method) {
	static snw_scene *character, *sequence;
	if (!character) {
		character = snw_trial_character();
		snw_scene_add_baseline(character);
		sequence = snw_trial_sequence();
	}
	return method < CHARACTERS ? character : sequence;
}

static void must(snw_status status, const char *method, const snw_error *error) {
	if (snw_failed(status)) {
		fprintf(stderr, "%s: %s\n", method, error->text);
		exit(2);
	}
}

/* Few joints are fitted faster, and their bytes have all parts of the format. */
static const snw_setting few[METHODS][1] = {
	[5] = {{"proxies", SNW_VALUE(12)}}, [7] = {{"helpers", SNW_VALUE(2)}}, [9] = {{"joints", SNW_VALUE(4)}}};

static snw_fit_outcome fit(unsigned method) {
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	const snw_fit_request request = {.method = methods[method],
									 .setting_count = few[method][0].key != NULL,
									 .settings = few[method],
									 .left_out_example = SNW_NONE};
	must(snw_fit_run(scene_of(method), shipped(), &request, NULL, &outcome, &error), methods[method], &error);
	return outcome;
}

/* ---- outcomes ------------------------------------------------------------------------------------------------------------ */

/* The first byte chooses the scene. A result that is read can be applied. */
void fuzz_outcome(const unsigned char *bytes, size_t count) {
	if (count == 0) {
		return;
	}
	const int file = memfd_create("sinew-fuzz", MFD_CLOEXEC);
	if (file < 0 || write(file, bytes + 1, count - 1) != (ssize_t)(count - 1)) {
		exit(2);
	}
	const snw_scene *scene = scene_of(bytes[0] % METHODS);
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *fitted = NULL;
	if (!snw_failed(snw_outcome_read(file, scene, &outcome, NULL))) {
		(void)snw_fit_apply(scene, &outcome, &fitted, NULL);
	}
	snw_scene_destroy(fitted);
	snw_arena_destroy(outcome.arena);
	close(file);
}

/* A fit takes longer than many runs. The seed after the methods' is the last method's with a track without frames. */
static const unsigned char *outcome_bytes(unsigned index, size_t *count) {
	static unsigned char *made[METHODS + 1];
	static size_t counts[METHODS + 1];
	const unsigned method = index < METHODS ? index : METHODS - 1;
	if (!made[index]) {
		snw_fit_outcome outcome = fit(method);
		for (uint32_t t = 0; index == METHODS && t < outcome.proposals.track_count; t++) {
			outcome.proposals.tracks[t].frame_count = 0;
		}
		const int file = memfd_create("sinew-fuzz", MFD_CLOEXEC);
		snw_error error = {0};
		must(file < 0 ? SNW_ERROR_IO : snw_outcome_write(file, scene_of(method), &outcome, &error), methods[method], &error);
		const off_t size = lseek(file, 0, SEEK_END);
		made[index] = malloc((size_t)size + 1);
		if (!made[index] || pread(file, made[index] + 1, (size_t)size, 0) != size) {
			exit(2);
		}
		made[index][0] = (unsigned char)method;
		counts[index] = (size_t)size + 1;
		snw_arena_destroy(outcome.arena);
		close(file);
	}
	*count = counts[index];
	return made[index];
}

static unsigned char *copy_of(const unsigned char *bytes, size_t count) {
	unsigned char *copy = malloc(count);
	if (!copy) {
		exit(2);
	}
	return memcpy(copy, bytes, count);
}

unsigned char *seed_of_outcome(unsigned index, size_t *count) {
	const unsigned char *bytes = outcome_bytes(index, count);
	return copy_of(bytes, *count);
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

static const snw_scene *fitted_scene(unsigned method) {
	static snw_scene *fitted[METHODS];
	if (!fitted[method]) {
		snw_fit_outcome outcome = fit(method);
		snw_error error = {0};
		must(snw_fit_apply(scene_of(method), &outcome, &fitted[method], &error), methods[method], &error);
		snw_arena_destroy(outcome.arena);
	}
	return fitted[method];
}

static void run_stack(const snw_scene *scene, const snw_stack *stack) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[p], arena);
		for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(snw_stack_drive(stack, pose, evaluation, NULL)); m++) {
			(void)snw_stack_run(stack, evaluation, m, snw_arena_array(arena, scene->meshes[m].point_count, 3 * sizeof(float)),
								NULL);
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
}

/* The first byte chooses the method. What loads is run in every pose. */
void fuzz_model(const unsigned char *bytes, size_t count) {
	if (count == 0) {
		return;
	}
	const snw_scene *fitted = fitted_scene(saved[bytes[0] % SAVED]);
	snw_saved_model model = fitted->models[0];
	model.bytes = bytes + 1;
	model.byte_count = count - 1;
	snw_scene scene = *fitted;
	scene.models = &model;
	snw_stack *stack = NULL;
	if (!snw_failed(snw_stack_build(&scene, shipped(), NULL, NULL, &stack, NULL))) {
		run_stack(&scene, stack);
	}
	snw_stack_destroy(stack);
}

unsigned char *seed_of_model(unsigned index, size_t *count) {
	const snw_saved_model *model = &fitted_scene(saved[index])->models[0];
	unsigned char *bytes = malloc(model->byte_count + 1);
	if (!bytes) {
		exit(2);
	}
	bytes[0] = (unsigned char)index;
	memcpy(bytes + 1, model->bytes, model->byte_count);
	*count = model->byte_count + 1;
	return bytes;
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

/* A value that is taken has a text. */
static void parse_for(const snw_deformer *deformer, const char *text) {
	snw_arena *arena = snw_arena_create();
	uint32_t index;
	snw_value value;
	if (!snw_failed(snw_parameter_parse(deformer->descriptor, text, &index, &value, NULL))) {
		const snw_parameter *parameter = deformer->descriptor->parameters[index];
		(void)snw_parameter_text(parameter, &value, arena);
		(void)snw_value_resolve(deformer->descriptor, parameter, "key", scene_of(0), arena, &value, NULL);
	}
	snw_arena_destroy(arena);
}

void fuzz_parameters(const unsigned char *bytes, size_t count) {
	char *text = malloc(count + 1);
	if (!text) {
		exit(2);
	}
	memcpy(text, bytes, count);
	text[count] = 0;
	for (uint32_t i = 0; i < snw_registry_count(shipped()); i++) {
		const snw_deformer *deformer = snw_registry_get(shipped(), i)->deformer;
		if (deformer) {
			parse_for(deformer, text);
		}
	}
	free(text);
}

unsigned char *seed_of_parameters(unsigned index, size_t *count) {
	static const char *const texts[] = {"width=auto", "mode@elbow=forward", "joints=20", "kernel=gaussian", "mask=mask"};
	return text_as_seed(texts[index], count);
}

/* ---- drawings ------------------------------------------------------------------------------------------------------------ */

static snw_status follow_drawing(const void *bytes, size_t count, snw_error *error) {
	const snw_setting drawing = {"drawing", {.text = scratch_file("drawing.tgf", bytes, count)}};
	const snw_fit_request request = {
		.method = "motion-skeleton", .setting_count = 1, .settings = &drawing, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	const snw_status status = snw_fit_run(scene_of(METHODS - 1), shipped(), &request, NULL, &outcome, error);
	snw_arena_destroy(outcome.arena);
	return status;
}

/* What can be read is followed. */
void fuzz_drawing(const unsigned char *bytes, size_t count) {
	(void)follow_drawing(bytes, count, NULL);
}

unsigned char *seed_of_drawing(unsigned index, size_t *count) {
	static const char *const texts[] = {"1 0 0 0\n2 0.4 0 0\n3 0.8 0 0\n4 1.2 0 0\n#\n1 2 near\n2 3 middle\n3 4\n",
										"1 0.4 0 0\n2 0 0 0\n3 1.2 0 0\n#\n1 2 1 0 0\n1 3 1 0 0\n"};
	static bool is_accepted[sizeof texts / sizeof *texts];
	snw_error error = {0};
	if (!is_accepted[index]) {
		must(follow_drawing(texts[index], strlen(texts[index]), &error), "the seed of a drawing", &error);
		is_accepted[index] = true;
	}
	return text_as_seed(texts[index], count);
}
