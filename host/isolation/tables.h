/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a plug-in offers and what its models lower to, written by a plug-in process and read by the program.
 */
#ifndef SINEW_HOST_ISOLATION_TABLES_H
#define SINEW_HOST_ISOLATION_TABLES_H

#include "message/stream.h"
#include "sinew/group_falloffs.h"
#include "sinew/helper_joints.h"
#include "sinew/sinew.h"

/* A descriptor in this host's layout. Read, it is in `arena`; NULL if it is broken. */
void snw_put_descriptor(snw_stream *stream, const snw_descriptor *descriptor);
const snw_descriptor *snw_get_descriptor(snw_stream *stream, snw_arena *arena);

/* The numbers and texts of a parameter table's values. */
void snw_put_values(snw_stream *stream, const snw_value *values, uint32_t count);
const snw_value *snw_get_values(snw_stream *stream, uint32_t count, snw_arena *arena);

/* The table of SNW_GROUP_FALLOFFS. Read, it is NULL if it is broken. */
void snw_put_falloffs(snw_stream *stream, const snw_group_falloffs *falloffs);
const snw_group_falloffs *snw_get_falloffs(snw_stream *stream, snw_arena *arena);

void snw_put_layout(snw_stream *stream, const snw_model_layout *layout);
snw_model_layout snw_get_layout(snw_stream *stream, snw_arena *arena);

void snw_put_helpers(snw_stream *stream, uint32_t count, const snw_helper_joint *const *helpers);
const snw_helper_joint *const *snw_get_helpers(snw_stream *stream, uint32_t *count, snw_arena *arena);

/* A part for a mesh of so many points. A part that the plug-in filled in its own layout of the structs is read in this
 * host's. */
void snw_put_part(snw_stream *stream, const snw_program_part *part, uint32_t point_count);
void snw_get_part(snw_stream *stream, snw_program_part *part, uint32_t point_count, snw_arena *arena);

/* Read where it is: the arrays stay in the stream. */
void snw_put_pose(snw_stream *stream, const snw_pose_view *pose);
snw_pose_view snw_get_pose(snw_stream *stream);

#endif
