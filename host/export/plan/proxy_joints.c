/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proxy joints: a blend with a palette that is not the skeleton's becomes joints of the file. Their tracks are fitted under
 * linear blend at the moments of each clip, because engines play linear blend.
 */
#include <assert.h>
#include <string.h>

#include "base/numbers.h"
#include "export/plan/passes.h"
#include "mesh/mesh.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "task/task.h"

enum { BATCH = 32, TRIED = 8 };        /* moments in memory at a time; those at which the error of the fit itself is found */
static const double TRIED_SHARE = 0.1; /* of the progress of a clip: the latter */
/* How far tracks may be off between keys, of the diagonal, or of how far the fit itself is off if that is more. */
static const double NEAR = 4e-5, NEAR_OF_FIT = 0.1, BETWEEN_FRAMES = 1.6e-3;
static const double RIGID_TOLERANCE = 1e-5;
static const double SAME_KEY_SECONDS = 1e-5;

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

void snw_plan_read_proxies(const snw_plan *plan, const snw_plan_mesh *mesh, double *matrices) {
	const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
	for (uint32_t s = 0; s < mesh->proxy_count; s++) {
		const size_t slot = mesh->proxy_slots[s];
		if (mesh->program->dual_quaternion_palette) {
			snw_dual_quaternion_to_mat34(input->dual_quaternions + 8 * slot, matrices + 12 * (size_t)s);
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
		if (*count == 0 || all[i] > all[*count - 1] + SAME_KEY_SECONDS) {
			all[(*count)++] = all[i];
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
	snw_added_joints added;
	uint32_t count;
	double *seconds;          /* [count], each a float */
	snw_transform *joints;    /* [count][proxy_count], if rigid */
	double *matrices;         /* [count][proxy_count][12]: from the joints' centres to posed space, later to the nodes above */
	double *back;             /* [count][proxy_count][12]: from posed space to the skeleton's joints above; NULL without any */
	snw_palette_fit *moments; /* [BATCH] */
	double *rests, *points;   /* [BATCH][point_count][3] */
	/* For affine proxies of a mesh with faces; otherwise NULL. */
	snw_normal_plan *normal_plan;
	float *normals_rest, *normals, *scratch_points; /* [BATCH][point_count][3], the last [point_count][3] */
	double *weights;                                /* [weight_count] */
	double squares;                                 /* of the distances that the fit leaves */
	double begin, share;                            /* of a clip's progress: where these moments begin, and their share */
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
	if (mesh->has_affine_proxies && mesh->mesh->face_count > 0) {
		r->normal_plan = snw_normal_plan_create(mesh->mesh);
		r->normals_rest = SNW_NEW_ARRAY(arena, float, BATCH *numbers);
		r->normals = SNW_NEW_ARRAY(arena, float, BATCH *numbers);
		r->scratch_points = SNW_NEW_ARRAY(arena, float, numbers);
	}
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

/* From posed space to the node above a proxy, if that is a joint of the skeleton; otherwise the identity. */
static void find_back(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_pose_view *view, uint32_t proxy,
					  double back[12]) {
	const uint32_t joint = joint_above(plan, mesh, proxy);
	if (joint == SNW_NONE || !snw_mat34_invert(view->global + 12 * (size_t)joint, back)) {
		snw_mat34_identity(back);
	}
}

/* The proxies of the stack in the spaces of the nodes above, before they are fitted. */
static void read_relative(const void *context, const snw_pose_view *view, double *matrices) {
	const proxy_fit *r = context;
	snw_plan_read_proxies(r->plan, r->mesh, matrices);
	for (uint32_t s = 0; s < r->mesh->proxy_count; s++) {
		double place[12], back[12];
		snw_mat34_identity(place);
		for (size_t c = 0; c < 3; c++) {
			place[4 * c + 3] = r->skin.centres[3 * (size_t)s + c];
		}
		find_back(r->plan, r->mesh, view, s, back);
		snw_mat34_multiply(matrices + 12 * (size_t)s, place, matrices + 12 * (size_t)s);
		snw_mat34_multiply(back, matrices + 12 * (size_t)s, matrices + 12 * (size_t)s);
	}
}

/* The proxies at the pose of the nodes, from the joints' centres to posed space; as at rest if the stack cannot be driven to
 * it. */
static double *read_at_rest(const proxy_fit *r, const snw_pose_view **view, snw_arena *arena) {
	const snw_plan *plan = r->plan;
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)r->mesh->proxy_count);
	if (!snw_failed(snw_plan_drive(plan, plan->rest, arena, view, NULL))) {
		snw_plan_read_proxies(plan, r->mesh, matrices);
	} else {
		for (uint32_t s = 0; s < r->mesh->proxy_count; s++) {
			snw_mat34_identity(matrices + 12 * (size_t)s);
		}
		*view = snw_pose_view_make(plan->scene, plan->rest, arena);
	}
	for (uint32_t s = 0; s < r->mesh->proxy_count; s++) {
		double *matrix = matrices + 12 * (size_t)s;
		for (size_t row = 0; row < 3; row++) {
			matrix[4 * row + 3] += snw_dot3(matrix + 4 * row, r->skin.centres + 3 * (size_t)s);
		}
	}
	return matrices;
}

/* Places the joints: what is seen without a clip. */
static void place_joints(const proxy_fit *r) {
	snw_plan_rig *rig = &r->plan->rig;
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *rest;
	const double *matrices = read_at_rest(r, &rest, arena);
	for (uint32_t s = 0; s < r->mesh->proxy_count; s++) {
		const uint32_t proxy = proxy_above(r->mesh, s), node = r->mesh->first_joint + nodes_of_proxy(r->mesh) * s;
		double *inverse_bind = rig->slot_inverse_binds + 12 * (size_t)(r->mesh->first_slot + s), back[12];
		for (size_t c = 0; c < 3; c++) {
			inverse_bind[4 * c + 3] = -r->skin.centres[3 * (size_t)s + c];
		}
		find_back(r->plan, r->mesh, rest, s, back);
		if (proxy != SNW_NONE && !snw_mat34_invert(matrices + 12 * (size_t)proxy, back)) {
			snw_mat34_identity(back);
		}
		snw_mat34_multiply(back, matrices + 12 * (size_t)s, back);
		if (r->mesh->has_affine_proxies) {
			snw_affine_nodes nodes;
			snw_affine_nodes_make(back, NULL, &nodes);
			rig->local[node] = nodes.outer;
			memcpy(rig->local[node + 1].rotation, nodes.inner, sizeof nodes.inner);
		} else {
			snw_transform_from_mat34(back, &rig->local[node]);
		}
	}
	snw_arena_destroy(arena);
}

static void find_face_normals(const proxy_fit *r, const double *points, float *normals) {
	for (size_t i = 0; i < 3 * (size_t)r->mesh->mesh->point_count; i++) {
		r->scratch_points[i] = (float)points[i];
	}
	snw_normals_of_points(r->normal_plan, r->scratch_points, normals);
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
		for (uint32_t s = 0; s < r->mesh->proxy_count && r->back; s++) {
			find_back(plan, r->mesh, view, s, r->back + 12 * ((size_t)i * r->mesh->proxy_count + s));
		}
	}
	if (!snw_failed(status) && r->normal_plan) {
		find_face_normals(r, moment->points_rest, r->normals_rest + b * numbers);
		find_face_normals(r, moment->points, r->normals + b * numbers);
		moment->normals_rest = r->normals_rest + b * numbers;
		moment->normals = r->normals + b * numbers;
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

/* From the fitted matrices at one moment to those of nodes. Proxies above others are rigid. */
static void make_relative(const proxy_fit *r, uint32_t moment) {
	const uint32_t proxies = r->mesh->proxy_count;
	double *matrices = r->matrices + 12 * (size_t)moment * proxies;
	const snw_transform *joints = r->joints + (size_t)moment * proxies;
	for (uint32_t s = 0; s < proxies; s++) {
		double *matrix = matrices + 12 * (size_t)s, back[12];
		if (!r->mesh->has_affine_proxies) {
			snw_transform_to_mat34(&joints[s], matrix);
		}
		const uint32_t above = proxy_above(r->mesh, s);
		if (above != SNW_NONE) {
			snw_transform_to_mat34(&joints[above], back);
			snw_mat34_invert(back, back);
			snw_mat34_multiply(back, matrix, matrix);
		} else if (r->back) {
			snw_mat34_multiply(r->back + 12 * ((size_t)moment * proxies + s), matrix, matrix);
		}
	}
}

/* Room for some moments of the clip. */
static void allocate_moments(proxy_fit *r) {
	const size_t proxies = (size_t)r->count * r->mesh->proxy_count;
	snw_arena *arena = r->plan->arena;
	r->joints = SNW_NEW_ARRAY(arena, snw_transform, proxies);
	r->matrices = SNW_NEW_ARRAY(arena, double, 12 * proxies);
	r->back = r->mesh->proxy_parents ? SNW_NEW_ARRAY(arena, double, 12 * proxies) : NULL;
}

/* Fits all moments, one a thread between two reports. */
static snw_status fit_moments(proxy_fit *r, snw_error *error) {
	const uint32_t threads = snw_parallel_thread_count(), most = threads < BATCH ? threads : BATCH;
	for (uint32_t first = 0; first < r->count; first += most) {
		const uint32_t count = r->count - first < most ? r->count - first : most;
		const double of_clip = r->begin + r->share * first / r->count, of_mesh = (r->clip + of_clip) / r->plan->clip_count;
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
		for (uint32_t b = 0; b < count; b++) {
			r->squares += snw_palette_fit_residual(&r->moments[b]);
		}
	}
	return SNW_OK;
}

/* Where the fit itself is off, more keys would not bring the file nearer to the stack. */
static snw_status find_tolerance(proxy_fit *r, snw_error *error) {
	double seconds[TRIED];
	r->count = TRIED;
	r->seconds = seconds;
	for (uint32_t i = 0; i < TRIED; i++) {
		const double fraction = (i + 0.5) / TRIED;
		seconds[i] = (double)(float)(fraction * r->plan->scene->clips[r->plan->clips[r->clip]].duration_seconds);
	}
	allocate_moments(r);
	r->squares = r->begin = 0;
	r->share = TRIED_SHARE;
	const snw_status status = fit_moments(r, error);
	const double off = sqrt(r->squares / (TRIED * (double)r->mesh->mesh->point_count));
	r->added.tolerance = fmax(NEAR * r->mesh->diagonal, NEAR_OF_FIT * off);
	r->added.between_frames = fmax(BETWEEN_FRAMES * r->mesh->diagonal, r->added.tolerance);
	return status;
}

static snw_status fit_clip(proxy_fit *r, snw_error *error) {
	const uint32_t proxies = r->mesh->proxy_count;
	snw_status status = find_tolerance(r, error);
	if (!snw_failed(status)) {
		status = snw_plan_choose_keys(r->plan, r->clip, &r->added, &r->seconds, &r->count, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	allocate_moments(r);
	r->begin = TRIED_SHARE;
	r->share = 1 - TRIED_SHARE;
	status = fit_moments(r, error);
	for (uint32_t i = 0; i < r->count && !snw_failed(status); i++) {
		make_relative(r, i);
	}
	snw_track *tracks = SNW_NEW_ARRAY(r->plan->arena, snw_track, (size_t)proxies * SNW_PLAN_TRACKS);
	for (uint32_t s = 0; s < proxies && !snw_failed(status); s++) {
		snw_added_joint_tracks(&r->added, s, r->mesh->first_joint + nodes_of_proxy(r->mesh) * s, r->count, r->seconds,
							   r->matrices, r->plan->arena, tracks + SNW_PLAN_TRACKS * (size_t)s);
	}
	r->mesh->tracks[r->clip] = tracks;
	return status;
}

/* What is asked of the tracks. */
static void init_added(proxy_fit *r) {
	r->added = (snw_added_joints){.count = r->mesh->proxy_count,
								  .are_affine = r->mesh->has_affine_proxies,
								  .moments = snw_added_joint_moments(r->plan, r->mesh->first_slot, r->mesh->proxy_count),
								  .read = read_relative,
								  .context = r};
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
		init_added(&r);
		r.mesh->tracks = SNW_NEW_ARRAY(plan->arena, snw_track *, plan->clip_count);
		plan->report.proxy_count += r.mesh->proxy_count;
		plan->report.affine_count += r.mesh->has_affine_proxies ? r.mesh->proxy_count : 0;
		for (r.clip = 0; r.clip < plan->clip_count && !snw_failed(status); r.clip++) {
			status = fit_clip(&r, error);
		}
		snw_normal_plan_destroy(r.normal_plan);
	}
	return status;
}

/* ---- playback ------------------------------------------------------------------------------------------------------------ */

/* The nodes of a proxy at a moment of a clip, or outside clips (SNW_NONE). */
static snw_affine_nodes nodes_at(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t clip, const snw_plan_instant *at,
								 uint32_t proxy) {
	const uint32_t node = mesh->first_joint + nodes_of_proxy(mesh) * proxy;
	snw_affine_nodes nodes = {plan->rig.local[node], {0, 0, 0, 1}};
	if (mesh->has_affine_proxies) {
		memcpy(nodes.inner, plan->rig.local[node + 1].rotation, sizeof nodes.inner);
	}
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
	const bool is_tree = mesh->proxy_parents && plan->request->hierarchy == SNW_HIERARCHY_TREE;
	for (uint32_t i = 0; i < mesh->proxy_count; i++) { /* parents first */
		const uint32_t s = is_tree ? plan->rig.order[mesh->first_joint + i] - mesh->first_joint : i;
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
