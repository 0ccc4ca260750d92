/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/input/input.h"

#include <SDL.h>
#include <math.h>
#include <string.h>

/* ---- events -------------------------------------------------------------------------------------------------------------- */

_Static_assert(2 * sizeof(float) <= sizeof(void *), "two floats fit into a pointer of an event");

static uint32_t event_type; /* 0: not registered */

static uint32_t sample_type(void) {
	event_type = event_type ? event_type : SDL_RegisterEvents(1);
	return event_type;
}

void snw_tablet_push(const snw_pen_sample *sample) {
	SDL_Event event = {.type = sample_type()};
	memcpy(&event.user.data1, &sample->x, 2 * sizeof(float));
	memcpy(&event.user.data2, &sample->pressure, 2 * sizeof(float));
	SDL_PushEvent(&event);
}

bool snw_tablet_read(const SDL_Event *event, snw_pen_sample *sample) {
	if (event_type == 0 || event->type != event_type) {
		return false;
	}
	memcpy(&sample->x, &event->user.data1, 2 * sizeof(float));
	memcpy(&sample->pressure, &event->user.data2, 2 * sizeof(float));
	return true;
}

/* ---- axes ---------------------------------------------------------------------------------------------------------------- */

/* The valuator's value; false if the event leaves it out. */
static bool find_value(const snw_pen_axis *axis, const unsigned char *mask, uint32_t mask_bytes, const double *values,
					   double *value) {
	uint32_t place = 0;
	if (axis->number < 0 || (uint32_t)axis->number >= 8 * mask_bytes || !(mask[axis->number / 8] & 1 << axis->number % 8)) {
		return false;
	}
	for (int i = 0; i < axis->number; i++) {
		place += mask[i / 8] >> i % 8 & 1;
	}
	*value = values[place];
	return true;
}

/* Of the way from the middle of the axis to its end, -1 to 1. */
static double tilt_share(const snw_pen_axis *axis, double value) {
	const double most = fmax(fabs(axis->least), fabs(axis->most));
	return most > 0 ? fmin(fmax(value / most, -1), 1) : 0;
}

void snw_pen_decode(const snw_pen_axes *axes, const unsigned char *mask, uint32_t mask_bytes, const double *values,
					snw_pen_sample *last) {
	double pressure, tilt_x = 0, tilt_y = 0;
	const double range = axes->pressure.most - axes->pressure.least;
	if (find_value(&axes->pressure, mask, mask_bytes, values, &pressure) && range > 0) {
		last->pressure = (float)fmin(fmax((pressure - axes->pressure.least) / range, 0), 1);
	}
	const bool has_x = find_value(&axes->tilt_x, mask, mask_bytes, values, &tilt_x);
	const bool has_y = find_value(&axes->tilt_y, mask, mask_bytes, values, &tilt_y);
	if (has_x || has_y) {
		last->tilt = (float)fmin(hypot(tilt_share(&axes->tilt_x, tilt_x), tilt_share(&axes->tilt_y, tilt_y)), 1);
	}
}

/* ---- XInput2 ------------------------------------------------------------------------------------------------------------- */

#ifdef SINEW_HAS_XINPUT2

#include <SDL_syswm.h>
#include <X11/extensions/XInput2.h>

enum { PENS_MOST = 16, PEN_EVENTS_MOST = 256, MASK_BYTES = XIMaskLen(XI_LASTEVENT) };

typedef struct pen {
	int device;
	snw_pen_axes axes;
	snw_pen_sample last;
} pen;

static struct {
	Display *display; /* SDL's; NULL: not open */
	Window window;
	int opcode; /* of the extension's events */
	Atom pressure, tilt_x, tilt_y;
	uint32_t pen_count;
	pen pens[PENS_MOST];
} tablets;

/* A device may be unplugged while it is asked for. The default handler would end the program. */
static int ignore_error(Display *display, XErrorEvent *error) {
	(void)display, (void)error;
	return 0;
}

/* Adds an event to those that SDL has selected for the same device and window. */
static void select_event(Window window, int device, int event) {
	unsigned char bits[MASK_BYTES] = {0};
	int count = 0;
	XIEventMask *masks = XIGetSelectedEvents(tablets.display, window, &count);
	for (int i = 0; masks && i < count; i++) {
		if (masks[i].deviceid == device) {
			memcpy(bits, masks[i].mask, (size_t)SDL_min(masks[i].mask_len, MASK_BYTES));
		}
	}
	if (masks) {
		XFree(masks);
	}
	XISetMask(bits, event);
	XIEventMask mask = {.deviceid = device, .mask_len = sizeof bits, .mask = bits};
	XISelectEvents(tablets.display, window, &mask, 1);
}

/* The axes of a device; false if it is no pen: a pen has pressure, and a touch screen is none. */
static bool find_axes(const XIDeviceInfo *device, snw_pen_axes *axes) {
	bool is_touch = false;
	*axes = (snw_pen_axes){{.number = -1}, {.number = -1}, {.number = -1}};
	for (int i = 0; i < device->num_classes; i++) {
		const XIAnyClassInfo *any = device->classes[i];
		is_touch = is_touch || any->type == XITouchClass;
		if (any->type != XIValuatorClass) {
			continue;
		}
		const XIValuatorClassInfo *info = (const XIValuatorClassInfo *)(const void *)any;
		const snw_pen_axis axis = {info->number, info->min, info->max};
		if (info->label == tablets.pressure) {
			axes->pressure = axis;
		} else if (info->label == tablets.tilt_x) {
			axes->tilt_x = axis;
		} else if (info->label == tablets.tilt_y) {
			axes->tilt_y = axis;
		}
	}
	return axes->pressure.number >= 0 && !is_touch;
}

static void find_pens(void) {
	int count = 0;
	XIDeviceInfo *devices = XIQueryDevice(tablets.display, XIAllDevices, &count);
	tablets.pen_count = 0;
	for (int i = 0; devices && i < count && tablets.pen_count < PENS_MOST; i++) {
		pen *added = &tablets.pens[tablets.pen_count];
		*added = (pen){.device = devices[i].deviceid};
		if (devices[i].use == XISlavePointer && devices[i].enabled && find_axes(&devices[i], &added->axes)) {
			select_event(tablets.window, added->device, XI_Motion);
			tablets.pen_count++;
		}
	}
	if (devices) {
		XIFreeDeviceInfo(devices);
	}
}

static void take_motion(const XIDeviceEvent *event) {
	for (uint32_t i = 0; i < tablets.pen_count; i++) {
		pen *from = &tablets.pens[i];
		if (from->device == event->deviceid && event->event == tablets.window) {
			snw_pen_decode(&from->axes, event->valuators.mask, (uint32_t)event->valuators.mask_len, event->valuators.values,
						   &from->last);
			from->last.x = (float)event->event_x;
			from->last.y = (float)event->event_y;
			snw_tablet_push(&from->last);
		}
	}
}

/* SDL makes an event of a press right after it has handed over the server's. */
static void count_clicks(SDL_Event *event) {
	static snw_clicks clicks;
	static XButtonEvent press;
	if (event->type == SDL_SYSWMEVENT && event->syswm.msg->msg.x11.event.type == ButtonPress) {
		press = event->syswm.msg->msg.x11.event.xbutton;
	} else if (event->type == SDL_MOUSEBUTTONDOWN && press.type == ButtonPress) {
		event->button.clicks = snw_clicks_take(&clicks, (uint32_t)press.time, event->button.button, press.x, press.y);
		press.type = 0;
	}
}

/* The data of an extension's event are there only while SDL hands it to this filter. */
static int take_event(void *unused, SDL_Event *event) {
	(void)unused;
	if (event->type == SDL_MOUSEBUTTONDOWN) {
		count_clicks(event);
	}
	if (event->type != SDL_SYSWMEVENT || event->syswm.msg->subsystem != SDL_SYSWM_X11) {
		return 1;
	}
	count_clicks(event);
	const XGenericEventCookie *cookie = &event->syswm.msg->msg.x11.event.xcookie;
	if (cookie->type == GenericEvent && cookie->extension == tablets.opcode && cookie->data) {
		if (cookie->evtype == XI_Motion) {
			take_motion(cookie->data);
		} else if (cookie->evtype == XI_HierarchyChanged) {
			XErrorHandler previous = XSetErrorHandler(ignore_error);
			find_pens();
			XSync(tablets.display, False);
			XSetErrorHandler(previous);
		}
	}
	return 0; /* nobody else reads these */
}

void snw_tablet_open(SDL_Window *window) {
	SDL_SysWMinfo info;
	SDL_VERSION(&info.version);
	int event, error, major = 2, minor = 2; /* as SDL has asked for: the server refuses an older version after that */
	if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) {
		return;
	}
	tablets.display = info.info.x11.display;
	tablets.window = info.info.x11.window;
	if (!XQueryExtension(tablets.display, "XInputExtension", &tablets.opcode, &event, &error)) {
		tablets.display = NULL;
		return;
	}
	XErrorHandler previous = XSetErrorHandler(ignore_error);
	(void)XIQueryVersion(tablets.display, &major, &minor);
	tablets.pressure = XInternAtom(tablets.display, "Abs Pressure", False);
	tablets.tilt_x = XInternAtom(tablets.display, "Abs Tilt X", False);
	tablets.tilt_y = XInternAtom(tablets.display, "Abs Tilt Y", False);
	(void)sample_type();
	select_event(DefaultRootWindow(tablets.display), XIAllDevices, XI_HierarchyChanged);
	find_pens();
	XSync(tablets.display, False);
	XSetErrorHandler(previous);
	SDL_EventState(SDL_SYSWMEVENT, SDL_ENABLE);
	/* Setting the filter discards the events that wait. */
	SDL_Event waiting[PEN_EVENTS_MOST];
	const int count = SDL_PeepEvents(waiting, PEN_EVENTS_MOST, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
	SDL_SetEventFilter(take_event, NULL);
	SDL_PeepEvents(waiting, SDL_max(count, 0), SDL_ADDEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
}

void snw_tablet_close(void) {
	if (tablets.display) {
		SDL_SetEventFilter(NULL, NULL);
		SDL_EventState(SDL_SYSWMEVENT, SDL_DISABLE);
		tablets.display = NULL;
		tablets.pen_count = 0;
	}
}

#else

void snw_tablet_open(SDL_Window *window) {
	(void)window;
}

void snw_tablet_close(void) {}

#endif
