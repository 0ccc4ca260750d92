/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups that a sculpt goes to: the joints that drive it, and its side.
 */
#include "example/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

/* ---- what drives a sculpt ------------------------------------------------------------------------------------------------ */

enum { MOST_SAMPLES = 500 }; /* points that are measured, of a larger sculpt */

static const double LEAST_MOTION = 0.05; /* radians, or the like: nearer to rest a joint does not move */
/* Points edited by less than this part of the longest edit do not count. */
static const double NEGLIGIBLE_EDIT = 0.01;
static const double PROBE = 1e-3;  /* of the mesh's diagonal: how far joints are displaced */
static const double NEARBY = 0.1;  /* moving a point rigidly counts less than bending the skin there */
static const double LITTLE = 1e-4; /* of all points: a joint that moves fewer moves no skin */

typedef struct finding {
	const snw_scene *scene;
	const snw_driver_query *query;
	snw_arena *arena;
	const snw_stack *stack; /* the layers below the corrective */
	snw_evaluation *evaluation;
	double diagonal;
	/* The points that are measured. */
	uint32_t count, *points;
	double *parts; /* [count]: the part of the sculpt that each stands for; their sum is 1 */
	double *rest;  /* [count][3] */
	bool is_edited;
	bool runs_black_boxes;
	double *motions;  /* [joint_count]: away from rest; 0 for less than LEAST_MOTION */
	double **shares;  /* [joint_count][count]: W; NULL: not measured */
	bool *moves_skin; /* [joint_count]: a point of the base skins follows the joint, or one below it */
} finding;

/* ---- the sculpt ---------------------------------------------------------------------------------------------------------- */

static double edit_length(const snw_driver_query *query, size_t point) {
	double gap[3];
	for (size_t c = 0; c < 3; c++) {
		gap[c] = query->points_posed[3 * point + c] - query->points_original[3 * point + c];
	}
	return snw_length3(gap);
}

/* Of all edited points, or of all points if none is edited, every n-th. */
static void choose_samples(finding *f) {
	const snw_mesh *mesh = &f->scene->meshes[f->query->mesh];
	double longest = 0, sum = 0;
	uint32_t edited = 0, step = 1;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		longest = fmax(longest, edit_length(f->query, i));
	}
	f->is_edited = longest > 1e-9 * f->diagonal;
	const double least = f->is_edited ? NEGLIGIBLE_EDIT * longest : -1;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		edited += edit_length(f->query, i) > least;
	}
	step += edited / MOST_SAMPLES;
	f->points = SNW_NEW_ARRAY(f->arena, uint32_t, edited / step + 1u);
	f->parts = SNW_NEW_ARRAY(f->arena, double, edited / step + 1u);
	f->rest = SNW_NEW_ARRAY(f->arena, double, 3 * ((size_t)edited / step + 1));
	for (uint32_t i = 0, seen = 0; i < mesh->point_count; i++) {
		if (edit_length(f->query, i) > least && seen++ % step == 0) {
			memcpy(f->rest + 3 * (size_t)f->count, mesh->points_rest + 3 * (size_t)i, 3 * sizeof(double));
			f->parts[f->count] = f->is_edited ? edit_length(f->query, i) : 1;
			sum += f->parts[f->count];
			f->points[f->count++] = i;
		}
	}
	for (uint32_t i = 0; i < f->count; i++) {
		f->parts[i] /= sum;
	}
}

/* How far a joint is from rest: its rotation in radians, or its translation in diagonals, or its scale. */
static double motion_of(const finding *f, uint32_t joint) {
	const snw_transform *here = &f->query->pose->local[joint], *rest = &f->scene->skeleton.rest_local[joint];
	double motion = snw_length3(f->query->pose->rotation_vectors + 3 * (size_t)joint);
	for (size_t c = 0; c < 3; c++) {
		motion = fmax(motion, fabs(here->translation[c] - rest->translation[c]) / fmax(f->diagonal, 1e-300));
		motion = fmax(motion, fabs(here->scale[c] - rest->scale[c]));
	}
	return motion > LEAST_MOTION ? motion : 0;
}

/* ---- what follows a joint ------------------------------------------------------------------------------------------------ */

static snw_status pose_samples(const finding *f, const snw_pose_view *view, double *posed, snw_error *error) {
	const snw_status status = snw_stack_drive(f->stack, view, f->evaluation, error);
	if (snw_failed(status)) {
		return status;
	}
	if (f->runs_black_boxes) {
		return snw_stack_reference_at(f->stack, f->evaluation, f->query->mesh, f->count, f->points, f->rest, posed, error);
	}
	snw_stack_programs_at(f->stack, f->evaluation, f->query->mesh, f->count, f->points, posed);
	return SNW_OK;
}

static void find_shares(const finding *f, const double displaced[3], const double *before, const double *after,
						double *shares) {
	const double squared = snw_dot3(displaced, displaced);
	for (uint32_t i = 0; i < f->count && squared > 0; i++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = after[3 * (size_t)i + c] - before[3 * (size_t)i + c];
		}
		const double share = snw_dot3(gap, displaced) / squared;
		shares[i] = isfinite(share) ? fmin(fmax(share, 0), 1) : 0;
	}
}

/* Joints that move, and those beside them: what belongs to a joint is what follows it and none of its children. */
static bool is_measured(const finding *f, uint32_t joint) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	bool is_beside = f->motions[joint] > 0;
	for (uint32_t j = 0; j < skeleton->joint_count && !is_beside; j++) {
		const uint32_t parent = skeleton->parents[j];
		is_beside = f->motions[j] > 0 && parent != SNW_NONE && (parent == joint || parent == skeleton->parents[joint]);
	}
	return is_beside;
}

static snw_status measure(finding *f, snw_error *error) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	snw_arena *scratch = snw_arena_create();
	snw_pose *pose = snw_pose_copy(f->scene, f->query->pose, scratch);
	const snw_pose_view *still = snw_pose_view_make(f->scene, f->query->pose, scratch);
	double *global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)skeleton->joint_count);
	double *palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)f->scene->slot_count);
	double *before = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)f->count + 1);
	double *after = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)f->count + 1);
	snw_status status = pose_samples(f, still, before, error);
	for (uint32_t j = 0; j < skeleton->joint_count && !snw_failed(status); j++) {
		f->shares[j] = NULL;
		if (!is_measured(f, j)) {
			continue;
		}
		const double x = pose->local[j].translation[0];
		double displaced[3];
		snw_pose_view view;
		pose->local[j].translation[0] = x + PROBE * f->diagonal;
		snw_pose_solve(f->scene, pose, global, palette, &view);
		pose->local[j].translation[0] = x;
		for (size_t c = 0; c < 3; c++) {
			displaced[c] = global[12 * (size_t)j + 4 * c + 3] - still->global[12 * (size_t)j + 4 * c + 3];
		}
		status = pose_samples(f, &view, after, error);
		f->shares[j] = SNW_NEW_ARRAY(f->arena, double, f->count + 1u);
		find_shares(f, displaced, before, after, f->shares[j]);
	}
	snw_arena_destroy(scratch);
	return status;
}

static bool moves_any(const finding *f) {
	for (uint32_t j = 0; j < f->scene->skeleton.joint_count; j++) {
		for (uint32_t i = 0; f->shares[j] && i < f->count; i++) {
			if (f->shares[j][i] > LITTLE) {
				return true;
			}
		}
	}
	return false;
}

/* ---- the choice ---------------------------------------------------------------------------------------------------------- */

/* The part of a point that belongs to a joint, or to joints below it up to the next one that moves (`by_motion`) or to the
 * children. */
static double belongs_to(const finding *f, uint32_t joint, uint32_t point, bool by_motion) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	double part = f->shares[joint] ? f->shares[joint][point] : 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		uint32_t above = skeleton->parents[j];
		while (by_motion && above != SNW_NONE && f->motions[above] == 0) {
			above = skeleton->parents[above];
		}
		part -= above == joint && f->shares[j] && (!by_motion || f->motions[j] > 0) ? f->shares[j][point] : 0;
	}
	return fmax(part, 0);
}

static snw_driver rate(const finding *f, uint32_t joint) {
	const uint32_t parent = f->scene->skeleton.parents[joint];
	double bends = 0, moves = 0, beside = 0;
	for (uint32_t i = 0; i < f->count; i++) {
		const double share = f->shares[joint][i];
		bends += f->parts[i] * 4 * share * (1 - share);
		moves += f->parts[i] * belongs_to(f, joint, i, true);
		beside += parent == SNW_NONE || !f->moves_skin[joint] ? 0 : f->parts[i] * belongs_to(f, parent, i, false);
	}
	const double near = moves + beside, weight = f->is_edited ? bends + NEARBY * near : bends + moves > LITTLE;
	/* If no joint moves the points, the one that moves most comes first. */
	return (snw_driver){.joint = joint, .share = fmin(fmax(bends, near), 1), .score = f->motions[joint] * (weight + 1e-6)};
}

/* A joint that moves no skin anywhere, such as a handle of inverse kinematics, is beside no point. */
static void find_skin(const finding *f) {
	const snw_scene *scene = f->scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t i = 0; i < count; i++) {
			f->moves_skin[scene->slot_joints[mesh->influence_slots[i]]] |= mesh->influence_weights[i] != 0;
		}
	}
	for (uint32_t i = scene->skeleton.joint_count; i-- > 0;) {
		const uint32_t joint = scene->skeleton.order[i], parent = scene->skeleton.parents[joint];
		if (parent != SNW_NONE && f->moves_skin[joint]) {
			f->moves_skin[parent] = true;
		}
	}
}

static int compare_drivers(const void *one, const void *other) {
	const snw_driver *a = one, *b = other;
	return a->score != b->score ? (a->score < b->score) - (a->score > b->score) : (a->joint > b->joint) - (a->joint < b->joint);
}

static snw_status measure_below(finding *f, const snw_registry *registry, snw_error *error) {
	const uint32_t layer = f->query->corrective == SNW_NONE ? f->scene->layer_count : f->query->corrective;
	const snw_stack_options below = {.only_below = true, .below_layer = layer};
	const snw_stack *stack = NULL;
	snw_status status = snw_stack_borrow(f->scene, registry, &below, NULL, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	f->stack = stack;
	f->evaluation = snw_evaluation_create_reference(stack);
	status = measure(f, error);
	if (!snw_failed(status) && !moves_any(f)) {
		f->runs_black_boxes = true;
		status = measure(f, error);
	}
	snw_evaluation_destroy(f->evaluation);
	snw_stack_give_back(stack);
	return status;
}

snw_status snw_find_drivers(const snw_scene *scene, const snw_registry *registry, const snw_driver_query *query,
							snw_arena *arena, snw_driver **drivers, uint32_t *count, snw_error *error) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	finding f = {
		.scene = scene, .query = query, .arena = snw_arena_create(), .diagonal = snw_scene_diagonal(scene, query->mesh)};
	f.motions = SNW_NEW_ARRAY(f.arena, double, joint_count + 1u);
	f.shares = SNW_NEW_ARRAY(f.arena, double *, joint_count + 1u);
	f.moves_skin = SNW_NEW_ARRAY(f.arena, bool, joint_count + 1u);
	find_skin(&f);
	choose_samples(&f);
	for (uint32_t j = 0; j < joint_count; j++) {
		f.motions[j] = motion_of(&f, j);
	}
	const snw_status status = measure_below(&f, registry, error);
	*drivers = SNW_NEW_ARRAY(arena, snw_driver, joint_count + 1u);
	*count = 0;
	for (uint32_t j = 0; j < joint_count && !snw_failed(status); j++) {
		if (f.motions[j] > 0) {
			(*drivers)[(*count)++] = rate(&f, j);
		}
	}
	qsort(*drivers, *count, sizeof **drivers, compare_drivers);
	snw_arena_destroy(f.arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* ---- sides --------------------------------------------------------------------------------------------------------------- */

/* Masks for one side of a character, and groups whose sculpt is on one. */

/* ---- halves -------------------------------------------------------------------------------------------------------------- */

/* Over this share of the mesh's diagonal, to either side of the middle, a half passes into the other. */
static const double HALVES_PASS = 0.05;
/* A field whose values differ by more is no half. The rest may have changed a little since it was made. */
static const double SAME_VALUE = 0.05;

static const char *half_name(bool is_left) {
	return is_left ? "left half" : "right half";
}

static double width_of(const snw_scene *scene, uint32_t mesh) {
	return fmax(HALVES_PASS * snw_scene_diagonal(scene, mesh), 1e-300);
}

static double value_at(const snw_mesh *mesh, const snw_half *half, double width, uint32_t point) {
	const double away = mesh->points_rest[3 * (size_t)point + half->plane.axis] - half->plane.offset;
	const double t = (1 + fmin(fmax(away / width, -1), 1)) / 2, left = t * t * (3 - 2 * t);
	return half->is_left ? left : 1 - left;
}

/* "left half", "left half-2". */
static bool is_half_named(const snw_field *field, bool is_left) {
	const size_t length = strlen(half_name(is_left));
	return strncmp(field->name, half_name(is_left), length) == 0 && (field->name[length] == '\0' || field->name[length] == '-');
}

static bool is_half(const snw_scene *scene, const snw_field *field, const snw_half *half) {
	const double width = width_of(scene, half->mesh);
	bool is = field->mesh == half->mesh && field->domain == SNW_DOMAIN_POINTS && field->components == 1 &&
			  is_half_named(field, half->is_left);
	for (uint32_t i = 0; i < field->count && is; i++) {
		is = fabs(field->values[i] - value_at(&scene->meshes[half->mesh], half, width, i)) < SAME_VALUE;
	}
	return is;
}

uint32_t snw_half_find(const snw_scene *scene, const snw_half *half) {
	uint32_t f = 0;
	while (f < scene->field_count && !is_half(scene, &scene->fields[f], half)) {
		f++;
	}
	return f < scene->field_count ? f : SNW_NONE;
}

bool snw_mask_is_half(const snw_scene *scene, uint32_t mask, const snw_mirror_plane *plane, bool *is_left) {
	if (mask == SNW_NONE) {
		return false;
	}
	snw_half half = {.mesh = scene->fields[mask].mesh, .plane = *plane, .is_left = true};
	*is_left = is_half(scene, &scene->fields[mask], &half);
	half.is_left = false;
	return *is_left || is_half(scene, &scene->fields[mask], &half);
}

snw_field snw_half_make(const snw_scene *scene, const snw_half *half, snw_arena *arena) {
	const snw_mesh *mesh = &scene->meshes[half->mesh];
	const double width = width_of(scene, half->mesh);
	double *values = SNW_NEW_ARRAY(arena, double, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		values[i] = value_at(mesh, half, width, i);
	}
	const char *name = half_name(half->is_left);
	for (uint32_t number = 2; snw_scene_find_field(scene, half->mesh, name) != SNW_NONE; number++) {
		name = snw_arena_format(arena, "%s-%u", half_name(half->is_left), number);
	}
	return (snw_field){.name = name,
					   .domain = SNW_DOMAIN_POINTS,
					   .mesh = half->mesh,
					   .components = 1,
					   .count = mesh->point_count,
					   .values = values};
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* Nearer to the middle than this share of the mesh's diagonal, a point is on no side. */
static const double MIDDLE = 0.05;
/* Radians: a joint that is rotated away from rest by less is not bent. */
static const double BENT = 0.02;

/* The part of the sculpt that lies on a side (1: of larger x, -1: of smaller x). */
static double part_on_side(const snw_scene *scene, const snw_driver_query *query, const snw_mirror_plane *plane, double side) {
	const snw_mesh *mesh = &scene->meshes[query->mesh];
	const double middle = MIDDLE * snw_scene_diagonal(scene, query->mesh);
	double longest = 0, beyond = 0, all = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		longest = fmax(longest, edit_length(query, i));
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double edit = edit_length(query, i), counts = edit > NEGLIGIBLE_EDIT * longest ? edit : 0;
		all += counts;
		beyond += side * (mesh->points_rest[3 * (size_t)i] - plane->offset) > middle ? counts : 0;
	}
	return all > 0 ? beyond / all : 0;
}

uint32_t snw_group_to_part(const snw_scene *scene, uint32_t example) {
	uint32_t only = SNW_NONE, count = 0;
	if (scene->examples[example].has_chosen_driver) {
		return SNW_NONE;
	}
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		const uint32_t member = snw_group_member(group, example);
		count += member != SNW_NONE;
		if (member != SNW_NONE && group->members[member].mask == SNW_NONE && group->joint_count == 1) {
			only = g;
		}
	}
	return count == 1 ? only : SNW_NONE;
}

/* How far the joint is on the side of larger x. */
static double place_of(const snw_scene *scene, const snw_mirror_plane *plane, uint32_t joint) {
	return scene->skeleton.rest_global[12 * (size_t)joint + 3] - plane->offset;
}

/* The group of the joints that could drive the sculpt: this one first, and those of the other side last. */
static snw_group_choice choose_group(const snw_scene *scene, const snw_driver_query *query, const snw_mirror_plane *plane,
									 uint32_t example, uint32_t first, uint32_t count, const snw_driver *drivers,
									 snw_arena *arena) {
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, count + 1u), next = 1;
	joints[0] = first;
	for (int is_other = 0; is_other < 2; is_other++) {
		for (uint32_t i = 0; i < count; i++) {
			const bool is_beyond = place_of(scene, plane, drivers[i].joint) * place_of(scene, plane, first) < 0;
			if (drivers[i].joint != first && is_beyond == is_other) {
				joints[next++] = drivers[i].joint;
			}
		}
	}
	return snw_choose_group(scene, query->mesh, query->pose, example, next, joints, arena);
}

static snw_group_choice keep_group(const snw_scene *scene, uint32_t group, snw_arena *arena) {
	return (snw_group_choice){.group = group,
							  .name = snw_arena_text(arena, scene->groups[group].name),
							  .joint_count = 1,
							  .joints = {scene->groups[group].joints[0]},
							  .twin = SNW_NONE};
}

static bool have_same_joints(const snw_group_choice *one, const snw_group_choice *other) {
	const uint32_t count = one->joint_count;
	return count == other->joint_count &&
		   ((one->joints[0] == other->joints[0] && one->joints[count - 1] == other->joints[count - 1]) ||
			(one->joints[0] == other->joints[count - 1] && one->joints[count - 1] == other->joints[0]));
}

snw_groups_of_sides snw_choose_groups_of_sides(const snw_scene *scene, const snw_driver_query *query,
											   const snw_mirror_plane *plane, uint32_t example, uint32_t driver_count,
											   const snw_driver *drivers, snw_arena *arena) {
	snw_groups_of_sides chosen = {.partner = SNW_NONE};
	const uint32_t only = example == SNW_NONE ? SNW_NONE : snw_group_to_part(scene, example);
	if (driver_count == 0 || (example != SNW_NONE && only == SNW_NONE)) {
		return chosen;
	}
	const uint32_t driver = only == SNW_NONE ? drivers[0].joint : scene->groups[only].joints[0];
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, plane, 0, arena, &joints);
	const uint32_t partner = joints.partners[driver];
	if (partner == SNW_NONE || place_of(scene, plane, driver) * place_of(scene, plane, partner) >= 0) {
		return chosen;
	}
	const double side = place_of(scene, plane, partner) > 0 ? 1 : -1, part = part_on_side(scene, query, plane, side);
	if (part <= 0) {
		return chosen;
	}
	bool drives = false;
	for (uint32_t i = 0; i < driver_count; i++) { /* its share is that of the whole sculpt */
		drives = drives || (drivers[i].joint == partner && drivers[i].share >= part * SNW_LEAST_DRIVEN);
	}
	chosen.partner = partner;
	chosen.other_is_left = side > 0;
	chosen.sides =
		snw_length3(query->pose->rotation_vectors + 3 * (size_t)partner) > BENT ? SNW_SIDES_UNMOVED : SNW_SIDES_UNBENT;
	if (drives) {
		chosen.group = only != SNW_NONE ? keep_group(scene, only, arena)
										: choose_group(scene, query, plane, example, driver, driver_count, drivers, arena);
		chosen.other = choose_group(scene, query, plane, example, partner, driver_count, drivers, arena);
		chosen.sides = have_same_joints(&chosen.group, &chosen.other) ? SNW_SIDES_TOGETHER : SNW_SIDES_APART;
	}
	return chosen;
}

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

static bool is_side(const char *spec, int *axis, double *sign) {
	static const char axes[] = "xyz", signs[] = "-+";
	const char *a = spec[0] ? strchr(axes, spec[0]) : NULL;
	const char *s = a && spec[1] ? strchr(signs, spec[1]) : NULL;
	if (!s || spec[2] != '\0') {
		return false;
	}
	*axis = (int)(a - axes);
	*sign = s == signs ? -1 : 1;
	return true;
}

/* The plane goes through the origin, since characters are centred on it. Points nearer to it than 1e-5 of the diagonal are
 * on it. */
static void fill_side(const snw_scene *scene, uint32_t mesh, int axis, double sign, double *values) {
	const snw_mesh *m = &scene->meshes[mesh];
	const double on_plane = 1e-5 * snw_scene_diagonal(scene, mesh);
	for (uint32_t i = 0; i < m->point_count; i++) {
		const double along = sign * m->points_rest[3 * (size_t)i + (size_t)axis];
		values[i] = fabs(along) <= on_plane ? 0.5 : along > 0;
	}
}

static void add_joint_weights(const snw_scene *scene, const snw_mesh *mesh, uint32_t joint, bool *counted, double *values) {
	for (uint32_t slot = 0; slot < scene->slot_count; slot++) {
		if (counted[slot] || !snw_skeleton_is_below(&scene->skeleton, scene->slot_joints[slot], joint)) {
			continue;
		}
		counted[slot] = true;
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
				values[i] += mesh->influence_slots[k] == slot ? mesh->influence_weights[k] : 0;
			}
		}
	}
}

static snw_status fill_joints(const snw_scene *scene, uint32_t mesh, const char *names, double *values, snw_arena *arena,
							  snw_error *error) {
	const snw_mesh *m = &scene->meshes[mesh];
	if (!m->influence_offsets) {
		return snw_fail(error, SNW_ERROR_MISSING, "mask joints:%s: mesh %s has no skin weights; use x+, x- or a field", names,
						m->name);
	}
	bool *counted = SNW_NEW_ARRAY(arena, bool, scene->slot_count);
	char *rest = snw_arena_text(arena, names), *name;
	while ((name = strsep(&rest, ",")) != NULL) {
		uint32_t joint;
		const snw_status status = snw_noun_find(scene, SNW_NOUN_JOINT, name, &joint, error);
		if (snw_failed(status)) {
			return status;
		}
		add_joint_weights(scene, m, joint, counted, values);
	}
	for (uint32_t i = 0; i < m->point_count; i++) {
		values[i] = fmin(values[i], 1);
	}
	return SNW_OK;
}

static snw_status make_values(const snw_scene *scene, uint32_t mesh, const char *spec, double **values, snw_arena *arena,
							  snw_error *error) {
	int axis;
	double sign;
	*values = SNW_NEW_ARRAY(arena, double, scene->meshes[mesh].point_count);
	if (is_side(spec, &axis, &sign)) {
		fill_side(scene, mesh, axis, sign, *values);
		return SNW_OK;
	}
	return strncmp(spec, "joints:", 7) == 0
			   ? fill_joints(scene, mesh, spec + 7, *values, arena, error)
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "mask %s: expected x+, x-, y+, y-, z+, z-, joints:A,B or field:NAME",
						  spec);
}

/* SNW_NONE if the text names no field. */
static snw_status find_field(const snw_scene *scene, uint32_t mesh, const char *spec, const char **name, uint32_t *found,
							 snw_arena *arena, snw_error *error) {
	const bool named = strncmp(spec, "field:", 6) == 0;
	*name = named ? spec + 6 : snw_arena_format(arena, "mask %s", spec);
	*found = snw_scene_find_field(scene, mesh, *name);
	return named && *found == SNW_NONE ? snw_fail(error, SNW_ERROR_MISSING, "mask %s: the mesh has no such field", spec)
									   : SNW_OK;
}

snw_status snw_mask_values(const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena, const double **values,
						   snw_error *error) {
	const char *name;
	uint32_t found;
	double *made = NULL;
	snw_status status = find_field(scene, mesh, spec, &name, &found, arena, error);
	if (snw_failed(status) || found == SNW_NONE) {
		status = snw_failed(status) ? status : make_values(scene, mesh, spec, &made, arena, error);
		*values = made;
		return status;
	}
	const snw_field *field = &scene->fields[found];
	if (field->domain != SNW_DOMAIN_POINTS || field->components != 1) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"mask %s: this field does not have one number for each point; choose another", spec);
	}
	*values = field->values;
	return SNW_OK;
}

snw_status snw_mask_store(snw_project *project, const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena,
						  int64_t *field, snw_error *error) {
	const char *name;
	uint32_t found;
	double *values = NULL;
	snw_status status = find_field(scene, mesh, spec, &name, &found, arena, error);
	if (!snw_failed(status) && found != SNW_NONE) {
		*field = scene->fields[found].id;
		return SNW_OK;
	}
	status = snw_failed(status) ? status : make_values(scene, mesh, spec, &values, arena, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_field mask = {.name = name,
							.domain = SNW_DOMAIN_POINTS,
							.mesh = mesh,
							.components = 1,
							.count = scene->meshes[mesh].point_count,
							.values = values};
	return snw_project_put_field(project, &mask, scene->meshes[mesh].id, field, error);
}
