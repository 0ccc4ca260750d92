/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrapping.h"

#include <math.h>
#include <string.h>

#include "pose/clip_times.h"
#include "pose/pose.h"
#include "stack/stack.h"
#include "task/parallel.h"

/* Adds the faces of a mesh to the sums of their materials: `squares` and `areas` of its triangles, or those of `points`. */
static void add_faces(const unwrap_surface *surface, const float *corner_uvs, const unwrap_lengths *lengths,
					  const float *points, uint32_t material_count, unwrap_stretch *sums) {
	const uint32_t *materials = surface->mesh->face_materials;
	for (uint32_t f = 0; f < surface->mesh->face_count; f++) {
		unwrap_stretch *sum = &sums[materials && materials[f] != SNW_NONE ? materials[f] : material_count];
		for (uint32_t t = surface->triangle_offsets[f]; t < surface->triangle_offsets[f + 1]; t++) {
			double uvs[3][2], squares[3], normal[3];
			for (size_t k = 0; k < 3; k++) {
				const float *uv = corner_uvs + 2 * (size_t)surface->triangles[3 * (size_t)t + k];
				uvs[k][0] = (double)uv[0];
				uvs[k][1] = (double)uv[1];
			}
			const double *const corners[3] = {uvs[0], uvs[1], uvs[2]};
			if (points) {
				unwrap_triangle_squares(surface, t, points, squares, normal);
			}
			const double area =
				points ? sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) / 2 : lengths->areas[t];
			unwrap_stretch_add(points ? squares : lengths->squares + 3 * (size_t)t, area, corners, sum);
		}
	}
}

/* Each material has a size of its own. */
static double whole_stretch(const unwrap_stretch *sums, uint32_t count) {
	double stretched = 0, area = 0;
	for (uint32_t i = 0; i < count; i++) {
		area += sums[i].area;
		stretched += sums[i].area > 0 ? sums[i].area * unwrap_stretch_value(&sums[i]) : 0;
	}
	return area > 0 ? stretched / area : 1;
}

typedef struct measuring {
	const unwrap_run *u;
	bool before;    /* the UVs that were there */
	double *values; /* [pose_count] */
} measuring;

static void measure_poses(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const measuring *m = argument;
	const snw_scene *scene = m->u->scene;
	(void)thread;
	snw_arena *scratch = snw_arena_create();
	const uint32_t count = scene->material_count + 1;
	unwrap_stretch *sums = SNW_NEW_ARRAY(scratch, unwrap_stretch, count);
	for (uint32_t p = begin; p < end; p++) {
		memset(sums, 0, count * sizeof *sums);
		for (uint32_t i = 0; i < m->u->sheet_count; i++) {
			const unwrap_sheet *s = &m->u->sheets[i];
			const float *uvs = m->before ? s->surface.mesh->corner_uvs : s->made->corner_uvs;
			add_faces(&s->surface, uvs, NULL, m->u->motion.posed[s->mesh] + 3 * (size_t)p * s->surface.mesh->point_count,
					  scene->material_count, sums);
		}
		m->values[p] = whole_stretch(sums, count);
	}
	snw_arena_destroy(scratch);
}

static snw_uv_stretch measure_stretch(const unwrap_run *u, bool before) {
	measuring m = {u, before, SNW_NEW_ARRAY(u->scratch, double, u->motion.pose_count)};
	snw_parallel_for(u->motion.pose_count, 1, measure_poses, &m);
	snw_uv_stretch found = {m.values[0], 0};
	for (uint32_t p = 0; p < u->motion.pose_count; p++) {
		found.poses += m.values[p] / u->motion.pose_count;
	}
	return found;
}

/* L2 stretch of each face by some lengths, against the size of its material's texture. */
static void measure_faces(const unwrap_run *u, const unwrap_sheet *s, const unwrap_lengths *lengths, double *values) {
	const uint32_t count = u->scene->material_count + 1, *materials = s->surface.mesh->face_materials;
	unwrap_stretch *sums = SNW_NEW_ARRAY(u->scratch, unwrap_stretch, count);
	add_faces(&s->surface, s->made->corner_uvs, lengths, NULL, u->scene->material_count, sums);
	for (uint32_t f = 0; f < s->surface.mesh->face_count; f++) {
		const unwrap_stretch *whole = &sums[materials && materials[f] != SNW_NONE ? materials[f] : u->scene->material_count];
		unwrap_stretch face = {0};
		for (uint32_t t = s->surface.triangle_offsets[f]; t < s->surface.triangle_offsets[f + 1]; t++) {
			double uvs[3][2];
			for (size_t k = 0; k < 3; k++) {
				const float *uv = s->made->corner_uvs + 2 * (size_t)s->surface.triangles[3 * (size_t)t + k];
				uvs[k][0] = (double)uv[0];
				uvs[k][1] = (double)uv[1];
			}
			const double *const corners[3] = {uvs[0], uvs[1], uvs[2]};
			unwrap_stretch_add(lengths->squares + 3 * (size_t)t, lengths->areas[t], corners, &face);
		}
		const double value = sqrt(face.stretched * whole->uv_area / (face.area * whole->area));
		values[f] = isfinite(value) ? value : 0; /* no area */
	}
}

void unwrap_run_measure(unwrap_run *u) {
	snw_unwrapped *made = u->made;
	bool had_uvs = true;
	made->worst_chart = 1;
	for (uint32_t i = 0; i < u->sheet_count; i++) {
		const unwrap_sheet *s = &u->sheets[i];
		had_uvs = had_uvs && s->surface.mesh->corner_uvs;
		made->chart_count += s->charts.count;
		measure_faces(u, s, &s->rest, s->made->stretch_rest);
		measure_faces(u, s, &s->poses, s->made->stretch_poses);
		for (uint32_t c = 0; c < s->charts.count; c++) {
			const unwrap_chart chart = unwrap_chart_make(&s->surface, s->seams, &s->charts, c, u->scratch);
			const unwrap_stretch sum = unwrap_chart_stretch(&chart, &s->poses, (const double(*)[2])s->flats[c].uvs);
			if (unwrap_stretch_value(&sum) > made->worst_chart) {
				made->worst_chart = unwrap_stretch_value(&sum);
				made->worst_mesh = s->mesh;
			}
		}
	}
	made->stretch = measure_stretch(u, false);
	made->before = had_uvs ? measure_stretch(u, true) : (snw_uv_stretch){(double)NAN, (double)NAN};
}

/* ---- other poses --------------------------------------------------------------------------------------------------------- */

snw_status snw_unwrap_measure(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const float *corner_uvs,
							  uint32_t clip, const snw_task *task, double *stretch, snw_error *error) {
	const snw_stack_options whole = {0};
	const float *uvs = corner_uvs ? corner_uvs : scene->meshes[mesh].corner_uvs;
	snw_stack *stack = NULL;
	if (!uvs) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no UVs; 'sinew unwrap' makes some", scene->meshes[mesh].name);
	}
	snw_unwrapped_mesh one = {.mesh = mesh, .corner_uvs = (float *)(uintptr_t)uvs};
	unwrap_run u = {.scene = scene, .sheet_count = 1, .scratch = snw_arena_create()};
	unwrap_sheet only = {.mesh = mesh, .surface = unwrap_surface_make(&scene->meshes[mesh], u.scratch), .made = &one};
	u.sheets = &only;
	uint32_t count;
	double *seconds;
	snw_clip_times(scene, clip, u.scratch, &seconds, &count);
	snw_pose **poses = SNW_NEW_ARRAY(u.scratch, snw_pose *, count);
	snw_pose_sample_series(scene, clip, count, seconds, u.scratch, poses);
	snw_status status = snw_stack_build(scene, registry, &whole, task, &stack, error);
	status = snw_failed(status) ? status : snw_motion_pose(stack, scene, count, poses, task, u.scratch, &u.motion, error);
	if (!snw_failed(status)) {
		*stretch = measure_stretch(&u, false).poses;
	}
	snw_stack_destroy(stack);
	snw_arena_destroy(u.scratch);
	return status;
}
