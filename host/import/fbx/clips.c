/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clip for each animation stack. It begins at 0, where the stack begins.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "import/common/reading.h"
#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

/* ---- how far a value may be off ------------------------------------------------------------------------------------------ */

#define TOLERANCE 3e-5 /* of the scene's diagonal: errors of a chain of joints add up to less than 1e-4 */

/* What the tolerance is for each joint's angle and scale: it reaches as far as the farthest corner of the scene's box. */
typedef struct reach {
	double diagonal;
	double low[3], high[3];
} reach;

static reach measure_reach(const snw_scene *scene) {
	reach r = {.diagonal = snw_scene_diagonal(scene, SNW_NONE)};
	for (int i = 0; i < 3; i++) {
		r.low[i] = INFINITY;
		r.high[i] = -INFINITY;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (size_t i = 0; i < 3 * (size_t)scene->meshes[m].point_count; i++) {
			r.low[i % 3] = fmin(r.low[i % 3], scene->meshes[m].points_rest[i]);
			r.high[i % 3] = fmax(r.high[i % 3], scene->meshes[m].points_rest[i]);
		}
	}
	r.diagonal = r.diagonal > 0 ? r.diagonal : 1;
	return r;
}

static double reach_of(const reach *r, const snw_scene *scene, uint32_t joint) {
	double far[3] = {0};
	for (int i = 0; i < 3 && r->low[0] <= r->high[0]; i++) {
		const double at = scene->skeleton.rest_global[12 * (size_t)joint + 4 * (size_t)i + 3];
		far[i] = fmax(fabs(r->low[i] - at), fabs(r->high[i] - at));
	}
	return fmax(snw_length3(far), 1e-3 * r->diagonal);
}

/* ---- one clip ------------------------------------------------------------------------------------------------------------ */

typedef struct clip_builder {
	snw_fbx *f;
	const snw_fbx_objects *objects;
	const snw_fbx_space *space;
	const snw_fbx_models *models;
	const snw_fbx_shapes *shapes;
	const snw_rig *rig;
	const snw_scene *scene;
	snw_fbx_stack stack;
	reach reach;
	snw_track *tracks;
	uint32_t track_count, track_room;
	double *moments; /* of the track that is made */
	uint32_t moment_count, moment_room;
} clip_builder;

/* A moment in a clip. */
typedef struct moment {
	const clip_builder *builder;
	double seconds;
	bool before;
} moment;

static snw_fbx_animated *animated_at(const snw_fbx_stack *stack, const snw_fbx_models *models, uint32_t model, int path) {
	return stack->animated[models->models[model].object][path];
}

static snw_fbx_motion motion_at(const void *context, uint32_t model) {
	const moment *at = context;
	const snw_fbx_models *models = at->builder->models;
	snw_fbx_motion motion = snw_fbx_default_motion(&models->models[model]);
	double *values[3] = {motion.translation, motion.rotation, motion.scale};
	for (int path = 0; path < 3; path++) {
		const snw_fbx_animated *animated = animated_at(&at->builder->stack, models, model, path);
		if (animated) {
			snw_fbx_sample(animated, (snw_fbx_path)path, at->seconds, at->before, values[path]);
		}
	}
	return motion;
}

/* ---- moments ------------------------------------------------------------------------------------------------------------- */

static void add_moment(void *context, double seconds) {
	clip_builder *b = context;
	b->moments = snw_arena_grow(b->f->reading.scratch, b->moments, b->moment_count, &b->moment_room, sizeof *b->moments);
	b->moments[b->moment_count++] = seconds;
}

/* A failure shows in the status of the document. */
static void add_curve_moments(clip_builder *b, const snw_fbx_curve *curve) {
	if (curve) {
		(void)snw_fbx_list_keys(b->f, curve, b->stack.begin, b->stack.end, b, add_moment);
	}
}

static void add_moments(clip_builder *b, const snw_fbx_animated *animated) {
	for (const snw_fbx_layer_curves *curves = animated ? animated->first : NULL; curves; curves = curves->next) {
		for (int i = 0; i < 3; i++) {
			add_curve_moments(b, curves->curves[i]);
		}
		add_curve_moments(b, curves->layer->weights);
	}
}

/* Sorts the moments and leaves out repeated ones. */
static void finish_moments(clip_builder *b) {
	uint32_t used = 0;
	snw_sort_numbers(b->moments, b->moment_count);
	for (uint32_t i = 0; i < b->moment_count; i++) {
		if (used == 0 || b->moments[i] > b->moments[used - 1] + 1e-9) {
			b->moments[used++] = b->moments[i];
		}
	}
	b->moment_count = used;
	if (used == 0) {
		add_moment(b, b->stack.begin);
	}
}

/* ---- tracks of joints ---------------------------------------------------------------------------------------------------- */

/* What a track of a joint holds. */
typedef struct joint_value {
	const clip_builder *builder;
	uint32_t model;
	int32_t path;
} joint_value;

static void sample_joint(const void *context, double seconds, bool before, double value[4]) {
	const joint_value *of = context;
	const moment at = {of->builder, seconds, before};
	snw_transform local;
	double scaled[3];
	snw_fbx_pose_model(of->builder->models, of->builder->space, of->model, motion_at, &at, &local, scaled);
	if (of->path == SNW_PATH_ROTATION) {
		memcpy(value, local.rotation, sizeof local.rotation);
	} else {
		memcpy(value, of->path == SNW_PATH_TRANSLATION ? local.translation : scaled, sizeof scaled);
	}
}

static bool add_track(clip_builder *b, uint32_t target, int32_t path, double tolerance, snw_fbx_sampler *sampler,
					  const void *context) {
	finish_moments(b);
	const snw_fbx_track_request request = {
		.target = target,
		.path = path,
		.sampler = sampler,
		.context = context,
		.key_count = b->moment_count,
		.seconds = b->moments,
		.begin = b->stack.begin,
		.tolerance = tolerance,
	};
	b->tracks = snw_arena_grow(b->f->reading.arena, b->tracks, b->track_count, &b->track_room, sizeof *b->tracks);
	b->moment_count = 0;
	return !snw_failed(b->f->reading.status) && snw_reading_reserve(&b->f->reading, 1, sizeof *b->tracks) &&
		   snw_fbx_make_track(b->f, &request, &b->tracks[b->track_count++]);
}

static bool is_zero(const double v[3]) {
	return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* Whether the rotation, or the scale, of a model moves its origin. */
static bool has_pivot(const snw_fbx_model *model, bool of_scale) {
	return of_scale ? !is_zero(model->scaling_pivot)
					: !is_zero(model->scaling_pivot) || !is_zero(model->scaling_offset) || !is_zero(model->rotation_pivot);
}

/* Adds the moments at which a path of a model changes; false if nothing in the clip changes it. */
static bool gather_moments(clip_builder *b, uint32_t m, int32_t path) {
	const snw_fbx_model *model = &b->models->models[m];
	const bool moves[3] = {
		path == SNW_PATH_TRANSLATION,
		path == SNW_PATH_ROTATION || (path == SNW_PATH_TRANSLATION && has_pivot(model, false)),
		path == SNW_PATH_SCALE || (path == SNW_PATH_TRANSLATION && has_pivot(model, true)),
	};
	bool any = false;
	for (int i = 0; i < 3; i++) {
		const snw_fbx_animated *animated = moves[i] ? animated_at(&b->stack, b->models, m, i) : NULL;
		any |= animated != NULL;
		add_moments(b, animated);
	}
	for (uint32_t a = model->unscaled_parent; path != SNW_PATH_ROTATION && a != SNW_NONE;
		 a = b->models->models[a].unscaled_parent) {
		const snw_fbx_animated *animated = animated_at(&b->stack, b->models, a, SNW_FBX_SCALE);
		any |= animated != NULL;
		add_moments(b, animated);
	}
	return any;
}

/* How large a joint is at rest; 1 for none, and for one without a size. */
static double rest_scale(const snw_scene *scene, uint32_t joint) {
	const double *global = scene->skeleton.rest_global;
	const double scale = joint == SNW_NONE ? 1 : cbrt(fabs(snw_mat34_determinant(global + 12 * (size_t)joint)));
	return scale > 0 && isfinite(scale) ? scale : 1;
}

/* How far a value of a joint may be off: a translation is scaled by what is above, and a scale counts by its share. */
static double joint_tolerance(const clip_builder *b, uint32_t joint, int32_t path) {
	const double tolerance = TOLERANCE * b->reach.diagonal;
	const double above = rest_scale(b->scene, b->scene->skeleton.parents[joint]);
	return path == SNW_PATH_TRANSLATION ? tolerance / above
		   : path == SNW_PATH_ROTATION  ? tolerance / reach_of(&b->reach, b->scene, joint)
									   : tolerance / reach_of(&b->reach, b->scene, joint) * rest_scale(b->scene, joint) / above;
}

static bool add_joint(clip_builder *b, uint32_t m) {
	for (int32_t path = SNW_PATH_TRANSLATION; path <= SNW_PATH_SCALE; path++) {
		const uint32_t node = path == SNW_PATH_SCALE ? snw_fbx_full_node(b->models, m) : m;
		const uint32_t joint = b->rig->nodes[node].joint;
		if (joint == SNW_NONE || !gather_moments(b, m, path)) {
			continue;
		}
		const joint_value context = {b, m, path};
		if (!add_track(b, joint, path, joint_tolerance(b, joint, path), sample_joint, &context)) {
			return false;
		}
	}
	return true;
}

/* ---- tracks of channels -------------------------------------------------------------------------------------------------- */

typedef struct channel_value {
	const snw_fbx_animated *animated;
	const snw_fbx_channel *channel;
	uint32_t target;
} channel_value;

static double percent_at(const snw_fbx_animated *animated, double seconds, bool before) {
	double value[3];
	snw_fbx_sample(animated, SNW_FBX_WEIGHT, seconds, before, value);
	return value[0];
}

static void sample_channel(const void *context, double seconds, bool before, double value[4]) {
	const channel_value *of = context;
	value[0] = snw_fbx_target_weight(of->channel, of->target, percent_at(of->animated, seconds, before));
}

/* The moment between two at which the weight passes a value; it is on different sides of it there. */
static double find_crossing(const snw_fbx_animated *animated, double from, double to, double weight) {
	const bool rises = percent_at(animated, from, false) < weight;
	for (int i = 0; i < 50; i++) {
		const double middle = from + (to - from) / 2;
		if ((percent_at(animated, middle, false) < weight) == rises) {
			from = middle;
		} else {
			to = middle;
		}
	}
	return to;
}

/* The weights of in-betweens bend where the channel passes their full weights. */
static void add_crossings(clip_builder *b, const snw_fbx_animated *animated, const snw_fbx_channel *channel) {
	enum { PARTS = 16 };
	const uint32_t count = b->moment_count;
	for (uint32_t k = 0; k + 1 < count && channel->target_count > 1; k++) {
		const double span = b->moments[k + 1] - b->moments[k];
		for (int p = 0; p < PARTS && span > 1e-9; p++) {
			const double from = b->moments[k] + span * p / PARTS, to = b->moments[k] + span * (p + 1) / PARTS;
			const double first = percent_at(animated, from, false), last = percent_at(animated, to, true);
			for (uint32_t t = 0; t + 1 < channel->target_count; t++) {
				const double weight = channel->targets[t].full_weight;
				if ((first < weight && last > weight) || (first > weight && last < weight)) {
					add_moment(b, find_crossing(animated, from, to, weight));
				}
			}
		}
	}
}

static double largest_displacement(const snw_morph *morph) {
	double largest = 0;
	for (size_t i = 0; i < morph->count; i++) {
		largest = fmax(largest, snw_length3(morph->vectors + 3 * i));
	}
	return largest;
}

static bool add_channels(clip_builder *b, const snw_fbx_shape *shape, uint32_t first_channel) {
	uint32_t target = first_channel;
	for (uint32_t c = 0; c < shape->channel_count; c++) {
		const snw_fbx_channel *channel = &shape->channels[c];
		const snw_fbx_animated *animated = b->stack.animated[channel->object][0];
		for (uint32_t t = 0; t < channel->target_count; t++, target++) {
			if (!animated) {
				continue;
			}
			const channel_value context = {animated, channel, t};
			const double size = largest_displacement(&channel->targets[t].morph);
			add_moments(b, animated);
			finish_moments(b);
			add_crossings(b, animated, channel);
			if (!add_track(b, target, SNW_PATH_CHANNEL, size > 0 ? TOLERANCE * b->reach.diagonal / size : 1, sample_channel,
						   &context)) {
				return false;
			}
		}
	}
	return true;
}

/* ---- all clips ----------------------------------------------------------------------------------------------------------- */

/* Where the keys begin and end, for a stack that does not say. */
static void measure_keys(snw_fbx_stack *stack) {
	double begin = INFINITY, end = -INFINITY;
	for (uint32_t i = 0; i < 3 * stack->touched_count; i++) {
		const snw_fbx_animated *animated = stack->animated[stack->touched[i / 3]][i % 3];
		for (const snw_fbx_layer_curves *curves = animated ? animated->first : NULL; curves; curves = curves->next) {
			for (int c = 0; c < 3; c++) {
				const snw_fbx_curve *curve = curves->curves[c];
				begin = curve ? fmin(begin, curve->seconds[0]) : begin;
				end = curve ? fmax(end, curve->seconds[curve->key_count - 1]) : end;
			}
		}
	}
	if (stack->end <= stack->begin && begin <= end) {
		stack->begin = begin;
		stack->end = end;
	}
}

static bool read_clip(clip_builder *b, uint32_t object, snw_clip *clip) {
	if (!snw_fbx_read_stack(&b->stack, object)) {
		return false;
	}
	measure_keys(&b->stack);
	b->tracks = NULL;
	b->track_count = b->track_room = 0;
	for (uint32_t m = 0; m < b->models->count; m++) {
		const snw_rig_node *node = &b->rig->nodes[snw_fbx_full_node(b->models, m)];
		if (!add_joint(b, m) ||
			(node->first_channel != SNW_NONE && !add_channels(b, &b->shapes->shapes[node->mesh], node->first_channel))) {
			return false;
		}
	}
	clip->duration_seconds = b->stack.end - b->stack.begin;
	clip->track_count = b->track_count;
	clip->tracks = b->tracks;
	return true;
}

bool snw_fbx_read_clips(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						const snw_fbx_shapes *shapes, const snw_rig *rig, snw_scene *scene) {
	uint32_t limit = 0, count = 0;
	for (uint32_t o = 0; o < objects->count; o++) {
		limit += snw_fbx_object_is(objects, o, "AnimationStack", NULL);
	}
	snw_clip *clips = SNW_NEW_ARRAY(f->reading.arena, snw_clip, limit);
	const char **names = SNW_NEW_ARRAY(f->reading.scratch, const char *, limit);
	clip_builder b = {
		.f = f, .objects = objects, .space = space, .models = models, .shapes = shapes, .rig = rig, .scene = scene};
	b.stack = snw_fbx_make_stack(f, objects, models);
	b.reach = measure_reach(scene);
	for (uint32_t o = 0; o < objects->count; o++) {
		if (!snw_fbx_object_is(objects, o, "AnimationStack", NULL)) {
			continue;
		}
		if (!snw_reading_progress(&f->reading, 0.8 + 0.2 * count / limit, "clips") || !read_clip(&b, o, &clips[count])) {
			return false;
		}
		names[count] = snw_name_clean(f->reading.arena, snw_fbx_object_name(f, objects, o), f->reading.task);
		if (clips[count].track_count == 0) {
			snw_task_notice(f->reading.task, SNW_LOG_WARNING, "clip '%s' moves nothing; it is left out",
							names[count] ? names[count] : "");
			continue;
		}
		count++;
	}
	snw_names_make_unique(f->reading.arena, names, count, "clip", f->reading.task);
	for (uint32_t c = 0; c < count; c++) {
		clips[c].name = names[c];
	}
	scene->clips = clips;
	scene->clip_count = count;
	return true;
}

void snw_fbx_mark_animated(const snw_fbx_objects *objects, const snw_fbx_models *models, bool *chosen) {
	for (uint32_t m = 0; m < models->count; m++) {
		static const char *const names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
		for (int i = 0; i < 3; i++) {
			uint32_t at = 0;
			const uint32_t object = models->models[m].object;
			chosen[m] |= snw_fbx_next_source(objects, object, "AnimationCurveNode", NULL, names[i], &at) != SNW_NONE;
		}
	}
}
