/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the functions that make models: create, fit, save and load.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/numbers.h"
#include "fit/fit.h"
#include "plugin/registry.h"
#include "sinew/kit/clock.h"
#include "task/task.h"
#include "validate/checks.h"

enum { DAMAGED_COPIES = 200, LOADING_THREADS = 4 };

/* A value that is no address and no index, so that reading through it crashes or changes the result. */
enum { OVERWRITTEN = 0xDB };

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* Above the character's own blend, another one would pose the points a second time. What only proposes is never above it. */
static snw_status check_blend(const harness *b, snw_error *finding) {
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "lower");
	bool blends = false;
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		snw_program_part part;
		const char *reason;
		const snw_status status =
			snw_deny_caveat(snw_deformer_lower(b->deformer, &b->trial.host, b->model, b->values, m, &part, &reason));
		blends = blends || (!snw_failed(status) && part.blend != SNW_BLEND_NONE);
	}
	snw_thread_leave(previous);
	const snw_descriptor *descriptor = b->deformer->descriptor;
	if (blends && !(descriptor->traits & SNW_REPLACES_BLEND) && !snw_proposes_only(descriptor)) {
		return snw_fail(
			finding, SNW_ERROR_INTERNAL,
			"it lowers to a blend, but its traits lack SNW_REPLACES_BLEND; above the character's own blend it would "
			"pose the points twice");
	}
	return SNW_OK;
}

/* A mesh's linear blend as rows. */
static snw_rows_view rows_of(const snw_mesh_view *mesh, snw_arena *arena) {
	snw_rows_view view = {.size = sizeof view};
	if (mesh->influence_offsets) {
		double *rows = SNW_NEW_ARRAY(arena, double, 4 * (size_t)mesh->influence_offsets[mesh->point_count]);
		for (uint32_t p = 0; p < mesh->point_count; p++) {
			for (uint32_t k = mesh->influence_offsets[p]; k < mesh->influence_offsets[p + 1]; k++) {
				for (size_t c = 0; c < 4; c++) {
					rows[4 * (size_t)k + c] = mesh->influence_weights[k] * (c < 3 ? mesh->points_rest[3 * (size_t)p + c] : 1);
				}
			}
		}
		view.influence_offsets = mesh->influence_offsets;
		view.influence_slots = mesh->influence_slots;
		view.influence_rows = rows;
	}
	return view;
}

static bool lowers_to(const snw_program_part *part, const snw_rows_view *rows, uint32_t point_count) {
	if (!rows->influence_offsets) {
		return part->blend == SNW_BLEND_NONE;
	}
	const size_t count = rows->influence_offsets[point_count];
	return part->blend == SNW_BLEND_AFFINE && part->palette == SNW_PALETTE_JOINTS && part->influence_offsets &&
		   part->influence_slots && part->influence_rows &&
		   memcmp(part->influence_offsets, rows->influence_offsets, ((size_t)point_count + 1) * sizeof(uint32_t)) == 0 &&
		   memcmp(part->influence_slots, rows->influence_slots, count * sizeof(uint32_t)) == 0 &&
		   memcmp(part->influence_rows, rows->influence_rows, 4 * count * sizeof(double)) == 0;
}

static snw_status check_given(harness *b, const snw_rows_view *const *rows, snw_error *finding) {
	const snw_character_view *character = b->input->character;
	snw_model *model = NULL;
	const snw_status made = snw_deformer_reskin(b->deformer, &b->trial.host, character, rows, &model);
	if (made != SNW_OK || !model) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "reskin returned %d and %s model: %s", made, model ? "a" : "no",
						snw_services_failure(b->services, made));
	}
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snw_failed(status) && m < character->mesh_count; m++) {
		snw_program_part part;
		const char *reason;
		if (snw_failed(snw_deny_caveat(snw_deformer_lower(b->deformer, &b->trial.host, model, b->values, m, &part, &reason))) ||
			!lowers_to(&part, rows[m], character->meshes[m]->point_count)) {
			status =
				snw_fail(finding, SNW_ERROR_INTERNAL, "reskin returned a model that does not lower to the rows it was given");
		}
	}
	b->deformer->release(model);
	return status;
}

/* reskin makes the model of the rows that it is given. */
static snw_status check_rows(harness *b, snw_error *finding) {
	if (!b->deformer->reskin) {
		return SNW_OK;
	}
	const snw_character_view *character = b->input->character;
	snw_arena *arena = snw_arena_create();
	snw_rows_view *views = SNW_NEW_ARRAY(arena, snw_rows_view, character->mesh_count);
	const snw_rows_view **rows = SNW_NEW_ARRAY(arena, const snw_rows_view *, character->mesh_count);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		views[m] = rows_of(character->meshes[m], arena);
		rows[m] = &views[m];
	}
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "reskin");
	const snw_status status = check_given(b, rows, finding);
	snw_thread_leave(previous);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_validate_fit(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	snw_status status = snw_proposals_declare(b->deformer->descriptor, &b->proposals, finding);
	status = snw_failed(status) ? status : check_blend(b, finding);
	status = snw_failed(status) ? status : check_rows(b, finding);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "a model of the trial character");
}

/* ---- cancel -------------------------------------------------------------------------------------------------------------- */

static snw_status stop_at(harness *b, uint32_t place, snw_status *fitted, snw_error *finding) {
	snw_error fault = {0};
	trial_host_stop_at(&b->trial, place);
	snw_validate_note("when it was asked to stop at report %u", place);
	*fitted = harness_fit(b, &fault);
	/* A report of the end may be ignored: a stop then loses nothing. */
	const bool was_asked = b->trial.reports >= place && !b->trial.stopped_at_end;
	if (snw_failed(*fitted) && *fitted != SNW_CANCELLED) {
		return snw_fail(finding, *fitted, "%s", fault.text);
	}
	const snw_status released = harness_release(b, finding);
	if (snw_failed(released)) {
		return released;
	}
	return was_asked && *fitted != SNW_CANCELLED && *fitted != SNW_NOT_CONVERGED
			   ? snw_fail(finding, SNW_ERROR_INTERNAL, "fit ran to its end although progress returned 0 at report %u", place)
			   : SNW_OK;
}

/* At the first report of a fit, at the last, and at some between them. */
snw_status snw_validate_cancel(harness *b, const check_settings *settings, snw_error *finding) {
	static const uint32_t counts[] = {
		[SNW_VALIDATE_QUICK] = 3, [SNW_VALIDATE_NORMAL] = 8, [SNW_VALIDATE_THOROUGH] = UINT32_MAX};
	const double end = snk_clock_seconds() + settings->budget_seconds;
	const uint32_t total = b->trial.reports > 0 ? b->trial.reports : 1;
	const uint32_t most = total < counts[settings->level] ? total : counts[settings->level];
	uint32_t tried = 0, cancelled = 0, best = 0, reports = 0;
	snw_status status = harness_release(b, finding), fitted = SNW_OK;
	while (!snw_failed(status) && tried < most && (tried == 0 || snk_clock_seconds() < end)) {
		status = stop_at(b, most == 1 ? 1 : 1 + (uint32_t)((uint64_t)tried * (total - 1) / (most - 1)), &fitted, finding);
		tried++;
		cancelled += fitted == SNW_CANCELLED;
		best += fitted == SNW_NOT_CONVERGED;
		reports += b->trial.reports;
	}
	if (snw_failed(status)) {
		return status;
	}
	return reports == 0 ? snw_fail(finding, SNW_OK, "ends without asking for progress")
						: snw_fail(finding, SNW_OK, "stopped at %u of %u reports: %u cancelled, %u with the best so far", tried,
								   total, cancelled, best);
}

/* ---- models that evaluate to the same bits ------------------------------------------------------------------------------- */

static snw_status same_deform(const harness *b, const snw_model *other, const char *which, uint32_t pose,
							  const harness_driven *first, const harness_driven *second, snw_error *finding) {
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		const size_t bytes = (size_t)3 * b->scene->meshes[m].point_count * sizeof(double);
		double *one = malloc(bytes), *two = malloc(bytes);
		const bool deforms = harness_is_black_box(b, b->model, m);
		bool same = deforms == harness_is_black_box(b, other, m);
		if (deforms && same) {
			harness_deform(b, b->model, pose, first, m, NULL, one);
			harness_deform(b, other, pose, second, m, NULL, two);
			same = memcmp(one, two, bytes) == 0;
		}
		free(one);
		free(two);
		if (!same) {
			return snw_fail(finding, SNW_ERROR_INTERNAL, "%s deforms mesh '%s' to different bits at pose '%s'", which,
							b->scene->meshes[m].name, b->scene->poses[pose].name);
		}
	}
	return SNW_OK;
}

static bool same_layout(const snw_model_layout *a, const snw_model_layout *b) {
	return a->z_count == b->z_count && a->d_count == b->d_count && a->e_count == b->e_count &&
		   a->scratch_bytes == b->scratch_bytes && a->prepared_bytes == b->prepared_bytes;
}

/* The other model must drive and deform to the same bits as the harness's; `which` names it: "the loaded model". */
static snw_status same_evaluation(const harness *b, const snw_model *other, const char *which, snw_error *finding) {
	harness_driven first, second = {0};
	snw_status status = harness_driven_make(b, b->model, &first, finding);
	status = snw_failed(status) ? status : harness_driven_make(b, other, &second, finding);
	if (!snw_failed(status) && !same_layout(&first.layout, &second.layout)) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "%s has a different layout", which);
	}
	for (uint32_t p = 0; !snw_failed(status) && p < b->scene->pose_count; p++) {
		status = harness_drive(b, b->model, p, 0, &first, finding);
		status = snw_failed(status) ? status : harness_drive(b, other, p, 0xFF, &second, finding);
		if (!snw_failed(status) && memcmp(first.block, second.block, first.block_count * sizeof *first.block) != 0) {
			status =
				snw_fail(finding, SNW_ERROR_INTERNAL, "%s drives pose '%s' to different bits", which, b->scene->poses[p].name);
		}
		status = snw_failed(status) ? status : same_deform(b, other, which, p, &first, &second, finding);
	}
	harness_driven_free(&first);
	harness_driven_free(&second);
	return status;
}

/* The trial character once more, in memory of its own that can be overwritten, with the views that a fit of the harness
 * gets. */
static snw_status make_given_input(const harness *b, snw_arena **given, snw_fit_input **input, snw_error *finding) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	const snw_scene *scene = harness_make_scene(descriptor, SNW_TRIAL_USUAL);
	*given = scene->arena;
	const snw_value *values = snw_arena_copy(*given, b->values, descriptor->parameter_count * sizeof *values);
	return snw_fit_input_make(scene, descriptor->needs, NULL, SNW_NONE, descriptor->parameter_count, values, NULL, *given,
							  input, finding);
}

/* What fit and load are given lives as long as the call: a model that keeps a pointer into it evaluates to something else, or
 * crashes, once it is overwritten. */
static snw_status evaluate_without(const harness *b, const snw_model *model, snw_arena *given, const char *function,
								   snw_error *finding) {
	char which[100];
	snprintf(which, sizeof which, "a model that kept a pointer into what its %s was given", function);
	snw_arena_overwrite(given, OVERWRITTEN);
	snw_validate_note("after its %s had returned and what %s was given was overwritten: a model copies what it keeps", function,
					  function);
	const snw_status status = same_evaluation(b, model, which, finding);
	snw_validate_note("%s", "");
	return status;
}

static snw_status same_bytes(const harness *b, const snw_memory_sink *first, const snw_model *model, const char *what,
							 snw_error *finding) {
	snw_memory_sink second;
	const snw_status status = harness_save(b, model, &second, finding);
	if (snw_failed(status)) {
		return status;
	}
	const bool is_same = first->count == second.count && memcmp(first->bytes, second.bytes, first->count) == 0;
	snw_memory_sink_close(&second);
	return is_same ? SNW_OK : snw_fail(finding, SNW_ERROR_INTERNAL, "%s", what);
}

static bool is_saved(const harness *b) {
	return b->deformer->save && b->deformer->load;
}

/* ---- repeat -------------------------------------------------------------------------------------------------------------- */

/* Words about a second fit, and about a refit. */
static const struct {
	const char *bytes, *model;
} repeated[] = {
	{"a second fit, on 4 threads, saves other bytes", "the model of a second fit"},
	{"a refit of what the fit read saves other bytes: a refit keeps what the fit chose, and learns the rest as the fit does",
	 "the model of a refit"},
};

static snw_status compare_fits(const harness *b, const harness *again, bool is_refit, snw_arena *given, snw_error *finding) {
	snw_memory_sink first;
	snw_status status = SNW_OK;
	if (is_saved(b)) {
		status = harness_save(b, b->model, &first, finding);
		if (!snw_failed(status)) {
			status = same_bytes(b, &first, again->model, repeated[is_refit].bytes, finding);
			snw_memory_sink_close(&first);
		}
	}
	status = snw_failed(status) ? status : same_evaluation(b, again->model, repeated[is_refit].model, finding);
	return snw_failed(status) ? status : evaluate_without(b, again->model, given, "fit", finding);
}

/* Fits once more, with another number of threads: from the beginning, or as a refit of the harness's model. */
static snw_status fit_again(harness *b, bool is_refit, snw_error *finding) {
	snw_arena *given;
	snw_fit_input *input;
	harness again = *b;
	snw_status status = make_given_input(b, &given, &input, finding);
	again.instance = NULL;
	again.model = NULL;
	again.input = input;
	if (!snw_failed(status) && is_refit) {
		input->previous = b->model;
		input->refits = 1;
	}
	trial_host_open(&again.trial, b->trial.real);
	harness_forget_proposals(b);
	snw_parallel_threads(LOADING_THREADS);
	status = snw_failed(status) ? status : harness_fit_whole(&again, finding);
	status = snw_failed(status) ? status : compare_fits(b, &again, is_refit, given, finding);
	harness_release_model(b, again.model);
	if (again.instance) {
		b->deformer->destroy(again.instance);
	}
	snw_arena_destroy(given);
	return status;
}

snw_status snw_validate_repeat(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	const bool refits = b->deformer->descriptor->traits & SNW_REFITS_EXAMPLES;
	snw_status status = fit_again(b, false, finding);
	status = snw_failed(status) || !refits ? status : fit_again(b, true, finding);
	return snw_failed(status) ? status
							  : snw_fail(finding, SNW_OK, "a second fit%s, on %d threads, gives the same bits",
										 refits ? " and a refit" : "", LOADING_THREADS);
}

/* ---- save ---------------------------------------------------------------------------------------------------------------- */

static snw_status compare_loaded(const harness *b, const snw_memory_sink *saved, snw_error *finding) {
	snw_arena *given;
	snw_fit_input *input;
	snw_model *loaded = NULL;
	snw_status status = make_given_input(b, &given, &input, finding);
	status = snw_failed(status) ? status : harness_load(b, input->character, saved->bytes, saved->count, &loaded);
	if (snw_failed(status) || !loaded) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "load of the saved bytes returned status %d: %s", status,
						  snw_services_failure(b->services, status));
	}
	status = snw_failed(status) ? status : same_evaluation(b, loaded, "the loaded model", finding);
	status = snw_failed(status) ? status : same_bytes(b, saved, loaded, "the loaded model saves different bytes", finding);
	status = snw_failed(status) ? status : evaluate_without(b, loaded, given, "load", finding);
	harness_release_model(b, loaded);
	snw_arena_destroy(given);
	return status;
}

/* The stencils that take each point of each mesh to itself. */
static const snw_stencils_view *const *identity_stencils(const snw_character_view *character, snw_arena *arena) {
	snw_stencils_view *views = SNW_NEW_ARRAY(arena, snw_stencils_view, character->mesh_count);
	const snw_stencils_view **stencils = SNW_NEW_ARRAY(arena, const snw_stencils_view *, character->mesh_count);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const uint32_t count = character->meshes[m]->point_count;
		uint32_t *numbers = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1);
		double *shares = SNW_NEW_ARRAY(arena, double, count);
		for (uint32_t p = 0; p <= count; p++) {
			numbers[p] = p;
		}
		for (uint32_t p = 0; p < count; p++) {
			shares[p] = 1;
		}
		views[m] = (snw_stencils_view){
			.size = sizeof *views, .source_count = count, .offsets = numbers, .sources = numbers, .shares = shares};
		stencils[m] = &views[m];
	}
	return stencils;
}

/* What transfer makes is the model that load makes, where every point stays. */
static snw_status compare_transferred(const harness *b, const snw_memory_sink *saved, snw_error *finding) {
	if (!b->deformer->transfer) {
		return SNW_OK;
	}
	snw_arena *given;
	snw_fit_input *input;
	snw_model *transferred = NULL;
	snw_status status = make_given_input(b, &given, &input, finding);
	if (!snw_failed(status)) {
		const snw_transfer_call call = {.size = sizeof call,
										.host = &b->trial.host,
										.before = b->input->character,
										.bytes = saved->bytes,
										.count = saved->count,
										.character = input->character,
										.stencils = identity_stencils(input->character, given)};
		const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "transfer");
		status = snw_deformer_transfer(b->deformer, &call, &transferred);
		snw_thread_leave(previous);
	}
	if (status == SNW_ERROR_UNSUPPORTED && !transferred) {
		status = SNW_OK; /* this model cannot follow */
	} else if (status != SNW_OK || !transferred) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "transfer returned status %d and %s model: %s", status,
						  transferred ? "a" : "no", snw_services_failure(b->services, status));
	} else {
		status = same_evaluation(b, transferred, "a model that transfer took to the same points", finding);
		status = snw_failed(status) ? status : evaluate_without(b, transferred, given, "transfer", finding);
	}
	harness_release_model(b, transferred);
	snw_arena_destroy(given);
	return status;
}

static const char never_saved[] = "it binds, so it is never saved";

snw_status snw_validate_save(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	if (!is_saved(b)) {
		return snw_fail(finding, SNW_OK, never_saved);
	}
	snw_memory_sink saved;
	snw_status status = harness_save(b, b->model, &saved, finding);
	if (!snw_failed(status)) {
		status = compare_loaded(b, &saved, finding);
		status = snw_failed(status) ? status : compare_transferred(b, &saved, finding);
		status = snw_failed(status) ? status : snw_fail(finding, SNW_OK, "%zu bytes, the same bits after loading", saved.count);
		snw_memory_sink_close(&saved);
	}
	return status;
}

/* ---- damage -------------------------------------------------------------------------------------------------------------- */

/* Damages a copy: truncates it, flips bits, appends a byte, or makes all of it random. Returns its new size; `damage` receives
 * a description. */
static size_t damage(unsigned char *bytes, size_t count, uint64_t *random, char *description, size_t description_bytes) {
	const size_t at = count > 0 ? snw_random_next(random) % count : 0;
	switch (snw_random_next(random) % 5) {
	case 0:
		snprintf(description, description_bytes, "cut to %zu of %zu bytes", at, count);
		return at;
	case 1:
		bytes[count] = (unsigned char)snw_random_next(random);
		snprintf(description, description_bytes, "with one byte more than its %zu", count);
		return count + 1;
	case 2:
		for (size_t i = 0; i < count; i++) {
			bytes[i] = (unsigned char)snw_random_next(random);
		}
		snprintf(description, description_bytes, "of %zu random bytes", count);
		return count;
	default:
		if (count > 0) {
			bytes[at] ^= (unsigned char)(1u << snw_random_next(random) % 8);
		}
		snprintf(description, description_bytes, "with a bit flipped in byte %zu of %zu", at, count);
		return count;
	}
}

static snw_status load_damaged(harness *b, const snw_memory_sink *sink, uint64_t *random, snw_error *finding) {
	/* An allocation of exactly this size, so that a sanitizer detects a read past the end. */
	unsigned char *room = malloc(sink->count + 1);
	char description[100];
	memcpy(room, sink->bytes, sink->count);
	const size_t count = damage(room, sink->count, random, description, sizeof description);
	unsigned char *exact = malloc(count > 0 ? count : 1);
	memcpy(exact, room, count);
	free(room);
	snw_model *model = NULL;
	const snw_status loaded = harness_load(b, b->input->character, exact, count, &model);
	free(exact);
	const bool is_taken = loaded >= 0 || model;
	harness_release_model(b, model);
	return is_taken ? snw_fail(finding, SNW_ERROR_INTERNAL, "load accepts a damaged model, %s; save a checksum (sinew/bytes.h)",
							   description)
					: SNW_OK;
}

snw_status snw_validate_damage(harness *b, const check_settings *settings, snw_error *finding) {
	if (!is_saved(b)) {
		return snw_fail(finding, SNW_OK, never_saved);
	}
	snw_memory_sink sink;
	uint64_t random = settings->seed;
	snw_status status = harness_save(b, b->model, &sink, finding);
	if (snw_failed(status)) {
		return status;
	}
	for (int i = 0; !snw_failed(status) && i < DAMAGED_COPIES && sink.count > 0; i++) {
		status = load_damaged(b, &sink, &random, finding);
	}
	snw_memory_sink_close(&sink);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "%d damaged copies rejected", DAMAGED_COPIES);
}

/* ---- bounds -------------------------------------------------------------------------------------------------------------- */

/* A model of another character, as there is after a mesh or a skeleton was changed. load refuses it, or what it makes of it
 * stays within the arrays of the character and of the model: all of these end at fences here. */
typedef struct fenced_poses {
	const snw_pose_view **before;
	snw_pose_view *views;
	const snw_pose_view **pointers;
	uint32_t count;
} fenced_poses;

static fenced_poses fence_poses(harness *b) {
	const uint32_t count = b->scene->pose_count;
	fenced_poses made = {b->poses, SNW_NEW_ARRAY(b->scene->arena, snw_pose_view, count),
						 SNW_NEW_ARRAY(b->scene->arena, const snw_pose_view *, count), count};
	for (uint32_t p = 0; p < count; p++) {
		snw_pose_view *view = &made.views[p];
		*view = *b->poses[p];
		view->local = fenced_copy(view->local, view->joint_count * sizeof *view->local);
		view->rotation_vectors = fenced_copy(view->rotation_vectors, (size_t)3 * view->joint_count * sizeof(double));
		view->global = fenced_copy(view->global, (size_t)12 * view->joint_count * sizeof(double));
		view->palette = fenced_copy(view->palette, (size_t)12 * view->slot_count * sizeof(double));
		view->channels = fenced_copy(view->channels, view->channel_count * sizeof(double));
		made.pointers[p] = view;
	}
	b->poses = made.pointers;
	return made;
}

static void free_poses(harness *b, const fenced_poses *fenced) {
	b->poses = fenced->before;
	for (uint32_t p = 0; p < fenced->count; p++) {
		const snw_pose_view *view = &fenced->views[p];
		const void *const arrays[] = {view->local, view->rotation_vectors, view->global, view->palette, view->channels};
		for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
			fenced_release((void *)(uintptr_t)arrays[i]);
		}
	}
}

/* Reads the last numbers of what a part says for so many points. */
static double read_ends(const snw_program_part *part, uint32_t point_count) {
	double sum = 0;
	const uint32_t influences = part->influence_offsets ? part->influence_offsets[point_count] : 0;
	if (influences > 0) {
		sum += part->influence_slots ? part->influence_slots[influences - 1] : 0;
		sum += part->influence_weights ? part->influence_weights[influences - 1] : 0;
		sum += part->influence_rows ? part->influence_rows[4 * (size_t)influences - 1] : 0;
	}
	const snw_displacements *const displacements[] = {part->rest, part->posed};
	for (int i = 0; i < 2; i++) {
		const snw_displacements *d = displacements[i];
		const uint64_t entries = d && d->count > 0 ? d->offsets[d->count] : 0;
		sum += entries > 0 ? d->vectors[3 * entries - 1] : 0;
	}
	return sum;
}

static void lower_parts(const harness *b, const snw_model *model) {
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_OWNER, "lower");
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		snw_program_part part;
		const char *reason;
		if (snw_deformer_lower(b->deformer, &b->trial.host, model, b->values, m, &part, &reason) == SNW_OK) {
			volatile double is_read = read_ends(&part, b->scene->meshes[m].point_count);
			(void)is_read;
		}
	}
	snw_thread_leave(previous);
}

/* Whether load takes the bytes, which `words` describe. If so the model evaluates once. */
static snw_status load_between_fences(harness *b, const snw_memory_sink *sink, const char *words, bool *is_taken,
									  snw_error *finding) {
	snw_model *model = NULL;
	snw_error refused;
	snw_validate_note("while or after load was given a saved model %s", words);
	void *copy = fenced_copy(sink->bytes, sink->count);
	b->trial.is_fenced = true;
	const snw_status loaded = harness_load(b, b->input->character, copy, sink->count, &model);
	fenced_release(copy);
	*is_taken = model != NULL;
	snw_status status = SNW_OK;
	if (model) {
		lower_parts(b, model);
		status = harness_evaluate(b, model, &refused);
		status =
			snw_failed(status) ? snw_fail(finding, status, "load takes a saved model %s, and %s", words, refused.text) : status;
		harness_release_model(b, model);
	}
	b->trial.is_fenced = false;
	return *is_taken != snw_failed(loaded)
			   ? status
			   : snw_fail(finding, SNW_ERROR_INTERNAL, "load returned status %d and %s model for a saved model %s", loaded,
						  *is_taken ? "a" : "no", words);
}

#define OF_OTHER "of a character with other counts: this one has "

static const struct {
	snw_trial_shape shape;
	const char *words;
} others[] = {
	{SNW_TRIAL_MORE_POINTS, OF_OTHER "more points"}, {SNW_TRIAL_FEWER_POINTS, OF_OTHER "fewer points"},
	{SNW_TRIAL_MORE_JOINTS, OF_OTHER "more joints"}, {SNW_TRIAL_FEWER_JOINTS, OF_OTHER "fewer joints"},
	{SNW_TRIAL_MORE_MESHES, OF_OTHER "more meshes"}, {SNW_TRIAL_FEWER_MESHES, OF_OTHER "fewer meshes"},
};

/* A sequence has no joints that could be fewer. */
static bool has_other_counts(const snw_scene *scene, const snw_scene *usual) {
	bool is_other = scene->mesh_count != usual->mesh_count || scene->skeleton.joint_count != usual->skeleton.joint_count;
	for (uint32_t m = 0; m < scene->mesh_count && !is_other; m++) {
		is_other = scene->meshes[m].point_count != usual->meshes[m].point_count;
	}
	return is_other;
}

snw_status snw_validate_bounds(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	if (!is_saved(b)) {
		return snw_fail(finding, SNW_OK, never_saved);
	}
	snw_memory_sink sink;
	uint32_t tried = 0, taken = 0;
	snw_status status = harness_save(b, b->model, &sink, finding);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene *usual = harness_make_scene(b->deformer->descriptor, SNW_TRIAL_USUAL);
	status = harness_release(b, finding);
	for (size_t i = 0; i < sizeof others / sizeof others[0] && !snw_failed(status); i++) {
		bool is_taken = false;
		status = harness_change_scene(b, others[i].shape, finding);
		if (!snw_failed(status) && has_other_counts(b->scene, usual)) {
			const fenced_poses poses = fence_poses(b);
			status = load_between_fences(b, &sink, others[i].words, &is_taken, finding);
			free_poses(b, &poses);
			tried++;
		}
		taken += is_taken;
	}
	snw_scene_destroy(usual);
	snw_memory_sink_close(&sink);
	return snw_failed(status)
			   ? status
			   : snw_fail(finding, SNW_OK, "models of %u other characters stay in bounds, %u accepted", tried, taken);
}
