/* Floods stderr while it is asked, so that the harness itself is late. Expected fault: `late`. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[9999], flood[65536];
    int listed = 0;
    memset(flood, 'x', sizeof flood);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello ", 6))
            puts("hello 1 legal");
        else if (!strncmp(line, "new ", 4))
            puts("ready");
        else if (!strncmp(line, "move ", 5))
            listed = 1;
        else if (listed) /* the question */
            while (write(2, flood, sizeof flood) > 0)
                ;
    }
    return 0;
}
