package dev.rollcall.gateway.route;

import dev.rollcall.proto.v1.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumSet;
import java.util.Locale;

/** Counts messages on the routes. */
final class RouteMeters {
  final Counter announcedHere;
  final Counter announcedElsewhere;
  final Counter announcedToNobody;
  final Counter undelivered;
  final Counter found;
  final Counter unknown;
  final Counter unreachable;
  final Counter nodesAsked;
  final Counter callsUnwatched;
  final Counter adoptionsUnwatched;
  final Timer identify;
  private final MeterRegistry registry;

  RouteMeters(MeterRegistry registry) {
    this.registry = registry;
    announcedHere = registry.counter("rollcall.gateway.announcements", "way", "here");
    announcedElsewhere = registry.counter("rollcall.gateway.announcements", "way", "elsewhere");
    announcedToNobody = registry.counter("rollcall.gateway.announcements", "way", "nobody");
    undelivered = registry.counter("rollcall.gateway.messages.undelivered");
    found = registry.counter("rollcall.gateway.answers", "answer", "found");
    unknown = registry.counter("rollcall.gateway.answers", "answer", "unknown");
    unreachable = registry.counter("rollcall.gateway.answers", "answer", "unreachable");
    nodesAsked = registry.counter("rollcall.gateway.nodes.asked");
    callsUnwatched = registry.counter("rollcall.gateway.calls.unwatched");
    adoptionsUnwatched = registry.counter("rollcall.gateway.adoptions.unwatched");
    identify = registry.timer("rollcall.gateway.identify");
    // From the start: increase() does not count the first event of a series that begins with it.
    for (Outcome outcome : EnumSet.range(Outcome.OUTCOME_ADOPTED, Outcome.OUTCOME_FAILED)) {
      adoptions(outcome);
    }
  }

  void adoption(Outcome outcome) {
    adoptions(outcome).increment();
  }

  private Counter adoptions(Outcome outcome) {
    return registry.counter("rollcall.gateway.adoptions", "outcome", word(outcome));
  }

  /** {@code stepped-aside}. */
  private static String word(Outcome outcome) {
    String word = outcome.name().substring("OUTCOME_".length());
    return word.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
