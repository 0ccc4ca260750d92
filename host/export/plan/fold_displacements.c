/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Displacements after the blend, for formats without them: each is mapped by the inverse of the blend at the pose of its
 * example, and becomes a morph target.
 *
 * Such displacements exist because the blend is nearly singular there, so the inverse is regularised: Δ = (AᵀA + λ² I)⁻¹ Aᵀ F
 * E, with λ a tenth of A's mean stretch. That bounds Δ to five times E, since the morph target also acts halfway to its pose,
 * where the blend is not singular and all of Δ is visible. The remaining error is reported.
 */
#include <string.h>

#include "export/plan/passes.h"
#include "pose/pose.h"
#include "program/reference_evaluator.h"
#include "sinew/algebra.h"

static const double REGULARISATION = 0.1;

/* The displacements of one segment. */
typedef struct folding {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	uint32_t segment, rest_morphs;
	const snw_displacements *posed;
	const snw_plan_probes *probes;
	uint32_t *best; /* [posed->count]: the pose at which each is strongest */
	double *most;   /* [posed->count]: its coefficient there */
	bool *same;     /* [posed->count][rest_morphs]: whether their coefficients are equal in all poses */
} folding;

static snw_status find_poses(const folding *f, snw_error *error) {
	for (uint32_t p = 0; p < f->probes->count; p++) {
		const snw_pose_view *view;
		const snw_status status = snw_plan_drive(f->plan, f->probes->poses[p], f->plan->arena, &view, error);
		if (snw_failed(status)) {
			return status;
		}
		const snw_program_input *input = snw_stack_program_input(f->plan->evaluation, f->mesh->index, f->segment);
		for (uint32_t l = 0; l < f->posed->count; l++) {
			const double e = input->e[f->posed->coefficients[l]];
			if (fabs(e) > fabs(f->most[l])) {
				f->most[l] = e;
				f->best[l] = p;
			}
			for (uint32_t t = 0; t < f->rest_morphs; t++) {
				bool *same = &f->same[(size_t)l * f->rest_morphs + t];
				*same = *same && fabs(input->d[f->mesh->morphs[t].d] - e) <= 1e-9;
			}
		}
	}
	return SNW_OK;
}

/* The matrix that moves a point in the exported file. Proxy joints are fitted later, so the program's palette stands in for
 * them; for an affine blend, with the weights that replace its rows. */
static void blend_matrix(const folding *f, const snw_pose_view *view, uint32_t point, double matrix[12]) {
	const snw_plan_mesh *mesh = f->mesh;
	const bool has_proxies = mesh->proxy_count > 0;
	const snw_program_input *input =
		has_proxies ? snw_stack_program_input(f->plan->evaluation, mesh->index, mesh->segment) : NULL;
	if (has_proxies && mesh->program->blend != SNW_BLEND_AFFINE) {
		snw_program_reference_matrices(mesh->program, input, 1, &point, matrix);
		return;
	}
	if (mesh->placement == SNW_PLAN_STILL) {
		snw_mat34_identity(matrix);
		return;
	}
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t i = 0; i < mesh->width; i++) {
		const double weight = (double)mesh->weights[(size_t)point * mesh->width + i];
		const uint32_t slot = mesh->slots[(size_t)point * mesh->width + i];
		if (weight == 0) {
			continue; /* its slot may not be a proxy of the mesh */
		}
		const double *transform = has_proxies ? input->matrices + 12 * (size_t)mesh->proxy_slots[slot - mesh->first_slot]
											  : view->palette + 12 * (size_t)slot;
		for (int c = 0; c < 12; c++) {
			matrix[c] += weight * transform[c];
		}
	}
}

/* The morph target with the same coefficients as a displacement, or a new one. */
static snw_plan_morph *choose_morph(const folding *f, uint32_t l) {
	for (uint32_t t = 0; t < f->rest_morphs && f->most[l] != 0; t++) {
		if (f->same[(size_t)l * f->rest_morphs + t] && f->mesh->morphs[t].channel == SNW_NONE) {
			return &f->mesh->morphs[t];
		}
	}
	snw_plan_morph *morph = &f->mesh->morphs[f->mesh->morph_count++];
	*morph = (snw_plan_morph){.d = SNW_NONE, .e = f->posed->coefficients[l], .channel = SNW_NONE};
	morph->model_name = f->posed->names ? f->posed->names[l] : NULL;
	return morph;
}

static snw_status fold_one(const folding *f, uint32_t l, snw_error *error) {
	const uint64_t begin = f->posed->offsets[l];
	const uint32_t count = (uint32_t)(f->posed->offsets[l + 1] - begin);
	const snw_pose_view *view;
	const snw_status status = snw_plan_drive(f->plan, f->probes->poses[f->best[l]], f->plan->arena, &view, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_program_input *input = snw_stack_program_input(f->plan->evaluation, f->mesh->index, f->segment);
	const bool is_rotated = f->posed->joints && f->posed->joints[l] != SNW_NONE;
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	const double *rotation = is_rotated ? input->rotations + 9 * (size_t)l : identity;
	double *vectors = SNW_NEW_ARRAY(f->plan->arena, double, (size_t)count * 3), worst = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double *vector = f->posed->vectors + 3 * (begin + i);
		double matrix[12], rotated[3];
		for (int r = 0; r < 3; r++) {
			rotated[r] = snw_dot3(rotation + 3 * r, vector);
		}
		blend_matrix(f, view, f->posed->points[begin + i], matrix);
		worst = fmax(worst, snw_plan_invert_blend(matrix, rotated, REGULARISATION, vectors + 3 * (size_t)i));
	}
	snw_plan_add_to_morph(f->plan, choose_morph(f, l), count, f->posed->points + begin, vectors);
	snw_export_report *report = &f->plan->report;
	report->folded_count++;
	report->folded_max_metres = fmax(report->folded_max_metres, worst * fabs(f->most[l]));
	report->folded_max_percent = fmax(report->folded_max_percent, 100 * worst * fabs(f->most[l]) / f->mesh->diagonal);
	return SNW_OK;
}

snw_status snw_plan_fold(snw_plan *plan, snw_plan_mesh *mesh, uint32_t segment, uint32_t rest_morphs,
						 const snw_plan_probes *probes, snw_error *error) {
	folding f = {.plan = plan, .mesh = mesh, .segment = segment, .rest_morphs = rest_morphs, .probes = probes};
	f.posed = &snw_stack_segment(plan->stack, mesh->index, segment).program->posed;
	f.best = SNW_NEW_ARRAY(plan->arena, uint32_t, f.posed->count);
	f.most = SNW_NEW_ARRAY(plan->arena, double, f.posed->count);
	f.same = SNW_NEW_ARRAY(plan->arena, bool, (size_t)f.posed->count *rest_morphs);
	memset(f.same, true, (size_t)f.posed->count * rest_morphs * sizeof *f.same);
	snw_status status = find_poses(&f, error);
	for (uint32_t l = 0; l < f.posed->count && !snw_failed(status); l++) {
		if (f.posed->offsets[l + 1] > f.posed->offsets[l]) {
			status = fold_one(&f, l, error);
		}
	}
	return status;
}
