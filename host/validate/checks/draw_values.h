/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random values of parameters that a table allows.
 */
#ifndef SINEW_HOST_VALIDATE_CHECKS_DRAW_VALUES_H
#define SINEW_HOST_VALIDATE_CHECKS_DRAW_VALUES_H

#include "validate/trial/harness.h"

/* The files in memory that one draw names. */
typedef struct drawn_files {
	uint32_t count;
	int *descriptors;
} drawn_files;

/* For the parameters of the harness's deformer. Close them after the call that reads them. */
drawn_files draw_files(const harness *b);
void draw_files_close(drawn_files *files);

/* The least, the most, or a number between them. */
double draw_number(uint64_t *random, double least, double most);

/* A vector, colour, joint, field, text or file. False if the parameter is of another kind, whose value stays. */
bool draw_thing(uint64_t *random, const snw_parameter *parameter, const snw_scene *scene, drawn_files *files, snw_value *value);

/* The harness's values of all parameters of this stage and later ones. */
void draw_values(uint64_t *random, harness *b, snw_stage first_stage, drawn_files *files);

#endif
