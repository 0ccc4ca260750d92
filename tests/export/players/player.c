/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "player.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static unsigned char *read_whole(const char *path, size_t *count) {
	FILE *file = fopen(path, "rb");
	if (!file) {
		return NULL;
	}
	fseek(file, 0, SEEK_END);
	*count = (size_t)ftell(file);
	rewind(file);
	unsigned char *bytes = calloc(*count + 1, 1);
	if (fread(bytes, 1, *count, file) != *count) {
		*count = 0;
	}
	fclose(file);
	return bytes;
}

static int digit(char c) {
	return c >= 'A' && c <= 'Z'   ? c - 'A'
		   : c >= 'a' && c <= 'z' ? c - 'a' + 26
		   : c >= '0' && c <= '9' ? c - '0' + 52
		   : c == '+'             ? 62
								  : 63;
}

static unsigned char *decode(const char *uri) {
	const char *text = strchr(uri, ',') + 1;
	const size_t length = strlen(text);
	unsigned char *bytes = calloc(length + 4, 1), *at = bytes;
	for (size_t i = 0; i + 3 < length; i += 4) {
		const int three = digit(text[i]) << 18 | digit(text[i + 1]) << 12 | (text[i + 2] == '=' ? 0 : digit(text[i + 2])) << 6 |
						  (text[i + 3] == '=' ? 0 : digit(text[i + 3]));
		*at++ = (unsigned char)(three >> 16);
		*at++ = (unsigned char)(three >> 8);
		*at++ = (unsigned char)three;
	}
	return bytes;
}

static int integer(const cJSON *object, const char *name, int silent) {
	const cJSON *item = cJSON_GetObjectItem(object, name);
	return item ? item->valueint : silent;
}

const cJSON *player_list(const player *p, const char *name, int index) {
	return cJSON_GetArrayItem(cJSON_GetObjectItem(p->root, name), index);
}

int player_count(const player *p, const char *name) {
	return cJSON_GetArraySize(cJSON_GetObjectItem(p->root, name));
}

/* ---- accessors -------------------------------------------------------------------------------------------------------- */

static double component(const unsigned char *at, int type) {
	uint16_t half;
	uint32_t word;
	float single;
	switch (type) {
	case 5121:
		return at[0];
	case 5123:
		memcpy(&half, at, sizeof half);
		return half;
	case 5125:
		memcpy(&word, at, sizeof word);
		return word;
	default:
		memcpy(&single, at, sizeof single);
		return (double)single;
	}
}

static void read_view(const player *p, const cJSON *object, int type, int count, double *values) {
	const cJSON *view = player_list(p, "bufferViews", integer(object, "bufferView", 0));
	const unsigned char *at = p->buffer + integer(view, "byteOffset", 0) + integer(object, "byteOffset", 0);
	const int size = type == 5121 ? 1 : type == 5123 ? 2 : 4;
	for (int i = 0; i < count; i++) {
		values[i] = component(at + (size_t)i * (size_t)size, type);
	}
}

static int width_of(const cJSON *accessor) {
	const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(accessor, "type"));
	return type[0] == 'S' ? 1 : type[0] == 'M' ? 16 : type[3] - '0';
}

double *player_values(const player *p, int index, int *count) {
	const cJSON *accessor = player_list(p, "accessors", index);
	const int type = integer(accessor, "componentType", 0), width = width_of(accessor);
	*count = integer(accessor, "count", 0);
	double *values = calloc((size_t)(*count * width) + 1, sizeof *values);
	if (cJSON_GetObjectItem(accessor, "bufferView")) {
		read_view(p, accessor, type, *count * width, values);
	}
	const cJSON *sparse = cJSON_GetObjectItem(accessor, "sparse");
	if (sparse) {
		const int some = integer(sparse, "count", 0);
		const cJSON *indices = cJSON_GetObjectItem(sparse, "indices");
		double *places = calloc((size_t)some, sizeof *places),
			   *sparse_values = calloc((size_t)some * (size_t)width, sizeof *sparse_values);
		read_view(p, indices, integer(indices, "componentType", 0), some, places);
		read_view(p, cJSON_GetObjectItem(sparse, "values"), type, some * width, sparse_values);
		for (int i = 0; i < some; i++) {
			memcpy(values + (int)places[i] * width, sparse_values + i * width, (size_t)width * sizeof *values);
		}
		free(places);
		free(sparse_values);
	}
	return values;
}

/* ---- nodes -------------------------------------------------------------------------------------------------------------- */

static void numbers(const cJSON *object, const char *name, int count, double *values) {
	const cJSON *array = cJSON_GetObjectItem(object, name);
	for (int i = 0; array && i < count; i++) {
		values[i] = cJSON_GetArrayItem(array, i)->valuedouble;
	}
}

static const cJSON *mesh_of(const player *p, int node) {
	const int mesh = integer(player_list(p, "nodes", node), "mesh", -1);
	return mesh < 0 ? NULL : player_list(p, "meshes", mesh);
}

static void stand(player *p, int node) {
	static const double identity[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
	const cJSON *object = player_list(p, "nodes", node), *mesh = mesh_of(p, node);
	memcpy(p->local[node], identity, sizeof identity);
	numbers(object, "translation", 3, p->local[node]);
	numbers(object, "rotation", 4, p->local[node] + 3);
	numbers(object, "scale", 3, p->local[node] + 7);
	if (mesh) {
		memset(p->weights[node], 0, (size_t)p->target_counts[node] * sizeof(double));
		numbers(mesh, "weights", p->target_counts[node], p->weights[node]);
		numbers(object, "weights", p->target_counts[node], p->weights[node]);
	}
}

player *player_open(const char *path) {
	size_t count = 0;
	unsigned char *bytes = read_whole(path, &count);
	if (!bytes) {
		return NULL;
	}
	player *p = calloc(1, sizeof *p);
	if (memcmp(bytes, "glTF", 4) == 0) {
		uint32_t json, binary;
		memcpy(&json, bytes + 12, sizeof json);
		p->root = cJSON_ParseWithLength((const char *)bytes + 20, json);
		if (20 + json < count) {
			memcpy(&binary, bytes + 20 + json, sizeof binary);
			p->buffer = malloc((size_t)binary + 1);
			memcpy(p->buffer, bytes + 28 + json, binary);
		}
	} else {
		p->root = cJSON_Parse((const char *)bytes);
		const cJSON *uri = cJSON_GetObjectItem(player_list(p, "buffers", 0), "uri");
		p->buffer = uri ? decode(uri->valuestring) : NULL;
	}
	free(bytes);
	p->node_count = player_count(p, "nodes");
	const size_t nodes = (size_t)p->node_count + 1;
	p->local = calloc(nodes, sizeof *p->local);
	p->global = calloc(nodes, sizeof *p->global);
	p->weights = calloc(nodes, sizeof *p->weights);
	p->target_counts = calloc(nodes, sizeof *p->target_counts);
	p->parents = malloc(nodes * sizeof *p->parents);
	memset(p->parents, 0xff, nodes * sizeof *p->parents);
	for (int n = 0; n < p->node_count; n++) {
		const cJSON *child, *mesh = mesh_of(p, n);
		cJSON_ArrayForEach(child, cJSON_GetObjectItem(player_list(p, "nodes", n), "children")) {
			p->parents[child->valueint] = n;
		}
		if (mesh) {
			const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(mesh, "primitives"), 0);
			p->target_counts[n] = cJSON_GetArraySize(cJSON_GetObjectItem(primitive, "targets"));
			p->weights[n] = calloc((size_t)p->target_counts[n] + 1, sizeof(double));
		}
	}
	return p;
}

void player_close(player *p) {
	if (p) {
		for (int n = 0; n < p->node_count; n++) {
			free(p->weights[n]);
		}
		free(p->weights);
		free(p->target_counts);
		free(p->parents);
		free(p->local);
		free(p->global);
		free(p->buffer);
		cJSON_Delete(p->root);
		free(p);
	}
}

static void multiply(const double *a, const double *b, double *dest) {
	double m[16];
	for (int c = 0; c < 4; c++) {
		for (int r = 0; r < 4; r++) {
			m[4 * c + r] = 0;
			for (int k = 0; k < 4; k++) {
				m[4 * c + r] += a[4 * k + r] * b[4 * c + k];
			}
		}
	}
	memcpy(dest, m, sizeof m);
}

static void matrix_of(const double *l, double *m) {
	const double x = l[3], y = l[4], z = l[5], w = l[6];
	const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
								2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
								2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
	for (int c = 0; c < 3; c++) {
		for (int r = 0; r < 3; r++) {
			m[4 * c + r] = rotation[3 * c + r] * l[7 + c];
		}
		m[4 * c + 3] = 0;
		m[12 + c] = l[c];
	}
	m[15] = 1;
}

static void solve(player *p, int node) {
	matrix_of(p->local[node], p->global[node]);
	for (int n = p->parents[node]; n >= 0; n = p->parents[n]) {
		double local[16];
		matrix_of(p->local[n], local);
		multiply(local, p->global[node], p->global[node]);
	}
}

/* ---- animations ---------------------------------------------------------------------------------------------------------- */

static void slerp(const double *a, const double *b, double t, double *dest) {
	double dot = 0, length = 0;
	for (int i = 0; i < 4; i++) {
		dot += a[i] * b[i];
	}
	const double sign = dot < 0 ? -1 : 1, angle = acos(fmin(fabs(dot), 1)), sine = sin(angle);
	for (int i = 0; i < 4; i++) {
		dest[i] =
			sine < 1e-9 ? a[i] + t * (sign * b[i] - a[i]) : (sin((1 - t) * angle) * a[i] + sign * sin(t * angle) * b[i]) / sine;
		length += dest[i] * dest[i];
	}
	for (int i = 0; i < 4; i++) {
		dest[i] /= sqrt(length);
	}
}

/* One sampler at a time: `width` values. */
static void sample(const player *p, const cJSON *sampler, double seconds, int width, int is_rotation, double *dest) {
	const char *mode = cJSON_GetStringValue(cJSON_GetObjectItem(sampler, "interpolation"));
	int keys, count, k = 0;
	double *times = player_values(p, integer(sampler, "input", 0), &keys);
	double *values = player_values(p, integer(sampler, "output", 0), &count);
	while (k + 1 < keys && times[k + 1] <= seconds) {
		k++;
	}
	const int cubic = mode && strcmp(mode, "CUBICSPLINE") == 0, stride = cubic ? 3 * width : width, middle = cubic ? width : 0;
	const double *a = values + k * stride + middle, *b = a + stride;
	const int held = k + 1 == keys || seconds <= times[0] || (mode && strcmp(mode, "STEP") == 0);
	const double step = held ? 1 : times[k + 1] - times[k], t = held ? 0 : (seconds - times[k]) / step;
	double length = 0;
	for (int i = 0; i < width; i++) {
		dest[i] = held ? a[i] : a[i] + t * (b[i] - a[i]);
		if (cubic && !held) {
			const double t2 = t * t, t3 = t2 * t;
			dest[i] = (2 * t3 - 3 * t2 + 1) * a[i] + (t3 - 2 * t2 + t) * step * a[i + width] + (3 * t2 - 2 * t3) * b[i] +
					  (t3 - t2) * step * b[i - width];
		}
		length += dest[i] * dest[i];
	}
	if (is_rotation && !held && !cubic) {
		slerp(a, b, t, dest);
	} else if (is_rotation) {
		for (int i = 0; i < 4; i++) {
			dest[i] /= sqrt(length);
		}
	}
	free(times);
	free(values);
}

void player_pose(player *p, int animation, double seconds) {
	for (int n = 0; n < p->node_count; n++) {
		stand(p, n);
	}
	const cJSON *object = animation < 0 ? NULL : player_list(p, "animations", animation), *channel;
	const cJSON *samplers = cJSON_GetObjectItem(object, "samplers");
	cJSON_ArrayForEach(channel, cJSON_GetObjectItem(object, "channels")) {
		const cJSON *target = cJSON_GetObjectItem(channel, "target");
		const cJSON *sampler = cJSON_GetArrayItem(samplers, integer(channel, "sampler", 0));
		const char *path = cJSON_GetStringValue(cJSON_GetObjectItem(target, "path"));
		const int node = integer(target, "node", 0);
		if (path[0] == 'w') {
			sample(p, sampler, seconds, p->target_counts[node], 0, p->weights[node]);
		} else {
			const int at = path[0] == 't' ? 0 : path[0] == 'r' ? 3 : 7;
			sample(p, sampler, seconds, path[0] == 'r' ? 4 : 3, path[0] == 'r', p->local[node] + at);
		}
	}
	for (int n = 0; n < p->node_count; n++) {
		solve(p, n);
	}
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static void transform(const double *m, const double *point, double weight, double *dest) {
	for (int r = 0; r < 3; r++) {
		dest[r] += weight * (m[r] * point[0] + m[4 + r] * point[1] + m[8 + r] * point[2] + m[12 + r]);
	}
}

/* Adds a set of four influences to every vertex. */
static void add_influences(const player *p, const cJSON *attributes, int set, double (*palette)[16], int count,
						   const double *rest, double *posed) {
	char name[16];
	int ignored;
	snprintf(name, sizeof name, "JOINTS_%d", set);
	double *joints = player_values(p, integer(attributes, name, 0), &ignored);
	snprintf(name, sizeof name, "WEIGHTS_%d", set);
	double *weights = player_values(p, integer(attributes, name, 0), &ignored);
	for (int i = 0; i < 4 * count; i++) {
		if (weights[i] != 0) {
			transform(palette[(int)joints[i]], rest + 3 * (i / 4), weights[i], posed + 3 * (i / 4));
		}
	}
	free(joints);
	free(weights);
}

static void skin(const player *p, const cJSON *node, const cJSON *attributes, int count, const double *rest, double *posed) {
	const cJSON *object = player_list(p, "skins", integer(node, "skin", 0)), *joints = cJSON_GetObjectItem(object, "joints");
	int joint_count = cJSON_GetArraySize(joints);
	double *binds = player_values(p, integer(object, "inverseBindMatrices", 0), &joint_count);
	double(*palette)[16] = calloc((size_t)joint_count, sizeof *palette);
	for (int j = 0; j < joint_count; j++) {
		multiply(p->global[cJSON_GetArrayItem(joints, j)->valueint], binds + 16 * j, palette[j]);
	}
	add_influences(p, attributes, 0, palette, count, rest, posed);
	if (cJSON_GetObjectItem(attributes, "JOINTS_1")) {
		add_influences(p, attributes, 1, palette, count, rest, posed);
	}
	free(palette);
	free(binds);
}

/* An attribute of the first primitive with its targets at the node's weights, [count][3]. */
static double *morph(const player *p, int index, const char *name, int *count) {
	const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(mesh_of(p, index), "primitives"), 0);
	double *values = player_values(p, integer(cJSON_GetObjectItem(primitive, "attributes"), name, 0), count);
	for (int t = 0; t < p->target_counts[index]; t++) {
		const cJSON *target = cJSON_GetArrayItem(cJSON_GetObjectItem(primitive, "targets"), t);
		int delta_count;
		double *vectors = player_values(p, integer(target, name, 0), &delta_count);
		for (int i = 0; i < 3 * delta_count; i++) {
			values[i] += p->weights[index][t] * vectors[i];
		}
		free(vectors);
	}
	return values;
}

static double *place_in_world(const player *p, int index, int count, const double *rest) {
	const cJSON *node = player_list(p, "nodes", index);
	const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(mesh_of(p, index), "primitives"), 0);
	double *posed = calloc(3 * (size_t)count, sizeof *posed);
	if (cJSON_GetObjectItem(node, "skin")) {
		skin(p, node, cJSON_GetObjectItem(primitive, "attributes"), count, rest, posed);
	} else {
		for (int i = 0; i < count; i++) {
			transform(p->global[index], rest + 3 * i, 1, posed + 3 * i);
		}
	}
	return posed;
}

double *player_points(const player *p, int index, int *count) {
	double *rest = morph(p, index, "POSITION", count);
	double *posed = place_in_world(p, index, *count, rest);
	free(rest);
	return posed;
}

double *player_normals(const player *p, int index, int *count) {
	double *rest = morph(p, index, "NORMAL", count), *zero = calloc(3 * (size_t)*count, sizeof *zero);
	double *posed = place_in_world(p, index, *count, rest), *origin = place_in_world(p, index, *count, zero);
	for (int i = 0; i < 3 * *count; i++) {
		posed[i] -= origin[i]; /* what is left is linear: a direction */
	}
	free(rest);
	free(zero);
	free(origin);
	return posed;
}

int player_node_of_mesh(const player *p, int mesh) {
	for (int n = 0; n < p->node_count; n++) {
		if (integer(player_list(p, "nodes", n), "mesh", -1) == mesh) {
			return n;
		}
	}
	return -1;
}
