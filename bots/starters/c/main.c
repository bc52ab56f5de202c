/* A first bot: it plays any game. It picks one of the legal moves at random.
 *
 * To make it your own, change choose(). The manual, protocol.md, explains the messages.
 */
#define _POSIX_C_SOURCE 200809L /* for getline and strdup */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes random numbers. The same seed gives the same numbers in the starters of all languages. */
static uint64_t dice = 1;

static void seed_dice(uint64_t seed)
{
    dice = seed % 2147483647 ? seed % 2147483647 : 1;
}

static int below(int count) /* a random number from 0 to count - 1 */
{
    dice = dice * 48271 % 2147483647;
    return (int)(dice % (uint64_t)count);
}

/* Picks a legal move and returns its index. Put your own ideas here. */
static int choose(char **moves, int count)
{
    (void)moves;
    return below(count);
}

/* The next line without its newline; NULL at the end of the input. The next call overwrites the line. */
static char *read_line(void)
{
    static char *line;
    static size_t size;
    if (getline(&line, &size, stdin) < 0)
        return NULL;
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* Sends a line. Without the flush the line stays in a buffer, and the harness does not get it. */
static void say(const char *line)
{
    puts(line);
    fflush(stdout);
}

/* Reads COUNT lines "move ..." and the question after them, and answers it. */
static void answer(int count)
{
    char **moves = calloc((size_t)count, sizeof *moves);
    int read = 0;
    char *line;
    if (moves == NULL)
        abort();
    while (read < count && (line = read_line()) != NULL)
        moves[read++] = strdup(line + strlen("move "));
    if (read == count && read_line() != NULL) /* Skip the question: a listed move is a complete answer. */
        say(moves[choose(moves, count)]);
    while (read > 0)
        free(moves[--read]);
    free(moves);
}

int main(void)
{
    char *line;
    while ((line = read_line()) != NULL) {
        long match, seat, seats, seed;
        int count;
        if (strncmp(line, "hello ", 6) == 0) {
            say("hello 1 legal"); /* Speak version 1, and ask for the legal moves with each question. */
        } else if (sscanf(line, "new %ld %ld %ld %ld", &match, &seat, &seats, &seed) == 4) {
            seed_dice((uint64_t)seed);
            say("ready");
        } else if (sscanf(line, "legal %*s %d", &count) == 1) { /* legal all COUNT, then the moves */
            answer(count);
        } else if (strcmp(line, "bye") == 0) {
            break;
        } /* All other lines are events of the match. This bot ignores them. */
    }
    return 0;
}
