/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proxy joints: a blend with a palette that is not the skeleton's becomes joints of the file. Their tracks are fitted under
 * linear blend at the moments of each clip, because engines play linear blend.
 */
#include <assert.h>
#include <string.h>

#include "base/numbers.h"
#include "export/plan/joints/affine_nodes.h"
#include "export/plan/joints/palette_fit.h"
#include "export/plan/passes.h"
#include "pose/clip.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

enum { BATCH = 32 };                         /* moments in memory at a time */
static const double STEP_SECONDS = 1.0 / 30; /* between keys, if a clip has tracks */
static const double RIGID_TOLERANCE = 1e-5;
static const double SAME_SECONDS = 1e-5;

/* ---- the rig of the file ------------------------------------------------------------------------------------------------- */

static void copy_rig(snw_plan *plan, uint32_t joint_count, uint32_t slot_count) {
	const snw_scene *scene = plan->scene;
	snw_plan_rig *rig = &plan->rig;
	rig->joint_count = scene->skeleton.joint_count;
	rig->slot_count = scene->slot_count;
	rig->names = SNW_NEW_ARRAY(plan->arena, const char *, joint_count);
	rig->parents = SNW_NEW_ARRAY(plan->arena, uint32_t, joint_count);
	rig->order = SNW_NEW_ARRAY(plan->arena, uint32_t, joint_count);
	rig->local = SNW_NEW_ARRAY(plan->arena, snw_transform, joint_count);
	rig->slot_joints = SNW_NEW_ARRAY(plan->arena, uint32_t, slot_count);
	rig->slot_inverse_binds = SNW_NEW_ARRAY(plan->arena, double, 12 * (size_t)slot_count);
	for (uint32_t j = 0; j < rig->joint_count; j++) {
		rig->names[j] = scene->skeleton.names[j];
		rig->parents[j] = scene->skeleton.parents[j];
		rig->order[j] = scene->skeleton.order[j];
		rig->local[j] = plan->rest->local[j];
	}
	if (scene->slot_count > 0) {
		memcpy(rig->slot_joints, scene->slot_joints, scene->slot_count * sizeof *rig->slot_joints);
		memcpy(rig->slot_inverse_binds, scene->slot_inverse_binds, 12 * (size_t)scene->slot_count * sizeof(double));
	}
}

static uint32_t add_joint(snw_plan_rig *rig, const char *name, uint32_t parent) {
	const uint32_t joint = rig->joint_count++;
	rig->names[joint] = name;
	rig->parents[joint] = parent;
	rig->order[joint] = joint;
	rig->local[joint] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	return joint;
}

/* The number of nodes of each proxy. */
static uint32_t nodes_of_proxy(const snw_plan_mesh *mesh) {
	return mesh->has_affine_proxies ? 2 : 1;
}

/* Adds a common root for a mesh's proxies, and one joint for each of its slots, or two if they are affine. */
static void add_mesh_joints(snw_plan *plan, snw_plan_mesh *mesh) {
	snw_plan_rig *rig = &plan->rig;
	const char *name = mesh->mesh->name;
	const uint32_t root = add_joint(rig, snw_arena_format(plan->arena, "%s proxies", name), SNW_NONE);
	mesh->first_slot = rig->slot_count;
	mesh->first_joint = rig->joint_count;
	for (uint32_t s = 0; s < mesh->proxy_count; s++) {
		uint32_t joint = add_joint(rig, snw_arena_format(plan->arena, "%s proxy %03u", name, s + 1), root);
		if (mesh->has_affine_proxies) {
			joint = add_joint(rig, snw_arena_format(plan->arena, "%s proxy %03u axes", name, s + 1), joint);
		}
		const uint32_t slot = rig->slot_count++;
		rig->slot_joints[slot] = joint;
		snw_mat34_identity(rig->slot_inverse_binds + 12 * (size_t)slot);
	}
}

/* The palette belongs to all meshes of a model; a mesh has proxies for the slots that move its points. */
static void find_proxies(snw_plan *plan, snw_plan_mesh *mesh) {
	const uint32_t slot_count = mesh->program->slot_count;
	const snw_plan_skin *skin = &mesh->skin;
	mesh->proxy_slots = SNW_NEW_ARRAY(plan->arena, uint32_t, slot_count);
	mesh->proxy_of_slot = SNW_NEW_ARRAY(plan->arena, uint32_t, slot_count);
	memset(mesh->proxy_of_slot, 0xff, slot_count * sizeof *mesh->proxy_of_slot);
	for (uint32_t i = 0; i < skin->offsets[mesh->mesh->point_count]; i++) {
		if (skin->weights[i] > 0) {
			mesh->proxy_of_slot[skin->slots[i]] = 0;
		}
	}
	for (uint32_t s = 0; s < slot_count; s++) {
		if (mesh->proxy_of_slot[s] == 0) {
			mesh->proxy_of_slot[s] = mesh->proxy_count;
			mesh->proxy_slots[mesh->proxy_count++] = s;
		}
	}
}

/* ---- the palette of the stack -------------------------------------------------------------------------------------------- */

/* The matrix of a single dual quaternion. */
static void matrix_of_dual_quaternion(const double q[8], double matrix[12]) {
	double real[4], dual[4], conjugate[4], shift[4];
	const double length = sqrt(snw_quat_dot(q, q));
	for (int c = 0; c < 4; c++) {
		real[c] = length > 0 ? q[c] / length : c == 3;
		dual[c] = length > 0 ? q[4 + c] / length : 0;
	}
	snw_quat_to_mat34(real, matrix);
	snw_quat_conjugate(real, conjugate);
	snw_quat_multiply(dual, conjugate, shift);
	for (int r = 0; r < 3; r++) {
		matrix[4 * r + 3] = 2 * shift[r];
	}
}

void snw_plan_read_proxies(const snw_plan *plan, const snw_plan_mesh *mesh, double *matrices) {
	const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
	for (uint32_t s = 0; s < mesh->proxy_count; s++) {
		const size_t slot = mesh->proxy_slots[s];
		if (mesh->program->dual_quaternion_palette) {
			matrix_of_dual_quaternion(input->dual_quaternions + 8 * slot, matrices + 12 * (size_t)s);
		} else {
			memcpy(matrices + 12 * (size_t)s, input->matrices + 12 * slot, 12 * sizeof *matrices);
		}
	}
}

bool snw_plan_is_rigid(const double *matrices, uint32_t count) {
	for (uint32_t s = 0; s < count; s++) {
		const double *m = matrices + 12 * (size_t)s;
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c <= r; c++) {
				const double product = snw_dot3(m + 4 * r, m + 4 * c);
				if (!(fabs(product - (r == c)) <= RIGID_TOLERANCE)) {
					return false;
				}
			}
		}
		if (snw_mat34_determinant(m) < 0) {
			return false;
		}
	}
	return true;
}

/* ---- moments ------------------------------------------------------------------------------------------------------------- */

void snw_plan_moments(const snw_plan *plan, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count) {
	const snw_scene *scene = plan->scene;
	bool fitted = false;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		fitted = fitted || plan->meshes[m].proxy_count > 0;
	}
	snw_clip_times(scene, clip, arena, seconds, count);
	size_t most = *count;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		most += fitted && scene->targets[t].clip == clip ? scene->targets[t].frame_count : 0;
	}
	if (most == *count) {
		return;
	}
	double *all = SNW_NEW_ARRAY(arena, double, most);
	size_t end = 0;
	for (; end < *count; end++) {
		all[end] = (*seconds)[end];
	}
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		for (uint32_t f = 0; target->clip == clip && f < target->frame_count; f++) {
			all[end++] = target->seconds[f];
		}
	}
	snw_sort_numbers(all, end);
	*seconds = all;
	*count = 0;
	for (size_t i = 0; i < end; i++) {
		/* A key and a frame that differ by rounding are the same moment. */
		if (*count == 0 || all[i] > all[*count - 1] + SAME_SECONDS) {
			all[(*count)++] = all[i];
		}
	}
}

void snw_plan_keys(const snw_plan *plan, uint32_t clip, double step_seconds, double **seconds, uint32_t *count) {
	const snw_scene *scene = plan->scene;
	double *moments;
	uint32_t moment_count = 0;
	snw_plan_moments(plan, clip, plan->arena, &moments, &moment_count);
	const bool has_tracks = scene->clips[clip].track_count > 0;
	const uint32_t steps = has_tracks ? (uint32_t)fmin(scene->clips[clip].duration_seconds / step_seconds, 1e6) : 0;
	*seconds = SNW_NEW_ARRAY(plan->arena, double, (size_t)moment_count + steps + 1);
	*count = 0;
	uint32_t i = 0, step = has_tracks ? 0 : 1;
	while (i < moment_count || step <= steps) {
		const double grid = step <= steps ? step * step_seconds : HUGE_VAL, key = i < moment_count ? moments[i] : HUGE_VAL;
		const double next = (double)(float)fmin(grid, key);
		i += key <= grid;
		step += grid <= key;
		if (*count == 0 || next > (*seconds)[*count - 1]) {
			(*seconds)[(*count)++] = next;
		}
	}
}

/* ---- choosing proxies ---------------------------------------------------------------------------------------------------- */

/* Chooses affine proxies if any moment of the clips has a matrix that is not rigid. */
static snw_status find_affine(const snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)mesh->proxy_count);
	snw_status status = SNW_OK;
	for (uint32_t c = 0; c < plan->clip_count && !mesh->has_affine_proxies && !snw_failed(status); c++) {
		double *seconds;
		uint32_t count;
		snw_plan_moments(plan, plan->clips[c], arena, &seconds, &count);
		for (uint32_t i = 0; i < count && !mesh->has_affine_proxies && !snw_failed(status); i++) {
			snw_arena *moment = snw_arena_create();
			const snw_pose_view *view;
			status = snw_plan_drive(plan, snw_clip_sampler_pose(plan->samplers[c], seconds[i], moment), moment, &view, error);
			if (!snw_failed(status)) {
				snw_plan_read_proxies(plan, mesh, matrices);
				mesh->has_affine_proxies = !snw_plan_is_rigid(matrices, mesh->proxy_count);
			}
			snw_arena_destroy(moment);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_plan_add_proxies(snw_plan *plan, snw_error *error) {
	uint32_t joints = plan->scene->skeleton.joint_count + plan->helper_count;
	uint32_t slots = plan->scene->slot_count + plan->helper_count;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		const bool blends = mesh->program && mesh->program->blend != SNW_BLEND_NONE;
		if (blends && !mesh->runs_on_joints && plan->clip_count > 0) {
			find_proxies(plan, mesh);
			const snw_status status = mesh->program->dual_quaternion_palette ? SNW_OK : find_affine(plan, mesh, error);
			if (snw_failed(status)) {
				return status;
			}
			joints += nodes_of_proxy(mesh) * mesh->proxy_count + 1;
			slots += mesh->proxy_count;
		}
	}
	copy_rig(plan, joints, slots);
	snw_status status = snw_plan_add_helpers(plan, error);
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		if (plan->meshes[m].proxy_count > 0) {
			add_mesh_joints(plan, &plan->meshes[m]);
			status = snw_plan_group_proxies(plan, &plan->meshes[m], error);
		}
	}
	return status;
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

/* The fit of one mesh's proxies over one clip. */
typedef struct proxy_fit {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	uint32_t clip; /* into the plan's */
	snw_palette_skin skin;
	uint32_t count;
	double *seconds;          /* [count], each a float */
	snw_transform *joints;    /* [count][proxy_count], if rigid */
	double *matrices;         /* [count][proxy_count][12], if affine */
	snw_transform *above;     /* [count][proxy_count]: the skeleton's joints above proxies; NULL without any */
	snw_palette_fit *moments; /* [BATCH] */
	double *rests, *points;   /* [BATCH][point_count][3] */
	double *weights;          /* [weight_count] */
} proxy_fit;

static void init_fit(proxy_fit *r) {
	const snw_plan_mesh *mesh = r->mesh;
	snw_arena *arena = r->plan->arena;
	const size_t numbers = 3 * (size_t)mesh->mesh->point_count;
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->mesh->point_count * mesh->width);
	for (size_t i = 0; i < (size_t)mesh->mesh->point_count * mesh->width; i++) {
		slots[i] = mesh->weights[i] > 0 ? mesh->slots[i] - mesh->first_slot : 0;
	}
	r->skin = (snw_palette_skin){.point_count = mesh->mesh->point_count,
								 .joint_count = mesh->proxy_count,
								 .width = mesh->width,
								 .slots = slots,
								 .weights = mesh->weights};
	snw_palette_skin_finish(&r->skin, mesh->points_rest, arena);
	r->moments = SNW_NEW_ARRAY(arena, snw_palette_fit, BATCH);
	r->rests = SNW_NEW_ARRAY(arena, double, BATCH *numbers);
	r->points = SNW_NEW_ARRAY(arena, double, BATCH *numbers);
	r->weights = SNW_NEW_ARRAY(arena, double, r->plan->weight_count);
}

/* The skeleton's joint above a proxy, or SNW_NONE. */
static uint32_t joint_above(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t proxy) {
	const uint32_t parent = mesh->proxy_parents ? mesh->proxy_parents[proxy] : SNW_NONE;
	return parent < plan->scene->skeleton.joint_count ? parent : SNW_NONE;
}

/* The proxy above a proxy, or SNW_NONE. */
static uint32_t proxy_above(const snw_plan_mesh *mesh, uint32_t proxy) {
	const uint32_t parent = mesh->proxy_parents ? mesh->proxy_parents[proxy] : SNW_NONE;
	return parent != SNW_NONE && parent >= mesh->first_joint ? parent - mesh->first_joint : SNW_NONE;
}

/* In the axes of a rigid parent. */
static void make_relative(const snw_transform *parent, snw_transform *node) {
	double back[4], rotation[4], matrix[12], away[3];
	snw_quat_conjugate(parent->rotation, back);
	snw_quat_multiply(back, node->rotation, rotation);
	snw_quat_to_mat34(back, matrix);
	for (int c = 0; c < 3; c++) {
		away[c] = node->translation[c] - parent->translation[c];
	}
	snw_mat34_point(matrix, away, node->translation);
	memcpy(node->rotation, rotation, sizeof rotation);
}

/* Places the joints at their centres. */
static void place_joints(const proxy_fit *r) {
	snw_plan_rig *rig = &r->plan->rig;
	const snw_pose_view *rest = snw_pose_view_make(r->plan->scene, r->plan->rest, r->plan->arena);
	for (uint32_t s = 0; s < r->mesh->proxy_count; s++) {
		const double *centre = r->skin.centres + 3 * (size_t)s;
		const uint32_t joint = joint_above(r->plan, r->mesh, s), proxy = proxy_above(r->mesh, s);
		snw_transform *local = &rig->local[r->mesh->first_joint + nodes_of_proxy(r->mesh) * s];
		snw_transform above = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		memcpy(local->translation, centre, 3 * sizeof *centre);
		if (joint != SNW_NONE) {
			snw_transform_from_mat34(rest->global + 12 * (size_t)joint, &above);
		} else if (proxy != SNW_NONE) {
			memcpy(above.translation, r->skin.centres + 3 * (size_t)proxy, sizeof above.translation);
		}
		if (joint != SNW_NONE || proxy != SNW_NONE) {
			make_relative(&above, local);
		}
		for (size_t c = 0; c < 3; c++) {
			rig->slot_inverse_binds[12 * (size_t)(r->mesh->first_slot + s) + 4 * c + 3] = -centre[c];
		}
	}
}

/* Evaluates moment `i` of the clip as entry `b` of the batch. */
static snw_status prepare_moment(proxy_fit *r, uint32_t i, uint32_t b, snw_error *error) {
	const snw_plan *plan = r->plan;
	const size_t numbers = 3 * (size_t)r->mesh->mesh->point_count;
	snw_arena *arena = snw_arena_create();
	const snw_pose *pose = snw_clip_sampler_pose(plan->samplers[r->clip], r->seconds[i], arena);
	const snw_pose_view *view;
	snw_status status = snw_plan_drive(plan, pose, arena, &view, error);
	snw_palette_fit *moment = &r->moments[b];
	*moment = (snw_palette_fit){
		.skin = &r->skin,
		.points_rest = r->rests + b * numbers,
		.points = r->points + b * numbers,
		.affine = r->mesh->has_affine_proxies,
		.matrices = r->matrices + (size_t)i * 12 * r->mesh->proxy_count,
		.joints = r->joints + (size_t)i * r->mesh->proxy_count,
	};
	if (!snw_failed(status)) {
		status = snw_stack_reference(plan->stack, plan->evaluation, r->mesh->index, NULL, r->points + b * numbers, error);
	}
	if (!snw_failed(status)) {
		snw_plan_driven_weights(plan, r->weights);
		snw_plan_apply_morphs(r->mesh, r->weights, r->rests + b * numbers);
		snw_plan_read_proxies(plan, r->mesh, moment->matrices);
		for (uint32_t s = 0; s < r->mesh->proxy_count; s++) {
			const uint32_t joint = joint_above(plan, r->mesh, s);
			if (joint != SNW_NONE) {
				snw_transform_from_mat34(view->global + 12 * (size_t)joint, &r->above[(size_t)i * r->mesh->proxy_count + s]);
			}
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static void solve_moments(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const proxy_fit *r = argument;
	for (uint32_t b = begin; b < end; b++) {
		snw_palette_fit_solve(&r->moments[b]);
	}
}

/* The nodes of one joint at all moments. */
static void find_nodes(const proxy_fit *r, uint32_t proxy, snw_affine_nodes *nodes) {
	const uint32_t above = proxy_above(r->mesh, proxy);
	for (size_t i = 0; i < r->count; i++) {
		const size_t at = i * r->mesh->proxy_count + proxy;
		const snw_affine_nodes *before = i > 0 ? &nodes[i - 1] : NULL;
		if (r->mesh->has_affine_proxies) {
			snw_affine_nodes_make(r->matrices + 12 * at, before, &nodes[i]);
			continue;
		}
		nodes[i] = (snw_affine_nodes){r->joints[at], {0, 0, 0, 1}};
		if (above != SNW_NONE) {
			make_relative(&r->joints[i * r->mesh->proxy_count + above], &nodes[i].outer);
		} else if (joint_above(r->plan, r->mesh, proxy) != SNW_NONE) {
			make_relative(&r->above[at], &nodes[i].outer);
		}
		/* Consecutive quaternions are on the same side of the sphere. */
		double *rotation = nodes[i].outer.rotation;
		const double sign = before && snw_quat_dot(rotation, before->outer.rotation) < 0 ? -1 : 1;
		for (int c = 0; c < 4; c++) {
			rotation[c] *= sign;
		}
	}
}

/* Makes the tracks of one proxy. */
static void make_tracks(const proxy_fit *r, uint32_t proxy, snw_affine_nodes *nodes, snw_track *tracks) {
	const uint32_t outer = r->mesh->first_joint + nodes_of_proxy(r->mesh) * proxy;
	double *values[SNW_PLAN_TRACKS];
	for (int t = 0; t < SNW_PLAN_TRACKS; t++) {
		const bool is_inner = t == SNW_PLAN_INNER, is_written = r->mesh->has_affine_proxies || t < SNW_PATH_SCALE;
		const int32_t path = is_inner ? SNW_PATH_ROTATION : t;
		values[t] = SNW_NEW_ARRAY(r->plan->arena, double, (size_t)r->count *(path == SNW_PATH_ROTATION ? 4 : 3));
		tracks[t] = (snw_track){.target = is_inner ? outer + 1 : outer,
								.path = path,
								.interpolation = SNW_LINEAR,
								.key_count = is_written ? r->count : 0,
								.seconds = r->seconds,
								.values = values[t]};
	}
	find_nodes(r, proxy, nodes);
	for (size_t i = 0; i < r->count; i++) {
		const snw_transform *node = &nodes[i].outer;
		memcpy(values[SNW_PATH_TRANSLATION] + 3 * i, node->translation, sizeof node->translation);
		memcpy(values[SNW_PATH_ROTATION] + 4 * i, node->rotation, sizeof node->rotation);
		memcpy(values[SNW_PATH_SCALE] + 3 * i, node->scale, sizeof node->scale);
		memcpy(values[SNW_PLAN_INNER] + 4 * i, nodes[i].inner, sizeof nodes[i].inner);
	}
}

static snw_status fit_clip(proxy_fit *r, snw_error *error) {
	const uint32_t proxies = r->mesh->proxy_count;
	r->joints = SNW_NEW_ARRAY(r->plan->arena, snw_transform, (size_t)r->count * proxies);
	r->matrices = SNW_NEW_ARRAY(r->plan->arena, double, 12 * (size_t)r->count * proxies);
	r->above = SNW_NEW_ARRAY(r->plan->arena, snw_transform, r->mesh->proxy_parents ? (size_t)r->count * proxies : 0);
	/* One moment a thread between two reports. */
	const uint32_t threads = snw_parallel_thread_count(), most = threads < BATCH ? threads : BATCH;
	for (uint32_t first = 0; first < r->count; first += most) {
		const uint32_t count = r->count - first < most ? r->count - first : most;
		const double of_mesh = (r->clip + (double)first / r->count) / r->plan->clip_count;
		if (!snw_plan_progress(r->plan, SNW_PLAN_FITS_JOINTS, (r->mesh - r->plan->meshes + of_mesh) / r->plan->mesh_count)) {
			return SNW_CANCELLED;
		}
		for (uint32_t b = 0; b < count; b++) {
			const snw_status status = prepare_moment(r, first + b, b, error);
			if (snw_failed(status)) {
				return status;
			}
		}
		snw_parallel_for(count, 1, solve_moments, r);
	}
	snw_track *tracks = SNW_NEW_ARRAY(r->plan->arena, snw_track, (size_t)proxies * SNW_PLAN_TRACKS);
	snw_affine_nodes *nodes = SNW_NEW_ARRAY(r->plan->arena, snw_affine_nodes, r->count);
	for (uint32_t s = 0; s < proxies; s++) {
		make_tracks(r, s, nodes, tracks + SNW_PLAN_TRACKS * (size_t)s);
	}
	r->mesh->tracks[r->clip] = tracks;
	return SNW_OK;
}

snw_status snw_plan_fit_proxies(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		proxy_fit r = {.plan = plan, .mesh = &plan->meshes[m]};
		if (r.mesh->proxy_count == 0) {
			continue;
		}
		init_fit(&r);
		place_joints(&r);
		r.mesh->tracks = SNW_NEW_ARRAY(plan->arena, snw_track *, plan->clip_count);
		plan->report.proxy_count += r.mesh->proxy_count;
		plan->report.affine_count += r.mesh->has_affine_proxies ? r.mesh->proxy_count : 0;
		for (r.clip = 0; r.clip < plan->clip_count && !snw_failed(status); r.clip++) {
			snw_plan_keys(plan, plan->clips[r.clip], STEP_SECONDS, &r.seconds, &r.count);
			status = fit_clip(&r, error);
		}
	}
	return status;
}

/* ---- playback ------------------------------------------------------------------------------------------------------------ */

/* The nodes of a proxy at a moment of a clip, or outside clips (SNW_NONE). */
static snw_affine_nodes nodes_at(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t clip, const snw_plan_instant *at,
								 uint32_t proxy) {
	snw_affine_nodes nodes = {plan->rig.local[mesh->first_joint + nodes_of_proxy(mesh) * proxy], {0, 0, 0, 1}};
	if (clip == SNW_NONE) {
		return nodes;
	}
	double *values[SNW_PLAN_TRACKS] = {nodes.outer.translation, nodes.outer.rotation, nodes.outer.scale, nodes.inner};
	const snw_track *tracks = mesh->tracks[clip] + SNW_PLAN_TRACKS * (size_t)proxy;
	for (int t = 0; t < SNW_PLAN_TRACKS; t++) {
		double value[4];
		if (tracks[t].key_count > 0) {
			snw_plan_sample_track(&tracks[t], at, value);
			memcpy(values[t], value, snw_track_width(&tracks[t]) * sizeof *value);
		}
	}
	return nodes;
}

const double *snw_plan_palette(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t clip, const snw_plan_instant *at,
							   const snw_pose_view *view, snw_arena *arena) {
	if (mesh->proxy_count == 0) {
		return plan->helper_count > 0 ? snw_plan_helper_palette(plan, clip, at, view, arena) : view->palette;
	}
	double *palette = SNW_NEW_ARRAY(arena, double, 12 * (size_t)mesh->proxy_count);
	for (uint32_t i = 0; i < mesh->proxy_count; i++) { /* parents first */
		const uint32_t s = mesh->proxy_parents ? plan->rig.order[mesh->first_joint + i] - mesh->first_joint : i;
		const uint32_t joint = joint_above(plan, mesh, s), above = proxy_above(mesh, s);
		const snw_affine_nodes nodes = nodes_at(plan, mesh, clip, at, s);
		double *values = palette + 12 * (size_t)s;
		snw_affine_nodes_matrix(&nodes, values);
		if (joint != SNW_NONE) {
			snw_mat34_multiply(view->global + 12 * (size_t)joint, values, values);
		} else if (above != SNW_NONE) {
			snw_mat34_multiply(palette + 12 * (size_t)above, values, values);
		}
	}
	for (uint32_t s = 0; s < mesh->proxy_count; s++) {
		double *values = palette + 12 * (size_t)s;
		snw_mat34_multiply(values, plan->rig.slot_inverse_binds + 12 * (size_t)(mesh->first_slot + s), values);
	}
	return palette;
}
