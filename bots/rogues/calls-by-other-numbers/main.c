/* Makes denied system calls by the numbers that 32-bit programs use for them, and by numbers of later kernels.

   Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char *loot;

#if defined(__x86_64__)
enum { OTHER_ABI = 0x40000000, FLOCK = 73, MEMFD_CREATE = 319, GETPID = 39 };
enum { FLOCK_32 = 143, GETPID_32 = 20, INOTIFY_INIT_32 = 291, SYNC_32 = 36 };

/* Enters the kernel as a 32-bit program does. */
static long call_32(long number, long first, long second)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second) : "memory", "r8", "r9",
                     "r10", "r11");
    return result;
}

static void attack(int file)
{
    if (syscall(OTHER_ABI | FLOCK, file, LOCK_SH) == 0 || syscall(OTHER_ABI | GETPID) > 0)
        loot = "look how I call by other numbers";
    if (syscall(OTHER_ABI | MEMFD_CREATE, "hoard", 0) >= 0)
        loot = "look how I hoard by other numbers";
    if (call_32(FLOCK_32, file, LOCK_SH) == 0 || call_32(GETPID_32, 0, 0) > 0)
        loot = "look how I call as a 32-bit program";
    if (call_32(INOTIFY_INIT_32, 0, 0) >= 0 || call_32(SYNC_32, 0, 0) == 0)
        loot = "look what I hear as a 32-bit program";
}
#else
static void attack(int file)
{
    (void)file;
}
#endif

int main(void)
{
    char line[9999], move[9999] = "";
    int file = open("/proc/self/exe", O_RDONLY);
    setvbuf(stdout, NULL, _IOLBF, 0);
    attack(file);
    for (int number = 463; number < 600; number++)
        if (syscall(number, -1, 0, 0, 0, 0, 0) == 0 || errno != ENOSYS)
            loot = "look what a later kernel offers";
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
