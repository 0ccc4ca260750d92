#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of the docs by the program itself:
#   docs/pictures/draw.sh [PICTURE…]     all, or those named: between thumb biceps arm tour human errors base centers twist skirt skeleton
#                                        comparison window dressed bake two_views morph contact matcap crowd
# SINEW is the program (sinew). The human and the skirt want SINEW_TEST_DATA, the folder of the tests' data; sculpts are made by
# scripts of the window, under Xvfb where there is no display. SINEW_PICTURES is where the pictures go (here), SINEW_PROJECTS where
# their projects stay (nowhere).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sinew=${SINEW:-sinew}
data=${SINEW_TEST_DATA:-$here/../../../shared/data}
pictures=${SINEW_PICTURES:-$here}
work=${SINEW_PROJECTS:-$(mktemp -d)}
[ -n "${SINEW_PROJECTS:-}" ] || trap 'rm -rf "$work"' EXIT
cd "$work"

quietly() {
  "$sinew" "$@" --quiet 2>messages.txt || { cat messages.txt >&2; exit 1; }
}

in_window() {
  if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then quietly view "$@"; else
    python3 "$here/../../tests/x_server.py" "$sinew" view "$@" --quiet
  fi
}

draw() {
  quietly render "$1" -o "$pictures/$2.png" "${@:3}"
  echo "$pictures/$2.png"
}

# A sculpt in a pose by a script of the window: first as the skin has it, so that its group is known.
sculpt() { # PROJECT NAME POSE GROUP JOINT SCRIPT
  quietly export "$1" --pose "$3" -o skin.obj
  quietly example "$1" add --name "$2" --pose "$3" --file skin.obj --group "$4" --joints "$5"
  in_window "$1" --script "$here/$6.txt" --size 1280x800
}

# Layers to compare: the forward one is muted, so that the inverse one does not stand on it.
fit_both() { # PROJECT SETTINGS…
  quietly fit inverse-psd "$@" --layer 'forward PSD' --set mode=forward
  quietly stack "$1" mute 'forward PSD'
  quietly fit inverse-psd "$@" --layer 'inverse PSD'
}

# What the strokes have fitted makes way for both.
fit_both_anew() {
  quietly stack "$1" remove inverse-psd
  fit_both "$@"
}

# As figures 4 and 5 of the paper: one place sculpted at a right angle, and what the angles between make of it. The linear kernel
# shows a share of it that grows with the angle.
draw_between() {
  quietly sample arm -o arm.sinew --replace
  quietly example arm.sinew remove elbow-130
  quietly example arm.sinew remove wrist-150
  quietly pose arm.sinew add 30° --rotate elbow=0,0,0.5236
  quietly pose arm.sinew add 45° --rotate elbow=0,0,0.7854
  quietly pose arm.sinew add 60° --rotate elbow=0,0,1.0472
  quietly pose arm.sinew add 90° --rotate elbow=0,0,1.5708
  sculpt arm.sinew bulge 90° elbow elbow bulge
  fit_both_anew arm.sinew --set kernel=linear
  draw arm.sinew between --pose 30° --pose 45° --pose 60° --pose 90° --method 'forward PSD' --method 'inverse PSD' \
    --size 400x340 --yaw 0 --pitch 0.05 --no-grid --focus joints:elbow --zoom 0.93 --pan 0.12,0.04
}

# As figure 9: a thumb turned down by 66.8 degrees is sculpted; 45 and 60 degrees lie between.
draw_thumb() {
  quietly import "$data/human-rig/human.glb" -o thumb.sinew
  quietly pose thumb.sinew add arm-out --rotate upperarm_l=0,0,0.9
  quietly pose thumb.sinew add 45° --from arm-out --rotate thumb_01_l=0.785,0,0
  quietly pose thumb.sinew add 60° --from arm-out --rotate thumb_01_l=1.047,0,0
  quietly pose thumb.sinew add 66.8° --from arm-out --rotate thumb_01_l=1.166,0,0
  sculpt thumb.sinew thumb 66.8° thumb thumb_01_l thumb
  fit_both_anew thumb.sinew
  set -- --pose 66.8° --pose 60° --pose 45° --size 420x260 --yaw -0.6 --pitch -0.3 --no-grid --zoom 1.12 --subdivide 1 \
    --focus joints:thumb_01_l,index_01_l,middle_01_l
  draw thumb.sinew thumb "$@" --method linear-blend --method 'forward PSD' --method 'inverse PSD'
  draw thumb.sinew web "$@" --method linear-blend --method 'inverse PSD' --caption 'linear blend, 66.8°' --caption 'linear blend, 60°' \
    --caption 'linear blend, 45°' --caption 'one sculpt, here at 66.8°' --caption 'what is made of it at 60°' --caption 'and at 45°'
}

# As figure 10: a human arm.
draw_biceps() {
  quietly import "$data/human-rig/human.glb" -o biceps.sinew
  quietly pose biceps.sinew add raised --rotate upperarm_l=0.671,-1.389,0.720
  quietly pose biceps.sinew add 45° --from raised --rotate lowerarm_l=0.765,0,0.178
  quietly pose biceps.sinew add 60° --from raised --rotate lowerarm_l=1.020,0,0.237
  quietly pose biceps.sinew add 90° --from raised --rotate lowerarm_l=1.530,0,0.355
  sculpt biceps.sinew elbow 90° elbow lowerarm_l biceps
  fit_both_anew biceps.sinew
  draw biceps.sinew biceps --pose 45° --pose 60° --pose 90° --method linear-blend --method 'forward PSD' --method 'inverse PSD' \
    --size 420x320 --yaw 0 --pitch 0 --no-grid --focus joints:upperarm_l --zoom 1.05 --pan -0.1,0.0 --subdivide 1
}

# What docs/rigger.md goes through.
draw_tour() {
  quietly sample arm -o tour.sinew
  quietly fit pose-regression tour.sinew --clip bend,twist
  quietly bake tour.sinew --for three --budget influences=4,morphs=4 -o engine.sinew
  draw engine.sinew tour --clip both --frame 6 --method linear-blend --method stack --method source --heat error
}

draw_arm() {
  quietly sample arm -o arm.sinew --replace
  quietly fit inverse-psd arm.sinew
  draw arm.sinew arm --sheet --size 330x240 --pitch 0.15
}

# Six sculpts of a slow rig, a group for each region and side.
human() {
  local name region
  [ ! -f human.sinew ] || return 0
  quietly import "$data/human-rig/human.glb" -o human.sinew
  quietly target human.sinew add --clip rom --file "$data/human-rig/target-rom.pc2"
  quietly target human.sinew add --clip dance --file "$data/human-rig/target-dance.pc2"
  for name in elbow120:elbow elbow120_twist70:elbow shoulder_up:shoulder knee110:knee hip90:hip neck60:; do
    region=${name#*:} name=${name%:*}
    quietly pose human.sinew add "$name" --file "$data/human-sculpts/$name.json"
    if [ -n "$region" ]; then
      set -- --group "$region-left" --mask x+ --group "$region-right" --mask x-
    else
      set -- --group neck
    fi
    quietly example human.sinew add --name "$name" --pose "$name" --file "$data/human-sculpts/$name-target.obj" "$@"
  done
  fit_both human.sinew
}

draw_human() {
  human
  draw human.sinew human --sheet --example elbow120 --example shoulder_up --example hip90 --size 260x340
}

draw_errors() {
  human
  draw human.sinew errors --clip dance --frame 42 --method linear-blend --method 'forward PSD' --method 'inverse PSD' --heat error \
    --size 420x560
}

# The same six sculpts over dual quaternions and delta mush.
draw_base() {
  human
  cp human.sinew base.sinew
  for layer in 'forward PSD' 'inverse PSD'; do quietly stack base.sinew remove "$layer"; done
  quietly stack base.sinew add dual-quaternion
  quietly stack base.sinew add delta-mush
  quietly fit inverse-psd base.sinew
  draw base.sinew base --clip dance --frame 42 --method linear-blend --method dual-quaternion --method delta-mush --method inverse-psd \
    --heat error --size 420x560
}

# The worked example of the guide for plug-in authors.
draw_centers() {
  mkdir -p plugins
  quietly plugin build "$here/../../plugins/examples/centers/centers.c" -o plugins/centers.so
  export SINEW_PLUGIN_PATH=${SINEW_PLUGIN_PATH:+$SINEW_PLUGIN_PATH:}$work/plugins
  quietly sample small-arm -o centers.sinew
  quietly fit example-centers centers.sinew
  draw centers.sinew centers --pose elbow-130 --pose wrist-150 --method linear-blend --method dual-quaternion --method example-centers \
    --size 420x300 --no-grid
}

# As figure 13 of Wang, Pulli and Popović: three twists train, and others are shown.
draw_twist() {
  quietly sample twist-bar -o twist.sinew
  quietly fit inverse-psd twist.sinew
  cp twist.sinew turned.sinew
  quietly fit rotational-regression turned.sinew --clip train
  quietly stack turned.sinew mute inverse-psd
  set -- --clip test --frame 12 --frame 18 --look edges --size 420x200 --no-grid
  draw twist.sinew twist-displaced "$@" --method linear-blend --method inverse-psd
  draw turned.sinew twist-turned "$@" --method source --method rotational-regression
}

draw_skirt() {
  quietly import --sequence "$data/cloth-skirt/frames.pc2" --rest "$data/cloth-skirt/rest.obj" -o skirt.sinew
  quietly fit sad skirt.sinew --set joints=100 --set eigen=5
  set -- --clip frames --frame 40 --size 440x400
  draw skirt.sinew skirt-source "$@" --method source --caption 'the simulation'
  draw skirt.sinew skirt-frame "$@" --caption '100 rigid proxy joints, 5 eigen-displacements'
  draw skirt.sinew skirt-influences "$@" --heat influences --caption 'which joints move what'
}

# Skeletons made from motion alone.
draw_skeleton() {
  quietly import --sequence "$data/horse-gallop/*.obj" --rest "$data/horse-gallop-rest.obj" -o horse.sinew
  quietly import --sequence "$data/cat-poses/*.obj" --rest "$data/cat-poses-rest.obj" -o cat.sinew
  quietly skeleton horse.sinew --bones 24
  quietly skeleton cat.sinew --bones 24
  set -- --heat influences --skeleton --look x-ray --size 480x400 --yaw 1.2 --no-grid
  draw horse.sinew skeleton-horse --pose rest --pose horse-gallop:0.5 "$@"
  draw cat.sinew skeleton-cat --pose rest --pose cat-poses:0.1 "$@"
}

draw_window() { # as somebody sees it who starts
  export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
  (cd "$here/window" && in_window --script first-corrective.txt --size 1280x800 && ls "$here"/window/*.png)
}

draw_dressed() { # a sculpt of the body that the sleeve goes along with, and what follows from it
  quietly sample dressed -o dressed.sinew --replace
  export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
  (project=$PWD/dressed.sinew && cd "$here/window" && in_window "$project" --script dressed.txt --size 1280x800 &&
    ls "$here"/window/{clothes,tasks}.png)
}

draw_bake() { # the skins of a stack, and one of them
  quietly sample arm -o arm.sinew --replace
  quietly fit inverse-psd arm.sinew
  export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
  (project=$PWD/arm.sinew && cd "$here/window" && in_window "$project" --script bake.txt --size 1280x960 && ls "$here"/window/bake.png)
}

draw_two_views() { # as clay and, from the side, as chrome
  quietly sample arm -o arm.sinew --replace
  quietly fit inverse-psd arm.sinew
  export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
  (project=$PWD/arm.sinew && cd "$here/window" && in_window "$project" --script two-views.txt --size 900x420 && ls "$here"/window/two-views.png)
}

draw_morph() { # the brush takes a part of the elbow's sculpt back, whose size is shown
  quietly sample arm -o arm.sinew --replace
  quietly fit inverse-psd arm.sinew
  export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
  (project=$PWD/arm.sinew && cd "$here/window" && in_window "$project" --script morph.txt --size 1000x640 && ls "$here"/window/morph.png)
}

# The pages of docs/comparison.md, on the projects of its figures, and what they show.
draw_comparison() {
  SINEW_TEST_DATA=$data PYTHONPATH=$here/../../tests/cli:$here/../../tests/figures python3 - "$(command -v "$sinew")" <<'END'
import shutil
import sources
shutil.copy(sources.human_project(), "human.sinew")
shutil.copy(sources.cow_project(), "cow.sinew")
END
  local usual=linear-blend,linear-blend-fit,dual-quaternion,delta-mush,dual-quaternion+delta-mush,inverse-psd
  local learned=animation-space,multi-weight,rotational-regression,pose-regression,dual-quaternion+pose-regression
  quietly compare human.sinew --train rom --test dance -o human.html \
    --methods "$usual,dual-quaternion+delta-mush+inverse-psd,$learned,pose-regression+inverse-psd"
  quietly compare cow.sinew --train first --test unseen --sculpts 12 -o cow.html --methods "$usual,$learned"
  "$here/comparison/charts.py" human.html "$here/comparison/human" linear-blend pose-regression
  "$here/comparison/charts.py" cow.html "$here/comparison/cow"
}

draw_contact() {
  quietly import "$data/human-rig/human.glb" -o contact.sinew
  quietly contact contact.sinew --clip dance --field contact
  draw contact.sinew contact --heat contact --pose dance:2.3 --size 640x640 --yaw -0.4 --zoom 1.1
}

# What the stripes of chrome say of an elbow, without and with its sculpt.
draw_matcap() {
  quietly sample arm -o arm.sinew --replace
  quietly fit inverse-psd arm.sinew
  draw arm.sinew matcap --pose elbow-130 --method linear-blend --method inverse-psd --look matcap-chrome --size 420x340 \
    --focus joints:elbow --no-grid
}

# As figure 8 of Skinning Arbitrary Deformations: a thousand, each at a moment of its own.
draw_crowd() {
  quietly import "$data/human-rig/human.glb" -o crowd.sinew
  quietly lod crowd.sinew make --level triangles=25% --level triangles=6%
  draw crowd.sinew crowd --crowd 1000 --size 960x480 --yaw 0.5 --pitch 0.35
}

all=(between thumb biceps arm tour human errors base centers twist skirt skeleton comparison window dressed bake two_views morph contact matcap crowd)
for picture in "${@:-${all[@]}}"; do
  declare -F "draw_$picture" >/dev/null || { echo "draw.sh: $picture: no such picture; there are: ${all[*]}" >&2; exit 2; }
  "draw_$picture"
done
