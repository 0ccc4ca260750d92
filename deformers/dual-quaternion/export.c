/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "dual-quaternion/dual-quaternion.h"

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.dual-quaternion",
	.short_name = "dual-quaternion",
	.name = "Dual quaternion",
	.version = "1.0",
	.paper = "L. Kavan, S. Collins, J. Žára, C. O'Sullivan: Geometric skinning with approximate dual quaternion blending, 2008",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN,
	.traits = SNW_BINDS,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = fit,
	.layout = layout,
	.scratch_bytes = scratch_bytes,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
};

static const snw_deformer *deformer_at(uint32_t index) {
	return index == 0 ? &deformer : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {
	.size = sizeof(snw_entry),
	.abi_major = SNW_ABI_MAJOR,
	.abi_minor = SNW_ABI_MINOR,
	.deformer_count = 1,
	.deformer = deformer_at,
};
