package dev.rollcall.agent.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Topic;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Decision;
import dev.rollcall.model.ProcessRef;
import java.util.HashSet;
import java.util.Set;

/**
 * Records decisions that are carried out, by whom ever: they are remembered at once, and published
 * in the lull after logins. On {@link AdoptVerticle}'s event loop.
 */
final class Recording {
  private static final System.Logger LOG = System.getLogger(Recording.class.getName());

  private final Bus bus;
  private final RecentAdoptions recent;
  private final Afterwards afterwards;
  private final AdoptMeters meters;
  private final Set<String> unpublished = new HashSet<>();

  Recording(Bus bus, RecentAdoptions recent, Afterwards afterwards, AdoptMeters meters) {
    this.bus = bus;
    this.recent = recent;
    this.afterwards = afterwards;
    this.meters = meters;
  }

  /** Who asks finds it at once; the rest of the telling can wait. */
  void record(Adoption adoption, ProcessRef process) {
    remember(adoption, process);
    publish(adoption);
  }

  /** Remembers one that is published later. */
  void remember(Adoption adoption, ProcessRef process) {
    recent.add(adoption, process);
    unpublished.add(adoption.id());
  }

  /** Publishes one that is remembered, as it is remembered by then. */
  void publish(Adoption adoption) {
    afterwards.leave(() -> {
      unpublished.remove(adoption.id());
      tell(recent.now(adoption));
    });
  }

  /**
   * Records a login that is refused although it was adopted, or that nobody could decide. An
   * adoption that was not published yet is published as this refusal.
   */
  void refused(Adoption adoption) {
    recent.replace(adoption);
    if (adoption.id().isEmpty() || !unpublished.contains(adoption.id())) {
      publish(adoption);
    }
  }

  /** Publishes all that is left, at once. */
  void finish() {
    afterwards.finish();
  }

  private void tell(Adoption adoption) {
    meters.told(adoption);
    bus.tell(topic(adoption), adoption);
    LOG.log(
        System.Logger.Level.INFO,
        "session {0} of uid {1}: {2} in {3} ms, {4}{5}{6}{7}",
        adoption.id(),
        Integer.toString(adoption.uid()),
        adoption.outcome(),
        Long.toString(adoption.took().toMillis()),
        adoption.reason().word(),
        adoption.job().map(step -> ", job " + step).orElse(""),
        adoption.doubt().isEmpty() ? "" : ", " + adoption.doubt(),
        adoption.would().map(Recording::would).orElse(""));
  }

  private static String would(Decision would) {
    return would instanceof Decision.Adopt(var job, _)
        ? ", only watched: would have been adopted into job " + job
        : ", only watched: would have been denied";
  }

  private static Topic<Adoption> topic(Adoption adoption) {
    return switch (adoption.outcome()) {
      case ADOPTED -> Topics.SESSION_ADOPTED;
      case ALLOWED, STEP_ASIDE -> Topics.SESSION_ALLOWED;
      case DENIED, FAILED -> Topics.SESSION_DENIED;
    };
  }
}
