/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that is written is read again, field by field.
 */
#include "project/project.h"
#include "scene/fixture.h"

static void same_bytes(const char *subject, const void *a, const void *b, size_t count) {
	if (count == 0) {
		return; /* an empty array may have no address */
	}
	if ((a == NULL) != (b == NULL) || (a && memcmp(a, b, count) != 0)) {
		fail_msg("%s differs", subject);
	}
}

#define SAME_ARRAY(x, y, member, count) same_bytes(#member, (x)->member, (y)->member, (count) * sizeof *(x)->member)
#define SAME(x, y, member) same_bytes(#member, &(x)->member, &(y)->member, sizeof(x)->member)

static void same_skeletons(const snw_scene *a, const snw_scene *b) {
	const snw_skeleton *x = &a->skeleton, *y = &b->skeleton;
	assert_int_equal(x->joint_count, y->joint_count);
	for (uint32_t j = 0; j < x->joint_count; j++) {
		assert_string_equal(x->names[j], y->names[j]);
	}
	SAME_ARRAY(x, y, parents, x->joint_count);
	SAME_ARRAY(x, y, order, x->joint_count);
	SAME_ARRAY(x, y, rest_local, x->joint_count);
	SAME_ARRAY(x, y, rest_global, 12 * x->joint_count);
	assert_int_equal(a->slot_count, b->slot_count);
	SAME_ARRAY(a, b, slot_joints, a->slot_count);
	SAME_ARRAY(a, b, slot_inverse_binds, 12 * a->slot_count);
	assert_int_equal(a->channel_count, b->channel_count);
	for (uint32_t i = 0; i < a->channel_count; i++) {
		assert_string_equal(a->channels[i].name, b->channels[i].name);
		SAME(&a->channels[i], &b->channels[i], initial);
	}
}

static void same_looks(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->image_count, b->image_count);
	for (uint32_t i = 0; i < a->image_count; i++) {
		const snw_image *x = &a->images[i], *y = &b->images[i];
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->media, y->media);
		assert_int_equal(x->byte_count, y->byte_count);
		assert_true(x->byte_count == 0 || memcmp(x->bytes, y->bytes, x->byte_count) == 0);
	}
	assert_int_equal(a->material_count, b->material_count);
	for (uint32_t i = 0; i < a->material_count; i++) {
		const snw_material *x = &a->materials[i], *y = &b->materials[i];
		assert_string_equal(x->name, y->name);
		SAME(x, y, base_color);
		SAME(x, y, metallic);
		SAME(x, y, roughness);
		SAME(x, y, emissive);
		SAME(x, y, base_color_image);
		SAME(x, y, metallic_roughness_image);
		SAME(x, y, normal_image);
		SAME(x, y, emissive_image);
		SAME(x, y, double_sided);
		SAME(x, y, alpha);
		SAME(x, y, alpha_cutoff);
	}
}

static void same_mesh(const snw_mesh *x, const snw_mesh *y) {
	assert_string_equal(x->name, y->name);
	assert_int_equal(x->point_count, y->point_count);
	assert_int_equal(x->face_count, y->face_count);
	SAME_ARRAY(x, y, points_rest, 3 * x->point_count);
	SAME_ARRAY(x, y, face_offsets, x->face_count + 1);
	const uint32_t corners = x->face_offsets[x->face_count];
	SAME_ARRAY(x, y, face_points, corners);
	SAME_ARRAY(x, y, face_materials, x->face_count);
	SAME_ARRAY(x, y, corner_uvs, 2 * corners);
	SAME_ARRAY(x, y, corner_normals, 3 * corners);
	SAME_ARRAY(x, y, corner_tangents, 4 * corners);
	SAME_ARRAY(x, y, corner_colors, 4 * corners);
	SAME_ARRAY(x, y, influence_offsets, x->point_count + 1);
	const uint32_t influences = x->influence_offsets ? x->influence_offsets[x->point_count] : 0;
	SAME_ARRAY(x, y, influence_slots, influences);
	SAME_ARRAY(x, y, influence_weights, influences);
	assert_int_equal(x->morph_count, y->morph_count);
	for (uint32_t i = 0; i < x->morph_count; i++) {
		const snw_morph *m = &x->morphs[i], *n = &y->morphs[i];
		assert_string_equal(m->name, n->name);
		assert_int_equal(m->channel, n->channel);
		assert_int_equal(m->count, n->count);
		if (m->count > 0) {
			SAME_ARRAY(m, n, points, m->count);
			SAME_ARRAY(m, n, vectors, 3 * m->count);
		}
	}
}

static void same_meshes(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->mesh_count, b->mesh_count);
	for (uint32_t i = 0; i < a->mesh_count; i++) {
		same_mesh(&a->meshes[i], &b->meshes[i]);
	}
	assert_int_equal(a->field_count, b->field_count);
	for (uint32_t i = 0; i < a->field_count; i++) {
		const snw_field *x = &a->fields[i], *y = &b->fields[i];
		assert_string_equal(x->name, y->name);
		SAME(x, y, domain);
		SAME(x, y, mesh);
		SAME(x, y, components);
		SAME(x, y, count);
		SAME_ARRAY(x, y, values, x->count * x->components);
		assert_string_equal(x->unit ? x->unit : "", y->unit ? y->unit : "");
	}
}

static int64_t clip_index(const snw_scene *scene, int64_t id) {
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		if (id != 0 && scene->clips[i].id == id) {
			return i;
		}
	}
	return -1;
}

static void same_motion(const snw_scene *a, const snw_scene *b) {
	static const uint32_t widths[] = {3, 4, 3, 1};
	assert_int_equal(a->clip_count, b->clip_count);
	for (uint32_t i = 0; i < a->clip_count; i++) {
		const snw_clip *x = &a->clips[i], *y = &b->clips[i];
		assert_string_equal(x->name, y->name);
		SAME(x, y, duration_seconds);
		assert_int_equal(x->track_count, y->track_count);
		for (uint32_t t = 0; t < x->track_count; t++) {
			const snw_track *u = &x->tracks[t], *v = &y->tracks[t];
			SAME(u, v, target);
			SAME(u, v, path);
			SAME(u, v, interpolation);
			SAME(u, v, key_count);
			SAME_ARRAY(u, v, seconds, u->key_count);
			SAME_ARRAY(u, v, values, u->key_count * widths[u->path] * (u->interpolation == SNW_CUBIC ? 3 : 1));
		}
	}
	assert_int_equal(a->pose_count, b->pose_count);
	for (uint32_t i = 0; i < a->pose_count; i++) {
		const snw_pose *x = &a->poses[i], *y = &b->poses[i];
		assert_string_equal(x->name, y->name);
		SAME_ARRAY(x, y, local, a->skeleton.joint_count);
		SAME_ARRAY(x, y, rotation_vectors, 3 * a->skeleton.joint_count);
		SAME_ARRAY(x, y, channels, a->channel_count);
		SAME(x, y, seconds);
		assert_int_equal(clip_index(a, x->clip), clip_index(b, y->clip));
	}
}

static void same_shapes(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->example_count, b->example_count);
	for (uint32_t i = 0; i < a->example_count; i++) {
		const snw_example *x = &a->examples[i], *y = &b->examples[i];
		assert_string_equal(x->name, y->name);
		SAME(x, y, pose);
		SAME(x, y, mesh);
		SAME_ARRAY(x, y, points_posed, 3 * a->meshes[x->mesh].point_count);
		SAME(x, y, edited_count);
		SAME(x, y, has_chosen_driver);
		assert_true((x->edited == NULL) == (y->edited == NULL));
	}
	assert_int_equal(a->group_count, b->group_count);
	for (uint32_t i = 0; i < a->group_count; i++) {
		const snw_group *x = &a->groups[i], *y = &b->groups[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->joint_count, y->joint_count);
		assert_int_equal(x->member_count, y->member_count);
		for (uint32_t j = 0; j < x->joint_count; j++) {
			assert_int_equal(x->joints[j], y->joints[j]);
		}
		SAME_ARRAY(x, y, members, x->member_count);
	}
	assert_int_equal(a->target_count, b->target_count);
	for (uint32_t i = 0; i < a->target_count; i++) {
		const snw_target *x = &a->targets[i], *y = &b->targets[i];
		assert_string_equal(x->name, y->name);
		SAME(x, y, mesh);
		SAME(x, y, clip);
		SAME(x, y, frame_count);
		SAME(x, y, is_set);
		SAME_ARRAY(x, y, seconds, x->frame_count);
		SAME_ARRAY(x, y, points_posed, 3 * x->frame_count * a->meshes[x->mesh].point_count);
	}
}

static void same_stacks(const snw_scene *a, const snw_scene *b) {
	assert_int_equal(a->model_count, b->model_count);
	for (uint32_t i = 0; i < a->model_count; i++) {
		const snw_saved_model *x = &a->models[i], *y = &b->models[i];
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->deformer, y->deformer);
		assert_string_equal(x->deformer_version, y->deformer_version);
		assert_int_equal(x->byte_count, y->byte_count);
		assert_true(x->byte_count == 0 || memcmp(x->bytes, y->bytes, x->byte_count) == 0);
		assert_true((x->reads == NULL) == (y->reads == NULL));
		assert_true(!x->reads || memcmp(x->reads, y->reads, SNW_READ_KINDS * sizeof *x->reads) == 0);
	}
	assert_int_equal(a->layer_count, b->layer_count);
	for (uint32_t i = 0; i < a->layer_count; i++) {
		const snw_layer *x = &a->layers[i], *y = &b->layers[i];
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->deformer, y->deformer);
		assert_string_equal(x->deformer_version, y->deformer_version);
		SAME(x, y, muted);
		SAME(x, y, model);
		assert_int_equal(x->setting_count, y->setting_count);
		for (uint32_t s = 0; s < x->setting_count; s++) {
			assert_string_equal(x->settings[s].key, y->settings[s].key);
			SAME(&x->settings[s], &y->settings[s], value.numbers[0]);
			SAME(&x->settings[s], &y->settings[s], value.numbers[1]);
			SAME(&x->settings[s], &y->settings[s], value.numbers[2]);
			assert_int_equal(x->settings[s].value.text == NULL, y->settings[s].value.text == NULL);
			assert_string_equal(x->settings[s].value.text ? x->settings[s].value.text : "",
								y->settings[s].value.text ? y->settings[s].value.text : "");
		}
	}
}

static snw_scene *load(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_project_close(project);
	return scene;
}

static void check_round_trip(const snw_scene *scene) {
	const char *path = check_scratch("round.sinew");
	snw_error error;
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_scene *read = load(path);
	same_skeletons(scene, read);
	same_looks(scene, read);
	same_meshes(scene, read);
	same_motion(scene, read);
	same_shapes(scene, read);
	same_stacks(scene, read);
	snw_scene_destroy(read);
	unlink(path);
}

static void scene_written_and_read_is_the_same(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene();
	check_round_trip(scene);
	snw_scene_destroy(scene);
}

static void scene_with_nothing_is_the_same(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_create();
	check_round_trip(scene);
	snw_scene_destroy(scene);
}

static void scene_written_twice_is_the_same_file(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene(), *read = NULL;
	const char *first = check_scratch("first.sinew"), *second = check_scratch("second.sinew");
	snw_error error;
	check_ok(snw_project_write(first, scene, "made", &error), error);
	read = load(first);
	check_ok(snw_project_write(second, read, "made", &error), error);
	snw_scene *again = load(second);
	same_motion(read, again);
	same_shapes(read, again);
	snw_scene_destroy(scene);
	snw_scene_destroy(read);
	snw_scene_destroy(again);
	unlink(first);
	unlink(second);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scene_written_and_read_is_the_same),
		cmocka_unit_test(scene_with_nothing_is_the_same),
		cmocka_unit_test(scene_written_twice_is_the_same_file),
	};
	return cmocka_run_group_tests_name("round trip", tests, NULL, NULL);
}
