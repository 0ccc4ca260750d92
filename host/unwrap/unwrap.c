/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrap.h"

#include <math.h>
#include <string.h>

#include "services/services.h"
#include "stack/stack.h"
#include "unwrap/unwrapping.h"

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
