/* SPDX-License-Identifier: MIT
 *
 * Optimised centres of rotation (B. H. Le, J. K. Hodgins: Real-time Skeletal Skinning with Optimized Centers of Rotation,
 * 2016). A point rotates by the mean rotation R_i of its joints about a centre p*_i that moves as in linear blend:
 *
 *     v_i = R_i (x_i − p*_i) + B_i p*_i       B_i = Σ_j w_ij T_j,  R_i: the normalised quaternion Σ_j w_ij q_j
 *     p*_i = ∫ s(i, x) x dx / ∫ s(i, x) dx,   over the skin                                                        (equation 1)
 *     s(i, x) = Σ_{j<k} w_ij w_ik w_xj w_xk exp(−(w_ij w_xk − w_ik w_xj)² / σ²)                                    (equation 2)
 *
 * So the centre of a point is the middle of that part of the skin which follows the same joints in about the same proportions.
 * A point of a single joint has none, and follows it. Where we depart: the paper sums over triangles, we over points.
 */
#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/plugin.h"
#include "sinew/report.h"
#include "sinew/skin.h"
#include "sinew/surface.h"

enum { WIDTH, PARAMETER_COUNT };

typedef struct centered_mesh {
	snw_skin skin;
	double *centers; /* [points][3] */
} centered_mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t slot_count, mesh_count;
	centered_mesh *meshes;
};

/* Where the integrals are taken: at the points, each with the area that belongs to it. */
typedef struct surface {
	double *areas; /* [points] */
	snw_slot_points points;
} surface;

/* Equations 1 and 2. Only points that follow both joints of a pair count for it. */
static void find_center(const surface *from, const snw_skin *s, const double *rest, uint32_t i, double width, double *center) {
	double sum[3] = {0, 0, 0}, whole = 0;
	for (uint32_t a = s->offsets[i]; a < s->offsets[i + 1]; a++) {
		for (uint32_t b = a + 1; b < s->offsets[i + 1]; b++) {
			for (uint32_t n = from->points.offsets[s->slots[a]]; n < from->points.offsets[s->slots[a] + 1]; n++) {
				const uint32_t x = from->points.points[n];
				const double xj = snw_skin_weight(s, x, s->slots[a]), xk = snw_skin_weight(s, x, s->slots[b]);
				const double apart = (s->weights[a] * xk - s->weights[b] * xj) / width;
				const double share = s->weights[a] * s->weights[b] * xj * xk * exp(-apart * apart) * from->areas[x];
				whole += share;
				for (size_t c = 0; c < 3; c++) {
					sum[c] += share * rest[3 * (size_t)x + c];
				}
			}
		}
	}
	for (size_t c = 0; c < 3; c++) {
		center[c] = whole > 1e-300 ? sum[c] / whole : rest[3 * (size_t)i + c];
	}
}

/* What a model has from the character: the skin, and room for the centres. */
static snw_status open_model(const snw_host *host, const snw_character_view *character, snw_model **model) {
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	centered_mesh *meshes = SNW_POOL_ARRAY(&pool, centered_mesh, character->mesh_count);
	for (uint32_t m = 0; !pool.failed && m < character->mesh_count; m++) {
		meshes[m].skin = snw_skin_copy(&pool, character->meshes[m]);
		meshes[m].centers = SNW_POOL_ARRAY(&pool, double, 3 * (size_t)meshes[m].skin.point_count);
	}
	if (pool.failed) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_model){pool, character->slot_count, character->mesh_count, meshes};
	*model = made;
	return SNW_OK;
}

static snw_status find_centers(const snw_host *host, const snw_mesh_view *mesh, uint32_t slot_count, double width,
							   centered_mesh *to) {
	snw_pool scratch = snw_pool_open(host);
	const surface from = {SNW_POOL_ARRAY(&scratch, double, mesh->point_count),
						  snw_skin_points(&scratch, &to->skin, slot_count)};
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		snw_point_areas(mesh, from.areas);
	}
	for (uint32_t i = 0; status == SNW_OK && i < to->skin.point_count; i++) {
		const int goes_on = i % 64 != 0 || snw_report_progress(host, (double)i / to->skin.point_count, mesh->name);
		status = goes_on ? SNW_OK : SNW_CANCELLED;
		find_center(&from, &to->skin, mesh->points_rest, i, width, to->centers + 3 * (size_t)i);
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const double width = input->values[WIDTH].numbers[0];
	snw_model *made = NULL;
	snw_status status = open_model(instance->host, input->character, &made);
	for (uint32_t m = 0; status == SNW_OK && m < made->mesh_count; m++) {
		if (made->meshes[m].skin.point_count > 0) {
			status = find_centers(instance->host, input->character->meshes[m], made->slot_count, width, &made->meshes[m]);
		}
	}
	if (status == SNW_OK) {
		*model = made;
	} else if (made) {
		snw_pool_release(&made->pool);
	}
	return status;
}

static void SNW_CALL release(snw_model *model) {
	snw_pool_release(&model->pool);
}

/* The rotations of the slots as quaternions; their matrices come with the pose. */
static void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	SNW_PUT(dest, snw_model_layout, .z_count = 4 * model->slot_count);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	for (uint32_t s = 0; s < call->model->slot_count; s++) {
		snw_transform parts;
		snw_transform_from_mat34(call->pose->palette + 12 * (size_t)s, &parts);
		memcpy(call->output->z + 4 * (size_t)s, parts.rotation, sizeof parts.rotation);
	}
	return SNW_OK;
}

/* A quaternion and its negative are the same rotation: each gets the sign that is nearer to the first one's. */
static void rotate_point(const snw_deform_call *call, const centered_mesh *mesh, uint32_t i, const double x[3], double out[3]) {
	const snw_skin *s = &mesh->skin;
	const uint32_t first = s->offsets[i], last = s->offsets[i + 1];
	/* About itself, a point follows its one joint, scale and all. */
	const double *center = last - first > 1 ? mesh->centers + 3 * (size_t)i : x;
	const double arm[3] = {x[0] - center[0], x[1] - center[1], x[2] - center[2]};
	double quaternion[4] = {0}, blend[12], rotation[12], rotated[3];
	for (uint32_t k = first; k < last; k++) {
		const double *q = call->driven->z + 4 * (size_t)s->slots[k];
		const double sign = snw_quat_dot(call->driven->z + 4 * (size_t)s->slots[first], q) < 0 ? -1 : 1;
		for (size_t c = 0; c < 4; c++) {
			quaternion[c] += sign * s->weights[k] * q[c];
		}
	}
	snw_quat_normalize(quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	snw_mat34_vector(rotation, arm, rotated);
	snw_skin_matrix(s, call->pose->palette, i, blend);
	snw_mat34_point(blend, center, out);
	for (size_t c = 0; c < 3; c++) {
		out[c] += rotated[c];
	}
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const centered_mesh *mesh = &call->model->meshes[call->mesh];
	for (uint32_t i = call->begin; i < call->end; i++) {
		const double *x = call->points_in + 3 * (size_t)i;
		if (mesh->skin.point_count > 0 && mesh->skin.offsets[i] < mesh->skin.offsets[i + 1]) {
			rotate_point(call, mesh, i, x, call->points_out + 3 * (size_t)i);
		} else {
			memcpy(call->points_out + 3 * (size_t)i, x, 3 * sizeof *x);
		}
	}
	return SNW_OK;
}

/* The skin comes back from the character: only the centres were learned. */
static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, "CENTERS1", 8);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const uint32_t points = model->meshes[m].skin.point_count;
		snw_write_u32(&writer, points);
		snw_write(&writer, model->meshes[m].centers, 3 * sizeof(double) * points);
	}
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	snw_model *made;
	char mark[8];
	(void)self;
	const snw_status status = open_model(call->host, call->character, &made);
	if (status != SNW_OK) {
		return status;
	}
	snw_read(&reader, mark, sizeof mark);
	int is_ours = memcmp(mark, "CENTERS1", 8) == 0;
	for (uint32_t m = 0; is_ours && m < made->mesh_count; m++) {
		const uint32_t points = made->meshes[m].skin.point_count;
		is_ours = snw_read_u32(&reader) == points;
		snw_read(&reader, made->meshes[m].centers, is_ours ? 3 * sizeof(double) * points : 0);
	}
	if (!is_ours || reader.failed || reader.count > 0) {
		snw_pool_release(&made->pool);
		return snw_report_fail(call->host, SNW_ERROR_DATA, "these centres are damaged, or of another character; fit again");
	}
	*model = made;
	return SNW_OK;
}

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	SNW_NUMBER("width", "Width", "How different the weights of two places may be that share a centre: sigma of the paper.", "",
			   0.1, 0.01, 1, SNW_STAGE_FIT, SNW_SOFT(0.05, 0.5))};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "com.example.centers",
	.short_name = "example-centers",
	.name = "Centres of rotation",
	.version = "1.0",
	.paper = "B. H. Le, J. K. Hodgins: Real-time Skeletal Skinning with Optimized Centers of Rotation, 2016",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES | SNW_NEEDS_SKIN,
	.traits = SNW_REPLACES_BLEND | SNW_REFITS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .deform = deform, .save = save, .load = load, .release = release)
