// SPDX-License-Identifier: MIT
//
// crowd.glsl as a whole vertex shader, translated by SPIRV-Cross (glslangValidator -V, spirv-cross --hlsl --shader-model 50)
// and not run. The palettes are texture t0, what a mesh has is cbuffer b1.
cbuffer Crowd : register(b1)
{
    int _42_crowd_first_texel : packoffset(c0);
    uint _42_crowd_is_dual : packoffset(c0.y);
    uint _42_crowd_is_shortest : packoffset(c0.z);
};

Texture2D<float4> crowd_palettes : register(t0);
SamplerState _crowd_palettes_sampler : register(s0);

static float4 gl_Position;
static float3 position_rest;
static float3 normal_rest;
static int4 joints;
static float4 weights;
static float4 instance;
static float3 position_world;
static float3 normal_world;

struct SPIRV_Cross_Input
{
    float3 position_rest : TEXCOORD0;
    float3 normal_rest : TEXCOORD1;
    int4 joints : TEXCOORD2;
    float4 weights : TEXCOORD3;
    float4 instance : TEXCOORD4;
};

struct SPIRV_Cross_Output
{
    float3 position_world : TEXCOORD0;
    float3 normal_world : TEXCOORD1;
    float4 gl_Position : SV_Position;
};

float4 crowd_texel(int texel, int frame)
{
    return crowd_palettes.Load(int3(int2(_42_crowd_first_texel + texel, frame), 0));
}

void crowd_skin(int4 joints_1, float4 weights_1, int frame, inout float3 position, inout float3 normal)
{
    if (_42_crowd_is_dual != 0u)
    {
        int param = 2 * joints_1.x;
        int param_1 = frame;
        float4 pivot = crowd_texel(param, param_1);
        float4 real = 0.0f.xxxx;
        float4 dual = 0.0f.xxxx;
        float _108;
        for (int i = 0; i < 4; i++)
        {
            int param_2 = 2 * joints_1[i];
            int param_3 = frame;
            float4 q = crowd_texel(param_2, param_3);
            bool _100 = _42_crowd_is_shortest != 0u;
            bool _107;
            if (_100)
            {
                _107 = dot(q, pivot) < 0.0f;
            }
            else
            {
                _107 = _100;
            }
            if (_107)
            {
                _108 = -weights_1[i];
            }
            else
            {
                _108 = weights_1[i];
            }
            float weight = _108;
            real += (q * weight);
            int param_4 = (2 * joints_1[i]) + 1;
            int param_5 = frame;
            dual += (crowd_texel(param_4, param_5) * weight);
        }
        float size = max(length(real), 1.0000000031710768509710513471353e-30f);
        real /= size.xxxx;
        dual /= size.xxxx;
        float3 translation = (((dual.xyz * real.w) - (real.xyz * dual.w)) + cross(real.xyz, dual.xyz)) * 2.0f;
        position += ((cross(real.xyz, cross(real.xyz, position) + (position * real.w)) * 2.0f) + translation);
        normal += (cross(real.xyz, cross(real.xyz, normal) + (normal * real.w)) * 2.0f);
        return;
    }
    float4 x = 0.0f.xxxx;
    float4 y = 0.0f.xxxx;
    float4 z = 0.0f.xxxx;
    for (int i_1 = 0; i_1 < 4; i_1++)
    {
        int param_6 = 3 * joints_1[i_1];
        int param_7 = frame;
        x += (crowd_texel(param_6, param_7) * weights_1[i_1]);
        int param_8 = (3 * joints_1[i_1]) + 1;
        int param_9 = frame;
        y += (crowd_texel(param_8, param_9) * weights_1[i_1]);
        int param_10 = (3 * joints_1[i_1]) + 2;
        int param_11 = frame;
        z += (crowd_texel(param_10, param_11) * weights_1[i_1]);
    }
    position = float3(dot(x, float4(position, 1.0f)), dot(y, float4(position, 1.0f)), dot(z, float4(position, 1.0f)));
    normal = normalize(float3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal)));
}

void crowd_place(float4 instance_1, inout float3 position, inout float3 normal)
{
    float c = cos(instance_1.z);
    float s = sin(instance_1.z);
    position = float3(((c * position.x) + (s * position.z)) + instance_1.x, position.y,
                      ((c * position.z) - (s * position.x)) + instance_1.y);
    normal = float3((c * normal.x) + (s * normal.z), normal.y, (c * normal.z) - (s * normal.x));
}

void vert_main()
{
    float3 p = position_rest;
    float3 n = normal_rest;
    int4 param = joints;
    float4 param_1 = weights;
    int param_2 = int(instance.w);
    float3 param_3 = p;
    float3 param_4 = n;
    crowd_skin(param, param_1, param_2, param_3, param_4);
    p = param_3;
    n = param_4;
    float4 param_5 = instance;
    float3 param_6 = p;
    float3 param_7 = n;
    crowd_place(param_5, param_6, param_7);
    p = param_6;
    n = param_7;
    position_world = p;
    normal_world = n;
    gl_Position = float4(p, 1.0f);
}

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    position_rest = stage_input.position_rest;
    normal_rest = stage_input.normal_rest;
    joints = stage_input.joints;
    weights = stage_input.weights;
    instance = stage_input.instance;
    vert_main();
    SPIRV_Cross_Output stage_output;
    stage_output.gl_Position = gl_Position;
    stage_output.position_world = position_world;
    stage_output.normal_world = normal_world;
    return stage_output;
}
