/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the functions that create, fit, save and load, where nothing fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "plugin/deformer_calls.h"
#include "plugin/memory_sink.h"
#include "plugin/requirements.h"
#include "validate/checks/checks.h"

enum { DAMAGED_COPIES = 200 };

/* ---- create, fit, cancel ------------------------------------------------------------------------------------------------- */

snw_status snw_validate_create(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "create"});
	snw_instance *instances[3] = {0};
	snw_status status = SNW_OK;
	for (int i = 0; i < 3 && !snw_failed(status); i++) {
		status = snw_deny_caveat(snw_deformer_create(b->deformer, &b->trial.host, &instances[i]));
	}
	const bool answers = snw_deformer_extension(b->deformer, "org.sinew.validator.none/0");
	for (int i = 0; i < 3; i++) {
		if (instances[i]) {
			b->deformer->destroy(instances[i]);
		}
	}
	snw_thread_leave(previous);
	if (snw_failed(status)) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "create returned status %d: %s", status,
						snw_services_failure(b->services, status));
	}
	if (answers) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "extension returns a table for an id that it cannot know");
	}
	status = harness_release(b, finding);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "three instances side by side");
}

/* Above the character's own blend, another one would pose the points a second time. What only proposes is never above it. */
static snw_status check_blend(const harness *b, snw_error *finding) {
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "lower"});
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

/* ---- reskin -------------------------------------------------------------------------------------------------------------- */

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
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "reskin"});
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
	if (snw_failed(status)) {
		return status;
	}
	return snw_fail(finding, SNW_OK, "a model of the trial character");
}

/* ---- save and load ------------------------------------------------------------------------------------------------------- */

static void release_model(const harness *b, snw_model *model) {
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "release"});
	b->deformer->release(model);
	snw_thread_leave(previous);
}

static snw_status same_deform(const harness *b, const snw_model *other, const char *which, uint32_t pose,
							  const harness_driven *first, const harness_driven *second, snw_error *finding) {
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		const size_t bytes = (size_t)3 * b->scene->meshes[m].point_count * sizeof(double);
		double *one = malloc(bytes), *two = malloc(bytes);
		const bool is_black_box = harness_deform_whole(b, b->model, pose, first, m, one);
		const bool same = is_black_box == harness_deform_whole(b, other, pose, second, m, two) &&
						  (!is_black_box || memcmp(one, two, bytes) == 0);
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

/* The fitted model and the loaded one must drive and deform to the same bits. */
snw_status snw_validate_same_evaluation(const harness *b, const snw_model *other, const char *which, snw_error *finding) {
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

snw_status snw_validate_save(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	if (!b->deformer->save || !b->deformer->load) {
		return snw_fail(finding, SNW_OK, "it binds, so it is never saved");
	}
	snw_memory_sink first, second;
	snw_status status = harness_save(b, b->model, &first, finding);
	if (snw_failed(status)) {
		return status;
	}
	snw_model *loaded = NULL;
	status = harness_load(b, b->input->character, first.bytes, first.count, &loaded);
	if (snw_failed(status) || !loaded) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "load of the saved bytes returned status %d: %s", status,
						  snw_services_failure(b->services, status));
	}
	status = snw_failed(status) ? status : snw_validate_same_evaluation(b, loaded, "the loaded model", finding);
	status = snw_failed(status) ? status : harness_save(b, loaded, &second, finding);
	if (!snw_failed(status)) {
		const bool same = first.count == second.count && memcmp(first.bytes, second.bytes, first.count) == 0;
		snw_memory_sink_close(&second);
		status = same ? snw_fail(finding, SNW_OK, "%zu bytes, the same bits after loading", first.count)
					  : snw_fail(finding, SNW_ERROR_INTERNAL, "the loaded model saves different bytes");
	}
	if (loaded) {
		release_model(b, loaded);
	}
	snw_memory_sink_close(&first);
	return status;
}

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

snw_status snw_validate_damage(harness *b, const check_settings *settings, snw_error *finding) {
	if (!b->deformer->save || !b->deformer->load) {
		return snw_fail(finding, SNW_OK, "it binds, so it is never saved");
	}
	snw_memory_sink sink;
	snw_status status = harness_save(b, b->model, &sink, finding);
	if (snw_failed(status)) {
		return status;
	}
	uint64_t random = settings->seed;
	for (int i = 0; !snw_failed(status) && i < DAMAGED_COPIES && sink.count > 0; i++) {
		/* An allocation of exactly this size, so that a sanitizer detects a read past the end. */
		unsigned char *room = malloc(sink.count + 1);
		char description[100];
		memcpy(room, sink.bytes, sink.count);
		const size_t count = damage(room, sink.count, &random, description, sizeof description);
		unsigned char *exact = malloc(count > 0 ? count : 1);
		memcpy(exact, room, count);
		free(room);
		snw_model *model = NULL;
		const snw_status loaded = harness_load(b, b->input->character, exact, count, &model);
		free(exact);
		if (loaded >= 0 || model) {
			status = snw_fail(finding, SNW_ERROR_INTERNAL, "load accepts a damaged model, %s; save a checksum (sinew/bytes.h)",
							  description);
			if (model) {
				release_model(b, model);
			}
		}
	}
	snw_memory_sink_close(&sink);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "%d damaged copies rejected", DAMAGED_COPIES);
}
