/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solver service: LAPACK for dense matrices, CHOLMOD for sparse ones. BLAS runs on one thread, so that a fit gives the
 * same bits on every machine with the same BLAS, and because its threads would compete with ours for the cores.
 */
#include "services/services_internal.h"

#include <cblas.h>
#include <errno.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

#include "base/adopt.h"
#include "base/numbers.h"
#include "sinew/kit/clock.h"

/* ---- work that cannot report --------------------------------------------------------------------------------------------- */

/* Work of a library that cannot report: it runs in a thread of its own, while the thread that asked for it repeats the
 * plug-in's last report. */

static const double TICK_SECONDS = 0.02;
static const double SHORT_WORK = 1e8; /* operations; a thread is not worth less */

typedef struct reported_work {
	snw_status (*run)(void *argument);
	void *argument;
	snw_thread_call call;
	pthread_mutex_t mutex; /* protects the members below */
	pthread_cond_t ended;
	bool has_ended;
	snw_status status;
} reported_work;

static void *run_work(void *argument) {
	reported_work *work = argument;
	const snw_thread_call previous = snw_thread_enter(work->call);
	const snw_status status = work->run(work->argument);
	snw_thread_leave_chunk(previous);
	pthread_mutex_lock(&work->mutex);
	work->status = status;
	work->has_ended = true;
	pthread_cond_signal(&work->ended);
	pthread_mutex_unlock(&work->mutex);
	return NULL;
}

/* With the mutex held. */
static void wait_for_tick(reported_work *work) {
	const struct timespec until = snk_clock_after(TICK_SECONDS);
	while (!work->has_ended && pthread_cond_timedwait(&work->ended, &work->mutex, &until) != ETIMEDOUT) {
	}
}

static void report_until_ended(snw_services *services, reported_work *work) {
	pthread_mutex_lock(&work->mutex);
	while (!work->has_ended) {
		wait_for_tick(work);
		pthread_mutex_unlock(&work->mutex);
		snw_services_repeat_report(services);
		pthread_mutex_lock(&work->mutex);
	}
	pthread_mutex_unlock(&work->mutex);
}

/* Runs work of about so many floating-point operations that cannot report, and repeats the last report meanwhile. A stop does
 * not interrupt it. Returns what `run` returns. */
static snw_status run_reported(const snw_host *host, double operations, snw_status (*run)(void *argument), void *argument) {
	snw_services *services = snw_services_of(host);
	const bool can_report = services->task && services->task->progress;
	if (!can_report || operations < SHORT_WORK) {
		return run(argument);
	}
	reported_work work = {.run = run, .argument = argument, .call = snw_thread_current_call()};
	pthread_condattr_t clock;
	pthread_t thread;
	pthread_mutex_init(&work.mutex, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&work.ended, &clock);
	pthread_condattr_destroy(&clock);
	if (pthread_create(&thread, NULL, run_work, &work) == 0) {
		report_until_ended(services, &work);
		pthread_join(thread, NULL);
	} else {
		work.status = run(argument);
	}
	pthread_cond_destroy(&work.ended);
	pthread_mutex_destroy(&work.mutex);
	return work.status;
}

/* ---- solvers ------------------------------------------------------------------------------------------------------------- */

enum { LARGEST_DENSE = 46340 }; /* its number of elements fits LAPACK's 32-bit indices */

struct snw_factor {
	uint32_t n;
	/* dense: LU of the transpose, since LAPACK stores columns */
	double *lu;
	lapack_int *pivots;
	/* sparse: the factor, and the pattern of its matrix, for others with the same */
	cholmod_factor *cholesky;
	uint32_t *column_offsets, *rows;
	double operations; /* to factor it */
	bool is_broken;    /* the last refactor has failed */
};

static void set_one_thread(void) {
	openblas_set_num_threads(1);
}

static void single_thread_blas(void) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, set_one_thread);
}

static void destroy_factor(snw_factor *factor) {
	if (!factor) {
		return;
	}
	if (factor->cholesky) {
		cholmod_common common;
		cholmod_start(&common);
		cholmod_free_factor(&factor->cholesky, &common);
		cholmod_finish(&common);
	}
	free(factor->column_offsets);
	free(factor->rows);
	free(factor->lu);
	free(factor->pivots);
	free(factor);
}

typedef struct dense_work {
	snw_factor *factor;
	double reciprocal;
} dense_work;

/* Factors the copy in factor->lu. `reciprocal` receives the condition in the 1-norm of the matrix, which is the infinity
 * norm of the transpose. */
static snw_status factor_dense(void *argument) {
	dense_work *work = argument;
	snw_factor *factor = work->factor;
	const lapack_int n = (lapack_int)factor->n;
	const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, 'I', n, n, factor->lu, n);
	const lapack_int info = LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, factor->lu, n, factor->pivots);
	if (info == LAPACK_WORK_MEMORY_ERROR) {
		return SNW_ERROR_MEMORY;
	}
	if (info != 0) {
		return SNW_ERROR_SINGULAR;
	}
	if (LAPACKE_dgecon(LAPACK_COL_MAJOR, 'I', n, factor->lu, n, norm, &work->reciprocal) != 0) {
		return SNW_ERROR_MEMORY;
	}
	return SNW_OK;
}

static snw_status solver_dense(const snw_host *host, const snw_dense_call *foreign, snw_factor **factor) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "solver.dense")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_dense_call call = {0};
	if (foreign) {
		snw_adopt(&call, sizeof call, foreign);
	}
	const uint32_t n = call.n;
	if (n == 0 || !call.matrix || !factor) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "solver.dense: the matrix is missing or has no rows");
	}
	if (n > LARGEST_DENSE) {
		return snw_services_fail(host, SNW_ERROR_LIMIT, "solver.dense: the matrix is too large; use solver.sparse");
	}
	const size_t count = (size_t)n * n;
	if (!snw_all_finite(call.matrix, count)) {
		return snw_services_fail(host, SNW_ERROR_DATA, "solver.dense: the matrix holds numbers that are not finite");
	}
	single_thread_blas();
	snw_factor *made = calloc(1, sizeof *made);
	if (made) {
		made->n = n;
		made->lu = malloc(count * sizeof *made->lu);
		made->pivots = malloc(n * sizeof *made->pivots);
	}
	snw_status status = SNW_ERROR_MEMORY;
	dense_work work = {.factor = made};
	if (made && made->lu && made->pivots) {
		memcpy(made->lu, call.matrix, count * sizeof *made->lu);
		status = run_reported(host, (double)count * n, factor_dense, &work);
	}
	if (snw_failed(status)) {
		destroy_factor(made);
		return snw_services_fail(host, status,
								 status == SNW_ERROR_SINGULAR ? "solver.dense: the matrix has no inverse"
															  : "solver.dense: out of memory");
	}
	if (call.reciprocal_condition) {
		*call.reciprocal_condition = work.reciprocal;
	}
	*factor = made;
	return SNW_OK;
}

/* Checks the columns and rows of a lower triangle: in range, ascending, finite. */
static bool is_lower_triangle(const snw_sparse_call *m) {
	if (m->column_offsets[0] != 0) {
		return false;
	}
	for (uint32_t c = 0; c < m->n; c++) {
		if (m->column_offsets[c + 1] < m->column_offsets[c] || m->column_offsets[c + 1] > INT_MAX) {
			return false;
		}
		for (uint32_t i = m->column_offsets[c]; i < m->column_offsets[c + 1]; i++) {
			const bool rises = i == m->column_offsets[c] ? m->rows[i] >= c : m->rows[i] > m->rows[i - 1];
			if (!rises || m->rows[i] >= m->n || !isfinite(m->values[i])) {
				return false;
			}
		}
	}
	return true;
}

/* A CHOLMOD view of the plug-in's arrays. The integer types differ, but all values are below 2³¹. */
static cholmod_sparse view_sparse(const snw_sparse_call *m) {
	return (cholmod_sparse){
		.nrow = m->n,
		.ncol = m->n,
		.nzmax = m->column_offsets[m->n],
		.p = (void *)(uintptr_t)m->column_offsets,
		.i = (void *)(uintptr_t)m->rows,
		.x = (void *)(uintptr_t)m->values,
		.stype = -1,
		.itype = CHOLMOD_INT,
		.xtype = CHOLMOD_REAL,
		.dtype = CHOLMOD_DOUBLE,
		.sorted = 1,
		.packed = 1,
	};
}

static void start_cholmod(cholmod_common *common) {
	cholmod_start(common);
	common->print = 0;
	common->supernodal = CHOLMOD_SUPERNODAL;
	common->final_ll = 1;
	/* AMD alone: METIS gains little on meshes and takes longer than the factorisation. */
	common->nmethods = 1;
	common->method[0].ordering = CHOLMOD_AMD;
}

static bool is_cut_into_blocks(const snw_sparse_call *m) {
	if (!m->block_offsets) {
		return true;
	}
	if (m->block_count == 0 || m->block_count > m->n || m->block_offsets[0] != 0 || m->block_offsets[m->block_count] != m->n) {
		return false;
	}
	for (uint64_t b = 0; b < m->block_count; b++) {
		if (m->block_offsets[b + 1] <= m->block_offsets[b]) {
			return false;
		}
	}
	return true;
}

/* Which blocks share an entry: a pattern over blocks, its lower triangle. NULL if memory has run out. */
static cholmod_sparse *find_block_graph(const snw_sparse_call *m, cholmod_common *common) {
	const uint32_t count = (uint32_t)m->block_count;
	int *block_of = malloc(m->n * sizeof *block_of), *seen = calloc(count, sizeof *seen);
	cholmod_sparse *graph = NULL;
	for (uint32_t b = 0; block_of && b < count; b++) {
		for (uint32_t row = m->block_offsets[b]; row < m->block_offsets[b + 1]; row++) {
			block_of[row] = (int)b;
		}
	}
	int entries = 0;
	for (int filling = 0; block_of && seen && filling < 2; filling++) {
		graph =
			filling ? cholmod_allocate_sparse(count, count, (size_t)entries, false, true, -1, CHOLMOD_PATTERN, common) : NULL;
		if (filling && !graph) {
			break;
		}
		entries = 0;
		memset(seen, 0xff, count * sizeof *seen);
		for (uint32_t b = 0; b < count; b++) {
			for (uint32_t i = m->column_offsets[m->block_offsets[b]]; i < m->column_offsets[m->block_offsets[b + 1]]; i++) {
				const int other = block_of[m->rows[i]];
				if (seen[other] != (int)b) {
					seen[other] = (int)b;
					if (filling) {
						((int *)graph->i)[entries] = other;
					}
					entries++;
				}
			}
			if (filling) {
				((int *)graph->p)[b + 1] = entries;
			}
		}
	}
	free(block_of);
	free(seen);
	return graph;
}

/* The order of the blocks by AMD, each written out as its rows: order [n]. */
static bool order_blocks(const snw_sparse_call *m, int *order, cholmod_common *common) {
	cholmod_sparse *graph = find_block_graph(m, common);
	int *blocks = malloc(m->block_count * sizeof *blocks);
	const bool ordered = graph && blocks && cholmod_amd(graph, NULL, 0, blocks, common);
	int row = 0;
	for (uint64_t b = 0; ordered && b < m->block_count; b++) {
		for (uint32_t i = m->block_offsets[blocks[b]]; i < m->block_offsets[blocks[b] + 1]; i++) {
			order[row++] = (int)i;
		}
	}
	free(blocks);
	cholmod_free_sparse(&graph, common);
	return ordered;
}

/* The symbolic factor; NULL if memory has run out, or if the factor has more entries than CHOLMOD's indices reach. */
static cholmod_factor *analyze(const snw_sparse_call *call, cholmod_sparse *matrix, cholmod_common *common) {
	if (!call->block_offsets) {
		return cholmod_analyze(matrix, common);
	}
	int *order = malloc(call->n * sizeof *order);
	cholmod_factor *cholesky = NULL;
	if (order && order_blocks(call, order, common)) {
		common->method[0].ordering = CHOLMOD_GIVEN;
		cholesky = cholmod_analyze_p(matrix, order, NULL, 0, common);
	}
	free(order);
	return cholesky;
}

/* What the numeric factor takes, with the workspace of its supernodes. */
static uint64_t factor_bytes(const cholmod_factor *cholesky) {
	return (uint64_t)(cholesky->xsize + cholesky->maxcsize) * sizeof(double) + (uint64_t)cholesky->ssize * sizeof(int);
}

static const char *words_for(snw_status status) {
	return status == SNW_ERROR_SINGULAR ? "solver.sparse: the matrix is not positive definite"
		   : status == SNW_ERROR_LIMIT  ? "solver.sparse: the factor would be larger than it may be"
										: "solver.sparse: out of memory";
}

/* What CHOLMOD's state after a step comes to. */
static snw_status status_of(const cholmod_common *common) {
	return common->status == CHOLMOD_TOO_LARGE    ? SNW_ERROR_LIMIT
		   : common->status < 0                   ? SNW_ERROR_MEMORY
		   : common->status == CHOLMOD_NOT_POSDEF ? SNW_ERROR_SINGULAR
												  : SNW_OK;
}

typedef struct sparse_work {
	cholmod_sparse *matrix;
	cholmod_factor *cholesky;
	cholmod_common *common;
} sparse_work;

static snw_status factorize(void *argument) {
	const sparse_work *work = argument;
	cholmod_factorize(work->matrix, work->cholesky, work->common);
	return status_of(work->common);
}

static snw_status factor_sparse(const snw_host *host, const snw_sparse_call *call, cholmod_common *common,
								cholmod_factor **cholesky) {
	cholmod_sparse matrix = view_sparse(call);
	*cholesky = analyze(call, &matrix, common);
	if (!*cholesky) {
		const snw_status status = status_of(common);
		return snw_failed(status) ? status : SNW_ERROR_MEMORY;
	}
	const uint64_t bytes = factor_bytes(*cholesky);
	if (call->bytes) {
		*call->bytes = bytes;
	}
	if (call->most_bytes > 0 && bytes > call->most_bytes) {
		return SNW_ERROR_LIMIT;
	}
	sparse_work work = {&matrix, *cholesky, common};
	return run_reported(host, common->fl, factorize, &work);
}

/* Takes over `cholesky`. NULL if memory has run out. */
static snw_factor *keep_sparse(const snw_sparse_call *call, cholmod_factor *cholesky, double operations) {
	const size_t columns = (size_t)call->n + 1, entries = call->column_offsets[call->n];
	snw_factor *made = calloc(1, sizeof *made);
	if (made) {
		*made = (snw_factor){.n = call->n,
							 .operations = operations,
							 .column_offsets = malloc(columns * sizeof *made->column_offsets),
							 .rows = malloc((entries + 1) * sizeof *made->rows)};
	}
	if (!made || !made->column_offsets || !made->rows) {
		destroy_factor(made);
		return NULL;
	}
	memcpy(made->column_offsets, call->column_offsets, columns * sizeof *made->column_offsets);
	memcpy(made->rows, call->rows, entries * sizeof *made->rows);
	made->cholesky = cholesky;
	return made;
}

static snw_status solver_sparse(const snw_host *host, const snw_sparse_call *foreign, snw_factor **factor) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "solver.sparse")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_sparse_call call = {0};
	if (foreign) {
		snw_adopt(&call, sizeof call, foreign);
	}
	if (call.n == 0 || !call.column_offsets || !call.rows || !call.values || !factor) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "solver.sparse: the matrix is missing or has no columns");
	}
	if (call.n > INT_MAX || !is_lower_triangle(&call)) {
		return snw_services_fail(host, SNW_ERROR_DATA,
								 "solver.sparse: not the compressed columns of a lower triangle with rising rows");
	}
	if (!is_cut_into_blocks(&call)) {
		return snw_services_fail(host, SNW_ERROR_DATA, "solver.sparse: the blocks do not rise from row 0 to the last");
	}
	single_thread_blas();
	cholmod_common common;
	start_cholmod(&common);
	cholmod_factor *cholesky = NULL;
	snw_status status = factor_sparse(host, &call, &common, &cholesky);
	snw_factor *made = !snw_failed(status) ? keep_sparse(&call, cholesky, common.fl) : NULL;
	if (!snw_failed(status) && !made) {
		status = SNW_ERROR_MEMORY;
	}
	if (snw_failed(status)) {
		cholmod_free_factor(&cholesky, &common);
		cholmod_finish(&common);
		return snw_services_fail(host, status, words_for(status));
	}
	cholmod_finish(&common);
	*factor = made;
	return SNW_OK;
}

/* Of one right-hand side: each entry of the factor is used in two passes. */
static double solve_operations(const snw_factor *factor) {
	return factor->cholesky ? 4 * (double)factor->cholesky->xsize : 2 * (double)factor->n * factor->n;
}

static snw_status solver_refactor(const snw_host *host, snw_factor *factor, const double *values) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "solver.refactor")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	if (!factor || !factor->cholesky || !values) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "solver.refactor: the values or the sparse factor are missing");
	}
	if (!snw_all_finite(values, factor->column_offsets[factor->n])) {
		return snw_services_fail(host, SNW_ERROR_DATA, "solver.refactor: the matrix holds numbers that are not finite");
	}
	const snw_sparse_call call = {
		.n = factor->n, .column_offsets = factor->column_offsets, .rows = factor->rows, .values = values};
	cholmod_sparse matrix = view_sparse(&call);
	cholmod_common common;
	start_cholmod(&common);
	sparse_work work = {&matrix, factor->cholesky, &common};
	const snw_status status = run_reported(host, factor->operations, factorize, &work);
	factor->is_broken = snw_failed(status);
	cholmod_finish(&common);
	return !snw_failed(status) ? status : snw_services_fail(host, status, words_for(status));
}

typedef struct solve_work {
	const snw_factor *factor;
	uint32_t count;
	double *right_sides;
} solve_work;

static snw_status solve_dense(const snw_factor *factor, uint32_t count, double *right_sides) {
	const lapack_int n = (lapack_int)factor->n;
	const lapack_int info =
		LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'T', n, (lapack_int)count, factor->lu, n, factor->pivots, right_sides, n);
	return info == 0 ? SNW_OK : SNW_ERROR_DATA; /* it takes no memory */
}

/* Each call has its own workspace: CHOLMOD only reads the factor, so that threads can share it. */
static snw_status solve_sparse(const snw_factor *factor, uint32_t count, double *right_sides) {
	cholmod_common common;
	start_cholmod(&common);
	cholmod_dense sides = {
		.nrow = factor->n,
		.ncol = count,
		.nzmax = (size_t)factor->n * count,
		.d = factor->n,
		.x = right_sides,
		.xtype = CHOLMOD_REAL,
		.dtype = CHOLMOD_DOUBLE,
	};
	cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor->cholesky, &sides, &common);
	if (solution) {
		memcpy(right_sides, solution->x, sides.nzmax * sizeof *right_sides);
		cholmod_free_dense(&solution, &common);
		cholmod_finish(&common);
		return SNW_OK;
	}
	cholmod_finish(&common);
	return SNW_ERROR_MEMORY;
}

static snw_status solve(void *argument) {
	const solve_work *work = argument;
	return work->factor->cholesky ? solve_sparse(work->factor, work->count, work->right_sides)
								  : solve_dense(work->factor, work->count, work->right_sides);
}

static snw_status solver_solve(const snw_host *host, const snw_factor *factor, uint32_t count, double *right_sides) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "solver.solve")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	if (!factor || (count > 0 && !right_sides) || count > INT_MAX) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "solver.solve: the factor or the right-hand sides are missing");
	}
	if (factor->is_broken) {
		return snw_services_fail(host, SNW_ERROR_SINGULAR, "solver.solve: the factor's last matrix is not positive definite");
	}
	if (count == 0) {
		return SNW_OK;
	}
	solve_work work = {factor, count, right_sides};
	const snw_status status = run_reported(host, count * solve_operations(factor), solve, &work);
	return !snw_failed(status) ? status
							   : snw_services_fail(host, status,
												   status == SNW_ERROR_DATA
													   ? "solver.solve: the right-hand sides hold numbers that are not finite"
													   : "solver.solve: out of memory");
}

static void solver_release(const snw_host *host, snw_factor *factor) {
	(void)host;
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "solver.release")) {
		return;
	}
	destroy_factor(factor);
}

const snw_solver_service snw_solver_table = {sizeof snw_solver_table, solver_dense,   solver_sparse, solver_solve,
											 solver_release,          solver_refactor};
