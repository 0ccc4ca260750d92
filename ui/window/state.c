/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command table, the queue, and how the camera moves.
 */
#include "window/state.h"

#include <math.h>

#define STEEPEST 1.55 /* radians: straight down would turn the horizon about */

#define INFO(id, name, key, words) {name, key, words},
const snw_command_info snw_command_infos[SNW_DO_COUNT] = {SNW_COMMANDS(INFO)};
#undef INFO

void snw_command_emit(snw_command_queue *queue, snw_command_id id, double a, double b) {
	if (queue->count < sizeof queue->commands / sizeof *queue->commands) {
		queue->commands[queue->count++] = (snw_command){id, a, b};
	}
}

void snw_camera_apply(snw_camera *camera, const snw_command *command) {
	if (command->id == SNW_DO_ORBIT) {
		camera->yaw = remainder(camera->yaw + command->a, 2 * M_PI);
		camera->pitch = fmin(fmax(camera->pitch + command->b, -STEEPEST), STEEPEST);
	} else if (command->id == SNW_DO_ZOOM) {
		camera->distance = fmin(fmax(camera->distance * command->a, 1e-4), 1e6);
	} else if (command->id == SNW_DO_PAN) {
		const double sy = sin(camera->yaw), cy = cos(camera->yaw), sp = sin(camera->pitch), cp = cos(camera->pitch);
		const double right[3] = {cy, 0, -sy}, up[3] = {-sy * sp, cp, -cy * sp};
		const double height = 2 * camera->distance * tan(0.28);
		for (int c = 0; c < 3; c++) {
			camera->target[c] -= height * (command->a * right[c] + command->b * up[c]);
		}
	}
}
