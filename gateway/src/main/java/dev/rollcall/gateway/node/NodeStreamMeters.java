package dev.rollcall.gateway.node;

import dev.rollcall.gateway.stream.ConnectedNodes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

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

  NodeStreamMeters(MeterRegistry registry, ConnectedNodes nodes) {
    registry.gauge("rollcall.gateway.nodes", nodes, ConnectedNodes::count);
    welcomed = registry.counter("rollcall.gateway.streams", "event", "welcomed");
    refused = registry.counter("rollcall.gateway.streams", "event", "refused");
    ended = registry.counter("rollcall.gateway.streams", "event", "ended");
    events = registry.counter("rollcall.gateway.events");
    foreign = registry.counter("rollcall.gateway.events.foreign");
    cut = registry.counter("rollcall.gateway.jobs.cut");
    callsCut = registry.counter("rollcall.gateway.calls.cut");
    rollFailures = registry.counter("rollcall.gateway.roll.failures");
  }
}
