/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: the pose spaces, the inverted sculpts, and from them a model.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- classes of points --------------------------------------------------------------------------------------------------- */

/* Classes of points for weighted models: points on which the group's joints have the same influence share their distances, and
 * so their coefficients.
 *
 * A joint's squared distance counts for a point by the joint's influence on it over the largest of any of the group's joints,
 * in steps, so that classes are few; where none of them has any, by 1. No share falls to 0: poses that differ in a joint
 * without influence alone would be the same pose, and both their examples could not be reproduced. */

enum { SHARE_STEPS = 32 };
#define LEAST_SHARE (1.0 / 64)

/* The classes found so far, in a hash table with open addressing: each place holds a class's number + 1. */
typedef struct class_table {
	uint32_t joint_count, count, place_count;
	unsigned char *shares; /* [count][joint_count]: in steps */
	uint32_t *places;      /* [place_count], a power of two */
} class_table;

static void find_shares(const fitting *f, const pose_space *space, const snw_mesh_view *mesh, uint32_t point,
						double *influences, unsigned char *shares) {
	double most = 0;
	for (uint32_t j = 0; j < space->joint_count; j++) {
		influences[j] = 0;
		for (uint32_t n = mesh->influence_offsets ? mesh->influence_offsets[point] : 0;
			 mesh->influence_offsets && n < mesh->influence_offsets[point + 1]; n++) {
			const uint32_t joint = f->input->character->slot_joints[mesh->influence_slots[n]];
			influences[j] += joint == space->joints[j] ? mesh->influence_weights[n] : 0;
		}
		most = fmax(most, influences[j]);
	}
	for (uint32_t j = 0; j < space->joint_count; j++) {
		shares[j] = (unsigned char)(most > 0 ? lround(SHARE_STEPS * fmax(influences[j], 0) / most) : SHARE_STEPS);
	}
}

static uint32_t class_of(class_table *table, const unsigned char *shares) {
	const uint64_t sum = snw_bytes_sum(0, shares, table->joint_count);
	uint32_t place = (uint32_t)(sum ^ sum >> 32) & (table->place_count - 1);
	while (table->places[place] != 0) {
		const uint32_t known = table->places[place] - 1;
		if (memcmp(table->shares + (size_t)known * table->joint_count, shares, table->joint_count) == 0) {
			return known;
		}
		place = (place + 1) & (table->place_count - 1);
	}
	memcpy(table->shares + (size_t)table->count * table->joint_count, shares, table->joint_count);
	table->places[place] = ++table->count;
	return table->count - 1;
}

static snw_status class_items(fitting *f, uint32_t g, class_table *table, double *influences, unsigned char *shares) {
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		for (int is_posed = 0; is_posed < 2; is_posed++) {
			displacement *item = is_posed ? f->meshes[m].posed.first : f->meshes[m].rest.first;
			for (; item; item = item->next) {
				if (item->group != g) {
					continue;
				}
				item->classes = SNW_POOL_ARRAY(&f->scratch, uint32_t, item->count);
				for (uint32_t n = 0; item->classes && n < item->count; n++) {
					find_shares(f, &f->spaces[g], f->input->character->meshes[m], item->points[n], influences, shares);
					item->classes[n] = class_of(table, shares);
				}
			}
		}
	}
	return f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static size_t count_points(const fitting *f, uint32_t g) {
	size_t points = 0;
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		for (int is_posed = 0; is_posed < 2; is_posed++) {
			const displacement *item = is_posed ? f->meshes[m].posed.first : f->meshes[m].rest.first;
			for (; item; item = item->next) {
				points += item->group == g ? item->count : 0;
			}
		}
	}
	return points;
}

static snw_status set_shares(fitting *f, pose_space *space, uint32_t count, const unsigned char *steps) {
	double *shares = SNW_POOL_ARRAY(f->model_pool, double, (size_t)count * space->joint_count);
	for (size_t i = 0; shares && i < (size_t)count * space->joint_count; i++) {
		shares[i] = steps ? fmax((double)steps[i] / SHARE_STEPS, LEAST_SHARE) : 1;
	}
	space->class_count = count;
	space->shares = shares;
	return shares ? SNW_OK : SNW_ERROR_MEMORY;
}

/* Sorts the points that group g moves into classes: fills class_count and shares of its space, and its displacements'
 * classes. */
static snw_status find_classes(fitting *f, uint32_t g) {
	pose_space *space = &f->spaces[g];
	const size_t points = f->is_weighted ? count_points(f, g) : 0;
	if (points == 0) {
		return set_shares(f, space, 1, NULL);
	}
	class_table table = {.joint_count = space->joint_count, .place_count = 2};
	while (table.place_count < 2 * points) {
		table.place_count *= 2;
	}
	snw_pool pool = snw_pool_open(f->host);
	table.shares = SNW_POOL_ARRAY(&pool, unsigned char, points * space->joint_count);
	table.places = SNW_POOL_ARRAY(&pool, uint32_t, table.place_count);
	double *influences = SNW_POOL_ARRAY(&pool, double, space->joint_count);
	unsigned char *shares = SNW_POOL_ARRAY(&pool, unsigned char, space->joint_count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : class_items(f, g, &table, influences, shares);
	status = snk_failed(status) ? status : set_shares(f, space, table.count, table.shares);
	snw_pool_release(&pool);
	return status;
}

/* ---- weights of basis functions ------------------------------------------------------------------------------------------ */

/* The weights of a group's basis functions, for each class of points: equations 2 and 6, and the width of the kernel. */

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

/* Distances and coordinates in which all joints count in full, and the products of the examples' displacements. */
static snw_status compare_examples(solving *job) {
	const fitting *f = job->f;
	pose_space *space = job->space;
	const double *shares = space->shares;
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		add_products(f->meshes[m].rest.first, job->g, space->coefficient_count, job->gram);
		add_products(f->meshes[m].posed.first, job->g, space->coefficient_count, job->gram);
	}
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
	return SNW_OK;
}

/* The width that is set; or by the examples' distances, or by leave-one-out if there are enough of them. */
static snw_status find_width(solving *job) {
	pose_space *space = job->space;
	const double given = snk_parameter_value(job->f->input, WIDTH, job->g, SNW_NONE);
	space->width = space->kernel == SNK_KERNEL_LINEAR ? 1 : given;
	if (space->width > 0) {
		return SNW_OK;
	}
	job->rbf.width = snk_rbf_width(&job->rbf);
	return snk_rbf_leave_one_out(job->f->host, &job->rbf, space->coefficient_count, job->gram, &space->width);
}

/* ---- left-out sculpts ---------------------------------------------------------------------------------------------------- */

/* Left-out sculpts may be farther from what the others say than from the layers below by this factor; chance makes a little of
 * it. */
static const double by_chance = 1.02;

/* The points that any sculpt of the group moves; 0 without memory. */
static size_t moved_count(fitting *f, uint32_t g) {
	size_t count = 0;
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		unsigned char *marks = SNW_POOL_ARRAY(&f->scratch, unsigned char, f->input->character->meshes[m]->point_count);
		for (const displacement *item = f->meshes[m].rest.first; item && marks; item = item->next) {
			for (uint32_t i = 0; item->group == g && i < item->count; i++) {
				count += !marks[item->points[i]];
				marks[item->points[i]] = 1;
			}
		}
	}
	return count;
}

static void compare_left_out(const solving *job, const double *squares) {
	left_out_sculpts *all = &job->f->left_out;
	const uint32_t count = job->space->coefficient_count;
	const double points = fmax((double)moved_count(job->f, job->g), 1);
	for (uint32_t k = 0; k < count; k++) {
		const double others = sqrt(squares[k] / points), below = sqrt(job->gram[(size_t)k * count + k] / points);
		all->count++;
		if (others > by_chance * below) {
			if (others - below > all->others - all->below) {
				all->worst = job->space->names[k];
				all->others = others;
				all->below = below;
			}
			all->worse++;
		}
	}
}

/* What the other sculpts of the group say at the pose of each. All joints count in full, and nothing is clamped. */
static snw_status leave_sculpts_out(solving *job) {
	const uint32_t count = job->space->coefficient_count;
	double *squares = SNW_POOL_ARRAY(&job->f->scratch, double, count);
	if (count < 2 || !squares) {
		return squares ? SNW_OK : SNW_ERROR_MEMORY;
	}
	const snw_status status = snk_rbf_left_out(job->f->host, &job->rbf, count, job->gram, squares);
	if (!snk_failed(status)) {
		compare_left_out(job, squares);
	}
	return status;
}

/* A sculpt is exact whatever the others say, so nothing is shrunk. */
static void report_left_out(const fitting *f) {
	const left_out_sculpts *all = &f->left_out;
	if (all->worse > 0) {
		snw_report_line(
			f->host, SNW_LOG_INFO,
			"%u of %u sculpts, left out, would be worse than with no corrective, most \"%s\": what the others of its "
			"group make is %.3g mm off, no corrective %.3g mm; a sculpt between it and the others helps",
			all->worse, all->count, all->worst, 1e3 * all->others, 1e3 * all->below);
	}
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

/* Solves for the group's weights, and chooses its width if none is set. Call it after inversion and classification. */
static snw_status solve_weights(fitting *f, uint32_t g) {
	solving job = {.f = f, .g = g, .space = &f->spaces[g]};
	if (job.space->pose_count == 0) {
		return SNW_OK;
	}
	snw_pool pool = snw_pool_open(f->host);
	double worst = 1;
	snw_status status = open_solving(&job, &pool);
	status = snk_failed(status) ? status : compare_examples(&job);
	if (!snk_failed(status)) {
		status = find_width(&job);
		job.rbf.width = job.space->width;
	}
	if (!snk_failed(status)) {
		status = leave_sculpts_out(&job);
		status = snk_failed(status) ? status : solve_all(&job, &worst);
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

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* Turns a finished fit into a model: the displacements of each mesh as the arrays of a program, with their data. */

/* The first number of group g in the output of drive. */
static uint32_t first_driven(const fitting *f, uint32_t g) {
	uint32_t first = 0;
	for (uint32_t before = 0; before < g; before++) {
		first += driven_count(&f->spaces[before]);
	}
	return first;
}

/* One mesh's list as the arrays of a program, in the order in which the groups act. */
static snw_status flatten(fitting *f, const displacement_list *list, int is_posed, snw_displacements *flat,
						  const uint32_t **classes) {
	if (list->point_count > UINT32_MAX) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT, "the sculpts move too many points for one model; use fewer examples");
	}
	uint32_t *coefficients = SNW_POOL_ARRAY(f->model_pool, uint32_t, list->count);
	uint64_t *offsets = SNW_POOL_ARRAY(f->model_pool, uint64_t, (size_t)list->count + 1);
	uint32_t *points = SNW_POOL_ARRAY(f->model_pool, uint32_t, list->point_count);
	double *vectors = SNW_POOL_ARRAY(f->model_pool, double, 3 * list->point_count);
	uint32_t *joints = SNW_POOL_ARRAY(f->model_pool, uint32_t, list->count);
	const char **names = SNW_POOL_ARRAY(f->model_pool, const char *, list->count);
	uint32_t *point_classes = f->is_weighted ? SNW_POOL_ARRAY(f->model_pool, uint32_t, list->point_count) : NULL;
	if (f->model_pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t n = 0;
	for (const displacement *item = list->first; item; item = item->next, n++) {
		coefficients[n] = first_driven(f, item->group) + item->coefficient * f->spaces[item->group].class_count;
		joints[n] = item->joint;
		names[n] = f->spaces[item->group].names[item->coefficient];
		offsets[n + 1] = offsets[n] + item->count;
		memcpy(points + offsets[n], item->points, item->count * sizeof *points);
		memcpy(vectors + 3 * offsets[n], item->vectors, 3 * (size_t)item->count * sizeof *vectors);
		if (f->is_weighted && item->classes) {
			memcpy(point_classes + offsets[n], item->classes, item->count * sizeof *points);
		}
	}
	*classes = point_classes;
	*flat = (snw_displacements){.size = sizeof *flat,
								.count = list->count,
								.coefficients = coefficients,
								.offsets = offsets,
								.points = points,
								.vectors = vectors,
								.joints = is_posed ? joints : NULL,
								.names = names};
	return SNW_OK;
}

snw_status copy_skin(snw_pool *pool, const snw_mesh_view *mesh, correction *corrective) {
	snk_base_skin_mesh skin;
	const snw_status status = snk_base_skin_copy_mesh(mesh, pool, &skin);
	corrective->influence_offsets = skin.offsets;
	corrective->influence_slots = skin.slots;
	corrective->influence_weights = skin.weights;
	return status;
}

static snw_status gather_meshes(fitting *f, snw_model *model) {
	const snw_character_view *character = f->input->character;
	correction *meshes = SNW_POOL_ARRAY(f->model_pool, correction, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		meshes[m].point_count = character->meshes[m]->point_count;
		status = flatten(f, &f->meshes[m].rest, 0, &meshes[m].rest, &meshes[m].rest_classes);
		status = snk_failed(status) ? status : flatten(f, &f->meshes[m].posed, 1, &meshes[m].posed, &meshes[m].posed_classes);
		status = snk_failed(status) ? status : copy_skin(f->model_pool, character->meshes[m], &meshes[m]);
		model->has_posed |= f->meshes[m].posed.count > 0;
	}
	model->mesh_count = character->mesh_count;
	model->meshes = meshes;
	return status;
}

static snw_status copy_joint_names(fitting *f, snw_model *model) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	const char **names = SNW_POOL_ARRAY(f->model_pool, const char *, skeleton->joint_count);
	for (uint32_t j = 0; names && j < skeleton->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = SNW_POOL_ARRAY(f->model_pool, char, bytes);
		if (name) {
			memcpy(name, skeleton->names[j], bytes);
		}
		names[j] = name;
	}
	model->joint_count = skeleton->joint_count;
	model->joint_names = names;
	return f->model_pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status gather_inverted(fitting *f, snw_model *model) {
	inverted *all = SNW_POOL_ARRAY(f->model_pool, inverted, f->inverted_count);
	for (uint32_t i = 0; all && i < f->inverted_count; i++) {
		const uint32_t g = f->inverted_groups[i];
		all[i] = f->inverted[i];
		all[i].coefficient = first_driven(f, g) + all[i].coefficient * f->spaces[g].class_count;
	}
	model->inverted_count = f->inverted_count;
	model->inverted = all;
	return all ? SNW_OK : SNW_ERROR_MEMORY;
}

/* The displacements of all meshes, the joints' names and the inversions as parts of the model. */
static snw_status gather_model(fitting *f, snw_model *model) {
	model->is_weighted = f->is_weighted;
	model->group_count = f->group_count;
	model->groups = f->spaces;
	model->coefficient_count = first_driven(f, f->group_count);
	snw_status status = gather_meshes(f, model);
	status = snk_failed(status) ? status : copy_joint_names(f, model);
	status = snk_failed(status) ? status : gather_inverted(f, model);
	return snk_failed(status) ? status : list_coefficient_examples(f->model_pool, model);
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

static void find_rotation_joints(const snw_character_view *character, const snw_mesh_view *mesh, uint32_t *rotation_joints) {
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		uint32_t slot;
		double weight;
		rotation_joints[i] = snk_largest_influences(mesh, i, 1, &slot, &weight) > 0 ? character->slot_joints[slot] : SNW_NONE;
	}
}

/* All examples as the only group; NULL without memory. */
static const snw_group_view *const *group_of_all(fitting *f) {
	const uint32_t count = f->input->example_count;
	snw_group_view *group = SNW_POOL_ARRAY(&f->scratch, snw_group_view, 1);
	snw_member_view *members = SNW_POOL_ARRAY(&f->scratch, snw_member_view, count);
	const snw_member_view **list = SNW_POOL_ARRAY(&f->scratch, const snw_member_view *, count);
	const snw_group_view **groups = SNW_POOL_ARRAY(&f->scratch, const snw_group_view *, 1);
	if (f->scratch.failed) {
		return NULL;
	}
	for (uint32_t e = 0; e < count; e++) {
		members[e] = (snw_member_view){.size = sizeof *members, .example = e};
		list[e] = &members[e];
	}
	*group = (snw_group_view){.size = sizeof *group, .name = "all", .member_count = count, .members = list};
	groups[0] = group;
	return groups;
}

/* Without groups, all examples are one. */
static snw_status open_groups(fitting *f) {
	const snw_fit_input *input = f->input;
	f->group_count = input->group_count;
	f->groups = input->groups;
	if (input->group_count == 0) {
		f->group_count = 1;
		f->groups = group_of_all(f);
	}
	for (uint32_t e = 0; !f->scratch.failed && e < input->example_count; e++) {
		int grouped = 0;
		for (uint32_t g = 0; g < f->group_count; g++) {
			grouped |= group_has(f->groups[g], e);
		}
		if (!grouped) {
			snw_report_line(f->host, SNW_LOG_WARNING,
							"example \"%s\" is in no group and is not used; add it to one with 'example join'",
							input->examples[e]->name);
		}
	}
	size_t members = 0;
	for (uint32_t g = 0; f->groups && g < f->group_count; g++) {
		members += f->groups[g]->member_count;
	}
	f->inverted = SNW_POOL_ARRAY(&f->scratch, inverted, members);
	f->inverted_groups = SNW_POOL_ARRAY(&f->scratch, uint32_t, members);
	f->spaces = SNW_POOL_ARRAY(f->model_pool, pose_space, f->group_count);
	f->member_coefficients = SNW_POOL_ARRAY(&f->scratch, uint32_t *, f->group_count);
	return f->model_pool->failed || f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status open_meshes(fitting *f) {
	const snw_character_view *character = f->input->character;
	uint32_t most = 0;
	f->meshes = SNW_POOL_ARRAY(&f->scratch, mesh_state, character->mesh_count);
	for (uint32_t m = 0; f->meshes && m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = character->meshes[m];
		mesh_state *state = &f->meshes[m];
		most = mesh->point_count > most ? mesh->point_count : most;
		*state = (mesh_state){.diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count),
							  .rotation_joints = SNW_POOL_ARRAY(&f->scratch, uint32_t, mesh->point_count),
							  .residual = SNW_POOL_ARRAY(&f->scratch, double, mesh->point_count),
							  .conditioning = SNW_POOL_ARRAY(&f->scratch, double, mesh->point_count)};
		if (f->scratch.failed) {
			break;
		}
		find_rotation_joints(character, mesh, state->rotation_joints);
	}
	for (uint32_t e = 0; !f->scratch.failed && e < f->input->example_count; e++) {
		f->meshes[f->input->examples[e]->mesh].has_examples = 1;
	}
	f->matrices = SNW_POOL_ARRAY(&f->scratch, double, 12 * (size_t)(f->is_weighted ? most : MATRIX_BLOCK));
	f->posed = SNW_POOL_ARRAY(&f->scratch, double, 3 * (size_t)most);
	return f->scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void propose_fields(const fitting *f) {
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		if (f->meshes[m].has_examples) {
			const uint32_t points = f->input->character->meshes[m]->point_count;
			snk_field_propose(f->host, m, "residual", SNW_DOMAIN_POINTS, points, f->meshes[m].residual);
			snk_field_propose(f->host, m, "conditioning", SNW_DOMAIN_POINTS, points, f->meshes[m].conditioning);
		}
	}
}

static snw_status fit_group(fitting *f, uint32_t g) {
	const double begun = snk_clock_seconds();
	snw_status status = find_pose_space(f, g);
	const double posed = snk_clock_seconds();
	status = snk_failed(status) ? status : invert_group(f, g);
	const double done = snk_clock_seconds();
	status = snk_failed(status) ? status : find_classes(f, g);
	status = snk_failed(status) ? status : solve_weights(f, g);
	f->seconds.poses += posed - begun;
	f->seconds.inversion += done - posed;
	f->seconds.functions += snk_clock_seconds() - done;
	return status;
}

static void report_seconds(const fitting *f) {
	const part_seconds *t = &f->seconds;
	const snw_measured_number numbers[] = {{"poses", t->poses, "s"},
										   {"inversion", t->inversion, "s"},
										   {"closed form", t->closed_form, "s"},
										   {"basis functions", t->functions, "s"}};
	snw_report_measurements(f->host, "time", numbers, sizeof numbers / sizeof *numbers);
}

static snw_status run(fitting *f, snw_model *model) {
	snw_status status = open_groups(f);
	status = snk_failed(status) ? status : open_meshes(f);
	for (uint32_t g = 0; !snk_failed(status) && g < f->group_count; g++) {
		status = fit_group(f, g);
	}
	status = snk_failed(status) ? status : gather_model(f, model);
	if (!snk_failed(status)) {
		propose_fields(f);
		report_left_out(f);
		report_seconds(f);
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	fitting f = {.host = instance->host,
				 .input = input,
				 .model_pool = &made->pool,
				 .scratch = snw_pool_open(instance->host),
				 .is_weighted = input->values[WEIGHTED].numbers[0] != 0};
	snw_status status = run(&f, made);
	status = !snk_failed(status) && f.ill_conditioned > 0 ? SNW_ILL_CONDITIONED : status;
	snw_pool_release(&f.scratch);
	return snk_model_finish(status, made, model);
}
