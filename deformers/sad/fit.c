/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting, mesh by mesh.
 */
#include <math.h>
#include <stdio.h>

#include "sad/sad.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- progress and stops -------------------------------------------------------------------------------------------------- */

/* The progress of a fit, and the effect of a stop. A fit by the paper's method alone ends without a result, and so does any
 * fit before every frame has transforms; a fit that is refined, or that searches its number of joints, ends with the best so
 * far. */

/* Seconds for the remaining work after a stop. The host waits for five. */
static const double seconds_to_finish = 2;

int has_time(const mesh_fit *f) {
	return !(f->stopped_at > 0) || snk_clock_seconds() - f->stopped_at < seconds_to_finish;
}

snw_status status_of_stop(const mesh_fit *f) {
	const int has_best = f->is_thorough && f->current.has_transforms;
	return f->stopped_at > 0 && !f->must_finish && !has_best ? SNW_CANCELLED : SNW_OK;
}

snw_status go_on(mesh_fit *f, double done, const char *task) {
	const double meshes = f->input->character->mesh_count;
	const double values = f->share_from + done * (f->share_to - f->share_from);
	if (!snw_report_progress(f->host, (f->mesh + values) / meshes, task) && !(f->stopped_at > 0)) {
		f->stopped_at = snk_clock_seconds();
	}
	return status_of_stop(f);
}

static int part_goes_on(void *context, double done) {
	mesh_fit *f = context;
	const fit_part *part = &f->part;
	const snw_status status = go_on(f, part->from + done * (part->to - part->from), part->task);
	return !snk_failed(status) && (part->after_stop ? has_time(f) : !(f->stopped_at > 0));
}

snk_steps begin_part(mesh_fit *f, double from, double to, const char *task) {
	f->part = (fit_part){from, to, task, f->stopped_at > 0};
	return (snk_steps){part_goes_on, f};
}

/* ---- what the settings leave open ---------------------------------------------------------------------------------------- */

/* The blend, and whether to refine. A few poses lie far apart, and proxy weights alone leave most of the error there, while
 * refining takes seconds; so that is the default for them. A number that is set is obeyed. Weights of a rig are kept, unless
 * the settings ask for refining or for a bound; what a bound alone refines starts from them. */

/* The most frames that a mesh has, in all its sequences and targets. */
static uint32_t most_frames(const snw_fit_input *input) {
	uint32_t most = 0;
	for (uint32_t m = 0; m < input->character->mesh_count; m++) {
		uint32_t count = 0;
		for (uint32_t s = 0; s < input->sequence_count; s++) {
			count += input->sequences[s]->mesh == m ? input->sequences[s]->frame_count : 0;
		}
		for (uint32_t t = 0; t < input->target_count; t++) {
			count += input->targets[t]->mesh == m ? input->targets[t]->frame_count : 0;
		}
		most = count > most ? count : most;
	}
	return most;
}

static int keeps_rig(const snw_fit_input *input) {
	int any = 0;
	for (uint32_t m = 0; m < input->character->mesh_count; m++) {
		any |= has_rig(input->character->meshes[m]);
	}
	return any && input->values[JOINTS].numbers[0] == JOINTS_AUTO;
}

/* Fails, with a message, if the settings contradict each other. */
static snw_status choose_fit(const snw_host *host, const snw_fit_input *input, fit_choice *choice) {
	const snw_value *values = input->values;
	const int blend = (int)values[BLEND].numbers[0], is_affine = values[TRANSFORMS].numbers[0] == AFFINE;
	const int is_bounded = values[LARGEST].numbers[0] > 0;
	if (is_affine && blend == BLEND_DUAL_QUATERNION) {
		return snw_report_fail(host, SNW_ERROR_ARGUMENT,
							   "affine transforms need linear blend; leave out blend=dual-quaternion, or set transforms=rigid");
	}
	if (is_bounded && blend == BLEND_DUAL_QUATERNION) {
		return snw_report_fail(
			host, SNW_ERROR_ARGUMENT,
			"a bound on the largest distance needs linear blend; leave out blend=dual-quaternion or largest");
	}
	if (is_bounded && values[REFINE].numbers[0] == 0) {
		return snw_report_fail(host, SNW_ERROR_ARGUMENT,
							   "a bound on the largest distance needs refining; leave out refine=0 or largest");
	}
	const int is_dense = values[INFLUENCES].numbers[0] == INFLUENCES_ALL;
	if (is_dense &&
		(blend == BLEND_DUAL_QUATERNION || is_bounded || values[SMOOTHNESS].numbers[0] > 0 || values[REFINE].numbers[0] == 0)) {
		return snw_report_fail(
			host, SNW_ERROR_ARGUMENT,
			"influences=all blends affine transforms linearly, and fits weights and transforms to the mean error alone; "
			"leave out blend=dual-quaternion, largest, smoothness and refine=0");
	}
	int has_held;
	const snw_status held = check_held(host, input, &has_held);
	if (snk_failed(held)) {
		return held;
	}
	const int has_few_frames = blend == BLEND_AUTO && most_frames(input) <= FEW_FRAMES && !keeps_rig(input);
	const int is_linear = blend == BLEND_LINEAR || is_bounded || has_few_frames || has_held;
	choice->is_dense = is_dense;
	choice->kind = is_affine || is_dense ? SNK_TRANSFORMS_AFFINE
				   : is_linear           ? SNK_TRANSFORMS_RIGID
										 : SNK_TRANSFORMS_DUAL_QUATERNION;
	choice->refinements = (int)values[REFINE].numbers[0];
	choice->start = (int)values[START].numbers[0];
	if (choice->refinements == REFINE_AS_NEEDED) {
		choice->start = choice->start == START_AUTO && keeps_rig(input) ? START_P_CENTRE : choice->start;
		choice->refinements = is_bounded || is_dense ? REFINE_AUTO : has_few_frames ? REFINE_FEW : 0;
	}
	return SNW_OK;
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* The transform of one slot in one frame, for points in the original coordinates: the motion's centre is added again. */
static void read_slot(const mesh_fit *f, uint32_t frame, uint32_t joint, double *dest) {
	const uint32_t width = snk_transform_width(f->current.transforms.kind), lane = frame % SNK_LANES;
	const snk_lanes *values = snk_transforms_block(&f->current.transforms, frame / SNK_LANES) + (size_t)width * joint;
	const double *centre = f->motion.centre;
	for (uint32_t i = 0; i < width; i++) {
		dest[i] = values[i][lane];
	}
	if (width == 8) {
		const double half[4] = {centre[0] / 2, centre[1] / 2, centre[2] / 2, 0};
		double before[4], after[4];
		snw_quat_multiply(half, dest, before);
		snw_quat_multiply(dest, half, after);
		for (int i = 0; i < 4; i++) {
			dest[4 + i] += before[i] - after[i];
		}
	} else {
		for (int r = 0; r < 3; r++) {
			dest[4 * r + 3] += centre[r] - snw_dot3(dest + 4 * r, centre);
		}
	}
}

static snw_status copy_influences(const mesh_fit *f, snw_model *model, sad_mesh *mesh) {
	const snk_influences *all = &f->current.influences;
	const size_t count = all->offsets[all->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(&model->pool, uint32_t, (size_t)all->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(&model->pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(&model->pool, double, count);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, all->offsets, ((size_t)all->point_count + 1) * sizeof *offsets);
	memcpy(weights, all->weights, count * sizeof *weights);
	for (size_t k = 0; k < count; k++) {
		slots[k] = model->slot_count + all->joints[k];
	}
	mesh->offsets = offsets;
	mesh->slots = slots;
	mesh->weights = weights;
	mesh->first_slot = model->slot_count;
	mesh->slot_count = all->joint_count;
	return SNW_OK;
}

static snw_status copy_track(const mesh_fit *f, const snw_sequence_view *sequence, uint32_t first_frame, snw_model *model) {
	const uint32_t joints = f->current.influences.joint_count, width = model->width, frames = sequence->frame_count;
	double *seconds = SNW_POOL_ARRAY(&model->pool, double, frames);
	double *palette = SNW_POOL_ARRAY(&model->pool, double, (size_t)frames *joints *width);
	const uint32_t normal_numbers = f->normal_values ? joints * f->normal_width : 0;
	double *normals = SNW_POOL_ARRAY(&model->pool, double, (size_t)frames *normal_numbers);
	const uint32_t courses = f->current.details.count + f->normal_details.count;
	double *details = SNW_POOL_ARRAY(&model->pool, double, (size_t)frames *courses);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(seconds, sequence->seconds, frames * sizeof *seconds);
	for (uint32_t frame = 0; frame < frames; frame++) {
		const uint32_t at = first_frame + frame;
		for (uint32_t i = 0; i < normal_numbers; i++) {
			normals[(size_t)frame * normal_numbers + i] =
				f->normal_values[(size_t)normal_numbers * (at / SNK_LANES) + i][at % SNK_LANES];
		}
		for (uint32_t k = 0; k < courses; k++) {
			const int of_point = k < f->current.details.count;
			const snk_lanes *course = of_point ? f->current.details.courses : f->normal_details.courses;
			const size_t first = (size_t)f->motion.block_count * (of_point ? k : k - f->current.details.count);
			details[(size_t)frame * courses + k] = course[first + at / SNK_LANES][at % SNK_LANES];
		}
	}
	for (uint32_t frame = 0; frame < frames; frame++) {
		for (uint32_t j = 0; j < joints; j++) {
			read_slot(f, first_frame + frame, j, palette + ((size_t)frame * joints + j) * width);
		}
	}
	model->tracks[model->track_count++] = (sad_track){.clip = sequence->clip,
													  .mesh = f->mesh,
													  .frame_count = frames,
													  .seconds = seconds,
													  .palette = palette,
													  .normals = f->normal_values ? normals : NULL,
													  .details = details};
	return SNW_OK;
}

static snw_status find_centres(snw_pool *pool, const double *points_rest, sad_mesh *mesh) {
	double *centres = SNW_POOL_ARRAY(pool, double, 3 * (size_t)mesh->slot_count);
	double *sums = SNW_POOL_ARRAY(pool, double, mesh->slot_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (size_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = mesh->offsets[i]; k < mesh->offsets[i + 1]; k++) {
			const size_t slot = mesh->slots[k] - mesh->first_slot;
			sums[slot] += mesh->weights[k];
			for (size_t c = 0; c < 3; c++) {
				centres[3 * slot + c] += mesh->weights[k] * points_rest[3 * i + c];
			}
		}
	}
	for (size_t i = 0; i < 3 * (size_t)mesh->slot_count; i++) {
		centres[i] = sums[i / 3] > 0 ? centres[i] / sums[i / 3] : 0;
	}
	mesh->centres = centres;
	return SNW_OK;
}

static snw_status list_details(snw_pool *pool, sad_mesh *mesh) {
	const size_t points = mesh->point_count, courses = sad_course_count(mesh);
	const size_t most = mesh->detail_count > mesh->normal_detail_count ? mesh->detail_count : mesh->normal_detail_count;
	uint32_t *coefficients = SNW_POOL_ARRAY(pool, uint32_t, courses);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, most + 1);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < courses; k++) {
		coefficients[k] = mesh->first_detail + k;
	}
	for (uint32_t k = 0; k < most; k++) {
		offsets[k + 1] = (k + 1) * points;
	}
	mesh->details = (snw_displacements){.size = sizeof mesh->details,
										.count = mesh->detail_count,
										.coefficients = coefficients,
										.offsets = offsets,
										.vectors = mesh->detail_vectors};
	mesh->normal_details = (snw_displacements){.size = sizeof mesh->normal_details,
											   .count = mesh->normal_detail_count,
											   .coefficients = coefficients + mesh->detail_count,
											   .offsets = offsets,
											   .vectors = mesh->normal_detail_vectors};
	return SNW_OK;
}

snw_status sad_finish_mesh(snw_pool *pool, const snw_mesh_view *view, sad_mesh *mesh) {
	const snw_status status = find_centres(pool, view->points_rest, mesh);
	return snk_failed(status) ? status : list_details(pool, mesh);
}

static const double *copy_numbers(snw_pool *pool, size_t count, const double *from) {
	double *copy = SNW_POOL_ARRAY(pool, double, count);
	if (copy && count > 0) {
		memcpy(copy, from, count * sizeof *copy);
	}
	return copy;
}

static snw_status copy_details(const mesh_fit *f, snw_model *model, sad_mesh *mesh) {
	const size_t points = f->motion.point_count;
	mesh->first_detail = model->detail_count;
	mesh->detail_count = f->current.details.count;
	mesh->detail_vectors = copy_numbers(&model->pool, 3 * points * f->current.details.count, f->current.details.vectors);
	mesh->normal_detail_count = f->normal_details.count;
	mesh->normal_detail_vectors = copy_numbers(&model->pool, 3 * points * f->normal_details.count, f->normal_details.vectors);
	if (f->normal_values) {
		model->normal_width = f->normal_width;
		mesh->normals_rest = copy_numbers(&model->pool, 3 * points, f->mesh_normals.normals_rest);
	}
	model->detail_count += sad_course_count(mesh);
	const snw_mesh_view *view = f->input->character->meshes[f->mesh];
	const snw_status status = model->pool.failed ? SNW_ERROR_MEMORY : sad_finish_mesh(&model->pool, view, mesh);
	return snk_failed(status) ? status : sad_follow_rig(&model->pool, view, mesh);
}

/* Adds the mesh to the model: its part and a track for each clip. */
static snw_status add_mesh_to_model(const mesh_fit *f, snw_model *model) {
	snw_status status = copy_influences(f, model, &model->meshes[f->mesh]);
	status = snk_failed(status) ? status : copy_details(f, model, &model->meshes[f->mesh]);
	uint32_t frame = 0;
	for (uint32_t s = 0; !snk_failed(status) && s < f->animations.count; s++) {
		status = copy_track(f, f->animations.sequences[s], frame, model);
		frame += f->animations.sequences[s]->frame_count;
	}
	model->slot_count += f->current.influences.joint_count;
	return status;
}

/* ---- the report ---------------------------------------------------------------------------------------------------------- */

/* Root of the mean squared distance in each frame, metres, at the frames' places among those of all sequences, then all
 * targets. */
static void write_frame_errors(const mesh_fit *f, double *errors) {
	uint32_t at = 0;
	for (uint32_t s = 0; s < f->animations.count; s++) {
		double *to = errors + snk_frame_field_first(f->input, f->animations.sequences[s]);
		for (uint32_t frame = 0; frame < f->animations.sequences[s]->frame_count; frame++) {
			to[frame] = sqrt(f->current.squares[at++] / f->motion.point_count);
		}
	}
}

/* The result of a stopped fit. */
static snw_status report_stop(const mesh_fit *f) {
	const uint32_t joints = f->current.influences.joint_count;
	if (seeks_joint_count(f)) {
		return snw_report_fail(f->host, SNW_NOT_CONVERGED,
							   "stopped while choosing the number of joints; kept the best so far: %u joints leave %.4g %%, %s "
							   "the %g %% asked for",
							   joints, f->current.error_percent, misses_error(f, &f->current) ? "more than" : "within",
							   f->input->values[ERROR].numbers[0]);
	}
	return snw_report_fail(f->host, SNW_NOT_CONVERGED, "stopped after %u refinements; kept the best so far",
						   f->current.refinements);
}

static void report_seconds(const mesh_fit *f, const char *mesh) {
	const part_seconds *t = &f->seconds;
	const snw_measured_number numbers[] = {
		{"reading", t->reading, "s"}, {"joints", t->joints, "s"},     {"transforms", t->transforms, "s"},
		{"steps", t->steps, "s"},     {"refining", t->refining, "s"}, {"refinements", f->current.refinements, ""},
		{"details", t->details, "s"}, {"normals", t->normals, "s"},   {"measuring", t->measuring, "s"}};
	char subject[200];
	snprintf(subject, sizeof subject, "mesh '%s': time", mesh);
	snw_report_measurements(f->host, subject, numbers, sizeof numbers / sizeof *numbers);
}

/* Whether the bound on the largest distance holds, if there is one. */
static void report_largest(const mesh_fit *f, const char *mesh) {
	const double wanted = f->input->values[LARGEST].numbers[0], reached = f->current.largest;
	if (wanted > 0 && reached > wanted) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': the largest distance is %.4g %% of the diagonal, more than the %g %% asked for; more joints or a "
			"higher 'refine' reduce it",
			mesh, reached, wanted);
	} else if (wanted > 0) {
		snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': the largest distance is %.4g %% of the diagonal", mesh, reached);
	}
}

/* Smoothness acts where weights are refined. */
static void report_unused(const mesh_fit *f, const char *mesh) {
	if (f->input->values[SMOOTHNESS].numbers[0] > 0 && f->choice.refinements == 0) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s': smoothness has no effect without refine; add 'refine=auto'",
						mesh);
	}
}

/* Lines for the user, and the fields of the mesh. */
static void report_mesh(const mesh_fit *f) {
	const char *name = f->input->character->meshes[f->mesh]->name;
	char distortion[40] = "nothing moves";
	if (isfinite(f->current.distortion)) {
		snprintf(distortion, sizeof distortion, "distortion %.4g %%", f->current.distortion);
	}
	const uint32_t joints = f->current.influences.joint_count, frames = f->motion.frame_count;
	snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': %u joint%s, %u frame%s: E_RMS %.4g, %s", name, joints,
					joints == 1 ? "" : "s", frames, frames == 1 ? "" : "s", f->current.erms, distortion);
	report_largest(f, name);
	report_unused(f, name);
	report_seconds(f, name);
	if (f->normal_angle >= 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': normals with separate transforms%s: %.3g degrees off on average (RMS)", name,
						f->normal_details.count > 0 ? ", with eigen-displacements" : "", f->normal_angle * 57.29577951308232);
	}
	if (f->input->character->meshes[f->mesh]->influence_offsets) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': in poses and clips without frames it follows the joints by the weights of the rig", name);
	}
	if (f->current.flat_joints > 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': %u joints have too few points, or points on a line or in a plane; what these do not "
						"determine follows the neighbouring joints",
						name, f->current.flat_joints);
	}
	snk_field_propose(f->host, f->mesh, "residual", SNW_DOMAIN_POINTS, f->motion.point_count, f->current.residuals);
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

/* The share of a mesh's time before its normals. */
static const double share_of_joints = 0.9;

static snw_status fit_mesh(mesh_fit *f, double *errors, snw_model *model) {
	const double begun = snk_clock_seconds();
	const float **frames;
	snw_status status = go_on(f, 0, "reading frames");
	status = snk_failed(status) ? status : snk_motion_gather(f->input, f->mesh, &f->pool, &f->animations, &frames, &f->motion);
	f->seconds.reading = snk_clock_seconds() - begun;
	if (snk_failed(status) || f->motion.frame_count == 0) {
		return status;
	}
	status = find_held(f);
	if (snk_failed(status)) {
		return status;
	}
	if (f->input->values[SMOOTHNESS].numbers[0] > 0) {
		const snk_faces faces = snk_faces_of(f->input->character->meshes[f->mesh]);
		status = snk_adjacency_find(&faces, &f->pool, &f->adjacency);
		if (snk_failed(status)) {
			return status;
		}
	}
	const uint32_t wanted = (uint32_t)f->input->values[JOINTS].numbers[0];
	status = seeks_joint_count(f) ? find_joint_count(f) : fit_joints(f, wanted);
	f->share_from = f->share_to;
	f->share_to = 1;
	status = snk_failed(status) ? status : fit_normals(f);
	status = snk_failed(status) ? status : add_mesh_to_model(f, model);
	if (!snk_failed(status)) {
		report_mesh(f);
		write_frame_errors(f, errors);
	}
	return status;
}

static void open_mesh(const snw_host *host, const snw_fit_input *input, fit_choice choice, uint32_t mesh, mesh_fit *f) {
	*f = (mesh_fit){.host = host,
					.input = input,
					.choice = choice,
					.mesh = mesh,
					.pool = snw_pool_open(host),
					.spread = -1,
					.normal_angle = -1,
					.share_to = share_of_joints};
	open_joints(host, &f->current);
	open_joints(host, &f->best);
	f->is_thorough = choice.refinements != 0 || seeks_joint_count(f);
}

static void close_mesh(mesh_fit *f) {
	drop_joints(&f->current);
	drop_joints(&f->best);
	snw_pool_release(&f->pool);
}

/* All meshes. The result of a thorough fit of one is kept, but a model needs all meshes, so the others are fitted too. */
static snw_status fit_meshes(const snw_host *host, const snw_fit_input *input, fit_choice choice, double *errors,
							 snw_model *model) {
	snw_status status = SNW_OK, stop = SNW_OK;
	double stopped_at = 0;
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		mesh_fit f;
		open_mesh(host, input, choice, m, &f);
		model->meshes[m].point_count = input->character->meshes[m]->point_count;
		f.must_finish = f.is_thorough && model->track_count > 0;
		f.stopped_at = stopped_at;
		status = fit_mesh(&f, errors, model);
		if (!snk_failed(status) && f.stopped_at > 0 && stop == SNW_OK) {
			stop = report_stop(&f);
		}
		stopped_at = f.stopped_at;
		close_mesh(&f);
	}
	return snk_failed(status) ? status : stop;
}

static snw_status run(const snw_host *host, const snw_fit_input *input, snw_model *model) {
	const snw_character_view *character = input->character;
	fit_choice choice;
	const snw_status chosen = choose_fit(host, input, &choice);
	if (snk_failed(chosen)) {
		return chosen;
	}
	model->width = snk_transform_width(choice.kind);
	model->mesh_count = character->mesh_count;
	model->meshes = SNW_POOL_ARRAY(&model->pool, sad_mesh, character->mesh_count);
	model->tracks = SNW_POOL_ARRAY(&model->pool, sad_track, (size_t)input->sequence_count + input->target_count);
	snw_pool scratch = snw_pool_open(host);
	const uint64_t frames = snk_frame_field_count(input);
	double *errors = SNW_POOL_ARRAY(&scratch, double, frames);
	snw_status status = SNW_ERROR_MEMORY;
	if (!model->pool.failed && !scratch.failed) {
		status = fit_meshes(host, input, choice, errors, model);
	}
	if (!snk_failed(status) && model->track_count == 0) {
		status = snw_report_fail(
			host, SNW_ERROR_MISSING,
			"no mesh has a sequence or a target; import one with 'sinew import --sequence', or add one with 'sinew target'");
	}
	if (!snk_failed(status)) {
		if (frames > 0) {
			snk_field_propose(host, 0, "error-over-time", SNW_DOMAIN_FRAMES, (uint32_t)frames, errors);
		}
		(void)snw_report_progress(host, 1, "fitted"); /* a stop from here on loses nothing */
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	return snk_model_finish(made ? run(instance->host, input, made) : SNW_ERROR_MEMORY, made, model);
}
