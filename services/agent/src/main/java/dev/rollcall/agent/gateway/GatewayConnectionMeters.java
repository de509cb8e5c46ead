package dev.rollcall.agent.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of the connection to a gateway. */
final class GatewayConnectionMeters {
  final AtomicInteger connected = new AtomicInteger();
  final AtomicInteger refusedAddresses = new AtomicInteger();
  final Counter streams;
  final Counter announced;
  final Counter withheld;
  final Counter withdrawn;
  final Counter notWithdrawn;
  final Counter adoptionsTold;
  final Counter adoptionsLeftOut;
  final Counter answered;
  final Counter badOrders;
  final Counter factsAsked;
  final Counter factsTaken;
  final Counter factsLeft;
  final Counter jobsWhole;
  final Counter jobsChanged;
  final Counter jobsGone;
  final Timer questions;

  /**
   * @param gateways that the agent knows, which has to be kept elsewhere
   */
  GatewayConnectionMeters(MeterRegistry registry, List<GatewayTarget> gateways) {
    registry.gauge("rollcall.stream.gateways", gateways, List::size);
    registry.gauge("rollcall.stream.connected", connected);
    registry.gauge("rollcall.stream.addresses.refused", refusedAddresses);
    streams = registry.counter("rollcall.stream.opened");
    announced = registry.counter("rollcall.stream.announcements", "sent", "yes");
    withheld = registry.counter("rollcall.stream.announcements", "sent", "no");
    withdrawn = registry.counter("rollcall.stream.withdrawals", "sent", "yes");
    notWithdrawn = registry.counter("rollcall.stream.withdrawals", "sent", "no");
    adoptionsTold = registry.counter("rollcall.stream.adoptions.sent", "sent", "yes");
    adoptionsLeftOut = registry.counter("rollcall.stream.adoptions.sent", "sent", "no");
    answered = registry.counter("rollcall.stream.answers");
    badOrders = registry.counter("rollcall.stream.orders.bad");
    factsAsked = registry.counter("rollcall.stream.facts.asked");
    factsTaken = registry.counter("rollcall.stream.facts", "taken", "yes");
    factsLeft = registry.counter("rollcall.stream.facts", "taken", "no");
    jobsWhole = registry.counter("rollcall.stream.jobs.sent", "kind", "whole");
    jobsChanged = registry.counter("rollcall.stream.jobs.sent", "kind", "change");
    jobsGone = registry.counter("rollcall.stream.jobs.sent", "kind", "gone");
    questions = registry.timer("rollcall.stream.questions.time");
  }
}
