/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare/page.h"

#include <string.h>

#include "base/plural.h"
#include "file/file.h"
#include "pose/clip_times.h"

/* Colours follow the reader's choice of light or dark. Those of the lines differ in lightness too. */
static const char style[] =
	":root{color-scheme:light dark;--ink:#1b1d22;--quiet:#666c78;--ground:#fbfbfa;--panel:#fff;--line:#dcdee3;--best:#e3f1e5;"
	"--c0:#6b7280;--c1:#b45309;--c2:#2563a8;--c3:#7e3fa8;--c4:#15803d;--c5:#be123c;--c6:#0e7490;--c7:#4d7c0f;--c8:#4338ca;"
	"--c9:#9d174d}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#e8e9ec;--quiet:#9aa1ad;--ground:#16181c;--panel:#1e2126;--line:#343840;"
	"--best:#1f3a27;--c0:#9ca3af;--c1:#f59e0b;--c2:#60a5fa;--c3:#c084fc;--c4:#4ade80;--c5:#fb7185;--c6:#22d3ee;--c7:#bef264;"
	"--c8:#a5b4fc;--c9:#f472b6}}\n"
	"body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}\n"
	"main{max-width:70rem;margin:0 auto;padding:1.5rem}h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2.2rem 0 "
	".4rem}\n"
	"p{max-width:46rem;margin:.4rem 0}.quiet{color:var(--quiet)}.scroll{overflow-x:auto}\n"
	"table{border-collapse:collapse;background:var(--panel);font-variant-numeric:tabular-nums;min-width:100%}\n"
	"th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
	"th:first-child,td:first-child,td.words{text-align:left}td.words{white-space:normal;min-width:14rem;color:var(--quiet)}\n"
	"th{font-weight:600;vertical-align:bottom;white-space:normal}th button{all:unset;cursor:pointer}th "
	"button:focus-visible{outline:2px solid}\n"
	"th[aria-sort=ascending] button::after{content:' ▲'}th[aria-sort=descending] button::after{content:' ▼'}\n"
	"td.best{background:var(--best);font-weight:600}tr.failed td{color:var(--quiet)}\n"
	"svg{width:100%;height:auto;background:var(--panel);border:1px solid var(--line)}svg text{fill:var(--ink);font:13px "
	"system-ui,sans-serif}svg .quiet{fill:var(--quiet)}\n"
	"figure{margin:1rem 0}figcaption{color:var(--quiet);max-width:46rem}figure img{max-width:100%;height:auto;display:block}\n";

/* A click on a column's head sorts by it, and a second one the other way; cells without a number come last. */
static const char script[] =
	"document.querySelectorAll('table.sortable').forEach(t=>t.querySelectorAll('th').forEach((h,c)=>{"
	"h.querySelector('button').addEventListener('click',()=>{"
	"const up=h.getAttribute('aria-sort')!=='ascending',b=t.tBodies[0];"
	"t.querySelectorAll('th').forEach(o=>o.removeAttribute('aria-sort'));h.setAttribute('aria-sort',up?'ascending':'descending'"
	");"
	"const key=r=>{const d=r.cells[c];if(!d)return null;const v=d.dataset.v;return v===undefined?d.textContent:v===''?null:+v};"
	"[...b.rows].sort((x,y)=>{const p=key(x),q=key(y);if(p===null||q===null)return (p===null)-(q===null);"
	"const o=typeof p==='string'?p.localeCompare(q):p-q;return up?o:-o}).forEach(r=>b.append(r))})}));\n";

void snw_page_text(const snw_compare_page *page, const char *text) {
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", page->out);
			break;
		case '<':
			fputs("&lt;", page->out);
			break;
		case '>':
			fputs("&gt;", page->out);
			break;
		case '"':
			fputs("&quot;", page->out);
			break;
		default:
			fputc(*text, page->out);
		}
	}
}

static const char *clip_name(const snw_scene *scene, const snw_target *target) {
	return scene->clips[snw_target_clip(scene, target)].name;
}

static void write_head(const snw_compare_page *page) {
	const snw_scene *scene = page->opened->scene;
	const snw_target *train = &scene->targets[page->request->train], *test = &scene->targets[page->request->test];
	const snw_mesh *mesh = &scene->meshes[page->comparison->mesh];
	FILE *out = page->out;
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
		  "content=\"width=device-width\"><title>Skins compared: ",
		  out);
	snw_page_text(page, snw_path_name(page->opened->path));
	fprintf(out, "</title><style>\n%s</style></head><body><main>\n<h1>Skins compared: ", style);
	snw_page_text(page, snw_path_name(page->opened->path));
	fputs("</h1>\n<p>Mesh ", out);
	snw_page_text(page, mesh->name);
	fprintf(out, ": %u points, %u joints. Trained on clip <b>", mesh->point_count, scene->skeleton.joint_count);
	snw_page_text(page, clip_name(scene, train));
	fprintf(out, "</b> (%u frame%s), tested on clip <b>", train->frame_count, snw_plural(train->frame_count));
	snw_page_text(page, clip_name(scene, test));
	fprintf(out,
			"</b> (%u frame%s), which no fit has read. \xe2\x80\x9c"
			"a+b\xe2\x80\x9d is b over a. Made by <code>sinew compare</code>, version " SINEW_VERSION ".</p>\n",
			test->frame_count, snw_plural(test->frame_count));
}

static void write_definitions(const snw_compare_page *page) {
	fputs(
		"<h2>What the numbers are</h2>\n"
		"<p><b>erms</b>: 1000 × the root mean square distance of the points from the ground truth, per coordinate, over half "
		"the "
		"diagonal of the rest's bounding box. <b>distortion</b>: in percent of the distance from the points' means over time. "
		"<b>enveloping</b>: the ratio to the best rigid prediction, in which each point follows one joint. <b>max</b>: the "
		"largest "
		"distance in percent of the diagonal. <b>normals</b>: the root mean square angle between the normals. <b>points, mean "
		"± "
		"spread</b>: the mean and the standard deviation of the errors of single points, in percent of the best rigid "
		"prediction.</p>\n"
		"<p><b>left out</b>: parts of the training clip, or sculpts, are left out of a fit in turn, and the fits are measured "
		"there. "
		"<b>operations</b>: additions and multiplications of one pose's skin program in floats, without normals and without "
		"what the "
		"method does once a pose. <b>ratio</b>: the time of a pose over that of linear blend, measured in turn in one run on "
		"the "
		"processor, on one thread. <b>export</b>: what a glTF file plays against the stack, over the test clip, and against "
		"the ground truth "
		"(<b>file erms</b>). A dash is a number that is not defined or not known.</p>\n",
		page->out);
}

static snw_status write_parts(const snw_compare_page *page, snw_error *error) {
	write_head(page);
	fputs("<h2>Errors of single points</h2>\n", page->out);
	snw_page_spread_chart(page);
	snw_page_tables(page);
	fputs("<h2>More training poses</h2>\n", page->out);
	snw_page_curve_chart(page);
	fputs("<h2>Error and cost</h2>\n", page->out);
	snw_page_cost_chart(page);
	const snw_status status = snw_page_pictures(page, error);
	write_definitions(page);
	fprintf(page->out, "</main><script>\n%s</script></body></html>\n", script);
	return status;
}

snw_status snw_compare_page_write(const snw_call *call, const snw_opened *opened, const snw_compare_request *request,
								  const snw_comparison *comparison, const char *path, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_compare_page page = {
		.call = call, .opened = opened, .request = request, .comparison = comparison, .out = snw_file_write_stream(file)};
	status = write_parts(&page, error);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	return snw_file_write_commit(file, error);
}
