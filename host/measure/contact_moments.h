/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact over time: at which moments meshes meet that do not meet at rest, under which joints, and how deep.
 *
 * Two triangles that meet at rest are told once and not counted. A mesh meets itself where triangles meet that are not within a
 * distance of each other along its surface: what that hides is counted beside. Where triangles meet, points that went through
 * are searched for from there, along the surface.
 *
 * A point that is near the other mesh at rest belongs to a patch of it: the triangles within a radius at rest of the place
 * nearest to the point then. It has gone through where it is on the other side of its patch than at rest. A point that is
 * inside a closed mesh, but has not gone through its own patch, is inside another part of it: a sleeve in the chest. No push of
 * the sleeve repairs that, so it is told apart. A point of a mesh that is inside itself is inside another part as well.
 */
#ifndef SINEW_HOST_MEASURE_CONTACT_MOMENTS_H
#define SINEW_HOST_MEASURE_CONTACT_MOMENTS_H

#include "stack/stack.h"

typedef struct snw_mesh_pair {
	uint32_t first, second; /* the same: a mesh with itself */
} snw_mesh_pair;

/* How deep points are, and the deepest. */
typedef struct snw_contact_depth {
	uint32_t count; /* of points */
	double deepest; /* metres; 0 for none */
	uint32_t mesh, point;
	uint32_t other_mesh, other_point; /* the nearest corner of the other surface */
	double place[3], direction[3];    /* where the point is, and, unit, the way out */
} snw_contact_depth;

/* Of a pair of meshes at a moment. */
typedef struct snw_pair_contact {
	uint32_t triangles;      /* pairs of them that meet, without those at rest */
	uint32_t hidden;         /* of a mesh with itself: further pairs, within the distance along the surface */
	uint32_t near;           /* pairs that are nearer than the clearance, but do not meet */
	bool is_limited;         /* there were too many to count */
	uint32_t first_triangle; /* of the lowest pair of triangles that meet, of the first mesh; SNW_NONE */
	uint32_t second_triangle;
	snw_contact_depth through; /* points that went through their own patch */
	double outside_folds; /* the deepest of them where neither mesh folds into itself; `through` where none is asked about */
	snw_contact_depth inside; /* points that are inside another part */
	double share;             /* of all points of both meshes, those that are in contact */
} snw_pair_contact;

typedef struct snw_contact_moment {
	const char *name; /* of the pose: "walk, frame 12" */
	uint32_t clip;    /* SNW_NONE: a pose */
	double seconds;
	const snw_pose_view *pose;
} snw_contact_moment;

typedef struct snw_contact_request {
	uint32_t moment_count;
	const snw_contact_moment *moments;
	uint32_t pair_count;
	const snw_mesh_pair *pairs;
	double clearance;  /* metres; 0: only what meets */
	double neighbours; /* metres along the surface */
	double patch;      /* metres */
	/* [mesh_count]: whose folds (contact/contact.h) leave no room for what lies in them; NULL: none. */
	const bool *folding;
} snw_contact_request;

typedef struct snw_contact_moments {
	snw_pair_contact *rest;  /* [pair_count]: what is in contact at rest */
	snw_pair_contact *found; /* [moment_count][pair_count] */
	double **deepest; /* [mesh_count][point_count]: the depth of each point over all moments, metres; NULL if not asked */
} snw_contact_moments;

/* Every pair of meshes, then each with itself, as asked for. In `arena`. */
snw_mesh_pair *snw_mesh_pairs_list(const snw_scene *scene, bool between, bool with_itself, snw_arena *arena, uint32_t *count);
/* The keys of a clip and, where it moves joints, moments between keys that are more than 1/24 s apart (longer steps in a clip
 * of over 83 s), appended to `list`, which is grown in `arena`. */
void snw_contact_moments_add_clip(const snw_scene *scene, uint32_t clip, snw_arena *arena, snw_contact_moment **list,
								  uint32_t *count, uint32_t *room);
/* At most so many moments at which a character is measured: the poses of its examples, and keys of clips that have a target, or
 * of all clips without either, spread evenly. Added as above. */
void snw_contact_moments_choose(const snw_scene *scene, uint32_t most, snw_arena *arena, snw_contact_moment **list,
								uint32_t *count);
/* 2 cm and 6 cm of a human, in proportion to the diagonal of the character. */
double snw_contact_default_neighbours(const snw_scene *scene);
double snw_contact_default_patch(const snw_scene *scene);

/* Poses by the stack. Moments are divided among the threads; the result is the same for any number of them. In `arena`.
 * SNW_CANCELLED if the task stops. */
snw_status snw_contact_moments_find(const snw_scene *scene, const snw_stack *stack, const snw_contact_request *request,
									const snw_task *task, snw_arena *arena, snw_contact_moments *found, snw_error *error);

/* What one stack makes and another does not, for a pair of meshes. */
typedef struct snw_contact_made {
	uint32_t pair, moment;  /* at which it is deepest */
	uint32_t moment_count;  /* at which it is deeper than by the other */
	double deepest, before; /* metres: by the one and by the other */
} snw_contact_made;
/* Of two results of one request; differences of less than 0.1 mm of a human do not count. In `arena`. */
snw_contact_made *snw_contact_made_list(const snw_scene *scene, const snw_contact_request *request,
										const snw_contact_moments *found, const snw_contact_moments *before, snw_arena *arena,
										uint32_t *count);

#endif
