/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of the fits of mesh animations: every instruction set of this machine gives the bits of the plain one.
 */
#include "check.h"

#include "motion/kernels.h"
#include "random.h"
#include "services/services.h"

extern const snk_lane_kernels snk_lane_kernels_baseline;
#if defined(__x86_64__)
extern const snk_lane_kernels snk_lane_kernels_avx2, snk_lane_kernels_avx512;
#endif

enum { POINTS = 37, FRAMES = 19, JOINTS = 6, BLOCKS = 3, COURSES = 3 };

typedef struct subject {
	snw_services *services;
	snw_pool pool;
	snk_motion motion;
	snk_influences influences;
	snk_blend_graph graph;
	snk_lanes *matrices, *duals; /* of all blocks */
	snk_lanes *courses;
	snk_mesh_normals rings;
} subject;

static void fill(uint64_t *random, size_t count, snk_lanes *dest) {
	for (size_t i = 0; i < count; i++) {
		for (int lane = 0; lane < SNK_LANES; lane++) {
			dest[i][lane] = random_between(random, -1, 1);
		}
	}
}

static void put_influences(subject *s, uint64_t *random) {
	uint32_t *offsets = SNW_POOL_ARRAY(&s->pool, uint32_t, POINTS + 1),
			 *joints = SNW_POOL_ARRAY(&s->pool, uint32_t, 3 * POINTS);
	double *weights = SNW_POOL_ARRAY(&s->pool, double, (size_t)3 * POINTS);
	for (uint32_t i = 0; i < POINTS; i++) {
		double sum = 0;
		const uint32_t first = offsets[i], count = 1 + i % 3;
		offsets[i + 1] = first + count;
		for (uint32_t k = first; k < first + count; k++) {
			joints[k] = (i + k - first) % JOINTS;
			weights[k] = 1.1 + random_between(random, -1, 1);
			sum += weights[k];
		}
		for (uint32_t k = first; k < first + count; k++) {
			weights[k] /= sum;
		}
	}
	s->influences = (snk_influences){POINTS, JOINTS, offsets, joints, weights};
}

/* Triangles and quads over the points as they come. */
static void put_rings(subject *s) {
	uint32_t *face_offsets = SNW_POOL_ARRAY(&s->pool, uint32_t, POINTS + 1);
	uint32_t *face_points = SNW_POOL_ARRAY(&s->pool, uint32_t, 4 * POINTS), *faces = SNW_POOL_ARRAY(&s->pool, uint32_t, POINTS);
	uint32_t *offsets = SNW_POOL_ARRAY(&s->pool, uint32_t, POINTS + 1);
	for (uint32_t i = 0; i < POINTS; i++) {
		const uint32_t corners = 3 + i % 2;
		for (uint32_t k = 0; k < corners; k++) {
			face_points[face_offsets[i] + k] = (i + 5 * k) % POINTS;
		}
		face_offsets[i + 1] = face_offsets[i] + corners;
		faces[i] = (7 * i) % POINTS;
		offsets[i + 1] = i; /* the last one has two faces, the first none */
	}
	offsets[POINTS] = POINTS;
	s->rings = (snk_mesh_normals){offsets, faces, face_offsets, face_points, s->motion.points_rest};
}

static void open_subject(subject *s, uint64_t *random) {
	*s = (subject){.services = snw_services_create(NULL, NULL, NULL, NULL)};
	const snw_host *host = snw_services_host(s->services);
	s->pool = snw_pool_open(host);
	double *rest = SNW_POOL_ARRAY(&s->pool, double, (size_t)3 * POINTS);
	float *posed = SNW_POOL_ARRAY(&s->pool, float, (size_t)3 * POINTS * FRAMES);
	const float *frames[FRAMES];
	for (size_t i = 0; i < (size_t)3 * POINTS; i++) {
		rest[i] = random_between(random, -1, 1);
	}
	for (size_t f = 0; f < FRAMES; f++) {
		frames[f] = posed + 3 * POINTS * f;
		for (size_t i = 0; i < (size_t)3 * POINTS; i++) {
			posed[3 * POINTS * f + i] = (float)(rest[i] + 0.1 * random_between(random, -1, 1));
		}
	}
	assert_int_equal(snk_motion_make(&s->pool, POINTS, rest, FRAMES, frames, &s->motion), SNW_OK);
	put_influences(s, random);
	assert_int_equal(snk_blend_graph_make(host, s->motion.points_rest, &s->influences, &s->graph), SNW_OK);
	s->matrices = SNW_POOL_ARRAY(&s->pool, snk_lanes, 12 * JOINTS * BLOCKS);
	s->duals = SNW_POOL_ARRAY(&s->pool, snk_lanes, 8 * JOINTS * BLOCKS);
	s->courses = SNW_POOL_ARRAY(&s->pool, snk_lanes, COURSES * BLOCKS);
	fill(random, (size_t)12 * JOINTS * BLOCKS, s->matrices);
	fill(random, (size_t)8 * JOINTS * BLOCKS, s->duals);
	fill(random, (size_t)COURSES * BLOCKS, s->courses);
	put_rings(s);
}

static void close_subject(subject *s) {
	snk_blend_graph_drop(&s->graph);
	snw_pool_release(&s->pool);
	snw_services_destroy(s->services);
}

/* What all kernels write, one after another. */
typedef struct output {
	snk_lanes targets[JOINTS][12], squares[3];
	snk_lanes blocks[4][64 * JOINTS * JOINTS], right[4][3 * 8 * JOINTS];
	snk_lanes distances[4][POINTS];
	snk_lanes columns[2][3 * BLOCKS * JOINTS], mixed[3 * BLOCKS];
	double gram[JOINTS * JOINTS], slopes[JOINTS], column_squares[JOINTS];
	snk_lanes gaps[4][POINTS * 3 * BLOCKS], linear[4][POINTS * 9 * BLOCKS], errors[3 * BLOCKS], products[COURSES * BLOCKS];
	snk_lanes scratch[12 * BLOCKS];
	double along[COURSES][3], vectors[POINTS][COURSES][3];
	snk_lanes cosines[2][POINTS];
} output;

static void run_equations(const snk_lane_kernels *k, const subject *s, uint64_t seed, output *o) {
	const snk_lane_matrix *matrices = (const snk_lane_matrix *)s->matrices;
	const snk_lane_dual_quaternion *duals = (const snk_lane_dual_quaternion *)s->duals;
	snk_lane_vector centres[JOINTS];
	fill(&seed, 3 * JOINTS, centres[0]);
	k->target_moments(&s->motion, &s->graph, 1, o->targets, &o->squares[0]);
	o->squares[1] = o->squares[0];
	k->rigid_equations(&s->graph, matrices, (const snk_lane_matrix *)o->targets, o->blocks[0], o->right[0], &o->squares[1]);
	k->dual_linear_equations(&s->motion, &s->graph, 0, duals, (const snk_lane_vector *)centres, o->blocks[1], o->right[1]);
	k->dual_equations(&s->motion, &s->graph, 0, duals, (const snk_lane_vector *)centres, o->blocks[2], o->right[2]);
	for (uint32_t n = 0; n < 3; n++) {
		const uint32_t size = 6 + n;
		for (uint32_t place = 0; place < JOINTS; place++) {
			for (uint32_t i = 0; i < size; i++) {
				o->blocks[n][(size_t)place * size * size + (size_t)i * (size + 1)] += 0.1;
			}
		}
		k->factor(&s->graph, size, o->blocks[n]);
		k->solve(&s->graph, size, o->blocks[n], 1, o->right[n]);
	}
}

static void run_points(const snk_lane_kernels *k, const subject *s, output *o) {
	const uint32_t joints[] = {4, 0, 2}, chosen[] = {2, 0};
	const double weights[] = {0.5, 0.3, 0.2};
	const size_t length = (size_t)3 * BLOCKS;
	k->linear_distances(&s->motion, &s->influences, 0, (const snk_lane_matrix *)s->matrices, 3, POINTS, o->distances[0]);
	k->dual_distances(&s->motion, &s->influences, 0, (const snk_lane_dual_quaternion *)s->duals, 3, POINTS, o->distances[1]);
	k->linear_columns(&s->motion, s->matrices, JOINTS, 5, JOINTS, NULL, o->columns[0]);
	k->dual_columns(&s->motion, &s->influences, s->duals, JOINTS, 5, 3, joints, o->columns[1]);
	k->column_gram(length, 2, o->columns[0], chosen, o->gram);
	k->column_slopes(length, JOINTS, o->columns[0], 3, joints, weights, o->mixed, o->slopes, o->column_squares);
}

static void run_details(const snk_lane_kernels *k, const subject *s, output *o) {
	k->blend_gaps(&s->motion, &s->influences, 12, s->matrices, 7, 9, o->gaps[0], o->linear[0]);
	k->blend_gaps(&s->motion, &s->influences, 8, s->duals, 7, 9, o->gaps[1], o->linear[1]);
	k->rest_errors(BLOCKS, o->linear[0], 1e-4, o->gaps[0], o->errors);
	k->along_courses(BLOCKS, COURSES, s->courses, o->errors, o->products, o->along);
	memcpy(o->vectors[0], o->along, sizeof o->along);
	k->fit_details(BLOCKS, o->linear[0], COURSES, s->courses, o->gaps[0], o->scratch, o->vectors[0]);
	k->detailed_distances(&s->motion, &s->influences, 12, s->matrices, 0, 0, POINTS, 1, s->courses, o->vectors[0][0],
						  o->distances[2]);
	k->detailed_distances(&s->motion, &s->influences, 8, s->duals, 0, 0, POINTS, 1, s->courses, o->vectors[0][0],
						  o->distances[3]);
}

static void run_normals(const snk_lane_kernels *k, const subject *s, output *o) {
	k->normal_maps(&s->motion, &s->rings, &s->graph, 1, o->right[3]);
	k->normal_rotations(&s->motion, &s->rings, &s->graph, 1, s->duals, o->blocks[3], o->right[3]);
	k->normal_gaps(&s->motion, &s->rings, &s->influences, 9, s->matrices, 3, POINTS, o->gaps[2], o->linear[2]);
	k->normal_gaps(&s->motion, &s->rings, &s->influences, 4, s->duals, 3, POINTS, o->gaps[3], o->linear[3]);
	k->normal_cosines(&s->motion, &s->rings, &s->influences, 9, s->matrices, 2, 0, POINTS, 1, s->courses, s->motion.points_rest,
					  o->cosines[0]);
	k->normal_cosines(&s->motion, &s->rings, &s->influences, 4, s->duals, 2, 0, POINTS, 0, NULL, NULL, o->cosines[1]);
}

static output *run_all(const snk_lane_kernels *kernels, const subject *s, uint64_t seed) {
	output *o = aligned_alloc(64, (sizeof *o + 63) / 64 * 64);
	memset(o, 0, sizeof *o);
	run_equations(kernels, s, seed, o);
	run_points(kernels, s, o);
	run_details(kernels, s, o);
	run_normals(kernels, s, o);
	return o;
}

static uint32_t find_sets(const snk_lane_kernels *sets[3]) {
	uint32_t count = 0;
	sets[count++] = &snk_lane_kernels_baseline;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		sets[count++] = &snk_lane_kernels_avx2;
	}
	if (__builtin_cpu_supports("avx512f")) {
		sets[count++] = &snk_lane_kernels_avx512;
	}
#endif
	return count;
}

static void kernels_give_the_same_bits_on_every_instruction_set(void **state) {
	(void)state;
	uint64_t random = random_seed();
	const snk_lane_kernels *sets[3];
	const uint32_t count = find_sets(sets);
	for (int n = 0; n < 20; n++) {
		subject s;
		open_subject(&s, &random);
		const uint64_t seed = random_next(&random);
		output *plain = run_all(sets[0], &s, seed);
		for (uint32_t i = 1; i < count; i++) {
			output *other = run_all(sets[i], &s, seed);
			if (memcmp(plain, other, sizeof *plain) != 0) {
				size_t at = 0;
				while (((char *)plain)[at] == ((char *)other)[at]) {
					at++;
				}
				fail_msg("%s differs from %s at byte %zu of the output", sets[i]->name, sets[0]->name, at);
			}
			free(other);
		}
		free(plain);
		close_subject(&s);
	}
	print_message("%u instruction sets\n", count);
}

/* Vectors over given courses: none of the inputs may make the result worse, and the best vector of one course is found at
 * once. */
static void details_fitted_to_gaps_never_leave_more(void **state) {
	(void)state;
	uint64_t random = random_seed();
	const snk_lane_kernels *k = snk_lane_kernels_best();
	for (int n = 0; n < 100; n++) {
		snk_lanes linear[9 * BLOCKS], gaps[3 * BLOCKS], courses[COURSES * BLOCKS], scratch[12 * BLOCKS];
		double vectors[COURSES][3], before = 0, after = 0;
		fill(&random, (size_t)9 * BLOCKS, linear);
		fill(&random, (size_t)3 * BLOCKS, gaps);
		fill(&random, (size_t)COURSES * BLOCKS, courses);
		for (int i = 0; i < COURSES * 3; i++) {
			vectors[i / 3][i % 3] = 100 * random_between(&random, -1, 1);
		}
		for (int i = 0; i < 3 * BLOCKS * SNK_LANES; i++) {
			before += gaps[i / SNK_LANES][i % SNK_LANES] * gaps[i / SNK_LANES][i % SNK_LANES];
		}
		k->fit_details(BLOCKS, linear, COURSES, courses, gaps, scratch, vectors);
		for (int i = 0; i < 3 * BLOCKS * SNK_LANES; i++) {
			const int block = i / 3 / SNK_LANES, r = i / SNK_LANES % 3, lane = i % SNK_LANES;
			double residual = gaps[3 * block + r][lane];
			for (int v = 0; v < COURSES * 3; v++) {
				residual -=
					linear[9 * block + 3 * r + v % 3][lane] * courses[BLOCKS * (v / 3) + block][lane] * vectors[v / 3][v % 3];
			}
			after += residual * residual;
		}
		assert_true(after < before);
	}
}

TEST_GROUP(motion_kernels) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_give_the_same_bits_on_every_instruction_set),
		cmocka_unit_test(details_fitted_to_gaps_never_leave_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
