/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Morph targets of a mesh: the imported ones, the rest displacements of all layers, and folded displacements.
 */
#include <string.h>

#include "export/plan/passes.h"
#include "sinew/algebra.h"

/* The imported morph target that a displacement equals; NULL if there is none. */
static const snw_morph *find_morph(const snw_mesh *mesh, const snw_displacements *rest, uint32_t k) {
	const uint64_t begin = rest->offsets[k], count = rest->offsets[k + 1] - begin;
	const snw_morph *likely = k < mesh->morph_count ? &mesh->morphs[k] : NULL;
	if (!likely || likely->count != count || likely->channel != rest->coefficients[k]) {
		return NULL;
	}
	const bool equal =
		count == 0 || (memcmp(likely->points, rest->points + begin, count * sizeof *rest->points) == 0 &&
					   memcmp(likely->vectors, rest->vectors + 3 * begin, 3 * (size_t)count * sizeof *rest->vectors) == 0);
	return equal ? likely : NULL;
}

static void map_displacement(const snw_plan_mesh *mesh, uint32_t point, const double vector[3], double dest[3]) {
	memcpy(dest, vector, 3 * sizeof *dest);
	for (int r = 0; r < 3 && mesh->displacement_maps; r++) {
		dest[r] = snw_dot3(mesh->displacement_maps + 9 * (size_t)point + 3 * r, vector);
	}
}

static void add_rest_morphs(const snw_plan *plan, snw_plan_mesh *mesh, const snw_displacements *rest) {
	for (uint32_t k = 0; k < rest->count; k++) {
		const uint64_t begin = rest->offsets[k];
		const uint32_t count = (uint32_t)(rest->offsets[k + 1] - begin);
		const snw_morph *imported = mesh->morph_count == k ? find_morph(mesh->mesh, rest, k) : NULL;
		if (count == 0 && !imported) {
			continue; /* a corrective of another mesh */
		}
		snw_plan_morph *morph = &mesh->morphs[mesh->morph_count++];
		*morph = (snw_plan_morph){.d = rest->coefficients[k], .e = SNW_NONE, .count = count};
		morph->model_name = imported ? imported->name : rest->names ? rest->names[k] : NULL;
		morph->channel = imported ? imported->channel : SNW_NONE;
		morph->points = SNW_NEW_ARRAY(plan->arena, uint32_t, count);
		morph->vectors = SNW_NEW_ARRAY(plan->arena, double, 3 * (size_t)count);
		for (uint32_t i = 0; i < count; i++) {
			morph->points[i] = rest->points[begin + i];
			map_displacement(mesh, morph->points[i], rest->vectors + 3 * (begin + i), morph->vectors + 3 * (size_t)i);
		}
	}
}

/* Gathers the rest displacements of all segments, then folds the posed ones. Imported morphs are the lowest layer, so they come
 * first, with unchanged data. */
static snw_status gather_morphs(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_probes *probes, snw_error *error) {
	const uint32_t segments = snw_stack_segment_count(plan->stack, mesh->index);
	size_t most = 0;
	for (uint32_t s = 0; s < segments; s++) {
		const snw_program *program = snw_stack_segment(plan->stack, mesh->index, s).program;
		most += program ? (size_t)program->rest.count + program->posed.count : 0;
	}
	mesh->morphs = SNW_NEW_ARRAY(plan->arena, snw_plan_morph, most);
	for (uint32_t s = 0; s < segments; s++) {
		const snw_program *program = snw_stack_segment(plan->stack, mesh->index, s).program;
		if (program) {
			add_rest_morphs(plan, mesh, &program->rest);
		}
	}
	const uint32_t rest_morphs = mesh->morph_count;
	snw_status status = SNW_OK;
	for (uint32_t s = 0; s < segments && !snw_failed(status); s++) {
		const snw_program *program = snw_stack_segment(plan->stack, mesh->index, s).program;
		if (program && program->posed.count > 0) {
			status = snw_plan_fold(plan, mesh, s, rest_morphs, probes, error);
		}
	}
	return status;
}

static bool is_taken(const snw_plan_mesh *mesh, uint32_t before, const char *name) {
	for (uint32_t t = 0; t < before; t++) {
		if (strcmp(mesh->morphs[t].name, name) == 0) {
			return true;
		}
	}
	return false;
}

static void name_morphs(const snw_plan *plan, snw_plan_mesh *mesh) {
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		snw_plan_morph *morph = &mesh->morphs[t];
		const char *wanted = morph->model_name && morph->model_name[0] ? morph->model_name
																	   : snw_arena_format(plan->arena, "corrective %u", t + 1);
		morph->name = wanted;
		for (uint32_t n = 2; is_taken(mesh, t, morph->name); n++) {
			morph->name = snw_arena_format(plan->arena, "%s.%u", wanted, n);
		}
	}
}

snw_status snw_plan_add_morphs(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_probes *probes, snw_error *error) {
	const snw_status status = gather_morphs(plan, mesh, probes, error);
	name_morphs(plan, mesh);
	return status;
}

/* ---- changing morph targets ---------------------------------------------------------------------------------------------- */

double snw_plan_invert_blend(const double a[12], const double posed[3], double regularisation, double vector[3]) {
	double normal[12] = {0}, right[3] = {0}, trace = 0;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			for (int k = 0; k < 3; k++) {
				normal[4 * r + c] += a[4 * k + r] * a[4 * k + c];
			}
			right[r] += a[4 * c + r] * posed[c];
		}
		trace += normal[5 * r];
	}
	for (int r = 0; r < 3; r++) {
		normal[5 * r] += regularisation * regularisation * trace / 3;
	}
	double inverse[12], reached[3];
	memset(vector, 0, 3 * sizeof *vector);
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, vector);
	}
	snw_mat34_vector(a, vector, reached);
	for (int r = 0; r < 3; r++) {
		reached[r] -= posed[r];
	}
	return snw_length3(reached);
}

void snw_plan_add_to_morph(const snw_plan *plan, snw_plan_morph *morph, uint32_t count, const uint32_t *points,
						   const double *vectors) {
	const size_t most = (size_t)morph->count + count;
	uint32_t *merged = SNW_NEW_ARRAY(plan->arena, uint32_t, most);
	double *sum = SNW_NEW_ARRAY(plan->arena, double, most * 3);
	uint32_t a = 0, b = 0, n = 0;
	while (a < morph->count || b < count) {
		const bool from_a = b == count || (a < morph->count && morph->points[a] <= points[b]);
		const bool from_b = a == morph->count || (b < count && points[b] <= morph->points[a]);
		merged[n] = from_a ? morph->points[a] : points[b];
		for (int c = 0; c < 3; c++) {
			sum[3 * n + (size_t)c] =
				(from_a ? morph->vectors[3 * a + (size_t)c] : 0) + (from_b ? vectors[3 * b + (size_t)c] : 0);
		}
		a += from_a;
		b += from_b;
		n++;
	}
	morph->count = n;
	morph->points = merged;
	morph->vectors = sum;
}
