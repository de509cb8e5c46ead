/* Mount namespaces have numbers, and the kernel binds the file of one only where the mounts' own number is lower, so
 * that there are no loops (EINVAL otherwise; mnt_ns_loop in fs/namespace.c). Until Linux 6.17 a newer one always has a
 * higher number. Since 6.18 numbers are handed out to processors by the batch, and one made later, on another
 * processor, may have a lower one: the agent could not pin it. */
#ifndef ROLLCALL_ORDER_H
#define ROLLCALL_ORDER_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct order {
    bool moved;           /* this process is on one processor now */
    cpu_set_t processors; /* with moved: those that it was on */
};

/* Of this process's mount namespace, by the node's /proc; 0 where the kernel does not tell (before Linux 6.11), which
 * has them in order. */
uint64_t order_number(int proc);

/* Puts this process on a processor, and into a copy of its mount namespace, such that the next copy has a higher number
 * than this. False if no processor that it may use has one, or if that cannot be found out. */
bool order_go_behind(struct order *order, uint64_t number, int proc);

/* Gives this process, and the one that it made, the processors back. */
void order_leave(const struct order *order, pid_t made);

#endif
