/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the command table, by menu. command.h explains the columns.
 */
#ifndef SINEW_UI_WINDOW_COMMAND_TABLE_ROWS_H
#define SINEW_UI_WINDOW_COMMAND_TABLE_ROWS_H

/* clang-format off */

#define SNW_COMMANDS_FILE(ROW, DO, BY) \
	ROW(SAMPLE, sample, "sample", "", "ae", "", "File", "New sample arm", "Creates a project with an arm, clips and targets to try things on") \
	ROW(OPEN, open, "open", "T", "ae", "Ctrl+O", "File", "Open…", "Opens a project, or imports a character: glTF, FBX, Collada or OBJ") \
	ROW(FORGET_CRASHED, forget_crashed, "forget-crashed", "", "ae", "", "", "Dismiss unsaved sessions", "Stops offering sessions that ended unexpectedly. Their projects do not change") \
	ROW(DROP, drop, "drop", "t", "ae", "", "", "Drop a file", "Opens a project or character. Frames with the same number of points become a target; an OBJ becomes the sculpt of the selected example") \
	BY(TARGET_ADD, target_add, "target add", "target-add", "T", "ae", "Ctrl+T", "File", "Add target…", "Frames that another rig makes of the clip that is shown, or of one of their own: for the mesh with as many points") \
	ROW(SAVE, save, "save", "", "ae", "Ctrl+S", "-File", "Save", "Marks a checkpoint. Every change is already in the file; Revert returns to the last checkpoint") \
	ROW(SAVE_AS, save_as, "save-as", "T", "ae", "Ctrl+Shift+S", "File", "Save as…", "Copies the project to another file and continues there") \
	ROW(REVERT, revert, "revert", "", "aero", "", "File", "Revert", "Undoes every change since the last Save; Redo brings them back") \
	ROW(EXPORT, export, "export", "T", "ae", "Ctrl+E", "-File", "Export…", "Writes glTF, OBJ, PC2 or MDD. You see what the file loses before it is written") \
	ROW(EXPORT_WRITE, export_write, "export-write", "", "ae", "", "", "Write the export", "Writes the file that was previewed") \
	ROW(EXPORT_DROP, export_drop, "export-drop", "", "av", "", "", "Discard the export", "Discards the file that was previewed") \
	ROW(PICTURE, picture, "picture", "T", "avq", "P F12", "-File", "Save picture", "Saves a PNG of the window in the folder where the program was started") \
	ROW(QUIT, quit, "quit", "", "av", "Ctrl+Q", "-File", "Quit", "Closes the window. Every change is already in the project")

#define SNW_COMMANDS_EDIT(ROW, DO, BY) \
	ROW(UNDO, undo, "undo", "", "aer", "Ctrl+Z", "Edit", "Undo", "Undoes the last change") \
	ROW(REDO, redo, "redo", "", "aer", "Ctrl+Shift+Z Ctrl+Y", "Edit", "Redo", "Redoes the change that was undone last") \
	ROW(HISTORY, history, "history", "n", "aero", "", "", "Go to history entry", "Undoes or redoes up to the entry with this number") \
	ROW(ESCAPE, escape, "escape", "", "av", "Escape", "", "Cancel", "Closes the dialog or list, or cancels the drag") \
	ROW(DRAG_CANCEL, drag_cancel, "drag-cancel", "", "avs", "", "", "Cancel the stroke or drag", "Undoes the stroke or drag in progress and nothing else") \
	DO(SUBDIVIDE_CATMULL_CLARK, "mesh subdivide --scheme=catmull-clark", "subdivide-catmull-clark", "", "ae", "", "-Edit", "Subdivide by Catmull-Clark") \
	DO(SUBDIVIDE_LOOP, "mesh subdivide --scheme=loop", "subdivide-loop", "", "ae", "", "Edit", "Subdivide by Loop") \
	ROW(PREFERENCES, preferences, "preferences", "", "av", "Ctrl+,", "-Edit", "Preferences…", "Navigation, interface scale, keys") \
	ROW(PREFER, prefer, "prefer", "t", "av", "", "", "Set a preference", "KEY VALUE, as in the preferences file") \
	ROW(PANEL_WIDTH, panel_width, "panel-width", "nn", "av", "", "", "Preview panel width", "0 for the left panel, 1 for the right one; the width, during a drag") \
	ROW(BIND, bind, "bind", "t", "av", "", "", "Bind a key", "COMMAND KEYS") \
	ROW(KEY_PRESET, key_preset, "key-preset", "t", "av", "", "", "Use keys of a program", "Replaces all keys: sinew for Sinew's own, blender for those that follow Blender's") \
	ROW(OPERATE, operate, "operate", "t", "ae", "", "", "Run an operator", "A line of a script")

#define SNW_COMMANDS_POSE(ROW, DO, BY) \
	ROW(POSING, posing, "posing", "", "av", "Tab", "Pose", "Pose or sculpt", "Switches between posing and sculpting") \
	ROW(JOINT, joint, "joint", "t", "avc", "", "", "Select joint", "Selects a joint by name") \
	ROW(POSE, pose, "pose", "t", "avl", "", "", "Go to pose", "Shows a pose by name") \
	BY(ROTATE, rotate, "pose set", "rotate", "nnnt", "ae", "", "", "Rotate joint", "The rotation vector away from rest, in degrees") \
	ROW(TRY_ROTATE, try_rotate, "try-rotate", "nnnt", "avd", "", "", "Preview rotation", "The same during a drag") \
	ROW(JOINT_ALSO, joint_also, "joint-also", "t", "pv", "", "", "Select joint as well", "Adds a joint to the selected ones, or removes it. Selected joints rotate together") \
	BY(TRANSLATE, translate, "pose set", "translate", "nnnt", "ae", "", "", "Translate joint", "Away from rest along the parent's axes, in centimetres, where the joint may move") \
	ROW(TRY_TRANSLATE, try_translate, "try-translate", "nnnt", "avd", "", "", "Preview translation", "The same during a drag") \
	DO(JOINT_LIMIT, "joint limit --joint=$t --degrees=$1", "joint-limit", "nT", "ae", "", "", NULL) \
	DO(JOINT_MOVES, "joint moves --joint=$t", "joint-moves", "T", "pe", "", "Pose", NULL) \
	BY(SHAPE_WEIGHT, shape_weight, "pose set", "shape-weight", "nt", "ae", "", "", "Set morph target", "The weight of a morph target in the pose") \
	ROW(TRY_SHAPE_WEIGHT, try_shape_weight, "try-shape-weight", "nt", "avd", "", "", "Preview morph target", "The same during a drag") \
	BY(SHAPE_EDIT, shape_edit, "pose set", "shape-edit", "T", "ae", "", "Pose", "Edit morph target…", "Shows a morph target alone, at rest; strokes then change it, until another pose is shown") \
	BY(SHAPE_WEIGHTS_RESET, shape_weights_reset, "pose set", "shape-weights-reset", "", "pe", "", "Pose", "Reset morph targets", "Returns every morph target of this pose to its initial weight") \
	BY(REACH, reach, "pose set", "reach", "nnnt", "pe", "", "", "Drag joint", "A place in metres for a joint: the joints above it rotate, a root moves") \
	ROW(TRY_REACH, try_reach, "try-reach", "nnnt", "pvd", "", "", "Preview dragged joint", "The same during a drag") \
	ROW(JOINT_PIN, joint_pin, "joint-pin", "T", "pv", "", "Pose", "Pin joint", "A pinned joint stays in place while others are dragged with Shift; a chain ends at it") \
	ROW(JOINT_STIFF, joint_stiff, "joint-stiff", "T", "pv", "", "Pose", "Leave joint out of IK", "The joint does not rotate when a joint below it is dragged with Shift, such as a clavicle when the hand is") \
	DO(POSE_ADD, "pose add --name=$t", "pose-add", "T", "ae", "Ctrl+Return", "Pose", "Add pose…") \
	DO(POSE_NAME, "pose name --new=$t", "pose-name", "T", "ae", "", "Pose", "Rename pose…") \
	DO(POSE_REMOVE, "pose remove --pose=$t", "pose-remove", "T", "ae", "", "Pose", NULL) \
	ROW(POSE_REST, pose_rest, "pose-rest", "", "avl", "", "Pose", "Go to rest pose", "Shows the rest pose") \
	BY(JOINT_RESET, joint_reset, "pose set", "joint-reset", "T", "pe", "Alt+R", "-Pose", "Reset joint", "Returns the selected joint to rest") \
	BY(POSE_RESET, pose_reset, "pose set", "pose-reset", "", "pe", "Alt+Shift+R", "Pose", "Reset all joints", "Returns every joint of this pose to rest") \
	ROW(POSE_COPY, pose_copy, "pose-copy", "", "pv", "Ctrl+C", "Pose", "Copy pose", "Copies the pose that is shown") \
	BY(POSE_PASTE, pose_paste, "pose set", "pose-paste", "", "pe", "Ctrl+V", "Pose", "Paste pose", "Shows the copied pose here") \
	BY(POSE_MIRROR, pose_mirror, "pose set", "pose-mirror", "", "pe", "Ctrl+M", "Pose", "Mirror pose", "Swaps left and right") \
	ROW(SPACE, space, "space", "N", "pv", "X", "-Pose", "Gizmo axes", "Cycles through local, parent and world axes; or 1, 2, 3") \
	ROW(SUGGEST, suggest, "suggest", "", "ae", "", "Pose", "Suggest a pose to sculpt", "Finds the pose that most needs a sculpt: in a clip with a target by trying its frames, otherwise by leaving out each example in turn") \
	ROW(DRAW_JOINTS, draw_joints, "draw-joints", "", "pv", "J", "-Pose", "Draw joints", "At rest: a click on the skin draws a joint in the middle of the limb, below the selected one; a drag moves a joint") \
	ROW(JOINT_DRAW, joint_draw, "joint-draw", "nnT", "ae", "", "", "Draw joint", "Position as fractions of the viewport from its top left corner; the name, or the next free one") \
	DO(JOINT_ADD, "joint add --name=$t --at=$1,$2,$3", "joint-add", "nnnT", "ae", "", "", NULL) \
	DO(JOINT_MOVE, "joint move --joint=$t --at=$1,$2,$3", "joint-move", "nnnT", "ae", "", "", NULL) \
	ROW(TRY_JOINT_MOVE, try_joint_move, "try-joint-move", "nnnT", "avd", "", "", "Preview joint", "The same during a drag") \
	DO(JOINT_NAME, "joint name --new=$t", "joint-name", "T", "ae", "", "Pose", "Rename joint…") \
	DO(JOINT_PARENT, "joint parent --parent=$t", "joint-parent", "T", "ae", "", "Pose", "Parent joint…") \
	DO(JOINT_ROOT, "joint parent --root", "joint-root", "", "ae", "", "Pose", "Unparent joint") \
	DO(JOINT_REMOVE, "joint remove --joint=$t", "joint-remove", "T", "ae", "", "Pose", NULL) \
	BY(SKELETON_FIT, skeleton_fit, "skeleton", "skeleton-fit", "", "ae", "", "-Pose", "Skeleton from motion", "Finds a skeleton for a mesh animation: joints, weights, and the poses of its frames as a clip") \
	BY(SKELETON_FOLLOW, skeleton_follow, "skeleton", "skeleton-follow", "", "ae", "", "Pose", "Skeleton from drawn joints", "Finds joints, weights and poses with the joints that you drew as a guide; the motion says where exactly they are") \
	BY(BIND_SKIN, bind_skin, "bind", "bind-skin", "", "ae", "", "Pose", "Bind skin", "Makes skin weights for the skeleton: from motion where there is any, else from the shape. Meshes that have weights keep them, unless all do")

#define SNW_COMMANDS_SCULPT(ROW, DO, BY) \
	ROW(BRUSH, brush, "brush", "t", "sv", "", "", "Select brush", "Selects a brush by name") \
	ROW(BRUSH_NUMBER, brush_number, "brush-number", "n", "sv", "", "", "Select brush", "Selects a brush by number") \
	ROW(RADIUS, radius, "radius", "n", "sv", "", "", "Brush radius", "Centimetres") \
	ROW(LARGER, larger, "larger", "", "sv", "]", "Sculpt", "Larger brush", "Increases the radius by a fifth") \
	ROW(SMALLER, smaller, "smaller", "", "sv", "[", "Sculpt", "Smaller brush", "Reduces the radius by a sixth") \
	ROW(STRENGTH, strength, "strength", "n", "sv", "", "", "Brush strength", "0 to 1") \
	ROW(PAINT_VALUE, paint_value, "paint-value", "n", "sv", "", "", "Paint value", "The value that the paint brush approaches") \
	ROW(PAINT_FIELD, paint_field, "paint-field", "t", "av", "", "", "Paint field", "Selects the paint brush for a named field. The first stroke creates the field") \
	ROW(PAINT_WEIGHTS, paint_weights, "paint-weights", "T", "sv", "", "Sculpt", "Paint joint weights", "Paint and Blur change the weights of the selected joint, or of the named one, instead of a field") \
	DO(WEIGHTS_NORMALISE, "weights normalise", "weights-normalise", "", "ae", "", "Sculpt", NULL) \
	DO(WEIGHTS_PRUNE, "weights prune", "weights-prune", "", "ae", "", "Sculpt", NULL) \
	DO(WEIGHTS_MIRROR, "weights mirror --from=+", "weights-mirror", "", "ae", "", "Sculpt", "Mirror weights to −x") \
	DO(WEIGHTS_MIRROR_BACK, "weights mirror --from=-", "weights-mirror-back", "", "ae", "", "Sculpt", "Mirror weights to +x") \
	DO(WEIGHTS_COPY, "weights copy --from=$t", "weights-copy", "T", "ae", "", "Sculpt", "Copy weights from mesh…") \
	DO(WEIGHTS_TAKE, "weights take", "weights-take", "", "ae", "", "Sculpt", NULL) \
	ROW(JOINT_LOCK, joint_lock, "joint-lock", "T", "av", "", "Sculpt", "Lock weights of joint", "No edit of the skin changes the weights of a locked joint; the others share what remains") \
	ROW(WEIGHTS_POINT, weights_point, "weights-point", "T", "sv", "N", "Sculpt", "List weights of point", "Lists the weights of the point under the mouse, to be typed; or of a point by index") \
	BY(WEIGHT, weight, "weights set", "weight", "nt", "se", "", "", "Set weight", "Of the listed point, for a joint by name; the other joints share the rest") \
	ROW(FALLOFF, falloff, "falloff", "n", "sv", "", "", "Brush falloff", "The curve from the centre of the brush to its edge") \
	ROW(BRUSH_ALPHA, brush_alpha, "brush-alpha", "T", "sv", "", "Sculpt", "Brush alpha…", "A picture (PNG or JPEG) that the brush stamps: white acts fully, black not at all. The name none removes it") \
	ROW(VOLUME, volume, "volume", "", "sv", "", "Sculpt", "Through volume", "The brush reaches points by distance in space, not only along the surface") \
	ROW(SYMMETRY, symmetry, "symmetry", "", "sv", "", "Sculpt", "Symmetry", "Repeats each stroke on the other side") \
	ROW(CARRY_ALONG, carry_along, "carry-along", "", "sv", "", "Sculpt", "Carry to clothes", "Each stroke also moves the meshes over the sculpted one, such as clothes, as the skin below them moves") \
	ROW(STAY_OUTSIDE, stay_outside, "stay-outside", "", "svs", "", "Sculpt", "Stay outside", "No stroke pushes a point through another visible mesh; a point that has gone through may come back") \
	ROW(MESH, mesh, "mesh", "t", "avsm", "", "", "Select mesh", "Makes a mesh the active one, which is sculpted and painted") \
	ROW(MESH_HIDE, mesh_hide, "mesh-hide", "T", "avsm", "Shift+H", "-View", "Hide mesh", "Hides the active mesh, or shows it") \
	ROW(MESH_ISOLATE, mesh_isolate, "mesh-isolate", "T", "avsm", "Alt+H", "View", "Isolate mesh", "Hides all other meshes, or shows them") \
	ROW(MESH_LOCK, mesh_lock, "mesh-lock", "T", "avsm", "", "View", "Lock mesh", "No stroke takes a locked mesh") \
	ROW(MESH_FRAME, mesh_frame, "mesh-frame", "T", "av", "", "View", "Frame mesh", "Fits the active mesh in the view") \
	ROW(JOINT_HIDE, joint_hide, "joint-hide", "T", "av", "Ctrl+H", "View", "Hide faces of joint", "Hides the faces that the selected joint mostly moves, or shows them. Strokes pass through") \
	ROW(MASK_HIDE, mask_hide, "mask-hide", "", "av", "Ctrl+Shift+H", "View", "Hide masked faces", "Hides the faces of which all points are masked. Strokes pass through; the mask can then be changed") \
	ROW(MESH_SHOW_ALL, mesh_show_all, "mesh-show-all", "", "avsm", "Alt+Shift+H", "View", "Show everything", "Shows the hidden meshes and faces") \
	ROW(MORPH_TO, morph_to, "morph-to", "t", "sv", "", "", "Shape of Morph", "What Morph moves the skin towards: below (the skin without this sculpt), rest (the rest shape, moved by the joints alone), or example NAME") \
	ROW(STROKE, stroke, "stroke", "nnnNN", "svs", "", "", "Begin stroke", "Position as fractions of the viewport from its top left corner; pressure; held keys: 1 Shift, 2 Ctrl, and 4 in the right one of two views; a factor of the radius") \
	ROW(DAB, dab, "dab", "nnnN", "svsq", "", "", "Continue stroke", "Position, pressure and factor of the radius, as above") \
	ROW(STROKE_END, stroke_end, "stroke-end", "", "svsq", "", "", "End stroke", "Stores the stroke in the example; the corrective follows") \
	ROW(MASK_CLEAR, mask_clear, "mask-clear", "", "svs", "Alt+M", "-Sculpt", "Clear mask", "Unmasks every point") \
	ROW(MASK_INVERT, mask_invert, "mask-invert", "", "svs", "Ctrl+I", "Sculpt", "Invert mask", "Swaps masked and unmasked points") \
	ROW(MASK_JOINT, mask_joint, "mask-joint", "T", "svs", "Ctrl+J", "Sculpt", "Mask by joint", "Masks the points that the selected joint moves, as far as it moves them. Invert the mask to protect all others") \
	ROW(MASK_BOX, mask_box, "mask-box", "", "sv", "Ctrl+B", "Sculpt", "Mask by box", "The next drag draws a box; what is inside, also behind, is masked, or unmasked with Ctrl") \
	ROW(MASK_LASSO, mask_lasso, "mask-lasso", "", "sv", "Ctrl+L", "Sculpt", "Mask by lasso", "The next drag draws a line around what to mask, or to unmask with Ctrl, also behind") \
	ROW(MASK_OUTLINE, mask_outline, "mask-outline", "nt", "svs", "", "", "Mask inside outline", "1 masks, 0 unmasks; points as fractions of the viewport from its top left corner: x y x y …")

/* All brushes (sculpt/brush.h), in their order; title and help are theirs. */
#define SNW_COMMANDS_BRUSH(ROW, DO, BY) \
	ROW(BRUSH_GRAB, brush_row, "brush-grab", "", "sv", "1", "", NULL, NULL) \
	ROW(BRUSH_ELASTIC, brush_row, "brush-elastic", "", "sv", "2", "", NULL, NULL) \
	ROW(BRUSH_SMOOTH, brush_row, "brush-smooth", "", "sv", "3", "", NULL, NULL) \
	ROW(BRUSH_RELAX, brush_row, "brush-relax", "", "sv", "4", "", NULL, NULL) \
	ROW(BRUSH_DRAW, brush_row, "brush-draw", "", "sv", "5", "", NULL, NULL) \
	ROW(BRUSH_CLAY, brush_row, "brush-clay", "", "sv", "6", "", NULL, NULL) \
	ROW(BRUSH_INFLATE, brush_row, "brush-inflate", "", "sv", "7", "", NULL, NULL) \
	ROW(BRUSH_FLATTEN, brush_row, "brush-flatten", "", "sv", "8", "", NULL, NULL) \
	ROW(BRUSH_SCRAPE, brush_row, "brush-scrape", "", "sv", "9", "", NULL, NULL) \
	ROW(BRUSH_FILL, brush_row, "brush-fill", "", "sv", "Shift+1", "", NULL, NULL) \
	ROW(BRUSH_CREASE, brush_row, "brush-crease", "", "sv", "Shift+2", "", NULL, NULL) \
	ROW(BRUSH_PINCH, brush_row, "brush-pinch", "", "sv", "Shift+3", "", NULL, NULL) \
	ROW(BRUSH_SLIDE, brush_row, "brush-slide", "", "sv", "Shift+4", "", NULL, NULL) \
	ROW(BRUSH_ERASE, brush_row, "brush-erase", "", "sv", "Shift+5", "", NULL, NULL) \
	ROW(BRUSH_MORPH, brush_row, "brush-morph", "", "sv", "0", "", NULL, NULL) \
	ROW(BRUSH_MASK, brush_row, "brush-mask", "", "sv", "Shift+6", "", NULL, NULL) \
	ROW(BRUSH_PAINT, brush_row, "brush-paint", "", "sv", "Shift+7", "", NULL, NULL) \
	ROW(BRUSH_SOFTEN, brush_row, "brush-soften", "", "sv", "Shift+8", "", NULL, NULL) \
	ROW(BRUSH_BLUR, brush_row, "brush-blur", "", "sv", "Shift+9", "", NULL, NULL)

#define SNW_COMMANDS_EXAMPLE(ROW, DO, BY) \
	BY(EXAMPLE_ADD, example_add, "example add", "example-add", "T", "aet", "Ctrl+Shift+A", "Examples", "Add example", "Adds an example in this pose, with the skin as it is shown") \
	BY(EXAMPLE_TARGET, example_target, "example add", "example-target", "", "ae", "", "Examples", "Add from target", "Adds an example in this pose of a clip, with what the target shows at this frame") \
	ROW(EXAMPLE, example, "example", "t", "avc", "", "", "Select example", "Selects an example by name") \
	ROW(EXAMPLE_GO, example_go, "example-go", "T", "avl", "", "Examples", "Go to example", "Shows the pose of the selected example") \
	BY(EXAMPLE_UPDATE, example_update, "example update", "example-update", "T", "aet", "", "Examples", "Update example", "Replaces the sculpt with what is shown") \
	DO(EXAMPLE_FILE, "example update --file=$t", "example-file", "t", "ae", "", "", "Load sculpt from file") \
	ROW(EXAMPLE_SOLO, example_solo, "example-solo", "T", "ae", "", "Examples", "Solo", "Shows the effect of this example alone until you press Solo again. The project does not change") \
	BY(EXAMPLE_MUTE, example_mute, "example mute", "example-mute", "T", "ae", "", "Examples", "Mute", "Ignores the example in fits until you unmute it") \
	DO(EXAMPLE_BETWEEN, "example between --at=$t", "example-between", "T", "ae", "", "Examples", "Add in-between…") \
	DO(EXAMPLE_FOLDER, "example folder --folder=$t", "example-folder", "T", "ae", "", "Examples", "Import sculpts from folder…") \
	DO(EXAMPLE_FOLDER_MIRROR, "example folder --mirror --folder=$t", "example-folder-mirror", "T", "ae", "", "Examples", "Import and mirror sculpts from folder…") \
	DO(TRANSFER, "example transfer --other=$t", "transfer", "T", "ae", "", "Examples", "Transfer sculpts from project…") \
	DO(EXAMPLE_MIRROR, "example mirror --example=$t", "example-mirror", "T", "ae", "", "Examples", "Mirror") \
	DO(EXAMPLE_CARRY, "example carry --example=$t", "example-carry", "T", "ae", "", "Examples", "Carry to clothes") \
	ROW(SCULPT_LAYER, sculpt_layer, "sculpt-layer", "t", "avc", "", "", "Select sculpt layer", "The layer of the selected example that takes the strokes, by name") \
	BY(SCULPT_LAYER_ADD, sculpt_layer_add, "example layer", "sculpt-layer-add", "T", "ae", "", "-Examples", "Add sculpt layer", "Adds an empty sculpt layer to the selected example; strokes then go to it. The sculpt so far becomes the layer base") \
	BY(SCULPT_LAYER_NAME, sculpt_layer_name, "example layer", "sculpt-layer-name", "T", "aey", "", "Examples", "Rename sculpt layer…", "Renames the active sculpt layer") \
	DO(SCULPT_LAYER_OPACITY, "example layer --opacity=$1", "sculpt-layer-opacity", "n", "aey", "", "", "Opacity of sculpt layer") \
	BY(SCULPT_LAYER_MUTE, sculpt_layer_mute, "example layer", "sculpt-layer-mute", "", "aey", "", "Examples", "Mute sculpt layer", "Leaves the sculpt layer out of the sculpt until you unmute it") \
	DO(SCULPT_LAYER_MERGE, "example layer --merge", "sculpt-layer-merge", "", "aey", "", "Examples", "Merge sculpt layer down") \
	DO(SCULPT_LAYER_REMOVE, "example layer --remove", "sculpt-layer-remove", "", "aey", "", "Examples", "Delete sculpt layer") \
	DO(EXAMPLE_NAME, "example name --new=$t", "example-name", "T", "ae", "", "-Examples", "Rename example…") \
	DO(EXAMPLE_REMOVE, "example remove --example=$t", "example-remove", "T", "ae", "", "Examples", "Delete example")

#define SNW_COMMANDS_GROUP(ROW, DO, BY) \
	ROW(GROUP, group, "group", "t", "avc", "", "", "Select group", "Selects a group by name") \
	DO(GROUP_ADD, "group add --name=$t", "group-add", "T", "ae", "", "-Examples", "New group…") \
	DO(GROUP_NAME, "group name --new=$t", "group-name", "T", "ae", "", "Examples", "Rename group…") \
	DO(GROUP_FALLOFF, "group falloff --falloff=$t", "group-falloff", "T", "ae", "", "Examples", "Falloff of group…") \
	DO(GROUP_FALLOFF_SAVE, "group falloff --save=$t", "group-falloff-save", "T", "ae", "", "Examples", "Save falloff…") \
	DO(GROUP_COMBINE, "group combine --other=$t", "group-combine", "T", "ae", "", "Examples", "Combine groups…") \
	DO(GROUP_REMOVE, "group remove --group=$t", "group-remove", "T", "ae", "", "Examples", "Delete group") \
	DO(GROUP_EARLIER, "group move --by=-1", "group-earlier", "", "ae", "Alt+Shift+Up", "Examples", "Move group up") \
	DO(GROUP_LATER, "group move --by=1", "group-later", "", "ae", "Alt+Shift+Down", "Examples", "Move group down") \
	DO(GROUP_PLACE, "group move --to=$1", "group-place", "n", "ae", "", "", "Move group to") \
	DO(GROUP_JOINT, "group joints --toggle=$t", "group-joint", "t", "ae", "", "", "Add or remove driving joint") \
	DO(DRIVER, "example drive --joint=$t", "driver", "t", "ae", "", "", NULL) \
	DO(GROUP_FREE, "group joints", "group-free", "", "ae", "", "Examples", "Choose joints automatically") \
	DO(EXAMPLE_JOIN, "example join --group=$t", "example-join", "t", "ae", "", "", "Add to group") \
	DO(EXAMPLE_MOVE, "example move --to=$t", "example-move", "t", "ae", "", "", "Move to group") \
	DO(EXAMPLE_LEAVE, "example leave --group=$t", "example-leave", "T", "ae", "", "Examples", "Remove from group") \
	DO(EXAMPLE_MASK, "example mask --mask=field:$t", "example-mask", "T", "ae", "", "", "Group mask") \
	DO(EXAMPLE_PLACE, "example place --to=$1", "example-place", "n", "ae", "", "", "Move example to") \
	DO(EXAMPLE_EARLIER, "example place --by=-1", "example-earlier", "", "ae", "Alt+Up", "Examples", "Move example up") \
	DO(EXAMPLE_LATER, "example place --by=1", "example-later", "", "ae", "Alt+Down", "Examples", "Move example down")

#define SNW_COMMANDS_STACK(ROW, DO, BY) \
	ROW(FIT, fit, "fit", "T", "aeo", "Ctrl+F", "Stack", "Fit", "Fits what is stale again, or else learns the skin of the selected layer anew, in a separate process") \
	ROW(COMPARE_METHODS, compare_methods, "compare-methods", "", "ae", "", "Stack", "Which method for my sculpts?", "Compares the methods that can learn from the sculpts: each shows the sculpts that it has not learned from") \
	ROW(METHOD_KEEP, method_keep, "method-keep", "t", "aeo", "", "", "Keep a method", "Fits a method to all sculpts, in place of the layers that have learned from them") \
	ROW(FIT_KEEP, fit_keep, "fit-keep", "", "aeo", "", "", "Keep the fit", "Stores the fit although it makes something worse") \
	ROW(FIT_DROP, fit_drop, "fit-drop", "", "av", "", "", "Discard the fit", "Leaves the stack as it was before the fit") \
	ROW(CANCEL, cancel, "cancel", "", "av", "", "Stack", "Cancel fit", "Stops the running job and discards its result") \
	ROW(BAKE, bake, "bake", "T", "ae", "", "-Stack", "Bake for engines", "Makes skins of linear blend, helper joints, proxy joints and morph targets within the budget, and measures each. The project changes when you keep one") \
	ROW(BAKE_BUDGET, bake_budget, "bake-budget", "t", "av", "", "", "Set budget", "KEY=N: influences, joints, helpers, proxies, morphs or bytes") \
	ROW(BAKE_ENGINE, bake_engine, "bake-engine", "t", "av", "", "", "Set engine", "The engine that bakes and exports are for, as in 'sinew export --for'; 'any' for what all engines play") \
	ROW(BAKE_SHOW, bake_show, "bake-show", "n", "ae", "", "", "Show baked skin", "A skin of the bake by number, from 0") \
	ROW(BAKE_LARGER, bake_larger, "bake-larger", "", "ae", "Alt+Right", "Stack", "Next larger baked skin", "Shows the skin of the bake that is next in size") \
	ROW(BAKE_SMALLER, bake_smaller, "bake-smaller", "", "ae", "Alt+Left", "Stack", "Next smaller baked skin", "Shows the skin of the bake that comes before in size") \
	ROW(BAKE_KEEP, bake_keep, "bake-keep", "", "aeo", "", "Stack", "Keep baked skin", "Stores the skin that is shown, over the other layers, which are muted") \
	ROW(BAKE_DROP, bake_drop, "bake-drop", "", "ae", "", "Stack", "Discard baked skins", "Shows the stack again and forgets the bake") \
	DO(LOD_MAKE, "lod make --level=$t", "lod-make", "T", "ae", "", "-Stack", "Make levels of detail…") \
	DO(LOD_REMOVE_ONE, "lod remove $1", "lod-remove-one", "n", "ae", "", "", "Remove level of detail") \
	DO(LOD_REMOVE, "lod remove", "lod-remove", "", "ae", "", "Stack", "Remove levels of detail") \
	ROW(LAYER, layer, "layer", "n", "avc", "", "", "Select layer", "By index from the bottom") \
	BY(LAYER_ADD, layer_add, "stack add", "layer-add", "t", "ae", "", "", "Add layer", "A method that binds at once, or one to fit") \
	DO(LAYER_UP, "stack move --by=1", "layer-up", "", "ae", "Ctrl+Up", "Stack", "Move layer up") \
	DO(LAYER_DOWN, "stack move --by=-1", "layer-down", "", "ae", "Ctrl+Down", "Stack", "Move layer down") \
	DO(LAYER_PLACE, "stack move --to=$1", "layer-place", "n", "ae", "", "", NULL) \
	BY(LAYER_MUTE, layer_mute, "stack mute", "layer-mute", "N", "ae", "", "Stack", "Mute layer", "Leaves the layer out of the stack until you unmute it") \
	DO(LAYER_NAME, "stack name --new=$t", "layer-name", "T", "ae", "", "Stack", "Rename layer…") \
	DO(LAYER_REMOVE, "stack remove", "layer-remove", "", "ae", "", "Stack", NULL) \
	DO(SET, "stack set --set=$t", "set", "t", "ae", "", "", NULL) \
	ROW(TRY_SET, try_set, "try-set", "t", "aed", "", "", "Preview parameter", "The same during a drag, if it takes no fit") \
	DO(LAYER_CLIPS, "stack read --clip=$t", "layer-clips", "t", "ae", "", "", "Choose clips of the fit") \
	DO(LAYER_FRAMES, "stack read --frames=$t", "layer-frames", "t", "ae", "", "", "Choose frames of the fit") \
	DO(UNSET, "stack unset --key=$t", "unset", "t", "ae", "", "", NULL) \
	ROW(CHOOSE_FILE, choose_file, "choose-file", "t", "ae", "", "", "Choose file for parameter", "KEY of the selected layer, or KEY@NAME") \
	ROW(MEASURE, measure, "measure", "", "ae", "", "-Stack", "Measure", "Fills the error table: linear blend and the stack, at the examples and over the targets")

#define SNW_COMMANDS_TIME(ROW, DO, BY) \
	ROW(PLAY, play, "play", "N", "avl", "Space", "Time", "Play or pause", "Plays the clip") \
	ROW(STEP, step, "step", "n", "avl", "", "", "Step", "Goes forward by a number of frames") \
	ROW(STEP_ON, step_on, "step-on", "", "avl", "Right", "Time", "Next frame", "Goes to the next frame of the clip") \
	ROW(STEP_BACK, step_back, "step-back", "", "avl", "Left", "Time", "Previous frame", "Goes to the previous frame of the clip") \
	ROW(SCULPT_NEXT, sculpt_next, "sculpt-next", "", "avl", "Ctrl+Right", "Time", "Next frame to sculpt", "Goes to the frame of the clip, or else of the first clip, whose pose is least like those that are sculpted, to sculpt there") \
	ROW(SEEK, seek, "seek", "n", "avld", "", "", "Go to time", "Seconds") \
	ROW(START, start, "start", "", "avl", "Shift+Left", "Time", "Go to start", "Goes to the start of the clip") \
	ROW(LOOP, loop, "loop", "", "av", "", "Time", "Loop", "Repeats the clip") \
	ROW(SPEED, speed, "speed", "n", "av", "", "", "Playback speed", "A factor") \
	ROW(CLIP, clip, "clip", "t", "avl", "", "", "Select clip", "By name")

#define SNW_COMMANDS_VIEW(ROW, DO, BY) \
	ROW(ORBIT, orbit, "orbit", "nn", "avq", "", "", "Orbit", "Yaw and pitch in radians") \
	ROW(PAN, pan, "pan", "nn", "avq", "", "", "Pan", "Fractions of the height of the viewport, to the right and up") \
	ROW(ZOOM, zoom, "zoom", "nNN", "avq", "", "", "Zoom", "A factor of the distance; the position in the viewport that stays where it is, from the middle (0 0) to the right and upper edges (1 1)") \
	ROW(FRAME, frame, "frame", "", "av", "A Home", "View", "Frame all", "Fits everything in the view") \
	ROW(FRAME_CHOSEN, frame_chosen, "frame-chosen", "", "av", "F", "View", "Frame selection", "Fits the selected joint, or everything, in the view") \
	ROW(FRONT, front, "front", "", "av", "Keypad1", "View", "Front view", "Looks along −z") \
	ROW(BACK, back, "back", "", "av", "Ctrl+Keypad1", "View", "Back view", "Looks along +z") \
	ROW(SIDE, side, "side", "", "av", "Keypad3", "View", "Side view", "Looks along −x") \
	ROW(OTHER_SIDE, other_side, "other-side", "", "av", "Ctrl+Keypad3", "View", "Opposite side view", "Looks along +x") \
	ROW(TOP, top, "top", "", "av", "Keypad7", "View", "Top view", "Looks down") \
	ROW(BELOW, below, "below", "", "av", "Ctrl+Keypad7", "View", "Bottom view", "Looks up") \
	ROW(SPLIT, split, "split", "", "av", "V", "View", "Second view", "Shows the character twice, side by side. Each view has its own camera, look and lights; brushes, picking and keys work in the one under the mouse") \
	ROW(VIEW_SIDE, view_side, "view-side", "n", "avq", "", "", "Use view", "Which of two views commands are for: 0 the left one, 1 the right one") \
	ROW(PARALLEL, parallel, "parallel", "", "av", "Keypad5", "View", "Orthographic", "Draws parallel lines as parallel") \
	ROW(BEFORE, before, "before", "n", "avq", "hold:B", "-View", "Before (hold)", "Shows the linear blend while the key is held") \
	ROW(METHOD, method, "method", "n", "av", "", "", "Select method", "The method that is shown, by number") \
	ROW(HEAT, heat, "heat", "N", "av", "H", "View", "Error heat map", "Colours the skin by its distance from the ground truth") \
	ROW(FIELD, field, "field", "t", "av", "", "", "Show field", "Colours the skin by a field: error, influences (the colours of the joints, mixed by weight), sculpt (what the selected example moves), or a field of the project") \
	ROW(PLOT, plot, "plot", "t", "av", "", "", "Select curve", "The curve under the timeline: the largest error of each frame, or a field over frames") \
	ROW(SKELETON, skeleton, "skeleton", "", "av", "S", "View", "Skeleton", "Shows the bones") \
	ROW(SHADING, shading, "shading", "n", "av", "", "", "Shading", "0 materials, 1 clay, 2 x-ray, 3 edges only; matcaps: 4 clay, 5 skin, 6 chrome") \
	ROW(MATCAP, matcap, "matcap", "", "av", "K", "View", "Next matcap", "Shades the skin by its shape alone: as clay, as skin, as chrome, whose stripes show the curvature, then as before") \
	ROW(LIGHTS, lights, "lights", "n", "av", "", "", "Lights", "0 studio, 1 raking (shows every dent), 2 even") \
	ROW(LIGHT_TURN, light_turn, "light-turn", "n", "avd", "", "", "Turn the light", "The key light about the vertical, from -180 to 180 degrees, to the right") \
	ROW(SUBDIVIDE, subdivide, "subdivide", "n", "av", "", "", "Subdivision preview", "0 none, 1 once, 2 twice") \
	ROW(LEVEL, level, "level", "n", "av", "", "", "Show level of detail", "0 the mesh itself, 1 and on its levels, -1 the level that its size chooses") \
	ROW(RESET_GRAPHICS, reset_graphics, "reset-graphics", "", "av", "", "", "Reset graphics", "Creates everything on the graphics card again, as after a driver reset") \
	ROW(FLAT, flat, "flat", "", "av", "L", "View", "Flat shading", "Shades each face flat") \
	ROW(WIREFRAME, wireframe, "wireframe", "", "av", "W", "View", "Wireframe", "Draws the edges") \
	ROW(GRID, grid, "grid", "", "av", "G", "View", "Ground grid", "Shows the ground") \
	ROW(GHOSTS, ghosts, "ghosts", "", "av", "O", "View", "Ghosts", "Shows the poses of the nearest examples faintly") \
	ROW(CONTACT, contact, "contact", "", "av", "Alt+C", "View", "Contact", "Tints where the skin goes through itself or another mesh, while posing and sculpting, and marks it on the timeline") \
	ROW(CONTACT_WORST, contact_worst, "contact-worst", "", "av", "", "View", "Go to deepest contact", "Shows the moment of the clip at which contact is deepest, and the place, close up") \
	ROW(DRIVER_CONE, driver_cone, "driver-cone", "", "av", "", "View", "Driver cone", "Shows where the bone that drives the selected group points while its examples act; drag the handle to set the width") \
	ROW(PANELS, panels, "panels", "", "av", "Ctrl+Space", "View", "Panels", "Shows or hides the panels") \
	ROW(VIEW_MENU, view_menu, "view-menu", "nnT", "av", "", "", "Menu in the viewport", "Opens the menu of what is at a place, as fractions of the viewport from its top left corner: of the mesh, and of the joint by name or, without one, the one that moves the skin there most") \
	ROW(TAB, tab, "tab", "n", "av", "", "", "Select tab", "Of the right panel") \
	ROW(RESTORE_VIEW, restore_view, "restore-view", "t", "avq", "", "", "Restore view", "KEY VALUE: a line of what the window keeps for each project, such as the camera and the brush")

#define SNW_COMMANDS_HELP(ROW, DO, BY) \
	ROW(HELP, help, "help", "T", "av", "Shift+F1", "Help", "Help", "Shows what the pages say about what is selected, or about the words given") \
	ROW(PALETTE, palette, "palette", "", "av", "Ctrl+P F3", "Help", "Find command…", "Lists every command; type to filter") \
	ROW(KEYS, keys, "keys", "", "av", "F1", "Help", "Keyboard shortcuts", "Lists the keys; each can be changed") \
	ROW(REPORT, report, "report", "", "avq", "F11 Ctrl+F11", "", "Report", "Writes the state, and where everything is, to standard output, once nothing is under way") \
	ROW(REPORT_AT_ONCE, report_at_once, "report-at-once", "", "avq", "Shift+F11", "", "Report at once", "The same without waiting for what is under way") \
	ROW(WRITE_SCRIPT, write_script, "write-script", "", "av", "", "Help", "Save session as script", "Writes the commands of this session to a script, for a bug report") \
	ROW(ABOUT, about, "about", "", "av", "", "-Help", "About", "The version, the build, the libraries and the licence")

/* clang-format on */

#endif
