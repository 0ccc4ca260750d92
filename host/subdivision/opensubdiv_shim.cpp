/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The only file that includes OpenSubdiv. The caller has checked what OpenSubdiv asserts, and its exceptions are caught
 * here.
 */
#include "subdivision/opensubdiv_shim.h"

#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include <opensubdiv/far/stencilTable.h>
#include <opensubdiv/far/stencilTableFactory.h>
#include <opensubdiv/far/topologyDescriptor.h>

namespace {

namespace Far = OpenSubdiv::Far;
namespace Sdc = OpenSubdiv::Sdc;

template <typename T> T *take(size_t count) {
	T *made = static_cast<T *>(std::calloc(count > 0 ? count : 1, sizeof(T)));
	if (!made) {
		throw std::bad_alloc();
	}
	return made;
}

std::unique_ptr<Far::TopologyRefiner> make_refiner(uint32_t point_count, uint32_t face_count, const uint32_t *face_offsets,
												   const uint32_t *face_points, snw_subdivision_scheme scheme, int levels) {
	std::vector<int> sizes(face_count), points(face_points, face_points + face_offsets[face_count]), corners(points.size());
	for (uint32_t f = 0; f < face_count; f++) {
		sizes[f] = static_cast<int>(face_offsets[f + 1] - face_offsets[f]);
	}
	for (size_t c = 0; c < corners.size(); c++) {
		corners[c] = static_cast<int>(c);
	}
	Far::TopologyDescriptor::FVarChannel channel;
	channel.numValues = static_cast<int>(corners.size());
	channel.valueIndices = corners.data();
	Far::TopologyDescriptor topology;
	topology.numVertices = static_cast<int>(point_count);
	topology.numFaces = static_cast<int>(face_count);
	topology.numVertsPerFace = sizes.data();
	topology.vertIndicesPerFace = points.data();
	topology.numFVarChannels = 1;
	topology.fvarChannels = &channel;
	Sdc::Options rules;
	rules.SetVtxBoundaryInterpolation(Sdc::Options::VTX_BOUNDARY_EDGE_AND_CORNER);
	rules.SetFVarLinearInterpolation(Sdc::Options::FVAR_LINEAR_ALL);
	using Factory = Far::TopologyRefinerFactory<Far::TopologyDescriptor>;
	Factory::Options options(scheme == SNW_LOOP ? Sdc::SCHEME_LOOP : Sdc::SCHEME_CATMARK, rules);
	options.validateFullTopology = 1;
	std::unique_ptr<Far::TopologyRefiner> refiner(Factory::Create(topology, options));
	if (refiner) {
		refiner->RefineUniform(Far::TopologyRefiner::UniformOptions(levels));
	}
	return refiner;
}

snw_refined make_stencils(const Far::TopologyRefiner &refiner, int mode, snw_stencils &stencils) {
	using Factory = Far::StencilTableFactoryReal<double>;
	Factory::Options options;
	options.interpolationMode = static_cast<unsigned>(mode);
	options.generateIntermediateLevels = 0;
	options.generateOffsets = 1;
	std::unique_ptr<const Far::StencilTableReal<double>> table(Factory::Create(refiner, options));
	if (!table) {
		return SNW_REFINED_BAD_FACES;
	}
	const size_t entries = table->GetControlIndices().size();
	if (entries > static_cast<size_t>(std::numeric_limits<int>::max())) {
		return SNW_REFINED_TOO_LARGE;
	}
	stencils.count = static_cast<uint32_t>(table->GetNumStencils());
	stencils.offsets = take<uint32_t>(stencils.count + size_t{1});
	stencils.indices = take<uint32_t>(entries);
	stencils.weights = take<double>(entries);
	for (uint32_t i = 0; i < stencils.count; i++) {
		stencils.offsets[i + 1] = stencils.offsets[i] + static_cast<uint32_t>(table->GetSizes()[i]);
	}
	for (size_t j = 0; j < entries; j++) {
		stencils.indices[j] = static_cast<uint32_t>(table->GetControlIndices()[j]);
		stencils.weights[j] = table->GetWeights()[j];
	}
	return SNW_REFINED;
}

snw_refined make_faces(const Far::TopologyRefiner &refiner, int levels, snw_refinement &refinement) {
	const Far::TopologyLevel &finest = refiner.GetLevel(levels);
	const int size = refinement.face_size == 3 ? 3 : 4;
	refinement.face_count = static_cast<uint32_t>(finest.GetNumFaces());
	refinement.faces = take<uint32_t>(size_t{refinement.face_size} * refinement.face_count);
	refinement.face_corners = take<uint32_t>(size_t{refinement.face_size} * refinement.face_count);
	refinement.parents = take<uint32_t>(refinement.face_count);
	for (int f = 0; f < finest.GetNumFaces(); f++) {
		const Far::ConstIndexArray points = finest.GetFaceVertices(f), corners = finest.GetFaceFVarValues(f, 0);
		if (points.size() != size || corners.size() != size) {
			return SNW_REFINED_BAD_FACES;
		}
		for (int c = 0; c < size; c++) {
			refinement.faces[size * f + c] = static_cast<uint32_t>(points[c]);
			refinement.face_corners[size * f + c] = static_cast<uint32_t>(corners[c]);
		}
		int parent = f;
		for (int l = levels; l > 0; l--) {
			parent = refiner.GetLevel(l).GetFaceParentFace(parent);
		}
		refinement.parents[f] = static_cast<uint32_t>(parent);
	}
	return refinement.points.count == static_cast<uint32_t>(finest.GetNumVertices()) &&
				   refinement.corners.count == static_cast<uint32_t>(finest.GetNumFVarValues(0))
			   ? SNW_REFINED
			   : SNW_REFINED_BAD_FACES;
}

snw_refined refine(const Far::TopologyRefiner &refiner, int levels, snw_refinement &refinement) {
	snw_refined refined = make_stencils(refiner, Far::StencilTableFactory::INTERPOLATE_VERTEX, refinement.points);
	refined = refined != SNW_REFINED
				  ? refined
				  : make_stencils(refiner, Far::StencilTableFactory::INTERPOLATE_FACE_VARYING, refinement.corners);
	return refined != SNW_REFINED ? refined : make_faces(refiner, levels, refinement);
}

void free_stencils(snw_stencils &stencils) {
	std::free(stencils.offsets);
	std::free(stencils.indices);
	std::free(stencils.weights);
}

} // namespace

snw_refined snw_opensubdiv_refine(uint32_t point_count, uint32_t face_count, const uint32_t *face_offsets,
								  const uint32_t *face_points, snw_subdivision_scheme scheme, uint32_t levels,
								  snw_refinement *refinement) {
	snw_refined refined = SNW_REFINED_BAD_FACES;
	*refinement = snw_refinement{};
	refinement->face_size = scheme == SNW_LOOP ? 3 : 4;
	try {
		const int level = static_cast<int>(levels);
		const auto refiner = make_refiner(point_count, face_count, face_offsets, face_points, scheme, level);
		refined = refiner ? refine(*refiner, level, *refinement) : SNW_REFINED_BAD_FACES;
	} catch (const std::bad_alloc &) {
		refined = SNW_REFINED_NO_MEMORY;
	} catch (const std::length_error &) { /* a vector that could never be that long */
		refined = SNW_REFINED_NO_MEMORY;
	} catch (...) {
		refined = SNW_REFINED_BAD_FACES;
	}
	if (refined != SNW_REFINED) {
		snw_refinement_free(refinement);
	}
	return refined;
}

void snw_refinement_free(snw_refinement *refinement) {
	free_stencils(refinement->points);
	free_stencils(refinement->corners);
	std::free(refinement->faces);
	std::free(refinement->face_corners);
	std::free(refinement->parents);
	*refinement = snw_refinement{};
}
