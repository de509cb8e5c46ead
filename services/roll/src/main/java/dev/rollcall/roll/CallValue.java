package dev.rollcall.roll;

import dev.rollcall.model.Caller;
import dev.rollcall.model.NodeEpoch;

/** The value of a call in the Hazelcast map; its connection is the key. */
record CallValue(NodeEpoch epoch, long registration, Caller caller) implements Statement {
  @Override
  public String node() {
    return epoch.node().text();
  }

  @Override
  public long rank() {
    return Times.nanos(caller.at());
  }
}
