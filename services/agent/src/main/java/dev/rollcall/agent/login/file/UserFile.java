package dev.rollcall.agent.login.file;

import com.google.protobuf.ByteString;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.proto.login.v1.Ask;
import dev.rollcall.proto.login.v1.User;
import dev.rollcall.proto.login.v1.UserJob;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Writes a user's file within the bounds of login.options. */
final class UserFile {
  private static final int JOBS = 512;
  static final int CALLERS = 64;
  private static final long NANOS = 1_000_000_000;

  private UserFile() {}

  /** A job and whether the agent is to be asked about its sessions. */
  record Own(Job job, Ask ask) {}

  /**
   * A caller that is expected.
   *
   * @param connection as sshd sees it
   * @param job absent: the caller is in none and asks for none
   * @param chosen whether the call asks for the job; else the caller is in it
   * @param announcedNanos of CLOCK_BOOTTIME, as untilNanos
   */
  record Expected(
      Connection connection,
      Optional<JobId> job,
      boolean chosen,
      long announcedNanos,
      long untilNanos) {}

  /**
   * @param jobs of the user; at least one, and none is CLOSED
   * @param callers of a user with several jobs, the latest last
   */
  static User of(
      String bootId,
      int uid,
      Collection<Own> jobs,
      Optional<JobId> chosen,
      List<Expected> callers) {
    User.Builder file =
        User.newBuilder().setVersion(NodeFacts.VERSION).setBootId(bootId).setUid(uid);
    file.setComplete(true);
    chosen.ifPresent(job -> file.setChosenJobId(job.number()));
    if (jobs.size() > JOBS) {
      return file.setAsk(Ask.ASK_TOO_MANY_JOBS).build();
    }
    jobs.forEach(own -> file.addJobs(job(own)));
    int from = Math.max(0, callers.size() - CALLERS);
    callers.subList(from, callers.size()).forEach(caller -> file.addCallers(caller(caller)));
    return file.setMoreCallers(from > 0).build();
  }

  private static UserJob job(Own own) {
    UserJob.Builder job =
        UserJob.newBuilder()
            .setJobId(own.job().id().number())
            .setState(state(own.job().state()))
            .setAsk(own.ask());
    Optional<Long> start = nanos(own.job().startedAt());
    return start
        .map(nanos -> job.setStartedAtNs(nanos).build())
        .orElseGet(() -> job.setAsk(Ask.ASK_OUT_OF_BOUNDS).build());
  }

  /** Empty for a time before 1677 or after 2262. */
  private static Optional<Long> nanos(Instant time) {
    try {
      return Optional.of(
          Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS), time.getNano()));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  private static dev.rollcall.proto.login.v1.JobState state(JobState state) {
    return switch (state) {
      case BEGINNING -> dev.rollcall.proto.login.v1.JobState.JOB_STATE_BEGINNING;
      case OPEN -> dev.rollcall.proto.login.v1.JobState.JOB_STATE_OPEN;
      case SUSPENDED -> dev.rollcall.proto.login.v1.JobState.JOB_STATE_SUSPENDED;
      case CLOSING, CLOSED -> dev.rollcall.proto.login.v1.JobState.JOB_STATE_CLOSING;
    };
  }

  private static dev.rollcall.proto.login.v1.PendingCaller caller(Expected caller) {
    Endpoint local = caller.connection().local();
    Endpoint remote = caller.connection().remote();
    return dev.rollcall.proto.login.v1.PendingCaller.newBuilder()
        .setConnection(
            dev.rollcall.proto.login.v1.Connection.newBuilder()
                .setLocalAddress(ByteString.copyFrom(local.address().getAddress()))
                .setLocalPort(local.port())
                .setRemoteAddress(ByteString.copyFrom(remote.address().getAddress()))
                .setRemotePort(remote.port()))
        .setJobId(caller.job().map(JobId::number).orElse(0L))
        .setChosen(caller.chosen())
        .setAnnouncedAtNs(caller.announcedNanos())
        .setValidUntilNs(caller.untilNanos())
        .build();
  }
}
