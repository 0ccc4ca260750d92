/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which linear blend and which morph targets stand for the stack, mesh by mesh. What a stack says beyond that is named in a
 * notice, and measured by gltf_playback.
 */
#include <string.h>

#include "export/gltf/gltf.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- poses that are looked at before anything is decided ------------------------------------------------------------ */

typedef struct probes {
	uint32_t count;
	const snw_pose **poses;
} probes;

/* The pose of the nodes, the scene's poses (examples have theirs among them) and some moments of each exported clip. */
static probes gather_probes(const snw_gltf_plan *plan) {
	enum { MOMENTS = 4 };
	probes all = {0};
	all.poses = SNW_NEW_ARRAY(plan->arena, const snw_pose *, 1 + (size_t)plan->scene->pose_count + MOMENTS * plan->clip_count);
	all.poses[all.count++] = plan->rest;
	for (uint32_t p = 0; p < plan->scene->pose_count; p++) {
		all.poses[all.count++] = &plan->scene->poses[p];
	}
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		for (int m = 0; m < MOMENTS; m++) {
			const double seconds = plan->scene->clips[plan->clips[c]].duration_seconds * m / (MOMENTS - 1);
			all.poses[all.count++] = snw_pose_sample(plan->scene, plan->clips[c], seconds, plan->arena);
		}
	}
	return all;
}

snw_status snw_gltf_drive(const snw_gltf_plan *plan, const snw_pose *pose, snw_arena *arena, const snw_pose_view **view,
						  snw_error *error) {
	*view = snw_pose_view_make(plan->scene, pose, arena);
	return snw_stack_drive(plan->stack, *view, plan->frame, error);
}

void snw_gltf_driven_weights(const snw_gltf_plan *plan, double *weights) {
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_gltf_mesh *mesh = &plan->meshes[m];
		if (mesh->target_count == 0) {
			continue;
		}
		const snw_program_input *frame = snw_stack_program_frame(plan->frame, mesh->index, mesh->segment);
		for (uint32_t t = 0; t < mesh->target_count; t++) {
			const snw_gltf_target *target = &mesh->targets[t];
			weights[mesh->first_weight + t] = target->d != SNW_NONE ? frame->d[target->d] : frame->e[target->e];
		}
	}
}

/* ---- which program ------------------------------------------------------------------------------------------------- */

/* The segment that carries the blend, else the first program there is. */
static void choose_program(const snw_gltf_plan *plan, snw_gltf_mesh *mesh) {
	mesh->segment = SNW_NONE;
	for (uint32_t s = 0; s < snw_stack_segment_count(plan->stack, mesh->index); s++) {
		const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, s);
		if (!info.is_program) {
			continue;
		}
		if (!mesh->program || (mesh->program->blend == SNW_BLEND_NONE && info.program->blend != SNW_BLEND_NONE)) {
			mesh->program = info.program;
			mesh->segment = s;
		}
	}
	mesh->runs_on_joints =
		mesh->program && mesh->program->slot_count == plan->scene->slot_count && !mesh->program->dual_quaternion_palette;
}

/* A program does not say whose palette it runs on: it runs on the joints' where its matrices are theirs in every pose. */
static void check_palette(const snw_gltf_plan *plan, snw_gltf_mesh *mesh, const snw_pose_view *view) {
	if (!mesh->runs_on_joints || mesh->program->blend == SNW_BLEND_NONE) {
		return;
	}
	const snw_program_input *frame = snw_stack_program_frame(plan->frame, mesh->index, mesh->segment);
	for (size_t i = 0; i < (size_t)view->slot_count * 12; i++) {
		const double scale = 1 + fabs(view->palette[i]);
		if (!(fabs(frame->matrices[i] - view->palette[i]) <= 1e-9 * scale)) {
			mesh->runs_on_joints = false;
			return;
		}
	}
}

/* A mesh animation moves in glTF only as a skin. */
static void tell_unskinned(const snw_gltf_plan *plan, const snw_gltf_mesh *mesh) {
	for (uint32_t t = 0; t < plan->scene->target_count; t++) {
		const snw_target *target = &plan->scene->targets[t];
		if (target->mesh == mesh->index && target->clip == SNW_NONE && !mesh->mesh->influence_offsets) {
			snw_task_notice(
				plan->task, SNW_LOG_WARNING,
				"mesh %s: sequence %s has no skin that glTF could play, so the mesh stands still; fit one first: sinew fit "
				"sad P.sinew",
				mesh->mesh->name, target->name);
			return;
		}
	}
}

static void tell_what_is_lost(const snw_gltf_plan *plan, const snw_gltf_mesh *mesh) {
	const char *name = mesh->mesh->name;
	for (uint32_t s = 0; s < snw_stack_segment_count(plan->stack, mesh->index); s++) {
		const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, s);
		const bool plays = info.is_program && (s == mesh->segment || info.program->blend == SNW_BLEND_NONE);
		if (plays) {
			continue;
		}
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"mesh %s: %s is left out of glTF, which plays linear blend over morph "
						"targets (%s)",
						name, info.layers, info.reason ? info.reason : "it is a second blend");
	}
	if (!mesh->program || mesh->program->blend == SNW_BLEND_NONE) {
		tell_unskinned(plan, mesh);
		return;
	}
	if (mesh->program->blend != SNW_BLEND_LINEAR && mesh->proxy_count == 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s: its %s blend plays as linear blend in glTF", name,
						mesh->program->blend == SNW_BLEND_DUAL_QUATERNION ? "dual-quaternion" : "affine");
	} else if (!mesh->runs_on_joints && mesh->proxy_count == 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s: its proxy joints are no nodes; glTF plays its base skin", name);
	}
}

/* ---- influences ------------------------------------------------------------------------------------------------------ */

typedef struct skin_source {
	const uint32_t *offsets, *slots;
	const double *weights;
} skin_source;

/* The influences to export: the program's where they are scalar weights over the joints, else the mesh's base skin. Offsets
 * stay NULL for a mesh that no joint moves. */
static snw_status choose_skin(const snw_gltf_mesh *mesh, bool is_all, skin_source *source, snw_error *error) {
	const snw_program *program = mesh->program;
	const bool blends = program && program->blend != SNW_BLEND_NONE;
	*source = (skin_source){0};
	if (blends && (mesh->runs_on_joints || mesh->proxy_count > 0) && program->blend != SNW_BLEND_AFFINE) {
		*source = (skin_source){program->influence_offsets, program->influence_slots, program->influence_weights};
	} else if (mesh->mesh->influence_offsets && (blends || !is_all)) {
		*source = (skin_source){mesh->mesh->influence_offsets, mesh->mesh->influence_slots, mesh->mesh->influence_weights};
	} else if (blends) {
		return snw_fail(
			error, SNW_ERROR_UNSUPPORTED,
			"mesh %s: its blend runs on proxy joints, there is no clip to fit them to, and it has no skin that glTF "
			"could play instead; export .pc2, .mdd or numbered .obj",
			mesh->mesh->name);
	}
	return SNW_OK;
}

typedef struct influence {
	uint32_t slot;
	double weight;
} influence;

/* One point's influences, each slot once, largest first (ties to the lowest slot), without those that pull nothing. */
static uint32_t gather_influences(const skin_source *source, uint32_t point, influence *list, uint32_t *negative) {
	uint32_t count = 0;
	for (uint32_t i = source->offsets[point]; i < source->offsets[point + 1]; i++) {
		uint32_t at = 0;
		while (at < count && list[at].slot != source->slots[i]) {
			at++;
		}
		if (at == count) {
			list[count++] = (influence){source->slots[i], 0};
		}
		list[at].weight += source->weights[i];
	}
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		const influence one = list[i];
		*negative += one.weight < 0;
		if (!(one.weight > 0)) {
			continue;
		}
		uint32_t at = kept++;
		while (at > 0 &&
			   (list[at - 1].weight < one.weight || (list[at - 1].weight == one.weight && list[at - 1].slot > one.slot))) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = one;
	}
	return kept;
}

/* Keeps the largest influences, their weights normalised. */
static void keep_largest(snw_gltf_plan *plan, snw_gltf_mesh *mesh, const skin_source *source) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t most = 1;
	for (uint32_t p = 0; p < points; p++) {
		const uint32_t count = source->offsets[p + 1] - source->offsets[p];
		most = count > most ? count : most;
	}
	influence *list = SNW_NEW_ARRAY(plan->arena, influence, most);
	mesh->width = most > 4 ? plan->request->influences : 4;
	mesh->slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * mesh->width);
	mesh->weights = SNW_NEW_ARRAY(plan->arena, float, (size_t)points * mesh->width);
	bool rigid = true;
	for (uint32_t p = 0; p < points; p++) {
		uint32_t *slots = mesh->slots + (size_t)p * mesh->width;
		float *weights = mesh->weights + (size_t)p * mesh->width;
		uint32_t count = gather_influences(source, p, list, &plan->report.dropped_influences);
		plan->report.dropped_influences += count > mesh->width ? count - mesh->width : 0;
		count = count > mesh->width ? mesh->width : count;
		double sum = 0;
		for (uint32_t i = 0; i < count; i++) {
			sum += list[i].weight;
		}
		for (uint32_t i = 0; i < count; i++) {
			slots[i] = mesh->proxy_count > 0 ? mesh->first_slot + mesh->proxy_of_slot[list[i].slot] : list[i].slot;
			weights[i] = (float)(list[i].weight / sum);
		}
		if (count == 0) {
			slots[0] = mesh->first_slot;
			weights[0] = 1; /* glTF has no point that nothing moves inside a skin */
		}
		rigid = rigid && count == 1 && slots[0] == mesh->slots[0];
	}
	mesh->placement = SNW_GLTF_SKINNED;
	mesh->slot = rigid ? mesh->slots[0] : SNW_NONE;
}

/* A mesh all of which hangs on one slot may be a node's mesh (it has the joint's name) or skinned like the others (a head):
 * it goes back to where it came from. Where no mesh needs a skin, none gets one. */
static void place_rigid_meshes(snw_gltf_plan *plan) {
	bool skins = false;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		skins = skins || (plan->meshes[m].placement == SNW_GLTF_SKINNED && plan->meshes[m].slot == SNW_NONE);
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_gltf_mesh *mesh = &plan->meshes[m];
		if (mesh->slot == SNW_NONE) {
			continue;
		}
		const char *joint = plan->rig.names[plan->rig.slot_joints[mesh->slot]];
		if (!skins || strcmp(joint, mesh->mesh->name) == 0) {
			mesh->placement = SNW_GLTF_RIGID;
		}
	}
}

/* ---- targets --------------------------------------------------------------------------------------------------------- */

/* The mesh's own morph target that a displacement is, driven by its channel; NULL where it is none. */
static const snw_morph *find_morph(const snw_mesh *mesh, const snw_displacements *rest, uint32_t k) {
	const uint32_t begin = rest->offsets[k], count = rest->offsets[k + 1] - begin;
	const snw_morph *likely = k < mesh->morph_count ? &mesh->morphs[k] : NULL;
	if (!likely || likely->count != count || likely->channel != rest->coefficients[k]) {
		return NULL;
	}
	const bool equal = count == 0 || (memcmp(likely->points, rest->points + begin, count * sizeof *rest->points) == 0 &&
									  memcmp(likely->vectors, rest->vectors + 3 * (size_t)begin,
											 3 * (size_t)count * sizeof *rest->vectors) == 0);
	return equal ? likely : NULL;
}

static void add_rest_targets(const snw_gltf_plan *plan, snw_gltf_mesh *mesh, const snw_displacements *rest) {
	for (uint32_t k = 0; k < rest->count; k++) {
		const uint32_t begin = rest->offsets[k], count = rest->offsets[k + 1] - begin;
		const snw_morph *morph = mesh->target_count == k ? find_morph(mesh->mesh, rest, k) : NULL;
		if (count == 0 && !morph) {
			continue; /* a corrective of another mesh */
		}
		snw_gltf_target *target = &mesh->targets[mesh->target_count++];
		*target = (snw_gltf_target){.d = rest->coefficients[k], .e = SNW_NONE, .count = count};
		target->model_name = morph ? morph->name : rest->names ? rest->names[k] : NULL;
		target->channel = morph ? morph->channel : SNW_NONE;
		target->points = SNW_NEW_ARRAY(plan->arena, uint32_t, count);
		target->vectors = SNW_NEW_ARRAY(plan->arena, double, 3 * (size_t)count);
		for (uint32_t i = 0; i < count; i++) {
			target->points[i] = rest->points[begin + i];
			memcpy(target->vectors + 3 * (size_t)i, rest->vectors + 3 * (size_t)(begin + i), 3 * sizeof *target->vectors);
		}
	}
}

/* The rest displacements of all segments, whose coefficients count through the whole stack; then the others, folded. Morphs
 * that came with the file are the lowest layer, so they come first, with the same data. */
static snw_status gather_targets(snw_gltf_plan *plan, snw_gltf_mesh *mesh, const probes *all, snw_error *error) {
	const uint32_t segments = snw_stack_segment_count(plan->stack, mesh->index);
	size_t most = 0;
	for (uint32_t s = 0; s < segments; s++) {
		const snw_program *program = snw_stack_segment(plan->stack, mesh->index, s).program;
		most += program ? (size_t)program->rest.count + program->posed.count : 0;
	}
	mesh->targets = SNW_NEW_ARRAY(plan->arena, snw_gltf_target, most);
	for (uint32_t s = 0; s < segments; s++) {
		const snw_program *program = snw_stack_segment(plan->stack, mesh->index, s).program;
		if (program) {
			add_rest_targets(plan, mesh, &program->rest);
		}
	}
	const uint32_t rest_targets = mesh->target_count;
	snw_status status = SNW_OK;
	for (uint32_t s = 0; s < segments && status >= 0; s++) {
		const snw_program *program = snw_stack_segment(plan->stack, mesh->index, s).program;
		if (program && program->posed.count > 0) {
			status = snw_gltf_fold(plan, mesh, s, rest_targets, all->poses, all->count, error);
		}
	}
	return status;
}

static bool is_taken(const snw_gltf_mesh *mesh, uint32_t before, const char *name) {
	for (uint32_t t = 0; t < before; t++) {
		if (strcmp(mesh->targets[t].name, name) == 0) {
			return true;
		}
	}
	return false;
}

static void name_targets(const snw_gltf_plan *plan, snw_gltf_mesh *mesh) {
	for (uint32_t t = 0; t < mesh->target_count; t++) {
		snw_gltf_target *target = &mesh->targets[t];
		const char *wanted = target->model_name && target->model_name[0]
								 ? target->model_name
								 : snw_arena_format(plan->arena, "corrective %u", t + 1);
		target->name = wanted;
		for (uint32_t n = 2; is_taken(mesh, t, target->name); n++) {
			target->name = snw_arena_format(plan->arena, "%s.%u", wanted, n);
		}
	}
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static void choose_clips(snw_gltf_plan *plan) {
	const snw_scene *scene = plan->scene;
	plan->clips = SNW_NEW_ARRAY(plan->arena, uint32_t, scene->clip_count);
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (plan->request->clip != SNW_NONE && plan->request->clip != c) {
			continue;
		}
		double *seconds;
		uint32_t moments;
		snw_clip_times(scene, c, plan->arena, &seconds, &moments);
		if (moments == 0) {
			snw_task_notice(plan->task, SNW_LOG_WARNING, "clip %s moves nothing and is left out of glTF", scene->clips[c].name);
			continue;
		}
		plan->clips[plan->clip_count++] = c;
	}
}

static void choose_meshes(snw_gltf_plan *plan) {
	const snw_scene *scene = plan->scene;
	plan->meshes = SNW_NEW_ARRAY(plan->arena, snw_gltf_mesh, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].point_count == 0) {
			snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s has no points and is left out of glTF",
							scene->meshes[m].name);
			continue;
		}
		snw_gltf_mesh *mesh = &plan->meshes[plan->mesh_count++];
		mesh->mesh = &scene->meshes[m];
		mesh->index = m;
		mesh->slot = mesh->skin = SNW_NONE;
		const double diagonal = snw_scene_diagonal(scene, m);
		mesh->diagonal = diagonal > 0 ? diagonal : 1;
		choose_program(plan, mesh);
	}
}

static snw_status plan_mesh(snw_gltf_plan *plan, snw_gltf_mesh *mesh, const probes *all, snw_error *error) {
	skin_source source;
	const bool is_all = mesh->program && snw_stack_segment_count(plan->stack, mesh->index) == 1;
	snw_status status = choose_skin(mesh, is_all, &source, error);
	if (status < 0) {
		return status;
	}
	if (source.offsets) {
		keep_largest(plan, mesh, &source);
	}
	tell_what_is_lost(plan, mesh);
	status = gather_targets(plan, mesh, all, error);
	name_targets(plan, mesh);
	return status;
}

snw_status snw_gltf_plan_make(snw_gltf_plan *plan, snw_error *error) {
	choose_clips(plan);
	choose_meshes(plan);
	const probes all = gather_probes(plan);
	for (uint32_t p = 0; p < all.count; p++) {
		const snw_pose_view *view;
		const snw_status status = snw_gltf_drive(plan, all.poses[p], plan->arena, &view, error);
		if (status < 0) {
			return status;
		}
		for (uint32_t m = 0; m < plan->mesh_count; m++) {
			check_palette(plan, &plan->meshes[m], view);
		}
	}
	snw_gltf_add_proxies(plan);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_gltf_mesh *mesh = &plan->meshes[m];
		const snw_status status = plan_mesh(plan, mesh, &all, error);
		if (status < 0) {
			return status;
		}
		mesh->first_weight = plan->weight_count;
		plan->weight_count += mesh->target_count;
	}
	place_rigid_meshes(plan);
	plan->report.mesh_count = plan->mesh_count;
	plan->report.morph_count = plan->weight_count;
	plan->report.clip_count = plan->clip_count;
	const snw_pose_view *view;
	plan->rest_weights = SNW_NEW_ARRAY(plan->arena, double, plan->weight_count);
	const snw_status status = snw_gltf_drive(plan, plan->rest, plan->arena, &view, error);
	if (status >= 0) {
		snw_gltf_driven_weights(plan, plan->rest_weights);
	}
	return status;
}
