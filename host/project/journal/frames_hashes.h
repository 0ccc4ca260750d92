/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hashes of frames that the rows of targets hold (scene/frames_hash.h), made from the rows of the frames. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_JOURNAL_FRAMES_HASHES_H
#define SINEW_HOST_PROJECT_JOURNAL_FRAMES_HASHES_H

#include "project/database/database.h"

/* Hashes the frames of a target and stores the hash in its row, if it has one. */
snw_status snw_frames_hash_store(snw_project *project, int64_t target, snw_error *error);

/* After a changeset of the journal was applied or inverted: stores the hashes of the targets whose frames it changed without their
 * hashes. Changes by versions that had none are like that. */
snw_status snw_frames_hashes_renew(snw_project *project, int64_t entry, snw_error *error);

#endif
