/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small glTF player for the tests, which shares no code with the host. It implements nodes, skins, morph targets and
 * animations of glTF 2.0 in double, and trusts its input.
 */
#ifndef SINEW_TESTS_EXPORT_PLAYERS_PLAYER_H
#define SINEW_TESTS_EXPORT_PLAYERS_PLAYER_H

#include <cjson/cJSON.h>

typedef struct player {
	cJSON *root;
	unsigned char *buffer;
	int node_count;
	double (*local)[10];  /* translation, rotation, scale */
	double (*global)[16]; /* column-major */
	double **weights;     /* [node_count]: of the node's mesh; NULL */
	int *target_counts;
	int *parents;
} player;

/* NULL if the file is not a glTF. */
player *player_open(const char *path);
void player_close(player *p);

const cJSON *player_list(const player *p, const char *name, int index);
int player_count(const player *p, const char *name);

/* The values of an accessor as doubles, to be freed; *count is of elements. */
double *player_values(const player *p, int accessor, int *count);

/* The whole scene at a moment of an animation; -1: its default state. */
void player_pose(player *p, int animation, double seconds);

/* A node's mesh in the world, [count][3], to be freed: its first primitive's vertices. */
double *player_points(const player *p, int node, int *count);
/* Its normals as engines have them, rotated by the blended matrices like points, of any length. */
double *player_normals(const player *p, int node, int *count);
/* The first node of this mesh; -1. */
int player_node_of_mesh(const player *p, int mesh);

#endif
