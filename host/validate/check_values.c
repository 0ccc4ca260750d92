/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of values: a deformer must accept all values that its table allows. In the short one numbers, integers, switches and
 * choices keep their defaults; vectors, colours, joints, fields, texts and files get random values. The long one draws them all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "parameter/parameters.h"
#include "validate/checks.h"

enum { LEAST_DRAWS = 2, DRAWS = 12, FILE_BYTES = 300 };

/* ---- random values ------------------------------------------------------------------------------------------------------- */

static double draw_number(uint64_t *random, double least, double most) {
	const uint64_t bits = snw_random_next(random);
	return bits % 5 == 0 ? least : bits % 5 == 1 ? most : least + (most - least) * (double)(bits >> 11) * 0x1p-53;
}

/* An empty text, one of the largest length, or a short one; its letters have one to four bytes. */
static const char *draw_text(uint64_t *random, snw_arena *arena) {
	static const char *const letters[] = {"a", " ", "\"", "%s", "\xc3\xbc", "\xe2\x82\xac", "\xf0\x9f\xa6\xb4"};
	const uint64_t kind = snw_random_next(random) % 4;
	const size_t most = kind == 0 ? 0 : kind == 1 ? SNW_LONGEST_TEXT : snw_random_next(random) % 40;
	char *text = snw_arena_acquire(arena, SNW_LONGEST_TEXT + 1);
	for (size_t used = 0;;) {
		const char *letter = letters[snw_random_next(random) % (sizeof letters / sizeof letters[0])];
		if (used + strlen(letter) > most) {
			return text;
		}
		memcpy(text + used, letter, strlen(letter) + 1);
		used += strlen(letter);
	}
}

/* The files in memory of one draw. They are closed after the fit that reads them. */
typedef struct drawn_files {
	uint32_t count;
	int *descriptors;
} drawn_files;

static void close_files(drawn_files *files) {
	while (files->count > 0) {
		close(files->descriptors[--files->count]);
	}
}

/* The path of a file in memory; "" if it cannot be made. */
static const char *draw_file(uint64_t *random, drawn_files *files, snw_arena *arena) {
	const int file = memfd_create("sinew-validate", MFD_CLOEXEC);
	unsigned char bytes[FILE_BYTES];
	for (size_t i = 0; i < sizeof bytes; i++) {
		bytes[i] = (unsigned char)snw_random_next(random);
	}
	const size_t count = snw_random_next(random) % FILE_BYTES;
	if (file < 0) {
		return "";
	}
	files->descriptors[files->count++] = file;
	return write(file, bytes, count) == (ssize_t)count ? snw_arena_format(arena, "/proc/self/fd/%d", file) : "";
}

static snw_value draw_joint(uint64_t *random, const snw_scene *scene) {
	const uint32_t joint = (uint32_t)(snw_random_next(random) % (scene->skeleton.joint_count + 1u));
	const bool is_none = joint == scene->skeleton.joint_count;
	return is_none ? (snw_value)SNW_NO_JOINT : (snw_value){.numbers = {joint}, .text = scene->skeleton.names[joint]};
}

static const char *draw_field(uint64_t *random, const snw_scene *scene) {
	const uint32_t field = (uint32_t)(snw_random_next(random) % (scene->field_count + 1u));
	const bool fits = field < scene->field_count && scene->fields[field].domain == SNW_DOMAIN_POINTS;
	return fits ? scene->fields[field].name : "";
}

/* False if the parameter keeps its default. */
static bool draw_value(uint64_t *random, const snw_parameter *parameter, const snw_scene *scene, drawn_files *files,
					   snw_value *value) {
	switch (parameter->kind) {
	case SNW_PARAMETER_VECTOR:
	case SNW_PARAMETER_COLOR: {
		const bool is_color = parameter->kind == SNW_PARAMETER_COLOR;
		for (int c = 0; c < 3; c++) {
			value->numbers[c] =
				draw_number(random, is_color ? 0 : parameter->soft_minimum, is_color ? 1 : parameter->soft_maximum);
		}
		return true;
	}
	case SNW_PARAMETER_JOINT:
		*value = draw_joint(random, scene);
		return true;
	case SNW_PARAMETER_FIELD:
		value->text = draw_field(random, scene);
		return true;
	case SNW_PARAMETER_TEXT:
		value->text = draw_text(random, scene->arena);
		return true;
	case SNW_PARAMETER_FILE:
		value->text = snw_random_next(random) % 3 == 0 ? "" : draw_file(random, files, scene->arena);
		return true;
	default:
		return false;
	}
}

/* ---- the check ------------------------------------------------------------------------------------------------------------- */

static snw_status check_points(const harness *b, uint32_t pose, uint32_t mesh, const double *points, snw_error *finding) {
	for (size_t i = 0; i < (size_t)3 * b->scene->meshes[mesh].point_count; i++) {
		if (!isfinite(points[i])) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"deform gives point %zu of mesh '%s' coordinates that are not finite at pose '%s'", i / 3,
							b->scene->meshes[mesh].name, b->scene->poses[pose].name);
		}
	}
	return SNW_OK;
}

static snw_status evaluate(const harness *b, snw_error *finding) {
	harness_driven driven = harness_driven_make(b, b->model);
	snw_status status = SNW_OK;
	for (uint32_t p = 0; !snw_failed(status) && p < b->scene->pose_count; p++) {
		status = harness_drive(b, b->model, p, 0, &driven, finding);
		for (uint32_t m = 0; !snw_failed(status) && m < b->scene->mesh_count; m++) {
			double *points = calloc(b->scene->meshes[m].point_count, 3 * sizeof *points);
			if (harness_deform_whole(b, b->model, p, &driven, m, points)) {
				status = check_points(b, p, m, points, finding);
			}
			free(points);
		}
	}
	harness_driven_free(&driven);
	return status;
}

/* A fit may refuse values, such as a file that it cannot read, but with a legal status and a message. */
static snw_status try_values(harness *b, uint32_t *refused, snw_error *finding) {
	snw_error fault = {0};
	snw_status status = harness_fit(b, &fault);
	if (snw_failed(status)) {
		++*refused;
		status = status == SNW_ERROR_INTERNAL ? snw_fail(finding, status, "%s", fault.text) : SNW_OK;
	} else {
		status = evaluate(b, finding);
	}
	const snw_status released = harness_release(b, &fault);
	return !snw_failed(status) && snw_failed(released) ? snw_fail(finding, released, "%s", fault.text) : status;
}

static drawn_files files_for(const harness *b) {
	return (drawn_files){.descriptors = SNW_NEW_ARRAY(b->scene->arena, int, b->deformer->descriptor->parameter_count)};
}

snw_status snw_validate_values(harness *b, const check_settings *settings, snw_error *finding) {
	uint64_t random = settings->seed;
	const snw_descriptor *descriptor = b->deformer->descriptor;
	const double end = snw_clock_seconds() + settings->budget_seconds;
	uint32_t drawn = 0, refused = 0, tried = 0;
	drawn_files files = files_for(b);
	for (; tried < LEAST_DRAWS || (tried < DRAWS && snw_clock_seconds() < end); tried++) {
		drawn = 0;
		for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
			drawn += draw_value(&random, descriptor->parameters[i], b->scene, &files, &b->values[i]);
		}
		if (drawn == 0) {
			return snw_fail(finding, SNW_OK, "no vectors, colours, joints, fields, texts or files among its parameters");
		}
		const snw_status status = try_values(b, &refused, finding);
		close_files(&files);
		if (snw_failed(status)) {
			return status;
		}
	}
	return snw_fail(finding, SNW_OK, "%u draws of %u values, %u of them refused", tried, drawn, refused);
}

/* ---- all parameters, for a time ---------------------------------------------------------------------------------------------- */

/* Of numbers too. Slider ranges rather than hard ones: those may ask for more than a machine has. */
static void draw_any(uint64_t *random, const snw_parameter *parameter, const snw_scene *scene, drawn_files *files,
					 snw_value *value) {
	if (!draw_value(random, parameter, scene, files, value)) {
		const bool is_choice = parameter->kind == SNW_PARAMETER_CHOICE || parameter->kind == SNW_PARAMETER_SWITCH;
		const double number = draw_number(random, is_choice ? parameter->minimum : parameter->soft_minimum,
										  is_choice ? parameter->maximum : parameter->soft_maximum);
		value->numbers[0] = parameter->kind == SNW_PARAMETER_NUMBER ? number : round(number);
	}
}

/* Each round has a seed of its own, so that one round can be repeated. */
snw_status snw_validate_random(harness *b, const check_settings *settings, snw_error *finding) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	const double end = snw_clock_seconds() + settings->random_seconds;
	uint32_t refused = 0, tried = 0;
	uint64_t seed = settings->seed;
	drawn_files files = files_for(b);
	do {
		uint64_t random = seed;
		for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
			draw_any(&random, descriptor->parameters[i], b->scene, &files, &b->values[i]);
		}
		snw_validate_note("with the values of seed %llu", (unsigned long long)seed);
		snw_error fault = {0};
		const snw_status status = try_values(b, &refused, &fault);
		close_files(&files);
		tried++;
		if (snw_failed(status)) {
			return snw_fail(finding, status, "%.800s; repeat with --reproduce %llu", fault.text, (unsigned long long)seed);
		}
		seed = (uint32_t)(seed + 1);
	} while (snw_clock_seconds() < end);
	return snw_fail(finding, SNW_OK, "%u draws of all values, %u of them refused", tried, refused);
}
