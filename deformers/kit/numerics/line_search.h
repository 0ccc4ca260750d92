/* SPDX-License-Identifier: MIT
 *
 * The minimum of a function along a line, one evaluation at a time, so that many lines can be searched in lockstep. Parabolas
 * through the three samples around the lowest; where the lowest is at an end or the parabola opens downward, the search walks
 * on; a sample that is not finite is a wall to back off from. Exact on parabolas.
 */
#ifndef SINEW_DEFORMERS_KIT_NUMERICS_LINE_SEARCH_H
#define SINEW_DEFORMERS_KIT_NUMERICS_LINE_SEARCH_H

typedef struct snk_line_search {
	double t[4], f[4]; /* [count], by rising t; the fourth only while one is being placed */
	int count;
	int evaluated;    /* evaluations done */
	double trial;     /* where the function is wanted next */
	double predicted; /* the parabola's value there; NAN without a parabola */
	double lowest_t, lowest_f;
	double curvature; /* f's second derivative along the line; 0 where it is not known */
} snk_line_search;

/* At t = 0 the function is f; the first trial is `step`. curvature 0 where it is not known. */
void snk_line_search_start(snk_line_search *line, double f, double step, double curvature);

/* Adds a sample that is known already. */
void snk_line_search_add(snk_line_search *line, double t, double f);

/* Takes the value at the trial. Returns 1 with the next trial, or 0 when the search is over. */
int snk_line_search_answer(snk_line_search *line, double f);

/* The next trial from the samples there are, without a new value. Returns as snk_line_search_answer does. */
int snk_line_search_next(snk_line_search *line);

#endif
