// SPDX-License-Identifier: GPL-3.0-or-later
//
// The character of a review page: the glTF that Sinew exports, read, posed, skinned and drawn. The page has plugins/player/sinew.js
// before this text in the same module: it computes the correctives and helper joints, and its arithmetic is used here.
//
//   file        a binary glTF becomes nodes, meshes, clips
//   skin        points and normals of a pose, on the processor
//   picture     WebGL, with the viewport's camera and colours of heat maps
//   controls    clips, joints, the wipe, the camera

const element = (id) => document.getElementById(id);
async function bytesOf(id) {
	const packed = Uint8Array.from(atob(element(id).textContent), (letter) => letter.charCodeAt(0));
	return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer());
}
const facts = JSON.parse(element('facts').textContent);

// ---- the file ---------------------------------------------------------------------------------------------------------------

const arrays = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

function readFile(bytes) {
	const head = new DataView(bytes.buffer), length = head.getUint32(12, true);
	const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
	const part = (view, offset, type, count) => {
		const begin = 28 + length + (json.bufferViews[view].byteOffset ?? 0) + (offset ?? 0);
		return new arrays[type](bytes.slice(begin, begin + count * arrays[type].BYTES_PER_ELEMENT).buffer);
	};
	const numbers = (index) => {
		const { bufferView, byteOffset, componentType, count, type, sparse } = json.accessors[index], width = widths[type];
		const values = bufferView === undefined ? new arrays[componentType](count * width) : part(bufferView, byteOffset, componentType, count * width);
		if (sparse) {
			const { indices, values: changes } = sparse;
			const places = part(indices.bufferView, indices.byteOffset, indices.componentType, sparse.count);
			const vectors = part(changes.bufferView, changes.byteOffset, componentType, sparse.count * width);
			for (let i = 0; i < vectors.length; i++) {
				values[width * places[Math.floor(i / width)] + i % width] = vectors[i];
			}
		}
		return values;
	};
	return { json, numbers };
}

// The points that a morph target moves, with their vectors.
function sparseOf(vectors) {
	const places = [], moves = [];
	for (let i = 0; i < vectors.length; i += 3) {
		if (vectors[i] || vectors[i + 1] || vectors[i + 2]) {
			places.push(i / 3);
			moves.push(vectors[i], vectors[i + 1], vectors[i + 2]);
		}
	}
	return { places: Uint32Array.from(places), vectors: Float32Array.from(moves) };
}

// As shaders have it, of a material's linear factor. Without a colour of its own (white, under a picture that the page leaves out) it
// is clay.
function colorOf(material) {
	const factor = (material?.pbrMetallicRoughness?.baseColorFactor ?? [1, 1, 1]).slice(0, 3);
	return factor.every((x) => x > 0.999) ? [0.84, 0.77, 0.71] : factor.map((x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

function readMesh(node, { json, numbers }) {
	const { primitives, weights = [], extras, name } = json.meshes[node.mesh], { attributes, targets = [] } = primitives[0];
	const drawn = primitives.filter(({ indices }) => indices !== undefined), lists = drawn.map(({ indices }) => Array.from(numbers(indices)));
	const triangles = lists.flat(), colors = drawn.map(({ material }, i) => ({ count: lists[i].length, color: colorOf(json.materials?.[material]) }));
	const rest = numbers(attributes.POSITION), count = rest.length / 3, skin = json.skins?.[node.skin];
	const sets = [0, 1].filter((i) => attributes[`JOINTS_${i}`] !== undefined);
	const binds = skin ? numbers(skin.inverseBindMatrices) : [];
	return {
		name, node, rest, weights: [...weights], initial: weights, names: extras?.targetNames ?? [],
		targets: targets.map((target) => sparseOf(numbers(target.POSITION))),
		joints: sets.map((i) => numbers(attributes[`JOINTS_${i}`])), shares: sets.map((i) => numbers(attributes[`WEIGHTS_${i}`])),
		bones: skin?.joints.map((joint, j) => [joint, rowsOf(binds.subarray(16 * j, 16 * j + 16))]),
		colors, triangles: Uint32Array.from(triangles), shaped: new Float32Array(3 * count), points: new Float32Array(3 * count), normals: new Float32Array(3 * count),
	};
}

function readClip({ name, channels, samplers }, { numbers }) {
	const tracks = channels.map(({ target, sampler }) => {
		const { input, output, interpolation = 'LINEAR' } = samplers[sampler];
		return { node: target.node, path: target.path, times: numbers(input), values: numbers(output), interpolation };
	});
	return { name, tracks, duration: Math.max(0, ...tracks.map(({ times }) => times[times.length - 1])) };
}

// The value of a track at a time.
function sample({ path, times, values, interpolation }, seconds) {
	const cubic = interpolation === 'CUBICSPLINE', width = values.length / times.length / (cubic ? 3 : 1), last = times.length - 1;
	const at = (key, part = cubic ? 1 : 0) => [...values.subarray(width * ((cubic ? 3 : 1) * key + part), width * ((cubic ? 3 : 1) * key + part + 1))];
	let k = 0;
	while (k < last && times[k + 1] <= seconds) {
		k++;
	}
	if (k === last || seconds <= times[0] || interpolation === 'STEP') {
		return at(k);
	}
	const span = times[k + 1] - times[k], t = (seconds - times[k]) / span, a = at(k), b = at(k + 1);
	if (cubic) {
		const out = at(k, 2), into = at(k + 1, 0), tt = t * t, ttt = tt * t;
		const value = a.map((x, i) => (2 * ttt - 3 * tt + 1) * x + span * (ttt - 2 * tt + t) * out[i] + (3 * tt - 2 * ttt) * b[i] + span * (ttt - tt) * into[i]);
		return path === 'rotation' ? unit(value) : value;
	}
	if (path !== 'rotation') {
		return a.map((x, i) => x + t * (b[i] - x));
	}
	const cosine = Math.abs(dot(a, b)), sign = dot(a, b) < 0 ? -1 : 1, angle = Math.acos(Math.min(cosine, 1));
	const from = angle > 1e-4 ? Math.sin((1 - t) * angle) / Math.sin(angle) : 1 - t, to = angle > 1e-4 ? Math.sin(t * angle) / Math.sin(angle) : t;
	return unit(a.map((x, i) => from * x + sign * to * b[i]));
}

// ---- the skin ---------------------------------------------------------------------------------------------------------------

// Rest points with their morph targets.
function shape({ rest, targets, weights, shaped }) {
	shaped.set(rest);
	targets.forEach(({ places, vectors }, t) => {
		for (let i = 0; weights[t] && i < places.length; i++) {
			for (let c = 0; c < 3; c++) {
				shaped[3 * places[i] + c] += weights[t] * vectors[3 * i + c];
			}
		}
	});
}

function blend({ bones, joints, shares, shaped, points }, globals) {
	const palette = Float64Array.from(bones.flatMap(([joint, bind]) => product(globals[joint], bind))), m = new Float64Array(12);
	for (let v = 0; v < points.length / 3; v++) {
		m.fill(0);
		for (let set = 0; set < joints.length; set++) {
			for (let i = 4 * v; i < 4 * v + 4; i++) {
				const share = shares[set][i], from = 12 * joints[set][i];
				for (let e = 0; share && e < 12; e++) {
					m[e] += share * palette[from + e];
				}
			}
		}
		const x = shaped[3 * v], y = shaped[3 * v + 1], z = shaped[3 * v + 2];
		for (let r = 0; r < 3; r++) {
			points[3 * v + r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3];
		}
	}
}

function place({ shaped, points }, global) {
	for (let i = 0; i < points.length; i += 3) {
		points.set(vectorBy(global, shaped.subarray(i, i + 3)).map((x, r) => x + global[4 * r + 3]), i);
	}
}

// Sums of the normals of faces, by area.
function findNormals({ triangles, points, normals }) {
	normals.fill(0);
	for (let t = 0; t < triangles.length; t += 3) {
		const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
		const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
		const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
		const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
		for (let corner = 0; corner < 3; corner++) {
			const at = 3 * triangles[t + corner];
			normals[at] += x;
			normals[at + 1] += y;
			normals[at + 2] += z;
		}
	}
}

function openCharacter(bytes, warn) {
	const file = readFile(bytes), { json } = file, list = json.nodes, byName = new Map(), parents = new Map();
	const nodes = list.map(({ name, translation = zero, rotation = identity, scale = one }) => ({ name, translation, rotation, scale, matrix: null }));
	const initial = nodes.map((node) => ({ ...node }));
	list.forEach(({ children = [] }, i) => children.forEach((child) => parents.set(child, i)));
	const order = [], visit = (i) => { order.push(i); (list[i].children ?? []).forEach(visit); };
	json.scenes[json.scene ?? 0].nodes.forEach(visit);
	const meshes = order.filter((i) => list[i].mesh !== undefined).map((i) => readMesh({ ...list[i], index: i }, file));
	const binds = new Map(meshes.flatMap(({ bones = [] }) => bones));
	nodes.forEach((node, i) => byName.has(node.name) || byName.set(node.name, {
		read: () => [node.translation, node.rotation, node.scale],
		write: (matrix) => { node.matrix = matrix; },
		bind: binds.get(i),
	}));
	const owners = meshes.filter(({ node }) => isDriven(node.extras?.sinew)).map((mesh) => ({
		sinew: mesh.node.extras.sinew,
		label: mesh.name,
		setWeight: (target, weight) => { mesh.weights[mesh.names.indexOf(target)] = weight; },
	}));
	const live = owners.length > 0 ? play(owners, byName, warn) : { update: () => {} };
	function rest() {
		nodes.forEach((node, i) => Object.assign(node, initial[i]));
		meshes.forEach((mesh) => { mesh.weights = [...mesh.initial]; });
	}
	function pose({ tracks }, seconds) {
		rest();
		for (const track of tracks) {
			const value = sample(track, seconds);
			if (track.path === 'weights') {
				meshes.filter(({ node }) => node.index === track.node).forEach((mesh) => { mesh.weights = value; });
			} else {
				nodes[track.node][track.path] = value;
			}
		}
	}
	function update() {
		const globals = [];
		live.update();
		for (const i of order) {
			const { matrix, rotation, translation, scale } = nodes[i], local = matrix ?? matrixOf(rotation, translation, scale);
			globals[i] = parents.has(i) ? product(globals[parents.get(i)], local) : local;
		}
		for (const mesh of meshes) {
			shape(mesh);
			mesh.bones ? blend(mesh, globals) : place(mesh, globals[mesh.node.index]);
			findNormals(mesh);
		}
	}
	// So that the windings of joints begin at rest.
	function jump(write) {
		rest();
		live.update();
		write();
	}
	return { nodes, initial, meshes, owners, clips: (json.animations ?? []).map((one) => readClip(one, file)), rest, pose, update, jump };
}

// ---- the picture ------------------------------------------------------------------------------------------------------------

const vertexShader = `#version 300 es
in vec3 point; in vec3 normal; in float heat;
uniform mat4 clip; uniform mat3 eye;
out vec3 facing; out float error;
void main() { gl_Position = clip * vec4(point, 1.0); facing = eye * normal; error = heat; }`;
const fragmentShader = `#version 300 es
precision highp float;
in vec3 facing; in float error;
uniform sampler2D ramp; uniform bool heated; uniform vec3 color;
out vec4 pixel;
void main() {
	vec3 n = normalize(facing) * (gl_FrontFacing ? 1.0 : -1.0);
	float key = max(dot(n, normalize(vec3(-0.45, 0.6, 0.66))), 0.0), sky = 0.5 + 0.5 * n.y, edge = pow(1.0 - abs(n.z), 3.0);
	vec3 clay = color * (0.3 + 0.22 * sky + 0.6 * key) + 0.12 * edge;
	vec3 scale = texture(ramp, vec2((error * 255.0 + 0.5) / 256.0, 0.5)).rgb * (0.62 + 0.38 * key);
	pixel = vec4(heated ? scale : clay, 1.0);
}`;

function openPicture(canvas, ramp) {
	const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
	if (!gl) {
		return null;
	}
	const program = gl.createProgram();
	[[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]].forEach(([kind, text]) => {
		const shader = gl.createShader(kind);
		gl.shaderSource(shader, text);
		gl.compileShader(shader);
		gl.attachShader(program, shader);
	});
	['point', 'normal', 'heat'].forEach((name, place) => gl.bindAttribLocation(program, place, name));
	gl.linkProgram(program);
	gl.useProgram(program);
	gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
	gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, ramp);
	[[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE]].forEach(([key, value]) => gl.texParameteri(gl.TEXTURE_2D, key, value));
	gl.enable(gl.DEPTH_TEST);
	const uniform = (name) => gl.getUniformLocation(program, name), buffers = new Map();
	function buffersOf(mesh) {
		if (!buffers.has(mesh)) {
			buffers.set(mesh, [0, 1, 2, 3].map(() => gl.createBuffer()));
			gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.get(mesh)[3]);
			gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles, gl.STATIC_DRAW);
		}
		return buffers.get(mesh);
	}
	// The part of the picture from one share of its width to another.
	function draw({ meshes }, heats, from, to) {
		const left = Math.round(from * canvas.width), right = Math.round(to * canvas.width);
		gl.enable(gl.SCISSOR_TEST);
		gl.scissor(left, 0, right - left, canvas.height);
		for (const mesh of meshes) {
			const list = buffersOf(mesh), heat = heats?.get(mesh.name);
			[mesh.points, mesh.normals, heat].forEach((values, place) => {
				if (!values) {
					gl.disableVertexAttribArray(place);
					return;
				}
				gl.bindBuffer(gl.ARRAY_BUFFER, list[place]);
				gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
				gl.enableVertexAttribArray(place);
				gl.vertexAttribPointer(place, place < 2 ? 3 : 1, gl.FLOAT, false, 0, 0);
			});
			gl.uniform1i(uniform('heated'), heat ? 1 : 0);
			gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, list[3]);
			mesh.colors.reduce((begin, { count, color }) => {
				gl.uniform3fv(uniform('color'), color);
				gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * begin);
				return begin + count;
			}, 0);
		}
		gl.disable(gl.SCISSOR_TEST);
	}
	// As snw_camera_matrices_make, columns first.
	function look({ target, yaw, pitch, distance }) {
		const aspect = canvas.width / canvas.height, tangent = Math.tan(0.5585 / 2) / Math.min(1, aspect), near = distance / 50, far = distance * 50;
		const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
		const rows = [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]], away = rows.map((row) => -dot(row, target));
		const scales = [1 / (tangent * aspect), 1 / tangent], depth = (near + far) / (near - far);
		const clip = [...scales.map((scale, r) => [...rows[r], away[r]].map((x) => x * scale)),
			[...rows[2].map((x) => x * depth), (away[2] - distance) * depth + 2 * near * far / (near - far)], [...rows[2].map((x) => -x), distance - away[2]]];
		gl.viewport(0, 0, canvas.width, canvas.height);
		gl.uniformMatrix4fv(uniform('clip'), true, clip.flat());
		gl.uniformMatrix3fv(uniform('eye'), true, rows.flat());
		gl.clearColor(0, 0, 0, 0);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
	}
	return { look, draw };
}

// ---- the error --------------------------------------------------------------------------------------------------------------

// Shares of the largest error at each point of a mesh, between the two frames that are nearest.
function heatOf(bytes, { seconds, points, rows, begin }, time, isAfter) {
	let k = 0;
	while (k + 2 < seconds.length && seconds[k + 1] <= time) {
		k++;
	}
	const next = Math.min(k + 1, seconds.length - 1), span = seconds[next] - seconds[k], t = span > 0 ? limit((time - seconds[k]) / span, 0, 1) : 0;
	const frame = (i) => bytes.subarray(begin + (rows * i + (isAfter ? rows - 1 : 0)) * points).subarray(0, points), a = frame(k), b = frame(next);
	return Float32Array.from(a, (x, i) => (x + t * (b[i] - x)) / 255);
}

// The joints that drive correctives; without such all of the skin's.
function jointsOf({ owners, meshes, nodes }) {
	const driving = owners.flatMap(({ sinew: { poseSpace, poseRegression, helperJoints } }) => [
		...(poseSpace?.groups ?? []).flatMap((group) => group.joints), ...(poseRegression?.joints ?? []).map(({ name }) => name),
		...(helperJoints?.helpers ?? []).flatMap(({ drivers }) => drivers.map(({ joint }) => joint))]);
	const all = meshes.flatMap(({ bones = [] }) => bones.map(([joint]) => nodes[joint].name)), names = new Set(driving.length > 0 ? driving : all);
	return [...names].map((name) => ({ name, index: nodes.findIndex((node) => node.name === name) })).filter(({ index }) => index >= 0);
}

// ---- the controls -----------------------------------------------------------------------------------------------------------

async function openReview() {
	const ramp = await bytesOf('ramp'), heatBytes = await bytesOf('heat');
	const canvas = element('view'), picture = openPicture(canvas, ramp), said = element('notice');
	const say = (text) => { said.textContent = text; };
	if (!picture) {
		say('This browser cannot draw the character: it has no WebGL 2.');
		return;
	}
	const after = openCharacter(await bytesOf('after'), say), before = element('before') ? openCharacter(await bytesOf('before'), say) : null;
	const camera = { ...facts.camera }, state = { clip: null, seconds: 0, wipe: before ? 0.5 : 0, plays: false, spins: false, heat: false, last: 0 };
	const joints = jointsOf(after);
	let isStale = true, isAsked = false;
	const both = (act) => [after, before].forEach((character) => character && act(character));
	const errors = () => (state.clip ? facts.errors.filter(({ clip }) => clip === state.clip.name) : []);

	// A joint's rotation away from rest, as a rotation vector.
	const vectorOf = ({ index }) => vectorNear(times(back(after.initial[index].rotation), after.nodes[index].rotation), zero);
	const axes = ['x', 'y', 'z'].map((axis) => element(`angle-${axis}`)), jointOf = () => joints[element('joint').selectedIndex];

	function showAngles() {
		const vector = joints.length > 0 ? vectorOf(jointOf()) : zero;
		axes.forEach((slider, c) => {
			const degrees = Math.round(vector[c] * 180 / Math.PI);
			slider.value = degrees;
			slider.nextElementSibling.textContent = `${degrees}°`;
		});
	}
	function showWeights() {
		const rows = after.meshes.flatMap(({ names, weights }) => names.map((name, i) => [name, weights[i]]));
		element('weights').replaceChildren(...rows.map(([name, weight]) => {
			const [row, label, bar] = ['li', 'span', 'meter'].map((kind) => document.createElement(kind));
			label.textContent = label.title = name;
			bar.value = limit(weight, 0, 1);
			row.append(label, bar, weight.toFixed(2));
			return row;
		}));
	}
	function showTime() {
		const slider = element('time');
		slider.value = state.seconds;
		slider.nextElementSibling.textContent = state.clip ? `${state.seconds.toFixed(2)} s` : '';
		document.querySelectorAll('.cursor').forEach((line) => {
			const { clip, left, width, end } = line.dataset, x = Number(left) + Number(width) * state.seconds / Number(end);
			line.setAttribute('transform', `translate(${state.clip?.name === clip && Number.isFinite(x) ? x : -99} 0)`);
		});
	}
	function showState() {
		element('play').textContent = state.plays ? 'Pause' : 'Play';
		element('play').disabled = element('time').disabled = !state.clip;
		element('turn').setAttribute('aria-pressed', state.spins);
		const [first] = errors(), most = Math.max(0, ...errors().map(({ millimetres }) => millimetres));
		element('heat').disabled = !first;
		element('scale').hidden = !first || !state.heat;
		element('most').textContent = `${most.toPrecision(3)} mm`;
		element('tag-before').hidden = !before || state.wipe < 0.02;
		element('tag-after').hidden = state.wipe > 0.98;
	}
	function heats(isAfter) {
		const most = Math.max(...errors().map(({ millimetres }) => millimetres));
		return state.heat ? new Map(errors().map((one) => [one.mesh, heatOf(heatBytes, one, state.seconds, isAfter).map((x) => x * one.millimetres / most)])) : null;
	}
	function resize() {
		const { width, height } = canvas.getBoundingClientRect(), ratio = Math.min(devicePixelRatio, 2);
		const [w, h] = [width, height].map((x) => Math.max(1, Math.round(x * ratio)));
		if (canvas.width !== w || canvas.height !== h) {
			[canvas.width, canvas.height] = [w, h];
		}
	}
	function draw() {
		resize();
		if (isStale) {
			both((character) => character.update());
			showAngles();
			showWeights();
			showTime();
			isStale = false;
		}
		showState();
		picture.look(camera);
		before && picture.draw(before, heats(false), 0, state.wipe);
		picture.draw(after, heats(true), state.wipe, 1);
		element('edge').style.left = `${100 * state.wipe}%`;
	}
	function tick(time) {
		const passed = Math.min((time - state.last) / 1000, 0.1);
		isAsked = false;
		state.last = time;
		if (state.spins) {
			camera.yaw += 0.4 * passed;
		}
		if (state.plays) {
			goTo((state.seconds + passed) % Math.max(state.clip.duration, 1e-3));
		}
		draw();
		(state.spins || state.plays) && ask();
	}
	function ask() {
		if (!isAsked) {
			isAsked = true;
			requestAnimationFrame(tick);
		}
	}
	// Moments that are far apart: windings are followed from rest.
	function goTo(seconds) {
		const isNear = seconds >= state.seconds && seconds - state.seconds < 0.2;
		state.seconds = seconds;
		both((character) => {
			const clip = character.clips.find(({ name }) => name === state.clip.name), write = () => clip && character.pose(clip, seconds);
			isNear ? write() : character.jump(write);
		});
		isStale = true;
	}
	function choose(name) {
		state.clip = after.clips.find((clip) => clip.name === name) ?? null;
		state.plays = false;
		element('clip').value = state.clip?.name ?? '';
		element('time').max = state.clip?.duration ?? 1;
		element('time').step = (state.clip?.duration ?? 1) / 200;
		state.seconds = 0;
		state.clip ? goTo(0) : both((character) => character.jump(character.rest));
		isStale = true;
		ask();
	}
	function rotate(joint, vector) {
		state.clip = null;
		state.plays = false;
		element('clip').value = '';
		both(({ nodes, initial, byName }) => {
			const index = nodes.findIndex(({ name }) => name === joint.name);
			nodes[index].rotation = times(initial[index].rotation, quaternionOf(vector));
		});
		isStale = true;
		ask();
	}
	const turn = (yaw, pitch) => {
		camera.yaw += yaw;
		camera.pitch = limit(camera.pitch + pitch, -1.57, 1.57);
		state.spins = false;
		ask();
	};
	const zoom = (factor) => {
		camera.distance *= factor;
		ask();
	};

	const bar = element('bar').getContext('2d'), pixels = bar.createImageData(256, 1);
	pixels.data.forEach((_, i) => { pixels.data[i] = i % 4 === 3 ? 255 : ramp[3 * (i >> 2) + i % 4]; });
	bar.putImageData(pixels, 0, 0);
	joints.forEach(({ name }) => element('joint').add(new Option(name)));
	after.clips.forEach(({ name }) => element('clip').add(new Option(name, name)));
	element('joints').hidden = joints.length === 0;
	element('wipe').hidden = !before;
	element('edge').hidden = !before;
	element('heated').hidden = facts.errors.length === 0;
	element('driven').hidden = after.meshes.every(({ names }) => names.length === 0);
	element('clip').addEventListener('change', ({ target }) => choose(target.value));
	element('play').addEventListener('click', () => { state.plays = !state.plays; ask(); });
	element('turn').addEventListener('click', () => { state.spins = !state.spins; ask(); });
	element('nearer').addEventListener('click', () => zoom(0.8));
	element('farther').addEventListener('click', () => zoom(1.25));
	element('time').addEventListener('input', ({ target }) => { state.plays = false; goTo(Number(target.value)); ask(); });
	element('wipe').addEventListener('input', ({ target }) => { state.wipe = Number(target.value) / 100; ask(); });
	element('heat').addEventListener('change', ({ target }) => { state.heat = target.checked; ask(); });
	element('joint').addEventListener('change', () => { isStale = true; ask(); });
	axes.forEach((slider) => slider.addEventListener('input', () => rotate(jointOf(), axes.map(({ value }) => Number(value) * Math.PI / 180))));
	element('rest').addEventListener('click', () => choose(''));
	canvas.addEventListener('keydown', (event) => {
		const moves = {
			ArrowLeft: () => turn(-0.1, 0), ArrowRight: () => turn(0.1, 0), ArrowUp: () => turn(0, 0.1), ArrowDown: () => turn(0, -0.1),
			'+': () => zoom(0.9), '=': () => zoom(0.9), '-': () => zoom(1.1), 0: () => { Object.assign(camera, facts.camera); turn(0, 0); },
		};
		if (moves[event.key]) {
			event.preventDefault();
			moves[event.key]();
		}
	});
	canvas.addEventListener('pointermove', ({ buttons, movementX, movementY, pointerType }) => {
		buttons & 1 && turn(-0.008 * movementX, pointerType === 'mouse' ? 0.008 * movementY : 0);
	});
	canvas.addEventListener('pointerdown', ({ pointerId }) => canvas.setPointerCapture(pointerId));
	canvas.addEventListener('wheel', (event) => { // of a canvas that is not focused it scrolls the page
		if (document.activeElement === canvas) {
			event.preventDefault();
			zoom(Math.exp(0.001 * event.deltaY));
		}
	}, { passive: false });
	new ResizeObserver(ask).observe(canvas);

	// review.html#clip=run&seconds=0.5&wipe=100&heat&eye=X,Y,Z&target=X,Y,Z opens at that moment, without turning.
	const asked = new URLSearchParams(location.hash.slice(1)), number = (key, otherwise) => (asked.has(key) ? Number(asked.get(key)) : otherwise);
	state.spins = asked.size === 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches;
	choose(asked.get('clip') ?? '');
	state.clip && goTo(number('seconds', 0));
	state.wipe = before ? number('wipe', 50) / 100 : 0;
	element('wipe').value = 100 * state.wipe;
	state.heat = asked.has('heat');
	const [eye, target] = ['eye', 'target'].map((key) => asked.get(key)?.split(',').map(Number));
	if (eye && target) {
		const [x, y, z] = eye.map((at, c) => at - target[c]), distance = Math.hypot(x, y, z);
		Object.assign(camera, { target, distance, yaw: Math.atan2(x, z), pitch: Math.asin(y / distance) });
	}
	element('heat').checked = state.heat;
	draw();
	ask();
	document.body.dataset.ready = 'yes';
}

openReview();
