package dev.rollcall.agent.gateway;

import dev.rollcall.model.NodeEpoch;
import java.net.InetAddress;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The facts that this node sends about itself when it connects.
 *
 * @param addresses on the interfaces of the trusted namespaces now, without loopback and link-local
 *     ones
 * @param callSource {@code sock_ops} or {@code sock_diag}
 * @param userName of a uid, empty if it has none; may read files
 */
public record NodeSelf(
    String cluster,
    NodeEpoch epoch,
    Supplier<Set<InetAddress>> addresses,
    String version,
    String callSource,
    IntFunction<String> userName) {}
