/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Black boxes to invert through, each moving points independently: a smooth bend of the posed points, kinks in them, so
 * many kinks that no linear model fits, or folds in two ways.
 */
#include <math.h>
#include <stdlib.h>

#include "sinew/plugin.h"
#include "sinew/sinew.h"

enum { SHAPE, PARAMETER_COUNT };
enum { BEND, KINK, RIPPLE, FOLD, COIL };

static const char *const shapes[] = {"bend", "kink", "ripple", "fold", "coil", NULL};
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[SHAPE] = SNW_CHOICE("shape", "Shape", "Shape.", shapes, BEND, SNW_STAGE_DRIVE),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.box",
	.short_name = "test-box",
	.name = "Box",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
	.traits = SNW_BINDS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

struct snw_model {
	int unused;
};

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	(void)input;
	*model = calloc(1, sizeof **model);
	return *model ? SNW_OK : SNW_ERROR_MEMORY;
}

static void release(snw_model *model) {
	free(model);
}

/* The y axis bent about z, one radian a metre. */
static void bend(const double in[3], double out[3]) {
	out[0] = in[0] + 0.5 * in[1] * in[1];
	out[1] = (1 + in[2]) * sin(in[1]);
	out[2] = (1 + in[2]) * cos(in[1]) - 1;
}

/* Sheared the other way past a plane, and stretched past another. */
static void kink(const double in[3], double out[3]) {
	out[0] = in[0];
	out[1] = in[1] + 0.5 * fabs(in[0] - 0.3);
	out[2] = in[2] + 0.6 * fmax(in[2], 0);
}

/* A triangle wave, 8 mm long, of slopes ±0.9. */
static double wave(double x) {
	const double length = 0.008, part = x / length - floor(x / length);
	return 0.9 * length * fabs(part - 0.5);
}

/* One to one, since no two points come nearer than a tenth of their distance. */
static void ripple(const double in[3], double out[3]) {
	out[0] = in[0];
	out[1] = in[1] + wave(in[2]);
	out[2] = in[2] - wave(in[1]);
}

/* Folds back and forth across the arm, a few centimetres a fold: flat at each crease, and with a solution on every branch. */
static void fold(const double in[3], double out[3]) {
	const double width = 0.02;
	out[0] = in[0];
	out[1] = width * sin(in[1] / width);
	out[2] = width * sin(in[2] / width);
}

/* Bends the arm so tightly that its inner side passes through the centre of the bend and turns over, and twists it as it goes:
 * a point has a solution on every round of the coil. */
static void coil(const double in[3], double out[3]) {
	const double radius = 0.03, angle = in[0] / radius, twist = 4 * in[0];
	const double y = in[1] * cos(twist) - in[2] * sin(twist), z = in[1] * sin(twist) + in[2] * cos(twist);
	out[0] = (radius + y) * sin(angle);
	out[1] = (radius + y) * cos(angle);
	out[2] = z;
}

static void (*const shapes_by_value[])(const double in[3], double out[3]) = {bend, kink, ripple, fold, coil};

static snw_status deform(const snw_deform_call *call) {
	for (size_t i = call->begin; i < call->end; i++) {
		shapes_by_value[(int)call->values[SHAPE].numbers[0]](call->points_in + 3 * i, call->points_out + 3 * i);
	}
	return SNW_OK;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.deform = deform,
	.release = release,
};

SNW_PLUGIN(deformer)
