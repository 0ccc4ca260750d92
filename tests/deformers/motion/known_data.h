/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data with a known skeleton: a wolf, a cylinder.
 */
#ifndef SINEW_TESTS_DEFORMERS_MOTION_KNOWN_DATA_H
#define SINEW_TESTS_DEFORMERS_MOTION_KNOWN_DATA_H

#include "known_skeleton.h"

static inline FILE *open_data(const char *name) {
	FILE *file = fopen(check_data(name), "r");
	assert_non_null(file);
	return file;
}

static inline void read_numbers(FILE *file, size_t count, double *dest) {
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(fscanf(file, "%lf", &dest[i]), 1);
	}
}

/* Nodes are joints, edge b is bone b. */
static inline void read_tgf(FILE *file, known_skeleton *known) {
	char line[200];
	bool edges = false;
	while (fgets(line, sizeof line, file)) {
		unsigned a, b;
		double p[3];
		edges = edges || line[0] == '#';
		if (!edges && sscanf(line, "%u %lf %lf %lf", &a, &p[0], &p[1], &p[2]) == 4) {
			memcpy(known->joints[a], p, sizeof p);
		} else if (edges && known->bone_count < MOST_KNOWN_BONES && sscanf(line, "%u %u", &a, &b) == 2) {
			known->ends[known->bone_count][0] = a;
			known->ends[known->bone_count++][1] = b;
		}
	}
	fclose(file);
}

/* Points and triangles alone: the cylinder's faces name UVs that its file does not have. */
typedef struct plain_mesh {
	uint32_t point_count, face_count;
	double *points;
	uint32_t *offsets, *corners;
} plain_mesh;

static inline plain_mesh read_plain(FILE *file) {
	enum { MOST = 20000 };
	plain_mesh mesh = {.points = calloc((size_t)3 * MOST, sizeof(double)),
					   .offsets = calloc(MOST, sizeof(uint32_t)),
					   .corners = calloc((size_t)3 * MOST, sizeof(uint32_t))};
	char line[300];
	while (fgets(line, sizeof line, file)) {
		double *p = mesh.points + (size_t)3 * mesh.point_count;
		uint32_t *corner = mesh.corners + (size_t)3 * mesh.face_count;
		if (sscanf(line, "v %lf %lf %lf", &p[0], &p[1], &p[2]) == 3) {
			mesh.point_count++;
		} else if (sscanf(line, "f %u%*[^ ] %u%*[^ ] %u", &corner[0], &corner[1], &corner[2]) == 3 ||
				   sscanf(line, "f %u %u %u", &corner[0], &corner[1], &corner[2]) == 3) {
			for (int k = 0; k < 3; k++) {
				corner[k]--;
			}
			mesh.face_count++;
			mesh.offsets[mesh.face_count] = 3 * mesh.face_count;
		}
		assert_true(mesh.point_count + 1 < MOST && mesh.face_count + 1 < MOST);
	}
	fclose(file);
	return mesh;
}

static inline void read_motions(const char *name, known_skeleton *known) {
	char path[100];
	known->motions = malloc(sizeof *known->motions * known->bone_count * known->frame_count);
	for (uint32_t f = 0; f < known->frame_count; f++) {
		snprintf(path, sizeof path, "%s/pose-%u.tmat", name, f + 1);
		FILE *file = open_data(path);
		for (uint32_t b = 0; b < known->bone_count; b++) {
			double columns[12];
			read_numbers(file, 12, columns);
			for (int k = 0; k < 12; k++) {
				known->motions[(size_t)f * known->bone_count + b][4 * (k % 3) + k / 3] = columns[k];
			}
		}
		fclose(file);
	}
}

/* The frames are posed by the files' transforms and weights, which is what their meshes are. */
static inline known_skeleton read_known(const char *name, uint32_t frames) {
	known_skeleton known = {.frame_count = frames};
	char path[100];
	snprintf(path, sizeof path, "%s/skeleton.tgf", name);
	read_tgf(open_data(path), &known);
	snprintf(path, sizeof path, "%s/rest.obj", name);
	const plain_mesh mesh = read_plain(open_data(path));
	snprintf(path, sizeof path, "%s/weights.dmat", name);
	FILE *file = open_data(path);
	double counts[2];
	read_numbers(file, 2, counts);
	assert_int_equal((uint32_t)counts[0], known.bone_count);
	assert_int_equal((uint32_t)counts[1], mesh.point_count);
	known.weights = malloc((size_t)known.bone_count * mesh.point_count * sizeof *known.weights);
	read_numbers(file, (size_t)known.bone_count * mesh.point_count, known.weights);
	fclose(file);
	read_motions(name, &known);
	float *posed = pose_known(&known, mesh.point_count, mesh.points, 0, 1);
	known.scene = sequence_scene(mesh.point_count, mesh.points, mesh.face_count, mesh.offsets, mesh.corners, frames, posed);
	free(posed);
	free(mesh.points);
	free(mesh.offsets);
	free(mesh.corners);
	return known;
}

#endif
