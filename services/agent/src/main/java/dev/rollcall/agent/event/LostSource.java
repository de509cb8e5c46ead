package dev.rollcall.agent.event;

import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;
import java.net.InetAddress;
import java.util.Optional;

/**
 * The source of pushed callers that do not count any more.
 *
 * @param node that made them; absent: all nodes
 * @param address from which they were made; absent: all addresses
 */
public record LostSource(Optional<NodeName> node, Optional<InetAddress> address) {
  public static final LostSource ALL = new LostSource(Optional.empty(), Optional.empty());

  /**
   * @param call as the caller's end sees it
   */
  public boolean has(Connection call, Caller caller) {
    return node.map(caller.node()::equals).orElse(true)
        && address.map(call.local().address()::equals).orElse(true);
  }
}
