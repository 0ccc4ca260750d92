/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the program that represents each mesh's stack, and runs the passes in order. Other parts of the stack are named in a
 * notice, and their loss is measured by playback_error.
 */
#include "export/plan/plan.h"

#include <string.h>

#include "export/plan/passes.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- check engine -------------------------------------------------------------------------------------------------------- */

/* Whether an engine plays a plan, and what to do if not. */

/* What comes before a limit: "Bevy plays". */
static const char *who_plays(const snw_plan *plan, snw_arena *arena) {
	const snw_engine *engine = plan->request->engine;
	return engine ? snw_arena_format(arena, "%s plays", engine->label) : "not every engine plays more than";
}

/* An export that names no engine can name one that plays more. */
static const char *way_out(const snw_plan *plan) {
	return plan->request->engine ? "" : ", or name the engine with --for";
}

/* A bake that has few enough. */
static const char *bake(const snw_plan *plan, uint32_t joints, uint32_t morphs) {
	const snw_engine *engine = plan->request->engine;
	return snw_arena_format(plan->arena, "run 'sinew bake P.sinew%s%s --budget influences=%u,joints=%u,morphs=%u'",
							engine ? " --for " : "", engine ? engine->name : "", plan->request->influences, joints, morphs);
}

static snw_status check_joints(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_engine *engine, snw_error *error) {
	const uint32_t joints = mesh->skin_set == SNW_NONE ? 0 : plan->skin_sets[mesh->skin_set].count;
	if (joints <= engine->joints) {
		return SNW_OK;
	}
	const uint32_t morphs = mesh->shape_count < engine->morphs ? mesh->shape_count : engine->morphs;
	const char *remedy = mesh->proxy_count > 0 ? "fit it with fewer joints" : bake(plan, engine->joints, morphs);
	return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s: its skin has %u joints, and %s %u; %s%s", mesh->mesh->name, joints,
					who_plays(plan, plan->arena), engine->joints, remedy, way_out(plan));
}

/* A bake keeps the morph targets that came with the character, and makes no more of a mesh without a skeleton. */
static const char *fewer_morphs(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_engine *engine) {
	uint32_t imported = 0;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		imported += mesh->morphs[mesh->shapes[s].morph].channel != SNW_NONE;
	}
	if (imported > engine->morphs) {
		return snw_arena_format(plan->arena, "%u came with the character: import it with fewer", imported);
	}
	if (mesh->proxy_count > 0 || mesh->skin_set == SNW_NONE) {
		return "fit fewer displacements or mute sculpts";
	}
	return bake(plan, plan->skin_sets[mesh->skin_set].count, engine->morphs);
}

static snw_status check_morphs(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_engine *engine, snw_error *error) {
	if (mesh->shape_count <= engine->morphs) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s: it has %u morph targets, and %s %u; %s%s", mesh->mesh->name,
					mesh->shape_count, who_plays(plan, plan->arena), engine->morphs, fewer_morphs(plan, mesh, engine),
					way_out(plan));
}

/* SNW_ERROR_LIMIT if a skin or a mesh of the plan has more than the request's engine plays. The message says what to do. */
static snw_status plan_check_engine(const snw_plan *plan, snw_error *error) {
	const snw_engine *engine = plan->request->engine ? plan->request->engine : snw_engine_any();
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		status = check_joints(plan, &plan->meshes[m], engine, error);
		status = snw_failed(status) ? status : check_morphs(plan, &plan->meshes[m], engine, error);
	}
	return status;
}

/* ---- descriptions -------------------------------------------------------------------------------------------------------- */

/* Which morph targets the layers describe the drive of (snw_deformer.describe), so that a player can compute their weights. */

bool snw_plan_description_names(const cJSON *description, const char *text) {
	const char *value = cJSON_GetStringValue(description);
	bool names = value && strcmp(value, text) == 0;
	for (const cJSON *item = value ? NULL : description->child; item && !names; item = item->next) {
		names = snw_plan_description_names(item, text);
	}
	return names;
}

/* Finds the morph targets that a layer describes the drive of. */
static void plan_find_described(snw_plan *plan) {
	for (uint32_t d = 0; d < plan->description_count; d++) {
		cJSON *description = cJSON_Parse(plan->descriptions[d].json);
		for (uint32_t m = 0; m < plan->mesh_count && description; m++) {
			for (uint32_t t = 0; t < plan->meshes[m].morph_count; t++) {
				snw_plan_morph *morph = &plan->meshes[m].morphs[t];
				const bool is_named = morph->channel == SNW_NONE && morph->model_name;
				morph->is_described |= is_named && snw_plan_description_names(description, morph->model_name);
			}
		}
		cJSON_Delete(description);
	}
}

/* ---- probe poses --------------------------------------------------------------------------------------------------------- */

static bool has_black_box(const snw_plan *plan, uint32_t mesh) {
	bool any = false;
	for (uint32_t s = 0; s < snw_stack_segment_count(plan->stack, mesh); s++) {
		any = any || !snw_stack_segment(plan->stack, mesh, s).is_program;
	}
	return any;
}

/* Black boxes fail only when they run. */
static snw_status play_pose(const snw_plan *plan, const snw_pose *pose, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_pose_view *view;
	snw_status status = snw_plan_drive(plan, pose, scratch, &view, error);
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		if (has_black_box(plan, mesh->index)) {
			double *points = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)mesh->mesh->point_count);
			status = snw_stack_reference(plan->stack, plan->evaluation, mesh->index, NULL, points, error);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

/* Named poses are no part of a file, so one that a layer fails at is left out of what is measured, and named. The pose of the
 * nodes is needed. */
static snw_status find_playable_poses(snw_plan *plan, snw_error *error) {
	plan->is_playable = SNW_NEW_ARRAY(plan->arena, bool, plan->scene->pose_count);
	for (uint32_t p = 0; p < plan->scene->pose_count; p++) {
		const snw_pose *pose = &plan->scene->poses[p];
		snw_error failure = {0};
		const snw_status status = play_pose(plan, pose, &failure);
		if (status == SNW_CANCELLED || status == SNW_ERROR_MEMORY || (snw_failed(status) && pose == plan->rest)) {
			return snw_fail(error, status, "pose '%s': %s", pose->name, failure.text);
		}
		plan->is_playable[p] = !snw_failed(status);
		if (snw_failed(status)) {
			snw_task_notice(plan->task, SNW_LOG_WARNING,
							"pose '%s' is left out of what the export measures: %s; clips are exported all the same",
							pose->name, failure.text);
		}
	}
	return SNW_OK;
}

static snw_plan_probes gather_probes(const snw_plan *plan) {
	enum { MOMENTS = 4 };
	snw_plan_probes all = {0};
	all.poses = SNW_NEW_ARRAY(plan->arena, const snw_pose *, 1 + (size_t)plan->scene->pose_count + MOMENTS * plan->clip_count);
	all.poses[all.count++] = plan->rest;
	for (uint32_t p = 0; p < plan->scene->pose_count; p++) {
		if (plan->is_playable[p]) {
			all.poses[all.count++] = &plan->scene->poses[p];
		}
	}
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		for (int m = 0; m < MOMENTS; m++) {
			const double seconds = plan->scene->clips[plan->clips[c]].duration_seconds * m / (MOMENTS - 1);
			all.poses[all.count++] = snw_clip_sampler_pose(plan->samplers[c], seconds, plan->arena);
		}
	}
	return all;
}

bool snw_plan_progress(const snw_plan *plan, snw_plan_stage stage, double fraction) {
	static const struct {
		double begin;
		const char *activity;
	} stages[SNW_PLAN_STAGE_COUNT] = {[SNW_PLAN_FITS_BLENDS] = {0, "fitting weights for linear blend"},
									  [SNW_PLAN_SAMPLES_WEIGHTS] = {0.1, "sampling correctives"},
									  [SNW_PLAN_FITS_JOINTS] = {0.3, "fitting joints for linear blend"},
									  [SNW_PLAN_MEASURES] = {0.5, "measuring playback"},
									  [SNW_PLAN_FINDS_BOUNDS] = {0.75, "finding bounds"}};
	const double end = stage + 1 < SNW_PLAN_STAGE_COUNT ? stages[stage + 1].begin : SNW_PLAN_SHARE;
	const double progress = stages[stage].begin + (end - stages[stage].begin) * fraction;
	return snw_task_progress(plan->task, progress, stages[stage].activity);
}

snw_status snw_plan_drive(const snw_plan *plan, const snw_pose *pose, snw_arena *arena, const snw_pose_view **view,
						  snw_error *error) {
	*view = snw_pose_view_make(plan->scene, pose, arena);
	return snw_stack_drive(plan->stack, *view, plan->evaluation, error);
}

void snw_plan_driven_weights(const snw_plan *plan, double *weights) {
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		if (mesh->morph_count == 0) {
			continue;
		}
		const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			const snw_plan_morph *morph = &mesh->morphs[t];
			weights[mesh->first_weight + t] = morph->d != SNW_NONE ? input->d[morph->d] : input->e[morph->e];
		}
	}
}

/* ---- choosing programs --------------------------------------------------------------------------------------------------- */

/* The segment with the blend, otherwise the first program. */
static void choose_program(const snw_plan *plan, snw_plan_mesh *mesh) {
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
	if (mesh->program && mesh->program->blend != SNW_BLEND_AFFINE) {
		mesh->skin =
			(snw_plan_skin){mesh->program->influence_offsets, mesh->program->influence_slots, mesh->program->influence_weights};
	}
	const uint32_t helpers = mesh->program ? snw_stack_segment(plan->stack, mesh->index, mesh->segment).helper_count : 0;
	mesh->runs_on_joints = mesh->program && mesh->program->slot_count == plan->scene->slot_count + helpers &&
						   !mesh->program->dual_quaternion_palette;
}

/* A program runs on the joints' palette if its matrices equal that palette in every pose. */
static void check_palette(const snw_plan *plan, snw_plan_mesh *mesh, const snw_pose_view *view) {
	if (!mesh->runs_on_joints || mesh->program->blend == SNW_BLEND_NONE) {
		return;
	}
	const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
	for (size_t i = 0; i < (size_t)view->slot_count * 12; i++) {
		const double scale = 1 + fabs(view->palette[i]);
		if (!(fabs(input->matrices[i] - view->palette[i]) <= 1e-9 * scale)) {
			mesh->runs_on_joints = false;
			return;
		}
	}
}

/* A mesh animation can be exported only as a skin. */
static void warn_unskinned(const snw_plan *plan, const snw_plan_mesh *mesh) {
	for (uint32_t t = 0; t < plan->scene->target_count; t++) {
		const snw_target *target = &plan->scene->targets[t];
		if (target->mesh == mesh->index && target->clip == SNW_NONE && !mesh->mesh->influence_offsets) {
			snw_task_notice(plan->task, SNW_LOG_WARNING,
							"mesh %s: sequence %s has no skin that %s can play, so the mesh does not move; fit a method to it "
							"first, then export",
							mesh->mesh->name, target->name, plan->format);
			return;
		}
	}
}

static bool has_negative_weights(const snw_program *program) {
	bool any = false;
	for (uint32_t i = 0; program->influence_weights && i < program->influence_offsets[program->point_count]; i++) {
		any = any || program->influence_weights[i] < 0;
	}
	return any;
}

static void warn_of_losses(const snw_plan *plan, const snw_plan_mesh *mesh) {
	const char *name = mesh->mesh->name;
	for (uint32_t s = 0; s < snw_stack_segment_count(plan->stack, mesh->index); s++) {
		const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, s);
		const bool plays = info.is_program && (s == mesh->segment || info.program->blend == SNW_BLEND_NONE);
		if (plays) {
			continue;
		}
		snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s: %s is left out: %s plays linear blend over morph targets (%s)",
						name, info.layers, plan->format, info.reason ? info.reason : "it is a second blend");
	}
	if (!mesh->program || mesh->program->blend == SNW_BLEND_NONE) {
		warn_unskinned(plan, mesh);
		return;
	}
	if (mesh->program->blend == SNW_BLEND_LINEAR && has_negative_weights(mesh->program)) {
		snw_task_notice(
			plan->task, SNW_LOG_WARNING,
			"mesh %s: no engine plays its negative weights; %s has the largest positive weights of each point instead", name,
			plan->format);
	}
	const bool is_played =
		mesh->program->blend == SNW_BLEND_LINEAR || mesh->dual_quaternions || mesh->points_rest != mesh->mesh->points_rest;
	if (!is_played && mesh->proxy_count == 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s: its %s blend plays as linear blend in %s", name,
						mesh->program->blend == SNW_BLEND_DUAL_QUATERNION ? "dual-quaternion" : "affine", plan->format);
	} else if (!mesh->runs_on_joints && mesh->proxy_count == 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s: its proxy joints cannot be nodes; %s plays its base skin", name,
						plan->format);
	}
}

/* ---- planning ------------------------------------------------------------------------------------------------------------ */

static bool has_mesh(const snw_plan *plan, uint32_t mesh) {
	const snw_character *character = plan->request->character;
	return (plan->request->mesh == SNW_NONE || plan->request->mesh == mesh) && (!character || character->meshes[mesh]);
}

static bool has_channel(const snw_plan *plan, uint32_t channel) {
	for (uint32_t m = 0; m < plan->scene->mesh_count; m++) {
		const snw_mesh *mesh = &plan->scene->meshes[m];
		for (uint32_t t = 0; has_mesh(plan, m) && t < mesh->morph_count; t++) {
			if (mesh->morphs[t].channel == channel) {
				return true;
			}
		}
	}
	return false;
}

/* Whether a clip has a track of the request's character; of the whole scene, any clip is one. */
static bool moves_character(const snw_plan *plan, const snw_clip *clip) {
	const snw_character *character = plan->request->character;
	bool any = !character;
	for (uint32_t t = 0; t < clip->track_count && !any; t++) {
		const snw_track *track = &clip->tracks[t];
		any = track->path == SNW_PATH_CHANNEL ? has_channel(plan, track->target) : character->joints[track->target];
	}
	return any;
}

static void choose_clips(snw_plan *plan) {
	const snw_scene *scene = plan->scene;
	plan->clips = SNW_NEW_ARRAY(plan->arena, uint32_t, scene->clip_count);
	plan->samplers = SNW_NEW_ARRAY(plan->arena, const snw_clip_sampler *, scene->clip_count);
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if ((plan->request->clip != SNW_NONE && plan->request->clip != c) || !moves_character(plan, &scene->clips[c])) {
			continue;
		}
		double *seconds;
		uint32_t moments;
		snw_clip_times(scene, c, plan->arena, &seconds, &moments);
		if (moments == 0) {
			snw_task_notice(plan->task, SNW_LOG_WARNING, "clip %s has no keys; it is left out of %s", scene->clips[c].name,
							plan->format);
			continue;
		}
		plan->samplers[plan->clip_count] = snw_clip_sampler_create(scene, c, plan->arena);
		plan->clips[plan->clip_count++] = c;
	}
}

static void choose_meshes(snw_plan *plan) {
	const snw_scene *scene = plan->scene;
	plan->meshes = SNW_NEW_ARRAY(plan->arena, snw_plan_mesh, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (!has_mesh(plan, m)) {
			continue;
		}
		if (scene->meshes[m].point_count == 0) {
			snw_task_notice(plan->task, SNW_LOG_WARNING, "mesh %s has no points; it is left out of %s", scene->meshes[m].name,
							plan->format);
			continue;
		}
		snw_plan_mesh *mesh = &plan->meshes[plan->mesh_count++];
		mesh->mesh = &scene->meshes[m];
		mesh->index = m;
		mesh->slot = SNW_NONE;
		mesh->points_rest = mesh->mesh->points_rest;
		const double diagonal = snw_scene_diagonal(scene, m);
		mesh->diagonal = diagonal > 0 ? diagonal : 1;
		choose_program(plan, mesh);
	}
}

static snw_status plan_mesh(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_probes *probes, snw_error *error) {
	const snw_status status = snw_plan_keep_influences(plan, mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	warn_of_losses(plan, mesh);
	return snw_plan_add_morphs(plan, mesh, probes, error);
}

static snw_status plan_meshes(snw_plan *plan, const snw_plan_probes *probes, snw_error *error) {
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		const snw_status status = plan_mesh(plan, mesh, probes, error);
		if (snw_failed(status)) {
			return status;
		}
		mesh->first_weight = plan->weight_count;
		plan->weight_count += mesh->morph_count;
	}
	snw_plan_place_rigid_meshes(plan);
	snw_plan_group_skins(plan);
	plan->report.mesh_count = plan->mesh_count;
	plan->report.clip_count = plan->clip_count;
	const snw_pose_view *view;
	plan->rest_weights = SNW_NEW_ARRAY(plan->arena, double, plan->weight_count);
	const snw_status status = snw_plan_drive(plan, plan->rest, plan->arena, &view, error);
	if (!snw_failed(status)) {
		snw_plan_driven_weights(plan, plan->rest_weights);
	}
	return status;
}

static snw_status check_palettes(snw_plan *plan, const snw_plan_probes *probes, snw_error *error) {
	for (uint32_t p = 0; p < probes->count; p++) {
		const snw_pose_view *view;
		const snw_status status = snw_plan_drive(plan, probes->poses[p], plan->arena, &view, error);
		if (snw_failed(status)) {
			return status;
		}
		for (uint32_t m = 0; m < plan->mesh_count; m++) {
			check_palette(plan, &plan->meshes[m], view);
		}
	}
	return SNW_OK;
}

static void keep_joint(snw_plan_rig *rig, uint32_t joint) {
	for (; joint != SNW_NONE && rig->is_left_out[joint]; joint = rig->parents[joint]) {
		rig->is_left_out[joint] = false;
	}
}

/* Joints of other characters are left out, with what the file adds below them, unless a mesh of the file refers to them. */
static void leave_out_joints(snw_plan *plan) {
	snw_plan_rig *rig = &plan->rig;
	const snw_character *character = plan->request->character;
	rig->is_left_out = SNW_NEW_ARRAY(plan->arena, bool, rig->joint_count);
	for (uint32_t i = 0; i < rig->joint_count && character; i++) {
		const uint32_t joint = rig->order[i], parent = rig->parents[joint];
		const bool is_added = joint >= plan->scene->skeleton.joint_count;
		rig->is_left_out[joint] = is_added ? parent != SNW_NONE && rig->is_left_out[parent] : !character->joints[joint];
	}
	for (uint32_t m = 0; m < plan->mesh_count && character; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		const bool is_skinned = mesh->placement == SNW_PLAN_SKINNED;
		for (size_t i = 0; is_skinned && i < (size_t)mesh->mesh->point_count * mesh->width; i++) {
			keep_joint(rig, mesh->weights[i] > 0 ? rig->slot_joints[mesh->slots[i]] : SNW_NONE);
		}
		keep_joint(rig, mesh->slot == SNW_NONE ? SNW_NONE : rig->slot_joints[mesh->slot]);
	}
}

/* Chooses meshes, clips, influences and morph targets. */
static snw_status choose_contents(snw_plan *plan, snw_error *error) {
	choose_clips(plan);
	choose_meshes(plan);
	snw_status status = find_playable_poses(plan, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_plan_probes probes = gather_probes(plan);
	status = check_palettes(plan, &probes, error);
	if (!snw_failed(status)) {
		status = snw_plan_fit_affine_blends(plan, error);
	}
	if (!snw_failed(status)) {
		snw_plan_find_helpers(plan);
		status = snw_plan_add_proxies(plan, error);
	}
	status = snw_failed(status) ? status : plan_meshes(plan, &probes, error);
	if (!snw_failed(status)) {
		leave_out_joints(plan);
	}
	return status;
}

static snw_status run_passes(snw_plan *plan, snw_error *error) {
	snw_status status = choose_contents(plan, error);
	if (!snw_failed(status)) {
		status = snw_stack_describe(plan->stack, plan->arena, &plan->descriptions, &plan->description_count, error);
	}
	if (!snw_failed(status)) {
		plan_find_described(plan);
		status = snw_plan_invert_again(plan, error);
	}
	if (!snw_failed(status)) {
		status = snw_plan_sample_weights(plan, error);
	}
	if (!snw_failed(status)) {
		snw_plan_choose_shapes(plan);
		status = plan_check_engine(plan, error);
		status = snw_failed(status) ? status : snw_plan_sample_helpers(plan, error);
	}
	if (!snw_failed(status)) {
		status = snw_plan_fit_proxies(plan, error);
	}
	if (!snw_failed(status)) {
		status = snw_plan_round_weights(plan, error);
	}
	if (!snw_failed(status) && plan->request->compresses) {
		snw_plan_round_points(plan);
	}
	if (!snw_failed(status) && !plan->request->unmeasured) {
		status = plan->request->plays_drives ? SNW_OK : snw_plan_fit_normals(plan);
		status = snw_failed(status) ? status : snw_plan_measure_playback(plan, error);
	}
	return snw_failed(status) ? status : snw_plan_find_bounds(plan, error);
}

snw_status snw_plan_make(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const char *format,
						 const snw_task *task, snw_plan **result, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_plan *plan = SNW_NEW(arena, snw_plan);
	*plan = (snw_plan){.scene = scene, .stack = stack, .request = request, .format = format, .task = task, .arena = arena};
	const uint32_t found = snw_scene_find_pose(scene, "default");
	plan->rest = found != SNW_NONE ? &scene->poses[found] : snw_pose_rest(scene, arena);
	plan->evaluation = snw_evaluation_create(stack);
	const snw_status status = run_passes(plan, error);
	if (!snw_failed(status)) {
		*result = plan;
	} else {
		snw_plan_destroy(plan);
	}
	return status;
}

void snw_plan_destroy(snw_plan *plan) {
	if (plan) {
		snw_evaluation_destroy(plan->evaluation);
		snw_arena_destroy(plan->arena);
	}
}
