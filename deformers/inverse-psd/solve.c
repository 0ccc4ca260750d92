/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of a group's basis functions, for each class of points: equations 2 and 6, and the width of the kernel.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* A kernel system whose reciprocal condition is below this hardly distinguishes its poses. */
#define ILL_CONDITIONED 1e-10

/* Classes that one thread takes at a time. */
enum { CLASS_GRAIN = 8 };

/* The features of one pose of the group: [joint_count][SNK_POSE_FEATURES]. */
static void take_pose(const pose_space *space, uint32_t pose, double *here) {
	const size_t stride = snk_pose_stride(space->pose_count);
	for (size_t i = 0; i < SNK_POSE_FEATURES * (size_t)space->joint_count; i++) {
		here[i] = space->features[i * stride + pose];
	}
}

/* [pose_count][pose_count], as the points of a class see it. */
static void find_distances(const pose_space *space, uint32_t class_index, double *here, double *squares, double *distances) {
	const size_t stride = snk_pose_stride(space->pose_count), count = space->pose_count;
	memset(distances, 0, count * count * sizeof *distances);
	for (size_t a = 0; a < count; a++) {
		take_pose(space, (uint32_t)a, here);
		for (size_t j = 0; j < space->joint_count; j++) {
			const double share = space->shares[class_index * (size_t)space->joint_count + j];
			snk_pose_squared_distances(&space->metrics[j], (uint32_t)stride, space->features + SNK_POSE_FEATURES * stride * j,
									   here + SNK_POSE_FEATURES * j, squares);
			for (size_t b = 0; b < count; b++) {
				distances[a * count + b] += share * squares[b];
			}
		}
		for (size_t b = 0; b < count; b++) {
			distances[a * count + b] = sqrt(distances[a * count + b]);
		}
	}
}

/* The scalar product of two displacements on the same mesh and side of the blend: points ascend in both. */
static double product(const displacement *a, const displacement *b) {
	double sum = 0;
	for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
		if (a->points[i] == b->points[k]) {
			sum += snw_dot3(a->vectors + 3 * (size_t)i++, b->vectors + 3 * (size_t)k++);
		} else if (a->points[i] < b->points[k]) {
			i++;
		} else {
			k++;
		}
	}
	return sum;
}

static void add_products(const displacement *first, uint32_t g, uint32_t count, double *gram) {
	for (const displacement *a = first; a; a = a->next) {
		for (const displacement *b = first; b && a->group == g; b = b->next) {
			if (b->group == g && a->joint == b->joint) {
				gram[(size_t)a->coefficient * count + b->coefficient] += product(a, b);
			}
		}
	}
}

/* Everything that one group's systems need; `here` to `all` are for one class at a time. */
typedef struct solving {
	fitting *f;
	uint32_t g;
	pose_space *space;
	snk_rbf rbf;
	double *here, *squares, *distances, *coordinates, *all;
	double *gram;
	double *weights;     /* become the model's */
	snw_status *results; /* [class_count] */
	double *reciprocals; /* [class_count]: conditions */
} solving;

/* Scratch for one class. */
static void open_class(solving *job, snw_pool *pool) {
	const pose_space *space = job->space;
	const size_t count = space->pose_count, joints = space->joint_count;
	job->here = SNW_POOL_ARRAY(pool, double, SNK_POSE_FEATURES *joints);
	job->squares = SNW_POOL_ARRAY(pool, double, count + 1);
	job->distances = SNW_POOL_ARRAY(pool, double, count *count);
	job->coordinates = SNW_POOL_ARRAY(pool, double, SNK_POSE_COORDINATES *joints *count);
	job->all = SNW_POOL_ARRAY(pool, double, term_count(space) * count);
	job->rbf.distances = job->distances;
	job->rbf.coordinates = job->coordinates;
}

static snw_status open_solving(solving *job, snw_pool *pool) {
	pose_space *space = job->space;
	const size_t coefficients = space->coefficient_count;
	double *features = SNW_POOL_ARRAY(job->f->model_pool, double, feature_count(space)), *ways;
	const uint32_t chosen = (uint32_t)snk_parameter_value(job->f->input, POLYNOMIAL, job->g, SNW_NONE);
	space->kernel = (snk_kernel)snk_parameter_value(job->f->input, KERNEL, job->g, SNW_NONE);
	space->polynomial =
		chosen == POLYNOMIAL_AUTO ? snk_kernel_polynomial(space->kernel) : (snk_polynomial)(chosen - POLYNOMIAL_CHOSEN);
	space->clamps = snk_parameter_value(job->f->input, CLAMP, job->g, SNW_NONE) != 0;
	ways = SNW_POOL_ARRAY(job->f->model_pool, double, way_count(space));
	job->gram = SNW_POOL_ARRAY(pool, double, coefficients *coefficients);
	job->results = SNW_POOL_ARRAY(pool, snw_status, space->class_count);
	job->reciprocals = SNW_POOL_ARRAY(pool, double, space->class_count);
	job->weights = SNW_POOL_ARRAY(job->f->model_pool, double, space->class_count *term_count(space) * coefficients);
	open_class(job, pool);
	if (pool->failed || job->f->model_pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	group_features(space, features);
	space->features = features;
	group_ways(space, ways);
	space->ways = ways;
	job->rbf = (snk_rbf){.kernel = space->kernel,
						 .polynomial = space->polynomial,
						 .smoothing = snk_parameter_value(job->f->input, SMOOTHING, job->g, SNW_NONE),
						 .count = space->pose_count,
						 .distances = job->distances,
						 .coordinates = job->coordinates,
						 .coordinate_count = SNK_POSE_COORDINATES * space->joint_count,
						 .at_rest = rest_pose(space)};
	return SNW_OK;
}

/* The distances and coordinates of the poses for the points of a class. */
static void measure_poses(const solving *job, uint32_t class_index) {
	const pose_space *space = job->space;
	find_distances(space, class_index, job->here, job->squares, job->distances);
	for (uint32_t p = 0; p < space->pose_count; p++) {
		take_pose(space, p, job->here);
		group_coordinates(space, class_index, space->rotation_vectors + 3 * (size_t)p * space->joint_count, job->here,
						  job->coordinates + SNK_POSE_COORDINATES * (size_t)p * space->joint_count);
	}
}

/* The width that is set; or by the examples' distances, or by leave-one-out if there are enough of them. All joints count in
 * full. */
static snw_status find_width(solving *job) {
	const fitting *f = job->f;
	pose_space *space = job->space;
	const double given = snk_parameter_value(f->input, WIDTH, job->g, SNW_NONE);
	space->width = space->kernel == SNK_KERNEL_LINEAR ? 1 : given;
	if (space->width > 0) {
		return SNW_OK;
	}
	const double *shares = space->shares;
	double *ones = SNW_POOL_ARRAY(&job->f->scratch, double, space->joint_count);
	if (!ones) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < space->joint_count; j++) {
		ones[j] = 1;
	}
	space->shares = ones;
	measure_poses(job, 0);
	space->shares = shares;
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		add_products(f->meshes[m].rest.first, job->g, space->coefficient_count, job->gram);
		add_products(f->meshes[m].posed.first, job->g, space->coefficient_count, job->gram);
	}
	job->rbf.width = snk_rbf_width(&job->rbf);
	return snk_rbf_leave_one_out(f->host, &job->rbf, space->coefficient_count, job->gram, &space->width);
}

static snw_status solve_class(const solving *job, uint32_t class_index) {
	const pose_space *space = job->space;
	const size_t terms = term_count(space), count = space->pose_count, coefficients = space->coefficient_count;
	measure_poses(job, class_index);
	job->reciprocals[class_index] = 1;
	const snw_status status = snk_rbf_solve(job->f->host, &job->rbf, job->all, &job->reciprocals[class_index]);
	for (size_t t = 0; !snk_failed(status) && t < terms; t++) {
		memcpy(job->weights + (class_index * terms + t) * coefficients, job->all + t * count, coefficients * sizeof *job->all);
	}
	return status;
}

/* Classes in parallel, each range with its own scratch. */
static void SNW_CALL solve_classes(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	solving job = *(const solving *)argument;
	snw_pool pool = snw_pool_open(job.f->host);
	open_class(&job, &pool);
	for (uint32_t c = begin; c < end; c++) {
		job.results[c] = pool.failed ? SNW_ERROR_MEMORY : solve_class(&job, c);
	}
	snw_pool_release(&pool);
}

static snw_status solve_all(solving *job, double *worst) {
	const uint32_t classes = job->space->class_count;
	snw_status status = SNW_OK;
	snk_ranges_run(job->f->host, classes, CLASS_GRAIN, solve_classes, job);
	for (uint32_t c = 0; !snk_failed(status) && c < classes; c++) {
		status = job->results[c];
		*worst = fmin(*worst, job->reciprocals[c]);
	}
	return status;
}

static snw_status refuse_width(const solving *job, snw_status status) {
	return snw_report_fail(job->f->host, status,
						   "group \"%s\": the poses of its examples are too close for a kernel %g rad wide; set a smaller "
						   "width, or remove an example",
						   job->space->name, job->space->width);
}

snw_status solve_weights(fitting *f, uint32_t g) {
	solving job = {.f = f, .g = g, .space = &f->spaces[g]};
	if (job.space->pose_count == 0) {
		return SNW_OK;
	}
	snw_pool pool = snw_pool_open(f->host);
	double worst = 1;
	snw_status status = open_solving(&job, &pool);
	if (!snk_failed(status)) {
		status = find_width(&job);
		job.rbf.width = job.space->width;
	}
	if (!snk_failed(status)) {
		status = solve_all(&job, &worst);
		status = snk_failed(status) && status != SNW_ERROR_MEMORY ? refuse_width(&job, status) : status;
	}
	job.space->weights = job.weights;
	snw_pool_release(&pool);
	if (!snk_failed(status) && worst < ILL_CONDITIONED) {
		f->ill_conditioned++;
		snw_report_line(f->host, SNW_LOG_WARNING,
						"group \"%s\": a kernel %g rad wide hardly tells its poses apart; set a smaller width", job.space->name,
						job.space->width);
	}
	return snk_failed(status) ? status : SNW_OK;
}
