#include "order.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Of Linux 6.11; the headers of Debian 12 are older. */
#ifndef NS_GET_MNTNS_ID
#define NS_GET_MNTNS_ID _IOR(NSIO, 0x5, uint64_t)
#endif

uint64_t order_number(int proc)
{
    uint64_t number = 0;
    int fd = openat(proc, "self/ns/mnt", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (ioctl(fd, NS_GET_MNTNS_ID, &number) < 0)
        number = 0;
    close(fd);
    return number;
}

static bool is_behind(uint64_t number, int proc)
{
    return unshare(CLONE_NEWNS) == 0 && order_number(proc) > number;
}

/* The processor that gave out the number has only higher ones left, so one round is enough if it may be used. */
bool order_go_behind(struct order *order, uint64_t number, int proc)
{
    *order = (struct order){.moved = false};
    if (number == 0)
        return true;
    if (sched_getaffinity(0, sizeof order->processors, &order->processors) < 0)
        return false;
    order->moved = true;
    for (int i = 0; i < CPU_SETSIZE; i++) {
        cpu_set_t one;

        CPU_ZERO(&one);
        CPU_SET(i, &one);
        if (CPU_ISSET(i, &order->processors) && sched_setaffinity(0, sizeof one, &one) == 0 && is_behind(number, proc))
            return true;
    }
    return false;
}

void order_leave(const struct order *order, pid_t made)
{
    if (!order->moved)
        return;
    sched_setaffinity(0, sizeof order->processors, &order->processors);
    sched_setaffinity(made, sizeof order->processors, &order->processors);
}
