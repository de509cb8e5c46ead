package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.log.LoginLogWriter;
import dev.rollcall.model.ProcessRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Records logins of agent and PAM module at once in the log of logins and in the history, and
 * publishes them when no login waits. On the event loop of logins.
 */
public final class AdoptionRecorder {
  private static final System.Logger LOG = System.getLogger(AdoptionRecorder.class.getName());

  private final Bus bus;
  private final LoginLogWriter log;
  private final AdoptionHistory history;
  private final IdleWork idle;
  private final AdoptionMeters meters;
  private final Set<String> unpublished = new HashSet<>();

  /**
   * @param log gets the logins that the agent carried out
   */
  public AdoptionRecorder(
      Bus bus, LoginLogWriter log, AdoptionHistory history, IdleWork idle, AdoptionMeters meters) {
    this.bus = bus;
    this.log = log;
    this.history = history;
    this.idle = idle;
    this.meters = meters;
  }

  /** Records a login that the agent carried out, before the PAM module has the answer. */
  void record(Adoption adoption, ProcessRef process) {
    log.append(adoption, process);
    remember(adoption, process);
    publish(adoption);
  }

  /** Puts a login into the history that is published later. */
  public void remember(Adoption adoption, ProcessRef process) {
    history.add(adoption, process);
    unpublished.add(adoption.id());
  }

  /** Counts a move that the PAM module made by the agent's decision. */
  public void moved(Duration took) {
    meters.moves.record(took);
  }

  /** Publishes a login of the history, as the history has it by then. */
  public void publish(Adoption adoption) {
    idle.leave(() -> {
      unpublished.remove(adoption.id());
      publishNow(history.now(adoption));
    });
  }

  /**
   * Corrects a login that ended otherwise in a later phase than it was recorded. If it was not
   * published yet, it is published as corrected only.
   */
  void correct(Adoption adoption) {
    history.replace(adoption);
    append(adoption.id());
    if (!unpublished.contains(adoption.id())) {
      publish(adoption);
    }
  }

  /**
   * Another process asked for the same session: with keyboard-interactive the one of the account
   * phase is gone by the session phase.
   */
  void asksAgain(String id, ProcessRef process) {
    history.asksAgain(id, process);
    append(id);
  }

  private void append(String id) {
    history.find(id).ifPresent(login -> log.append(login.adoption(), login.process()));
  }

  /** Publishes all that is left, at once. */
  public void finish() {
    idle.finish();
  }

  private void publishNow(Adoption adoption) {
    meters.recorded(adoption);
    bus.tell(Topics.ADOPTION_RECORDED, adoption);
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
        adoption.would().map(_ -> would(adoption)).orElse(""));
  }

  private static String would(Adoption adoption) {
    return adoption
        .wouldJob()
        .map(job -> ", audit-only: would have been adopted into job " + job)
        .orElse(", audit-only: would have been denied");
  }
}
