/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dual quaternion blend: the joints' rigid motions are averaged as dual quaternions, so that what lies between two joints
 * turns and never collapses. The rig's own weights; joints' scales are blended linearly and act on the rest point first.
 */
#ifndef SINEW_DEFORMERS_DUAL_QUATERNION
#define SINEW_DEFORMERS_DUAL_QUATERNION

#include "math/base_skin.h"
#include "sinew/pool.h"
#include "sinew/sinew.h"

struct snw_instance {
	snw_pool pool; /* holds the instance itself */
	const snw_host *host;
};

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	snw_base_skin skin;
};

snw_status create(const snw_host *host, snw_instance **instance);
void destroy(snw_instance *instance);
snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void release(snw_model *model);
void layout(const snw_model *model, snw_drive_layout *layout);
size_t scratch_bytes(const snw_model *model);
snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part, const char **reason);
snw_status save(const snw_model *model, const snw_sink *sink);
snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count, snw_model **model);

#endif
