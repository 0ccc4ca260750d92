/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bones of a skeleton as segments, and which of them are inside the body.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/status.h"
#include "skin-weights/skin-weights.h"

/* ---- pieces of the surface ----------------------------------------------------------------------------------------------- */

/* The connected pieces of a mesh's surface, and which of them are inside out. */

/* A piece is inside out if its volume is negative and larger than this part of its area to the power of 3/2. What encloses less
 * is a sheet, whose sides the volume does not tell apart. */
static const double least_volume = 1e-3;

/* of_point, first as the first point of each piece, then as the number of the piece. */
static void number_pieces(const snw_mesh_view *mesh, surface_pieces *pieces) {
	const snk_faces faces = snk_faces_of(mesh);
	uint32_t *firsts = pieces->of_point;
	snk_pieces_find(&faces, firsts);
	for (uint32_t i = 0; i < mesh->point_count; i++) { /* what comes before a point has its number */
		pieces->of_point[i] = firsts[i] == i ? pieces->count++ : pieces->of_point[firsts[i]];
	}
}

static uint32_t piece_of_face(const snw_mesh_view *mesh, const surface_pieces *pieces, uint32_t face) {
	return pieces->of_point[mesh->face_points[mesh->face_offsets[face]]];
}

/* Faces of one piece together, in their order. */
static void sort_faces(const snw_mesh_view *mesh, surface_pieces *pieces, uint32_t *next) {
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		pieces->offsets[piece_of_face(mesh, pieces, face) + 1]++;
	}
	for (uint32_t p = 0; p < pieces->count; p++) {
		pieces->offsets[p + 1] += pieces->offsets[p];
		next[p] = pieces->offsets[p];
	}
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		pieces->faces[next[piece_of_face(mesh, pieces, face)]++] = face;
	}
}

/* Six times the volume and twice the area under a face, as seen from `centre`. */
static void add_face(const snw_mesh_view *mesh, uint32_t face, const double centre[3], double *volume, double *area) {
	const uint32_t begin = mesh->face_offsets[face], end = mesh->face_offsets[face + 1];
	for (uint32_t k = begin + 2; k < end; k++) {
		const uint32_t three[3] = {begin, k - 1, k};
		double v[3][3], ab[3], ac[3], cross[3];
		for (int i = 0; i < 3; i++) {
			for (size_t c = 0; c < 3; c++) {
				v[i][c] = mesh->points_rest[3 * (size_t)mesh->face_points[three[i]] + c] - centre[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			ab[c] = v[1][c] - v[0][c];
			ac[c] = v[2][c] - v[0][c];
		}
		snw_cross3(ab, ac, cross);
		*area += snw_length3(cross);
		*volume += snw_dot3(v[0], cross);
	}
}

static int is_inside_out(const snw_mesh_view *mesh, const surface_pieces *pieces, uint32_t piece) {
	double centre[3] = {0, 0, 0}, corners = 0, volume = 0, area = 0;
	for (uint32_t n = pieces->offsets[piece]; n < pieces->offsets[piece + 1]; n++) {
		const uint32_t face = pieces->faces[n];
		for (uint32_t k = mesh->face_offsets[face]; k < mesh->face_offsets[face + 1]; k++, corners++) {
			for (size_t c = 0; c < 3; c++) {
				centre[c] += mesh->points_rest[3 * (size_t)mesh->face_points[k] + c];
			}
		}
	}
	for (int c = 0; c < 3; c++) {
		centre[c] /= fmax(corners, 1);
	}
	for (uint32_t n = pieces->offsets[piece]; n < pieces->offsets[piece + 1]; n++) {
		add_face(mesh, pieces->faces[n], centre, &volume, &area);
	}
	return volume / 6 < -least_volume * pow(area / 2, 1.5);
}

static snw_status find_mesh_pieces(snw_pool *pool, const snw_mesh_view *mesh, surface_pieces *pieces) {
	pieces->of_point = SNW_POOL_ARRAY(pool, uint32_t, mesh->point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	number_pieces(mesh, pieces);
	uint32_t *next = SNW_POOL_ARRAY(pool, uint32_t, pieces->count);
	pieces->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)pieces->count + 1);
	pieces->faces = SNW_POOL_ARRAY(pool, uint32_t, mesh->face_count);
	pieces->signs = SNW_POOL_ARRAY(pool, double, pieces->count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	sort_faces(mesh, pieces, next);
	for (uint32_t p = 0; p < pieces->count; p++) {
		pieces->signs[p] = is_inside_out(mesh, pieces, p) ? -1 : 1;
	}
	return SNW_OK;
}

snw_status find_pieces(weights_fit *f) {
	const snw_character_view *character = f->input->character;
	snw_status status = SNW_OK;
	f->pieces = SNW_POOL_ARRAY(&f->pool, surface_pieces, character->mesh_count);
	for (uint32_t m = 0; f->pieces && !snk_failed(status) && m < character->mesh_count; m++) {
		status = find_mesh_pieces(&f->pool, character->meshes[m], &f->pieces[m]);
	}
	return f->pieces ? status : SNW_ERROR_MEMORY;
}

/* ---- bones --------------------------------------------------------------------------------------------------------------- */

/* Where along a bone it is tested whether the bone is inside. */
static const double places[] = {0.1, 0.3, 0.5, 0.7, 0.9};
enum { PLACES = sizeof places / sizeof *places };

/* A place is inside if the surface winds around it at least this much: 1 inside a closed one, less where it has openings. */
static const double least_winding = 0.3;

/* The bone of a joint without children leads toward the middle of the points beyond the joint that are nearer to it than
 * `reach` times its distance from its parent. It goes on in steps of `tip_step` of the way there, TIP_STEPS at most. */
static const double reach = 2, tip_step = 0.25;
enum { TIP_STEPS = 12 };

/* Bones shorter than this part of the diagonal are points. */
static const double least_length = 1e-6;

/* Progress when the tips of bones are sought, and when bones are tested. */
static const double tips_from = 0.02, tests_from = 0.1;

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

/* ---- inside -------------------------------------------------------------------------------------------------------------- */

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

static double winding_of(const snw_mesh_view *mesh, uint32_t face_count, const uint32_t *faces, const double point[3]) {
	double sum = 0;
	for (uint32_t n = 0; n < face_count; n++) {
		const uint32_t begin = mesh->face_offsets[faces[n]], end = mesh->face_offsets[faces[n] + 1];
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

/* Pieces that are open add up; but a sheet, whose sides nothing tells apart, must not take away what another piece encloses. */
static int is_inside(const weights_fit *f, const double point[3]) {
	const snw_character_view *character = f->input->character;
	double sum = 0, largest = 0;
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const surface_pieces *pieces = &f->pieces[m];
		for (uint32_t p = 0; p < pieces->count; p++) {
			const uint32_t begin = pieces->offsets[p], count = pieces->offsets[p + 1] - begin;
			const double winding = pieces->signs[p] * winding_of(character->meshes[m], count, pieces->faces + begin, point);
			sum += winding;
			largest = fmax(largest, fabs(winding));
		}
	}
	return fmax(fabs(sum), largest) >= least_winding;
}

/* ---- segments ------------------------------------------------------------------------------------------------------------ */

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

/* The middle of the points that lie beyond a joint without children, as seen from its parent, and within reach: nearer to it
 * than `reach` of its parent's bones. Returns how many there are. */
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
typedef struct tip {
	uint32_t bone;
	double middle[3];
} tip;

typedef struct tip_search {
	weights_fit *f;
	uint32_t count;
	tip *tips;             /* [count] */
	unsigned char *inside; /* [count][TIP_STEPS] */
} tip_search;

/* The end of the bone after a number of steps. */
static void find_end(const tip_search *search, const tip *t, uint32_t steps, double end[3]) {
	const double *begin = search->f->bones[t->bone].ends[0];
	for (int c = 0; c < 3; c++) {
		end[c] = begin[c] + tip_step * steps * (t->middle[c] - begin[c]);
	}
}

static void SNW_CALL test_steps(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const tip_search *search = argument;
	for (uint32_t n = begin; n < end; n++) {
		double place[3];
		find_end(search, &search->tips[n / TIP_STEPS], n % TIP_STEPS + 1, place);
		search->inside[n] = (unsigned char)is_inside(search->f, place);
	}
}

static snw_status find_tips(tip_search *search) {
	weights_fit *f = search->f;
	const snk_stretch stretch = {tips_from, tests_from, "finding bones"};
	search->inside = SNW_POOL_ARRAY(&f->pool, unsigned char, (size_t)TIP_STEPS * search->count);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const snw_status status = snk_ranges_run_reported(f->host, TIP_STEPS * search->count, 1, test_steps, search, &stretch);
	for (uint32_t t = 0; !snk_failed(status) && t < search->count; t++) {
		uint32_t steps = 0;
		while (steps < TIP_STEPS && search->inside[TIP_STEPS * t + steps]) {
			steps++;
		}
		find_end(search, &search->tips[t], steps, f->bones[search->tips[t].bone].ends[1]);
	}
	return status;
}

/* A bone to each child; without children, one that is to go on as the parent's does. */
static void add_joint(tip_search *search, uint32_t joint, uint32_t slot) {
	weights_fit *f = search->f;
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	const uint32_t first = f->bone_count, parent = skeleton->parents[joint];
	double begin[3], end[3];
	place_of(f, joint, begin);
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			place_of(f, child, end);
			if (snw_squared_distance3(begin, end) > least_length * least_length * f->diagonal * f->diagonal) {
				add_bone(f, slot, begin, end);
			}
		}
	}
	if (f->bone_count == first) {
		tip *next = &search->tips[search->count];
		*next = (tip){.bone = f->bone_count};
		add_bone(f, slot, begin, begin);
		if (parent != SNW_NONE) {
			double above[3];
			place_of(f, parent, above);
			search->count += middle_beyond(f, above, begin, next->middle) > 0;
		}
	}
}

static snw_status add_joints(tip_search *search) {
	const snw_character_view *character = search->f->input->character;
	const uint32_t joints = character->skeleton->joint_count;
	for (uint32_t j = 0; j < joints; j++) {
		const uint32_t slot = slot_of(character, j);
		if (!snw_report_progress(search->f->host, tips_from * j / joints, "finding bones")) {
			return SNW_CANCELLED;
		}
		if (slot != SNW_NONE) {
			add_joint(search, j, slot);
		}
	}
	return SNW_OK;
}

/* ---- which are inside ---------------------------------------------------------------------------------------------------- */

typedef struct inside_job {
	const weights_fit *f;
	unsigned char *inside; /* [bone_count][PLACES] */
} inside_job;

static void SNW_CALL test_places(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const inside_job *job = argument;
	for (uint32_t n = begin; n < end; n++) {
		const bone *tested = &job->f->bones[n / PLACES];
		double point[3];
		for (int c = 0; c < 3; c++) {
			point[c] = tested->ends[0][c] + places[n % PLACES] * (tested->ends[1][c] - tested->ends[0][c]);
		}
		job->inside[n] = (unsigned char)is_inside(job->f, point);
	}
}

/* Bones that are mostly outside go, unless all are. */
static snw_status drop_outside(weights_fit *f) {
	const snk_stretch stretch = {tests_from, meshes_from, "finding bones inside"};
	inside_job job = {f, SNW_POOL_ARRAY(&f->pool, unsigned char, (size_t)PLACES * f->bone_count)};
	uint32_t kept = 0;
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const snw_status status = snk_ranges_run_reported(f->host, PLACES * f->bone_count, 1, test_places, &job, &stretch);
	for (uint32_t b = 0; !snk_failed(status) && b < f->bone_count; b++) {
		uint32_t count = 0;
		for (uint32_t p = 0; p < PLACES; p++) {
			count += job.inside[PLACES * b + p];
		}
		if (2 * count > PLACES) {
			f->bones[kept++] = f->bones[b];
		}
	}
	f->bone_count = kept > 0 ? kept : f->bone_count;
	return status;
}

snw_status find_bones(weights_fit *f) {
	const uint32_t joints = f->input->character->skeleton->joint_count;
	tip_search search = {.f = f, .tips = SNW_POOL_ARRAY(&f->pool, tip, joints)};
	f->bones = SNW_POOL_ARRAY(&f->pool, bone, (size_t)2 * joints);
	snw_status status = f->pool.failed ? SNW_ERROR_MEMORY : add_joints(&search);
	if (!snk_failed(status) && f->bone_count == 0) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING, "no joint has a bind matrix, so none can move a mesh");
	}
	status = snk_failed(status) ? status : find_tips(&search);
	return snk_failed(status) ? status : drop_outside(f);
}
