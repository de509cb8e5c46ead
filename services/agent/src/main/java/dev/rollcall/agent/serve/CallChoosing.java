package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.CallChosen;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Processes;
import dev.rollcall.port.Processes.Owned;
import dev.rollcall.proto.v1.ChooseForCallResponse;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.util.List;

/**
 * Stores which job of its user a process wants to reach with its calls. Asks the gateway whether
 * that job exists: without a gateway the far node would not get the choice either.
 */
record CallChoosing(Bus bus, Upstream upstream, Processes processes, WorkerExecutor workers) {
  Future<ChooseForCallResponse> choose(SocketUser asker, JobId id) {
    var request = GetRequest.newBuilder().setJobId(id.number()).build();
    return upstream
        .ask(asker, JobServiceGrpc.getGetMethod(), request, Upstream.PATIENCE)
        .map(found -> own(asker, id, found))
        .compose(jobs ->
            workers
                .executeBlocking(() -> caller(asker), false)
                .compose(process ->
                    bus.ask(
                        Queries.CALL_CHOSEN, new CallChosen(process, asker.uid(), id), Bus.AT_ONCE))
                .map(_ -> ChooseForCallResponse.newBuilder().addAllJobs(jobs).build()));
  }

  /** Jobs of other users look like none. */
  private static List<Job> own(SocketUser asker, JobId id, GetResponse found) {
    List<Job> jobs =
        found.getJobsList().stream()
            .filter(job -> job.getUid() == asker.uid() && takesSessions(job))
            .toList();
    if (jobs.isEmpty()) {
      throw Refusal.plain(
          Status.NOT_FOUND,
          "the gateway shows this node no job "
              + id
              + " of yours"
              + (found.getRestriction().isEmpty() ? "" : ": " + found.getRestriction()));
    }
    return jobs;
  }

  private static boolean takesSessions(Job job) {
    return job.getState() != JobState.JOB_STATE_CLOSING
        && job.getState() != JobState.JOB_STATE_CLOSED;
  }

  /** The process that connected, if it is still there and the user's. On a worker thread. */
  private ProcessRef caller(SocketUser asker) throws IOException {
    try (Owned owned = processes.pin(asker.pid()).orElseThrow(() -> gone(asker))) {
      if (!owned.isOf(asker.uid())) {
        throw gone(asker);
      }
      return owned.process().ref();
    }
  }

  private static StatusRuntimeException gone(SocketUser asker) {
    return Refusal.plain(
        Status.FAILED_PRECONDITION,
        "process " + asker.pid() + ", which asked, has ended or is no longer yours");
  }
}
