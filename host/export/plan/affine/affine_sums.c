/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "export/plan/affine/affine_fit.h"
#include "pose/pose.h"
#include "task/parallel.h"

enum { PAIRS_AT_ONCE = 64 };

static uint32_t find_candidate(snw_affine_candidates *list, uint32_t slot) {
	uint32_t at = 0;
	while (at < list->count && list->slots[at] != slot) {
		at++;
	}
	if (at == list->count) {
		list->slots[at] = slot;
		list->base_weight[at] = 0;
		memset(list->rows + 4 * (size_t)at, 0, 4 * sizeof *list->rows);
		list->count++;
	}
	return at;
}

void snw_affine_gather(const snw_plan_mesh *mesh, uint32_t point, snw_affine_candidates *list) {
	const snw_program *program = mesh->program;
	const snw_mesh *base = mesh->mesh;
	list->count = 0;
	for (uint32_t i = program->influence_offsets[point]; i < program->influence_offsets[point + 1]; i++) {
		double *row = list->rows + 4 * (size_t)find_candidate(list, program->influence_slots[i]);
		for (size_t c = 0; c < 4; c++) {
			row[c] += program->influence_rows[4 * (size_t)i + c];
		}
	}
	if (!mesh->runs_on_joints || !base->influence_offsets) {
		return;
	}
	for (uint32_t i = base->influence_offsets[point]; i < base->influence_offsets[point + 1]; i++) {
		list->base_weight[find_candidate(list, base->influence_slots[i])] += fmax(0, base->influence_weights[i]);
	}
}

snw_affine_candidates snw_affine_candidates_make(const snw_plan_mesh *mesh, snw_arena *arena) {
	uint32_t most = 0;
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		uint32_t count = mesh->program->influence_offsets[p + 1] - mesh->program->influence_offsets[p];
		if (mesh->mesh->influence_offsets) {
			count += mesh->mesh->influence_offsets[p + 1] - mesh->mesh->influence_offsets[p];
		}
		most = count > most ? count : most;
	}
	return (snw_affine_candidates){.capacity = most,
								   .slots = SNW_NEW_ARRAY(arena, uint32_t, most),
								   .rows = SNW_NEW_ARRAY(arena, double, 4 * (size_t)most),
								   .base_weight = SNW_NEW_ARRAY(arena, double, most)};
}

void snw_affine_find_pairs(const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_arena *arena) {
	snw_affine_candidates list = snw_affine_candidates_make(mesh, arena);
	const size_t slots = sums->slot_count;
	sums->pairs = SNW_NEW_ARRAY(arena, uint32_t, slots * slots);
	memset(sums->pairs, 0xff, slots * slots * sizeof *sums->pairs);
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		snw_affine_gather(mesh, p, &list);
		for (uint32_t a = 0; a < list.count; a++) {
			for (uint32_t b = 0; b < list.count; b++) {
				uint32_t *pair = &sums->pairs[list.slots[a] * slots + list.slots[b]];
				*pair = *pair == SNW_NONE ? sums->pair_count++ : *pair;
			}
		}
	}
	sums->pair_slots = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)sums->pair_count);
	sums->blocks = SNW_NEW_ARRAY(arena, double, 16 * (size_t)sums->pair_count);
	for (size_t i = 0; i < slots * slots; i++) {
		if (sums->pairs[i] != SNW_NONE) {
			sums->pair_slots[2 * (size_t)sums->pairs[i]] = (uint32_t)(i / slots);
			sums->pair_slots[2 * (size_t)sums->pairs[i] + 1] = (uint32_t)(i % slots);
		}
	}
}

static void add_blocks(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_affine_sums *sums = argument;
	for (size_t pair = begin; pair < end; pair++) {
		const double *a = sums->palette + 12 * (size_t)sums->pair_slots[2 * pair];
		const double *b = sums->palette + 12 * (size_t)sums->pair_slots[2 * pair + 1];
		double *block = sums->blocks + 16 * pair;
		for (int r = 0; r < 4; r++) {
			for (int c = 0; c < 4; c++) {
				block[4 * r + c] += a[r] * b[c] + a[4 + r] * b[4 + c] + a[8 + r] * b[8 + c];
			}
		}
	}
}

static snw_status add_moment(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_pose *pose, snw_affine_sums *sums,
							 snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_status status = snw_plan_drive(plan, pose, arena, &view, error);
	if (!snw_failed(status)) {
		sums->palette = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment)->matrices;
		sums->moment_count++;
		snw_parallel_for(sums->pair_count, PAIRS_AT_ONCE, add_blocks, sums);
	}
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_affine_add_moments(const snw_plan *plan, const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_status status = add_moment(plan, mesh, snw_pose_rest(plan->scene, arena), sums, error);
	status = !snw_failed(status) ? add_moment(plan, mesh, plan->rest, sums, error) : status;
	for (uint32_t p = 0; p < plan->scene->pose_count && plan->clip_count == 0 && !snw_failed(status); p++) {
		status = plan->is_playable[p] ? add_moment(plan, mesh, &plan->scene->poses[p], sums, error) : SNW_OK;
	}
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		double *seconds;
		uint32_t count;
		snw_plan_moments(plan, plan->clips[c], arena, &seconds, &count);
		for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
			const double part = (c + (double)i / count) / plan->clip_count;
			status = snw_plan_progress(plan, SNW_PLAN_FITS_BLENDS, (mesh - plan->meshes + 0.5 * part) / plan->mesh_count)
						 ? add_moment(plan, mesh, snw_clip_sampler_pose(plan->samplers[c], seconds[i], arena), sums, error)
						 : SNW_CANCELLED;
		}
	}
	snw_arena_destroy(arena);
	return status;
}
