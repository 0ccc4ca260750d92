/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial/evaluation_hash.h"

#include <stdlib.h>

#include "base/adopt.h"
#include "base/hash.h"
#include "plugin/deformer_calls.h"

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

static void hash_displacements(snw_hash *hash, const snw_displacements *foreign) {
	snw_displacements d = {.size = sizeof d};
	const bool is_there = foreign && foreign->size >= offsetof(snw_displacements, joints);
	snw_hash_u64(hash, is_there ? foreign->count : UINT64_MAX);
	if (is_there && foreign->count > 0 && foreign->offsets) {
		snw_adopt(&d, sizeof d, foreign);
		const size_t entries = d.offsets[d.count];
		snw_hash_u32s(hash, d.coefficients, d.count);
		for (uint32_t k = 0; k <= d.count; k++) {
			snw_hash_u64(hash, d.offsets[k]);
		}
		snw_hash_u32s(hash, d.points, d.points ? entries : 0);
		snw_hash_f64s(hash, d.vectors, 3 * entries);
		snw_hash_u32s(hash, d.joints, d.count);
	}
}

static void hash_sparse_rows(snw_hash *hash, const snw_sparse_rows *rows) {
	const size_t entries = rows->offsets ? rows->offsets[rows->row_count] : 0;
	snw_hash_u64(hash, rows->column_count);
	snw_hash_u32s(hash, rows->offsets, (size_t)rows->row_count + 1);
	snw_hash_u32s(hash, rows->columns, entries);
	snw_hash_f64s(hash, rows->values, entries);
}

static void hash_palette(snw_hash *hash, const snw_program_part *part) {
	snw_hash_u64(hash, (uint64_t)part->palette);
	snw_hash_u64(hash, part->slot_count);
	if (part->palette == SNW_PALETTE_COMBINED && part->combined_rows) {
		hash_sparse_rows(hash, part->combined_rows);
	} else if (part->palette == SNW_PALETTE_COMBINED) {
		snw_hash_f64s(hash, part->combined, (size_t)4 * part->slot_count * part->combined_count);
	}
}

static void hash_blend(snw_hash *hash, const snw_program_part *part, uint32_t point_count) {
	const size_t influences = part->influence_offsets ? part->influence_offsets[point_count] : 0;
	snw_hash_u64(hash, (uint64_t)part->blend);
	snw_hash_u64(hash, (uint64_t)part->sign_rule);
	if (part->blend != SNW_BLEND_NONE) {
		snw_hash_u32s(hash, part->influence_offsets, (size_t)point_count + 1);
		snw_hash_u32s(hash, part->influence_slots, influences);
		snw_hash_f64s(hash, part->influence_weights, influences);
		snw_hash_f64s(hash, part->influence_rows, 4 * influences);
		hash_palette(hash, part);
	}
}

static void hash_part(snw_hash *hash, const snw_program_part *part, uint32_t point_count) {
	hash_blend(hash, part, point_count);
	hash_displacements(hash, part->rest);
	hash_displacements(hash, part->posed);
	snw_hash_u64(hash, (uint64_t)part->normal_palette);
	if (part->normal_palette != SNW_NORMALS_FROM_FACES) {
		snw_hash_u64(hash, part->normal_z);
		snw_hash_f64s(hash, part->normals_rest, (size_t)3 * point_count);
		hash_displacements(hash, part->rest_normals);
	}
}

static uint64_t hash_parts(const harness *b, const snw_model *model) {
	snw_hash hash = {0};
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "lower"});
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		snw_program_part part;
		const char *reason;
		const snw_status status = snw_deformer_lower(b->deformer, &b->trial.host, model, b->values, m, &part, &reason);
		snw_hash_u64(&hash, (uint64_t)status);
		if (status == SNW_OK) {
			hash_part(&hash, &part, b->scene->meshes[m].point_count);
		}
	}
	snw_thread_leave(previous);
	return snw_hash_value(&hash);
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

static void hash_points(snw_hash *hash, const harness *b, const snw_model *model, uint32_t pose, const harness_driven *driven) {
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		const size_t count = (size_t)3 * b->scene->meshes[m].point_count;
		double *points = malloc(count * sizeof *points);
		const snw_status status = harness_deform(b, model, pose, driven, m, NULL, points);
		snw_hash_u64(hash, (uint64_t)status);
		if (!snw_failed(status)) {
			snw_hash_f64s(hash, points, count);
		}
		free(points);
	}
}

snw_status harness_hash_evaluation(const harness *b, const snw_model *model, evaluation_hash *hash, snw_error *finding) {
	snw_hash driven_hash = {0}, deformed_hash = {0};
	harness_driven driven;
	const snw_status made = harness_driven_make(b, model, &driven, finding);
	if (snw_failed(made)) {
		return made;
	}
	for (uint32_t p = 0; p < b->scene->pose_count; p++) {
		snw_error fault = {0};
		const snw_status status = harness_drive(b, model, p, 0, &driven, &fault);
		snw_hash_u64(&driven_hash, (uint64_t)status);
		if (!snw_failed(status)) {
			snw_hash_f64s(&driven_hash, driven.block, driven.block_count);
			if (b->deformer->deform) {
				hash_points(&deformed_hash, b, model, p, &driven);
			}
		}
	}
	harness_driven_free(&driven);
	*hash = (evaluation_hash){hash_parts(b, model), snw_hash_value(&driven_hash), snw_hash_value(&deformed_hash)};
	return SNW_OK;
}
