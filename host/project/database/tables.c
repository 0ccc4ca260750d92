/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/tables.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers of elements ------------------------------------------------------------------------------------------------- */

/* The last of some offsets. */
static size_t last(const uint32_t *offsets, uint32_t count) {
	return offsets ? offsets[count] : 0;
}

static size_t points_of_mesh(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_mesh *)row)->point_count;
}

static size_t faces_of_mesh(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_mesh *)row)->face_count;
}

static size_t face_offsets_of_mesh(const void *row, const snw_scene *scene) {
	return faces_of_mesh(row, scene) + 1;
}

static size_t corners_of_mesh(const void *row, const snw_scene *scene) {
	return last(((const snw_mesh *)row)->face_offsets, (uint32_t)faces_of_mesh(row, scene));
}

static size_t influence_offsets_of_mesh(const void *row, const snw_scene *scene) {
	return points_of_mesh(row, scene) + 1;
}

static size_t influences_of_mesh(const void *row, const snw_scene *scene) {
	return last(((const snw_mesh *)row)->influence_offsets, (uint32_t)points_of_mesh(row, scene));
}

static size_t kept_images_of_material(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_material *)row)->kept_image_count;
}

static size_t points_of_morph(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_morph *)row)->count;
}

static size_t numbers_of_attribute(const void *row, const snw_scene *scene) {
	const snw_attribute *attribute = row;
	(void)scene;
	return (size_t)attribute->corner_count * attribute->width;
}

/* 0 for an invalid path or interpolation. */
static size_t values_of_track(const void *row, const snw_scene *scene) {
	static const size_t widths[] = {3, 4, 3, 1};
	const snw_track *track = row;
	(void)scene;
	if (track->path < SNW_PATH_TRANSLATION || track->path > SNW_PATH_CHANNEL || track->interpolation < SNW_STEP ||
		track->interpolation > SNW_CUBIC) {
		return 0;
	}
	return track->key_count * widths[track->path] * (track->interpolation == SNW_CUBIC ? 3 : 1);
}

static bool is_of_joint(const void *row) {
	return ((const snw_track *)row)->path != SNW_PATH_CHANNEL;
}

static bool is_of_channel(const void *row) {
	return !is_of_joint(row);
}

static size_t joints_of_scene(const void *row, const snw_scene *scene) {
	(void)row;
	return scene->skeleton.joint_count;
}

static size_t channels_of_scene(const void *row, const snw_scene *scene) {
	(void)row;
	return scene->channel_count;
}

static size_t numbers_of_field(const void *row, const snw_scene *scene) {
	const snw_field *field = row;
	(void)scene;
	return (size_t)field->count * field->components;
}

/* The stored points: the edited ones alone, if it says which. */
static size_t points_of_example(const void *row, const snw_scene *scene) {
	const snw_example *example = row;
	return example->edited ? example->edited_count : scene->meshes[example->mesh].point_count;
}

static size_t points_of_sculpt_layer(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_sculpt_layer *)row)->count;
}

static size_t points_of_frame(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_frame_row *)row)->point_count;
}

static size_t kinds_of_reads(const void *row, const snw_scene *scene) {
	(void)row;
	(void)scene;
	return SNW_READ_KINDS;
}

static size_t points_of_level(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_level *)row)->shape.point_count;
}

static size_t offsets_of_level(const void *row, const snw_scene *scene) {
	return points_of_level(row, scene) + 1;
}

static size_t faces_of_level(const void *row, const snw_scene *scene) {
	(void)scene;
	return ((const snw_level *)row)->shape.face_count;
}

static size_t face_offsets_of_level(const void *row, const snw_scene *scene) {
	return faces_of_level(row, scene) + 1;
}

static size_t corners_of_level(const void *row, const snw_scene *scene) {
	return last(((const snw_level *)row)->shape.face_offsets, (uint32_t)faces_of_level(row, scene));
}

static size_t influences_of_level(const void *row, const snw_scene *scene) {
	return last(((const snw_level *)row)->shape.influence_offsets, (uint32_t)points_of_level(row, scene));
}

static size_t stencils_of_level(const void *row, const snw_scene *scene) {
	return last(((const snw_level *)row)->stencil_offsets, (uint32_t)points_of_level(row, scene));
}

/* ---- columns ------------------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(snw_transform) == 10 * sizeof(double), "transforms are stored as arrays of doubles");

/* The offset of a member, which must have the type. */
#define MEMBER(row, m, type) (offsetof(row, m) + 0 * sizeof(*(1 ? &((row *)0)->m : (type *)0)))

/* A column's name, kind and member. Each row of a table adds what else is true of it. */
#define COLUMN(name_, kind_, offset) .name = (name_), .kind = SNW_COLUMN_##kind_, .member = (offset)
#define ID(row) COLUMN("id", ID, MEMBER(row, id, int64_t))
#define OWNER(table, name) COLUMN(name, OWNER, SNW_NO_MEMBER), .refers = SNW_TABLE_##table
#define COUNT(name, row, m) COLUMN(name, COUNT, MEMBER(row, m, uint32_t))
#define CHOICE(name, row, m) COLUMN(name, CHOICE, MEMBER(row, m, int32_t))
#define FLAG(name, row, m) COLUMN(name, FLAG, MEMBER(row, m, bool))
#define REAL(name, row, m) COLUMN(name, REAL, MEMBER(row, m, double))
#define TEXT(name, row, m) COLUMN(name, TEXT, MEMBER(row, m, const char *))
#define INDEX(name, row, m, table) COLUMN(name, INDEX, MEMBER(row, m, uint32_t)), .refers = SNW_TABLE_##table
#define REFERENCE(name, row, m, table) COLUMN(name, REFERENCE, MEMBER(row, m, int64_t)), .refers = SNW_TABLE_##table
#define NUMBERS(name, row, m) COLUMN(name, NUMBERS, offsetof(row, m)), .element_bytes = sizeof(((row *)0)->m)
/* `width` elements of the array's type for each that `count_of` counts. */
#define ARRAY(name, row, m, width, count_of)                                                                                   \
	COLUMN(name, ARRAY, offsetof(row, m)), .element_bytes = (width) * sizeof *((row *)0)->m, .count = count_of
#define LIST(name, row, m, count_)                                                                                             \
	COLUMN(name, LIST, offsetof(row, m)), .element_bytes = sizeof *((row *)0)->m, .count_member = MEMBER(row, count_, uint32_t)
#define BYTES(name, row, m, count_)                                                                                            \
	COLUMN(name, BYTES, MEMBER(row, m, const unsigned char *)), .count_member = MEMBER(row, count_, size_t)

/* clang-format off: one column a line */
static const snw_column project_columns[] = {
	{COLUMN("id", ID, SNW_NO_MEMBER)},
	{COLUMN("schema_version", INTEGER, SNW_NO_MEMBER)},
	{COLUMN("program", TEXT, SNW_NO_MEMBER), .note = "what made the file"},
	{COLUMN("created", TEXT, SNW_NO_MEMBER), .note = "UTC, ISO 8601"},
};

static const snw_column array_columns[] = {
	{COLUMN("id", ID, SNW_NO_MEMBER)},
	{COLUMN("bytes", BYTES, SNW_NO_MEMBER), .note = "as the column says that has this id"},
};

static const snw_column image_columns[] = {
	{ID(snw_image)},
	{TEXT("name", snw_image, name)},
	{TEXT("media", snw_image, media), .note = "image/png, image/jpeg"},
	{BYTES("bytes", snw_image, bytes, byte_count), .is_heavy = true, .note = "encoded, as it came"},
};

static const snw_column material_columns[] = {
	{ID(snw_material)},
	{TEXT("name", snw_material, name)},
	{NUMBERS("base_color", snw_material, base_color), .note = "f64[4], linear RGBA"},
	{REAL("metallic", snw_material, metallic)},
	{REAL("roughness", snw_material, roughness)},
	{NUMBERS("emissive", snw_material, emissive), .note = "f64[3]"},
	{INDEX("base_color_image", snw_material, base_color_image, IMAGE), .optional = true},
	{INDEX("metallic_roughness_image", snw_material, metallic_roughness_image, IMAGE), .optional = true},
	{INDEX("normal_image", snw_material, normal_image, IMAGE), .optional = true},
	{INDEX("emissive_image", snw_material, emissive_image, IMAGE), .optional = true},
	{FLAG("double_sided", snw_material, double_sided)},
	{CHOICE("alpha", snw_material, alpha), .note = "0 opaque, 1 mask, 2 blend"},
	{REAL("alpha_cutoff", snw_material, alpha_cutoff)},
	{TEXT("kept", snw_material, kept), .optional = true, .note = "JSON: what glTF alone says of it, for export"},
	{COUNT("kept_image_count", snw_material, kept_image_count), .initial = "0"},
	{COLUMN("kept_images", INDICES, offsetof(snw_material, kept_images)), .element_bytes = sizeof(uint32_t),
	 .count = kept_images_of_material, .refers = SNW_TABLE_IMAGE, .optional = true, .note = "u32[kept_image_count]: image.id"},
	{FLAG("has_further_uvs", snw_material, has_further_uvs), .initial = "0"},
};

static const snw_column joint_columns[] = {
	{COLUMN("id", ID, SNW_NO_MEMBER)},
	{COLUMN("position", POSITION, SNW_NO_MEMBER), .note = "0, 1, … : the order of joints in arrays"},
	{TEXT("name", snw_joint_row, name)},
	{REFERENCE("parent", snw_joint_row, parent, JOINT), .optional = true, .note = "NULL at a root"},
	{NUMBERS("rest_local", snw_joint_row, rest_local), .note = "f64[10]: translation xyz (m), rotation xyzw, scale xyz"},
};

static const snw_column slot_columns[] = {
	{COLUMN("position", POSITION, MEMBER(snw_slot_row, position, int64_t)), .note = "0, 1, … : what influence_slots count"},
	{INDEX("joint", snw_slot_row, joint, JOINT)},
	{NUMBERS("inverse_bind", snw_slot_row, inverse_bind), .note = "f64[3][4], row-major"},
};

static const snw_column kept_node_columns[] = {
	{ID(snw_kept_node)},
	{TEXT("name", snw_kept_node, name)},
	{INDEX("joint", snw_kept_node, joint, JOINT), .optional = true},
	{NUMBERS("place", snw_kept_node, place), .note = "f64[3][4], row-major: in the space of the joint, or of the scene"},
	{TEXT("kept", snw_kept_node, kept), .note = "JSON: camera, light"},
};

static const snw_column channel_columns[] = {
	{COLUMN("id", ID, SNW_NO_MEMBER), .note = "in this order in arrays"},
	{TEXT("name", snw_channel, name)},
	{REAL("initial", snw_channel, initial)},
	{REAL("in_between_percent", snw_channel, in_between_percent), .initial = "0",
	 .note = "of the next one that is no in-between; 0: none"},
};

static const snw_column mesh_columns[] = {
	{ID(snw_mesh)},
	{TEXT("name", snw_mesh, name)},
	{COUNT("point_count", snw_mesh, point_count)},
	{COUNT("face_count", snw_mesh, face_count)},
	{ARRAY("points_rest", snw_mesh, points_rest, 3, points_of_mesh), .note = "f64[point_count][3], metres"},
	{ARRAY("face_offsets", snw_mesh, face_offsets, 1, face_offsets_of_mesh), .note = "u32[face_count + 1], into face_points"},
	{ARRAY("face_points", snw_mesh, face_points, 1, corners_of_mesh), .note = "u32[corner_count]"},
	{COLUMN("face_materials", INDICES, offsetof(snw_mesh, face_materials)), .element_bytes = sizeof(uint32_t),
	 .count = faces_of_mesh, .refers = SNW_TABLE_MATERIAL, .optional = true,
	 .note = "u32[face_count]: material.id, 0 for none"},
	{ARRAY("corner_uvs", snw_mesh, corner_uvs, 2, corners_of_mesh), .optional = true, .note = "f32[corner_count][2], v down"},
	{ARRAY("corner_normals", snw_mesh, corner_normals, 3, corners_of_mesh), .optional = true,
	 .note = "f32[corner_count][3], rest space"},
	{ARRAY("corner_tangents", snw_mesh, corner_tangents, 4, corners_of_mesh), .optional = true,
	 .note = "f32[corner_count][4], rest space, sign"},
	{ARRAY("corner_colors", snw_mesh, corner_colors, 4, corners_of_mesh), .optional = true, .note = "f32[corner_count][4]"},
	{ARRAY("influence_offsets", snw_mesh, influence_offsets, 1, influence_offsets_of_mesh), .optional = true,
	 .note = "u32[point_count + 1]; NULL without a base skin"},
	{ARRAY("influence_slots", snw_mesh, influence_slots, 1, influences_of_mesh), .optional = true,
	 .note = "u32[influence_count]: slot.position"},
	{ARRAY("influence_weights", snw_mesh, influence_weights, 1, influences_of_mesh), .optional = true,
	 .note = "f64[influence_count]"},
};

static const snw_column morph_columns[] = {
	{OWNER(MESH, "mesh")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{TEXT("name", snw_morph, name)},
	{INDEX("channel", snw_morph, channel, CHANNEL)},
	{LIST("points", snw_morph, points, count), .note = "u32[count], ascending"},
	{ARRAY("vectors", snw_morph, vectors, 3, points_of_morph), .note = "f64[count][3], rest displacements"},
};

static const snw_column attribute_columns[] = {
	{OWNER(MESH, "mesh")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{TEXT("name", snw_attribute, name)},
	{FLAG("is_uv", snw_attribute, is_uv), .note = "a further UV set; otherwise an attribute of glTF"},
	{COUNT("width", snw_attribute, width)},
	{COUNT("corner_count", snw_attribute, corner_count)},
	{ARRAY("elements", snw_attribute, values, 1, numbers_of_attribute), .note = "f32[corner_count][width]"},
};

static const snw_column clip_columns[] = {
	{ID(snw_clip)},
	{TEXT("name", snw_clip, name)},
	{REAL("duration_seconds", snw_clip, duration_seconds)},
};

static const snw_column track_columns[] = {
	{OWNER(CLIP, "clip")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{CHOICE("path", snw_track, path), .note = "0 translation, 1 rotation, 2 scale, 3 channel"},
	{CHOICE("interpolation", snw_track, interpolation), .note = "0 step, 1 linear, 2 cubic (in-tangent, value, out-tangent)"},
	{INDEX("joint", snw_track, target, JOINT), .optional = true, .applies = is_of_joint,
	 .note = "one of joint and channel is NULL"},
	{INDEX("channel", snw_track, target, CHANNEL), .optional = true, .applies = is_of_channel},
	{LIST("key_seconds", snw_track, seconds, key_count), .note = "f64[key_count], rising"},
	{ARRAY("key_values", snw_track, values, 1, values_of_track),
	 .note = "f64[key_count][width], cubic: f64[key_count][3][width]"},
};

static const snw_column pose_columns[] = {
	{ID(snw_pose)},
	{TEXT("name", snw_pose, name)},
	{REFERENCE("clip", snw_pose, clip, CLIP), .optional = true, .note = "where it was sampled; NULL outside any clip"},
	{REAL("seconds", snw_pose, seconds)},
	{ARRAY("joint_locals", snw_pose, local, 1, joints_of_scene), .note = "f64[joint_count][10], as joint.rest_local"},
	{ARRAY("joint_rotation_vectors", snw_pose, rotation_vectors, 3, joints_of_scene),
	 .note = "f64[joint_count][3], away from rest, unwound"},
	{ARRAY("channels", snw_pose, channels, 1, channels_of_scene), .note = "f64[channel_count]"},
};

static const snw_column field_columns[] = {
	{ID(snw_field)},
	{TEXT("name", snw_field, name)},
	{CHOICE("domain", snw_field, domain), .note = "0 points, 1 faces, 2 joints, 3 examples, 4 frames"},
	{INDEX("mesh", snw_field, mesh, MESH), .optional = true, .note = "for points and faces"},
	{COUNT("components", snw_field, components)},
	{COUNT("element_count", snw_field, count)},
	{ARRAY("elements", snw_field, values, 1, numbers_of_field), .is_apart = true, .note = "f64[element_count][components]"},
	{TEXT("unit", snw_field, unit), .initial = "''", .note = "'m', 'colour': linear sRGB, 0 to 1"},
};

static const snw_column example_columns[] = {
	{ID(snw_example)},
	{TEXT("name", snw_example, name)},
	{INDEX("pose", snw_example, pose, POSE)},
	{INDEX("mesh", snw_example, mesh, MESH)},
	{LIST("edited", snw_example, edited, edited_count), .optional = true, .is_apart = true,
	 .note = "u32[n], ascending points; NULL for all"},
	{ARRAY("points_posed", snw_example, points_posed, 3, points_of_example), .is_apart = true,
	 .note = "f64[n][3], as sculpted: of the edited points"},
	{FLAG("muted", snw_example, muted), .initial = "0", .note = "left out of fits"},
	{FLAG("has_chosen_driver", snw_example, has_chosen_driver), .initial = "0", .note = "by the user"},
};

static const snw_column sculpt_layer_columns[] = {
	{ID(snw_sculpt_layer)},
	{OWNER(EXAMPLE, "example")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER), .note = "0 is the lowest"},
	{TEXT("name", snw_sculpt_layer, name)},
	{REAL("opacity", snw_sculpt_layer, opacity), .note = "-10 to 10, usually 0 to 1"},
	{FLAG("muted", snw_sculpt_layer, muted)},
	{LIST("points", snw_sculpt_layer, points, count), .is_apart = true, .note = "u32[n], ascending"},
	{ARRAY("vectors", snw_sculpt_layer, vectors, 3, points_of_sculpt_layer), .is_apart = true,
	 .note = "f64[n][3], posed; example.points_posed has opacity times these already"},
};

static const snw_column corrective_group_columns[] = {
	{ID(snw_group)},
	{COLUMN("position", POSITION, SNW_NO_MEMBER), .note = "groups act in this order"},
	{TEXT("name", snw_group, name)},
};

static const snw_column group_joint_columns[] = {
	{OWNER(GROUP, "corrective_group")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{COLUMN("joint", INDEX, 0), .refers = SNW_TABLE_JOINT},
};

static const snw_column group_member_columns[] = {
	{OWNER(GROUP, "corrective_group")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{INDEX("example", snw_member, example, EXAMPLE)},
	{INDEX("mask", snw_member, mask, FIELD), .optional = true, .note = "NULL for 1 everywhere"},
};

static const snw_column target_columns[] = {
	{ID(snw_target)},
	{TEXT("name", snw_target, name)},
	{INDEX("mesh", snw_target, mesh, MESH)},
	{INDEX("clip", snw_target, clip, CLIP), .optional = true, .note = "NULL for a sequence"},
	{COLUMN("frames_hash", INTEGER, MEMBER(snw_target, frames_hash, uint64_t)), .note = "of the frames"},
	{FLAG("is_set", snw_target, is_set), .initial = "0", .note = "a sequence of poses in no order"},
};

static const snw_column target_frame_columns[] = {
	{OWNER(TARGET, "target")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{REAL("seconds", snw_frame_row, seconds)},
	{ARRAY("points_posed", snw_frame_row, points_posed, 3, points_of_frame), .note = "f32[point_count][3]"},
};

static const snw_column model_columns[] = {
	{ID(snw_saved_model)},
	{TEXT("name", snw_saved_model, name)},
	{TEXT("deformer", snw_saved_model, deformer), .note = "the plug-in's id, which alone can read the bytes"},
	{TEXT("deformer_version", snw_saved_model, deformer_version)},
	{BYTES("bytes", snw_saved_model, bytes, byte_count), .is_apart = true},
	{ARRAY("reads", snw_saved_model, reads, 1, kinds_of_reads), .optional = true,
	 .note = "u64[8], hashes of what the fit read; NULL: unknown"},
};

static const snw_column layer_columns[] = {
	{ID(snw_layer)},
	{COLUMN("position", POSITION, SNW_NO_MEMBER), .note = "0 is the lowest"},
	{TEXT("name", snw_layer, name)},
	{TEXT("deformer", snw_layer, deformer), .note = "the plug-in's id"},
	{TEXT("deformer_version", snw_layer, deformer_version)},
	{INDEX("model", snw_layer, model, MODEL), .optional = true, .note = "NULL for a deformer that binds"},
	{FLAG("muted", snw_layer, muted), .initial = "0"},
	{TEXT("samples", snw_layer, samples), .optional = true, .note = "clips that the fit reads, a line each; NULL: all"},
};

static const snw_column layer_setting_columns[] = {
	{OWNER(LAYER, "layer")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{TEXT("key", snw_setting, key)},
	{REAL("value", snw_setting, value.numbers[0]), .note = "a number, a choice by its index, x or red"},
	{REAL("y", snw_setting, value.numbers[1]), .initial = "0", .note = "y or green, linear light"},
	{REAL("z", snw_setting, value.numbers[2]), .initial = "0", .note = "z or blue"},
	{TEXT("text", snw_setting, value.text), .optional = true,
	 .note = "a text, the name of a joint or field, or a file's path, relative to the project's folder where it is inside"},
};

static const snw_column level_columns[] = {
	{ID(snw_level)},
	{INDEX("mesh", snw_level, mesh, MESH)},
	{COUNT("number", snw_level, number), .note = "1 is the finest"},
	{TEXT("request", snw_level, request), .note = "what it was asked for: triangles=25%"},
	{TEXT("samples", snw_level, samples), .optional = true, .note = "clips that it was made from; NULL: it came in a file"},
	{COLUMN("reads", INTEGER, MEMBER(snw_level, reads, uint64_t)), .note = "hash of what it was made from"},
	{COUNT("point_count", snw_level, shape.point_count)},
	{COUNT("face_count", snw_level, shape.face_count)},
	{ARRAY("points_rest", snw_level, shape.points_rest, 3, points_of_level), .note = "f64[point_count][3], metres"},
	{ARRAY("face_offsets", snw_level, shape.face_offsets, 1, face_offsets_of_level)},
	{ARRAY("face_points", snw_level, shape.face_points, 1, corners_of_level)},
	{COLUMN("face_materials", INDICES, offsetof(snw_level, shape.face_materials)), .element_bytes = sizeof(uint32_t),
	 .count = faces_of_level, .refers = SNW_TABLE_MATERIAL, .optional = true},
	{ARRAY("corner_uvs", snw_level, shape.corner_uvs, 2, corners_of_level), .optional = true},
	{ARRAY("corner_normals", snw_level, shape.corner_normals, 3, corners_of_level), .optional = true},
	{ARRAY("corner_colors", snw_level, shape.corner_colors, 4, corners_of_level), .optional = true},
	{ARRAY("influence_offsets", snw_level, shape.influence_offsets, 1, offsets_of_level), .optional = true},
	{ARRAY("influence_slots", snw_level, shape.influence_slots, 1, influences_of_level), .optional = true,
	 .note = "u32[influence_count]: of the palette of its mesh"},
	{ARRAY("influence_weights", snw_level, shape.influence_weights, 1, influences_of_level), .optional = true},
	{COUNT("slot_count", snw_level, slot_count), .note = "of that palette"},
	{COUNT("joint_count", snw_level, joint_count), .note = "slots that move points of the level's meshes"},
	{ARRAY("stencil_offsets", snw_level, stencil_offsets, 1, offsets_of_level)},
	{ARRAY("stencil_points", snw_level, stencil_points, 1, stencils_of_level), .note = "u32[n]: points of its mesh"},
	{ARRAY("stencil_weights", snw_level, stencil_weights, 1, stencils_of_level), .note = "f64[n], of a point 1 together"},
	{REAL("rms_percent", snw_level, rms_percent), .note = "of the diagonal, as are the other three"},
	{REAL("largest_percent", snw_level, largest_percent)},
	{REAL("uv_rms_percent", snw_level, uv_rms_percent)},
	{REAL("uv_largest_percent", snw_level, uv_largest_percent)},
	{TEXT("worst_pose", snw_level, worst_pose)},
	{NUMBERS("worst_place", snw_level, worst_place), .note = "f64[3], at rest"},
	{REAL("screen_share", snw_level, screen_share), .note = "of its height, where the largest is a pixel"},
	{ARRAY("corner_tangents", snw_level, shape.corner_tangents, 4, corners_of_level), .optional = true,
	 .note = "of a level with a normal map"},
};

static const snw_column journal_columns[] = {
	{COLUMN("id", ID, SNW_NO_MEMBER)},
	{COLUMN("time", TEXT, SNW_NO_MEMBER), .note = "UTC, ISO 8601"},
	{COLUMN("label", TEXT, SNW_NO_MEMBER)},
	{COLUMN("undone", FLAG, SNW_NO_MEMBER), .initial = "0"},
	{COLUMN("checkpoint", FLAG, SNW_NO_MEMBER), .initial = "0", .note = "saved here"},
};

static const snw_column journal_change_columns[] = {
	{OWNER(JOURNAL, "journal")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{COLUMN("changeset", BYTES, SNW_NO_MEMBER), .note = "a piece of an SQLite changeset; the pieces of an entry make one"},
};

static const snw_column journal_array_columns[] = {
	{OWNER(JOURNAL, "journal")},
	{COLUMN("position", POSITION, SNW_NO_MEMBER)},
	{COLUMN("array", INTEGER, SNW_NO_MEMBER), .note = "array.id"},
	{COLUMN("is_made", FLAG, SNW_NO_MEMBER), .note = "1: the change wrote it; 0: the change left it without a row"},
};
/* clang-format on */

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

#define COLUMNS(table_)                                                                                                        \
	.name = #table_, .columns = table_##_columns, .column_count = sizeof table_##_columns / sizeof *table_##_columns
/* A table of the scene, in the order of its ids; and a table of lists. */
#define OF_SCENE(table_, row, rows, count)                                                                                     \
	COLUMNS(table_), .row_bytes = sizeof(row), .list = offsetof(snw_scene, rows),                                              \
					 .list_count = MEMBER(snw_scene, count, uint32_t)
#define OF_ROW(table_, row, owner_, owner_row, rows, count)                                                                    \
	COLUMNS(table_), .row_bytes = sizeof(row), .owner = SNW_TABLE_##owner_, .list = offsetof(owner_row, rows),                 \
					 .list_count = MEMBER(owner_row, count, uint32_t), .order = "position"

/* clang-format off: one table a line */
const snw_table snw_tables[SNW_TABLE_COUNT] = {
	[SNW_TABLE_PROJECT] = {COLUMNS(project), .list = SNW_NO_MEMBER},
	[SNW_TABLE_ARRAY] = {COLUMNS(array), .list = SNW_NO_MEMBER, .note = "is never changed"},
	[SNW_TABLE_IMAGE] = {OF_SCENE(image, snw_image, images, image_count), .order = "id"},
	[SNW_TABLE_MATERIAL] = {OF_SCENE(material, snw_material, materials, material_count), .order = "id"},
	[SNW_TABLE_JOINT] = {COLUMNS(joint), .row_bytes = sizeof(snw_joint_row), .list = SNW_NO_MEMBER, .order = "position"},
	[SNW_TABLE_SLOT] = {COLUMNS(slot), .row_bytes = sizeof(snw_slot_row), .list = SNW_NO_MEMBER, .order = "position"},
	[SNW_TABLE_KEPT_NODE] = {OF_SCENE(kept_node, snw_kept_node, kept_nodes, kept_node_count), .order = "id",
							 .note = "a camera or a light that is kept for export"},
	[SNW_TABLE_CHANNEL] = {OF_SCENE(channel, snw_channel, channels, channel_count), .order = "id"},
	[SNW_TABLE_MESH] = {OF_SCENE(mesh, snw_mesh, meshes, mesh_count), .order = "id"},
	[SNW_TABLE_MORPH] = {OF_ROW(morph, snw_morph, MESH, snw_mesh, morphs, morph_count)},
	[SNW_TABLE_ATTRIBUTE] = {OF_ROW(attribute, snw_attribute, MESH, snw_mesh, attributes, attribute_count),
							 .note = "numbers at the corners of a mesh that are kept for export"},
	[SNW_TABLE_CLIP] = {OF_SCENE(clip, snw_clip, clips, clip_count), .order = "id"},
	[SNW_TABLE_TRACK] = {OF_ROW(track, snw_track, CLIP, snw_clip, tracks, track_count)},
	/* The rest pose is first, even if the skeleton was added after other poses. */
	[SNW_TABLE_POSE] = {OF_SCENE(pose, snw_pose, poses, pose_count), .order = "name <> 'rest', id"},
	[SNW_TABLE_FIELD] = {OF_SCENE(field, snw_field, fields, field_count), .order = "id"},
	[SNW_TABLE_EXAMPLE] = {OF_SCENE(example, snw_example, examples, example_count), .order = "id"},
	[SNW_TABLE_SCULPT_LAYER] = {OF_ROW(sculpt_layer, snw_sculpt_layer, EXAMPLE, snw_example, layers, layer_count),
								.note = "a part of an example's sculpt"},
	[SNW_TABLE_GROUP] = {OF_SCENE(corrective_group, snw_group, groups, group_count), .order = "position, id"},
	[SNW_TABLE_GROUP_JOINT] = {OF_ROW(group_joint, uint32_t, GROUP, snw_group, joints, joint_count)},
	[SNW_TABLE_GROUP_MEMBER] = {OF_ROW(group_member, snw_member, GROUP, snw_group, members, member_count)},
	[SNW_TABLE_TARGET] = {OF_SCENE(target, snw_target, targets, target_count), .order = "id"},
	[SNW_TABLE_TARGET_FRAME] = {COLUMNS(target_frame), .row_bytes = sizeof(snw_frame_row), .owner = SNW_TABLE_TARGET,
								.list = SNW_NO_MEMBER, .order = "position"},
	[SNW_TABLE_MODEL] = {OF_SCENE(model, snw_saved_model, models, model_count), .order = "id"},
	[SNW_TABLE_LAYER] = {OF_SCENE(layer, snw_layer, layers, layer_count), .order = "position, id"},
	[SNW_TABLE_LAYER_SETTING] = {OF_ROW(layer_setting, snw_setting, LAYER, snw_layer, settings, setting_count)},
	[SNW_TABLE_LEVEL] = {OF_SCENE(level, snw_level, levels, level_count), .order = "number, mesh",
						 .note = "a coarser mesh in place of one"},
	[SNW_TABLE_JOURNAL] = {COLUMNS(journal), .list = SNW_NO_MEMBER},
	[SNW_TABLE_JOURNAL_CHANGE] = {COLUMNS(journal_change), .owner = SNW_TABLE_JOURNAL, .list = SNW_NO_MEMBER},
	[SNW_TABLE_JOURNAL_ARRAY] = {COLUMNS(journal_array), .owner = SNW_TABLE_JOURNAL, .list = SNW_NO_MEMBER,
								 .note = "an array that a change needs"},
};
/* clang-format on */

int snw_schema_version(const snw_table *tables) {
	int version = SNW_FIRST_SCHEMA;
	for (size_t t = 0; t < SNW_TABLE_COUNT; t++) {
		version = tables[t].since > version ? tables[t].since : version;
		for (uint32_t c = 0; c < tables[t].column_count; c++) {
			const int since = tables[t].columns[c].since;
			version = since > version ? since : version;
		}
	}
	return version;
}

const snw_column *snw_table_column(const snw_table *table, snw_column_kind kind) {
	uint32_t c = 0;
	while (c < table->column_count && table->columns[c].kind != kind) {
		c++;
	}
	return c < table->column_count ? &table->columns[c] : NULL;
}

/* ---- SQL ----------------------------------------------------------------------------------------------------------------- */

static const char *type_of(const snw_column *column) {
	if (column->is_apart) {
		return "INTEGER";
	}
	switch (column->kind) {
	case SNW_COLUMN_REAL:
		return "REAL";
	case SNW_COLUMN_TEXT:
		return "TEXT";
	case SNW_COLUMN_NUMBERS:
	case SNW_COLUMN_ARRAY:
	case SNW_COLUMN_INDICES:
	case SNW_COLUMN_LIST:
	case SNW_COLUMN_BYTES:
		return "BLOB";
	default:
		return "INTEGER";
	}
}

static bool refers_to_a_row(const snw_column *column) {
	return column->kind == SNW_COLUMN_OWNER || column->kind == SNW_COLUMN_INDEX || column->kind == SNW_COLUMN_REFERENCE;
}

/* A column without its comment: "joint INTEGER NOT NULL REFERENCES joint (id)". */
static const char *column_sql(const snw_table *table, const snw_column *column, snw_arena *arena) {
	const bool is_first = column == table->columns;
	if (is_first && column->kind == SNW_COLUMN_ID) {
		return "id INTEGER PRIMARY KEY AUTOINCREMENT";
	}
	const char *sql = snw_arena_format(arena, "%s %s", column->name, type_of(column));
	if (is_first && column->kind == SNW_COLUMN_POSITION) {
		return snw_arena_format(arena, "%s PRIMARY KEY", sql);
	}
	sql = column->optional ? sql : snw_arena_format(arena, "%s NOT NULL", sql);
	sql = column->initial ? snw_arena_format(arena, "%s DEFAULT %s", sql, column->initial) : sql;
	if (column->is_apart || refers_to_a_row(column)) {
		const snw_table_id refers = column->is_apart ? SNW_TABLE_ARRAY : column->refers;
		sql = snw_arena_format(arena, "%s REFERENCES %s (id)", sql, snw_tables[refers].name);
	}
	return sql;
}

const char *snw_table_sql(const snw_table *table, snw_arena *arena) {
	enum { NOTE_COLUMN = 40 };
	const bool has_pair = table->columns[0].kind == SNW_COLUMN_OWNER; /* its key is the owner and the position */
	const char *sql = snw_arena_format(arena, "CREATE TABLE %s (", table->name);
	sql = table->note ? snw_arena_format(arena, "%s -- %s", sql, table->note) : sql;
	for (uint32_t c = 0; c < table->column_count; c++) {
		const snw_column *column = &table->columns[c];
		const char *comma = has_pair || c + 1 < table->column_count ? "," : "";
		const char *text = snw_arena_format(arena, "%s%s", column_sql(table, column, arena), comma);
		sql = column->note ? snw_arena_format(arena, "%s\n  %-*s -- %s", sql, NOTE_COLUMN, text, column->note)
						   : snw_arena_format(arena, "%s\n  %s", sql, text);
	}
	return has_pair ? snw_arena_format(arena, "%s\n  PRIMARY KEY (%s, position)\n) STRICT, WITHOUT ROWID", sql,
									   table->columns[0].name)
					: snw_arena_format(arena, "%s\n) STRICT", sql);
}
