/* SPDX-License-Identifier: MIT
 *
 * Fields that a fit proposes, for the window to show, and masks, which artists paint.
 */
#ifndef SINEW_KIT_FIT_FIELDS_H
#define SINEW_KIT_FIT_FIELDS_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of a descriptor's table: the field "residual" of a fit to samples. */
#define SNK_RESIDUAL_FIELD                                                                                                     \
	SNW_WRITTEN_FIELD("residual", "Residual", "The root mean square distance between the fit and the samples, at each point.", \
					  "m", SNW_DOMAIN_POINTS)

/* Proposes a field of one component that the descriptor declares as written. `owner`: the mesh for points and faces, else 0.
 * The values [count] are copied. Nothing happens where the host has no proposal service. From the thread of the fit. */
void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values);

/* The field of points with this name; NULL where the mesh has none. Any thread. */
const snw_field_view *snk_field_find(const snw_mesh_view *mesh, const char *name);

/* mask [point_count]: such a field as shares from 0 to 1, its first component clamped; `without` everywhere where the mesh has
 * none. Any thread. */
void snk_mask_fill(const snw_mesh_view *mesh, const char *name, double without, double *mask);

#ifdef __cplusplus
}
#endif

#endif
