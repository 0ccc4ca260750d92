/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/schema.h"

#include <stdio.h>
#include <string.h>

/* clang-format off: SQL reads better in its own layout, and the project file contains it with these comments. */
const struct snw_table snw_tables[] = {
	{"project",
	 "CREATE TABLE project (\n"
	 "  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
	 "  schema_version INTEGER NOT NULL,\n"
	 "  program TEXT NOT NULL,                   -- what made the file\n"
	 "  created TEXT NOT NULL                    -- UTC, ISO 8601\n"
	 ") STRICT",
	 false},
	{"image",
	 "CREATE TABLE image (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  media TEXT NOT NULL,                     -- image/png, image/jpeg\n"
	 "  bytes BLOB NOT NULL                      -- encoded, as it came\n"
	 ") STRICT",
	 true},
	{"material",
	 "CREATE TABLE material (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  base_color BLOB NOT NULL,                -- f64[4], linear RGBA\n"
	 "  metallic REAL NOT NULL,\n"
	 "  roughness REAL NOT NULL,\n"
	 "  emissive BLOB NOT NULL,                  -- f64[3]\n"
	 "  base_color_image INTEGER REFERENCES image (id),\n"
	 "  metallic_roughness_image INTEGER REFERENCES image (id),\n"
	 "  normal_image INTEGER REFERENCES image (id),\n"
	 "  double_sided INTEGER NOT NULL,\n"
	 "  alpha INTEGER NOT NULL,                  -- 0 opaque, 1 mask, 2 blend\n"
	 "  alpha_cutoff REAL NOT NULL,\n"
	 "  emissive_image INTEGER REFERENCES image (id)\n"
	 ") STRICT",
	 true},
	{"joint",
	 "CREATE TABLE joint (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  position INTEGER NOT NULL,               -- 0, 1, … : the order of joints in arrays\n"
	 "  name TEXT NOT NULL,\n"
	 "  parent INTEGER REFERENCES joint (id),    -- NULL at a root\n"
	 "  rest_local BLOB NOT NULL                 -- f64[10]: translation xyz (m), rotation xyzw, scale xyz\n"
	 ") STRICT",
	 true},
	{"slot",
	 "CREATE TABLE slot (\n"
	 "  position INTEGER PRIMARY KEY,            -- 0, 1, … : what influence_slots count\n"
	 "  joint INTEGER NOT NULL REFERENCES joint (id),\n"
	 "  inverse_bind BLOB NOT NULL               -- f64[3][4], row-major\n"
	 ") STRICT",
	 true},
	{"channel",
	 "CREATE TABLE channel (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,    -- in this order in arrays\n"
	 "  name TEXT NOT NULL,\n"
	 "  initial REAL NOT NULL\n"
	 ") STRICT",
	 true},
	{"mesh",
	 "CREATE TABLE mesh (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  point_count INTEGER NOT NULL,\n"
	 "  face_count INTEGER NOT NULL,\n"
	 "  points_rest BLOB NOT NULL,               -- f64[point_count][3], metres\n"
	 "  face_offsets BLOB NOT NULL,              -- u32[face_count + 1], into face_points\n"
	 "  face_points BLOB NOT NULL,               -- u32[corner_count]\n"
	 "  face_materials BLOB,                     -- u32[face_count]: material.id, 0 for none\n"
	 "  corner_uvs BLOB,                         -- f32[corner_count][2], v down\n"
	 "  corner_normals BLOB,                     -- f32[corner_count][3], rest space\n"
	 "  corner_colors BLOB,                      -- f32[corner_count][4]\n"
	 "  influence_offsets BLOB,                  -- u32[point_count + 1]; NULL without a base skin\n"
	 "  influence_slots BLOB,                    -- u32[influence_count]: slot.position\n"
	 "  influence_weights BLOB,                  -- f64[influence_count]\n"
	 "  corner_tangents BLOB                     -- f32[corner_count][4], rest space, sign\n"
	 ") STRICT",
	 true},
	{"morph",
	 "CREATE TABLE morph (\n"
	 "  mesh INTEGER NOT NULL REFERENCES mesh (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  name TEXT NOT NULL,\n"
	 "  channel INTEGER NOT NULL REFERENCES channel (id),\n"
	 "  points BLOB NOT NULL,                    -- u32[count], ascending\n"
	 "  vectors BLOB NOT NULL,                   -- f64[count][3], rest displacements\n"
	 "  PRIMARY KEY (mesh, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 true},
	{"clip",
	 "CREATE TABLE clip (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  duration_seconds REAL NOT NULL\n"
	 ") STRICT",
	 true},
	{"track",
	 "CREATE TABLE track (\n"
	 "  clip INTEGER NOT NULL REFERENCES clip (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  joint INTEGER REFERENCES joint (id),     -- one of joint and channel is NULL\n"
	 "  channel INTEGER REFERENCES channel (id),\n"
	 "  path INTEGER NOT NULL,                   -- 0 translation, 1 rotation, 2 scale, 3 channel\n"
	 "  interpolation INTEGER NOT NULL,          -- 0 step, 1 linear, 2 cubic (in-tangent, value, out-tangent)\n"
	 "  key_seconds BLOB NOT NULL,               -- f64[key_count], rising\n"
	 "  key_values BLOB NOT NULL,                -- f64[key_count][width], cubic: f64[key_count][3][width]\n"
	 "  PRIMARY KEY (clip, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 true},
	{"pose",
	 "CREATE TABLE pose (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  clip INTEGER REFERENCES clip (id),       -- where it was sampled; NULL outside any clip\n"
	 "  seconds REAL NOT NULL,\n"
	 "  joint_locals BLOB NOT NULL,              -- f64[joint_count][10], as joint.rest_local\n"
	 "  joint_rotation_vectors BLOB NOT NULL,    -- f64[joint_count][3], away from rest, unwound\n"
	 "  channels BLOB NOT NULL                   -- f64[channel_count]\n"
	 ") STRICT",
	 true},
	{"field",
	 "CREATE TABLE field (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  domain INTEGER NOT NULL,                 -- 0 points, 1 faces, 2 joints, 3 examples, 4 frames\n"
	 "  mesh INTEGER REFERENCES mesh (id),       -- for points and faces\n"
	 "  components INTEGER NOT NULL,\n"
	 "  element_count INTEGER NOT NULL,\n"
	 "  elements BLOB NOT NULL,                  -- f64[element_count][components]\n"
	 "  unit TEXT NOT NULL DEFAULT ''            -- 'm', 'colour': linear sRGB, 0 to 1\n"
	 ") STRICT",
	 true},
	{"example",
	 "CREATE TABLE example (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  pose INTEGER NOT NULL REFERENCES pose (id),\n"
	 "  mesh INTEGER NOT NULL REFERENCES mesh (id),\n"
	 "  points_posed BLOB NOT NULL,              -- f64[n][3], as sculpted: of the edited points\n"
	 "  edited BLOB,                             -- u32[n], ascending points; NULL for all\n"
	 "  muted INTEGER NOT NULL DEFAULT 0,        -- left out of fits\n"
	 "  has_chosen_driver INTEGER NOT NULL DEFAULT 0 -- by the user\n"
	 ") STRICT",
	 true},
	{"sculpt_layer",
	 "CREATE TABLE sculpt_layer (                -- a part of an example's sculpt\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  example INTEGER NOT NULL REFERENCES example (id),\n"
	 "  position INTEGER NOT NULL,               -- 0 is the lowest\n"
	 "  name TEXT NOT NULL,\n"
	 "  opacity REAL NOT NULL,                   -- 0 to 1\n"
	 "  muted INTEGER NOT NULL,\n"
	 "  points BLOB NOT NULL,                    -- u32[n], ascending\n"
	 "  vectors BLOB NOT NULL                    -- f64[n][3], posed; example.points_posed has opacity times these already\n"
	 ") STRICT",
	 true},
	{"corrective_group",
	 "CREATE TABLE corrective_group (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  position INTEGER NOT NULL DEFAULT 0      -- groups act in this order\n"
	 ") STRICT",
	 true},
	{"group_joint",
	 "CREATE TABLE group_joint (\n"
	 "  corrective_group INTEGER NOT NULL REFERENCES corrective_group (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  joint INTEGER NOT NULL REFERENCES joint (id),\n"
	 "  PRIMARY KEY (corrective_group, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 true},
	{"group_member",
	 "CREATE TABLE group_member (\n"
	 "  corrective_group INTEGER NOT NULL REFERENCES corrective_group (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  example INTEGER NOT NULL REFERENCES example (id),\n"
	 "  mask INTEGER REFERENCES field (id),      -- NULL for 1 everywhere\n"
	 "  PRIMARY KEY (corrective_group, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 true},
	{"target",
	 "CREATE TABLE target (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  mesh INTEGER NOT NULL REFERENCES mesh (id),\n"
	 "  clip INTEGER REFERENCES clip (id),       -- NULL for a sequence\n"
	 "  frames_hash INTEGER NOT NULL,            -- of the frames\n"
	 "  is_set INTEGER NOT NULL DEFAULT 0        -- a sequence of poses in no order\n"
	 ") STRICT",
	 true},
	{"target_frame",
	 "CREATE TABLE target_frame (\n"
	 "  target INTEGER NOT NULL REFERENCES target (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  seconds REAL NOT NULL,\n"
	 "  points_posed BLOB NOT NULL,              -- f32[point_count][3]\n"
	 "  PRIMARY KEY (target, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 true},
	{"model",
	 "CREATE TABLE model (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  name TEXT NOT NULL,\n"
	 "  deformer TEXT NOT NULL,                  -- the plug-in's id, which alone can read the bytes\n"
	 "  deformer_version TEXT NOT NULL,\n"
	 "  bytes BLOB NOT NULL,\n"
	 "  reads BLOB                               -- u64[8], hashes of what the fit read; NULL: unknown\n"
	 ") STRICT",
	 true},
	{"layer",
	 "CREATE TABLE layer (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  position INTEGER NOT NULL,               -- 0 is the lowest\n"
	 "  name TEXT NOT NULL,\n"
	 "  deformer TEXT NOT NULL,                  -- the plug-in's id\n"
	 "  deformer_version TEXT NOT NULL,\n"
	 "  model INTEGER REFERENCES model (id),     -- NULL for a deformer that binds\n"
	 "  muted INTEGER NOT NULL DEFAULT 0,\n"
	 "  samples TEXT                             -- clips that the fit reads, a line each; NULL: all\n"
	 ") STRICT",
	 true},
	{"layer_setting",
	 "CREATE TABLE layer_setting (\n"
	 "  layer INTEGER NOT NULL REFERENCES layer (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  key TEXT NOT NULL,\n"
	 "  value REAL NOT NULL,                     -- a number, a choice by its index, x or red\n"
	 "  y REAL NOT NULL DEFAULT 0,               -- y or green, z or blue, linear light\n"
	 "  z REAL NOT NULL DEFAULT 0,\n"
	 "  text TEXT,                               -- a text, the name of a joint or field, or a file's path, relative\n"
	 "                                           -- to the project's folder where it is inside\n"
	 "  PRIMARY KEY (layer, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 true},
	{"journal",
	 "CREATE TABLE journal (\n"
	 "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	 "  time TEXT NOT NULL,                      -- UTC, ISO 8601\n"
	 "  label TEXT NOT NULL,\n"
	 "  undone INTEGER NOT NULL DEFAULT 0,\n"
	 "  checkpoint INTEGER NOT NULL DEFAULT 0    -- saved here\n"
	 ") STRICT",
	 false},
	{"journal_change",
	 "CREATE TABLE journal_change (\n"
	 "  journal INTEGER NOT NULL REFERENCES journal (id),\n"
	 "  position INTEGER NOT NULL,\n"
	 "  changeset BLOB NOT NULL,                 -- a piece of an SQLite changeset; the pieces of an entry make one\n"
	 "  PRIMARY KEY (journal, position)\n"
	 ") STRICT, WITHOUT ROWID",
	 false},
};
/* clang-format on */
const size_t snw_table_count = sizeof snw_tables / sizeof *snw_tables;

snw_status snw_schema_mark(snw_project *project, snw_error *error) {
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d", SNW_APPLICATION_ID);
	return snw_database_execute(project, sql, error);
}

snw_status snw_schema_create(snw_project *project, snw_error *error) {
	snw_status status = SNW_OK;
	for (size_t i = 0; !snw_failed(status) && i < snw_table_count; i++) {
		status = snw_database_execute(project, snw_tables[i].sql, error);
	}
	status = snw_failed(status) ? status : snw_schema_mark(project, error);
	return !snw_failed(status)
			   ? snw_database_run(project,
								  "INSERT INTO project (id, schema_version, program, created) "
								  "VALUES (1, ?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
								  SNW_CELLS(snw_integer(SNW_SCHEMA_VERSION), snw_text("sinew " SINEW_VERSION)), error)
			   : status;
}

static snw_status fail_not_a_project(snw_project *project, snw_error *error) {
	return snw_fail(error, SNW_ERROR_DATA, "%s: this is not a Sinew project; make one with 'sinew import'", project->path);
}

snw_status snw_schema_version(snw_project *project, int64_t *version, snw_error *error) {
	int64_t application = 0, tables = 0;
	snw_status status = snw_database_integer(project, "PRAGMA application_id", NULL, 0, 0, &application, error);
	if (!snw_failed(status) && application != SNW_APPLICATION_ID) {
		return fail_not_a_project(project, error);
	}
	if (!snw_failed(status)) {
		status = snw_database_integer(project, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'project'",
									  NULL, 0, 0, &tables, error);
	}
	if (!snw_failed(status) && tables != 1) {
		return fail_not_a_project(project, error);
	}
	return !snw_failed(status)
			   ? snw_database_integer(project, "SELECT schema_version FROM project WHERE id = 1", NULL, 0, -1, version, error)
			   : status;
}

/* Ignores case, as SQLite does for names of tables. */
static const struct snw_table *find_table(const char *name) {
	for (size_t i = 0; i < snw_table_count; i++) {
		if (sqlite3_stricmp(snw_tables[i].name, name) == 0) {
			return &snw_tables[i];
		}
	}
	return NULL;
}

/* Other objects in the file, such as a user's view or table of notes, are ignored. */
static snw_status verify_object(snw_project *project, sqlite3_stmt *row, size_t *found, snw_error *error) {
	const char *type = (const char *)sqlite3_column_text(row, 0), *name = (const char *)sqlite3_column_text(row, 1);
	const char *table = (const char *)sqlite3_column_text(row, 2), *sql = (const char *)sqlite3_column_text(row, 3);
	const struct snw_table *known = table ? find_table(table) : NULL;
	if (!type || !name || !known || (!sql && strncmp(name, "sqlite_autoindex_", 17) == 0)) {
		return SNW_OK;
	}
	if (strcmp(type, "table") != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: it has an extra %s '%s' on the table '%s'; drop it with SQLite's tools",
						project->path, type, name, table);
	}
	if (!sql || strcmp(name, known->name) != 0 || strcmp(sql, known->sql) != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: its table '%s' does not match the schema; use a backup", project->path,
						table);
	}
	(*found)++;
	return SNW_OK;
}

snw_status snw_schema_verify(snw_project *project, snw_error *error) {
	sqlite3_stmt *statement = NULL;
	snw_status status =
		snw_database_prepare(project, "SELECT type, name, tbl_name, sql FROM sqlite_schema", NULL, 0, &statement, error);
	int result = SQLITE_DONE;
	size_t found = 0;
	while (!snw_failed(status) && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		status = verify_object(project, statement, &found, error);
	}
	if (!snw_failed(status) && result != SQLITE_DONE) {
		status = snw_database_fail(project, error);
	}
	sqlite3_finalize(statement);
	if (!snw_failed(status) && found != snw_table_count) {
		status = snw_fail(error, SNW_ERROR_DATA, "%s: %zu of its %zu tables are missing; use a backup", project->path,
						  snw_table_count - found, snw_table_count);
	}
	return status;
}
