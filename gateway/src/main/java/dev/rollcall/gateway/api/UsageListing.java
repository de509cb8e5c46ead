package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.NodeReply;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.stream.Outgoing;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Presence;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.UsageQuestion;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.SilentNode;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks each node of a job what the job used there. The roll does not have that. */
public record UsageListing(Roll roll, Workers workers, Router router) {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration WATCHED_EVERY = Duration.ofSeconds(10);

  CompletableFuture<GetUsageResponse> list(Principal asker, JobId job) {
    Duration patience = ServiceReplies.patience(PATIENCE);
    return workers
        .run(() -> JobEntries.of(roll, job, asker))
        .thenCompose(known -> ask(known, question(job, false, false), patience))
        .thenApply(all -> all.toBuilder().setRestriction(asker.restriction()).build());
  }

  /** Returns what ends it. */
  Runnable watch(Principal asker, WatchUsageRequest request, Outgoing<WatchUsageResponse> out) {
    JobId job = CallerMapper.jobId(request.getJobId(), "job_id");
    boolean jobOnly = request.getJobOnly();
    return new UsageWatch(
            () -> workers.run(() -> JobEntries.of(roll, job, asker)),
            (some, first) ->
                workers
                    .run(() -> question(job, jobOnly, jobOnly && first))
                    .thenCompose(question -> ask(some, question, PATIENCE)),
            out,
            CompletableFuture.delayedExecutor(WATCHED_EVERY.toSeconds(), TimeUnit.SECONDS))
        .begin("no job " + job + " that you may see is on a node. " + asker.restriction());
  }

  private CompletableFuture<GetUsageResponse> ask(
      List<JobEntry> nodes, ConnectResponse question, Duration patience) {
    List<CompletableFuture<GetUsageResponse>> answers =
        nodes.stream().map(entry -> ask(entry, question, patience)).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> {
          var all = GetUsageResponse.newBuilder();
          answers.forEach(each -> all.mergeFrom(each.join()));
          return all.build();
        });
  }

  private CompletableFuture<GetUsageResponse> ask(
      JobEntry entry, ConnectResponse question, Duration patience) {
    NodeName node = entry.node();
    if (!(roll.presence(node) instanceof Presence.Connected(Owner.OneNode owner))) {
      return CompletableFuture.completedFuture(
          silent(node, "node " + node + " is not connected to a gateway"));
    }
    return router
        .ask(owner, question, patience)
        .thenApply(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  router
                      .answers()
                      .read(
                          node,
                          () -> of(entry, said.getUsage().getRecordsList()),
                          why -> silent(node, why));
              case NodeReply.Silent(String reason) -> silent(node, reason);
            });
  }

  private static ConnectResponse question(JobId job, boolean jobOnly, boolean lastHour) {
    var question =
        UsageQuestion.newBuilder().setJobId(job.number()).setJobOnly(jobOnly).setLastHour(lastHour);
    return ConnectResponse.newBuilder().setUsageQuestion(question).build();
  }

  /** A node answers for itself, for the job that was asked for, and for its owner. */
  private static GetUsageResponse of(JobEntry entry, List<UsageRecord> records) {
    var answer = GetUsageResponse.newBuilder();
    for (UsageRecord record : records) {
      if (record.getJobId() != entry.job().id().number() || record.getUid() != entry.job().uid()) {
        throw new BadWordException(
            "usage_answer.records",
            "one is of job %s of uid %s"
                .formatted(
                    Long.toUnsignedString(record.getJobId()),
                    Integer.toUnsignedString(record.getUid())));
      }
      answer.addRecords(record.toBuilder().setNode(entry.node().text()));
    }
    return answer.build();
  }

  private static GetUsageResponse silent(NodeName node, String why) {
    return GetUsageResponse.newBuilder()
        .addSilentNodes(SilentNode.newBuilder().setNode(node.text()).setSilence(why))
        .build();
  }
}
