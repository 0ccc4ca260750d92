/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bones of a skeleton as segments, and which of them are inside the body.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/faces.h"
#include "sinew/kit/ranges.h"
#include "skin-weights/fit.h"

/* Where along a bone it is tested whether the bone is inside. */
static const double places[] = {0.1, 0.3, 0.5, 0.7, 0.9};
enum { PLACES = sizeof places / sizeof *places };

/* A place is inside if the surface winds around it at least this much: 1 inside a closed one, less where it has openings. */
static const double least_winding = 0.3;

/* A joint without children reaches points up to this many times its parent's bone away. Its bone goes on in steps of this part of the
 * way to their middle, at most so many. */
static const double reach = 2, tip_step = 0.25;
enum { TIP_STEPS = 12 };

/* Bones shorter than this part of the diagonal are points. */
static const double least_length = 1e-6;

void nearest_on_bone(const bone *b, const double point[3], double nearest[3]) {
	double along[3], away[3];
	for (int c = 0; c < 3; c++) {
		along[c] = b->ends[1][c] - b->ends[0][c];
		away[c] = point[c] - b->ends[0][c];
	}
	const double square = snw_dot3(along, along);
	const double share = square > 0 ? fmin(fmax(snw_dot3(along, away) / square, 0), 1) : 0;
	for (int c = 0; c < 3; c++) {
		nearest[c] = b->ends[0][c] + share * along[c];
	}
}

/* ---- inside ---------------------------------------------------------------------------------------------------------------- */

/* The solid angle of a triangle as seen from a point (A. Van Oosterom, J. Strackee 1983). */
static double solid_angle(const double point[3], const double *const corners[3]) {
	double v[3][3], lengths[3], cross[3];
	for (int k = 0; k < 3; k++) {
		for (int c = 0; c < 3; c++) {
			v[k][c] = corners[k][c] - point[c];
		}
		lengths[k] = snw_length3(v[k]);
	}
	snw_cross3(v[1], v[2], cross);
	const double below = lengths[0] * lengths[1] * lengths[2] + snw_dot3(v[0], v[1]) * lengths[2] +
						 snw_dot3(v[1], v[2]) * lengths[0] + snw_dot3(v[2], v[0]) * lengths[1];
	return 2 * atan2(snw_dot3(v[0], cross), below);
}

static double winding_in(const snw_mesh_view *mesh, const double point[3]) {
	double sum = 0;
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		const uint32_t begin = mesh->face_offsets[face], end = mesh->face_offsets[face + 1];
		for (uint32_t k = begin + 2; k < end; k++) {
			const uint32_t three[3] = {begin, k - 1, k};
			const double *corners[3];
			for (int i = 0; i < 3; i++) {
				corners[i] = mesh->points_rest + 3 * (size_t)mesh->face_points[three[i]];
			}
			sum += solid_angle(point, corners);
		}
	}
	return sum / (4 * 3.14159265358979323846);
}

static int is_inside(const weights_fit *f, const double point[3]) {
	const snw_character_view *character = f->input->character;
	double winding = 0;
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		winding += winding_in(character->meshes[m], point);
	}
	return fabs(winding) >= least_winding;
}

/* ---- segments ------------------------------------------------------------------------------------------------------------ */

static void place_of(const snw_skeleton_view *skeleton, uint32_t joint, double place[3]) {
	for (size_t c = 0; c < 3; c++) {
		place[c] = skeleton->rest_global[12 * (size_t)joint + 4 * c + 3];
	}
}

static uint32_t slot_of(const snw_character_view *character, uint32_t joint) {
	for (uint32_t s = 0; s < character->slot_count; s++) {
		if (character->slot_joints[s] == joint) {
			return s;
		}
	}
	return SNW_NONE;
}

static void add_bone(weights_fit *f, uint32_t slot, const double begin[3], const double end[3]) {
	bone *b = &f->bones[f->bone_count++];
	b->slot = slot;
	memcpy(b->ends[0], begin, sizeof b->ends[0]);
	memcpy(b->ends[1], end, sizeof b->ends[1]);
}

/* The middle of the points that lie beyond a joint without children, as seen from its parent, and within reach: nearer to it than
 * `reach` of its parent's bones. Returns how many there are. */
static uint32_t middle_beyond(const weights_fit *f, const double above[3], const double begin[3], double middle[3]) {
	const snw_character_view *character = f->input->character;
	const double length = sqrt(snw_squared_distance3(above, begin));
	uint32_t count = 0;
	memset(middle, 0, 3 * sizeof *middle);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		for (uint32_t i = 0; i < character->meshes[m]->point_count; i++) {
			double away[3], along = 0;
			for (size_t c = 0; c < 3; c++) {
				away[c] = character->meshes[m]->points_rest[3 * (size_t)i + c] - begin[c];
				along += away[c] * (begin[c] - above[c]);
			}
			if (along > 0 && snw_length3(away) < reach * length) {
				count++;
				for (int c = 0; c < 3; c++) {
					middle[c] += away[c];
				}
			}
		}
	}
	for (int c = 0; c < 3; c++) {
		middle[c] = begin[c] + (count > 0 ? middle[c] / count : 0);
	}
	return count;
}

/* Where a joint without children ends: on through the middle of what lies beyond it, to where that leaves the body. */
static void find_tip(const weights_fit *f, const double above[3], const double begin[3], double end[3]) {
	double middle[3];
	memcpy(end, begin, 3 * sizeof *end);
	if (middle_beyond(f, above, begin, middle) == 0) {
		return;
	}
	for (int step = 1; step <= TIP_STEPS; step++) {
		double next[3];
		for (int c = 0; c < 3; c++) {
			next[c] = begin[c] + tip_step * step * (middle[c] - begin[c]);
		}
		if (!is_inside(f, next)) {
			break;
		}
		memcpy(end, next, sizeof next);
	}
}

/* A bone to each child; without children, one that goes on as the parent's does. */
static void add_joint(weights_fit *f, uint32_t joint, uint32_t slot) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	const uint32_t first = f->bone_count, parent = skeleton->parents[joint];
	double begin[3], end[3];
	place_of(skeleton, joint, begin);
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			place_of(skeleton, child, end);
			if (snw_squared_distance3(begin, end) > least_length * least_length * f->diagonal * f->diagonal) {
				add_bone(f, slot, begin, end);
			}
		}
	}
	if (f->bone_count == first) {
		memcpy(end, begin, sizeof end);
		if (parent != SNW_NONE) {
			double above[3];
			place_of(skeleton, parent, above);
			find_tip(f, above, begin, end);
		}
		add_bone(f, slot, begin, end);
	}
}

/* ---- which are inside ---------------------------------------------------------------------------------------------------- */

typedef struct inside_job {
	const weights_fit *f;
	unsigned char *inside; /* [bone_count] */
} inside_job;

static void SNW_CALL test_bones(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inside_job *job = argument;
	for (uint32_t b = begin; b < end; b++) {
		const bone *tested = &job->f->bones[b];
		int count = 0;
		for (int p = 0; p < PLACES; p++) {
			double point[3];
			for (int c = 0; c < 3; c++) {
				point[c] = tested->ends[0][c] + places[p] * (tested->ends[1][c] - tested->ends[0][c]);
			}
			count += is_inside(job->f, point);
		}
		job->inside[b] = 2 * count > PLACES;
	}
}

/* Bones that are mostly outside go, unless all are. */
static snw_status drop_outside(weights_fit *f) {
	inside_job job = {f, SNW_POOL_ARRAY(&f->pool, unsigned char, f->bone_count)};
	uint32_t kept = 0;
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_ranges_run(f->host, f->bone_count, 1, test_bones, &job);
	for (uint32_t b = 0; b < f->bone_count; b++) {
		if (job.inside[b]) {
			f->bones[kept++] = f->bones[b];
		}
	}
	f->bone_count = kept > 0 ? kept : f->bone_count;
	return SNW_OK;
}

snw_status find_bones(weights_fit *f) {
	const snw_character_view *character = f->input->character;
	const uint32_t joints = character->skeleton->joint_count;
	f->bones = SNW_POOL_ARRAY(&f->pool, bone, (size_t)2 * joints);
	if (!f->bones) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < joints; j++) {
		const uint32_t slot = slot_of(character, j);
		if (slot != SNW_NONE) {
			add_joint(f, j, slot);
		}
	}
	return f->bone_count > 0
			   ? drop_outside(f)
			   : snw_report_fail(f->host, SNW_ERROR_MISSING, "no joint has a bind matrix, so none can move a mesh");
}
