/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmarks: how fast skins run, and how long sculpting and fits take.
 */
#ifndef SINEW_HOST_BENCHMARK_BENCHMARK_H
#define SINEW_HOST_BENCHMARK_BENCHMARK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "compare/compare.h"
#include "contact/contact.h"
#include "plugin/registry.h"
#include "sample/sample.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "task/task.h"

/* ---- sweeps of contact --------------------------------------------------------------------------------------------------- */

/* Contact beside a sweep: pairs of triangles that meet are found at random poses by the trees, posed on demand, and without a
 * tree. */

typedef struct snw_bench_contact_sweep {
	uint32_t points, triangles; /* of the character */
	uint32_t poses, stretched;  /* pairs of poses; with joints that stretch, every fourth */
	uint64_t pairs, self_pairs; /* that the sweep has found: of two characters, and of one with itself */
	uint64_t missed, extra;     /* of these, that the trees have not found; and what they have found beside them */
	uint64_t outside;           /* places of triangles that a box from the palette does not contain */
} snw_bench_contact_sweep;

/* Two of the character at random poses, one moved along x by up to a tenth of its diagonal, and the first with itself. The
 * stack's segment of the mesh is one program; it has faces. SNW_CANCELLED if the task stops. */
snw_status snw_bench_contact_sweep_run(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, uint64_t random,
									   uint32_t poses, const snw_task *task, snw_bench_contact_sweep *answer, snw_error *error);

/* ---- skin programs ------------------------------------------------------------------------------------------------------- */

/* The speed of skin programs on this machine: points a second, compared with memcpy in the same run. */

typedef struct snw_bench_options {
	uint32_t point_count; /* 0: 100,000 */
	uint32_t slot_count;  /* 0: 60 */
	double seconds;       /* about, for each row; 0: 0.2 */
} snw_bench_options;

typedef struct snw_bench_row {
	const char *evaluator; /* "plain", "fast" or "memcpy" */
	const char *blend;     /* the kind: snw_blend in words */
	const char *kernels;   /* the instruction set of "fast": "baseline", "avx2", "avx512"; else "" */
	const char *order;     /* "shared": points share sets of slots as in characters; "random": hardly any do */
	uint32_t points;
	uint32_t influences; /* of each point */
	const char *normals; /* "none", "blended" (fast), "faces" (exact) or "tangents" (two more rows for each point) */
	uint32_t shapes;     /* sparse displacements, each of one point in twenty; one in ten is active */
	uint32_t threads;
	double seconds; /* the shortest of several evaluations of all points */
	double points_a_second;
	double bytes_a_second; /* read and written, from the data of each point; 0 with shapes or faces */
	double ratio;          /* the speed relative to the row that it is compared with; 0: none */
} snw_bench_row;

/* The rows, in this order. Linear blends of 4 influences, with shared and then with random sets: the plain SSE kernel of
 * game runtimes, and the float evaluator with each instruction set. A scalar kernel of dual quaternions, and the float
 * evaluator. Each blend at 1, 2, 4, 8 and 12 influences: without normals on one thread and on all, and on one with blended
 * normals and with those of faces; affine ones also with tangents, compared with faces. Linear over random sets. 63,600 points
 * with 100 shapes. Ten times as many points, compared with a memcpy of as many bytes. Rows that are compared alternate. The
 * rows are in `arena`. SNW_CANCELLED if the task is stopped. Sets the number of threads while it runs, and restores it; nothing
 * else should run meanwhile. */
snw_status snw_bench_skin(const snw_bench_options *options, const snw_task *task, snw_arena *arena, snw_bench_row **rows,
						  uint32_t *count, snw_error *error);

/* The C player (plugins/player/sinew_player.h) with the flags of the host. */

typedef struct snw_bench_player_row {
	const char *blend;
	uint32_t points;
	double plain_seconds;  /* the plain kernel of snw_bench_skin, of all points */
	double player_seconds; /* the player, timed in turn with it */
	double ratio;          /* the player's speed relative to the plain kernel */
} snw_bench_player_row;

/* A crowd whose members have different poses. */
typedef struct snw_bench_player_crowd {
	uint32_t members, groups, joints, coefficients, points; /* each member's, from `groups` on */
	double pose_seconds;                                    /* all members: coefficients, global transforms and palettes */
	double points_seconds;                                  /* all members: points and normals */
} snw_bench_player_crowd;

typedef struct snw_bench_player {
	snw_bench_player_row rows[2]; /* linear and dual quaternion blends of `point_count` points with 4 influences */
	snw_bench_player_crowd crowd; /* 100 members with 6 groups each */
} snw_bench_player;

snw_status snw_bench_player_run(uint32_t point_count, double seconds, const snw_task *task, snw_bench_player *bench,
								snw_error *error);

/* How long layers that run as black boxes take, compared with a copy of their points in the same run. */

typedef struct snw_bench_layer_row {
	const char *method;
	uint32_t points, threads;
	uint32_t passes;
	/* Of the layer: the time of a stack with it minus that of the stack without it, the shortest of many runs of each. */
	double seconds;
	double copy_seconds; /* of a memcpy of its points for each pass, on one thread */
	double points_a_second;
	double isolated_seconds; /* as `seconds`, in a plug-in process, timed in turn with it */
	/* The same of the medians of all runs, `rounds` of each, which show what else the machine did. */
	double median_seconds, isolated_median_seconds;
	uint32_t rounds;
} snw_bench_layer_row;

/* A synthetic limb of about `point_count` points at its pose, under its blend and then under each method that binds and does
 * not lower, with default settings: on one thread, then on all. The rows are in `arena`. SNW_ERROR_MISSING if there is no
 * such method. `isolated` has the same plug-ins in processes of their own. Sets the number of threads while it runs, and
 * restores it. */
snw_status snw_bench_layers(const snw_registry *registry, const snw_registry *isolated, uint32_t point_count, double seconds,
							const snw_task *task, snw_arena *arena, snw_bench_layer_row **rows, uint32_t *count,
							snw_error *error);

/* How long a dab takes: from the ray of the mouse to updated points, normals and index, and the list of points to send to the
 * graphics card; without drawing.
 *
 * The time of the code is separated from the noise of the machine in two ways. Every stroke is repeated several times: the mesh
 * is restored between strokes, so each repeat does exactly the same work (which is checked), and the shortest time of a dab is
 * the closest to that of the code. And between the repeats a piece of plain arithmetic that calls nothing of Sinew, about as
 * long as a dab, is timed: the variation of its times is due to the machine. */

typedef struct snw_bench_sculpt_options {
	uint32_t point_count; /* about; 0: 100,000 */
	double covered;       /* the share of all points that a dab reaches; 0: 0.1 */
	double seconds;       /* about, for each row and repeat; 0: 0.2 */
	uint32_t dabs;        /* for each row and repeat at least so many, up to 200; 0: 200 */
	uint32_t repeats;     /* repeats of each stroke, up to 20; 0: 5 */
} snw_bench_sculpt_options;

/* Statistics of a row's times. */
typedef struct snw_bench_times {
	double median_seconds, p99_seconds, longest_seconds;
} snw_bench_times;

typedef struct snw_bench_sculpt_row {
	const char *brush;
	bool volume;    /* distances through space; otherwise along the surface */
	bool symmetric; /* both sides: twice as many points */
	uint32_t threads;
	uint32_t points, reached; /* of the mesh; by a dab, the median */
	uint32_t dabs, repeats;   /* different dabs, and repeats of each */
	snw_bench_times all;      /* of all dabs of all repeats */
	snw_bench_times best;     /* of the shortest repeat of each dab */
} snw_bench_sculpt_row;

/* The plain arithmetic: always the same work, on one thread, about 2 ms. */
typedef struct snw_bench_reference {
	uint32_t pieces;
	snw_bench_times times;
} snw_bench_reference;

typedef struct snw_bench_sculpt_table {
	uint32_t row_count;
	snw_bench_sculpt_row *rows;
	snw_bench_reference reference;
} snw_bench_sculpt_table;

/* Each brush along the surface and through space, on the current number of threads, then on one; with symmetry along the
 * surface. The mesh is closed, of quads, symmetric about x = 0; each stroke has ten dabs at places that are the same in
 * every run. All strokes of a row are done once, then all again, so that a short disturbance does not affect every repeat of
 * a dab. The time to begin a stroke counts for its first dab. A first row, "begin a sculpt", times that: `dabs` is the
 * number of sculpts. The rows are in `arena`. SNW_CANCELLED if the task is stopped; SNW_ERROR_CONFLICT if a repeat gives
 * another result, which is a bug. Sets the number of threads while it runs, and restores it. */
snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_table *answer, snw_error *error);

/* The time from the end of a stroke to the fitted corrective. */

typedef struct snw_bench_commit_row {
	const char *character;
	uint32_t points, edited; /* of the mesh; of the sculpt, after the last stroke */
	uint32_t strokes;
	/* Medians over the strokes. Fit: inverting the sculpt through the stack, and interpolating. Commit: also writing the
	 * example and the model as one step (snw_project_finish). Show: reading the project again, building the stack, and
	 * running it at the pose. From the end of a stroke until it is shown; and until it is also on the disk. */
	double fit_seconds, commit_seconds, show_seconds, shown_seconds, stored_seconds;
} snw_bench_commit_row;

enum { SNW_BENCH_COMMIT_ROWS = 3 };

/* The sample arm with every point edited; and a synthetic limb of about `point_count` points with strokes that cover a
 * tenth, then with every point edited. Fitted by `method`. Projects are written into `folder` and removed. The rows are in
 * `arena`. */
snw_status snw_bench_commit(const snw_registry *registry, const char *method, uint32_t point_count, const char *folder,
							const snw_task *task, snw_arena *arena, snw_bench_commit_row rows[SNW_BENCH_COMMIT_ROWS],
							snw_error *error);

/* How long a corrective takes to invert a sculpt through the layers below: every point edited, from a cold start, with the
 * number of calls of the black box and of failures. */

typedef struct snw_bench_invert_options {
	const char *method;   /* a corrective with a parameter "solver" */
	const char *over;     /* a deformer that binds, to be placed over the linear blend: a black box; NULL for none */
	const char *solver;   /* only rows with this one; NULL for all */
	uint32_t point_count; /* about; 0: 100,000 */
	uint32_t rounds;      /* the shortest counts; 0: 3 */
} snw_bench_invert_options;

typedef struct snw_bench_invert_row {
	const char *below;  /* the method that poses the points, by its short name; ", near-singular" may follow */
	const char *solver; /* the method's choice */
	bool black_box;     /* the affine matrices of the layers below were hidden */
	uint32_t points, threads;
	uint64_t calls;         /* of the layers below, for all points or those not yet solved */
	double seconds;         /* of the method's whole fit, the shortest */
	double seconds_inverse; /* the shortest inversion, as reported by the method; 0 if it reports none */
	double seconds_closed;  /* the part of it for matrices and their inverses, if the method uses them; else 0 */
	double points_a_second; /* by seconds_closed, seconds_inverse or seconds: the first that is known */
	uint32_t failures;      /* points farther than 1e-6 of the mesh's size from their sculpt, evaluated at its pose */
	double largest_miss;    /* of the mesh's size */
	const char *refused;    /* why it was not run; NULL */
} snw_bench_invert_row;

/* The solvers auto, newton and powell over each stack without the matrices of `below`; closed over the affine ones, with it;
 * and auto near a singular pose (4e-5 less than a twist of π, condition 5e4). In `arena`. */
snw_status snw_bench_invert(const snw_registry *registry, const snw_bench_invert_options *options, const snw_task *task,
							snw_arena *arena, snw_bench_invert_row **rows, uint32_t *count, snw_error *error);

/* How long a corrective takes to compute the coefficients of its examples from a pose. */

typedef struct snw_bench_coefficients_row {
	uint32_t examples, joints; /* 64 and 12, in one group */
	double seconds;            /* of drive at one pose, on one thread: the best of many rounds */
} snw_bench_coefficients_row;

/* Fits `method` to examples at poses with a fixed seed; the fit is not timed. */
snw_status snw_bench_coefficients(const snw_registry *registry, const char *method, snw_bench_coefficients_row *row,
								  snw_error *error);

/* How long a method takes to make a skin from a mesh animation, and its error: one fit at a time, in this process. */

/* A number that a method reported (snw_task_service). */
typedef struct snw_bench_part {
	const char *name;
	double value;
	const char *unit; /* "s"; "" for a count */
} snw_bench_part;
enum { SNW_BENCH_PARTS = 32 };

typedef struct snw_bench_fit_row {
	const char *settings; /* "joints=100 transforms=rigid" */
	uint32_t points, frames;
	double seconds;            /* of the fit; the shortest repeat */
	double processor_seconds;  /* CPU time of all threads, which other work on the machine does not lengthen */
	double erms;               /* as in measure/measure.h, against the first sequence */
	double distortion_percent; /* NaN if not defined */
	double max_percent;
	uint32_t part_count; /* measurements of the shortest fit: at most SNW_BENCH_PARTS */
	snw_bench_part *parts;
} snw_bench_fit_row;

/* A synthetic, smooth sheet without a rig, of about this many points, that waves for this many frames. */
snw_scene *snw_bench_sheet(uint32_t points, uint32_t frames);

/* Fits `method` to the scene, `repeats` times, and measures it. `settings` are words "key=value" separated by spaces; if a
 * key is repeated, the last counts. The row is in `arena`. SNW_CANCELLED if the task is stopped. */
snw_status snw_bench_fit(const snw_scene *scene, const snw_registry *registry, const char *method, const char *settings,
						 uint32_t repeats, const snw_task *task, snw_arena *arena, snw_bench_fit_row *row, snw_error *error);

/* How long methods take to learn a skin from the poses of a character, and what their skins cost to run beside its linear
 * blend: Table 1 of R. Wang, K. Pulli and J. Popović, "Real-time enveloping with rotational regression", 2007, for a character
 * of any size. */

enum { SNW_BENCH_CHAIN_JOINTS = 73 /* of the largest human of that table */ };

/* A tail of about this many points around a chain of joints, up to four of which move a point. Two clips: in the first, of this
 * many frames, all joints rotate; in the second they rotate otherwise. Their targets bend and twist smoothly, where the linear
 * blend collapses, and bulge. */
snw_scene *snw_bench_chain(uint32_t points, uint32_t frames);

/* Fits each method to the first clip and compares it with the linear blend over the second. `method` is NULL for every method
 * that learns from frames; the first row is the linear blend. Rows are in `arena`. */
snw_status snw_bench_training(const snw_scene *chain, const snw_registry *registry, const char *method, const snw_task *task,
							  snw_arena *arena, snw_comparison *comparison, snw_error *error);

/* How long contact takes: two characters that are posed on demand, beside posing all and refitting the same tree. Seconds of
 * the processor, on one thread; medians over 12 pairs of poses from the clips, each the best of three rounds. */

typedef struct snw_bench_contact_row {
	const char
		*placement;  /* "far", "5 cm", "1 cm": beyond where they part along x; "touching": where so many pairs of triangles
							  meet as are 1 % of a character's triangles */
	uint32_t points; /* of each */
	double gap_mm;   /* NaN where they touch */
	double pose_seconds, refit_seconds, traverse_seconds; /* of posing all */
	double seconds;                                       /* on demand */
	double ratio;                                         /* how many times as fast that is */
	double ceiling;                                       /* how many times it were, were all but traversal free */
	double bounded, skinned;                              /* nodes with boxes from the palette, and points, the means */
	uint32_t pairs;                                       /* at the last poses */
	bool same_pairs;                                      /* as of posing all */
} snw_bench_contact_row;

/* The character with itself over a clip, all posed; and 10,000 points in the box of it. */
typedef struct snw_bench_contact_self {
	const char *clip;
	uint32_t points, frames, pairs;
	double seconds, traverse_seconds; /* over all frames */
	double two_threads_seconds;       /* of the thread that takes longer, if two share the frames */
	bool same_pairs;                  /* those two find as many */
	double dipole_seconds, inside_seconds;
	uint32_t inside;
} snw_bench_contact_self;

/* Joints that are rotated by 5 degrees, one at a time: what only that changes is tested again (contact/contact.h). Each the
 * best of three rounds. */
typedef struct snw_bench_contact_drag {
	uint32_t points, joints; /* of the character; that were dragged */
	double pose_seconds;     /* all points; the median, as the next ones */
	double seconds;          /* with posing */
	double all_seconds;      /* the same with a test of everything */
	double slowest_seconds;  /* as `seconds`, of the joint where it takes longest */
	const char *slowest;     /* that joint */
	uint32_t pairs;          /* at the last pose */
	bool same_pairs;         /* as a test of everything finds, at each */
} snw_bench_contact_drag;

enum { SNW_BENCH_CONTACT_ROWS = 4 };
typedef struct snw_bench_contact {
	snw_bench_contact_row rows[SNW_BENCH_CONTACT_ROWS];
	snw_bench_contact_self self;
	snw_bench_contact_drag drag;
	snw_bench_contact_sweep sweep;
} snw_bench_contact;

/* Of the largest mesh of a scene, whose stack is one program, and its last clip; beside a sweep at `poses` pairs of random
 * poses. Sets the number of threads while it runs, and restores it. */
snw_status snw_bench_contact_run(const snw_scene *scene, const snw_registry *registry, uint32_t poses, const snw_task *task,
								 snw_bench_contact *answer, snw_error *error);

/* How long a character takes to import, by Sinew's reader of FBX and by Assimp's, in turn. */

typedef struct snw_bench_import_row {
	const char *reader;
	uint64_t bytes;         /* of the file */
	uint32_t points, clips; /* that arrived */
	double seconds;         /* the shortest of several imports */
	double ratio;           /* the speed relative to Sinew's */
} snw_bench_import_row;

enum { SNW_BENCH_IMPORT_ROWS = 2 };

/* Writes a chain of about `points` points with two clips into `folder`, and removes it. */
snw_status snw_bench_import(const snw_registry *registry, uint32_t points, const char *folder, const snw_task *task,
							snw_bench_import_row rows[SNW_BENCH_IMPORT_ROWS], snw_error *error);

/* ---- the player's skin --------------------------------------------------------------------------------------------------- */

/* Skin files (docs/skin-file.md) of synthetic programs, in memory, for the benchmark of the C player and its tests. */

/* The points of a program with up to 8 influences, and its displacements at rest as morph targets, which `group_count`
 * groups of a pose space drive in turn. Each slot is a joint at the origin, below the slot before it. Each group has two joints
 * and one example for each of its targets, with the kernel "cone". Returns the bytes, in `arena`. */
unsigned char *snw_player_skin_make(const snw_program *program, uint32_t group_count, snw_arena *arena, size_t *byte_count);

/* ---- plain kernels ------------------------------------------------------------------------------------------------------- */

/* The plain float evaluator: kernels as game runtimes have them. One point after another, in the order of its influences,
 * positions only. `sinew bench skin` compares the float evaluator with it, and the C player (plugins/player/sinew_player.h) has
 * its bits: tests/program/player.c. */

/* A vertex as in game runtimes: an array of structs, four influences. */
typedef struct snw_plain_vertex {
	float position[3];
	float weights[4];
	uint16_t slots[4];
} snw_plain_vertex;

/* A program's points as such vertices, in `arena`; the program must have four influences a point. */
snw_plain_vertex *snw_plain_vertices(const snw_program *program, snw_arena *arena);

/* Linear blend, four numbers at a time with SSE if available: matrices [slots][16] by columns, aligned to 16. Blends the
 * matrices of a vertex, then applies the result. */
void snw_plain_linear(uint32_t count, const snw_plain_vertex *vertices, const float *matrices, float *points_out);

/* Dual quaternions (real x y z w, dual), scalar code: [slots][8], signs as given. */
void snw_plain_dual_quaternion(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
							   float *points_out);

/* With the shortest signs, each the nearest to that of the vertex's first influence, and after the stretches [slots][9] minus
 * the identity (NULL: none). */
void snw_plain_dual_quaternion_shortest(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
										const float *stretches, float *points_out);

#endif
