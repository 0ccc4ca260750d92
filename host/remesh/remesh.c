/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "remesh/remesh.h"

#include <string.h>

#include "fit/fit.h"
#include "mesh/surface.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "subdivision/subdivide.h"
#include "transfer/transfer.h"

typedef struct remeshing {
	const snw_scene *old, *fresh;
	const snw_task *task;
	snw_arena *arena;
	snw_remesh *made;
	snw_refinement *refinements; /* [mesh_count of old] */
	snw_surface_place **places;  /* [mesh_count of old]: of the new points */
	snw_error *error;
} remeshing;

/* ---- shells -------------------------------------------------------------------------------------------------------------- */

static uint32_t shell_root(uint32_t *parents, uint32_t point) {
	while (parents[point] != point) {
		parents[point] = parents[parents[point]];
		point = parents[point];
	}
	return point;
}

/* A number for each point, the same for all that faces connect: the lowest point of its shell. */
static uint32_t *find_shells(const snw_mesh *mesh, snw_arena *arena) {
	uint32_t *parents = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		parents[p] = p;
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t k = mesh->face_offsets[f] + 1; k < mesh->face_offsets[f + 1]; k++) {
			const uint32_t a = shell_root(parents, mesh->face_points[k - 1]), b = shell_root(parents, mesh->face_points[k]);
			parents[a > b ? a : b] = a > b ? b : a;
		}
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		parents[p] = shell_root(parents, p);
	}
	return parents;
}

/* The old shell on which most points of each new shell lie: [new points], at the shell's number. */
static uint32_t *find_partner_shells(const snw_mesh *fresh, const uint32_t *shells, const uint32_t *old_shells,
									 uint32_t old_count, const snw_surface_place *places, snw_arena *arena) {
	uint32_t *partners = SNW_NEW_ARRAY(arena, uint32_t, fresh->point_count);
	uint32_t *starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)fresh->point_count + 1);
	uint32_t *order = SNW_NEW_ARRAY(arena, uint32_t, fresh->point_count);
	uint32_t *votes = SNW_NEW_ARRAY(arena, uint32_t, old_count);
	for (uint32_t p = 0; p < fresh->point_count; p++) {
		starts[shells[p] + 1]++;
	}
	for (uint32_t p = 0; p < fresh->point_count; p++) {
		starts[p + 1] += starts[p];
	}
	for (uint32_t p = 0, n = 0; p < fresh->point_count; p++) {
		n = starts[shells[p]]++;
		order[n] = p;
	}
	for (uint32_t s = 0, first = 0; s < fresh->point_count; first = starts[s++]) {
		uint32_t best = 0;
		for (uint32_t n = first; n < starts[s]; n++) {
			const uint32_t shell = old_shells[places[order[n]].points[0]];
			votes[shell]++;
			best = votes[shell] > votes[best] || n == first ? shell : best;
		}
		partners[s] = best;
		for (uint32_t n = first; n < starts[s]; n++) {
			votes[old_shells[places[order[n]].points[0]]] = 0;
		}
	}
	return partners;
}

/* A shell as a mesh of its own; *points: its points in the whole. */
static snw_mesh shell_mesh(const snw_mesh *mesh, const uint32_t *shells, uint32_t shell, snw_arena *arena, uint32_t **points) {
	snw_mesh made = {.name = mesh->name};
	uint32_t *list = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
			 *index = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->face_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_offsets[mesh->face_count]);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		if (shells[p] == shell) {
			memcpy(rest + 3 * (size_t)made.point_count, mesh->points_rest + 3 * (size_t)p, 3 * sizeof *rest);
			index[p] = made.point_count;
			list[made.point_count++] = p;
		}
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		if (end > begin && shells[mesh->face_points[begin]] == shell) {
			const uint32_t at = offsets[made.face_count];
			for (uint32_t k = begin; k < end; k++) {
				corners[at + k - begin] = index[mesh->face_points[k]];
			}
			offsets[++made.face_count] = at + end - begin;
		}
	}
	made.points_rest = rest;
	made.face_offsets = offsets;
	made.face_points = corners;
	*points = list;
	return made;
}

/* The points of new shells whose partner is `shell`, and whose place is on another: to the partner, unless that is far. */
static snw_status move_to_shell(const remeshing *r, const snw_mesh *old, const uint32_t *old_shells, uint32_t shell,
								uint32_t count, const uint32_t *strays, const snw_mesh *fresh, double most,
								snw_surface_place *places) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *points;
	const snw_mesh part = shell_mesh(old, old_shells, shell, scratch, &points);
	double *from = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)count);
	snw_surface_place *found = SNW_NEW_ARRAY(scratch, snw_surface_place, count);
	for (uint32_t n = 0; n < count; n++) {
		memcpy(from + 3 * (size_t)n, fresh->points_rest + 3 * (size_t)strays[n], 3 * sizeof *from);
	}
	const snw_status status =
		snw_surface_places_find(count, from, &part, part.points_rest, "matching shells", r->task, found, r->error);
	for (uint32_t n = 0; !snw_failed(status) && n < count; n++) {
		if (found[n].distance <= most) {
			places[strays[n]] = found[n];
			for (int c = 0; c < 3; c++) {
				places[strays[n]].points[c] = points[found[n].points[c]];
			}
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

static snw_status keep_shells(const remeshing *r, const snw_mesh *old, const snw_mesh *fresh, double most,
							  snw_surface_place *places) {
	snw_arena *scratch = snw_arena_create();
	const uint32_t *old_shells = find_shells(old, scratch), *shells = find_shells(fresh, scratch);
	const uint32_t *partners = find_partner_shells(fresh, shells, old_shells, old->point_count, places, scratch);
	uint32_t *strays = SNW_NEW_ARRAY(scratch, uint32_t, fresh->point_count);
	bool *is_done = SNW_NEW_ARRAY(scratch, bool, fresh->point_count);
	snw_status status = SNW_OK;
	for (uint32_t p = 0; !snw_failed(status) && p < fresh->point_count; p++) {
		const uint32_t partner = partners[shells[p]];
		const bool is_stray = !is_done[p] && old_shells[places[p].points[0]] != partner;
		uint32_t count = 0;
		for (uint32_t q = p; is_stray && q < fresh->point_count; q++) {
			if (!is_done[q] && partners[shells[q]] == partner && old_shells[places[q].points[0]] != partner) {
				is_done[q] = true;
				strays[count++] = q;
			}
		}
		status = count > 0 ? move_to_shell(r, old, old_shells, partner, count, strays, fresh, most, places) : SNW_OK;
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- stencils ------------------------------------------------------------------------------------------------------------ */

static snw_stencils stencils_of_places(uint32_t count, const snw_surface_place *places, snw_arena *arena) {
	snw_stencils made = {.count = count,
						 .offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1),
						 .indices = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)count),
						 .weights = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count)};
	for (uint32_t p = 0, n = 0; p < count; p++) {
		for (int c = 0; c < 3; c++) {
			if (places[p].shares[c] > 0) {
				made.indices[n] = places[p].points[c];
				made.weights[n++] = places[p].shares[c];
			}
		}
		made.offsets[p + 1] = n;
	}
	return made;
}

/* For each new face, the old face nearest to the middle of it. */
static snw_status find_parents(const remeshing *r, const snw_mesh *old, const snw_mesh *fresh, uint32_t *parents) {
	snw_arena *scratch = snw_arena_create();
	double *middles = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)fresh->face_count);
	snw_surface_place *places = SNW_NEW_ARRAY(scratch, snw_surface_place, fresh->face_count);
	for (uint32_t f = 0; f < fresh->face_count; f++) {
		const uint32_t begin = fresh->face_offsets[f], end = fresh->face_offsets[f + 1];
		for (uint32_t k = begin; k < end; k++) {
			for (size_t c = 0; c < 3; c++) {
				middles[3 * (size_t)f + c] += fresh->points_rest[3 * (size_t)fresh->face_points[k] + c] / (end - begin);
			}
		}
	}
	const snw_status status =
		snw_surface_places_find(fresh->face_count, middles, old, old->points_rest, "matching faces", r->task, places, r->error);
	for (uint32_t f = 0; !snw_failed(status) && f < fresh->face_count; f++) {
		parents[f] = places[f].face;
	}
	snw_arena_destroy(scratch);
	return status;
}

static snw_status follow_mesh(const remeshing *r, uint32_t m, const snw_mesh *fresh) {
	const snw_mesh *old = &r->old->meshes[m];
	const double most = SNW_REMESH_FAR * snw_scene_diagonal(r->old, m);
	snw_surface_place *places = SNW_NEW_ARRAY(r->arena, snw_surface_place, fresh->point_count);
	uint32_t *parents = SNW_NEW_ARRAY(r->arena, uint32_t, (size_t)fresh->face_count + 1);
	snw_status status = snw_surface_places_find(fresh->point_count, fresh->points_rest, old, old->points_rest,
												"matching points", r->task, places, r->error);
	status = snw_failed(status) ? status : keep_shells(r, old, fresh, most, places);
	status = snw_failed(status) ? status : find_parents(r, old, fresh, parents);
	for (uint32_t p = 0; !snw_failed(status) && p < fresh->point_count; p++) {
		r->made->far_count += places[p].distance > most;
		r->made->farthest = places[p].distance > r->made->farthest ? places[p].distance : r->made->farthest;
	}
	r->places[m] = places;
	/* Of no size: the faces themselves are the new mesh's. */
	r->refinements[m] = (snw_refinement){.points = stencils_of_places(fresh->point_count, places, r->arena),
										 .face_count = fresh->face_count,
										 .faces = parents,
										 .parents = parents};
	return status;
}

/* ---- targets ------------------------------------------------------------------------------------------------------------- */

/* How the triangle of a place is rotated from rest; the identity for one without an area. */
static void triangle_rotation(const snw_surface_place *place, const double *rest, const float *posed, double rotation[9]) {
	double frames[2][9], linear[9] = {0}; /* rows: two edges and the normal, unit */
	for (int i = 0; i < 2; i++) {
		double corners[3][3];
		for (int n = 0; n < 3; n++) {
			for (int c = 0; c < 3; c++) {
				const size_t at = 3 * (size_t)place->points[n] + (size_t)c;
				corners[n][c] = i == 0 ? rest[at] : (double)posed[at];
			}
		}
		for (int c = 0; c < 3; c++) {
			frames[i][c] = corners[1][c] - corners[0][c];
			frames[i][3 + c] = corners[2][c] - corners[0][c];
		}
		snw_cross3(frames[i], frames[i] + 3, frames[i] + 6);
		for (int n = 0; n < 3; n++) {
			const double length = snw_length3(frames[i] + 3 * n);
			for (int c = 0; c < 3 && length > 0; c++) {
				frames[i][3 * n + c] /= length;
			}
		}
	}
	for (int n = 0; n < 9; n++) {
		for (int k = 0; k < 3; k++) {
			linear[n] += frames[1][3 * k + n / 3] * frames[0][3 * k + n % 3];
		}
	}
	const bool is_flat = snw_length3(frames[0] + 6) == 0 || snw_length3(frames[1] + 6) == 0;
	snk_nearest_rotation(linear, rotation);
	for (int n = 0; n < 9 && is_flat; n++) {
		rotation[n] = n % 4 == 0;
	}
}

/* A resampled point keeps its offset from the old surface, which rotates with it. */
static void add_offsets_to_target(const remeshing *r, const snw_target *old, const snw_mesh *fresh, float *points) {
	const snw_mesh *mesh = &r->old->meshes[old->mesh];
	const snw_surface_place *places = r->places[old->mesh];
	for (uint32_t p = 0; p < fresh->point_count; p++) {
		double at[3], offset[3];
		snw_surface_place_value(&places[p], mesh->points_rest, 3, at);
		for (size_t c = 0; c < 3; c++) {
			offset[c] = fresh->points_rest[3 * (size_t)p + c] - at[c];
		}
		for (size_t f = 0; snw_length3(offset) > 0 && f < old->frame_count; f++) {
			double rotation[9];
			triangle_rotation(&places[p], mesh->points_rest, old->points_posed + 3 * f * mesh->point_count, rotation);
			for (size_t c = 0; c < 3; c++) {
				points[3 * (f * fresh->point_count + p) + c] += (float)snw_dot3(rotation + 3 * c, offset);
			}
		}
	}
}

/* ---- the scene ----------------------------------------------------------------------------------------------------------- */

/* The new mesh that takes an old one's place with other faces, if something needs its points; NULL. */
static const snw_mesh *find_other(const remeshing *r, uint32_t m) {
	const snw_mesh *old = &r->old->meshes[m];
	const uint32_t place = snw_match_mesh(r->old, m, r->fresh);
	const snw_mesh *fresh = place == SNW_NONE ? NULL : &r->fresh->meshes[place];
	if (!fresh || fresh->point_count == 0 || old->point_count == 0 || !snw_transfer_needs_points(r->old, m)) {
		return NULL;
	}
	if (old->point_count != fresh->point_count || old->face_count != fresh->face_count) {
		return fresh;
	}
	snw_arena *scratch = snw_arena_create();
	const uint32_t *order = snw_same_faces(old, fresh) ? NULL : snw_match_points(old, fresh, scratch);
	const snw_mesh in_order = order ? snw_mesh_in_order(fresh, order, scratch) : *fresh;
	const bool is_same = snw_same_faces(old, &in_order);
	snw_arena_destroy(scratch);
	return is_same ? NULL : fresh;
}

/* The old skin on the new faces, at the places on the old surface. */
static snw_mesh with_faces(const snw_mesh *mesh, const snw_mesh *fresh) {
	snw_mesh made = *fresh;
	made.id = mesh->id;
	made.name = mesh->name;
	made.points_rest = mesh->points_rest;
	made.influence_offsets = mesh->influence_offsets;
	made.influence_slots = mesh->influence_slots;
	made.influence_weights = mesh->influence_weights;
	made.morph_count = mesh->morph_count;
	made.morphs = mesh->morphs;
	return made;
}

static void view_stencils_of_places(const remeshing *r) {
	const uint32_t meshes = r->old->mesh_count;
	snw_stencils_view *views = SNW_NEW_ARRAY(r->arena, snw_stencils_view, meshes);
	const snw_stencils_view **list = SNW_NEW_ARRAY(r->arena, const snw_stencils_view *, meshes);
	for (uint32_t m = 0; m < meshes; m++) {
		const snw_stencils *stencils = &r->refinements[m].points;
		views[m] = (snw_stencils_view){.size = sizeof *views,
									   .source_count = r->old->meshes[m].point_count,
									   .offsets = stencils->offsets,
									   .sources = stencils->indices,
									   .shares = stencils->weights};
		list[m] = &views[m];
	}
	r->made->stencils = list;
}

static snw_status make_scene(const remeshing *r, const snw_mesh *const *others) {
	snw_scene *scene = &r->made->scene;
	const snw_status status = snw_refined_scene(r->old, r->refinements, r->task, r->arena, scene, r->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_mesh *meshes = (snw_mesh *)scene->meshes; /* the arena's */
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m] = others[m] ? with_faces(&meshes[m], others[m]) : meshes[m];
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const uint32_t mesh = scene->targets[i].mesh;
		if (others[mesh]) {
			add_offsets_to_target(r, &r->old->targets[i], others[mesh], (float *)scene->targets[i].points_posed);
			r->made->target_count++;
		}
	}
	view_stencils_of_places(r);
	return SNW_OK;
}

snw_status snw_remesh_make(const snw_scene *old, const snw_scene *fresh, const snw_task *task, snw_arena *arena,
						   snw_remesh *remesh, snw_error *error) {
	*remesh = (snw_remesh){.scene = *old};
	const snw_mesh **others = SNW_NEW_ARRAY(arena, const snw_mesh *, old->mesh_count);
	const remeshing r = {.old = old,
						 .fresh = fresh,
						 .task = task,
						 .arena = arena,
						 .made = remesh,
						 .refinements = SNW_NEW_ARRAY(arena, snw_refinement, old->mesh_count),
						 .places = SNW_NEW_ARRAY(arena, snw_surface_place *, old->mesh_count),
						 .error = error};
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snw_failed(status) && m < old->mesh_count; m++) {
		others[m] = find_other(&r, m);
		if (others[m] && others[m]->face_count > 0) {
			remesh->mesh_count++;
			status = follow_mesh(&r, m, others[m]);
		} else {
			others[m] = NULL;
		}
	}
	return snw_failed(status) || remesh->mesh_count == 0 ? status : make_scene(&r, others);
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

/* Models are of a list of joints, slots and meshes. */
static bool has_same_lists(const snw_scene *before, const snw_scene *after) {
	bool same = before->mesh_count == after->mesh_count && before->slot_count == after->slot_count &&
				before->skeleton.joint_count == after->skeleton.joint_count && before->channel_count == after->channel_count;
	for (uint32_t m = 0; same && m < before->mesh_count; m++) {
		same = before->meshes[m].id == after->meshes[m].id;
	}
	for (uint32_t j = 0; same && j < before->skeleton.joint_count; j++) {
		same = strcmp(before->skeleton.names[j], after->skeleton.names[j]) == 0;
	}
	return same && memcmp(before->slot_joints, after->slot_joints, before->slot_count * sizeof *before->slot_joints) == 0;
}

snw_status snw_remesh_models(const snw_remesh *remesh, const snw_scene *before, const snw_scene *after,
							 const snw_registry *registry, const snw_task *task, snw_arena *arena, snw_saved_model *models,
							 bool *is_transferred, snw_error *error) {
	snw_scene scene = *after;
	snw_layer *layers = snw_arena_copy(arena, after->layers, after->layer_count * sizeof *layers);
	snw_saved_model *list = SNW_NEW_ARRAY(arena, snw_saved_model, (size_t)after->model_count + after->layer_count);
	for (uint32_t i = 0; i < after->model_count; i++) {
		list[i] = after->models[i];
	}
	scene.layers = layers;
	scene.models = list;
	const snw_model_transfer transfer = {before, &scene, registry, remesh->stencils, task, arena};
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < before->layer_count; i++) {
		const snw_layer *layer = &before->layers[i];
		const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
		if (layer->model == SNW_NONE || (deformer && deformer->descriptor->traits & SNW_REFITS)) {
			continue;
		}
		snw_error why = {0};
		if (!has_same_lists(before, after)) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"a mesh has other faces, and joints or meshes were added, removed or reordered: layer '%s' cannot "
							"follow both; remove that layer first, or import one change after the other",
							layer->name);
		}
		status = snw_transfer_model(&transfer, i, i, &models[i], &why);
		if (snw_failed(status)) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "%s; remove that layer first", why.text);
		}
		is_transferred[i] = true;
		layers[i].model = scene.model_count;
		list[scene.model_count++] = models[i];
	}
	return status;
}
