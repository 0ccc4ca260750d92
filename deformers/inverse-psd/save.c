/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, revisions of the format and of the kernels, the joints' names, the pose spaces, the displacements,
 * a seal.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/report.h"

static const char mark[8] = "SNWIPSD";
enum { REVISION = 1 };

static void write_text(snw_writer *writer, const char *text) {
	const uint32_t count = (uint32_t)strlen(text);
	snw_write_u32(writer, count);
	snw_write(writer, text, count);
}

static void write_space(snw_writer *writer, const pose_space *space) {
	const size_t joints = space->joint_count, poses = space->pose_count, coefficients = space->coefficient_count;
	write_text(writer, space->name);
	snw_write_u32(writer, (uint32_t)space->kernel);
	snw_write_f64(writer, space->width);
	snw_write_u32(writer, space->joint_count);
	snw_write(writer, space->joints, joints * sizeof *space->joints);
	snw_write(writer, space->unwound, joints * sizeof *space->unwound);
	snw_write_u32(writer, space->pose_count);
	snw_write_u32(writer, space->coefficient_count);
	snw_write(writer, space->turns, 3 * poses * joints * sizeof *space->turns);
	snw_write(writer, space->weights, coefficients * (poses + 1) * sizeof *space->weights);
	for (uint32_t k = 0; k < space->coefficient_count; k++) {
		write_text(writer, space->names[k]);
	}
}

static void write_displacements(snw_writer *writer, const snw_displacements *list, int is_posed) {
	const size_t points = list->count > 0 ? list->offsets[list->count] : 0;
	snw_write_u32(writer, list->count);
	snw_write(writer, list->coefficients, list->count * sizeof *list->coefficients);
	snw_write(writer, list->offsets, ((size_t)list->count + 1) * sizeof *list->offsets);
	snw_write(writer, list->points, points * sizeof *list->points);
	snw_write(writer, list->vectors, 3 * points * sizeof *list->vectors);
	if (is_posed) {
		snw_write(writer, list->frames, list->count * sizeof *list->frames);
	}
}

snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, mark, sizeof mark);
	snw_write_u32(&writer, REVISION);
	snw_write_u32(&writer, SNW_KERNEL_VERSION);
	snw_write_u32(&writer, model->joint_count);
	for (uint32_t j = 0; j < model->joint_count; j++) {
		write_text(&writer, model->joint_names[j]);
	}
	snw_write_u32(&writer, model->group_count);
	for (uint32_t g = 0; g < model->group_count; g++) {
		write_space(&writer, &model->groups[g]);
	}
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		snw_write_u32(&writer, model->meshes[m].point_count);
		write_displacements(&writer, &model->meshes[m].rest, 0);
		write_displacements(&writer, &model->meshes[m].posed, 1);
	}
	snw_write_seal(&writer);
	return writer.status;
}

/* A model being read: the first thing that goes wrong stays in `status`, and everything after it does nothing. */
typedef struct loading {
	const snw_host *host;
	const snw_character_view *character;
	snw_reader reader;
	snw_pool *pool;
	snw_status status;
	uint32_t *joint_of; /* saved joint → joint of the character */
} loading;

static void refuse_unless(loading *in, int sound) {
	if (in->status == SNW_OK && (!sound || in->reader.failed)) {
		in->status = SNW_ERROR_DATA;
	}
}

/* `count` elements, NULL (and a status) where they cannot be had. */
static void *read_array(loading *in, size_t count, size_t element_bytes) {
	refuse_unless(in, count <= in->reader.count / element_bytes);
	void *array = in->status == SNW_OK ? snw_pool_acquire(in->pool, count, element_bytes) : NULL;
	if (in->status == SNW_OK && !array) {
		in->status = SNW_ERROR_MEMORY;
	}
	if (array) {
		snw_read(&in->reader, array, count * element_bytes);
	}
	return array;
}

static double *read_numbers(loading *in, size_t count) {
	double *numbers = read_array(in, count, sizeof *numbers);
	for (size_t i = 0; numbers && i < count; i++) {
		refuse_unless(in, isfinite(numbers[i]));
	}
	return numbers;
}

static const char *read_text(loading *in) {
	const uint32_t count = snw_read_count(&in->reader, 1);
	refuse_unless(in, 1);
	char *text = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, char, (size_t)count + 1) : NULL;
	if (in->status == SNW_OK && !text) {
		in->status = SNW_ERROR_MEMORY;
	}
	if (text) {
		snw_read(&in->reader, text, count);
		refuse_unless(in, memchr(text, 0, count) == NULL || count == 0);
	}
	return text;
}

/* Joints are known by their names, so that a model outlives a change in their order. */
static void read_joints(loading *in, snw_model *model) {
	const snw_skeleton_view *skeleton = &in->character->skeleton;
	model->joint_count = snw_read_count(&in->reader, sizeof(uint32_t));
	refuse_unless(in, model->joint_count == skeleton->joint_count);
	const char **names = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, const char *, model->joint_count) : NULL;
	in->joint_of = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, uint32_t, model->joint_count) : NULL;
	if (in->status == SNW_OK && in->pool->failed) {
		in->status = SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; in->status == SNW_OK && j < model->joint_count; j++) {
		const char *name = read_text(in);
		uint32_t found = in->status == SNW_OK && strcmp(skeleton->names[j], name) == 0 ? j : 0;
		while (in->status == SNW_OK && found < skeleton->joint_count && strcmp(skeleton->names[found], name) != 0) {
			found++;
		}
		if (in->status == SNW_OK && found == skeleton->joint_count) {
			in->status =
				snw_report_fail(in->host, SNW_ERROR_DATA,
								"the model was fitted to a character with a joint \"%s\", which is not there: fit again", name);
		}
		if (in->status == SNW_OK) {
			in->joint_of[j] = found;
			names[found] = skeleton->names[found];
		}
	}
	for (uint32_t j = 0; in->status == SNW_OK && j < model->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = SNW_POOL_ARRAY(in->pool, char, bytes);
		refuse_unless(in, names[j] != NULL);
		in->status = in->status == SNW_OK && !name ? SNW_ERROR_MEMORY : in->status;
		if (name) {
			memcpy(name, skeleton->names[j], bytes);
		}
		names[j] = name;
	}
	model->joint_names = names;
}

static uint32_t *read_joint_list(loading *in, uint32_t count, int may_be_none) {
	uint32_t *joints = read_array(in, count, sizeof *joints);
	for (uint32_t j = 0; joints && in->status == SNW_OK && j < count; j++) {
		const int none = may_be_none && joints[j] == SNW_NONE;
		refuse_unless(in, none || joints[j] < in->character->skeleton.joint_count);
		if (in->status == SNW_OK && !none) {
			joints[j] = in->joint_of[joints[j]];
		}
	}
	return joints;
}

static void find_quaternions(loading *in, pose_space *space) {
	const size_t turns = (size_t)space->pose_count * space->joint_count;
	double *quaternions = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, double, 4 * turns) : NULL;
	if (in->status == SNW_OK && !quaternions) {
		in->status = SNW_ERROR_MEMORY;
	}
	for (size_t t = 0; quaternions && t < turns; t++) {
		snw_quat_from_turn(space->turns + 3 * t, quaternions + 4 * t);
	}
	space->quaternions = quaternions;
}

static void read_space(loading *in, pose_space *space) {
	space->name = read_text(in);
	const uint32_t kernel = snw_read_u32(&in->reader);
	space->width = snw_read_f64(&in->reader);
	refuse_unless(in, kernel <= SNW_KERNEL_LINEAR && isfinite(space->width) && space->width >= 0);
	space->kernel = (snw_kernel)kernel;
	space->joint_count = snw_read_count(&in->reader, 2 * sizeof(uint32_t));
	space->joints = read_joint_list(in, space->joint_count, 0);
	const uint32_t *unwound = read_array(in, space->joint_count, sizeof *unwound);
	for (uint32_t j = 0; unwound && j < space->joint_count; j++) {
		refuse_unless(in, unwound[j] <= 1);
	}
	space->unwound = unwound;
	space->pose_count = snw_read_count(&in->reader, 0);
	space->coefficient_count = snw_read_count(&in->reader, 0);
	refuse_unless(in, space->coefficient_count <= space->pose_count);
	/* A pose takes bytes only through its joints' turns and its weights. */
	refuse_unless(in, space->pose_count == 0 || (space->joint_count > 0 && space->coefficient_count > 0 && space->width > 0));
	refuse_unless(in, space->joint_count == 0 || space->pose_count <= in->reader.count / 24 / space->joint_count);
	space->turns = read_numbers(in, 3 * (size_t)space->pose_count * space->joint_count);
	refuse_unless(in, space->coefficient_count == 0 ||
						  (size_t)space->pose_count + 1 <= in->reader.count / 8 / space->coefficient_count);
	space->weights = read_numbers(in, space->coefficient_count * ((size_t)space->pose_count + 1));
	refuse_unless(in, space->coefficient_count <= in->reader.count / sizeof(uint32_t));
	const char **names = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, const char *, space->coefficient_count) : NULL;
	for (uint32_t k = 0; names && in->status == SNW_OK && k < space->coefficient_count; k++) {
		names[k] = read_text(in);
	}
	in->status = in->status == SNW_OK && !names ? SNW_ERROR_MEMORY : in->status;
	space->names = names;
	find_quaternions(in, space);
}

static void check_displacements(loading *in, const snw_displacements *list, uint32_t coefficient_count, uint32_t point_count) {
	refuse_unless(in, list->offsets[0] == 0);
	for (uint32_t n = 0; in->status == SNW_OK && n < list->count; n++) {
		refuse_unless(in, list->coefficients[n] < coefficient_count && list->offsets[n] <= list->offsets[n + 1]);
	}
	for (uint32_t n = 0; in->status == SNW_OK && n < list->count; n++) {
		for (uint32_t i = list->offsets[n]; i < list->offsets[n + 1]; i++) {
			refuse_unless(in, list->points[i] < point_count);
			refuse_unless(in, i == list->offsets[n] || list->points[i - 1] < list->points[i]);
		}
	}
}

static void read_displacements(loading *in, const snw_model *model, uint32_t point_count, int is_posed,
							   snw_displacements *list) {
	list->count = snw_read_count(&in->reader, 2 * sizeof(uint32_t));
	list->coefficients = read_array(in, list->count, sizeof *list->coefficients);
	uint32_t *offsets = read_array(in, (size_t)list->count + 1, sizeof *offsets);
	list->offsets = offsets;
	const size_t points = in->status == SNW_OK ? offsets[list->count] : 0;
	list->points = read_array(in, points, sizeof *list->points);
	list->vectors = read_numbers(in, 3 * points);
	list->frames = is_posed ? read_joint_list(in, list->count, 1) : NULL;
	const char **names = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, const char *, list->count) : NULL;
	in->status = in->status == SNW_OK && !names ? SNW_ERROR_MEMORY : in->status;
	if (in->status == SNW_OK) {
		check_displacements(in, list, model->coefficient_count, point_count);
	}
	for (uint32_t n = 0; in->status == SNW_OK && n < list->count; n++) {
		names[n] = coefficient_name(model->group_count, model->groups, list->coefficients[n]);
	}
	list->names = names;
}

static void read_groups(loading *in, snw_model *model) {
	model->group_count = snw_read_count(&in->reader, 28); /* of a group without name, joints and poses */
	refuse_unless(in, 1);
	pose_space *groups = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, pose_space, model->group_count) : NULL;
	in->status = in->status == SNW_OK && !groups ? SNW_ERROR_MEMORY : in->status;
	for (uint32_t g = 0; in->status == SNW_OK && g < model->group_count; g++) {
		read_space(in, &groups[g]);
		refuse_unless(in, groups[g].coefficient_count <= UINT32_MAX - model->coefficient_count);
		model->coefficient_count += groups[g].coefficient_count;
	}
	model->groups = groups;
}

static void read_meshes(loading *in, snw_model *model) {
	model->mesh_count = snw_read_count(&in->reader, 20);
	refuse_unless(in, model->mesh_count == in->character->mesh_count);
	correction *meshes = in->status == SNW_OK ? SNW_POOL_ARRAY(in->pool, correction, model->mesh_count) : NULL;
	in->status = in->status == SNW_OK && !meshes ? SNW_ERROR_MEMORY : in->status;
	for (uint32_t m = 0; in->status == SNW_OK && m < model->mesh_count; m++) {
		meshes[m].point_count = snw_read_u32(&in->reader);
		refuse_unless(in, meshes[m].point_count == in->character->meshes[m].point_count);
		read_displacements(in, model, meshes[m].point_count, 0, &meshes[m].rest);
		read_displacements(in, model, meshes[m].point_count, 1, &meshes[m].posed);
		model->has_posed |= meshes[m].posed.count > 0;
	}
	model->meshes = meshes;
}

static void read_model(loading *in, snw_model *model) {
	char found[sizeof mark];
	snw_read(&in->reader, found, sizeof found);
	const uint32_t revision = snw_read_u32(&in->reader), kernels = snw_read_u32(&in->reader);
	refuse_unless(in, memcmp(found, mark, sizeof mark) == 0 && revision == REVISION && kernels == SNW_KERNEL_VERSION);
	if (in->status == SNW_OK) {
		read_joints(in, model);
	}
	if (in->status == SNW_OK) {
		read_groups(in, model);
	}
	if (in->status == SNW_OK) {
		read_meshes(in, model);
	}
	refuse_unless(in, in->reader.count == 0);
}

snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count, snw_model **model) {
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	loading in = {.host = host,
				  .character = character,
				  .reader = snw_read_sealed(bytes, count),
				  .pool = &pool,
				  .status = made ? SNW_OK : SNW_ERROR_MEMORY};
	if (made) {
		read_model(&in, made);
	}
	if (in.status != SNW_OK) {
		snw_pool_release(&pool);
		return in.status;
	}
	made->pool = pool;
	*model = made;
	return SNW_OK;
}
