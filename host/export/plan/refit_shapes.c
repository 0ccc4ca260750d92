/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Morph targets make up for what the blend of a file does otherwise than the stack.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "export/plan/passes.h"
#include "mesh/mesh.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- displacements ------------------------------------------------------------------------------------------------------- */

/* Correctives of a stack that the file cannot play completely: a black box is left out, or another blend plays as linear blend.
 * Their displacements were inverted through the missing layers, so each sculpt is inverted again, for the blend of the file.
 *
 * At example k the morph targets have the coefficients c_k, and a point is off by x_k in rest space. Changes Δ of the morph
 * targets with Σ_t c_kt Δ_t = x_k at all examples move it to its position in the stack; the smallest of them is Δ = Cᵀ (C Cᵀ)⁻¹
 * x. Only points that a morph target moves already are changed. */

/* The largest change of a point in rest space, relative to its error: where the blend is nearly singular, larger ones would be
 * visible between the sculpts. */
static const double FARTHEST = 10;
static const double LEAST_REGULARISATION = 1e-6, MOST_REGULARISATION = 0.1;
static const double RIDGE = 1e-12;     /* relative to the coefficients' products, for examples at the same pose */
static const double NEGLIGIBLE = 1e-7; /* relative to the diagonal */

typedef struct again {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	snw_arena *arena;
	uint32_t example_count;
	const snw_pose **poses; /* [example_count] */
	uint32_t morph_count;
	uint32_t *morphs;     /* [morph_count]: those that were not imported */
	double *coefficients; /* [example_count][morph_count] */
	double *shares;       /* [morph_count][example_count]: the part of x_k for each morph target */
	uint32_t point_count;
	uint32_t *points;       /* [point_count]: the points that morph targets move, ascending */
	double *changes;        /* [morph_count][point_count][3] */
	double *truth, *played; /* [points of the mesh][3] */
	double *weights;        /* [weight_count] */
} again;

/* Whether the file differs from the stack, on the joints of the scene. */
static bool plays_another(const snw_plan *plan, const snw_plan_mesh *mesh) {
	bool another = mesh->program && mesh->program->blend == SNW_BLEND_DUAL_QUATERNION && !mesh->dual_quaternions;
	for (uint32_t s = 0; s < snw_stack_segment_count(plan->stack, mesh->index); s++) {
		const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, s);
		another = another || !info.is_program || (s != mesh->segment && info.program->blend != SNW_BLEND_NONE);
	}
	return another && mesh->proxy_count == 0;
}

/* The examples that a coefficient belongs to. */
static void find_examples(again *a) {
	const snw_scene *scene = a->plan->scene;
	double *acting = SNW_NEW_ARRAY(a->arena, double, scene->example_count);
	snw_stack_example_weights(a->plan->evaluation, acting);
	a->poses = SNW_NEW_ARRAY(a->arena, const snw_pose *, scene->example_count);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (example->mesh == a->mesh->index && !example->muted && !isnan(acting[i]) && a->plan->is_playable[example->pose]) {
			a->poses[a->example_count++] = &scene->poses[example->pose];
		}
	}
}

static void find_morphs(again *a) {
	const snw_plan_mesh *mesh = a->mesh;
	bool *moves = SNW_NEW_ARRAY(a->arena, bool, mesh->mesh->point_count);
	a->morphs = SNW_NEW_ARRAY(a->arena, uint32_t, mesh->morph_count);
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		if (morph->channel != SNW_NONE) {
			continue;
		}
		a->morphs[a->morph_count++] = t;
		for (uint32_t i = 0; i < morph->count; i++) {
			a->point_count += !moves[morph->points[i]];
			moves[morph->points[i]] = true;
		}
	}
	a->points = SNW_NEW_ARRAY(a->arena, uint32_t, a->point_count);
	for (uint32_t p = 0, n = 0; p < mesh->mesh->point_count; p++) {
		if (moves[p]) {
			a->points[n++] = p;
		}
	}
}

static snw_status find_coefficients(again *a, snw_error *error) {
	a->coefficients = SNW_NEW_ARRAY(a->arena, double, (size_t)a->example_count * a->morph_count);
	for (uint32_t k = 0; k < a->example_count; k++) {
		const snw_pose_view *view;
		const snw_status status = snw_plan_drive(a->plan, a->poses[k], a->arena, &view, error);
		if (snw_failed(status)) {
			return status;
		}
		snw_plan_driven_weights(a->plan, a->weights);
		for (uint32_t t = 0; t < a->morph_count; t++) {
			a->coefficients[(size_t)k * a->morph_count + t] = a->weights[a->mesh->first_weight + a->morphs[t]];
		}
	}
	return SNW_OK;
}

/* (C Cᵀ)⁻¹ C; false if it is singular. */
static bool find_shares(again *a) {
	const uint32_t n = a->example_count, width = a->morph_count;
	double *products = SNW_NEW_ARRAY(a->arena, double, (size_t)n *n), trace = 0;
	a->shares = SNW_NEW_ARRAY(a->arena, double, (size_t)n *width);
	for (size_t k = 0; k < n; k++) {
		for (size_t t = 0; t < width; t++) {
			a->shares[t * n + k] = a->coefficients[k * width + t];
		}
	}
	for (size_t r = 0; r < n; r++) {
		for (size_t c = 0; c < n; c++) {
			for (size_t t = 0; t < width; t++) {
				products[r * n + c] += a->coefficients[r * width + t] * a->coefficients[c * width + t];
			}
		}
		trace += products[r * n + r];
	}
	for (size_t r = 0; r < n; r++) {
		products[r * n + r] += RIDGE * trace;
	}
	return snw_solve_positive(n, width, products, a->shares);
}

/* The matrix that moves a point in the file. */
static void file_matrix(const snw_plan_mesh *mesh, const double *palette, uint32_t point, double matrix[12]) {
	if (mesh->placement == SNW_PLAN_STILL) {
		snw_mat34_identity(matrix);
		return;
	}
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t i = 0; i < mesh->width; i++) {
		const double weight = (double)mesh->weights[(size_t)point * mesh->width + i];
		const double *transform = palette + 12 * (size_t)mesh->slots[(size_t)point * mesh->width + i];
		for (int c = 0; c < 12 && weight != 0; c++) {
			matrix[c] += weight * transform[c];
		}
	}
}

/* Evaluates an example in the stack and in the file. */
static snw_status show(again *a, uint32_t k, snw_arena *arena, const snw_pose_view **view, snw_error *error) {
	snw_status status = snw_plan_drive(a->plan, a->poses[k], arena, view, error);
	if (!snw_failed(status)) {
		status = snw_stack_reference(a->plan->stack, a->plan->evaluation, a->mesh->index, NULL, a->truth, error);
	}
	if (!snw_failed(status)) {
		snw_plan_driven_weights(a->plan, a->weights);
		snw_plan_apply_morphs(a->mesh, a->weights, a->played);
	}
	return status;
}

/* The posed error of a point in the file at the evaluated example. */
static void find_gap(const again *a, uint32_t point, const double matrix[12], double gap[3]) {
	snw_mat34_point(matrix, a->played + 3 * (size_t)point, gap);
	for (size_t c = 0; c < 3; c++) {
		gap[c] = a->truth[3 * (size_t)point + c] - gap[c];
	}
}

/* The error in rest space, with the least regularisation that bounds it. */
static void invert_gap(const double matrix[12], const double gap[3], double vector[3]) {
	double regularisation = LEAST_REGULARISATION;
	snw_plan_invert_blend(matrix, gap, regularisation, vector);
	while (snw_length3(vector) > FARTHEST * snw_length3(gap) && regularisation < MOST_REGULARISATION) {
		regularisation *= 2;
		snw_plan_invert_blend(matrix, gap, regularisation, vector);
	}
}

static snw_status add_example(again *a, uint32_t k, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_status status = show(a, k, arena, &view, error);
	for (uint32_t i = 0; i < a->point_count && !snw_failed(status); i++) {
		double matrix[12], gap[3], vector[3];
		file_matrix(a->mesh, view->palette, a->points[i], matrix);
		find_gap(a, a->points[i], matrix, gap);
		invert_gap(matrix, gap, vector);
		for (uint32_t t = 0; t < a->morph_count; t++) {
			double *change = a->changes + 3 * ((size_t)t * a->point_count + i);
			for (int c = 0; c < 3; c++) {
				change[c] += a->shares[(size_t)t * a->example_count + k] * vector[c];
			}
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static void change_morph(const again *a, uint32_t t) {
	uint32_t *points = SNW_NEW_ARRAY(a->plan->arena, uint32_t, a->point_count);
	double *vectors = SNW_NEW_ARRAY(a->plan->arena, double, 3 * (size_t)a->point_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < a->point_count; i++) {
		const double *change = a->changes + 3 * ((size_t)t * a->point_count + i);
		if (snw_length3(change) > NEGLIGIBLE * a->mesh->diagonal) {
			points[count] = a->points[i];
			memcpy(vectors + 3 * (size_t)count++, change, 3 * sizeof *change);
		}
	}
	snw_plan_add_to_morph(a->plan, &a->mesh->morphs[a->morphs[t]], count, points, vectors);
}

/* The remaining error of the file at the examples, where its correctives act. */
static snw_status measure(again *a, snw_error *error) {
	snw_export_report *report = &a->plan->report;
	for (uint32_t k = 0; k < a->example_count; k++) {
		snw_arena *arena = snw_arena_create();
		const snw_pose_view *view;
		const snw_status status = show(a, k, arena, &view, error);
		for (uint32_t i = 0; i < a->point_count && !snw_failed(status); i++) {
			double matrix[12], gap[3];
			file_matrix(a->mesh, view->palette, a->points[i], matrix);
			find_gap(a, a->points[i], matrix, gap);
			report->inverted_again_max_metres = fmax(report->inverted_again_max_metres, snw_length3(gap));
			report->inverted_again_max_percent =
				fmax(report->inverted_again_max_percent, 100 * snw_length3(gap) / a->mesh->diagonal);
		}
		snw_arena_destroy(arena);
		if (snw_failed(status)) {
			return status;
		}
	}
	return SNW_OK;
}

static snw_status invert_mesh(again *a, snw_error *error) {
	const size_t numbers = 3 * (size_t)a->mesh->mesh->point_count;
	a->truth = SNW_NEW_ARRAY(a->arena, double, numbers);
	a->played = SNW_NEW_ARRAY(a->arena, double, numbers);
	a->weights = SNW_NEW_ARRAY(a->arena, double, a->plan->weight_count);
	find_morphs(a);
	find_examples(a);
	snw_status status = find_coefficients(a, error);
	if (snw_failed(status) || a->example_count == 0 || a->point_count == 0 || !find_shares(a)) {
		return status;
	}
	a->changes = SNW_NEW_ARRAY(a->arena, double, 3 * (size_t)a->morph_count * a->point_count);
	for (uint32_t k = 0; k < a->example_count && !snw_failed(status); k++) {
		status = add_example(a, k, error);
	}
	for (uint32_t t = 0; t < a->morph_count && !snw_failed(status); t++) {
		change_morph(a, t);
	}
	a->plan->report.inverted_again_count += a->example_count;
	return snw_failed(status) ? status : measure(a, error);
}

snw_status snw_plan_invert_again(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		if (plan->meshes[m].morph_count > 0 && plays_another(plan, &plan->meshes[m])) {
			again a = {.plan = plan, .mesh = &plan->meshes[m], .arena = snw_arena_create()};
			status = invert_mesh(&a, error);
			snw_arena_destroy(a.arena);
		}
	}
	return status;
}

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* Normals of morph targets. An engine rotates a normal by the blended matrix M of its point, as it rotates the point. What the
 * displaced faces have at rest does not become right by that: where a blend collapses, a corrective moves points so far at rest
 * that faces flip over. So the smallest changes c_k (damped least squares) are added to the morph targets' normals for which
 *
 *     n + Σ_k w_k (f_k + c_k) = g,   g = M⁻¹ n' / |M⁻¹ n'|
 *
 * in the named poses and at moments of the clips, where n is the point's normal at rest, f_k what the faces displaced by shape
 * k add, w_k its weight, and n' the normal of the stack's faces. Points whose faces no shape rotates stay as they are. */

enum { MOMENTS_A_CLIP = 24 };
static const double DAMPING = 0.02;   /* against the sum of squared weights, which is 1 for one sculpt */
static const double COLLAPSED = 1e-4; /* the least determinant of a matrix whose longest column is 1 */
static const double AT_REST = 1e-3;   /* weights below which a moment says nothing */

typedef struct fitting {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	snw_played_normals *played;
	snw_normal_plan *normal_plan;
	double *truth;           /* [point_count][3] */
	float *points, *normals; /* [point_count][3]: the same, and its normals */
	double *missing;         /* [point_count][3]: g − n − Σ w f at the moment */
	double *weights;         /* [shape_count]: at the moment; 0 for shapes of imported channels */
	double *squares;         /* [shape_count][shape_count]: Σ w w */
	double **sides;          /* [shape_count][the points that it turns][3]: Σ w (g − n − Σ w f) */
} fitting;

static bool is_fitted(const snw_plan_mesh *mesh, const snw_plan_shape *shape) {
	return mesh->morphs[shape->morph].channel == SNW_NONE;
}

/* g − what is there, for one point; zero where M has collapsed. */
static void find_missing(const fitting *f, const double *palette, uint32_t point, const float *there, double dest[3]) {
	const snw_plan_mesh *mesh = f->mesh;
	double m[12] = {0}, inverse[12], longest = 0;
	for (uint32_t i = 0; i < mesh->width; i++) {
		const size_t at = (size_t)point * mesh->width + i;
		const double *matrix = palette + 12 * (size_t)(mesh->slots[at] - mesh->first_slot);
		for (int k = 0; k < 12 && mesh->weights[at] > 0; k++) {
			m[k] += (double)mesh->weights[at] * matrix[k];
		}
	}
	for (int c = 0; c < 3; c++) {
		const double column[3] = {m[c], m[4 + c], m[8 + c]};
		longest = fmax(longest, snw_length3(column));
	}
	const float *normal = f->normals + 3 * (size_t)point;
	const double wanted[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
	memset(dest, 0, 3 * sizeof *dest);
	if (!(fabs(snw_mat34_determinant(m)) > COLLAPSED * longest * longest * longest) || !(snw_dot3(wanted, wanted) > 0) ||
		!snw_mat34_invert(m, inverse)) {
		return;
	}
	snw_mat34_vector(inverse, wanted, dest);
	snw_normalize3(dest);
	for (int c = 0; c < 3; c++) {
		dest[c] -= (double)there[c];
	}
}

static void add_moment(const fitting *f, const double *palette) {
	const snw_plan_mesh *mesh = f->mesh;
	const uint32_t points = mesh->mesh->point_count, shapes = mesh->shape_count;
	const float *there = snw_played_normals_at_rest(f->played, f->weights);
	for (size_t i = 0; i < 3 * (size_t)points; i++) {
		f->points[i] = (float)f->truth[i];
	}
	snw_normals_of_points(f->normal_plan, f->points, f->normals);
	for (uint32_t p = 0; p < points; p++) {
		find_missing(f, palette, p, there + 3 * (size_t)p, f->missing + 3 * (size_t)p);
	}
	for (uint32_t s = 0; s < shapes; s++) {
		for (uint32_t t = 0; t < shapes; t++) {
			f->squares[(size_t)s * shapes + t] += f->weights[s] * f->weights[t];
		}
		const snw_rotated_points rotated = snw_played_normals_rotated(f->played, s);
		for (size_t i = 0; i < rotated.count && f->weights[s] != 0; i++) {
			for (size_t c = 0; c < 3; c++) {
				f->sides[s][3 * i + c] += f->weights[s] * f->missing[3 * (size_t)rotated.points[i] + c];
			}
		}
	}
}

/* Of the pose that is driven. False if no shape acts there. */
static bool find_weights(const fitting *f, snw_arena *arena) {
	const snw_plan_mesh *mesh = f->mesh;
	double *driven = SNW_NEW_ARRAY(arena, double, f->plan->weight_count), most = 0;
	snw_plan_driven_weights(f->plan, driven);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_shape *shape = &mesh->shapes[s];
		f->weights[s] = snw_plan_shape_weight(shape, driven[mesh->first_weight + shape->morph]);
		most = is_fitted(mesh, shape) ? fmax(most, fabs(f->weights[s])) : most;
	}
	return most > AT_REST;
}

/* A moment at which a layer cannot be driven says nothing: if it is one that the file plays, measuring it fails later. */
static snw_status add_pose(const fitting *f, const snw_pose *pose, uint32_t clip) {
	if (!snw_plan_progress(f->plan, SNW_PLAN_MEASURES, 0)) {
		return SNW_CANCELLED;
	}
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_plan_instant at = {.seconds = pose->seconds};
	snw_error ignored = {0};
	snw_status status = snw_plan_drive(f->plan, pose, arena, &view, &ignored);
	if (!snw_failed(status) && find_weights(f, arena)) {
		status = snw_stack_reference(f->plan->stack, f->plan->evaluation, f->mesh->index, NULL, f->truth, &ignored);
		if (!snw_failed(status)) {
			add_moment(f, snw_plan_palette(f->plan, f->mesh, clip, &at, view, arena));
		}
	}
	snw_arena_destroy(arena);
	return status == SNW_CANCELLED ? status : SNW_OK;
}

/* Some of the moments that are measured. */
static snw_status add_clip(const fitting *f, uint32_t c) {
	const snw_plan_samples *samples = &f->plan->samples[c];
	const uint32_t count = samples->count < MOMENTS_A_CLIP ? samples->count : MOMENTS_A_CLIP;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		snw_arena *arena = snw_arena_create();
		const double seconds = samples->seconds[count > 1 ? (uint64_t)i * (samples->count - 1) / (count - 1) : 0];
		status = add_pose(f, snw_clip_sampler_pose(f->plan->samplers[c], seconds, arena), c);
		snw_arena_destroy(arena);
	}
	return status;
}

/* Where the shapes that rotate each point have it in their lists. */
typedef struct shapes_at_points {
	uint32_t *offsets; /* [point_count + 1] */
	uint32_t *shapes, *places;
} shapes_at_points;

static shapes_at_points gather_shapes_at_points(const fitting *f, snw_arena *arena) {
	const snw_plan_mesh *mesh = f->mesh;
	const size_t points = mesh->mesh->point_count;
	shapes_at_points t = {.offsets = SNW_NEW_ARRAY(arena, uint32_t, points + 2)};
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_rotated_points rotated = snw_played_normals_rotated(f->played, s);
		for (uint32_t i = 0; i < rotated.count && is_fitted(mesh, &mesh->shapes[s]); i++) {
			t.offsets[rotated.points[i] + 2]++;
		}
	}
	for (size_t p = 0; p < points; p++) {
		t.offsets[p + 2] += t.offsets[p + 1];
	}
	t.shapes = SNW_NEW_ARRAY(arena, uint32_t, t.offsets[points + 1]);
	t.places = SNW_NEW_ARRAY(arena, uint32_t, t.offsets[points + 1]);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_rotated_points rotated = snw_played_normals_rotated(f->played, s);
		for (uint32_t i = 0; i < rotated.count && is_fitted(mesh, &mesh->shapes[s]); i++) {
			const uint32_t at = t.offsets[rotated.points[i] + 1]++;
			t.shapes[at] = s;
			t.places[at] = i;
		}
	}
	return t;
}

/* The changes of one point by all shapes that rotate it. */
static void solve_point(const fitting *f, const shapes_at_points *t, uint32_t point, double *matrix, double *side) {
	const uint32_t begin = t->offsets[point], count = t->offsets[point + 1] - begin, shapes = f->mesh->shape_count;
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			matrix[(size_t)a * count + b] =
				f->squares[(size_t)t->shapes[begin + a] * shapes + t->shapes[begin + b]] + (a == b ? DAMPING : 0);
		}
		const double *wanted = f->sides[t->shapes[begin + a]] + 3 * (size_t)t->places[begin + a];
		for (size_t c = 0; c < 3; c++) {
			side[c * count + a] = wanted[c];
		}
	}
	if (count == 0 || !snw_solve_positive(count, 3, matrix, side)) {
		return;
	}
	for (uint32_t a = 0; a < count; a++) {
		float *change = f->mesh->shapes[t->shapes[begin + a]].normal_changes + 3 * (size_t)t->places[begin + a];
		for (size_t c = 0; c < 3; c++) {
			change[c] = (float)side[c * count + a];
		}
	}
}

static void solve(const fitting *f, snw_arena *scratch) {
	const snw_plan_mesh *mesh = f->mesh;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_rotated_points rotated = snw_played_normals_rotated(f->played, s);
		mesh->shapes[s].normal_count = rotated.count;
		mesh->shapes[s].normal_points = snw_arena_copy(f->plan->arena, rotated.points, rotated.count * sizeof *rotated.points);
		mesh->shapes[s].normal_changes = SNW_NEW_ARRAY(f->plan->arena, float, 3 * (size_t)rotated.count);
	}
	const shapes_at_points t = gather_shapes_at_points(f, scratch);
	double *matrix = SNW_NEW_ARRAY(scratch, double, (size_t)mesh->shape_count * mesh->shape_count);
	double *side = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)mesh->shape_count);
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		solve_point(f, &t, p, matrix, side);
	}
}

static snw_status fit_mesh(snw_plan *plan, snw_plan_mesh *mesh) {
	const size_t numbers = 3 * (size_t)mesh->mesh->point_count;
	snw_arena *scratch = snw_arena_create();
	fitting f = {
		.plan = plan,
		.mesh = mesh,
		.played = snw_played_normals_make(mesh, scratch),
		.normal_plan = snw_normal_plan_create(mesh->mesh),
		.truth = SNW_NEW_ARRAY(scratch, double, numbers),
		.points = SNW_NEW_ARRAY(scratch, float, numbers),
		.normals = SNW_NEW_ARRAY(scratch, float, numbers),
		.missing = SNW_NEW_ARRAY(scratch, double, numbers),
		.weights = SNW_NEW_ARRAY(scratch, double, mesh->shape_count),
		.squares = SNW_NEW_ARRAY(scratch, double, (size_t)mesh->shape_count * mesh->shape_count),
		.sides = SNW_NEW_ARRAY(scratch, double *, mesh->shape_count),
	};
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		f.sides[s] = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)snw_played_normals_rotated(f.played, s).count);
	}
	snw_status status = SNW_OK;
	/* Joints that are fitted to the clips have no place in other poses. */
	for (uint32_t p = 0; p < plan->scene->pose_count && mesh->proxy_count == 0 && !snw_failed(status); p++) {
		status = plan->is_playable[p] ? add_pose(&f, &plan->scene->poses[p], SNW_NONE) : SNW_OK;
	}
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		status = add_clip(&f, c);
	}
	if (!snw_failed(status)) {
		solve(&f, scratch);
	}
	snw_normal_plan_destroy(f.normal_plan);
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_plan_fit_normals(snw_plan *plan) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		bool has_driven = false;
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			has_driven = has_driven || is_fitted(mesh, &mesh->shapes[s]);
		}
		if (has_driven && mesh->mesh->face_count > 0 && mesh->placement == SNW_PLAN_SKINNED) {
			status = fit_mesh(plan, mesh);
		}
	}
	return status;
}
