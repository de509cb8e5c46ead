package dev.rollcall.agent.login.file;

import static java.util.function.Predicate.not;

import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptOptions.ActionNoJobs;
import dev.rollcall.model.AdoptOptions.ActionUnknown;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Decision;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A login as a line of words, and what the policy makes of it. The words are explained in {@code
 * services/pam/contract/decisions}.
 */
record LoginCase(String line) {
  private static final int ALICE = 2001;
  private static final int BOB = 2002;
  private static final List<String> FACTS =
      List.of(
          "agent",
          "complete",
          "node-ask",
          "user-ask",
          "job",
          "others",
          "chosen",
          "caller",
          "answer",
          "connection");

  /** The policy's decision in the program's words; "ask" where it needs to know more. */
  String expected() {
    AdoptOptions options = options();
    boolean alive = !values("agent").contains("away");
    var session =
        new AdoptPolicy.Session(
            "sshd",
            ALICE,
            jobs(),
            values("chosen").stream().findFirst().map(JobId::parse),
            caller(alive));
    return words(AdoptPolicy.decide(alive ? options : options.withoutChoosing(), session));
  }

  private Stream<String> words() {
    return Arrays.stream(line.split(" ", -1)).filter(not(String::isEmpty));
  }

  private AdoptOptions options() {
    Map<String, String> given =
        words()
            .map(word -> word.split("=", 2))
            .filter(pair -> !FACTS.contains(pair[0]))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    AdoptOptions defaults = AdoptOptions.DEFAULTS;
    return new AdoptOptions(
        choice(given, "action_no_jobs", ActionNoJobs.class, defaults.actionNoJobs()),
        choice(given, "action_unknown", ActionUnknown.class, defaults.actionUnknown()),
        choice(
            given, "action_adopt_failure", ActionAdoptFailure.class, defaults.actionAdoptFailure()),
        defaults.actionGenericFailure(),
        defaults.ignoreRoot(),
        flag(given, "single_job_skip_rpc", defaults.singleJobSkipRpc()),
        defaults.disableX11(),
        defaults.joinContainer(),
        flag(given, "choose", defaults.choose()),
        defaults.service());
  }

  private static <E extends Enum<E>> E choice(
      Map<String, String> given, String name, Class<E> values, E otherwise) {
    String text = given.get(name);
    return text == null ? otherwise : Enum.valueOf(values, text.toUpperCase(Locale.ROOT));
  }

  private static boolean flag(Map<String, String> given, String name, boolean otherwise) {
    String text = given.get(name);
    return text == null ? otherwise : text.equals("1");
  }

  private List<String> values(String key) {
    String start = key + "=";
    return words()
        .filter(word -> word.startsWith(start))
        .map(word -> word.substring(start.length()))
        .toList();
  }

  private List<Job> jobs() {
    var jobs = new ArrayList<Job>();
    for (String value : values("job")) {
      String[] parts = value.split("/", -1);
      // A state that only a file can have: the module asks.
      JobState state =
          parts[1].equals("unspecified")
              ? JobState.OPEN
              : JobState.valueOf(parts[1].toUpperCase(Locale.ROOT));
      jobs.add(job(JobId.parse(parts[0]), ALICE, Long.parseLong(parts[2]), state));
    }
    for (String value : values("others")) {
      jobs.add(job(JobId.parse(value), BOB, 0, JobState.OPEN));
    }
    return jobs;
  }

  private static Job job(JobId id, int uid, long start, JobState state) {
    return new Job(id, uid, uid, Instant.ofEpochSecond(start), state);
  }

  /** What the agent knows of the caller, or would find if it were asked. */
  private Optional<CallerAnswer> caller(boolean alive) {
    List<String> callers =
        values("caller").stream().filter(not(it -> it.contains("/other"))).toList();
    boolean known = !values("connection").contains("unknown");
    if (known && callers.size() == 1 && callers.getFirst().split("/", -1).length == 2) {
      return Optional.of(found(callers.getFirst().split("/", -1)));
    }
    if (!alive) {
      return Optional.of(new CallerAnswer.Unreachable("the agent is away"));
    }
    return values("answer").stream().findFirst().map(LoginCase::answer);
  }

  private static CallerAnswer found(String[] parts) {
    if (parts[1].equals("none")) {
      return found(new Membership.NoJob(), Optional.empty());
    }
    JobId job = JobId.parse(parts[0]);
    return parts[1].equals("wish")
        ? found(new Membership.NoJob(), Optional.of(job))
        : found(new Membership.InJob(new JobStep(job, StepId.of(0))), Optional.empty());
  }

  private static CallerAnswer found(Membership membership, Optional<JobId> chosen) {
    var process = new ProcessRef(7, 1);
    return new CallerAnswer.Found(
        new Caller("c", new NodeName("node1"), membership, ALICE, process, Instant.EPOCH, chosen));
  }

  private static CallerAnswer answer(String word) {
    return switch (word) {
      case "unknown" -> new CallerAnswer.Unknown("no such call");
      case "unreachable" -> new CallerAnswer.Unreachable("no gateway");
      case "none" -> found(new Membership.NoJob(), Optional.empty());
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static String words(Decision decision) {
    String reason = decision.reason().word();
    return switch (decision) {
      case Decision.Adopt(JobId into, _) -> "join " + into + " " + reason;
      case Decision.Allow _ -> "allow " + reason;
      case Decision.Deny(_, String message) -> "refuse " + reason + ": " + message;
      case Decision.StepAside _ -> "aside " + reason;
      case Decision.AskCaller _, Decision.Wait _, Decision.Offer _, Decision.Unenforced _ -> "ask";
    };
  }
}
