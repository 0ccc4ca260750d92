/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multi-weight enveloping, for comparison with other methods: X. Wang, C. Phillips, Multi-weight enveloping: least-squares
 * approximation techniques for skin animation, Symposium on Computer Animation 2002. Each influence has twelve weights, one for
 * each element of its joint's matrix: component r of a point is
 *
 *     y_r = Σ_s Σ_c M_s,rc w_is,rc x̂_c,    x̂ = (x, 1)
 *
 * A row p_is,r = (w_r1 x_1, w_r2 x_2, w_r3 x_3, w_r4) contains the rest point. So each component of each point is a separate
 * linear least-squares problem, and all points share the 4×4 blocks of the matrices' rows. docs/design.md describes how three
 * slots for each joint make it a skin program.
 *
 * Departures from the paper:
 *   - M_s = Rᵀ T_s and v = R y, with R the root's rotation from rest, so that the model rotates with the character. The paper
 *     uses world components.
 *   - The weights of translations sum to one in each component, so that the model moves with the character.
 *   - A ridge keeps the rows at those of the linear blend, where the paper cuts off small singular values.
 *   - A point's influences are those of its skin, all of them.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/put.h"
#include "sinew/report.h"
#include "sinew/sinew.h"

struct snw_model {
	snw_pool pool;        /* holds the model itself and its arrays */
	uint32_t slot_count;  /* of the character */
	uint32_t root;        /* the joint whose rotation is R; SNW_NONE for none */
	double root_rest[12]; /* its global matrix at rest */
	snk_row_skin skin;
};

/* Slot 3 s + r of the model's palette has row r of slot s. */
enum { COMPONENTS = 3 };

/* Rows of the parameter table. */
enum { RIDGE, PARAMETER_COUNT };

/* R of a pose, row-major. */
static void root_rotation(const snw_model *model, const snw_pose_view *pose, double rotation[9]) {
	double posed[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	if (model->root != SNW_NONE) {
		snw_mat34_rotation(pose->global + (size_t)12 * model->root, posed);
		snw_mat34_rotation(model->root_rest, rest);
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			rotation[3 * r + c] =
				posed[3 * r] * rest[3 * c] + posed[3 * r + 1] * rest[3 * c + 1] + posed[3 * r + 2] * rest[3 * c + 2];
		}
	}
}

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* Fitting, mesh by mesh: first the sums over samples, which all points share, then each component of each point separately. A
 * mesh without samples keeps its linear blend. */

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	const snw_character_view *character;
	const snw_mesh_view *mesh;
	double ridge, scale; /* scale: the diagonal, metres */
	uint32_t sample_count;
	snk_sample *samples;
	double *rotations; /* [sample_count][9]: R */
	double *matrices;  /* [sample_count][slot_count][12]: Rᵀ T, its translations over the scale, from the samples' origins */
	double *origins;   /* [sample_count][3]: the mean translation of the slots' matrices, in the axes of R */
	double *gram;      /* [3][slot_count][slot_count][16] */
	double *residuals; /* [point_count] */
} mesh_fit;

typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_model *model;
	uint32_t sample_count, morphed_count;
	double weight, squares;
} fitting;

static snw_status open_model(const snw_character_view *character, snw_model *model) {
	const snw_skeleton_view *skeleton = character->skeleton;
	if (character->slot_count > UINT32_MAX / 12 / COMPONENTS) {
		return SNW_ERROR_LIMIT;
	}
	model->slot_count = character->slot_count;
	model->root = skeleton->joint_count > 0 ? skeleton->order[0] : SNW_NONE;
	if (model->root != SNW_NONE) {
		memcpy(model->root_rest, skeleton->rest_global + (size_t)12 * model->root, sizeof model->root_rest);
	}
	return SNW_OK;
}

/* ---- sums over samples --------------------------------------------------------------------------------------------------- */

/* Rᵀ v */
static void to_root(const double rotation[9], const double v[3], double dest[3]) {
	const double from[3] = {v[0], v[1], v[2]};
	for (int r = 0; r < 3; r++) {
		dest[r] = rotation[r] * from[0] + rotation[3 + r] * from[1] + rotation[6 + r] * from[2];
	}
}

static void fill_matrices(const snw_model *model, mesh_fit *f) {
	const uint32_t slots = f->character->slot_count;
	for (uint32_t k = 0; k < f->sample_count; k++) {
		double *rotation = f->rotations + (size_t)9 * k, *origin = f->origins + (size_t)3 * k;
		root_rotation(model, f->samples[k].pose, rotation);
		for (uint32_t s = 0; s < slots; s++) {
			const double *t = f->samples[k].pose->palette + (size_t)12 * s;
			double *m = f->matrices + ((size_t)slots * k + s) * 12;
			for (int c = 0; c < 4; c++) {
				double column[3] = {t[c], t[4 + c], t[8 + c]};
				to_root(rotation, column, column);
				for (int r = 0; r < 3; r++) {
					m[4 * r + c] = column[r];
					origin[r] += c == 3 ? column[r] / slots : 0;
				}
			}
		}
		for (uint32_t s = 0; s < slots; s++) {
			for (int r = 0; r < 3; r++) {
				double *along = f->matrices + ((size_t)slots * k + s) * 12 + 4 * r + 3;
				*along = (*along - origin[r]) / f->scale;
			}
		}
	}
}

/* The products of all pairs of slots: half of what is reported of mesh m. */
static snw_status fill_gram(const mesh_fit *f, uint32_t m) {
	const size_t slots = f->character->slot_count;
	for (uint32_t k = 0; k < f->sample_count; k++) {
		const double done = (m + 0.5 * k / f->sample_count) / f->character->mesh_count;
		if (!snw_report_progress(f->host, done, "summing samples")) {
			return SNW_CANCELLED;
		}
		for (size_t pair = 0; pair < slots * slots; pair++) {
			const double *a = f->matrices + (slots * k + pair / slots) * 12, *b = f->matrices + (slots * k + pair % slots) * 12;
			for (size_t r = 0; r < COMPONENTS; r++) {
				double *block = f->gram + (r * slots * slots + pair) * 16;
				for (size_t i = 0; i < 16; i++) {
					block[i] += a[4 * r + i / 4] * b[4 * r + i % 4] / f->sample_count;
				}
			}
		}
	}
	return SNW_OK;
}

/* ---- a component of a point ---------------------------------------------------------------------------------------------- */

/* Influences of a point and one component; numbers in units of the scale. */
typedef struct component_fit {
	uint32_t count, point, component;
	uint32_t *slots;  /* [count] */
	double *start;    /* [count][4]: rows of the linear blend */
	double *right;    /* [count][4] */
	double *rows;     /* [count][4] */
	double *solution; /* [4 count + 1] */
	double *system;   /* [4 count + 1][4 count + 1] */
	double square;    /* the mean square of the component's target */
} component_fit;

static void find_start(const mesh_fit *f, component_fit *p) {
	const snw_mesh_view *mesh = f->mesh;
	p->count = 0;
	for (uint32_t k = mesh->influence_offsets[p->point]; k < mesh->influence_offsets[p->point + 1]; k++) {
		const double weight = mesh->influence_weights[k];
		for (size_t c = 0; c < 3; c++) {
			p->start[4 * p->count + c] = weight * mesh->points_rest[(size_t)3 * p->point + c] / f->scale;
		}
		p->start[4 * p->count + 3] = weight;
		p->slots[p->count++] = mesh->influence_slots[k];
	}
}

static void find_right(const mesh_fit *f, component_fit *p) {
	const uint32_t slots = f->character->slot_count, r = p->component;
	memset(p->right, 0, 4 * p->count * sizeof *p->right);
	p->square = 0;
	for (uint32_t k = 0; k < f->sample_count; k++) {
		double v[3];
		snk_sample_point(&f->samples[k], p->point, v);
		to_root(f->rotations + (size_t)9 * k, v, v);
		const double goal = (v[r] - f->origins[(size_t)3 * k + r]) / f->scale;
		p->square += goal * goal / f->sample_count;
		for (uint32_t i = 0; i < 4 * p->count; i++) {
			const double *m = f->matrices + ((size_t)slots * k + p->slots[i / 4]) * 12;
			p->right[i] += m[4 * r + i % 4] * goal / f->sample_count;
		}
	}
}

static double gram_at(const mesh_fit *f, const component_fit *p, uint32_t i, uint32_t j) {
	const size_t slots = f->character->slot_count, pair = slots * p->slots[i / 4] + p->slots[j / 4];
	return f->gram[(p->component * slots * slots + pair) * 16 + 4 * (i % 4) + j % 4];
}

/* The normal equations for rows − start, with a multiplier for the sum of the weights: an indefinite system of size 4m + 1. */
static snw_status solve_rows(const mesh_fit *f, component_fit *p) {
	const uint32_t n = 4 * p->count, size = n + 1;
	double *system = p->system, *x = p->solution;
	memset(system, 0, (size_t)size * size * sizeof *system);
	x[n] = 0;
	for (uint32_t i = 0; i < n; i++) {
		x[i] = p->right[i];
		for (uint32_t j = 0; j < n; j++) {
			const double gram = gram_at(f, p, i, j);
			system[(size_t)i * size + j] = gram + (i == j ? f->ridge : 0);
			x[i] -= gram * p->start[j];
		}
		system[(size_t)i * size + n] = system[(size_t)n * size + i] = i % 4 == 3;
	}
	snk_factor factor;
	snw_status status = snk_factor_dense(f->host, size, system, NULL, &factor);
	if (!snk_failed(status)) {
		status = snk_factor_solve(&factor, 1, x);
		snk_factor_release(&factor);
	}
	for (uint32_t i = 0; i < n; i++) {
		p->rows[i] = p->start[i] + x[i];
	}
	return status;
}

static double mean_square(const mesh_fit *f, const component_fit *p) {
	double sum = p->square;
	for (uint32_t i = 0; i < 4 * p->count; i++) {
		double image = -2 * p->right[i];
		for (uint32_t j = 0; j < 4 * p->count; j++) {
			image += gram_at(f, p, i, j) * p->rows[j];
		}
		sum += p->rows[i] * image;
	}
	return fmax(sum, 0);
}

/* ---- a mesh -------------------------------------------------------------------------------------------------------------- */

/* Three slots for each influence, with the linear blend as rows; the fit replaces them. */
static snw_status split_linear_blend(const snw_mesh_view *mesh, snw_pool *pool, snk_row_skin_mesh *skin, double **rows) {
	*skin = (snk_row_skin_mesh){.point_count = mesh->point_count};
	if (!mesh->influence_offsets) {
		return SNW_OK;
	}
	const size_t count = mesh->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, COMPONENTS * count);
	*rows = SNW_POOL_ARRAY(pool, double, 4 * COMPONENTS * count);
	if (pool->failed || count > UINT32_MAX / COMPONENTS / 4) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		offsets[i + 1] = COMPONENTS * mesh->influence_offsets[i + 1];
		for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			const uint32_t from = k / COMPONENTS;
			const double weight = mesh->influence_weights[from];
			slots[k] = COMPONENTS * mesh->influence_slots[from] + k % COMPONENTS;
			for (size_t c = 0; c < 3; c++) {
				(*rows)[(size_t)4 * k + c] = weight * mesh->points_rest[(size_t)3 * i + c];
			}
			(*rows)[(size_t)4 * k + 3] = weight;
		}
	}
	*skin = (snk_row_skin_mesh){mesh->point_count, offsets, slots, *rows};
	return SNW_OK;
}

static void store_rows(const mesh_fit *f, const component_fit *p, double *rows) {
	const size_t first = (size_t)COMPONENTS * f->mesh->influence_offsets[p->point];
	for (uint32_t i = 0; i < 4 * p->count; i++) {
		rows[4 * (first + i / 4 * COMPONENTS + p->component) + i % 4] = p->rows[i] * (i % 4 < 3 ? f->scale : 1);
	}
}

static snw_status open_component(const snw_mesh_view *mesh, snw_pool *scratch, component_fit *p) {
	size_t most = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const size_t count = mesh->influence_offsets[i + 1] - mesh->influence_offsets[i];
		most = count > most ? count : most;
	}
	*p = (component_fit){.slots = SNW_POOL_ARRAY(scratch, uint32_t, most),
						 .start = SNW_POOL_ARRAY(scratch, double, 4 * most),
						 .right = SNW_POOL_ARRAY(scratch, double, 4 * most),
						 .rows = SNW_POOL_ARRAY(scratch, double, 4 * most),
						 .solution = SNW_POOL_ARRAY(scratch, double, 4 * most + 1),
						 .system = SNW_POOL_ARRAY(scratch, double, (4 * most + 1) * (4 * most + 1))};
	return scratch->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status fit_points(const fitting *all, uint32_t m, snw_pool *scratch, mesh_fit *f, double *rows) {
	component_fit p;
	snw_status status = open_component(f->mesh, scratch, &p);
	for (uint32_t i = 0; !snk_failed(status) && i < f->mesh->point_count; i++) {
		const uint32_t count = f->mesh->influence_offsets[i + 1] - f->mesh->influence_offsets[i];
		const double done = (m + 0.5 + 0.5 * i / f->mesh->point_count) / f->character->mesh_count;
		double square = 0;
		if (i % 64 == 0 && !snw_report_progress(all->host, done, "fitting weights")) {
			return SNW_CANCELLED;
		}
		for (uint32_t r = 0; count > 0 && !snk_failed(status) && r < COMPONENTS; r++) {
			p.point = i;
			p.component = r;
			find_start(f, &p);
			find_right(f, &p);
			status = solve_rows(f, &p);
			store_rows(f, &p, rows);
			square += mean_square(f, &p);
		}
		f->residuals[i] = f->scale * sqrt(square);
	}
	return status;
}

static snw_status open_mesh(const fitting *all, uint32_t m, snw_pool *scratch, mesh_fit *f) {
	const snw_character_view *character = all->input->character;
	const size_t slots = character->slot_count;
	*f = (mesh_fit){.host = all->host,
					.input = all->input,
					.character = character,
					.mesh = character->meshes[m],
					.ridge = all->input->values[RIDGE].numbers[0]};
	if (!f->mesh->influence_offsets || f->mesh->point_count == 0) {
		return SNW_OK;
	}
	snw_status status = snk_samples_gather(all->input, m, scratch, &f->samples, &f->sample_count);
	if (!snk_failed(status) && f->sample_count > 0) {
		status = snk_row_skin_check_below(all->host, character, m, f->samples[0].pose, "multi-weight");
	}
	if (snk_failed(status) || f->sample_count == 0) {
		return status;
	}
	const double diagonal = snk_bounds_diagonal(f->mesh->points_rest, f->mesh->point_count);
	f->scale = diagonal > 0 ? diagonal : 1;
	f->rotations = SNW_POOL_ARRAY(scratch, double, (size_t)9 * f->sample_count);
	f->matrices = SNW_POOL_ARRAY(scratch, double, 12 * slots * f->sample_count);
	f->origins = SNW_POOL_ARRAY(scratch, double, (size_t)3 * f->sample_count);
	f->gram = SNW_POOL_ARRAY(scratch, double, COMPONENTS *slots *slots * 16);
	f->residuals = SNW_POOL_ARRAY(scratch, double, f->mesh->point_count);
	if (scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	fill_matrices(all->model, f);
	return fill_gram(f, m);
}

static snw_status fit_mesh(fitting *all, uint32_t m, snk_row_skin_mesh *skin) {
	snw_pool scratch = snw_pool_open(all->host);
	mesh_fit f;
	double *rows = NULL;
	snw_status status = split_linear_blend(all->input->character->meshes[m], &all->model->pool, skin, &rows);
	status = snk_failed(status) ? status : open_mesh(all, m, &scratch, &f);
	if (!snk_failed(status) && f.sample_count > 0) {
		status = fit_points(all, m, &scratch, &f, rows);
		for (uint32_t i = 0; !snk_failed(status) && i < f.mesh->point_count; i++) {
			all->squares += f.residuals[i] * f.residuals[i] * f.sample_count;
		}
		all->weight += (double)f.mesh->point_count * f.sample_count;
		all->sample_count += f.sample_count;
		all->morphed_count += snk_samples_count_morphed(f.samples, f.sample_count);
	}
	if (!snk_failed(status) && f.sample_count > 0) {
		snk_field_propose(all->host, m, "residual", SNW_DOMAIN_POINTS, f.mesh->point_count, f.residuals);
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status run(fitting *all) {
	const snw_character_view *character = all->input->character;
	snk_row_skin_mesh *meshes = SNW_POOL_ARRAY(&all->model->pool, snk_row_skin_mesh, character->mesh_count);
	snw_status status = meshes ? open_model(character, all->model) : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = fit_mesh(all, m, &meshes[m]);
	}
	all->model->skin = (snk_row_skin){COMPONENTS * character->slot_count, character->mesh_count, meshes};
	status = snk_failed(status) ? status : snk_samples_check(all->host, all->morphed_count, all->sample_count);
	if (!snk_failed(status)) {
		snw_report_line(all->host, SNW_LOG_INFO, "weights fitted to %u samples: root mean square distance %.4g mm",
						all->sample_count, 1e3 * sqrt(all->squares / all->weight));
	}
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	fitting all = {.host = instance->host, .input = input, .model = made};
	return snk_model_finish(made ? run(&all) : SNW_ERROR_MEMORY, made, model);
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* A fitted model: driven, lowered to the affine blend over its own palette, and as bytes: a mark, the rows, a seal. Slot (s, r)
 * of the palette holds R's column r times row r of Rᵀ T_s, so that the results of the three slots sum to R y. The root is the
 * character's. */

static void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	SNW_PUT(dest, snw_model_layout, .z_count = 12 * COMPONENTS * model->slot_count);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	double rotation[9];
	root_rotation(call->model, call->pose, rotation);
	for (uint32_t s = 0; s < call->model->slot_count; s++) {
		const double *t = call->pose->palette + (size_t)12 * s;
		for (int r = 0; r < COMPONENTS; r++) {
			double *z = call->output->z + ((size_t)s * COMPONENTS + (size_t)r) * 12;
			for (int c = 0; c < 4; c++) {
				const double row = rotation[r] * t[c] + rotation[3 + r] * t[4 + c] + rotation[6 + r] * t[8 + c];
				for (int a = 0; a < 3; a++) {
					z[4 * a + c] = rotation[3 * a + r] * row;
				}
			}
		}
	}
	return SNW_OK;
}

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	return snk_row_skin_lower(&call->model->skin, call, SNW_PALETTE_MATRICES);
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	if (bytes->is_load) {
		bytes->status = open_model(bytes->character, model);
		model->skin.slot_count = COMPONENTS * model->slot_count;
	}
	snk_row_skin_bytes(bytes, &model->skin);
}

static const snk_model_format format = {"SNWMULTI", 1, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	return snk_transfer_row_skin(call, &model->pool, &model->skin);
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

/* The default ridge: learned from a human's range of motion, the erms of a held-out dance is 1.143 with 1e-4, 0.954 with 1e-3,
 * 0.743 with 1e-2 and 0.877 with 1e-1. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly points stay with the original skin where the samples say little.", "",
						 1e-2, 1e-9, 1e6, SNW_STAGE_FIT, SNW_SOFT(1e-5, 1e-1)),
};

static const snw_field_info *const fields[] = {
	SNK_RESIDUAL_FIELD,
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.multi-weight",
	.short_name = "multi-weight",
	.name = "Multi-weight enveloping",
	.version = "1.0",
	.paper = "X. Wang, C. Phillips: Multi-weight enveloping: least-squares approximation techniques for skin animation, 2002",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .transfer = transfer)
