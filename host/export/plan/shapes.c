/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shapes that are written for morph targets. A morph target whose weight leaves 0 to 1 is split into sides with weights of
 * 0 to 1, because packers and many engines clamp them. For an engine that does not, it is written whole, as `extras` describes
 * its weight; on meshes with proxy joints a driven one is split all the same. A displacement without a name whose coefficient
 * is always 1 (a method's rest shape) is added to the mesh.
 */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "export/plan/plan.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

/* ---- shapes -------------------------------------------------------------------------------------------------------------- */

#define SNW_PLAN_CLAMPED 1e-6 /* a weight beyond 0 to 1 by no more is clamped without a loss */

static void find_range(const snw_plan *plan, uint32_t weight, double *least, double *most) {
	*least = *most = plan->rest_weights[weight];
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		const snw_plan_samples *samples = &plan->samples[c];
		for (uint32_t i = 0; i < samples->count; i++) {
			const double value = samples->weights[(size_t)i * plan->weight_count + weight];
			*least = fmin(*least, value);
			*most = fmax(*most, value);
		}
	}
}

/* A displacement that is 1 in every pose is where the mesh is at rest. */
static void add_to_rest(const snw_plan *plan, snw_plan_mesh *mesh, snw_plan_morph *morph) {
	const size_t numbers = 3 * (size_t)mesh->mesh->point_count;
	double *points = SNW_NEW_ARRAY(plan->arena, double, numbers);
	memcpy(points, mesh->points_rest, numbers * sizeof *points);
	for (uint32_t i = 0; i < morph->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			points[3 * (size_t)morph->points[i] + c] += morph->vectors[3 * (size_t)i + c];
		}
	}
	mesh->points_rest = points;
	morph->count = 0;
}

static void add_shapes(const snw_plan *plan, snw_plan_mesh *mesh, uint32_t t) {
	double least, most;
	find_range(plan, mesh->first_weight + t, &least, &most);
	if (least == 1 && most == 1 && mesh->morphs[t].channel == SNW_NONE && !mesh->morphs[t].model_name) {
		add_to_rest(plan, mesh, &mesh->morphs[t]);
		return;
	}
	const snw_engine *engine = plan->request->engine ? plan->request->engine : snw_engine_any();
	const bool may_leave = mesh->proxy_count == 0 && !engine->clamps_weights;
	const bool is_import = mesh->morphs[t].channel != SNW_NONE;
	const double beyond = is_import ? SNW_PLAN_CHANNEL_CLAMPED : SNW_PLAN_CLAMPED;
	const bool whole = may_leave || (is_import && !mesh->splits_channels) || (least >= -beyond && most <= 1 + beyond);
	if (whole) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.morph = t, .reach = 1};
		return;
	}
	if (most > SNW_PLAN_CLAMPED) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.morph = t, .reach = most, .is_side = true};
	}
	if (least < -SNW_PLAN_CLAMPED) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.morph = t, .reach = least, .is_side = true};
	}
}

/* Each point that a shape moves has an index, a displacement and a normal. */
static uint64_t count_bytes(const snw_plan_mesh *mesh) {
	enum { POINT_BYTES = sizeof(uint32_t) + 6 * sizeof(float) };
	uint64_t bytes = 0;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		bytes += POINT_BYTES * (uint64_t)mesh->morphs[mesh->shapes[s].morph].count;
	}
	return bytes;
}

static uint64_t count_source_bytes(const snw_plan *plan) {
	uint64_t bytes = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		for (uint32_t t = 0; t < plan->scene->target_count; t++) {
			const snw_target *target = &plan->scene->targets[t];
			const bool is_of_mesh = target->mesh == plan->meshes[m].index;
			bytes += is_of_mesh ? 3 * sizeof(float) * (uint64_t)target->frame_count * plan->meshes[m].mesh->point_count : 0;
		}
	}
	return bytes;
}

void snw_plan_choose_shapes(snw_plan *plan) {
	plan->report.morph_count = plan->report.most_morphs = 0;
	plan->report.morph_bytes = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		mesh->shapes = SNW_NEW_ARRAY(plan->arena, snw_plan_shape, 2 * (size_t)mesh->morph_count);
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			add_shapes(plan, mesh, t);
		}
		plan->report.morph_count += mesh->shape_count;
		plan->report.morph_bytes += count_bytes(mesh);
		if (mesh->shape_count > plan->report.most_morphs) {
			plan->report.most_morphs = mesh->shape_count;
		}
	}
	plan->report.source_bytes = count_source_bytes(plan);
	if (plan->request->path && plan->report.source_bytes > 0 && plan->report.morph_bytes > plan->report.source_bytes) {
		snw_task_notice(
			plan->task, SNW_LOG_WARNING,
			"larger than the animation: about %.1f MB of morph targets, where its frames take %.1f MB; 'sinew bake' makes "
			"a smaller skin",
			1e-6 * (double)plan->report.morph_bytes, 1e-6 * (double)plan->report.source_bytes);
	}
}

double snw_plan_shape_weight(const snw_plan_shape *shape, double weight) {
	return shape->is_side ? fmax(0, weight / shape->reach) : weight;
}

const char *snw_plan_shape_name(const snw_plan_mesh *mesh, const snw_plan_shape *shape, snw_arena *arena) {
	const char *name = mesh->morphs[shape->morph].name;
	return shape->is_side ? snw_arena_format(arena, "%s %s", name, shape->reach > 0 ? "+" : "-") : name;
}

/* ---- fold displacements -------------------------------------------------------------------------------------------------- */

/* Displacements after the blend, for formats without them: each is mapped by the inverse of the blend at the pose of its
 * example, and becomes a morph target.
 *
 * Such displacements exist because the blend is nearly singular there, so the inverse is regularised: Δ = (AᵀA + λ² I)⁻¹ Aᵀ
 * F E, with λ a tenth of A's mean stretch. That bounds Δ to five times E, since the morph target also acts halfway to its
 * pose, where the blend is not singular and all of Δ is visible. The remaining error is reported. */

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

/* Folds one segment's posed displacements into those of the first `rest_morphs` morph targets that have the same weights, or
 * new ones. */
static snw_status plan_fold(snw_plan *plan, snw_plan_mesh *mesh, uint32_t segment, uint32_t rest_morphs,
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

/* ---- morphs -------------------------------------------------------------------------------------------------------------- */

/* Morph targets of a mesh: the imported ones, the rest displacements of all layers, and folded displacements. */

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
			status = plan_fold(plan, mesh, s, rest_morphs, probes, error);
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

/* ---- bounds -------------------------------------------------------------------------------------------------------------- */

/* Bounds of what an engine plays: boxes of the kept influences with the morph targets in them, and boxes of clips, wider by
 * what the file loses against the stack. All poses have a box where the skeleton's joints alone move a mesh: how far helper
 * joints and proxy joints go in poses that no clip shows is not known. */

/* The kept influences and the morph targets as a program whose coefficients are the morph targets' weights. */
static snw_program playable(const snw_plan_mesh *mesh, snw_arena *arena) {
	const uint32_t points = mesh->mesh->point_count, width = mesh->width;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points * width);
	double *weights = SNW_NEW_ARRAY(arena, double, (size_t)points *width);
	for (uint32_t p = 0; p < points; p++) {
		offsets[p + 1] = offsets[p];
		for (size_t i = (size_t)p * width; i < (size_t)(p + 1) * width && mesh->weights[i] > 0; i++) {
			slots[offsets[p + 1]] = mesh->slots[i];
			weights[offsets[p + 1]++] = (double)mesh->weights[i];
		}
	}
	return (snw_program){.point_count = points,
						 .blend = SNW_BLEND_LINEAR,
						 .points_rest = mesh->points_rest,
						 .influence_offsets = offsets,
						 .influence_slots = slots,
						 .influence_weights = weights};
}

static void add_morphs(const snw_plan_mesh *mesh, snw_program *program, snw_arena *arena) {
	const uint32_t count = mesh->morph_count;
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)count + 1);
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t t = 0; t < count; t++) {
		coefficients[t] = t;
		offsets[t + 1] = offsets[t] + mesh->morphs[t].count;
	}
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, offsets[count]);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * offsets[count]);
	for (uint32_t t = 0; t < count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		for (uint32_t i = 0; i < morph->count; i++) {
			points[offsets[t] + i] = morph->points[i];
			for (size_t c = 0; c < 3; c++) {
				vectors[3 * (offsets[t] + i) + c] = morph->vectors[3 * (size_t)i + c];
			}
		}
	}
	program->d_count = count;
	program->rest = (snw_displacements){
		.count = count, .coefficients = coefficients, .offsets = offsets, .points = points, .vectors = vectors};
}

static void add_boxes(const snw_plan *plan, const snw_motion_bounds *clips, snw_plan_mesh *mesh) {
	snw_arena *scratch = snw_arena_create();
	snw_program program = playable(mesh, scratch);
	program.slot_count = plan->rig.slot_count;
	add_morphs(mesh, &program, scratch);
	const uint32_t count = mesh->morph_count;
	snw_interval *ranges = SNW_NEW_ARRAY(scratch, snw_interval, count);
	double *values = SNW_NEW_ARRAY(scratch, double, (size_t)clips->sample_count *count);
	for (uint32_t t = 0; t < count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		const bool is_rest = morph->d != SNW_NONE;
		ranges[t] = is_rest ? clips->ranges[morph->d] : snw_interval_empty();
		for (size_t i = 0; i < clips->sample_count; i++) {
			values[i * count + t] = is_rest ? clips->d[i * clips->d_count + morph->d] : clips->e[i * clips->e_count + morph->e];
		}
	}
	const snw_coefficient_samples samples = {clips->sample_count, values, ranges};
	mesh->boxes = snw_slot_boxes_make(&program, &samples, plan->arena);
	snw_arena_destroy(scratch);
}

static void bound_mesh(const snw_plan *plan, const snw_motion_bounds *clips, snw_plan_mesh *mesh) {
	const double percent = fmax(plan->report.playback_max_percent, plan->report.between_max_percent);
	const double margin = percent / 100 * mesh->diagonal;
	mesh->clip_boxes = plan->clip_count > 0 ? SNW_NEW_ARRAY(plan->arena, snw_box, plan->clip_count) : NULL;
	if (mesh->placement == SNW_PLAN_SKINNED) {
		add_boxes(plan, clips, mesh);
	}
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		mesh->clip_boxes[c] = snw_box_widened(&clips->clips[mesh->index][plan->clips[c]], margin);
	}
	mesh->box_of_all_poses = snw_box_widened(&clips->poses[mesh->index], margin);
}

static bool report_bounds(void *plan, double fraction, const char *activity) {
	(void)activity;
	return snw_plan_progress(plan, SNW_PLAN_FINDS_BOUNDS, fraction);
}

snw_status snw_plan_find_bounds(snw_plan *plan, snw_error *error) {
	snw_motion_bounds clips;
	snw_error failure = {0};
	const snw_task task = {.context = plan, .progress = report_bounds};
	const snw_status status =
		snw_motion_bounds_make(plan->scene, plan->stack, plan->request->clip, &task, plan->arena, &clips, &failure);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", failure.text);
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		if (snw_failed(status)) {
			plan->meshes[m].box_of_all_poses = snw_box_empty();
		} else {
			bound_mesh(plan, &clips, &plan->meshes[m]);
		}
	}
	if (snw_failed(status)) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "the bounds in the extras are left out: %s", failure.text);
	}
	return SNW_OK;
}
