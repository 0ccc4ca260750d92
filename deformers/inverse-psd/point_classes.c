/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes of points for weighted models: points on which the group's joints have the same influence share their distances, and
 * so their coefficients.
 *
 * A joint's squared distance counts for a point by the joint's influence on it over the largest of any of the group's joints,
 * in steps, so that classes are few; where none of them has any, by 1. No share falls to 0: poses that differ in a joint
 * without influence alone would be the same pose, and both their examples could not be reproduced.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "sinew/bytes.h"
#include "sinew/kit/status.h"

enum { SHARE_STEPS = 32 };
#define LEAST_SHARE (1.0 / 64)

/* The classes found so far, in a hash table with open addressing: each place holds a class's number + 1. */
typedef struct class_table {
	uint32_t joint_count, count, place_count;
	unsigned char *shares; /* [count][joint_count]: in steps */
	uint32_t *places;      /* [place_count], a power of two */
} class_table;

static void find_shares(const fitting *f, const pose_space *space, const snw_mesh_view *mesh, uint32_t point,
						double *influences, unsigned char *shares) {
	double most = 0;
	for (uint32_t j = 0; j < space->joint_count; j++) {
		influences[j] = 0;
		for (uint32_t n = mesh->influence_offsets ? mesh->influence_offsets[point] : 0;
			 mesh->influence_offsets && n < mesh->influence_offsets[point + 1]; n++) {
			const uint32_t joint = f->input->character->slot_joints[mesh->influence_slots[n]];
			influences[j] += joint == space->joints[j] ? mesh->influence_weights[n] : 0;
		}
		most = fmax(most, influences[j]);
	}
	for (uint32_t j = 0; j < space->joint_count; j++) {
		shares[j] = (unsigned char)(most > 0 ? lround(SHARE_STEPS * fmax(influences[j], 0) / most) : SHARE_STEPS);
	}
}

static uint32_t class_of(class_table *table, const unsigned char *shares) {
	const uint64_t sum = snw_bytes_sum(0, shares, table->joint_count);
	uint32_t place = (uint32_t)(sum ^ sum >> 32) & (table->place_count - 1);
	while (table->places[place] != 0) {
		const uint32_t known = table->places[place] - 1;
		if (memcmp(table->shares + (size_t)known * table->joint_count, shares, table->joint_count) == 0) {
			return known;
		}
		place = (place + 1) & (table->place_count - 1);
	}
	memcpy(table->shares + (size_t)table->count * table->joint_count, shares, table->joint_count);
	table->places[place] = ++table->count;
	return table->count - 1;
}

static snw_status class_items(fitting *f, uint32_t g, class_table *table, double *influences, unsigned char *shares) {
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		for (int is_posed = 0; is_posed < 2; is_posed++) {
			displacement *item = is_posed ? f->meshes[m].posed.first : f->meshes[m].rest.first;
			for (; item; item = item->next) {
				if (item->group != g) {
					continue;
				}
				item->classes = SNW_POOL_ARRAY(&f->scratch, uint32_t, item->count);
				for (uint32_t n = 0; item->classes && n < item->count; n++) {
					find_shares(f, &f->spaces[g], f->input->character->meshes[m], item->points[n], influences, shares);
					item->classes[n] = class_of(table, shares);
				}
			}
		}
	}
	return f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static size_t count_points(const fitting *f, uint32_t g) {
	size_t points = 0;
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		for (int is_posed = 0; is_posed < 2; is_posed++) {
			const displacement *item = is_posed ? f->meshes[m].posed.first : f->meshes[m].rest.first;
			for (; item; item = item->next) {
				points += item->group == g ? item->count : 0;
			}
		}
	}
	return points;
}

static snw_status set_shares(fitting *f, pose_space *space, uint32_t count, const unsigned char *steps) {
	double *shares = SNW_POOL_ARRAY(f->model_pool, double, (size_t)count * space->joint_count);
	for (size_t i = 0; shares && i < (size_t)count * space->joint_count; i++) {
		shares[i] = steps ? fmax((double)steps[i] / SHARE_STEPS, LEAST_SHARE) : 1;
	}
	space->class_count = count;
	space->shares = shares;
	return shares ? SNW_OK : SNW_ERROR_MEMORY;
}

snw_status find_classes(fitting *f, uint32_t g) {
	pose_space *space = &f->spaces[g];
	const size_t points = f->is_weighted ? count_points(f, g) : 0;
	if (points == 0) {
		return set_shares(f, space, 1, NULL);
	}
	class_table table = {.joint_count = space->joint_count, .place_count = 2};
	while (table.place_count < 2 * points) {
		table.place_count *= 2;
	}
	snw_pool pool = snw_pool_open(f->host);
	table.shares = SNW_POOL_ARRAY(&pool, unsigned char, points * space->joint_count);
	table.places = SNW_POOL_ARRAY(&pool, uint32_t, table.place_count);
	double *influences = SNW_POOL_ARRAY(&pool, double, space->joint_count);
	unsigned char *shares = SNW_POOL_ARRAY(&pool, unsigned char, space->joint_count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : class_items(f, g, &table, influences, shares);
	status = snk_failed(status) ? status : set_shares(f, space, table.count, table.shares);
	snw_pool_release(&pool);
	return status;
}
