// SPDX-License-Identifier: GPL-3.0-or-later
//
// T = C z: row r of T_s is sum_k z_kr (C_4s,k, C_4s+1,k, C_4s+2,k, C_4s+3,k), since row 4s + c of C z is column c of T_s. With
// SPARSE, only over those k for which one of the four is an entry of C.

uniform samplerBuffer combined; // C: a texel for each slot and k
uniform samplerBuffer z;        // a texel for each k
#if SPARSE
uniform usamplerBuffer combined_offsets; // where each slot's texels begin, and after the last, where they end
uniform usamplerBuffer combined_columns; // k of each texel
#else
uniform int combined_count; // of k
#endif

vec4 palette_row(int slot, int row) {
	vec4 sum = vec4(0);
#if SPARSE
	int end = int(texelFetch(combined_offsets, slot + 1).r);
	for (int i = int(texelFetch(combined_offsets, slot).r); i < end; i++) {
		sum += texelFetch(z, int(texelFetch(combined_columns, i).r))[row] * texelFetch(combined, i);
	}
#else
	for (int k = 0; k < combined_count; k++) {
		sum += texelFetch(z, k)[row] * texelFetch(combined, slot * combined_count + k);
	}
#endif
	return sum;
}
