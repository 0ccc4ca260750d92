// SPDX-License-Identifier: MIT
//
// Plays the drives of a skin file (`sinew export -o hero.snwskin`; docs/skin-file.md) under any pose, in doubles: the weights of
// morph targets, and the local matrices of helper joints. docs/pose-space.md has the formulas, and plugins/player/sinew.js the
// names. The first class needs no engine; the second one is a component for Unity.
//
// A file that is damaged, or a skeleton that lacks a joint, throws a SinewException. Where a pose, or what follows from it, is
// not finite, coefficients are 0 and helper joints rest.

using System;
using System.Collections.Generic;
using System.Text;

public class SinewException : Exception {
	public SinewException(string message) : base(message) {}
}

public class SinewDrive {
	public const uint None = 0xffffffff;

	public string[] Joints, Meshes, Coefficients;
	public uint[] CoefficientMeshes;
	public double[] Weights;           // of each coefficient
	public bool[] IsDriven;            // of each coefficient: otherwise its weight is that of the file
	public uint[] Helpers;             // joints
	public double[][] HelperMatrices;  // 3×4 by rows: from the helper's space to that of its parent

	readonly uint[] parents;
	readonly double[] rests;           // ten numbers a joint: translation, rotation, scale
	readonly double[][] vectors, places, globals, unrests;
	readonly List<Action> updates = new List<Action>();

	// ---- the file -----------------------------------------------------------------------------------------------------------

	readonly byte[] file;
	readonly Dictionary<string, int[]> fields = new Dictionary<string, int[]>(); // offset, and count of numbers

	void ReadFields() {
		if (file.Length < 16 || Encoding.ASCII.GetString(file, 0, 7) != "SNWSKIN" || BitConverter.ToUInt32(file, 8) != 1) {
			throw new SinewException("it is no skin file of version 1");
		}
		uint count = BitConverter.ToUInt32(file, 12);
		for (uint f = 0; f < count; f++) {
			int at = (int)(16 + 40 * f);
			string name = Encoding.ASCII.GetString(file, at, 16).TrimEnd('\0');
			if (BitConverter.ToUInt64(file, at + 24) > (ulong)file.Length || BitConverter.ToUInt64(file, at + 32) > (ulong)file.Length) {
				throw new SinewException("it is damaged: it is cut off");
			}
			fields[name] = new[] { (int)BitConverter.ToUInt64(file, at + 24), (int)BitConverter.ToUInt64(file, at + 32) };
		}
	}

	uint[] Integers(string name, int each) {
		var result = new uint[each * fields[name][1]];
		Buffer.BlockCopy(file, fields[name][0], result, 0, 4 * result.Length);
		return result;
	}

	double[] Numbers(string name, int each) {
		var result = new double[each * fields[name][1]];
		Buffer.BlockCopy(file, fields[name][0], result, 0, 8 * result.Length);
		return result;
	}

	string[] Names(string name) {
		int begin = fields["names"][0];
		return Array.ConvertAll(Integers(name, 1), place => {
			int at = begin + (int)place, end = at;
			while (file[end] != 0) {
				end++;
			}
			return Encoding.UTF8.GetString(file, at, end - at);
		});
	}

	void Check() {
		bool fits = parents.Length == Joints.Length && rests.Length == 10 * Joints.Length && IsFinite(rests) &&
			CoefficientMeshes.Length == Coefficients.Length && Weights.Length == Coefficients.Length && IsFinite(Weights) &&
			Array.TrueForAll(CoefficientMeshes, mesh => mesh < Meshes.Length);
		for (int j = 0; j < parents.Length && fits; j++) {
			fits = parents[j] == None || parents[j] < j;
		}
		if (!fits) {
			throw new SinewException("it is damaged: its joints or its morph targets do not fit together");
		}
	}

	public SinewDrive(byte[] bytes) {
		file = bytes;
		try {
			ReadFields();
			Joints = Names("joint.names");
			Meshes = Names("mesh.names");
			Coefficients = Names("morph.names");
			parents = Integers("joint.parents", 1);
			rests = Numbers("joint.rests", 10);
			CoefficientMeshes = Integers("morph.meshes", 1);
			Weights = Numbers("morph.weights", 1);
			Check();
			IsDriven = new bool[Weights.Length];
			vectors = Array.ConvertAll(Joints, name => new double[3]);
			places = new double[Joints.Length][];
			globals = new double[Joints.Length][];
			for (int j = 0; j < Joints.Length; j++) {
				places[j] = RestPlace(j);
			}
			Prepare(Integers("drives", 5), Integers("drive.integers", 1), Numbers("drive.numbers", 1), out Helpers, out HelperMatrices);
			Place();
			unrests = Array.ConvertAll(globals, global => Inverse(global));
			helperUpdates.ForEach(update => update(true));
			if (!Array.TrueForAll(HelperMatrices, IsFinite) || !Evaluate()) {
				throw new SinewException("it is damaged: what follows from its rest pose is not finite");
			}
		} catch (Exception error) when (error is ArgumentException || error is KeyNotFoundException ||
		                                error is IndexOutOfRangeException || error is OverflowException) {
			throw new SinewException("it is damaged: " + error.Message);
		}
	}

	void Prepare(uint[] rows, uint[] integers, double[] numbers, out uint[] helpers, out double[][] matrices) {
		if (!IsFinite(numbers)) {
			throw new SinewException("it is damaged: its numbers are not finite");
		}
		var joints = new List<uint>();
		var results = new List<double[]>();
		for (int d = 0; d < rows.Length; d += 5) {
			var i = new ArraySegment<uint>(integers, (int)rows[d + 1], (int)rows[d + 2]);
			var n = new ArraySegment<double>(numbers, (int)rows[d + 3], (int)rows[d + 4]);
			var x = new Taker { Integers = Slice(i), Numbers = Slice(n) };
			if (rows[d] == 0) {
				updates.Add(PrepareGroup(x));
			} else if (rows[d] == 1) {
				updates.Add(PrepareRegression(x));
			} else {
				joints.Add(x.Integers[0]);
				results.Add(new double[12]);
				helperUpdates.Add(PrepareHelper(x, results[results.Count - 1]));
			}
		}
		helpers = joints.ToArray();
		matrices = results.ToArray();
	}

	static T[] Slice<T>(ArraySegment<T> part) {
		var result = new T[part.Count];
		Array.Copy(part.Array, part.Offset, result, 0, part.Count);
		return result;
	}

	// The integers and numbers of a drive, taken one after another.
	class Taker {
		public uint[] Integers;
		public double[] Numbers;
		int integer, number;

		public uint Next() {
			return Integers[integer++];
		}
		// A number of things that have an integer or a number each, at least.
		public uint NextCount() {
			uint count = Next();
			Check(count);
			return count;
		}
		void Check(long count) {
			if (count > Integers.Length + Numbers.Length) {
				throw new SinewException("it is damaged: a count is too large");
			}
		}
		public uint[] NextIntegers(uint count) {
			integer += (int)count;
			return Slice(new ArraySegment<uint>(Integers, integer - (int)count, (int)count));
		}
		public double[] Take(long count) {
			number += (int)count;
			return Slice(new ArraySegment<double>(Numbers, number - (int)count, (int)count));
		}
		public double[][] Take(long rows, int each) {
			Check(rows);
			var result = new double[rows][];
			for (int r = 0; r < rows; r++) {
				result[r] = Take(each);
			}
			return result;
		}
	}

	// ---- rotations and matrices: quaternions are x y z w, matrices 3×4 by rows ------------------------------------------------

	static readonly double[] zero = { 0, 0, 0 }, one = { 1, 1, 1 }, identity = { 0, 0, 0, 1 };

	static double Dot(double[] a, double[] b) {
		double sum = 0;
		for (int i = 0; i < a.Length; i++) {
			sum += a[i] * b[i];
		}
		return sum;
	}
	static double Length(double[] v) {
		return Math.Sqrt(Dot(v, v));
	}
	static double[] Scale(double[] v, double share) {
		return Array.ConvertAll(v, x => x * share);
	}
	static double[] Add(double[] a, double[] b, double share) {
		return new[] { a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2] };
	}
	static double[] Cross(double[] a, double[] b) {
		return new[] { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
	}
	static double Limit(double x, double least, double most) {
		return Math.Min(Math.Max(x, least), most);
	}
	static double[] Times(double[] a, double[] b) {
		return new[] {
			a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
			a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
	}
	static double[] Back(double[] q) {
		return new[] { -q[0], -q[1], -q[2], q[3] };
	}
	static double[] Quaternion(double[] v) {
		double angle = Length(v), share = angle > 0 ? Math.Sin(angle / 2) / angle : 0;
		return new[] { v[0] * share, v[1] * share, v[2] * share, Math.Cos(angle / 2) };
	}

	// The rotation vector of a quaternion that is nearest to another one: it may be longer than a turn.
	static double[] VectorNear(double[] q, double[] near) {
		double[] v = { q[0], q[1], q[2] };
		double sine = Length(v), length = Length(near);
		double[] axis = sine > 1e-12 ? Scale(v, 1 / sine) : length > 0 ? Scale(near, 1 / length) : zero;
		double angle = 2 * Math.Atan2(sine, q[3]), turns = Math.Round((Dot(axis, near) - angle) / (2 * Math.PI));
		return Scale(axis, angle + 2 * Math.PI * turns);
	}

	static double[] Matrix(double[] q, double[] t, double[] s) {
		double x = q[0], y = q[1], z = q[2], w = q[3];
		return new[] {
			(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2], t[0],
			2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2], t[1],
			2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2] };
	}
	static double[] Column(double[] m, int c) {
		return new[] { m[c], m[4 + c], m[8 + c] };
	}
	static double[] MatrixBy(double[] a, double[] b, double[] c, double[] t) {
		return new[] { a[0], b[0], c[0], t[0], a[1], b[1], c[1], t[1], a[2], b[2], c[2], t[2] };
	}
	static double[] Product(double[] a, double[] b) {
		var result = new double[12];
		for (int r = 0; r < 12; r += 4) {
			for (int c = 0; c < 4; c++) {
				result[r + c] = a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c] + (c == 3 ? a[r + 3] : 0);
			}
		}
		return result;
	}
	static double[] Inverse(double[] m) {
		double[] a = Column(m, 0), b = Column(m, 1), c = Column(m, 2), t = Column(m, 3);
		double share = 1 / Dot(a, Cross(b, c));
		double[] x = Scale(Cross(b, c), share), y = Scale(Cross(c, a), share), z = Scale(Cross(a, b), share);
		return new[] { x[0], x[1], x[2], -Dot(x, t), y[0], y[1], y[2], -Dot(y, t), z[0], z[1], z[2], -Dot(z, t) };
	}

	// The rotation of a matrix. If it has shear, its columns are made orthonormal, the first one first.
	static double[] RotationOf(double[] m) {
		double sign = Dot(Column(m, 0), Cross(Column(m, 1), Column(m, 2))) < 0 ? -1 : 1;
		double[] a = Scale(Column(m, 0), sign / Length(Column(m, 0))), b = Scale(Column(m, 1), 1 / Length(Column(m, 1)));
		b = Add(b, a, -Dot(a, b));
		b = Scale(b, 1 / Length(b));
		double[][] e = { a, b, Cross(a, b) };
		double trace = e[0][0] + e[1][1] + e[2][2];
		int i = e[1][1] > e[0][0] ? 1 : 0;
		i = e[2][2] > e[i][i] ? 2 : i;
		int j = (i + 1) % 3, k = (i + 2) % 3;
		var q = new double[4];
		q[i] = trace > 0 ? e[j][k] - e[k][j] : 1 + 2 * e[i][i] - trace;
		q[j] = trace > 0 ? e[k][i] - e[i][k] : e[i][j] + e[j][i];
		q[k] = trace > 0 ? e[i][j] - e[j][i] : e[k][i] + e[i][k];
		q[3] = trace > 0 ? 1 + trace : e[j][k] - e[k][j];
		return Scale(q, (q[3] < 0 ? -1 : 1) / Length(q));
	}

	// Rotation and scale.
	public static double[] Parts(double[] m, out double[] scale) {
		double sign = Dot(Column(m, 0), Cross(Column(m, 1), Column(m, 2))) < 0 ? -1 : 1;
		scale = new[] { sign * Length(Column(m, 0)), Length(Column(m, 1)), Length(Column(m, 2)) };
		return RotationOf(m);
	}

	static double[] Screw(double[] v, double[] x, double first, double second) {
		double[] once = Cross(v, x);
		return Add(Add(x, once, first), Cross(v, once), second);
	}

	// The rigid part of a motion to the power `share`, along its screw.
	static double[] Power(double[] m, double share) {
		double[] v = VectorNear(RotationOf(m), zero);
		double angle = Length(v), part = share * angle;
		bool small = angle < 1e-3;
		double[] log = Scale(Screw(v, Column(m, 3), -0.5, small ? 1.0 / 12
			: (1 - angle * Math.Sin(angle) / (2 * (1 - Math.Cos(angle)))) / (angle * angle)), share);
		double[] shift = part > 0 ? Screw(v, log, small ? share / 2 : (1 - Math.Cos(part)) / (part * angle),
			small ? share * share / 6 : (part - Math.Sin(part)) / (part * angle * angle)) : log;
		return Matrix(Quaternion(Scale(v, share)), shift, one);
	}

	// ---- the pose space -------------------------------------------------------------------------------------------------------

	// From one rotation to another: the shorter way, or on the double cover.
	static double[] Between(double[] p, double[] q, bool unwound) {
		double[] u = Times(Back(p), q), v = { u[0], u[1], u[2] };
		double sine = Length(v), sign = !unwound && u[3] < 0 ? -1 : 1;
		return Scale(v, sine > 0 ? sign * 2 * Math.Atan2(sine, sign * u[3]) / sine : 0);
	}

	static double Cone(double[] x, double[] c, double width) {
		double xx = Dot(x, x), cc = Dot(c, c), length = Math.Sqrt(Math.Min(xx, cc));
		return length > 0 ? Math.Pow(length, 1.5) * Math.Exp((Dot(x, c) / Math.Sqrt(xx * cc) - 1) / (width * width)) : 0;
	}

	static double KernelAt(uint kernel, double r, double width) {
		double ratio = r / width;
		switch (kernel) {
		case 0: return Math.Exp(-ratio * ratio);
		case 1: return -r;
		case 2: return ratio > 0 ? ratio * ratio * Math.Log(ratio) : 0;
		case 3: return 1 / Math.Sqrt(1 + ratio * ratio);
		default: throw new SinewException("a group has a kernel that this player does not know");
		}
	}

	static double[] Logarithms(double[] place) {
		var result = (double[])place.Clone();
		for (int i = 3; i < 6; i++) {
			result[i] = Math.Log(Math.Max(Math.Abs(place[i]), 1e-9));
		}
		return result;
	}

	Action PrepareGroup(Taker x) {
		uint count = x.NextCount(), centres = x.NextCount(), targets = x.NextCount(), kernel = x.Next();
		bool isLinear = x.Next() != 0, clamps = x.Next() != 0;
		uint[] joints = x.NextIntegers(count), unwound = x.NextIntegers(count), outputs = x.NextIntegers(targets);
		double width = x.Take(1)[0];
		double[][] axes = x.Take(count, 3);
		double[] swing = x.Take(count), twist = x.Take(count), translation = x.Take(count), scale = x.Take(count);
		double[][] examples = x.Take((long)centres * count, 3);
		double[][] moves = Array.ConvertAll(x.Take((long)centres * count, 6), Logarithms);
		double[][] weights = x.Take(targets, (int)centres);
		double[] constants = x.Take(targets), origin = new double[6];
		double[][] slopes = isLinear ? x.Take(targets, (int)(9 * count)) : null;
		double[][] rotations = Array.ConvertAll(examples, Quaternion);
		Func<int, double[]> restMoves = j => targets < centres ? moves[targets * count + j] : origin;
		Func<Func<int, double[]>, Func<int, double[]>, Func<int, double[]>, double[]> coordinates = (rotation, to, from) => {
			var result = new double[9 * count];
			for (int j = 0; j < count; j++) {
				double[] u = rotation(j), a = from(j), b = to(j);
				double along = Dot(u, axes[j]);
				for (int c = 0; c < 3; c++) {
					result[9 * j + c] = swing[j] * u[c] + (twist[j] - swing[j]) * along * axes[j][c];
					result[9 * j + 3 + c] = translation[j] == 0 ? 0 : translation[j] * (b[c] - a[c]);
					result[9 * j + 6 + c] = scale[j] == 0 ? 0 : scale[j] * (b[3 + c] - a[3 + c]);
				}
			}
			return result;
		};
		Func<int, double[], double[]> fromRest = (j, v) => unwound[j] != 0 ? v : Between(identity, Quaternion(v), false);
		var ways = new double[centres][];
		for (int c = 0; c < centres; c++) {
			int first = (int)(c * count);
			ways[c] = coordinates(j => fromRest(j, examples[first + j]), j => moves[first + j], restMoves);
		}
		Array.ForEach(outputs, k => { if (k != None) { IsDriven[k] = true; } });
		return () => {
			double[][] here = Array.ConvertAll(joints, j => vectors[j]), places6 = Array.ConvertAll(joints, j => Logarithms(places[j]));
			double[][] turns = Array.ConvertAll(here, Quaternion);
			double[] way = coordinates(j => fromRest(j, here[j]), j => places6[j], restMoves), values = new double[centres];
			double[] slope = isLinear ? coordinates(j => fromRest(j, here[j]), j => places6[j], j => origin) : null;
			for (int c = 0; c < centres; c++) {
				int first = (int)(c * count);
				values[c] = kernel == 4 ? Cone(way, ways[c], width) : KernelAt(kernel, Length(coordinates(
					j => Between(rotations[first + j], turns[j], unwound[j] != 0), j => places6[j], j => moves[first + j])), width);
			}
			for (int k = 0; k < targets; k++) {
				double sum = constants[k] + Dot(values, weights[k]) + (isLinear ? Dot(slope, slopes[k]) : 0);
				if (outputs[k] != None) {
					Weights[outputs[k]] = clamps ? Limit(sum, 0, 1) : sum;
				}
			}
		};
	}

	// ---- features of rotations: pose regression, helper joints ----------------------------------------------------------------

	// `driver`: axes, lowest and highest, nine numbers each.
	static double[] Features(double[] driver, double[] vector, bool areVectors, bool clamps) {
		double[] v = new double[3], result = new double[9];
		for (int r = 0; r < 3; r++) {
			v[r] = driver[3 * r] * vector[0] + driver[3 * r + 1] * vector[1] + driver[3 * r + 2] * vector[2];
		}
		double[] m = Matrix(Quaternion(v), zero, one);
		for (int i = 0; i < 9; i++) {
			int a = i < 6 ? i % 3 : i - 6, b = i < 6 ? a : (i - 5) % 3;
			result[i] = !areVectors ? m[4 * (i / 3) + i % 3] - (i % 4 == 0 ? 1 : 0) : i < 3 ? v[i] : v[a] * v[b];
			result[i] = clamps ? Limit(result[i], driver[9 + i], driver[18 + i]) : result[i];
		}
		return result;
	}

	Action PrepareRegression(Taker x) {
		uint count = x.NextCount();
		bool areVectors = x.Next() != 0, clamps = x.Next() != 0;
		uint coefficients = x.NextCount();
		uint[] joints = x.NextIntegers(count), outputs = new uint[coefficients];
		double[][] drivers = x.Take(count, 27), factors = new double[coefficients][];
		var which = new uint[coefficients][];
		for (uint k = 0; k < coefficients; k++) {
			outputs[k] = x.Next();
			which[k] = x.NextIntegers(x.Next());
			factors[k] = x.Take(which[k].Length);
			IsDriven[outputs[k]] = true;
		}
		var all = new double[9 * count + 1];
		all[9 * count] = 1;
		return () => {
			for (int j = 0; j < count; j++) {
				Features(drivers[j], vectors[joints[j]], areVectors, clamps).CopyTo(all, 9 * j);
			}
			for (int k = 0; k < coefficients; k++) {
				Weights[outputs[k]] = Dot(factors[k], Array.ConvertAll(which[k], f => all[f]));
			}
		};
	}

	readonly List<Action<bool>> helperUpdates = new List<Action<bool>>(); // true: at rest

	Action<bool> PrepareHelper(Taker x, double[] result) {
		uint joint = x.Next(), parent = x.Next(), toward = x.Next(), count = x.NextCount();
		uint[] joints = x.NextIntegers(count);
		if (parents[joint] != parent) {
			throw new SinewException("it is damaged: a helper joint is not below its parent");
		}
		double[] place = x.Take(3), axes = x.Take(9), motion = new double[9];
		double share = x.Take(1)[0];
		double[][][] drivers = new double[count][][];
		for (int d = 0; d < count; d++) {
			drivers[d] = new[] { x.Take(27), x.Take(81) };
		}
		double[] A = MatrixBy(new[] { axes[0], axes[3], axes[6] }, new[] { axes[1], axes[4], axes[7] },
			new[] { axes[2], axes[5], axes[8] }, zero);
		double[] transposed = MatrixBy(new[] { axes[0], axes[1], axes[2] }, new[] { axes[3], axes[4], axes[5] },
			new[] { axes[6], axes[7], axes[8] }, zero);
		return atRest => {
			Array.Clear(motion, 0, 9);
			for (int d = 0; d < count && !atRest; d++) {
				double[] features = Features(drivers[d][0], vectors[joints[d]], false, true);
				for (int i = 0; i < 9; i++) {
					for (int f = 0; f < 9; f++) {
						motion[i] += drivers[d][1][9 * i + f] * features[f];
					}
				}
			}
			double[] stretch = { 1 + Limit(motion[6], -0.75, 3), 1 + Limit(motion[7], -0.75, 3), 1 + Limit(motion[8], -0.75, 3) };
			double[] rotation = Matrix(Quaternion(new[] { motion[0], motion[1], motion[2] }), zero, one);
			double[] M = Product(rotation, Product(A, Product(Matrix(identity, zero, stretch), transposed)));
			for (int r = 0; r < 3; r++) {
				M[4 * r + 3] = place[r] + motion[3 + r] - Dot(new[] { M[4 * r], M[4 * r + 1], M[4 * r + 2] }, place);
			}
			if (toward != None && !atRest) {
				double[] above = Product(globals[parent], unrests[parent]), other = Product(globals[toward], unrests[toward]);
				M = Product(Power(Product(Inverse(above), other), share), M);
			}
			double[] rest = Inverse(unrests[parent]);
			rest = MatrixBy(Column(rest, 0), Column(rest, 1), Column(rest, 2), place);
			Product(unrests[parent], Product(M, rest)).CopyTo(result, 0);
		};
	}

	// ---- poses ----------------------------------------------------------------------------------------------------------------

	public double[] RestPlace(int joint) {
		var place = new double[6];
		Array.Copy(rests, 10 * joint, place, 0, 3);
		Array.Copy(rests, 10 * joint + 7, place, 3, 3);
		return place;
	}

	public int Find(string joint) {
		int index = Array.IndexOf(Joints, joint);
		if (index < 0) {
			throw new SinewException("the skin file does not have the joint '" + joint + "'");
		}
		return index;
	}

	// A rotation away from rest, as a rotation vector; local translation and scale.
	public void SetVector(int joint, double[] vector, double[] place) {
		vectors[joint] = vector;
		places[joint] = place;
	}

	// A local transform as an engine has it. Between two calls no joint may rotate by more than half a turn: so windings follow.
	public void Set(int joint, double[] rotation, double[] place) {
		double[] rest = { rests[10 * joint + 3], rests[10 * joint + 4], rests[10 * joint + 5], rests[10 * joint + 6] };
		double[] away = Times(Back(rest), Scale(rotation, 1 / Length(rotation)));
		SetVector(joint, Array.Exists(away, double.IsNaN) ? away : VectorNear(away, vectors[joint]), place);
	}

	void Place() {
		for (int j = 0; j < Joints.Length; j++) {
			int at = 10 * j;
			double[] rest = { rests[at + 3], rests[at + 4], rests[at + 5], rests[at + 6] };
			double[] p = places[j], t = { p[0], p[1], p[2] }, s = { p[3], p[4], p[5] };
			double[] local = Matrix(Times(rest, Quaternion(vectors[j])), t, s);
			globals[j] = parents[j] == None ? local : Product(globals[parents[j]], local);
		}
	}

	static bool IsFinite(double[] numbers) {
		return !Array.Exists(numbers, x => double.IsNaN(x) || double.IsInfinity(x));
	}

	// Gives Weights and HelperMatrices. False where the pose is not finite: then its joints are at rest until they are set again.
	public bool Evaluate() {
		bool isFinite = true;
		for (int j = 0; j < Joints.Length; j++) {
			if (!IsFinite(vectors[j]) || !IsFinite(places[j])) {
				SetVector(j, new double[3], RestPlace(j));
				isFinite = false;
			}
		}
		Place();
		updates.ForEach(update => update());
		helperUpdates.ForEach(update => update(false));
		isFinite = isFinite && IsFinite(Weights) && Array.TrueForAll(HelperMatrices, IsFinite);
		helperUpdates.ForEach(update => update(!isFinite));
		for (int k = 0; k < Weights.Length && !isFinite; k++) {
			Weights[k] = IsDriven[k] ? 0 : Weights[k];
		}
		return isFinite;
	}
}

#if UNITY_5_3_OR_NEWER

// For the root of a character that an importer has made of the glTF of the same project. `skin` is its skin file, renamed to end in
// .bytes. Importers mirror x. If something does not fit, the character plays its linear blend, and one warning says why.
public class SinewPlayer : UnityEngine.MonoBehaviour {
	public UnityEngine.TextAsset skin;

	struct Shape {
		public UnityEngine.SkinnedMeshRenderer Renderer;
		public int Index, Coefficient;
		public float Full; // the weight of a whole shape: 1 or 100
	}

	SinewDrive drive;
	UnityEngine.Transform[] nodes;
	readonly List<Shape> shapes = new List<Shape>();
	bool hasWarned;

	void Complain(string why) {
		if (!hasWarned) {
			UnityEngine.Debug.LogWarning("Sinew: " + name + " plays its linear blend alone: " + why, this);
			hasWarned = true;
		}
	}

	void Start() {
		try {
			if (skin == null) {
				throw new SinewException("it has no skin file");
			}
			drive = new SinewDrive(skin.bytes);
			FindShapes();
			var all = new Dictionary<string, UnityEngine.Transform>();
			foreach (var node in GetComponentsInChildren<UnityEngine.Transform>()) {
				all[node.name] = node;
			}
			nodes = Array.ConvertAll(drive.Joints, joint => {
				if (!all.ContainsKey(joint)) {
					throw new SinewException("the skeleton has no joint '" + joint + "'");
				}
				return all[joint];
			});
		} catch (SinewException error) {
			Complain(error.Message);
			drive = null;
			shapes.ForEach(shape => shape.Renderer.SetBlendShapeWeight(shape.Index, 0));
		}
	}

	void FindShapes() {
		foreach (var renderer in GetComponentsInChildren<UnityEngine.SkinnedMeshRenderer>()) {
			var mesh = renderer.sharedMesh;
			for (int k = 0; k < drive.Coefficients.Length; k++) {
				string owner = drive.Meshes[drive.CoefficientMeshes[k]];
				int index = mesh.GetBlendShapeIndex(drive.Coefficients[k]);
				if (drive.IsDriven[k] && index >= 0 && (drive.Meshes.Length == 1 || renderer.name == owner || mesh.name == owner)) {
					shapes.Add(new Shape {
						Renderer = renderer, Index = index, Coefficient = k, Full = mesh.GetBlendShapeFrameWeight(index, 0) });
				}
			}
		}
	}

	void LateUpdate() {
		if (drive == null) {
			return;
		}
		for (int j = 0; j < nodes.Length; j++) {
			var p = nodes[j].localPosition;
			var q = nodes[j].localRotation;
			var s = nodes[j].localScale;
			drive.Set(j, new double[] { q.x, -q.y, -q.z, q.w }, new double[] { -p.x, p.y, p.z, s.x, s.y, s.z });
		}
		if (!drive.Evaluate()) {
			Complain("its pose is not finite");
		}
		foreach (var shape in shapes) {
			shape.Renderer.SetBlendShapeWeight(shape.Index, (float)(shape.Full * drive.Weights[shape.Coefficient]));
		}
		for (int h = 0; h < drive.Helpers.Length; h++) {
			double[] m = drive.HelperMatrices[h], scale, q = SinewDrive.Parts(m, out scale);
			var node = nodes[drive.Helpers[h]];
			node.localPosition = new UnityEngine.Vector3((float)-m[3], (float)m[7], (float)m[11]);
			node.localRotation = new UnityEngine.Quaternion((float)q[0], (float)-q[1], (float)-q[2], (float)q[3]);
			node.localScale = new UnityEngine.Vector3((float)scale[0], (float)scale[1], (float)scale[2]);
		}
	}
}

#endif
