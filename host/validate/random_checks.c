/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks with poses, points and values by chance: whether finite input can come out as NaN or infinity.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/numbers.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "validate/checks.h"

enum { FILE_BYTES = 300, FLAT_POSES = 8, TRIED_POSES = 4, MOST_FITS = 12 };
static const double pi = 3.14159265358979323846;

/* ---- values -------------------------------------------------------------------------------------------------------------- */

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

void drawn_files_close(drawn_files *files) {
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

static bool draw_thing(uint64_t *random, const snw_parameter *parameter, const snw_scene *scene, drawn_files *files,
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

drawn_files draw_values(uint64_t *random, harness *b, snw_stage first_stage) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	drawn_files files = {.descriptors = SNW_NEW_ARRAY(b->scene->arena, int, descriptor->parameter_count)};
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		if (descriptor->parameters[i]->stage >= (int32_t)first_stage) {
			draw_any(random, descriptor->parameters[i], b->scene, &files, &b->values[i]);
		}
	}
	return files;
}

/* ---- random poses -------------------------------------------------------------------------------------------------------- */

/* The harness's own poses, while it has more. */
typedef struct more_poses {
	snw_arena *arena;
	const snw_pose *poses;
	const snw_pose_view **views;
	uint32_t count;
} more_poses;

/* Rotations up to one and a half turns, often none or exactly that; now and then a joint that is scaled, mirrored or
 * flattened. */
static void draw_joint_pose(uint64_t *random, const snw_transform *rest, snw_transform *local, double *rotation_vector) {
	static const double scales[] = {0, -1, 3};
	double q[4], length = 0;
	for (int c = 0; c < 3; c++) {
		rotation_vector[c] = draw_number(random, -1, 1);
		length += rotation_vector[c] * rotation_vector[c];
	}
	const double angle = draw_number(random, 0, 3 * pi);
	for (int c = 0; c < 3; c++) {
		rotation_vector[c] *= length > 0 ? angle / sqrt(length) : 0;
	}
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_multiply(rest->rotation, q, local->rotation);
	if (snw_random_next(random) % 4 == 0) {
		local->translation[snw_random_next(random) % 3] += draw_number(random, -1, 1);
	}
	if (snw_random_next(random) % 8 == 0) {
		local->scale[snw_random_next(random) % 3] = scales[snw_random_next(random) % 3];
	}
}

static snw_pose draw_pose(uint64_t *random, const snw_scene *scene, uint32_t index, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, &scene->poses[snw_random_next(random) % scene->pose_count], arena);
	pose->name = snw_arena_format(arena, "random %u", index);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		draw_joint_pose(random, &scene->skeleton.rest_local[j], &pose->local[j], pose->rotation_vectors + (size_t)3 * j);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		pose->channels[c] = draw_number(random, -1, 2);
	}
	if (scene->skeleton.joint_count == 0) {
		pose->seconds = draw_number(random, -1, 3);
	}
	return *pose;
}

static more_poses add_poses(harness *b, uint64_t *random, uint32_t count) {
	const more_poses before = {snw_arena_create(), b->scene->poses, b->poses, b->scene->pose_count};
	const uint32_t all = before.count + count;
	snw_pose *poses = SNW_NEW_ARRAY(before.arena, snw_pose, all);
	b->poses = SNW_NEW_ARRAY(before.arena, const snw_pose_view *, all);
	for (uint32_t p = 0; p < all; p++) {
		poses[p] = p < before.count ? before.poses[p] : draw_pose(random, b->scene, p - before.count, before.arena);
		b->poses[p] = p < before.count ? before.views[p] : snw_pose_view_make(b->scene, &poses[p], before.arena);
	}
	b->scene->poses = poses;
	b->scene->pose_count = all;
	return before;
}

static void remove_poses(harness *b, const more_poses *before) {
	b->scene->poses = before->poses;
	b->scene->pose_count = before->count;
	b->poses = before->views;
	snw_arena_destroy(before->arena);
}

/* ---- points from below --------------------------------------------------------------------------------------------------- */

typedef enum shape { AT_REST, SHAKEN, IN_A_PLANE, IN_ONE_POINT, SHAPES } shape;
static const char *const shape_words[] = {"", ", with shaken points", ", with all points in a plane",
										  ", with all points in one place"};

static void draw_points(uint64_t *random, shape kind, const snw_mesh *mesh, double *points) {
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		const double rest = mesh->points_rest[i];
		points[i] = kind == SHAKEN                     ? rest + draw_number(random, -0.1, 0.1)
					: kind == IN_ONE_POINT             ? 0.25
					: kind == IN_A_PLANE && i % 3 == 1 ? 0
													   : rest;
	}
}

/* ---- evaluation ---------------------------------------------------------------------------------------------------------- */

static snw_status check_points(const harness *b, uint32_t pose, uint32_t mesh, const char *what, shape kind,
							   const double *points, snw_error *finding) {
	for (size_t i = 0; i < (size_t)3 * b->scene->meshes[mesh].point_count; i++) {
		if (!isfinite(points[i])) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"%s gives point %zu of mesh '%s' coordinates that are not finite at pose '%s'%s", what, i / 3,
							b->scene->meshes[mesh].name, b->scene->poses[pose].name, shape_words[kind]);
		}
	}
	return SNW_OK;
}

/* A failure is no NaN: the layer is left out, and the host says so. */
static snw_status check_random_mesh(const harness *b, const trial_stack *stack, uint32_t pose, const harness_driven *driven,
									uint32_t m, shape kind, uint64_t *random, snw_error *finding) {
	const snw_mesh *mesh = &b->scene->meshes[m];
	const size_t bytes = (size_t)3 * mesh->point_count * sizeof(double);
	double *from = malloc(bytes), *to = malloc(bytes);
	const bool is_black_box = harness_is_black_box(b, b->model, m);
	draw_points(random, kind, mesh, from);
	snw_status status = is_black_box ? harness_deform(b, b->model, pose, driven, m, from, to)
									 : snw_stack_reference(stack->whole, stack->whole_evaluation, m, from, to, NULL);
	status = snw_failed(status)
				 ? SNW_OK
				 : check_points(b, pose, m, is_black_box ? "deform" : "the program that it lowers to", kind, to, finding);
	free(from);
	free(to);
	return status;
}

static snw_status check_poses(const harness *b, const trial_stack *stack, uint32_t named_count, uint64_t *random,
							  snw_error *finding) {
	harness_driven driven;
	snw_status status = harness_driven_make(b, b->model, &driven, finding);
	for (uint32_t p = 0; p < b->scene->pose_count && !snw_failed(status); p++) {
		snw_error fault = {0};
		const snw_status drove = harness_drive(b, b->model, p, 0, &driven, &fault);
		if (drove == SNW_ERROR_INTERNAL) {
			status = snw_fail(finding, drove, "%.900s", fault.text);
		}
		const bool runs =
			!snw_failed(drove) && !snw_failed(snw_stack_drive(stack->whole, b->poses[p], stack->whole_evaluation, NULL));
		const shape kind = p < named_count ? AT_REST : (shape)((p - named_count) % SHAPES);
		for (uint32_t m = 0; m < b->scene->mesh_count && runs && !snw_failed(status); m++) {
			status = check_random_mesh(b, stack, p, &driven, m, kind, random, finding);
		}
	}
	harness_driven_free(&driven);
	return status;
}

/* Evaluates the fitted model at the poses and at `count` random ones: no number may be anything but finite. */
static snw_status check_more_poses(harness *b, uint64_t *random, uint32_t count, snw_error *finding) {
	if (snw_proposes_only(b->deformer->descriptor)) {
		return SNW_OK;
	}
	trial_stack stack;
	snw_status status = trial_stack_open(&stack, b, false, finding);
	const more_poses before = add_poses(b, random, count);
	status = snw_failed(status) ? status : check_poses(b, &stack, before.count, random, finding);
	remove_poses(b, &before);
	trial_stack_close(&stack);
	return status;
}

/* ---- the checks ---------------------------------------------------------------------------------------------------------- */

/* Fits with the harness's values, evaluates the model at random poses, and releases it. A fit may refuse values, such as a file
 * that it cannot read, but with a legal status and a message. */
static snw_status try_values(harness *b, uint64_t *random, uint32_t *refused, snw_error *finding) {
	snw_error fault = {0};
	snw_status status = harness_fit(b, &fault);
	if (snw_failed(status)) {
		++*refused;
		status = status == SNW_ERROR_INTERNAL ? snw_fail(finding, status, "%s", fault.text) : SNW_OK;
	} else {
		status = check_more_poses(b, random, TRIED_POSES, finding);
	}
	const snw_status released = harness_release(b, &fault);
	return !snw_failed(status) && snw_failed(released) ? snw_fail(finding, released, "%s", fault.text) : status;
}

/* The model with its own values; with others for lowering and driving; and, last, some that were fitted with others. */
snw_status snw_validate_finite(harness *b, const check_settings *settings, snw_error *finding) {
	if (snw_proposes_only(b->deformer->descriptor)) {
		return snw_fail(finding, SNW_OK, "it proposes and moves no points");
	}
	static const uint32_t pose_counts[] = {[SNW_VALIDATE_QUICK] = 8, [SNW_VALIDATE_NORMAL] = 24, [SNW_VALIDATE_THOROUGH] = 120};
	static const uint32_t draw_counts[] = {[SNW_VALIDATE_QUICK] = 2, [SNW_VALIDATE_NORMAL] = 4, [SNW_VALIDATE_THOROUGH] = 20};
	const uint32_t poses = pose_counts[settings->level], draws = draw_counts[settings->level];
	uint64_t random = settings->seed;
	uint32_t refused = 0, fits = 0;
	snw_status status = check_more_poses(b, &random, poses, finding);
	for (uint32_t draw = 0; draw < draws && !snw_failed(status); draw++) {
		drawn_files files = draw_values(&random, b, SNW_STAGE_LOWER);
		status = check_more_poses(b, &random, poses, finding);
		drawn_files_close(&files);
	}
	const double end = snk_clock_seconds() + settings->budget_seconds;
	const uint32_t most_fits = b->deformer->descriptor->parameter_count > 0 ? MOST_FITS : 0;
	status = snw_failed(status) ? status : harness_release(b, finding);
	for (; fits < most_fits && (fits == 0 || snk_clock_seconds() < end) && !snw_failed(status); fits++) {
		drawn_files files = draw_values(&random, b, SNW_STAGE_FIT);
		status = try_values(b, &random, &refused, finding);
		drawn_files_close(&files);
	}
	return snw_failed(status)
			   ? status
			   : snw_fail(finding, SNW_OK,
						  "every number is finite at %u random poses, with %u draws of values, %u of %u fits refused", poses,
						  draws + fits, refused, fits);
}

/* A character whose meshes lie in one plane at rest, as cloth, leaves and drawings do: they have no volume, and no height. */
/* A fit may refuse such a character, in words that say so. */
snw_status snw_validate_flat(harness *b, const check_settings *settings, snw_error *finding) {
	uint64_t random = settings->seed;
	snw_error fault = {0};
	snw_status status = harness_release(b, finding);
	status = snw_failed(status) ? status : harness_change_scene(b, SNW_TRIAL_FLAT, finding);
	if (snw_failed(status)) {
		return status;
	}
	snw_validate_note("with a character whose meshes are flat at rest");
	const snw_status fitted = harness_fit_whole(b, &fault);
	if (fitted == SNW_ERROR_INTERNAL) {
		return snw_fail(finding, fitted, "with meshes that are flat at rest: %.800s", fault.text);
	}
	if (snw_failed(fitted)) {
		return snw_fail(finding, SNW_OK, "refused in words: %.800s", fault.text);
	}
	status = check_more_poses(b, &random, FLAT_POSES, &fault);
	return snw_failed(status)
			   ? snw_fail(finding, status, "with meshes that are flat at rest: %.800s", fault.text)
			   : snw_fail(finding, SNW_OK, "every number of a character whose meshes are flat at rest is finite");
}

/* Each round has a seed of its own, so that one round can be repeated. */
snw_status snw_validate_random(harness *b, const check_settings *settings, snw_error *finding) {
	const double end = snk_clock_seconds() + settings->random_seconds;
	uint32_t refused = 0, tried = 0;
	uint64_t seed = settings->seed;
	snw_status status = harness_release(b, finding);
	while (!snw_failed(status) && (tried == 0 || snk_clock_seconds() < end)) {
		uint64_t random = seed;
		drawn_files files = draw_values(&random, b, SNW_STAGE_FIT);
		snw_validate_note("with the values of seed %llu", (unsigned long long)seed);
		snw_error fault = {0};
		status = try_values(b, &random, &refused, &fault);
		drawn_files_close(&files);
		tried++;
		if (snw_failed(status)) {
			return snw_fail(finding, status, "%.800s; repeat with --reproduce %llu", fault.text, (unsigned long long)seed);
		}
		seed = (uint32_t)(seed + 1);
	}
	return snw_failed(status) ? status
							  : snw_fail(finding, SNW_OK, "%u draws of all values, %u of them refused", tried, refused);
}
