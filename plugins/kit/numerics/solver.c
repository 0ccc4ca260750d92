/* SPDX-License-Identifier: MIT */
#include "sinew/kit/numerics/solver.h"

static snk_factor open_factor(const snw_host *host) {
	return (snk_factor){.host = host, .solver = (const snw_solver_service *)host->service(host, SNW_SERVICE_SOLVER)};
}

snw_status snk_factor_dense(const snw_host *host, uint32_t n, const double *matrix, double *reciprocal_condition,
							snk_factor *factor) {
	*factor = open_factor(host);
	const snw_dense_call call = {.size = sizeof call, .n = n, .matrix = matrix, .reciprocal_condition = reciprocal_condition};
	return factor->solver ? factor->solver->dense(host, &call, &factor->factor) : SNW_ERROR_MISSING;
}

snw_status snk_factor_sparse(const snw_host *host, uint32_t n, const uint32_t *column_offsets, const uint32_t *rows,
							 const double *values, snk_factor *factor) {
	const snw_sparse_call call = {
		.size = sizeof call, .n = n, .column_offsets = column_offsets, .rows = rows, .values = values};
	return snk_factor_blocks(host, &call, factor);
}

snw_status snk_factor_blocks(const snw_host *host, const snw_sparse_call *call, snk_factor *factor) {
	*factor = open_factor(host);
	return factor->solver ? factor->solver->sparse(host, call, &factor->factor) : SNW_ERROR_MISSING;
}

snw_status snk_factor_refactor(const snk_factor *factor, const double *values) {
	return SNW_HAS(factor->solver, refactor) && factor->solver->refactor
			   ? factor->solver->refactor(factor->host, factor->factor, values)
			   : SNW_ERROR_MISSING;
}

snw_status snk_factor_solve(const snk_factor *factor, uint32_t count, double *right_sides) {
	return factor->solver->solve(factor->host, factor->factor, count, right_sides);
}

void snk_factor_release(snk_factor *factor) {
	if (factor->factor) {
		factor->solver->release(factor->host, factor->factor);
	}
	*factor = (snk_factor){0};
}
