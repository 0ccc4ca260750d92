/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result of a fit, as proposals: joint 0 is the root, joint b + 1 is bone b; then the ends of a drawing, which move no
 * points, or a second root that holds what stands still. At rest, joints have the axes of the rest space.
 *
 * The root has the rotation of the whole body. Its translation keeps the base bone's pivot fixed in it. At rest it is on the
 * ground below that pivot.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* ---- names --------------------------------------------------------------------------------------------------------------- */

/* Names of bones: "bone-4", and "bone-4-left" and "bone-4-right" for two bones that are each other's mirror image. Pairs are
 * found from the base down: two branches of one bone that are as large, as deep and as long, and begin on two sides; then the
 * branches of these two, wherever they are. So the rest may be posed: how a branch is built counts, and of places only those
 * where branches leave the middle.
 *
 * A bone that is drawn with a name has that name.
 *
 * Left is the side of the larger x, or of the axis along which branches pair best: where a character stands that faces +Z. A
 * bone below one on the left is on the left, even if its arm is crossed over the chest. */

enum { NAME_BYTES = 32 };

/* How unlike two branches may be: the logarithms of their areas' and lengths' ratios, and the bones that one has more. */
static const double most_unlike = 1.2;

/* How far from the middle of a body its hips may be, of the diagonal. */
static const double near_middle = 0.08;

typedef struct branch {
	double area;     /* of the bone and all below it */
	double place[3]; /* centroid of that area, at rest */
	double length;   /* from pivot to pivot to the deepest bone's centre, the longest way */
	uint32_t bones;
} branch;

typedef struct naming {
	const skeleton_fit *f;
	branch *branches;        /* [bone_count] */
	uint32_t *partners;      /* [bone_count]: SNW_NONE for none */
	unsigned char *are_left; /* [bone_count]: of those with a partner */
	int axis;                /* the coordinate that is larger on the left */
} naming;

static void measure_branches(const naming *n) {
	const skeleton_fit *f = n->f;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		branch *b = &n->branches[f->labels[i]];
		b->area += f->areas[i];
		for (int c = 0; c < 3; c++) {
			b->place[c] += f->areas[i] * f->motion.points_rest[3 * (size_t)i + (size_t)c];
		}
	}
	for (uint32_t k = f->bone_count; k-- > 0;) {
		const uint32_t bone = f->tree.order[k], parent = f->tree.parents[bone];
		branch *b = &n->branches[bone];
		b->bones++;
		if (parent != SNW_NONE) {
			branch *above = &n->branches[parent];
			above->area += b->area;
			above->bones += b->bones;
			for (int c = 0; c < 3; c++) {
				above->place[c] += b->place[c];
			}
			const double apart = sqrt(snw_squared_distance3(f->tree.pivots[bone], f->tree.pivots[parent]));
			above->length = fmax(above->length, b->length + apart);
		}
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		for (int c = 0; c < 3; c++) {
			n->branches[b].place[c] /= n->branches[b].area > 0 ? n->branches[b].area : 1;
		}
	}
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

/* By how much two branches differ, however they are posed. */
static double unlikeness(const naming *n, uint32_t a, uint32_t b) {
	const branch *x = &n->branches[a], *y = &n->branches[b];
	const double least = 1e-3 * n->f->diagonal;
	return fabs(log((x->area + least * least) / (y->area + least * least))) +
		   fabs(log((x->length + least) / (y->length + least))) / 2 + 0.15 * fabs((double)x->bones - (double)y->bones);
}

/* Where a branch leaves the bone above it; where two do at one place, the middles of the branches tell them apart. */
static void branch_places(const naming *n, uint32_t a, uint32_t b, const double *places[2]) {
	const double apart = sqrt(snw_squared_distance3(n->f->tree.pivots[a], n->f->tree.pivots[b]));
	const int at_one = apart < 0.01 * n->f->diagonal;
	places[0] = at_one ? n->branches[a].place : n->f->tree.pivots[a];
	places[1] = at_one ? n->branches[b].place : n->f->tree.pivots[b];
}

/* How far a branch begins to the left of another. */
static double left_of(const naming *n, uint32_t a, uint32_t b) {
	const double *places[2];
	branch_places(n, a, b, places);
	return places[0][n->axis] - places[1][n->axis];
}

/* The same for branches of one bone in the middle: they also begin on two sides, at mirrored places. */
static double unlikeness_of_sides(const naming *n, uint32_t a, uint32_t b) {
	const double *places[2], diagonal = n->f->diagonal;
	double beside = 0;
	branch_places(n, a, b, places);
	for (int c = 0; c < 3; c++) {
		beside += c == n->axis ? 0 : pow(places[0][c] - places[1][c], 2);
	}
	return fabs(left_of(n, a, b)) > 0.01 * diagonal ? unlikeness(n, a, b) + 2 * sqrt(beside) / diagonal : HUGE_VAL;
}

/* Pairs the branches of two bones, the most alike first. `mine` and `theirs` may be one bone. Returns how much more alike they
 * are than they must be. */
static double pair_branches(const naming *n, uint32_t mine, uint32_t theirs) {
	const uint32_t *parents = n->f->tree.parents, count = n->f->bone_count;
	double sum = 0;
	for (;;) {
		uint32_t best[2] = {SNW_NONE, SNW_NONE};
		double least = most_unlike;
		for (uint32_t a = 0; a < count; a++) {
			for (uint32_t b = 0; b < count; b++) {
				if (parents[a] == mine && parents[b] == theirs && a != b && n->partners[a] == SNW_NONE &&
					n->partners[b] == SNW_NONE) {
					const double unlike = mine == theirs ? unlikeness_of_sides(n, a, b) : unlikeness(n, a, b);
					if (unlike < least) {
						least = unlike;
						best[0] = a;
						best[1] = b;
					}
				}
			}
		}
		if (best[0] == SNW_NONE) {
			return sum;
		}
		const int is_left = mine == theirs ? left_of(n, best[0], best[1]) > 0 : n->are_left[mine];
		sum += most_unlike - least;
		n->partners[best[0]] = best[1];
		n->partners[best[1]] = best[0];
		n->are_left[best[0]] = (unsigned char)is_left;
		n->are_left[best[1]] = (unsigned char)!is_left;
	}
}

/* From the base down: a bone without partner is in the middle, and its branches pair with each other. */
static double find_pairs(const naming *n) {
	const skeleton_fit *f = n->f;
	double sum = 0;
	memset(n->partners, 0xff, f->bone_count * sizeof *n->partners);
	for (uint32_t k = 0; k < f->bone_count; k++) {
		const uint32_t bone = f->tree.order[k], partner = n->partners[bone];
		if (partner == SNW_NONE) {
			sum += pair_branches(n, bone, bone);
		} else if (bone < partner) {
			sum += pair_branches(n, bone, partner);
		}
	}
	return sum;
}

/* The axis along which branches pair best, and its pairs. */
static void find_sides(naming *n) {
	int best = 0;
	double most = -1;
	for (int axis = 0; axis < 3; axis++) {
		n->axis = axis;
		const double sum = find_pairs(n);
		if (sum > most) {
			most = sum;
			best = axis;
		}
	}
	n->axis = best;
	(void)find_pairs(n);
}

/* The joint of the base, whose place no motion determines, is between the hips: halfway between the two joints of the pair that
 * are nearest to the middle of the body, where it is without such a pair. */
static void put_base_between_hips(const naming *n) {
	const bone_tree *tree = &n->f->tree;
	double *base = tree->pivots[tree->order[0]], found[3], least = pow(near_middle * n->f->diagonal, 2);
	memcpy(found, base, sizeof found);
	for (uint32_t b = 0; b < n->f->bone_count; b++) {
		double half[3];
		for (int c = 0; c < 3 && n->partners[b] != SNW_NONE; c++) {
			half[c] = (tree->pivots[b][c] + tree->pivots[n->partners[b]][c]) / 2;
		}
		const double squared = n->partners[b] == SNW_NONE ? HUGE_VAL : snw_squared_distance3(half, base);
		if (squared < least) {
			least = squared;
			memcpy(found, half, sizeof found);
		}
	}
	memcpy(base, found, sizeof found);
}

/* Whether a drawn bone is called as the generated bone of that number would be, of either side. */
static int is_drawn(const drawing *d, uint32_t number) {
	char name[NAME_BYTES];
	const int bytes = snprintf(name, sizeof name, "bone-%u", number);
	int is_found = 0;
	for (uint32_t b = 0; b < d->bone_count; b++) {
		const char *drawn = d->names[b];
		is_found =
			is_found || (drawn && strncmp(drawn, name, (size_t)bytes) == 0 && (drawn[bytes] == 0 || drawn[bytes] == '-'));
	}
	return is_found;
}

static void write_names(const naming *n, char *text, const char **names) {
	const skeleton_fit *f = n->f;
	uint32_t number = 0;
	for (uint32_t k = 0; k < f->bone_count; k++) {
		const uint32_t bone = f->tree.order[k], partner = n->partners[bone];
		if (names[bone]) {
			continue;
		}
		do {
			number++;
		} while (is_drawn(&f->drawing, number));
		for (int side = 0; side < (partner == SNW_NONE ? 1 : 2); side++) {
			const uint32_t b = side == 0 ? bone : partner;
			const char *end = partner == SNW_NONE ? "" : n->are_left[b] ? "-left" : "-right";
			names[b] = text + (size_t)NAME_BYTES * b;
			snprintf(text + (size_t)NAME_BYTES * b, NAME_BYTES, "bone-%u%s", number, end);
		}
	}
}

/* names [bone_count], unique, of the bones: sides are told apart. In the pool. Where the bones are found, the base's joint goes
 * to the middle of a pair. */
static snw_status name_bones(skeleton_fit *f, const char **names) {
	char *text = SNW_POOL_ARRAY(&f->pool, char, (size_t)NAME_BYTES * f->bone_count);
	naming n = {.f = f,
				.branches = SNW_POOL_ARRAY(&f->pool, branch, f->bone_count),
				.partners = SNW_POOL_ARRAY(&f->pool, uint32_t, f->bone_count),
				.are_left = SNW_POOL_ARRAY(&f->pool, unsigned char, f->bone_count)};
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	measure_branches(&n);
	find_sides(&n);
	if (f->is_auto) {
		put_base_between_hips(&n);
	}
	write_names(&n, text, names);
	for (uint32_t b = 0; b < f->drawing.bone_count; b++) {
		names[b] = f->drawing.names[b] ? f->drawing.names[b] : names[b];
	}
	return SNW_OK;
}

/* ---- proposals ----------------------------------------------------------------------------------------------------------- */

typedef struct proposed {
	const snw_proposal_service *service;
	uint32_t joint_count;
	uint32_t still;      /* the joint that holds what stands still; SNW_NONE for none */
	double (*places)[3]; /* [joint_count]: at rest, in the mesh's coordinates */
	const char **names;
	uint32_t *parents;
	snw_transform *rest_local;
	double *inverse_binds;
} proposed;

static void place_joints(const skeleton_fit *f, const proposed *p) {
	double ground = INFINITY;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		ground = fmin(ground, f->motion.points_rest[3 * (size_t)i + 1]);
	}
	for (uint32_t j = 0; j < p->joint_count; j++) {
		if (j == p->still) {
			memcpy(p->places[j], f->still.middle, sizeof p->places[j]);
			continue;
		}
		const uint32_t bone = j == 0 ? f->tree.order[0] : j - 1;
		const double *place =
			bone < f->bone_count ? f->tree.pivots[bone] : f->drawing.lines[f->drawing.end_lines[bone - f->bone_count]][1];
		for (int c = 0; c < 3; c++) {
			p->places[j][c] = (j == 0 && c == 1 ? ground : place[c]) + f->motion.centre[c];
		}
	}
}

/* SNW_NONE for the root. */
static uint32_t parent_joint(const skeleton_fit *f, const proposed *p, uint32_t joint) {
	if (joint == 0 || joint == p->still) {
		return SNW_NONE;
	}
	if (joint > f->bone_count) {
		return f->drawing.line_bones[f->drawing.end_lines[joint - 1 - f->bone_count]] + 1;
	}
	const uint32_t above = f->tree.parents[joint - 1];
	return above == SNW_NONE ? 0 : above + 1;
}

static snw_status propose_skeleton(const skeleton_fit *f, const proposed *p) {
	snw_pool scratch = snw_pool_open(f->host);
	const uint32_t slot_count = f->bone_count + (p->still != SNW_NONE);
	uint32_t *slots = SNW_POOL_ARRAY(&scratch, uint32_t, slot_count);
	if (!slots) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < p->joint_count; j++) {
		p->parents[j] = parent_joint(f, p, j);
		p->rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		for (int c = 0; c < 3; c++) {
			p->rest_local[j].translation[c] = p->places[j][c] - (p->parents[j] == SNW_NONE ? 0 : p->places[p->parents[j]][c]);
		}
		if (j > 0 && j <= slot_count) {
			double *inverse = p->inverse_binds + 12 * (size_t)(j - 1);
			slots[j - 1] = j;
			snw_mat34_identity(inverse);
			for (int c = 0; c < 3; c++) {
				inverse[4 * c + 3] = -p->places[j][c];
			}
		}
	}
	const snw_skeleton_view skeleton = {.size = sizeof skeleton,
										.joint_count = p->joint_count,
										.names = p->names,
										.parents = p->parents,
										.rest_local = p->rest_local};
	const snw_skeleton_proposal proposal = {.size = sizeof proposal,
											.skeleton = &skeleton,
											.slot_count = slot_count,
											.slot_joints = slots,
											.slot_inverse_binds = p->inverse_binds};
	const snw_status status = p->service->skeleton(f->host, &proposal);
	snw_pool_release(&scratch);
	return status;
}

/* The weights of one of the meshes. */
static snw_status propose_weights(const skeleton_fit *f, const proposed *p, uint32_t part) {
	const uint32_t first = f->part_firsts[part], points = f->part_firsts[part + 1] - first;
	const influence_set still = {.count = 1, .bones = {f->bone_count}, .weights = {1}};
	snw_pool scratch = snw_pool_open(f->host);
	uint32_t *offsets = SNW_POOL_ARRAY(&scratch, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_POOL_ARRAY(&scratch, uint32_t, (size_t)points * SNK_NNLS_INFLUENCES);
	double *weights = SNW_POOL_ARRAY(&scratch, double, (size_t)points *SNK_NNLS_INFLUENCES);
	snw_status status = SNW_ERROR_MEMORY;
	if (!scratch.failed) {
		for (uint32_t i = 0; i < points; i++) {
			const uint32_t place = f->still.count > 0 ? f->still.places[first + i] : first + i;
			const influence_set *set = place == SNW_NONE ? &still : &f->weights[place];
			memcpy(slots + offsets[i], set->bones, set->count * sizeof *slots);
			memcpy(weights + offsets[i], set->weights, set->count * sizeof *weights);
			offsets[i + 1] = offsets[i] + set->count;
		}
		const snw_weights_proposal proposal = {.size = sizeof proposal,
											   .mesh = f->part_meshes[part],
											   .influence_offsets = offsets,
											   .influence_slots = slots,
											   .influence_weights = weights};
		status = p->service->weights(f->host, &proposal);
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

/* Local transforms: bones keep their lengths, so only rotations and the root's position change. */
static void pose_frame(const skeleton_fit *f, const proposed *p, uint32_t frame, snw_transform *local) {
	const rigid *motions = f->motions + (size_t)frame * f->bone_count, *body = &f->bodies[frame];
	const uint32_t base = f->tree.order[0];
	double place[3], away[3], apart[3];
	memcpy(local, p->rest_local, p->joint_count * sizeof *local);
	snw_mat34_point(motions[base].m, f->tree.pivots[base], place);
	for (int c = 0; c < 3; c++) {
		apart[c] = p->places[base + 1][c] - p->places[0][c];
	}
	snw_mat34_vector(body->m, apart, away);
	for (int c = 0; c < 3; c++) {
		local[0].translation[c] = place[c] + f->motion.centre[c] - away[c];
	}
	snw_quat_from_mat34(body->m, local[0].rotation);
	if (p->still != SNW_NONE) {
		snw_mat34_point(f->still.motion.m, f->still.middle, local[p->still].translation);
		snw_quat_from_mat34(f->still.motion.m, local[p->still].rotation);
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		const rigid *above = b == base ? body : &motions[f->tree.parents[b]];
		double inverse[12] = {0}, relative[12]; /* motions are rigid, so they have inverses */
		snw_mat34_invert(above->m, inverse);
		snw_mat34_multiply(inverse, motions[b].m, relative);
		snw_quat_from_mat34(relative, local[b + 1].rotation);
	}
}

static snw_status propose_track(const skeleton_fit *f, const proposed *p, const snw_sequence_view *sequence, uint32_t first) {
	const size_t joints = p->joint_count, frames = sequence->frame_count;
	snw_pool scratch = snw_pool_open(f->host);
	snw_transform *locals = SNW_POOL_ARRAY(&scratch, snw_transform, joints * frames);
	snw_pose_view *views = SNW_POOL_ARRAY(&scratch, snw_pose_view, frames);
	const snw_pose_view **poses = snw_pool_acquire(&scratch, frames, sizeof *poses);
	snw_status status = SNW_ERROR_MEMORY;
	if (!scratch.failed) {
		for (uint32_t frame = 0; frame < sequence->frame_count; frame++) {
			snw_transform *local = locals + joints * frame;
			pose_frame(f, p, first + frame, local);
			views[frame] = (snw_pose_view){.size = sizeof *views, .joint_count = p->joint_count, .local = local};
			poses[frame] = &views[frame];
		}
		const snw_track_proposal proposal = {.size = sizeof proposal,
											 .name = sequence->name,
											 .frame_count = sequence->frame_count,
											 .seconds = sequence->seconds,
											 .poses = poses};
		status = p->service->track(f->host, &proposal);
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status propose(skeleton_fit *f) {
	const size_t joints = (size_t)f->bone_count + 1 + f->drawing.end_count + (f->still.count > 0);
	proposed p = {.service = f->host->service(f->host, SNW_SERVICE_PROPOSAL),
				  .joint_count = (uint32_t)joints,
				  .still = f->still.count > 0 ? (uint32_t)joints - 1 : SNW_NONE,
				  .places = snw_pool_acquire(&f->pool, joints, sizeof *p.places),
				  .names = snw_pool_acquire(&f->pool, joints, sizeof *p.names),
				  .parents = SNW_POOL_ARRAY(&f->pool, uint32_t, joints),
				  .rest_local = SNW_POOL_ARRAY(&f->pool, snw_transform, joints),
				  .inverse_binds = SNW_POOL_ARRAY(&f->pool, double, 12 * joints)};
	if (!p.service) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING,
							   "the host lacks the service sinew.proposal, which motion-skeleton needs");
	}
	snw_status status = f->pool.failed ? SNW_ERROR_MEMORY : name_bones(f, p.names + 1);
	if (snk_failed(status)) {
		return status;
	}
	p.names[0] = "root";
	for (uint32_t e = 0; e < f->drawing.end_count; e++) {
		p.names[1 + f->bone_count + e] = f->drawing.end_names[e];
	}
	if (p.still != SNW_NONE) {
		p.names[p.still] = still_name;
	}
	place_joints(f, &p);
	status = propose_skeleton(f, &p);
	for (uint32_t part = 0; !snk_failed(status) && part < f->part_count; part++) {
		status = propose_weights(f, &p, part);
	}
	uint32_t first = 0;
	for (uint32_t s = 0; !snk_failed(status) && s < f->animations.count; s++) {
		status = propose_track(f, &p, f->animations.sequences[s], first);
		first += f->animations.sequences[s]->frame_count;
	}
	return status;
}
