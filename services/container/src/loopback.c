#include "loopback.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The addresses 127.0.0.1 and ::1 come with it (netdevice(7)). */
bool loopback_up(struct problem *problem)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool up = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &request) == 0;

    if (!up)
        problem_set(problem, "cannot bring up loopback in the new net namespace: %m");
    if (fd >= 0)
        close(fd);
    return up;
}
