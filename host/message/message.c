/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "message/message.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

bool snw_message_open_sockets(int ends[2]) {
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
}

void snw_message_set_text(snw_message *message, const char *text) {
	snprintf(message->text, sizeof message->text, "%s", text ? text : "");
}

bool snw_message_send(int socket, snw_message *message) {
	ssize_t sent;
	message->version = SNW_MESSAGE_VERSION;
	do {
		sent = send(socket, message, sizeof *message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)sizeof *message;
}

snw_message_state snw_message_receive(int socket, bool wait, snw_message *message) {
	ssize_t got;
	do {
		got = recv(socket, message, sizeof *message, MSG_TRUNC | (wait ? 0 : MSG_DONTWAIT));
	} while (got < 0 && errno == EINTR);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		return SNW_MESSAGE_NONE;
	}
	if (got <= 0) {
		return SNW_MESSAGE_ENDED;
	}
	if (got != (ssize_t)sizeof *message || message->version != SNW_MESSAGE_VERSION || message->kind >= SNW_MESSAGE_KIND_COUNT) {
		return SNW_MESSAGE_INVALID;
	}
	message->unit[sizeof message->unit - 1] = '\0';
	message->text[sizeof message->text - 1] = '\0';
	return SNW_MESSAGE_ARRIVED;
}
