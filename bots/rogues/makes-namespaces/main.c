/* Makes namespaces in which it is root, and mounts file systems.

   Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mount.h>
#include <stdio.h>
#include <string.h>

static const char *loot;

static void attack(void)
{
    if (unshare(CLONE_NEWUSER) == 0)
        loot = "look who is root";
    if (unshare(CLONE_NEWNS) == 0 || mount("none", "/tmp", "tmpfs", 0, NULL) == 0)
        loot = "look what I mounted";
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
