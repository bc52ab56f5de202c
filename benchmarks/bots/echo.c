// The fastest possible bot: it writes back each line unchanged.
#include <unistd.h>

int main(void) {
    static char line[65536];
    ssize_t got, all = 0;
    while ((got = read(0, line + all, sizeof line - all)) > 0) {
        all += got;
        if (line[all - 1] != '\n') continue;
        if (write(1, line, all) != all) return 1;
        all = 0;
    }
    return 0;
}
