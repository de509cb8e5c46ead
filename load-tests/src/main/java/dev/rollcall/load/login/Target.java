package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.NodeAddress;

/**
 * Where a login goes.
 *
 * @param port of the probe
 */
record Target(Module module, NodeAddress node, int port) {
  /** A port to which calls are announced, as to sshd's. */
  static final int ANNOUNCED = 2200;

  /** One to which they are not: whoever called is asked for. */
  static final int UNANNOUNCED = 2201;

  static Target floor(NodeAddress node) {
    return new Target(Module.FLOOR, node, UNANNOUNCED);
  }

  /** The peer's calls are not announced: what our agent does about such calls is not its. */
  static Target peer(NodeAddress node) {
    return new Target(Module.PEER, node, UNANNOUNCED);
  }

  static Target ours(NodeAddress node) {
    return new Target(Module.OURS, node, ANNOUNCED);
  }

  static Target oursAsked(NodeAddress node) {
    return new Target(Module.OURS, node, UNANNOUNCED);
  }

  /** As the probe is told. */
  String text() {
    return module.service() + "@" + node.v4() + ":" + port;
  }
}
