/* SPDX-License-Identifier: MIT
 *
 * An example of the C player: a window that shows the first mesh of a skin file. Left and Right choose a joint, Up and Down
 * bend it, and the morph targets and helper joints follow.
 *
 *     cc window.c $(pkg-config --cflags --libs sdl2) -lm -o window && ./window hero.snwskin
 *     ./window hero.snwskin JOINT ANGLE PICTURE.bmp      draws one picture and ends
 */
#define SINEW_PLAYER_IMPLEMENTATION
#include "sinew_player.h"

#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 800, HEIGHT = 800 };

typedef struct corner_triple {
	SDL_Vertex corners[3];
	float depth;
} corner_triple;

static int farther(const void *a, const void *b) {
	const float x = ((const corner_triple *)a)->depth, y = ((const corner_triple *)b)->depth;
	return (x > y) - (x < y);
}

static void *read_all(const char *path, size_t *count) {
	SDL_RWops *file = SDL_RWFromFile(path, "rb");
	return file ? SDL_LoadFile_RW(file, count, 1) : NULL;
}

/* Where the points are at rest: the middle and the size that fit the window. */
static float measure(const float *points, uint32_t count, float middle[3]) {
	float size = 1e-6F;
	for (int c = 0; c < 3; c++) {
		float least = points[c], most = points[c];
		for (uint32_t i = 0; i < count; i++) {
			least = SDL_min(least, points[3 * i + (uint32_t)c]);
			most = SDL_max(most, points[3 * i + (uint32_t)c]);
		}
		middle[c] = (least + most) / 2;
		size = SDL_max(size, most - least);
	}
	return size;
}

static SDL_Vertex corner_at(const float *point, const float *normal, const float middle[3], float size) {
	const float light = 0.25F + 0.75F * SDL_max(0, 0.4F * normal[0] + 0.4F * normal[1] + 0.8F * normal[2]);
	const Uint8 shade = (Uint8)(255 * SDL_min(1, light));
	const SDL_Vertex vertex = {{0.5F * WIDTH + (point[0] - middle[0]) / size * 0.8F * WIDTH,
								0.5F * HEIGHT - (point[1] - middle[1]) / size * 0.8F * HEIGHT},
							   {shade, (Uint8)(0.85F * shade), (Uint8)(0.75F * shade), 255},
							   {0, 0}};
	return vertex;
}

/* Triangles from the farthest to the nearest: SDL has no depth buffer. */
static void draw(SDL_Renderer *renderer, sinew_player *player, float *points, float *normals, corner_triple *list,
				 const float middle[3], float size) {
	uint32_t count;
	const uint32_t *triangles = sinew_player_triangles(player, 0, &count);
	sinew_player_evaluate(player);
	sinew_player_points(player, 0, points, normals);
	for (uint32_t t = 0; t < count; t++) {
		list[t].depth = 0;
		for (uint32_t c = 0; c < 3; c++) {
			const size_t at = 3 * (size_t)triangles[3 * t + c];
			list[t].corners[c] = corner_at(points + at, normals + at, middle, size);
			list[t].depth += points[at + 2];
		}
	}
	qsort(list, count, sizeof *list, farther);
	SDL_SetRenderDrawColor(renderer, 40, 42, 46, 255);
	SDL_RenderClear(renderer);
	for (uint32_t t = 0; t < count; t++) {
		SDL_RenderGeometry(renderer, NULL, list[t].corners, 3, NULL, 0);
	}
}

static int save_picture(SDL_Renderer *renderer, const char *path) {
	SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
	const bool is_saved =
		surface && SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, surface->pixels, surface->pitch) == 0 &&
		SDL_SaveBMP(surface, path) == 0;
	SDL_FreeSurface(surface);
	return is_saved ? 0 : 1;
}

int main(int argument_count, char **arguments) {
	const char *problem = "it cannot be read";
	size_t byte_count = 0;
	void *bytes = argument_count > 1 ? read_all(arguments[1], &byte_count) : NULL;
	sinew_player *player = bytes ? sinew_player_open(bytes, byte_count, &problem) : NULL;
	if (!player || sinew_player_mesh_count(player) == 0) {
		fprintf(stderr, "%s: %s\n", argument_count > 1 ? arguments[1] : "a skin file is needed", player ? "no mesh" : problem);
		return 1;
	}
	uint32_t count, joint = 0;
	sinew_player_triangles(player, 0, &count);
	const size_t numbers = 3 * (size_t)sinew_player_point_count(player, 0) + 1;
	float *points = malloc(2 * numbers * sizeof *points), middle[3], size;
	corner_triple *list = malloc((count + (size_t)1) * sizeof *list);
	double *angles = calloc(sinew_player_joint_count(player) + (size_t)1, sizeof *angles);
	SDL_Window *window = NULL;
	SDL_Renderer *renderer = NULL;
	if (!points || !list || !angles || SDL_Init(SDL_INIT_VIDEO) != 0 ||
		SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) != 0) {
		fprintf(stderr, "no window: %s\n", SDL_GetError());
		return 1;
	}
	sinew_player_points(player, 0, points, NULL);
	size = measure(points, sinew_player_point_count(player, 0), middle);
	int status = 0;
	if (argument_count > 4) {
		const double vector[3] = {0, 0, atof(arguments[3])};
		sinew_player_set_vector(player, sinew_player_find_joint(player, arguments[2]), vector);
		draw(renderer, player, points, points + numbers, list, middle, size);
		status = save_picture(renderer, arguments[4]);
	}
	for (SDL_Event event = {0}; argument_count <= 4 && event.type != SDL_QUIT;) {
		draw(renderer, player, points, points + numbers, list, middle, size);
		SDL_RenderPresent(renderer);
		SDL_WaitEvent(&event);
		const SDL_Keycode key = event.type == SDL_KEYDOWN ? event.key.keysym.sym : 0;
		const uint32_t all = sinew_player_joint_count(player);
		joint = (joint + (key == SDLK_RIGHT) + (key == SDLK_LEFT ? all - 1 : 0)) % all;
		angles[joint] += key == SDLK_UP ? 0.1 : key == SDLK_DOWN ? -0.1 : 0;
		const double vector[3] = {0, 0, angles[joint]};
		sinew_player_set_vector(player, joint, vector);
		SDL_SetWindowTitle(window, sinew_player_joint_name(player, joint));
	}
	SDL_DestroyRenderer(renderer);
	SDL_DestroyWindow(window);
	SDL_Quit();
	free(angles);
	free(list);
	free(points);
	sinew_player_close(player);
	SDL_free(bytes);
	return status;
}
