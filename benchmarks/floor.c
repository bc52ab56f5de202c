// The floor: a controller in C. It writes a line to each of two bots in turn, and waits for the line back in a
// blocking read.
//     floor BOT MOVES      prints the moves, their wall-clock seconds, and the CPU seconds of the controller
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 40, WARM_UP = 200 };

struct bot {
    int in, out;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct bot started(char *program) {
    int questions[2], answers[2];
    if (pipe2(questions, O_CLOEXEC) || pipe2(answers, O_CLOEXEC)) fail("pipe");
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        dup2(questions[0], STDIN_FILENO);
        dup2(answers[1], STDOUT_FILENO);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(questions[0]);
    close(answers[1]);
    return (struct bot){questions[1], answers[0]};
}

static void ask(struct bot bot, const char *line) {
    static char answer[4096];
    ssize_t got, all = 0;
    if (write(bot.in, line, LINE) != LINE) fail("write");
    do {
        if ((got = read(bot.out, answer + all, sizeof answer - all)) <= 0) fail("read");
        all += got;
    } while (answer[all - 1] != '\n');
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double cpu(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    long moves = atol(argv[2]);
    struct bot bots[] = {started(argv[1]), started(argv[1])};
    char line[LINE + 1];
    snprintf(line, sizeof line, "%039d\n", 0);
    for (long i = 0; i < WARM_UP; i++) ask(bots[i % 2], line);
    double began = now(), used = cpu();
    for (long i = 0; i < moves; i++) ask(bots[i % 2], line);
    printf("%ld %.9f %.6f\n", moves, now() - began, cpu() - used);
    close(bots[0].in);
    close(bots[1].in);
    while (wait(NULL) > 0) continue;
    return 0;
}
