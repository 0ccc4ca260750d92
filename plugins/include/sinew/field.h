/* SPDX-License-Identifier: MIT
 *
 * Named fields: arrays over points, faces, joints, examples or frames. The host can paint, show and store a field without
 * knowing what it means.
 */
#ifndef SINEW_FIELD_H
#define SINEW_FIELD_H

#include "sinew/base.h"

typedef enum snw_domain {
	SNW_DOMAIN_POINTS = 0,
	SNW_DOMAIN_FACES = 1,
	SNW_DOMAIN_JOINTS = 2,
	SNW_DOMAIN_EXAMPLES = 3,
	SNW_DOMAIN_FRAMES = 4, /* of all sequences in turn, then of all targets, as they come to a fit with SNW_NEEDS_FRAMES */
} snw_domain;

/* The unit of a field that is a colour, shown as it is and without a scale: three components, red, green and blue of linear
 * light with the primaries of sRGB, each from 0 to 1. Mixing colours by weights is right in linear light. */
#define SNW_UNIT_COLOR "colour"

/* A field that a deformer reads or writes, declared in its descriptor. */
typedef struct snw_field_info {
	uint32_t size;
	const char *name;  /* lower case, words joined by '-': "residual" */
	const char *label; /* for people: "Residual" */
	const char *help;  /* one sentence */
	const char *unit;  /* "m", "rad", SNW_UNIT_COLOR or ""; the host keeps it with what is written */
	int32_t domain;    /* snw_domain */
	uint32_t components;
	int32_t written; /* 0: read by fit (an influence mask); 1: proposed by fit (a residual) */
} snw_field_info;

/* Rows of a table of `const snw_field_info *const`, of one component: what the fit proposes, and a mask over points that it
 * reads. */
#define SNW_WRITTEN_FIELD(name_, label_, help_, unit_, domain_)                                                                \
	SNW_FIELD(.name = (name_), .label = (label_), .help = (help_), .unit = (unit_), .domain = (domain_), .components = 1,      \
			  .written = 1)
#define SNW_MASK_FIELD(name_, label_, help_)                                                                                   \
	SNW_FIELD(.name = (name_), .label = (label_), .help = (help_), .unit = "", .domain = SNW_DOMAIN_POINTS, .components = 1,   \
			  .written = 0)

/* A row of any kind from its members. */
#ifdef __cplusplus
#define SNW_FIELD(...)                                                                                                         \
	([]() -> const snw_field_info * {                                                                                          \
		static const snw_field_info snw_row = {.size = sizeof(snw_field_info), __VA_ARGS__};                                   \
		return &snw_row;                                                                                                       \
	}())
#else
#define SNW_FIELD(...) (&(const snw_field_info){.size = sizeof(snw_field_info), __VA_ARGS__})
#endif

/* A field with its values. */
typedef struct snw_field_view {
	uint32_t size;
	const char *name;
	int32_t domain; /* snw_domain */
	uint32_t components;
	uint32_t count;       /* elements of the domain */
	const double *values; /* [count][components] */
} snw_field_view;

#endif
