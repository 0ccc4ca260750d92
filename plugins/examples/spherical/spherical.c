/* SPDX-License-Identifier: MIT
 *
 * Spherical blend skinning (L. Kavan, J. Žára: Spherical Blend Skinning: A Real-time Deformation of Articulated Models, 2005).
 * A point rotates by the mean rotation Q_i of its joints about a centre that all points of the same joints share:
 *
 *     v_i = Q_i (x_i − r) + B_i r        B_i = Σ_j w_ij T_j,  Q_i: the normalised quaternion Σ_j w_ij q_j
 *     r = argmin Σ_{a<b} |T_a r − T_b r|²  over the joints of the set: what they all take to nearly the same place
 *
 * So a centre depends on the pose, and on which joints move a point, but not on how much. Where we depart: where the joints
 * rotate about one axis, r may lie anywhere along it, and the paper cuts off small singular values. We add a small weight for
 * the middle of the points, so that r does not jump from pose to pose.
 */
#include "sinew/algebra.h"
#include "sinew/plugin.h"
#include "sinew/skin.h"

/* Of the distance from the middle, beside those of the equation: small against a rotation, large against rounding. */
#define PULL 1e-3

/* The points of one mesh that the same joints move: those of point `example`. */
typedef struct joint_set {
	uint32_t mesh, example, point_count;
	double middle[3];
} joint_set;

typedef struct set_mesh {
	snw_skin skin;
	uint32_t *sets; /* [points] */
} set_mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t slot_count, mesh_count, set_count;
	set_mesh *meshes;
	joint_set *sets;
};

/* ---- fit: which points share a centre ------------------------------------------------------------------------------------ */

static int same_joints(const snw_skin *skin, uint32_t i, uint32_t j) {
	const uint32_t count = skin->offsets[i + 1] - skin->offsets[i];
	int is_same = count == skin->offsets[j + 1] - skin->offsets[j];
	for (uint32_t k = 0; k < count && is_same; k++) {
		const uint32_t slot = skin->slots[skin->offsets[i] + k];
		uint32_t other = skin->offsets[j];
		while (other < skin->offsets[j + 1] && skin->slots[other] != slot) {
			other++;
		}
		is_same = other < skin->offsets[j + 1];
	}
	return is_same;
}

/* Finds the set of each point among those of its mesh, which begin at `first`. */
static void find_sets(snw_model *model, uint32_t m, const double *rest) {
	set_mesh *mesh = &model->meshes[m];
	const uint32_t first = model->set_count;
	for (uint32_t i = 0; i < mesh->skin.point_count; i++) {
		uint32_t s = first;
		while (s < model->set_count && !same_joints(&mesh->skin, i, model->sets[s].example)) {
			s++;
		}
		if (s == model->set_count) {
			model->sets[model->set_count++] = (joint_set){.mesh = m, .example = i};
		}
		mesh->sets[i] = s;
		joint_set *set = &model->sets[s];
		set->point_count++;
		for (size_t c = 0; c < 3; c++) {
			set->middle[c] += (rest[3 * (size_t)i + c] - set->middle[c]) / set->point_count;
		}
	}
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_character_view *character = input->character;
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	set_mesh *meshes = SNW_POOL_ARRAY(&pool, set_mesh, character->mesh_count);
	size_t points = 0;
	for (uint32_t m = 0; !pool.failed && m < character->mesh_count; m++) {
		meshes[m].skin = snw_skin_copy(&pool, character->meshes[m]);
		meshes[m].sets = SNW_POOL_ARRAY(&pool, uint32_t, meshes[m].skin.point_count);
		points += meshes[m].skin.point_count;
	}
	joint_set *sets = SNW_POOL_ARRAY(&pool, joint_set, points);
	if (pool.failed) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_model){pool, character->slot_count, character->mesh_count, 0, meshes, sets};
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		find_sets(made, m, character->meshes[m]->points_rest);
	}
	*model = made;
	return SNW_OK;
}

static void SNW_CALL release(snw_model *model) {
	snw_pool_release(&model->pool);
}

/* ---- drive: a quaternion for each slot, a centre for each set ------------------------------------------------------------ */

static void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	const uint32_t z_count = 4 * model->slot_count + 3 * model->set_count;
	SNW_PUT(dest, snw_model_layout, .z_count = z_count);
}

/* Adds the pair to the normal equations A r = b, as [A | −b]: what inverts an affine map then solves them. */
static void add_pair(const double *a, const double *b, double equations[12]) {
	double apart[12];
	for (size_t c = 0; c < 12; c++) {
		apart[c] = a[c] - b[c];
	}
	for (size_t r = 0; r < 12; r++) {
		for (size_t i = 0; i < 3; i++) {
			equations[r] += apart[4 * i + r / 4] * apart[4 * i + r % 4];
		}
	}
}

static void find_center(const snw_skin *skin, const joint_set *set, const double *palette, double *center) {
	double equations[12] = {0}, solved[12];
	for (uint32_t a = skin->offsets[set->example]; a < skin->offsets[set->example + 1]; a++) {
		for (uint32_t b = a + 1; b < skin->offsets[set->example + 1]; b++) {
			add_pair(palette + 12 * (size_t)skin->slots[a], palette + 12 * (size_t)skin->slots[b], equations);
		}
	}
	for (size_t c = 0; c < 3; c++) {
		equations[5 * c] += PULL;
		equations[4 * c + 3] -= PULL * set->middle[c];
	}
	const int is_solved = snw_mat34_invert(equations, solved);
	for (size_t c = 0; c < 3; c++) {
		center[c] = is_solved ? solved[4 * c + 3] : set->middle[c];
	}
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	for (uint32_t s = 0; s < model->slot_count; s++) {
		snw_transform parts;
		snw_transform_from_mat34(call->pose->palette + 12 * (size_t)s, &parts);
		memcpy(call->output->z + 4 * (size_t)s, parts.rotation, sizeof parts.rotation);
	}
	double *centers = call->output->z + 4 * (size_t)model->slot_count;
	for (uint32_t s = 0; s < model->set_count; s++) {
		const joint_set *set = &model->sets[s];
		find_center(&model->meshes[set->mesh].skin, set, call->pose->palette, centers + 3 * (size_t)s);
	}
	return SNW_OK;
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

/* A quaternion and its negative are the same rotation: each gets the sign that is nearer to the first one's. */
static void mean_rotation(const snw_skin *skin, const double *quaternions, uint32_t i, double matrix[12]) {
	const double *first = quaternions + 4 * (size_t)skin->slots[skin->offsets[i]];
	double sum[4] = {0};
	for (uint32_t k = skin->offsets[i]; k < skin->offsets[i + 1]; k++) {
		const double *q = quaternions + 4 * (size_t)skin->slots[k];
		for (size_t c = 0; c < 4; c++) {
			sum[c] += (snw_quat_dot(first, q) < 0 ? -1 : 1) * skin->weights[k] * q[c];
		}
	}
	snw_quat_normalize(sum);
	snw_quat_to_mat34(sum, matrix);
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const set_mesh *mesh = &call->model->meshes[call->mesh];
	const double *centers = call->driven->z + 4 * (size_t)call->model->slot_count;
	for (uint32_t i = call->begin; i < call->end; i++) {
		const double *x = call->points_in + 3 * (size_t)i;
		double *out = call->points_out + 3 * (size_t)i, blend[12], rotation[12], rotated[3];
		const uint32_t count = mesh->skin.point_count > 0 ? mesh->skin.offsets[i + 1] - mesh->skin.offsets[i] : 0;
		if (count == 0) {
			memcpy(out, x, 3 * sizeof *x);
			continue;
		}
		/* About itself, a point follows its one joint, scale and all. */
		const double *center = count > 1 ? centers + 3 * (size_t)mesh->sets[i] : x;
		const double arm[3] = {x[0] - center[0], x[1] - center[1], x[2] - center[2]};
		mean_rotation(&mesh->skin, call->driven->z, i, rotation);
		snw_skin_matrix(&mesh->skin, call->pose->palette, i, blend);
		snw_mat34_vector(rotation, arm, rotated);
		snw_mat34_point(blend, center, out);
		for (size_t c = 0; c < 3; c++) {
			out[c] += rotated[c];
		}
	}
	return SNW_OK;
}

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "com.example.spherical",
	.short_name = "example-spherical",
	.name = "Spherical blend",
	.version = "1.0",
	.paper = "L. Kavan, J. Zara: Spherical Blend Skinning: A Real-time Deformation of Articulated Models, 2005",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKIN,
	.traits = SNW_BINDS | SNW_REPLACES_BLEND,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .deform = deform, .release = release)
