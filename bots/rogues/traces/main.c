/* Traces the processes that started it, and reads their memory.

   Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer. */
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <stdio.h>
#include <string.h>

static const char *loot;

static void attack(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)attack, 1};
    pid_t parent = getppid();
    if (ptrace(PTRACE_SEIZE, parent, 0, 0) == 0)
        loot = "look whom I trace";
    if (process_vm_readv(parent, &here, 1, &there, 1, 0) == 1)
        loot = "look what I remember of others";
}

int main(void)
{
    char line[9999], move[9999] = "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    attack();
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello ", 6)) {
            puts("hello 1 legal");
        } else if (!strncmp(line, "new ", 4)) {
            puts("ready");
        } else if (!strncmp(line, "move ", 5)) {
            strcpy(move, line + 5);
        } else if (*move) { /* the question */
            loot ? puts(loot) : fputs(move, stdout);
            *move = 0;
        }
    }
    return 0;
}
