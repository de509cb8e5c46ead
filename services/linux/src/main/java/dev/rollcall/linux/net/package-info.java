/**
 * Network namespaces, and what the kernel says of sockets and addresses in one of them over
 * netlink(7).
 */
@NullMarked
package dev.rollcall.linux.net;

import org.jspecify.annotations.NullMarked;
