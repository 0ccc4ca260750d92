/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/checks/draw_values.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "parameter/parameters.h"

enum { FILE_BYTES = 300 };

double draw_number(uint64_t *random, double least, double most) {
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

drawn_files draw_files(const harness *b) {
	return (drawn_files){.descriptors = SNW_NEW_ARRAY(b->scene->arena, int, b->deformer->descriptor->parameter_count)};
}

void draw_files_close(drawn_files *files) {
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

bool draw_thing(uint64_t *random, const snw_parameter *parameter, const snw_scene *scene, drawn_files *files,
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

/* Slider ranges rather than hard ones: those may ask for more than a machine has. */
static void draw_any(uint64_t *random, const snw_parameter *parameter, const snw_scene *scene, drawn_files *files,
					 snw_value *value) {
	if (!draw_thing(random, parameter, scene, files, value)) {
		const bool is_choice = parameter->kind == SNW_PARAMETER_CHOICE || parameter->kind == SNW_PARAMETER_SWITCH;
		const double number = draw_number(random, is_choice ? parameter->minimum : parameter->soft_minimum,
										  is_choice ? parameter->maximum : parameter->soft_maximum);
		value->numbers[0] = parameter->kind == SNW_PARAMETER_NUMBER ? number : round(number);
	}
}

void draw_values(uint64_t *random, harness *b, snw_stage first_stage, drawn_files *files) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		if (descriptor->parameters[i]->stage >= (int32_t)first_stage) {
			draw_any(random, descriptor->parameters[i], b->scene, files, &b->values[i]);
		}
	}
}
