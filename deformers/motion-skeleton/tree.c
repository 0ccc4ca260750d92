/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of the bones and their joints.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* The ridge that holds a joint to the border of its bones: this much if the motion is exact, more if the joint moves. At
 * `loose` of the diagonal the ridge is as strong as the data of a rotation by 57 degrees about each axis. */
static const double least_ridge = 1e-5, loose = 0.05;

/* The same where the bones are found too, and joints are to be within the limbs: the ridge is as strong as that data where the
 * bones bend by this many radii of their border. */
static const double away = 0.45;
static const double least_radius = 1e-3; /* of the diagonal: of a border, which may be one edge */

/* The ridge that holds joints while the rotations of all frames are held. */
static const double least_hold = 1e-4;

/* The ridge that holds a joint to where it is drawn (B. Merry's thesis, 4.1.4: in a unit box). */
static const double drawn_ridge = 1e-3;

/* Joints that move by less than `still` of the diagonal count as fixed; borders below a share of `no_border` count as none. */
static const double still = 2e-3, no_border = 0.02;

/* The middle of a body: large parts count for more than their surface, as there is more behind it. */
static const double heavy = 1.25;

/* How far from a joint points may follow both bones: in radii of the border, or in distances between the bones' centres. */
static const double border_reach = 3, bone_reach = 0.5;

/* Two bones, and the joint that they would have. */
typedef struct pair {
	double border;      /* length of the border */
	double centroid[3]; /* of the border */
	double radius;      /* of the border: root mean square */
	double pivot[3];
	double spread; /* metres: the distance between the pivots as each bone moves it, root mean square */
	double hold;   /* the strength of the ridge, where the bones are found too */
	double cost;
} pair;

typedef struct pairs {
	uint32_t count;  /* bones */
	pair *items;     /* [count][count], both halves */
	double *borders; /* [count]: all of a bone's */
	double *areas;   /* [count] */
	double *bends;   /* [count]: what a blend leaves of its points: mean square over points and frames */
	double (*centres)[3];
} pairs;

static pair *pair_of(const pairs *p, uint32_t a, uint32_t b) {
	return &p->items[(size_t)a * p->count + b];
}

/* ---- borders ------------------------------------------------------------------------------------------------------------- */

static void gather_centres(const skeleton_fit *f, pairs *p) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const uint32_t b = f->labels[i];
		p->areas[b] += f->areas[i];
		for (int c = 0; c < 3; c++) {
			p->centres[b][c] += f->areas[i] * f->motion.points_rest[3 * (size_t)i + (size_t)c];
		}
	}
	for (uint32_t b = 0; b < p->count; b++) {
		for (int c = 0; c < 3; c++) {
			p->centres[b][c] /= p->areas[b];
		}
	}
}

static void gather_bends(const skeleton_fit *f, const pairs *p, uint32_t *sizes) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		p->bends[f->labels[i]] += f->bends[i];
		sizes[f->labels[i]]++;
	}
	for (uint32_t b = 0; b < p->count; b++) {
		p->bends[b] = fmax(p->bends[b] / sizes[b], 0);
	}
}

/* Divides sums to get means. Bones without a border meet halfway. */
static void finish_border(const pairs *p, uint32_t a, uint32_t b) {
	pair *between = pair_of(p, a, b);
	if (!(between->border > 0)) {
		for (int c = 0; c < 3; c++) {
			between->centroid[c] = (p->centres[a][c] + p->centres[b][c]) / 2;
		}
		return;
	}
	for (int c = 0; c < 3; c++) {
		between->centroid[c] /= between->border;
	}
	between->radius = sqrt(fmax(between->radius / between->border - snw_dot3(between->centroid, between->centroid), 0));
}

/* Edges between two labels are their border. Each counts by its length. */
static void gather_borders(const skeleton_fit *f, pairs *p) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		for (uint32_t k = f->rings.offsets[i]; k < f->rings.offsets[i + 1]; k++) {
			const uint32_t other = f->rings.neighbours[k], a = f->labels[i], b = f->labels[other];
			const double *from = f->motion.points_rest + 3 * (size_t)i, *to = f->motion.points_rest + 3 * (size_t)other;
			const double length = sqrt(snw_squared_distance3(from, to));
			if (a == b) {
				continue;
			}
			pair *between = pair_of(p, a, b);
			between->border += length;
			p->borders[a] += length;
			for (int c = 0; c < 3; c++) {
				const double middle = (from[c] + to[c]) / 2;
				between->centroid[c] += length * middle;
				between->radius += length * middle * middle;
			}
		}
	}
	for (uint32_t a = 0; a < p->count; a++) {
		for (uint32_t b = 0; b < p->count; b++) {
			finish_border(p, a, b);
		}
	}
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* Normal equations of Σ |T_a p − T_b p|² / frames over p. */
typedef struct joint_equations {
	double matrix[12]; /* its 3×3 part */
	double right[3];
	double constant;
} joint_equations;

static void add_frame(const rigid *a, const rigid *b, double weight, joint_equations *e) {
	for (int r = 0; r < 3; r++) {
		double row[3];
		const double apart = b->m[4 * r + 3] - a->m[4 * r + 3];
		for (int c = 0; c < 3; c++) {
			row[c] = a->m[4 * r + c] - b->m[4 * r + c];
		}
		for (int i = 0; i < 3; i++) {
			e->right[i] += weight * row[i] * apart;
			for (int j = 0; j < 3; j++) {
				e->matrix[4 * i + j] += weight * row[i] * row[j];
			}
		}
		e->constant += weight * apart * apart;
	}
}

/* The point that moves least, held to `anchor` by a ridge. Returns the mean square of its movement. */
static double solve_joint(const joint_equations *e, const double anchor[3], double ridge, double pivot[3]) {
	double matrix[12], inverse[12], right[3], squares = e->constant;
	memcpy(matrix, e->matrix, sizeof matrix);
	for (int i = 0; i < 3; i++) {
		matrix[5 * i] += ridge;
		right[i] = e->right[i] + ridge * anchor[i];
	}
	snw_mat34_invert(matrix, inverse);
	snw_mat34_vector(inverse, right, pivot);
	for (int i = 0; i < 3; i++) {
		squares -= 2 * pivot[i] * e->right[i];
		for (int j = 0; j < 3; j++) {
			squares += pivot[i] * e->matrix[4 * i + j] * pivot[j];
		}
	}
	return fmax(squares, 0);
}

double find_fixed_place(uint32_t count, const rigid *motions, const double anchor[3], double place[3]) {
	joint_equations e = {.constant = 0};
	rigid mean = {{0}};
	for (uint32_t n = 0; n < count; n++) {
		for (int k = 0; k < 12; k++) {
			mean.m[k] += motions[n].m[k] / count;
		}
	}
	for (uint32_t n = 0; n < count; n++) {
		add_frame(&motions[n], &mean, 1.0 / count, &e);
	}
	return sqrt(solve_joint(&e, anchor, least_ridge, place));
}

static void find_joint(const skeleton_fit *f, uint32_t a, uint32_t b, double bends, pair *between) {
	joint_equations e = {.constant = 0};
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		const rigid *parts = f->parts + (size_t)frame * f->bone_count;
		add_frame(&parts[a], &parts[b], 1.0 / f->frame_count, &e);
	}
	const double scale = loose * f->diagonal, least = f->drawing.bone_count > 0 ? drawn_ridge : least_ridge;
	if (f->is_auto && between->border > 0) {
		const double radius = fmax(between->radius, least_radius * f->diagonal);
		between->hold = least_ridge + bends / (away * away * radius * radius);
		between->spread = sqrt(solve_joint(&e, between->centroid, between->hold, between->pivot));
		return;
	}
	const double squares = solve_joint(&e, between->centroid, least, between->pivot);
	between->spread = sqrt(solve_joint(&e, between->centroid, least + squares / (scale * scale), between->pivot));
}

static void SNW_CALL find_joints(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const skeleton_fit *f = ((void **)argument)[0];
	const pairs *p = ((void **)argument)[1];
	for (uint32_t a = begin; a < end; a++) {
		for (uint32_t b = 0; b < a; b++) {
			pair *between = pair_of(p, a, b);
			find_joint(f, a, b, p->bends[a] + p->bends[b], between);
			const double all = fmin(p->borders[a], p->borders[b]), share = all > 0 ? between->border / all : 0;
			const double apart =
				between->border > 0 ? 0 : sqrt(snw_squared_distance3(p->centres[a], p->centres[b])) / f->diagonal;
			between->cost = (between->spread / f->diagonal + still + apart) / (share + no_border);
			*pair_of(p, b, a) = *between;
		}
	}
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

/* The minimum spanning tree of the bones (Prim's algorithm), as parents; bone 0 is its root. */
static void span(const pairs *p, uint32_t *parents, unsigned char *reached, double *costs) {
	for (uint32_t b = 0; b < p->count; b++) {
		parents[b] = b == 0 ? SNW_NONE : 0;
		costs[b] = b == 0 ? 0 : pair_of(p, 0, b)->cost;
		reached[b] = b == 0;
	}
	for (uint32_t n = 1; n < p->count; n++) {
		uint32_t nearest = SNW_NONE;
		for (uint32_t b = 0; b < p->count; b++) {
			nearest = !reached[b] && (nearest == SNW_NONE || costs[b] < costs[nearest]) ? b : nearest;
		}
		reached[nearest] = 1;
		for (uint32_t b = 0; b < p->count; b++) {
			const double cost = pair_of(p, nearest, b)->cost;
			if (!reached[b] && cost < costs[b]) {
				costs[b] = cost;
				parents[b] = nearest;
			}
		}
	}
}

static void put_in_order(uint32_t count, const uint32_t *parents, uint32_t *order) {
	uint32_t end = 0;
	for (uint32_t b = 0; b < count; b++) {
		if (parents[b] == SNW_NONE) {
			order[end++] = b;
		}
	}
	for (uint32_t begin = 0; begin < end; begin++) {
		for (uint32_t b = 0; b < count; b++) {
			if (parents[b] == order[begin]) {
				order[end++] = b;
			}
		}
	}
}

/* The middle of the body: the bone whose largest branch is smallest. `weights`: areas of whole branches of the current tree. */
static uint32_t find_base(const pairs *p, const bone_tree *tree, double *branches, double *largest) {
	double all = 0;
	for (uint32_t b = 0; b < p->count; b++) {
		branches[b] = p->areas[b];
		largest[b] = 0;
		all += p->areas[b];
	}
	for (uint32_t n = p->count; n-- > 1;) {
		const uint32_t b = tree->order[n], parent = tree->parents[b];
		branches[parent] += branches[b];
		largest[parent] = fmax(largest[parent], branches[b]);
	}
	uint32_t base = 0;
	for (uint32_t b = 0; b < p->count; b++) {
		largest[b] = fmax(largest[b], all - branches[b]);
		base = largest[b] < largest[base] ? b : base;
	}
	return base;
}

/* The same tree with another root. */
static void hang_from(uint32_t base, uint32_t *parents) {
	uint32_t above = SNW_NONE;
	for (uint32_t b = base; b != SNW_NONE;) {
		const uint32_t next = parents[b];
		parents[b] = above;
		above = b;
		b = next;
	}
}

/* Joints are sought around where they are drawn, between the bones that the drawing connects. */
static void draw_joints(const drawing *drawn, const pairs *p) {
	for (uint32_t b = 0; b < drawn->bone_count; b++) {
		const uint32_t parent = drawn->parents[b];
		double *place =
			parent == SNW_NONE ? p->centres[b] : pair_of(p, b > parent ? b : parent, b > parent ? parent : b)->centroid;
		memcpy(place, drawn->begins[b], sizeof drawn->begins[b]);
	}
}

/* parents and order: those of the drawing, or of the tree that costs least. */
static void connect_bones(const skeleton_fit *f, const pairs *p, unsigned char *reached, double *costs, double *largest) {
	const bone_tree *tree = &f->tree;
	if (f->drawing.bone_count > 0) {
		memcpy(tree->parents, f->drawing.parents, p->count * sizeof *tree->parents);
	} else {
		span(p, tree->parents, reached, costs);
		put_in_order(p->count, tree->parents, tree->order);
		hang_from(find_base(p, tree, costs, largest), tree->parents);
	}
	put_in_order(p->count, tree->parents, tree->order);
}

/* Where the base turns: the middle of the body in all frames, as the base sees it. For a person that is the pelvis, even where
 * pelvis and chest are one bone. */
static void find_middle(const skeleton_fit *f, const pairs *p, uint32_t base, double middle[3]) {
	middle[0] = middle[1] = middle[2] = 0;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		const rigid *parts = f->parts + (size_t)frame * f->bone_count;
		double sum[3] = {0, 0, 0}, all = 0, inverse[12] = {0}, place[3]; /* motions are rigid, so they have inverses */
		for (uint32_t b = 0; b < p->count; b++) {
			const double weight = pow(p->areas[b], heavy);
			snw_mat34_point(parts[b].m, p->centres[b], place);
			all += weight;
			for (int c = 0; c < 3; c++) {
				sum[c] += weight * place[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			sum[c] /= all;
		}
		snw_mat34_invert(parts[base].m, inverse);
		snw_mat34_point(inverse, sum, place);
		for (int c = 0; c < 3; c++) {
			middle[c] += place[c] / f->frame_count;
		}
	}
}

static void copy_joints(const skeleton_fit *f, const pairs *p, int is_drawn, bone_tree *tree) {
	double middle[3];
	find_middle(f, p, tree->order[0], middle);
	for (uint32_t b = 0; b < p->count; b++) {
		const pair *between = tree->parents[b] == SNW_NONE ? NULL : pair_of(p, b, tree->parents[b]);
		memcpy(tree->pivots[b], between ? between->pivot : f->is_auto ? middle : p->centres[b], sizeof tree->pivots[b]);
		memcpy(tree->borders[b],
			   !between   ? tree->pivots[b]
			   : is_drawn ? between->pivot
						  : between->centroid,
			   sizeof tree->borders[b]);
		tree->spreads[b] = between ? between->spread : 0;
		tree->holds[b] = between ? fmax(between->hold, least_hold) : least_hold;
		tree->reaches[b] = 0;
		if (between) {
			const double apart = sqrt(snw_squared_distance3(p->centres[b], p->centres[tree->parents[b]]));
			tree->reaches[b] = fmax(border_reach * between->radius, bone_reach * apart);
		}
	}
}

snw_status find_tree(skeleton_fit *f) {
	const uint32_t count = f->bone_count;
	snw_pool scratch = snw_pool_open(f->host);
	pairs p = {.count = count,
			   .items = SNW_POOL_ARRAY(&scratch, pair, (size_t)count * count),
			   .borders = SNW_POOL_ARRAY(&scratch, double, count),
			   .areas = SNW_POOL_ARRAY(&scratch, double, count),
			   .bends = SNW_POOL_ARRAY(&scratch, double, count),
			   .centres = snw_pool_acquire(&scratch, count, 3 * sizeof(double))};
	uint32_t *sizes = SNW_POOL_ARRAY(&scratch, uint32_t, count);
	unsigned char *reached = SNW_POOL_ARRAY(&scratch, unsigned char, count);
	double *costs = SNW_POOL_ARRAY(&scratch, double, count), *largest = SNW_POOL_ARRAY(&scratch, double, count);
	f->tree = (bone_tree){.parents = SNW_POOL_ARRAY(&f->pool, uint32_t, count),
						  .order = SNW_POOL_ARRAY(&f->pool, uint32_t, count),
						  .pivots = snw_pool_acquire(&f->pool, count, 3 * sizeof(double)),
						  .borders = snw_pool_acquire(&f->pool, count, 3 * sizeof(double)),
						  .reaches = SNW_POOL_ARRAY(&f->pool, double, count),
						  .holds = SNW_POOL_ARRAY(&f->pool, double, count),
						  .spreads = SNW_POOL_ARRAY(&f->pool, double, count)};
	if (!scratch.failed && !f->pool.failed) {
		gather_centres(f, &p);
		if (f->is_auto) {
			gather_bends(f, &p, sizes);
		}
		gather_borders(f, &p);
		draw_joints(&f->drawing, &p);
		snk_ranges_run(f->host, count, 1, find_joints, (void *[]){f, &p});
		connect_bones(f, &p, reached, costs, largest);
		copy_joints(f, &p, f->drawing.bone_count > 0, &f->tree);
	}
	const int failed = scratch.failed || f->pool.failed;
	snw_pool_release(&scratch);
	return failed ? SNW_ERROR_MEMORY : SNW_OK;
}
