/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin files: what engines can play of a stack, for plugins/player/sinew_player.h. docs/skin-file.md defines the format.
 * A table of fields, then their numbers, written from the plan that glTF files are written from.
 */
#include "export/skin/skin_file.h"

#include <math.h>
#include <string.h>

#include "export/gltf/writer.h"
#include "export/plan/plan.h"
#include "file/file.h"
#include "mesh/mesh.h"

/* ---- drives -------------------------------------------------------------------------------------------------------------- */

/* What drives coefficients and helper joints, from the JSON of the descriptions (docs/pose-space.md) into numbers. */

typedef enum drive_kind { SPACE, REGRESSION, HELPER } drive_kind;

typedef struct drive_writer {
	snw_skin_fields *fields;
	const snw_plan *plan;
	const uint32_t *places;
	uint32_t mesh;              /* whose description it is */
	uint32_t integers, numbers; /* where the current drive begins */
	bool is_known;              /* every name was found */
} drive_writer;

static const cJSON *member(const cJSON *object, const char *name) {
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void put_integer(drive_writer *w, uint32_t value) {
	snw_skin_put_integer(w->fields, SNW_SKIN_DRIVE_INTEGERS, value);
}

/* All numbers of a value at any depth, in order. */
static void put_all(drive_writer *w, const cJSON *value) {
	if (cJSON_IsNumber(value)) {
		snw_skin_put_numbers(w->fields, SNW_SKIN_DRIVE_NUMBERS, &value->valuedouble, 1);
	}
	for (const cJSON *item = cJSON_IsArray(value) || cJSON_IsObject(value) ? value->child : NULL; item; item = item->next) {
		put_all(w, item);
	}
}

static uint32_t joint_named(drive_writer *w, const cJSON *name) {
	for (uint32_t j = 0; cJSON_IsString(name) && j < w->plan->rig.joint_count; j++) {
		if (strcmp(w->plan->rig.names[j], name->valuestring) == 0) {
			return w->places[j];
		}
	}
	w->is_known = false;
	return 0;
}

/* SNW_NONE for the displacement of another mesh. */
static uint32_t target_named(drive_writer *w, const cJSON *name) {
	const snw_plan_mesh *mesh = &w->plan->meshes[w->mesh];
	for (uint32_t t = 0; cJSON_IsString(name) && t < mesh->morph_count; t++) {
		if (mesh->morphs[t].channel == SNW_NONE && strcmp(mesh->morphs[t].name, name->valuestring) == 0) {
			return mesh->first_weight + t;
		}
	}
	return SNW_NONE;
}

static void begin(drive_writer *w) {
	w->integers = snw_skin_count(w->fields, SNW_SKIN_DRIVE_INTEGERS);
	w->numbers = snw_skin_count(w->fields, SNW_SKIN_DRIVE_NUMBERS);
}

static void end(drive_writer *w, drive_kind kind) {
	const uint32_t row[] = {kind, w->integers, snw_skin_count(w->fields, SNW_SKIN_DRIVE_INTEGERS) - w->integers, w->numbers,
							snw_skin_count(w->fields, SNW_SKIN_DRIVE_NUMBERS) - w->numbers};
	for (int i = 0; i < 5; i++) {
		snw_skin_put_integer(w->fields, SNW_SKIN_DRIVES, row[i]);
	}
}

static uint32_t kernel_named(drive_writer *w, const cJSON *name) {
	static const char *const kernels[] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric", "cone"};
	for (uint32_t k = 0; cJSON_IsString(name) && k < sizeof kernels / sizeof *kernels; k++) {
		if (strcmp(kernels[k], name->valuestring) == 0) {
			return k;
		}
	}
	w->is_known = false;
	return 0;
}

static void write_group(drive_writer *w, const cJSON *group) {
	static const char *const numbers[] = {"width", "axes",     "swing",  "twist",   "translation",
										  "scale", "examples", "places", "weights", "constants"};
	const cJSON *item, *polynomial = member(group, "polynomial");
	const bool is_linear = cJSON_IsString(polynomial) && strcmp(polynomial->valuestring, "linear") == 0;
	begin(w);
	put_integer(w, (uint32_t)cJSON_GetArraySize(member(group, "joints")));
	put_integer(w, (uint32_t)cJSON_GetArraySize(member(group, "examples")));
	put_integer(w, (uint32_t)cJSON_GetArraySize(member(group, "targets")));
	put_integer(w, kernel_named(w, member(group, "kernel")));
	put_integer(w, is_linear);
	put_integer(w, cJSON_IsTrue(member(group, "clamp")));
	cJSON_ArrayForEach(item, member(group, "joints")) {
		put_integer(w, joint_named(w, item));
	}
	cJSON_ArrayForEach(item, member(group, "unwound")) {
		put_integer(w, cJSON_IsTrue(item));
	}
	cJSON_ArrayForEach(item, member(group, "targets")) {
		put_integer(w, target_named(w, item));
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		put_all(w, member(group, numbers[i]));
	}
	if (is_linear) {
		put_all(w, member(group, "slopes"));
	}
	end(w, SPACE);
}

/* Coefficients of other meshes are left out. */
static void write_regression(drive_writer *w, const cJSON *regression) {
	const cJSON *item, *joints = member(regression, "joints"), *features = member(regression, "features"), *feature;
	uint32_t count = 0;
	begin(w);
	cJSON_ArrayForEach(item, member(regression, "coefficients")) {
		count += target_named(w, member(item, "name")) != SNW_NONE;
	}
	put_integer(w, (uint32_t)cJSON_GetArraySize(joints));
	put_integer(w, cJSON_IsString(features) && strcmp(features->valuestring, "vectors") == 0);
	put_integer(w, cJSON_IsTrue(member(regression, "clamp")));
	put_integer(w, count);
	cJSON_ArrayForEach(item, joints) {
		put_integer(w, joint_named(w, member(item, "name")));
		put_all(w, member(item, "axes"));
		put_all(w, member(item, "lowest"));
		put_all(w, member(item, "highest"));
	}
	cJSON_ArrayForEach(item, member(regression, "coefficients")) {
		const uint32_t target = target_named(w, member(item, "name"));
		if (target != SNW_NONE) {
			put_integer(w, target);
			put_integer(w, (uint32_t)cJSON_GetArraySize(member(item, "features")));
			cJSON_ArrayForEach(feature, member(item, "features")) {
				put_integer(w, (uint32_t)feature->valueint);
			}
			put_all(w, member(item, "factors"));
		}
	}
	end(w, REGRESSION);
}

static void write_helper(drive_writer *w, const cJSON *helper) {
	static const char *const numbers[] = {"axes",         "lowest",       "highest",      "rotationX", "rotationY", "rotationZ",
										  "translationX", "translationY", "translationZ", "stretchX",  "stretchY",  "stretchZ"};
	const cJSON *driver, *drivers = member(helper, "drivers"), *toward = member(helper, "toward"),
						 *share = member(helper, "share");
	static const double none = 0;
	begin(w);
	put_integer(w, joint_named(w, member(helper, "name")));
	put_integer(w, joint_named(w, member(helper, "parent")));
	put_integer(w, toward ? joint_named(w, toward) : SNW_NONE);
	put_integer(w, (uint32_t)cJSON_GetArraySize(drivers));
	put_all(w, member(helper, "place"));
	put_all(w, member(helper, "stretchAxes"));
	if (share) {
		put_all(w, share);
	} else {
		snw_skin_put_numbers(w->fields, SNW_SKIN_DRIVE_NUMBERS, &none, 1);
	}
	cJSON_ArrayForEach(driver, drivers) {
		put_integer(w, joint_named(w, member(driver, "joint")));
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
			put_all(w, member(driver, numbers[i]));
		}
	}
	end(w, HELPER);
}

static void write_description(drive_writer *w, const cJSON *sinew) {
	const cJSON *item, *regression = member(sinew, "poseRegression");
	cJSON_ArrayForEach(item, member(member(sinew, "poseSpace"), "groups")) {
		write_group(w, item);
	}
	if (regression) {
		write_regression(w, regression);
	}
	cJSON_ArrayForEach(item, member(member(sinew, "helperJoints"), "helpers")) {
		write_helper(w, item);
	}
}

/* Morph targets that nothing in the file drives, though a layer does. */
static void notice_undriven(const snw_plan *plan) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			const snw_plan_morph *morph = &mesh->morphs[t];
			count += morph->channel == SNW_NONE && !morph->is_described && morph->count > 0;
		}
	}
	if (count > 0) {
		snw_task_notice(
			plan->task, SNW_LOG_WARNING,
			"%s: no layer describes how the pose drives %u of its morph targets; they stay as they are at rest, unless "
			"your program sets them; the error is that of a program that does not",
			plan->request->path, count);
	}
}

/* Pose spaces, pose regressions and helper joints, as the descriptions of the plan's meshes have them. `places` are those of
 * the rig's joints in the file. */
static snw_status skin_write_drives(snw_skin_fields *fields, const snw_plan *plan, const uint32_t *places, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_gltf_writer writer = {.plan = plan, .document = snw_gltf_document_create(false), .arena = arena};
	drive_writer w = {.fields = fields, .plan = plan, .places = places, .is_known = writer.document != NULL};
	for (uint32_t m = 0; m < plan->mesh_count && writer.document; m++) {
		cJSON *sinew = snw_gltf_put_object(writer.document, snw_gltf_root(writer.document), plan->meshes[m].mesh->name);
		w.mesh = m;
		if (snw_gltf_write_description(&writer, m, sinew)) {
			write_description(&w, sinew);
		}
	}
	notice_undriven(plan);
	const bool has_memory = writer.document != NULL;
	snw_gltf_document_destroy(writer.document);
	snw_arena_destroy(arena);
	return w.is_known ? SNW_OK
		   : has_memory
			   ? snw_fail(error, SNW_ERROR_UNSUPPORTED,
						  "%s: a layer describes its drive in a way that the player does not know", plan->request->path)
			   : snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", plan->request->path);
}

/* ---- skin file ----------------------------------------------------------------------------------------------------------- */

enum { WIDTH = 8 }; /* influences of a point */

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* Parents first: the place of each joint of the rig. */
static uint32_t *order_joints(const snw_plan *plan, snw_arena *arena) {
	uint32_t *places = SNW_NEW_ARRAY(arena, uint32_t, plan->rig.joint_count);
	for (uint32_t i = 0; i < plan->rig.joint_count; i++) {
		places[plan->rig.order[i]] = i;
	}
	return places;
}

/* A helper's own transform is not read: the player computes it. */
static void write_joints(snw_skin_fields *f, const snw_plan *plan, const uint32_t *places) {
	static const snw_transform none = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	for (uint32_t i = 0; i < plan->rig.joint_count; i++) {
		const uint32_t joint = plan->rig.order[i], parent = plan->rig.parents[joint];
		const bool is_helper = joint >= plan->scene->skeleton.joint_count;
		const snw_transform *rest = is_helper ? &none : &plan->scene->skeleton.rest_local[joint];
		snw_skin_put_name(f, SNW_SKIN_JOINT_NAMES, plan->rig.names[joint]);
		snw_skin_put_integer(f, SNW_SKIN_JOINT_PARENTS, parent == SNW_NONE ? SNW_NONE : places[parent]);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest->translation, 3);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest->rotation, 4);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest->scale, 3);
	}
	for (uint32_t s = 0; s < plan->rig.slot_count; s++) {
		snw_skin_put_integer(f, SNW_SKIN_SLOT_JOINTS, places[plan->rig.slot_joints[s]]);
		snw_skin_put_numbers(f, SNW_SKIN_SLOT_BINDS, plan->rig.slot_inverse_binds + 12 * (size_t)s, 12);
	}
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* Influences without a weight are left out, so those that a point has come first. */
static void write_influences(snw_skin_fields *f, const snw_plan_mesh *mesh, uint32_t point) {
	uint32_t slots[WIDTH], count = 0;
	float weights[WIDTH] = {0};
	memset(slots, 0xff, sizeof slots);
	if (mesh->placement == SNW_PLAN_RIGID) {
		slots[0] = mesh->slot;
		weights[0] = 1;
	}
	for (uint32_t i = 0; mesh->placement == SNW_PLAN_SKINNED && i < mesh->width; i++) {
		const size_t at = (size_t)point * mesh->width + i;
		if (mesh->weights[at] > 0) {
			slots[count] = mesh->slots[at];
			weights[count++] = mesh->weights[at];
		}
	}
	for (int i = 0; i < WIDTH; i++) {
		snw_skin_put_integer(f, SNW_SKIN_POINT_SLOTS, slots[i]);
		snw_skin_put_float(f, SNW_SKIN_POINT_WEIGHTS, weights[i]);
	}
}

static void write_triangles(snw_skin_fields *f, const snw_mesh *mesh, snw_arena *arena) {
	uint32_t most = 3;
	for (uint32_t i = 0; i < mesh->face_count; i++) {
		const uint32_t corners = mesh->face_offsets[i + 1] - mesh->face_offsets[i];
		most = corners > most ? corners : most;
	}
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)most), *scratch = SNW_NEW_ARRAY(arena, uint32_t, most);
	for (uint32_t i = 0; i < mesh->face_count; i++) {
		const uint32_t begin = mesh->face_offsets[i], count = mesh->face_offsets[i + 1] - begin;
		snw_face_triangulate(mesh, i, corners, scratch);
		for (uint32_t c = 0; c < 3 * (count - 2); c++) {
			snw_skin_put_integer(f, SNW_SKIN_TRIANGLES, mesh->face_points[begin + corners[c]]);
		}
	}
}

static void write_morphs(snw_skin_fields *f, const snw_plan *plan, uint32_t m) {
	const snw_plan_mesh *mesh = &plan->meshes[m];
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		const double weight = plan->rest_weights[mesh->first_weight + t];
		snw_skin_put_name(f, SNW_SKIN_MORPH_NAMES, morph->name);
		snw_skin_put_integer(f, SNW_SKIN_MORPH_MESHES, m);
		snw_skin_put_numbers(f, SNW_SKIN_MORPH_WEIGHTS, &weight, 1);
		for (uint32_t i = 0; i < morph->count; i++) {
			snw_skin_put_integer(f, SNW_SKIN_MOVE_POINTS, morph->points[i]);
			for (size_t c = 0; c < 3; c++) {
				snw_skin_put_float(f, SNW_SKIN_MOVE_VECTORS, (float)morph->vectors[3 * (size_t)i + c]);
			}
		}
		snw_skin_put_integer(f, SNW_SKIN_MORPH_MOVES, snw_skin_count(f, SNW_SKIN_MOVE_POINTS));
	}
}

static void write_meshes(snw_skin_fields *f, const snw_plan *plan, snw_arena *arena) {
	snw_skin_put_integer(f, SNW_SKIN_MESH_POINTS, 0);
	snw_skin_put_integer(f, SNW_SKIN_MESH_TRIANGLES, 0);
	snw_skin_put_integer(f, SNW_SKIN_MORPH_MOVES, 0);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		snw_skin_put_name(f, SNW_SKIN_MESH_NAMES, mesh->mesh->name);
		snw_skin_put_integer(f, SNW_SKIN_MESH_BLENDS, mesh->dual_quaternions ? 1 : 0);
		for (uint32_t i = 0; i < mesh->mesh->point_count; i++) {
			for (size_t c = 0; c < 3; c++) {
				snw_skin_put_float(f, SNW_SKIN_POINT_RESTS, (float)mesh->points_rest[3 * (size_t)i + c]);
				snw_skin_put_float(f, SNW_SKIN_POINT_SOURCES, (float)mesh->mesh->points_rest[3 * (size_t)i + c]);
			}
			write_influences(f, mesh, i);
		}
		write_triangles(f, mesh->mesh, arena);
		write_morphs(f, plan, m);
		snw_skin_put_integer(f, SNW_SKIN_MESH_POINTS, snw_skin_count(f, SNW_SKIN_POINT_RESTS));
		snw_skin_put_integer(f, SNW_SKIN_MESH_TRIANGLES, snw_skin_count(f, SNW_SKIN_TRIANGLES));
	}
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static snw_status write_skin_plan(const snw_plan *plan, uint64_t *byte_count, snw_error *error) {
	snw_file_write *file = NULL;
	snw_arena *arena = snw_arena_create();
	snw_skin_fields *fields = snw_skin_fields_create(arena);
	const uint32_t *places = order_joints(plan, arena);
	write_joints(fields, plan, places);
	write_meshes(fields, plan, arena);
	snw_status status = skin_write_drives(fields, plan, places, error);
	status = snw_failed(status) ? status : snw_file_write_begin(plan->request->path, &file, error);
	if (!snw_failed(status)) {
		*byte_count = snw_skin_fields_write(fields, snw_file_write_stream(file));
		status = snw_file_write_commit(file, error);
	}
	snw_arena_destroy(arena);
	return status;
}

/* What only clips move cannot be played under any pose. */
static snw_status check_plan(const snw_plan *plan, snw_error *error) {
	return plan->report.proxy_count > 0 ? snw_fail(error, SNW_ERROR_UNSUPPORTED,
												   "%s: clips alone move the proxy joints of this skin, and a skin file has no "
												   "clips; 'sinew bake' or a fit with "
												   "blend=linear makes a skin over the skeleton, and .glb holds this one",
												   plan->request->path)
										: SNW_OK;
}

/* A black box runs by its own code, which no player has. */
static snw_status check_boxes(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  snw_error *error) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bool is_written =
			(request->mesh == SNW_NONE || request->mesh == m) && (!request->character || request->character->meshes[m]);
		for (uint32_t s = 0; is_written && s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info info = snw_stack_segment(stack, m, s);
			if (!info.is_program) {
				return snw_fail(error, SNW_ERROR_UNSUPPORTED,
								"%s: mesh %s: %s runs by code of its own, which a skin file cannot hold; 'sinew bake' makes a "
								"skin that it can",
								request->path, scene->meshes[m].name, info.layers);
			}
		}
	}
	return SNW_OK;
}

static snw_status export_skin(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_export_request driven = *request;
	driven.plays_drives = driven.plays_dual_quaternions = true;
	snw_status status = check_boxes(scene, stack, request, error);
	status = snw_failed(status) ? status : snw_plan_make(scene, stack, &driven, "a skin file", task, &plan, error);
	status = snw_failed(status) ? status : check_plan(plan, error);
	if (!snw_failed(status)) {
		plan->report.packed_max_percent = plan->report.packed_erms = plan->report.packed_max_metres = 0; /* nobody packs it */
		plan->report.playback_normals_degrees = plan->report.playback_normals_max_degrees = (double)NAN; /* of its faces */
	}
	if (!snw_failed(status) && request->review) {
		status = request->review(request->review_context, &plan->report, error);
	}
	status = snw_failed(status) ? status : write_skin_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

const snw_export_format snw_export_skin = {
	.file = {.extensions = "snwskin", .label = "skin for the C player", .holds = SNW_FILE_MESH | SNW_FILE_SKIN},
	.write = export_skin,
};

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

enum { FIELDS_VERSION = 1, ALIGNMENT = 16, NAME_BYTES = 16, HEAD_BYTES = 16, ENTRY_BYTES = 40, LEAST_ROOM = 4096 };

/* Of an element: the bytes of a number, and how many. */
static const struct {
	const char *name;
	uint32_t bytes_each, numbers;
} field_kinds[SNW_SKIN_FIELD_COUNT] = {
	[SNW_SKIN_NAMES] = {"names", 1, 1},
	[SNW_SKIN_JOINT_NAMES] = {"joint.names", 4, 1},
	[SNW_SKIN_JOINT_PARENTS] = {"joint.parents", 4, 1},
	[SNW_SKIN_JOINT_RESTS] = {"joint.rests", 8, 10},
	[SNW_SKIN_SLOT_JOINTS] = {"slot.joints", 4, 1},
	[SNW_SKIN_SLOT_BINDS] = {"slot.binds", 8, 12},
	[SNW_SKIN_MESH_NAMES] = {"mesh.names", 4, 1},
	[SNW_SKIN_MESH_BLENDS] = {"mesh.blends", 4, 1},
	[SNW_SKIN_MESH_POINTS] = {"mesh.points", 4, 1},
	[SNW_SKIN_MESH_TRIANGLES] = {"mesh.triangles", 4, 1},
	[SNW_SKIN_POINT_RESTS] = {"point.rests", 4, 3},
	[SNW_SKIN_POINT_SOURCES] = {"point.sources", 4, 3},
	[SNW_SKIN_POINT_SLOTS] = {"point.slots", 4, 8},
	[SNW_SKIN_POINT_WEIGHTS] = {"point.weights", 4, 8},
	[SNW_SKIN_TRIANGLES] = {"triangles", 4, 3},
	[SNW_SKIN_MORPH_NAMES] = {"morph.names", 4, 1},
	[SNW_SKIN_MORPH_MESHES] = {"morph.meshes", 4, 1},
	[SNW_SKIN_MORPH_MOVES] = {"morph.moves", 4, 1},
	[SNW_SKIN_MORPH_WEIGHTS] = {"morph.weights", 8, 1},
	[SNW_SKIN_MOVE_POINTS] = {"move.points", 4, 1},
	[SNW_SKIN_MOVE_VECTORS] = {"move.vectors", 4, 3},
	[SNW_SKIN_DRIVES] = {"drives", 4, 5},
	[SNW_SKIN_DRIVE_INTEGERS] = {"drive.integers", 4, 1},
	[SNW_SKIN_DRIVE_NUMBERS] = {"drive.numbers", 8, 1},
};

struct snw_skin_fields {
	snw_arena *arena;
	struct {
		unsigned char *bytes;
		size_t count, room;
	} list[SNW_SKIN_FIELD_COUNT];
};

snw_skin_fields *snw_skin_fields_create(snw_arena *arena) {
	snw_skin_fields *fields = SNW_NEW(arena, snw_skin_fields);
	fields->arena = arena;
	return fields;
}

static void put(snw_skin_fields *fields, snw_skin_field field, const void *bytes, size_t count) {
	unsigned char *before = fields->list[field].bytes;
	const size_t used = fields->list[field].count;
	if (used + count > fields->list[field].room) {
		fields->list[field].room = 2 * (used + count) + LEAST_ROOM;
		fields->list[field].bytes = snw_arena_array(fields->arena, fields->list[field].room, 1);
		if (used > 0) {
			memcpy(fields->list[field].bytes, before, used);
		}
	}
	memcpy(fields->list[field].bytes + used, bytes, count);
	fields->list[field].count += count;
}

/* Little endian on any processor. */
static void put_bits(snw_skin_fields *fields, snw_skin_field field, uint64_t bits, size_t count) {
	unsigned char bytes[8];
	for (size_t i = 0; i < count; i++) {
		bytes[i] = (unsigned char)(bits >> (8 * i));
	}
	put(fields, field, bytes, count);
}

void snw_skin_put_integer(snw_skin_fields *fields, snw_skin_field field, uint32_t value) {
	put_bits(fields, field, value, sizeof value);
}

void snw_skin_put_float(snw_skin_fields *fields, snw_skin_field field, float value) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_bits(fields, field, bits, sizeof bits);
}

void snw_skin_put_numbers(snw_skin_fields *fields, snw_skin_field field, const double *values, size_t count) {
	for (size_t i = 0; i < count; i++) {
		uint64_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		put_bits(fields, field, bits, sizeof bits);
	}
}

void snw_skin_put_name(snw_skin_fields *fields, snw_skin_field field, const char *name) {
	snw_skin_put_integer(fields, field, snw_skin_count(fields, SNW_SKIN_NAMES));
	put(fields, SNW_SKIN_NAMES, name, strlen(name) + 1);
}

uint32_t snw_skin_count(const snw_skin_fields *fields, snw_skin_field field) {
	return (uint32_t)(fields->list[field].count / ((size_t)field_kinds[field].bytes_each * field_kinds[field].numbers));
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static void write_bits(FILE *stream, uint64_t bits, size_t count) {
	for (size_t i = 0; i < count; i++) {
		fputc((int)(bits >> (8 * i) & 0xff), stream);
	}
}

static uint64_t aligned(uint64_t offset) {
	return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t snw_skin_fields_write(const snw_skin_fields *fields, FILE *stream) {
	uint64_t offset = aligned(HEAD_BYTES + (uint64_t)SNW_SKIN_FIELD_COUNT * ENTRY_BYTES);
	uint64_t written = HEAD_BYTES + (uint64_t)SNW_SKIN_FIELD_COUNT * ENTRY_BYTES;
	fwrite("SNWSKIN", 1, 8, stream);
	write_bits(stream, FIELDS_VERSION, 4);
	write_bits(stream, SNW_SKIN_FIELD_COUNT, 4);
	for (int f = 0; f < SNW_SKIN_FIELD_COUNT; f++) {
		char name[NAME_BYTES] = {0};
		memcpy(name, field_kinds[f].name, strlen(field_kinds[f].name));
		fwrite(name, 1, sizeof name, stream);
		write_bits(stream, field_kinds[f].bytes_each, 4);
		write_bits(stream, 0, 4);
		write_bits(stream, offset, 8);
		write_bits(stream, snw_skin_count(fields, (snw_skin_field)f), 8);
		offset = aligned(offset + fields->list[f].count);
	}
	for (int f = 0; f < SNW_SKIN_FIELD_COUNT; f++) {
		const uint64_t padding = aligned(written) - written;
		write_bits(stream, 0, padding > 8 ? 8 : padding);
		write_bits(stream, 0, padding > 8 ? padding - 8 : 0);
		fwrite(fields->list[f].bytes ? fields->list[f].bytes : (const unsigned char *)"", 1, fields->list[f].count, stream);
		written += padding + fields->list[f].count;
	}
	return written;
}
