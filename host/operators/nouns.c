/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nouns whose operators there are, a file each, in the order of a typical workflow.
 */
#include "operators/nouns.h"

static const snw_operator_noun *const nouns[] = {&snw_operators_joint, &snw_operators_weights, &snw_operators_stack};

const snw_operator_noun *snw_operator_noun_at(uint32_t index) {
	return index < sizeof nouns / sizeof *nouns ? nouns[index] : NULL;
}
