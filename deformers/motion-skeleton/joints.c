/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawing that is the character's own joints at rest. A joint with others below it is a bone with a line to each of them. A
 * joint without any is where its parent's bone ends; the skeleton has it too, so that it can be drawn further.
 *
 * The fit makes its own root, so the joint "root" above a single other one is no bone, and no bone is named "root".
 */
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/kit/status.h"

typedef struct joint_tree {
	skeleton_fit *f;
	const snw_skeleton_view *skeleton;
	uint32_t *children; /* [joint_count]: how many joints are below it */
	uint32_t *bones;    /* [joint_count]: the bone that begins there; SNW_NONE for none */
	uint32_t base;
} joint_tree;

static const char *name_of(const joint_tree *t, uint32_t joint) {
	return t->skeleton->names[joint];
}

/* The one joint without a parent. */
static snw_status find_base(joint_tree *t) {
	t->base = SNW_NONE;
	for (uint32_t j = 0; j < t->skeleton->joint_count; j++) {
		const uint32_t parent = t->skeleton->parents[j];
		if (parent != SNW_NONE) {
			t->children[parent]++;
		} else if (t->base != SNW_NONE) {
			return snw_report_fail(
				t->f->host, SNW_ERROR_DATA,
				"joints '%s' and '%s' have no parent; one skeleton has one such joint: give one of them a parent",
				name_of(t, t->base), name_of(t, j));
		} else {
			t->base = j;
		}
	}
	if (t->children[t->base] == 1 && strcmp(name_of(t, t->base), "root") == 0) {
		t->children[t->base] = 0;
		for (uint32_t j = 0; j < t->skeleton->joint_count; j++) {
			if (t->skeleton->parents[j] == t->base) {
				t->base = j;
				return SNW_OK;
			}
		}
	}
	return SNW_OK;
}

static snw_status number_bones(joint_tree *t) {
	drawing *d = &t->f->drawing;
	for (uint32_t j = 0; j < t->skeleton->joint_count; j++) {
		t->bones[j] = SNW_NONE;
		if (t->children[j] > 0 && d->bone_count == MOST_BONES) {
			return snw_report_fail(t->f->host, SNW_ERROR_DATA, "the drawn skeleton has too many bones; %d are the most",
								   MOST_BONES);
		}
		if (t->children[j] > 0) {
			t->bones[j] = d->bone_count++;
		}
	}
	return d->bone_count > 0
			   ? SNW_OK
			   : snw_report_fail(t->f->host, SNW_ERROR_DATA,
								 "the drawn skeleton has no bones; draw at least two joints, one below the other");
}

static snw_status place(const joint_tree *t, uint32_t joint, double dest[3]) {
	const double *global = t->skeleton->rest_global + 12 * (size_t)joint, drawn[3] = {global[3], global[7], global[11]};
	return place_drawn(t->f, drawn, dest)
			   ? SNW_OK
			   : snw_report_fail(t->f->host, SNW_ERROR_DATA, "joint '%s' is far from the mesh; move it into the body",
								 name_of(t, joint));
}

/* The name that the skeleton has for a joint. */
static const char *new_name(const joint_tree *t, uint32_t joint) {
	const char *name = name_of(t, joint);
	return strcmp(name, "root") != 0 ? name : t->bones[joint] == SNW_NONE ? "root-end" : "root-bone";
}

static snw_status draw_bone(const joint_tree *t, uint32_t joint) {
	drawing *d = &t->f->drawing;
	const uint32_t bone = t->bones[joint];
	snw_status status = place(t, joint, d->begins[bone]);
	d->parents[bone] = joint == t->base ? SNW_NONE : t->bones[t->skeleton->parents[joint]];
	d->names[bone] = new_name(t, joint);
	for (uint32_t j = 0; !snk_failed(status) && j < t->skeleton->joint_count; j++) {
		if (t->skeleton->parents[j] == joint) {
			memcpy(d->lines[d->line_count][0], d->begins[bone], sizeof d->begins[bone]);
			status = place(t, j, d->lines[d->line_count][1]);
			if (t->bones[j] == SNW_NONE) {
				d->end_lines[d->end_count] = d->line_count;
				d->end_names[d->end_count++] = new_name(t, j);
			}
			d->line_bones[d->line_count++] = bone;
		}
	}
	return status;
}

snw_status read_joints(skeleton_fit *f) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	joint_tree t = {.f = f,
					.skeleton = skeleton,
					.children = SNW_POOL_ARRAY(&f->pool, uint32_t, skeleton->joint_count),
					.bones = SNW_POOL_ARRAY(&f->pool, uint32_t, skeleton->joint_count)};
	snw_status status = open_drawing(f, skeleton->joint_count);
	status = snk_failed(status) ? status : find_base(&t);
	status = snk_failed(status) ? status : number_bones(&t);
	for (uint32_t j = 0; !snk_failed(status) && j < skeleton->joint_count; j++) {
		status = t.bones[j] == SNW_NONE ? SNW_OK : draw_bone(&t, j);
	}
	return status;
}
