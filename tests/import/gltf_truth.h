/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second, simple implementation of glTF for the tests: JSON, accessors and forward kinematics directly from the
 * specification, sharing nothing with the host. It trusts its files.
 */
#ifndef SINEW_TESTS_GLTF_TRUTH_H
#define SINEW_TESTS_GLTF_TRUTH_H

#include "files.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct truth_item_list {
	int count;
	const cJSON **items;
} truth_item_list;

typedef struct truth {
	unsigned char *file;
	cJSON *root;
	unsigned char *buffers[4];
	truth_item_list accessors, views, nodes, meshes, skins, animations;
	bool *is_child;
	double (*local)[10]; /* nodes at the time in hand: translation, rotation, scale */
	double (*global)[16];
	double (*weights)[64]; /* morph weights by node */
} truth;

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static inline const cJSON *truth_get(const cJSON *object, const char *key) {
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static inline int truth_int(const cJSON *object, const char *key, int absent) {
	const cJSON *item = truth_get(object, key);
	return item ? (int)item->valuedouble : absent;
}

static inline truth_item_list truth_list(const cJSON *object, const char *key) {
	const cJSON *array = truth_get(object, key);
	truth_item_list list = {cJSON_GetArraySize(array), NULL};
	list.items = calloc((size_t)list.count + 1, sizeof list.items[0]);
	int i = 0;
	for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
		list.items[i++] = item;
	}
	return list;
}

static inline unsigned char *truth_base64(const char *text) {
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char *bytes = calloc(strlen(text) + 4, 1);
	size_t count = 0;
	unsigned bits = 0, held = 0;
	for (; *text && *text != '='; text++) {
		bits = bits << 6 | (unsigned)(strchr(digits, *text) - digits);
		held += 6;
		if (held >= 8) {
			held -= 8;
			bytes[count++] = (unsigned char)(bits >> held);
		}
	}
	return bytes;
}

static inline truth *truth_open(const char *path) {
	truth *t = calloc(1, sizeof *t);
	size_t count;
	t->file = file_bytes(path, &count);
	const bool binary = memcmp(t->file, "glTF", 4) == 0;
	uint32_t json_count = 0;
	if (binary) {
		memcpy(&json_count, t->file + 12, 4);
	}
	t->root = binary ? cJSON_ParseWithLength((char *)t->file + 20, json_count) : cJSON_Parse((char *)t->file);
	assert_non_null(t->root);
	const truth_item_list buffers = truth_list(t->root, "buffers");
	for (int b = 0; b < buffers.count; b++) {
		const char *uri = cJSON_GetStringValue(truth_get(buffers.items[b], "uri"));
		if (uri) {
			t->buffers[b] = truth_base64(strchr(uri, ',') + 1);
		} else {
			uint32_t length;
			memcpy(&length, t->file + 20 + json_count, 4);
			t->buffers[b] = calloc(length + 1, 1);
			memcpy(t->buffers[b], t->file + 28 + json_count, length);
		}
	}
	free(buffers.items);
	t->accessors = truth_list(t->root, "accessors");
	t->views = truth_list(t->root, "bufferViews");
	t->nodes = truth_list(t->root, "nodes");
	t->meshes = truth_list(t->root, "meshes");
	t->skins = truth_list(t->root, "skins");
	t->animations = truth_list(t->root, "animations");
	t->is_child = calloc((size_t)t->nodes.count, sizeof t->is_child[0]);
	for (int n = 0; n < t->nodes.count; n++) {
		const cJSON *children = truth_get(t->nodes.items[n], "children");
		for (const cJSON *child = children ? children->child : NULL; child; child = child->next) {
			t->is_child[(int)child->valuedouble] = true;
		}
	}
	t->local = calloc((size_t)t->nodes.count, sizeof t->local[0]);
	t->global = calloc((size_t)t->nodes.count, sizeof t->global[0]);
	t->weights = calloc((size_t)t->nodes.count, sizeof t->weights[0]);
	return t;
}

static inline void truth_close(truth *t) {
	const truth_item_list lists[] = {t->accessors, t->views, t->nodes, t->meshes, t->skins, t->animations};
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		free(lists[i].items);
	}
	for (int b = 0; b < 4; b++) {
		free(t->buffers[b]);
	}
	cJSON_Delete(t->root);
	free(t->file);
	free(t->is_child);
	free(t->local);
	free(t->global);
	free(t->weights);
	free(t);
}

/* ---- accessors ---------------------------------------------------------------------------------------------------- */

static inline double truth_component(const unsigned char *at, int type, bool normalized) {
	int16_t s;
	uint16_t us;
	uint32_t ui;
	float f;
	switch (type) {
	case 5120:
		return normalized ? fmax((signed char)*at / 127.0, -1) : (signed char)*at;
	case 5121:
		return normalized ? *at / 255.0 : *at;
	case 5122:
		memcpy(&s, at, 2);
		return normalized ? fmax(s / 32767.0, -1) : s;
	case 5123:
		memcpy(&us, at, 2);
		return normalized ? us / 65535.0 : us;
	case 5125:
		memcpy(&ui, at, 4);
		return ui;
	default:
		memcpy(&f, at, 4);
		return (double)f;
	}
}

static inline int truth_width(const cJSON *accessor) {
	const char *type = cJSON_GetStringValue(truth_get(accessor, "type"));
	return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "MAT4") == 0 ? 16 : type[3] - '0';
}

static inline int truth_count(const truth *t, int accessor) {
	return truth_int(t->accessors.items[accessor], "count", 0);
}

static inline const unsigned char *truth_view(const truth *t, int view, int *stride) {
	const cJSON *object = t->views.items[view];
	*stride = truth_int(object, "byteStride", 0);
	return t->buffers[truth_int(object, "buffer", 0)] + truth_int(object, "byteOffset", 0);
}

/* An accessor, looked up once: elements are read by the thousand. */
typedef struct truth_reader {
	const truth *t;
	const cJSON *sparse;
	const unsigned char *first; /* NULL: zeros */
	int type, width, size, stride;
	bool normalized;
} truth_reader;

static inline int truth_component_size(int type) {
	return type < 5122 ? 1 : type < 5125 ? 2 : 4;
}

static inline truth_reader truth_reader_of(const truth *t, int accessor) {
	const cJSON *a = t->accessors.items[accessor];
	const int view = truth_int(a, "bufferView", -1);
	truth_reader reader = {.t = t,
						   .sparse = truth_get(a, "sparse"),
						   .type = truth_int(a, "componentType", 0),
						   .width = truth_width(a),
						   .normalized = cJSON_IsTrue(truth_get(a, "normalized"))};
	reader.size = truth_component_size(reader.type);
	if (view >= 0) {
		reader.first = truth_view(t, view, &reader.stride) + truth_int(a, "byteOffset", 0);
	}
	reader.stride = reader.stride ? reader.stride : reader.size * reader.width;
	return reader;
}

/* The element's replacement, if the sparse part has one. */
static inline void truth_read_sparse(const truth_reader *reader, int element, double *values) {
	const cJSON *indices = truth_get(reader->sparse, "indices"), *replacements = truth_get(reader->sparse, "values");
	const int type = truth_int(indices, "componentType", 0), size = truth_component_size(type);
	int stride;
	const unsigned char *index =
		truth_view(reader->t, truth_int(indices, "bufferView", 0), &stride) + truth_int(indices, "byteOffset", 0);
	const unsigned char *replacement =
		truth_view(reader->t, truth_int(replacements, "bufferView", 0), &stride) + truth_int(replacements, "byteOffset", 0);
	for (int i = 0; i < truth_int(reader->sparse, "count", 0); i++) {
		if ((int)truth_component(index + i * size, type, false) == element) {
			for (int c = 0; c < reader->width; c++) {
				values[c] =
					truth_component(replacement + (i * reader->width + c) * reader->size, reader->type, reader->normalized);
			}
		}
	}
}

static inline void truth_read_element(const truth_reader *reader, int element, double *values) {
	for (int c = 0; c < reader->width; c++) {
		const unsigned char *at = reader->first + (ptrdiff_t)element * reader->stride + c * reader->size;
		values[c] = reader->first ? truth_component(at, reader->type, reader->normalized) : 0;
	}
	if (reader->sparse) {
		truth_read_sparse(reader, element, values);
	}
}

/* One element of an accessor. */
static inline void truth_read(const truth *t, int accessor, int element, double *values) {
	const truth_reader reader = truth_reader_of(t, accessor);
	truth_read_element(&reader, element, values);
}

/* ---- poses -------------------------------------------------------------------------------------------------------- */

static inline void truth_multiply(const double a[16], const double b[16], double out[16]) {
	double m[16];
	for (int c = 0; c < 4; c++) {
		for (int r = 0; r < 4; r++) {
			m[4 * c + r] = a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + a[12 + r] * b[4 * c + 3];
		}
	}
	memcpy(out, m, sizeof m);
}

/* Column-major, as in the file. */
static inline void truth_matrix(const double local[10], double m[16]) {
	const double *q = local + 3, *s = local + 7;
	const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	const double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
	const double rotation[9] = {1 - 2 * y * y - 2 * z * z, 2 * x * y + 2 * z * w,     2 * x * z - 2 * y * w,
								2 * x * y - 2 * z * w,     1 - 2 * x * x - 2 * z * z, 2 * y * z + 2 * x * w,
								2 * x * z + 2 * y * w,     2 * y * z - 2 * x * w,     1 - 2 * x * x - 2 * y * y};
	memset(m, 0, 16 * sizeof m[0]);
	for (int c = 0; c < 3; c++) {
		for (int r = 0; r < 3; r++) {
			m[4 * c + r] = rotation[3 * c + r] * s[c];
		}
		m[12 + c] = local[c];
	}
	m[15] = 1;
}

static inline void truth_array(const cJSON *object, const char *key, double *values) {
	const cJSON *array = truth_get(object, key);
	for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
		*values++ = item->valuedouble;
	}
}

static inline void truth_slerp(double *a, double *b, double s, double *out) {
	double *ends[] = {a, b};
	for (int e = 0; e < 2; e++) {
		const double *q = ends[e], length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
		for (int i = 0; i < 4; i++) {
			ends[e][i] /= length;
		}
	}
	double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	const double sign = dot < 0 ? -1 : 1;
	dot = fmin(fabs(dot), 1);
	const double angle = acos(dot);
	const double wa = angle > 1e-6 ? sin((1 - s) * angle) / sin(angle) : 1 - s;
	const double wb = angle > 1e-6 ? sin(s * angle) / sin(angle) : s;
	for (int i = 0; i < 4; i++) {
		out[i] = wa * a[i] + sign * wb * b[i];
	}
}

/* A sampler at a time; `width` numbers. */
static inline void truth_sample(const truth *t, const cJSON *sampler, double seconds, int width, bool rotation, double *out) {
	const int input = truth_int(sampler, "input", 0), output = truth_int(sampler, "output", 0), keys = truth_count(t, input);
	const int rows = truth_width(t->accessors.items[output]) == 1 ? width : 1; /* weights: scalars, so many a key */
	const char *kind = cJSON_GetStringValue(truth_get(sampler, "interpolation"));
	const bool cubic = kind && strcmp(kind, "CUBICSPLINE") == 0, step = kind && strcmp(kind, "STEP") == 0;
	double before = 0, after = 0, a[3][64], b[3][64];
	int k = 0;
	for (; k < keys; k++) {
		truth_read(t, input, k, &after);
		if (after > seconds) {
			break;
		}
		before = after;
	}
	const int low = k > 0 ? k - 1 : 0, high = k < keys ? k : keys - 1;
	for (int part = 0; part < (cubic ? 3 : 1); part++) {
		for (int row = 0; row < rows; row++) {
			truth_read(t, output, ((cubic ? 3 * low : low) + part) * rows + row, &a[part][row]);
			truth_read(t, output, ((cubic ? 3 * high : high) + part) * rows + row, &b[part][row]);
		}
	}
	const double length = after - before, s = low == high ? 0 : (seconds - before) / length;
	if (rotation && !cubic && !step && low != high) {
		truth_slerp(a[0], b[0], s, out);
		return;
	}
	for (int i = 0; i < width; i++) {
		if (cubic) {
			const double s2 = s * s, s3 = s2 * s;
			out[i] = low == high ? a[1][i]
								 : (2 * s3 - 3 * s2 + 1) * a[1][i] + length * (s3 - 2 * s2 + s) * a[2][i] +
									   (-2 * s3 + 3 * s2) * b[1][i] + length * (s3 - s2) * b[0][i];
		} else {
			out[i] = step || low == high ? a[0][i] : (1 - s) * a[0][i] + s * b[0][i];
		}
	}
}

static inline int truth_target_count(const truth *t, int mesh) {
	const cJSON *primitive = truth_get(t->meshes.items[mesh], "primitives")->child;
	return cJSON_GetArraySize(truth_get(primitive, "targets"));
}

static inline void truth_solve(truth *t, int node, const double *parent) {
	double m[16];
	const cJSON *object = t->nodes.items[node], *children = truth_get(object, "children");
	if (truth_get(object, "matrix")) {
		truth_array(object, "matrix", m);
	} else {
		truth_matrix(t->local[node], m);
	}
	if (parent) {
		truth_multiply(parent, m, t->global[node]);
	} else {
		memcpy(t->global[node], m, sizeof m);
	}
	for (const cJSON *child = children ? children->child : NULL; child; child = child->next) {
		truth_solve(t, (int)child->valuedouble, t->global[node]);
	}
}

/* Stands every node as the animation has it at a time; -1 for the default pose. */
static inline void truth_pose(truth *t, int animation, double seconds) {
	for (int n = 0; n < t->nodes.count; n++) {
		const double rest[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
		const cJSON *object = t->nodes.items[n];
		memcpy(t->local[n], rest, sizeof rest);
		truth_array(object, "translation", t->local[n]);
		truth_array(object, "rotation", t->local[n] + 3);
		truth_array(object, "scale", t->local[n] + 7);
		memset(t->weights[n], 0, sizeof t->weights[n]);
		const int mesh = truth_int(object, "mesh", -1);
		if (mesh >= 0) {
			truth_array(t->meshes.items[mesh], "weights", t->weights[n]);
			truth_array(object, "weights", t->weights[n]);
		}
	}
	const cJSON *object = animation >= 0 ? t->animations.items[animation] : NULL;
	const truth_item_list samplers = truth_list(object, "samplers");
	const cJSON *channels = truth_get(object, "channels");
	for (const cJSON *channel = channels ? channels->child : NULL; channel; channel = channel->next) {
		const cJSON *target = truth_get(channel, "target"), *sampler = samplers.items[truth_int(channel, "sampler", 0)];
		const int node = truth_int(target, "node", -1);
		const char *path = cJSON_GetStringValue(truth_get(target, "path"));
		if (path[0] == 't') {
			truth_sample(t, sampler, seconds, 3, false, t->local[node]);
		} else if (path[0] == 'r') {
			truth_sample(t, sampler, seconds, 4, true, t->local[node] + 3);
		} else if (path[0] == 's') {
			truth_sample(t, sampler, seconds, 3, false, t->local[node] + 7);
		} else {
			const int mesh = truth_int(t->nodes.items[node], "mesh", -1);
			truth_sample(t, sampler, seconds, truth_target_count(t, mesh), false, t->weights[node]);
		}
	}
	free(samplers.items);
	for (int n = 0; n < t->nodes.count; n++) {
		if (!t->is_child[n]) {
			truth_solve(t, n, NULL);
		}
	}
}

/* ---- points ------------------------------------------------------------------------------------------------------- */

static inline int truth_point_count(const truth *t, int node) {
	const cJSON *primitives = truth_get(t->meshes.items[truth_int(t->nodes.items[node], "mesh", 0)], "primitives");
	int count = 0;
	for (const cJSON *p = primitives->child; p; p = p->next) {
		count += truth_count(t, truth_int(truth_get(p, "attributes"), "POSITION", 0));
	}
	return count;
}

static inline void truth_transform(const double m[16], const double p[3], double weight, double out[3]) {
	for (int r = 0; r < 3; r++) {
		out[r] += weight * (m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
	}
}

enum { TRUTH_TARGETS = 256 };

/* The vertices of a primitive, [count][3]; `palette` is NULL without a skin. Where the next primitive's go. */
static inline double *truth_primitive_points(const truth *t, int node, const cJSON *primitive, double (*palette)[16],
											 double *points) {
	const cJSON *attributes = truth_get(primitive, "attributes"), *targets = truth_get(primitive, "targets");
	const int position = truth_int(attributes, "POSITION", 0), count = truth_count(t, position);
	const truth_reader rests = truth_reader_of(t, position);
	truth_reader offsets[TRUTH_TARGETS], joint_reader = {0}, weight_reader = {0};
	int target_count = 0;
	for (const cJSON *target = targets ? targets->child : NULL; target; target = target->next) {
		assert_true(target_count < TRUTH_TARGETS);
		offsets[target_count++] = truth_reader_of(t, truth_int(target, "POSITION", 0));
	}
	if (palette) {
		joint_reader = truth_reader_of(t, truth_int(attributes, "JOINTS_0", 0));
		weight_reader = truth_reader_of(t, truth_int(attributes, "WEIGHTS_0", 0));
	}
	for (int i = 0; i < count; i++, points += 3) {
		double rest[3], sum = 0, joints[4], weights[4];
		truth_read_element(&rests, i, rest);
		for (int k = 0; k < target_count; k++) {
			double offset[3];
			truth_read_element(&offsets[k], i, offset);
			for (int c = 0; c < 3; c++) {
				rest[c] += t->weights[node][k] * offset[c];
			}
		}
		memset(points, 0, 3 * sizeof points[0]);
		if (!palette) {
			truth_transform(t->global[node], rest, 1, points);
			continue;
		}
		truth_read_element(&joint_reader, i, joints);
		truth_read_element(&weight_reader, i, weights);
		for (int k = 0; k < 4; k++) {
			sum += weights[k];
		}
		for (int k = 0; k < 4; k++) {
			truth_transform(palette[(int)joints[k]], rest, weights[k] / sum, points);
		}
	}
	return points;
}

/* What a node's mesh looks like in the pose in hand: its primitives' vertices, one after another, [count][3]. */
static inline void truth_points(const truth *t, int node, double *points) {
	const cJSON *object = t->nodes.items[node], *mesh = t->meshes.items[truth_int(object, "mesh", 0)];
	const int skin = truth_int(object, "skin", -1);
	double(*palette)[16] = NULL;
	if (skin >= 0) {
		const truth_item_list joints = truth_list(t->skins.items[skin], "joints");
		const int binds = truth_int(t->skins.items[skin], "inverseBindMatrices", -1);
		palette = calloc((size_t)joints.count, sizeof palette[0]);
		for (int j = 0; j < joints.count; j++) {
			double bind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
			if (binds >= 0) {
				truth_read(t, binds, j, bind);
			}
			truth_multiply(t->global[(int)joints.items[j]->valuedouble], bind, palette[j]);
		}
		free(joints.items);
	}
	for (const cJSON *p = truth_get(mesh, "primitives")->child; p; p = p->next) {
		points = truth_primitive_points(t, node, p, palette, points);
	}
	free(palette);
}

#endif
