/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/arrival.h"

#include <math.h>

#include "sinew/algebra.h"

static void check_kind(uint32_t in_file, uint32_t arrived, const char *kind, const snw_task *task) {
	if (in_file > 0 && arrived == 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "the file has %s (%u), but none arrived; export it again, or as .glb", kind,
						in_file);
	}
}

void snw_check_arrival(const snw_scene *scene, const snw_arrival *file, const snw_task *task) {
	check_kind(file->skinned_joints, scene->slot_count, "joints that move points", task);
	check_kind(file->shapes, scene->channel_count, "morph targets", task);
	check_kind(file->clips, scene->clip_count, "clips", task);
}

/* ---- rest places --------------------------------------------------------------------------------------------------------- */

typedef struct bounds {
	double low[3], high[3];
} bounds;

static const bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void grow(bounds *box, double x, double y, double z) {
	const double p[3] = {x, y, z};
	for (int i = 0; i < 3; i++) {
		box->low[i] = fmin(box->low[i], p[i]);
		box->high[i] = fmax(box->high[i], p[i]);
	}
}

static double size_of(const bounds *box) {
	const double extent[3] = {box->high[0] - box->low[0], box->high[1] - box->low[1], box->high[2] - box->low[2]};
	return snw_length3(extent);
}

/* The distance between two boxes; 0 where they meet. */
static double gap_between(const bounds *a, const bounds *b) {
	double gap[3];
	for (int i = 0; i < 3; i++) {
		gap[i] = fmax(fmax(a->low[i] - b->high[i], b->low[i] - a->high[i]), 0);
	}
	return snw_length3(gap);
}

#define FAR 2 /* times the size of the mesh and its joints */

void snw_check_rest_places(const snw_scene *scene, const snw_task *task) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		bounds points = nothing, joints = nothing;
		for (size_t p = 0; p < mesh->point_count; p++) {
			grow(&points, mesh->points_rest[3 * p], mesh->points_rest[3 * p + 1], mesh->points_rest[3 * p + 2]);
		}
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		bool has_several = false;
		for (uint32_t i = 0; i < count; i++) {
			const double *global = scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[mesh->influence_slots[i]];
			has_several |= mesh->influence_slots[i] != mesh->influence_slots[0];
			grow(&joints, global[3], global[7], global[11]);
		}
		/* A mesh on one joint may be anywhere: a prop, a hat. */
		if (has_several && gap_between(&points, &joints) > FAR * (size_of(&points) + size_of(&joints))) {
			snw_task_notice(
				task, SNW_LOG_WARNING,
				"mesh %s rests far from the joints that move it; its file may bind it in another unit or place: bind it "
				"again, or export it as .glb",
				mesh->name);
		}
	}
}
