/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Predictors as they run, and back as they are saved.
 */
#include <string.h>

#include "rotational-regression/rotational-regression.h"

/* Whether features of a joint are read: of the first alone where they are vectors, and never twice. */
static int is_read(const snw_model *model, const predictor *p, uint32_t k, uint32_t parent) {
	const uint32_t count = model->features == FEATURES_VECTORS && p->joint_count > 0 ? 1 : p->joint_count;
	return k == MOST_JOINTS ? parent != SNW_NONE : k < count && p->joints[k] != parent;
}

static void write_lane(const snw_model *model, const predictor *p, size_t lane, predictor_group *group) {
	const uint32_t parent = p->joint_count > 0 ? model->joints[p->joints[0]].parent : SNW_NONE;
	group->most_joints = p->joint_count > group->most_joints ? p->joint_count : group->most_joints;
	for (uint32_t k = 0; k < p->joint_count; k++) {
		group->joints[k][lane] = p->joints[k];
		group->sides[k][lane] = p->is_above[k] ? -1 : 1;
		for (int i = 0; i < 9; i++) {
			group->rotations[k][i][lane] = p->rotations[i][k];
		}
	}
	group->joints[MOST_JOINTS][lane] = parent;
	for (uint32_t k = 0; k <= MOST_JOINTS; k++) {
		for (size_t i = 0; i < 81 && is_read(model, p, k, parent); i++) {
			group->shear[k][i / 9][i % 9][lane] = p->shear[9 * k + i / 9][i % 9];
		}
	}
	for (int i = 0; i < 9; i++) {
		group->constants[i][lane] = p->shear[SHEAR_COLUMNS - 1][i];
	}
}

const predictor_group *group_predictors(const snw_model *model, uint32_t count, const predictor *predictors, snw_pool *pool) {
	predictor_group *groups = SNW_POOL_ARRAY(pool, predictor_group, group_count(count));
	for (uint32_t g = 0; groups && g < group_count(count); g++) {
		memset(groups[g].joints, 0xff, sizeof groups[g].joints); /* SNW_NONE */
		for (uint32_t lane = 0; lane < LANES && g * LANES + lane < count; lane++) {
			write_lane(model, &predictors[g * LANES + lane], lane, &groups[g]);
		}
	}
	return groups;
}

void read_predictor(const predictor_group *group, uint32_t lane, predictor *dest) {
	*dest = (predictor){.joint_count = 0};
	for (uint32_t k = 0; k < MOST_JOINTS && group->joints[k][lane] != SNW_NONE; k++) {
		dest->joints[dest->joint_count] = group->joints[k][lane];
		dest->is_above[dest->joint_count++] = group->sides[k][lane] < 0;
		for (int i = 0; i < 9; i++) {
			dest->rotations[i][k] = group->rotations[k][i][lane];
		}
	}
	for (size_t i = 0; i < (size_t)81 * (MOST_JOINTS + 1); i++) {
		dest->shear[i / 9][i % 9] = group->shear[i / 81][i / 9 % 9][i % 9][lane];
	}
	for (int i = 0; i < 9; i++) {
		dest->shear[SHEAR_COLUMNS - 1][i] = group->constants[i][lane];
	}
}
