/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C again, from the samples: proxy by proxy, the coefficients of its key gradients that bring its points nearest to what the
 * samples have there, with a ridge to the Poisson equation's. Predicted gradients are wrong alike in like poses, and the
 * equation spreads their errors along the surface; this takes back what the samples say about both. The keys are predictions of
 * regressions of shear that have not seen the sample, so that none is trusted because it was fitted to it.
 *
 * Only differences count, between a key and the strongest of the proxy. They are 0 wherever all gradients are equal, so rest
 * and rigid motions stay exact. What moves is a transform's linear part and the place of its centre: for coefficients ΔC of
 * differences F, the points' moments M and the sums B of what is left of them, M ΔC (F Fᵀ + ridge) = B Fᵀ.
 *
 * How much samples say depends on how many there are and how many joints move in them. So the ridge is chosen by
 * cross-validation: C is fitted without a fold of the samples, and compared with them as the model will run, with what its own
 * predictors make of the keys. If no ridge is better there than the Poisson equation's C, that one stays.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- ridge --------------------------------------------------------------------------------------------------------------- */

/* Over the columns that count. */
static double dot(const ridge_equation *e, const double *a, const double *b) {
	double sum = 0;
	for (size_t x = 0; x < e->width; x++) {
		sum += e->counts[x] * a[x] * b[x];
	}
	return sum;
}

/* The lower half of F Fᵀ, and B Fᵀ, transposed. */
static void make_system_of_features(const ridge_equation *e) {
	for (size_t a = 0; a < e->feature_count; a++) {
		const double *features = e->features + a * e->width;
		for (size_t b = 0; b <= a; b++) {
			e->gram[a * e->feature_count + b] = dot(e, features, e->features + b * e->width);
		}
		for (size_t i = 0; i < 4; i++) {
			e->right[4 * a + i] = dot(e, e->sums + i * e->width, features);
		}
	}
}

/* The lower half of Fᵀ F, and B, transposed; 0 for columns that are left out. */
static void make_system_of_columns(const ridge_equation *e) {
	memset(e->gram, 0, e->width * e->width * sizeof *e->gram);
	for (size_t x = 0; x < e->width; x++) {
		for (size_t a = 0; e->counts[x] != 0 && a < e->feature_count; a++) {
			const double *features = e->features + a * e->width;
			for (size_t y = 0; y <= x; y++) {
				e->gram[x * e->width + y] += e->counts[y] * features[x] * features[y];
			}
		}
		for (size_t i = 0; i < 4; i++) {
			e->right[4 * x + i] = e->counts[x] * e->sums[i * e->width + x];
		}
	}
}

/* What the system gives, [4][order], behind its right sides. */
static snw_status solve_system(const snw_host *host, const ridge_equation *e, size_t order, const double moments[16]) {
	double *found = e->right + 4 * order;
	snk_factor rows = {0}, columns = {0};
	for (size_t a = 0; a < order; a++) {
		for (size_t b = 0; b < a; b++) {
			e->gram[b * order + a] = e->gram[a * order + b];
		}
		e->gram[a * order + a] += e->ridge;
	}
	snw_status status = snk_factor_dense(host, 4, moments, NULL, &rows);
	status = snk_failed(status) ? status : snk_factor_solve(&rows, (uint32_t)order, e->right);
	for (size_t n = 0; !snk_failed(status) && n < 4 * order; n++) {
		found[n] = e->right[4 * (n % order) + n / order];
	}
	status = snk_failed(status) ? status : snk_factor_dense(host, (uint32_t)order, e->gram, NULL, &columns);
	status = snk_failed(status) ? status : snk_factor_solve(&columns, 4, found);
	snk_factor_release(&rows);
	snk_factor_release(&columns);
	return status;
}

snw_status solve_ridge(const snw_host *host, const ridge_equation *e, const double moments[16], double *solution) {
	const bool by_column = e->width < e->feature_count;
	const size_t order = by_column ? e->width : e->feature_count;
	if (by_column) {
		make_system_of_columns(e);
	} else {
		make_system_of_features(e);
	}
	const snw_status status = solve_system(host, e, order, moments);
	const double *found = e->right + 4 * order;
	for (size_t n = 0; !snk_failed(status) && n < 4 * e->feature_count; n++) {
		const size_t i = n / e->feature_count, a = n % e->feature_count;
		solution[n] = by_column ? dot(e, found + i * e->width, e->features + a * e->width) : found[n];
	}
	return status;
}

/* ---- refit --------------------------------------------------------------------------------------------------------------- */

enum { ROUNDS = 2, MOST_SAMPLES = 240 /* spread over all */, RIDGES = 4, NO_FOLD = FOLDS };

/* Per sample, against coefficients of differences between gradients. */
static const double ridges[RIDGES] = {1, 0.1, 0.01, 1e-3};

/* Squared errors that differ by less are alike. */
static const double nearly = 1.02;

/* Against a proxy's linear part, as a part of its size. */
static const double flatness = 1e-2;

typedef struct refitting {
	const proxy_system *s;
	size_t stride, sample_count, width; /* width: 3 a sample */
	uint32_t *offsets, *points;         /* of each proxy: [proxies + 1], [influences] */
	double *weights;                    /* [influences] */
	float *residuals;                   /* [point_count][width] */
	double *played;                     /* [sample_count][3 key inputs]: keys by the model's predictors */
	int is_played;                      /* whether these are the keys */
	double ridge;
	double *is_fitted;     /* [width]: 1, or 0 where held out */
	size_t fitted_count;   /* samples */
	size_t feature_count;  /* of one proxy: */
	size_t *features;      /* their inputs */
	double *values;        /* [features][width] */
	double *gram, *right;  /* scratch of the equation */
	double *deltas;        /* [4][features]: ΔC */
	double *sums, *change; /* [4][width] */
} refitting;

/* ---- what is left -------------------------------------------------------------------------------------------------------- */

static double z_at(const refitting *r, size_t input, size_t sample, size_t row) {
	const proxy_system *s = r->s;
	if (input < s->key_inputs && r->is_played) {
		return r->played[3 * (sample * s->key_inputs + input) + row];
	}
	if (input < s->key_inputs) {
		return s->r->gradients[input / 3 * s->f->sample_count + sample * r->stride][3 * row + input % 3];
	}
	const size_t slot = input - s->key_inputs;
	return s->f->samples[sample * r->stride].pose->palette[12 * (slot / 4) + 4 * row + slot % 4];
}

/* [proxies][3][4], about the centres. */
static void find_transforms(const refitting *r, size_t sample, double *transforms) {
	const proxy_system *s = r->s;
	memset(transforms, 0, 3 * s->n * sizeof *transforms);
	for (size_t k = 0; k < s->r->count; k++) {
		for (size_t input = 0; input < input_count(s); input++) {
			for (size_t row = 0; s->selected[k * input_count(s) + input] && row < 3; row++) {
				const double z = z_at(r, input, sample, row);
				for (size_t i = 0; i < 4; i++) {
					transforms[12 * k + 4 * row + i] += s->rights[input * s->n + 4 * k + i] * z;
				}
			}
		}
	}
}

/* A point about a proxy's centre, and 1. */
static void place_point(const proxy_system *s, size_t proxy, uint32_t point, double v[4]) {
	for (size_t c = 0; c < 3; c++) {
		v[c] = s->f->mesh->points_rest[3 * (size_t)point + c] - s->centres[proxy][c];
	}
	v[3] = 1;
}

static void find_residuals(const refitting *r, size_t sample, const double *transforms) {
	const proxy_system *s = r->s;
	const snk_influences *all = &s->r->influences;
	for (uint32_t i = 0; i < all->point_count; i++) {
		double residual[3];
		snk_sample_point(&s->f->samples[sample * r->stride], i, residual);
		add_kept(s->f, (uint32_t)(sample * r->stride), i, -1, residual);
		for (uint32_t n = all->offsets[i]; n < all->offsets[i + 1]; n++) {
			double v[4];
			place_point(s, all->joints[n], i, v);
			for (size_t row = 0; row < 3; row++) {
				const double *t = transforms + 12 * (size_t)all->joints[n] + 4 * row;
				residual[row] -= all->weights[n] * (t[0] * v[0] + t[1] * v[1] + t[2] * v[2] + t[3]);
			}
		}
		for (size_t row = 0; row < 3; row++) {
			r->residuals[i * r->width + 3 * sample + row] = (float)residual[row];
		}
	}
}

/* ---- one proxy ----------------------------------------------------------------------------------------------------------- */

static void list_features(refitting *r, size_t proxy) {
	const proxy_system *s = r->s;
	const unsigned char *selected = s->selected + proxy * input_count(s);
	const size_t strongest = s->strongest[proxy];
	r->feature_count = 0;
	for (size_t input = 0; input < s->key_inputs; input++) {
		if (selected[input] && input / 3 != strongest / 3) {
			double *values = r->values + r->feature_count * r->width;
			for (size_t x = 0; x < r->width; x++) {
				values[x] = z_at(r, input, x / 3, x % 3) - z_at(r, strongest + input % 3, x / 3, x % 3);
			}
			r->features[r->feature_count++] = input;
		}
	}
}

/* The moments of a proxy's points, and sums of what is left of them. */
static void sum_points(const refitting *r, size_t proxy, double moments[16]) {
	memset(r->sums, 0, 4 * r->width * sizeof *r->sums);
	memset(moments, 0, 16 * sizeof *moments);
	for (uint32_t n = r->offsets[proxy]; n < r->offsets[proxy + 1]; n++) {
		const float *residual = r->residuals + r->points[n] * r->width;
		double v[4];
		place_point(r->s, proxy, r->points[n], v);
		for (size_t i = 0; i < 4; i++) {
			const double weighted = r->weights[n] * v[i];
			for (size_t k = 0; k < 4; k++) {
				moments[4 * i + k] += weighted * r->weights[n] * v[k];
			}
			for (size_t x = 0; x < r->width; x++) {
				r->sums[i * r->width + x] += weighted * (double)residual[x];
			}
		}
	}
	const double size = moments[0] + moments[5] + moments[10], tiny = 1e-14 * r->s->f->diagonal * r->s->f->diagonal;
	for (size_t i = 0; i < 3; i++) {
		moments[5 * i] += flatness * size + tiny;
	}
	moments[15] += 1e-3 * moments[15] + tiny;
}

static snw_status find_deltas(const refitting *r, const double moments[16]) {
	const ridge_equation equation = {.feature_count = r->feature_count,
									 .width = r->width,
									 .features = r->values,
									 .sums = r->sums,
									 .counts = r->is_fitted,
									 .ridge = r->ridge * (double)r->fitted_count,
									 .gram = r->gram,
									 .right = r->right};
	return solve_ridge(r->s->f->host, &equation, moments, r->deltas);
}

/* Adds ΔC, and takes what it moves from what is left. */
static void apply(const refitting *r, size_t proxy) {
	const proxy_system *s = r->s;
	memset(r->change, 0, 4 * r->width * sizeof *r->change);
	for (size_t n = 0; n < 4 * r->feature_count; n++) {
		const size_t i = n / r->feature_count, a = n % r->feature_count, input = r->features[a];
		s->rights[input * s->n + 4 * proxy + i] += r->deltas[n];
		s->rights[(s->strongest[proxy] + input % 3) * s->n + 4 * proxy + i] -= r->deltas[n];
		for (size_t x = 0; x < r->width; x++) {
			r->change[i * r->width + x] += r->deltas[n] * r->values[a * r->width + x];
		}
	}
	for (uint32_t n = r->offsets[proxy]; n < r->offsets[proxy + 1]; n++) {
		float *residual = r->residuals + r->points[n] * r->width;
		double v[4];
		place_point(s, proxy, r->points[n], v);
		for (size_t x = 0; x < r->width; x++) {
			const double change = v[0] * r->change[x] + v[1] * r->change[r->width + x] + v[2] * r->change[2 * r->width + x] +
								  r->change[3 * r->width + x];
			residual[x] -= (float)(r->weights[n] * change);
		}
	}
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

static snw_status open_refitting(refitting *r, snw_pool *pool) {
	const proxy_system *s = r->s;
	const snk_influences *all = &s->r->influences;
	const size_t proxies = s->r->count, points = all->point_count;
	r->stride = s->f->sample_count / MOST_SAMPLES + 1;
	r->sample_count = (s->f->sample_count - 1) / r->stride + 1;
	r->width = 3 * r->sample_count;
	r->offsets = SNW_POOL_ARRAY(pool, uint32_t, proxies + 2);
	r->points = SNW_POOL_ARRAY(pool, uint32_t, all->offsets[points]);
	r->weights = SNW_POOL_ARRAY(pool, double, all->offsets[points]);
	r->residuals = SNW_POOL_ARRAY(pool, float, points * r->width);
	r->features = SNW_POOL_ARRAY(pool, size_t, s->key_inputs);
	r->values = SNW_POOL_ARRAY(pool, double, s->key_inputs * r->width);
	const size_t most = s->key_inputs < r->width ? s->key_inputs : r->width, gram_count = most * most;
	r->gram = SNW_POOL_ARRAY(pool, double, gram_count);
	r->right = SNW_POOL_ARRAY(pool, double, 8 * most);
	r->deltas = SNW_POOL_ARRAY(pool, double, 4 * s->key_inputs);
	r->sums = SNW_POOL_ARRAY(pool, double, 4 * r->width);
	r->change = SNW_POOL_ARRAY(pool, double, 4 * r->width);
	r->played = SNW_POOL_ARRAY(pool, double, 3 * s->key_inputs * r->sample_count);
	r->is_fitted = SNW_POOL_ARRAY(pool, double, r->width);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (size_t n = 0; n < all->offsets[points]; n++) {
		r->offsets[all->joints[n] + 2]++;
	}
	for (size_t k = 0; k < proxies; k++) {
		r->offsets[k + 2] += r->offsets[k + 1];
	}
	for (uint32_t i = 0; i < points; i++) {
		for (uint32_t n = all->offsets[i]; n < all->offsets[i + 1]; n++) {
			const uint32_t at = r->offsets[all->joints[n] + 1]++;
			r->points[at] = i;
			r->weights[at] = all->weights[n];
		}
	}
	return SNW_OK;
}

static int may_go_on(const refitting *r) {
	return snw_report_progress(r->s->f->host, r->s->f->progress, "fitting proxies to samples");
}

static uint32_t fold_of(const refitting *r, size_t sample) {
	return r->s->f->folds[sample * r->stride];
}

/* To the samples that are not in a fold; to all of them with NO_FOLD. */
static snw_status fit_without(refitting *r, uint32_t fold) {
	double moments[16];
	snw_status status = SNW_OK;
	r->fitted_count = 0;
	for (size_t x = 0; x < r->width; x++) {
		r->is_fitted[x] = fold_of(r, x / 3) != fold;
		r->fitted_count += x % 3 == 0 && fold_of(r, x / 3) != fold;
	}
	for (size_t n = 0; !snk_failed(status) && n < ROUNDS * (size_t)r->s->r->count; n++) {
		const size_t proxy = n % r->s->r->count;
		list_features(r, proxy);
		if (r->feature_count > 0) {
			sum_points(r, proxy, moments);
			status = find_deltas(r, moments);
			if (!snk_failed(status)) {
				apply(r, proxy);
				status = may_go_on(r) ? SNW_OK : SNW_CANCELLED;
			}
		}
	}
	return status;
}

/* ---- the ridge ----------------------------------------------------------------------------------------------------------- */

/* C and what is left as they were before the fit. */
typedef struct beginning {
	size_t right_count, residual_count;
	double *rights;
	float *residuals;
	double *transforms; /* scratch: [proxies][12] */
} beginning;

static snw_status open_beginning(const refitting *r, snw_pool *pool, beginning *b) {
	const proxy_system *s = r->s;
	b->right_count = (s->key_inputs + s->slot_inputs) * s->n;
	b->residual_count = s->r->influences.point_count * r->width;
	b->rights = SNW_POOL_ARRAY(pool, double, b->right_count);
	b->residuals = SNW_POOL_ARRAY(pool, float, b->residual_count);
	b->transforms = SNW_POOL_ARRAY(pool, double, 3 * s->n);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (size_t sample = 0; sample < r->sample_count; sample++) {
		find_transforms(r, sample, b->transforms);
		find_residuals(r, sample, b->transforms);
		write_key_gradients(s->f->dest, s->f->posed + sample * r->stride * s->f->model->joint_count,
							r->played + 3 * s->key_inputs * sample);
		if (!may_go_on(r)) {
			return SNW_CANCELLED;
		}
	}
	memcpy(b->rights, s->rights, b->right_count * sizeof *b->rights);
	memcpy(b->residuals, r->residuals, b->residual_count * sizeof *b->residuals);
	return SNW_OK;
}

static void go_back(const refitting *r, const beginning *b) {
	memcpy(r->s->rights, b->rights, b->right_count * sizeof *b->rights);
	memcpy(r->residuals, b->residuals, b->residual_count * sizeof *b->residuals);
}

/* The squared distance from the samples of a fold, or with NO_FOLD from all, under the model's predictors. Replaces the
 * residuals there. */
static double squares_of(refitting *r, uint32_t fold, double *transforms) {
	const size_t points = r->s->r->influences.point_count;
	double sum = 0;
	r->is_played = 1;
	for (size_t sample = 0; sample < r->sample_count; sample++) {
		if (fold != NO_FOLD && fold_of(r, sample) != fold) {
			continue;
		}
		find_transforms(r, sample, transforms);
		find_residuals(r, sample, transforms);
		for (size_t i = 0; i < 3 * points; i++) {
			if (is_left_out(r->s->f, (uint32_t)(i / 3))) {
				continue;
			}
			const double residual = (double)r->residuals[i / 3 * r->width + 3 * sample + i % 3];
			sum += residual * residual;
		}
	}
	r->is_played = 0;
	return sum;
}

/* The squared distance from all samples, each under a fit without its fold. */
static snw_status validate(refitting *r, const beginning *b, double *squares) {
	snw_status status = SNW_OK;
	*squares = 0;
	for (uint32_t fold = 0; !snk_failed(status) && fold < r->s->f->fold_count; fold++) {
		go_back(r, b);
		status = fit_without(r, fold);
		*squares += snk_failed(status) ? 0 : squares_of(r, fold, b->transforms);
	}
	return status;
}

/* The least ridge that is nearly as good as the best: what a fold would have said is missing there. Negative if no fit is
 * better. From the largest on, until less of it has made the error larger twice. */
static snw_status choose_ridge(refitting *r, const beginning *b, double *chosen) {
	snw_status status = SNW_OK;
	const double unfitted = squares_of(r, NO_FOLD, b->transforms);
	double squares[RIDGES], least = unfitted;
	int count = 0, rises = 0;
	for (; !snk_failed(status) && rises < 2 && count < RIDGES; count++) {
		r->ridge = ridges[count];
		status = validate(r, b, &squares[count]);
		rises = squares[count] < (count > 0 ? squares[count - 1] : unfitted) ? 0 : rises + 1;
		least = fmin(least, squares[count]);
	}
	*chosen = -1;
	for (int i = 0; i < count; i++) {
		*chosen = squares[i] < unfitted && squares[i] < nearly * least ? ridges[i] : *chosen;
	}
	return status;
}

static void report_ridge(const mesh_fit *f, double ridge) {
	if (f->is_trial) {
		return;
	}
	if (ridge > 0) {
		snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': proxies fitted to the samples, ridge %g", f->mesh->name, ridge);
	} else {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': proxies not fitted to the samples: %u are too few to predict those left out better",
						f->mesh->name, f->sample_count);
	}
}

snw_status refit(const proxy_system *s) {
	snw_pool pool = snw_pool_open(s->f->host);
	refitting r = {.s = s};
	beginning b;
	double chosen = -1;
	snw_status status = open_refitting(&r, &pool);
	status = snk_failed(status) ? status : open_beginning(&r, &pool, &b);
	if (!snk_failed(status) && s->f->fold_count > 1) {
		status = choose_ridge(&r, &b, &chosen);
		go_back(&r, &b);
	}
	if (!snk_failed(status) && chosen > 0) {
		r.ridge = chosen;
		status = fit_without(&r, NO_FOLD);
	}
	if (!snk_failed(status)) {
		report_ridge(s->f, chosen);
	}
	snw_pool_release(&pool);
	return status;
}
