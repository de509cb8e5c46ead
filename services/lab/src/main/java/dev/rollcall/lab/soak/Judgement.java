package dev.rollcall.lab.soak;

import dev.rollcall.lab.soak.Planned.Login;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a login ended as it must. The PAM line says {@code action_unknown=deny}, so a session is
 * in the job that it came from, or in the only one that there was, or it was refused: where there
 * was one job all the while, it is not.
 *
 * @param deadlineMillis a login that takes longer hung
 */
record Judgement(JobBook book, long deadlineMillis) {
  /** What became of a login. */
  sealed interface Seen {
    /** It is in a job, or in none: "job 7", or the cgroup that is no job's. */
    record Inside(String place) implements Seen {}

    /** PAM refused it; with what words. */
    record Refused(String words) implements Seen {}

    /** It did not come so far, as sshd was not reached or the connection broke. */
    record NotReached(String words) implements Seen {}
  }

  /**
   * @param began when ssh was started, milliseconds of the soak
   * @param told when its session told where it is, or ssh ended
   * @param troubled whether a fault, or its aftermath, or the end of a job explains that it did not
   *     arrive
   */
  Optional<Violation> of(Login login, Seen seen, long began, long told, boolean troubled) {
    String about = "session %d of %s".formatted(login.number(), login.user().login());
    if (told - began > deadlineMillis) {
      return Optional.of(
          new Violation(
              "deadline",
              told,
              about,
              "an answer within " + deadlineMillis + " ms",
              "%d ms, then %s".formatted(told - began, seen)));
    }
    return switch (seen) {
      case Seen.Inside(String place) -> placed(login, place, began, told, about);
      case Seen.Refused(String words) -> refused(login, words, began, told, about);
      case Seen.NotReached(String words) ->
          troubled
              ? Optional.empty()
              : Optional.of(new Violation("reached", told, about, "a session or a refusal", words));
    };
  }

  /** Whoever has one job needs no agent to be let in, so no fault explains that they are not. */
  private Optional<Violation> refused(
      Login login, String words, long began, long told, String about) {
    if (words.isBlank()) {
      return Optional.of(new Violation("reason", told, about, "a reason", words));
    }
    Set<Long> certain = book.certain(login.to(), login.user(), began, told);
    boolean hasOne =
        certain.size() == 1 && book.possible(login.to(), login.user(), began, told).equals(certain);
    return hasOne
        ? Optional.of(
            new Violation(
                "refused",
                told,
                about,
                "the only job, %s, on %s".formatted(certain, login.to().name()),
                words))
        : Optional.empty();
  }

  private Optional<Violation> placed(
      Login login, String place, long began, long told, String about) {
    Set<Long> possible = book.possible(login.to(), login.user(), began, told);
    Set<Long> certain = book.certain(login.to(), login.user(), began, told);
    Optional<Long> job =
        place.startsWith("job ") ? Optional.of(Long.valueOf(place.substring(4))) : Optional.empty();
    Optional<Long> own = login.job().filter(certain::contains);
    boolean right =
        job.isPresent()
            && possible.contains(job.get())
            && (own.isPresent()
                ? job.equals(own)
                // Another was open all the while: then nobody could tell, and it is refused.
                : login.job().equals(job) || certain.stream().allMatch(job.get()::equals));
    String expected =
        own.map(id -> "job " + id).orElse(certain.size() > 1 ? "a refusal" : "one of " + possible);
    return right
        ? Optional.empty()
        : Optional.of(
            new Violation("job", told, about, expected + " on " + login.to().name(), place));
  }
}
