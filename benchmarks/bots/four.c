// A bot that drops discs at random. It does not use stdio, and needs one read and one write for each move.
//     four [US]          uses the CPU for US microseconds before each move
//     four US sleep      sleeps for US microseconds before each move
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 7, ROWS = 6 };

static int heights[COLUMNS];
static unsigned luck;
static long busy_us, sleep_us;

static void say(const char *line) {
    size_t size = strlen(line);
    if (write(1, line, size) != (ssize_t)size) exit(1);
}

static long used_us(void) {
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static void drop(void) {
    char answer[] = "drop 1\n";
    int column;
    if (busy_us)
        for (long until = used_us() + busy_us; used_us() < until;) continue;
    if (sleep_us) usleep(sleep_us);
    do {
        luck = luck * 1664525u + 1013904223u;
        column = (luck >> 16) % COLUMNS;
    } while (heights[column] == ROWS);
    answer[5] += column;
    say(answer);
}

static void hear(const char *line) {
    if (!strncmp(line, "dropped ", 8)) heights[line[10] - '1']++;
    else if (!strncmp(line, "drop ", 5)) drop();
    else if (!strncmp(line, "hello ", 6)) say("hello 1\n");
    else if (!strncmp(line, "new ", 4)) {
        memset(heights, 0, sizeof heights);
        luck = atoi(strrchr(line, ' '));
        say("ready\n");
    }
}

int main(int argc, char **argv) {
    static char heard[65536];
    ssize_t got, all = 0;
    if (argc > 1) *(argc > 2 ? &sleep_us : &busy_us) = atol(argv[1]);
    while ((got = read(0, heard + all, sizeof heard - 1 - all)) > 0) {
        char *line = heard, *end;
        all += got;
        heard[all] = 0;
        for (; (end = strchr(line, '\n')); line = end + 1) {
            *end = 0;
            hear(line);
        }
        all = heard + all - line;
        memmove(heard, line, all);
    }
    return 0;
}
