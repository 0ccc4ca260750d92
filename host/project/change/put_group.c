/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts a corrective group, whose joints, examples and masks must match.
 */
#include "project/database/id_lists.h"
#include "project/journal/command.h"
#include "project/store/store.h"
#include "scene/check.h"

/* Checks one member: the example exists and is in the group once, and the mask has one number for each point of its mesh. */
static snw_status check_member(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
							   uint32_t index, snw_error *error) {
	int64_t mesh = 0, fits = 1;
	snw_status status = snw_database_integer(project, "SELECT mesh FROM example WHERE id = ?1",
											 SNW_CELLS(snw_integer(examples[index])), 0, &mesh, error);
	if (!snw_failed(status) && mesh == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "group '%s': no example with id %lld", group->name,
						(long long)examples[index]);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < index; i++) {
		if (examples[i] == examples[index]) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "group '%s': example %u appears twice", group->name, index);
		}
	}
	if (!snw_failed(status) && masks && masks[index] != 0) {
		status = snw_database_integer(
			project, "SELECT count(*) FROM field WHERE id = ?1 AND mesh = ?2 AND domain = ?3 AND components = 1",
			SNW_CELLS(snw_integer(masks[index]), snw_integer(mesh), snw_integer(SNW_DOMAIN_POINTS)), 0, &fits, error);
	}
	if (!snw_failed(status) && !fits) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"group '%s': the mask of example %u is not a field with one number for each point of its mesh",
						group->name, index);
	}
	return status;
}

static snw_status put_group(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
							int64_t *id, snw_arena *arena, snw_error *error) {
	snw_row_list joints = {0};
	snw_status status = snw_check_name("group", group->name, error);
	status = snw_failed(status) ? status : snw_row_list_read(project, "joint", "position", arena, &joints, error);
	for (uint32_t i = 0; !snw_failed(status) && i < group->joint_count; i++) {
		if (group->joint_count > joints.count || group->joints[i] >= joints.count) {
			status = snw_fail(error, SNW_ERROR_ARGUMENT, "group '%s': joint %u is out of range; the skeleton has %u joints",
							  group->name, group->joints[i], joints.count);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < group->member_count; i++) {
		status = check_member(project, group, examples, masks, i, error);
	}
	status = snw_failed(status) ? status : snw_command_resolve(project, "corrective_group", group->name, id, error);
	return snw_failed(status) ? status : snw_store_group(project, group, joints.ids, examples, masks, id, error);
}

snw_status snw_project_put_group(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
								 int64_t *id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = group->id;
		snw_arena *arena = snw_arena_create();
		status = snw_command_result(project, put_group(project, group, examples, masks, &row, arena, error));
		snw_arena_destroy(arena);
		if (id) {
			*id = row;
		}
	}
	return status;
}

snw_status snw_project_put_group_order(snw_project *project, uint32_t count, const int64_t *groups, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		status = snw_database_run(project, "UPDATE corrective_group SET position = ?2 WHERE id = ?1",
								  SNW_CELLS(snw_integer(groups[i]), snw_integer(i)), error);
	}
	return snw_command_result(project, status);
}
