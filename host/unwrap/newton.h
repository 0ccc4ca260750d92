/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The least L2 stretch of a flat chart by Newton steps that turn no triangle over. Private to host/unwrap.
 *
 * The sum over triangles of area · L2² + UV area is least where the product of both sums is, and that is the stretch of any
 * scale; so charts that are flattened apart have the best sizes against each other. Each triangle's Hessian is made positive
 * by its singular values (Smith, de Goes and Kim, "Analytic eigensystems for isotropic distortion energies", 2019).
 */
#ifndef SINEW_HOST_UNWRAP_NEWTON_H
#define SINEW_HOST_UNWRAP_NEWTON_H

#include "unwrap/problem.h"

/* Scales UVs to the best size. */
void unwrap_scale_best(const unwrap_problem *problem, double (*uvs)[2]);

/* At most so many steps, from UVs that turn none over; `is_least` gets whether no further one would gain much.
 * SNW_CANCELLED, SNW_ERROR_MEMORY. */
snw_status unwrap_stretch_reduce(unwrap_problem *problem, uint32_t steps, double (*uvs)[2], bool *is_least);

#endif
