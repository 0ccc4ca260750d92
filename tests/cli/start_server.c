/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded before the program (LD_PRELOAD), it lets one process start many commands: the libraries are loaded and linked once,
 * which is most of what a short command costs. The process waits before main for commands. For each it forks, and the copy
 * runs main with the words, the environment, the folder and the standard files of that command. So no command sees what
 * another did. The files of START_SERVER_LIBRARIES, with colons between them, are loaded too: what a command opens of them is
 * there at once. What cannot be loaded, a command says itself.
 *
 * A command that ends runs what it has registered for that, but not what all of its libraries have: each writes to pages that
 * would have to be copied first. In sanitized programs all runs, since leaks are looked for there.
 *
 * One message for each command comes on the socket START_SERVER: lengths (int32_t: how many words, how many variables, bytes),
 * then the bytes: the folder, the words and the variables, each with its zero; with it the three standard files. It answers
 * with the process's number, and with what waitpid said when that has ended (int32_t each). At the end of the socket it exits.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STANDARD_FILES = 3, HUGE_PAGE = 1 << 21, OWN_MEMORY = 1 << 17 };

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

typedef struct lengths {
	int32_t words, variables, bytes;
} lengths;

static main_function *program;
static void *volatile end_of_heap;
static char *command, **volatile command_words, **volatile variables; /* where LeakSanitizer sees what is in use */

static _Noreturn void fail(const char *what) {
	perror(what);
	_exit(127);
}

static void load(char *files) {
	for (char *file; (file = strsep(&files, ":"));) {
		dlopen(file, RTLD_NOW | RTLD_LOCAL);
	}
}

/* The heap of a copy begins with a huge page, where the system has them (glibc.malloc.hugetlb=1): it takes its memory at once,
 * and not in hundreds of small pages. For that, what is free at the end of the heap has to be in use, but for what this process
 * needs itself. */
static void begin_huge_page(void) {
	void *reserve = malloc(OWN_MEMORY);
	const size_t at_end = mallinfo2().keepcost;
	end_of_heap = malloc(at_end > OWN_MEMORY ? at_end - 128 : 1);
	free(reserve);
	if (!reserve || !end_of_heap || sbrk((intptr_t)(-(uintptr_t)sbrk(0) % HUGE_PAGE)) == (void *)-1) {
		fail("start_server: memory");
	}
}

static void end_at_once(int status, void *context) {
	(void)context;
	fflush(NULL);
	_exit(status);
}

/* The command's lengths and its files; 0 at the end of the socket. */
static int receive_lengths(int server, lengths *read, int files[STANDARD_FILES]) {
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int[STANDARD_FILES]))];
	} control;
	struct iovec part = {read, sizeof *read};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	ssize_t got = recvmsg(server, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
	if (got == 0) {
		return 0;
	}
	struct cmsghdr *sent = CMSG_FIRSTHDR(&message);
	if (got != sizeof *read || !sent || sent->cmsg_len != CMSG_LEN(sizeof(int[STANDARD_FILES]))) {
		fail("start_server: a command");
	}
	memcpy(files, CMSG_DATA(sent), sizeof(int[STANDARD_FILES]));
	return 1;
}

/* An array of `count` strings that begin at *text, and NULL; *text moves behind them. */
static char **strings(char **text, int32_t count) {
	char **array = calloc((size_t)count + 1, sizeof *array);
	if (!array) {
		fail("start_server");
	}
	for (int32_t i = 0; i < count; i++, *text += strlen(*text) + 1) {
		array[i] = *text;
	}
	return array;
}

static int run_command(int server, lengths sent, const int files[STANDARD_FILES]) {
	close(server);
	for (int i = 0; i < STANDARD_FILES; i++) {
		if (dup2(files[i], i) < 0) {
			fail("start_server: a standard file");
		}
		close(files[i]);
	}
	char *text = command + strlen(command) + 1;
	if (chdir(command)) {
		fail(command);
	}
	command_words = strings(&text, sent.words);
	environ = variables = strings(&text, sent.variables);
	if (!dlsym(RTLD_DEFAULT, "__asan_init")) {
		on_exit(end_at_once, NULL);
	}
	return program(sent.words, command_words, environ);
}

static void answer(int server, int32_t number) {
	if (send(server, &number, sizeof number, MSG_NOSIGNAL) != sizeof number) {
		fail("start_server: an answer");
	}
}

static int serve(int count, char **words, char **environment) {
	(void)count, (void)words, (void)environment;
	int server = atoi(getenv("START_SERVER"));
	lengths sent;
	int files[STANDARD_FILES];
	load(getenv("START_SERVER_LIBRARIES"));
	if (!dlsym(RTLD_DEFAULT, "__asan_init")) {
		begin_huge_page();
	}
	while (receive_lengths(server, &sent, files)) {
		command = malloc((size_t)sent.bytes);
		if (!command || recv(server, command, (size_t)sent.bytes, MSG_WAITALL) != sent.bytes) {
			fail("start_server: the words");
		}
		pid_t child = fork();
		if (child < 0) {
			fail("start_server: fork");
		}
		if (child == 0) {
			return run_command(server, sent, files);
		}
		free(command);
		for (int i = 0; i < STANDARD_FILES; i++) {
			close(files[i]);
		}
		answer(server, child);
		int status;
		if (waitpid(child, &status, 0) != child) {
			fail("start_server: waitpid");
		}
		answer(server, status);
	}
	return 0;
}

start_function __libc_start_main;

int __libc_start_main(main_function *main, int count, char **words, void (*begin)(void), void (*end)(void),
					  void (*unload)(void), void *stack) {
	start_function *next = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
	if (!next) {
		fail("start_server: no C library");
	}
	program = main;
	return next(getenv("START_SERVER") ? serve : main, count, words, begin, end, unload, stack);
}
