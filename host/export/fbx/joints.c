/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skeleton: a model for each joint of the plan's rig, in the pose of its nodes, and where all of it is bound.
 *
 * Many rigs stand below a node with a scale, 0.01 for one made in centimetres. Bones of Blender have no scale where they are
 * bound, so it plays such a rig wrong. So a joint that is bound with an even scale s is written without it: G diag(1/s) in
 * place of its global matrix G, and diag(s) B in place of its inverse bind B. Its points stay where they are.
 */
#include <math.h>
#include <string.h>

#include "export/fbx/writer.h"
#include "sinew/algebra.h"

void snw_fbx_scale_matrix(const snw_fbx_writer *w, const double matrix[12], double dest[12]) {
	for (int i = 0; i < 12; i++) {
		dest[i] = matrix[i] * (i % 4 == 3 ? w->scale : 1);
	}
}

double snw_fbx_parent_scale(const snw_fbx_writer *w, uint32_t joint) {
	const uint32_t parent = w->plan->rig.parents[joint];
	return parent == SNW_NONE ? 1 : w->joint_scales[parent];
}

static void write_joint(snw_fbx_writer *w, uint32_t joint) {
	const snw_plan_rig *rig = &w->plan->rig;
	const snw_transform *local = &rig->local[joint];
	snw_fbx_document *d = w->document;
	double translation[3], angles[3], scale[3];
	const double above = snw_fbx_parent_scale(w, joint);
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
		w->joint_scales[joint] = even_scale(w->binds + 12 * (size_t)joint, snw_fbx_parent_scale(w, joint));
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
