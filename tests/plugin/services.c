/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The services that a plug-in gets, called as a plug-in would.
 */
#include "services/services.h"
#include "sinew/report.h" /* before cmocka's macro `fail` */

#include "check.h"

#include "sample/sample.h"
#include "task/task.h"

typedef struct fixture {
	snw_scene *scene;
	snw_proposals proposals;
	snw_task task;
	snw_services *services;
	const snw_host *host;
	double fraction;
	uint32_t report_count;
	bool go_on;
	char line[200];
	double measured; /* the last measurement, its name and unit in `line` */
} fixture;

static bool progress(void *context, double fraction, const char *activity) {
	fixture *f = context;
	(void)activity;
	f->fraction = fraction;
	f->report_count++;
	return f->go_on;
}

static void notice(void *context, snw_log_level level, const char *line) {
	fixture *f = context;
	snprintf(f->line, sizeof f->line, "%d %s", (int)level, line);
}

static void measurement(void *context, const char *name, double value, const char *unit) {
	fixture *f = context;
	f->measured = value;
	snprintf(f->line, sizeof f->line, "%s [%s]", name, unit);
}

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	f->scene = snw_trial_character();
	f->proposals.arena = snw_arena_create();
	f->task = (snw_task){.context = f, .progress = progress, .notice = notice, .measurement = measurement};
	f->services = snw_services_create(&f->task, f->scene, NULL, &f->proposals);
	f->host = snw_services_host(f->services);
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_services_destroy(f->services);
	snw_arena_destroy(f->proposals.arena);
	snw_scene_destroy(f->scene);
	free(f);
	return 0;
}

static void missing_services_are_null(void **state) {
	fixture *f = *state;
	assert_null(f->host->service(f->host, SNW_SERVICE_BELOW));
	assert_null(f->host->service(f->host, "sinew.nonsense/0"));
	snw_services *bare = snw_services_create(NULL, NULL, NULL, NULL);
	const snw_host *host = snw_services_host(bare);
	assert_null(host->service(host, SNW_SERVICE_PROPOSAL));
	assert_null(host->service(host, SNW_SERVICE_CONTACT));
	assert_non_null(host->service(host, SNW_SERVICE_TASK));
	snw_services_destroy(bare);
}

/* The tube of the trial character, moved beside and into itself. */
static void contact_finds_pairs_places_and_windings(void **state) {
	fixture *f = *state;
	const snw_contact_service *contact = f->host->service(f->host, SNW_SERVICE_CONTACT);
	const snw_mesh *mesh = &f->scene->meshes[0];
	const double far_away[3] = {100, 100, 100};
	double *points = calloc(3 * (size_t)mesh->point_count, sizeof *points), nearest[3], winding;
	snw_contact_mesh *one = NULL, *other = NULL;
	uint32_t count = 7, triangle, rings_count = 0;
	assert_int_equal(contact->open(f->host, f->scene->mesh_count, &one), SNW_ERROR_ARGUMENT);
	assert_int_equal(contact->open(f->host, 0, &one), SNW_OK);
	assert_int_equal(contact->open(f->host, 0, &other), SNW_OK);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = mesh->points_rest[i] + 100;
	}
	snw_contact_pair pairs[4];
	snw_contact_pairs_call call = {sizeof call, one, other, 0, 0, 4, pairs, &count};
	assert_int_equal(contact->pose(f->host, other, points), SNW_OK);
	assert_int_equal(contact->pairs(f->host, &call), SNW_OK);
	assert_int_equal(count, 0);
	assert_int_equal(contact->pose(f->host, other, mesh->points_rest), SNW_OK);
	assert_int_equal(contact->pairs(f->host, &call), SNW_OK);
	assert_true(count > 4);
	assert_true(pairs[0].triangles[0] <= pairs[3].triangles[0]);
	call.second = one;
	call.distance = 0.1 * snw_scene_diagonal(f->scene, 0);
	assert_int_equal(contact->pairs(f->host, &call), SNW_OK);
	assert_true(pairs[0].triangles[0] < pairs[0].triangles[1]);
	call.rings = 3;
	call.count = &rings_count;
	assert_int_equal(contact->pairs(f->host, &call), SNW_OK);
	assert_true(rings_count < count);
	snw_contact_points_call places = {sizeof places, one, 1, far_away, 1, &triangle, nearest, &winding};
	assert_int_equal(contact->nearest(f->host, &places), SNW_OK);
	assert_int_equal(triangle, SNW_NONE);
	check_near(winding, 0, 1e-3);
	places.distance = INFINITY;
	assert_int_equal(contact->nearest(f->host, &places), SNW_OK);
	assert_true(triangle != SNW_NONE);
	places.points = NULL;
	assert_int_equal(contact->nearest(f->host, &places), SNW_ERROR_ARGUMENT);
	contact->release(f->host, one);
	contact->release(f->host, other);
	contact->release(f->host, NULL);
	free(points);
}

static void lines_and_progress_reach_the_task(void **state) {
	fixture *f = *state;
	const snw_task_service *task = f->host->service(f->host, SNW_SERVICE_TASK);
	task->line(f->host, SNW_LOG_WARNING, "100% sure");
	assert_string_equal(f->line, "2 100% sure");
	f->go_on = true;
	assert_int_equal(task->progress(f->host, 0.25, "half of the half"), 1);
	check_near(f->fraction, 0.25, 0);
	f->go_on = false;
	assert_int_equal(task->progress(f->host, (double)NAN, NULL), 0);
	check_near(f->fraction, 0, 0);
}

static void measurements_reach_the_task(void **state) {
	fixture *f = *state;
	const snw_task_service *task = f->host->service(f->host, SNW_SERVICE_TASK);
	task->measure(f->host, "inversion", 0.0011, "s");
	assert_string_equal(f->line, "inversion [s]");
	check_near(f->measured, 0.0011, 0);
	const snw_measured_number numbers[] = {{"inversion", 0.25, "s"}, {"steps", 12, ""}};
	snw_report_measurements(f->host, "time", numbers, 2);
	assert_string_equal(f->line, "1 time: inversion 0.25 s, steps 12");
	check_near(f->measured, 12, 0);
}

static void failure_message_is_the_plugins_or_the_statuss(void **state) {
	fixture *f = *state;
	const snw_task_service *task = f->host->service(f->host, SNW_SERVICE_TASK);
	assert_string_equal(snw_services_failure(f->services, SNW_ERROR_SINGULAR),
						"the plug-in gave no reason; its status says that it met a singular system");
	assert_string_equal(snw_services_failure(f->services, SNW_NOT_CONVERGED), snw_status_words(SNW_NOT_CONVERGED));
	assert_int_equal((task->fail)(f->host, SNW_ERROR_DATA, "row 7\nis odd"), SNW_ERROR_DATA);
	assert_string_equal(snw_services_failure(f->services, SNW_ERROR_DATA), "row 7 is odd");
}

/* The plug-in may have done without it. */
static void refused_call_is_the_reason_for_its_own_status_alone(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	snw_factor *factor = NULL;
	const double one = 1;
	const snw_dense_call call = {.size = sizeof call, .n = 1000000, .matrix = &one};
	assert_int_equal(solver->dense(f->host, &call, &factor), SNW_ERROR_LIMIT);
	assert_non_null(strstr(snw_services_failure(f->services, SNW_ERROR_LIMIT), "solver.dense"));
	assert_null(strstr(snw_services_failure(f->services, SNW_ERROR_MEMORY), "solver.dense"));
}

static void memory_is_zeroed_aligned_and_counted(void **state) {
	fixture *f = *state;
	const snw_memory_service *memory = f->host->service(f->host, SNW_SERVICE_MEMORY);
	unsigned char *blocks[3];
	const size_t sizes[3] = {1, 1000, 0};
	for (int i = 0; i < 3; i++) {
		blocks[i] = memory->acquire(f->host, sizes[i]);
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] % 64, 0);
		for (size_t k = 0; k < sizes[i]; k++) {
			assert_int_equal(blocks[i][k], 0);
			blocks[i][k] = 0xEE;
		}
	}
	assert_int_equal(snw_services_bytes(f->services), 1001);
	assert_null(memory->acquire(f->host, SIZE_MAX - 10));
	for (int i = 0; i < 3; i++) {
		memory->release(f->host, blocks[i]);
	}
	memory->release(f->host, NULL);
	assert_int_equal(snw_services_bytes(f->services), 0);
}

typedef struct partition {
	_Atomic uint32_t covered[1000];
	_Atomic uint32_t chunks, odd;
} partition;

static void note_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	partition *p = argument;
	p->chunks++;
	p->odd += begin % 64 != 0 || (end != 1000 && end - begin != 64);
	for (uint32_t i = begin; i < end; i++) {
		p->covered[i]++;
	}
}

static void parallel_partition_does_not_depend_on_threads(void **state) {
	fixture *f = *state;
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	for (uint32_t threads = 1; threads <= 4; threads++) {
		partition *p = calloc(1, sizeof *p);
		snw_parallel_threads(threads);
		parallel->run(f->host, 1000, 64, note_chunk, p);
		assert_int_equal(p->chunks, 16);
		assert_int_equal(p->odd, 0);
		for (uint32_t i = 0; i < 1000; i++) {
			assert_int_equal(p->covered[i], 1);
		}
		free(p);
	}
	snw_parallel_threads(0);
}

static void report_is_repeated_only_after_a_first_one(void **state) {
	fixture *f = *state;
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	const snw_task_service *task = f->host->service(f->host, SNW_SERVICE_TASK);
	partition *p = calloc(1, sizeof *p);
	snw_parallel_threads(1);
	snw_services_report_every(0);
	f->go_on = true;
	f->fraction = -1;
	parallel->run(f->host, 1000, 64, note_chunk, p);
	check_near(f->fraction, -1, 0);
	assert_int_equal(task->progress(f->host, 0.5, "half"), 1);
	f->fraction = -1;
	parallel->run(f->host, 1000, 64, note_chunk, p);
	check_near(f->fraction, 0.5, 0);
	snw_services_report_every(0.25);
	snw_parallel_threads(0);
	free(p);
}

/* ---- solvers ------------------------------------------------------------------------------------------------------------- */

enum { N = 40 };

static double noise(uint32_t i) {
	return sin(12.9898 * i) * 0.9;
}

static snw_status factor_dense(const fixture *f, uint32_t n, const double *matrix, double *reciprocal, snw_factor **factor) {
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	const snw_dense_call call = {sizeof call, n, matrix, reciprocal};
	return solver->dense(f->host, &call, factor);
}

static void dense_factor_solves_many_sides_in_place(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	double matrix[N * N], wanted[2 * N], sides[2 * N], reciprocal = -1;
	for (uint32_t i = 0; i < N * N; i++) {
		matrix[i] = noise(i) + (i % (N + 1) == 0 ? 3 : 0); /* not symmetric: rows and columns must not be confused */
	}
	for (uint32_t i = 0; i < 2 * N; i++) {
		wanted[i] = noise(7000 + i);
	}
	for (uint32_t s = 0; s < 2; s++) {
		for (uint32_t r = 0; r < N; r++) {
			sides[N * s + r] = 0;
			for (uint32_t c = 0; c < N; c++) {
				sides[N * s + r] += matrix[N * r + c] * wanted[N * s + c];
			}
		}
	}
	snw_factor *factor = NULL;
	assert_int_equal(factor_dense(f, N, matrix, &reciprocal, &factor), SNW_OK);
	assert_true(reciprocal > 1e-6 && reciprocal < 1);
	assert_int_equal(solver->solve(f->host, factor, 2, sides), SNW_OK);
	for (uint32_t i = 0; i < 2 * N; i++) {
		check_near(sides[i], wanted[i], 1e-10);
	}
	solver->release(f->host, factor);
}

static void reciprocal_condition_is_that_of_the_one_norm(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	/* The norm of columns is 110, of its inverse's columns 1; the norms of rows would be 100 and 1.2. */
	const double matrix[9] = {1, 10, 10, 0, 100, 0, 0, 0, 100};
	double reciprocal = 0;
	snw_factor *factor = NULL;
	assert_int_equal(factor_dense(f, 3, matrix, &reciprocal, &factor), SNW_OK);
	check_near(reciprocal, 1.0 / 110, 1e-6);
	solver->release(f->host, factor);
}

static void dense_solver_refuses_singular_matrices(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	const double singular[4] = {1, 2, 2, 4}, unset[4] = {1, 0, 0, (double)NAN};
	snw_factor *factor = NULL;
	assert_int_equal(factor_dense(f, 2, singular, NULL, &factor), SNW_ERROR_SINGULAR);
	/* A method that passes this on says it in the words of its user. */
	assert_non_null(strstr(snw_services_failure(f->services, SNW_ERROR_SINGULAR), "too much alike"));
	assert_int_equal(factor_dense(f, 2, unset, NULL, &factor), SNW_ERROR_DATA);
	assert_int_equal(factor_dense(f, 0, unset, NULL, &factor), SNW_ERROR_ARGUMENT);
	assert_int_equal(factor_dense(f, 1000000, unset, NULL, &factor), SNW_ERROR_LIMIT);
	assert_null(factor);
	solver->release(f->host, NULL);
}

/* The path Laplacian plus the identity: 2.5 on the diagonal, −1 beside it. */
static void fill_path(uint32_t n, double diagonal, uint32_t *offsets, uint32_t *rows, double *values) {
	uint32_t entry = 0;
	for (uint32_t c = 0; c < n; c++) {
		offsets[c] = entry;
		rows[entry] = c;
		values[entry++] = diagonal;
		if (c + 1 < n) {
			rows[entry] = c + 1;
			values[entry++] = -1;
		}
	}
	offsets[n] = entry;
}

static snw_status factor_path(const fixture *f, const uint32_t *offsets, const uint32_t *rows, const double *values,
							  snw_factor **factor) {
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	const snw_sparse_call call = {.size = sizeof call, .n = N, .column_offsets = offsets, .rows = rows, .values = values};
	return solver->sparse(f->host, &call, factor);
}

typedef struct shared_solve {
	const snw_host *host;
	const snw_solver_service *solver;
	const snw_factor *factor;
	double worst[16];
} shared_solve;

static void solve_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	shared_solve *shared = argument;
	for (uint32_t k = begin; k < end; k++) {
		double x[N], b[N];
		for (uint32_t i = 0; i < N; i++) {
			x[i] = noise(100 * k + i);
		}
		for (uint32_t i = 0; i < N; i++) {
			b[i] = 2.5 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < N ? x[i + 1] : 0);
		}
		shared->worst[k] = shared->solver->solve(shared->host, shared->factor, 1, b) == SNW_OK ? 0 : 1;
		for (uint32_t i = 0; i < N; i++) {
			shared->worst[k] = fmax(shared->worst[k], fabs(b[i] - x[i]));
		}
	}
}

static void sparse_factor_is_shared_by_threads(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	uint32_t offsets[N + 1], rows[2 * N];
	double values[2 * N];
	fill_path(N, 2.5, offsets, rows, values);
	snw_factor *factor = NULL;
	assert_int_equal(factor_path(f, offsets, rows, values, &factor), SNW_OK);
	snw_parallel_threads(4);
	shared_solve shared = {f->host, solver, factor, {0}};
	parallel->run(f->host, 16, 1, solve_chunk, &shared);
	for (int k = 0; k < 16; k++) {
		check_near(shared.worst[k], 0, 1e-12);
	}
	solver->release(f->host, factor);
	snw_parallel_threads(0);
}

static void sparse_solver_keeps_blocks_and_a_limit_of_memory(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	uint32_t offsets[N + 1], rows[2 * N], blocks[] = {0, 1, N / 2, N};
	double values[2 * N], b[N];
	uint64_t bytes = 0;
	fill_path(N, 2.5, offsets, rows, values);
	snw_sparse_call call = {.size = sizeof call,
							.n = N,
							.column_offsets = offsets,
							.rows = rows,
							.values = values,
							.block_offsets = blocks,
							.block_count = 3,
							.bytes = &bytes};
	snw_factor *factor = NULL;
	assert_int_equal(solver->sparse(f->host, &call, &factor), SNW_OK);
	assert_true(bytes >= N * sizeof(double));
	for (uint32_t i = 0; i < N; i++) {
		b[i] = 2.5 * noise(i) - (i > 0 ? noise(i - 1) : 0) - (i + 1 < N ? noise(i + 1) : 0);
	}
	assert_int_equal(solver->solve(f->host, factor, 1, b), SNW_OK);
	for (uint32_t i = 0; i < N; i++) {
		check_near(b[i], noise(i), 1e-12);
	}
	solver->release(f->host, factor);
	factor = NULL;
	const uint64_t needed = bytes;
	call.most_bytes = needed - 1;
	bytes = 0;
	assert_int_equal(solver->sparse(f->host, &call, &factor), SNW_ERROR_LIMIT);
	assert_int_equal(bytes, needed);
	call.most_bytes = 0;
	blocks[2] = blocks[1];
	assert_int_equal(solver->sparse(f->host, &call, &factor), SNW_ERROR_DATA);
	assert_null(factor);
}

static void refactored_factor_has_the_bits_of_a_new_one(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	uint32_t offsets[N + 1], rows[2 * N];
	double values[2 * N], other[2 * N], singular[2 * N], sides[2][N];
	fill_path(N, 2.5, offsets, rows, values);
	fill_path(N, 3.25, offsets, rows, other);
	fill_path(N, 1, offsets, rows, singular);
	snw_factor *kept = NULL, *fresh = NULL;
	assert_int_equal(factor_path(f, offsets, rows, values, &kept), SNW_OK);
	assert_int_equal(factor_path(f, offsets, rows, other, &fresh), SNW_OK);
	for (uint32_t i = 0; i < N; i++) {
		sides[0][i] = sides[1][i] = noise(i);
	}
	assert_int_equal(solver->refactor(f->host, kept, singular), SNW_ERROR_SINGULAR);
	assert_int_equal(solver->solve(f->host, kept, 1, sides[0]), SNW_ERROR_SINGULAR);
	assert_int_equal(solver->refactor(f->host, kept, other), SNW_OK);
	assert_int_equal(solver->solve(f->host, kept, 1, sides[0]), SNW_OK);
	assert_int_equal(solver->solve(f->host, fresh, 1, sides[1]), SNW_OK);
	assert_memory_equal(sides[0], sides[1], sizeof sides[0]);
	other[3] = (double)NAN;
	assert_int_equal(solver->refactor(f->host, kept, other), SNW_ERROR_DATA);
	assert_int_equal(solver->refactor(f->host, NULL, values), SNW_ERROR_ARGUMENT);
	const double one = 1;
	const snw_dense_call dense = {.size = sizeof dense, .n = 1, .matrix = &one};
	solver->release(f->host, kept);
	assert_int_equal(solver->dense(f->host, &dense, &kept), SNW_OK);
	assert_int_equal(solver->refactor(f->host, kept, values), SNW_ERROR_ARGUMENT);
	solver->release(f->host, kept);
	solver->release(f->host, fresh);
}

/* One block whose first row meets all others fills its factor: n² entries are more than 32-bit indices reach. */
/* A full matrix, whose factor takes a large part of a second. */
static void long_factors_repeat_the_last_report(void **state) {
	fixture *f = *state;
	enum { SIZE = 2000, SIDES = 400 };
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	uint32_t *offsets = calloc(SIZE + 1, sizeof *offsets), *rows = calloc(SIZE * (SIZE + 1) / 2, sizeof *rows);
	double *values = calloc(SIZE * (SIZE + 1) / 2, sizeof *values), *matrix = calloc((size_t)SIZE * SIZE, sizeof *matrix);
	for (uint32_t c = 0, i = 0; c < SIZE; c++) {
		for (uint32_t r = c; r < SIZE; r++, i++) {
			rows[i] = r;
			values[i] = matrix[(size_t)SIZE * c + r] = matrix[(size_t)SIZE * r + c] = r == c ? SIZE : 0.5;
		}
		offsets[c + 1] = i;
	}
	const snw_sparse_call sparse = {
		.size = sizeof sparse, .n = SIZE, .column_offsets = offsets, .rows = rows, .values = values};
	const snw_dense_call dense = {.size = sizeof dense, .n = SIZE, .matrix = matrix};
	snw_services_report_every(0);
	for (int is_dense = 0; is_dense < 2; is_dense++) {
		snw_factor *factor;
		f->go_on = true;
		assert_true(snw_report_progress(f->host, 0.25, "factoring"));
		f->report_count = 0;
		assert_int_equal(is_dense ? solver->dense(f->host, &dense, &factor) : solver->sparse(f->host, &sparse, &factor),
						 SNW_OK);
		assert_true(f->report_count > 0 && f->fraction == 0.25);
		f->report_count = 0;
		f->go_on = !is_dense; /* a stop meanwhile: the plug-in learns from its own next report */
		assert_int_equal(solver->solve(f->host, factor, SIDES, matrix), SNW_OK);
		assert_true(f->report_count > 0);
		assert_true(snw_report_progress(f->host, 0.5, "factored") == !is_dense);
		solver->release(f->host, factor);
	}
	snw_services_report_every(0.25);
	free(offsets);
	free(rows);
	free(values);
	free(matrix);
}

static void sparse_solver_names_a_factor_of_too_many_entries(void **state) {
	fixture *f = *state;
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	enum { MANY = 50000 };
	uint32_t *offsets = calloc(MANY + 1, sizeof *offsets), *rows = calloc(2 * MANY, sizeof *rows);
	double *values = calloc(2 * MANY, sizeof *values);
	const uint32_t block[] = {0, MANY};
	for (uint32_t i = 0; i < MANY; i++) {
		rows[i] = i;
		values[i] = i > 0 ? 1 : 2 * MANY;
		offsets[i + 1] = MANY + i;
		if (i > 0) {
			rows[MANY + i - 1] = i;
			values[MANY + i - 1] = 2;
		}
	}
	const snw_sparse_call call = {.size = sizeof call,
								  .n = MANY,
								  .column_offsets = offsets,
								  .rows = rows,
								  .values = values,
								  .block_offsets = block,
								  .block_count = 1};
	snw_factor *factor = NULL;
	assert_int_equal(solver->sparse(f->host, &call, &factor), SNW_ERROR_LIMIT);
	assert_null(factor);
	free(offsets);
	free(rows);
	free(values);
}

static void sparse_solver_refuses_matrices_without_a_factor(void **state) {
	fixture *f = *state;
	uint32_t offsets[N + 1], rows[2 * N];
	double values[2 * N];
	snw_factor *factor = NULL;
	fill_path(N, 1, offsets, rows, values);
	assert_int_equal(factor_path(f, offsets, rows, values, &factor), SNW_ERROR_SINGULAR);
	fill_path(N, 2.5, offsets, rows, values);
	rows[3] = N;
	assert_int_equal(factor_path(f, offsets, rows, values, &factor), SNW_ERROR_DATA);
	fill_path(N, 2.5, offsets, rows, values);
	offsets[4] = 1;
	assert_int_equal(factor_path(f, offsets, rows, values, &factor), SNW_ERROR_DATA);
	fill_path(N, 2.5, offsets, rows, values);
	rows[2] = 0; /* above the diagonal */
	assert_int_equal(factor_path(f, offsets, rows, values, &factor), SNW_ERROR_DATA);
	assert_null(factor);
}

/* ---- proposals and thread rules ------------------------------------------------------------------------------------------ */

static snw_status propose_field(const fixture *f, uint32_t owner, const snw_field_view *field) {
	const snw_proposal_service *service = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	const snw_field_proposal proposal = {sizeof proposal, owner, field};
	return service->field(f->host, &proposal);
}

static void unsound_proposals_are_refused(void **state) {
	fixture *f = *state;
	const snw_proposal_service *proposal = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	const uint32_t points = f->scene->meshes[0].point_count;
	double *values = calloc(points, sizeof *values);
	uint32_t *offsets = calloc(points + 1, sizeof *offsets), *slots = calloc(points, sizeof *slots);
	snw_field_view field = {sizeof field, "residual", SNW_DOMAIN_POINTS, 1, points - 1, values};
	assert_true(propose_field(f, 0, &field) < 0);
	field.count = points;
	assert_true(propose_field(f, 7, &field) < 0);
	values[3] = (double)NAN;
	assert_true(propose_field(f, 0, &field) < 0);
	for (uint32_t i = 0; i < points; i++) {
		values[i] = 0.5;
		offsets[i + 1] = i + 1;
	}
	const snw_weights_proposal weights = {sizeof weights, 0, offsets, slots, values};
	assert_true(proposal->weights(f->host, &weights) < 0);
	values[3] = 1;
	const snw_pose_view pose = {.size = sizeof pose, .joint_count = 1, .local = f->scene->skeleton.rest_local};
	snw_pose_proposal of_pose = {sizeof of_pose, "short", &pose};
	assert_true(proposal->pose(f->host, &of_pose) < 0);
	const double seconds[2] = {1, 1};
	const snw_pose_view good = {.size = sizeof good, .joint_count = 3, .local = f->scene->skeleton.rest_local};
	const snw_pose_view *const poses[2] = {&good, &good};
	const snw_track_proposal standing = {sizeof standing, "standing", 2, seconds, poses};
	assert_true(proposal->track(f->host, &standing) < 0);
	const float frames[6] = {0};
	snw_target_proposal of_target = {
		.size = sizeof of_target, .name = "meant", .frame_count = 2, .seconds = seconds, .points_posed = frames};
	assert_int_equal(proposal->target(f->host, &of_target), SNW_ERROR_MISSING);
	of_target.clip = UINT64_MAX;
	assert_int_equal(proposal->target(f->host, &of_target), SNW_ERROR_MISSING);
	of_target.clip = (uint64_t)f->scene->clips[0].id;
	assert_true(proposal->target(f->host, &of_target) < 0); /* its times stand still */
	of_target.mesh = 7;
	assert_int_equal(proposal->target(f->host, &of_target), SNW_ERROR_ARGUMENT);
	assert_int_equal(f->proposals.field_count + f->proposals.skin_count + f->proposals.pose_count + f->proposals.track_count +
						 f->proposals.target_count,
					 0);
	of_pose = (snw_pose_proposal){sizeof of_pose, "good", &good};
	assert_int_equal(proposal->pose(f->host, &of_pose), SNW_OK);
	assert_int_equal(f->proposals.pose_count, 1);
	free(values);
	free(offsets);
	free(slots);
}

static void propose_in_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	(void)begin;
	(void)end;
	fixture *f = argument;
	const snw_proposal_service *proposal = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	proposal->pose(f->host, &(snw_pose_proposal){.size = sizeof(snw_pose_proposal)});
}

static void calls_against_a_thread_rule_are_counted(void **state) {
	fixture *f = *state;
	const snw_memory_service *memory = f->host->service(f->host, SNW_SERVICE_MEMORY);
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	const uint64_t before = snw_thread_violations();
	assert_int_equal(snw_thread_current_call().role, SNW_ROLE_FREE);
	snw_thread_call previous = snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER, .who = "test", .function = "fit"});
	memory->release(f->host, memory->acquire(f->host, 8));
	assert_int_equal(snw_thread_violations(), before);
	const snw_thread_call owner =
		snw_thread_enter((snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = "test", .function = "deform"});
	assert_int_equal(snw_thread_current_call().role, SNW_ROLE_EVALUATION);
	assert_null(memory->acquire(f->host, 8));
	memory->release(f->host, NULL);
	snw_thread_leave(owner);
	assert_int_equal(snw_thread_current_call().role, SNW_ROLE_OWNER);
	assert_int_equal(snw_thread_violations(), before + 2);
	assert_string_equal(snw_thread_last_violation(), "memory.release inside passes, drive, prepare or deform");
	parallel->run(f->host, 3, 1, propose_in_chunk, f);
	assert_int_equal(snw_thread_violations(), before + 5);
	assert_string_equal(snw_thread_last_violation(), "proposal.pose inside a parallel chunk");
	snw_thread_leave(previous);
}

static void set_flag(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)begin, (void)end, (void)thread;
	*(bool *)argument = true;
}

static void services_do_nothing_inside_evaluation(void **state) {
	fixture *f = *state;
	const snw_task_service *task = f->host->service(f->host, SNW_SERVICE_TASK);
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	const snw_solver_service *solver = f->host->service(f->host, SNW_SERVICE_SOLVER);
	const double one = 1;
	bool has_run = false;
	const snw_dense_call dense = {.size = sizeof dense, .n = 1, .matrix = &one};
	snw_factor *factor = NULL;
	const snw_thread_call previous =
		snw_thread_enter((snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = "test", .function = "drive"});
	assert_int_equal(task->progress(f->host, 0.5, "talking"), 1);
	snw_report_line(f->host, SNW_LOG_WARNING, "talking");
	assert_int_equal((task->fail)(f->host, SNW_ERROR_DATA, "talking"), SNW_ERROR_DATA);
	parallel->run(f->host, 1, 1, set_flag, &has_run);
	assert_int_equal(solver->dense(f->host, &dense, &factor), SNW_ERROR_UNSUPPORTED);
	snw_thread_leave(previous);
	assert_int_equal(f->report_count, 0);
	assert_string_equal(f->line, "");
	assert_null(strstr(snw_services_failure(f->services, SNW_ERROR_DATA), "talking"));
	assert_false(has_run);
	assert_null(factor);
}

static const char *watched[8];
static size_t watched_count;

static void note_function(const char *function) {
	watched[watched_count++ % 8] = function;
}

static void do_nothing(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)argument, (void)begin, (void)end, (void)thread;
}

static void watch_is_called_where_a_call_ends_but_not_for_its_chunks(void **state) {
	fixture *f = *state;
	const snw_thread_call call = {.role = SNW_ROLE_OWNER, .who = "test", .function = "fit"};
	snw_thread_watch_functions(note_function);
	const snw_thread_call previous = snw_thread_enter(call);
	snw_thread_function("fit");
	((const snw_parallel_service *)f->host->service(f->host, SNW_SERVICE_PARALLEL))->run(f->host, 100, 1, do_nothing, NULL);
	snw_thread_leave(snw_thread_enter(call)); /* of a layer below */
	assert_int_equal(watched_count, 1);
	snw_thread_leave(previous);
	snw_thread_watch_functions(NULL);
	assert_int_equal(watched_count, 2);
	assert_true(strcmp(watched[0], "fit") == 0 && !watched[1]);
}

#define FIXTURE_TEST(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void) {
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(missing_services_are_null),
		FIXTURE_TEST(contact_finds_pairs_places_and_windings),
		FIXTURE_TEST(lines_and_progress_reach_the_task),
		FIXTURE_TEST(measurements_reach_the_task),
		FIXTURE_TEST(failure_message_is_the_plugins_or_the_statuss),
		FIXTURE_TEST(refused_call_is_the_reason_for_its_own_status_alone),
		FIXTURE_TEST(memory_is_zeroed_aligned_and_counted),
		FIXTURE_TEST(parallel_partition_does_not_depend_on_threads),
		FIXTURE_TEST(report_is_repeated_only_after_a_first_one),
		FIXTURE_TEST(dense_factor_solves_many_sides_in_place),
		FIXTURE_TEST(reciprocal_condition_is_that_of_the_one_norm),
		FIXTURE_TEST(dense_solver_refuses_singular_matrices),
		FIXTURE_TEST(sparse_factor_is_shared_by_threads),
		FIXTURE_TEST(sparse_solver_keeps_blocks_and_a_limit_of_memory),
		FIXTURE_TEST(refactored_factor_has_the_bits_of_a_new_one),
		FIXTURE_TEST(long_factors_repeat_the_last_report),
		FIXTURE_TEST(sparse_solver_names_a_factor_of_too_many_entries),
		FIXTURE_TEST(sparse_solver_refuses_matrices_without_a_factor),
		FIXTURE_TEST(unsound_proposals_are_refused),
		FIXTURE_TEST(calls_against_a_thread_rule_are_counted),
		FIXTURE_TEST(services_do_nothing_inside_evaluation),
		FIXTURE_TEST(watch_is_called_where_a_call_ends_but_not_for_its_chunks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
