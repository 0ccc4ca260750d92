/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models with other counts than the character has, in order otherwise: those of another character, and those with other numbers
 * in their bytes and a sum that matches. load refuses them, or what it makes of them stays within the character's arrays, those
 * of the model, and the bytes: all of these end at fences here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "plugin/memory_sink.h"
#include "sinew/bytes.h"
#include "validate/checks/checks.h"
#include "validate/trial/evaluation_hash.h"
#include "validate/trial/fenced.h"

/* ---- evaluation between fences ------------------------------------------------------------------------------------------- */

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

/* Whether load takes the bytes, which `words` describe. If so the model evaluates once. */
static snw_status load_between_fences(harness *b, const void *bytes, size_t count, const char *words, bool *is_taken,
									  snw_error *finding) {
	snw_model *model = NULL;
	snw_validate_note("while or after load was given a saved model %s", words);
	void *copy = fenced_copy(bytes, count);
	trial_host_reset(&b->trial);
	b->trial.is_fenced = true;
	const snw_status loaded = harness_load(b, b->input->character, copy, count, &model);
	fenced_release(copy);
	*is_taken = model != NULL;
	snw_status status = SNW_OK;
	if (model) {
		evaluation_hash unused;
		snw_error refused;
		status = harness_hash_evaluation(b, model, &unused, &refused);
		status =
			snw_failed(status) ? snw_fail(finding, status, "load takes a saved model %s, and %s", words, refused.text) : status;
		b->deformer->release(model);
	}
	b->trial.is_fenced = false;
	return *is_taken != snw_failed(loaded)
			   ? status
			   : snw_fail(finding, SNW_ERROR_INTERNAL, "load returned status %d and %s model for a saved model %s", loaded,
						  *is_taken ? "a" : "no", words);
}

/* ---- other numbers in the bytes ------------------------------------------------------------------------------------------ */

/* Half of them among the first numbers, which are often counts. */
static void change_number(unsigned char *bytes, size_t count, uint64_t *random, char *words, size_t word_bytes) {
	static const uint32_t numbers[] = {0, 1, 2, 1000, 0x7fffffff, 0xffffffff};
	const size_t numbers_in = count / sizeof(uint32_t);
	const size_t among = snw_random_next(random) % 2 == 0 && numbers_in > 16 ? 16 : numbers_in;
	const size_t at = snw_random_next(random) % among * sizeof(uint32_t);
	uint32_t number;
	memcpy(&number, bytes + at, sizeof number);
	const uint64_t choice = snw_random_next(random) % 10;
	number = choice < 6 ? numbers[choice] : choice < 8 ? number + 1 : number - 1;
	memcpy(bytes + at, &number, sizeof number);
	const uint64_t sum = snw_bytes_sum(0, bytes, count);
	memcpy(bytes + count, &sum, sizeof sum);
	snprintf(words, word_bytes, "with byte %zu changed to %u and its sum made to match", at, number);
}

/* Only of bytes that end in the sum of sinew/bytes.h: others have no sum that could be made to match. */
static snw_status change_numbers(harness *b, const check_settings *settings, const snw_memory_sink *sink, uint32_t *tried,
								 uint32_t *taken, snw_error *finding) {
	static const uint32_t counts[] = {[SNW_VALIDATE_QUICK] = 40, [SNW_VALIDATE_NORMAL] = 200, [SNW_VALIDATE_THOROUGH] = 2000};
	uint64_t random = settings->seed;
	unsigned char *bytes = malloc(sink->count);
	snw_status status = SNW_OK;
	const snw_reader reader = snw_read_sealed(sink->bytes, sink->count);
	const uint32_t count = reader.failed || reader.count < sizeof(uint32_t) ? 0 : counts[settings->level];
	for (; *tried < count && !snw_failed(status); ++*tried) {
		char words[100];
		bool is_taken;
		memcpy(bytes, sink->bytes, sink->count);
		change_number(bytes, reader.count, &random, words, sizeof words);
		status = load_between_fences(b, bytes, sink->count, words, &is_taken, finding);
		*taken += is_taken;
	}
	free(bytes);
	return status;
}

/* ---- other characters ---------------------------------------------------------------------------------------------------- */

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

/* Leaves the harness with the usual character. */
static snw_status try_others(harness *b, const snw_memory_sink *sink, uint32_t *tried, uint32_t *taken, snw_error *finding) {
	snw_scene *usual = harness_make_scene(b->deformer->descriptor, SNW_TRIAL_USUAL);
	snw_status status = SNW_OK;
	for (size_t i = 0; i < sizeof others / sizeof others[0] && !snw_failed(status); i++) {
		bool is_taken = false;
		status = harness_change_scene(b, others[i].shape, finding);
		if (!snw_failed(status) && has_other_counts(b->scene, usual)) {
			const fenced_poses poses = fence_poses(b);
			status = load_between_fences(b, sink->bytes, sink->count, others[i].words, &is_taken, finding);
			free_poses(b, &poses);
			++*tried;
		}
		*taken += is_taken;
	}
	snw_scene_destroy(usual);
	return snw_failed(status) ? status : harness_change_scene(b, SNW_TRIAL_USUAL, finding);
}

snw_status snw_validate_bounds(harness *b, const check_settings *settings, snw_error *finding) {
	if (!b->deformer->save || !b->deformer->load) {
		return snw_fail(finding, SNW_OK, "it binds, so it is never saved");
	}
	snw_memory_sink sink;
	uint32_t changed = 0, changed_taken = 0, tried = 0, taken = 0;
	snw_status status = harness_save(b, b->model, &sink, finding);
	if (snw_failed(status)) {
		return status;
	}
	status = harness_release(b, finding);
	status = snw_failed(status) ? status : try_others(b, &sink, &tried, &taken, finding);
	if (!snw_failed(status)) {
		const fenced_poses poses = fence_poses(b);
		status = change_numbers(b, settings, &sink, &changed, &changed_taken, finding);
		free_poses(b, &poses);
	}
	snw_memory_sink_close(&sink);
	return snw_failed(status)
			   ? status
			   : snw_fail(finding, SNW_OK,
						  "models of %u other characters, %u accepted, and %u with other numbers, %u accepted, stay in "
						  "bounds",
						  tried, taken, changed, changed_taken);
}
