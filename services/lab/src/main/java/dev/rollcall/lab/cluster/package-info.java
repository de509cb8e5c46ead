/**
 * A cluster of network namespaces on this machine: nodes with an sshd, an agent and users of their
 * own, and a gateway. The demo and the cluster tests raise the same one. Needs root.
 */
@NullMarked
package dev.rollcall.lab.cluster;

import org.jspecify.annotations.NullMarked;
