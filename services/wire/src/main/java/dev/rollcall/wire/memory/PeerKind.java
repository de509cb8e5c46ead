package dev.rollcall.wire.memory;

import dev.rollcall.model.Worded;

/**
 * The kinds of peers, in the order in which they are refused, and their connections closed, while
 * this process is short of memory.
 */
public enum PeerKind implements Worded {
  /** Clients that have not shown who they are. */
  STRANGER,
  /** Users of a node, and those who proved to be one by munge or a token. */
  USER,
  /** Services of the site, by their certificates, and accounts that the site names. */
  SERVICE,
  /** Nodes, gateways, administrators and root: never refused nor closed for want of memory. */
  PROTECTED
}
