/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, revisions of the format and of the kernels, the joints' names, the pose spaces, the displacements
 * (only of points that move), the checksums of the inversions, a seal. And back, from untrusted bytes: everything is checked
 * before it becomes a size or an index.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/kit/bytes/json.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'I', 'P', 'S', 'D'};
enum { REVISION = 2 };

static void write_metric(snw_writer *writer, const snk_joint_metric *metric) {
	snw_write(writer, metric->axis, sizeof metric->axis);
	snw_write_f64(writer, metric->swing);
	snw_write_f64(writer, metric->twist);
	snw_write_f64(writer, metric->translation);
	snw_write_f64(writer, metric->scale);
	snw_write_u32(writer, metric->unwound);
}

static void write_space(snw_writer *writer, const pose_space *space) {
	const size_t joints = space->joint_count, poses = space->pose_count, coefficients = space->coefficient_count;
	const size_t classes = space->class_count;
	snk_write_text(writer, space->name);
	snw_write_u32(writer, space->is_forward);
	snw_write_u32(writer, (uint32_t)space->kernel);
	snw_write_u32(writer, (uint32_t)space->polynomial);
	snw_write_u32(writer, space->clamps);
	snw_write_f64(writer, space->width);
	snw_write_u32(writer, space->joint_count);
	snw_write(writer, space->joints, joints * sizeof *space->joints);
	for (size_t j = 0; j < joints; j++) {
		write_metric(writer, &space->metrics[j]);
	}
	snw_write_u32(writer, space->pose_count);
	snw_write_u32(writer, space->coefficient_count);
	snw_write_u32(writer, space->class_count);
	snw_write(writer, space->rotation_vectors, 3 * poses * joints * sizeof *space->rotation_vectors);
	snw_write(writer, space->places, 6 * poses * joints * sizeof *space->places);
	snw_write(writer, space->shares, classes * joints * sizeof *space->shares);
	snw_write(writer, space->weights,
			  coefficients > 0 ? classes * term_count(space) * coefficients * sizeof *space->weights : 0);
	for (uint32_t k = 0; k < space->coefficient_count; k++) {
		snk_write_text(writer, space->names[k]);
	}
}

static void write_displacements(snw_writer *writer, const snw_displacements *list, const uint32_t *classes) {
	const size_t points = list->count > 0 ? list->offsets[list->count] : 0;
	snw_write_u32(writer, list->count);
	snw_write(writer, list->coefficients, list->count * sizeof *list->coefficients);
	snk_write_displacement_offsets(writer, list->count, list->offsets);
	snw_write(writer, list->points, points * sizeof *list->points);
	snw_write(writer, list->vectors, 3 * points * sizeof *list->vectors);
	if (list->joints) {
		snw_write(writer, list->joints, list->count * sizeof *list->joints);
	}
	if (classes) {
		snw_write(writer, classes, points * sizeof *classes);
	}
}

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snw_write_u32(&writer, SNK_KERNEL_VERSION);
	snw_write_u32(&writer, model->is_weighted);
	snw_write_u32(&writer, model->joint_count);
	for (uint32_t j = 0; j < model->joint_count; j++) {
		snk_write_text(&writer, model->joint_names[j]);
	}
	snw_write_u32(&writer, model->group_count);
	for (uint32_t g = 0; g < model->group_count; g++) {
		write_space(&writer, &model->groups[g]);
	}
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		snw_write_u32(&writer, model->meshes[m].point_count);
		write_displacements(&writer, &model->meshes[m].rest, model->meshes[m].rest_classes);
		write_displacements(&writer, &model->meshes[m].posed, model->meshes[m].posed_classes);
	}
	snw_write_u32(&writer, model->inverted_count);
	for (uint32_t i = 0; i < model->inverted_count; i++) {
		const inverted *one = &model->inverted[i];
		snw_write(&writer, &one->input_sum, sizeof one->input_sum);
		snw_write(&writer, &one->result_sum, sizeof one->result_sum);
		snw_write_u32(&writer, one->coefficient);
		snw_write_u32(&writer, one->mesh);
	}
	snw_write_seal(&writer);
	return writer.status;
}

/* ---- back ---------------------------------------------------------------------------------------------------------------- */

/* A model that is being read. The first error is kept in `status`, and everything after it does nothing. */
typedef struct loading {
	const snw_host *host;
	const snw_character_view *character;
	snw_reader *reader;
	snw_pool *pool;
	snw_status status;
	uint32_t *joint_of; /* saved joint → joint of the character */
} loading;

static void refuse_unless(loading *in, int sound) {
	if (!snk_failed(in->status) && (!sound || in->reader->failed)) {
		in->status = SNW_ERROR_DATA;
	}
}

static double *read_numbers(loading *in, size_t count) {
	return snk_read_numbers(in->reader, in->pool, count, &in->status);
}

/* `count` elements of the pool; NULL after an error, or without memory. */
static void *acquire(loading *in, size_t count, size_t element_bytes) {
	void *array = snk_failed(in->status) ? NULL : snw_pool_acquire(in->pool, count, element_bytes);
	if (!snk_failed(in->status) && !array) {
		in->status = SNW_ERROR_MEMORY;
	}
	return array;
}

static const char *read_text(loading *in) {
	return snk_read_text(in->reader, in->pool, &in->status);
}

/* Joints are found by their names, so that a model survives a change of their order. */
static void read_joints(loading *in, snw_model *model) {
	const snw_skeleton_view *skeleton = in->character->skeleton;
	model->joint_count = snw_read_count(in->reader, sizeof(uint32_t));
	refuse_unless(in, model->joint_count == skeleton->joint_count);
	const char **names = acquire(in, model->joint_count, sizeof(const char *));
	in->joint_of = acquire(in, model->joint_count, sizeof(uint32_t));
	for (uint32_t j = 0; !snk_failed(in->status) && j < model->joint_count; j++) {
		const char *name = read_text(in);
		uint32_t found = !snk_failed(in->status) && strcmp(skeleton->names[j], name) == 0 ? j : 0;
		while (!snk_failed(in->status) && found < skeleton->joint_count && strcmp(skeleton->names[found], name) != 0) {
			found++;
		}
		if (!snk_failed(in->status) && found == skeleton->joint_count) {
			in->status =
				snw_report_fail(in->host, SNW_ERROR_DATA,
								"the model was fitted with a joint \"%s\", which no longer exists; fit it again", name);
		}
		if (!snk_failed(in->status)) {
			in->joint_of[j] = found;
			names[found] = skeleton->names[found];
		}
	}
	for (uint32_t j = 0; !snk_failed(in->status) && j < model->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = acquire(in, bytes, sizeof *name);
		refuse_unless(in, names[j] != NULL);
		if (name) {
			memcpy(name, skeleton->names[j], bytes);
		}
		names[j] = name;
	}
	model->joint_names = names;
}

static uint32_t *read_joint_list(loading *in, uint32_t count, int may_be_none) {
	uint32_t *joints = snk_read_array(in->reader, in->pool, count, sizeof *joints, &in->status);
	for (uint32_t j = 0; joints && !snk_failed(in->status) && j < count; j++) {
		const int none = may_be_none && joints[j] == SNW_NONE;
		refuse_unless(in, none || joints[j] < in->character->skeleton->joint_count);
		if (!snk_failed(in->status) && !none) {
			joints[j] = in->joint_of[joints[j]];
		}
	}
	return joints;
}

static void read_metrics(loading *in, pose_space *space) {
	refuse_unless(in, space->joint_count <= in->reader->count / (7 * sizeof(double)));
	snk_joint_metric *metrics = acquire(in, space->joint_count, sizeof(snk_joint_metric));
	for (uint32_t j = 0; metrics && j < space->joint_count; j++) {
		snk_joint_metric *metric = &metrics[j];
		snw_read(in->reader, metric->axis, sizeof metric->axis);
		metric->swing = snw_read_f64(in->reader);
		metric->twist = snw_read_f64(in->reader);
		metric->translation = snw_read_f64(in->reader);
		metric->scale = snw_read_f64(in->reader);
		metric->unwound = snw_read_u32(in->reader);
		const double numbers[7] = {metric->axis[0], metric->axis[1],     metric->axis[2], metric->swing,
								   metric->twist,   metric->translation, metric->scale};
		for (int c = 0; c < 7; c++) {
			refuse_unless(in, isfinite(numbers[c]) && (c < 3 || numbers[c] >= 0));
		}
		refuse_unless(in, metric->unwound <= 1);
	}
	space->metrics = metrics;
}

/* a · b, or an error if the remaining bytes cannot hold this many numbers. */
static size_t product_of(loading *in, size_t a, size_t b) {
	refuse_unless(in, b == 0 || a <= in->reader->count / sizeof(double) / b);
	return snk_failed(in->status) ? 0 : a * b;
}

static void read_names(loading *in, pose_space *space) {
	refuse_unless(in, space->coefficient_count <= in->reader->count / sizeof(uint32_t));
	const char **names = acquire(in, space->coefficient_count, sizeof(const char *));
	const char **examples = acquire(in, space->coefficient_count, sizeof(const char *));
	const size_t prefix = snk_failed(in->status) ? 0 : strlen(space->name);
	for (uint32_t k = 0; names && examples && !snk_failed(in->status) && k < space->coefficient_count; k++) {
		names[k] = read_text(in);
		refuse_unless(in, names[k] && strncmp(names[k], space->name, prefix) == 0 && names[k][prefix] == '/');
		examples[k] = snk_failed(in->status) ? NULL : names[k] + prefix + 1;
	}
	space->names = names;
	space->examples = examples;
}

static void read_features(loading *in, pose_space *space) {
	double *features = acquire(in, feature_count(space), sizeof(double));
	if (features) {
		group_features(space, features);
	}
	space->features = features;
	double *ways = acquire(in, way_count(space), sizeof(double));
	if (ways && features) {
		group_ways(space, ways);
	}
	space->ways = ways;
}

static void read_space(loading *in, pose_space *space, uint32_t is_weighted) {
	space->name = read_text(in);
	space->is_forward = snw_read_u32(in->reader);
	const uint32_t kernel = snw_read_u32(in->reader), polynomial = snw_read_u32(in->reader);
	space->clamps = snw_read_u32(in->reader);
	space->width = snw_read_f64(in->reader);
	refuse_unless(in, space->is_forward <= 1 && kernel < SNK_KERNELS && polynomial <= SNK_POLYNOMIAL_LINEAR &&
						  space->clamps <= 1 && isfinite(space->width) && space->width >= 0);
	space->kernel = (snk_kernel)(snk_failed(in->status) ? 0 : kernel);
	space->polynomial = (snk_polynomial)(snk_failed(in->status) ? 0 : polynomial);
	space->joint_count = snw_read_count(in->reader, sizeof(uint32_t));
	space->joints = read_joint_list(in, space->joint_count, 0);
	read_metrics(in, space);
	space->pose_count = snw_read_count(in->reader, 0);
	space->coefficient_count = snw_read_count(in->reader, 0);
	space->class_count = snw_read_count(in->reader, 0);
	refuse_unless(in, space->coefficient_count <= space->pose_count && space->class_count > 0);
	refuse_unless(in,
				  space->kernel != SNK_KERNEL_CONE || space->coefficient_count < space->pose_count || space->pose_count == 0);
	refuse_unless(in, is_weighted || space->class_count == 1);
	/* A pose, or a class, occupies bytes only through its joints and its weights. */
	refuse_unless(in, (space->pose_count == 0 && space->class_count == 1) ||
						  (space->joint_count > 0 && space->coefficient_count > 0 && space->width > 0));
	const size_t joint_poses = product_of(in, space->pose_count, space->joint_count);
	space->rotation_vectors = read_numbers(in, product_of(in, 3, joint_poses));
	space->places = read_numbers(in, product_of(in, 6, joint_poses));
	space->shares = read_numbers(in, product_of(in, space->class_count, space->joint_count));
	for (size_t i = 0; !snk_failed(in->status) && i < (size_t)space->class_count * space->joint_count; i++) {
		refuse_unless(in, space->shares[i] >= 0);
	}
	const size_t sets = product_of(in, space->class_count, space->coefficient_count);
	space->weights = read_numbers(in, snk_failed(in->status) ? 0 : product_of(in, sets, term_count(space)));
	read_names(in, space);
	read_features(in, space);
}

/* The points of each displacement must ascend. */
static void check_displacements(loading *in, const snw_displacements *list) {
	for (uint32_t n = 0; !snk_failed(in->status) && n < list->count; n++) {
		for (uint64_t i = list->offsets[n] + 1; i < list->offsets[n + 1]; i++) {
			refuse_unless(in, list->points[i - 1] < list->points[i]);
		}
	}
}

/* The classes of a displacement's points must exist in its group. */
static void check_classes(loading *in, const snw_model *model, const snw_displacements *list, const uint32_t *classes) {
	for (uint32_t n = 0; !snk_failed(in->status) && n < list->count; n++) {
		uint32_t g = 0, first = list->coefficients[n];
		while (first >= driven_count(&model->groups[g])) {
			first -= driven_count(&model->groups[g++]);
		}
		refuse_unless(in, first % model->groups[g].class_count == 0);
		for (uint64_t i = list->offsets[n]; i < list->offsets[n + 1]; i++) {
			refuse_unless(in, classes[i] < model->groups[g].class_count);
		}
	}
}

static void read_displacements(loading *in, const snw_model *model, uint32_t point_count, int is_posed, snw_displacements *list,
							   const uint32_t **classes) {
	list->size = sizeof *list;
	list->count = snw_read_count(in->reader, 2 * sizeof(uint32_t));
	list->coefficients = snk_read_indices(in->reader, in->pool, list->count, model->coefficient_count, &in->status);
	list->offsets = snk_read_displacement_offsets(in->reader, in->pool, list->count, &in->status);
	const size_t points = snk_failed(in->status) ? 0 : list->offsets[list->count];
	list->points = snk_read_indices(in->reader, in->pool, points, point_count, &in->status);
	list->vectors = read_numbers(in, 3 * points);
	list->joints = is_posed ? read_joint_list(in, list->count, 1) : NULL;
	*classes = model->is_weighted ? snk_read_array(in->reader, in->pool, points, sizeof **classes, &in->status) : NULL;
	const char **names = acquire(in, list->count, sizeof(const char *));
	check_displacements(in, list);
	if (!snk_failed(in->status) && model->is_weighted) {
		check_classes(in, model, list, *classes);
	}
	for (uint32_t n = 0; !snk_failed(in->status) && n < list->count; n++) {
		names[n] = coefficient_name(model->group_count, model->groups, list->coefficients[n]);
	}
	list->names = names;
}

static void read_groups(loading *in, snw_model *model) {
	model->group_count = snw_read_count(in->reader, 44); /* of a group without name, joints and poses */
	refuse_unless(in, 1);
	pose_space *groups = acquire(in, model->group_count, sizeof(pose_space));
	for (uint32_t g = 0; !snk_failed(in->status) && g < model->group_count; g++) {
		read_space(in, &groups[g], model->is_weighted);
		const uint64_t driven = (uint64_t)groups[g].coefficient_count * groups[g].class_count;
		refuse_unless(in, driven <= UINT32_MAX - model->coefficient_count);
		model->coefficient_count += snk_failed(in->status) ? 0 : (uint32_t)driven;
	}
	model->groups = groups;
}

static void read_meshes(loading *in, snw_model *model) {
	model->mesh_count = snw_read_count(in->reader, 20);
	refuse_unless(in, model->mesh_count == in->character->mesh_count);
	correction *meshes = acquire(in, model->mesh_count, sizeof(correction));
	for (uint32_t m = 0; !snk_failed(in->status) && m < model->mesh_count; m++) {
		meshes[m].point_count = snw_read_u32(in->reader);
		refuse_unless(in, meshes[m].point_count == in->character->meshes[m]->point_count);
		read_displacements(in, model, meshes[m].point_count, 0, &meshes[m].rest, &meshes[m].rest_classes);
		read_displacements(in, model, meshes[m].point_count, 1, &meshes[m].posed, &meshes[m].posed_classes);
		if (!snk_failed(in->status)) {
			in->status = copy_skin(in->pool, in->character->meshes[m], &meshes[m]);
		}
		model->has_posed |= meshes[m].posed.count > 0;
	}
	model->meshes = meshes;
}

static void read_inverted(loading *in, snw_model *model) {
	model->inverted_count = snw_read_count(in->reader, 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t));
	refuse_unless(in, 1);
	inverted *all = acquire(in, model->inverted_count, sizeof(inverted));
	for (uint32_t i = 0; all && i < model->inverted_count; i++) {
		snw_read(in->reader, &all[i].input_sum, sizeof all[i].input_sum);
		snw_read(in->reader, &all[i].result_sum, sizeof all[i].result_sum);
		all[i].coefficient = snw_read_u32(in->reader);
		all[i].mesh = snw_read_u32(in->reader);
		refuse_unless(in, all[i].coefficient < model->coefficient_count && all[i].mesh < model->mesh_count);
	}
	model->inverted = all;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	loading in = {.host = model->pool.host, .character = character, .reader = reader, .pool = &model->pool, .status = SNW_OK};
	const uint32_t kernels = snw_read_u32(reader);
	model->is_weighted = snw_read_u32(reader);
	refuse_unless(&in, model->is_weighted <= 1);
	if (!snk_failed(in.status) && kernels != SNK_KERNEL_VERSION) {
		in.status = snw_report_fail(in.host, SNW_ERROR_DATA,
									"it was fitted with kernel version %u, and this is version %u; fit it again", kernels,
									SNK_KERNEL_VERSION);
	}
	if (!snk_failed(in.status)) {
		read_joints(&in, model);
	}
	if (!snk_failed(in.status)) {
		read_groups(&in, model);
	}
	if (!snk_failed(in.status)) {
		read_meshes(&in, model);
	}
	if (!snk_failed(in.status)) {
		read_inverted(&in, model);
	}
	return snk_failed(in.status) ? in.status : list_coefficient_examples(in.pool, model);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}

/* ---- as JSON ------------------------------------------------------------------------------------------------------------- */

/* The pose spaces as JSON, for engines that evaluate them live. docs/pose-space.md defines the format. */

static void write_texts(snk_json *json, const char *key, size_t count, const char *const *texts) {
	snk_json_open_array(json, key);
	for (size_t i = 0; i < count; i++) {
		snk_json_text(json, NULL, texts[i]);
	}
	snk_json_close_array(json);
}

/* Rows of `width` numbers. */
static void write_rows(snk_json *json, const char *key, size_t rows, size_t width, const double *numbers) {
	snk_json_open_array(json, key);
	for (size_t r = 0; r < rows; r++) {
		snk_json_numbers(json, NULL, width, numbers + r * width);
	}
	snk_json_close_array(json);
}

/* One number of each joint's metric, `offset` bytes into it. */
static void write_metrics(snk_json *json, const char *key, const pose_space *space, size_t offset) {
	snk_json_open_array(json, key);
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_number(json, NULL, *(const double *)((const char *)&space->metrics[j] + offset));
	}
	snk_json_close_array(json);
}

static void write_joints(snk_json *json, const snw_model *model, const pose_space *space) {
	snk_json_open_array(json, "joints");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_text(json, NULL, model->joint_names[space->joints[j]]);
	}
	snk_json_close_array(json);
	snk_json_open_array(json, "unwound");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_boolean(json, NULL, space->metrics[j].unwound != 0);
	}
	snk_json_close_array(json);
	snk_json_open_array(json, "axes");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_numbers(json, NULL, 3, space->metrics[j].axis);
	}
	snk_json_close_array(json);
	write_metrics(json, "swing", space, offsetof(snk_joint_metric, swing));
	write_metrics(json, "twist", space, offsetof(snk_joint_metric, twist));
	write_metrics(json, "translation", space, offsetof(snk_joint_metric, translation));
	write_metrics(json, "scale", space, offsetof(snk_joint_metric, scale));
}

/* Weights of one kind of term, for each coefficient: the terms from `first` on. */
static void write_weights(snk_json *json, const char *key, const pose_space *space, size_t first, size_t count) {
	const size_t coefficients = space->coefficient_count;
	snk_json_open_array(json, key);
	for (size_t k = 0; k < coefficients; k++) {
		snk_json_open_array(json, NULL);
		for (size_t t = 0; t < count; t++) {
			snk_json_number(json, NULL, space->weights[(first + t) * coefficients + k]);
		}
		snk_json_close_array(json);
	}
	snk_json_close_array(json);
}

static void write_kernel(snk_json *json, const pose_space *space) {
	static const char *const kernels[SNK_KERNELS] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric", "cone"};
	static const char *const polynomials[] = {"none", "constant", "linear"};
	snk_json_text(json, "kernel", kernels[space->kernel]);
	snk_json_number(json, "width", space->width);
	snk_json_text(json, "polynomial", polynomials[space->polynomial]);
	snk_json_boolean(json, "clamp", space->clamps != 0);
}

static void write_group(snk_json *json, const snw_model *model, const pose_space *space) {
	const size_t poses = space->pose_count, joints = space->joint_count, coefficients = space->coefficient_count;
	snk_json_open_object(json, NULL);
	snk_json_text(json, "name", space->name);
	write_joints(json, model, space);
	write_kernel(json, space);
	write_rows(json, "examples", poses, 3 * joints, space->rotation_vectors);
	write_rows(json, "places", poses, 6 * joints, space->places);
	write_texts(json, "targets", coefficients, space->names);
	write_weights(json, "weights", space, 0, poses);
	snk_json_numbers(json, "constants", poses > 0 ? coefficients : 0, space->weights + poses * coefficients);
	write_weights(json, "slopes", space, poses + 1, poses > 0 ? term_count(space) - poses - 1 : 0);
	snk_json_close_object(json);
}

snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	/* Coefficients of single points drive no morph target that could be named. */
	if (!model->is_weighted) {
		snk_json_open_object(&json, "poseSpace");
		snk_json_text(&json, "format", "org.sinew.pose-space");
		snk_json_integer(&json, "version", 2);
		snk_json_integer(&json, "kernelVersion", SNK_KERNEL_VERSION);
		snk_json_open_array(&json, "groups");
		for (uint32_t g = 0; g < model->group_count; g++) {
			write_group(&json, model, &model->groups[g]);
		}
		snk_json_close_array(&json);
		snk_json_close_object(&json);
	}
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}
