/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C: the proxies' transforms from key gradients and joints (section 4.3). The sum that the Poisson equation makes least, with
 * its pull toward the learned blend, is quadratic in the transforms, and its right side is linear in z, so C is the solution
 * for each number of z.
 *
 * Transforms are solved for about the centre of each proxy's points. Then each proxy drops the key gradients and joints that
 * hardly move its points, and adds their part to the strongest that it uses: sums over all gradients, and over all joints, stay
 * as they were, so the whole follows a rigid motion of all joints exactly. With soft anchors what is left is then fitted to the
 * samples (refit.c).
 */
#include <math.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

enum { MOST_ENTRIES = 8 * MOST_INFLUENCES };

/* The least pull: with fixed anchors, proxies of fixed points alone would be undetermined. */
static const double weak_pull = 1e-4;

/* A proxy drops what moves its points by less than this part of the diagonal, if a gradient changes by 1 or a joint by a
 * quarter of the diagonal. By choices of ANCHORS: the fit to the samples makes up for more than the Poisson equation alone can
 * spare. */
static const double negligible[ANCHOR_KINDS] = {4e-4, 1e-4};
static const double joint_reach = 0.25;

/* A row of coefficients of the transforms. */
typedef struct row {
	uint32_t count;
	uint32_t at[MOST_ENTRIES];
	double values[MOST_ENTRIES];
} row;

/* The position of a point: `sign` times its blend of transforms. */
static void add_point(const proxy_system *s, uint32_t point, double sign, row *dest) {
	const snk_influences *all = &s->r->influences;
	for (uint32_t k = all->offsets[point]; k < all->offsets[point + 1]; k++) {
		const uint32_t proxy = all->joints[k];
		for (uint32_t c = 0; c < 4; c++) {
			const double v = c < 3 ? s->f->mesh->points_rest[3 * (size_t)point + c] - s->centres[proxy][c] : 1;
			dest->at[dest->count] = 4 * proxy + c;
			dest->values[dest->count++] = sign * all->weights[k] * v;
		}
	}
}

static void add_square(const proxy_system *s, double weight, const row *r) {
	for (uint32_t a = 0; a < r->count; a++) {
		double *matrix = s->matrix + r->at[a] * s->n;
		for (uint32_t b = 0; b < r->count; b++) {
			matrix[r->at[b]] += weight * r->values[a] * r->values[b];
		}
	}
}

/* Adds `factor` times number `input` of z to what a row should be. */
static void add_input(const proxy_system *s, size_t input, double factor, const row *r) {
	double *rights = s->rights + input * s->n;
	for (uint32_t a = 0; a < r->count; a++) {
		rights[r->at[a]] += factor * r->values[a];
	}
}

/* The same for the place of a point under a blend, as it is seen from a part of the skeleton: a joint that no sample moves is
 * known to the points that keep its slot, and must not pull at others. */
static void add_skin(const proxy_system *s, const snk_base_skin_mesh *skin, uint32_t point, uint32_t part, double factor,
					 const row *r) {
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		const size_t slot = slot_within(s->f, skin->slots[k], part);
		for (size_t c = 0; c < 4; c++) {
			const double v = c < 3 ? s->f->mesh->points_rest[3 * (size_t)point + c] : 1;
			add_input(s, s->key_inputs + 4 * slot + c, factor * skin->weights[k] * v, r);
		}
	}
}

/* The same for what of the point is known without proxies: a fixed one is the learned blend. */
static void add_known(const proxy_system *s, uint32_t point, uint32_t part, double factor, const row *r) {
	add_skin(s, s->f->is_fixed[point] ? &s->f->dest->skin : &s->f->kept, point, part, factor, r);
}

static void add_edge(const proxy_system *s, uint32_t triangle, uint32_t a, uint32_t b, double weight) {
	const mesh_fit *f = s->f;
	const reduction *r = s->r;
	row edge = {.count = 0};
	if (f->is_fixed[a] && f->is_fixed[b]) {
		return;
	}
	if (!f->is_fixed[b]) {
		add_point(s, b, 1, &edge);
	}
	if (!f->is_fixed[a]) {
		add_point(s, a, -1, &edge);
	}
	add_square(s, weight, &edge);
	for (uint32_t k = 0; k < r->key_counts[triangle]; k++) {
		for (size_t c = 0; c < 3; c++) {
			const double v = f->mesh->points_rest[3 * (size_t)b + c] - f->mesh->points_rest[3 * (size_t)a + c];
			add_input(s, 3 * (size_t)r->keys[triangle][k] + c, weight * r->key_weights[triangle][k] * v, &edge);
		}
	}
	const uint32_t part = f->parts[f->is_fixed[a] ? b : a];
	add_known(s, a, part, weight, &edge);
	add_known(s, b, part, -weight, &edge);
}

static void sum_system(const proxy_system *s) {
	const mesh_fit *f = s->f;
	for (uint32_t t = 0; t < f->triangles.face_count; t++) {
		const uint32_t *corners = f->triangles.points + 3 * (size_t)t;
		for (uint32_t e = 0; s->r->key_counts[t] > 0 && e < 3; e++) {
			if (f->edge_weights[3 * (size_t)t + e] > 0) {
				add_edge(s, t, corners[e], corners[(e + 1) % 3], f->edge_weights[3 * (size_t)t + e]);
			}
		}
	}
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		row point = {.count = 0};
		add_point(s, i, 1, &point);
		const double pull = fmax(f->pulls[i], weak_pull);
		add_square(s, pull, &point);
		add_skin(s, &f->dest->skin, i, f->parts[i], pull, &point);
		add_skin(s, &f->kept, i, f->parts[i], -pull, &point);
	}
	/* Flat proxies: a part of what their points weigh, for the directions that these do not determine. */
	for (size_t proxy = 0; proxy < s->r->count; proxy++) {
		double most = 0;
		for (size_t c = 0; c < 3; c++) {
			most = fmax(most, s->matrix[(4 * proxy + c) * (s->n + 1)]);
		}
		const double ridge = 1e-3 * most + 1e-12 * f->diagonal * f->diagonal;
		for (size_t c = 0; c < 3; c++) {
			const row axis = {.count = 1, .at = {(uint32_t)(4 * proxy + c)}, .values = {1}};
			add_square(s, ridge, &axis);
			add_input(s, 3 * proxy + c, ridge, &axis);
		}
	}
}

/* ---- dropping ------------------------------------------------------------------------------------------------------------ */

/* How far a key or a slot moves a proxy's points. `width` 3 or 4: of the inputs from `first` on. */
static double effect_of(const proxy_system *s, uint32_t proxy, size_t first, size_t width) {
	double sum = 0;
	for (size_t i = 0; i < 4; i++) {
		const double reach = i < 3 ? s->radii[proxy] : 1;
		const double *coefficients = s->rights + first * s->n + 4 * proxy + i;
		const double translation = width == 4 ? coefficients[3 * s->n] : 0;
		sum += reach * reach * pow(joint_reach * s->f->diagonal * translation, 2);
		for (size_t c = 0; c < 3; c++) {
			sum += pow(reach * (coefficients[c * s->n] + s->centres[proxy][c] * -translation), 2);
		}
	}
	return sqrt(sum);
}

static void add_block(const proxy_system *s, uint32_t proxy, size_t from, size_t to, size_t width) {
	for (size_t c = 0; c < width; c++) {
		for (size_t i = 0; i < 4; i++) {
			double *dropped = s->rights + (from + c) * s->n + 4 * proxy + i;
			s->rights[(to + c) * s->n + 4 * proxy + i] += *dropped;
			*dropped = 0;
		}
	}
}

/* Marks the inputs from `first` to `end` that a proxy uses; the others are added to the strongest, which is returned. */
static size_t drop_weak(const proxy_system *s, uint32_t proxy, size_t first, size_t end, size_t width) {
	unsigned char *selected = s->selected + proxy * input_count(s);
	size_t strongest = first;
	double most = -1;
	for (size_t at = first; at < end; at += width) {
		const double effect = effect_of(s, proxy, at, width);
		selected[at] = effect > negligible[s->f->model->anchors] * s->f->diagonal;
		if (effect > most) {
			most = effect;
			strongest = at;
		}
	}
	selected[strongest] = 1;
	for (size_t at = first; at < end; at += width) {
		if (!selected[at]) {
			add_block(s, proxy, at, strongest, width);
		}
		memset(selected + at, selected[at], width);
	}
	return strongest;
}

static void drop_all_weak(const proxy_system *s) {
	for (uint32_t k = 0; k < s->r->count; k++) {
		s->strongest[k] = drop_weak(s, k, 0, s->key_inputs, 3);
		drop_weak(s, k, s->key_inputs, input_count(s), 4);
	}
}

/* ---- C ------------------------------------------------------------------------------------------------------------------- */

typedef struct rows_in_progress {
	uint32_t *offsets, *columns;
	double *values;
	uint32_t row_count;
} rows_in_progress;

/* The four columns of a proxy's matrix: those of its linear part, then what is left of its centre's image. */
static void write_proxy(const proxy_system *s, uint32_t proxy, const unsigned char *selected, rows_in_progress *rows) {
	const double *centre = s->centres[proxy];
	for (size_t c = 0; c < 4; c++) {
		uint32_t at = rows->offsets[rows->row_count];
		for (size_t input = 0; input < s->key_inputs + s->slot_inputs; input++) {
			if (selected[input]) {
				const double *t = s->rights + input * s->n + 4 * (size_t)proxy;
				rows->columns[at] = (uint32_t)input;
				rows->values[at++] = c < 3 ? t[c] : t[3] - snw_dot3(centre, t);
			}
		}
		rows->offsets[++rows->row_count] = at;
	}
}

/* The character's slots as they are. */
static void write_slots(const proxy_system *s, rows_in_progress *rows) {
	for (size_t input = s->key_inputs; input < s->key_inputs + s->slot_inputs; input++) {
		const uint32_t at = rows->offsets[rows->row_count];
		rows->columns[at] = (uint32_t)input;
		rows->values[at] = 1;
		rows->offsets[++rows->row_count] = at + 1;
	}
}

snw_status append_slots(const mesh_fit *f, snw_pool *pool) {
	regressed_mesh *dest = f->dest;
	const snw_sparse_rows *from = &dest->rows;
	const uint32_t entries = from->offsets[from->row_count], slot_inputs = 4 * f->model->slot_count;
	if (dest->slot_count > dest->predictor_count) {
		return SNW_OK;
	}
	const proxy_system s = {.f = f, .key_inputs = 3 * (size_t)dest->predictor_count, .slot_inputs = slot_inputs};
	rows_in_progress rows = {.offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)from->row_count + slot_inputs + 1),
							 .columns = SNW_POOL_ARRAY(pool, uint32_t, (size_t)entries + slot_inputs),
							 .values = SNW_POOL_ARRAY(pool, double, (size_t)entries + slot_inputs),
							 .row_count = from->row_count};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(rows.offsets, from->offsets, ((size_t)from->row_count + 1) * sizeof *rows.offsets);
	memcpy(rows.columns, from->columns, entries * sizeof *rows.columns);
	memcpy(rows.values, from->values, entries * sizeof *rows.values);
	write_slots(&s, &rows);
	dest->slot_count += f->model->slot_count;
	dest->rows = (snw_sparse_rows){rows.row_count, from->column_count, rows.offsets, rows.columns, rows.values};
	return SNW_OK;
}

/* Whether any point follows slots of the character. */
static int uses_slots(const mesh_fit *f) {
	int found = f->kept.offsets[f->mesh->point_count] > 0;
	for (uint32_t i = 0; i < f->mesh->point_count && !found; i++) {
		found = f->is_fixed[i];
	}
	return found;
}

static snw_status write_rows(const proxy_system *s, snw_pool *pool) {
	regressed_mesh *dest = s->f->dest;
	const int fixes = uses_slots(s->f);
	const size_t inputs = input_count(s);
	size_t entries = fixes ? s->slot_inputs : 0;
	for (size_t i = 0; i < inputs * s->r->count; i++) {
		entries += 4 * (size_t)s->selected[i];
	}
	const uint32_t count = (uint32_t)s->n + (fixes ? (uint32_t)s->slot_inputs : 0);
	rows_in_progress rows = {.offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)count + 1),
							 .columns = SNW_POOL_ARRAY(pool, uint32_t, entries),
							 .values = SNW_POOL_ARRAY(pool, double, entries)};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < s->r->count; k++) {
		write_proxy(s, k, s->selected + k * inputs, &rows);
	}
	if (fixes) {
		write_slots(s, &rows);
	}
	dest->slot_count = count / 4;
	dest->rows = (snw_sparse_rows){count, (uint32_t)inputs, rows.offsets, rows.columns, rows.values};
	return SNW_OK;
}

/* Points follow their proxies, fixed ones their slots, and some both. */
static snw_status copy_influences(const proxy_system *s, snw_pool *pool) {
	const mesh_fit *f = s->f;
	const snk_influences *all = &s->r->influences;
	const uint32_t points = f->mesh->point_count;
	const size_t most = (size_t)all->offsets[points] + f->dest->skin.offsets[points] + f->kept.offsets[points];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, most);
	double *weights = SNW_POOL_ARRAY(pool, double, most);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t at = 0;
	for (uint32_t i = 0; i < points; i++) {
		const snk_base_skin_mesh *known = f->is_fixed[i] ? &f->dest->skin : &f->kept;
		for (uint32_t k = all->offsets[i]; !f->is_fixed[i] && k < all->offsets[i + 1]; k++) {
			slots[at] = all->joints[k];
			weights[at++] = all->weights[k];
		}
		for (uint32_t k = known->offsets[i]; k < known->offsets[i + 1]; k++) {
			slots[at] = s->r->count + known->slots[k];
			weights[at++] = known->weights[k];
		}
		offsets[i + 1] = at;
	}
	f->dest->proxies = (snk_base_skin_mesh){points, offsets, slots, weights};
	return SNW_OK;
}

/* The mean of each proxy's points, and how far they are from it. */
static void find_centres(const proxy_system *s, double *sums) {
	const snk_influences *all = &s->r->influences;
	const double *rest = s->f->mesh->points_rest;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < all->point_count; i++) {
			for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
				const uint32_t proxy = all->joints[k];
				const double weight = all->weights[k];
				if (pass) {
					s->radii[proxy] += weight * snw_squared_distance3(rest + 3 * (size_t)i, s->centres[proxy]);
					continue;
				}
				sums[proxy] += weight;
				for (size_t c = 0; c < 3; c++) {
					s->centres[proxy][c] += weight * rest[3 * (size_t)i + c];
				}
			}
		}
		for (uint32_t proxy = 0; proxy < s->r->count; proxy++) {
			const double weight = fmax(sums[proxy], 1e-300);
			for (size_t c = 0; !pass && c < 3; c++) {
				s->centres[proxy][c] /= weight;
			}
			s->radii[proxy] = pass ? sqrt(s->radii[proxy] / weight) : 0;
		}
	}
}

snw_status combine(const mesh_fit *f, const reduction *r, snw_pool *pool) {
	snw_pool scratch = snw_pool_open(f->host);
	proxy_system s = {.f = f, .r = r, .n = 4 * (size_t)r->count, .key_inputs = 3 * (size_t)r->count};
	s.slot_inputs = 4 * (size_t)f->model->slot_count;
	s.centres = snw_pool_acquire(&scratch, r->count, sizeof *s.centres);
	s.radii = SNW_POOL_ARRAY(&scratch, double, r->count);
	s.matrix = SNW_POOL_ARRAY(&scratch, double, s.n *s.n);
	s.rights = SNW_POOL_ARRAY(&scratch, double, (s.key_inputs + s.slot_inputs) * s.n);
	s.selected = SNW_POOL_ARRAY(&scratch, unsigned char, input_count(&s) * r->count);
	s.strongest = SNW_POOL_ARRAY(&scratch, size_t, r->count);
	double *sums = SNW_POOL_ARRAY(&scratch, double, r->count);
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	snk_factor factor = {0};
	if (!snk_failed(status)) {
		find_centres(&s, sums);
		sum_system(&s);
		status = snk_factor_dense(f->host, (uint32_t)s.n, s.matrix, NULL, &factor);
	}
	status = snk_failed(status) ? status : snk_factor_solve(&factor, (uint32_t)(s.key_inputs + s.slot_inputs), s.rights);
	if (!snk_failed(status)) {
		drop_all_weak(&s);
		status = f->model->anchors == ANCHORS_SOFT ? refit(&s) : SNW_OK;
	}
	status = snk_failed(status) ? status : write_rows(&s, pool);
	status = snk_failed(status) ? status : copy_influences(&s, pool);
	snk_factor_release(&factor);
	snw_pool_release(&scratch);
	return status;
}
