/* Uses its memory for files and for many small processes. So when it reaches its memory limit, the kernel kills
   the sandbox's own processes, which are larger. This rogue hopes that the match is then void.
   Expected fault: `memory`. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hoard(void)
{
    static const char *places[] = {"/scratch/hoard", "/tmp/hoard", "/dev/shm/hoard"};
    char *block = calloc(1, 65536);
    for (int place = 0; place < 3; place++) {
        int file = open(places[place], O_CREAT | O_WRONLY, 0600);
        while (write(file, block, 65536) > 0)
            ;
    }
    for (int child = 0; child < 58; child++)
        if (fork() == 0) {
            memset(malloc(1200000), 1, 1200000);
            pause();
        }
}

int main(void)
{
    char line[9999], move[9999] = "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello ", 6)) {
            puts("hello 1 legal");
        } else if (!strncmp(line, "new ", 4)) {
            puts("ready");
        } else if (!strncmp(line, "move ", 5)) {
            strcpy(move, line + 5);
        } else if (*move) { /* the question */
            hoard();
            sleep(1000);
        }
    }
    return 0;
}
