/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverts sculpts through a stack of which only its effect on points is known (equation 9).
 *
 * If each point depends on itself alone, points are inverted one by one in lockstep, by Newton steps, by Powell's method, or
 * by these in turn. If the stack couples neighbours, the whole mesh is one unknown, whichever solver is set: detail wider
 * than the stack's reach is inverted to within COUPLED of the sculpt. What a solver cannot reach goes into w, the gap that
 * remains with d: the example is reproduced exactly either way.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/inversion/inversion.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The tolerance for the whole mesh, in units of the longest edit. */
#define COUPLED 1e-4

/* How far a point may go then, in the same units: a stack that couples neighbours blurs, and inverting detail that it has
 * removed amplifies it. */
#define COUPLED_LONGEST 4.0

/* The most calls of the black box for one example. Some are made outside the solvers: to choose the joints, to find what
 * earlier groups leave, at the start, and to find the effect of d. */
enum { MOST_NAMED = 5 }; /* points in a warning */
enum { MOST_CALLS = 400, MOST_NEWTON_CALLS = 60, OTHER_CALLS = 4 };

/* Some of a mesh's points, in ascending order, as a problem for the solvers. */
typedef struct selection {
	inversion *in;
	const snw_below_service *below;
	uint32_t count;
	uint32_t *points;     /* [count]: of the mesh */
	uint32_t *called;     /* [count]: those of a call, as points of the mesh */
	double *rest, *posed; /* [count][3]: the current points, and where the layers below take them */
	double *targets;      /* [count][3] */
	double *jacobians;    /* [count][9] */
	unsigned char *fates; /* [count] */
} selection;

static const snw_example_view *example_of(const inversion *in) {
	return in->f->input->examples[in->example];
}

static double diagonal_of(const inversion *in) {
	const double diagonal = in->f->meshes[example_of(in)->mesh].diagonal;
	return diagonal > 0 ? diagonal : 1;
}

static selection open_selection(inversion *in, uint32_t count, snw_pool *pool) {
	return (selection){.in = in,
					   .below = in->f->host->service(in->f->host, SNW_SERVICE_BELOW),
					   .count = count,
					   .points = SNW_POOL_ARRAY(pool, uint32_t, count),
					   .called = SNW_POOL_ARRAY(pool, uint32_t, count),
					   .rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)count),
					   .posed = SNW_POOL_ARRAY(pool, double, 3 * (size_t)count),
					   .targets = SNW_POOL_ARRAY(pool, double, 3 * (size_t)count),
					   .jacobians = SNW_POOL_ARRAY(pool, double, 9 * (size_t)count),
					   .fates = SNW_POOL_ARRAY(pool, unsigned char, count)};
}

/* The black box, as the solvers call it. */
static snw_status deform_selected(void *context, uint32_t count, const uint32_t *points, const double *rest, double *posed) {
	selection *picked = context;
	const snw_example_view *example = example_of(picked->in);
	const int is_whole = count == picked->in->mesh->point_count;
	for (uint32_t n = 0; n < count; n++) {
		picked->called[n] = picked->points[points[n]];
	}
	const snw_below_call call = {.size = sizeof call,
								 .mesh = example->mesh,
								 .pose_count = 1,
								 .poses = &example->pose,
								 .count = count,
								 .indices = is_whole ? NULL : picked->called,
								 .points_rest = rest,
								 .points_posed = posed};
	return picked->below->deform(picked->in->f->host, &call);
}

static int report_call(void *context, uint32_t calls) {
	(void)calls;
	const inversion *in = ((const selection *)context)->in;
	return snw_report_progress(in->f->host, in->progress, "inverting sculpts");
}

/* `calls` were made before. */
static snk_lockstep problem_of(selection *picked, uint32_t calls) {
	return (snk_lockstep){.host = picked->in->f->host,
						  .count = picked->count,
						  .targets = picked->targets,
						  .size = diagonal_of(picked->in),
						  .tolerance = NEGLIGIBLE_RESIDUAL,
						  .ratio = picked->in->f->input->values[REGULARISATION].numbers[0],
						  .longest = LONGEST,
						  .call_limit = MOST_CALLS - OTHER_CALLS - calls,
						  .context = picked,
						  .deform = deform_selected,
						  .go_on = report_call};
}

static void SNW_CALL find_conditioning(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const selection *picked = argument;
	for (uint32_t i = begin; i < end; i++) {
		const double *jacobian = picked->jacobians + 9 * (size_t)i;
		double inverse[9];
		snk_svd3 svd;
		if (snk_svd3_inverse(jacobian, picked->in->f->input->values[REGULARISATION].numbers[0], LONGEST, inverse)) {
			picked->in->conditioning[i] = snk_svd3_condition_of(jacobian);
		} else {
			snk_svd3_compute(jacobian, &svd);
			picked->in->conditioning[i] = snk_svd3_condition(&svd);
		}
	}
}

/* All points of the mesh, with their Jacobians; from these, their conditioning. */
static snw_status select_all(selection *picked, uint32_t *calls) {
	inversion *in = picked->in;
	for (uint32_t i = 0; i < picked->count; i++) {
		picked->points[i] = i;
	}
	memcpy(picked->rest, in->rest, 3 * (size_t)picked->count * sizeof *picked->rest);
	memcpy(picked->posed, in->posed, 3 * (size_t)picked->count * sizeof *picked->posed);
	for (size_t c = 0; c < 3 * (size_t)picked->count; c++) {
		picked->targets[c] = in->posed[c] + in->gap[c];
	}
	const snk_lockstep problem = problem_of(picked, 0);
	const snw_status status = snk_lockstep_differences(&problem, picked->rest, picked->posed, picked->jacobians, calls);
	if (!snk_failed(status)) {
		snk_ranges_run(in->f->host, picked->count, POINT_GRAIN, find_conditioning, picked);
	}
	return status;
}

static void copy_point(const selection *from, uint32_t n, selection *to, uint32_t at) {
	to->points[at] = from->points[n];
	memcpy(to->rest + 3 * (size_t)at, from->rest + 3 * (size_t)n, 3 * sizeof *to->rest);
	memcpy(to->posed + 3 * (size_t)at, from->posed + 3 * (size_t)n, 3 * sizeof *to->posed);
	memcpy(to->targets + 3 * (size_t)at, from->targets + 3 * (size_t)n, 3 * sizeof *to->targets);
	memcpy(to->jacobians + 9 * (size_t)at, from->jacobians + 9 * (size_t)n, 9 * sizeof *to->jacobians);
	to->fates[at] = from->fates[n];
}

static int is_wanted(const selection *from, int only_unsolved, uint32_t n) {
	const double *gap = from->in->gap + 3 * (size_t)from->points[n];
	return only_unsolved ? from->fates[n] == SNK_LOCKSTEP_UNSOLVED : gap[0] != 0 || gap[1] != 0 || gap[2] != 0;
}

/* The points of a larger selection that are wanted: edited ones, or those that a solver did not solve. If all are wanted,
 * *to is *from. */
static snw_status select_some(const selection *from, int only_unsolved, selection *to, snw_pool *pool) {
	uint32_t count = 0;
	for (uint32_t n = 0; n < from->count; n++) {
		count += is_wanted(from, only_unsolved, n) ? 1 : 0;
	}
	if (count == from->count) {
		*to = *from;
		return SNW_OK;
	}
	*to = open_selection(from->in, count, pool);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t n = 0, at = 0; n < from->count; n++) {
		if (is_wanted(from, only_unsolved, n)) {
			copy_point(from, n, to, at++);
		}
	}
	return SNW_OK;
}

/* The result for a selection becomes d. */
static void SNW_CALL read_offsets_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const selection *picked = argument;
	const inversion *in = picked->in;
	for (size_t n = begin; n < end; n++) {
		const size_t i = picked->points[n];
		double *d = in->rest_offsets + 3 * i;
		for (size_t c = 0; c < 3; c++) {
			d[c] = picked->rest[3 * n + c] - in->rest[3 * i + c];
		}
		if (snw_length3(d) <= NEGLIGIBLE_RESIDUAL * diagonal_of(in)) {
			memset(d, 0, 3 * sizeof *d);
		}
	}
}

static void read_offsets(selection *picked) {
	snk_ranges_run(picked->in->f->host, picked->count, POINT_GRAIN, read_offsets_range, picked);
}

static snw_status run_powell(selection *picked, uint32_t calls, snk_lockstep_result *result) {
	const snk_lockstep problem = problem_of(picked, calls);
	const snw_status status = snk_lockstep_powell(&problem, picked->rest, picked->posed, picked->fates, result);
	if (!snk_failed(status)) {
		read_offsets(picked);
	}
	return status;
}

/* The first of the points that a solver did not solve: "points 3, 17, 20, …". */
static void list_unsolved(const selection *picked, char *list, size_t size) {
	uint32_t count = 0;
	size_t used = 0;
	list[0] = 0;
	for (uint32_t n = 0; n < picked->count && count <= MOST_NAMED && used < size; n++) {
		if (picked->fates[n] == SNK_LOCKSTEP_UNSOLVED) {
			const char *join = count == 0 ? "" : ", ";
			const int wrote = count == MOST_NAMED ? snprintf(list + used, size - used, "%s…", join)
												  : snprintf(list + used, size - used, "%s%u", join, picked->points[n]);
			used += wrote > 0 ? (size_t)wrote : 0;
			count++;
		}
	}
}

static void warn_unsolved(const inversion *in, const selection *picked, uint32_t count) {
	char list[120];
	list_unsolved(picked, list, sizeof list);
	snw_report_line(in->f->host, SNW_LOG_WARNING,
					"example \"%s\": %u points could not be inverted completely; the rest is added after the layers below "
					"(points %s)",
					example_of(in)->name, count, list);
}

/* Newton, and Powell for the points that it does not solve, or one of them alone. */
static snw_status invert_each(const selection *all, uint32_t calls, snw_pool *pool) {
	const inversion *in = all->in;
	const int solver = (int)in->f->input->values[SOLVER].numbers[0];
	selection edited, unsolved;
	snk_lockstep_result newton = {0}, powell = {0};
	snw_status status = select_some(all, 0, &edited, pool);
	if (!snk_failed(status) && solver == SOLVER_POWELL) {
		status = run_powell(&edited, calls, &powell);
	} else if (!snk_failed(status)) {
		snk_lockstep problem = problem_of(&edited, calls);
		problem.call_limit = MOST_NEWTON_CALLS;
		status = snk_lockstep_newton(&problem, edited.rest, edited.posed, edited.jacobians, edited.fates, &newton);
		if (!snk_failed(status)) {
			read_offsets(&edited);
		}
		if (!snk_failed(status) && solver == SOLVER_AUTO && newton.unsolved > 0) {
			status = select_some(&edited, 1, &unsolved, pool);
			status = snk_failed(status) ? status : run_powell(&unsolved, calls + newton.calls, &powell);
		}
	}
	const uint32_t failures = solver == SOLVER_NEWTON ? newton.unsolved : powell.unsolved;
	if (!snk_failed(status)) {
		snw_report_line(in->f->host, SNW_LOG_INFO,
						"example \"%s\": %u points inverted in %u calls (%u for differences, %u by Newton, %u by Powell)",
						example_of(in)->name, edited.count, calls + newton.calls + powell.calls, calls, newton.calls,
						powell.calls);
	}
	if (!snk_failed(status) && failures > 0) {
		warn_unsolved(in, solver == SOLVER_AUTO && newton.unsolved > 0 ? &unsolved : &edited, failures);
	}
	return status;
}

/* The mean distance from the targets, over the points that the sculpt moves. */
static double mean_left(const inversion *in, const snk_lockstep *problem, const double *posed) {
	double sum = 0;
	uint32_t count = 0;
	for (size_t i = 0; i < problem->count; i++) {
		double left[3];
		for (size_t c = 0; c < 3; c++) {
			left[c] = problem->targets[3 * i + c] - posed[3 * i + c];
		}
		const int is_edited = snw_length3(in->gap + 3 * i) > 0;
		sum += is_edited ? snw_length3(left) : 0;
		count += (uint32_t)is_edited;
	}
	return count > 0 ? sum / count : 0;
}

/* The whole mesh at once; points that the group may not move are fixed. */
static snw_status invert_coupled(selection *all, uint32_t calls, snw_pool *pool) {
	const inversion *in = all->in;
	unsigned char *fixed = SNW_POOL_ARRAY(pool, unsigned char, all->count);
	if (!fixed) {
		return SNW_ERROR_MEMORY;
	}
	double longest = 0;
	for (uint32_t i = 0; i < all->count; i++) {
		double every;
		fixed[i] = share_at(in, i, &every) <= 0;
		longest = fmax(longest, snw_length3(in->gap + 3 * (size_t)i));
	}
	snk_lockstep problem = problem_of(all, calls);
	problem.longest = COUPLED_LONGEST;
	problem.tolerance = fmax(COUPLED * longest / problem.size, NEGLIGIBLE_RESIDUAL);
	snk_lockstep_result result;
	const snw_status status = snk_lockstep_coupled(&problem, fixed, all->rest, all->posed, all->jacobians, all->fates, &result);
	if (!snk_failed(status)) {
		read_offsets(all);
		snw_report_line(in->f->host, SNW_LOG_INFO,
						"example \"%s\": the layers below couple neighbouring points; inverted in %u calls, and %.2g %% of the "
						"sculpt's longest edit is added after them in the mean, at most %.2g %%",
						example_of(in)->name, calls + result.calls,
						longest > 0 ? 100 * mean_left(in, &problem, all->posed) / longest : 0,
						longest > 0 ? 100 * result.worst / longest : 0);
	}
	return status;
}

static void SNW_CALL move_rest(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const selection *all = argument;
	for (size_t c = 3 * (size_t)begin; c < 3 * (size_t)end; c++) {
		all->rest[c] = all->in->rest[c] + all->in->rest_offsets[c];
	}
}

static void SNW_CALL find_posed_offsets(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const selection *all = argument;
	const inversion *in = all->in;
	for (size_t i = begin; i < end; i++) {
		double *w = in->posed_offsets + 3 * i;
		for (size_t c = 0; c < 3; c++) {
			w[c] = in->posed[3 * i + c] + in->gap[3 * i + c] - all->posed[3 * i + c];
		}
		if (!(snw_length3(w) > NEGLIGIBLE_RESIDUAL * diagonal_of(in))) {
			memset(w, 0, 3 * sizeof *w);
		}
	}
}

/* w, from the actual effect of d. */
static snw_status find_remainder(selection *all) {
	const inversion *in = all->in;
	snk_ranges_run(in->f->host, all->count, POINT_GRAIN, move_rest, all);
	const snw_status status = find_posed(in->f, in->example, all->rest, all->posed);
	if (!snk_failed(status)) {
		snk_ranges_run(in->f->host, all->count, POINT_GRAIN, find_posed_offsets, all);
	}
	return status;
}

/* d from the last fit, if the inputs are the same and the black box still gives the same result: it may have changed
 * although its values and Jacobians at the start are the same. */
static snw_status reuse_previous(selection *all, uint64_t input_sum, uint32_t calls, int *taken) {
	inversion *in = all->in;
	uint64_t result_sum;
	*taken = find_previous(in, input_sum, &result_sum);
	if (!*taken) {
		return SNW_OK;
	}
	const snw_status status = find_remainder(all);
	*taken = !snk_failed(status) && sum_result(in) == result_sum;
	if (*taken) {
		snw_report_line(in->f->host, SNW_LOG_INFO,
						"example \"%s\": unchanged since the last fit; its inversion is reused (%u calls)",
						example_of(in)->name, calls + 1);
	} else {
		memcpy(all->rest, in->rest, 3 * (size_t)all->count * sizeof *all->rest);
		memcpy(all->posed, in->posed, 3 * (size_t)all->count * sizeof *all->posed);
		memset(in->rest_offsets, 0, 3 * (size_t)all->count * sizeof *in->rest_offsets);
	}
	return status;
}

static snw_status invert_anew(selection *all, uint32_t calls, snw_pool *pool) {
	const inversion *in = all->in;
	const int is_coupled = all->below->rings(in->f->host, example_of(in)->mesh) > 0;
	const snw_status status = is_coupled ? invert_coupled(all, calls, pool) : invert_each(all, calls, pool);
	return snk_failed(status) ? status : find_remainder(all);
}

snw_status invert_black_box(inversion *in) {
	snw_pool pool = snw_pool_open(in->f->host);
	selection all = open_selection(in, in->mesh->point_count, &pool);
	uint32_t calls = 0;
	int taken = 0;
	uint64_t input_sum = 0;
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : select_all(&all, &calls);
	if (!snk_failed(status)) {
		input_sum = sum_inputs(in, all.jacobians);
		status = reuse_previous(&all, input_sum, calls, &taken);
	}
	if (!snk_failed(status) && !taken) {
		status = invert_anew(&all, calls, &pool);
	}
	if (!snk_failed(status)) {
		record_inversion(in, input_sum);
	}
	snw_pool_release(&pool);
	return status;
}
