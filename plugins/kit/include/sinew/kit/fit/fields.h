/* SPDX-License-Identifier: MIT
 *
 * Fields that a fit proposes, for the window to show.
 */
#ifndef SINEW_KIT_FIT_FIELDS_H
#define SINEW_KIT_FIT_FIELDS_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Proposes a field of one component that the descriptor declares as written. `owner`: the mesh for points and faces, else 0.
 * The values [count] are copied. Nothing happens where the host has no proposal service. From the thread of the fit. */
void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values);

#ifdef __cplusplus
}
#endif

#endif
