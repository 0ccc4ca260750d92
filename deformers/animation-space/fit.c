/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting, mesh by mesh. A mesh without samples keeps its linear blend, as rows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "animation-space/animation-space.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- warnings ------------------------------------------------------------------------------------------------------------ */

/* Warnings about samples that leave something open or contradict each other. The fit is usable all the same: the ridge keeps
 * the linear blend where nothing is known. */

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
/* Warns of joints that move in a mesh's samples and have no weights on any mesh. */
static void warn_of_joints_without_points(const mesh_fit *f) {
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

/* Warns of what a mesh's samples do not determine or contradict. */
static void warn_of_poor_samples(const mesh_fit *f) {
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

/* A fit in progress, and the error over all its points and samples. */
typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool *model_pool; /* what becomes the model */
	uint32_t sample_count, morphed_count;
	double weight, squares_before, squares;
	double seconds_solving;
	snw_status caveat;
	mesh_choices *choices; /* [mesh_count], of the model */
} fitting;

int report_step(const mesh_fit *f, const char *activity, double fraction) {
	return snw_report_progress(f->host, (f->mesh_index + fraction) / f->character->mesh_count, activity);
}

snw_status run_step(const mesh_fit *f, uint32_t count, uint32_t grain, snk_range *range, void *argument,
					const snk_stretch *of_mesh) {
	const snk_stretch of_fit = {.begin = (f->mesh_index + of_mesh->begin) / f->character->mesh_count,
								.end = (f->mesh_index + of_mesh->end) / f->character->mesh_count,
								.activity = of_mesh->activity};
	return snk_ranges_run_reported(f->host, count, grain, range, argument, &of_fit);
}

/* ---- what a fit of a mesh reads ------------------------------------------------------------------------------------------ */

static double longest_side(const snw_mesh_view *mesh) {
	double longest = 0;
	for (size_t c = 0; c < 3; c++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			low = fmin(low, mesh->points_rest[(size_t)3 * i + c]);
			high = fmax(high, mesh->points_rest[(size_t)3 * i + c]);
		}
		longest = fmax(longest, high - low);
	}
	return longest > 0 ? longest : 1;
}

static void find_centres(const snw_character_view *character, double *centres) {
	for (uint32_t s = 0; s < character->slot_count; s++) {
		double bind[12];
		if (snw_mat34_invert(character->slot_inverse_binds + (size_t)12 * s, bind)) {
			for (size_t c = 0; c < 3; c++) {
				centres[(size_t)3 * s + c] = bind[4 * c + 3];
			}
		}
	}
}

/* Palettes for q: the linear parts, and the posed positions of the joints relative to their mean, in units of L. */
static void fill_palettes(mesh_fit *f) {
	const uint32_t slots = f->character->slot_count;
	for (uint32_t sample = 0; sample < f->sample_count; sample++) {
		double *origin = f->origins + (size_t)3 * sample, *palette = f->palettes + (size_t)12 * slots * sample;
		memcpy(palette, f->samples[sample].pose->palette, (size_t)12 * slots * sizeof *palette);
		for (uint32_t s = 0; s < slots; s++) {
			double posed[3];
			snw_mat34_point(palette + (size_t)12 * s, f->centres + (size_t)3 * s, posed);
			for (size_t c = 0; c < 3; c++) {
				palette[(size_t)12 * s + 4 * c + 3] = posed[c];
				origin[c] += posed[c] / slots;
			}
		}
		for (uint32_t s = 0; s < slots; s++) {
			for (size_t c = 0; c < 3; c++) {
				double *along = &palette[(size_t)12 * s + 4 * c + 3];
				*along = (*along - origin[c]) / f->unit;
			}
		}
	}
}

/* q of a linear blend with the sets' weights. */
static void fill_start(mesh_fit *f) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		for (uint32_t k = f->sets.offsets[i]; k < f->sets.offsets[i + 1]; k++) {
			const double *centre = f->centres + (size_t)3 * f->sets.slots[k];
			for (size_t c = 0; c < 3; c++) {
				f->start[(size_t)4 * k + c] =
					f->sets.weights[k] * (f->mesh->points_rest[(size_t)3 * i + c] - centre[c]) / f->unit;
			}
			f->start[(size_t)4 * k + 3] = f->sets.weights[k];
		}
	}
}

static snw_status prepare_samples(snw_pool *pool, mesh_fit *f) {
	const size_t slots = f->character->slot_count, points = f->mesh->point_count;
	f->unit = longest_side(f->mesh);
	f->centres = SNW_POOL_ARRAY(pool, double, 3 * slots);
	f->palettes = SNW_POOL_ARRAY(pool, double, 12 * slots * f->sample_count);
	f->origins = SNW_POOL_ARRAY(pool, double, (size_t)3 * f->sample_count);
	f->shares = SNW_POOL_ARRAY(pool, double, points);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	find_centres(f->character, f->centres);
	fill_palettes(f);
	snk_mask_fill(f->mesh, MASK_FIELD, 1, f->shares);
	snw_status status = measure_surface(pool, f);
	status = snk_failed(status) ? status : find_influence_sets(pool, f);
	if (snk_failed(status)) {
		return status;
	}
	f->start = SNW_POOL_ARRAY(pool, double, (size_t)4 * f->sets.offsets[points]);
	if (!f->start) {
		return SNW_ERROR_MEMORY;
	}
	fill_start(f);
	return SNW_OK;
}

/* ---- the result --------------------------------------------------------------------------------------------------------- */

static snw_status copy_rows(const mesh_fit *f, const double *q, snw_pool *pool, snk_row_skin_mesh *skin) {
	const uint32_t points = f->mesh->point_count, count = f->sets.offsets[points];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *rows = SNW_POOL_ARRAY(pool, double, (size_t)4 * count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, f->sets.offsets, ((size_t)points + 1) * sizeof *offsets);
	memcpy(slots, f->sets.slots, count * sizeof *slots);
	for (uint32_t k = 0; k < count; k++) {
		const double *from = q + (size_t)4 * k, *centre = f->centres + (size_t)3 * slots[k];
		for (size_t c = 0; c < 3; c++) {
			rows[(size_t)4 * k + c] = f->unit * from[c] + from[3] * centre[c];
		}
		rows[(size_t)4 * k + 3] = from[3];
	}
	*skin = (snk_row_skin_mesh){points, offsets, slots, rows};
	return SNW_OK;
}

/* ---- the guard ----------------------------------------------------------------------------------------------------------- */

/* Rows that were learned without a fold are only compared. */
static const double compared_tolerance = 1e-3;

/* What was learned: q of all points. */
typedef struct learned_rows {
	const mesh_fit *f;
	strengths by;
	const double *q;
} learned_rows;

/* Σ T p of a point's q, over the palette of a pose. */
static void place_point(const mesh_fit *f, const double *q, const double *palette, uint32_t point, double posed[3]) {
	memset(posed, 0, 3 * sizeof *posed);
	for (uint32_t k = f->sets.offsets[point]; k < f->sets.offsets[point + 1]; k++) {
		const double *matrix = palette + (size_t)12 * f->sets.slots[k], weight = q[(size_t)4 * k + 3];
		double p[3];
		for (size_t c = 0; c < 3; c++) {
			p[c] = f->unit * q[(size_t)4 * k + c] + weight * f->centres[(size_t)3 * f->sets.slots[k] + c];
		}
		for (size_t c = 0; c < 3; c++) {
			posed[c] += snw_dot3(matrix + 4 * c, p) + weight * matrix[4 * c + 3];
		}
	}
}

static snw_status SNW_CALL place_points(const void *learned, const snw_pose_view *pose, double *below, double *points) {
	const learned_rows *l = learned;
	for (uint32_t i = 0; i < l->f->mesh->point_count; i++) {
		place_point(l->f, l->f->start, pose->palette, i, below + (size_t)3 * i);
		place_point(l->f, l->q, pose->palette, i, points + (size_t)3 * i);
	}
	return SNW_OK;
}

/* With the strengths that all samples have. */
static snw_status SNW_CALL learn_without(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned) {
	const learned_rows *from = context;
	const mesh_fit *f = from->f;
	learned_rows *l = SNW_POOL_ARRAY(pool, learned_rows, 1);
	double *q = SNW_POOL_ARRAY(pool, double, (size_t)4 * f->sets.offsets[f->mesh->point_count]);
	moments sums;
	snw_status status = pool->failed ? SNW_ERROR_MEMORY : open_moments(pool, f, &sums);
	for (uint32_t begin = 0, end; !snk_failed(status) && begin < f->sample_count; begin = end) {
		for (end = begin; end < f->sample_count && out->folds[end] == out->folds[begin];) {
			end++;
		}
		status = out->folds[begin] == out->fold ? SNW_OK : add_samples(f, begin, end, &sums);
	}
	status = snk_failed(status) ? status : solve(f, &sums, from->by, compared_tolerance, q);
	if (!snk_failed(status)) {
		*l = (learned_rows){f, from->by, q};
		*learned = l;
	}
	return status;
}

/* q goes back towards that of the linear blend. `kept` has the strengths of an earlier guard, or NULL. */
static snw_status guard_rows(const mesh_fit *f, strengths by, const mesh_choices *kept, snw_pool *scratch, double *q,
							 mesh_choices *choices) {
	const uint32_t points = f->mesh->point_count;
	double *shares = SNW_POOL_ARRAY(scratch, double, points);
	if (!shares) {
		return SNW_ERROR_MEMORY;
	}
	const learned_rows learned = {f, by, q};
	const snk_guard guard = {.host = f->host,
							 .character = f->character,
							 .mesh = f->mesh_index,
							 .sample_count = f->sample_count,
							 .samples = f->samples,
							 .place = place_points,
							 .learned = &learned,
							 .learn_without = learn_without,
							 .context = &learned,
							 .block_count = SNK_GUARD_BLOCKS,
							 .few = SNK_GUARD_FEW,
							 .unseen = SNK_GUARD_UNSEEN,
							 .progress = (f->mesh_index + 1.0) / f->character->mesh_count,
							 .regions = choices->regions};
	const snw_status status = kept ? snk_guard_keep(&guard, kept->regions, shares) : snk_guard_find(&guard, shares);
	for (uint32_t i = 0; !snk_failed(status) && i < points; i++) {
		for (size_t n = (size_t)4 * f->sets.offsets[i]; shares[i] < 1 && n < (size_t)4 * f->sets.offsets[i + 1]; n++) {
			q[n] = f->start[n] + shares[i] * (q[n] - f->start[n]);
		}
	}
	return status;
}

/* Residuals before and after, in metres. */
static snw_status report_mesh(fitting *all, const mesh_fit *f, const moments *sums, const double *q) {
	snw_pool pool = snw_pool_open(all->host);
	const uint32_t points = f->mesh->point_count;
	double *residuals = SNW_POOL_ARRAY(&pool, double, points);
	for (uint32_t i = 0; residuals && i < points; i++) {
		const size_t at = (size_t)4 * f->sets.offsets[i];
		const double scale = f->unit * f->unit, square = scale * mean_square(f, sums, i, q + at);
		residuals[i] = sqrt(square);
		all->squares += square * f->sample_count;
		all->squares_before += scale * mean_square(f, sums, i, f->start + at) * f->sample_count;
	}
	if (residuals) {
		snk_field_propose(all->host, f->mesh_index, "residual", SNW_DOMAIN_POINTS, points, residuals);
	}
	all->weight += (double)points * f->sample_count;
	all->sample_count += f->sample_count;
	const snw_status status = residuals ? SNW_OK : SNW_ERROR_MEMORY;
	snw_pool_release(&pool);
	return status;
}

/* What the fit that a refit follows has chosen for the mesh; NULL in a fit, and where nothing was chosen. */
static const mesh_choices *kept_choices(const snw_fit_input *input, uint32_t mesh) {
	const int refits = SNW_HAS(input, refits) && input->refits;
	const mesh_choices *choices = refits ? &input->previous->choices[mesh] : NULL;
	return choices && choices->is_made ? choices : NULL;
}

/* λ and δ, and room for what the guard finds. */
static snw_status open_choices(const mesh_fit *f, const mesh_choices *kept, snw_pool *model_pool, mesh_choices *choices) {
	const uint32_t joints = f->character->skeleton->joint_count, guards = f->values[GUARD].numbers[0] != 0;
	const int chooses = f->values[CHOOSE].numbers[0] == CHOOSE_LEAVE_ONE_OUT;
	strengths by = {f->values[RIDGE].numbers[0], f->values[SMOOTHNESS].numbers[0]};
	const snw_status status = chooses && !kept ? choose_strengths(f, &by) : SNW_OK;
	*choices = (mesh_choices){.is_made = 1,
							  .ridge = chooses && kept ? kept->ridge : by.ridge,
							  .smoothness = chooses && kept ? kept->smoothness : by.smoothness,
							  .region_count = guards ? joints : 0,
							  .regions = guards ? SNW_POOL_ARRAY(model_pool, snk_guard_region, joints) : NULL};
	if (kept && choices->regions && kept->region_count > 0) {
		memcpy(choices->regions, kept->regions, joints * sizeof *choices->regions);
	}
	return model_pool->failed ? SNW_ERROR_MEMORY : status;
}

static snw_status solve_mesh(fitting *all, snw_pool *scratch, const mesh_fit *f, snk_row_skin_mesh *skin) {
	moments sums;
	const mesh_choices *kept = kept_choices(f->input, f->mesh_index);
	mesh_choices *choices = &all->choices[f->mesh_index];
	double *q = SNW_POOL_ARRAY(scratch, double, (size_t)4 * f->sets.offsets[f->mesh->point_count]);
	snw_status status = q ? open_moments(scratch, f, &sums) : SNW_ERROR_MEMORY;
	if (!snk_failed(status)) {
		status = add_samples(f, 0, f->sample_count, &sums);
	}
	status = snk_failed(status) ? status : open_choices(f, kept, all->model_pool, choices);
	const strengths by = {choices->ridge, choices->smoothness};
	const double begin = snk_clock_seconds();
	status = snk_failed(status) ? status : solve(f, &sums, by, 0, q);
	all->seconds_solving += snk_clock_seconds() - begin;
	all->caveat = status > 0 ? status : all->caveat;
	if (!snk_failed(status) && choices->region_count > 0) {
		status = guard_rows(f, by, kept && kept->region_count > 0 ? kept : NULL, scratch, q, choices);
	}
	status = snk_failed(status) ? status : copy_rows(f, q, all->model_pool, skin);
	return snk_failed(status) ? status : report_mesh(all, f, &sums, q);
}

static snw_status fit_mesh(fitting *all, uint32_t m, snk_row_skin_mesh *skin) {
	const snw_mesh_view *mesh = all->input->character->meshes[m];
	snw_pool scratch = snw_pool_open(all->host);
	mesh_fit f = {.host = all->host,
				  .input = all->input,
				  .character = all->input->character,
				  .mesh_index = m,
				  .mesh = mesh,
				  .values = all->input->values};
	snw_status status = SNW_OK;
	if (mesh->influence_offsets && mesh->point_count > 0) {
		status = snk_samples_gather(all->input, m, &scratch, &f.samples, &f.sample_count);
	}
	if (snk_failed(status) || f.sample_count == 0) {
		status = snk_failed(status) ? status : snk_row_skin_of_linear_blend(mesh, all->model_pool, skin);
		snw_pool_release(&scratch);
		return status;
	}
	all->morphed_count += snk_samples_count_morphed(f.samples, f.sample_count);
	status = snk_row_skin_check_below(f.host, f.character, m, f.samples[0].pose, "animation-space");
	status = snk_failed(status) ? status : prepare_samples(&scratch, &f);
	if (!snk_failed(status) && !kept_choices(f.input, m)) { /* a refit need not say it again */
		warn_of_poor_samples(&f);
		if (all->sample_count == 0 && f.values[SETS].numbers[0] == SETS_FROM_SKIN) { /* once, for all meshes */
			warn_of_joints_without_points(&f);
		}
	}
	if (!snk_failed(status)) {
		status = report_step(&f, "fitting rows", 0.3) ? SNW_OK : SNW_CANCELLED;
	}
	status = snk_failed(status) ? status : solve_mesh(all, &scratch, &f, skin);
	snw_pool_release(&scratch);
	return status;
}

static snw_status report(const fitting *all) {
	const snw_status status = snk_samples_check(all->host, all->morphed_count, all->sample_count);
	if (snk_failed(status)) {
		return status;
	}
	snw_report_line(all->host, SNW_LOG_INFO, "rows fitted to %u samples: root mean square distance %.4g mm, before %.4g mm",
					all->sample_count, 1e3 * sqrt(all->squares / all->weight), 1e3 * sqrt(all->squares_before / all->weight));
	const snw_measured_number numbers[] = {{"solving", all->seconds_solving, "s"}};
	snw_report_measurements(all->host, "time", numbers, 1);
	return all->caveat;
}

static snw_status run(fitting *all, snw_model *model) {
	const snw_character_view *character = all->input->character;
	snk_row_skin_mesh *meshes = SNW_POOL_ARRAY(all->model_pool, snk_row_skin_mesh, character->mesh_count);
	all->choices = SNW_POOL_ARRAY(all->model_pool, mesh_choices, character->mesh_count);
	snw_status status = all->model_pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = fit_mesh(all, m, &meshes[m]);
	}
	model->skin = (snk_row_skin){character->slot_count, character->mesh_count, meshes};
	model->choices = all->choices;
	return snk_failed(status) ? status : report(all);
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	fitting all = {.host = instance->host, .input = input, .model_pool = &made->pool};
	return snk_model_finish(run(&all, made), made, model);
}

snw_status SNW_CALL reskin(const snw_deformer *self, const snw_reskin_call *call, snw_model **model) {
	(void)self;
	snw_model *made = snk_model_open(call->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	made->choices = SNW_POOL_ARRAY(&made->pool, mesh_choices, call->character->mesh_count);
	const snw_status status =
		made->choices ? snk_row_skin_of_rows(call->character, call->rows, &made->pool, &made->skin) : SNW_ERROR_MEMORY;
	return snk_model_finish(status, made, model);
}
