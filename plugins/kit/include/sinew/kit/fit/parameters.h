/* SPDX-License-Identifier: MIT
 *
 * The value that a parameter has for one group or one joint.
 */
#ifndef SINEW_KIT_FIT_PARAMETERS_H
#define SINEW_KIT_FIT_PARAMETERS_H

#include "sinew/deformer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of row `parameter` of the table for a group and a joint, either of them SNW_NONE where there is none: the override
 * of the joint, else of the group, else the value for all. Of several overrides the last one counts. Any thread. */
double snk_parameter_value(const snw_fit_input *input, uint32_t parameter, uint32_t group, uint32_t joint);

#ifdef __cplusplus
}
#endif

#endif
