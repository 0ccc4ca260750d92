/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting, mesh by mesh.
 */
#include "sad/fit.h"

#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

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
		status = snk_adjacency_find(&faces, SNK_NEIGHBOURS_ASCENDING, &f->pool, &f->adjacency);
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
