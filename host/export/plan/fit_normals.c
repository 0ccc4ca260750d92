/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of morph targets. An engine rotates a normal by the blended matrix M of its point, as it rotates the point. What the
 * displaced faces have at rest does not become right by that: where a blend collapses, a corrective moves points so far at rest
 * that faces flip over. So the smallest changes c_k (damped least squares) are added to the morph targets' normals for which
 *
 *     n + Σ_k w_k (f_k + c_k) = g,   g = M⁻¹ n' / |M⁻¹ n'|
 *
 * in the named poses and at moments of the clips, where n is the point's normal at rest, f_k what the faces displaced by shape
 * k add, w_k its weight, and n' the normal of the stack's faces. Points whose faces no shape rotates stay as they are.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "export/plan/passes.h"
#include "mesh/mesh.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

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
