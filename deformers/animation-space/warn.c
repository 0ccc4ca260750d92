/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warnings about samples that leave something open or contradict each other. The fit is usable all the same: the ridge keeps
 * the linear blend where nothing is known.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "animation-space/fit.h"
#include "sinew/algebra.h"
#include "sinew/report.h"

enum { NAMES = 5, MOST_COMPARED = 400, TEXT = 400 };
static const double same_pose = 1e-9, other_shape = 1e-4; /* in units of L */

/* Up to NAMES names with commas between them. */
typedef struct name_list {
	uint32_t count;
	char text[TEXT];
} name_list;

static void add_name(name_list *list, const char *name) {
	const size_t used = strlen(list->text);
	if (list->count < NAMES) {
		snprintf(list->text + used, sizeof list->text - used, "%s%s", list->count > 0 ? ", " : "", name);
	} else if (list->count == NAMES) {
		snprintf(list->text + used, sizeof list->text - used, ", …");
	}
	list->count++;
}

static int joint_moves(const mesh_fit *f, uint32_t joint) {
	const snw_transform *first = &f->samples[0].pose->local[joint];
	for (uint32_t s = 1; s < f->sample_count; s++) {
		const snw_transform *local = &f->samples[s].pose->local[joint];
		const double gap = sqrt(snw_squared_distance3(first->translation, local->translation));
		const double scale = sqrt(snw_squared_distance3(first->scale, local->scale));
		if (fabs(snw_quat_dot(first->rotation, local->rotation)) < 1 - 1e-9 || gap > 1e-6 * f->unit || scale > 1e-6) {
			return 1;
		}
	}
	return 0;
}

static void warn_of_resting_joints(const mesh_fit *f) {
	const snw_character_view *character = f->character;
	name_list list = {0};
	for (uint32_t slot = 0; slot < character->slot_count; slot++) {
		const uint32_t joint = character->slot_joints[slot];
		int is_used = 0;
		for (uint32_t k = 0; !is_used && k < f->sets.offsets[f->mesh->point_count]; k++) {
			is_used = f->sets.slots[k] == slot;
		}
		if (is_used && character->skeleton->parents[joint] != SNW_NONE && !joint_moves(f, joint)) {
			add_name(&list, character->skeleton->names[joint]);
		}
	}
	if (list.count > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s': %u joints do not move in the samples, so points follow them as in the blend that the fit "
						"starts from: %s",
						f->mesh->name, list.count, list.text);
	}
}

/* Marks the joints that points follow, of any mesh, and all above them. */
static void mark_followed(const snw_character_view *character, uint8_t *is_followed) {
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = character->meshes[m];
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t k = 0; k < count; k++) {
			is_followed[character->slot_joints[mesh->influence_slots[k]]] |= mesh->influence_weights[k] != 0;
		}
	}
	for (uint32_t i = character->skeleton->joint_count; i-- > 0;) {
		const uint32_t joint = character->skeleton->order[i], parent = character->skeleton->parents[joint];
		if (parent != SNW_NONE) {
			is_followed[parent] |= is_followed[joint];
		}
	}
}

/* An empty influence set: nothing can be learned from what such a joint does. */
void warn_of_joints_without_points(const mesh_fit *f) {
	const snw_skeleton_view *skeleton = f->character->skeleton;
	snw_pool pool = snw_pool_open(f->host);
	uint8_t *is_followed = SNW_POOL_ARRAY(&pool, uint8_t, skeleton->joint_count);
	name_list list = {0};
	if (is_followed) {
		mark_followed(f->character, is_followed);
	}
	for (uint32_t j = 0; is_followed && j < skeleton->joint_count; j++) {
		if (!is_followed[j] && joint_moves(f, j)) {
			add_name(&list, skeleton->names[j]);
		}
	}
	snw_pool_release(&pool);
	if (list.count > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"%u joint%s move%s in the samples and no point follows: %s; if points should, give them weights",
						list.count, list.count > 1 ? "s" : "", list.count > 1 ? "" : "s", list.text);
	}
}

static void warn_of_coincident_points(const mesh_fit *f) {
	const snk_adjacency *edges = &f->surface.edges;
	uint32_t count = 0, first[2] = {0, 0};
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		for (uint32_t k = edges->offsets[i]; k < edges->offsets[i + 1]; k++) {
			const uint32_t other = edges->neighbours[k];
			const double *a = f->mesh->points_rest + (size_t)3 * i, *b = f->mesh->points_rest + (size_t)3 * other;
			if (other > i && snw_squared_distance3(a, b) <= 1e-24 * f->unit * f->unit) {
				first[0] = count == 0 ? i : first[0];
				first[1] = count == 0 ? other : first[1];
				count++;
			}
		}
	}
	if (count > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s': %u edges join points at the same place, the first is from %u to %u; the smoothness does "
						"not act along them",
						f->mesh->name, count, first[0], first[1]);
	}
}

/* ---- contradictions ------------------------------------------------------------------------------------------------------ */

static int poses_are_equal(const mesh_fit *f, uint32_t a, uint32_t b) {
	const size_t numbers = (size_t)12 * f->character->slot_count;
	for (size_t i = 0; i < numbers; i++) {
		if (fabs(f->palettes[a * numbers + i] - f->palettes[b * numbers + i]) > same_pose) {
			return 0;
		}
	}
	return 1;
}

static double largest_difference(const mesh_fit *f, uint32_t a, uint32_t b) {
	double most = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		double at_a[3], at_b[3];
		snk_sample_point(&f->samples[a], i, at_a);
		snk_sample_point(&f->samples[b], i, at_b);
		for (size_t c = 0; c < 3; c++) {
			at_a[c] -= f->origins[(size_t)3 * a + c];
			at_b[c] -= f->origins[(size_t)3 * b + c];
		}
		most = fmax(most, snw_squared_distance3(at_a, at_b));
	}
	return sqrt(most) / f->unit;
}

/* "example 'bend'" or "frame 12 of 'rom'", in the order of snk_samples_gather. */
static void name_sample(const mesh_fit *f, uint32_t index, char *text, size_t bytes) {
	const snw_fit_input *input = f->input;
	for (uint32_t e = 0; e < input->example_count; e++) {
		if (input->examples[e]->mesh == f->mesh_index && index-- == 0) {
			snprintf(text, bytes, "example '%s'", input->examples[e]->name);
			return;
		}
	}
	for (uint32_t i = 0; i < input->target_count + input->sequence_count; i++) {
		const snw_sequence_view *frames =
			i < input->target_count ? input->targets[i] : input->sequences[i - input->target_count];
		const uint32_t count = frames->mesh == f->mesh_index && frames->poses ? frames->frame_count : 0;
		if (index < count) {
			snprintf(text, bytes, "frame %u of '%s'", index, frames->name);
			return;
		}
		index -= count;
	}
}

static void warn_of_contradictions(const mesh_fit *f) {
	const uint32_t count = f->sample_count < MOST_COMPARED ? f->sample_count : MOST_COMPARED;
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = a + 1; b < count; b++) {
			if (poses_are_equal(f, a, b) && largest_difference(f, a, b) > other_shape) {
				char one[TEXT] = "", other[TEXT] = "";
				name_sample(f, a, one, sizeof one);
				name_sample(f, b, other, sizeof other);
				snw_report_line(f->host, SNW_LOG_WARNING,
								"mesh '%s': %s and %s have the same pose and different shapes (%.3g %% of the longest side "
								"apart); the fit is a compromise",
								f->mesh->name, one, other, 100 * largest_difference(f, a, b));
				return;
			}
		}
	}
}

void warn_of_poor_samples(const mesh_fit *f) {
	if (f->sample_count == 1) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s' has one sample: what it does not show stays as in the blend that the fit starts from; add poses",
			f->mesh->name);
	} else {
		warn_of_resting_joints(f);
	}
	warn_of_coincident_points(f);
	warn_of_contradictions(f);
}
