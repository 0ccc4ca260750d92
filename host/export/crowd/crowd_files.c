/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs the palettes of all frames, measures what they play, and writes the folder.
 */
#include "export/crowd/crowd_files.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "crowd/crowd.h"
#include "export/crowd/crowd_files_internal.h"
#include "file/file.h"
#include "sinew/algebra.h"

/* Drives all frames, packs and measures; nothing is written. The crowd and the character must outlive it. Errors of
 * snw_crowd_drive; SNW_ERROR_UNSUPPORTED for an affine blend or a mesh without a skin, SNW_ERROR_LIMIT if the texture would be
 * larger than SNW_CROWD_SIDE texels. */
enum { SNW_CROWD_SIDE = 8192 };

enum { MEASURED = 64, DUAL_TEXELS = 2, MATRIX_TEXELS = 3 };

static uint32_t texels_of(const snw_crowd_mesh *mesh) {
	return mesh->is_dual ? DUAL_TEXELS : MATRIX_TEXELS;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static snw_status check_mesh(const snw_stack *stack, uint32_t index, const snw_mesh *mesh, snw_error *error) {
	const uint32_t segments = snw_stack_segment_count(stack, index);
	const snw_segment_info info = segments == 1 ? snw_stack_segment(stack, index, 0) : (snw_segment_info){0};
	if (!info.is_program || info.program->blend == SNW_BLEND_NONE) {
		return snw_fail(
			error, SNW_ERROR_UNSUPPORTED,
			"mesh %s has no skin with weights, which a crowd's file needs; bind it with 'sinew bind', or leave it out",
			mesh->name);
	}
	return info.program->blend != SNW_BLEND_AFFINE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_UNSUPPORTED,
						  "%s of mesh %s blends 4-vectors, which no weights in a file represent; bake it with 'sinew bake', or "
						  "choose another method with --method",
						  info.layers, mesh->name);
}

static void mark_slots(const snw_program *program, uint32_t *places) {
	const uint32_t influences = program->influence_offsets[program->point_count];
	for (uint32_t i = 0; i < influences; i++) {
		places[program->influence_slots[i]] = 1;
	}
}

/* The marked ones, ascending; `places` becomes where each is among them. */
static void choose_slots(snw_crowd_mesh *mesh, uint32_t *places, snw_arena *arena) {
	mesh->slots = SNW_NEW_ARRAY(arena, uint32_t, mesh->program->slot_count);
	for (uint32_t slot = 0; slot < mesh->program->slot_count; slot++) {
		if (places[slot]) {
			places[slot] = mesh->slot_count;
			mesh->slots[mesh->slot_count++] = slot;
		}
	}
}

/* The heaviest influence that is not taken yet; ties to the lowest slot, as the sign rule wants it. */
static uint32_t heaviest(const snw_program *program, uint32_t begin, uint32_t end, const bool *is_taken) {
	uint32_t best = SNW_NONE;
	for (uint32_t i = begin; i < end; i++) {
		const double weight = program->influence_weights[i], most = best == SNW_NONE ? 0 : program->influence_weights[best];
		if (!is_taken[i - begin] && (best == SNW_NONE || weight > most ||
									 (weight == most && program->influence_slots[i] < program->influence_slots[best]))) {
			best = i;
		}
	}
	return best;
}

/* Returns how many influences were dropped. */
static uint32_t choose_influences(snw_crowd_mesh *mesh, const uint32_t *places, snw_arena *arena) {
	const snw_program *program = mesh->program;
	const size_t floats = SNW_CROWD_INFLUENCES * (size_t)program->point_count;
	uint32_t dropped = 0;
	mesh->joints = SNW_NEW_ARRAY(arena, uint32_t, floats);
	mesh->weights = SNW_NEW_ARRAY(arena, float, floats);
	snw_arena *scratch = snw_arena_create();
	bool *is_taken = SNW_NEW_ARRAY(scratch, bool, program->influence_offsets[program->point_count] + 1);
	for (uint32_t p = 0; p < program->point_count; p++) {
		const uint32_t begin = program->influence_offsets[p], end = program->influence_offsets[p + 1];
		const uint32_t count = end - begin < SNW_CROWD_INFLUENCES ? end - begin : SNW_CROWD_INFLUENCES;
		const size_t to = SNW_CROWD_INFLUENCES * (size_t)p;
		double sum = 0;
		for (uint32_t i = 0; i < count; i++) {
			const uint32_t found = heaviest(program, begin, end, is_taken + begin);
			is_taken[found] = true;
			mesh->joints[to + i] = places[program->influence_slots[found]];
			mesh->weights[to + i] = (float)program->influence_weights[found];
			sum += program->influence_weights[found];
		}
		for (uint32_t i = 0; i < count && sum > 0; i++) {
			mesh->weights[to + i] = (float)((double)mesh->weights[to + i] / sum);
		}
		dropped += end - begin - count;
	}
	snw_arena_destroy(scratch);
	return dropped;
}

static uint32_t origin_of(const snw_crowd_files *files, uint32_t mesh) {
	return files->character->levels ? files->character->levels->origins[mesh] : mesh;
}

bool snw_crowd_is_level(const snw_crowd_files *files, uint32_t mesh) {
	return origin_of(files, mesh) != mesh;
}

/* A mesh and its levels play the same palette. */
static void place_palette(snw_crowd_files *files, uint32_t origin) {
	snw_crowd_mesh *first = &files->meshes[origin];
	snw_arena *scratch = snw_arena_create();
	uint32_t *places = SNW_NEW_ARRAY(scratch, uint32_t, first->program->slot_count);
	for (uint32_t m = origin; m < files->posed->mesh_count; m++) {
		if (origin_of(files, m) == origin) {
			mark_slots(files->meshes[m].program, places);
		}
	}
	first->first_texel = files->report.width;
	choose_slots(first, places, files->arena);
	files->report.width += texels_of(first) * first->slot_count;
	for (uint32_t m = origin; m < files->posed->mesh_count; m++) {
		snw_crowd_mesh *mesh = &files->meshes[m];
		if (origin_of(files, m) == origin) {
			mesh->first_texel = first->first_texel;
			mesh->slots = first->slots;
			mesh->slot_count = first->slot_count;
			files->report.dropped_influences += choose_influences(mesh, places, files->arena);
		}
	}
	snw_arena_destroy(scratch);
}

static void count_displacements(snw_crowd_files *files, uint32_t index) {
	const snw_program *program = files->meshes[index].program;
	const uint32_t count = program->rest.count + program->posed.count;
	const char *before = files->report.left_out_layers;
	if (count > 0) {
		files->report.left_out_displacements += count;
		files->report.left_out_layers = snw_arena_format(files->arena, "%s%s%s (%s)", before ? before : "", before ? ", " : "",
														 files->character->scene->meshes[index].name,
														 snw_stack_segment(files->character->stack, index, 0).layers);
	}
}

static snw_status make_meshes(snw_crowd_files *files, snw_error *error) {
	const snw_scene *posed = files->posed;
	const snw_stack *stack = files->character->stack;
	snw_status status = snw_crowd_check(posed, stack, error);
	files->meshes = SNW_NEW_ARRAY(files->arena, snw_crowd_mesh, posed->mesh_count);
	for (uint32_t m = 0; m < posed->mesh_count && !snw_failed(status); m++) {
		status = check_mesh(stack, m, &posed->meshes[m], error);
		if (snw_failed(status)) {
			return status;
		}
		snw_crowd_mesh *mesh = &files->meshes[m];
		*mesh = (snw_crowd_mesh){.mesh = &posed->meshes[m], .program = snw_stack_segment(stack, m, 0).program};
		mesh->is_dual = mesh->program->blend == SNW_BLEND_DUAL_QUATERNION;
		mesh->is_shortest = mesh->is_dual && mesh->program->sign_rule != SNW_SIGN_AS_GIVEN;
	}
	for (uint32_t m = 0; m < posed->mesh_count && !snw_failed(status); m++) {
		if (!snw_crowd_is_level(files, m)) {
			place_palette(files, m);
			count_displacements(files, m);
		}
	}
	return status;
}

static snw_status check_size(const snw_crowd_files *files, snw_error *error) {
	const uint32_t width = files->report.width, frames = files->crowd->frame_count;
	return width <= SNW_CROWD_SIDE && frames <= SNW_CROWD_SIDE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_LIMIT,
						  "the palettes would be a texture of %u × %u texels, and engines read at most %d × %d; choose fewer "
						  "clips with --clip, or fewer frames with --rate",
						  width, frames, (int)SNW_CROWD_SIDE, (int)SNW_CROWD_SIDE);
}

/* ---- palettes ------------------------------------------------------------------------------------------------------------ */

static void pack_slot(const snw_crowd_mesh *mesh, const snw_program_input *input, uint32_t place, float *row) {
	const size_t slot = mesh->slots[place], floats = 4 * (size_t)texels_of(mesh);
	double dual[8], stretch[9];
	const double *from = input->matrices ? input->matrices + 12 * slot : NULL;
	if (mesh->is_dual && mesh->program->dual_quaternion_palette) {
		from = input->dual_quaternions + 8 * slot;
	} else if (mesh->is_dual) {
		snw_dual_quaternion_from_mat34(from, dual, stretch);
		from = dual;
	}
	for (size_t i = 0; i < floats; i++) {
		row[4 * (size_t)mesh->first_texel + floats * place + i] = (float)from[i];
	}
}

/* Where a point of a mesh is at a row of a palette [width][4]. */
static void crowd_play(const snw_crowd_mesh *mesh, const float *row, uint32_t point, double posed[3]) {
	const double *rest = mesh->program->points_rest + 3 * (size_t)point;
	const size_t floats = 4 * (size_t)texels_of(mesh), first = SNW_CROWD_INFLUENCES * (size_t)point;
	const float *slots = row + 4 * (size_t)mesh->first_texel, *pivot = slots + floats * mesh->joints[first];
	double sum[12] = {0};
	for (size_t i = 0; i < SNW_CROWD_INFLUENCES; i++) {
		const float *slot = slots + floats * mesh->joints[first + i];
		double weight = (double)mesh->weights[first + i], along = 0;
		for (size_t c = 0; c < 4; c++) {
			along += (double)slot[c] * (double)pivot[c];
		}
		weight = mesh->is_shortest && along < 0 ? -weight : weight;
		for (size_t c = 0; c < floats; c++) {
			sum[c] += weight * (double)slot[c];
		}
	}
	if (!mesh->is_dual) {
		snw_mat34_point(sum, rest, posed);
		return;
	}
	const double size = fmax(sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]), 1e-30);
	double once[3], twice[3], across[3];
	for (int c = 0; c < 8; c++) {
		sum[c] /= size;
	}
	snw_cross3(sum, rest, once);
	for (int c = 0; c < 3; c++) {
		once[c] += sum[3] * rest[c];
	}
	snw_cross3(sum, once, twice);
	snw_cross3(sum, sum + 4, across);
	for (int c = 0; c < 3; c++) {
		posed[c] = rest[c] + 2 * twice[c] + 2 * (sum[3] * sum[4 + c] - sum[7] * sum[c] + across[c]);
	}
}

/* ---- measuring ----------------------------------------------------------------------------------------------------------- */

typedef struct measuring {
	snw_crowd_files *files;
	uint32_t step;             /* every so many frames */
	double *truth;             /* [points of the largest mesh][3] */
	float *rounded;            /* [width][4]: the row as half floats have it */
	double scaled[2], most[2]; /* half, single */
	double count;
} measuring;

static void measure_mesh(measuring *m, const snw_crowd_mesh *mesh, const float *row) {
	const float *rows[2] = {m->rounded, row};
	const double found = snw_points_diagonal(mesh->mesh->points_rest, mesh->mesh->point_count),
				 diagonal = found > 0 ? found : 1;
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		for (int kind = 0; kind < 2; kind++) {
			double posed[3];
			crowd_play(mesh, rows[kind], p, posed);
			for (size_t c = 0; c < 3; c++) {
				posed[c] -= m->truth[3 * (size_t)p + c];
			}
			const double distance = snw_length3(posed);
			m->scaled[kind] += distance * distance / (diagonal * diagonal / 4);
			m->most[kind] = fmax(m->most[kind], 100 * distance / diagonal);
		}
	}
	m->count += mesh->mesh->point_count;
}

static snw_status measure_frame(measuring *m, snw_evaluation *evaluation, const float *row, snw_error *error) {
	snw_crowd_files *files = m->files;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < files->posed->mesh_count && !snw_failed(status); i++) {
		status = snw_stack_reference(files->character->stack, evaluation, i, NULL, m->truth, error);
		if (!snw_failed(status)) {
			measure_mesh(m, &files->meshes[i], row);
		}
	}
	files->report.measured_frames++;
	return status;
}

static snw_status keep_frame(void *context, uint32_t frame, snw_evaluation *evaluation, snw_error *error) {
	measuring *m = context;
	snw_crowd_files *files = m->files;
	const size_t floats = 4 * (size_t)files->report.width;
	float *row = files->palettes + floats * frame;
	uint16_t *halves = files->halves + floats * frame;
	for (uint32_t i = 0; i < files->posed->mesh_count; i++) {
		const snw_crowd_mesh *mesh = &files->meshes[i];
		for (uint32_t place = 0; place < mesh->slot_count && !snw_crowd_is_level(files, i); place++) {
			pack_slot(mesh, snw_stack_program_input(evaluation, i, 0), place, row);
		}
	}
	for (size_t i = 0; i < floats; i++) {
		halves[i] = snw_half_of(row[i]);
		m->rounded[i] = snw_half_value(halves[i]);
	}
	return frame % m->step == 0 ? measure_frame(m, evaluation, row, error) : SNW_OK;
}

static snw_crowd_loss loss_of(const measuring *m, int kind) {
	return (snw_crowd_loss){.max_percent = m->most[kind], .erms = 1000 * sqrt(m->scaled[kind] / fmax(3 * m->count, 1))};
}

static snw_status pack_and_measure(snw_crowd_files *files, snw_crowd *crowd, const snw_task *task, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	measuring m = {.files = files, .step = (crowd->frame_count + MEASURED - 1) / MEASURED};
	const size_t floats = 4 * (size_t)files->report.width;
	uint32_t most = 0;
	for (uint32_t i = 0; i < files->posed->mesh_count; i++) {
		most = files->posed->meshes[i].point_count > most ? files->posed->meshes[i].point_count : most;
	}
	m.truth = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)most);
	m.rounded = SNW_NEW_ARRAY(scratch, float, floats);
	files->palettes = SNW_NEW_ARRAY(files->arena, float, floats * crowd->frame_count);
	files->halves = SNW_NEW_ARRAY(files->arena, uint16_t, floats * crowd->frame_count);
	const snw_crowd_character *character = files->character;
	const snw_status status =
		snw_crowd_drive(character->scene, files->posed, character->stack, crowd, keep_frame, &m, task, error);
	files->report.frame_count = crowd->frame_count;
	files->report.half = loss_of(&m, 0);
	files->report.single = loss_of(&m, 1);
	files->report.half_bytes = floats * crowd->frame_count * sizeof(uint16_t);
	files->report.single_bytes = floats * crowd->frame_count * sizeof(float);
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_crowd_files_make(const snw_crowd_character *character, snw_crowd *crowd, const snw_task *task,
								snw_crowd_files **files, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_crowd_files *made = SNW_NEW(arena, snw_crowd_files);
	const snw_scene *posed = character->levels ? &character->levels->scene : character->scene;
	*made = (snw_crowd_files){.arena = arena, .character = character, .posed = posed, .crowd = crowd};
	snw_status status = make_meshes(made, error);
	status = snw_failed(status) ? status : check_size(made, error);
	status = snw_failed(status) ? status : pack_and_measure(made, crowd, task, error);
	if (snw_failed(status)) {
		snw_crowd_files_destroy(made);
		return status;
	}
	*files = made;
	return SNW_OK;
}

void snw_crowd_files_destroy(snw_crowd_files *files) {
	if (files) {
		snw_arena_destroy(files->arena);
	}
}

const snw_crowd_files_report *snw_crowd_files_reported(const snw_crowd_files *files) {
	return &files->report;
}

/* ---- the folder ---------------------------------------------------------------------------------------------------------- */

static void describe_loss(cJSON *to, const char *name, const snw_crowd_loss *loss) {
	cJSON *object = cJSON_AddObjectToObject(to, name);
	cJSON_AddNumberToObject(object, "max_percent", loss->max_percent);
	cJSON_AddNumberToObject(object, "erms", loss->erms);
}

/* Of which levels a mesh is what is shown: one without a level is shown at those of others too. */
static void describe_levels_of(const snw_crowd_files *files, uint32_t mesh, cJSON *list) {
	const snw_level_scene *levels = files->character->levels;
	for (uint32_t l = 0; l <= (levels ? snw_level_most(levels->before) : 0); l++) {
		if (!levels || snw_level_scene_shows(levels, mesh, l)) {
			cJSON_AddItemToArray(list, cJSON_CreateNumber(l));
		}
	}
}

static void describe_levels(const snw_crowd_files *files, cJSON *list) {
	const snw_level_scene *levels = files->character->levels;
	for (uint32_t l = 0; l <= (levels ? snw_level_most(levels->before) : 0); l++) {
		cJSON *object = cJSON_CreateObject();
		cJSON_AddItemToArray(list, object);
		if (l > 0) {
			cJSON_AddNumberToObject(object, "most_pixels", snw_level_most_pixels(levels->before, l));
		}
	}
}

static void describe_meshes(const snw_crowd_files *files, cJSON *list) {
	for (uint32_t m = 0; m < files->posed->mesh_count; m++) {
		const snw_crowd_mesh *mesh = &files->meshes[m];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddItemToArray(list, object);
		cJSON_AddStringToObject(object, "name", mesh->mesh->name);
		describe_levels_of(files, m, cJSON_AddArrayToObject(object, "levels"));
		cJSON_AddStringToObject(object, "blend", mesh->is_dual ? "dual quaternions" : "linear");
		cJSON_AddStringToObject(object, "signs", mesh->is_shortest ? "nearest to the first influence" : "as given");
		cJSON_AddNumberToObject(object, "first_texel", mesh->first_texel);
		cJSON_AddNumberToObject(object, "texels_a_slot", texels_of(mesh));
		cJSON_AddNumberToObject(object, "slots", mesh->slot_count);
	}
}

static void describe_clips(const snw_crowd_files *files, cJSON *list) {
	for (uint32_t i = 0; i < files->crowd->clip_count; i++) {
		const snw_crowd_clip *clip = &files->crowd->clips[i];
		cJSON *object = cJSON_CreateObject(), *box;
		cJSON_AddItemToArray(list, object);
		cJSON_AddStringToObject(object, "name", clip->clip == SNW_NONE ? "rest" : files->posed->clips[clip->clip].name);
		cJSON_AddNumberToObject(object, "first_frame", clip->first_frame);
		cJSON_AddNumberToObject(object, "frames", clip->frame_count);
		cJSON_AddNumberToObject(object, "frames_a_second", clip->rate);
		cJSON_AddNumberToObject(object, "seconds", clip->duration_seconds);
		box = cJSON_AddObjectToObject(object, "box");
		cJSON_AddItemToObject(box, "lower", cJSON_CreateDoubleArray(clip->box.lower, 3));
		cJSON_AddItemToObject(box, "upper", cJSON_CreateDoubleArray(clip->box.upper, 3));
	}
}

static void describe_members(const snw_crowd *crowd, cJSON *list) {
	for (uint32_t i = 0; i < crowd->count; i++) {
		const snw_crowd_member *member = &crowd->members[i];
		const double numbers[5] = {(double)member->place[0], (double)member->place[1], (double)member->yaw, member->clip,
								   member->phase_seconds};
		cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(numbers, 5));
	}
}

static char *describe(const snw_crowd_files *files) {
	const snw_crowd_files_report *report = &files->report;
	cJSON *root = cJSON_CreateObject();
	cJSON_AddStringToObject(root, "format", "sinew-crowd");
	cJSON_AddNumberToObject(root, "version", 1);
	cJSON *palettes = cJSON_AddObjectToObject(root, "palettes");
	cJSON_AddNumberToObject(palettes, "width", report->width);
	cJSON_AddNumberToObject(palettes, "height", report->frame_count);
	cJSON_AddStringToObject(palettes, "texels", "RGBA, rows from the first frame on, little-endian");
	cJSON_AddStringToObject(palettes, "dual quaternions",
							"real x y z w, dual x y z w; not always unit: divide the blended one");
	cJSON_AddStringToObject(palettes, "linear", "the three rows of a 3x4 matrix, metres");
	describe_meshes(files, cJSON_AddArrayToObject(root, "meshes"));
	cJSON_AddNumberToObject(root, "longest_side", snw_level_side(files->character->scene));
	describe_levels(files, cJSON_AddArrayToObject(root, "levels"));
	describe_clips(files, cJSON_AddArrayToObject(root, "clips"));
	cJSON *losses = cJSON_AddObjectToObject(root, "error");
	cJSON_AddNumberToObject(losses, "measured_frames", report->measured_frames);
	describe_loss(losses, "half", &report->half);
	describe_loss(losses, "float", &report->single);
	cJSON_AddNumberToObject(losses, "dropped_influences", report->dropped_influences);
	cJSON_AddNumberToObject(losses, "left_out_displacements", report->left_out_displacements);
	cJSON_AddStringToObject(root, "member", "x, z, yaw, clip, seconds into it at time 0");
	describe_members(files->crowd, cJSON_AddArrayToObject(root, "members"));
	char *text = cJSON_PrintUnformatted(root);
	cJSON_Delete(root);
	return text;
}

static snw_status write_bytes(const char *path, const void *bytes, size_t count, snw_error *error) {
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	fwrite(bytes, 1, count, snw_file_write_stream(file));
	return snw_file_write_commit(file, error);
}

snw_status snw_crowd_files_write(const snw_crowd_files *files, const char *folder, snw_error *error) {
	const snw_crowd_files_report *report = &files->report;
	snw_arena *scratch = snw_arena_create();
	const char *half = snw_path_join(scratch, folder, "palettes.half.ktx2"),
			   *raw = snw_path_join(scratch, folder, "palettes.half.bin");
	const char *single = snw_path_join(scratch, folder, "palettes.float.ktx2"),
			   *raws = snw_path_join(scratch, folder, "palettes.float.bin");
	char *text = describe(files);
	snw_status status = mkdir(folder, 0777) == 0 || errno == EEXIST
							? SNW_OK
							: snw_fail(error, SNW_ERROR_IO, "%s: cannot make this folder: %s", folder, strerror(errno));
	status = snw_failed(status) ? status : snw_crowd_mesh_write(files, snw_path_join(scratch, folder, "crowd.glb"), error);
	status = snw_failed(status) ? status : snw_ktx2_write(half, true, report->width, report->frame_count, files->halves, error);
	status =
		snw_failed(status) ? status : snw_ktx2_write(single, false, report->width, report->frame_count, files->palettes, error);
	status = snw_failed(status) ? status : write_bytes(raw, files->halves, report->half_bytes, error);
	status = snw_failed(status) ? status : write_bytes(raws, files->palettes, report->single_bytes, error);
	status = snw_failed(status) ? status : write_bytes(snw_path_join(scratch, folder, "crowd.json"), text, strlen(text), error);
	cJSON_free(text);
	snw_arena_destroy(scratch);
	return status;
}
