/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What drives coefficients and helper joints, from the JSON of the descriptions (docs/pose-space.md) into numbers.
 */
#include <string.h>

#include "export/gltf/writer.h"
#include "export/skin/fields.h"

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

snw_status snw_skin_write_drives(snw_skin_fields *fields, const snw_plan *plan, const uint32_t *places, snw_error *error) {
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
