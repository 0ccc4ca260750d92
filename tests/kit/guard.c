/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The guard of fits.
 */
#include "check.h"

#include "base/arena.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "services/services.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/skin/skins.h"
#include "tiny_arm.h"

enum { GUARDED_JOINT = 1 };

/* Whether the joint has the point's largest weight. */
static bool is_of_joint(const snw_mesh_view *mesh, const uint32_t *slot_joints, uint32_t point) {
	uint32_t best = mesh->influence_offsets[point];
	for (uint32_t k = best; k < mesh->influence_offsets[point + 1]; k++) {
		best = mesh->influence_weights[k] > mesh->influence_weights[best] ? k : best;
	}
	return slot_joints[mesh->influence_slots[best]] == GUARDED_JOINT;
}

/* A guard over one mesh; what was learned is beside the blend where the joint rotates. */
typedef struct guarded {
	snw_scene *scene;
	snw_services *services;
	snw_pool pool;
	const snw_character_view *character;
	const snw_mesh_view *mesh;
	snk_sample *samples;
	double *posed, *strengths;
	snk_guard guard;
	double off_alone; /* metres, with the joint rotated by more than `off_from` radians alone */
	double off_from;
	double off_left_out; /* learned without a fold, in any pose */
	bool is_left_out;
	uint32_t learned_count;
} guarded;

static snw_status SNW_CALL place_beside(const void *learned, const snw_pose_view *pose, double *below, double *points) {
	const guarded *g = learned;
	const snw_mesh_view *mesh = g->mesh;
	const double angle = snw_length3(pose->rotation_vectors + 3 * GUARDED_JOINT);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		snk_blend_point(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, pose->palette, i,
						mesh->points_rest + 3 * (size_t)i, below + 3 * (size_t)i);
		memcpy(points + 3 * (size_t)i, below + 3 * (size_t)i, 3 * sizeof *points);
		if (is_of_joint(mesh, g->character->slot_joints, i)) {
			points[3 * (size_t)i + 1] += (angle > g->off_from ? g->off_alone : 0) + (g->is_left_out ? g->off_left_out : 0);
		}
	}
	return SNW_OK;
}

static snw_status SNW_CALL learn_again(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned) {
	guarded *g = SNW_POOL_ARRAY(pool, guarded, 1);
	assert_int_equal(out->sample_count, 2);
	*g = *(const guarded *)context;
	g->is_left_out = true;
	((guarded *)context)->learned_count += 1 + 10 * out->fold;
	*learned = g;
	return SNW_OK;
}

/* Samples are `along` metres from the blend everywhere, with the joint rotated by `angle`. */
static void open_guarded(guarded *g, uint32_t count, double angle, double along, int axis) {
	*g = (guarded){.scene = tiny_arm(), .services = snw_services_create(NULL, NULL, NULL, NULL)};
	snw_arena *arena = g->scene->arena;
	g->pool = snw_pool_open(snw_services_host(g->services));
	g->character = snw_character_view_make(g->scene, arena);
	g->mesh = g->character->meshes[0];
	snw_pose *pose = snw_pose_rest(g->scene, arena);
	const double vector[3] = {0, 0, angle};
	memcpy(pose->rotation_vectors + 3 * GUARDED_JOINT, vector, sizeof vector);
	double quaternion[4];
	snw_quat_from_rotation_vector(vector, quaternion);
	snw_quat_multiply(g->scene->skeleton.rest_local[GUARDED_JOINT].rotation, quaternion, pose->local[GUARDED_JOINT].rotation);
	const snw_pose_view *view = snw_pose_view_make(g->scene, pose, arena);
	g->posed = SNW_POOL_ARRAY(&g->pool, double, 3 * (size_t)g->mesh->point_count);
	g->strengths = SNW_POOL_ARRAY(&g->pool, double, g->mesh->point_count);
	g->samples = SNW_POOL_ARRAY(&g->pool, snk_sample, count);
	place_beside(g, view, g->posed, SNW_POOL_ARRAY(&g->pool, double, 3 * (size_t)g->mesh->point_count));
	for (size_t i = 0; i < g->mesh->point_count; i++) {
		g->posed[3 * i + (size_t)axis] += along;
	}
	for (uint32_t s = 0; s < count; s++) {
		g->samples[s] = (snk_sample){.pose = view, .points_posed = g->posed};
	}
	g->guard = (snk_guard){.host = snw_services_host(g->services),
						   .character = g->character,
						   .sample_count = count,
						   .samples = g->samples,
						   .place = place_beside,
						   .learned = g,
						   .block_count = 1,
						   .few = SNK_GUARD_FEW,
						   .unseen = SNK_GUARD_UNSEEN,
						   .learn_without = learn_again,
						   .context = g};
}

static void close_guarded(guarded *g) {
	snw_pool_release(&g->pool);
	snw_services_destroy(g->services);
	snw_scene_destroy(g->scene);
}

static double joint_share(const guarded *g, uint32_t point) {
	double share = 0;
	for (uint32_t k = g->mesh->influence_offsets[point]; k < g->mesh->influence_offsets[point + 1]; k++) {
		const uint32_t slot = g->mesh->influence_slots[k];
		share += g->character->slot_joints[slot] == GUARDED_JOINT ? g->mesh->influence_weights[k] : 0;
	}
	return share;
}

/* Returns how many points are shrunk, all by the joint's share of them. */
static uint32_t check_strengths(const guarded *g, double strength) {
	uint32_t shrunk = 0;
	assert_int_equal(snk_guard_find(&g->guard, g->strengths), SNW_OK);
	for (uint32_t i = 0; i < g->mesh->point_count; i++) {
		const double expected = 1 - joint_share(g, i) * (1 - strength);
		check_near(g->strengths[i], expected < 0.95 ? expected : 1, 1e-3);
		shrunk += g->strengths[i] < 1;
	}
	return shrunk;
}

static void guard_shrinks_what_goes_farther_than_the_samples(void **state) {
	(void)state;
	guarded g;
	open_guarded(&g, 1, 1.2, 0.01, 0);
	g.off_alone = 0.1;
	const uint32_t shrunk = check_strengths(&g, 2.0 / 13 * 0.01 / 0.1);
	assert_true(shrunk > 0 && shrunk < g.mesh->point_count);
	snk_base_skin_mesh base, skin;
	assert_int_equal(snk_base_skin_copy_mesh(g.mesh, &g.pool, &base), SNW_OK);
	skin = base;
	assert_int_equal(snk_guard_skin(g.mesh, g.strengths, 4, 0, &g.pool, &skin), SNW_OK);
	for (uint32_t i = 0; i < g.mesh->point_count; i++) { /* the same weights mixed are the same */
		double sum = 0;
		for (uint32_t k = skin.offsets[i]; k < skin.offsets[i + 1]; k++) {
			sum += skin.weights[k];
			for (uint32_t n = base.offsets[i]; n < base.offsets[i + 1]; n++) {
				check_near(skin.slots[k] == base.slots[n] ? skin.weights[k] - base.weights[n] : 0, 0, 1e-9);
			}
		}
		check_near(sum, 1, 1e-9);
	}
	close_guarded(&g);
}

static void guard_rotates_joints_to_their_limits(void **state) {
	(void)state;
	guarded g;
	double limits[] = {0, 0, 0, 0, 0, 0, 0, 0};
	open_guarded(&g, 1, 0.01, 0.01, 0);
	g.off_alone = 0.1;
	g.off_from = 0.5;                                                   /* more than the limit, less than without one */
	assert_true(check_strengths(&g, 0.25 * 2.0 / 13 * 0.01 / 0.1) > 0); /* no sample has rotated the joint by a degree */
	snw_skeleton_view skeleton = *g.character->skeleton;
	snw_character_view limited = *g.character;
	assert_true(skeleton.joint_count <= sizeof limits / sizeof *limits);
	limits[GUARDED_JOINT] = 0.4;
	skeleton.limits = limits;
	limited.skeleton = &skeleton;
	g.guard.character = &limited;
	assert_int_equal(check_strengths(&g, 1), 0);
	close_guarded(&g);
}

/* Left-out samples are 10 mm from the blend; what was learned without them is 10 mm too far, or points away from them. */
static void guard_shrinks_what_left_out_samples_refute(void **state) {
	(void)state;
	guarded g;
	open_guarded(&g, 4, 1.2, 0.01, 1);
	g.guard.block_count = SNK_GUARD_BLOCKS;
	g.off_left_out = 0.02; /* as far off as the blend is */
	assert_int_equal(check_strengths(&g, 1), 0);
	assert_int_equal(g.learned_count, 2 + 10);
	g.off_left_out = -0.04; /* to the other side */
	assert_true(check_strengths(&g, 0) > 0);
	close_guarded(&g);
}

/* A refit has the strengths of the fit; those of a region that no sample had moved are 1 once one does. */
static void strengths_are_kept_where_samples_had_moved_points(void **state) {
	(void)state;
	guarded g;
	snk_guard_region found[8];
	for (int was_moved = 0; was_moved < 2; was_moved++) {
		open_guarded(&g, 1, 1.2, was_moved ? 0.01 : 0, 0);
		assert_true(g.character->skeleton->joint_count <= sizeof found / sizeof *found);
		g.off_alone = 0.1;
		g.guard.regions = found;
		assert_int_equal(snk_guard_find(&g.guard, g.strengths), SNW_OK);
		double *kept = SNW_POOL_ARRAY(&g.pool, double, g.mesh->point_count);
		assert_int_equal(snk_guard_keep(&g.guard, found, kept), SNW_OK);
		assert_memory_equal(kept, g.strengths, g.mesh->point_count * sizeof *kept);
		for (size_t i = 0; i < g.mesh->point_count; i++) {
			g.posed[3 * i] += 0.02;
		}
		assert_int_equal(snk_guard_keep(&g.guard, found, kept), SNW_OK);
		uint32_t shrunk = 0;
		for (uint32_t i = 0; i < g.mesh->point_count; i++) {
			shrunk += g.strengths[i] < 1;
			check_near(kept[i], was_moved ? g.strengths[i] : 1, 0);
		}
		assert_true(shrunk > 0);
		close_guarded(&g);
	}
}

/* A model that is its regions. */
struct snw_model {
	snw_pool pool;
	uint32_t count;
	snk_guard_region *regions;
};

static void regions_bytes(snk_bytes *bytes, snw_model *model) {
	snk_guard_regions_bytes(bytes, &model->count, &model->regions);
}

/* Of a skeleton with other joints a load has none, and it refuses those that no guard finds. */
static void regions_are_of_the_joints_that_they_were_found_for(void **state) {
	(void)state;
	static const snk_model_format format = {"SNWTESTS", 1, sizeof(snw_model), regions_bytes};
	guarded g;
	open_guarded(&g, 1, 1.2, 0.01, 0);
	const uint32_t joints = g.character->skeleton->joint_count;
	for (int row = 0; row < 3; row++) {
		snk_guard_region regions[8] = {{0.5, 0.01}, {row == 2 ? 1.5 : 1, 0}};
		const snw_model model = {.count = row == 1 ? joints - 1 : joints, .regions = regions};
		snw_memory_sink sink;
		snw_memory_sink_open(&sink);
		assert_int_equal(snk_save_model(&format, &model, &sink.sink), SNW_OK);
		const snw_load_call call = {
			.size = sizeof call, .host = g.guard.host, .character = g.character, .bytes = sink.bytes, .count = sink.count};
		snw_model *loaded = NULL;
		const snw_status status = snk_load_model(&format, &call, &loaded);
		assert_int_equal(status, row == 2 ? SNW_ERROR_DATA : SNW_OK);
		if (loaded) {
			assert_int_equal(loaded->count, row == 1 ? 0 : joints);
			assert_true(row == 1 ? !loaded->regions : loaded->regions[0].seen == 0.01 && loaded->regions[0].strength == 0.5);
			snk_model_release(loaded);
		}
		snw_memory_sink_close(&sink);
	}
	close_guarded(&g);
}

TEST_GROUP(guard) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guard_shrinks_what_goes_farther_than_the_samples),
		cmocka_unit_test(guard_rotates_joints_to_their_limits),
		cmocka_unit_test(guard_shrinks_what_left_out_samples_refute),
		cmocka_unit_test(strengths_are_kept_where_samples_had_moved_points),
		cmocka_unit_test(regions_are_of_the_joints_that_they_were_found_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
