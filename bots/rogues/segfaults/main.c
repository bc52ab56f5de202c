/* Reads memory through a null pointer. Expected fault: `crash`. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[9999];
    int listed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello ", 6))
            puts("hello 1 legal");
        else if (!strncmp(line, "new ", 4))
            puts("ready");
        else if (!strncmp(line, "move ", 5))
            listed = 1;
        else if (listed) { /* the question */
            *(volatile char *)NULL = 0;
        }
    }
    return 0;
}
