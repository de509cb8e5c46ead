package dev.rollcall.gateway.route;

import dev.rollcall.proto.roll.v1.NodeAnswer;

/** The result of a question to a node. */
public sealed interface NodeReply {
  /**
   * @param answer of the kind that was asked for
   */
  record Said(NodeAnswer answer) implements NodeReply {}

  /**
   * @param reason for people: which node, and why
   */
  record Silent(String reason) implements NodeReply {}
}
