package dev.rollcall.agent.adopt;

import dev.rollcall.agent.event.AdoptionDecided;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorAnswer.Outcome;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Reason;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** What the door is told of a decision that was carried out. */
final class Answers {
  private static final int LONGEST_DOUBT = 200;

  private final SessionRules rules;

  Answers(SessionRules rules) {
    this.rules = rules;
  }

  DoorAnswer adopted(AdoptionDecided decided, Adopted adopted, String id) {
    String word = decided.decision().reason().word();
    boolean limited = rules.limits() && decided.request().phase() == Phase.OPEN_SESSION;
    return new DoorAnswer(
        Outcome.ADOPTED,
        "",
        Optional.of(adopted.step().job()),
        adopted.hierarchy(),
        adopted.cgroup(),
        new DoorAnswer.Gifts(
            environment(decided, adopted, id),
            adopted.setup().gid(),
            limited ? adopted.setup().rlimits() : List.of()),
        id,
        word);
  }

  private SequencedMap<String, String> environment(
      AdoptionDecided decided, Adopted adopted, String id) {
    String word = decided.decision().reason().word();
    var environment = new LinkedHashMap<String, String>();
    environment.put("SLURM_JOB_ID", adopted.step().job().toString());
    environment.put("ROLLCALL_REASON", word);
    environment.put("ROLLCALL_ADOPTION", id);
    if (!decided.doubt().isEmpty()) {
      environment.put("ROLLCALL_DOUBT", oneLine(decided.doubt()));
    }
    rules.environment().of(adopted.setup().environment()).forEach(environment::putIfAbsent);
    if (!decided.request().options().disableX11()) {
      environment.putAll(adopted.setup().display());
    }
    return environment;
  }

  /** For a decision that moves nothing. */
  static DoorAnswer unmoved(Decision decision, String id) {
    String word = decision.reason().word();
    return switch (decision) {
      case Decision.Allow _ -> DoorAnswer.without(Outcome.ALLOWED, "", id, word);
      case Decision.Deny(_, String message) ->
          DoorAnswer.without(Outcome.DENIED, message, id, word);
      case Decision.StepAside _ -> DoorAnswer.without(Outcome.STEP_ASIDE, "", id, word);
      case Decision.Unenforced _ -> DoorAnswer.without(Outcome.STEP_ASIDE, "", id, word);
      case Decision.Adopt _, Decision.Wait _, Decision.AskCaller _, Decision.Offer _ ->
          throw new IllegalArgumentException(decision + " is not a decision that moves nothing");
    };
  }

  static DoorAnswer late(String id) {
    return DoorAnswer.without(
        Outcome.FAILED,
        "the time for this session ran out before it could be moved",
        id,
        Reason.GENERIC_FAILURE.word());
  }

  private static String oneLine(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST_DOUBT ? line : line.substring(0, LONGEST_DOUBT);
  }
}
