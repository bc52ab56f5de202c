/* The house bot `greedy` of Sevens, translated from Python to C: it plays the move that earns the most points
   now, and one of these moves by lot if there are several. The lot is that of C, not that of Python. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 200, MOST = 200 };

static int claim_of(const char *move)
{
    return atoi(strrchr(move, ' ') + 1);
}

static const char *choose(char moves[][LONGEST], int count)
{
    int most = 0, best[MOST], found = 0;
    for (int i = 0; i < count; i++)
        if (i == 0 || claim_of(moves[i]) > most)
            most = claim_of(moves[i]);
    for (int i = 0; i < count; i++)
        if (claim_of(moves[i]) == most)
            best[found++] = i;
    return moves[best[rand() % found]];
}

int main(void)
{
    static char line[LONGEST], moves[MOST][LONGEST];
    int count = 0;
    unsigned seed;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strncmp(line, "hello ", 6)) {
            puts("hello 1 legal");
        } else if (sscanf(line, "new %*s %*s %*s %u", &seed) == 1) {
            srand(seed);
            puts("ready");
        } else if (!strncmp(line, "move ", 5)) {
            if (count < MOST)
                strcpy(moves[count++], line + 5);
        } else if (!strcmp(line, "bye")) {
            return 0;
        } else if (count) { /* the question */
            puts(choose(moves, count));
            count = 0;
        }
    }
    return 0;
}
