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

typedef struct drawing {
	float *points, *normals; /* [point_count][3] */
	corner_triple *list;     /* [triangle_count] */
	double *angles;          /* [joint_count] */
	float middle[3], size;   /* of the points at rest */
} drawing;

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

/* False if there is no memory. */
static bool make_drawing(sinew_player *player, drawing *d) {
	const uint32_t count = sinew_player_point_count(player, 0);
	const size_t numbers = 3 * (size_t)count + 1;
	uint32_t triangles;
	sinew_player_triangles(player, 0, &triangles);
	*d = (drawing){.points = calloc(2 * numbers, sizeof *d->points),
				   .list = calloc(triangles + (size_t)1, sizeof *d->list),
				   .angles = calloc(sinew_player_joint_count(player) + (size_t)1, sizeof *d->angles)};
	if (!d->points || !d->list || !d->angles) {
		return false;
	}
	d->normals = d->points + numbers;
	sinew_player_points(player, 0, d->points, NULL);
	d->size = measure(d->points, count, d->middle);
	return true;
}

/* Triangles from the farthest to the nearest: SDL has no depth buffer. */
static void draw(SDL_Renderer *renderer, sinew_player *player, const drawing *d) {
	uint32_t count;
	const uint32_t *triangles = sinew_player_triangles(player, 0, &count);
	sinew_player_evaluate(player);
	sinew_player_points(player, 0, d->points, d->normals);
	for (uint32_t t = 0; t < count; t++) {
		d->list[t].depth = 0;
		for (uint32_t c = 0; c < 3; c++) {
			const size_t at = 3 * (size_t)triangles[3 * t + c];
			d->list[t].corners[c] = corner_at(d->points + at, d->normals + at, d->middle, d->size);
			d->list[t].depth += d->points[at + 2];
		}
	}
	qsort(d->list, count, sizeof *d->list, farther);
	SDL_SetRenderDrawColor(renderer, 40, 42, 46, 255);
	SDL_RenderClear(renderer);
	for (uint32_t t = 0; t < count; t++) {
		SDL_RenderGeometry(renderer, NULL, d->list[t].corners, 3, NULL, 0);
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

/* Until the window is closed. Draws at once what the keys change. */
static void run(SDL_Window *window, SDL_Renderer *renderer, sinew_player *player, const drawing *d) {
	const uint32_t all = sinew_player_joint_count(player);
	uint32_t joint = 0;
	for (SDL_Event event = {0}; event.type != SDL_QUIT;) {
		draw(renderer, player, d);
		SDL_RenderPresent(renderer);
		SDL_WaitEvent(&event);
		const SDL_Keycode key = event.type == SDL_KEYDOWN ? event.key.keysym.sym : 0;
		joint = (joint + (key == SDLK_RIGHT) + (key == SDLK_LEFT ? all - 1 : 0)) % all;
		d->angles[joint] += key == SDLK_UP ? 0.1 : key == SDLK_DOWN ? -0.1 : 0;
		const double vector[3] = {0, 0, d->angles[joint]};
		sinew_player_set_vector(player, joint, vector);
		SDL_SetWindowTitle(window, sinew_player_joint_name(player, joint));
	}
}

/* A picture of one pose, or the window. */
static int show(sinew_player *player, int argument_count, char **arguments) {
	SDL_Window *window = NULL;
	SDL_Renderer *renderer = NULL;
	drawing d;
	int status = 1;
	if (!make_drawing(player, &d) || SDL_Init(SDL_INIT_VIDEO) != 0 ||
		SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) != 0) {
		fprintf(stderr, "no window: %s\n", SDL_GetError());
	} else if (argument_count > 4) {
		const double vector[3] = {0, 0, atof(arguments[3])};
		sinew_player_set_vector(player, sinew_player_find_joint(player, arguments[2]), vector);
		draw(renderer, player, &d);
		status = save_picture(renderer, arguments[4]);
	} else {
		run(window, renderer, player, &d);
		status = 0;
	}
	SDL_DestroyRenderer(renderer);
	SDL_DestroyWindow(window);
	SDL_Quit();
	free(d.points);
	free(d.list);
	free(d.angles);
	return status;
}

int main(int argument_count, char **arguments) {
	const char *problem = "it cannot be read";
	size_t byte_count = 0;
	int status = 1;
	void *bytes = argument_count > 1 ? read_all(arguments[1], &byte_count) : NULL;
	sinew_player *player = bytes ? sinew_player_open(bytes, byte_count, &problem) : NULL;
	if (player && sinew_player_mesh_count(player) > 0) {
		status = show(player, argument_count, arguments);
	} else {
		fprintf(stderr, "%s: %s\n", argument_count > 1 ? arguments[1] : "a skin file is needed", player ? "no mesh" : problem);
	}
	sinew_player_close(player);
	SDL_free(bytes);
	return status;
}
