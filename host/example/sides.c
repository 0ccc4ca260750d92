/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/groups.h"

#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

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
/* Edits shorter than this part of the longest do not count. */
static const double NEGLIGIBLE_EDIT = 0.01;

static double edit_of(const snw_driver_query *query, uint32_t point) {
	double edit[3];
	for (size_t c = 0; c < 3; c++) {
		const size_t at = 3 * (size_t)point + c;
		edit[c] = query->points_posed[at] - query->points_original[at];
	}
	return snw_length3(edit);
}

/* The part of the sculpt that lies on a side (1: of larger x, -1: of smaller x). */
static double part_on_side(const snw_scene *scene, const snw_driver_query *query, const snw_mirror_plane *plane, double side) {
	const snw_mesh *mesh = &scene->meshes[query->mesh];
	const double middle = MIDDLE * snw_scene_diagonal(scene, query->mesh);
	double longest = 0, beyond = 0, all = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		longest = fmax(longest, edit_of(query, i));
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double edit = edit_of(query, i), counts = edit > NEGLIGIBLE_EDIT * longest ? edit : 0;
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
