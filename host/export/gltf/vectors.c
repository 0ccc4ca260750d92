/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test vectors for players of an exported file: poses of the joints that drive it, and the coefficients and helper joints that
 * the stack has there. docs/pose-space.md defines the file: a line of JSON, then little-endian floats.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "export/gltf/writer.h"
#include "export/plan/passes.h"
#include "export/plan/plan.h"
#include "file/file.h"
#include "sinew/algebra.h"

/* Sweeps have as many steps of a sign as keep the file below its limit; no step is over 60 degrees, so that a player that sees
 * quaternions alone can follow the winding. */
enum { POSES = 1000, PLACED_POSES = 100, VERSION = 1, BYTES = 1000000, MOST_TRACK_STEPS = 48, LEAST_STEPS = 12 };
#define TURN 6.283185307179586
static const double farthest_rotation = 2.9; /* of a pose's rotations, radians: the shorter way, with room for rounding */

typedef struct vectors {
	const snw_plan *plan;
	snw_arena *arena;
	uint32_t driver_count, *drivers; /* joints that the descriptions name */
	double (*axes)[3];               /* [driver_count]: what sweeps rotate about */
	uint32_t weight_count, *weights; /* the described ones of the plan's */
	double *driven;                  /* [the plan's weight_count] */
	uint32_t steps;
	uint64_t random;
	snw_pose *pose;
	size_t float_count;
	float *floats, *next;
} vectors;

static double number_between(vectors *v, double least, double most) {
	return least + (most - least) * (double)(snw_random_next(&v->random) >> 11) * 0x1p-53;
}

static void random_direction(vectors *v, double direction[3]) {
	double length = 0;
	while (length < 0.1 || length > 1) {
		for (int c = 0; c < 3; c++) {
			direction[c] = number_between(v, -1, 1);
		}
		length = snw_length3(direction);
	}
	for (int c = 0; c < 3; c++) {
		direction[c] /= length;
	}
}

static void put(vectors *v, const double *numbers, size_t count) {
	for (size_t i = 0; i < count; i++) {
		*v->next++ = (float)numbers[i];
	}
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* Numbers of a pose are those of floats, so that a player gets the very ones. Where GCC 12 vectorises (double)(float)x, it
 * leaves both conversions out; a volatile number is rounded. */
static double rounded(double number) {
	volatile float nearest = (float)number;
	return (double)nearest;
}

static void rotate(vectors *v, uint32_t joint, double vector[3]) {
	double away[4];
	for (int c = 0; c < 3; c++) {
		vector[c] = rounded(vector[c]);
	}
	snw_quat_from_rotation_vector(vector, away);
	snw_quat_multiply(v->plan->scene->skeleton.rest_local[joint].rotation, away, v->pose->local[joint].rotation);
	memcpy(v->pose->rotation_vectors + 3 * (size_t)joint, vector, 3 * sizeof *vector);
}

static void place(vectors *v, uint32_t joint, double numbers[6]) {
	const snw_transform *rest = &v->plan->scene->skeleton.rest_local[joint];
	snw_transform *local = &v->pose->local[joint];
	for (int c = 0; c < 3; c++) {
		local->translation[c] = rounded(rest->translation[c] + number_between(v, -0.1, 0.1));
		local->scale[c] = rounded(rest->scale[c] * exp(number_between(v, -0.2, 0.2)));
		numbers[c] = local->translation[c];
		numbers[3 + c] = local->scale[c];
	}
}

/* What the stack makes of the pose. */
static snw_status put_answer(vectors *v, snw_error *error) {
	const snw_plan *plan = v->plan;
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_status status = snw_plan_drive(plan, v->pose, arena, &view, error);
	if (!snw_failed(status)) {
		snw_plan_driven_weights(plan, v->driven);
		for (uint32_t w = 0; w < v->weight_count; w++) {
			put(v, v->driven + v->weights[w], 1);
		}
		for (uint32_t h = 0; h < plan->helper_count; h++) {
			double matrix[12];
			snw_plan_helper_matrix(plan, view, h, matrix);
			put(v, matrix, 12);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

/* A joint of a pose: at rest in the first one, moved and scaled in some. */
static void put_joint(vectors *v, uint32_t p, uint32_t d, float *rotations, float *places) {
	const uint32_t joint = v->drivers[d];
	const snw_transform *rest = &v->plan->scene->skeleton.rest_local[joint];
	double vector[3], numbers[6];
	random_direction(v, vector);
	const double angle = p == 0 ? 0 : number_between(v, 0, farthest_rotation);
	for (int c = 0; c < 3; c++) {
		vector[c] *= angle;
	}
	rotate(v, joint, vector);
	v->next = rotations + 3 * ((size_t)p * v->driver_count + d);
	put(v, vector, 3);
	if (p > 0 && p <= PLACED_POSES) {
		place(v, joint, numbers);
		v->next = places + 6 * ((size_t)(p - 1) * v->driver_count + d);
		put(v, numbers, 6);
	} else {
		memcpy(v->pose->local[joint].translation, rest->translation, sizeof rest->translation);
		memcpy(v->pose->local[joint].scale, rest->scale, sizeof rest->scale);
	}
}

/* Rotations of all poses, then places, then answers. */
static snw_status put_poses(vectors *v, snw_error *error) {
	float *rotations = v->floats, *places = rotations + 3 * (size_t)POSES * v->driver_count;
	float *answers = places + 6 * (size_t)PLACED_POSES * v->driver_count;
	snw_status status = SNW_OK;
	for (uint32_t p = 0; p < POSES && !snw_failed(status); p++) {
		for (uint32_t d = 0; d < v->driver_count; d++) {
			put_joint(v, p, d, rotations, places);
		}
		v->next = answers;
		const bool goes_on = snw_task_progress(v->plan->task, SNW_PLAN_SHARE + 0.1 * p / POSES, "posing");
		status = goes_on ? put_answer(v, error) : SNW_CANCELLED;
		answers = v->next;
	}
	return status;
}

/* Each joint alone, from rest on to two turns, and from rest to two turns back. */
static snw_status put_sweeps(vectors *v, snw_error *error) {
	const snw_scene *scene = v->plan->scene;
	snw_status status = SNW_OK;
	v->pose = snw_pose_rest(scene, v->arena);
	for (uint32_t d = 0; d < v->driver_count && !snw_failed(status); d++) {
		double vector[3];
		for (uint32_t i = 0; i < 2 * v->steps && !snw_failed(status); i++) {
			const double share = (i % v->steps + 0.5) / v->steps * (i < v->steps ? 2 : -2);
			for (int c = 0; c < 3; c++) {
				vector[c] = TURN * share * v->axes[d][c];
			}
			rotate(v, v->drivers[d], vector);
			status = put_answer(v, error);
		}
		memset(vector, 0, sizeof vector);
		rotate(v, v->drivers[d], vector);
	}
	return status;
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

/* What describes the plan's meshes, as in their extras. */
static cJSON *describe_meshes(vectors *v, snw_gltf_writer *writer, cJSON *header) {
	const snw_plan *plan = v->plan;
	cJSON *meshes = snw_gltf_put_array(writer->document, header, "meshes");
	cJSON *coefficients = snw_gltf_put_array(writer->document, header, "coefficients");
	v->weights = SNW_NEW_ARRAY(v->arena, uint32_t, plan->weight_count);
	v->driven = SNW_NEW_ARRAY(v->arena, double, plan->weight_count);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		cJSON *object = snw_gltf_put_object(writer->document, meshes, NULL);
		cJSON *sinew = snw_gltf_put_object(writer->document, object, "sinew");
		snw_gltf_put_text(writer->document, object, "name", mesh->mesh->name);
		snw_gltf_put_number(writer->document, sinew, "version", 1);
		(void)snw_gltf_write_description(writer, m, sinew);
		cJSON *sides = cJSON_DetachItemFromObjectCaseSensitive(sinew, "sides");
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			if (mesh->morphs[t].channel == SNW_NONE && snw_plan_description_names(sinew, mesh->morphs[t].name)) {
				cJSON *one = snw_gltf_put_object(writer->document, coefficients, NULL);
				snw_gltf_put_number(writer->document, one, "mesh", m);
				snw_gltf_put_text(writer->document, one, "target", mesh->morphs[t].name);
				v->weights[v->weight_count++] = mesh->first_weight + t;
			}
		}
		if (sides) {
			snw_gltf_put_item(writer->document, sinew, "sides", sides);
		}
	}
	return meshes;
}

/* Whether a description names a joint, and not only the list of joints at rest. */
static bool is_driver(const cJSON *meshes, const char *joint) {
	bool is = false;
	const cJSON *mesh;
	cJSON_ArrayForEach(mesh, meshes) {
		const cJSON *member = cJSON_GetObjectItemCaseSensitive(mesh, "sinew")->child;
		for (; member && !is; member = member->next) {
			is = strcmp(member->string, "joints") != 0 && snw_plan_description_names(member, joint);
		}
	}
	return is;
}

static void write_header(vectors *v, snw_gltf_writer *writer, cJSON *header) {
	const snw_plan *plan = v->plan;
	const snw_skeleton *skeleton = &plan->scene->skeleton;
	snw_gltf_document *document = writer->document;
	snw_gltf_put_text(document, header, "format", "org.sinew.pose-vectors");
	snw_gltf_put_number(document, header, "version", VERSION);
	cJSON *meshes = describe_meshes(v, writer, header);
	cJSON *helpers = snw_gltf_put_array(document, header, "helpers"), *joints = snw_gltf_put_array(document, header, "joints");
	for (uint32_t h = 0; h < plan->helper_count; h++) {
		snw_gltf_put_text(document, helpers, NULL, plan->rig.names[skeleton->joint_count + h]);
	}
	v->drivers = SNW_NEW_ARRAY(v->arena, uint32_t, skeleton->joint_count);
	v->axes = snw_arena_array(v->arena, skeleton->joint_count, sizeof *v->axes);
	cJSON *axes = cJSON_CreateArray();
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (is_driver(meshes, skeleton->names[j])) {
			random_direction(v, v->axes[v->driver_count]);
			snw_gltf_put_text(document, joints, NULL, skeleton->names[j]);
			snw_gltf_put_numbers(document, axes, NULL, v->axes[v->driver_count], 3);
			v->drivers[v->driver_count++] = j;
		}
	}
	snw_gltf_put_item(document, header, "axes", axes);
	snw_gltf_put_number(document, header, "poses", POSES);
	snw_gltf_put_number(document, header, "placedPoses", PLACED_POSES);
}

static size_t count_floats(const vectors *v) {
	const size_t answer = v->weight_count + 12 * (size_t)v->plan->helper_count, drivers = v->driver_count;
	return POSES * (3 * drivers + answer) + 6 * PLACED_POSES * drivers + 2 * v->steps * drivers * answer;
}

static void choose_steps(vectors *v, size_t header_bytes) {
	v->steps = MOST_TRACK_STEPS;
	do {
		v->float_count = count_floats(v);
	} while (header_bytes + 4 * v->float_count > BYTES && v->steps > LEAST_STEPS && (v->steps /= 2));
	v->floats = SNW_NEW_ARRAY(v->arena, float, v->float_count);
	v->next = v->floats;
}

/* The header is padded, so that the floats begin at a multiple of four bytes. */
static snw_status write_vectors_file(const vectors *v, const char *header, uint64_t *byte_count, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(v->plan->request->path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	FILE *stream = snw_file_write_stream(file);
	const size_t length = strlen(header), padding = 3 - length % 4;
	fprintf(stream, "%s%*s\n", header, (int)padding, "");
	for (size_t i = 0; i < v->float_count; i++) {
		uint32_t bits;
		memcpy(&bits, &v->floats[i], sizeof bits);
		const unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8), (unsigned char)(bits >> 16),
										(unsigned char)(bits >> 24)};
		fwrite(bytes, sizeof bytes, 1, stream);
	}
	*byte_count = length + padding + 1 + 4 * (uint64_t)v->float_count;
	return snw_file_write_commit(file, error);
}

static snw_status write_vectors(vectors *v, snw_gltf_writer *writer, uint64_t *byte_count, snw_error *error) {
	cJSON *header = snw_gltf_root(writer->document);
	write_header(v, writer, header);
	if (v->driver_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s: no layer says how the pose drives it, so there is nothing to test; fit a corrective first",
						v->plan->request->path);
	}
	char *text = cJSON_PrintUnformatted(header);
	choose_steps(v, text ? strlen(text) : 0);
	free(text);
	snw_gltf_put_number(writer->document, header, "steps", v->steps);
	text = cJSON_PrintUnformatted(header);
	v->pose = snw_pose_rest(v->plan->scene, v->arena);
	snw_status status = text ? put_poses(v, error) : SNW_ERROR_MEMORY;
	status = snw_failed(status) ? status : put_sweeps(v, error);
	status = snw_failed(status) ? status : write_vectors_file(v, text, byte_count, error);
	free(text);
	return status;
}

snw_status snw_export_vectors(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  const snw_task *task, snw_vectors_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_export_request unmeasured = *request;
	unmeasured.unmeasured = true;
	snw_status status = snw_plan_make(scene, stack, &unmeasured, "glTF", task, &plan, error);
	if (!snw_failed(status)) {
		vectors v = {.plan = plan, .arena = snw_arena_create()};
		snw_gltf_writer writer = {.plan = plan, .document = snw_gltf_document_create(false), .arena = v.arena};
		status = writer.document ? write_vectors(&v, &writer, &report->byte_count, error)
								 : snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", request->path);
		report->pose_count = POSES + 2 * v.steps * v.driver_count;
		report->joint_count = v.driver_count;
		report->coefficient_count = v.weight_count;
		report->helper_count = plan->helper_count;
		snw_gltf_document_destroy(writer.document);
		snw_arena_destroy(v.arena);
	}
	snw_plan_destroy(plan);
	return status;
}
