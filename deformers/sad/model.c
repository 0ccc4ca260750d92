/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what a pose makes of it, and as bytes.
 */
#include <string.h>

#include "motion/transforms.h"
#include "sad/sad.h"
#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* Drives: the palette of the pose's clip at its time, interpolated between the two nearest frames. Dual quaternions are
 * interpolated as they are: the fit has chosen their signs over all frames, so the blend of a point between two frames is the
 * interpolation of its blends in both. Changing the sign of a single joint would turn it against its neighbours. A matrix
 * rotates evenly, its stretch changes and the centre of its points moves along lines: so nothing shrinks on the way, and
 * engines, which interpolate nodes like this, show the same. The paper says nothing of times between frames.
 *
 * The palette of separate normals follows that of the points.
 *
 * Lowers: the influences over the model's own palette. */

static void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	const uint32_t width = model->width + model->normal_width;
	SNW_PUT(dest, snw_model_layout, .z_count = model->slot_count * width, .d_count = model->detail_count);
}

/* The last frame at or before the time; *share is the position between it and the next one. */
static uint32_t find_frame(const sad_track *track, double seconds, double *share) {
	uint32_t low = 0, high = track->frame_count;
	while (low + 1 < high) {
		const uint32_t middle = low + (high - low) / 2;
		*(track->seconds[middle] <= seconds ? &low : &high) = middle;
	}
	*share = 0;
	if (low + 1 < track->frame_count && seconds > track->seconds[low]) {
		*share = (seconds - track->seconds[low]) / (track->seconds[low + 1] - track->seconds[low]);
	}
	return low;
}

static void mix(uint32_t count, double share, const double *from, const double *to, double *dest) {
	for (uint32_t i = 0; i < count; i++) {
		dest[i] = from[i] + share * (to[i] - from[i]);
	}
}

/* The rotation of a matrix, and what that leaves of it. */
static void take_rotation(const double matrix[12], double q[4], double stretch[9]) {
	double linear[9], rotation[9], whole[12] = {0};
	for (int r = 0; r < 3; r++) {
		memcpy(linear + 3 * r, matrix + 4 * r, 3 * sizeof *linear);
	}
	snk_nearest_rotation(linear, rotation);
	for (int i = 0; i < 9; i++) {
		const int r = i / 3, c = i % 3;
		whole[4 * r + c] = rotation[i];
		stretch[i] = rotation[r] * linear[c] + rotation[3 + r] * linear[3 + c] + rotation[6 + r] * linear[6 + c];
	}
	snw_quat_from_mat34(whole, q);
}

/* From one rotation towards another, the short way. */
static void mix_rotations(double share, const double from[4], const double to[4], double dest[4]) {
	double back[4], vector[3];
	snw_quat_conjugate(from, back);
	snw_quat_multiply(back, to, dest);
	snw_quat_to_rotation_vector(dest, vector);
	for (int c = 0; c < 3; c++) {
		vector[c] *= share;
	}
	snw_quat_from_rotation_vector(vector, back);
	snw_quat_multiply(from, back, dest);
}

static void mix_matrices(double share, const double centre[3], const double from[12], const double to[12], double dest[12]) {
	double q[3][4], stretches[3][9], places[2][3], rotation[12];
	take_rotation(from, q[0], stretches[0]);
	take_rotation(to, q[1], stretches[1]);
	mix_rotations(share, q[0], q[1], q[2]);
	mix(9, share, stretches[0], stretches[1], stretches[2]);
	snw_mat34_point(from, centre, places[0]);
	snw_mat34_point(to, centre, places[1]);
	snw_quat_to_mat34(q[2], rotation);
	for (int r = 0; r < 3; r++) {
		double *row = dest + 4 * r;
		row[3] = places[0][r] + share * (places[1][r] - places[0][r]);
		for (int c = 0; c < 3; c++) {
			row[c] = rotation[4 * r] * stretches[2][c] + rotation[4 * r + 1] * stretches[2][3 + c] +
					 rotation[4 * r + 2] * stretches[2][6 + c];
			row[3] -= row[c] * centre[c];
		}
	}
}

static void mix_palettes(const snw_model *model, const sad_mesh *mesh, double share, const double *from, const double *to,
						 double *dest) {
	const size_t width = model->width;
	if (width == 8 || share == 0) {
		mix(mesh->slot_count * model->width, share, from, to, dest);
		return;
	}
	for (size_t s = 0; s < mesh->slot_count; s++) {
		mix_matrices(share, mesh->centres + 3 * s, from + width * s, to + width * s, dest + width * s);
	}
}

static void write_rest(const snw_model *model, double *z) {
	for (uint32_t s = 0; s < model->slot_count; s++, z += model->width) {
		for (uint32_t i = 0; i < model->width; i++) {
			z[i] = model->width == 8 ? i == 3 : i % 5 == 0;
		}
	}
	const uint32_t width = model->normal_width;
	for (uint32_t i = 0; i < model->slot_count * width; i++) {
		z[i] = width == 4 ? i % 4 == 3 : i % 9 % 4 == 0;
	}
}

/* The frames of a mesh in the pose's clip; NULL: it has none. */
static const sad_track *find_track(const snw_model *model, uint32_t mesh, const snw_pose_view *pose) {
	for (uint32_t t = 0; t < model->track_count && pose->clip != 0; t++) {
		if (model->tracks[t].clip == pose->clip && model->tracks[t].mesh == mesh) {
			return &model->tracks[t];
		}
	}
	return NULL;
}

static void play(const snw_model *model, const sad_track *track, double seconds, const snw_drive_output *output) {
	const sad_mesh *mesh = &model->meshes[track->mesh];
	const size_t stride = (size_t)mesh->slot_count * model->width;
	double share;
	const uint32_t frame = find_frame(track, seconds, &share);
	const double *from = track->palette + frame * stride, *to = share > 0 ? from + stride : from;
	mix_palettes(model, mesh, share, from, to, output->z + (size_t)mesh->first_slot * model->width);
	if (track->normals) {
		const uint32_t width = model->normal_width;
		const size_t numbers = (size_t)mesh->slot_count * width;
		const double *normals = track->normals + frame * numbers;
		mix(mesh->slot_count * width, share, normals, share > 0 ? normals + numbers : normals,
			output->z + (size_t)model->slot_count * model->width + (size_t)mesh->first_slot * width);
	}
	const uint32_t courses = sad_course_count(mesh);
	const double *course = track->details + (size_t)frame * courses;
	mix(courses, share, course, share > 0 ? course + courses : course, output->d + mesh->first_detail);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_pose_view *pose = call->pose;
	const snw_drive_output *output = call->output;
	write_rest(model, output->z);
	for (uint32_t k = 0; k < model->detail_count; k++) {
		output->d[k] = 0;
	}
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const sad_track *track = find_track(model, m, pose);
		if (track) {
			play(model, track, pose->seconds, output);
		} else if (model->meshes[m].follow_offsets) {
			sad_follow(model, &model->meshes[m], pose, output->z);
		}
	}
	return SNW_OK;
}

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const sad_mesh *animation = &model->meshes[call->mesh];
	snw_program_part part = {.size = sizeof part, .blend = SNW_BLEND_NONE};
	if (animation->slot_count > 0) {
		part.blend = model->width == 8 ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR;
		part.palette = model->width == 8 ? SNW_PALETTE_DUAL_QUATERNIONS : SNW_PALETTE_MATRICES;
		part.sign_rule = SNW_SIGN_AS_GIVEN;
		part.slot_count = model->slot_count;
		part.influence_offsets = animation->offsets;
		part.influence_slots = animation->slots;
		part.influence_weights = animation->weights;
	}
	if (animation->normals_rest) {
		part.normal_palette = model->normal_width == 4 ? SNW_NORMALS_QUATERNIONS : SNW_NORMALS_MATRICES;
		part.normal_z = model->slot_count * model->width;
		part.normals_rest = animation->normals_rest;
		part.rest_normals = &animation->normal_details;
	}
	if (animation->detail_count > 0) {
		part.rest = &animation->details;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 12 + 9 }; /* of a slot, with its normals */

/* Vectors of displacements of all points: their count, then the vectors. */
static void vector_bytes(snk_bytes *bytes, snw_model *model, uint32_t point_count, uint32_t *count, const double **vectors) {
	const size_t most = point_count > 0 ? bytes->reader.count / (3 * sizeof(double)) / point_count : 0;
	snk_bytes_u32(bytes, count);
	if (snk_bytes_need(bytes, *count <= UINT32_MAX - model->detail_count && *count <= most)) {
		snk_bytes_numbers(bytes, (size_t)3 * *count * point_count, vectors);
	}
	if (bytes->is_load) {
		model->detail_count += *count;
	}
}

static void detail_bytes(snk_bytes *bytes, snw_model *model, sad_mesh *mesh) {
	const int are_other = model->width == 12 && model->normal_width == 4;
	uint32_t normals = !mesh->normals_rest ? NORMALS_OFF : are_other ? NORMALS_QUATERNIONS : NORMALS_ON;
	snk_bytes_index(bytes, NORMALS_QUATERNIONS + 1, &normals);
	if (normals != NORMALS_OFF) {
		const uint32_t width = model->width == 8 || normals == NORMALS_QUATERNIONS ? 4 : 9;
		snk_bytes_need(bytes, model->normal_width == 0 || model->normal_width == width);
		model->normal_width = bytes->is_load ? width : model->normal_width;
		snk_bytes_numbers(bytes, (size_t)3 * mesh->point_count, &mesh->normals_rest);
	}
	if (bytes->is_load) {
		mesh->first_detail = model->detail_count;
	}
	vector_bytes(bytes, model, mesh->point_count, &mesh->detail_count, &mesh->detail_vectors);
	vector_bytes(bytes, model, mesh->point_count, &mesh->normal_detail_count, &mesh->normal_detail_vectors);
}

static void mesh_bytes(snk_bytes *bytes, uint32_t index, snw_model *model) {
	sad_mesh *mesh = &model->meshes[index];
	snk_bytes_point_count(bytes, index, &mesh->point_count);
	snk_bytes_u32(bytes, &mesh->slot_count);
	if (!snk_bytes_need(bytes, mesh->slot_count <= UINT32_MAX / MOST_NUMBERS - model->slot_count)) {
		return;
	}
	if (bytes->is_load) {
		mesh->first_slot = model->slot_count;
		model->slot_count += mesh->slot_count;
	}
	if (mesh->slot_count == 0) {
		return;
	}
	snk_bytes_offsets(bytes, mesh->point_count, &mesh->offsets);
	const size_t count = snk_bytes_total(bytes, mesh->point_count, mesh->offsets);
	snk_bytes_indices(bytes, count, mesh->first_slot + mesh->slot_count, &mesh->slots);
	snk_bytes_numbers(bytes, count, &mesh->weights);
	for (size_t k = 0; !snk_failed(bytes->status) && k < count; k++) {
		snk_bytes_need(bytes, mesh->slots[k] >= mesh->first_slot);
	}
	detail_bytes(bytes, model, mesh);
	if (bytes->is_load && !snk_failed(bytes->status)) {
		bytes->status = sad_finish_mesh(bytes->pool, bytes->character->meshes[index], mesh);
	}
}

static void track_bytes(snk_bytes *bytes, const snw_model *model, sad_track *track) {
	snk_bytes_raw(bytes, sizeof track->clip, &track->clip);
	snk_bytes_index(bytes, model->mesh_count, &track->mesh);
	snk_bytes_count(bytes, sizeof(double), &track->frame_count);
	if (!snk_bytes_need(bytes, track->frame_count > 0) || track->frame_count == 0) {
		return; /* the second is never so while a model is saved */
	}
	const sad_mesh *mesh = &model->meshes[track->mesh];
	const size_t slots = mesh->slot_count, frames = track->frame_count, details = sad_course_count(mesh);
	const size_t most = bytes->reader.count / sizeof(double) / frames;
	if (!snk_bytes_need(bytes, slots > 0 && slots <= most / model->width && details <= most)) {
		return;
	}
	snk_bytes_numbers(bytes, frames, &track->seconds);
	snk_bytes_numbers(bytes, frames * slots * model->width, &track->palette);
	if (mesh->normals_rest) {
		snk_bytes_numbers(bytes, frames * slots * model->normal_width, &track->normals);
	}
	snk_bytes_numbers(bytes, frames * details, &track->details);
	for (size_t frame = 1; !snk_failed(bytes->status) && frame < frames; frame++) {
		snk_bytes_need(bytes, track->seconds[frame] > track->seconds[frame - 1]);
	}
}

/* Slots occupy bytes only in tracks: without a track the count could be anything, and driving would allocate for it. */
static int every_slot_is_tracked(const snw_model *model) {
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		int tracked = model->meshes[m].slot_count == 0;
		for (uint32_t t = 0; !tracked && t < model->track_count; t++) {
			tracked = model->tracks[t].mesh == m;
		}
		if (!tracked) {
			return 0;
		}
	}
	return 1;
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_u32(bytes, &model->width);
	snk_bytes_need(bytes, model->width == 8 || model->width == 12);
	snk_bytes_mesh_count(bytes, &model->mesh_count);
	if (bytes->is_load) {
		model->meshes = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		mesh_bytes(bytes, m, model);
	}
	snk_bytes_count(bytes, sizeof(uint64_t) + 2 * sizeof(uint32_t), &model->track_count);
	if (bytes->is_load) {
		model->tracks = snk_bytes_acquire(bytes, model->track_count, sizeof *model->tracks);
	}
	for (uint32_t t = 0; !snk_failed(bytes->status) && t < model->track_count; t++) {
		track_bytes(bytes, model, &model->tracks[t]);
	}
	snk_bytes_need(bytes, snk_failed(bytes->status) || every_slot_is_tracked(model));
	for (uint32_t m = 0; bytes->is_load && !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		bytes->status = sad_follow_rig(bytes->pool, bytes->character->meshes[m], &model->meshes[m]);
	}
}

static const snk_model_format format = {"SinewSAD", 2, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

/* Rest normals are blended as they are, and made unit again. */
static snw_status transfer_normals(const snw_transfer_call *call, uint32_t index, snw_pool *pool, sad_mesh *mesh) {
	snw_status status = snk_transfer_numbers(call, index, 1, 3, pool, &mesh->normals_rest);
	for (size_t i = 0; !snk_failed(status) && mesh->normals_rest && i < mesh->point_count; i++) {
		double *normal = (double *)mesh->normals_rest + 3 * i;
		const double length = snw_length3(normal);
		for (int c = 0; c < 3 && length > 0; c++) {
			normal[c] /= length;
		}
	}
	return snk_failed(status)
			   ? status
			   : snk_transfer_numbers(call, index, mesh->normal_detail_count, 3, pool, &mesh->normal_detail_vectors);
}

static snw_status follow_mesh(const snw_transfer_call *call, uint32_t index, snw_model *model) {
	sad_mesh *mesh = &model->meshes[index];
	snw_pool *pool = &model->pool;
	mesh->point_count = call->character->meshes[index]->point_count;
	if (mesh->slot_count == 0) {
		return SNW_OK;
	}
	snw_status status =
		snk_transfer_influences(call, index, model->slot_count, 1, pool, &mesh->offsets, &mesh->slots, &mesh->weights);
	status =
		snk_failed(status) ? status : snk_transfer_numbers(call, index, mesh->detail_count, 3, pool, &mesh->detail_vectors);
	status = snk_failed(status) ? status : transfer_normals(call, index, pool, mesh);
	status = snk_failed(status) ? status : sad_finish_mesh(pool, call->character->meshes[index], mesh);
	return snk_failed(status) ? status : sad_follow_rig(pool, call->character->meshes[index], mesh);
}

/* The transforms of proxies stay; their weights follow, as section 5 of the paper says of meshes that change. */
static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		status = follow_mesh(call, m, model);
	}
	return status;
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const char *const transform_choices[] = {"rigid", "affine", NULL};
static const char *const blend_choices[] = {"auto", "dual-quaternion", "linear", NULL};

static const char *const normal_choices[] = {"off", "on", "quaternions", NULL};
static const char *const start_choices[] = {"auto", "clusters", "p-centre", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const all_word[] = {"all", NULL};
static const char *const refine_words[] = {"as-needed", "auto", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[JOINTS] = SNW_COUNT_OR(
		"joints", "Joints",
		"How many proxy joints each mesh gets; auto uses the joints of the rig, or as many as the error requires, up to 512.",
		auto_word, 100, JOINTS_AUTO, MOST_JOINTS, SNW_STAGE_FIT, SNW_SOFT(1, 200)),
	[TRANSFORMS] = SNW_CHOICE(
		"transforms", "Transforms",
		"Rigid joints rotate and translate; affine joints also stretch and shear, and take half as much space again.",
		transform_choices, RIGID, SNW_STAGE_FIT),
	[BLEND] = SNW_CHOICE("blend", "Blend",
						 "How transforms are blended. For at most 24 frames, auto is linear blend, refined unless refine says "
						 "otherwise; for more, dual quaternions for rigid joints and linear blend for affine ones.",
						 blend_choices, BLEND_AUTO, SNW_STAGE_FIT),
	[RADIUS] = SNW_NUMBER("radius", "Radius",
						  "How far a proxy joint reaches, as a multiple of the distance within which every point has one.", "",
						  1.5, 1, 10, SNW_STAGE_FIT, SNW_SOFT(1, 3)),
	[INFLUENCES] = SNW_COUNT_OR("influences", "Influences",
								"The most joints that may move one point. all: every joint moves every point, by weights of "
								"either sign and affine transforms; the least error, but no engine plays it.",
								all_word, USUAL_INFLUENCES, INFLUENCES_ALL, SNK_FIT_INFLUENCES, SNW_STAGE_FIT, SNW_SOFT(1, 8)),
	[EIGEN] = SNW_COUNT("eigen", "Eigen-displacements",
						"How many displacements of the rest pose, each with a weight over time, are added to the joints.", 0, 0,
						200, SNW_STAGE_FIT, SNW_SOFT(0, 20)),
	[REFINE] =
		SNW_COUNT_OR("refine", "Refine",
					 "How many times weights and transforms are fitted in turn; auto continues until the error stalls, "
					 "as-needed leaves it to blend and largest.",
					 refine_words, REFINE_AS_NEEDED, REFINE_AS_NEEDED, 10000, SNW_STAGE_FIT, SNW_SOFT(REFINE_AS_NEEDED, 200)),
	[START] = SNW_CHOICE("start", "Start",
						 "Where refining starts: from clusters of points that move as one, from the p-centre (or the rig's "
						 "weights), or, auto, from whichever is better after a few iterations. Where largest alone asks for "
						 "refining, auto keeps to the rig's weights.",
						 start_choices, START_AUTO, SNW_STAGE_FIT),
	[NORMALS] =
		SNW_CHOICE("normals", "Normals",
				   "off computes normals from the posed faces, which is nearer to the frames. on fits transforms for normals "
				   "too, as the paper does; quaternions fits rotations for them under any blend.",
				   normal_choices, NORMALS_OFF, SNW_STAGE_FIT),
	[ERROR] = SNW_NUMBER("error", "Error", "The distortion that joints=auto aims at.", "%", 1, 0, 100, SNW_STAGE_FIT,
						 SNW_SOFT(0.05, 10)),
	[LARGEST] = SNW_NUMBER("largest", "Largest distance",
						   "No point is to be further off than this in any frame, in percent of the bounding box's diagonal; 0 "
						   "for no bound. Refines, under linear blend.",
						   "%", 0, 0, 100, SNW_STAGE_FIT, SNW_SOFT(0, 10)),
	[SMOOTHNESS] =
		SNW_NUMBER("smoothness", "Smoothness", "How strongly neighbouring points share their weights when these are refined.",
				   "", 0, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[MASK] = SNW_NAMED(
		SNW_PARAMETER_FIELD, "mask", "Mask",
		"A painted field: where it is 0, points keep the rig's weights or, under proxy joints, stay at rest. Linear blend.",
		SNW_STAGE_FIT),
	[LOCK] = SNW_SWITCH("lock", "Lock",
						"Whether joints of the rig move as its clips have them, while others are fitted; set it for single "
						"joints. Linear blend.",
						0, SNW_STAGE_FIT, .scopes = SNW_SCOPE_JOINT),
};

static const snw_field_info *const fields[] = {
	SNW_WRITTEN_FIELD("residual", "Residual", "The root mean square distance between the fit and the frames, at each point.",
					  "m", SNW_DOMAIN_POINTS),
	SNW_WRITTEN_FIELD("error-over-time", "Error over time",
					  "The root mean square distance in each frame: all sequences, then all targets.", "m", SNW_DOMAIN_FRAMES),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.sad",
	.short_name = "sad",
	.name = "Skinning arbitrary deformations",
	.version = "1.0",
	.paper = "L. Kavan, R. McDonnell, S. Dobbyn, J. Žára, C. O'Sullivan: Skinning arbitrary deformations, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FRAMES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .transfer = transfer)
