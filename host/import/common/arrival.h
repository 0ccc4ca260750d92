/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A check after every import: is what the file has in the scene, and in a likely place? It only gives notices.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_ARRIVAL_H
#define SINEW_HOST_IMPORT_COMMON_ARRIVAL_H

#include "scene/scene.h"
#include "task/task.h"

/* How many of them a file has. */
typedef struct snw_arrival {
	uint32_t skinned_joints; /* that move points */
	uint32_t shapes;         /* morph targets */
	uint32_t clips;          /* that move something */
} snw_arrival;

/* One line for each kind of which the file has some and the scene none. */
void snw_check_arrival(const snw_scene *scene, const snw_arrival *file, const snw_task *task);
/* One line for each mesh that rests far from the joints that move it: its bind is in other units or elsewhere. */
void snw_check_rest_places(const snw_scene *scene, const snw_task *task);

#endif
