/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KHR_interactivity: a graph that computes the weights of morph targets from the joints at each tick, by the formulas of
 * docs/pose-space.md, so that a viewer of the extension plays correctives without further code.
 *
 * Values are floats, except rotations, translations and scales; a product with a constant vector takes one number of these,
 * because Babylon.js 9.28 refuses math/extract4. A graph knows quaternions alone, so rotations are the shorter way from rest.
 */
#include <math.h>
#include <string.h>

#include "export/gltf/writer.h"
#include "sinew/algebra.h"

/* ---- a graph ------------------------------------------------------------------------------------------------------------- */

enum { FLOAT_TYPE, FLOAT3_TYPE, FLOAT4_TYPE, IS_CONSTANT = -1 };

typedef struct live_graph {
	const snw_gltf_writer *writer;
	cJSON *declarations, *nodes;
	const cJSON *joints; /* at rest, of the extras */
	uint32_t mesh;       /* of the plan */
	cJSON *sequence;     /* the flows of the node that sets the weights, one after another */
} live_graph;

/* The output of a node, or a constant. */
typedef struct live_number {
	int node; /* IS_CONSTANT */
	double value;
} live_number;

static live_number constant(double value) {
	return (live_number){IS_CONSTANT, value};
}

static int declare_operation(const live_graph *g, const char *operation) {
	int index = 0;
	const cJSON *one;
	cJSON_ArrayForEach(one, g->declarations) {
		if (strcmp(one->child->valuestring, operation) == 0) {
			return index;
		}
		index++;
	}
	snw_gltf_put_text(g->writer->document, snw_gltf_put_object(g->writer->document, g->declarations, NULL), "op", operation);
	return index;
}

static cJSON *add_operation(const live_graph *g, const char *operation, int *index) {
	const int declaration = declare_operation(g, operation);
	*index = cJSON_GetArraySize(g->nodes);
	cJSON *node = snw_gltf_put_object(g->writer->document, g->nodes, NULL);
	snw_gltf_put_number(g->writer->document, node, "declaration", declaration);
	return node;
}

static cJSON *add_value(const live_graph *g, cJSON *values, const char *socket, const double *numbers, uint32_t count,
						int type) {
	cJSON *value = snw_gltf_put_object(g->writer->document, values, socket);
	snw_gltf_put_numbers(g->writer->document, value, "value", numbers, count);
	snw_gltf_put_number(g->writer->document, value, "type", type);
	return value;
}

static void add_input(const live_graph *g, cJSON *values, const char *socket, live_number from) {
	if (from.node == IS_CONSTANT) {
		add_value(g, values, socket, &from.value, 1, FLOAT_TYPE);
		return;
	}
	cJSON *value = snw_gltf_put_object(g->writer->document, values, socket);
	snw_gltf_put_number(g->writer->document, value, "node", from.node);
	snw_gltf_put_text(g->writer->document, value, "socket", "value");
}

static live_number operate(const live_graph *g, const char *operation, live_number a, const live_number *b) {
	live_number result = {0};
	cJSON *values = snw_gltf_put_object(g->writer->document, add_operation(g, operation, &result.node), "values");
	add_input(g, values, "a", a);
	if (b) {
		add_input(g, values, "b", *b);
	}
	return result;
}

static live_number one_of(const live_graph *g, const char *operation, live_number a) {
	return operate(g, operation, a, NULL);
}

static live_number two_of(const live_graph *g, const char *operation, live_number a, live_number b) {
	return operate(g, operation, a, &b);
}

static bool is_value(live_number a, double value) {
	return a.node == IS_CONSTANT && a.value == value;
}

static live_number sum_of(const live_graph *g, live_number a, live_number b) {
	return is_value(a, 0) ? b : is_value(b, 0) ? a : two_of(g, "math/add", a, b);
}

static live_number product_of(const live_graph *g, live_number a, live_number b) {
	return is_value(a, 0) || is_value(b, 0) ? constant(0)
		   : is_value(a, 1)                 ? b
		   : is_value(b, 1)                 ? a
											: two_of(g, "math/mul", a, b);
}

static live_number scaled_by(const live_graph *g, double factor, live_number a) {
	return product_of(g, constant(factor), a);
}

static live_number square_sum(const live_graph *g, const live_number *list, size_t count) {
	live_number sum = constant(0);
	for (size_t i = 0; i < count; i++) {
		sum = sum_of(g, sum, product_of(g, list[i], list[i]));
	}
	return sum;
}

/* Σ row · a property of a joint's node. */
static live_number read_joint(const live_graph *g, uint32_t node, const char *property, const double *row, uint32_t width) {
	snw_gltf_document *document = g->writer->document;
	live_number whole = {0}, result = {0};
	cJSON *reads = snw_gltf_put_object(document, add_operation(g, "pointer/get", &whole.node), "configuration");
	cJSON *pointer = snw_gltf_put_array(document, snw_gltf_put_object(document, reads, "pointer"), "value");
	snw_gltf_put_text(document, pointer, NULL, snw_arena_format(g->writer->arena, "/nodes/%u/%s", node, property));
	cJSON *type = snw_gltf_put_array(document, snw_gltf_put_object(document, reads, "type"), "value");
	snw_gltf_put_number(document, type, NULL, width == 4 ? FLOAT4_TYPE : FLOAT3_TYPE);
	cJSON *values = snw_gltf_put_object(document, add_operation(g, "math/dot", &result.node), "values");
	add_input(g, values, "a", whole);
	add_value(g, values, "b", row, width, width == 4 ? FLOAT4_TYPE : FLOAT3_TYPE);
	return result;
}

static void add_flow(const live_graph *g, cJSON *flows, const char *socket, int node) {
	cJSON *next = snw_gltf_put_object(g->writer->document, flows, socket);
	snw_gltf_put_number(g->writer->document, next, "node", node);
	snw_gltf_put_text(g->writer->document, next, "socket", "in");
}

/* One more step of the sequence. Babylon.js 9.28 ends a chain of pointer/set after the first one. */
static void set_weight(live_graph *g, uint32_t shape, live_number weight) {
	snw_gltf_document *document = g->writer->document;
	int index;
	cJSON *node = add_operation(g, "pointer/set", &index), *writes = snw_gltf_put_object(document, node, "configuration");
	cJSON *pointer = snw_gltf_put_array(document, snw_gltf_put_object(document, writes, "pointer"), "value");
	snw_gltf_put_text(document, pointer, NULL,
					  snw_arena_format(g->writer->arena, "/nodes/%u/weights/%u", g->writer->mesh_nodes[g->mesh], shape));
	cJSON *type = snw_gltf_put_array(document, snw_gltf_put_object(document, writes, "type"), "value");
	snw_gltf_put_number(document, type, NULL, FLOAT_TYPE);
	add_input(g, snw_gltf_put_object(document, node, "values"), "value", weight);
	add_flow(g, g->sequence, snw_arena_format(g->writer->arena, "%d", cJSON_GetArraySize(g->sequence)), index);
}

/* ---- a group ------------------------------------------------------------------------------------------------------------- */

static const cJSON *part(const cJSON *object, const char *name) {
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number_at(const cJSON *list, uint32_t index) {
	return cJSON_GetNumberValue(cJSON_GetArrayItem(list, (int)index));
}

static void numbers_at(const cJSON *list, uint32_t first, uint32_t count, double *dest) {
	for (uint32_t i = 0; i < count; i++) {
		dest[i] = number_at(list, first + i);
	}
}

typedef struct live_joint {
	uint32_t node;
	double rest[4], axis[3], swing, twist, translation, scale;
	bool is_unwound;
	live_number vector[3], w; /* rotation vector from rest, and the real part of its quaternion */
	live_number place[6];     /* translation and logarithms of scale; 0 where the gain is 0 */
} live_joint;

/* r⁻¹ · local, of a joint's node. */
static void read_rotation(const live_graph *g, uint32_t node, const double r[4], live_number q[4]) {
	const double back[4] = {-r[0], -r[1], -r[2], r[3]};
	double rows[4][4];
	for (int c = 0; c < 4; c++) {
		const double unit[4] = {c == 0, c == 1, c == 2, c == 3};
		double column[4];
		snw_quat_multiply(back, unit, column);
		for (int i = 0; i < 4; i++) {
			rows[i][c] = column[i];
		}
	}
	for (int i = 0; i < 4; i++) {
		q[i] = read_joint(g, node, "rotation", rows[i], 4);
	}
}

/* The rotation vector of a quaternion: the shorter way; or, where `sign` is one, of sign · q on the double cover. */
static void rotation_vector_of(const live_graph *g, const live_number q[4], const live_number *sign, live_number vector[3]) {
	const live_number sine = one_of(g, "math/sqrt", two_of(g, "math/max", square_sum(g, q, 3), constant(1e-30)));
	const live_number half = sign ? two_of(g, "math/atan2", sine, product_of(g, *sign, q[3]))
								  : one_of(g, "math/atan", two_of(g, "math/div", sine, q[3]));
	const live_number share = two_of(g, "math/div", scaled_by(g, 2, sign ? product_of(g, *sign, half) : half), sine);
	for (int c = 0; c < 3; c++) {
		vector[c] = product_of(g, share, q[c]);
	}
}

static void read_place(const live_graph *g, live_joint *joint) {
	for (int c = 0; c < 3; c++) {
		const double row[3] = {c == 0, c == 1, c == 2};
		joint->place[c] = joint->translation == 0 ? constant(0) : read_joint(g, joint->node, "translation", row, 3);
		joint->place[3 + c] = constant(0);
		if (joint->scale != 0) {
			const live_number size = one_of(g, "math/abs", read_joint(g, joint->node, "scale", row, 3));
			joint->place[3 + c] = one_of(g, "math/log", two_of(g, "math/max", size, constant(1e-9)));
		}
	}
}

static uint32_t node_named(const live_graph *g, const char *name) {
	const snw_plan_rig *rig = &g->writer->plan->rig;
	for (uint32_t j = 0; j < rig->joint_count; j++) {
		if (strcmp(rig->names[j], name) == 0) {
			return g->writer->nodes.joints[j];
		}
	}
	return 0;
}

static live_joint *read_joints(const live_graph *g, const cJSON *group, uint32_t *count) {
	const cJSON *names = part(group, "joints"), *rest;
	*count = (uint32_t)cJSON_GetArraySize(names);
	live_joint *joints = SNW_NEW_ARRAY(g->writer->arena, live_joint, *count);
	for (uint32_t j = 0; j < *count; j++) {
		const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(names, (int)j));
		live_joint *joint = &joints[j];
		live_number q[4];
		cJSON_ArrayForEach(rest, g->joints) {
			if (strcmp(cJSON_GetStringValue(part(rest, "name")), name) == 0) {
				numbers_at(part(rest, "rotation"), 0, 4, joint->rest);
			}
		}
		joint->node = node_named(g, name);
		numbers_at(cJSON_GetArrayItem(part(group, "axes"), (int)j), 0, 3, joint->axis);
		joint->swing = number_at(part(group, "swing"), j);
		joint->twist = number_at(part(group, "twist"), j);
		joint->translation = number_at(part(group, "translation"), j);
		joint->scale = number_at(part(group, "scale"), j);
		joint->is_unwound = cJSON_IsTrue(cJSON_GetArrayItem(part(group, "unwound"), (int)j));
		read_rotation(g, joint->node, joint->rest, q);
		rotation_vector_of(g, q, NULL, joint->vector);
		joint->w = q[3];
		read_place(g, joint);
	}
	return joints;
}

/* Nine coordinates of a joint. `from` [6]: a place, with the logarithms of its scale. */
static void coordinates_of(const live_graph *g, const live_joint *joint, const live_number vector[3], const double from[6],
						   live_number dest[9]) {
	live_number along = constant(0);
	for (int c = 0; c < 3; c++) {
		along = sum_of(g, along, scaled_by(g, joint->axis[c], vector[c]));
	}
	for (int c = 0; c < 3; c++) {
		dest[c] = sum_of(g, scaled_by(g, joint->swing, vector[c]),
						 scaled_by(g, (joint->twist - joint->swing) * joint->axis[c], along));
		dest[3 + c] = scaled_by(g, joint->translation, sum_of(g, joint->place[c], constant(-from[c])));
		dest[6 + c] = scaled_by(g, joint->scale, sum_of(g, joint->place[3 + c], constant(-from[3 + c])));
	}
}

/* Of a centre: its place, with logarithms; zeros where there is no such centre. */
static void place_of(const cJSON *group, uint32_t centre, uint32_t j, double place[6]) {
	const cJSON *row = cJSON_GetArrayItem(part(group, "places"), (int)centre);
	for (uint32_t c = 0; c < 6; c++) {
		place[c] = !row ? 0 : c < 3 ? number_at(row, 6 * j + c) : log(fmax(fabs(number_at(row, 6 * j + c)), 1e-9));
	}
}

/* The coordinates of a centre from rest, as numbers. */
static void centre_way(const cJSON *group, const live_joint *joint, uint32_t centre, uint32_t rest, uint32_t j,
					   double dest[9]) {
	double v[3], q[4], place[6], from[6];
	numbers_at(cJSON_GetArrayItem(part(group, "examples"), (int)centre), 3 * j, 3, v);
	snw_quat_from_rotation_vector(v, q);
	const double sine = snw_length3(q), share = sine > 0 ? 2 * atan(sine / q[3]) / sine : 0;
	for (int c = 0; c < 3 && !joint->is_unwound; c++) {
		v[c] = share * q[c];
	}
	const double along = snw_dot3(v, joint->axis);
	place_of(group, centre, j, place);
	place_of(group, rest, j, from);
	for (int c = 0; c < 3; c++) {
		dest[c] = joint->swing * v[c] + (joint->twist - joint->swing) * along * joint->axis[c];
		dest[3 + c] = joint->translation * (place[c] - from[c]);
		dest[6 + c] = joint->scale * (place[3 + c] - from[3 + c]);
	}
}

static live_number cone_at(const live_graph *g, const live_number *way, const double *centre, uint32_t count, double width) {
	live_number product = constant(0);
	double square = 0;
	for (uint32_t i = 0; i < count; i++) {
		product = sum_of(g, product, scaled_by(g, centre[i], way[i]));
		square += centre[i] * centre[i];
	}
	if (square == 0) {
		return constant(0);
	}
	const live_number far = two_of(g, "math/max", square_sum(g, way, count), constant(1e-30));
	const live_number cosine = two_of(g, "math/div", product, one_of(g, "math/sqrt", scaled_by(g, square, far)));
	const live_number falloff = one_of(g, "math/exp", scaled_by(g, 1 / (width * width), sum_of(g, cosine, constant(-1))));
	return product_of(g, two_of(g, "math/pow", two_of(g, "math/min", far, constant(square)), constant(0.75)), falloff);
}

/* Of the square of a distance. */
static live_number kernel_at(const live_graph *g, const char *kernel, live_number square, double width) {
	const live_number ratio = scaled_by(g, 1 / (width * width), square);
	if (strcmp(kernel, "gaussian") == 0) {
		return one_of(g, "math/exp", scaled_by(g, -1, ratio));
	}
	if (strcmp(kernel, "linear") == 0) {
		return scaled_by(g, -1, one_of(g, "math/sqrt", square));
	}
	if (strcmp(kernel, "thin-plate") == 0) {
		const live_number logarithm = one_of(g, "math/log", two_of(g, "math/max", ratio, constant(1e-30)));
		return scaled_by(g, 0.5, product_of(g, ratio, logarithm));
	}
	return two_of(g, "math/div", constant(1), one_of(g, "math/sqrt", sum_of(g, constant(1), ratio)));
}

static live_number distance_square(const live_graph *g, const cJSON *group, const live_joint *joints, uint32_t count,
								   uint32_t centre) {
	live_number sum = constant(0);
	for (uint32_t j = 0; j < count; j++) {
		double v[3], p[4], there[4], place[6];
		live_number q[4], vector[3], coordinates[9];
		numbers_at(cJSON_GetArrayItem(part(group, "examples"), (int)centre), 3 * j, 3, v);
		snw_quat_from_rotation_vector(v, p);
		snw_quat_multiply(joints[j].rest, p, there);
		read_rotation(g, joints[j].node, there, q);
		const live_number w = sum_of(g, joints[j].w, constant(1e-20));
		const live_number sign = joints[j].is_unwound ? two_of(g, "math/div", w, one_of(g, "math/abs", w)) : constant(1);
		rotation_vector_of(g, q, joints[j].is_unwound ? &sign : NULL, vector);
		place_of(group, centre, j, place);
		coordinates_of(g, &joints[j], vector, place, coordinates);
		sum = sum_of(g, sum, square_sum(g, coordinates, 9));
	}
	return sum;
}

/* The weights of a morph target's shapes. */
static void set_target(live_graph *g, const char *target, live_number weight) {
	const snw_plan_mesh *mesh = &g->writer->plan->meshes[g->mesh];
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_shape *shape = &mesh->shapes[s];
		const snw_plan_morph *morph = &mesh->morphs[shape->morph];
		if (morph->channel == SNW_NONE && strcmp(morph->name, target) == 0) {
			set_weight(g, s,
					   shape->is_side ? two_of(g, "math/max", scaled_by(g, 1 / shape->reach, weight), constant(0)) : weight);
		}
	}
}

static void write_group(live_graph *g, const cJSON *group) {
	uint32_t count;
	live_joint *joints = read_joints(g, group, &count);
	const cJSON *targets = part(group, "targets"), *rows = part(group, "weights"), *slopes = part(group, "slopes");
	const uint32_t centres = (uint32_t)cJSON_GetArraySize(part(group, "examples")),
				   rest = (uint32_t)cJSON_GetArraySize(targets);
	const char *kernel = cJSON_GetStringValue(part(group, "kernel"));
	const double width = cJSON_GetNumberValue(part(group, "width")), zeros[6] = {0};
	const bool is_cone = strcmp(kernel, "cone") == 0;
	live_number *values = SNW_NEW_ARRAY(g->writer->arena, live_number, centres);
	live_number *way = SNW_NEW_ARRAY(g->writer->arena, live_number, 9 * (size_t)count);
	live_number *linear = SNW_NEW_ARRAY(g->writer->arena, live_number, 9 * (size_t)count);
	double *centre = SNW_NEW_ARRAY(g->writer->arena, double, 9 * (size_t)count), from[6];
	for (uint32_t j = 0; j < count; j++) {
		place_of(group, rest, j, from);
		coordinates_of(g, &joints[j], joints[j].vector, from, way + 9 * (size_t)j);
		coordinates_of(g, &joints[j], joints[j].vector, zeros, linear + 9 * (size_t)j);
	}
	for (uint32_t c = 0; c < centres; c++) {
		for (uint32_t j = 0; j < count && is_cone; j++) {
			centre_way(group, &joints[j], c, rest, j, centre + 9 * (size_t)j);
		}
		values[c] = is_cone ? cone_at(g, way, centre, 9 * count, width)
							: kernel_at(g, kernel, distance_square(g, group, joints, count, c), width);
	}
	for (uint32_t k = 0; k < rest; k++) {
		const cJSON *row = cJSON_GetArrayItem(rows, (int)k), *slope = cJSON_GetArrayItem(slopes, (int)k);
		const char *target = cJSON_GetStringValue(cJSON_GetArrayItem(targets, (int)k));
		live_number sum = constant(number_at(part(group, "constants"), k));
		for (uint32_t c = 0; c < centres; c++) {
			sum = sum_of(g, sum, scaled_by(g, number_at(row, c), values[c]));
		}
		for (uint32_t i = 0; i < 9 * count && cJSON_GetArraySize(slope) > 0; i++) {
			sum = sum_of(g, sum, scaled_by(g, number_at(slope, i), linear[i]));
		}
		if (cJSON_IsTrue(part(group, "clamp"))) {
			sum = two_of(g, "math/min", two_of(g, "math/max", sum, constant(0)), constant(1));
		}
		if (target) {
			set_target(g, target, sum);
		}
	}
}

/* ---- the extension ------------------------------------------------------------------------------------------------------- */

static void begin_graph(live_graph *g) {
	static const char *const types[] = {[FLOAT_TYPE] = "float", [FLOAT3_TYPE] = "float3", [FLOAT4_TYPE] = "float4"};
	snw_gltf_document *document = g->writer->document;
	int index;
	cJSON *extension = snw_gltf_put_object(document, snw_gltf_root_extensions(document), "KHR_interactivity");
	cJSON *graph = snw_gltf_put_object(document, snw_gltf_put_array(document, extension, "graphs"), NULL);
	cJSON *list = snw_gltf_put_array(document, graph, "types");
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		snw_gltf_put_text(document, snw_gltf_put_object(document, list, NULL), "signature", types[i]);
	}
	snw_gltf_put_number(document, extension, "graph", 0);
	g->declarations = snw_gltf_put_array(document, graph, "declarations");
	g->nodes = snw_gltf_put_array(document, graph, "nodes");
	cJSON *tick = snw_gltf_put_object(document, add_operation(g, "event/onTick", &index), "flows");
	g->sequence = snw_gltf_put_object(document, add_operation(g, "flow/sequence", &index), "flows");
	add_flow(g, tick, "out", index);
	snw_gltf_use_extension(document, "KHR_interactivity");
}

snw_status snw_gltf_write_live(const snw_gltf_writer *writer, snw_error *error) {
	live_graph g = {.writer = writer};
	bool has_others = false;
	for (uint32_t m = 0; m < writer->plan->mesh_count; m++) {
		const cJSON *node = writer->nodes.objects[writer->mesh_nodes[m]], *sinew = part(part(node, "extras"), "sinew");
		const cJSON *groups = part(part(sinew, "poseSpace"), "groups"), *group;
		has_others = has_others || part(sinew, "poseRegression") || part(sinew, "helperJoints");
		g.joints = part(sinew, "joints");
		g.mesh = m;
		cJSON_ArrayForEach(group, groups) {
			if (!g.nodes) {
				begin_graph(&g);
			}
			write_group(&g, group);
		}
	}
	if (has_others) {
		snw_task_notice(writer->plan->task, SNW_LOG_WARNING,
						"--live: the graph drives pose spaces alone; pose regressions and helper joints keep what clips have");
	}
	return g.nodes
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING,
						  "--live: no layer has a pose space, which a graph could compute; fit a corrective first, or leave "
						  "--live out");
}
