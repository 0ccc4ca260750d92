/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of each point, by non-negative least squares over bones that are near it: its label's, those of its ring, and
 * those that a joint nearby connects to its label's. A distant bone may happen to move the same way in these frames, but not in
 * others.
 */
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

enum { MOST_CANDIDATES = 24, GRAIN = 64 };

/* How strongly neighbours share their weights: squared error per frame, in squared diagonals. */
static const double smoothness = 2e-6;

typedef struct point_fit {
	uint32_t count;
	uint32_t candidates[MOST_CANDIDATES];
	double gram[MOST_CANDIDATES * MOST_CANDIDATES];
	double right[MOST_CANDIDATES];
} point_fit;

typedef struct weights_job {
	skeleton_fit *f;
	const rigid *motions;
} weights_job;

static void add_candidate(uint32_t bone, point_fit *p) {
	for (uint32_t k = 0; k < p->count; k++) {
		if (p->candidates[k] == bone) {
			return;
		}
	}
	if (p->count < MOST_CANDIDATES) {
		p->candidates[p->count++] = bone;
	}
}

/* Whether the joint of a bone with its parent is near. */
static int is_near(const skeleton_fit *f, uint32_t bone, const double point[3]) {
	const double reach = f->tree.reaches[bone];
	return snw_squared_distance3(point, f->tree.borders[bone]) <= reach * reach;
}

static void find_candidates(const skeleton_fit *f, uint32_t point, point_fit *p) {
	const double *place = f->motion.points_rest + 3 * (size_t)point;
	const uint32_t label = f->labels[point], *parents = f->tree.parents;
	p->count = 0;
	add_candidate(label, p);
	for (uint32_t k = f->rings.offsets[point]; k < f->rings.offsets[point + 1]; k++) {
		add_candidate(f->labels[f->rings.neighbours[k]], p);
	}
	if (parents[label] != SNW_NONE && is_near(f, label, place)) {
		add_candidate(parents[label], p);
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		if (parents[b] == label && is_near(f, b, place)) {
			add_candidate(b, p);
		}
	}
}

static void make_gram(const weights_job *job, uint32_t point, point_fit *p) {
	const skeleton_fit *f = job->f;
	const uint32_t count = p->count;
	double rows[MOST_CANDIDATES][3], target[3];
	memset(p->gram, 0, (size_t)count * count * sizeof *p->gram);
	memset(p->right, 0, count * sizeof *p->right);
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		const rigid *motions = job->motions + (size_t)frame * f->bone_count;
		frame_point(f, frame, point, target);
		for (uint32_t a = 0; a < count; a++) {
			snw_mat34_point(motions[p->candidates[a]].m, f->motion.points_rest + 3 * (size_t)point, rows[a]);
			for (int c = 0; c < 3; c++) {
				rows[a][c] -= target[c];
			}
			for (uint32_t b = 0; b <= a; b++) {
				p->gram[a * count + b] += snw_dot3(rows[a], rows[b]) / f->frame_count;
			}
		}
	}
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			p->gram[b * count + a] = p->gram[a * count + b];
		}
	}
}

/* A pull toward the mean of the ring's weights. */
static void add_smoothness(const skeleton_fit *f, uint32_t point, point_fit *p) {
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	const double strength = smoothness * f->diagonal * f->diagonal;
	for (uint32_t a = 0; a < p->count && end > first; a++) {
		double mean = 0;
		for (uint32_t k = first; k < end; k++) {
			const influence_set *set = &f->weights[f->rings.neighbours[k]];
			for (uint32_t i = 0; i < set->count; i++) {
				mean += set->bones[i] == p->candidates[a] ? set->weights[i] / (end - first) : 0;
			}
		}
		p->gram[a * p->count + a] += strength;
		p->right[a] += strength * mean;
	}
}

static void copy_solution(const point_fit *p, const snk_nnls_solution *solution, influence_set *dest) {
	dest->count = 0;
	for (uint32_t i = 0; i < solution->count; i++) {
		const uint32_t bone = p->candidates[solution->support[i]];
		uint32_t at = dest->count++;
		for (; at > 0 && dest->bones[at - 1] > bone; at--) {
			dest->bones[at] = dest->bones[at - 1];
			dest->weights[at] = dest->weights[at - 1];
		}
		dest->bones[at] = bone;
		dest->weights[at] = solution->weights[i];
	}
}

static void SNW_CALL fit_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const weights_job *job = argument;
	const uint32_t most = (uint32_t)job->f->input->values[INFLUENCES].numbers[0];
	for (uint32_t i = begin; i < end; i++) {
		point_fit p;
		snk_nnls_solution solution;
		const snk_nnls_support start = {.count = 1, .candidates = {0}};
		find_candidates(job->f, i, &p);
		make_gram(job, i, &p);
		add_smoothness(job->f, i, &p);
		const snk_nnls_problem problem = {.count = p.count, .gram = p.gram, .right = p.right};
		snk_nnls_search(&problem, most, 1, &start, &solution);
		copy_solution(&p, &solution, &job->f->next[i]);
	}
}

static void take_next(skeleton_fit *f) {
	influence_set *found = f->next;
	f->next = f->weights;
	f->weights = found;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		double largest = 0;
		for (uint32_t k = 0; k < found[i].count; k++) {
			if (found[i].weights[k] > largest) {
				largest = found[i].weights[k];
				f->labels[i] = found[i].bones[k];
			}
		}
	}
}

snw_status fit_weights(skeleton_fit *f, const rigid *motions) {
	weights_job job = {f, motions};
	const snw_status status = run_in_slabs(f, f->motion.point_count, GRAIN, fit_chunk, &job);
	if (!snk_failed(status)) {
		take_next(f);
	}
	return status;
}
