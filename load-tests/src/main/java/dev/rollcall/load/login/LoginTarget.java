package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.NodeAddress;

/**
 * A destination of logins: a node and a PAM module.
 *
 * @param port of the probe
 */
record LoginTarget(Module module, NodeAddress node, int port) {
  /** A port to which calls are announced, as to sshd's. */
  static final int ANNOUNCED = 2200;

  /** One to which they are not: whoever called is asked for. */
  static final int UNANNOUNCED = 2201;

  static LoginTarget floor(NodeAddress node) {
    return new LoginTarget(Module.FLOOR, node, UNANNOUNCED);
  }

  /** The peer's calls are not announced: what our agent does about such calls is not its. */
  static LoginTarget peer(NodeAddress node) {
    return new LoginTarget(Module.PEER, node, UNANNOUNCED);
  }

  static LoginTarget ours(NodeAddress node) {
    return new LoginTarget(Module.OURS, node, ANNOUNCED);
  }

  static LoginTarget oursAsked(NodeAddress node) {
    return new LoginTarget(Module.OURS, node, UNANNOUNCED);
  }

  /** As the probe is told. */
  String text() {
    return module.service() + "@" + node.v4() + ":" + port;
  }
}
