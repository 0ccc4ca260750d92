/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A brush: what it does to the points under it, how far it reaches, and how its strength falls off.
 */
#ifndef SINEW_HOST_SCULPT_BRUSH_H
#define SINEW_HOST_SCULPT_BRUSH_H

#include <stdbool.h>
#include <stdint.h>

/* name in scripts and answers, name for people, what it does, what it does when inverted */
#define SNW_BRUSHES(ROW)                                                                                                       \
	ROW(GRAB, "grab", "Grab", "Drags what is under the brush along with the mouse", "Drags it the other way")                  \
	ROW(SMOOTH, "smooth", "Smooth", "Evens out bumps", "Makes bumps stand out")                                                \
	ROW(RELAX, "relax", "Relax", "Evens out the spacing of points and leaves the shape", "Draws uneven points further apart")  \
	ROW(INFLATE, "inflate", "Inflate", "Pushes the surface outward", "Pulls it inward")                                        \
	ROW(FLATTEN, "flatten", "Flatten", "Presses the surface towards its mean plane", "Pushes it away from that plane")         \
	ROW(PINCH, "pinch", "Pinch", "Draws points together under the brush", "Spreads them")                                      \
	ROW(SLIDE, "slide", "Slide", "Moves points along the surface and leaves the shape", "Moves them the other way")            \
	ROW(ERASE, "erase", "Erase", "Brings back the skin as it was before it was sculpted", "The same")                          \
	ROW(MASK, "mask", "Mask", "Guards points against the other brushes", "Takes the guard away")                               \
	ROW(PAINT, "paint", "Paint", "Brings the painted field towards its value", "Brings it towards zero")                       \
	ROW(SOFTEN, "soften", "Soften", "Evens out the mask", "The same")                                                          \
	ROW(BLUR, "blur", "Blur", "Evens out the painted field", "The same")

#define SNW_BRUSH_ID(id, name, label, help, inverted) SNW_BRUSH_##id,
typedef enum snw_brush_kind { SNW_BRUSHES(SNW_BRUSH_ID) SNW_BRUSH_COUNT } snw_brush_kind;
#undef SNW_BRUSH_ID

typedef struct snw_brush_info {
	const char *name, *label, *help, *help_inverted;
} snw_brush_info;
extern const snw_brush_info snw_brush_infos[SNW_BRUSH_COUNT];

/* x is the distance over the radius. */
#define SNW_FALLOFFS(ROW)                                                                                                      \
	ROW(SMOOTH, "smooth", "1 - 3x² + 2x³")                                                                                     \
	ROW(SPHERE, "sphere", "√(1 - x²)")                                                                                         \
	ROW(ROOT, "root", "√(1 - x)")                                                                                              \
	ROW(LINEAR, "linear", "1 - x")                                                                                             \
	ROW(SHARP, "sharp", "(1 - x)²")                                                                                            \
	ROW(CONSTANT, "constant", "1")

#define SNW_FALLOFF_ID(id, name, formula) SNW_FALLOFF_##id,
typedef enum snw_falloff { SNW_FALLOFFS(SNW_FALLOFF_ID) SNW_FALLOFF_COUNT } snw_falloff;
#undef SNW_FALLOFF_ID
extern const char *const snw_falloff_names[SNW_FALLOFF_COUNT];

/* The weight at a distance, 1 in the middle and 0 from the radius on; it never rises with the distance. `hardness` (0 to 1) is
 * the part of the radius that stays at 1. */
double snw_falloff_weight(snw_falloff falloff, double hardness, double distance, double radius);

typedef struct snw_brush {
	snw_brush_kind kind;
	snw_falloff falloff;
	double radius;   /* metres in posed space, above 0 */
	double strength; /* 0 to 1 */
	double hardness; /* 0 to 1 */
	double value;    /* what paint paints */
	double spacing;  /* between the dabs of a stroke, of the radius; 0: a tenth */
	bool invert;
	bool volume;    /* distances through the air; else along the surface, so that what only lies near is left alone */
	bool symmetric; /* on the other side as well, where the session has a mirror map */
} snw_brush;

/* What the brush is while Shift (evens out what the brush changes: the shape, the mask or the field) and Ctrl (inverts) are
 * held. */
snw_brush snw_brush_with_keys(const snw_brush *brush, bool shift, bool ctrl);

/* What a brush changes. */
typedef enum snw_brush_target { SNW_BRUSH_POINTS, SNW_BRUSH_MASKING, SNW_BRUSH_FIELD } snw_brush_target;
snw_brush_target snw_brush_changes(snw_brush_kind kind);

#endif
