/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures and viewports are framed by bounds: nothing is read back from the GPU, no mesh is run a second time, and a mesh out
 * of view is not drawn. The linker puts the counting functions below in place of the stack's own (-Wl,--wrap); those of OpenGL
 * are pointers.
 */
#include <GL/glew.h>

#include "graphics.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "render/draw/viewport.h"
#include "render/mesh/gpu_mesh.h"
#include "sample/sample.h"

enum { SIDE = 64 };

static uint32_t runs, readings, drawings, calls, values;

snw_status __real_snw_stack_run(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, float *points,
								snw_error *error);
snw_status __wrap_snw_stack_run(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, float *points,
								snw_error *error);
snw_status __wrap_snw_stack_run(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, float *points,
								snw_error *error) {
	runs++;
	return __real_snw_stack_run(stack, evaluation, mesh, points, error);
}

snw_status __real_snw_stack_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const double *rest,
									  double *points, snw_error *error);
snw_status __wrap_snw_stack_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const double *rest,
									  double *points, snw_error *error);
snw_status __wrap_snw_stack_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const double *rest,
									  double *points, snw_error *error) {
	runs++;
	return __real_snw_stack_reference(stack, evaluation, mesh, rest, points, error);
}

void __real_snw_gpu_mesh_draw(const snw_gpu_mesh *mesh, const snw_materials *materials, const snw_draw_settings *settings,
							  bool blended);
void __wrap_snw_gpu_mesh_draw(const snw_gpu_mesh *mesh, const snw_materials *materials, const snw_draw_settings *settings,
							  bool blended);
void __wrap_snw_gpu_mesh_draw(const snw_gpu_mesh *mesh, const snw_materials *materials, const snw_draw_settings *settings,
							  bool blended) {
	drawings += !blended;
	__real_snw_gpu_mesh_draw(mesh, materials, settings, blended);
}

static PFNGLGETBUFFERSUBDATAPROC read_buffer;

static void GLAPIENTRY count_reading(GLenum target, GLintptr offset, GLsizeiptr size, void *data) {
	readings++;
	read_buffer(target, offset, size, data);
}

static PFNGLDRAWELEMENTSINSTANCEDPROC draw_elements;
static PFNGLGETUNIFORMLOCATIONPROC find_uniform;

static void GLAPIENTRY count_call(GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei instances) {
	calls++;
	draw_elements(mode, count, type, indices, instances);
}

/* A value is sent after its place is asked for. */
static GLint GLAPIENTRY count_value(GLuint program, const GLchar *name) {
	values++;
	return find_uniform(program, name);
}

/* ---- a character --------------------------------------------------------------------------------------------------- */

typedef struct framed {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_arena *arena;
	snw_view view;
} framed;

static framed framed_open(const char *method) {
	framed f = {.arena = snw_arena_create(), .registry = kept_registry()};
	const snw_stack_options options = {.method = method};
	graphics_need();
	check_ok(snw_sample_make("small-arm", &f.scene, &graphics_error), graphics_error);
	check_ok(snw_stack_build(f.scene, f.registry, &options, NULL, &f.stack, &graphics_error), graphics_error);
	f.view = (snw_view){.scene = f.scene,
						.stack = f.stack,
						.pose = snw_pose_view_make(f.scene, &f.scene->poses[f.scene->examples[0].pose], f.arena),
						.flags = SNW_VIEW_GRID,
						.camera = {.yaw = 0.4, .pitch = 0.2}};
	if (!read_buffer) {
		read_buffer = __glewGetBufferSubData;
		__glewGetBufferSubData = count_reading;
	}
	runs = readings = drawings = 0;
	return f;
}

static void framed_close(framed *f) {
	snw_stack_destroy(f->stack);
	snw_scene_destroy(f->scene);
	snw_arena_destroy(f->arena);
}

static void draw(const framed *f) {
	unsigned char *pixels = SNW_NEW_ARRAY(f->arena, unsigned char, 4ul * SIDE * SIDE);
	check_ok(snw_renderer_sheet(graphics_renderer, &f->view, 1, 1, SIDE, SIDE, pixels, NULL, &graphics_error), graphics_error);
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

static void picture_is_framed_without_reading_back_or_running_points_again(void **state) {
	(void)state;
	static const struct {
		const char *method;
		uint32_t runs; /* by the CPU, to be shown */
	} cases[] = {{"linear-blend", 0}, {"dual-quaternion", 0}, {"smooth", 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		framed f = framed_open(cases[i].method);
		draw(&f); /* framed as it is drawn */
		assert_int_equal(runs, cases[i].runs);
		f.view.camera = snw_camera_frame(&f.view, SIDE, SIDE);
		draw(&f);
		assert_int_equal(runs, 2 * cases[i].runs);
		assert_int_equal(readings, 0);
		framed_close(&f);
	}
}

static void points_of_a_black_box_are_run_once_to_be_framed_and_drawn(void **state) {
	(void)state;
	framed f = framed_open("smooth");
	snw_view_run_black_boxes(&f.view, f.arena);
	f.view.camera = snw_camera_frame(&f.view, SIDE, SIDE);
	draw(&f);
	assert_int_equal(runs, 1);
	framed_close(&f);
	f = framed_open("linear-blend");
	snw_view_run_black_boxes(&f.view, f.arena);
	assert_null(f.view.points);
	framed_close(&f);
}

static void part_is_framed_by_its_points_alone(void **state) {
	(void)state;
	framed f = framed_open("smooth");
	const uint32_t count = f.scene->meshes[0].point_count;
	double *mask = SNW_NEW_ARRAY(f.arena, double, count);
	mask[count / 2] = 1;
	const double *const part[] = {mask};
	const snw_camera whole = snw_camera_frame(&f.view, SIDE, SIDE);
	const snw_camera near = snw_camera_frame_all(&f.view, 1, part, SIDE, SIDE);
	assert_true(near.distance < whole.distance / 4);
	assert_int_equal(runs, 0);
	framed_close(&f);
}

static void box_is_seen_until_it_has_left_the_picture_on_any_side(void **state) {
	(void)state;
	const snw_camera camera = {.distance = 10}; /* along -z, 32 degrees: 2.87 m to each side at the target */
	const snw_box here = {{-1, -1, -1}, {1, 1, 1}};
	snw_camera_matrices matrices;
	snw_camera_matrices_make(&camera, 1, &here, &matrices);
	assert_true(snw_camera_sees(&matrices, &here));
	for (int c = 0; c < 2; c++) {
		for (int side = -1; side <= 1; side += 2) {
			snw_box shifted = here;
			shifted.lower[c] += side * 3.5;
			shifted.upper[c] += side * 3.5;
			assert_true(snw_camera_sees(&matrices, &shifted)); /* its edge is in the picture */
			shifted.lower[c] += side * 1;
			shifted.upper[c] += side * 1;
			assert_false(snw_camera_sees(&matrices, &shifted));
		}
	}
	const snw_box behind = {{-1, -1, 11}, {1, 1, 13}}, around = {{-20, -20, -20}, {20, 20, 20}};
	assert_false(snw_camera_sees(&matrices, &behind));
	assert_true(snw_camera_sees(&matrices, &around));
}

static void mesh_out_of_view_is_not_drawn(void **state) {
	(void)state;
	framed f = framed_open("linear-blend");
	f.view.camera = snw_camera_frame(&f.view, SIDE, SIDE);
	draw(&f);
	assert_int_equal(drawings, 1);
	snw_camera_pan(&f.view.camera, 0.4, 0); /* partly */
	draw(&f);
	assert_int_equal(drawings, 2);
	snw_camera_pan(&f.view.camera, 3, 0);
	draw(&f);
	assert_int_equal(drawings, 2);
	framed_close(&f);
}

static void redraw_of_a_viewport_reads_nothing_back(void **state) {
	(void)state;
	framed f = framed_open("linear-blend");
	snw_viewport *viewport;
	const snw_viewport_place place = {.width = SIDE, .height = SIDE};
	f.view.camera = snw_camera_frame(&f.view, SIDE, SIDE);
	check_ok(snw_viewport_create(graphics_renderer, f.scene, 1, NULL, &viewport, &graphics_error), graphics_error);
	check_ok(snw_viewport_pose(viewport, &f.view, &graphics_error), graphics_error);
	bool changed;
	check_ok(snw_viewport_draw(viewport, &f.view, &place, &changed, &graphics_error), graphics_error);
	assert_true(changed);
	assert_int_equal(runs + readings, 0);
	float *points = SNW_NEW_ARRAY(f.arena, float, 3 * (size_t)f.scene->meshes[0].point_count);
	snw_viewport_points(viewport, 0, points);
	assert_int_equal(readings, 1); /* what is read back is counted */
	snw_viewport_destroy(viewport);
	framed_close(&f);
}

/* Of a redraw of so many limbs in a new pose. */
static void count_redraw(uint32_t meshes) {
	framed f = {.arena = snw_arena_create(), .registry = kept_registry(), .scene = snw_scene_create()};
	const snw_limbs_size size = {.points = 100 * meshes, .meshes = meshes, .joints = 3 * meshes};
	const snw_viewport_place place = {.width = SIDE, .height = SIDE};
	snw_viewport *viewport;
	bool changed;
	graphics_need();
	check_ok(snw_limbs_make(f.scene, &size, &graphics_error), graphics_error);
	check_ok(snw_scene_check(f.scene, &graphics_error), graphics_error);
	const snw_stack_options options = {.method = "linear-blend"};
	check_ok(snw_stack_build(f.scene, f.registry, &options, NULL, &f.stack, &graphics_error), graphics_error);
	f.view = (snw_view){.scene = f.scene,
						.stack = f.stack,
						.pose = snw_pose_view_make(f.scene, &f.scene->poses[1], f.arena),
						.flags = SNW_VIEW_GRID,
						.camera = {.target = {0, 0.5, 0}, .distance = 3}};
	check_ok(snw_viewport_create(graphics_renderer, f.scene, 1, NULL, &viewport, &graphics_error), graphics_error);
	draw_elements = __glewDrawElementsInstanced;
	find_uniform = __glewGetUniformLocation;
	__glewDrawElementsInstanced = count_call;
	__glewGetUniformLocation = count_value;
	calls = values = 0;
	check_ok(snw_viewport_pose(viewport, &f.view, &graphics_error), graphics_error);
	check_ok(snw_viewport_draw(viewport, &f.view, &place, &changed, &graphics_error), graphics_error);
	__glewDrawElementsInstanced = draw_elements;
	__glewGetUniformLocation = find_uniform;
	snw_viewport_destroy(viewport);
	framed_close(&f);
}

/* Three calls a mesh: the depth of the key light, the shadow on the ground, the surface. What is the same for all meshes is
 * sent once. */
static void mesh_costs_three_calls_and_only_values_of_its_own(void **state) {
	(void)state;
	enum { FEW = 2, MANY = 50, MOST_VALUES = 16 };
	count_redraw(FEW);
	assert_int_equal(calls, 3 * FEW);
	const uint32_t values_of_few = values;
	count_redraw(MANY);
	assert_int_equal(calls, 3 * MANY);
	assert_true(values - values_of_few <= MOST_VALUES * (MANY - FEW));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(picture_is_framed_without_reading_back_or_running_points_again),
		cmocka_unit_test(points_of_a_black_box_are_run_once_to_be_framed_and_drawn),
		cmocka_unit_test(part_is_framed_by_its_points_alone),
		cmocka_unit_test(box_is_seen_until_it_has_left_the_picture_on_any_side),
		cmocka_unit_test(mesh_out_of_view_is_not_drawn),
		cmocka_unit_test(redraw_of_a_viewport_reads_nothing_back),
		cmocka_unit_test(mesh_costs_three_calls_and_only_values_of_its_own),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
