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
#ifndef SINEW_DEFORMERS_MULTI_WEIGHT
#define SINEW_DEFORMERS_MULTI_WEIGHT

#include "sinew/kit/skin/row_skin.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { RIDGE, PARAMETER_COUNT };

/* Slot 3 s + r of the model's palette has row r of slot s. */
enum { COMPONENTS = 3 };

struct snw_model {
	snw_pool pool;        /* holds the model itself and its arrays */
	uint32_t slot_count;  /* of the character */
	uint32_t root;        /* the joint whose rotation is R; SNW_NONE for none */
	double root_rest[12]; /* its global matrix at rest */
	snk_row_skin skin;
};

/* R of a pose, row-major. */
void root_rotation(const snw_model *model, const snw_pose_view *pose, double rotation[9]);

snw_status open_model(const snw_character_view *character, snw_model *model);
snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *dest);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);

#endif
