package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.OwnSession;
import dev.rollcall.cli.ask.OwnSession.Seen;
import dev.rollcall.cli.ask.ProcProcesses;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.Process;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Moves this session's processes, one call each.
 *
 * @param self the pid of this command, which ends and need not be moved
 */
record SessionMove(ProcProcesses processes, int self) {
  /** What forks while it is moved has a child that is seen in the next round. */
  private static final int ROUNDS = 8;

  /** A process that stays where it was, and why. */
  record Left(Seen process, String why) {}

  /** What was moved and what not. */
  record Moved(JobId into, List<Seen> moved, List<Left> left, boolean whole) {
    String text() {
      List<String> lines = new ArrayList<>();
      lines.add(
          moved.isEmpty()
              ? "nothing of this session was moved into job " + into
              : "moved into job "
                  + into
                  + moved.stream()
                      .map(SessionMove::name)
                      .collect(Collectors.joining(", ", ": ", "")));
      left.forEach(each -> lines.add("not moved: " + name(each.process()) + ": " + each.why()));
      if (!moved.isEmpty()) {
        lines.add(
            "Processes that they start from now on are in job "
                + into
                + ". Their variables (SLURM_JOB_ID), rlimits and private directories are still"
                + " those from before.");
      }
      return String.join(System.lineSeparator(), lines);
    }

    JsonFields json() {
      return new JsonFields()
          .with("job", into.number())
          .with("moved", moved.stream().map(SessionMove::process).toList())
          .with(
              "left",
              left.stream().map(each -> process(each.process()).with("why", each.why())).toList());
    }
  }

  private static String name(Seen process) {
    return process.process().pid() + " (" + TerminalText.of(process.command()) + ")";
  }

  private static JsonFields process(Seen process) {
    return new JsonFields()
        .with("pid", process.process().pid())
        .with("start_time", process.process().startTime())
        .with("command", process.command());
  }

  /**
   * @throws StatusRuntimeException if the agent refuses and nothing was moved
   */
  Moved into(JobId job, Channel channel) {
    Seen own =
        processes
            .of(self)
            .orElseThrow(
                () -> new CommandFailure(ExitCode.FAILED, "/proc does not show this process"));
    List<Seen> moved = new ArrayList<>();
    List<Left> left = new ArrayList<>();
    Set<ProcessRef> tried = new HashSet<>();
    boolean whole = true;
    for (int round = 0; round < ROUNDS; round++) {
      List<Seen> more =
          OwnSession.of(own, seen()).stream().filter(each -> tried.add(each.process())).toList();
      if (more.isEmpty()) {
        break;
      }
      for (Seen each : more) {
        whole &= one(each, own, job, channel, moved, left);
      }
    }
    return new Moved(job, moved, left, whole);
  }

  private List<Seen> seen() {
    try {
      return processes.all();
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot read /proc: " + e.getMessage(), e);
    }
  }

  /** Another user's process, such as sshd's, is not ours to move; false if ours did not go. */
  private boolean one(
      Seen each, Seen own, JobId job, Channel channel, List<Seen> moved, List<Left> left) {
    if (own.uid() != 0 && each.uid() != own.uid()) {
      left.add(new Left(each, "it is not yours"));
      return true;
    }
    var process =
        Process.newBuilder().setPid(each.process().pid()).setStartTime(each.process().startTime());
    var request = AdoptRequest.newBuilder().setJobId(job.number()).setProcess(process).build();
    try {
      var _ = AdoptionServiceGrpc.newBlockingStub(channel).adopt(request);
      moved.add(each);
      return true;
    } catch (StatusRuntimeException e) {
      return refused(e, each, moved, left);
    }
  }

  private boolean refused(StatusRuntimeException e, Seen each, List<Seen> moved, List<Left> left) {
    boolean ended =
        processes
            .of(each.process().pid())
            .filter(now -> now.process().equals(each.process()))
            .isEmpty();
    if (ended) {
      return true;
    }
    if (e.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
      left.add(new Left(each, "it runs with other rights than yours"));
      return true;
    }
    if (moved.isEmpty()) {
      throw e;
    }
    left.add(new Left(each, String.valueOf(e.getStatus().getDescription())));
    return false;
  }
}
