/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips: a stack for each, with one layer. Curves of FBX are of single numbers, and a rotation is three angles. A span between
 * two keys is straight where that is near enough, otherwise cubic with its slopes; where neither is, a key is added in its
 * middle, and so on. So every program agrees at the keys, and those that play cubics between them too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/fbx/writer.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* The skeleton: a model for each joint of the plan's rig, in the pose of its nodes, and where all of it is bound.
 *
 * Many rigs stand below a node with a scale, 0.01 for one made in centimetres. Bones of Blender have no scale where they are
 * bound, so it plays such a rig wrong. So a joint that is bound with an even scale s is written without it: G diag(1/s) in
 * place of its global matrix G, and diag(s) B in place of its inverse bind B. Its points stay where they are. */

void snw_fbx_scale_matrix(const snw_fbx_writer *w, const double matrix[12], double dest[12]) {
	for (int i = 0; i < 12; i++) {
		dest[i] = matrix[i] * (i % 4 == 3 ? w->scale : 1);
	}
}

/* The scale of a joint's parent: what its translations are multiplied by. */
static double fbx_parent_scale(const snw_fbx_writer *w, uint32_t joint) {
	const uint32_t parent = w->plan->rig.parents[joint];
	return parent == SNW_NONE ? 1 : w->joint_scales[parent];
}

static void write_joint(snw_fbx_writer *w, uint32_t joint) {
	const snw_plan_rig *rig = &w->plan->rig;
	const snw_transform *local = &rig->local[joint];
	snw_fbx_document *d = w->document;
	double translation[3], angles[3], scale[3];
	const double above = fbx_parent_scale(w, joint);
	int64_t attribute;
	for (int i = 0; i < 3; i++) {
		translation[i] = w->scale * above * local->translation[i];
		scale[i] = above / w->joint_scales[joint] * local->scale[i];
	}
	snw_fbx_angles(local->rotation, SNW_FBX_XYZ, angles);
	snw_fbx_open object = snw_fbx_put_object(d, "NodeAttribute", rig->names[joint], "NodeAttribute", "LimbNode", &attribute);
	snw_fbx_put_text(d, &object, "TypeFlags", "Skeleton");
	object = snw_fbx_put_object(d, "Model", rig->names[joint], "Model", "LimbNode", &w->joints[joint]);
	snw_fbx_put_integer(d, &object, "Version", 232);
	snw_fbx_open list = snw_fbx_put_node(d, &object, "Properties70");
	snw_fbx_put_property_integer(d, &list, "InheritType", "enum", "", SNW_FBX_RSRS);
	snw_fbx_put_property_integer(d, &list, "DefaultAttributeIndex", "int", "Integer", 0);
	snw_fbx_put_property_numbers(d, &list, "Lcl Translation", "Lcl Translation", "", "A", translation, 3);
	snw_fbx_put_property_numbers(d, &list, "Lcl Rotation", "Lcl Rotation", "", "A", angles, 3);
	snw_fbx_put_property_numbers(d, &list, "Lcl Scaling", "Lcl Scaling", "", "A", scale, 3);
	snw_fbx_connect(d, attribute, w->joints[joint], NULL);
	snw_fbx_connect(d, w->joints[joint], rig->parents[joint] == SNW_NONE ? 0 : w->joints[rig->parents[joint]], NULL);
}

/* The bind of each joint is that of its first slot. */
static snw_status find_binds(snw_fbx_writer *w, snw_error *error) {
	const snw_plan_rig *rig = &w->plan->rig;
	bool *is_known = SNW_NEW_ARRAY(w->arena, bool, rig->joint_count);
	for (uint32_t slot = 0; slot < rig->slot_count; slot++) {
		const uint32_t joint = rig->slot_joints[slot];
		double bind[12];
		if (!snw_mat34_invert(rig->slot_inverse_binds + 12 * (size_t)slot, bind)) {
			return snw_fail(error, SNW_ERROR_DATA,
							"the inverse bind matrix of joint %s is singular; give the joint a non-zero scale",
							rig->names[joint]);
		}
		if (!is_known[joint]) {
			memcpy(w->binds + 12 * (size_t)joint, bind, sizeof bind);
			is_known[joint] = true;
		}
	}
	for (uint32_t i = 0; i < rig->joint_count; i++) {
		const uint32_t joint = rig->order[i], parent = rig->parents[joint];
		double *bind = w->binds + 12 * (size_t)joint;
		if (!is_known[joint]) {
			snw_transform_to_mat34(&rig->local[joint], bind);
			if (parent != SNW_NONE) {
				snw_mat34_multiply(w->binds + 12 * (size_t)parent, bind, bind);
			}
		}
	}
	return SNW_OK;
}

/* The scale of a bind if it is even, otherwise the parent's, which it also is up to rounding. */
static double even_scale(const double bind[12], double above) {
	enum { NEAR = 100000 };
	double lengths[3];
	for (int c = 0; c < 3; c++) {
		lengths[c] = snw_length3((const double[3]){bind[c], bind[4 + c], bind[8 + c]});
	}
	const double scale = cbrt(lengths[0] * lengths[1] * lengths[2]);
	bool is_even = scale > 0 && isfinite(scale) && NEAR * fabs(scale - above) > above;
	for (int c = 0; c < 3; c++) {
		is_even = is_even && NEAR * fabs(lengths[c] - scale) <= scale;
	}
	return is_even ? scale : above;
}

static void find_joint_scales(snw_fbx_writer *w) {
	const snw_plan_rig *rig = &w->plan->rig;
	w->joint_scales = SNW_NEW_ARRAY(w->arena, double, rig->joint_count);
	for (uint32_t i = 0; i < rig->joint_count; i++) {
		const uint32_t joint = rig->order[i];
		w->joint_scales[joint] = even_scale(w->binds + 12 * (size_t)joint, fbx_parent_scale(w, joint));
	}
}

snw_status snw_fbx_write_joints(snw_fbx_writer *w, snw_error *error) {
	const snw_plan_rig *rig = &w->plan->rig;
	w->joints = SNW_NEW_ARRAY(w->arena, int64_t, rig->joint_count);
	w->binds = SNW_NEW_ARRAY(w->arena, double, 12 * (size_t)rig->joint_count);
	const snw_status status = find_binds(w, error);
	find_joint_scales(w);
	for (uint32_t i = 0; i < rig->joint_count && !snw_failed(status); i++) {
		if (!rig->is_left_out[rig->order[i]]) {
			write_joint(w, rig->order[i]);
		}
	}
	return status;
}

static void write_pose_node(const snw_fbx_writer *w, snw_fbx_open *pose, int64_t model, const double matrix[12]) {
	double scaled[12];
	snw_fbx_open node = snw_fbx_put_node(w->document, pose, "PoseNode");
	snw_fbx_scale_matrix(w, matrix, scaled);
	snw_fbx_put_long(w->document, &node, "Node", model);
	snw_fbx_put_matrix(w->document, &node, "Matrix", scaled);
}

void snw_fbx_write_bind_pose(const snw_fbx_writer *w) {
	const snw_plan *plan = w->plan;
	int64_t id;
	double identity[12];
	snw_mat34_identity(identity);
	snw_fbx_open pose = snw_fbx_put_object(w->document, "Pose", "bind", "Pose", "BindPose", &id);
	snw_fbx_put_text(w->document, &pose, "Type", "BindPose");
	snw_fbx_put_integer(w->document, &pose, "Version", 100);
	uint32_t count = plan->mesh_count;
	for (uint32_t joint = 0; joint < plan->rig.joint_count; joint++) {
		count += !plan->rig.is_left_out[joint];
	}
	snw_fbx_put_integer(w->document, &pose, "NbPoseNodes", (int32_t)count);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		write_pose_node(w, &pose, w->meshes[m], identity);
	}
	for (uint32_t joint = 0; joint < plan->rig.joint_count; joint++) {
		if (!plan->rig.is_left_out[joint]) {
			double bind[12];
			for (size_t i = 0; i < 12; i++) {
				bind[i] = w->binds[12 * (size_t)joint + i] / (i % 4 == 3 ? 1 : w->joint_scales[joint]);
			}
			write_pose_node(w, &pose, w->joints[joint], bind);
		}
	}
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

#define TRACK_TOLERANCE 3e-5 /* of the scene's diagonal: errors of a chain of joints add up to less than 1e-4 */
enum { DEEPEST = 12, PROBES = 3 };

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

typedef struct curve_key {
	double seconds;
	double values[3];
	int32_t flags;        /* of what follows */
	double out[3], in[3]; /* slopes out of it and into the next one */
} curve_key;

/* Tracks of weights whose shapes are joined on one channel. */
typedef struct joined_tracks {
	const snw_fbx_joined *joined;
	const snw_track **tracks; /* [joined->count]; NULL for one without keys */
	double *weights;          /* [joined->count]: room, with those of what has no keys */
} joined_tracks;

/* The keys of one property, and what they follow. */
typedef struct keys {
	snw_arena *arena;
	const snw_track *track;
	const joined_tracks *parts; /* what the values are of, at the times of the track; NULL: the track's own */
	double tolerance;           /* of a value; of the angle of a rotation, in radians */
	uint32_t width;             /* curves: 3 or 1 */
	uint32_t count, room;
	curve_key *list;
} keys;

static curve_key *add_key(keys *k, double seconds, const double values[3]) {
	k->list = snw_arena_grow(k->arena, k->list, k->count, &k->room, sizeof *k->list);
	curve_key *added = &k->list[k->count++];
	*added = (curve_key){.seconds = seconds, .flags = SNW_FBX_KEY_LINEAR};
	memcpy(added->values, values, k->width * sizeof *values);
	return added;
}

/* ---- angles -------------------------------------------------------------------------------------------------------------- */

static double turns_apart(const double a[3], const double b[3]) {
	return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
}

static void go_near(const double near[3], double angles[3]) {
	for (int i = 0; i < 3; i++) {
		angles[i] += 360 * round((near[i] - angles[i]) / 360);
	}
}

/* The angles of a rotation that are nearest to others: each has two sets of them, and full turns. */
static void angles_near(const double rotation[4], const double near[3], double angles[3]) {
	double other[3];
	snw_fbx_angles(rotation, SNW_FBX_XYZ, angles);
	other[0] = angles[0] + 180;
	other[1] = 180 - angles[1];
	other[2] = angles[2] + 180;
	go_near(near, angles);
	go_near(near, other);
	if (turns_apart(other, near) < turns_apart(angles, near)) {
		memcpy(angles, other, sizeof other);
	}
}

/* ---- spans --------------------------------------------------------------------------------------------------------------- */

/* The share of a channel at a moment. */
static double sample_joined(const joined_tracks *parts, double seconds) {
	for (uint32_t t = 0; t < parts->joined->count; t++) {
		double value[4];
		if (parts->tracks[t]) {
			snw_track_sample(parts->tracks[t], seconds, value);
			parts->weights[t] = value[0];
		}
	}
	return snw_fbx_joined_percent(parts->joined, parts->weights) / 100;
}

/* The values of the curves at a moment: for a rotation, those nearest to `near`. */
static void sample(const keys *k, double seconds, const double near[3], double values[3]) {
	double value[4];
	if (k->parts) {
		values[0] = sample_joined(k->parts, seconds);
		return;
	}
	snw_track_sample(k->track, seconds, value);
	if (k->track->path == SNW_PATH_ROTATION) {
		angles_near(value, near, values);
	} else {
		memcpy(values, value, k->width * sizeof *value);
	}
}

static double distance(const keys *k, const double a[3], const double b[3]) {
	double sum = 0, one[4], other[4];
	if (k->track->path == SNW_PATH_ROTATION) {
		snw_fbx_euler(a, SNW_FBX_XYZ, one);
		snw_fbx_euler(b, SNW_FBX_XYZ, other);
		return 2 * acos(fmin(fabs(snw_quat_dot(one, other)), 1));
	}
	for (uint32_t i = 0; i < k->width; i++) {
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	}
	return sqrt(sum);
}

/* The slope at one end of a span from four values in it: exact for a cubic. */
static void find_slope(const keys *k, double at, double toward, const double value[3], double slope[3]) {
	const double step = (toward - at) / 48;
	double values[4][3];
	memcpy(values[0], value, sizeof values[0]);
	for (int i = 1; i < 4; i++) {
		sample(k, at + i * step, values[i - 1], values[i]);
	}
	for (uint32_t i = 0; i < k->width; i++) {
		slope[i] = (-11 * values[0][i] + 18 * values[1][i] - 9 * values[2][i] + 2 * values[3][i]) / (6 * step);
	}
}

/* Whether the span after `from` that ends with `last` is near its track, straight or as a cubic. */
static bool is_near(const keys *k, const curve_key *from, double end, const double last[3], bool is_cubic) {
	const double span = end - from->seconds;
	double near[3], truth[3], value[3] = {0};
	memcpy(near, from->values, sizeof near);
	for (int p = 1; p <= PROBES; p++) {
		const double s = (double)p / (PROBES + 1), s2 = s * s, s3 = s2 * s;
		sample(k, from->seconds + s * span, near, truth);
		for (uint32_t i = 0; i < k->width; i++) {
			value[i] = !is_cubic ? from->values[i] + s * (last[i] - from->values[i])
								 : (2 * s3 - 3 * s2 + 1) * from->values[i] + span * (s3 - 2 * s2 + s) * from->out[i] +
									   (3 * s2 - 2 * s3) * last[i] + span * (s3 - s2) * from->in[i];
		}
		if (!(distance(k, truth, value) <= k->tolerance)) {
			return false;
		}
		memcpy(near, truth, sizeof near);
	}
	return true;
}

/* The values at the end of a span, reached in small steps: a rotation may go round. */
static void reach_end(const keys *k, const curve_key *from, double end, double last[3]) {
	enum { STEPS = 4 };
	double near[3];
	memcpy(near, from->values, sizeof near);
	for (int i = 1; i <= STEPS; i++) {
		sample(k, i == STEPS ? end : from->seconds + (end - from->seconds) * i / STEPS, near, last);
		memcpy(near, last, sizeof near);
	}
}

/* Adds the keys of a span after the last key. */
static void add_span(keys *k, double end, int depth) {
	double last[3];
	curve_key *from = &k->list[k->count - 1];
	reach_end(k, from, end, last);
	if (!is_near(k, from, end, last, false)) {
		find_slope(k, from->seconds, end, from->values, from->out);
		find_slope(k, end, from->seconds, last, from->in);
		if (depth < DEEPEST && !is_near(k, from, end, last, true)) {
			const double middle = from->seconds + (end - from->seconds) / 2;
			add_span(k, middle, depth + 1);
			add_span(k, end, depth + 1);
			return;
		}
		from->flags = SNW_FBX_KEY_CUBIC | SNW_FBX_KEY_USER | SNW_FBX_KEY_BREAK;
	}
	add_key(k, end, last);
}

/* The keys of a track. Straight lines of positions and scales, and steps, stay as they are. */
static void make_keys(keys *k) {
	const snw_track *track = k->track;
	const bool is_step = track->interpolation == SNW_STEP;
	const bool is_kept = is_step || (track->interpolation == SNW_LINEAR && track->path != SNW_PATH_ROTATION);
	for (uint32_t i = 0; i < track->key_count; i++) {
		static const double zero[3];
		const double seconds = track->seconds[i];
		if (seconds < 0 || (k->count > 0 && snw_fbx_time(seconds) <= snw_fbx_time(k->list[k->count - 1].seconds))) {
			continue;
		}
		if (k->count > 0 && !is_kept) {
			add_span(k, seconds, 0);
			continue;
		}
		double values[3];
		sample(k, seconds, k->count > 0 ? k->list[k->count - 1].values : zero, values);
		add_key(k, seconds, values)->flags = is_step ? SNW_FBX_KEY_CONSTANT : SNW_FBX_KEY_LINEAR;
	}
}

/* ---- curves -------------------------------------------------------------------------------------------------------------- */

/* Flags and slopes of the keys, once for those in a row that share them. */
static void put_attributes(snw_fbx_document *d, snw_fbx_open *object, const keys *k, uint32_t component, snw_arena *scratch) {
	enum { NUMBERS = 4 };
	static const uint32_t thirds = 3333u << 16 | 3333u; /* the weights of tangents, in 1/9999 */
	int32_t *flags = SNW_NEW_ARRAY(scratch, int32_t, k->count), *repeats = SNW_NEW_ARRAY(scratch, int32_t, k->count);
	float *data = SNW_NEW_ARRAY(scratch, float, NUMBERS *(size_t)k->count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < k->count; i++) {
		const curve_key *of = &k->list[i];
		float row[NUMBERS] = {(float)of->out[component], (float)of->in[component]};
		memcpy(&row[2], &thirds, sizeof thirds);
		if (of->flags == SNW_FBX_KEY_LINEAR || of->flags == SNW_FBX_KEY_CONSTANT) {
			row[0] = row[1] = 0;
		}
		if (count > 0 && flags[count - 1] == of->flags && memcmp(data + NUMBERS * (count - 1), row, sizeof row) == 0) {
			repeats[count - 1]++;
			continue;
		}
		flags[count] = of->flags;
		memcpy(data + NUMBERS * (size_t)count, row, sizeof row);
		repeats[count++] = 1;
	}
	snw_fbx_put_integers(d, object, "KeyAttrFlags", flags, count);
	snw_fbx_put_floats(d, object, "KeyAttrDataFloat", data, NUMBERS * (size_t)count);
	snw_fbx_put_integers(d, object, "KeyAttrRefCount", repeats, count);
}

static void put_curve(snw_fbx_document *d, const keys *k, uint32_t component, double scale, int64_t node,
					  const char *property) {
	snw_arena *scratch = snw_arena_create();
	int64_t *times = SNW_NEW_ARRAY(scratch, int64_t, k->count), id;
	float *values = SNW_NEW_ARRAY(scratch, float, k->count);
	for (uint32_t i = 0; i < k->count; i++) {
		times[i] = snw_fbx_time(k->list[i].seconds);
		values[i] = (float)(scale * k->list[i].values[component]);
		k->list[i].out[component] *= scale;
		k->list[i].in[component] *= scale;
	}
	snw_fbx_open object = snw_fbx_put_object(d, "AnimationCurve", "", "AnimCurve", "", &id);
	snw_fbx_put_number(d, &object, "Default", (double)values[0]);
	snw_fbx_put_integer(d, &object, "KeyVer", 4008);
	snw_fbx_put_longs(d, &object, "KeyTime", times, k->count);
	snw_fbx_put_floats(d, &object, "KeyValueFloat", values, k->count);
	put_attributes(d, &object, k, component, scratch);
	snw_fbx_connect(d, id, node, property);
	snw_arena_destroy(scratch);
}

/* What is animated: a property of an object, by curves that are named after it. */
typedef struct animated_property {
	const char *name, *node;
	const char *curves[3];
} animated_property;

static void put_curves(snw_fbx_document *d, const keys *k, const animated_property *of, double scale, int64_t layer,
					   int64_t owner) {
	int64_t id;
	snw_fbx_open object = snw_fbx_put_object(d, "AnimationCurveNode", of->node, "AnimCurveNode", "", &id);
	snw_fbx_open list = snw_fbx_put_node(d, &object, "Properties70");
	for (uint32_t i = 0; i < k->width; i++) {
		const double initial = scale * k->list[0].values[i];
		snw_fbx_put_property_numbers(d, &list, of->curves[i], "Number", "", "A", &initial, 1);
	}
	snw_fbx_connect(d, id, layer, NULL);
	snw_fbx_connect(d, id, owner, of->name);
	for (uint32_t i = 0; i < k->width; i++) {
		put_curve(d, k, i, scale, id, of->curves[i]);
	}
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

typedef struct layer_writer {
	const snw_fbx_writer *file;
	uint32_t index; /* of the clip in the plan */
	int64_t layer;
	double diagonal;
	uint32_t written;
} layer_writer;

static void write_values(layer_writer *w, const snw_track *track, const joined_tracks *parts, int64_t owner, double scale) {
	static const animated_property properties[] = {{"Lcl Translation", "T", {"d|X", "d|Y", "d|Z"}},
												   {"Lcl Rotation", "R", {"d|X", "d|Y", "d|Z"}},
												   {"Lcl Scaling", "S", {"d|X", "d|Y", "d|Z"}},
												   {"DeformPercent", "DeformPercent", {"d|DeformPercent", NULL, NULL}}};
	keys k = {.arena = snw_arena_create(), .track = track, .parts = parts, .width = track->path == SNW_PATH_CHANNEL ? 1 : 3};
	/* Of what is written: a translation, an angle in radians, a scale near 1, percent. */
	const double written[] = {w->diagonal * w->file->scale, 1, 1, 100};
	k.tolerance = TRACK_TOLERANCE * written[track->path] / scale;
	make_keys(&k);
	if (k.count > 0) {
		put_curves(w->file->document, &k, &properties[track->path], scale, w->layer, owner);
		w->written++;
	}
	snw_arena_destroy(k.arena);
}

static void write_track(layer_writer *w, const snw_track *track, int64_t owner, double scale) {
	write_values(w, track, NULL, owner, scale);
}

/* The share of a channel, from the weights of all morph targets of its mesh. */
static double share_of(const snw_fbx_joined *joined, const double *mesh_weights, snw_arena *arena) {
	double *weights = SNW_NEW_ARRAY(arena, double, joined->count);
	for (uint32_t t = 0; t < joined->count; t++) {
		const snw_plan_shape *shape = &joined->mesh->shapes[joined->first + t];
		weights[t] = snw_plan_shape_weight(shape, mesh_weights[shape->morph]);
	}
	return snw_fbx_joined_percent(joined, weights) / 100;
}

/* A channel at the samples that are keys; nothing if it is always as at rest. */
static void write_sampled_channel(layer_writer *w, uint32_t m, const snw_fbx_joined *joined, const snw_plan_samples *samples) {
	const snw_plan *plan = w->file->plan;
	const size_t first = plan->meshes[m].first_weight;
	snw_arena *arena = snw_arena_create();
	const double rest = share_of(joined, plan->rest_weights + first, arena);
	double *seconds = SNW_NEW_ARRAY(arena, double, samples->count), *values = SNW_NEW_ARRAY(arena, double, samples->count);
	snw_track track = {.path = SNW_PATH_CHANNEL, .interpolation = samples->step ? SNW_STEP : SNW_LINEAR};
	bool moves = false;
	for (uint32_t i = 0; i < samples->count; i++) {
		if (samples->written[(size_t)m * samples->count + i]) {
			seconds[track.key_count] = samples->seconds[i];
			values[track.key_count] = share_of(joined, samples->weights + i * (size_t)plan->weight_count + first, arena);
			moves = moves || (float)values[track.key_count] != (float)rest;
			track.key_count++;
		}
	}
	track.seconds = seconds;
	track.values = values;
	if (moves) {
		write_track(w, &track, joined->channel, 100);
	}
	snw_arena_destroy(arena);
}

static int compare_seconds(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* A channel from tracks of its shapes: its keys are where any of them has one. */
static void write_joined_tracks(layer_writer *w, const snw_fbx_joined *joined, const snw_track *const *tracks) {
	const snw_plan_mesh *mesh = joined->mesh;
	snw_arena *arena = snw_arena_create();
	joined_tracks parts = {.joined = joined,
						   .tracks = SNW_NEW_ARRAY(arena, const snw_track *, joined->count),
						   .weights = SNW_NEW_ARRAY(arena, double, joined->count)};
	snw_track times = {.path = SNW_PATH_CHANNEL, .interpolation = SNW_STEP};
	size_t most = 0;
	for (uint32_t t = 0; t < joined->count; t++) {
		const uint32_t morph = mesh->shapes[joined->first + t].morph;
		parts.tracks[t] = tracks[morph];
		parts.weights[t] = w->file->plan->rest_weights[mesh->first_weight + morph];
		most += tracks[morph] ? tracks[morph]->key_count : 0;
	}
	double *seconds = SNW_NEW_ARRAY(arena, double, most);
	for (uint32_t t = 0; t < joined->count; t++) {
		for (uint32_t k = 0; parts.tracks[t] && k < parts.tracks[t]->key_count; k++) {
			seconds[times.key_count++] = parts.tracks[t]->seconds[k];
		}
		if (parts.tracks[t] && parts.tracks[t]->interpolation > times.interpolation) {
			times.interpolation = parts.tracks[t]->interpolation;
		}
	}
	qsort(seconds, times.key_count, sizeof *seconds, compare_seconds);
	times.seconds = seconds;
	if (times.key_count > 0) {
		write_values(w, &times, &parts, joined->channel, 100);
	}
	snw_arena_destroy(arena);
}

static void write_shape_weights(layer_writer *w, uint32_t m, const snw_clip *clip) {
	const snw_plan *plan = w->file->plan;
	const snw_plan_mesh *mesh = &plan->meshes[m];
	const snw_plan_samples *samples = &plan->samples[w->index];
	snw_arena *arena = snw_arena_create();
	const snw_track **tracks = SNW_NEW_ARRAY(arena, const snw_track *, mesh->morph_count);
	const bool are_tracks = mesh->shape_count > 0 && snw_plan_weights_are_tracks(mesh, clip, tracks);
	for (uint32_t s = 0; s < mesh->shape_count && samples->count > 0; s += w->file->joined[m][s].count) {
		const snw_fbx_joined *joined = &w->file->joined[m][s];
		if (!are_tracks) {
			write_sampled_channel(w, m, joined, samples);
		} else if (joined->count > 1) {
			write_joined_tracks(w, joined, tracks);
		} else if (tracks[mesh->shapes[s].morph]) {
			write_track(w, tracks[mesh->shapes[s].morph], joined->channel, 100);
		}
	}
	snw_arena_destroy(arena);
}

static void write_layer_clip(const snw_fbx_writer *file, uint32_t c, double diagonal) {
	const snw_plan *plan = file->plan;
	const snw_clip *clip = &plan->scene->clips[plan->clips[c]];
	layer_writer w = {.file = file, .index = c, .diagonal = diagonal};
	int64_t stack;
	snw_fbx_document *d = file->document;
	snw_fbx_open object = snw_fbx_put_object(d, "AnimationStack", clip->name, "AnimStack", "", &stack);
	snw_fbx_open list = snw_fbx_put_node(d, &object, "Properties70");
	static const char *const begins[] = {"LocalStart", "ReferenceStart"}, *const ends[] = {"LocalStop", "ReferenceStop"};
	for (int i = 0; i < 2; i++) {
		snw_fbx_put_property_time(d, &list, begins[i], 0);
		snw_fbx_put_property_time(d, &list, ends[i], clip->duration_seconds);
	}
	object = snw_fbx_put_object(d, "AnimationLayer", clip->name, "AnimLayer", "", &w.layer);
	(void)snw_fbx_put_node(d, &object, "Properties70");
	snw_fbx_connect(d, w.layer, stack, NULL);
	snw_arena *arena = snw_arena_create();
	uint32_t count;
	const snw_track **tracks = snw_plan_joint_tracks(plan, c, arena, &count);
	for (uint32_t t = 0; t < count; t++) {
		const uint32_t joint = tracks[t]->target;
		const double above = fbx_parent_scale(file, joint);
		write_track(&w, tracks[t], file->joints[joint],
					tracks[t]->path == SNW_PATH_TRANSLATION ? file->scale * above
					: tracks[t]->path == SNW_PATH_SCALE     ? above / file->joint_scales[joint]
															: 1);
	}
	snw_arena_destroy(arena);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		write_shape_weights(&w, m, clip);
	}
	if (w.written == 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "clip %s has no keys for exported objects; it is empty", clip->name);
	}
}

void snw_fbx_write_clips(const snw_fbx_writer *w) {
	const double diagonal = snw_scene_diagonal(w->plan->scene, SNW_NONE);
	for (uint32_t c = 0; c < w->plan->clip_count; c++) {
		write_layer_clip(w, c, diagonal > 0 ? diagonal : 1);
	}
}
