/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "picture/pictures.h"

/* ---- page ---------------------------------------------------------------------------------------------------------------- */

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

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

void snw_page_text(FILE *out, const char *text) {
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

static void page_base64(FILE *out, const unsigned char *bytes, size_t count) {
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < count; i += 3) {
		const uint32_t group = (uint32_t)bytes[i] << 16 | (i + 1 < count ? (uint32_t)bytes[i + 1] << 8 : 0) |
							   (i + 2 < count ? (uint32_t)bytes[i + 2] : 0);
		const char four[4] = {letters[group >> 18], letters[group >> 12 & 63], i + 1 < count ? letters[group >> 6 & 63] : '=',
							  i + 2 < count ? letters[group & 63] : '='};
		fwrite(four, 1, sizeof four, out);
	}
}

snw_status snw_page_data(FILE *out, const char *id, const unsigned char *bytes, size_t count, snw_error *error) {
	uLongf packed_count = compressBound((uLong)count);
	unsigned char *packed = malloc(packed_count);
	if (!packed || compress2(packed, &packed_count, bytes, (uLong)count, Z_BEST_COMPRESSION) != Z_OK) {
		free(packed);
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory for %zu MB of a page", count >> 20);
	}
	fprintf(out, "<script type=\"text/plain\" id=\"%s\">", id);
	page_base64(out, packed, packed_count);
	fputs("</script>\n", out);
	free(packed);
	return SNW_OK;
}

/* ---- the document -------------------------------------------------------------------------------------------------------- */

void snw_page_begin(FILE *out, const char *title, const char *name, const char *more_style) {
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
		  "content=\"width=device-width\"><title>",
		  out);
	fprintf(out, "%s: ", title);
	snw_page_text(out, name);
	fprintf(out, "</title><style>\n%s%s</style></head><body><main>\n<h1>%s: ", style, more_style, title);
	snw_page_text(out, name);
	fputs("</h1>\n", out);
}

void snw_page_end(FILE *out) {
	fprintf(out, "</main><script>\n%s</script></body></html>\n", script);
}

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

void snw_page_begin_table(FILE *out, const char *title, const char *words) {
	fprintf(out, "<h2>%s</h2>\n", title);
	if (words) {
		fprintf(out, "<p class=\"quiet\">%s</p>\n", words);
	}
	fputs("<div class=\"scroll\"><table class=\"sortable\"><thead><tr>", out);
}

void snw_page_head(FILE *out, const char *head) {
	fprintf(out, "<th scope=\"col\"><button>%s</button></th>", head);
}

void snw_page_begin_rows(FILE *out) {
	fputs("</tr></thead><tbody>\n", out);
}

void snw_page_name(FILE *out, const char *name) {
	fputs("<td>", out);
	snw_page_text(out, name);
	fputs("</td>", out);
}

void snw_page_number(FILE *out, double value, int digits, bool is_best) {
	if (isfinite(value)) {
		fprintf(out, "<td%s data-v=\"%.9g\">%.*f</td>", is_best ? " class=\"best\"" : "", value, digits, value);
	} else {
		fputs("<td data-v=\"\">–</td>", out);
	}
}

void snw_page_words(FILE *out, const char *words) {
	fputs("<td class=\"words\">", out);
	snw_page_text(out, words);
	fputs("</td>", out);
}

void snw_page_end_table(FILE *out) {
	fputs("</tbody></table></div>\n", out);
}

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

snw_status snw_page_picture(FILE *out, const snw_call *call, snw_renderer *renderer, const snw_view *views, uint32_t columns,
							uint32_t width, uint32_t height, const char *caption, snw_error *error) {
	unsigned char *pixels = snw_arena_array(call->arena, (size_t)width * columns, (size_t)height * 4);
	const unsigned char *bytes;
	size_t count;
	snw_status status = snw_renderer_sheet(renderer, views, columns, 1, width, height, pixels, &call->task, error);
	status =
		snw_failed(status) ? status : snw_png_encode(pixels, width * columns, height, 4, call->arena, &bytes, &count, error);
	if (snw_failed(status)) {
		return status;
	}
	fputs("<figure><figcaption>", out);
	snw_page_text(out, caption);
	fputs("</figcaption><img alt=\"\" src=\"data:image/png;base64,", out);
	page_base64(out, bytes, count);
	fputs("\"></figure>\n", out);
	return SNW_OK;
}

/* ---- chart --------------------------------------------------------------------------------------------------------------- */

enum { TICKS = 5 };

double snw_chart_x(const snw_chart_axes *a, double x) {
	const double share =
		a->x_is_logarithmic ? log(x / a->x_least) / log(a->x_most / a->x_least) : (x - a->x_least) / (a->x_most - a->x_least);
	return a->left + share * a->width;
}

double snw_chart_y(const snw_chart_axes *a, double y) {
	return a->top + (1 - (y - a->y_least) / (a->y_most - a->y_least)) * a->height;
}

/* The least 1, 2 or 5 times a power of ten that is not below a number. */
static double round_up(double number) {
	const double power = pow(10, floor(log10(number)));
	const double digits[] = {1, 2, 5, 10};
	int i = 0;
	while (i < 3 && digits[i] * power < number * (1 - 1e-9)) {
		i++;
	}
	return digits[i] * power;
}

double snw_chart_end(double most, double *step) {
	*step = round_up((most > 0 ? most : 1) / TICKS);
	return *step * ceil((most > 0 ? most : 1) / *step - 1e-9);
}

void snw_chart_begin(FILE *out, double height, const char *title) {
	fprintf(out, "<figure><svg viewBox=\"0 0 %d %.0f\" role=\"img\"><title>%s</title>\n", SNW_CHART_WIDTH, height, title);
}

void snw_chart_finish(FILE *out, const char *caption) {
	fprintf(out, "</svg><figcaption>%s</figcaption></figure>\n", caption);
}

void snw_chart_label(FILE *out, double x, double y, const char *anchor, const char *text) {
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	snw_page_text(out, text);
	fputs("</text>\n", out);
}

void snw_chart_line(FILE *out, double x0, double y0, double x1, double y1, const char *color, double width) {
	fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"var(--%s)\" stroke-width=\"%g\" fill=\"none\"/>\n", x0, y0, x1, y1,
			color, width);
}

void snw_chart_tick(FILE *out, const snw_chart_axes *a, double x, const char *format) {
	snw_chart_line(out, snw_chart_x(a, x), a->top, snw_chart_x(a, x), a->top + a->height, "line", 1);
	fprintf(out, "<text class=\"quiet\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", snw_chart_x(a, x),
			a->top + a->height + 18);
	fprintf(out, strcmp(format, "%") == 0 ? "%g %%" : "%g", x);
	fputs("</text>\n", out);
}

void snw_chart_grid(FILE *out, const snw_chart_axes *a, double step) {
	for (double y = 0; y <= a->y_most + 1e-9 * step; y += step) {
		snw_chart_line(out, a->left, snw_chart_y(a, y), a->left + a->width, snw_chart_y(a, y), "line", 1);
		fprintf(out, "<text class=\"quiet\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", a->left - 8,
				snw_chart_y(a, y) + 4, y);
	}
}
