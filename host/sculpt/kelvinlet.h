/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regularised Kelvinlets: how an unbounded elastic body moves when a force pulls at one place (de Goes and James, "Regularized
 * Kelvinlets: Sculpting Brushes based on Fundamental Solutions of Elasticity", 2017).
 *
 * Equation 6: u(r) = ((a - b)/r_e + b/r_e³ r rᵀ + a/2 e²/r_e³) f with r_e = √(r² + e²). Poisson's ratio is 1/2, so b = a/2 and
 * the field has no divergence: it keeps volumes. Three scales are combined as in section 5 ("tri-scale"), which makes the
 * displacement fade with the fifth power of the distance.
 *
 * Where we depart: the field is scaled so that the place that is pulled moves by the drag itself.
 */
#ifndef SINEW_HOST_SCULPT_KELVINLET_H
#define SINEW_HOST_SCULPT_KELVINLET_H

/* The displacement at `offset` from the place that is dragged; `scale` (above 0) is the size of the region that follows it.
 * Metres. */
void snw_kelvinlet_grab(double scale, const double offset[3], const double drag[3], double dest[3]);

#endif
