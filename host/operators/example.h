/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of the rows of examples, which are in several files. Private to host/operators.
 */
#ifndef SINEW_HOST_OPERATORS_EXAMPLE_H
#define SINEW_HOST_OPERATORS_EXAMPLE_H

#include "operators/operator.h"

/* Of an example in groups. */
snw_operator_function snw_example_join, snw_example_move, snw_example_leave, snw_example_mask, snw_example_place,
	snw_example_drive;
/* Of examples made from what is elsewhere, and from others. */
snw_operator_function snw_example_folder, snw_example_transfer_from, snw_example_between, snw_example_mirror, snw_example_split,
	snw_example_merge, snw_example_carry;
/* Of contact. */
snw_operator_function snw_example_push_out;

/* The argument `example`. */
const snw_example *snw_example_given(const snw_operation *o);

/* The sculpt in the argument `file`, as points of a mesh. */
snw_status snw_example_read_sculpt(const snw_operation *o, uint32_t mesh, const double **points, snw_error *error);

/* Writes a group with an example at a place among its members, under a mask (0: none). A new example has an id and no index. */
snw_status snw_example_put_member(const snw_operation *o, const snw_group *group, uint32_t example, int64_t id, uint32_t place,
								  int64_t mask, snw_error *error);

#endif
