/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The float evaluator in every combination: blends, influences, displacements, points that share their sets and points that do
 * not, small meshes and large ones, with normals, with every instruction set, on several numbers of threads. Each within 1e-5
 * of the truth; any number of threads the same bits; and nothing allocated.
 */
#include "fixture.h"
#include "mesh/mesh.h"
#include "program/packed.h"
#include "task/task.h"

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
/* Every way to memory that is this library's own ends in one of these. */
static unsigned allocation_count;

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes) {
	__atomic_add_fetch(&allocation_count, 1, __ATOMIC_RELAXED);
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
	__atomic_add_fetch(&allocation_count, 1, __ATOMIC_RELAXED);
	return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
	__atomic_add_fetch(&allocation_count, 1, __ATOMIC_RELAXED);
	return __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
	__atomic_add_fetch(&allocation_count, 1, __ATOMIC_RELAXED);
	return __libc_memalign(alignment, bytes);
}
#define ALLOCATIONS_ARE_COUNTED 1
#else
static const unsigned allocation_count = 0;
#define ALLOCATIONS_ARE_COUNTED 0
#endif

static const uint32_t thread_counts[] = {1, 2, 3};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

typedef struct expected {
	double *points, *normals_rest, *normals;
} expected;

static expected expect(uint64_t seed, const fixture *f) {
	const size_t numbers = 3 * (size_t)f->program.point_count;
	uint64_t random = seed + 99;
	expected truth = {.points = fixture_truth(f),
					  .normals_rest = SNW_NEW_ARRAY(f->arena, double, numbers),
					  .normals = SNW_NEW_ARRAY(f->arena, double, numbers)};
	for (size_t i = 0; i < f->program.point_count; i++) {
		random_direction(&random, truth.normals_rest + 3 * i);
	}
	snw_program_reference_normals(&f->program, &f->input, truth.normals_rest, truth.normals);
	return truth;
}

/* Runs with one instruction set on each number of threads. */
static void check_kernels(const fixture *f, const expected *truth, snw_packed_program *packed, float *const points[2],
						  float *const normals[2]) {
	const size_t numbers = 3 * (size_t)f->program.point_count;
	const double tolerance = 1e-5 * fixture_diagonal(&f->program);
	for (int t = 0; t < THREAD_COUNTS; t++) {
		snw_parallel_threads(thread_counts[t]);
		const unsigned before = allocation_count;
		snw_program_run_with_normals(packed, &f->input, NULL, points[t > 0], normals[t > 0]);
		snw_program_run(packed, &f->input, NULL, points[t > 0]);
		assert_int_equal(allocation_count, before);
		if (t > 0) {
			assert_memory_equal(points[0], points[1], numbers * sizeof **points);
			assert_memory_equal(normals[0], normals[1], numbers * sizeof **normals);
		}
	}
	for (size_t i = 0; i < numbers; i++) {
		check_near(points[0][i], truth->points[i], tolerance);
		check_near(normals[0][i], truth->normals[i], 2e-5);
	}
}

static void check_combination(uint64_t seed, const fixture_options *o) {
	fixture f = fixture_make(seed, o);
	const size_t numbers = 3 * (size_t)o->point_count;
	float *points[2], *normals[2];
	for (int i = 0; i < 2; i++) {
		points[i] = SNW_NEW_ARRAY(f.arena, float, numbers);
		normals[i] = SNW_NEW_ARRAY(f.arena, float, numbers);
	}
	const expected truth = expect(seed, &f);
	snw_packed_program *packed = snw_program_pack_with_normals(&f.program, truth.normals_rest);
	uint32_t kernel_count;
	const snw_kernels *const *kernels = snw_kernels_available(&kernel_count);
	for (uint32_t k = 0; k < kernel_count; k++) {
		packed->kernels = kernels[k];
		check_kernels(&f, &truth, packed, points, normals);
	}
	snw_packed_program_destroy(packed);
	fixture_destroy(&f);
}

/* `kind` counts the kinds of palettes: signs as given, shortest, given dual quaternions, joints that stretch. */
static fixture_options combination(int32_t blend, uint32_t influences, uint32_t displaced, bool shared, uint32_t kind) {
	const bool is_dual = blend == SNW_BLEND_DUAL_QUATERNION;
	return (fixture_options){
		.point_count = 900 + influences,
		.slot_count = shared ? 14 : 700,
		.least_influences = influences == 0 ? 1 : influences,
		.most_influences = influences == 0 ? 5 : influences,
		.blend = blend,
		.sign_rule = kind % 2 ? SNW_SIGN_SHORTEST : SNW_SIGN_AS_GIVEN,
		.dual_quaternion_palette = is_dual && kind == 2,
		.largest_angle = 0.6,
		.rest_displacements = displaced & 1 ? 5 : 0,
		.posed_displacements = displaced & 2 ? 4 : 0,
		.scale = is_dual && kind == 3 ? 0.3 : 0,
	};
}

static void run_equals_truth_in_every_combination(void **state) {
	(void)state;
	static const uint32_t influences[] = {0, 1, 2, 3, 4, 8, 12};
	const uint64_t seed = random_seed();
	uint32_t count = 0;
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		for (size_t n = 0; n < sizeof influences / sizeof *influences; n++) {
			for (uint32_t displaced = 0; displaced < 4; displaced++) {
				for (int shared = 0; shared < 2; shared++) {
					const fixture_options o = combination(blend, influences[n], displaced, shared, (displaced + n) % 4);
					check_combination(seed + count++, &o);
				}
			}
		}
	}
	snw_parallel_threads(0);
	assert_true(!ALLOCATIONS_ARE_COUNTED || allocation_count > count);
	print_message("%u combinations; allocations %s\n", count, ALLOCATIONS_ARE_COUNTED ? "counted" : "not counted here");
}

/* More points than one tile has, and more than are written through the caches. */
static void run_of_large_meshes_equals_truth(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options o = combination(blend, 0, 3, blend % 2, 1);
		o.point_count = 70001;
		check_combination(seed, &o);
	}
	fixture_options o = combination(SNW_BLEND_LINEAR, 2, 0, true, 0);
	o.point_count = 262144 + 5;
	check_combination(seed, &o);
	snw_parallel_threads(0);
}

/* Two triangles that a linear blend folds: their points' normals are those of the posed faces. */
static void run_with_face_normals_uses_the_deformed_faces(void **state) {
	(void)state;
	fixture_options o = combination(SNW_BLEND_LINEAR, 2, 3, true, 0);
	o.point_count = 4;
	fixture f = fixture_make(5, &o);
	const uint32_t offsets[] = {0, 3, 6}, corners[] = {0, 1, 2, 2, 1, 3};
	const snw_mesh mesh = {.point_count = 4,
						   .points_rest = f.program.points_rest,
						   .face_count = 2,
						   .face_offsets = offsets,
						   .face_points = corners};
	snw_normal_plan *plan = snw_normal_plan_create(&mesh);
	snw_packed_program *packed = snw_program_pack(&f.program);
	float points[12], normals[12];
	snw_program_run_with_face_normals(packed, &f.input, NULL, plan, points, normals);
	const unsigned before = allocation_count;
	snw_program_run_with_face_normals(packed, &f.input, NULL, plan, points, normals);
	assert_int_equal(allocation_count, before);
	const double *truth = fixture_truth(&f);
	double areas[2][3], sum[3];
	for (int face = 0; face < 2; face++) {
		double a[3], b[3];
		for (size_t c = 0; c < 3; c++) {
			const size_t first = 3 * (size_t)corners[3 * face] + c;
			a[c] = truth[3 * (size_t)corners[3 * face + 1] + c] - truth[first];
			b[c] = truth[3 * (size_t)corners[3 * face + 2] + c] - truth[first];
		}
		snw_cross3(a, b, areas[face]);
	}
	for (int c = 0; c < 3; c++) {
		sum[c] = areas[0][c] + areas[1][c];
	}
	snw_normalize3(areas[0]);
	snw_normalize3(areas[1]);
	snw_normalize3(sum);
	for (int c = 0; c < 3; c++) {
		check_near(normals[c], areas[0][c], 1e-4);
		check_near(normals[3 + c], sum[c], 1e-4);
		check_near(normals[9 + c], areas[1][c], 1e-4);
	}
	snw_packed_program_destroy(packed);
	snw_normal_plan_destroy(plan);
	fixture_destroy(&f);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_equals_truth_in_every_combination),
		cmocka_unit_test(run_of_large_meshes_equals_truth),
		cmocka_unit_test(run_with_face_normals_uses_the_deformed_faces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
