/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From many clusters to few: which of them are bones.
 *
 * A bone is stiff, moves against what it is joined to, and is joined to it at a narrow place. Two clusters count as two bones
 * the more, the more the union of both under one rigid motion would leave beyond what each bends, in proportion to what both
 * bend, and the more surface there is beyond the place where they are joined than a disc has whose edge is as long as their
 * border. That of a patch of a jacket, a skirt or a flag is at most 1, however much the patch flaps; that of a hand, a foot, a
 * head or a whole arm is several times as large. So clusters are united, those that count least first, until all that are left
 * count as bones.
 *
 * A cluster between two others that moves as a blend of theirs, such as a ring around a knee, is no bone either: weights will
 * blend it.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* From here on two clusters are two bones. */
static const double least_bone = 1.5;

/* Bending below this part of the diagonal is none. */
static const double precision = 2.5e-3;

/* A place with this many discs of surface beyond it is as narrow as any. */
static const double most_discs = 2.5;

/* How narrow the places count where a cluster is joined that moves as a blend of its neighbours. */
static const double blend_narrowness = 3;

/* The fewest clusters that tell cloth from a body; the points of a cluster that are looked at to find the nearest one. */
enum { FEWEST_CLUSTERS = 3, SAMPLES = 128, NEAREST = 4 };

typedef struct cluster {
	double rest[16]; /* Σ v̂ v̂ᵀ */
	double bend;     /* what one rigid motion leaves: mean square over points and frames */
	double area;
	double open;       /* length of the edges at which the surface ends */
	uint32_t between;  /* the neighbour that it joins if a blend moves it; SNW_NONE for none */
	double from_blend; /* how much it counts as a bone beside the best blend of two neighbours */
	int is_gone;
} cluster;

typedef struct merging {
	skeleton_fit *f;
	uint32_t count, parts; /* clusters at first, and at present */
	uint32_t *into;        /* [count]: which cluster each belongs to */
	cluster *clusters;
	double (*posed)[12];    /* [cluster][frame]: Σ v' v̂ᵀ */
	double *lengths;        /* [cluster][frame]: Σ |v'|² */
	rigid *motions;         /* [cluster][frame] */
	unsigned char *touches; /* [cluster][cluster] */
	double *borders;        /* [cluster][cluster]: lengths */
	double *moves;          /* [cluster][cluster]: how much they move against each other, in proportion to how much they bend */
	double *costs;          /* [cluster][cluster]: what uniting them adds to the squared error */
	double *narrow;         /* [cluster][cluster]: where the second is joined to the first, with all that hangs on the second */
	double area;            /* of all */
} merging;

static size_t at(const merging *m, uint32_t a, uint32_t b) {
	return (size_t)a * m->count + b;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

static void gather_points(const merging *m) {
	const skeleton_fit *f = m->f;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const uint32_t c = f->labels[i];
		const double *place = f->motion.points_rest + 3 * (size_t)i, v[4] = {place[0], place[1], place[2], 1};
		for (int k = 0; k < 16; k++) {
			m->clusters[c].rest[k] += v[k / 4] * v[k % 4];
		}
		for (uint32_t frame = 0; frame < f->frame_count; frame++) {
			const size_t n = (size_t)c * f->frame_count + frame;
			double target[3];
			frame_point(f, frame, i, target);
			m->lengths[n] += snw_dot3(target, target);
			for (int k = 0; k < 12; k++) {
				m->posed[n][k] += target[k / 4] * v[k % 4];
			}
		}
	}
}

/* The border of two labels goes from the middle of an edge that it crosses to the next. */
static void add_border(const merging *m, const uint32_t *corners, uint32_t count) {
	const uint32_t *labels = m->f->labels;
	const double *places = m->f->motion.points_rest;
	double centre[3] = {0, 0, 0};
	for (int pass = 0, crossings = 0; pass < 2; pass++) {
		for (uint32_t c = 0; c < count; c++) {
			const uint32_t i = corners[c], j = corners[c + 1 < count ? c + 1 : 0], a = labels[i], b = labels[j];
			if (a == b) {
				continue;
			}
			double middle[3];
			for (int k = 0; k < 3; k++) {
				middle[k] = (places[3 * (size_t)i + (size_t)k] + places[3 * (size_t)j + (size_t)k]) / 2;
				centre[k] += pass == 0 ? middle[k] : 0;
			}
			crossings += pass == 0;
			const double half = pass == 0 ? 0 : sqrt(snw_squared_distance3(middle, centre));
			m->borders[at(m, a, b)] += half;
			m->borders[at(m, b, a)] += half;
		}
		for (int k = 0; k < 3 && pass == 0 && crossings > 0; k++) {
			centre[k] /= crossings;
		}
	}
}

/* Areas, open edges, borders, and which clusters touch. */
static void gather_surface(merging *m) {
	const skeleton_fit *f = m->f;
	const snk_faces faces = snk_faces_of(f->body);
	for (uint32_t face = 0; face < faces.face_count; face++) {
		add_border(m, faces.points + faces.offsets[face], faces.offsets[face + 1] - faces.offsets[face]);
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		cluster *c = &m->clusters[f->labels[i]];
		c->area += f->areas[i];
		m->area += f->areas[i];
		for (uint32_t k = f->rings.offsets[i]; k < f->rings.offsets[i + 1]; k++) {
			const uint32_t other = f->rings.neighbours[k];
			const double *from = f->motion.points_rest + 3 * (size_t)i, *to = f->motion.points_rest + 3 * (size_t)other;
			c->open += f->rings.sides[k] == 1 ? sqrt(snw_squared_distance3(from, to)) / 2 : 0;
			m->touches[at(m, f->labels[i], f->labels[other])] |= f->labels[i] != f->labels[other];
		}
	}
}

/* ---- islands ------------------------------------------------------------------------------------------------------------- */

/* What no surface connects, such as a skirt, touches the nearest cluster of the rest. */

/* sides [count]: a number for each set of clusters that touch each other. Returns how many there are. */
static uint32_t flood_islands(const merging *m, uint32_t *islands, uint32_t *queue) {
	uint32_t count = 0;
	memset(islands, 0xff, m->count * sizeof *islands);
	for (uint32_t seed = 0; seed < m->count; seed++) {
		uint32_t begin = 0, end = 0;
		if (islands[seed] == SNW_NONE) {
			islands[seed] = count++;
			queue[end++] = seed;
		}
		while (begin < end) {
			const uint32_t a = queue[begin++];
			for (uint32_t b = 0; b < m->count; b++) {
				if (m->touches[at(m, a, b)] && islands[b] == SNW_NONE) {
					islands[b] = islands[a];
					queue[end++] = b;
				}
			}
		}
	}
	return count;
}

/* Some points of each cluster, at regular distances in the order of the points. */
static void sample_points(const merging *m, uint32_t *samples, uint32_t *sizes) {
	uint32_t *seen = sizes + m->count;
	memset(sizes, 0, 2 * (size_t)m->count * sizeof *sizes);
	for (uint32_t i = 0; i < m->f->motion.point_count; i++) {
		const uint32_t c = m->f->labels[i], every = (uint32_t)m->clusters[c].rest[15] / SAMPLES + 1;
		if (seen[c]++ % every == 0 && sizes[c] < SAMPLES) {
			samples[(size_t)c * SAMPLES + sizes[c]++] = i;
		}
	}
}

static double nearest_samples(const merging *m, const uint32_t *samples, const uint32_t *sizes, uint32_t a, uint32_t b) {
	const double *places = m->f->motion.points_rest;
	double least = HUGE_VAL;
	for (uint32_t i = 0; i < sizes[a]; i++) {
		for (uint32_t j = 0; j < sizes[b]; j++) {
			least = fmin(least, snw_squared_distance3(places + 3 * (size_t)samples[(size_t)a * SAMPLES + i],
													  places + 3 * (size_t)samples[(size_t)b * SAMPLES + j]));
		}
	}
	return least;
}

static void bridge(const merging *m, const uint32_t *islands, const double *apart) {
	uint32_t pair[2] = {0, 0};
	double least = HUGE_VAL;
	for (uint32_t a = 0; a < m->count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (islands[a] != islands[b] && apart[at(m, a, b)] < least) {
				least = apart[at(m, a, b)];
				pair[0] = b;
				pair[1] = a;
			}
		}
	}
	m->touches[at(m, pair[0], pair[1])] = m->touches[at(m, pair[1], pair[0])] = 1;
}

/* Points without faces have no borders: a cluster touches those nearest to it. */
static void touch_nearest(const merging *m, const double *apart) {
	for (uint32_t a = 0; a < m->count; a++) {
		for (int n = 0; n < NEAREST; n++) {
			uint32_t nearest = a;
			for (uint32_t b = 0; b < m->count; b++) {
				const double distance = apart[a > b ? at(m, a, b) : at(m, b, a)];
				const int is_nearer = nearest == a || distance < apart[a > nearest ? at(m, a, nearest) : at(m, nearest, a)];
				nearest = b != a && !m->touches[at(m, a, b)] && is_nearer ? b : nearest;
			}
			if (nearest != a) {
				m->touches[at(m, a, nearest)] = m->touches[at(m, nearest, a)] = 1;
			}
		}
	}
}

static snw_status connect_islands(const merging *m) {
	snw_pool pool = snw_pool_open(m->f->host);
	uint32_t *islands = SNW_POOL_ARRAY(&pool, uint32_t, m->count), *queue = SNW_POOL_ARRAY(&pool, uint32_t, m->count);
	uint32_t *samples = SNW_POOL_ARRAY(&pool, uint32_t, (size_t)SAMPLES * m->count);
	uint32_t *sizes = SNW_POOL_ARRAY(&pool, uint32_t, 2 * (size_t)m->count);
	double *apart = SNW_POOL_ARRAY(&pool, double, (size_t)m->count * m->count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status) && flood_islands(m, islands, queue) > 1) {
		sample_points(m, samples, sizes);
		for (uint32_t a = 0; a < m->count && !snk_failed(status); a++) {
			for (uint32_t b = 0; b < a; b++) {
				apart[at(m, a, b)] = islands[a] == islands[b] ? HUGE_VAL : nearest_samples(m, samples, sizes, a, b);
			}
			status = may_go_on(m->f) ? SNW_OK : SNW_CANCELLED;
		}
		if (m->f->body->face_count == 0) {
			touch_nearest(m, apart);
		}
		while (!snk_failed(status) && flood_islands(m, islands, queue) > 1) {
			bridge(m, islands, apart);
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- movement ------------------------------------------------------------------------------------------------------------ */

/* What a motion leaves of a cluster in a frame: Σ |T v − v'|². */
static double squares_left(const merging *m, uint32_t c, uint32_t frame, const rigid *t) {
	const size_t n = (size_t)c * m->f->frame_count + frame;
	double product[12] = {0}, squares = m->lengths[n];
	add_moment(t, m->clusters[c].rest, product);
	for (int k = 0; k < 12; k++) {
		squares += t->m[k] * (product[k] - 2 * m->posed[n][k]);
	}
	return fmax(squares, 0);
}

static double mean_of(const merging *m, uint32_t c, double squares) {
	return squares / m->f->frame_count / m->clusters[c].rest[15];
}

static void find_motion(const merging *m, uint32_t c) {
	cluster *of = &m->clusters[c];
	double squares = 0;
	for (uint32_t frame = 0; frame < m->f->frame_count; frame++) {
		const size_t n = (size_t)c * m->f->frame_count + frame;
		nearest_rigid(of->rest, m->posed[n], &m->motions[n]);
		squares += squares_left(m, c, frame, &m->motions[n]);
	}
	of->bend = mean_of(m, c, squares);
}

static double least_bend(const merging *m) {
	return precision * precision * m->f->diagonal * m->f->diagonal;
}

/* How much more one rigid motion of both leaves of the one of which it leaves more, in proportion to how much both bend. */
static void find_moves(const merging *m, uint32_t a, uint32_t b) {
	const cluster *first = &m->clusters[a], *second = &m->clusters[b];
	double rest[16], posed[12], squares[2] = {0, 0};
	for (int k = 0; k < 16; k++) {
		rest[k] = first->rest[k] + second->rest[k];
	}
	for (uint32_t frame = 0; frame < m->f->frame_count; frame++) {
		const double *mine = m->posed[(size_t)a * m->f->frame_count + frame],
					 *theirs = m->posed[(size_t)b * m->f->frame_count + frame];
		rigid motion;
		for (int k = 0; k < 12; k++) {
			posed[k] = mine[k] + theirs[k];
		}
		nearest_rigid(rest, posed, &motion);
		squares[0] += squares_left(m, a, frame, &motion);
		squares[1] += squares_left(m, b, frame, &motion);
	}
	m->costs[at(m, a, b)] = m->costs[at(m, b, a)] =
		squares[0] + squares[1] - m->f->frame_count * (first->bend * first->rest[15] + second->bend * second->rest[15]);
	const double more = fmax(mean_of(m, a, squares[0]) - first->bend, mean_of(m, b, squares[1]) - second->bend);
	m->moves[at(m, a, b)] = m->moves[at(m, b, a)] = sqrt(fmax(more, 0) / (first->bend + second->bend + least_bend(m)));
}

/* What the best blend of the motions of two clusters leaves of a third, with one weight for all its points: mean square. */
static double left_by_blend(const merging *m, uint32_t c, uint32_t a, uint32_t b) {
	const uint32_t frames = m->f->frame_count;
	double squares = 0, slope = 0, curve = 0; /* of the weight of b */
	for (uint32_t frame = 0; frame < frames; frame++) {
		const rigid *from = &m->motions[(size_t)a * frames + frame], *to = &m->motions[(size_t)b * frames + frame];
		const double *posed = m->posed[(size_t)c * frames + frame];
		rigid way;
		double product[12] = {0}, changed[12] = {0};
		for (int k = 0; k < 12; k++) {
			way.m[k] = to->m[k] - from->m[k];
		}
		add_moment(from, m->clusters[c].rest, product);
		add_moment(&way, m->clusters[c].rest, changed);
		squares += m->lengths[(size_t)c * frames + frame];
		for (int k = 0; k < 12; k++) {
			squares += from->m[k] * (product[k] - 2 * posed[k]);
			slope += way.m[k] * (product[k] - posed[k]);
			curve += way.m[k] * changed[k];
		}
	}
	const double weight = curve > 0 ? fmin(fmax(-slope / curve, 0), 1) : 0;
	return mean_of(m, c, fmax(squares + weight * (2 * slope + weight * curve), 0));
}

/* Beside the blend of two neighbours that leaves least, it joins the one against which it moves less. */
static void find_blend(const merging *m, uint32_t c) {
	cluster *of = &m->clusters[c];
	double least = HUGE_VAL;
	of->between = SNW_NONE;
	for (uint32_t a = 0; a < m->count; a++) {
		for (uint32_t b = 0; b < a && m->touches[at(m, c, a)]; b++) {
			const double left = m->touches[at(m, c, b)] ? left_by_blend(m, c, a, b) : HUGE_VAL;
			if (left < least) {
				least = left;
				of->between = m->moves[at(m, c, a)] < m->moves[at(m, c, b)] ? a : b;
			}
		}
	}
	of->from_blend = blend_narrowness * sqrt(fmax(least - of->bend, 0) / (of->bend + least_bend(m)));
}

static void SNW_CALL find_motions(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t c = begin; c < end; c++) {
		find_motion(argument, c);
	}
}

static void SNW_CALL find_all_moves(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const merging *m = argument;
	for (uint32_t a = begin; a < end; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (m->touches[at(m, a, b)]) {
				find_moves(m, a, b);
			}
		}
	}
}

static void SNW_CALL find_blends(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t c = begin; c < end; c++) {
		find_blend(argument, c);
	}
}

/* ---- narrow places ------------------------------------------------------------------------------------------------------- */

/* One side of a cluster: all clusters that a path connects which does not cross that cluster. */
typedef struct side {
	uint32_t count;
	double area, border, open;
} side;

static side flood_side(const merging *m, uint32_t around, uint32_t seed, unsigned char *seen, uint32_t *members) {
	side s = {.count = 1};
	members[0] = seed;
	seen[seed] = 1;
	for (uint32_t n = 0; n < s.count; n++) {
		const uint32_t a = members[n];
		s.area += m->clusters[a].area;
		s.open += m->clusters[a].open;
		s.border += m->borders[at(m, around, a)];
		for (uint32_t b = 0; b < m->count; b++) {
			if (m->touches[at(m, a, b)] && !seen[b]) {
				seen[b] = 1;
				members[s.count++] = b;
			}
		}
	}
	return s;
}

/* The square of the area of the smaller of the side and the rest, in discs with as long an edge. */
static double narrowness(const merging *m, const side *s, double open) {
	const double rest = m->area - s->area, area = fmin(s->area, rest);
	const double edge = s->border + (s->area < rest ? s->open : open - s->open);
	const double discs = edge > 0 ? fmin(4 * M_PI * area / (edge * edge), most_discs) : 1;
	return discs * discs;
}

static void find_narrow_places(const merging *m, unsigned char *seen, uint32_t *members) {
	double open = 0;
	for (uint32_t c = 0; c < m->count; c++) {
		open += m->clusters[c].is_gone ? 0 : m->clusters[c].open;
	}
	for (uint32_t around = 0; around < m->count; around++) {
		for (uint32_t c = 0; c < m->count; c++) {
			seen[c] = (unsigned char)(m->clusters[c].is_gone || c == around);
		}
		for (uint32_t c = 0; c < m->count && !m->clusters[around].is_gone; c++) {
			if (!seen[c]) {
				const side s = flood_side(m, around, c, seen, members);
				const double narrow = narrowness(m, &s, open);
				for (uint32_t n = 0; n < s.count; n++) {
					m->narrow[at(m, around, members[n])] = narrow;
				}
			}
		}
	}
}

/* ---- merging ------------------------------------------------------------------------------------------------------------- */

/* The two that count least as two bones, and how much they do. */
static double find_least(const merging *m, uint32_t pair[2]) {
	double least = HUGE_VAL;
	for (uint32_t a = 0; a < m->count; a++) {
		const cluster *c = &m->clusters[a];
		for (uint32_t b = 0; b < a && !c->is_gone; b++) {
			const double count = m->touches[at(m, a, b)]
									 ? m->moves[at(m, a, b)] * fmax(m->narrow[at(m, a, b)], m->narrow[at(m, b, a)])
									 : HUGE_VAL;
			if (count < least) {
				least = count;
				pair[0] = b;
				pair[1] = a;
			}
		}
		if (!c->is_gone && c->between != SNW_NONE && c->from_blend < least) {
			least = c->from_blend;
			pair[0] = c->between;
			pair[1] = a;
		}
	}
	return least;
}

/* The two whose union adds least to the error. */
static double find_cheapest(const merging *m, uint32_t pair[2]) {
	double least = HUGE_VAL;
	for (uint32_t a = 0; a < m->count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (m->touches[at(m, a, b)] && m->costs[at(m, a, b)] < least) {
				least = m->costs[at(m, a, b)];
				pair[0] = b;
				pair[1] = a;
			}
		}
	}
	return least;
}

static void add_sums(const merging *m, uint32_t into, uint32_t gone) {
	const uint32_t frames = m->f->frame_count;
	cluster *to = &m->clusters[into], *from = &m->clusters[gone];
	for (int k = 0; k < 16; k++) {
		to->rest[k] += from->rest[k];
	}
	for (uint32_t frame = 0; frame < frames; frame++) {
		const size_t t = (size_t)into * frames + frame, s = (size_t)gone * frames + frame;
		m->lengths[t] += m->lengths[s];
		for (int k = 0; k < 12; k++) {
			m->posed[t][k] += m->posed[s][k];
		}
	}
	to->area += from->area;
	to->open += from->open;
	from->is_gone = 1;
}

static void join(const merging *m, uint32_t into, uint32_t gone) {
	add_sums(m, into, gone);
	find_motion(m, into);
	for (uint32_t c = 0; c < m->count; c++) {
		const int touches = c != into && (m->touches[at(m, into, c)] || m->touches[at(m, gone, c)]);
		m->touches[at(m, into, c)] = m->touches[at(m, c, into)] = (unsigned char)touches;
		m->touches[at(m, gone, c)] = m->touches[at(m, c, gone)] = 0;
		m->borders[at(m, into, c)] += m->borders[at(m, gone, c)];
		m->borders[at(m, c, into)] = m->borders[at(m, into, c)];
		if (touches && c != gone) {
			find_moves(m, into, c);
		}
	}
	m->touches[at(m, into, gone)] = m->touches[at(m, gone, into)] = 0;
	for (uint32_t c = 0; c < m->count; c++) {
		if (c == into || m->touches[at(m, into, c)]) {
			find_blend(m, c);
		}
	}
}

static void unite(merging *m, const uint32_t pair[2]) {
	join(m, pair[0], pair[1]);
	for (uint32_t c = 0; c < m->count; c++) {
		m->into[c] = m->into[c] == pair[1] ? pair[0] : m->into[c];
	}
	m->parts--;
}

/* Until all that are left are bones. */
static snw_status unite_what_is_no_bone(merging *m) {
	snw_pool pool = snw_pool_open(m->f->host);
	unsigned char *seen = SNW_POOL_ARRAY(&pool, unsigned char, m->count);
	uint32_t *members = SNW_POOL_ARRAY(&pool, uint32_t, m->count), pair[2] = {0, 0};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	while (!snk_failed(status) && m->parts > 1) {
		find_narrow_places(m, seen, members);
		if (find_least(m, pair) >= least_bone) {
			break;
		}
		unite(m, pair);
		status = may_go_on(m->f) ? SNW_OK : SNW_CANCELLED;
	}
	snw_pool_release(&pool);
	return status;
}

static snw_status unite_cheapest(merging *m, uint32_t wanted) {
	uint32_t pair[2] = {0, 0};
	while (m->parts > wanted && find_cheapest(m, pair) < HUGE_VAL) {
		unite(m, pair);
		if (!may_go_on(m->f)) {
			return SNW_CANCELLED;
		}
	}
	return SNW_OK;
}

static snw_status open_merging(skeleton_fit *f, snw_pool *pool, merging *m) {
	const uint32_t count = f->bone_count;
	const size_t frames = (size_t)count * f->frame_count, pairs = (size_t)count * count;
	*m = (merging){.f = f,
				   .count = count,
				   .parts = count,
				   .into = SNW_POOL_ARRAY(pool, uint32_t, count),
				   .clusters = SNW_POOL_ARRAY(pool, cluster, count),
				   .posed = snw_pool_acquire(pool, frames, sizeof *m->posed),
				   .lengths = SNW_POOL_ARRAY(pool, double, frames),
				   .motions = SNW_POOL_ARRAY(pool, rigid, frames),
				   .touches = SNW_POOL_ARRAY(pool, unsigned char, pairs),
				   .borders = SNW_POOL_ARRAY(pool, double, pairs),
				   .moves = SNW_POOL_ARRAY(pool, double, pairs),
				   .costs = SNW_POOL_ARRAY(pool, double, pairs),
				   .narrow = SNW_POOL_ARRAY(pool, double, pairs)};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t c = 0; c < count; c++) {
		m->into[c] = c;
	}
	gather_points(m);
	gather_surface(m);
	snw_status status = connect_islands(m);
	status = snk_failed(status) ? status : run_in_slabs(f, count, 1, find_motions, m);
	status = snk_failed(status) ? status : run_in_slabs(f, count, 1, find_all_moves, m);
	return snk_failed(status) ? status : run_in_slabs(f, count, 1, find_blends, m);
}

/* ---- how many ------------------------------------------------------------------------------------------------------------ */

/* SNW_ERROR_DATA, with words: where one part is left, there is nothing that moves against another as a bone does. */
static snw_status refuse(const merging *m) {
	const skeleton_fit *f = m->f;
	for (uint32_t c = 0; c < m->count; c++) {
		if (!m->clusters[c].is_gone && m->clusters[c].bend < least_bend(m)) {
			return snw_report_fail(f->host, SNW_ERROR_DATA,
								   "the mesh moves as one rigid body, so there is no skeleton to find");
		}
	}
	return snw_report_fail(
		f->host, SNW_ERROR_DATA,
		"there is no skeleton to find: the mesh bends everywhere, as cloth does; use 'sinew fit sad' for a skin without "
		"bones, or --bones N for N bones whose places are arbitrary");
}

/* Too few clusters cannot tell. */
static void warn_of_cloth(const merging *m, uint32_t wanted) {
	if (m->parts == 1 && m->count >= FEWEST_CLUSTERS && wanted > 1) {
		snw_report_line(
			m->f->host, SNW_LOG_WARNING,
			"the mesh bends everywhere, as cloth does, so where these %u bones are is arbitrary; 'sinew fit sad' makes "
			"a skin without bones",
			wanted);
	}
}

static void relabel(const merging *m, uint32_t *numbers) {
	skeleton_fit *f = m->f;
	f->bone_count = 0;
	for (uint32_t c = 0; c < m->count; c++) {
		numbers[c] = m->into[c] == c ? f->bone_count++ : SNW_NONE;
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		f->labels[i] = numbers[m->into[f->labels[i]]];
	}
}

snw_status merge_labels(skeleton_fit *f, uint32_t wanted) {
	merging m;
	snw_pool pool = snw_pool_open(f->host);
	uint32_t *numbers = SNW_POOL_ARRAY(&pool, uint32_t, f->bone_count);
	snw_status status = open_merging(f, &pool, &m);
	status = snk_failed(status) ? status : unite_what_is_no_bone(&m);
	if (!snk_failed(status) && wanted == BONES_AUTO) {
		status = m.parts == 1 ? refuse(&m) : SNW_OK;
	} else if (!snk_failed(status)) {
		warn_of_cloth(&m, wanted);
		status = open_merging(f, &pool, &m);
		status = snk_failed(status) ? status : unite_cheapest(&m, wanted);
	}
	if (!snk_failed(status)) {
		relabel(&m, numbers);
	}
	snw_pool_release(&pool);
	return status;
}
