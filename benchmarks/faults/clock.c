/* Shifts the clock of day of the program that loads it, by the seconds in the file that CLOCK_OFFSET_FILE names. All
   other clocks, and sleeping, stay as they are: libfaketime makes absolute sleeps fail, and Python sleeps by these. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    const char *path = getenv("CLOCK_OFFSET_FILE");
    if (failed || clock != CLOCK_REALTIME || !path)
        return failed;
    char text[16] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0)
            now->tv_sec += atol(text);
        close(file);
    }
    return 0;
}
