/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scale that children do not inherit as in a skeleton.
 *
 * A model says how it inherits the scale of its parent. RSrs is a product of matrices, as in a skeleton. With Rrs (Maya's
 * segment scale compensation) the parent's own scale moves the child's origin and nothing else; with RrSs the scale acts
 * before both rotations. Neither is a product of joints where the scale is not uniform. So a parent with such children
 * becomes two joints: one without the scale, which has these children, and below it one with the scale, which has the points
 * and the children that inherit as RSrs.
 *
 * If such a parent itself inherits as RSrs below one of uneven scale, it is sheared, and programs disagree on what its child
 * inherits. The child is placed as Maya does, which takes away the parent's own scale and leaves the shear; this is told.
 */
#include <math.h>
#include <string.h>

#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

#define SAME 1e-6

/* ---- which models are split ---------------------------------------------------------------------------------------------- */

/* What all scales that a model has over time are. */
typedef struct scales {
	bool is_one, is_uniform;
} scales;

/* Curves of one scale: uniform if they have the same values at the same keys. */
static bool read_scale_curves(snw_fbx *f, const snw_fbx_objects *objects, uint32_t curve_node, scales *found) {
	static const char *const properties[] = {"d|X", "d|Y", "d|Z"};
	snw_arena *arena = snw_arena_create();
	const double *first = NULL;
	uint32_t first_count = 0;
	bool ok = true;
	for (int i = 0; i < 3 && ok; i++) {
		uint32_t at = 0, count = 0;
		const uint32_t curve = snw_fbx_next_source(objects, curve_node, "AnimationCurve", NULL, properties[i], &at);
		const double *values = snw_fbx_numbers(
			f, curve == SNW_NONE ? NULL : snw_fbx_child(objects->objects[curve].node, "KeyValueFloat"), arena, &count);
		ok = values != NULL;
		for (uint32_t k = 0; ok && k < count; k++) {
			found->is_one &= fabs(values[k] - 1) <= SAME;
			found->is_uniform &= i == 0 || (count == first_count && fabs(values[k] - first[k]) <= SAME * fabs(first[k]));
		}
		found->is_uniform &= ok && count == (i == 0 ? count : first_count);
		first = i == 0 ? values : first;
		first_count = i == 0 ? count : first_count;
	}
	snw_arena_destroy(arena);
	return ok;
}

static bool read_scales(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_model *model, scales *found) {
	uint32_t at = 0, node;
	*found = (scales){true, true};
	for (int i = 0; i < 3; i++) {
		found->is_one &= fabs(model->scale[i] - 1) <= SAME;
		found->is_uniform &= fabs(model->scale[i] - model->scale[0]) <= SAME * fabs(model->scale[0]);
	}
	while ((node = snw_fbx_next_source(objects, model->object, "AnimationCurveNode", NULL, "Lcl Scaling", &at)) != SNW_NONE) {
		if (!read_scale_curves(f, objects, node, found)) {
			return false;
		}
	}
	return true;
}

/* The model above a parent whose uneven scale shears it; SNW_NONE for none. A loop of parents ends where it began. */
static uint32_t shears(const snw_fbx_models *models, const scales *found, uint32_t parent) {
	uint32_t steps = 0;
	for (uint32_t m = parent; models->models[m].inherit == SNW_FBX_RSRS && steps < models->count; steps++) {
		m = models->models[m].parent;
		if (m == SNW_NONE || !found[m].is_uniform) {
			return m;
		}
	}
	return SNW_NONE;
}

/* One line for the models that are sheared, with the first of them. */
static void tell_sheared(snw_fbx *f, const snw_fbx_models *models, const scales *found) {
	uint32_t count = 0, first = 0, cause = 0;
	for (uint32_t m = 0; m < models->count; m++) {
		const snw_fbx_model *model = &models->models[m];
		const uint32_t above =
			model->parent == SNW_NONE || model->inherit == SNW_FBX_RSRS ? SNW_NONE : shears(models, found, model->parent);
		first = above != SNW_NONE && count == 0 ? m : first;
		cause = above != SNW_NONE && count == 0 ? above : cause;
		count += above != SNW_NONE;
	}
	if (count > 0) {
		const char *name = models->models[first].name, *of = models->models[cause].name;
		snw_task_notice(
			f->reading.task, SNW_LOG_WARNING,
			"%u models leave out a parent's scale below one that is scaled unevenly: %s below %s. They are placed as "
			"Maya does, and other programs differ; give %s a uniform scale",
			count, name ? name : "", of ? of : "", of ? of : "it");
	}
}

bool snw_fbx_split_scales(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_models *models, uint32_t *node_count) {
	scales *found = SNW_NEW_ARRAY(f->reading.scratch, scales, models->count);
	*node_count = models->count;
	for (uint32_t m = 0; m < models->count; m++) {
		if (!read_scales(f, objects, &models->models[m], &found[m])) {
			return false;
		}
	}
	tell_sheared(f, models, found);
	for (uint32_t m = 0; m < models->count; m++) {
		snw_fbx_model *model = &models->models[m];
		if (model->parent == SNW_NONE || model->inherit == SNW_FBX_RSRS || found[model->parent].is_one ||
			(model->inherit == SNW_FBX_RRSS && found[model->parent].is_uniform)) {
			continue;
		}
		snw_fbx_model *parent = &models->models[model->parent];
		model->unscaled_parent = model->parent;
		if (parent->scaled_node == SNW_NONE) {
			parent->scaled_node = (*node_count)++;
			snw_task_notice(f->reading.task, SNW_LOG_INFO,
							"model %s: not all of its children inherit its scale; a joint below it has the scale",
							parent->name ? parent->name : "");
		}
	}
	return true;
}

/* ---- their transforms ---------------------------------------------------------------------------------------------------- */

/* The scale of a model with what it inherits, in the axes of its node. A loop stops where it would repeat. */
static void full_scale(const snw_fbx_models *models, const snw_fbx_space *space, uint32_t model, snw_fbx_motion_of *motion_of,
					   const void *context, double dest[3]) {
	dest[0] = dest[1] = dest[2] = 1;
	bool is_compensated = false; /* the scale of this ancestor itself is left out */
	for (uint32_t m = model; m != SNW_NONE; m = models->models[m].unscaled_parent) {
		double scale[3];
		const snw_fbx_motion motion = motion_of(context, m);
		snw_fbx_space_scale(space, motion.scale, scale);
		for (int i = 0; i < 3; i++) {
			dest[i] *= is_compensated ? 1 : scale[i];
		}
		is_compensated = models->models[m].inherit == SNW_FBX_RRS;
	}
}

void snw_fbx_pose_model(const snw_fbx_models *models, const snw_fbx_space *space, uint32_t m, snw_fbx_motion_of *motion_of,
						const void *context, snw_transform *local, double scaled[3]) {
	const snw_fbx_model *model = &models->models[m];
	const snw_fbx_motion motion = motion_of(context, m);
	snw_fbx_local(model, &motion, space, local);
	if (model->unscaled_parent != SNW_NONE) {
		double above[3];
		full_scale(models, space, model->unscaled_parent, motion_of, context, above);
		full_scale(models, space, m, motion_of, context, local->scale);
		for (int i = 0; i < 3; i++) {
			local->translation[i] *= above[i];
		}
	}
	memcpy(scaled, local->scale, sizeof local->scale);
	if (model->scaled_node != SNW_NONE) {
		local->scale[0] = local->scale[1] = local->scale[2] = 1;
	}
}

static snw_fbx_motion default_motion(const void *context, uint32_t model) {
	const snw_fbx_models *models = context;
	return snw_fbx_default_motion(&models->models[model]);
}

bool snw_fbx_make_nodes(snw_fbx *f, const snw_fbx_models *models, const snw_fbx_space *space, uint32_t node_count,
						snw_rig *rig) {
	*rig = (snw_rig){.scratch = f->reading.scratch, .arena = f->reading.arena, .task = f->reading.task};
	snw_rig_begin(rig, node_count);
	for (uint32_t m = 0; m < models->count; m++) {
		const snw_fbx_model *model = &models->models[m];
		rig->nodes[m].parent = model->parent == SNW_NONE            ? SNW_NONE
							   : model->unscaled_parent == SNW_NONE ? snw_fbx_full_node(models, model->parent)
																	: model->parent;
		if (model->scaled_node != SNW_NONE) {
			rig->nodes[model->scaled_node].parent = m;
		}
	}
	const uint32_t looped = snw_rig_order(rig);
	if (looped != SNW_NONE) {
		const char *name = looped < models->count ? models->models[looped].name : NULL;
		return snw_reading_fail(&f->reading, SNW_ERROR_DATA,
								"model %s is among its own ancestors; the file is damaged: export it again", name ? name : "");
	}
	for (uint32_t m = 0; m < models->count; m++) {
		double scaled[3];
		rig->nodes[m].is_shown = true;
		snw_fbx_pose_model(models, space, m, default_motion, models, &rig->nodes[m].local, scaled);
		if (models->models[m].scaled_node != SNW_NONE) {
			snw_rig_node *node = &rig->nodes[models->models[m].scaled_node];
			*node =
				(snw_rig_node){.parent = m, .mesh = SNW_NONE, .skin = SNW_NONE, .joint = SNW_NONE, .first_channel = SNW_NONE};
			node->slot = SNW_NONE;
			node->local = (snw_transform){.rotation = {0, 0, 0, 1}};
			memcpy(node->local.scale, scaled, sizeof scaled);
		}
	}
	snw_rig_solve(rig);
	return true;
}
