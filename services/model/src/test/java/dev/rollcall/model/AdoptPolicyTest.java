package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.AdoptOptions.ActionUnknown;
import dev.rollcall.model.Decision.Adopt;
import dev.rollcall.model.Decision.Allow;
import dev.rollcall.model.Decision.AskCaller;
import dev.rollcall.model.Decision.Deny;
import dev.rollcall.model.Decision.Offer;
import dev.rollcall.model.Decision.StepAside;
import dev.rollcall.model.Decision.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdoptPolicyTest {
  static final int ALICE = 2001;
  static final int BOB = 2002;
  static final Instant EARLY = Instant.parse("2026-11-20T08:00:00Z");

  static Job job(long id, int uid, int minute, JobState state) {
    return new Job(new JobId(id), uid, uid, EARLY.plusSeconds(60L * minute), state);
  }

  static final Job OLDER = job(41, ALICE, 0, JobState.OPEN);
  static final Job NEWER = job(40, ALICE, 5, JobState.OPEN);
  static final Job BOBS = job(50, BOB, 9, JobState.OPEN);

  static CallerAnswer from(Membership membership) {
    return new CallerAnswer.Found(
        new Caller("c", new NodeName("node1"), membership, ALICE, new ProcessRef(7, 1), EARLY));
  }

  static CallerAnswer fromJob(long id) {
    return from(new Membership.InJob(new JobStep(new JobId(id), StepId.of(0))));
  }

  static final CallerAnswer NO_JOB = from(new Membership.NoJob());
  static final CallerAnswer UNKNOWN = new CallerAnswer.Unknown("no such call");
  static final CallerAnswer UNREACHABLE =
      new CallerAnswer.Unreachable("gateway g:1 is unreachable");

  static AdoptPolicy.Session session(int uid, List<Job> jobs, CallerAnswer... caller) {
    return new AdoptPolicy.Session(
        "sshd", uid, jobs, Optional.empty(), List.of(caller).stream().findFirst());
  }

  static Decision decide(String options, AdoptPolicy.Session session) {
    return AdoptPolicy.decide(
        PamLine.options(options.isEmpty() ? List.of() : List.of(options.split(" "))), session);
  }

  private static final String CHOOSE =
      ". Choose one: rollcall ssh 41, or on this node rollcall switch --next 41";

  /** The caller is known, and in neither job. */
  static final Deny FROM_NEITHER =
      new Deny(
          Reason.CALLER_ELSEWHERE, "you have 2 jobs here (41, 40), and came from neither" + CHOOSE);

  /** The caller is not known. */
  static final Deny FROM_UNKNOWN =
      new Deny(
          Reason.CALLER_UNKNOWN,
          "you have 2 jobs here (41, 40), and it is not known from which you came" + CHOOSE);

  @Nested
  class Exemptions {
    @Test
    void rootStepsAsideEvenWithAJob() {
      Job roots = job(9, 0, 0, JobState.OPEN);
      assertEquals(new StepAside(Reason.ROOT), decide("", session(0, List.of(roots))));
    }

    @Test
    void rootIsTreatedLikeAnyoneWhenTheSiteSaysSo() {
      Job roots = job(9, 0, 0, JobState.OPEN);
      assertEquals(
          new Adopt(roots.id(), Reason.ONLY_JOB),
          decide("ignore_root=0", session(0, List.of(roots))));
    }

    @Test
    void anotherServiceStepsAsideBeforeRootIsLookedAt() {
      var session =
          new AdoptPolicy.Session("login", 0, List.of(), Optional.empty(), Optional.empty());
      assertEquals(new StepAside(Reason.OTHER_SERVICE), decide("", session));
    }

    @Test
    void aStarMeansEveryService() {
      var session =
          new AdoptPolicy.Session(
              "login", ALICE, List.of(OLDER), Optional.empty(), Optional.empty());
      assertEquals(new Adopt(OLDER.id(), Reason.ONLY_JOB), decide("service=*", session));
    }
  }

  @Nested
  class WithoutAJob {
    static final Deny NO_JOBS =
        new Deny(Reason.NO_JOBS, "you have no active jobs on this node, or one is still starting");

    @Test
    void isRefusedAtOnce() {
      assertEquals(NO_JOBS, decide("", session(ALICE, List.of())));
      assertEquals(NO_JOBS, decide("action_no_jobs=deny", session(ALICE, List.of(BOBS))));
    }

    @Test
    void stepsAsideWhereTheSiteIgnoresIt() {
      assertEquals(
          new StepAside(Reason.NO_JOBS),
          decide("action_no_jobs=ignore", session(ALICE, List.of(BOBS))));
    }

    @Test
    void waitsForAJobThatIsBeginning() {
      Job beginning = job(60, ALICE, 0, JobState.BEGINNING);
      assertEquals(
          new Wait(beginning.id(), new Deny(Reason.JOB_STARTING, "job 60 is starting, try again")),
          decide("action_no_jobs=ignore", session(ALICE, List.of(beginning, BOBS))));
    }

    @Test
    void aJobThatIsEndingIsNoJob() {
      assertEquals(NO_JOBS, decide("", session(ALICE, List.of(OLDER.in(JobState.CLOSING)))));
      assertEquals(NO_JOBS, decide("", session(ALICE, List.of(OLDER.in(JobState.CLOSED)))));
    }
  }

  /** What a call from a login node asks for. */
  @Nested
  class WithACallThatAsksForAJob {
    private final List<Job> two = List.of(OLDER, NEWER, BOBS);

    private CallerAnswer askingFor(long job, int uid, Membership from) {
      return new CallerAnswer.Found(
          new Caller(
              "c",
              new NodeName("login"),
              from,
              uid,
              new ProcessRef(7, 1),
              EARLY,
              Optional.of(new JobId(job))));
    }

    private CallerAnswer askingFor(long job) {
      return askingFor(job, ALICE, new Membership.NoJob());
    }

    @Test
    void entersIt() {
      assertEquals(
          new Adopt(OLDER.id(), Reason.CHOSEN_JOB),
          decide("action_unknown=deny", session(ALICE, two, askingFor(41))));
      assertEquals(
          new Adopt(NEWER.id(), Reason.CHOSEN_JOB),
          decide("action_unknown=deny", session(ALICE, two, askingFor(40))));
      assertEquals("", AdoptPolicy.doubt(session(ALICE, two, askingFor(41))));
    }

    @Test
    void neverEntersAnothersNorOneThatIsNotHere() {
      for (long job : List.of(50L, 99L)) {
        var session = session(ALICE, two, askingFor(job));
        assertEquals(FROM_NEITHER, decide("action_unknown=deny", session));
        assertEquals(
            "job %d, for which the caller asks, is not an open job of this user here"
                .formatted(job),
            AdoptPolicy.doubt(session));
      }
    }

    @Test
    void anotherUsersWishIsNotFollowed() {
      var session = session(ALICE, two, askingFor(41, BOB, new Membership.NoJob()));
      assertEquals(FROM_NEITHER, decide("action_unknown=deny", session));
      assertEquals(
          "the caller on login asks for job 41, as another user", AdoptPolicy.doubt(session));
    }

    @Test
    void fromWithinAJobTheCallIsThatJobs() {
      var from = new Membership.InJob(new JobStep(NEWER.id(), StepId.EXTERN));
      assertEquals(
          new Adopt(NEWER.id(), Reason.CALLER_JOB),
          decide("action_unknown=deny", session(ALICE, two, askingFor(41, ALICE, from))));
    }

    @Test
    void isRefusedWhileThatJobIsSuspended() {
      var suspended = List.of(OLDER.in(JobState.SUSPENDED), NEWER);
      assertEquals(
          new Deny(Reason.JOB_SUSPENDED, "job 41 is suspended"),
          decide("", session(ALICE, suspended, askingFor(41))));
    }
  }

  @Nested
  class WithOneJob {
    @Test
    void entersItWhateverTheCallerIs() {
      for (CallerAnswer answer : List.of(fromJob(99), NO_JOB, UNKNOWN, UNREACHABLE)) {
        assertEquals(
            new Adopt(OLDER.id(), Reason.ONLY_JOB),
            decide("action_unknown=deny", session(ALICE, List.of(OLDER, BOBS), answer)));
      }
      assertEquals(
          new Adopt(OLDER.id(), Reason.ONLY_JOB), decide("", session(ALICE, List.of(OLDER, BOBS))));
    }

    @Test
    void isRefusedWhileTheJobIsSuspended() {
      assertEquals(
          new Deny(Reason.JOB_SUSPENDED, "job 41 is suspended"),
          decide("", session(ALICE, List.of(OLDER.in(JobState.SUSPENDED)))));
    }

    @Test
    void aBeginningOrEndingOneBesideItChangesNothing() {
      assertEquals(
          new Adopt(OLDER.id(), Reason.ONLY_JOB),
          decide(
              "",
              session(
                  ALICE,
                  List.of(
                      OLDER, NEWER.in(JobState.CLOSING), job(70, ALICE, 9, JobState.BEGINNING)))));
    }
  }

  @Nested
  class WithSeveralJobs {
    static final List<Job> HERE = List.of(NEWER, OLDER, BOBS);

    @Test
    void asksForTheCallerFirst() {
      assertEquals(new AskCaller(), decide("", session(ALICE, HERE)));
    }

    @Test
    void followsTheCallerIntoItsJob() {
      assertEquals(
          new Adopt(OLDER.id(), Reason.CALLER_JOB), decide("", session(ALICE, HERE, fromJob(41))));
      assertEquals(
          new Adopt(NEWER.id(), Reason.CALLER_JOB), decide("", session(ALICE, HERE, fromJob(40))));
    }

    @Test
    void neverFollowsTheCallerIntoAJobOfAnotherUser() {
      assertEquals(
          new Adopt(NEWER.id(), Reason.CALLER_ELSEWHERE),
          decide("", session(ALICE, HERE, fromJob(BOBS.id().number()))));
    }

    @ParameterizedTest
    @EnumSource(ActionUnknown.class)
    void fallsToActionUnknownWheneverTheCallerCannotTell(ActionUnknown action) {
      Decision expected =
          switch (action) {
            case NEWEST -> new Adopt(NEWER.id(), Reason.NEWEST_JOB);
            case ALLOW -> new Allow(Reason.CALLER_UNKNOWN);
            case DENY -> FROM_UNKNOWN;
          };
      for (CallerAnswer answer : List.of(UNKNOWN, UNREACHABLE)) {
        assertEquals(expected, decide("action_unknown=" + action, session(ALICE, HERE, answer)));
      }
      for (CallerAnswer answer : List.of(fromJob(99), fromJob(50), NO_JOB)) {
        Decision elsewhere =
            switch (action) {
              case NEWEST -> new Adopt(NEWER.id(), Reason.CALLER_ELSEWHERE);
              case ALLOW -> new Allow(Reason.CALLER_ELSEWHERE);
              case DENY -> FROM_NEITHER;
            };
        assertEquals(elsewhere, decide("action_unknown=" + action, session(ALICE, HERE, answer)));
      }
    }

    @Test
    void areNamedInTheRefusalUpToSixWithOneThatIsOpen() {
      List<Job> many = new ArrayList<>(List.of(job(1, ALICE, 1, JobState.SUSPENDED)));
      for (long id = 2; id <= 7; id++) {
        many.add(job(id, ALICE, (int) id, JobState.OPEN));
      }
      assertEquals(
          new Deny(
              Reason.CALLER_ELSEWHERE,
              "you have 7 jobs here (1, 2, 3, 4, 5, 6, ...), and came from none of them. Choose"
                  + " one: rollcall ssh 2, or on this node rollcall switch --next 2"),
          decide("action_unknown=deny", session(ALICE, many, NO_JOB)));
    }

    @ParameterizedTest
    @EnumSource(ActionUnknown.class)
    void areOfferedWhereNothingElseDecidesAndTheUserMayBeAsked(ActionUnknown action) {
      for (CallerAnswer answer : List.of(fromJob(99), fromJob(50), NO_JOB, UNKNOWN, UNREACHABLE)) {
        Decision otherwise = decide("action_unknown=" + action, session(ALICE, HERE, answer));
        assertEquals(
            new Offer(List.of(NEWER, OLDER), otherwise),
            decide("choose=1 action_unknown=" + action, session(ALICE, HERE, answer)));
      }
    }

    @Test
    void areNotOfferedWhereTheCallerOrAChoiceDecides() {
      assertEquals(new AskCaller(), decide("choose=1", session(ALICE, HERE)));
      assertEquals(
          new Adopt(OLDER.id(), Reason.CALLER_JOB),
          decide("choose=1", session(ALICE, HERE, fromJob(41))));
      var chosen =
          new AdoptPolicy.Session("sshd", ALICE, HERE, Optional.of(OLDER.id()), Optional.empty());
      assertEquals(new Adopt(OLDER.id(), Reason.CHOSEN_JOB), decide("choose=1", chosen));
      assertEquals(
          new Adopt(OLDER.id(), Reason.ONLY_JOB),
          decide("choose=1", session(ALICE, List.of(OLDER, BOBS), UNKNOWN)));
    }

    @Test
    void areOfferedAgainWhenTheChosenOneIsNotTheirsOrNotHere() {
      for (long id : new long[] {BOBS.id().number(), 999}) {
        var session =
            new AdoptPolicy.Session(
                "sshd", ALICE, HERE, Optional.of(new JobId(id)), Optional.of(UNKNOWN));
        assertEquals(
            List.of(NEWER, OLDER),
            assertInstanceOf(Offer.class, decide("choose=1", session)).newestFirst());
        assertEquals(new Adopt(NEWER.id(), Reason.NEWEST_JOB), decide("", session));
      }
    }

    @Test
    void newestIsByStartThenById() {
      Job twin = job(43, ALICE, 5, JobState.OPEN);
      assertEquals(
          new Adopt(twin.id(), Reason.NEWEST_JOB),
          decide("", session(ALICE, List.of(twin, NEWER, OLDER), UNKNOWN)));
    }

    @Test
    void theUsersOwnChoiceComesBeforeTheCaller() {
      var session =
          new AdoptPolicy.Session(
              "sshd", ALICE, HERE, Optional.of(OLDER.id()), Optional.of(fromJob(40)));
      assertEquals(new Adopt(OLDER.id(), Reason.CHOSEN_JOB), decide("", session));
    }

    @Test
    void aChoiceThatIsNotTheirsOrNotHereIsNoChoice() {
      for (long id : new long[] {BOBS.id().number(), 999}) {
        var session =
            new AdoptPolicy.Session(
                "sshd", ALICE, HERE, Optional.of(new JobId(id)), Optional.of(fromJob(41)));
        assertEquals(new Adopt(OLDER.id(), Reason.CALLER_JOB), decide("", session));
      }
    }

    @Test
    void isRefusedWhenTheCallersJobIsSuspended() {
      assertEquals(
          new Deny(Reason.JOB_SUSPENDED, "job 41 is suspended"),
          decide("", session(ALICE, List.of(OLDER.in(JobState.SUSPENDED), NEWER), fromJob(41))));
    }

    @Test
    void namesWhyTheCallerCouldNotTell() {
      assertEquals(
          "gateway g:1 is unreachable", AdoptPolicy.doubt(session(ALICE, HERE, UNREACHABLE)));
      assertEquals(
          "the caller on node1 is in no job", AdoptPolicy.doubt(session(ALICE, HERE, NO_JOB)));
      assertEquals(
          "the caller's job 50 is not an open job of this user here",
          AdoptPolicy.doubt(session(ALICE, HERE, fromJob(50))));
      assertEquals("", AdoptPolicy.doubt(session(ALICE, HERE, fromJob(41))));
      assertEquals("", AdoptPolicy.doubt(session(ALICE, HERE)));
    }
  }

  @Nested
  class AfterAFailedAdoption {
    @Test
    void followsActionAdoptFailure() {
      assertEquals(
          new Deny(Reason.ADOPT_FAILURE, "failed to enter job 41"),
          AdoptPolicy.afterFailedAdoption(AdoptOptions.DEFAULTS, OLDER.id()));
      assertEquals(
          new Allow(Reason.ADOPT_FAILURE),
          AdoptPolicy.afterFailedAdoption(
              PamLine.options(List.of("action_adopt_failure=allow")), OLDER.id()));
    }
  }

  /**
   * Every combination of options, states and answers has a decision, and none lets a session into a
   * job that is not the user's own and open.
   */
  @Test
  void noCombinationEverLeadsIntoAForeignOrClosedJob() {
    List<Optional<CallerAnswer>> answers = new ArrayList<>(List.of(Optional.empty()));
    for (CallerAnswer answer :
        List.of(fromJob(41), fromJob(40), fromJob(50), NO_JOB, UNKNOWN, UNREACHABLE)) {
      answers.add(Optional.of(answer));
    }
    int adopted = 0;
    int cells = 0;
    for (AdoptOptions options : everyOption()) {
      for (JobState first : JobState.values()) {
        for (JobState second : JobState.values()) {
          List<Job> here = List.of(OLDER.in(first), NEWER.in(second), BOBS);
          for (Optional<CallerAnswer> answer : answers) {
            for (Optional<JobId> chosen :
                List.of(Optional.<JobId>empty(), Optional.of(OLDER.id()), Optional.of(BOBS.id()))) {
              cells++;
              var session = new AdoptPolicy.Session("sshd", ALICE, here, chosen, answer);
              Decision decision = AdoptPolicy.decide(options, session);
              if (decision instanceof Offer(List<Job> newestFirst, Decision otherwise)) {
                assertTrue(options.choose());
                assertEquals(List.of(NEWER.in(second), OLDER.in(first)), newestFirst);
                assertEquals(AdoptPolicy.decide(options.withoutChoosing(), session), otherwise);
                decision = otherwise;
              }
              if (decision instanceof Adopt(JobId into, Reason _)) {
                adopted++;
                Job job = here.stream().filter(j -> j.id().equals(into)).findFirst().orElseThrow();
                assertEquals(ALICE, job.uid());
                assertEquals(JobState.OPEN, job.state());
              }
            }
          }
        }
      }
    }
    assertEquals(2 * 3 * 2 * 2 * 2 * 25 * 7 * 3, cells);
    assertTrue(adopted > cells / 10, () -> "the table hardly adopts");
  }

  private static List<AdoptOptions> everyOption() {
    var all = new ArrayList<AdoptOptions>();
    for (String noJobs : List.of("deny", "ignore")) {
      for (String unknown : List.of("newest", "allow", "deny")) {
        for (String failure : List.of("deny", "allow")) {
          for (String skip : List.of("0", "1")) {
            for (String choose : List.of("0", "1")) {
              all.add(
                  PamLine.options(
                      List.of(
                          "action_no_jobs=" + noJobs,
                          "action_unknown=" + unknown,
                          "action_adopt_failure=" + failure,
                          "single_job_skip_rpc=" + skip,
                          "choose=" + choose)));
            }
          }
        }
      }
    }
    assertFalse(all.isEmpty());
    return all;
  }
}
