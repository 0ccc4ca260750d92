/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrap.h"

#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "pose/pose.h"
#include "services/services.h"
#include "stack/stack.h"
#include "task/task.h"
#include "unwrap/unwrapping.h"

/* ---- atlases ------------------------------------------------------------------------------------------------------------- */

/* One square of a material, or of the faces without one. */
typedef struct atlas {
	uint32_t material;
	uint32_t count, room;
	unwrap_part *parts;
	struct owner {
		uint32_t sheet, chart;
	} * owners;
	uint32_t owner_room;
} atlas;

static uint32_t chart_material(const unwrap_sheet *s, uint32_t chart) {
	const uint32_t *materials = s->surface.mesh->face_materials;
	return materials ? materials[s->charts.faces[s->charts.offsets[chart]]] : SNW_NONE;
}

static uint32_t collect_parts(const unwrap_run *u, atlas *atlases) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < u->sheet_count; i++) {
		const unwrap_sheet *s = &u->sheets[i];
		for (uint32_t c = 0; c < s->charts.count; c++) {
			const uint32_t material = chart_material(s, c);
			uint32_t k = 0;
			while (k < count && atlases[k].material != material) {
				k++;
			}
			count += k == count;
			atlas *a = &atlases[k];
			a->material = material;
			const unwrap_chart chart = unwrap_chart_make(&s->surface, s->seams, &s->charts, c, u->scratch);
			a->parts = snw_arena_grow(u->scratch, a->parts, a->count, &a->room, sizeof *a->parts);
			a->owners = snw_arena_grow(u->scratch, a->owners, a->count, &a->owner_room, sizeof *a->owners);
			a->owners[a->count] = (struct owner){i, c};
			a->parts[a->count++] = (unwrap_part){.vertex_count = chart.vertex_count,
												 .triangle_count = chart.triangle_count,
												 .uvs = (const double(*)[2])s->flats[c].uvs,
												 .triangles = chart.triangles,
												 .area = s->flats[c].stretch.uv_area};
		}
	}
	return count;
}

/* The corners of a chart, with v down. */
static void write_uvs(const unwrap_sheet *s, uint32_t chart, const unwrap_part *part, double scale) {
	const snw_mesh *mesh = s->surface.mesh;
	for (uint32_t i = s->charts.offsets[chart]; i < s->charts.offsets[chart + 1]; i++) {
		const uint32_t face = s->charts.faces[i];
		for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
			double placed[2];
			unwrap_part_place(part, scale, s->flats[chart].uvs[s->charts.corner_vertices[c]], placed);
			s->made->corner_uvs[2 * (size_t)c] = (float)placed[0];
			s->made->corner_uvs[2 * (size_t)c + 1] = (float)(1 - placed[1]);
		}
		s->made->charts[face] = chart;
	}
}

/* Packs the charts of each material into a square, and writes the UVs (unwrap.c). */
static snw_status unwrap_run_pack(unwrap_run *u, const snw_task *task) {
	atlas *atlases = SNW_NEW_ARRAY(u->scratch, atlas, (size_t)u->scene->material_count + 1);
	const uint32_t count = collect_parts(u, atlases);
	snw_status status = SNW_OK;
	u->made->atlas_count = count;
	u->made->used = 1;
	for (uint32_t k = 0; k < count && !snw_failed(status); k++) {
		const atlas *a = &atlases[k];
		snw_subtask part = {task, (double)k / count, (k + 1.0) / count};
		const snw_task packing = snw_task_of_subtask(&part);
		double scale = 0, used = 0;
		status = unwrap_pack(a->count, a->parts, u->size, u->gap, &packing, &scale, &used, u->error);
		u->made->used = fmin(u->made->used, used);
		for (uint32_t i = 0; i < a->count && !snw_failed(status); i++) {
			write_uvs(&u->sheets[a->owners[i].sheet], a->owners[i].chart, &a->parts[i], scale);
		}
	}
	return status;
}

/* ---- layout -------------------------------------------------------------------------------------------------------------- */

static void add_face(const unwrap_surface *surface, const bool *seams, uint32_t face, uint32_t chart, snw_uv_layout *layout) {
	const snw_mesh *mesh = surface->mesh;
	for (uint32_t t = surface->triangle_offsets[face]; t < surface->triangle_offsets[face + 1]; t++) {
		memcpy(layout->triangles + 3 * (size_t)layout->triangle_count, surface->triangles + 3 * (size_t)t,
			   3 * sizeof *layout->triangles);
		layout->triangle_charts[layout->triangle_count++] = chart;
	}
	for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
		if (seams[c]) {
			uint32_t *ends = layout->borders + 2 * (size_t)layout->border_count++;
			ends[0] = c;
			ends[1] = unwrap_next_corner(surface, c);
		}
		for (size_t k = 0; k < 2; k++) {
			layout->low[k] = fminf(layout->low[k], mesh->corner_uvs[2 * (size_t)c + k]);
			layout->high[k] = fmaxf(layout->high[k], mesh->corner_uvs[2 * (size_t)c + k]);
		}
	}
}

snw_uv_layout snw_uv_layout_make(const snw_mesh *mesh, uint32_t material, snw_arena *arena) {
	snw_uv_layout layout = {.high = {1, 1}};
	if (!mesh->corner_uvs || mesh->face_count == 0) {
		return layout;
	}
	snw_arena *scratch = snw_arena_create();
	const unwrap_surface surface = unwrap_surface_make(mesh, scratch);
	const bool *seams = unwrap_seams_of_uvs(&surface, scratch);
	const unwrap_charts charts = unwrap_charts_make(&surface, seams, scratch);
	layout.triangles = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)surface.triangle_count);
	layout.triangle_charts = SNW_NEW_ARRAY(arena, uint32_t, surface.triangle_count);
	layout.borders = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)surface.corner_count);
	uint32_t *numbers = SNW_NEW_ARRAY(scratch, uint32_t, charts.count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		if ((mesh->face_materials ? mesh->face_materials[f] : SNW_NONE) == material) {
			uint32_t *number = &numbers[charts.face_charts[f]];
			*number = *number == 0 ? ++layout.chart_count : *number;
			add_face(&surface, seams, f, *number - 1, &layout);
		}
	}
	snw_arena_destroy(scratch);
	return layout;
}

/* ---- measuring ----------------------------------------------------------------------------------------------------------- */

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

/* Fills the stretch of the result (unwrap.c). */
static void unwrap_run_measure(unwrap_run *u) {
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

/* ---- unwrap -------------------------------------------------------------------------------------------------------------- */

enum { MOST_POSED = 60000000 /* points of all poses, which are held in memory */ };

/* ---- one mesh ------------------------------------------------------------------------------------------------------------ */

static snw_status find_field(const unwrap_run *u, const unwrap_sheet *s, const double **values) {
	const char *names = "";
	for (uint32_t i = 0; i < u->scene->field_count; i++) {
		const snw_field *field = &u->scene->fields[i];
		if (field->domain == SNW_DOMAIN_FACES && field->components == 1 && field->mesh == s->mesh) {
			if (strcmp(field->name, u->request->field) == 0) {
				*values = field->values;
				return SNW_OK;
			}
			names = snw_arena_format(u->scratch, "%s%s%s", names, names[0] ? ", " : "", field->name);
		}
	}
	return snw_fail(u->error, SNW_ERROR_MISSING,
					"--charts %s: mesh '%s' has no field of this name with a number for each face; it has %s; others are keep, "
					"auto and a number",
					u->request->field, u->scene->meshes[s->mesh].name, names[0] ? names : "none");
}

static snw_status cut_mesh(unwrap_run *u, unwrap_sheet *s, const snw_task *task) {
	const double *values = SNW_NEW_ARRAY(u->scratch, double, s->surface.mesh->face_count);
	snw_status status = u->request->charts == SNW_CHARTS_FIELD ? find_field(u, s, &values) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	bool *seams = u->request->charts == SNW_CHARTS_KEEP ? unwrap_seams_of_uvs(&s->surface, u->scratch)
														: unwrap_seams_of_numbers(&s->surface, values, u->scratch);
	s->seams = seams;
	if (u->request->charts == SNW_CHARTS_AUTO) {
		return unwrap_sheet_merge(u, s, seams, task);
	}
	status = unwrap_sheet_cut(u, s);
	return snw_failed(status) ? status : unwrap_sheet_cut_closed(u, s, seams, task);
}

/* Cuts charts in two that have not become flat, or cross themselves. Returns how many. */
static uint32_t split_crossed(unwrap_sheet *s) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->charts.count; i++) {
		uint32_t faces[2] = {s->flats[i].crossing[0], s->flats[i].crossing[1]};
		if (!snw_failed(s->statuses[i]) && (!s->flats[i].is_crossed || faces[0] == faces[1])) {
			continue;
		}
		if (snw_failed(s->statuses[i])) {
			unwrap_chart_ends(&s->surface, s->seams, &s->charts, i, faces);
		}
		if (faces[0] != faces[1]) {
			unwrap_chart_split(&s->surface, &s->charts, i, faces, s->seams);
			count++;
		}
	}
	return count;
}

static snw_status unwrap_mesh(unwrap_run *u, unwrap_sheet *s, const snw_task *task) {
	snw_subtask parts[2] = {{task, 0, 0.4}, {task, 0.4, 1}};
	const snw_task cutting = snw_task_of_subtask(&parts[0]), flattening = snw_task_of_subtask(&parts[1]);
	snw_status status = cut_mesh(u, s, &cutting);
	for (bool is_done = false; !is_done && !snw_failed(status);) {
		status = unwrap_sheet_flatten(u, s, false, &flattening);
		const uint32_t count = snw_failed(status) ? 0 : split_crossed(s);
		s->made->split_charts += count;
		is_done = count == 0;
		status = snw_failed(status) || is_done ? status : unwrap_sheet_cut(u, s);
	}
	for (uint32_t i = 0; i < s->charts.count && !snw_failed(status); i++) {
		s->made->short_charts += s->flats[i].is_short;
	}
	s->made->chart_count = s->charts.count;
	return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static snw_status choose_meshes(unwrap_run *u) {
	const snw_scene *scene = u->scene;
	u->sheets = SNW_NEW_ARRAY(u->scratch, unwrap_sheet, scene->mesh_count);
	u->made->meshes = SNW_NEW_ARRAY(u->arena, snw_unwrapped_mesh, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].face_count > 0 && (u->request->mesh == SNW_NONE || u->request->mesh == m)) {
			u->made->meshes[u->sheet_count].mesh = m;
			u->sheets[u->sheet_count] = (unwrap_sheet){.mesh = m, .made = &u->made->meshes[u->sheet_count]};
			u->sheet_count++;
		}
	}
	u->made->mesh_count = u->sheet_count;
	return u->sheet_count > 0 ? SNW_OK
							  : snw_fail(u->error, SNW_ERROR_MISSING, "there are no faces to unwrap; import a mesh with faces");
}

/* Fewer of large meshes. */
static uint32_t room_for_poses(const snw_scene *scene) {
	uint64_t points = 1;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		points += scene->meshes[m].point_count;
	}
	const uint64_t room = MOST_POSED / points;
	return room < 2 ? 2 : room < MOST_POSED ? (uint32_t)room : MOST_POSED;
}

static snw_status pose_all(unwrap_run *u, const snw_registry *registry, const snw_task *task) {
	const snw_stack_options whole = {0};
	snw_stack *stack = NULL;
	uint32_t count;
	snw_pose **poses;
	snw_motion_choose_poses(u->scene, u->request->clip_count, u->request->clips, u->scratch, &count, &poses);
	const uint32_t room = room_for_poses(u->scene), kept = count < room ? count : room;
	for (uint32_t i = 0; i < kept; i++) {
		poses[i] = poses[(uint64_t)i * count / kept];
	}
	snw_status status = snw_stack_build(u->scene, registry, &whole, task, &stack, u->error);
	status =
		snw_failed(status) ? status : snw_motion_pose(stack, u->scene, kept, poses, task, u->scratch, &u->motion, u->error);
	snw_stack_destroy(stack);
	u->made->pose_count = kept;
	return status;
}

static void begin_sheet(unwrap_run *u, unwrap_sheet *s) {
	const snw_mesh *mesh = &u->scene->meshes[s->mesh];
	s->arena = snw_arena_create();
	s->surface = unwrap_surface_make(mesh, u->scratch);
	s->rest = unwrap_lengths_make(&s->surface, 1, u->motion.posed[s->mesh], u->scratch);
	s->poses = unwrap_lengths_make(&s->surface, u->motion.pose_count, u->motion.posed[s->mesh], u->scratch);
	s->lengths = u->request->at_rest ? &s->rest : &s->poses;
	s->made->odd_edges = s->surface.odd_edges;
	s->made->corner_uvs = SNW_NEW_ARRAY(u->arena, float, 2 * (size_t)s->surface.corner_count);
	s->made->charts = SNW_NEW_ARRAY(u->arena, double, mesh->face_count);
	s->made->stretch_rest = SNW_NEW_ARRAY(u->arena, double, mesh->face_count);
	s->made->stretch_poses = SNW_NEW_ARRAY(u->arena, double, mesh->face_count);
	for (uint32_t i = 0; i < 3 * s->surface.triangle_count && !u->made->moves; i++) {
		u->made->moves = fabs(s->poses.squares[i] - s->rest.squares[i]) > 1e-6 * s->rest.squares[i];
	}
}

/* A chart needs room between the gaps at both borders. At a mip of pixels that are 2^mips wide, a gap loses up to one of them
 * on each side to those that a chart touches. */
static snw_status choose_gap(unwrap_run *u) {
	const uint32_t padding = u->request->padding, mips = u->request->mips;
	const uint64_t gap = mips > 0 ? (((uint64_t)padding + 2) << mips) - 2 : padding;
	u->size = u->request->size > 0 ? u->request->size : SNW_UNWRAP_SIZE;
	u->gap = (uint32_t)gap;
	return 2 * gap < u->size ? SNW_OK
							 : snw_fail(u->error, SNW_ERROR_ARGUMENT,
										"--padding %u at mip %u is %llu pixels of a texture of %u: no room is left for charts; "
										"use less padding, fewer --mips or a larger --size",
										padding, mips, (unsigned long long)gap, u->size);
}

static snw_status run(unwrap_run *u, const snw_registry *registry) {
	snw_subtask parts[3] = {{u->task, 0, 0.2}, {u->task, 0.2, 0.75}, {u->task, 0.75, 1}};
	const snw_task posing = snw_task_of_subtask(&parts[0]), flattening = snw_task_of_subtask(&parts[1]);
	const snw_task packing = snw_task_of_subtask(&parts[2]);
	snw_status status = choose_gap(u);
	status = snw_failed(status) ? status : choose_meshes(u);
	status = snw_failed(status) ? status : pose_all(u, registry, &posing);
	for (uint32_t i = 0; i < u->sheet_count && !snw_failed(status); i++) {
		snw_subtask part = {&flattening, (double)i / u->sheet_count, (i + 1.0) / u->sheet_count};
		const snw_task one = snw_task_of_subtask(&part);
		begin_sheet(u, &u->sheets[i]);
		status = unwrap_mesh(u, &u->sheets[i], &one);
	}
	status = snw_failed(status) ? status : unwrap_run_pack(u, &packing);
	if (!snw_failed(status)) {
		unwrap_run_measure(u);
	}
	return status;
}

snw_status snw_unwrap(const snw_scene *scene, const snw_registry *registry, const snw_unwrap_request *request,
					  const snw_task *task, snw_arena *arena, snw_unwrapped *made, snw_error *error) {
	unwrap_run u = {.scene = scene, .request = request, .task = task, .arena = arena, .made = made, .error = error};
	*made = (snw_unwrapped){0};
	u.scratch = snw_arena_create();
	u.services = snw_services_create(NULL, NULL, NULL, NULL);
	const snw_status status = run(&u, registry);
	for (uint32_t i = 0; i < u.sheet_count; i++) {
		snw_arena_destroy(u.sheets[i].arena);
	}
	snw_services_destroy(u.services);
	snw_arena_destroy(u.scratch);
	return status;
}
