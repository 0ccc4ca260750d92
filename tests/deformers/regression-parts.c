/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of rotational regression by themselves: the points of a full model solve its equation, as CHOLMOD does; a triangle that
 * collapses in a sample rotates with the blend there; each shell has a fixed point; shells that do not touch are joined
 * last.
 */
#include "check.h"
#include "random.h"
#include "rotational-regression/fit.h"
#include "services/services.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/systems.h"

/* A sheet of SIDE × SIDE points, each square in two triangles. */
enum { SIDE = 9, POINTS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), CHAIN = 3 };

typedef struct parts {
	snw_services *services;
	snw_pool pool;
	double rest[3 * POINTS];
	uint32_t corners[3 * TRIANGLES], offsets[POINTS + 1], slots[2 * POINTS];
	double weights[2 * POINTS];
	regressed_joint joints[CHAIN];
	double palette[12 * CHAIN], globals[12 * CHAIN], vectors[3 * CHAIN];
} parts;

static void make_sheet(uint64_t *random, parts *p) {
	for (uint32_t i = 0; i < POINTS; i++) {
		const uint32_t column = i % SIDE, line = i / SIDE;
		const double x = column / (SIDE - 1.0), y = line / (SIDE - 1.0);
		const double place[3] = {x, y, 0.1 * sin(5 * x) + random_between(random, 0, 0.02)};
		memcpy(p->rest + 3 * i, place, sizeof place);
		p->offsets[i] = 2 * i;
		p->slots[2 * i] = 0;
		p->slots[2 * i + 1] = x > 0.5 ? 1 : 2;
		p->weights[2 * i] = fabs(x - 0.5);
		p->weights[2 * i + 1] = 1 - p->weights[2 * i];
	}
	p->offsets[POINTS] = 2 * POINTS;
	for (uint32_t t = 0; t < TRIANGLES; t++) {
		const uint32_t square = t / 2, a = square / (SIDE - 1) * SIDE + square % (SIDE - 1);
		const uint32_t corners[2][3] = {{a, a + 1, a + SIDE + 1}, {a, a + SIDE + 1, a + SIDE}};
		memcpy(p->corners + 3 * t, corners[t % 2], sizeof corners[0]);
	}
}

static void make_pose(uint64_t *random, parts *p) {
	for (uint32_t j = 0; j < CHAIN; j++) {
		double quaternion[4];
		p->joints[j] = (regressed_joint){.parent = j > 0 ? 0 : SNW_NONE, .bends = 1, .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
		for (int c = 0; c < 3; c++) {
			p->vectors[3 * j + (uint32_t)c] = random_between(random, -1.5, 1.5);
		}
		snw_quat_from_rotation_vector(p->vectors + 3 * (size_t)j, quaternion);
		snw_quat_to_mat34(quaternion, p->globals + 12 * (size_t)j);
		memcpy(p->palette + 12 * (size_t)j, p->globals + 12 * (size_t)j, 12 * sizeof(double));
		for (size_t r = 0; r < 3; r++) {
			p->palette[12 * j + 4 * r + 3] = random_between(random, -0.2, 0.2);
		}
	}
}

static void parts_open(uint64_t *random, parts *p) {
	p->services = snw_services_create(NULL, NULL, NULL, NULL);
	p->pool = snw_pool_open(snw_services_host(p->services));
	make_sheet(random, p);
	make_pose(random, p);
}

static void parts_close(parts *p) {
	snw_pool_release(&p->pool);
	snw_services_destroy(p->services);
}

static snw_pose_view pose_of(const parts *p) {
	return (snw_pose_view){.size = sizeof(snw_pose_view),
						   .joint_count = CHAIN,
						   .slot_count = CHAIN,
						   .global = p->globals,
						   .rotation_vectors = p->vectors,
						   .palette = p->palette};
}

/* ---- the equation -------------------------------------------------------------------------------------------------------- */

typedef struct equation {
	double matrix[POINTS][POINTS], right[3][POINTS];
} equation;

static void add_edge(const parts *p, uint32_t a, uint32_t b, double weight, const double by_columns[9], equation *e) {
	e->matrix[a][a] += weight;
	e->matrix[b][b] += weight;
	e->matrix[a][b] -= weight;
	e->matrix[b][a] -= weight;
	for (size_t c = 0; c < 3; c++) {
		double image = 0;
		for (size_t k = 0; k < 3; k++) {
			image += weight * by_columns[3 * k + c] * (p->rest[3 * b + k] - p->rest[3 * a + k]);
		}
		e->right[c][b] += image;
		e->right[c][a] -= image;
	}
}

/* Fixed points: what is known of them goes to the right side. */
static void fix_points(const unsigned char *is_fixed, const double *blended, equation *e) {
	for (uint32_t i = 0; i < POINTS; i++) {
		for (uint32_t k = 0; is_fixed[i] && k < POINTS; k++) {
			for (size_t c = 0; k != i && c < 3; c++) {
				e->right[c][k] -= e->matrix[k][i] * blended[3 * i + c];
			}
			e->matrix[i][k] = e->matrix[k][i] = 0;
		}
		for (size_t c = 0; is_fixed[i] && c < 3; c++) {
			e->right[c][i] = blended[3 * i + c];
		}
		e->matrix[i][i] = is_fixed[i] ? 1 : e->matrix[i][i];
	}
}

static void state_equation(const parts *p, const regressed_mesh *mesh, const posed_joint *posed, const double *blended,
						   equation *e) {
	memset(e, 0, sizeof *e);
	for (uint32_t i = 0; i < POINTS; i++) {
		e->matrix[i][i] = mesh->pulls[i];
		for (size_t c = 0; c < 3; c++) {
			e->right[c][i] = mesh->pulls[i] * blended[3 * i + c];
		}
	}
	for (uint32_t t = 0; t < TRIANGLES; t++) {
		double gradients[LANES][9];
		predict_gradients(posed, &mesh->groups[t / LANES], LANES, gradients);
		for (uint32_t k = 0; k < 3; k++) {
			add_edge(p, p->corners[3 * t + k], p->corners[3 * t + (k + 1) % 3], mesh->weights[3 * t + k], gradients[t % LANES],
					 e);
		}
	}
	fix_points(mesh->is_fixed, blended, e);
}

/* By the host's factorisation. */
static void solve_directly(const snw_host *host, equation *e) {
	static uint32_t offsets[POINTS + 1], rows[POINTS * POINTS];
	static double values[POINTS * POINTS];
	uint32_t count = 0;
	snk_factor factor = {0};
	for (uint32_t c = 0; c < POINTS; c++) {
		for (uint32_t r = c; r < POINTS; r++) {
			if (e->matrix[r][c] != 0) {
				rows[count] = r;
				values[count++] = e->matrix[r][c];
			}
		}
		offsets[c + 1] = count;
	}
	assert_int_equal(snk_factor_sparse(host, POINTS, offsets, rows, values, &factor), SNW_OK);
	assert_int_equal(snk_factor_solve(&factor, 3, e->right[0]), SNW_OK);
	snk_factor_release(&factor);
}

static predictor make_predictor(uint64_t *random, uint32_t t) {
	predictor made = {.joint_count = 1 + t % 2, .joints = {t % CHAIN, (t + 1) % CHAIN}};
	for (int i = 0; i < 9; i++) {
		made.rotations[i][0] = (float)random_between(random, -0.6, 0.6);
		made.rotations[i][1] = (float)random_between(random, -0.3, 0.3);
		made.shear[SHEAR_COLUMNS - 1][i] = (float)random_between(random, -0.1, 0.1);
	}
	return made;
}

static void must_solve(uint64_t *random, int fixes) {
	static parts p;
	static equation e;
	static predictor predictors[TRIANGLES];
	static double weights[3 * TRIANGLES], pulls[POINTS], memory[13 * POINTS], blended[3 * POINTS];
	unsigned char is_fixed[POINTS] = {0};
	posed_joint posed[CHAIN];
	parts_open(random, &p);
	for (uint32_t t = 0; t < TRIANGLES; t++) {
		predictors[t] = make_predictor(random, t);
	}
	for (uint32_t n = 0; n < 3 * TRIANGLES; n++) {
		weights[n] = fixes ? n % 3 != 1 : random_between(random, 0.05, 10);
	}
	for (uint32_t i = 0; i < POINTS; i++) {
		pulls[i] = fixes ? 0 : pow(10, random_between(random, -3, 2));
		is_fixed[i] = fixes && i % 11 == 0;
	}
	regressed_mesh mesh = {.skin = {POINTS, p.offsets, p.slots, p.weights},
						   .predictor_count = TRIANGLES,
						   .triangle_count = TRIANGLES,
						   .triangles = p.corners,
						   .weights = weights,
						   .is_fixed = is_fixed,
						   .pulls = pulls};
	const snw_model model = {.joint_count = CHAIN, .slot_count = CHAIN, .joints = p.joints, .mesh_count = 1, .meshes = &mesh};
	mesh.groups = group_predictors(&model, TRIANGLES, predictors, &p.pool);
	assert_non_null(mesh.groups);
	const snw_pose_view pose = pose_of(&p);
	const snw_deform_call call = {
		.size = sizeof call, .model = &model, .pose = &pose, .points_below = p.rest, .scratch = posed, .prepared = memory};
	assert_int_equal(prepare(&call), SNW_OK);
	blend_points(&mesh.skin, p.palette, p.rest, 0, POINTS, blended);
	state_equation(&p, &mesh, posed, blended, &e);
	solve_directly(snw_services_host(p.services), &e);
	double most = 0;
	for (size_t n = 0; n < (size_t)3 * POINTS; n++) {
		most = fmax(most, fabs(memory[n] - e.right[n % 3][n / 3]));
	}
	print_message("%s: %.3g\n", fixes ? "fixed" : "soft", most);
	assert_true(most < 6e-5);
	parts_close(&p);
}

/* The sheet's diagonal is 1.4. */
static void points_of_a_full_model_are_those_of_a_direct_solution(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (int round = 0; round < 5; round++) {
		must_solve(&random, round % 2);
	}
}

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* Samples of a sheet, whose points follow its blend unless they are changed. */
typedef struct sheet {
	parts p;
	snw_mesh_view view;
	snw_model model;
	regressed_mesh mesh;
	snw_pose_view pose;
	snk_sample samples[2];
	double posed[2][3 * POINTS];
	uint32_t face_offsets[TRIANGLES + 1];
	mesh_fit fit;
} sheet;

static void sheet_open(uint64_t *random, sheet *s) {
	memset(s, 0, sizeof *s);
	parts_open(random, &s->p);
	for (uint32_t t = 0; t <= TRIANGLES; t++) {
		s->face_offsets[t] = 3 * t;
	}
	s->view = (snw_mesh_view){.size = sizeof s->view,
							  .name = "sheet",
							  .point_count = POINTS,
							  .points_rest = s->p.rest,
							  .face_count = TRIANGLES,
							  .face_offsets = s->face_offsets,
							  .face_points = s->p.corners};
	s->mesh.skin = (snk_base_skin_mesh){POINTS, s->p.offsets, s->p.slots, s->p.weights};
	s->model = (snw_model){.anchors = ANCHORS_FIXED, .joint_count = CHAIN, .slot_count = CHAIN, .joints = s->p.joints};
	s->pose = pose_of(&s->p);
	for (int n = 0; n < 2; n++) {
		blend_points(&s->mesh.skin, s->p.palette, s->p.rest, 0, POINTS, s->posed[n]);
		s->samples[n] = (snk_sample){.pose = &s->pose, .points_posed = s->posed[n]};
	}
	s->fit = (mesh_fit){.host = snw_services_host(s->p.services),
						.model = &s->model,
						.mesh = &s->view,
						.dest = &s->mesh,
						.sample_count = 2,
						.samples = s->samples,
						.diagonal = 1.4};
	assert_int_equal(open_triangles(&s->fit, &s->p.pool), SNW_OK);
}

/* The second sample is in another pose than the first. */
static void collapsed_triangle_rotates_with_the_blend(void **state) {
	(void)state;
	static sheet s;
	uint64_t random = random_seed();
	double gradients[2][9], other[12 * CHAIN];
	sheet_open(&random, &s);
	snw_pose_view pose = s.pose;
	pose.palette = other;
	for (uint32_t j = 0; j < CHAIN; j++) {
		const double vector[3] = {1, 0.5, 0.2};
		double quaternion[4];
		snw_quat_from_rotation_vector(vector, quaternion);
		snw_quat_to_mat34(quaternion, other + 12 * (size_t)j);
	}
	s.samples[1].pose = &pose;
	const uint32_t *corners = s.p.corners + 3 * 7;
	memcpy(s.posed[1] + 3 * (size_t)corners[1], s.posed[1] + 3 * (size_t)corners[0], 3 * sizeof(double));
	assert_int_equal(find_gradients(&s.fit, 7, gradients), 1);
	for (int i = 0; i < 9; i++) {
		assert_true(fabs(gradients[1][i] - other[4 * (i / 3) + i % 3]) < 1e-12); /* all joints rotate alike */
	}
	parts_close(&s.p);
}

/* ---- windings ------------------------------------------------------------------------------------------------------------ */

enum { MOST_FRAMES = 9 };

/* The number by which a follower of a joint is found to rotate, where it rotates by `share` of it. The frames are those of a
 * clip that a fit reads, in which the joint rotates about one axis. */
static double found_share(uint32_t count, const double *degrees, double share) {
	static const double pi = 3.14159265358979323846;
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	const regressed_joint joints[1] = {{.parent = SNW_NONE, .bends = 1}};
	const snw_model model = {.joint_count = 1, .joints = joints};
	const snw_value values[PARAMETER_COUNT] = {[JOINTS] = {.numbers = {1}}, [RIDGE] = {.numbers = {1e-3}}};
	const snw_fit_input input = {.values = values};
	const joint_candidates candidates = {.count = 1};
	const unsigned char is_moved[CHAIN] = {1, 1, 1};
	snk_sample samples[MOST_FRAMES];
	posed_joint posed[MOST_FRAMES];
	double rotations[MOST_FRAMES][4], gradients[MOST_FRAMES][9];
	unsigned char folds[MOST_FRAMES];
	predictor made;
	mesh_fit f = {.host = snw_services_host(services),
				  .input = &input,
				  .model = &model,
				  .sample_count = count,
				  .samples = samples,
				  .posed = posed,
				  .rotations = (const double(*)[4])rotations,
				  .fold_count = 2,
				  .folds = folds,
				  .is_moved = is_moved};
	memset(samples, 0, sizeof samples);
	memset(posed, 0, sizeof posed);
	for (uint32_t s = 0; s < count; s++) {
		const double vector[3] = {0, degrees[s] * pi / 180, 0}, part[3] = {0, share * vector[1], 0};
		double quaternion[4], matrix[12];
		samples[s].continues = s > 0;
		folds[s] = s % 2;
		f.fold_sizes[s % 2]++;
		snw_quat_from_rotation_vector(vector, rotations[s]);
		snw_quat_from_rotation_vector(part, quaternion);
		snw_quat_to_mat34(quaternion, matrix);
		for (int i = 0; i < 9; i++) {
			gradients[s][i] = matrix[4 * (i / 3) + i % 3];
			posed[s].vector[i % 3] = vector[i % 3];
			posed[s].features[9 + i % 3] = (float)vector[i % 3];
		}
	}
	assert_true(fit_predictor(&f, (const double(*)[9])gradients, &candidates, &made, NULL) >= 0);
	assert_int_equal(made.joint_count, 1);
	snw_services_destroy(services);
	return (double)made.rotations[4][0];
}

static void followers_have_the_windings_of_their_joint(void **state) {
	(void)state;
	static const struct {
		uint32_t count;
		double degrees[MOST_FRAMES];
	} clips[] = {
		{5, {-170, -85, 0, 85, 170}}, /* neighbours */
		{2, {-170, 170}},             /* distant frames: nearer to the rest than to each other */
		{3, {100, -100, 90}},         /* the same, about the rest */
		{5, {0, 200, 400, 600, 800}}, /* several turns, nearer to each other than to the rest */
		{9, {0, 90, 180, 270, 360, 450, 540, 630, 720}},
	};
	static const double shares[] = {1, 0.5, 0.9, 0};
	for (size_t c = 0; c < sizeof clips / sizeof *clips; c++) {
		for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
			const double found = found_share(clips[c].count, clips[c].degrees, shares[i]);
			print_message("clip %zu: %.3f of the joint, found %.3f\n", c, shares[i], found);
			assert_true(fabs(found - shares[i]) < 0.01);
		}
	}
}

/* ---- shells -------------------------------------------------------------------------------------------------------------- */

/* Takes the squares of a column of the sheet away: two shells are left, and triangles without area that would join them. */
static void part_sheet(sheet *s) {
	for (uint32_t t = 0; t < TRIANGLES; t++) {
		const uint32_t column = t / 2 % (SIDE - 1);
		for (uint32_t k = 1; column == SIDE / 2 && k < 3; k++) {
			s->p.corners[3 * t + k] = s->p.corners[3 * t] + k % 2; /* a, its neighbour on the other side, and a again */
		}
	}
}

static int is_of_left_shell(uint32_t point) {
	return point % SIDE <= SIDE / 2;
}

static void each_shell_has_a_fixed_point(void **state) {
	(void)state;
	static sheet s;
	static double residuals[POINTS];
	uint64_t random = random_seed();
	sheet_open(&random, &s);
	part_sheet(&s);
	assert_int_equal(open_triangles(&s.fit, &s.p.pool), SNW_OK);
	for (uint32_t i = 0; i < POINTS; i++) { /* the blend is wrong in the right shell, least so at one point */
		residuals[i] = is_of_left_shell(i) ? 0.01 : i == 4 * SIDE + 7 ? 0.9 : 1;
	}
	s.fit.blend_residuals = residuals;
	assert_int_equal(choose_fixed(&s.fit, &s.p.pool), SNW_OK);
	for (uint32_t i = 0; i < POINTS; i++) {
		assert_int_equal(s.fit.is_fixed[i], is_of_left_shell(i) || i == 4 * SIDE + 7);
	}
	parts_close(&s.p);
}

/* A sheet in which no point is fixed and all are of one part. */
static void open_parts(sheet *s, uint32_t of_skeleton[POINTS]) {
	memset(of_skeleton, 0, POINTS * sizeof *of_skeleton);
	s->fit.parts = of_skeleton;
	s->fit.is_fixed = SNW_POOL_ARRAY(&s->p.pool, unsigned char, POINTS);
}

/* What two joints apart would be is one by chance where the samples do not move the joint between them. */
static void parts_of_the_skeleton_are_not_joined(void **state) {
	(void)state;
	static sheet s;
	uint32_t labels[POINTS], of_skeleton[POINTS], count;
	uint64_t random = random_seed();
	clustering *clusters;
	sheet_open(&random, &s);
	open_parts(&s, of_skeleton);
	for (uint32_t i = 0; i < POINTS; i++) {
		of_skeleton[i] = is_of_left_shell(i);
	}
	assert_int_equal(open_triangles(&s.fit, &s.p.pool), SNW_OK);
	assert_int_equal(open_clusters(&s.fit, &s.p.pool, &clusters), SNW_OK);
	assert_int_equal(join_clusters(clusters, 1, labels, &count), SNW_OK);
	assert_int_equal(count, 2);
	for (uint32_t i = 0; i < POINTS; i++) {
		assert_int_equal(labels[i] == labels[0], of_skeleton[i] == of_skeleton[0]);
	}
	parts_close(&s.p);
}

static void shells_that_do_not_touch_are_joined_last(void **state) {
	(void)state;
	static sheet s;
	uint32_t labels[POINTS], of_skeleton[POINTS], count;
	uint64_t random = random_seed();
	clustering *clusters;
	sheet_open(&random, &s);
	open_parts(&s, of_skeleton);
	for (uint32_t t = 0; t < TRIANGLES; t++) { /* no face crosses the column */
		for (uint32_t k = 1; t / 2 % (SIDE - 1) == SIDE / 2 && k < 3; k++) {
			s.p.corners[3 * t + k] = s.p.corners[3 * t];
		}
	}
	assert_int_equal(open_triangles(&s.fit, &s.p.pool), SNW_OK);
	assert_int_equal(open_clusters(&s.fit, &s.p.pool, &clusters), SNW_OK);
	assert_int_equal(join_clusters(clusters, 2, labels, &count), SNW_OK);
	assert_int_equal(count, 2);
	for (uint32_t i = 0; i < POINTS; i++) {
		assert_int_equal(labels[i] == labels[0], is_of_left_shell(i));
	}
	assert_int_equal(join_clusters(clusters, 1, labels, &count), SNW_OK);
	assert_int_equal(count, 1);
	parts_close(&s.p);
}

TEST_GROUP(regression_parts) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(points_of_a_full_model_are_those_of_a_direct_solution),
									   cmocka_unit_test(collapsed_triangle_rotates_with_the_blend),
									   cmocka_unit_test(followers_have_the_windings_of_their_joint),
									   cmocka_unit_test(each_shell_has_a_fixed_point),
									   cmocka_unit_test(parts_of_the_skeleton_are_not_joined),
									   cmocka_unit_test(shells_that_do_not_touch_are_joined_last)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
