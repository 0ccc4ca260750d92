/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "normals/normal_map.h"

#include <math.h>
#include <string.h>

#include "lod/level_skin.h"
#include "mesh/mesh.h"
#include "motion/motion.h"
#include "normals/normals_internal.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

/* Numbers of all frames, and of all posed points, that are held in memory. */
static const uint64_t most_numbers = 150000000;
static const double ray_reach = 0.03; /* of the diagonal */
static const double least_met = 0.1;  /* of the samples, by rays */

typedef struct baking {
	const snw_scene *scene;
	const snw_normal_map_request *request;
	snw_arena *arena, *scratch;
	snw_stack *stack;
	snw_motion motion;
	uint32_t sheet_count;
	nm_sheet *sheets;
	nm_tree *high_tree;
	nm_triangles high_triangles;
	nm_frames high_frames;
	snw_spatial_index *rays;
	snw_normal_maps *made;
	snw_error *error;
} baking;

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static const snw_level *find_level(const snw_scene *scene, uint32_t mesh, uint32_t number) {
	for (uint32_t i = 0; i < scene->level_count; i++) {
		if (scene->levels[i].mesh == mesh && scene->levels[i].number == number) {
			return &scene->levels[i];
		}
	}
	return NULL;
}

static snw_status refuse(const baking *b, bool has_any) {
	const uint32_t level = b->request->level;
	const char *mesh = b->request->mesh == SNW_NONE ? NULL : b->scene->meshes[b->request->mesh].name;
	if (!has_any) {
		return level == 0 ? snw_fail(b->error, SNW_ERROR_MISSING, "there are no faces to bake normals for")
						  : snw_fail(b->error, SNW_ERROR_MISSING,
									 "%s%s%s no level %u; 'sinew lod P.sinew make' makes levels of detail",
									 mesh ? "mesh " : "the project has", mesh ? mesh : "", mesh ? " has" : "", level);
	}
	const char *first = mesh ? mesh : b->scene->meshes[b->made->left_out[0]].name;
	return level == 0 ? snw_fail(b->error, SNW_ERROR_MISSING, "mesh %s has no UVs; 'sinew unwrap P.sinew' makes some", first)
					  : snw_fail(b->error, SNW_ERROR_MISSING,
								 "level %u of mesh %s has no UVs; make some with 'sinew unwrap P.sinew' and the levels again",
								 level, first);
}

/* Those that have the level, faces and UVs. */
static snw_status choose_baked(baking *b) {
	const snw_scene *scene = b->scene;
	bool has_any = false;
	b->made->meshes = SNW_NEW_ARRAY(b->arena, snw_normal_mapped, scene->mesh_count);
	b->made->left_out = SNW_NEW_ARRAY(b->arena, uint32_t, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_level *level = b->request->level > 0 ? find_level(scene, m, b->request->level) : NULL;
		const snw_mesh *mesh = level ? &level->shape : &scene->meshes[m];
		const bool is_asked = b->request->mesh == SNW_NONE || b->request->mesh == m;
		if (!is_asked || mesh->face_count == 0 || (b->request->level > 0 && !level)) {
			continue;
		}
		has_any = true;
		if (mesh->corner_uvs) {
			b->made->meshes[b->made->mesh_count++] = (snw_normal_mapped){.mesh = m, .level = level};
		} else {
			b->made->left_out[b->made->left_out_count++] = m;
		}
	}
	return b->made->mesh_count > 0 ? SNW_OK : refuse(b, has_any);
}

static const snw_mesh *mapped_mesh(const baking *b, const snw_normal_mapped *mapped) {
	return mapped->level ? &mapped->level->shape : &b->scene->meshes[mapped->mesh];
}

/* A triangle that is larger than the square would be drawn over itself. */
static snw_status check_uvs(const baking *b, const snw_mesh *mesh) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		float least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			for (size_t i = 0; i < 2; i++) {
				least[i] = fminf(least[i], mesh->corner_uvs[2 * (size_t)c + i]);
				most[i] = fmaxf(most[i], mesh->corner_uvs[2 * (size_t)c + i]);
			}
		}
		if (!(most[0] - least[0] <= 1 && most[1] - least[1] <= 1 && fabsf(least[0]) < 1e6F && fabsf(least[1]) < 1e6F)) {
			return snw_fail(
				b->error, SNW_ERROR_DATA,
				"mesh %s: face %u repeats the texture; 'sinew unwrap P.sinew' makes UVs that a map can be baked for",
				mesh->name, f);
		}
	}
	return SNW_OK;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static uint64_t corner_count(const snw_mesh *mesh) {
	return mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
}

/* Fewer poses of large meshes. */
static uint32_t room_for_poses(const baking *b) {
	uint64_t numbers = 1;
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		numbers += 3 * (uint64_t)b->scene->meshes[m].point_count;
	}
	for (uint32_t i = 0; i < b->made->mesh_count; i++) {
		numbers += 6 * corner_count(mapped_mesh(b, &b->made->meshes[i])) +
				   6 * corner_count(&b->scene->meshes[b->made->meshes[i].mesh]);
	}
	const uint64_t room = most_numbers / numbers;
	return room < 2 ? 2 : room < NM_MOST_POSES ? (uint32_t)room : NM_MOST_POSES;
}

static snw_status pose_all(baking *b, const snw_task *task) {
	uint32_t count;
	snw_pose **poses;
	snw_motion_choose_poses(b->scene, b->request->clip_count, b->request->clips, b->scratch, &count, &poses);
	const uint32_t room = b->request->at_rest || b->request->high ? 1 : room_for_poses(b), kept = count < room ? count : room;
	for (uint32_t i = 0; i < kept; i++) {
		poses[i] = poses[(uint64_t)i * count / kept];
	}
	b->made->pose_count = kept;
	return snw_motion_pose(b->stack, b->scene, kept, poses, task, b->scratch, &b->motion, b->error);
}

/* Of a level: the palette that its skin blends, [pose_count][slot_count][12]. NULL with an error. */
static const double *find_palettes(const baking *b, const snw_level *level) {
	const bool is_one = lod_is_one_program(b->stack, level->mesh);
	const uint32_t slots = is_one ? snw_stack_segment(b->stack, level->mesh, 0).program->slot_count : b->scene->slot_count;
	if (slots != level->slot_count) {
		snw_fail(b->error, SNW_ERROR_CONFLICT,
				 "level %u of mesh %s was made for %u slots, and the stack has %u now; make the levels again", level->number,
				 b->scene->meshes[level->mesh].name, level->slot_count, slots);
		return NULL;
	}
	double *palettes = SNW_NEW_ARRAY(b->scratch, double, 12 * (size_t)slots * b->motion.pose_count);
	double *global = SNW_NEW_ARRAY(b->scratch, double, 12 * (size_t)b->scene->skeleton.joint_count);
	double *palette = SNW_NEW_ARRAY(b->scratch, double, 12 * (size_t)b->scene->slot_count);
	snw_evaluation *evaluation = snw_evaluation_create_reference(b->stack);
	for (uint32_t p = 0; p < b->motion.pose_count && palettes; p++) {
		snw_pose_view view;
		snw_pose_solve(b->scene, b->motion.poses[p], global, palette, &view);
		if (snw_failed(snw_stack_drive(b->stack, &view, evaluation, b->error))) {
			palettes = NULL;
			break;
		}
		const double *matrices = is_one ? snw_stack_program_input(evaluation, level->mesh, 0)->matrices : palette;
		memcpy(palettes + 12 * (size_t)slots * p, matrices, 12 * (size_t)slots * sizeof *palettes);
	}
	snw_evaluation_destroy(evaluation);
	return palettes;
}

/* Values of the points of a mesh as those of its level, through the stencils. */
static void add_combinations(const snw_level *level, uint32_t point, uint32_t width, const double *values, double *dest) {
	for (uint32_t j = level->stencil_offsets[point]; j < level->stencil_offsets[point + 1]; j++) {
		for (size_t c = 0; c < width; c++) {
			dest[c] += level->stencil_weights[j] * values[(size_t)width * level->stencil_points[j] + c];
		}
	}
}

/* Posed points of a level without a skin. */
static const float *combine_posed(const baking *b, const snw_level *level) {
	const uint32_t fine = b->scene->meshes[level->mesh].point_count, coarse = level->shape.point_count;
	float *posed = SNW_NEW_ARRAY(b->scratch, float, 3 * (size_t)coarse * b->motion.pose_count);
	double *values = SNW_NEW_ARRAY(b->scratch, double, 3 * (size_t)fine);
	for (uint32_t p = 0; p < b->motion.pose_count; p++) {
		for (size_t i = 0; i < 3 * (size_t)fine; i++) {
			values[i] = (double)b->motion.posed[level->mesh][3 * (size_t)p * fine + i];
		}
		for (uint32_t i = 0; i < coarse; i++) {
			double sum[3] = {0};
			add_combinations(level, i, 3, values, sum);
			for (size_t c = 0; c < 3; c++) {
				posed[3 * ((size_t)p * coarse + i) + c] = (float)sum[c];
			}
		}
	}
	return posed;
}

/* ---- sheets -------------------------------------------------------------------------------------------------------------- */

static const float *tangents_of(const snw_mesh *mesh, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	const float *tangents =
		mesh->corner_tangents ? mesh->corner_tangents : snw_tangents_make(mesh, nm_rest_normals(mesh, scratch), arena);
	snw_arena_destroy(scratch);
	return tangents;
}

/* The source's own normal maps, by triangle; NULL without any. */
static const snw_mipmap *const *find_pictures(const baking *b, const snw_mesh *mesh, const nm_triangles *triangles) {
	const snw_mipmap **pictures = SNW_NEW_ARRAY(b->scratch, const snw_mipmap *, triangles->count);
	bool has_any = false;
	for (uint32_t t = 0; t < triangles->count && b->request->pictures && mesh->corner_uvs && mesh->face_materials; t++) {
		const uint32_t material = mesh->face_materials[triangles->faces[t]];
		const uint32_t image = material == SNW_NONE ? SNW_NONE : b->scene->materials[material].normal_image;
		pictures[t] = image != SNW_NONE && b->request->pictures[image].pixels ? &b->request->pictures[image] : NULL;
		has_any = has_any || pictures[t];
	}
	return has_any ? pictures : NULL;
}

static void take_high(baking *b, nm_sheet *sheet) {
	sheet->source = b->request->high;
	sheet->source_triangles = b->high_triangles;
	sheet->source_frames = b->high_frames;
	sheet->tree = b->high_tree;
	sheet->rays = b->rays;
	sheet->reach = ray_reach * snw_scene_diagonal(b->scene, SNW_NONE);
	sheet->axis_count = 3;
	sheet->coordinates = sheet->mesh->points_rest;
}

/* Before the points are taken back by their rigid parts. */
static snw_status begin_sheet(baking *b, snw_normal_mapped *mapped, nm_sheet *sheet) {
	const snw_level *level = mapped->level;
	const snw_mesh *mesh = mapped_mesh(b, mapped), *source = &b->scene->meshes[mapped->mesh];
	const uint32_t pose_count = b->motion.pose_count;
	mapped->tangents = tangents_of(mesh, b->arena);
	sheet->mesh = mesh;
	sheet->triangles = nm_triangles_make(mesh, b->scratch);
	if (level && level->shape.influence_offsets) {
		const double *palettes = find_palettes(b, level);
		if (!palettes) {
			return SNW_ERROR_CONFLICT;
		}
		sheet->frames = nm_frames_by_skin(mesh, mapped->tangents, pose_count, level->slot_count, palettes, b->scratch);
	} else {
		const float *posed = level ? combine_posed(b, level) : b->motion.posed[mapped->mesh];
		sheet->frames = nm_frames_by_points(mesh, mapped->tangents, pose_count, posed, b->scratch);
	}
	if (b->request->high) {
		take_high(b, sheet);
		return SNW_OK;
	}
	sheet->source = source;
	sheet->source_triangles = nm_triangles_make(source, b->scratch);
	sheet->pictures = find_pictures(b, source, &sheet->source_triangles);
	sheet->source_frames = nm_frames_by_points(source, sheet->pictures ? tangents_of(source, b->scratch) : NULL, pose_count,
											   b->motion.posed[mapped->mesh], b->scratch);
	return SNW_OK;
}

/* The motion of the points of both, and a tree over the source. */
static void find_coordinates(const baking *b, const snw_normal_mapped *mapped, nm_sheet *sheet) {
	const double *fine = b->motion.coordinates[mapped->mesh];
	const snw_level *level = mapped->level;
	sheet->axis_count = b->motion.axis_count;
	sheet->coordinates = fine;
	if (level) {
		double *coarse = SNW_NEW_ARRAY(b->scratch, double, (size_t)sheet->axis_count * level->shape.point_count);
		for (uint32_t i = 0; i < level->shape.point_count; i++) {
			add_combinations(level, i, sheet->axis_count, fine, coarse + (size_t)sheet->axis_count * i);
		}
		sheet->coordinates = coarse;
	}
	sheet->tree = nm_tree_make(&sheet->source_triangles, sheet->axis_count, fine, b->scratch);
}

static void prepare_high(baking *b) {
	const snw_mesh *high = b->request->high;
	float *rest = SNW_NEW_ARRAY(b->scratch, float, 3 * (size_t)high->point_count);
	for (size_t i = 0; i < 3 * (size_t)high->point_count; i++) {
		rest[i] = (float)high->points_rest[i];
	}
	b->high_triangles = nm_triangles_make(high, b->scratch);
	b->high_frames = nm_frames_by_points(high, NULL, 1, rest, b->scratch);
	b->high_tree = nm_tree_make(&b->high_triangles, 3, high->points_rest, b->scratch);
	b->rays = snw_spatial_index_make(high, high->points_rest, b->scratch);
}

static snw_status make_sheets(baking *b, const snw_task *task) {
	snw_status status = SNW_OK;
	b->sheets = SNW_NEW_ARRAY(b->scratch, nm_sheet, b->made->mesh_count);
	if (b->request->high) {
		prepare_high(b);
	}
	for (uint32_t i = 0; i < b->made->mesh_count && !snw_failed(status); i++) {
		status = check_uvs(b, mapped_mesh(b, &b->made->meshes[i]));
		status = snw_failed(status) ? status : begin_sheet(b, &b->made->meshes[i], &b->sheets[i]);
	}
	if (!snw_failed(status) && !b->request->high) {
		status = snw_motion_reduce(b->scene, task, b->scratch, &b->motion, b->error);
		for (uint32_t i = 0; i < b->made->mesh_count && !snw_failed(status); i++) {
			find_coordinates(b, &b->made->meshes[i], &b->sheets[i]);
		}
	}
	return status;
}

/* ---- maps ---------------------------------------------------------------------------------------------------------------- */

static uint32_t sheet_material(const nm_sheet *sheet, uint32_t triangle) {
	return sheet->mesh->face_materials ? sheet->mesh->face_materials[sheet->triangles.faces[triangle]] : SNW_NONE;
}

/* One for each material, and one for faces without any. */
static void list_maps(baking *b) {
	bool *is_listed = SNW_NEW_ARRAY(b->scratch, bool, (size_t)b->scene->material_count + 1);
	b->made->maps = SNW_NEW_ARRAY(b->arena, snw_normal_map, (size_t)b->scene->material_count + 1);
	for (uint32_t i = 0; i < b->made->mesh_count; i++) {
		for (uint32_t t = 0; t < b->sheets[i].triangles.count; t++) {
			const uint32_t material = sheet_material(&b->sheets[i], t);
			bool *listed = &is_listed[material == SNW_NONE ? b->scene->material_count : material];
			if (!*listed) {
				b->made->maps[b->made->count++].material = material;
				*listed = true;
			}
		}
	}
}

static snw_status draw_map(const baking *b, snw_normal_map *map, const snw_task *task) {
	snw_arena *scratch = snw_arena_create();
	uint32_t count = 0;
	uint64_t room = 0;
	for (uint32_t i = 0; i < b->made->mesh_count; i++) {
		room += b->sheets[i].triangles.count;
	}
	nm_entry *entries = SNW_NEW_ARRAY(scratch, nm_entry, room);
	for (uint32_t i = 0; i < b->made->mesh_count; i++) {
		for (uint32_t t = 0; t < b->sheets[i].triangles.count; t++) {
			if (sheet_material(&b->sheets[i], t) == map->material) {
				entries[count++] = (nm_entry){&b->sheets[i], t};
			}
		}
	}
	nm_drawn drawn;
	snw_status status = nm_sheets_draw(b->request->size, count, entries, task, scratch, &drawn, b->error);
	if (!snw_failed(status) && drawn.met < least_met) {
		status = snw_fail(b->error, SNW_ERROR_DATA,
						  "mesh %s: only %.0f %% of it has the other mesh within %.3g m; both have to be at rest, at one place "
						  "and in metres",
						  entries[0].sheet->mesh->name, 100 * drawn.met, entries[0].sheet->reach);
	}
	if (!snw_failed(status)) {
		const double samples = 4.0 * b->request->size * b->request->size;
		map->covered = (double)drawn.texels.covered / samples;
		map->overlapping = (double)drawn.texels.overlapping / samples;
		status = snw_png_encode(drawn.texels.pixels, b->request->size, b->request->size, 3, b->arena, &map->bytes,
								&map->byte_count, b->error);
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_normal_map_bake(const snw_scene *scene, const snw_registry *registry, const snw_normal_map_request *request,
							   const snw_task *task, snw_arena *arena, snw_normal_maps *made, snw_error *error) {
	*made = (snw_normal_maps){0};
	baking b = {
		.scene = scene, .request = request, .arena = arena, .scratch = snw_arena_create(), .made = made, .error = error};
	const snw_stack_options whole = {0};
	snw_subtask parts[2] = {{task, 0, 0.2}, {task, 0.2, 1}};
	const snw_task posing = snw_task_of_subtask(&parts[0]), drawing = snw_task_of_subtask(&parts[1]);
	snw_status status = choose_baked(&b);
	status = snw_failed(status) ? status : snw_stack_build(scene, registry, &whole, task, &b.stack, error);
	status = snw_failed(status) ? status : pose_all(&b, &posing);
	status = snw_failed(status) ? status : make_sheets(&b, &posing);
	if (!snw_failed(status)) {
		list_maps(&b);
	}
	for (uint32_t i = 0; i < made->count && !snw_failed(status); i++) {
		snw_subtask part = {&drawing, (double)i / made->count, (i + 1.0) / made->count};
		const snw_task one = snw_task_of_subtask(&part);
		status = draw_map(&b, &made->maps[i], &one);
	}
	snw_stack_destroy(b.stack);
	snw_arena_destroy(b.scratch);
	return status;
}
