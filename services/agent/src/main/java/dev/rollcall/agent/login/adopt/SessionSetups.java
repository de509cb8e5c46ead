package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.Reason;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Makes what a session gets of its job, by the site's rules. */
record SessionSetups(SessionRules rules) {
  private static final int LONGEST_DOUBT = 200;

  SessionSetup of(
      AdoptionRequested request, Reason reason, String doubt, Adopted adopted, String id) {
    boolean limited = rules.limits() && request.phase() == Phase.OPEN_SESSION;
    return new SessionSetup(
        environment(request, reason, doubt, adopted, id),
        adopted.setup().gid(),
        limited ? adopted.setup().rlimits() : List.of(),
        Map.of());
  }

  private SequencedMap<String, String> environment(
      AdoptionRequested request, Reason reason, String doubt, Adopted adopted, String id) {
    var environment = new LinkedHashMap<String, String>();
    environment.put("SLURM_JOB_ID", adopted.step().job().toString());
    environment.put("ROLLCALL_REASON", reason.word());
    environment.put("ROLLCALL_ADOPTION", id);
    if (!doubt.isEmpty()) {
      environment.put("ROLLCALL_DOUBT", oneLine(doubt));
    }
    rules.environment().of(adopted.setup().environment()).forEach(environment::putIfAbsent);
    if (!request.options().disableX11()) {
      environment.putAll(adopted.setup().display());
    }
    return environment;
  }

  /**
   * The same with more variables. They come first, as those that do not fit a reply are left out at
   * its end.
   */
  static SessionSetup with(SessionSetup setup, Map<String, String> more) {
    SequencedMap<String, String> environment = new LinkedHashMap<>(setup.environment());
    more.forEach(environment::putFirst);
    return new SessionSetup(environment, setup.gid(), setup.rlimits(), setup.display());
  }

  static String oneLine(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST_DOUBT ? line : line.substring(0, LONGEST_DOUBT);
  }
}
