/* SPDX-License-Identifier: MIT
 *
 * Optimised centres of rotation (B. H. Le, J. K. Hodgins: Real-time Skeletal Skinning with Optimized Centers of Rotation, 2016). A point
 * turns by the mean rotation R_i of its joints about a centre p*_i that moves as in linear blend:
 *
 *     v_i = R_i (x_i − p*_i) + B_i p*_i       B_i = Σ_j w_ij T_j,  R_i: the normalised quaternion Σ_j w_ij q_j
 *     p*_i = ∫ s(i, x) x dx / ∫ s(i, x) dx,   over the skin                                                        (equation 1)
 *     s(i, x) = Σ_{j<k} w_ij w_ik w_xj w_xk exp(−(w_ij w_xk − w_ik w_xj)² / σ²)                                    (equation 2)
 *
 * So the centre of a point is the middle of that part of the skin which follows the same joints in about the same proportions. A point
 * of a single joint has none, and follows it. Where we depart: the paper sums over triangles, we over points.
 */
#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/plugin.h"
#include "sinew/report.h"

enum { WIDTH, PARAMETER_COUNT };

/* The influences of point i are offsets[i] to offsets[i + 1] - 1. */
typedef struct mesh_skin {
	uint32_t count; /* points; 0: the mesh has no skin */
	const uint32_t *offsets, *slots;
	const double *weights;
	double *centers; /* [count][3] */
} mesh_skin;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t slot_count, mesh_count;
	mesh_skin *meshes;
};

/* Where the integrals are taken: at the points, each with a third of the area of its triangles. */
typedef struct surface {
	double *areas;             /* [points] */
	uint32_t *first, *members; /* the points that follow slot j: members[first[j]] to members[first[j + 1] - 1] */
} surface;

static double weight_of(const mesh_skin *s, uint32_t i, uint32_t slot) {
	for (uint32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++) {
		if (s->slots[k] == slot) {
			return s->weights[k];
		}
	}
	return 0;
}

/* Polygons are split into fans. */
static void find_areas(const snw_mesh_view *mesh, double *areas) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *face = mesh->face_points + mesh->face_offsets[f];
		for (uint32_t c = 1; c + 1 < mesh->face_offsets[f + 1] - mesh->face_offsets[f]; c++) {
			const uint32_t corners[3] = {face[0], face[c], face[c + 1]};
			double edges[6], normal[3];
			for (size_t i = 0; i < 6; i++) {
				edges[i] = mesh->points_rest[3 * (size_t)corners[1 + i / 3] + i % 3] -
						   mesh->points_rest[3 * (size_t)corners[0] + i % 3];
			}
			snw_cross3(edges, edges + 3, normal);
			for (size_t i = 0; i < 3; i++) {
				areas[corners[i]] += snw_length3(normal) / 6;
			}
		}
	}
}

static int find_surface(const snw_mesh_view *mesh, const mesh_skin *s, uint32_t slot_count, snw_pool *pool, surface *to) {
	const uint32_t influences = s->offsets[s->count];
	to->areas = SNW_POOL_ARRAY(pool, double, s->count);
	to->first = SNW_POOL_ARRAY(pool, uint32_t, (size_t)slot_count + 2);
	to->members = SNW_POOL_ARRAY(pool, uint32_t, influences);
	if (pool->failed) {
		return 0;
	}
	find_areas(mesh, to->areas);
	/* A counting sort by slot: first[j + 1] runs through the places of slot j, and ends where those of j + 1 begin. */
	for (uint32_t k = 0; k < influences; k++) {
		to->first[s->slots[k] + 2]++;
	}
	for (uint32_t j = 0; j < slot_count; j++) {
		to->first[j + 2] += to->first[j + 1];
	}
	for (uint32_t i = 0; i < s->count; i++) {
		for (uint32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++) {
			to->members[to->first[s->slots[k] + 1]++] = i;
		}
	}
	return 1;
}

/* Equations 1 and 2. Only points that follow both joints of a pair count for it. */
static void find_center(const surface *from, const mesh_skin *s, const double *rest, uint32_t i, double width) {
	double sum[3] = {0, 0, 0}, whole = 0;
	for (uint32_t a = s->offsets[i]; a < s->offsets[i + 1]; a++) {
		for (uint32_t b = a + 1; b < s->offsets[i + 1]; b++) {
			for (uint32_t n = from->first[s->slots[a]]; n < from->first[s->slots[a] + 1]; n++) {
				const uint32_t x = from->members[n];
				const double xj = weight_of(s, x, s->slots[a]), xk = weight_of(s, x, s->slots[b]);
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
		s->centers[3 * (size_t)i + c] = whole > 1e-300 ? sum[c] / whole : rest[3 * (size_t)i + c];
	}
}

static const void *copy(snw_pool *pool, const void *from, size_t bytes) {
	void *made = snw_pool_acquire(pool, bytes, 1);
	return made ? memcpy(made, from, bytes) : NULL;
}

/* What a model has from the character: the skin, and room for the centres. */
static snw_status open_model(const snw_host *host, const snw_character_view *character, snw_model **model) {
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	mesh_skin *meshes = SNW_POOL_ARRAY(&pool, mesh_skin, character->mesh_count);
	for (uint32_t m = 0; !pool.failed && m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = character->meshes[m];
		if (mesh->influence_offsets) {
			const size_t points = mesh->point_count, influences = mesh->influence_offsets[points];
			meshes[m].count = mesh->point_count;
			meshes[m].offsets = copy(&pool, mesh->influence_offsets, (points + 1) * sizeof(uint32_t));
			meshes[m].slots = copy(&pool, mesh->influence_slots, influences * sizeof(uint32_t));
			meshes[m].weights = copy(&pool, mesh->influence_weights, influences * sizeof(double));
			meshes[m].centers = SNW_POOL_ARRAY(&pool, double, 3 * points);
		}
	}
	if (pool.failed) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_model){pool, character->slot_count, character->mesh_count, meshes};
	*model = made;
	return SNW_OK;
}

static snw_status find_centers(const snw_host *host, const snw_mesh_view *mesh, const mesh_skin *s, uint32_t slot_count,
							   double width) {
	snw_pool scratch = snw_pool_open(host);
	surface from;
	snw_status status = find_surface(mesh, s, slot_count, &scratch, &from) ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t i = 0; status == SNW_OK && i < s->count; i++) {
		const int goes_on = i % 64 != 0 || snw_report_progress(host, (double)i / s->count, mesh->name);
		status = goes_on ? SNW_OK : SNW_CANCELLED;
		find_center(&from, s, mesh->points_rest, i, width);
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = NULL;
	snw_status status = open_model(instance->host, input->character, &made);
	for (uint32_t m = 0; status == SNW_OK && m < made->mesh_count; m++) {
		if (made->meshes[m].count > 0) {
			status = find_centers(instance->host, input->character->meshes[m], &made->meshes[m], made->slot_count,
								  input->values[WIDTH].numbers[0]);
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
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout), .z_count = 4 * model->slot_count});
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
static void turn_point(const snw_deform_call *call, const mesh_skin *s, uint32_t i, const double x[3], double out[3]) {
	const double *first = call->driven->z + 4 * (size_t)s->slots[s->offsets[i]];
	/* About itself, a point follows its one joint, scale and all. */
	const double *center = s->offsets[i + 1] - s->offsets[i] > 1 ? s->centers + 3 * (size_t)i : x;
	const double arm[3] = {x[0] - center[0], x[1] - center[1], x[2] - center[2]};
	double turn[4] = {0}, blend[12] = {0}, rotation[12], turned[3];
	for (uint32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++) {
		const double *q = call->driven->z + 4 * (size_t)s->slots[k], *matrix = call->pose->palette + 12 * (size_t)s->slots[k];
		const double weight = s->weights[k], sign = snw_quat_dot(first, q) < 0 ? -1 : 1;
		for (size_t c = 0; c < 12; c++) {
			blend[c] += weight * matrix[c];
			turn[c % 4] += c < 4 ? sign * weight * q[c] : 0;
		}
	}
	snw_quat_normalize(turn);
	snw_quat_to_mat34(turn, rotation);
	snw_mat34_vector(rotation, arm, turned);
	snw_mat34_point(blend, center, out);
	for (size_t c = 0; c < 3; c++) {
		out[c] += turned[c];
	}
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const mesh_skin *s = &call->model->meshes[call->mesh];
	for (uint32_t i = call->begin; i < call->end; i++) {
		const double *x = call->points_in + 3 * (size_t)i;
		if (s->count > 0 && s->offsets[i] < s->offsets[i + 1]) {
			turn_point(call, s, i, x, call->points_out + 3 * (size_t)i);
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
		snw_write_u32(&writer, model->meshes[m].count);
		snw_write(&writer, model->meshes[m].centers, 3 * sizeof(double) * model->meshes[m].count);
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
		is_ours = snw_read_u32(&reader) == made->meshes[m].count;
		snw_read(&reader, made->meshes[m].centers, is_ours ? 3 * sizeof(double) * made->meshes[m].count : 0);
	}
	if (!is_ours || reader.failed || reader.count > 0) {
		snw_pool_release(&made->pool);
		return snw_report_fail(call->host, SNW_ERROR_DATA, "these centres are damaged, or of another character; fit again");
	}
	*model = made;
	return SNW_OK;
}

static const snw_parameter width = {
	.size = sizeof width,
	.key = "width",
	.label = "Width",
	.help = "How different the weights of two places may be that share a centre: sigma of the paper.",
	.unit = "",
	.kind = SNW_PARAMETER_NUMBER,
	.stage = SNW_STAGE_FIT,
	.initial = SNW_NUMBER(0.1),
	.minimum = 0.01,
	.maximum = 1,
	.soft_minimum = 0.05,
	.soft_maximum = 0.5,
};
static const snw_parameter *const parameters[PARAMETER_COUNT] = {&width};

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

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.deform = deform,
	.save = save,
	.load = load,
	.release = release,
};

SNW_PLUGIN(deformer)
