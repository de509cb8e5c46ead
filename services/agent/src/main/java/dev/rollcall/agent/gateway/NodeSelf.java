package dev.rollcall.agent.gateway;

import dev.rollcall.model.NodeEpoch;
import java.util.function.IntFunction;

/**
 * The facts that this node sends about itself when it connects.
 *
 * @param callSource {@code sock_ops} or {@code sock_diag}
 * @param userName of a uid, empty if it has none; may read files
 */
public record NodeSelf(
    String cluster,
    NodeEpoch epoch,
    AnnouncedAddresses addresses,
    String version,
    String callSource,
    IntFunction<String> userName) {}
