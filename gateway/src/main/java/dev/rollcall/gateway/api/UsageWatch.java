package dev.rollcall.gateway.api;

import dev.rollcall.gateway.stream.Outgoing;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.WatchUsageResponse;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Streams what a job uses on its nodes: asks a few of them after the others, and all again after a
 * pause. It asks only when the client has read what came before, so a slow client gets later
 * figures, and the answers of a few nodes wait for it at most.
 */
final class UsageWatch {
  private static final int NODES_AT_ONCE = 8;

  /** Asks some nodes for the use of the job. Must not block. */
  interface Nodes {
    /**
     * @param first they are asked for the first time
     */
    CompletableFuture<GetUsageResponse> ask(List<JobEntry> some, boolean first);
  }

  private final Supplier<CompletableFuture<List<JobEntry>>> places;
  private final Nodes nodes;
  private final Outgoing<WatchUsageResponse> out;
  private final Executor later;
  private volatile boolean stopped;

  /**
   * @param places the job's nodes now, as far as the client may see them
   * @param later runs the next round, after the pause
   */
  UsageWatch(
      Supplier<CompletableFuture<List<JobEntry>>> places,
      Nodes nodes,
      Outgoing<WatchUsageResponse> out,
      Executor later) {
    this.places = places;
    this.nodes = nodes;
    this.out = out;
    this.later = later;
  }

  /**
   * Returns what ends it.
   *
   * @param unknown for people: the job is on no node that the client may see
   */
  Runnable begin(String unknown) {
    round(Status.NOT_FOUND.withDescription(unknown));
    return () -> stopped = true;
  }

  /**
   * @param none how the stream ends if the job is on no node
   */
  private void round(Status none) {
    then(
        places,
        known -> {
          if (known.isEmpty()) {
            out.close(none);
          } else {
            part(known, !none.isOk());
          }
        });
  }

  private void part(List<JobEntry> rest, boolean first) {
    if (rest.isEmpty()) {
      later.execute(() -> round(Status.OK));
      return;
    }
    int some = Math.min(NODES_AT_ONCE, rest.size());
    then(
        () -> nodes.ask(rest.subList(0, some), first),
        answer -> {
          var message = WatchUsageResponse.newBuilder();
          answer
              .getRecordsList()
              .forEach(one -> out.offer(message.setRecord(one).build(), Optional.empty()));
          answer
              .getSilentNodesList()
              .forEach(one -> out.offer(message.setSilentNode(one).build(), Optional.empty()));
          out.whenRead(() -> part(rest.subList(some, rest.size()), first));
        });
  }

  private <T> void then(Supplier<CompletableFuture<T>> step, Consumer<T> next) {
    if (!stopped) {
      var _ =
          step.get()
              .thenAccept(next)
              .whenComplete((_, failure) -> {
                if (failure != null) {
                  out.close(Status.fromThrowable(ServiceReplies.refusal(failure)));
                }
              });
    }
  }
}
