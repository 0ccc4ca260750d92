/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pose space of a group: its poses, and the weights of its basis functions.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "sinew/algebra.h"
#include "sinew/report.h"

/* The poses of a group while they are gathered: the turns of its joints, and their quaternions. */
typedef struct pose_list {
	uint32_t count, joint_count;
	uint32_t *examples; /* an example that stands there; SNW_NONE for the rest */
	double *turns;
	double *quaternions;
} pose_list;

double mask_at(const snw_group_view *group, uint32_t example, uint32_t point) {
	for (uint32_t m = 0; m < group->member_count; m++) {
		if (group->members[m].example == example) {
			const double *mask = group->members[m].mask;
			return mask ? fmax(mask[point], 0) : 1;
		}
	}
	return 0;
}

int group_has(const snw_group_view *group, uint32_t example) {
	for (uint32_t m = 0; m < group->member_count; m++) {
		if (group->members[m].example == example) {
			return 1;
		}
	}
	return 0;
}

static void add_pose(const fitting *f, const pose_space *space, uint32_t example, pose_list *list) {
	double *turns = list->turns + 3 * (size_t)list->count * list->joint_count;
	for (uint32_t j = 0; j < space->joint_count; j++) {
		for (int c = 0; c < 3; c++) {
			turns[3 * (size_t)j + c] =
				example == SNW_NONE ? 0 : f->input->examples[example].pose.turns[3 * (size_t)space->joints[j] + c];
		}
		snw_quat_from_turn(turns + 3 * (size_t)j, list->quaternions + 4 * ((size_t)list->count * list->joint_count + j));
	}
	list->examples[list->count++] = example;
}

/* Where in the list the pose that was added last already stands; its own place if nowhere. */
static uint32_t place_of_last(const pose_space *space, const pose_list *list) {
	const uint32_t last = list->count - 1;
	const double *here = list->quaternions + 4 * (size_t)last * list->joint_count;
	for (uint32_t p = 0; p < last; p++) {
		const double *there = list->quaternions + 4 * (size_t)p * list->joint_count;
		if (snw_pose_distance(list->joint_count, here, there, space->unwound) < SAME_POSE) {
			return p;
		}
	}
	return last;
}

static void find_unwound(const fitting *f, const snw_group_view *group, pose_space *space, uint32_t *unwound) {
	for (uint32_t j = 0; j < space->joint_count; j++) {
		for (uint32_t m = 0; m < group->member_count; m++) {
			const snw_pose_view *pose = &f->input->examples[group->members[m].example].pose;
			unwound[j] |= snw_length3(pose->turns + 3 * (size_t)space->joints[j]) > 3.14159265358979323846 + SAME_POSE;
		}
	}
	space->unwound = unwound;
}

static snw_status refuse_twin(const fitting *f, const snw_group_view *group, uint32_t a, uint32_t b) {
	return snw_report_fail(f->host, SNW_ERROR_CONFLICT,
						   "examples \"%s\" and \"%s\" have the same pose in the joints that drive group \"%s\": remove one of "
						   "them, or give the group a joint in which they differ",
						   f->input->examples[a].name, f->input->examples[b].name, group->name);
}

/* The members' poses, then the rest. Members on several meshes may share a pose. */
static snw_status add_members(fitting *f, uint32_t g, pose_space *space, pose_list *list) {
	const snw_group_view *group = &f->groups[g];
	for (uint32_t m = 0; m < group->member_count; m++) {
		const uint32_t e = group->members[m].example;
		add_pose(f, space, e, list);
		const uint32_t place = place_of_last(space, list);
		f->member_coefficients[g][m] = place;
		if (place == list->count - 1) {
			continue;
		}
		list->count--;
		for (uint32_t other = 0; other < m; other++) {
			const uint32_t twin = group->members[other].example;
			if (f->member_coefficients[g][other] == place && f->input->examples[twin].mesh == f->input->examples[e].mesh) {
				return refuse_twin(f, group, twin, e);
			}
		}
	}
	space->coefficient_count = list->count;
	add_pose(f, space, SNW_NONE, list);
	const uint32_t at_rest = place_of_last(space, list);
	if (at_rest != list->count - 1) {
		return snw_report_fail(
			f->host, SNW_ERROR_CONFLICT,
			"example \"%s\" has the rest pose in the joints that drive group \"%s\", and at rest the rest is "
			"given: give the group a joint that turns there, or remove the example",
			f->input->examples[list->examples[at_rest]].name, group->name);
	}
	return SNW_OK;
}

/* Whether group g could move a point that the example speaks for through an earlier group. */
static int could_disturb(const fitting *f, uint32_t g, uint32_t example) {
	const uint32_t mesh = f->input->examples[example].mesh, points = f->input->character->meshes[mesh].point_count;
	for (uint32_t m = 0; m < f->groups[g].member_count; m++) {
		const uint32_t other = f->groups[g].members[m].example;
		if (f->input->examples[other].mesh != mesh) {
			continue;
		}
		for (uint32_t earlier = 0; earlier < g; earlier++) {
			for (uint32_t i = 0; group_has(&f->groups[earlier], example) && i < points; i++) {
				if (mask_at(&f->groups[earlier], example, i) > 0 && mask_at(&f->groups[g], other, i) > 0) {
					return 1;
				}
			}
		}
	}
	return 0;
}

/* Poses of earlier groups' examples, at which this group must not act. */
static void add_zeros(fitting *f, uint32_t g, pose_space *space, pose_list *list) {
	for (uint32_t e = 0; e < f->input->example_count; e++) {
		int earlier = 0;
		for (uint32_t before = 0; before < g; before++) {
			earlier |= group_has(&f->groups[before], e);
		}
		if (!earlier || group_has(&f->groups[g], e) || !could_disturb(f, g, e)) {
			continue;
		}
		add_pose(f, space, e, list);
		const uint32_t place = place_of_last(space, list);
		if (place < list->count - 1) {
			list->count--;
		}
		if (place < space->coefficient_count) {
			snw_report_line(f->host, SNW_LOG_WARNING,
							"group \"%s\" cannot tell example \"%s\" from its own \"%s\" by its joints, and will disturb it: "
							"give the group a joint in which they differ",
							f->groups[g].name, f->input->examples[e].name, f->input->examples[list->examples[place]].name);
		}
	}
}

static snw_status solve_weights(fitting *f, const pose_list *list, pose_space *space) {
	const uint32_t count = list->count;
	double *distances = SNW_POOL_ARRAY(&f->scratch, double, (size_t)count *count);
	double *weights = SNW_POOL_ARRAY(f->kept, double, (size_t)count *(count + 1));
	if (!distances || !weights) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			const size_t stride = 4 * (size_t)space->joint_count;
			distances[(size_t)a * count + b] = snw_pose_distance(space->joint_count, list->quaternions + a * stride,
																 list->quaternions + b * stride, space->unwound);
		}
	}
	space->kernel = f->input->values[KERNEL] == 0 ? SNW_KERNEL_GAUSSIAN : SNW_KERNEL_LINEAR;
	space->width = f->input->values[WIDTH] > 0 ? f->input->values[WIDTH] : snw_rbf_width(count, distances);
	space->width = space->kernel == SNW_KERNEL_LINEAR ? 1 : space->width;
	double reciprocal = 1;
	const snw_status status = snw_rbf_solve(f->host, space->kernel, space->width, count, distances, weights, &reciprocal);
	if (status < 0) {
		return snw_report_fail(f->host, status,
							   "group \"%s\": its examples' poses are too close for a kernel %g rad wide: set a smaller width, "
							   "or remove one of the examples",
							   space->name, space->width);
	}
	if (reciprocal < 1e-10) {
		f->ill_conditioned++;
		snw_report_line(f->host, SNW_LOG_WARNING,
						"group \"%s\": a kernel %g rad wide hardly tells its poses apart: set a smaller width", space->name,
						space->width);
	}
	space->weights = weights;
	return SNW_OK;
}

static snw_status name_coefficients(fitting *f, const pose_list *list, pose_space *space) {
	const char **names = SNW_POOL_ARRAY(f->kept, const char *, space->coefficient_count);
	for (uint32_t k = 0; names && k < space->coefficient_count; k++) {
		const char *example = f->input->examples[list->examples[k]].name;
		const size_t bytes = strlen(space->name) + strlen(example) + 2;
		char *name = SNW_POOL_ARRAY(f->kept, char, bytes);
		if (name) {
			snprintf(name, bytes, "%s/%s", space->name, example);
		}
		names[k] = name;
	}
	space->names = names;
	return f->kept->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status open_space(fitting *f, uint32_t g, pose_space *space, pose_list *list) {
	const snw_group_view *group = &f->groups[g];
	const size_t name_bytes = strlen(group->name) + 1;
	const size_t most = (size_t)f->input->example_count + 2;
	char *name = SNW_POOL_ARRAY(f->kept, char, name_bytes);
	uint32_t *unwound = SNW_POOL_ARRAY(f->kept, uint32_t, space->joint_count);
	f->member_coefficients[g] = SNW_POOL_ARRAY(&f->scratch, uint32_t, group->member_count);
	*list = (pose_list){.joint_count = space->joint_count,
						.examples = SNW_POOL_ARRAY(&f->scratch, uint32_t, most),
						.turns = SNW_POOL_ARRAY(f->kept, double, 3 * most * space->joint_count),
						.quaternions = SNW_POOL_ARRAY(f->kept, double, 4 * most * space->joint_count)};
	if (f->kept->failed || f->scratch.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(name, group->name, name_bytes);
	space->name = name;
	find_unwound(f, group, space, unwound);
	return SNW_OK;
}

snw_status find_pose_space(fitting *f, uint32_t g) {
	pose_space *space = &f->spaces[g];
	pose_list list;
	uint32_t *joints = NULL;
	snw_status status = choose_joints(f, g, &joints, &space->joint_count);
	if (status != SNW_OK) {
		return status;
	}
	if (space->joint_count == 0 && f->groups[g].member_count > 0) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING,
							   "group \"%s\": no joint turns at any of its examples, so there is nothing to drive them: pose "
							   "them away from rest",
							   f->groups[g].name);
	}
	space->joints = joints;
	status = open_space(f, g, space, &list);
	if (status != SNW_OK || f->groups[g].member_count == 0) {
		return status;
	}
	status = add_members(f, g, space, &list);
	if (status == SNW_OK) {
		add_zeros(f, g, space, &list);
		space->pose_count = list.count;
		space->turns = list.turns;
		space->quaternions = list.quaternions;
		status = solve_weights(f, &list, space);
	}
	return status == SNW_OK ? name_coefficients(f, &list, space) : status;
}
