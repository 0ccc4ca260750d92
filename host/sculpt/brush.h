/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A brush: its effect on the points under it, its radius and the falloff of its strength.
 */
#ifndef SINEW_HOST_SCULPT_BRUSH_H
#define SINEW_HOST_SCULPT_BRUSH_H

#include <stdbool.h>
#include <stdint.h>

/* ---- a grey picture that shapes a brush ---------------------------------------------------------------------------------- */

/* The alpha of a brush: a picture that says how strongly a dab acts where, like a stamp. */

typedef struct snw_brush_alpha {
	uint32_t width, height; /* above 0 */
	const float *values;    /* [height][width], 0 to 1, the top row first */
} snw_brush_alpha;

/* The value at a place, bilinear: u to the right and v up, each from -1 to 1 across the larger side; 0 outside the picture. */
double snw_brush_alpha_at(const snw_brush_alpha *alpha, double u, double v);

/* The axes of u and v on a surface with this unit normal: v is as near to the world's up, or along z on level ground, as the
 * surface allows. */
void snw_brush_alpha_axes(const double normal[3], double right[3], double up[3]);

/* ---- brushes ------------------------------------------------------------------------------------------------------------- */

/* id, name in scripts, label in the window, help, help when inverted */
#define SNW_BRUSHES(ROW)                                                                                                       \
	ROW(GRAB, "grab", "Grab", "Drags the surface under the brush with the mouse", "Drags it in the opposite direction")        \
	ROW(ELASTIC, "elastic", "Elastic", "Drags the surface like soft rubber: its volume hardly changes",                        \
		"Drags it in the opposite direction")                                                                                  \
	ROW(SMOOTH, "smooth", "Smooth", "Evens out bumps", "Makes bumps stand out")                                                \
	ROW(RELAX, "relax", "Relax", "Evens out the spacing of points without changing the shape",                                 \
		"Makes the spacing more uneven")                                                                                       \
	ROW(DRAW, "draw", "Draw", "Raises the surface in one direction, its mean normal", "Lowers it")                             \
	ROW(CLAY, "clay", "Clay", "Adds a layer of even height, and fills what is lower", "Removes such a layer")                  \
	ROW(INFLATE, "inflate", "Inflate", "Pushes the surface outward", "Pulls it inward")                                        \
	ROW(FLATTEN, "flatten", "Flatten", "Presses the surface towards its mean plane", "Pushes it away from that plane")         \
	ROW(SCRAPE, "scrape", "Scrape", "Lowers what stands above the mean plane", "Raises what lies below it")                    \
	ROW(FILL, "fill", "Fill", "Raises what lies below the mean plane", "Lowers what stands above it")                          \
	ROW(CREASE, "crease", "Crease", "Cuts a fold, and draws its sides together", "Raises a ridge")                             \
	ROW(PINCH, "pinch", "Pinch", "Pulls points together under the brush", "Pushes them apart")                                 \
	ROW(SLIDE, "slide", "Slide", "Moves points along the surface without changing the shape",                                  \
		"Moves them in the opposite direction")                                                                                \
	ROW(ERASE, "erase", "Erase", "Restores the skin before it was sculpted", "The same")                                       \
	ROW(MORPH, "morph", "Morph", "Moves the sculpt towards another shape: the skin below, the rest or another example",        \
		"Moves it away from that shape")                                                                                       \
	ROW(MASK, "mask", "Mask", "Protects points from the other brushes", "Removes the protection")                              \
	ROW(PAINT, "paint", "Paint", "Moves the painted field towards the brush's value", "Moves it towards zero")                 \
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

/* The weight at a distance: 1 at the center, 0 from the radius on, never increasing. `hardness` (0 to 1) is the share of the
 * radius within which the weight is 1. */
double snw_falloff_weight(snw_falloff falloff, double hardness, double distance, double radius);

typedef struct snw_brush {
	snw_brush_kind kind;
	snw_falloff falloff;
	double radius;   /* metres in posed space, above 0 */
	double strength; /* 0 to 1 */
	double hardness; /* 0 to 1 */
	double value;    /* the value that paint sets */
	double spacing;  /* between the dabs of a stroke, as a share of the radius; 0: a tenth */
	bool invert;
	bool volume;                  /* distances are straight lines; otherwise along the surface, which excludes nearby folds */
	const snw_brush_alpha *alpha; /* multiplies the strength, across two radii; NULL: none. It must outlive the stroke */
	bool symmetric;               /* also on the other side, if the sculpt has a mirror map */
	bool stays_outside;           /* pushes no point through the sculpt's walls */
} snw_brush;

/* The brush while Shift and Ctrl are pressed: Shift smooths what the brush changes (shape, mask or field), Ctrl inverts. */
snw_brush snw_brush_with_keys(const snw_brush *brush, bool shift, bool ctrl);

/* How far the brush moves points: its radius, or three times that for elastic. */
double snw_brush_reach(const snw_brush *brush);
/* Whether it drags the points of its first dab along, during the whole stroke. */
bool snw_brush_drags(snw_brush_kind kind);

typedef enum snw_brush_target { SNW_BRUSH_POINTS, SNW_BRUSH_MASKING, SNW_BRUSH_FIELD } snw_brush_target;
snw_brush_target snw_brush_changes(snw_brush_kind kind);

#endif
