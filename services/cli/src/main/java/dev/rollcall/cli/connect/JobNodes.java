package dev.rollcall.cli.connect;

import static java.util.stream.Collectors.joining;

import dev.rollcall.cli.ask.TargetOptions;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.Values;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the node of a job to which ssh is to go. */
record JobNodes(TargetOptions asking) {
  /**
   * A node on which the job is open.
   *
   * @param wanted absent: the first by name. Nodes that are connected come before others
   * @throws CommandFailure if the job is not there, or not open
   */
  NodeName find(JobId job, Optional<NodeName> wanted) {
    var request = GetRequest.newBuilder().setJobId(job.number()).build();
    GetResponse response = asking.jobs(service -> service.get(request));
    List<Job> found =
        response.getJobsList().stream()
            .sorted(Comparator.comparing(Job::getStale).thenComparing(Job::getNode))
            .toList();
    if (found.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          Values.because(
              "the " + asking.target() + " knows no job " + job + " of yours",
              response.getRestriction()));
    }
    List<Job> there =
        found.stream()
            .filter(each -> wanted.isEmpty() || each.getNode().equals(wanted.get().text()))
            .toList();
    if (there.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          "job %s does not run on %s, but on %s"
              .formatted(
                  job,
                  wanted.orElseThrow(),
                  found.stream().map(Job::getNode).collect(joining(", "))));
    }
    return there.stream()
        .filter(each -> each.getState() == JobState.JOB_STATE_OPEN)
        .findFirst()
        .map(each -> new NodeName(each.getNode()))
        .orElseThrow(() ->
            new CommandFailure(
                ExitCode.FAILED,
                "job %s accepts no sessions: it is %s on %s"
                    .formatted(
                        job,
                        Values.state(there.getFirst().getState(), "JOB_STATE_"),
                        there.getFirst().getNode())));
  }
}
