package dev.rollcall.agent.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicInteger;

/** What attend counts. */
final class GatewayConnectionMeters {
  final AtomicInteger attending = new AtomicInteger();
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
  final Timer questions;
  private final MeterRegistry registry;

  GatewayConnectionMeters(MeterRegistry registry) {
    this.registry = registry;
    registry.gauge("rollcall.attend.attending", attending);
    streams = registry.counter("rollcall.attend.streams");
    announced = registry.counter("rollcall.attend.announcements", "sent", "yes");
    withheld = registry.counter("rollcall.attend.announcements", "sent", "no");
    withdrawn = registry.counter("rollcall.attend.withdrawals", "sent", "yes");
    notWithdrawn = registry.counter("rollcall.attend.withdrawals", "sent", "no");
    adoptionsTold = registry.counter("rollcall.attend.adoptions.told", "sent", "yes");
    adoptionsLeftOut = registry.counter("rollcall.attend.adoptions.told", "sent", "no");
    answered = registry.counter("rollcall.attend.answers");
    badOrders = registry.counter("rollcall.attend.orders.bad");
    factsAsked = registry.counter("rollcall.attend.facts.asked");
    factsTaken = registry.counter("rollcall.attend.facts", "taken", "yes");
    factsLeft = registry.counter("rollcall.attend.facts", "taken", "no");
    questions = registry.timer("rollcall.attend.questions.time");
  }

  void told(String kind) {
    registry.counter("rollcall.attend.jobs.told", "kind", kind).increment();
  }
}
