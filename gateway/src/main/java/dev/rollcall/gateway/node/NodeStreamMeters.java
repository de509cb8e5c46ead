package dev.rollcall.gateway.node;

import dev.rollcall.gateway.stream.ConnectedNodes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;

/** Counts events of the nodes' streams. */
final class NodeStreamMeters {
  final Counter welcomed;
  final Counter refused;
  final Counter ended;
  final Counter events;
  final Counter foreign;
  final Counter rollFailures;
  final Counter cut;
  final Counter callsCut;

  /**
   * @param open the streams that are open, which has to be kept elsewhere
   */
  NodeStreamMeters(MeterRegistry registry, ConnectedNodes nodes, Set<NodeSession> open) {
    registry.gauge("rollcall.gateway.nodes", nodes, ConnectedNodes::count);
    registry.gauge("rollcall.gateway.addresses.contested", open, NodeStreamMeters::contested);
    welcomed = registry.counter("rollcall.gateway.streams", "event", "welcomed");
    refused = registry.counter("rollcall.gateway.streams", "event", "refused");
    ended = registry.counter("rollcall.gateway.streams", "event", "ended");
    events = registry.counter("rollcall.gateway.events");
    foreign = registry.counter("rollcall.gateway.events.foreign");
    cut = registry.counter("rollcall.gateway.jobs.cut");
    callsCut = registry.counter("rollcall.gateway.calls.cut");
    rollFailures = registry.counter("rollcall.gateway.roll.failures");
  }

  private static int contested(Set<NodeSession> open) {
    return open.stream().mapToInt(NodeSession::contested).sum();
  }
}
