/* SPDX-License-Identifier: MIT
 *
 * Minimises a function along a line, one evaluation at a time, so that many lines can be searched in lockstep. It uses
 * parabolas through the three samples around the lowest. If the lowest is at an end, or the parabola opens downward, the
 * search walks on; a sample that is not finite is a wall to back off from. Exact for parabolas.
 */
#ifndef SINEW_DEFORMERS_KIT_NUMERICS_LINE_SEARCH_H
#define SINEW_DEFORMERS_KIT_NUMERICS_LINE_SEARCH_H

typedef struct snk_line_search {
	double t[4], f[4]; /* [count], by rising t; the fourth only while one is being placed */
	int count;
	int evaluated;    /* evaluations done */
	double trial;     /* where the function must be evaluated next */
	double predicted; /* the parabola's value there; NAN without a parabola */
	double lowest_t, lowest_f;
	double curvature; /* f's second derivative along the line; 0 if not known */
} snk_line_search;

/* At t = 0 the function is f; the first trial is `step`. curvature is 0 if not known. */
void snk_line_search_start(snk_line_search *line, double f, double step, double curvature);

/* Adds a known sample. */
void snk_line_search_add(snk_line_search *line, double t, double f);

/* Receives the value at the trial. Returns 1 with the next trial, or 0 when the search is over. */
int snk_line_search_answer(snk_line_search *line, double f);

/* The next trial from the existing samples, without a new value. Returns as snk_line_search_answer does. */
int snk_line_search_next(snk_line_search *line);

#endif
